"""A belief answers a question only if it explains every word of it that means something; else it is another question's.

The words are explained by whom the belief is about, by its predicate, by its value or side details, and, but for names,
by the very words in which it was said. Whom it is about must be whom the question names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from store.beliefs import predicates
from store.beliefs.predicates import REGISTRY, Predicate
from store.reading.kin import PLURALS
from store.recall.answer_people import ME_WORDS, OWN_WORDS, BeliefSource, MentionFinder, QuestionMention
from store.recall.answer_sense import Sense, sense
from store.recall.answer_words import KIND_NAMES, LIGHT, START, STOP, key, keys, kind_of, tokens
from store.recall.questions import AUXILIARIES, Question
from store.recall.wording import is_relation
from store.records import Fact

_PLACES = frozenset(("place", "where", "location", "at", "in", "city", "country"))
_PLACE_NAMES = re.compile(r"(?:^|_)(?:in|at|location|place|kept|stored|parked|address|spot|venue|hidden)(?:_|$)")
_AT_A_PLACE = re.compile(r"(?i)^(?:in|at|on|under|behind|near|inside|next to|above|below|by)\s")


@dataclass(frozen=True, slots=True)
class Match:
    """A belief that explains a question."""

    fact: Fact
    score: float
    denied: bool = False
    """The question asks for the opposite ("Do I like it?" of a dislike)."""


@dataclass(frozen=True, slots=True)
class QuestionAbout:
    """A question with whom it is about."""

    question: Question
    mentions: tuple[QuestionMention, ...]
    about_me: bool
    """Its words say I, my, we or our."""
    subjects: tuple[str, ...]
    """Whom it is about, first the likeliest; empty where it does not say."""
    primary: QuestionMention | None
    required: frozenset[str]
    """The keys that a belief must explain; those of the primary mention left out."""
    light: frozenset[str]
    names: frozenset[str]
    """Keys of words that look like names: no quote explains them."""

    @property
    def unresolved(self) -> bool:
        """It is about somebody of whom nothing was said."""
        return self.primary is not None and not self.primary.subjects


def read(question: Question, beliefs: BeliefSource, believed: int | None) -> QuestionAbout:
    """Settle whom a question is about."""
    words = question.words
    mentions = MentionFinder(words, beliefs, believed).mentions()
    bare = [word.lower() for word in words]
    nominative = any(word in ME_WORDS for word in bare)
    inside = {at for mention in mentions for at in range(mention.start, mention.end)}
    own = any(word in OWN_WORDS and at not in inside for at, word in enumerate(bare))
    owning = any(word in OWN_WORDS for word in bare)
    primary = None if nominative and not _subject_first(question, mentions) else _primary(mentions)
    subjects = list(primary.subjects) if primary is not None else []
    if nominative or own or (owning and primary is not None and not primary.person):
        subjects.append("me")
    return _asked(question, mentions, primary, tuple(dict.fromkeys(subjects)), nominative or owning)


def _primary(mentions: Sequence[QuestionMention]) -> QuestionMention | None:
    """The first person, else the first thing."""
    return next((mention for mention in mentions if mention.person), mentions[0] if mentions else None)


def _subject_first(question: Question, mentions: Sequence[QuestionMention]) -> bool:
    """Whether somebody stands before the "I": "Does Paul know where I live" is about Paul."""
    at = next((at for at, word in enumerate(question.words) if word.lower() in ME_WORDS), len(question.words))
    verbs = {"i", "we"} & {question.words[at].lower()} if at < len(question.words) else set()
    return not verbs and any(mention.end <= at and not mention.relation for mention in mentions)


def _asked(
    question: Question,
    mentions: Sequence[QuestionMention],
    primary: QuestionMention | None,
    subjects: tuple[str, ...],
    about_me: bool,
) -> QuestionAbout:
    every = frozenset(question.keys)
    told = every - (primary.keys if primary is not None else frozenset())
    heavy = told - LIGHT
    names = frozenset(key(word) for at, word in enumerate(question.words) if at > 0 and word[:1].isupper()) - {""}
    return QuestionAbout(question, tuple(mentions), about_me, subjects, primary, heavy, told & LIGHT, names)


# ---------------------------------------------------------------------------------------------------------- the facts


def candidates(asked: QuestionAbout, beliefs: BeliefSource, believed: int | None) -> list[Fact]:
    """The beliefs about those whom the question names; for one that names nobody, about everybody and everything."""
    if asked.unresolved:
        return beliefs.facts("me", None, believed=believed)
    if not asked.subjects:
        return beliefs.facts(None, None, believed=believed)
    wanted = dict.fromkeys(asked.subjects)
    if asked.about_me or any(not one.person for one in asked.mentions) or asked.question.kind == "when":
        wanted["me"] = None
    facts = [fact for subject in wanted for fact in beliefs.facts(subject, None, believed=believed)]
    things = [one for mention in asked.mentions if not mention.person for one in mention.subjects if one not in wanted]
    return facts + [one for subject in things for one in beliefs.facts(subject, None, believed=believed)]


def matches(asked: QuestionAbout, facts: Iterable[Fact], *, free: frozenset[str] = frozenset()) -> list[Match]:
    """The beliefs that explain the question, best first; `free` are keys that need no explaining."""
    found = [one for fact in facts if (one := match(asked, fact, free)) is not None]
    return sorted(found, key=lambda one: -one.score)


def match(asked: QuestionAbout, fact: Fact, free: frozenset[str] = frozenset()) -> Match | None:
    """How well a belief explains a question; None if a word is left over or it is about somebody else."""
    own = sense(fact.predicate)
    value = keys(fact.object)
    if asked.required and not _touches(asked.required, own, value):
        return None
    if _is_anothers(asked, fact.object):
        return None
    required = _required_of(asked, fact)
    if required is None:
        return None
    required -= free
    by_predicate = (required & own.exact) | _kind_named(required, fact.predicate)
    by_opposite = required & own.opposite
    by_value = required & value
    kind = kind_of(fact.object)
    named = "language" if kind == "programming" else kind
    by_kind = frozenset(word for word in required if KIND_NAMES.get(word) == named and named is not None)
    by_kind -= by_predicate  # a cavaquinho is played as a piano is, though no list knows its kind
    left = required - by_predicate - by_opposite - by_value - by_kind
    if left and not _quoted(asked, left, fact, bool(by_predicate or by_value)):
        return None
    if _wrong_kind(required, kind) or not _reached(
        asked, fact, by_predicate | by_opposite, by_value | by_kind, required
    ):
        return None
    of_kind = bool(_kind_named(required, fact.predicate))
    missing = frozenset() if of_kind else own.needed - by_predicate - keys(fact.subject) - asked.light
    if missing and not (by_value >= required and required):
        return None
    score = 2.0 * len(by_predicate | by_opposite) + 2.0 * len(by_value) + 1.5 * len(by_kind) - 0.5 * len(left)
    score += 0.5 if fact.subject in _first_asked(asked) else 0.0
    score += 0.3 * len(asked.light & own.exact) - (1.0 if missing else 0.0)
    return Match(fact, score, denied=bool(by_opposite) != fact.negative)


def _first_asked(asked: QuestionAbout) -> tuple[str, ...]:
    """Whom the question is about in the first place: one, or all whom a plural means ("my parents")."""
    primary = asked.primary
    if primary is not None and asked.question.words[primary.end - 1].lower() in PLURALS:
        return primary.subjects
    return asked.subjects[:1]


def _is_anothers(asked: QuestionAbout, value: str) -> bool:
    """ "When is my birthday" is not answered by (me, happened, "Callum's birthday")."""
    if "'s " not in value and "’s " not in value:
        return False
    owners = {key(word) for word in tokens(value) if word.replace("’", "'").endswith("'s")} - {""}
    named = set(asked.question.keys) | {word for mention in asked.mentions for word in mention.keys}
    return asked.question.kind != "value" and asked.about_me and not owners <= named


def _touches(required: frozenset[str], own: Sense, value: frozenset[str]) -> bool:
    """A quick look that spares most beliefs the full one: whether any word is theirs at all."""
    return not (
        required.isdisjoint(own.exact)
        and required.isdisjoint(value)
        and required.isdisjoint(own.opposite)
        and required.isdisjoint(_KINDS_ASKED)
    )


_KINDS_ASKED = frozenset(KIND_NAMES)


def _required_of(asked: QuestionAbout, fact: Fact) -> frozenset[str] | None:
    """The keys that this belief has to explain, which depends on whom it is about; None if it is about another."""
    primary = asked.primary
    if fact.subject in asked.subjects and not (
        fact.subject == "me" and primary is not None and primary.subjects != ("me",)
    ):
        return asked.required
    whole = asked.required | (primary.keys if primary is not None else frozenset())
    if fact.subject == "me" and primary is not None:
        return whole if _names_the_owner(primary, fact, whole) else None
    if fact.subject == "me":
        return whole if asked.about_me or not _strangers(asked) or _is_an_occasion_of(asked, fact) else None
    if not asked.subjects and not asked.names and fact.subject[:1].islower() and not fact.subject.startswith("my "):
        own = sense(fact.predicate)  # "What is the door code": of whatever thing has one
        if asked.required and own.needed and own.needed <= asked.required <= own.exact:
            return asked.required
    subject = keys(fact.subject)
    thing = fact.subject[:1].islower() and not fact.subject.startswith("my ")
    if asked.subjects not in ((), ("me",)) and not any(fact.subject in mention.subjects for mention in asked.mentions):
        return None
    if subject and subject <= whole and (thing or asked.primary is None):
        return whole - subject
    return None


def _names_the_owner(primary: QuestionMention, fact: Fact, whole: frozenset[str]) -> bool:
    """A belief about the person answers a question about another only if its value names them, and what is theirs."""
    value = keys(fact.object)
    if not primary.person:
        return primary.keys <= value | sense(fact.predicate).exact
    if not primary.keys <= value:
        return False
    return not primary.possessive or (not is_relation(fact.predicate) and len(value & whole) > len(primary.keys))


def _is_an_occasion_of(asked: QuestionAbout, fact: Fact) -> bool:
    """ "When is supper at Priya's": what takes place names the stranger itself."""
    event = predicates.find(fact.predicate).temporal == "event"
    return event and asked.question.kind == "when" and frozenset() < asked.names <= keys(fact.object)


def _strangers(asked: QuestionAbout) -> bool:
    """Whether it names somebody unknown, or says he, she or they."""
    pronouns = {"he", "she", "they", "his", "her", "their", "him", "them", "your", "you"}
    return bool(asked.names) or any(word.lower() in pronouns for word in asked.question.words)


def _quoted(asked: QuestionAbout, left: frozenset[str], fact: Fact, anchored: bool) -> bool:
    """Whether the words of the belief's source explain what is left. A name in them is not enough, and a value beside
    others (what one likes, owns, did) has to explain itself."""
    if not anchored or left & asked.names or len(left) > 2:
        return False
    if predicates.find(fact.predicate).cardinality == "many" and fact.predicate in REGISTRY:
        return False
    return any(left <= keys(source.quote) for source in fact.sources)


@lru_cache(maxsize=4096)
def _kind_of_name(predicate: str) -> str | None:
    return kind_of(predicate.replace("_", " "))


def _kind_named(required: frozenset[str], predicate: str) -> frozenset[str]:
    """The words that name the kind of the predicate itself: "pet" of (Ines, parrot, "Coco")."""
    kind = _kind_of_name(predicate) if predicate not in REGISTRY else None
    return frozenset(word for word in required if kind is not None and KIND_NAMES.get(word) == kind)


def _wrong_kind(required: frozenset[str], kind: str | None) -> bool:
    """The question names a kind ("instrument") and the value is known to be of another ("football")."""
    asked = {KIND_NAMES[word] for word in required if word in KIND_NAMES}
    return (
        bool(asked) and kind is not None and kind not in asked and not (kind == "programming" and "language" in asked)
    )


def _reached(
    asked: QuestionAbout, fact: Fact, by_predicate: frozenset[str], by_value: frozenset[str], required: frozenset[str]
) -> bool:
    """Whether it is this predicate that is asked for: by a word of its own, or, for "what class do I go to", by
    the noun after the question word together with a fitting verb."""
    if by_predicate:
        return True
    fitting = bool(asked.light & sense(fact.predicate).exact)
    if not required:
        return fitting or not asked.light
    if asked.question.kind not in ("value", "how_many", "before", "after", "changed"):
        return bool(by_value)
    beside = answer_value(asked.question, fact) != fact.object  # a side detail answers: where it was, with whom
    return fitting and bool(by_value if beside else by_value & _after_wh(asked.question.words))


def _after_wh(words: Sequence[str]) -> frozenset[str]:
    """The keys of the noun group that stands right after the question word."""
    nouns = words[1:4] if words and words[0].lower() in ("what", "which", "how") else ()
    group: list[str] = []
    for word in nouns:
        if word.lower() in AUXILIARIES:
            break
        group.append(key(word))
    return frozenset(group) - {""}


# --------------------------------------------------------------------------------------------------- the right answer


_NAME_LIKE = re.compile(r"(?:(?:the|a|an) )?[A-Z0-9]")


def fits(question: Question, fact: Fact) -> bool:
    """Whether the value is of the sort that the question word asks for."""
    known = predicates.find(fact.predicate)
    wh = question.wh
    if key("name") in question.keys and known.name != "name" and not _NAME_LIKE.match(fact.object):
        return False
    if wh == "where":
        return _is_place(known, fact)
    if wh == "who":
        return _is_person(known, fact)
    if wh in ("what", "which") and known.asks and not {"what", "which"} & set(known.asks):
        return bool(_noun_keys(known) & set(question.keys)) or is_relation(known.name)
    if wh == "how":  # neither a place, nor somebody, nor a job is a way
        return not (fact.predicate.startswith("favourite") or known.name == "job" or {"where", "who"} & set(known.asks))
    if wh == "how much":
        return bool(re.search(r"\d", fact.object)) or "how much" in known.asks
    return True


@lru_cache(maxsize=1024)
def _nouns_of(name: str) -> frozenset[str]:
    known = predicates.find(name)
    return keys(" ".join(known.nouns))


def _noun_keys(known: Predicate) -> frozenset[str]:
    return _nouns_of(known.name)


def _is_place(known: Predicate, fact: Fact) -> bool:
    if "where" in known.asks:
        return True
    if any(name in _PLACES for name, _ in fact.qualifiers):
        return True
    return known.name not in REGISTRY and bool(_PLACE_NAMES.search(fact.predicate) or _AT_A_PLACE.match(fact.object))


def _is_person(known: Predicate, fact: Fact) -> bool:
    if "who" in known.asks or known.name in ("works_at", "likes"):
        return True
    if any(name == "with" for name, _ in fact.qualifiers):
        return True
    return known.name not in REGISTRY and fact.object[:1].isupper()


def answer_value(question: Question, fact: Fact) -> str:
    """The value that answers the question word: the object, or the side detail that is asked for."""
    known = predicates.find(fact.predicate)
    if question.wh == "where" and "where" not in known.asks:
        return next((value for name, value in fact.qualifiers if name in _PLACES), fact.object)
    if question.wh == "who" and "who" not in known.asks:
        return next((value for name, value in fact.qualifiers if name == "with"), fact.object)
    return fact.object


def told_already(question: Question, fact: Fact) -> bool:
    """Whether the question says the value itself, so that the value cannot be what it asks for."""
    value = keys(answer_value(question, fact))
    return bool(value) and value <= frozenset(question.keys)


def about_change(keys_asked: Iterable[str]) -> tuple[bool, bool]:
    """Whether the words ask for a beginning, and whether for an end."""
    told = set(keys_asked)
    return bool(told & START), bool(told & STOP)
