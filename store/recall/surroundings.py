"""A candidate is judged with the turns around it, in the order in which they were said; what is out of scope has no
part.

"We went to Kyoto." is found by the question that it answered. The order of a session is that of (said_at, position,
id), whatever the order in which its turns arrived.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from store.recall.scope import Scope
from store.writing.marks import ASKS, COUNTED, DATED, NAMED, OWN, PAST, PLACED, REASONED, SHOWN

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
     order by n.said_at desc, n.position desc, n.id desc limit :before)),
  (select group_concat(row) from (select n.row from episodes n
     where n.session_id = e.session_id and (n.said_at, n.position, n.id) > (e.said_at, e.position, e.id) and {where}
     order by n.said_at, n.position, n.id limit :after))
from carray(:rows) c cross join episodes e on e.row = c.value
"""
_TERMS = """
select e.row, e.speaker, e.role, e.said_at, e.session_id, t.words, t.days, t.marks
from carray(:rows) c cross join episodes e on e.row = c.value join episode_terms t on t.rowid = e.row
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

    chains = _chains(connection, seeds, scope)
    candidates, seen = set[int](), set[int]()
    for chain, middle in chains:
        candidates.update(chain[max(middle - 1, 0) : middle + 2])
        seen.update(chain)
    turns = _read(connection, sorted(seen), scope) if seen else []
    if not turns:
        return None
    rows = np.array([turn[0] for turn in turns], dtype=np.int64)
    place = {turn[0]: index for index, turn in enumerate(turns)}
    chosen = sorted(row for row in candidates if row in place)
    words = [turn[5].split() for turn in turns]
    return Surroundings(
        rows=rows,
        candidates=np.array([place[row] for row in chosen], dtype=np.intp),
        around=_neighbours(chains, chosen, place),
        words=_counts(words, terms),
        days=_counts([turn[6].split() for turn in turns], terms),
        length=np.array([len(one) for one in words], dtype=np.float32),
        said_at=np.array([turn[3] for turn in turns], dtype=np.int64),
        session=np.array([turn[4] for turn in turns], dtype=np.int64),
        speaker=tuple(turn[1] for turn in turns),
        role=tuple(turn[2] for turn in turns),
        signs={sign: np.array([sign in turn[7] for turn in turns], dtype=np.float32) for sign in SIGNS},
    )


_Turn = tuple[int, str, str, int, int, str, str, str]


def _read(connection: apsw.Connection, rows: Sequence[int], scope: Scope) -> list[_Turn]:
    import apsw

    sql = _TERMS.format(where=scope.where("e"))
    values = {"rows": apsw.carray(_packed(rows), flags=apsw.SQLITE_CARRAY_INT64), **scope.bindings()}
    return cast("list[_Turn]", connection.execute(sql, values).fetchall())


def _packed(rows: Sequence[int]) -> npt.NDArray[np.int64]:
    import numpy as np

    return np.array(rows, dtype=np.int64)


def _chains(connection: apsw.Connection, seeds: Sequence[int], scope: Scope) -> list[tuple[list[int], int]]:
    """For each seed the rows around it in order, one further than REACH for those next to it; and its place in them."""
    import apsw

    if not seeds:
        return []
    sql = _AROUND.format(where=scope.where("n"))
    rows = apsw.carray(_packed(seeds), flags=apsw.SQLITE_CARRAY_INT64)
    values = {"rows": rows, "before": REACH + 1, "after": REACH + 1, **scope.bindings()}
    chains = []
    for row, before, after in connection.execute(sql, values):
        earlier = [int(number) for number in before.split(",")][::-1] if before else []
        later = [int(number) for number in after.split(",")] if after else []
        chains.append(([*earlier, row, *later], len(earlier)))
    return chains


def _neighbours(
    chains: Sequence[tuple[list[int], int]], chosen: Sequence[int], place: dict[int, int]
) -> dict[int, npt.NDArray[np.intp]]:
    """The places of each candidate's neighbours, by offset."""
    import numpy as np

    number = {row: index for index, row in enumerate(chosen)}
    offsets = [offset for offset in range(-REACH, REACH + 1) if offset]
    around = {offset: np.full(len(chosen), -1, dtype=np.intp) for offset in offsets}
    for chain, middle in chains:
        for at in range(max(middle - 1, 0), min(middle + 2, len(chain))):
            if chain[at] in number:
                for offset in offsets:
                    if 0 <= at + offset < len(chain):
                        around[offset][number[chain[at]]] = place.get(chain[at + offset], -1)
    return around


def _counts(documents: Sequence[list[str]], terms: Sequence[str]) -> Floats:
    """Shape (terms, documents)."""
    import numpy as np

    number = {term: index for index, term in enumerate(terms)}
    wanted = frozenset(terms)
    counts = np.zeros((len(terms), len(documents)), dtype=np.float32)
    for column, document in enumerate(documents):
        for term in wanted.intersection(document):
            counts[number[term], column] = document.count(term)
    return counts
