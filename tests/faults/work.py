"""The kinds of work that a fault can come into, what each acknowledges, and what must hold afterwards.

A piece of work tells what it acknowledges as soon as the product has: `turn` with the words of a turn, or a word of its
own. `judged` opens the memory with the product after a fault, and gives what is missing and what is wrong.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import apsw

from app.core.clock import SystemClock
from app.core.exporting import write_whole
from store.errors import BadInput, ErstwhileError, NotFound
from store.formats.jsonl import Report, read
from store.maintenance import copies, restoring
from store.maintenance.complete import staged
from store.memory import Memory
from store.parts import episodes as episodes_part
from store.records import Instant, Turn
from tests.conftest import NOW, ZONE
from tests.store.sleep.test_sleep_migration import BACK

Acknowledge = Callable[[str, str], None]
"""Called with what is acknowledged ("turn", or the kind of work) and which."""
MEMORY = "memory.db"
OTHER = "other.db"
IMPORTED = "imported.jsonl"
EXPORTED = "exported.jsonl"
BACKUP = "kept.db"
UNREAD, READ, OLDER, LATER = "unread", "read", "older", "later"
"""Files to begin with: no sleep has read it, one has; it is of the first version; more was said since the backup."""
ERASED = "Quillfeather"
"""The name that an erase takes out; no other turn holds it."""
BATCH = 6
"""Turns in one step of the import."""
_START = Instant.of(NOW.local()).us - 200 * 86_400_000_000
_SAID = (
    "I moved to {city} last month and my brother Paul lives in Berlin.", "I like tea number {n}.",
    "My favourite colour is shade {n}.", "I visited {city} with Ana in March.", "What should I cook on day {n}?",
)  # fmt: skip


def opened(path: Path) -> Memory:
    """The memory as the product opens it."""
    return Memory.open(path, clock=SystemClock(ZONE), zone=ZONE)


def turns(kind: str, count: int) -> list[Turn]:
    """So many turns with words of their own, on as many days."""
    return [
        Turn(
            f"{_SAID[n % len(_SAID)].format(n=n, city=f'City{n}')} This is {kind} {n}.", f"{kind}{n // 4}",
            said_at=Instant(_START + n * 86_400_000_000, 0),
        )
        for n in range(count)
    ]  # fmt: skip


BEFORE = [one.text for one in turns("before", 16)]
TO_ERASE = [f"{ERASED} told me secret number {n} about herself." for n in range(3)]
THEIRS = [one.text for one in turns("theirs", 8)]
FROM_FILE = [one.text for one in turns("imported", 20)]
SAID = [one.text for one in turns("said", 4)]
SINCE = [one.text for one in turns("since", 5)]


@dataclass(slots=True)
class Found:
    """What a fault has left."""

    lost: list[str] = field(default_factory=list)
    """Turns that were acknowledged, and are not there."""
    wrong: list[str] = field(default_factory=list)
    """Checks that failed, by name, and what is half-done."""

    def __iadd__(self, other: Found) -> Found:
        self.lost += other.lost
        self.wrong += other.wrong
        return self


@dataclass(frozen=True, slots=True)
class Work:
    """One kind of work."""

    name: str
    do: Callable[[Path, Acknowledge], None]
    """In a folder that was prepared."""
    half_done: Callable[[Path, set[str], set[str]], Iterable[str]]
    """What of it is neither done nor undone, by the folder, what it acknowledged, and the turns that are there."""
    may_go: frozenset[str] = frozenset()
    """Turns that the work itself takes away."""
    begins: str = READ
    """With which file."""
    beside: tuple[str, ...] = ()
    """Other files that it needs, by name."""


def _chat(folder: Path, acknowledge: Acknowledge) -> None:
    with opened(folder / MEMORY) as memory:
        for text in SAID:
            episode = memory.episodes.remember(Turn(text, "said"))
            acknowledge("turn", text)
            memory.reading.learn(episode.id)


def _import(folder: Path, acknowledge: Acknowledge) -> None:
    with opened(folder / MEMORY) as memory:
        before = 0
        for step in memory.episodes.ingest(read(folder / IMPORTED, ZONE, Report())):
            there = step.new + step.seen
            for text in FROM_FILE[before:there]:
                acknowledge("turn", text)
            before = there


def _sleep(folder: Path, acknowledge: Acknowledge) -> None:
    with opened(folder / MEMORY) as memory:
        for _ in memory.sleeping.run():
            pass
        acknowledge("sleep", "")


def _migrate(folder: Path, acknowledge: Acknowledge) -> None:
    with opened(folder / MEMORY) as memory:
        acknowledge("migration", "")
        memory.episodes.remember(Turn(SAID[0], "said"))
        acknowledge("turn", SAID[0])


def _back_up(folder: Path, acknowledge: Acknowledge) -> None:
    with opened(folder / MEMORY) as memory:
        memory.episodes.remember(Turn(SAID[0], "said"))
        acknowledge("turn", SAID[0])
        acknowledge("backup", memory.backups.make().name)


def _erase(folder: Path, acknowledge: Acknowledge) -> None:
    with opened(folder / MEMORY) as memory:
        with suppress(NotFound):  # an erase that was told to have failed may have been done
            memory.erasing.erase(memory.erasing.selection(about=ERASED))
        acknowledge("erase", "")


def _merge(folder: Path, acknowledge: Acknowledge) -> None:
    with opened(folder / MEMORY) as memory:
        memory.file.merge(folder / OTHER)
    acknowledge("merge", "")


def _restore(folder: Path, acknowledge: Acknowledge) -> None:
    now = SystemClock(ZONE).now()
    with restoring.staged(folder / BACKUP, folder / MEMORY, now) as backup:
        restoring.restore(backup, folder / BACKUP, folder / MEMORY, now)
    acknowledge("restore", "")


def _export(folder: Path, acknowledge: Acknowledge) -> None:
    with opened(folder / MEMORY) as memory:
        memory.file.exported(folder / EXPORTED)
        write_whole(folder / EXPORTED, memory.file.export())
    acknowledge("export", "")


def _nothing(_folder: Path, _done: set[str], _there: set[str]) -> Iterator[str]:
    yield from ()


def _not_slept(folder: Path, done: set[str], _there: set[str]) -> Iterator[str]:
    """An acknowledged sleep may be taken back by a power cut, for it can be done again: it must come to its end."""
    with opened(folder / MEMORY) as memory:
        for _ in memory.sleeping.run():
            pass
        if memory.reading.pending():
            yield "turns wait after a sleep"


def _bad_backups(folder: Path, done: set[str], _there: set[str]) -> Iterator[str]:
    """A backup is whole and holds all that was there before, or it is absent."""
    made = copies.backups(folder / MEMORY)
    if done and not made:
        yield "there is no backup"
    for name in done - {one.path.name for one in made}:
        if name.endswith(".db"):
            yield f"the backup {name} is not there"
    for one in made:
        missing = set(BEFORE) - words_in(one.path)
        if missing:
            yield f"a backup lacks {len(missing)} turns"


def words_in(path: Path) -> set[str]:
    """The words of all turns in a whole memory file; of no turn if it is not whole."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        if connection.pragma("integrity_check") != "ok":
            return set()
        return {row[0] for row in connection.execute("select text from episodes")}
    except (apsw.CorruptError, apsw.NotADBError, apsw.SQLError):
        return set()
    finally:
        connection.close()


