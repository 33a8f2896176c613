"""A language other than English is a table: its words by what they mean, and its forms with slots for such words.

What a form means is a name in MEANINGS, where all languages share one rule for it: it takes the values of the slots and
gives a piece, or None to decline. How pieces join to dates with clocks, ranges and roles is shared, too. Of forms the
leftmost and longest wins.

Slots: n amount, unit its grain, d day, m month, y year (yw in words, from this one), w weekday, o place in order,
sign steps from now, week steps to the week that holds a weekday, near days from today, h hour, mi minutes, less minutes
before the hour, s seconds, part of the day, season, edge (which third of a unit), feast, half a unit more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cached_property, partial
from itertools import count
from typing import Any

from store.time import calendar, clocks, feasts, spans
from store.time.calendar import Kind, LocalStretch, Prefer, Reading, TimeRole
from store.time.scan import expand_year
from store.time.units import narrowed, pick
from store.time.words import meanings, value_of
from store.time.yearly import place_feast, signed_season
from store.time.yearly import span as feast_span

_DIGITS = {
    "n": r"\d+(?:[.,]\d+)?", "y": r"\d{4}", "yy": r"\d{4}|\d\d", "mm": r"\d{1,2}", "d": r"\d{1,2}", "h": r"\d{1,2}",
    "mi": r"\d\d", "s": r"\d\d",
}  # fmt: skip
"""The digits that a slot takes beside its words."""
_SAME = {"yy": "y", "mm": "m", "ap": "part", "span": "n"}
"""Slots that only look for other words than the slot whose value they give."""
_SLOT, _PHRASE = re.compile(r"<([a-z]+)>"), re.compile(r"<([A-Z]+)>")
_LEAD = 60  # characters before an expression in which the words that lead up to it stand
Values = Mapping[str, list[Any]]


def _entries(text: str) -> Iterator[list[str]]:
    """Name and content of each entry of a table; an indented line goes on with the one before it."""
    return (line.split(": ", 1) for line in re.sub(r"\n +", "", text.strip()).splitlines())


def _pattern(form: str) -> re.Pattern[str]:
    return re.compile(form, re.IGNORECASE)


@dataclass(frozen=True)
class Language:
    """One language's table."""

    words: str  # by slot, its words and what they mean, as store.time.words.meanings reads them
    forms: str
    """Each meaning with the values that its words imply ("clock h=12"), and a pattern in which <w> is a word of slot w;
    a slot that stands in a pattern twice has two values. A name in capitals is a phrase of the patterns below it."""
    clock_gap: str  # what may stand between a day and its clock time
    range_gap: str
    range_lead: str
    range_and: str = r"(?!)"  # a gap such as "and", which makes a range only after a lead ("between") or before a tail
    length_gap: str = r"(?!)"  # what may stand between the coarse and the fine part of a length
    before: tuple[tuple[str, TimeRole], ...] = ()  # patterns that end right before an expression and give it a role
    after: tuple[tuple[str, TimeRole], ...] = ()
    range_tail: str = r"(?!)"
    past: str = r"(?!)"
    future: str = r"(?!)"
    endings: Mapping[str, str] = field(default_factory=dict)  # what may follow the words of a slot, as part of the word
    digits: Mapping[str, str] = field(default_factory=dict)
    """What a slot takes beside its words, where it is more than the usual digits."""
    number: Callable[[str], float] = float  # reads what no table of words holds

    @cached_property
    def meant(self) -> Mapping[str, Mapping[str, Any]]:
        """By slot, each of its words and what it means."""
        found: dict[str, dict[str, Any]] = {}
        for slots, listed in _entries(self.words):
            values = meanings(listed)
            for slot in slots.split(", "):
                found.setdefault(slot, {}).update(values)
        return found | {"feast": {word: feasts.feast_of(rule) for word, rule in found["feast"].items()}}

    @cached_property
    def compiled(self) -> tuple[tuple[str, Values, re.Pattern[str]], ...]:
        """Each form: its meaning, the values that it implies, its pattern."""
        found = []
        phrases: dict[str, str] = {}
        for name, form in _entries(self.forms):
            full = _PHRASE.sub(lambda match: phrases[match[1]], form)  # called at once
            if name.isupper():
                phrases[name] = full
                continue
            meaning, *implied = name.split()
            values = {slot: [value_of(value)] for slot, value in (one.split("=") for one in implied)}
            found.append((meaning, values, _pattern(_SLOT.sub(partial(self._slot, count()), full))))
        return tuple(found)

    def _slot(self, places: Iterator[int], match: re.Match[str]) -> str:
        slot, place = match[1], next(places)
        forms = [re.escape(word) for word in sorted(self.meant.get(slot, ()), key=len, reverse=True)]
        digits = {**_DIGITS, **self.digits}.get(slot)
        inner = "|".join([*forms, digits] if digits else forms)
        return rf"(?:(?P<{slot}_{place}>{inner}){self.endings.get(slot, '')})"

    def values(self, match: re.Match[str], implied: Values) -> Values:
        """What the words in the slots of a match mean. Raises ValueError for what is no number."""
        found = dict(implied)
        for group, text in match.groupdict().items():
            if text:
                slot, word = group.partition("_")[0], text.lower()
                value = self.meant.get(slot, {}).get(word)
                if value is None:
                    number = self.number(word.replace(",", "."))
                    value = number if slot == "n" else int(number)
                name = _SAME.get(slot, slot)
                found[name] = [*found.get(name, ()), value]
        return found


