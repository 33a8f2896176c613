"""What a memory comes to is read, never written: who one is, and what was said when, each line leading to its source.

On the left the kinds of memory and the stretches of the calendar, on the right the one that is marked: beliefs in
sections, or the sentences that sum it up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal

from app.core.deeds import DeedResult
from app.tui.jobs import Job
from app.tui.screens.base import SidesScreen
from app.tui.screens.beliefs import BeliefScreen
from app.tui.services import Services
from store.errors import NotFound
from store.records import Stretch
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
VIEWS: dict[View, tuple[str, str]] = {
    "profile": ("Who you are",
                "Nothing is believed of you yet: tell me where you live, what you do, whom you are fond of."),
    "semantic": ("Whom and what you know",
                 "Nothing is known of anybody else yet: tell me of your people, pets and places."),
    "episodic": ("What happened", "Nothing that happened is known yet: tell me what you did, and when."),
    "procedural": ("How you like things",
                   "Nothing yet: tell me how you like things done, what you use, what you do every week."),
    "core": ("What matters most",
             "Nothing matters most yet: what is said and used often becomes so, and p pins a belief."),
}  # fmt: skip
"""What each is called, and what stands there where it is empty."""
MOST_SHOWN = 1_000
"""Beliefs of a view that are shown; the beliefs (ctrl+l) have them all."""
LABEL = 22


class DiaryScreen(SidesScreen, BeliefScreen):
    """Who one is, and one's days."""

    PLACE = "diary"
    JOB, SIDE_JOB = Job.READ_DIARY, Job.READ_ENTRY
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
        self.left, self.right = Choices(id="stretches"), self.choices
        self._grain: Grain = "month"
        self._faded = False
        """What nobody has spoken of for long is shown, too."""

    @property
    def pointed(self) -> object:
        """The belief that the keys are about: none while the mark is on the left."""
        return self.right.pointed if self.right.has_focus else None

    def body(self) -> ComposeResult:
        with Horizontal(classes="sides"):
            yield self.left
            yield self.right

    def fetch(self, memory: Memory) -> Sequence[Entry]:
        return memory.overview.diary(self._grain)

    def draw(self) -> None:
        entries: Sequence[Entry] | None = self.known
        if entries is None:
            return
        width = max(24, self.left.size.width - 3)
        rows = [heading("YOU")]
        rows += [Row(lines("  ", title), view) for view, (title, _nothing) in VIEWS.items()]
        rows.append(heading("DIARY", count(len(entries), self._grain), gap=True))
        most = max((one.turns for one in entries), default=0)
        rows += [Row(entry_line(stretch_title(entry.grain, entry.start), entry.turns, most, width), entry)
                 for entry in entries]  # fmt: skip
        if not entries:
            rows.append(Row(lines(("  Nothing was said yet: say something in the chat (esc).", QUIET))))
        place = self.left.highlighted
        self.left.show_rows(rows, 1 if place is None else min(place, len(rows) - 1))

    def action_grain(self, grain: Grain) -> None:
        """Days, weeks or months; the mark goes to the latest of them."""
        self._grain = grain
        self.left.highlighted = None if isinstance(self.left.pointed, str) else len(VIEWS) + 2
        self.refetch()

    def fetch_side(self, marked: object, memory: Memory) -> tuple[object, Any]:
        """What is marked, with the sections of a view, or with what sums a stretch up: None where nothing does."""
        from store.beliefs.typed import Section
        from store.sleep.summaries import Entry

        if isinstance(marked, Entry):
            within = Stretch(marked.start.us, marked.start.us + 1, offset=marked.start.offset)
            try:
                return marked, memory.overview.summary(marked.grain, within=within)
            except NotFound:
                return marked, None
        if marked == "core":
            core = memory.salience.core()
            return marked, [Section(VIEWS["core"][0], tuple(core))] if core else []
        return marked, memory.beliefs.profile(cast("Kind", marked), everything=self._faded)

    def draw_side(self) -> None:
        if self.side is not None:
            marked, read = self.side
            width = max(24, self.right.size.width - 4)
            rows = self._of_view(marked, read, width) if marked in VIEWS else self._of_summary(marked, read, width)
            self.right.show_rows(rows, self.right.highlighted)

    def _of_view(self, view: View, sections: Sequence[Section], width: int) -> list[Row]:
        rows: list[Row] = []
        now, left = self.services.now, MOST_SHOWN
        label = min(LABEL, width // 3)
        room = row_width((fact for section in sections for fact in section.facts[:left]), label, width, now)
        for section in sections:
            facts = section.facts[:left]
            left -= len(facts)
            rows.append(heading(one_line(section.title, 40), f"{len(section.facts):,}", gap=bool(rows)))
            rows += [Row(fact_line(one, now, label, room), one) for one in facts]
            if section.faded:
                rows.append(Row(lines((f"    {section.faded:,} more, not spoken of for long", QUIET))))
        return rows or [Row(lines((VIEWS[view][1], QUIET)))]

    def _of_summary(self, entry: Entry, summary: Summary | None, width: int) -> list[Row]:
        title = stretch_title(entry.grain, entry.start)
        if summary is None:
            return [Row(lines((f"{title}: nothing of it can be summed up any more.", QUIET)))]
        rows = [Row(title_line(title, summary.turns, len(summary.sentences)))]
        last = ""
        if entry.grain == "day":  # which is the title already
            rows, last = [Row(lines(rows[0].shown, "\n"))], f"{entry.start.local():%Y-%m-%d}"
        for sentence in summary.sentences:
            if day(sentence.said_at) != last:
                last = day(sentence.said_at)
                rows.append(Row(day_line(sentence)))
            rows.append(Row(sentence_line(sentence, width), sentence))
        return rows

    def action_faded(self) -> None:
        self._faded = not self._faded
        self.read_side()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "grain":
            return parameters != (self._grain,)
        if action == "faded":
            marked, read = self.side or (None, ())
            return marked in VIEWS and (self._faded or any(section.faded for section in read))
        return super().check_action(action, parameters)

    def hand_done(self, done: DeedResult, to: object) -> None:
        self.refetch()
        self.read_side()
