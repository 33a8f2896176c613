"""Units are put together, looked at and edited; no word is lost, and every decision is in the log.

First all turns that wait are put into exchanges, then three rounds over the units that no sleep has looked at: Split,
Merge, Update, in this order (All-Mem, appendix C.2). A unit's stage says which rounds it has been through, so that a
sleep which was stopped goes on where it was, and comes to what it would have come to.

A proposal becomes an edit only if nothing speaks against it, and every one that does not has exactly one reason. The
checks are All-Mem's (appendices B.5 and C.2), in a fixed order; all are deterministic, none repairs anything:

    LOW_CONF              the diagnoser is not sure enough
    ARITY_FAIL            too few or too many units
    MISSING_ID            a unit is not there
    VISIBILITY_FAIL       a unit is not on the visible surface
    TOUCHED_CONFLICT      another edit of this sleep has to do with it
    UNDONE_BEFORE         the person took an edit of these very units back
    COH_FAIL              the units to be merged are not near enough to each other
    VALUES_DIFFER         they name different values, times, names or numbers
    PLAN_VALIDATION_FAIL  the parts of a split are not the words of the unit, all of them, each once
    APPLIED               none of these
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations

import apsw

from store.database.rows import LISTED, each, scalar
from store.database.runs import log
from store.episodes import index
from store.records import Progress
from store.sleep import diagnose, topology
from store.sleep.describe import Describer
from store.sleep.edits import Edit, Proposal
from store.sleep.links import cosine
from store.sleep.phases import PhaseInput, in_a_slice, steps
from store.sleep.topology import APPLIED, DIAGNOSED, edit_of
from store.sleep.units import Unit, pieces_of, shown, units_of, units_where

SURE = 0.9
"""The confidence that an edit needs (All-Mem, appendix C.2)."""
COHERENT = 0.9
"""The mean cosine that units to be merged need."""
_WAITING = "visible = 1 and stage = ? and stage < 3"


def phase(work: PhaseInput) -> Iterator[Progress]:
    """Put together, then look at and edit, in steps."""
    describer = Describer(work.embedder)
    _renew_vectors(work)
    yield from _slices(work, "putting together", "loose", (), partial(topology.form, describer=describer))
    for stage, doing in enumerate(("splitting", "merging", "updating")):
        look = partial(_look_at_next, work=work, describer=describer, stage=stage)
        yield from _slices(work, doing, f"units where {_WAITING}", (stage,), look)
    with work.writing() as connection:
        connection.execute("update units set touched = 0 where touched = 1")


def _slices(
    work: PhaseInput, doing: str, waiting: str, values: Sequence[int], some: Callable[[apsw.Connection], int]
) -> Iterator[Progress]:
    """Do what waits, as much in one transaction as fits; `some` does a little of it, and gives how much."""
    total = int(scalar(work.database.reader(), f"select count(*) from {waiting}", values))
    return steps(work, "tidy", total, lambda one: sum(in_a_slice(iter(partial(some, one), 0))), doing)


def _renew_vectors(work: PhaseInput) -> None:
    """Where another embedder made the vectors of units, have all units made anew."""
    known = index.meta(work.database.reader(), "units_embedder")
    if known == work.embedder.fingerprint:
        return
    with work.writing() as connection:
        if known is not None:
            topology.renew(connection)
        index.note(connection, "units_embedder", work.embedder.fingerprint)


def _look_at_next(connection: apsw.Connection, work: PhaseInput, describer: Describer, stage: int) -> int:
    """Look at the next unit that waits for a round; gives 1, or 0 where none does."""
    found = units_where(connection, f"where {_WAITING} order by said_at, id limit 1", (stage,))
    for unit in list(found):
        _looked_at(connection, unit, stage + 1, work.run)
        proposals = (
            diagnose.split(connection, unit, describer) if stage == 0
            else diagnose.merge(connection, unit) if stage == 1
            else diagnose.update(connection, unit)
        )  # fmt: skip
        for proposal in proposals:
            _decide(connection, work, proposal, describer)
        return 1
    return 0


def _looked_at(connection: apsw.Connection, unit: Unit, stage: int, run: int) -> None:
    connection.execute("update units set stage = ? where id = ?", (stage, unit.id))
    if stage == DIAGNOSED:
        turn = json.loads(unit.title)[0]
        connection.execute("insert or ignore into tidied values (?, ?, ?)", (shown(unit.id), turn, run))


def _decide(connection: apsw.Connection, work: PhaseInput, proposal: Proposal, describer: Describer) -> None:
    """Judge a proposal, log it, and do it if nothing speaks against it."""
    edit = proposal.edit
    reason = judge(connection, proposal)
    detail: dict[str, object]
    detail = topology.detail_of(edit) if reason == APPLIED else {"targets": [shown(target) for target in edit.targets]}
    detail |= {"confidence": round(proposal.confidence, 3)}
    detail |= {name: round(sign, 3) for name, sign in proposal.signs.items()}
    operation = log(connection, work.run, "tidy", edit.kind, work.clock.now(), reason, detail)
    if reason == APPLIED:
        topology.apply(connection, edit, operation, describer)
        for gone in units_of(connection, edit.archived()).values():
            _looked_at(connection, gone, DIAGNOSED, work.run)
        work.counts[edit.kind] += 1
    else:
        connection.executemany(
            "insert or ignore into unit_edits values (?, ?)", [(one, operation) for one in edit.targets]
        )
        work.counts["dropped"] += 1


def judge(connection: apsw.Connection, proposal: Proposal) -> str:
    """APPLIED, or the reason why not."""
    edit = proposal.edit
    units = units_of(connection, edit.targets)
    if proposal.confidence < SURE:
        return "LOW_CONF"
    if not edit.has_arity():
        return "ARITY_FAIL"
    if len(units) < len(edit.targets) or units_of(connection, edit.created()):
        return "MISSING_ID"
    if not all(units[one].visible for one in edit.shows()):
        return "VISIBILITY_FAIL"
    if any(one.touched for one in units.values()):
        return "TOUCHED_CONFLICT"
    if _undone_before(connection, edit):
        return "UNDONE_BEFORE"
    if edit.kind == "merge":
        pairs = [cosine(one.vector, other.vector) for one, other in combinations(units.values(), 2)]
        return "COH_FAIL" if sum(pairs) / len(pairs) < COHERENT else "VALUES_DIFFER" if proposal.differ else APPLIED
    return APPLIED if edit.kind == "update" or _covers(connection, edit) else "PLAN_VALIDATION_FAIL"


def _undone_before(connection: apsw.Connection, edit: Edit) -> bool:
    """Whether the person took back, by itself, an edit of the same kind whose units are all among these."""
    undone = each(
        connection,
        "select distinct o.kind, o.detail from unit_edits x join operations o on o.id = x.operation_id "
        f"join operations u on u.id = o.undone_by where x.unit_id in {LISTED} and o.kind = ? "
        "and json_extract(u.detail, '$.run') is null",
        (json.dumps(edit.targets), edit.kind),
    )
    return any(set(edit_of(kind, json.loads(detail)).targets) <= set(edit.targets) for kind, detail in undone)


def _covers(connection: apsw.Connection, edit: Edit) -> bool:
    """Whether the parts are all of the unit's characters, each once, but for the blanks between, and none is empty."""
    pieces = pieces_of(connection, edit.targets[0])
    left = {(piece.episode, at): letter for piece in pieces for at, letter in enumerate(piece.text, piece.start)}
    for part in edit.parts:
        taken = [left.pop((cut.episode, at), None) for cut in part for at in range(cut.start, cut.end)]
        if None in taken or not any(letter and letter.strip() for letter in taken):
            return False
    return not "".join(left.values()).strip()
