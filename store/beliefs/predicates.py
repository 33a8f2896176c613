"""A predicate means one thing: its name, whether it holds one value at a time, how long it lasts, and how it is worded.

The registry is data, and the one place for what is true of a predicate: the rest of the house asks its record (`find`,
`with_trait`) and lists no names. `find` settles an alias to its registry name; a predicate that is not here accumulates
values and is worded from its own name. `family` puts two predicates that exclude each other (likes, dislikes) into one
slot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import blake2b
from typing import Literal, get_args

from store.beliefs import vocabulary

Cardinality = Literal["one", "many"]
Temporal = Literal["state", "event", "permanent"]
Group = Literal["home", "work", "people", "health", "tastes", "things"]
"""The part of a life that a predicate belongs to."""
Grammar = Literal[
    "verb",  # "you live in Lisbon": by its three wordings
    "attribute",  # "your laptop is a ThinkPad": somebody has one, under its first noun
    "noted",  # "your schedule: Mondays closed": a note under its first noun
    "told",  # in the person's own words, which have no one grammar: "handed in my notice", "operation"
    "of_the_value",  # "your passport expires": the value is what ends, comes or is due
    "of_things",  # "the spare key is in the shed": something that a thing does
    "named", "done", "ill", "planned", "occupation", "paid", "answered", "birthday", "expiry",
    "figure", "habit",
]  # fmt: skip
"""How a clause is made of it (store.beliefs.wording); the last line has a grammar of its own each."""
Trait = Literal[
    # What its value is
    "proper",  # a name, in capitals where a question holds it
    "bare",  # no article goes before it
    "placed",  # it takes the preposition that it was said with: "on Rua do Bonjardim", "in Graça"
    "consumed",  # eaten or drunk: who drinks oat milk may not drink milk
    "being",  # what its subject is: "a vet", "a spaniel", "Rex"
    # Of whom and how long it holds
    "human",  # only people have it
    "per_thing",  # of a thing it holds one value, of a person many: the claim says which it is
    "kin",  # a relative by birth: one always was
    "family",  # whom a question about one's family asks for
    "mutual",  # each is the other's
    "post",  # a person whom another may follow, as a boss
    "lasts",  # it does not grow stale, as an allergy
    "harms",  # its value does its subject harm
    "settled",  # said of today only, it is not so: "I'm the driver tonight"
    "stay",  # where one is, or works, for a night or a week only is not it
    "lapses",  # said in the past, it is over
    # What ends or tells it
    "exclusive",  # a change ends what stands beside the value that held: who moves leaves the town and the street
    "activity",  # one slot with the other activities: whoever leaves the choir goes to it no more
    "pursued",  # it ends with the activity of the same value
    "owned",  # it ends with the owning of the same value: whoever sold the Clio drives it no more
    "timetabled",  # a timetable that is said with it is its own
    # Where it is shown
    "identity",  # who somebody is
    "household",  # of the home, though it may be of another group
    "aim",  # what somebody is after
    "routine",  # what they do again and again, or do things with
    "preference",  # of the routines, how they like things
    "opinion",  # a view rather than a circumstance
]
"""What is true of some predicates."""
_KINDS: dict[str, tuple[Cardinality, Temporal]] = {
    "one": ("one", "state"), "many": ("many", "state"), "event": ("many", "event"), "fixed": ("one", "permanent"),
}  # fmt: skip
_GROUPS: dict[str, Group] = {one: one for one in get_args(Group)}
_GRAMMARS: dict[str, Grammar] = {one: one for one in get_args(Grammar)}
_TRAITS: dict[str, Trait] = {one: one for one in get_args(Trait)}
OWNING, ACTIVITY, DEATH = "owns", "activity", "died"
_ENDED_BY: dict[str, Trait] = {OWNING: "owned", ACTIVITY: "pursued"}
ENDING = frozenset((*_ENDED_BY, DEATH))  # slots in which an end may reach others of the same subject
WEEKLY = frozenset(["lesson", "lessons", "class", "classes", "course", "training", "practice", "rehearsal", "shift"])
"""What takes place every week: its value is a weekday."""
_HAVE = ("have", "has", "had")
_NOUNS: dict[str, tuple[Group, tuple[Trait, ...]]] = {
    "vet": ("health", ()), "best_10k": ("health", ()), "listens_to": ("tastes", ()), "team": ("work", ()),
    "door_code": ("things", ("household",)), "bike": ("things", ("household",)),
}  # fmt: skip
"""What is true of nouns that are worded as any other noun, and need no record for more."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """One way in which somebody or something can be described: a line of the vocabulary."""

    name: str
    cardinality: Cardinality
    temporal: Temporal
    first: str  # verb phrase for "you" and "I", present: "live in". The object follows.
    third: str  # verb phrase for others, present: "lives in"
    past: str  # verb phrase in the past: "lived in"
    nouns: tuple[str, ...] = ()  # nouns by which a question may ask for it: "home", "city"
    verbs: tuple[str, ...] = ()  # base verbs by which a question may ask for it: "live"
    asks: tuple[str, ...] = ()  # question words that its value answers: where, who, what, how many, how often, when
    words: tuple[str, ...] = ()  # further words of a question that asks for it: "hometown", "medicine"
    changes: tuple[str, ...] = ()  # base verbs that alone ask when it changed: "when did I move"
    aliases: tuple[str, ...] = ()  # other names of it, by hand or of older files
    group: Group = "things"  # the part of a life in which it is shown
    grammar: Grammar = "verb"  # what makes its clause
    traits: tuple[Trait, ...] = ()  # what else is true of it
    broader: str = ""  # the predicate that says it less finely: a sister is a sibling
    family: str = ""  # the slot that it shares with its opposite; its own name where it has none

    @property
    def alike(self) -> str:
        """The slot that it shares with predicates that say nearly the same of a value: whoever leaves the choir goes to
        it no more; "" where there are none."""
        return ACTIVITY if "activity" in self.traits else ""

    @property
    def is_relation(self) -> bool:
        """Whether it names a person or pet whom the subject has."""
        return self.asks == ("who",) and self.first == f"have the {self.name}".replace("_", " ")

    @property
    def lasting(self) -> bool:
        """Whether it is so for good, and what was never said to begin has always been so: a birthday, a brother."""
        return self.temporal == "permanent" or "kin" in self.traits

    def is_a(self, name: str) -> bool:
        """Whether it is the predicate of this name, or says it more finely: a dog is a pet."""
        return name in (self.name, self.broader)

    @property
    def slot_name(self) -> str:
        return self.family or self.alike or self.name

    @property
    def ended_by(self) -> tuple[str, ...]:
        """Slots in which an end of this very value ends it here, too: whoever sold the Clio drives it no more, and
        whoever died lives nowhere. A noun that the registry does not know ("my camera is a Nikon") is mostly of
        something that one has."""
        noun = self.name not in REGISTRY and self.asks == ("what",)
        ends = (OWNING,) if noun else tuple(slot for slot, trait in _ENDED_BY.items() if trait in self.traits)
        return ends if self.temporal != "state" or self.lasting or self.is_relation else (*ends, DEATH)


def _of_line(cells: Mapping[str, str]) -> Predicate:
    """The record that a line of the vocabulary holds."""

    def several(column: str) -> tuple[str, ...]:
        return tuple(part.strip() for part in cells.get(column, "").split(",") if part.strip())

    first, third, past = (part.strip() for part in cells["wording"].split("/"))
    return Predicate(
        cells["name"], *_KINDS[cells["kind"]], first, third, past,
        several("nouns"), several("verbs"), several("asks"), several("words"), several("changes"), several("aliases"),
        group=_GROUPS[cells.get("group") or "things"], grammar=_GRAMMARS[cells.get("grammar") or "verb"],
        traits=tuple(_TRAITS[one] for one in several("traits")),
        broader=cells.get("broader", ""), family=cells.get("family", ""),
    )  # fmt: skip


REGISTRY: dict[str, Predicate] = {one["name"]: _of_line(one) for one in vocabulary.rows()}


@lru_cache(maxsize=64)
def with_trait(trait: Trait) -> tuple[str, ...]:
    """The names of the predicates of the registry that have a trait."""
    return tuple(one.name for one in REGISTRY.values() if trait in one.traits)


@cache
def slots() -> str:
    """A fingerprint of what shares a slot, and how it is laid: beliefs that were folded by another are folded anew."""
    laid = sorted((one.name, one.slot_name, one.cardinality, one.temporal, one.ended_by) for one in REGISTRY.values())
    return blake2b(repr(laid).encode(), digest_size=8).hexdigest()


@lru_cache(maxsize=4096)
def ended_by(family: str) -> tuple[str, ...]:
    """The other slots in which an end of a value ends it in this one, too."""
    known = find(family)
    ends = known.ended_by if known.slot_name == family else ()
    return tuple(slot for slot in ends if slot == DEATH or family not in ENDING)


@cache
def _by_alias() -> dict[str, str]:
    return {alias: one.name for one in REGISTRY.values() for alias in one.aliases if alias not in REGISTRY}


@lru_cache(maxsize=4096)
def find(name: str) -> Predicate:
    """The registry's predicate for a name or an alias; else one that accumulates and is worded from its own name."""
    key = name.strip().lower().replace(" ", "_").replace("favorite_", "favourite_")
    known = REGISTRY.get(_by_alias().get(key, key))
    if known is not None:
        return known
    noun = key.replace("_", " ")
    what, _, thing = noun.partition(" ")
    if noun.startswith("number of "):
        counted = noun.removeprefix("number of ")
        asks = (f"how many {counted}", "how many")
        return _unlisted(key, "one", _HAVE, f"this number of {counted}:", nouns=(counted,), asks=asks)
    if what == "taking" and thing:  # how somebody takes their coffee
        verbs = ("take", "drink", "like", "have", "eat")
        take = ("take", "takes", "took")
        return _unlisted(key, "one", take, thing, nouns=(thing,), verbs=verbs, asks=("how",), group="tastes")
    if what == "favourite" and thing:
        return _unlisted(key, "one", _HAVE, f"as {noun}", group="tastes", traits=("opinion",))
    if noun.rpartition(" ")[2] in WEEKLY:
        return _unlisted(key, "one", _HAVE, f"the {noun} on", asks=("when", "what"), traits=("routine",))
    group, traits = _NOUNS.get(key, ("things", ()))
    return _unlisted(key, "many", _HAVE, f"as {noun}", group=group, traits=traits)


def _unlisted(
    key: str, cardinality: Cardinality, verb: tuple[str, str, str], tail: str, nouns: tuple[str, ...] = (),
    verbs: tuple[str, ...] = (), asks: tuple[str, ...] = ("what",), group: Group = "things",
    traits: tuple[Trait, ...] = (),
) -> Predicate:  # fmt: skip
    """What has no record: "have the swimming class on", "have as door code"."""
    first, third, past = (f"{form} {tail}" for form in verb)
    nouns = nouns or (key.replace("_", " "),)
    return Predicate(key, cardinality, "state", first, third, past, nouns, verbs, asks, group=group, traits=traits)