@dataclass(frozen=True, slots=True)
class Piece:
    """What one form read, and where it stood."""

    when: LocalStretch | None = None
    kind: Kind = "point"
    role: TimeRole = "at"
    amount: float | None = None
    unit: str | None = None
    part: str = ""  # a part of the day, to be joined to a day before it
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Said:
    """One match of a form: the moment of saying, where loose times lie, and what stands in its slots."""

    now: datetime
    prefer: Prefer
    values: Mapping[str, list[Any]] = field(default_factory=dict)

    def __call__(self, slot: str, otherwise: Any = None) -> Any:
        """The first value of a slot."""
        return next(iter(self.values.get(slot, ())), otherwise)

    @property
    def year(self) -> int | None:
        """The year that is named."""
        if self("y") is not None:
            return expand_year(self("y"))
        return self.now.year + self("yw") if self("yw") is not None else None

    def settled(self, when: LocalStretch) -> LocalStretch:
        """A loose time placed by the tense; a clock time alone belongs to today."""
        return replace(when if when.cycle == "day" else calendar.settle(when, self.now, self.prefer), cycle=None)


def _parted(day: LocalStretch, part: str | None) -> Piece:
    if not part:
        return Piece(day)
    return Piece(replace(clocks.part_span(day.start, part), cycle=day.cycle), part=part)


def _weekday(c: Said) -> Piece:
    """A weekday: bare, the last one, that of a week, that of this week; "Tuesday the 6th"."""
    number, sign = c("w"), c("sign")
    if c("week") is not None:
        return Piece(_of_week(c, c("week")))
    if c("d") is not None:
        return Piece(calendar.on_weekday(calendar.day_of_month(c.now, c("d")), number, c.now, c.prefer))
    bare = replace(_of_week(c, 0), cycle=None if sign == 0 else "week")
    if sign:
        bare = replace(calendar.settle(bare, c.now, "past" if sign < 0 else "future"), cycle=None)
    return _parted(bare, c("part"))


def _of_week(c: Said, weeks: int) -> LocalStretch:
    return calendar.day_span((calendar.unit_near(c.now, "week", weeks).start + timedelta(days=c("w"))).date())


def _date(c: Said) -> Piece:
    """A day of a month, or a month, of a year or loose."""
    if c("d") is None:
        return _edged(c, _month(c))
    return Piece(_calendar_date(c, c("d")))


def _calendar_date(c: Said, day: int) -> LocalStretch:
    month = c("m")
    if month > 12:
        month, day = day, month
    return calendar.day_span(date(c.year, month, day)) if c.year else calendar.day_of_year(c.now.year, month, day)


def _month(c: Said) -> LocalStretch:
    """A month of a year, or the last, this year's or next one."""
    if c.year is not None:
        return calendar.unit_of(c.year, "month", c("m"))
    loose = calendar.loose_month(c.now, c("m"))
    return loose if c("sign") is None else calendar.signed(loose, c("sign"), c.now)


def _edged(c: Said, when: LocalStretch) -> Piece:
    """The early, middle or late third of a unit, if one is named."""
    third = narrowed(c.settled(when), c("edge")) if c("edge") else None
    return Piece(third or when)


def _nth(c: Said) -> Piece | None:
    """The nth unit or weekday of a month, of a year, or of the year of saying."""
    host = c.settled(_month(c)) if c("m") is not None else calendar.unit_of(c.year or c.now.year)
    when = pick(host, c("o"), c("w"), c("unit", "day"))
    return None if when is None else Piece(when)


def _days(c: Said) -> Piece | None:
    """ "vom 3. bis zum 7. Mai"."""
    first, last = c.values["d"]
    when = _calendar_date(c, last)
    return Piece(c.settled(replace(when, start=when.start.replace(day=first))), "range") if first < last else None


def _hours(c: Said) -> Piece | None:
    """ "von 17 bis 18 Uhr"."""
    first, last = (_clock(replace(c, values={"h": [hour]})) for hour in c.values["h"])
    if first is None or last is None or first.when is None or last.when is None:
        return None
    return Piece(spans.joined(first.when, last.when, lambda when: when), "range")


