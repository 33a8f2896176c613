"""An explanation is of the very hits that recall gives, and the words of what was left out are not in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import UTC
from pathlib import Path
from typing import Any

import apsw
import pytest

from store.database.connections import Database
from store.episodes import index
from store.recall.search import explain, recall
from store.recall.weights import LINEAR
from store.records import Judged
from tests.store.episodes.test_index import HOUR, Letters, put, turn

TALK = [
    turn(1, "Where is your bicycle?", speaker="Ben"),
    turn(2, "My bicycle is in Kyoto."),
    replace(turn(3, "The bicycle's lock opens with 7731."), secret=True),
    turn(4, "Bicycles are loud.", session="s2", speaker="Ben"),
    turn(5, "I sold the bicycle."),
]
NOW = TALK[-1].said_at.us + HOUR


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[apsw.Connection]:
    database = Database(tmp_path / "memory.db")
    with database.writing() as writer:
        index.create(writer)
        put(writer, TALK)
        index.add(writer, TALK, Letters())
    yield database.reader()
    database.close()


def why(connection: apsw.Connection, query: str, **options: Any) -> Judged:
    return explain(connection, query, embedder=Letters(), now=NOW, zone=UTC, **options)


def test_it_explains_the_hits_that_recall_gives(connection: apsw.Connection) -> None:
    told = why(connection, "recommend a bicycle", k=3)
    hits = recall(connection, "recommend a bicycle", k=3, embedder=Letters(), now=NOW, zone=UTC).hits
    assert tuple(one.hit for one in told.hits) == hits
    assert [one.rank for one in told.hits] == [1, 2, 3]
    assert told.candidates == 4
    assert [term for term, _, _ in told.terms] == ["recommend", "bicycl"]
    assert {term: count for term, count, _ in told.terms} == {"recommend": 0, "bicycl": 5}


def test_every_channel_tells_rank_and_score_and_every_feature_its_points(connection: apsw.Connection) -> None:
    first = why(connection, "bicycle").hits[0]
    assert tuple((name, rank) for name, rank, _ in first.channels) == first.hit.channels
    assert {name for name, _ in first.reasons} <= set(LINEAR)
    points = [abs(value) for _, value in first.reasons]
    assert points == sorted(points, reverse=True)


@pytest.mark.parametrize(
    ("options", "removed"),
    [
        ({}, {("e3", "hidden")}),
        ({"believed": TALK[1].said_at.us}, {("e3", "said later"), ("e4", "said later"), ("e5", "said later")}),
        ({"session": "s2"}, {(f"e{row}", "another session") for row in (1, 2, 3, 5)}),
        ({"speaker": "Ben"}, {(f"e{row}", "another speaker") for row in (2, 3, 5)}),
    ],
)
def test_it_tells_what_the_filters_removed_but_not_its_words(
    connection: apsw.Connection, options: dict[str, Any], removed: set[tuple[str, str]]
) -> None:
    told = why(connection, "bicycle", **options)
    assert set(told.removed) == removed
    assert "opens with 7731" not in str(asdict(told))


def test_nothing_found_is_explained_too(connection: apsw.Connection) -> None:
    assert why(connection, "?!").hits == ()
    assert why(connection, "bicycle", session="no such").candidates == 0
    assert why(connection, "bicycle", k=0).hits == ()
