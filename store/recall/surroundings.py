"""A candidate is judged with the turns around it, in the order in which they were said; what is out of scope has no
part.

"We went to Kyoto." is found by the question that it answered. The order of a session is that of (said_at, position,
id), whatever the order in which its turns arrived.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, cast

from store.episodes.marks import ASKS, COUNTED, DATED, NAMED, OWN, PAST, PLACED, REASONED, SHOWN
from store.recall.scope import Scope

if TYPE_CHECKING:
    import apsw
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

REACH = 2
"""How many turns on either side a candidate is judged by."""
_HEAD = 8
"""Bytes of a term that are compared at once."""
SIGNS = (ASKS, DATED, COUNTED, OWN, SHOWN, NAMED, PLACED, REASONED, PAST)

_AROUND = """
select e.row,
  (select group_concat(row) from (select n.row from episodes n
     where n.session_id = e.session_id and (n.said_at, n.position, n.id) < (e.said_at, e.position, e.id) {where}
     order by n.said_at desc, n.position desc, n.id desc limit :most)),
  (select group_concat(row) from (select n.row from episodes n
     where n.session_id = e.session_id and (n.said_at, n.position, n.id) > (e.said_at, e.position, e.id) {where}
     order by n.said_at, n.position, n.id limit :most))
from carray(:rows) c cross join episodes e on e.row = c.value
"""
# FTS5 keeps what was indexed in a plain table; asking that one takes half the time.
_TERMS = """
select e.row, e.speaker, e.role, e.said_at, e.session_id, t.c0, t.c1, t.c2
from carray(:rows) c cross join episodes e on e.row = c.value cross join episode_terms_content t on t.id = e.row
where {where}
"""


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """The candidates and their neighbours, as arrays over all `rows` seen."""

    rows: npt.NDArray[np.int64]
    """Ascending."""
    candidates: npt.NDArray[np.intp]
    """Which places of `rows` are candidates."""
    around: dict[int, npt.NDArray[np.intp]]
    """For each offset (-2, -1, 1, 2) the place in `rows` of each candidate's neighbour; -1 where there is none."""
    words: Floats
    """Shape (query terms, rows): how often each term occurs among the words."""
    days: Floats
    """Shape (query terms, rows): whether each term is among the days."""
    length: Floats
    """Number of words."""
    said_at: npt.NDArray[np.int64]
    session: npt.NDArray[np.int64]
    text: tuple[str, ...]
    """The words of each turn as the index has them: terms, joined by single spaces."""
    speaker: tuple[str, ...]
    role: tuple[str, ...]
    signs: dict[str, Floats]
    """For each mark, 1 where a turn bears it."""

    def near(self, values: Floats, offset: int) -> Floats:
        """The values of the candidates' neighbours, 0 where there is none; the last axis of `values` is all rows."""
        places = self.around[offset]
        taken: Floats = values[..., places] * (places >= 0)
        return taken


def look_around(
    connection: apsw.Connection, seeds: Sequence[int], terms: Sequence[str], scope: Scope
) -> Surroundings | None:
    """The seeds and the turns next to them become candidates; all within REACH of those is read. None if nothing is."""
    import numpy as np

    chains, turns = _around(connection, seeds, scope)
    if not turns:
        return None
    row, speaker, role, said_at, session, words, days, marks = zip(*turns, strict=True)
    rows = np.array(row, dtype=np.int64)
    places = np.minimum(np.searchsorted(rows, chains), len(rows) - 1)
    places[rows[places] != chains] = -1
    candidates, around = _neighbours(places)
    counts, lengths = _counted((*words, *days), terms)
    signs = np.array([_signs(mark) for mark in marks])[None, :] >> np.arange(len(SIGNS))[:, None] & 1
    return Surroundings(
        rows=rows,
        candidates=candidates,
        around=around,
        words=counts[:, : len(rows)],
        days=counts[:, len(rows) :],
        length=lengths[: len(rows)],
        said_at=np.array(said_at, dtype=np.int64),
        session=np.array(session, dtype=np.int64),
        text=words,
        speaker=speaker,
        role=role,
        signs=dict(zip(SIGNS, signs.astype(np.float32), strict=True)),
    )


@lru_cache(maxsize=1 << 10)
def _signs(marks: str) -> int:
    """Which of SIGNS are among the marks of a turn, a bit each."""
    return sum((sign in marks) << number for number, sign in enumerate(SIGNS))


_Turn = tuple[int, str, str, int, int, str, str, str]


def _read(connection: apsw.Connection, rows: npt.NDArray[np.int64], scope: Scope) -> list[_Turn]:
    import apsw

    if not len(rows):
        return []
    sql = _TERMS.format(where=scope.where("e"))
    values = {"rows": apsw.carray(rows, flags=apsw.SQLITE_CARRAY_INT64), **scope.bindings()}
    return cast("list[_Turn]", connection.execute(sql, values).fetchall())


