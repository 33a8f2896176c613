"""A restore or a repair is never the last copy gone: what it replaces is kept, and what it brings is checked first."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.session import CommandContext, tell
from app.core import rendering
from store.errors import BadInput, Damaged
from store.records import Instant
from widgets.wording import count

if TYPE_CHECKING:
    from store.maintenance.salvage import Lost, Salvaged
    from store.memory import Memory


def go_back_to(session: CommandContext, path: Path, *, agreed: bool = False, only_look: bool = False) -> None:
    """Show what replacing the memory by the backup at `path` would change, and do it if the person agrees; a script,
    which nobody can ask, goes on. What is there now is kept. Raises what `store.maintenance.restoring` raises."""
    agreed = agreed or not sys.stdin.isatty()
    from store.maintenance import restoring

    session.unlock(session.db)
    session.unlock(path)
    now = Instant.of(datetime.now(session.zone))
    with restoring.staged(path, session.db, now) as backup:
        preview = restoring.preview(backup, session.db)
        seen = {"preview": rendering.preview_json(preview, session.zone)}
        if only_look:
            session.emit({"would_restore": str(path), **seen}, *rendering.preview_lines(preview, session.zone))
            return
        if not agreed and not _agrees(rendering.preview_lines(preview, session.zone)):
            session.emit({"restored": None, **seen}, "Nothing was changed.")
            return
        kept = restoring.restore(backup, path, session.db, now)
    document = {
        "restored": str(path), "before": None if kept is None else str(kept), "turns": preview.backup.turns, **seen,
    }  # fmt: skip
    lines = rendering.preview_lines(preview, session.zone) if agreed else []  # else they were shown before
    session.emit(document, *lines, f"Restored {count(preview.backup.turns, 'turn')} from {path}.", *_way_back(kept))


def _agrees(preview: list[str]) -> bool:
    for line in preview:
        tell(line)
    return click.confirm("Go back to this backup?", err=True)


def _way_back(kept: Path | None) -> list[str]:
    """How a restore is taken back, for people."""
    if kept is None:
        return []
    from store.maintenance import copies

    damaged = copies.DAMAGED in kept.suffixes
    return [
        f"What was there before is damaged; it is kept as {kept}."
        if damaged
        else f"What was there before is in {kept}; `erstwhile restore {kept}` takes this back.",
        "Automatic backups, and their thinning, rest until a day after your next turn.",
    ]


def back_up_before(memory: Memory, deed: str) -> None:
    """Make the backup that goes before a merge or a rebuild, if there is anything to lose."""
    if memory.sessions.all():
        memory.backups.make(why=f"before-{deed}")


def repair(session: CommandContext) -> None:
    """Mend the memory: by making what is derived anew, or else by bringing what can be read into a new file, which
    takes the place of the damaged one; that one is kept beside it. Raises Damaged where nothing can be read, and Busy
    where another process has the file open."""
    if not session.db.is_file():
        raise BadInput(f"There is no memory at {session.db}; name its file with --db.")
    session = replace(session, db=session.db.resolve())
    session.unlock(session.db)
    if (done := _rebuilt(session)) is not None:
        said = "rebuilt what is derived; no turn is lost" if done else "nothing was wrong, and nothing was changed"
        session.emit({"ok": True, "repaired": "rebuilt" if done else None, "lost": []}, f"{session.db}: {said}.")
        return
    from store.database.connections import alone  # only a repair needs SQLite before a memory is opened

    with alone(session.db):
        found, kept = _salvaged(session)
    document = {
        "ok": True, "repaired": "salvaged", "turns": found.turns, "unreadable": found.unreadable, "kept": str(kept),
        "lost": [{"turns": one.most, "after": _iso(one.after), "before": _iso(one.before)} for one in found.lost],
    }  # fmt: skip
    session.emit(document, *_told(session.db, found, kept))


def _rebuilt(session: CommandContext) -> bool | None:
    """Whether rebuilding mended it: False where nothing had to be, None where its pages themselves are damaged."""
    from store.maintenance.salvage import UNREADABLE

    try:
        with session.memory() as memory:
            bad = {one.name for one in memory.file.check() if not one.ok}
            if not bad:
                return False
            if bad & {"integrity", "foreign keys"}:
                return None  # nothing more is written to damaged pages
            back_up_before(memory, "rebuild")
            for _ in memory.file.rebuild():
                pass
            return True if all(one.ok for one in memory.file.check()) else None
    except (Damaged, *UNREADABLE):
        return None


def _salvaged(session: CommandContext) -> tuple[Salvaged, Path]:
    from store.maintenance import copies
    from store.maintenance.salvage import salvage

    fresh = session.db.with_name(f".{session.db.name}.salvaged")
    kept = copies.backup_beside(session.db, datetime.now(session.zone), copies.DAMAGED.removeprefix("."))
    try:
        _forget(fresh)  # of a repair that was killed
        found = salvage(session.db, fresh)
        if not found.turns:
            raise Damaged(f"No turn can be read in {session.db}; go back to a backup.")
        with replace(session, db=fresh).memory() as memory:
            memory.file.exported(kept)
            for _ in memory.file.rebuild():
                pass
            bad = [one for one in memory.file.check() if not one.ok]
        if bad:
            raise Damaged(f"What was read from {session.db} fails its checks ({bad[0].name}); nothing was changed.")
        os.link(session.db, kept)  # so that there is a memory at every moment
        for end in ("-wal", "-shm"):
            if (part := session.db.with_name(session.db.name + end)).exists():
                part.replace(kept.with_name(kept.name + end))
        fresh.replace(session.db)
    finally:
        _forget(fresh)
    return found, kept


def _forget(path: Path) -> None:
    for end in ("", "-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)


def _told(memory: Path, found: Salvaged, kept: Path) -> list[str]:
    """What a repair did, for people."""
    said = [f"Brought {count(found.turns, 'turn')} into a new file at {memory}; the damaged one is kept as {kept}."]
    said += map(_missing, found.lost)
    others = [one.replace("_", " ") for one in found.unreadable if one != "episodes"]
    if others:
        said.append(f"Not all could be read of: {', '.join(others)}.")
    if "tombstones" in found.unreadable:
        said.append("What was erased before may come back with an import or a merge.")
    if found.unread:
        said.append("The next sleep reads every turn again.")
    if found.lost:
        return [*said, "A backup may still hold what is lost: `erstwhile merge FILE` takes it over."]
    return [*said, "Every turn could be read."] if "episodes" not in found.unreadable else said


def _missing(lost: Lost) -> str:
    after = f"after {lost.after.iso()[:16]}" if lost.after is not None else "from the beginning"
    before = f" and before {lost.before.iso()[:16]}" if lost.before is not None else ""
    if lost.most is None:
        return f"Lost: every turn {after}; nobody knows how many."
    return f"Lost: up to {count(lost.most, 'turn')}, {after}{before} (with those that you erased)."


def _iso(moment: Instant | None) -> str | None:
    return moment.iso() if moment is not None else None
