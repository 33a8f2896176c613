"""A value is answered from what holds at the time asked about; earlier and later values stay out of the sentence.

Here: what, which, where, who; relations by name; how often; who somebody is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from store.beliefs import predicates
from store.beliefs.predicates import DEATH
from store.reading.kin import RELATIONS
from store.recall.answer_ages import age_of_birth, age_then
from store.recall.answer_frame import (
    AskedTime,
    Asking,
    abstain,
    begins,
    coming,
    ends,
    holding,
    in_order,
    is_event,
    is_lasting,
    say,
)
from store.recall.answer_match import Match, answer_value, doers, fits, matches
from store.recall.answer_relations import death, lead, on_its_day, relation_answer, relation_asked, unresolved
from store.recall.answer_sense import sense
from store.recall.answer_uses import used
from store.recall.answer_words import key
from store.recall.wording import (
    called,
    clause,
    dated,
    day,
    is_relation,
    joined,
    kin_noun,
    sentence,
    since,
    span,
    stretch,
    told,
    until,
    whose,
)
from store.records import Answer, Fact, Instant, Precision

Group = list[Fact]
_DO = frozenset([key("do")])
_MOVES = frozenset(map(key, ("move", "relocate", "emigrate")))


def value(asking: Asking) -> Answer | None:
    """What, which, where, who, how much."""
    relation = relation_asked(asking)
    if relation is not None:
        return relation_answer(asking, relation)
    if not asking.asked.required and asking.asked.light <= _DO and asking.question.wh not in ("where", "how much"):
        return _what_is(asking)
    if asking.asked.required == {key("age")} and (aged := age_then(asking)) is not None:
        return aged
    groups = value_groups(asking)
    if asking.question.tense == "future" and _MOVES & asking.asked.required:  # where one lives is not where one moves
        groups = [group for group in groups if coming(group, asking.frame)]
    if groups:
        return from_groups(asking, groups)
    if key("age") in asking.asked.required:
        return age_of_birth(asking)
    return used(asking) or wished(asking) or _denied(asking)


def wished(asking: Asking) -> Answer | None:
    """How answers should look, where the reader was unsure that it was meant so: nobody is harmed by a wish."""
    if not asking.asked.required or not asking.asked.required <= sense("response_style").exact:
        return None
    heard = [one for one in asking.beliefs.unsure("me", asking.believed, "response_style") if not one.negative]
    told = in_order(heard[:MOST_WISHES])
    return say(f"I think so: {clause(told[0], [one.object for one in told])}.", told) if told else None


MOST_WISHES = 3
"""Of those that the reader was unsure of, that are told."""


def _denied(asking: Asking) -> Answer | None:
    """Of what was only ever denied: "nothing that I know of: you aren't allergic to sesame"."""
    told = [one.fact for one in matches(asking.asked, asking.facts) if one.denied and not is_event(one.fact)]
    now = [
        fact for fact in holding(told, asking.frame)
        if asking.asked.required <= sense(fact.predicate).exact and fact.subject in asking.asked.subjects[:1]
    ]  # fmt: skip
    if not now or asking.question.negated or asking.question.wh not in ("what", "which"):
        return None
    return say(f"Nothing that I know of: {clause(now[-1])}.", now[-1:])


OCCUPATIONS = ("job", "works_at", "field", "studies", "studies_at")
"""What says what somebody does, in the order of how well."""


def _what_is(asking: Asking) -> Answer | None:
    """ "What was my grandfather" and "What does Huw do" ask for somebody's work, or where they do it."""
    primary = asking.asked.primary
    if primary is None or not primary.person or asking.question.wh != "what":
        return None
    told = [fact for fact in asking.facts if fact.subject in primary.subjects and not fact.negative]
    slots = [[fact for fact in told if fact.predicate == name] for name in OCCUPATIONS]
    known = next((slot for slot in slots if slot), None)
    return from_groups(asking, [known]) if known else None


