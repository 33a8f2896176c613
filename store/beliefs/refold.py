"""What is stored of a slot is what all its claims fold to; later claims are folded on from there, and come to the same.

A group whose new claims were all said after everything that its facts have taken in is folded on from its stored state:
the facts that are believed, and those that wait for a successor. Any other change folds it anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

import apsw

from store.beliefs.fold import Folding, is_single
from store.beliefs.pieces import value_of
from store.beliefs.predicates import DEATH, ended_by, find
from store.beliefs.rectangles import ALWAYS, FOREVER, Earlier, HeldValue, Rectangle, RectangleClaim, Track
from store.beliefs.tables import read_claims
from store.beliefs.values import value_key
from store.database.rows import Row, each, first, scalar
from store.records import Claim, Instant, Precision

Group = tuple[str, str]  # (subject, family)

_GROUP = "subject = ? and family = ?"
_COLUMNS = (
    "id, slot, predicate, object, world_from, world_to, valid_from, valid_to, valid_from_after, valid_to_after, "
    "precision, precision_to, valid_offset, believed_from, believed_from_offset, believed_to, change, ended, disputed, "
    "negative, qualifiers, standing, single"
)
_PRECISIONS = {one.value: one for one in Precision}
_OF_GROUP = (
    "join claim_groups g on g.claim_row = c.row where c.id not in (select claim_id from withdrawals) and g.subject = ?"
)
REACHING = (
    f"g.family in (select value from json_each(?)) and (g.family = '{DEATH}' or (c.cue = 'stop' and c.object <> ''))"
)
"""Of claims c in groups g: those that may end the same value in another slot of their subject, or all that it holds."""


def dirty_groups(connection: apsw.Connection) -> list[Group]:
    """The groups whose facts are older than their claims."""
    return [(row[0], row[1]) for row in each(connection, "select subject, family from dirty order by 1, 2")]


def refold_touched(connection: apsw.Connection, claim_rows: Sequence[int], waiting: set[Group]) -> None:
    """Fold the groups of these claims, and those that were marked since `waiting` was read; the rest waits for a
    sleep."""
    groups = set(dirty_groups(connection)) - waiting
    for row in claim_rows:
        found = first(connection, "select subject, family from claim_groups where claim_row = ?", (row,))
        groups |= {(found[0], found[1])} if found else set()
    for subject, family in sorted(groups):
        refold(connection, subject, family)


def refold(connection: apsw.Connection, subject: str, family: str) -> int:
    """Bring the facts of one group up to its claims, in the caller's transaction. Gives how many were written."""
    group = (subject, family)
    folding = Folding(subject, family)
    claims = _said_later(connection, group)
    if claims is None:
        claims = group_claims(connection, group)
        stored: dict[str, Rectangle] = {}
        connection.execute(f"delete from facts where {_GROUP}", group)
    else:
        stored = _resume(connection, folding, group, [claim for _, claim in claims])
    rows = {claim.id: row for row, claim in claims}
    before = {key: (one.believed_to, len(one.sources)) for key, one in stored.items()}
    waited = _waiting(folding)
    folding.take(claim for _, claim in claims)
    fresh = [one for track in folding.tracks.values() for one in track.all if one.id not in stored]
    for one in fresh:
        _insert(connection, one, group, rows)
    for key, one in stored.items():  # closed since, or told again
        closed, sources = before[key]
        if len(one.sources) > sources:
            _add_sources(connection, one, one.sources[sources:], rows)
        if one.believed_to != closed:
            offset = one.ended_because.said_at.offset if one.ended_because is not None else None
            connection.execute(
                "update facts set believed_to = ?, ended = ?, believed_to_offset = ? where id = ?",
                (one.believed_to, one.ended, offset, key),
            )
    waits = _waiting(folding)
    connection.executemany("delete from waiting where slot = ? and fact_id = ?", sorted(waited - waits))
    connection.executemany("insert into waiting values (?, ?)", sorted(waits - waited))
    connection.execute(f"update claim_groups set folded = 1 where {_GROUP} and folded = 0", group)
    connection.execute(f"delete from dirty where {_GROUP}", group)
    return len(fresh)


