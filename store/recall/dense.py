"""The vectors in memory are those of the file: whoever reads first after a change brings them up to date.

sqlite-vec keeps vectors in chunks of 1024, each a blob; reading the blobs once and comparing them here is many times
faster than its own scan (0.1.9: 209 ms for a million rows, against 10), and respects the same filters. Rows are only
ever appended, so growth reads the last chunks again; a removal, which `index_meta` counts, reads all of them.

A large memory is scanned by one bit per dimension first, as in RaBitQ (Gao and Long, SIGMOD 2024): the vectors whose
bits differ least from the question's are then compared in full.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from store.episodes.index import CLIP, meta
from store.recall.scope import FOREVER, Scope

if TYPE_CHECKING:
    import apsw
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

FILES = 4
"""Files whose vectors are kept in memory at once."""
KEPT = 1_000
"""How many rows are compared in full, beside one of every SPARED: of the true nearest 16 of 13,000 real turns, 95 % are
among the best 1,000 by bits."""
SPARED = 200
TAIL_CHUNKS = 16
"""After so many new chunks, the part that is read again and again is joined with the rest."""
CHUNK = 1_024
"""Rows of a chunk of sqlite-vec."""
SLICE = 32_768
"""Rows whose bits are counted at once: their words stay in the processor's cache."""
AT_ONCE = 256
"""Vectors compared in full at once: they stay in the processor's cache, and BLAS needs no second thread for them."""
NARROW = 20_000
"""Up to so many rows of a scope are listed; of a larger one, the nearest are looked up until there are enough."""

# sqlite-vec declares the keys of its tables without a type: only a bare value, which +chunk_id is, finds them by index.
_CHUNKS = """
select c.validity, c.rowids, v.vectors, s.data, h.data
from episode_vectors_chunks c cross join episode_vectors_vector_chunks00 v on v.rowid = +c.chunk_id
cross join episode_vectors_metadatachunks00 s on s.rowid = +c.chunk_id
cross join episode_vectors_metadatachunks01 h on h.rowid = +c.chunk_id
where c.chunk_id > :after and c.chunk_id <= :last order by c.chunk_id
"""


@dataclass(frozen=True, slots=True, eq=False)
class VectorBlock:
    """The vectors of some chunks; rows ascend."""

    rows: npt.NDArray[np.int64]
    said_at: npt.NDArray[np.int64]
    hidden: npt.NDArray[np.bool_]
    packed: npt.NDArray[np.int8]
    """Shape (rows, dimension), as stored."""
    lengths: Floats
    """Of the stored vectors; never 0."""
    bits: npt.NDArray[np.uint64]
    """Shape (words, rows): what `bits_of` says of each row."""


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """The vectors of one file, as of one state of it."""

    state: tuple[str, str, int]
    """The index's own name, number of removals, number of the last chunk's last row."""
    settled: VectorBlock
    """Chunks that are full."""
    settled_to: int
    """The last of them."""
    tail: VectorBlock
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

    `only` holds the rows that may be found, ascending; None for all. What `scope` asks beyond time and visibility is
    not looked at here.
    """
    return list(islice(_by_nearness(found, vector, scope, only), limit))


def candidates(connection: apsw.Connection, found: Matrix, vector: Floats, scope: Scope, limit: int) -> list[int]:
    """Rows of the turns in scope whose vectors are nearest to a unit vector, nearest first."""
    if not scope.narrow():
        return nearest(found, vector, scope, limit, None)
    only = rows_within(connection, scope, NARROW)
    if only is not None:
        return nearest(found, vector, scope, limit, only)
    sql = f"select exists (select 1 from episodes e where e.row = :row and {scope.where('e')})"
    values = scope.bindings()
    near = _by_nearness(found, vector, scope, None)
    return list(islice((row for row in near if connection.execute(sql, {**values, "row": row}).get), limit))


def _by_nearness(found: Matrix, vector: Floats, scope: Scope, only: npt.NDArray[np.int64] | None) -> Iterator[int]:
    import numpy as np

    question = clipped(vector)
    rows, scores = (np.concatenate(pieces) for pieces in zip(
        *(_best(part, question, scope, only) for part in (found.settled, found.tail)), strict=True
    ))  # fmt: skip
    for place in np.argsort(-scores, kind="stable"):
        if scores[place] > 0:
            yield int(rows[place])


def similarities(found: Matrix, vector: Floats, rows: npt.NDArray[np.int64]) -> Floats:
    """The cosine of each row's vector to a unit vector; 0 for rows that have none."""
    import numpy as np

    question = clipped(vector)
    scores = np.zeros(len(rows), dtype=np.float32)
    for part in (found.settled, found.tail):
        if len(part.rows):
            places = np.minimum(np.searchsorted(part.rows, rows), len(part.rows) - 1)
            there = part.rows[places] == rows
            scores[there] = _exact(part, places[there], question)
    return scores


