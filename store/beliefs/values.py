"""Two values are the same when their keys are equal, and never because they are merely alike."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from store.text.lists import wordset

_LEADING = re.compile(r"^(?:(?:the|a|an|my|our|your|his|her|their|its|some)\s+)+")
_GLUED_UNIT = re.compile(r"(?<=\d)\s+(?=[a-z€$£%°])")
_NOT_WORD = re.compile(r"[^\w+#&@./:%€$£-]+")
_MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_DAY = re.compile(
    rf"(?:(\d{{1,2}})(?:st|nd|rd|th)? (?:of )?({_MONTH})[a-z]*|({_MONTH})[a-z]* (?:the )?(\d{{1,2}})(?:st|nd|rd|th)?)"
    r"(?: (?:of )?(\d{4}))?"
)
_PARTS = re.compile(r"\s*,\s*|\s*\(|\)\s*|\s+(?:in|at|near|from|of)\s+")
DOSE_UNITS = r"mg|mcg|µg|micrograms?|milligrams?|iu|ml"  # units of a dose, as alternatives of a pattern
_AMOUNT_BEHIND = re.compile(rf"(?i)(?<=[a-z]{{4}}) \d[\d.,/]*\s?(?:{DOSE_UNITS})?\Z")
_AMOUNT_OF = re.compile(r"(?i)^\d[\d.,/]*\s?[a-zµ]+ of ")
_OCCASION = wordset("""
    appointment visit meeting check checkup up session thing do the my our a an to at in from with of for on trip flight
    fly flying go going travel travelling traveling journey holiday drive driving visiting
""")  # words that say no more of an occasion than that it is one
WENT = re.compile(
    r"(?i)(?<=\w) (?:went|took place|happened|passed off|turned out|(?:is|was) (?:over|done|a success))\b"
)
"""How an occasion went, after its name: it has taken place."""


@lru_cache(maxsize=16_384)
def value_key(text: str) -> str:
    """Case, width, determiners, outer punctuation, the space before a unit and the way in which a day of the year is
    written make no difference ("June 6" and "the 6th of June" are "6 jun"); all else does."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    words = _LEADING.sub("", _NOT_WORD.sub(" ", folded).strip(" .:/-"))
    dated = _DAY.fullmatch(words)
    if dated is None:
        return _GLUED_UNIT.sub("", words)
    day, month, other_month, other_day, year = dated.groups()
    return " ".join(filter(None, (str(int(day or other_day)), month or other_month, year)))


def parts(text: str) -> frozenset[str]:
    """The pieces of a value that name wholes of their own: "Alfama, Lisbon" has "alfama" and "lisbon"."""
    return frozenset(key for piece in _PARTS.split(text.casefold()) if (key := value_key(piece)))


def refines(new: str, old: str) -> bool:
    """Whether `new` is `old` said more exactly: the old value stands in it as a part of its own.

    "Alfama, Lisbon" refines "Lisbon", and "6 June 2016" refines "the 6th of June"; "Porto Alegre" does not refine
    "Porto".
    """
    old_key, new_key = value_key(old), value_key(new)
    if _DAY.fullmatch(old_key) and re.fullmatch(rf"{old_key} \d{{4}}", new_key):
        return True
    return parts(old) < parts(new) and new_key != old_key


def means(words: str, value: str) -> bool:
    """Whether somebody who says `words` means the thing that was called `value`.

    "the Clio" means an old red Clio, "ThinkPad" a ThinkPad T480, and "my weekly yoga" yoga; but whoever sold a boat
    trailer or a friend's boat has not sold the boat: what is said must have the same head, and no owner of its own. Of
    "75 micrograms of levothyroxine" and "levothyroxine 75" levothyroxine is meant.
    """
    value = _AMOUNT_BEHIND.sub("", _AMOUNT_OF.sub("", value))
    said, known = value_key(words).split(), value_key(value).split()
    if _without_number(said) == _without_number(known):
        return bool(said)
    if not said or not known or not (set(said) <= set(known) or set(known) <= set(said)):
        return False
    if set(said) == set(known):
        return True
    rest = known[len(said) :] if known[: len(said)] == said else []
    if len(said) > 1 and rest and (rest[0][:1].isdigit() or rest[0] == "for"):
        return True  # "owe Kas" of "owe Kas 85 quid for the gas"
    if len(set(said)) < len(set(known)):
        name_cut_short = rest and value.strip()[:1].isupper()  # "Skoda" of "Skoda Octavia"
        return _owners(value) <= _owners(words) and (_head(value) in said or bool(name_cut_short))
    if _owners(words) - _owners(value):
        return False
    further = [word for word in said if word not in known]
    return _head(words) in known or value_key(value) in parts(words) or all(word[:1].isdigit() for word in further)


def _without_number(words: list[str]) -> list[str]:
    """The words of a value, "nuts" as "nut"."""
    return [re.sub(r"(?<=[^\W\d_]{2}[^\W\d_su])s$", "", word) for word in words]


def _head(text: str) -> str:
    """The word that says what it is: the last one before any "in", "of" or comma."""
    return value_key(_PARTS.split(text)[0]).rpartition(" ")[2]


def _owners(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"(\w+)['’]s\b", text.casefold()))


def is_one_occasion(one: str, other: str) -> bool:
    """Whether the words of two occasions mean one: "the dentist appointment" is "dentist", the Porto trip "flying to
    Porto"."""
    said, known = _occasion_key(one), _occasion_key(other)
    return bool(said and known) and (said <= known or known <= said)


def _occasion_key(value: str) -> frozenset[str]:
    """The words by which an occasion is known: "dentist" of "the dentist appointment", "exam" of "exam went well"."""
    words = frozenset(re.findall(r"[^\W_]+", WENT.split(value.casefold())[0]))
    return words - _OCCASION or words
