"""The settings file is changed one line at a time: what a person wrote in it stays, and an edit that would not be read
back as it was meant is refused, with the file as it was.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from app.core.options import MODEL, Value
from app.core.settings import FILE, load, parse, read_text
from app.paths import replace_file
from store.errors import BadInput

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
    return replace(target, after)


def remember_model(path: Path, folder: Path) -> Path:
    """Write the model's path into the settings file, and leave the rest of the file as it is. Raises BadInput."""
    return write(folder, MODEL.table, MODEL.key, str(path))


def replace(path: Path, text: str) -> Path:
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
