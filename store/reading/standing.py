"""When a claim holds comes from the words of its statement, and how it stands from its status and its tense."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from store.beliefs.pieces import DATED_BY, MOVED_FROM, OPEN
from store.beliefs.predicates import find
from store.beliefs.values import WENT
from store.reading.context import SENTENCE_END
from store.reading.corrections import turned_out
from store.reading.encoder import Statement, Words
from store.reading.labels import LABELS
from store.reading.redated import BARE_DAY, CLOCK
from store.reading.worded import MOVED, NOT_THAT_DAY, SHOWN, is_never
from store.records import Claim, Cue, Episode, Precision, Stretch
from store.text.forms import is_past
from store.time.expressions import TimeExpression, next_day, read_times, stretch_of, waking

_State = tuple[str, Stretch, bool, Cue, bool]
"""(predicate, stretch, holds now, cue, negative)"""


def standing(episode: Episode, said: Statement, happened: str, holds: str) -> _State | None:
    """Where a claim stands in the world at the moment of saying; None where it claims nothing of the kind."""
    event = holds in ("event", "died", "born", "expires_on")
    status, when, now = _status_of(episode.text, said, holds), _when(episode, said), episode.said_at.us
    if event and status in _MAY_BE_MOVED and _counted_from_its_day(episode.text, said):
        return "event", OPEN, False, "update", False
    if status == "cancelled":
        return holds, OPEN, False, "retract", True
    dues = ("is", "planned", "corrects", "begins")
    if holds == "expires_on" and status in dues and (last := _last_day(episode, said)) is not None:
        return holds, last, False, "correct" if status in ("corrects", "begins") else "state", False
    if status == "not":
        never = not event and (find(holds).lasting or _never_was(episode.text, said))
        return holds, OPEN, not event, "correct" if never else "state", True
    if status == "planned":
        ahead = when.at or when.since
        if event:
            again: Cue = _cue_of_date(episode.text[slice(*quoted(episode.text, said))])
            return ("event", ahead, False, again, False) if ahead else ("plans", OPEN, True, "state", False)
        if ahead is None or ahead.start is None or ahead.start <= now:
            return holds if _is_so_by_now(said) else "plans", OPEN, True, "state", False
        if find(holds).alike and ahead is when.at and ahead.precision is Precision.EXACT:
            return "event", ahead, False, "state", False  # "drinks with Omar on Friday at 9" is once
        return holds, _open_from(ahead), False, "update", False
    if event or (status == "event" and happened):
        went = event and WENT.search(episode.text, said.value.start, said.value.end)
        cue: Cue = "correct" if status == "corrects" else "update" if went else "state"
        return (holds if event else happened), when.at or when.since or OPEN, False, cue, False
    if status == "event":
        day = stretch_of(episode.said_at.local(), Precision.DAY)
        return holds, when.at or day, False, "state", False
    if status == "begins":
        began = when.at or when.since
        return holds, _open_from(began), began is None, "update", False
    if status == "ends":
        ended = when.at or when.until or when.since  # "off the drink since October"
        over = ended if ended is None or ended.start is None or ended.start <= now else None
        return holds, _open_from(over), False, "stop", True
    if status == "was":
        return _was(holds, when)
    if status == "corrects":
        return holds, OPEN, True, "correct", False
    start = _open_from(when.since)
    until = when.until.end - 1 if when.until is not None and when.until.end else None  # "until Sunday": all of it
    return holds, (replace(start, end=until) if until else start), True, "state", False


def _is_so_by_now(said: Statement) -> bool:
    """Whether a thing to come costs that, or is there, already: "surgery on the 17th, in Ames"."""
    return said.subject is not None and said.predicate in SHOWN | {"schedule"}


def _status_of(text: str, said: Statement, holds: str) -> str:
    """The state of a statement; what is so for good is so, in whatever tense it is told."""
    if find(holds).temporal == "permanent":
        return "is" if said.status in ("event", "was") else said.status
    cleft = _IT_WAS.search(text, 0, said.value.start) if said.status in ("is", "corrects") else None
    return "was" if cleft is not None and is_past(cleft["did"]) else said.status


_IT_WAS = re.compile(r"(?i)\bit was [^.!?;:,\n]+? (?:who|that) (?P<did>\w+)(?: (?!said\b|told\b)\w+){0,2} \Z")
"""Before a value, that it was so of somebody: "it was Cormac who played" rugby."""


def _never_was(text: str, said: Statement) -> bool:
    return is_never(text, said) or turned_out(text[slice(*quoted(text, said))])


def as_dated(episode: Episode, said: Statement) -> Statement:
    """A plan for a time that is over when it is told is none: it began, or happened, then. What is so "now" may
    have been so for long."""
    if said.status == "begins" and said.when is not None and _NOW.fullmatch(episode.text, *said.when):
        said = replace(said, when=None)
    if said.status == "was" and (end := _UNTIL_THEN.match(episode.text, said.value.end)) is not None:
        return replace(said, when=Words(*end.span("when")))
    if said.status == "cancelled" and said.when is not None and MOVED.search(episode.text, *quoted(episode.text, said)):
        return replace(said, status="planned")  # "sports day was postponed to 19 June" calls nothing off
    if said.status != "planned" or said.when is None:
        return said
    when = _when(episode, said)
    named = when.at or when.since
    if named is None or named.end is None or named.end > episode.said_at.us:
        return said
    holds = LABELS.get(said.predicate, LABELS["other"]).holds
    return replace(said, status="event" if find(holds).temporal == "event" else "begins")


_NOW = re.compile(r"(?i)(?:(?:right|for) )?now|these days|nowadays|currently|at the moment")


_UNTIL_IT = r"\b(?:until|till) (?:i|we|he|she|they|it|the \w+) [\w'’ ]{2,30}?"
_UNTIL_THEN = re.compile(rf"(?i)[^.!?;\n]*?{_UNTIL_IT} (?:in|on) (?P<when>[\w ]*\d[\w ]*)")
"""Behind what was so, when what ended it took place: "a surveyor until I retired on 30 June 2021"."""
_FROM_TO = re.compile(r"(?i)from\b.+?\bto (?=\S)")


_SPAN = re.compile(
    r"(?i)(?:by |for )?(?P<span>(?:an?|one|two|three|four|five|six|\d+|half an|a couple of) "
    r"(?:minute|hour|day|week|fortnight|month|year)s?)(?: (?:later|earlier|sooner))?"
)
_MAY_BE_MOVED = frozenset(["planned", "cancelled", "event", "corrects"])
_PUT_OFF = re.compile(r"(?i)\b(?:back|later|postponed|delayed|put off)\b")
_BROUGHT_FORWARD = re.compile(r"(?i)\b(?:forwards?|earlier|sooner)\b")


def _counted_from_its_day(text: str, said: Statement) -> str:
    """By how much an occasion is moved: "a week later" of "the exam got pushed back a week"; "" where it is not."""
    span = None if said.when is None else _SPAN.fullmatch(text, *said.when)
    if span is None:
        return ""
    sentence = text[slice(*quoted(text, said))]
    way = "earlier" if _BROUGHT_FORWARD.search(sentence) else "later" if _PUT_OFF.search(sentence) else ""
    return f"{span['span'].lower()} {way}" if way else ""


def by_a_part(episode: Episode, said: Statement, claim: Claim) -> Claim:
    """An occasion that is moved to another hour, to a day without its month, or by a span of time, with that."""
    if claim.predicate != "event" or claim.cue not in ("update", "correct") or said.when is None:
        return claim
    words = episode.text[slice(*said.when)]
    part = "clock" if CLOCK.fullmatch(words) else "day" if BARE_DAY.fullmatch(words) else ""
    part = part or _counted_from_its_day(episode.text, said)
    return replace(claim, qualifiers=(*claim.qualifiers, (DATED_BY, part))) if part else claim


def moved_from(episode: Episode, claim: Claim) -> Claim:
    """An occasion that is moved from one day to another, with the day on which it was to be."""
    found = _FROM_TO.search(episode.text, claim.start, claim.end) if claim.predicate == "event" else None
    again = claim.cue in ("update", "correct") and MOVED.search(episode.text, claim.start, claim.end) is not None
    if found is None or not again:
        return claim
    for one in read_times(found[0], episode.said_at.local(), prefer="future"):
        first = one.stretch.first() if one.kind == "point" and one.stretch is not None else None
        if first is not None:
            return replace(claim, qualifiers=(*claim.qualifiers, (MOVED_FROM, first.local().date().isoformat())))
    return claim


def _cue_of_date(sentence: str) -> Cue:
    """Whether a date puts another one right, or moves it: "flying 14 March now"."""
    if _PUTS_RIGHT.match(sentence) or NOT_THAT_DAY.search(sentence) or turned_out(sentence):
        return "correct"
    return "update" if MOVED.search(sentence) or _NOW_THEN.search(sentence) else "state"


_PUTS_RIGHT = re.compile(r"(?i)\W*(?:no|nope|sorry|oops|wait|actually|correction)\b")
_NOW_THEN = re.compile(
    r"(?i)(?:\b(?:is|are|be|\d+(?:st|nd|rd|th)?|[a-z]+day)|['’]s) now\b|\bnow(?=\W*\Z|, not\b)|\bsame time\b"
)


def _last_day(episode: Episode, said: Statement) -> Stretch | None:
    """The day that something expires on, which is its value."""
    words = episode.text[said.value.start : said.value.end]
    dates = read_times(words, episode.said_at.local(), prefer="future")
    return next((date.stretch for date in dates if date.kind == "point" and date.stretch is not None), None)


def _was(holds: str, when: _When) -> _State:
    if when.since is not None and when.until is not None:
        span = Stretch(when.since.start, when.until.start, when.since.precision, when.since.offset)
        return holds, span, False, "state", False
    coarse = when.at is not None and when.at.precision in (Precision.YEAR, Precision.SEASON, Precision.MONTH)
    if when.at is not None and coarse and when.until is None:
        return holds, when.at, False, "state", False
    return holds, _open_from(when.until or when.at), False, "stop", True


@dataclass(frozen=True, slots=True)
class _When:
    """What the words that a statement points at say of time, by their role."""

    at: Stretch | None = None
    since: Stretch | None = None
    until: Stretch | None = None


DONE = frozenset(["planned", "event"])
_AHEAD = frozenset(["planned", "cancelled"])


def _when(episode: Episode, said: Statement) -> _When:
    """The words of a plan lie ahead, whatever the tense ("booked flights, 12 to 20 April"); others are read in their
    sentence."""
    if said.when is None:
        return _When()
    anchor, (first, last) = episode.said_at.local(), said.when
    start, end = quoted(episode.text, said)
    if said.status in _AHEAD:
        words = episode.text[first:last]
        found = read_times(f"the {words}" if ORDINAL.fullmatch(words) else words, anchor, prefer="future")
        wider = read_times(episode.text[start:end], anchor, prefer="future")
        around = [
            alone
            for one in wider
            if start + one.start <= first and start + one.end >= last and one.end - one.start > last - first
            and one.role == "at"
            and not start + one.start < said.value.end <= first  # "40 next year" is no time of forty years
            for alone in (one, *read_times(one.text, anchor, prefer="future"))  # "booked Friday the 4th" has no past
            if alone.stretch is not None and (alone.stretch.start or 0) > episode.said_at.us
        ][:1]  # fmt: skip
        around = [] if _FROM_A_DAY.search(episode.text, start, first) else around
        within = [one for one in wider if start + one.start < last and start + one.end > first]
        bare = len(within) == 1 and BARE_DAY.fullmatch(within[0].text)  # its month may be named before it
        # "A week on" Thursday, Saturday "the 12th".
        found = around or (_still_ahead(within, episode) if bare else found)
    else:
        wider = read_times(episode.text[start:end], anchor)
        found = [one for one in wider if start + one.start < last and start + one.end > first]
    found = [_finer_beside(one, wider) for one in _on_its_day(found, wider, anchor)]
    at = since = until = None
    for one in (waking(_placed(time, episode.text[start:end]), episode.text[start:end]) for time in found):
        if one.kind == "frequency" or (one.stretch is None and one.kind != "duration"):
            continue
        if one.kind == "duration":
            if said.status == "is" and one.role == "for":  # of what begins, it says how long it will last
                since = since or began_for(one, episode)
        elif one.role == "since":
            since = since or one.stretch
        elif one.role == "until":
            until = until or one.stretch
        elif one.role == "at" and said.status == "was" and _QUIT_THEN.search(episode.text, start, start + one.start):
            until = until or one.stretch  # "used to smoke, quit two years ago"
        elif one.role in ("at", "before", "after"):
            at = at or one.stretch
    return _When(at, since, until)


_QUIT_THEN = re.compile(
    r"(?i)\b(?:quit|stopped|gave (?:it )?up|packed (?:it )?in|left|finished|retired)"
    rf"(?: (?:it|about|around|back|in|on))* ?\Z|{_UNTIL_IT} (?:in|on) \Z"
)
ORDINAL = re.compile(r"\d{1,2}(?:st|nd|rd|th)")
_FROM_A_DAY = re.compile(r"(?i)\bfrom .+ to (?:the )?\Z")
"""Before the day to which something is moved, that it was on another."""


def _placed(time: TimeExpression, sentence: str) -> TimeExpression:
    """A time with its place in a sentence, where it was read by itself."""
    at = -1 if sentence[time.start : time.end] == time.text else sentence.find(time.text)
    return time if at < 0 else replace(time, start=at, end=at + len(time.text))


def _finer_beside(time: TimeExpression, wider: Sequence[TimeExpression]) -> TimeExpression:
    """The finer time that stands right behind one, and lies within it: "four years ago, in October 2022"."""
    for one in wider:
        beside = time.role == one.role == "at" and 0 < one.start - time.end <= len(", on the ")
        if beside and time.stretch is not None and one.stretch is not None:
            (first, last), (start, end) = (_edges(time.stretch), _edges(one.stretch))
            if first <= start < end <= last and (start, end) != (first, last):
                return one
    return time


def _edges(stretch: Stretch) -> tuple[int, int]:
    return stretch.start or 0, stretch.end or 0


def _on_its_day(found: list[TimeExpression], wider: Sequence[TimeExpression], anchor: datetime) -> list[TimeExpression]:
    """A time of day on the one day that its sentence names: "booked 17th at Horsforth, 10.14am"."""
    days = [one for one in wider if one.stretch is not None and one.stretch.precision is Precision.DAY]
    clock = len(found) == 1 and CLOCK.fullmatch(found[0].text)
    if not clock or len(days) != 1 or days[0].role != "at":
        return found
    day = f"the {days[0].text}" if days[0].text[0].isdigit() else days[0].text
    both = read_times(f"{day} at {clock['clock']}", anchor, prefer="future")
    return both if len(both) == 1 else found


def _still_ahead(times: Sequence[TimeExpression], episode: Episode) -> list[TimeExpression]:
    """A plan's bare day is the next one: "driving test booked 17th"."""
    over = [one.stretch is not None and (one.stretch.start or 0) < episode.said_at.us for one in times]
    anchor = episode.said_at.local()
    return [next_day(one, one.text, anchor) if past else one for one, past in zip(times, over, strict=True)]


def _open_from(stretch: Stretch | None) -> Stretch:
    return OPEN if stretch is None else Stretch(stretch.start, None, stretch.precision, stretch.offset)


def quoted(text: str, said: Statement) -> tuple[int, int]:
    """The characters of the sentence or sentences that a statement points into."""
    parts = [part for part in (said.value, said.subject, said.when) if part is not None]
    first, last = min(part.start for part in parts), max(part.end for part in parts)
    start = max((match.end() for match in SENTENCE_END.finditer(text, 0, first)), default=0)
    behind = SENTENCE_END.search(text, last)
    end = len(text) if behind is None else behind.start()
    while start < first and text[start] in " \t\n":
        start += 1
    while end > last and text[end - 1] in " \t\n,;:.!":
        end -= 1
    return start, end


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
    try:
        moment = episode.said_at.local() - timedelta(days=one.amount * _DAYS[one.unit])
        return stretch_of(moment, _FINENESS[one.unit])
    except OverflowError:
        return None
