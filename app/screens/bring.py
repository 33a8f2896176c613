"""Nothing is imported before it was said what it is; each step is on the disk, and leaving in the middle is fine."""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from app import bringing
from app.bringing import Found
from app.screens.dialogs import Dialog
from app.services import Services
from store.errors import ErstwhileError
from store.records import Ingested
from widgets.look import NEVER, NOW, QUIET, lines, stacked
from widgets.plain import one_line, plain
from widgets.why_rows import bar
from widgets.wording import count, day

HINT = (
    "An export of ChatGPT or Claude, logs of llm, Open WebUI, Markdown notes, JSON lines: a file or a folder.\n\n"
    "enter looks what is in it, and changes nothing; esc leaves"
)


class Looked(Message):
    """A file was read through; nothing is imported yet."""

    def __init__(self, path: str, found: Found | None, problem: str = "") -> None:
        super().__init__()
        self.path, self.found, self.problem = path, found, problem


class Brought(Message):
    """A step of the import is on the disk."""

    def __init__(self, step: Ingested, *, over: bool = False, problem: str = "") -> None:
        super().__init__()
        self.step, self.over, self.problem = step, over, problem

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, Brought) and not message.over


class ImportDialog(Dialog[int]):
    """Asks for a file, says what is in it, and takes it. Dismisses with how many turns are new."""

    DEFAULT_CSS = "ImportDialog .box { width: 84; } ImportDialog #said { margin: 1 0 0 0; height: auto; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "close", id="import.close")]

    def __init__(self, services: Services) -> None:
        super().__init__()
        self.services = services
        self._found: Found | None = None
        self._asked = ""
        self._stop = threading.Event()
        self._step: Ingested | None = None
        self._busy = self._over = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static(lines("Import conversations"), classes="title", markup=False)
            yield Input(placeholder="path of a file or a folder", id="path")
            yield Static(lines((HINT, QUIET)), id="said", markup=False)

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    def on_unmount(self) -> None:
        self._stop.set()

    def _say(self, shown: Content) -> None:
        self.query_one("#said", Static).update(shown)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if not self._busy:
            self._found = None
            self._say(lines((HINT, QUIET)))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """The first enter looks, the second one takes, the third one leaves."""
        event.stop()
        path = plain(event.value).strip()
        if self._over:
            self.action_leave()
        elif self._found is not None and not self._busy:
            self._busy = True
            self._run(partial(self._bring, self._found))
        elif path and not self._busy:
            self._asked = path
            self._say(lines(("looking…", QUIET)))
            self._run(partial(self._look, path))

    def _run(self, work: partial[None]) -> None:
        self.run_worker(work, thread=True, exclusive=True, group="import", exit_on_error=False)

    def _look(self, path: str) -> None:
        memory = self.services.memory
        if memory is None:
            self.post_message(Looked(path, None, "The memory is still opening."))
            return
        try:
            found = bringing.look(Path(path), memory.path, self.services.zone, self.services.clock.now())
            self.post_message(Looked(path, found))
        except (ErstwhileError, OSError) as error:
            self.post_message(Looked(path, None, str(error)))

    def on_looked(self, event: Looked) -> None:
        if event.path != self._asked:
            return
        self._found = event.found
        if event.found is None:
            self._say(lines(("✗ ", NEVER), event.problem))
            return
        self._say(
            stacked(
                [
                    *told(event.found),
                    lines(),
                    lines(("enter", "bold $primary"), (" imports it; doing it twice adds nothing", QUIET)),
                ]
            )
        )

    def _bring(self, found: Found) -> None:
        memory = self.services.memory
        if memory is None:
            return
        step = Ingested(0, 0, found.turns)
        try:
            for step in bringing.bring(memory, found):
                self.post_message(Brought(step))
                if self._stop.is_set():
                    return
            self.post_message(Brought(step, over=True))
        except ErstwhileError as error:
            self.post_message(Brought(step, over=True, problem=str(error)))

    def on_brought(self, event: Brought) -> None:
        step = self._step = event.step
        done, total = step.new + step.seen, step.total or step.new + step.seen or 1
        progress = lines((bar(done / total, 30), NOW), f"  {done:,} of {total:,} turns")
        rows = [progress, lines((f"{step.new:,} new, {step.seen:,} known before", QUIET))]
        if event.over:
            self._over, self._busy = True, False
            rows.append(lines(("✗ ", NEVER), event.problem) if event.problem else
                        lines(("✓ ", NOW), "done; the next sleep reads them. enter closes"))  # fmt: skip
        else:
            rows.append(lines(("esc stops it; what is there stays, and importing again goes on", QUIET)))
        self._say(stacked(rows))

    def action_leave(self) -> None:
        self._stop.set()
        self.dismiss(self._step.new if self._step is not None else None)


def told(found: Found) -> list[Content]:
    """What an import would bring, line by line."""
    when = f", {day(found.first)} to {day(found.last)}" if found.first and found.last else ""
    rows = [
        lines((count(found.turns, "turn"), "bold"), f" in {count(found.sessions, 'conversation')}{when}"),
        lines(("read as " + ", ".join(found.kinds), QUIET)),
    ]
    if found.untimed:
        rows.append(lines((f"{count(found.untimed, 'turn')} with the time of the nearest message, having none", QUIET)))
    rows += [lines((f"{number:,} passed over: {one_line(reason, 80)}", QUIET)) for reason, number in found.passed_over]
    return rows
