"""Every claim belongs to exactly one group, and a group whose claims or identities changed is marked before it is used.

Settling says which entity each mention is, files each claim under its group, and marks as dirty what has to be folded
anew; store.belief.refold then folds dirty groups only, one at a time, each in the caller's transaction.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import apsw

from store.belief.entities import APART, ARROW, ME, SAME, Heard, Identity, Said, names_of
from store.belief.entities import settle as settle_mentions
from store.belief.predicates import find
from store.belief.refold import dirty_groups, refold, refold_touched
from store.belief.values import value_key
from store.rows import each, first, scalar
from store.rows import rows as rows_of

UNNAMED = "~"
"""Begins a subject that was not named: "~door_code" is whoever had a door code, by the newest earlier claim."""


def file_claims(connection: apsw.Connection, rows: Sequence[int]) -> None:
    """File new claims under their groups, settle identities, and mark what they touch."""
    if not rows:
        return
    listed = ",".join(map(str, rows))
    new = rows_of(
        connection,
        "select c.row, c.subject, c.predicate, e.said_at from claims c join episodes e on e.row = c.episode_row "
        f"where c.row in ({listed})",
    )
    known = _aliases(connection)
    for row, mention, predicate, said_at in new:
        entity = known.get(mention, mention)
        connection.execute(
            "insert or replace into claim_groups values (?, ?, ?, ?, ?, 0)",
            (row, mention, entity, family_of(predicate), said_at),
        )
    _mark(connection, f"where claim_row in ({listed})", (), whole=False)
    names_people = any(_is_identity(predicate) or predicate in (SAME, APART) for _, _, predicate, _ in new)
    unknown = [mention for _, mention, _, _ in new if mention not in known]
    if names_people or unknown:
        settle_identities(connection)
    refile_unnamed(connection, {str(predicate) for _, _, predicate, _ in new})


def family_of(predicate: str) -> str:
    return find(predicate).slot_name


def _is_identity(predicate: str) -> bool:
    known = find(predicate)
    return known.name == "name" or "who" in known.asks


def _by_hand(connection: apsw.Connection) -> list[Said]:
    """What the person said by hand of who is who and was not taken back, in the order of saying."""
    return [
        Said(*row)
        for row in each(
            connection,
            "select c.subject, c.predicate, c.object from claims c join episodes e on e.row = c.episode_row "
            "where c.modality = 'identity' and c.id not in (select claim_id from withdrawals) "
            "order by e.said_at, e.position, c.id",
        )
    ]


def _aliases(connection: apsw.Connection) -> dict[str, str]:
    return {row[0]: row[1] for row in each(connection, "select mention, entity_id from aliases")}


def settle_identities(connection: apsw.Connection) -> None:
    """Recompute who every mention is; groups whose subject thereby became another are filed and marked anew."""
    claimed = {row[0] for row in each(connection, "select distinct mention from claim_groups")}
    if any(one.startswith(UNNAMED) for one in claimed):
        claimed.add(ME)  # what nobody else has is the person's, though nothing else was said of them
    said = list(_said(connection))
    mentions = sorted(names_of(said) | {one for one in claimed if not one.startswith(UNNAMED)})
    heard = Heard(
        said, _spellings(connection, mentions), _persons(connection), frozenset(_speakers(connection)),
        _by_hand(connection),
    )  # fmt: skip
    fresh = {
        mention: identity
        for mention, identity in settle_mentions(mentions, heard).items()
        if mention in claimed or ARROW not in mention or identity.entity != mention
    }  # a relation of several named ones, of which nothing else was said, is nobody
    before = _aliases(connection)
    connection.executemany("delete from aliases where mention = ?", [(one,) for one in before if one not in fresh])
    kinds = _kinds(said, connection)
    known = _stored(connection)
    for mention, identity in fresh.items():
        told = (identity.entity, identity.reason, identity.name, _kind(identity.entity, identity.name, kinds))
        if known.get(mention) != told:
            _store_identity(connection, mention, identity, told[-1])
        if before.get(mention, mention) != identity.entity:
            _mark(connection, "where mention = ?", (mention,))
            connection.execute("update claim_groups set subject = ? where mention = ?", (identity.entity, mention))
            _mark(connection, "where mention = ?", (mention,))


def _said(connection: apsw.Connection) -> Iterator[Said]:
    predicates = [row[0] for row in each(connection, "select distinct predicate from claims") if _is_identity(row[0])]
    for row in each(
        connection,
        "select distinct subject, predicate, object from claims where predicate in (select value from json_each(?)) "
        "and modality = 'fact' and negative = 0 and cue not in ('stop', 'retract') "
        "and id not in (select claim_id from withdrawals) order by 1, 2, 3",
        (json.dumps(predicates, ensure_ascii=False),),
    ):
        yield Said(*row)


def _speakers(connection: apsw.Connection) -> dict[str, str]:
    """Those who speak: mention -> name."""
    return {value_key(row[0]): row[0] for row in each(connection, "select distinct speaker from episodes order by 1")}


def _spellings(connection: apsw.Connection, mentions: Sequence[str]) -> dict[str, str]:
    """How each mention was first written: as a speaker's name, else in the words that it was quoted from, else (of
    whom "she" was said) in the same conversation."""
    spelt = _speakers(connection)
    for mention in mentions:
        if mention in spelt or mention == ME or ARROW in mention:
            continue
        row = first(
            connection,
            "select substr(e.text, instr(lower(e.text), ?), length(?)) from claims c "
            "join episodes e on e.row = c.episode_row where c.subject = ? and instr(lower(e.text), ?) > 0 "
            "order by e.said_at, c.row limit 1", (mention, mention, mention, mention),
        )  # fmt: skip
        row = row or first(
            connection,
            "select substr(o.text, instr(lower(o.text), ?), length(?)) from claims c "
            "join episodes e on e.row = c.episode_row join episodes o on o.session_id = e.session_id "
            "where c.subject = ? and o.said_at <= e.said_at and instr(lower(o.text), ?) > 0 "
            "order by o.said_at desc, o.row desc limit 1", (mention, mention, mention, mention),
        )  # fmt: skip
        if row is not None:
            spelt[mention] = row[0]
    return spelt


def _persons(connection: apsw.Connection) -> frozenset[str]:
    """Mentions that are the person: those named with --me, and a speaker who is the only one named with the role user
    (design, section 9)."""
    given = scalar(connection, "select value from settings where key = 'person'")
    names = {value_key(name) for name in json.loads(given or "[]")}
    named = {
        value_key(row[0])
        for row in each(connection, "select distinct speaker from episodes where role = 'user' and source <> 'command'")
    } - {"me", "user"}
    return frozenset(names | (named if len(named) == 1 else set()))


def _kinds(said: Sequence[Said], connection: apsw.Connection) -> dict[str, str]:
    """What each named one is, as far as somebody said: people by their relations or their own words, pets by theirs."""
    kinds = dict.fromkeys(_speakers(connection), "person")
    for one in said:
        predicate = find(one.predicate).name
        kinds[value_key(one.object)] = "pet" if predicate in ("pet", "dog", "cat") else "person"
    return kinds


def _kind(entity: str, name: str, kinds: dict[str, str]) -> str:
    relation = find(entity.rpartition(">")[2].replace(" ", "_"))
    if entity == "me" or "who" in relation.asks:
        return "pet" if relation.name in ("pet", "dog", "cat") else "person"
    return kinds.get(entity, "person" if name[:1].isupper() else "thing")


def _stored(connection: apsw.Connection) -> dict[str, tuple[str, str, str, str]]:
    """What is stored of each mention: entity, reason, name, kind."""
    found = (
        "select a.mention, a.entity_id, a.reason, n.name, n.kind from aliases a join entities n on n.id = a.entity_id"
    )
    return {row[0]: (row[1], row[2], row[3], row[4]) for row in each(connection, found)}


def _store_identity(connection: apsw.Connection, mention: str, identity: Identity, kind: str) -> None:
    connection.execute(
        "insert into entities (id, name, kind, reason) values (?, ?, ?, ?) "
        "on conflict (id) do update set name = excluded.name, kind = excluded.kind "
        "where name <> excluded.name or kind <> excluded.kind",
        (identity.entity, identity.name, kind, identity.reason),
    )
    connection.execute(
        "insert into aliases (mention, entity_id, reason) values (?, ?, ?) "
        "on conflict (mention) do update set entity_id = excluded.entity_id, reason = excluded.reason "
        "where entity_id <> excluded.entity_id or reason <> excluded.reason",
        (mention, identity.entity, identity.reason),
    )


def refile_unnamed(connection: apsw.Connection, predicates: set[str]) -> None:
    """Find whom "~door_code" means: the subject of the newest earlier claim with that predicate, else the person."""
    for predicate in sorted(predicates):
        unnamed = rows_of(
            connection,
            "select g.claim_row, g.subject, e.said_at, c.start from claim_groups g "
            "join claims c on c.row = g.claim_row join episodes e on e.row = c.episode_row "
            "where c.predicate = ? and substr(g.mention, 1, 1) = ?",
            (predicate, UNNAMED),
        )
        for claim_row, filed, said_at, start in unnamed:
            found = first(
                connection,
                "select g.subject from claim_groups g join claims c on c.row = g.claim_row "
                "join episodes e on e.row = c.episode_row where c.predicate = ? and substr(g.mention, 1, 1) <> ? "
                "and (e.said_at, c.start) < (?, ?) order by e.said_at desc, c.start desc, c.id limit 1",
                (predicate, UNNAMED, said_at, start),
            )
            subject = found[0] if found else "me"
            if subject != filed:
                _mark(connection, "where claim_row = ?", (claim_row,))
                connection.execute("update claim_groups set subject = ? where claim_row = ?", (subject, claim_row))
                _mark(connection, "where claim_row = ?", (claim_row,))


def _mark(connection: apsw.Connection, where: str, values: tuple[object, ...], *, whole: bool = True) -> None:
    connection.execute(
        f"insert into dirty select distinct subject, family, {int(whole)} from claim_groups {where} "
        "on conflict do update set whole = max(whole, excluded.whole)",
        values,
    )


def mark_claim(connection: apsw.Connection, claim_row: int) -> None:
    """Mark the group of one claim (which was withdrawn, say)."""
    _mark(connection, "where claim_row = ?", (claim_row,))


def mark_episodes(connection: apsw.Connection, listed: str) -> None:
    """Mark the groups of all claims of some episodes (a JSON list of rows), which are about to go."""
    _mark(
        connection,
        "where claim_row in (select row from claims where episode_row in (select value from json_each(?)))",
        (listed,),
    )


__all__ = [
    "dirty_groups", "family_of", "file_claims", "mark_claim", "mark_episodes", "refile_unnamed", "refold",
    "refold_touched", "settle_identities",
]  # fmt: skip
