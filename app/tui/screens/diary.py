"""What a memory comes to is read, never written: who one is, and what was said when, each line leading to its source.

On the left the kinds of memory and the stretches of the calendar, on the right the one that is marked: beliefs in
sections, or the sentences that sum it up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal

from app.core import deeds
from app.core.deeds import DeedResult
from app.tui.jobs import Job, JobFailed
from app.tui.screens.base import NOT_READ
from app.tui.screens.by_hand import BeliefScreen
from app.tui.services import Services
from store.errors import NotFound
from store.records import Operation, Stretch
from widgets.choices import Choices, Row, heading
from widgets.diary_rows import day_line, entry_line, sentence_line, stretch_title, title_line
from widgets.fact_rows import fact_line, row_width
from widgets.look import QUIET, lines
from widgets.plain import one_line
from widgets.wording import count, day

if TYPE_CHECKING:
    from store.beliefs.typed import Kind, Section
    from store.memory import Memory
    from store.sleep.summaries import Entry, Grain, Summary

View = Literal["profile", "semantic", "episodic", "procedural", "core"]
VIEWS: dict[View, str] = {
    "profile": "Who you are",
    "semantic": "Whom and what you know",
    "episodic": "What happened",
    "procedural": "How you like things",
    "core": "What matters most",
}
NOTHING_OF: dict[View, str] = {
    "profile": "Nothing is believed of you yet: tell me where you live, what you do, whom you are fond of.",
    "semantic": "Nothing is known of anybody else yet: tell me of your people, pets and places.",
    "episodic": "Nothing that happened is known yet: tell me what you did, and when.",
    "procedural": "Nothing yet: tell me how you like things done, what you use, what you do every week.",
    "core": "Nothing matters most yet: what is said and used often becomes so, and p pins a belief.",
}
MOST_SHOWN = 1_000
"""Beliefs of a view that are shown; the beliefs (ctrl+l) have them all."""
LABEL = 22


@dataclass(frozen=True, slots=True)
class ViewRead:
    """The beliefs of a view."""

    view: View
    sections: Sequence[Section]


@dataclass(frozen=True, slots=True)
class SummaryRead:
    """What sums a stretch up; None where nothing does any more."""

    entry: Entry
    summary: Summary | None


class DiaryScreen(BeliefScreen):
    """Who one is, and one's days."""

    PLACE = "diary"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d", "grain('day')", "days", id="diary.days"),
        Binding("w", "grain('week')", "weeks", id="diary.weeks"),
        Binding("m", "grain('month')", "months", id="diary.months"),
        Binding("a", "faded", "faded too", id="diary.faded"),
        Binding("tab", "other", "other side", show=False, id="diary.other"),
        Binding("escape", "dismiss", "back", id="diary.back"),
    ]
    HELP = """
    ### Diary
    On the left the kinds of memory, and the months in which something was said (`d` days, `w` weeks, `m` months). On
    the right what stands there: beliefs, the ones that matter most first, or the sentences that sum a stretch up, each
    as it was said. `enter` opens a belief's chain or a sentence's turn, `tab` goes to the other side. What nobody has
    spoken of for long is only counted; `a` shows it.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._list = Choices(id="stretches")
        self._grain: Grain = "month"
        self._entries: Sequence[Entry] | None = None
        """None until they are read."""
        self._faded = False
        """What nobody has spoken of for long is shown, too."""
        self._shown: ViewRead | SummaryRead | None = None

    @property
    def main(self) -> Choices:
        return self._list

    @property
    def pointed(self) -> object:
        """The belief that the keys are about: none while the mark is on the left."""
        return self.choices.pointed if self.choices.has_focus else None

    def body(self) -> ComposeResult:
        with Horizontal(classes="sides"):
            yield self._list
            yield self.choices

    # -- the left side

    def refetch(self) -> None:
        self.read(
            Job.READ_DIARY, lambda memory: (memory.overview.diary(self._grain), deeds.latest(memory)), self._fetched
        )

    def _fetched(self, read: tuple[Sequence[Entry], Operation | None]) -> None:
        self._entries, self.last_deed = read
        self._draw_list()
        self.refresh_bindings()

    def _draw_list(self) -> None:
        if self._entries is None:
            return
        width = max(24, self._list.size.width - 3)
        rows = [heading("YOU")]
        rows += [Row(lines("  ", title), view) for view, title in VIEWS.items()]
        rows.append(heading("DIARY", count(len(self._entries), self._grain), gap=True))
        most = max((one.turns for one in self._entries), default=0)
        rows += [Row(entry_line(stretch_title(entry.grain, entry.start), entry.turns, most, width), entry)
                 for entry in self._entries]  # fmt: skip
        if not self._entries:
            rows.append(Row(lines(("  Nothing was said yet: say something in the chat (esc).", QUIET))))
        place = self._list.highlighted
        self._list.show_rows(rows, 1 if place is None else min(place, len(rows) - 1))

    def on_choices_widened(self, event: Choices.Widened) -> None:
        event.stop()
        if event.choices is self._list:
            self._draw_list()
        else:
            self._draw()

    def on_choices_pointed(self, event: Choices.Pointed) -> None:
        if event.choices is self._list and event.record is not None:
            self._read_marked()

    def action_grain(self, grain: Grain) -> None:
        """Days, weeks or months; the mark goes to the latest of them."""
        self._grain = grain
        self._list.highlighted = None if isinstance(self._list.pointed, str) else len(VIEWS) + 2
        self.refetch()

    def action_other(self) -> None:
        (self._list if self.choices.has_focus else self.choices).focus()

    # -- the right side

    def _read_marked(self) -> None:
        self.ask(Job.READ_ENTRY, partial(self._read, self._list.pointed), self._show)

    def on_job_failed(self, event: JobFailed) -> None:
        """What stood on the right belongs to what was marked before."""
        if event.job is Job.READ_ENTRY:
            self._shown = None
            self.choices.show_rows([Row(lines((NOT_READ, QUIET)))])
            self.refresh_bindings()

    def _read(self, marked: object, memory: Memory) -> ViewRead | SummaryRead:
        from store.beliefs.typed import Section
        from store.sleep.summaries import Entry

        if isinstance(marked, Entry):
            within = Stretch(marked.start.us, marked.start.us + 1, offset=marked.start.offset)
            try:
                return SummaryRead(marked, memory.overview.summary(marked.grain, within=within))
            except NotFound:
                return SummaryRead(marked, None)
        if marked == "core":
            core = memory.salience.core()
            return ViewRead("core", [Section(VIEWS["core"], tuple(core))] if core else [])
        kind = cast("Kind", marked)
        return ViewRead(kind, memory.beliefs.profile(kind, everything=self._faded))

    def _show(self, read: ViewRead | SummaryRead) -> None:
        self._shown = read
        self._draw()
        self.refresh_bindings()

    def _draw(self) -> None:
        width = max(24, self.choices.size.width - 4)
        if isinstance(self._shown, ViewRead):
            self.choices.show_rows(self._of_view(self._shown, width), self.choices.highlighted)
        elif isinstance(self._shown, SummaryRead):
            self.choices.show_rows(self._of_summary(self._shown, width), self.choices.highlighted)

    def _of_view(self, read: ViewRead, width: int) -> list[Row]:
        rows: list[Row] = []
        now, left = self.services.now, MOST_SHOWN
        label = min(LABEL, width // 3)
        room = row_width((fact for section in read.sections for fact in section.facts[:left]), label, width, now)
        for section in read.sections:
            facts = section.facts[:left]
            left -= len(facts)
            rows.append(heading(one_line(section.title, 40), f"{len(section.facts):,}", gap=bool(rows)))
            rows += [Row(fact_line(one, now, label, room), one) for one in facts]
            if section.faded:
                rows.append(Row(lines((f"    {section.faded:,} more, not spoken of for long", QUIET))))
        return rows or [Row(lines((NOTHING_OF[read.view], QUIET)))]

    def _of_summary(self, read: SummaryRead, width: int) -> list[Row]:
        title = stretch_title(read.entry.grain, read.entry.start)
        if read.summary is None:
            return [Row(lines((f"{title}: nothing of it can be summed up any more.", QUIET)))]
        rows = [Row(title_line(title, read.summary.turns, len(read.summary.sentences)))]
        last = ""
        if read.entry.grain == "day":  # which is the title already
            rows, last = [Row(lines(rows[0].shown, "\n"))], f"{read.entry.start.local():%Y-%m-%d}"
        for sentence in read.summary.sentences:
            if day(sentence.said_at) != last:
                last = day(sentence.said_at)
                rows.append(Row(day_line(sentence)))
            rows.append(Row(sentence_line(sentence, width), sentence))
        return rows

    def chosen(self, choices: Choices, record: object) -> None:
        if choices is self._list:
            self.choices.focus()
        else:
            super().chosen(choices, record)

    def action_faded(self) -> None:
        self._faded = not self._faded
        self._read_marked()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what would do something."""
        if action == "grain":
            return parameters != (self._grain,)
        if action == "faded":
            read = self._shown
            return isinstance(read, ViewRead) and (self._faded or any(section.faded for section in read.sections))
        return super().check_action(action, parameters)

    def hand_done(self, done: DeedResult, to: object) -> None:
        self.refetch()
        self._read_marked()
