"""To have says who and what somebody has: relatives with their names, pets, conditions, things of their own,
appointments."""

from __future__ import annotations

from collections.abc import Iterator

from store.belief.reading.build import Draft, Mood
from store.belief.reading.getting import pets_named
from store.belief.reading.lexicon import FAMILY, NUMBERS, PETS, PLURALS, RELATION_ADJECTIVES, RELATIONS
from store.belief.reading.lists import wordset
from store.belief.reading.look import Look
from store.belief.reading.nouns import CARS, CONDITIONS, EVENT_NOUNS, POSSESSIONS, SERVICES
from store.belief.reading.objects import phrase, run_end, source
from store.belief.reading.people import name_at, names_after, relation_noun
from store.belief.reading.tastes import known_tool
from store.records import Cue


def having(look: Look, said_at: int) -> Iterator[Draft]:
    """What the clause says that somebody has."""
    group = look.clause.group
    if group.lemma != "have" or group.tense not in ("present", "past", "usedto"):
        return
    at = look.first()
    for reader in (_relatives, _condition, _allergy):
        found = list(reader(look, at))
        if found:
            yield from found
            return
    dated = list(_appointment(look, at, said_at))
    yield from dated or list(_weekly(look, at)) or list(_in_post(look, at)) or _possession(look, at)


def _relatives(look: Look, at: int) -> Iterator[Draft]:
    """ "two sons, Ben and Theo", "a brother named Paul", "three cats"."""
    clause = look.clause
    count = look.low(at)
    start = at + 1 if count in NUMBERS or count.isdigit() or count in ("no", "any") else at
    while look.low(start) in RELATION_ADJECTIVES or look.low(start) in wordset(
        "beautiful wonderful lovely amazing adorable cute great rescue grown-up grown young wild"
    ):
        start += 1
    noun, after = relation_noun(clause.tokens, start, clause.end)
    if not noun or (noun not in PLURALS and count not in ("a", "an", "one", "no")) or look.low(after) == "'s":
        return
    single = PLURALS.get(noun, noun)
    base = RELATIONS[single][0]
    names, _ = names_after(clause.tokens, after, clause.end, many=True)
    for name in names:
        yield Draft(base, name)
    yield from pets_named(look)
    yield from _count(look, at, after, count, single, noun, bool(names))


def _count(look: Look, at: int, after: int, count: str, single: str, noun: str, named: bool) -> Iterator[Draft]:
    kin = single in FAMILY or single in PETS
    if not kin:
        return
    if (noun in PLURALS and count in NUMBERS) or count.isdigit():
        yield Draft(f"number_of_{_plural(RELATIONS[single][0])}", look.clause.tokens[at].text, functional=True)
    elif count in ("no", "any") or (look.clause.group.negative and not named):
        if noun in PLURALS:
            yield Draft(f"number_of_{_plural(RELATIONS[single][0])}", "no", functional=True, negative=False)
    elif not named and single in PETS | FAMILY:
        yield Draft("owns", source(look.clause, at + 1, after))


def _plural(base: str) -> str:
    return {
        "child": "children",
        "fish": "fish",
        "goldfish": "goldfish",
        "pony": "ponies",
        "grandchild": "grandchildren",
    }.get(base, base + "s")


def _condition(look: Look, at: int) -> Iterator[Draft]:
    text = source(look.clause, at, run_end(look.clause, at))
    low = text.lower()
    for article in ("", "a ", "an "):
        plain = low.removeprefix(article) if article else low
        if low in CONDITIONS or plain in CONDITIONS:
            yield Draft("has_condition", text[len(low) - len(plain) :] if low not in CONDITIONS else text)
            return


def _allergy(look: Look, at: int) -> Iterator[Draft]:
    text = source(look.clause, at, look.clause.end).lower()
    if "allerg" in text and "to" in look.words():
        yield from (Draft("allergic_to", one.text) for index in look.after("to") for one in phrase(look.clause, index))
    elif text.endswith(" allergy") and look.low(at) in ("a", "an"):
        words = source(look.clause, at, look.clause.end).split()[1:-1]
        if 0 < len(words) < 4:
            yield Draft("allergic_to", " ".join(words).removeprefix("severe ").removeprefix("bad "))


