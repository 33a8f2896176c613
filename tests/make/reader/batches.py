"""Texts of about the same length are read together; which spans may be values is the same in training and after it."""

from __future__ import annotations

import torch

from store.reading.encoder import WIDEST
from tests.make.reader.corpus import Example

BATCH = 32
WIDTHS = 8
"""Batches are padded to a multiple of so many tokens: the products of each width are compiled once, and kept."""


def batch_of(some: list[Example]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """(ids, mask, segments), padded."""
    longest = -(-max(len(one.pieces.ids) for one in some) // WIDTHS) * WIDTHS

    def pad(rows: list[list[int]]) -> torch.Tensor:
        return torch.tensor([row + [0] * (longest - len(row)) for row in rows])

    return (
        pad([one.pieces.ids for one in some]),
        pad([[1] * len(one.pieces.ids) for one in some]),
        pad([one.pieces.segments for one in some]),
    )


def own_of(some: list[Example], tokens: int) -> torch.Tensor:
    """Which spans may be values: within the message itself, in order, and not too long. batch x tokens x tokens."""
    place = torch.arange(tokens)
    ordered = (place[None, :] >= place[:, None]) & (place[None, :] - place[:, None] < WIDEST)
    own = torch.stack([(place > 0) & (place < one.pieces.own - 1) for one in some])
    return ordered[None] & own[:, :, None] & own[:, None, :]
