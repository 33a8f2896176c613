"""What a model is given holds at the time that is asked about, was said by then, and says nothing twice."""

from __future__ import annotations

from collections.abc import Callable

from store.memory import Memory
from store.records import Hit, Stretch
from store.time.expressions import parse_when
from tests.conftest import NOW, at

QUESTION = "Where could I go for a walk where I live?"


def given(
    memory: Memory, question: str = QUESTION, *, as_of: Stretch | None = None, believed: int | None = None
) -> tuple[Hit, ...]:
    hits = memory.recall.search(question, k=5, as_of=as_of, believed=believed).hits
    return memory.answering.context(question, hits, as_of=as_of, believed=believed)


def texts(hits: tuple[Hit, ...], kind: str) -> list[str]:
    return [hit.text for hit in hits if hit.kind == kind]


def test_beliefs_come_first_and_say_since_when(memory: Memory, say: Callable[..., None]) -> None:
    say("2023-03-03", "I live in Porto.", "The walk along the river is lovely at dusk.")
    say("2024-03-03", "I moved to Lisbon in January 2024.")
    found = given(memory)
    assert found[0].kind == "fact" and "Lisbon" in found[0].text and "since January 2024" in found[0].text
    assert not any("Porto" in text for text in texts(found, "fact"))
    assert any("river" in text for text in texts(found, "episode"))


def test_a_turn_that_a_belief_quotes_whole_is_not_given_again(memory: Memory, say: Callable[..., None]) -> None:
    say("2023-03-03", "I live in Porto.")
    found = given(memory)
    assert any("Porto" in text for text in texts(found, "fact"))
    assert not any("Porto" in text for text in texts(found, "episode"))


def test_the_same_words_are_given_once(memory: Memory, say: Callable[..., None]) -> None:
    say("2023-03-03", "The walk along the river is lovely at dusk.")
    say("2023-04-03", "The walk along  the river is lovely at dusk.")
    assert len(texts(given(memory), "episode")) == 1


def test_nothing_that_was_said_or_believed_later(memory: Memory, say: Callable[..., None]) -> None:
    say("2023-03-03", "I live in Porto.", "The walk along the river is lovely at dusk.", "I like to sit by the water.")
    say("2024-03-03", "I moved to Lisbon.", "The walk up to the castle where I live is steep.")
    moment = at("2023-06-01")
    found = given(memory, believed=moment)
    assert found and all(hit.said_at.us <= moment for hit in found)
    assert not any("Lisbon" in hit.text for hit in found)


def test_beliefs_of_the_time_that_is_asked_about(memory: Memory, say: Callable[..., None]) -> None:
    say("2023-03-03", "I live in Porto.")
    say("2024-03-03", "I moved to Lisbon in January 2024.")
    then = parse_when("2023-06", NOW.local())
    assert isinstance(then, Stretch)
    facts = texts(given(memory, as_of=then), "fact")
    assert any("Porto" in text for text in facts) and not any("Lisbon" in text for text in facts)


def test_a_conversation_is_summed_up_beside_its_best_turn(memory: Memory, say: Callable[..., None]) -> None:
    others = [
        f"On day {day} of the trip we looked at the old harbour and its boats for a long time." for day in range(9)
    ]
    say("2023-03-03", "The walk along the river is lovely at dusk.", *others)
    hits = memory.recall.search(QUESTION, k=1).hits
    found = memory.answering.context(QUESTION, hits)
    assert texts(found, "summary")
    assert not set(texts(found, "summary")) & set(texts(found, "episode"))


def test_nothing_comes_of_nothing(memory: Memory) -> None:
    assert given(memory) == ()


def test_a_request_for_somebody_has_the_latest_of_what_is_known_of_them(
    memory: Memory, say: Callable[..., None]
) -> None:
    say("2024-03-03", "My sister is called Rosa.", "Rosa has passed her driving test.", "My rent is 700 euros.")
    facts = texts(given(memory, "write a short card for Rosa"), "fact")
    assert any("driving test" in text for text in facts)
    assert not any("700" in text for text in facts)


def test_what_harms_the_person_is_given_where_food_is_spoken_of(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I'm allergic to sesame.", "I live in Porto.")
    assert any("sesame" in text for text in texts(given(memory, "suggest a dinner for Sunday"), "fact"))
    assert not any("sesame" in text for text in texts(given(memory, "suggest a walk for Sunday"), "fact"))
