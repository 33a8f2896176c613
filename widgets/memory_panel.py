"""What a reply was given, and what the turn taught, stand beside it, with their times and what found them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partialmethod
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from store.records import Change, Fact, Hit, Precision, Quarantined
from widgets.choices import Choices, Row, heading, opened
from widgets.look import CHANGED, LINK, NEVER, NOW, PAST, QUIET, glyph, hung, lines, stacked
from widgets.messages import ChangeJudged, UndoWanted, Verdict, WhyWanted
from widgets.plain import one_line
from widgets.states import WAS_TRUE
from widgets.wording import about, count, day_words, is_one_point, milliseconds, since, value, whose

MOST_HITS = 6
MOST_LATELY = 8
CHANNEL_WORDS = {
    "lexical": "words", "bm25": "words", "dense": "meaning", "graph": "links", "recency": "recent",
}  # fmt: skip
USED, RECALLED, CLOSEST = "USED", "RECALLED", "CLOSEST"


@dataclass(frozen=True, slots=True)
class Used:
    """What one turn rested on."""

    facts: tuple[Fact, ...] = ()
    hits: tuple[Hit, ...] = ()
    elapsed_ms: float = 0.0
    turns: int = 0  # how many turns an answer quotes, where it rests on no belief
    head: str = USED
    """USED: the answer rests on it. RECALLED: found, and given to nobody. CLOSEST: found, and nothing was answered."""
    note: str = ""  # what did not fit into the prompt
    steps: tuple[tuple[str, float], ...] = ()  # what a model looked up by itself: the call, and its milliseconds
    doubts: tuple[tuple[str, Fact], ...] = ()  # sentences of the reply that speak against a belief, and the belief


class MemoryRows(Choices):
    """The rows of the panel; what was learned can be kept, dropped or edited where it stands."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "keep", "keep", id="learned.keep"),
        Binding("n", "drop", "drop", id="learned.drop"),
        Binding("e", "edit", "edit", id="learned.edit"),
        Binding("w", "why", "why these", id="panel.why"),
        Binding("u", "undo", "undo", id="learned.undo"),
    ]
    explicable = False  # there is an answer of which one may ask why
    undoable = False  # something in the list was dropped or edited

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The keys of what was learned are keys only on it."""
        learned = isinstance(self.pointed, Change)
        match action:
            case "keep" | "drop":
                return learned
            case "edit":
                return isinstance(self.pointed, Change) and self.pointed.new is not None
            case "undo":
                return self.undoable
            case "why":
                return self.explicable
            case "copy":
                return not learned
        return super().check_action(action, parameters)

    def on_choices_pointed(self, event: Choices.Pointed) -> None:
        event.stop()
        self.refresh_bindings()

    def _judge(self, verdict: Verdict) -> None:
        if isinstance(self.pointed, Change):
            self.post_message(ChangeJudged(self.pointed, verdict))

    action_keep = partialmethod(_judge, "kept")
    action_drop = partialmethod(_judge, "dropped")
    action_edit = partialmethod(_judge, "edited")

    def action_undo(self) -> None:
        self.post_message(UndoWanted())

    def action_why(self) -> None:
        self.post_message(WhyWanted())


class MemoryPanel(Vertical):
    """USED and LEARNED for the latest turn."""

    DEFAULT_CSS = """
    MemoryPanel { width: 40; border-left: vkey $rule; padding: 1 0 0 0; background: $background; }
    MemoryPanel > .empty { color: $quiet; padding: 0 2; }
    MemoryPanel > MemoryRows { height: 1fr; }
    MemoryPanel > MemoryRows:blur > .choices--marked { background: $background; color: $foreground; }
    """
    HELP = """
    ### Memory of this turn
    USED is what the answer rests on: ● true now, ○ was true, ◌ not yet true, ✗ never true, with the channels that
    found it. RECALLED was found, and not given to the model; CLOSEST came near, and answered nothing. LATELY is
    what changed last, before this chat. STEPS is what a model looked up by itself. DOUBTFUL is a sentence of the
    reply that speaks against a belief that it was given.

    LEARNED is what your words taught: + new, ~ changed, − ended, ○ was true, ? not sure. NOT LEARNED is what reads like
    an instruction to a model, and secrets, which are named only by their kind. On what was learned, `y` keeps it (and
    says that what is unsure is so), `n` drops it, `e` puts it right, `u` undoes that. `w` shows why these were used:
    all that was compared, and the prompt. `enter` opens a fact's chain, or a turn in its conversation.
    """
    EMPTY = "Nothing yet.\n\nWhat I recall for an answer will stand here, and below it what your words taught me."

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.used: Used | None = None
        self.changes: tuple[Change, ...] = ()
        self.apart: tuple[Quarantined, ...] = ()
        self.lately: tuple[Change, ...] = ()
        self.true_at = self.believed_at = 0
        self.now: int | None = None  # microseconds UTC: dates leave out its year
        self._verdicts: list[tuple[Change, Verdict, Change]] = []

    def compose(self) -> ComposeResult:
        yield Static(lines(self.EMPTY), classes="empty", markup=False)
        rows = MemoryRows(id="memory-rows")
        rows.display = False
        yield rows

    def clear(self) -> None:
        """Nothing was used and nothing learned."""
        self.used, self.changes, self.apart, self._verdicts = None, (), (), []
        self._refresh_rows()

    def show_lately(self, changes: tuple[Change, ...]) -> None:
        """What changed before this chat, newest first; stands there until the first turn."""
        self.lately = steps_of(changes)[:MOST_LATELY]
        self._refresh_rows(keep_place=True)

    def show_used(self, used: Used, true_at: int, believed_at: int) -> None:
        """The times (microseconds UTC) are those at which the question was asked."""
        self.used, self.true_at, self.believed_at = used, true_at, believed_at
        self._refresh_rows()

    def show_learned(self, changes: tuple[Change, ...], apart: tuple[Quarantined, ...] = ()) -> None:
        """What the turn taught, and what of it taught nothing because it is no assertion, or a secret."""
        self.changes, self.apart = steps_of(changes), apart
        self._refresh_rows()

    def judge(self, change: Change, verdict: Verdict, instead: Fact | None = None) -> None:
        """The person said what they think of something that was learned; `instead` is what is right."""
        shown = change if instead is None else Change(change.at, "correct", instead, change.new or change.old)
        # As it was learned, if it is shown otherwise by now.
        first = next((learned for learned, _verdict, seen in self._verdicts if seen == change), change)
        self._verdicts = [one for one in self._verdicts if one[2] != change] + [(first, verdict, shown)]
        self._refresh_rows(keep_place=True)

    def unjudge(self) -> None:
        """The last of what was dropped or edited stands again as it was learned."""
        undoable = [verdict for verdict in self._verdicts if verdict[1] != "kept"]
        if undoable:
            self._verdicts.remove(undoable[-1])
            self._refresh_rows(keep_place=True)

    def _refresh_rows(self, *, keep_place: bool = False) -> None:
        rows = self._used_rows() + self._learned_rows()
        if not rows and self.lately:
            told = [Row(change_card(one, self._text_width(), self.now), one.new or one.old) for one in self.lately]
            rows = [heading("LATELY", "what you told me last"), *told]
        self.query_one(".empty").display = not rows
        choices = self.query_one(MemoryRows)
        choices.undoable = any(verdict != "kept" for _learned, verdict, _shown in self._verdicts)
        choices.explicable = self.used is not None
        choices.display = bool(rows)
        choices.show_rows(rows, choices.highlighted if keep_place else None)
        choices.refresh_bindings()

    def _used_rows(self) -> list[Row]:
        if self.used is None:
            return []
        used, width = self.used, self._text_width()
        hits = used.hits[:MOST_HITS]
        rows: list[Row] = []
        for sentence, fact in used.doubts:
            said = hung("  ", f"“{one_line(sentence, 3 * width)}”", width, NEVER)
            head = lines(("DOUBTFUL", f"bold {NEVER}"), ("  the reply speaks against", QUIET))
            rows += [Row(stacked([head, said])), self._fact_row(fact)]
        numbers = ((len(used.facts), "belief"), (len(hits) or used.turns, "turn"))
        counts = " · ".join(count(number, word) for number, word in numbers if number)
        rows.append(heading(used.head, f"{counts or 'nothing'} · {milliseconds(used.elapsed_ms)}"))
        rows += [self._fact_row(fact) for fact in used.facts]
        rows += [Row(hit_card(hit, width), hit) for hit in hits]
        if used.steps:
            rows.append(heading("STEPS", "the model looked by itself", gap=True))
        for number, (call, spent) in enumerate(used.steps, 1):
            shown = hung((f"{number} ", LINK), one_line(call, 3 * width), width)
            rows.append(Row(stacked([shown, lines((f"  {milliseconds(spent)}", QUIET))])))
        if used.note:
            rows.append(Row(lines((f"… {one_line(used.note)}", CHANGED))))
        return rows

    def _fact_row(self, fact: Fact) -> Row:
        return Row(fact_card(fact, self.true_at, self.believed_at, self._text_width(), self.now), fact)

    def _learned_rows(self) -> list[Row]:
        """What was learned, or what stands in its place, and the person's verdict below it; and what was not."""
        width, rows = self._text_width(), list[Row]()
        if self.changes:
            rows.append(heading("LEARNED", count(len(self.changes), "thing"), gap=self.used is not None))
        for change in self.changes:
            verdict, shown = next(((two, three) for one, two, three in self._verdicts if one == change), ("", change))
            card = change_card(shown, width, self.now)
            if verdict:
                mark, style = ("✗", NEVER) if verdict == "dropped" else ("✓", NOW)
                card = stacked([card, lines((f"  {mark} {verdict}", style))])
            rows.append(Row(card, shown))
        if self.apart:
            rows.append(heading("NOT LEARNED", "kept, word for word", gap=bool(self.used or self.changes)))
        for one in self.apart:
            if one.quote:
                said = hung(("○ ", QUIET), f"“{one_line(one.quote, 3 * width)}”", width)
                rows.append(Row(stacked([said, lines((f"  {one.reason}", QUIET))])))
            else:
                rows.append(Row(lines((f"○ kept out: {one.reason}", QUIET))))
        return rows

    def _text_width(self) -> int:
        """Columns of a row: beside it there may be a scrollbar."""
        return max(20, (self.size.width or 40) - 3)

    def on_choices_widened(self, event: Choices.Widened) -> None:
        event.stop()
        self._refresh_rows(keep_place=True)

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        event.stop()
        if (message := opened(event.record)) is not None:
            self.post_message(message)


