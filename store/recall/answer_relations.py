"""A relation is answered by the names of those who stand in it; one in which nobody was named is answered by nobody.

Here: "What is my daughter's name", "Who is Paul's wife", "What are my sons called".
"""

from __future__ import annotations

from collections.abc import Sequence

from store.beliefs.predicates import DEATH
from store.recall.answer_frame import Asking, abstain, begins, ends, holding, in_order, say
from store.recall.answer_people import QuestionMention, finest, fits_gender, relation_names
from store.recall.answer_words import key
from store.recall.wording import clause, dated, sentence, until, whose
from store.records import Answer, Fact, Precision

_NAMING = frozenset(key(word) for word in ("name", "called", "be"))


def relation_asked(asking: Asking) -> QuestionMention | None:
    """The relation whose name is wanted: "What is my daughter's name", "Who is Paul's wife"."""
    asked = asking.asked
    one = asked.primary
    named = one is not None and one.relation and asking.question.wh in ("who", "what", "which", "")
    return one if named and not asked.required and not asked.light - _NAMING else None


def relation_answer(asking: Asking, mention: QuestionMention) -> Answer:
    """The names of those who stand in the relation."""
    wanted = relation_names(mention.relation)
    facts = [
        fact
        for fact in asking.beliefs.facts(mention.owner, wanted, believed=asking.believed)
        if fact.predicate in wanted and not fact.negative and fits_gender(mention.relation, fact)
    ]
    now = finest(holding(facts, asking.frame))
    if not now:
        untold = abstain(f"I don't know who {whose(mention.owner)} {mention.relation} was {asking.frame.words()}.")
        return _ended_relation(facts, asking) or (untold if facts else unresolved(mention))
    past = asking.frame.past or all(death(asking, one.object) for one in now)
    return say(" ".join(map(sentence, by_relation(now, past=past))), now)


def by_relation(facts: Sequence[Fact], *, past: bool = False) -> list[str]:
    """One clause for each relation, with all who stand in it."""
    ordered = in_order(facts)
    slots = {one.predicate: [other for other in ordered if other.predicate == one.predicate] for one in facts}
    return [clause(same[0], [one.object for one in same], past=past) for same in slots.values()]


def death(asking: Asking, who: str) -> Fact | None:
    """That somebody died by the time that is asked about, with its day if that was told."""
    told = asking.beliefs.facts(who, (DEATH,), believed=asking.believed)
    over = [fact for fact in told if not fact.negative and begins(fact) < asking.frame.end]
    return max(over, key=lambda one: one.precision is not Precision.OPEN) if over else None


def on_its_day(fact: Fact) -> str:
    """When something took place, where that was told."""
    if fact.precision is Precision.OPEN or fact.valid_from is None:
        return ""
    return dated(fact.valid_from, fact.precision)


def _ended_relation(facts: Sequence[Fact], asking: Asking) -> Answer | None:
    over = [fact for fact in facts if ends(fact) <= asking.frame.start]
    if not over:
        return None
    last = max(over, key=ends)
    nobody = f"Nobody {'now' if asking.frame.stretch is None else 'then'}, as far as I know: "
    if asking.question.tense == "past" and asking.frame.stretch is None:
        nobody = ""
    when = "" if last.precision_to is Precision.OPEN else until(last)
    return say(sentence(f"{nobody}{clause(last, past=True)}", when), [last])


def unresolved(mention: QuestionMention) -> Answer:
    """Nobody is known by the relation."""
    owner = mention.owner.removesuffix("'s").removesuffix("’s")  # of words that resolve to nobody: "my son's"
    return abstain(f"I was never told about {whose(owner or 'me')} {mention.relation or 'that'}.")


def lead(words: str) -> str:
    """Words that stand before the clause, with their comma."""
    return f"{words}, " if words else ""
