"""Nothing is imported before it was said what it is; each step is on the disk, and leaving in the middle is fine.

A text file is attached to a conversation by its path, too; what stands in it can be asked for, and is not learned.
"""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.suggester import Suggester
from textual.widgets import Checkbox, Input, Static

from app.core import bringing
from app.core.bringing import Attachment, ImportPreview, attach
from app.paths import expanded
from app.tui.jobs import Job, JobAdvanced, JobFailed, start
from app.tui.screens.dialogs import Dialog, Result, ShowsHelp
from app.tui.services import Services
from store.errors import BadInput, StoreError
from store.memory import Memory
from store.records import Episode, Ingested
from widgets.choices import Choices, Row
from widgets.look import NEVER, NOW, QUIET, lines, stacked
from widgets.plain import one_line, plain
from widgets.why_rows import bar
from widgets.wording import count, day_words

HINT = (
    "An export of ChatGPT or Claude, a WhatsApp chat, logs of llm, Open WebUI, Markdown notes, JSON lines: a file or a "
    "folder.\n\n"
    "enter looks what is in it, and changes nothing; esc leaves"
)
WHO, WHY, NOBODY = "Who of them is you?", "what they say of themselves is then about you", "none of them"
ATTACH_HINT = "It can be searched and asked about; it teaches nothing about you. enter attaches it, esc does not."


class Existing(Suggester):
    """Suggests the first file or folder, by name, that a path may mean."""

    async def get_suggestion(self, value: str) -> str | None:
        """The path as it was typed, with the rest of the name; None where there is no such file."""
        folder, _, begun = value.rpartition("/")
        if not begun:
            return None
        try:
            with os.scandir(expanded(f"{folder}/") if "/" in value else Path()) as found:
                names = [f"{one.name}/" if one.is_dir() else one.name for one in found if one.name.startswith(begun)]
        except (OSError, BadInput):
            return None
        return f"{value[: len(value) - len(begun)]}{min(names)}" if names else None


class PathDialog(Dialog[Result]):
    """Asks for a path: what it may go on with stands behind the cursor, and right takes it."""

    def __init__(self, services: Services) -> None:
        super().__init__()
        self.services = services
        self._busy = False

    def field(self, placeholder: str) -> Input:
        existing = Existing(use_cache=False, case_sensitive=True)
        return Input(placeholder=placeholder, id="path", suggester=existing)

    def say(self, *shown: Content) -> None:
        self.query_one("#said", Static).update(stacked([*shown]))

    @property
    def memory(self) -> Memory:
        """Raises StoreError."""
        if self.services.memory is None:
            raise StoreError("The memory is still opening.")
        return self.services.memory

    def fail(self, event: JobFailed, *above: Content) -> None:
        """Say what went wrong; enter tries again."""
        self._busy = False
        self.say(*above, lines(("✗ ", NEVER), one_line(event.in_place)))
        if event.expected:
            event.stop()  # it is told here


class Tick(Checkbox):
    """A box that is empty while it is off, whatever the colours are."""

    BUTTON_INNER = " "

    def watch_value(self) -> None:
        super().watch_value()
        self.BUTTON_INNER = "✓" if self.value else " "


