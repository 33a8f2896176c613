"""A turn is read once by each version of the reader, and what cannot be read stays pending.

The phase `extract` reads turns that this version has not covered, session by session in the order of saying; the claims
of a turn and the mark that it was read are one transaction. Of a turn that an older version read, its claims give way
to the new ones in that transaction; what was said by hand, and what a model read, stays.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress

import apsw

from store.beliefs.refold import dirty_groups, refold_touched
from store.beliefs.settle import file_claims, mark_claim
from store.beliefs.tables import insert_claims
from store.database.rows import LISTED, column, rows, scalar
from store.database.runs import log
from store.episodes.append import episodes_where
from store.reading.extract import Speakers, extractor, read, read_ahead
from store.records import Claim, Episode, Progress
from store.sleep.phases import PhaseInput

CONTEXT = 12
"""Turns before one that its reading may look at."""
AHEAD = 8
"""Turns that are read and written together: they take less time than a keystroke may wait."""


Heard = tuple[Episode, list[Episode], list[Claim]]
"""(a turn, the turns in whose light it was read, what it claims)"""


def phase(work: PhaseInput) -> Iterator[Progress]:
    """Read what waits, a few turns in one transaction."""
    reader = work.database.reader()
    if outdated(reader):
        with work.writing() as connection:
            connection.execute(f"insert or ignore into unread select episode_row {_OLDER}", (extractor(),))
    waiting = column(
        reader,
        "select u.episode_row from unread u join episodes e on e.row = u.episode_row "
        "order by e.session_id, e.said_at, e.position, e.id",
    )
    for start in range(0, len(waiting), AHEAD):
        work.heed()
        turns = list(_with_context(work.database.reader(), waiting[start : start + AHEAD]))
        with suppress(Exception):  # whatever is wrong with one of them is said when it is read
            read_ahead(turns)
        heard = []
        for episode, before in turns:
            work.heed()
            claims = _read(work, episode, before)
            if claims is not None:
                heard.append((episode, before, claims))
        with work.writing() as connection:
            _write(connection, work, heard)
        yield Progress("extract", min(start + AHEAD, len(waiting)), len(waiting))


UNDONE = (
    "(select json_extract(detail, '$.run') from operations where kind = 'undo' "
    "and json_extract(detail, '$.run') is not null)"
)
"""The sleeps that were taken back."""
_UNDONE = f"(select episode_row from run_readings where run in {UNDONE})"
"""Their turns: nobody reads them again unasked."""
_OLDER = f"from readings where extractor not in (?, 'by hand') and episode_row not in {_UNDONE}"


def outdated(connection: apsw.Connection) -> bool:
    """Whether some turn was read by another version of the reader than this one."""
    return bool(scalar(connection, f"select exists (select 1 {_OLDER})", (extractor(),)))


def wait_again(connection: apsw.Connection, speakers: frozenset[str]) -> int:
    """Have all that was read in conversations with these speakers (in lower case) wait to be read again: it is another
    who says "I" there. Gives how many turns those are."""
    they = [one for one in column(connection, "select distinct speaker from episodes") if one.casefold() in speakers]
    of_theirs = f"select session_id from episodes where speaker in {LISTED}"
    theirs = f"(select row from episodes where session_id in ({of_theirs}))"
    connection.execute(
        f"update readings set extractor = '' where extractor <> 'by hand' and episode_row in {theirs} "
        f"and episode_row not in {_UNDONE}", (json.dumps(they),),
    )  # fmt: skip
    connection.execute("insert or ignore into unread select episode_row from readings where extractor = ''")
    return connection.changes()


def _read(work: PhaseInput, episode: Episode, before: list[Episode]) -> list[Claim] | None:
    """What an episode claims; None, recorded, where reading fails on it."""
    try:
        return read(episode, before, Speakers(work.person))
    except Exception as error:  # noqa: BLE001 # a fault in one rule must not keep all other turns from being read
        detail = {"episode": episode.id, "error": type(error).__name__}
        with work.writing() as connection:
            log(connection, work.run, "extract", "failed", work.clock.now(), "EXTRACT_FAILED", detail)
        return None


def are_there(connection: apsw.Connection, turns: Sequence[Episode]) -> bool:
    """Whether none of the turns was erased since they were read, by another process or thread. What was understood
    because of one that is gone may hold its words; and its row may be another turn's by now."""
    listed = json.dumps([turn.id for turn in turns])
    found = scalar(connection, f"select count(*) from episodes where id in {LISTED}", (listed,))
    return bool(found == len(turns))