def group_claims(connection: apsw.Connection, group: Group) -> list[tuple[int, Claim]]:
    """(row, claim) of each claim of a group that is not withdrawn, and of the ends in other slots that may reach it."""
    own = list(read_claims(connection, f"{_OF_GROUP} and g.family = ?", group))
    reaching = json.dumps(ended_by(group[1]))
    return own + (list(read_claims(connection, f"{_OF_GROUP} and {REACHING}", (group[0], reaching))) if own else [])


def _said_later(connection: apsw.Connection, group: Group) -> list[tuple[int, Claim]] | None:
    """The claims that are new to a group, if each was said after all that it has taken in; else None."""
    if scalar(connection, f"select whole from dirty where {_GROUP}", group) != 0:
        return None
    begins = scalar(connection, f"select min(said_at) from claim_groups where {_GROUP} and folded = 0", group)
    ends = scalar(connection, f"select max(said_at) from claim_groups where {_GROUP} and folded = 1", group)
    if begins is None or ends is None or begins <= ends:
        return None
    reached = f"select max(g.said_at) from claims c {_OF_GROUP} and {REACHING}"
    if (reaching := ended_by(group[1])) and begins <= (
        scalar(connection, reached, (group[0], json.dumps(reaching))) or ALWAYS
    ):
        return None
    return list(read_claims(connection, f"{_OF_GROUP} and g.family = ? and g.folded = 0", group))


def _slots(claims: Iterable[Claim], group_slot: str) -> str | None:
    """The slots (a JSON list) that these claims can touch, where their words say no change: their own values'. None:
    any of the group."""
    found: set[str] = set()
    for claim in claims:
        if claim.cue != "state" or claim.replaces or claim.predicate == DEATH:
            return None
        single = is_single(find(claim.predicate), claim)
        found |= {group_slot} if single else set()
        found.add(f"{group_slot}|{value_key(claim.object)}")
    return json.dumps(sorted(found))


def _resume(
    connection: apsw.Connection, folding: Folding, group: Group, later: Iterable[Claim]
) -> dict[str, Rectangle]:
    """Give a folding its stored state, as far as these claims can touch it: what is believed, and what waits. Gives the
    rectangles by id."""
    slots = _slots(later, folding.slot)
    if slots is None:
        held, waits = f"select id from facts where {_GROUP}", "slot = ? or (slot > ? and slot < ?)"
        # The slots of its values begin with the group's own; "}" comes right after "|".
        values: tuple[str, ...] = (*group, folding.slot, f"{folding.slot}|", f"{folding.slot}}}", *group)
    else:
        waits = "slot in (select value from json_each(?))"
        held, values = f"select id from facts where {waits}", (slots, slots, *group)
    where = (
        f"where f.id in ({held} and believed_to is null union select fact_id from waiting where {waits}) "
        "and f.subject = ? and f.family = ?"
    )

    def track_of(slot: str) -> Track:
        return folding.track(slot.removeprefix(folding.slot).removeprefix("|"))

    sources: dict[str, list[RectangleClaim]] = {}
    for fact_id, row, said in each(
        connection,
        "select s.fact_id, s.claim_row, s.said_at from facts f join fact_sources s on s.fact_id = f.id "
        f"{where} order by s.said_at",
        values,
    ):
        sources.setdefault(fact_id, []).append(Earlier(f"#{row}", Instant(said), row))
    stored: dict[str, Rectangle] = {}
    for row in each(connection, f"select {_COLUMNS} from facts f {where} order by world_from, believed_from", values):
        one = _rectangle(row, sources.get(str(row[0]), []))
        stored[one.id] = one
        track = track_of(one.slot)
        track.all.append(one)
        if one.believed_to is None:
            track.open.append(one)
    replaced: dict[str, Rectangle] = {}
    links = "select s.new_id, s.old_id from facts f join supersessions s on s.new_id = f.id"
    for new_id, old_id in each(connection, f"{links} {where} order by s.place", values):
        new = stored[new_id]
        if old_id not in replaced:  # of what is over, only which one it is matters to what comes
            over = Rectangle(old_id, new.slot, new.piece, new.believed_from, "new", new.because, [])
            replaced[old_id] = stored.get(old_id) or over
        new.supersedes.append(replaced[old_id])
    waiting = f"select w.slot, f.id from waiting w join facts f on f.id = w.fact_id {where} order by 1, 2"
    for slot, fact_id in each(connection, waiting, values):
        track_of(slot).loose.append(stored[fact_id])
    return stored


