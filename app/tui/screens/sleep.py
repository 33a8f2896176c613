"""A sleep is seen while it goes on, and afterwards: each with what it changed, and every change can be taken back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Static

from app.core import deeds
from app.tui.jobs import Job, JobFailed
from app.tui.screens.base import NOT_READ, FramedScreen
from app.tui.services import Services
from store.records import Change, Fact, Operation
from widgets.choices import Choices, Row, heading
from widgets.look import QUIET, lines
from widgets.memory_panel import change_card, steps_of
from widgets.phases import Phases
from widgets.plain import one_line
from widgets.run_rows import edit_row, run_row
from widgets.wording import count

if TYPE_CHECKING:
    from store.memory import Memory

MOST_CHANGES = 200
NEVER_SLEPT = "No sleep yet.\n\ns reads what is new and puts beliefs together; you can go on meanwhile."
NOTHING_WAITS = "No sleep yet.\n\nNothing waits to be read: tell me something in the chat (esc)."


class SleepScreen(FramedScreen):
    """The sleep that goes on, and those that were."""

    PLACE = "sleep"
    DEFAULT_CSS = """
    SleepScreen #sleep-state { height: 1; padding: 0 2; margin: 1 0; }
    SleepScreen #sleep-reader { height: auto; max-height: 2; padding: 0 2; margin: 0 0 1 0; color: $quiet; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "sleep_now", "sleep now", id="sleep.now"),
        Binding("escape", "stop", "stop", id="sleep.stop"),
        Binding("escape", "dismiss", "back", id="sleep.back"),
        Binding("n", "drop", "drop", id="sleep.drop"),
        Binding("u", "undo", "undo", id="sleep.undo"),
        Binding("U", "undo_run", "undo this sleep", id="sleep.undo_run"),
        Binding("tab", "other", "other side", show=False, id="sleep.other"),
    ]
    HELP = """
    ### Sleep
    A sleep reads what is new, finds out who is who, puts beliefs together, and sums up. It is many small steps: `esc`
    stops it between two of them, and nothing is half-done. On the left every sleep that there was, on the right what
    the marked one changed: + new, ~ changed, − ended. `n` drops what was misread, `U` takes the whole sleep back.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._runs: list[Operation] = []
        self._pending: int | None = None
        """None until it is counted."""
        self._changes: Sequence[Change] = ()
        self._edits: Sequence[Operation] = ()
        self._list, self._diff = Choices(id="runs"), Choices(id="diff")

    @property
    def main(self) -> Choices:
        return self._list

    def body(self) -> ComposeResult:
        yield Static("", id="sleep-state", markup=False)
        reader = Static("", id="sleep-reader", markup=False)
        reader.display = False
        yield reader
        yield Phases()
        with Horizontal(classes="sides"):
            yield self._list
            yield self._diff

    def begin(self) -> None:
        super().begin()
        self.sleep_changed()

    # -- the sleep that goes on

    def sleep_changed(self) -> None:
        """It went on, or ended: the app says so."""
        night = self.services.night
        phases = self.query_one(Phases)
        phases.phases, phases.display = night.phases(), night.known
        left = f" · about {night.left} left" if night.left else ""
        words = f"◐ asleep{left}" if night.asleep else self._rest()
        self.query_one("#sleep-state", Static).update(lines((words, "bold")), layout=False)
        self.refresh_bindings()
        if not night.asleep and night.ended:
            night.ended = False
            self.refetch()

    def _rest(self) -> str:
        if self._pending is None:
            return ""
        return f"◔ {count(self._pending, 'turn')} to sleep on" if self._pending else "● rested; nothing waits"

    def action_sleep_now(self) -> None:
        self.app.call_later(self.app.run_action, "sleep")

    def action_stop(self) -> None:
        """Between two steps; nothing is half-done."""
        self.app.call_later(self.app.run_action, "stop_sleep")

    # -- those that were

    def refetch(self) -> None:
        self.read(Job.READ_SLEEPS, self._fetch, self._fetched)

    def _fetch(self, memory: Memory) -> tuple[list[Operation], int, str]:
        """The log of sleeps, newest first; how many turns wait; who reads beside the rules, or why nobody does."""
        from app.core.fitness import of_chat

        voice = self.services.voice
        runs = memory.log.operations(limit=deeds.LOG_REACH, phase="sleep")
        reader = of_chat(voice.model, wanted=self.services.settings.model_reads).sentence if voice else ""
        return runs, memory.reading.pending(), reader

    def _fetched(self, read: tuple[list[Operation], int, str]) -> None:
        self._runs, self._pending, reader = read
        words = self.query_one("#sleep-reader", Static)
        words.update(lines(one_line(reader)))
        words.display = bool(reader)
        self._draw_runs()
        self.sleep_changed()

    def on_choices_widened(self, event: Choices.Widened) -> None:
        """The two sides change their places with the width of the terminal, and what was read may come before that."""
        event.stop()
        if event.choices is self._list and self._runs:
            self._draw_runs()
        elif event.choices is self._diff and (self._changes or self._edits):
            self._draw_diff()

    def _draw_runs(self) -> None:
        rows = [heading("SLEEPS", str(len(self._runs)))]
        rows += [Row(run_row(run, max(24, self._list.size.width - 3)), run) for run in self._runs]
        empty = [Row(lines((NEVER_SLEPT if self._pending else NOTHING_WAITS, QUIET)))]
        self._diff.display = bool(self._runs)
        self._list.show_rows(rows if self._runs else empty, self._list.highlighted)

    def on_choices_pointed(self, event: Choices.Pointed) -> None:
        if event.choices is self._list and isinstance(event.record, Operation) and event.record.run is not None:
            self.ask(Job.READ_SLEEP, partial(_changed_by, event.record.run), self._show)

    def on_job_failed(self, event: JobFailed) -> None:
        """What stood on the right belongs to the sleep that was marked before."""
        if event.job is Job.READ_SLEEP:
            self._changes = self._edits = ()
            self._diff.show_rows([Row(lines((NOT_READ, QUIET)))])

    def _show(self, read: tuple[Sequence[Change], Sequence[Operation]]) -> None:
        self._changes, self._edits = read
        self._draw_diff()

    def _draw_diff(self) -> None:
        width = max(24, self._diff.size.width - 4)
        rows = [heading("CHANGES", f"what the turns of this sleep taught: {len(self._changes)}")]
        rows += [Row(change_card(change, width, self.services.now), change) for change in self._changes[:MOST_CHANGES]]
        if len(self._changes) > MOST_CHANGES:
            rows.append(Row(lines((f"and {len(self._changes) - MOST_CHANGES:,} more, in the timeline", QUIET))))
        if self._edits:
            rows.append(heading("TIDIED", str(len(self._edits)), gap=True))
            rows += [Row(edit_row(edit, width), edit) for edit in self._edits]
        self._diff.show_rows(rows, self._diff.highlighted)

    def chosen(self, choices: Choices, record: object) -> None:
        if choices is self._list:
            self._diff.focus()
        else:
            super().chosen(choices, record)

    def action_other(self) -> None:
        (self._list if self._diff.has_focus else self._diff).focus()

    # -- taking back

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what would do something."""
        asleep, run = self.services.night.asleep, self._list.pointed
        marked = self._diff.pointed if self._diff.has_focus else None
        match action:
            case "stop":
                return asleep
            case "dismiss":
                return not asleep
            case "sleep_now":
                return not asleep and bool(self._pending)
            case "drop":
                return isinstance(marked, Change)
            case "undo":
                return isinstance(marked, Operation) and marked.reason == "APPLIED" and marked.undone_by is None
            case "undo_run":
                return not asleep and isinstance(run, Operation) and run.undone_by is None
        return True

    def action_drop(self) -> None:
        if isinstance(self._diff.pointed, Change):
            self.by_hand(deeds.drop(self._diff.pointed))

    def action_undo(self) -> None:
        if isinstance(self._diff.pointed, Operation):
            self.by_hand(deeds.undo_edit(self._diff.pointed.id))

    def action_undo_run(self) -> None:
        run = self._list.pointed
        if isinstance(run, Operation) and run.run is not None:
            self.by_hand(deeds.undo_run(run.run))


def _changed_by(run: int, memory: Memory) -> tuple[list[Change], list[Operation]]:
    return changes_of(memory, run), edits_of(memory, run)


def changes_of(memory: Memory, run: int) -> list[Change]:
    """What the turns that a run read taught, oldest first; what was only said again is left out."""
    readings = memory.log.records(run).readings
    said = [claim.said_at.us for _turn, _by, claims in readings for claim in claims]
    if not said:
        return []
    turns = {turn for turn, _by, claims in readings if claims}
    found = memory.beliefs.changes(min(said), max(said) + 1)
    mine = [one for one in found if one.kind != "reinforce" and _rests_on(one.new or one.old, turns)]
    return list(steps_of(tuple(mine)))


def edits_of(memory: Memory, run: int) -> list[Operation]:
    """What a run put together, split or renewed."""
    return [operation for operation in memory.log.operations(run, limit=deeds.LOG_REACH) if operation.phase == "tidy"]


def _rests_on(fact: Fact | None, turns: set[str]) -> bool:
    return fact is not None and any(source.episode in turns for source in fact.sources)
