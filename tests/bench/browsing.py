"""Whole scopes are found before single turns: first trees, by what stands for them, then branches, then leaves.

MemForest's forest recall and browse (section 4.3), embedding-only: trees are recalled by their roots and by whom the
query names; within each, the best branches are followed down to the turns. Ranks only; nothing is filtered here. Recall
browses no trees, as that found less (see sleep_recall.py); this is kept to measure it again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from store.database.rows import Row, each
from store.episodes.terms import terms as terms_of
from store.recall.dense import clipped

if TYPE_CHECKING:
    import apsw
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

TREES = 8
"""Trees that are browsed."""
BRANCHES = 6
"""Nodes of a level that are followed down, in each tree."""
NAMED = 0.25
"""What it is worth to a tree, in cosine, to be that of somebody whom the query names."""
FROM_TREE = 0.3
"""How much of its tree's likeness a turn takes over."""
_LISTED = "(select value from json_each(?))"
_ROOTS = """
select n.id, n.level, n.vector, case t.family when 'entity' then t.scope else '' end
from forest_nodes n join forest_trees t on t.id = n.tree
where n.parent is null and n.level > 0 and n.vector is not null and t.family in (select value from json_each(?))
"""
FAMILIES = ("session", "entity", "scene")
RRF_K = 60


def candidates(
    connection: apsw.Connection, query_vector: Floats, terms: Sequence[str], k: int,
    families: Sequence[str] = FAMILIES,
) -> list[int]:  # fmt: skip
    """Rows of the `k` turns that browsing finds, best first. `query_vector` has length 1, `terms` are the query's;
    `families` are those of the trees that are browsed."""
    question, named = clipped(query_vector), set(terms)
    roots: list[tuple[float, int, int]] = []
    for node, level, vector, scope in each(connection, _ROOTS, (json.dumps(list(families)),)):
        worth = NAMED if scope and named & set(terms_of(scope)) else 0.0
        roots.append((_likeness(vector, question) + worth, node, level))
    best: dict[int, float] = {}
    for likeness, node, level in sorted(roots, key=lambda one: (-one[0], one[1]))[:TREES]:
        for row, score in _browse(connection, question, node, level):
            best[row] = max(best.get(row, -2.0), score + FROM_TREE * likeness)
    return sorted(best, key=lambda row: (-best[row], -row))[:k]


def _browse(connection: apsw.Connection, question: Floats, root: int, level: int) -> list[tuple[int, float]]:
    """The turns below the best branches of one tree, each with its likeness."""
    kept = [root]
    while level > 1:
        found = each(connection, f"select id, vector from forest_nodes where parent in {_LISTED} "
                     "and vector is not null", (json.dumps(kept),))  # fmt: skip
        kept = [key for key, _ in _ranked(found, question)[:BRANCHES]]
        level -= 1
    leaves = f"select episode_row from forest_nodes where parent in {_LISTED}"
    return _ranked(
        each(connection, f"select row, vector from episode_vectors where row in ({leaves})", (json.dumps(kept),)),
        question,
    )


def _ranked(found: Iterable[Row], question: Floats) -> list[tuple[int, float]]:
    ranked = [(int(key), _likeness(vector, question)) for key, vector in found]
    return sorted(ranked, key=lambda one: (-one[1], one[0]))


def _likeness(vector: bytes, question: Floats) -> float:
    """The cosine of a stored vector to the question's."""
    import numpy as np

    floats = np.frombuffer(vector, np.int8).astype(np.float32)
    return float(floats @ question) / max(float(np.linalg.norm(floats)), 1e-9)


def reciprocal(ranks: Sequence[Mapping[int, int]], weights: Sequence[float]) -> dict[int, float]:
    """Weighted reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009): the sum of weight / (60 + rank)."""
    total: dict[int, float] = {}
    for channel, weight in zip(ranks, weights, strict=True):
        for row, rank in channel.items():
            total[row] = total.get(row, 0.0) + weight / (RRF_K + rank)
    return total
