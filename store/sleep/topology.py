"""What is stored of units is what the turns and the edits in the log make of them, row for row and link for link.

`form` puts turns into exchanges, `apply` does one new edit; both leave the rest to `settle`, which brings a component
(units that edits tie together) to what its edits fold to, whatever came, went or was undone. All work in the caller's
transaction.

An exchange is what one says with the replies to it. It ends where the person, or whoever comes first in the order of
speakers, has the word again after somebody else; after an hour's silence; and where it would grow too long. Only the
turns next to each other decide, not when or in what batches they came. Secrets, abandoned branches and what was done by
hand belong to no exchange.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import apsw

from store.database.rows import LISTED, column, each, first, rows, scalar
from store.records import Finding
from store.sleep import units
from store.sleep.describe import Describer
from store.sleep.edits import Cut, Edit, fold
from store.sleep.units import Origin, Piece, Unit, unit_id

APPLIED = "APPLIED"
"""Reason code of an edit that was done."""
DIAGNOSED = 3
"""The stage of a unit that needs no more diagnosing."""
_BEGINS: dict[Origin, int] = {"exchange": 0, "split": 1, "merge": 2}
"""The stage at which units of each origin begin: what an operator made is not its own next case."""
_DELETE_UNITS = f"delete from units where id in {LISTED}"
SILENCE = 3_600_000_000
"""Microseconds of quiet after which another exchange begins."""
MOST_TURNS, MOST_CHARACTERS = 12, 12_000
"""How long an exchange may grow."""
READ = 40
"""Turns that are grouped at a time: enough for the exchange before one that waits, and for that one's."""
GROUPED = "e.secret = 0 and e.inactive = 0 and e.source <> 'command'"
"""Which turns (e) belong to an exchange."""
_KEY = "e.said_at, e.position, e.id"
_BACK = "e.said_at desc, e.position desc, e.id desc"


def form(connection: apsw.Connection, describer: Describer) -> int:
    """Put the first turns that wait in some session into exchanges; gives how many, 0 when none waits."""
    session_id = scalar(connection, "select e.session_id from loose l join episodes e on e.row = l.episode_row limit 1")
    if session_id is None:
        return 0
    in_none = f"select e.row from episodes e where e.session_id = ? and not ({GROUPED})"
    connection.execute(f"delete from loose where episode_row in ({in_none})", (session_id,))
    placed = connection.changes()
    exchanges = regroup(connection, session_id)
    new = {
        unit_id("exchange", (turn.id for turn in turns)): [Cut(turn.id, 0, turn.length) for turn in turns]
        for turns in exchanges
    }
    turns = json.dumps([turn.row for turns in exchanges for turn in turns])
    of_exchanges = "select distinct s.unit_id from unit_spans s join units u on u.id = s.unit_id"
    was = set(column(connection, f"{of_exchanges} where u.origin = 'exchange' and s.episode_row in {LISTED}", (turns,)))
    gone = json.dumps(sorted(was - new.keys()))
    connection.execute(
        f"insert or ignore into loose select episode_row from unit_spans where unit_id in {LISTED}", (gone,)
    )
    connection.execute(f"delete from loose where episode_row in {LISTED}", (turns,))
    placed += connection.changes()
    connection.execute(_DELETE_UNITS, (gone,))
    _make(connection, "exchange", {key: new[key] for key in sorted(new.keys() - was)}, describer)
    settle(connection, was ^ new.keys(), describer)
    return placed


class ExchangeTurn(NamedTuple):
    """What of a turn decides to which exchange it belongs."""

    row: int
    id: str
    said_at: int
    role: str
    speaker: str
    length: int

    def rank(self) -> tuple[bool, bool, str]:
        """Who opens an exchange, lowest first: the person, then others by name, then who only answers."""
        return self.role != "user", self.speaker != "me", self.speaker.casefold()


Exchange = list[ExchangeTurn]


def regroup(connection: apsw.Connection, session_id: int) -> list[Exchange]:
    """A few exchanges of a session, from that before the first turn that waits for one; none where no turn waits."""
    waiting = first(
        connection,
        f"select {_KEY} from episodes e where e.session_id = ? and {GROUPED} "
        f"and e.row in (select episode_row from loose) order by {_KEY} limit 1",
        (session_id,),
    )
    if waiting is None:
        return []
    opening = first(
        connection,
        f"select {_KEY} from episodes e join unit_spans s on s.episode_row = e.row and s.place = 0 "
        f"join units u on u.id = s.unit_id and u.origin = 'exchange' where e.session_id = ? and ({_KEY}) < (?, ?, ?) "
        f"order by {_BACK} limit 1",
        (session_id, *waiting),
    )
    turns = [ExchangeTurn(*row) for row in each(
        connection,
        "select e.row, e.id, e.said_at, e.role, e.speaker, length(e.text) from episodes e "
        f"where e.session_id = ? and ({_KEY}) >= (?, ?, ?) and {GROUPED} order by {_KEY} limit {READ}",
        (session_id, *(opening or waiting)),
    )]  # fmt: skip
    exchanges: list[Exchange] = []
    for turn in turns:
        if not exchanges or begins(exchanges[-1], turn):
            exchanges.append([])
        exchanges[-1].append(turn)
    return exchanges if len(turns) < READ else exchanges[:-1]  # the last may go on


