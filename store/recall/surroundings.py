"""A candidate is judged with the turns around it, in the order in which they were said; what is out of scope has no
part.

"We went to Kyoto." is found by the question that it answered. The order of a session is that of (said_at, position,
id), whatever the order in which its turns arrived.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
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
    _, speaker, role, said_at, session, words, days, marks = zip(*turns, strict=True)
    different = {mark: number for number, mark in enumerate(dict.fromkeys(marks))}
    signs = np.array([_signs(mark) for mark in different], dtype=np.float32)[[different[mark] for mark in marks]]
    return Surroundings(
        rows=rows,
        candidates=np.array([place[row] for row in chosen], dtype=np.intp),
        around=_neighbours(chains, chosen, place),
        words=_counts(words, terms),
        days=_counts(days, terms),
        length=np.array([one.count(" ") + bool(one) for one in words], dtype=np.float32),
        said_at=np.array(said_at, dtype=np.int64),
        session=np.array(session, dtype=np.int64),
        text=words,
        speaker=speaker,
        role=role,
        signs={sign: signs[:, number] for number, sign in enumerate(SIGNS)},
    )


@lru_cache(maxsize=1 << 10)
def _signs(marks: str) -> tuple[bool, ...]:
    """Which of SIGNS are among the marks of a turn."""
    return tuple(sign in marks for sign in SIGNS)


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
    width = 2 * REACH + 1
    around = np.full((len(chosen), width), -1, dtype=np.intp)
    outside = [-1] * REACH
    for chain, middle in chains:
        places = [*outside, *(place.get(row, -1) for row in chain), *outside]
        for at in range(max(middle - 1, 0), min(middle + 2, len(chain))):
            if chain[at] in number:
                around[number[chain[at]]] = places[at : at + width]
    return {offset: around[:, offset + REACH] for offset in range(-REACH, REACH + 1) if offset}


def _counts(documents: Sequence[str], terms: Sequence[str]) -> Floats:
    """How often each term stands in each document, whose terms are joined by single spaces; shape (terms, documents).

    All documents are searched as one text: splitting them takes several times longer.
    """
    import numpy as np

    text = " " + " \n ".join(documents) + " "
    ends = np.cumsum([len(document) + 3 for document in documents])
    counts = np.zeros((len(terms), len(documents)), dtype=np.float32)
    for number, term in enumerate(terms):
        sought, places = f" {term} ", list[int]()
        at = text.find(sought)
        while at >= 0:
            places.append(at)
            at = text.find(sought, at + len(sought) - 1)
        if places:
            owners = np.searchsorted(ends, places, side="right")
            counts[number] = np.bincount(owners, minlength=len(documents))
    return counts
