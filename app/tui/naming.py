"""The command palette finds what the memory has a name for: conversations, people and things, and beliefs.

They are read once when the palette opens, in the background; a key compares words and reads nothing.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from heapq import nlargest
from typing import TYPE_CHECKING

from textual.command import Hit, Hits, Provider
from textual.message import Message

from app.core.kinds import entities
from app.tui.jobs import Job, start
from store.records import BY_HAND
from widgets.messages import FactChosen, SessionChosen, SubjectChosen
from widgets.plain import one_line
from widgets.wording import beginnings, count, titled

if TYPE_CHECKING:
    from store.memory import Memory

MOST = 20
"""Names that are offered for what was typed."""
WIDEST = 90


@dataclass(frozen=True, slots=True)
class Name:
    """One thing that can be gone to."""

    title: str
    """As it stands in the palette: "person: Ana"."""
    key: str
    """By what it is found, in lower case."""
    explained: str
    chosen: Message


class NamesProvider(Provider):
    """Goes to what has the typed words in its name."""

    async def startup(self) -> None:
        self._names: list[Name] = []
        self._read = asyncio.Event()
        services = getattr(self.app, "services", None)
        memory: Memory | None = getattr(services, "memory", None)
        if memory is None:
            self._read.set()
        else:
            start(self.app, Job.LIST_NAMES, lambda: self._fetch(memory))

    def _fetch(self, memory: Memory) -> None:
        try:
            self._names = names(memory)
        finally:
            self.app.call_from_thread(self._read.set)

    async def search(self, query: str) -> Hits:
        await self._read.wait()
        words = query.casefold().split()
        matcher = self.matcher(query)
        found = (name for name in self._names if _has(name, words))
        for score, name in nlargest(MOST, ((_score(name, words), name) for name in found), key=lambda pair: pair[0]):
            display = matcher.highlight(name.title)
            yield Hit(score, display, partial(self.app.post_message, name.chosen), name.title, name.explained)


def _has(name: Name, words: list[str]) -> bool:
    """Whether all the words are in it; one with a colon says of what kind it is, as its title does: "person: ana"."""
    return all(word in (name.title.casefold() if word.endswith(":") else name.key) for word in words)


def _score(name: Name, words: list[str]) -> float:
    """Between 0 and 1: higher where the name begins with what was typed, and where little else is in it; what is
    believed of somebody comes after them."""
    typed = " ".join(word for word in words if not word.endswith(":"))
    begins = name.key.startswith(typed) or f" {typed}" in name.key
    belief = isinstance(name.chosen, FactChosen)
    return 0.4 + 0.3 * begins + 0.2 * min(1.0, len(typed) / max(1, len(name.key))) - 0.2 * belief


def names(memory: Memory) -> list[Name]:
    """Every conversation, everybody and everything that is known, and what is believed now."""
    sessions = [one for one in memory.sessions.all() if one.key != BY_HAND]
    began = beginnings(sessions)
    conversations = [
        _name(
            "conversation", titled(one), f"{count(one.turns, 'turn')}{began.get(one.key, '')}", SessionChosen(one.key)
        )
        for one in sessions
    ]
    people = [
        _name(
            entity.kind, entity.name, f"your {entity.relation}" if entity.relation else "", SubjectChosen(entity.name)
        )
        for entity in entities(memory)
        if entity.id != "me"
    ]
    beliefs = [_name("belief", fact.text, fact.subject, FactChosen(fact)) for fact in memory.beliefs.facts()]
    return [*people, *conversations, *beliefs]


def _name(kind: str, words: str, explained: str, chosen: Message) -> Name:
    shown = one_line(words, WIDEST)
    return Name(f"{kind}: {shown}", f"{shown} {one_line(explained)}".casefold(), one_line(explained, WIDEST), chosen)
