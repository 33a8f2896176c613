"""A reply that says again what it said itself, or what an earlier reply of the conversation said, ends before it does.

Small models have a few sentences for everything: of the replies of one chat nineteen began "I'm so sorry to hear that".
What is said again is found sentence by sentence, so that a sentence is shown only once it is known to be new. A
sentence is near to another where most of their words are the same, where both begin with the same OPENING words, or
where they share a long RUN of them ("... a testament to the power of human ingenuity"); a few words ("Of course!") are
never near to anything. The items of a list and lines of code are: two recipes have steps in common.

They also fall into loops, and a screenful of one sentence helps nobody. A reply is read as it comes, in time
proportional to its length, and is cut back to its last whole sentence before one of these:

    runs      the same six words in a row as before, time and again (so that lists that begin alike are left alone)
    echoes    a few words, or a few signs, over and over at the end; in fenced code, where lines repeat for good
              reasons, only the same line
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

FEWEST = 4  # words of a sentence that can be near to another
OPENING = 5
SHARED = 0.75  # of all the words in two sentences, as much must be in both
RUN, RUN_SHARE = 5, 2 / 3
"""Words in a row that two sentences have in common, and the share of the longer one that they are."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d+[.)])[ \t]")
_FENCE = re.compile(r"^[ \t]*(?:`{3}|~{3})", re.MULTILINE)
_END = re.compile(r"(?<=[.!?…。！？])[\"'”’)\]*_]*(?:\s+|$)|\n+")
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


def words_of(text: str) -> list[str]:
    """In lower case, with one kind of apostrophe."""
    return [word.lower().replace("’", "'") for word in _WORD.findall(text)]


LEAST_SAID, SAID_BACK = 3, 0.65
"""Words of a reply that says something back, and the share of them that are the person's."""


def asks_again(text: str, other: str) -> bool:
    """Whether one asks what the other asks: of "the Nile" and "the Himalayas" nobody asks twice."""
    return _alike(words_of(text), words_of(other))


def _near(words: list[str], others: list[str]) -> bool:
    """Whether one sentence says what the other says."""
    if min(len(words), len(others)) >= OPENING and words[:OPENING] == others[:OPENING]:
        return True
    run = SequenceMatcher(None, words, others, autojunk=False).find_longest_match().size
    return _alike(words, others) or run >= max(RUN, RUN_SHARE * max(len(words), len(others)))


def _alike(words: list[str], others: list[str]) -> bool:
    """Most of their words are the same."""
    if min(len(words), len(others)) < FEWEST:
        return words == others
    mine, theirs = set(words), set(others)
    return len(mine & theirs) >= SHARED * len(mine | theirs)


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


class ReplyGuard:
    """Feed it the reply piece by piece; it gives back what may be shown by now, until the reply repeats something."""

    def __init__(self, replies: Iterable[str] = ()) -> None:
        """`replies` are the earlier ones; without them every piece is shown as it comes."""
        self._loop = LoopGuard()
        self._before = [words for reply in replies for words in _sentences(reply)]
        self._held = ""
        self._kept = ""
        self.repeats = False  # it began to say again what an earlier reply said

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
