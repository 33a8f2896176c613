"""Settings are a TOML file that people may write; a key that is not known is refused, with the nearest that is.

`[model] path`, `[look] theme`, `[sleep] after_seconds`, and `[keys]` with binding ids. A flag wins over the
environment, the environment over the file, the file over the default.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.paths import config_dir, private_dir
from store.errors import BadInput

if TYPE_CHECKING:
    from app.llm.find import Found

FILE = "settings.toml"
_KNOWN = {"model": ("path",), "look": ("theme",), "sleep": ("after_seconds",), "keys": None}


@dataclass(frozen=True, slots=True)
class FileSettings:
    """What the file says; None where it says nothing."""

    model: Path | None = None
    theme: str | None = None
    sleep_after: float | None = None
    """Seconds of quiet before a sleep."""
    keys: dict[str, str] = field(default_factory=dict)
    """Binding id to keys."""


def read(folder: Path | None = None) -> FileSettings:
    """The settings file in `folder`; without one, all defaults. Raises BadInput for what it does not know."""
    path = (folder or config_dir()) / FILE
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return FileSettings()
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise BadInput(f"{path} cannot be read: {error}. Mend it, or move it away.") from error
    for table, values in tables.items():
        _check(path, table, values)
    model = tables.get("model", {}).get("path")
    return FileSettings(
        model=Path(str(model)).expanduser() if model else None, theme=tables.get("look", {}).get("theme"),
        sleep_after=tables.get("sleep", {}).get("after_seconds"), keys=tables.get("keys", {}),
    )  # fmt: skip


def _check(path: Path, table: str, values: Any) -> None:
    if table not in _KNOWN or not isinstance(values, dict):
        raise BadInput(f"{path}: there is no [{table}]{_near(table, list(_KNOWN))}.")
    known = _KNOWN[table]
    for key in values:
        if known is not None and key not in known:
            raise BadInput(f"{path}: [{table}] has no {key}{_near(key, list(known))}.")


def _near(word: str, known: list[str]) -> str:
    close = difflib.get_close_matches(word, known, 1, 0.5)
    return f"; did you mean {close[0]}" if close else f"; known are {', '.join(known)}"


def chosen_model(found: Sequence[Found]) -> Found | None:
    """The model to use: $ERSTWHILE_MODEL, else the settings' path, else the first usable one that was found."""
    given = os.environ.get("ERSTWHILE_MODEL")
    wanted = Path(given).expanduser() if given else read().model
    if wanted is not None:
        known = next((one for one in found if one.path == wanted or one.path.resolve() == wanted.resolve()), None)
        if known is not None:
            return known
        from app.llm.find import examine

        return examine(wanted)
    return next((one for one in found if one.usable), None)


def remember_model(path: Path, folder: Path) -> Path:
    """Write the model's path into the settings file, and leave the rest of the file as it is."""
    target = private_dir(folder) / FILE
    lines = target.read_text(encoding="utf-8").splitlines() if target.exists() else []
    entry = f"path = {_quoted(str(path))}"
    at = next((n for n, line in enumerate(lines) if line.strip() == "[model]"), None)
    if at is None:
        lines += ["[model]", entry]
    else:
        end = next((n for n in range(at + 1, len(lines)) if lines[n].lstrip().startswith("[")), len(lines))
        kept = [line for line in lines[at + 1 : end] if line.split("=")[0].strip() != "path"]
        lines[at + 1 : end] = [entry, *kept]
    fresh = target.with_suffix(".new")
    fresh.write_text("\n".join(lines) + "\n", encoding="utf-8")
    fresh.chmod(0o600)
    fresh.replace(target)
    return target


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
