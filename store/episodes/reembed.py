"""All vectors of a memory are one embedder's at every moment, and what is compared with them is made by that one.

Choosing another embedder prepares its vectors beside the old ones, in small steps that can be stopped, killed and taken
up again; the old index answers and takes in new turns until nothing is missing. Then the new ones take its place in one
transaction. Whoever holds the file open in another process notices by the fingerprint that the index carries.

    next_vectors   row of an episode and its new vector, while the change is under way; an erase reaches it, too
    index_meta     `next embedder`: whose they are; `embedder path`: where the embedder in use was read from
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from store.database.rows import LISTED, column, scalar
from store.episodes import index
from store.episodes.append import episodes_where
from store.errors import EmbedderUnavailable
from store.records import Progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw
    import numpy as np
    import numpy.typing as npt

    from store.database.connections import Database
    from store.protocols import Embedder

STEP = 500
"""Episodes in one transaction: some ten milliseconds."""

_NEXT = "select row from episodes where row > (select coalesce(max(row), 0) from next_vectors) order by row limit ?"
"""Rows ascend with the order of arrival, so what is missing lies behind what is there."""
_KEEP = "insert into next_vectors select row, ? from episodes where row = ?"
_MOVE = (
    "insert into episode_vectors(row, vector, said_at, hidden) "
    "select n.row, vec_int8(n.vector), e.said_at, e.secret or e.inactive "
    "from next_vectors n join episodes e on e.row = n.row order by n.row"
)


class InUse:
    """The embedder that made the vectors in the file, whichever was chosen; before the first turn, the chosen one.

    Where that one cannot be read any more, texts have no vectors (zeros, near to nothing) until the change is done.
    """

    def __init__(self, database: Database, chosen: Embedder) -> None:
        self._database, self.chosen = database, chosen
        self._others: dict[str, Embedder] = {}

    @property
    def fingerprint(self) -> str:
        return self.in_use(self._database.reader()).fingerprint

    @property
    def dimension(self) -> int:
        return self.in_use(self._database.reader()).dimension

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """As the protocol says. Raises EmbedderUnavailable."""
        return self.in_use(self._database.reader()).embed(texts)

    def in_use(self, connection: apsw.Connection) -> Embedder:
        """The embedder of the vectors that this connection sees."""
        stored = index.meta(connection, "embedder")
        if stored is None or stored == self.chosen.fingerprint:
            return self.chosen
        if stored not in self._others:
            self._others[stored] = _former(connection, stored)
        return self._others[stored]


class Gone:
    """Stands for an embedder that is not there any more: whatever the text, it knows no word of it."""

    def __init__(self, fingerprint: str, dimension: int) -> None:
        self.fingerprint, self.dimension = fingerprint, dimension

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Zeros."""
        import numpy as np

        return np.zeros((len(texts), self.dimension), dtype=np.float32)


def change(
    database: Database, wanted: Embedder, stop: Event | None = None, budget: float | None = None
) -> Iterator[Progress]:
    """Make the wanted embedder's vectors, and put them in the place of the old; nothing to do where they are its own.

    `budget` is in seconds. Stopped, it goes on from there the next time. Raises EmbedderUnavailable, Busy.
    """
    reader = database.reader()
    if index.meta(reader, "embedder") in (None, wanted.fingerprint):
        return
    deadline = None if budget is None else time.monotonic() + budget
    if index.meta(reader, "next embedder") != wanted.fingerprint:  # else what an earlier change has made stays
        with database.writing() as connection:
            connection.execute("drop table if exists next_vectors")
            connection.execute("create table next_vectors (row integer primary key, vector blob not null) strict")
            index.note(connection, "next embedder", wanted.fingerprint)
    total = int(scalar(reader, "select count(*) from episodes"))
    done = int(scalar(reader, "select count(*) from next_vectors"))
    while missing := column(reader, _NEXT, (STEP,)):
        if (stop is not None and stop.is_set()) or (deadline is not None and time.monotonic() > deadline):
            return
        vectors = _vectors(reader, wanted, missing)
        with database.writing() as connection:
            if index.meta(connection, "next embedder") != wanted.fingerprint:  # another change has begun
                return
            connection.executemany(_KEEP, vectors)
        done += len(missing)
        yield Progress("re-embed", min(done, total), total)
    if _put_in_place(database, wanted):
        yield Progress("re-embed", total, total)


def _vectors(connection: apsw.Connection, wanted: Embedder, of: Sequence[int]) -> list[tuple[bytes, int]]:
    """Vectors and rows of episodes; those that were erased meanwhile get none."""
    found = list(episodes_where(connection, f"where e.row in {LISTED}", (json.dumps(of),)))
    packed = index.quantised(wanted.embed([one.text for one in found]))
    return [(vector.tobytes(), one.row) for one, vector in zip(found, packed, strict=True)]


def _put_in_place(database: Database, wanted: Embedder) -> bool:
    """Swap, with the turns that came in the last moment; False if another process has done so, or begun anew."""
    with database.writing() as connection:
        if index.meta(connection, "next embedder") != wanted.fingerprint:
            return False
        connection.executemany(_KEEP, _vectors(connection, wanted, column(connection, _NEXT, (-1,))))
        index.begin_vectors(connection, wanted)
        connection.execute(_MOVE)
        connection.execute("drop table next_vectors")
        connection.execute("delete from index_meta where key = 'next embedder'")
    return True


def _former(connection: apsw.Connection, stored: str) -> Embedder:
    """The embedder with this fingerprint, from where it was read then, or from where the one that ships is."""
    from store.episodes.embedding import StaticEmbedder, default_path

    noted = index.meta(connection, "embedder path")
    for path in (Path(noted) if noted else None, default_path()):
        try:
            if path is not None and (one := StaticEmbedder.load(path)).fingerprint == stored:
                return one
        except EmbedderUnavailable:
            continue
    return Gone(stored, index.dimension(connection))
