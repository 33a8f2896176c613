"""A conversation reads from top to bottom, and new text scrolls only those who are at its end.

Only a window of turns is mounted; scrolling to its ends asks for others, so that a long conversation opens at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.events import Click
from textual.widget import Widget
from textual.widgets import Static

from store.records import DOCUMENT, Episode, Instant, Source
from widgets.finding import Highlights, row_of
from widgets.jump import Spot
from widgets.look import LINK, NEVER, QUIET, SHORTEST_NAME, lines
from widgets.messages import BranchWanted, EarlierWanted, FindMoved, FindWanted, LaterWanted, SourceChosen, TextCopied
from widgets.plain import one_line, plain
from widgets.wording import clock_time, day, day_words, long_day, quoted, spoken_by

if TYPE_CHECKING:
    from widgets.speech import Speech

_FENCE = re.compile(r"^(?P<fence>`{3,}|~{3,})[^\n]*\n(?P<code>.*?)\n?(?P=fence)[ \t]*$", re.MULTILINE | re.DOTALL)
CUT = lines(("⌁ stopped here", QUIET))  # below a reply that was not finished


@dataclass(frozen=True, slots=True)
class TurnHead:
    """Who speaks, and when."""

    who: str
    at: Instant
    mine: bool  # the person's own turn
    note: str = ""  # a few quiet words beside the name: "from your own words", "2.1 s"


def where_from(sources: Sequence[Source]) -> str:
    """Whose words an answer of the memory rests on."""
    documents = dict.fromkeys(source.speaker for source in sources if source.session.startswith(DOCUMENT))
    return f"from {one_line(', '.join(documents))}" if documents else "from your own words"


class SourceLine(Static, can_focus=True):
    """One source of an answer; posts SourceChosen."""

    DEFAULT_CSS = """
    SourceLine { height: 1; width: 1fr; text-overflow: ellipsis; text-wrap: nowrap; }
    SourceLine:hover { background: $raised; }
    SourceLine:focus { background: $block-cursor-background; color: $block-cursor-foreground; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "open the turn", id="source.open"),
        Binding("y", "copy", "copy", id="source.copy"),
    ]
    HELP = """
    ### Source
    The words on which an answer rests. `enter` opens the turn in its conversation, `y` copies the words.
    """

    def __init__(self, number: int, source: Source) -> None:
        self.source = source
        super().__init__(source_words(number, source), markup=False)

    def action_open(self) -> None:
        self.post_message(SourceChosen(self.source))

    def action_copy(self) -> None:
        self.post_message(TextCopied(plain(self.source.quote).strip()))

    def spots(self) -> Iterator[Spot]:
        yield Spot(self.region.offset, self.action_open)

    def on_click(self, event: Click) -> None:
        event.stop()
        self.action_open()


def source_words(number: int, source: Source) -> Content:
    """[1] 14 May 2024  “the quote”"""
    return lines((f"[{number}] ", LINK), (f"{day_words(source.said_at)}  ", QUIET), quoted(source))


class Elapsed(Static):
    """What is being waited for, with the seconds once they are worth telling."""

    FROM = 2  # seconds

    def __init__(self, words: str, began: float) -> None:
        """`began` is when the waiting began, by the monotonic clock."""
        super().__init__(lines((words, QUIET)), classes="foot", markup=False)
        self._words, self._began = words, began

    def on_mount(self) -> None:
        self._tell()
        self.set_interval(1.0, self._tell)

    def _tell(self) -> None:
        if (seconds := int(monotonic() - self._began)) >= self.FROM:
            self.update(lines((f"{self._words}  {seconds} s", QUIET)))


class HeadLine(Widget):
    """Who speaks on the left, when on the right: one widget, since a conversation has many of them."""

    DEFAULT_CSS = "HeadLine { height: 1; width: 1fr; }"

    def __init__(self, head: TurnHead) -> None:
        super().__init__()
        self.head = head

    def render(self) -> Content:
        when = clock_time(self.head.at)
        note = f"  {self.head.note}" if self.head.note else ""
        style = "bold $primary" if self.head.mine else "bold"
        room = max(1, self.size.width - len(when) - 1)
        if SHORTEST_NAME + len(note) > room:
            note = note.partition(",")[0]
        # The end of a long name says less than the note does: that a model may be wrong is said whole.
        who = lines((one_line(self.head.who), style)).truncate(max(SHORTEST_NAME, room - len(note)), ellipsis=True)
        name = lines(who, (note, QUIET)).truncate(room, ellipsis=True)
        return lines(name, " " * max(1, room - name.cell_length + 1), (when, QUIET))


