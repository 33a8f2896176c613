"""The reader points at words and never makes any: what it gives are characters of the text, with how sure it is.

`Reader.read` runs the encoder (ONNX, onnxruntime, one thread) and the statement heads (numpy) over some texts. The
same text gives the same spans whatever is read beside it: texts are never padded together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from store.reading.network import Network, models, softmax
from store.reading.tokens import Pieces, cut, whole_words

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

WIDEST = 24
"""Pieces of the longest value."""
NAME, TIME = 6, 12
"""Pieces of the longest words that name a subject, and that say when."""
KEPT = 256
"""Texts whose reading is kept: a pronoun looks back at the turns before it, which were read a moment ago."""
NAMED = 4
"""Of the pieces at which a subject or a time may begin, the likeliest that are looked at."""
ENDED = 0.6
"""What the pointer to the last piece counts beside the one to the first: of 980 statements of people kept from the
training the networks before named 822 subjects right by it, where each pointer alone named 810."""
LEAST = 0.05
"""Spans that are less likely than this to be a value are not looked at."""


POINTERS = 6
"""Of a value: first and last word of its subject, of its time, and of what it revises."""
POINT = 64
"""Width of a pointer's query and key."""


class Before(NamedTuple):
    """What is read with a text: the turn that it may answer, or the writer's own right before, which it may lean on."""

    text: str = ""
    own: bool = False


class Words(NamedTuple):
    """Characters of a text: text[start:end]."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that a text states, as the reader sees it."""

    value: Words
    predicate: str
    status: str
    subject: Words | None
    """The words that point at whom it is about; None: whoever speaks."""
    when: Words | None
    sure: float
    """How likely the claim is right as a whole, 0 to 1, calibrated on people the reader was not trained on."""
    chances: tuple[float, ...] = ()
    """What the heads gave the span, its predicate, its status and its subject; `sure` is made of these."""
    whose: Words | None = None
    """Words of the writer's own turns before that point at whom it is about, where the text itself has none."""
    revises: Words | None = None
    """Words of the writer's own turns before that it puts right, ends or takes back, if it does."""
    revising: float = 0.0
    """How likely it revises those words, 0 to 1."""
    of: Words | None = None
    """The words of the medicine that a dose is of."""


class Reader(Network):
    """The reader in a folder. Nothing is loaded before it is needed."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "reader.json")
        self._read = lru_cache(maxsize=KEPT)(self._read_one)

    @property
    def fingerprint(self) -> str:
        """What its claims carry: "reader/1"."""
        return f"reader/{self.card['version']}"

    @property
    def known(self) -> float:
        """From how sure on a statement is taken as known."""
        return float(self.card["known"])

    @property
    def unsure(self) -> float:
        """From how sure on a statement is shown at all."""
        return float(self.card["unsure"])

    def knows(self, word: str) -> bool:
        """Whether a word is one of its vocabulary. Raises ReaderUnavailable."""
        return len(self.tokenizer.encode(word, add_special_tokens=False).ids) == 1

    def read(self, texts: Sequence[tuple[str, Before]]) -> list[list[Statement]]:
        """What each (text, turn before it) states, in the order of the words. Raises ReaderUnavailable."""
        return [list(self._read(text, before)) for text, before in texts]

    def read_ahead(self, texts: Sequence[tuple[str, Before]]) -> None:
        """Read some texts on two threads; `read` then has them. At most KEPT. Raises ReaderUnavailable."""
        if len(texts) > 1:
            list(self.threads.map(lambda one: self._read(*one), texts))

    def forget(self) -> None:
        """Let go of the texts that were read."""
        self._read.cache_clear()

    def _read_one(self, text: str, before: Before) -> tuple[Statement, ...]:
        return tuple(self._statements(text, cut(self.tokenizer, text, *before), before))

    def _statements(self, text: str, pieces: Pieces, before: Before) -> list[Statement]:
        import numpy as np

        if pieces.own <= 2:
            return []
        hidden = self.encode(pieces.ids, pieces.segments)
        spans = self._spans(self._scores(hidden[1 : pieces.own - 1]))
        if not spans:
            return []
        described = self._described(hidden, np.array([one[1] for one in spans]), np.array([one[2] for one in spans]))
        kinds = softmax(self.linear("predicate", _gelu(self.linear("span.0", described))))
        states = softmax(self.linear("status", described))
        points = softmax(self._points(hidden, described))
        found = []
        for row, (chance, start, end) in enumerate(spans):
            kind, state = int(kinds[row].argmax()), int(states[row].argmax())
            began, ended = _likeliest(points[row, 2], points[row, 3], TIME)
            old = [pieces.own + int(one) for one in points[row, 4:, pieces.own :].argmax(-1)] if before.own else [0, 0]
            old = old if old[1] - old[0] < WIDEST else [0, 0]  # no value is as long
            whose, ends = _likeliest(points[row, 0], points[row, 1], NAME)
            named = max(_pointed_at(shares, pieces, whose, ends) for shares in points[row, :2])
            chances = (chance, float(kinds[row, kind]), float(states[row, state]), named)
            found.append(
                Statement(
                    Words(*whole_words(text, pieces.offsets[start][0], pieces.offsets[end][1])),
                    self.card["predicates"][kind],
                    self.card["statuses"][state],
                    _whole(text, pieces, whose, ends),
                    _whole(text, pieces, began, ended),
                    self.sure_of(chances),
                    chances,
                    _of_before(before, pieces, whose, ends),
                    _of_before(before, pieces, *old),
                    1 - float(points[row, 4, 0]) if old[0] else 0.0,
                )
            )
        return sorted(found, key=lambda one: one.value)

    def _scores(self, inner: Floats) -> Floats:
        """Log odds that the pieces i to j are a value."""
        import numpy as np

        ends = self.linear("ends", inner)
        scores = self.linear("left", inner) @ self.linear("right", inner).T / np.sqrt(self.heads["left.bias"].size)
        found: Floats = scores + ends[:, :1] + ends[:, 1][None]
        return found

    def _spans(self, scores: Floats) -> list[tuple[float, int, int]]:
        """(chance, first piece, last piece) of the values, none inside another: the likeliest first."""
        import numpy as np

        chances: Floats = (1 / (1 + np.exp(-scores))).astype(np.float32)
        first, last = np.nonzero(np.triu(chances, 0) * (np.tri(len(scores), k=WIDEST - 1).T > 0) * 1.0 > LEAST)
        near = last - first < WIDEST
        order = sorted(
            ((float(chances[i, j]), int(i), int(j)) for i, j in zip(first[near], last[near], strict=True)),
            key=lambda one: (-one[0], one[1:]),
        )
        taken: list[tuple[float, int, int]] = []
        for chance, i, j in order:
            if all(j + 1 < a or i + 1 > b for _, a, b in taken):
                taken.append((chance, i + 1, j + 1))
        return taken

    def _described(self, hidden: Floats, first: npt.NDArray[np.int64], last: npt.NDArray[np.int64]) -> Floats:
        import numpy as np

        sums = np.concatenate([np.zeros_like(hidden[:1]), hidden.cumsum(0)])
        # Divided by whole numbers the means, and with them all products of the heads, would be doubles.
        pieces = (last - first + 1)[:, None].astype(np.float32)
        means = (sums[last + 1] - sums[first]) / pieces
        whole = np.broadcast_to(hidden[0], means.shape)
        described: Floats = np.concatenate([hidden[first], hidden[last], means, whole], 1)
        return described

    def _points(self, hidden: Floats, described: Floats) -> Floats:
        import numpy as np

        keys = self.linear("keys", hidden).reshape(len(hidden), -1, POINT)
        queries = self.linear("points", described).reshape(len(described), -1, POINT)
        found: Floats = np.einsum("nkp,tkp->nkt", queries, keys)
        return found

    def sure_of(self, chances: tuple[float, ...]) -> float:
        """The calibrated chance, by logistic regression over the heads' own."""
        from math import exp

        bias, *weights = self.card["calibration"]
        return 1 / (1 + exp(-(bias + sum(w * logit(x) for w, x in zip(weights, chances, strict=True)))))


