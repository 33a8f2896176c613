"""Settings are a TOML file that people may write; a key that is not known is refused, with the nearest that is.

What it may say is the table of app/core/options.py, and `[keys]` with binding ids. A flag wins over the environment,
the environment over the file, the file over the default.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.core.options import A_KEY, BY_NAME, EMBEDDER, MODEL, OPTIONS, SPEAKING, Option, Tables, fits, held, takes
from app.paths import checkout_models_dir, config_dir, data_dir, expanded
from store.errors import BadInput
from store.records import ModelOptions
from store.sleep.schedule import Rules

if TYPE_CHECKING:
    from app.llm.find import ModelFile
    from store.episodes.embedding import StaticEmbedder

FILE = "settings.toml"
_KNOWN = {one.table: [other.key for other in OPTIONS if other.table == one.table] for one in (*OPTIONS, A_KEY)}


@dataclass(frozen=True, slots=True)
class Settings:
    """How the interface behaves; what the settings file may say about it."""

    sleep: Rules = field(default_factory=Rules)  # when the memory sleeps though nobody asked
    theme: str = held({}, "look", "theme")
    idle_seconds: float = held({}, "sleep", "after_seconds")
    """Without a keystroke for so long, the memory sleeps; 0 never."""
    model_invents: bool | None = None
    """The model is too small to be asked about the person: what the beliefs don't hold is "never told". None: its
    size tells.
    """
    max_tokens: int = 512  # of a reply, where nobody says otherwise
    speaking: ModelOptions = field(default_factory=ModelOptions)
    """How a model speaks where the conversation does not say otherwise."""
    keymap: Mapping[str, str] = field(default_factory=dict)  # binding id to keys, as Textual's set_keymap takes it
    off_the_record: bool = held({}, "chat", "off_the_record")  # the first chat is off the record
    model_reads: bool = held({}, "model", "reads")
    """In a sleep the model checks what the reader is unsure of, if it passed the test for that."""
    tables: Tables = field(default_factory=dict)  # the settings file itself

    @property
    def rules(self) -> Rules:
        """When the memory sleeps though nobody asked, with the seconds of quiet that hold here; the timer that waits
        for them may be early by a few milliseconds."""
        return replace(self.sleep, after_seconds=self.idle_seconds * 0.95)

    @classmethod
    def of(cls, tables: Tables) -> Settings:
        """What a settings file that was checked says, and the defaults where it says nothing."""
        model = tables.get("model", {})
        return cls(
            theme=held(tables, "look", "theme"),
            idle_seconds=held(tables, "sleep", "after_seconds"),
            sleep=Rules(**tables.get("sleep", {})),
            model_reads=held(tables, "model", "reads"),
            speaking=ModelOptions(**{one.key: model.get(one.key) for one in SPEAKING}),
            keymap=tables.get("keys", {}),
            off_the_record=held(tables, "chat", "off_the_record"),
            tables=tables,
        )


def read(folder: Path | None = None) -> Settings:
    """The settings file in `folder`; without one, all defaults. Raises BadInput for what it does not know."""
    path = (folder or config_dir()) / FILE
    return parse(read_text(path), str(path))


def read_text(path: Path) -> str:
    """What stands in the file; empty where there is none. Raises BadInput."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (UnicodeDecodeError, OSError) as error:
        raise BadInput(f"{path} cannot be read: {error}. Mend it, or move it away.") from error


def parse(text: str, where: str) -> Settings:
    """What a settings file says; `where` names it. Raises BadInput for what is not known, or cannot be."""
    tables = load(text, where)
    for table, values in tables.items():
        _check(where, table, values)
    return Settings.of(tables)


def load(text: str, where: str) -> dict[str, Any]:
    """A TOML file, unchecked. Raises BadInput where it is none."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{where} cannot be read: {error}. Mend it, or move it away.") from error


def _check(where: str, table: str, values: Any) -> None:
    if table not in _KNOWN or not isinstance(values, dict):
        raise BadInput(f"{where}: there is no [{table}]{_near(table, list(_KNOWN))}.")
    for key, value in values.items():
        option = A_KEY if table == A_KEY.table else BY_NAME.get((table, key))
        if option is None:
            raise BadInput(f"{where}: [{table}] has no {key}{_near(key, _KNOWN[table])}.")
        if not fits(option, value):
            raise BadInput(f"{where}: [{table}] {key} cannot be {value!r}; it is {takes(option)}.")


def _near(word: str, known: list[str]) -> str:
    close = difflib.get_close_matches(word, known, 1, 0.5)
    return f"; did you mean {close[0]}" if close else f"; known are {', '.join(known)}"


def chosen_path(option: Option, folder: Path | None = None) -> Path | None:
    """The path that the environment names, else the settings file in `folder`; None where neither does."""
    given = os.environ.get(option.variable) or read(folder).tables.get(option.table, {}).get(option.key)
    return expanded(given) if given else None


def found_models() -> list[ModelFile]:
    """Every model of this machine. Looks at many folders."""
    from app.llm.find import default_places, find

    return list(find(default_places(data_dir(), checkout=checkout_models_dir())))


def chosen_model(found: Sequence[ModelFile] | None = None) -> ModelFile | None:
    """The model to use: $ERSTWHILE_MODEL, else the settings' path, else the first usable one of those that were found,
    which are looked for where they are not given."""
    found = found_models() if found is None else found
    wanted = chosen_path(MODEL)
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

    return StaticEmbedder.load(chosen_path(EMBEDDER))
