"""What is asked, and which words of which turn answer it: read, never made up, with how sure it is.

`Asker` runs one encoder over a question alone, and over a question beside a turn; its
heads are a few dot products. A pair is judged the same whatever is judged beside it: pairs are never padded together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from store.reading.asking.pieces import Pair, Passage, pair_of, question_of
from store.reading.encoder import Words
from store.reading.network import Network, models, softmax
from store.reading.tokens import whole_words
from store.records import About

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

WIDEST = 24
"""Pieces of the longest answer that is pointed at."""
KEPT = 1024
"""Pairs whose judgement is kept: a question is often asked again, or asked in the app and recalled for a model."""


@dataclass(frozen=True, slots=True)
class Intent:
    """What kind of answer a text asks for, if it asks at all."""

    about: About
    """ "memory" (the person's own life), "world" (what anybody could know, advice), "request" (write, translate), or
    "told": it asks nothing."""
    form: str
    """How an answer must look: value, list, count, who, when, since, howlong, yesno, choice, before, after, changed,
    tell, why."""
    subject: str
    """The words that name whom or what it asks about; "" where it is about the person."""
    time: str
    """The words that name a time in the world, or ""."""
    belief: str
    """The words that ask what was thought or said at a time, or ""."""
    chances: tuple[float, ...] = ()
    """Of memory, world, request and told, in this order."""
    matters: Mapping[str, float] = field(default_factory=dict)
    """How likely it asks for a value of each of the reader's labels ("works_at", "pay"): all of them add up to 1."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """How well a turn answers a question."""

    sure: float
    """How likely it answers, 0 to 1, by the network alone."""
    words: Words
    """The characters of the turn that answer."""
    pointed: float
    """How likely these words begin and end the answer, 0 to 1, if the turn answers."""
    verdict: str
    """Of a question for yes or no: "yes", "no" or "neither"."""
    agreed: float
    """How likely the verdict is, 0 to 1."""


class Asker(Network):
    """The network in a folder, with the tokenizer of the reader. Nothing is loaded before it is needed."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "asker.json")
        self._intent = lru_cache(maxsize=KEPT)(self._read_intent)
        self._pair = lru_cache(maxsize=KEPT)(self._judged)

    @property
    def vocabulary(self) -> Path:
        return models() / "reader"

    def intent(self, question: str) -> Intent:
        """What is asked. Raises ReaderUnavailable."""
        return self._intent(question)

    def judge(self, question: str, turns: Sequence[Passage]) -> list[Judgement]:
        """How well each turn answers, in the order given. Raises ReaderUnavailable."""
        return list(self.threads.map(lambda turn: self._pair(question, turn), turns))

    def forget(self) -> None:
        """Let go of the texts that were judged."""
        self._intent.cache_clear()
        self._pair.cache_clear()

    def vector(self, question: str) -> Floats:
        """What the encoder makes of a question: its first vector and the mean of the rest. Raises ReaderUnavailable."""
        pair = question_of(self.tokenizer, question)
        return _whole(self.encode(pair.ids, pair.segments))

    def _read_intent(self, question: str) -> Intent:
        pair = question_of(self.tokenizer, question)
        hidden = self.encode(pair.ids, pair.segments)
        about = softmax(self.linear("about", hidden[0]))
        if question.rstrip().endswith(("?", "？", "؟")):
            about[self.card["about"].index("told")] = 0.0
        form = self.linear("form", hidden[0])
        points = self.linear("points", hidden)
        matters = softmax(self.linear("matter", _whole(hidden)))

        def words(place: int) -> str:
            first, last = int(points[:, 2 * place].argmax()), int(points[:, 2 * place + 1].argmax())
            start, end = pair.offsets[first][0], pair.offsets[max(first, last)][1]
            return question[start:end] if first > 0 and end > start >= 0 else ""

        return Intent(
            self.card["about"][int(about.argmax())], self.card["forms"][int(form.argmax())], words(0), words(1),
            words(2), tuple(float(chance) for chance in about),
            dict(zip(self.card["matters"], map(float, matters), strict=True)),
        )  # fmt: skip

    def _judged(self, question: str, turn: Passage) -> Judgement:
        from math import exp

        pair = pair_of(self.tokenizer, question, turn)
        hidden = self.encode(pair.ids, pair.segments)
        score = float(self.linear("score", hidden[0])[0])
        verdicts = softmax(self.linear("verdict", hidden[0]))
        best = int(verdicts.argmax())
        words, pointed = self._answer(pair, hidden, turn.text)
        return Judgement(1 / (1 + exp(-score)), words, pointed, self.card["verdicts"][best], float(verdicts[best]))

    def _answer(self, pair: Pair, hidden: Floats, text: str) -> tuple[Words, float]:
        import numpy as np

        own = [place for place, (start, end) in enumerate(pair.offsets) if end > start >= 0]
        if not own:
            return Words(0, len(text)), 0.0
        first, last = (softmax(row) for row in self.linear("answer", hidden[own]).T)
        scores = first[:, None] * last[None]
        allowed = np.triu(np.ones_like(scores)) * (np.tri(len(own), k=WIDEST - 1).T > 0)
        scores = np.where(allowed > 0, scores, 0.0)
        at = int(scores.argmax())
        start, end = pair.offsets[own[at // len(own)]][0], pair.offsets[own[at % len(own)]][1]
        return Words(*whole_words(text, start, end)), float(scores.flat[at])


def _whole(hidden: Floats) -> Floats:
    """The vector of a question from those of its pieces."""
    import numpy as np

    return np.concatenate([hidden[0], hidden[1:].mean(0)])


def default_path() -> Path:
    """The folder of the network that ships: `models/asker` beside `store/`, in a checkout as in a wheel."""
    return models() / "asker"


@cache
def shipped() -> Asker:
    """The one network of this process."""
    return Asker(default_path())
