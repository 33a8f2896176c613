"""A lane belongs to one part of a life, which gives it its colour, and what lasts for good is no lane.

A predicate that is not here is a thing.
"""

from __future__ import annotations

from typing import Literal, Protocol

from store.records import ChangeKind, Fact

Group = Literal["home", "work", "people", "health", "tastes", "things"]
GROUPS: tuple[Group, ...] = ("home", "work", "people", "health", "tastes", "things")

_MEMBERS: dict[Group, str] = {
    "home": """
        lives_in home rent landlord roommate neighbour lives_with location from grew_up_in born_in moved visited went
        """,
    "work": """
        works_at job boss colleague team_size office_days commute works_in works_with works_on specialises_in teaches
        manages runs salary shift schedule studies studies_at school teacher degree grade graduated_from learning
        training_for hired interviewed presented paid
        """,
    "people": """
        partner relationship_status married_to friend ex acquaintance relative mother father brother sister sibling son
        daughter child parent cousin uncle aunt nephew niece grandmother grandfather pet dog cat met sees died born
        """,
    "health": """
        weight height age diet doctor dentist therapist vet allergic_to takes has_condition gym sprained
        injured underwent measure measured does sport ran swam climbed hiked biked habit best_10k goes_to
        """,
    "tastes": """
        likes dislikes prefers eats drinks favourite reading watching plays listens_to hobby collects supports
        interested_in afraid_of avoids thinks wants plans goal response_style finished read watched
        """,
    "things": "owns laptop phone editor operating_system drives uses subscribes_to bought sold bank insurance wears",
}
_GROUP_OF: dict[str, Group] = {name: group for group, names in _MEMBERS.items() for name in names.split()}
_FOR_GOOD = """
name born_on birth_year born_in from native_language nationality gender breed mother father brother sister sibling son
daughter cousin uncle aunt nephew niece grandmother grandfather
"""
_LASTING = frozenset(_FOR_GOOD.split())


def group_of(predicate: str) -> Group:
    """The part of a life that a predicate belongs to."""
    if predicate.startswith(("favourite", "taking_")):
        return "tastes"
    return _GROUP_OF.get(predicate, "things")


def lasting(predicate: str) -> bool:
    """Whether it is so for good: a birthday, a brother."""
    return predicate in _LASTING


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
