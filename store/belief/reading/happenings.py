"""What was done at a time that the clause names is an event, whatever the verb; what is felt or wanted is none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from store.belief.reading.asserted import EMBED
from store.belief.reading.build import Draft
from store.belief.reading.clause import Clause
from store.belief.reading.forms import form_of, past_of
from store.belief.reading.frames import EVENTS
from store.belief.reading.lexicon import (
    CONJUNCTIONS,
    DETERMINERS,
    INTERJECTIONS,
    PLURALS,
    PRONOUN_OBJECTS,
    RELATIONS,
    TIMEY,
)
from store.belief.reading.likings import VAGUE_THINGS
from store.belief.reading.lists import wordset
from store.belief.reading.look import Look
from store.belief.reading.objects import Value, rest
from store.records import Precision

DATED = EVENTS | wordset(
    "combine discover explore volunteer raise earn accept pitch present film direct audition rehearse interview save "
    "pack dye help learn develop hold throw gather deliver bring return ride fly drive sing play spend invite surprise "
    "work start begin come share stream lift set check do get bike kayak bowl camp ski surf walk dance talk chat meet "
    "visit attend buy order finish complete grill roast assemble decorate dig teach coach train compete score lead "
    "present introduce transfer move pick drop collect clean test interview show give send wear decide study practice "
    "practise rent tour propose swap sell cut shave announce speak tell feed groom wash babysit quit"
)
"""Verbs whose past, with a time and with what was done, is an event. The predicate is the past form."""
_UNSAID = wordset(
    "it them you your u ya nothing everything something anything that those he she they thing things stuff bit lot "
    "fun care sure sense bunch god"
)
_PREPOSITIONS = wordset("with at in on to for from into through around along up out together over by about")
_WAYS = wordset(
    "work sign apply swim sail run graduate hike climb volunteer ride drive fly dance perform compete speak"
)
"""Verbs that need no object: "signed up for a class"."""
_LIGHT = wordset(
    "call deal decision effort efforts connection connections contribution progress mistake mistakes point sense "
    "difference change "
    "changes choice way impact money increase decrease improvement growth step steps break look note notes picture "
    "pictures risk advantage breath value results success potential photo photos pic pics shot shots tons hand chance "
    "best time fun try shot pride notice action part place turns turn advice word words fact hours feeling feelings "
    "go while attention boost idea ideas hang kick start end couple days opportunity"
)
_FINE = frozenset([Precision.EXACT, Precision.DAY, Precision.WEEK, Precision.MONTH, Precision.SEASON])
_TOOK = re.compile(r"^\d{1,2}:\d\d(?::\d\d)?$")
_RACE = re.compile(r"(?i)^(?:\d+k|half|marathon|mile|half-marathon|triathlon)$")
_COMPANY = wordset(
    "family fam friends folks gang group team crew guys girls boys kids people parents buddies buds pals mates "
    "siblings relatives class club band colleagues neighbours neighbors everyone him her them students grandparents so"
)
"""Who one does things with: "with almond milk" is no company."""
_BESTS = frozenset([("new", "best"), ("personal", "best"), ("new", "record"), ("my", "best")])


def happened(look: Look, said_at: int, told: bool) -> Iterator[Draft]:
    """A past verb with an object of its own ("painted a lake sunrise"); with a time, more verbs and looser objects
    where nothing else was `told` by the clause."""
    group = look.clause.group
    if group.tense not in ("past", "perfect") or group.passive or group.negative or _relative(look.clause):
        return
    when = look.when().at
    dated = (
        when is not None and when.start is not None and when.start <= said_at and when.precision in _FINE and not told
    )
    fresh = look.lemma == "get" and (look.says("a new") or look.says("some new") or look.says("my new"))
    experience = look.lemma == "work" and group.tense == "perfect" and look.low(look.first()) == "with"
    if look.lemma not in (DATED if dated else EVENTS) and not (fresh and not told) and not experience:
        return
    found = rest(look.clause, _start(look.clause, group.after))
    one = found[0] if found else None
    if one is None or not (_loose(look.clause, one) if dated else _solid(look.clause, one)):
        return
    timed, best = _clocked(look, one.text)
    yield from best
    past = {"cofound": "founded"}.get(look.lemma, past_of(look.lemma))
    yield Draft(past, one.text, "event", qualifiers=_companion(one.text) + timed)


def _relative(clause: Clause) -> bool:
    """In "the figurines I bought remind me" what was bought stands before."""
    before = clause.tokens[clause.start - 1] if clause.start and clause.own is None else None
    if before is None or before.kind != "word" or clause.pronoun not in ("i", "we", "he", "she"):
        return False
    form = form_of(before.low)
    starts = before.low in CONJUNCTIONS | INTERJECTIONS | TIMEY or before.low[-1:].isdigit()
    return not starts and not (form is not None and form[0] in EMBED) and not before.low.endswith("ly")


def _start(clause: Clause, at: int) -> int:
    """Past breaks and "this" before a noun of its own ("made this bowl in my class")."""
    while at < clause.end and (clause.tokens[at].kind == "break" or clause.low(at) in ("just", "also", "actually")):
        at += 1
    shown = clause.low(at) in ("this", "these", "some") and at + 1 < clause.end and clause.tokens[at + 1].kind == "word"
    shown = shown and clause.low(at + 1) != "of"
    return at + 1 if shown and clause.low(at + 1) not in PRONOUN_OBJECTS | VAGUE_THINGS else at


def _loose(clause: Clause, one: Value) -> bool:
    """What was done has a noun of its own, and nobody has to guess what "it" is."""
    words = [token.low or token.text.lower() for token in clause.tokens[one.start : one.end]]
    if clause.low(one.end) in ("these", "those") or words[-1] in ("all", "more", "others"):
        return False
    if set(words) & _UNSAID or _head(words) in _LIGHT | VAGUE_THINGS - {"story", "design", "work", "shirt", "pic"}:
        return False
    return (
        words[0] not in PRONOUN_OBJECTS - {"some", "all"} and len(words) <= 14 and any(len(word) > 2 for word in words)
    )


def _solid(clause: Clause, one: Value) -> bool:
    """It is somebody's own words for a thing: it has a determiner, a name or a number."""
    first = clause.tokens[one.start]
    before = clause.low(one.start - 1) if one.start > clause.group.after else ""
    known = (
        first.capital
        or before in ("this", "these", "some")
        or first.low in DETERMINERS
        or first.low[:1].isdigit()
        or first.low in wordset("two three four several new")
        or (clause.group.lemma in _WAYS and first.low in _PREPOSITIONS)
    )
    return known and _loose(clause, one) and first.low not in ("that", "those", "your", "its")


