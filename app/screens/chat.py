"""The prompt is always ready: whatever the memory or the model is doing, a keystroke is answered and typed text
stays.
"""

from __future__ import annotations

import itertools
import queue
import threading
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.reactive import reactive
from textual.worker import get_current_worker

from app.jobs import Job, failed, start
from app.messages import ConsentWanted, HandDone, TurnAdvanced, TurnFailed
from app.screens.asked import Asked
from app.screens.conversations import ConversationScreen
from app.services import Services, Unsent
from store.errors import ErstwhileError
from store.protocols import Message
from store.records import Change, Fact, Turn
from widgets.bars import KeyLine, Status, StatusLine, TopLine
from widgets.memory_panel import MemoryPanel
from widgets.messages import (
    ChangeDropped,
    ChangeEdited,
    ChangeKept,
    PromptSent,
    SourceChosen,
    TurnChosen,
    UndoWanted,
    WhyWanted,
)
from widgets.plain import one_line
from widgets.prompt import Prompt
from widgets.transcript import Transcript, TurnHead, TurnView
from widgets.welcome import Welcome

if TYPE_CHECKING:
    from app.screens.by_hand import Correction
    from app.screens.reply import Reply
    from app.turn import Request


@dataclass(frozen=True, slots=True)
class Edited:
    """Something that was learned is being put right."""

    change: Change


@dataclass(frozen=True, slots=True)
class Kept:
    """Something that was unsure is being confirmed."""

    change: Change


