"""What a reply was given and what the turn taught stand beside it, each with the times and the channels that brought
it.
"""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from store.records import Change, Fact, Hit, Precision
from widgets.choices import Choices, Row
from widgets.look import CHANGED, LINK, NEVER, NOW, QUIET, about, glyph, lines, stacked, value
from widgets.messages import FactChosen, TurnChosen
from widgets.plain import one_line
from widgets.wording import count, day, milliseconds, since

MOST_HITS = 6
MOST_LATELY = 8
CHANNEL_WORDS = {
    "lexical": "words",
    "bm25": "words",
    "dense": "meaning",
    "graph": "links",
    "forest": "tree",
    "recency": "recent",
}


@dataclass(frozen=True, slots=True)
class Used:
    """What one turn rested on."""

    facts: tuple[Fact, ...] = ()
    hits: tuple[Hit, ...] = ()
    elapsed_ms: float = 0.0
    tier: int | None = None
    """None where a model answered; else the tier of the memory's own answer."""
    answering: bool = True
    """False where it only came close, and nothing was answered with it."""


class MemoryPanel(Vertical):
    """USED and LEARNED for the latest turn."""

    DEFAULT_CSS = """
    MemoryPanel { width: 40; border-left: vkey $rule; padding: 1 0 0 0; background: $background; }
    MemoryPanel > .empty { color: $quiet; padding: 0 2; }
    MemoryPanel > Choices { height: 1fr; }
    MemoryPanel > Choices:blur > .option-list--option-highlighted { background: $background; color: $foreground; }
    """
    HELP = """
    ### Memory of this turn
    USED is what the answer rests on: ● true now, ○ was true, ✗ never true, with the channels that found it.
    CLOSEST came near, and answered nothing. LATELY is what changed last, before this chat.
    LEARNED is what your words taught: + new, ~ changed, − ended. `enter` opens a fact's chain, or a turn in its
    conversation.
    """
    EMPTY = "Nothing yet.\n\nWhat I recall for an answer will stand here, and below it what your words taught me."

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.used: Used | None = None
        self.changes: tuple[Change, ...] = ()
        self.lately: tuple[Change, ...] = ()
        self.true_at = self.believed_at = 0

    def compose(self) -> ComposeResult:
        yield Static(lines(self.EMPTY), classes="empty", markup=False)
        rows = Choices(id="memory-rows")
        rows.display = False
        yield rows

    def clear(self) -> None:
        """Nothing was used and nothing learned."""
        self.used, self.changes = None, ()
        self._refresh_rows()

    def show_lately(self, changes: tuple[Change, ...]) -> None:
        """What changed before this chat, newest first; stands there until the first turn."""
        self.lately = steps_of(changes)[:MOST_LATELY]
        self._refresh_rows()

    def show_used(self, used: Used, true_at: int, believed_at: int) -> None:
        """The times (microseconds UTC) are those at which the question was asked."""
        self.used, self.true_at, self.believed_at = used, true_at, believed_at
        self._refresh_rows()

    def show_learned(self, changes: tuple[Change, ...]) -> None:
        self.changes = steps_of(changes)
        self._refresh_rows()

    def _refresh_rows(self) -> None:
        rows = (self._used_rows() + self._learned_rows()) or self._lately_rows()
        self.query_one(".empty").display = not rows
        choices = self.query_one(Choices)
        choices.display = bool(rows)
        choices.show_rows(rows)

    def _used_rows(self) -> list[Row]:
        if self.used is None:
            return []
        used, width = self.used, self._text_width()
        hits = used.hits[:MOST_HITS]
        tier = "" if used.tier is None else f" · tier {used.tier}"
        counts = " · ".join(
            count(number, word) for number, word in ((len(used.facts), "fact"), (len(hits), "turn")) if number
        )
        head = lines(
            ("USED" if used.answering else "CLOSEST", "bold"),
            (f"  {counts or 'nothing'} · {milliseconds(used.elapsed_ms)}{tier}", QUIET),
        )
        rows = [Row(head)]
        rows += [Row(fact_card(fact, self.true_at, self.believed_at, width), fact) for fact in used.facts]
        rows += [Row(hit_card(hit, width), hit) for hit in hits]
        return rows

    def _learned_rows(self) -> list[Row]:
        if not self.changes:
            return []
        counts = count(len(self.changes), "thing")
        gap = "\n" if self.used else ""
        rows = [Row(lines(gap, ("LEARNED", "bold"), (f"  {counts}", QUIET)))]
        return rows + [
            Row(change_card(change, self._text_width()), change.new or change.old) for change in self.changes
        ]

    def _lately_rows(self) -> list[Row]:
        if not self.lately:
            return []
        rows = [Row(lines(("LATELY", "bold"), ("  what you told me last", QUIET)))]
        return rows + [Row(change_card(one, self._text_width()), one.new or one.old) for one in self.lately]

    def _text_width(self) -> int:
        return max(20, (self.size.width or 40) - 5)

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        event.stop()
        if isinstance(event.record, Fact):
            self.post_message(FactChosen(event.record))
        elif isinstance(event.record, Hit):
            self.post_message(TurnChosen(event.record.session, event.record.id))


