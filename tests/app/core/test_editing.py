"""An edit changes its line and no other; what it cannot change without harm, it refuses."""

from __future__ import annotations

import os
import stat
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core import shelf
from app.core.fitness import Fitness, remember
from app.core.settings import edited, replaced, write
from app.llm.machine import forbid_fast_buffers
from store.errors import BadInput

FILE = """# how I like it
[look]
theme = "dark"  # at night

[sleep]
# a minute is too long
after_seconds = 30
[keys]
"go.doctor" = "f12"   # f9 is taken
"""


def test_a_value_is_changed_where_it_stands_with_its_comment() -> None:
    after = edited(FILE, "look", "theme", "light")
    assert after == FILE.replace('theme = "dark"  #', 'theme = "light"  #')


def test_a_new_key_goes_below_the_last_of_its_table() -> None:
    after = edited(FILE, "sleep", "at_exit", True)
    assert after == FILE.replace("after_seconds = 30\n", "after_seconds = 30\nat_exit = true\n")


def test_a_new_table_goes_to_the_end() -> None:
    assert edited(FILE, "chat", "off_the_record", True) == FILE + "\n[chat]\noff_the_record = true\n"
    assert edited("", "look", "theme", "light") == '[look]\ntheme = "light"\n'


def test_a_key_is_taken_out() -> None:
    assert edited(FILE, "keys", "go.doctor", None) == FILE.replace('"go.doctor" = "f12"   # f9 is taken\n', "")
    assert edited(FILE, "chat", "off_the_record", None) == FILE


def test_a_hash_within_a_value_is_no_comment() -> None:
    assert edited('[keys]\n"app.help" = "#"\n', "keys", "app.help", "f1") == '[keys]\n"app.help" = "f1"\n'


@pytest.mark.parametrize(
    "text",
    [
        'look = {theme = "dark"}\n',
        'look.theme = "dark"\n',
        '[look]\ntheme = """\ndark"""\n',
        "[ look ]\ntheme='dark'\n",
    ],
)
def test_what_is_written_otherwise_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="only a text editor"):
        edited(text, "look", "theme", "light")


def test_what_the_file_may_not_say_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="did you mean theme"):
        write(tmp_path, "look", "teme", "light")
    with pytest.raises(BadInput, match="it is dark, light, "):
        write(tmp_path, "look", "theme", "blue")
    assert list(tmp_path.iterdir()) == []


def test_the_file_is_its_owners_alone_and_no_other_is_left(tmp_path: Path) -> None:
    path = write(tmp_path / "config", "look", "theme", "light")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in path.parent.iterdir()] == ["settings.toml"]


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from([FILE, "", "[keys]\n", "[look]\n\n# end\n[keys]\na = 'b'"]),
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=12),
    st.one_of(st.text(st.characters(codec="utf-8"), max_size=20), st.booleans(), st.integers(-9, 9), st.floats(0, 9)),
)
def test_whatever_is_written_is_read_back_or_refused(text: str, key: str, value: str | bool | int | float) -> None:
    try:
        after = edited(text, "keys", key, value)
    except BadInput:
        return
    assert tomllib.loads(after)["keys"][key] == value
    kept = [line for line in text.split("\n") if line.startswith("#")]
    assert [line for line in after.split("\n") if line.startswith("#")] == kept


def test_every_file_of_the_programs_own_can_be_read_by_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    home = tmp_path / "home"
    shelf.note_speed(home / "speeds.json", tmp_path / "a.gguf", 12.0)
    shelf.note_speed(home / "speeds.json", tmp_path / "a.gguf", 14.0)
    (tmp_path / "a.gguf").write_bytes(b"GGUF")
    remember(home / "fitness.json", tmp_path / "a.gguf", Fitness({"chat": 1.0}))
    forbid_fast_buffers(home / "machine.json", "here")
    replaced(home / "config.toml", "[sleep]\n")
    os.umask(before)
    written = sorted(home.iterdir())
    assert [one.name for one in written] == ["config.toml", "fitness.json", "machine.json", "speeds.json"]
    assert {oct(one.stat().st_mode & 0o777) for one in written} == {"0o600"}
    assert home.stat().st_mode & 0o777 == 0o700
