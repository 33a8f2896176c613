"""Open WebUI's chats, from its export or its webui.db: of several answers the one that the chat went on from is active.

A chat's `history` is a tree; the linear `messages` beside it repeats its active path, and is read only where there is
no tree. Reasoning that the program folds into an answer is left out of the text. What lies in the table of memories was
typed by the person, or kept in their name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from store.errors import BadInput
from store.formats.archive import parts
from store.formats.foreign import Tables, is_database, opened
from store.formats.jsonl import ROLES
from store.formats.report import Options, Report, digest, raw
from store.formats.stamps import stamp_or_none
from store.formats.stream import items
from store.formats.tree import Node, fill_times, laid_out
from store.records import Instant, Role, Turn

SOURCE = "import:openwebui"
MEMORIES = "openwebui:memories"
WANTED = re.compile(r"[^/]*\.json")
_FOLDED = re.compile(
    r"<details[^<>]*\btype=\"(?:reasoning|tool_calls|code_interpreter)\".*?(?:</details>\s*|\Z)", re.DOTALL
)
Json = dict[str, Any]


def read(path: Path, options: Options, report: Report) -> Iterator[Turn]:
    """The turns of an export or a database. Raises BadInput if it cannot be opened, or holds several people's chats."""
    if path.is_file() and is_database(path):
        with opened(path) as tables:
            yield from _of_database(tables, path, options, report)
        return
    for name, file in parts(path, WANTED, report):
        try:
            for number, item in enumerate(items(file), 1):
                for one in item if isinstance(item, list) else [item]:
                    yield from _chat(one if isinstance(one, dict) else {}, options, report, f"{name}, chat {number}")
        except BadInput as error:
            report.skip(name, str(error))


def _of_database(tables: Tables, path: Path, options: Options, report: Report) -> Iterator[Turn]:
    people = sorted({str(row["user_id"]) for table in ("chat", "memory") for row in tables.rows(table, "user_id")})
    wanted = options.item
    if wanted is None and len(people) > 1:
        raise BadInput(
            f"{path.name} holds the chats of {len(people)} people; choose yours with --item: {', '.join(people[:8])}."
        )
    if wanted is not None and wanted not in people:
        raise BadInput(f"{path.name} has no user {wanted!r}; there are {', '.join(people[:8])}.")
    for row in tables.rows("chat", "id user_id title chat created_at updated_at", "created_at id"):
        if wanted is None or str(row["user_id"]) == wanted:
            yield from _chat(row | {"chat": _loaded(row["chat"])}, options, report, f"chat {row['id']}")
    for place, row in enumerate(tables.rows("memory", "id user_id content created_at", "created_at id")):
        said_at, text = stamp_or_none(row["created_at"], options), row["content"]
        if (wanted is not None and str(row["user_id"]) != wanted) or not isinstance(text, str) or not text.strip():
            continue
        if said_at is None:
            report.skip(f"memory {row['id']}", "a memory without a time.")
            continue
        title = "What Open WebUI was told to remember"
        turn = Turn(text, MEMORIES, "me", "user", said_at, str(row["id"]), SOURCE, title=title, place=place)
        yield report.take(turn)


def _chat(outer: Json, options: Options, report: Report, where: str) -> Iterator[Turn]:
    chat = outer["chat"] if isinstance(outer.get("chat"), dict) else outer
    messages, tip = _messages(chat)
    if not messages:
        report.skip(where, "it holds no messages of Open WebUI.")
        return
    title = next((one for one in (outer.get("title"), chat.get("title")) if isinstance(one, str) and one), None)
    where = f"{where} ({title})" if title else where
    nodes = {key: Node(_parent(one), stamp_or_none(one.get("timestamp"), options)) for key, one in messages.items()}
    layout = laid_out(nodes, tip)
    report.branches += layout.branches
    begun = stamp_or_none(outer.get("created_at"), options) or stamp_or_none(chat.get("timestamp"), options)
    fill_times(nodes, layout.order, begun, stamp_or_none(outer.get("updated_at"), options))
    session = f"openwebui:{outer.get('id') or chat.get('id') or digest(next(iter(messages)))}"
    for place, key in enumerate(layout.order):
        turn = _turn(messages[key], key, session, title, nodes[key].said_at, place, key not in layout.active)
        if isinstance(turn, str):
            report.skip(where, turn)
        else:
            yield report.take(turn, timed=nodes[key].timed)


def _messages(chat: Json) -> tuple[dict[str, Json], str | None]:
    """(messages by id, the id that the chat ends in), from the tree or, without one, from the list."""
    history = chat.get("history")
    tree = history.get("messages") if isinstance(history, dict) else None
    if isinstance(history, dict) and isinstance(tree, dict) and tree:
        tip = history.get("currentId")
        return {key: one for key, one in tree.items() if isinstance(one, dict)}, tip if isinstance(tip, str) else None
    found: dict[str, Json] = {}
    before: str | None = None
    listed = chat.get("messages")
    for number, one in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(one, dict):
            key = str(one.get("id") or f"#{number}")
            found[key] = one | {"parentId": before}
            before = key
    return found, before


def _turn(
    message: Json, key: str, session: str, title: str | None, said_at: Instant | None, place: int, inactive: bool
) -> Turn | str:
    """The turn, or why there is none."""
    role: Role = ROLES.get(str(message.get("role")), "tool")
    text = _text(message.get("content"))
    text = _FOLDED.sub("", text).strip() if role == "assistant" else text
    if not text.strip():
        return "a message without text (a picture, a call of a tool or nothing)."
    if said_at is None:
        return "a message without a time, in a chat without one."
    return Turn(
        text, session, "me" if role == "user" else role, role, said_at, str(message.get("id") or key), SOURCE,
        cut=role == "assistant" and message.get("done") is False, title=title, original=raw(message), place=place,
        inactive=inactive,
    )  # fmt: skip


def _text(content: Any) -> str:
    if isinstance(content, list):
        pieces = [one.get("text") for one in content if isinstance(one, dict)]
        return "\n".join(piece for piece in pieces if isinstance(piece, str))
    return content if isinstance(content, str) else ""


def _parent(message: Json) -> str | None:
    parent = message.get("parentId")
    return parent if isinstance(parent, str) else None


def _loaded(text: Any) -> Any:
    try:
        return json.loads(text) if isinstance(text, str) else {}
    except (ValueError, RecursionError):
        return {}
