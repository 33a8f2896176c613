"""A line is a turn or a reason why not: nothing is guessed, and one bad line keeps no other from being read.

One object a line: `session`, `id`, `speaker`, `role`, `text`, `said_at`; `content` and `timestamp` do for `text` and
`said_at`, `title` names the session, and `position` gives the turn's place in it (else the order of the lines does).
A line without a time is taken at the time of the line before it in its session, else it is passed over.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

from store.errors import BadInput, BadTime
from store.records import EPOCH, Instant, Role, Turn
from store.time import parse_iso

ROLES: dict[str, Role] = {
    "user": "user", "human": "user", "assistant": "assistant", "ai": "assistant", "system": "system", "tool": "tool",
}  # fmt: skip
LONGEST_LINE = 8 * 1024 * 1024


@dataclass(slots=True)
class Report:
    """What a reader met; filled in while its turns are taken."""

    turns: int = 0
    skipped: list[str] = field(default_factory=list)
    """One sentence for each part that could not be read, with its line."""


def read(path: Path, zone: tzinfo, report: Report) -> Iterator[Turn]:
    """The turns of a file, in its order. Raises BadInput if the file cannot be opened."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}.") from error
    with file:
        places: Counter[str] = Counter()
        last: dict[str, Instant] = {}
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                turn = _turn(line, path.stem, zone, places, last)
            except (BadInput, BadTime) as error:
                report.skipped.append(f"{path.name} line {number}: {error}")
                continue
            report.turns += 1
            yield turn


def _turn(line: bytes, stem: str, zone: tzinfo, places: Counter[str], last: dict[str, Instant]) -> Turn:
    item = _object(line)
    session = str(item.get("session") or item.get("conversation_id") or stem)
    role = ROLES.get(str(item.get("role", "user")).lower())
    if role is None:
        raise BadInput(f"the role {item['role']!r} is none of user, assistant, system, tool.")
    said_at = _said_at(item, zone, last.get(session))
    last[session] = said_at
    place = item.get("position")
    external = item.get("id")
    turn = Turn(
        text=_text(item), session=session, speaker=str(item.get("speaker") or item.get("name") or _speaker(role)),
        role=role, said_at=said_at, external_id=None if external is None else str(external), source="import:jsonl",
        title=item.get("title"), place=place if isinstance(place, int) else places[session],
        cut=bool(item.get("cut")), inactive=bool(item.get("inactive")),
    )  # fmt: skip
    places[session] += 1
    return turn


def _object(line: bytes) -> dict[str, Any]:
    if len(line) > LONGEST_LINE:
        raise BadInput(f"it is longer than {LONGEST_LINE} bytes.")
    try:
        item = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"it is not JSON ({error}).") from error
    if not isinstance(item, dict):
        raise BadInput("it is not a JSON object.")
    return item


def _speaker(role: Role) -> str:
    return "me" if role == "user" else role


def _text(item: dict[str, Any]) -> str:
    text = item.get("text", item.get("content"))
    if isinstance(text, list):
        text = "\n".join(str(part.get("text", "")) for part in text if isinstance(part, dict))
    if not isinstance(text, str) or not text.strip():
        raise BadInput('it has no text under "text" or "content".')
    return text


def _said_at(item: dict[str, Any], zone: tzinfo, before: Instant | None) -> Instant:
    given = item.get("said_at", item.get("timestamp", item.get("ts", item.get("created_at"))))
    if isinstance(given, str):
        return parse_iso(given, zone)
    if isinstance(given, int | float) and not isinstance(given, bool):
        return epoch(given, zone)
    if before is None:
        raise BadInput('it has no time under "said_at" or "timestamp".')
    return before


def epoch(number: float, zone: tzinfo) -> Instant:
    """A number of seconds, milliseconds or microseconds since 1970, told apart by its size. Raises BadInput outside
    of 1990 to 2100."""
    size = abs(number)
    seconds = number / 1e6 if size > 1e14 else number / 1e3 if size > 1e11 else number
    if not 631_152_000 <= seconds < 4_102_444_800:
        raise BadInput(f"its time {number} is outside of 1990 to 2100.")
    moment: datetime = EPOCH + timedelta(seconds=seconds)
    return Instant.of(moment.astimezone(zone))
