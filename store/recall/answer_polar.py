"""Yes needs a belief that says so, no needs one that says otherwise; what was never told is neither."""

from __future__ import annotations

import re
from collections.abc import Sequence

from store.recall.answer_frame import Asking, abstain, begins, ends, holding, in_order, is_event, say
from store.recall.answer_match import about_change, matches
from store.recall.answer_words import START, STOP, key, keys, words_of
from store.recall.wording import clause, date_of, dated, is_relation, sentence, since, until
from store.records import Answer, Fact, Precision

_COMING = frozenset(map(key, words_of("come coming ahead upcoming happen over done finished plan schedule")))
_HAVING = frozenset(map(key, ("have", "own", "got")))


def yes_no(asking: Asking) -> Answer | None:
    """Whether it is so, was so, is still so."""
    asked = asking.asked
    both = key("married") in asked.required and _WITH_ME.search(asking.question.core) is not None
    if (both or asked.required == {key("married")}) and (married := _married(asking)) is not None:
        return married
    starts, stops = about_change(asked.required)
    owning = bool(asked.light & _HAVING) and not starts and not stops
    past = asking.question.tense == "past"  # what was only planned did not take place by that
    facts = [fact for fact in asking.facts if not (past and fact.predicate == "plans")]
    found = [match for match in matches(asked, facts) if not (owning and is_event(match.fact))]
    if not found and (starts or stops or asking.question.still or asking.question.order):
        found = matches(asked, facts, free=START | STOP | _COMING)
    else:
        starts, stops = (starts, stops) if not any(is_event(one.fact) for one in found) else (False, False)
    if not found:
        return None
    best = found[0].score
    near = [one for one in found if one.score >= best - 1.0]
    agreeing = [one.fact for one in near if one.denied == asking.question.negated]
    opposed = [one.fact for one in near if one.denied != asking.question.negated]
    stops = stops and not any(keys(fact.object) & asked.required & STOP for fact in agreeing)  # "retired" is a state
    return _judged(asking, agreeing, opposed, starts, stops)


def _judged(
    asking: Asking, agreeing: Sequence[Fact], opposed: Sequence[Fact], starts: bool, stops: bool
) -> Answer | None:
    if asking.question.negated and agreeing and agreeing[0].negative:
        return say(f"Right: {clause(agreeing[0])}, {since(agreeing[0])}.", agreeing[:1])
    if agreeing and is_event(agreeing[0]):
        return _event(asking, agreeing)
    if stops and agreeing:
        return _ended(asking, agreeing)
    if starts and agreeing and asking.frame.stretch is not None:
        return _began(asking, agreeing)
    now = holding(agreeing, asking.frame)
    against = holding(opposed, asking.frame)
    if now and not (against and max(map(begins, against)) > max(map(begins, now))):
        return _yes(asking, in_order(now))
    if against:
        one = in_order(against)[-1]
        return say(sentence(f"no, {clause(one, past=asking.frame.past)}", since(one)), [one])
    return _not_now(asking, agreeing) if agreeing else None


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


def _ended(asking: Asking, facts: Sequence[Fact]) -> Answer | None:
    """ "Did I quit CrossFit"."""
    over = [fact for fact in facts if fact.valid_to is not None and fact.valid_to.us <= asking.frame.now]
    if over:
        last = max(over, key=ends)
        return say(sentence(f"yes, {clause(last, past=True)} {until(last)}"), [last])
    now = holding(facts, asking.frame)
    return say(sentence(f"not that I know: {clause(now[0])}", since(now[0])), now[:1]) if now else None


def _began(asking: Asking, facts: Sequence[Fact]) -> Answer | None:
    """ "Did I move to Lisbon in June 2023"."""
    inside = [fact for fact in facts if asking.frame.start <= begins(fact) < asking.frame.end]
    one = in_order(inside or facts)[0]
    if one.valid_from is None or (one.precision is Precision.OPEN and one.valid_from_after is None):
        return abstain("I was never told when that began.")
    word = "yes" if inside else "no, not then"
    return say(sentence(f"{word}, {clause(one, past=ends(one) <= asking.frame.now)}", since(one)), [one])


def _event(asking: Asking, facts: Sequence[Fact]) -> Answer | None:
    """Whether it happened, happens yet, or happened in the time that is named."""
    frame, ordered = asking.frame, in_order(facts)
    if asking.question.still or asking.question.tense == "future" or set(asking.asked.required) & _COMING:
        later = [one for one in ordered if begins(one) > frame.start]
        if later:
            return say(sentence(f"yes, {clause(later[0])} {_when(later[0])}"), later[:1])
        return say(sentence(f"no, that is over: {clause(ordered[-1], past=True)} {_when(ordered[-1])}"), ordered[-1:])
    inside = holding(ordered, frame)
    if inside and all(map(_is_planned_only, inside)):
        return abstain(f"I was told of it beforehand only: {inside[-1].object}, {_when(inside[-1])}.")
    if inside:
        return say(sentence(f"yes, {clause(inside[-1], past=True)} {_when(inside[-1])}"), inside)
    if frame.stretch is None:
        return say(sentence(f"not yet: {clause(ordered[0])} {_when(ordered[0])}"), ordered[:1])
    dated_ones = [one for one in ordered if one.precision is not Precision.OPEN]
    if not dated_ones:
        return abstain("I was never told when that was.")
    return say(sentence(f"no, not then: {clause(dated_ones[0], past=True)} {_when(dated_ones[0])}"), dated_ones)


def _is_planned_only(fact: Fact) -> bool:
    """Whether nobody spoke of an event after it was to begin."""
    if fact.valid_from is None or fact.precision is Precision.OPEN:
        return False
    return all(source.said_at.us < fact.valid_from.us for source in fact.sources)


def _when(fact: Fact) -> str:
    if fact.valid_from is None:
        return ""
    if fact.precision is Precision.OPEN:
        return f"(mentioned on {date_of(fact.valid_from, Precision.DAY)})"
    return dated(fact.valid_from, fact.precision, clock=True)


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
