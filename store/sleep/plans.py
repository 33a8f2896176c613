"""A proposal becomes an edit only if nothing speaks against it, and every one that does not has exactly one reason.

The checks are All-Mem's (appendices B.5 and C.2), in a fixed order; all are deterministic, none repairs anything:

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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import apsw

from store.database.rows import each, rows
from store.sleep.edits import Cut, Edit, arity
from store.sleep.topology import edit_of
from store.sleep.units import Unit, spans_of, units_of

SURE = 0.9
"""The confidence that an edit needs (All-Mem, appendix C.2)."""
COHERENT = 0.9
"""The mean cosine that units to be merged need."""
APPLIED = "APPLIED"


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a diagnoser would do."""

    edit: Edit
    confidence: float
    """0 to 1."""
    signs: Mapping[str, float] = field(default_factory=dict)
    """The figures on which it rests, for the log."""
    differ: bool = False
    """merge: the units name different values."""


def judge(connection: apsw.Connection, proposal: Proposal) -> str:
    """APPLIED, or the reason why not."""
    edit = proposal.edit
    units = units_of(connection, edit.targets)
    if proposal.confidence < SURE:
        return "LOW_CONF"
    if not arity(edit):
        return "ARITY_FAIL"
    if len(units) < len(edit.targets) or units_of(connection, edit.created()):
        return "MISSING_ID"
    shows = edit.targets[:1] if edit.kind == "update" else edit.targets
    if not all(units[one].visible for one in shows):
        return "VISIBILITY_FAIL"
    if any(one.touched for one in units.values()):
        return "TOUCHED_CONFLICT"
    if _undone_before(connection, edit):
        return "UNDONE_BEFORE"
    if edit.kind == "merge":
        return _merge_trouble(list(units.values()), differ=proposal.differ)
    return APPLIED if edit.kind == "update" or _covers(connection, edit) else "PLAN_VALIDATION_FAIL"


def _merge_trouble(units: Sequence[Unit], *, differ: bool) -> str:
    if coherence(units) < COHERENT:
        return "COH_FAIL"
    return "VALUES_DIFFER" if differ else APPLIED


def coherence(units: Sequence[Unit]) -> float:
    """The mean cosine of all pairs."""
    pairs = [cosine(one.vector, other.vector) for one, other in combinations(units, 2)]
    return round(sum(pairs) / len(pairs), 4) if pairs else 0.0


def cosine(one: bytes, other: bytes) -> float:
    """Of two stored vectors; 0 where one is empty."""
    import numpy as np

    a, b = (np.frombuffer(vector, np.int8).astype(np.float32) for vector in (one, other))
    lengths = float((a @ a) * (b @ b)) ** 0.5
    return round(float(a @ b) / lengths, 4) if lengths else 0.0


def _undone_before(connection: apsw.Connection, edit: Edit) -> bool:
    """Whether the person took back, by itself, an edit of the same kind whose units are all among these."""
    listed = json.dumps(edit.targets)
    undone = each(
        connection,
        "select distinct o.kind, o.detail from unit_edits x join operations o on o.id = x.operation_id "
        "join operations u on u.id = o.undone_by where x.unit_id in (select value from json_each(?)) and o.kind = ? "
        "and json_extract(u.detail, '$.run') is null",
        (listed, edit.kind),
    )
    return any(set(edit_of(kind, json.loads(detail)).targets) <= set(edit.targets) for kind, detail in undone)


def _covers(connection: apsw.Connection, edit: Edit) -> bool:
    """Whether the parts are all of the unit's characters, each once, but for the blanks between, and none is empty."""
    left: dict[str, list[str]] = {}
    for span in spans_of(connection, edit.targets[0]):
        episode, text = rows(connection, "select id, text from episodes where row = ?", (span.row,))[0]
        left[episode] = [letter if span.start <= place < span.end else "" for place, letter in enumerate(text)]
    for part in edit.parts:
        taken = [_take(left.get(cut.episode, []), cut) for cut in part]
        if not taken or None in taken or not "".join(one or "" for one in taken).strip():
            return False
    return not any("".join(letters).strip() for letters in left.values())


def _take(letters: list[str], cut: Cut) -> str | None:
    """Take a cut's characters out of what is left of a turn; None where they are not all there."""
    taken = letters[cut.start : cut.end] if 0 <= cut.start < cut.end else []
    if len(taken) != cut.end - cut.start or not all(taken):
        return None
    letters[cut.start : cut.end] = [""] * len(taken)
    return "".join(taken)


def detail(proposal: Proposal) -> dict[str, object]:
    """What the log notes of a proposal besides the edit."""
    signs = {name: round(at, 3) for name, at in proposal.signs.items()}
    return {"confidence": round(proposal.confidence, 3), **signs}