def value_groups(asking: Asking) -> list[Group]:
    """The slots that the question asks for: the best, and those that are as good."""
    question = asking.question
    fitting = [one for one in matches(asking.asked, asking.facts) if fits(question, one.fact)]
    found = doers(asking.asked, asking.facts) or fitting or _housemates(asking)
    return grouped([one for one in found if one.denied == question.negated])


def _housemates(asking: Asking) -> list[Match]:
    """With whom somebody lives: their flatmates, too."""
    asked = asking.asked
    if asking.question.wh != "who" or asked.required != {key("live")}:
        return []
    return [Match(one, 1) for one in asking.facts if one.predicate == "roommate" and one.subject in asked.subjects[:1]]


def grouped(found: Sequence[Match]) -> list[Group]:
    """Matches by subject and predicate; those that score less than the best are left out."""
    if not found:
        return []
    best = max(one.score for one in found)
    groups: dict[tuple[str, str], Group] = {}
    for one in found:
        if one.score == best:
            groups.setdefault((one.fact.subject, one.fact.predicate), []).append(one.fact)
    return list(groups.values())


def from_groups(asking: Asking, groups: Sequence[Group]) -> Answer | None:
    """What held of each slot at the time that is asked about; of a slot of which nothing did, why that is not known."""
    frame, question = asking.frame, asking.question
    future = question.tense == "future" and question.valid is None
    said: list[str] = []
    used: list[Fact] = []
    for group in groups:
        now = coming(group, frame) if future else []
        now = now or picked(question.order, holding(group, frame, future=future))
        if question.tense == "past" and frame.stretch is None and not (now and question.wh != "where"):
            now = _ended(group, frame, every=question.wh == "where") or now
        if now:
            said.append(_sentence(asking, in_order(now)))
            used += now
    return say(" ".join(dict.fromkeys(said)), used) if used else not_known(asking, groups[0])


def whole_slot(asking: Asking, group: Group) -> list[Fact]:
    """Every belief of the group's slot: also those that the question's words did not reach."""
    subject, predicate = group[0].subject, group[0].predicate
    return [fact for fact in asking.facts if fact.subject == subject and fact.predicate == predicate]


def picked(order: str, facts: list[Fact]) -> list[Fact]:
    """Of several events, the first or the last where the question says so."""
    ordered = in_order(facts)
    if not order or len({begins(one) for one in facts}) < 2:
        return facts
    return ordered[:1] if order == "first" else ordered[-1:]


def _ended(group: Group, frame: AskedTime, *, every: bool) -> Group:
    """What had ended, the last of it: a question in the past about a state that is over. "Where did I work" asks for
    every place."""
    over = in_order(one for one in group if ends(one) <= frame.start and not is_event(one))
    return over if every else over[-1:]


def _sentence(asking: Asking, facts: list[Fact]) -> str:
    """What held in the frame, with its dates as far as they concern it."""
    frame, then = asking.frame, asking.as_believed
    when = frame.words() if asking.question.valid is not None or frame.past else ""
    if any(one.disputed for one in facts) and len({one.object for one in facts}) > 1:
        return sentence(
            f"{clause(facts[0], [one.object for one in facts])} (disputed: I was told both, please say which)"
        )
    past = frame.past or all(ends(one) <= frame.start for one in facts)
    states = {fact.object for fact in facts}
    if is_event(facts[0]):
        return " ".join(_event(asking, one) for one in facts)
    if len(states) == 1 or predicates.find(facts[0].predicate).cardinality == "many":
        objects = [answer_value(asking.question, one) for one in facts]
        return sentence(f"{lead(then)}{lead(when)}{_worded(facts[0], objects, past)}", _dates(facts, frame))
    # What holds side by side has no order: the latest comes first.
    beside = not past and all(one.valid_to is None for one in facts)
    told = reversed(facts) if beside else facts
    parts = [f"{clause(one, past=past or ends(one) <= frame.now)} ({span(one)})" for one in told]
    return sentence(f"{lead(then)}{lead(when)}{(', and ' if beside else ', then ').join(parts)}")


