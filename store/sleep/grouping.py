"""How turns fall into exchanges depends on the turns of their session alone, not on when or in what batches they came.

An exchange is what one says with the replies to it. It ends where the person, or whoever comes first in the order of
speakers, has the word again after somebody else; after an hour's silence; and where it would grow too long. Only the
turns next to each other decide, so new turns change the exchanges from their own place on, and no earlier ones.
Secrets, abandoned branches and what was done by hand belong to no exchange.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import apsw

from store.database.rows import each, first

SILENCE = 3_600_000_000
"""Microseconds of quiet after which another exchange begins."""
MOST_TURNS, MOST_CHARACTERS = 12, 12_000
"""How long an exchange may grow."""
READ = 40
"""Turns that are grouped at a time: enough for the exchange before one that waits, and for that one's."""
GROUPED = "e.secret = 0 and e.inactive = 0 and e.source <> 'command'"
"""Which turns (e) belong to an exchange."""
_KEY = "e.said_at, e.position, e.id"
_BACK = "e.said_at desc, e.position desc, e.id desc"


class ExchangeTurn(NamedTuple):
    """What of a turn decides to which exchange it belongs."""

    row: int
    id: str
    said_at: int
    role: str
    speaker: str
    length: int

    def rank(self) -> tuple[bool, bool, str]:
        """Who opens an exchange, lowest first: the person, then others by name, then who only answers."""
        return self.role != "user", self.speaker != "me", self.speaker.casefold()


Exchange = list[ExchangeTurn]


def regroup(connection: apsw.Connection, session_id: int) -> list[Exchange]:
    """A few exchanges of a session, from that before the first turn that waits for one; none where no turn waits."""
    waiting = first(
        connection,
        f"select {_KEY} from episodes e where e.session_id = ? and {GROUPED} "
        f"and e.row in (select episode_row from loose) order by {_KEY} limit 1",
        (session_id,),
    )
    if waiting is None:
        return []
    opening = first(
        connection,
        f"select {_KEY} from episodes e join unit_spans s on s.episode_row = e.row and s.place = 0 "
        f"join units u on u.id = s.unit_id and u.origin = 'exchange' where e.session_id = ? and ({_KEY}) < (?, ?, ?) "
        f"order by {_BACK} limit 1",
        (session_id, *waiting),
    )
    turns = [ExchangeTurn(*row) for row in each(
        connection,
        "select e.row, e.id, e.said_at, e.role, e.speaker, length(e.text) from episodes e "
        f"where e.session_id = ? and ({_KEY}) >= (?, ?, ?) and {GROUPED} order by {_KEY} limit {READ}",
        (session_id, *(opening or waiting)),
    )]  # fmt: skip
    exchanges: list[Exchange] = []
    for turn in turns:
        if not exchanges or begins(exchanges[-1], turn):
            exchanges.append([])
        exchanges[-1].append(turn)
    return exchanges if len(turns) < READ else exchanges[:-1]  # the last may go on


def begins(before: Sequence[ExchangeTurn], turn: ExchangeTurn) -> bool:
    """Whether a turn opens another exchange after these, which are one so far."""
    return (
        turn.rank() < before[-1].rank()
        or turn.said_at - before[-1].said_at > SILENCE
        or len(before) >= MOST_TURNS
        or sum(one.length for one in before) + turn.length > MOST_CHARACTERS
    )
