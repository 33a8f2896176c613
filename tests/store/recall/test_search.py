"""What may not be seen is never found, whatever is typed is a question, and every hit says which channels found it."""

from __future__ import annotations

from collections.abc import Iterator
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
from store.recall import dense, lexical
from store.recall.query import read
from store.recall.scope import Scope, scope_of
from store.recall.search import judge, recall
from store.recall.surroundings import look_around
from store.records import Episode, Recollection
from tests.store.episodes.test_index import HOUR, Letters, put, turn

TALK = [
    turn(1, "Where did you spend your holidays?"),
    turn(2, "In Kyoto, with my sister.", speaker="Ben"),
    turn(3, "I painted a sunrise yesterday."),
    turn(4, "We should use C++ for the pre-edit hook at 9:30.", speaker="Ben"),
    turn(5, "私は猫が好きです", speaker="Ben"),
    turn(6, "The code of the vault is quagga-7731."),
    turn(7, "My new bicycle is green.", session="s2"),
    turn(8, "The old bicycle was red.", speaker="Ben", session="s2"),
    turn(9, "I moved to Lisbon."),
    turn(10, "Bicycles are for the young.", session="s2"),
]
NOW = TALK[-1].said_at.us + HOUR


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(tmp_path / "memory.db")
    with opened.writing() as connection:
        index.create(connection)
    yield opened
    opened.close()


def fill(database: Database, episodes: list[Episode]) -> apsw.Connection:
    with database.writing() as connection:
        put(connection, episodes)
        index.add(connection, episodes, Letters())
    return database.reader()


@pytest.fixture
def connection(database: Database) -> apsw.Connection:
    hidden = [replace(one, secret=one.row == 6, inactive=one.row == 10) for one in TALK]
    return fill(database, hidden)


def ask(connection: apsw.Connection, query: str, **options: Any) -> Recollection:
    options.setdefault("k", 10)
    return recall(connection, query, embedder=Letters(), now=NOW, zone=UTC, **options)


def ids(found: Recollection) -> list[str]:
    return [hit.id for hit in found.hits]


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("When did Ana paint a sunrise?", "e3"),
        ("C++", "e4"),
        ("pre-edit", "e4"),
        ("9:30", "e4"),
        ("猫", "e5"),
        ("where does Ana live in LISBON", "e9"),
        ("green bicycle", "e7"),
    ],
)
def test_the_turn_that_says_it_comes_first(connection: apsw.Connection, query: str, best: str) -> None:
    assert ids(ask(connection, query))[0] == best


def test_an_answer_is_found_by_the_question_before_it(connection: apsw.Connection) -> None:
    assert "e2" in ids(ask(connection, "holidays"))[:2]


def test_hits_carry_the_turn_and_the_channels_that_found_it(connection: apsw.Connection) -> None:
    hit = ask(connection, "sunrise").hits[0]
    assert (hit.kind, hit.external_id, hit.session, hit.speaker) == ("episode", "D1:3", "s1", "Ana")
    assert hit.text == "I painted a sunrise yesterday."
    assert hit.said_at == TALK[2].said_at
    assert dict(hit.channels)["lexical"] == 1
    assert set(dict(hit.channels)) <= {"lexical", "dense"}


@pytest.mark.parametrize(
    "query", ["", "   ", '"', "''", "NEAR(", "NEAR(a b, 2)", "*", "a*", "words:x", "{days}: y", "AND OR NOT", "^a", "(",
              ")", "-", "🎉", "\x00", "\ud800", "%_", "'; drop table x; --", "é" * 5_000, "猫" * 3_000, "a" * 99_999],
)  # fmt: skip
def test_whatever_is_typed_is_a_question(connection: apsw.Connection, query: str) -> None:
    assert len(ask(connection, query, k=3).hits) <= 3


@pytest.mark.parametrize("query", ["", '"', "*", "( )", "?!"])
def test_a_question_without_a_word_finds_nothing(connection: apsw.Connection, query: str) -> None:
    assert ids(ask(connection, query)) == []


