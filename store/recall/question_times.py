"""Each time that a question names belongs to one axis: the one beside a verb of believing is when it was believed.

"Where did I think in March that Paul lived in January" has both. What is left of the question is free of its times.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo

from store.records import Instant, Precision, Stretch
from store.time.expressions import TimeExpression, read_times


@dataclass(frozen=True, slots=True)
class Timed:
    core: str
    valid: Stretch | None = None
    believed: int | None = None
    belief_words: bool = False


_BELIEF = re.compile(
    r"(?i)\b(?:did|do|would|had|have|could) (?:i|we|you) (?:have )?(?:still )?"
    r"(?P<verb>believed?|think|thought|know|known|assumed?|say|said|suppose|hold)\b"
    r"|\b(?:as|than|what|that) (?:i|we|you) (?P<verb2>believed|thought|knew|assumed|understood|said"
    r"|had told you|told you)\b"
    r"|\bas (?P<verb3>believed|known|of what i knew)\b|\b(?P<verb4>going by|given|based on) what (?:i|you"
    r"|we) (?:knew|believed)\b"
)
BEFORE_NOW = re.compile(r"(?i)\b(before|previously|originally|at first|initially|earlier|used to|wrongly|first)\b")
_DAY_OF_NOW = frozenset(("today", "tonight"))
_CHANGED = (
    r"(?:moved|changed|shifted|switched|postponed|rescheduled|delayed|corrected|revised|cancell?ed|called off|pushed"
    r"|bumped|put off|put back|put forward|pushed back|pushed forward|brought forward|pulled forward)"
)
_BEFORE_CHANGE = re.compile(
    rf"(?i),?\s*\bbefore (?:(?:it|that|this|they|we|i|you|he|she|(?:the|my|our) [\w’'-]+)"
    rf" (?:was|were|got|had been) {_CHANGED}"
    rf"|(?:it|that|this) (?:had )?{_CHANGED}"
    rf"|(?:(?:the|my|our) )?[\w’'-]+ (?:had )?{_CHANGED} (?:it|that|them|(?:the|my|our) [\w ]+)"
    r"|(?:the|that) change)\b(?: (?:to|by|from) .*)?$"
)
"""The clause that asks for what was planned: "before it was postponed"."""
_PLANNED = re.compile(
    r"(?i)\b(?:(?:originally|initially|at first|first|once|previously|still) )?"
    r"(?:supposed|meant|going|gonna|planned|scheduled|booked|set|due)(?: (?:to (?:be|happen|take place|start)|be|for))?"
    r"(?: (?:originally|initially|at first|first|before|beforehand))?(?=[\s,?]*$)"
    r"|\b(?:originally|initially|at first|original|orig)\b|\bbefore(?=[\s,?]*$)"
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
    if belief is None or (not named and re.match(r"(?i)what (?:do|did) (?:i|we) think (?:of|about)\b", text)):
        return Timed(core, valid=_valid(named))
    if not named and re.match(r"(?i)what (?:do|can) (?:you|i) (?:know|say)", text):
        return Timed(core, valid=_valid(named))
    held = _belief_time(named, belief)
    rest = [one for one in named if one is not held]
    return Timed(core, _valid(rest), None if held is None else _last_of(held, now), belief_words=True)


_FOR_A_DATE = re.compile(
    r"(?i)^(?:when|(?:at |on |in )?(?:what|which)(?: \w+){0,4} (?:days?|date|time|month|year))\b"
    r".*\b(?:was|were|did|had)\b"
    r"|^what (?:was|were) (?:the |my |our )?(?:\w+ ){0,3}(?:date|day)\b"
)
_FIRST_DATE_OF = re.compile(
    r"(?i)^(?:what|which)(?: was| were|['’]s| is)? (?:the |my |our )?(?:very )?"
    r"(?:first|original|orig|initial|old|previous|earlier) (?:date|day|time)"
    r"(?: (?:that )?(?:they|we|i|you|he|she|it|(?:the|my) \w+) (?:gave|had|set|told|offered|said|fixed|booked)"
    r"(?: (?:me|us|you|him|her))?)? (?:for|of|to) "
)
_TO_BE = re.compile(
    r"(?i)^(?P<wh>where|what|which|who|whom)\b(?P<of>[^,]{0,20}?) (?:was|were)"
    r" (?P<who>i|we|he|she|they|[\w’']+(?: [\w’']+)?)"
    r" (?:\w+ly )?(?:going|planning|meant|supposed|intending|due) to(?: be)?\b"
)
"""What was to be, of a question for a value."""


def without_change(text: str) -> tuple[str, bool]:
    """A question without the clause "before it was postponed", and whether it had one."""
    cut = _BEFORE_CHANGE.sub("", text)
    return cut.strip(" ,"), cut != text


def without_plan(text: str) -> tuple[str, bool]:
    """A question for a date without the words that ask for when something was to be, and whether it had any; "where
    was I going to live" as "where will I live"."""
    text, before = _FIRST_DATE_OF.sub("when was ", text), text
    if text != before:
        return text, True
    cut = _PLANNED.sub("", text) if _FOR_A_DATE.match(text) else _TO_BE.sub(r"\g<wh>\g<of> will \g<who>", text)
    return re.sub(r"\s+", " ", cut).strip(" ,"), cut != text


