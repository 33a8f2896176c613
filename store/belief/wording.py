"""A fact's sentence says who, what and whether it is past; it never says more than the fact does."""

from __future__ import annotations

import re
from collections.abc import Sequence

from store.belief.predicates import REGISTRY, find
from store.belief.reading.lists import wordset

_BE = {"are": "aren't", "is": "isn't", "was": "wasn't", "were": "weren't", "can": "can't", "could": "couldn't"}


_RELATION = "has the "
OF_THE_VALUE = frozenset(["ends", "expires", "comes", "due"])
"""Events whose value is what ends, comes or is due: "your passport expires"."""
OCCASIONS = frozenset(["happened", "appointment"])
"""What somebody has, or has had, once: "you have a dentist appointment", "Dad's operation took place"."""
TOLD = frozenset(["event", "detail", "born"])
"""What is told in the person's own words, which have no one grammar: "handed in my notice", "operation"."""
NOTED = frozenset(["schedule", "measure", "habit", "goal", "looks", "contact", "hobby"])
"""What is told as a note under its own noun: "your schedule: Mondays closed"."""
_NO_JOB = frozenset(["retired", "unemployed", "self-employed"])
_OWN_WORD = re.compile(r"(?i)(a|an|the|my|your|our|his|her|their|no|head|chief|dr)\b|\d")
"""What stands before a noun in place of an article, or makes a title of it."""
TAKING = "taking_"
"""How somebody takes their coffee: a predicate that is worded by its own verb phrase."""


def sentence(
    subject: str, predicate: str, value: str, *, past: bool = False, negative: bool = False, quotes: Sequence[str] = ()
) -> str:
    """One sentence about "me" (said to the person as "you") or somebody by name. A value that was said with an article
    in one of the quotes is said with it."""
    known = find(predicate)
    mine = subject == "me"
    if known.name in OCCASIONS and not negative and not _is_plain(value):
        return f"{_capital(value)} {'took place' if past else 'is coming up'}."
    if known.name in TOLD and not negative:
        return f"{'You' if mine else _capital(subject)}: {second_person(value) if mine else value}."
    if known.name in NOTED and not negative:
        return (
            f"{'Your' if mine else _possessive(subject)} {known.nouns[0]}: {second_person(value) if mine else value}."
        )
    if known.name == "plans" and not negative and not value.startswith("to "):
        return f"{'You' if mine else _capital(subject)}: {second_person(value) if mine else value} (planned)."
    if known.name in OF_THE_VALUE:
        return f"{'Your' if mine else _possessive(subject)} {value} {known.past if past else known.third}."
    if known.name.startswith(TAKING):
        verb = known.past if past else known.first if mine else known.third
        return f"{'You' if mine else _capital(subject)} {verb} {value}."
    # "You have the dentist Dr. Davis" is how no one speaks: a relation is worded as what it is, "your dentist is".
    if known.name not in REGISTRY or (known.third.startswith(_RELATION) and known.name not in OCCASIONS):
        noun = known.name.replace("_", " ")
        verb = ("was" if past else "is") + (" not" if negative else "")
        return f"{'Your' if mine else _possessive(subject)} {noun} {verb} {value}."
    phrase = known.past if past else known.first if mine else known.third
    if known.name in OCCASIONS:
        phrase = "had" if past else "have" if mine else "has"
    elif known.name == "job" and value.casefold() in _NO_JOB:
        phrase = "was" if past else "are" if mine else "is"
    if mine and phrase.partition(" ")[0] == "was":
        phrase = f"were{phrase[3:]}"
    if negative:
        phrase = _negated(phrase, "have" if known.name in OCCASIONS else known.first, past=past, mine=mine)
    if known.name == "location" and value.partition(" ")[0].lower() not in _WHERE:
        phrase += " at"
    if known.name in ("price", "cost") and mine:
        phrase = "paid" if past or known.name == "cost" else "pay"
    who = "You" if mine else _capital(subject.replace("my ", "your ", 1) if subject.startswith("my ") else subject)
    before = "" if phrase.rpartition(" ")[2] in ("a", "an", "the") else article_said(value, quotes)
    said = second_person(before + value) if mine else before + value
    return f"{who} {phrase} {article(known.name, said)}{said}."


def article_said(value: str, quotes: Sequence[str]) -> str:
    """The article or the possessive that stood before a value wherever it was said in a quote ("an "), or nothing."""
    if _OWN_WORD.match(value) or not (value[:1].islower() or value[:2].isupper() or " " in value):  # a name has none
        return ""
    said = re.compile(rf"(?i)(?<![\w'’])(?:(a|an|the|my|our)\s+)?{re.escape(value)}(?!\w)")
    for quote in quotes:
        found = [match[1] for match in said.finditer(quote)]
        if found and all(found):
            return f"{found[0].lower()} "
    return ""


def article(predicate: str, value: str) -> str:
    """ "a " or "an " before a job, somebody who is seen or an occasion that was told without one."""
    wants = predicate == "job" or (predicate in OCCASIONS | {"sees"} and _is_plain(value))
    many = value.endswith("s") and not value.endswith("ss")
    if not wants or many or not value or value.casefold() in _NO_JOB or _OWN_WORD.match(value):
        return ""
    return a_or_an(value)


def a_or_an(words: str) -> str:
    """The article before a word, by its sound: "an engineer", "a UX designer"."""
    return "an " if _VOWEL.match(words) else "a "


_VOWEL = re.compile(
    r"(?i)(?!(?:uni|use|usu|util|eu|one\b|once|ux|uk|us\b|u\b|ur[aeiou]))[aeiou]|(?:hour|honest|heir|honou?r)"
)
_WHERE = wordset(
    "in at on under behind above below beside near next inside outside by between with over around opposite here there "
    "home upstairs downstairs"
)
"""What a place begins with that needs no "at"."""
_OWN_PERSON = {
    "i was": "you were", "i": "you", "i'm": "you're", "im": "you're", "i've": "you've", "i'll": "you'll", "me": "you",
    "my": "your", "mine": "yours", "myself": "yourself", "am": "are", "our": "your", "ours": "yours", "we": "you",
    "us": "you",
}  # fmt: skip
_OWN_PERSON_WORD = re.compile(
    r"(?<![\w'’.])(?:[Ii] was|[Ii]['’](?:m|ve|ll)|im|I(?!\s+[A-Z])|i|[Mm]e|[Mm]y|mine|myself|am|[Oo]urs?|[Ww]e|us)"
    r"(?![\w'’.])"
)
"""The first person, but for a title ("I Am Legend")."""


def second_person(words: str) -> str:
    """What somebody said of themselves, said to them: "handed in my notice" is "handed in your notice"."""
    return _OWN_PERSON_WORD.sub(lambda found: _OWN_PERSON[found.group().lower().replace("’", "'")], words)


def _is_plain(value: str) -> bool:
    """A common noun, and nobody's: "therapist", "dentist appointment"."""
    return value[:1].islower() and "'s " not in value


def _negated(phrase: str, base: str, *, past: bool, mine: bool) -> str:
    first, _, rest = phrase.partition(" ")
    if first in _BE:
        return f"{_BE[first]} {rest}".strip()
    helper = "didn't" if past else "don't" if mine else "doesn't"
    return f"{helper} {base}"


def _possessive(subject: str) -> str:
    return "Your " + subject[3:] + "'s" if subject.startswith("my ") else _capital(subject) + "'s"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
