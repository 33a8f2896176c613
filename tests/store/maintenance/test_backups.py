"""A backup that counts is whole and checked, none is made that is not needed, and an erase names them all."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from threading import Event

import apsw
import pytest

from store.errors import Damaged, StoreError
from store.maintenance import backups, copies
from store.memory import Memory
from store.records import Instant, Turn
from tests.conftest import NOW, ZONE
from tests.store.sleep.test_sleep_migration import BACK

RUN = Event()
"""Never set."""


class Moved:
    """A clock that is put forward by hand."""

    def __init__(self) -> None:
        self.at = NOW

    def now(self) -> Instant:
        return self.at

    def on(self, **by: float) -> None:
        self.at = Instant.of(self.at.local() + timedelta(**by))


@pytest.fixture
def clock() -> Moved:
    return Moved()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def told(path: Path, clock: Moved) -> Iterator[Memory]:
    with Memory.open(path, clock=clock, zone=ZONE) as memory:
        memory.reading.learn(memory.episodes.remember(Turn("I live in Porto.", "s")).id)
        clock.on(minutes=1)
        yield memory


def holds(backup: Path) -> list[str]:
    connection = apsw.Connection(str(backup), flags=apsw.SQLITE_OPEN_READONLY)
    found = [row[0] for row in connection.execute("select text from episodes order by row")]
    connection.close()
    return found


def names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def test_a_name_tells_when_and_why_and_which_memory(path: Path) -> None:
    other = path.with_name("memory-2.db")
    for memory, why in ((path, ""), (path, "auto"), (path, "damaged"), (other, "before-merge")):
        copies.backup_beside(memory, NOW.local(), why).touch()
    copies.part_of(copies.backup_beside(path, NOW.local(), "merging")).touch()
    path.with_name("memory-20250101-120000-000000.before-restore.backup.db").touch()  # of an earlier version
    path.with_name("memory-20259999-120000-000000.auto.backup.db").touch()
    found = copies.backups(path)
    assert found[0].why == "before-restore" and {one.why for one in found[1:]} == {"", "auto", "damaged"}
    assert {one.why for one in found if one.automatic} == {"before-restore", "auto"}
    assert {one.at for one in found[1:]} == {NOW.local()}
    assert [one.why for one in copies.backups(path, parts=True)] == ["merging"]
    assert [one.why for one in copies.backups(other)] == ["before-merge"]


def test_a_backup_is_whole_private_and_never_written_over(told: Memory, tmp_path: Path) -> None:
    target = told.backups.make(tmp_path / "copy.db")
    assert holds(target) == ["I live in Porto."]
    assert os.name != "posix" or target.stat().st_mode & 0o777 == 0o600
    with pytest.raises(StoreError, match="exists already"):
        told.backups.make(target)
    with pytest.raises(StoreError, match="failed"):
        told.backups.make(tmp_path / "copy.db" / "inside.db")
    assert names(tmp_path) == ["copy.db", "memory.db", "memory.db-shm", "memory.db-wal"]
    with Memory.open(target, clock=Moved(), zone=ZONE) as copy:
        assert copy.state_hash() == told.state_hash()


def test_who_writes_while_a_backup_is_made_does_not_wait_and_is_not_in_it(
    told: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "_PAGES", 4)

    def stopped() -> bool:
        told.episodes.remember(Turn(f"Said meanwhile, number {len(said)}.", "s"))
        said.append(1)
        return False

    said: list[int] = []
    with told._database.snapshot() as connection:
        backups.make(connection, tmp_path / "copy.db", stopped=stopped)
    assert len(said) > 5
    assert holds(tmp_path / "copy.db") == ["I live in Porto."]


def test_a_backup_is_made_after_half_an_hour_in_which_something_changed(told: Memory, clock: Moved) -> None:
    first = told.backups.make_when_due(RUN)
    assert first is not None and holds(first) == ["I live in Porto."]
    told.episodes.remember(Turn("I like figs.", "s"))
    clock.on(minutes=29)
    assert told.backups.make_when_due(RUN) is None
    clock.on(minutes=1)
    second = told.backups.make_when_due(RUN)
    assert second is not None and holds(second) == ["I live in Porto.", "I like figs."]
    clock.on(days=1)
    assert told.backups.make_when_due(RUN) is None
    for change in (
        lambda: told.sessions.rename("s", "Home"),
        lambda: told.by_hand.pin(told.beliefs.facts()[0].id),
        lambda: told.salience.use(told.beliefs.facts()),
        lambda: list(told.sleeping.run()),
        lambda: told.erasing.erase(told.erasing.selection(episode=told.episodes.of("s")[0].id)),
    ):
        change()
        assert told.backups.make_when_due(RUN) is not None
        clock.on(minutes=31)
        assert told.backups.make_when_due(RUN) is None


def test_what_another_run_backed_up_is_not_backed_up_again(path: Path, clock: Moved) -> None:
    with Memory.open(path, clock=clock, zone=ZONE) as memory:
        assert memory.backups.make_when_due(RUN) is None  # nothing was said
        memory.episodes.remember(Turn("I live in Porto.", "s"))
        by_hand = memory.backups.make()
    clock.on(hours=1)
    with Memory.open(path, clock=clock, zone=ZONE) as memory:
        assert memory.backups.make_when_due(RUN) is None
        memory.episodes.remember(Turn("I like figs.", "s"))
        assert memory.backups.make_when_due(RUN) is not None
    assert by_hand.exists()


def test_a_backup_that_fails_its_check_is_removed_said_and_not_tried_again_at_once(
    told: Memory, clock: Moved, tmp_path: Path
) -> None:
    good = told.backups.make_when_due(RUN)
    assert good is not None
    clock.on(minutes=31)
    with told._database.writing() as connection:
        connection.execute("delete from fact_sources")
    with pytest.raises(Damaged, match=r"failed its check \(facts rest on claims: 1 do not\) and was removed"):
        told.backups.make_when_due(RUN)
    assert [one.path for one in copies.backups(told.path)] == [good]
    assert not list(tmp_path.glob("*.part*"))
    clock.on(minutes=5)
    assert told.backups.make_when_due(RUN) is None
    clock.on(minutes=30)
    with pytest.raises(Damaged):
        told.backups.make_when_due(RUN)
    with pytest.raises(Damaged):
        told.backups.make()
    assert told.backups.make(why="before-rebuild").exists()  # which is to mend it


def test_damaged_pages_are_found(told: Memory, tmp_path: Path) -> None:
    copy = told.backups.make(tmp_path / "copy.db")
    data = bytearray(copy.read_bytes())
    data[8192:16384] = b"x" * 8192
    copy.write_bytes(data)
    assert backups.faults(copy, derived=False)


@pytest.mark.parametrize("after", [0, 3, 60])
def test_a_backup_that_is_stopped_leaves_nothing(
    told: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    monkeypatch.setattr(backups, "_PAGES", 4)
    monkeypatch.setattr(backups, "_LOOKED_AT", 100)
    asked: list[int] = []

    class Stop(Event):
        def is_set(self) -> bool:
            asked.append(1)
            return len(asked) > after

    before = names(tmp_path)
    assert told.backups.make_when_due(Stop()) is None
    assert len(asked) == after + 1 and names(tmp_path) == before
    assert told.backups.make_when_due(RUN) is not None  # it is still due


def test_the_automatic_ones_are_thinned_and_those_by_hand_stay(told: Memory, clock: Moved) -> None:
    by_hand = [told.backups.make()]
    for number in range(24):
        clock.on(hours=6)
        told.episodes.remember(Turn(f"Number {number}.", "s"))
        assert told.backups.make_when_due(RUN) is not None
        if number % 8 == 0:
            by_hand.append(told.backups.make())
    made = copies.backups(told.path)
    assert [one.path for one in made if not one.automatic] == by_hand
    assert len({one.at.date() for one in made if one.automatic}) == 7
    assert sum(one.automatic for one in made) == 7
    old = copies.part_of(copies.backup_beside(told.path, NOW.local(), copies.AUTO))
    new = copies.part_of(copies.backup_beside(told.path, clock.at.local(), copies.AUTO))
    for left in (old, old.with_name(old.name + "-wal"), new):
        left.touch()
    told.backups.keep_few()
    assert not old.exists() and not old.with_name(old.name + "-wal").exists() and new.exists()


def test_an_erase_names_automatic_backups_and_what_was_left_of_one(told: Memory, clock: Moved, tmp_path: Path) -> None:
    made = told.backups.make_when_due(RUN)
    assert made is not None
    left = copies.part_of(copies.backup_beside(told.path, NOW.local(), copies.AUTO))
    left.write_bytes(made.read_bytes()[: made.stat().st_size // 2])
    receipt = told.erasing.erase(told.erasing.selection(session="s"))
    assert set(receipt.backups) == {str(made), str(left)}


def test_an_erase_names_the_backups_beside_where_the_memory_was(told: Memory, clock: Moved, tmp_path: Path) -> None:
    made = told.backups.make_when_due(RUN)
    told.close()
    (tmp_path / "elsewhere").mkdir()
    moved = told.path.rename(tmp_path / "elsewhere" / "mine.db")
    with Memory.open(moved, clock=clock, zone=ZONE) as memory:
        assert memory.erasing.erase(memory.erasing.selection(session="s")).backups == (str(made),)


def test_an_erase_does_not_wait_for_an_automatic_backup(told: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    from threading import Thread

    monkeypatch.setattr(backups, "BREATH", 0.05)
    monkeypatch.setattr(backups, "_PAGES", 1)  # it would take long
    begun, made = Event(), []

    class Stop(Event):
        def is_set(self) -> bool:
            begun.set()
            return False

    thread = Thread(target=lambda: made.append(told.backups.make_when_due(Stop())))
    thread.start()
    assert begun.wait(10)
    receipt = told.erasing.erase(told.erasing.selection(session="s"))
    thread.join(10)
    assert made == [None] and receipt.backups == () and copies.backups(told.path) == []


def test_a_migration_is_backed_up_before(path: Path, clock: Moved) -> None:
    with Memory.open(path, clock=clock, zone=ZONE) as memory:
        memory.episodes.remember(Turn("I live in Porto.", "s"))
        for _ in memory._database._writer.execute(BACK):
            pass
        memory._database._writer.pragma("user_version", 1)
    with Memory.open(path, clock=clock, zone=ZONE) as memory:
        (made,) = copies.backups(path)
        assert made.why == "before-migration" and holds(made.path) == ["I live in Porto."]
        assert path in copies.listed(memory._database.reader())
        older = apsw.Connection(str(made.path), flags=apsw.SQLITE_OPEN_READONLY)
        assert older.pragma("user_version") == 1
        older.close()
        assert str(made.path) in memory.erasing.erase(memory.erasing.selection(session="s")).backups


def test_a_backup_that_was_killed_does_not_count(told: Memory, tmp_path: Path) -> None:
    code = (
        "import os, signal, sys\nfrom pathlib import Path\nimport apsw\nfrom store.maintenance import backups\n"
        "backups._PAGES = 4\nsource = apsw.Connection(sys.argv[1])\n"
        "backups.make(source, Path(sys.argv[2]), stopped=lambda: os.kill(os.getpid(), signal.SIGKILL))\n"
    )
    target = copies.backup_beside(told.path, NOW.local(), copies.AUTO)
    done = subprocess.run([sys.executable, "-c", code, str(told.path), str(target)], check=False)
    assert done.returncode == -9
    assert copies.backups(told.path) == [] and copies.part_of(target).exists()
    assert str(copies.part_of(target)) in told.erasing.erase(told.erasing.selection(session="s")).backups
