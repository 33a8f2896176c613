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
_MINE = re.compile(r"(?i)(?:my |our |the )?(?P<thing>[a-z][\w-]{3,})")
_WHOSE = (
    r"(?P<whose>(?:my )?(?:[\w-]+(?=['’]s)|(?:mum|mam|mom|dad|nan|gran|wife|husband|son|daughter|brother|sister)"
    r"(?=s )))['’]?s"
)
_OWNERS = re.compile(rf"(?i)(?:{_WHOSE}|(?P<them>his|her|their)) (?P<thing>[a-z][\w-]{{3,}})")
_OWNED = re.compile(rf"(?i){_WHOSE} \Z")
"""Before a medicine, whose it is."""
_THEIRS = re.compile(r"(?i)['’]?s (?!(?:still|only|just|back|down|been|gone|going)\b)(?P<thing>[a-z][\w-]{3,})\b")
_FIGURES = frozenset(["measure", "other", "medicine"])
_SENTENCE = re.compile(r"[.!?;\n]")


def as_doses(text: str, found: Sequence[Statement], reader: Reader) -> list[Statement]:
    """Statements, of which those that say the dose of a medicine are of that, and the medicine has not ended by it."""
    dosed = {one: _of_its_medicine(text, one, found, reader) for one in found if _is_dose(text, one)}
    things = [one.of for one in dosed.values() if one is not None and one.of is not None]
    return [
        dosed.get(one) or one
        for one in found
        if not (one.predicate == "medicine" and any(_overlap(one.value, thing) for thing in things))
    ]


def dose_of(value: str) -> str:
    """The medicine of a value that gives its dose, without the dose; "" where it gives none."""
    found = _DOSED.fullmatch(value) if _DOSE.search(value) is not None else _UNITLESS.fullmatch(value)
    return "" if found is None else found["thing"].strip()


def _is_dose(text: str, said: Statement) -> bool:
    return said.predicate in _FIGURES and _DOSE.fullmatch(text, *said.value) is not None


def _of_its_medicine(text: str, said: Statement, found: Sequence[Statement], reader: Reader) -> Statement | None:
    """A dose as one of the medicine that its sentence names beside it, or whose owner is its subject, or that is."""
    subject = said.subject
    beside = [
        one
        for one in found
        if one.predicate == "medicine" and one is not said and not _DOSE.search(text, *one.value)
        and _SENTENCE.search(text, *sorted((one.value.end, said.value.start))) is None
    ]  # fmt: skip
    if beside:
        return _taken(said, beside[-1].value, beside[-1].subject, reader)
    if subject is None:
        return None
    if (owners := _OWNERS.fullmatch(text, *subject)) is not None:
        whose = owners.span("whose" if owners["whose"] else "them")
        return _taken(said, Words(*owners.span("thing")), Words(*whose), reader)
    if (theirs := _THEIRS.match(text, subject.end)) is not None:
        return _taken(said, Words(*theirs.span("thing")), subject, reader)
    named = _MINE.fullmatch(text, *subject)
    if named and (owned := _OWNED.search(text, 0, named.start("thing"))) is not None:
        return _taken(said, Words(*named.span("thing")), Words(*owned.span("whose")), reader)
    return _taken(said, Words(*named.span("thing")), None, reader) if named and said.predicate != "medicine" else None


def _taken(said: Statement, thing: Words, whose: Words | None, reader: Reader) -> Statement:
    status = "begins" if said.status == "event" else said.status
    return of_predicate(replace(said, of=thing, subject=whose, status=status), "medicine", reader)


def _overlap(one: Words, other: Words) -> bool:
    return one.start < other.end and other.start < one.end
