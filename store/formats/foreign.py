"""Another program's database is never opened itself: it is copied, the copy is checked, and nothing is written to it.

sqlite-utils reads through the standard library's SQLite, a second copy of the library in this process. On POSIX it
would drop our locks on any file that both have open, so the live memory must never come this way; a private copy that
is deleted afterwards cannot be that file. The copy's schema is not trusted: only plain tables are read, by the names of
their columns, and no more than a bounded number of steps.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from store.errors import BadInput
from store.formats.archive import opened as opened_file
from store.text.cleaning import quoted

MAGIC = b"SQLite format 3\x00"
OURS = b"ERST"
LARGEST = 4 << 30
MOST_STEPS = 100_000
"""Of a million SQLite operations each, for one file."""
Row = dict[str, Any]


class Tables:
    """The plain tables of a copied database, read by column names; what is missing reads as empty."""

    def __init__(self, database: Any) -> None:
        self._database = database
        found = database.execute("select name, sql from sqlite_master where type = 'table'").fetchall()
        self.names = frozenset(name for name, sql in found if not str(sql).lower().startswith("create virtual"))

    def columns(self, table: str) -> frozenset[str]:
        return frozenset(self._database[table].columns_dict) if table in self.names else frozenset()

    def rows(self, table: str, columns: str, order: str = "") -> Iterator[Row]:
        """The named columns of each row, in order of those of `order` that there are; an absent column gives None."""
        there = self.columns(table)
        wanted = columns.split()
        if not there & set(wanted):
            return
        chosen = ", ".join(f'"{name}"' for name in wanted if name in there)
        by = ", ".join(f'"{name}"' for name in order.split() if name in there)
        empty = dict.fromkeys(wanted)
        for row in self._database.query(f'select {chosen} from "{table}"' + (f" order by {by}" if by else "")):
            yield empty | row


@contextmanager
def opened(path: Path) -> Iterator[Tables]:
    """A checked, private copy of a database. Raises BadInput where it is damaged, too large, or a memory of ours."""
    with opened_file(path) as file:
        header = file.read(100)
    if header.startswith(MAGIC) and header[68:72] == OURS:
        raise BadInput(f"{path.name} is an Erstwhile memory; `erstwhile merge {path.name}` joins two of them.")
    if path.stat().st_size > LARGEST:
        raise BadInput(f"{path.name} is larger than 4 GiB; export the chats that you want from it.")
    from sqlite_utils import Database

    with TemporaryDirectory(prefix="erstwhile-import-") as folder:
        copy = Path(folder) / "copy.db"
        try:
            for suffix in ("", "-wal", "-journal"):  # the latter two may hold the newest rows
                if not suffix or path.with_name(path.name + suffix).is_file():
                    shutil.copyfile(path.with_name(path.name + suffix), copy.with_name(copy.name + suffix))
        except OSError as error:
            raise BadInput(f"{path} cannot be copied: {error.strerror}.") from error
        database = Database(copy, recursive_triggers=False, execute_plugins=False)
        try:
            database.conn.text_factory = lambda text: text.decode("utf-8", "replace")
            _guard(database, path)
            yield Tables(database)
        except (database.conn.Error, UnicodeDecodeError) as error:  # the latter of a message that quotes the file
            raise BadInput(f"{path.name} is no database that can be read ({quoted(error)}).") from error
        finally:
            database.conn.close()


def is_database(path: Path) -> bool:
    """Whether a file begins as SQLite files do."""
    with opened_file(path) as file:
        return file.read(len(MAGIC)) == MAGIC


def _guard(database: Any, path: Path) -> None:
    steps = iter(range(MOST_STEPS))
    database.conn.set_progress_handler(lambda: next(steps, None) is None, 1_000_000)
    database.execute("pragma trusted_schema = off")
    database.execute("pragma cell_size_check = on")
    if (said := database.execute("pragma quick_check(1)").fetchone()[0]) != "ok":
        raise BadInput(
            f"{path.name} is damaged or was being written ({quoted(said)}); close its program and try again."
        )
    database.execute("pragma query_only = on")
