"""The prompt is always ready: whatever the memory or the model is doing, a keystroke is answered and typed text stays.

What stands in the prompt, and what waits to be sent, is written down while one types, and stands there again after a
crash; off the record nothing is. The last exchange can be had again, and whatever takes its place, what was there
before can be gone back to.
"""

from __future__ import annotations

import itertools
import queue
import threading
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.reactive import reactive
from textual.timer import Timer
from textual.worker import get_current_worker

from app.core import deeds
from app.core.bringing import documents_of, shown_with
from app.core.clock import Times
from app.core.conversation import (
    NO_MODEL,
    NO_REPLY,
    NOTHING_SAID,
    Again,
    LastExchange,
    TurnState,
    Way,
    branch_key,
    instead_key,
    joined,
    last_exchange,
    versions,
    why_not,
)
from app.core.stock_replies import FORGET
from app.core.turn import MEMORY_SPEAKER, Closed, Request, TurnEvent, take_turn
from app.tui.jobs import Job, failed, start
from app.tui.screens.conversations import ConversationScreen, Opened
from app.tui.screens.dialogs import ConsentDialog, OptionsDialog
from app.tui.services import Services
from store.errors import ErstwhileError, NotFound
from store.protocols import Message
from store.reading.asking.forgetting import whom_to_forget
from store.records import Episode, ModelOptions, Turn
from widgets.bars import KeyLine, Status, StatusLine, TopLine
from widgets.messages import PromptSent, SourceChosen, TurnChosen
from widgets.plain import one_line, plain
from widgets.prompt import MEMORY_OPEN, Waiting
from widgets.transcript import TurnHead, TurnView
from widgets.wording import LONGEST_TITLE

if TYPE_CHECKING:
    from app.tui.screens.reply import ReplyUnderWay
    from store.memory import Memory

NOTE_SECONDS = 10.0
"""For how long the status line says what was done."""
EVERY = 0.5
"""Seconds from a keystroke until what was typed is on the disk."""
BACK = "What you were writing is here again."
BUSY = "A reply is being written; esc stops it."
OFF_RECORD = "Nothing is written off the record, so no file can be attached; ctrl+r goes back on it."
TYPED = "Something stands in the prompt: send it or take it out first."
EDITING = "What you send now takes the place of your last message; esc leaves that as it is."
UNCHANGED = "Nothing was changed, so nothing was sent again."
KEPT = "The earlier version is kept as a conversation of its own."
ONLY_ONE = "There is no other version of this conversation."


