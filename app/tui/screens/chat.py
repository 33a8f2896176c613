"""The prompt is always ready: whatever the memory or the model is doing, a keystroke is answered and typed text
stays.
"""

from __future__ import annotations

import itertools
import queue
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.reactive import reactive
from textual.worker import get_current_worker

from app.core import deeds
from app.core.clock import Times
from app.core.conversation import NO_MODEL, NO_REPLY, Again, TurnState, joined
from app.core.stock_replies import FORGET
from app.core.turn import Request, TurnEvent, take_turn
from app.tui.jobs import Job, failed
from app.tui.screens.again import AgainScreen
from app.tui.screens.conversations import Opened
from app.tui.screens.dialogs import ConsentDialog
from app.tui.services import Services
from store.errors import ErstwhileError
from store.protocols import Message
from store.reading.asking.forgetting import whom_to_forget
from store.records import ModelOptions, Turn
from widgets.bars import KeyLine, Status, StatusLine, TopLine
from widgets.memory_panel import MemoryPanel
from widgets.messages import PromptSent, SourceChosen, TurnChosen, TypedWanted
from widgets.plain import one_line
from widgets.transcript import Transcript, TurnHead, TurnView
from widgets.waiting import MEMORY_OPEN
from widgets.welcome import Welcome
from widgets.wording import LONGEST_TITLE

if TYPE_CHECKING:
    from app.tui.screens.reply import ReplyUnderWay
    from store.memory import Memory


NOTE_SECONDS = 10.0
"""For how long the status line says what was done."""


