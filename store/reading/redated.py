"""What takes place keeps its words and gets another time: "no wait, it's Friday at 4", right after what it is about.

Only the same speaker's turn before is looked at, and only a text that says a time and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b

from store.beliefs.predicates import find
from store.records import Claim, Episode, Instant, Precision, Stretch
from store.time.expressions import TimeExpression, read_times, waking

_IT_IS = re.compile(
    r"(?i)\W*(?P<opens>(?:(?:oh|ah|oops|whoops|no|nope|wait|hang on|hold on|sorry|actually|correction|scratch that|my"
    r" mistake|i mean|i meant|make that|rather|(?:i )?beg (?:your )?pardon|apologies|excuse me)\b[\s,.!:–—-]*)*"
    r"(?:not (?:on |in |at )?(?:the )?[\w ]{1,20}?[,;–—-]+\s*(?:but )?)?"
    r"(?:(?:they|we|i|he|she|(?-i:[A-ZÀ-Þ])[\w-]+|(?:(?:the|my|our|his|her|their) )?(?P<who>[\w'’-]+))"
    r"(?:['’]ve|['’]s| has| have| had)?(?: just| now)?"
    r" (?:moved|changed|pushed|shifted|rescheduled|postponed|rearranged) (?:it|that|me|us)(?: back| forward| out)?"
    r"(?: to| until| till|\s*[,.;:–—-]+(?: so| and)?)?\s+)?)"
    r"(?P<it>(?:it|that|this|(?:(?:the|my|our) )?(?P<what>(?!it|that|this)[a-z][\w'’-]+?))"
    r"(?:['’]?s| is| was|['’]?ll be| will be)\s+(?:now |actually |really )?"
    r"(?P<on>on |at |in )?)?"
)
_SAME_HOUR = re.compile(r"(?i),?\s*(?:at )?(?:the )?same (?:time|hour)\b")
_NAMED = re.compile(r"(?i), (?:the|my|our) (?P<what>[\w'’-]+)\W*\Z")
"""What it is that is moved, behind its time: "it's at 11 not 10, the physio"."""
_NOT = re.compile(r"(?i)(?:\s*now\b)?(?:[\s,–—-]*(?:and )?(?:not|instead of)\b.*)?")
_CLOCK = re.compile(
    r"(?i)(?:at )?(?:about |around )?(?:(?:half|quarter)(?: past| to)? )?\d{1,2}(?:[:.]\d\d)?\s*(?:am|pm|o['’]?clock)?"
    r"|(?:at )?(?:noon|midday|midnight)"
)
"""A time of day."""
_CLOCK_ALONE = re.compile(r"(?i)\b(?:at )?\d{1,2}(?:[:.]\d\d)?\b")
_CERTAIN_HALF = re.compile(r"(?i)\d\s*[ap]\.?m\b|morning|noon|evening|night|\b0\d[:.]")
_LATER = re.compile(r"(?i)\b(?:pushed|put|moved|set) (?:it|that) back\b|\bpostponed\b")
"""What is put off takes place after the day that it had."""
BARE_DAY = re.compile(
    r"(?i)(?:on )?(?:the )?\d{1,2}(?:st|nd|rd|th)(?! of\b| \w*(?:month|jan|feb|mar|apr|may|jun|jul|aug|sep"
    r"|oct|nov|dec))"
)
"""A day of a month that is not said."""
_FIGURE = re.compile(r"\d[\d.,]*\d|\d")
DAY = 86_400_000_000
Read = Callable[[Episode, Sequence[Episode]], Sequence[Claim]]


def redated(episode: Episode, before: Sequence[Episode], read: Read) -> list[Claim] | None:
    """The claims of the turn before, with the time that this one says; None where it says more or less than a time."""
    match = _IT_IS.match(episode.text)
    asked = before and before[-1].speaker != episode.speaker and "?" in before[-1].text
    if match is None or asked:
        return None
    if not (match["opens"] or match["on"] or (match["it"] and not match["what"])):
        return None  # as most turns: no time needs to be read
    said = episode.text[match.end() :].strip(" \t\n.!,")
    words = _SAME_HOUR.sub("", said)
    new = _time(words, episode.said_at.local())
    if new is None and match["opens"]:  # "no, Saturday, she changed her mind"
        words = re.split(r"[,;.!]", words, maxsplit=1)[0].strip()
        new = _time(words, episode.said_at.local())
    # "It's Friday!" moves nothing: it takes a word of correction, a preposition, or what it is not.
    behind = new is not None and new.end < len(words)
    if new is None or not (match["opens"] or (match["on"] and not match["what"]) or (match["it"] and behind)):
        return None
    mine = [turn for turn in before if turn.speaker == episode.speaker and turn.role == episode.role]
    named = _NAMED.search(words)
    last = _last_of(named["what"] if named else match["what"] or match["who"] or "", mine)
    if last is None and match["what"]:
        return None
    last = len(mine) - 1 if last is None else last  # who is not known is whoever moved what was told last
    earlier = [one for one in read(mine[last], mine[max(0, last - 4) : last]) if not one.negative] if mine else []
    start = episode.text.index(words, match.end())
    span = start, start + len(words)
    times = [
        one for one in earlier
        if _time(one.object, one.said_at.local()) is not None and not _FIGURE.fullmatch(one.object.strip("£$€"))
    ]  # fmt: skip
    ahead = [one for one in earlier if one not in times and _is_occasion(one)]
    if len({one.valid.start for one in ahead}) == 1:
        moved = [(one, at_its_hour(new.text, episode, one)) for one in ahead]
        return [
            again(episode, one, one.object, _at_the_same_hour(when, one) if words != said else when, span)
            for one, when in moved
        ]
    if len(times) != 1:
        return None if match["what"] or _FIGURE.fullmatch(words.strip("£$€")) else []
    dated = times[0].valid.start is not None and find(times[0].predicate).temporal == "event"
    return [again(episode, times[0], new.text, new.stretch if dated else None, span)]


def _last_of(noun: str, turns: Sequence[Episode]) -> int | None:
    """The place of the last turn that has a word; None for no word, and where none has it."""
    named = re.compile(rf"(?i)\b{re.escape(noun)}\b")
    return next((at for at in reversed(range(len(turns))) if noun and named.search(turns[at].text)), None)


_FIGURE_AND_UNIT = (
    r"[£$€]?\d(?:[\d.,]*\d)?(?: ?(?!actually|sorry|not\b|and\b|now\b|from\b|in\b|on\b|at\b)[a-zA-Z%°€]{1,8}\b)?"
)
_ANOTHER = re.compile(
    r"(?i)\W*(?P<opens>(?:(?:oh|ah|oops|whoops|no|nope|wait|hang on|sorry|actually|correction|my mistake|i mean|i meant"
    r"|make that|rather)\b[\s,.!:–—-]*)*)(?:(?:it|that)(?:['’]?s| is| was) )?"
    rf"(?P<new>{_FIGURE_AND_UNIT})(?P<behind>\W+(?:actually|sorry|i mean|i meant|not [\w. ]+))?\W*"
)
"""A text that says a figure, and that it is the right one."""
_RAISED = re.compile(
    r"(?i)\b(?:upped|raised|lowered|reduced|increased|cut|put|bumped|brought|dropped|moved|changed) (?:it|that)"
    rf"(?: up| down| back)? to (?P<new>{_FIGURE_AND_UNIT})"
)
"""What was told right before has another figure now."""


def refigured(episode: Episode, before: Sequence[Episode], read: Read) -> list[Claim]:
    """The claim of the turn before with another figure: "81 actually", after "I weigh 82 kilos"; from now on, "the
    doctor upped it to 50 mg". Empty where that turn told no figure, or several."""
    right = _ANOTHER.fullmatch(episode.text)
    if right is not None and not (right["opens"] or right["behind"]):
        return []
    match = right or _RAISED.search(episode.text)
    mine = [turn for turn in before if turn.speaker == episode.speaker and turn.role == episode.role]
    if match is None or not mine:
        return []
    told = [one for one in read(mine[-1], mine[-5:-1]) if not one.negative and len(_FIGURE.findall(one.object)) == 1]
    if len({one.object for one in told}) != 1:
        return []
    old, new = told[0].object, match["new"]
    unit = not _FIGURE.sub("", new).strip()  # that of the figure before
    value = (
        _FIGURE.sub(new, old)
        if unit
        else re.sub(r"[£$€]?(?:\d[\d.,]*\d|\d)(?: ?[a-zA-Z%°€]{1,8}\b)?", new, old, count=1)
    )
    claim = again(episode, told[0], value, None, match.span("new"))
    if right is not None:
        return [claim]
    return [replace(claim, cue="update", replaces=old, valid=replace(claim.valid, start=episode.said_at.us, end=None))]


