"""I8 under faults: killed, without power, on a full or failing disk, no acknowledged turn is lost and no check fails.

The small twin of tests/bench/power_cuts.py. Each kind of work comes up in turn.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import get_args

import apsw
import pytest

from store.database.connections import Database
from store.errors import StoreError
from store.maintenance import backups
from store.records import Turn
from tests.faults.disk import SECTOR, Disk, Truncation, Write
from tests.faults.failing import FailingDisk, Mode
from tests.faults.running import Runs, adding
from tests.faults.verbs import SENTENCE, Told
from tests.faults.work import BATCH, MEMORY, SAID, SINCE, WORKS, Found, Work, judged, opened, words_in

EACH = list(WORKS.values())
MODES = get_args(Mode)
TWENTY = [(EACH[seed % len(EACH)], seed) for seed in range(20)]
GOOD = Found()


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("store.parts.episodes.BATCH", BATCH)
        warm = Runs(tmp_path_factory.mktemp("faults"))
        warm.warm(EACH)
        yield warm


def test_twenty_kills_lose_nothing(runs: Runs) -> None:
    for work, seed in TWENTY:
        assert runs.kill(work, seed) == GOOD, (work.name, seed)


def test_twenty_power_cuts_lose_nothing(runs: Runs) -> None:
    for work, seed in TWENTY:
        assert runs.cut(work, seed) == GOOD, (work.name, seed)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("work", EACH, ids=lambda work: work.name)
def test_where_a_write_fails_one_sentence_says_so_and_the_work_succeeds_later(
    runs: Runs, work: Work, mode: Mode
) -> None:
    writes = runs.writes(work, mode)
    found = {at: runs.fail(work, mode, at) for at in (1, writes // 3, writes * 2 // 3)}
    assert found[1] is not None
    assert {at: one for at, one in found.items() if one not in (None, GOOD)} == {}


@pytest.mark.parametrize("mode", MODES)
def test_a_memory_that_stays_open_goes_on_when_the_disk_is_well_again(runs: Runs, mode: Mode) -> None:
    work = WORKS["chat"]
    place = runs.place(work)
    told = []
    with FailingDisk(mode, 0) as disk, opened(place / MEMORY) as memory:
        for number, text in enumerate(f"I like tea number {n}." for n in range(24)):
            disk.at = disk.writes + 1 + number // 2
            try:
                memory.episodes.remember(Turn(text, "said"))
            except StoreError as error:
                assert "and try again" in str(error)
                disk.at = 0
                memory.episodes.remember(Turn(text, "said"))
            disk.at = 0
            told.append(("turn", text))
    assert disk.failed >= 12
    assert judged(work, place, told) == GOOD


@pytest.mark.parametrize("mode", MODES)
def test_what_an_import_has_told_to_be_kept_is_kept_when_a_later_write_fails(runs: Runs, mode: Mode) -> None:
    work = WORKS["import"]
    for share in (0.5, 0.7):
        place, told = runs.place(work), Told()
        at = int(runs.writes(work, mode) * share)
        with pytest.raises(StoreError, match="and try again"), FailingDisk(mode, at):
            work.do(place, adding(told))
        assert told
        assert judged(work, place, told) == GOOD


@pytest.mark.parametrize("mode", MODES)
def test_a_copy_that_fails_says_why_and_leaves_nothing(tmp_path: Path, mode: Mode) -> None:
    source = apsw.Connection(str(tmp_path / "whole.db"))
    source.execute("create table t (x)")
    source.execute("insert into t values (zeroblob(100_000))")
    at, target = 0, tmp_path / "copy.db"
    while not target.exists():
        at += 1
        with FailingDisk(mode, at):
            try:
                backups.make(source, target)
            except StoreError as error:
                assert SENTENCE[mode].fullmatch(str(error))
                assert [path.name for path in tmp_path.iterdir()] == ["whole.db"]
    assert at > 20
    source.close()


@pytest.mark.parametrize("mode", MODES)
def test_a_restore_that_fails_says_why_and_changes_nothing(runs: Runs, mode: Mode) -> None:
    work, failed = WORKS["restore"], 0
    writes = runs.writes(work, mode)
    for at in range(1, writes, writes // 12):
        place, told = runs.place(work), Told()
        try:
            with FailingDisk(mode, at):
                work.do(place, adding(told))
        except StoreError as error:
            failed += 1
            assert SENTENCE[mode].fullmatch(str(error))
            assert set(SINCE) <= words_in(place / MEMORY)
        assert judged(work, place, told) == GOOD
    assert failed >= 9


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
    monkeypatch.setattr("store.maintenance.backups._sync", lambda _path: None)
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
            with pytest.raises((apsw.FullError, apsw.CantOpenError)):
                connection.execute("insert into t values (zeroblob(9000))")
        assert disk.failed == 2
    connection.execute("insert into t values (1)")
    connection.close()