def _half_erased(folder: Path, done: set[str], there: set[str]) -> Iterator[str]:
    """All of it is gone, down to the bytes, or nothing."""
    left = there & set(TO_ERASE)
    if left and (done or left != set(TO_ERASE)):
        yield f"an erase left {len(left)} of {len(TO_ERASE)} turns"
    if not left:
        for path in folder.glob(f"{MEMORY}*"):
            if ERASED.encode() in path.read_bytes():
                yield f"erased words are in {path.name}"


def _half_merged(_folder: Path, done: set[str], there: set[str]) -> Iterator[str]:
    come = there & set(THEIRS)
    if come != set(THEIRS) and (done or come):
        yield f"a merge brought {len(come)} of {len(THEIRS)} turns"
    if done and there & set(TO_ERASE):
        yield "a merge left what the other memory had erased"


def _half_restored(folder: Path, done: set[str], there: set[str]) -> Iterator[str]:
    """What was said since is there, or is in a backup."""
    left = there & set(SINCE)
    if left and (done or left != set(SINCE)):
        yield f"a restore left {len(left)} of {len(SINCE)} turns"
    yield from _bad_backups(folder, done, there)
    if not left and not any(set(SINCE) <= words_in(one.path) for one in copies.backups(folder / MEMORY)):
        yield "what a restore replaced is nowhere"


