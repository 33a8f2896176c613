"""What a sleep did is undone and redone exactly, in whatever order sleeps, undos and corrections come."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store.memory import Memory
from store.records import Instant, Stretch, Turn
from tests.properties.talk import START, hear, memory_at, shape, sleep, state

EXAMPLES = settings(
    max_examples=int(os.environ.get("ERSTWHILE_EXAMPLES", "6")), suppress_health_check=list(HealthCheck)
)  # fmt: skip
SAID = (
    "Our rent is 780 euros a month.", "The rent is 900 euros a month now.", "My sister Ada lives in Leith.",
    "Ada has moved to Porto.", "My sister works at Acme.", "I like rooibos.", "I like climbing.", "I live in Porto.",
    "I moved to Lisbon in January.", "I work at Acme.",
    "I've moved to Braga.", "How do I make a good tomato soup with basil?", "I no longer work at Acme.",
    "We cooked tomato soup with basil and bread, and everybody had two bowls. By the way, the office printer in Berlin "
    "needs toner and a driver for the laptops of the sales team.",
    "My brother Paul plays the cello in a small orchestra near Vienna. By the way, which tyres fit a racing bike with "
    "wide rims in the winter rain?",
)  # fmt: skip
REPLIES = ("Noted.", "Good to know!", "Soup needs time.\n\nToner is cheaper in bulk.", "")


@st.composite
def chats(draw: st.DrawFn, most: int = 10) -> list[Turn]:
    """What one says and what is answered, over some days, in a few sessions; the same things are said again."""
    said: list[Turn] = []
    for number in range(draw(st.integers(1, most))):
        day, session = draw(st.integers(0, 12)), draw(st.sampled_from("abc"))
        at = START + day * 86_400_000_000 + draw(st.integers(0, 2)) * 5_000_000_000
        said.append(Turn(draw(st.sampled_from(SAID)), session, said_at=Instant(at), external_id=f"q{number}"))
        reply = draw(st.sampled_from(REPLIES))
        if reply:
            said.append(
                Turn(reply, session, "assistant", "assistant", said_at=Instant(at + 9), external_id=f"r{number}")
            )
    return said


nights = st.lists(chats(), min_size=1, max_size=3)


@contextmanager
def slept(said: Sequence[Sequence[Turn]]) -> Iterator[Memory]:
    """A memory that has heard each of these and slept on it."""
    with tempfile.TemporaryDirectory() as folder, memory_at(Path(folder) / "m.db") as memory:
        for number, some in enumerate(said):
            hear(memory, [Turn(one.text, one.session, one.speaker, one.role, one.said_at, f"{number}{one.external_id}")
                          for one in some])  # fmt: skip
        yield memory


@EXAMPLES
@given(chats(), nights)
def test_a_run_is_undone_and_replayed_to_the_same_state(first: list[Turn], more: list[list[Turn]]) -> None:
    with slept([first]) as memory:
        for number, some in enumerate(more):
            list(memory.episodes.ingest([Turn(one.text, f"n{number}{one.session}", one.speaker, one.role, one.said_at,
                                     one.external_id) for one in some]))  # fmt: skip
            before = memory.state_hash()
            copy_path = memory.path.with_name(f"copy{number}.db")
            memory.backups.make(copy_path)
            sleep(memory)
            run = memory.log.operations(limit=1)[0].run
            assert run is not None
            after = memory.state_hash()
            with memory_at(copy_path) as copy:
                copy.log.replay(memory.log.records(run))
                assert copy.state_hash() == after
                sleep(copy)
                assert copy.state_hash() == after
            undo_and_compare(memory, run, before)


def undo_and_compare(memory: Memory, run: int, before: str) -> None:
    """Undo a run on a copy; it is as before, stays so over an idle sleep, and comes back when that is asked for."""
    path = memory.path.with_name(f"undone{run}.db")
    after = memory.state_hash()
    memory.backups.make(path)
    with memory_at(path) as copy:
        copy.log.undo_run(run)
        assert copy.state_hash() == before
        sleep(copy)
        assert copy.state_hash() == before
        assert [one for one in copy.file.check() if not one.ok] == []
        for _ in copy.sleeping.run(again=True):
            pass
        assert copy.state_hash() == after


STEPS = st.lists(
    st.one_of(
        chats(3),
        st.sampled_from(("sleep", "again", "undo a sleep", "undo what was done by hand", "correct", "retract")),
    ),
    min_size=4, max_size=12,
)  # fmt: skip


@EXAMPLES
@given(STEPS)
def test_any_order_of_sleeps_undos_and_edits_is_as_if_told_at_once(steps: list[str | list[Turn]]) -> None:
    """With all that was done by hand undone, and all sleeps done again, what is believed is what a memory believes that
    heard the same turns and slept once."""
    said: list[Turn] = []
    with tempfile.TemporaryDirectory() as folder, memory_at(Path(folder) / "m.db") as memory:
        for number, step in enumerate(steps):
            if isinstance(step, list):
                some = [_later(one, number) for one in step]
                said += some
                list(memory.episodes.ingest(some))
            else:
                take(memory, step)
            assert [one for one in memory.file.check() if not one.ok] == []
        while undo_by_hand(memory):
            pass
        for _ in memory.sleeping.run(again=True):
            pass
        assert [one for one in memory.file.check() if not one.ok] == []
        with memory_at(Path(folder) / "anew.db") as anew:
            hear(anew, said)
            assert [one.id for one in state(memory)] == [one.id for one in state(anew)]
            assert shape(state(memory)) == shape(state(anew))


def _later(turn: Turn, weeks: int) -> Turn:
    """After all that was told before: a turn is read beside the one that stood before it then."""
    assert turn.said_at is not None
    said_at = Instant(turn.said_at.us + weeks * 14 * 86_400_000_000)
    return replace(turn, external_id=f"{weeks}{turn.external_id}", said_at=said_at)


def take(memory: Memory, step: str) -> None:
    """One step that is not of telling, where it can be done."""
    held = memory.beliefs.facts(as_of=Stretch(None, None))
    if step in ("sleep", "again"):
        for _ in memory.sleeping.run(again=step == "again"):
            pass
    elif step == "correct":
        memory.by_hand.correct("me", "lives_in", "Braga")
    elif step == "retract" and held:
        memory.by_hand.retract(held[0].id)
    elif step == "undo what was done by hand":
        undo_by_hand(memory)
    elif step == "undo a sleep":
        runs = [one.run for one in memory.log.operations(limit=1000) if one.run is not None and one.undone_by is None]
        if runs:
            memory.log.undo_run(runs[0])


def undo_by_hand(memory: Memory) -> bool:
    """Undo the newest thing that was done by hand and stands; gives whether there was any."""
    for one in memory.log.operations(limit=1000):
        if one.phase == "hand" and one.undone_by is None and one.kind in ("correction", "retraction"):
            memory.log.undo(one.id)
            return True
    return False
