"""A conversation opens with a window of its turns, and brings others as one scrolls to them; reading is a worker's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from app.core.bringing import documents_of
from app.core.conversation import MOST_HISTORY, Conversation, branch_key, history_of
from app.tui.jobs import Job
from app.tui.screens.base import FramedScreen
from app.tui.services import Services
from store.protocols import Message
from store.records import Episode, ModelOptions
from widgets.bars import TopLine
from widgets.messages import BranchWanted, EarlierWanted, LaterWanted
from widgets.plain import one_line
from widgets.prompt import Prompt
from widgets.transcript import Transcript
from widgets.welcome import Welcome
from widgets.wording import NO_TITLE

if TYPE_CHECKING:
    from store.memory import Memory

WINDOW = 16
"""Turns that are mounted at once around one that was found, and more of them where one scrolls past those."""
SHORTEST = 3
"""Lines that a turn takes at least: its head, a line of words, and one between it and the next."""
BRANCH = "a branch"


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
    """Shows one conversation."""

    def __init__(self, services: Services, *, demo: bool = False) -> None:
        super().__init__(services)
        self._demo = demo
        self._key, self._title = "", ""
        self._history: list[Message] = []
        self.options = ModelOptions()
        """How a model speaks in this conversation, where it was told."""
        self.documents: tuple[str, ...] = ()
        """The keys of the documents that were attached to it."""
        self._conversation: Conversation | None = None
        self._first = self._last = 0
        """Which turns of it are shown: from this place to before that."""

    async def begin_anew(self) -> None:
        """Another conversation, on the record and with nothing in it."""

    def hush(self) -> None:
        """What was said of the conversation before this one is told no longer."""

    def forget_all(self) -> None:
        """Nothing of the conversation before this one is on screen."""

    @property
    def busy(self) -> bool:
        """A reply is being written."""
        return False

    def _name_place(self, words: str) -> None:
        demo = " · demo" if self._demo else ""
        self.query_one(TopLine).place = f"erstwhile{demo} · {one_line(words, 60)}"

    def _show_welcome(self, shown: bool) -> None:
        self.query_one(Welcome).display = shown
        self.query_one(Transcript).display = not shown

    def open_session(self, key: str, episode: str = "") -> None:
        """Show a conversation (found by the episode, if the key is empty), at its end or at one turn."""
        self.ask(Job.OPEN_SESSION, partial(self._fetch_session, key, episode), self._session_fetched)

    def _fetch_session(self, key: str, episode: str, memory: Memory) -> Opened:
        conversation = Conversation.of(memory, key or memory.episodes.get(episode).session)
        place = conversation.place(memory, episode)
        wanted = WINDOW if episode else self._fitting
        first = max(0, min(place - wanted // 2, conversation.turns - wanted))
        history = conversation.page(memory, max(0, conversation.turns - MOST_HISTORY), MOST_HISTORY)
        window = conversation.shown(memory, first, wanted)
        return Opened(conversation, first, window, history, conversation.options(memory), episode)

    @property
    def _fitting(self) -> int:
        """Turns that a conversation opens with at its end: no more than fill the screen, since each takes its time."""
        return min(WINDOW, max(WINDOW // 4, self.size.height // SHORTEST))

    async def _session_fetched(self, read: Opened) -> None:
        if not read.episodes:
            await self.begin_anew()
            return
        if read.conversation.key != self._key:
            self.hush()
        self.forget_all()
        told = self._conversation = read.conversation
        self.options, self.documents = read.options, documents_of(read.history)
        self._key, self._title = told.key, told.title
        self._history = history_of(read.history)
        self._name_place(self._title or (NO_TITLE if len(told.parts) == 1 else BRANCH))
        self._show_welcome(False)
        await self.show_window(read.first, read.episodes)
        if read.episode:
            self.query_one(Transcript).find(read.episode)
        self.query_one(Prompt).focus()

    async def show_window(self, first: int, episodes: Sequence[Episode]) -> None:
        """Show these turns of the conversation, from the place `first` on, and no others."""
        from app.tui.screens.reply import small_models

        assert self._conversation is not None
        self._first, self._last = first, first + len(episodes)
        has_later = self._last < self._conversation.turns
        transcript = self.query_one(Transcript)
        transcript.notes = small_models(self.services.voice)
        await transcript.show(episodes, has_earlier=first > 0, has_later=has_later)

    def on_earlier_wanted(self, event: EarlierWanted) -> None:
        event.stop()
        first = max(0, self._first - WINDOW)
        self._read_on(first, self._first - first, earlier=True)

    def on_later_wanted(self, event: LaterWanted) -> None:
        event.stop()
        self._read_on(self._last, WINDOW, earlier=False)

    def _read_on(self, first: int, limit: int, *, earlier: bool) -> None:
        told = self._conversation
        if told is not None and limit > 0:
            work = partial(told.shown, start=first, limit=limit)
            self.ask(Job.READ_ON, work, partial(self._more_fetched, told, first, earlier))

    async def _more_fetched(self, told: Conversation, first: int, earlier: bool, episodes: Sequence[Episode]) -> None:
        """Only what adjoins the window: the person may have gone elsewhere meanwhile."""
        transcript = self.query_one(Transcript)
        if told is not self._conversation:
            return
        if earlier and first + len(episodes) == self._first:
            self._first = first
            await transcript.prepend(episodes, has_earlier=self._first > 0)
        elif not earlier and first == self._last:
            self._last += len(episodes)
            await transcript.append(episodes, has_later=self._last < told.turns)

    def on_branch_wanted(self, event: BranchWanted) -> None:
        """What comes after this turn stays where it is; from here on, it is another conversation."""
        event.stop()
        self.open_session(branch_key(self.services.now, event.episode))