class TurnView(Vertical):
    """One turn: a head line, the words, and below a reply what it rests on."""

    DEFAULT_CSS = """
    TurnView { height: auto; max-width: 104; padding: 0 2 0 1; margin: 0 0 1 0; border-left: blank; }
    TurnView.-found { border-left: outer $primary; }
    TurnView > Speech, TurnView > .words, TurnView > .foot, TurnView > .receipt, TurnView > .sources {
        padding: 0 0 0 2; height: auto;
    }
    TurnView > .receipt { color: $quiet; }
    """

    def __init__(
        self, head: TurnHead, text: str = "", *, episode: str = "", cut: bool = False, sources: Sequence[Source] = ()
    ) -> None:
        super().__init__()
        self.head, self.text, self.episode, self.cut, self.sources = head, text, episode, cut, sources
        self._speech: Speech | None = None
        self._began = monotonic()

    @classmethod
    def of(cls, episode: Episode, note: str = "") -> TurnView:
        """A turn that was said, with a note beside who said it."""
        head = TurnHead(spoken_by(episode), episode.said_at, episode.role == "user", note)
        return cls(head, episode.text, episode=episode.id, cut=episode.cut, sources=episode.sources)

    def compose(self) -> ComposeResult:
        from widgets.speech import Speech, is_unadorned, paragraphs

        yield HeadLine(self.head)
        words = None  # what needs no Markdown is drawn without; a reply that is being written may come to need it
        if self.head.mine or (self.text and is_unadorned(self.text)):
            words = lines(self.text)
        elif self.text:
            words = paragraphs(self.text)
        if words is not None:
            yield Static(words, classes="words", markup=False)
        else:
            self._speech = Speech(self.text)
            yield self._speech
        if self.sources:
            yield _listed(self.sources)
        if self.cut:
            yield Static(CUT, classes="foot", markup=False)

    def rename(self, head: TurnHead) -> None:
        """Say anew who speaks: it may turn out only when the reply begins."""
        line = self.query_one(HeadLine)
        self.head = line.head = head
        line.refresh()

    async def write(self, piece: str) -> None:
        self.text += piece
        assert self._speech is not None, "only a reply is written to"
        await self._speech.write(piece)

    async def rewrite(self, text: str) -> None:
        self.text = text
        assert self._speech is not None, "only a reply is written to"
        await self._speech.rewrite(text)

    async def finish(self, *, cut: bool = False, problem: str = "", note: str = "") -> None:
        """The reply is over: nothing more will come. `note` says why it was cut, where nobody asked for that."""
        if self._speech is not None:
            await self._speech.finish()
        why = lines((f"⌁ {note}", QUIET)) if note else CUT if cut else None
        shown = lines((f"✗ {problem}", NEVER)) if problem else why
        await self._put("foot", None if shown is None else Static(shown, classes="foot", markup=False))

    async def wait(self, words: str) -> None:
        """Say what the reply is waiting for, and for how long it has."""
        await self._put("foot", Elapsed(words, self._began) if words else None)

    async def show_receipt(self, words: str) -> None:
        """Say below the words what they taught."""
        await self._put("receipt", Static(lines(words), classes="receipt", markup=False) if words else None)

    async def show_sources(self, sources: Sequence[Source]) -> None:
        if sources:
            await self.mount(_listed(sources))

    async def _put(self, place: str, part: Static | None) -> None:
        """Instead of what stands there, or nothing."""
        await self.query(f".{place}").remove()
        if part is not None:
            await self.mount(part)


def _listed(sources: Sequence[Source]) -> Widget:
    """Sources by their numbers, one a line."""
    return Vertical(*(SourceLine(number, source) for number, source in enumerate(sources, 1)), classes="sources")