def believe(connection: apsw.Connection, claims: Sequence[Claim], at: int) -> list[int]:
    """File claims and fold what they touch at once; gives their rows."""
    waiting = set(dirty_groups(connection))
    added = insert_claims(connection, claims, at)
    file_claims(connection, added)
    refold_touched(connection, added, waiting)
    return added


def is_read(connection: apsw.Connection, episode: Episode) -> bool:
    """Whether anybody read the turn."""
    return bool(scalar(connection, "select 1 from readings where episode_row = ?", (episode.row,)))


def _write(connection: apsw.Connection, work: PhaseInput, heard: Sequence[Heard]) -> None:
    now, reader = work.clock.now().us, extractor()
    claims_of = {turn.row: claims for turn, before, claims in heard if are_there(connection, [turn, *before])}
    listed = json.dumps(list(claims_of))
    readings = f"select episode_row, extractor from readings where episode_row in {LISTED}"
    read_by: dict[int, str] = dict(rows(connection, readings, (listed,)))
    new = [row for row in claims_of if read_by.get(row) not in (reader, "by hand")]
    again = [row for row in new if row in read_by]
    waiting = set(dirty_groups(connection) if again else ())
    old = f"from claims where episode_row in {LISTED} and (extractor like 'rules/%' or extractor like 'reader/%')"
    for row in column(connection, f"select row {old}", (json.dumps(again),)):
        mark_claim(connection, row)
    connection.execute(f"delete {old}", (json.dumps(again),))
    added = insert_claims(connection, [claim for row in new for claim in claims_of[row]], now)
    file_claims(connection, added, settle=bool(again))
    if again:  # the facts that rested on the old claims must not outlive them
        refold_touched(connection, added, waiting)
    connection.executemany("insert or replace into readings values (?, ?, ?)", [(row, reader, now) for row in new])
    connection.execute(f"delete from unread where episode_row in {LISTED}", (listed,))
    connection.executemany("insert or replace into run_readings values (?, ?)", [(row, work.run) for row in new])
    work.counts["episodes"] += len(new)
    work.counts["claims"] += len(added)


def context_of(connection: apsw.Connection, episode: Episode) -> list[Episode]:
    """The turns of its session before an episode, oldest first, as many as a reading may look at."""
    found = episodes_where(
        connection,
        "where e.row in (select p.row from episodes p where p.session_id = (select session_id from episodes "
        "where row = ?1) and (p.said_at, p.position, p.id) < (?2, ?3, ?4) "
        "order by p.said_at desc, p.position desc, p.id desc limit ?5)",
        (episode.row, episode.said_at.us, episode.position, episode.id, CONTEXT),
    )
    return list(found)


def _with_context(connection: apsw.Connection, turns: Sequence[int]) -> Iterator[tuple[Episode, list[Episode]]]:
    """Episodes to read, with the turns before each; whole runs of a session in the order of saying."""
    before: list[Episode] = []
    for episode in list(episodes_where(connection, f"where e.row in {LISTED}", (json.dumps(turns),))):
        follows = bool(before) and before[-1].session == episode.session and before[-1].position + 1 == episode.position
        before = before if follows else context_of(connection, episode)
        yield episode, before[-CONTEXT:]
        before = [*before[-CONTEXT:], episode]
