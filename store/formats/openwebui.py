"""Open WebUI's chats, from its export or its webui.db: of several answers the one that the chat went on from is active.

A chat's `history` is a tree; the linear `messages` beside it repeats its active path, and is read only where there is
no tree. Reasoning that the program folds into an answer is left out of the text. What lies in the table of memories was
typed by the person, or kept in their name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from store.errors import BadInput
from store.formats.archive import items_of
from store.formats.conversation import ROLES, Conversation, Node, Spot, laid_out
from store.formats.foreign import Tables, is_database, opened
from store.formats.report import Options, Report, digest, json_object, mapped, objects, raw, stamp_of, words
from store.records import Turn

SOURCE = "import:openwebui"
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
    for where, one in items_of(path, WANTED, report):
        yield from _chat(one, options, report, where)


def _of_database(tables: Tables, path: Path, options: Options, report: Report) -> Iterator[Turn]:
    people = sorted({str(row["user_id"]) for table in ("chat", "memory") for row in tables.rows(table, "user_id")})
    if options.item is None and len(people) > 1:
        raise BadInput(
            f"{path.name} holds the chats of {len(people)} people; choose yours with --item: {', '.join(people[:8])}."
        )
    if options.item is not None and options.item not in people:
        raise BadInput(f"{path.name} has no user {options.item!r}; there are {', '.join(people[:8])}.")
    mine = people if options.item is None else [options.item]
    for row in tables.rows("chat", "id user_id title chat created_at updated_at", "created_at id"):
        if str(row["user_id"]) in mine:
            yield from _chat(row | {"chat": json_object(row["chat"])}, options, report, f"chat {row['id']}")
    for place, row in enumerate(tables.rows("memory", "id user_id content created_at", "created_at id")):
        said_at, text = stamp_of(row, options, "created_at"), words(row["content"])
        if str(row["user_id"]) not in mine or text is None:
            continue
        if said_at is None:
            report.skip(f"memory {row['id']}", "a memory without a time.")
            continue
        title = "What Open WebUI was told to remember"
        yield report.take(
            Turn(text, "openwebui:memories", "me", "user", said_at, str(row["id"]), SOURCE, title=title, place=place)
        )


def _chat(outer: Json, options: Options, report: Report, where: str) -> Iterator[Turn]:
    chat = outer["chat"] if isinstance(outer.get("chat"), dict) else outer
    title = words(outer.get("title")) or words(chat.get("title"))
    messages, tip = _messages(chat)
    key = outer.get("id") or chat.get("id") or digest(next(iter(messages), ""))
    conversation = Conversation(f"openwebui:{key}", SOURCE, where, report, title)
    if not messages:
        conversation.skip("it holds no messages of Open WebUI.")
        return
    nodes = {
        key: Node(words(one.get("parentId")), stamp_of(one, options, "timestamp")) for key, one in messages.items()
    }
    begun = stamp_of(outer, options, "created_at") or stamp_of(chat, options, "timestamp")
    for spot in conversation.spots(nodes, laid_out(nodes, tip), begun, stamp_of(outer, options, "updated_at")):
        yield from _turn(conversation, spot, messages[spot.key])


def _messages(chat: Json) -> tuple[dict[str, Json], Any]:
    """(messages by id, the id that the chat ends in), from the tree or, without one, from the list."""
    history = mapped(chat.get("history"))
    if tree := mapped(history.get("messages")):
        return {key: one for key, one in tree.items() if isinstance(one, dict)}, history.get("currentId")
    found: dict[str, Json] = {}
    before: str | None = None
    for number, one in enumerate(objects(chat.get("messages"))):
        key = str(one.get("id") or f"#{number}")
        found[key] = one | {"parentId": before}
        before = key
    return found, before


def _turn(conversation: Conversation, spot: Spot, message: Json) -> Iterator[Turn]:
    role, content = ROLES.get(str(message.get("role")), "tool"), message.get("content")
    if isinstance(content, list):
        content = "\n".join(filter(None, (words(one.get("text")) for one in objects(content))))
    text = words(content) or ""
    text = _FOLDED.sub("", text).strip() if role == "assistant" else text
    if not text:
        conversation.skip("a message without text (a picture, a call of a tool or nothing).")
        return
    yield conversation.take(
        spot, role, text, external_id=str(message.get("id") or spot.key), original=raw(message),
        cut=role == "assistant" and message.get("done") is False,
    )  # fmt: skip
