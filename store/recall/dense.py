"""The vectors in memory are those of the file: whoever reads first after a change brings them up to date.

sqlite-vec keeps vectors in chunks of 1024, each a blob; reading the blobs once and multiplying is many times faster
than its own scan (0.1.9: 21 ms for 100,000 rows, against 2), and respects the same filters. Rows are only ever
appended, so growth reads the last chunks again; a removal, which `index_meta` counts, reads all of them.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from store.recall.scope import FOREVER, Scope
from store.writing.index import CLIP, meta

if TYPE_CHECKING:
    import apsw
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

FILES = 4
"""Files whose vectors are kept in memory at once."""
FULL = 4_000
"""Up to so many rows every dimension is scanned..."""
COARSE = 96
"""...and beyond, the first dimensions of them, which in the embedder that ships hold the most: the best are then
compared in full. Of the true nearest 30, 98 % are among the best 400 by 96 dimensions."""
KEPT = 400
TAIL_CHUNKS = 16
"""After so many new chunks, the part that is read again and again is joined with the rest."""

_CHUNKS = """
select c.validity, c.rowids, v.vectors, s.data, h.data
from episode_vectors_chunks c join episode_vectors_vector_chunks00 v on v.rowid = c.chunk_id
join episode_vectors_metadatachunks00 s on s.rowid = c.chunk_id
join episode_vectors_metadatachunks01 h on h.rowid = c.chunk_id
where c.chunk_id > :after and c.chunk_id <= :last order by c.chunk_id
"""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """The vectors of some chunks; rows ascend."""

    rows: npt.NDArray[np.int64]
    said_at: npt.NDArray[np.int64]
    hidden: npt.NDArray[np.bool_]
    packed: npt.NDArray[np.int8]
    """Shape (rows, dimension), as stored."""
    scale: Floats
    """What makes each packed row as long as 1."""
    scanned: Floats
    """Shape (rows, up to dimension): the leading dimensions of the unit vectors."""


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """The vectors of one file, as of one state of it."""

    state: tuple[str, str, int]
    """The index's own name, number of removals, number of the last chunk's last row."""
    settled: Part
    """Chunks that are full."""
    settled_to: int
    """The last of them."""
    tail: Part
    """The chunks after them."""


_matrices: OrderedDict[str, Matrix] = OrderedDict()
_lock = threading.Lock()


def matrix(connection: apsw.Connection) -> Matrix | None:
    """The vectors as this connection sees them; None if there are none."""
    embedder = meta(connection, "embedder")
    if embedder is None:
        return None
    newest = connection.execute("select coalesce(max(rowid), 0) from episode_vectors_rowids").get
    name = f"{meta(connection, 'made')} {embedder}"
    state = (name, meta(connection, "removals") or "0", int(newest))
    key = connection.filename or f"memory {id(connection)}"
    with _lock:
        known = _matrices.get(key)
        if known is None or known.state != state:
            grown = known is not None and known.state[:2] == state[:2] and known.state[2] < state[2]
            known = _matrices[key] = _read(connection, state, known if grown else None)
        _matrices.move_to_end(key)
        while len(_matrices) > FILES:
            _matrices.popitem(last=False)
    return known


def nearest(found: Matrix, vector: Floats, scope: Scope, limit: int, only: npt.NDArray[np.int64] | None) -> list[int]:
    """Rows of the turns whose vectors are nearest to a unit vector, nearest first; none that point away from it.

    `only` holds the rows that may be found, ascending; None for all.
    """
    import numpy as np

    question = clipped(vector)
    rows, scores = (np.concatenate(pieces) for pieces in zip(
        *(_best(part, question, scope, limit, only) for part in (found.settled, found.tail)), strict=True
    ))  # fmt: skip
    order = np.argsort(-scores, kind="stable")[:limit]
    return [int(row) for row in rows[order[scores[order] > 0]]]


def similarities(found: Matrix, vector: Floats, rows: npt.NDArray[np.int64]) -> Floats:
    """The cosine of each row's vector to a unit vector; 0 for rows that have none."""
    import numpy as np

    question = clipped(vector)
    scores = np.zeros(len(rows), dtype=np.float32)
    for part in (found.settled, found.tail):
        places = np.minimum(np.searchsorted(part.rows, rows), max(len(part.rows) - 1, 0))
        if len(part.rows):
            there = part.rows[places] == rows
            scores[there] = _exact(part, places[there], question)
    return scores


def clipped(vector: Floats) -> Floats:
    """A query vector, cut as the stored ones are, of length 1."""
    import numpy as np

    cut = np.clip(vector, -CLIP, CLIP)
    unit: Floats = cut / max(float(np.linalg.norm(cut)), 1e-9)
    return unit


