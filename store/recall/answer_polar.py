"""Yes needs a belief that says so, no needs one that says otherwise; what was never told is neither."""

from __future__ import annotations

import re
from collections.abc import Sequence

from store.beliefs import predicates
from store.recall.answer_frame import Asking, abstain, begins, ends, holding, in_order, is_event, say
from store.recall.answer_match import matches
from store.recall.answer_people import finest, fits_gender, relation_names
from store.recall.answer_relations import by_relation, death, on_its_day
from store.recall.answer_sense import sense
from store.recall.answer_times import is_date
from store.recall.answer_words import key, keys
from store.recall.wording import called, clause, date_of, dated, is_relation, sentence, since, until
from store.records import Answer, Fact, Precision

_HAVING = frozenset(map(key, ("have", "own", "got")))


def yes_no(asking: Asking) -> Answer | None:
    """Whether it is so, was so, is still so."""
    if (over := _died(asking)) is not None:
        told = "no" if asking.asked.required & _ALIVE else "yes"
        return say(sentence(f"{told}, {called(over.subject)} died {on_its_day(over)}".strip()), [over])
    both = key("married") in asking.asked.required and _WITH_ME.search(asking.question.core) is not None
    kin = _married(asking) if both or asking.asked.required == {key("married")} else _relations_had(asking)
    if kin is not None:
        return kin
    if _MAY.match(asking.question.core) and (harm := _harms(asking)) is not None:
        return harm
    facts = [fact for fact in asking.facts if _may_say(asking, fact)]
    found = matches(asking.asked, facts)
    near = [one for one in found if one.score == found[0].score]
    agreeing = [one.fact for one in near if one.denied == asking.question.negated]
    opposed = [one.fact for one in near if one.denied != asking.question.negated]
    return _judged(asking, agreeing, opposed) if found else _otherwise(asking) or _otherwise_related(asking)


def _married(asking: Asking) -> Answer | None:
    """ "Am I married": yes, where a wife or a husband was spoken of."""
    owner = (asking.asked.subjects or ("me",))[0]
    facts = asking.beliefs.facts(owner, ("partner", "married_to"), believed=asking.believed)
    spoken = [
        fact for fact in facts if any(_WEDDED & keys(source.quote) for source in fact.sources) and not fact.negative
    ]
    lost = [(fact, gone) for fact in spoken if (gone := death(asking, fact.object)) is not None]
    now = [fact for fact in holding(spoken, asking.frame) if all(fact is not one for one, _ in lost)]
    told = asking.beliefs.facts(owner, ("relationship_status",), believed=asking.believed)
    status = [one for one in holding(told, asking.frame) if not one.negative]
    if lost and not now and (not status or key(status[-1].object) == key("married")):
        one, gone = lost[-1]
        return say(sentence(f"no, {clause(one, past=True)}, who died {on_its_day(gone)}".rstrip()), [one, gone])
    if status and key(status[-1].object) != key("married"):
        one = status[-1]
        return say(sentence(f"no, {clause(one, past=asking.frame.past)}", since(one)), [one])
    return say(sentence(f"yes, {clause(now[-1])}"), now[-1:]) if now else None


_WEDDED = frozenset(map(key, ("wife", "husband", "married", "spouse", "wedding")))


_WITH_ME = re.compile(r"(?i)\b(?:and i|i and)\b")


def _otherwise(asking: Asking) -> Answer | None:
    """Another value holds in a slot that has room for one only."""
    asked = asking.asked
    found = []
    for fact in holding(asking.facts, asking.frame):
        known = predicates.find(fact.predicate)
        own = sense(fact.predicate)
        by_predicate = asked.required & own.exact
        left = asked.required - by_predicate
        single = known.cardinality == "one" or fact.predicate.startswith("favourite_")
        if not (single and by_predicate and left and own.needed <= by_predicate and fact.subject in asked.subjects[:1]):
            continue
        if len(left) <= 2 and _in_object_place(asking, left, fact.predicate) and not fact.negative:
            found.append(fact)
    if len({one.predicate for one in found}) != 1:
        return None
    one = in_order(found)[-1]
    return say(sentence(f"not that I know: {clause(one, past=asking.frame.past)}", since(one)), [one])


def _otherwise_related(asking: Asking) -> Answer | None:
    """ "Is Darja my sister", of somebody who is known to be something else: "not that I know: your boss is Darja"."""
    mention, required = asking.asked.primary, asking.asked.required
    if mention is None or not _FIRST & {word.lower() for word in asking.question.words}:
        return None
    wanted = {name for noun in required | mention.keys for name in relation_names(noun)}
    known = [
        fact for fact in holding(asking.beliefs.facts("me", None, believed=asking.believed), asking.frame)
        if is_relation(fact.predicate) and not fact.negative and keys(fact.object) and keys(fact.object) <= mention.keys
    ]  # fmt: skip
    if not wanted or not all(map(relation_names, required)) or any(one.predicate in wanted for one in known):
        return None
    return say(sentence(f"not that I know: {clause(known[-1])}"), known[-1:]) if known else None


_FIRST = frozenset(("my", "our", "mine", "ours"))


def _in_object_place(asking: Asking, left: frozenset[str], predicate: str) -> bool:
    """Whether the words that are left end the question, as a value does; names only, where the value is a name."""
    words = list(asking.question.words)
    tail = [word for word in words[-len(left) - 1 :] if key(word) in left]
    if len(tail) < len(left) or key(words[-1]) not in left:
        return False
    return "proper" not in predicates.find(predicate).traits or all(word[:1].isupper() for word in tail)


