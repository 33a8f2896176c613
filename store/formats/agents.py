"""Of a coding agent's log, only what the person typed and what the agent said is a conversation; the rest is machinery.

Claude Code (`~/.claude/projects/*/*.jsonl`): lines form a tree by `parentUuid`, a rewind leaves a branch behind, and a
side chain is an agent talking to itself. Codex (`rollout-*.jsonl`): what was typed is an `event_msg`, or in older logs
a `message` item, where instructions and the state of the machine come in the person's name between tags.
Calls of tools and their results, which are files and listings, are counted and left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from store.errors import BadInput
from store.formats.archive import opened
from store.formats.jsonl import ROLES
from store.formats.report import Options, Report, raw
from store.formats.stamps import stamp_or_none
from store.formats.stream import LONGEST_LINE, lines
from store.formats.tree import Node, fill_times, laid_out
from store.records import Instant, Role, Turn

Json = dict[str, Any]
TOOLS = "a call of a tool or its result, left out of a coding agent's log."
_CALLS = frozenset({"function_call", "function_call_output", "local_shell_call", "custom_tool_call"})
_SAID: dict[str, Role] = {"user_message": "user", "agent_message": "assistant"}
_MACHINERY = re.compile(
    r"\s*(?:<(?:command-|local-command|system-reminder|bash-|user-memory|environment_context|user_instructions|"
    r"permissions|INSTRUCTIONS|turn_aborted|task-notification|ide_)|# AGENTS\.md instructions|Caveat: The messages)"
)
_REMINDER = re.compile(r"<system-reminder>(?:(?!<system-reminder>).)*?</system-reminder>\s*", re.DOTALL)


def read_claude_code(path: Path, options: Options, report: Report) -> Iterator[Turn]:
    """The conversation in one log. Two passes: the tree first, then the words, so that they are not held together."""
    nodes: dict[str, Node] = {}
    tip: str | None = None
    with opened(path) as file:
        for _, line in _objects(file, path, None):
            key = line.get("uuid")
            if isinstance(key, str) and key not in nodes:
                parent = line.get("parentUuid") or line.get("logicalParentUuid")
                said_at = stamp_or_none(line.get("timestamp"), options)
                nodes[key] = Node(parent if isinstance(parent, str) else None, said_at, "message" in line)
                tip = tip if line.get("isSidechain") else key
    layout = laid_out(nodes, tip)
    report.branches += layout.branches
    fill_times(nodes, layout.order, None, None)
    places = {key: place for place, key in enumerate(layout.order)}
    with opened(path) as file:
        for number, line in _objects(file, path, report):
            key = line.get("uuid")
            if not isinstance(key, str) or key not in places or line.get("type") not in ("user", "assistant"):
                continue
            active = key in layout.active and not line.get("isSidechain")
            turn = _claude_code_turn(line, key, nodes[key].said_at, places.pop(key), active, path)
            if isinstance(turn, str):
                report.skip(f"{path.name} line {number}", turn)
            else:
                yield report.take(turn, timed=nodes[key].timed)


def _claude_code_turn(
    line: Json, key: str, said_at: Instant | None, place: int, active: bool, path: Path
) -> Turn | str:
    message = line.get("message")
    if not isinstance(message, dict):
        return "a line without a message."
    role: Role = "assistant" if line["type"] == "assistant" else "user"
    text = _REMINDER.sub("", _typed(message.get("content"))).strip()
    if not text:
        return TOOLS
    if line.get("isMeta") or line.get("isCompactSummary") or (role == "user" and _MACHINERY.match(text)):
        return "a message that the program wrote in the person's name."
    if said_at is None:
        return "a message without a time."
    model = message.get("model")
    return Turn(
        text, f"claude-code:{line.get('sessionId') or path.stem}", "me" if role == "user" else role, role, said_at,
        key, "import:claude-code", original=raw({"model": model, "cwd": line.get("cwd")}), place=place,
        inactive=not active,
    )  # fmt: skip


def read_codex(path: Path, options: Options, report: Report) -> Iterator[Turn]:
    """The conversation in one rollout. Raises BadInput if it cannot be opened."""
    with opened(path) as file:
        has_events = any(_event(line) is not None for _, line in _objects(file, path, None))
    session, last = path.stem, None
    with opened(path) as file:
        for number, line in _objects(file, path, report):
            payload = _payload(line)
            last = stamp_or_none(line.get("timestamp") or payload.get("timestamp"), options) or last
            if line.get("type") == "session_meta" or "instructions" in line:
                session = str(payload.get("id") or session)
                continue
            spoken = _event(line) if has_events else _item(payload)
            if spoken is None:
                if str(payload.get("type")) in _CALLS:
                    report.skip(f"{path.name} line {number}", TOOLS)
                continue
            role, text = spoken
            if role == "user" and _MACHINERY.match(text):
                report.skip(f"{path.name} line {number}", "a message that the program wrote in the person's name.")
            elif last is None:
                report.skip(f"{path.name} line {number}", "a message without a time.")
            else:
                speaker, key = "me" if role == "user" else "assistant", f"line:{number}"
                turn = Turn(text, f"codex:{session}", speaker, role, last, key, "import:codex", place=number)
                yield report.take(turn)


def _payload(line: Json) -> Json:
    inner = line.get("payload")
    return inner if isinstance(inner, dict) else line


def _event(line: Json) -> tuple[Role, str] | None:
    """What was said in an `event_msg`."""
    payload = line.get("payload")
    if line.get("type") != "event_msg" or not isinstance(payload, dict):
        return None
    role, text = _SAID.get(str(payload.get("type"))), payload.get("message")
    return (role, text) if role is not None and isinstance(text, str) and text.strip() else None


def _item(payload: Json) -> tuple[Role, str] | None:
    """What was said in a `message` item, where a log has no events."""
    role = ROLES.get(str(payload.get("role")))
    if payload.get("type") != "message" or role not in ("user", "assistant"):
        return None
    text = _typed(payload.get("content"))
    return (role, text) if text.strip() else None


def _typed(content: Any) -> str:
    if isinstance(content, str):
        return content
    blocks = [one for one in content if isinstance(one, dict)] if isinstance(content, list) else []
    found = [block.get("text") for block in blocks if block.get("type") in ("text", "input_text", "output_text")]
    return "\n\n".join(one for one in found if isinstance(one, str) and one.strip())


def _objects(file: IO[bytes], path: Path, report: Report | None) -> Iterator[tuple[int, Json]]:
    """(line, object) of each line that holds one; the others go to the report, where there is one."""
    for number, line in lines(file):
        if line is not None and not line.strip():
            continue
        try:
            if line is None:
                raise BadInput(f"it is longer than {LONGEST_LINE} bytes.")
            found = json.loads(line)
        except (ValueError, RecursionError, BadInput) as error:
            if report is not None:
                report.skip(f"{path.name} line {number}", f"it is not JSON ({error}).")
            continue
        if isinstance(found, dict):
            yield number, found