def steps_of(changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """Without those that only date anew what another one of the same moment replaced."""
    replaced = {
        (one.at, one.old.subject, one.old.predicate, one.old.object) for one in changes
        if one.new is not None and one.old is not None and one.new.object != one.old.object
    }  # fmt: skip
    return tuple(
        one for one in changes
        if one.new is None or (one.at, one.new.subject, one.new.predicate, one.new.object) not in replaced
    )  # fmt: skip


def fact_card(fact: Fact, true_at: int, believed_at: int, width: int, now: int | None = None) -> Content:
    """Two lines: glyph, whom and what, value; below, since when."""
    head = _head(fact, *glyph(fact, true_at, believed_at), width)
    return stacked([head, lines((f"  {since(fact, now)}", QUIET))])


def _head(fact: Fact, mark: str, style: str, width: int) -> Content:
    label = about(fact)
    shown = one_line(value(fact), max(8, width - len(label) - 5))
    return lines((f"{mark} ", style), (f"{label} ", QUIET), (shown, "bold"))


def hit_card(hit: Hit, width: int) -> Content:
    """The words, on two lines at most; below, who, when and which channels found them."""
    foot = f"{whose(hit.speaker, 16)} · {day_words(hit.said_at)}"
    names = [CHANNEL_WORDS.get(name, name) for name, _rank in sorted(hit.channels, key=lambda pair: pair[1])]
    for place, name in enumerate(dict.fromkeys(names)):
        joined = f"{foot}{', ' if place else ' · '}{name}"
        if len(joined) > width - 2:  # the nearest channels say enough; f2 shows them all
            break
        foot = joined
    return stacked([hung(("▸ ", LINK), hit.text, width, most=2), lines((f"  {one_line(foot, width - 2)}", QUIET))])


def change_card(change: Change, width: int, now: int | None = None) -> Content:
    """+ value, since when if there is room; of a change what it was before; of what is over, its sentence."""
    fact = change.new or change.old
    if fact is None:
        return lines("")
    # It was so in the past only; what happened on one day is told like any other event.
    ended = fact.valid_to is not None and fact.valid_to.us <= (now or change.at.us)
    over = ended and not is_one_point(fact) and not fact.unsure
    if over and change.new is not None and change.kind not in ("stop", "retract"):
        when = "" if fact.precision_to is Precision.OPEN else f", {since(fact, now)}"
        return hung((f"{WAS_TRUE} ", PAST), f"{fact.text.removesuffix('.')}{when}", width, QUIET, most=2)
    sign, style = _sign(change)
    first = _head(fact, sign, f"bold {style}", width)
    if change.new is not None and change.old is not None and change.old.object != change.new.object:
        return stacked([first, lines((f"  was {one_line(value(change.old), width - 8)}", QUIET))])
    when = f"  {since(fact, now)}" if fact.precision is not Precision.OPEN else ""
    return lines(first, (when, QUIET)) if first.cell_length + len(when) <= width else first


def _sign(change: Change) -> tuple[str, str]:
    if change.new is not None and change.new.unsure:
        return "?", CHANGED
    if change.new is None or change.kind in ("stop", "retract"):
        return "−", NEVER
    if change.kind == "reinforce":
        return "=", QUIET
    return ("~", CHANGED) if change.old is not None else ("+", NOW)
