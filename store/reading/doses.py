"""A dose is of the medicine that its words name, and takes the place of another dose of the same.

The reader takes "my levothyroxine went up to 100 micrograms" for a figure of a thing. What somebody takes is the dose
that they were told last.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from store.beliefs.values import DOSE_UNITS
from store.reading.encoder import Reader, Statement, Words
from store.reading.worded import of_predicate

_AMOUNT = rf"\d[\d.,/]*\s?(?:{DOSE_UNITS})\b"
_DOSE = re.compile(rf"(?i){_AMOUNT}")
_DOSED = re.compile(rf"(?i)(?:{_AMOUNT}(?: of)? )?(?P<thing>[^\W\d][\w -]*?)(?:,? {_AMOUNT})?")
_UNITLESS = re.compile(r"(?P<thing>[^\W\d][\w-]{3,}) \d[\d.,]*")
"""A medicine with its dose, as whoever takes it says it: "metformin 500"."""
_MINE = re.compile(r"(?i)(?:my|our|the) (?P<thing>[a-z][\w-]{3,})")
_TOOK = re.compile(r"(?i)\btook (?:an?|one|two|some) \Z")
_FIGURES = frozenset(["measure", "other", "medicine"])
_SENTENCE = re.compile(r"[.!?;\n]")


def as_doses(text: str, found: Sequence[Statement], reader: Reader) -> list[Statement]:
    """Statements, of which those that say the dose of a medicine are of that."""
    return [_of_its_medicine(text, one, found, reader) for one in found]


def dose_of(value: str) -> str:
    """The medicine of a value that gives its dose, without the dose; "" where it gives none."""
    found = _DOSED.fullmatch(value) if _DOSE.search(value) is not None else _UNITLESS.fullmatch(value)
    return "" if found is None else found["thing"].strip()


def _of_its_medicine(text: str, said: Statement, found: Sequence[Statement], reader: Reader) -> Statement:
    """A dose as one of the medicine that its sentence names beside it, or that is its subject."""
    if said.predicate == "medicine" and said.status == "begins" and _TOOK.search(text, 0, said.value.start):
        return replace(said, status="was")  # "I took an aspirin"
    if said.predicate not in _FIGURES or _DOSE.fullmatch(text, *said.value) is None:
        return said
    beside = [
        one
        for one in found
        if one.predicate == "medicine" and one is not said and not _DOSE.search(text, *one.value)
        and _SENTENCE.search(text, *sorted((one.value.end, said.value.start))) is None
    ]  # fmt: skip
    named = _MINE.fullmatch(text, *said.subject) if said.subject is not None and said.predicate != "medicine" else None
    if beside:
        thing, whose = beside[-1].value, beside[-1].subject
    elif named is not None:
        thing, whose = Words(*named.span("thing")), None
    else:
        return said
    status = "begins" if said.status == "event" else said.status
    return of_predicate(replace(said, of=thing, subject=whose, status=status), "medicine", reader)
