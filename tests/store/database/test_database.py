"""The file is ours alone: private, durable, refused when it is not ours, and never half-migrated."""

from __future__ import annotations

import multiprocessing
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from store.database.connections import Database
from store.database.migrations import APPLICATION_ID, SCHEMA_VERSION, ApswAsDbApi, migrate, migrations
from store.errors import NotAMemory, TooNew


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "m.db"


def test_a_new_file_is_private_durable_and_ours(path: Path) -> None:
    database = Database(path)
    with database.writing() as connection:
        assert connection.pragma("journal_mode") == "wal"
        assert connection.pragma("synchronous") == 2
        assert connection.pragma("foreign_keys") == 1
        assert connection.pragma("secure_delete") == 1
        assert connection.pragma("trusted_schema") == 0
        assert connection.pragma("application_id") == APPLICATION_ID
        assert connection.pragma("user_version") == SCHEMA_VERSION
        with pytest.raises(apsw.SQLError):
            connection.execute("select load_extension('x')")
    for suffix in ("", "-wal", "-shm"):
        assert stat.S_IMODE(Path(f"{path}{suffix}").stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert all(finding.ok for finding in database.integrity())
    database.close()


def test_another_programs_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    foreign = tmp_path / "other.db"
    connection = apsw.Connection(str(foreign))
    connection.execute("create table notes (text)")
    connection.close()
    before = foreign.read_bytes()
    with pytest.raises(NotAMemory, match="not an Erstwhile memory"):
        Database(foreign)
    assert foreign.read_bytes() == before
    text = tmp_path / "text.db"
    text.write_text("not a database at all, by any means" * 100)
    with pytest.raises(NotAMemory, match="not a database"):
        Database(text)
    with pytest.raises(NotAMemory, match="folder"):
        Database(tmp_path)


def test_a_newer_file_is_refused(path: Path) -> None:
    database = Database(path)
    with database.writing() as connection:
        connection.pragma("user_version", SCHEMA_VERSION + 1)
    database.close()
    with pytest.raises(TooNew, match="newer Erstwhile"):
        Database(path)


def test_an_empty_file_left_by_a_crash_is_taken(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    Database(path).close()
    assert path.stat().st_size > 0


def test_a_transaction_that_raises_leaves_nothing(path: Path) -> None:
    database = Database(path)
    with pytest.raises(RuntimeError), database.writing() as connection:
        connection.execute("insert into settings values ('a', 'b')")
        raise RuntimeError
    assert database.reader().execute("select count(*) from settings").get == 0
    with database.writing() as outer:
        outer.execute("insert into settings values ('a', 'b')")
        with database.writing() as inner:
            inner.execute("insert into settings values ('c', 'd')")
    assert database.reader().execute("select count(*) from settings").get == 2
    database.close()


def test_readers_cannot_write(path: Path) -> None:
    database = Database(path)
    with pytest.raises(apsw.ReadOnlyError):
        database.reader().execute("insert into settings values ('a', 'b')")
    database.close()


def _open_and_close(path: str) -> None:
    Database(Path(path)).close()


def test_two_processes_may_make_the_file_at_once(path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        pool.map(_open_and_close, [str(path)] * 3)
    database = Database(path)
    assert database.reader().execute("select count(*) from _sqlite_migrations").get == len(migrations()._migrations)
    database.close()


def test_what_was_committed_outlives_a_kill(path: Path) -> None:
    code = (
        "import os, sys\nfrom pathlib import Path\nfrom store.database.connections import Database\n"
        "d = Database(Path(sys.argv[1]))\n"
        "with d.writing() as c: c.execute(\"insert into settings values ('said', 'yes')\")\n"
        "c = d._writer; c.execute('begin immediate'); c.execute(\"insert into settings values ('half', 'no')\")\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert done.returncode == -9
    database = Database(path)
    assert database.reader().execute("select key from settings").fetchall() == [("said",)]
    assert all(finding.ok for finding in database.integrity())
    database.close()


def test_sqlite_utils_migrates_over_apsw_and_a_failed_step_stays_pending(tmp_path: Path) -> None:
    from sqlite_utils import Database as UtilsDatabase

    connection = apsw.Connection(str(tmp_path / "x.db"))
    steps = migrations()

    @steps()
    def m999_fails(db: UtilsDatabase) -> None:
        db.execute("create table half_done (x)")
        raise RuntimeError("boom")

    adapted = UtilsDatabase(ApswAsDbApi(connection), execute_plugins=False)  # type: ignore[arg-type] # the adapter
    with pytest.raises(RuntimeError, match="boom"):
        steps.apply(adapted)
    assert [one.name for one in steps.pending(adapted)] == ["m999_fails"]
    assert not adapted["half_done"].exists()
    assert adapted["episodes"].exists()
    migrate(connection)
    assert connection.pragma("user_version") == SCHEMA_VERSION


_CHECKPOINTS = """
import fcntl, sys, time
with open(sys.argv[1] + "-shm", "rb+") as shared:
    fcntl.lockf(shared, fcntl.LOCK_EX, 1, 121)  # WAL_CKPT_LOCK of os_unix.c
    print("held", flush=True)
    time.sleep(float(sys.argv[2]))
"""


@contextmanager
def _another_checkpoints(path: Path, seconds: float) -> Iterator[None]:
    """Another process folds the WAL into the file for some time."""
    command = [sys.executable, "-c", _CHECKPOINTS, str(path), str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield


@pytest.fixture
def unfolded(path: Path) -> Iterator[Database]:
    """A memory with something in its WAL."""
    database = Database(path)
    with database.writing() as connection:
        connection.execute("insert into settings values ('a', 'b')")
    yield database
    database.close()


@pytest.mark.skipif(sys.platform == "win32", reason="the locks are POSIX's")
def test_a_sleep_does_not_mind_that_another_process_checkpoints(unfolded: Database) -> None:
    with _another_checkpoints(unfolded.path, 0.5):
        unfolded.fold_wal()


@pytest.mark.skipif(sys.platform == "win32", reason="the locks are POSIX's")
def test_an_erase_waits_for_another_process_that_checkpoints(unfolded: Database) -> None:
    with _another_checkpoints(unfolded.path, 0.4):
        unfolded.truncate_wal()
    assert unfolded.path.with_name(unfolded.path.name + "-wal").stat().st_size == 0
