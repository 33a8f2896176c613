"""A reply keeps the turns that it rests on by their rows, never by their words: what is erased is cited by nobody."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from store.records import Cited, Episode, Instant, Precision, Source, Stretch
from store.rows import each, first

if TYPE_CHECKING:
    import apsw

_KEEP = """
insert into cited (episode_row, place, source_row, start, end, shown)
select ?, ?, row, ?, ?, ? from episodes where id = ? and ? <= length(text)
"""
_CITED = """
select c.episode_row, e.id, e.external_id, c.start, c.end, substr(e.text, c.start + 1, c.end - c.start), e.said_at,
e.said_offset, e.speaker, s.key, c.shown
from cited c join episodes e on e.row = c.source_row join sessions s on s.id = e.session_id
where c.episode_row in (select value from json_each(?)) order by c.episode_row, c.place
"""


def keep(connection: apsw.Connection, reply: Episode, cited: Cited) -> None:
    """Write down what a reply rests on, in the caller's transaction. Turns that are gone are passed over."""
    shown = [(one.episode, one.start, one.end, 1) for one in cited.sources if one.start < one.end]
    given = [(one, 0, 1, 0) for one in cited.given]
    for place, (episode, start, end, is_shown) in enumerate([*shown, *given]):
        connection.execute(_KEEP, (reply.row, place, start, end, is_shown, episode, end))
    if cited.as_of is not None or cited.believed is not None:
        of = cited.as_of
        world = (None, None, None) if of is None else (of.start, of.end, of.precision.value)
        connection.execute("insert into asked values (?, ?, ?, ?, ?)", (reply.row, *world, cited.believed))


def with_sources(connection: apsw.Connection, episodes: Iterable[Episode]) -> list[Episode]:
    """The turns, each with the sources that stand below it."""
    found = list(episodes)
    sources: dict[int, list[Source]] = {}
    for row, source, shown in _read(connection, [one.row for one in found if one.role != "user"]):
        if shown:
            sources.setdefault(row, []).append(source)
    return [replace(one, sources=tuple(sources[one.row])) if one.row in sources else one for one in found]


def of_reply(connection: apsw.Connection, reply: Episode) -> Cited:
    """What a reply rests on, and at which times it was asked for."""
    found = [(source, shown) for _, source, shown in _read(connection, [reply.row])]
    row = first(connection, "select valid_from, valid_to, precision, believed from asked where episode_row = ?",
                (reply.row,))  # fmt: skip
    start, end, precision, believed = row or (None, None, None, None)
    shown = tuple(source for source, is_shown in found if is_shown)
    given = tuple(source.episode for source, is_shown in found if not is_shown)
    return Cited(shown, given, None if precision is None else Stretch(start, end, Precision(precision)), believed)


def _read(connection: apsw.Connection, replies: list[int]) -> Iterable[tuple[int, Source, bool]]:
    """(row of the reply, source, whether it stands below the reply)"""
    if not replies:
        return
    for row, key, external, start, end, quote, at, offset, speaker, session, shown in each(
        connection, _CITED, (json.dumps(replies),)
    ):
        yield row, Source(key, external, start, end, quote, Instant(at, offset), speaker, session), bool(shown)
