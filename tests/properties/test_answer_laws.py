"""I1 for answers: none rests on what was said later, or on another time than was asked for; no cache changes one."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store.memory import Memory
from store.recall.cache import Cache, State, Times
from store.records import Answer, Fact, Precision, Stretch, Turn
from tests.properties.talk import CITIES, START, hear, memory_at, turns

EXAMPLES = max(10, int(os.environ.get("ERSTWHILE_EXAMPLES", "150")) // 15)
DAY = 86_400_000_000
laws = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))

QUESTIONS = (
    "Where do I live?", "Do I live in Porto?", "Where does Paul live?", "Where does my brother live?",
    "What do I like?", "Do I like rooibos?", "What is my favourite tea?", "Where do I work?", "What is my dog called?",
    "Where did Ana move last month?", "What should I cook tonight?",
)  # fmt: skip
MORE = (
    "Since when do I live in Lisbon?", "Where did I live in 2019?", "When did I move to Berlin?", "Who is Paul?",
    "How long have I lived in Braga?", "Where did I live before Lisbon?", "How many dogs do I have?",
    "What did I believe in 2024 about where I live?", "Did I visit Kyoto?",
)  # fmt: skip
SAME = ("Where do I live?", "where do I live", "Please, where do I live?", "Hey, where do I actually live?",
        "Where did I live?", "Where don't I live?", "Where does Paul live?", "Where do I live now?")  # fmt: skip
"""Some of these mean the same, and some do not."""
DAYS = st.integers(0, 900)


def said(answer: Answer) -> tuple[object, ...]:
    """What an answer says and rests on."""
    facts = tuple((one.id, one.valid_from, one.valid_to, one.believed_to) for one in answer.facts)
    return answer.text, answer.abstained, facts, answer.sources


@laws
@given(turns(), DAYS, st.sampled_from(QUESTIONS + MORE))
def test_no_answer_rests_on_anything_said_or_believed_later(history: list[Turn], days: int, question: str) -> None:
    believed = START + days * DAY + DAY // 2
    with tempfile.TemporaryDirectory() as folder, memory_at(Path(folder) / "m.db") as memory:
        hear(memory, history)
        answer = memory.ask(question, believed=believed)
        assert all(source.said_at.us <= believed for source in answer.sources)
        for fact in answer.facts:
            assert fact.believed_from.us <= believed
            assert all(source.said_at.us <= believed for source in fact.sources)


@laws
@given(turns(), DAYS, st.sampled_from(QUESTIONS))
def test_what_was_believed_then_is_answered_as_by_one_who_heard_no_more(
    history: list[Turn], days: int, question: str
) -> None:
    believed = START + days * DAY + DAY // 2
    with (
        tempfile.TemporaryDirectory() as folder,
        memory_at(Path(folder) / "whole.db") as whole,
        memory_at(Path(folder) / "part.db") as part,
    ):
        hear(whole, history)
        hear(part, [turn for turn in history if turn.said_at and turn.said_at.us <= believed])
        # Identities are settled over the whole log (design, section 1): compare where no name was learned later.
        if {one.name for one in whole.entities()} == {one.name for one in part.entities()}:
            assert _of(whole.ask(question, believed=believed)) == _of(part.ask(question, believed=believed))


def _of(answer: Answer) -> tuple[str, bool]:
    return answer.text, answer.abstained


@laws
@given(turns(), st.integers(-400, 900), st.sampled_from(QUESTIONS))
def test_no_answer_rests_on_a_fact_that_did_not_hold_when_it_was_asked_for(
    history: list[Turn], days: int, question: str
) -> None:
    start = START + days * DAY
    as_of = Stretch(start, start + DAY, Precision.DAY, 3600)
    with tempfile.TemporaryDirectory() as folder, memory_at(Path(folder) / "m.db") as memory:
        hear(memory, history)
        answer = memory.ask(question, as_of=as_of)
        assert answer.abstained or all(_holds(fact, as_of) for fact in answer.facts), answer.text
        if not answer.abstained and not answer.facts:
            assert all(start <= source.said_at.us < start + 21 * DAY for source in answer.sources)


LASTING = ("brother", "sister", "dog", "cat", "pet")


def _holds(fact: Fact, as_of: Stretch) -> bool:
    """Kin and the like have no beginning where none was said."""
    assert as_of.start is not None and as_of.end is not None
    lasting = fact.precision is Precision.OPEN and fact.predicate in LASTING
    begins = lasting or fact.valid_from is None or fact.valid_from.us < as_of.end
    return begins and (fact.valid_to is None or fact.valid_to.us > as_of.start)


class Forgetful(Cache):
    """A cache that never finds anything."""

    def find(self, question: str, state: State, times: Times, now: int) -> None:
        return None


@settings(laws, max_examples=max(5, EXAMPLES // 2))
@given(turns(4), turns(3), st.data())
def test_an_answer_from_the_cache_is_the_one_that_would_be_made(
    before: list[Turn], after: list[Turn], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.db"
        with memory_at(path) as memory, memory_at(path) as elsewhere:
            elsewhere._answers = Forgetful()
            for history in (before, after):
                hear(memory if data.draw(st.booleans()) else elsewhere, history)
                _compare(memory, elsewhere, data)
            elsewhere.correct("me", "lives_in", data.draw(st.sampled_from(CITIES)))
            _compare(memory, elsewhere, data)
            held = memory.facts(as_of=Stretch(None, None))
            (memory if data.draw(st.booleans()) else elsewhere).erase(
                memory.selection(fact=data.draw(st.sampled_from(held)).id)
            )
            _compare(memory, elsewhere, data)


def _compare(memory: Memory, elsewhere: Memory, data: st.DataObject) -> None:
    """Ask, with and without what was kept, at the times that were drawn."""
    days = data.draw(st.one_of(st.none(), DAYS))
    believed = None if days is None else START + days * DAY
    asked = [*SAME, *data.draw(st.lists(st.sampled_from(QUESTIONS + MORE), max_size=3))]
    kept = [(question, memory.ask(question, believed=believed)) for question in (*asked, SAME[0])]
    assert kept[-1][1].tier == 0
    for question, answer in kept:
        made = elsewhere.ask(question, believed=believed)
        assert made.tier == 2
        assert said(made) == said(answer), question


def test_what_means_another_thing_is_never_served(tmp_path: Path) -> None:
    with memory_at(tmp_path / "m.db") as memory:
        history = [Turn("I live in Porto.", "s", external_id="1"), Turn("Paul lives in Braga.", "s", external_id="2")]
        hear(memory, history)
        tiers = [memory.ask(question).tier for question in SAME]
        assert tiers == [2, 1, 1, 1, 2, 2, 2, 2]
        assert memory.ask("Where do I live?", believed=START).tier == 2
        assert memory.ask("Where do I live?").tier == 0
