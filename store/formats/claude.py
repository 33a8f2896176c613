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

from store.formats.archive import items_of
from store.formats.conversation import ROLES, Conversation, Layout, Node, Spot, laid_out
from store.formats.report import Options, Report, digest, mapped, objects, raw, stamp_of, words
from store.records import Instant, Role, Turn

SOURCE = "import:claude"
WANTED = re.compile(
    r"conversations(?:[-_]\d+)?\.json|projects(?:[-_]\d+)?\.json|projects/[^/]+\.json|memories\.json|memories/[^/]+\.json"
)
_LIKE = 0.5
"""Share of words above which a question that follows a question is an edit of it."""
_WORD = re.compile(r"\w+")
Json = dict[str, Any]


def read(path: Path, options: Options, report: Report) -> Iterator[Turn]:
    """The turns of an export. Raises BadInput if it cannot be opened."""
    memories: list[tuple[str, Json]] = []
    last: Instant | None = None
    for where, one in items_of(path, WANTED, report):
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
    for where, one in memories:
        # Claude's notes mostly have no time of their own; they are as old as the latest message that came with them.
        said_at = stamp_of(one, options, "updated_at", "created_at") or last
        told = [("memory", one.get("conversations_memory")), *sorted(mapped(one.get("project_memories")).items())]
        parts: list[Part] = [(str(key), "assistant", "assistant", text, said_at) for key, text in told]
        without = "a memory without a time; import it together with the conversations of its export."
        notes = Conversation("claude:memories", SOURCE, where, report, "Claude's notes on you")
        yield from _parts(notes, parts, without, place=None)


def _conversation(one: Json, options: Options, report: Report, where: str) -> Iterator[Turn]:
    title = words(one.get("name"))
    key = one.get("uuid") or digest(repr((title, one.get("created_at"))))
    conversation = Conversation(f"claude:{key}", SOURCE, where, report, title)
    messages: dict[str, Json] = {}
    for number, message in enumerate(objects(one.get("chat_messages") or one.get("messages"))):
        messages.setdefault(str(message.get("uuid") or message.get("id") or f"#{number}"), message)
    temporary = bool(one.get("is_temporary"))
    if temporary and not options.unremembered:
        conversation.skip("it is marked as not to be remembered.", max(1, len(messages)))
        return
    nodes = {
        key: Node(words(message.get("parent_message_uuid")), stamp_of(message, options, "created_at", "updated_at"))
        for key, message in messages.items()
    }
    if any(node.parent in nodes for node in nodes.values()):
        layout = laid_out(nodes, one.get("current_leaf_message_uuid"))
    else:
        dropped = _suspected(messages)
        if dropped:
            note = f"{conversation.where}: {len(dropped)} messages look like earlier tries, and are kept as such."
            report.notes.append(note)
        for before, key in pairwise(messages):
            nodes[key].parent = before
        layout = Layout(tuple(messages), frozenset(messages) - dropped, len(dropped))
    begun, ended = stamp_of(one, options, "created_at"), stamp_of(one, options, "updated_at")
    for spot in conversation.spots(nodes, layout, begun, ended):
        yield from _turns(conversation, spot, messages[spot.key], spot.inactive or temporary)


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


def _turns(conversation: Conversation, spot: Spot, message: Json, inactive: bool) -> Iterator[Turn]:
    """What was typed or answered, and what was pasted along with it."""
    text = _text(message)
    # They are numbered without those that hold no text, by which an earlier import knows them.
    pasted = [one for one in objects(message.get("attachments")) if words(one.get("extracted_content"))]
    if text:
        yield conversation.take(spot, _role(message), text, original=raw(message), inactive=inactive)
    elif not pasted:
        conversation.skip("a message without text (a picture, a file, a call of a tool or nothing).")
    for number, one in enumerate(pasted):
        key, speaker = f"{spot.key}:attachment:{number}", str(one.get("file_name") or "pasted text")
        content = one["extracted_content"]
        yield conversation.take(spot, "tool", content, speaker=speaker, external_id=key, inactive=inactive)


def _text(message: Json) -> str:
    """The text blocks; the field `text` only where there are none, for it repeats them or is empty."""
    content = message.get("content")
    if isinstance(content, str):
        return words(content) or ""
    found = (one.get("text") for one in objects(content) if one.get("type", "text") == "text")
    return "\n\n".join(filter(None, map(words, found))) or words(message.get("text")) or ""


def _role(message: Json) -> Role:
    return ROLES.get(str(message.get("sender") or message.get("role")), "tool")


def _project(one: Json, options: Options, report: Report, where: str) -> Iterator[Turn]:
    name, begun = str(one.get("name") or "project"), stamp_of(one, options, "created_at")
    parts: list[Part] = [
        ("description", "user", "me", one.get("description"), begun),
        ("instructions", "system", "system", one.get("prompt_template"), begun),
    ]
    for number, document in enumerate(objects(one.get("docs"))):
        key, speaker = str(document.get("uuid") or f"document:{number}"), str(document.get("filename") or "document")
        said_at = stamp_of(document, options, "created_at") or begun
        parts.append((key, "tool", speaker, document.get("content"), said_at))
    project = Conversation(f"claude:project:{one.get('uuid') or digest(name)}", SOURCE, where, report, name)
    yield from _parts(project, parts, "a part of a project without a time.")


Part = tuple[str, Role, str, Any, Instant | None]
"""(key, role, speaker, text, said at) of what is no message."""


def _parts(conversation: Conversation, parts: list[Part], without_time: str, **more: Any) -> Iterator[Turn]:
    for place, (key, role, speaker, text, said_at) in enumerate(parts):
        if words(text) and said_at is None:
            conversation.skip(without_time)
        elif words(text) and said_at is not None:
            yield conversation.take(Spot(key, said_at, place, False, True), role, text, speaker=speaker, **more)
