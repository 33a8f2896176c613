"""When a clause holds comes from the words inside that clause, or is left open; a time never leaks from one clause
to the next.

Frequencies are side details, never times.
"""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass, field
from datetime import timedelta

from store.records import Episode, Instant, Precision, Stretch
from store.time.expressions import TimeExpression, read_times, waking

OPEN = Stretch(None, None, Precision.OPEN)
_HINT = re.compile(
    r"\d|(?i:\b(?:today|tonight|yesterday|tomorrow|ago|last|next|this|since|until|till|every|each|week|month|year|"
    r"day|morning|evening|"
    r"night|noon|midnight|spring|summer|autumn|winter|fall|weekend|recently|soon|for|twice|once|daily|weekly|"
    r"monthly|yearly|hour|"
    r"past|while|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|christmas|easter|"
    r"halloween|thanksgiving|eve)|on the (?:first|second|third))"
)
_EVERY = re.compile(
    r"\b(?:(?:once|twice|thrice|(?:one|two|three|four|five|six|seven|\d+|a few|several|a couple of)(?: or \w+)? "
    r"(?:times|days|nights|mornings|evenings|hours))"
    r"(?: or \w+)? (?:a|per|each|every) (?:day|week|month|year|night|fortnight)|every (?:other |single |second "
    r")?(?:day|morning|evening|night|week|weekend|month|"
    r"year|monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?(?:(?: and|,) (?:monday|tuesday|wednesday|"
    r"thursday|friday|saturday|sunday)s?)?(?: (?:morning|evening|night|afternoon))?|"
    r"(?:on )?(?:mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|weekends|weekdays)(?:(?: and|,| "
    r"or)? (?:mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays))*|"
    r"most (?:days|mornings|evenings|weekends)|daily|weekly|monthly|every now and then|once in a while|from time "
    r"to time)\b",
    re.IGNORECASE,
)
_PRESENT = frozenset(
    ["now", "right now", "at the moment", "currently", "these days", "at present", "nowadays", "just now"]
)
_PREPOSITION = re.compile(
    r"\b(?:in|on|at|since|from|until|till|by|during|for|around|about|back in|as of|starting|over|of|the|this)\s*$",
    re.IGNORECASE,
)


_BARE = re.compile(r"(?i)(?:at )?\d{1,3}")
_STREET = re.compile(
    r" [A-Z][\w'’]+(?: [A-Z][\w'’]+)? (?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Close|Way|Square|Court|Place)\b"
)
"""What makes a number before it a house: "at 12 Baker Street"."""
_SINCE_THEN = re.compile(r"\b(?:ever since|since then)\b", re.IGNORECASE)


@dataclass(slots=True)
class TurnTimes:
    """The times of one turn, read once and only if somebody asks."""

    episode: Episode
    _read: list[TimeExpression] | None = field(default=None)

    def all(self) -> list[TimeExpression]:
        """Every time that the turn names."""
        if self._read is None:
            text = self.episode.text
            times = read_times(text, self.episode.said_at.local()) if _HINT.search(text) else []
            found = [waking(time, text) for time in times]
            self._read = [one for one in found if not _STREET.match(text, one.end) or not _BARE.fullmatch(one.text)]
        return self._read

    def within(self, start: int, end: int) -> list[TimeExpression]:
        """Those between two characters that are not habits."""
        return [
            one
            for one in self.all()
            if one.start >= start and _end(one) <= end and one.kind != "frequency" and one.text.lower() not in _PRESENT
        ]

    def ahead(self, one: TimeExpression) -> Stretch | None:
        """The expression read by itself as a time to come ("moved to the 19th" lies ahead, whatever the tense)."""
        found = read_times(one.text.removeprefix("to "), self.episode.said_at.local(), prefer="future")
        return found[0].stretch if found else one.stretch

    def cuts(self, start: int, end: int) -> list[tuple[int, int]]:
        """The characters that times and habits take up, each with the preposition before it."""
        spans = [
            (one.start, _end(one))
            for one in self.all()
            if one.start >= start and _end(one) <= end and not self._value(one)
        ]
        spans += [match.span() for match in _EVERY.finditer(self.episode.text, start, end)]
        return [(self.widened(a, start), b) for a, b in sorted(spans)]

    @staticmethod
    def _value(one: TimeExpression) -> bool:
        """A bare clock time or length can be a value; the cut is for what says when."""
        return one.kind == "duration" and one.role != "for"

    def widened(self, at: int, start: int) -> int:
        """Where a time begins, with the preposition before it."""
        match = _PREPOSITION.search(self.episode.text, start, at)
        return match.start() if match else at

    def frequency(self, start: int, end: int) -> str:
        """The words of a habit between two characters, "" if none."""
        match = _EVERY.search(self.episode.text, start, end)
        return re.sub(r"(?i)^on ", "", match.group()) if match else ""


def _end(one: TimeExpression) -> int:
    """Its end without the full stop of the sentence."""
    return one.end - one.text.endswith(".")


@dataclass(frozen=True, slots=True)
class When:
    """The world time that a clause names, by its role."""

    at: Stretch | None = None
    since: Stretch | None = None
    until: Stretch | None = None
    ongoing_for: bool = False
    """A length was said ("for five years")."""


def when_of(clock: TurnTimes, start: int, end: int, *, past: bool = False, ahead: bool = False) -> When:
    """The time of the clause between two characters; what is told in the past does not lie ahead, and what is on a
    timetable does."""
    at = since = until = None
    lasting = False
    for one in clock.within(start, end):
        if one.kind == "duration":
            began = began_for(one, clock.episode)
            lasting, since = True, since or began
        elif one.stretch is None or (
            past and one.stretch.start is not None and one.stretch.start > clock.episode.said_at.us
        ):
            continue
        elif one.role == "since":
            since = one.stretch
        elif one.role == "until":
            until = one.stretch
        elif one.role == "at" and at is None:
            at = clock.ahead(one) if ahead else one.stretch
    if since is None and _SINCE_THEN.search(clock.episode.text, start, end):
        since = next((one.stretch for one in reversed(clock.within(0, start)) if one.stretch is not None), None)
    return When(at, since, until, lasting)


def written(one: TimeExpression) -> str:
    """The day that a relative expression ("yesterday", "on Monday") names, as a date that stays true; "" for one that
    is a date already, or no day."""
    dated = any(letter.isdigit() for letter in one.text)
    if dated or one.stretch is None or one.stretch.start is None or one.stretch.precision is not Precision.DAY:
        return ""
    local = Instant(one.stretch.start, one.stretch.offset).local()
    return f"{local.day} {calendar.month_name[local.month]} {local.year}"


_DAYS = {"day": 1.0, "week": 7.0, "month": 30.4375, "quarter": 91.3, "year": 365.25, "decade": 3652.5}
_FINENESS = {
    "day": Precision.DAY,
    "week": Precision.WEEK,
    "month": Precision.MONTH,
    "quarter": Precision.SEASON,
    "year": Precision.YEAR,
    "decade": Precision.YEAR,
}


def began_for(one: TimeExpression, episode: Episode) -> Stretch | None:
    """ "For five years", said now of a state that holds: its start, as coarse as the unit; None before the calendar."""
    if one.amount is None or one.unit not in _DAYS:
        return None
    from store.time.expressions import stretch_of

    try:
        moment = episode.said_at.local() - timedelta(days=one.amount * _DAYS[one.unit])
        return stretch_of(moment, _FINENESS[one.unit])
    except OverflowError:
        return None
