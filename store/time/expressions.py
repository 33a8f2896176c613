"""A time is only ever read against the moment at which it was said, in the zone in which it was said.

Nothing here looks at a clock, nothing guesses: what the words leave open comes back with `stretch=None`, and what they
say coarsely ("in March") stays as coarse as they said it. Every stretch is half-open, [start, end).

The grammar, for English (read_times finds these inside running text; parse_when reads one of them):
- days      today, the day before yesterday, last/this/next Friday, a week from Tuesday, the first Monday in October
- dates     3 May 2021, Tuesday the 5th, 2021-05-03, 5/3/2021 (month first unless that cannot be), 3.5.2021 (day first);
            5/3 alone only after a preposition or a weekday, or as the whole text
- clocks    9:30, at 7pm, half past three, noon, this morning, last night; with a date on either side
- units     this/last/next/the coming hour, day, week, weekend, fortnight, month, quarter, season, year, decade
- months    March, mid June, the end of the year, the last week of July; years: 2021, the 90s, Q3 2020, week 23 of 2027
- offsets   two weeks ago, in three weeks, 2 days after next Friday; ranges: from A to B, since A, until B, by B
- lengths   for five years; habits: every Tuesday, twice a week; feasts: Easter, Thanksgiving, Diwali (Islamic ones with
            a day on each side, for they are sighted)
- vague     recently, a while ago, when I was 12: found, and left unresolved
Conventions of a diary: "last Friday" is the most recent one before today, "next Monday" the first that comes; "last
week", "last month" and "last year" are the previous calendar ones; weeks begin on Monday; seasons are northern, by
whole months, and a winter bears the year in which it begins; a bare "Friday" or "March" lies in the past or the
future by the tense of its sentence, and without one in the past. A number before a time is a name or a count unless
"at" or the like says that it is an hour ("iPhone 15 yesterday"). German, Spanish, Korean and Chinese are read in the
common forms of these.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, tzinfo

from dateutil.relativedelta import relativedelta

from store.errors import BadTime
from store.records import Instant, Precision, Stretch
from store.text.cleaning import quoted
from store.text.forms import is_past
from store.text.lists import wordset
from store.text.nouns import EVENT_NOUNS
from store.time.calendar import Kind, Prefer, Reading, TimeRole, localize, resolve, unit_span
from store.time.words import MONTHS, either

FAR, YEAR = 240 * 86_400_000_000, 366 * 86_400_000_000
HALF_DAY = 12 * 3_600_000_000
_WITHOUT_YEAR = frozenset((Precision.EXACT, Precision.DAY, Precision.WEEK, Precision.MONTH))
"""What may be said without its year."""
SEARCHED = 24_000  # characters of a text that are looked through for times
_MASKED = re.compile(
    r"(?i)\d{31,}|(?<=\d)(?: ?(?:euros?|pounds?|quid|dollars?|bucks|kr|k|€|£))?"
    r" (?:an?|per) (?:hour|day|week|month|year)(?= from\b)"
)
"""No number of a time has so many digits, and each pattern would try every part of it; "1,850 a month from March" is a
rate, and no month after March."""
_FORMS = (
    'write a date such as "2024-03-15", "3 May 2021", "March 2024", "2021", "last Friday", "two weeks ago", '
    '"in July 2023", "yesterday" or "now"'
)
_HAS_GOT = re.compile(r"(?i)(?:\bha(?:s|ve)|['’](?:s|ve)) got\b(?P<what>[^.!?;,\n]*)\Z")
_WITH_YEAR = re.compile(r"(?i)\d{4}|\b(?:next|coming|year)\b")
_BARE_DAY = re.compile(r"(?i)(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)")
_MONTH = re.compile(r"(?i)[a-z]{3,}")
_NOT_AFTER = re.compile(r"(?i)\b(?:from|not|instead of|than|was)(?: on)?(?: the)?\s*\Z")
_OCCASION = re.compile(r"\s+(?:\w+\s+)?\w+")
_OF_A_FEAST = EVENT_NOUNS | {"market", "meal", "do", "play", "service", "mass", "show", "fair", "fête", "fete", "ball"}
_WHEN_IS = re.compile(r"(?i)\W*(?:(?:so|and|but) )?(?:when|what (?:day|date|time))\b")
_SENTENCE = re.compile(r"[.!?\n]")
_TO_COME = r"from|for|to|starting(?: on| in| from)?|booked(?: for)?|due(?: on)?"
_LED = re.compile(rf"(?i)\b(?:{_TO_COME})\s*\Z")
_WAS = re.compile(r"(?i)\b(?:was|were|lived|worked|stayed|studied|did)\b[^.!?;,\n]*\Z")
_BARE = re.compile(
    rf"(?i)(?:(?P<lead>{_TO_COME}) )?(?:(?P<month>{either(MONTHS)})(?: on(?:wards?)?)?"
    r"|(?P<day>(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:the )?\d{1,2}(?:st|nd|rd|th)))"
)
_OF_BEFORE = re.compile(r"(?i)(?:since|last|ever since)\b")
_BACK_IN = re.compile(r"(?i)\bback (?:in|on|around)\s*\Z")
_IN_OR_ON = re.compile(r"(?i)\b(?:in|on|back in)\s*\Z")
_LEADS = r"(?i)\b(?:\w+ing|from|until|till|by|will|shall|gonna|next|for|to%s)\b|['’]ll\b"
_ARRANGES = re.compile(_LEADS % "")
_ARRANGES_MONTH = re.compile(_LEADS % r" (?!(?-i:[A-ZÀ-Þ])|the\b|an?\b|my\b|our\b)")
"""What brings a day, or a month, ahead: "moved to Porto in March" does not."""
_ENDED = re.compile(r"(?i)\b(?:(?:gave|given) up|quit|stopped|started|began|finished|used to)\b(?: \w+ing\b)?")
_MOVED_HOUSE = re.compile(r"(?i)\bmoved (?:(?:from|to) (?:[\w-]+ )){1,2}(?=in |on |\Z)")
_OPENS = re.compile(r"(?i)\W*(?:(?:back|so|well) )?(?:(?:in|on|at|until|till|up to) )?")
_THEN_DID = re.compile(
    r"(?i),?\s+(?:i|we|he|she|they|it|(?:my|our|his|her) \w+)\s+(?:\w+ly\s+|still\s+|just\s+)?(?P<verb>\w+)\b"
)
"""What stands behind a time that opens its clause: "in March I was at the clinic", "in April we went by train"."""
ARRANGED = wordset(
    "booked planned arranged scheduled ordered bought got moved put pushed signed set said told made decided given "
    "fixed agreed took let wrote had registered cancelled invited offered asked expected"
)
"""Verbs in the past that bring something ahead."""
_DONE = wordset("moved bought got took made had wrote told said ordered")
"""Of these, what is over where a month is named, and nothing of what follows."""
_BOOKED = EVENT_NOUNS | ARRANGED - _DONE | {"tickets", "flights", "flight", "ticket", "plane", "train", "seats"}
"""What somebody gets or moves for a month to come."""
_CERTAIN = re.compile(
    r"(?i)(?:\d|\b)[ap]\.?m\b|morning|night|afternoon|evening|noon|uhr|(?<!\d)0\d[:.h]"
    r"|\b(?:now|ago|later|hours?|minutes?|mins?|moment)\b"
)
"""What names the half of the day, or counts from now."""
_HAS_GOT = re.compile(r"(?i)(?:\bha(?:s|ve)|['’](?:s|ve)) got\b(?P<what>[^.!?;,\n]*)\Z")
_WITH_YEAR = re.compile(r"(?i)\d{4}|\b(?:next|coming|year)\b")
NIGHT = range(1, 7)  # hours of the clock at which people have no appointment, unless they say so
_OF_AN_EVENING = re.compile(
    r"(?i)\b(?:dinner|supper|drinks|pub|party|gig|concert|disco|cinema|film|movie|theatre|theater|opera|ballet|musical)\b"
    r"|\b(?:having|have|invited|got) \w[\w' ]{1,30} (?:round|over)\b"
)
_OF_A_MORNING = re.compile(r"(?i)\b(?:breakfast|sunrise|dawn|alarm|wake|woke|get up|got up|gets up|getting up)\b")
_CLAUSE = re.compile(r"[.!?;,\n]\s|\b(?:and|but|then)\b")


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """One expression of time in a text. `text == source[start:end]`, to the character."""

    text: str
    start: int
    end: int
    kind: Kind
    stretch: Stretch | None
    """What the words name; None where they leave it open ("a while ago"). With the roles since, until, before and
    after it is the time named itself ("since 2019": the whole of 2019), so that its width keeps the precision."""
    role: TimeRole = "at"
    amount: float | None = None  # of a length ("for five years": 5.0), in `unit`s
    unit: str | None = None  # second, minute, hour, day, week, month, quarter, year or decade
    frequency: str | None = None  # the words of a habit, lower case ("three times a week")
    point: int | None = None
    """Of an offset ("three months ago"): the moment counted back to the day, in microseconds UTC. `stretch` stays as
    coarse as the words; this is for sorting, and never to be shown."""
    about: bool = False  # the words themselves hedge ("around 2015")


def parse_iso(text: str, zone: tzinfo) -> Instant:
    """Read an ISO 8601 date or datetime; without an offset it is taken in `zone`, a date alone as its local midnight.

    Raises BadTime for anything else.
    """
    try:
        moment = datetime.fromisoformat(text.strip())
        return Instant.of(moment if moment.tzinfo is not None else localize(moment, zone))
    except (ValueError, OverflowError) as error:
        raise BadTime(
            f'"{quoted(text)}" is not an ISO 8601 time; write one such as "2024-03-15T14:30:00+01:00"'
        ) from error


def stretch_of(moment: datetime, precision: Precision) -> Stretch:
    """The half-open local day, week, month, season or year that contains an aware moment, in the moment's own zone.

    EXACT gives the one microsecond; OPEN gives [moment, None).
    """
    zone = moment.tzinfo
    if zone is None:
        raise BadTime(f"{moment} has no zone; give one")
    instant = Instant.of(moment)
    if precision is Precision.OPEN:
        return Stretch(instant.us, None, precision, instant.offset)
    if precision is Precision.EXACT:
        return Stretch(instant.us, instant.us + 1, precision, instant.offset)
    return resolve(unit_span(moment.replace(tzinfo=None), precision.value), zone)


def day_start(day: date, zone: tzinfo) -> Instant:
    """The first moment of a local day; where a clock change skips midnight, the first that exists."""
    return Instant.of(localize(datetime.combine(day, time()), zone))


def read_times(text: str, anchor: datetime, *, prefer: Prefer = "past") -> list[TimeExpression]:
    """Every expression of time in a text, left to right, without overlaps, read against an aware `anchor` in its zone.

    `prefer` says where a bare "Friday" lies if the sentence has no tense. Only the first SEARCHED characters are looked
    at: what is longer is a document.
    """
    from store.time.reader import read

    text = text[:SEARCHED]
    zone = anchor.tzinfo
    if zone is None:
        raise BadTime(f"{anchor} has no zone; give one")
    expressions = []
    for found in read(_MASKED.sub(lambda match: "_" * len(match[0]), text), anchor, prefer):
        try:
            expressions.append(_expression(text, found, zone))
        except (ValueError, OverflowError):  # it lies beyond the years of the calendar
            continue
    named = [one for one in expressions if not _names_an_occasion(one, expressions, text)]
    named = [_in_the_month_before(one, named[:at], text, anchor) for at, one in enumerate(named)]
    return [_behind_if_far(one, text, anchor) for one in named]


def _behind_if_far(one: TimeExpression, text: str, anchor: datetime) -> TimeExpression:
    """ "She has got a new knee on the 3rd of November", said right after that day, is over, though "has got the dentist
    on the 3rd" lies ahead: nobody names a day so FAR off without its year. An occasion they do."""
    got = _HAS_GOT.search(text, 0, one.start)
    first = None if one.stretch is None else one.stretch.start
    if got is None or first is None or first < int(anchor.timestamp() * 1_000_000) + FAR or _WITH_YEAR.search(one.text):
        return one
    if not EVENT_NOUNS.isdisjoint(got["what"].lower().split()):
        return one
    (alone, *others) = read_times(one.text, anchor) or [one]
    return one if others or alone.kind != one.kind else replace(one, stretch=alone.stretch)


