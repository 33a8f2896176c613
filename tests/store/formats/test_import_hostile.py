"""No shape of a file, however wrong, ends an import with anything but turns, reasons and one sentence."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from store.errors import BadInput
from store.formats.catalogue import detect, read
from store.formats.report import Report
from tests.store.formats.importing import OPTIONS, written
from tests.store.formats.test_import_chatgpt import BRANCHED
from tests.store.formats.test_import_claude import conversation, message
from tests.store.formats.test_import_databases import MESSAGES, webui
from tests.store.formats.test_import_lines import LOCOMO, claude_code, longmemeval

STRANGE: list[Any] = [None, 7, -1e308, "x", "\ud800", "", [], {}, True, [7], [None], {"a": [1]}, "2024-01-01", 10**400]
CLAUDE = conversation(
    message("h", "human", "Hi.", "10:00:00", attachments=[{"file_name": "f", "extracted_content": "c"}]),
    message("a", "assistant", "Ho.", "10:00:01", "h"),
)
PROJECT = {"uuid": "p", "name": "n", "description": "d", "prompt_template": "t", "created_at": "2024-01-01",
           "docs": [{"uuid": "d", "filename": "f", "content": "c", "created_at": "2024-01-01"}]}  # fmt: skip
NOTES = {"conversations_memory": "m", "project_memories": {"p": "t"}, "updated_at": "2024-01-01"}
TURNS = {"session": "s", "id": "1", "timestamp": 1_700_000_000, "messages": [{"role": "user", "content": "Hi."}]}
CODEX = {"timestamp": "2025-09-01T08:00:00Z", "type": "event_msg", "payload": {"type": "user_message", "message": "x"}}
SHAPES: dict[str, list[Any]] = {
    "chatgpt": [BRANCHED], "claude": [CLAUDE, PROJECT, NOTES], "openwebui": [webui(MESSAGES, "y")],
    "locomo": [LOCOMO], "longmemeval": [longmemeval("q")], "jsonl": [TURNS], "codex": [CODEX],
    "claude-code": [claude_code("u", None, "user", [{"type": "text", "text": "Hi."}], 1)],
}  # fmt: skip


def places(value: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to each value inside a value."""
    if here:
        yield here
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from places(one, (*here, key))


@pytest.mark.parametrize("kind", SHAPES)
def test_any_value_in_any_place_may_be_anything(kind: str, tmp_path: Path) -> None:
    chance = random.Random(kind)
    path = tmp_path / "x.json"
    for where in places(SHAPES[kind]):
        for strange in chance.sample(STRANGE, 5):
            changed = copy.deepcopy(SHAPES[kind])
            target: Any = changed
            for key in where[:-1]:
                target = target[key]
            target[where[-1]] = strange
            written(path, changed if kind not in ("codex", "claude-code") else changed[0])
            try:
                turns = list(read((path, kind), replace(OPTIONS, item="1"), Report()))
                assert all(isinstance(turn.text, str) and turn.text and turn.said_at is not None for turn in turns)
                detect(path)
            except BadInput as error:
                assert "\n" not in str(error)
