"""One BERT encoder with heads that can only point: at a value's words, its subject's words and the words that say when.

The encoder is all-MiniLM-L6-v2 (6 layers, 384 wide), or the lower six layers of all-mpnet-base-v2 (768 wide; Song et
al. 2020, arXiv:2004.09297), its word embeddings frozen. Its segment embedding, which a single
text does not use, tells how a word is written instead: lower case, Capital, ALL CAPITALS, or a word of the turn before,
somebody else's or the writer's own.
The span scorer is a biaffine product with a bias of each end, as in Su et al. 2022 (Global Pointer, arXiv:2208.03054).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor, nn
from torch.nn import functional

from store.reading.encoder import POINT, POINTERS

HEADS = 12
SEGMENTS = 5
RELATIVE = "encoder.relative_attention_bias.weight"
BUCKETS, EXACT, FURTHEST = 16, 8, 128
"""MPNet's distances between two tokens, each way: so many kinds, the first few exact, the last from so far on."""


@cache
def _drawn(rate: float) -> Tensor:
    return ((torch.rand(1 << 26) >= rate) / (1 - rate)).to(torch.bfloat16)


class Dropout(nn.Dropout):
    """Dropout whose masks are cut at random out of one long mask: drawing each anew took a fifth of the training."""

    def forward(self, input: Tensor) -> Tensor:
        size, drawn = input.numel(), _drawn(self.p)
        if not self.training or size >= len(drawn):
            return super().forward(input)
        start = int(torch.randint(len(drawn) - size, ()))
        return input * drawn[start : start + size].view(input.shape).to(input.dtype)


@dataclass(frozen=True)
class Shape:
    """What the heads choose between."""

    predicates: int
    statuses: int


