"""Every text that is given is painted: a frame holds a batch of them, and the next comes when all of it was shown."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from app.theme import DARK, FALLBACK
from tests.tui.scripted import instant
from tests.tui.showing import DRAWINGS
from widgets.bars import Flash, TopLine
from widgets.choices import Choices, Row
from widgets.look import lines
from widgets.plain import one_line
from widgets.prompt import Prompt
from widgets.speech import Speech
from widgets.transcript import HeadLine, TurnHead

BATCH = 40


class Wall(App[None]):
    """Rows above, a text in every other widget that shows one below."""

    CSS = "Choices { height: 1fr; } #text { height: 4; } Speech { height: 4; } Vertical { height: 1fr; }"

    def __init__(self, texts: Iterator[str], done: str) -> None:
        super().__init__()
        self._texts, self._done, self._shown = texts, done, 0
        self.register_theme(DARK)
        self.theme = DARK.name

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(FALLBACK)

    def compose(self) -> ComposeResult:
        yield TopLine()
        with Vertical():
            yield Choices(id="rows")
        yield Static("", id="text", markup=False)
        yield HeadLine(TurnHead("", instant("2025-03-14"), False))
        yield Speech()
        yield Input()
        yield Prompt()
        yield Flash()

    def on_mount(self) -> None:
        self.call_after_refresh(self._next)

    async def _next(self) -> None:
        choices = self.query_one(Choices)
        if choices.scroll_y < choices.max_scroll_y:
            choices.scroll_page_down(animate=False)
            self.call_after_refresh(self._next)
            return
        batch = list(islice(self._texts, BATCH))
        if not batch:
            self.query_one(TopLine).place = self._done
            return
        width = self.size.width - 4
        drawn = [DRAWINGS[(self._shown + place) % len(DRAWINGS)](text, width) for place, text in enumerate(batch)]
        self._shown += len(batch)
        choices.show_rows([Row(one, text) for text, made in zip(batch, drawn, strict=True) for one in made])
        text = batch[self._shown // BATCH % len(batch)]
        self.query_one(TopLine).place = text
        self.query_one("#text", Static).update(lines(*batch[:8]))
        self.query_one(HeadLine).say(TurnHead(text, instant("2025-03-14"), False, text))
        self.query_one(Flash).say(text)
        self.query_one(Input).value = one_line(text)
        self.query_one(Prompt).text = one_line(text)
        await self.query_one(Speech).update(text)
        self.call_after_refresh(self._next)
