"""The best sentences of a turn are found in sleep, a few turns at a time, and nothing erased stays in them."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from store.database.rows import rows, scalar
from store.memory import Memory
from store.records import Instant, Turn
from store.sleep import derived, gists
from store.sleep.phases import PhaseInput, Stopped
from tests.properties.talk import sleep


def found(memory: Memory) -> dict[str, list[str]]:
    """By turn the words that stand for it."""
    held = "select e.text, g.spans from gists g join episodes e on e.row = g.episode_row order by e.row"
    return {
        text: [text[start:end] for start, end, _ in json.loads(spans)]
        for text, spans in rows(memory._database.reader(), held)
    }


def test_what_stands_for_a_turn_are_its_own_sentences(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I live in Porto. The weather is nice! My sister Ana lives in Braga.", "What should I cook?")
    sleep(memory)
    first, second = found(memory).values()
    assert set(first) == {"I live in Porto.", "My sister Ana lives in Braga."}
    assert second == ["What should I cook?"]
    assert not gists.waiting(memory._database.reader())


def test_secrets_abandoned_branches_and_what_was_done_by_hand_have_none(
    memory: Memory, say: Callable[..., None]
) -> None:
    say("2024-03-03", "I like rooibos.")
    (fact,) = memory.beliefs.facts(predicate="likes")
    memory.by_hand.retract(fact.id)
    list(memory.episodes.ingest([
        Turn("My password is hunter2hunter2.", "s"), Turn("I like climbing.", "s", inactive=True),
    ]))  # fmt: skip
    sleep(memory)
    assert list(found(memory)) == ["I like rooibos."]


def test_an_erase_leaves_nothing_of_a_turn(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I live in Zqxporto.", "My sister Zqxana lives in Braga.")
    say("2024-03-04", "I like rooibos.", "I work at Acme.")
    sleep(memory)
    memory.erasing.erase(memory.erasing.selection(session="s-2024-03-03"))
    assert b"zqx" not in memory.path.read_bytes().lower()
    assert list(found(memory)) == ["I like rooibos.", "I work at Acme."]
    assert not scalar(memory._database.reader(), "select count(*) from gist_waits where episode_row not in "
                      "(select row from episodes)")  # fmt: skip


def test_a_sleep_can_be_stopped_between_any_two_steps_and_goes_on(memory: Memory) -> None:
    list(memory.episodes.ingest(Turn(f"I visited place number {n} with Ana.", f"s{n % 5}", said_at=Instant(n * 10**12))
                       for n in range(220)))  # fmt: skip
    left = [0]

    def heed() -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Stopped

    work = PhaseInput(memory._database, memory._clock, 1, heed, None)
    stops = 0
    while gists.waiting(memory._database.reader()):
        left[0] = 1
        with pytest.raises(Stopped):
            list(gists.phase(work))
        stops += 1
    assert stops == 5 and len(found(memory)) == 220
    left[0] = 100
    assert list(gists.phase(work)) == []


def test_of_long_turns_few_are_looked_at_in_one_step(memory: Memory) -> None:
    long = "I visited the old town with Ana and Paul. " * 100
    list(memory.episodes.ingest([Turn(f"{n} {long}", "s") for n in range(5)] + [Turn("I like figs.", "s")]))
    with memory._database.writing() as connection:
        assert [gists.find_some(connection, 50) for _ in range(4)] == [2, 2, 2, 0]
    assert len(found(memory)) == 6


def test_a_file_of_an_earlier_version_has_every_turn_waiting(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I like rooibos.")
    sleep(memory)
    before = found(memory)
    with memory._database.writing() as connection:
        derived.drop(connection)
        derived.create(connection)
    assert gists.waiting(memory._database.reader()) == 1 and found(memory) == {}
    sleep(memory)
    assert found(memory) == before


def test_check_sees_a_turn_without_sentences_and_a_belief_without_a_standing(
    memory: Memory, say: Callable[..., None]
) -> None:
    say("2024-03-03", "I like rooibos.")
    sleep(memory)
    assert all(one.ok for one in memory.file.check())
    with memory._database.writing() as connection:
        for table in ("gists", "salience", "salience_waits"):
            connection.execute(f"delete from {table}")
    bad = {one.name for one in memory.file.check() if not one.ok}
    assert bad == {"turns have their sentences", "beliefs have a standing"}
