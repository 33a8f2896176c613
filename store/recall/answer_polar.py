"""Yes needs a belief that says so, no needs one that says otherwise; what was never told is neither."""

from __future__ import annotations

import re
from collections.abc import Sequence

from store.beliefs import predicates
from store.recall.answer_frame import Asking, abstain, begins, ends, holding, in_order, is_event, say
from store.recall.answer_match import matches
from store.recall.answer_words import key, keys
from store.recall.wording import clause, dated, is_relation, sentence, since, until
from store.records import Answer, Fact, Precision


def yes_no(asking: Asking) -> Answer | None:
    """Whether it is so, was so, is still so. Whether something took place, began or ended, a turn tells."""
    asked = asking.asked
    both = key("married") in asked.required and _WITH_ME.search(asking.question.core) is not None
    if (both or asked.required == {key("married")}) and (married := _married(asking)) is not None:
        return married
    states = [one for one in asking.facts if not is_event(one) and one.predicate != "plans"]
    found = matches(asked, states)
    near = [one for one in found if one.score >= found[0].score - 1.0]
    agreeing = [one.fact for one in near if one.denied == asking.question.negated]
    opposed = [one.fact for one in near if one.denied != asking.question.negated]
    if asking.question.negated and agreeing and agreeing[0].negative:
        return say(f"Right: {clause(agreeing[0])}, {since(agreeing[0])}.", agreeing[:1])
    now, against = holding(agreeing, asking.frame), holding(opposed, asking.frame)
    if now and all(_is_a_kind_only(asking, one) for one in now):
        return say(sentence(f"all that I know is that {clause(in_order(now)[-1])}"), in_order(now)[-1:])
    if now and not (against and max(map(begins, against)) > max(map(begins, now))):
        return _yes(asking, in_order(now))
    if against:
        one = in_order(against)[-1]
        return say(sentence(f"no, {clause(one, past=asking.frame.past)}", since(one)), [one])
    return _not_now(asking, agreeing) if agreeing else None


def _is_a_kind_only(asking: Asking, fact: Fact) -> bool:
    """Whether a kind of what was asked for is taken: who drinks oat milk may not drink milk."""
    words = fact.object.split()
    if "consumed" not in predicates.find(fact.predicate).traits or fact.negative or len(words) < 2:
        return False
    asked = frozenset(asking.question.keys)
    return keys(words[-1]) <= asked and not keys(" ".join(words[:-1])) & asked


def _yes(asking: Asking, facts: Sequence[Fact]) -> Answer:
    same = [fact for fact in facts if (fact.subject, fact.predicate) == (facts[0].subject, facts[0].predicate)]
    objects = [one.object for one in same]
    past = asking.frame.past or (same[0].valid_to is not None and same[0].valid_to.us <= asking.frame.now)
    tail = since(same[0]) if len(set(objects)) == 1 and not is_relation(same[0].predicate) else ""
    disputed = " (though I was told both: it is disputed)" if any(one.disputed for one in same) else ""
    return say(sentence(f"yes, {clause(same[0], objects, past=past)}{disputed}", tail), same)


def _not_now(asking: Asking, facts: Sequence[Fact]) -> Answer | None:
    """It was so, or will be, but not at the time asked about."""
    frame = asking.frame
    over = [fact for fact in facts if ends(fact) <= frame.start]
    later = [one for one in facts if begins(one) >= frame.end]
    if over and asking.question.tense == "past" and frame.stretch is None:
        last = max(over, key=ends)
        return say(sentence(f"yes, {clause(last, past=True)}", since(last), until(last)), [last])
    if over:
        last = max(over, key=ends)
        text = (
            f"no, not any more: {clause(last, past=True)} {until(last)}"
            if frame.stretch is None
            else f"no, {clause(last, past=True)} only {until(last)}"
        )
        return say(sentence(text), [last])
    if not later:
        return None
    first = in_order(later)[0]
    assert first.valid_from is not None
    if first.precision is Precision.OPEN:
        heard = dated(first.valid_from, first.precision)
        return abstain(f"I don't know about {frame.words() or 'then'}: the first I heard of it was {heard}.")
    if frame.stretch is None:
        return say(f"Not yet: that begins {dated(first.valid_from, first.precision)}.", [first])
    return say(f"No, that began only {dated(first.valid_from, first.precision)}.", [first])


_WITH_ME = re.compile(r"(?i)\b(?:and i|i and)\b")


def _married(asking: Asking) -> Answer | None:
    """ "Am I married": yes, where a wife or a husband was spoken of."""
    owner = (asking.asked.subjects or ("me",))[0]
    facts = asking.beliefs.facts(owner, ("partner", "married_to"), believed=asking.believed)
    spoken = [
        fact for fact in facts if any(_WEDDED & keys(source.quote) for source in fact.sources) and not fact.negative
    ]
    now = holding(spoken, asking.frame)
    told = asking.beliefs.facts(owner, ("relationship_status",), believed=asking.believed)
    status = [one for one in holding(told, asking.frame) if not one.negative]
    if status and key(status[-1].object) != key("married"):
        one = status[-1]
        return say(sentence(f"no, {clause(one, past=asking.frame.past)}", since(one)), [one])
    return say(sentence(f"yes, {clause(now[-1])}"), now[-1:]) if now else None


_WEDDED = frozenset(map(key, ("wife", "husband", "married", "spouse", "wedding")))