def _appointment(look: Look, at: int, said_at: int) -> Iterator[Draft]:
    """ "I have a dentist appointment on Tuesday"."""
    when = look.when().at
    if when is None or look.clause.group.negative or look.low(at) not in wordset("a an my our another the two"):
        return
    for one in phrase(look.clause, at)[:1]:
        words = one.text.lower().split()
        if words[-1] in EVENT_NOUNS or " ".join(words[-2:]) in EVENT_NOUNS:
            side = [tail for index in look.after("with") for tail in phrase(look.clause, index)][:1]
            about = tuple(("with", person.text) for person in side)
            if when.end is not None and when.end > said_at and look.clause.group.tense == "present":
                yield Draft("appointment", one.text, valid=when, qualifiers=about, cue="state")
            elif look.clause.group.tense == "past":
                yield Draft("happened", one.text, valid=when, qualifiers=about, cue="state", negative=False)


_LESSONS = wordset(
    "lesson lessons class classes course training practice rehearsal rehearsals session sessions shift shifts"
)


def _weekly(look: Look, at: int) -> Iterator[Draft]:
    """ "Zoe has piano lessons on Tuesdays": (zoe, piano_lessons, "Tuesdays")."""
    habit = look.frequency()
    for one in phrase(look.clause, at) if habit and look.clause.group.tense == "present" else ():
        words = one.text.lower().split()
        if words[-1] in _LESSONS and 1 < len(words) < 4:
            yield Draft("_".join(words), habit, functional=True)


def _in_post(look: Look, at: int) -> Iterator[Draft]:
    """ "Otto has a new class teacher, Frau Amsel": (otto, class_teacher, "Frau Amsel")."""
    tokens, fresh = look.clause.tokens, look.low(at + 1) == "new"
    if look.low(at) not in ("a", "an") or look.clause.group.negative or look.clause.group.tense != "present":
        return
    for one in phrase(look.clause, at + 1 + fresh):
        last, after = one.text.lower().split()[-1], one.end + (one.end < len(tokens) and tokens[one.end].text == ",")
        after += after < len(tokens) and tokens[after].low in ("called", "named")
        name, _ = name_at(tokens, after, len(tokens)) if one.end < after < len(tokens) else ("", 0)
        if last in RELATIONS and last not in FAMILY and name:
            noun = one.text.lower().replace(" ", "_").replace("-", "_")
            cue: Cue | None = "update" if fresh else None
            yield Draft(RELATIONS[last][0] if noun == last else noun, name, functional=noun != last, cue=cue)


def subscribed(look: Look, at: int, mood: Mood) -> Iterator[Draft]:
    """ "We have Netflix again", "we got MUBI"."""
    for one in phrase(look.clause, at):
        if one.text.lower() in SERVICES and look.clause.tokens[one.start].capital:
            yield Draft(
                "subscribes_to", one.text, mood, cue="update" if mood == "onset" or "again" in look.words() else None
            )


def _possession(look: Look, at: int) -> Iterator[Draft]:
    yield from subscribed(look, at, "state") if look.clause.group.tense == "present" else ()
    if (
        look.low(at) not in wordset("a an two three four my our several no any some")
        or look.clause.group.tense == "past"
    ):
        return
    start = at + (look.low(at) in ("no", "any", "my", "our", "some"))
    for one in phrase(look.clause, start)[:1]:
        words = one.text.lower().split()
        known = (
            words[-1] in POSSESSIONS | PETS
            or bool(set(words) & CARS)
            or words[-1].rstrip("s") in POSSESSIONS
            or known_tool(one.text)
        )
        if (
            known
            and look.low(one.end) not in ("to", "of", "for")
            and not {"whole", "great", "good", "new-found"} & set(words)
        ):
            yield Draft("owns", one.text, negative=look.low(at) == "no" or look.clause.group.negative)
    yield from pets_named(look)
