"""The log of faults is its owner's alone, never grows without bound, and can do nothing to a terminal that shows it."""

from __future__ import annotations

import json
import stat

import pytest
from click.testing import CliRunner

from app import faults, paths
from app.cli.commands import cli


def raised(error: Exception) -> Exception:
    try:
        raise error
    except type(error) as caught:
        return caught


def test_a_fault_is_appended_with_its_time_and_its_traceback() -> None:
    faults.record("sleeping", raised(ValueError("first")))
    faults.record("searching", raised(KeyError("second")))
    first, second = paths.log_file().read_text(encoding="utf-8").strip().split("\n\n")
    assert first.splitlines()[0].endswith("Z sleeping")
    assert first.splitlines()[1] == "Traceback (most recent call last):"
    assert first.splitlines()[-1] == "ValueError: first"
    assert second.splitlines()[-1] == "KeyError: 'second'"


def test_only_the_owner_reads_it() -> None:
    faults.record("sleeping", raised(ValueError()))
    assert stat.S_IMODE(paths.log_file().stat().st_mode) == 0o600
    assert stat.S_IMODE(paths.log_file().parent.stat().st_mode) == 0o700


def test_it_never_grows_beyond_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "MOST", 2_000)
    for number in range(60):
        faults.record(f"try {number}", raised(ValueError("x" * 300)))
    files = sorted(paths.log_file().parent.glob("erstwhile.log*"))
    assert [one.name for one in files] == ["erstwhile.log", "erstwhile.log.1"]
    assert all(0 < one.stat().st_size <= 2_000 and stat.S_IMODE(one.stat().st_mode) == 0o600 for one in files)
    assert "try 59" in files[0].read_text(encoding="utf-8")


def test_a_long_traceback_keeps_its_end() -> None:
    faults.record("sleeping", raised(ValueError("x" * faults.LONGEST + " the end")))
    logged = paths.log_file().read_text(encoding="utf-8")
    assert "its beginning is left out" in logged
    assert logged.rstrip().endswith("the end")
    assert len(logged) < faults.LONGEST + 100


def test_what_would_act_on_a_terminal_is_dropped() -> None:
    faults.record("sleeping", raised(ValueError("a\x1b]0;title\x07b\ud800")))
    assert "ValueError: a]0;titleb\ufffd" in paths.log_file().read_text(encoding="utf-8")


def test_where_names_the_log() -> None:
    said = CliRunner().invoke(cli, ["where"]).output
    assert f"log       {paths.log_file()}" in said.splitlines()
    told = json.loads(CliRunner().invoke(cli, ["where", "--json"]).output)
    assert told["log"] == str(paths.log_file())
    assert {"memory", "data", "models", "settings", "machine", "python", "program"} < set(told)
