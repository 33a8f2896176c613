"""A conversation is read a window at a time, and one that branched off begins with the turns that it branched off from.

A branch is a conversation of its own: what was said before it stays where it was said, word for word, and its key names
the turn after which it goes its own way. Nothing of the trunk is copied, and nothing of it is forgotten.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from app.ports import MemoryPort
from app.turn import is_told
from store.errors import NotFound
from store.records import Change, Episode
from widgets.receipt import told_back

_BRANCH = "branch-"
_FROM = "-from-"
DEEPEST = 32
"""Branches of branches that are followed."""


def branch_key(us: int, episode: str) -> str:
    """The key of a conversation that goes its own way after this turn; `us` is now."""
    return f"{_BRANCH}{us}{_FROM}{episode}"


def came_from(key: str) -> str | None:
    """The id of the turn after which a branch goes its own way; None for a conversation with a beginning of its own."""
    stem, mark, episode = key.partition(_FROM)
    return episode if mark and stem.startswith(_BRANCH) else None


@dataclass(frozen=True, slots=True)
class Part:
    """The first `turns` turns of one session."""

    session: str
    turns: int


@dataclass(frozen=True, slots=True)
class Conversation:
    """The turns of a conversation, by their places from 0; only workers ask it for turns."""

    key: str
    title: str
    parts: tuple[Part, ...]

    @classmethod
    def of(cls, memory: MemoryPort, key: str) -> Conversation:
        """The conversation with this key. One in which nothing was said yet has the turns that it branched off from."""
        parts: list[Part] = []
        title = ""
        try:
            session = memory.session(key)
            title = session.title
            parts.append(Part(key, session.turns))
        except NotFound:
            parts.append(Part(key, 0))
        trunk = came_from(key)
        while trunk is not None and len(parts) < DEEPEST:
            try:
                episode = memory.episode(trunk)
            except NotFound:  # it was erased: the branch begins where it stands
                break
            parts.append(Part(episode.session, memory.place(trunk) + 1))
            trunk = came_from(episode.session)
        return cls(key, title, tuple(reversed(parts)))

    @property
    def turns(self) -> int:
        return sum(part.turns for part in self.parts)

    def shown(self, memory: MemoryPort, start: int, limit: int) -> list[Episode]:
        """As `page`, but where the memory only said that it will remember, it says what it noted."""
        before = min(start, 1)
        turns = self.page(memory, start - before, limit + before)
        noted = taught(memory, [turn for turn, reply in pairwise(turns) if is_told(reply)])
        for place, turn in enumerate(turns[1:], 1):
            words = told_back(noted.get(turns[place - 1].id, ())) if is_told(turn) else ""
            turns[place] = replace(turn, text=words) if words else turn
        return turns[before:]

    def page(self, memory: MemoryPort, start: int, limit: int) -> list[Episode]:
        """`limit` turns from place `start` on."""
        found: list[Episode] = []
        place = 0
        for part in self.parts:
            begin = max(start + len(found) - place, 0)
            wanted = min(part.turns - begin, limit - len(found))
            if wanted > 0 and start + len(found) >= place:
                found += memory.page(part.session, begin, wanted)
            place += part.turns
        return found

    def place(self, memory: MemoryPort, episode: str) -> int:
        """Where a turn stands in it; the last place where it is in none of its parts, or gone."""
        last = max(0, self.turns - 1)
        try:
            one = memory.episode(episode) if episode else None
        except NotFound:
            return last
        before = 0
        for part in self.parts:
            if one is not None and part.session == one.session and (place := memory.place(one.id)) < part.turns:
                return before + place
            before += part.turns
        return last


def taught(memory: MemoryPort, turns: Sequence[Episode]) -> dict[str, list[Change]]:
    """What each turn of the person taught, by the ids of the turns."""
    taught: dict[str, list[Change]] = {}
    said: dict[int, list[Episode]] = {}
    for turn in turns:
        if turn.role == "user":
            said.setdefault(turn.said_at.us, []).append(turn)
    if not said:
        return taught
    for change in memory.changes(min(said), max(said) + 1):
        for turn in said.get(change.at.us, ()):
            if change.new is None or any(source.episode == turn.id for source in change.new.sources):
                taught.setdefault(turn.id, []).append(change)
    return taught
