"""The phases of a sleep have one order, and one name each, wherever they are told of."""

from __future__ import annotations

from app.core.sleeper import BY_MODEL, PHASE_WORDS
from app.tui.services import PHASES as WORDS
from store.sleep.cycle import PHASES


def test_every_phase_is_told_of_in_its_order() -> None:
    names = [name for name, _ in PHASES]
    assert [name for name in WORDS if name != "wait"] == names
    assert set(names) <= set(PHASE_WORDS)


def test_what_a_keystroke_ends_comes_last() -> None:
    assert PHASES[-1][0] == BY_MODEL
