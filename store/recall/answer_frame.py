"""A value is given for the time that was asked about and for no other: what held then, or why that is not known.

The time is the stretch that the question names, else the caller's `as_of`, else the believed moment, else now.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, timedelta, tzinfo

from store.beliefs import predicates
from store.beliefs.pieces import SPANS
from store.recall.answer_match import QuestionAbout
from store.recall.answer_people import BeliefSource
from store.recall.questions import Question
from store.recall.wording import date_of, dated, day
from store.records import EPOCH, Answer, Fact, Instant, Precision, Source, Stretch

_ALWAYS = -(2**62)
_FOREVER = 2**62
DAY = 86_400_000_000


@dataclass(frozen=True, slots=True)
class AskedTime:
    """The world time that a question asks about."""

    start: int
    end: int
    """[start, end) in microseconds; of an instant, end is start + 1."""
    stretch: Stretch | None
    """As it was named; None where the question is about the present of its asking."""
    now: int

    @property
    def past(self) -> bool:
        return self.stretch is not None and self.end <= self.now

    def words(self) -> str:
        """ "in January 2024", "before 2020"; "" for the present."""
        one = self.stretch
        if one is None:
            return ""
        if one.start is None:
            return "" if one.end is None else f"before {date_of(Instant(one.end, one.offset), one.precision)}"
        begin = Instant(one.start, one.offset)
        if one.end is None:
            return f"since {date_of(begin, one.precision)}"
        if one.end - one.start <= SPANS.get(one.precision, DAY) + DAY // 12:  # an hour is lost or won in a month
            return dated(begin, one.precision)
        return f"between {day(begin)} and {day(Instant(one.end - 1, one.offset))}"


def frame_of(question: Question, as_of: Stretch | None, believed: int | None, now: int) -> AskedTime:
    """The time that a question asks about."""
    named = question.valid or as_of
    if named is None:
        at = now if believed is None else min(believed, now)
        return AskedTime(at, at + 1, None, now if believed is None else at)
    start = _ALWAYS if named.start is None else named.start
    end = _FOREVER if named.end is None else max(named.end, start + 1)
    return AskedTime(start, end, named, now)


def begins(fact: Fact) -> int:
    """The first moment at which the fact is known to hold; kin and other lasting things have none."""
    if fact.valid_from is None or (fact.precision is Precision.OPEN and is_lasting(fact.predicate)):
        return _ALWAYS
    return fact.valid_from.us


def is_lasting(predicate: str) -> bool:
    """Whether what was never said to begin has always been so."""
    return predicates.find(predicate).lasting


def ends(fact: Fact) -> int:
    return _FOREVER if fact.valid_to is None else fact.valid_to.us


def is_event(fact: Fact) -> bool:
    return predicates.find(fact.predicate).temporal == "event"


def holding(facts: Sequence[Fact], frame: AskedTime, *, future: bool = False) -> list[Fact]:
    """Of the facts, those that hold at any moment of the frame. An event counts from then on if no time was named."""
    found = []
    for fact in facts:
        if is_event(fact) and frame.stretch is None:
            due = predicates.find(fact.predicate).grammar == "expiry"  # a deadline that lies ahead is the deadline now
            if due or ((begins(fact) >= frame.start) if future else (begins(fact) < frame.end)):
                found.append(fact)
        elif (
            begins(fact) + _shift(fact.valid_from, fact.precision, frame) < frame.end
            and ends(fact) + _shift(fact.valid_to, fact.precision_to, frame) > frame.start
        ):
            found.append(fact)
    return found


def _shift(edge: Instant | None, precision: Precision, frame: AskedTime) -> int:
    """What brings an edge to the calendar of the frame: a day said in Lisbon is that day also when asked from Tokyo."""
    if edge is None or frame.stretch is None or precision in (Precision.EXACT, Precision.OPEN):
        return 0
    return (edge.offset - frame.stretch.offset) * 1_000_000


def coming(facts: Iterable[Fact], frame: AskedTime) -> list[Fact]:
    """Those that begin after the frame."""
    return [fact for fact in facts if begins(fact) >= frame.end]


def in_order(facts: Iterable[Fact]) -> list[Fact]:
    return sorted(facts, key=lambda one: (begins(one), ends(one), one.object))


@dataclass(frozen=True, slots=True)
class Asking:
    """Everything that an answer is made from."""

    question: Question
    asked: QuestionAbout
    frame: AskedTime
    beliefs: BeliefSource
    believed: int | None
    facts: Sequence[Fact]
    """The beliefs about those whom the question names, over all of world time."""
    zone: tzinfo = UTC

    @property
    def as_believed(self) -> str:
        """ "as you knew on 5 March 2024", where the question or the caller names a belief time in the past."""
        if self.question.believed is None:
            return ""
        return f"as you knew on {self.day_of(self.question.believed)}"

    def day_of(self, us: int) -> str:
        """The day of a moment (microseconds UTC) in the zone of whoever asks."""
        return day(Instant.of((EPOCH + timedelta(microseconds=us)).astimezone(self.zone)))


def say(text: str, facts: Sequence[Fact], sources: Sequence[Source] | None = None) -> Answer:
    """An answer that rests on these facts."""
    told = sources if sources is not None else [source for fact in facts for source in fact.sources]
    return Answer(text, 2, False, 0.0, tuple(facts), tuple(dict.fromkeys(told)))


def abstain(text: str) -> Answer:
    """An honest "I don't know", with no value in it."""
    return Answer(text, 2, True, 0.0)
