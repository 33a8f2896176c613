"""What came before or after is read from the chain of what is believed, never from what was believed wrongly.

Here: before, after, how it changed, how many, how many times, what was believed before a correction.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from store.beliefs import predicates
from store.beliefs.wording import occasion
from store.recall.answer_course import course
from store.recall.answer_frame import AskedTime, Asking, abstain, begins, ends, holding, in_order, is_event, say
from store.recall.answer_match import matches
from store.recall.answer_people import QuestionMention, relation_names
from store.recall.answer_relations import relation_asked
from store.recall.answer_sense import sense
from store.recall.answer_values import grouped, matter, value_groups, whole_slot
from store.recall.answer_words import START, STOP, key, keys
from store.recall.wording import (
    called,
    clause,
    date_of,
    dated,
    day,
    is_relation,
    joined,
    number,
    sentence,
    span,
    told,
    until,
)
from store.records import Answer, Fact, Precision

_NUMBERS = {
    word: at
    for at, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    )
}


def chain(asking: Asking) -> list[Fact]:
    """The states of the slot that the question asks about, in order of time; neighbours of equal value are one."""
    relation = relation_asked(asking)
    if relation is not None:
        return _relation_chain(asking, relation)
    groups = value_groups(replace(asking, question=replace(asking.question, options=())))
    if not groups:
        found = matches(asking.asked, asking.facts, free=START | STOP)
        groups = grouped([one for one in found if not is_event(one.fact) and not one.fact.negative])
    if not groups:
        return []
    whole = in_order(one for one in whole_slot(asking, groups[0]) if not one.negative)
    return [one for at, one in enumerate(whole) if at == 0 or one.object != whole[at - 1].object]


def _relation_chain(asking: Asking, mention: QuestionMention) -> list[Fact]:
    wanted = relation_names(mention.relation)
    facts = asking.beliefs.facts(mention.owner, wanted, believed=asking.believed)
    return in_order(fact for fact in facts if fact.predicate in wanted and not fact.negative)


def before(asking: Asking) -> Answer | None:
    """The value before the one that is named, or before the present one."""
    return _neighbour(asking, -1)


def after(asking: Asking) -> Answer | None:
    """The value after the one that is named."""
    return _neighbour(asking, 1)


def _neighbour(asking: Asking, step: int) -> Answer | None:
    links = chain(asking)
    if not links:
        return None
    at = _anchor(asking, links)
    if at is None:
        return None
    where = at + step
    asked, word = keys(asking.question.text), "before" if step < 0 else "after"
    unknown = abstain(f"I was never told {matter(links[0])} {word} that.")
    if where < 0 and (gone := _ended_before_heard_of(asking, links[0])) is not None:
        if keys(gone.object) <= asked:
            return unknown
        ended = replace(gone, valid_to=links[0].valid_from, precision_to=links[0].precision)
        return say(sentence(clause(gone, past=True), until(ended)), [gone])
    if not 0 <= where < len(links):
        return unknown
    one = links[where]
    if step < 0 and at < len(links):
        # What ended as the named one began comes before it, and not what stood beside that ("on Rua do Bonjardim").
        one = next((link for link in reversed(links[:at]) if ends(link) == begins(links[at])), one)
    if keys(one.object) <= asked:  # what is named is not what was before it
        return unknown
    past = ends(one) <= asking.frame.now
    return say(sentence(clause(one, past=past), span(one, told=True)), [one])


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
    if asking.question.options:
        wanted = keys(asking.question.options[0])
        named = [at for at, one in enumerate(links) if keys(one.object) and keys(one.object) & wanted]
        return named[0] if named else None
    if asking.frame.stretch is not None:
        return next((at for at, one in enumerate(links) if begins(one) >= asking.frame.start), len(links))
    now = [at for at, one in enumerate(links) if begins(one) <= asking.frame.start < ends(one)]
    if now:
        return now[-1]
    over = [at for at, one in enumerate(links) if ends(one) <= asking.frame.start]
    return over[-1] + 1 if over else None


# ------------------------------------------------------------------------------------------------------------ changes


def changed(asking: Asking) -> Answer | None:
    """How a slot changed, step by step; without a slot, what changed in the time that is named."""
    if not asking.asked.required - {key("change"), key("happen"), key("life")} and asking.asked.primary is None:
        return _everything_new(asking) if asking.frame.stretch is not None else None
    asked = replace(asking.asked, required=asking.asked.required - _CHANGE_WORDS)
    links = chain(replace(asking, asked=asked, question=replace(asking.question, wh="")))
    if not links:
        return course(asking)
    if asking.frame.stretch is not None:
        links = holding(links, asking.frame)
    if not links:
        return abstain(f"I know of nothing about that {asking.frame.words()}.")
    if len(links) == 1:
        return say(
            f"I know of no change. {sentence(clause(links[0], past=_over(links[0], asking.frame)), span(links[0]))}",
            links,
        )
    parts = [f"{clause(link, past=_over(link, asking.frame))} ({span(link)})" for link in links]
    return say(sentence(", then ".join(parts)), links)


_CHANGE_WORDS = frozenset(
    key(word)
    for word in [
        "change",
        "evolve",
        "develop",
        "history",
        "evolution",
        "course",
        "trace",
        "show",
        "progress",
        "switch",
        "over",
    ]
)


def _over(fact: Fact, frame: AskedTime) -> bool:
    return ends(fact) <= frame.now


def _everything_new(asking: Asking) -> Answer | None:
    """What began or ended in the time that is named."""
    if asking.frame.stretch is None:
        return None
    lines: list[str] = []
    used: list[Fact] = []
    for one in in_order(asking.beliefs.facts(None, None, believed=asking.believed)):
        if asking.frame.start <= begins(one) < asking.frame.end and one.valid_from is not None:
            words = dated(one.valid_from, one.precision)
            what = occasion(one) if is_event(one) and one.ahead else clause(one, past=is_event(one))
            lines.append(sentence(f"{words}: {what}"))
            used.append(one)
        elif asking.frame.start <= ends(one) < asking.frame.end and one.valid_to is not None:
            lines.append(sentence(f"{dated(one.valid_to, one.precision_to)} it ended that {clause(one, past=True)}"))
            used.append(one)
    return say(" ".join(lines[:12]), used[:12]) if used else abstain(f"I know of no change {asking.frame.words()}.")


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


# ------------------------------------------------------------------------------------------------------------- counts


def how_many(asking: Asking) -> Answer | None:
    """A number that was said, else a count of what was listed."""
    numbers = _numbers(asking)
    listed = _listed(asking)
    if numbers:
        return _said_number(asking, numbers[-1], listed)
    if not listed:
        return None
    first = listed[0]
    objects = list(dict.fromkeys(one.object for one in in_order(listed)))
    known = "" if len(objects) > 1 and is_relation(first.predicate) else " that I know of"
    same = len({(one.subject, one.predicate) for one in listed}) == 1
    named = clause(first, objects) if same else joined(told(one, first.subject) for one in objects)
    return say(f"{number(len(objects)).capitalize()}{known}: {named}.", listed)


def _numbers(asking: Asking) -> list[Fact]:
    """Facts that hold the number: number_of_sons "two", owns "three bikes", page_views "50K"."""
    found = [
        match.fact for match in matches(asking.asked, asking.facts) if not match.denied and not is_event(match.fact)
    ]
    return in_order(holding([one for one in found if _number_in(one.object)], asking.frame))


def _number_in(value: str) -> bool:
    return bool(re.match(r"(?i)(?:about |around |roughly |over |nearly |almost |some )?\d", value)) or bool(
        set(value.lower().split()[:2]) & set(_NUMBERS)
    )


def _said_number(asking: Asking, fact: Fact, listed: Sequence[Fact]) -> Answer:
    """The number in the person's words, with the names if they are as many."""
    names = list(dict.fromkeys(one.object for one in listed))
    counted = next((_NUMBERS[word] for word in fact.object.lower().split() if word in _NUMBERS), None)
    if not fact.predicate.startswith("number_of_") and fact.predicate in predicates.REGISTRY:
        return say(sentence(clause(fact, past=asking.frame.past)), [fact])
    noun = fact.predicate.removeprefix("number_of_").replace("_", " ")
    several = fact.subject == "me" or (fact.subject[:1].islower() and fact.subject.endswith("s"))
    have = "had" if asking.frame.past else "have" if several else "has"
    tail = f": {joined(told(name) for name in names)}" if counted is not None and counted == len(names) else ""
    value = fact.object if keys(noun) & keys(fact.object) else f"{fact.object} {noun}"
    return say(sentence(f"{called(fact.subject)} {have} {value}{tail}"), [fact, *(listed if tail else [])])


def _listed(asking: Asking) -> list[Fact]:
    """What is counted: people in a relation, values of a slot."""
    found = [match.fact for match in matches(asking.asked, asking.facts) if not match.denied]
    meant = [one for one in found if asking.asked.required & sense(one.predicate).exact]
    owned = [one for one in found if one.predicate == "owns"]
    return [
        one for one in holding(meant or owned, asking.frame) if predicates.find(one.predicate).cardinality == "many"
    ]


def times(asking: Asking) -> Answer | None:
    """How many times something happened, as far as it was told."""
    found = matches(asking.asked, asking.facts, free=frozenset({key("time")}))
    events = [one.fact for one in found if is_event(one.fact) and not one.fact.negative]
    now = in_order(holding(events, asking.frame))
    if not now:
        return None
    count = {1: "Once", 2: "Twice"}.get(len(now), f"{number(len(now)).capitalize()} times")
    dates = joined(date_of(one.valid_from, one.precision if one.precision is not Precision.OPEN else Precision.DAY)
                   for one in now if one.valid_from is not None)  # fmt: skip
    return say(f"{count} that I know of: {dates}.", now)
