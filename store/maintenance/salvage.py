"""A damaged file is only read: what it still holds goes into a new one, and what is missing is said by its time.

Rows are read one by one by their numbers, past the pages that cannot be read. Only what is precious is taken (the
turns, the claims, the log of operations, what was done by hand); the rest is made anew from it.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw

from store.database import opening
from store.database.connections import Database
from store.database.rows import rows, scalar
from store.errors import Damaged
from store.records import Instant

PRECIOUS = (
    "settings", "tombstones", "sessions", "episodes", "operations", "claims", "withdrawals", "pins", "accesses",
    "readings", "run_readings", "heard", "refused", "cited", "asked",
)  # fmt: skip
"""Tables in an order in which a row comes after those that it refers to."""
_AT_ONCE = 200
_MOST_ASKED = 2_000_000
"""Numbers up to which missing rows are asked for one by one."""
_FARTHEST = 1 << 40
"""Rows after which nothing more is looked for."""
_LONGEST = 1 << 40
"""Bytes that a header may claim and be believed."""
UNREADABLE = (apsw.Error, ValueError, TypeError, AttributeError, LookupError)
"""What reading a damaged file raises: SQLite's own errors, and those of values that are no text."""
_ORPHANS = (
    "delete from operations where phase in ('tidy', 'plan')",  # of units, which an older file may have
    "insert or ignore into sessions (id, key, source) select distinct session_id, 'salvaged ' || session_id, "
    "'salvaged' from episodes where session_id not in (select id from sessions)",
    "delete from claims where episode_row not in (select row from episodes)",
    "delete from withdrawals where operation_id not in (select id from operations)",
    "update operations set undone_by = null where undone_by not in (select id from operations)",
    *(
        f"delete from {table} where episode_row not in (select row from episodes)"
        for table in ("accesses", "readings", "run_readings", "heard", "refused", "cited", "asked")
    ),
    "delete from cited where source_row not in (select row from episodes)",
    "update sessions set options = '' where options <> '' and not json_valid(options)",
    "update operations set detail = '{}' where not json_valid(detail)",
    "update claims set qualifiers = '[]' where not json_valid(qualifiers)",
    "delete from settings where key in ('person', 'copies') and not json_valid(value)",
    "update refused set before_row = null where before_row not in (select row from episodes)",
    "delete from claims where end > (select length(text) from episodes e where e.row = claims.episode_row)",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Lost:
    """Turns that could not be read, between two that could."""

    most: int | None
    """So many at the most; erased turns leave such gaps, too. None where nobody knows."""
    after: Instant | None
    before: Instant | None


@dataclass(slots=True)
class Salvaged:
    """What was brought over."""

    turns: int = 0
    lost: list[Lost] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    """Tables of which some rows, or all, could not be read."""
    unread: bool = False
    """Claims are missing: every turn waits to be read again."""


def salvage(damaged: Path, target: Path) -> Salvaged:
    """Read what a damaged memory still holds into a new file, whose derived tables are empty. Raises Damaged where
    nothing can be read."""
    found = Salvaged()
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:  # a copy: what is damaged is not written to
        copy = Path(folder) / "damaged.db"
        shutil.copyfile(damaged, copy)
        _lengthen(copy)
        wal = damaged.with_name(damaged.name + "-wal")
        if wal.exists():
            shutil.copyfile(wal, copy.with_name(copy.name + "-wal"))
        with closing(Database(target, like=damaged)) as database, closing(opening.connect(copy)) as source:
            try:
                source.pragma("cell_size_check", True)
                source.execute("select count(*) from sqlite_schema").fetchall()
            except apsw.Error as error:
                raise Damaged(f"Nothing can be read in {damaged} ({error}); go back to a backup.") from error
            with database.writing() as connection:
                connection.execute("pragma defer_foreign_keys = on")
                for table in PRECIOUS:
                    _bring(source, connection, table, found)
                for sql in _ORPHANS:
                    connection.execute(sql)
                if found.unread:
                    for table in ("readings", "run_readings", "heard"):
                        connection.execute(f"delete from {table}")
                found.turns = int(scalar(connection, "select count(*) from episodes"))
    return found


def _lengthen(copy: Path) -> None:
    """Give a file that was cut off its length back, in zeros: SQLite reads none that is shorter than its header says
    (file format, 1.3: page size at byte 16, number of pages at byte 28, which an encrypted file does not tell)."""
    if opening.is_encrypted(copy):
        return
    with copy.open("rb+") as file:
        header = file.read(32)
        size, pages = int.from_bytes(header[16:18]), int.from_bytes(header[28:32])
        wanted = (65_536 if size == 1 else size) * pages
        if copy.stat().st_size < wanted < _LONGEST:
            file.truncate(wanted)


def _bring(source: apsw.Connection, target: apsw.Connection, table: str, found: Salvaged) -> None:
    there = set[str]()
    with suppress(*UNREADABLE):
        there = {row[1] for row in source.execute(f"pragma table_info({table})")}
    wanted = rows(target, f"pragma table_info({table})")
    columns = [row[1] for row in wanted if row[1] in there]
    if not columns:
        found.unreadable.append(table)
        return
    keys = [(name, kind.lower()) for _, name, kind, _, _, key in wanted if key]
    number = keys[0][0] if len(keys) == 1 and keys[0][1] == "integer" else "rowid"  # what numbers each row otherwise
    names = ", ".join(dict.fromkeys([number, *columns]))
    put = f"insert or ignore into {table} ({names}) values ({', '.join('?' for _ in names.split(', '))})"
    select = f"select {names} from {table} not indexed"
    whole, ended = True, True
    for row in _rows(source, select, number):
        ended = row is not None
        whole &= row is not None and _take(target, put, row)
    for row in _left_out(source, target, table, select, number):
        whole &= row is not None and _take(target, put, row)
    if whole:
        return
    found.unreadable.append(table)
    found.unread |= table == "claims"
    if table == "episodes":
        found.lost = _gaps(source, target, ended=ended)


def _take(target: apsw.Connection, put: str, row: tuple[Any, ...]) -> bool:
    """Whether a row could be put in: not where a value cannot stand in its column, or another row is there, nor where
    a text goes on in pages of zeros."""
    if any(isinstance(value, str) and "\0" in value for value in row):
        return False
    try:
        target.execute(put, row)
        return target.changes() > 0
    except apsw.Error:
        return False


def _left_out(
    source: apsw.Connection, target: apsw.Connection, table: str, select: str, number: str
) -> Iterator[tuple[Any, ...] | None]:
    """Rows that were not met in their order, asked for by their numbers: behind a page that cannot be read, or on one
    that stands in another's place. A number that nobody has gives nothing."""
    there = {row[0] for row in target.execute(f"select {number} from {table}")}
    highest = min(_MOST_ASKED, max(there, default=0))
    for missing in sorted(set(range(1, highest)) - there):
        try:
            yield from source.execute(f"{select} where {number} = ?", (missing,))
        except UNREADABLE:
            yield None


def _rows(source: apsw.Connection, select: str, number: str) -> Iterator[tuple[Any, ...] | None]:
    """The rows in the order of their numbers, and None where some could not be read."""
    start = 0
    while True:
        some, readable = list[tuple[Any, ...]](), False
        with suppress(*UNREADABLE):
            for row in source.execute(f"{select} where {number} >= ? order by {number} limit {_AT_ONCE}", (start,)):
                some.append(row)
            readable = True
        if not some and readable:
            return
        if not some:  # what follows cannot be read
            yield None
            following = _following(source, select, number, start)
            if following is None:
                return
            start = following
            continue
        numbers = [row[0] for row in some]
        if numbers != sorted(numbers):  # pages stand in each other's place: rows between them are not met here
            yield None
        yield from some
        start = max(start, *numbers) + 1


def _following(source: apsw.Connection, select: str, number: str, start: int) -> int | None:
    """From which number on rows can be read again; None where there is none."""

    def reads(at: int) -> bool:
        try:
            source.execute(f"{select} where {number} >= ? order by {number} limit 1", (at,)).fetchone()
        except UNREADABLE:
            return False
        return True

    low, high = 0, 1
    while not reads(start + high):
        low, high = high, 2 * high
        if high > _FARTHEST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reads(start + middle) else (middle, high)
    return start + high


def _gaps(source: apsw.Connection, target: apsw.Connection, *, ended: bool) -> list[Lost]:
    """The numbers that no turn has, with the times of the turns around them; without `ended`, what may follow the last
    one, too."""
    found: list[Lost] = []
    last, before = 0, None
    there = rows(target, "select row, said_at, said_offset from episodes order by row")
    highest = there[-1][0] if there else 0
    for number, table in (("row", "episodes"), ("episode_row", "readings"), ("episode_row", "unread")):
        with suppress(*UNREADABLE):
            highest = max(highest, int(source.execute(f"select max({number}) from {table} not indexed").get or 0))
    for row, said_at, offset in [*there, (highest + 1, None, None)]:
        now = Instant(said_at, offset) if said_at is not None else None
        if row > last + 1:
            found.append(Lost(row - last - 1, before, now))
        last, before = row, now or before
    if not ended and (not found or found[-1].before is not None):
        found.append(Lost(None, before, None))
    return found