def _rectangle(row: Row, sources: list[RectangleClaim]) -> Rectangle:
    (
        key, slot, predicate, value, start, end, valid_from, valid_to, start_after, end_after, precision, precision_to,
        offset, believed_from, from_offset, believed_to, change, ended, disputed, negative, qualifiers, standing,
        single,
    ) = row  # fmt: skip
    piece = HeldValue(
        value=value_of(find(predicate), value, single=bool(single), negative=bool(negative)),
        predicate=predicate, object=value, start=start, end=end, start_precision=_PRECISIONS[precision],
        end_precision=_PRECISIONS[precision_to], offset=offset, start_after=start_after, end_after=end_after,
        start_known=valid_from is not None or start == ALWAYS, negative=bool(negative), disputed=bool(disputed),
        standing=standing, qualifiers=tuple((name, text) for name, text in json.loads(qualifiers)),
        whole=end if valid_to == end - 1 else None,
    )  # fmt: skip
    because = Earlier("", Instant(believed_from, from_offset), 0)
    return Rectangle(key, slot, piece, believed_from, change, because, sources, believed_to=believed_to, ended=ended)


def _waiting(folding: Folding) -> set[tuple[str, str]]:
    """(slot, fact) of each rectangle that is over, and that the next of this slot is to point at."""
    return {(track.slot, one.id) for track in folding.tracks.values() for one in track.loose}


def _insert(connection: apsw.Connection, one: Rectangle, group: Group, rows: Mapping[str, int]) -> None:
    piece = one.piece
    ended_by = one.ended_because
    begins = None if piece.start == ALWAYS or not piece.start_known else piece.start
    connection.execute(
        f"insert into facts values ({','.join('?' * 27)})",
        (
            one.id, one.slot, *group, piece.predicate, piece.object, begins,
            None if piece.end == FOREVER else piece.until, piece.start, piece.end, piece.start_after, piece.end_after,
            piece.start_precision.value, piece.end_precision.value, piece.offset, one.believed_from,
            one.because.said_at.offset, one.believed_to, None if ended_by is None else ended_by.said_at.offset,
            one.change, one.ended, int(piece.disputed), int(piece.negative),
            json.dumps(piece.qualifiers, ensure_ascii=False), rows[one.because.id], piece.standing,
            int(piece.value.removeprefix("not ") == value_key(piece.object)),
        ),
    )  # fmt: skip
    _add_sources(connection, one, one.sources, rows)
    connection.executemany(
        "insert into supersessions values (?, ?, ?)",
        [(one.id, place, old.id) for place, old in enumerate(one.supersedes)],
    )


def _add_sources(
    connection: apsw.Connection, one: Rectangle, said: Iterable[RectangleClaim], rows: Mapping[str, int]
) -> None:
    found = {said.row if isinstance(said, Earlier) else rows[said.id]: said.said_at.us for said in said}
    connection.executemany(
        "insert or ignore into fact_sources values (?, ?, ?)", [(one.id, row, us) for row, us in sorted(found.items())]
    )
