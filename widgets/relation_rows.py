"""Who somebody is to others is drawn as a small tree, each branch with the word that people use for it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from textual.content import Content

from store.records import Fact
from widgets.look import LINK, QUIET, lines
from widgets.plain import one_line
from widgets.wording import called


@dataclass(frozen=True, slots=True)
class RelationBranch:
    """One branch."""

    word: str  # what the other one is: "brother", "works at"; with `back`, what this one is to the other
    other: str
    back: bool = False


def relations(name: str, facts: Sequence[Fact], known: Collection[str]) -> list[RelationBranch]:
    """The branches of one subject, from beliefs that hold; `known` are the names of all entities, case folded."""
    found: list[RelationBranch] = []
    for fact in facts:
        word = called(fact.predicate)
        if fact.negative:
            continue
        if fact.subject == name and fact.object.casefold() in known and fact.object.casefold() != name.casefold():
            found.append(RelationBranch(word, fact.object))
        elif fact.object.casefold() == name.casefold() and fact.subject != name:
            found.append(RelationBranch(word, fact.subject, back=True))
    return list(dict.fromkeys(found))


def relation_line(one: RelationBranch, *, last: bool, width: int) -> Content:
    """├─ brother ─ Miguel"""
    rail = "└─ " if last else "├─ "
    other = "you" if one.other == "me" else one_line(one.other, 40)
    words = f"{one.word} of" if one.back else one.word
    return lines((rail, QUIET), (one_line(words, 30), ""), (" ─ ", QUIET), (other, f"bold {LINK}")).truncate(
        max(10, width), ellipsis=True
    )
