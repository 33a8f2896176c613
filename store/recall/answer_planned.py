"""What was to be is told from the versions of a plan that later words took the place of, and never from what holds.

"When was the party going to be, before it was postponed?", "When did I think the wedding was?", "Where was I going to
move?": each version with the day until which it was believed, then what is believed now.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from store.recall.answer_frame import Asking, is_event, say
from store.recall.answer_match import QuestionAbout, fits, matches
from store.recall.answer_times import VAGUE_VERBS
from store.recall.answer_values import grouped
from store.recall.answer_words import START, STOP, keys
from store.recall.wording import clause, dated, day, joined, sentence, stretch
from store.records import Answer, Fact, Precision

MOST_VERSIONS = 4
"""Versions of a plan that are told, the latest ones."""
_WILL = re.compile(r"\bwill\b")
_IS_COMING = re.compile(r"\bis(?= coming up\b)")


def planned(asking: Asking) -> Answer | None:
    """What was planned before that changed; None where nothing else was ever believed of it."""
    every = _of_subjects(asking)
    free = VAGUE_VERBS | START | STOP
    found = matches(asking.asked, every, free=free) or [
        match for fact in every if is_event(fact) for match in matches(_without(asking.asked, fact), [fact], free=free)
    ]
    if asking.question.kind != "when":
        found = [one for one in found if not is_event(one.fact) and fits(asking.question, one.fact)]
    plans = [one for one in found if _is_a_plan(one.fact) and not one.denied]
    groups = grouped(plans)
    versions = _line_of_versions(groups[0]) if groups else []
    old = [one for one in versions if one.believed_to is not None]
    if not old:
        return None
    shown = old[-MOST_VERSIONS:]
    now = [one for one in versions if one.believed_to is None]
    told = [f"until {_until(one)} you believed that {_would(asking, one)}" for one in shown]
    rest = [f" {sentence(_dated(asking, one))}" for one in now]
    return say(sentence(joined(told)) + "".join(rest), [*shown, *now])


def _without(asked: QuestionAbout, fact: Fact) -> QuestionAbout:
    """What is asked without the words that stand beside an occasion where it was told: "the right knee is kaputt,
    operation on 3 November"."""
    beside = frozenset().union(*(keys(source.quote) for source in fact.sources)) - keys(fact.object)
    return replace(asked, required=asked.required - beside)


def _of_subjects(asking: Asking) -> list[Fact]:
    """Every version that was ever believed of whom the question is about, and that the moment asked about knows of."""
    subjects = dict.fromkeys((*asking.asked.subjects, "me"))
    ever = [one for subject in subjects for one in asking.beliefs.history(subject, None)]
    return [one for one in ever if asking.believed is None or one.believed_from.us <= asking.believed]


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


def _until(fact: Fact) -> str:
    assert fact.believed_to is not None
    return day(fact.believed_to)


def _would(asking: Asking, fact: Fact) -> str:
    """ "your party would be on 12 December 2026": seen from when it was believed."""
    return _IS_COMING.sub("was", _WILL.sub("would", _dated(asking, fact, before=True), count=1))


def _dated(asking: Asking, fact: Fact, *, before: bool = False) -> str:
    """A version with its date; `before`: as it was seen while it was believed."""
    assert fact.valid_from is not None
    seen = fact.believed_from.us if before else asking.frame.now
    if not is_event(fact):
        return f"{clause(fact)}, from {dated(fact.valid_from, fact.precision).split(' ', 1)[-1]} on"
    past = fact.valid_from.us <= seen
    words = stretch(fact) or dated(fact.valid_from, fact.precision, clock=True)
    return f"{clause(replace(fact, ahead=not past) if before else fact, past=past)} {words}"
