"""A summary is as new as what is below it, or its node is marked; sleep refreshes each marked node once, bottom up.

MemForest (sections 3.2 and 4.2): edits of the trees are eager and cheap, what is made of them is lazy. A node is stood
for by a few sentences of the turns below it and by the middle of their vectors; both are made of the node's children
only. The roots are the index by which whole scopes are found. Nothing here holds a word: sentences are characters of
turns, and go with them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from store.database.rows import LISTED, column, each, scalar
from store.episodes.index import meta
from store.records import Progress
from store.sleep.extractive import TurnSentence, choose
from store.sleep.phases import PhaseInput, steps
from store.sleep.placement import forget, packed, place_some, waiting
from store.sleep.trees import Trees

if TYPE_CHECKING:
    import apsw
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

PLACED = 50
"""Turns or facts that are placed in one transaction."""
REFRESHED = 12
"""Nodes that are refreshed in one."""
STAND_FOR = 5
"""Sentences that stand for a node."""


@dataclass(slots=True)
class Below:
    """What a node is made of."""

    leaves: int = 0
    until: int = -(2**62)
    """The time of the last leaf."""
    spans: list[TurnSentence] = field(default_factory=list)
    weighed: dict[int, int] = field(default_factory=dict)
    """Of level 1: turns, each with how often it is below. Higher: the children, each with its leaves."""


def phase(work: PhaseInput) -> Iterator[Progress]:
    """Place what waits, then refresh what is marked, in steps."""

    def refresh(connection: apsw.Connection) -> int:
        refreshed = len(refresh_some(connection, REFRESHED))
        work.counts["nodes"] += refreshed
        return refreshed

    total = waiting(work.database.reader())
    yield from steps(work, "forest", total, lambda one: place_some(one, Trees(one), PLACED), "placing")
    total = marked(work.database.reader())
    yield from steps(work, "forest", total, refresh, "summing up")


def rebuild(connection: apsw.Connection) -> Iterator[Progress]:
    """Place and refresh everything that waits, in the caller's transaction."""
    trees, done = Trees(connection), 0
    while placed := place_some(connection, trees, 10 * PLACED):
        done += placed
        yield Progress("forest", done, None)
    while refreshed := refresh_some(connection, 10 * REFRESHED):
        done += len(refreshed)
        yield Progress("forest", done, None)


def erased(connection: apsw.Connection) -> None:
    """Take out what is gone, and refresh what stood above it, in the caller's transaction: nothing of it, not even its
    vector's share of a middle, stays until the next sleep. Other marks are left to that."""
    above = json.dumps(forget(connection, Trees(connection)))
    levels = defaultdict(list)
    for node, level in each(connection, f"select id, level from forest_nodes where id in {LISTED}", (above,)):
        levels[level].append(node)
    for level in sorted(levels):
        _refresh(connection, levels[level], level)


def marked(connection: apsw.Connection) -> int:
    """How many nodes wait to be refreshed."""
    return int(scalar(connection, "select count(*) from forest_nodes where dirty = 1"))


def refresh_some(connection: apsw.Connection, limit: int) -> list[int]:
    """Refresh up to `limit` marked nodes of the lowest level that has any; gives their numbers."""
    level = scalar(connection, "select min(level) from forest_nodes where dirty = 1")
    lowest = "select id from forest_nodes where dirty = 1 and level = ? order by id limit ?"
    some = column(connection, lowest, (level, limit))
    if some:
        _refresh(connection, some, level)
    return some