@settings(max_examples=60, deadline=None)
@given(query=st.text(max_size=60))
def test_any_text_is_a_question(query: str) -> None:
    terms = read(query, ("Ana", "Ben (x)")).terms
    connection = apsw.Connection(":memory:")
    connection.execute("create virtual table episode_terms using fts5(words, days, marks)")
    if terms:
        connection.execute("select rowid from episode_terms where episode_terms match ?", (lexical.match_of(terms),))


def test_an_empty_memory_finds_nothing(database: Database) -> None:
    assert ids(ask(database.reader(), "anything at all")) == []


def test_nothing_said_later_than_believed_is_found(connection: apsw.Connection) -> None:
    for until in range(1, len(TALK) + 1):
        believed = TALK[until - 1].said_at.us
        for query in ("bicycle", "Ana", "Lisbon sunrise Kyoto", "holidays"):
            found = ask(connection, query, believed=believed)
            assert all(hit.said_at.us <= believed for hit in found.hits)
    assert ids(ask(connection, "Lisbon", believed=TALK[0].said_at.us - 1)) == []


def test_a_question_that_was_not_asked_yet_helps_no_turn(database: Database) -> None:
    late = replace(turn(20, "Which zebra do you mean?"), row=1, id="e1", position=0)
    answer = replace(turn(2, "The striped one."), position=1)
    connection = fill(database, [answer, late])
    assert ids(ask(connection, "zebra", believed=answer.said_at.us)) in ([], ["e2"])
    seen = look_around(connection, [2], ("zebra",), Scope(believed=answer.said_at.us))
    assert seen is not None
    assert seen.rows.tolist() == [2]


def test_secrets_and_abandoned_branches_stay_out_unless_asked(connection: apsw.Connection) -> None:
    for query in ("quagga-7731", "bicycles for the young", "code of the vault"):
        assert not {"e6", "e10"} & set(ids(ask(connection, query)))


def test_one_session_only(connection: apsw.Connection) -> None:
    assert {hit.session for hit in ask(connection, "bicycle sunrise", session="s2").hits} == {"s2"}
    assert ids(ask(connection, "bicycle", session="no such session")) == []


def test_k_bounds_the_hits(connection: apsw.Connection) -> None:
    assert ids(ask(connection, "bicycle", k=0)) == []
    assert len(ids(ask(connection, "bicycle", k=1))) == 1


def test_the_same_question_gives_the_same_hits(connection: apsw.Connection) -> None:
    assert ask(connection, "bicycle").hits == ask(connection, "bicycle").hits


def test_the_order_of_arrival_does_not_matter(tmp_path: Path) -> None:
    found = []
    for name, episodes in (("a", TALK), ("b", TALK[::-1])):
        database = Database(tmp_path / f"{name}.db")
        with database.writing() as connection:
            index.create(connection)
        renumbered = [replace(one, row=row) for row, one in enumerate(episodes, start=1)]
        reader = fill(database, renumbered)
        found.append([ids(ask(reader, query, k=3)) for query in ("holidays", "green bicycle", "painted sunrise")])
        database.close()
    assert found[0] == found[1]


def test_names_of_speakers_are_taken_out_of_the_dense_question() -> None:
    query = read("Where did Ana's sister, ana, meet Ben?", ("Ana", "Ben", "Zoe"))
    assert query.named == ("Ana", "Ben")
    assert query.bare == "Where did sister, , meet ?"
    assert {"where", "past"} <= query.kinds
    assert not query.mine
    assert read("where is my bicycle").mine


def test_the_time_that_a_question_names_is_read() -> None:
    from store.records import EPOCH

    assert read("What did I do in July 2023?", (), EPOCH.astimezone(UTC)).stretch is not None
    assert read("What did I do?", (), EPOCH.astimezone(UTC)).stretch is None


def test_lexical_draws_rare_terms_first(connection: apsw.Connection) -> None:
    known = lexical.frequencies(connection, ("bicycl", "sunris", "nowher"))
    assert known.counts == {"bicycl": 3, "sunris": 1, "nowher": 0}
    assert known.rarity("sunris") > known.rarity("bicycl") > 0
    assert lexical.candidates(connection, known, Scope(), 10)[0] == 3
    assert 10 not in lexical.candidates(connection, known, Scope(), 10)
    assert lexical.candidates(connection, lexical.frequencies(connection, ("nowher",)), Scope(), 10) == []


