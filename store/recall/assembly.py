"""A model is given beliefs, turns and a summary together: facts alone lose what was said, turns alone what holds now.

Beliefs come first: they are resolved in time, and each says since when it holds. A turn that only says what a chosen
belief rests on is left out, and so is one that is there already. All of it was said by `believed`, and no belief is
given that did not hold at the time that is asked about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from store.beliefs.predicates import with_trait
from store.recall.answer_frame import Asking, holding, is_event
from store.recall.answer_match import matches
from store.recall.answer_words import LIGHT, keys
from store.recall.scope import FOREVER
from store.recall.wording import date_of, dated
from store.records import Fact, Hit, Precision, Source
from store.text.nouns import MEALS

MOST_BELIEFS = 6
"""Beliefs that are given at most; the turns are the evidence."""
MOST_OF_ONE = 4
"""Beliefs about one person that are given because a question names them."""
ALMOST = 0.8
"""The share of a turn's words that a belief's quote must hold for the turn to add nothing."""


def assembled(asking: Asking, hits: Sequence[Hit], summary: Sequence[Source] = ()) -> tuple[Hit, ...]:
    """What is known that bears on a question, best first: beliefs, the turns that were found, and a summary."""
    beliefs = _bearing(asking)
    quotes = [source for fact in beliefs for source in fact.sources]
    turns = _once(hit for hit in hits if not _said_already(hit, quotes))
    given = {hit.id for hit in turns} | {source.episode for source in quotes}
    until = FOREVER if asking.believed is None else asking.believed
    sentences = [
        Hit("summary", one.episode, one.external_id, one.session, one.speaker, one.quote, one.said_at, 0.0)
        for one in summary
        if one.episode not in given and one.said_at.us <= until
    ]
    return (*(_belief(fact) for fact in beliefs), *turns, *sentences)


def _bearing(asking: Asking) -> list[Fact]:
    """The beliefs that explain the question, then those that share a word of it that matters, or two with what was
    said, what harms the person where it is of what one eats or takes, and the latest of those whom it names; as of its
    time."""
    held = holding(asking.facts, asking.frame)
    wanted = frozenset(asking.question.keys) - LIGHT
    matched = [match.fact for match in matches(asking.asked, held)]

    def shared(fact: Fact) -> int:
        own = wanted & keys(f"{fact.predicate} {fact.object} {fact.subject}")
        said = wanted & keys(" ".join(source.quote for source in fact.sources))
        return 2 * len(own) or len(said) if own or len(said) > 1 else 0

    latest = sorted(held, key=lambda one: (-one.believed_from.us, one.id))
    sharing = sorted(filter(shared, latest), key=lambda one: -shared(one))
    found = {one.id: one for one in (*matched, *_harmful(asking), *sharing, *_of_those_named(asking))}
    return list(found.values())[:MOST_BELIEFS]


def _harmful(asking: Asking) -> list[Fact]:
    """What the person is allergic to, and how they eat, where the question may be of food or medicine."""
    if MEALS.isdisjoint(word.lower() for word in asking.question.words):
        return []
    facts = asking.beliefs.facts("me", (*with_trait("harms"), "diet"), believed=asking.believed)
    return [one for one in holding(facts, asking.frame) if not one.negative][:MOST_OF_ONE]


def _of_those_named(asking: Asking) -> list[Fact]:
    """The latest beliefs about those whom a question names: "a note to congratulate Eva" is of what Eva has."""
    named = dict.fromkeys(who for one in asking.asked.mentions if one.person for who in one.subjects)
    found: list[Fact] = []
    for who in named:
        facts = holding(asking.beliefs.facts(who, None, believed=asking.believed), asking.frame)
        found += sorted(facts, key=lambda one: -one.believed_from.us)[:MOST_OF_ONE]
    return found


def _belief(fact: Fact) -> Hit:
    said = max((source.said_at for source in fact.sources), default=fact.believed_from)
    return Hit("fact", fact.id, None, "", "", _worded(fact), said, 0.0)


def _worded(fact: Fact) -> str:
    """A belief with when it holds: "You live in Lisbon. (since June 2023)"."""
    begun = None if fact.precision is Precision.OPEN else fact.valid_from
    parts = []
    if begun is not None:
        parts.append(dated(begun, fact.precision) if is_event(fact) else f"since {date_of(begun, fact.precision)}")
    if fact.valid_to is not None and not is_event(fact):
        parts.append(f"until {date_of(fact.valid_to, fact.precision_to)}")
    about = ", ".join(part for part in (" ".join(parts), "disputed" if fact.disputed else "") if part)
    return f"{fact.text} ({about})" if about else fact.text


def _once(hits: Iterable[Hit]) -> list[Hit]:
    """Each wording once, by the same speaker; the best stays."""
    found: dict[tuple[str, str], Hit] = {}
    for hit in hits:
        found.setdefault((hit.speaker, " ".join(hit.text.split()).casefold()), hit)
    return list(found.values())


def _said_already(hit: Hit, quotes: Iterable[Source]) -> bool:
    """Whether a belief's quote is nearly all that a turn says."""
    if hit.kind != "episode":
        return False
    length = len(hit.text.strip())
    return any(quote.episode == hit.id and quote.end - quote.start >= ALMOST * length for quote in quotes)
