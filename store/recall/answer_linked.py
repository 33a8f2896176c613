"""A question is linked to a belief by what it asks for, where its words do not name it: "what wheels have I got".

Relation detection (Yu et al. 2017, arXiv:1704.06194): the network says a value of which of the reader's labels is asked
for. A belief of such a label answers only where a turn that it rests on is also among the first that the network takes
for an answer, and it held at the time that is asked about.
"""

from __future__ import annotations

from store.reading.asking.encoder import Intent
from store.reading.labels import OF_PREDICATE
from store.recall.answer_frame import Asking, holding, is_event
from store.recall.answer_match import told_already
from store.recall.answer_values import from_groups
from store.recall.answer_words import LIGHT, keys
from store.recall.turns import Candidate
from store.records import Answer

LINKED = 0.6
"""How likely the label of the belief is asked for at least."""
_VALUES = frozenset(["value", "who", "list", "count"])
"""Forms of a question that a value answers."""
_OF_THINGS = frozenset(["price", "measure", "other", "event"])
"""Labels whose values say nothing without the thing that they are of, which only words name."""


def linked(asking: Asking, intent: Intent, first: Candidate) -> Answer | None:
    """The belief that answers, of those that rest on the first turn; None where none or several do."""
    asked = asking.asked
    named = asking.frame.stretch is not None or asking.question.tense == "present"
    if intent.form not in _VALUES or asked.unresolved or not named:
        return None
    pointed = keys(first.words) - LIGHT
    able = [
        one
        for one in holding(asking.facts, asking.frame)
        if one.subject in asked.subjects[:1]
        and first.hit.id in {source.episode for source in one.sources}
        and pointed & keys(one.object)
        and not (one.negative or is_event(one) or told_already(asking.question, one))
        and not OF_PREDICATE.get(one.predicate, _OF_THINGS) & _OF_THINGS
        and sum(intent.matters.get(label, 0.0) for label in OF_PREDICATE.get(one.predicate, ())) >= LINKED
    ]
    return from_groups(asking, [able]) if len(able) == 1 else None
