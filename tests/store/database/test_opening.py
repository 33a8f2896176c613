"""Who has no key to an encrypted file is told so in one sentence, with what to do; no key is ever shown.

These hold without the library that encrypts, too.
"""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any

import apsw
import pytest

from store.database import opening
from store.database.connections import Database, is_damaged
from store.database.opening import Passphrase
from store.errors import BadInput, Locked, NoCiphers, NotAMemory
from store.maintenance import copies
from tests.conftest import NOW
from tests.support.encrypted import PORTO, looks_encrypted, opened, tell

pytestmark = pytest.mark.usefixtures("no_keys")


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "ciphers", lambda: "scripted 1")


@pytest.fixture
def missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "ciphers", lambda: None)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return looks_encrypted(tmp_path / "m.db")


def test_a_plain_memory_is_not_encrypted_nor_is_what_is_no_memory(tmp_path: Path) -> None:
    tell(tmp_path / "plain.db", PORTO)
    (tmp_path / "empty.db").touch()
    (tmp_path / "text.db").write_text("no database at all" * 1000)
    (tmp_path / "zeros.db").write_bytes(bytes(8192))
    damaged = bytearray((tmp_path / "plain.db").read_bytes())
    damaged[:16] = b"x" * 16
    (tmp_path / "damaged.db").write_bytes(damaged)
    for name in ("plain", "empty", "text", "zeros", "damaged", "nowhere"):
        assert not opening.is_encrypted(tmp_path / f"{name}.db"), name
    for name in ("text", "zeros", "damaged"):
        with pytest.raises(NotAMemory):
            Database(tmp_path / f"{name}.db")


def test_without_the_library_the_sentence_says_how_to_get_it(file: Path, missing: None) -> None:
    before = file.read_bytes()
    with pytest.raises(NoCiphers) as told:
        Database(file)
    assert str(told.value) == (
        f"{file} is encrypted, and this installation has no encryption: run `make encryption` in a checkout, else "
        "install the package apsw-sqlite3mc where Erstwhile is installed."
    )
    with pytest.raises(NoCiphers):
        opening.is_locked(file)
    assert file.read_bytes() == before and not list(file.parent.glob("m.db-*"))


def test_without_a_passphrase_the_sentence_says_where_it_can_be_given(file: Path, installed: None) -> None:
    with pytest.raises(Locked) as told:
        Database(file)
    assert told.value.path == file
    assert str(told.value) == (
        f"{file} is encrypted: give its passphrase at a terminal, in a file with --passphrase-file, or in "
        "ERSTWHILE_PASSPHRASE."
    )


def test_a_passphrase_that_does_not_open_it_is_not_kept(file: Path, installed: None) -> None:
    assert opening.offer(file, Passphrase("wrong")) is False
    assert opening.is_locked(file)


def test_an_encrypted_file_is_not_taken_for_a_damaged_one(file: Path, installed: None) -> None:
    assert not is_damaged(file, ValueError("something else"))


def test_the_key_is_the_first_word_to_a_file(file: Path, installed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, str]] = []

    class Scripted:
        def __init__(self, name: str, **_: Any) -> None:
            calls.append(("open", name))

        def pragma(self, name: str, value: str) -> None:
            calls.append((name, value))

    monkeypatch.setattr(apsw, "Connection", Scripted)
    salt = opening.salt_of(file)
    assert salt == file.read_bytes()[:16]
    opening.keep(Passphrase("words").key(salt))
    opening.connect(file)
    opening.connect(file.with_name("new.db"), like=file)
    opening.connect(file.with_name("other.db"))
    (first, key), (second, again), third = calls[:2], calls[2:4], calls[4:]
    assert first == ("open", str(file)) and second == ("open", str(file.with_name("new.db")))
    assert key == again and key[0] == "key" and key[1].endswith(salt.hex()) and len(key[1]) == len("raw:") + 96
    assert third == [("open", str(file.with_name("other.db")))]


def test_nothing_shows_a_passphrase_or_a_key(tmp_path: Path) -> None:
    passphrase = Passphrase("correct horse")
    key = passphrase.new_key()
    for shown in (repr(passphrase), str(passphrase), f"{key} {key!r}", repr(vars(opening)["_known"])):
        assert "correct" not in shown and key.raw[10:30] not in shown
    try:
        raise RuntimeError(f"{passphrase} {key}")
    except RuntimeError as error:
        captured = "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())
    assert "correct" not in captured and key.raw not in captured


def test_the_same_passphrase_typed_on_another_keyboard_is_the_same() -> None:
    assert Passphrase("caf\u00e9").is_same(Passphrase("cafe\u0301"))
    assert not Passphrase("one").is_same(Passphrase("two"))
    with pytest.raises(BadInput):
        Passphrase("")


def test_a_file_that_was_replaced_while_it_was_opened_is_opened_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, other = tmp_path / "m.db", tmp_path / "other.db"
    tell(path, PORTO)
    tell(other, "I live in Rome.")
    real = Database._connect

    def slowly(self: Database) -> apsw.Connection:
        connection = real(self)
        if other.exists():
            other.replace(path)
        return connection

    monkeypatch.setattr(Database, "_connect", slowly)
    with opened(path) as memory:
        assert [turn.text for turn in memory.episodes.of("s")] == ["I live in Rome."]
        memory.backups.make(tmp_path / "copy.db")
    assert not other.exists()


def test_an_erase_names_an_encrypted_copy_that_it_cannot_look_into(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    tell(path, PORTO)
    locked = looks_encrypted(copies.backup_beside(path, NOW.local()))
    with opened(path) as memory:
        assert memory.erasing.erase(memory.erasing.selection(episode=PORTO)).backups == (str(locked),)
