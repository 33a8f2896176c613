"""After an erase no byte of the words is left in the file, and the memory equals one that never heard them.

Episodes are the only words that were said; all else derives from them. So erasing is: find the episodes, the turns by
hand that took up their words, and the replies that rest on them; delete them with their claims; read again what was
understood in their light; have all that is derived forget them; drop every title, log entry and setting that nothing
that is left speaks of; keep a tombstone (a hash) against a second import; empty the WAL; look at the bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter

import apsw

from store.beliefs.entities import ME
from store.beliefs.settle import mark_episodes
from store.beliefs.tables import insert_claims, read_claims
from store.database import beside
from store.database.connections import Database
from store.database.rows import LISTED, column, each, rows, scalar
from store.episodes import cited
from store.episodes.append import episodes_where
from store.errors import Busy, NotFound, StoreError
from store.maintenance import copies, traces, upkeep
from store.maintenance.naming import Named
from store.reading.extract import Speakers, extractor, read
from store.records import Episode, Instant, Receipt
from store.sleep import listening
from store.sleep.reading import CONTEXT, context_of


@dataclass(frozen=True, slots=True)
class Selection:
    """The episodes that an erase is about to take, and what hangs on them."""

    episodes: tuple[str, ...]
    """By their ids: the row of one that is erased elsewhere, before this is agreed to, may be another turn's then."""
    claims: int
    facts: int
    """Beliefs, present and past, that rest on them; those that rest on other turns too will stay."""
    sessions: int


def select(connection: apsw.Connection, where: str, values: Sequence[object], *, one: bool = False) -> Selection:
    """The blast radius: which episodes (where, over e and s) would go, and what would go with them. Raises NotFound
    where `one` is wanted and there is none, or several."""
    found = column(connection, f"select e.row from episodes e join sessions s on s.id = e.session_id {where}", values)
    if one and len(found) != 1:
        what = "There is no turn of that name" if not found else f"{len(found)} turns have that name"
        raise NotFound(f"{what}; `erstwhile recall` shows the ids of turns.")
    return of_rows(connection, found)


_HANGS_ON = (
    f"select count(*) from claims where episode_row in {LISTED}",
    "select count(distinct fs.fact_id) from fact_sources fs join claims c on c.row = fs.claim_row "
    f"where c.episode_row in {LISTED}",
    f"select count(distinct session_id) from episodes where row in {LISTED}",
)
"""How many claims, facts and sessions hang on episodes."""


def of_rows(connection: apsw.Connection, chosen: Iterable[int]) -> Selection:
    """The blast radius of these episodes, with the turns by hand that only take up their words, and the replies that
    rest on them."""
    picked, before = set(chosen), set[int]()
    echoes = rows(connection, _ECHOES)
    while before != picked:
        before = set(picked)
        picked |= {row for row, words, of in echoes if _is_echo(connection, words, of, picked)}
        picked = cited.resting_on(connection, picked)
        picked |= cited.repeating(connection, picked) | cited.answering(connection, picked)
    listed = (json.dumps(sorted(picked)),)
    ids = column(connection, f"select id from episodes where row in {LISTED}", listed)
    return Selection(tuple(ids), *(int(scalar(connection, sql, listed)) for sql in _HANGS_ON))


def rows_of(connection: apsw.Connection, selection: Selection) -> list[int]:
    """The rows of those of its episodes that are there."""
    listed = json.dumps(selection.episodes)
    return column(connection, f"select row from episodes where id in {LISTED}", (listed,))


_ECHOES = """
select e.row, c.object, json_extract(o.detail, '$.of') from operations o
join episodes e on e.id = json_extract(o.detail, '$.episode') join claims c on c.id = json_extract(o.detail, '$.claim')
where o.phase = 'hand' and json_array_length(o.detail, '$.of') > 0
"""


def _is_echo(connection: apsw.Connection, words: str, of: str, picked: set[int]) -> bool:
    """Whether a retraction goes with what is picked, whose words it repeats: of the turns that it takes back (a JSON
    list of ids) some do, and none that stays holds the words."""
    taken_up = rows(connection, f"select row, text from episodes where id in {LISTED}", (of,))
    staying = [text for row, text in taken_up if row not in picked]
    return len(staying) < len(taken_up) and not any(words.casefold() in text.casefold() for text in staying)


def under(connection: apsw.Connection, fact_id: str) -> list[int]:
    """The rows of the episodes that a fact rests on."""
    of_claims = "select claim_row from fact_sources where fact_id = ?"
    return column(connection, f"select distinct episode_row from claims where row in ({of_claims})", (fact_id,))


def about(connection: apsw.Connection, named: Named, name: str) -> list[int]:
    """The rows of the episodes that claim anything about somebody or something, name it, or were said by it. Raises
    NotFound."""
    found: set[int] = set()
    if named.entity is not None:
        claimed = "select c.episode_row from claims c join claim_groups g on g.claim_row = c.row where g.subject = ?"
        found |= set(column(connection, claimed, (named.entity,)))
    if named.entity == ME:
        found |= set(column(connection, "select row from episodes where role = 'user' and speaker = 'me'"))
    said = each(connection, "select row, text, speaker from episodes")
    found |= {row for row, text, speaker in said if speaker.casefold() in named.names or named.by(text)}
    if not found:
        raise NotFound(f"Nothing here names {name!r}: try a word that stands in what was said.")
    return sorted(found)