class AttachDialog(PathDialog[Episode]):
    """Asks for a file, and takes it in. Dismisses with the turn that leads to it."""

    def __init__(self, services: Services, key: str, title: str) -> None:
        super().__init__(services)
        self._key, self._title = key, title

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static(lines("Attach a text file"), classes="title", markup=False)
            yield self.field("path of a text file")
            yield Tick("I wrote this about myself: learn from it", id="own", compact=True)
            yield Static(lines((ATTACH_HINT, QUIET)), id="said", classes="hint", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        path = plain(event.value).strip()
        if path and not self._busy:
            self._busy = True
            self.say(lines(("taking it in…", QUIET)))
            wanted = Attachment(path, self.query_one(Tick).value)
            start(self, Job.ATTACH, lambda: self._take_in(wanted), self._taken_in)

    def _take_in(self, wanted: Attachment) -> Episode:
        return attach(self.memory, wanted, self._key, self._title, self.services.zone)

    def _taken_in(self, turn: Episode) -> None:
        self.dismiss(turn)

    def on_job_failed(self, event: JobFailed) -> None:
        self.fail(event)


class ImportDialog(PathDialog[int], ShowsHelp[int]):
    """Asks for a file, says what is in it, and takes it. Dismisses with how many turns there are to read for it."""

    DEFAULT_CSS = """
    ImportDialog .box { width: 84; }
    ImportDialog #said { margin: 1 0 0 0; height: auto; }
    ImportDialog Choices { margin: 1 0 0 0; max-height: 8; background: $panel; display: none; }
    ImportDialog Choices.-asks { display: block; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "show_help", "help", id="import.help"),
        Binding("escape", "leave", "close", id="import.close"),
    ]
    HELP = """
    ### Import
    Type the path of a file or of a folder. The first `enter` looks what is in it and changes nothing; the second one
    imports it. Where several people speak, `up` and `down` say who of them is you, and `enter` in that list imports.
    Importing the same file twice adds nothing. The next sleep reads what came.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._found: ImportPreview | None = None
        self._asked = ""
        self._stop = threading.Event()
        self._step: Ingested | None = None
        self._me: str | None = None
        """Who of the speakers is the person; empty: none of them; None: nobody was asked."""
        self._again = 0
        """Turns known before that are read again, since it is another who is the person."""
        self._over = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static(lines("Import conversations"), classes="title", markup=False)
            yield self.field("path of a file or a folder")
            yield Static(lines((HINT, QUIET)), id="said", markup=False)
            yield Choices()

    @property
    def stray(self) -> str:
        """What is no path and led to nothing was meant for the prompt."""
        typed = plain(self.query_one(Input).value)
        led = self._found is not None or self._busy or self._step is not None
        return "" if led or typed.lstrip().startswith(("/", "~", ".")) or _is_there(typed.strip()) else typed

    def on_key(self, event: events.Key) -> None:
        """While it takes what it found, there is nothing to type here."""
        if event.key == "enter" and self._over:
            event.stop()
            self.action_leave()
        elif self.query_one(Input).disabled:
            self.pass_on(event)

    def on_paste(self, event: events.Paste) -> None:
        self.pass_on(event)

    def on_unmount(self) -> None:
        self._stop.set()

    def on_input_changed(self) -> None:
        if not self._busy:
            self._found = None
            self._ask(())
            self.say(lines((HINT, QUIET)))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """The first enter looks, the second one takes, the third one leaves. Who of them is the person is said in the
        list below, where that is asked."""
        path, choices = plain(event.value).strip(), self.query_one(Choices)
        if self._found is not None and not self._busy:
            if choices.has_class("-asks"):
                choices.focus()
            else:
                self._take(None)
        elif path and not self._busy:
            self._asked = path
            self.say(lines(("looking…", QUIET)))
            start(self, Job.READ_IMPORT, partial(self._look, path), partial(self._looked, path))

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        self._take(event.record)

    def _take(self, me: str | None) -> None:
        """Take what was found; `me` is the speaker who is the person, where that was asked."""
        assert self._found is not None
        self._busy, self._me = True, me
        self._ask(())
        self.query_one(Input).disabled = True
        start(self, Job.IMPORT, partial(self._bring, self._found), self._brought)

    def _ask(self, who: tuple[str, ...]) -> None:
        """Ask who of them is the person, the likeliest one marked; nobody: ask nothing."""
        choices = self.query_one(Choices)
        choices.set_class(bool(who), "-asks")
        rows = [Row(lines(one_line(name, 60)), name) for name in who]
        choices.show_rows([*rows, Row(lines((NOBODY, QUIET)), "")], 0)
        if who:
            choices.focus()

    def _look(self, path: str) -> tuple[ImportPreview, tuple[str, ...]]:
        """What is there, and who of its speakers may be the person."""
        memory = self.memory
        try:
            found = bringing.look(Path(path), memory.path, self.services.zone, self.services.clock.now())
        except OSError as error:
            raise BadInput(str(error)) from error
        return found, bringing.who_may_be_me(memory, found)

    def _looked(self, path: str, read: tuple[ImportPreview, tuple[str, ...]]) -> None:
        if path != self._asked:
            return
        self._found, who = read
        keys, does = ("up, down, enter", " say who of them is you, and import it") if who else ("enter", " imports it")
        enter = lines((keys, "bold $primary"), (f"{does}; doing it twice adds nothing", QUIET))
        asks = [lines((WHO, "bold"), (f"  {WHY}", QUIET))] if who else []
        self.say(*_told(self._found), lines(), enter, *asks)
        self._ask(who)

    def _bring(self, found: ImportPreview) -> Ingested | None:
        """The last step of it; None where it was left in the middle."""
        memory = self.memory
        if self._me is not None:
            self._again = bringing.take_for_me(memory, found, self._me)
            found = replace(found, options=replace(found.options, me=memory.person))
        step = Ingested(0, 0, found.turns)
        for step in bringing.bring(memory, found):
            self.post_message(JobAdvanced(Job.IMPORT, step))
            if self._stop.is_set():
                return None
        return step

    def on_job_advanced(self, event: JobAdvanced) -> None:
        self._step = event.step
        stops = lines(("esc stops it; what is there stays, and importing again goes on", QUIET))
        self.say(*_come(event.step), stops)

    def _brought(self, step: Ingested | None) -> None:
        if step is None:
            return
        self._step, self._over, self._busy = step, True, False
        last = [lines(("✓ ", NOW), "done; the next sleep reads them. enter closes")]
        if self._me is not None:
            me = f"You are {one_line(self._me, 40)} there" if self._me else "None of them is you"
            last.insert(0, lines((me, "bold"), ("; if not, import it again", QUIET)))
        self.say(*_come(step), *last)

    def on_job_failed(self, event: JobFailed) -> None:
        """Neither looks nor imports any more."""
        self.query_one(Input).disabled = False
        self.query_one(Input).focus()
        self.fail(event, *(_come(self._step) if self._step else []))

    def action_leave(self) -> None:
        self._stop.set()
        self.dismiss(self._step.new + self._again if self._step is not None else None)


def _is_there(path: str) -> bool:
    try:
        return expanded(path).exists()
    except (OSError, ValueError):  # too long for a path, or no path at all
        return False


def _come(step: Ingested) -> list[Content]:
    done, total = step.new + step.seen, step.total or step.new + step.seen or 1
    progress = lines((bar(done / total, 30), NOW), f"  {done:,} of {total:,} turns")
    return [progress, lines((f"{step.new:,} new, {step.seen:,} known before", QUIET))]


def _told(found: ImportPreview) -> list[Content]:
    when = f", {day_words(found.first)} to {day_words(found.last)}" if found.first and found.last else ""
    rows = [
        lines((count(found.turns, "turn"), "bold"), f" in {count(found.sessions, 'conversation')}{when}"),
        lines(("read as " + ", ".join(found.kinds), QUIET)),
    ]
    if found.untimed:
        rows.append(lines((f"{count(found.untimed, 'turn')} with the time of the nearest message, having none", QUIET)))
    rows += [lines((f"{number:,} passed over: {one_line(reason, 80)}", QUIET)) for reason, number in found.passed_over]
    return rows
