"""The settings file is changed one line at a time: what a person wrote in it stays, and an edit that would not be read
back as it was meant is refused, with the file as it was.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from app.core.settings import FILE, parse
from app.paths import replace_file
from store.errors import BadInput

Value = bool | int | float | str
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ENTRY = re.compile(r"""\s*(?P<key>"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)\s*=""")
_COMMENT = re.compile(r"""\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^"'#]+?)(?P<comment>\s*#.*)$""")


def write(folder: Path, table: str, key: str, value: Value | None) -> Path:
    """Set a key of the settings file in `folder`, or take it out (None). Raises BadInput where the outcome would not be
    a settings file, or could not be written.
    """
    target = folder / FILE
    before = read_text(target)
    after = edited(before, table, key, value, str(target))
    parse(after, str(target))
    return replace(target, after)


def remember_model(path: Path, folder: Path) -> Path:
    """Write the model's path into the settings file, and leave the rest of the file as it is. Raises BadInput."""
    return write(folder, "model", "path", str(path))


def read_text(path: Path) -> str:
    """What stands in the file; empty where there is none. Raises BadInput."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read: {error}. Mend it, or move it away.") from error


def replace(path: Path, text: str) -> Path:
    """Put the whole text in place of the file at once, readable by its owner alone. Raises BadInput."""
    try:
        replace_file(path, text)
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error}.") from error
    return path


def edited(text: str, table: str, key: str, value: Value | None, where: str = FILE) -> str:
    """The text with that one entry changed. Raises BadInput where it is written in a way that this cannot edit."""
    wanted = _tables(text, where)
    lines = text.removesuffix("\n").split("\n") if text else []
    start, end = _section(lines, table)
    place = next((n for n in range(start, end) if _key_of(lines[n]) == key), None)
    if value is None:
        if place is not None:
            del lines[place]
    elif place is not None:
        lines[place] = _entry(key, value) + _comment_of(lines[place])
    elif start < 0:
        lines += [*([""] if lines and lines[-1].strip() else []), f"[{table}]", _entry(key, value)]
    else:
        lines.insert(_last_entry(lines, start, end), _entry(key, value))
    after = "\n".join(lines) + "\n" if lines else ""
    _put(wanted, table, key, value)
    if not _says(after, wanted):
        raise BadInput(f"{where}: [{table}] {key} is written in a way that only a text editor can change; do it there.")
    return after


def _put(tables: dict[str, Any], table: str, key: str, value: Value | None) -> None:
    """The same change, on what was read."""
    inside = tables.setdefault(table, {})
    if not isinstance(inside, dict):
        return
    if value is None:
        inside.pop(key, None)
    else:
        inside[key] = value


def _says(text: str, wanted: dict[str, Any]) -> bool:
    """The text is read as this, and as nothing else; a table without entries says nothing."""
    try:
        return _filled(tomllib.loads(text)) == _filled(wanted)
    except (ValueError, RecursionError):
        return False


def _filled(tables: dict[str, Any]) -> dict[str, Any]:
    return {name: inside for name, inside in tables.items() if inside != {}}


def _tables(text: str, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{where} cannot be read: {error}. Mend it, or move it away.") from error


def _section(lines: list[str], table: str) -> tuple[int, int]:
    """First line below the table's head, and the line after its last; (-1, -1) where it is not there."""
    start = next((n + 1 for n, line in enumerate(lines) if line.split("#")[0].strip() == f"[{table}]"), -1)
    if start < 0:
        return -1, -1
    return start, next((n for n in range(start, len(lines)) if lines[n].lstrip().startswith("[")), len(lines))


def _last_entry(lines: list[str], start: int, end: int) -> int:
    """Where a new entry goes: below the last one that is there."""
    return next((n + 1 for n in range(end - 1, start - 1, -1) if _key_of(lines[n])), start)


def _key_of(line: str) -> str | None:
    found = _ENTRY.match(line)
    return found["key"].strip("\"'") if found else None


def _comment_of(line: str) -> str:
    """What stands behind the value, with the blanks before it."""
    found = _COMMENT.match(line[line.index("=") + 1 :])
    return found["comment"] if found else ""


def _entry(key: str, value: Value) -> str:
    name = key if _BARE.fullmatch(key) else _quoted(key)
    if isinstance(value, bool):
        return f"{name} = {str(value).lower()}"
    return f"{name} = {_quoted(value) if isinstance(value, str) else value}"


def _quoted(text: str) -> str:
    """A basic string: TOML takes no control character in one as it is."""
    escaped = "".join(f"\\u{ord(one):04X}" if ord(one) < 32 or ord(one) == 127 else one for one in _slashed(text))
    return f'"{escaped}"'


def _slashed(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