def _in_the_month_before(
    one: TimeExpression, earlier: Sequence[TimeExpression], text: str, anchor: datetime
) -> TimeExpression:
    """A bare day behind a day whose month is named, in one sentence, in the month in which it is the next: "on the 22nd
    of December, and back on the 28th". Behind a feast it is the one that lies nearest: "for Christmas, on the 23rd"."""
    bare = _BARE_DAY.fullmatch(one.text)
    while earlier and _BARE_DAY.fullmatch(earlier[-1].text) and _NOT_AFTER.search(text, 0, earlier[-1].start):
        earlier = earlier[:-1]  # "on 16 March instead of the 9th, and back on the 27th"
    before = earlier[-1].stretch if earlier else None
    first = None if before is None or before.precision is not Precision.DAY else before.first()
    if bare is None or first is None or _BARE_DAY.fullmatch(earlier[-1].text) or not _MONTH.search(earlier[-1].text):
        return one
    if _SENTENCE.search(text, earlier[-1].end, one.start) or _NOT_AFTER.search(text, 0, one.start):
        return one
    at, day = first.local().replace(tzinfo=anchor.tzinfo), int(bare["day"])
    near = (0, 1, -1) if any(earlier[-1].text.lower().endswith(feast) for feast in _feasts()) else (int(day < at.day),)
    days = [then for month in near if (then := at + relativedelta(day=day, months=month)).day == day]
    if not days:
        return one
    return replace(one, stretch=stretch_of(min(days, key=lambda then: abs(then - at)), Precision.DAY))


