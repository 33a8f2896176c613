"""What is said to words that ask to forget somebody, where nothing opens to erase them."""

from __future__ import annotations

from store.reading.asking.forgetting import asks_to_forget, lets_rest, whom_to_forget

FORGET = "Forget everything about "
"""What a message that asks for it may begin with."""
LET_REST = "All right. “{}…” would take what I know of somebody out of the memory."
"""To whoever lets a matter rest, which may have been meant so."""


def let_rest(text: str) -> str:
    """What one says to "forget about the dentist", which lets a matter rest, and to "forget dinner", which is nobody
    that is known; empty to all else."""
    rests = lets_rest(text) or (asks_to_forget(text) and not whom_to_forget(text))
    return LET_REST.format(FORGET.strip()) if rests else ""
