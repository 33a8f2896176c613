"""The network that reads questions, and questions beside turns: one BERT encoder and six small heads.

As the reader's, it can only point: at the words of a turn that answer, and at the words of a question that say of whom
and about when it asks. Whether a turn answers is a cross-encoder's score (Nogueira and Cho 2019, arXiv:1901.04085).
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from store.reading.asking.pieces import ASKED, BEFORE
from tests.make.reader.asking import ABOUT, FORMS, POINTED, VERDICTS
from tests.make.reader.network import Dropout, Encoder

SEGMENTS = 5


class Asking(nn.Module):
    """The encoder with its heads."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        width = encoder.word.embedding_dim
        self.encoder, self.drop = encoder, Dropout(0.1)
        self.score = nn.Linear(width, 1)
        self.verdict = nn.Linear(width, len(VERDICTS))
        self.answer = nn.Linear(width, 2)
        """Logits of the first and the last piece of the answering words."""
        self.about, self.form = nn.Linear(width, len(ABOUT)), nn.Linear(width, len(FORMS))
        self.points = nn.Linear(width, 2 * len(POINTED))

    @classmethod
    def from_bert(cls, weights: dict[str, Tensor]) -> Asking:
        """With BERT's two segments for the question and the turn."""
        encoder = Encoder.from_bert(weights)
        kinds = weights["embeddings.token_type_embeddings.weight"]
        first = [kinds[0] if segment in (ASKED, BEFORE) else kinds[1] for segment in range(SEGMENTS)]
        encoder.segment = nn.Embedding(SEGMENTS, kinds.shape[1], _weight=torch.stack(first))
        encoder.position.weight.requires_grad = False
        return cls(encoder)

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor) -> Tensor:
        encoded: Tensor = self.drop(self.encoder(ids, mask, segments))
        return encoded

    def heads(self) -> dict[str, Tensor]:
        """The weights of all heads."""
        return {name: part for name, part in self.state_dict().items() if not name.startswith("encoder.")}


def pad(rows: list[list[int]], fill: int = 0) -> Tensor:
    """Rows of different lengths as one tensor."""
    longest = max(map(len, rows))
    return torch.tensor([row + [fill] * (longest - len(row)) for row in rows])


def best_span(first: Tensor, last: Tensor, widest: int = 24) -> tuple[int, int]:
    """The likeliest (first, last) of a text's pieces, by the sum of their logits."""
    scores = first[:, None] + last[None]
    place = torch.arange(len(first))
    gap = place[None] - place[:, None]
    scores = scores.masked_fill((gap < 0) | (gap >= widest), -math.inf)
    at = int(scores.argmax())
    return at // len(first), at % len(first)
