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

from store.beliefs.predicates import Group, Trait, find
from store.beliefs.salience import FADED
from store.records import Fact

Kind = Literal["profile", "semantic", "episodic", "procedural"]
KINDS: tuple[Kind, ...] = ("profile", "semantic", "episodic", "procedural")

_IDENTITY, _HOME, _AIMS = "Who you are", "Home", "What you are after"
_OF_GROUP: Mapping[Group, str] = {"home": _HOME, "work": "Work and study", "health": "Health"}
_OF_TRAIT: Mapping[Trait, str] = {"identity": _IDENTITY, "household": _HOME, "aim": _AIMS}
_PEOPLE, _VIEWS, _REST = "Your people", "What you like and think", "More"
_ORDER = (_IDENTITY, *_OF_GROUP.values(), _AIMS, _PEOPLE, _VIEWS, _REST)


class Section(NamedTuple):
    """A part of a view."""

    title: str
    facts: tuple[Fact, ...]  # the most salient first; of what happened, the latest first
    faded: int = 0  # how many more there are that nobody has spoken of for so long that they are not shown


def kind_of(fact: Fact) -> Kind:
    """The kind of memory that a belief belongs to."""
    known = find(fact.predicate)
    if known.temporal == "event":
        return "episodic"
    if fact.subject != "me":
        return "semantic"
    routine = "routine" in known.traits or any(name == "frequency" for name, _ in fact.qualifiers)
    return "procedural" if routine else "profile"


def view(facts: Iterable[Fact], kind: Kind, *, everything: bool = False) -> list[Section]:
    """The beliefs of one kind, in sections. What has faded (salience below FADED), and is neither pinned nor disputed,
    is only counted, unless `everything` is asked for."""
    parts: dict[str, list[Fact]] = {}
    for fact in facts:
        if kind_of(fact) == kind:
            parts.setdefault(_section(fact, kind), []).append(fact)
    episodic = kind == "episodic"
    sections: list[Section] = []
    places = {title: place for place, title in enumerate(_ORDER)}
    for name in sorted(parts, key=lambda one: (places.get(one, len(places)), one), reverse=episodic):
        shown = [fact for fact in parts[name] if everything or episodic or not has_faded(fact)]
        if episodic:
            shown.sort(key=lambda one: (-(one.valid_from.us if one.valid_from else 0), one.id))
        else:
            shown.sort(key=lambda one: (-one.pinned, -one.salience, one.id))
        sections.append(Section(name, tuple(shown), len(parts[name]) - len(shown)))
    return sections


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
        return "How you like things" if "preference" in known.traits else "What you do and use"
    if "who" in known.asks and known.name != "name":
        return _PEOPLE
    for trait, title in _OF_TRAIT.items():
        if trait in known.traits:
            return title
    return _OF_GROUP.get(known.group) or (_VIEWS if "opinion" in known.traits else _REST)
