"""The logs of the command line tool llm, both generations of them: each message once, under the turn that said it.

Up to 0.31 a row of `responses` is a prompt and its reply. From 0.32 on, messages form a tree of hashes that threads
share: a message has no time, and takes that of the earliest turn that reached it. A turn that was written to both
generations has one id in both. What fragments (files given along) hold is not the person's word: its role is tool.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from store.formats.foreign import Row, Tables, opened
from store.formats.jsonl import ROLES
from store.formats.report import Options, Report, raw
from store.formats.stamps import stamp_or_none
from store.records import MICROSECOND, Instant, Role, Turn

SOURCE = "import:llm"


def read(path: Path, options: Options, report: Report) -> Iterator[Turn]:
    """The turns of a logs.db, the older generation first. Raises BadInput if it is no such database."""
    with opened(path) as tables:
        known = {row["id"] for row in tables.rows("turns", "id")}
        yield from _Legacy(tables, options, report, known).turns()
        yield from _Messages(tables, options, report).turns()


class _Legacy:
    """`responses`: a row is a prompt and what was answered."""

    def __init__(self, tables: Tables, options: Options, report: Report, known: set[str]) -> None:
        self._tables, self._options, self._report, self._known = tables, options, report, known
        self._names = {row["id"]: row["name"] for row in tables.rows("conversations", "id name")}
        self._fragments = _fragments_of(tables, "prompt_fragments", "response_id")
        self._system: dict[str, str] = {}

    def turns(self) -> Iterator[Turn]:
        columns = "id model prompt system response conversation_id duration_ms datetime_utc"
        for place, row in enumerate(self._tables.rows("responses", columns, "datetime_utc id")):
            if row["id"] in self._known:
                continue
            said_at = stamp_or_none(row["datetime_utc"], self._options)
            if said_at is None:
                self._report.skip(f"response {row['id']}", "a response without a time.")
                continue
            for turn in self._of_row(row, said_at, place * 4):
                yield self._report.take(turn)

    def _of_row(self, row: Row, said_at: Instant, place: int) -> Iterator[Turn]:
        conversation, key = row["conversation_id"], str(row["id"])
        session = f"llm:{conversation or key}"
        title, model = self._names.get(conversation), raw({"model": row["model"]})
        spoken: list[tuple[str, Role, str, str | None, Instant]] = []
        if row["system"] and self._system.get(session) != row["system"]:
            self._system[session] = row["system"]
            spoken.append(("system", "system", "system", row["system"], said_at))
        for digest, source, content in self._fragments.get(key, ()):
            spoken.append((f"fragment:{digest}", "tool", source, content, said_at))
        spoken.append(("prompt", "user", "me", row["prompt"], said_at))
        spoken.append(("response", "assistant", "assistant", row["response"], _after(said_at, row["duration_ms"])))
        for number, (what, role, speaker, text, when) in enumerate(spoken):
            if isinstance(text, str) and text.strip():
                external = what if what.startswith("fragment:") else f"{key}:{what}"
                yield Turn(
                    text, session, speaker, role, when, external, SOURCE, title=title, original=model,
                    place=place + number,
                )  # fmt: skip


@dataclass(slots=True)
class _Message:
    parent: str | None
    role: str
    thread: str | None = None
    said_at: Instant | None = None
    model: str | None = None
    place: int = 0


class _Messages:
    """`threads`, `turns`, `messages` and `parts`: a tree of hashes."""

    def __init__(self, tables: Tables, options: Options, report: Report) -> None:
        self._tables, self._options, self._report = tables, options, report
        self._messages = {
            row["hash"]: _Message(row["parent_hash"], str(row["role"]))
            for row in tables.rows("messages", "hash parent_hash role")
        }
        self._contents = {row["id"]: row for row in tables.rows("fragments", "id hash content source")}
        self._threads = {
            row["id"]: row for row in tables.rows("threads", "id name tip_message_hash datetime_utc", "datetime_utc id")
        }

    def turns(self) -> Iterator[Turn]:
        self._attribute()
        active: set[str] = set()
        for thread in self._threads.values():
            active.update(self._chain(thread["tip_message_hash"], active))
        given: set[tuple[str, str]] = set()
        for digest, pieces in self._parts():
            message = self._messages.get(digest)
            if message is None:
                continue
            if message.said_at is None or message.thread is None:
                self._report.skip(f"message {digest}", "a message that no turn and no thread reaches.")
                continue
            inactive = bool(self._threads) and digest not in active
            for turn in self._spoken(digest, message, pieces, given, inactive):
                yield self._report.take(turn)

    def _attribute(self) -> None:
        """Give each message the thread and the time of the earliest turn, else the earliest thread, that reaches it."""
        columns = "id thread_id parent_message_hash tip_message_hash model duration_ms datetime_utc"
        for row in self._tables.rows("turns", columns, "datetime_utc id"):
            asked = stamp_or_none(row["datetime_utc"], self._options)
            if asked is None:
                self._report.skip(f"turn {row['id']}", "a turn without a time.")
                continue
            answered = _after(asked, row["duration_ms"])
            sent = set(self._chain(row["parent_message_hash"], set()))
            self._reach(row["tip_message_hash"], str(row["thread_id"]), row["model"], asked, answered, sent)
        for key, thread in self._threads.items():
            begun = stamp_or_none(thread["datetime_utc"], self._options)
            if begun is not None:
                self._reach(thread["tip_message_hash"], str(key), None, begun, begun, set())

    def _reach(
        self, tip: str | None, thread: str, model: str | None, asked: Instant, answered: Instant, sent: set[str]
    ) -> None:
        for digest in self._chain(tip, set()):
            message = self._messages[digest]
            if message.said_at is None:
                message.thread, message.model = thread, model
                message.said_at = asked if digest in sent else answered
        for place, digest in enumerate(reversed(list(self._chain(tip, set())))):
            self._messages[digest].place = place * 4

    def _chain(self, tip: str | None, known: set[str]) -> Iterator[str]:
        """The hashes from a tip back to the root, or to one that is known."""
        seen: set[str] = set()
        while tip is not None and tip in self._messages and tip not in seen and tip not in known:
            seen.add(tip)
            yield tip
            tip = self._messages[tip].parent

    def _parts(self) -> Iterator[tuple[str, list[Row]]]:
        held: list[Row] = []
        for row in self._tables.rows("parts", "message_hash position type text payload", "message_hash position"):
            if held and held[0]["message_hash"] != row["message_hash"]:
                yield held[0]["message_hash"], held
                held = []
            held.append(row)
        if held:
            yield held[0]["message_hash"], held

    def _spoken(
        self, digest: str, message: _Message, pieces: list[Row], given: set[tuple[str, str]], inactive: bool
    ) -> Iterator[Turn]:
        role: Role = ROLES.get(message.role, "tool")
        thread = str(message.thread)
        session, title = f"llm:{thread}", self._threads.get(thread, {}).get("name")
        words: list[str] = []
        for piece in pieces:
            if piece["type"] != "text":
                continue
            text, fragments = self._text(piece)
            words.append(text)
            for key, source, content in fragments:
                if (session, key) not in given:
                    given.add((session, key))
                    yield Turn(
                        content, session, source, "tool", message.said_at, f"fragment:{key}", SOURCE, title=title,
                        place=message.place, inactive=inactive,
                    )  # fmt: skip
        text = "\n\n".join(word for word in words if word.strip())
        if not text:
            self._report.skip(f"message {digest}", "a message without text (a call of a tool, a result, a picture).")
            return
        speaker = "me" if role == "user" else role
        yield Turn(
            text, session, speaker, role, message.said_at, digest, SOURCE, title=title,
            original=raw({"model": message.model}) if role == "assistant" else None, place=message.place + 1,
            inactive=inactive,
        )  # fmt: skip

    def _text(self, piece: Row) -> tuple[str, list[tuple[str, str, str]]]:
        """(the words that were typed or generated, the fragments that came with them)."""
        if isinstance(piece["text"], str):
            return piece["text"], []
        references = _json(piece["payload"]).get("text_ref")
        words: list[str] = []
        fragments: list[tuple[str, str, str]] = []
        for one in references if isinstance(references, list) else ():
            if not isinstance(one, dict):
                continue
            if isinstance(one.get("literal"), str):
                words.append(one["literal"])
            elif one.get("fragment") in self._contents:
                fragments.append(_fragment(self._contents[one["fragment"]]))
        return "".join(words).strip(), fragments


def _fragments_of(tables: Tables, junction: str, owner: str) -> dict[str, list[tuple[str, str, str]]]:
    contents = {row["id"]: row for row in tables.rows("fragments", "id hash content source")}
    found: dict[str, list[tuple[str, str, str]]] = {}
    for row in tables.rows(junction, f"{owner} fragment_id order", "order"):
        if row["fragment_id"] in contents:
            found.setdefault(str(row[owner]), []).append(_fragment(contents[row["fragment_id"]]))
    return found


def _fragment(row: Row) -> tuple[str, str, str]:
    return str(row["hash"] or row["id"]), str(row["source"] or "fragment"), str(row["content"] or "")


def _json(text: Any) -> dict[str, Any]:
    try:
        found = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) else {}


def _after(said_at: Instant, milliseconds: Any) -> Instant:
    if not isinstance(milliseconds, int) or not 0 <= milliseconds < 86_400_000:
        return said_at
    return Instant(said_at.us + timedelta(milliseconds=milliseconds) // MICROSECOND, said_at.offset)
