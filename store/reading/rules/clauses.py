"""A clause is read only where it is asserted: no question, condition, wish or other people's opinion gets through.

`clauses_of` finds subject and finite verb from left to right, gives each clause the words up to the next one,
carries a subject over "and moved", and drops what stands under "if", "wish", "what", "she thinks" and their like.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from store.reading.rules.asserted import EMBED, GAP, MARKS, PLAIN, SAY, STRONG, admitted, asserted_until
from store.reading.rules.clause import Clause
from store.reading.rules.groups import Group, group_at
from store.reading.rules.lexicon import CONJUNCTIONS, DETERMINERS, FILLERS, INTERJECTIONS, RELATIONS, TIMEY
from store.reading.rules.people import Person, Scene, just_named, person_at, relation_noun
from store.reading.rules.things import thing_at
from store.reading.rules.words import Sentence, Token
from store.text.forms import form_of
from store.text.lists import wordset
from store.text.nouns import LAPTOPS, PHONES

_OPENERS = wordset("my our his her the mum mom dad grandma grandpa granny")
_NOBODY = wordset(
    "you they it this that there these those someone everyone people one everything nobody anyone "
    "something anything nothing things everybody somebody anybody u ya"
)


def clauses_of(sentence: Sentence, scene: Scene) -> list[Clause]:
    """The asserted clauses of one sentence, in order; mentions are noted in the scene on the way."""
    tokens = sentence.tokens
    limit = asserted_until(sentence)
    found: list[Clause] = []
    at = 0
    while at < limit:
        clause, after = _clause_at(tokens, at, limit, scene, found)
        if clause is not None:
            found.append(clause)
            _note_had(tokens, clause, limit, scene)
        at = max(after, at + 1)
    found = _with_dropped_subject(tokens, limit, scene, found)
    found = _ended(tokens, limit, found)
    found = [part for clause in found for part in _coordinated(clause)]
    scene.spoken_of = (*found[-1].keys, "")[0] if found else scene.spoken_of
    return admitted(tokens, found)


def _note_had(tokens: Sequence[Token], clause: Clause, end: int, scene: Scene) -> None:
    """ "We have a dog": the next "her" may mean it."""
    if clause.group.lemma not in ("have", "adopt", "get") or clause.keys != (scene.me,):
        return
    at = clause.group.after
    for place in range(at, min(at + 4, end)):
        noun, _ = relation_noun(tokens, place, end)
        if noun in RELATIONS and tokens[at].low in ("a", "an", "one"):
            base, gender = RELATIONS[noun]
            scene.note(Person(f"{scene.me}>{base}", place, place + 1, gender), (0, 0))


def _clause_at(
    tokens: Sequence[Token], at: int, end: int, scene: Scene, found: list[Clause]
) -> tuple[Clause | None, int]:
    """The clause that begins at an index, if one does, and the index to go on from."""
    token = tokens[at]
    if token.kind != "word":
        return None, at + 1
    clause: Clause | None = None
    if token.low in ("i", "we"):
        clause = _with_group(tokens, at, at + 1, end, (scene.me,), token.low)
    elif token.low in ("he", "she"):
        key = _reported(scene, token.low, tokens, at, found) or _parallel(scene, token.low, found)
        key = key or just_named(tokens, at, scene)
        key = key or scene.meant_by(token.low)
        clause = _with_group(tokens, at, at + 1, end, (key,) if key else (), token.low)
    elif token.low == "who":
        clause = _relative(tokens, at, end, scene, found)
    elif token.low in _NOBODY:
        clause = _with_group(tokens, at, at + 1, end, (), token.low) if _may_start(tokens, at, found) else None
    elif token.capital or token.low in _OPENERS:
        return _named_clause(tokens, at, end, scene, found)
    return clause, at + 1 if clause is None else clause.group.after


def _named_clause(
    tokens: Sequence[Token], at: int, end: int, scene: Scene, found: list[Clause]
) -> tuple[Clause | None, int]:
    person = person_at(tokens, at, end, scene)
    clause: Clause | None = None
    starts = _may_start(tokens, at, found)
    if starts:
        device = tokens[at].low in PHONES | LAPTOPS  # "Fairphone is back" is about nobody
        if person is not None and not device and not (person.end < end and tokens[person.end].low == "'s"):
            clause = _of_person(tokens, person, end, scene)
        clause = clause or _of_thing(tokens, at, end, scene)
        if (
            clause is None
            and person is not None
            and not device
            and not (person.end + 1 < end and tokens[person.end].low == "'s" and tokens[person.end + 1].capital)
        ):
            clause = _of_person(tokens, person, end, scene)
    if person is not None and not _is_complement(person, found):
        scene.note(
            person,
            (tokens[at].start, _last(tokens, person.end).end),
            certain=clause is not None and clause.thing is None,
        )
    after = at + 1 if person is None else person.end
    return clause, after if clause is None else clause.group.after


def _is_complement(person: Person, found: list[Clause]) -> bool:
    """In "she is my niece" the niece is nobody new."""
    last = found[-1] if found else None
    said = last is not None and last.group.lemma == "be" and len(last.keys) == 1 and last.group.after == person.start
    return said and ">" in person.key and not person.relations


def _last(tokens: Sequence[Token], end: int) -> Token:
    return tokens[end - 2] if tokens[end - 1].kind == "mark" else tokens[end - 1]


def _with_group(
    tokens: Sequence[Token],
    start: int,
    at: int,
    end: int,
    keys: tuple[str, ...],
    pronoun: str = "",
    person: Person | None = None,
) -> Clause | None:
    group = group_at(tokens, at, end)
    if group is None:
        return None
    group = _past_where_unmarked(tokens, group, pronoun)
    if person is not None and len(keys) < 2 and not person.plural and not _agrees(tokens, group):
        return None
    return Clause(tuple(tokens), start, end, keys, group, person=person, pronoun=pronoun)


def _agrees(tokens: Sequence[Token], group: Group) -> bool:
    """One person's present has its -s; without it the word is no verb ("Unconditional love is ...")."""
    if group.tense != "present" or group.passive or group.lemma in ("be", "have", "do"):
        return True
    form = form_of(tokens[group.verb].low)
    return (
        form is None
        or "s" in form[1]
        or tokens[group.verb - 1].low in ("n't", "does", "not")
        or bool(group.adverbs & {"not", "n't"})
    )


