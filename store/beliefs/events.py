"""An event keeps its own time: another one like it is another event, and only more exact words about it move it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from store.beliefs.pieces import BY_A_PART, DATED_BY, TYPED, details, moved_from, told_whole
from store.beliefs.predicates import DEATH, Predicate
from store.beliefs.rectangles import FOREVER, HeldValue, Rectangle, Track
from store.beliefs.values import value_key
from store.records import ChangeKind, Claim, Instant, Precision
from store.time.expressions import read_times

DAY = 86_400_000_000
MENTION = 60 * DAY
"""Microseconds. A mention without a time within this of an event that is known is taken to mean that event."""


def lay_event(track: Track, claim: Claim, predicate: Predicate) -> None:
    """Add an occurrence, or say an old one again (more exactly, or moved)."""
    piece = _occurrence(claim, predicate)
    known = _meant(track, claim, piece)
    if known is None:
        track.place(piece, claim, "backfill" if track.all else "new", [], [claim], "main")
        return
    old = known.piece
    if claim.cue in ("correct", "update"):
        piece = _at_its_hour(old, on_its_day(old, piece, claim))
    time: dict[str, object] = {
        "start": piece.start,
        "end": piece.end,
        "start_precision": piece.start_precision,
        "end_precision": piece.end_precision,
        "whole": piece.whole,
        "qualifiers": _joined(old, piece),
    }
    if claim.cue == "correct" and claim.standing >= TYPED and value_key(old.object) == value_key(piece.object):
        time["object"] = piece.object  # "bath half" is written "Bath Half"
    said = piece.start_precision is not Precision.OPEN
    if piece.negative != old.negative:
        _contradict(track, known, claim, piece)
    elif not said and claim.valid.end is not None and old.start >= claim.valid.end:
        # It is over, whatever day it was planned for.
        _retime(track, known, claim, "update", time | {"qualifiers": old.qualifiers})
    elif claim.cue == "correct" and said:
        _retime(track, known, claim, "correct", time)
    elif said and _moved(known, claim, piece):
        _retime(track, known, claim, "update", time)
    elif said and _narrower(piece, old):
        _retime(track, known, claim, "elaborate", time)
    elif time.get("object", old.object) != old.object:
        track.reshape(known, claim, "correct", "main", object=piece.object).sources.append(claim)
    elif _joined(old, piece) != old.qualifiers:
        track.reshape(known, claim, "elaborate", "main", qualifiers=_joined(old, piece)).sources.append(claim)
    else:
        known.sources.append(claim)


def is_on(one: Rectangle, day: str) -> bool:
    """Whether something takes place on a day, in ISO form."""
    return Instant(one.piece.start, one.piece.offset).local().date().isoformat() == day


def on_its_day(old: HeldValue, new: HeldValue, claim: Claim) -> HeldValue:
    """What is moved to another hour alone stays on its day, what is moved to "the 11th" goes to the one nearest to its
    day that lies ahead, and "a week later" is counted from its day."""
    by = dict(claim.qualifiers).get(DATED_BY)
    if by is None or old.start_precision is Precision.OPEN:
        return new
    was, told = Instant(old.start, old.offset).local(), Instant(new.start, new.offset).local()
    if by not in BY_A_PART:
        return _counted(old, was, by)
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


def _counted(old: HeldValue, was: datetime, by: str) -> HeldValue:
    """The old time moved by a span of time: "a week later"."""
    found = next(iter(read_times(by, was)), None)
    first = None if found is None or found.stretch is None else found.stretch.first()
    if found is None or first is None:
        return old
    start = first.us if found.point is None else found.point
    return replace(old, start=start, end=start + old.end - old.start, whole=None)


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


def _contradict(track: Track, known: Rectangle, claim: Claim, piece: HeldValue) -> None:
    """It was said to have happened, and now not to have, or the other way round: the later word stands."""
    gone = track.over(piece.start, piece.end)
    gone = gone if known in gone else [known, *gone]
    for one in gone:
        track.close(one, claim, "correct")
    track.place(piece, claim, "correct", gone, [claim], "main")


def _retime(track: Track, known: Rectangle, claim: Claim, change: ChangeKind, time: dict[str, object]) -> None:
    """Give an occurrence another time; what was known to be there already turns out to be the same."""
    fresh = track.reshape(known, claim, change, "main", **time)
    fresh.sources.append(claim)
    for other in track.over(fresh.piece.start, fresh.piece.end):
        if other is not fresh:
            track.close(other, claim, change)
            fresh.supersedes.append(other)


def _occurrence(claim: Claim, predicate: Predicate) -> HeldValue:
    start, end, precision = claim.valid.start, claim.valid.end, claim.valid.precision
    offset = claim.valid.offset or claim.said_at.offset
    if start is None:
        shift = offset * 1_000_000
        start = (claim.said_at.us + shift) // DAY * DAY - shift
        end, precision = start + DAY, Precision.OPEN
    elif end is None or end <= start:
        end = start + DAY
    return HeldValue(
        value=("not " if claim.negative else "") + predicate.name,
        predicate=predicate.name,
        object=claim.object,
        start=start,
        end=end,
        start_precision=precision,
        end_precision=precision,
        offset=offset,
        negative=claim.negative,
        standing=claim.standing,
        qualifiers=details(claim),
        whole=told_whole(claim),
    )


def _meant(track: Track, claim: Claim, piece: HeldValue) -> Rectangle | None:
    """The occurrence that the claim speaks of, if it is one that is known."""
    if claim.cue in ("correct", "update") and track.open:
        # What is corrected is what was said; what is moved lies ahead.
        if claim.cue == "correct":
            return next((one for one in track.open if is_on(one, moved_from(claim))), track.latest())
        return _ahead(track, claim) or _touching(track, piece)
    if claim.valid.start is None:
        if claim.predicate == DEATH and track.open:
            return track.latest()
        near = [one for one in track.open if abs(piece.start - one.piece.start) <= MENTION]
        over = [one for one in near if one.piece.start < claim.said_at.us] if claim.valid.end is not None else []
        return over[-1] if over and over[-1].piece.end > claim.said_at.us - DAY else near[-1] if near else None
    return _touching(track, piece)


def _touching(track: Track, piece: HeldValue) -> Rectangle | None:
    found = track.over(piece.start, piece.end)
    return found[0] if found else None


def _ahead(track: Track, claim: Claim) -> Rectangle | None:
    return next((one for one in track.open if one.piece.end > claim.said_at.us), None)


def _moved(known: Rectangle, claim: Claim, piece: HeldValue) -> bool:
    apart = piece.end <= known.piece.start or known.piece.end <= piece.start
    counted = dict(claim.qualifiers).get(DATED_BY, "clock") not in BY_A_PART
    return claim.cue == "update" and (apart or counted) and known.piece.end > claim.said_at.us


def _narrower(new: HeldValue, old: HeldValue) -> bool:
    if old.start_precision is Precision.OPEN:
        return True
    return new.end - new.start < old.end - old.start


def _joined(old: HeldValue, new: HeldValue) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((dict(old.qualifiers) | dict(new.qualifiers)).items()))
