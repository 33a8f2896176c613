"""The last exchange can be had again, and whatever takes its place, what was there before can be gone back to."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from app.core.conversation import (
    NOTHING_SAID,
    Again,
    LastExchange,
    Way,
    branch_key,
    instead_key,
    last_exchange,
    versions,
    why_not,
)
from app.core.turn import MEMORY_SPEAKER, Closed
from app.tui.jobs import Job
from app.tui.screens.conversations import Opened
from app.tui.screens.preparing import BUSY, PreparingScreen
from app.tui.services import Services
from store.errors import NotFound
from widgets.transcript import Transcript

if TYPE_CHECKING:
    from store.memory import Memory

TYPED = "Something stands in the prompt: send it or take it out first."
EDITING = "What you send now takes the place of your last message; esc leaves that as it is."
UNCHANGED = "Nothing was changed, so nothing was sent again."
KEPT = "The earlier version is kept as a conversation of its own."
ONLY_ONE = "There is no other version of this conversation."


class AgainScreen(PreparingScreen):
    """A conversation whose last exchange can be had again."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("alt+r", "regenerate", "another reply", show=False, id="chat.regenerate"),
        Binding("alt+e", "edit", "edit and resend", show=False, id="chat.edit"),
        Binding("alt+c", "go_on", "go on with the reply", show=False, id="chat.continue"),
        Binding("alt+o", "version", "other version", show=False, id="chat.version"),
    ]

    def __init__(self, services: Services, *, demo: bool = False) -> None:
        super().__init__(services, demo=demo)
        self._ended: Closed | None = None
        """How the last reply of this conversation ended, if that was since it was opened."""
        self._editing: LastExchange | None = None
        """What is sent next takes its place."""

    def say(self, **parts: str) -> None:
        """Change parts of the status line."""

    async def begin_turn(self, text: str, again: Again | None = None) -> None:
        """Show what the person says, and begin the reply to it."""

    async def action_regenerate(self) -> None:
        """Have another reply."""
        await self._again("another reply")

    async def action_edit(self) -> None:
        """Say the last message otherwise."""
        await self._again("other words")

    async def action_go_on(self) -> None:
        """Have the rest of a reply that was cut."""
        await self._again("the rest")

    async def _again(self, way: Way) -> None:
        if not self.can_go_on():
            return
        if not self.records:
            await self._have(self._unwritten(), way)
        else:
            key = self._key
            self.ask(Job.READ_EXCHANGE, partial(last_exchange, key=key), partial(self._exchange_read, key, way))

    async def _exchange_read(self, key: str, way: Way, exchange: LastExchange) -> None:
        if key == self._key and self.records and not self.busy:
            await self._have(exchange, way)

    def _unwritten(self) -> LastExchange | None:
        """The last exchange off the record."""
        said, closed = self._history, self._ended
        place = next((place for place in reversed(range(len(said))) if said[place].role == "user"), None)
        if place is None:
            return None
        reply = said[place + 1].content if place + 1 < len(said) else ""
        cut = closed is not None and closed.cut
        by_memory = closed is not None and closed.speaker == MEMORY_SPEAKER
        return LastExchange(said[place].content, tuple(said[:place]), "", reply, cut=cut, by_memory=by_memory)

    async def _have(self, exchange: LastExchange | None, way: Way) -> None:
        if exchange is None:
            self.flash(NOTHING_SAID, bad=True)
        elif reason := why_not(exchange, way, has_model=self.services.voice is not None, coming=self.services.coming):
            self.flash(reason, bad=True)
        elif way == "other words":
            self._edit(exchange)
        elif way == "the rest":
            await self.begin_turn(exchange.asked, Again(exchange.history, said=True, partial=exchange.reply))
        else:
            await self._reply_again(exchange)

    async def _reply_again(self, exchange: LastExchange) -> None:
        if exchange.reply and exchange.episode:
            self._key = branch_key(self.services.now, exchange.episode)
        await self.query_one(Transcript).leave_off(after_mine=True)
        await self.begin_turn(exchange.asked, Again(exchange.history, said=True))
        self._say_kept(exchange)

    def _say_kept(self, exchange: LastExchange) -> None:
        if exchange.reply and exchange.episode:
            key = self.key_of("other version")
            self.flash(f"{KEPT} {key} shows it." if key else KEPT)

    # -- other words

    @property
    def editing(self) -> bool:
        """What is sent next takes the place of what was said last."""
        return self._editing is not None

    def _edit(self, exchange: LastExchange) -> None:
        """Put what was said last into the prompt."""
        if self.prompt.text.strip() and not self.prompt.recalling:
            self.flash(TYPED, bad=True)
            return
        self._editing = exchange
        self.prompt.end_recall()
        self.prompt.text = exchange.asked
        self.prompt.move_cursor(self.prompt.document.end)
        self.prompt.focus()
        self.say(note=EDITING, tone="$success")
        self.refresh_bindings()

    def action_leave_editing(self) -> None:
        """What was said last stays; what was typed instead of it stays in the prompt."""
        if self._editing is not None and self.prompt.text.strip() == self._editing.asked.strip():
            self.prompt.clear()
        self._editing = None
        self.flash("")
        self.refresh_bindings()

    async def send_instead(self, text: str) -> None:
        """Say this instead of what was said last."""
        exchange, self._editing = self._editing, None
        self.refresh_bindings()
        assert exchange is not None
        if text == exchange.asked.strip():
            self.flash(UNCHANGED)
            return
        if exchange.episode:
            self._key = instead_key(self.services.now, exchange.episode)
        if not exchange.history:
            self._title = ""
        await self.query_one(Transcript).leave_off()
        await self.begin_turn(text, Again(exchange.history, replaces=exchange.episode))
        self._say_kept(exchange)

    # -- what was there before

    def action_version(self) -> None:
        """Go to the next version of this conversation; from the last to the first."""
        if self.busy:
            self.flash(BUSY, bad=True)
        else:
            self.ask(Job.OPEN_SESSION, partial(self._fetch_version, self._key), self._version_fetched)

    def _fetch_version(self, key: str, memory: Memory) -> tuple[Opened, int, int]:
        """Another version, which one it is (from 1), and of how many."""
        keys = versions(memory, key)
        if len(keys) < 2:
            raise NotFound(ONLY_ONE)
        place = (keys.index(key) + 1) % len(keys) if key in keys else 0
        return self._fetch_session(keys[place], "", memory), place + 1, len(keys)

    async def _version_fetched(self, read: tuple[Opened, int, int]) -> None:
        opened, number, total = read
        await self._session_fetched(opened)
        self.flash(f"Version {number} of {total} of this conversation.")
