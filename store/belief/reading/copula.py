"""To be says something lasting only with the right complement: an occupation yes, a mood or a verdict never.

`being` reads "I'm ..." and "my sister is ..."; what things are is in attributes.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from store.belief.reading.build import Draft, Mood
from store.belief.reading.clause import Clause
from store.belief.reading.lexicon import NUMBERS, RELATIONS
from store.belief.reading.lists import wordset
from store.belief.reading.look import Look
from store.belief.reading.nouns import ATTRIBUTES, BREEDS, DIETS, FAITHS, IS_NOUNS, IS_WORDS, NATIONALITIES, STATUSES
from store.belief.reading.objects import Value, is_job, job, language, listed, named, phrase, place, run_end, source
from store.belief.reading.people import is_name, name_at
from store.belief.reading.posts import posted
from store.belief.reading.roles import names_of
from store.belief.reading.tastes import read_kind
from store.belief.reading.times import OPEN, written

_FANS = (
    "a big fan of",
    "a huge fan of",
    "a fan of",
    "such a fan of",
    "a great fan of",
    "a massive fan of",
    "a real fan of",
    "fond of",
    "keen on",
    "passionate about",
    "obsessed with",
    "crazy about",
    "really into",
    "into",
)
_GOOD = {
    **dict.fromkeys(("good", "great", "skilled"), "good_at"),
    **dict.fromkeys(("terrible", "bad", "hopeless"), "bad_at"),
}
_RANKS = wordset("junior senior")
_HEIGHTS = wordset("m cm tall feet foot meters metres")
_NOT_AGE = wordset(
    "% minutes hours days weeks months km kg pages people of in out percent euros dollars times am pm "
    "and or to - minute hour day week points"
)
_STUDIES = wordset("student phd undergrad undergraduate freshman sophomore junior senior postdoc candidate grad")


def being(look: Look) -> Iterator[Draft]:
    """What a person is, was or has become."""
    at = look.first()
    if at >= look.clause.end or look.lemma not in ("be", "become"):
        return
    for reader in _READERS:
        found = list(reader(look, at))
        if found:
            yield from found
            return


def _from(look: Look, at: int) -> Iterator[Draft]:
    word = look.low(at)
    if word == "originally":
        at, word = at + 1, look.low(at + 1)
    if (
        word == "in"
        and look.clause.group.tense == "past"
        and look.clause.tokens[at + 1 if at + 1 < look.clause.end else at].capital
    ):
        if not look.when().ongoing_for:
            yield from (Draft("visited", one.text, "event") for one in _countries(look, at + 1))
    elif word == "from":
        yield from (Draft("from", one.text) for one in place(look.clause, at + 1))
    elif word in ("based", "located"):
        yield from (
            Draft("lives_in", one.text) for index in look.after("in", "near") for one in place(look.clause, index)
        )
    elif word == "born":
        yield from _born(look)


def _countries(look: Look, at: int) -> list[Value]:
    """ "In Turkey and Mexico": named places, and nothing after them that makes them something else."""
    found = [one for one in listed(look.clause, at) if len(one.text.split()) < 4]
    proper = all(look.clause.tokens[one.start].capital and place(look.clause, one.start) for one in found)
    last = look.low(found[-1].end) if found else ""
    return found if proper and last not in ("class", "school", "team", "for") else []


def _born(look: Look) -> Iterator[Draft]:
    raw = look.raw
    for at in range(raw.group.after, raw.end):
        if raw.low(at) in ("in", "on", "at"):
            found = (
                place(look.clause, at + 1)
                if look.clause.tokens[at + 1 if at + 1 < raw.end else at].kind != "break"
                else []
            )
            if found:
                yield Draft("born_in", found[0].text, "state", valid=OPEN, cue="state", negative=False)
                continue
            inside = [
                one
                for one in look.clock.within(raw.tokens[at].start, raw.span()[1])
                if one.stretch and one.kind == "point"
            ]
            if inside:
                text = look.clock.episode.text[inside[0].start : inside[0].end].strip()
                text = text.rstrip(".")
                for word in ("on ", "in "):
                    text = text.removeprefix(word)
                yield _birthday(written(inside[0]) or text)
                return
    for one in look.clock.within(raw.tokens[raw.group.verb].end, raw.span()[1]):
        if one.kind == "point" and (text := written(one)):  # "born the day before yesterday"
            yield _birthday(text)
            return


def _birthday(text: str) -> Draft:
    return Draft("birth_year" if text.isdigit() else "born_on", text, valid=OPEN, cue="state", negative=False)


def _age(look: Look, at: int) -> Iterator[Draft]:
    raw = look.raw
    at = raw.group.after
    while raw.low(at) in wordset("almost already only just now about"):
        at += 1
    word, after = raw.low(at), raw.low(at + 1)
    years = int(word) if word.isdigit() else NUMBERS.get(word, 0) if word not in ("a", "an") else 0
    if not years and word.count("-") == 1 and all(part in NUMBERS for part in word.split("-")):
        years = sum(NUMBERS[part] for part in word.split("-"))
    if years > 120:
        return
    if after in ("years", "months", "year", "weeks", "month") and raw.low(at + 2) == "old":
        text = source(raw, at, at + (1 if after == "years" else 3))
        yield Draft("age", text, functional=True)
    elif 1 < years < 120 and (
        at + 1 >= raw.end
        or after in ("now", ",", "today")
        or (after not in _NOT_AGE and not raw.tokens[at + 1].low[:1].isalnum())
    ):
        yield Draft("age", raw.tokens[at].text, functional=True)
    elif (after in _HEIGHTS and "tall" in look.words()) or (after in ("m", "cm") and at + 2 >= raw.end):
        yield Draft("height", source(raw, at, at + 2), functional=True)


def _health(look: Look, at: int) -> Iterator[Draft]:
    word = look.low(at)
    if word == "allergic" and look.low(at + 1) == "to":
        yield from (Draft("allergic_to", one.text) for one in listed(look.clause, at + 2))
    elif word in DIETS or (look.says("on a", at) and look.low(at + 2) in DIETS):
        yield Draft("diet", look.clause.tokens[at if word in DIETS else at + 2].text)
    elif look.says("a", at) and look.low(at + 1) in DIETS and at + 2 >= look.clause.end:
        yield Draft("diet", look.clause.tokens[at + 1].text)
    elif look.says("married to", at) and look.low(at + 2) in ("my", "the") and look.low(at + 3) not in RELATIONS:
        return
    elif word in STATUSES and look.low(at + 1) not in wordset("by in with mom mum dad for most day time person"):
        yield Draft("relationship_status", look.clause.tokens[at].text)
        yield from (Draft("partner", one.text) for index in look.after("to") for one in named(look.clause, index)[:1])
    elif word == "dating" or look.says("in a relationship", at):
        yield from (Draft("partner", one.text) for one in named(look.clause, at + 1))
        if word == "in":
            yield Draft("relationship_status", source(look.clause, at, at + 3))
    else:
        yield from _condition(look, at)


def _condition(look: Look, at: int) -> Iterator[Draft]:
    end = run_end(look.clause, at)
    text = source(look.clause, at, end)
    low = text.lower()
    if low.split()[-1:] and low.split()[-1] in BREEDS and look.clause.keys != (look.scene.me,):
        bare = phrase(look.clause, at)
        yield from (
            Draft("breed", one.text)
            for one in bare
            if len(one.text.split()) > 1 or one.text.lower() not in ("mix", "cross")
        )
    elif low in IS_WORDS or low in FAITHS:
        yield Draft("is", text)
    elif low in NATIONALITIES:
        yield Draft("nationality", text)
    elif low in ("retired", "unemployed", "self-employed"):
        yield Draft("job", text)


def _tastes(look: Look, at: int) -> Iterator[Draft]:
    if any(token.kind == "break" for token in look.clause.tokens[look.clause.group.after : at]):
        return
    for opening in _FANS:
        if look.says(opening, at):
            yield from (Draft("likes", one.text) for one in read_kind("liking")(look.clause, at + len(opening.split())))
            return
    word = look.low(at)
    if word == "interested" and look.low(at + 1) == "in":
        found = (
            read_kind("liking")(look.clause, at + 2)
            if look.low(at + 2) != "the" and not look.low(at + 2).endswith("ing")
            else []
        )
        yield from (Draft("interested_in", one.text) for one in found)
    elif word in ("afraid", "scared", "terrified") and look.low(at + 1) == "of":
        yield from (
            Draft("afraid_of", one.text)
            for one in read_kind("liking")(look.clause, at + 2)
            if not one.text.endswith("ing")
        )
    elif word in _GOOD and look.low(at + 1) == "at" and not look.clause.group.negative:
        yield from (Draft(_GOOD[word], one.text) for one in read_kind("liking")(look.clause, at + 2))
    elif word == "fluent" and look.low(at + 1) == "in":
        yield from (
            Draft("speaks", one.text, qualifiers=(("level", "fluent"),)) for one in language(look.clause, at + 2)
        )
    elif look.says("a native speaker of", at):
        yield from (Draft("native_language", one.text) for one in language(look.clause, at + 4))
    elif look.says("a member of", at):
        yield from (Draft("member_of", one.text) for one in phrase(look.clause, at + 3))


def _called(look: Look, at: int) -> Iterator[Draft]:
    word = look.low(at)
    if word in ("called", "named"):
        yield from names_of(look, at)
        return
    clause = look.clause
    mine = clause.keys == (look.scene.me,) and clause.group.tense == "present" and not clause.group.negative
    name, after = name_at(clause.tokens, at, clause.end)
    if not mine or not name or not _plainly_named(clause, at, after) or name.endswith("ing"):
        return
    yield Draft("name", name, functional=True)
    if look.low(after) == "," and look.low(after + 1) in ("a", "an", "the"):
        yield from _work(look, after + 1)


def _plain_relation(relation: str) -> str:
    """An elder sister is a sister; an ex-wife is no wife."""
    order, _, base = relation.partition("_")
    ordered = order in wordset("second third fourth older elder younger oldest eldest youngest middle")
    return base if ordered and base in RELATIONS else relation


def _plainly_named(clause: Clause, at: int, after: int) -> bool:
    """Nothing but names, and the clause or its first part ends there ("I'm Priya, a ...")."""
    closed = after >= clause.end or clause.tokens[after].kind != "word" or clause.low(after) in ("and", "by")
    names = all(is_name(token) or token.text == "." for token in clause.tokens[at:after])
    return closed and names and clause.tokens[at].text[1:2].islower()


def _holds_post(look: Look, at: int) -> Iterator[Draft]:
    """ "My manager is Ingrid": (me, boss, Ingrid)."""
    clause = look.clause
    person = clause.person
    if (
        clause.group.negative
        or person is None
        or person.plural
        or clause.pronoun
        or len(clause.keys) != 1
        or person.key.count(">") != 1
    ):
        return
    if look.low(at) == "a" and look.low(at + 2) in ("called", "named"):
        at += 2  # "a guy called Ali"
    name, after = name_at(clause.tokens, at + (look.low(at) in ("called", "named")), clause.end)
    ends = after >= clause.end or clause.tokens[after].kind != "word" or look.low(after) in ("and", "from", "at", "now")
    if name and ends:
        holder, relation = person.key.split(">")
        own = {token.low for token in clause.tokens[person.start : person.end]}
        word = clause.tokens[person.end - 1].low
        relation = _plain_relation(relation)
        side = (("as", word),) if word not in relation else ()
        fresh = "new" in own or "now" in look.words()
        yield Draft(relation, name, subject=holder, qualifiers=side, cue="update" if fresh else None)


def _display(look: Look) -> str:
    person = look.clause.person
    if person is not None:
        name, _ = name_at(look.clause.tokens, person.start, person.end)
        return name
    return look.clause.keys[0].title()


def _work(look: Look, at: int) -> Iterator[Draft]:
    if look.low(at) not in wordset("a an the now head chief senior director ceo cto") and look.lemma == "be":
        return
    if look.low(at) == "now":
        at += 1
    mood: Mood = "onset" if look.lemma == "become" else "state"
    start = at + (look.low(at) in ("a", "an", "the"))
    end = run_end(look.clause, at)
    low = source(look.clause, start, end).lower()
    if low in IS_NOUNS and look.low(at) in ("a", "an", "the"):
        yield Draft("is", low, mood) if low not in DIETS else Draft("diet", low, mood)
        return
    if low.removeprefix("proud ") in (
        "mother of two",
        "father of two",
        "mom of two",
        "dad of two",
        "mother of three",
        "father of three",
        "mom of three",
        "dad of three",
    ):
        yield Draft("number_of_children", low.split()[-1])
        return
    for one in job(look.clause, at)[:1]:
        studying = _is_student(one.text.lower().split())
        near = place(look.clause, one.end + 1) if look.low(one.end) == "in" and not studying else []
        yield Draft("job", one.text, mood, qualifiers=(("in", near[0].text),) if near else ())


def _is_student(words: list[str]) -> bool:
    """ "A PhD student" studies there, and so does "a junior"; "a junior developer" works there."""
    return bool(set(words) & (_STUDIES - _RANKS)) or words[-1] in _RANKS


def _attribute(look: Look, at: int) -> Iterator[Draft]:
    """ "Green is my favourite colour": what a name is to somebody's attribute."""
    if (
        look.low(at) in ("my", "our")
        and look.clause.keys
        and look.clause.person is not None
        and not look.clause.group.negative
    ):
        noun = source(look.clause, at + 1, run_end(look.clause, at + 1)).lower()
        if len(look.clause.keys) == 1 and noun not in RELATIONS and noun not in ATTRIBUTES and is_job(noun.split()):
            yield Draft(noun.replace(" ", "_"), _display(look), subject=look.scene.me, functional=True)
        if noun.startswith(("favourite ", "favorite ")) or noun in ATTRIBUTES:
            yield Draft(
                noun.replace("favorite", "favourite").replace(" ", "_"),
                _display(look),
                subject=look.scene.me,
                functional=True,
            )


_READERS: tuple[Callable[[Look, int], Iterator[Draft]], ...] = (
    _holds_post,
    _from,
    posted,
    _age,
    _health,
    _tastes,
    _attribute,
    _work,
    _called,
)