def begins(before: Sequence[ExchangeTurn], turn: ExchangeTurn) -> bool:
    """Whether a turn opens another exchange after these, which are one so far."""
    return (
        turn.rank() < before[-1].rank()
        or turn.said_at - before[-1].said_at > SILENCE
        or len(before) >= MOST_TURNS
        or sum(one.length for one in before) + turn.length > MOST_CHARACTERS
    )


# -- anew


def renew(connection: apsw.Connection) -> None:
    """Drop every unit, and have all turns wait to be put together anew; the edits that stand are done again with it."""
    units.drop(connection)
    units.create(connection)
    for operation, edit in edits_of(connection).items():
        file_edit(connection, edit, operation)


def forget(connection: apsw.Connection, episode_rows: Iterable[int]) -> None:
    """After these turns are gone, have all others put together and looked at anew by the next sleep.

    What was edited depends on what was looked at before it, so only a tidying from the beginning leaves what a memory
    that never heard those turns would hold. Edits that somebody took back stay in the log, unless they are about them.
    """
    holding = f"select distinct unit_id from unit_spans where episode_row in {LISTED}"
    gone = column(connection, holding, (json.dumps(sorted(episode_rows)),))
    if not gone:
        return
    about = f"select operation_id from unit_edits where unit_id in {LISTED}"
    edits = json.dumps(
        column(connection, about, (json.dumps(gone),))
        + column(connection, "select id from operations where phase = 'tidy' and undone_by is null")
    )
    connection.execute(f"delete from unit_edits where operation_id in {LISTED}", (edits,))
    connection.execute(f"delete from operations where id in {LISTED}", (edits,))
    connection.execute("delete from tidied")
    renew(connection)


# -- what the log says


def apply(connection: apsw.Connection, edit: Edit, operation: int, describer: Describer) -> None:
    """Do one edit that `judge` has let pass, and mark what it has to do with as touched."""
    file_edit(connection, edit, operation)
    settle(connection, edit.units(), describer)
    connection.execute(f"update units set touched = 1 where id in {LISTED}", (json.dumps(edit.units()),))


def file_edit(connection: apsw.Connection, edit: Edit, operation: int) -> None:
    """Note which units an edit has to do with."""
    connection.executemany("insert or ignore into unit_edits values (?, ?)", [(one, operation) for one in edit.units()])


def edits_of(connection: apsw.Connection, operations: Iterable[int] | None = None) -> dict[int, Edit]:
    """The edits that stand, by operation; all of them, or those among `operations`."""
    sql = "select id, kind, detail from operations where phase = 'tidy' and reason = 'APPLIED' and undone_by is null"
    found = (
        each(connection, sql) if operations is None
        else each(connection, f"{sql} and id in {LISTED}", (json.dumps(sorted(operations)),))
    )  # fmt: skip
    return {operation: edit_of(kind, json.loads(detail)) for operation, kind, detail in found}


def edit_of(kind: str, detail: Mapping[str, object]) -> Edit:
    """The edit in a row of the log."""
    targets, parts, into = detail["targets"], detail.get("parts", ()), detail.get("into")
    assert isinstance(targets, list) and isinstance(parts, list | tuple)
    return Edit(
        kind,  # type: ignore[arg-type] # the log's rows of this phase hold the three kinds only
        tuple(units.read_id(target) for target in targets), tuple(tuple(Cut(*cut) for cut in part) for part in parts),
        units.read_id(into) if isinstance(into, str) else None,
    )  # fmt: skip


def detail_of(edit: Edit) -> dict[str, object]:
    """An edit as the log holds it: ids and places, no words."""
    found: dict[str, object] = {"targets": [units.shown(target) for target in edit.targets]}
    if edit.parts:
        found["parts"] = [[list(cut) for cut in part] for part in edit.parts]
    if edit.into is not None:
        found["into"] = units.shown(edit.into)
    return found | {"created": [units.shown(one) for one in edit.created()],
                    "archived": [units.shown(one) for one in edit.archived()]}  # fmt: skip


# -- folding


def settle(connection: apsw.Connection, seeds: Iterable[int], describer: Describer) -> None:
    """Bring everything that edits tie to these units to what the edits that stand make of it."""
    tied = component(connection, seeds)
    stored = units.units_of(connection, tied)
    exchanges = [key for key, one in stored.items() if one.origin == "exchange"]
    wanted = fold(exchanges, edits_of(connection, _operations(connection, tied)))
    connection.execute(_DELETE_UNITS, (json.dumps(sorted(stored.keys() - wanted.there)),))
    for key, (edit, number) in wanted.made.items():
        if key not in stored and edit.kind == "merge":
            _make_merged(connection, key, edit)
        elif key not in stored:
            _make(connection, "split", {key: edit.parts[number]}, describer)
    depth = wanted.hops()
    connection.executemany(
        "update units set visible = ?, hops = ? where id = ?",
        [(int(key in wanted.visible), depth.get(key, 0), key) for key in wanted.there],
    )
    connection.execute(f"delete from unit_links where from_id in {LISTED}", (json.dumps(sorted(wanted.there)),))
    for kind, pairs in (("version", wanted.version), ("sibling", wanted.sibling)):
        connection.executemany(f"insert into unit_links values (?, '{kind}', ?, 1.0)", pairs)


