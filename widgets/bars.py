"""The top line always says which two times one is looking at; the bottom lines only what is so, and keys that do
something.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from textual.app import ComposeResult
from textual.reactive import reactive
from textual.screen import Screen
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Footer, Static
from textual.widgets._footer import FooterKey

from widgets.look import QUIET, lines
from widgets.plain import one_line

NOW_WORD = "now"


class TopLine(Widget):
    """Where one is, on the left; at which two times, on the right."""

    DEFAULT_CSS = """
    TopLine { height: 1; dock: top; layout: horizontal; background: $panel; padding: 0 2; }
    TopLine > .place { width: 1fr; height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    TopLine > .times { width: auto; height: 1; color: $quiet; padding: 0 0 0 2; }
    TopLine.-past { background: $warning; color: $on-signal; }
    TopLine.-past > Static { color: $on-signal; text-style: bold; }
    TopLine.-off-record { background: $accent; color: $on-signal; }
    TopLine.-off-record > Static { color: $on-signal; text-style: bold; }
    """
    place = reactive("")
    true_at = reactive(NOW_WORD)
    believed_at = reactive(NOW_WORD)
    off_record = reactive(False)

    def compose(self) -> ComposeResult:
        yield Static("", classes="place", markup=False)
        yield Static("", classes="times", markup=False)

    def on_mount(self) -> None:
        self._say()

    def watch_place(self) -> None:
        self._say()

    def watch_true_at(self) -> None:
        self._say()

    def watch_believed_at(self) -> None:
        self._say()

    def watch_off_record(self) -> None:
        self._say()

    def on_resize(self) -> None:
        self._say()

    def _say(self) -> None:
        if not self.is_mounted:
            return
        past = (self.true_at, self.believed_at) != (NOW_WORD, NOW_WORD)
        self.set_class(past and not self.off_record, "-past")
        self.set_class(self.off_record, "-off-record")
        place = f"OFF THE RECORD · nothing is written · {self.place}" if self.off_record else self.place
        self.query_one(".place", Static).update(lines(one_line(place)))
        self.query_one(".times", Static).update(lines(self._times(past)))

    def _times(self, past: bool) -> str:
        mark = "◀ " if past else ""
        if self.size.width >= 60:
            return f"{mark}true at {self.true_at} · believed at {self.believed_at}"
        return f"{mark}{self.true_at} · {self.believed_at}"


class Flash(Static):
    """A sentence that passes: what was just done, or why it could not be; the sign says which before the colour."""

    DEFAULT_CSS = """
    Flash { height: auto; max-height: 3; padding: 0 2; display: none; background: $panel; }
    Flash.-said { display: block; }
    """
    SECONDS = 6.0

    def __init__(self) -> None:
        super().__init__("", markup=False)
        self._timer: Timer | None = None

    def say(self, words: str, *, bad: bool = False) -> None:
        """Show it for a while; what comes later replaces it."""
        sign, style = ("✗ ", "$error") if bad else ("✓ ", "$success")
        self.update(lines((sign, f"bold {style}"), one_line(words)))
        self.add_class("-said")
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(self.SECONDS, self.hush)

    def hush(self) -> None:
        """Say nothing."""
        self.remove_class("-said")


@dataclass(frozen=True, slots=True)
class Status:
    """What the status line says. Empty strings are left out."""

    model: str = ""
    speed: str = ""
    sleep: str = ""
    note: str = ""
    """A passing word that matters now; it stands first."""
    tone: str = "$warning"
    """The style of the note."""


class StatusLine(Widget):
    """One quiet line: the model, its speed, the sleep; a passing note takes the lead."""

    DEFAULT_CSS = """
    StatusLine { height: 1; layout: horizontal; padding: 0 2; }
    StatusLine > .left { width: 1fr; height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    StatusLine > .right { width: auto; height: 1; color: $quiet; }
    """
    status = reactive(Status())

    def compose(self) -> ComposeResult:
        yield Static("", classes="left", markup=False)
        yield Static("", classes="right", markup=False)

    def watch_status(self, status: Status) -> None:
        if not self.is_mounted or not self.children:
            return
        left = " · ".join(part for part in (status.model, status.speed) if part)
        note = [(f"{one_line(status.note)}  ", f"bold {status.tone}")] if status.note else []
        self.query_one(".left", Static).update(lines(*note, (one_line(left), QUIET)))
        self.query_one(".right", Static).update(lines(one_line(status.sleep)))

    def on_mount(self) -> None:
        self.watch_status(self.status)


class KeyLine(Footer):
    """The keys that do something here and now; as many as fit whole, the first ones first."""

    DEFAULT_CSS = """
    KeyLine { padding: 0 1; }
    KeyLine FooterKey.-last { dock: right; }
    """

    def __init__(self) -> None:
        super().__init__(show_command_palette=False, compact=False)
        self._offered: list[tuple[str, str, bool]] = []

    def bindings_changed(self, screen: Screen[Any]) -> None:
        """Made anew only where other keys are offered: this is asked at every step through a list."""
        self._bindings_ready = True
        if not (self.is_attached and screen is self.screen and screen.app.app_focus):
            return
        offered = [
            (binding.key, binding.description, enabled)
            for _node, binding, enabled, _tooltip in screen.active_bindings.values()
            if binding.show
        ]
        if offered != self._offered:
            self._offered = offered
            self.call_after_refresh(self.recompose)

    def compose(self) -> ComposeResult:
        keys = [key for key in super().compose() if isinstance(key, FooterKey) and not key._disabled]
        helpful = [key for key in keys if key.key == "f1"]
        room = self.app.size.width - 2
        for key in [*helpful, *(key for key in keys if key not in helpful)]:
            room -= len(key.key_display) + len(key.description) + 3
            if room < 0:
                return
            key.set_class(key in helpful, "-last")
            yield key

    def on_resize(self) -> None:
        self.call_after_refresh(self.recompose)
