"""The same words give the same terms when a turn is indexed and when it is asked for; terms never hold white space.

A term is a normalised word: NFKC, lower case, accents off, English words stemmed. A word with an umlaut is also kept as
it is written without one ("Müller": muller, mueller). Words of code keep their form beside their parts ("pre-edit" is
found as pre-edit, pre and edit), Chinese, Japanese and Thai become pairs of characters, and Korean words are kept with
and without their particle and as pairs. A word of two scripts is taken apart where they meet. The terms are what the
full-text table holds, one space between two.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from itertools import pairwise

from store.text.stem import stem

LONGEST = 64
"""Characters of a term that count: a key or a base64 line is found by its head and cannot swell the index."""

_ACCENT = re.compile("(?<![aou])\u0308|[\u0300-\u0307\u0309-\u036f]")  # all but those of an umlaut
# Vowel signs of Hebrew, Arabic, India's scripts, Thai, Burmese and Khmer are no letters to `re`, but parts of words.
_SIGNS = "\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0dff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_ASCII_WORD = re.compile(r"[a-z0-9]+(?:[._:/@'+&-][a-z0-9]+)*(?:\+\+|#)?")  # pre-edit, don't, 9:30, a@b.org, c++
_WORD = re.compile(
    rf"(?:[^\W_]|[{_SIGNS}])+(?:[._:/@'+&-](?:[^\W_]|[{_SIGNS}])+)*(?:\+\+|#)?"
    r"|[\u2190-\u2bff\U0001f000-\U0001faff]"  # arrows, symbols, emoji
)
_STROKES = str.maketrans(
    {"’": "'", "‘": "'", "ł": "l", "Ł": "l", "ø": "o", "Ø": "o", "đ": "d", "Đ": "d", "æ": "ae", "Æ": "ae", "œ": "oe"}
)
_JOINT = re.compile(r"[._:/@'+&#-]+")
# Scripts that are written without spaces: Thai to Khmer, kana, Han with its signs of repetition.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\U00020000-\U0003ffff"
)
_PAIRED = re.compile(f"[{_UNSPACED}]+")
_HAN = re.compile("[\u3400-\u9fff\U00020000-\U0003ffff]")
_HANGUL = re.compile("[\uac00-\ud7a3]+")
_PIECE = re.compile(rf"{_PAIRED.pattern}|{_HANGUL.pattern}|[^{_UNSPACED}\uac00-\ud7a3]+")
_BARE = str.maketrans("äöü", "aou")
_SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_PARTICLES = (
    "에서는", "에게서", "으로는", "이라고", "한테서", "까지는", "부터는",
    "에서", "에게", "한테", "으로", "까지", "부터", "처럼", "보다", "라고", "이랑", "하고", "에는", "이나",
    "은", "는", "이", "가", "을", "를", "에", "의", "도", "와", "과", "로", "만", "랑", "께",
)  # fmt: skip

_STOPWORDS = (
    "a about above after again all also am an and any are aren't as at be because been before being below "
    "between both but by can can't could couldn't did didn't do does doesn't doing don't down during each ever "
    "few for from further get got had hadn't has hasn't have haven't having he he'd he'll he's her here hers "
    "herself him himself his how i i'd i'll i'm i've if in into is isn't it it'd it'll it's its itself just "
    "let let's many me mention might more most much must mustn't my myself no nor not of off on once only or "
    "other our ours ourselves out over own please same she she'd she'll she's should shouldn't so some such "
    "tell than that that's the their theirs them themselves then there there's these they they'd they'll "
    "they're they've this those through to too under until up us very was wasn't we we'd we'll we're we've "
    "were weren't what what's when where which while who whom whose why will with won't would wouldn't yes yet "
    "you you'd you'll you're you've your yours yourself yourselves"
)
STOPWORDS = frozenset(_STOPWORDS.split())
"""What a query does not look for, unless it has nothing else."""


def terms(text: str) -> list[str]:
    """The terms of a text in their order, repeated as often as they occur."""
    return [term for word in _words(text) for term in _terms_of(word)]


def query_terms(text: str) -> list[str]:
    """The terms that a query looks for, each once: its stop words only if it has no other words."""
    words = list(_words(text))
    told = [word for word in words if word not in STOPWORDS] or words
    return list(dict.fromkeys(term for word in told for term in _terms_of(word)))


def day_terms(day: date) -> list[str]:
    """The terms under which a day is found: "2023-05-08", "8", "monday", and those of its month."""
    return [day.isoformat(), str(day.day), *terms(_WEEKDAYS[day.weekday()]), *month_terms(day)]


def month_terms(day: date) -> list[str]:
    """The terms under which a month is found: "2023-05", "may", "2023"."""
    return [day.isoformat()[:7], *terms(_MONTHS[day.month - 1]), str(day.year)]


_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
           "December")  # fmt: skip
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _words(text: str) -> Iterator[str]:
    """The words of a text, not yet taken apart: NFKC, lower case, straight apostrophes, no accents but umlauts."""
    if text.isascii():
        normal = text.lower()
    else:
        folded = unicodedata.normalize("NFKC", text.translate(_STROKES)).casefold()
        normal = unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFD", folded)))
    return (match.group() for match in (_ASCII_WORD if normal.isascii() else _WORD).finditer(normal))


@lru_cache(maxsize=1 << 16)
def _terms_of(word: str) -> tuple[str, ...]:
    """The terms of one normalised word."""
    if word.isascii():
        return _ascii_terms(word)
    spelt = word.translate(_SPELT_OUT)
    forms = (word,) if spelt == word else (word.translate(_BARE), spelt)
    return tuple(term for form in forms for term in _by_script(form))


def _by_script(word: str) -> Iterator[str]:
    """The terms of a word, which is taken apart where one script meets another ("Kubernetes를", "3월")."""
    pieces = _PIECE.findall(word)
    if len(pieces) > 1:
        if not _PAIRED.search(word):
            yield from _without_particle(word)
        pieces = [piece.strip("._:/@'&-") for piece in pieces]
    for piece in filter(None, pieces):
        if _PAIRED.match(piece):
            yield from _pairs(piece)
        elif _HANGUL.match(piece):
            yield from _korean(piece)
        else:
            yield from _ascii_terms(piece) if piece.isascii() else (piece[:LONGEST],)


def _ascii_terms(word: str) -> tuple[str, ...]:
    if word.endswith("'s"):
        word = word[:-2]
    if word.isalpha():
        return (stem(word)[:LONGEST],)
    parts = [part for part in _JOINT.split(word) if part]
    if len(parts) < 2 or "'" in word or not any(part.isalpha() for part in parts):
        return (word[:LONGEST],)
    return (word[:LONGEST], *(stem(part)[:LONGEST] for part in parts))


def _pairs(run: str) -> Iterator[str]:
    """Pairs of neighbouring characters, and each Han character by itself, which is often a word."""
    if len(run) == 1:
        yield run
        return
    for first, second in pairwise(run):
        yield first + second
    yield from _HAN.findall(run)


def _korean(word: str) -> Iterator[str]:
    """The word with and without its particle, and the pairs of its syllables: nouns run on into verbs and into each
    other ("이사" in "이사했어요", "카페" in "고양이카페")."""
    forms = list(_without_particle(word))
    return iter(dict.fromkeys(forms + [first + second for first, second in pairwise(forms[-1])]))


def _without_particle(word: str) -> Iterator[str]:
    """The word as written, and without its particle: it cannot be told from a last syllable, so both are kept."""
    yield word[:LONGEST]
    for particle in _PARTICLES:
        if word.endswith(particle) and len(word) > len(particle):
            yield word[: -len(particle)][:LONGEST]
            return
