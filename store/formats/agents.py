"""Of a coding agent's log, only what the person typed and what the agent said is a conversation; the rest is machinery.

Claude Code (`~/.claude/projects/*/*.jsonl`): lines form a tree by `parentUuid`, a rewind leaves a branch behind, and a
side chain is an agent talking to itself. Codex (`rollout-*.jsonl`): what was typed is an `event_msg`, or in older logs
a `message` item, where instructions and the state of the machine come in the person's name between tags.
Calls of tools and their results, which are files and listings, are counted and left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from store.formats.archive import opened
from store.formats.conversation import ROLES, Conversation, Node, Spot, laid_out
from store.formats.jsonl import objects_in
from store.formats.report import Options, Report, mapped, objects, raw, stamp_of, words
from store.records import Instant, Role, Turn

Json = dict[str, Any]
TOOLS = "a call of a tool or its result, left out of a coding agent's log."
MACHINE = "a message that the program wrote in the person's name."
_CALLS = frozenset({"function_call", "function_call_output", "local_shell_call", "custom_tool_call"})
_SAID: dict[str, Role] = {"user_message": "user", "agent_message": "assistant"}
_MACHINERY = re.compile(
    r"\s*(?:<(?:command-|local-command|system-reminder|bash-|user-memory|environment_context|user_instructions|"
    r"permissions|INSTRUCTIONS|turn_aborted|task-notification|ide_)|# AGENTS\.md instructions|Caveat: The messages)"
)
_REMINDER = re.compile(r"<system-reminder>(?:(?!<system-reminder>).)*?</system-reminder>\s*", re.DOTALL)


def read_claude_code(path: Path, options: Options, report: Report) -> Iterator[Turn]:
    """The conversation in one log. Raises BadInput if it cannot be opened."""
    nodes: dict[str, Node] = {}
    said: dict[str, tuple[Role, str, Json, bool]] = {}
    tip: str | None = None
    for where, line in _lines(path, report):
        key = line.get("uuid")
        if not isinstance(key, str) or key in nodes:
            continue
        parent = words(line.get("parentUuid")) or words(line.get("logicalParentUuid"))
        nodes[key] = Node(parent, stamp_of(line, options, "timestamp"), "message" in line)
        aside = bool(line.get("isSidechain"))
        tip = tip if aside else key
        role = ROLES.get(str(line.get("type")))
        if role not in ("user", "assistant"):
            continue
        message = mapped(line.get("message"))
        text = _REMINDER.sub("", _typed(message.get("content"))).strip()
        if not text:
            report.skip(where, TOOLS if message else "a line without a message.")
        elif line.get("isMeta") or line.get("isCompactSummary") or (role == "user" and _MACHINERY.match(text)):
            report.skip(where, MACHINE)
        else:
            about = {"session": f"claude-code:{line.get('sessionId') or path.stem}",
                     "original": raw({"model": message.get("model"), "cwd": line.get("cwd")})}  # fmt: skip
            said[key] = role, text, about, aside
    log = Conversation("", "import:claude-code", path.name, report)
    for spot in log.spots(nodes, laid_out(nodes, tip)):
        if spot.key in said:
            role, text, about, aside = said[spot.key]
            yield log.take(spot, role, text, inactive=spot.inactive or aside, **about)


def read_codex(path: Path, options: Options, report: Report) -> Iterator[Turn]:
    """The conversation in one rollout. Raises BadInput if it cannot be opened."""
    events: list[tuple[str, str, Role, str, Instant | None]] = []
    items: list[tuple[str, str, Role, str, Instant | None]] = []
    session = path.stem
    said_at: Instant | None = None
    for where, line in _lines(path, report):
        payload = mapped(line.get("payload")) or line
        said_at = stamp_of(line, options, "timestamp") or stamp_of(payload, options, "timestamp") or said_at
        kind = str(payload.get("type"))
        if line.get("type") == "session_meta" or "instructions" in line:
            session = str(payload.get("id") or session)
        elif kind in _CALLS:
            report.skip(where, TOOLS)
        elif line.get("type") == "event_msg" and kind in _SAID and (text := words(payload.get("message"))):
            events.append((session, where, _SAID[kind], text, said_at))
        elif kind == "message" and (text := words(_typed(payload.get("content")))):
            role = ROLES.get(str(payload.get("role")))
            if role in ("user", "assistant"):
                items.append((session, where, role, text, said_at))
    for session, where, role, text, at in events or items:
        number = int(where.rpartition(" ")[2])
        if role == "user" and _MACHINERY.match(text):
            report.skip(where, MACHINE)
        elif at is None:
            report.skip(where, "a message without a time.")
        else:
            log = Conversation(f"codex:{session}", "import:codex", path.name, report)
            yield log.take(Spot(f"line:{number}", at, number, False, True), role, text)


def _typed(content: Any) -> str:
    if isinstance(content, str):
        return content
    blocks = (one for one in objects(content) if one.get("type") in ("text", "input_text", "output_text"))
    return "\n\n".join(filter(None, (words(block.get("text")) for block in blocks)))


def _lines(path: Path, report: Report) -> Iterator[tuple[str, Json]]:
    """(where, object) of each line that holds one; the others go to the report."""
    with opened(path) as file:
        for where, line in objects_in(file):
            if isinstance(line, str):
                report.skip(f"{path.name} {where}", line)
            else:
                yield f"{path.name} {where}", line
