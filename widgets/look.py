"""State is a glyph before it is a colour, and text is never markup. The styles are names of theme variables."""

from __future__ import annotations

from textwrap import wrap

from textual.content import Content

from store.records import ChangeKind, Fact
from widgets.plain import one_line, plain
from widgets.states import GLYPHS, TRUE_NOW, WAS_TRUE, State, state_of

NOW = "$success"
PAST = "$quiet"
NEVER = "$error"
CHANGED = "$warning"
QUIET = "$quiet"
LINK = "$primary"
FOUND = "$on-signal on $primary"
SHORTEST_NAME = 8  # columns of a name that is shortened to make room for what stands beside it
AT_MATCH = "bold underline $on-signal on $warning"  # words that were looked for, and those of them that one is at

STYLES: dict[State, str] = {
    "holds": NOW, "was": PAST, "coming": LINK, "never": NEVER, "then": PAST, "unsettled": CHANGED,
}  # fmt: skip

Piece = str | tuple[str, str] | Content

KINDS: dict[ChangeKind, tuple[str, str]] = {
    "new": ("first heard", "nothing was known before"),
    "reinforce": ("said again", "the same, once more"),
    "update": ("moved", "the world changed; the old stays true for its time"),
    "correct": ("corrected", "the belief changed; the old one had never been true"),
    "stop": ("ended", "it ended, with nothing after it"),
    "backfill": ("filled in", "said late, about an earlier time"),
    "elaborate": ("said more exactly", "the same, in more detail"),
    "dispute": ("in dispute", "two that cannot both hold; which one is it?"),
    "retract": ("taken back", "withdrawn by you"),
}
"""How a belief came about: the word for it, and the reason in a few more."""


def lines(*pieces: Piece) -> Content:
    """Assemble strings, (string, style) pairs and Contents; every string is sanitised, none is markup."""
    safe: list[Content] = []
    for piece in pieces:
        if isinstance(piece, Content):
            safe.append(piece)
        else:
            text, style = (piece, "") if isinstance(piece, str) else piece
            safe.append(Content.styled(plain(text).expandtabs(4), style))
    return Content.assemble(*safe)


def stacked(rows: list[Content]) -> Content:
    """One row below the other."""
    return Content("\n").join(rows)


def hung(mark: Piece, text: str, width: int, style: str = "", most: int = 0) -> Content:
    """A mark, and the text beside it in `width` columns: later lines stand below the text, not below the mark; a rail
    goes on.

    At most `most` lines, if it says any; the last one then ends in an ellipsis."""
    head = lines(mark)
    room = max(8, width - head.cell_length)
    rows = wrap(one_line(text), room) or [""]
    if most and len(rows) > most:
        rows = [*rows[: most - 1], one_line(" ".join(rows[most - 1 :]), room)]
    below = head if head.plain.startswith("│") else lines(" " * head.cell_length)
    return stacked([lines(below if place else head, (row, style)) for place, row in enumerate(rows)])


def glyph(fact: Fact, true_at: int, believed_at: int) -> tuple[str, str]:
    """The fact's state at the two times (microseconds UTC), as (glyph, style)."""
    state = state_of(fact, true_at, believed_at)
    return GLYPHS[state], STYLES[state]


def holds(fact: Fact, now: int) -> bool:
    """It is believed, and true now (microseconds UTC)."""
    begun = fact.valid_from is None or fact.valid_from.us <= now
    return fact.believed_to is None and begun and (fact.valid_to is None or now < fact.valid_to.us)


def is_ahead(fact: Fact, now: int) -> bool:
    """It is believed, and to come (microseconds UTC)."""
    return fact.believed_to is None and fact.valid_from is not None and fact.valid_from.us > now


def salience_dots(salience: float) -> str:
    """Five dots, for a salience of 0 to 1."""
    full = max(0, min(5, round(salience * 5)))
    return TRUE_NOW * full + WAS_TRUE * (5 - full)