def _unit(c: Said) -> Piece | None:
    """The calendar unit so many steps from the current one; with a weekday, that of the week."""
    step = c("sign", c("yw"))
    if c("unit") in ("second", "minute", "hour") or (step is None and c("edge") is None):
        return None
    if c("w") is not None:
        return Piece(_of_week(c, step or 0))
    return _edged(c, calendar.unit_near(c.now, c("unit"), step or 0))


def _offset(c: Said) -> Piece | None:
    """So many units from now; a thousand years and more are a date."""
    amount = _amount(c)
    return Piece(calendar.offset(c.now, c("sign") * amount, c("unit"))) if amount else None


def _amount(c: Said) -> float | None:
    amount: float = c("n") + (0.5 if c("half") else 0)
    return None if amount >= 1000 and c("unit") == "year" else amount


def _length(c: Said) -> Piece | None:
    """A length; with a sign, it ends now."""
    amount = _amount(c)
    if amount is None:
        return None
    when = None if c("sign") is None else calendar.run(c.now, -1, amount, c("unit"))
    return Piece(when, "duration", "for", amount, c("unit"))


def _clock(c: Said) -> Piece | None:
    """A time of the day of saying."""
    hour, minute, second = c("h"), c("mi", 0), c("s", 0)
    if c("less") is not None:
        hour, minute = (hour - 1) % 24, 60 - c("less")
    if not (0 <= hour <= 24 and 0 <= minute < 60):
        return None
    start = calendar.midnight(c.now.date()) + timedelta(hours=hour % 24, minutes=minute, seconds=second)
    grain = "minute" if minute or second else "hour"
    when = LocalStretch(start, calendar.add(start, 1, grain), grain, "day", half_day=1 <= hour <= 12)
    return Piece(clocks.to_part(when, c("part")) if c("part") else when)


def _part(c: Said) -> Piece:
    """A part of a day: of today if loose, else of the day so far away."""
    day = calendar.day_span((c.now + timedelta(days=c("near", 0))).date(), "day" if c("near") is None else None)
    return _parted(day, c("part"))


def _season(c: Said) -> Piece:
    """A season of a year, or the last, this or next one."""
    span = calendar.season_of(c.year or c.now.year, c("season"))
    if c.year:
        return Piece(span)
    loose = replace(span, cycle="year")
    return Piece(loose if c("sign") is None else signed_season(loose, c("sign"), c.now, c.prefer))


def _feast(c: Said) -> Piece:
    """A feast of a year, or the one that was or comes."""
    year = c.now.year + c("sign") if c.year is None and c("sign") is not None else c.year
    return Piece(feast_span(c("feast"), year) if year else place_feast(c("feast"), None, c.now, c.prefer))


MEANINGS: dict[str, Callable[[Said], Piece | None]] = {
    "weekday": _weekday, "date": _date, "nth": _nth, "days": _days, "hours": _hours, "unit": _unit, "offset": _offset,
    "length": _length, "clock": _clock, "part": _part, "season": _season, "feast": _feast,
    "near": lambda c: _parted(calendar.day_span((c.now + timedelta(days=c("near"))).date()), c("part")),
    "day": lambda c: Piece(calendar.day_of_month(c.now, c("d"))),
    "run": lambda c: Piece(calendar.run(c.now, c("sign"), c("n"), c("unit")), "range") if c("sign") else None,
    "numbered": lambda c: Piece(calendar.part_of_year(c.year or c.now.year, c("unit"), c("o", c("d")))),
    "weekof": lambda c: Piece(calendar.unit_span(c.settled(_calendar_date(c, c("d"))).start, "week")),
    "year": lambda c: Piece(calendar.unit_of(c.year or c.now.year)),
    "decade": lambda c: Piece(calendar.decade_of(int(c("n")))),
    "now": lambda c: Piece(calendar.moment(c.now)),
    "habit": lambda _: Piece(None, "frequency", "every"),
    "vague": lambda _: Piece(),
}  # fmt: skip


def read(text: str, language: Language, now: datetime, prefer: Prefer) -> list[Reading]:
    """The readings of a text in one language, left to right."""
    ahead, told = (re.search(form, text, re.IGNORECASE) for form in (language.future, language.past))
    said = Said(now, "future" if ahead else "past" if told else prefer)
    joined: list[Piece] = []
    for item in _pieces(text, language, said):
        both = _both(text, language, joined[-1], item) if joined else None
        joined[-1:] = [both] if both is not None else [*joined[-1:], item]
    ranges: list[Piece] = []
    for item in joined:
        both = _range(text, language, said, ranges[-1], item) if ranges else None
        ranges[-1:] = [both] if both is not None else [*ranges[-1:], item]
    readings = []
    for item in ranges:
        try:
            readings.append(_reading(text, language, said, item))
        except (ValueError, OverflowError):  # it lies beyond the years of the calendar
            continue
    return readings