class ChatScreen(AgainScreen):
    """One conversation, and beside it what the memory does for it."""

    CSS_PATH = "chat.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
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
        self.reopens = ""
        """The key of the conversation that is shown first; empty for a new one."""
        self._reply: ReplyUnderWay | None = None
        self._stop = threading.Event()
        self._owed = False
        self._status = Status(model=services.model_state)

    # -- the frame

    def compose(self) -> ComposeResult:
        yield TopLine()
        with Horizontal(id="body"):
            with Vertical(id="conversation"):
                yield Transcript(id="transcript")
                yield Welcome(id="welcome")
                yield self.find_bar
                yield self.waiting
                yield self.prompt
            yield MemoryPanel(id="panel")
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
        top = self.query_one(TopLine)
        top.true_at, top.believed_at = self.services.times_in_words()
        self.refresh_bindings()
        top.profile = self.profile_shown

    def watch_off_record(self, off_record: bool) -> None:
        if self.is_mounted:
            self.query_one(TopLine).off_record = off_record
            self.query_one(Welcome).off_record = off_record
            self.prompt.go_off_record(off_record)
            self.set_class(off_record, "-off-record")
            self.keep_soon()

    @property
    def shown(self) -> str:
        """The key of the conversation on screen; empty where nothing of it is written."""
        return self._key if self.records and self._history else ""

    @property
    def records(self) -> bool:
        return not self.off_record

    def say(self, **parts: str) -> None:
        """Change parts of the status line: model, speed, room, sleep, note, and the tone of the note."""
        if "note" in parts:
            parts = {"tone": "$warning", **parts}
        self._status = replace(self._status, **parts)
        if self.is_attached:  # a sleep that was stopped by leaving ends after the screen is gone
            for line in self.query(StatusLine):
                line.status = self._status

    def opened(self) -> None:
        """The memory is open: the conversation that was left for a while is shown, and what waits is sent."""
        if self.reopens:
            self.open_session(self.reopens)
            return  # what waits stands in the prompt then: it was typed before one saw where
        for message in self.waiting.take():
            self.post_message(PromptSent(message))

    def not_opened(self) -> None:
        """The memory is not to be had: what waits for it stands in the prompt again."""
        self._take_back_waiting()

    def model_came(self) -> None:
        """A model is there from now on, or none is: said once, where one was promised for what was declined."""
        from app.tui.declining import ready

        if not self._owed or self.services.coming:
            return
        self._owed = False
        if self.services.voice is None:
            self.flash(NO_MODEL, bad=True)
        else:
            last = self._ended is not None and self._ended.declined and not self.busy
            self.flash(ready(self.services.model_state, self._key_of_reply, last=last))

    @property
    def _key_of_reply(self) -> str:
        """What has a model reply to the last message; the palette can, where no key does."""
        return self.key_of("another reply") or "ctrl+p"

    def say_sleep(self, words: str) -> None:
        """How the memory sleeps, or what waits for it."""
        self.say(sleep=words)
        self.refresh_bindings()

    @property
    def written(self) -> bool:
        return super().written and self.records and not self.busy

    def answers(self, key: str) -> bool:
        """A reply is being written in this conversation."""
        return self.busy and self._key == key

    @property
    def busy(self) -> bool:
        """A reply is being written."""
        return self._reply is not None

    # -- conversations

    def _begin_chat(self) -> None:
        self._key = f"chat-{self.services.clock.now().us}"
        self._title, self._history, self._conversation = "", [], None
        self._reply = self.asked = self._ended = self._editing = self.unkept = None
        self.options, self.documents = ModelOptions(), ()
        self.query_one(MemoryPanel).clear()
        self.leave_find()
        self.prompt.end_recall()
        self.prompt.history.clear()  # what was sent elsewhere is not brought back here
        self._take_back_waiting()
        self._show_welcome(True)
        self._name_place("new chat")

    def forget_all(self) -> None:
        self.off_record = False
        self._begin_chat()

    def hush(self) -> None:
        self.say(note="")

    async def action_new_chat(self) -> None:
        self.hush()
        await self.begin_anew()

    async def begin_anew(self) -> None:
        # At once: what waits was meant for the conversation that ends here, which may be off the record.
        self._reply = None
        self._take_back_waiting()
        self.off_record = False
        await self.query_one(Transcript).clear()
        self._begin_chat()
        self.prompt.focus()

    async def action_toggle_record(self) -> None:
        """Always another chat: what is off the record and what is on it never share a conversation."""
        off_record = not self.off_record
        await self.action_new_chat()
        self.off_record = off_record
        self._name_place("new chat")

    def on_typed_wanted(self, event: TypedWanted) -> None:
        """What waits is taken back first; then what the person said here, once where it was said twice in a row."""
        event.stop()
        if self.waiting.messages and not self.prompt.text:
            self.prompt.give_back(self.waiting.last())
            return
        mine = (message.content for message in self._history if message.role == "user")
        self.prompt.recall([text for text, _again in itertools.groupby(mine)])

    # -- one turn

    async def on_prompt_sent(self, event: PromptSent) -> None:
        event.stop()
        if self.services.memory is None:
            self.waiting.add(event.text, MEMORY_OPEN)
        elif whom := whom_to_forget(event.text, self.services.memory.people.entities):
            self.forget(whom)
        elif self.busy:
            self.waiting.add(event.text)
        elif self.query_one(Transcript).has_later:
            self._to_the_end(event.text)
        elif self.editing:
            await self.send_instead(event.text)
        else:
            await self.begin_turn(event.text)

    def action_forget(self) -> None:
        """Begin a message that asks to forget somebody."""
        self.prompt.give_back(FORGET)
        self.prompt.focus()

    def forget(self, whom: str) -> None:
        """Show what would go with somebody, and erase it if the person says so."""
        self.ask(Job.MEASURE_ERASE, deeds.radius_of_subject(whom), self.ask_to_erase)

    async def begin_turn(self, text: str, again: Again | None = None) -> None:
        from app.tui.screens.reply import ReplyUnderWay

        self.say(note="", speed="", room="")
        self.keep_soon()
        self._show_welcome(False)
        now = self.services.clock.now()
        transcript = self.query_one(Transcript)
        said = transcript.turns_of_mine[-1:] if again is not None and again.said else []
        mine = said[0] if said else TurnView(TurnHead("you", now, True), text)
        view = TurnView(TurnHead("…", now, False))
        self._stop = threading.Event()
        self.asked = TurnState(text, self.services.times)
        panel = self.query_one(MemoryPanel)
        reply = self._reply = ReplyUnderWay(mine, view, panel, self.services, self.asked)
        reply.partial = again.partial if again is not None else ""
        reply.context, reply.key = self.speaking.context, self._key_of_reply
        if not said:
            await transcript.add(mine)
        await transcript.add(view)
        await view.wait("looking through what you told me…")
        if self._reply is reply:
            self._run_turn(text, again)
        else:  # a key has begun another conversation meanwhile, for which it was not meant
            self.prompt.give_back(text)

    def _to_the_end(self, text: str) -> None:
        """What is said stands below what was said last, and is sent as soon as that is shown; until then the words
        stand in the prompt, where nothing loses them."""
        self.prompt.give_back(text)
        self.ask(Job.OPEN_SESSION, partial(self._fetch_session, self._key, ""), partial(self._say_at_end, text))

    async def _say_at_end(self, text: str, read: Opened) -> None:
        await self._session_fetched(read)
        if self.prompt.leave_off(text):
            await self.begin_turn(text)

    def _run_turn(self, text: str, again: Again | None) -> None:
        if not self._title:
            self._title = one_line(text, LONGEST_TITLE)
            self._name_place(self._title)
        turn = Turn(text, self._key, said_at=self.services.clock.now(), title=self._title)
        agree = partial(self._agree, self._stop)
        again = again or Again(tuple(self._history))
        request = Request(
            turn, again.history, self.services.times, self.off_record, agree,
            said=again.said, partial=again.partial, replaces=again.replaces, options=self.speaking,
            keep=None if again.said else self.unkept, documents=self.documents,
        )  # fmt: skip
        self.unkept = self.unkept if again.said else None
        self._history = [*again.history, Message("user", text)]
        assert self._reply is not None
        self.ask(Job.ANSWER, partial(self._take_turn, self._reply, request, self._stop))

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
        self.call_later(self.ask_consent, words, answers.put)
        while not stop.is_set() and self.app.is_running:
            try:
                return answers.get(timeout=0.05)
            except queue.Empty:
                continue
        return False

    def ask_consent(self, words: str, answer: Callable[[bool], None]) -> None:
        """A step of a model would change the memory; `answer` wants to know whether the person agrees."""
        self.app.push_screen(ConsentDialog(words), lambda agreed: answer(bool(agreed)))

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
        """A turn ended in an error."""
        if self._reply is reply:
            await reply.fail(sentence)
            self._end_turn()
            self._take_back_waiting()  # it would fail like this one

    def _take_back_waiting(self) -> None:
        """What waits is not sent: it stands in the prompt again."""
        if waiting := self.waiting.take():
            self.prompt.give_back("\n".join(waiting))

    def _end_turn(self) -> None:
        self._reply = None
        self.refresh_bindings()
        self.app.call_later(self.app.run_action, "count_state")

    # -- keys

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

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Escape is a key only while there is something to stop, to leave or to close, or another time to leave."""
        if action == "stop":
            asleep = self.services.night.asleep
            return self.busy or (asleep and not self.editing and not self.has_class("-drawer-open"))
        if action == "leave_editing":
            return self.editing and not self.busy
        if action == "write":
            return not (self.prompt.has_focus or self.has_class("-drawer-open"))
        if action == "leave_time":
            return self.services.times != Times()
        if action == "why":
            return self.can_tell_why
        return self.has_class("-drawer-open") if action == "close_drawer" else True

    def action_stop(self) -> None:
        """Stops a reply, else a sleep; never quits, never discards text."""
        if self.busy:
            self._stop.set()
        else:
            self.app.call_later(self.app.run_action, "stop_sleep")

    def action_page(self, direction: int) -> None:
        """A page up or down in the conversation, while one writes."""
        transcript = self.query_one(Transcript)
        if direction < 0:
            transcript.scroll_page_up()
        else:
            transcript.scroll_page_down()

    def action_latest(self) -> None:
        """To the newest line, wherever one was reading."""
        transcript = self.query_one(Transcript)
        if transcript.has_later:
            self.open_session(self._key)
        else:
            transcript.anchor()

    def action_leave_time(self) -> None:
        """Questions are asked of now again, and not of the times that were set on the timeline."""
        self.services.times = Times()
        self.refresh_times()

    def action_write(self) -> None:
        """From the panel or the conversation back to what one writes."""
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

    # -- what others ask of it

    def flash(self, words: str, *, bad: bool = False) -> None:
        self.say(note=words, tone="$error" if bad else "$success")
        self.set_timer(NOTE_SECONDS, partial(self._pass, self._status))

    def _pass(self, said: Status) -> None:
        """What was said has been read, unless something else stands there by now."""
        if self._status.note == said.note:
            self.say(note="")

    def forget_words(self) -> None:
        """What was erased must not stay on screen, nor in what a model is given next."""
        self.query_one(MemoryPanel).clear()
        self.prompt.end_recall(forget=True)
        if not self.off_record and self._history:
            self.open_session(self._key)

    def on_source_chosen(self, event: SourceChosen) -> None:
        event.stop()
        self.post_message(TurnChosen(event.source.session, event.source.episode))
