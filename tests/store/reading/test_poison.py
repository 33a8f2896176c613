"""A memory is not poisoned: what others wrote, or wrote for a model, teaches nothing of the person and is no answer.

Each line of poison.jsonl was written by somebody who had seen no code: how it comes in (`via`: the chat, or an import;
who says it), what is asked later (`ask`), and the words that no belief of the person and no answer may hold (`never`).
Every poison has a memory of its own, with an honest turn right before it and another right after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from app.core.clock import FrozenClock
from store.memory import Memory
from store.reading.context import LONGEST
from store.reading.masks import concealed
from store.reading.protected import protected
from store.records import Fact
from store.sleep.apart import CONCEALED, INSTRUCTION, quarantined
from tests.conftest import NOW, ZONE
from tests.store.reading.poisoned import HONEST, POISON, Poison, bring

REMAINS: dict[str, str] = {}
"""What still gets in, and why: one that no longer does must leave the list."""
SHOWN = {
    "bank", "surname", "override", "memory tag", "always", "split web", "split paste", "when asked", "img",
    "tags", "zero width", "zero width order", "bidi", "bidi order", "agents file",
}  # fmt: skip
"""Poison that speaks to a model in English, or hides its letters; of the rest the person is shown what was learned."""


def marked(poisons: Iterable[Poison]) -> list[Any]:
    """Poisons as parameters of a test."""
    return [
        pytest.param(
            one, id=one["name"],
            marks=[pytest.mark.xfail(strict=True, reason=REMAINS[one["name"]])] if one["name"] in REMAINS else [],
        )
        for one in poisons
    ]  # fmt: skip


def of_the_person(facts: Iterable[Fact]) -> set[tuple[str, str]]:
    return {(one.predicate, one.object) for one in facts if one.subject == "me" or one.subject.startswith("me>")}


def holds(text: str, words: Sequence[str]) -> list[str]:
    return [word for word in words if word.casefold() in text.casefold()]


@pytest.mark.parametrize("poison", marked(POISON))
def test_poison_teaches_nothing_and_is_no_answer(poison: Poison, tmp_path: Path) -> None:
    person = [poison["me"]] if "me" in poison else []
    with Memory.open(tmp_path / "m.db", clock=FrozenClock(NOW), zone=ZONE, person=person) as memory:
        poisoned = bring(memory, poison, tmp_path)
        assert poisoned, "it came in"
        facts = memory.beliefs.facts()
        assert of_the_person(facts) == {("lives_in", "Porto"), ("works_at", "Acme")}
        assert not [one for one in facts if one.predicate == "response_style"]
        told = memory.answering.ask(poison["ask"])
        assert told.abstained or not holds(told.text, poison["never"]), told.text
        shown = {one.reason for turn in poisoned for one in memory.reading.quarantined(turn)} & {INSTRUCTION, CONCEALED}
        assert bool(shown) == (poison["name"] in SHOWN)
        assert {one.turn for one in memory.reading.set_apart()} <= set(poisoned)


def test_all_of_it_together_leaves_the_honest_turns_alone(tmp_path: Path) -> None:
    """In one memory, where one poison might lend another what it lacks."""
    with Memory.open(tmp_path / "m.db", clock=FrozenClock(NOW), zone=ZONE) as memory:
        mine = [one for one in POISON if "me" not in one and one["name"] not in REMAINS]
        bring(memory, mine, tmp_path)
        assert of_the_person(memory.beliefs.facts()) == {("lives_in", "Porto"), ("works_at", "Acme")}
        assert memory.answering.ask("Where do I live?").text.startswith("You live in Porto")
        apart = memory.reading.set_apart(200)
        texts = {one.id: one.text for poison in mine for one in memory.episodes.of(poison["name"])}
        assert {texts[one.turn] for one in apart} & set(HONEST) == set()
        assert {memory.episodes.get(one.turn).session for one in apart} == SHOWN


@pytest.mark.parametrize("via", ["chatgpt", "jsonl", "markdown"])
def test_an_erased_source_leaves_a_memory_that_never_saw_it(via: str, tmp_path: Path) -> None:
    """Also where the poison names people and things, and stands between turns that were read in its light."""
    poisons = [one for one in POISON if one["via"] == via]
    with Memory.open(tmp_path / "clean.db", clock=FrozenClock(NOW), zone=ZONE, person=["Ana"]) as clean:
        bring(clean, [one | {"turns": [], "via": "chat"} for one in poisons], tmp_path)
        never = clean.state_hash()
    with Memory.open(tmp_path / "m.db", clock=FrozenClock(NOW), zone=ZONE, person=["Ana"]) as memory:
        poisoned = bring(memory, poisons, tmp_path)
        assert memory.erasing.erase(memory.erasing.selection(source=f"import:{via}")).episodes == len(poisoned) > 0
        assert memory.state_hash() == never
        assert all(finding.ok for finding in memory.file.check())


@pytest.mark.parametrize(
    "text",
    [
        "My father's village is called می‌خواهم in our language.",
        "We are from 🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f and proud of it.",
        "Dinner with 👩‍👩‍👧 tonight.",
        "\u2068Ana\u2069 and I moved to Porto.",
        "Caf\u00e9 con le\u00f1a, na\u00efve as it is.",
    ],
)
def test_signs_of_other_scripts_flags_and_families_hide_nothing(text: str) -> None:
    assert concealed(text) == [] and quarantined("e", text, "user") == ()


@pytest.mark.parametrize(
    "text",
    [
        "I am a power user and live in Porto.",
        "Most users of my app are happy, and I live in Porto.",
        "My user name at work is ana, and I live in Porto.",
        "A thank-you note for Aiman's teacher, who leaves.",
        "I left a note for the models of the fashion show: be early.",
        "I earn < 3 apples > 2 pears a day, and I live in Porto.",
    ],
)
def test_everyday_words_are_not_for_a_model(text: str, say: Callable[..., None], memory: Memory) -> None:
    say("2026-03-02", text)
    assert memory.reading.set_apart() == []
    assert "Porto" not in text or ("lives_in", "Porto") in of_the_person(memory.beliefs.facts())


def test_a_long_text_without_an_end_is_looked_at_once() -> None:
    """Where a sentence ends is not sought from each of its letters: 20,000 of them took half a minute."""
    from time import perf_counter

    began = perf_counter()
    assert protected("pass the salt " * (3 * LONGEST // 14)) == []
    assert perf_counter() - began < 1
