"""What lies ahead is told in the order in which it comes, each with its day; nothing of it has begun."""

from __future__ import annotations

from collections.abc import Iterable

from store.beliefs.grammar import singular
from store.beliefs.wording import occasion
from store.recall.answer_frame import Asking, abstain, begins, in_order, is_event, say
from store.recall.answer_words import key, keys
from store.recall.wording import clause, dated
from store.records import Answer, Fact, Precision
from store.text.nouns import EVENT_NOUNS

MOST = 12


def coming_up(asking: Asking) -> Answer:
    """Everything that is to come, or of the time that the question names."""
    frame = asking.frame
    first, last = (frame.now, None) if frame.stretch is None else (frame.start, frame.end)

    def within(facts: Iterable[Fact]) -> list[Fact]:
        return [
            one for one in facts if _is_dated(one) and begins(one) >= first and (last is None or begins(one) < last)
        ]

    found = within(in_order(asking.beliefs.facts(None, None, believed=asking.believed)))
    words = [word.lower() for word in asking.question.words]
    noun = next((word for word in words if word != singular(word) in EVENT_NOUNS), "")
    named = [one for one in found if key(noun) in keys(f"{one.object} {one.sources[-1].quote}")]
    found = named or ([] if noun and singular(noun) != "appointment" else found)  # which may be whatever is in a diary
    unsure = [] if noun else within(asking.beliefs.unsure("me", asking.believed, "event"))
    if unsure := sorted(unsure, key=begins)[: max(0, MOST - len(found))]:
        maybe = [f"{_line(one)} (Of that I am not sure.)" for one in unsure]
        return say(" ".join([*map(_line, found), *maybe]), [*found, *unsure])
    if not found:
        when = f" {frame.words()}" if frame.stretch is not None else ""
        return abstain(f"I know of {f'no {noun}' if noun else 'nothing'} that {'are' if noun else 'is'} planned{when}.")
    return say(" ".join(map(_line, found[:MOST])), found[:MOST])


def _is_dated(fact: Fact) -> bool:
    told = fact.valid_from is not None and fact.precision is not Precision.OPEN
    return told and not fact.negative and (is_event(fact) or fact.ahead)


def _line(fact: Fact) -> str:
    """ "On 26 November 2026 at 14:00: your dentist appointment."."""
    assert fact.valid_from is not None
    when = dated(fact.valid_from, fact.precision, clock=True)
    what = occasion(fact) if fact.predicate == "event" else clause(fact)
    return f"{when[:1].upper()}{when[1:]}: {what}."