def texts_of(connection: apsw.Connection, rows: Iterable[int], scope: Scope) -> list[str]:
    """The words of those of these turns that are in scope, as the index has them."""
    import numpy as np

    return [turn[5] for turn in _read(connection, np.fromiter(rows, dtype=np.int64), scope)]


def _around(
    connection: apsw.Connection, seeds: Sequence[int], scope: Scope
) -> tuple[npt.NDArray[np.int64], list[_Turn]]:
    """The chains of the seeds and all turns in them, in the order of their rows.

    The order of a session is read from its index alone, which does not tell what is out of scope: only where something
    of that turns up, which is seldom, is the order without it asked for.
    """
    import numpy as np

    for where in ("", f"and {scope.where('n')}"):
        chains = _chains(connection, seeds, scope, where)
        rows = np.unique(chains)
        rows = rows[rows.searchsorted(0) :]
        turns = _read(connection, rows, scope)
        if len(turns) == len(rows):
            break
    return chains, turns


def _chains(connection: apsw.Connection, seeds: Sequence[int], scope: Scope, where: str) -> npt.NDArray[np.int64]:
    """For each seed the rows around it in order, one further than REACH for those next to it; -1 where there is none.
    Shape (seeds, 2 * REACH + 3), each seed in the middle."""
    import apsw
    import numpy as np

    most = REACH + 1
    if not seeds:
        return np.empty((0, 2 * most + 1), dtype=np.int64)
    rows = apsw.carray(np.array(seeds, dtype=np.int64), flags=apsw.SQLITE_CARRAY_INT64)
    values = {"rows": rows, "most": most, **scope.bindings()}
    found = list[str]()
    for row, before, after in connection.execute(_AROUND.format(where=where), values):
        earlier, later = before.split(",") if before else [], after.split(",") if after else []
        found += ["-1"] * (most - len(earlier)) + earlier[::-1]
        found += [row, *later, *["-1"] * (most - len(later))]
    return np.fromiter(map(int, found), dtype=np.int64, count=len(found)).reshape(-1, 2 * most + 1)


def _neighbours(places: npt.NDArray[np.intp]) -> tuple[npt.NDArray[np.intp], dict[int, npt.NDArray[np.intp]]]:
    """The candidates, ascending: the middle of every chain of places and those next to it; and by offset the places of
    their neighbours. Whichever chain a candidate is taken from, its neighbours are the same."""
    import numpy as np

    width = 2 * REACH + 1
    windows = np.concatenate([places[:, start : start + width] for start in range(places.shape[1] - width + 1)])
    candidates, first = np.unique(windows[:, REACH], return_index=True)
    there = candidates >= 0
    around = windows[first[there]]
    return candidates[there], {offset: around[:, offset + REACH] for offset in range(-REACH, REACH + 1) if offset}


def _counted(documents: Sequence[str], terms: Sequence[str]) -> tuple[Floats, Floats]:
    """How often each term stands in each of one or more documents, whose terms are joined by single spaces, shape
    (terms, documents); and how many terms each document has.

    All documents are searched as one text, whose terms are told apart by their length and their first eight bytes as a
    number: making a string of each takes several times longer.
    """
    import numpy as np

    data = ("\n".join(documents) + "\n" + " " * _HEAD).encode()
    codes = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero(codes <= ord(" "))[:-_HEAD]
    starts = np.concatenate([[0], ends[:-1] + 1])
    lengths = ends - starts
    heads = np.ndarray(len(data) - _HEAD + 1, dtype="<u8", buffer=data, strides=(1,))[starts]
    heads &= _masks()[np.minimum(lengths, _HEAD)]
    last = np.flatnonzero(codes[ends] == ord("\n"))
    counts = np.zeros((len(terms), len(documents)), dtype=np.float32)
    for number, term in enumerate(terms):
        sought = term.encode()
        found = np.flatnonzero((heads == int.from_bytes(sought[:_HEAD], "little")) & (lengths == len(sought)))
        if len(sought) > _HEAD:
            same = [data.startswith(sought, start) for start in starts[found].tolist()]
            found = found[np.array(same, dtype=np.bool_)]
        if len(found):
            counts[number] = np.bincount(last.searchsorted(found), minlength=len(documents))
    held = np.diff(last, prepend=-1) - (lengths[last] == 0)  # an empty document ends in no term
    return counts, held.astype(np.float32)


@cache
def _masks() -> npt.NDArray[np.uint64]:
    """What to keep of eight bytes when only so many belong to a term."""
    import numpy as np

    return np.array([(1 << 8 * size) - 1 for size in range(_HEAD + 1)], dtype=np.uint64)
