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
from store.database.rows import LISTED, Row, column, each, first, scalar
from store.database.rows import rows as rows_of
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
    stored: dict[str, Rectangle] = {}
    claims = _said_later(connection, group)
    if claims is None:
        claims = group_claims(connection, group)
        connection.execute(f"delete from facts where {_GROUP}", group)
    else:
        stored = _resume(connection, folding, group, [claim for _, claim in claims])
    rows = {claim.id: row for row, claim in claims}
    said_before = {key: len(one.sources) for key, one in stored.items()}
    waited = _waiting(folding)
    folding.take(claim for _, claim in claims)
    fresh = [one for track in folding.tracks.values() for one in track.all if one.id not in stored]
    for one in fresh:
        _insert(connection, one, group, rows)
    for key, one in stored.items():
        if again := one.sources[said_before[key] :]:
            _add_sources(connection, one, again, rows)
        if one.ended_because is not None:  # closed by these claims
            connection.execute(
                "update facts set believed_to = ?, ended = ?, believed_to_offset = ? where id = ?",
                (one.believed_to, one.ended, one.ended_because.said_at.offset, key),
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
    if begins is None or ends is None:
        return None
    if reaching := ended_by(group[1]):
        reached = f"select max(g.said_at) from claims c {_OF_GROUP} and {REACHING}"
        ends = max(ends, scalar(connection, reached, (group[0], json.dumps(reaching))) or ALWAYS)
    if begins <= ends:
        return None
    return list(read_claims(connection, f"{_OF_GROUP} and g.family = ? and g.folded = 0", group))


def _slots(claims: Iterable[Claim], group_slot: str) -> str | None:
    """The slots (a JSON list) that these claims can touch, where their words say no change: their own values'. None:
    any of the group."""
    found: set[str] = set()
    for claim in claims:
        if claim.cue != "state" or claim.replaces or claim.predicate == DEATH:
            return None
        found.add(f"{group_slot}|{value_key(claim.object)}")
        if is_single(find(claim.predicate), claim):
            found.add(group_slot)
    return json.dumps(sorted(found))


def _resume(
    connection: apsw.Connection, folding: Folding, group: Group, later: Iterable[Claim]
) -> dict[str, Rectangle]:
    """Give a folding its stored state, as far as these claims can touch it: what is believed, and what waits. Gives the
    rectangles by id."""
    slots = _slots(later, folding.slot)
    of_fact = of_waiting = "f.subject = ? and f.family = ?"
    values: tuple[str, ...] = group
    if slots is not None:  # found by the slot (+: by no index of the group), for what they can touch is little of it
        of_fact, of_waiting = (f"{table}.slot in {LISTED} and +f.subject = ? and +f.family = ?" for table in "fw")
        values = (slots, *group)
    held = column(connection, f"select f.id from facts f where {of_fact} and f.believed_to is null", values)
    join = "from waiting w join facts f on f.id = w.fact_id"
    waits = rows_of(connection, f"select w.slot, f.id {join} where {of_waiting} order by 1, 2", values)
    listed = (json.dumps([*held, *(fact_id for _, fact_id in waits)]),)

    def track_of(slot: str) -> Track:
        return folding.track(slot.removeprefix(folding.slot).removeprefix("|"))

    sources: dict[str, list[RectangleClaim]] = {}
    said = f"select fact_id, claim_row, said_at from fact_sources where fact_id in {LISTED} order by said_at"
    for fact_id, row, us in each(connection, said, listed):
        sources.setdefault(fact_id, []).append(Earlier(f"#{row}", Instant(us), row))
    stored: dict[str, Rectangle] = {}
    told = f"select {_COLUMNS} from facts where id in {LISTED} order by world_from, believed_from"
    for row in each(connection, told, listed):
        one = _rectangle(row, sources.get(str(row[0]), []))
        stored[one.id] = one
        track = track_of(one.slot)
        track.all.append(one)
        if one.believed_to is None:
            track.open.append(one)
    over: dict[str, Rectangle] = {}  # of what is over, only which one it is matters to what comes
    links = f"select new_id, old_id from supersessions where new_id in {LISTED} order by place"
    for new_id, old_id in each(connection, links, listed):
        new = stored[new_id]
        old = stored.get(old_id) or over.setdefault(
            old_id, Rectangle(old_id, new.slot, new.piece, new.believed_from, "new", new.because, [])
        )
        new.supersedes.append(old)
    for slot, fact_id in waits:
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
