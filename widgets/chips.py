"""A chip says by its mark whether it is on, before any colour; its number is its key, and a click does the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Static

from widgets.jump import Spot
from widgets.look import LINK, QUIET, lines
from widgets.states import TRUE_NOW, WAS_TRUE


@dataclass(frozen=True, slots=True)
class BeliefFilter:
    """Which beliefs are to be shown."""

    ever: bool = False  # all that was ever believed; else what holds now
    pinned: bool = False
    disputed: bool = False
    by_me: bool = False  # said by the person
    unsure: bool = False  # what was heard and is not sure, in place of what is believed


NAMES = ("ever", "pinned", "disputed", "by_me", "unsure")


class Chip(Static):
    """One of them. Posts Toggled when clicked."""

    DEFAULT_CSS = """
    Chip { width: auto; height: 1; margin: 0 2 0 0; }
    Chip:hover { background: $raised; }
    """

    @dataclass
    class Toggled(Message):
        """A chip was clicked."""

        name: str

    def __init__(self, name: str) -> None:
        super().__init__("", markup=False)
        self.chip = name

    def spots(self) -> Iterator[Spot]:
        yield Spot(self.region.offset, self._press)

    def on_click(self, event: Click) -> None:
        event.stop()
        self._press()

    def _press(self) -> None:
        self.post_message(self.Toggled(self.chip))


class Chips(Horizontal):
    """The filters above a list of beliefs. Posts Changed."""

    DEFAULT_CSS = "Chips { height: 1; padding: 0 2; margin: 1 0 0 0; }"
    wanted = reactive(BeliefFilter())

    @dataclass
    class Changed(Message):
        """Other beliefs are wanted."""

        wanted: BeliefFilter

    def compose(self) -> ComposeResult:
        yield from map(Chip, NAMES)

    def on_mount(self) -> None:
        self._say()

    def watch_wanted(self) -> None:
        if self.is_mounted:
            self._say()
            self.post_message(self.Changed(self.wanted))

    def toggle(self, name: str) -> None:
        self.wanted = replace(self.wanted, **{name: not getattr(self.wanted, name)})

    def on_chip_toggled(self, event: Chip.Toggled) -> None:
        event.stop()
        self.toggle(event.name)

    def _say(self) -> None:
        for number, chip in enumerate(self.query(Chip), 1):
            name, on = chip.chip, getattr(self.wanted, chip.chip)
            shown = _half("mine" if name == "by_me" else name, on)
            if name == "ever":
                shown = lines(_half("now", not on), " ", shown)
            chip.update(lines((f"{number} ", f"bold {LINK}"), shown), layout=not chip.size)


def _half(word: str, on: bool) -> Content:
    return lines((f"{TRUE_NOW} ", LINK), (word, "bold")) if on else lines((f"{WAS_TRUE} {word}", QUIET))
