"""A turn or a fact stands in the trees of its scopes exactly once, and leaves them in the sleep after it is gone.

Scopes (MemForest section 4.2): a session tree has the turns of one session; a scene tree those of one calendar month,
in the time of where they were said: what went on around something, whoever spoke and wherever; an entity tree has what
is believed of somebody or something now, in the order of when it was true. The placement map is the index on `item`.
Secrets, abandoned branches and what was done by hand have no place.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import apsw

from store.database.rows import LISTED, column, each, rows, scalar
from store.records import Instant, Role
from store.sleep.extractive import TurnSentence, gist
from store.sleep.trees import Leaf, Trees

SESSION, ENTITY, SCENE = "session", "entity", "scene"
_PLACED = (
    f"select id, tree, item, at, place, episode_row, parent from forest_nodes where level = 0 and item in {LISTED}"
)

Scope = tuple[str, str]
"""(family, scope)"""


class _Turn(NamedTuple):
    row: int
    session_id: int
    position: int
    said_at: int
    said_offset: int
    role: Role
    text: str


def month_of(moment: Instant) -> str:
    """The calendar month of a moment, where it was said: "2026-03"."""
    return moment.local().strftime("%Y-%m")


def waiting(connection: apsw.Connection) -> int:
    """How many turns and facts are to be placed."""
    return int(scalar(connection, "select (select count(*) from forest_turns) + (select count(*) from forest_facts)"))


def place_some(connection: apsw.Connection, trees: Trees, limit: int) -> int:
    """Bring up to `limit` turns, or else facts, that wait to their places; gives how many. 0: nothing waits."""
    turns = column(connection, "select episode_row from forest_turns order by 1 limit ?", (limit,))
    if turns:
        _place_turns(connection, trees, turns)
        return len(turns)
    facts = column(connection, "select fact_id from forest_facts order by 1 limit ?", (limit,))
    if facts:
        _place_facts(connection, trees, facts)
    return len(facts)


def forget(connection: apsw.Connection, trees: Trees) -> list[int]:
    """Take out the waiting turns and facts that are there no more, or rest on other words now; the rest is left to the
    next sleep. Gives the nodes that were above them."""
    gone = "select episode_row from forest_turns where episode_row not in (select row from episodes)"
    turns = column(connection, gone)
    changed = "select fact_id from forest_facts where fact_id in (select item from forest_nodes where level = 0)"
    facts = column(connection, changed)
    above: list[int] = column(
        connection,
        f"with recursive above(id) as (select parent from forest_nodes where level = 0 and item in {LISTED} "
        "union select n.parent from above join forest_nodes n on n.id = above.id where n.parent is not null) "
        "select id from above",
        (json.dumps([*turns, *facts]),),
    )
    _place_turns(connection, trees, turns)
    _place_facts(connection, trees, facts)
    return above


def _place_turns(connection: apsw.Connection, trees: Trees, waiting: Sequence[int]) -> None:
    listed = json.dumps(waiting)
    turns = {row[0]: _Turn(*row) for row in each(
        connection,
        "select row, session_id, position, said_at, said_offset, role, text from episodes "
        f"where row in {LISTED} and secret = 0 and inactive = 0 and source <> 'command'", (listed,),
    )}  # fmt: skip
    leaves = {
        (scope, Leaf(turn.said_at, turn.position, turn.row, turn.row))
        for turn in turns.values()
        for scope in ((SESSION, str(turn.session_id)), (SCENE, month_of(Instant(turn.said_at, turn.said_offset))))
    }
    changed = _keep_gists(connection, waiting, turns)
    _settle(connection, trees, listed, leaves, changed)
    connection.execute(f"delete from forest_turns where episode_row in {LISTED}", (listed,))


def _keep_gists(connection: apsw.Connection, waiting: Sequence[int], turns: Mapping[int, _Turn]) -> set[int | str]:
    """Store the best sentences of turns; gives the rows of those that had others before."""
    listed = json.dumps(waiting)
    stored = f"select episode_row, spans from forest_gists where episode_row in {LISTED}"
    before: dict[int, str] = dict(rows(connection, stored, (listed,)))
    taught = defaultdict(list)
    quotes = f"select episode_row, start, end from claims where episode_row in {LISTED}"
    for row, start, end in each(connection, quotes, (listed,)):
        taught[row].append((start, end))
    now = {row: packed(gist(row, turn.text, turn.role, taught[row]), own=False) for row, turn in turns.items()}
    changed = {row: spans for row, spans in now.items() if before.get(row) != spans}
    connection.executemany("insert or replace into forest_gists values (?, ?)", list(changed.items()))
    connection.executemany("delete from forest_gists where episode_row = ?", [(row,) for row in before.keys() - now])
    return set(changed)


def _place_facts(connection: apsw.Connection, trees: Trees, waiting: Sequence[str]) -> None:
    listed = json.dumps(waiting)
    leaves = {
        ((ENTITY, subject), Leaf(at, believed, key, row))
        for key, subject, at, believed, row in each(
            connection,
            "select f.id, f.subject, f.world_from, f.believed_from, c.episode_row from facts f "
            f"join claims c on c.row = f.because where f.believed_to is null and f.id in {LISTED}", (listed,),
        )
    }  # fmt: skip
    _settle(connection, trees, listed, leaves, set())
    connection.execute(f"delete from forest_facts where fact_id in {LISTED}", (listed,))


def _settle(
    connection: apsw.Connection, trees: Trees, listed: str, wanted: set[tuple[Scope, Leaf]], changed: set[int | str]
) -> None:
    """Make the places of these items the wanted ones. Those that stay are marked where what they say `changed`."""
    scopes = {row[0]: (row[1], row[2]) for row in each(
        connection, "select id, family, scope from forest_trees where id in (select tree from forest_nodes "
        f"where level = 0 and item in {LISTED})", (listed,),
    )}  # fmt: skip
    new = set(wanted)
    needless = []
    for node, tree, item, at, place, row, parent in rows(connection, _PLACED, (listed,)):
        placed = (scopes[tree], Leaf(at, place, item, row))
        if placed not in wanted:
            needless.append(node)
            continue
        new.discard(placed)
        if item in changed:
            trees.mark(parent)
    trees.remove(needless)
    by_scope = defaultdict(list)
    for scope, leaf in sorted(new):
        by_scope[scope].append(leaf)
    for (family, scope_key), leaves in by_scope.items():
        trees.insert(trees.tree(family, scope_key), leaves)


def packed(spans: Iterable[TurnSentence], *, own: bool = True) -> str:
    """Spans as they are stored; without `own` rows for a table that has the row in a column."""
    return json.dumps([list(span) if own else list(span[1:]) for span in spans], separators=(",", ":"))
