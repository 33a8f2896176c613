"""What another memory has made of turns is taken over only where this one would make the very same of them.

Made of a turn alone, with its claims: its index and its best sentences; they come with it. Trees come whole, with their
summaries, where nothing here belongs into them; into one that both have turns for, its leaves are set one by one, and
the next sleep sums up what that changed. Rows, and the numbers of conversations, trees and nodes, are this memory's
own: all are translated. Units are left to the next sleep that keeps them.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

import apsw

from store.database.rows import LISTED, column, each, rows, scalar
from store.episodes import index
from store.protocols import Embedder
from store.sleep.forest import PLACED
from store.sleep.placement import ENTITY, SCENE, SESSION, Scope
from store.sleep.trees import K, Leaf, Trees

STEP = 500
_READ = (
    "index_meta", "episode_terms", "forest_trees", "forest_nodes", "forest_gists", "forest_turns", "forest_facts",
    "facts",
)  # fmt: skip
"""Tables of the other memory that are read here."""

New = Mapping[int, int]
"""The turns that came: their rows there, and here. Both ascend, so what is in order there is in order here."""


class _Node(NamedTuple):
    """A node of a tree of the other memory."""

    id: int
    level: int
    parent: int | None
    at: int
    place: int
    item: int | str
    episode_row: int | None
    leaves: int
    until: int
    dirty: int
    spans: str
    vector: bytes | None


def fits(mine: apsw.Connection, theirs: apsw.Connection, embedder: Embedder) -> bool:
    """Whether what is derived there was made as it is here: the same tables, terms and vectors."""
    columns = "select name, type from pragma_table_info(?)"
    if any(rows(mine, columns, (table,)) != rows(theirs, columns, (table,)) for table in _READ):
        return False
    versions = {index.meta(one, "version") for one in (mine, theirs)}
    return versions == {index.VERSION} and index.meta(theirs, "embedder") == index.maker(mine, embedder).fingerprint


def _pieces(values: Iterable[int], size: int = STEP) -> Iterator[list[int]]:
    rest = iter(values)
    while some := list(islice(rest, size)):
        yield some


# -- the index


def take_index(mine: apsw.Connection, theirs: apsw.Connection, new: New, embedder: Embedder) -> list[int]:
    """Index the turns that came as they are indexed there; gives the rows here of those that are not."""
    left: list[int] = []
    for some in _pieces(new):
        listed = json.dumps(some)
        terms = {row[0]: row[1:] for row in each(
            theirs, f"select rowid, words, days, marks from episode_terms where rowid in {LISTED}", (listed,)
        )}  # fmt: skip
        vectors = {row[0]: row[1:] for row in each(
            theirs, f"select row, vector, said_at, hidden from episode_vectors where row in {LISTED}", (listed,)
        )}  # fmt: skip
        both = sorted(terms.keys() & vectors.keys())
        index.put(
            mine, [(new[row], *terms[row]) for row in both], [(new[row], *vectors[row]) for row in both], embedder
        )
        left += [new[row] for row in some if row not in terms or row not in vectors]
    return left


# -- trees


def take_trees(mine: apsw.Connection, theirs: apsw.Connection, new: New, _: Embedder) -> tuple[()]:
    """Place the turns that came where they stand there, and the beliefs of those of whom both memories believe the
    same. What waits there for its place waits here."""
    waiting = set(column(theirs, "select episode_row from forest_turns"))
    placed = {there: here for there, here in new.items() if there not in waiting}
    for some in _pieces(placed):
        gists = each(theirs, f"select episode_row, spans from forest_gists where episode_row in {LISTED}",
                     (json.dumps(some),))  # fmt: skip
        mine.executemany(
            "insert or replace into forest_gists values (?, ?)", [(new[row], spans) for row, spans in gists]
        )
    _plant(mine, _turn_trees(mine, theirs, placed), new)
    mine.executemany("delete from forest_turns where episode_row = ?", [(row,) for row in placed.values()])
    _take_beliefs(mine, theirs, new)
    return ()


def _turn_trees(
    mine: apsw.Connection, theirs: apsw.Connection, placed: New
) -> Mapping[int, Sequence[tuple[Scope, Leaf]]]:
    """Copy the trees over turns that came and no others; gives the leaves of the rest, by row."""
    ours: dict[str, int] = dict(rows(mine, "select key, id from sessions"))
    numbers = each(theirs, "select id, key from sessions")
    sessions = {str(there): str(ours[key]) for there, key in numbers if key in ours}
    rest = defaultdict(list)
    trees = "select id, family, scope from forest_trees where family in (?, ?) order by id"
    for tree, family, there in rows(theirs, trees, (SESSION, SCENE)):
        if family == SESSION and there not in sessions:
            continue  # all of it was erased here
        scope = (family, sessions[there] if family == SESSION else there)
        nodes = _nodes(theirs, tree)
        if _is_new(mine, scope) and _is_plain(nodes) and all(node.level or node.item in placed for node in nodes):
            _copy(mine, scope, nodes, placed)
            continue
        for node in nodes:
            if node.level == 0 and isinstance(node.item, int) and node.item in placed:
                row = placed[node.item]
                rest[row].append((scope, Leaf(node.at, node.place, row, row)))
    return rest


def _nodes(theirs: apsw.Connection, tree: int) -> list[_Node]:
    """A tree, level by level from its leaves."""
    columns = ", ".join(_Node._fields)
    in_order = f"select {columns} from forest_nodes where tree = ? order by level, at, place, item"
    return [_Node(*row) for row in each(theirs, in_order, (tree,))]


def _is_new(mine: apsw.Connection, scope: Scope) -> bool:
    return scalar(mine, "select 1 from forest_trees where family = ? and scope = ?", scope) is None


def _is_plain(nodes: Sequence[_Node]) -> bool:
    """Whether a tree is summed up, and of the shape that it has where its leaves are placed in the order of their rows:
    every node is full, but the last of each level."""
    if any(node.dirty for node in nodes):
        return False
    if nodes[-1].level == 1:
        return True
    children = Counter(node.parent for node in nodes)
    full = all(children[one.id] == K for one, after in pairwise(nodes) if 0 < one.level == after.level)
    came = [node.item for node in nodes if node.level == 0]
    return full and all(isinstance(item, int) for item in came) and came == sorted(came, key=int)


def _copy(mine: apsw.Connection, scope: Scope, nodes: Sequence[_Node], new: New) -> None:
    """Make a tree that is node for node the same."""
    tree = Trees(mine).tree(*scope)
    begin = int(scalar(mine, "select coalesce(max(id), 0) from forest_nodes")) + 1
    numbers = {node.id: number for number, node in enumerate(nodes, begin)}
    keys: dict[int, tuple[int, int, int | str]] = {}
    copied = []
    for node in nodes:
        if node.level == 0:
            keys[node.id] = (node.at, node.place, new[node.item] if isinstance(node.item, int) else node.item)
        key = keys[node.id]
        if node.parent is not None:
            keys.setdefault(node.parent, key)  # the first of its children comes first
        row = None if node.episode_row is None else new[node.episode_row]
        spans = json.loads(node.spans)  # each begins with a row
        told = json.dumps([[new[turn], *place] for turn, *place in spans], separators=(",", ":"))
        copied.append((numbers[node.id], tree, node.level, numbers.get(node.parent or 0), *key, row, node.leaves,
                       node.until, told, node.vector))  # fmt: skip
    mine.executemany(
        "insert into forest_nodes (id, tree, level, parent, at, place, item, episode_row, leaves, until, spans, "
        f"vector) values ({','.join('?' * 12)})", copied,
    )  # fmt: skip


def _plant(mine: apsw.Connection, rest: Mapping[int, Sequence[tuple[Scope, Leaf]]], new: New) -> None:
    """Set leaves into trees that have others, as many at a time as a sleep does."""
    trees = Trees(mine)
    for some in _pieces(new.values(), PLACED):
        by_scope = defaultdict(list)
        for row in some:
            for scope, leaf in rest.get(row, ()):
                by_scope[scope].append(leaf)
        for scope in sorted(by_scope):
            trees.insert(trees.tree(*scope), by_scope[scope])


_BELIEVED = (
    "select f.id, f.world_from, f.believed_from, c.id, c.episode_row from facts f join claims c on c.row = f.because "
    "where f.subject = ? and f.believed_to is null"
)


def _take_beliefs(mine: apsw.Connection, theirs: apsw.Connection, new: New) -> None:
    """Copy the trees of those of whom all that is believed rests on turns that came, and is believed there, too."""
    waiting = set(column(theirs, "select fact_id from forest_facts"))
    for tree, scope in rows(theirs, "select id, scope from forest_trees where family = ? order by id", (ENTITY,)):
        if not _is_new(mine, (ENTITY, scope)):
            continue
        nodes = _nodes(theirs, tree)
        leaves = {(node.item, node.at, node.place, node.episode_row) for node in nodes if node.level == 0}
        there = set(rows(theirs, _BELIEVED, (scope,)))
        if (
            any(node.item in waiting for node in nodes)
            or not _is_plain(nodes)
            or leaves != {(fact, at, place, row) for fact, at, place, _, row in there}
            or any(row not in new for *_, row in there)
            or {(*one, new[row]) for *one, row in there} != set(rows(mine, _BELIEVED, (scope,)))
        ):
            continue
        _copy(mine, (ENTITY, scope), nodes, new)
        mine.executemany("delete from forest_facts where fact_id = ?", [(fact,) for fact, *_ in there])
