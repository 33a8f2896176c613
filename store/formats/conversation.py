"""A conversation is a tree of which one path went on: that path is active, and every other turn is kept as inactive.

Chat programs keep each retry and each edited question as a sibling. The active path runs from the tip that the source
names back over the parents to a root; a tree without a named tip goes on to its latest leaf. Nothing here recurses, and
a ring of parents, which a damaged file can hold, is walked once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from store.formats.report import Report
from store.records import Instant, Role, Turn

ROLES: dict[str, Role] = {
    "user": "user", "human": "user", "assistant": "assistant", "ai": "assistant", "model": "assistant",
    "system": "system", "developer": "system", "tool": "tool", "function": "tool",
}  # fmt: skip


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
    guessed: bool = False
    """The source named no tip, or one that is not there."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a message stands in its conversation."""

    key: str
    said_at: Instant
    place: int
    inactive: bool
    timed: bool


@dataclass(slots=True)
class Conversation:
    """What the turns of one conversation have in common."""

    session: str
    source: str
    where: str
    """Names it in the report."""
    report: Report
    title: str | None = None

    def __post_init__(self) -> None:
        if self.title:
            self.where = f"{self.where} ({self.title})"

    def spots(
        self, nodes: dict[str, Node], layout: Layout, begun: Instant | None = None, ended: Instant | None = None
    ) -> Iterator[Spot]:
        """The messages in their order, each with a time; those that have none even so are reported."""
        self.report.branches += layout.branches
        fill_times(nodes, layout.order, begun, ended)
        for place, key in enumerate(layout.order):
            node = nodes[key]
            if node.holds and node.said_at is None:
                self.skip("a message without a time, in a chat without one.")
            elif node.holds and node.said_at is not None:
                yield Spot(key, node.said_at, place, key not in layout.active, node.timed)

    def take(self, spot: Spot, role: Role, text: str, **more: Any) -> Turn:
        """Count a turn that was said there; `more` are fields of Turn that differ from what is usual."""
        usual = {
            "session": self.session, "speaker": "me" if role == "user" else role, "external_id": spot.key,
            "source": self.source, "title": self.title, "inactive": spot.inactive, "place": spot.place,
        }  # fmt: skip
        return self.report.take(Turn(text, role=role, said_at=spot.said_at, **(usual | more)), timed=spot.timed)

    def skip(self, reason: str, messages: int = 1) -> None:
        """Count messages that are not taken."""
        self.report.skip(self.where, reason, messages)


def laid_out(nodes: dict[str, Node], tip: object) -> Layout:
    """Order a tree. `nodes` come in the source's order, which is kept among siblings; `tip` is what the source names
    as the last message."""
    order = _order(nodes)
    inner = {nodes[key].parent for key in order}
    leaves = [key for key in order if key not in inner]
    named = tip if isinstance(tip, str) and tip in nodes else None
    latest = max(reversed(leaves or order), key=lambda leaf: _time(nodes, leaf), default=None)
    active = frozenset(back(nodes, named or latest))
    branches = sum(nodes[leaf].holds and leaf not in active for leaf in leaves)
    return Layout(tuple(order), active, branches, named is None)


def back(nodes: Mapping[str, Node], tip: str | None) -> Iterator[str]:
    """The keys from a tip back over the parents."""
    seen: set[str] = set()
    while tip is not None and tip in nodes and tip not in seen:
        seen.add(tip)
        yield tip
        tip = nodes[tip].parent


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
    order: dict[str, None] = {}
    # Whatever hangs on no root lies on a ring: the second round enters each ring at its first node.
    for start in (*children.get(None, ()), *nodes):
        waiting = [start]
        while waiting:
            key = waiting.pop()
            if key not in order:
                order[key] = None
                waiting.extend(reversed(children.get(key, ())))
    return list(order)


def _time(nodes: dict[str, Node], key: str) -> int:
    """When the nearest message at or above a node was said."""
    said = (nodes[above].said_at for above in back(nodes, key))
    return next((one.us for one in said if one is not None), 0)
