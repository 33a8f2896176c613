"""A warmed process gives the hits that a cold one gives, and embeds no word of the memory again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest

from store.database.connections import Database
from store.episodes import index
from store.recall import soft
from store.recall.search import recall
from store.recall.warm import warm
from tests.store.episodes.test_index import Letters
from tests.store.recall.test_search import NOW, TALK, fill

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Counting(Letters):
    """Says what it was asked to embed."""

    def __init__(self) -> None:
        super().__init__()
        self.embedded: list[str] = []

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.embedded += texts
        return super().embed(texts)


@pytest.fixture
def connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[apsw.Connection]:
    monkeypatch.setattr(soft, "_lexica", {})
    opened = Database(tmp_path / "memory.db")
    with opened.writing() as writer:
        index.create(writer)
    yield fill(opened, TALK)
    opened.close()


def test_a_warmed_memory_gives_the_same_hits(connection: apsw.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("bicycle", "Where did we go last summer?", "the code of the vault")
    cold = [recall(connection, text, embedder=Letters(), now=NOW, zone=UTC).hits for text in asked]
    monkeypatch.setattr(soft, "_lexica", {})
    warm(connection, embedder=Letters(), now=NOW, zone=UTC)
    assert [recall(connection, text, embedder=Letters(), now=NOW, zone=UTC).hits for text in asked] == cold


def test_its_words_are_learned_once(connection: apsw.Connection) -> None:
    embedder = Counting()
    warm(connection, embedder=embedder, now=NOW, zone=UTC)
    assert {"bicycl", "sunris", "lisbon"} <= {*embedder.embedded}
    embedder.embedded.clear()
    recall(connection, "bicycle sunrise", embedder=embedder, now=NOW, zone=UTC)
    assert embedder.embedded == ["bicycle sunrise"]


def test_an_empty_memory_is_warmed_too(tmp_path: Path) -> None:
    database = Database(tmp_path / "empty.db")
    with database.writing() as writer:
        index.create(writer)
    warm(database.reader(), embedder=Letters(), now=NOW, zone=UTC)
    assert recall(database.reader(), "bicycle", embedder=Letters(), now=NOW, zone=UTC).hits == ()
    database.close()
