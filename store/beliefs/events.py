"""An event keeps its own time: another one like it is another event, and only more exact words about it move it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from store.beliefs.pieces import BY_A_PART, DATED_BY, DAY, MOVED_FROM, TYPED, piece_of
from store.beliefs.predicates import DEATH, Predicate
from store.beliefs.rectangles import FOREVER, HeldValue, Rectangle, Track
from store.beliefs.values import value_key
from store.records import ChangeKind, Claim, Instant, Precision
from store.time.expressions import read_times

MENTION = 60 * DAY
"""Microseconds. A mention without a time within this of an event that is known is taken to mean that event."""


def lay_event(track: Track, claim: Claim, predicate: Predicate) -> None:
    """Add an occurrence, or say an old one again (more exactly, or moved)."""
    piece = piece_of(claim, predicate, single=False)
    known = _meant(track, claim, piece)
    if known is None:
        track.place(piece, claim, "backfill" if track.all else "new")
        return
    old = known.piece
    if claim.cue in ("correct", "update"):
        piece = _at_its_hour(old, _on_its_day(old, piece, claim))
    qualifiers = tuple(sorted((dict(old.qualifiers) | dict(piece.qualifiers)).items()))
    time: dict[str, object] = {
        "start": piece.start, "end": piece.end, "start_precision": piece.start_precision,
        "end_precision": piece.end_precision, "whole": piece.whole, "qualifiers": qualifiers,
    }  # fmt: skip
    spelt = claim.cue == "correct" and claim.standing >= TYPED and value_key(old.object) == value_key(piece.object)
    if spelt:
        time["object"] = piece.object  # "bath half" is written "Bath Half"
    said = piece.start_precision is not Precision.OPEN
    narrower = old.start_precision is Precision.OPEN or piece.end - piece.start < old.end - old.start
    if piece.negative != old.negative:
        # It was said to have happened, and now not to have, or the other way round: the later word stands.
        gone = track.over(piece.start, piece.end)
        gone = gone if known in gone else [known, *gone]
        for one in gone:
            track.close(one, claim, "correct")
        track.place(piece, claim, "correct", gone)
    elif not said and claim.valid.end is not None and old.start >= claim.valid.end:
        # It is over, whatever day it was planned for.
        _retime(track, known, claim, "update", time | {"qualifiers": old.qualifiers})
    elif said and claim.cue == "correct":
        _retime(track, known, claim, "correct", time)
    elif said and _moved(known, claim, piece):
        _retime(track, known, claim, "update", time)
    elif said and narrower:
        _retime(track, known, claim, "elaborate", time)
    elif spelt and piece.object != old.object:
        track.retell(known, claim, "correct", object=piece.object)
    elif qualifiers != old.qualifiers:
        track.retell(known, claim, "elaborate", qualifiers=qualifiers)
    else:
        known.sources.append(claim)


def is_on(one: Rectangle, day: str) -> bool:
    """Whether something takes place on a day, in ISO form."""
    return Instant(one.piece.start, one.piece.offset).local().date().isoformat() == day


def _on_its_day(old: HeldValue, new: HeldValue, claim: Claim) -> HeldValue:
    """What is moved to another hour alone stays on its day, what is moved to "the 11th" goes to the one nearest to its
    day that lies ahead, and "a week later" is counted from its day."""
    by = dict(claim.qualifiers).get(DATED_BY)
    if by is None or old.start_precision is Precision.OPEN:
        return new
    was, told = Instant(old.start, old.offset).local(), Instant(new.start, new.offset).local()
    if by not in BY_A_PART:
        found = next(iter(read_times(by, was)), None)
        first = None if found is None or found.stretch is None else found.stretch.first()
        if found is None or first is None:
            return old
        start = first.us if found.point is None else found.point
        return replace(old, start=start, end=start + old.end - old.start, whole=None)
    if by == "clock":
        moved = [was.replace(hour=told.hour, minute=told.minute, second=0, microsecond=0)]
    else:
        moved = [day for by_months in (-1, 0, 1) if (day := _day_of(was, told, by_months)) is not None]
    ahead = [day for day in map(Instant.of, moved) if day.us > claim.said_at.us]
    if not ahead:
        return new
    start = min(ahead, key=lambda day: abs(day.us - old.start)).us
    end = start + new.end - new.start if new.end < FOREVER else new.end
    return replace(new, start=start, end=end, whole=None)


def _day_of(was: datetime, told: datetime, by_months: int) -> datetime | None:
    """The day and hour told, so many months after those of the old date; None where that month has no such day."""
    months = was.year * 12 + was.month - 1 + by_months
    try:
        return told.replace(year=months // 12, month=months % 12 + 1)
    except ValueError:
        return None


def _at_its_hour(old: HeldValue, new: HeldValue) -> HeldValue:
    """What is moved to another day keeps its hour."""
    if old.start_precision is not Precision.EXACT or new.start_precision is not Precision.DAY:
        return new
    start = new.start + (old.start + old.offset * 1_000_000) % DAY
    exact = Precision.EXACT
    return replace(
        new, start=start, end=start + old.end - old.start, start_precision=exact, end_precision=exact, whole=None
    )


def _retime(track: Track, known: Rectangle, claim: Claim, change: ChangeKind, time: dict[str, object]) -> None:
    """Give an occurrence another time; what was known to be there already turns out to be the same."""
    fresh = track.retell(known, claim, change, "main", **time)
    for other in track.over(fresh.piece.start, fresh.piece.end):
        if other is not fresh:
            track.close(other, claim, change)
            fresh.supersedes.append(other)


def _meant(track: Track, claim: Claim, piece: HeldValue) -> Rectangle | None:
    """The occurrence that the claim speaks of, if it is one that is known."""
    touching = next(iter(track.over(piece.start, piece.end)), None)
    if claim.cue == "correct" and track.open:  # what is corrected is what was said
        was_on = dict(claim.qualifiers).get(MOVED_FROM, "")
        return next((one for one in track.open if is_on(one, was_on)), track.latest())
    if claim.cue == "update":  # what is moved lies ahead
        return next((one for one in track.open if one.piece.end > claim.said_at.us), touching)
    if claim.valid.start is not None or not track.open:
        return touching
    if claim.predicate == DEATH:
        return track.latest()
    near = [one for one in track.open if abs(piece.start - one.piece.start) <= MENTION]
    over = [one for one in near if one.piece.start < claim.said_at.us] if claim.valid.end is not None else []
    return over[-1] if over and over[-1].piece.end > claim.said_at.us - DAY else near[-1] if near else None


def _moved(known: Rectangle, claim: Claim, piece: HeldValue) -> bool:
    apart = piece.end <= known.piece.start or known.piece.end <= piece.start
    counted = dict(claim.qualifiers).get(DATED_BY, "clock") not in BY_A_PART
    return claim.cue == "update" and (apart or counted) and known.piece.end > claim.said_at.us
