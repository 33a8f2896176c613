"""A row of the table names everything that its last turn may end; what it does not name must be believed on.

The table is `cases_pairs.txt`, which explains itself. `Seen` is what a memory believes, reduced to what rows speak of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from store.beliefs.predicates import find
from store.beliefs.values import value_key
from store.records import Fact

TABLE = Path(__file__).parent / "cases_pairs.txt"
KINDS = frozenset(
    ["update", "correct", "stop", "backfill", "periods", "future", "elaborate", "dispute", "reinforce", "many", "alike"]
)
ENDINGS = ("was", "never", "finer")

_TURN = re.compile(r"\s*(\d{4}-\d\d-\d\d(?:T\d\d:\d\d)?) (.+)", re.DOTALL)
_SLOT = re.compile(r"(.+) (\S+): (.+)")

Slot = tuple[str, str]
"""Whose, and which predicate."""
Value = tuple[str, str, str]
"""Whose, which predicate, and the key of the object; "not " before it where it is denied."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One row of the table."""

    kind: str
    turns: tuple[tuple[str, str], ...]
    """(day, words) of each; what the last one does is what is looked at."""
    slot: Slot
    now: dict[Slot, frozenset[str]]
    """The keys of what is believed now, by slot."""
    ended: dict[Value, str]
    """What the last turn ends, and how: one of ENDINGS."""
    on: dict[str, frozenset[str]] = field(default_factory=dict)
    """The keys of what the first slot held on a day."""
    missed: bool = False

    @property
    def name(self) -> str:
        return f"{self.kind}: {' // '.join(words for _, words in self.turns)}"


@dataclass(frozen=True, slots=True)
class Seen:
    """What is believed: of now, and of any time. An event is of now whenever it was."""

    now: frozenset[Value]
    ever: frozenset[Value]


def seen(facts: Iterable[Fact], now: int) -> Seen:
    """Reduce what is believed at one moment of belief."""
    held, ever = set(), set()
    for fact in facts:
        value = (fact.subject, fact.predicate, ("not " if fact.negative else "") + value_key(fact.object))
        ever.add(value)
        begun = fact.valid_from is None or fact.valid_from.us <= now
        going = fact.valid_to is None or fact.valid_to.us > now
        if find(fact.predicate).temporal == "event" or (begun and going):
            held.add(value)
    return Seen(frozenset(held), frozenset(ever))


def pairs() -> list[Pair]:
    """Every row of the table."""
    found, turns = list[Pair](), ""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("    "):
            found.append(_pair(_turns(turns), [cell.strip() for cell in line.split(";")]))
            turns = ""
        elif not line.startswith("#"):
            turns += f" {line}"
    return found


def _turns(text: str) -> tuple[tuple[str, str], ...]:
    matches = [_TURN.fullmatch(part) for part in text.split(" // ")]
    assert all(matches), text
    return tuple((match[1], match[2].strip()) for match in matches if match)


def _pair(turns: tuple[tuple[str, str], ...], cells: Sequence[str]) -> Pair:
    kind, first, *more = cells
    assert kind in KINDS, kind
    slot, values = _slot(first)
    pair = Pair(kind, turns, slot, {slot: _keys(values)}, {}, missed="missed" in more)
    for cell in more:
        word, _, rest = cell.partition(" ")
        if word in ENDINGS:
            (whose, predicate), values = _slot(rest) if _SLOT.fullmatch(rest) else (slot, rest)
            pair.ended.update({(whose, predicate, key): word for key in _keys(values)})
        elif word == "also":
            other, values = _slot(rest)
            pair.now[other] = _keys(values)
        elif word == "on":
            day, _, values = rest.partition(": ")
            pair.on[day] = _keys(values)
        else:
            assert word == "missed", cell
    return pair


def _slot(cell: str) -> tuple[Slot, str]:
    match = _SLOT.fullmatch(cell)
    assert match, cell
    return (match[1], match[2]), match[3]


def _keys(values: str) -> frozenset[str]:
    return frozenset(
        f"not {value_key(one[4:])}" if one.startswith("not ") else value_key(one)
        for one in values.split(" + ")
        if one != "-"
    )
