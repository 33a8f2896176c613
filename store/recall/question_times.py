"""Each time that a question names belongs to one axis: the one beside a verb of believing is when it was believed.

"Where did I think in March that Paul lived in January" has both. What is left of the question is free of its times.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from store.records import Instant, Precision, Stretch
from store.time.expressions import TimeExpression, read_times


@dataclass(frozen=True, slots=True)
class Timed:
    core: str
    valid: Stretch | None = None
    believed: int | None = None
    belief_words: bool = False


_BELIEF = re.compile(
    r"(?i)\b(?:did|would|had|have) (?:i|we|you) (?:still )?(?:believed?|think|thought|know|known|assumed?|say|said)"
    r"(?: (?:about|of|that)\b)?"
    r"|\b(?:as|(?:according to|from|given) what) (?:i|we|you) (?:believed|thought|knew|assumed|said|had told you)\b,?"
)
BEFORE_NOW = re.compile(r"(?i)\b(before|previously|originally|at first|initially|earlier|used to|wrongly|first)\b")
_PLANNED = re.compile(
    r"(?i)\b(?:supposed|meant|going|planned|scheduled|booked|due)\b(?: to be| for)?(?=[\s,]*(?:at first|originally|$))"
    r"|\b(?:originally|initially|at first|original)\b"
)
"""What was to be, of a question for a date: "when was the dentist supposed to be", "what was the original date"."""


def with_times(text: str, now: Instant, zone: tzinfo, *, future: bool = False) -> Timed:
    """Take the named times out of a text, each for its axis."""
    belief = _BELIEF.search(text)
    anchor = now.local().astimezone(zone)
    found = [
        time
        for time in read_times(text, anchor, prefer="future" if future else "past")
        if time.kind in ("point", "range") and _is_time(time)
    ]
    named = [one for one in found if not _is_now(one, anchor)]
    core = _cut(text, found)
    if belief is None:
        return Timed(core, valid=_valid(named))
    held = _belief_time(named, belief)
    rest = [one for one in named if one is not held]
    return Timed(core, _valid(rest), None if held is None else _last_of(held, now), belief_words=True)


def without_plan(text: str) -> tuple[str, bool]:
    """A question for a date without the words that ask for when something was to be, and whether it had any."""
    if not re.search(r"(?i)\b(?:when|date|day|time)\b.*\b(?:was|were)\b|\b(?:was|were)\b.*\bdate\b", text):
        return text, False
    cut = _PLANNED.sub("", text)
    return re.sub(r"\s+", " ", cut).strip(" ,"), cut != text


def ahead(text: str, now: Instant, zone: tzinfo) -> Stretch | None:
    """The stretch to come that a question about plans names: July is the next one, whatever the tense."""
    anchor = now.local().astimezone(zone)
    alone = [one for each in read_times(text, anchor) for one in read_times(each.text, anchor, prefer="future")]
    named = [one for one in alone if one.kind in ("point", "range") and _is_time(one)]
    return _valid([one for one in named if not _is_now(one, anchor)])


def _is_time(one: TimeExpression) -> bool:
    """Left alone: what stays open, and an owner ("my boss's name" is no Boss's Day)."""
    owner = one.text.lower().endswith(("'s", "’s"))
    return one.stretch is not None and not owner and not re.fullmatch(r"(?i)\W*(first|last|next)\W*", one.text)


def _is_now(one: TimeExpression, anchor: datetime) -> bool:
    """Whether it names the moment of asking itself ("at present", "today"), which every question is about."""
    stretch = one.stretch
    if stretch is None or stretch.start is None or stretch.end is None:
        return False
    exact = stretch.precision is Precision.EXACT and stretch.start <= Instant.of(anchor).us < stretch.end
    return exact or one.text.lower() == "today"


def _belief_time(named: list[TimeExpression], belief: re.Match[str]) -> TimeExpression | None:
    """Of the named times, that of the believing: right after the verb, else in front, else the only one."""
    after = [one for one in named if 0 <= one.start - belief.end() <= 6]
    return next(iter([*after, *named]), None)


def _last_of(one: TimeExpression, now: Instant) -> int:
    assert one.stretch is not None
    if one.role == "before" and one.stretch.start is not None:
        return one.stretch.start - 1
    return now.us if one.stretch.end is None else min(one.stretch.end - 1, now.us)


def _valid(named: list[TimeExpression]) -> Stretch | None:
    """The world time that the expressions name together: "since May" and "until June" make one stretch."""
    stretches = [reach(one) for one in named]
    if not stretches:
        return None
    open_ended = [stretch for stretch in stretches if stretch.start is None or stretch.end is None]
    if len(open_ended) < 2:  # of "last Friday, on 23 January 2022" the one with the year says more
        full = [at for at, one in enumerate(named) if re.search(r"\d{4}", one.text)]
        return stretches[full[0] if full else 0]
    starts = [one.start for one in stretches if one.start is not None]
    ends = [one.end for one in stretches if one.end is not None]
    return replace(stretches[0], start=min(starts, default=None), end=max(ends, default=None))


def reach(one: TimeExpression) -> Stretch:
    stretch = one.stretch
    assert stretch is not None
    if one.role == "before":
        return replace(stretch, start=None, end=stretch.start)
    if one.role == "until":
        return replace(stretch, start=None)
    if one.role == "since":
        return replace(stretch, end=None)
    if one.role == "after":
        return replace(stretch, start=stretch.end, end=None)
    return stretch


_JOINT = re.compile(
    r"(?i)\b(?:back )?(?:in|on|at|since|until|till|by|during|as of|from|before|after|around|about|of|for|the)$"
)


def _cut(text: str, found: list[TimeExpression]) -> str:
    """The text without its times and the prepositions that led to them."""
    for one in sorted(found, key=lambda each: each.start, reverse=True):
        before = text[: one.start].rstrip(" ,")
        while (joint := _JOINT.search(before)) is not None:
            before = before[: joint.start()].rstrip(" ,")
        text = f"{before} {text[one.end :].lstrip(' ,')}"
    return re.sub(r"\s+", " ", text).strip(" ,?")


def without_belief(text: str) -> str:
    """ "What did I believe about where Paul lived" asks where Paul lived."""
    text = re.sub(r"(?i)^what (?=did i (?:believe|think|know|say) about where)", "", text)
    return BEFORE_NOW.sub("", _BELIEF.sub(" ", text))
