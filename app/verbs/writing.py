"""What is handed over is on the disk before it is confirmed; an import that is interrupted goes on where it stopped."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from app import rendering
from app.session import Session, command, tell
from store.errors import BadInput
from widgets.plain import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from store.records import Turn
    from store.writing.formats.jsonl import Report


@click.command()
@click.argument("text")
@click.option("--at", metavar="D", help="When it was said (default: now).")
@click.option("--speaker", default="me", show_default=True, help="Who said it.")
@command
def remember(session: Session, text: str, at: str | None, speaker: str) -> None:
    """Keep TEXT, and say what it taught."""
    from store.records import Turn
    from store.time import parse_iso

    if not text.strip():
        raise BadInput("There is nothing to remember; write the words in quotes.")
    with session.memory(make=True) as memory:
        said_at = None if at is None else parse_iso(at, session.zone)
        episode = memory.remember(Turn(text, "command line", speaker=speaker, said_at=said_at, source="command"))
        taught = memory.learn(episode.id)
    lines = [f"{one.kind}: {one_line(one.new.text)}" for one in taught if one.new]
    document = {"episode": rendering.episode_json(episode), "learned": [rendering.change_json(one) for one in taught]}
    session.emit(document, *(lines or ["Kept, word for word; the rules read no belief in it."]))


@click.command("import")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--format", "kind", type=click.Choice(["jsonl"]), default="jsonl", show_default=True)
@click.option("--me", multiple=True, metavar="NAME", help="A speaker who is you; may be given more than once.")
@command
def import_(session: Session, paths: tuple[Path, ...], kind: str, me: tuple[str, ...]) -> None:
    """Add conversations from files. Doing it twice adds nothing; an interrupted import is resumed by repeating it."""
    from store.writing.formats.jsonl import Report

    report = Report()
    for path in paths:
        if not path.is_file():
            raise BadInput(f"{path} is not a file; name the files to import.")
    new = seen = 0
    with session.memory(make=True, me=me) as memory:
        total = sum(_lines(path) for path in paths)
        for step in memory.ingest(_turns(session, paths, report), total):
            new, seen = step.new, step.seen
            _progress("import", new + seen, total)
        pending = memory.pending()
    _progress_done()
    for reason in report.skipped[:20]:
        tell(f"passed over: {one_line(reason, 200)}")
    if report.turns == 0:
        raise BadInput(f"Nothing in {', '.join(map(str, paths))} could be read as {kind}.")
    document = {"new": new, "seen": seen, "skipped": report.skipped, "pending": pending}
    more = f", {len(report.skipped)} lines passed over" if report.skipped else ""
    session.emit(document, f"{new} new turns, {seen} known before{more}. {pending} wait for `erstwhile sleep`.")


def _turns(session: Session, paths: tuple[Path, ...], report: Report) -> Iterator[Turn]:
    from store.writing.formats import jsonl

    for path in paths:
        yield from jsonl.read(path, session.zone, report)


def _lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(1 << 20), b""))


def _progress(what: str, done: int, total: int | None) -> None:
    """A line that is drawn over itself, on a terminal only."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{what} {done}" + (f" of {total}" if total else ""))
        sys.stderr.flush()


def _progress_done() -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")


@click.command()
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--format", "kind", type=click.Choice(["jsonl"]), default="jsonl", show_default=True)
@click.option("--secrets", is_flag=True, help="Also turns that hold something shaped like a key or a password.")
@command
def export(session: Session, target: Path, kind: str, secrets: bool) -> None:
    """Write every turn to TARGET, in the form that `import` reads."""
    written = left_out = 0
    if target.exists():
        raise BadInput(f"{target} exists already; name another file.")
    with session.memory() as memory:
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            for one in reversed(memory.sessions()):
                for episode in memory.episodes(one.key):
                    if episode.secret and not secrets:
                        left_out += 1
                        continue
                    line = rendering.turn_json(episode, one)
                    file.write(json.dumps(line, ensure_ascii=False) + "\n")
                    written += 1
    tail = f" {left_out} with secrets were left out; --secrets takes them along." if left_out else ""
    session.emit({"written": written, "left_out": left_out}, f"{written} turns written to {target}.{tail}")


COMMANDS = (remember, import_, export)