def _past_where_unmarked(tokens: Sequence[Token], group: Group, pronoun: str) -> Group:
    """ "Jonas quit", "she read": no -s on a third person is the past; "I quit" is the past as well."""
    if group.tense != "present" or group.passive or group.lemma in ("be", "have", "do"):
        return group
    form = form_of(tokens[group.verb].low)
    if form is None or "past" not in form[1] or tokens[group.verb - 1].low in ("do", "does", "n't"):
        return group
    third = pronoun not in ("i", "we", "you", "they")
    if third or group.lemma in wordset("quit hit cut split put set hurt"):
        return replace(group, tense="past")
    return group


def _of_person(tokens: Sequence[Token], person: Person, end: int, scene: Scene) -> Clause | None:
    keys: tuple[str, ...] = (person.key, *person.more)
    at = person.end
    if at + 1 < end and tokens[at].low in ("and", "&"):
        if tokens[at + 1].low in ("i", "me"):
            keys, at = (*keys, scene.me), at + 2
        else:
            scene.note(person, (tokens[person.start].start, _last(tokens, person.end).end))
            other = person_at(tokens, at + 1, end, scene)
            if other is not None:
                scene.note(other, (tokens[other.start].start, _last(tokens, other.end).end), certain=True)
                keys, at = (*keys, other.key), other.end
    clause = _with_group(tokens, person.start, at, end, keys, person=person)
    if clause is None and at < end and tokens[at].low in ("from", "at", "in"):
        for further in range(at + 2, min(at + 5, end)):
            if (
                tokens[further - 1].kind != "word"
                or tokens[further - 1].low in _NOBODY
                or tokens[further - 1].low in ("i", "we", "he", "she")
            ):
                break
            clause = _with_group(tokens, person.start, further, end, keys, person=person)
            if clause is not None and tokens[clause.group.verb].low not in RELATIONS:
                return clause
        return None
    return clause


