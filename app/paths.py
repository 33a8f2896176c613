"""Every place on the disk is named here, and nothing is made before it is needed.

Precedence: a flag, then the environment, then the platform's default (the XDG folders).
"""

from __future__ import annotations

import os
from pathlib import Path


def data_dir() -> Path:
    """Where the memory and the models are: $ERSTWHILE_HOME, else $XDG_DATA_HOME/erstwhile."""
    given = os.environ.get("ERSTWHILE_HOME")
    if given:
        return Path(given).expanduser()
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "erstwhile"


def config_dir() -> Path:
    """Where settings are read from: $ERSTWHILE_HOME/config, else $XDG_CONFIG_HOME/erstwhile."""
    if os.environ.get("ERSTWHILE_HOME"):
        return data_dir() / "config"
    base = os.environ.get("XDG_CONFIG_HOME")
    return (Path(base) if base else Path.home() / ".config") / "erstwhile"


def memory_file() -> Path:
    """The memory: $ERSTWHILE_DB, else memory.db in the data folder."""
    given = os.environ.get("ERSTWHILE_DB")
    return Path(given).expanduser() if given else data_dir() / "memory.db"


def models_dir() -> Path:
    """Where GGUF files are put."""
    return data_dir() / "models"


def machine_state() -> Path:
    """What was learned about this machine's way with llama.cpp."""
    return data_dir() / "machine.json"


def fitness_file() -> Path:
    """What the models were found fit for."""
    return data_dir() / "fitness.json"


def speeds_file() -> Path:
    """How fast the models were."""
    return data_dir() / "speeds.json"


def log_file() -> Path:
    """What went wrong in the background, with its traceback; see app/faults.py."""
    return data_dir() / "erstwhile.log"


def wheels_dir() -> Path:
    """Where the wheel of llama.cpp is kept once it was built: $XDG_CACHE_HOME/erstwhile/wheels."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "erstwhile" / "wheels"


def checkout_models_dir() -> Path:
    """The `models/` beside the code, where a checkout may hold GGUF files."""
    return Path(__file__).resolve().parent.parent / "models"


def private_dir(path: Path) -> Path:
    """Make a folder that only its owner can read, and give it back."""
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    return path


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
