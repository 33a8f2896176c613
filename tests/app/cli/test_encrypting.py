"""A passphrase is asked for where nobody sees it, or given where nobody else reads it; each refusal is one sentence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from app.cli.commands import cli
from app.cli.session import run
from app.core.draft import Draft
from app.tui.screens.doctor import _encrypted
from store.database import opening
from tests.support.encrypted import PORTO, WORDS, encrypted, looks_encrypted, needs_ciphers, tell

ROOT = Path(__file__).resolve().parents[3]
NEW = "battery staple"


pytestmark = pytest.mark.usefixtures("no_keys")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "m.db"


@pytest.fixture
def erstwhile(path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """erstwhile("facts", typed=["..."]): what is typed at the terminal; without that, there is none. No key is left
    from one call to the next."""

    def call(*arguments: str, typed: Sequence[str] | None = None) -> tuple[int, str, str]:
        left = iter(typed or ())
        monkeypatch.setattr("sys.stdin.isatty", lambda: typed is not None, raising=False)
        monkeypatch.setattr("getpass.getpass", lambda _prompt: next(left))
        opening.forget()
        code = run(cli, [*arguments, "--db", str(path)])
        assert next(left, None) is None, "all that was typed was asked for"
        out, error = capsys.readouterr()
        for words in (WORDS, NEW):
            assert words not in out + error
        return code, out, error

    return call


@pytest.fixture
def passphrase(tmp_path: Path) -> Path:
    file = tmp_path / "passphrase"
    file.write_text(f"{WORDS}\n")
    return file


# What is said where nothing can be opened, without the library, too


def test_without_the_library_each_verb_says_how_to_get_it(
    erstwhile: Any, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks_encrypted(path)
    monkeypatch.setattr(opening, "ciphers", lambda: None)
    for verb in (["facts"], ["check"], ["check", "--repair"], ["backup"], ["remember", "x"], ["mcp"], ["encrypt"]):
        code, out, error = erstwhile(*verb)
        assert (code, out, error.count("\n")) == (1, "", 1)
        assert "apsw-sqlite3mc" in error and "`make encryption`" in error
    assert _encrypted(path) == "no; what encrypts is not installed (apsw-sqlite3mc)"


def test_a_script_without_a_passphrase_is_told_where_to_give_one(
    erstwhile: Any, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks_encrypted(path)
    monkeypatch.setattr(opening, "ciphers", lambda: "scripted 1")
    code, out, error = erstwhile("facts")
    assert (code, out) == (1, "")
    assert error == (
        f"erstwhile: {path} is encrypted: give its passphrase at a terminal, in a file with --passphrase-file, or in "
        "ERSTWHILE_PASSPHRASE.\n"
    )


def test_a_wrong_passphrase_is_said_to_be_one(
    erstwhile: Any, path: Path, monkeypatch: pytest.MonkeyPatch, passphrase: Path
) -> None:
    looks_encrypted(path)
    monkeypatch.setattr(opening, "ciphers", lambda: "scripted 1")
    code, _, error = erstwhile("facts", "--passphrase-file", str(passphrase))
    assert code == 1 and error.count("\n") == 1 and f"That passphrase does not open {path}" in error
    code, _, error = erstwhile("facts", typed=["one", "two", "three"])
    assert code == 1 and error.count("does not open") == 3 and "none of 3 passphrases opened it" in error


def test_the_file_of_a_passphrase_that_cannot_be_read_is_named(erstwhile: Any, path: Path, tmp_path: Path) -> None:
    tell(path, PORTO)
    (tmp_path / "empty").write_text("\n\n")
    for name, words in (("nowhere", "cannot be read"), ("empty", "There is no passphrase in")):
        code, _, error = erstwhile("facts", "--passphrase-file", str(tmp_path / name))
        assert code == 2 and words in error and error.count("\n") == 1


def test_no_child_inherits_the_passphrase(erstwhile: Any, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ERSTWHILE_PASSPHRASE", WORDS)
    tell(path, PORTO)
    assert erstwhile("facts")[0] == 0
    assert "ERSTWHILE_PASSPHRASE" not in os.environ


# Encrypting, and what comes of it


@needs_ciphers
def test_encrypt_change_and_decrypt_at_a_terminal(erstwhile: Any, path: Path) -> None:
    tell(path, PORTO)
    (backup,) = erstwhile("backup")[1].split()[3:4]
    backup = backup.rstrip(";")
    code, out, error = erstwhile("encrypt", typed=[WORDS, WORDS])
    assert code == 0 and out.startswith(f"{path} is encrypted.") and "The disk may still hold" in error
    assert f"`erstwhile encrypt --db {backup}`" in out
    assert "Porto" in erstwhile("facts", typed=[WORDS])[1]
    assert "Porto" in erstwhile("facts", typed=["wrong", WORDS])[1]
    assert erstwhile("encrypt")[0] == 2
    assert erstwhile("encrypt", "--change", typed=[WORDS, NEW, NEW])[0] == 0
    assert erstwhile("facts", typed=[WORDS, WORDS, WORDS])[0] == 1
    assert "Porto" in erstwhile("facts", typed=[NEW])[1]
    code, out, _ = erstwhile("encrypt", "--off", typed=[NEW])
    assert code == 0 and "is decrypted" in out
    assert "Porto" in erstwhile("facts")[1]
    assert erstwhile("encrypt", "--off")[0] == 2


@needs_ciphers
def test_encrypt_in_a_script(erstwhile: Any, path: Path, passphrase: Path, tmp_path: Path) -> None:
    tell(path, PORTO)
    fresh = tmp_path / "fresh"
    fresh.write_text(NEW)
    code, out, _ = erstwhile("encrypt", "--passphrase-file", str(passphrase), "--json")
    assert code == 0 and json.loads(out) == {"encrypted": True, "copies": []}
    assert "Porto" in erstwhile("facts", "--passphrase-file", str(passphrase))[1]
    arguments = ("encrypt", "--change", "--passphrase-file", str(passphrase), "--new-passphrase-file", str(fresh))
    assert erstwhile(*arguments, "--json")[0] == 0
    assert erstwhile("facts", "--passphrase-file", str(passphrase))[0] == 1
    code, out, _ = erstwhile("encrypt", "--off", "--passphrase-file", str(fresh), "--json")
    assert code == 0 and json.loads(out) == {"encrypted": False, "copies": []}


@needs_ciphers
def test_what_is_typed_twice_has_to_be_the_same(erstwhile: Any, path: Path) -> None:
    tell(path, PORTO)
    code, _, error = erstwhile("encrypt", typed=[WORDS, NEW])
    assert code == 2 and "not the same" in error and not opening.is_encrypted(path)
    code, _, error = erstwhile("encrypt")
    assert code == 2 and "nobody to ask" in error
    assert erstwhile("encrypt", "--change", "--off")[0] == 2


@needs_ciphers
def test_what_was_being_typed_goes_and_is_kept_no_more(erstwhile: Any, path: Path) -> None:
    tell(path, PORTO)
    draft = Draft(path)
    draft.text = "half a thought"
    draft.keep()
    assert draft.path.exists()
    erstwhile("encrypt", typed=[WORDS, WORDS])
    assert not draft.path.exists()
    draft.text = "another"
    draft.keep()
    assert not draft.path.exists()


@needs_ciphers
def test_backup_restore_merge_and_repair_ask_for_what_they_need(erstwhile: Any, path: Path, tmp_path: Path) -> None:
    other, backup = encrypted(tmp_path / "other.db", NEW, "I moved to Rome."), tmp_path / "then.db"
    encrypted(path)
    assert erstwhile("backup", str(backup), typed=[WORDS])[0] == 0
    assert opening.is_encrypted(backup)
    assert erstwhile("merge", str(other), typed=[NEW, WORDS])[0] == 0
    assert erstwhile("restore", str(backup), "--yes", typed=[WORDS])[0] == 0
    code, out, _ = erstwhile("facts", typed=[WORDS])
    assert code == 0 and "Porto" in out and "Rome" not in out
    assert erstwhile("restore", str(other), "--yes", typed=[WORDS, NEW])[0] == 0
    assert "Rome" in erstwhile("facts", typed=[WORDS])[1]
    code, out, _ = erstwhile("check", "--repair", typed=[WORDS])
    assert code == 0 and "nothing was wrong" in out


@needs_ciphers
@pytest.mark.parametrize("harm", ["flipped", "cut off"])
def test_a_damaged_encrypted_memory_is_repaired_or_one_sentence_says_that_it_cannot(
    erstwhile: Any, path: Path, harm: str
) -> None:
    tell(path, *(f"Ada pays {number} euros for room {number}." for number in range(40)))
    encrypted(path)
    data = bytearray(path.read_bytes())
    if harm == "flipped":
        data[len(data) * 2 // 3] ^= 1
    else:
        del data[len(data) * 2 // 3 :]
    path.write_bytes(data)
    assert erstwhile("check", typed=[WORDS])[0] == 1
    code, out, error = erstwhile("check", "--repair", typed=[WORDS])
    if harm == "cut off":
        assert code == 1 and error.count("\n") == 1 and "go back to a backup" in error
        assert path.read_bytes() == data
        return
    assert code == 0 and "is kept as" in out, error
    assert opening.is_encrypted(path)
    assert erstwhile("check", typed=[WORDS])[0] == 0


@needs_ciphers
def test_an_export_says_that_it_is_plain_text(erstwhile: Any, path: Path, tmp_path: Path) -> None:
    encrypted(path)
    code, _, error = erstwhile("export", str(tmp_path / "all.jsonl"), typed=[WORDS])
    assert code == 0 and "is plain text, though the memory is encrypted" in error
    assert PORTO in (tmp_path / "all.jsonl").read_text()
    code, out, _ = erstwhile("encrypt", "--change", typed=[WORDS, NEW, NEW])
    assert f"The export {tmp_path / 'all.jsonl'} is plain text" in out


@needs_ciphers
def test_the_doctor_and_where_say_no_more_than_that_it_is_encrypted(erstwhile: Any, path: Path) -> None:
    encrypted(path)
    assert _encrypted(path).startswith("yes (SQLite3 Multiple Ciphers")
    code, out, _ = erstwhile("where", "--json")
    assert code == 0 and "phrase" not in out


@needs_ciphers
def test_another_program_serves_it_with_the_passphrase_of_its_environment(path: Path, tmp_path: Path) -> None:
    encrypted(path)
    asked = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "facts", "arguments": {}}},
    ]
    environment = {**os.environ, "ERSTWHILE_HOME": str(tmp_path / "home")}
    for words, code in ((WORDS, 0), (NEW, 1), ("", 1)):
        done = subprocess.run(
            [sys.executable, "-m", "app", "mcp", "--read-only", "--db", str(path)], cwd=ROOT, capture_output=True,
            input="".join(json.dumps(one) + "\n" for one in asked), text=True, check=False, timeout=60,
            env={**environment, "ERSTWHILE_PASSPHRASE": words},
        )  # fmt: skip
        assert done.returncode == code, done.stderr
        assert ("Porto" in done.stdout) == (code == 0)
        assert WORDS not in done.stderr and "Traceback" not in done.stderr


def test_a_plain_memory_asks_for_nothing(erstwhile: Any, path: Path) -> None:
    tell(path, PORTO)
    assert "Porto" in erstwhile("facts", typed=[])[1]
