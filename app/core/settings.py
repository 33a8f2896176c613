"""Settings are a TOML file that people may write; a key that is not known is refused, with the nearest that is.

`[model] path`, `reads`, `system`, `temperature`, `context` and `reply`, `[memory] embedder`, `[look] theme`,
`[chat] off_the_record`, `[sleep] after_seconds`, `every_sessions`, `at_exit`, `least_charge` and `tidy`, and `[keys]`
with binding ids. A flag wins over the environment, the environment over the file, the file over the default.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.paths import config_dir, expanded
from store.errors import BadInput
from store.records import ModelOptions
from store.sleep.schedule import Rules

if TYPE_CHECKING:
    from app.llm.find import ModelFile
    from store.episodes.embedding import StaticEmbedder

FILE = "settings.toml"
_SLEEP = ("after_seconds", "every_sessions", "at_exit", "least_charge", "tidy")
_SPEAKING = ("system", "temperature", "context", "reply")
CONTEXT_LENGTH = 4096
"""Tokens that a model reads, where nobody says otherwise."""
HOTTEST = 2.0
"""The highest temperature: beyond it, words are chosen almost blindly."""
CONTEXT, REPLY = (512, 1_048_576), (16, 32_768)
"""Tokens: the fewest and the most."""
_KNOWN = {
    "model": ("path", "reads", *_SPEAKING), "memory": ("embedder",), "look": ("theme",), "chat": ("off_the_record",),
    "sleep": _SLEEP, "keys": None,
}  # fmt: skip
THEMES = (
    "dark", "light", "textual-dark", "textual-light", "nord", "gruvbox", "catppuccin-mocha", "dracula", "tokyo-night",
    "monokai", "flexoki", "catppuccin-latte", "catppuccin-frappe", "catppuccin-macchiato", "solarized-light",
    "solarized-dark", "rose-pine", "rose-pine-moon", "rose-pine-dawn", "atom-one-dark", "atom-one-light",
)  # fmt: skip
"""Ours and Textual's own, by name: what reads the settings does not import Textual."""


@dataclass(frozen=True, slots=True)
class FileSettings:
    """What the file says; None where it says nothing."""

    model: Path | None = None
    model_reads: bool = False
    """In a sleep the model checks what the reader is unsure of, if it passed the test for that."""
    speaking: ModelOptions = field(default_factory=ModelOptions)
    """How a model speaks where the conversation does not say otherwise."""
    embedder: Path | None = None
    """A folder in model2vec's format; None is the one that ships."""
    theme: str | None = None
    sleep_after: float | None = None
    """Seconds of quiet before a sleep."""
    sleep: Rules = field(default_factory=Rules)
    """When the memory sleeps though nobody asked."""
    off_the_record: bool | None = None
    """The first chat is off the record."""
    keys: dict[str, str] = field(default_factory=dict)
    """Binding id to keys."""
    tables: dict[str, dict[str, Any]] = field(default_factory=dict)
    """The file itself."""


def read(folder: Path | None = None) -> FileSettings:
    """The settings file in `folder`; without one, all defaults. Raises BadInput for what it does not know."""
    path = (folder or config_dir()) / FILE
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return FileSettings()
    except (UnicodeDecodeError, OSError) as error:
        raise BadInput(f"{path} cannot be read: {error}. Mend it, or move it away.") from error
    return parse(text, str(path))


def parse(text: str, where: str) -> FileSettings:
    """What a settings file says; `where` names it. Raises BadInput for what is not known, or cannot be."""
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{where} cannot be read: {error}. Mend it, or move it away.") from error
    for table, values in tables.items():
        _check(where, table, values)
    model = tables.get("model", {}).get("path")
    embedder = tables.get("memory", {}).get("embedder")
    sleep = _rules(where, tables.get("sleep", {}))
    return FileSettings(
        model=expanded(str(model)) if model else None,
        model_reads=tables.get("model", {}).get("reads", False),
        speaking=ModelOptions(**{key: tables.get("model", {}).get(key) for key in _SPEAKING}),
        embedder=expanded(str(embedder)) if embedder else None, theme=tables.get("look", {}).get("theme"),
        sleep_after=tables.get("sleep", {}).get("after_seconds"), sleep=sleep,
        off_the_record=tables.get("chat", {}).get("off_the_record"), keys=tables.get("keys", {}),
        tables=tables,
    )  # fmt: skip


def _rules(where: str, given: dict[str, Any]) -> Rules:
    """The table [sleep]. Raises BadInput for a value that is of another kind than the default."""
    for key, value in given.items():
        usual = getattr(Rules(), key)
        fits = isinstance(value, bool) if isinstance(usual, bool) else type(value) in (int, type(usual)) and value >= 0
        if not fits:
            raise BadInput(f"{where}: [sleep] {key} cannot be {value!r}; it is {usual!r} by default.")
    return Rules(**given)


def _check(where: str, table: str, values: Any) -> None:
    if table not in _KNOWN or not isinstance(values, dict):
        raise BadInput(f"{where}: there is no [{table}]{_near(table, list(_KNOWN))}.")
    known = _KNOWN[table]
    for key, value in values.items():
        if known is not None and key not in known:
            raise BadInput(f"{where}: [{table}] has no {key}{_near(key, list(known))}.")
        if table != "sleep" and (wanted := _misfit(key, value)):
            raise BadInput(f"{where}: [{table}] {key} cannot be {value!r}; {wanted}.")


def _misfit(key: str, value: Any) -> str:
    """What a value should have been; empty where it is that."""
    if key == "theme":
        return "" if value in THEMES else f"it is {', '.join(THEMES[:-1])} or {THEMES[-1]}"
    if key in ("off_the_record", "reads"):
        return "" if isinstance(value, bool) else "it is true or false"
    if key == "temperature":
        fits = type(value) in (int, float) and 0 <= value <= HOTTEST
        return "" if fits else f"it is a number from 0 to {HOTTEST:g}"
    if key in ("context", "reply"):
        least, most = CONTEXT if key == "context" else REPLY
        fits = type(value) is int and least <= value <= most
        return "" if fits else f"it is a whole number of tokens from {least} to {most}"
    return "" if isinstance(value, str) else "it is a text in quotes"


def _near(word: str, known: list[str]) -> str:
    close = difflib.get_close_matches(word, known, 1, 0.5)
    return f"; did you mean {close[0]}" if close else f"; known are {', '.join(known)}"


def chosen_model(found: Sequence[ModelFile]) -> ModelFile | None:
    """The model to use: $ERSTWHILE_MODEL, else the settings' path, else the first usable one that was found."""
    given = os.environ.get("ERSTWHILE_MODEL")
    wanted = expanded(given) if given else read().model
    if wanted is not None:
        known = next((one for one in found if one.path == wanted or one.path.resolve() == wanted.resolve()), None)
        if known is not None:
            return known
        from app.llm.find import examine

        return examine(wanted)
    return next((one for one in found if one.usable), None)


def chosen_embedder() -> StaticEmbedder:
    """The embedder to use: $ERSTWHILE_EMBEDDER, else the settings' folder, else the one that ships. Raises
    EmbedderUnavailable."""
    from store.episodes.embedding import StaticEmbedder

    given = os.environ.get("ERSTWHILE_EMBEDDER")
    return StaticEmbedder.load(expanded(given) if given else read().embedder)
