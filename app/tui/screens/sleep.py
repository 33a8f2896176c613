"""A sleep is seen while it goes on, and afterwards: each with what it changed, and every change can be taken back.

The note that it leaves in the morning says what changed while nobody looked, each thing with the belief that it is
about.
"""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from app.core import deeds
from app.core.opening import Morning
from app.tui.jobs import Job
from app.tui.screens.base import SidesScreen
from app.tui.screens.dialogs import ListDialog
from app.tui.services import Services, UnsureJudged
from store.memory import Memory
from store.records import Change, Fact, Operation
from widgets.choices import Choices, Row, heading
from widgets.look import QUIET, hung, lines
from widgets.memory_panel import change_card, steps_of
from widgets.plain import one_line
from widgets.sleep_rows import Phases, run_row
from widgets.wording import count

MOST_CHANGES = 200
NEVER_SLEPT = "No sleep yet.\n\ns reads what is new and puts beliefs together; you can go on meanwhile."
NOTHING_WAITS = "No sleep yet.\n\nNothing waits to be read: tell me something in the chat (esc)."


class SleepScreen(SidesScreen):
    """The sleep that goes on, and those that were."""

    PLACE = "sleep"
    JOB, SIDE_JOB = Job.READ_SLEEPS, Job.READ_SLEEP
    DEFAULT_CSS = """
    SleepScreen #sleep-state { height: 1; padding: 0 2; margin: 1 0; }
    SleepScreen #sleep-reader { height: auto; max-height: 2; padding: 0 2; margin: 0 0 1 0; color: $quiet; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "sleep_now", "sleep now", id="sleep.now"),
        Binding("escape", "stop", "stop", id="sleep.stop"),
        Binding("escape", "dismiss", "back", id="sleep.back"),
        Binding("n", "drop", "drop", id="sleep.drop"),
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
        self.left, self.right = Choices(id="runs"), Choices(id="diff")
        self._pending: int | None = None
        """How many turns wait; None until they are counted."""

    def body(self) -> ComposeResult:
        yield Static("", id="sleep-state", markup=False)
        yield Static("", id="sleep-reader", markup=False)
        yield Phases()
        with Horizontal(classes="sides"):
            yield self.left
            yield self.right

    def begin(self) -> None:
        self.query_one("#sleep-reader").display = False
        super().begin()
        self.sleep_changed()

    def sleep_changed(self) -> None:
        night = self.services.night
        phases = self.query_one(Phases)
        phases.phases, phases.display = night.phases(), night.known
        words = "" if self._pending is None else "● rested; nothing waits"
        if night.asleep:
            words = f"◐ asleep{f' · about {night.left} left' if night.left else ''}"
        elif self._pending:
            words = f"◔ {count(self._pending, 'turn')} to sleep on"
        self.query_one("#sleep-state", Static).update(lines((words, "bold")), layout=False)
        self.refresh_bindings()
        if not night.asleep and night.ended:
            night.ended = False
            self.refetch()

    def action_sleep_now(self) -> None:
        self.app.call_later(self.app.run_action, "sleep")

    def action_stop(self) -> None:
        """Between two steps; nothing is half-done."""
        self.app.call_later(self.app.run_action, "stop_sleep")

    def fetch(self, memory: Memory) -> tuple[list[Operation], int, str]:
        """The log of sleeps, newest first; how many turns wait; who reads beside the rules, or why nobody does."""
        from app.core.fitness import of_chat

        voice = self.services.voice
        runs = memory.log.operations(limit=deeds.LOG_REACH, phase="sleep")
        reader = of_chat(voice.model, wanted=self.services.settings.model_reads).sentence if voice else ""
        return runs, memory.reading.pending(), reader

    def fetched(self, known: tuple[list[Operation], int, str]) -> None:
        runs, self._pending, reader = known
        words = self.query_one("#sleep-reader", Static)
        words.update(lines(one_line(reader)))
        words.display = bool(reader)
        super().fetched(runs)
        self.sleep_changed()

    def draw(self) -> None:
        if self.known is None:
            return
        rows = [heading("SLEEPS", str(len(self.known)))]
        rows += [Row(run_row(run, max(24, self.left.size.width - 3)), run) for run in self.known]
        empty = [Row(lines((NEVER_SLEPT if self._pending else NOTHING_WAITS, QUIET)))]
        self.right.display = bool(self.known)
        self.left.show_rows(rows if self.known else empty, self.left.highlighted)

    def fetch_side(self, marked: object, memory: Memory) -> list[Change]:
        return changes_of(memory, marked.run) if isinstance(marked, Operation) and marked.run is not None else []

    def draw_side(self) -> None:
        if self.side is None:
            return
        changes: list[Change] = self.side
        width = max(24, self.right.size.width - 4)
        rows = [heading("CHANGES", f"what the turns of this sleep taught: {len(changes)}")]
        rows += [Row(change_card(change, width, self.services.now), change) for change in changes[:MOST_CHANGES]]
        if len(changes) > MOST_CHANGES:
            rows.append(Row(lines((f"and {len(changes) - MOST_CHANGES:,} more, in the timeline", QUIET))))
        self.right.show_rows(rows, self.right.highlighted)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        asleep, run = self.services.night.asleep, self.left.pointed
        marked = self.right.pointed if self.right.has_focus else None
        useful = {
            "stop": asleep,
            "dismiss": not asleep,
            "sleep_now": not asleep and bool(self._pending),
            "drop": isinstance(marked, Change),
            "undo_run": not asleep and isinstance(run, Operation) and run.undone_by is None,
        }
        return useful.get(action, True)

    def action_drop(self) -> None:
        if isinstance(self.right.pointed, Change):
            self.by_hand(deeds.drop(self.right.pointed))

    def action_undo_run(self) -> None:
        run = self.left.pointed
        if isinstance(run, Operation) and run.run is not None:
            self.by_hand(deeds.undo_run(run.run))


def changes_of(memory: Memory, run: int) -> list[Change]:
    """What the turns that a run read taught, oldest first; what was only said again is left out."""
    readings = memory.log.records(run)
    said = [claim.said_at.us for _turn, _by, claims in readings for claim in claims]
    if not said:
        return []
    turns = {turn for turn, _by, claims in readings if claims}
    mine = []
    for change in memory.beliefs.changes(min(said), max(said) + 1):
        fact = change.new or change.old
        if change.kind != "reinforce" and fact and any(source.episode in turns for source in fact.sources):
            mine.append(change)
    return list(steps_of(tuple(mine)))


NOTHING_YET = "There is no note yet. The first sleep writes one: what is new, what comes up (ctrl+s)."
NOTHING_NEW = "Nothing new since the note before. The next sleep writes one (ctrl+s)."


class BriefRows(Choices):
    """The lines of the brief; what is unsure can be judged where it stands."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "judge(True)", "it is so", id="brief.yes"),
        Binding("n", "judge(False)", "it is not", id="brief.no"),
    ]

    @property
    def unsure(self) -> Fact | None:
        return self.pointed if isinstance(self.pointed, Fact) and self.pointed.unsure else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what is unsure can be judged; `y` copies anything else."""
        if action in ("judge", "copy"):
            return (self.unsure is not None) is (action == "judge")
        return super().check_action(action, parameters)

    def on_choices_pointed(self) -> None:
        self.refresh_bindings()

    def action_judge(self, yes: bool) -> None:
        if self.unsure is not None:
            self.post_message(UnsureJudged(self.unsure, yes))


class BriefDialog(ListDialog):
    """The note, under its headings. Dismisses with the belief that was chosen."""

    DEFAULT_CSS = "BriefDialog { background: $background; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+e", "dismiss", "close", show=False, id="brief.close")]

    def __init__(self, morning: Morning) -> None:
        super().__init__()
        self.morning = morning

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            if self.morning.lines:
                yield Static(lines(one_line(self.morning.heading)), classes="title", markup=False)
            yield BriefRows(self._rows(), id="brief")
            hint = "enter opens it, esc closes; each is told once" if self.morning.lines else "esc closes"
            if any(line.section == "unsure" for line in self.morning.lines):
                hint += "; y or n says whether what is unsure is so"
            yield Static(lines((hint, QUIET)), classes="hint", markup=False)

    def _rows(self) -> list[Row]:
        from store.sleep.telling import TITLES

        rows: list[Row] = []
        for section, title in TITLES.items():
            inside = [one for one in self.morning.lines if one.section == section]
            if inside:
                rows.append(heading(title.upper(), gap=bool(rows)))
                rows += [Row(hung(("· ", QUIET), one.text, self.room), one.facts[0]) for one in inside]
        return rows or [Row(lines((NOTHING_NEW if self.morning.heading else NOTHING_YET, QUIET)))]

    def on_unsure_judged(self, event: UnsureJudged) -> None:
        """It leaves the note; with the last that is unsure the note closes."""
        event.stop()
        rest = tuple(one for one in self.morning.lines if event.fact not in one.facts)
        self.morning = self.morning._replace(lines=rest)
        self.app.post_message(UnsureJudged(event.fact, event.yes))
        if any(line.section == "unsure" for line in rest):
            rows = self.query_one(BriefRows)
            rows.show_rows(self._rows(), rows.highlighted)
        else:
            self.dismiss(None)

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        """What is unsure is judged, and has no chain to open."""
        if isinstance(event.record, Fact) and event.record.unsure:
            event.stop()
            event.prevent_default()
