"""A lane belongs to one part of a life, which gives it its colour, and what lasts for good is no lane."""

from __future__ import annotations

from typing import Protocol, get_args

from store.beliefs.predicates import Group, find
from store.records import ChangeKind, Fact

GROUPS: tuple[Group, ...] = get_args(Group)


def group_of(predicate: str) -> Group:
    """The part of a life that a predicate belongs to."""
    return find(predicate).group


def lasting(predicate: str) -> bool:
    """Whether it is so for good: a birthday, a brother."""
    return find(predicate).lasting


def single(predicate: str) -> bool:
    """Whether one value holds at a time: a home."""
    return find(predicate).cardinality == "one"


def broader(predicate: str) -> str:
    """The predicate that says less exactly what this one does, "" if there is none: brother of sibling."""
    return find(predicate).broader


class LightRectangle(Protocol):
    """One rectangle, as light as it can be; instants in microseconds UTC."""

    @property
    def subject(self) -> str: ...
    @property
    def predicate(self) -> str: ...
    @property
    def object(self) -> str: ...
    @property
    def valid_from(self) -> int | None: ...
    @property
    def valid_to(self) -> int | None: ...
    @property
    def believed_from(self) -> int: ...
    @property
    def believed_to(self) -> int | None: ...
    @property
    def change(self) -> ChangeKind: ...
    def fact(self, now: int) -> Fact:
        """What a lane shows of it."""
