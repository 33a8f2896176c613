"""A finer predicate is one that a noun beside the value, its unit or its subject names."""

from __future__ import annotations

import re

from store.beliefs.predicates import REGISTRY, find
from store.reading.encoder import Statement, Words
from store.reading.kin import PLURALS, RELATIONS
from store.text.nouns import DIETS

_KIN = re.compile(r"[\w'’-]+(?:[ -]in[ -]law)?")
_MASS = re.compile(r"(?i)\d\s*(?:kg|kgs|kilos?|lbs?|pounds|stone|st)\b")
_LISTED = re.compile(r"(?:[^\W\d_a-z][\w'’-]*(?:, (?:and )?| and | & ))+$")
"""The names before one in a list: "my daughters are Marta, Ana and" Joana."""
_RENT = re.compile(r"(?i)(?:.* )?rent")
_RENTING = re.compile(r"(?i)\b(?:i|we)(?:['’]?(?:m|re)| am| are)? (?:still )?rent(?:ing)?\b[^.!?;\n\d]{0,40}[£$€]?\Z")


def finer_predicate(text: str, said: Statement, predicate: str, value: str) -> str:
    """The registry's finer predicate where a noun beside the value, its unit or its subject names one."""
    if predicate in _MAY_BE_A_ROLE and (role := _role(text, said)):
        return role
    if predicate in NAMED_BY_KIN:
        noun = _kin_near(text, said.value) or _kin_of_subject(text, said)
        relation = RELATIONS[noun][0] if noun else ""
        once_removed = noun.endswith("-in-law") or noun.startswith(("grand", "step", "god"))
        once_removed = once_removed and predicate in ("sibling", "parent", "child")
        return relation if relation and (once_removed or is_kind_of(relation, predicate)) else predicate
    if predicate == "diet" and not DIETS & set(value.lower().split()) and _LEAVES_OUT.search(value) is None:
        predicate = "drinks" if _DRINK.search(value) else "eats"
    if predicate == "eats" and DRINKS.search(text, 0, said.value.start):
        return "drinks"  # "I drink only rooibos now"
    if predicate == "habit" and _DRINK.fullmatch(value):
        return "drinks"  # "gave up wine"
    if predicate == "age" and _WITH_PARTS.match(value):
        return "measure"  # a fever of 38,7
    if predicate == "measure" and said.subject is None and _is_of_weight(text, said, value):
        return "weight"
    if predicate == "job" and _TO_SOMEBODY.search(value):
        return "habit"  # "helps me carry the boxes"
    if (
        predicate == "job"
        and said.subject is None
        and value.lower() in RELATIONS
        and _HAS_A.search(text, 0, said.value.start)
    ):
        return RELATIONS[value.lower()][0]  # "I have a new boss"
    if predicate == "job" and said.status != "not" and _A_JOB.fullmatch(value):
        return "event"  # which one is not said
    if predicate == "plays" and value.lower() in _VOICES:
        return "sings"
    if predicate == "contact" and STREET_AND_NUMBER.fullmatch(value):
        return "address"
    of_rent = said.subject is not None and _RENT.fullmatch(text, *said.subject)
    if predicate == "price" and (of_rent or _RENTING.search(text, 0, said.value.start)):
        return "rent"
    return predicate


_MAY_BE_A_ROLE = frozenset(["detail", "colleague", "acquaintance", "works_at", "uses"])
_SORT = r"(?:(?:new|biggest|main|best|other|first|oldest|only|old|current|second|latest) )?"
_ROLE_BEFORE = re.compile(
    rf"(?i)(?:\bmy {_SORT}(?P<mine>\w+)(?:['’]s name)? (?:is|was|are)(?: called| now)? |\bnew (?P<new>\w+)[:!,.]+ )\Z"
)
_ROLE_BEHIND = re.compile(
    rf"(?i)(?: from (?-i:[A-ZÀ-Þ])[\w’' ]{{1,30}}?)? (?:is|was) (?:also |now )?my {_SORT}(?P<mine>\w+)\b"
)


def _role(text: str, said: Statement) -> str:
    """What somebody is to whoever writes, where it is said in so many words: "my client is" Atlas Surf; "" if not."""
    before = _ROLE_BEFORE.search(text, 0, said.value.start)
    behind = _ROLE_BEHIND.match(text, said.value.end) if said.subject is None else None
    found = before["mine"] or before["new"] if before is not None else behind["mine"] if behind is not None else ""
    role = RELATIONS.get(found.lower(), ("", ""))[0]
    return role if role in REGISTRY and find(role).is_a("acquaintance") else ""


