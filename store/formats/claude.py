"""Claude's export: the person's messages speak for the person; what they pasted and what Claude noted do not.

`conversations.json`, or the ZIP with projects and memories. Newer exports name each message's parent; in older ones
the messages of all retries lie in one flat list, and a retry shows only as two messages of one sender in a row. Pasted
files and the documents of projects are kept with the role tool, and Claude's memory of the person as the assistant's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from store.errors import BadInput
from store.formats.archive import parts
from store.formats.jsonl import ROLES
from store.formats.report import Options, Report, digest, objects, raw, words
from store.formats.stamps import stamp_or_none
from store.formats.stream import items
from store.formats.tree import Layout, Node, fill_times, laid_out
from store.records import Instant, Role, Turn

SOURCE = "import:claude"
WANTED = re.compile(
    r"conversations(?:[-_]\d+)?\.json|projects(?:[-_]\d+)?\.json|projects/[^/]+\.json|memories\.json|memories/[^/]+\.json"
)
MEMORIES = "claude:memories"
_LIKE = 0.5
"""Share of words above which a question that follows a question is an edit of it."""
_WORD = re.compile(r"\w+")
Json = dict[str, Any]


def read(path: Path, options: Options, report: Report) -> Iterator[Turn]:
    """The turns of an export. Raises BadInput if it cannot be opened."""
    memories: list[tuple[str, Json]] = []
    last: Instant | None = None
    for name, file in parts(path, WANTED, report):
        try:
            for number, item in enumerate(items(file), 1):
                for one in _unwrapped(item):
                    where = f"{name}, item {number}"
                    if "conversations_memory" in one or "project_memories" in one:
                        memories.append((where, one))
                    elif "chat_messages" in one or "messages" in one:
                        for turn in _conversation(one, options, report, where):
                            last = turn.said_at if last is None else max(last, turn.said_at or last)
                            yield turn
                    elif "docs" in one or "prompt_template" in one:
                        yield from _project(one, options, report, where)
                    else:
                        report.skip(where, "it is neither a conversation, a project nor a memory of Claude.")
        except BadInput as error:
            report.skip(name, str(error))
    for where, one in memories:
        yield from _memory(one, last, options, report, where)


def _unwrapped(item: Any) -> list[Json]:
    inner = item.get("conversations") if isinstance(item, dict) else None
    return [one for one in (inner if isinstance(inner, list) else [item]) if isinstance(one, dict)]


def _conversation(one: Json, options: Options, report: Report, where: str) -> Iterator[Turn]:
    title = words(one.get("name"))
    where = f"{where} ({title})" if title else where
    messages = _messages(one)
    if one.get("is_temporary") and not options.unremembered:
        report.skip(where, "it is marked as not to be remembered.", max(1, len(messages)))
        return
    nodes = {key: Node(_parent(message), _time(message, options)) for key, message in messages.items()}
    layout = _layout(one, messages, nodes, report, where)
    begun, ended = (stamp_or_none(one.get(name), options) for name in ("created_at", "updated_at"))
    fill_times(nodes, layout.order, begun, ended)
    report.branches += layout.branches
    session = f"claude:{one.get('uuid') or digest(repr((title, one.get('created_at'))))}"
    for place, key in enumerate(layout.order):
        said_at = nodes[key].said_at
        if said_at is None:
            report.skip(where, "a message without a time, in a conversation without one.")
            continue
        inactive = key not in layout.active or bool(one.get("is_temporary"))
        for turn in _turns(messages[key], key, session, title, said_at, place, inactive, report, where):
            yield report.take(turn, timed=nodes[key].timed)


def _messages(one: Json) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for number, message in enumerate(objects(one.get("chat_messages") or one.get("messages"))):
        found.setdefault(str(message.get("uuid") or message.get("id") or f"#{number}"), message)
    return found


def _layout(one: Json, messages: dict[str, Json], nodes: dict[str, Node], report: Report, where: str) -> Layout:
    if any(node.parent in nodes for node in nodes.values()):
        tip = one.get("current_leaf_message_uuid")
        return laid_out(nodes, tip if isinstance(tip, str) else None)
    order = tuple(messages)
    dropped = _suspected(messages)
    if dropped:
        report.notes.append(f"{where}: {len(dropped)} messages look like earlier tries, and are kept as such.")
    for before, key in pairwise(order):
        nodes[key].parent = before
    return Layout(order, frozenset(order) - dropped, len(dropped), True)


def _suspected(messages: dict[str, Json]) -> frozenset[str]:
    """Of a flat list, what a later try replaced: an answer that another answer follows, a question that is followed by
    nearly the same one."""
    found: set[str] = set()
    for (key, message), (_, following) in pairwise(messages.items()):
        role = _role(message)
        if role != _role(following):
            continue
        first, second = (set(_WORD.findall(_text(each).casefold())) for each in (message, following))
        if role == "assistant" or len(first & second) >= _LIKE * max(1, len(first | second)):
            found.add(key)
    return frozenset(found)


def _turns(
    message: Json, key: str, session: str, title: str | None, said_at: Instant, place: int, inactive: bool,
    report: Report, where: str,
) -> Iterator[Turn]:  # fmt: skip
    role = _role(message)
    speaker = "me" if role == "user" else "assistant" if role == "assistant" else role
    text = _text(message)
    pasted = list(_pasted(message))
    if text.strip():
        yield Turn(
            text, session, speaker, role, said_at, key, SOURCE, title=title, original=raw(message), place=place,
            inactive=inactive,
        )  # fmt: skip
    elif not pasted:
        report.skip(where, "a message without text (a picture, a file, a call of a tool or nothing).")
    for number, (name, content) in enumerate(pasted):
        yield Turn(
            content, session, name, "tool", said_at, f"{key}:attachment:{number}", SOURCE, title=title, place=place,
            inactive=inactive,
        )  # fmt: skip


def _text(message: Json) -> str:
    """The text blocks; the field `text` only where there are none, for it repeats them or is empty."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    found = (one.get("text") for one in objects(content) if one.get("type", "text") == "text")
    return "\n\n".join(filter(None, map(words, found))) or words(message.get("text")) or ""


