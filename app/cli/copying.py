"""A restore or a repair is never the last copy gone: what it replaces is kept, and what it brings is checked first.

What is encrypted is said with what is not: copies that were made before still hold the words.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from datetime import datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from app.cli.session import CommandContext, new_passphrase, passphrases_in, tell
from app.core.draft import Draft
from app.core.rendering import as_json
from app.core.sleeper import drawn
from store.errors import BadInput, Damaged, NotFound
from widgets.wording import count, moment

if TYPE_CHECKING:
    from store.maintenance.restoring import Only, Preview, Side
    from store.maintenance.salvage import Salvaged
    from store.memory import Memory


def go_back_to(session: CommandContext, path: Path, *, agreed: bool = False, only_look: bool = False) -> None:
    """Show what replacing the memory by the backup at `path` would change, and do it if the person agrees; a script,
    which nobody can ask, goes on. What is there now is kept. Raises what `store.maintenance.restoring` raises."""
    from store.maintenance import copies, restoring

    agreed = agreed or not sys.stdin.isatty()
    session.unlock(session.db)
    session.unlock(path)
    now = session.now()
    with restoring.staged(path, session.db, now) as backup:
        preview = restoring.preview(backup, session.db)
        seen, lines = {"preview": _preview_json(preview, session.zone)}, _preview_lines(preview, session.zone)
        if only_look:
            session.emit({"would_restore": str(path), **seen}, *lines)
            return
        if not agreed:
            for line in lines:
                tell(line)
            lines = []
            if not click.confirm("Go back to this backup?", err=True):
                session.emit({"restored": None, **seen}, "Nothing was changed.")
                return
        kept = restoring.restore(backup, path, session.db, now)
    turns = preview.backup.turns
    lines.append(f"Restored {count(turns, 'turn')} from {path}.")
    if kept is not None:
        lines += [
            f"What was there before is damaged; it is kept as {kept}."
            if copies.DAMAGED in kept.suffixes
            else f"What was there before is in {kept}; `erstwhile restore {kept}` takes this back.",
            "Automatic backups, and their thinning, rest until a day after your next turn.",
        ]
    before = None if kept is None else str(kept)
    session.emit({"restored": str(path), "before": before, "turns": turns, **seen}, *lines)


def _preview_json(preview: Preview, zone: tzinfo) -> dict[str, Any]:

    def said(us: int | None) -> str | None:
        return None if us is None else moment(us, zone).isoformat()

    def side(one: Side) -> dict[str, Any]:
        return {"turns": one.turns, "beliefs": one.beliefs, "last": said(one.last)}

    def only(one: Only) -> dict[str, Any]:
        return {"turns": one.turns, "first": said(one.first), "last": said(one.last)}

    return {
        "present": None if preview.present is None else side(preview.present), "backup": side(preview.backup),
        "lost": only(preview.lost), "gained": {**only(preview.gained), "erased": preview.erased},
        "damaged": preview.damaged,
    }  # fmt: skip


def _preview_lines(preview: Preview, zone: tzinfo) -> list[str]:

    def side(one: Side) -> str:
        last = "" if one.last is None else f", the last said {moment(one.last, zone):%Y-%m-%d %H:%M}"
        return f"{count(one.turns, 'turn')}, {count(one.beliefs, 'belief')}{last}"

    def only(one: Only) -> str:
        if one.first is None or one.last is None:
            return "nothing"
        first, last = (f"{moment(us, zone):%Y-%m-%d %H:%M}" for us in (one.first, one.last))
        return f"{count(one.turns, 'turn')}, said {first}" + ("" if first == last else f" to {last}")

    missing = "cannot be read" if preview.damaged else "there is none"
    lines = [f"now     {missing if preview.present is None else side(preview.present)}"]
    lines.append(f"backup  {side(preview.backup)}")
    if preview.present is not None:
        lines.append(f"lost    {only(preview.lost)}")
    erased = f"; {count(preview.erased, 'of them was', 'of them were')} erased since" if preview.erased else ""
    return [*lines, f"gained  {only(preview.gained)}{erased}"]


def back_up_before(memory: Memory, deed: str) -> None:
    """Make the backup that goes before a merge or a rebuild, if there is anything to lose."""
    if memory.sessions.all():
        memory.backups.make(why=f"before-{deed}")


# ------------------------------------------------------------------------------------------------------------ repair


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
        "lost": [{"turns": x.most, "after": as_json(x.after), "before": as_json(x.before)} for x in found.lost],
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
            drawn(memory.file.rebuild())
            return True if all(one.ok for one in memory.file.check()) else None
    except (Damaged, *UNREADABLE):
        return None


def _salvaged(session: CommandContext) -> tuple[Salvaged, Path]:
    """What could be read is in the memory's place, and the damaged file under the name that is given back."""
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
            drawn(memory.file.rebuild())
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
    said = [f"Brought {count(found.turns, 'turn')} into a new file at {memory}; the damaged one is kept as {kept}."]
    for lost in found.lost:
        after = f"after {lost.after.iso()[:16]}" if lost.after is not None else "from the beginning"
        before = f" and before {lost.before.iso()[:16]}" if lost.before is not None else ""
        if lost.most is None:
            said.append(f"Lost: every turn {after}; nobody knows how many.")
        else:
            said.append(f"Lost: up to {count(lost.most, 'turn')}, {after}{before} (with those that you erased).")
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


