"""Two mentions are one entity only where somebody said so; identity is settled over all claims, whatever their order.

A mention is what the words name: "paul", "me>brother", "caroline>mother". "My brother Paul" makes the mentions
"me>brother" and "paul" one. Where two brothers were named, "my brother" stays a mention of its own. "Lena" is whoever
was named in full as "my boss Lena Schmidt", if there is just one such Lena; "alfies", after "my son Alfie", is Alfie,
typed without an apostrophe. What the person says by hand of who is who
comes before what was read; of two such words about one mention the later counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from store.beliefs.grammar import ITS
from store.beliefs.predicates import find
from store.beliefs.values import value_key

ME = "me"
ARROW = ">"
DEEPEST = 8  # steps from a mention to who it is ("my wife's sister's boss", and what they are called)
SAME = "same_as"  # said by hand: the subject, a key, is whoever the object, a key, is
APART = "different_from"  # said by hand: the subject, a key, is nobody but itself


@dataclass(frozen=True, slots=True)
class IdentityClaim:
    """One claim, as far as identity is concerned."""

    subject: str
    predicate: str
    object: str


@dataclass(frozen=True, slots=True)
class IdentityEvidence:
    """All that bears on who is who."""

    said: Sequence[IdentityClaim]  # names and relations, as they were read
    cased: Mapping[str, str]  # the spelling in which a mention was written
    persons: frozenset[str] = frozenset()  # mentions that are the person by other signs than their words
    speakers: frozenset[str] = frozenset()  # mentions of those who speak
    by_hand: Sequence[IdentityClaim] = ()  # what was said by hand, in the order of saying


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a mention is."""

    entity: str  # the key: the mention that stands for them all
    name: str  # how people read it
    reason: str


def mention_key(name: str) -> str:
    """The mention that a name in the person's words makes: "my brother" is "me>brother", "Paul" is "paul"."""
    words = " ".join(name.casefold().replace("’", "'").split())
    if words in ("i", "me", "my", "myself", "mine"):
        return ME
    if words.startswith("my "):
        return ME + ARROW + value_key(words[3:])
    owner, apostrophe, owned = words.partition("'s ")
    if apostrophe and owner and owned:
        return mention_key(owner) + ARROW + value_key(owned)
    return value_key(words)


def own_key(mention: str, entity_of: Mapping[str, str]) -> str:
    """The key of a mention as long as it is nobody but itself: "me>mum" is "me>mother", a name is its own."""
    if ARROW not in mention:
        return mention
    owner, _, relation = mention.rpartition(ARROW)
    return _related_key(entity_of.get(owner, owner), relation)


def _related_key(owner: str, relation: str) -> str:
    return f"{owner}{ARROW}{find(relation.replace(' ', '_')).name.replace('_', ' ')}"


def in_words(mention: str) -> str:
    """How a mention is said: "me>brother" is "my brother", "ana>mother" is "ana's mother"."""
    owner, _, relation = mention.rpartition(ARROW)
    return _shown(in_words(owner), relation) if owner else mention


def names_of(said: Iterable[IdentityClaim]) -> set[str]:
    """The mentions that names and relations make, though nothing else may be said of them: "My wife is Maria" makes
    "maria" and "me>partner"."""
    found: set[str] = set()
    for one in said:
        if one.object[:1].isupper():
            found.add(value_key(one.object))
            found.add(one.subject if one.predicate == "name" else _related_key(one.subject, one.predicate))
    return found


def settle(mentions: Iterable[str], heard: IdentityEvidence) -> dict[str, Identity]:
    """Who each mention is."""
    settling = _Settling(heard)
    return {mention: settling.who(mention, 0) for mention in sorted(set(mentions))}