def _of_thing(tokens: Sequence[Token], at: int, end: int, scene: Scene) -> Clause | None:
    thing = thing_at(tokens, at, end, scene)
    if thing is None:
        return None
    group = group_at(tokens, thing.end, end)
    if group is None:
        return None
    return Clause(tuple(tokens), at, end, (), _past_where_unmarked(tokens, group, ""), thing=thing)


def _relative(tokens: Sequence[Token], at: int, end: int, scene: Scene, found: list[Clause]) -> Clause | None:
    """ "my brother, who lives in Rome" and "I have a brother who lives in Rome"."""
    before = at - 2 if at and tokens[at - 1].text == "," else at - 1
    if before < 0:
        return None
    for start in range(max(0, before - 4), before + 1):
        person = person_at(tokens, start, at, scene)
        if person is not None and person.end in (before + 1, at) and not person.more:
            return _with_group(tokens, start, at + 1, end, (person.key,), "who")
    known = RELATIONS.get(tokens[before].low)
    if known and found and found[-1].group.lemma == "have" and found[-1].keys == (scene.me,):
        return _with_group(tokens, before, at + 1, end, (f"{scene.me}>{known[0]}",), "who")
    return None


def _reported(scene: Scene, pronoun: str, tokens: Sequence[Token], at: int, found: list[Clause]) -> str | None:
    """In "Paul told me he ..." he is Paul."""
    last = found[-1] if found else None
    if (
        last is None
        or last.group.lemma not in SAY
        or len(last.keys) != 1
        or not _only_gap(tokens, last.group.after, at)
    ):
        return None
    if last.keys[0] == scene.me:
        return None
    return (
        last.keys[0] if last.person is None or last.person.gender in ("n", {"he": "m", "she": "f"}[pronoun]) else None
    )


def _parallel(scene: Scene, pronoun: str, found: list[Clause]) -> str | None:
    """In "Bica isn't two, she's four" she is Bica, whoever else was spoken of before this sentence."""
    last = found[-1] if found else None
    if last is None or last.person is None or last.person.plural or len(last.keys) != 1 or last.keys[0] == scene.me:
        return None
    key, gender = last.keys[0], {"he": "m", "she": "f"}[pronoun]
    known = scene.genders.get(key, last.person.gender)
    others = {other for other, _ in scene.sentences[-1]} - {key}
    return key if known == gender or (known in ("n", "x") and not others & scene.named) else None


def _may_start(tokens: Sequence[Token], at: int, found: list[Clause]) -> bool:
    if at == 0:
        return True
    before = tokens[at - 1]
    if before.kind in ("break", "mark"):
        return before.text in MARKS or before.kind == "break"
    if before.low in CONJUNCTIONS or before.low in INTERJECTIONS or before.low in TIMEY or before.low[-1:].isdigit():
        return True
    last = found[-1] if found else None
    return last is not None and last.group.lemma in EMBED - PLAIN and _only_gap(tokens, last.group.after, at)


def _only_gap(tokens: Sequence[Token], start: int, end: int) -> bool:
    return all(token.low in GAP for token in tokens[start:end])


def _with_dropped_subject(tokens: Sequence[Token], limit: int, scene: Scene, found: list[Clause]) -> list[Clause]:
    """ "Got promoted!", "Just moved to Lisbon", "Currently using Obsidian": the subject is whoever speaks."""
    at = 0
    while at < limit and (tokens[at].kind == "mark" or tokens[at].low in INTERJECTIONS or tokens[at].low in FILLERS):
        at += 1
    if at >= limit or tokens[at].kind != "word" or (found and found[0].start <= at):
        return found
    form = form_of(tokens[at].low)
    if form is None or scene.spoken_of not in ("", scene.me):
        return found
    lemma, tags = form
    if lemma in wordset("take make mean give feel say turn happen cost find hear"):
        return found
    group: Group | None = None
    if "past" in tags and "base" not in tags:
        group = Group(lemma, "past", at + 1, verb=at)
    elif "ing" in tags and (
        any(token.low in ("currently", "still") for token in tokens[:at])
        or (lemma in ("start", "move") and at + 1 < limit and tokens[at + 1].low in ("as", "at", "to"))
    ):
        group = Group(lemma, "prog", at + 1, verb=at)
    if group is None:
        return found
    return [Clause(tuple(tokens), at, limit, (scene.me,), group, confidence=0.75, pronoun="(i)"), *found]


