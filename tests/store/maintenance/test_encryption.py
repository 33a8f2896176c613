"""Of an encrypted memory no byte on the disk is plain, and all that can be done with a memory can be done with it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from itertools import count
from pathlib import Path
from typing import Any

import apsw
import pytest

from store.database import beside, opening
from store.database.connections import Database
from store.database.opening import Passphrase
from store.errors import BadInput, Busy, Damaged, Locked
from store.maintenance import backups, copies, rekeying, restoring
from store.maintenance.salvage import salvage
from store.memory import Memory
from store.records import Turn
from tests.conftest import NOW
from tests.support.encrypted import MAGIC, PORTO, WORDS, at, encrypted, needs_ciphers, opened, tell

pytestmark = [needs_ciphers, pytest.mark.usefixtures("no_keys")]

ROOT = Path(__file__).resolve().parents[3]
ROME = "I moved to Rome in May."
PASSPHRASE = Passphrase(WORDS)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """An encrypted memory to which this process has the key."""
    file = encrypted(tmp_path / "memory.db")
    assert opening.offer(file, PASSPHRASE)
    return file


def texts(path: Path) -> list[str]:
    with opened(path) as memory:
        assert [finding for finding in memory.file.check() if not finding.ok] == []
        return [turn.text for session in memory.sessions.all() for turn in memory.episodes.of(session.key)]


def assert_no_plain_byte(folder: Path) -> None:
    """Neither words nor SQLite's header is in any file of a folder."""
    for file in folder.iterdir():
        data = file.read_bytes()
        for word in (b"Porto", b"porto", b"Rome", MAGIC, b"CREATE TABLE"):
            assert word not in data, (file.name, word)


def test_no_byte_of_the_file_its_wal_or_its_backup_is_plain(path: Path) -> None:
    with opened(path) as memory:
        memory.reading.learn(memory.episodes.remember(turn(ROME)).id)
        list(memory.sleeping.run())
        wal = path.with_name("memory.db-wal")
        assert wal.stat().st_size > 4096
        backup = memory.backups.make()
        automatic = memory.backups.make(why="before-merge")
        assert backup.stat().st_size > 4096 and automatic.stat().st_size > 4096
        shutil.copytree(path.parent, path.parent.parent / "looked at")
        assert_no_plain_byte(path.parent.parent / "looked at")


@pytest.fixture
def tmp_path(tmp_path: Path) -> Path:
    """A folder that holds nothing else."""
    folder = tmp_path / "own"
    folder.mkdir()
    return folder


def turn(text: str) -> Turn:
    return Turn(text, "s", external_id=text)


def test_it_opens_with_its_passphrase_and_with_no_other_and_for_any_tool_of_the_library(path: Path) -> None:
    opening.forget()
    with pytest.raises(Locked):
        opened(path)
    assert not opening.offer(path, Passphrase("wrong"))
    assert opening.offer(path, PASSPHRASE)
    assert texts(path) == [PORTO]
    connection = apsw.Connection(str(path))
    connection.pragma("key", WORDS)
    assert connection.execute("select text from episodes").get == PORTO
    connection.close()


def test_another_passphrase_then_none(path: Path) -> None:
    with opened(path) as memory:
        was = memory.state_hash()
    new = Passphrase("battery")
    rekeying.rekey(path, new.new_key(), NOW)
    opening.forget()
    assert not opening.offer(path, PASSPHRASE) and opening.offer(path, new)
    assert texts(path) == [PORTO]
    rekeying.rekey(path, None, NOW)
    opening.forget()
    assert path.read_bytes().startswith(MAGIC) and texts(path) == [PORTO]
    with opened(path) as memory:
        assert memory.state_hash() == was


