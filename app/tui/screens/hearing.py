"""A lane knows nothing of the words that its facts rest on: they are read when it is pointed at, each fact once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from app.tui.jobs import Job
from app.tui.screens.base import FramedScreen
from app.tui.services import Services
from store.errors import NotFound
from store.records import Fact

if TYPE_CHECKING:
    from store.memory import Memory


class HearingScreen(FramedScreen):
    """A screen that tells of facts in the words that they were told in."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.heard: dict[str, Fact] = {}
        """Facts with the words that they rest on, by id."""

    def hear(self, facts: Iterable[Fact], then: Callable[[], object]) -> None:
        """Read the words of those of which they are not known; `then` is called when they are."""
        wanted = [one.id for one in facts if not one.sources and one.id not in self.heard]

        def kept(found: Sequence[Fact]) -> None:
            self.heard |= {one.id: one for one in found}
            then()

        if wanted:
            self.ask(Job.READ_SOURCES, lambda memory: _told(memory, wanted), kept)


def _told(memory: Memory, wanted: Sequence[str]) -> list[Fact]:
    """Those that are still there."""
    found = []
    for one in wanted:
        try:
            found.append(memory.beliefs.fact(one))
        except NotFound:  # it was erased meanwhile
            continue
    return found
