"""Whoever settles who is who, and however often, comes to the same; a sleep does it in steps, and can be stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC
from pathlib import Path

import pytest

from store.beliefs.settle import file_claims, refile_unnamed, settle_identities
from store.database.rows import Row, rows
from store.memory import Memory
from store.records import Instant, Turn
from tests.bench.slots import StillClock

SAID = (
    "My boss Lena Schmidt is strict.", "Lena lives in Porto.", "The door code is 4417.", "My brother is called Paul.",
    "Paul works at Acme.", "My brother lives in Ghent.", "I live in Lisbon.", "Lena's sister Ida plays the cello.",
    "my husband bruno died in may", "jess has a kayak", "jess works at the bakery",
)  # fmt: skip
HOUR = 3_600_000_000
_STATE = (
    "select mention, entity_id, reason from aliases order by 1", "select id, name, kind from entities order by 1",
    "select c.id, g.mention, g.subject, g.family from claim_groups g join claims c on c.row = g.claim_row order by 1",
)  # fmt: skip


def who(memory: Memory) -> list[list[Row]]:
    return [list(rows(memory._database.reader(), sql)) for sql in _STATE]


def turns() -> list[Turn]:
    return [
        Turn(text, "s", said_at=Instant(1_700_000_000_000_000 + at * HOUR), external_id=str(at))
        for at, text in enumerate(SAID)
    ]


def opened(path: Path) -> Memory:
    return Memory.open(path, clock=StillClock(Instant(1_800_000_000_000_000)), zone=UTC)


def sleep(memory: Memory) -> None:
    for _ in memory.sleeping.run():
        pass


def test_a_sleep_settles_what_turn_by_turn_is_settled_at_once(tmp_path: Path) -> None:
    with opened(tmp_path / "slept.db") as slept, opened(tmp_path / "live.db") as live:
        list(slept.episodes.ingest(turns()))
        sleep(slept)
        for turn in turns():
            live.reading.learn(live.episodes.remember(turn).id)
        assert who(slept) == who(live)
        assert "lena schmidt" in {entity for _, entity, _ in who(slept)[0]}


def test_settled_again_nothing_changes(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", *SAID)
    before, hashed = who(memory), memory.state_hash()
    with memory._database.writing() as connection:
        settle_identities(connection)
        assert rows(connection, "select * from dirty") == []
    assert (who(memory), memory.state_hash()) == (before, hashed)


def test_a_sleep_that_is_stopped_between_two_names_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.sleep.phases.SLICE", 0.0)
    with opened(tmp_path / "whole.db") as whole, opened(tmp_path / "stopped.db") as stopped:
        list(whole.episodes.ingest(turns()))
        list(stopped.episodes.ingest(turns()))
        sleep(whole)
        stop = threading.Event()
        phases = set()
        for progress in stopped.sleeping.run(stop):
            phases.add(progress.phase)
            if progress.phase == "settle":
                stop.set()
        assert phases == {"extract", "settle"}
        assert who(stopped) != who(whole)
        sleep(stopped)
        assert who(stopped) == who(whole)
        assert stopped.state_hash() == whole.state_hash()


def test_what_is_said_while_names_are_settled_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.sleep.phases.SLICE", 0.0)
    with opened(tmp_path / "m.db") as memory:
        list(memory.episodes.ingest(turns()))
        said = False
        for progress in memory.sleeping.run():
            if progress.phase == "settle" and not said:
                said = True
                memory.reading.learn(memory.episodes.remember(Turn("My brother Karel works at Acme.", "live")).id)
        before = who(memory)
        assert said and not any("me>brother" in one and "paul" in one for one in before[0])
        with memory._database.writing() as connection:
            settle_identities(connection)
        assert who(memory) == before


def test_what_nobody_was_named_for_is_that_of_the_newest_earlier_one(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "My door code is 1111.")
    say("2024-03-05", "The door code is 2222.")
    with memory._database.writing() as connection:
        refile_unnamed(connection)
        assert rows(connection, "select * from dirty") == []
    assert {fact.subject for fact in memory.beliefs.facts(about="me") if fact.predicate == "door_code"} == {"me"}


def test_filing_without_settling_names_nobody(memory: Memory) -> None:
    memory.episodes.remember(Turn("Ida lives in Porto.", "s"))
    with memory._database.writing() as connection:
        file_claims(connection, [], settle=False)
    assert rows(memory._database.reader(), "select * from aliases") == []


def test_a_new_name_costs_the_same_however_many_are_known(tmp_path: Path) -> None:
    def statements(known: int) -> int:
        """Run to learn one more turn about a thing that was never spoken of."""
        ran = 0

        def count(cursor: object, statement: str, values: object) -> bool:
            nonlocal ran
            ran += 1
            return True

        with opened(tmp_path / f"{known}.db") as memory:
            names = [f"{first}{last}" for first in ("Mar", "Bel", "Tor") for last in ("ta", "no", "va", "li", "du")]
            list(memory.episodes.ingest([Turn(f"{name} lives in Porto.", "s") for name in names[:known]]))
            sleep(memory)
            episode = memory.episodes.remember(Turn("The boat lock has the code 4417.", "s"))
            memory._database._writer.exec_trace = count
            memory.reading.learn(episode.id)
            memory._database._writer.exec_trace = None
        return ran

    assert statements(3) == statements(15) > 0


@pytest.mark.parametrize(
    ("texts", "name"),
    [
        (("my husband bruno died two years ago",), "Bruno"),
        (("my son jory moved out", "jory lives with sanne now"), "Jory"),
        (("jess has a kayak", "jess works at the bakery in Crewe"), "Jess"),
        (("dez broke his ankle",), "Dez"),
        (("the lodger speaks welsh",), "lodger"),
        (("jess has a kayak", "the kayak is yellow"), "kayak"),
    ],
)
def test_a_small_word_is_a_name_where_a_person_is_meant(memory: Memory, texts: tuple[str, ...], name: str) -> None:
    for text in texts:
        memory.reading.learn(memory.episodes.remember(Turn(text, "s")).id)
    assert name in {found for _, found, _ in who(memory)[1]}
