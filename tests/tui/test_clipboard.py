"""Copied text reaches a clipboard where there is one; a machine without one is no fault."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from app.tui import services as clipboard
from tests.tui.acting import app_with, settle
from widgets.messages import TextCopied

XCLIP = """#!/bin/sh
cat > "$(dirname "$0")/copied"
echo noise >&2
"""


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs are found; no display is there."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return tmp_path


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a clipboard")
@pytest.mark.parametrize("text", ["Olá, Inês: 日本 🙂\nsecond line", "x" * 300_000], ids=["short", "long"])
def test_text_reaches_the_clipboard_of_the_desktop(
    programs: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], text: str
) -> None:
    program = programs / "xclip"
    program.write_text(XCLIP)
    program.chmod(0o755)
    monkeypatch.setenv("DISPLAY", ":9")
    monkeypatch.setattr(clipboard, "LONGEST_COPY", 60)  # a machine that runs all the tests is slow
    taken = clipboard.copy(text)
    assert taken
    copied = (programs / "copied").read_text(encoding="utf-8")
    assert (len(copied), copied[:99]) == (len(text), text[:99])
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a clipboard")
def test_a_machine_without_a_clipboard_says_nothing(programs: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert not clipboard.copy("text")
    assert capfd.readouterr() == ("", "")


def test_a_clipboard_that_hangs_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def hangs(*_command: object, timeout: float, **_options: object) -> None:
        raise subprocess.TimeoutExpired("xclip", timeout)

    monkeypatch.setattr(subprocess, "run", hangs)
    assert not clipboard.copy("text")


async def test_the_terminal_is_told_and_the_desktop_too() -> None:
    app, copied = app_with(), list[str]()
    app.services.copy = copied.append
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        app.post_message(TextCopied("some words"))
        await settle(pilot)
        assert (app.clipboard, copied) == ("some words", ["some words"])
