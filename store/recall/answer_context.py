"""What was said around a belief describes it as well: these words only narrow a choice among one's own beliefs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from store.recall.answer_frame import Asking
from store.recall.answer_words import keys
from store.records import Fact


@dataclass(frozen=True, slots=True)
class Described:
    """A belief with the keys of the words that describe it, the nearer ones apart."""

    fact: Fact
    own: frozenset[str]
    """Of its value and side details."""
    around: frozenset[str]
    """Of the turns in which it was said."""

    @property
    def words(self) -> frozenset[str]:
        return self.own | self.around


def described(asking: Asking, facts: Sequence[Fact]) -> list[Described]:
    """Each of some beliefs with what describes it."""
    episodes = dict.fromkeys(source.episode for fact in facts for source in fact.sources if source.episode)
    texts = asking.beliefs.texts(list(episodes)) if episodes else {}
    return [_described(fact, texts) for fact in facts]


def _described(fact: Fact, texts: Mapping[str, str]) -> Described:
    own = keys(" ".join([fact.object, *(value for _, value in fact.qualifiers)]))
    around = keys(" ".join(texts.get(source.episode) or source.quote for source in fact.sources))
    return Described(fact, own, around)
