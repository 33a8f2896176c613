"""A question is about somebody only if its words name them; "my sister" is nobody until a sister was named.

A mention is a stretch of the question's words that names a known person, pet or thing, directly ("Paul") or by relation
("my brother's wife"). One that resolves to nobody stays, unresolved, so that it is never answered from somebody else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Protocol

from store.beliefs.predicates import REGISTRY, find, with_trait
from store.beliefs.values import value_key
from store.reading.kin import FAMILIAR
from store.recall.answer_words import key, keys, tokens, words_of
from store.recall.wording import is_relation
from store.records import Entity, Fact, Hit

if TYPE_CHECKING:
    from store.recall.evidence import Evidence

ME_WORDS = frozenset(("i", "me", "we", "us", "myself"))
OWN_WORDS = frozenset(("my", "our", "mine", "ours"))
_ADJECTIVES = frozenset(
    words_of("older elder younger big little best oldest youngest eldest late dear own good close new")
)
_CALLED_BY_KIN = frozenset(word for word, name in FAMILIAR.items() if name.endswith(("mother", "father")))
_HUSBANDS, _WIVES = frozenset(("husband", "boyfriend")), frozenset(("wife", "girlfriend"))


class BeliefSource(Protocol):
    """What answers need of the store."""

    def subjects(self) -> Sequence[Entity]:
        """Everybody and everything known, with aliases; the person is "me"."""
        ...

    def facts(self, subject: str | None, predicates: Sequence[str] | None, *, believed: int | None) -> list[Fact]:
        """Every rectangle believed at `believed` (None: now), over all of world time."""
        ...

    def history(self, subject: str, predicate: str | None) -> list[Fact]:
        """Every rectangle that was ever believed, of one predicate or of all."""
        ...

    def unsure(self, subject: str, believed: int | None, predicate: str) -> list[Fact]:
        """What the reader was unsure of, the latest first, of one predicate, said no later than `believed`; a
        source's speaker is "me" where the person said it."""
        ...

    def resting_on(self, episodes: Sequence[str]) -> list[Fact]:
        """Every rectangle that was ever believed on account of some turns."""
        ...

    def texts(self, episodes: Sequence[str]) -> Mapping[str, str]:
        """The words of some turns, by episode id."""
        ...

    def evidence(self, question: str, k: int, believed: int | None) -> Sequence[Evidence]:
        """Turns that may answer, said no later than `believed`, measured beside the questions that they answered."""
        ...

    def documents(self, question: str, k: int, believed: int | None) -> Sequence[Evidence]:
        """Of these, the parts of documents."""
        ...

    def said_next(self, after: Hit, k: int, believed: int | None) -> Sequence[Hit]:
        """The next turns by whoever said one, none said after `believed`."""
        ...


@dataclass(frozen=True, slots=True)
class QuestionMention:
    """Words of a question that name somebody or something."""

    start: int
    end: int
    """words[start:end]"""
    subjects: tuple[str, ...]
    """Canonical names; empty where the words resolve to nobody."""
    keys: frozenset[str]
    owner: str = ""
    """Of a relation: whose ("me", "Paul")."""
    relation: str = ""
    """Of a relation: its noun as asked ("wife")."""
    possessive: bool = False
    """"Paul's": what follows belongs to them."""
    person: bool = True


@lru_cache(maxsize=4096)
def relation_names(noun: str) -> tuple[str, ...]:
    """The registry's relation predicates that a noun may ask for: "wife" partner; "siblings" brother and sister."""
    return _relations().get(key(noun), ())


@cache
def _relations() -> dict[str, tuple[str, ...]]:
    """By the key of a noun, the relations that it may ask for, the finer ones first: siblings are brothers, too."""
    table = {key("family"): with_trait("family"), key("grandparent"): ("grandmother", "grandfather")}
    related = [one for one in REGISTRY.values() if is_relation(one.name)]
    for one in related:
        finer = [other.name for other in related if other.broader == one.name]
        for name in (one.name, *one.aliases):
            for noun in (name.split("_")[-1], name.replace("_", "-")):  # "mother-in-law", and a guinea "pig"
                table.setdefault(key(noun), (*finer, one.name))
    return table


def finest(facts: Sequence[Fact]) -> list[Fact]:
    """Without what says less finely who somebody is: who is a brother is not told as a sibling, too."""
    finer = {(find(one.predicate).broader, value_key(one.object)) for one in facts}
    return [one for one in facts if (one.predicate, value_key(one.object)) not in finer]


def fits_gender(noun: str, fact: Fact) -> bool:
    """Whether a partner may be asked for by this noun: a wife is no answer to "my husband"."""
    asked = {noun.lower().rstrip("s"), noun.lower()}
    quotes = keys(" ".join(source.quote for source in fact.sources))
    other = _HUSBANDS if asked & _WIVES else _WIVES if asked & _HUSBANDS else frozenset()
    return not quotes & {key(word) for word in other}


