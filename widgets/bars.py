"""The top line always says which two times one is looking at; the bottom lines offer only keys that do something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.content import Content
from textual.events import Click
from textual.geometry import Size
from textual.reactive import reactive
from textual.screen import Screen
from textual.style import Style
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from widgets.look import QUIET, SHORTEST_NAME, lines
from widgets.plain import one_line

NOW_WORD = "now"


class TopLine(Widget):
    """Where one is and what is being read for it, on the left; at which two times, on the right."""

    DEFAULT_CSS = """
    TopLine { height: 1; dock: top; background: $panel; padding: 0 2; text-wrap: nowrap; }
    TopLine.-past { background: $warning; color: $on-signal; text-style: bold; }
    TopLine.-off-record { background: $accent; color: $on-signal; text-style: bold; }
    """
    place = reactive("")
    profile = reactive("")  # whose memory it is; empty where there is no need to say so
    reading = reactive("")  # how far what is shown has been read; empty where it is all there
    true_at = reactive(NOW_WORD)
    believed_at = reactive(NOW_WORD)
    off_record = reactive(False)

    @property
    def past(self) -> bool:
        return (self.true_at, self.believed_at) != (NOW_WORD, NOW_WORD)

    def _colour(self) -> None:
        self.set_class(self.past and not self.off_record, "-past")
        self.set_class(self.off_record, "-off-record")

    watch_true_at = watch_believed_at = watch_off_record = _colour

    def render(self) -> Content:
        """One widget, because a line that changes at every key must not lay out the screen anew."""
        quiet = "" if self.past or self.off_record else QUIET
        times = lines((self._times(), quiet))
        place = " · ".join(part for part in (self.profile, self.place, self.reading) if part)
        place = f"OFF THE RECORD · nothing is written · {place}" if self.off_record else place
        room = max(1, self.size.width - times.cell_length - 2)
        shown = lines(one_line(place)).truncate(room, ellipsis=True)
        return Content.assemble(shown, " " * max(2, self.size.width - shown.cell_length - times.cell_length), times)

    def _times(self) -> str:
        if not self.past:  # now is said shortly: it needs no care
            return "true now · believed now" if self.size.width >= 80 else "as of now"
        on = " on " if self.size.width >= 56 else " "
        times = {"true": self.true_at, "believed": self.believed_at}
        return "◀ " + " · ".join(f"{axis}{' ' if at == NOW_WORD else on}{at}" for axis, at in times.items())


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
        sign, style = ("✗ ", "$error") if bad else ("✓ ", "$success")
        self.update(lines((sign, f"bold {style}"), one_line(words)))
        self.add_class("-said")
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(self.SECONDS, self.hush)

    def hush(self) -> None:
        self.remove_class("-said")


@dataclass(frozen=True, slots=True)
class Status:
    """What the status line says. Empty strings are left out."""

    model: str = ""
    speed: str = ""
    room: str = ""  # how much of what the model can read is taken
    sleep: str = ""
    beside: str = ""  # what is done beside all that
    note: str = ""  # a passing word that matters now; it stands first
    tone: str = "$warning"  # the style of the note


class StatusLine(Widget):
    """One quiet line: the model, its speed, its room, the sleep; a note stands there instead, whole, while it is said,
    beside them where there is room."""

    DEFAULT_CSS = """
    StatusLine { height: auto; max-height: 3; layout: horizontal; padding: 0 2; }
    StatusLine > .left { width: 1fr; height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    StatusLine.-noted > .left { height: auto; text-wrap: wrap; }
    StatusLine > .right { width: auto; height: 1; color: $quiet; padding: 0 0 0 1; }
    StatusLine.-noted > .right { display: none; }
    """
    status = reactive(Status())

    def compose(self) -> ComposeResult:
        yield Static("", classes="left", markup=False)
        yield Static("", classes="right", markup=False)

    def watch_status(self, status: Status) -> None:
        if not self.is_mounted or not self.children:
            return
        note, right = one_line(status.note), one_line(status.sleep)
        left = _fitted(status, self.size.width - (cell_len(right) + 1 if right else 0))
        alone = bool(note) and cell_len(f"{note}   {left}  {right}") > self.size.width - 4
        said = lines((note, f"bold {status.tone}")) if note else lines()
        self.query_one(".left", Static).update(said if alone else lines(said, "   " if note else "", (left, QUIET)))
        self.query_one(".right", Static).update(lines(right))
        self.set_class(alone, "-noted")

    def on_resize(self) -> None:
        self.watch_status(self.status)

    on_mount = on_resize


def _fitted(status: Status, room: int) -> str:
    """The model and what it does; where there is too little room, less of its name, and then not its speed."""
    parts = [f" · {one_line(one)}" for one in (status.speed, status.room, status.beside) if one]
    if status.speed and SHORTEST_NAME + cell_len("".join(parts)) > room:
        del parts[0]
    beside = "".join(parts)
    return (one_line(status.model, max(SHORTEST_NAME, room - cell_len(beside))) + beside).removeprefix(" · ")


class KeyHint(NamedTuple):
    """A key that does something here and now."""

    key: str
    shown: str
    what: str

    @property
    def width(self) -> int:
        return cell_len(self.shown) + cell_len(self.what) + 3

    def content(self) -> Content:
        shown = lines((f" {self.shown} ", "bold $footer-key-foreground"), f"{self.what} ")
        return shown.stylize(Style.from_meta({"key": self.key}))


class KeyLine(Widget):
    """The keys that do something here and now; as many as fit whole into its lines, the first ones first, and what
    leads away from here in any case. A click presses them."""

    DEFAULT_CSS = """
    KeyLine {
        dock: bottom; height: 1; padding: 0 1; text-wrap: nowrap;
        background: $footer-background; color: $footer-description-foreground;
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.offered: tuple[KeyHint, ...] = ()

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, lambda screen: self.call_later(self._look, screen))
        self._look(self.screen)

    def _look(self, screen: Screen[Any]) -> None:
        """Drawn anew only where other keys are offered."""
        if screen is not self.app.screen:  # another one lies above it
            return
        offered: dict[str, KeyHint] = {}
        for _node, binding, enabled, _tooltip in screen.active_bindings.values():
            if binding.show and enabled:
                key = KeyHint(binding.key, self.app.get_key_display(binding), binding.description)
                offered.setdefault(binding.action, key)
        if (keys := tuple(offered.values())) != self.offered:
            self.offered = keys
            self.refresh()

    def render(self) -> Content:
        helpful = [key for key in self.offered if key.key == "f1"]
        kept, last = [key for key in self.offered if key not in helpful], sum(key.width for key in helpful)
        while (rows := _filled(kept, self.size, last)) is None:
            kept.pop(next((n for n in range(len(kept) - 1, -1, -1) if kept[n].key != "escape"), -1))
        room = max(0, self.size.width - last - sum(key.width for key in rows[-1]))
        shown = [Content.assemble(*(key.content() for key in row)) for row in (*rows, helpful)]
        return Content.assemble(Content("\n").join(shown[:-1]), " " * room, shown[-1])

    def on_click(self, event: Click) -> None:
        key = event.style.meta.get("key")
        if isinstance(key, str):
            self.app.simulate_key(key)


def _filled(keys: Sequence[KeyHint], size: Size, last: int) -> list[list[KeyHint]] | None:
    """The keys in as many lines as there are, the last with room for others of a width; None where they do not fit."""
    height = max(1, size.height)
    rows, room = list[list[KeyHint]](), 0
    for key in keys:
        if key.width > room:
            rows.append([])
            room = size.width - (last if len(rows) == height else 0)
        if len(rows) > height or key.width > room:
            return None
        rows[-1].append(key)
        room -= key.width
    return rows + [[] for _ in range(height - len(rows))]
