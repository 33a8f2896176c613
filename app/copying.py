"""A restore is never the last copy gone: what it replaces is backed up first, and what it brings is checked first."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.session import Session
from store.errors import BadInput, Damaged

if TYPE_CHECKING:
    from store.memory import Memory


def go_back_to(session: Session, memory: Memory, path: Path) -> None:
    """Replace the memory by the backup at `path`; what is there now is backed up first, beside the file."""
    if not path.is_file():
        raise BadInput(f"{path} is not a file; name one that `erstwhile backup` wrote.")
    before = memory.backup(why="before-restore")
    memory.restore_backup(path)
    bad = [one for one in memory.check() if not one.ok]
    if bad:
        memory.restore_backup(before)
        raise Damaged(f"{path} fails its checks ({bad[0].name}); the memory is as it was before.")
    turns = sum(one.turns for one in memory.sessions())
    document = {"restored": str(path), "before": str(before), "turns": turns}
    session.emit(document, f"Restored {turns} turns from {path}; what was there before is in {before}.")
