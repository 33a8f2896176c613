"""A belief is in one state at a time; each state has one glyph and one name, on the screens and on the command line."""

from __future__ import annotations

from typing import Literal

from store.records import Fact

State = Literal["holds", "was", "coming", "never", "then", "unsettled"]

TRUE_NOW = "●"
WAS_TRUE = "○"
NOT_YET = "◌"
NEVER_TRUE = "✗"
BELIEVED_THEN = "╌"
DISPUTED = "?"

GLYPHS: dict[State, str] = {
    "holds": TRUE_NOW, "was": WAS_TRUE, "coming": NOT_YET, "never": NEVER_TRUE, "then": BELIEVED_THEN,
    "unsettled": DISPUTED,
}  # fmt: skip
NAMES: dict[State, str] = {
    "holds": "true now", "was": "was true", "coming": "not yet true", "never": "never true",
    "then": "believed then, not now", "unsettled": "in dispute",
}  # fmt: skip
"""Each state in the words of a legend."""


def never_true(fact: Fact) -> bool:
    """The belief ended because it was wrong, and not because the world changed."""
    return fact.ended in ("correct", "retract")


def state_of(fact: Fact, true_at: int, believed_at: int) -> State:
    """The fact's state at the two times (microseconds UTC)."""
    if not (fact.believed_from.us <= believed_at and (fact.believed_to is None or believed_at < fact.believed_to.us)):
        return "never" if never_true(fact) else "then"
    if fact.disputed or fact.unsure:
        return "unsettled"
    if fact.valid_to is not None and fact.valid_to.us <= true_at:
        return "was"
    return "coming" if fact.valid_from is not None and fact.valid_from.us > true_at else "holds"


def legend(*states: State) -> str:
    """ "● true now   ○ was true": each state with its glyph; all of them where none is named."""
    return "   ".join(f"{GLYPHS[one]} {NAMES[one]}" for one in states or GLYPHS)
