"""A turn is quoted only where it clearly answers, by the one whom the question is about; a quote says that it is one.

Two ways to be clear: one sentence holds every word that matters, or the gate (gate.py) is as sure as nine quotes in ten
were right. Conditions, pretence and an assistant's words are never quoted, and a question that names somebody is never
answered by a turn that does not, nor one about a time by what was said long after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from store.recall import gate
from store.recall.answer_frame import Asking
from store.recall.answer_values import FREQUENCY
from store.recall.answer_words import LIGHT, keys
from store.recall.evidence import Evidence
from store.recall.gate_weights import QUOTED
from store.recall.questions import Kind
from store.recall.wording import date_of, day
from store.records import Answer, Hit, Source
from store.time import read_times

LEAST = 3
"""Words that must agree before a sentence is quoted for its words alone."""
HELD = 0.5
"""How much of each word a turn must hold at least, where the person asks about themselves: they use their own words."""
LONGEST = 240
"""Characters of a quote; what is shorter is quoted whole."""
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?]+|\n|$)")
_UNREAL = re.compile(
    r"(?i)\b(?:if|would|could|wish|maybe|perhaps|might|imagine|suppose|hypothetically|pretend|translate|the user|"
    r"assistant|note to|remember that|joking|kidding)\b|[?\"“”]"
)
_PRETENDED = re.compile(
    r"(?i)\bif (?:i|we)\b|\b(?:wish|imagine|suppose|hypothetically|pretend|translate|the user|assistant|joking"
    r"|kidding)\b"
)
"""What makes a whole turn unfit to be quoted for more than its words."""
_NEGATED = re.compile(r"(?i)\b(?:not|never|no longer|no)\b|n['’]t\b")
_PLACE = re.compile(
    r"\b(?:in|at|to|from|near|on|into|under|behind|inside|beside|between|above|below|by)\s+(?:the\s+|my\s+"
    r"|our\s+|an?\s+)?\w+"
)
_ASKED = re.compile(r"[^.!?…。？！\n]*[?？]+[\"'”’)\s]*")
"""A question: what is left without them is said."""
_NAME = re.compile(r"(?<!^)(?<![.!?] )\b[A-Z]\w+")
_TIME = re.compile(
    r"(?i)\b(?:\d+|yesterday|today|tomorrow|last|next|ago|monday|tuesday|wednesday|thursday|friday|saturday|sunday|"
    r"january|february|march|april|may|june|july|august|september|october|november|december)\b"
)
_REASON = re.compile(r"(?i)\b(?:because|since|so that|in order to|due to|the reason|as (?:i|we|it|they|he|she)\b)\b")
_LENGTH = re.compile(
    r"(?i)\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|few|several|\d+) (?:seconds?|minutes?"
    r"|hours?|days?|weeks?|months?|years?)\b(?! ago)"
)
_UNQUOTED: frozenset[Kind] = frozenset(
    ("yes_no", "profile", "times", "which_first", "between", "changed", "before", "after")
)
"""Kinds of question that no single sentence settles."""


def quoted(asking: Asking, evidence: Sequence[Evidence], found: Sequence[dict[str, float]]) -> Answer | None:
    """The turn that clearly answers, quoted with its date; None where none does. `found` are its features."""
    if asking.question.kind in _UNQUOTED:
        return None
    for one in evidence:
        span = _sentence(asking, one)
        if span is not None:
            return _quote(asking, one.hit, *span)
    likely = [(gate.answers(told), place) for place, told in enumerate(found) if may_answer(asking, evidence[place])]
    sure, place = max(likely, default=(0.0, 0))
    if sure < QUOTED or (gate.concerns_me(asking) and found[place]["least"] < HELD):
        return None
    return quote_of(asking, evidence[place])


def quote_of(asking: Asking, one: Evidence) -> Answer:
    """A turn as the answer, quoted: all of it, or the part of a long one that says most."""
    return _quote(asking, one.hit, *_passage(asking, one))


def may_answer(asking: Asking, one: Evidence) -> bool:
    """Whether a turn is one that may be quoted at all: by or about the right one, real, and of the time asked about.
    One that only asks says nothing, and least of all the very question, which the chat has just written down.
    """
    hit = one.hit
    if not _ASKED.sub("", hit.text).strip() or hit.text.strip() == asking.question.text.strip():
        return False
    if hit.speaker.lower() in ("assistant", "system", "tool") or not _in_frame(asking, hit):
        return False
    if _PRETENDED.search(hit.text[slice(*_passage(asking, one))]):
        return False
    said = keys(hit.text) | keys(one.before) | keys(hit.speaker)
    if gate.concerns_me(asking) and not (one.mine and gate.FIRST.search(hit.text)):
        return False
    return asking.asked.names <= said and (gate.is_by(asking, one) or _names(asking, said))


def _names(asking: Asking, said: frozenset[str]) -> bool:
    """Whether words that are not by the one whom the question is about name them at least."""
    primary = asking.asked.primary
    if primary is None or not primary.person:
        return True
    known = keys(" ".join(primary.subjects))
    return not asking.asked.unresolved and bool((known | primary.keys) & said)


def _in_frame(asking: Asking, hit: Hit) -> bool:
    """A question about a named time is answered by what was said in it, or in the weeks after."""
    frame = asking.frame
    return frame.stretch is None or frame.start <= hit.said_at.us < frame.end + gate.SOON


# ----------------------------------------------------------------------------- one sentence that holds every word


def _sentence(asking: Asking, one: Evidence) -> tuple[int, int] | None:
    """Where the sentence stands that holds the question's words, speaks of the same one, and holds what is asked."""
    wanted = frozenset(asking.question.keys) - LIGHT
    short = asking.question.wh in ("when", "where")
    frame = asking.frame
    if len(wanted) < LEAST - short or not may_answer(asking, one) or asking.question.kind == "how_many":
        return None
    if frame.stretch is not None and not frame.start <= one.hit.said_at.us < frame.end:
        return None
    for start, end in _sentences(one.hit.text):
        if _holds_all(asking, one, one.hit.text[start:end], wanted):
            return start, end
    return None


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    for found in _SENTENCE.finditer(text):
        said = found.group()
        yield found.start() + len(said) - len(said.lstrip()), found.start() + len(said.rstrip())


