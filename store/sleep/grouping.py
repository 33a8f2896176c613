"""How turns fall into exchanges depends on the turns of their session alone, not on when or in what batches they came.

An exchange is what one says with the replies to it. It ends where the person, or whoever comes first in the order of
speakers, has the word again after somebody else; after an hour's silence; and where it would grow too long. Only the
turns next to each other decide, so new turns change the exchanges from their own place on, and no earlier ones.
Secrets, abandoned branches and what was done by hand belong to no exchange.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import apsw

from store.database.rows import Row, each, first, rows
from store.episodes.append import COLUMNS, FROM, episode_of
from store.records import Episode

SILENCE = 3_600_000_000
"""Microseconds of quiet after which another exchange begins."""
MOST_TURNS, MOST_CHARACTERS = 12, 12_000
"""How long an exchange may grow."""

_KEY = "(e.said_at, e.position, e.id)"
GROUPED = "e.secret = 0 and e.inactive = 0 and e.source <> 'command'"
"""Which turns (e) belong to an exchange."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """Turns that belong together, in the order of saying."""

    session_id: int
    turns: tuple[Episode, ...]


@dataclass(frozen=True, slots=True)
class Regrouped:
    """What some new turns of one session do to its exchanges."""

    session_id: int
    exchanges: tuple[Exchange, ...]
    """The exchanges of this stretch of the session, as they are now."""
    was: frozenset[int]
    """The exchanges (units) that this stretch had before."""
    placed: tuple[int, ...]
    """Rows of the turns that waited and are in their exchange now."""


def regroup(connection: apsw.Connection, most: int, but: Collection[int] = ()) -> Regrouped | None:
    """What the first `most` turns that wait in some session do to it; None where no turn waits, or the next one that
    does is of one of the sessions `but`."""
    waiting = first(connection, "select e.session_id from loose l join episodes e on e.row = l.episode_row limit 1")
    if waiting is None or waiting[0] in but:
        return None
    (session_id,) = waiting
    loose = rows(
        connection,
        f"select e.row, {GROUPED}, e.said_at, e.position, e.id from episodes e where e.session_id = ? "
        "and e.row in (select episode_row from loose) order by e.said_at, e.position, e.id limit ?",
        (session_id, most),
    )
    exchanges, was = _stretch(connection, session_id, loose)
    return Regrouped(session_id, tuple(exchanges), frozenset(was), tuple(row for row, *_ in loose))


def _stretch(
    connection: apsw.Connection, session_id: int, loose: Sequence[Row]
) -> tuple[list[Exchange], set[int]]:  # fmt: skip
    """Group anew from the exchange before these turns to where they change nothing any more; gives also the exchanges
    that this stretch had."""
    left = {row for row, grouped, *_ in loose if grouped}
    was: set[int] = set()
    groups: list[list[Episode]] = []
    for episode, unit, waits in _from(connection, session_id, _beginning(connection, session_id, loose[0][2:])):
        opens = not groups or begins(groups[-1], episode)
        if (waits and episode.row not in left) or (not left and opens and unit is not None and unit not in was):
            break
        if opens:
            groups.append([])
        groups[-1].append(episode)
        left.discard(episode.row)
        was |= {unit} if unit is not None else set()
    return [Exchange(session_id, tuple(group)) for group in groups], was


_EXCHANGE = (
    "(select s.unit_id from unit_spans s join units u on u.id = s.unit_id "
    "where s.episode_row = e.row and u.origin = 'exchange')"
)


def _beginning(connection: apsw.Connection, session_id: int, key: Row) -> Row:
    """The key of the first turn of the exchange before a key; the key itself where there is none before it."""
    before = first(
        connection,
        f"select {_EXCHANGE} from episodes e where e.session_id = ? and {_KEY} < (?, ?, ?) and {GROUPED} "
        "order by e.said_at desc, e.position desc, e.id desc limit 1",
        (session_id, *key),
    )
    if before is None or before[0] is None:
        return key
    opening = "select e.said_at, e.position, e.id from unit_spans s join episodes e on e.row = s.episode_row "
    found = first(connection, f"{opening} where s.unit_id = ? and s.place = 0", before)
    return key if found is None else found


def _from(connection: apsw.Connection, session_id: int, key: Row) -> Iterator[tuple[Episode, int | None, bool]]:
    """The turns of a session from a key on, each with the exchange that it is in and whether it waits for one."""
    for row in each(
        connection,
        f"select {COLUMNS}, {_EXCHANGE}, exists (select 1 from loose l where l.episode_row = e.row) {FROM} "
        f"where e.session_id = ? and {_KEY} >= (?, ?, ?) and {GROUPED} order by e.said_at, e.position, e.id",
        (session_id, *key),
    ):
        yield episode_of(row[:-2]), row[-2], bool(row[-1])


def begins(before: Sequence[Episode], episode: Episode) -> bool:
    """Whether a turn opens another exchange after these, which are one so far."""
    last = before[-1]
    return (
        _rank(episode) < _rank(last)
        or episode.said_at.us - last.said_at.us > SILENCE
        or len(before) >= MOST_TURNS
        or sum(len(one.text) for one in before) + len(episode.text) > MOST_CHARACTERS
    )


def _rank(episode: Episode) -> tuple[bool, bool, str]:
    """Who opens an exchange, lowest first: the person, then others by name, then who only answers."""
    return episode.role != "user", episode.speaker != "me", episode.speaker.casefold()