class ChatScreen(ConversationScreen):
    """One conversation, and beside it what the memory does for it."""

    CSS_PATH = "chat.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "stop", "stop", id="chat.stop"),
        Binding("escape", "close_drawer", "close", id="chat.close"),
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
    ]
    HELP = """
    ### Chat
    What you say is saved before anything else happens to it. Answers that the memory knows by itself are marked "from
    memory" and list the words they rest on. `ctrl+r` starts a chat off the record: it may read the memory, and writes
    nothing.
    """
    off_record = reactive(False)
    """Nothing of this conversation is written. The only place where this is kept."""

    def __init__(self, services: Services, *, demo: bool = False, unsent: Unsent | None = None) -> None:
        super().__init__(services, demo=demo)
        self._unsent = unsent
        self._tickets = itertools.count(1)
        self._reply: Reply | None = None
        self._asked: Asked | None = None
        """The last turn of this conversation."""
        self._stop = threading.Event()
        self._asleep = False
        self._status = Status(model=services.model_state)

    # -- the frame

    def compose(self) -> ComposeResult:
        yield TopLine()
        with Horizontal(id="body"):
            with Vertical(id="conversation"):
                yield Transcript(id="transcript")
                yield Welcome(id="welcome")
                yield Prompt(id="prompt")
            yield MemoryPanel(id="panel")
        yield StatusLine()
        yield KeyLine()

    def on_mount(self) -> None:
        self._begin_chat()
        self.off_record = self.services.settings.off_the_record
        if self._unsent is not None and self._unsent.text:
            self.off_record = self._unsent.off_the_record
            self.query_one(Prompt).give_back(self._unsent.text)
        self.query_one(Prompt).focus()

    def on_unmount(self) -> None:
        self._stop.set()

    def on_screen_resume(self) -> None:
        self.refresh_times()

    def refresh_times(self) -> None:
        """The times at which questions are asked may have been set elsewhere."""
        top = self.query_one(TopLine)
        top.true_at, top.believed_at = self.services.times_in_words()
        top.profile = self.profile_shown

    def watch_off_record(self, off_record: bool) -> None:
        if self.is_mounted:
            self.query_one(TopLine).off_record = off_record
            self.query_one(Welcome).off_record = off_record
            self.query_one(Prompt).go_off_record(off_record)
            self.set_class(off_record, "-off-record")

    def say(self, **parts: str) -> None:
        """Change parts of the status line: model, speed, sleep, note, and the tone of the note."""
        if "note" in parts:
            parts = {"tone": "$warning", **parts}
        self._status = replace(self._status, **parts)
        if self.is_attached:  # a sleep that was stopped by leaving ends after the screen is gone
            for line in self.query(StatusLine):
                line.status = self._status

    def say_sleep(self, words: str, *, asleep: bool) -> None:
        """How the memory sleeps, or what waits for it."""
        self._asleep = asleep
        self.say(sleep=words)
        self.refresh_bindings()

    @property
    def unsent(self) -> Unsent:
        """What was typed and not yet sent."""
        return Unsent(self.query_one(Prompt).text, self.off_record)

    @property
    def busy(self) -> bool:
        """A reply is being written."""
        return self._reply is not None

    # -- conversations

    def _begin_chat(self) -> None:
        self._key = f"chat-{self.services.clock.now().us}"
        self._title, self._history, self._conversation = "", [], None
        self._reply = self._asked = None
        self.query_one(MemoryPanel).clear()
        self._show_welcome(True)
        self._name_place("new chat")

    def forget_all(self) -> None:
        self.off_record = False
        self._begin_chat()

    async def begin_anew(self) -> None:
        await self.action_new_chat()

    async def action_new_chat(self) -> None:
        self.off_record = False
        await self.query_one(Transcript).clear()
        self._begin_chat()
        self.query_one(Prompt).focus()

    async def action_toggle_record(self) -> None:
        """Always another chat: what is off the record and what is on it never share a conversation."""
        off_record = not self.off_record
        await self.action_new_chat()
        self.off_record = off_record
        self._name_place("new chat")

    # -- one turn

    async def on_prompt_sent(self, event: PromptSent) -> None:
        event.stop()
        if self.services.memory is None or self.busy:
            self.query_one(Prompt).give_back(event.text)
            self.say(note="Still answering; esc stops it." if self.busy else "The memory is still opening.")
            return
        if self.query_one(Transcript).has_later:
            await self._to_the_end(event.text)
            return
        self.say(note="", speed="")
        self._show_welcome(False)
        now = self.services.clock.now()
        transcript = self.query_one(Transcript)
        mine = TurnView(TurnHead("you", now, True), event.text)
        reply = TurnView(TurnHead("…", now, False))
        await transcript.add(mine)
        await transcript.add(reply)
        await reply.wait("looking through what you told me…")
        self._stop = threading.Event()
        self._asked = Asked(event.text, self.services.times)
        panel = self.query_one(MemoryPanel)
        from app.screens.reply import Reply

        self._reply = Reply(next(self._tickets), mine, reply, panel, self.services, self._asked)
        self._run_turn(event.text)

    async def _to_the_end(self, text: str) -> None:
        """What is said stands below what was said last: that is shown first, and the words wait in the prompt."""
        self.query_one(Prompt).give_back(text)
        self.say(note="You were reading earlier turns; enter sends it below the last one.")
        self.open_session(self._key)

    def _run_turn(self, text: str) -> None:
        from app.turn import Request

        if not self._title:
            self._title = one_line(text, 60)
            self._name_place(self._title)
        turn = Turn(text, self._key, said_at=self.services.clock.now(), title=self._title)
        agree = partial(self._agree, self._stop)
        request = Request(turn, tuple(self._history), self.services.times, self.off_record, agree)
        self._history.append(Message("user", text))
        assert self._reply is not None
        work = partial(self._take_turn, self._reply.ticket, request, self._stop)
        start(self, Job.ANSWER, work)

    def _take_turn(self, ticket: int, request: Request, stop: threading.Event) -> None:
        from app.turn import take_turn

        memory, worker = self.services.memory, get_current_worker()
        assert memory is not None
        try:
            for event in take_turn(memory, self.services.voice, request, stop):
                if worker.is_cancelled:
                    stop.set()
                self.post_message(TurnAdvanced(ticket, event))
        except ErstwhileError as error:
            self.post_message(TurnFailed(ticket, str(error)))
        except Exception:
            self.post_message(TurnFailed(ticket, failed(Job.ANSWER)))
            raise

    def _agree(self, stop: threading.Event, words: str) -> bool:
        """Asks the person whether a model's step may change the memory; a worker waits here for them."""
        answers: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self.post_message(ConsentWanted(words, answers.put))
        while not stop.is_set() and self.app.is_running:
            try:
                return answers.get(timeout=0.05)
            except queue.Empty:
                continue
        return False

    def on_consent_wanted(self, event: ConsentWanted) -> None:
        from app.screens.dialogs import ConsentDialog

        def told(agreed: bool | None) -> None:
            event.answer(bool(agreed))

        self.app.push_screen(ConsentDialog(event.words), told)

    async def on_turn_advanced(self, event: TurnAdvanced) -> None:
        if self._reply is None or self._reply.ticket != event.ticket:
            return
        said = await self._reply.advance(event.event)
        if self._reply.speed != self._status.speed:
            self.say(speed=self._reply.speed)
        if said is not None:
            self._history.append(Message("assistant", said))
            self._end_turn()

    async def on_turn_failed(self, event: TurnFailed) -> None:
        if self._reply is not None and self._reply.ticket == event.ticket:
            await self._reply.fail(event.sentence)
            self._end_turn()

    def _end_turn(self) -> None:
        self._reply = None
        self.refresh_bindings()
        self.app.call_later(self.app.run_action, "count_state")

    # -- keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Escape is a key only while there is something to stop or to close."""
        if action == "stop":
            return self.busy or (self._asleep and not self.has_class("-drawer-open"))
        if action == "why":
            return self._asked is not None and not self.busy
        return self.has_class("-drawer-open") if action == "close_drawer" else True

    def action_stop(self) -> None:
        """Stops a reply, else a sleep; never quits, never discards text."""
        if self.busy:
            self._stop.set()
        else:
            self.app.call_later(self.app.run_action, "stop_sleep")

    def action_close_drawer(self) -> None:
        self.remove_class("-drawer-open")
        self.query_one(Prompt).focus()
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

    def action_why(self) -> None:
        """What was looked at for the last answer, and with which prompt."""
        if self._asked is not None:
            from app.screens.why import WhyScreen

            self.app.push_screen(WhyScreen(self.services, self._asked))

    def on_why_wanted(self, event: WhyWanted) -> None:
        event.stop()
        self.action_why()

    # -- what was learned is kept, dropped or put right

    def on_change_kept(self, event: ChangeKept) -> None:
        """What was unsure is confirmed; what was known stays as sure as it was."""
        from app import deeds

        event.stop()
        fact = event.change.new
        if fact is not None and fact.unsure:
            self.by_hand(deeds.confirm(fact), Kept(event.change))
            return
        self.query_one(MemoryPanel).judge(event.change, "kept")
        self.flash("Kept as it was learned")

    def on_change_dropped(self, event: ChangeDropped) -> None:
        from app import deeds

        event.stop()
        self.by_hand(deeds.drop(event.change), event.change)

    def on_change_edited(self, event: ChangeEdited) -> None:
        event.stop()
        fact = event.change.new
        if fact is not None:
            from app.screens.by_hand import CorrectDialog

            dialog = CorrectDialog(fact, self.services.parse_when, self.services.in_words)
            self.app.push_screen(dialog, partial(self._correct, event.change, fact))

    def _correct(self, change: Change, fact: Fact, right: Correction | None) -> None:
        from app import deeds

        if right is not None:
            self.by_hand(deeds.correct(fact, right.value, right.since), Edited(change))

    def on_undo_wanted(self, event: UndoWanted) -> None:
        from app import deeds

        event.stop()
        self.by_hand(deeds.undo, event)

    def hand_done(self, event: HandDone) -> None:
        panel = self.query_one(MemoryPanel)
        match event.to:
            case Kept():
                panel.judge(event.to.change, "kept", event.done.fact)
            case Edited():
                panel.judge(event.to.change, "edited", event.done.fact)
            case Change():
                panel.judge(event.to, "dropped")
            case UndoWanted():
                panel.unjudge()

    def flash(self, words: str, *, bad: bool = False) -> None:
        self.say(note=words, tone="$error" if bad else "$success")

    def forget_words(self) -> None:
        """What was erased must not stay on screen, nor in what a model is given next."""
        self.query_one(MemoryPanel).clear()
        if not self.off_record and self._history:
            self.open_session(self._key)

    def on_source_chosen(self, event: SourceChosen) -> None:
        event.stop()
        self.post_message(TurnChosen(event.source.session, event.source.episode))
