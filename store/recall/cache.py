"""An answer is served again only while all that it read is as it was, and never to a question that could mean another.

Tier 0: the same question. Tier 1: nearly the same, when the words that differ mean nothing ("please", "the"): names,
numbers, times, negations, question words and tenses all count, in their order. Both ask for the same times as before.
What an answer from beliefs read is named by a stamp (stamps.py); one that looked at turns holds only for the file as it
was, down to the last commit. Nothing of this is on the disk, and an erase empties it.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from dataclasses import dataclass, replace

from store.recall.answer_words import tokens, words_of
from store.records import Answer, Stretch

KEPT = 256
"""Answers; the one that was not asked for the longest goes first."""
NEAR = 0.5
"""Jaccard over all words below which two questions are not nearly the same."""
_FILLERS = frozenset(words_of("please actually really exactly"))
"""Words that change no answer, wherever they stand."""
_OPENERS = frozenset(words_of("hey hi hello ok okay so well and but oh hm um erm"))
"""Words that change none where the question begins with them."""
_ARTICLES = frozenset(words_of("a an the"))
"""Nor do these before a common noun; before a name they may be part of it."""
_COMPARES = re.compile(r"(?i)\b(?:or|before|after|between|first|last|and|than)\b")
"""What a question compares is repeated in its answer, in its own words: such a question is only itself."""


@dataclass(frozen=True, slots=True)
class State:
    """What a file is like when a question is asked."""

    beliefs: int | None
    """The stamp of all beliefs; None where there is none."""
    commit: tuple[int, int]
    """The connection that looks, and what it saw last."""


@dataclass(frozen=True, slots=True)
class CachedTimes:
    """The times that a question is asked for, and in which calendar."""

    as_of: Stretch | None
    believed: int | None
    offset: int


@dataclass(frozen=True, slots=True)
class CachedAnswer:
    """One answer, and until when it holds."""

    question: str
    words: frozenset[str]
    matter: tuple[str, ...]
    times: CachedTimes
    answer: Answer
    state: State
    read_turns: bool
    asked_at: int
    until: int
    """Microseconds: the first moment at which time alone could change it."""

    def holds(self, state: State, times: CachedTimes, now: int) -> bool:
        """Whether it may be served at this moment."""
        if self.times != times or not self.asked_at <= now < self.until:
            return False
        if self.read_turns or self.state.beliefs is None:
            return self.state == state
        return self.state.beliefs == state.beliefs


class Cache:
    """The answers that were given lately, of one memory; may be used from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, CachedTimes], CachedAnswer] = OrderedDict()

    def find(self, question: str, state: State, times: CachedTimes, now: int) -> Answer | None:
        """The answer that was given to this question, or to one that means the same; None where it has to be made."""
        with self._lock:
            exact = self._kept.get((question, times))
            if exact is not None and exact.holds(state, times, now):
                self._kept.move_to_end((question, times))
                return replace(exact.answer, tier=0)
            words, matter = _words(question)
            for one in reversed(self._kept.values()):
                if _near(one, words, matter) and one.holds(state, times, now):
                    return replace(one.answer, tier=1)
        return None

    def keep(
        self, question: str, state: State, times: CachedTimes, now: int, until: int, answer: Answer, *, read_turns: bool
    ) -> None:
        """Remember an answer that was made in this state, at `now`, and holds at most until `until`."""
        words, matter = _words(question)
        kept = CachedAnswer(question, words, matter, times, answer, state, read_turns, now, until)
        with self._lock:
            self._kept[question, times] = kept
            self._kept.move_to_end((question, times))
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        """Forget every answer."""
        with self._lock:
            self._kept.clear()


def _words(question: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """All words of a question, and in their order those that matter; of the first one the case says nothing."""
    said = tokens(question.replace("’", "'"))
    while said and said[0].lower() in _OPENERS | _FILLERS:
        said.pop(0)
    matter = [word for at, word in enumerate(said) if not _says_nothing(word, said[at + 1 : at + 2])]
    first = (matter[0].lower(), *matter[1:]) if matter else ()
    return frozenset(word.lower() for word in said), tuple("I" if word == "i" else word for word in first)


def _says_nothing(word: str, following: list[str]) -> bool:
    low = word.lower()
    return low in _FILLERS or (low in _ARTICLES and following[:1] != [] and following[0][:1].islower())


def _near(one: CachedAnswer, words: frozenset[str], matter: tuple[str, ...]) -> bool:
    """Whether two questions differ in nothing but fillers."""
    if one.matter != matter or not matter or _COMPARES.search(" ".join(matter)):
        return False
    return len(one.words & words) >= NEAR * len(one.words | words)
