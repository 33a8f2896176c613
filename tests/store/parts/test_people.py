"""Two names are one, or one is nobody else, because the person says so: for all of time, and back again by an undo."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from app.core.clock import FrozenClock
from store.errors import NotFound, UsageError
from store.memory import Memory
from store.records import Turn
from tests.conftest import NOW, ZONE

Say = Callable[..., None]


def known(memory: Memory) -> dict[str, tuple[str, ...]]:
    return {one.name: one.aliases for one in memory.people.entities()}


def about(memory: Memory, name: str) -> list[str]:
    return sorted(one.text for one in memory.beliefs.facts(about=name))


def last(memory: Memory) -> int:
    return memory.log.operations(limit=1)[0].id


@pytest.fixture
def two(memory: Memory, say: Say) -> Memory:
    """Kate and Katie, who may be one, and a sister without a name."""
    say("2024-03-03", "Kate is allergic to peanuts.")
    say("2024-03-04", "Katie works at Nokia.")
    say("2024-03-05", "My sister lives in Porto.")
    return memory


def test_two_names_are_made_one_and_two_again(two: Memory) -> None:
    before, people = two.state_hash(), two.people.entities()
    assert two.people.same("Kate", "Katie").aliases == ("kate", "katie")
    assert about(two, "Katie") == ["Kate is allergic to peanuts.", "Kate works at Nokia."]
    assert about(two, "Kate") == about(two, "Katie")
    two.log.undo(last(two))
    assert two.state_hash() == before
    assert two.people.entities() == people
    assert about(two, "Katie") == ["Katie works at Nokia."]


def test_whoever_has_a_name_keeps_it(two: Memory) -> None:
    assert two.people.same("my sister", "Kate").name == "Kate"
    assert about(two, "my sister") == ["Kate is allergic to peanuts.", "Kate lives in Porto."]
    assert two.people.same("Kate", "me").id == "me"
    assert "You live in Porto." in about(two, "me")


def test_three_are_one_by_two_words(two: Memory) -> None:
    two.people.same("Kate", "Katie")
    two.people.same("my sister", "Katie")
    assert known(two)["Kate"] == ("kate", "katie", "me>sister")
    two.people.different("Katie")
    assert known(two) == {"Kate": ("kate", "me>sister"), "Katie": ("katie",), **_me(two)}


def _me(memory: Memory) -> dict[str, tuple[str, ...]]:
    return {name: aliases for name, aliases in known(memory).items() if name == "me"}


def test_what_was_read_as_one_is_set_apart_and_put_back(memory: Memory, say: Say) -> None:
    say("2024-03-03", "My brother Jonas is a carpenter.")
    say("2024-03-04", "My brother lives in Berlin.")
    assert about(memory, "Jonas") == ["Jonas lives in Berlin.", "Jonas works as a carpenter."]
    before = memory.state_hash()
    assert memory.people.different("my brother", "Jonas").name == "my brother"
    assert about(memory, "my brother") == ["Your brother lives in Berlin."]
    assert about(memory, "Jonas") == ["Jonas works as a carpenter."]
    memory.log.undo(last(memory))
    assert memory.state_hash() == before
    assert memory.people.different("Jonas", "my brother").name == "Jonas"
    assert about(memory, "my brother") == ["Your brother lives in Berlin."]


def test_what_is_said_later_falls_under_the_one(two: Memory, say: Say) -> None:
    two.people.same("Kate", "Katie")
    say("2024-04-01", "Katie moved to Oslo.")
    assert "Kate lives in Oslo." in about(two, "Kate")
    assert two.answering.ask("Where does Katie live?").facts[0].object == "Oslo"


def test_it_holds_for_all_of_time(two: Memory) -> None:
    two.people.same("Kate", "Katie")
    (fact,) = two.beliefs.facts(about="Katie", predicate="allergic_to")
    assert fact.believed_from.iso().startswith("2024-03-03")


def test_it_outlives_a_rebuild_and_a_merge(two: Memory, tmp_path: Path) -> None:
    two.people.same("Kate", "Katie")
    after, people = two.state_hash(), two.people.entities()
    for _ in two.file.rebuild():
        pass
    assert (two.state_hash(), two.people.entities()) == (after, people)
    with Memory.open(tmp_path / "other.db", clock=FrozenClock(NOW), zone=ZONE) as other:
        other.file.merge(two.path)
        assert (other.state_hash(), other.people.entities()) == (after, people)
    assert all(one.ok for one in two.file.check())


def test_no_fact_and_no_belief_comes_of_it(two: Memory) -> None:
    count = len(two.beliefs.timeline())
    two.people.same("Kate", "Katie")
    assert len(two.beliefs.timeline()) == count
    assert [one.text for one in two.episodes.of("by hand")] == ["Katie is the same as Kate."]


def test_who_was_joined_is_erased_with_the_word_that_joined_them(two: Memory) -> None:
    two.people.same("Kate", "Katie")
    two.erasing.erase(two.erasing.selection(about="Katie"))
    assert "Kate" not in known(two) and "Katie" not in known(two)
    assert two.episodes.of("by hand") == []
    assert all(b"Katie" not in (one.read_bytes()) for one in two.path.parent.glob("memory.db*"))


def test_who_is_only_named_is_known(memory: Memory, say: Say) -> None:
    say("2024-03-03", "My wife is Maria.", "My boss is called Lena Schmidt.")
    say("2024-03-04", "Lena lives in Kiel.")
    relations = {one.name: one.relation for one in memory.people.entities() if one.id != "me"}
    assert relations == {"Maria": "partner", "Lena Schmidt": "boss"}
    assert about(memory, "my boss") == ["Lena Schmidt lives in Kiel."]


@pytest.mark.parametrize(
    ("verb", "names", "words"),
    [
        ("same", ("Kate", "Nobody"), "Nobody and nothing called 'Nobody'"),
        ("same", ("Kate", "kate"), "one already"),
        ("different", ("Kate", "Katie"), "two already"),
        ("different", ("Kate",), "name who is somebody else"),
        ("different", ("me",), "name who is somebody else"),
    ],
)
def test_what_cannot_be_is_refused_and_leaves_nothing(
    two: Memory, verb: str, names: tuple[str, ...], words: str
) -> None:
    before, number = two.state_hash(), last(two)
    with pytest.raises((NotFound, UsageError), match=words):
        getattr(two.people, verb)(*names)
    assert (two.state_hash(), last(two)) == (before, number)


PRONOUNS = """
My sister Ana moved to Porto. She is allergic to peanuts. | Ana is allergic to peanuts.
My sister Ana and my brother Tom came. He is allergic to nuts. | Tom is allergic to nuts.
My mother called. She lives in Rome now. | Your mother lives in Rome.
My sister lives in Porto. Her husband is called Rui. He works at EDP. | Rui works at EDP.
My dog Rex ran off. He is five years old. | Rex is five.
Maria lives in Porto. I like her. She plays chess. | Maria plays chess.
"""


@pytest.mark.parametrize("line", PRONOUNS.strip().splitlines())
def test_a_pronoun_is_the_one_who_was_named_in_this_conversation(memory: Memory, line: str) -> None:
    said, wanted = (cell.strip() for cell in line.split("|"))
    turns = [Turn(f"{one.strip('. ')}.", "s1", said_at=NOW) for one in said.split(". ")]
    for _ in memory.episodes.ingest(turns):
        pass
    for _ in memory.sleeping.run():
        pass
    assert wanted in [one.text for one in memory.beliefs.facts()]


@pytest.mark.parametrize("said", ["She works at Nokia.", "He is allergic to nuts."])
def test_a_pronoun_without_anybody_teaches_nothing(memory: Memory, say: Say, said: str) -> None:
    say("2024-03-03", "My sister lives in Porto.")
    say("2024-03-09", said)
    assert [one.object for one in memory.beliefs.facts()] == ["Porto"]


@pytest.fixture
def brothers(memory: Memory, say: Say) -> Memory:
    """Jonas was taken for the brother, by his words."""
    say("2024-03-03", "My brother Jonas lives in Bremen.")
    say("2024-03-04", "My brother works at a bakery.")
    return memory


@pytest.mark.parametrize(("one", "other"), [("my brother", "Jonas"), ("Jonas", "my brother"), ("my brother", None)])
def test_who_is_set_apart_is_not_believed_to_be_the_other(brothers: Memory, one: str, other: str | None) -> None:
    before = brothers.state_hash()
    assert "Your brother is Jonas." in about(brothers, "me")
    brothers.people.different(one, other)
    assert about(brothers, "me") == []
    assert about(brothers, "Jonas") == ["Jonas lives in Bremen."]
    assert about(brothers, "my brother") == ["Your brother works at a bakery."]
    (said,) = brothers.log.operations(limit=1)
    assert (said.phase, said.kind, said.reason) == ("hand", "different", "BY_HAND")
    (taken_back, *_rest) = brothers.beliefs.chain("me", "brother")
    assert taken_back.fact.ended == "retract"
    brothers.log.undo(said.id)
    assert brothers.state_hash() == before
    assert "Your brother is Jonas." in about(brothers, "me")


def test_setting_apart_leaves_the_relations_of_others(memory: Memory, say: Say) -> None:
    say("2024-03-03", "My brother Jonas lives in Bremen.", "My sister Lena works at Nokia.", "Jonas's wife is Pia.")
    memory.people.different("my brother", "Jonas")
    assert about(memory, "me") == ["Your sister is Lena."]
    assert about(memory, "Jonas") == ["Jonas lives in Bremen.", "Jonas's wife is Pia."]


def test_apart_again_after_an_erase_of_what_joined_them(brothers: Memory) -> None:
    brothers.people.different("my brother", "Jonas")
    (turn,) = brothers.episodes.of("s-2024-03-03")
    brothers.erasing.erase(brothers.erasing.selection(episode=turn.id))
    assert b"Jonas" not in brothers.path.read_bytes()
    assert about(brothers, "my brother") == ["Your brother works at a bakery."]
