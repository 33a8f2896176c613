"""Whatever the clock and the zone of the machine do, what was said later stands, and backups and sleeps go on.

A clock may be set back a day or forward a year in the middle of a conversation, the zone may be another one at each
start, and an hour may come twice or not at all.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from threading import Event
from zoneinfo import ZoneInfo

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store.maintenance import backups, copies
from store.maintenance.backups import KEPT, RECENT, to_remove
from store.memory import Memory
from store.parts.answering import _midnight
from store.records import EPOCH, Instant, Turn
from tests.conftest import NOW, ZONE
from tests.properties.talk import CITIES, memory_at, sleep

ZONES = [UTC, *map(ZoneInfo, ("Europe/Lisbon", "America/Los_Angeles", "Asia/Tokyo", "America/Santiago", "Asia/Beirut"))]
"""The last two change their clocks at midnight: some of their days have none."""
LOOK = timedelta(minutes=5)
"""Between two looks whether a backup is due, as the app has them."""
jumps = st.sampled_from(
    [timedelta(days=-1), timedelta(days=365), timedelta(days=-365), timedelta(hours=1), timedelta(hours=-1),
     timedelta(seconds=-2)]
)  # fmt: skip
steps = st.lists(st.one_of(st.just(timedelta(0)), jumps), min_size=2, max_size=6)
FEW = settings(max_examples=5, suppress_health_check=list(HealthCheck))


class Jumping:
    """A clock that somebody sets."""

    def __init__(self, zone: tzinfo = ZONE, at: datetime | None = None) -> None:
        self.at, self.zone = at or NOW.local(), zone

    def now(self) -> Instant:
        return Instant.of(self.at.astimezone(self.zone))

    def on(self, by: timedelta) -> None:
        self.at = (self.at.astimezone(UTC) + by).astimezone(self.zone)


@contextmanager
def told(clock: Jumping) -> Iterator[Memory]:
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory.open(Path(folder) / "m.db", clock=clock, zone=clock.zone) as memory,
    ):
        yield memory


def say(memory: Memory, text: str, session: str = "s") -> None:
    memory.reading.learn(memory.episodes.remember(Turn(text, session)).id)


@FEW
@given(steps)
def test_a_conversation_stays_in_the_order_in_which_it_was_said(by: list[timedelta]) -> None:
    clock = Jumping()
    with told(clock) as memory:
        said = []
        for number, jump in enumerate(by):
            clock.on(jump + timedelta(seconds=1))
            said.append(f"I live in {CITIES[number % 4]} now.")
            say(memory, said[-1])
        turns = memory.episodes.of("s")
        assert [one.text for one in turns] == said
        assert sorted(one.said_at.us for one in turns) == [one.said_at.us for one in turns]
        (held,) = memory.beliefs.facts(about="me", predicate="lives_in")
        assert held.sources[-1].quote in said[-1], "what was said last is what is believed"
        assert all(one.believed_from.us >= min(s.said_at.us for s in one.sources) for one in memory.beliefs.timeline())
        sleep(memory)
        assert all(one.ok for one in memory.file.check())


@FEW
@given(steps)
def test_what_is_put_right_by_hand_is_right_at_once(by: list[timedelta]) -> None:
    clock = Jumping()
    with told(clock) as memory:
        for number, jump in enumerate(by):
            say(memory, f"I live in {CITIES[number % 2]}.", f"s{number}")
            clock.on(jump + timedelta(seconds=1))
            right = CITIES[2 + number % 2]
            fact = memory.by_hand.correct("me", "lives_in", right)
            assert (fact.object, fact.believed_to) == (right, None)
            assert fact.believed_from.us >= max(one.said_at.us for one in memory.episodes.of(f"s{number}"))
            clock.on(timedelta(seconds=1))


def test_a_time_that_the_person_gave_is_left_as_it_is() -> None:
    clock = Jumping()
    with told(clock) as memory:
        say(memory, "I live in Porto.")
        clock.on(timedelta(days=-1))
        said = Instant.of(datetime(2020, 5, 1, tzinfo=UTC))
        assert memory.episodes.remember(Turn("I lived in Braga.", "s", said_at=said)).said_at == said
        assert memory.episodes.remember(Turn("Another conversation.", "t")).said_at == clock.now()


@FEW
@given(st.lists(st.sampled_from(ZONES), min_size=2, max_size=4))
def test_another_zone_at_each_start_changes_no_order_and_no_belief(zones: Sequence[tzinfo]) -> None:
    """What was said in one zone is worded in that zone; "today" is that of the zone in which it was said."""
    with tempfile.TemporaryDirectory() as folder:
        path, clock, offsets = Path(folder) / "m.db", Jumping(), []
        for number, zone in enumerate(zones):
            clock.zone = zone
            clock.on(timedelta(days=2))
            offsets.append(clock.now().offset)
            with Memory.open(path, clock=clock, zone=zone) as memory:
                say(memory, f"I moved to {CITIES[number % 4]} today.")
                fact = max(memory.beliefs.facts(about="me", predicate="lives_in"), key=lambda one: one.believed_from.us)
                assert fact.object == CITIES[number % 4]
                assert fact.valid_from is not None
                assert fact.valid_from.iso()[:10] == clock.now().iso()[:10]
        with memory_at(path) as memory:
            assert [one.said_at.offset for one in memory.episodes.of("s")] == offsets
            assert all(one.ok for one in memory.file.check())


@pytest.mark.parametrize("begin", ["2026-03-29T00:30+00:00", "2026-10-25T00:30+01:00"])
def test_an_hour_that_comes_twice_or_not_at_all_keeps_the_order(begin: str) -> None:
    clock = Jumping(ZoneInfo("Europe/Lisbon"), datetime.fromisoformat(begin))
    with told(clock) as memory:
        for number in range(6):
            say(memory, f"Turn {number}.")
            memory.backups.make(why=copies.AUTO)
            clock.on(timedelta(minutes=30))
        assert [one.text for one in memory.episodes.of("s")] == [f"Turn {number}." for number in range(6)]
        assert len({one.said_at.offset for one in memory.episodes.of("s")}) == 2
        made = copies.backups(memory.path)
        assert [one.at for one in made] == sorted(one.at for one in made)
        assert {made[place + 1].at - made[place].at for place in range(len(made) - 1)} == {timedelta(minutes=30)}


@given(st.integers(-1000, 1000 * 24 * 60), st.sampled_from(ZONES))
def test_the_next_day_begins_within_twenty_five_hours(minutes: int, zone: tzinfo) -> None:
    here = (NOW.local() + timedelta(minutes=minutes)).astimezone(zone)
    us = Instant.of(here).us
    following = (EPOCH + timedelta(microseconds=_midnight(us, zone))).astimezone(zone)
    last = (EPOCH + timedelta(microseconds=_midnight(us, zone) - 1)).astimezone(zone)
    assert us < _midnight(us, zone) <= us + 25 * 3_600_000_000
    assert (last.date(), following.date()) == (here.date(), here.date() + timedelta(days=1))


def _touch(_source: apsw.Connection, target: Path, **_named: object) -> None:
    target.touch()


@FEW
@given(st.lists(jumps, max_size=4))
def test_backups_neither_storm_nor_stop_when_the_clock_is_set(by: list[timedelta]) -> None:
    """At each look something has changed; after a jump there is one more at most, and one longer pause."""
    clock = Jumping()
    with told(clock) as memory, pytest.MonkeyPatch.context() as patched:
        patched.setattr(backups, "make", _touch)
        memory.episodes.remember(Turn("Hello.", "s"))
        made, since = 0, timedelta(0)
        for jump in [timedelta(0), *by]:
            clock.on(jump)
            for _ in range(18):  # an hour and a half
                clock.on(LOOK)
                since += LOOK
                if memory.backups.make_when_due(Event()) is not None:
                    made, since = made + 1, timedelta(0)
                assert since <= 2 * backups.EVERY
        assert made <= 4 * (1 + len(by))


@settings(max_examples=20)
@given(st.lists(st.tuples(jumps, st.integers(1, 60)), max_size=6))
def test_thinning_keeps_few_and_the_days_of_now_whatever_the_clock_was(runs: list[tuple[timedelta, int]]) -> None:
    """Backups of a time when the clock was ahead take the place of none that are made now."""
    kept: set[datetime] = set()
    now = NOW.local()
    for jump, halves in runs:
        now += jump
        for _ in range(halves):
            now += timedelta(minutes=30)
            kept.add(now)
            kept -= to_remove(kept, now)
            past = {one for one in kept if one <= now}
            assert now in past and len(past) <= sum(periods + 1 for periods, _ in KEPT) + RECENT // timedelta(
                minutes=30
            )
    ahead = {now + timedelta(days=300, hours=number) for number in range(400)}
    here = [now - timedelta(days=back) for back in range(12)]
    assert not to_remove({*ahead, *here}, now) & set(here)


def test_a_restore_at_a_wrong_time_does_not_stop_backups_for_a_year() -> None:
    clock = Jumping()
    with told(clock) as memory:
        memory.episodes.remember(Turn("Hello.", "s"))
        ahead = clock.now().us + timedelta(days=365) // timedelta(microseconds=1)
        with memory._database.writing() as connection:
            connection.execute("insert into settings values (?, ?)", (backups.RESTORED, str(ahead)))
        assert memory.backups.resting_since() is None
        clock.on(timedelta(days=365, minutes=1))
        assert memory.backups.resting_since() is not None, "unless that is what the clock says"


def test_a_brief_that_was_read_at_a_wrong_time_is_followed_by_another() -> None:
    clock = Jumping()
    with told(clock) as memory:
        clock.on(timedelta(days=365))
        memory.overview.brief_read()
        clock.on(timedelta(days=-365))
        say(memory, "I live in Porto.")
        found = memory.overview.brief()
        assert found.since is not None and found.since.us <= clock.now().us
        assert [one.object for one, _ in found.changed] == ["Porto"]