def _may_say(asking: Asking, fact: Fact) -> bool:
    """Whether a belief may say yes: what was only planned did not take place, who drinks oat milk may not drink milk,
    a birthday may be of another month, and what took place is not had."""
    if fact.predicate == "plans":
        return asking.question.tense != "past"
    if is_date(fact) and asking.question.valid is not None:
        return False
    if is_event(fact):
        return not asking.asked.light & _HAVING
    consumed = "consumed" in predicates.find(fact.predicate).traits and not fact.negative
    return not consumed or keys(fact.object) <= set(asking.question.keys)


_MAY = re.compile(r"(?i)\W*(?:can|could|may|should|am i (?:allowed|ok|okay|fine|safe)|is it (?:safe|ok|okay|fine))\b")
"""What asks whether somebody may have something."""


def _harms(asking: Asking) -> Answer | None:
    """ "Can I take penicillin": no, where one is allergic to it."""
    harmful = [
        one for one in asking.facts
        if "harms" in predicates.find(one.predicate).traits
        and one.subject in asking.asked.subjects[:1]
        and keys(one.object) <= asking.asked.required
    ]  # fmt: skip
    now = in_order(holding(harmful, asking.frame))[-1:]
    return say(sentence(f"{'yes' if now[0].negative else 'no'}, {clause(now[0])}"), now) if now else None


def _judged(asking: Asking, agreeing: Sequence[Fact], opposed: Sequence[Fact]) -> Answer | None:
    if agreeing and is_event(agreeing[0]):
        return _event(asking, agreeing)
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
    past = asking.frame.past or ends(same[0]) <= asking.frame.now
    tail = since(same[0]) if len(same) == 1 and not is_relation(same[0].predicate) else ""
    disputed = " (though I was told both: it is disputed)" if any(one.disputed for one in same) else ""
    return say(sentence(f"yes, {clause(same[0], [one.object for one in same], past=past)}{disputed}", tail), same)


def _not_now(asking: Asking, facts: Sequence[Fact]) -> Answer | None:
    """It was so, or will be, but not at the time asked about."""
    frame = asking.frame
    if over := [fact for fact in facts if ends(fact) <= frame.start]:
        last = max(over, key=ends)
        was = clause(last, past=True)
        if frame.stretch is not None:
            return say(sentence(f"no, {was} only {until(last)}"), [last])
        if asking.question.tense == "past":
            return say(sentence(f"yes, {was}", since(last), until(last)), [last])
        return say(sentence(f"no, not any more: {was} {until(last)}"), [last])
    later = in_order(one for one in facts if begins(one) >= frame.end)[:1]
    if not later or later[0].valid_from is None:
        return None
    begun = dated(later[0].valid_from, later[0].precision)
    if later[0].precision is Precision.OPEN:
        return abstain(f"I don't know about {frame.words() or 'then'}: the first I heard of it was {begun}.")
    return say(f"Not yet: that begins {begun}." if frame.stretch is None else f"No, that began only {begun}.", later)


def _event(asking: Asking, facts: Sequence[Fact]) -> Answer | None:
    """Whether it happened, happens yet, or happened in the time that is named."""
    frame, ordered = asking.frame, in_order(facts)
    if asking.question.still or asking.question.tense == "future":
        later = [one for one in ordered if begins(one) > frame.start][:1]
        return say(sentence(f"yes, {clause(later[0])} {_when(later[0])}"), later) if later else None
    inside = holding(ordered, frame)
    if inside:
        return say(sentence(f"yes, {clause(inside[-1], past=True)} {_when(inside[-1])}"), inside)
    if frame.stretch is None:
        return say(sentence(f"not yet: {clause(ordered[0])} {_when(ordered[0])}"), ordered[:1])
    dated_ones = [one for one in ordered if one.precision is not Precision.OPEN]
    if not dated_ones:
        return abstain("I was never told when that was.")
    return say(sentence(f"no, not then: {clause(dated_ones[0], past=True)} {_when(dated_ones[0])}"), dated_ones)


def _when(fact: Fact) -> str:
    if fact.valid_from is None:
        return ""
    if fact.precision is Precision.OPEN:
        return f"(mentioned on {date_of(fact.valid_from, Precision.DAY)})"
    return dated(fact.valid_from, fact.precision, clock=True)


def _relations_had(asking: Asking) -> Answer | None:
    """ "Do I have a sister", "Does Paul have kids"."""
    asked = asking.asked
    nouns = [word.lower() for word in asking.question.words if relation_names(word.lower())]
    if key("have") not in asked.light or not nouns or asked.required - set(map(key, nouns)):
        return None
    owner = (asked.subjects or ("me",))[0]
    wanted = tuple(dict.fromkeys(name for noun in nouns for name in relation_names(noun)))
    facts = [
        fact for fact in asking.beliefs.facts(owner, wanted, believed=asking.believed)
        if fact.predicate in wanted and any(fits_gender(noun, fact) for noun in nouns)
    ]  # fmt: skip
    every = finest(holding([one for one in facts if not one.negative], asking.frame))
    deaths = [died for one in every if (died := death(asking, one.object)) is not None]
    living = [one for one in every if one.object not in {died.subject for died in deaths}]
    if deaths and not living and asking.question.tense != "past":
        text = f"no, not any more: {called(deaths[-1].subject)} died {on_its_day(deaths[-1])}"
        return say(sentence(text.strip()), [deaths[-1], every[-1]])
    now = living or every
    return say(sentence(f"yes, {' and '.join(by_relation(now))}"), now) if now else None


_ALIVE = frozenset(map(key, ("alive", "living")))
_DEAD = frozenset(map(key, ("dead", "die", "died")))


def _died(asking: Asking) -> Fact | None:
    """The death of whom the question is about, where it asks for nothing else, and it was told."""
    words = asking.asked.required
    if not words or not words <= _ALIVE | _DEAD:
        return None
    return death(asking, (asking.asked.subjects or ("me",))[0])