def _half_exported(folder: Path, done: set[str], _there: set[str]) -> Iterator[str]:
    """An export that has its name is whole."""
    if not (folder / EXPORTED).exists():
        if done:
            yield "there is no export"
        return
    try:
        with staged(folder / EXPORTED) as export:
            missing = set(BEFORE) - {row[0] for row in export.connection.execute("select text from episodes")}
    except BadInput as error:
        yield f"an export cannot be read: {error}"
    else:
        if missing:
            yield f"an export lacks {len(missing)} turns"


WORKS = {
    one.name: one
    for one in (
        Work("chat", _chat, _nothing),
        Work("import", _import, _nothing, beside=(IMPORTED,)),
        Work("sleep", _sleep, _not_slept, begins=UNREAD),
        Work("migration", _migrate, _bad_backups, begins=OLDER),
        Work("backup", _back_up, _bad_backups),
        Work("restore", _restore, _half_restored, begins=LATER, beside=(BACKUP,)),
        Work("erase", _erase, _half_erased, frozenset(TO_ERASE)),
        Work("merge", _merge, _half_merged, frozenset(TO_ERASE), beside=(OTHER,)),
        Work("export", _export, _half_exported),
    )
}


class Prepared:
    """The files that the works begin with, made once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        secret = [Turn(text, "erased", said_at=Instant(_START, 0)) for text in TO_ERASE]
        self._make(UNREAD, [*turns("before", len(BEFORE)), *secret])
        shutil.copy(self._begin(UNREAD), self._begin(READ))
        with opened(self._begin(READ)) as memory:
            for _ in memory.sleeping.run():
                pass
            memory.backups.make(folder / BACKUP)
        self._age(self._begin(OLDER))
        shutil.copy(self._begin(READ), self._begin(LATER))
        self._make(LATER, turns("since", len(SINCE)))
        with opened(folder / OTHER) as other:
            for _ in other.episodes.ingest([*turns("theirs", len(THEIRS)), *secret]):
                pass
            other.erasing.erase(other.erasing.selection(about=ERASED))
        lines = [
            {"session": one.session, "text": one.text, "said_at": "2025-02-03T10:00:00Z", "id": str(place)}
            for place, one in enumerate(turns("imported", len(FROM_FILE)))
        ]
        (folder / IMPORTED).write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")

    def _begin(self, name: str) -> Path:
        return self._folder / f"{name}.db"

    def _make(self, name: str, said: list[Turn]) -> None:
        with opened(self._begin(name)) as memory:
            for _ in memory.episodes.ingest(said):
                pass

    def _age(self, path: Path) -> None:
        """The file that was read, as the first version left it."""
        shutil.copy(self._begin(READ), path)
        connection = apsw.Connection(str(path))
        for _ in connection.execute(BACK):
            pass
        connection.pragma("user_version", 1)
        connection.close()

    def put(self, work: Work, folder: Path) -> None:
        """Make a folder with what a work needs."""
        folder.mkdir()
        shutil.copy(self._begin(work.begins), folder / MEMORY)
        for name in work.beside:
            shutil.copy(self._folder / name, folder / name)


def small_batches() -> None:
    """Let an import take several steps."""
    vars(episodes_part)["BATCH"] = BATCH


def judged(work: Work, folder: Path, told: Iterable[tuple[str, str]]) -> Found:
    """What a fault has left in a folder, after a work that acknowledged this much."""
    acknowledged = list(told)
    done = {text or kind for kind, text in acknowledged if kind == work.name}
    found = Found()
    there: set[str] = set()
    try:
        with opened(folder / MEMORY) as memory:
            found.wrong += [f"{one.name}: {one.detail}" for one in memory.file.check() if not one.ok]
            there = {episode.text for session in memory.sessions.all() for episode in memory.episodes.of(session.key)}
        found.wrong += work.half_done(folder, done, there)
    except (ErstwhileError, apsw.Error) as error:
        found.wrong.append(f"it cannot be read: {type(error).__name__}: {error}")
    wanted = {*BEFORE, *TO_ERASE, *(text for kind, text in acknowledged if kind == "turn")}
    found.lost += sorted(wanted - there - work.may_go)
    return found
