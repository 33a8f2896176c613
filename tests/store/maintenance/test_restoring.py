"""A restore shows what it will do, keeps what it replaces, and is done or not done, whenever the process is killed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from app.cli.commands import cli
from app.cli.session import run
from app.core.clock import FrozenClock
from store.database.connections import Database, held
from store.errors import Busy
from store.maintenance import copies, restoring
from store.memory import Memory
from store.records import Instant, Turn
from tests.conftest import NOW, ZONE
from tests.store.maintenance.test_backups import Moved, holds

ROOT = Path(__file__).resolve().parent.parent.parent.parent
PORTO, ROME, FIGS = "I live in Porto.", "I moved to Rome.", "I like figs."
RESTORE = """
import os, signal, sys
from pathlib import Path
from store.records import Instant
from store.maintenance import backups, restoring
backups._PAGES = 8
path, memory, now, kill_at = Path(sys.argv[1]), Path(sys.argv[2]), Instant(int(sys.argv[3])), int(sys.argv[4])
reached = 0

def point():
    global reached
    reached += 1
    if reached == kill_at:
        os.kill(os.getpid(), signal.SIGKILL)

def steps(*given, real=backups.pages):
    for _ in real(*given):
        yield
        point()
    point()

def and_then(real):
    def called(*given, **named):
        found = real(*given, **named)
        point()
        return found
    return called

backups.pages = steps
backups.publish = and_then(backups.publish)
backups.remove = and_then(backups.remove)
restoring._prepare = and_then(restoring._prepare)
with restoring.staged(path, memory, now) as backup:
    restoring.preview(backup, memory)
    point()
    restoring.restore(backup, path, memory, now)
    point()
print(reached)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


def opened(path: Path, clock: Moved | FrozenClock | None = None) -> Memory:
    return Memory.open(path, clock=clock or FrozenClock(NOW), zone=ZONE)


def turn(text: str, days: int) -> Turn:
    return Turn(text, f"s{days}", said_at=Instant.of(NOW.local() + timedelta(days=days)), external_id=text)


@pytest.fixture
def then(path: Path) -> Path:
    """A backup with Porto and figs, of a memory that has Porto and Rome by now, and from which the figs were erased."""
    with opened(path) as memory:
        for one in (turn(PORTO, -9), turn(FIGS, -8)):
            memory.reading.learn(memory.episodes.remember(one).id)
        backup = memory.backups.make(path.with_name("then.db"))
        memory.erasing.erase(memory.erasing.selection(episode=FIGS))
        memory.reading.learn(memory.episodes.remember(turn(ROME, -3)).id)
    return backup


@pytest.fixture
def erstwhile(path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*arguments: str) -> tuple[int, str, str]:
        code = run(cli, [*arguments, "--db", str(path), "--zone", "+01:00"])
        return (code, *capsys.readouterr())

    return call


def test_a_dry_run_shows_what_would_be_lost_and_gained_and_changes_nothing(
    erstwhile: Any, path: Path, then: Path
) -> None:
    before = path.read_bytes()
    code, said, _ = erstwhile("restore", str(then), "--dry-run")
    assert code == 0
    assert said.splitlines() == [
        "now     2 turns, 2 beliefs, the last said 2026-05-29 12:00",
        "backup  2 turns, 2 beliefs, the last said 2026-05-24 12:00",
        "lost    1 turn, said 2026-05-29 12:00",
        "gained  1 turn, said 2026-05-24 12:00; 1 of them was erased since",
    ]
    document = json.loads(erstwhile("restore", str(then), "--dry-run", "--json")[1])
    assert document["would_restore"] == str(then)
    assert document["preview"]["lost"] == {
        "turns": 1, "first": "2026-05-29T12:00:00+01:00", "last": "2026-05-29T12:00:00+01:00",
    }  # fmt: skip
    assert document["preview"]["gained"]["erased"] == 1 and document["preview"]["present"]["turns"] == 2
    assert path.read_bytes() == before and copies.backups(path) == []
    assert sorted(one.name for one in path.parent.glob("*.db*")) == ["memory.db", "then.db"]


