"""No hit rests on anything said after `believed`: the whole memory, asked as of then, is the memory that had stopped
listening then."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.database.connections import Database
from store.episodes import index
from store.recall.search import explain, recall
from store.records import Episode, Hit
from tests.store.episodes.test_index import Letters, put, turn

WORDS = ("bicycle", "Kyoto", "painted", "vault", "yesterday", "aunt", "why?", "Zoe", "green")


@st.composite
def talks(draw: st.DrawFn) -> list[Episode]:
    """A few turns in the order of saying: two sessions, three speakers, two sources, some of them hidden."""
    said, turns = 0, []
    for row in range(1, draw(st.integers(2, 12)) + 1):
        said += draw(st.integers(0, 30))
        one = turn(
            row,
            " ".join(draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6))),
            speaker=draw(st.sampled_from(("Ana", "Ben", "Zoe"))),
            session=draw(st.sampled_from(("s1", "s2"))),
        )
        hidden = draw(st.sampled_from((0, 0, 0, 1, 2)))
        source = draw(st.sampled_from(("app", "import")))
        turns.append(
            replace(one, said_at=turn(said, "").said_at, secret=hidden == 1, inactive=hidden == 2, source=source)
        )
    return turns


@contextmanager
def memory(turns: list[Episode]) -> Iterator[apsw.Connection]:
    with tempfile.TemporaryDirectory() as folder:
        database = Database(Path(folder) / "memory.db")
        with database.writing() as connection:
            index.create(connection)
            put(connection, turns)
            index.add(connection, turns, Letters())
        yield database.reader()
        database.close()


def asked(connection: apsw.Connection, query: str, now: int, **options: Any) -> tuple[Hit, ...]:
    return recall(connection, query, k=20, embedder=Letters(), now=now, zone=UTC, **options).hits


ASKED = st.sampled_from((*WORDS, "Ana", "where did", "my", "last week"))
FILTERS: tuple[dict[str, str], ...] = (
    {},
    {"session": "s1"},
    {"session": "s2"},
    {"speaker": "Zoe"},
    {"source": "app"},
    {"speaker": "Ana", "source": "import"},
)
QUERIES = st.lists(ASKED, min_size=1, max_size=4).map(" ".join)


@settings(max_examples=30, deadline=None)
@given(turns=talks(), query=QUERIES, cut=st.integers(0, 11))
def test_what_was_said_later_changes_nothing(turns: list[Episode], query: str, cut: int) -> None:
    believed = turns[min(cut, len(turns) - 1)].said_at.us
    with memory(turns) as whole:
        seen_from_now = asked(whole, query, turns[-1].said_at.us, believed=believed)
    with memory([one for one in turns if one.said_at.us <= believed]) as stopped:
        seen_then = asked(stopped, query, believed)
    assert [hit.id for hit in seen_from_now] == [hit.id for hit in seen_then]
    assert [hit.score for hit in seen_from_now] == pytest.approx([hit.score for hit in seen_then], abs=1e-4)


@settings(max_examples=30, deadline=None)
@given(turns=talks(), query=QUERIES, cut=st.integers(0, 11), filters=st.sampled_from(FILTERS))
def test_no_filter_is_ever_passed(turns: list[Episode], query: str, cut: int, filters: dict[str, str]) -> None:
    believed, by_id = turns[min(cut, len(turns) - 1)].said_at.us, {one.id: one for one in turns}
    with memory(turns) as connection:
        options: dict[str, Any] = {"believed": believed, **filters}
        hits = asked(connection, query, turns[-1].said_at.us, **options)
        why = explain(connection, query, k=20, embedder=Letters(), now=turns[-1].said_at.us, zone=UTC, **options)
    for hit in hits:
        one = by_id[hit.id]
        assert one.said_at.us <= believed
        assert not one.secret
        assert not one.inactive
        assert all(getattr(one, name) == value for name, value in filters.items())
    assert tuple(judged.hit for judged in why.hits) == hits
    assert not {id_ for id_, _ in why.removed} & {hit.id for hit in hits}
