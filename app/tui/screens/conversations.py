"""A conversation opens with a window of its turns, and brings others as one scrolls to them; reading is a worker's."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from app.tui.jobs import Job, start
from app.tui.messages import MoreFetched, SessionFetched
from app.tui.screens.base import FramedScreen
from app.tui.services import Services
from store.protocols import Message
from store.records import Episode, ModelOptions
from widgets.bars import TopLine
from widgets.messages import BranchWanted, EarlierWanted, LaterWanted
from widgets.plain import one_line
from widgets.prompt import Prompt
from widgets.result_rows import title_of
from widgets.transcript import Transcript
from widgets.welcome import Welcome

if TYPE_CHECKING:
    from app.core.conversation import Conversation

WINDOW = 16
"""Turns that are mounted at once around one that was found, and more of them where one scrolls past those."""
SHORTEST = 3
"""Lines that a turn takes at least: its head, a line of words, and one between it and the next."""
BRANCH = "a branch"


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
        start(self, Job.OPEN_SESSION, partial(self._fetch_session, key, episode))

    def _fetch_session(self, key: str, episode: str) -> None:
        from app.core.again import MOST_HISTORY
        from app.core.conversation import Conversation

        memory = self.services.memory
        if memory is None:
            return
        conversation = Conversation.of(memory, key or memory.episode(episode).session)
        place = conversation.place(memory, episode)
        wanted = WINDOW if episode else self._fitting
        first = max(0, min(place - wanted // 2, conversation.turns - wanted))
        history = conversation.page(memory, max(0, conversation.turns - MOST_HISTORY), MOST_HISTORY)
        window = conversation.shown(memory, first, wanted)
        options = conversation.options(memory)
        self.post_message(SessionFetched(conversation, first, tuple(window), tuple(history), episode, options))

    @property
    def _fitting(self) -> int:
        """Turns that a conversation opens with at its end: no more than fill the screen, since each takes its time."""
        return min(WINDOW, max(WINDOW // 4, self.size.height // SHORTEST))

    async def on_session_fetched(self, event: SessionFetched) -> None:
        from app.core.again import history_of
        from app.core.attaching import documents_of

        if not event.episodes:
            await self.begin_anew()
            return
        self.forget_all()
        told = self._conversation = event.conversation
        self.options, self.documents = event.options, documents_of(event.history)
        self._key, self._title = told.key, told.title
        self._history = history_of(event.history)
        self._name_place(self._title or (title_of("", told.key) if len(told.parts) == 1 else BRANCH))
        self._show_welcome(False)
        await self.show_window(event.first, event.episodes)
        if event.episode:
            self.query_one(Transcript).find(event.episode)
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
        if self._conversation is not None and limit > 0:
            start(self, Job.READ_ON, partial(self._fetch_more, self._conversation, first, limit, earlier))

    def _fetch_more(self, conversation: Conversation, first: int, limit: int, earlier: bool) -> None:
        if self.services.memory is not None:
            found = conversation.shown(self.services.memory, first, limit)
            self.post_message(MoreFetched(conversation, first, tuple(found), earlier))

    async def on_more_fetched(self, event: MoreFetched) -> None:
        """Only what adjoins the window: the person may have gone elsewhere meanwhile."""
        transcript, told = self.query_one(Transcript), event.conversation
        if told is not self._conversation:
            return
        if event.earlier and event.first + len(event.episodes) == self._first:
            self._first = event.first
            await transcript.prepend(event.episodes, has_earlier=self._first > 0)
        elif not event.earlier and event.first == self._last:
            self._last += len(event.episodes)
            await transcript.append(event.episodes, has_later=self._last < told.turns)

    def on_branch_wanted(self, event: BranchWanted) -> None:
        """What comes after this turn stays where it is; from here on, it is another conversation."""
        from app.core.conversation import branch_key

        event.stop()
        self.open_session(branch_key(self.services.now, event.episode))
