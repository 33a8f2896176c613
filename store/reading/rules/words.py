"""Every token knows its exact characters: text[token.start:token.end] is what was written, whatever `low` makes of it.

Contractions are split ("I'm" is "i" and "'m", "don't" is "do" and "n't"); a short quotation is one token whose inside
nothing else looks at; what is masked is one break, so that no clause reaches across it.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from store.text.lists import wordset

Kind = Literal["word", "mark", "quote", "break"]
Span = tuple[int, int]

_TOKEN = re.compile(r"[^\W_]+(?:[.,:'’/&+_-][^\W_]+)*(?:\+\+|#)?|[^\w\s]|_+")
_ENCLITIC = re.compile(r"(.+?)(n't|'(?:s|m|re|ve|ll|d))$")
_SLURRED = {"im": "'m", "ive": "'ve", "hes": "'s", "shes": "'s"} | dict.fromkeys(
    ("dont", "didnt", "doesnt", "isnt", "wasnt"), "n't"
)
_ABBREVIATIONS = wordset("dr mr mrs ms prof st vs etc e.g i.e jr sr sra approx no")
_END = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s|$)|[!?]+|\n+")


class Token(NamedTuple):
    """One word, mark, quotation or break."""

    text: str
    low: str
    """Lower case with straight apostrophes; of a quotation, the empty string."""
    start: int
    end: int
    kind: Kind = "word"

    @property
    def capital(self) -> bool:
        """Written with a capital, a quotation or a mixed-case name ("iPhone")."""
        return self.kind == "quote" or any(letter.isupper() for letter in self.text[:2])


class Sentence(NamedTuple):
    """One sentence's tokens, and how it ends."""

    tokens: tuple[Token, ...]
    start: int
    end: int
    question: bool


def tokens_of(text: str, start: int, end: int) -> list[Token]:
    """The tokens of text[start:end], contractions split."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text, start, end):
        found.extend(_split(match.group(), match.start()))
    return found


def _split(word: str, at: int) -> list[Token]:
    low = word.lower().replace("’", "'")
    if not word[0].isalnum():
        return [Token(word, low, at, at + len(word), "mark")]
    if low in _SLURRED:
        tail = _SLURRED[low]
        cut = len(low) - len(tail) + 1
        return [Token(word[:cut], low[:cut], at, at + cut), Token(word[cut:], tail, at + cut, at + len(word))]
    match = _ENCLITIC.match(low) if "'" in low else None
    if match is None:
        return [Token(word, low, at, at + len(word))]
    cut = len(match.group(1))
    return [Token(word[:cut], low[:cut], at, at + cut), Token(word[cut:], low[cut:], at + cut, at + len(word))]


def sentences_of(text: str, masked: list[Span], quotes: list[Span]) -> list[Sentence]:
    """The sentences of a text; masked stretches are breaks, quotations are single tokens."""
    found: list[Sentence] = []
    start = 0
    for end, mark in _ends(text, quotes):
        tokens = _with_spans(text, start, end, masked, quotes)
        if any(token.kind in ("word", "quote") for token in tokens):
            found.append(Sentence(tuple(tokens), start, end, "?" in mark))
        start = end
    return found


def spans_of(text: str) -> list[Span]:
    """Where the sentences of a text begin and end, without reading them."""
    ends = [end for end, _ in _ends(text, [])]
    return list(zip([0, *ends], ends, strict=False))


def _ends(text: str, quotes: list[Span]) -> list[tuple[int, str]]:
    ends: list[tuple[int, str]] = []
    for match in _END.finditer(text):
        at = match.start()
        if any(a < at < b for a, b in quotes) or _abbreviated(text, at, match.group()):
            continue
        ends.append((match.end(), match.group()))
    if not ends or ends[-1][0] < len(text):
        ends.append((len(text), ""))
    return ends


def _abbreviated(text: str, at: int, mark: str) -> bool:
    if mark != ".":
        return False
    word = re.search(r"[\w.]+$", text[max(0, at - 12) : at])
    if word is None:
        return False
    low = word.group().lower()
    return low in _ABBREVIATIONS or (len(low) == 1 and low.isalpha() and word.group().isupper() and low != "i")


def _with_spans(text: str, start: int, end: int, masked: list[Span], quotes: list[Span]) -> list[Token]:
    if not masked and not quotes:
        return tokens_of(text, start, end)
    marks = sorted([(a, b, True) for a, b in masked] + [(a, b, False) for a, b in quotes])
    tokens: list[Token] = []
    at = start
    for a, b, hidden in marks:
        if b <= at or a >= end:
            continue
        tokens += tokens_of(text, at, max(at, a))
        tokens.append(_solid(text, max(a, at), min(b, end), hidden))
        at = min(b, end)
    return tokens + tokens_of(text, at, end)


def _solid(text: str, start: int, end: int, hidden: bool) -> Token:
    if hidden:
        return Token("", "", start, end, "break")
    start, end = start + 1, end - 1
    while end > start + 1 and text[end - 1] in ",.;:":
        end -= 1
    return Token(text[start:end], "", start, end, "quote")
