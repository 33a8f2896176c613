"""The logs of the command line tool llm, both generations of them: each message once, under the turn that said it.

Up to 0.31 a row of `responses` is a prompt and its reply. From 0.32 on, messages form a tree of hashes that threads
share: a message has no time, and takes that of the earliest turn that reached it. A turn that was written to both
generations has one id in both. What fragments (files given along) hold is not the person's word: its role is tool.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby, takewhile
from pathlib import Path
from typing import Any

from store.formats.conversation import ROLES, Conversation, Node, Spot, back
from store.formats.foreign import Row, Tables, opened
from store.formats.report import Options, Report, json_object, objects, raw, stamp_of, words
from store.records import MICROSECOND, Instant, Role, Turn

SOURCE = "import:llm"
STEP = 4
"""Places that a message takes, with what was given along."""


def read(path: Path, options: Options, report: Report) -> Iterator[Turn]:
    """The turns of a logs.db, the older generation first. Raises BadInput if it is no such database."""
    with opened(path) as tables:
        fragments = {row["id"]: row for row in tables.rows("fragments", "id hash content source")}
        yield from _older(tables, fragments, options, report)
        yield from _Newer(tables, fragments, options, report).turns()


def _older(tables: Tables, fragments: dict[Any, Row], options: Options, report: Report) -> Iterator[Turn]:
    """`responses`: a row is a prompt and what was answered."""
    names = {row["id"]: row["name"] for row in tables.rows("conversations", "id name")}
    known = {row["id"] for row in tables.rows("turns", "id")}
    given: dict[Any, list[Row]] = {}
    for row in tables.rows("prompt_fragments", "response_id fragment_id order", "order"):
        if row["fragment_id"] in fragments:
            given.setdefault(row["response_id"], []).append(fragments[row["fragment_id"]])
    systems: dict[str, Any] = {}
    columns = "id model prompt system response conversation_id duration_ms datetime_utc"
    for place, row in enumerate(tables.rows("responses", columns, "datetime_utc id")):
        if row["id"] in known:
            continue
        conversation, key = row["conversation_id"], str(row["id"])
        session = f"llm:{conversation or key}"
        one = Conversation(session, SOURCE, f"response {key}", report, names.get(conversation))
        said_at = stamp_of(row, options, "datetime_utc")
        if said_at is None:
            one.skip("a response without a time.")
            continue
        spoken: list[tuple[str, Role, str, Any, Instant]] = []
        if row["system"] and systems.get(session) != row["system"]:
            systems[session] = row["system"]
            spoken.append((f"{key}:system", "system", "system", row["system"], said_at))
        spoken += [(*_fragment(each), said_at) for each in given.get(row["id"], ())]
        spoken.append((f"{key}:prompt", "user", "me", row["prompt"], said_at))
        answered = _after(said_at, row["duration_ms"])
        spoken.append((f"{key}:response", "assistant", "assistant", row["response"], answered))
        model = raw({"model": row["model"]})
        for number, (external, role, speaker, text, at) in enumerate(spoken):
            if words(text):
                spot = Spot(external, at, place * STEP + number, False, True)
                yield one.take(spot, role, text, speaker=speaker, original=model)


@dataclass(slots=True)
class _Message(Node):
    role: str = ""
    thread: str = ""
    model: str | None = None
    place: int = 0


class _Newer:
    """`threads`, `turns`, `messages` and `parts`: a tree of hashes."""

    def __init__(self, tables: Tables, fragments: dict[Any, Row], options: Options, report: Report) -> None:
        self._tables, self._fragments, self._options, self._report = tables, fragments, options, report
        rows = tables.rows("messages", "hash parent_hash role")
        self._messages = {row["hash"]: _Message(row["parent_hash"], role=str(row["role"])) for row in rows}
        rows = tables.rows("threads", "id name tip_message_hash datetime_utc", "datetime_utc id")
        self._threads = {row["id"]: row for row in rows}

    def turns(self) -> Iterator[Turn]:
        self._attribute()
        active: set[str] = set()
        for thread in self._threads.values():
            tip = thread["tip_message_hash"]
            active.update(takewhile(lambda key: key not in active, back(self._messages, tip)))
        given: set[tuple[str, str]] = set()
        parts = self._tables.rows("parts", "message_hash position type text payload", "message_hash position")
        for digest, pieces in groupby(parts, lambda row: row["message_hash"]):
            message = self._messages.get(digest)
            if message is None:
                continue
            title = self._threads.get(message.thread, {}).get("name")
            one = Conversation(f"llm:{message.thread}", SOURCE, f"message {digest}", self._report, title)
            if message.said_at is None:
                one.skip("a message that no turn and no thread reaches.")
                continue
            spot = Spot(digest, message.said_at, message.place, bool(self._threads) and digest not in active, True)
            yield from self._spoken(one, spot, message, list(pieces), given)

    def _attribute(self) -> None:
        """Give each message the thread and the time of the earliest turn, else the earliest thread, that reaches it."""
        columns = "id thread_id parent_message_hash tip_message_hash model duration_ms datetime_utc"
        for row in self._tables.rows("turns", columns, "datetime_utc id"):
            asked = stamp_of(row, self._options, "datetime_utc")
            if asked is None:
                self._report.skip(f"turn {row['id']}", "a turn without a time.")
                continue
            thread, model = str(row["thread_id"]), row["model"]
            self._reach(row["parent_message_hash"], thread, model, asked)  # what was sent
            self._reach(row["tip_message_hash"], thread, model, _after(asked, row["duration_ms"]))  # what came back
        for key, begun in self._threads.items():
            if (said_at := stamp_of(begun, self._options, "datetime_utc")) is not None:
                self._reach(begun["tip_message_hash"], str(key), None, said_at)

    def _reach(self, tip: str | None, thread: str, model: str | None, said_at: Instant) -> None:
        """All messages from a tip back to those that an earlier turn reached."""
        new = list(takewhile(lambda key: self._messages[key].said_at is None, back(self._messages, tip)))
        for digest in reversed(new):
            message = self._messages[digest]
            above = self._messages.get(message.parent) if message.parent is not None else None
            message.place = above.place + STEP if above is not None else 0
            message.thread, message.model, message.said_at = thread, model, said_at

    def _spoken(
        self, one: Conversation, spot: Spot, message: _Message, pieces: list[Row], given: set[tuple[str, str]]
    ) -> Iterator[Turn]:
        """What was typed or generated, after the fragments that came along and were not given in the thread before."""
        role = ROLES.get(message.role, "tool")
        found: list[str] = []
        for piece in pieces:
            if piece["type"] != "text":
                continue
            text, fragments = self._text(piece)
            found.append(text)
            for key, _, speaker, content in map(_fragment, fragments):
                if (one.session, key) not in given:
                    given.add((one.session, key))
                    yield one.take(spot, "tool", content, speaker=speaker, external_id=key)
        text = "\n\n".join(filter(words, found))
        if not text:
            one.skip("a message without text (a call of a tool, a result, a picture).")
            return
        original = raw({"model": message.model}) if role == "assistant" else None
        yield one.take(spot, role, text, original=original, place=spot.place + 1)

    def _text(self, piece: Row) -> tuple[str, list[Row]]:
        """(the words that were typed or generated, the fragments that came with them)."""
        if isinstance(piece["text"], str):
            return piece["text"], []
        references = objects(json_object(piece["payload"]).get("text_ref"))
        literal = "".join(one["literal"] for one in references if isinstance(one.get("literal"), str))
        return literal.strip(), [self._fragments[key] for one in references
                                 if (key := one.get("fragment")) in self._fragments]  # fmt: skip


def _fragment(row: Row) -> tuple[str, Role, str, str]:
    """(key, role, speaker, text) of a file that was given along."""
    key, speaker = row["hash"] or row["id"], str(row["source"] or "fragment")
    return f"fragment:{key}", "tool", speaker, str(row["content"] or "")


def _after(said_at: Instant, milliseconds: Any) -> Instant:
    if not isinstance(milliseconds, int) or not 0 <= milliseconds < 86_400_000:
        return said_at
    return Instant(said_at.us + timedelta(milliseconds=milliseconds) // MICROSECOND, said_at.offset)