def erase(database: Database, selection: Selection, person: frozenset[str], now: Instant) -> Receipt:
    """Delete episodes for good. One transaction, then the WAL is emptied and the file's bytes are looked at. Raises
    Busy where another reader keeps old pages alive, StoreError."""
    beside.drop(database.path)
    with database.writing() as connection:
        chosen = of_rows(connection, rows_of(connection, selection))
        listed = json.dumps(rows_of(connection, chosen))
        gone = list(episodes_where(connection, f"where e.row in {LISTED}", (listed,)))
        said = traces.said(connection, listed)
        made = copies.listed(connection)
        sessions = int(scalar(connection, "select count(*) from sessions"))
        traces.forget_openings(connection, listed)
        _delete(connection, gone, listed, person, now)
        for kind in upkeep.DERIVED:
            kind.forget(connection, [one.row for one in gone])
        ended = sessions - int(scalar(connection, "select count(*) from sessions"))
        words = traces.lost(connection, said)
        traces.forget(connection, words)
        traces.forget_log(connection, words)
    beside.drop(database.path)
    try:  # the turns are erased, whatever comes of this
        database.truncate_wal()
        traces.scour(database, words)
    except Busy:
        raise
    except StoreError as error:
        raise StoreError(
            f"The turns are erased, but bytes of them may stay until the memory is closed on a sound disk: {error}"
        ) from error
    return Receipt(len(gone), chosen.claims, chosen.facts, ended, copies.holding(database.path, made, gone))


def _delete(
    connection: apsw.Connection, gone: Sequence[Episode], listed: str, person: frozenset[str], now: Instant
) -> None:
    """Take the episodes and their claims out, and read again what stood in their light."""
    mark_episodes(connection, listed)
    again = in_their_light(connection, {one.row for one in gone})
    listening.forget_light(connection, listed)
    connection.execute(
        f"insert or ignore into tombstones select id, ? from episodes where row in {LISTED}", (now.us, listed)
    )
    connection.execute(f"delete from claims where episode_row in {LISTED}", (listed,))
    connection.execute(f"delete from episodes where row in {LISTED}", (listed,))
    connection.execute("delete from sessions where id not in (select session_id from episodes)")
    for row in again:
        _read_again(connection, row, Speakers(person), now)
    connection.execute("delete from withdrawals where claim_id not in (select id from claims)")


def in_their_light(connection: apsw.Connection, gone: set[int]) -> list[int]:
    """The episodes that were read with one of these among the turns before them."""
    return column(connection, _IN_THEIR_LIGHT, (json.dumps(sorted(gone)),))


_GONE = "row in (select value from json_each(?1))"
_IN_THEIR_LIGHT = f"""
select row from (
    select *, max({_GONE}) over (
        partition by session_id order by said_at, position, id rows between {CONTEXT} preceding and 1 preceding
    ) as lit from episodes where session_id in (select session_id from episodes where {_GONE})
) where lit and not {_GONE} order by session_id, said_at, position, id
"""


def _read_again(connection: apsw.Connection, row: int, speakers: Speakers, now: Instant) -> None:
    """Read a turn without what was before it. One that the reader of today has not read is left to the next sleep,
    without the claims that an older one made of it."""
    reader = scalar(connection, "select extractor from readings where episode_row = ?", (row,))
    if reader is None or reader == "by hand":
        return
    (episode,) = episodes_where(connection, "where e.row = ?", (row,))
    by_rules = "where c.episode_row = ? and c.extractor not like 'model/%'"
    before = [claim for _, claim in read_claims(connection, by_rules, (row,))]
    try:
        after = read(episode, context_of(connection, episode), speakers) if reader == extractor() else []
    except Exception:  # noqa: BLE001 # a fault in one rule must not keep words from being erased: sleep reads and logs it
        after, reader = [], None
    if reader != extractor():
        connection.execute("delete from readings where episode_row = ?", (row,))
    if sorted(before, key=attrgetter("id")) == sorted(after, key=attrgetter("id")):
        return
    mark_episodes(connection, json.dumps([row]))
    connection.execute("delete from claims where episode_row = ? and extractor not like 'model/%'", (row,))
    insert_claims(connection, after, now.us)


def shown(connection: apsw.Connection, selection: Selection, limit: int) -> list[Episode]:
    """The first `limit` turns of a selection, in the order of saying."""
    first = f"select row from episodes where id in {LISTED} order by said_at, row limit ?"
    found = episodes_where(connection, f"where e.row in ({first})", (json.dumps(selection.episodes), limit))
    return sorted(found, key=lambda one: (one.said_at.us, one.row))
