"""A conversation is a tree of which one path went on: that path is active, and every other turn is kept as inactive.

Chat programs keep each retry and each edited question as a sibling. The active path runs from the tip that the source
names back over the parents to a root; a tree without a named tip goes on to its latest leaf. Nothing here recurses, and
a ring of parents, which a damaged file can hold, is walked once.
"""

from __future__ import annotations

from dataclasses import dataclass

from store.records import Instant


@dataclass(slots=True)
class Node:
    """One message of a tree."""

    parent: str | None
    said_at: Instant | None = None
    holds: bool = True
    """Whether there is a message in it; a root often holds none."""
    timed: bool = True
    """Whether its time is its own."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How a tree is read as a sequence."""

    order: tuple[str, ...]
    """Every node, parents before their children, and a branch as a whole before the next one."""
    active: frozenset[str]
    branches: int
    """Ends that hold a message and are not on the active path."""
    guessed: bool
    """The source named no tip, or one that is not there."""


def laid_out(nodes: dict[str, Node], tip: str | None) -> Layout:
    """Order a tree. `nodes` come in the source's order, which is kept among siblings."""
    order = _order(nodes)
    inner = {nodes[key].parent for key in order}
    leaves = [key for key in order if key not in inner]
    guessed = tip not in nodes
    end = _latest(nodes, leaves or order) if tip is None or tip not in nodes else tip
    active = _path(nodes, end)
    branches = sum(1 for leaf in leaves if nodes[leaf].holds and leaf not in active)
    return Layout(tuple(order), active, branches, guessed)


def fill_times(nodes: dict[str, Node], order: tuple[str, ...], begun: Instant | None, ended: Instant | None) -> None:
    """Give each node without a time that of its nearest ancestor, else the conversation's beginning, else that of the
    nearest message after it, else the conversation's end. What has none even so keeps None."""
    for key in order:
        node = nodes[key]
        if node.said_at is None:
            node.timed = False
            above = nodes.get(node.parent) if node.parent is not None else None
            node.said_at = above.said_at if above is not None and above.said_at is not None else begun
    following = ended
    for key in reversed(order):
        following = nodes[key].said_at or following
        nodes[key].said_at = following


def _order(nodes: dict[str, Node]) -> list[str]:
    children: dict[str | None, list[str]] = {}
    for key, node in nodes.items():
        parent = node.parent if node.parent in nodes and node.parent != key else None
        children.setdefault(parent, []).append(key)
    order: list[str] = []
    seen: set[str] = set()
    # Whatever hangs on no root lies on a ring: the second round enters each ring at its first node.
    for start in (*children.get(None, ()), *nodes):
        waiting = [start]
        while waiting:
            key = waiting.pop()
            if key in seen:
                continue
            seen.add(key)
            order.append(key)
            waiting.extend(reversed(children.get(key, ())))
    return order


def _latest(nodes: dict[str, Node], leaves: list[str]) -> str | None:
    best: str | None = None
    for leaf in leaves:
        if best is None or _time(nodes, leaf) >= _time(nodes, best):
            best = leaf
    return best


def _time(nodes: dict[str, Node], key: str) -> int:
    """When the nearest message at or above a node was said."""
    seen: set[str] = set()
    at: str | None = key
    while at is not None and at in nodes and at not in seen:
        seen.add(at)
        said = nodes[at].said_at
        if said is not None:
            return said.us
        at = nodes[at].parent
    return 0


def _path(nodes: dict[str, Node], tip: str | None) -> frozenset[str]:
    path: set[str] = set()
    while tip is not None and tip in nodes and tip not in path:
        path.add(tip)
        tip = nodes[tip].parent
    return frozenset(path)