def _head(words: list[str]) -> str:
    """The last word before the first preposition or "to"."""
    start = 1 if words and words[0] in _PREPOSITIONS else 0
    stop = next(
        (
            place
            for place, word in enumerate(words)
            if place > start and word in _PREPOSITIONS | {"of", "between", "than"}
        ),
        len(words),
    )
    return words[stop - 1]


def _clocked(look: Look, what: str) -> tuple[tuple[tuple[str, str], ...], list[Draft]]:
    """The time that a race took, and the best one that it is said to be."""
    if look.lemma not in ("run", "swim", "finish", "complete", "row", "walk"):
        return (), []
    tokens = look.raw.tokens[look.raw.group.after :]
    took = next((token.text for token in tokens if _TOOK.match(token.low)), "")
    if not took:
        return (), []
    words = [token.low for token in tokens]
    best = any(pair in _BESTS for pair in pairwise(words)) or bool({"pb", "pr"} & set(words))
    race = next((word.lower() for word in what.split() if _RACE.match(word)), "")
    claims = [Draft(f"best_{race}", took, "switch", functional=True, cue="update")] if best and race else []
    return (("time", took),), claims


def _companion(text: str) -> tuple[tuple[str, str], ...]:
    head, found, tail = text.partition(" with ")
    words = tail.replace(",", " ").split()
    company = {word.lower().rstrip(".") for word in words} & (_COMPANY | RELATIONS.keys() | PLURALS.keys())
    return (("with", tail),) if found and head and words and (company or words[0][:1].isupper()) else ()
