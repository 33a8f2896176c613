"""A reply ends where it begins to say again what it has said, and is cut back to its last whole sentence before that.

Small models fall into loops, and a screenful of one sentence helps nobody. The guard reads the reply as it comes, in
time proportional to its length, and knows nothing of what the words mean:

    runs      the same six words in a row as before, time and again (so that lists that begin alike are left alone)
    echoes    a few words, or a few signs, over and over at the end

In fenced code, where lines repeat for good reasons, only long echoes count.
"""

from __future__ import annotations

import re
from collections import deque

RUN = 6
"""Words."""
MOST_SEEN = 6
"""Runs that came before, among the last LATELY words: eleven words in a row said again, or two times eight."""
LATELY = 48
_ECHOES = ((1, 6), (2, 5), (3, 4), (4, 4), (5, 4))
"""(words, times): a shorter one has to come more often."""
_LONGEST_SIGNS, _MOST_SIGNS = 12, 60
"""Characters: of the piece that comes over and over, and of all of it."""
_CODE_LINES = 12
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_SENTENCE_END = re.compile(r"[.!?…。！？]+[\"'”’)\]*_]*(?=\s|$)|\n")
_SPEAKS = re.compile(r"[^\W_]|[\U0001F300-\U0001FAFF]|\n")


class LoopGuard:
    """Feed it the reply piece by piece, until it says that it loops."""

    def __init__(self) -> None:
        self.text = ""
        self._words: list[str] = []
        self._starts: list[int] = []
        self._seen: set[tuple[str, ...]] = set()
        self._again: deque[int] = deque()
        """Places of the words that end a run which came before."""
        self._read = 0
        self._fenced = False
        self.looped_at: int | None = None
        """Where the text begins to repeat itself."""

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
        for match in _WORD.finditer(self.text, self._read):
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
        run = tuple(words[-RUN:])
        if len(run) == RUN and run in self._seen:
            self._again.append(last)
        self._seen.add(run)
        while self._again and self._again[0] <= last - LATELY:
            self._again.popleft()
        return self._starts[self._again[0] - RUN + 1] if len(self._again) >= MOST_SEEN else None


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
