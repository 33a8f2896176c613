"""Yes needs a belief that says so, no needs one that says otherwise; what was never told is neither."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from store.beliefs import predicates
from store.recall.answer_chain import chain
from store.recall.answer_frame import Asking, abstain, begins, ends, holding, in_order, is_event, say
from store.recall.answer_match import about_change, matches
from store.recall.answer_people import finest, fits_gender, relation_names
from store.recall.answer_relations import death, on_its_day
from store.recall.answer_sense import sense
from store.recall.answer_times import is_date
from store.recall.answer_values import MOVES
from store.recall.answer_words import START, STOP, key, keys, words_of
from store.recall.wording import called, clause, date_of, dated, is_relation, sentence, since, until
from store.records import Answer, Fact, Instant, Precision
from store.time.expressions import read_times

_COMING = frozenset(map(key, words_of("come coming ahead upcoming happen over done finished plan schedule")))
_HAVING = frozenset(map(key, ("have", "own", "got")))


def yes_no(asking: Asking) -> Answer | None:
    """Whether it is so, was so, is still so."""
    asked = asking.asked
    if (named := _named_so(asking)) is not None:
        return named
    if asking.question.tense == "future" and asking.asked.required & MOVES:
        return _will_move(asking)
    if _asks_for_change(asking):
        return _has_changed(asking)
    if (over := _died(asking)) is not None:
        told = "no" if asked.required & _ALIVE else "yes"
        return say(sentence(f"{told}, {called(over.subject)} died {on_its_day(over)}".strip()), [over])
    both = key("married") in asked.required and _WITH_ME.search(asking.question.core) is not None
    kin = _married(asking) if both or asked.required == {key("married")} else _relations_had(asking)
    if kin is not None:
        return kin
    if _MAY.match(asking.question.core) and (harm := _harms(asking)) is not None:
        return harm
    starts, stops = about_change(asked.required)
    owning = bool(asked.light & _HAVING) and not starts and not stops
    past = asking.question.tense == "past"  # what was only planned did not take place by that
    facts = [fact for fact in asking.facts if not (past and fact.predicate == "plans")]
    if _NOT_WHERE.search(asking.question.core):  # where somebody lives says nothing of whom with, nor of "a home"
        facts = [fact for fact in facts if fact.predicate != "lives_in"]
    found = [match for match in matches(asked, facts) if not (owning and is_event(match.fact))]
    if not found and (starts or stops or asking.question.still or asking.question.order):
        found = matches(asked, facts, free=START | STOP | _COMING)
    else:
        starts, stops = (starts, stops) if not any(is_event(one.fact) for one in found) else (False, False)
    if not found:
        return _otherwise(asking) or _otherwise_related(asking)
    best = found[0].score
    near = [one for one in found if one.score >= best - 1.0]
    agreeing = [one.fact for one in near if one.denied == asking.question.negated]
    opposed = [one.fact for one in near if one.denied != asking.question.negated]
    stops = stops and not any(keys(fact.object) & asked.required & STOP for fact in agreeing)  # "retired" is a state
    return _judged(asking, agreeing, opposed, starts, stops)


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
    now = holding(harmful, asking.frame)
    if not now:
        return None
    one = in_order(now)[-1]
    return say(sentence(f"{'yes' if one.negative else 'no'}, {clause(one)}"), [one])


_NOT_WHERE = re.compile(
    r"(?i)\b(?:stay|stays|staying|live|lives|living) (?:\w+ )?with\b|\b(?:in|into|to) a (?:[\w-]+ )?home\b"
)


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
    if now and all(_is_of_another_month(asking, one) for one in now):
        return say(sentence(f"no, {clause(in_order(now)[-1])}"), in_order(now)[-1:])
    if now and all(_is_a_kind_only(asking, one) for one in now):
        return say(sentence(f"all that I know is that {clause(in_order(now)[-1])}"), in_order(now)[-1:])
    if now and not (against and max(map(begins, against)) > max(map(begins, now))):
        return _yes(asking, in_order(now))
    if against:
        one = in_order(against)[-1]
        return say(sentence(f"no, {clause(one, past=asking.frame.past)}", since(one)), [one])
    return _not_now(asking, agreeing) if agreeing else None


def _is_of_another_month(asking: Asking, fact: Fact) -> bool:
    """Whether a day of the year, as a birthday is, lies in another month than the one that is asked about."""
    named = asking.question.valid
    if named is None or named.start is None or named.precision is not Precision.MONTH or not is_date(fact):
        return False
    asked = Instant(named.start, named.offset).local()
    told = [one.stretch.first() for one in read_times(fact.object, asked) if one.stretch is not None]
    return bool(told) and all(one is not None and one.local().month != asked.month for one in told)


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


# ---------------------------------------------------------------------------------------------------- having somebody


def _named_so(asking: Asking) -> Answer | None:
    """ "Is my landlord called Dixon": yes or no by the name that is known, where there is room for one."""
    asked, mention = asking.asked, asking.asked.primary
    if mention is None or not mention.relation or not asked.required or not asked.required <= asked.names:
        return None
    wanted = relation_names(mention.relation)
    facts = asking.beliefs.facts(mention.owner, wanted, believed=asking.believed)
    now = [one for one in holding(facts, asking.frame) if one.predicate in wanted and not one.negative]
    if so := [one for one in now if asked.required <= keys(one.object)]:
        return say(sentence(f"yes, {clause(so[0])}"), so[:1])
    if len(now) == 1 and predicates.find(now[0].predicate).cardinality == "one" and not asked.light - {key("called")}:
        return say(sentence(f"no, {clause(now[0])}"), now)
    return None


def _relations_had(asking: Asking) -> Answer | None:
    """ "Do I have a sister", "Does Paul have kids"."""
    asked = asking.asked
    if (
        not asked.light & {key("have"), key("own"), key("get")}
        and "have" not in asking.question.core.lower().split()[:1]
    ):
        return None
    nouns = [word.lower() for word in asking.question.words if relation_names(word.lower())]
    if not nouns or asked.required - set(map(key, nouns)):
        return None
    owner = (asked.subjects or ("me",))[0]
    wanted = tuple(dict.fromkeys(name for noun in nouns for name in relation_names(noun)))
    facts = [
        fact for fact in asking.beliefs.facts(owner, wanted, believed=asking.believed)
        if fact.predicate in wanted and any(fits_gender(noun, fact) for noun in nouns)
    ]  # fmt: skip
    positive = [one for one in facts if not one.negative]
    every = finest(holding(positive, asking.frame))
    deaths = [died for one in every if (died := death(asking, one.object)) is not None]
    now = [one for one in every if one.object not in {died.subject for died in deaths}]
    if deaths and not now and asking.question.tense != "past":
        text = f"no, not any more: {called(deaths[-1].subject)} died {on_its_day(deaths[-1])}"
        return say(sentence(text.strip()), [deaths[-1], every[-1]])
    if now := now or every:
        lines = [
            clause(same[0], [one.object for one in same])
            for predicate in dict.fromkeys(one.predicate for one in now)
            if (same := [one for one in now if one.predicate == predicate])
        ]
        return say(sentence(f"yes, {' and '.join(lines)}"), now)
    if over := [one for one in positive if ends(one) <= asking.frame.start]:
        last = max(over, key=ends)
        return say(sentence(f"no, not any more: {clause(last, past=True)} {until(last)}"), [last])
    if holding(facts, asking.frame):
        return say("No, you told me that it is not so.", facts)
    return None


def _died(asking: Asking) -> Fact | None:
    """The death of whom the question is about, where it asks for nothing else, and it was told."""
    words = asking.asked.required
    if not words & (_ALIVE | _DEAD) or not all(map(relation_names, words - _ALIVE - _DEAD)):
        return None
    owner = (asking.asked.subjects or ("me",))[0]
    return death(asking, owner)


_WITH_ME = re.compile(r"(?i)\b(?:and i|i and)\b")


_ALIVE = frozenset(map(key, ("alive", "living")))
_DEAD = frozenset(map(key, ("dead", "deceased", "die", "died", "pass", "away")))


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


# ---------------------------------------------------------------------------------------------------------- otherwise


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


# ------------------------------------------------------------------------------------------------------------- change


def _asks_for_change(asking: Asking) -> bool:
    words = {word.lower() for word in asking.question.words}
    return bool(words & {"changed", "change"}) or (
        bool(words & {"moved", "move"})
        and not keys(asking.question.core)
        - {key("move")}
        - (asking.asked.primary.keys if asking.asked.primary else set())
    )


def _will_move(asking: Asking) -> Answer | None:
    """ "Am I moving to Cobh": yes by a place where one will live."""
    subject, named = asking.asked.subjects[:1], asking.asked.required - MOVES
    homes = [one for one in asking.facts if one.predicate == "lives_in" and one.subject in subject and not one.negative]
    ahead = [one for one in homes if begins(one) > asking.frame.now and named <= keys(one.object)]
    if not ahead or (began := ahead[-1].valid_from) is None:
        return None
    return say(sentence(f"yes, {clause(ahead[-1])}, from {date_of(began, ahead[-1].precision)}"), ahead[-1:])


def _has_changed(asking: Asking) -> Answer | None:
    """ "Has my job changed", "Has Paul moved"."""
    moved = key("move") in asking.asked.required
    required = frozenset({key("live")}) if moved else asking.asked.required - {key("change")}
    question = replace(asking.question, wh="where" if moved else "what", negated=False)
    links = chain(replace(asking, question=question, asked=replace(asking.asked, required=required)))
    if not links:
        return None
    steps = [link for link in links if begins(link) <= asking.frame.now]
    if asking.frame.stretch is not None:
        steps = [step for step in steps if asking.frame.start <= begins(step) < asking.frame.end] and steps
    if len(steps) < 2:
        return say(f"Not that I know. {sentence(clause(links[-1]), since(links[-1]))}", links[-1:])
    return say(sentence(f"yes, {clause(steps[-1])}", since(steps[-1])), steps[-2:])