def _refresh(connection: apsw.Connection, some: Sequence[int], level: int) -> None:
    """Make anew what stands for nodes of one level. A node below which something is marked keeps its own mark."""
    below = _of_leaves(connection, some) if level == 1 else _of_nodes(connection, some)
    children = {key for one in below.values() for key in one.weighed}
    turns = vectors_of(connection, {span.row for one in below.values() for span in one.spans}
                       | (children if level == 1 else set()))  # fmt: skip
    vectors = turns if level == 1 else _of_rows(
        connection, "select id, vector from forest_nodes where vector is not null and id", children
    )  # fmt: skip
    for node in some:
        one = below[node]
        middle = _middle(vectors, one.weighed)
        chosen = choose(one.spans, {span.row: turns[span.row] for span in one.spans if span.row in turns}, STAND_FOR)
        connection.execute(
            "update forest_nodes set leaves = ?, until = ?, spans = ?, vector = ?, dirty = exists (select 1 from "
            "forest_nodes c where c.parent = forest_nodes.id and c.dirty = 1) where id = ?",
            (one.leaves, one.until, packed(chosen), middle, node),
        )


def _of_leaves(connection: apsw.Connection, nodes: Sequence[int]) -> dict[int, Below]:
    """Of nodes of level 1: a turn gives its best sentences, a fact the words that it was read from."""
    found = {node: Below() for node in nodes}
    of_fact: dict[str, int] = {}
    for parent, at, item, row, gists in each(
        connection,
        "select n.parent, n.at, n.item, n.episode_row, g.spans from forest_nodes n "
        "left join forest_gists g on g.episode_row = n.episode_row "
        f"where n.parent in {LISTED} order by n.parent, n.at, n.place, n.item", (json.dumps(nodes),),
    ):  # fmt: skip
        one = found[parent]
        one.weighed[row] = one.weighed.get(row, 0) + 1
        one.leaves, one.until = one.leaves + 1, max(one.until, at)
        if isinstance(item, str):
            of_fact[item] = parent
        elif gists:
            one.spans.extend(TurnSentence(row, *span) for span in json.loads(gists))
    for fact, row, start, end in each(
        connection,
        "select f.id, c.episode_row, c.start, c.end from facts f join claims c on c.row = f.because "
        f"where f.id in {LISTED} order by f.id", (json.dumps(list(of_fact)),),
    ):  # fmt: skip
        found[of_fact[fact]].spans.append(TurnSentence(row, start, end, 1.0))
    return found


def _of_nodes(connection: apsw.Connection, nodes: Sequence[int]) -> dict[int, Below]:
    """Of nodes above level 1: what stands for their children."""
    found = {node: Below() for node in nodes}
    for parent, key, leaves, until, spans in each(
        connection,
        "select parent, id, leaves, until, spans from forest_nodes "
        f"where parent in {LISTED} order by parent, at, place, item", (json.dumps(nodes),),
    ):  # fmt: skip
        one = found[parent]
        one.weighed[key] = leaves
        one.spans.extend(TurnSentence(*span) for span in json.loads(spans))
        one.leaves, one.until = one.leaves + leaves, max(one.until, until)
    return found


def vectors_of(connection: apsw.Connection, turns: set[int]) -> dict[int, Floats]:
    """The vectors of turns, of length 1, by row; none where the memory has none."""
    if not turns or meta(connection, "embedder") is None:
        return {}
    return _of_rows(connection, "select row, vector from episode_vectors where row", turns)


def _of_rows(connection: apsw.Connection, sql: str, keys: set[int]) -> dict[int, Floats]:
    """Stored vectors, made of length 1."""
    import numpy as np

    found: dict[int, Floats] = {}
    for key, vector in each(connection, f"{sql} in {LISTED}", (json.dumps(sorted(keys)),)):
        floats = np.frombuffer(vector, np.int8).astype(np.float32)
        found[key] = floats / max(float(np.linalg.norm(floats)), 1e-9)
    return found


def _middle(vectors: Mapping[int, Floats], weighed: Mapping[int, int]) -> bytes | None:
    """The mean of vectors by weight, as int8 up to a factor of its own; None where there are none."""
    import numpy as np

    known = [key for key in weighed if key in vectors]
    if not known:
        return None
    weights = np.array([weighed[key] for key in known], np.float32)
    total = weights @ np.stack([vectors[key] for key in known])
    packed: npt.NDArray[np.int8] = np.rint(total * (127.0 / max(float(np.abs(total).max()), 1e-9))).astype(np.int8)
    return packed.tobytes()
