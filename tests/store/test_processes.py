"""What another process does between two steps of this one neither breaks it nor is undone by it.

The other process is a second memory on the same file, which acts in the middle of a step of the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Thread
from typing import Any

import pytest

from app.cli.verbs.byhand import operation_on
from app.core.clock import FrozenClock
from store.database.connections import BUSY_MS
from store.errors import Busy, NotFound
from store.memory import Memory
from store.parts.by_hand import ByHand
from store.reading import extract
from store.records import Instant, Turn
from store.sleep import reading
from tests.conftest import NOW, ZONE

Deed = Callable[[], object]


@pytest.fixture
def other(memory: Memory) -> Iterator[Memory]:
    """The same file, as another process has it open."""
    with Memory.open(memory.path, clock=FrozenClock(NOW), zone=ZONE) as one:
        yield one


def meanwhile(monkeypatch: pytest.MonkeyPatch, where: Any, name: str, deed: Deed) -> None:
    """Do it once, right after a function of that name has come to its result, and before its caller goes on."""
    real, waiting = getattr(where, name), [deed]

    def wrapped(*given: Any, **named: Any) -> Any:
        found = real(*given, **named)
        if waiting:
            waiting.pop()()
        return found

    monkeypatch.setattr(where, name, wrapped)


def sleep(memory: Memory) -> None:
    for _ in memory.sleeping.run():
        pass


def well(memory: Memory) -> bool:
    return all(one.ok for one in memory.file.check())


def claims(memory: Memory) -> int:
    return int(memory._database.reader().execute("select count(*) from claims").get)


def test_a_turn_that_is_read_twice_at_once_is_read_once(
    memory: Memory, other: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    episode = memory.episodes.remember(Turn("I live in Porto.", "s"))
    meanwhile(monkeypatch, extract, "read", lambda: sleep(other))
    assert [one.new.text for one in memory.reading.learn(episode.id) if one.new] == ["You live in Porto."]
    assert claims(memory) == 1 and memory.reading.pending() == 0 and well(memory)


def test_a_turn_that_is_erased_while_it_is_read_teaches_nothing(
    memory: Memory, other: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    episode = memory.episodes.remember(Turn("I live in Porto.", "s"))

    def erase() -> None:
        other.erasing.erase(other.erasing.selection(episode=episode.id))
        other.episodes.remember(Turn("I like tea.", "t"))  # takes the row of the one that is gone

    meanwhile(monkeypatch, extract, "read", erase)
    assert memory.reading.learn(episode.id) == ()
    assert claims(memory) == 0 and memory.reading.pending() == 1 and well(memory)
    assert memory.reading.learn(episode.id) == (), "nor does one that is gone already"


@pytest.mark.parametrize("gone", [0, 1])
def test_a_sleep_forgets_what_it_read_of_a_turn_that_is_erased_meanwhile(
    memory: Memory, other: Memory, monkeypatch: pytest.MonkeyPatch, gone: int
) -> None:
    """Or in its light: what was understood because of an erased turn may hold its words."""
    said = [memory.episodes.remember(Turn(text, "s")) for text in ("Do you know my sister Ana?", "She lives in Porto.")]

    def erase() -> None:
        other.erasing.erase(other.erasing.selection(episode=said[gone].id))
        other.episodes.remember(Turn("I like tea.", "t"))

    meanwhile(monkeypatch, reading, "_read", erase)
    sleep(memory)
    assert well(memory)
    sleep(memory)
    assert memory.reading.pending() == 0 and well(memory)
    with Memory.open(memory.path.with_name("never.db"), clock=FrozenClock(NOW), zone=ZONE) as never:
        left = [turn for key in ("s", "t") for turn in memory.episodes.of(key)]
        list(never.episodes.ingest(Turn(one.text, one.session, said_at=one.said_at) for one in left))
        sleep(never)
        assert [one.text for one in memory.beliefs.timeline()] == [one.text for one in never.beliefs.timeline()]


def test_an_erase_takes_the_turns_that_were_shown_and_no_others(memory: Memory, other: Memory) -> None:
    episode = memory.episodes.remember(Turn("I live in Porto.", "s"))
    shown = memory.erasing.selection(session="s")
    other.erasing.erase(other.erasing.selection(episode=episode.id))
    new = other.episodes.remember(Turn("I like tea.", "t"))
    assert memory.erasing.erase(shown).episodes == 0
    assert memory.episodes.get(new.id).text == "I like tea."


def test_what_is_taken_back_at_once_elsewhere_was_done(
    memory: Memory, other: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.reading.learn(memory.episodes.remember(Turn("I live in Porto.", "s", said_at=Instant(NOW.us - 1))).id)
    undoing = Thread(target=lambda: other.log.undo(1))

    def undo() -> None:
        undoing.start()
        undoing.join(0.2)  # it has to wait for a correction that is not over

    meanwhile(monkeypatch, ByHand, "say", undo)
    assert memory.by_hand.correct("me", "lives_in", "Braga").object == "Braga"
    undoing.join()
    assert [one.object for one in memory.beliefs.facts()] == ["Porto"]


def test_a_turn_is_said_while_another_process_writes_for_long(
    memory: Memory, other: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is late, and not refused."""
    with other._database.writing():
        saying = Thread(target=lambda: memory.episodes.remember(Turn("I live in Porto.", "s")))
        saying.start()
        saying.join(0.5)
        assert saying.is_alive() and not memory.episodes.of("s")
    saying.join()
    assert [one.text for one in memory.episodes.of("s")] == ["I live in Porto."]
    assert BUSY_MS >= 60_000


def test_an_erase_says_who_keeps_the_old_pages(memory: Memory, other: Memory) -> None:
    episode = memory.episodes.remember(Turn("I live in Porto.", "s"))
    memory._database._writer.set_busy_timeout(10)
    with other._database.snapshot(), pytest.raises(Busy, match="close every program"):
        memory.erasing.erase(memory.erasing.selection(episode=episode.id))
    assert not memory.episodes.of("s")


def test_the_number_that_takes_a_deed_back_is_its_own(memory: Memory, other: Memory) -> None:
    memory.reading.learn(memory.episodes.remember(Turn("I live in Porto.", "s", said_at=Instant(NOW.us - 1))).id)
    fact = memory.by_hand.correct("me", "lives_in", "Braga")
    other.by_hand.correct("me", "works_at", "Acme")
    memory.log.undo(operation_on(memory, fact))
    assert sorted(one.object for one in memory.beliefs.facts()) == ["Acme", "Porto"]


def test_what_was_dropped_elsewhere_is_not_there(memory: Memory, other: Memory) -> None:
    with pytest.raises(NotFound):
        memory.by_hand._drop("no such")
