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
from store.reading.encoder import Reader, Statement, Words
from store.reading.kin import RELATIONS
from store.reading.labels import LABELS
from store.reading.redated import BARE_DAY
from store.reading.subjects import is_pronoun
from store.reading.worded import MOVED, NOT_THAT_DAY, SHOWN, is_never
from store.records import Claim, Cue, Episode, Precision, Stretch
from store.text.forms import is_past
from store.text.nouns import EVENT_NOUNS
from store.time.expressions import TimeExpression, next_day, read_times, read_told, stretch_of, waking

_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_State = tuple[str, Stretch, bool, Cue, bool]
"""(predicate, stretch, holds now, cue, negative)"""


_NO_LONGER_THEN = re.compile(r"(?i)\b(?:not|(?:is|was|are|wo)n['’]?t|no longer)(?: be)?(?: in| on| at)?(?: the)? \Z")
"""Before a date, that an occasion is not then, whenever else it is: "the wedding isn't in" June any more."""


_FOR_A_TIME = re.compile(
    r"(?i)\bfor (?:the |this |a )?(?:winter|summer|spring|autumn|season|while|time being|bit|now)\Z"
)


def standing(episode: Episode, said: Statement, happened: str, holds: str) -> _State | None:
    """Where a claim stands in the world at the moment of saying; None where it claims nothing of the kind."""
    event = holds in ("event", "died", "born", "expires_on")
    status, when, now = _status_of(said, holds), _when(episode, said), episode.said_at.us
    denied = said.when is not None and _NO_LONGER_THEN.search(episode.text, 0, said.when.start)
    if status == "cancelled" or (event and denied and status == "planned"):
        return holds, (when.at if denied else None) or OPEN, False, "retract", True
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
        if said.when is not None and _FOR_A_TIME.search(episode.text, 0, said.when.end):
            ended = None  # "given up swimming for the winter"
        return (
            holds,
            _open_from(ended if ended is None or ended.start is None or ended.start <= now else None),
            False,
            "stop",
            True,
        )
    if status == "was":
        return _was(holds, when)
    if status == "corrects":
        return holds, OPEN, True, "update" if IS_SO_NOW.match(episode.text, said.value.end) else "correct", False
    start = _open_from(when.since)
    until = when.until.end - 1 if when.until is not None and when.until.end else None  # "until Sunday": all of it
    return holds, (replace(start, end=until) if until else start), True, "state", False


IS_SO_NOW = re.compile(r"(?i),? (?:(?:right )?now|these days|nowadays)\b(?! (?:on|in|at|from)\b)")
"""Behind a value, that it is so now, which does not deny what was told of another time: "no, I weigh 268 now"."""


def _is_so_by_now(said: Statement) -> bool:
    """Whether a thing to come costs that, or is there, already: "surgery on the 17th, in Ames"."""
    return said.subject is not None and said.predicate in SHOWN | {"schedule"}


def _status_of(said: Statement, holds: str) -> str:
    """The state of a statement; what is so for good is so, in whatever tense it is told."""
    return "is" if find(holds).temporal == "permanent" and said.status in ("event", "was") else said.status


def _never_was(text: str, said: Statement) -> bool:
    return is_never(text, said) or turned_out(text[slice(*quoted(text, said))])


def as_dated(episode: Episode, said: Statement) -> Statement:
    """A plan for a time that is over when it is told is none: it began, or happened, then. What is moved lies ahead.
    What is so "now" may have been so for long."""
    if said.status == "begins" and said.when is not None and _NOW.fullmatch(episode.text, *said.when):
        said = replace(said, when=None)
    if said.status in _PUT_OFF and may_be_ahead(episode, said) and _is_moved(episode.text, said):
        return replace(said, status="planned")
    if said.status == "event" and said.when is not None and _ENTERED.match(episode.text, *said.value):
        ahead = replace(said, status="planned")
        named = _when(episode, ahead).at
        return ahead if named is not None and (named.start or 0) > episode.said_at.us else said
    if said.status != "planned" or said.when is None:
        return said
    when = _when(episode, said)
    named = when.at or when.since
    if named is None or named.end is None or named.end > episode.said_at.us:
        return said
    holds = LABELS.get(said.predicate, LABELS["other"]).holds
    return replace(said, status="event" if find(holds).temporal == "event" else "begins")


