"""A question is linked to a belief by what it asks for, where its words do not name it: "what wheels have I got".

Relation detection (Yu et al. 2017, arXiv:1704.06194): the network says a value of which of the reader's labels is asked
for. A belief of such a label answers only where a turn that it rests on is also among the first that the network takes
for an answer, and it held at the time that is asked about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from store.beliefs import predicates
from store.reading.asking.encoder import Intent
from store.reading.labels import OF_PREDICATE
from store.recall.answer_frame import Asking, holding, is_event
from store.recall.answer_values import from_groups
from store.recall.answer_words import LIGHT, keys
from store.recall.turns import Candidate
from store.records import Answer, Fact

LINKED = 0.6
"""How likely the label of the belief is asked for at least."""
_VALUES = frozenset(["value", "who", "list", "count"])
"""Forms of a question that a value answers."""
_OF_THINGS = frozenset(["price", "measure", "other", "event"])
"""Labels whose values say nothing without the thing that they are of, which only words name."""


def linked(asking: Asking, intent: Intent, near: Sequence[Candidate]) -> Answer | None:
    """The belief that answers, of those that rest on the turns, the best first; None where none or several do."""
    asked = asking.asked
    named = asking.frame.stretch is not None or asking.question.tense == "present"
    if intent.form not in _VALUES or asked.unresolved or not named:
        return None
    able = [
        one
        for one in holding(asking.facts, asking.frame)
        if one.subject in asked.subjects[:1]
        and not (one.negative or is_event(one))
        and not OF_PREDICATE.get(one.predicate, _OF_THINGS) & _OF_THINGS
        and chance(one, intent.matters) >= LINKED
    ]
    for candidate in near:
        told = [one for one in able if candidate.hit.id in {source.episode for source in one.sources}]
        pointed = keys(candidate.words) - LIGHT
        best = [one for one in told if pointed & keys(one.object)] if candidate is near[0] else told
        if len(best) == 1 and (candidate is near[0] or _is_one(best[0])):
            return from_groups(asking, [best])
    return None


def chance(fact: Fact, matters: Mapping[str, float]) -> float:
    """How likely a question asks for the value of a belief, whomever it is about."""
    return sum(matters.get(label, 0.0) for label in OF_PREDICATE.get(fact.predicate, ()))


def _is_one(fact: Fact) -> bool:
    """Whether there is one such value at a time."""
    return predicates.find(fact.predicate).cardinality == "one"
