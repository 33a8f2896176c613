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
    r"(?i)\W*(?P<opens>(?:(?:oh|oops|whoops|no|wait|hang on|hold on|sorry|actually|correction|scratch that|i mean"
    r"|make that)\b[\s,.!:–—-]*)*(?:not (?:on |in |at )?(?:the )?[\w ]{1,20}?[,;–—-]+\s*)?"
    r"(?:(?:(?:the|my|our) )?[\w'’-]+(?:['’]ve| has| have)?(?: just)? (?:moved|changed|pushed|shifted|rescheduled) "
    r"(?:it|that|me|us)(?: back| forward)?(?: to| until|\s*[,.;:–—-]+(?: so| and)?)? )?)"
    r"(?:(?:it|that|this)(?P<is>['’]?s| is| was) (?:now )?(?P<on>on |at |in )?)?"
)
_NOT = re.compile(r"(?i)(?:\s*now\b)?(?:[\s,–—-]*(?:and )?(?:not|instead of)\b.*)?")
CLOCK = re.compile(
    r"(?i)(?:(?:at|to) )?(?:about |around )?(?P<clock>(?:(?:half|quarter) (?:past |to )?)?\d{1,2}(?:[:.]\d\d)?"
    r"\s*(?:[ap]\.?m\b\.?|o['’]?clock)?|half (?:past )?\w+|noon|midday|midnight)"
)
"""A time of day, and nothing else."""
BARE_DAY = re.compile(
    r"(?i)(?:(?:on|to|till|until) )?(?:the )?\d{1,2}(?:st|nd|rd|th)(?! of\b| \w*(?:month|jan|feb|mar|apr|may|jun|jul"
    r"|aug|sep|oct|nov|dec))"
)
"""A day of a month that is not said."""
_LATER = re.compile(r"(?i)\b(?:pushed|put|moved) (?:it|that) back\b")
"""What is put off takes place after the day that it had."""
Read = Callable[[Episode, Sequence[Episode]], Sequence[Claim]]


def redated(episode: Episode, before: Sequence[Episode], read: Read) -> list[Claim] | None:
    """The claims of the turn before that tell when something takes place, with the time that this one says; None where
    it says more or less than a time, or that one tells of no time."""
    match = _IT_IS.match(episode.text)
    asked = before and before[-1].speaker != episode.speaker and "?" in before[-1].text
    mine = [turn for turn in before if turn.speaker == episode.speaker and turn.role == episode.role]
    if match is None or asked or not mine or not (match["opens"] or match["is"]):
        return None
    words = episode.text[match.end() :].strip(" \t\n.!,")
    new = _time(words, episode.said_at.local())
    # "It's Friday!" moves nothing: it takes a word of correction, a preposition, or what it is not.
    if new is None or not (match["opens"] or match["on"] or new.end < len(words)):
        return None
    ahead = [one for one in read(mine[-1], mine[-5:-1]) if not one.negative and _is_occasion(one)]
    if len({one.valid.start for one in ahead}) != 1:
        return None
    start = episode.text.index(words, match.end())
    span = start, start + len(words)
    return [again(episode, one, one.object, at_its_hour(new.text, episode, one), span) for one in ahead]


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
    return dated and find(claim.predicate).temporal == "event" and claim.predicate != "expires_on"  # a day is its value


def at_its_hour(words: str, episode: Episode, claim: Claim) -> Stretch | None:
    """The new time; a time of day alone is one of the day that was said before, a day alone one of its month. A number
    alone is no time of what has a figure: "make that 205", after "the rent goes to 215 in March"."""
    if words.isdigit() and find(claim.predicate).temporal != "event" and any(map(str.isdigit, claim.object)):
        return None
    start, at = claim.valid.start, episode.said_at.local()
    if start is not None and (CLOCK.fullmatch(words) or _LATER.search(episode.text)):
        at = Instant(start, claim.valid.offset).local().replace(hour=0, minute=0, second=0, microsecond=0)
    elif start is not None and BARE_DAY.match(words):
        at = Instant(start, claim.valid.offset).local().replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    found = _time(words, at, claim.object)
    if found is None or found.stretch is None or _CERTAIN_HALF.search(found.text):
        return None if found is None else found.stretch
    return _in_its_half(found.stretch, claim)


_CERTAIN_HALF = re.compile(r"(?i)\d\s*[ap]\.?m\b|morning|noon|evening|night|\b0\d[:.]")


def _in_its_half(new: Stretch, claim: Claim) -> Stretch:
    """What was in the evening is still in the evening, where only an hour below twelve is said: "it's at 7 now"."""
    old = claim.valid
    if {old.precision, new.precision} != {Precision.EXACT} or old.start is None or new.start is None:
        return new
    before, after = Instant(old.start, old.offset).local().hour, Instant(new.start, new.offset).local().hour
    if before < 12 or not 0 < after < 12:
        return new
    half = 12 * 3600 * 1_000_000
    return replace(new, start=new.start + half, end=None if new.end is None else new.end + half)


def again(episode: Episode, claim: Claim, value: str, valid: Stretch | None, span: tuple[int, int]) -> Claim:
    key = "\x1f".join((episode.id, *map(str, span), claim.subject, claim.predicate, value, "correct"))
    return replace(
        claim, id=blake2b(key.encode(), digest_size=16).hexdigest(), episode=episode.id, start=span[0], end=span[1],
        object=value, valid=valid or claim.valid, cue="correct",
        replaces=None if value == claim.object else claim.object, said_at=episode.said_at, session=episode.session,
        position=episode.position,
    )  # fmt: skip
