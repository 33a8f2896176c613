"""A capable model looks for itself only where the memory has no answer, or where the person asked for a change.

What it may do in a step, and how many it may take, is in app/core/tooling.py. Off the record no step writes.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence, Set
from datetime import UTC
from threading import Event
from typing import TYPE_CHECKING, Protocol

from app.core.tooling import Consulted, ToolUsed, consult
from app.core.tools import Desk
from store.records import Hit

if TYPE_CHECKING:
    from app.core.ports import MemoryPort
    from app.core.times import Times
    from app.core.tooling import Agree
    from store.protocols import LanguageModel
    from store.records import Turn

_CHANGE = re.compile(
    r"^\W*(?:(?:please|and|now|ok|okay|hey|can you|could you|would you|will you)\W+)*"
    r"(?:remember|note|write down|keep in mind|correct|fix|change|update|put right)\b",
    re.IGNORECASE,
)
"""The person asks for a change of what is remembered."""


class Looker(Protocol):
    """A model that may look for itself, as a turn knows it."""

    @property
    def model(self) -> LanguageModel: ...
    @property
    def invents(self) -> bool: ...
    @property
    def tools(self) -> bool: ...


class Wanted(Protocol):
    """What the person said, as a turn knows it."""

    @property
    def turn(self) -> Turn: ...
    @property
    def times(self) -> Times: ...
    @property
    def off_record(self) -> bool: ...
    @property
    def agree(self) -> Agree | None: ...


def looks_up(voice: Looker | None, request: Wanted, *, personal: bool) -> bool:
    """A capable model may search by itself: for what the memory does not answer, and where a change is asked for."""
    if voice is None or voice.invents or not voice.tools or request.turn.said_at is None:
        return False
    return personal or (_may_change(request) and _CHANGE.search(request.turn.text) is not None)


def _may_change(request: Wanted) -> bool:
    return request.agree is not None and not request.off_record


def steps_of(
    memory: MemoryPort, voice: Looker, request: Wanted, first: Sequence[Hit], deaf: Set[str], stop: Event
) -> Generator[ToolUsed, None, Consulted]:
    """What a model found by itself, in a few steps from what was recalled (`first`).

    Those that write are for a person who asked for a change.
    """
    assert request.turn.said_at is not None
    moment, text = request.turn.said_at.local(), request.turn.text
    times = request.times
    desk = Desk(memory, moment.tzinfo or UTC, lambda: moment, as_of=times.as_of, held=times.believed)
    agree = request.agree if _may_change(request) and _CHANGE.search(text) else None
    return (yield from consult(voice.model, desk, text, stop=stop, agree=agree, deaf=deaf, first=first))
