"""The same works as a person does them on the command line: a verb that fails says one sentence, and ends with 1."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from unittest import mock

from app.cli.commands import cli
from app.cli.session import run
from store.episodes.embedding import StaticEmbedder
from tests.faults.failing import FailingDisk, Mode
from tests.faults.work import BACKUP, ERASED, EXPORTED, FROM_FILE, IMPORTED, MEMORY, OTHER, SAID, Work

Told = list[tuple[str, str]]
"""What was acknowledged, in order."""
SENTENCE = {
    "full": re.compile(r"[^\n]*(is full: make room on it|(room on it|disk has room),)[^\n]+\."),
    "broken": re.compile(r"(?![^\n]*not an error)[^\n]*(check the disk|disk has room),[^\n]+\."),
}
"""What is wrong, and what to do. Where the WAL's shared memory finds no room, SQLite says only that a write failed."""
_GONE = re.compile(f"Nothing here names '{ERASED}'[^\n]+")


@dataclass(frozen=True, slots=True)
class Verb:
    """One call of the command line, in a folder that was prepared."""

    words: tuple[str, ...]
    """Names of files stand in braces."""
    told: tuple[tuple[str, str], ...]
    """What is acknowledged when it ends well."""
    done_before: re.Pattern[str] | None = None
    """What it may say when it is repeated because it was told to have failed, and had been done."""
    once: bool = False
    """It is not repeated when it ended well."""


def _remember(text: str) -> Verb:
    return Verb(("remember", text), (("turn", text),))


VERBS = {
    "chat": tuple(map(_remember, SAID)),
    "import": (Verb(("import", f"{{{IMPORTED}}}"), tuple(("turn", text) for text in FROM_FILE)),),
    "sleep": (Verb(("sleep", "--no-model"), (("sleep", ""),)),),
    "migration": (Verb(("sessions",), (("migration", ""),)), _remember(SAID[0])),
    "backup": (_remember(SAID[0]), Verb(("backup",), (("backup", ""),))),
    "restore": (Verb(("restore", f"{{{BACKUP}}}", "--yes"), (("restore", ""),)),),
    "erase": (Verb(("erase", "--about", ERASED, "--yes"), (("erase", ""),), _GONE),),
    "merge": (Verb(("merge", f"{{{OTHER}}}"), (("merge", ""),)),),
    "export": (Verb(("export", f"{{{EXPORTED}}}"), (("export", ""),), once=True),),
}
"""By the name of the work."""


def call(folder: Path, verb: Verb) -> tuple[int, str]:
    """Give the exit code, and the sentence on standard error, without what begins and ends it."""
    words = [str(folder / word[1:-1]) if word.startswith("{") else word for word in verb.words]
    errors = io.StringIO()
    alike = mock.patch("app.core.settings.chosen_embedder", _embedder)
    with alike, contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(errors):
        code = run(cli, [*words, "--db", str(folder / MEMORY)])
    said = errors.getvalue()
    return code, said.removeprefix("erstwhile: ").removesuffix("\n") if code else said


@cache
def _embedder() -> StaticEmbedder:
    """Loaded once; a command loads it each time."""
    return StaticEmbedder.load()


def writes(work: Work, folder: Path, mode: Mode) -> int:
    """How many writes of the work could fail."""
    with FailingDisk(mode, 0) as disk:
        for verb in VERBS[work.name]:
            call(folder, verb)
    return disk.writes


def failed(work: Work, folder: Path, mode: Mode, at: int, told: Told) -> tuple[list[str], bool]:
    """Do the work on a disk that fails. Gives what was wrong with what was said of that, and whether it did fail."""
    wrong = []
    with FailingDisk(mode, at) as disk:
        for verb in VERBS[work.name]:
            code, said = call(folder, verb)
            if not code:
                told += verb.told
            elif code != 1 or not SENTENCE[mode].fullmatch(said):
                wrong.append(f"{verb.words[0]} ended with {code}: {said}")
    return wrong, disk.failed > 0


def repeated(work: Work, folder: Path, told: Told) -> Iterator[str]:
    """Do the work again on a disk that is well. Gives what was wrong."""
    for verb in VERBS[work.name]:
        if verb.once and set(verb.told) <= set(told):
            continue
        code, said = call(folder, verb)
        if not code or (verb.done_before and verb.done_before.fullmatch(said)):
            told += verb.told
        else:
            yield f"{verb.words[0]} fails afterwards: {said}"
