"""Who is who is settled before anything is folded, and only groups that something changed are folded.

The phases `settle` and `fold`.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

import apsw

from store.beliefs.refold import dirty_groups, refold
from store.beliefs.settle import forget_identities, identities, refile_unnamed, settle_identities, store_identity
from store.database.rows import scalar
from store.recall import stamps
from store.records import Progress
from store.sleep.phases import PhaseInput, in_a_slice


def settle(work: PhaseInput) -> Iterator[Progress]:
    """Find out who every mention is, where a turn or a name came since that was last done."""
    reader = work.database.reader()
    state = _identity_state(reader)
    if scalar(reader, "select value from settings where key = 'settled'") == state:
        return
    last = "select max(id) from operations"
    operation = scalar(reader, last)
    found = identities(reader, work.heed)  # without keeping anybody from writing
    changed = found.changed()
    done = 0
    while done < len(changed):
        work.heed()
        with work.writing() as connection:
            for mention in in_a_slice(changed[done:]):
                store_identity(connection, found, mention)
                done += 1
        yield Progress("settle", done, len(changed))
    with work.writing() as connection:
        forget_identities(connection, found.gone())
        if (_identity_state(connection), scalar(connection, last)) == (state, operation):
            refile_unnamed(connection)
        else:
            settle_identities(connection)  # somebody said something meanwhile
        connection.execute("insert or replace into settings values ('settled', ?)", (state,))
    yield Progress("settle", len(changed), len(changed))


def _identity_state(connection: apsw.Connection) -> str:
    """What identities rest on, as a hash: the newest turn, the claims that stand, and who is named as the person."""
    sources = ("select max(row) from episodes", "select value from settings where key = 'person'")
    parts = [str(scalar(connection, sql) or "") for sql in sources]
    parts.append(str(stamps.identities(connection)))  # rows that an undo took out come back with the same numbers
    return blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()


def fold(work: PhaseInput) -> Iterator[Progress]:
    """Fold the groups that are marked, in steps."""
    groups = dirty_groups(work.database.reader())
    done = 0
    while done < len(groups):
        work.heed()
        before = done
        with work.writing() as connection:
            for group in in_a_slice(groups[done:]):
                work.counts["facts"] += refold(connection, *group)
                done += 1
        work.counts["slots"] += done - before
        yield Progress("fold", done, len(groups))