def clipped(vector: Floats) -> Floats:
    """A query vector, cut as the stored ones are, of length 1."""
    import numpy as np

    cut = np.clip(vector, -CLIP, CLIP)
    unit: Floats = cut / max(float(np.linalg.norm(cut)), 1e-9)
    return unit


def bits_of(vectors: npt.NDArray[np.int8] | Floats) -> npt.NDArray[np.uint64]:
    """One bit per dimension, in words of 64; shape (words, vectors).

    The bits are the signs of the sum and of the difference of an early dimension and a late one. Vectors that were
    ordered by variance say most in the first dimensions; so mixed, all bits say about as much: 94 % of the true nearest
    16 are among the best 6 % by these, 88 % by the plain signs.
    """
    import numpy as np

    half = vectors.shape[1] // 2
    early, late = vectors[:, :half], vectors[:, : -half - 1 : -1].copy()
    signs = np.concatenate([early > late, early > -late], axis=1)
    if spare := -signs.shape[1] % 64:
        signs = np.pad(signs, ((0, 0), (0, spare)))
    words: npt.NDArray[np.uint64] = np.packbits(signs, axis=1).view(np.uint64)
    return np.ascontiguousarray(words.T)


def _differing(part: VectorBlock, question: Floats) -> npt.NDArray[np.uint8] | npt.NDArray[np.uint16]:
    """In how many bits each row differs from the question."""
    import numpy as np

    asked = bits_of(question[None, :])[:, 0]
    # In a byte 256 differences wrap to none: the exact opposite of the question, which is compared in full and dropped.
    rows = part.bits.shape[1]
    total = np.zeros(rows, dtype=np.uint8) if len(asked) <= 4 else np.zeros(rows, dtype=np.uint16)
    differing, counts = np.empty(SLICE, dtype=np.uint64), np.empty(SLICE, dtype=np.uint8)
    for start in range(0, rows, SLICE):
        counted = total[start : start + SLICE]
        here, count = differing[: len(counted)], counts[: len(counted)]
        for word, sought in zip(part.bits, asked, strict=True):
            np.bitwise_xor(word[start : start + SLICE], sought, out=here)
            np.bitwise_count(here, out=count)
            counted += count
    return total


def _best(
    part: VectorBlock, question: Floats, scope: Scope, only: npt.NDArray[np.int64] | None
) -> tuple[npt.NDArray[np.int64], Floats]:
    """The best rows of one part and their cosines, in no order."""
    import numpy as np

    seen = None if scope.include_inactive or not part.hidden.any() else ~part.hidden
    if scope.believed is not None and scope.believed < FOREVER:
        told = part.said_at <= scope.believed
        seen = told if seen is None else seen & told
    if only is not None:
        places = np.flatnonzero(np.isin(part.rows, only) if seen is None else seen & np.isin(part.rows, only))
    else:
        places = _promising(part, question, seen)
    return part.rows[places], _exact(part, places, question)


def _promising(part: VectorBlock, question: Floats, seen: npt.NDArray[np.bool_] | None) -> npt.NDArray[np.intp]:
    """The places whose bits differ least from the question's: at least KEPT and one of every SPARED, if there are."""
    import numpy as np

    kept = KEPT + len(part.rows) // SPARED
    if len(part.rows) <= kept:
        return np.arange(len(part.rows)) if seen is None else np.flatnonzero(seen)
    differing = _differing(part, question)
    unseen = np.iinfo(differing.dtype).max
    if seen is not None:
        differing[~seen] = unseen
    within = np.cumsum(np.bincount(differing, minlength=unseen + 1)[:unseen])
    return np.flatnonzero(differing <= min(int(np.searchsorted(within, kept)), unseen - 1))


