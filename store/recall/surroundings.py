"""A candidate is judged with the turns around it, in the order in which they were said; what is out of scope has no
part.

"We went to Kyoto." is found by the question that it answered. The order of a session is that of (said_at, position,
id), whatever the order in which its turns arrived.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
SIGNS = (ASKS, DATED, COUNTED, OWN, SHOWN, NAMED, PLACED, REASONED, PAST)

_AROUND = """
select e.row,
  (select group_concat(row) from (select n.row from episodes n
     where n.session_id = e.session_id and (n.said_at, n.position, n.id) < (e.said_at, e.position, e.id) and {where}
     order by n.said_at desc, n.position desc, n.id desc limit :most)),
  (select group_concat(row) from (select n.row from episodes n
     where n.session_id = e.session_id and (n.said_at, n.position, n.id) > (e.said_at, e.position, e.id) and {where}
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

    if not seeds:
        return None
    chains = _chains(connection, seeds, scope)
    turns = _read(connection, np.unique(chains), scope)
    if not turns:
        return None
    row, speaker, role, said_at, session, words, days, marks = zip(*turns, strict=True)
    rows = np.array(row, dtype=np.int64)
    places = np.minimum(np.searchsorted(rows, chains), len(rows) - 1)
    places[rows[places] != chains] = -1
    candidates, around = _neighbours(places)
    counts, lengths = _counted((*words, *days), terms)
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
        signs={sign: np.array([sign in mark for mark in marks], dtype=np.float32) for sign in SIGNS},
    )


_Turn = tuple[int, str, str, int, int, str, str, str]


def _read(connection: apsw.Connection, rows: npt.NDArray[np.int64], scope: Scope) -> list[_Turn]:
    import apsw

    sql = _TERMS.format(where=scope.where("e"))
    values = {"rows": apsw.carray(rows, flags=apsw.SQLITE_CARRAY_INT64), **scope.bindings()}
    return cast("list[_Turn]", connection.execute(sql, values).fetchall())


def _chains(connection: apsw.Connection, seeds: Sequence[int], scope: Scope) -> npt.NDArray[np.int64]:
    """For each seed the rows around it in order, one further than REACH for those next to it; -1 where there is none.
    Shape (seeds, 2 * REACH + 3), each seed in the middle."""
    import apsw
    import numpy as np

    most = REACH + 1
    rows = apsw.carray(np.array(seeds, dtype=np.int64), flags=apsw.SQLITE_CARRAY_INT64)
    values = {"rows": rows, "most": most, **scope.bindings()}
    found = list[str]()
    for row, before, after in connection.execute(_AROUND.format(where=scope.where("n")), values):
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
    """How often each term stands in each document, whose terms are joined by single spaces, shape (terms, documents);
    and how many terms each document has."""
    import numpy as np

    apart = [f" {one.replace(' ', '  ')} " for one in documents]  # so that no two terms share a space
    counts = np.zeros((len(terms), len(documents)), dtype=np.float32)
    for number, term in enumerate(terms):
        counts[number] = [one.count(f" {term} ") for one in apart]
    return counts, np.array([len(one.split()) for one in documents], dtype=np.float32)