def _time(words: str, now: datetime, of: str = "") -> TimeExpression | None:
    """The time that some words say, if they say nothing else but what it is not; `of` is what takes place then."""
    for lead in ("", "at "):  # "half 12" is a time behind "at" only
        told = [waking(time, f"{of} {lead}{words}") for time in read_times(f"{lead}{words}", now, prefer="future")]
        for one in told[:1]:
            rest = f"{lead}{words}"[one.end :].strip(" .")
            if one.start <= len(lead) and one.stretch is not None and one.kind == "point" and _NOT.fullmatch(rest):
                return one
    return None


def _is_occasion(claim: Claim) -> bool:
    """Whether it is to take place, at a time that was said."""
    dated = claim.valid.start is not None and claim.valid.start > claim.said_at.us
    return dated and find(claim.predicate).temporal == "event"


def at_its_hour(words: str, episode: Episode, claim: Claim) -> Stretch | None:
    """The new time; a time of day alone is one of the day that was said before, a day alone one of its month."""
    start, at = claim.valid.start, episode.said_at.local()
    if start is not None and (_CLOCK.fullmatch(words) or _LATER.search(episode.text)):
        at = Instant(start, claim.valid.offset).local().replace(hour=0, minute=0, second=0, microsecond=0)
    elif start is not None and BARE_DAY.match(words):
        at = Instant(start, claim.valid.offset).local().replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    found = _time(words, at, claim.object)
    stretch = None if found is None else found.stretch
    return stretch if found is None or stretch is None or not _is_half(found.text) else _in_its_half(stretch, claim)


