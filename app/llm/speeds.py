"""How fast a model writes is what its last replies on this machine were; nothing that was said is kept for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from app.paths import read_note, replace_file

MOST = 1e6
"""Tokens a second; a larger number was not measured."""
NEWEST = 0.5
"""How much the last reply counts against those before."""


def note(file: Path, model: Path, pieces_per_second: float) -> None:
    """A reply of this model came at this speed. A note that cannot be written is no harm: the next one is."""
    known = read_note(file, {})
    before = speed_of(known, model)
    known[str(model)] = pieces_per_second * NEWEST + before * (1 - NEWEST) if before else pieces_per_second
    try:
        replace_file(file, json.dumps(known))
    except OSError:
        return  # the next reply is noted


def speed_of(known: dict[str, Any], model: Path) -> float:
    """Tokens a second; 0 where this model has not replied yet."""
    found = known.get(str(model))
    return float(found) if isinstance(found, int | float) and 0 < found < MOST else 0.0
