"""An import in which several speak says that nothing is about the person, until one of them is named as such."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.cli.commands import cli
from app.cli.session import run

AT = "2026-03-03T10:00:00+01:00"
SAID = ("Olga", "The boat is sold."), ("Henrik", "At last! For how much?"), ("Olga", "Four thousand.")


@pytest.mark.parametrize(
    ("more", "asks"),
    [((), True), (("--dry-run",), True), (("--me", "Olga"), False), (("--me", "olga", "--dry-run"), False)],
)
def test_who_of_several_is_the_person_is_asked_for(
    more: tuple[str, ...], asks: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [{"session": "s", "speaker": who, "text": text, "said_at": AT} for who, text in SAID]
    (tmp_path / "chat.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert run(cli, ["import", str(tmp_path / "chat.jsonl"), "--db", str(tmp_path / "m.db"), *more]) == 0
    told = capsys.readouterr().err
    assert ("Said by Olga and Henrik." in told and '--me "Olga"' in told) is asks


def test_where_the_person_speaks_nothing_is_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [{"session": "s", "speaker": who, "text": "Hello.", "said_at": AT} for who in ("me", "Henrik")]
    (tmp_path / "chat.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert run(cli, ["import", str(tmp_path / "chat.jsonl"), "--db", str(tmp_path / "m.db")]) == 0
    assert "Said by" not in capsys.readouterr().err


def test_who_speaks_beside_the_person_is_somebody_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = ("me", "I live in Porto."), ("Ana", "And I moved to Lisbon.")
    lines = [{"session": "s", "speaker": who, "text": text, "said_at": AT} for who, text in said]
    (tmp_path / "chat.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    file = str(tmp_path / "m.db")
    assert run(cli, ["import", str(tmp_path / "chat.jsonl"), "--db", file]) == 0
    assert run(cli, ["sleep", "--no-model", "--db", file]) == 0
    capsys.readouterr()
    assert run(cli, ["facts", "--db", file]) == 0
    told = capsys.readouterr().out
    assert "You live in Porto." in told and "Ana lives in Lisbon." in told and "You live in Lisbon." not in told


@pytest.mark.parametrize("wrong", ["Clive", None])
def test_who_was_taken_for_the_person_is_put_right_by_importing_again(
    wrong: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = ("Clive", "I live in Whitby."), ("Gerald", "I live in Shrewsbury.")
    lines = [{"session": "s", "speaker": who, "text": text, "said_at": AT} for who, text in said]
    (tmp_path / "chat.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    file = str(tmp_path / "m.db")
    for me in (wrong, "gerald"):
        named = ["--me", me] if me else []
        assert run(cli, ["import", str(tmp_path / "chat.jsonl"), "--db", file, *named]) == 0
        assert run(cli, ["sleep", "--no-model", "--db", file]) == 0
    capsys.readouterr()
    assert run(cli, ["facts", "--db", file]) == 0
    told = capsys.readouterr().out
    assert "You live in Shrewsbury." in told and "Clive lives in Whitby." in told
    assert "You live in Whitby." not in told and "Gerald lives" not in told
