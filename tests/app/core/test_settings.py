"""The settings file says what it knows, refuses what it does not with the nearest name, and is written with care."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from app.core import settings
from app.core.clock import zone_named
from app.core.settings import MODEL, OPTIONS, Option, Settings, parse, remember_model, taken, typed
from store.errors import BadInput


def test_without_a_file_everything_is_default(tmp_path: Path) -> None:
    assert settings.read(tmp_path) == Settings()


def test_what_is_written_is_read(tmp_path: Path) -> None:
    (tmp_path / settings.FILE).write_text(
        '[look]\ntheme = "light"\n[sleep]\nafter_seconds = 5\n'
        '[keys]\n"prompt.send" = "ctrl+g"\n[model]\npath = "~/a.gguf"\n'
    )
    read = settings.read(tmp_path)
    assert (read.theme, read.idle_seconds, read.keymap) == ("light", 5, {"prompt.send": "ctrl+g"})
    assert settings.chosen_path(MODEL, tmp_path) == Path("~/a.gguf").expanduser()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[lok]\ntheme = 'x'", "did you mean look"),
        ("[look]\nteme = 'x'", "did you mean theme"),
        ("[look", "cannot be read"),
    ],
)
def test_unknown_keys_are_refused_with_a_hint(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / settings.FILE).write_text(text)
    with pytest.raises(BadInput, match=words):
        settings.read(tmp_path)


@pytest.mark.parametrize("option", [one for one in OPTIONS if one.most], ids=lambda one: f"{one.table}.{one.key}")
def test_the_bounds_of_a_number_are_those_of_the_file_and_of_the_hand(option: Option) -> None:
    for value in (option.least, option.most):
        assert taken(option, typed(option, value)) == value
        settings.parse(f"[{option.table}]\n{option.key} = {value}\n", "here")
    for value in (option.least - 1, option.most + 1):
        with pytest.raises(BadInput, match=r"^Say a .*number.* from "):
            taken(option, typed(option, value))
        with pytest.raises(BadInput, match=f"cannot be {value}; it is a .*number.* from "):
            settings.parse(f"[{option.table}]\n{option.key} = {value}\n", "here")


def test_choosing_a_model_leaves_the_rest_of_the_file_alone(tmp_path: Path) -> None:
    path = tmp_path / settings.FILE
    path.write_text('# mine\n[model]\npath = "old"\n\n[look]\ntheme = "light"\n')
    remember_model(Path('/m/"odd" name.gguf'), tmp_path)
    text = path.read_text()
    assert text.startswith("# mine\n[model]\n") and "old" not in text and 'theme = "light"' in text
    assert settings.chosen_path(MODEL, tmp_path) == Path('/m/"odd" name.gguf')
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_zones_are_names_or_offsets() -> None:
    from datetime import UTC, datetime, timedelta

    assert zone_named("+02:00").utcoffset(datetime.now(UTC)) == timedelta(hours=2)
    assert str(zone_named("Europe/Lisbon")) == "Europe/Lisbon"
    with pytest.raises(BadInput, match="no zone"):
        zone_named("Mars")


def test_the_embedder_that_is_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.core.settings import chosen_embedder
    from app.paths import config_dir
    from store.episodes.embedding import default_path
    from store.errors import EmbedderUnavailable

    assert chosen_embedder().path == default_path()
    config_dir().mkdir(parents=True)
    (config_dir() / "settings.toml").write_text(f'[memory]\nembedder = "{tmp_path / "none"}"\n')
    with pytest.raises(EmbedderUnavailable, match="there is no such folder"):
        chosen_embedder()
    monkeypatch.setenv("ERSTWHILE_EMBEDDER", str(default_path()))
    assert chosen_embedder().path == default_path()


def test_a_setting_that_an_older_version_wrote_is_let_stand() -> None:
    assert parse("[sleep]\ntidy = true\nafter_seconds = 5.0\n", "file").idle_seconds == 5.0
