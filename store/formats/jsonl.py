"""A line is a turn or a reason why not: nothing is guessed, and one bad line keeps no other from being read.

One object a line: `session`, `id`, `speaker`, `role`, `text`, `said_at`; `content` and `timestamp` do for `text` and
`said_at`, `title` names the session, and `position` gives the turn's place in it (else the order of the lines does).
A line without a time is taken at the time of the line before it in its session, else it is passed over.

OpenAI's fine-tuning form, `{"messages": [...]}` a line, is read as a conversation a line; a file that is one JSON array
is read as its elements. A complete export of Erstwhile (its first line says so) is more than its turns: see
store.maintenance.complete.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from datetime import tzinfo
from pathlib import Path
from typing import IO, Any

from store.errors import BadInput, BadTime
from store.formats.archive import opened
from store.formats.conversation import ROLES
from store.formats.report import Report as Report
from store.formats.report import epoch, objects, words
from store.formats.stream import LONGEST_LINE, items, lines
from store.records import Instant, Turn
from store.text.cleaning import quoted
from store.time.expressions import parse_iso

COMPLETE = "erstwhile"
"""The `kind` of the first line of a complete export."""
LAST = "end"
"""The `kind` of its last line."""
VERSION = 1
"""Of the form of its lines; raise it when an older Erstwhile would take them wrongly, and not for a new kind."""
_TIMES = ("said_at", "timestamp", "ts", "created_at")
"""Fields that hold the time; the first that is there counts."""


def read(path: Path, zone: tzinfo, report: Report) -> Iterator[Turn]:
    """The turns of a file, in its order. Raises BadInput if the file cannot be opened."""
    with opened(path) as file:
        places: Counter[str] = Counter()
        last: dict[str, Instant] = {}
        for where, item in objects_in(file):
            if isinstance(item, str):
                report.skip(f"{path.name} {where}", item)
                continue
            for one in _spread(item, path.stem, where):
                try:
                    turn = _turn(one, path.stem, zone, places, last)
                except (BadInput, BadTime) as error:
                    report.skip(f"{path.name} {where}", str(error))
                    continue
                yield report.take(turn, timed=_given(one) is not None)


def is_complete(path: Path) -> bool:
    """Whether a file begins as a complete export does. Raises BadInput if it cannot be opened."""
    with opened(path) as file:
        line = _object(file.readline(4096))
    return isinstance(line, dict) and line.get("kind") == COMPLETE


def objects_in(file: IO[bytes]) -> Iterator[tuple[str, dict[str, Any] | str]]:
    """(place, the object there or why there is none) of each line, or of each element where the file is one array."""
    is_array = False
    if file.seekable():  # a pipe is not, and is read as lines
        is_array = file.read(4096).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
        file.seek(0)
    number = 0
    if is_array:
        try:
            for number, item in enumerate(items(file), 1):
                yield f"element {number}", item if isinstance(item, dict) else "it is not a JSON object."
        except BadInput as error:
            yield f"element {number + 1}", str(error)
        return
    for number, line in lines(file):
        if line is None:
            yield f"line {number}", f"it is longer than {LONGEST_LINE} bytes."
        elif line.strip():
            yield f"line {number}", _object(line)


def _object(line: bytes) -> dict[str, Any] | str:
    try:
        item = json.loads(line.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError) as error:
        return f"it is not JSON ({error})."
    return item if isinstance(item, dict) else "it is not a JSON object."


def _spread(item: dict[str, Any], stem: str, where: str) -> list[dict[str, Any]]:
    """The turns in an object: itself, or those of its `messages`, which inherit its session and its time."""
    if not isinstance(item.get("messages"), list):
        return [item]
    session = item.get("session") or item.get("conversation_id") or item.get("id") or f"{stem} {where}"
    shared = {name: item[name] for name in (*_TIMES, "title") if name in item}
    return [shared | {"session": str(session)} | message for message in objects(item["messages"])]


def _turn(item: dict[str, Any], stem: str, zone: tzinfo, places: Counter[str], last: dict[str, Instant]) -> Turn:
    if "kind" in item and not item.keys() & {"text", "content"}:
        raise BadInput("it is part of a complete export whose first line is missing, and no turn.")
    session = str(item.get("session") or item.get("conversation_id") or stem)
    role = ROLES.get(str(item.get("role", "user")).lower())
    if role is None:
        raise BadInput(f"the role “{quoted(item['role'])}” is none of user, assistant, system, tool.")
    last[session] = said_at = _said_at(item, zone, last.get(session))
    place, external, title = item.get("position"), item.get("id"), item.get("title")
    turn = Turn(
        text=_text(item), session=session, role=role, said_at=said_at, source="import:jsonl",
        speaker=str(item.get("speaker") or item.get("name") or ("me" if role == "user" else role)),
        external_id=None if external is None else str(external), title=title if isinstance(title, str) else None,
        place=place if isinstance(place, int) and abs(place) < 1 << 63 else places[session],  # as SQLite holds them
        cut=bool(item.get("cut")), inactive=bool(item.get("inactive")),
    )  # fmt: skip
    places[session] += 1
    return turn


def _text(item: dict[str, Any]) -> str:
    text = item.get("text", item.get("content"))
    if isinstance(text, list):
        pieces = [one.get("text") if isinstance(one, dict) else one for one in text]
        text = "\n".join(piece for piece in pieces if isinstance(piece, str) and piece)
    if (found := words(text)) is None:
        raise BadInput('it has no text under "text" or "content".')
    return found


def _said_at(item: dict[str, Any], zone: tzinfo, before: Instant | None) -> Instant:
    given = _given(item)
    if isinstance(given, str):
        return parse_iso(given, zone)
    if given is not None:
        return epoch(given, zone)
    if before is None:
        raise BadInput('it has no time under "said_at" or "timestamp".')
    return before


def _given(item: dict[str, Any]) -> str | float | None:
    """The time that a line has of its own."""
    given = next((item[name] for name in _TIMES if name in item), None)
    return given if isinstance(given, str | int | float) and not isinstance(given, bool) else None