def _at_the_same_hour(new: Stretch | None, claim: Claim) -> Stretch | None:
    """A new day at the hour of the old one: "they moved me to Friday, same time"."""
    old = claim.valid
    if new is None or new.start is None or old.start is None or old.precision is not Precision.EXACT:
        return new
    at = Instant(old.start, old.offset).local()
    start = new.start + (at.hour * 60 + at.minute) * 60_000_000
    end = start if old.end is None else start + old.end - old.start
    return replace(new, start=start, end=end, precision=old.precision)


def _is_half(text: str) -> bool:
    """Whether a time of day may be of the morning or of the evening."""
    return _CLOCK_ALONE.search(text) is not None and _CERTAIN_HALF.search(text) is None


def _in_its_half(stretch: Stretch, claim: Claim) -> Stretch:
    """What was in the evening is still in the evening, where only an hour below twelve is said: "it's at 7 now"."""
    old, new = claim.valid.start, stretch.start
    if old is None or new is None or claim.valid.precision is not Precision.EXACT:
        return stretch
    before, after = Instant(old, claim.valid.offset).local().hour, Instant(new, stretch.offset).local().hour
    if stretch.precision is not Precision.EXACT or before < 12 or not 0 < after < 12:
        return stretch
    half = DAY // 2
    return replace(stretch, start=new + half, end=None if stretch.end is None else stretch.end + half)


def again(episode: Episode, claim: Claim, value: str, valid: Stretch | None, span: tuple[int, int]) -> Claim:
    key = "\x1f".join((episode.id, *map(str, span), claim.subject, claim.predicate, value, "correct"))
    return replace(
        claim, id=blake2b(key.encode(), digest_size=16).hexdigest(), episode=episode.id, start=span[0], end=span[1],
        object=value, valid=valid or claim.valid, cue="correct",
        replaces=None if value == claim.object else claim.object, said_at=episode.said_at, session=episode.session,
        position=episode.position,
    )  # fmt: skip
