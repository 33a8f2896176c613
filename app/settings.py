"""Settings are a TOML file that people may write; a key that is not known is refused, with the nearest that is.

`[model] path`, `[memory] embedder`, `[look] theme`, `[sleep] after_seconds`, `every_sessions`, `at_exit` and
`least_charge`, and `[keys]` with binding ids. A flag wins over the environment, the environment over the file, the file
over the default.
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
from store.sleep.schedule import Rules

if TYPE_CHECKING:
    from app.llm.find import Found
    from store.embedding import StaticEmbedder

FILE = "settings.toml"
_SLEEP = ("after_seconds", "every_sessions", "at_exit", "least_charge")
_KNOWN = {"model": ("path",), "memory": ("embedder",), "look": ("theme",), "sleep": _SLEEP, "keys": None}


@dataclass(frozen=True, slots=True)
class FileSettings:
    """What the file says; None where it says nothing."""

    model: Path | None = None
    embedder: Path | None = None
    """A folder in model2vec's format; None is the one that ships."""
    theme: str | None = None
    sleep_after: float | None = None
    """Seconds of quiet before a sleep."""
    sleep: Rules = field(default_factory=Rules)
    """When the memory sleeps though nobody asked."""
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
    embedder = tables.get("memory", {}).get("embedder")
    return FileSettings(
        model=Path(str(model)).expanduser() if model else None,
        embedder=Path(str(embedder)).expanduser() if embedder else None, theme=tables.get("look", {}).get("theme"),
        sleep_after=tables.get("sleep", {}).get("after_seconds"), sleep=_rules(path, tables.get("sleep", {})),
        keys=tables.get("keys", {}),
    )  # fmt: skip


def _rules(path: Path, given: dict[str, Any]) -> Rules:
    """The table [sleep]. Raises BadInput for a value that is of another kind than the default."""
    for key, value in given.items():
        usual = getattr(Rules(), key)
        fits = isinstance(value, bool) if isinstance(usual, bool) else type(value) in (int, type(usual)) and value >= 0
        if not fits:
            raise BadInput(f"{path}: [sleep] {key} cannot be {value!r}; it is {usual!r} by default.")
    return Rules(**given)


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


def chosen_embedder() -> StaticEmbedder:
    """The embedder to use: $ERSTWHILE_EMBEDDER, else the settings' folder, else the one that ships. Raises
    EmbedderUnavailable."""
    from store.embedding import StaticEmbedder

    given = os.environ.get("ERSTWHILE_EMBEDDER")
    return StaticEmbedder.load(Path(given).expanduser() if given else read().embedder)


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