def _pieces(text: str, language: Language, said: Said) -> list[Piece]:
    candidates = []
    for name, implied, pattern in language.compiled:
        for match in pattern.finditer(text):
            try:
                piece = MEANINGS[name](replace(said, values=language.values(match, implied)))
            except (ValueError, OverflowError):  # a day that no calendar has
                continue
            if piece is not None and match.end() > match.start():
                candidates.append(replace(piece, start=match.start(), end=match.end()))
    candidates.sort(key=lambda found: (found.start, -found.end))
    chosen: list[Piece] = []
    for candidate in candidates:
        if not chosen or candidate.start >= chosen[-1].end:
            chosen.append(candidate)
    return chosen


def _both(text: str, language: Language, first: Piece, second: Piece) -> Piece | None:
    """Two pieces as one: a day with its part or clock time in either order, or the parts of a length."""

    def joins(form: str) -> bool:
        return _pattern(form).fullmatch(text, first.end, second.start) is not None

    both = _together(first, second) if joins(language.clock_gap) else None
    if both is None and (joins(language.range_and) or joins(language.length_gap)):
        both = _longer(first, second)
    return replace(both, start=first.start, end=second.end) if both is not None else None


def _together(first: Piece, second: Piece) -> Piece | None:
    if first.when is None or second.when is None or first.kind != "point" or second.kind != "point":
        return None
    if _is_clock(second) and not _is_clock(first):
        if first.part:
            return Piece(_placed(first.when, clocks.to_part(second.when, first.part)))
        return Piece(_placed(first.when, second.when)) if first.when.grain == "day" else None
    if first.when.grain == "day" and second.part:
        hours = replace(clocks.part_span(first.when.start, second.part), cycle=first.when.cycle)
        return Piece(hours, part=second.part)
    if not _is_clock(first) or _is_clock(second):
        return None
    if second.part:
        return Piece(clocks.to_part(first.when, second.part))
    placed = second.when.grain == "day" and second.when.cycle != "month"
    return Piece(_placed(second.when, first.when)) if placed else None


def _longer(first: Piece, second: Piece) -> Piece | None:
    """ "una hora y 30 minutos": two lengths, coarse and fine, that are one."""
    if first.when is not None or not (first.kind == second.kind == "duration" and first.unit and second.unit):
        return None
    if first.amount is None or second.amount is None or calendar.SIZE[first.unit] <= calendar.SIZE[second.unit]:
        return None
    return Piece(None, "duration", "for", *spans.summed([(first.amount, first.unit), (second.amount, second.unit)]))


def _is_clock(piece: Piece) -> bool:
    return piece.when is not None and piece.when.cycle == "day" and piece.when.grain in ("hour", "minute", "second")


def _placed(day: LocalStretch, clock: LocalStretch) -> LocalStretch:
    placed = calendar.on_day(day, clock)
    return replace(placed, cycle=None) if day.cycle == "day" else placed


def _range(text: str, language: Language, said: Said, left: Piece, right: Piece) -> Piece | None:
    """Two points as the ends of a range."""
    if left.when is None or right.when is None or not left.kind == right.kind == "point":
        return None
    if _is_clock(left) and not _is_clock(right):
        return None
    head = _pattern(rf"(?:{language.range_lead})$").search(text, max(0, left.start - _LEAD), left.start)
    foot = _pattern(language.range_tail).match(text, right.end)
    gap = rf"{language.range_gap}|{language.range_and}" if head or foot else language.range_gap
    if not _pattern(gap).fullmatch(text, left.end, right.start):
        return None
    try:
        when = spans.joined(left.when, right.when, said.settled)
    except (ValueError, OverflowError):  # the ends do not fit together
        return None
    start, end = head.start() if head else left.start, foot.end() if foot else right.end
    return Piece(when, "range", start=start, end=end)


def _reading(text: str, language: Language, said: Said, piece: Piece) -> Reading:
    start, end, role = piece.start, piece.end, piece.role
    if role == "at" and piece.kind in ("point", "range"):
        lead = max(0, start - _LEAD)
        before = [(_pattern(rf"(?:{form})$").search(text, lead, start), name) for form, name in language.before]
        after = [(_pattern(form).match(text, end), name) for form, name in language.after]
        match, role = next((one for one in before + after if one[0]), (None, role))
        if match is not None:
            start, end = min(start, match.start()), max(end, match.end())
    placed = replace(said, prefer="past") if role == "since" else said
    when = None if piece.when is None else placed.settled(piece.when)
    frequency = " ".join(text[start:end].lower().split()) if piece.kind == "frequency" else None
    return Reading(start, end, piece.kind, when, role, piece.amount, piece.unit, frequency)