def _worded(fact: Fact, objects: list[str], past: bool) -> str:
    """The clause, or, where a side detail was asked for, the clause with it."""
    if objects[0] == fact.object:
        return clause(fact, objects, past=past)
    return f"{clause(fact, past=past)}: {joined(told(one, fact.subject) for one in objects)}"


def _dates(facts: Sequence[Fact], frame: AskedTime) -> str:
    """From when, and until when if that lies within the frame."""
    if len(facts) > 1:
        return ""
    fact = facts[0]
    if is_lasting(fact.predicate) or (is_relation(fact.predicate) and fact.precision is Precision.OPEN):
        return ""
    if ends(fact) <= frame.now:
        if frame.stretch is None and fact.precision_to is Precision.OPEN:
            return ""  # that it was over by then is all that was told
        return until(fact) if frame.stretch is None or ends(fact) < frame.end else stretch(fact)
    return since(fact).replace("since", "from", 1) if begins(fact) > frame.now else since(fact)


def _event(asking: Asking, fact: Fact) -> str:
    found = answer_value(asking.question, fact)
    told_of = clause(fact, past=True) + (f": {told(found, fact.subject)}" if found != fact.object else "")
    if fact.valid_from is None:
        return sentence(told_of)
    if fact.precision is Precision.OPEN:
        return sentence(f"{told_of} (mentioned on {day(fact.valid_from)})")
    return sentence(f"{told_of} ({stretch(fact) or dated(fact.valid_from, fact.precision)})")


def not_known(asking: Asking, group: Group) -> Answer:
    """Why a slot that is known says nothing about this time: what was so and what will be, of now; else no value."""
    frame = asking.frame
    what, when = matter(in_order(group)[0]), frame.words() or "now"
    over = [one for one in group if ends(one) <= frame.start]
    later = in_order(one for one in group if begins(one) >= frame.end)
    if later and later[0].ahead and frame.stretch is None:
        was = sorted(over, key=ends)[-1:]
        told = [sentence(clause(one, past=True), until(one)) for one in was]
        return say(" ".join([*told, sentence(clause(later[0]), _dates(later[:1], frame))]), [*was, later[0]])
    if over and not later and frame.stretch is None:
        last = max(over, key=ends)
        if (died := death(asking, last.subject)) is not None:
            over_by = sentence(f"{clause(died)} {on_its_day(died)}".strip())
            return say(f"{sentence(clause(last, past=True))} {over_by}", [last, died])
        return abstain(f"I don't know that any more: what I was told of {what} held {until(last)}.")
    if later and later[0].precision is Precision.OPEN and later[0].valid_from is not None:
        return abstain(f"I don't know {what} {when}: the first I heard of it was on {day(later[0].valid_from)}.")
    if later:
        return abstain(f"I don't know {what} {when}: what I was told begins later, {since(later[0])}.")
    return abstain(f"I don't know {what} {when}.")


def matter(fact: Fact) -> str:
    """What a belief is about, without its value: "where you live", "your job", "the office's door code"."""
    known = predicates.find(fact.predicate)
    if "where" in known.asks and known.first.split()[0] in ("live", "work", "study"):
        return f"where {called(fact.subject)} {known.past.split()[0]}"
    noun = next(iter(known.nouns), fact.predicate).replace("_", " ")
    return f"{whose(fact.subject)} {noun}"


# ------------------------------------------------------------------------------------------------- profile, how often


