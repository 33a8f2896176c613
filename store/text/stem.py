"""A word has the same stem here and in SQLite's own `porter` tokenizer, which a test compares word by word.

The stems are those of M. F. Porter, "An algorithm for suffix stripping", Program 14 (1980). Computing them here means
that the full-text table holds stems already, so that any SQLite can search it with its plain tokenizer.
"""

from __future__ import annotations

import re

LONGEST = 64  # longer words are no words; they are kept as they are

_STEP2 = (
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("logi", "log"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
)
_STEP3 = (("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""))
_STEP4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
)  # fmt: skip
_BY_LENGTH4 = tuple(sorted(_STEP4, key=len, reverse=True))

_VOWEL = "[aeiouy]"
_SEQUENCE_C = "[^aeiou][^aeiouy]*"
_SEQUENCE_V = "[aeiouy][aeiou]*"
_MEASURE_OVER_0 = re.compile(f"^(?:{_SEQUENCE_C})?{_SEQUENCE_V}{_SEQUENCE_C}")
_MEASURE_IS_1 = re.compile(f"^(?:{_SEQUENCE_C})?{_SEQUENCE_V}{_SEQUENCE_C}(?:{_SEQUENCE_V})?$")
_MEASURE_OVER_1 = re.compile(f"^(?:{_SEQUENCE_C})?(?:{_SEQUENCE_V}{_SEQUENCE_C}){{2}}")
_HAS_VOWEL = re.compile(f"^(?:{_SEQUENCE_C})?{_VOWEL}")
_DOUBLE = re.compile(r"([^aeiouylsz])\1$")
_CVC = re.compile("^" + _SEQUENCE_C + _VOWEL + "[^aeiouwxy]$")


def stem(word: str) -> str:
    """The stem of a lower-case word of ASCII letters; anything shorter than three letters is its own stem."""
    if not 2 < len(word) <= LONGEST:
        return word
    first_is_y = word[0] == "y"
    if first_is_y:  # a leading y is a consonant, which the patterns cannot see in lower case
        word = "Y" + word[1:]
    for step in (_step1a, _step1b, _step1c, _step2, _step3, _step4, _step5):
        word = step(word)
    return word.lower() if first_is_y else word


def _step1a(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _step1b(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _MEASURE_OVER_0.match(word[:-3]) else word
    for suffix in ("ed", "ing"):
        if word.endswith(suffix):
            base = word[: -len(suffix)]
            return _mended(base) if _HAS_VOWEL.match(base) else word
    return word


def _mended(base: str) -> str:
    """What is left of a word in -ed or -ing, with the letters that the ending swallowed or doubled put right."""
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if _DOUBLE.search(base):
        return base[:-1]
    return base + "e" if _CVC.match(base) else base


def _step1c(word: str) -> str:
    return word[:-1] + "i" if word.endswith("y") and _HAS_VOWEL.match(word[:-1]) else word


def _replaced(word: str, rules: tuple[tuple[str, str], ...]) -> str:
    """The first rule whose suffix fits decides, whether or not its condition then holds."""
    for suffix, replacement in rules:
        if word.endswith(suffix):
            base = word[: -len(suffix)]
            return base + replacement if _MEASURE_OVER_0.match(base) else word
    return word


def _step2(word: str) -> str:
    return _replaced(word, _STEP2)


def _step3(word: str) -> str:
    return _replaced(word, _STEP3)


def _step4(word: str) -> str:
    for suffix in _BY_LENGTH4:
        if word.endswith(suffix):
            base = word[: -len(suffix)]
            kept = suffix == "ion" and not base.endswith(("s", "t"))
            return base if _MEASURE_OVER_1.match(base) and not kept else word
    return word


def _step5(word: str) -> str:
    if word.endswith("e"):
        base = word[:-1]
        if _MEASURE_OVER_1.match(base) or (_MEASURE_IS_1.match(base) and not _CVC.match(base)):
            word = base
    return word[:-1] if word.endswith("ll") and _MEASURE_OVER_1.match(word) else word
