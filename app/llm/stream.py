"""What comes out of here are whole characters that the person may see: no half UTF-8, thinking, marks or stop words.

Text is held back only while it could still turn out to be the beginning of a tag or of a stop word.
"""

from __future__ import annotations

import codecs
from collections.abc import Sequence

_OPENING, _CLOSING = "<think>", "</think>"
_MARKS = ("<notes>", "</notes>")  # what stands around the notes in a prompt: a small model repeats it


class ReplyStream:
    """Feed it the bytes of each token; it returns the text that is safe to show now.

    `stopped` turns true when a stop word came; everything from it on is dropped.
    """

    def __init__(self, stop: Sequence[str] = (), *, thinking: bool = False, begun: bool = False) -> None:
        """`thinking`: the template has already opened a <think> block. `begun`: the reply goes on, so that white space
        before its first word counts.
        """
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._stop = tuple(word for word in stop if word)
        self._thinking = thinking
        self._started = begun
        self._pending = ""
        self.stopped = False

    def feed(self, data: bytes) -> str:
        """The text that this token makes certain; often empty, never part of a character."""
        return self._advance(self._decoder.decode(data), final=False)

    def finish(self) -> str:
        """What was held back and turned out to be plain text."""
        return self._advance(self._decoder.decode(b"", final=True), final=True)

    def _advance(self, text: str, *, final: bool) -> str:
        if self.stopped:
            return ""
        self._pending += text
        shown = ""
        while (piece := self._take(final=final)) is not None:
            shown += piece
        if not self._started:  # a model puts blank lines before its first word
            shown = shown.lstrip()
            self._started = bool(shown)
        return shown

    def _take(self, *, final: bool) -> str | None:
        """One step over the pending text; None when nothing more is certain."""
        marks = (_CLOSING,) if self._thinking else (_OPENING, _CLOSING, *_MARKS, *self._stop)
        found = [(at, -len(mark), mark) for mark in marks if (at := self._pending.find(mark)) >= 0]
        if not found:
            held = 0 if final else _longest_overlap(self._pending, marks)
            certain = len(self._pending) - held
            piece, self._pending = self._pending[:certain], self._pending[certain:]
            return None if self._thinking else piece or None
        at, _, mark = min(found)
        piece, self._pending = self._pending[:at], self._pending[at + len(mark) :]
        if self._thinking:
            piece = ""
        if mark in self._stop:
            self.stopped, self._pending = True, ""
        self._thinking = mark == _OPENING
        return piece


def _longest_overlap(text: str, marks: Sequence[str]) -> int:
    """How many characters at the end of `text` could be the beginning of one of the marks."""
    longest = min(len(text), max(map(len, marks)) - 1)
    return next((size for size in range(longest, 0, -1) if any(one.startswith(text[-size:]) for one in marks)), 0)
