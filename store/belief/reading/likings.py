"""A liking is for a kind of thing; what is liked in passing ("I love your idea", "I like that") is courtesy, not
taste."""

from __future__ import annotations

from store.belief.reading.clause import Clause
from store.belief.reading.forms import form_of
from store.belief.reading.lexicon import DETERMINERS, PRONOUN_OBJECTS
from store.belief.reading.lists import wordset
from store.belief.reading.nouns import ACTIVITIES
from store.belief.reading.objects import Value, listed, phrase, rest, source

VAGUE_THINGS = wordset(
    "idea thought way feeling sound look vibe view part fact story thing color colors photo picture "
    "pic pics photos quote shirt post plan choice point challenge energy attitude outfit moment time "
    "day one ones stuff company word words design message concept work spirit atmosphere detail "
    "details result results"
)


_OUTDOORS = wordset(
    "beach sea ocean outdoors mountains cinema theatre theater snow rain cold heat countryside city "
    "winter summer forest woods opera desert"
)


_CHATTY = wordset("be have see hear know get say think give make find share help watch feel")
"""Verbs after "I love to" that say something about the conversation, not about a taste."""


_NO_TASTES = frozenset(["better", "best", "more", "most", "too", "both", "either", "neither"])


_YOURS = wordset("you your it this that them us")


def liking(clause: Clause, at: int) -> list[Value]:
    """What somebody can be said to like for good: kinds of things and doings, never "your idea" or "the tattoo"."""
    low = clause.low(at)
    if low == "to":
        verb = form_of(clause.low(at + 1))
        return rest(clause, at) if verb and "base" in verb[1] and verb[0] not in _CHATTY else []
    form = form_of(low)
    if form is not None and "ing" in form[1]:
        return _doing(clause, at) if form[0] not in _CHATTY else []
    if low in DETERMINERS:
        noun = phrase(clause, at) if low == "the" else []
        proper = [
            one for one in noun if clause.tokens[one.start].capital and one.text.split()[-1].lower() not in VAGUE_THINGS
        ]
        return proper or [one for one in noun if one.text.lower() in _OUTDOORS]
    if (
        low.endswith("ing")
        and len(low) > 5
        and low not in ACTIVITIES
        and clause.low(at + 1) in ("at", "in", "on", "with", "to", "for", "my")
    ):
        return _doing(clause, at)
    return [
        one
        for one in _together(clause, listed(clause, at))
        if _likable(one)
        and one.text.lower() not in _NO_TASTES
        and clause.low(one.end) not in _YOURS | {"myself"}
        and (one.text in ACTIVITIES or not _is_ing(clause.low(one.start)))
    ]


_GENRES = wordset(
    "movies films music books games novels shows stories flavors flavours food dishes podcasts art dance cuisine "
    "desserts"
)


def _together(clause: Clause, row: list[Value]) -> list[Value]:
    """ "Action and sci-fi movies" is one liking: the first word only describes the last."""
    if (
        len(row) != 2
        or len(row[0].text.split()) > 1
        or len(row[1].text.split()) < 2
        or row[0].text.endswith(("s", "ing"))
    ):
        return row
    if row[1].text.split()[-1].lower() not in _GENRES or row[0].text.lower() in ACTIVITIES:
        return row
    return [Value(source(clause, row[0].start, row[1].end), row[0].start, row[1].end)]


def _doing(clause: Clause, at: int) -> list[Value]:
    """ "hiking in the mountains"; a plain row of activities is several."""
    row = listed(clause, at)
    if len(row) > 1 and all(one.text.lower() in ACTIVITIES for one in row):
        return row
    return [
        one
        for one in rest(clause, at)
        if len(one.text.split()) <= 9
        and clause.low(one.end) not in _YOURS | {"myself", "how"}
        and not _YOURS & set(one.text.lower().split())
    ]


def _is_ing(word: str) -> bool:
    form = form_of(word)
    return form is not None and "ing" in form[1] and word not in ACTIVITIES


def _likable(one: Value) -> bool:
    words = one.text.lower().split()
    return (
        len(words) <= 4
        and not set(words) & (VAGUE_THINGS | PRONOUN_OBJECTS - {"more", "most", "all", "people"})
        and words[0] not in wordset("being having having how to myself the her my")
    )


def preference(clause: Clause, at: int) -> list[Value]:
    """What somebody prefers: a kind of thing or a doing."""
    if clause.low(at) == "to":
        return []
    form = form_of(clause.low(at))
    if form is not None and "ing" in form[1]:
        return rest(clause, at)
    return [one for one in phrase(clause, at) if clause.low(at) not in DETERMINERS - {"a", "an"}]
