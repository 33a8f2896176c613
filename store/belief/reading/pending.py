"""An event that was named keeps its name while "it" is all that is said of it: "The hospital postponed dad's operation.
It's on the 4th of May now."
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from store.belief.reading.build import Draft
from store.belief.reading.lexicon import DETERMINERS
from store.belief.reading.lists import wordset
from store.belief.reading.look import Look
from store.belief.reading.nouns import EVENT_NOUNS
from store.belief.reading.words import Sentence, Token

_MOVED = re.compile(
    r"(?i)\b(?:postponed|moved|pushed|rescheduled|changed|shifted|brought forward|delayed|double-booked)\b"
)
_CARE = re.compile(r"(?i)\b(dentist|doctor|vet|physio|gp|hairdresser|optician|therapist|dermatologist)\b")
_DATELESS = wordset("on at in now scheduled set for instead")
_NEVER = wordset("call date class show game test talk move fair opening session visit holiday review training")
"""Event nouns that mean too much else to be what "it" is."""


def event_in(text: str, sentence: Sentence) -> tuple[str, bool] | None:
    """The last event of a sentence that somebody has, as it was written, and whether it is said to have moved."""
    tokens = sentence.tokens
    for at in range(len(tokens) - 1, 0, -1):
        if tokens[at].low not in EVENT_NOUNS or tokens[at].low in _NEVER:
            continue
        start = _start(tokens, at)
        if start is not None:
            words = text[tokens[start].start : tokens[at].end]
            plain = re.sub(r"(?i)^(?:the|my|our|a|an) ", "", words)
            return named_fully(text, plain), _MOVED.search(text[sentence.start : sentence.end]) is not None
    return None


def named_fully(text: str, event: str) -> str:
    """An appointment is one with the dentist where the turn speaks of just that."""
    kinds = {match.lower() for match in _CARE.findall(text)}
    return f"{kinds.pop()} appointment" if event.lower() == "appointment" and len(kinds) == 1 else event


def _start(tokens: Sequence[Token], at: int) -> int | None:
    """Where the noun phrase that ends at an index begins: at a determiner or at a name with its 's."""
    for start in range(at - 1, max(-1, at - 5), -1):
        low = tokens[start].low
        if low == "'s" and start:
            return start - 1
        if low in DETERMINERS:
            return start
        if tokens[start].kind != "word":
            return None
    return None


def timed_it(look: Look, event: str, moved: bool) -> Iterator[Draft]:
    """ "It's on the 4th of May now": the event that was named has that day."""
    clause = look.clause
    named = [one for one in look.clock.within(*look.raw.span()) if one.stretch is not None]
    when = look.clock.ahead(named[-1]) if named else None
    if clause.pronoun != "it" or look.lemma != "be" or clause.group.tense != "present" or clause.group.negative:
        return
    tail = {clause.low(at) for at in range(clause.group.after, clause.end) if clause.tokens[at].kind == "word"}
    if when is None or when.start is None or tail - _DATELESS:
        return
    again = moved or "now" in look.words()
    yield Draft("happened", event, "state", subject=look.scene.me, valid=when, negative=False,
                cue="correct" if again else "state", replaces=event if again else None)  # fmt: skip
