"""What is exported has its name when it is whole and on the disk, is never written over another file, and is for its
owner alone.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.conversation import Conversation, as_shown, taught
from app.core.markdown import ExportedChat, page
from store.errors import BadInput, NotFound
from widgets.plain import plain

if TYPE_CHECKING:
    from store.maintenance.lines import Line
    from store.memory import Memory

LONGEST_NAME = 60  # characters of the name of a file, without its ending


def file_name(title: str) -> str:
    """A name for the export of a conversation: "moving-to-lisbon.md"."""
    words = re.findall(r"\w+", plain(title).casefold())
    return f"{'-'.join(words)[:LONGEST_NAME].strip('-') or 'conversation'}.md"


def refuse(target: Path) -> None:
    """Raises BadInput where nothing can be written under this name, with what to do instead."""
    if target.exists():
        raise BadInput(f"{target} exists already; name another file.")
    if not target.parent.is_dir():
        raise BadInput(f"There is no folder {target.parent}; name a file in one that is there.")


def write_conversation(memory: Memory, key: str, target: Path, *, secrets: bool = False) -> ExportedChat:
    """Write one conversation as Markdown, with what it branched off from and what its turns taught; without `secrets`,
    turns that hold any are left out. Raises NotFound, BadInput, StoreError.
    """
    refuse(target)
    conversation = Conversation.of(memory, key)
    if not conversation.turns:
        raise NotFound(f"There is no conversation {key!r}; `erstwhile sessions --json` lists their keys.")
    turns = conversation.page(memory, 0, conversation.turns)
    kept = tuple(turn for turn in turns if secrets or not turn.secret)
    shown, noted = as_shown(memory, kept), taught(memory, kept)
    for (turn, reply), read in zip(pairwise(kept), shown[1:], strict=True):
        if read is not reply:
            noted.pop(turn.id, None)  # the reply says it, and what is unsure besides
    told = ExportedChat(conversation.title or key, shown, noted, len(turns) - len(kept))
    memory.file.exported(target)
    write_text(target, page(told))
    return told


def write_whole(target: Path, lines: Iterator[Line]) -> Counter[str]:
    """Write the lines of a complete export; gives how many there are of each kind. Raises StoreError."""
    counts: Counter[str] = Counter()

    def written() -> Iterator[str]:
        for kind, values in lines:
            yield json.dumps(values, ensure_ascii=False) + "\n"
            counts[kind] += 1

    write_text(target, written())
    return counts


def write_text(target: Path, pieces: Iterable[str]) -> None:
    """Write a file piece by piece. Raises StoreError."""
    from store.database.connections import told
    from store.maintenance import backups

    with told(target), backups.part(target) as unfinished:
        unfinished.unlink(missing_ok=True)  # of an export that was cut off
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(descriptor)
        backups.publish(unfinished, target)
