"""A reply keeps the turns that it rests on by their rows, never by their words: what is erased is cited by nobody.

The reply itself holds words of those turns, and facts of them in words of its own: it goes with them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

import apsw

from store.database.rows import column, each, first
from store.episodes.terms import query_terms, terms
from store.records import Cited, Episode, Instant, Precision, Source, Stretch

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
    shown = [(source.episode, source.start, source.end, 1) for source in cited.sources if source.start < source.end]
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
    found = each(connection, _CITED, (json.dumps(replies),))
    for row, key, external, start, end, quote, at, offset, speaker, session, shown in found:
        yield row, Source(key, external, start, end, quote, Instant(at, offset), speaker, session), bool(shown)


_RESTING = """
with recursive resting(row) as (
    select value from json_each(?1)
    union select c.episode_row from resting r join cited c on c.source_row = r.row
    join episodes e on e.row = c.episode_row where e.role = 'assistant'
) select row from resting
"""
_REPLIES_AFTER = """
select distinct r.row, r.text from episodes e join episodes r on r.session_id = e.session_id and r.role = 'assistant'
and (r.said_at, r.position) > (e.said_at, e.position)
where e.row in (select value from json_each(?1)) and r.row not in (select value from json_each(?1))
"""
_ANSWERING = """
select r.row from episodes r where r.role = 'assistant' and r.speaker = 'memory'
and r.session_id in (select session_id from episodes where row in (select value from json_each(?1))) and (
    select u.row from episodes u where u.session_id = r.session_id and u.role = 'user'
    and (u.said_at, u.position, u.id) < (r.said_at, r.position, r.id)
    order by u.said_at desc, u.position desc, u.id desc limit 1
) in (select value from json_each(?1))
"""
_WORDS_SAID = """
select text from episodes
where row in (select value from json_each(?)) and not (role = 'assistant' and speaker = 'memory')
"""
_HOLDERS = """
select e.row from episode_terms f cross join episodes e on e.row = f.rowid
where f.episode_terms match 'words : "' || replace(?, '"', '""') || '"' and e.role <> 'assistant'
"""


def resting_on(connection: apsw.Connection, turns: set[int]) -> set[int]:
    """These turns, with the replies that cite one of them, and those that cite such a reply."""
    return set(column(connection, _RESTING, (json.dumps(sorted(turns)),)))


def answering(connection: apsw.Connection, turns: set[int]) -> set[int]:
    """The memory's own replies to one of these turns: a reply without the words that it answers tells nobody anything,
    and tells that something was said."""
    return set(column(connection, _ANSWERING, (json.dumps(sorted(turns)),)))


def repeating(connection: apsw.Connection, turns: set[int]) -> set[int]:
    """The replies that were given after one of these turns in its conversation, and hold a word of it that nobody says
    in any other turn: a model had read it there, without a citation. The memory's own replies, which cite all that
    they rest on, lend no words: "I was not told that" stands in many."""
    listed = json.dumps(sorted(turns))
    replies = [(row, set(query_terms(text))) for row, text in each(connection, _REPLIES_AFTER, (listed,))]
    if not replies:
        return set()
    texts = each(connection, _WORDS_SAID, (listed,))
    erased = {term for (text,) in texts for term in terms(text)}
    shared = erased & set[str]().union(*(held for _, held in replies))
    own = {term for term in shared if all(row in turns for (row,) in each(connection, _HOLDERS, (term,)))}
    return {row for row, held in replies if held & own}