class MentionFinder:
    """Finds the mentions in one question."""

    def __init__(self, words: Sequence[str], beliefs: BeliefSource, believed: int | None) -> None:
        self.words = words
        self.beliefs = beliefs
        self.believed = believed
        self.bare = [_bare(word) for word in words]
        self.named = _aliases(beliefs.subjects(), self.bare)

    def mentions(self) -> list[QuestionMention]:
        """From left to right, without overlaps."""
        found: list[QuestionMention] = []
        at = 0
        while at < len(self.words):
            if self.bare[at] in OWN_WORDS:
                one = self._own(at)
            elif self.bare[at] in _CALLED_BY_KIN:  # "When was dad's operation": one's own, without "my"
                one = self._related("me", at, at)
            else:
                one = self._name(at)
            if one is not None:
                one = self._chained(one)
                found.append(one)
            at = one.end if one is not None else at + 1
        return found

    def _own(self, at: int) -> QuestionMention | None:
        """ "my older brother", "our office"."""
        noun = self._noun(at + 1)
        if noun >= len(self.words):
            return None
        if relation_names(self.bare[noun]):
            return self._related("me", at, noun)
        named = self._name(noun)
        return None if named is None else replace(named, start=at)

    def _noun(self, at: int) -> int:
        """Where the noun stands that the adjectives at this place lead to."""
        while at < len(self.words) - 1 and self.bare[at] in _ADJECTIVES:
            at += 1
        return at

    def _related(self, owner: str, start: int, noun: int) -> QuestionMention:
        word = self.bare[noun]
        named = self._name(noun + 1) if noun + 1 < len(self.words) and not _possessive(self.words[noun]) else None
        if named is not None and named.person:  # "my brother Paul"
            return replace(named, start=start, keys=named.keys | {key(word)})
        return QuestionMention(
            start,
            noun + 1,
            self._resolve(owner, word),
            keys(" ".join(self.bare[start : noun + 1])),
            owner=owner,
            relation=word,
            possessive=_possessive(self.words[noun]),
        )

    def _chained(self, one: QuestionMention) -> QuestionMention:
        """ "Paul's wife", "my brother's wife's mother"."""
        while one.possessive and one.end < len(self.words):
            noun = self._noun(one.end)
            if not relation_names(self.bare[noun]):
                return one
            owner = one.subjects[0] if one.subjects else " ".join(self.words[one.start : one.end])
            linked = self._related(owner, one.start, noun)
            one = linked if one.subjects else replace(linked, subjects=())
        return one

    def _name(self, at: int) -> QuestionMention | None:
        """The longest known name that begins here."""
        for entity, parts in self.named:
            end = at + len(parts)
            if tuple(self.bare[at:end]) != parts:
                continue
            person = entity.kind in ("person", "pet")
            if person and len(parts) == 1 and not key(parts[0]) and not self.words[at][:1].isupper():
                continue  # "will" is no Will
            return QuestionMention(
                at,
                end,
                (entity.name,),
                keys(" ".join(parts)),
                possessive=_possessive(self.words[end - 1]),
                person=person,
            )
        return None

    def _resolve(self, owner: str, noun: str) -> tuple[str, ...]:
        """Who the relation is, by name; or the entity that has no name but the relation."""
        wanted = relation_names(noun)
        facts = [
            fact
            for fact in self.beliefs.facts(owner, wanted, believed=self.believed)
            if fact.predicate in wanted and not fact.negative and fits_gender(noun, fact)
        ]
        going = [one for one in facts if one.valid_to is None] or facts
        known = {
            name.lower(): entity.name for entity in self.beliefs.subjects() for name in (entity.name, *entity.aliases)
        }
        names = [known.get(one.object.lower(), one.object) for one in going]
        prefix = "my" if owner == "me" else f"{owner}'s"
        paths = [label for one in (noun, *wanted) for label in (f"{prefix} {one}", f"{owner}>{one}")]
        unnamed = [known[label.lower()] for label in paths if label.lower() in known]
        return tuple(dict.fromkeys([*names, *unnamed]))


def _bare(word: str) -> str:
    """Lower case, without the owner's 's."""
    low = word.lower().replace("’", "'")
    return low[:-2] if low.endswith("'s") else low.rstrip("'")


def _possessive(word: str) -> bool:
    return word.replace("’", "'").lower().endswith(("'s", "s'"))


def _aliases(entities: Iterable[Entity], bare: Sequence[str]) -> list[tuple[Entity, tuple[str, ...]]]:
    """The names that may occur among the words, longest first."""
    there = set(bare)
    found: list[tuple[Entity, tuple[str, ...]]] = []
    for entity in entities:
        for name in (entity.name, *entity.aliases):
            parts = _parts(name)
            if parts and parts[0] in there and entity.name != "me" and (entity, parts) not in found:
                found.append((entity, parts))
    return sorted(found, key=lambda one: -len(one[1]))


@lru_cache(maxsize=1 << 15)
def _parts(name: str) -> tuple[str, ...]:
    """A name or a mention key as the words of a question; none for one that is only a relation ("me>brother")."""
    low = name.lower().removeprefix("me>").rsplit(">", 1)[-1].removeprefix("my ").removeprefix("the ")
    return () if relation_names(low) else tuple(_bare(word) for word in tokens(low))
