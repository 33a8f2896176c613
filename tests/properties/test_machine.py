"""Whatever is done to a memory, in whatever order, it stays sound, can be rebuilt, and keeps its past views."""

from __future__ import annotations

import os
import tempfile
from datetime import timedelta
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from store.errors import NotFound
from store.memory import Memory
from store.records import Fact, Instant, Stretch, Turn
from tests.conftest import NOW, ZONE
from tests.properties.talk import CITIES, START, hear, shape, turns

ALWAYS = Stretch(None, None)
DAY = 86_400_000_000
MOMENTS = tuple(START + days * 30 * DAY for days in (3, 11, 19, 27))
"""Moments of belief time whose views are watched."""


class Moving:
    """A clock that goes on by a minute each time it is looked at, so that no two acts fall on one moment."""

    def __init__(self) -> None:
        self._minutes = 0

    def now(self) -> Instant:
        self._minutes += 1
        return Instant.of(NOW.local() + timedelta(minutes=self._minutes))


class MemoryMachine(RuleBasedStateMachine):
    """One memory, and what its past views were when nothing could have changed them."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = Moving()
        self.memory = self._open()
        self.views: dict[int, set[object]] = {}
        self.handled: list[int] = []
        """Operations by hand that can be undone."""

    def _open(self) -> Memory:
        return Memory.open(Path(self.folder.name) / "m.db", clock=self.clock, zone=ZONE)

    def teardown(self) -> None:
        self.memory.close()
        self.folder.cleanup()

    def _view(self, moment: int) -> set[object]:
        return shape(self.memory.beliefs.facts(as_of=ALWAYS, believed=moment))

    def _look(self) -> None:
        """Take the views as they are now for those that every later one is held against."""
        self.views = {moment: self._view(moment) for moment in MOMENTS}

    def _held(self) -> list[Fact]:
        return sorted(self.memory.beliefs.facts(as_of=ALWAYS), key=lambda one: one.id)

    def _log(self) -> int:
        return self.memory.log.operations(limit=1)[0].id

    @initialize(said=turns(4))
    def begin(self, said: list[Turn]) -> None:
        hear(self.memory, said)
        self._look()

    @rule(said=turns(3), slept=st.booleans())
    def ingest(self, said: list[Turn], slept: bool) -> None:
        """What is imported may have been said at any time: it may add to the past."""
        if slept:
            hear(self.memory, said)
        else:
            list(self.memory.episodes.ingest(said))
            for episode in (one for key in "abc" for one in self.memory.episodes.of(key)):
                self.memory.reading.learn(episode.id)
        self._look()

    @rule()
    def sleep(self) -> None:
        for _ in self.memory.sleeping.run():
            pass

    @rule(city=st.sampled_from(CITIES), days=st.one_of(st.none(), st.integers(0, 800)), ends=st.booleans())
    def correct(self, city: str, days: int | None, ends: bool) -> None:
        begins = None if days is None else Stretch(START + days * DAY, START + (days + 1) * DAY)
        end = Stretch(START + (days or 0) * DAY + 90 * DAY, None) if ends and begins else None
        self.memory.by_hand.correct("me", "lives_in", city, begins=begins, ends=end)
        self.handled.append(self._log())

    @rule(data=st.data())
    @precondition(lambda self: self._held())
    def retract(self, data: st.DataObject) -> None:
        fact = data.draw(st.sampled_from(self._held()))
        self.memory.by_hand.retract(fact.id)
        assert fact.id not in {one.id for one in self._held()}
        self.handled.append(self._log())

    @rule(data=st.data())
    @precondition(lambda self: self.memory.beliefs.timeline() != self._held())
    def restore(self, data: st.DataObject) -> None:
        gone = sorted(
            (one for one in self.memory.beliefs.timeline() if one.believed_to is not None), key=lambda one: one.id
        )
        if not gone:
            return
        fact = data.draw(st.sampled_from(gone))
        try:
            self.memory.by_hand.restore(fact.id)
        except NotFound:
            return
        self.handled.append(self._log())

    @rule(data=st.data())
    @precondition(lambda self: self._held())
    def pin(self, data: st.DataObject) -> None:
        fact = data.draw(st.sampled_from(self._held()))
        self.memory.by_hand.pin(fact.id, off=fact.pinned)
        self.handled.append(self._log())

    @rule(city=st.sampled_from(CITIES))
    def do_and_undo(self, city: str) -> None:
        before = self.memory.state_hash()
        self.memory.by_hand.correct("me", "lives_in", city)
        self.memory.log.undo(self._log())
        assert self.memory.state_hash() == before

    @rule(data=st.data())
    @precondition(lambda self: self.handled)
    def undo(self, data: st.DataObject) -> None:
        number = data.draw(st.sampled_from(self.handled))
        self.handled.remove(number)
        if any(one.id == number and one.undone_by is None for one in self.memory.log.operations(limit=10_000)):
            self.memory.log.undo(number)
        self._look()

    @rule(session=st.sampled_from(("a", "b", "c", "by hand")))
    def erase_a_session(self, session: str) -> None:
        self.memory.erasing.erase(self.memory.erasing.selection(session=session))
        assert session not in {one.key for one in self.memory.sessions.all()}
        self._kept()

    @rule(data=st.data())
    @precondition(lambda self: self._held())
    def erase_a_fact(self, data: st.DataObject) -> None:
        fact = data.draw(st.sampled_from(self._held()))
        self.memory.erasing.erase(self.memory.erasing.selection(fact=fact.id))
        assert fact.id not in {one.id for one in self.memory.beliefs.timeline()}
        self._kept()

    def _kept(self) -> None:
        left = {one.id for one in self.memory.log.operations(limit=10_000)}
        self.handled = [number for number in self.handled if number in left]
        self._look()

    @rule(said=turns(3))
    def merge(self, said: list[Turn]) -> None:
        """Another memory's turns may have been said at any time too; taking them over twice changes nothing."""
        path = Path(self.folder.name) / f"other{self.clock.now().us}.db"
        with Memory.open(path, clock=self.clock, zone=ZONE) as other:
            hear(other, said)
        self.memory.file.merge(path)
        hashed = self.memory.state_hash()
        self.memory.file.merge(path)
        assert self.memory.state_hash() == hashed
        self._look()

    @rule()
    def reopen(self) -> None:
        self.memory.close()
        self.memory = self._open()

    @rule()
    def rebuild(self) -> None:
        before, hashed = shape(self.memory.beliefs.timeline()), self.memory.state_hash()
        list(self.memory.file.rebuild())
        assert shape(self.memory.beliefs.timeline()) == before and self.memory.state_hash() == hashed

    @invariant()
    def everything_is_sound(self) -> None:
        assert [one for one in self.memory.file.check() if not one.ok] == []

    @invariant()
    def past_views_stay(self) -> None:
        assert {moment: self._view(moment) for moment in self.views} == self.views


MemoryMachine.TestCase.settings = settings(
    max_examples=max(4, int(os.environ.get("ERSTWHILE_EXAMPLES", "150")) // 20),
    stateful_step_count=12,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestMemoryMachine = MemoryMachine.TestCase