def of_its_date(episode: Episode, reader: Reader, said: Statement) -> Statement:
    """A value that is a date only, and does not say when something expires, is when its subject takes place. What is
    moved to a date takes place then."""
    if (
        said.predicate == "event"
        and said.when is not None
        and _AIMS.isdisjoint(episode.text[slice(*said.value)].lower().split())
        and (_moved_to(episode.text, said) or (said.status != "not" and _is_on(episode.text, said)))
    ):
        chances = (1.0, 1.0, 1.0, *said.chances[3:])
        what = _what_moved(episode.text, said.value)
        inside = said.subject is not None and what.start <= said.subject.start < what.end
        whose = None if inside else said.subject  # "the parents' evening"
        return replace(said, value=what, subject=whose, status="planned", chances=chances, sure=reader.sure_of(chances))
    text, value = episode.text, said.value
    if said.subject is None or LABELS.get(said.predicate, LABELS["other"]).holds not in _OF_DATES:
        return said
    words = text[value.start : value.end]
    if said.predicate == "schedule" and not _is_once(text, said):
        return said
    dates = [time for time in read_times(words, episode.said_at.local(), prefer="future") if _is_day(time)]
    if not dates or words[: dates[0].start].strip().lower() not in _BEFORE_DATES or words[dates[-1].end :].strip():
        return said
    named = text[slice(*said.subject)].split()
    if not named or is_pronoun(named[-1]) or named[-1] in RELATIONS:
        return said
    if not (named[-1].islower() or named[-1].lower() in EVENT_NOUNS) or not _AIMS.isdisjoint(map(str.lower, named)):
        return said
    if EXPIRES.search(text[slice(*quoted(text, said))]):
        return said
    status = said.status if said.status in ("cancelled", "not") else "planned"
    chances = (said.chances[0], 1.0, 1.0, *said.chances[3:])
    thing = _what_moved(text, said.subject)
    return replace(
        said, value=thing, predicate="event", status=status, subject=None, when=value, chances=chances,
        sure=reader.sure_of(chances),
    )  # fmt: skip


_ENTERED = re.compile(r"(?i)(?:have )?(?:signed up|registered|entered|enrolled|booked|got tickets|bought tickets)\b")
"""What somebody did whose date is that of what they did it for: "signed up for a 10k on 12 December"."""
_NOW = re.compile(r"(?i)(?:(?:right|for) )?now|these days|nowadays|currently|at the moment")


_AIMS = frozenset(["target", "goal", "aim", "time", "pb", "pace", "best", "record", "result"])
"""What has a figure that reads like a time of day: "my target for Rotterdam is 3:40"."""


def _moved_to(text: str, said: Statement) -> bool:
    """ "they moved the interview to 4 December", "the party is postponed until Friday"."""
    assert said.when is not None
    return _is_moved(text, said) and _TO.search(text, quoted(text, said)[0], said.when.end) is not None


def _is_moved(text: str, said: Statement) -> bool:
    return MOVED.search(text, *quoted(text, said)) is not None


_FROM_TO = re.compile(r"(?i)from\b.+?\bto (?=\S)")


def moved_to(text: str, said: Statement) -> Statement:
    """What is moved "from Wednesday to Monday" is on Monday, and "the Monday after, the 7th" is on the 7th."""
    if said.when is None:
        return said
    if (apposed := _APPOSED.match(text, said.when.start, said.when.end)) is not None:
        return replace(said, when=Words(*apposed.span("day")))
    start = said.when.start - len("from ") * text.endswith("from ", 0, said.when.start)
    if (both := _FROM_TO.match(text, start, said.when.end)) is None:
        return said
    moved = MOVED.search(text, quoted(text, said)[0], both.end())
    return said if moved is None else replace(said, when=Words(both.end(), said.when.end))


_APPOSED = re.compile(
    rf"(?i)(?:the |on )*{_WEEKDAY} (?:after|before|following)(?: that)?,? "
    r"(?P<day>(?:the )?\d{1,2}(?:st|nd|rd|th))\b"
)
_DAY_AFTER = re.compile(
    rf"(?i)(?:(?:on|to) )?(?:the )?(?:following {_WEEKDAY}|{_WEEKDAY} (?:after|following)(?: that)?)"
)
"""A day of the week that is counted from the old date."""
_BARE_DAY = re.compile(r"(?i)(?:(?:on|to|till|until) )?(?:the )?\d{1,2}(?:st|nd|rd|th)")


