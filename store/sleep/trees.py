"""A tree is balanced whatever comes, early or late: all leaves are equally deep, and no node has more than K children.

A B+ tree over time in one table (store.sleep.derived): MemForest's MemTree (section 4.2), structure only. An edit marks
the path to the root dirty; a mark stops at the first node that is dirty already, for all above it are, too. Every level
is in the order of (at, place, item), so the place of anything is found by one look into an index, and an edit costs as
much as the tree is high.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import apsw

from store.database.rows import each, first, rows, scalar

K = 12
"""Children of a node. Measured from 8 to 16 (tests/bench/forest_scale.py): writing and refreshing cost the same within
the noise; 12 keeps 10,000 leaves at height 4."""

Key = tuple[int, int, int | str]
_KEY = "at, place, item"
_PLACE = f"select {_KEY}, parent from forest_nodes where id = ?"
_MOVE_KEY = "update forest_nodes set at = ?, place = ?, item = ? where id = ?"


class Leaf(NamedTuple):
    """Evidence to be placed."""

    at: int
    """Its time, microseconds UTC."""
    place: int
    """Its place among others of that time."""
    item: int | str
    """A turn's row, or a fact's id."""
    episode_row: int
    """The turn that it rests on."""


class _Node(NamedTuple):
    id: int
    at: int
    place: int
    item: int | str

    @property
    def key(self) -> Key:
        return (self.at, self.place, self.item)


@dataclass
class Cost:
    """What edits have cost; counted, not timed."""

    looked: int = 0
    """Looks into an index."""
    marked: int = 0
    """Nodes that became dirty."""


class Trees:
    """Edits the trees of one file, in the caller's transaction."""

    def __init__(self, connection: apsw.Connection, k: int = K) -> None:
        self._connection, self._k = connection, k
        self.cost = Cost()

    def tree(self, family: str, scope: str) -> int:
        """The number of the tree of a scope, made if there is none."""
        wanted = (family, scope)
        found = scalar(self._connection, "select id from forest_trees where family = ? and scope = ?", wanted)
        if found is None:
            self._connection.execute("insert into forest_trees (family, scope) values (?, ?)", wanted)
            found = self._connection.last_insert_rowid()
        return int(found)

    def insert(self, tree: int, leaves: Iterable[Leaf]) -> None:
        """Place leaves, none of which the tree has; early, late or in the middle."""
        new = []
        for leaf in sorted(leaves):
            self._connection.execute(
                "insert into forest_nodes (tree, level, at, place, item, episode_row, leaves, until) "
                "values (?1, 0, ?2, ?3, ?4, ?5, 1, ?2)", (tree, *leaf),
            )  # fmt: skip
            new.append(_Node(self._connection.last_insert_rowid(), leaf.at, leaf.place, leaf.item))
        self._adopt(tree, 1, new)

    def remove(self, leaves: Iterable[int]) -> None:
        """Take leaves (numbers of nodes) out; an empty tree goes, too."""
        for leaf in leaves:
            row = first(self._connection, "select tree, parent from forest_nodes where id = ?", (leaf,))
            if row is not None:
                self._connection.execute("delete from forest_nodes where id = ?", (leaf,))
                self.mark(row[1])
                self._mend(row[0], row[1])

    def mark(self, node: int | None) -> None:
        """The summaries from here to the root are out of date."""
        while node is not None:
            parent, dirty = rows(self._connection, "select parent, dirty from forest_nodes where id = ?", (node,))[0]
            self.cost.looked += 1
            if dirty:
                return
            self._connection.execute("update forest_nodes set dirty = 1 where id = ?", (node,))
            self.cost.marked += 1
            node = parent

    def _adopt(self, tree: int, level: int, nodes: Sequence[_Node]) -> None:
        """Give nodes, in order, to the parents among whose children they belong."""
        start = 0
        while start < len(nodes):
            parent = self._beside(tree, level, nodes[start].key, "<=") or self._beside(tree, level, nodes[start].key)
            if parent is None:
                parent = self._make(tree, level, nodes[start])
            bound = self._beside(tree, level, max(parent.key, nodes[start].key))
            end = start + 1
            while end < len(nodes) and (bound is None or nodes[end].key < bound.key):
                end += 1
            self._take(tree, level, parent, nodes[start:end], last=bound is None)
            start = end

    def _beside(self, tree: int, level: int, key: Key, way: str = ">") -> _Node | None:
        """The next node of a level after a key, or (way "<=") the last up to it."""
        order = "at, place, item" if way == ">" else "at desc, place desc, item desc"
        row = first(
            self._connection,
            f"select id, {_KEY} from forest_nodes where tree = ? and level = ? "
            f"and ({_KEY}) {way} (?, ?, ?) order by {order} limit 1", (tree, level, *key),
        )  # fmt: skip
        self.cost.looked += 1
        return None if row is None else _Node(*row)

    def _make(self, tree: int, level: int, child: _Node) -> _Node:
        self._connection.execute(
            "insert into forest_nodes (tree, level, at, place, item, dirty) values (?, ?, ?, ?, ?, 1)",
            (tree, level, *child.key),
        )
        self.cost.marked += 1
        return _Node(self._connection.last_insert_rowid(), *child.key)

    def _take(self, tree: int, level: int, parent: _Node, nodes: Sequence[_Node], *, last: bool) -> None:
        self._move(nodes, parent.id)
        self._lower(parent.id, nodes[0].key)
        self.mark(parent.id)
        if scalar(self._connection, "select count(*) from forest_nodes where parent = ?", (parent.id,)) > self._k:
            self._split(tree, level, parent.id, last=last)

    def _move(self, nodes: Sequence[_Node], parent: int) -> None:
        self._connection.executemany(
            "update forest_nodes set parent = ? where id = ?", [(parent, node.id) for node in nodes]
        )

    def _lower(self, node: int | None, key: Key) -> None:
        """A node's key is not behind its first leaf's."""
        while node is not None:
            *before, parent = rows(self._connection, _PLACE, (node,))[0]
            if tuple(before) <= key:
                return
            self._connection.execute(_MOVE_KEY, (*key, node))
            node = parent

    def _split(self, tree: int, level: int, node: int, *, last: bool) -> None:
        """Make a node with too many children into several. At the end of the tree, where time goes on, full ones are
        left behind; in the middle all get the same."""
        children = self._children(node)
        count = -(-len(children) // self._k)
        cuts = [min(place * self._k, len(children)) if last else len(children) * place // count
                for place in range(count + 1)]  # fmt: skip
        pieces = [children[start:end] for start, end in pairwise(cuts)]
        *key, parent = rows(self._connection, _PLACE, (node,))[0]
        if parent is None:
            itself = _Node(node, *key)
            self._move([itself], self._make(tree, level + 1, itself).id)
        made = []
        for piece in pieces[1:]:
            made.append(self._make(tree, level, piece[0]))
            self._move(piece, made[-1].id)
        self._adopt(tree, level + 1, made)

    def _children(self, node: int) -> list[_Node]:
        children = f"select id, {_KEY} from forest_nodes where parent = ? order by {_KEY}"
        return [_Node(*row) for row in each(self._connection, children, (node,))]

    def _mend(self, tree: int, node: int) -> None:
        """Something below a node went: join it with a neighbour if it has few left, and let a needless root go."""
        parent, level = rows(self._connection, "select parent, level from forest_nodes where id = ?", (node,))[0]
        children = self._children(node)
        if not children:
            self._connection.execute("delete from forest_nodes where id = ?", (node,))
            if parent is None:
                self._connection.execute("delete from forest_trees where id = ?", (tree,))
            else:
                self._mend(tree, parent)
        elif parent is None:
            if len(children) == 1 and level > 1:
                self._connection.execute("update forest_nodes set parent = null where id = ?", (children[0].id,))
                self._connection.execute("delete from forest_nodes where id = ?", (node,))
                self._mend(tree, children[0].id)
        elif len(children) < self._k // 2:
            self._join(tree, parent, node)

    def _join(self, tree: int, parent: int, node: int) -> None:
        """Even a node out with the one beside it, or make one of the two."""
        siblings = [one.id for one in self._children(parent)]
        if len(siblings) == 1:
            return
        at = max(siblings.index(node), 1)
        left, right = siblings[at - 1], siblings[at]
        both = self._children(left) + self._children(right)
        self.mark(left)
        if len(both) <= self._k:
            self._move(both, left)
            self._connection.execute("delete from forest_nodes where id = ?", (right,))
            self._mend(tree, parent)
            return
        half = len(both) // 2
        self._move(both[:half], left)
        self._move(both[half:], right)
        self.mark(right)
        self._connection.execute(_MOVE_KEY, (*both[half].key, right))
