"""A sleep is many small transactions, each whole: whatever stops it, what was done is done and the rest waits.

Phases, each with progress: `extract` reads episodes that no reading has covered and files their claims; `settle` finds
out who is who; `fold` folds the groups that are marked. An episode that cannot be read stays pending and is recorded.
"""

from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Generator, Iterator, Mapping, Sequence
from threading import Event

import apsw

from store.belief.extract import EXTRACTOR, Speakers, read
from store.belief.settle import dirty_groups, file_claims, refold, settle_identities
from store.belief.tables import insert_claims
from store.database import Database
from store.errors import Busy
from store.protocols import Clock
from store.records import Claim, Episode, Instant, Progress, SleepReport
from store.rows import each, first, scalar
from store.writing.append import episodes_where

CONTEXT = 12
"""Turns before one that its reading may look at."""
STEP = 100
"""Episodes or groups in one transaction: a few milliseconds to some tens."""

_PENDING = "e.row not in (select episode_row from readings)"
"""A turn is read once: better rules change no belief behind anybody's back."""


def pending(connection: apsw.Connection) -> int:
    """How many episodes no sleep has read yet."""
    return int(scalar(connection, f"select count(*) from episodes e where {_PENDING}"))


class Stopped(Exception):
    """Somebody asked the sleep to stop, or its budget is spent; raised and caught in this module only."""


class Sleep:
    """One run. `stop` is looked at between any two episodes; `budget` is in seconds of this process's own clock."""

    def __init__(
        self, database: Database, clock: Clock, person: frozenset[str], stop: Event | None, budget: float | None
    ) -> None:
        self._database, self._clock, self._stop = database, clock, stop
        self._speakers = Speakers(person)
        self._deadline = None if budget is None else time.monotonic() + budget
        self._holder = uuid.uuid4().hex
        self._unreadable: set[int] = set()
        """Rows of episodes that this run could not read: they stay pending, for a run with better rules."""
        self.counts = {"episodes": 0, "claims": 0, "slots": 0, "facts": 0}

    def run(self) -> Generator[Progress, None, SleepReport]:
        """Yield progress, return the report. Raises Busy when another live process sleeps on this file."""
        self._take_lease()
        finished = True
        try:
            yield from self._extract()
            yield from self._settle()
            yield from self._fold()
        except Stopped:
            finished = False
        finally:
            self._release()
        run = self._record(finished)
        self._database.fold_wal()
        return SleepReport(run=run, finished=finished, **self.counts)

    def _heed(self) -> None:
        if self._stop is not None and self._stop.is_set():
            raise Stopped
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise Stopped

    def _extract(self) -> Iterator[Progress]:
        total, done = pending(self._database.reader()), 0
        while done < total:
            batch = _next_batch(self._database.reader(), self._unreadable)
            if not batch:
                return
            read_now = self._read_batch(batch)
            done += read_now
            yield Progress("extract", done, total)

    def _read_batch(self, batch: Sequence[tuple[Episode, list[Episode]]]) -> int:
        """Read episodes and write what they claim; claims and the mark that they were read are one transaction."""
        read_so_far: list[tuple[Episode, list[Claim]]] = []
        stopped = False
        for episode, before in batch:
            try:
                self._heed()
            except Stopped:
                stopped = True
                break
            claims = self._read(episode, before)
            if claims is not None:
                read_so_far.append((episode, claims))
        with self._database.writing() as connection:
            self._write(connection, read_so_far)
        if stopped:
            raise Stopped
        return len(batch)

    def _read(self, episode: Episode, before: list[Episode]) -> list[Claim] | None:
        """What an episode claims; None, recorded, where the rules fail on it."""
        try:
            return read(episode, before, self._speakers)
        except Exception as error:  # noqa: BLE001 # a fault in one rule must not keep all other turns from being read
            detail = {"episode": episode.id, "error": f"{type(error).__name__}: {error}"}
            with self._database.writing() as connection:
                log(connection, None, "extract", "failed", self._clock.now(), "EXTRACT_FAILED", detail)
            self._unreadable.add(episode.row)
            return None

    def _write(self, connection: apsw.Connection, batch: list[tuple[Episode, list[Claim]]]) -> None:
        now = self._clock.now().us
        claims = [claim for _, found in batch for claim in found]
        rows = insert_claims(connection, claims, now)
        file_claims(connection, rows)
        connection.executemany(
            "insert or replace into readings values (?, ?, ?)", [(episode.row, EXTRACTOR, now) for episode, _ in batch]
        )
        self.counts["episodes"] += len(batch)
        self.counts["claims"] += len(rows)

    def _settle(self) -> Iterator[Progress]:
        self._heed()
        with self._database.writing() as connection:
            settle_identities(connection)
        yield Progress("settle", 1, 1)

    def _fold(self) -> Iterator[Progress]:
        groups = dirty_groups(self._database.reader())
        for start in range(0, len(groups), STEP):
            self._heed()
            some = groups[start : start + STEP]
            with self._database.writing() as connection:
                self.counts["facts"] += sum(refold(connection, subject, family) for subject, family in some)
            self.counts["slots"] += len(some)
            yield Progress("fold", start + len(some), len(groups))

    def _take_lease(self) -> None:
        with self._database.writing() as connection:
            held = first(connection, "select holder, pid from lease")
            if held is not None and _is_alive(held[1]) and held[1] != os.getpid():
                raise Busy("Another process is sleeping on this memory; wait for it, or stop it first.")
            connection.execute(
                "insert or replace into lease values (1, ?, ?, ?)", (self._holder, os.getpid(), self._clock.now().us)
            )

    def _release(self) -> None:
        with self._database.writing() as connection:
            connection.execute("delete from lease where holder = ?", (self._holder,))

    def _record(self, finished: bool) -> int:
        with self._database.writing() as connection:
            run = int(scalar(connection, "select coalesce(max(run), 0) + 1 from operations"))
            reason = "FINISHED" if finished else "STOPPED"
            log(connection, run, "sleep", "run", self._clock.now(), reason, dict(self.counts))
        return run