def _is_of_weight(text: str, said: Statement, value: str) -> bool:
    """Whether a measure has a unit of mass, or none where one's weight was spoken of: "my weight. I was" 74."""
    return _MASS.search(value) is not None or (
        _BARE.fullmatch(value) is not None and _MY_WEIGHT.search(text, 0, said.value.start) is not None
    )


_BARE = re.compile(r"\d{2,3}(?:[.,]\d)?")
_MY_WEIGHT = re.compile(r"(?i)\b(?:my weight|i weigh(?:ed)?|weighed (?:myself|in)|on the scales?)\b")


def _kin_of_subject(text: str, said: Statement) -> str:
    """The noun of kin, or of an animal, that the words of a subject end with: "the dog is a terrier called" Bramble."""
    words = text[slice(*said.subject)].lower().split() if said.subject is not None else []
    return words[-1] if words and words[-1] in RELATIONS else ""


DRINKS = re.compile(r"(?i)\bdr[aiu]nk(?:s|ing)? (?:(?:only|just|nothing but) )?\Z")
_WITH_PARTS = re.compile(r"\d+[.,]\d(?!\d)")
_TO_SOMEBODY = re.compile(r"(?i)\w+ (?:me|us|him|her|them|you)\b")
_A_JOB = re.compile(
    r"(?i)(?:(?:my|a|the|her|his) )?(?:(?:new|first|other|second|better|proper) )*(?:job|position|role)"
)
_HAS_A = re.compile(r"(?i)\b(?:have|has|had|got|['’]ve)(?: got)? (?:a|an) (?:\w+ )?\Z")
_LEAVES_OUT = re.compile(
    r"(?i)\b(?:no|not|without|less|low|only|free|diet|veg\w*|coeliac|celiac|carbs?|calories|fasting)\b"
)
"""Words of a way of eating, beside the names of some; any other food is one that is eaten."""
_DRINK = re.compile(
    r"(?i)\b(?:milk|coffee|tea|water|juice|wine|beer|cola|coke|soda|kefir|espresso|latte|smoothies?"
    r"|red bull|energy drinks?|lemonade|whisky|gin|vodka|rum|cider|lager)\b"
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
"""Relations that say more finely what a label holds, and are not of it in the registry."""
_VOICES = frozenset(["soprano", "mezzo", "mezzo-soprano", "alto", "contralto", "countertenor", "tenor", "baritone"])
KINDS = {
    label: (*names, *(one for one in REGISTRY if find(one).is_relation and find(one).is_a(label)))
    for label, names in _FINER.items()
}
_ANIMALS = frozenset(name for name, gender in RELATIONS.values() if gender == "x")
NAMED_BY_KIN = frozenset([*KINDS, "relative", "acquaintance", "pet"])
"""Predicates that a noun beside the name makes finer: "my sister Ada" is a sister."""
_OWN = frozenset(one for some in KINDS.values() for one in some) | _ANIMALS


def is_kind_of(relation: str, predicate: str) -> bool:
    """Whether a relation of the registry is a finer one of what a label of the reader holds."""
    if predicate == "pet":
        return relation in _ANIMALS
    if predicate in KINDS:
        return relation in KINDS[predicate]
    return relation not in _OWN  # relatives and acquaintances: any other role


def _kin_near(text: str, value: Words) -> str:
    """The noun of a relation right beside a value, or within it; "" if none."""
    inside = [word for word in _nouns(text[value.start : value.end]) if word in RELATIONS]
    sentence = re.split(r"[.!?;\n]", text[max(0, value.start - 60) : value.start])[-1]
    ahead = _nouns(_LISTED.sub("", sentence))
    if NAMED_SO.search(sentence) is not None:
        ahead = [word for word in ahead if word in RELATIONS]
    behind = _nouns(re.split(r"[.!?;\n]", text[value.end : value.end + 30])[0])
    near = [*inside, *reversed(ahead[-3:]), *behind[:4]]
    return next((PLURALS.get(word, word) for word in near if PLURALS.get(word, word) in RELATIONS), "")


NAMED_SO = re.compile(r"(?i)\b(?:(?:her|his|their) name(?:['’]?s| is)|s?he(?:['’]?s| is) called) \Z")
"""Before the name of whoever was spoken of: "my mother-in-law is here, her name is" Samira."""


def _nouns(words: str) -> list[str]:
    return [word.lower().replace(" ", "-") for word in _KIN.findall(words)]
