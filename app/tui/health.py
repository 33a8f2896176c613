"""What there is to know about the installation is one list: each thing with its value, and a mark where it is not well.

Settings are listed with where each value comes from: the file, the environment, or the default.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import tzinfo
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from app import paths
from app.core import settings
from app.core.synced import synced
from store.errors import ErstwhileError
from store.maintenance import copies
from widgets.wording import count, megabytes, moment

if TYPE_CHECKING:
    from app.tui.services import Services
    from store.memory import Memory

LIBRARIES = ("erstwhile", "textual", "apsw", "sqlite-vec", "llama-cpp-python", "model2vec")


@dataclass(frozen=True, slots=True)
class Health:
    """One thing that was looked at."""

    group: str
    name: str
    value: str
    well: bool | None = None
    """None: there is nothing about it that could be wrong."""


def report(services: Services, *, checked: bool) -> list[Health]:
    """Everything, in its groups. `checked`: with the integrity checks, which read the whole file."""
    memory = services.memory
    found = list(_file(memory, services.zone)) if memory is not None else [Health("memory", "file", "not open", False)]
    if memory is not None and checked:
        found += _checks(memory)
    return [*found, *_model(services), *_settings(), *_places(), *_versions()]


def _file(memory: Memory, zone: tzinfo) -> Iterator[Health]:
    yield Health("memory", "file", str(memory.path))
    if profile := paths.profile_of(memory.path):
        yield Health("memory", "profile", profile)
    if (found := synced(memory.path)) is not None:
        yield Health("memory", "folder", found.sentence(), False)
    yield Health("memory", "size", megabytes(paths.size(memory.path)))
    yield Health("memory", "encrypted", _encrypted(memory.path))
    sessions = memory.sessions.all()
    turns = sum(session.turns for session in sessions)
    yield Health("memory", "holds", f"{count(turns, 'turn')} in {count(len(sessions), 'conversation')}")
    yield Health("memory", "waiting", f"{count(memory.reading.pending(), 'turn')} to sleep on")
    yield from _backups(memory, zone)


def _encrypted(path: Path) -> str:
    from store.database.opening import ciphers, is_encrypted

    installed = ciphers()
    if installed is None:
        return "no; what encrypts is not installed (apsw-sqlite3mc)"
    return f"{'yes' if is_encrypted(path) else 'no: `erstwhile encrypt` does it'} ({installed})"


def _backups(memory: Memory, zone: tzinfo) -> Iterator[Health]:
    made = copies.backups(memory.path)
    if not made:
        yield Health("memory", "last backup", "none yet; b makes one", False)
        return
    last = made[-1]
    yield Health("memory", "last backup", f"{last.at.astimezone(zone):%Y-%m-%d %H:%M}, {last.path.name}", True)
    size = sum(one.path.stat().st_size for one in made)
    by_itself = sum(one.automatic for one in made)
    kinds = f"{len(made) - by_itself:,} that stay, {by_itself:,} automatic"
    yield Health(
        "memory", "backups", f"{kinds}, {megabytes(size)}; the first of {made[0].at.astimezone(zone):%Y-%m-%d}"
    )
    if (restored := memory.backups.resting_since()) is not None:
        words = f"since the restore of {moment(restored.us, zone):%Y-%m-%d %H:%M}, until a day after your next turn"
        yield Health("memory", "automatic backups rest", words)


def _checks(memory: Memory) -> Iterator[Health]:
    try:
        for one in memory.file.check():
            yield Health("checks", one.name, one.detail or ("fine" if one.ok else "not as it should be"), one.ok)
    except ErstwhileError as error:
        yield Health("checks", "could not be made", str(error), False)


def _model(services: Services) -> Iterator[Health]:
    voice = services.voice
    if voice is None:
        why = "; what runs one (llama.cpp) is not installed" if services.engine_is_missing() else ""
        yield Health("model", "in use", f"none{why}; m picks one", None)
        return
    yield Health("model", "in use", voice.model.name, True)
    path = getattr(voice.model, "path", None)
    if isinstance(path, Path):
        yield Health("model", "file", str(path))
    yield Health("model", "answers about you", "no: it is too small, and would invent" if voice.invents else "yes")
    own = "yes" if voice.relied_on else "only where you let it: it is too small to be relied on"
    yield Health("model", "answers other questions", own)
    comments = voice.comments and not voice.invents
    yield Health("model", "comments on what you tell", "yes" if comments else "no: it has not passed for that")


def _settings() -> Iterator[Health]:
    file = paths.config_dir() / settings.FILE
    try:
        given = settings.read()
    except ErstwhileError as error:
        yield Health("settings", settings.FILE, str(error), False)
        return
    yield Health("settings", "file", str(file) if file.exists() else f"{file} (not there; all is as it comes)")
    for one in settings.chosen(given.tables):
        yield Health("settings", one.option.name, f"{one.words} ({one.origin})")
    for name, keys in given.keymap.items():
        yield Health("settings", name, f"{keys} (the file)")


def _places() -> Iterator[Health]:
    yield Health("places", "data", str(paths.data_dir()))
    yield Health("places", "models", str(paths.models_dir()))
    yield Health("places", "settings", str(paths.config_dir()))
    yield Health("places", "log of faults", str(paths.log_file()))


def _versions() -> Iterator[Health]:
    yield Health("versions", "python", platform.python_version())
    for name in LIBRARIES:
        try:
            yield Health("versions", name, version(name))
        except PackageNotFoundError:
            yield Health("versions", name, "not installed as a package")
    terminal = f"{os.environ.get('TERM', '?')}, {os.environ.get('COLORTERM', 'no true colour said')}"
    yield Health("versions", "terminal", terminal)
