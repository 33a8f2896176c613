"""Work that nobody asked for waits for another process that has the file, tries again by itself, and says nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread
from time import sleep

import apsw
import pytest

from app.core.sleeper import run_sleep
from store.database import connections as database
from store.errors import Busy
from store.maintenance import backups
from store.memory import Memory
from store.records import Progress, SleepReport, Turn
from tests.properties.talk import memory_at

PATIENT = 5.0
"""Seconds that a test waits at most."""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A memory with two turns that no sleep has read; who waits for its lock is refused soon."""
    monkeypatch.setattr(database, "BUSY_MS", 30)
    path = tmp_path / "m.db"
    with memory_at(path) as memory:
        memory.episodes.remember(Turn("I live in Porto.", "s"))
        memory.episodes.remember(Turn("I like tea.", "s"))
    return path


@pytest.fixture
def memory(path: Path) -> Iterator[Memory]:
    with memory_at(path) as memory:
        yield memory


@contextmanager
def other(path: Path) -> Iterator[apsw.Connection]:
    """Another process, as far as SQLite's locks can tell."""
    connection = apsw.Connection(str(path))
    connection.execute("select count(*) from sqlite_schema").fetchall()  # only then does it know of the WAL
    try:
        yield connection
    finally:
        connection.close()


@contextmanager
def writer(path: Path) -> Iterator[apsw.Connection]:
    """Another process that writes, until it ends its transaction."""
    with other(path) as connection:
        connection.execute("begin immediate")
        yield connection


@contextmanager
def checkpoint(path: Path) -> Iterator[None]:
    """Another process that moves the WAL into the file: it has written the pages, and waits for a reader to go on."""
    with other(path) as reader, other(path) as folder:
        reader.execute("begin")
        reader.execute("select count(*) from episodes").fetchall()
        with other(path) as connection:
            connection.execute("insert into settings values ('later', 'than the reader')")
        folder.set_busy_timeout(int(12 * PATIENT * 1000))
        thread = Thread(target=folder.wal_checkpoint, kwargs={"mode": apsw.SQLITE_CHECKPOINT_TRUNCATE})
        thread.start()
        while not _is_folding(path):
            assert thread.is_alive()
            sleep(0.005)
        try:
            yield
        finally:
            reader.execute("rollback")
            thread.join()


def _is_folding(path: Path) -> bool:
    with other(path) as connection:
        try:
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        except apsw.BusyError:
            return True
    return False


def slept(memory: Memory, stop: Event, tell: Callable[[Progress], None]) -> list[object]:
    """A sleep in a thread of its own, that is over within the time; what came of it, be it an error."""
    came: list[object] = []

    def run() -> None:
        try:
            came.append(run_sleep(memory, stop, tell))
        except Busy as error:
            came.append(error)

    thread = Thread(target=run)
    thread.start()
    thread.join(PATIENT)
    assert not thread.is_alive()
    return came


def test_a_sleep_is_over_while_another_process_folds_the_wal(path: Path, memory: Memory) -> None:
    """SQLite lets only one do so at a time, and does not wait."""
    with checkpoint(path):
        memory._database.fold_wal()
    memory.episodes.remember(Turn("I work at Acme.", "s"))
    (report,) = slept(memory, Event(), lambda _: None)
    assert isinstance(report, SleepReport) and report.finished


def test_a_sleep_waits_for_a_writer_that_takes_longer_than_a_turn_waits(path: Path, memory: Memory) -> None:
    seen: list[str] = []
    with writer(path) as connection:

        def tell(progress: Progress) -> None:
            seen.append(progress.phase)
            if seen.count("wait") == 3 and connection.in_transaction:
                connection.execute("rollback")

        (report,) = slept(memory, Event(), tell)
    assert isinstance(report, SleepReport) and report.finished and report.episodes == 2
    assert memory.reading.pending() == 0


def test_a_sleep_that_meets_a_writer_in_its_middle_goes_on_when_that_is_done(path: Path, memory: Memory) -> None:
    seen: list[str] = []
    with other(path) as connection:

        def tell(progress: Progress) -> None:
            if not seen:
                connection.execute("begin immediate")
            seen.append(progress.phase)
            if seen.count("wait") == 2 and connection.in_transaction:
                connection.execute("rollback")

        (report,) = slept(memory, Event(), tell)
    assert isinstance(report, SleepReport) and report.finished
    assert seen[0] != "wait" and memory.reading.pending() == 0 and all(finding.ok for finding in memory.file.check())


def test_a_sleep_that_waits_for_a_writer_ends_at_a_keystroke(path: Path, memory: Memory) -> None:
    stop = Event()
    with writer(path):
        assert slept(memory, stop, lambda _: stop.set()) == [None]
    assert memory.reading.pending() == 2


def test_a_backup_that_met_a_writer_is_made_at_the_next_look(
    path: Path, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "EVERY", timedelta(hours=1))
    with writer(path), pytest.raises(Busy):
        memory.backups.make_when_due(Event())
    assert memory.backups.make_when_due(Event()) is not None
