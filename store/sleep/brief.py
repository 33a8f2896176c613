"""A brief holds ids, never words: what it says is read from the beliefs when somebody looks, and goes where they go.

The note that the person finds in the morning: what changed since they last read one, what is disputed and wants an
answer, what is coming up, and what nobody has spoken of for long. A sleep stores it as one row of the log; whether it
was read is a setting.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from store.beliefs.asof import facts_by_id
from store.beliefs.predicates import DEATH, find
from store.beliefs.salience import DAY
from store.beliefs.unsure import unsure
from store.database.rows import each, rows, scalar
from store.database.runs import log
from store.records import Fact, Instant, Precision, Progress
from store.sleep.phases import PhaseInput
from store.sleep.salience import began_to_fade

if TYPE_CHECKING:
    import apsw

AHEAD_DAYS = 30
"""How far ahead it looks; the next thing after that is told too, if nothing is nearer."""
FIRST_DAYS = 7
"""How far back it looks at most."""
MOST_CLAIMS = 500
"""Of the newest claims, how many are looked through for changes: after a large import the rest is only counted."""
SHOWN, ASKED = 6, 3
"""Of each kind; and of what is fading, about which the person is asked."""
_WEIGHT = {"correct": 4, "stop": 3, "retract": 3, "update": 3, "elaborate": 2, "new": 1, "backfill": 0}
"""What changed comes before what was only heard for the first time."""
_NEWEST = "select coalesce(max(row), 0) from claims"
_Ahead = tuple[str, Instant, Precision]
"""(the fact's id, when it comes, how exactly that is known)"""


@dataclass(frozen=True, slots=True)
class Coming:
    """Something that lies ahead."""

    fact: Fact
    at: Instant
    """When it comes; of a birthday, the next one."""
    precision: Precision


@dataclass(frozen=True, slots=True)
class Brief:
    """What there is to tell, each kind in the order in which it matters."""

    since: Instant | None
    """When the last one was read; None: none ever was."""
    until: Instant
    heard: int
    """How many claims came in since then."""
    changed: tuple[tuple[Fact, Fact | None], ...]
    """(the fact now, the one that it replaced)"""
    disputed: tuple[tuple[Fact, ...], ...]
    """Of each dispute, the facts of which only one can be right."""
    coming: tuple[Coming, ...]
    """The next first."""
    fading: tuple[Fact, ...]
    unsure: tuple[Fact, ...] = ()
    """What the reader is unsure of and heard last."""


class _Ids(NamedTuple):
    """A brief as the log has it: ids of facts, by kind, and how far it has come."""

    claims: int
    """The newest claim."""
    heard: int
    changed: list[str]
    disputed: list[str]
    coming: list[str]
    fading: list[str]


def phase(work: PhaseInput) -> Iterator[Progress]:
    """Store the brief of this sleep, if it says anything else than the last one."""
    now = work.clock.now()
    with work.database.writing() as connection:
        found = _ids(connection, now, _coming(connection, now))._asdict()
        last = scalar(connection, "select detail from operations where phase = 'brief' order by id desc limit 1")
        if last is not None and json.loads(last) == found:
            return
        log(connection, work.run, "brief", "brief", now, "TOLD", found)
    yield Progress("brief", 1, 1)


def _ids(connection: apsw.Connection, now: Instant, coming: Sequence[_Ahead]) -> _Ids:
    """What a brief would hold now."""
    seen, at = _seen(connection, now)
    newest = int(scalar(connection, _NEWEST))
    since = now.us - FIRST_DAYS * DAY if at is None else at
    return _Ids(
        newest, newest - min(seen, newest),
        _changed(connection, max(seen, newest - MOST_CLAIMS), since, now.us), _disputed(connection),
        [key for key, _, _ in coming], began_to_fade(connection, since, now.us)[:ASKED],
    )  # fmt: skip


def brief(connection: apsw.Connection, now: Instant, latest: int) -> Brief:
    """The brief as of now; `latest` is the moment by which a fact's words say whether it is past."""
    coming, (_, since) = _coming(connection, now), _seen(connection, now)
    found = _ids(connection, now, coming)
    facts = facts_by_id(connection, [*found.changed, *found.disputed, *found.coming, *found.fading], latest)
    # A sleep beside may just have folded one of them anew, under another id.
    replaced = {key: facts[key].supersedes or "" for key in found.changed if key in facts}
    olds = facts_by_id(connection, [key for key in replaced.values() if key], latest)
    disputed = [facts[key] for key in found.disputed if key in facts]
    slots = dict.fromkeys(fact.slot for fact in disputed)
    return Brief(
        since=None if since is None else Instant(since, now.offset), until=now, heard=found.heard,
        changed=tuple((facts[key], olds.get(old)) for key, old in replaced.items()),
        disputed=tuple(tuple(fact for fact in disputed if fact.slot == slot) for slot in slots),
        coming=tuple(Coming(facts[key], at, precision) for key, at, precision in coming if key in facts),
        fading=tuple(facts[key] for key in found.fading if key in facts),
        unsure=tuple(unsure(connection, limit=ASKED)),
    )  # fmt: skip


def seen(connection: apsw.Connection, now: Instant) -> None:
    """The person has read the brief: the next one begins here."""
    value = json.dumps({"claims": int(scalar(connection, _NEWEST)), "at": now.us})
    connection.execute("insert or replace into settings values ('brief_seen', ?)", (value,))


def _seen(connection: apsw.Connection, now: Instant) -> tuple[int, int | None]:
    """Up to which claim, and when, the last brief was read; not later than now: the clock may have been ahead."""
    value = scalar(connection, "select value from settings where key = 'brief_seen'")
    if value is None:
        return 0, None
    seen = json.loads(value)
    return seen["claims"], min(seen["at"], now.us)


def _changed(connection: apsw.Connection, after: int, since: int, now: int) -> list[str]:
    """Facts that are believed because of a claim after that one; changes before news, the latest first."""
    found = [
        (key, change, believed)
        for key, change, believed, predicate, ends in each(
            connection, "select id, change, believed_from, predicate, world_to from facts "
            "where because > ? and believed_to is null and disputed = 0 and world_from <= ? "
            # Whoever died has no illness any more, and nobody is to be told so.
            "and not (change = 'stop' and (select predicate from claims where row = because) = ?)", (after, now, DEATH),
        )
        # What a newer value left of an older one is no news by itself.
        if ends > now or change != "update" or find(predicate).temporal == "event"
    ]  # fmt: skip
    # An old chat that was imported changes much that was believed long ago; where there is fresh news, that is told.
    fresh = [one for one in found if one[2] >= since] or found
    ranked = sorted(fresh, key=lambda one: (-_WEIGHT.get(one[1], 0), -one[2], one[0]))
    return [key for key, _, _ in ranked[:SHOWN]]


def _disputed(connection: apsw.Connection) -> list[str]:
    """The facts of the disputes that were opened last."""
    found = rows(
        connection, "select slot, id from facts where disputed = 1 and believed_to is null "
        "order by (select max(o.believed_from) from facts o where o.slot = facts.slot and o.disputed = 1 "
        "and o.believed_to is null) desc, slot, believed_from, id",
    )  # fmt: skip
    slots = list(dict.fromkeys(slot for slot, _ in found))[:SHOWN]
    return [key for slot, key in found if slot in slots]


def _coming(connection: apsw.Connection, now: Instant) -> list[_Ahead]:
    """What begins in the days ahead, birthdays with it; if there is nothing, the next thing that there is."""
    until = now.us + AHEAD_DAYS * DAY
    found = [
        (key, Instant(at, offset), Precision(precision))
        for key, at, offset, precision in each(
            connection,
            "select id, world_from, valid_offset, precision from facts where world_from > ? and believed_to is null "
            "and negative = 0 order by world_from, id limit ?", (now.us, 2 * SHOWN),
        )
    ]  # fmt: skip
    near = [one for one in (*found, *_birthdays(connection, now)) if one[1].us <= until] or found[:1]
    return sorted(near, key=lambda one: (one[1].us, one[0]))[:SHOWN]


def _birthdays(connection: apsw.Connection, now: Instant) -> Iterator[_Ahead]:
    """The next birthday of everybody whose day is known."""
    from store.time.expressions import read_times

    today = now.local()
    for key, said in each(
        connection, "select id, object from facts where predicate = 'born_on' and believed_to is null order by id"
    ):
        read = [time.stretch.first() for time in read_times(said, today) if time.stretch is not None
                and time.stretch.precision is Precision.DAY]  # fmt: skip
        born = read[0] if len(read) == 1 else None
        if born is not None:
            day = _next(born.local().date(), today.date())
            midnight = today.replace(hour=0, minute=0, second=0, microsecond=0)
            yield key, Instant.of(midnight.replace(year=day.year, month=day.month, day=day.day)), Precision.DAY


def _next(day: date, today: date) -> date:
    """The same day of the year, today or later; of a 29 February in other years, 1 March."""
    for year in (today.year, today.year + 1):
        found = date(year, day.month, 1) + timedelta(days=day.day - 1)
        if found >= today:
            return found
    return found
