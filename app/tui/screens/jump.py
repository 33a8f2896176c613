"""What can be chosen or focused on a screen is reached by a label; nothing happens before one is typed to its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.errors import NoWidget
from textual.geometry import Offset
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Button

from widgets.jump import HasSpots, JumpLabel, Spot, labels


class JumpScreen(ModalScreen[None]):
    """The labels, above the screen that they are on."""

    DEFAULT_CSS = "JumpScreen { background: $background 40%; }"

    def __init__(self, spots: Sequence[Spot]) -> None:
        super().__init__()
        self.labels = labels(len(spots))
        self.spots = dict(zip(self.labels, spots, strict=False))
        self.typed = ""

    def compose(self) -> ComposeResult:
        for label, spot in self.spots.items():
            yield JumpLabel(label, spot.at)

    def on_key(self, event: events.Key) -> None:
        """Letters narrow, and shift on the last one opens; anything else leaves."""
        event.stop()
        self.typed += (event.character or event.key).casefold()
        left = [one for one in self.labels if one.startswith(self.typed)]
        for label in self.query(JumpLabel):
            label.narrow(self.typed)
        if left[:1] == [self.typed]:
            spot = self.spots[self.typed]
            shifted = event.character is not None and event.character.isupper()
            self.dismiss(None)
            self.app.call_later(spot.press if spot.press is not None and shifted else spot.go)
        elif not left:
            self.dismiss(None)

    def on_click(self) -> None:
        self.dismiss(None)


def spots_of(screen: Screen[object]) -> list[Spot]:
    """All that can be gone to on a screen, from its upper left on; what something else lies over is left out."""
    found = {spot.at: spot for widget in screen.walk_children(Widget) for spot in _spots(screen, widget)}
    return [found[at] for at in sorted(found, key=lambda at: (at.y, at.x))]


def _spots(screen: Screen[object], widget: Widget) -> Iterator[Spot]:
    if not widget.display or widget.region.area == 0:
        return
    if isinstance(widget, HasSpots):
        yield from (spot for spot in widget.spots() if _is_seen(screen, widget, spot.at))
    elif widget.focusable:
        at = widget.region.offset + (Offset(1, 0) if widget.region.height > 1 else Offset(0, 0))
        if _is_seen(screen, widget, at):
            yield Spot(at, partial(_go_to, widget))


def _is_seen(screen: Screen[object], widget: Widget, at: Offset) -> bool:
    try:
        top, _region = screen.get_widget_at(at.x, at.y)
    except NoWidget:
        return False
    return widget in top.ancestors_with_self


def _go_to(widget: Widget) -> None:
    if isinstance(widget, Button):
        widget.press()
    else:
        widget.focus()
