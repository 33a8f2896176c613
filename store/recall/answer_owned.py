"""Where the last car, phone or laptop is gone and another is owned, that one answers what is driven or used now."""

from __future__ import annotations

from collections.abc import Sequence

from store.recall.answer_frame import Asking, begins, holding, in_order, say
from store.recall.answer_words import keys
from store.recall.wording import clause, sentence, since
from store.records import Answer, Fact
from store.text.nouns import CARS, finer

_OWNED = frozenset(["drives", "phone", "laptop"])


def owned_instead(asking: Asking, slot: Sequence[Fact]) -> Answer | None:
    """What is owned at the time asked about and of the kind of the slot, where it came after all that the slot held."""
    first = slot[0]
    if first.predicate not in _OWNED:
        return None
    latest = max(map(begins, slot))
    owned = [
        one
        for one in holding(asking.facts, asking.frame)
        if one.predicate == "owns" and one.subject == first.subject and not one.negative
        and begins(one) >= latest and _of_kind(one.object, first.predicate)
    ]  # fmt: skip
    if not owned:
        return None
    last = in_order(owned)[-1]
    return say(sentence(clause(last, past=asking.frame.past), since(last)), [last])


_PASTIMES = frozenset(["reading", "watching"])


def unfinished(asking: Asking, facts: list[Fact]) -> list[Fact]:
    """Without what is said to have been finished since ("I've finished Severance"): one reads it no longer."""
    done = [
        fact for fact in asking.facts
        if fact.predicate in ("finished", "completed") and begins(fact) < asking.frame.end
    ]  # fmt: skip
    return [
        one for one in facts
        if one.predicate not in _PASTIMES
        or not any(keys(one.object) <= keys(over.object) and begins(over) >= begins(one) for over in done)
    ]  # fmt: skip


def _of_kind(value: str, predicate: str) -> bool:
    if predicate == "drives":
        return bool(set(value.lower().split()) & (CARS | {"car"}))
    return finer(value) == predicate
