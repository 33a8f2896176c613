"""I8 under faults: killed, without power, on a full or failing disk, no acknowledged turn is lost and no check fails.

The small twin of tests/bench/power_cuts.py. Each kind of work comes up in turn.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import apsw
import pytest

from store.database import Database
from tests.faults.disk import SECTOR, Disk, Truncation, Write
from tests.faults.failing import FailingDisk, Mode
from tests.faults.running import Runs
from tests.faults.work import BATCH, SAID, WORKS, Found, Work, judged

EACH = list(WORKS.values())
TWENTY = [(EACH[seed % len(EACH)], seed) for seed in range(20)]
GOOD = Found()


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("store.memory.BATCH", BATCH)
        warm = Runs(tmp_path_factory.mktemp("faults"))
        warm.warm(EACH)
        yield warm


def test_twenty_kills_lose_nothing(runs: Runs) -> None:
    for work, seed in TWENTY:
        assert runs.kill(work, seed) == GOOD, (work.name, seed)


def test_twenty_power_cuts_lose_nothing(runs: Runs) -> None:
    for work, seed in TWENTY:
        assert runs.cut(work, seed) == GOOD, (work.name, seed)


@pytest.mark.parametrize("mode", ["full", "broken"])
@pytest.mark.parametrize("work", EACH, ids=lambda work: work.name)
def test_where_a_write_fails_one_sentence_says_so_and_the_work_succeeds_later(
    runs: Runs, work: Work, mode: Mode
) -> None:
    writes = runs.writes(work, mode)
    for at in (1, writes // 3, writes * 3 // 4):
        assert runs.fail(work, mode, at) == GOOD, (work.name, mode, at)


def test_a_turn_that_was_acknowledged_before_it_was_synced_is_found_to_be_lost(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Database.writing

    def careless(self: Database, *, durable: bool = True) -> AbstractContextManager[apsw.Connection]:
        return real(self, durable=False)

    monkeypatch.setattr(Database, "writing", careless)
    assert any(runs.cut(WORKS["chat"], seed).lost for seed in range(8))


def test_a_backup_that_counts_before_it_was_synced_is_found_to_be_torn(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.writing.backups._sync", lambda _path: None)
    assert any(runs.cut(WORKS["migration"], seed).wrong for seed in range(8))


def test_a_missing_turn_is_found(runs: Runs) -> None:
    place = runs.place(WORKS["chat"])
    assert judged(WORKS["chat"], place, [("turn", SAID[0])]) == Found([SAID[0]])


def test_a_cut_keeps_what_was_synced_and_any_part_of_the_rest(tmp_path: Path) -> None:
    disk = Disk(tmp_path, 0, lambda _disk: None)
    file = disk.opened(tmp_path / "a")
    disk.change(file, Write(0, b"s" * SECTOR * 2))
    disk.sync(file)
    disk.change(file, Write(SECTOR // 2, b"w" * SECTOR))
    disk.change(file, Truncation(SECTOR))
    left = {file.after_cut(random.Random(seed)) for seed in range(200)}
    s, w = b"s" * (SECTOR // 2), b"w" * (SECTOR // 2)
    assert left == {s + s + s + s, s + w + s + s, s + s + w + s, s + w + w + s, s + s, s + w}


def test_a_cut_keeps_names_in_the_order_of_their_changes(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    disk = Disk(tmp_path, 0, lambda _disk: None)
    disk.sync(disk.opened(tmp_path / "b"))
    disk.renamed(tmp_path / "a", tmp_path / "c")
    disk.removed(tmp_path / "b")
    left = {tuple(disk.after_cut(random.Random(seed))) for seed in range(200)}
    assert left == {("a",), ("a", "b"), ("b", "c"), ("c",)}
    disk.sync_names()
    assert tuple(disk.after_cut(random.Random(0))) == ("c",)


def test_a_full_disk_is_full_until_there_is_room_again(tmp_path: Path) -> None:
    connection = apsw.Connection(str(tmp_path / "a.db"))
    connection.execute("create table t (x)")
    with FailingDisk("full", 1) as disk:
        for _ in range(2):
            with pytest.raises(apsw.FullError):
                connection.execute("insert into t values (zeroblob(9000))")
        assert disk.failed == 2
    connection.execute("insert into t values (1)")
    connection.close()
