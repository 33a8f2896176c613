"""What the reader is unsure of is kept and shown, and nothing rests on it until the person says yes; each word can be
taken back.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from store.beliefs.tables import insert_claims
from store.errors import NotFound
from store.memory import Memory
from store.records import Claim, Episode, Fact, Precision, Stretch, Turn
from tests.conftest import NOW

DAY = 86_400_000_000
LAST_WEEK = Stretch(NOW.us // DAY * DAY - 7 * DAY, None, Precision.DAY)


def heard(memory: Memory, text: str, subject: str, predicate: str, value: str, **more: Any) -> Fact:
    """A turn, and a claim of which the reader is unsure; gives it as it is shown."""
    episode = memory.episodes.remember(Turn(text, "s"))
    at = text.index(value)
    claim = Claim(
        id=f"{predicate}-{value}", episode=episode.id, start=at, end=at + len(value), subject=subject,
        predicate=predicate, object=value, valid=Stretch(None, None, Precision.OPEN), holds_now=True,
        said_at=episode.said_at, session="s", position=episode.position, modality="unsure", confidence=0.7,
        extractor="reader/test",
    )  # fmt: skip
    with memory._database.writing() as connection:
        insert_claims(connection, [replace(claim, **more)], NOW.us)
    return next(one for one in memory.reading.unsure(episode=episode) if one.object == value)


def episode_of(memory: Memory, fact: Fact) -> Episode:
    return memory.episodes.get(fact.sources[0].episode)


def test_it_is_shown_with_its_quote_and_believed_by_nobody(memory: Memory) -> None:
    before = memory.state_hash()
    fact = heard(memory, "Ellie has the small room now", "me", "roommate", "Ellie")
    assert fact.unsure and fact.text == "Your roommate is Ellie."
    assert fact.sources[0].quote == "Ellie" and fact.sources[0].by == "reader/test"
    assert memory.beliefs.facts(everything=True) == [] and memory.state_hash() == before
    assert not [one for one in memory.file.check() if not one.ok]


def test_a_yes_makes_it_a_claim_of_the_person_and_settles_it(memory: Memory) -> None:
    fact = heard(memory, "Ellie has the small room now", "me", "roommate", "Ellie")
    known = memory.by_hand.confirm(fact.id)
    assert (known.subject, known.predicate, known.object, known.unsure) == ("me", "roommate", "Ellie", False)
    assert known.valid_from is not None and known.valid_from.us <= episode_of(memory, fact).said_at.us
    assert memory.reading.unsure() == []
    with pytest.raises(NotFound, match="unsure has the id"):
        memory.by_hand.confirm(fact.id)


def test_what_was_confirmed_rests_on_the_words_of_the_person_and_is_known_since_they_were_said(memory: Memory) -> None:
    fact = heard(memory, "Ellie has the small room now", "me", "roommate", "Ellie")
    known = memory.by_hand.confirm(fact.id)
    assert [replace(one, by="") for one in known.sources] == [replace(fact.sources[0], by="", speaker="me")]
    assert known.precision is Precision.OPEN
    answer = memory.answering.ask("Who is my roommate?")
    assert answer is not None and "Confirmation" not in str(answer)
    memory.by_hand.retract(known.id)
    memory.erasing.erase(memory.erasing.selection(episode=fact.sources[0].episode))
    assert memory.beliefs.facts(everything=True) == []


def test_a_yes_can_be_taken_back(memory: Memory) -> None:
    fact = heard(memory, "Ellie has the small room now", "me", "roommate", "Ellie")
    memory.by_hand.confirm(fact.id)
    memory.log.undo(memory.log.operations(limit=1)[0].id)
    assert memory.beliefs.facts() == [] and [one.id for one in memory.reading.unsure()] == [fact.id]


@pytest.mark.parametrize("since", [None, LAST_WEEK])
def test_what_is_right_instead_takes_its_place_and_can_be_taken_back(memory: Memory, since: Stretch | None) -> None:
    fact = heard(memory, "Ellie has the small room now", "me", "roommate", "Ellie")
    said = episode_of(memory, fact).said_at
    right = memory.by_hand.correct("me", "roommate", "Elsa", since=since, instead_of="Ellie", unsure=fact.id)
    assert (right.object, right.unsure) == ("Elsa", False) and memory.reading.unsure() == []
    assert right.valid_from is not None and right.valid_from.us == (said.us if since is None else since.start)
    memory.log.undo(memory.log.operations(limit=1)[0].id)
    assert memory.beliefs.facts() == [] and [one.id for one in memory.reading.unsure()] == [fact.id]


def test_what_is_right_instead_goes_with_the_words_that_were_misread(memory: Memory) -> None:
    fact = heard(memory, "Rent went to 950", "me", "rent", "50")
    memory.by_hand.correct("me", "rent", "950", instead_of="50", unsure=fact.id)
    memory.erasing.erase(memory.erasing.selection(episode=fact.sources[0].episode))
    assert memory.beliefs.facts(everything=True) == [] and memory.reading.unsure() == []


def test_a_no_drops_it_and_can_be_taken_back(memory: Memory) -> None:
    fact = heard(memory, "Ellie has the small room now", "me", "roommate", "Ellie")
    assert memory.by_hand.retract(fact.id).id == fact.id
    assert memory.reading.unsure() == [] and memory.beliefs.facts() == []
    memory.log.undo(memory.log.operations(limit=1)[0].id)
    assert [one.id for one in memory.reading.unsure()] == [fact.id]


def test_only_what_is_asked_for_is_listed_the_latest_first(memory: Memory, say: object) -> None:
    first = heard(memory, "Ellie has the small room now", "me", "roommate", "Ellie")
    second = heard(memory, "Rent went to 950", "me", "rent", "950")
    assert [one.id for one in memory.reading.unsure()] == [second.id, first.id]
    assert [one.id for one in memory.reading.unsure(predicate="rent")] == [second.id]
    assert [one.id for one in memory.reading.unsure(about="me", limit=1)] == [second.id]
    assert [one.id for one in memory.reading.unsure(episode=episode_of(memory, first))] == [first.id]


def test_what_ended_is_confirmed_as_ended(memory: Memory) -> None:
    memory.by_hand.correct("me", "works_at", "Lidl")
    fact = heard(memory, "So that was Lidl", "me", "works_at", "Lidl", cue="stop", negative=True, holds_now=False)
    assert fact.change == "stop"
    memory.by_hand.confirm(fact.id)
    assert memory.beliefs.facts(about="me", predicate="works_at") == []


def test_the_brief_asks_about_it(memory: Memory) -> None:
    from store.sleep.telling import lines

    fact = heard(memory, "Ellie has the small room now", "me", "roommate", "Ellie")
    (line,) = [one for one in lines(memory.overview.brief()) if one.section == "unsure"]
    assert line.facts[0].id == fact.id and line.text.startswith("? Your roommate is Ellie.")


def test_an_erase_takes_it_and_a_yes_that_took_it_up(memory: Memory) -> None:
    fact = heard(memory, "Ellie has the small room now", "me", "roommate", "Ellie")
    memory.by_hand.confirm(fact.id)
    memory.erasing.erase(memory.erasing.selection(episode=fact.sources[0].episode))
    assert memory.beliefs.facts(everything=True) == [] and memory.reading.unsure() == []
    assert "Ellie" not in json.dumps([one.detail for one in memory.log.operations()])


def test_a_rebuild_leaves_it_waiting(memory: Memory) -> None:
    fact = heard(memory, "Ellie has the small room now", "me", "roommate", "Ellie")
    for _ in memory.file.rebuild():
        pass
    assert [one.id for one in memory.reading.unsure()] == [fact.id] and memory.beliefs.facts() == []
