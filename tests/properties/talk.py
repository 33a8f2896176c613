"""Generated talk: turns in plain words, from which the rules really read what the laws are then held against."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hypothesis import strategies as st

from app.core.clock import FrozenClock
from store.memory import Memory
from store.records import Fact, Instant, Turn
from tests.conftest import NOW, ZONE

CITIES = ("Porto", "Lisbon", "Braga", "Berlin")
NAMES = ("Paul", "Ana")
SENTENCES = (
    "I live in {city}.", "I moved to {city} in January.", "I no longer live in {city}.",
    "I've lived in {city} since 2021.",
    "In 2019 I lived in {city}.", "I had that wrong, I live in {city}.", "My brother {name} lives in {city}.",
    "{name} moved to {city} last month.", "I like {thing}.", "I don't like {thing} anymore.",
    "My favourite tea is {thing}.",
    "I have a dog called {name}.", "What should I cook tonight?", "I work at {thing}.",
)  # fmt: skip
START = Instant.of(NOW.local()).us - 900 * 86_400_000_000


@st.composite
def turns(draw: st.DrawFn, most: int = 8) -> list[Turn]:
    """Turns over two and a half years, in three sessions, some at the same moment."""
    said: list[Turn] = []
    for number in range(draw(st.integers(1, most))):
        words = draw(st.sampled_from(SENTENCES)).format(
            city=draw(st.sampled_from(CITIES)), name=draw(st.sampled_from(NAMES)),
            thing=draw(st.sampled_from(("rooibos", "climbing", "Acme"))),
        )  # fmt: skip
        day = draw(st.integers(0, 30)) * 30
        session = draw(st.sampled_from(("a", "b", "c")))
        when = Instant(START + day * 86_400_000_000, 3600)
        said.append(Turn(words, session, said_at=when, external_id=f"t{number}", place=number))
    return said


def memory_at(path: Path) -> Memory:
    return Memory.open(path, clock=FrozenClock(NOW), zone=ZONE)


def sleep(memory: Memory) -> None:
    for _ in memory.sleeping.run():
        pass


def hear(memory: Memory, said: Sequence[Turn]) -> None:
    list(memory.episodes.ingest(said))
    sleep(memory)


def state(memory: Memory) -> list[Fact]:
    """Everything that was ever believed."""
    return sorted(memory.beliefs.timeline(), key=lambda fact: fact.id)


def shape(facts: Sequence[Fact]) -> set[object]:
    """What a view says: values, both times, and the words that it rests on."""
    return {
        (one.subject, one.predicate, one.object, one.valid_from, one.valid_to, one.believed_from, one.disputed,
         tuple((source.episode, source.start, source.end) for source in one.sources))
        for one in facts
    }  # fmt: skip