def _holds_all(asking: Asking, one: Evidence, said: str, wanted: frozenset[str]) -> bool:
    if _UNREAL.search(said) or (_NEGATED.search(said) and not asking.question.negated):
        return False
    by_them = gate.is_by(asking, one) and bool(gate.FIRST.search(said))
    needed = wanted - keys(one.hit.speaker) if by_them else wanted
    words = keys(said)
    least = LEAST - (by_them and asking.question.wh in ("when", "where"))
    if not needed <= words or len(needed) < least:
        return False
    if not by_them and (asking.asked.about_me or asking.asked.primary is None or asking.asked.unresolved):
        return False
    return _holds_answer(asking.question.wh, said, words - needed)


def _holds_answer(wh: str, said: str, others: frozenset[str]) -> bool:
    if wh == "where":
        return bool(_PLACE.search(said)) and bool(others)
    if wh == "when":
        return bool(_TIME.search(said))
    if wh == "who":
        return bool(_NAME.search(said))
    if wh == "why":
        return bool(_REASON.search(said))
    if wh == "how long":
        return bool(_LENGTH.search(said))
    if wh == "how often":
        return bool(FREQUENCY.search(said))
    if wh.startswith("how") and wh != "how":
        return any(char.isdigit() for char in said) or bool(others)
    return len(others - LIGHT) >= 1


# --------------------------------------------------------------------------------------------------- the passage


def _passage(asking: Asking, one: Evidence) -> tuple[int, int]:
    """The part of a turn that is quoted: all of it, or of a long one the sentences around that which says most."""
    text = one.hit.text
    if len(text) <= LONGEST:
        return 0, len(text.rstrip())
    spans = list(_sentences(text))
    wanted = frozenset(asking.question.keys)
    best = max(range(len(spans)), key=lambda at: (len(wanted & keys(text[slice(*spans[at])])), -at))
    first, last = best, best
    while last + 1 < len(spans) and spans[last + 1][1] - spans[first][0] <= LONGEST:
        last += 1
    return spans[first][0], min(spans[last][1], spans[first][0] + LONGEST)


def _meant(hit: Hit, said: str) -> str:
    """The dates that the quote's own words mean ("last Friday"), read at the moment when they were said."""
    found = [one.stretch for one in read_times(said, hit.said_at.local()) if one.kind == "point" and one.stretch]
    named = [date_of(first, one.precision) for one in found if (first := one.first()) is not None]
    return f" ({', '.join(dict.fromkeys(named))})" if named else ""


def _quote(asking: Asking, hit: Hit, start: int, end: int) -> Answer:
    said = hit.text[start:end]
    source = source_of(hit, start, end)
    who = "you" if hit.speaker.lower() in ("me", "user") else hit.speaker
    meant = _meant(hit, said) if asking.question.wh == "when" else ""
    text = f'A quote, not a belief: on {day(hit.said_at)} {who} said: "{said}"{meant}'
    return Answer(text, 2, False, 0.0, (), (source,))


def source_of(hit: Hit, start: int, end: int) -> Source:
    """The characters [start, end) of a turn."""
    return Source(hit.id, hit.external_id, start, end, hit.text[start:end], hit.said_at, hit.speaker, hit.session)
