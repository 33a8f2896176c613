"""Two mentions are one entity only where somebody said so; identity is settled over all claims, whatever their order.

A mention is what the words name: "paul", "me>brother", "caroline>mother". "My brother Paul" makes the mentions
"me>brother" and "paul" one. Where two brothers were named, "my brother" stays a mention of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from store.belief.predicates import find
from store.belief.values import value_key

ME = "me"
ARROW = ">"


@dataclass(frozen=True, slots=True)
class Said:
    """One claim, as far as identity is concerned."""

    subject: str
    predicate: str
    object: str


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a mention is."""

    entity: str
    """The key: the mention that stands for them all."""
    name: str
    """How people read it."""
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


def settle(
    mentions: Iterable[str], said: Iterable[Said], cased: Mapping[str, str], persons: frozenset[str] = frozenset()
) -> dict[str, Identity]:
    """Who each mention is. `cased` gives the spelling in which a mention was written; `persons` are the mentions that
    are the person by other signs than their words."""
    return _Settling(list(said), cased, persons).all(mentions)


class _Settling:
    def __init__(self, said: list[Said], cased: Mapping[str, str], persons: frozenset[str]) -> None:
        self._cased = cased
        self._persons = persons
        self._named: dict[tuple[str, str], dict[str, str]] = {}
        self._own_names: dict[str, str] = {}
        for one in said:
            key = value_key(one.object)
            if one.predicate == "name":
                self._own_names.setdefault(key, one.subject)
                self._named.setdefault((one.subject, "name"), {})[key] = one.object
            else:
                self._named.setdefault((one.subject, find(one.predicate).name), {})[key] = one.object
        self._known: dict[str, Identity] = {}

    def all(self, mentions: Iterable[str]) -> dict[str, Identity]:
        return {mention: self._who(mention, 0) for mention in sorted(set(mentions))}

    def _who(self, mention: str, depth: int) -> Identity:
        known = self._known.get(mention)
        if known is None:
            known = self._find(mention, depth)
            self._known[mention] = known
        return known

    def _find(self, mention: str, depth: int) -> Identity:
        if mention == ME or depth > 8:
            return Identity(mention, mention, "itself")
        if ARROW in mention:
            return self._related(mention, depth)
        if mention in self._persons:
            return Identity(ME, ME, f"{self._spelt(mention)} is the one who speaks here")
        owner = self._own_names.get(mention)
        if owner == ME:
            return Identity(ME, ME, f'"{self._spelt(mention)}" is what the person is called')
        return Identity(mention, self._spelt(mention), "itself")

    def _related(self, mention: str, depth: int) -> Identity:
        """Who "owner>relation" is: the one person named so, if there is exactly one."""
        owner_mention, _, relation = mention.rpartition(ARROW)
        owner = self._who(owner_mention, depth + 1)
        predicate = find(relation.replace(" ", "_")).name
        names: dict[str, str] = {}
        for subject in {owner_mention, owner.entity}:
            names |= self._named.get((subject, predicate), {})
        names |= self._named.get((mention, "name"), {})
        if len(names) == 1:
            (key, spelt) = next(iter(names.items()))
            named = self._who(key, depth + 1)
            name = spelt if named.entity == key else named.name
            return Identity(named.entity, name, f"{_shown(owner.name, relation)} was called {spelt}")
        return Identity(f"{owner.entity}{ARROW}{predicate.replace('_', ' ')}", _shown(owner.name, relation), "itself")

    def _spelt(self, mention: str) -> str:
        for names in self._named.values():
            if mention in names:
                return names[mention]
        return self._cased.get(mention, mention)


def _shown(owner: str, relation: str) -> str:
    words = relation.replace("_", " ")
    return f"my {words}" if owner == ME else f"{owner}'s {words}"