# -------------------------------------------------------------------------------------------------------- encryption

Way = Literal["on", "change", "off"]
_SAID = {
    "on": "{} is encrypted. Without the passphrase nobody can read it, you neither: keep it where you find it again.",
    "change": "{} has another passphrase.",
    "off": "{} is decrypted: whoever can read your files can read it.",
}
_PLAIN = "The copy {} is not encrypted: delete it, or encrypt it with `erstwhile encrypt --db {}`."
_OTHER = "The copy {} has another passphrase: delete it, or change that with `erstwhile encrypt --change --db {}`."
_STILL = "The copy {} is still encrypted: keep its passphrase, or decrypt it with `erstwhile encrypt --off --db {}`."
_EXPORT = "The export {} is plain text: delete it, or put it where nobody else reads it."
_TRACES = "The disk may still hold what the plain file held, where it was written before; so may copies made elsewhere."


def encrypt(session: CommandContext, way: Way, new: Path | None) -> None:
    """Encrypt the memory, give it another passphrase (read from the file `new`, or asked for), or decrypt it. Raises
    BadInput, NotFound, and what `store.maintenance.rekeying` raises."""
    from store.database import opening
    from store.maintenance.rekeying import rekey

    opening.need_ciphers("Nothing was encrypted or decrypted")
    if not session.db.is_file():
        raise NotFound(f"There is no memory at {session.db} yet; start `erstwhile`, or import something.")
    memory = session.db.resolve()  # what lies at the end of a link is replaced, not the link
    if opening.is_encrypted(memory) != (way != "on"):
        more = "it has a passphrase; --change gives it another" if way == "on" else "there is no passphrase to it"
        raise BadInput(f"{memory} is {'already' if way == 'on' else 'not'} encrypted: {more}.")
    session.unlock(memory)
    key = None
    if way != "off":  # what opens the memory now is not meant by the new passphrase
        known = session.passphrases if way == "on" else ()
        key = new_passphrase(known if new is None else passphrases_in(new)).new_key()
    left = rekey(memory, key, session.now())
    if key is not None:
        Draft(memory).remove()
    if way == "on":
        tell(_TRACES)
    document = {"encrypted": key is not None, "copies": [str(path) for path in left]}
    other = _STILL if way == "off" else _OTHER
    plain = {path: _PLAIN if path.suffix == ".db" else _EXPORT for path in left}
    todo = ((other if opening.is_encrypted(path) else plain[path]).format(path, path) for path in left)
    session.emit(document, _SAID[way].format(memory), *todo)