def _ended(tokens: Sequence[Token], limit: int, found: list[Clause]) -> list[Clause]:
    """Each clause runs to the next one, to a strong mark, or to the end of what is asserted."""
    ended: list[Clause] = []
    floor = 0
    for place, clause in enumerate(found):
        end = found[place + 1].start if place + 1 < len(found) else limit
        for at in range(clause.group.after, end):
            if (
                tokens[at].kind == "break"
                or tokens[at].text in STRONG
                or (tokens[at].text == "-" and _spaced(tokens, at))
                or _turns(tokens, at)
            ):
                end = at
                break
        while end > clause.group.after and (
            (tokens[end - 1].kind == "mark" and tokens[end - 1].text not in ("%", "€", "$", "£", "°"))
            or tokens[end - 1].low in CONJUNCTIONS - {"now", "before", "after"}
        ):
            end -= 1
        ended.append(replace(clause, end=end, floor=floor))
        floor = max(end, clause.group.after)
    return ended


_BEING = frozenset(["is", "are", "was", "were"])


def _turns(tokens: Sequence[Token], at: int) -> bool:
    """A word that begins something else: "because", ", so", ", which", ", training is"."""
    low = tokens[at].low
    if tokens[at - 1].text == "," and low.isalpha() and tokens[at].text == low:
        behind = [token.low for token in tokens[at + 1 : at + 3]]
        if behind[:1] and (behind[0] in _BEING or (behind[0].isalpha() and behind[1:] and behind[1] in _BEING)):
            return True
    return low in wordset("because cause cuz although whereas which") or (
        low in wordset("so but who where while though then") and tokens[at - 1].text == ","
    )


def _spaced(tokens: Sequence[Token], at: int) -> bool:
    return tokens[at].start > tokens[at - 1].end


def _coordinated(clause: Clause) -> list[Clause]:
    """ "I quit my job and moved to Lisbon" is two clauses with one subject."""
    for at in range(clause.group.after, clause.end - 1):
        if clause.low(at) not in ("and", "but", "then"):
            continue
        group = _joined_group(clause, at + 1)
        if group is None:
            continue
        stop = at
        while stop > clause.group.after and clause.tokens[stop - 1].kind == "mark":
            stop -= 1
        second = replace(clause, group=group, own=at + 1)
        return [replace(clause, end=stop), *_coordinated(second)]
    return [clause]


def _joined_group(clause: Clause, at: int) -> Group | None:
    group = group_at(clause.tokens, at, clause.end)
    tense = clause.group.tense
    form = form_of(clause.low(at))
    if form and "ing" in form[1] and tense in ("prog", "perfprog") and _takes_more(clause, at + 1):
        return replace(clause.group, lemma=form[0], after=at + 1, verb=at, adverbs=frozenset())
    if group is None or group.lemma == "":
        return None
    low = clause.low(group.verb)
    if group.tense in wordset("past perfect perfprog prog usedto future modal") or group.lemma == "be":
        return group
    tags = form_of(low)
    today = tense == "present" or bool(group.adverbs & {"now", "currently"})
    if tags is not None and "s" in tags[1] and clause.pronoun not in ("i", "we") and today:
        return group
    if today and group.tense == "present" and clause.pronoun in ("i", "we") and _takes_more(clause, group.after):
        return group
    return None


def _takes_more(clause: Clause, at: int) -> bool:
    if at >= clause.end:
        return False
    token = clause.tokens[at]
    return token.capital or token.low in DETERMINERS or token.low in wordset("in at as for to on with")
