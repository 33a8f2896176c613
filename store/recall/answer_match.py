"""A belief answers a question only if it explains every word of it that means something; else it is another question's.

The words are explained by whom the belief is about, by its predicate and by its value. Whom it is about must be whom
the question names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from store.beliefs import predicates
from store.recall.answer_people import ME_WORDS, OWN_WORDS, BeliefSource, MentionFinder, QuestionMention
from store.recall.answer_sense import sense
from store.recall.answer_words import KIND_NAMES, LIGHT, NUMBER, START, STOP, key, keys, kind_of
from store.recall.questions import AUXILIARIES, Question
from store.recall.wording import is_relation
from store.records import Fact

_PLACES = frozenset(("place", "where", "location", "at", "in", "city", "country"))


@dataclass(frozen=True, slots=True)
class Match:
    """A belief that explains a question."""

    fact: Fact
    score: int
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
    of_doer: bool = False
    """It asks who does something, or has it: whoever a belief is about is the answer."""

    @property
    def unresolved(self) -> bool:
        """It is about somebody of whom nothing was said."""
        return self.primary is not None and not self.primary.subjects


def read(question: Question, beliefs: BeliefSource, believed: int | None) -> QuestionAbout:
    """Settle whom a question is about."""
    words = question.words
    mentions = MentionFinder(words, beliefs, believed).mentions()
    bare = [word.lower() for word in words]
    named = next((mention for mention in mentions if mention.person), mentions[0] if mentions else None)
    does, of_nobody = _WHO_DOES.match(question.core), named is None and _WHO_IS.match(question.core)
    of_doer = question.kind in ("value", "profile") and bool(does or of_nobody)
    nominative = any(word in ME_WORDS for word in bare)
    owning = any(word in OWN_WORDS for word in bare)
    primary = None if nominative else named
    subjects = list(primary.subjects) if primary is not None else []
    if nominative or (owning and (primary is None or not primary.person)):
        subjects.append("me")
    told = frozenset(question.keys) - (primary.keys if primary is not None else frozenset())
    return QuestionAbout(
        question, tuple(mentions), nominative or owning, tuple(dict.fromkeys(subjects)), primary, told - LIGHT,
        told & LIGHT, of_doer,
    )  # fmt: skip


_WHO_DOES = re.compile(
    rf"(?i)who (?:has|had|(?!(?:{'|'.join(AUXILIARIES)})\b)\w+)\b(?! (?:(?:to|with) )?(?:i|we|you)\b)"
    r"(?!.*\bwith (?:me|us)\b)"
)
_WHO_IS = re.compile(r"(?i)who (?:is|are|was) (?!(?:my|our|the|an?|i|we|he|she|it|they|that|this|you)\b)\w")

# ---------------------------------------------------------------------------------------------------------- the facts


def candidates(asked: QuestionAbout, beliefs: BeliefSource, believed: int | None) -> list[Fact]:
    """The beliefs about those whom the question names; for one that names nobody, about everybody and everything."""
    if asked.of_doer or (not asked.subjects and not asked.unresolved):
        return beliefs.facts(None, None, believed=believed)
    things = [one for mention in asked.mentions if not mention.person for one in mention.subjects]
    about = dict.fromkeys([*asked.subjects, "me", *things])
    return [fact for subject in about for fact in beliefs.facts(subject, None, believed=believed)]


def matches(asked: QuestionAbout, facts: Iterable[Fact], *, free: frozenset[str] = frozenset()) -> list[Match]:
    """The beliefs that explain the question, best first; `free` are keys that need no explaining."""
    found = [one for fact in facts if (one := match(asked, fact, free)) is not None]
    return sorted(found, key=lambda one: -one.score)


def doers(asked: QuestionAbout, facts: Iterable[Fact]) -> list[Match]:
    """The beliefs whose subject is who does or has what is asked for, best first: "who sends me nougat"."""
    if not asked.of_doer:
        return []
    whole = asked.required | (asked.primary.keys if asked.primary is not None else frozenset())
    by_state = _WHO_IS.match(asked.question.core) is not None
    found = []
    for fact in facts:
        own, value = sense(fact.predicate), keys(fact.object)
        left = whole - own.exact
        if asked.about_me and fact.subject == "me":
            continue  # "who lives in my flat" asks for somebody else
        if left and left <= value and not own.needed - (whole & own.exact) and (value <= whole or not by_state):
            found.append(Match(fact, len(whole), denied=fact.negative))
    return found


def match(asked: QuestionAbout, fact: Fact, free: frozenset[str] = frozenset()) -> Match | None:
    """How well a belief explains a question; None if a word is left over or it is about somebody else."""
    own, value = sense(fact.predicate), keys(fact.object)
    if asked.required and asked.required.isdisjoint(own.exact | own.opposite | value):
        return None
    required = _required_of(asked, fact)
    if required is None:
        return None
    kinds = required & KIND_NAMES.keys()
    if (
        kinds and (kind := kind_of(fact.object)) is not None
    ):  # "which instruments": of what is known to be one, and of nothing else
        if kind not in (KIND_NAMES[word] for word in kinds):
            return None
        required -= kinds - own.exact
    required -= free
    by_predicate, by_value = required & (own.exact | own.opposite), required & value
    if required - by_predicate - by_value or not _reached(asked, fact, by_predicate, required):
        return None
    if own.needed - by_predicate - keys(fact.subject):
        return None
    return Match(fact, len(by_predicate) + len(by_value), denied=bool(required & own.opposite) != fact.negative)


def _required_of(asked: QuestionAbout, fact: Fact) -> frozenset[str] | None:
    """The keys that this belief has to explain, which depends on whom it is about; None if it is about another."""
    primary = asked.primary
    if fact.subject in asked.subjects and (fact.subject != "me" or primary is None):
        return asked.required
    whole = asked.required | (primary.keys if primary is not None else frozenset())
    if fact.subject == "me":  # of another it answers only if its value names them
        named = primary is None or not primary.person or primary.keys <= keys(fact.object)
        return whole if named else None
    own, subject = sense(fact.predicate), keys(fact.subject)
    thing = fact.subject[:1].islower() and not fact.subject.startswith("my ")
    if thing and not asked.subjects and own.needed and own.needed <= asked.required <= own.exact:
        return asked.required  # "What is the door code": of whatever thing has one
    return whole - subject if subject and subject <= whole and (thing or primary is None) else None


def _reached(asked: QuestionAbout, fact: Fact, by_predicate: frozenset[str], required: frozenset[str]) -> bool:
    """Whether it is this predicate that is asked for: by a word of its own, by a fitting verb, or by its value."""
    if by_predicate:
        return True
    by_verb = not asked.light.isdisjoint(sense(fact.predicate).exact)
    if not required:
        return by_verb or not asked.light
    if asked.question.kind not in ("value", "how_many", "before", "after", "changed"):
        return True
    words = asked.question.words[len(asked.question.wh.split()) :]  # "how much losartan do I take", but no "what bike"
    return by_verb and bool(required & keys(" ".join(words[:1]))) and not keys(fact.object) <= required


# --------------------------------------------------------------------------------------------------- the right answer


def fits(question: Question, fact: Fact) -> bool:
    """Whether the value is of the sort that the question word asks for."""
    known = predicates.find(fact.predicate)
    wh = question.wh
    if key("name") in question.keys and known.name != "name" and not fact.object[:1].isupper():
        return False
    if wh == "where":
        return "where" in known.asks or any(name in _PLACES for name, _ in fact.qualifiers)
    if wh == "who":
        return "who" in known.asks or known.name == "works_at"
    if wh in ("what", "which") and known.asks and not {"what", "which"} & set(known.asks):
        return bool(keys(" ".join(known.nouns)) & set(question.keys)) or is_relation(known.name)
    return wh != "how much" or "how much" in known.asks or NUMBER.search(fact.object) is not None


def answer_value(question: Question, fact: Fact) -> str:
    """The value that answers the question word: the object, or the place where it was."""
    if question.wh == "where" and "where" not in predicates.find(fact.predicate).asks:
        return next((value for name, value in fact.qualifiers if name in _PLACES), fact.object)
    return fact.object


def about_change(keys_asked: Iterable[str]) -> tuple[bool, bool]:
    """Whether the words ask for a beginning, and whether for an end."""
    told = set(keys_asked)
    return bool(told & START), bool(told & STOP)
