"""A claim and what is believed of it, written as short as a table: days in, days out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from store.beliefs.fold import fold
from store.beliefs.predicates import find
from store.beliefs.rectangles import ALWAYS, FOREVER, Rectangle
from store.records import Claim, Instant, Precision, Stretch
from tests.conftest import at

State = tuple[str, str, str]
"""(value, from, to) in days; "" is an open end, "~" before a time one that nobody said."""
_WIDTHS = {4: Precision.YEAR, 7: Precision.MONTH, 10: Precision.DAY}


def moment(text: str) -> int:
    """The first microsecond of a year, month or day."""
    return at(text + "-01-01"[len(text) - 4 :] if len(text) < 10 else text)


def claim(said: str, value: str, since: str = "", until: str = "", **more: Any) -> Claim:
    """What was said on a day; `since` and `until` are what the words themselves give."""
    precision = _WIDTHS[len(since or until)] if since or until else Precision.OPEN
    fields: dict[str, Any] = {
        "predicate": "lives_in", "subject": "me", "session": "s", "position": 0, "cue": "state",
        "holds_now": not until and more.get("cue", "state") == "state", "id": f"c{said}{value}{since}{until}",
    }  # fmt: skip
    fields |= more
    valid = Stretch(moment(since) if since else None, moment(until) if until else None, precision)
    return Claim(episode=f"e{said}", start=0, end=1, object=value, valid=valid, said_at=Instant(at(said)), **fields)


def folded(claims: Sequence[Claim]) -> list[Rectangle]:
    return fold(claims, "me", find(claims[0].predicate).slot_name)


def view(claims: Sequence[Claim], believed: str = "2030-01-01") -> list[State]:
    """What is believed on a day, by world time."""
    when = at(believed)
    held = [one for one in folded(claims) if one.believed_from <= when < (one.believed_to or FOREVER)]
    return [_state(one) for one in sorted(held, key=lambda one: (one.piece.start, one.piece.object))]


def _state(one: Rectangle) -> State:
    piece = one.piece
    begins = "?" if not piece.start_known else "" if piece.start == ALWAYS else _day(piece.start)
    ends = "" if piece.end == FOREVER else _day(piece.end)
    loose = piece.start_precision is Precision.OPEN and begins not in ("", "?")
    vague = piece.end_precision is Precision.OPEN and ends != ""
    value = ("not " if piece.negative else "") + piece.object
    return value, ("~" if loose else "") + begins, ("~" if vague else "") + ends


def _day(us: int) -> str:
    return datetime.fromisoformat(Instant(us).iso()).strftime("%Y-%m-%d")


def changes(claims: Sequence[Claim]) -> list[str]:
    """The kinds of change, in the order of believing, of what is believed at the end."""
    return [one.change for one in folded(claims) if one.believed_to is None]
