"""Whatever is done to a file's bytes, what can be read of it is brought into a sound file, and nothing else is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import apsw
import pytest

from app.cli.commands import cli
from app.cli.session import run
from app.core.clock import FrozenClock
from store.database.rows import column
from store.maintenance.salvage import salvage
from store.memory import Memory
from store.records import Instant, Turn
from tests.conftest import NOW, ZONE
from tests.properties.talk import START, memory_at
from tests.support.damage import PAGE, damaged

FROZEN = FrozenClock(NOW)
TURNS = 240
DAY = 86_400_000_000


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A memory of some conversations, slept on, with something done by hand."""
    path = tmp_path_factory.mktemp("whole") / "m.db"
    with memory_at(path) as memory:
        list(memory.episodes.ingest(turn(number) for number in range(TURNS)))
        list(memory.sleeping.run())
        memory.by_hand.correct("me", "lives_in", "Braga")
    return path.read_bytes()


def turn(number: int) -> Turn:
    text = f"Number {number}: my friend Ada{number} moved to Leith, and pays {number + 300} euros a month for her room."
    return Turn(text, f"s{number // 20}", said_at=Instant(START + number * DAY), external_id=f"t{number}")


@pytest.fixture
def erstwhile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*arguments: str) -> tuple[int, str, str]:
        code = run(cli, [*arguments, "--db", str(tmp_path / "m.db")])
        return (code, *capsys.readouterr())

    return call


@pytest.mark.parametrize("seed", range(int(os.environ.get("ERSTWHILE_DAMAGES", "15"))))
def test_a_damaged_file_is_repaired_or_said_to_be_sound(
    whole: bytes, seed: int, erstwhile: Any, tmp_path: Path
) -> None:
    (tmp_path / "m.db").write_bytes(damaged(whole, seed).data)
    code, said, errors = erstwhile("check", "--repair", "--json")
    assert code == 0, errors
    told = json.loads(said)
    with Memory.open(tmp_path / "m.db", clock=FROZEN, zone=ZONE) as memory:
        assert [one for one in memory.file.check() if not one.ok] == []
        left = {one.external_id: one.text for key in memory.sessions.all() for one in memory.episodes.of(key.key)}
        left = {key: text for key, text in left.items() if key is not None}
    meant = {f"t{number}": turn(number).text for number in range(TURNS)}
    assert left.items() <= meant.items() or told["repaired"] != "salvaged"
    missing = len(meant) - len(left)
    most = sum(one["turns"] or TURNS for one in told["lost"])
    assert missing <= most
    assert (told["repaired"] == "salvaged") == bool(list(tmp_path.glob("*.damaged.backup.db")))


def test_the_sentence_says_when_what_is_lost_was_said(whole: bytes, erstwhile: Any, tmp_path: Path) -> None:
    data = bytearray(whole)
    at = data.index(b"Number 120: my friend Ada120")
    page = at // 4096 * 4096
    data[page : page + 4096] = bytes(4096)
    (tmp_path / "m.db").write_bytes(data)
    code, said, _ = erstwhile("check", "--repair")
    assert code == 0
    assert "Lost: up to" in said and "after 20" in said and "and before 20" in said
    assert "the damaged one is kept as" in said


