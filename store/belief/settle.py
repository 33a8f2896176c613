"""Every claim belongs to exactly one group, and a group whose claims or identities changed is marked before it is used.

Settling says which entity each mention is, files each claim under its group, and marks as dirty what has to be folded
anew. `refold` folds dirty groups only, one at a time, each in the caller's transaction.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import apsw

from store.belief.entities import Identity, Said
from store.belief.entities import settle as settle_mentions
from store.belief.fold import fold
from store.belief.predicates import find
from store.belief.rectangles import ALWAYS, FOREVER, Rectangle
from store.belief.tables import read_claims
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
    new = rows_of(connection, f"select row, subject, predicate from claims where row in ({listed})")
    known = _aliases(connection)
    for row, mention, predicate in new:
        entity = known.get(mention, mention)
        connection.execute(
            "insert or replace into claim_groups values (?, ?, ?, ?)", (row, mention, entity, family_of(predicate))
        )
    _mark(connection, f"where claim_row in ({listed})", ())
    names_people = any(_is_identity(predicate) for _, _, predicate in new)
    unknown = [mention for _, mention, _ in new if mention not in known]
    if names_people or unknown:
        settle_identities(connection)
    refile_unnamed(connection, {str(predicate) for _, _, predicate in new})


def family_of(predicate: str) -> str:
    return find(predicate).slot_name


def _is_identity(predicate: str) -> bool:
    known = find(predicate)
    return known.name == "name" or "who" in known.asks


def _aliases(connection: apsw.Connection) -> dict[str, str]:
    return {row[0]: row[1] for row in each(connection, "select mention, entity_id from aliases")}


def settle_identities(connection: apsw.Connection) -> None:
    """Recompute who every mention is; groups whose subject thereby became another are filed and marked anew."""
    mentions = [row[0] for row in each(connection, "select distinct mention from claim_groups")]
    named = [m for m in mentions if not m.startswith(UNNAMED)]
    said = list(_said(connection))
    fresh = settle_mentions(named, said, _spellings(connection, named), _persons(connection))
    kinds = _kinds(said, connection)
    by_hand = {row[0] for row in each(connection, "select mention from aliases where operation_id is not null")}
    before = _aliases(connection)
    for mention, identity in fresh.items():
        if mention in by_hand:
            continue
        _store_identity(connection, mention, identity, kinds)
        if before.get(mention, mention) != identity.entity:
            _mark(connection, "where mention = ?", (mention,))
            connection.execute("update claim_groups set subject = ? where mention = ?", (identity.entity, mention))
            _mark(connection, "where mention = ?", (mention,))


def _said(connection: apsw.Connection) -> Iterator[Said]:
    for subject, predicate, value in each(
        connection,
        "select distinct subject, predicate, object from claims where modality = 'fact' and negative = 0 "
        "and cue not in ('stop', 'retract') and row not in (select c.row from withdrawals w join claims c "
        "on c.id = w.claim_id) order by 1, 2, 3",
    ):
        if _is_identity(predicate):
            yield Said(subject, predicate, value)


def _spellings(connection: apsw.Connection, mentions: Sequence[str]) -> dict[str, str]:
    """How each mention was first written: as a speaker's name, else in the words that it was quoted from."""
    spelt = {
        value_key(name): name for (name,) in connection.execute("select distinct speaker from episodes order by 1")
    }
    for mention in mentions:
        if mention in spelt or ">" in mention:
            continue
        row = first(
            connection,
            "select substr(e.text, instr(lower(e.text), ?), length(?)) from claims c "
            "join episodes e on e.row = c.episode_row where c.subject = ? and instr(lower(e.text), ?) > 0 "
            "order by e.said_at, c.row limit 1", (mention, mention, mention, mention),
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
    kinds = {value_key(row[0]): "person" for row in each(connection, "select distinct speaker from episodes")}
    for one in said:
        predicate = find(one.predicate).name
        kinds[value_key(one.object)] = "pet" if predicate in ("pet", "dog", "cat") else "person"
    return kinds


def _kind(entity: str, name: str, kinds: dict[str, str]) -> str:
    relation = find(entity.rpartition(">")[2].replace(" ", "_"))
    if entity == "me" or "who" in relation.asks:
        return "pet" if relation.name in ("pet", "dog", "cat") else "person"
    return kinds.get(entity, "person" if name[:1].isupper() else "thing")


def _store_identity(connection: apsw.Connection, mention: str, identity: Identity, kinds: dict[str, str]) -> None:
    kind = _kind(identity.entity, identity.name, kinds)
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


def _mark(connection: apsw.Connection, where: str, values: tuple[object, ...]) -> None:
    connection.execute(f"insert or ignore into dirty select subject, family from claim_groups {where}", values)


def mark_claim(connection: apsw.Connection, claim_row: int) -> None:
    """Mark the group of one claim (which was withdrawn, say)."""
    _mark(connection, "where claim_row = ?", (claim_row,))


def dirty_groups(connection: apsw.Connection) -> list[tuple[str, str]]:
    return [(row[0], row[1]) for row in each(connection, "select subject, family from dirty order by 1, 2")]


def refold_touched(connection: apsw.Connection, claim_rows: Sequence[int], waiting: set[tuple[str, str]]) -> None:
    """Fold the groups of these claims, and those that were marked since `waiting` was read; the rest waits for a
    sleep."""
    groups = set(dirty_groups(connection)) - waiting
    for row in claim_rows:
        found = first(connection, "select subject, family from claim_groups where claim_row = ?", (row,))
        groups |= {(found[0], found[1])} if found else set()
    for subject, family in sorted(groups):
        refold(connection, subject, family)


def refold(connection: apsw.Connection, subject: str, family: str) -> int:
    """Replace the facts of one group by what its claims fold to now. Gives how many facts it has."""
    rows = {}
    claims = []
    where = (
        "join claim_groups g on g.claim_row = c.row where g.subject = ? and g.family = ? "
        "and c.id not in (select claim_id from withdrawals)"
    )
    for row, claim in read_claims(connection, where, (subject, family)):
        rows[claim.id] = row
        claims.append(claim)
    rectangles = fold(claims, subject, family)
    connection.execute("delete from facts where subject = ? and family = ?", (subject, family))
    for one in rectangles:
        _store(connection, one, subject, family, rows)
    connection.execute("delete from dirty where subject = ? and family = ?", (subject, family))
    return len(rectangles)


def _store(connection: apsw.Connection, one: Rectangle, subject: str, family: str, rows: dict[str, int]) -> None:
    piece = one.piece
    always = piece.start == ALWAYS
    ended_by = one.ended_because
    connection.execute(
        f"insert into facts values ({','.join('?' * 25)})",
        (
            one.id, one.slot, subject, family, piece.predicate, piece.object,
            None if always or not piece.start_known else piece.start, None if piece.end == FOREVER else piece.end,
            piece.start, piece.end, piece.start_after, piece.end_after, piece.start_precision.value,
            piece.end_precision.value, piece.offset, one.believed_from, one.because.said_at.offset, one.believed_to,
            None if ended_by is None else ended_by.said_at.offset, one.change, one.ended, int(piece.disputed),
            int(piece.negative), _json(piece.qualifiers), rows[one.because.id],
        ),
    )  # fmt: skip
    sources = {rows[claim.id]: claim.said_at.us for claim in one.sources}
    connection.executemany(
        "insert into fact_sources values (?, ?, ?)", [(one.id, row, said) for row, said in sorted(sources.items())]
    )
    connection.executemany(
        "insert into supersessions values (?, ?, ?)",
        [(one.id, place, old.id) for place, old in enumerate(one.supersedes)],
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
