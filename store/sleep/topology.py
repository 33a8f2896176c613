"""What is stored of units is what the turns and the edits in the log make of them, row for row and link for link.

`form` puts turns into exchanges, `apply` does one new edit; `settle` brings a component (units that edits tie together)
to what its edits fold to, whatever came, went or was undone. All work in the caller's transaction.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

import apsw

from store.database.rows import LISTED, column, each, first, rows
from store.sleep import links
from store.sleep.describe import Describer, Descriptor, WordedSpan
from store.sleep.edits import Cut, Edit, Topology, fold, siblings
from store.sleep.grouping import Exchange, regroup
from store.sleep.units import (
    Origin,
    Span,
    Unit,
    UnitPlace,
    create,
    drop,
    insert,
    keywords_of,
    read_id,
    shown,
    spans_of,
    unit_id,
    units_of,
)

DIAGNOSED = 3
"""The stage of a unit that needs no more diagnosing."""
_BEGINS: dict[Origin, int] = {"exchange": 0, "split": 1, "merge": 2}
"""The stage at which units of each origin begin: what an operator made is not its own next case."""


def form(connection: apsw.Connection, describer: Describer, most: int) -> int:
    """Put about `most` waiting turns into exchanges; gives how many were placed, 0 when none waits."""
    placed = 0
    made: dict[int, Exchange] = {}
    was: set[int] = set()
    sessions: set[int] = set()
    while placed < most and (found := regroup(connection, most, sessions)):
        placed += len(found.placed)
        made |= {_exchange_id(exchange): exchange for exchange in found.exchanges}
        was |= found.was
        sessions.add(found.session_id)
        connection.execute(f"delete from loose where episode_row in {LISTED}", (json.dumps(found.placed),))
    _replace(connection, was - made.keys(), {key: made[key] for key in sorted(made.keys() - was)}, describer)
    return placed


def _replace(
    connection: apsw.Connection, gone: set[int], new: Mapping[int, Exchange], describer: Describer
) -> None:  # fmt: skip
    """Take exchanges out that are no more, and store those that are new."""
    touched = links.after_arrival(connection, gone)
    tied = _operations(connection, gone | new.keys())
    connection.execute(f"delete from units where id in {LISTED}", (json.dumps(sorted(gone)),))
    pieces = [[_piece(turn.row, turn.text, turn.role == "user") for turn in one.turns] for one in new.values()]
    for (key, one), some, descriptor in zip(new.items(), pieces, describer.describe(pieces), strict=True):
        place = UnitPlace(one.session_id, one.turns[0].said_at.us, one.turns[0].position, 0)
        _store(connection, key, "exchange", place, [piece.span for piece in some], descriptor)
    if tied:
        settle(connection, gone | new.keys(), describer)
    links.relink(connection, (touched | links.after_arrival(connection, new)) - gone)


def _exchange_id(exchange: Exchange) -> int:
    return unit_id("exchange", (turn.id for turn in exchange.turns))


def _piece(row: int, text: str, own: bool) -> WordedSpan:
    return WordedSpan(Span(row, 0, len(text)), text, own)


def _store(
    connection: apsw.Connection, key: int, origin: Origin, place: UnitPlace, spans: list[Span], descriptor: Descriptor
) -> None:  # fmt: skip
    done = first(connection, "select 1 from tidied where unit_id = ?", (shown(key),)) is not None
    stage = DIAGNOSED if done else _BEGINS[origin]
    unit = Unit(
        key, origin, place, visible=True, hops=0, stage=stage, touched=False,
        title=descriptor.title, summary=descriptor.summary, vector=descriptor.vector, print=descriptor.print,
    )  # fmt: skip
    insert(connection, unit, spans, descriptor.keywords)


def renew(connection: apsw.Connection) -> None:
    """Drop every unit, and have all turns wait to be put together anew; the edits that stand are done again with it."""
    drop(connection)
    create(connection)
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


# -- one new edit


def apply(connection: apsw.Connection, edit: Edit, operation: int, describer: Describer) -> None:
    """Do one edit that `trouble` has let pass, and mark what it has to do with as touched."""
    file_edit(connection, edit, operation)
    near = links.after_archiving(connection, edit.archived())
    _make(connection, edit, describer)
    _hide(connection, edit.archived())
    _tie(connection, [(stand, gone) for stand in edit.stands() for gone in edit.archived()], edit)
    _deepen(connection, edit.archived())
    links.relink(connection, near | links.after_arrival(connection, edit.created()))
    connection.execute(f"update units set touched = 1 where id in {LISTED}", (json.dumps(edit.units()),))


def file_edit(connection: apsw.Connection, edit: Edit, operation: int) -> None:
    """Note which units an edit has to do with."""
    connection.executemany(
        "insert or ignore into unit_edits values (?, ?)", [(unit, operation) for unit in edit.units()]
    )


def _make(connection: apsw.Connection, edit: Edit, describer: Describer, only: set[int] | None = None) -> None:
    """Store the units that an edit makes."""
    for number, key in enumerate(edit.created()):
        if only is not None and key not in only:
            continue
        if edit.kind == "merge":
            _make_merged(connection, key, edit)
        else:
            _make_part(connection, key, edit.parts[number], describer)


def _make_merged(connection: apsw.Connection, key: int, edit: Edit) -> None:
    """A new unit in the words of the latest of those that it stands for."""
    sources = units_of(connection, edit.targets).values()
    place_of = {
        source.id: (source.place.said_at, source.place.position, source.place.start, source.id) for source in sources
    }
    latest = max(sources, key=lambda one: place_of[one.id])
    words = Descriptor(
        latest.title, latest.summary, tuple(keywords_of(connection, latest.id)), latest.vector, latest.print
    )
    _store(connection, key, "merge", latest.place, spans_of(connection, latest.id), words)


def _make_part(connection: apsw.Connection, key: int, part: tuple[Cut, ...], describer: Describer) -> None:
    spans, pieces, places = [], [], []
    for cut in part:
        row, text, role, session, said_at, position = rows(
            connection,
            "select row, text, role, session_id, said_at, position from episodes where id = ?",
            (cut.episode,),
        )[0]
        span = Span(row, cut.start, cut.end)
        spans.append(span)
        pieces.append(WordedSpan(span, text[cut.start : cut.end], role == "user"))
        places.append(UnitPlace(session, said_at, position, cut.start))
    _store(connection, key, "split", places[0], spans, describer.describe([pieces])[0])


def _hide(connection: apsw.Connection, ids: Iterable[int]) -> None:
    connection.execute(
        f"update units set visible = 0, hops = max(hops, 1) where id in {LISTED}", (json.dumps(sorted(ids)),)
    )


def _tie(connection: apsw.Connection, version: Iterable[tuple[int, int]], edit: Edit) -> None:
    connection.executemany("insert or ignore into unit_links values (?, 'version', ?, 1.0)", list(version))
    if edit.kind == "split":
        pairs = siblings(edit.created(), links.SIBLING_CAP)
        connection.executemany("insert or ignore into unit_links values (?, 'sibling', ?, 1.0)", pairs)


def _deepen(connection: apsw.Connection, archived: Iterable[int]) -> None:
    """Count the hops anew of what was just archived, and of what is reached through it."""
    wave = sorted(archived)
    while wave:
        changed: list[int] = []
        for unit in wave:
            connection.execute(
                "update units set hops = (select 1 + min(p.hops) from unit_links l join units p on p.id = l.from_id "
                "where l.to_id = ?1 and l.kind = 'version') where id = ?1 and hops <> (select 1 + min(p.hops) "
                "from unit_links l join units p on p.id = l.from_id where l.to_id = ?1 and l.kind = 'version')",
                (unit,),
            )
            changed += [unit] if connection.changes() or unit in archived else []
        below = "select distinct to_id from unit_links where kind = 'version' and from_id in " + LISTED
        wave = sorted(row[0] for row in each(connection, below, (json.dumps(changed),)))
        archived = ()


# -- what the log says


def edits_of(connection: apsw.Connection, operations: Iterable[int] | None = None) -> dict[int, Edit]:
    """The edits that stand, by operation; all of them, or those among `operations`."""
    which = "" if operations is None else f"and id in {LISTED}"
    values = () if operations is None else (json.dumps(sorted(operations)),)
    found = each(
        connection,
        "select id, kind, detail from operations where phase = 'tidy' and reason = 'APPLIED' and undone_by is null "
        f"{which}",
        values,
    )
    return {operation: edit_of(kind, json.loads(detail)) for operation, kind, detail in found}


def edit_of(kind: str, detail: Mapping[str, object]) -> Edit:
    """The edit in a row of the log."""
    targets, parts, into = detail["targets"], detail.get("parts", ()), detail.get("into")
    assert isinstance(targets, list) and isinstance(parts, list | tuple)
    return Edit(
        kind,  # type: ignore[arg-type] # the log's rows of this phase hold the three kinds only
        tuple(read_id(target) for target in targets), tuple(tuple(Cut(*cut) for cut in part) for part in parts),
        read_id(into) if isinstance(into, str) else None,
    )  # fmt: skip


def detail_of(edit: Edit) -> dict[str, object]:
    """An edit as the log holds it: ids and places, no words."""
    found: dict[str, object] = {"targets": [shown(target) for target in edit.targets]}
    if edit.parts:
        found["parts"] = [[list(cut) for cut in part] for part in edit.parts]
    if edit.into is not None:
        found["into"] = shown(edit.into)
    return found | {"created": [shown(one) for one in edit.created()],
                    "archived": [shown(one) for one in edit.archived()]}  # fmt: skip


# -- folding anew


def settle(connection: apsw.Connection, seeds: Iterable[int], describer: Describer) -> None:
    """Bring everything that edits tie to these units to what the edits that stand make of it."""
    tied = component(connection, seeds)
    stored = units_of(connection, tied)
    exchanges = {key for key, one in stored.items() if one.origin == "exchange"}
    edits = _edits_about(connection, tied)
    wanted = fold(exchanges, edits, links.SIBLING_CAP)
    gone = stored.keys() - wanted.there
    showing = {key for key in wanted.visible if key in stored and not stored[key].visible}
    hiding = {key for key in stored.keys() & wanted.there - wanted.visible if stored[key].visible}
    near = links.after_arrival(connection, gone | showing) | links.after_archiving(connection, hiding)
    connection.execute(f"delete from units where id in {LISTED}", (json.dumps(sorted(gone)),))
    new = _make_missing(connection, wanted, stored.keys(), describer)
    _set_state(connection, wanted)
    links.relink(connection, (near | links.after_arrival(connection, new | showing)) - gone)


def _make_missing(
    connection: apsw.Connection, wanted: Topology, stored: Iterable[int], describer: Describer
) -> set[int]:
    missing = wanted.made.keys() - set(stored)
    for key, (edit, _) in wanted.made.items():
        if key in missing:
            _make(connection, edit, describer, {key})
    return missing


def _set_state(connection: apsw.Connection, wanted: Topology) -> None:
    """Write visibility, hops, and the links that edits make."""
    depth = wanted.hops()
    connection.executemany(
        "update units set visible = ?, hops = ? where id = ?",
        [(int(key in wanted.visible), depth.get(key, 0), key) for key in wanted.there],
    )
    listed = json.dumps(sorted(wanted.there))
    connection.execute(
        f"delete from unit_links where kind in ('version', 'sibling') and from_id in {LISTED}", (listed,)
    )
    for kind, pairs in (("version", wanted.version), ("sibling", wanted.sibling)):
        connection.executemany(
            "insert into unit_links values (?, ?, ?, 1.0)", [(one, kind, other) for one, other in pairs]
        )


def component(connection: apsw.Connection, seeds: Iterable[int]) -> set[int]:
    """The units that edits which stand tie to these, and these."""
    found: set[int] = set()
    wave = set(seeds)
    while wave:
        found |= wave
        operations = _operations(connection, wave)
        about = "select distinct unit_id from unit_edits where operation_id in " + LISTED
        wave = set(column(connection, about, (json.dumps(sorted(operations)),))) - found
    return found


def _operations(connection: apsw.Connection, units: Iterable[int]) -> set[int]:
    """The edits that stand and have to do with these units."""
    return set(
        column(
            connection,
            "select distinct x.operation_id from unit_edits x join operations o on o.id = x.operation_id "
            f"where x.unit_id in {LISTED} and o.undone_by is null and o.reason = 'APPLIED'",
            (json.dumps(sorted(units)),),
        )
    )


def _edits_about(connection: apsw.Connection, units: Iterable[int]) -> dict[int, Edit]:
    return edits_of(connection, _operations(connection, units))
