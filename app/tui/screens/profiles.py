"""One memory is open at a time: to go to another profile is to leave this one, and all that it had open is closed.

The list comes from the names and sizes of files; no memory is opened for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from textual.content import Content
from textual.widgets import Input

from app import paths
from app.tui.messages import ProfileChosen
from app.tui.screens.search import Finder
from store.errors import BadInput
from widgets.choices import Choices, Row
from widgets.look import NOW, QUIET, lines
from widgets.plain import plain
from widgets.wording import megabytes


@dataclass(frozen=True, slots=True)
class Profile:
    """A memory that one may go to."""

    name: str
    memory: Path


class ProfilesDialog(Finder):
    """The profiles that there are, and the one that a new name would make."""

    PLACEHOLDER = "a profile, such as work"
    HINT = "enter goes there, a new name makes a memory of its own, esc stays here"
    HELP = """
    ### Profiles
    Each profile is a memory with a file and backups of its own; settings and models are the same for all. What you
    typed here and did not send waits here for you.
    """

    def on_mount(self) -> None:
        super().on_mount()
        self._show("")

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._show(plain(event.value).strip())

    def _show(self, words: str) -> None:
        there = paths.profiles()
        rows = [
            Row(self._line(name, memory), Profile(name, memory))
            for name, memory in there.items()
            if name.startswith(words)
        ]
        self.say(self.HINT)
        if words and words not in there:
            try:
                made = Profile(words, paths.profile_file(words))
                rows.append(Row(lines(("+ ", NOW), (words, "bold"), ("  a new memory", QUIET)), made))
            except BadInput as error:
                self.say(str(error))
        self.query_one(Choices).show_rows(rows)

    def _line(self, name: str, memory: Path) -> Content:
        here = name == self.services.profile
        told = f"  {megabytes(paths.size(memory))}{' · open now' if here else ''}"
        return lines(("● ", NOW) if here else "  ", (name, "bold"), (told, QUIET))

    def choose(self, record: object) -> None:
        """Close, and go there; to go where one is, is to stay."""
        if isinstance(record, Profile):
            self.dismiss(None if record.name == self.services.profile else ProfileChosen(record.memory))