class Transcript(VerticalScroll):
    """The turns of one conversation."""

    DEFAULT_CSS = """
    Transcript { padding: 1 0 0 0; scrollbar-size-vertical: 1; align: left bottom; }
    Transcript > .day { color: $quiet; height: 1; margin: 0 2 1 3; text-wrap: nowrap; text-overflow: clip; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "scroll_down", "down", show=False, id="transcript.down"),
        Binding("k", "scroll_up", "up", show=False, id="transcript.up"),
        Binding("g", "scroll_home", "first", show=False, id="transcript.first"),
        Binding("G", "scroll_end", "last", show=False, id="transcript.last"),
        Binding("K,shift+up", "mark(-1)", "mark", key_display="K J", id="transcript.mark_up"),
        Binding("J,shift+down", "mark(1)", "mark below", show=False, id="transcript.mark_down"),
        Binding("y", "copy", "copy", id="transcript.copy"),
        Binding("c", "copy_code", "copy code", id="transcript.copy_code"),
        Binding("slash", "find", "find here", id="transcript.find"),
        Binding("n", "next_match(1)", "next", id="transcript.next"),
        Binding("N", "next_match(-1)", "previous", show=False, id="transcript.previous"),
        Binding("B", "branch", "go on from here", id="transcript.branch"),
    ]
    HELP = """
    ### Conversation
    `j k` scroll, `g G` go to its ends, `K J` mark a turn, `y` copies what the mouse selected, else the marked turn,
    else the last one; `c` copies its code, block by block. `B` goes on from the marked turn on a branch: what came
    after it stays in its own conversation. `/` looks for words in the conversation; then `n N` go from match to match.
    `tab` reaches the sources below an answer; scrolling up past the first turn
    shows earlier ones.
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._last_day = ""
        self.has_earlier = self.has_later = False  # there are turns before the first that is shown, or after the last
        self.notes: Mapping[str, str] = {}  # what stands beside the names of some who reply
        self._copied: tuple[TurnView | None, int] = (None, -1)
        self._found = Highlights()

    async def clear(self) -> None:
        self._last_day = ""
        self.has_earlier = self.has_later = False
        await self.remove_children()

    async def show(self, episodes: Sequence[Episode], *, has_earlier: bool = False, has_later: bool = False) -> None:
        """Show these turns and no others, scrolled to the end."""

        def ready() -> None:
            # Only scrolling by the person asks for more: not the one that shows what was asked for.
            self.has_earlier, self.has_later = has_earlier, has_later
            if has_earlier and self.max_scroll_y == 0:  # on a tall screen there is nothing yet to scroll
                self.post_message(EarlierWanted())

        await self.clear()
        await self.mount_all(list(self._views(episodes)))
        self.scroll_end(animate=False)
        self.call_after_refresh(ready)

    async def append(self, episodes: Sequence[Episode], *, has_later: bool) -> None:
        """Show later turns below, without moving what is being read."""
        self.has_later = has_later
        await self.mount_all(list(self._views(episodes)))

    async def prepend(self, episodes: Sequence[Episode], *, has_earlier: bool) -> None:
        """Show earlier turns above, without moving what is being read."""
        self.has_earlier = has_earlier
        last_day, self._last_day = self._last_day, ""
        views = list(self._views(episodes))
        self._last_day = last_day
        height = self.virtual_size.height
        await self.mount_all(views, before=0)
        self.call_after_refresh(lambda: self.scroll_relative(y=self.virtual_size.height - height, animate=False))

    async def leave_off(self, *, after_mine: bool = False) -> None:
        """Show nothing from the person's last turn on; with `after_mine`, nothing after it."""
        shown = list(self.children)
        if mine := [place for place, view in enumerate(shown) if isinstance(view, TurnView) and view.head.mine]:
            await self.remove_children(shown[mine[-1] + after_mine :])

    async def add(self, view: TurnView) -> None:
        """A new turn at the end; it is scrolled to."""
        await self.mount_all([*self._day_rule(view.head.at), view])
        self.anchor()

    def find(self, episode: str) -> bool:
        """Mark one turn and bring it into view. False if it is not shown."""
        found = next((view for view in self.turns if view.episode == episode), None)
        self._mark_only(found)
        if found is not None:
            self.call_after_refresh(self.scroll_to_widget, found, animate=False, center=True)
        return found is not None

    def _mark_only(self, turn: TurnView | None) -> None:
        for view in self.turns:
            view.set_class(view is turn, "-found")

    # -- what is looked for

    @property
    def turns(self) -> list[TurnView]:
        return list(self.query(TurnView))

    def first_in_view(self) -> TurnView | None:
        return next((turn for turn in self.turns if turn.region.bottom > self.region.y), None)

    def show_match(self, pattern: re.Pattern[str], turn: TurnView, nth: int) -> None:
        """Mark every match in what is shown, mark that turn, and bring its match with this number (from 0) into view;
        where its words are shown otherwise than they were written, the turn."""

        def scroll() -> None:
            part, row = (at[0], row_of(*at)) if at is not None else (turn, 0)
            top = turn.virtual_region.y + part.region.y - turn.region.y + row
            self.scroll_to(y=top - self.size.height // 2, animate=False)

        self._mark_only(turn)
        at = self._found.show([(view, nth if view is turn else None) for view in self.turns], pattern)
        self.refresh_bindings()
        self.call_after_refresh(scroll)

    def unfind(self) -> None:
        self._found.hide()
        self.refresh_bindings()

    def action_find(self) -> None:
        self.post_message(FindWanted())

    def action_next_match(self, amount: int) -> None:
        self.post_message(FindMoved(amount))

    @property
    def marked(self) -> TurnView | None:
        return next((view for view in self.turns if view.has_class("-found")), None)

    def action_mark(self, amount: int) -> None:
        views, marked = self.turns, self.marked
        if views:
            place = len(views) - 1 if marked is None else max(0, min(views.index(marked) + amount, len(views) - 1))
            self._mark(views[place])

    def _mark(self, turn: TurnView) -> None:
        self.focus()
        self._mark_only(turn)
        self.scroll_to_widget(turn, animate=False)
        self.refresh_bindings()

    def spots(self) -> Iterator[Spot]:
        """The turns whose head is in view."""
        for view in self.turns:
            if self.region.contains(*view.region.offset):
                yield Spot(view.region.offset, partial(self._mark, view))

    def action_copy(self) -> None:
        turn = self._turn
        if words := plain(self.screen.get_selected_text() or (turn.text if turn else "")).strip():
            self.post_message(TextCopied(words))

    @property
    def _turn(self) -> TurnView | None:
        """The one that the keys are about: the marked one, else the last."""
        return self.marked or next(reversed(self.turns), None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys are keys only where they do something."""
        match action:
            case "copy_code":
                return (turn := self._turn) is not None and bool(code_blocks(turn.text))
            case "branch":
                return self.marked is not None and bool(self.marked.episode)
            case "next_match":
                return bool(self._found.shown)
        return True

    def action_copy_code(self) -> None:
        """A block of code of the turn; the next time, its next block."""
        if (turn := self._turn) is not None and (blocks := code_blocks(turn.text)):
            self._copied = (turn, (self._copied[1] + 1) % len(blocks) if self._copied[0] is turn else 0)
            self.post_message(TextCopied(plain(blocks[self._copied[1]])))

    def action_branch(self) -> None:
        if self.marked is not None:
            self.post_message(BranchWanted(self.marked.episode))

    def _views(self, episodes: Iterable[Episode]) -> Iterable[Widget]:
        for episode in episodes:
            yield from self._day_rule(episode.said_at)
            note = ""
            if episode.role == "assistant":  # what stands beside who said it, as it did when it was said
                by_memory = episode.speaker == "memory" and episode.sources
                note = where_from(episode.sources) if by_memory else self.notes.get(episode.speaker, "")
            yield TurnView.of(episode, note)

    def _day_rule(self, at: Instant) -> Iterator[Static]:
        if day(at) != self._last_day:
            self._last_day = day(at)
            yield Static(lines(long_day(at)), classes="day", markup=False)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if self.has_earlier and new_value <= 0 < old_value:
            self.post_message(EarlierWanted())
        if self.has_later and old_value < self.max_scroll_y <= new_value:
            self.post_message(LaterWanted())


def code_blocks(text: str) -> list[str]:
    """What stands between fences, block by block."""
    return [found["code"] for found in _FENCE.finditer(text)]