def _pasted(message: Json) -> Iterator[tuple[str, str]]:
    for one in objects(message.get("attachments")):
        if content := words(one.get("extracted_content")):
            yield str(one.get("file_name") or "pasted text"), content


def _role(message: Json) -> Role:
    return ROLES.get(str(message.get("sender") or message.get("role")), "tool")


def _parent(message: Json) -> str | None:
    parent = message.get("parent_message_uuid")
    return parent if isinstance(parent, str) else None


def _time(message: Json, options: Options) -> Instant | None:
    return stamp_or_none(message.get("created_at"), options) or stamp_or_none(message.get("updated_at"), options)


def _project(one: Json, options: Options, report: Report, where: str) -> Iterator[Turn]:
    name = str(one.get("name") or "project")
    session, begun = f"claude:project:{one.get('uuid') or digest(name)}", stamp_or_none(one.get("created_at"), options)
    found: list[tuple[str, Role, str, Any, Instant | None]] = [
        ("description", "user", "me", one.get("description"), begun),
        ("instructions", "system", "system", one.get("prompt_template"), begun),
    ]
    for number, document in enumerate(objects(one.get("docs"))):
        key = str(document.get("uuid") or f"document:{number}")
        said = stamp_or_none(document.get("created_at"), options) or begun
        found.append((key, "tool", str(document.get("filename") or "document"), document.get("content"), said))
    for place, (key, role, speaker, text, said_at) in enumerate(found):
        if not isinstance(text, str) or not text.strip():
            continue
        if said_at is None:
            report.skip(f"{where} ({name})", "a part of a project without a time.")
            continue
        yield report.take(Turn(text, session, speaker, role, said_at, key, SOURCE, title=name, place=place))


def _memory(one: Json, last: Instant | None, options: Options, report: Report, where: str) -> Iterator[Turn]:
    """Claude's notes mostly have no time of their own; they are as old as the latest message that came with them."""
    said_at = stamp_or_none(one.get("updated_at"), options) or stamp_or_none(one.get("created_at"), options)
    said_at = said_at or last
    texts = [("memory", one.get("conversations_memory"))]
    projects = one.get("project_memories")
    texts += sorted(projects.items()) if isinstance(projects, dict) else []
    for key, text in texts:
        if not isinstance(text, str) or not text.strip():
            continue
        if said_at is None:
            report.skip(where, "a memory without a time; import it together with the conversations of its export.")
            continue
        turn = Turn(text, MEMORIES, "assistant", "assistant", said_at, str(key), SOURCE, title="Claude's notes on you")
        yield report.take(turn)
