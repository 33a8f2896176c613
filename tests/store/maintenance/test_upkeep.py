"""What is derived is named once: a kind that is added to the list is made, forgotten, rebuilt, merged and checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import apsw
import pytest

from app.core.clock import FrozenClock
from store.database.rows import rows, unmake
from store.maintenance import upkeep
from store.memory import Memory
from store.protocols import Derived, Embedder
from store.records import Finding, Progress, Turn
from tests.conftest import NOW, ZONE

_TABLES = "create table if not exists lengths (episode_row integer primary key, length integer not null) strict"
_MISSING = "select count(*) from episodes where row not in (select episode_row from lengths)"
_WRONG = "select count(*) from lengths l join episodes e on e.row = l.episode_row where l.length <> length(e.text)"


def _add(connection: apsw.Connection, turns: Sequence[int], _embedder: Embedder) -> Iterator[Progress]:
    for done, row in enumerate(turns, 1):
        connection.execute("insert into lengths select row, length(text) from episodes where row = ?", (row,))
        yield Progress("lengths", done, len(turns))


def _check(connection: apsw.Connection) -> list[Finding]:
    wrong = connection.execute(_WRONG).get
    return [Finding("lengths are those of turns", not wrong, f"{wrong} are not" if wrong else "")]


LENGTHS = Derived(
    create=lambda connection: connection.execute(_TABLES),
    drop=lambda connection: unmake(connection, _TABLES),
    is_there=lambda connection: connection.table_exists(None, "lengths"),
    add=_add,
    counts={"turns have a length": _MISSING},
    check=_check,
    forget=lambda connection, turns: connection.executemany(
        "delete from lengths where episode_row = ?", [(row,) for row in turns]
    ),
)


@pytest.fixture
def lengths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "DERIVED", (*upkeep.DERIVED, LENGTHS))


def opened(path: Path) -> Memory:
    return Memory.open(path, clock=FrozenClock(NOW), zone=ZONE)


def stored(memory: Memory) -> list[tuple[str, int]]:
    return rows(
        memory._database.reader(),
        "select e.text, l.length from lengths l left join episodes e on e.row = l.episode_row",
    )


def bad(memory: Memory) -> set[str]:
    return {one.name for one in memory.file.check() if not one.ok}


def test_a_kind_that_is_added_is_seen_wherever_there_is_something_derived(lengths: None, tmp_path: Path) -> None:
    with opened(tmp_path / "a.db") as memory, opened(tmp_path / "b.db") as other:
        memory.episodes.remember(Turn("I live in Porto.", "s"))
        memory.episodes.remember(Turn("I like rooibos.", "s"))
        assert bad(memory) == {"turns have a length"}

        list(memory.file.rebuild())
        assert stored(memory) == [("I live in Porto.", 16), ("I like rooibos.", 15)] and not bad(memory)

        other.episodes.remember(Turn("I own a kayak.", "t"))
        memory.file.merge(tmp_path / "b.db")
        assert stored(memory)[2:] == [("I own a kayak.", 14)] and not bad(memory)

        memory.erasing.erase(memory.erasing.selection(session="s"))
        assert stored(memory) == [("I own a kayak.", 14)] and not bad(memory)

        with memory._database.writing() as connection:
            connection.execute("update lengths set length = 1")
        assert bad(memory) == {"lengths are those of turns"}

        list(memory.file.rebuild())
        assert not bad(memory)


def test_a_file_without_a_kind_that_is_added_gets_its_tables(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    with opened(tmp_path / "a.db") as memory:
        memory.episodes.remember(Turn("I live in Porto.", "s"))
        before = memory.beliefs.facts()
    request.getfixturevalue("lengths")
    with opened(tmp_path / "a.db") as memory:
        assert stored(memory) == [] and memory.beliefs.facts() == before
