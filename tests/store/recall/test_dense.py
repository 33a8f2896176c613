"""A vector's length is what was stored, holes or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from store.database.connections import Database
from store.episodes import index
from store.recall import dense
from store.records import Episode, Instant
from tests.bench.memories import append


class Wheel:
    """Vectors that depend on the text's length only."""

    fingerprint = "wheel"
    dimension = 8

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        turned = [[np.cos(len(text) + place) for place in range(self.dimension)] for text in texts]
        vectors = np.array(turned, dtype=np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = Database(tmp_path / "memory.db")
    with made.writing() as connection:
        index.create(connection)
    yield made
    made.close()


def test_places_that_were_emptied_leave_no_vector(database: Database) -> None:
    said = [Instant(row * 1_000_000) for row in range(1, 1_201)]
    turns = [
        Episode(f"e{row}", row, None, "s", row, "Ana", "user", "a" * (1 + row % 40), at, at, "test")
        for row, at in enumerate(said, start=1)
    ]
    with database.writing() as connection:
        append(connection, turns, {})
        index.add(connection, turns, Wheel())
        index.remove(connection, [2, 700, 1_100])
    found = dense.matrix(database.reader())
    assert found is not None
    rows = np.concatenate([found.settled.rows, found.tail.rows])
    assert rows.tolist() == [row for row in range(1, 1_201) if row not in (2, 700, 1_100)]
    for part in (found.settled, found.tail):
        wide = part.packed.astype(np.float64)
        assert part.lengths == pytest.approx(np.sqrt((wide**2).sum(axis=1)))
        assert part.bits.tolist() == dense.bits_of(part.packed).tolist()
    vector = Wheel().embed(["aaaaa"])[0]
    assert dense.similarities(found, vector, np.array([2, 4])).tolist() == pytest.approx([0, 1], abs=0.01)


def test_of_two_who_take_turns_both_are_looked_at() -> None:
    """Every second vector is near to the question."""
    rows, width = 14 * dense.KEPT, 64
    near, far = np.full(width, 9, np.int8), np.full(width, -9, np.int8)
    near[:3], far[:3] = -9, 9
    packed = np.stack([far, near] * (rows // 2))
    part = dense.VectorBlock(
        np.arange(rows), np.zeros(rows, np.int64), np.zeros(rows, np.bool_), packed,
        np.full(rows, float(np.linalg.norm(near.astype(np.float32))), np.float32), dense.bits_of(packed),
    )  # fmt: skip
    question = dense.clipped(np.ones(width, dtype=np.float32))
    places = dense._promising(part, question, None)
    assert len(places)
    assert set(places.tolist()) <= set(range(1, rows, 2))
