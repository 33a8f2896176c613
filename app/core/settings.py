"""Settings are a TOML file that people may write; a key that is not known is refused, with the nearest that is.

What it may say is the table of app/core/options.py, and `[keys]` with binding ids. A flag wins over the environment,
the environment over the file, the file over the default. The file is changed one line at a time: what a person wrote in
it stays, and an edit that would not be read back as it was meant is refused, with the file as it was.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.core.options import (
    A_KEY,
    BY_NAME,
    EMBEDDER,
    MODEL,
    OPTIONS,
    SPEAKING,
    Option,
    Tables,
    Value,
    fits,
    held,
    takes,
)
from app.paths import checkout_models_dir, config_dir, data_dir, expanded, replace_file
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


_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ENTRY = re.compile(
    r"""\s*(?P<key>"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)\s*="""
    r"""(?:\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^"'#]+?)(?P<comment>\s*#.*)$)?"""
)


def write(folder: Path, table: str, key: str, value: Value | None) -> Path:
    """Set a key of the settings file in `folder`, or take it out (None). Raises BadInput where the outcome would not be
    a settings file, or could not be written.
    """
    target = folder / FILE
    after = edited(read_text(target), table, key, value, str(target))
    parse(after, str(target))
    return replaced(target, after)


def remember_model(path: Path, folder: Path) -> Path:
    """Write the model's path into the settings file, and leave the rest of the file as it is. Raises BadInput."""
    return write(folder, MODEL.table, MODEL.key, str(path))


def replaced(path: Path, text: str) -> Path:
    """Put the whole text in place of the file at once, readable by its owner alone. Raises BadInput."""
    try:
        replace_file(path, text)
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error}.") from error
    return path


def edited(text: str, table: str, key: str, value: Value | None, where: str = FILE) -> str:
    """The text with that one entry changed. Raises BadInput where it is written in a way that this cannot edit."""
    wanted = load(text, where)
    inside = wanted.setdefault(table, {})
    if isinstance(inside, dict):
        inside.pop(key, None)
        inside |= {} if value is None else {key: value}
    name = key if _BARE.fullmatch(key) else _toml(key)
    after = _with_entry(text, table, key, "" if value is None else f"{name} = {_toml(value)}")
    try:
        is_meant = _filled(load(after, where)) == _filled(wanted)
    except BadInput:
        is_meant = False
    if not is_meant:
        raise BadInput(f"{where}: [{table}] {key} is written in a way that only a text editor can change; do it there.")
    return after


def _filled(tables: dict[str, Any]) -> dict[str, Any]:
    """Without the tables that say nothing."""
    return {name: inside for name, inside in tables.items() if inside != {}}


def _with_entry(text: str, table: str, key: str, entry: str) -> str:
    """The text with this line for the key: in the place of the old one, else below the last of its table, else in a new
    table at the end. An empty entry takes the old one out."""
    lines = text.removesuffix("\n").split("\n") if text else []
    head = next((n for n, line in enumerate(lines) if line.split("#")[0].strip() == f"[{table}]"), len(lines))
    end = next((n for n in range(head + 1, len(lines)) if lines[n].lstrip().startswith("[")), len(lines))
    entries = {n: found for n in range(head + 1, end) if (found := _ENTRY.match(lines[n]))}
    place = next((n for n, found in entries.items() if found["key"].strip("\"'") == key), None)
    if place is not None:
        lines[place : place + 1] = [entry + (entries[place]["comment"] or "")] if entry else []
    elif entry and head < len(lines):
        lines.insert(max(entries, default=head) + 1, entry)
    elif entry:
        lines += [*([""] if lines and lines[-1].strip() else []), f"[{table}]", entry]
    return "\n".join(lines) + "\n" if lines else ""


def _toml(value: Value) -> str:
    """A value as TOML has it, which is as JSON does, but for one control character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
