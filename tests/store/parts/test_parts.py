"""A memory is composed of parts: each is one thing, inherits from nothing, and its page names it."""

from __future__ import annotations

import re
from inspect import getmembers, isfunction
from itertools import combinations
from pathlib import Path

from store.memory import Memory

PAGE = Path(__file__).resolve().parents[3] / "store" / "README.md"
WHOLE = {"open", "close", "name_person", "latest", "state_hash"}


def parts(memory: Memory) -> dict[str, type]:
    return {name: type(part) for name, part in vars(memory).items() if not name.startswith("_")}


def verbs(kind: type) -> set[str]:
    return {name for name, _ in getmembers(kind, isfunction) if not name.startswith("_")}


def test_no_part_inherits_and_each_is_in_a_file_of_its_name(memory: Memory) -> None:
    found = parts(memory)
    assert all(kind.__bases__ == (object,) for kind in found.values())
    assert {name: kind.__module__ for name, kind in found.items()} == {name: f"store.parts.{name}" for name in found}


def test_the_whole_has_no_verb_of_a_part(memory: Memory) -> None:
    assert verbs(Memory) | {"open"} == WHOLE
    assert not any(verbs(kind) & WHOLE for kind in parts(memory).values())


def test_a_verb_is_in_one_part(memory: Memory) -> None:
    """Two have `get` and `pin`, each for its own: a turn or a conversation, a conversation or a belief."""
    shared = [one & other for one, other in combinations(map(verbs, parts(memory).values()), 2)]
    assert set().union(*shared) == {"get", "pin"}


def test_the_page_names_every_part(memory: Memory) -> None:
    section = PAGE.read_text(encoding="utf-8").partition("## The parts of a memory\n")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `memory\.(\w+)` \|", section, re.M)) == parts(memory).keys()