def test_a_script_is_not_asked(erstwhile: Any, path: Path, then: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    code, said, error = erstwhile("restore", str(then))
    assert (code, error) == (0, "") and "Restored 2 turns" in said
    assert len(copies.backups(path)) == 1


def test_it_asks_and_does_nothing_without_a_yes(
    erstwhile: Any, path: Path, then: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = path.read_bytes()
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    answers = iter([False, True])
    monkeypatch.setattr("click.confirm", lambda *_, **__: next(answers))
    code, said, error = erstwhile("restore", str(then))
    assert code == 0 and said == "Nothing was changed.\n" and "lost    1 turn" in error
    assert path.read_bytes() == before
    code, said, _ = erstwhile("restore", str(then))
    assert code == 0 and said.startswith("Restored 2 turns from")


def test_it_keeps_what_it_replaces_and_is_taken_back(erstwhile: Any, path: Path, then: Path) -> None:
    with opened(path) as memory:
        was = memory.state_hash()
    code, said, _ = erstwhile("restore", str(then), "--yes")
    assert code == 0
    (kept,) = copies.backups(path)
    assert kept.why == "before-restore" and holds(kept.path) == [PORTO, ROME]
    assert f"`erstwhile restore {kept.path}` takes this back" in said and "a day after your next turn" in said
    assert holds(path) == [PORTO, FIGS]
    with opened(path) as memory:
        assert [one for one in memory.file.check() if not one.ok] == []
        assert set(memory.erasing.erase(memory.erasing.selection(episode=PORTO)).backups) == {str(then), str(kept.path)}
    document = json.loads(erstwhile("restore", str(kept.path), "--yes", "--json")[1])
    assert document["restored"] == str(kept.path) and document["turns"] == 2 and Path(document["before"]).is_file()
    with opened(path) as memory:
        assert memory.state_hash() == was


def test_it_makes_a_memory_where_there_is_none(erstwhile: Any, path: Path, then: Path) -> None:
    path.unlink()
    code, said, _ = erstwhile("restore", str(then), "--yes")
    assert code == 0 and "there is none" in said and "rest" not in said.splitlines()[-1]
    assert holds(path) == [PORTO, FIGS] and copies.backups(path) == []


def test_what_is_no_sound_backup_changes_nothing(erstwhile: Any, path: Path, then: Path) -> None:
    before = path.read_bytes()
    damaged, text, foreign = (path.with_name(name) for name in ("damaged.db", "text.db", "other.db"))
    damaged.write_bytes(then.read_bytes()[:8192] + b"x" * 8192 + then.read_bytes()[16384:])
    text.write_text("no database at all" * 1000)
    Database(foreign).close()
    with held(foreign) as connection:
        connection.pragma("application_id", 7)
    for wrong, words in (
        (damaged, "damaged"), (text, "cannot be read"), (foreign, "not an Erstwhile memory"), (path, "itself"),
        (path.with_name("nowhere.db"), "not a file"),
    ):  # fmt: skip
        code, _, error = erstwhile("restore", str(wrong), "--yes")
        assert code in (1, 2) and words in error and error.count("\n") == 1, error
    assert path.read_bytes() == before and copies.backups(path) == copies.backups(path, parts=True) == []


@pytest.mark.parametrize("page", [1, 5, 30])
def test_it_mends_a_damaged_memory_and_keeps_the_damaged_one(erstwhile: Any, path: Path, then: Path, page: int) -> None:
    data = bytearray(path.read_bytes())
    data[page * 4096 : (page + 3) * 4096] = b"x" * 3 * 4096
    path.write_bytes(data)
    code, _, error = erstwhile("restore", str(then), "--yes")
    assert code == 0, error
    assert holds(path) == [PORTO, FIGS]
    (kept,) = copies.backups(path)
    assert kept.why == "damaged" and not kept.automatic
    with opened(path) as memory:
        assert [one for one in memory.file.check() if not one.ok] == []


def test_it_refuses_while_another_process_has_the_memory_open(path: Path, then: Path) -> None:
    with opened(path) as memory:
        done = subprocess.run(
            [sys.executable, "-m", "app", "restore", str(then), "--yes", "--db", str(path)],
            cwd=ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 1 and "Another process has" in done.stderr and "close it there" in done.stderr
        memory.episodes.remember(turn("Said after it was refused.", -1))
    assert holds(path) == [PORTO, ROME, "Said after it was refused."]


def test_nobody_else_writes_while_the_memory_is_held(path: Path, then: Path) -> None:
    with held(path), pytest.raises(Busy):
        opened(path)


def _restored(path: Path, then: Path, kill_at: int) -> subprocess.CompletedProcess[str]:
    arguments = [str(then), str(path), str(NOW.us), str(kill_at)]
    return subprocess.run(
        [sys.executable, "-c", RESTORE, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_killed_at_any_point_it_is_done_or_not_done(path: Path, then: Path) -> None:
    whole = path.read_bytes()
    done = _restored(path, then, 0)
    assert done.returncode == 0, done.stderr
    points = int(done.stdout)
    ended: set[str] = set()
    for kill_at in {*range(1, points + 1, points // 8), points - 4, points - 3, points - 2, points - 1, points}:
        for left in path.parent.glob("memory*.db*"):
            left.unlink()
        path.write_bytes(whole)
        assert _restored(path, then, kill_at).returncode == -9
        with opened(path) as memory:
            assert [one for one in memory.file.check() if not one.ok] == []
            texts = [one.text for key in ("s-9", "s-8", "s-3") for one in memory.episodes.of(key)]
            assert texts in ([PORTO, ROME], [PORTO, FIGS]), kill_at
            now = "done" if FIGS in texts else "not done"
            ended.add(now)
            if now == "done":
                (kept,) = copies.backups(path)
                assert holds(kept.path) == [PORTO, ROME]
            left_over = [one.path for one in copies.backups(path, parts=True) if one.path.stat().st_size]
            assert {str(one) for one in left_over} <= set(
                memory.erasing.erase(memory.erasing.selection(episode=PORTO)).backups
            )
    assert ended == {"done", "not done"}


@pytest.fixture
def restored(path: Path, then: Path) -> Iterator[tuple[Memory, Moved]]:
    """A memory that was just restored, with a clock that can be put forward."""
    with restoring.staged(then, path, NOW) as backup:
        restoring.restore(backup, then, path, NOW)
    clock = Moved()
    clock.on(minutes=1)
    with opened(path, clock) as memory:
        yield memory, clock


def test_after_a_restore_backups_and_thinning_rest_until_a_day_after_the_next_turn(
    restored: tuple[Memory, Moved],
) -> None:
    memory, clock = restored
    for hours in range(1, 60, 6):  # more on some days than thinning would leave
        copies.backup_beside(memory.path, NOW.local() - timedelta(days=1, hours=hours), "auto").touch()
    before = copies.backups(memory.path)
    clock.on(days=30)
    assert memory.backups.make_when_due(Event()) is None and memory.backups.resting_since() == NOW
    memory.episodes.remember(Turn("I go on.", "new"))
    clock.on(hours=23)
    memory.backups.keep_few()
    assert memory.backups.make_when_due(Event()) is None
    assert copies.backups(memory.path) == before
    clock.on(hours=2)
    assert memory.backups.resting_since() is None
    made = memory.backups.make_when_due(Event())
    assert made is not None and len(copies.backups(memory.path)) < len(before)
    assert any(one.why == "before-restore" for one in copies.backups(memory.path))


def test_the_doctor_tells_of_backups_and_that_they_rest(restored: tuple[Memory, Moved]) -> None:
    from app.tui.screens.doctor import report
    from app.tui.services import Services

    memory, clock = restored
    memory.backups.make()
    told = {one.name: one.value for one in report(Services(clock, ZONE, memory=memory), checked=False)}
    assert told["last backup"].startswith("2026-06-01 12:01, memory-20260601-120100")
    assert told["backups"].startswith("1 that stay, 1 automatic, ")
    assert told["automatic backups rest"] == "since the restore of 2026-06-01 12:00, until a day after your next turn"


def test_a_merge_and_a_rebuild_are_backed_up_before(erstwhile: Any, path: Path, then: Path) -> None:
    assert erstwhile("merge", str(then))[0] == 0
    assert erstwhile("rebuild")[0] == 0
    assert [one.why for one in copies.backups(path)] == ["before-merge", "before-rebuild"]
    assert [holds(one.path) for one in copies.backups(path)] == [[PORTO, ROME], [PORTO, ROME]]


def test_a_file_that_is_no_memory_is_not_replaced(erstwhile: Any, path: Path, then: Path) -> None:
    path.write_bytes(b"a letter to somebody" * 1000)
    before = path.read_bytes()
    code, said, error = erstwhile("restore", str(then), "--yes")
    assert (code, said) == (1, "") and "memory.db is no database; move it away" in error
    path.unlink()
    with held(path) as connection:
        connection.pragma("application_id", 7)
        connection.execute("create table notes (text)")
    _, said, error = erstwhile("restore", str(then), "--yes")
    assert said == "" and "memory.db is not an Erstwhile memory" in error and before
    assert copies.backups(path) == copies.backups(path, parts=True) == []


def test_a_copy_that_the_backup_does_not_know_of_stays_listed(erstwhile: Any, path: Path, then: Path) -> None:
    (path.parent / "far").mkdir()
    with opened(path) as memory:
        later = memory.backups.make(path.parent / "far" / "later.db")
    assert erstwhile("restore", str(then), "--yes")[0] == 0
    with opened(path) as memory:
        named = memory.erasing.erase(memory.erasing.selection(episode=PORTO)).backups
    assert {str(then), str(later)} < set(named)