def _best(
    part: Part, question: Floats, scope: Scope, limit: int, only: npt.NDArray[np.int64] | None
) -> tuple[npt.NDArray[np.int64], Floats]:
    """The best rows of one part and their cosines, in no order."""
    import numpy as np

    scores = part.scanned @ question[: part.scanned.shape[1]]
    if scope.believed is not None and scope.believed < FOREVER:
        scores[part.said_at > scope.believed] = -2.0
    if not scope.include_inactive:
        scores[part.hidden] = -2.0
    if only is not None:
        scores[~np.isin(part.rows, only)] = -2.0
    kept = min(len(scores), KEPT if part.scanned.shape[1] < len(question) else limit)
    places = np.argpartition(-scores, kept - 1)[:kept] if kept else np.zeros(0, dtype=np.intp)
    places = places[scores[places] > -2.0]
    return part.rows[places], _exact(part, places, question)


def _exact(part: Part, places: npt.NDArray[np.intp], question: Floats) -> Floats:
    import numpy as np

    cosines: Floats = (part.packed[places].astype(np.float32) @ question) * part.scale[places]
    return cosines


def _read(connection: apsw.Connection, state: tuple[str, str, int], before: Matrix | None) -> Matrix:
    """Read the chunks that are not known yet, and settle those before the last when there are many."""
    last: int = connection.execute("select coalesce(max(chunk_id), 0) from episode_vectors_chunks").get
    width = _width(connection, state[2])
    if before is None or last - before.settled_to > TAIL_CHUNKS or width != before.settled.scanned.shape[1]:
        settled_to, settled = last - 1, _part(connection, 0, last - 1, width)
    else:
        settled_to, settled = before.settled_to, before.settled
    return Matrix(state, settled, settled_to, _part(connection, settled_to, last, width))


def _width(connection: apsw.Connection, newest: int) -> int:
    """How many dimensions are scanned in a file of about so many rows."""
    first = connection.execute("select length(vectors) / 1024 from episode_vectors_vector_chunks00 limit 1").get
    return int(first or 0) if newest <= FULL else min(int(first or 0), COARSE)


def _part(connection: apsw.Connection, after: int, last: int, width: int) -> Part:
    """The vectors of the chunks after one and up to another, in the order of their rows."""
    import numpy as np

    chunks = [_chunk(*chunk) for chunk in connection.execute(_CHUNKS, {"after": after, "last": last})]
    if not chunks:
        nothing = np.zeros(0, dtype=np.int64)
        return Part(nothing, nothing, nothing.astype(bool), np.zeros((0, width), np.int8), nothing.astype(np.float32),
                    np.zeros((0, width), np.float32))  # fmt: skip
    rows, said_at, hidden, packed = (np.concatenate(column) for column in zip(*chunks, strict=True))
    if not np.all(rows[1:] > rows[:-1]):
        order = np.argsort(rows)
        rows, said_at, hidden, packed = rows[order], said_at[order], hidden[order], packed[order]
    scale = _scale(packed)
    return Part(rows, said_at, hidden, packed, scale, packed[:, :width] * scale[:, None])


def _scale(packed: npt.NDArray[np.int8]) -> Floats:
    """1 / length of each row, taken in slices: a million rows as floats at once would be a gigabyte."""
    import numpy as np

    lengths = np.concatenate([
        np.linalg.norm(packed[start : start + 8192].astype(np.float32), axis=1) for start in range(0, len(packed), 8192)
    ])  # fmt: skip
    scale: Floats = (1.0 / np.maximum(lengths, 1e-9)).astype(np.float32)
    return scale


def _chunk(
    validity: bytes, rowids: bytes, vectors: bytes, said_at: bytes, hidden: bytes
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.bool_], npt.NDArray[np.int8]]:
    """One chunk of sqlite-vec, without its empty places: rows, times, flags, vectors."""
    import numpy as np

    used = np.unpackbits(np.frombuffer(validity, np.uint8), bitorder="little").astype(bool)
    rows = np.frombuffer(rowids, np.int64)[used]
    matrix = np.frombuffer(vectors, np.int8).reshape(len(used), -1)[used]
    return rows, np.frombuffer(said_at, np.int64)[used], np.frombuffer(hidden, np.int64)[used] != 0, matrix


def rows_within(connection: apsw.Connection, scope: Scope) -> npt.NDArray[np.int64]:
    """The rows of a scope, ascending."""
    import numpy as np

    sql = f"select e.row from episodes e where {scope.where('e')} order by e.row"
    return np.array([row for (row,) in connection.execute(sql, scope.bindings())], dtype=np.int64)