def _feasts() -> Collection[str]:
    from store.time.feasts import ENGLISH

    return ENGLISH


def _names_an_occasion(one: TimeExpression, found: list[TimeExpression], text: str) -> bool:
    """Whether a feast only says what is meant, where its sentence has the day: "the Christmas fair is on the 19th"."""
    words = one.text.lower().removeprefix("the ")
    feast, _, last_word = words.rpartition(" ")
    if words in _feasts():
        noun = _OCCASION.match(text, one.end)
        named = set() if noun is None else set(noun[0].lower().split())
    else:
        named = {last_word} if feast in _feasts() else set()  # "Easter lunch"
    if not named & _OF_A_FEAST:
        return False
    end = _SENTENCE.search(text, one.end)
    last = len(text) if end is None else end.start()
    asked = _WHEN_IS.match(text) is not None
    return asked or any(one.end < other.start < last and other.kind == "point" for other in found)


def read_told(text: str, anchor: datetime) -> list[TimeExpression]:
    """As read_times, for what a person tells: a bare "15 December" that would lie FAR back or more lies ahead, unless
    it is said to be over. In the corpus, 698 of 816 such dates are of plans, whatever the tense ("signed for the flat,
    moving on the 15th"); of those said to be over, 4 of 20.
    """
    found = read_times(text, anchor)
    return [waking(one if is_over(one, text) else _ahead(one, text, anchor), text) for one in found]