def profile(asking: Asking) -> Answer | None:
    """Who somebody is: what they are to the person, then what holds of them now."""
    mention = asking.asked.primary
    if mention is not None and mention.relation and asking.question.core.lower().startswith("who"):
        return relation_answer(asking, mention)
    subject = profiled(asking)
    if asking.asked.of_doer and (groups := value_groups(asking)):
        return from_groups(asking, groups)
    if subject is None:
        return unresolved(mention) if mention is not None and not mention.subjects else None
    facts = asking.beliefs.facts(subject, None, believed=asking.believed)
    now = [one for one in holding(facts, asking.frame) if not one.negative and one.object != subject]
    now = sorted(in_order(now), key=lambda one: one.predicate not in _WHO_ONE_IS)[:MOST_TOLD]
    dead = death(asking, subject) is not None
    links = [] if subject == "me" else _links(asking, subject)
    if not now and not links:
        return None
    lines = [
        sentence(f"{called(subject)} {'was' if dead or ends(link) <= asking.frame.now else 'is'} {_as_kin(link)}")
        for link in links
    ]
    lines += [_line(asking, one, now, past=dead) for one in now]
    noun = kin_noun(links[0]) if links else ""
    return say(" ".join(_named_once(list(dict.fromkeys(lines)), called(subject), noun)), [*links, *now])


def _named_once(lines: list[str], name: str, noun: str) -> list[str]:
    """With "she" in the place of a name that was told, where what she is to the person says that it is a she."""
    he, his = {"f": ("She", "Her"), "m": ("He", "His")}.get(RELATIONS.get(noun, ("", ""))[1], (name, f"{name}'s"))
    named = re.compile(rf"{re.escape(name)}('s)?(?= )")
    again = [named.sub(lambda at: his if at[1] else he, one, count=1) if named.match(one) else one for one in lines]
    return [*lines[:1], *again[1:]]


def _line(asking: Asking, fact: Fact, told: Sequence[Fact], *, past: bool) -> str:
    """What is told of a belief: kin in one sentence, who died was somebody's, and of a death its day is told."""
    objects = [fact.object]
    if is_relation(fact.predicate):
        objects = [one.object for one in told if one.predicate == fact.predicate]
        past = past or all(death(asking, one) for one in objects)
    when = on_its_day(fact) if fact.predicate == DEATH else ""
    return sentence(f"{clause(fact, objects, past=past or is_event(fact))} {when}".strip())


MOST_TOLD = 8
"""Beliefs that say who somebody is."""
_WHO_ONE_IS = ("name", "age", "job", "works_at", "lives_in", "partner", "relationship_status")


def is_who(held: Answer) -> bool:
    """Whether an answer says who somebody is, and not only what they do on Thursdays."""
    return any(fact.predicate in _WHO_ONE_IS or is_relation(fact.predicate) for fact in held.facts)


def profiled(asking: Asking) -> str | None:
    """Whom or what a question about everything is about; None where that is not known."""
    mention = asking.asked.primary
    if mention is not None:
        return mention.subjects[0] if mention.subjects and not asking.asked.required else None
    return "me" if asking.asked.about_me and not asking.asked.required else None


def _links(asking: Asking, subject: str) -> list[Fact]:
    """What somebody is to the others, or was where they are nothing now: (me, brother, Paul)."""
    every = [
        one for one in asking.beliefs.facts(None, None, believed=asking.believed)
        if is_relation(one.predicate) and one.object.lower() == subject.lower() and not one.negative
    ]  # fmt: skip
    return holding(every, asking.frame) or in_order(one for one in every if ends(one) <= asking.frame.now)[-1:]


def _as_kin(fact: Fact) -> str:
    noun = kin_noun(fact) if fact.subject == "me" else fact.predicate.replace("_", " ")
    return f"{whose(fact.subject)} {noun}"


def how_often(asking: Asking) -> Answer | None:
    """The frequency that was said with a habit."""
    found = [one.fact for one in matches(asking.asked, asking.facts) if frequency(one.fact) and not one.fact.negative]
    now = in_order(holding(found, asking.frame))
    if not now:
        return not_known(asking, found) if found else None
    return say(sentence(f"{clause(now[-1], past=asking.frame.past)} {frequency(now[-1])}"), now[-1:])


def frequency(fact: Fact) -> str:
    """How often, in the person's words."""
    return dict(fact.qualifiers).get("frequency", "")


def mentioned_on(facts: Iterable[Fact]) -> Instant | None:
    """When any of them was first said."""
    return min((source.said_at for fact in facts for source in fact.sources), default=None)
