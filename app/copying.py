"""A restore or a repair is never the last copy gone: what it replaces is kept, and what it brings is checked first."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from app.session import Session
from store.errors import BadInput, Damaged
from widgets.wording import count

if TYPE_CHECKING:
    from store.memory import Memory
    from store.records import Instant
    from store.writing.salvage import Lost


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


def repair(session: Session) -> None:
    """Mend the memory: by making what is derived anew, or else by bringing what can be read into a new file, which
    takes the place of the damaged one; that one is kept beside it. Raises Damaged where nothing can be read."""
    if not session.db.is_file():
        raise BadInput(f"There is no memory at {session.db}; name its file with --db.")
    if (done := _rebuilt(session)) is not None:
        said = "rebuilt what is derived; no turn is lost" if done else "nothing was wrong, and nothing was changed"
        session.emit({"ok": True, "repaired": "rebuilt" if done else None, "lost": []}, f"{session.db}: {said}.")
        return
    _salvaged(session)


def _rebuilt(session: Session) -> bool | None:
    """Whether rebuilding mended it: False where nothing had to be, None where that is not enough."""
    from store.writing.salvage import UNREADABLE

    try:
        with session.memory() as memory:
            if all(one.ok for one in memory.check()):
                return False
            for _ in memory.rebuild():
                pass
            return True if all(one.ok for one in memory.check()) else None
    except (Damaged, *UNREADABLE):
        return None


def _salvaged(session: Session) -> None:
    from store.writing import copies
    from store.writing.salvage import salvage

    moment = datetime.now(session.zone)
    fresh = session.db.with_name(f".{session.db.name}.salvaged")
    try:
        found = salvage(session.db, fresh)
        with Session(fresh, session.zone_name, session.as_json).memory() as memory:
            for _ in memory.rebuild():
                pass
            kept = copies.backup_beside(session.db, moment, "damaged")
            memory.exported(kept)
            bad = [one for one in memory.check() if not one.ok]
        if bad:
            raise Damaged(f"What was read from {session.db} fails its checks ({bad[0].name}); nothing was changed.")
        for end in ("-wal", "-shm", ""):
            if (part := session.db.with_name(session.db.name + end)).exists():
                part.replace(kept.with_name(kept.name + end))
        fresh.replace(session.db)
    finally:
        for end in ("", "-wal", "-shm"):
            fresh.with_name(fresh.name + end).unlink(missing_ok=True)
    lost = [{"turns": one.most, "after": _iso(one.after), "before": _iso(one.before)} for one in found.lost]
    document = {
        "ok": True, "repaired": "salvaged", "turns": found.turns, "lost": lost, "unreadable": found.unreadable,
        "kept": str(kept),
    }  # fmt: skip
    brought = (
        f"Brought {count(found.turns, 'turn')} into a new file at {session.db}; the damaged one is kept as {kept}."
    )
    backup = "A backup may still hold them: `erstwhile merge FILE` takes them over."
    session.emit(document, brought, *map(_missing, found.lost), backup if lost else "Every turn could be read.")


def _missing(lost: Lost) -> str:
    after = f"after {lost.after.iso()[:16]}" if lost.after is not None else "from the beginning"
    before = f" and before {lost.before.iso()[:16]}" if lost.before is not None else ""
    most = f"up to {count(lost.most, 'turn')}" if lost.most is not None else "all turns, nobody knows how many"
    return f"Lost: {most}, {after}{before}."


def _iso(moment: Instant | None) -> str | None:
    return moment.iso() if moment is not None else None