class _Settling:
    def __init__(self, heard: IdentityEvidence) -> None:
        self._heard = heard
        self._same: dict[str, str] = {}
        self._apart: set[str] = set()
        for one in heard.by_hand:
            if one.predicate == APART:
                self._same.pop(one.subject, None)
                self._apart.add(one.subject)
                continue
            last = one.object
            while last in self._same and last != one.subject:
                last = self._same[last]
            if last != one.subject:  # else they are the same as themselves already
                self._same[one.subject] = one.object
                self._apart.discard(one.subject)
        self._named: dict[str, dict[str, str]] = {}  # what a relation ("me>brother") was named: key -> spelling
        self._roles: dict[str, set[str]] = {}  # the relations in which a name was given
        self._own_names: dict[str, str] = {}
        for one in heard.said:
            self._read(one)
        self._in_full: dict[str, set[str]] = {}
        for key in self._roles:
            first, _, rest = key.partition(" ")
            if rest:
                self._in_full.setdefault(first, set()).add(key)
        self._given: dict[str, str] = {}  # the spelling of each name that was given
        for names in self._named.values():
            for key, spelling in names.items():
                if self._given.setdefault(key, spelling).islower():
                    self._given[key] = spelling
        self._known: dict[str, Identity] = {}

    def _read(self, one: IdentityClaim) -> None:
        """Take in a name or a relation: "my brother's name is Paul" says the same as "my brother Paul"."""
        key = value_key(one.object)
        role = f"{one.subject}{ARROW}{one.predicate}"
        if one.predicate == "name":
            self._own_names.setdefault(key, one.subject)
            role = one.subject
        if ARROW not in role:
            return
        role = own_key(role, {})
        self._named.setdefault(role, {})[key] = one.object
        self._roles.setdefault(key, set()).add(role)

    def who(self, mention: str, depth: int) -> Identity:
        """Who a mention is by its words, and then by what was said of them by hand."""
        if mention not in self._known:
            found = self._find(mention, depth)
            target = self._same.get(found.entity)
            if target is not None and depth <= DEEPEST:
                other = self.who(target, depth + 1)
                found = Identity(other.entity, other.name, f"by hand: {found.name} is {other.name}")
            self._known[mention] = found
        return self._known[mention]

    def _find(self, mention: str, depth: int) -> Identity:
        if mention == ME or depth > DEEPEST:
            return Identity(mention, mention, "itself")
        if ARROW in mention:
            return self._related(mention, depth)
        if mention in self._apart:
            return Identity(mention, self._spelt(mention), "by hand: nobody else")
        if mention in self._heard.persons:
            return Identity(ME, ME, f"{self._spelt(mention)} is the one who speaks here")
        if self._own_names.get(mention) == ME:
            return Identity(ME, ME, f'"{self._spelt(mention)}" is what the person is called')
        full, *more = sorted(self._in_full.get(mention, ())) or [""]
        in_another_role = full and not self._roles.get(mention, set()) <= self._roles[full]
        if full and not more and mention not in self._heard.speakers and not in_another_role:
            who = self.who(full, depth + 1)
            return Identity(who.entity, who.name, f"{self._spelt(full)} is the only one of that name")
        bare = mention[:-1]
        if mention.endswith("s") and bare in self._roles and mention not in self._roles:
            who = self.who(bare, depth + 1)
            return Identity(who.entity, who.name, f"{who.name}'s, without its apostrophe")
        return Identity(mention, self._spelt(mention), "itself")

    def _related(self, mention: str, depth: int) -> Identity:
        """Who "owner>relation" is: the one person named so, if there is exactly one."""
        owner_mention, _, relation = mention.rpartition(ARROW)
        owner = self.who(owner_mention, depth + 1)
        own = _related_key(owner.entity, relation)
        if own in self._apart:
            return Identity(own, _shown(owner.name, relation), "by hand: nobody else")
        names: dict[str, str] = {}
        for role in {own, _related_key(owner_mention, relation)}:
            names |= self._named.get(role, {})
        people = {self.who(key, depth + 1).entity: (key, spelt) for key, spelt in sorted(names.items())}
        if len(people) != 1:
            return Identity(own, _shown(owner.name, relation), "itself")
        ((entity, (key, spelt)),) = people.items()
        name = spelt if entity == key else self.who(key, depth + 1).name
        return Identity(entity, name, f"{_shown(owner.name, relation)} was called {spelt}")

    def _spelt(self, mention: str) -> str:
        given, cased = self._given.get(mention, ""), self._heard.cased.get(mention, mention)
        return cased if not given or (given.islower() and not cased.islower()) else given


def _shown(owner: str, relation: str) -> str:
    words, whose = relation.replace("_", " "), ITS.get(owner.casefold()) or f"{owner}'s"
    return f"my {words}" if owner == ME else f"{whose} {words}"
