"""A unit is spans of turns and nothing else: it holds no words of its own, so nothing in it can outlive its turns.

An exchange (what one says, and the replies) is a unit; splitting and merging make others. What a unit is follows from
its spans, and its id is a hash over them: the same unit has the same id in every copy of a memory.

    units          a row each: where it came from, its place in time, whether it is on the visible surface, how far
                   it was diagnosed, its descriptor (title and summary as spans, vector)
    unit_spans     the characters of turns that it is made of, in order
    unit_keywords  the terms that tell it from others; the order of time within a term is what links are found by
    unit_links     what edits tie: version (new -> old) and sibling; temporal and semantic links follow from the units
                   themselves (store.sleep.links)
    unit_edits     which operations have to do with it (all are derived: from the turns, and the log)
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Literal, NamedTuple

import apsw

from store.database.rows import LISTED, column, each, scalar, unmake

Origin = Literal["exchange", "split", "merge"]

_TABLES = """
create table if not exists units (
    id integer primary key, origin text not null, session_id integer not null, said_at integer not null,
    position integer not null, start integer not null, visible integer not null default 1,
    hops integer not null default 0, stage integer not null default 0, touched integer not null default 0,
    title text not null, summary text not null, vector blob not null, print integer not null
) strict;
create index if not exists units_in_session on units(session_id, said_at, position, start, id) where visible = 1;
create index if not exists units_to_diagnose on units(stage, said_at, id) where visible = 1 and stage < 3;
create index if not exists units_touched on units(touched) where touched = 1;
create index if not exists units_archived on units(hops) where visible = 0;
create index if not exists units_alike on units(print);
create table if not exists unit_spans (
    unit_id integer not null references units(id) on delete cascade, place integer not null,
    episode_row integer not null, start integer not null, end integer not null, primary key (unit_id, place)
) strict, without rowid;
create index if not exists unit_spans_by_episode on unit_spans(episode_row);
create table if not exists unit_keywords (
    keyword text not null, said_at integer not null, unit_id integer not null references units(id) on delete cascade,
    primary key (keyword, said_at, unit_id)
) strict, without rowid;
create index if not exists unit_keywords_by_unit on unit_keywords(unit_id);
create table if not exists unit_links (
    from_id integer not null references units(id) on delete cascade, kind text not null,
    to_id integer not null references units(id) on delete cascade, weight real not null,
    primary key (from_id, kind, to_id)
) strict, without rowid;
create index if not exists unit_links_to on unit_links(to_id, kind);
create table if not exists unit_edits (
    unit_id integer not null, operation_id integer not null, primary key (unit_id, operation_id)
) strict, without rowid;
create index if not exists unit_edits_by_operation on unit_edits(operation_id);
"""


class Span(NamedTuple):
    """Characters [start, end) of the text of one turn."""

    row: int
    """The episode's."""
    start: int
    end: int


class Piece(NamedTuple):
    """One span of a unit, with its words."""

    episode: str
    """The turn's id."""
    row: int
    start: int
    text: str
    own: bool
    """Said by the person, not a reply."""

    def span(self, start: int, end: int) -> Span:
        """Characters [start, end) of the piece, as a span of its turn."""
        return Span(self.row, self.start + start, self.start + end)


class Unit(NamedTuple):
    """A row of `units`."""

    id: int
    origin: Origin
    session_id: int
    said_at: int
    position: int
    start: int
    visible: int
    """1: on the surface."""
    hops: int
    """How many version links it is from the surface."""
    stage: int
    """How many rounds of diagnosing it has been through."""
    touched: int
    """1: an edit of the sleep that goes on has to do with it."""
    title: str
    """A span, as JSON."""
    summary: str
    """Spans, as JSON."""
    vector: bytes
    """int8, as store.episodes.index.quantised makes them."""
    print: int
    """A hash of its words: units that say the same word for word share it, whatever their case and signs."""

    @property
    def when(self) -> tuple[int, int, int, int]:
        """Its place among the units of its session."""
        return self.said_at, self.position, self.start, self.id


def create(connection: apsw.Connection) -> None:
    """Make the tables that are not there; what they are to hold waits for a sleep."""
    there = scalar(connection, "select exists (select 1 from sqlite_schema where name = 'units')")
    connection.execute(_TABLES)
    if not there:
        connection.execute("insert or ignore into loose select row from episodes")


def drop(connection: apsw.Connection) -> None:
    unmake(connection, _TABLES)


def unit_id(origin: Origin, parts: Iterable[object]) -> int:
    """The id of a unit of that origin, made of these: 63 bits, the same in every memory."""
    digest = blake2b("\0".join((origin, *map(str, parts))).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


def shown(unit: int) -> str:
    """The id as people and the log read it."""
    return f"u{unit:016x}"


def read_id(text: str) -> int:
    """The id that `shown` wrote. Raises ValueError."""
    return int(text.removeprefix("u"), 16)


def units_where(connection: apsw.Connection, where: str, values: Sequence[object] = ()) -> Iterator[Unit]:
    """The units that `where` (over u) lets through."""
    return (Unit(*row) for row in each(connection, f"select * from units u {where}", values))


def units_of(connection: apsw.Connection, ids: Iterable[int]) -> dict[int, Unit]:
    """Units by id; those that are not there are left out."""
    return {one.id: one for one in units_where(connection, f"where id in {LISTED}", (json.dumps(sorted(ids)),))}


def pieces_of(connection: apsw.Connection, unit: int) -> list[Piece]:
    """What a unit is made of, in order."""
    found = each(
        connection,
        "select e.id, e.row, s.start, s.end, e.text, e.role from unit_spans s join episodes e on e.row = s.episode_row "
        "where s.unit_id = ? order by s.place",
        (unit,),
    )
    return [Piece(key, row, start, text[start:end], role == "user") for key, row, start, end, text, role in found]


def keywords_of(connection: apsw.Connection, unit: int) -> list[str]:
    """The terms that tell a unit from others, in order of the alphabet."""
    return column(connection, "select keyword from unit_keywords where unit_id = ? order by keyword", (unit,))


def insert(connection: apsw.Connection, unit: Unit, pieces: Sequence[Piece], keywords: Iterable[str]) -> None:
    """Store a unit; one that is there already is left as it is."""
    connection.execute(f"insert or ignore into units values ({','.join('?' * len(unit))})", unit)
    connection.executemany(
        "insert or ignore into unit_spans values (?, ?, ?, ?, ?)",
        [(unit.id, number, *piece.span(0, len(piece.text))) for number, piece in enumerate(pieces)],
    )
    connection.executemany(
        "insert or ignore into unit_keywords values (?, ?, ?)", [(word, unit.said_at, unit.id) for word in keywords]
    )