def test_a_damaged_file_says_what_to_do_and_that_helps(whole: bytes, erstwhile: Any, tmp_path: Path) -> None:
    (tmp_path / "m.db").write_bytes(whole[: len(whole) // 2])
    code, _, errors = erstwhile("facts", "--all")
    assert code == 1
    assert "`erstwhile check --repair`" in errors
    assert erstwhile("check", "--repair")[0] == 0
    code, said, _ = erstwhile("check")
    assert code == 0 and "BAD" not in said


@pytest.mark.parametrize("seed", [2, 4, 5, 7, 14, 15])
def test_no_damage_is_called_a_fault_of_the_program(whole: bytes, seed: int, erstwhile: Any, tmp_path: Path) -> None:
    (tmp_path / "m.db").write_bytes(damaged(whole, seed).data)
    for call in (("check",), ("facts", "--all"), ("recall", "Leith"), ("log",), ("sleep", "--no-model")):
        code, _, errors = erstwhile(*call)
        assert "fault of the program" not in errors
        assert code == 0 or "`erstwhile check --repair`" in errors


def leaves(whole: bytes) -> list[int]:
    """The pages that hold the words of turns, in the order of their numbers."""
    found = [whole.index(f"Number {number}: my friend".encode()) // PAGE for number in range(TURNS)]
    return list(dict.fromkeys(found))


def test_pages_that_stand_in_each_others_place_lose_no_turn(whole: bytes, erstwhile: Any, tmp_path: Path) -> None:
    some = leaves(whole)
    for one, other in ((some[1], some[-2]), (some[0], some[3])):
        data = bytearray(whole)
        a, b = slice(one * PAGE, one * PAGE + PAGE), slice(other * PAGE, other * PAGE + PAGE)
        data[a], data[b] = data[b], data[a]
        (tmp_path / "m.db").write_bytes(data)
        told = json.loads(erstwhile("check", "--repair", "--json")[1])
        missing = TURNS + 1 - told["turns"]  # with the one by hand
        assert missing <= sum(one["turns"] or TURNS for one in told["lost"])
        assert missing < TURNS / 4


def test_every_lost_table_is_named_and_what_that_means(whole: bytes, erstwhile: Any, tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    path.write_bytes(whole)
    with memory_at(path) as memory:
        memory.erasing.erase(memory.erasing.selection(episode="t3"))
        root = memory._database.reader().execute("select rootpage from sqlite_schema where name = 'tombstones'").get
    data = bytearray(path.read_bytes())
    data[(root - 1) * PAGE : root * PAGE] = bytes(PAGE)
    path.write_bytes(data)
    said = erstwhile("check", "--repair")[1]
    assert "Not all could be read of: tombstones." in said
    assert "may come back" in said


def test_a_file_that_is_open_elsewhere_is_not_replaced(whole: bytes, erstwhile: Any, tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    path.write_bytes(whole)
    hold = (
        "import sys, apsw; one = apsw.Connection(sys.argv[1]); one.execute('pragma journal_mode').get;"
        "one.execute('select count(*) from sessions').get; print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None and other.stdin is not None
        assert other.stdout.readline() == "held\n"
        at = leaves(whole)[2] * PAGE
        with path.open("rb+") as file:
            file.seek(at)
            file.write(bytes(PAGE))
        code, _, errors = erstwhile("check", "--repair")
        other.stdin.close()
    assert code == 1 and "Another process" in errors
    assert list(tmp_path.glob("*.damaged.backup.db")) == []
    assert erstwhile("check", "--repair")[0] == 0


def test_a_link_stays_one_and_what_a_killed_repair_left_is_gone(whole: bytes, erstwhile: Any, tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    real = tmp_path / "far" / "real.db"
    real.write_bytes(whole[: len(whole) // 2])
    (tmp_path / "m.db").symlink_to(real)
    with memory_at(tmp_path / "far" / ".real.db.salvaged") as left:
        list(left.episodes.ingest([Turn("Of another day.", "z", said_at=Instant(START), external_id="z")]))
    assert erstwhile("check", "--repair")[0] == 0
    assert (tmp_path / "m.db").is_symlink()
    with memory_at(real) as memory:
        assert "Of another day." not in {
            one.text for key in memory.sessions.all() for one in memory.episodes.of(key.key)
        }
    assert list((tmp_path / "far").glob(".*")) == []


def test_what_is_no_memory_is_not_repaired(erstwhile: Any, tmp_path: Path) -> None:
    (tmp_path / "m.db").write_bytes(b"Dear diary, today I bought a database. " * 300)
    code, _, errors = erstwhile("check", "--repair")
    assert (code, len(errors.splitlines())) == (1, 1)
    assert (tmp_path / "m.db").read_bytes().startswith(b"Dear diary")
    (tmp_path / "m.db").unlink()
    code, _, errors = erstwhile("check", "--repair")
    assert code != 0 and "There is no memory" in errors


def test_a_sound_file_stays_as_it_is(whole: bytes, erstwhile: Any, tmp_path: Path) -> None:
    (tmp_path / "m.db").write_bytes(whole)
    assert "nothing was wrong" in erstwhile("check", "--repair")[1]
    assert list(tmp_path.glob("*.backup.db")) == []


def test_replies_keep_all_their_sources(tmp_path: Path) -> None:
    path, target = tmp_path / "memory.db", tmp_path / "salvaged.db"
    with memory_at(path) as memory:
        list(memory.episodes.ingest(map(turn, range(80))))
    connection = apsw.Connection(str(path))
    cited = [(reply, place, 1 + place, 0, 3, 1) for reply in range(5, 80) for place in range(3)]
    connection.executemany("insert into cited values (?, ?, ?, ?, ?, ?)", cited)
    connection.close()
    assert salvage(path, target).unreadable == []
    assert column(apsw.Connection(str(target)), "select count(*) from cited") == [len(cited)]


def test_of_what_an_earlier_version_did_to_units_nothing_is_brought(tmp_path: Path) -> None:
    path, target = tmp_path / "memory.db", tmp_path / "salvaged.db"
    with memory_at(path) as memory:
        memory.episodes.remember(turn(1))
    connection = apsw.Connection(str(path))
    put = "insert into operations (phase, kind, at, at_offset, reason) values (?, ?, 0, 0, ?)"
    connection.executemany(put, [("tidy", "merge", "APPLIED"), ("hand", "pin", "BY_HAND")])
    connection.close()
    salvage(path, target)
    assert column(apsw.Connection(str(target)), "select kind from operations") == ["pin"]
