"""What the memory has to tell since one was last here is read once, as plain lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.core.ports import MemoryPort
    from store.sleep.telling import BriefLine


@dataclass(frozen=True, slots=True)
class Morning:
    """What there is to tell."""

    heading: str = ""
    lines: tuple[BriefLine, ...] = ()

    @property
    def news(self) -> tuple[str, ...]:
        """The heading, and each thing; nothing where there is nothing."""
        return (self.heading, *(line.text for line in self.lines)) if self.lines else ()


def read_morning(memory: MemoryPort) -> Morning:
    """What the memory has to tell since its last brief was read; nothing before its first sleep."""
    from store.sleep.telling import heading
    from store.sleep.telling import lines as told

    if memory.log.last_sleep() is None:
        return Morning()
    brief = memory.overview.brief()
    return Morning(heading(brief), tuple(told(brief)))