class Layer(nn.Module):
    """One block of BERT: attention, then a feed-forward net, each with its residual and norm."""

    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))
        self.out, self.out_norm = nn.Linear(width, width), nn.LayerNorm(width, eps=1e-12)
        self.up, self.down = nn.Linear(width, inner), nn.Linear(inner, width)
        self.down_norm = nn.LayerNorm(width, eps=1e-12)
        self.even = nn.Parameter(torch.ones(width), requires_grad=False)
        """What each column is multiplied by before `up`: one, until `export` evens the columns out."""
        self.drop = Dropout(0.1)

    def forward(self, hidden: Tensor, bias: Tensor) -> Tensor:
        """`hidden`: batch x tokens x width; `bias`: batch x 1 x 1 x tokens, 0 or very negative for padding."""
        batch, tokens, width = hidden.shape
        query, key, value = (
            part(hidden).view(batch, tokens, HEADS, width // HEADS).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        scores = query @ key.transpose(-1, -2) / math.sqrt(width // HEADS) + bias
        mixed = (self.drop(scores.softmax(-1)) @ value).transpose(1, 2).reshape(batch, tokens, width)
        hidden = self.out_norm(hidden + self.drop(self.out(mixed)))
        return self.down_norm(hidden + self.drop(self.down(functional.gelu(self.up(hidden * self.even)))))


def distances(here: Tensor, there: Tensor) -> Tensor:
    """The kind of distance from one place to another, of 2 x BUCKETS: those behind first, then those ahead."""
    far = (here - there).abs()
    wide = EXACT + (torch.log(far.clamp(min=EXACT) / EXACT) / math.log(FURTHEST / EXACT) * (BUCKETS - EXACT)).long()
    return (there > here).long() * BUCKETS + torch.where(far < EXACT, far, wide.clamp(max=BUCKETS - 1))


class Encoder(nn.Module):
    """Token vectors of a batch of texts."""

    def __init__(self, words: int, positions: int, width: int, inner: int, layers: int, relative: bool = False) -> None:
        """`relative`: attention also weighs how far apart two tokens stand, as MPNet's does."""
        super().__init__()
        self.word, self.position = nn.Embedding(words, width), nn.Embedding(positions, width)
        self.segment, self.norm = nn.Embedding(SEGMENTS, width), nn.LayerNorm(width, eps=1e-12)
        self.layers = nn.ModuleList([Layer(width, inner) for _ in range(layers)])
        self.relative = nn.Embedding(2 * BUCKETS, HEADS) if relative else None
        self.drop = Dropout(0.1)

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor) -> Tensor:
        """All three: batch x tokens, integers."""
        places = torch.arange(ids.shape[1], device=ids.device)
        hidden = self.drop(self.norm(self.word(ids) + self.position(places)[None] + self.segment(segments)))
        bias = (1.0 - mask[:, None, None, :].to(hidden.dtype)) * -1e4
        if self.relative is not None:
            bias = bias + self.relative(distances(places[:, None], places[None])).permute(2, 0, 1)[None]
        for layer in self.layers:
            hidden = layer(hidden, bias)
        return hidden

    @classmethod
    def from_bert(cls, weights: dict[str, Tensor]) -> Encoder:
        """The encoder with the weights of a checkpoint, by the names that Hugging Face has for BERT's."""
        weights = {name.removeprefix("bert."): value for name, value in weights.items()}
        words, width = weights["embeddings.word_embeddings.weight"].shape
        positions = weights["embeddings.position_embeddings.weight"].shape[0]
        layers = 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer."))
        inner = weights["encoder.layer.0.intermediate.dense.weight"].shape[0]
        encoder = cls(words, positions, width, inner, layers, RELATIVE in weights)
        named = {
            "word.weight": weights["embeddings.word_embeddings.weight"],
            "position.weight": weights["embeddings.position_embeddings.weight"],
            "segment.weight": weights["embeddings.token_type_embeddings.weight"][:1].repeat(SEGMENTS, 1),
            "norm.weight": weights["embeddings.LayerNorm.weight"],
            "norm.bias": weights["embeddings.LayerNorm.bias"],
        }
        parts = {
            "query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value",
            "out": "attention.output.dense", "out_norm": "attention.output.LayerNorm",
            "up": "intermediate.dense", "down": "output.dense", "down_norm": "output.LayerNorm",
        }  # fmt: skip
        for layer in range(layers):
            for ours, theirs in parts.items():
                for kind in ("weight", "bias"):
                    named[f"layers.{layer}.{ours}.{kind}"] = weights[f"encoder.layer.{layer}.{theirs}.{kind}"]
            named[f"layers.{layer}.even"] = torch.ones(width)
        if RELATIVE in weights:
            named["relative.weight"] = weights[RELATIVE]
        encoder.load_state_dict(named)
        encoder.word.weight.requires_grad = False
        return encoder


class Statements(nn.Module):
    """The heads that read claims: spans, and of each span its predicate, status, subject and time."""

    def __init__(self, width: int, shape: Shape) -> None:
        super().__init__()
        self.bio = nn.Linear(width, 3)
        self.ends = nn.Linear(width, 2)
        nn.init.constant_(self.ends.bias, -3.0)  # few spans are values
        self.left, self.right = nn.Linear(width, POINT), nn.Linear(width, POINT)
        self.span = nn.Sequential(nn.Linear(4 * width, width), nn.GELU(), Dropout(0.1))
        self.predicate, self.status = nn.Linear(width, shape.predicates), nn.Linear(4 * width, shape.statuses)
        self.points = nn.Linear(4 * width, POINTERS * POINT)
        """Queries of a span for the first and the last word of its subject, of its time, and of what it revises."""
        self.keys = nn.Linear(width, POINTERS * POINT)

    def spans(self, hidden: Tensor) -> Tensor:
        """Logits that the words i..j are a value: batch x tokens x tokens."""
        ends = self.ends(hidden)
        product = self.left(hidden) @ self.right(hidden).transpose(1, 2) / math.sqrt(POINT)
        return product + ends[:, :, None, 0] + ends[:, None, :, 1]

    def describe(self, hidden: Tensor, spans: Tensor) -> Tensor:
        """Its first, last and mean token and the text's, for each span; `spans`: n x 3 of (text, first, last token)."""
        which, first, last = spans.unbind(1)
        sums = functional.pad(hidden.cumsum(1), (0, 0, 1, 0))
        means = (sums[which, last + 1] - sums[which, first]) / (last - first + 1)[:, None]
        return torch.cat([hidden[which, first], hidden[which, last], means, hidden[which, 0]], 1)

    def kinds(self, described: Tensor) -> Tensor:
        """Logits of the predicates; the only head with a layer of its own: it has the most to choose from."""
        logits: Tensor = self.predicate(self.span(described))
        return logits

    def pointers(self, hidden: Tensor, spans: Tensor, described: Tensor, mask: Tensor) -> Tensor:
        """Logits of (first, last) of the subject, the time and what is revised over the tokens: n x 6 x tokens.

        Token 0 stands for the speaker, for no time said, and for nothing revised.
        """
        keys = self.keys(hidden)[spans[:, 0]].unflatten(2, (POINTERS, POINT))
        queries = self.points(described).unflatten(1, (POINTERS, POINT))
        logits = torch.einsum("nkp,ntkp->nkt", queries, keys) / math.sqrt(POINT)
        return logits + (1.0 - mask[spans[:, 0], None].to(logits.dtype)) * -1e4


class Reader(nn.Module):
    """The encoder with its statement heads."""

    def __init__(self, encoder: Encoder, shape: Shape) -> None:
        super().__init__()
        self.encoder, self.drop = encoder, Dropout(0.1)
        self.statements = Statements(encoder.word.embedding_dim, shape)

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor) -> Tensor:
        encoded: Tensor = self.drop(self.encoder(ids, mask, segments))
        return encoded
