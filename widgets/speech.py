"""Markdown is shown, never obeyed: no control character leaves it, no markup is read in it, no link opens by itself.

Character references are decoded by the parser, after the source was sanitised, so the parsed text is sanitised again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from time import monotonic

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Markdown
from textual.widgets.markdown import MarkdownStream

from widgets.look import lines
from widgets.messages import LinkChosen
from widgets.plain import plain

PACE = 0.05
"""Seconds between two drawings of a reply that is being written: each lays the conversation out anew, and takes as long
as several pieces take to come."""
SLOWEST = 0.6
"""Seconds, at most: where a drawing takes long (a long listing), the next one waits, so that keys are heard between."""
_ADORNED = re.compile(r"[*_`#>\[\]|~<&\\\n]|^\s*(?:[-+=]|\d+[.)])|://|www\.|\S@\S|^\s|  ")
_STYLES = {"strong_open": "bold", "em_open": "italic"}
_ENDS = ("strong_close", "em_close")
_BREAKS = {"softbreak": " ", "hardbreak": "\n"}


def safe_parser() -> MarkdownIt:
    """GitHub's Markdown without HTML, which would swallow what people wrote between angle brackets."""
    parser = MarkdownIt("gfm-like", {"html": False})
    parser.core.ruler.push("plain", _sanitise)
    return parser


def is_unadorned(text: str) -> bool:
    """Looks the same with and without Markdown; drawing it without is many times faster."""
    return _ADORNED.search(text) is None


def paragraphs(text: str) -> Content | None:
    """A text of paragraphs with bold and italic words at most, without the cost of a document; else None."""
    found: list[Content] = []
    for token in _parser().parse(plain(text)):
        if token.type == "inline":
            words = _words(token.children or ())
            if words is None:
                return None
            found.append(words)
        elif token.type not in ("paragraph_open", "paragraph_close"):
            return None
    return Content("\n\n").join(found) if found else None


@cache
def _parser() -> MarkdownIt:
    """The interface's thread's own: a document is parsed by another thread, with one that nothing else uses."""
    return safe_parser()


def _words(tokens: Iterable[Token]) -> Content | None:
    pieces: list[tuple[str, str]] = []
    styles: list[str] = []
    for token in tokens:
        if token.type in _STYLES:
            styles.append(_STYLES[token.type])
        elif token.type in _ENDS:
            styles.pop()
        elif token.type in _BREAKS:
            pieces.append((_BREAKS[token.type], " ".join(styles)))
        elif token.type == "text":
            pieces.append((re.sub(r"\s+", " ", token.content), " ".join(styles)))
        else:
            return None
    return lines(*pieces)


def _sanitise(state: StateCore) -> None:
    tokens = list(state.tokens)
    while tokens:
        token = tokens.pop()
        token.content = plain(token.content)
        tokens += token.children or ()


class Speech(Markdown):
    """One reply. Posts LinkChosen where a link was clicked."""

    DEFAULT_CSS = """
    Speech {
        padding: 0; margin: 0; background: transparent;
        & > MarkdownParagraph { margin: 0 0 1 0; }
        & > *:last-child { margin-bottom: 0; }
        & MarkdownH1, & MarkdownH2, & MarkdownH3, & MarkdownH4 {
            content-align: left middle; text-style: bold; color: $foreground; margin: 0 0 1 0;
        }
        & MarkdownFence { margin: 0 0 1 0; background: $panel; max-height: 40; }
        & MarkdownBlockQuote { background: transparent; border-left: outer $rule; margin: 0 0 1 0; }
        & > MarkdownBulletList, & > MarkdownOrderedList { margin: 0 0 1 0; }
        & MarkdownTable { margin: 0 0 1 0; }
    }
    """

    def __init__(self, text: str = "", *, id: str | None = None) -> None:
        super().__init__(plain(text), id=id, parser_factory=safe_parser, open_links=False)
        self._stream: MarkdownStream | None = None
        self._waiting = ""
        self._pace, self._due = PACE, 0.0
        self._pause: Timer | None = None  # until it is over, what comes waits

    async def write(self, piece: str) -> None:
        """Append a piece; the first is drawn at once, and those that come within PACE of one another together."""
        if not piece:
            return  # a stream that was never written to cannot be stopped: its end would cancel the screen's handler
        self._waiting += plain(piece)
        if self._pause is None:
            self._wait()
            await self._write_waiting()

    def _wait(self) -> None:
        self._due = monotonic() + self._pace
        self._pause = self.set_timer(self._pace, self._draw_waiting)

    async def _draw_waiting(self) -> None:
        late = monotonic() - self._due  # the screen was busy with what was drawn before
        self._pace = min(max(PACE, 3 * late), SLOWEST)
        if self._waiting:
            self._wait()
        else:
            self._pause = None
        await self._write_waiting()

    async def _write_waiting(self) -> None:
        said, self._waiting = self._waiting, ""
        if said:
            self._stream = self._stream or Markdown.get_stream(self)
            await self._stream.write(said)

    async def rewrite(self, text: str) -> None:
        await self.finish()
        await self.update(plain(text))

    async def finish(self) -> None:
        if self._pause is not None:
            self._pause.stop()
            self._pause = None
        await self._write_waiting()
        if self._stream is not None:
            await self._stream.stop()
            self._stream = None

    def on_markdown_link_clicked(self, event: Markdown.LinkClicked) -> None:
        event.prevent_default()
        event.stop()
        self.post_message(LinkChosen(event.href))
