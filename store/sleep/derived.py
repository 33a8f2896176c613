"""Whatever sleep makes of the memory can be dropped: these tables hold places and numbers, never a word.

What has to be found or weighed anew is noted as it changes, by triggers in the same transaction as the change, so no
sleep looks through the whole memory, and nobody who writes can forget to say so.

gists           the best sentences of each turn, as [start, end, score]
gist_waits      turns whose sentences are to be found, or found again
salience        what each believed fact had come to when it was last said or used (store.beliefs.salience.Standing)
salience_waits  facts whose standing is to be found again
"""

from __future__ import annotations

import apsw

from store.database.rows import unmake

_TABLES = """
create table if not exists gists (
    episode_row integer primary key references episodes(row) on delete cascade, spans text not null
) strict;
create table if not exists gist_waits (
    episode_row integer primary key references episodes(row) on delete cascade
) strict;
create table if not exists salience (
    fact_id text primary key references facts(id) on delete cascade, slot text not null, importance real not null,
    touched integer not null, tier text not null, stale_days real not null
) strict, without rowid;
create index if not exists salience_by_touch on salience(touched);
create index if not exists salience_by_tier on salience(tier, importance) where tier <> 'draft';
create table if not exists salience_waits (fact_id text primary key) strict, without rowid;
create index if not exists accesses_by_slot on accesses(slot, at);
create index if not exists facts_disputed on facts(slot) where disputed = 1 and believed_to is null;
create index if not exists facts_by_slot_held on facts(slot) where believed_to is null;
create index if not exists facts_because on facts(because);
create index if not exists claims_by_predicate on claims(predicate);
create index if not exists episodes_of_users on episodes(speaker) where role = 'user' and source <> 'command';

create trigger if not exists gist_turn_came after insert on episodes begin
    insert or ignore into gist_waits values (new.row); end;
create trigger if not exists gist_claim_came after insert on claims begin
    insert or ignore into gist_waits values (new.episode_row); end;
create trigger if not exists gist_claim_went after delete on claims begin
    insert or ignore into gist_waits select row from episodes where row = old.episode_row; end;
create trigger if not exists salience_closed after update of believed_to on facts begin
    insert or ignore into salience_waits values (new.id); end;
create trigger if not exists salience_said after insert on fact_sources begin
    insert or ignore into salience_waits values (new.fact_id); end;
create trigger if not exists salience_unsaid after delete on fact_sources begin
    insert or ignore into salience_waits values (old.fact_id); end;
create trigger if not exists salience_used after insert on accesses when new.slot is not null begin
    insert or ignore into salience_waits select id from facts where slot = new.slot and believed_to is null; end;
"""


def create(connection: apsw.Connection) -> None:
    """Make what is not there. A file whose turns and facts were written before has them all waiting."""
    is_new = not connection.execute("select exists (select 1 from sqlite_schema where name = 'gists')").get
    connection.execute(_TABLES)
    if is_new:
        connection.execute("insert or ignore into gist_waits select row from episodes")
        connection.execute("insert or ignore into salience_waits select id from facts where believed_to is null")


def drop(connection: apsw.Connection) -> None:
    """Drop it all; to be done before the facts, whose rows these rest on, are dropped."""
    unmake(connection, _TABLES)
