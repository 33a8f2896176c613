"""ChatGPT's export: the path that each chat went on is active, every retry and edit is kept, and no time is made up.

`conversations.json`, its shards, or the ZIP. A chat is a tree (`mapping`, `current_node`); text lies in a different
field for each content type. Chats marked `is_do_not_remember` come along only if asked for, and then as inactive. What
the person wrote about themselves in the settings is repeated in every chat, and is taken once for each wording; so is
the model's own memory, which stays the assistant's word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from store.errors import BadInput
from store.formats.archive import parts
from store.formats.jsonl import ROLES
from store.formats.report import Options, Report, digest, listed, objects, raw, words
from store.formats.stamps import stamp_or_none
from store.formats.stream import items
from store.formats.tree import Node, fill_times, laid_out
from store.records import Instant, Role, Turn

SOURCE = "import:chatgpt"
WANTED = re.compile(r"(?:[^/]*[-_])?conversations(?:[-_]\d+)?\.json")
PROFILE = "chatgpt:profile"
REASONING = ("thoughts", "reasoning_recap")
_CITATION = re.compile("\ue200[^\ue200\ue201]*\ue201|[\ue200-\ue2ff]|【\\d[^【】†]*†[^【】]*】")
_FENCED = re.compile(r"```(.*?)```", re.DOTALL)


def read(path: Path, options: Options, report: Report) -> Iterator[Turn]:
    """The turns of an export, chat by chat. Raises BadInput if it cannot be opened."""
    profile: dict[tuple[Role, str], Instant] = {}
    for name, file in parts(path, WANTED, report):
        try:
            for number, item in enumerate(items(file), 1):
                for chat in _chats(item):
                    yield from _Chat(chat, options, report, f"{name}, chat {number}", profile).turns()
        except BadInput as error:
            report.skip(name, str(error))
    for (role, text), said_at in sorted(profile.items(), key=lambda one: (one[1], one[0])):
        speaker, title = "me" if role == "user" else "assistant", "What ChatGPT was told about you"
        yield report.take(Turn(text, PROFILE, speaker, role, said_at, digest(text), SOURCE, title=title))


def _chats(item: Any) -> list[Any]:
    inner = item.get("conversations") if isinstance(item, dict) else None
    return inner if isinstance(inner, list) else [item]


class _Chat:
    """One chat that is being read."""

    def __init__(
        self, chat: Any, options: Options, report: Report, where: str, profile: dict[tuple[Role, str], Instant]
    ) -> None:
        self._chat = chat if isinstance(chat, dict) else {}
        self._options, self._report, self._profile = options, report, profile
        self._title = words(self._chat.get("title"))
        self._where = f"{where} ({self._title})" if self._title else where
        key = self._chat.get("conversation_id") or self._chat.get("id")
        self._session = f"chatgpt:{key or digest(repr((self._title, self._chat.get('create_time'))))}"
        self._unremembered = bool(self._chat.get("is_do_not_remember") or self._chat.get("is_temporary_chat"))

    def turns(self) -> Iterator[Turn]:
        mapping = self._chat.get("mapping")
        if not isinstance(mapping, dict):
            self._report.skip(self._where, "it is not a chat of ChatGPT (it has no mapping).")
            return
        mapping = {key: one for key, one in mapping.items() if isinstance(one, dict)}
        if self._unremembered and not self._options.unremembered:
            messages = sum(isinstance(one.get("message"), dict) for one in mapping.values())
            self._report.skip(self._where, "it is marked as not to be remembered.", max(1, messages))
            return
        nodes = {key: self._node(one) for key, one in mapping.items()}
        tip = self._chat.get("current_node")
        layout = laid_out(nodes, tip if isinstance(tip, str) else None)
        if layout.guessed and nodes:
            self._report.notes.append(f"{self._where}: it names no current message; its latest branch was taken.")
        self._report.branches += layout.branches
        begun, ended = (stamp_or_none(self._chat.get(name), self._options) for name in ("create_time", "update_time"))
        fill_times(nodes, layout.order, begun, ended)
        for place, key in enumerate(layout.order):
            turn = self._turn(key, mapping[key].get("message"), nodes[key].said_at, place, key in layout.active)
            if turn is not None:
                yield self._report.take(turn, timed=nodes[key].timed)

    def _node(self, node: dict[str, Any]) -> Node:
        message, parent = node.get("message"), node.get("parent")
        said = stamp_or_none(message.get("create_time"), self._options) if isinstance(message, dict) else None
        return Node(parent if isinstance(parent, str) else None, said, isinstance(message, dict))

    def _turn(self, key: str, message: Any, said_at: Instant | None, place: int, active: bool) -> Turn | None:
        if not isinstance(message, dict):
            return None
        role, speaker = _author(message)
        if said_at is None:
            self._report.skip(self._where, "a message without a time, in a chat without one.")
            return None
        content = message.get("content")
        kind = str(content.get("content_type")) if isinstance(content, dict) else ""
        if self._is_profile(content, kind, said_at):
            return None
        text = text_of(content)
        text = _CITATION.sub("", text).rstrip() if role in ("assistant", "tool") else text
        if reason := _reason_against(message, text):
            self._report.skip(self._where, reason)
            return None
        return Turn(
            text, self._session, speaker, role, said_at, str(message.get("id") or key), SOURCE,
            cut=role == "assistant" and message.get("status") in ("in_progress", "finished_partial_completion"),
            title=self._title, original=raw(message), place=place,
            inactive=not active or kind in REASONING or self._unremembered,
        )  # fmt: skip

    def _is_profile(self, content: Any, kind: str, said_at: Instant) -> bool:
        """Note what the settings told about the person, at the earliest time that it was in force."""
        if kind == "user_editable_context" and not self._unremembered:
            for name in ("user_profile", "user_instructions"):
                self._note("user", _inside(content.get(name)), said_at)
        elif kind == "model_editable_context" and not self._unremembered:
            self._note("assistant", _inside(content.get("model_set_context")), said_at)
        return kind in ("user_editable_context", "model_editable_context")

    def _note(self, role: Role, text: str, said_at: Instant) -> None:
        if text:
            self._profile[role, text] = min(said_at, self._profile.get((role, text), said_at))


def text_of(content: Any) -> str:
    """The text of a message's content, wherever its type keeps it; "" where there is none."""
    if isinstance(content, str):
        return content
    if not isinstance(content, dict):
        return ""
    found = "\n".join(filter(None, map(_piece, listed(content.get("parts")))))
    for name in ("text", "result", "summary", "content"):
        value = content.get(name)
        found = found or (value if isinstance(value, str) else "")
    thoughts = (one.get(name) for one in objects(content.get("thoughts")) for name in ("summary", "content"))
    return found or "\n".join(filter(None, map(words, thoughts)))


def _piece(part: Any) -> str:
    if isinstance(part, str):
        return part
    text = part.get("text") if isinstance(part, dict) else None
    return text if isinstance(text, str) else ""


def _author(message: dict[str, Any]) -> tuple[Role, str]:
    author = message.get("author")
    author = author if isinstance(author, dict) else {}
    role: Role = ROLES.get(str(author.get("role")), "tool")
    if role in ("user", "assistant"):
        return role, "me" if role == "user" else "assistant"
    return role, str(author.get("name") or role)


def _reason_against(message: dict[str, Any], text: str) -> str | None:
    metadata = message.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    if message.get("weight") == 0 or metadata.get("is_visually_hidden_from_conversation"):
        return "a message that the chat hides."
    return None if text.strip() else "a message without text (a picture, a file or nothing)."


def _inside(text: Any) -> str:
    """What stands in the fence of ChatGPT's wrapping, which is in the program's words."""
    if not isinstance(text, str):
        return ""
    fenced = _FENCED.search(text)
    return (fenced.group(1) if fenced else text).strip()
