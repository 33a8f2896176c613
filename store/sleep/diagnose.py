"""A diagnoser looks and proposes; it changes nothing, and the same memory gives the same proposals.

Split (store.sleep.splitting) where a unit mixes matters, Merge where units say the same, Update where what a unit
taught is out of date (All-Mem, appendix C.1), found without a language model: by vectors, by terms, and by what the
fold replaced. Each proposal comes with a confidence, on the side of caution: a unit that leaves the surface by mistake
is missed.
"""

from __future__ import annotations

import re

import apsw

from store.database.rows import column, rows
from store.episodes.marks import DATED, PAST, marks
from store.episodes.terms import STOPWORDS, query_terms
from store.sleep.describe import WORD
from store.sleep.edits import MERGE_MOST, Edit, Proposal
from store.sleep.links import cosine, links_of
from store.sleep.units import Piece, Unit, pieces_of, units_of

WORTH_SAYING = 0.8
"""Proposals below this confidence are not even logged."""
ALIKE = 0.9
"""The cosine from which on linked units are looked at for a merge."""
A_DAY = 86_400_000_000

_VALUE = re.compile(r"\d[\d.,:/-]*|[A-ZÀ-Þ][\w’'-]+|\b(?:not?|never|\w+n['’]t|without|nicht|kein\w*|nie|nunca|jamás)\b")
_CLAIMS = "unit_spans s join claims c on c.episode_row = s.episode_row and c.start < s.end and c.end > s.start"
"""The claims (c) that were read from a unit (s.unit_id)."""


# -- merge


def merge(connection: apsw.Connection, unit: Unit) -> list[Proposal]:
    """Units on the surface that say the same as this one."""
    others = units_of(connection, _alike(connection, unit) - {unit.id})
    own = _words(connection, unit)
    found = [(_sameness(own, _words(connection, other), unit, other), other) for other in others.values()]
    found = sorted((pair for pair in found if pair[0] >= WORTH_SAYING), key=lambda pair: (-pair[0], pair[1].id))
    chosen = found[: MERGE_MOST - 1]
    if not chosen:
        return []
    taken = [unit, *(other for _, other in chosen)]
    into = min((one.id for one in taken if one.origin == "merge"), default=None)
    edit = Edit("merge", tuple(sorted(one.id for one in taken)), into=into)
    differ = any(_differ(connection, unit, own, other) for _, other in chosen)
    return [Proposal(edit, min(sure for sure, _ in chosen), {"alike": chosen[0][0]}, differ)]


def _alike(connection: apsw.Connection, unit: Unit) -> set[int]:
    """Visible units that may say the same: with the very same terms, wherever they are, or near in meaning."""
    same = rows(
        connection, "select id, visible from units where print = ? and id <> ? order by visible desc, id limit ?",
        (unit.print, unit.id, 2 * MERGE_MOST),
    )  # fmt: skip
    found = {link.to for link in links_of(connection, unit) if link.kind == "semantic" and link.weight >= ALIKE}
    return found.union(*(_stands_for(connection, key) if not visible else {key} for key, visible in same))


def _stands_for(connection: apsw.Connection, unit: int) -> set[int]:
    """The visible units that stand for an archived one."""
    return set(column(
        connection,
        "with recursive above(id) as (select ?1 union select l.from_id from above a "
        "join unit_links l on l.to_id = a.id and l.kind = 'version') "
        "select u.id from above a join units u on u.id = a.id where u.visible = 1",
        (unit,),
    ))  # fmt: skip


def _words(connection: apsw.Connection, unit: Unit) -> str:
    return "\n".join(piece.text for piece in pieces_of(connection, unit.id))


def _sameness(one: str, other: str, unit: Unit, second: Unit) -> float:
    """Half nearness in meaning, half the share of terms that both have."""
    mine, theirs = set(query_terms(one)), set(query_terms(other))
    shared = len(mine & theirs) / len(mine | theirs) if mine | theirs else 1.0
    near = 1.0 if one == other else cosine(unit.vector, second.vector)
    return round((near + shared) / 2, 4)


def _differ(connection: apsw.Connection, unit: Unit, own: str, other: Unit) -> bool:
    """Whether two units name different values: names, numbers, denials, what was read from them; or tell of different
    days, where they tell of a time at all."""
    claimed = [
        rows(
            connection,
            "select distinct c.subject, c.predicate, lower(c.object), c.negative, c.cue, c.modality, c.valid_from, "
            f"c.valid_to from {_CLAIMS} where s.unit_id = ? order by 1, 2, 3, 4, 5, 6, 7, 8",
            (one.id,),
        )
        for one in (unit, other)
    ]
    if values(own) != values(_words(connection, other)) or claimed[0] != claimed[1]:
        return True
    said = "\n".join(piece.text for piece in pieces_of(connection, unit.id) if piece.own)
    tells_when = {DATED, PAST}.intersection(marks(said))
    return bool(tells_when) and abs(unit.said_at - other.said_at) >= A_DAY


def values(text: str) -> frozenset[str]:
    """The names, numbers and denials in a text, in lower case."""
    return frozenset(match.group().casefold().rstrip(".,:/-") for match in _VALUE.finditer(text))


# -- update


def update(connection: apsw.Connection, unit: Unit) -> list[Proposal]:
    """Units all of whose beliefs are over, where this one replaced some: they are out of date."""
    replaced = column(
        connection,
        f"select distinct u.id from {_CLAIMS} "
        "join facts f on f.because = c.row join supersessions p on p.new_id = f.id "
        "join fact_sources x on x.fact_id = p.old_id join claims o on o.row = x.claim_row "
        "join unit_spans t on t.episode_row = o.episode_row and o.start < t.end and o.end > t.start "
        "join units u on u.id = t.unit_id "
        "where s.unit_id = ?1 and u.visible = 1 and u.id <> ?1 and u.said_at <= ?2 "
        "and f.change in ('update', 'correct')",
        (unit.id, unit.said_at),
    )
    found = [_outdated(connection, unit, old) for old in units_of(connection, replaced).values()]
    return [one for one in found if one.confidence >= WORTH_SAYING]


def _outdated(connection: apsw.Connection, unit: Unit, old: Unit) -> Proposal:
    """How sure it is that nothing in the old unit is news: the share of its beliefs that are over, times the share of
    its own words that taught them."""
    quotes = rows(
        connection,
        f"select c.episode_row, c.start, c.end, min(f.believed_to is not null or f.world_to <= ?2) from {_CLAIMS} "
        "join fact_sources x on x.claim_row = c.row join facts f on f.id = x.fact_id "
        "where s.unit_id = ?1 group by c.row",
        (old.id, unit.said_at),
    )
    over = sum(row[3] for row in quotes) / len(quotes) if quotes else 0.0
    taught = [
        any(row == piece.row and start <= at < end for row, start, end, _ in quotes)
        for piece in pieces_of(connection, old.id) if piece.own for at in _telling(piece)
    ]  # fmt: skip
    told = round(sum(taught) / len(taught), 4) if taught else 0.0
    return Proposal(Edit("update", (unit.id, old.id)), round(over * told, 4), {"over": over, "told": told})


def _telling(piece: Piece) -> list[int]:
    """Where the telling words of a piece begin in its turn."""
    found = WORD.finditer(piece.text)
    return [piece.start + match.start() for match in found if match.group().casefold() not in STOPWORDS]
