"""An occasion that is called off by its own words takes place no more: "the trip fell through", "Tenby's off"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from store.reading.encoder import Statement, Words
from store.reading.subjects import is_pronoun

_OFF = re.compile(
    r"(?i)(?:(?:['’]?s| is| are| was| has been| got)(?: now| all| just| also)? "
    r"off(?=\s*(?:[,.;!?:)]|\Z|(?:now|then|again|its|it['’]s|bc|because|cos|so|as|till|until|and|but)\b))"
    r"|(?:['’]s(?: been)?| is| are| was| has been| got)(?: now| all| just| also)? "
    r"(?:called off|cancell?ed|scrapped|not (?:happening|going ahead)|fallen through)"
    r"| (?:isn['’]?t|aren['’]?t) (?:happening|going ahead)| (?:has )?fell through| has fallen through)(?!\w)"
)
_CLAUSE = re.compile(r"[.!?;:,\n]\s*|\b(?:and|but|so|because|cos|that|as) ")
_LEADING = re.compile(r"(?i)\W*(?:(?:the|our|my|that|this|sadly|unfortunately|now|then|well|oh|ok|also) )*")
_DATED = re.compile(
    r"(?i) (?:on|in|at|for|from|this|next|of) (?:(?:the|this|next) )?"
    r"(?:\d|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|tomorrow|tonight|week|month|noon"
    r"|morning|afternoon|evening).*\Z"
)
_NONE = re.compile(
    r"(?i)(?:i|we|you|there|it|that|this|everything|(?:\w+ )*(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|day|week|night|month|hour|weekend|shift|light|phone|telly|tv)s?)\b"
)
"""Who is off, what is switched off, and the days that one has off."""
MOST_WORDS = 5
PLANS = {"move": ("lives_in",), "relocation": ("lives_in",), "job": ("works_at", "job")}
"""What is to be no more where this is called off: "the move is off", "the new job fell through"."""


def called_off(text: str, found: Sequence[Statement]) -> Iterator[Statement]:
    """The statements of a text; of what it calls off, in the words of the occasion, that alone."""
    off = [
        (what, end)
        for what, end in (*off_in(text), *_decided_against(text))
        if not any(_is_known(text, one, what) for one in found)
    ]
    for one in found:
        if not any(what.start <= one.value.start < end or _holds(one, what) for what, end in off):
            yield one
    for what, end in off:
        said = Statement(what, "event", "cancelled", None, None, 1.0, (1.0, 1.0, 1.0, 1.0))
        meant = [one for one in found if what.start <= one.value.start < end and one.revises is not None]
        yield replace(said, revises=meant[0].revises, revising=meant[0].revising) if meant else said


def _holds(one: Statement, what: Words) -> bool:
    """Whether a value has the words of an occasion and more: "decided against the puppy"."""
    return one.value.start < what.start and what.end <= one.value.end


_AGAINST = re.compile(
    r"(?i)\b(?:decided|voted) against (?:(?:getting|having|buying|doing|going on|taking) )?(?:(?:the|an?|our|my) )?"
    r"(?P<what>[a-z][\w -]{1,30})(?=\W*(?:\Z|[.,;!?]|\bafter all\b|\band\b|\bbut\b))"
)


_KNOCKED = re.compile(
    r"(?i)\b(?:knock(?:ed|ing)?|put) (?:(?:the|our|my|that) )?(?P<what>[a-z0-9][\w -]{1,30}?) on the head\b"
)


def _decided_against(text: str) -> Iterator[tuple[Words, int]]:
    """What somebody decided against, or knocked on the head, as off_in gives it: "we decided against the puppy"."""
    for found in chain(_AGAINST.finditer(text), _KNOCKED.finditer(text)):
        yield Words(*found.span("what")), found.end()


def off_in(text: str) -> list[tuple[Words, int]]:
    """(the words of an occasion, where the words end that call it off), of each that a text calls off."""
    found = ((_occasion(text, match.start()), match.end()) for match in _OFF.finditer(text))
    return [(what, end) for what, end in found if what is not None]


def _is_known(text: str, one: Statement, what: Words) -> bool:
    """Whether the reader says of these very words that something else than an occasion is over: a home, a post."""
    over = one.status in ("cancelled", "ends", "not") and one.predicate not in ("event", "other")
    noun = text[slice(*one.value)].lower().rpartition(" ")[2]
    return over and noun not in PLANS and one.value.start < what.end and what.start < one.value.end


def _occasion(text: str, end: int) -> Words | None:
    """The words before a place that name an occasion; None where nothing or nobody is named."""
    start = max((mark.end() for mark in _CLAUSE.finditer(text, 0, end)), default=0)
    leading = _LEADING.match(text, start, end)
    start = start if leading is None else leading.end()
    dated = _DATED.search(text, start, end)
    end = end if dated is None else dated.start()
    words = text[start:end].split()
    if not 0 < len(words) <= MOST_WORDS or is_pronoun(words[0].lower()) or _NONE.match(" ".join(words)):
        return None
    return Words(start, end)