def steps_of(changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """Without those that only date anew what another one of the same moment replaced."""
    replaced = {
        (one.at, one.old.subject, one.old.predicate, one.old.object)
        for one in changes
        if one.new is not None and one.old is not None and one.new.object != one.old.object
    }
    return tuple(
        one
        for one in changes
        if one.new is None or (one.at, one.new.subject, one.new.predicate, one.new.object) not in replaced
    )


def fact_card(fact: Fact, true_at: int, believed_at: int, width: int) -> Content:
    """Two lines: glyph, whom and what, value; below, since when."""
    mark, style = glyph(fact, true_at, believed_at)
    label = about(fact)
    shown = one_line(value(fact), max(8, width - len(label) - 5))
    return stacked(
        [lines((f"{mark} ", style), (f"{label} ", QUIET), (shown, "bold")), lines((f"  {since(fact)}", QUIET))]
    )


def hit_card(hit: Hit, width: int) -> Content:
    """The words, on two lines at most; below, who, when and which channels found them."""
    channels = " ".join(CHANNEL_WORDS.get(name, name) for name, _rank in sorted(hit.channels, key=lambda pair: pair[1]))
    who = "you" if hit.speaker in ("me", "user") else one_line(hit.speaker, 16)
    said = wrap(one_line(hit.text, 2 * width - 12), width - 2)
    return stacked(
        [
            lines(("▸ ", LINK), "\n  ".join(said[:2])),
            lines(("  " + one_line(f"{who} · {day(hit.said_at)} · {channels}", width - 2), QUIET)),
        ]
    )


def change_card(change: Change, width: int) -> Content:
    """+ whom and what, value, since when if there is room; for a change, what it was before."""
    fact = change.new or change.old
    if fact is None:
        return lines("")
    sign, style = _sign(change)
    label = about(fact)
    first = lines(
        (f"{sign} ", f"bold {style}"),
        (f"{label} ", QUIET),
        (one_line(value(fact), max(8, width - len(label) - 5)), "bold"),
    )
    if change.new is not None and change.old is not None and change.old.object != change.new.object:
        return stacked([first, lines((f"  was {one_line(value(change.old), width - 8)}", QUIET))])
    when = f"  {since(fact)}" if fact.precision is not Precision.OPEN else ""
    return lines(first, (when, QUIET)) if first.cell_length + len(when) <= width else first


def _sign(change: Change) -> tuple[str, str]:
    if change.new is None or change.kind in ("stop", "retract"):
        return "−", NEVER
    if change.kind == "reinforce":
        return "=", QUIET
    return ("~", CHANGED) if change.old is not None else ("+", NOW)
