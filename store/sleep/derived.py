"""Whatever sleep makes of the memory can be dropped: these tables hold places, numbers and vectors, never a word.

What has to be placed or weighed anew is noted as it changes, by triggers in the same transaction as the change, so no
sleep looks through the whole memory, and nobody who writes can forget to say so.

forest_trees    one time-ordered tree for each scope: family "session" (scope: its number), "entity" (its key; the only
                text here, which goes with the tree), "scene" (a calendar month, "2026-03")
forest_nodes    its nodes. Level 0 are leaves: `item` is a turn's row or a fact's id, `episode_row` the turn that it
                rests on. (at, place, item) is the key of the first leaf below, by which a level is in order. `dirty`:
                its summary is older than what is below it. `spans`: the sentences that stand for it, as
                [turn, start, end, score]; `vector`: the middle of those below, int8 up to a factor
forest_gists    the best sentences of each placed turn, as [start, end, score]
forest_turns    turns to place, to read again, or to take out
forest_facts    facts likewise
salience        what each believed fact had come to when it was last said or used (store.beliefs.salience.Standing)
salience_waits  facts whose standing is to be found again
"""

from __future__ import annotations

import apsw

from store.database.rows import unmake

_TABLES = """
create table if not exists forest_trees (
    id integer primary key, family text not null, scope text not null, unique (family, scope)
) strict;
create table if not exists forest_nodes (
    id integer primary key, tree integer not null references forest_trees(id) on delete cascade,
    level integer not null, parent integer, at integer not null, place integer not null, item any not null,
    episode_row integer, leaves integer not null default 0, until integer not null default 0,
    dirty integer not null default 0, spans text not null default '[]', vector blob
) strict;
create unique index if not exists forest_order on forest_nodes(tree, level, at, place, item);
create index if not exists forest_children on forest_nodes(parent, at, place, item);
create index if not exists forest_placements on forest_nodes(item) where level = 0;
create index if not exists forest_dirty on forest_nodes(level, id) where dirty = 1;
create index if not exists forest_roots on forest_nodes(tree) where parent is null and level > 0;
create table if not exists forest_gists (episode_row integer primary key, spans text not null) strict;
create table if not exists forest_turns (episode_row integer primary key) strict;
create table if not exists forest_facts (fact_id text primary key) strict, without rowid;
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

create trigger if not exists forest_turn_came after insert on episodes begin
    insert or ignore into forest_turns values (new.row); end;
create trigger if not exists forest_turn_went after delete on episodes begin
    insert or ignore into forest_turns values (old.row); end;
create trigger if not exists forest_claim_came after insert on claims begin
    insert or ignore into forest_turns values (new.episode_row); end;
create trigger if not exists forest_claim_went after delete on claims begin
    insert or ignore into forest_turns values (old.episode_row); end;
create trigger if not exists forest_fact_came after insert on facts begin
    insert or ignore into forest_facts values (new.id); end;
create trigger if not exists forest_fact_went after delete on facts begin
    insert or ignore into forest_facts values (old.id); end;
create trigger if not exists forest_fact_closed after update of believed_to on facts begin
    insert or ignore into forest_facts values (new.id);
    insert or ignore into salience_waits values (new.id);
end;
create trigger if not exists salience_said after insert on fact_sources begin
    insert or ignore into salience_waits values (new.fact_id); end;
create trigger if not exists salience_unsaid after delete on fact_sources begin
    insert or ignore into salience_waits values (old.fact_id); end;
create trigger if not exists salience_used after insert on accesses when new.slot is not null begin
    insert or ignore into salience_waits select id from facts where slot = new.slot and believed_to is null; end;
"""


def create(connection: apsw.Connection) -> None:
    """Make what is not there. A file whose turns and facts were written before has them all waiting."""
    is_new = not connection.execute("select exists (select 1 from sqlite_schema where name = 'forest_nodes')").get
    connection.execute(_TABLES)
    if is_new:
        connection.execute("insert or ignore into forest_turns select row from episodes")
        connection.execute("insert or ignore into forest_facts select id from facts where believed_to is null")
        connection.execute("insert or ignore into salience_waits select id from facts where believed_to is null")


def drop(connection: apsw.Connection) -> None:
    """Drop it all; to be done before the facts, whose rows these rest on, are dropped."""
    unmake(connection, _TABLES)
