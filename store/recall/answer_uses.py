"""What is used for something is the latest whose turns, or those of what it took the place of, speak of it."""

from __future__ import annotations

from store.recall.answer_frame import Asking, begins, holding, say
from store.recall.answer_words import key, keys
from store.recall.wording import clause, sentence, since
from store.records import Answer, Fact

_USE = key("use")
_SORTS = keys(
    "tool app application software program system platform framework language engine service technology tech stack"
    " library brand kind thing company team project main current"
)
"""Words for what sort of thing is used, which few name when they tell of it."""


def used(asking: Asking) -> Answer | None:
    """ "What note-taking tool do I use": Notion, which took the place of what was used "for all my note-taking"."""
    asked = asking.asked
    if asking.question.wh not in ("what", "which") or _USE not in asked.required | asked.light:
        return None
    told = asking.beliefs.facts(
        "me" if asked.about_me else (asked.subjects or ("me",))[0], ("uses",), believed=asking.believed
    )
    now = [one for one in holding(told, asking.frame) if not one.negative]
    wanted = asked.required - {_USE} - _SORTS or asked.required - {_USE}
    shared = {one.id: len(wanted & keys(_spoken(asking, one))) for one in now}
    best = max(shared.values(), default=0)
    if not now or 3 * best < len(wanted) or (not best and len(now) > 1):
        return None
    one = max((fact for fact in now if shared[fact.id] == best), key=begins)
    return say(sentence(clause(one), since(one)), [one])


def _spoken(asking: Asking, fact: Fact) -> str:
    """The turns that speak of what is used, and of all that it took the place of."""
    before = {one.id: one for one in asking.beliefs.history(fact.subject, fact.predicate)}
    chain, link = [fact], fact
    while link.supersedes in before and before[link.supersedes] not in chain:
        link = before[link.supersedes]
        chain.append(link)
    own = {source.episode for source in fact.sources}  # "we've switched from Trello to Linear" ends what it names
    chain += [one for one in before.values() if one.valid_to is not None and own & {it.episode for it in one.sources}]
    texts = asking.beliefs.texts([source.episode for one in chain for source in one.sources])
    return " ".join([fact.object, *texts.values()])
