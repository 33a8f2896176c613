"""A tool is named for a purpose only if what was said of it, or of what it replaced, speaks of that purpose.

"What note-taking tool am I using", "What do we use for the drawings", "What platform is my blog hosted on". The noun
that is asked for must fit what the tool is known to be; at least half of the other words must have been said around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from store.recall.answer_context import Described, described
from store.recall.answer_frame import Asking, coming, holding, in_order, say
from store.recall.answer_words import key, keys, words_of
from store.recall.questions import AUXILIARIES
from store.recall.software import GENERIC, SORTS
from store.recall.wording import clause, sentence, since
from store.records import Answer, Fact

_TOOLS = ("uses", "works_with")
_USING = frozenset(map(key, words_of("use work write host build keep store edit draw run track manage code")))
_OWNERS = frozenset(words_of("i we me us my our company team firm business office startup the"))
_MAKES_NO_ODDS = frozenset(map(key, words_of("new main primary my our version project main work use thing system")))
_MOST = 3
"""Tools that are named together where nothing tells which of them is meant."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a question asks for: the noun of the tool, and what else describes it."""

    head: str
    others: frozenset[str]


def tool_answer(asking: Asking) -> Answer | None:
    """What is used, for a question that asks for it by its sort or its purpose."""
    wanted = _wanted(asking)
    if not wanted:
        return None
    tools = described(asking, _tools(asking))
    chosen: dict[str, Described] = {}
    for one in wanted:
        found = _chosen(one, tools, names=asking.asked.names)
        if not found:
            return None
        chosen.update({each.fact.object.lower(): each for each in found})
    facts = in_order(each.fact for each in chosen.values())
    return say(" ".join(sentence(clause(fact, past=asking.frame.past), since(fact)) for fact in facts), facts)


def _tools(asking: Asking) -> list[Fact]:
    things = [one for mention in asking.asked.mentions if not mention.person for one in mention.subjects]
    subjects = [one for one in (*asking.asked.subjects, *things) if one != "me"]
    mine = asking.asked.about_me or not subjects
    known = [fact for subject in dict.fromkeys([*subjects, *(["me"] if mine else [])])
             for fact in asking.beliefs.facts(subject, _TOOLS, believed=asking.believed)
             if fact.predicate in _TOOLS and not fact.negative and not fact.disputed]  # fmt: skip
    ahead = coming(known, asking.frame) if asking.question.tense == "future" else []
    owned = [one for one in known if one.subject != "me"]
    now = holding(owned, asking.frame) or holding(known, asking.frame)
    return [*now, *(one for one in ahead if one not in now)]


def _wanted(asking: Asking) -> list[_Wanted]:
    """The tools that the question asks for; empty where it asks for something else."""
    words = [word.lower() for word in asking.question.words]
    if asking.question.kind != "value" or words[:1] not in (["what"], ["which"]):
        return []
    verb = next((at for at, word in enumerate(words) if word in AUXILIARIES), 0)
    if verb == 0 or not {key(word) for word in words[verb:]} & _USING:
        return []
    nouns, rest = words[1:verb], words[verb + 1 :]
    plainly = key("use") in {key(word) for word in rest}
    while rest and rest[0] in _OWNERS:
        rest = rest[1:]
    purpose = keys(" ".join(rest)) - _USING - _MAKES_NO_ODDS
    parts = [part.split() for part in " ".join(nouns).replace(" or ", " and ").split(" and ") if part.split()]
    heads = [part[-1] for part in parts]
    if not parts:
        return [_Wanted("", purpose)] if plainly and purpose else []
    if not plainly and not all(_is_sort(head) for head in heads):
        return []
    more = keys(" ".join(word for part in parts for word in part[:-1])) | purpose
    free = (
        _MAKES_NO_ODDS | {key(word) for word in GENERIC} | ({key(word) for word in heads} if len(heads) > 1 else set())
    )
    return [_Wanted(head, more - free) for head in heads]


def _is_sort(head: str) -> bool:
    return head in GENERIC or head.rstrip("s") in SORTS or head in SORTS


def _chosen(wanted: _Wanted, tools: Sequence[Described], names: frozenset[str]) -> list[Described]:
    """The tools that fit best; none where too little speaks for any."""
    fitting = [(tool, told) for tool in tools if (told := _fits(wanted, tool, names)) is not None]
    if not fitting:
        return []
    best = max(told for _, told in fitting)
    found = [one for one, told in fitting if told == best]
    return found if len(found) <= _MOST and (wanted.others or len(fitting) <= _MOST) else []


def _fits(wanted: _Wanted, tool: Described, names: frozenset[str]) -> tuple[int, int] | None:
    """How many of the other words its own words explain, and how many any words; None where it cannot be meant."""
    sure = not wanted.head or _is_a(wanted.head, tool)
    if sure is None or (not sure and not wanted.others):
        return None
    explained = wanted.others & (tool.words | keys(" ".join(tool.sorts)))
    if 2 * len(explained) < len(wanted.others) or (wanted.others - explained) & names:
        return None
    return len(wanted.others & tool.own), len(explained)


def _is_a(head: str, tool: Described) -> bool | None:
    """True where the tool is known to be what is asked for, None where it is known not to be; False: it may be."""
    noun = head if head in SORTS or head in GENERIC else head.rstrip("s")
    if noun in tool.sorts or key(noun) in keys(" ".join(tool.sorts)):
        return True
    if noun in GENERIC:
        return None if tool.sorts == {"language"} and noun not in ("tech", "stack", "technology", "tool") else True
    if key(noun) in tool.own:
        return True
    if noun in SORTS:
        return None if tool.sorts else False
    return None
