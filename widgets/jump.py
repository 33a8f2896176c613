"""No label is the beginning of another: what is typed leads to one place, as soon as it can mean no other.

A widget that holds several things one can go to (rows, lanes) says so with `spots`; others are one spot."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from textual.geometry import Offset
from textual.widgets import Static

from widgets.look import lines

LETTERS = "asdfghjklqwertyuiopzxcvbnm"  # where the fingers rest comes first


@dataclass(frozen=True, slots=True)
class Spot:
    """One thing that can be gone to."""

    at: Offset  # where its label stands, from the upper left of the screen
    go: Callable[[], None]  # moves there, or presses it
    press: Callable[[], None] | None = None  # what opening it does, where that is more than going there


@runtime_checkable
class HasSpots(Protocol):
    """A widget with several of them; only those in view."""

    def spots(self) -> Iterable[Spot]: ...


def labels(count: int) -> list[str]:
    """So many labels, the shortest first. As few letters as can be begin labels of two."""
    size = len(LETTERS)
    pairs = 0
    while size - pairs + pairs * size < count and pairs < size:
        pairs += 1
    single = LETTERS[: size - pairs]
    double = [first + second for first in LETTERS[size - pairs :] for second in LETTERS]
    return [*single, *double][:count]


class JumpLabel(Static):
    """One label, at its place."""

    DEFAULT_CSS = """
    JumpLabel {
        position: absolute; width: auto; height: 1; background: $warning; color: $on-signal; text-style: bold;
    }
    JumpLabel.-gone { display: none; }
    """

    def __init__(self, label: str, at: Offset) -> None:
        super().__init__(lines(label), markup=False)
        self.label, self.at = label, at
        self.styles.offset = (at.x, at.y)

    def narrow(self, typed: str) -> None:
        self.set_class(not self.label.startswith(typed), "-gone")
        self.update(lines(self.label[len(typed) :] or self.label))
