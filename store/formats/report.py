"""What an importer passed over is never silent: each part that was not taken is counted under its reason, with a place.

`Options` is what the person chose; `Report` is filled in while a reader's turns are taken, and is complete when the
reader has ended.

A stamp is read by its unit or refused: a number's size says its unit, and a time before 1990 or after now is none.
Programs write UTC whatever the person's clock showed; such a stamp is moved into the person's zone, so that "last
night" is read in the night that they meant. A stamp with an offset of its own keeps it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from hashlib import blake2b
from typing import Any

from store.errors import BadInput, BadTime
from store.records import EPOCH, Instant, Turn
from store.text.cleaning import cleaned, quoted
from store.time.expressions import parse_iso

MOST_SENTENCES = 1000
"""Reasons that are kept with their place; above that they are only counted."""
LONGEST_STRING = 100_000
"""Characters of one string in a raw message; longer ones are pictures and the like, and are cut out of it."""
EARLIEST = 631_152_000
"""1990, in seconds."""
BEYOND = 4_102_444_800
"""2100, in seconds."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the person chose for an import."""

    zone: tzinfo
    """Of times that have none, and in which machine-written UTC stamps are shown."""
    latest: Instant | None = None
    """No machine-written stamp lies after this (a day after now); None lets every one through."""
    unremembered: bool = False
    """Also conversations that were marked as not to be remembered: kept, and never read for beliefs."""
    item: str | None = None
    """Which history of a file that holds several: its number from 1, or its name."""
    me: frozenset[str] = frozenset()
    """Speakers who are the person, in lower case: a chat is not named after them."""


@dataclass(slots=True)
class Report:
    """What a reader met; filled in while its turns are taken."""

    turns: int = 0
    skipped: list[str] = field(default_factory=list)
    """One sentence for each message or conversation that was not taken, with its line."""
    reasons: Counter[str] = field(default_factory=Counter)
    """How many messages were passed over for which reason."""
    notes: list[str] = field(default_factory=list)
    """What was read, and deserves a second look."""
    branches: int = 0
    """Abandoned branches: retries and edits that the conversation did not go on from."""
    inactive: int = 0
    """Turns that are kept and not read for beliefs."""
    untimed: int = 0
    """Turns that had no time of their own and were given that of the message nearest to them."""
    sessions: set[str] = field(default_factory=set)
    first: Instant | None = None
    last: Instant | None = None

    def take(self, turn: Turn, *, timed: bool = True) -> Turn:
        """Count a turn that was read, and whether its time is its own; gives it with words that SQLite can hold."""
        turn = cleaned(turn)
        self.turns += 1
        self.untimed += not timed
        self.inactive += turn.inactive
        self.sessions.add(turn.session)
        if turn.said_at is not None:
            self.reach(turn.said_at)
        return turn

    def reach(self, said: Instant) -> None:
        """Note when something was said."""
        self.first = said if self.first is None else min(self.first, said)
        self.last = said if self.last is None else max(self.last, said)

    def skip(self, where: str, reason: str, messages: int = 1) -> None:
        """Count messages that were not taken. `where` names them for the person; equal reasons are counted together."""
        self.reasons[reason] += messages
        if len(self.skipped) < MOST_SENTENCES:
            self.skipped.append(f"{where}: {reason}" if where else reason)

    @property
    def skips(self) -> int:
        """How many messages were passed over, those above MOST_SENTENCES too."""
        return self.reasons.total()


# A file may hold anything in any place: what is not of the kind that is looked for reads as empty.


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def mapped(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def objects(value: Any) -> list[dict[str, Any]]:
    """The JSON objects in a list."""
    return [one for one in listed(value) if isinstance(one, dict)]


def words(value: Any) -> str | None:
    """The value if it is a text that is not blank."""
    return value if isinstance(value, str) and value.strip() else None


def json_object(text: Any) -> dict[str, Any]:
    """The object that a text is the JSON of."""
    try:
        return mapped(json.loads(text)) if isinstance(text, str) else {}
    except (ValueError, RecursionError):
        return {}


def digest(text: str) -> str:
    """A name made of a text, for what has none of its own."""
    return blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()


def raw(message: Any) -> str | None:
    """A message of the source as compact JSON, without its pictures; None where it is nested too deeply."""
    try:
        return json.dumps(_without_bulk(message), ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        return None


def _without_bulk(value: Any) -> Any:
    if isinstance(value, str):
        return value if len(value) <= LONGEST_STRING else f"<{len(value)} characters left out>"
    if isinstance(value, list):
        return [_without_bulk(one) for one in value]
    if isinstance(value, dict):
        return {name: _without_bulk(one) for name, one in value.items()}
    return value


def epoch(number: float, zone: tzinfo) -> Instant:
    """A number of seconds, milliseconds or microseconds since 1970, told apart by its size. Raises BadInput outside
    of 1990 to 2100."""
    size = abs(number)
    seconds = 0.0 if size > 1e17 else number / 1e6 if size > 1e14 else number / 1e3 if size > 1e11 else number
    if not EARLIEST <= seconds < BEYOND:
        raise BadInput(f"its time {quoted(number)} is outside of 1990 to 2100.")
    return Instant.of((EPOCH + timedelta(seconds=seconds)).astimezone(zone))


def stamp(value: Any, options: Options) -> Instant | None:
    """A machine-written stamp, a number or ISO 8601, which is UTC where it has no offset; None where there is none.

    Raises BadInput or BadTime for one that cannot be read or is out of range.
    """
    if value is None or value == "" or isinstance(value, bool):
        return None
    if isinstance(value, str) and value.strip().replace(".", "", 1).isdigit():
        value = float(value)
    if isinstance(value, int | float):
        said = epoch(value, options.zone)
    elif isinstance(value, str):
        moment = datetime.fromisoformat(parse_iso(value, UTC).iso())
        said = Instant.of(moment if moment.utcoffset() else moment.astimezone(options.zone))
    else:
        raise BadTime(f"{str(value)[:40]!r} is not a time")
    if said.us < EARLIEST * 1_000_000 or (options.latest is not None and said.us > options.latest.us):
        raise BadTime(f"its time {said.iso()} lies before 1990 or after now.")
    return said


def stamp_of(item: Mapping[str, Any], options: Options, *names: str) -> Instant | None:
    """The first of these fields that is a stamp; None where a neighbour's time has to stand in."""
    for name in names:
        try:
            if (said := stamp(item.get(name), options)) is not None:
                return said
        except (BadInput, BadTime, OverflowError, ValueError):
            continue
    return None
