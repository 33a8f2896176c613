"""A battery is told from mains power, and a machine that says nothing is taken to have both."""

from __future__ import annotations

from pathlib import Path

from app.core.sleeper import charge


def supply(folder: Path, name: str, **lines: str) -> None:
    (folder / name).mkdir()
    for key, line in lines.items():
        (folder / name / key).write_text(line + "\n")


def test_without_a_word_from_the_system_nothing_is_assumed(tmp_path: Path) -> None:
    assert charge(tmp_path / "none") is None
    assert charge(tmp_path) is None
    supply(tmp_path, "BAT0", type="Battery", status="Discharging", capacity="soon")
    assert charge(tmp_path) is None


def test_the_emptier_battery_counts_and_only_without_mains(tmp_path: Path) -> None:
    supply(tmp_path, "BAT0", type="Battery", status="Discharging", capacity="55")
    supply(tmp_path, "BAT1", type="Battery", status="Discharging", capacity="18")
    supply(tmp_path, "AC", type="Mains", online="0")
    assert charge(tmp_path) == 0.18
    (tmp_path / "AC" / "online").write_text("1\n")
    assert charge(tmp_path) is None
