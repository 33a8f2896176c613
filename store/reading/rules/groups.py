"""A verb group says one thing about time and truth: its tense, whether it is denied, and what it leaves open.

`group_at` reads auxiliaries, negations and adverbs up to the main verb ("has also been living", "no longer works",
"used to smoke", "'m not"). What is open (would, could, might) comes back as tense "modal", and nobody takes it for a
fact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from store.reading.rules.lexicon import DETERMINERS, FILLERS, MAYBES
from store.reading.rules.words import Token
from store.text.forms import form_of
from store.text.lists import wordset
from store.text.nouns import NATIONALITIES, STATUSES

Tense = Literal[
    "present",
    "prog",
    "past",
    "pastprog",
    "perfect",
    "perfprog",
    "pastperfect",
    "future",
    "goingto",
    "usedto",
    "can",
    "modal",
]

_BE = {
    "am": "present",
    "'m": "present",
    "m": "present",
    "is": "present",
    "are": "present",
    "'re": "present",
    "was": "past",
    "were": "past",
}
_HAVE = {"have": "perfect", "'ve": "perfect", "has": "perfect", "had": "pastperfect"}
_DO = {"do": "present", "does": "present", "did": "past"}
_MODALS = wordset("would could should may might must shall ought wo ca need")
_NOT = frozenset(["not", "n't"])
_ADJECTIVES = STATUSES | NATIONALITIES | wordset("retired allergic called named born based located")
_GOT = frozenset(["got", "gotten"])


@dataclass(frozen=True, slots=True)
class Group:
    """A verb group that ends before tokens[after]."""

    lemma: str
    tense: Tense
    after: int
    negative: bool = False
    ended: bool = False
    """ "no longer", "not ... anymore"."""
    adverbs: frozenset[str] = frozenset()
    passive: bool = False
    maybe: bool = False
    verb: int = 0
    """Index of the main verb, or of the copula."""


def group_at(tokens: Sequence[Token], at: int, end: int) -> Group | None:
    """The finite verb group that starts at tokens[at], or None."""
    seen: set[str] = set()
    at, negative, ended = _skip(tokens, at, end, seen)
    if at >= end or tokens[at].kind != "word":
        return None
    head = _head(tokens, at, end, seen)
    if head is None:
        return None
    return replace(
        head,
        negative=head.negative or negative or ended,
        ended=head.ended or ended,
        adverbs=frozenset(seen),
        maybe=bool(seen & MAYBES),
    )


def _skip(tokens: Sequence[Token], at: int, end: int, seen: set[str]) -> tuple[int, bool, bool]:
    """Past adverbs and negations: (next index, negative, ended)."""
    negative = ended = False
    while at < end:
        low = tokens[at].low
        if low == "no" and at + 1 < end and tokens[at + 1].low == "longer":
            ended, at = True, at + 2
            continue
        if low in _NOT or low == "never":
            negative = True
            seen.add(low)
        elif low in FILLERS or low in MAYBES:
            seen.add(low)
        else:
            break
        at += 1
    return at, negative, ended


def _head(tokens: Sequence[Token], at: int, end: int, seen: set[str]) -> Group | None:
    low = tokens[at].low
    if low in _BE or low == "'s":
        return _being(tokens, at, end, seen)
    if low in _HAVE:
        return _having(tokens, at, end, seen, _HAVE[low])
    if low in _DO:
        return _doing(tokens, at, end, seen)
    if low == "'d":
        return _contracted_d(tokens, at, end, seen)
    if low in ("will", "'ll"):
        return _with_base(tokens, at + 1, end, seen, "future")
    if low in ("ca", "can") and [token.low for token in tokens[at + 1 : at + 3]] in (
        ["n't", "stand"],
        ["not", "stand"],
        ["n't", "bear"],
    ):
        return Group("hate", "present", at + 3, verb=at)
    if low == "can":
        return _with_base(tokens, at + 1, end, seen, "can")
    if low == "used" and at + 1 < end and tokens[at + 1].low == "to":
        return _with_base(tokens, at + 2, end, seen, "usedto")
    if low == "ca" and _no_more(tokens, at, end):
        return replace(_with_base(tokens, at + 2, end, seen, "can"), negative=True)
    if low in _MODALS:
        return Group(low, "modal", at + 1, verb=at)
    return _simple(tokens, at)


def _no_more(tokens: Sequence[Token], at: int, end: int) -> bool:
    """ "Can't ... any more": what one could do until now."""
    words = [token.low for token in tokens[at:end]]
    return words[1:2] == ["n't"] and ("anymore" in words or "any more" in " ".join(words) or "longer" in words)


def _simple(tokens: Sequence[Token], at: int) -> Group | None:
    form = form_of(tokens[at].low)
    if form is None:
        return None
    lemma, tags = form
    if "past" in tags and "base" not in tags:
        return Group(lemma, "past", at + 1, verb=at)
    if tags & {"base", "s"}:
        return Group(lemma, "present", at + 1, verb=at)
    return None


def _being(tokens: Sequence[Token], at: int, end: int, seen: set[str]) -> Group | None:
    past = _BE.get(tokens[at].low) == "past"
    after, negative, ended = _skip(tokens, at + 1, end, seen)
    if after < end and tokens[after].low in ("going", "about") and after + 1 < end and tokens[after + 1].low == "to":
        lemma = tokens[after + 2].low if after + 2 < end else ""
        target = tokens[after + 2] if after + 2 < end else None
        verbal = target is not None and target.kind == "word" and not target.capital and lemma not in DETERMINERS
        if form_of(lemma) or lemma == "be" or verbal:
            return None if past else replace(_open(lemma, "goingto", after + 3, after + 2), negative=negative)
    if after < end and tokens[after].low == "gonna" and after + 1 < end:
        return replace(_open(tokens[after + 1].low, "goingto", after + 2, after + 1), negative=negative)
    form = form_of(tokens[after].low) if after < end and tokens[after].kind == "word" else None
    if form is not None and tokens[at].low == "'s" and "part" in form[1] and _has_not_is(tokens, after):
        return _having(tokens, at, end, seen, "perfect")
    if form is not None and "ing" in form[1]:
        return Group(form[0], "pastprog" if past else "prog", after + 1, negative, ended, verb=after)
    if form is not None and "part" in form[1] and tokens[after].low not in _ADJECTIVES:
        return Group(form[0], "past" if past else "present", after + 1, negative, ended, passive=True, verb=after)
    if after < end and tokens[at].low == "'s" and tokens[after].low in ("been", "had"):
        return _having(tokens, at, end, seen, "perfect")
    return Group("be", "past" if past else "present", after, negative, ended, verb=at)


def _has_not_is(tokens: Sequence[Token], after: int) -> bool:
    """ "he's moved" has; "it's called", "it's made" is."""
    low = tokens[after].low
    return low in _GOT or low in wordset(
        "moved quit started stopped become joined bought lived worked switched taken sold left adopted gone had"
    )


def _having(tokens: Sequence[Token], at: int, end: int, seen: set[str], tense: Tense | str) -> Group | None:
    if tokens[at].low in ("have", "has", "had") and at + 1 < end and tokens[at + 1].low == "to":
        if [token.low for token in tokens[at + 2 : min(at + 6, end)]] == ["be", "in", "the", "office"]:
            return Group("be", "present", at + 3, verb=at)
        return Group("have", "modal", at + 2, verb=at)
    after, negative, ended = _skip(tokens, at + 1, end, seen)
    if after >= end:
        return Group("have", "past" if tense == "pastperfect" else "present", after, negative, verb=at)
    low = tokens[after].low
    if low == "been":
        return _been(tokens, after, end, seen, negative, ended, tense)
    form = form_of(low)
    if low in _GOT and tense == "perfect" and low == "got":
        return Group("have", "present", after + 1, negative, verb=at)
    if form is not None and "part" in form[1] and tokens[after].kind == "word":
        return Group(
            form[0], "pastperfect" if tense == "pastperfect" else "perfect", after + 1, negative, ended, verb=after
        )
    return Group("have", "past" if tense == "pastperfect" else "present", after, negative, ended, verb=at)


def _been(tokens: Sequence[Token], at: int, end: int, seen: set[str], negative: bool, ended: bool, tense: str) -> Group:
    after, more, stopped = _skip(tokens, at + 1, end, seen)
    form = form_of(tokens[after].low) if after < end and tokens[after].kind == "word" else None
    if tense == "pastperfect":
        return Group("be", "modal", after, verb=at)
    if form is not None and "ing" in form[1]:
        return Group(form[0], "perfprog", after + 1, negative or more, ended or stopped, verb=after)
    if form is not None and "part" in form[1] and tokens[after].low not in _ADJECTIVES:
        return Group(form[0], "perfect", after + 1, negative or more, ended or stopped, passive=True, verb=after)
    return Group("be", "perfect", after, negative or more, ended or stopped, verb=at)


def _doing(tokens: Sequence[Token], at: int, end: int, seen: set[str]) -> Group | None:
    tense: Tense = "past" if tokens[at].low == "did" else "present"
    after, negative, ended = _skip(tokens, at + 1, end, seen)
    form = form_of(tokens[after].low) if after < end else None
    if form is not None and "base" in form[1]:
        return Group(form[0], tense, after + 1, negative, ended, verb=after)
    if after < end and tokens[after].low == "have":
        return Group("have", tense, after + 1, negative, ended, verb=after)
    return Group("do", tense, after, negative, ended, verb=at)


def _contracted_d(tokens: Sequence[Token], at: int, end: int, seen: set[str]) -> Group | None:
    """ "I'd been" and "I'd moved" had; everything else would."""
    after, _, _ = _skip(tokens, at + 1, end, seen)
    return Group("", "modal", after, verb=at)


def _with_base(tokens: Sequence[Token], at: int, end: int, seen: set[str], tense: Tense) -> Group:
    after, negative, ended = _skip(tokens, at, end, seen)
    if after >= end:
        return Group("", tense, after, negative, verb=at)
    return replace(_open(tokens[after].low, tense, after + 1, after), negative=negative, ended=ended)


def _open(word: str, tense: Tense, after: int, verb: int) -> Group:
    form = form_of(word)
    return Group(form[0] if form else word, tense, after, verb=verb)
