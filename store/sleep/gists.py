"""A summary is made of the best sentences of turns, which sleep finds once for each, and again when its claims change.

They are kept as places in the words, never as words, and go with their turns. Secrets, abandoned branches and what was
done by hand have none.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from store.database.rows import LISTED, each, rows, scalar
from store.records import Progress
from store.sleep.extractive import READ, READ_OF_REPLIES, TurnSentence, gist
from store.sleep.phases import PhaseInput, steps

if TYPE_CHECKING:
    import apsw

AT_ONCE, CHARACTERS = 50, 6_000
"""Turns that are looked at in one transaction: no more begin where so many characters of those before were read."""
_WAITING = (
    f"select w.episode_row, min(length(e.text), case e.role when 'user' then {READ} else {READ_OF_REPLIES} end) "
    "from gist_waits w join episodes e on e.row = w.episode_row order by 1 limit ?"
)
"""The turns that wait, and how many characters of each are read."""


def phase(work: PhaseInput) -> Iterator[Progress]:
    """Find the sentences of the turns that wait, in steps."""
    total = waiting(work.database.reader())
    return steps(work, "gists", total, lambda connection: find_some(connection, AT_ONCE))


def rebuild(connection: apsw.Connection) -> Iterator[Progress]:
    """Find those of every turn that waits, in the caller's transaction."""
    done = 0
    while found := find_some(connection, 10 * AT_ONCE):
        done += found
        yield Progress("gists", done, None)


def waiting(connection: apsw.Connection) -> int:
    """How many turns are to be looked at."""
    return int(scalar(connection, "select count(*) from gist_waits"))


def find_some(connection: apsw.Connection, limit: int) -> int:
    """Find the sentences of up to `limit` turns that wait; gives of how many, 0 when none waits."""
    found = rows(connection, _WAITING, (limit,))
    before = accumulate((length for _, length in found), initial=0)
    turns = [row for (row, _), read in zip(found, before, strict=False) if read < CHARACTERS]
    if turns:
        _find(connection, turns)
    return len(turns)


def sentences(connection: apsw.Connection, turns: Sequence[int]) -> dict[int, tuple[TurnSentence, ...]]:
    """The best sentences of turns that may have any, by row."""
    listed = (json.dumps(turns),)
    taught = defaultdict(list)
    quotes = f"select episode_row, start, end from claims where episode_row in {LISTED}"
    for row, start, end in each(connection, quotes, listed):
        taught[row].append((start, end))
    said = (
        f"select row, text, role from episodes where row in {LISTED} and secret = 0 and inactive = 0 "
        "and source <> 'command'"
    )
    return {row: gist(row, text, role, taught[row]) for row, text, role in each(connection, said, listed)}


def _find(connection: apsw.Connection, turns: Sequence[int]) -> None:
    listed = (json.dumps(turns),)
    found = [
        (row, json.dumps([span[1:] for span in spans], separators=(",", ":")))
        for row, spans in sentences(connection, turns).items()
    ]
    connection.execute(f"delete from gists where episode_row in {LISTED}", listed)
    connection.executemany("insert into gists values (?, ?)", found)
    connection.execute(f"delete from gist_waits where episode_row in {LISTED}", listed)
