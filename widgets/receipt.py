"""A receipt says in one line what a turn taught: known things first, what is unsure with a question mark."""

from __future__ import annotations

from collections.abc import Sequence

from store.records import Change, Precision
from widgets.look import about, value
from widgets.plain import one_line
from widgets.wording import since

MOST = 4
"""Things that are named; more are counted."""


def receipt(changes: Sequence[Change], now: int | None = None) -> str:
    """ "Noted: flatmate Ellie; rent 950 € since November"; nothing where nothing was learned."""
    told = [_words(change, now) for change in changes if change.new is not None or change.old is not None]
    more = f"; and {len(told) - MOST} more" if len(told) > MOST else ""
    return f"Noted: {'; '.join(told[:MOST])}{more}" if told else ""


def _words(change: Change, now: int | None) -> str:
    fact = change.new or change.old
    assert fact is not None
    ended = "no longer " if change.new is None or change.kind in ("stop", "retract") else ""
    dated = fact.valid_from is not None and fact.precision is not Precision.OPEN and not ended
    when = f", {since(fact, now)}" if dated else ""
    return f"{'? ' if fact.unsure else ''}{ended}{one_line(f'{about(fact)} {value(fact)}', 48)}{when}"
