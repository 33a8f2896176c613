"""Poison reaches a memory the way it does in life: as a turn of a chat, or in a file that is imported."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from store.formats.catalogue import read
from store.formats.report import Options, Report
from store.memory import Memory
from store.records import Instant, Turn
from tests.conftest import NOW, ZONE

Poison = dict[str, Any]
POISON: list[Poison] = [
    json.loads(line) for line in Path(__file__).with_name("poison.jsonl").read_text("utf-8").splitlines()
]
HONEST = ("I live in Porto.", "I work at Acme.")
"""What the person says right before the poison, and right after it."""
BEGUN = datetime(2026, 3, 2, 9, tzinfo=UTC)


def turns_of(poison: Poison, folder: Path) -> list[Turn]:
    """The poisoned turns, each as it comes out of the format in which it arrives."""
    if poison["via"] == "chat":
        return [Turn(one["text"], poison["name"], role=one["role"]) for one in poison["turns"]]
    path = folder / f"2026-03-02-{poison['name'].replace(' ', '-')}.{_ENDINGS.get(poison['via'], 'json')}"
    path.write_text(_FILES[poison["via"]](poison), encoding="utf-8")
    return list(read((path, poison["via"]), Options(ZONE, NOW), Report()))


def surrounded(poison: Poison, folder: Path) -> list[Turn]:
    """The poisoned turns between the two honest ones, which are an hour apart, in a conversation of their own."""
    session, me, hour = poison["name"], poison.get("me", "me"), timedelta(hours=1)
    first, last = (
        Turn(text, session, me, said_at=Instant.of(BEGUN + place * hour), external_id=f"honest {place}")
        for place, text in enumerate(HONEST)
    )
    between = (
        replace(one, session=session, said_at=Instant.of(BEGUN + timedelta(minutes=place)), place=None)
        for place, one in enumerate(turns_of(poison, folder), 1)
    )
    return [first, *between, last]


def bring(memory: Memory, poisons: Poison | list[Poison], folder: Path) -> list[str]:
    """Bring each poison between its honest turns, and sleep; gives the ids of the poisoned turns."""
    poisons = [poisons] if isinstance(poisons, dict) else poisons
    for poison in poisons:
        list(memory.episodes.ingest(surrounded(poison, folder)))
    for _ in memory.sleeping.run():
        pass
    turns = [turn for poison in poisons for turn in memory.episodes.of(poison["name"])]
    return [turn.id for turn in turns if turn.text not in HONEST]


def _chatgpt(poison: Poison) -> str:
    mapping: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None, "children": []}}
    parent = "root"
    for place, one in enumerate(poison["turns"]):
        key = f"m{place}"
        message = {
            "id": key, "author": {"role": one["role"], "name": None}, "create_time": BEGUN.timestamp() + place,
            "content": {"content_type": "text", "parts": [one["text"]]}, "weight": 1.0, "metadata": {},
            "recipient": "all", "status": "finished_successfully",
        }  # fmt: skip
        mapping[key] = {"id": key, "message": message, "parent": parent, "children": []}
        parent = key
    chat = {"conversation_id": "c", "title": "", "create_time": BEGUN.timestamp(), "mapping": mapping}
    return json.dumps([chat | {"update_time": BEGUN.timestamp(), "current_node": parent}])


def _lines(poison: Poison) -> str:
    return "".join(f"{line}\n" for line in _as_lines(poison))


def _as_lines(poison: Poison) -> Iterator[str]:
    for place, one in enumerate(poison["turns"]):
        said_at = (BEGUN + timedelta(seconds=place)).isoformat()
        yield json.dumps({"session": poison["name"], "said_at": said_at} | one, ensure_ascii=False)


def _note(poison: Poison) -> str:
    return str(poison["turns"][0]["text"])


_ENDINGS = {"markdown": "md", "jsonl": "jsonl"}
_FILES = {"chatgpt": _chatgpt, "jsonl": _lines, "markdown": _note}
