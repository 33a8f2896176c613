"""A turn is read once: better rules change no belief behind anybody's back, and what cannot be read stays pending.

The phase `extract`: the rules read turns that no reading has covered, session by session in the order of saying; the
claims of a turn and the mark that it was read are one transaction.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import apsw

from store.belief.extract import EXTRACTOR, Speakers, read
from store.belief.settle import file_claims
from store.belief.tables import insert_claims
from store.records import Claim, Episode, Progress
from store.rows import rows, scalar
from store.sleep.phases import Stopped, Work
from store.sleep.runs import log
from store.writing.append import episodes_where

CONTEXT = 12
"""Turns before one that its reading may look at."""
STEP = 100
"""Turns that are fetched at a time."""
SLICE = 0.1
"""Seconds of reading after which what was read is written."""

Heard = tuple[Episode, list[Claim]]


def pending(connection: apsw.Connection) -> int:
    """How many episodes no sleep has read yet."""
    return int(scalar(connection, "select count(*) from unread"))


def phase(work: Work) -> Iterator[Progress]:
    """Read what waits, in steps."""
    waiting = rows(
        work.database.reader(),
        "select u.episode_row from unread u join episodes e on e.row = u.episode_row "
        "order by e.session_id, e.said_at, e.position, e.id",
    )
    total = len(waiting)
    for start in range(0, total, STEP):
        listed = ",".join(str(row[0]) for row in waiting[start : start + STEP])
        done = start
        for heard in _slices(work, _with_context(work.database.reader(), listed)):
            with work.writing() as connection:
                _write(connection, work, heard)
            done += len(heard)
            yield Progress("extract", done, total)


def _slices(work: Work, waiting: Iterator[tuple[Episode, list[Episode]]]) -> Iterator[list[Heard]]:
    """What each turn claims, as much at a time as a slice takes; where the sleep is stopped, what was read is given
    first."""
    heard: list[Heard] = []
    ends = time.monotonic() + SLICE
    for episode, before in waiting:
        try:
            work.heed()
        except Stopped:
            if heard:
                yield heard
            raise
        claims = _read(work, episode, before)
        if claims is not None:
            heard.append((episode, claims))
        if time.monotonic() > ends and heard:
            yield heard
            heard, ends = [], time.monotonic() + SLICE
    if heard:
        yield heard


def _read(work: Work, episode: Episode, before: list[Episode]) -> list[Claim] | None:
    """What an episode claims; None, recorded, where the rules fail on it."""
    try:
        return read(episode, before, Speakers(work.person))
    except Exception as error:  # noqa: BLE001 # a fault in one rule must not keep all other turns from being read
        detail = {"episode": episode.id, "error": type(error).__name__}
        with work.writing() as connection:
            log(connection, work.run, "extract", "failed", work.clock.now(), "EXTRACT_FAILED", detail)
        return None


def _write(connection: apsw.Connection, work: Work, heard: Sequence[Heard]) -> None:
    now = work.clock.now().us
    new = [
        one for one in heard if not scalar(connection, "select 1 from readings where episode_row = ?", (one[0].row,))
    ]
    added = insert_claims(connection, [claim for _, claims in new for claim in claims], now)
    file_claims(connection, added, settle=False)
    connection.executemany(
        "insert or replace into readings values (?, ?, ?)", [(episode.row, EXTRACTOR, now) for episode, _ in new]
    )
    connection.executemany(
        "insert or replace into run_readings values (?, ?)", [(episode.row, work.run) for episode, _ in new]
    )
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


def _with_context(connection: apsw.Connection, listed: str) -> Iterator[tuple[Episode, list[Episode]]]:
    """Episodes to read, with the turns before each; whole runs of a session in the order of saying."""
    before: list[Episode] = []
    for episode in list(episodes_where(connection, f"where e.row in ({listed})")):
        follows = bool(before) and before[-1].session == episode.session and before[-1].position + 1 == episode.position
        before = before if follows else context_of(connection, episode)
        yield episode, before[-CONTEXT:]
        before = [*before[-CONTEXT:], episode]