def _exact(part: VectorBlock, places: npt.NDArray[np.intp], question: Floats) -> Floats:
    """The cosines of these places to a unit vector; 0 for a row of zeros."""
    import numpy as np

    if not len(places):  # a part that was emptied has no width either
        return np.zeros(0, dtype=np.float32)
    cosines = np.empty(len(places), dtype=np.float32)
    for start in range(0, len(places), AT_ONCE):
        chosen = places[start : start + AT_ONCE]
        np.matmul(part.packed[chosen].astype(np.float32), question, out=cosines[start : start + AT_ONCE])
    cosines /= part.lengths[places]
    return cosines


def _read(connection: apsw.Connection, state: tuple[str, str, int], before: Matrix | None) -> Matrix:
    """Read the chunks that are not known yet, and settle those before the last when there are many."""
    last: int = connection.execute("select coalesce(max(chunk_id), 0) from episode_vectors_chunks").get
    if before is None or last - before.settled_to > TAIL_CHUNKS:
        settled_to, settled = last - 1, _part(connection, 0, last - 1)
    else:
        settled_to, settled = before.settled_to, before.settled
    return Matrix(state, settled, settled_to, _part(connection, settled_to, last))


def _part(connection: apsw.Connection, after: int, last: int) -> VectorBlock:
    """The vectors of the chunks after one and up to another, in the order of their rows."""
    import numpy as np

    width: int = connection.execute(
        f"select coalesce((select length(vectors) / {CHUNK} from episode_vectors_vector_chunks00 limit 1), 0)"
    ).get
    room = max(last - after, 0) * CHUNK
    rows, said_at = np.empty(room, np.int64), np.empty(room, np.int64)
    hidden, packed, lengths = np.empty(room, np.bool_), np.empty((room, width), np.int8), np.empty(room, np.float32)
    bits = np.empty((len(bits_of(packed[:0])), room), np.uint64)
    filled = 0
    for chunk in connection.execute(_CHUNKS, {"after": after, "last": last}):
        places, times, flags, vectors = _chunk(*chunk)
        here = slice(filled, filled + len(places))
        rows[here], said_at[here], hidden[here], packed[here] = places, times, flags, vectors
        lengths[here] = np.maximum(np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float32)), 1e-9)
        bits[:, here] = bits_of(vectors)
        filled = here.stop
    rows, said_at, hidden, packed, lengths, bits = (
        rows[:filled], said_at[:filled], hidden[:filled], packed[:filled], lengths[:filled], bits[:, :filled],
    )  # fmt: skip
    if not np.all(rows[1:] > rows[:-1]):
        order = np.argsort(rows)
        rows, said_at, hidden, packed, lengths, bits = (
            rows[order], said_at[order], hidden[order], packed[order], lengths[order], bits[:, order],
        )  # fmt: skip
    return VectorBlock(rows, said_at, hidden, packed, lengths, bits)


def _chunk(
    validity: bytes, rowids: bytes, vectors: bytes, said_at: bytes, hidden: bytes
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.bool_], npt.NDArray[np.int8]]:
    """One chunk of sqlite-vec without its empty places: rows, times, flags, vectors."""
    import numpy as np

    used = np.unpackbits(np.frombuffer(validity, np.uint8), bitorder="little").astype(bool)
    found = (
        np.frombuffer(rowids, np.int64),
        np.frombuffer(said_at, np.int64),
        np.frombuffer(hidden, np.int64) != 0,
        np.frombuffer(vectors, np.int8).reshape(len(used), -1),
    )
    rows, times, flags, packed = found if used.all() else tuple(one[used] for one in found)
    return rows, times, flags, packed


def rows_within(connection: apsw.Connection, scope: Scope, most: int) -> npt.NDArray[np.int64] | None:
    """The rows of a scope, ascending; None if there are more than `most`."""
    import numpy as np

    sql = f"select e.row from episodes e where {scope.where('e')} limit :most"
    found = [row for (row,) in connection.execute(sql, {**scope.bindings(), "most": most + 1})]
    return np.array(sorted(found), dtype=np.int64) if len(found) <= most else None
