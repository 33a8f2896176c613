"""What the tests of complete exports share: a memory as the bytes of its export, and an import of these."""

from __future__ import annotations

import json
from pathlib import Path

from store.database.rows import rows
from store.maintenance.complete import staged
from store.maintenance.taking import Taken
from store.memory import Memory


def written(memory: Memory, *, secrets: bool = True) -> str:
    """The text of a complete export."""
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in memory.file.export(secrets=secrets))


def taken(memory: Memory, text: str) -> Taken:
    """What came of an import of this text."""
    path = memory.path.with_name("taken.jsonl")
    path.write_text(text, encoding="utf-8")
    return taken_from(memory, path)


def taken_from(memory: Memory, path: Path) -> Taken:
    """What came of an import of this file."""
    with staged(path) as one:
        running = memory.file.take(one)
        while True:
            try:
                next(running)
            except StopIteration as ended:
                result: Taken = ended.value
                return result


def kinds(text: str) -> set[str]:
    """The kinds of lines in an export."""
    return {json.loads(line).get("kind", "turn") for line in text.splitlines()}


def unsound(memory: Memory) -> list[str]:
    """The names of the checks that fail, and what is not what the export says."""
    return [one.name for one in memory.file.check() if not one.ok]


def believed(memory: Memory) -> tuple[object, ...]:
    """Everything that a memory believes and is known of it."""
    said = rows(memory._database.reader(), "select id, secret, inactive, cut, original from episodes order by 1")
    return memory.state_hash(), memory.people.entities(), memory.sessions.all(), said