def by_a_part(episode: Episode, said: Statement, claim: Claim) -> Claim:
    """An occasion that is moved to another hour, or to a day without its month, with what its words leave open."""
    if claim.predicate != "event" or claim.cue not in ("update", "correct") or said.when is None:
        return claim
    first, last = said.when
    first -= len("following ") * episode.text.endswith("following ", 0, first)
    last += len(" after") * episode.text.startswith(" after", last)
    words = episode.text[first:last].strip()
    parts = (("clock", _CLOCK_ALONE), ("day", _BARE_DAY), ("weekday", _DAY_AFTER))
    part = next((part for part, pattern in parts if pattern.fullmatch(words)), "")
    return replace(claim, qualifiers=(*claim.qualifiers, (DATED_BY, part))) if part else claim


def moved_from(episode: Episode, claim: Claim) -> Claim:
    """An occasion that is moved from one day to another, with the day on which it was to be."""
    found = _FROM_TO.search(episode.text, claim.start, claim.end) if claim.predicate == "event" else None
    again = claim.cue in ("update", "correct") and MOVED.search(episode.text, claim.start, claim.end) is not None
    if found is None or not again:
        return claim
    times = [one for one in read_times(found[0], episode.said_at.local(), prefer="future") if _is_day(one)]
    first = times[0].stretch.first() if times and times[0].stretch is not None else None
    if first is None:
        return claim
    day = first.local().date().isoformat()
    return replace(claim, qualifiers=(*claim.qualifiers, (MOVED_FROM, day)))


def _what_moved(text: str, value: Words) -> Words:
    """The occasion alone: of "dentist moved my appointment to" the appointment."""
    found = _MOVED_WHAT.match(text, value.start, value.end)
    return value if found is None else Words(found.end(), value.end)


_MOVED_WHAT = re.compile(
    rf"[\w'’ -]*?(?:{MOVED.pattern.removeprefix('(?i)')})(?: (?:the|my|our|his|her|their))? ", re.I
)


def _is_on(text: str, said: Statement) -> bool:
    """ "Drinks at Omar's are on Friday at 8": the words leave no doubt."""
    assert said.when is not None
    return _TAKES_PLACE.fullmatch(text, said.value.end, said.when.start) is not None


_TAKES_PLACE = re.compile(r"(?i)(?: is|['’]s| are| will be| takes place)(?: now)?(?: on| at| in)?(?: the)? ?")
_TO = re.compile(r"(?i)\b(?:to|until|till|for)\b")
_BEFORE_DATES = frozenset(["", "on", "the", "on the", "at"])


def _is_day(one: TimeExpression) -> bool:
    days = (Precision.DAY, Precision.EXACT)
    return one.kind == "point" and one.stretch is not None and one.stretch.precision in days


_OF_DATES = frozenset(["event", "expires_on", "schedule"])
_ONCE = re.compile(
    r"(?i)\d(?:st|nd|rd|th)\b|\bthe \d|\b(?:next|this|tomorrow|tonight|fortnight)\b|week on|day week\b|\d/\d"
)


def _is_once(text: str, said: Statement) -> bool:
    """Whether a time is of one day, and of no week like every other."""
    start = max(quoted(text, said)[0], said.value.start - len("a fortnight on "))
    words = text[start : said.value.end]
    return _ONCE.search(words) is not None or any(month in words.lower() for month in _MONTHS)


_MONTHS = (
    "january", "february", "march", "april", "june", "july", "august", "september", "october", "november", "december",
    " may",
)  # fmt: skip


def _cue_of_date(sentence: str) -> Cue:
    """Whether a date puts another one right, or moves it."""
    moved = MOVED.search(sentence) or _NOW_AT_END.search(sentence)
    return "correct" if _DATE_PUT_RIGHT.search(sentence) or turned_out(sentence) else "update" if moved else "state"


_NOW_AT_END = re.compile(
    r"(?i)\bnow\W*\Z|\b(?:is|are|be|['’]s) now (?:first |only )?(?:on|in|at|the|next|this|\d)|\bnow, not\b"
    r"|\b(?:off|cancell?ed)\W+(?:and |but )?(?:it['’]?s|its|it is)\b"
    rf"|\b{_WEEKDAY} now\b"
    r"|\d(?:st|nd|rd|th)? now\b|\bsame (?:time|hour)\b"
)
"""What is moved, and said with its new day alone: "flying 14 March now", "the trip is now in April"."""
_DATE_PUT_RIGHT = re.compile(
    r"(?i)^\W*(?:no|nope|sorry|oops|wait|actually|correction)\b"
    r"|\bnot (?:on |in |at )?(?:the )?(?:\d|(?:mon|tues?|wed|thurs?|fri|satur|sun)\w*day|next|this|tomorrow"
    r"|(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*\b)"
)
EXPIRES = re.compile(
    r"(?i)\b(?:expir\w*|r[ua]n(?:s|ning)? out|due|until|till|valid|deadline|ends?|renew\w*|up for|good until|lasts?)\b"
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
_PUT_OFF = frozenset(["event", "corrects"])
_OVER, _OPEN_ENDED = frozenset(["event", "was", "ends", "corrects"]), frozenset(["is", "begins"])


def _when(episode: Episode, said: Statement) -> _When:
    """The words of a plan lie ahead, whatever the tense ("booked flights, 12 to 20 April"); others are read in their
    sentence."""
    if said.when is None:
        return _When()
    anchor, (first, last) = episode.said_at.local(), _whole(episode.text, said.when)
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
        inside = (read_told if said.status in _OPEN_ENDED else read_times)(episode.text[start:end], anchor)
        found = [one for one in inside if start + one.start < last and start + one.end > first]
        wider = list(inside)
    found = _on_its_day(found, wider, anchor)
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
    r"(?: (?:it|about|around|back|in|on))* ?\Z"
)


