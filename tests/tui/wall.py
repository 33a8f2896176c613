"""Every text that is given is painted: a frame holds a batch of them, and the next comes when all of it was shown.

Each is drawn as rows by one of the functions that make something to see, and stands in one of the other widgets that
show a text, in turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice

from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.widget import Widget
from textual.widgets import Input, Static

from app.tui.theme import DARK, FALLBACK
from tests.tui.scripted import instant
from tests.tui.showing import DRAWINGS
from widgets.bars import Flash, Status, StatusLine, TopLine
from widgets.choices import Choices, Row
from widgets.look import lines
from widgets.plain import one_line, plain
from widgets.prompt import Prompt
from widgets.speech import Speech
from widgets.transcript import HeadLine, TurnHead

STANDS = 5
AT = instant("2025-03-14")


class Stand(Vertical):
    """One of every widget that shows a text as it was given."""

    DEFAULT_CSS = """
    Stand { height: auto; }
    Stand TopLine { dock: none; }
    Stand Static { height: 1; }
    Stand Flash, Stand Speech, Stand Prompt { height: 3; min-height: 3; }
    """

    def compose(self) -> ComposeResult:
        yield TopLine()
        yield HeadLine(TurnHead("", AT, False))
        yield Flash()
        yield StatusLine()
        yield Static("", markup=False)
        yield Input()
        yield Prompt()
        yield Speech()


class Wall(App[None]):
    """Rows above, the stands below."""

    CSS = "Choices { height: 1fr; }"

    def __init__(self, texts: Iterator[str], done: str) -> None:
        super().__init__()
        self._texts, self._done = texts, done
        self._drawings = cycle(DRAWINGS)
        self.places: list[Widget] = []
        self.register_theme(DARK)
        self.theme = DARK.name

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(FALLBACK)

    def compose(self) -> ComposeResult:
        yield TopLine(id="title")
        yield Choices(id="rows")
        for _ in range(STANDS):
            yield Stand()

    def on_mount(self) -> None:
        self.places = [one for stand in self.query(Stand) for one in stand.children]
        self.call_after_refresh(self._next)

    async def _next(self) -> None:
        choices = self.query_one(Choices)
        if choices.scroll_y < choices.max_scroll_y:
            choices.scroll_page_down(animate=False)
        elif batch := list(islice(self._texts, len(self.places))):
            width = self.size.width - 4
            made = [(text, next(self._drawings)(text, width)) for text in batch]
            choices.show_rows([Row(one, text) for text, drawn in made for one in drawn])
            for place, text in zip(self.places, batch, strict=False):  # the last batch may be a small one
                await put(place, text)
        else:
            self.query_one("#title", TopLine).place = self._done
            return
        self.call_after_refresh(self._next)


async def put(place: Widget, text: str) -> None:
    """Show a text in a widget of a stand, as the app does."""
    match place:
        case TopLine():
            place.place = text
        case HeadLine():
            place.head = TurnHead(text, AT, False, text)
            place.refresh()
        case Flash():
            place.say(text)
        case StatusLine():
            place.status = Status(model=text, sleep=text, note=text)
        case Input():
            place.value = one_line(text)
        case Prompt():
            place.text = plain(text)
        case Speech():
            await place.update(plain(text))
        case Static():
            place.update(lines(text))
