"""What leaves the sanitiser cannot act on a terminal, and readable text leaves it unchanged."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgets.plain import one_line, plain

HARMFUL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)


@given(st.text(st.characters(exclude_categories=[])))
def test_nothing_harmful_is_left(text: str) -> None:
    shown = plain(text)
    assert HARMFUL.search(shown) is None
    assert plain(shown) == shown
    shown.encode("utf-8")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain words",
        "a\n\tb",
        "Ünïcödé 你好 한국어 مرحبا",
        "👩‍👩‍👧‍👦 🏳️‍🌈",
        "می‌خواهم",
        "[/x] [bold]",
        "e\u0301",
        "Zürich–Köln…",
    ],
)
def test_readable_text_stays_as_it_is(text: str) -> None:
    assert plain(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb", "a[31mb"),
        ("\x1b]52;c;AAAA\x07", "]52;c;AAAA"),
        ("\x9b2J", "2J"),
        ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
        ("exe.\u202egpj", "exe.⟨U+202E⟩gpj"),
        ("pay\u200bpal", "pay⟨U+200B⟩pal"),
        ("a\u200db", "a⟨U+200D⟩b"),
        ("\u200d", "⟨U+200D⟩"),
        ("x\ud800y", "x\ufffdy"),
        ("\U000e0041tag", "⟨U+E0041⟩tag"),
    ],
)
def test_what_acts_is_dropped_and_what_hides_is_shown(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_one_line_folds_and_cuts() -> None:
    assert one_line(" a\n\n b\tc ") == "a b c"
    assert one_line("abcdef", 4) == "abc…"
    assert one_line("abc", 3) == "abc"
    assert one_line("abc", 0) == "…"


def test_the_command_line_can_use_it_without_textual() -> None:
    code = "import sys, widgets.plain; sys.exit('textual' in sys.modules or 'rich' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
