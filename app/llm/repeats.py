"""A reply that says again what an earlier reply of the conversation said ends before it does.

Small models have a few sentences for everything: of the replies of one chat nineteen began "I'm so sorry to hear that".
What is said again is found sentence by sentence, so that a sentence is shown only once it is known to be new. A
sentence is near to another where most of their words are the same, where both begin with the same OPENING words, or
where they share a long RUN of them ("... a testament to the power of human ingenuity"); a few words ("Of course!") are
never near to anything. The items of a list and lines of code are: two recipes have steps in common.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from app.llm.loops import LoopGuard

FEWEST = 4
"""Words of a sentence that can be near to another."""
OPENING = 5
SHARED = 0.75
"""Of all the words in two sentences, as much must be in both."""
RUN, RUN_SHARE = 5, 2 / 3
"""Words in a row that two sentences have in common, and the share of the longer one that they are."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d+[.)])[ \t]")
_FENCE = re.compile(r"^[ \t]*(?:`{3}|~{3})", re.MULTILINE)
_END = re.compile(r"(?<=[.!?…。！？])[\"'”’)\]*_]*(?:\s+|$)|\n+")


def words_of(text: str) -> list[str]:
    """In lower case, with one kind of apostrophe."""
    return [word.lower().replace("’", "'") for word in _WORD.findall(text)]


LEAST_SAID, SAID_BACK = 3, 0.65
"""Words of a reply that says something back, and the share of them that are the person's."""


def asks_again(text: str, other: str) -> bool:
    """Whether one asks what the other asks: of "the Nile" and "the Himalayas" nobody asks twice."""
    return _alike(words_of(text), words_of(other))


def is_near(text: str, other: str) -> bool:
    """Whether one sentence says what the other says."""
    return _near(words_of(text), words_of(other))


def _near(words: list[str], others: list[str]) -> bool:
    if min(len(words), len(others)) >= OPENING and words[:OPENING] == others[:OPENING]:
        return True
    return _alike(words, others) or _shared_run(words, others) >= max(RUN, RUN_SHARE * max(len(words), len(others)))


def _alike(words: list[str], others: list[str]) -> bool:
    """Most of their words are the same."""
    if min(len(words), len(others)) < FEWEST:
        return words == others
    mine, theirs = set(words), set(others)
    return len(mine & theirs) >= SHARED * len(mine | theirs)


def _shared_run(words: list[str], others: list[str]) -> int:
    """The most words in a row that are in both."""
    return SequenceMatcher(None, words, others, autojunk=False).find_longest_match().size


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


def _sentences(reply: str) -> Iterator[list[str]]:
    """The words of each sentence that is not to be said again."""
    begin = 0
    for end in [*(found.end() for found in _END.finditer(reply)), len(reply)]:
        words = words_of(reply[begin:end])
        if len(words) >= FEWEST and not _may_recur(reply[:begin], reply[begin:end]):
            yield words
        begin = end


def _may_recur(before: str, sentence: str) -> bool:
    """It stands in an item of a list or in code, after what was said `before`: there one line is often like another."""
    line = before.rpartition("\n")[2] + sentence.lstrip("\n")
    return _ITEM.match(line) is not None or len(_FENCE.findall(before + sentence)) % 2 == 1


class ReplyGuard:
    """Feed it the reply piece by piece; it gives back what may be shown by now, until the reply repeats something."""

    def __init__(self, replies: Iterable[str] = ()) -> None:
        """`replies` are the earlier ones; without them every piece is shown as it comes."""
        self._loop = LoopGuard()
        self._before = [words for reply in replies for words in _sentences(reply)]
        self._held = ""
        self._kept = ""
        self.repeats = False
        """It began to say again what an earlier reply said."""

    @property
    def text(self) -> str:
        """All that came."""
        return self._loop.text

    @property
    def loops(self) -> bool:
        """It began to repeat itself."""
        return self._loop.looped_at is not None

    @property
    def over(self) -> bool:
        """What comes now is of no use."""
        return self.repeats or self.loops

    @property
    def kept(self) -> str:
        """What of it is kept."""
        return self._kept.rstrip() if self.repeats else self._loop.kept

    def feed(self, piece: str) -> str:
        """What may be shown by now, of this piece and of what was held back."""
        if self._loop.feed(piece):
            return ""
        if not self._before:
            return piece
        self._held += piece
        shown = ""
        # A sentence is over where the next one has begun: "3.5" holds none.
        while not self.repeats and (end := _END.search(self._held)) and end.end() < len(self._held):
            shown += self._take(end.end())
        return shown

    def end(self) -> str:
        """What of the last sentence may be shown: nothing more will come."""
        return "" if self.over or not self._before else self._take(len(self._held))

    def _take(self, end: int) -> str:
        sentence, rest = self._held[:end], self._held[end:]
        words = [] if _may_recur(self._kept, sentence) else words_of(sentence)
        if len(words) >= FEWEST and any(_near(words, before) for before in self._before):
            self.repeats = True
            return ""
        self._held = rest
        self._kept += sentence
        return sentence
