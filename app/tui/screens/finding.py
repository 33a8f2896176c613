"""A conversation is searched whole, though only a window of it is mounted: its words are read once, by a worker, and a
keystroke waits for none of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from app.core.conversation import Conversation, SearchedText
from app.tui.jobs import Job, start
from app.tui.screens.conversations import WINDOW, ConversationScreen
from app.tui.services import Services
from store.records import Episode
from widgets.finding import FindBar, Matches, pattern_of
from widgets.messages import FindLeft, FindMoved, FindTyped, FindWanted
from widgets.plain import plain
from widgets.prompt import Prompt
from widgets.transcript import Transcript, TurnView

if TYPE_CHECKING:
    from store.memory import Memory

NONE = "nothing found"


class FindingScreen(ConversationScreen):
    """A conversation, and a field that looks for words in it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+slash,ctrl+underscore", "find", "find here", show=False, id="chat.find")
    ]

    def __init__(self, services: Services, *, demo: bool = False) -> None:
        super().__init__(services, demo=demo)
        self.find_bar = FindBar(id="find")
        self._words: SearchedText | None = None
        self._matches = Matches(())
        self._match = 0
        """The number of the match that one is at, from 0."""

    def action_find(self) -> None:
        """Open the field, unless nothing was said yet."""
        if self.query_one(Transcript).display:
            self._words = None
            self.find_bar.open()
            self._begin()

    def on_find_wanted(self, event: FindWanted) -> None:
        event.stop()
        self.action_find()

    def leave_find(self) -> None:
        """Close the field; what is in view stays."""
        if self.find_bar.is_open:
            self.find_bar.close()
            self.query_one(Transcript).unfind()
            self._words, self._matches = None, Matches(())
            self.refresh_bindings()

    def on_find_left(self, event: FindLeft) -> None:
        event.stop()
        self.leave_find()
        self.query_one(Prompt).focus()

    # -- looking

    def on_find_typed(self, event: FindTyped) -> None:
        event.stop()
        self._begin()

    def _begin(self) -> None:
        """Look for what is typed, from where one reads."""
        query, transcript = self.find_bar.query_words, self.query_one(Transcript)
        pattern = pattern_of(query)
        if pattern is None:
            self._matches = Matches(())
            transcript.unfind()
            self.find_bar.say("")
            return
        words = self._words
        if words is None and not (transcript.has_earlier or transcript.has_later):
            words = SearchedText([plain(view.text) for view in transcript.turns])
        then = partial(self._words_found, query)
        if words is not None:
            start(self, Job.FIND, partial(_found, pattern, words), then)
        else:
            self.ask(Job.FIND, lambda memory: _found(pattern, _words_of(memory, self._key)), then)

    def _words_found(self, query: str, found: tuple[SearchedText, Matches]) -> None:
        """Keep what was read; go to the first match from where one was reading."""
        if not self.find_bar.is_open or query != self.find_bar.query_words:
            return
        words, self._matches = found
        if words.conversation is not None and self._words is None:
            self._words = words
        if not self._matches.total:
            self.query_one(Transcript).unfind()
            self.find_bar.say(NONE)
            return
        self._go(self._matches.first_from(self._turn_in_view()))

    def _turn_in_view(self) -> int:
        """The place of the first turn in view, among those that are searched."""
        transcript = self.query_one(Transcript)
        seen = transcript.first_in_view()
        if seen is None:
            return 0
        if self._words is None:
            return transcript.turns.index(seen)
        return self._words.turns.index(seen.episode) if seen.episode in self._words.turns else len(self._words.turns)

    # -- going from match to match

    def on_find_moved(self, event: FindMoved) -> None:
        event.stop()
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
            self.query_one(Transcript).show_match(pattern, view, nth)
        elif self._words is not None and self._words.conversation is not None and not self.busy:
            told = self._words.conversation
            first = max(0, min(turn - WINDOW // 2, told.turns - WINDOW))
            work = partial(told.shown, start=first, limit=WINDOW)
            self.ask(Job.READ_ON, work, partial(self._window_fetched, told, first))
        elif self.busy:
            self.flash("Turns that are further up are shown when the reply is over.", bad=True)

    def _view_of(self, turn: int) -> TurnView | None:
        views = self.query_one(Transcript).turns
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


def _found(pattern: re.Pattern[str], words: SearchedText) -> tuple[SearchedText, Matches]:
    return words, Matches.of(words.texts, pattern)


def _words_of(memory: Memory, key: str) -> SearchedText:
    """All words of a conversation."""
    conversation = Conversation.of(memory, key)
    turns = conversation.shown(memory, 0, conversation.turns)
    return SearchedText([plain(turn.text) for turn in turns], [one.id for one in turns], conversation)
