"""Each belief belongs to one kind of memory, by what it is about and how long it lasts; no kind is stored.

profile      who the person is: what holds of them, and of their life
semantic     what is known of others: people, pets, places, things
episodic     what happened, and when
procedural   how they like things done: standing preferences, tools, routines

Engram's typed stores (section 3) as views of the one fold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from store.beliefs.predicates import find
from store.beliefs.salience import FADED, is_opinion
from store.records import Fact
from store.text.lists import wordset

Kind = Literal["profile", "semantic", "episodic", "procedural"]
KINDS: tuple[Kind, ...] = ("profile", "semantic", "episodic", "procedural")

_HABITS = wordset(
    "response_style prefers uses editor laptop phone operating_system does goes_to commute diet eats drinks avoids "
    "takes office_days plays works_with habit sport hobby schedule reading watching subscribes_to"
)
"""What somebody does again and again, or does things with."""
_ROUTINES = wordset("lesson class course training practice rehearsal shift")
_SECTIONS: Mapping[str, frozenset[str]] = {
    "Who you are": wordset(
        "name age born_on born_in birth_year from grew_up_in nationality native_language speaks height weight "
        "relationship_status nickname gender religion looks"
    ),
    "Home": wordset(
        "lives_in lives_with rent landlord door_code dog cat pet neighbour roommate owns drives bike home price "
        "contact location"
    ),
    "Work and study": wordset(
        "works_at job works_in works_on salary boss colleague team team_size manages studies studies_at school teaches "
        "learning specialises_in degree"
    ),
    "Health": wordset("allergic_to has_condition doctor dentist therapist measure"),
    "What you are after": wordset("goal plans"),
}
_PEOPLE, _VIEWS, _REST = "Your people", "What you like and think", "More"


class Section(NamedTuple):
    """A part of a view."""

    title: str
    facts: tuple[Fact, ...]
    """The most salient first; of what happened, the latest first."""
    faded: int = 0
    """How many more there are that nobody has spoken of for so long that they are not shown."""


def kind_of(fact: Fact) -> Kind:
    """The kind of memory that a belief belongs to."""
    known = find(fact.predicate)
    if known.temporal == "event":
        return "episodic"
    if fact.subject != "me":
        return "semantic"
    last = known.name.rpartition("_")[2].removesuffix("s")
    routine = last in _ROUTINES or any(name == "frequency" for name, _ in fact.qualifiers)
    return "procedural" if routine or known.name in _HABITS else "profile"


def view(facts: Iterable[Fact], kind: Kind, *, everything: bool = False) -> list[Section]:
    """The beliefs of one kind, in sections. What has faded (salience below FADED), and is neither pinned nor disputed,
    is only counted, unless `everything` is asked for."""
    sections: dict[str, list[Fact]] = {}
    for fact in facts:
        if kind_of(fact) == kind:
            sections.setdefault(_section(fact, kind), []).append(fact)
    order = [*_SECTIONS, _PEOPLE, _VIEWS, _REST]
    names = sorted(sections, key=lambda one: (order.index(one), "") if one in order else (len(order), one))
    if kind == "episodic":
        names.reverse()
    return [_made(name, sections[name], kind, everything) for name in names]


def _made(title: str, facts: list[Fact], kind: Kind, everything: bool) -> Section:
    shown = [fact for fact in facts if everything or kind == "episodic" or not has_faded(fact)]
    if kind == "episodic":
        shown.sort(key=lambda one: (-(one.valid_from.us if one.valid_from else 0), one.id))
    else:
        shown.sort(key=lambda one: (-one.pinned, -one.salience, one.id))
    return Section(title, tuple(shown), len(facts) - len(shown))


def has_faded(fact: Fact) -> bool:
    """Whether it has left the ordinary lists. It can be asked for as ever."""
    return fact.salience < FADED and not fact.pinned and not fact.disputed


def _section(fact: Fact, kind: Kind) -> str:
    if kind == "episodic":
        return f"{fact.valid_from.local():%Y-%m}" if fact.valid_from else _REST
    if kind == "semantic":
        return fact.subject
    known = find(fact.predicate)
    if kind == "procedural":
        return "How you like things" if known.name in ("response_style", "prefers", "avoids") else "What you do and use"
    if "who" in known.asks and known.name != "name":
        return _PEOPLE
    found = next((title for title, names in _SECTIONS.items() if known.name in names), None)
    return found or (_VIEWS if is_opinion(known.name) else _REST)
