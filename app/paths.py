"""Every place on the disk is named here, and nothing is made before it is needed.

Precedence: a flag, then the environment, then the platform's default (the XDG folders).
"""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from store.errors import BadInput, UsageError

MEMORY = "memory.db"
DEFAULT = "default"  # the profile of who names none
LONGEST_PROFILE = 40  # characters
Note = TypeVar("Note", dict[str, Any], list[Any])
_PROFILE = re.compile(rf"[^\W_][\w-]{{0,{LONGEST_PROFILE - 1}}}")


def expanded(given: str | Path) -> Path:
    """A path that may begin with `~`, for the home folder; with one of nobody known here, it stays as it is."""
    try:
        return Path(given).expanduser()
    except RuntimeError:
        return Path(given)


def _xdg(variable: str, *default: str) -> Path:
    """A folder of ours under one of the XDG folders."""
    base = os.environ.get(variable)
    return (Path(base) if base else Path.home().joinpath(*default)) / "erstwhile"


def data_dir() -> Path:
    """Where the memory and the models are: $ERSTWHILE_HOME, else $XDG_DATA_HOME/erstwhile."""
    given = os.environ.get("ERSTWHILE_HOME")
    return expanded(given) if given else _xdg("XDG_DATA_HOME", ".local", "share")


def config_dir() -> Path:
    """Where settings are read from: $ERSTWHILE_HOME/config, else $XDG_CONFIG_HOME/erstwhile."""
    return data_dir() / "config" if os.environ.get("ERSTWHILE_HOME") else _xdg("XDG_CONFIG_HOME", ".config")


def memory_file() -> Path:
    """The memory: $ERSTWHILE_DB, else that of the profile $ERSTWHILE_PROFILE, else memory.db in the data folder. Raises
    UsageError where both are set."""
    given, profile = os.environ.get("ERSTWHILE_DB"), os.environ.get("ERSTWHILE_PROFILE")
    if given and profile:
        raise UsageError("ERSTWHILE_DB and ERSTWHILE_PROFILE both name a memory; unset one of them.")
    return expanded(given) if given else profile_file(profile or DEFAULT)


def profile_file(name: str) -> Path:
    """The memory of a profile, in a folder of its own: what lies beside a memory, such as backups, is of that memory
    alone. Raises BadInput for a name that cannot be one."""
    if name == DEFAULT:
        return data_dir() / MEMORY
    if not _names_profile(name):
        raise BadInput(
            f"{name!r} cannot be the name of a profile; use lower-case letters, digits, - and _, at most "
            f"{LONGEST_PROFILE} of them, such as work."
        )
    return _profiles_dir() / name / MEMORY


def chosen_memory(db: Path | None, profile: str | None) -> Path:
    """The memory that the flags name, else that of the environment. Raises UsageError, BadInput."""
    if db is not None and profile is not None:
        raise UsageError("--db and --profile both name a memory; give one of them.")
    return profile_file(profile) if profile is not None else db or memory_file()


def profile_of(memory: Path) -> str:
    """The name of the profile whose memory this is, be it there or not; empty where it is that of none."""
    folder = memory.absolute().parent
    if memory.name != MEMORY:
        return ""
    if folder == data_dir().absolute():
        return DEFAULT
    return folder.name if folder.parent == _profiles_dir().absolute() else ""


def profiles() -> dict[str, Path]:
    """The memory of every profile that there is, by its name; the default first."""
    found = [file for file in sorted(_profiles_dir().glob(f"*/{MEMORY}")) if _names_profile(file.parent.name)]
    return {profile_of(memory): memory for memory in (profile_file(DEFAULT), *found) if memory.is_file()}


def _names_profile(name: str) -> bool:
    """Whether this may name a profile: one spelling for each name, on every file system."""
    return _PROFILE.fullmatch(name) is not None and name == unicodedata.normalize("NFKC", name.lower())


def size(memory: Path) -> int:
    """Bytes of a memory, with what is still in its WAL."""
    parts = (memory, memory.with_name(f"{memory.name}-wal"))
    return sum(part.stat().st_size for part in parts if part.is_file())


def _in_data(name: str) -> Callable[[], Path]:
    """What gives the place of a file or folder of this name, of all profiles."""
    return lambda: data_dir() / name


_profiles_dir = _in_data("profiles")
models_dir = _in_data("models")  # where GGUF files are put
machine_state = _in_data("machine.json")  # what was learned about this machine's way with llama.cpp
fitness_file = _in_data("fitness.json")  # what the models were found fit for
speeds_file = _in_data("speeds.json")  # how fast the models were
told_file = _in_data("told.json")  # of which synced folders the person was told
log_file = _in_data("erstwhile.log")  # what went wrong in the background, with its traceback; see app/faults.py


def wheels_dir() -> Path:
    """Where the wheel of llama.cpp is kept once it was built: $XDG_CACHE_HOME/erstwhile/wheels."""
    return _xdg("XDG_CACHE_HOME", ".cache") / "wheels"


def checkout_models_dir() -> Path:
    """The `models/` beside the code, where a checkout may hold GGUF files."""
    return Path(__file__).resolve().parent.parent / "models"


def private_dir(path: Path) -> Path:
    """Make a folder that only its owner can read, and give it back."""
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    return path


def read_note(path: Path, empty: Note) -> Note:
    """What a small JSON file of ours holds; `empty` where it is not there, cannot be read or holds something else: a
    note that is lost is made anew."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return empty
    return found if isinstance(found, type(empty)) else empty


def replace_file(path: Path, text: str) -> None:
    """Put the whole text in place of a file at once, readable by its owner alone. Raises OSError."""
    private_dir(path.parent)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
