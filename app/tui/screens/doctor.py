"""The doctor looks at everything and changes nothing: what is not well is marked, and says what to do.

Settings are listed with where each value comes from: the file, the environment, or the default.
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import tzinfo
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from pathlib import Path
from textwrap import TextWrapper
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from app import paths
from app.core import settings
from app.core.deeds import DeedResult
from app.core.synced import synced
from app.tui.jobs import Job, start
from app.tui.screens.base import FramedScreen
from app.tui.services import Services
from store.errors import ErstwhileError
from store.maintenance import copies
from store.memory import Memory
from widgets.bars import TopLine
from widgets.choices import Choices, Row, heading
from widgets.look import NEVER, NOW, QUIET, lines, stacked
from widgets.messages import TextCopied
from widgets.plain import one_line
from widgets.wording import count, megabytes, moment

LIBRARIES = ("erstwhile", "textual", "apsw", "sqlite-vec", "llama-cpp-python", "model2vec")


class DoctorScreen(FramedScreen):
    """File, backups, checks, model, settings, places, versions."""

    PLACE = "doctor"
    JOB = Job.EXAMINE
    DEFAULT_CSS = "DoctorScreen Choices { height: 1fr; padding: 1 1 0 1; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "check", "check the file", id="doctor.check"),
        Binding("b", "backup", "back up", id="doctor.backup"),
        Binding("m", "app.models", "models", id="doctor.models"),
        Binding("s", "app.settings", "settings", id="doctor.settings"),
        Binding("Y", "copy_all", "copy all", id="doctor.copy"),
        Binding("escape", "dismiss", "back", id="doctor.back"),
    ]
    HELP = """
    ### Doctor
    Where everything is, and whether it is well: ● is, ✗ is not. `c` checks the whole file, which may take a while;
    `b` makes a backup beside it. `m` goes to the models, `s` to the settings. `Y` copies all of this, for a report of a
    fault: no word of yours is in it.
    """

    def body(self) -> ComposeResult:
        yield Choices(id="health", opens=False)

    def refetch(self) -> None:
        self._look(checked=False)

    def action_check(self) -> None:
        self._look(checked=True)

    def _look(self, *, checked: bool) -> None:
        self.query_one(TopLine).place = self.place
        self.reading("checking the file…" if checked else "looking…")
        start(self, Job.EXAMINE, lambda: report(self.services, checked=checked), partial(self._examined, checked))

    def _examined(self, checked: bool, found: list[Health]) -> None:
        ill = sum(one.well is False for one in found)
        top = self.query_one(TopLine)
        well = "all is well" if self.services.voice is not None else "the memory is well; no model chats"
        top.place, top.reading = f"doctor · {count(ill, 'thing')} to look at" if ill else f"doctor · {well}", ""
        if checked:
            broken = any(one.well is False for one in found if one.group == "checks")
            sound = "The file was checked: it is sound."
            self.flash("Something is not as it should be: see the checks." if broken else sound, bad=broken)
        self.fetched(found)

    def draw(self) -> None:
        choices, found = self.query_one(Choices), self.known or []
        width = max(30, choices.size.width - 4)
        rows: list[Row] = []
        columns = min(max((len(one.name) for one in found), default=0), 30, max(16, width // 2))
        for group, inside in groupby(found, key=lambda one: one.group):
            rows.append(heading(group.upper(), gap=bool(rows)))
            rows += [Row(_line(one, columns, width), one.value) for one in inside]
        choices.show_rows(rows, choices.highlighted)

    def action_backup(self) -> None:
        self.by_hand(lambda memory: DeedResult(f"Backed up: {memory.backups.make()}"))

    def action_copy_all(self) -> None:
        words = "\n".join(f"{one.group} {one.name}: {one.value}" for one in self.known or [])
        self.post_message(TextCopied(words))


class _AtSlashes(TextWrapper):
    """Goes on in the next line after a word, or within a path after a slash."""

    wordsep_simple_re = re.compile(r"(\s+|(?<=/))")


def _line(one: Health, columns: int, width: int) -> Content:
    marks = {True: ("● ", NOW), False: ("✗ ", NEVER), None: ("  ", QUIET)}
    name = f"{one_line(one.name, columns):<{columns + 2}}"
    first, *rest = _AtSlashes(max(16, width - columns - 4), break_on_hyphens=False).wrap(one_line(one.value)) or [""]
    more = [lines(" " * (columns + 4), row) for row in rest]
    return stacked([lines(marks[one.well], (name, QUIET), first), *more])


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
    return [*found, *_model(services), *_settings(), *_places_and_versions()]


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
    size = megabytes(sum(one.path.stat().st_size for one in made))
    by_itself = sum(one.automatic for one in made)
    kinds = f"{len(made) - by_itself:,} that stay, {by_itself:,} automatic"
    yield Health("memory", "backups", f"{kinds}, {size}; the first of {made[0].at.astimezone(zone):%Y-%m-%d}")
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
        yield Health("model", "in use", f"none{why}; m picks one")
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


def _places_and_versions() -> Iterator[Health]:
    yield Health("places", "data", str(paths.data_dir()))
    yield Health("places", "models", str(paths.models_dir()))
    yield Health("places", "settings", str(paths.config_dir()))
    yield Health("places", "log of faults", str(paths.log_file()))
    yield Health("versions", "python", platform.python_version())
    for name in LIBRARIES:
        try:
            yield Health("versions", name, version(name))
        except PackageNotFoundError:
            yield Health("versions", name, "not installed as a package")
    terminal = f"{os.environ.get('TERM', '?')}, {os.environ.get('COLORTERM', 'no true colour said')}"
    yield Health("versions", "terminal", terminal)
