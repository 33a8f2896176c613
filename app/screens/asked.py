"""What was asked is kept with the times at which it was asked, so that why it was answered so can be shown later."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.times import Times

if TYPE_CHECKING:
    from app.turn import Prompted
    from store.records import Answer


@dataclass(slots=True)
class Asked:
    """One turn, and what became of it so far."""

    query: str
    times: Times = field(default_factory=Times)
    answer: Answer | None = None
    """The memory's own, where it had one."""
    given: tuple[str, ...] = ()
    """The ids of the turns that were used."""
    prompted: Prompted | None = None
    """What a model was asked with."""
    own: tuple[str, ...] = ()
    """The ids of this turn and of the reply to it."""
