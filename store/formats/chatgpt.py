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

from store.formats.archive import items_of
from store.formats.conversation import ROLES, Conversation, Node, Spot, laid_out
from store.formats.report import Options, Report, digest, listed, mapped, objects, raw, stamp_of, words
from store.records import Instant, Role, Turn

SOURCE = "import:chatgpt"
WANTED = re.compile(r"(?:[^/]*[-_])?conversations(?:[-_]\d+)?\.json")
REASONING = ("thoughts", "reasoning_recap")
_SETTINGS: dict[tuple[str, str], Role] = {
    ("user_editable_context", "user_profile"): "user",
    ("user_editable_context", "user_instructions"): "user",
    ("model_editable_context", "model_set_context"): "assistant",
}
"""(content type, its field): whose words about the person it holds."""
_CITATION = re.compile("\ue200[^\ue200\ue201]*\ue201|[\ue200-\ue2ff]|【\\d[^【】†]*†[^【】]*】")
_FENCED = re.compile(r"```(.*?)```", re.DOTALL)
Json = dict[str, Any]
Profile = dict[tuple[Role, str], Instant]
"""What the settings told about the person, by whom, and the earliest time that it was in force."""


def read(path: Path, options: Options, report: Report) -> Iterator[Turn]:
    """The turns of an export, chat by chat. Raises BadInput if it cannot be opened."""
    profile: Profile = {}
    for where, chat in items_of(path, WANTED, report):
        yield from _turns(chat, options, report, where, profile)
    for (role, text), said_at in sorted(profile.items(), key=lambda one: (one[1], one[0])):
        speaker, title = "me" if role == "user" else "assistant", "What ChatGPT was told about you"
        yield report.take(Turn(text, "chatgpt:profile", speaker, role, said_at, digest(text), SOURCE, title=title))


def _turns(chat: Json, options: Options, report: Report, where: str, profile: Profile) -> Iterator[Turn]:
    title, mapping = words(chat.get("title")), chat.get("mapping")
    key = chat.get("conversation_id") or chat.get("id") or digest(repr((title, chat.get("create_time"))))
    conversation = Conversation(f"chatgpt:{key}", SOURCE, where, report, title)
    if not isinstance(mapping, dict):
        conversation.skip("it is not a chat of ChatGPT (it has no mapping).")
        return
    mapping = {key: one for key, one in mapping.items() if isinstance(one, dict)}
    messages = {key: one["message"] for key, one in mapping.items() if isinstance(one.get("message"), dict)}
    unremembered = bool(chat.get("is_do_not_remember") or chat.get("is_temporary_chat"))
    if unremembered and not options.unremembered:
        conversation.skip("it is marked as not to be remembered.", max(1, len(messages)))
        return
    nodes = {
        key: Node(words(one.get("parent")), stamp_of(mapped(one.get("message")), options, "create_time"),
                  key in messages)
        for key, one in mapping.items()
    }  # fmt: skip
    layout = laid_out(nodes, chat.get("current_node"))
    if layout.guessed and nodes:
        report.notes.append(f"{conversation.where}: it names no current message; its latest branch was taken.")
    begun, ended = stamp_of(chat, options, "create_time"), stamp_of(chat, options, "update_time")
    for spot in conversation.spots(nodes, layout, begun, ended):
        yield from _turn(conversation, spot, messages[spot.key], unremembered, profile)


def _turn(
    conversation: Conversation, spot: Spot, message: Json, unremembered: bool, profile: Profile
) -> Iterator[Turn]:
    content = message.get("content")
    kind = str(mapped(content).get("content_type"))
    if kind in ("user_editable_context", "model_editable_context"):
        for (holder, field), by in _SETTINGS.items():
            if holder == kind and not unremembered and (told := _inside(mapped(content).get(field))):
                profile[by, told] = min(spot.said_at, profile.get((by, told), spot.said_at))
        return
    author = mapped(message.get("author"))
    role: Role = ROLES.get(str(author.get("role")), "tool")
    speaker = "me" if role == "user" else role if role == "assistant" else str(author.get("name") or role)
    text = text_of(content)
    text = _CITATION.sub("", text).rstrip() if role in ("assistant", "tool") else text
    if message.get("weight") == 0 or mapped(message.get("metadata")).get("is_visually_hidden_from_conversation"):
        conversation.skip("a message that the chat hides.")
    elif not text.strip():
        conversation.skip("a message without text (a picture, a file or nothing).")
    else:
        yield conversation.take(
            spot, role, text, speaker=speaker, external_id=str(message.get("id") or spot.key), original=raw(message),
            cut=role == "assistant" and message.get("status") in ("in_progress", "finished_partial_completion"),
            inactive=spot.inactive or kind in REASONING or unremembered,
        )  # fmt: skip


def text_of(content: Any) -> str:
    """The text of a message's content, wherever its type keeps it; "" where there is none."""
    if isinstance(content, str):
        return content
    content = mapped(content)
    pieces = (mapped(part).get("text") if isinstance(part, dict) else part for part in listed(content.get("parts")))
    found = "\n".join(piece for piece in pieces if isinstance(piece, str) and piece)
    for name in ("text", "result", "summary", "content"):
        value = content.get(name)
        found = found or (value if isinstance(value, str) else "")
    thoughts = (one.get(name) for one in objects(content.get("thoughts")) for name in ("summary", "content"))
    return found or "\n".join(filter(None, map(words, thoughts)))


def _inside(text: Any) -> str:
    """What stands in the fence of ChatGPT's wrapping, which is in the program's words."""
    if not isinstance(text, str):
        return ""
    fenced = _FENCED.search(text)
    return (fenced.group(1) if fenced else text).strip()
