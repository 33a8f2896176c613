"""What a model's plans did is undone, replayed, rebuilt and erased as what rules did is, and asks nobody for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

from app.core.clock import FrozenClock
from store.errors import ModelDied
from store.memory import Memory
from store.protocols import Message
from store.sleep import planning
from tests.conftest import NOW, ZONE
from tests.store.sleep.planner import MIXED, PLAN, Scripted, plan, plans, reasons, sleep, surface, tell


def test_an_edit_and_a_run_are_taken_back_to_the_same_state(memory: Memory) -> None:
    tell(memory, "2024-03-03", MIXED)
    sleep(memory)
    before = memory.state_hash()
    model = Scripted(("oboe", PLAN))
    run = sleep(memory, model).run
    after = memory.state_hash()
    memory.log.undo(plans(memory)[0].id)
    assert memory.state_hash() == before != after
    sleep(memory, model)
    assert memory.state_hash() == before and len(model.asked) == 1  # not unasked
    memory.log.undo_run(run)
    assert memory.state_hash() == before


def test_a_run_that_was_taken_back_is_done_again_only_when_asked(memory: Memory) -> None:
    tell(memory, "2024-03-03", MIXED)
    sleep(memory)
    before, model = memory.state_hash(), Scripted(("oboe", PLAN))
    run = sleep(memory, model).run
    after = memory.state_hash()
    memory.log.undo_run(run)
    sleep(memory, model)
    assert memory.state_hash() == before and len(model.asked) == 1
    sleep(memory, model, again=True)
    assert memory.state_hash() == after and len(model.asked) == 2


def test_a_run_is_replayed_without_a_model(memory: Memory, tmp_path: Path) -> None:
    tell(memory, "2024-03-03", MIXED)
    run = sleep(memory, Scripted(("oboe", PLAN))).run
    with Memory.open(tmp_path / "other.db", clock=FrozenClock(NOW), zone=ZONE) as other:
        tell(other, "2024-03-03", MIXED)
        again = other.log.replay(memory.log.records(run))
        assert other.state_hash() == memory.state_hash() and surface(other) == surface(memory)
        assert planning.unplanned(other._database.reader()) == 0 and plans(other)[0].detail == plans(memory)[0].detail
        other.log.undo_run(again)
        assert surface(other) == [MIXED]


def test_a_rebuild_does_the_edits_again_and_asks_nobody(memory: Memory) -> None:
    tell(memory, "2024-03-03", MIXED)
    model = Scripted(("oboe", PLAN))
    sleep(memory, model)
    before = memory.state_hash()
    for _ in memory.file.rebuild():
        pass
    sleep(memory, model)
    assert memory.state_hash() == before and len(model.asked) == 1
    assert all(one.ok for one in memory.file.check())


def test_an_erased_turn_takes_the_plan_about_it_along(memory: Memory) -> None:
    tell(memory, "2024-03-03", MIXED)
    tell(memory, "2024-03-09", "The goats are in the garden. The tax form is missing.")
    sleep(memory, Scripted(("oboe", PLAN), ("goats", "nonsense")))
    assert reasons(memory) == ["NOT_JSON", "APPLIED"]
    memory.erasing.erase(memory.erasing.selection(session="2024-03-03"))
    memory.erasing.erase(memory.erasing.selection(session="2024-03-09"))
    assert plans(memory) == [] and memory._database.reader().execute("select count(*) from planned").get == 0


def test_a_keystroke_ends_the_reply_and_the_unit_waits(memory: Memory) -> None:
    stop = Event()

    class Slow(Scripted):
        def chat(self, messages: Sequence[Message], *, stop: Event | None = None, **_how: Any) -> Iterator[str]:
            yield '{"kind"'
            assert stop is not None
            stop.set()
            yield ': "split"}'

    tell(memory, "2024-03-03", MIXED)
    assert not sleep(memory, Slow(), stop).finished
    assert surface(memory) == [MIXED] and planning.unplanned(memory._database.reader()) == 1
    sleep(memory, Scripted(("oboe", PLAN)))
    assert len(surface(memory)) == 2


def test_a_model_that_fails_ends_its_part_and_nothing_else(memory: Memory) -> None:
    class Dying(Scripted):
        def chat(self, messages: Sequence[Message], **_how: Any) -> Iterator[str]:
            raise ModelDied("It ended.")
            yield ""

    tell(memory, "2024-03-03", MIXED)
    tell(memory, "2024-03-09", MIXED)
    assert sleep(memory, Dying()).finished
    assert reasons(memory) == ["MODEL_FAILED"] and planning.unplanned(memory._database.reader()) == 2


def test_what_is_erased_while_the_model_thinks_is_not_edited(memory: Memory) -> None:
    class Slow(Scripted):
        def chat(self, messages: Sequence[Message], **how: Any) -> Iterator[str]:
            if messages[-1].content.startswith("Note of"):
                memory.erasing.erase(memory.erasing.selection(session="2024-03-03"))
            yield from super().chat(messages, **how)

    tell(memory, "2024-03-03", MIXED)
    assert sleep(memory, Slow(("oboe", PLAN))).finished
    assert surface(memory) == [] and plans(memory) == [] and planning.unplanned(memory._database.reader()) == 0


class Wild(Scripted):
    """Chooses anything that the shape allows, and is always sure of it."""

    def __init__(self) -> None:
        super().__init__()
        self.random = Random(7)

    def chat(self, messages: Sequence[Message], *, schema: Any = None, **_how: Any) -> Iterator[str]:
        if "kind" not in schema["properties"]:
            yield '{"claims": []}'
            return
        shape = schema["properties"]
        kind = self.random.choice([one for one in shape["kind"]["enum"] if one != "none"] or ["none"])
        lists = {
            name: self.random.sample(shape[name]["items"]["enum"], self.random.randint(1, shape[name]["maxItems"]))
            for name in ("targets", "begins")
        }
        yield plan(kind=kind, confidence=1.0, **lists)


def test_whatever_a_model_chooses_nothing_is_lost_and_all_of_it_can_be_undone(memory: Memory, tmp_path: Path) -> None:
    things = ("oboe", "cellar", "goat", "lake")
    told = [
        (f"2024-03-{day:02}", f"The {things[day % 4]} is mine. It is {day % 3} years old! And the {things[day % 3]}?")
        for day in range(1, 25)
    ]
    for day, text in told:
        tell(memory, day, text, "Noted.")
    sleep(memory)
    before = memory.state_hash()
    with Memory.open(tmp_path / "other.db", clock=FrozenClock(NOW), zone=ZONE) as other:
        for day, text in told:
            tell(other, day, text, "Noted.")
        for run in {one.run for one in memory.log.operations(limit=500) if one.run is not None}:
            other.log.replay(memory.log.records(run))
        run = sleep(memory, Wild()).run
        assert {"APPLIED"} < set(reasons(memory)) and [one for one in memory.file.check() if not one.ok] == []
        other.log.replay(memory.log.records(run))
        assert other.state_hash() == memory.state_hash() != before
    memory.log.undo_run(run)
    assert memory.state_hash() == before and [one for one in memory.file.check() if not one.ok] == []
