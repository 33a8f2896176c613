"""What is derived here can be dropped at any time: facts and groups fold out of the claims again, row for row.

claim_groups   which slot group (subject entity, predicate family) each claim belongs to, under today's identities, and
               whether the facts of that group have taken it in
dirty          the groups whose facts are older than their claims; empty after a sleep. `whole`: more may have changed
               than that claims were added
facts          one row a rectangle of world time x belief time; `single`: its slot holds one value at a time
waiting        facts that closed with nothing in their place: the next fact of `slot`, which is not always their own, is
               to point at them
fact_sources   which claims each fact rests on, with when they were said
supersessions  which facts each fact replaced
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

import apsw

from store.database.rows import each, unmake
from store.records import Claim, Instant, Precision, Stretch

_TABLES = """
create table if not exists claim_groups (
    claim_row integer primary key references claims(row) on delete cascade,
    mention text not null, subject text not null, family text not null, said_at integer not null,
    folded integer not null
) strict;
create index if not exists claim_groups_by_group on claim_groups(subject, family, folded, said_at);
create index if not exists claim_groups_by_mention on claim_groups(mention);
create table if not exists dirty (
    subject text not null, family text not null, whole integer not null, primary key (subject, family)
) strict;
create table if not exists facts (
    id text primary key, slot text not null, subject text not null, family text not null, predicate text not null,
    object text not null, valid_from integer, valid_to integer, world_from integer not null, world_to integer not null,
    valid_from_after integer, valid_to_after integer, precision text not null, precision_to text not null,
    valid_offset integer not null, believed_from integer not null, believed_from_offset integer not null,
    believed_to integer, believed_to_offset integer, change text not null, ended text, disputed integer not null,
    negative integer not null, qualifiers text not null, because integer not null,
    standing integer not null, single integer not null
) strict;
create index if not exists facts_held on facts(subject, family) where believed_to is null;
create index if not exists facts_by_group on facts(subject, family, believed_from);
create index if not exists facts_by_predicate on facts(predicate);
create index if not exists facts_by_beginning on facts(world_from);
create index if not exists facts_in_order on facts(slot, world_from, believed_from, world_to, believed_to);
create index if not exists facts_by_belief on facts(believed_from);
create table if not exists fact_sources (
    fact_id text not null references facts(id) on delete cascade, claim_row integer not null, said_at integer not null,
    primary key (fact_id, claim_row)
) strict, without rowid;
create index if not exists fact_sources_by_claim on fact_sources(claim_row);
create table if not exists waiting (
    slot text not null, fact_id text not null references facts(id) on delete cascade, primary key (slot, fact_id)
) strict, without rowid;
create index if not exists waiting_by_fact on waiting(fact_id);
create table if not exists supersessions (
    new_id text not null references facts(id) on delete cascade, place integer not null, old_id text not null,
    primary key (new_id, place)
) strict, without rowid;
create index if not exists supersessions_by_old on supersessions(old_id);
"""

_INSERT_CLAIM = """
insert or ignore into claims (
    id, episode_row, start, end, subject, predicate, object, valid_from, valid_to, precision, valid_offset, holds_now,
    cue, replaces, functional, negative, asserted_by, standing, modality, confidence, extractor, qualifiers, recorded_at
) values (?, (select row from episodes where id = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""

CLAIM_COLUMNS = """
c.row, c.id, e.id, c.start, c.end, c.subject, c.predicate, c.object, c.valid_from, c.valid_to, c.precision,
c.valid_offset, c.holds_now, e.said_at, e.said_offset, s.key, e.position, c.cue, c.replaces, c.functional, c.negative,
c.asserted_by, c.standing, c.modality, c.confidence, c.extractor, c.qualifiers
"""
CLAIM_JOIN = "claims c join episodes e on e.row = c.episode_row join sessions s on s.id = e.session_id"


def create(connection: apsw.Connection) -> None:
    connection.execute(_TABLES)


def drop(connection: apsw.Connection) -> None:
    unmake(connection, _TABLES)


def insert_claims(connection: apsw.Connection, claims: Iterable[Claim], recorded_at: int) -> list[int]:
    """Add claims to the log; those that are there already are passed over. Gives the rows of the new ones."""
    rows: list[int] = []
    for claim in claims:
        valid = claim.valid
        connection.execute(
            _INSERT_CLAIM,
            (
                claim.id, claim.episode, claim.start, claim.end, claim.subject, claim.predicate, claim.object,
                valid.start, valid.end, valid.precision.value, valid.offset, int(claim.holds_now), claim.cue,
                claim.replaces, int(claim.functional), int(claim.negative), claim.asserted_by, claim.standing,
                claim.modality, claim.confidence, claim.extractor, json.dumps(claim.qualifiers, ensure_ascii=False),
                recorded_at,
            ),
        )  # fmt: skip
        if connection.changes():
            rows.append(connection.last_insert_rowid())
    return rows


def read_claims(connection: apsw.Connection, where: str, values: Sequence[object]) -> Iterator[tuple[int, Claim]]:
    """(row, claim) for every claim that `where` (over c, e, s) lets through."""
    for (
        number, key, episode, start, end, subject, predicate, value, valid_from, valid_to, precision, valid_offset,
        holds_now, said_at, said_offset, session, position, cue, replaces, functional, negative, asserted_by, standing,
        modality, confidence, extractor, qualifiers,
    ) in each(connection, f"select {CLAIM_COLUMNS} from {CLAIM_JOIN} {where}", values):  # fmt: skip
        valid = Stretch(valid_from, valid_to, Precision(precision), valid_offset)
        yield number, Claim(
            key, episode, start, end, subject, predicate, value, valid, bool(holds_now), Instant(said_at, said_offset),
            session, position, cue, replaces, bool(functional), bool(negative), asserted_by, standing, modality,
            confidence, extractor, tuple((name, text) for name, text in json.loads(qualifiers)),
        )  # fmt: skip
