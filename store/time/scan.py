"""A rule looks at tokens from one place on and gives what it read with the place after it, or None; it never searches.

`Scan` holds one sentence for the English rules: its tokens, the local moment of saying, and the small readers of
numbers, ordinals and years that all rules share. Places are indices of tokens.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TypeVar

from store.time import words
from store.time.calendar import Kind, LocalStretch, Prefer, Reading, Tense, TimeRole
from store.time.tense import tense_near
from store.time.words import ScannedWord

T = TypeVar("T")
Found = tuple[T, int] | None
Rule = Callable[["Scan", int], Found[LocalStretch]]
_IN_SHORT = {"til": "till", "yr": "year", "yrs": "years"}  # words as people type them in haste
_TOKEN = re.compile(r"\d+|[^\W\d_]+(?:['’][^\W\d_]+)*|[^\w\s]|_")
"""Words keep inner apostrophes; digits, signs and words that touch are tokens of their own."""
_PADDING = 32
DEEPEST = 8  # times within times ("the week after the day before ...") that are read
_PHRASES: dict[str, float] = words.meanings(
    """half an, half a, a half, half, ½ = 0.5; a couple of, a couple, couple of, couple, a pair of = 2; a dozen = 12;
    a single, another = 1"""
)
_PHRASE = re.compile(rf"{words.either(_PHRASES)}(?!\w|['’]\w)", re.IGNORECASE)
MOST_AHEAD = 100  # years by which a year behind a comma may lie ahead


def tokens(text: str) -> list[ScannedWord]:
    """The tokens of a text."""
    found = []
    for match in _TOKEN.finditer(text):
        raw = match[0]
        word = raw.lower().replace("’", "'")
        found.append(ScannedWord(_IN_SHORT.get(word, word), match.start(), match.end(), raw[0].isupper()))
    return found


class Scan:
    """One text under the English rules."""

    def __init__(self, text: str, toks: list[ScannedWord], now: datetime, utc_offset: int, prefer: Prefer) -> None:
        self.text = text
        self.toks = toks
        self.now = now
        self.utc_offset = utc_offset
        self.prefer = prefer
        self.size = len(toks)
        self.words = [token.word for token in toks] + [""] * _PADDING
        self.memo: dict[tuple[str, int], Found[LocalStretch]] = {}
        """What the larger rules found at a place, since several ask for the same."""
        self._tense: dict[int, Tense | None] = {}
        self.depth = 0  # how many times are being read within others ("two weeks after ...")

    def word(self, i: int) -> str:
        """The word at a place; empty up to a few places before the first and after the last."""
        return self.words[i]

    def touches(self, i: int) -> bool:
        """Whether the token follows the one before it without a space."""
        return 0 < i < self.size and self.toks[i].start == self.toks[i - 1].end

    def skip(self, i: int, *options: str) -> int:
        """The place after any of these words, if one stands here."""
        return i + 1 if self.words[i] in options else i

    def sequence(self, i: int, expected: tuple[str, ...]) -> bool:
        return tuple(self.words[i : i + len(expected)]) == expected

    def match(self, i: int, pattern: re.Pattern[str]) -> Found[re.Match[str]]:
        """What a pattern finds from the token on, with the place after it."""
        found = pattern.match(self.text, self.toks[i].start) if i < self.size else None
        return None if found is None else (found, self.token_after(i, found.end()))

    def token_after(self, i: int, end: int) -> int:
        """The first token from a place on that begins at or after `end` in the text."""
        while i < self.size and self.toks[i].start < end:
            i += 1
        return i

    def tense(self, i: int) -> Tense | None:
        """The tense of the clause around the token, worked out once."""
        if i not in self._tense:
            self._tense[i] = tense_near(self.toks, i)
        return self._tense[i]

    def prefers(self, i: int) -> Prefer:
        """Where a loose time at this place lies."""
        tense = self.tense(i)
        if tense is None:
            return self.prefer
        return "past" if tense in ("past", "perfect") else "future"


def reading(
    s: Scan, i: int, j: int, when: LocalStretch | None, role: TimeRole = "at", *, kind: Kind = "point",
    amount: float | None = None, unit: str | None = None, about: bool = False,
) -> tuple[Reading, int]:  # fmt: skip
    """What was read from token i up to token j, and j."""
    start, end = s.toks[i].start, s.toks[j - 1].end
    frequency = " ".join(s.text[start:end].lower().split()) if kind == "frequency" else None
    return Reading(start, end, kind, when, role, amount, unit, frequency, about), j


def longest(s: Scan, i: int, rules: Iterable[Callable[[Scan, int], Found[T]]]) -> Found[T]:
    """The longest of what some rules read at a place, the first of them where they are equal."""
    best: Found[T] = None
    for rule in rules:
        try:
            found = rule(s, i)
        except (ValueError, OverflowError):  # a day that no calendar has, or a year beyond its end
            continue
        if found is not None and (best is None or found[1] > best[1]):
            best = found
    return best


def integer(s: Scan, i: int) -> Found[int]:
    """A whole number in digits or words, at most 99 in words."""
    word = s.word(i)
    if word.isdecimal():
        return int(word), i + 1
    if word in words.NUMBERS:
        return words.NUMBERS[word], i + 1
    return _tens(s, i, words.NUMBERS, s.skip(i + 1, "-", "and")) or (
        (words.TENS[word], i + 1) if word in words.TENS else None
    )


def ordinal(s: Scan, i: int) -> Found[int]:
    """ "3rd", "third", "twenty-third"."""
    word = s.word(i)
    if word.isdecimal() and s.word(i + 1) in words.SUFFIXES and s.touches(i + 1):
        return int(word), i + 2
    if word in words.ORDINALS:
        return words.ORDINALS[word], i + 1
    return _tens(s, i, words.ORDINALS, s.skip(i + 1, "-"))


def _tens(s: Scan, i: int, units: dict[str, int], j: int) -> Found[int]:
    """ "twenty-third", with its unit at j."""
    tens, unit = words.TENS.get(s.word(i)), units.get(s.word(j), 0)
    return (tens + unit, j + 1) if tens is not None and 0 < unit < 10 else None


def amount(s: Scan, i: int) -> Found[float]:
    """How many units: "three", "3.5", "a", "half a", "a couple of", "two and a half"."""
    phrase = s.match(i, _PHRASE)
    if phrase is not None:
        return _PHRASES[phrase[0][0].lower()], phrase[1]
    word = s.word(i)
    whole = (1, i + 1) if word in ("a", "an") else integer(s, i)
    if whole is None:
        return None
    value, j = float(whole[0]), whole[1]
    touching = word.isdecimal() and s.touches(j) and s.touches(j + 1) and s.word(j + 1).isdecimal()
    if touching and s.word(j) in (".", "/"):
        decimal, below = float(f"{word}.{s.word(j + 1)}"), max(1, int(s.word(j + 1)))
        return (decimal if s.word(j) == "." else value / below), j + 2
    if s.word(j) == "and":
        k = s.skip(j + 1, "a", "one")
        if s.word(k) in ("half", "quarter") and (k > j + 1 or s.word(k) == "half"):
            return value + (0.5 if s.word(k) == "half" else 0.25), k + 1
    return value, j


def unit(s: Scan, i: int) -> Found[str]:
    """A unit of time in full, or shortened where it touches its number."""
    word = s.word(i).removesuffix("'s")
    if word == "week" and s.word(end := s.skip(i + 1, "-")) == "end":
        return "weekend", end + 1
    if word in words.UNITS:
        return words.UNITS[word], i + 1
    if word in words.SHORT_UNITS and not s.toks[i].capital and s.touches(i) and s.word(i - 1).isdecimal():
        return words.SHORT_UNITS[word], i + 1
    return None


def expand_year(number: int) -> int:
    """Two digits as people write them: 70-99 are 1970-1999, the others 2000-2069."""
    return number if number > 99 else number + (1900 if number >= 70 else 2000)


def year(s: Scan, i: int, *, short: bool = False) -> Found[int]:
    """ "2021", "'21", "two thousand and twenty", "nineteen ninety three"; "21" only if `short`."""
    word = s.word(i)
    if word in ("'", "’", "‘") and s.touches(i + 1) and len(s.word(i + 1)) == 2 and s.word(i + 1).isdecimal():
        return expand_year(int(s.word(i + 1))), i + 2
    if word.isdecimal():
        if len(word) == 4 and int(word) >= 1000:
            counts = s.word(i - 1) == "," and int(word) > s.now.year + MOST_AHEAD  # "30 December, 4320 pesos"
            return None if counts else (int(word), i + 1)
        if short and len(word) == 2:
            return expand_year(int(word)), i + 1
        return None
    return _year_in_words(s, i)


def _year_in_words(s: Scan, i: int) -> Found[int]:
    head = integer(s, i)
    if head is None or s.word(i).isdecimal():
        return None
    value, j = head
    thousand = s.word(j) == "thousand" and value in (1, 2)
    hundred = s.word(j) == "hundred" and 16 <= value <= 20
    if thousand or hundred:
        rest = integer(s, s.skip(j + 1, "and"))
        value *= 1000 if thousand else 100
        counts = rest is None or s.word(rest[1] - 1).isdecimal() or rest[0] > 99
        return (value, j + 1) if rest is None or counts else (value + rest[0], rest[1])
    rest = integer(s, j)
    spelled = rest is not None and rest[0] >= 10 and not s.word(j).isdecimal()
    return (value * 100 + rest[0], rest[1]) if rest is not None and spelled and 16 <= value <= 20 else None