def test_dense_follows_the_file(database: Database) -> None:
    connection = fill(database, TALK[:3])
    vector = Letters().embed(["painted a sunrise"])[0]

    def nearest(scope: Scope) -> list[int]:
        matrix = dense.matrix(connection)
        assert matrix is not None
        return dense.nearest(matrix, vector, scope, 10, None)

    assert nearest(Scope())[0] == 3
    assert nearest(Scope(believed=TALK[0].said_at.us)) == [1]
    fill(database, [turn(4, "painted a sunrise")])
    assert nearest(Scope())[0] == 4
    with database.writing() as writer:
        index.remove(writer, [4])
    assert nearest(Scope())[0] == 3
    assert 4 not in nearest(Scope())


def test_dense_over_many_chunks_is_exact(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    many = [turn(row, f"{'abcdefghij'[row % 10] * (1 + row % 7)} {'klmnop'[row % 6]}") for row in range(1, 2_301)]
    connection = fill(database, many[:1_500])
    dense.matrix(connection)
    fill(database, many[1_500:])
    matrix = dense.matrix(connection)
    assert matrix is not None
    assert sorted([*matrix.settled.rows.tolist(), *matrix.tail.rows.tolist()]) == list(range(1, 2_301))
    vector = Letters().embed(["aaa k"])[0]
    rows = np.arange(1, 2_301)
    cosines = dense.similarities(matrix, vector, rows)
    best = dense.nearest(matrix, vector, Scope(), 5, None)
    assert {float(cosines[row - 1]) for row in best} == {float(value) for value in np.sort(cosines)[::-1][:5]}
    monkeypatch.setattr(dense, "KEPT", 400)
    monkeypatch.setattr(dense, "SLICE", 1_000)
    again = dense.nearest(dense._read(connection, matrix.state, None), vector, Scope(), 5, None)
    assert [round(float(cosines[row - 1]), 5) for row in again] == [round(float(cosines[row - 1]), 5) for row in best]
    told = Scope(believed=many[999].said_at.us)
    assert max(dense.nearest(matrix, vector, told, 2_000, None)) <= 1_000
    assert set(dense.nearest(matrix, vector, told, 5, None)) <= set(dense.nearest(matrix, vector, told, 400, None))


def test_bits_differ_the_more_the_farther_two_vectors_are() -> None:
    import numpy as np

    random = np.random.default_rng(4)
    vectors = random.standard_normal((400, 48)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    bits = dense.bits_of(vectors)
    assert bits.shape == (1, 400)
    differing = np.bitwise_count(bits[0][:, None] ^ bits[0][None, :])
    assert not differing.diagonal().any()
    assert np.corrcoef(differing.ravel(), (vectors @ vectors.T).ravel())[0, 1] < -0.6


def test_dense_finds_within_a_large_scope_too(connection: apsw.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = dense.matrix(connection)
    assert matrix is not None
    vector = Letters().embed(["the old bicycle was red"])[0]
    scope = Scope(speaker="Ben")
    listed = dense.candidates(connection, matrix, vector, scope, 10)
    monkeypatch.setattr(dense, "NARROW", 1)
    assert listed == dense.candidates(connection, matrix, vector, scope, 10)
    assert listed[0] == 8
    assert set(listed) <= {one.row for one in TALK if one.speaker == "Ben"}


def test_judging_without_a_channel_still_works(connection: apsw.Connection) -> None:
    for channels in (("lexical",), ("dense",)):
        judged = judge(connection, "sunrise", Scope(), embedder=Letters(), now=NOW, zone=UTC, channels=channels)
        assert judged is not None
        assert all(len(values) == len(judged.rows) for values in judged.features.values())


def test_a_scope_names_its_session(connection: apsw.Connection) -> None:
    assert scope_of(connection, believed=None, session="s2") == Scope(session_id=2)
    assert scope_of(connection, believed=5, session="s9") is None
