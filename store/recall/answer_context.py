"""What was said around a belief describes it as well: the words of its turn, and what was said of what it replaced.

"I'm switching from Obsidian to Notion" says nothing of notes; "I use Obsidian for all my note-taking" did. Whoever
follows another in a slot inherits what it was for. These words only ever narrow a choice among one's own beliefs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from store.recall.answer_frame import Asking
from store.recall.answer_words import keys
from store.recall.software import sorts_of
from store.records import Fact

_DEPTH = 4
"""Steps back along what was replaced."""


@dataclass(frozen=True, slots=True)
class Described:
    """A belief with the keys of the words that describe it, the nearer ones apart."""

    fact: Fact
    own: frozenset[str]
    """Of its value and side details, and of those of what it replaced."""
    around: frozenset[str]
    """Of the turns in which it, or what it replaced, was said."""
    sorts: frozenset[str]
    """Nouns for what sort of tool it is, where a list knows."""

    @property
    def words(self) -> frozenset[str]:
        return self.own | self.around


def described(asking: Asking, facts: Sequence[Fact]) -> list[Described]:
    """Each of some beliefs with what describes it."""
    chains = {fact.id: [fact, *_replaced(asking, fact)] for fact in facts}
    episodes = dict.fromkeys(
        source.episode for chain in chains.values() for one in chain for source in one.sources if source.episode
    )
    texts = asking.beliefs.texts(list(episodes)) if episodes else {}
    return [_described(one, chains[one.id], texts.get) for one in facts]


def _described(fact: Fact, chain: Sequence[Fact], text_of: object) -> Described:
    assert callable(text_of)
    own = keys(" ".join([fact.object, *(value for one in chain for _, value in one.qualifiers)]))
    turns = {text_of(source.episode) or source.quote for one in chain for source in one.sources}
    around = frozenset().union(*(keys(turn) for turn in sorted(turns)))
    sorts = next((found for one in chain if (found := _sorts(one.object))), frozenset())
    return Described(fact, own, around, sorts)


def _sorts(value: str) -> frozenset[str]:
    return sorts_of(value)


def _replaced(asking: Asking, fact: Fact) -> Iterable[Fact]:
    """What it replaced in its slot, and what that had replaced, nearest first."""
    if fact.supersedes is None:
        return []
    known = {one.id: one for one in asking.beliefs.history(fact.subject, fact.predicate)}
    found: list[Fact] = []
    wanted = [fact.supersedes, *fact.also_supersedes]
    while wanted and len(found) < _DEPTH:
        one = known.get(wanted.pop(0))
        if one is None or one in found:
            continue
        found.append(one)
        wanted += [] if one.supersedes is None else [one.supersedes, *one.also_supersedes]
    held = asking.believed
    return [one for one in found if held is None or one.believed_from.us <= held]
