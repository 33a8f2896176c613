"""Who is who is settled before anything is folded, and only groups that something changed are folded.

The phases `settle` and `fold`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from hashlib import blake2b

import apsw

from store.belief.settle import dirty_groups, refold, settle_identities
from store.records import Progress
from store.rows import scalar
from store.sleep.phases import Work

SLICE = 0.012
"""Seconds of folding after which a transaction ends: somebody may be waiting to write."""


def settle(work: Work) -> Iterator[Progress]:
    """Find out who every mention is, where a turn or a name came since that was last done."""
    state = _identity_state(work.database.reader())
    if scalar(work.database.reader(), "select value from settings where key = 'settled'") == state:
        return
    work.heed()
    with work.writing() as connection:
        settle_identities(connection)
        connection.execute("insert or replace into settings values ('settled', ?)", (state,))
    yield Progress("settle", 1, 1)


def _identity_state(connection: apsw.Connection) -> str:
    """What identities rest on, as a hash: the newest turn, the newest claim, and who is named as the person."""
    parts = [
        str(scalar(connection, sql) or "")
        for sql in (
            "select max(row) from episodes", "select max(row) from claims",
            "select value from settings where key = 'person'",
        )
    ]  # fmt: skip
    return blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()


def fold(work: Work) -> Iterator[Progress]:
    """Fold the groups that are marked, in steps."""
    groups = dirty_groups(work.database.reader())
    done = 0
    while done < len(groups):
        work.heed()
        before, ends = done, time.monotonic() + SLICE
        with work.writing() as connection:
            while done < len(groups) and time.monotonic() < ends:
                work.counts["facts"] += refold(connection, *groups[done])
                done += 1
        work.counts["slots"] += done - before
        yield Progress("fold", done, len(groups))
