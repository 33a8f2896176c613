"""Whatever was said and done, an export taken by an empty memory gives the same beliefs and the same export again."""

from __future__ import annotations

import os
import tempfile
from datetime import timedelta
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from store.errors import NotFound, UsageError
from store.memory import Memory
from store.records import Instant, Stretch, Turn
from tests.conftest import ZONE
from tests.properties.talk import sleep
from tests.properties.test_machine import Moving
from tests.properties.test_sleep_laws import chats, take
from tests.support.exporting import believed, taken, unsound, written

EXAMPLES = settings(
    max_examples=max(8, int(os.environ.get("ERSTWHILE_EXAMPLES", "150")) // 12), deadline=None,
    suppress_health_check=list(HealthCheck), phases=(Phase.generate,),
)  # fmt: skip
DEEDS = (
    "sleep", "sleep", "again", "undo a sleep", "correct", "retract", "restore", "pin", "unpin", "confirm", "drop",
    "same", "different", "settle", "undo", "erase a fact", "erase a session", "rename", "pin a session", "use",
)  # fmt: skip
STEPS = st.lists(st.one_of(chats(4), st.tuples(st.sampled_from(DEEDS), st.integers(0, 7))), min_size=3, max_size=12)
Step = list[Turn] | tuple[str, int]
ALWAYS = Stretch(None, None)
SLEPT: list[Step] = [("sleep", 0)]


def do(memory: Memory, step: Step) -> None:
    """One step of a history, where it can be done."""
    if isinstance(step, list):
        list(memory.episodes.ingest(step))
        return
    deed, which = step
    try:
        _by_hand(memory, deed, which)
    except (NotFound, UsageError):
        return


def _by_hand(memory: Memory, deed: str, which: int) -> None:
    if deed == "sleep":
        sleep(memory)
    elif deed in ("again", "undo a sleep"):
        take(memory, deed)
    elif deed == "correct":
        memory.by_hand.correct("me", "lives_in", ("Faro", "Braga")[which % 2])
    elif deed == "same":
        memory.people.same("my sister", "Acme" if which % 2 else "Ada")
    elif deed == "different":
        memory.people.different("Ada")
    elif deed == "undo":
        undo(memory, which)
    elif deed in ("confirm", "drop"):
        about = [one.id for one in memory.reading.unsure()]
        if about:
            (memory.by_hand.confirm if deed == "confirm" else memory.by_hand.retract)(about[which % len(about)])
    elif deed in ("erase a session", "rename", "pin a session"):
        _of_a_session(memory, deed, which)
    else:
        _of_a_fact(memory, deed, which)


def _of_a_session(memory: Memory, deed: str, which: int) -> None:
    keys = sorted(one.key for one in memory.sessions.all())
    if keys and deed == "rename":
        memory.sessions.rename(keys[which % len(keys)], f"Notes {which}")
    elif keys and deed == "pin a session":
        memory.sessions.pin(keys[which % len(keys)])
    elif keys:
        memory.erasing.erase(memory.erasing.selection(session=keys[which % len(keys)]))


def _of_a_fact(memory: Memory, deed: str, which: int) -> None:
    found = sorted(
        memory.beliefs.timeline() if deed == "restore" else memory.beliefs.facts(as_of=ALWAYS), key=lambda one: one.id
    )
    if not found:
        return
    fact = found[which % len(found)]
    if deed == "retract":
        memory.by_hand.retract(fact.id)
    elif deed == "restore":
        memory.by_hand.restore(fact.id)
    elif deed == "settle":
        memory.by_hand.resolve(fact.id)
    elif deed == "erase a fact":
        memory.erasing.erase(memory.erasing.selection(fact=fact.id))
    elif deed == "use":
        memory.salience.use([fact])
    else:
        memory.by_hand.pin(fact.id, off=deed == "unpin")


def undo(memory: Memory, which: int) -> None:
    """Take back something that was done by hand."""
    found = [one.id for one in memory.log.operations(limit=1000, phase="hand") if one.undone_by is None]
    if found:
        memory.log.undo(found[which % len(found)])


class Later(Moving):
    """A clock that goes on, and begins long after that of another memory."""

    def now(self) -> Instant:
        return Instant.of(super().now().local() + timedelta(days=400))


def opened(path: Path, clock: Moving) -> Memory:
    return Memory.open(path, clock=clock, zone=ZONE)


@EXAMPLES
@given(STEPS)
def test_an_export_comes_back_to_the_same_beliefs_and_the_same_bytes(steps: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as folder, opened(Path(folder) / "m.db", Moving()) as memory:
        for step in steps:
            do(memory, step)
        text = written(memory)
        with opened(Path(folder) / "other.db", Later()) as other:
            taken(other, text)
            assert written(other) == text
            assert unsound(other) == []
            again = taken(other, text)
            assert not +again.counts and written(other) == text
        sleep(memory)
        slept, expected = written(memory), believed(memory)
        with opened(Path(folder) / "slept.db", Later()) as other:
            taken(other, slept)
            sleep(other)
            assert (written(other), believed(other)) == (slept, expected)
            list(other.file.rebuild())
            assert (written(other), believed(other)) == (slept, expected)


@EXAMPLES
@given(STEPS, STEPS)
def test_what_is_there_in_part_is_completed_and_nothing_comes_twice(first: list[Step], then: list[Step]) -> None:
    """A memory that took an export and nothing since, takes a later export of the same memory: it is as that is, but
    for what was erased in between."""
    lasting = [one for one in then if one[0] not in ("erase a fact", "erase a session", "again", "rename")]
    with tempfile.TemporaryDirectory() as folder, opened(Path(folder) / "m.db", Moving()) as memory:
        for step in [*first, *SLEPT]:
            do(memory, step)
        with opened(Path(folder) / "other.db", Later()) as other:
            taken(other, written(memory))
            for step in [*lasting, *SLEPT]:
                do(memory, step)
            text = written(memory)
            taken(other, text)
            assert unsound(other) == []
            assert other.state_hash() == memory.state_hash()
            before = written(other)
            assert not +taken(other, text).counts and written(other) == before


@EXAMPLES
@given(STEPS, st.integers(0, 7))
def test_what_was_erased_here_stays_away(steps: list[Step], which: int) -> None:
    with tempfile.TemporaryDirectory() as folder, opened(Path(folder) / "m.db", Moving()) as memory:
        for step in [*steps, *SLEPT]:
            do(memory, step)
        text, before = written(memory), _turns(memory)
        do(memory, ("erase a fact", which))
        sleep(memory)
        left, hashed = _turns(memory), memory.state_hash()
        assert taken(memory, text).stayed_away == len(before - left)
        sleep(memory)
        assert (_turns(memory), memory.state_hash()) == (left, hashed)
        assert unsound(memory) == []


def _turns(memory: Memory) -> set[str]:
    return {one.id for session in memory.sessions.all() for one in memory.episodes.of(session.key)}
