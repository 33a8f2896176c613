"""A reply that speaks against a belief which the model was given is shown with that belief; it is never put right.

Only the words are compared, with the values that the belief's slot held at other times: in English, sentence by
sentence. It is there to make a person look, not to judge: a sentence that speaks of the past, asks, or names the
present value as well is left alone, so it misses more than it invents.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from store.errors import NotFound
from store.records import Fact, Hit

if TYPE_CHECKING:
    from store.memory import Memory

_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
_PAST = re.compile(
    r"\b(was|were|had|used to|until|till|before|previously|formerly|earlier|ago|once|back (then|in|when)|no longer|"
    r"any ?more|moved|left|sold|quit|stopped|changed|switched|lived|worked|liked|owned|ex|old|last|then|since)\b"
)
_DENIAL = re.compile(r"\b(not|never|no longer|isn['’]?t|aren['’]?t|don['’]?t|doesn['’]?t)\b")
_WORDS_BETWEEN = 4  # a denial further away from the value than so many words is about something else


class Doubt(NamedTuple):
    """A sentence of a reply, and the belief against which it speaks."""

    sentence: str
    fact: Fact


def doubts(memory: Memory, reply: str, given: Sequence[Hit]) -> tuple[Doubt, ...]:
    """What speaks against the beliefs among what the model was given."""
    beliefs: dict[tuple[str, tuple[str, ...]], Fact] = {}
    for hit in given:
        with suppress(NotFound):  # a sleep has folded its slot anew since
            fact = memory.beliefs.fact(hit.id) if hit.kind == "fact" else None
            if fact is not None and not fact.negative:  # what somebody is not has no value to compare
                beliefs[fact.object, _at_other_times(memory, fact)] = fact
    return tuple(
        Doubt(sentence, fact)
        for sentence in claims(reply)
        for (value, others), fact in beliefs.items()
        if contradicts(sentence, value, others)
    )


def _at_other_times(memory: Memory, fact: Fact) -> tuple[str, ...]:
    links = [link.fact for link in memory.beliefs.chain(fact.subject, fact.predicate)]
    holding = {one.object for one in links if one.valid_to is None and one.believed_to is None and not one.negative}
    if fact.valid_to is not None:
        holding = {fact.object}
    return tuple(dict.fromkeys(one.object for one in links if one.object not in holding))


def claims(reply: str) -> Iterator[str]:
    """The sentences that claim something; questions claim nothing."""
    for match in _SENTENCE.finditer(reply):
        sentence = match[0].strip()
        if sentence and not sentence.endswith("?"):
            yield sentence


def contradicts(sentence: str, value: str, others: Sequence[str]) -> bool:
    """Whether it speaks against a slot that holds this value, and held others at other times."""
    words, values = _folded(sentence), _parts(value)

    def names(part: str) -> bool:
        return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", words) is not None

    def denied(part: str) -> bool:
        near = " ".join(words[: words.find(part)].split()[-_WORDS_BETWEEN:])
        return _DENIAL.search(near) is not None

    if named := [part for part in values if names(part)]:
        return any(map(denied, named))
    outdated = any(names(part) for other in others for part in _parts(other) if part not in values)
    return outdated and _PAST.search(words) is None and _DENIAL.search(words) is None


def _parts(value: str) -> list[str]:
    """Lisbon, Alfama: either names the place."""
    return [part for piece in value.split(",") if (part := _folded(piece))]


def _folded(text: str) -> str:
    """Without case and diacritics."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(c for c in parts if not unicodedata.combining(c)).split())