def test_copies_that_the_key_does_not_open_are_named(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    tell(path, PORTO)
    with opened(path) as memory:
        backup, far = memory.backups.make(), memory.backups.make(tmp_path / "far.db")
        export = tmp_path / "export.jsonl"
        memory.file.exported(export)
        export.write_text("{}")
        memory.file.exported(tmp_path / "gone.jsonl")
    assert set(rekeying.rekey(path, PASSPHRASE.new_key(), NOW)) == {backup, far, export}
    rekeying.rekey(backup, opening.key_of(path), NOW)
    assert set(rekeying.rekey(path, opening.key_of(path), NOW)) == {far, export}


def test_the_old_plain_file_is_overwritten_but_not_under_another_name(tmp_path: Path) -> None:
    path, other = tmp_path / "memory.db", tmp_path / "link.db"
    tell(path, PORTO)
    with path.open("rb") as old:
        rekeying.rekey(path, PASSPHRASE.new_key(), NOW)
        assert set(old.read()) == {0}
    rekeying.rekey(path, None, NOW)
    other.hardlink_to(path)
    rekeying.rekey(path, PASSPHRASE.new_key(), NOW)
    assert texts(other) == texts(path) == [PORTO]


def test_what_lay_beside_the_memory_in_plain_words_goes(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    tell(path, PORTO)
    beside.mark(path, make=True)
    rekeying.rekey(path, PASSPHRASE.new_key(), NOW)
    assert [file.name for file in tmp_path.iterdir()] == ["memory.db"]


def test_it_is_refused_while_another_connection_has_it_open(path: Path) -> None:
    with opened(path), pytest.raises(Busy):
        rekeying.rekey(path, None, NOW)
    assert opening.is_encrypted(path) and copies.backups(path, parts=True) == []


def test_who_waits_for_the_file_meanwhile_gets_the_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "memory.db"
    tell(path, PORTO)
    real = rekeying._put_in_place
    waiting = threading.Thread(target=tell, args=(path, ROME))

    def with_a_reader(fresh: Path, memory: Path) -> None:
        waiting.start()
        waiting.join(0.5)
        assert waiting.is_alive()
        real(fresh, memory)

    monkeypatch.setattr(rekeying, "_put_in_place", with_a_reader)
    rekeying.rekey(path, PASSPHRASE.new_key(), NOW)
    waiting.join(30)
    assert not waiting.is_alive()
    assert opening.is_encrypted(path) and texts(path) == [PORTO, ROME]


def killed(path: Path, key: opening.Key | None, kill_at: int) -> bool:
    """Rekey in a process of its own that is killed at this step; False where it ended before."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status) or os.waitstatus_to_exitcode(status) == 0
        return os.WIFSIGNALED(status)
    steps = count(1)

    def stepwise(real: Any) -> Any:
        def called(*given: Any, **named: Any) -> Any:
            found = real(*given, **named)
            if next(steps) == kill_at:
                os.kill(os.getpid(), signal.SIGKILL)
            return found

        return called

    for name in ("create_private", "write_anew", "faults", "sync_folder", "remove"):
        setattr(backups, name, stepwise(getattr(backups, name)))
    vars(os).update(fstat=stepwise(os.fstat), fsync=stepwise(os.fsync))
    vars(rekeying)["_put_in_place"] = stepwise(rekeying._put_in_place)
    code = 1
    try:
        rekeying.rekey(path, key, NOW)
        code = 0
    finally:
        os._exit(code)


@pytest.mark.parametrize("way", ["on", "change", "off"])
def test_a_kill_at_any_step_leaves_a_whole_memory(tmp_path: Path, way: str) -> None:
    source, path = tmp_path / "source.db", tmp_path / "memory.db"
    tell(source, PORTO)
    if way != "on":
        rekeying.rekey(source, PASSPHRASE.new_key(), NOW)
    key = None if way == "off" else Passphrase("battery").new_key()
    if key is not None:
        opening.keep(key)
    kill_at, seen = 1, set()
    while True:
        shutil.copyfile(source, path)
        was_killed = killed(path, key, kill_at)
        seen.add(opening.salt_of(path))
        assert texts(path) == [PORTO]
        for left in copies.backups(path, parts=True):
            left.path.unlink()
        if not was_killed:
            break
        kill_at += 1
    assert kill_at > 8 and len(seen) == 2, "some kills came before the change, and some after it"


def test_a_failed_check_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.maintenance.backups.faults", lambda _: ["scripted"])
    before = path.read_bytes()
    with pytest.raises(Damaged, match="stays as it was"):
        rekeying.rekey(path, None, NOW)
    opening.forget()
    assert opening.offer(path, PASSPHRASE) and texts(path) == [PORTO]
    assert path.read_bytes()[:16] == before[:16] and copies.backups(path, parts=True) == []


# Backups, restores, merges, repairs


def restored(backup: Path, path: Path) -> Path | None:
    with restoring.staged(backup, path, at(60)) as staged:
        restoring.preview(staged, path)
        return restoring.restore(staged, backup, path, at(60))


def test_a_backup_comes_back_with_the_key_of_the_memory(path: Path) -> None:
    with opened(path) as memory:
        backup = memory.backups.make(path.with_name("then.db"))
    rekeying.rekey(path, Passphrase("battery").new_key(), NOW)
    tell(path, ROME)
    opening.forget()
    assert opening.offer(path, Passphrase("battery"))
    with pytest.raises(Locked):
        restored(backup, path)
    assert opening.offer(backup, PASSPHRASE)
    kept = restored(backup, path)
    assert kept is not None
    opening.forget()
    assert opening.offer(path, Passphrase("battery"))
    assert texts(path) == [PORTO]
    assert opening.offer(kept, Passphrase("battery"))
    assert_no_plain_byte(path.parent)
    restored(kept, path)
    assert texts(path) == [PORTO, ROME]


def test_a_plain_backup_comes_back_encrypted(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    tell(path, PORTO)
    with opened(path) as memory:
        backup = memory.backups.make(tmp_path / "then.db")
    rekeying.rekey(path, PASSPHRASE.new_key(), NOW)
    tell(path, ROME)
    restored(backup, path)
    backup.unlink()
    assert texts(path) == [PORTO]
    assert_no_plain_byte(tmp_path)


def test_an_encrypted_backup_does_not_come_back_as_plain_text(path: Path) -> None:
    with opened(path) as memory:
        backup = memory.backups.make(path.with_name("then.db"))
    rekeying.rekey(path, None, NOW)
    before = path.read_bytes()
    with pytest.raises(BadInput, match="`erstwhile encrypt --off --db"):
        restored(backup, path)
    assert path.read_bytes() == before
    path.unlink()
    assert restored(backup, path) is None
    assert texts(path) == [PORTO]
    assert_no_plain_byte(path.parent)


def test_memories_merge_whichever_is_encrypted(path: Path) -> None:
    plain, other = path.with_name("plain.db"), path.with_name("other.db")
    tell(plain, ROME, session="rome")
    encrypted(other, "battery", "I like figs.")
    assert opening.offer(path, PASSPHRASE)
    with opened(path) as memory:
        memory.file.merge(plain)
        with pytest.raises(Locked):
            memory.file.merge(other)
        assert opening.offer(other, Passphrase("battery"))
        memory.file.merge(other)
    assert set(texts(path)) == {PORTO, ROME, "I like figs."}
    with opened(plain) as memory:
        memory.file.merge(path)
    assert set(texts(plain)) == {PORTO, ROME, "I like figs."}
    plain.unlink()
    assert_no_plain_byte(path.parent)


def test_an_erase_writes_the_whole_file_anew(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(path) as memory:
        memory.reading.learn(memory.episodes.remember(turn(ROME)).id)
        memory.erasing.erase(memory.erasing.selection(episode=ROME))
    assert texts(path) == [PORTO]
    connection = opening.connect(path)
    assert connection.pragma("freelist_count") == 0
    assert b"Rome" not in connection.serialize("main")
    connection.close()


def test_what_a_damaged_encrypted_file_still_holds_is_brought_into_an_encrypted_one(path: Path) -> None:
    with opened(path) as memory:
        for number in range(60):
            memory.episodes.remember(turn(f"Number {number}: Ada pays {number + 300} euros. " * 20))
    data = bytearray(path.read_bytes())
    data[len(data) * 2 // 3] ^= 1
    path.write_bytes(data)
    target = path.with_name("fresh.db")
    found = salvage(path, target)
    assert found.turns > 0 and (found.turns == 61 or found.lost)
    assert opening.salt_of(target) == opening.salt_of(path)
    Database(target).close()


def test_a_damaged_first_page_is_said_to_be_like_a_wrong_passphrase(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[200] ^= 1
    path.write_bytes(data)
    opening.forget()
    assert not opening.offer(path, PASSPHRASE)


def test_two_processes_may_have_an_encrypted_memory_open(path: Path) -> None:
    script = (
        "import sys\nfrom pathlib import Path\nfrom store.database import opening\n"
        "from tests.support.encrypted import *\n"
        "assert opening.offer(Path(sys.argv[1]), opening.Passphrase(WORDS))\ntell(Path(sys.argv[1]), sys.argv[2])"
    )
    memory: Memory
    with opened(path) as memory:
        subprocess.run([sys.executable, "-c", script, str(path), ROME], cwd=ROOT, check=True)
        memory.episodes.remember(turn("I like figs."))
        assert [one.text for one in memory.episodes.of("s")] == [PORTO, ROME, "I like figs."]
