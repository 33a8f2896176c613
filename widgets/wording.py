"""A time is never said more exactly than it was said: each instant is worded at its own precision.

A belief is dated in the same words wherever it stands ("since September"); details have its dates as year-month-day."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta, tzinfo
from typing import NamedTuple, Protocol

from store.records import BY_HAND, EPOCH, Episode, Fact, Instant, Precision, Session, Source
from widgets.plain import one_line
from widgets.states import never_true

_FORMATS = {
    Precision.EXACT: "%Y-%m-%d %H:%M", Precision.MONTH: "%Y-%m", Precision.SEASON: "%Y-%m", Precision.YEAR: "%Y",
}  # fmt: skip
_PREFIXES = {Precision.WEEK: "week of ", Precision.SEASON: "season from "}
_SEASONS = ("winter", "spring", "summer", "autumn")
A_DAY = 86_400_000_000  # microseconds

NO_TITLE = "(no title)"
LONGEST_TITLE = 60  # characters of the first words of a conversation, where these are its title
_MADE_UP = re.compile(r":|\d{5}")  # in a key that a program made up: it says nothing to anybody
_DATED = re.compile(r"\d{4}-\d\d-\d\d[-_](?P<rest>\S+)$")


def titled(session: Session) -> str:
    return title_of(session) or NO_TITLE


def title_of(session: Session) -> str:
    """Its title, else its key where somebody gave it that (one that begins with its day, "2026-11-19-a-year-and-a-bit",
    in words, without it), else the first words in it; empty where nobody said any."""
    if session.title:
        return session.title
    if dated := _DATED.match(session.key):
        return dated["rest"].replace("-", " ").replace("_", " ")
    return one_line(session.opening, LONGEST_TITLE) if _MADE_UP.search(session.key) else session.key


def beginnings(sessions: Iterable[Session]) -> dict[str, str]:
    """Of conversations of one name, by their keys, what tells them apart: ", from 12 November 2026"."""
    named = {one.key: (titled(one).casefold(), one.first_said_at) for one in sessions}
    often = Counter(name for name, _at in named.values())
    return {key: f", from {day_words(at)}" for key, (name, at) in named.items() if often[name] > 1 and at is not None}


class Version(NamedTuple):
    """One of several conversations that have a beginning in common."""

    of: str  # the key of the first of them
    number: int  # from 1
    own: str  # the first words that are its own; empty for the first of them


def moment(us: int, zone: tzinfo) -> datetime:
    """Microseconds since 1970 as an aware datetime in `zone`."""
    return (EPOCH + timedelta(microseconds=us)).astimezone(zone)


def megabytes(size: int) -> str:
    """1,204.5 MB, 12 kB"""
    return f"{size / 1e6:,.1f} MB" if size >= 1e6 else f"{max(size, 0) / 1e3:.0f} kB"


def day(at: Instant) -> str:
    """2024-05-14"""
    return at.local().strftime("%Y-%m-%d")


def whose(speaker: str, width: int) -> str:
    """Whose words they are, in so many columns: "you", or a name."""
    return "you" if speaker in ("me", "user", "") else one_line(speaker, width)


def said_by(source: Source) -> str:
    """ "you, 14 May 2024 14:02"."""
    return f"{whose(source.speaker, 20)}, {day_words(source.said_at)} {clock_time(source.said_at)}"


_DEEDS = {
    "Correction": "put right", "Retraction": "taken back", "Restoration": "brought back", "Settled": "settled",
    "Confirmation": "confirmed",
}  # fmt: skip
"""How a turn by hand begins, and what was done."""


def deed_words(text: str) -> str:
    """What a turn by hand says, for people: "put right by hand: works at: Kettle & Tide (instead of cafe)"."""
    verb, colon, rest = text.partition(": ")
    known = _DEEDS.get(verb) if colon else None
    return f"by hand: {text}" if known is None else f"{known} by hand: {rest.removeprefix('me, ')}"


def quoted(source: Source, width: int = 1000) -> str:
    """The words on which something rests, in quotes where somebody said them."""
    by_hand = source.session == BY_HAND
    return one_line(deed_words(source.quote), width) if by_hand else f"“{one_line(source.quote, width)}”"


def day_words(at: Instant) -> str:
    """14 May 2024"""
    return date_words(at, Precision.DAY)


def spoken_by(turn: Episode) -> str:
    """Who said it, as a conversation shows it: "you", "from memory", or a name."""
    if turn.role == "user":
        return "you" if turn.speaker in ("me", "user") else turn.speaker
    return "from memory" if turn.speaker == "memory" else turn.speaker


def clock_time(at: Instant) -> str:
    """14:02"""
    return at.local().strftime("%H:%M")


def long_day(at: Instant) -> str:
    """Tuesday 14 May 2024"""
    local = at.local()
    return f"{local:%A} {local.day} {local:%B %Y}"


def date_words(at: Instant, precision: Precision, now: int | None = None) -> str:
    """An instant as people say it, no finer than it was said: "5 September", "May 2024", "summer 2023"; the year is
    left out where it is that of `now` (microseconds UTC)."""
    local = at.local()
    year = "" if now is not None and Instant(now, at.offset).local().year == local.year else f" {local.year}"
    if precision is Precision.YEAR:
        return str(local.year)
    if precision is Precision.SEASON:
        return f"{_SEASONS[local.month % 12 // 3]}{year}"
    if precision is Precision.MONTH:
        return f"{local:%B}{year}"
    said = f"{local.day} {local:%B}{year}"
    return f"the week of {said}" if precision is Precision.WEEK else said


def since(fact: Fact, now: int | None = None) -> str:
    """When it was true, in words: "since May 2024", "from 2019 to May 2024", "on 2 March"; "known since 5 May" where
    nobody said when it began, "told on 5 May" of what happened once. `now` in microseconds UTC: its year is left out.
    """
    start = _edge(fact.valid_from, fact.precision, fact.valid_from_after, now)
    unsaid = fact.precision is Precision.OPEN and fact.valid_from is not None and fact.valid_from_after is None
    if fact.valid_to is None:
        ahead = now is not None and fact.valid_from is not None and fact.valid_from.us > now
        begun = f"from {start} on" if ahead else f"since {start}"
        return f"known since {start}" if unsaid else begun if start else "always, as far as known"
    if is_undated(fact):
        return f"told on {start}"
    end = _edge(fact.valid_to, fact.precision_to, fact.valid_to_after, now)
    if not start:
        return f"until {end}"
    if is_one_point(fact):
        return f"{_at(fact)} {start}"
    if start.removeprefix("about ") == end.removeprefix("about "):
        return f"{'known ' if unsaid else ''}on {start}"
    return f"known from {start}, until {end}" if unsaid else f"from {start} to {end}"


def at_hour(fact: Fact) -> str:
    """ " at 17:30" of what takes place at an hour that was said; else empty."""
    exact = fact.valid_from if fact.precision is Precision.EXACT and is_one_point(fact) else None
    return f" at {clock_time(exact)}" if exact else ""


def until(fact: Fact, now: int | None = None) -> str:
    """When it ended in the world, in words: "until May 2024"."""
    return f"until {_edge(fact.valid_to, fact.precision_to, fact.valid_to_after, now)}"


def world_stretch(fact: Fact) -> str:
    """The world axis in full, as ISO dates: "2024-05 → now"."""
    unsaid = "told " if is_undated(fact) else "known "
    before, start = _iso(fact.valid_from, fact.precision, fact.valid_from_after, unsaid)
    if fact.valid_to is None:
        return f"{before}{start} → {'now' if fact.believed_to is None else 'open'}"
    if is_one_point(fact):
        return f"{_at(fact)} {before}{start}"
    before_end, end = _iso(fact.valid_to, fact.precision_to, fact.valid_to_after, "by ")
    if is_undated(fact) or start == end:
        return f"{before}{start}"
    return f"{before}{start} → {before_end}{end}"


def believed(fact: Fact, now: int | None = None) -> str:
    """When it was believed, in words, to the day: "since 5 May", "from 5 May to 7 June", "on 5 May"."""
    start = date_words(fact.believed_from, Precision.DAY, now)
    if fact.believed_to is None:
        return f"since {start}"
    end = date_words(fact.believed_to, Precision.DAY, now)
    return f"on {start}" if start == end else f"from {start} to {end}"


def belief_stretch(fact: Fact) -> str:
    """The belief axis in full, to the day: "2024-05-14 → now"; of what ended on the same day, to the minute."""
    start, end = fact.believed_from, fact.believed_to
    if end is None or day(start) != day(end):
        return f"{day(start)} → {'now' if end is None else day(end)}"
    first, last = clock_time(start), clock_time(end)
    return f"{day(start)} {first}" + (f" → {last}" if first != last else "")


def times_of(fact: Fact, known: Fact, now: int | None) -> tuple[str, str, str]:
    """When it was true, when the whole belief (`known`) was held, and both exactly."""
    if never_true(known):
        return "never true", believed(known, now), belief_stretch(known)
    return since(fact, now), believed(known, now), f"{world_stretch(fact)} · {belief_stretch(known)}"


def _edge(at: Instant | None, precision: Precision, not_before: Instant | None, now: int | None) -> str:
    """One end in words; a boundary that nobody said, but that lies between two sayings, is "about" the later one."""
    return "" if at is None else f"{'about ' if not_before else ''}{date_words(at, precision, now)}"


def _iso(at: Instant | None, precision: Precision, not_before: Instant | None, unsaid: str) -> tuple[str, str]:
    """What stands before a date, which is `unsaid` where nobody said when it was, and the date."""
    if at is None:
        return "", "unknown"
    date = f"{at.local():{_FORMATS.get(precision, '%Y-%m-%d')}}"
    if not_before:
        return "about ", date
    return (unsaid, date) if precision is Precision.OPEN else ("", f"{_PREFIXES.get(precision, '')}{date}")


def _at(fact: Fact) -> str:
    return "on" if fact.precision in (Precision.DAY, Precision.EXACT) else "in"


class Named(Protocol):
    """Something that is said of somebody."""

    @property
    def subject(self) -> str: ...
    @property
    def predicate(self) -> str: ...


LABELS = {"detail": "mentioned", "expires_on": "expires"}
"""What a predicate is called beside its value, where its own name would not say it."""


def called(predicate: str) -> str:
    """A predicate as it stands beside a value: "lives in", "event"."""
    return LABELS.get(predicate) or predicate.replace("_", " ")


def about(fact: Named) -> str:
    """Whom and what the fact is about, without its value: "lives in", "Ana · school"; of what is called as its value
    is, "died", whom alone. Of an end that is unsure: "no longer: Dev · job", and where it was only mentioned,
    "no longer: Dev ·"."""
    what, over = called(fact.predicate), is_unsure_end(fact)
    noted = over and fact.predicate == "detail"
    if fact.subject == "me":
        words = "" if noted else what
    else:
        said_twice = what == getattr(fact, "object", "").casefold()
        words = f"{fact.subject} ·" if noted else fact.subject if said_twice else f"{fact.subject} · {what}"
    return one_line(f"no longer: {words}" if over else words).rstrip()


def is_unsure_end(fact: Named) -> bool:
    """Whether it says that something is over, and nobody knows whether that is so."""
    return bool(getattr(fact, "unsure", False)) and getattr(fact, "change", "") == "stop"


def value(fact: Fact) -> str:
    return one_line(f"not {fact.object}" if fact.negative and not is_unsure_end(fact) else fact.object)


def is_one_point(fact: Fact) -> bool:
    """An event of one day, month or year: both ends would be worded alike or as neighbours."""
    if fact.valid_from is None or fact.valid_to is None:
        return False
    longest = {Precision.EXACT: 1, Precision.DAY: 1, Precision.WEEK: 7, Precision.MONTH: 31,
               Precision.SEASON: 93, Precision.YEAR: 366}  # fmt: skip
    if fact.precision is Precision.SEASON and fact.precision_to is not Precision.SEASON:
        return False
    return fact.valid_to.us - fact.valid_from.us <= longest.get(fact.precision, -1) * A_DAY


def is_undated(fact: Fact) -> bool:
    """An event of which nobody said when it was: it stands on the day on which it was told, whose end says nothing."""
    if fact.valid_from is None or fact.valid_to is None:
        return False
    unsaid = fact.precision is Precision.OPEN and fact.precision_to is Precision.OPEN
    return unsaid and fact.valid_to.us - fact.valid_from.us == A_DAY


def read_by(source: Source) -> str:
    """Which model read it in the words; empty where rules did, or it was said by hand."""
    return f"  read by {one_line(source.by.partition(' ')[2], 24)}" if source.by.startswith("model/") else ""


def count(number: int, one: str, many: str = "") -> str:
    """1 turn, 2 turns, no turns"""
    word = one if number == 1 else many or one + "s"
    return f"{number:,} {word}" if number else f"no {word}"


def seconds(amount: float) -> str:
    """A waiting time for people: 40 s, 12 min"""
    return f"{amount:.0f} s" if amount < 90 else f"{amount / 60:.0f} min"


def milliseconds(amount: float) -> str:
    """0.4 ms, 38 ms, 1.2 s"""
    if amount < 10:
        return f"{amount:.1f} ms"
    return f"{amount:.0f} ms" if amount < 1000 else f"{amount / 1000:.1f} s"