def component(connection: apsw.Connection, seeds: Iterable[int]) -> set[int]:
    """The units that edits which stand tie to these, and these."""
    found: set[int] = set()
    wave = set(seeds)
    while wave:
        found |= wave
        about = f"select distinct unit_id from unit_edits where operation_id in {LISTED}"
        wave = set(column(connection, about, (json.dumps(_operations(connection, wave)),))) - found
    return found


def _operations(connection: apsw.Connection, keys: Iterable[int]) -> list[int]:
    """The edits that stand and have to do with these units."""
    return column(
        connection,
        "select distinct x.operation_id from unit_edits x join operations o on o.id = x.operation_id "
        f"where x.unit_id in {LISTED} and o.undone_by is null and o.reason = 'APPLIED'",
        (json.dumps(sorted(keys)),),
    )


def _make(
    connection: apsw.Connection, origin: Origin, new: Mapping[int, Sequence[Cut]], describer: Describer
) -> None:  # fmt: skip
    """Store units that are made of these characters of turns."""
    made: list[tuple[int, tuple[int, int, int], list[Piece]]] = []
    for key, cuts in new.items():
        turns = [rows(
            connection, "select row, text, role, session_id, said_at, position from episodes where id = ?",
            (cut.episode,),
        )[0] for cut in cuts]  # fmt: skip
        pieces = [
            Piece(cut.episode, row, cut.start, text[cut.start : cut.end], role == "user")
            for cut, (row, text, role, *_) in zip(cuts, turns, strict=True)
        ]
        made.append((key, turns[0][3:], pieces))
    described = describer.describe([pieces for *_, pieces in made])
    for (key, place, pieces), one in zip(made, described, strict=True):
        unit = Unit(
            key, origin, *place, pieces[0].start, 1, 0, _stage(connection, key, origin), 0, json.dumps(one.title),
            json.dumps(one.summary), one.vector, one.print,
        )  # fmt: skip
        units.insert(connection, unit, pieces, one.keywords)


def _make_merged(connection: apsw.Connection, key: int, edit: Edit) -> None:
    """A new unit in the words of the latest of those that it stands for."""
    latest = max(units.units_of(connection, edit.targets).values(), key=lambda one: one.when)
    stage = _stage(connection, key, "merge")
    unit = latest._replace(id=key, origin="merge", visible=1, hops=0, stage=stage, touched=0)
    units.insert(connection, unit, units.pieces_of(connection, latest.id), units.keywords_of(connection, latest.id))


def _stage(connection: apsw.Connection, key: int, origin: Origin) -> int:
    looked_at = scalar(connection, "select 1 from tidied where unit_id = ?", (units.shown(key),))
    return DIAGNOSED if looked_at else _BEGINS[origin]


# -- the check

_PLACED = (
    f"select count(*) from episodes e where {GROUPED} and e.row not in (select episode_row from loose) "
    "and e.row not in (select s.episode_row from unit_spans s join units u on u.id = s.unit_id "
    "where u.origin = 'exchange')"
)
_OUTSIDE = (
    "select count(*) from unit_spans s left join episodes e on e.row = s.episode_row "
    "where e.row is null or s.start < 0 or s.end > length(e.text) or s.start >= s.end and length(e.text) > 0"
)


def check(connection: apsw.Connection) -> list[Finding]:
    """Whether turns have their exchanges, and every edit that stands, folded anew, gives what is visible, how far all
    else is, and by which links."""
    stored = {unit.id: unit for unit in units.units_where(connection, "")}
    wanted = fold([key for key, unit in stored.items() if unit.origin == "exchange"], edits_of(connection))
    depth = wanted.hops()
    differ = stored.keys() ^ wanted.there
    differ |= {key for key, unit in stored.items() if unit.visible != (key in wanted.visible)}
    ties = {("version", *pair) for pair in wanted.version} | {("sibling", *pair) for pair in wanted.sibling}
    kept = set(rows(connection, "select kind, from_id, to_id from unit_links where kind in ('version', 'sibling')"))
    counts = {
        "turns are in an exchange": int(scalar(connection, _PLACED)),
        "units are words of turns": int(scalar(connection, _OUTSIDE)),
        "units are what the log makes of exchanges": len(differ) + len(ties ^ kept),
        "archived units are in reach": sum(unit.hops != depth.get(key, -1) for key, unit in stored.items()),
    }
    return [Finding(name, not count, f"{count} do not" if count else "") for name, count in counts.items()]
