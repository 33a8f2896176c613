"""A slot is what the words around a value say that it is: a predicate, and maybe of whom, and in which state."""

from __future__ import annotations

from typing import NamedTuple


class Slot(NamedTuple):
    """What the words around a value say that it is."""

    predicate: str
    value: str
    subject: str | None = None
    """None: of whom the reader says it is."""
    status: str = ""
    """"": as the reader says."""
    single: bool = False
    """It holds one value at a time, whatever the registry says."""