def _ahead(one: TimeExpression, text: str, anchor: datetime) -> TimeExpression:
    """Where a bare day lies that may be ahead: "£48 from Monday" is of the next one, as in 70 of 80 such messages;
    of 54 that are for, from or to "the 3rd", 50 lie ahead, and 148 of 164 "from July". So does a date that is FAR back.
    """
    bare = _BARE.fullmatch(one.text)
    if bare is not None and (bare["lead"] or _LED.search(text, 0, one.start)):
        if bare["day"]:
            return next_day(one, bare["day"], anchor)
        if not _WAS.search(text, 0, one.start):
            return next_day(one, f"in {bare['month']}", anchor)
    if one.stretch is None or one.stretch.start is None or one.stretch.precision not in _WITHOUT_YEAR:
        return one
    back = int(anchor.timestamp() * 1_000_000) - one.stretch.start
    return next_day(one, one.text, anchor) if FAR <= back < YEAR else one


def next_day(one: TimeExpression, day: str, anchor: datetime) -> TimeExpression:
    """The same, of the next such day or month: "Friday", "the 3rd", "17th", "July"."""
    found = read_times(day if not re.match(r"\d+[a-z]", day) else f"the {day}", anchor, prefer="future")
    if len(found) != 1 or found[0].kind != one.kind or found[0].stretch is None:
        return one
    return replace(one, stretch=found[0].stretch)


