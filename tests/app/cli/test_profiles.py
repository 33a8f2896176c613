"""A profile is a memory in a folder of its own, under a name that means one thing on every machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app import paths
from app.cli.commands import cli
from app.cli.session import run
from store.errors import BadInput


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any, str]:
    """Exit code, JSON, and what was said."""
    capsys.readouterr()
    code = run(cli, [*arguments, "--json"])
    out, err = capsys.readouterr()
    return code, json.loads(out) if out else None, err


def test_what_one_profile_was_told_no_other_knows(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "remember", "I live in Porto.")[0] == 0
    assert told(capsys, "--profile", "work", "remember", "I work at Acme.")[0] == 0
    assert [one["object"] for one in told(capsys, "facts")[1]["facts"]] == ["Porto"]
    for place in (["facts", "--profile", "work"], ["--profile", "work", "facts"]):
        assert [one["object"] for one in told(capsys, *place)[1]["facts"]] == ["Acme"]
    assert not list(paths.data_dir().glob("*work*.db"))


def test_the_environment_names_a_profile_where_no_flag_names_a_memory(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ERSTWHILE_PROFILE", "work")
    assert told(capsys, "where")[1]["profile"] == "work"
    assert told(capsys, "where", "--profile", "home")[1]["profile"] == "home"
    assert told(capsys, "where", "--profile", "default")[1]["memory"] == str(paths.data_dir() / "memory.db")
    assert told(capsys, "where", "--db", str(tmp_path / "other.db"))[1]["profile"] == ""
    monkeypatch.setenv("ERSTWHILE_DB", str(tmp_path / "other.db"))
    assert told(capsys, "where", "--profile", "home")[1]["profile"] == "home"
    code, _, said = told(capsys, "where")
    assert (code, said) == (
        2, "erstwhile: ERSTWHILE_DB and ERSTWHILE_PROFILE both name a memory; unset one of them.\n",
    )  # fmt: skip


@pytest.mark.parametrize(
    "flags", [("--profile", "work", "where", "--db", "m.db"), ("--db", "m.db", "where", "--profile", "work")]
)
def test_two_flags_that_name_a_memory_are_refused(capsys: pytest.CaptureFixture[str], flags: tuple[str, ...]) -> None:
    code, _, said = told(capsys, *flags)
    assert (code, said) == (2, "erstwhile: --db and --profile both name a memory; give one of them.\n")


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "../work", "a/b", "Work", "my work", "-work", "_work", "w" * 41, "work\n", "ﬁne", "a\u200bb"],
)
def test_a_name_that_will_not_do_is_refused_in_one_sentence(capsys: pytest.CaptureFixture[str], name: str) -> None:
    code, _, said = told(capsys, "--profile", name, "remember", "I live in Porto.")
    assert code == 2
    assert said == (
        f"erstwhile: {name!r} cannot be the name of a profile; use lower-case letters, digits, - and _, at most 40 of "
        "them, such as work.\n"
    )
    assert not paths.data_dir().exists()


@pytest.mark.parametrize("name", ["work", "work-2", "família", "일", "2026", "w" * 40])
def test_a_name_that_will_do_leads_to_its_memory_and_back(name: str) -> None:
    assert paths.profile_of(paths.profile_file(name)) == name
    assert paths.profile_of(paths.profile_file(name).with_name("other.db")) == ""


def test_where_lists_the_profiles_that_there_are_with_their_sizes(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "where")[1]["profiles"] == []
    for name in ("work", "art", "default"):
        told(capsys, "remember", "I live in Porto.", "--profile", name)
    stray = paths.profile_file("work").parent.with_name("Not A Name")
    stray.mkdir()
    (stray / paths.MEMORY).touch()
    listed = told(capsys, "where")[1]["profiles"]
    assert [one["name"] for one in listed] == ["default", "art", "work"]
    for one in listed:
        assert Path(one["memory"]) == paths.profile_file(one["name"])
        assert one["bytes"] == Path(one["memory"]).stat().st_size > 100_000
    run(cli, ["where", "--profile", "art"])
    lines = capsys.readouterr().out.splitlines()
    assert "profile   art" in lines
    assert any(line.startswith("profiles  default (") and "work (" in line for line in lines)


def test_the_backups_of_a_profile_lie_in_its_folder(capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, "remember", "I live in Porto.")
    told(capsys, "--profile", "work", "remember", "I live in Lisbon.")
    made = Path(told(capsys, "--profile", "work", "backup")[1]["backup"])
    assert made.parent == paths.profile_file("work").parent
    assert told(capsys, "erase", "--about", "Porto", "--yes")[1]["backups"] == []


def test_the_demo_has_no_profile(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(cli, ["--demo", "--profile", "work"]) == 2
    assert "leave --profile out" in capsys.readouterr().err


def test_a_bad_name_from_elsewhere_is_refused_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ERSTWHILE_PROFILE", "../elsewhere")
    with pytest.raises(BadInput, match="cannot be the name of a profile"):
        paths.memory_file()
