"""Units are put together, looked at and edited; no word is lost, and every decision is in the log.

First all turns that wait are put into exchanges, then three rounds over the units that no sleep has looked at: Split,
Merge, Update, in this order (All-Mem, appendix C.2). A unit's stage says which rounds it has been through, so that a
sleep which was stopped goes on where it was, and comes to what it would have come to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import apsw

from store.database.rows import scalar
from store.database.runs import log
from store.episodes import index
from store.records import Progress
from store.sleep import diagnose, plans, topology
from store.sleep.describe import Describer
from store.sleep.phases import PhaseInput, in_a_slice
from store.sleep.plans import APPLIED, Proposal
from store.sleep.splitting import split
from store.sleep.units import Unit, shown, units_of, units_where

TURNS = 16
"""Turns that are put into exchanges at a time."""
TAKEN = 4
"""Units that are fetched at a time."""
_NEXT = "where visible = 1 and stage = ? and stage < 3 order by said_at, id limit ?"
Diagnoser = Callable[[apsw.Connection, Unit, Describer], list[Proposal]]


def phase(work: PhaseInput) -> Iterator[Progress]:
    """Put together, then look at and edit, in steps."""
    describer = Describer(work.embedder)
    _renew_vectors(work)
    yield from _form(work, describer)
    for stage, diagnoser in enumerate((_splits, _merges, _updates)):
        yield from _round(work, describer, stage, diagnoser)
    with work.writing() as connection:
        connection.execute("update units set touched = 0 where touched = 1")


def _renew_vectors(work: PhaseInput) -> None:
    """Where another embedder made the vectors of units, have all units made anew."""
    known = index.meta(work.database.reader(), "units_embedder")
    if known == work.embedder.fingerprint:
        return
    with work.writing() as connection:
        if known is not None:
            topology.renew(connection)
        index.note(connection, "units_embedder", work.embedder.fingerprint)


def _form(work: PhaseInput, describer: Describer) -> Iterator[Progress]:
    total, done = int(scalar(work.database.reader(), "select count(*) from loose")), 0
    while done < total:
        work.heed()
        placed = _form_some(work, describer)
        if not placed:
            return
        done += placed
        yield Progress("tidy", min(done, total), total, "putting together")


def _form_some(work: PhaseInput, describer: Describer) -> int:
    with work.writing() as connection:
        return sum(in_a_slice(iter(lambda: topology.form(connection, describer, TURNS), 0)))


def _round(work: PhaseInput, describer: Describer, stage: int, diagnoser: Diagnoser) -> Iterator[Progress]:
    waiting = "select count(*) from units where visible = 1 and stage = ? and stage < 3"
    total, done = int(scalar(work.database.reader(), waiting, (stage,))), 0
    while (looked := _look_at_some(work, describer, stage, diagnoser)) is not None:
        done += looked
        yield Progress("tidy", min(done, total), total, ("splitting", "merging", "updating")[stage])


def _look_at_some(work: PhaseInput, describer: Describer, stage: int, diagnoser: Diagnoser) -> int | None:
    """Look at units for a slice of time; gives how many, None where none is left."""
    work.heed()
    looked = 0
    with work.writing() as connection:
        waiting = iter(lambda: list(units_where(connection, _NEXT, (stage, TAKEN))), [])
        for some in in_a_slice(waiting):
            looked += sum(_look_at(connection, work, describer, unit, diagnoser) for unit in some)
    return looked or None


def _look_at(
    connection: apsw.Connection, work: PhaseInput, describer: Describer, unit: Unit, diagnoser: Diagnoser
) -> int:  # fmt: skip
    """Look at one unit, unless it left the surface since it was fetched; gives 1 for one that was looked at."""
    if not scalar(connection, "select visible from units where id = ?", (unit.id,)):
        return 0
    _looked_at(connection, unit, unit.stage + 1, work.run)
    for proposal in diagnoser(connection, unit, describer):
        _decide(connection, work, proposal, describer)
    return 1


def _looked_at(connection: apsw.Connection, unit: Unit, stage: int, run: int) -> None:
    connection.execute("update units set stage = ? where id = ?", (stage, unit.id))
    if stage == topology.DIAGNOSED:
        connection.execute("insert or ignore into tidied values (?, ?, ?)", (shown(unit.id), unit.title.row, run))


def _decide(connection: apsw.Connection, work: PhaseInput, proposal: Proposal, describer: Describer) -> None:
    """Judge a proposal, log it, and do it if nothing speaks against it."""
    edit = proposal.edit
    reason = plans.judge(connection, proposal)
    detail = topology.detail_of(edit) if reason == APPLIED else {"targets": [shown(target) for target in edit.targets]}
    detail |= plans.detail(proposal)
    operation = log(connection, work.run, "tidy", edit.kind, work.clock.now(), reason, detail)
    if reason == APPLIED:
        topology.apply(connection, edit, operation, describer)
        for gone in units_of(connection, edit.archived()).values():
            _looked_at(connection, gone, topology.DIAGNOSED, work.run)
        work.counts[edit.kind] += 1
    else:
        connection.executemany(
            "insert or ignore into unit_edits values (?, ?)", [(one, operation) for one in edit.targets]
        )
        work.counts["dropped"] += 1


def _splits(connection: apsw.Connection, unit: Unit, describer: Describer) -> list[Proposal]:
    found = split(connection, unit, describer)
    return [] if found is None else [found]


def _merges(connection: apsw.Connection, unit: Unit, describer: Describer) -> list[Proposal]:
    found = diagnose.merge(connection, unit)
    return [] if found is None else [found]


def _updates(connection: apsw.Connection, unit: Unit, describer: Describer) -> list[Proposal]:
    return diagnose.update(connection, unit)
