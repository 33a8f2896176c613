"""The index is a function of the episodes: order, batches and detours leave no trace in it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest

from store.database.connections import Database
from store.episodes import index
from store.episodes.marks import clauses_with_times, marks
from store.errors import Damaged, StoreError
from store.records import Episode, Instant

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

HOUR = 3_600_000_000
MAY_8 = Instant(1_683_550_800_000_000, 3600)


@dataclass(frozen=True)
class Letters:
    """An embedder that counts letters: near texts have near vectors, and it needs no weights."""

    fingerprint: str = "letters"
    dimension: int = 32

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        import numpy as np

        counts = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for letter in text.lower():
                counts[row, ord(letter) % self.dimension] += letter.isalpha()
        lengths = np.linalg.norm(counts, axis=1, keepdims=True)
        unit: npt.NDArray[np.float32] = (counts / np.where(lengths > 0, lengths, 1)).astype(np.float32)
        return unit


def turn(row: int, text: str, *, speaker: str = "Ana", session: str = "s1") -> Episode:
    said = Instant(MAY_8.us + row * HOUR, MAY_8.offset)
    return Episode(f"e{row}", row, f"D1:{row}", session, row, speaker, "user", text, said, said, "test")


TALK = [
    turn(1, "Did you go anywhere nice?"),
    turn(2, "We went to Kyoto last week, the zanzibarium was closed.", speaker="Ben"),
    turn(3, "I painted a sunrise yesterday."),
    turn(4, "C++ at 9:30, then pre-edit.", speaker="Ben"),
    turn(5, "Kein Problem, 猫が好きです"),
]


def put(connection: apsw.Connection, episodes: Sequence[Episode]) -> None:
    """Write the persistent rows only."""
    connection.execute("insert or ignore into sessions(id, key, source) values (1, 's1', 'test'), (2, 's2', 'test')")
    for one in episodes:
        connection.execute(
            "insert into episodes(row, id, session_id, position, external_id, speaker, role, text, said_at,"
            " said_offset, recorded_at, recorded_offset, source, inactive, secret)"
            " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?)",
            (
                one.row, one.id, 1 if one.session == "s1" else 2, one.position, one.external_id, one.speaker, one.role,
                one.text, one.said_at.us, one.said_at.offset, one.said_at.us, one.source, int(one.inactive),
                int(one.secret),
            ),
        )  # fmt: skip


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(tmp_path / "memory.db")
    with opened.writing() as connection:
        index.create(connection)
    yield opened
    opened.close()


def filled(database: Database, episodes: Sequence[Episode], *, batch: int = 2) -> apsw.Connection:
    with database.writing() as connection:
        put(connection, episodes)
        for start in range(0, len(episodes), batch):
            index.add(connection, episodes[start : start + batch], Letters())
    return connection


def content(connection: apsw.Connection) -> list[tuple[object, ...]]:
    return connection.execute(
        "select t.rowid, t.words, t.days, t.marks, v.vector, v.said_at, v.hidden from episode_terms t"
        " join episode_vectors v on v.row = t.rowid order by t.rowid"
    ).fetchall()


def test_any_order_and_any_batches_give_the_same_index(tmp_path: Path) -> None:
    contents = []
    for number, batch in enumerate((1, 2, 5)):
        database = Database(tmp_path / f"{number}.db")
        with database.writing() as connection:
            index.create(connection)
        episodes = list(TALK)
        random.Random(number).shuffle(episodes)
        contents.append(content(filled(database, episodes, batch=batch)))
        database.close()
    assert contents[0] == contents[1] == contents[2]
    assert len(contents[0]) == len(TALK)


def test_a_rebuild_gives_the_same_index(database: Database) -> None:
    connection = filled(database, TALK)
    before = content(connection)
    with database.writing() as connection:
        index.drop(connection)
        index.create(connection)
        index.create(connection)
        index.add(connection, TALK, Letters())
    assert content(connection) == before


def test_any_sqlite_can_search_it(database: Database) -> None:
    connection = filled(database, TALK)

    def found(match: str) -> list[int]:
        rows = connection.execute("select rowid from episode_terms where episode_terms match ? order by rank", (match,))
        return [row for (row,) in rows]

    assert found("sunris") == [3]
    assert found('"c++"') == [4]
    assert found('"pre-edit"') == [4]
    assert found("words : ben") == [2, 4] or found("words : ben") == [4, 2]
    assert found('marks : "=asks"') == [1]


def test_days_hold_when_it_was_said_and_what_it_names(database: Database) -> None:
    connection = filled(database, TALK)
    days = connection.execute("select days from episode_terms where rowid = 3").get.split()
    assert "2023-05-08" in days
    assert "2023-05-07" in days


def test_check_sees_what_is_missing_and_what_is_too_much(database: Database) -> None:
    connection = filled(database, TALK)
    assert all(finding.ok for finding in index.check(connection))
    with database.writing() as connection:
        connection.execute("delete from episode_terms where rowid = 2")
        connection.execute("delete from episodes where row = 4")
    bad = {finding.name: finding.detail for finding in index.check(connection) if not finding.ok}
    assert set(bad) == {"full text, rows", "vectors, rows"}
    assert "1 episodes have no terms" in bad["full text, rows"]
    assert "1 vectors belong to no episode" in bad["vectors, rows"]


def test_an_empty_index_is_sound(database: Database) -> None:
    with database.writing() as connection:
        assert all(finding.ok for finding in index.check(connection))
        index.add(connection, [], Letters())


def test_erased_words_are_in_no_byte_of_the_file(tmp_path: Path) -> None:
    database = Database(tmp_path / "memory.db")
    with database.writing() as connection:
        index.create(connection)
    filled(database, TALK)
    database.truncate_wal()
    assert b"zanzibarium" in database.path.read_bytes()
    with database.writing() as connection:
        index.remove(connection, [2])
        connection.execute("delete from episodes where row = 2")
    assert all(finding.ok for finding in index.check(connection))
    assert connection.execute("select count(*) from episode_vocab where term glob 'zanzi*'").get == 0
    database.truncate_wal()
    database.close()
    assert b"zanzi" not in database.path.read_bytes()


def test_vectors_of_two_embedders_never_mix(database: Database) -> None:
    put(filled(database, TALK[:2]), TALK[2:3])
    with pytest.raises(StoreError, match="rebuild"), database.writing() as writer:
        index.add(writer, TALK[2:3], Letters("others"))


def test_without_an_index_the_error_says_what_to_do(database: Database) -> None:
    with database.writing() as connection:
        connection.execute("delete from index_meta")
        with pytest.raises(Damaged, match="rebuild"):
            index.add(connection, TALK[:1], Letters())


def test_hidden_turns_are_flagged_in_the_scan(database: Database) -> None:
    secret = replace(TALK[0], secret=True)
    connection = filled(database, [secret, replace(TALK[1], inactive=True), TALK[2]])
    assert [row[-1] for row in content(connection)] == [1, 1, 0]


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("How are you? [shares an image: a dog]", "=asks"),
        ("元気ですか？", "=asks"),
        ("I saw it last Friday", "=dated"),
        ("We have two cats", "=counted"),
        ("My sister called", "=own"),
        ("look [shares an image: a dog]", "=shown"),
        ("Then Alice left", "=named"),
        ("living in Porto", "=placed"),
        ("because it rained", "=reasoned"),
        ("she painted it", "=past"),
    ],
)
def test_marks(text: str, mark: str) -> None:
    assert mark in marks(text)
    assert mark not in marks("fine, see you")


def test_only_pieces_that_may_name_a_time_are_read_for_times() -> None:
    text = "It rained all day. I saw her last Friday! " + "word " * 40 + "in May 2021 " + "word " * 40
    pieces = clauses_with_times(text)
    assert [("Friday" in piece, "2021" in piece) for piece in pieces] == [(True, False), (False, True)]
    assert all(len(piece) < 200 for piece in pieces)
