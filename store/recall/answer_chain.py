"""What came before or after is read from the chain of what is believed, never from what was believed wrongly.

Here: before, after, how it changed, how many, what was believed before a correction.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from store.beliefs import predicates
from store.beliefs.wording import occasion
from store.recall.answer_frame import Asking, abstain, begins, ends, holding, in_order, is_event, is_lasting, say
from store.recall.answer_match import matches
from store.recall.answer_people import finest, relation_names
from store.recall.answer_relations import relation_asked
from store.recall.answer_sense import sense
from store.recall.answer_values import grouped, matter, value_groups, whole_slot
from store.recall.answer_words import START, STOP, keys
from store.recall.wording import clause, dated, day, is_relation, joined, number, sentence, span, told, until
from store.records import Answer, Fact, Precision


def chain(asking: Asking) -> list[Fact]:
    """The states of the slot that the question asks about, in order of time; neighbours of equal value are one."""
    relation = relation_asked(asking)
    if relation is not None:
        wanted = relation_names(relation.relation)
        facts = asking.beliefs.facts(relation.owner, wanted, believed=asking.believed)
        return in_order(fact for fact in facts if fact.predicate in wanted and not fact.negative)
    groups = value_groups(replace(asking, question=replace(asking.question, anchor="")))
    if not groups:
        found = matches(asking.asked, asking.facts, free=START | STOP)
        groups = grouped([one for one in found if not is_event(one.fact) and not one.fact.negative])
    if not groups:
        return []
    whole = in_order(one for one in whole_slot(asking, groups[0]) if not one.negative)
    return [one for at, one in enumerate(whole) if at == 0 or one.object != whole[at - 1].object]


def before(asking: Asking) -> Answer | None:
    """The value before the one that is named, or before the present one."""
    return _neighbour(asking, -1)


def after(asking: Asking) -> Answer | None:
    """The value after the one that is named."""
    return _neighbour(asking, 1)


def _neighbour(asking: Asking, step: int) -> Answer | None:
    links = chain(asking)
    at = _anchor(asking, links)
    if at is None or not links:
        return None
    where, asked = at + step, keys(asking.question.text)
    unknown = abstain(f"I was never told {matter(links[0])} {'before' if step < 0 else 'after'} that.")
    if where < 0 and (gone := _ended_before_heard_of(asking, links[0])) is not None:
        if keys(gone.object) <= asked:
            return unknown
        ended = replace(gone, valid_to=links[0].valid_from, precision_to=links[0].precision)
        return say(sentence(clause(gone, past=True), until(ended)), [gone])
    if not 0 <= where < len(links):
        return unknown
    one = links[where]
    if step < 0 and at < len(links):
        # What ended as the named one began comes before it, and not what stood beside that ("on Rua do Bonjardim"), nor
        # what goes on beside it.
        earlier = list(reversed(links[:at]))
        if predicates.find(one.predicate).cardinality == "many" and not is_event(one):
            earlier = [link for link in earlier if ends(link) <= begins(links[at])]
            if not earlier:
                return unknown
            one = earlier[0]
        one = next((link for link in earlier if ends(link) == begins(links[at])), one)
    if keys(one.object) <= asked:  # what is named is not what was before it
        return unknown
    return say(sentence(clause(one, past=ends(one) <= asking.frame.now), span(one, told=True)), [one])


def _ended_before_heard_of(asking: Asking, link: Fact) -> Fact | None:
    """What the link put an end to, of which nobody had said when it began and which was told of only after that end:
    no stretch of it is believed any more, but it was not wrong ("I live in Leeds", "we moved to Hull last week")."""
    replaced = {link.supersedes, *link.also_supersedes}
    found = (
        one
        for one in asking.beliefs.history(link.subject, link.predicate)
        if one.id in replaced and one.precision is Precision.OPEN and one.believed_to == link.believed_from
    )
    return next(found, None) if link.change == "update" else None


def _anchor(asking: Asking, links: Sequence[Fact]) -> int | None:
    """The link that "before" and "after" count from: the named one, the present one, or the end of the chain."""
    if asking.question.anchor:
        wanted = keys(asking.question.anchor)
        return next((at for at, one in enumerate(links) if keys(one.object) & wanted), None)
    if asking.frame.stretch is not None:
        return next((at for at, one in enumerate(links) if begins(one) >= asking.frame.start), len(links))
    now = [at for at, one in enumerate(links) if begins(one) <= asking.frame.start < ends(one)]
    over = [at + 1 for at, one in enumerate(links) if ends(one) <= asking.frame.start]
    return next(reversed(now or over), None)


def changed(asking: Asking) -> Answer | None:
    """How a slot changed, step by step; without a slot, what changed in the time that is named."""
    asked = replace(asking.asked, required=asking.asked.required - _CHANGE_WORDS)
    if not asked.required and asked.primary is None:
        return all_changes(asking)
    links = chain(replace(asking, asked=asked, question=replace(asking.question, wh="")))
    if not links:
        return None
    if asking.frame.stretch is not None:
        links = holding(links, asking.frame)
    if not links:
        return abstain(f"I know of nothing about that {asking.frame.words()}.")
    parts = [f"{clause(link, past=ends(link) <= asking.frame.now)} ({span(link)})" for link in links]
    unchanged = "I know of no change. " if len(links) == 1 else ""
    return say(f"{unchanged}{sentence(', then '.join(parts))}", links)


def all_changes(asking: Asking) -> Answer | None:
    """What changed in the time that is named, or that nothing did; None where it is asked of a slot or of no time."""
    of_all = asking.question.kind == "changed" and asking.asked.primary is None
    of_all = of_all and not asking.asked.required - _CHANGE_WORDS
    return _began_or_ended(asking) if of_all and asking.frame.stretch is not None else None


MOST_CHANGES = 12
"""Changes of a stretch of time that are told."""


def _began_or_ended(asking: Asking) -> Answer:
    """What began or ended in the time that is named."""
    frame, lines, used = asking.frame, [], []
    for one in in_order(asking.beliefs.facts(None, None, believed=asking.believed)):
        if one.valid_from is not None and frame.start <= begins(one) < frame.end and _is_news(one):
            what = occasion(one) if is_event(one) and one.ahead else clause(one, past=is_event(one))
            lines.append(f"{dated(one.valid_from, one.precision)}: {what}")
        elif one.valid_to is not None and frame.start <= ends(one) < frame.end and not is_lasting(one.predicate):
            lines.append(f"{until(one)}, {clause(one, past=True)}")
        else:
            continue
        used.append(one)
    told = " ".join(map(sentence, lines[:MOST_CHANGES]))
    return say(told, used[:MOST_CHANGES]) if used else abstain(f"I know of no change {frame.words()}.")


def _is_news(fact: Fact) -> bool:
    """Whether something took place, is said to have begun, or took the place of something: what was but first heard of
    may have been so for long."""
    return is_event(fact) or fact.precision is not Precision.OPEN or fact.supersedes is not None


_CHANGE_WORDS = keys("change evolve develop history evolution course trace show progress switch happen life")


def believed_before(asking: Asking) -> Answer | None:
    """What was believed before it was corrected or changed, from the history of the slot."""
    groups = value_groups(asking)
    if not groups:
        return None
    present = {one.id for one in whole_slot(asking, groups[0])}
    values = {one.object for one in holding(groups[0], asking.frame)}
    ever = asking.beliefs.history(groups[0][0].subject, groups[0][0].predicate)
    old = [one for one in ever if one.id not in present and one.believed_to is not None and one.object not in values]
    if not old:
        return abstain(f"I know of nothing else that you believed about {matter(groups[0][0])}.")
    last = max(old, key=lambda one: one.believed_to.us if one.believed_to else 0)
    assert last.believed_to is not None
    return say(sentence(f"until {day(last.believed_to)} you believed that {clause(last)}"), [last])


def how_many(asking: Asking) -> Answer | None:
    """A number that was said, else a count of what was listed: people in a relation, values of a slot."""
    found = [match.fact for match in matches(asking.asked, asking.facts) if not match.denied]
    numbers = in_order(holding([one for one in found if not is_event(one) and _has_number(one.object)], asking.frame))
    if numbers:
        return say(sentence(clause(numbers[-1], past=asking.frame.past)), numbers[-1:])
    meant = [one for one in found if asking.asked.required & sense(one.predicate).exact]
    listed = [
        one for one in holding(meant or [one for one in found if one.predicate == "owns"], asking.frame)
        if predicates.find(one.predicate).cardinality == "many"
    ]  # fmt: skip
    counted = re.match(r"(?i)how many ((?:[\w-]+ )?[\w-]+)", asking.question.core)
    wanted = {name for word in (counted[1].split() if counted is not None else ()) for name in relation_names(word)}
    whose = asking.asked.subjects or ("me",)
    people = [one for one in asking.facts if one.predicate in wanted and one.subject in whose and not one.negative]
    listed = listed or finest(holding(people, asking.frame))
    if not listed:
        return None
    first = listed[0]
    objects = list(dict.fromkeys(one.object for one in in_order(listed)))
    known = "" if len(objects) > 1 and is_relation(first.predicate) else " that I know of"
    same = len({(one.subject, one.predicate) for one in listed}) == 1
    named = clause(first, objects) if same else joined(told(one, first.subject) for one in objects)
    return say(f"{number(len(objects)).capitalize()}{known}: {named}.", listed)


def _has_number(value: str) -> bool:
    """ "two grown kids", "50K", "about six coffees"."""
    return value[:1].isdigit() or not _NUMBERS.isdisjoint(value.lower().split()[:2])


_NUMBERS = frozenset(map(number, range(1, 13)))