def ahead(text: str, now: Instant, zone: tzinfo) -> Stretch | None:
    """The stretch to come that a question about plans names: July is the next one, whatever the tense."""
    anchor = now.local().astimezone(zone)
    named = [time for time in read_times(text, anchor, prefer="future") if time.kind in ("point", "range")]
    alone = [one for each in named for one in read_times(each.text, anchor, prefer="future") if _is_time(one)]
    return _valid([one for one in alone if not _is_now(one, anchor)])


def _is_time(one: TimeExpression) -> bool:
    """Left alone: what stays open, and an owner ("my boss's name" is no Boss's Day)."""
    owner = one.text.lower().endswith(("'s", "’s"))
    return one.stretch is not None and not owner and not re.fullmatch(r"(?i)\W*(first|last|next)\W*", one.text)


def _is_now(one: TimeExpression, anchor: datetime) -> bool:
    """Whether it names the moment of asking itself ("at present", "currently"), which every question is about."""
    stretch = one.stretch
    if stretch is None or stretch.start is None or stretch.end is None:
        return False
    if one.text.lower() in _DAY_OF_NOW:
        return True
    return stretch.precision is Precision.EXACT and stretch.start <= Instant.of(anchor).us < stretch.end


def _belief_time(named: list[TimeExpression], belief: re.Match[str]) -> TimeExpression | None:
    """Of the named times, that of the believing: right after the verb, else in front, else the only one."""
    after = [one for one in named if 0 <= one.start - belief.end() <= 6]
    if after:
        return after[0]
    front = [one for one in named if one.end <= belief.start()]
    if front:
        return front[0]
    return named[-1] if named else None


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
    first = stretches[0]
    starts = [one.start for one in stretches if one.start is not None]
    ends = [one.end for one in stretches if one.end is not None]
    return replace(first, start=min(starts, default=None), end=max(ends, default=None))


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
    if one.about and one.point is not None and stretch.precision is Precision.EXACT:
        return replace(stretch, end=one.point + timedelta(days=1) // timedelta(microseconds=1))
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


_WHETHER = re.compile(
    r"(?i)^(?:did|do) (?:i|you|we) (?:\w+ )?(?:believe|think|know|assume)(?: that)? "
    r"(i|we|he|she|it|my \w+|(?-i:[A-Z])\w+) (am|was|is|are|were|had|have|has|would|will) "
)
"""What was believed to be so: "did you think I was vegetarian"."""


def without_belief(text: str) -> str:
    """ "What did I believe about where Paul lived" asks where Paul lived."""
    text = re.sub(
        r"(?i)^what (?:did|do|would|had|have) (?:i|we|you) (?:have )?(?:believe|think|know|say|assume|said|thought)d? "
        r"(?:about|of|regarding|concerning)\s+(?=(?:where|who|what|which|when|how)\b)",
        "",
        text,
    )
    text = _WHETHER.sub(r"\2 \1 ", text)
    text = re.sub(r"(?i)\b(?:about|of|regarding) (?=(?:my|our|the|[A-Z]))", "", text) if _BELIEF.search(text) else text
    text = re.sub(
        r"(?i)\b(?:did|do|would|had|have) (?:i|we|you) (?:have )?(?:still )?(?:believe|think|know|say|assume"
        r"|said|thought|hold)d?"
        r"(?: that)?\b",
        "",
        text,
    )
    text = re.sub(
        r"(?i),?\s*\b(?:as|according to what|from what|based on what|given what|going by what|with what) "
        r"(?:i|we|you) (?:believed|thought|knew|assumed|said|had told you|told you)(?: it)?(?: then| back then)?,?",
        " ",
        text,
    )
    text = re.sub(r"(?i)\bas (?:believed|known)\b", " ", text)
    return BEFORE_NOW.sub("", text)
