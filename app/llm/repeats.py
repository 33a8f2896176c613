"""A reply that falls into a loop ends before it fills the screen; one that only says back what was told is known.

A reply is read as it comes, in time proportional to its length, and is cut back to its last whole sentence before one
of these:

    runs      the same six words in a row as before, time and again (so that lists that begin alike are left alone)
    echoes    a few words, or a few signs, over and over at the end; in fenced code, where lines repeat for good
              reasons, only the same line
"""

from __future__ import annotations

import re
from collections import deque

LOOP_RUN = 6  # words
MOST_SEEN = 6
"""Runs that came before, among the last LATELY words: eleven words in a row said again, or two times eight."""
LATELY = 48
_ECHOES = ((1, 6), (2, 5), (3, 4), (4, 4), (5, 4))  # (words, times): a shorter one has to come more often
_LONGEST_SIGNS, _MOST_SIGNS = 12, 60  # characters: of the piece that comes over and over, and of all of it
_CODE_LINES = 12
_LOOP_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_SENTENCE_END = re.compile(r"[.!?…。！？]+[\"'”’)\]*_]*(?=\s|$)|\n")
_SPEAKS = re.compile(r"[^\W_]|[\U0001F300-\U0001FAFF]|\n")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
LEAST_SAID, SAID_BACK = 3, 0.65
"""Words of a reply that says something back, and the share of them that are the person's."""


def words_of(text: str) -> list[str]:
    """In lower case, with one kind of apostrophe."""
    return [word.lower().replace("’", "'") for word in _WORD.findall(text)]


_REFUSAL = re.compile(r"(?i)\b(?:can['’]?t|cannot|(?:un|not )able to) (?:assist|help)(?: you)? with (?:that|this)\b")
_PROMISE = re.compile(
    r"(?i)\bi(?:['’]ll| will) (?:make sure|take (?:care|extra)|be sure to|avoid|let \w+ know about)\b"
)
"""A model that can do nothing outside of the chat promises what it will not do."""
_PERSONS = frozenset(
    words_of(
        "i me my mine you your yours he she it we they a an the is are was were am "
        "be will and that this so yes no i'm i'll i've you're it's"
    )
)
"""Words that change, or say nothing, when somebody's words are said back to them."""


def says_nothing(reply: str, told: str) -> bool:
    """Whether a reply to what somebody tells only says it back, refuses to help with it, or promises to act on it."""
    if _REFUSAL.search(reply) or _PROMISE.search(reply):
        return True
    mine, theirs = set(words_of(reply)) - _PERSONS, set(words_of(told)) - _PERSONS
    return len(mine) >= LEAST_SAID and len(mine & theirs) >= SAID_BACK * len(mine)


class LoopGuard:
    """Feed it the reply piece by piece, until it says that it loops."""

    def __init__(self) -> None:
        self.text = ""
        self._words: list[str] = []
        self._starts: list[int] = []
        self._seen: set[tuple[str, ...]] = set()
        self._again: deque[int] = deque()  # places of the words that end a run which came before
        self._read = 0
        self._fenced = False
        self.looped_at: int | None = None  # where the text begins to repeat itself

    def feed(self, piece: str) -> bool:
        """Whether the reply has begun to loop; what comes then is of no use."""
        self.text += piece
        if self.looped_at is None:
            self._take_words()
            if self.looped_at is None:
                self.looped_at = _echoed_lines(self.text) if self._fenced else _echoed_signs(self.text)
        return self.looped_at is not None

    @property
    def kept(self) -> str:
        """The reply up to the last whole sentence before it looped; all of it where it did not."""
        return self.text if self.looped_at is None else whole_sentences(self.text[: self.looped_at])

    def _take_words(self) -> None:
        """Read on, up to the last word that cannot grow any more."""
        for match in _LOOP_WORD.finditer(self.text, self._read):
            if match.end() == len(self.text) or self.looped_at is not None:
                return
            between = self.text[self._read : match.start()]
            self._fenced ^= between.count("```") % 2 == 1
            self._read = match.end()
            if self._fenced:
                continue
            self._words.append(match[0].lower())
            self._starts.append(match.start())
            self.looped_at = self._look()

    def _look(self) -> int | None:
        """Where the loop begins that the last word has shown."""
        words, last = self._words, len(self._words) - 1
        for size, times in _ECHOES:
            first = len(words) - size * times
            if first >= 0 and words[first:-size] == words[first + size :]:
                return self._starts[first + size]
        run = tuple(words[-LOOP_RUN:])
        if len(run) == LOOP_RUN and run in self._seen:
            self._again.append(last)
        self._seen.add(run)
        while self._again and self._again[0] <= last - LATELY:
            self._again.popleft()
        return self._starts[self._again[0] - LOOP_RUN + 1] if len(self._again) >= MOST_SEEN else None


def whole_sentences(text: str) -> str:
    """Up to the end of the last sentence that is whole; empty where none is."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    return text[: ends[-1]].rstrip() if ends else ""


def _echoed_signs(text: str) -> int | None:
    """Where one short piece without spaces, an emoji or an empty line begins to come over and over."""
    tail = text[-_MOST_SIGNS:]
    if len(tail) < _MOST_SIGNS or not _SPEAKS.search(tail):  # a ruled line or the frame of a table may be long
        return None
    for size in range(1, _LONGEST_SIGNS + 1):
        if tail[size:] == tail[:-size]:
            first = len(text) - len(tail) + size
            while first > size and text[first - size - 1] == text[first - 1]:
                first -= 1
            return first
    return None


def _echoed_lines(text: str) -> int | None:
    """Where the same line begins to come over and over, in code."""
    lines = text[-4000:].split("\n")[:-1]
    if len(lines) < _CODE_LINES or not lines[-1].strip() or len(set(lines[-_CODE_LINES:])) > 1:
        return None
    return len(text) - sum(len(line) + 1 for line in lines[-_CODE_LINES + 1 :])