def is_over(one: TimeExpression, text: str) -> bool:
    """Whether words say that a time is past: "sober since June", "she passed away in March", "I quit in January"."""
    if _OF_BEFORE.match(one.text) or _BACK_IN.search(text, 0, one.start):
        return True
    first = _clause(text, one)[0]
    did = _THEN_DID.match(text, one.end) if _OPENS.fullmatch(text, first, one.start) else None
    verb = "" if did is None else did["verb"].lower()
    if verb in ("was", "were", "used") or (verb not in ARRANGED and is_past(verb)):
        return True
    month = one.stretch is not None and one.stretch.precision is Precision.MONTH
    lead, ended = _ENDED.subn("", _MOVED_HOUSE.sub("moved ", text[first : one.start]))
    words = set(re.findall(r"[^\W\d_]+", lead.lower()))
    certain = ARRANGED - _DONE if month and words.isdisjoint(_BOOKED) else ARRANGED
    named = _IN_OR_ON.search(lead) is not None or one.role in ("since", "until") or one.text.startswith("the ")
    done = bool(ended) or any(is_past(word) for word in words - certain)
    return named and done and not (_ARRANGES_MONTH if month else _ARRANGES).search(lead)


def waking(one: TimeExpression, text: str) -> TimeExpression:
    """A clock time that may lie in either half of a day, in the one in which people do what the words around it name,
    or are awake: "dinner at 8", "breakfast at 6", "the dentist at 2". `text` holds it, or is what it is the time of.
    """
    around = text[slice(*_clause(text, one))] if text[one.start : one.end] == one.text else text
    night = range(1, 12) if _OF_AN_EVENING.search(around) else range(0) if _OF_A_MORNING.search(around) else NIGHT
    stretch = one.stretch
    first = None if stretch is None else stretch.first()
    if stretch is None or first is None or stretch.precision is not Precision.EXACT or _CERTAIN.search(one.text):
        return one
    if one.kind != "point" or first.local().hour not in night:
        return one
    end = None if stretch.end is None else stretch.end + HALF_DAY
    return replace(one, stretch=replace(stretch, start=first.us + HALF_DAY, end=end))


def _clause(text: str, one: TimeExpression) -> tuple[int, int]:
    """Where the clause around a time begins and ends."""
    first = max((found.end() for found in _CLAUSE.finditer(text, 0, one.start)), default=0)
    last = _CLAUSE.search(text, one.end)
    return first, len(text) if last is None else last.start()


def parse_when(text: str, anchor: datetime, *, prefer: Prefer = "past") -> Stretch:
    """Read a text that is one expression of time ("2024-03", "in July 2023", "last Friday", "now") against `anchor`;
    `prefer` says where a bare "20 December" lies.

    Raises BadTime, saying which forms are understood, if it is none, more than one, or one that names no certain time.
    """
    from store.time.reader import read_one

    stretch = read_one(text, anchor, prefer)
    if stretch is None:
        raise BadTime(f'"{quoted(text)}" is not a time that I can read; {_FORMS}')
    return stretch


def _expression(text: str, found: Reading, zone: tzinfo) -> TimeExpression:
    when, words = found.when, text[found.start : found.end]
    stretch = None if when is None else resolve(when, zone)
    point = None if when is None or when.point is None else Instant.of(localize(when.point, zone)).us
    return TimeExpression(
        words, found.start, found.end, found.kind, stretch, found.role, found.amount, found.unit, found.frequency,
        point, found.about,
    )  # fmt: skip
