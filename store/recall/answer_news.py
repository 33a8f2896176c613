"""How somebody is, is answered by the last that was told to have happened to them, in its own words: never by a yes."""

from __future__ import annotations

from store.beliefs.predicates import find
from store.recall.answer_frame import Asking, begins, is_event, say
from store.recall.answer_words import key, words_of
from store.recall.wording import day
from store.records import Answer, Fact, Source

_ASKING = frozenset(
    map(key, words_of("doing getting feeling coping keeping holding better well fine alright right today"))
)


def news(asking: Asking) -> Answer | None:
    """The latest news of somebody; None where nobody is named, nothing happened to them, or more is asked."""
    mention = asking.asked.primary
    if mention is None or not mention.person or not mention.subjects or asking.asked.required - _ASKING:
        return None
    told = [
        one for one in asking.beliefs.facts(mention.subjects[0], None, believed=asking.believed)
        if one.sources and _is_news(one) and begins(one) < asking.frame.end
    ]  # fmt: skip
    if not told or mention.subjects == ("me",):
        return None
    last = max(told, key=lambda one: _latest(one).said_at)
    return say(f"The last that I heard, on {day(_latest(last).said_at)}: “{_latest(last).quote}”", [last])


def _is_news(fact: Fact) -> bool:
    return is_event(fact) or find(fact.predicate).group == "health"


def _latest(fact: Fact) -> Source:
    return max(fact.sources, key=lambda one: one.said_at)
