"""Folding on from what is stored comes to the same as folding everything anew, row for row."""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store.beliefs.hand import state_hash
from store.beliefs.pieces import ALSO
from store.beliefs.refold import dirty_groups, refold
from store.beliefs.settle import file_claims, mark_claim
from store.beliefs.tables import insert_claims
from store.database.connections import Database
from store.database.rows import each, rows
from store.maintenance.upkeep import create_derived
from store.records import Claim
from tests.properties.histories import MANY, SINGLE, histories

EXAMPLES = max(10, int(os.environ.get("ERSTWHILE_EXAMPLES", "150")) // 4)
_EPISODE = (
    "insert or ignore into episodes (id, session_id, position, speaker, role, text, said_at, said_offset, recorded_at, "
    "recorded_offset, source) values (?, (select id from sessions where key = ?), ?, 'me', 'user', 'I said it.', "
    "?, 0, ?, 0, 'test')"
)


def write(database: Database, claims: list[Claim]) -> None:
    """Put claims in and fold what they touch, in one transaction."""
    with database.writing() as connection:
        for claim in claims:
            us = claim.said_at.us
            connection.execute("insert or ignore into sessions (key, source) values (?, 'test')", (claim.session,))
            connection.execute(_EPISODE, (claim.episode, claim.session, claim.position, us, us))
        file_claims(connection, insert_claims(connection, claims, 0))
        for subject, family in dirty_groups(connection):
            refold(connection, subject, family)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(histories(16), st.sampled_from(SINGLE + MANY))
def test_moment_by_moment_is_the_same_as_all_at_once(claims: list[Claim], predicate: str) -> None:
    _folds_alike([replace(one, subject="me", predicate=predicate, qualifiers=_beside(one)) for one in claims])


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(histories(16), st.sampled_from(["drives", "camera", "uses"]))
def test_an_end_in_another_slot_reaches_it_whenever_it_is_folded(claims: list[Claim], predicate: str) -> None:
    _folds_alike([replace(one, subject="me", predicate="owns" if one.cue == "stop" else predicate) for one in claims])


def _folds_alike(claims: list[Claim]) -> None:
    """Moment by moment the claims come to the same as all at once."""
    claims.sort(key=lambda one: one.said_at.us)
    with tempfile.TemporaryDirectory() as folder:
        database = Database(Path(folder) / "m.db")
        with database.writing() as connection:
            create_derived(connection)
        for _, together in groupby(claims, key=lambda one: one.said_at.us):
            write(database, list(together))
        stored = _stored(database)
        with database.writing() as connection:
            for (row,) in rows(connection, "select claim_row from claim_groups"):
                mark_claim(connection, row)
            for subject, family in dirty_groups(connection):
                refold(connection, subject, family)
        assert _stored(database) == stored
        database.close()


def _beside(claim: Claim) -> tuple[tuple[str, str], ...]:
    """Some say that it holds besides another value."""
    return ((ALSO, "yes"),) if claim.position % 4 == 3 else ()


def _stored(database: Database) -> tuple[str, list[tuple[object, ...]], list[tuple[object, ...]]]:
    """The state, and with it what a fold that goes on reads of it."""
    connection = database.reader()
    facts = sorted(each(connection, "select id, standing, believed_to_offset from facts"))
    return state_hash(connection), facts, sorted(each(connection, "select slot, fact_id from waiting"))
