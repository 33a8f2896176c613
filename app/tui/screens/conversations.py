"""A conversation opens with a window of its turns, and brings others as one scrolls to them; it is searched whole.

What it came to can be judged: it is exported or erased as a whole, each reply says why it is what it is (the last one
with its prompt, those before as of then), and what was learned is kept, dropped or put right. Reading is a worker's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from app.core import deeds
from app.core.bringing import documents_of
from app.core.conversation import (
    MOST_HISTORY,
    Conversation,
    SearchedText,
    TurnState,
    asked_before,
    branch_key,
    history_of,
)
from app.core.deeds import DeedResult, Radius
from app.tui.jobs import Job, start
from app.tui.screens.base import FramedScreen
from app.tui.services import Services
from store.protocols import Message
from store.records import Episode, ModelOptions
from widgets.bars import Status, StatusLine, TopLine
from widgets.finding import FindBar, Matches, pattern_of
from widgets.memory_panel import MemoryPanel
from widgets.messages import BranchWanted, ChangeJudged, FindMoved, UndoWanted
from widgets.plain import one_line, plain
from widgets.prompt import Prompt
from widgets.transcript import Transcript, TurnView
from widgets.welcome import Welcome
from widgets.wording import NO_TITLE

if TYPE_CHECKING:
    from app.tui.screens.reply import ReplyUnderWay
    from store.memory import Memory

WINDOW = 16
"""Turns that are mounted at once around one that was found, and more of them where one scrolls past those."""
SHORTEST = 3
"""Lines that a turn takes at least: its head, a line of words, and one between it and the next."""
REACH = 8
"""Turns before a reply among which the question to it is looked for."""
BRANCH = "a branch"
NOT_WRITTEN = "Nothing of this conversation is written down, or a reply is under way."


@dataclass(frozen=True, slots=True)
class Opened:
    """A window of a conversation."""

    conversation: Conversation
    first: int
    """The place of the first turn of the window."""
    episodes: Sequence[Episode]
    history: Sequence[Episode]
    """Its last turns, which a model is shown."""
    options: ModelOptions
    """How a model speaks in it."""
    episode: str
    """The turn that was asked for, if one was."""


class ConversationScreen(FramedScreen):
    """Shows one conversation, finds words in it, and does what is done with it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+slash,ctrl+underscore", "find", "find here", show=False, id="chat.find")
    ]

    def __init__(self, services: Services, *, demo: bool = False) -> None:
        super().__init__(services)
        # Held here: after a crash nothing can be looked up any more.
        self.transcript, self.prompt = Transcript(id="transcript"), Prompt(id="prompt")
        self.welcome, self.panel, self.find_bar = Welcome(id="welcome"), MemoryPanel(id="panel"), FindBar(id="find")
        self._demo = demo
        self._key, self._title = "", ""
        self._history: list[Message] = []
        self.options = ModelOptions()
        """How a model speaks in this conversation, where it was told."""
        self.documents: tuple[str, ...] = ()
        """The keys of the documents that were attached to it."""
        self.asked: TurnState | None = None
        """The last turn that was taken here since the conversation was opened."""
        self._reply: ReplyUnderWay | None = None
        self._status = Status(model=services.model_state)
        self._conversation: Conversation | None = None
        self._first = self._last = 0
        """Which turns of it are shown: from this place to before that."""
        self._words: SearchedText | None = None
        self._matches = Matches(())
        self._match = 0
        """The number of the match that one is at, from 0."""

    async def begin_anew(self) -> None:
        """Another conversation, on the record and with nothing in it."""

    def forget_all(self) -> None:
        """Nothing of the conversation before this one is on screen."""

    @property
    def busy(self) -> bool:
        return self._reply is not None

    @property
    def written(self) -> bool:
        """Something of what is on screen is in the memory, and nothing is being added to it."""
        return bool(self._history) and not self.busy

    def say(self, **parts: str) -> None:
        """Change parts of the status line: model, speed, room, sleep, note, and the tone of the note."""
        if "note" in parts:
            parts = {"tone": "$warning", **parts}
        self._status = replace(self._status, **parts)
        if self.is_attached:  # a sleep that was stopped by leaving ends after the screen is gone
            for line in self.query(StatusLine):
                line.status = self._status

    def _name_place(self, words: str) -> None:
        demo = " · demo" if self._demo else ""
        self.query_one(TopLine).place = f"erstwhile{demo} · {one_line(words, 60)}"

    def _show_welcome(self, shown: bool) -> None:
        self.welcome.display = shown
        self.transcript.display = not shown

    # -- opening one

    def open_session(self, key: str, episode: str = "") -> None:
        """Show a conversation (found by the episode, if the key is empty), at its end or at one turn."""
        self.ask(Job.OPEN_SESSION, partial(self._fetch_session, key, episode), self._session_fetched)

    def _fetch_session(self, key: str, episode: str, memory: Memory) -> Opened:
        conversation = Conversation.of(memory, key or memory.episodes.get(episode).session)
        place = conversation.place(memory, episode)
        # At its end, no more than fill the screen, since each takes its time.
        wanted = WINDOW if episode else min(WINDOW, max(WINDOW // 4, self.size.height // SHORTEST))
        first = max(0, min(place - wanted // 2, conversation.turns - wanted))
        history = conversation.page(memory, max(0, conversation.turns - MOST_HISTORY), MOST_HISTORY)
        window = conversation.shown(memory, first, wanted)
        return Opened(conversation, first, window, history, conversation.options(memory), episode)

    async def _session_fetched(self, read: Opened) -> None:
        if not read.episodes:
            await self.begin_anew()
            return
        if read.conversation.key != self._key:
            self.say(note="")
        self.forget_all()
        told = self._conversation = read.conversation
        self.options, self.documents = read.options, documents_of(read.history)
        self._key, self._title = told.key, told.title
        self._history = history_of(read.history)
        self._name_place(self._title or (NO_TITLE if len(told.parts) == 1 else BRANCH))
        self._show_welcome(False)
        await self.show_window(read.first, read.episodes)
        if read.episode:
            self.transcript.find(read.episode)
        self.prompt.focus()

    async def show_window(self, first: int, episodes: Sequence[Episode]) -> None:
        """Show these turns of the conversation, from the place `first` on, and no others."""
        from app.tui.screens.reply import small_models

        assert self._conversation is not None
        self._first, self._last = first, first + len(episodes)
        has_later = self._last < self._conversation.turns
        self.transcript.notes = small_models(self.services.voice)
        await self.transcript.show(episodes, has_earlier=first > 0, has_later=has_later)

    def on_earlier_wanted(self) -> None:
        first = max(0, self._first - WINDOW)
        self._read_on(first, self._first - first, earlier=True)

    def on_later_wanted(self) -> None:
        self._read_on(self._last, WINDOW, earlier=False)

    def _read_on(self, first: int, limit: int, *, earlier: bool) -> None:
        told = self._conversation
        if told is not None and limit > 0:
            work = partial(told.shown, start=first, limit=limit)
            self.ask(Job.READ_ON, work, partial(self._more_fetched, told, first, earlier))

    async def _more_fetched(self, told: Conversation, first: int, earlier: bool, episodes: Sequence[Episode]) -> None:
        """Only what adjoins the window: the person may have gone elsewhere meanwhile."""
        if told is not self._conversation:
            return
        if earlier and first + len(episodes) == self._first:
            self._first = first
            await self.transcript.prepend(episodes, has_earlier=self._first > 0)
        elif not earlier and first == self._last:
            self._last += len(episodes)
            await self.transcript.append(episodes, has_later=self._last < told.turns)

    def on_branch_wanted(self, event: BranchWanted) -> None:
        """What comes after this turn stays where it is; from here on, it is another conversation."""
        self.open_session(branch_key(self.services.now, event.episode))

    # -- finding words: all of them are read once, and a keystroke waits for none of it

    def action_find(self) -> None:
        """Open the field, unless nothing was said yet."""
        if self.transcript.display:
            self._words = None
            self.find_bar.open()
            self._find()

    on_find_wanted = action_find

    def leave_find(self) -> None:
        """Close the field; what is in view stays."""
        if self.find_bar.is_open:
            self.find_bar.close()
            self.transcript.unfind()
            self._words, self._matches = None, Matches(())
            self.refresh_bindings()

    def on_find_left(self) -> None:
        self.leave_find()
        self.prompt.focus()

    def _find(self) -> None:
        """Look for what is typed, from where one reads."""
        query = self.find_bar.query_words
        pattern = pattern_of(query)
        if pattern is None:
            self._matches = Matches(())
            self.transcript.unfind()
            self.find_bar.say("")
            return
        words = self._words
        if words is None and not (self.transcript.has_earlier or self.transcript.has_later):
            words = SearchedText([plain(view.text) for view in self.transcript.turns])
        then = partial(self._words_found, query)
        if words is not None:
            start(self, Job.FIND, lambda: (words, Matches.of(words.texts, pattern)), then)
            return
        key = self._key

        def find(memory: Memory) -> tuple[SearchedText, Matches]:
            told = Conversation.of(memory, key)
            turns = told.shown(memory, 0, told.turns)
            everything = SearchedText([plain(turn.text) for turn in turns], [one.id for one in turns], told)
            return everything, Matches.of(everything.texts, pattern)

        self.ask(Job.FIND, find, then)

    on_find_typed = _find

    def _words_found(self, query: str, found: tuple[SearchedText, Matches]) -> None:
        """Keep what was read; go to the first match from the first turn in view."""
        if not self.find_bar.is_open or query != self.find_bar.query_words:
            return
        words, self._matches = found
        if words.conversation is not None and self._words is None:
            self._words = words
        if not self._matches.total:
            self.transcript.unfind()
            self.find_bar.say("nothing found")
            return
        seen, place = self.transcript.first_in_view(), 0
        if seen is not None and self._words is None:
            place = self.transcript.turns.index(seen)
        elif seen is not None and self._words is not None:
            turns = self._words.turns
            place = turns.index(seen.episode) if seen.episode in turns else len(turns)
        self._go(self._matches.first_from(place))

    def on_find_moved(self, event: FindMoved) -> None:
        if self._matches.total:
            self._go((self._match + event.amount) % self._matches.total)

    def _go(self, number: int) -> None:
        """Show the match with this number, and say which it is."""
        self._match = number
        turn, nth = self._matches.turn(number)
        view = self._view_of(turn)
        self.find_bar.say(f"{number + 1:,} of {self._matches.total:,}")
        pattern = pattern_of(self.find_bar.query_words)
        if view is not None and pattern is not None:
            self.transcript.show_match(pattern, view, nth)
        elif self.busy:
            self.flash("Turns that are further up are shown when the reply is over.", bad=True)
        elif self._words is not None and (told := self._words.conversation) is not None:
            first = max(0, min(turn - WINDOW // 2, told.turns - WINDOW))
            work = partial(told.shown, start=first, limit=WINDOW)
            self.ask(Job.READ_ON, work, partial(self._window_fetched, told, first))

    def _view_of(self, turn: int) -> TurnView | None:
        views = self.transcript.turns
        if self._words is None:
            return views[turn] if turn < len(views) else None
        return next((view for view in views if view.episode == self._words.turns[turn]), None)

    async def _window_fetched(self, told: Conversation, first: int, episodes: Sequence[Episode]) -> None:
        """Other turns of the same conversation stand there now; what is known of it stays."""
        if self._words is None or told is not self._words.conversation or self.busy:
            return
        self._conversation = told
        await self.show_window(first, episodes)
        if self._view_of(self._matches.turn(self._match)[0]) is not None:
            self._go(self._match)

    # -- as a whole

    def erasing(self) -> Callable[[Memory], Radius] | None:
        return deeds.radius_of_session(self._key, self._title or BRANCH) if self.written else None

    def action_erase(self) -> None:
        if self.written:
            super().action_erase()
        else:
            self.flash(NOT_WRITTEN, bad=True)

    def action_export(self) -> None:
        if self.written:
            self.export(self._key, self._title or BRANCH)
        else:
            self.flash(NOT_WRITTEN, bad=True)

    # -- why a reply is what it is

    def action_why(self) -> None:
        """Of the marked turn, or else of the last one."""
        marked = self.transcript.marked
        episode = marked.episode if marked is not None else ""
        if self.asked is not None and (not episode or episode in self.asked.own):
            self._show_why(self.asked)
        else:
            self.ask(Job.READ_ASKED, partial(_asked, self._key, episode), self._show_why)

    def on_why_wanted(self) -> None:
        if self.asked is not None:
            self._show_why(self.asked)

    def _show_why(self, asked: TurnState | None) -> None:
        from app.tui.screens.reply import WhyScreen

        if asked is not None:
            self.app.push_screen(WhyScreen(self.services, asked))
        else:
            self.flash("Nothing was replied to this.", bad=True)

    # -- what was learned

    def on_change_judged(self, event: ChangeJudged) -> None:
        """What was unsure is confirmed where it is kept; what was known stays as sure as it was."""
        from app.tui.screens.beliefs import ask_what_is_right

        fact = event.change.new
        if event.verdict == "dropped":
            self.by_hand(deeds.drop(event.change), event)
        elif event.verdict == "edited" and fact is not None:
            ask_what_is_right(self, fact, event)
        elif fact is not None and fact.unsure:
            self.by_hand(deeds.confirm(fact), event)
        else:
            self.panel.judge(event.change, "kept")
            self.flash("Kept as it was learned")

    def on_undo_wanted(self, event: UndoWanted) -> None:
        self.by_hand(deeds.undo, event)

    def hand_done(self, done: DeedResult, to: object) -> None:
        """`to` is the message that asked for it, where it was about what was learned here."""
        match to:
            case ChangeJudged():
                self.panel.judge(to.change, to.verdict, None if to.verdict == "dropped" else done.fact)
            case UndoWanted():
                self.panel.unjudge()


def _asked(key: str, episode: str, memory: Memory) -> TurnState | None:
    """What the reply to a turn answered, or what that turn did; without one, the last reply of the conversation."""
    conversation = Conversation.of(memory, key)
    place = conversation.place(memory, episode)
    first = max(0, place - REACH)
    turns = conversation.page(memory, first, place - first + 2)
    at = place - first
    if at < len(turns) and turns[at].role == "user":
        at += 1
    reply = turns[at] if at < len(turns) else None
    return asked_before(memory, turns[:at], reply) if reply is not None and reply.role == "assistant" else None
