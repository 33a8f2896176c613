"""When something was to be is told from the versions of a plan that later words took the place of.

"When was the party supposed to be?", "When did I think the wedding was?": each version with the day until which it was
believed, then what is believed now.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from store.recall.answer_frame import Asking, is_event, say
from store.recall.answer_match import QuestionAbout, matches
from store.recall.answer_times import VAGUE_VERBS
from store.recall.answer_values import grouped
from store.recall.answer_words import START, STOP, keys
from store.recall.wording import clause, dated, day, joined, sentence, stretch
from store.records import Answer, Fact, Precision

MOST_VERSIONS = 4
"""Versions of a plan that are told, the latest ones."""


def planned(asking: Asking) -> Answer | None:
    """When it was planned before that changed; None where nothing else was ever believed of it."""
    ever = [one for subject in dict.fromkeys((*asking.asked.subjects, "me"))
            for one in asking.beliefs.history(subject, None)
            if asking.believed is None or one.believed_from.us <= asking.believed]  # fmt: skip
    free = VAGUE_VERBS | START | STOP
    found = matches(asking.asked, ever, free=free) or [
        match for fact in ever if is_event(fact) for match in matches(_without(asking.asked, fact), [fact], free=free)
    ]
    groups = grouped([one for one in found if _is_a_plan(one.fact) and not one.denied])
    versions = _line_of_versions(groups[0]) if groups else []
    old = [one for one in versions if one.believed_to is not None][-MOST_VERSIONS:]
    if not old:
        return None
    now = [one for one in versions if one.believed_to is None]
    told = [f"until {day(one.believed_to)} you believed that {_would(one)}" for one in old if one.believed_to]
    rest = [f" {sentence(_dated(one, asking.frame.now))}" for one in now]
    return say(sentence(joined(told)) + "".join(rest), [*old, *now])


def _without(asked: QuestionAbout, fact: Fact) -> QuestionAbout:
    """What is asked without the words that stand beside an occasion where it was told: "the right knee is kaputt,
    operation on 3 November"."""
    beside = frozenset().union(*(keys(source.quote) for source in fact.sources)) - keys(fact.object)
    return replace(asked, required=asked.required - beside)


def _is_a_plan(fact: Fact) -> bool:
    """Whether a version gives a day to what takes place, or told of what was yet to begin."""
    if fact.valid_from is None or fact.precision is Precision.OPEN or fact.negative:
        return False
    return is_event(fact) or fact.valid_from.us > fact.believed_from.us


def _line_of_versions(facts: Iterable[Fact]) -> list[Fact]:
    """The version that was heard last, with those that it took the place of, one after another; the oldest first."""
    by_id = {one.id: one for one in facts}
    replaced = {key for one in by_id.values() for key in (one.supersedes, *one.also_supersedes)}
    last = max((one for one in by_id.values() if one.id not in replaced), key=lambda one: one.believed_from.us)
    line = [last]
    while (earlier := by_id.get(line[-1].supersedes or "")) is not None and earlier not in line:
        line.append(earlier)
    return line[::-1]


def _would(fact: Fact) -> str:
    """ "your party would be on 12 December 2026": seen from when it was believed."""
    return _dated(fact, fact.believed_from.us).replace(" will ", " would ", 1)


def _dated(fact: Fact, seen: int) -> str:
    """A version with its date, as it was seen at a moment (microseconds UTC)."""
    assert fact.valid_from is not None
    past = fact.valid_from.us <= seen
    words = (stretch(fact) if is_event(fact) else "") or dated(fact.valid_from, fact.precision, clock=True)
    return f"{clause(replace(fact, ahead=not past), past=past)} {words}"
