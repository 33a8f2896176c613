"""A diary has an entry for each day, week or month in which somebody said something, and none for any other.

Walked backwards from the latest turn, from one stretch to the one before it: what it costs grows with the entries, and
the turns are counted by their index.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import tzinfo
from typing import TYPE_CHECKING, Literal, NamedTuple

from store.database.rows import first, scalar
from store.records import Instant, Stretch
from store.sleep.summaries import calendar
from store.sleep.topology import GROUPED

if TYPE_CHECKING:
    import apsw

Grain = Literal["day", "week", "month"]


class Entry(NamedTuple):
    """A stretch of the calendar in which something was said that can be summed up."""

    grain: Grain
    start: Instant
    end: Instant
    """The first instant that is not in it."""
    turns: int


def entries(connection: apsw.Connection, grain: Grain, zone: tzinfo) -> Iterator[Entry]:
    """The entries of a diary, the latest first; weeks begin on Monday, days at midnight in `zone`."""
    latest = f"select said_at, said_offset from episodes e where {GROUPED} and said_at < ? order by 1 desc limit 1"
    counted = f"select count(*) from episodes e where {GROUPED} and e.said_at >= ? and e.said_at < ?"
    before = 1 << 62
    while found := first(connection, latest, (before,)):
        start, end = calendar(grain, Stretch(found[0], found[0] + 1, offset=found[1]), zone)
        yield Entry(grain, start, end, int(scalar(connection, counted, (start.us, end.us))))
        before = start.us
