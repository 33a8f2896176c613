"""The course of a matter is told by its own figures in order of time, each in the words in which it was said.

"How has my model's performance evolved", "How have our app metrics changed": every figure that changed and was said of
the matter that the question names. A matter of which nothing was measured has no course.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from store.beliefs import predicates
from store.beliefs.predicates import REGISTRY
from store.recall.answer_context import Described, described
from store.recall.answer_frame import Asking, holding, in_order, is_event, say
from store.recall.answer_words import LIGHT, key, keys, words_of
from store.recall.wording import day, whose
from store.records import Answer, Fact, Source

_FIGURES = frozenset(map(key, words_of(
    "performance result metric number figure stat statistic score scope size scale traffic usage growth quality "
    "progress reach audience kpi numbers engagement"
)))  # fmt: skip
"""Words that ask for whatever was measured."""
_FREE = frozenset(map(key, words_of(
    "change evolve develop progress improve grow history evolution course trace show over beginning begin start since "
    "overall far happen go increase decrease time"
)))  # fmt: skip
_SCORES = frozenset(words_of("f1 accuracy precision recall auc map bleu rouge wer score perplexity loss"))
_SCORED = frozenset(map(key, words_of("model experiment classifier network benchmark training")))
"""What a score of this kind is always of."""
_TAIL = re.compile(r"(?i)\b(?:since|from|across|after|between|over)\b.*$")
_BOTH = re.compile(r"(?i)\bfrom\b.{0,30}\d.{0,20}\bto\b.{0,12}\d")
_SENTENCE = re.compile(r"[^.!?\n]*(?:[.!?](?=\S)[^.!?\n]*)*[.!?\n]?")
_MOST, _LONGEST = 5, 180


def course(asking: Asking) -> Answer | None:
    """How whatever was measured of a matter changed; None where nothing did."""
    asked = keys(_TAIL.sub("", asking.question.core)) - _FREE - LIGHT
    figures, topic = asked & _FIGURES, asked - _FIGURES
    slots = _slots(asking)
    described_by = {one.fact.id: one for one in described(asking, [fact for slot in slots for fact in slot])}
    on_it = [slot for slot in slots if _is_of(slot, topic, bool(figures), described_by)]
    told = sorted((slot for slot in on_it if _changed(slot)), key=lambda slot: -len(slot))[:_MOST]
    if not asked or not told:
        return None
    texts = asking.beliefs.texts([source.episode for slot in told for fact in slot for source in fact.sources])
    return say(" ".join(_line(slot, texts) for slot in told), [fact for slot in told for fact in slot])


def _slots(asking: Asking) -> list[list[Fact]]:
    """The person's own figures, and those of their things, by slot in order of time; neighbours of equal value are
    one."""
    found: dict[tuple[str, str], list[Fact]] = {}
    every = asking.beliefs.facts(None, None, believed=asking.believed)
    for fact in holding(every, asking.frame) if asking.frame.stretch is not None else every:
        own = fact.subject == "me" or fact.subject[:1].islower()
        if own and _is_figure(fact) and not fact.negative and not is_event(fact):
            found.setdefault((fact.subject, fact.predicate), []).append(fact)
    slots = [in_order(slot) for slot in found.values()]
    return [[one for at, one in enumerate(slot) if at == 0 or one.object != slot[at - 1].object] for slot in slots]


def _is_figure(fact: Fact) -> bool:
    measured = predicates.find(fact.predicate).name not in REGISTRY or fact.predicate in ("team_size", "weight")
    return measured and bool(re.match(r"(?i)(?:about |around |~)?[$€£]?\d", fact.object)) and len(fact.object) < 24


def _is_of(slot: Sequence[Fact], topic: frozenset[str], any_figure: bool, by_id: Mapping[str, Described]) -> bool:
    """Whether the question is about this slot: by its name, or, where it asks for figures, by what was said around."""
    name = keys(f"{slot[0].subject} {slot[0].predicate}")
    if topic and topic <= name | frozenset().union(*(keys(one.object) for one in slot)):
        return True
    if not any_figure or not topic:
        return any_figure and not topic
    words = name.union(*(by_id[one.id].words for one in slot))
    words |= _SCORED if slot[0].predicate in _SCORES else frozenset()
    return 2 * len(topic & words) > len(topic)


def _changed(slot: Sequence[Fact]) -> bool:
    return len({one.object for one in slot}) > 1 or any(_BOTH.search(source.quote) for source in slot[0].sources)


def _line(slot: Sequence[Fact], texts: Mapping[str, str]) -> str:
    """ "Your F1: 42% on 5 January 2026 ("My first experiment got ..."), then ..."."""
    noun = slot[0].predicate.removeprefix("number_of_").replace("_", " ")
    owner = whose(slot[0].subject)
    firsts = [(one.object, min(one.sources, key=lambda source: source.said_at.us)) for one in slot if one.sources]
    steps = [f"{value} on {day(first.said_at)} ({_said(first, texts)})" for value, first in firsts]
    return f"{owner[:1].upper()}{owner[1:]} {noun}: {', then '.join(steps)}."


def _said(source: Source, texts: Mapping[str, str]) -> str:
    """The sentence that says it, cut where it grows too long."""
    text = texts.get(source.episode, "")
    whole = next((found.group().strip() for found in _SENTENCE.finditer(text)
                  if found.start() <= source.start < found.end()), "") or source.quote  # fmt: skip
    return f'"{whole if len(whole) <= _LONGEST else source.quote}"'