def _whole(text: str, when: Words) -> Words:
    """The words of a time, with the month or day that a word before it leads to: "from" February."""
    more = _LED_TO.match(text, when.end) if _LEAD.fullmatch(text, *when) else None
    return when if more is None else Words(when.start, more.end())


ORDINAL = re.compile(r"\d{1,2}(?:st|nd|rd|th)")
_LEAD, _LED_TO = re.compile(r"(?i)from|in|on|since|until|till|by"), re.compile(r" [\w-]+")


_FROM_A_DAY = re.compile(
    r"(?i)\b(?:moved|changed|pushed|shifted|put back|brought forward|resched\w+)\b[^.!?;\n]*? from .+ to (?:the )?\Z"
)
"""Before the day to which something is moved, that it was on another."""


def _placed(time: TimeExpression, sentence: str) -> TimeExpression:
    """A time with its place in a sentence, where it was read by itself."""
    at = -1 if sentence[time.start : time.end] == time.text else sentence.find(time.text)
    return time if at < 0 else replace(time, start=at, end=at + len(time.text))


def _on_its_day(found: list[TimeExpression], wider: Sequence[TimeExpression], anchor: datetime) -> list[TimeExpression]:
    """A time of day on the one day that its sentence names: "booked 17th at Horsforth, 10.14am"."""
    days = [one for one in wider if one.stretch is not None and one.stretch.precision is Precision.DAY]
    clock = len(found) == 1 and _CLOCK_ALONE.fullmatch(found[0].text)
    if not clock or len(days) != 1 or days[0].role != "at":
        return found
    day = f"the {days[0].text}" if days[0].text[0].isdigit() else days[0].text
    both = read_times(f"{day} at {clock['clock']}", anchor, prefer="future")
    return both if len(both) == 1 else found


_CLOCK_ALONE = re.compile(
    r"(?i)(?:at |to )?(?P<clock>\d{1,2}(?:[:.]\d{2})?(?: ?[ap]\.?m\b\.?)?|half (?:past )?\w+|noon|midday)"
)
"""Words that say a time of day and nothing else."""


def _still_ahead(times: Sequence[TimeExpression], episode: Episode) -> list[TimeExpression]:
    """A plan's bare day is the next one: "driving test booked 17th"."""
    over = [one.stretch is not None and (one.stretch.start or 0) < episode.said_at.us for one in times]
    anchor = episode.said_at.local()
    return [next_day(one, one.text, anchor) if past else one for one, past in zip(times, over, strict=True)]


def may_be_ahead(episode: Episode, said: Statement) -> bool:
    """Whether what is over, as its sentence says, bears a date that mostly belongs to a plan."""
    if said.when is None or said.status not in _OVER:
        return False
    if said.status == "corrects" and NOT_THAT_DAY.search(episode.text, *quoted(episode.text, said)):
        return False
    verb = episode.text[said.value.start : said.value.end].partition(" ")[0].lower()
    if said.status == "event" and is_past(verb) and verb not in _ARRANGED:
        return False  # "had her hip done in March": only what was arranged may lie ahead
    anchor, words = episode.said_at.local(), episode.text[said.when.start : said.when.end]
    return read_told(words, anchor) != [waking(time, words) for time in read_times(words, anchor)]


AT_WORK = re.compile(r"(?i)\b(?:at|for|in|from|with|to|of|on)\b[^.!?;,]*\Z")
_ARRANGED = frozenset(
    [
        "booked",
        "planned",
        "arranged",
        "scheduled",
        "ordered",
        "bought",
        "got",
        "moved",
        "put",
        "pushed",
        "signed",
        "set",
    ]
)


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