def _pointed_at(shares: Floats, pieces: Pieces, first: int, last: int) -> float:
    """The share of some words and of each place where the text says them again; "aunt Ilse" and "Ilse" are one."""
    words, width = pieces.ids[first : last + 1], last + 1 - first
    again = [at for at in range(1, pieces.own - width) if pieces.ids[at : at + width] == words] if first else [first]
    return float(sum(shares[at : at + width].sum() for at in again))


def _likeliest(starts: Floats, ends: Floats, widest: int) -> tuple[int, int]:
    """The first and the last piece of the likeliest words for a subject or a time, by both pointers."""
    import numpy as np

    last = ends**ENDED
    _, start, end = max(
        (float(starts[at] * last[end]), int(at), end)
        for at in np.argsort(-starts)[:NAMED]
        for end in range(int(at), min(int(at) + widest, len(ends)) if at else 1)
    )
    return start, end


def logit(chance: float) -> float:
    """The log odds of a chance, kept finite."""
    from math import log

    return log(max(chance, 1e-4) / max(1 - chance, 1e-4))


def _whole(text: str, pieces: Pieces, first: int, last: int) -> Words | None:
    """The whole words from one piece to another; None for the mark at the front, and for words of the turn before."""
    if first == 0 or last >= pieces.own - 1:
        return None
    return Words(*whole_words(text, pieces.offsets[first][0], pieces.offsets[last][1]))


def _of_before(before: Before, pieces: Pieces, first: int, last: int) -> Words | None:
    """The whole words of the writer's own turns before, from one piece to another; None for any other words."""
    if not before.own or first < pieces.own or pieces.offsets[first][1] == 0:
        return None
    (start, end), (_, furthest) = pieces.offsets[first], pieces.offsets[max(first, last)]
    return Words(*whole_words(before.text, start, max(end, furthest)))


def _gelu(rows: Floats) -> Floats:
    """Exact to 1e-7 (Abramowitz and Stegun 7.1.26): numpy has no error function."""
    import numpy as np

    x = np.abs(rows) / np.sqrt(2.0)
    t = 1 / (1 + 0.3275911 * x)
    poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    erf = np.sign(rows) * (1 - poly * np.exp(-x * x))
    found: Floats = (rows * 0.5 * (1 + erf)).astype(np.float32)
    return found


def default_path() -> Path:
    """The folder of the reader that ships: `models/reader` beside `store/`, in a checkout as in a wheel."""
    return models() / "reader"


@cache
def shipped() -> Reader:
    """The one reader of this process."""
    return Reader(default_path())
