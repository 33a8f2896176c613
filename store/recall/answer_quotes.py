"""A turn is quoted only if one sentence of it, by the one whom the question is about, holds every word that matters.

The quote comes with its date and says that it is one. Questions, conditions, wishes and an assistant's words are never
quoted, and a question that names somebody is never answered by a sentence that does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from store.recall.answer_frame import Asking
from store.recall.answer_values import FREQUENCY
from store.recall.answer_words import LIGHT, keys
from store.recall.wording import date_of, day
from store.records import Answer, Hit, Source
from store.time import read_times

LEAST = 3
"""Words that must agree before a turn is quoted."""
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
_UNREAL = re.compile(
    r"(?i)\b(?:if|would|could|wish|maybe|perhaps|might|imagine|suppose|hypothetically|pretend|translate|the user|"
    r"assistant|"
    r"note to|remember that|joking|kidding)\b|[?\"“”]"
)
_NEGATED = re.compile(r"(?i)\b(?:not|never|no longer|no)\b|n['’]t\b")
_FIRST = re.compile(r"(?i)\b(?:i|i['’]\w+|my|me|we|our|us|mine)\b")
_PLACE = re.compile(
    r"\b(?:in|at|to|from|near|on|into|under|behind|inside|beside|between|above|below|by)\s+(?:the\s+|my\s+"
    r"|our\s+|an?\s+)?\w+"
)
_NAME = re.compile(r"(?<!^)(?<![.!?] )\b[A-Z]\w+")
_TIME = re.compile(r"(?i)\b(?:\d+|yesterday|today|tomorrow|last|next|ago|monday|tuesday|wednesday|thursday"
                   r"|friday|saturday|sunday|"
                   r"january|february|march|april|may|june|july|august|september|october|november"
                   r"|december)\b")  # fmt: skip


_REASON = re.compile(r"(?i)\b(?:because|since|so that|in order to|due to|the reason|as (?:i|we|it|they|he|she)\b)\b")
_LENGTH = re.compile(
    r"(?i)\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|few|several|\d+) (?:seconds?|minutes?"
    r"|hours?|days?|weeks?|months?|years?)\b(?! ago)"
)


def quoted(asking: Asking) -> Answer | None:
    """The sentence that clearly answers, quoted with its date; None where none does."""
    wanted = _wanted(asking)
    if len(wanted) < LEAST - (asking.question.wh in ("when", "where")) or asking.question.kind in (
        "yes_no",
        "profile",
        "how_many",
        "times",
        "which_first",
        "between",
    ):
        return None
    for hit in asking.beliefs.turns(" ".join(asking.question.words), 8, asking.believed):
        if hit.kind != "episode" or not _in_frame(asking, hit):
            continue
        for start, said in _sentences(hit.text):
            if _answers(asking, hit, said, wanted):
                return _quote(hit, start, said, dates=asking.question.wh == "when")
    return None


def _wanted(asking: Asking) -> frozenset[str]:
    return frozenset(asking.question.keys) - LIGHT


def _in_frame(asking: Asking, hit: Hit) -> bool:
    """A question about a named time is answered only by what was said in it."""
    frame = asking.frame
    return frame.stretch is None or frame.start <= hit.said_at.us < frame.end


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    for found in _SENTENCE.finditer(text):
        said = found.group()
        yield found.start() + len(said) - len(said.lstrip()), said.strip()


def _answers(asking: Asking, hit: Hit, said: str, wanted: frozenset[str]) -> bool:
    """Whether the sentence holds the question's words, speaks of the same one, and holds what is asked for."""
    speaker = hit.speaker.lower()
    if speaker in ("assistant", "system", "tool") or _UNREAL.search(said):
        return False
    if _NEGATED.search(said) and not asking.question.negated:
        return False
    subjects = {one.lower() for one in asking.asked.subjects}
    by_them = speaker in subjects and bool(_FIRST.search(said))
    needed = wanted - keys(hit.speaker) if by_them else wanted
    words = keys(said)
    least = LEAST - (by_them and asking.question.wh in ("when", "where"))
    if not needed <= words or len(needed) < least or not _about(asking, hit, said, by_them):
        return False
    return _holds_answer(asking.question.wh, said, words - needed)


def _about(asking: Asking, hit: Hit, said: str, by_them: bool) -> bool:
    if by_them:
        return True
    if asking.asked.subjects[:1] == ("me",):
        return hit.speaker.lower() in ("me", "user") and bool(_FIRST.search(said))
    return asking.asked.primary is not None and not asking.asked.unresolved


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


def _meant(hit: Hit, said: str) -> str:
    """The dates that the quote's own words mean ("last Friday"), read at the moment when they were said."""
    found = [one.stretch for one in read_times(said, hit.said_at.local()) if one.kind == "point" and one.stretch]
    named = [date_of(first, one.precision) for one in found if (first := one.first()) is not None]
    return f" ({', '.join(dict.fromkeys(named))})" if named else ""


def _quote(hit: Hit, start: int, said: str, *, dates: bool) -> Answer:
    end = start + len(said)
    source = Source(hit.id, hit.external_id, start, end, hit.text[start:end], hit.said_at, hit.speaker, hit.session)
    who = "you" if hit.speaker.lower() in ("me", "user") else hit.speaker
    text = f'A quote, not a belief: on {day(hit.said_at)} {who} said: "{said}"{_meant(hit, said) if dates else ""}'
    return Answer(text, 2, False, 0.0, (), (source,))
