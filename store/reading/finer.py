"""A finer predicate is one that a noun beside the value, its unit or its subject names."""

from __future__ import annotations

import re

from store.beliefs.predicates import REGISTRY, find
from store.reading.encoder import Statement, Words
from store.reading.kin import PLURALS, RELATIONS
from store.reading.labels import LABELS
from store.reading.worded import around
from store.text.nouns import DIETS

_KIN = re.compile(r"[\w'’-]+(?:[ -]in[ -]law)?")
_LENGTH = re.compile(r"(?i)\d\s*(?:cm|m|ft|feet|foot)\b|\d['’′]\s*\d")
_GREW_UP = re.compile(
    r"(?i)\b(?:grew up|(?:was|were|been) (?:raised|brought up)|born and raised) (?:in|on|near|outside) (?:the )?\Z"
)
_MASS = re.compile(r"(?i)\d\s*(?:kg|kgs|kilos?|lbs?|pounds|stone|st)\b")
LISTED = re.compile(r"(?:[^\W\d_a-z][\w'’-]*(?:, (?:and )?| and | & ))+$")
"""The names before one in a list: "my daughters are Marta, Ana and" Joana."""
_RENT = re.compile(r"(?i)\brent\b")


def finer_predicate(text: str, said: Statement, predicate: str, value: str) -> str:
    """The registry's finer predicate where a noun beside the value, its unit or its subject names one."""
    if predicate in NAMED_BY_KIN:
        noun = _kin_near(text, said.value)
        relation = RELATIONS[noun][0] if noun else ""
        by_marriage = noun.endswith("-in-law") and predicate in ("sibling", "parent", "child")
        return relation if relation and (by_marriage or is_kind_of(relation, predicate)) else predicate
    if predicate in ("lives_in", "born_in") and _GREW_UP.search(text, 0, said.value.start):
        return "grew_up_in"
    if predicate == "measure" and said.subject is None:
        return "weight" if _MASS.search(value) else "height" if _LENGTH.search(value) else predicate
    if predicate == "diet" and not DIETS & set(value.lower().split()) and _LEAVES_OUT.search(value) is None:
        return "drinks" if _DRINK.search(value) else "eats"
    predicate = as_drunk(predicate, value)
    if predicate == "plays" and value.lower() in _VOICES:
        return "sings"
    if predicate == "contact" and STREET_AND_NUMBER.fullmatch(value):
        return "address"
    if predicate == "price":
        about = text[said.subject.start : said.subject.end] if said.subject else ""
        if _RENTING.search(text, 0, said.value.start):
            return "rent"  # "we're renting, 1150 a month"
        if _RENT_IS.search(around(text, said)[0]) or about.lower().endswith(" rent"):
            return "rent"
        return "rent" if _RENT.fullmatch(about.lower().removeprefix("the ").removeprefix("my ")) else predicate
    return predicate


PLACES = frozenset(["contact", "lives_in", "works_at", "located", "goes_to"])


_LEAVES_OUT = re.compile(
    r"(?i)\b(?:no|not|without|less|low|only|free|diet|veg\w*|coeliac|celiac|carbs?|calories|fasting)\b"
)
"""Words of a way of eating, beside the names of some; any other food is one that is eaten."""
_DRINK = re.compile(
    r"(?i)\b(?:milk|coffee|tea|water|juice|wine|beer|cola|coke|soda|kefir|espresso|latte|smoothies?"
    r"|red bull|energy drinks?|lemonade|whisky|gin|vodka|rum|cider|lager)\b"
)
_RENTING = re.compile(r"(?i)\b(?:i|we)(?:['’]?(?:m|re)| am| are)? (?:still )?rent(?:ing)?\b[^.!?;\n\d]{0,40}[£$€]?\Z")
_RENT_IS = re.compile(
    r"(?i)^\W*(?:the |my |our )?rent(?:['’]?s| is| was)?(?: now| currently| still)? (?:about )?[£$€]?\Z"
)
STREET_AND_NUMBER = re.compile(r"\d+[a-zA-Z]?,? [^\W\d_][^@]*|[^\W\d_][^\d@]* \d+[a-zA-Z]?(?:, .*)?")
_FINER = {
    "child": ("stepson", "stepdaughter"),
    "parent": ("stepmother", "stepfather"),
    "sibling": ("twin", "stepbrother", "stepsister"),
    "partner": (),
    "friend": ("pen_pal", "classmate"),
    "ex": ("ex_husband", "ex_wife", "ex_boyfriend", "ex_girlfriend"),
}
"""Relations without a record that say more finely what a label holds."""
_VOICES = frozenset(["soprano", "mezzo", "mezzo-soprano", "alto", "contralto", "countertenor", "tenor", "baritone"])
KINDS = {
    label: (*names, *(one for one in REGISTRY if find(one).is_relation and find(one).is_a(label)))
    for label, names in _FINER.items()
}
_ANIMALS = frozenset(name for name, gender in RELATIONS.values() if gender == "x")
NAMED_BY_KIN = frozenset([*KINDS, "relative", "acquaintance", "pet"])
"""Predicates that a noun beside the name makes finer: "my sister Ada" is a sister."""
_OWN = frozenset(one for some in KINDS.values() for one in some) | _ANIMALS


def as_drunk(predicate: str, value: str) -> str:
    """The predicate of a habit, which may be a drink and nothing else: "gave up wine"."""
    return "drinks" if predicate == "habit" and _DRINK.fullmatch(value) else predicate


def is_kind_of(relation: str, predicate: str) -> bool:
    """Whether a relation of the registry is a finer one of what a label of the reader holds."""
    if predicate == "pet":
        return relation in _ANIMALS
    if predicate in KINDS:
        return relation in KINDS[predicate]
    return relation not in _OWN  # relatives and acquaintances: any other role


def label_of(relation: str) -> str:
    """The reader's label of a relation that a noun names: relative for "my gran Fatou"; "" where it has none."""
    kin = next((label for label in KINDS if is_kind_of(relation, label)), relation if relation in LABELS else "")
    return kin or ("relative" if "kin" in find(relation).traits else "")


def _kin_near(text: str, value: Words) -> str:
    """The noun of a relation right beside a value, or within it; "" if none."""
    inside = [word for word in _nouns(text[value.start : value.end]) if word in RELATIONS]
    sentence = re.split(r"[.!?;\n]", text[max(0, value.start - 60) : value.start])[-1]
    ahead = _nouns(LISTED.sub("", _IS_CALLED.sub(" is", sentence)))
    behind = _nouns(re.split(r"[.!?;\n]", text[value.end : value.end + 30])[0])
    near = [*inside, *reversed(ahead[-3:]), *behind[:4]]
    return next((PLURALS.get(word, word) for word in near if PLURALS.get(word, word) in RELATIONS), "")


_IS_CALLED = re.compile(r"(?i)['’]s(?= (?:called|named)\b)")


def _nouns(words: str) -> list[str]:
    return [word.lower().replace(" ", "-") for word in _KIN.findall(words)]