def log(
    connection: apsw.Connection,
    run: int | None,
    phase: str,
    kind: str,
    at: Instant,
    reason: str,
    detail: Mapping[str, object],
) -> int:
    """Add a row to the operations log; gives its id."""
    connection.execute(
        "insert into operations (run, phase, kind, at, at_offset, reason, detail) values (?, ?, ?, ?, ?, ?, ?)",
        (run, phase, kind, at.us, at.offset, reason, json.dumps(detail, ensure_ascii=False)),
    )
    return connection.last_insert_rowid()


def context_of(connection: apsw.Connection, episode: Episode) -> list[Episode]:
    """The turns of its session before an episode, oldest first, as many as a reading may look at."""
    rows = episodes_where(
        connection,
        "where e.row in (select p.row from episodes p where p.session_id = (select session_id from episodes "
        "where row = ?1) and (p.said_at, p.position, p.id) < (?2, ?3, ?4) "
        "order by p.said_at desc, p.position desc, p.id desc limit ?5)",
        (episode.row, episode.said_at.us, episode.position, episode.id, CONTEXT),
    )
    return list(rows)


def _next_batch(connection: apsw.Connection, but: set[int]) -> list[tuple[Episode, list[Episode]]]:
    """Up to STEP episodes to read with the turns before each; whole runs of a session, in the order of saying."""
    passed_over = ",".join(map(str, but))
    waiting = (
        f"select e.row from episodes e where {_PENDING} and e.row not in ({passed_over}) "
        "order by e.session_id, e.said_at, e.position limit ?"
    )
    rows = [row[0] for row in each(connection, waiting, (STEP,))]
    listed = ",".join(map(str, rows))
    batch: list[tuple[Episode, list[Episode]]] = []
    before: list[Episode] = []
    for episode in episodes_where(connection, f"where e.row in ({listed})"):
        follows = bool(before) and before[-1].session == episode.session and _is_next(before[-1], episode)
        before = before if follows else context_of(connection, episode)
        batch.append((episode, before[-CONTEXT:]))
        before = [*before[-CONTEXT:], episode]
    return batch


def _is_next(one: Episode, other: Episode) -> bool:
    return other.position == one.position + 1


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