class ChatScreen(ConversationScreen):
    """One conversation, and beside it what the memory does for it."""

    CSS_PATH = "chat.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("alt+m", "options", "how the model speaks here", show=False, id="chat.options"),
        Binding("alt+a", "attach", "attach a file", show=False, id="chat.attach"),
        Binding("alt+r", "again('another reply')", "another reply", show=False, id="chat.regenerate"),
        Binding("alt+e", "again('other words')", "edit and resend", show=False, id="chat.edit"),
        Binding("alt+c", "again('the rest')", "go on with the reply", show=False, id="chat.continue"),
        Binding("alt+o", "version", "other version", show=False, id="chat.version"),
        Binding("escape", "stop", "stop", id="chat.stop"),
        Binding("escape", "leave_editing", "leave it as it was", id="chat.leave_edit"),
        Binding("escape", "close_drawer", "close", id="chat.close"),
        Binding("escape", "write", "write on", id="chat.write"),
        Binding("escape", "leave_time", "back to now", id="chat.now"),
        Binding("ctrl+t", "app.timeline", "timeline", id="go.timeline"),
        Binding("ctrl+l", "app.beliefs", "beliefs", id="go.beliefs"),
        Binding("ctrl+f", "app.search", "search", id="go.search", priority=True),
        Binding("slash", "app.search", "search", show=False, id="go.search_slash"),
        Binding("f2", "why", "why", id="chat.why"),
        Binding("ctrl+b", "toggle_panel", "memory", id="chat.panel"),
        Binding("ctrl+o", "app.sessions", "chats", id="go.sessions"),
        Binding("ctrl+n", "new_chat", "new", id="chat.new"),
        Binding("ctrl+r", "toggle_record", "off the record", id="chat.off_record"),
        Binding("ctrl+e", "app.brief", "brief", show=False, priority=True, id="go.brief"),
        Binding("f4", "app.night", "sleep", show=False, id="go.sleep"),
        Binding("f5", "app.fading", "fading", show=False, id="go.fading"),
        Binding("f7", "app.diary", "diary", show=False, priority=True, id="go.diary"),
        Binding("f9", "app.doctor", "doctor", show=False, id="go.doctor"),
        Binding("f3", "app.models", "models", show=False, id="go.models"),
        Binding("f6", "app.settings", "settings", show=False, priority=True, id="go.settings"),
        Binding("f8", "app.import", "import", show=False, id="go.import"),
        Binding("ctrl+s", "app.sleep", "sleep now", show=False, id="memory.sleep"),
        Binding("ctrl+p", "app.command_palette", "commands", show=True, id="app.palette"),
        Binding("pageup", "page(-1)", "page up", show=False, id="chat.page_up"),
        Binding("pagedown", "page(1)", "page down", show=False, id="chat.page_down"),
        Binding("ctrl+end,end", "latest", "newest line", show=False, id="chat.latest"),
    ]
    HELP = """
    ### Chat
    What you say is saved before anything else happens to it. Answers that the memory knows by itself are marked "from
    memory" and list the words they rest on. `ctrl+r` starts a chat off the record: it may read the memory, and writes
    nothing. What you type goes to the prompt wherever the focus is, but for the letters that are keys there.

    `alt+r` asks for another reply to your last message, also of a model that is too small to be relied on; `alt+e` lets
    you say that otherwise, and `alt+c` goes on with a reply that was stopped or grew too long. The version before is
    kept: `alt+o` goes there, and back. What only the message taught that you said otherwise is taken back; its words
    stay.

    `alt+a` attaches a text file: it can be searched and asked about, and teaches nothing about you unless you say that
    the words are your own. `alt+m` says how the model speaks here.
    """
    off_record = reactive(False)
    """Nothing of this conversation is written. The only place where this is kept."""

    def __init__(self, services: Services, *, demo: bool = False) -> None:
        super().__init__(services, demo=demo)
        self.waiting = Waiting(id="waiting")
        self.reopens = ""
        """The key of the conversation that is shown first; empty for a new one."""
        self.unkept: ModelOptions | None = None
        """How a model speaks here, to be written down with the next turn, since there may be no conversation yet."""
        self._soon: Timer | None = None
        self._stop = threading.Event()
        self._owed = False
        """It was promised to say when a model is there."""
        self._ended: Closed | None = None
        """How the last reply of this conversation ended, if that was since it was opened."""
        self._editing: LastExchange | None = None
        """What is sent next takes its place."""

    # -- the frame

    def compose(self) -> ComposeResult:
        yield TopLine()
        with Horizontal(id="body"):
            with Vertical(id="conversation"):
                yield self.transcript
                yield self.welcome
                yield self.find_bar
                yield self.waiting
                yield self.prompt
            yield self.panel
        yield StatusLine()
        yield KeyLine()

    def begin(self) -> None:
        self._begin_chat()
        self.off_record = self.services.settings.off_the_record
        self.prompt.focus()
        self.call_after_refresh(self.read_draft)

    def on_unmount(self) -> None:
        self._stop.set()

    def on_screen_resume(self) -> None:
        self.refresh_times()

    def refresh_times(self) -> None:
        """The times at which questions are asked may have been set elsewhere."""
        times = self.services.times
        true_at = times.believed if times.as_of is None or times.as_of.start is None else times.as_of.start
        self.say_times(true_at, times.believed)
        self.refresh_bindings()

    def watch_off_record(self, off_record: bool) -> None:
        if self.is_mounted:
            self.query_one(TopLine).off_record = off_record
            self.welcome.off_record = off_record
            self.prompt.go_off_record(off_record)
            self.set_class(off_record, "-off-record")
            self.keep_soon()

    @property
    def shown(self) -> str:
        """The key of the conversation on screen; empty where nothing of it is written."""
        return self._key if self._history and not self.off_record else ""

    @property
    def written(self) -> bool:
        return super().written and not self.off_record

    @property
    def speaking(self) -> ModelOptions:
        return self.options.over(self.services.settings.speaking)

    @property
    def _key_of_reply(self) -> str:
        """What has a model reply to the last message; the palette can, where no key does."""
        return self.key_of("another reply") or "ctrl+p"

    def flash(self, words: str, *, bad: bool = False) -> None:
        self.say(note=words, tone="$error" if bad else "$success")
        self.set_timer(NOTE_SECONDS, partial(self._pass, self._status))

    def _pass(self, said: Status) -> None:
        """What was said has been read, unless something else stands there by now."""
        if self._status.note == said.note:
            self.say(note="")

    # -- what the app tells it

    def opened(self) -> None:
        """The memory is open: the conversation that was left for a while is shown, and what waits is sent."""
        if self.reopens:
            self.open_session(self.reopens)
            return  # what waits stands in the prompt then: it was typed before one saw where
        for message in self.waiting.take():
            self.post_message(PromptSent(message))

    def model_came(self) -> None:
        """A model is there from now on, or none is: said once, where one was promised for what was declined."""
        if not self._owed or self.services.coming:
            return
        from app.tui.screens.reply import READY, READY_LAST

        self._owed = False
        if self.services.voice is None:
            self.flash(NO_MODEL, bad=True)
        else:
            last = self._ended is not None and self._ended.declined and not self.busy
            words = READY_LAST if last else READY
            self.flash(words.format(name=self.services.model_state, key=self._key_of_reply))

    def say_sleep(self, words: str) -> None:
        """How the memory sleeps, or what waits for it."""
        self.say(sleep=words)
        self.refresh_bindings()

    def answers(self, key: str) -> bool:
        return self.busy and self._key == key

    def forget_words(self) -> None:
        """What was erased must not stay on screen, nor in what a model is given next."""
        self.panel.clear()
        self.prompt.end_recall(forget=True)
        if not self.off_record and self._history:
            self.open_session(self._key)

    # -- conversations

    def _begin_chat(self) -> None:
        self._key = f"chat-{self.services.clock.now().us}"
        self._title, self._history, self._conversation = "", [], None
        self._reply = self.asked = self._ended = self._editing = self.unkept = None
        self.options, self.documents = ModelOptions(), ()
        self.panel.clear()
        self.leave_find()
        self.prompt.end_recall()
        self.prompt.history.clear()  # what was sent elsewhere is not brought back here
        self.take_back_waiting()
        self._show_welcome(True)
        self._name_place("new chat")

    def forget_all(self) -> None:
        self.off_record = False
        self._begin_chat()

    async def begin_anew(self) -> None:
        # At once: what waits was meant for the conversation that ends here, which may be off the record.
        self._reply = None
        self.take_back_waiting()
        self.off_record = False
        await self.transcript.clear()
        self._begin_chat()
        self.prompt.focus()

    async def action_new_chat(self) -> None:
        self.say(note="")
        await self.begin_anew()
        await self.run_action("app.read_morning")  # much may have been said since it was read

    async def action_toggle_record(self) -> None:
        """Always another chat: what is off the record and what is on it never share a conversation."""
        off_record = not self.off_record
        await self.action_new_chat()
        self.off_record = off_record
        self._name_place("new chat")

    def on_source_chosen(self, event: SourceChosen) -> None:
        self.post_message(TurnChosen(event.source.session, event.source.episode))

    # -- what is typed

    @property
    def typed(self) -> str:
        """What was typed and not sent, what waits first. What was only recalled was sent before."""
        typed = "" if self.prompt.recalling else self.prompt.text
        waits = [*self.waiting.messages, *([typed] if typed.strip() else [])]
        return "" if self.off_record else "\n".join(waits)

    def read_draft(self) -> None:
        """Bring back what was typed when the program ended; it stands before what was typed meanwhile."""
        if self.services.draft is not None and not self.off_record:
            start(self, Job.READ_DRAFT, self.services.draft.read, self._draft_read)

    def _draft_read(self, draft: str) -> None:
        if text := plain(draft).strip():
            self.prompt.give_back(text)
            self.flash(BACK)

    def on_text_area_changed(self) -> None:
        self.keep_soon()

    def keep_soon(self) -> None:
        """Once for all that is typed meanwhile: a keystroke waits for no disk."""
        if self._soon is None and self.services.draft is not None:
            self._soon = self.set_timer(EVERY, self._keep)

    def _keep(self) -> None:
        self._soon = None
        if (draft := self.services.draft) is not None:
            draft.text = self.typed
            start(self, Job.KEEP_DRAFT, draft.keep)

    def keep_at_end(self) -> None:
        """The program ends, or has crashed. Raises StoreError."""
        if (draft := self.services.draft) is not None:
            draft.text = self.typed
            draft.keep()

    def take_back_waiting(self) -> None:
        """What waits is not sent: it stands in the prompt again."""
        if waiting := self.waiting.take():
            self.prompt.give_back("\n".join(waiting))

    def on_typed_wanted(self) -> None:
        """What waits is taken back first; then what the person said here, once where it was said twice in a row."""
        if self.waiting.messages and not self.prompt.text:
            self.prompt.give_back(self.waiting.last())
            return
        mine = (message.content for message in self._history if message.role == "user")
        self.prompt.recall([text for text, _again in itertools.groupby(mine)])

    def on_key(self, event: events.Key) -> None:
        """What is typed where it is no key is meant for the prompt, wherever the focus is."""
        if event.is_printable and event.key not in self.active_bindings:
            event.stop()
            self._to_the_prompt(events.Key(event.key, event.character))

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self._to_the_prompt(events.Paste(event.text))

    def _to_the_prompt(self, typed: events.Event) -> None:
        self.action_close_drawer()
        self.set_focus(self.prompt)  # at once: what is typed next must come after this
        self.prompt.post_message(typed)

    # -- how the model speaks, and files

    def action_options(self) -> None:
        voice, usual = self.services.voice, self.services.settings.speaking
        loaded = getattr(voice.model, "n_ctx", None) if voice is not None else None
        self.ask_in(OptionsDialog(self.options, usual, loaded), self._options_said)

    def _options_said(self, options: ModelOptions) -> None:
        self.options, key = options, self._key

        def keep(memory: Memory) -> None:
            with suppress(NotFound):  # nothing was said in it yet: they are written down with the first turn
                memory.sessions.set_model_options(key, options)

        if not self.off_record:
            self.unkept = options
            self.ask(Job.CHANGE_SESSION, keep)
        self.flash("From the next reply on, the model speaks so in this conversation.")

    def action_attach(self) -> None:
        from app.tui.screens.bring import AttachDialog

        if self.off_record:
            self.flash(OFF_RECORD, bad=True)
        elif self._can_go_on():
            self.ask_in(AttachDialog(self.services, self._key, self._title), self._attached)

    async def _attached(self, turn: Episode) -> None:
        if turn.session == self._key:
            self.documents = tuple(dict.fromkeys((*self.documents, *documents_of([turn]))))
            self._show_welcome(False)
            await self.transcript.add(TurnView.of(turn))
        self.flash(shown_with(turn))
        self.app.call_later(self.app.run_action, "count_state")

    def _can_go_on(self) -> bool:
        """No reply is being written, and the last turn is shown; else the person is told, and it is."""
        if self.busy:
            self.flash(BUSY, bad=True)
        elif self.transcript.has_later:
            self.flash("You were reading earlier turns; press it again.", bad=True)
            self.open_session(self._key)
        else:
            return True
        return False

    # -- one turn

    async def on_prompt_sent(self, event: PromptSent) -> None:
        if self.services.memory is None:
            self.waiting.add(event.text, MEMORY_OPEN)
        elif whom := whom_to_forget(event.text, self.services.memory.people.entities):
            self.ask(Job.MEASURE_ERASE, deeds.radius_of_subject(whom), self.ask_to_erase)
        elif self.busy:
            self.waiting.add(event.text)
        elif self.transcript.has_later:
            self._to_the_end(event.text)
        elif self._editing is not None:
            await self._send_instead(self._editing, event.text)
        else:
            await self.begin_turn(event.text)

    def _to_the_end(self, text: str) -> None:
        """What is said stands below what was said last, and is sent as soon as that is shown; until then the words
        stand in the prompt, where nothing loses them."""
        self.prompt.give_back(text)

        async def say(read: Opened) -> None:
            await self._session_fetched(read)
            if self.prompt.leave_off(text):
                await self.begin_turn(text)

        self.ask(Job.OPEN_SESSION, partial(self._fetch_session, self._key, ""), say)

    def action_forget(self) -> None:
        self.prompt.give_back(FORGET)
        self.prompt.focus()

    async def begin_turn(self, text: str, again: Again | None = None) -> None:
        from app.tui.screens.reply import ReplyUnderWay

        self.say(note="", speed="", room="")
        self.keep_soon()
        self._show_welcome(False)
        now = self.services.clock.now()
        said = (
            [turn for turn in self.transcript.turns if turn.head.mine][-1:] if again is not None and again.said else []
        )
        mine = said[0] if said else TurnView(TurnHead("you", now, True), text)
        view = TurnView(TurnHead("…", now, False))
        self._stop = threading.Event()
        self.asked = TurnState(text, self.services.times)
        reply = self._reply = ReplyUnderWay(mine, view, self.panel, self.services, self.asked)
        reply.partial = again.partial if again is not None else ""
        reply.context, reply.key = self.speaking.context, self._key_of_reply
        if not said:
            await self.transcript.add(mine)
        await self.transcript.add(view)
        await view.wait("looking through what you told me…")
        if self._reply is reply:
            self._run_turn(reply, text, again or Again(tuple(self._history)))
        else:  # a key has begun another conversation meanwhile, for which it was not meant
            self.prompt.give_back(text)

    def _run_turn(self, reply: ReplyUnderWay, text: str, again: Again) -> None:
        if not self._title:
            self._title = one_line(text, LONGEST_TITLE)
            self._name_place(self._title)
        turn = Turn(text, self._key, said_at=self.services.clock.now(), title=self._title)
        request = Request(
            turn, again.history, self.services.times, self.off_record, partial(self._agree, self._stop),
            said=again.said, partial=again.partial, replaces=again.replaces, options=self.speaking,
            keep=None if again.said else self.unkept, documents=self.documents,
        )  # fmt: skip
        self.unkept = self.unkept if again.said else None
        self._history = [*again.history, Message("user", text)]
        self.ask(Job.ANSWER, partial(self._take_turn, reply, request, self._stop))

    def _take_turn(self, reply: ReplyUnderWay, request: Request, stop: threading.Event, memory: Memory) -> None:
        worker = get_current_worker()
        try:
            for event in take_turn(memory, self.services.voice, request, stop):
                if worker.is_cancelled:
                    stop.set()
                self.call_later(self._advance, reply, event)
        except ErstwhileError as error:
            self.call_later(self._fail, reply, str(error))
        except Exception:
            self.call_later(self._fail, reply, failed(Job.ANSWER))
            raise

    def _agree(self, stop: threading.Event, words: str) -> bool:
        """Asks the person whether a model's step may change the memory; a worker waits here for them."""
        answers: queue.SimpleQueue[bool] = queue.SimpleQueue()

        def ask() -> None:
            self.app.push_screen(ConsentDialog(words), lambda agreed: answers.put(bool(agreed)))

        self.call_later(ask)
        while not stop.is_set() and self.app.is_running:
            with suppress(queue.Empty):
                return answers.get(timeout=0.05)
        return False

    async def _advance(self, reply: ReplyUnderWay, event: TurnEvent) -> None:
        """Something happened in a turn; nothing is shown of one that was left."""
        if self._reply is not reply:
            return
        closed = await reply.advance(event)
        if (reply.speed, reply.room) != (self._status.speed, self._status.room):
            self.say(speed=reply.speed, room=reply.room)
        if closed is not None:
            said = NO_REPLY if closed.declined else Message("assistant", joined(reply.partial, closed.text))
            self._history.append(said)
            self._ended = closed
            self._owed = self._owed or (closed.declined and (self.services.voice is None or bool(self.services.coming)))
            self._end_turn()
            if following := self.waiting.first():
                await self.begin_turn(following)

    async def _fail(self, reply: ReplyUnderWay, sentence: str) -> None:
        if self._reply is reply:
            await reply.fail(sentence)
            self._end_turn()
            self.take_back_waiting()  # it would fail like this one

    def _end_turn(self) -> None:
        self._reply = None
        self.refresh_bindings()
        self.app.call_later(self.app.run_action, "count_state")

    # -- the last exchange again

    async def action_again(self, way: Way) -> None:
        """Have another reply, the last message in other words, or the rest of a reply that was cut."""
        if not self._can_go_on():
            return
        key = self._key

        async def have(exchange: LastExchange) -> None:
            if key == self._key and not self.off_record and not self.busy:
                await self._have(exchange, way)

        if self.off_record:
            await self._have(self._unwritten(), way)
        else:
            self.ask(Job.READ_EXCHANGE, partial(last_exchange, key=key), have)

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
            if exchange.reply and exchange.episode:
                self._key = branch_key(self.services.now, exchange.episode)
            await self.transcript.leave_off(after_mine=True)
            await self.begin_turn(exchange.asked, Again(exchange.history, said=True))
            self._say_kept(exchange)

    def _say_kept(self, exchange: LastExchange) -> None:
        if exchange.reply and exchange.episode:
            key = self.key_of("other version")
            self.flash(f"{KEPT} {key} shows it." if key else KEPT)

    def _edit(self, exchange: LastExchange) -> None:
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

    async def _send_instead(self, exchange: LastExchange, text: str) -> None:
        """Say this instead of what was said last."""
        self._editing = None
        self.refresh_bindings()
        if text == exchange.asked.strip():
            self.flash(UNCHANGED)
            return
        if exchange.episode:
            self._key = instead_key(self.services.now, exchange.episode)
        if not exchange.history:
            self._title = ""
        await self.transcript.leave_off()
        await self.begin_turn(text, Again(exchange.history, replaces=exchange.episode))
        self._say_kept(exchange)

    def action_version(self) -> None:
        """Go to the next version of this conversation; from the last to the first."""
        if self.busy:
            self.flash(BUSY, bad=True)
        else:
            self.ask(Job.OPEN_SESSION, partial(self._fetch_version, self._key), self._version_fetched)

    def _fetch_version(self, key: str, memory: Memory) -> tuple[Opened, str]:
        """Another version, and which one it is."""
        keys = versions(memory, key)
        if len(keys) < 2:
            raise NotFound(ONLY_ONE)
        place = (keys.index(key) + 1) % len(keys) if key in keys else 0
        said = f"Version {place + 1} of {len(keys)} of this conversation."
        return self._fetch_session(keys[place], "", memory), said

    async def _version_fetched(self, read: tuple[Opened, str]) -> None:
        opened, said = read
        await self._session_fetched(opened)
        self.flash(said)

    # -- other keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Escape is a key only while there is something to stop, to leave or to close, or another time to leave."""
        drawer, editing = self.has_class("-drawer-open"), self._editing is not None
        useful = {
            "stop": self.busy or (self.services.night.asleep and not editing and not drawer),
            "leave_editing": editing and not self.busy,
            "write": not (self.prompt.has_focus or drawer),
            "leave_time": self.services.times != Times(),
            "why": not self.busy and (self.asked is not None or self._conversation is not None),
            "close_drawer": drawer,
        }
        return useful.get(action, True)

    def action_stop(self) -> None:
        """Stops a reply, else a sleep; never quits, never discards text."""
        if self.busy:
            self._stop.set()
        else:
            self.app.call_later(self.app.run_action, "stop_sleep")

    def action_page(self, direction: int) -> None:
        (self.transcript.scroll_page_up if direction < 0 else self.transcript.scroll_page_down)()

    def action_latest(self) -> None:
        if self.transcript.has_later:
            self.open_session(self._key)
        else:
            self.transcript.anchor()

    def action_leave_time(self) -> None:
        """Questions are asked of now again, and not of the times that were set on the timeline."""
        self.services.times = Times()
        self.refresh_times()

    def action_write(self) -> None:
        self.prompt.focus()

    def action_close_drawer(self) -> None:
        self.remove_class("-drawer-open")
        self.prompt.focus()
        self.refresh_bindings()

    def action_toggle_panel(self) -> None:
        """Wide: hide or show the panel. Narrow: open or close it as a drawer, which then has the focus."""
        if self.size.width >= 100:
            self.toggle_class("-panel-hidden")
        elif self.has_class("-drawer-open"):
            self.action_close_drawer()
        else:
            self.add_class("-drawer-open")
            self.query_one("#memory-rows").focus()
            self.refresh_bindings()
