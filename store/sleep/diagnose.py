"""A diagnoser looks and proposes; it changes nothing, and the same memory gives the same proposals.

Split where a unit mixes matters, Merge where units say the same, Update where what a unit taught is out of date
(All-Mem, appendix C.1), found without a language model: by vectors, by terms, and by what the fold replaced. Each
proposal comes with a confidence, on the side of caution: a unit that leaves the surface by mistake is missed.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache

import apsw

from store.database.rows import column, each, rows
from store.episodes.marks import DATED, PAST, marks
from store.episodes.terms import STOPWORDS, query_terms
from store.sleep.describe import WORD
from store.sleep.edits import MERGE_MOST, Edit
from store.sleep.plans import Proposal, cosine
from store.sleep.units import Span, Unit, spans_of, texts_of, units_of

WORTH_SAYING = 0.8
"""Proposals below this confidence are not even logged."""
ALIKE = 0.9
"""The cosine from which on linked units are looked at for a merge."""
A_DAY = 86_400_000_000

_VALUE = re.compile(r"\d[\d.,:/-]*|[A-ZÀ-Þ][\w’'-]+|\b(?:not?|never|\w+n['’]t|without|nicht|kein\w*|nie|nunca|jamás)\b")


# -- merge


def merge(connection: apsw.Connection, unit: Unit) -> Proposal | None:
    """Units on the surface that say the same as this one."""
    others = units_of(connection, _alike(connection, unit) - {unit.id})
    if not others:
        return None
    own = _words(connection, unit)
    found = [(_sameness(own, _words(connection, other), unit, other), other) for other in others.values()]
    found = sorted((pair for pair in found if pair[0] >= WORTH_SAYING), key=lambda pair: (-pair[0], pair[1].id))
    if not found:
        return None
    chosen = found[: MERGE_MOST - 1]
    taken = [unit, *(other for _, other in chosen)]
    into = min((one.id for one in taken if one.origin == "merge"), default=None)
    edit = Edit("merge", tuple(sorted(one.id for one in taken)), into=into)
    differ = any(_differ(connection, unit, own, other) for _, other in chosen)
    return Proposal(edit, min(sure for sure, _ in chosen), {"alike": chosen[0][0]}, differ)


def _alike(connection: apsw.Connection, unit: Unit) -> set[int]:
    """Visible units that may say the same: with the very same terms, wherever they are, or near in meaning."""
    same = rows(
        connection, "select id, visible from units where print = ? and id <> ? order by visible desc, id limit ?",
        (unit.print, unit.id, 2 * MERGE_MOST),
    )  # fmt: skip
    near = each(
        connection,
        "select to_id from unit_links where from_id = ? and kind = 'semantic' and weight >= ?", (unit.id, ALIKE),
    )  # fmt: skip
    found = {key for key, visible in same if visible} | {row[0] for row in near}
    return found | {top for key, visible in same if not visible for top in _stands_for(connection, key)}


def _stands_for(connection: apsw.Connection, unit: int) -> set[int]:
    """The visible units that stand for an archived one."""
    found: set[int] = set()
    wave = {unit}
    while wave:
        above = rows(
            connection,
            "select distinct l.from_id, u.visible from unit_links l join units u on u.id = l.from_id "
            "where l.kind = 'version' and l.to_id in (select value from json_each(?))",
            (json.dumps(sorted(wave)),),
        )
        found |= {key for key, visible in above if visible}
        wave = {key for key, visible in above if not visible}
    return found


def _words(connection: apsw.Connection, unit: Unit) -> str:
    return "\n".join(texts_of(connection, spans_of(connection, unit.id)))


def _sameness(one: str, other: str, unit: Unit, second: Unit) -> float:
    """Half nearness in meaning, half the share of terms that both have."""
    mine, theirs = _terms(one), _terms(other)
    shared = len(mine & theirs) / len(mine | theirs) if mine | theirs else 1.0
    near = 1.0 if one == other else cosine(unit.vector, second.vector)
    return round((near + shared) / 2, 4)


@lru_cache(maxsize=4096)
def _terms(text: str) -> frozenset[str]:
    return frozenset(query_terms(text))


def _differ(connection: apsw.Connection, unit: Unit, own: str, other: Unit) -> bool:
    """Whether two units name different values: names, numbers, denials, what was read from them; or tell of different
    days, where they tell of a time at all."""
    words = _words(connection, other)
    if values(own) != values(words) or _claimed(connection, unit.id) != _claimed(connection, other.id):
        return True
    said = "\n".join(text for _, text in _own(connection, unit))
    tells_when = {DATED, PAST}.intersection(marks(said))
    return bool(tells_when) and abs(unit.place.said_at - other.place.said_at) >= A_DAY


def values(text: str) -> frozenset[str]:
    """The names, numbers and denials in a text, in lower case."""
    return frozenset(match.group().casefold().rstrip(".,:/-") for match in _VALUE.finditer(text))


def _claimed(connection: apsw.Connection, unit: int) -> list[object]:
    """What was read from the turns of a unit."""
    return list(
        each(
            connection,
            "select distinct c.subject, c.predicate, lower(c.object), c.negative, c.cue, c.modality, c.valid_from, "
            "c.valid_to from unit_spans s join claims c on c.episode_row = s.episode_row and c.start < s.end "
            "and c.end > s.start where s.unit_id = ? order by 1, 2, 3, 4, 5, 6, 7, 8",
            (unit,),
        )
    )


# -- update


def update(connection: apsw.Connection, unit: Unit) -> list[Proposal]:
    """Units all of whose beliefs are over, where this one replaced some: they are out of date."""
    found = [_outdated(connection, unit, old) for old in _replaced(connection, unit)]
    return [one for one in found if one.confidence >= WORTH_SAYING]


def _replaced(connection: apsw.Connection, unit: Unit) -> list[Unit]:
    """Earlier units on the surface that taught something which this one replaced."""
    replaced = rows(
        connection,
        "select distinct u.id from unit_spans s "
        "join claims c on c.episode_row = s.episode_row and c.start < s.end and c.end > s.start "
        "join facts f on f.because = c.row join supersessions p on p.new_id = f.id "
        "join fact_sources x on x.fact_id = p.old_id join claims o on o.row = x.claim_row "
        "join unit_spans t on t.episode_row = o.episode_row and o.start < t.end and o.end > t.start "
        "join units u on u.id = t.unit_id "
        "where s.unit_id = ?1 and u.visible = 1 and u.id <> ?1 and u.said_at <= ?2 "
        "and f.change in ('update', 'correct')",
        (unit.id, unit.place.said_at),
    )
    return list(units_of(connection, [row[0] for row in replaced]).values())


def _outdated(connection: apsw.Connection, unit: Unit, old: Unit) -> Proposal:
    """How sure it is that nothing in the old unit is news: the share of its beliefs that are over, times the share of
    its own words that taught them."""
    quotes = rows(
        connection,
        "select c.episode_row, c.start, c.end, min(f.believed_to is not null or f.world_to <= ?2) from unit_spans s "
        "join claims c on c.episode_row = s.episode_row and c.start < s.end and c.end > s.start "
        "join fact_sources x on x.claim_row = c.row join facts f on f.id = x.fact_id "
        "where s.unit_id = ?1 group by c.row",
        (old.id, unit.place.said_at),
    )
    over = sum(row[3] for row in quotes) / len(quotes) if quotes else 0.0
    told = _told(connection, old, {Span(*row[:3]) for row in quotes})
    edit = Edit("update", (unit.id, old.id))
    return Proposal(edit, round(over * told, 4), {"over": over, "told": told})


def _told(connection: apsw.Connection, unit: Unit, quotes: set[Span]) -> float:
    """The share of the telling words of the person's turns that lie in the sentences of these quotes."""
    said = taught = 0
    for span, text in _own(connection, unit):
        near = [(quote.start, quote.end) for quote in quotes if quote.row == span.row]
        for match in WORD.finditer(text):
            if match.group().casefold() not in STOPWORDS:
                said += 1
                at = span.start + match.start()
                taught += any(start <= at < end for start, end in near)
    return round(taught / said, 4) if said else 0.0


def _own(connection: apsw.Connection, unit: Unit) -> list[tuple[Span, str]]:
    """The spans of a unit that the person said, with their words."""
    spans = spans_of(connection, unit.id)
    listed = json.dumps([span.row for span in spans])
    own = "select row from episodes where role = 'user' and row in (select value from json_each(?))"
    mine = set(column(connection, own, (listed,)))
    return [(span, text) for span, text in zip(spans, texts_of(connection, spans), strict=True) if span.row in mine]
