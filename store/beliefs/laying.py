"""A claim speaks of a stretch of world time; laid over what is believed, it confirms, refines, changes or disputes."""

from __future__ import annotations

from dataclasses import replace

from store.beliefs.ending import OTHERS, correct, cut, cut_short_by, remove
from store.beliefs.pieces import SPANS
from store.beliefs.predicates import Predicate
from store.beliefs.rectangles import FOREVER, HeldValue, Rectangle, Track
from store.beliefs.values import means, refines
from store.records import ChangeKind, Claim, Precision

LATE_NEWS = 400 * 86_400_000_000
"""Microseconds. An onset told later than this is a story about the past: it does not displace what was said to hold
since, which was first heard of in between ("in 2016 I moved to Braga")."""


def lay(track: Track, claim: Claim, piece: HeldValue, predicate: Predicate) -> Rectangle | None:
    """Gives the rectangle that the claim opened; None where it only says again, or says nothing against, what is
    believed."""
    # What is said never to have been so is corrected only where it is believed.
    believed = (one for one in track.open if not one.piece.negative and means(claim.object, one.piece.object))
    if claim.cue == "correct" and (not claim.negative or any(believed)):
        return correct(track, claim, piece)
    same = _same_value(track, claim, piece)
    if same is not None:
        return _say_again(track, claim, piece, same)
    held = track.at(piece.start)
    if held is not None:
        known, alike = held.piece.object, claim.negative == held.piece.negative
        if alike and not claim.negative and refines(piece.object, known):
            return _elaborate(track, claim, piece, held)
        denied = claim.negative and not alike
        if denied and not means(claim.object, known) and not means(known, claim.object):
            return None  # "I don't live in Rome" says nothing against living in Porto
        if alike and claim.cue == "state" and refines(known, piece.object):
            held.sources.append(claim)
            return None
    return _overlay(track, claim, _bounded(track, claim, piece), predicate)


def _same_value(track: Track, claim: Claim, piece: HeldValue) -> Rectangle | None:
    """The rectangle that says the same of the same time: it holds where the claim's stretch begins, or the claim only
    tells an earlier beginning of what holds now."""
    here = [one for one in track.over(piece.start, piece.start + 1) if one.piece.value == piece.value]
    if here:
        return here[0]
    if claim.valid.start is None or claim.valid.end is not None:
        return None
    now = track.at(claim.said_at.us)
    if now is None or now.piece.value != piece.value or now.piece.start < piece.start:
        return None
    between = track.over(piece.start, now.piece.start)
    open_start = now.piece.start_precision is Precision.OPEN
    return now if open_start or (claim.holds_now and not between) else None


def _say_again(track: Track, claim: Claim, piece: HeldValue, same: Rectangle) -> Rectangle | None:
    """The same value: more words for it, or a boundary that is told for the first time, or told more exactly."""
    old = same.piece
    changed: dict[str, object] = {}
    covered: list[Rectangle] = []
    before: Rectangle | None = None
    if claim.valid.start is not None and _tells_more(piece, old):
        changed = {"start": piece.start, "start_precision": piece.start_precision, "start_after": None}
        covered = [one for one in track.over(piece.start, old.start) if one is not same]
        for one in covered:
            cut(track, claim, one, replace(piece, end=FOREVER), "update")
        before = cut_short_by(track, same) if piece.start > old.start else None
    if claim.valid.end is not None and piece.end < old.end:
        changed |= {"end": piece.end, "end_precision": piece.end_precision, "end_after": None, "whole": piece.whole}
    if dict(claim.qualifiers).items() - dict(old.qualifiers).items():
        changed["qualifiers"] = tuple(sorted((dict(old.qualifiers) | dict(claim.qualifiers)).items()))
    if not changed:
        same.sources.append(claim)
        return None
    kind: ChangeKind = "stop" if "end" in changed and "start" not in changed else "elaborate"
    fresh = track.retell(same, claim, kind, "again", **changed)
    fresh.supersedes += covered
    if before is not None:
        # What ended when this began ends where it is now said to have begun.
        start, precision = piece.start, piece.start_precision
        track.reshape(before, claim, kind, "until", end=start, end_precision=precision, end_after=None)
    return fresh


def _tells_more(new: HeldValue, old: HeldValue) -> bool:
    """Whether the start of `new` says more than that of `old`: it was open, or the new one lies in it more exactly, or
    it is an earlier one that is not only the old one said more coarsely."""
    if old.start_precision is Precision.OPEN:
        return new.start <= old.start
    finer = list(Precision).index(new.start_precision) < list(Precision).index(old.start_precision)
    if new.start > old.start:
        return finer and new.start < old.start + SPANS.get(old.start_precision, 1)
    return new.start < old.start and not old.disputed and old.start >= new.start + SPANS.get(new.start_precision, 1)


def _elaborate(track: Track, claim: Claim, piece: HeldValue, coarser: Rectangle) -> Rectangle:
    old = coarser.piece
    if claim.valid.start is None or piece.start <= old.start:
        return track.retell(coarser, claim, "elaborate", object=piece.object, value=piece.value)
    cut(track, claim, coarser, replace(piece, end=FOREVER), "elaborate")
    inside = replace(piece, end=old.end, end_precision=old.end_precision, disputed=old.disputed)
    return track.place(inside, claim, "elaborate", [coarser])


def _bounded(track: Track, claim: Claim, piece: HeldValue) -> HeldValue:
    """Cut a claim's stretch at the next state that was said to begin later; only what is said to hold now reaches
    over states that began before now."""
    horizon = max(piece.start, claim.said_at.us) if claim.holds_now else piece.start
    limit = track.next_said_after(horizon)
    if limit is None and not claim.holds_now and claim.said_at.us - piece.start > LATE_NEWS:
        heard = [one.piece for one in track.over(piece.start + 1, FOREVER) if one.piece.value != piece.value]
        limit = next((other.start for other in heard if other.start > piece.start), None)
    if limit is None or limit >= piece.end:
        return piece
    return replace(piece, end=limit, end_precision=Precision.OPEN)


def _overlay(track: Track, claim: Claim, piece: HeldValue, predicate: Predicate) -> Rectangle | None:
    piece = _yield_to_standing(track, claim, piece, predicate)
    if piece.end <= piece.start:
        return None
    under = track.over(piece.start, piece.end)
    rivals = [one for one in under if _rival(one, claim, piece, predicate)]
    if rivals:
        for rival in rivals:
            if not rival.piece.disputed:
                track.reshape(rival, claim, "dispute", "disputed", disputed=True)
        return track.place(replace(piece, disputed=True), claim, "dispute", rivals)
    fallen = next((one for one in under if _plan_fell_through(track, claim, piece, one)), None)
    if fallen is not None:
        before = remove(track, claim, fallen, "correct")
        if before is not None:
            before.sources.append(claim)
        return before
    if under and claim.valid.start is None and piece.start_known:
        said = [one.last_said() for one in under if one.last_said() <= piece.start]
        piece = replace(piece, start_after=max(said) if said else None)
    ongoing = claim.holds_now or piece.end == FOREVER
    late = track.open or (track.all and not ongoing)
    kind: ChangeKind = "update" if under and ongoing else "backfill" if late else "new"
    replaced = sorted(under, key=lambda one: (one.piece.start > piece.start, -one.piece.start))
    for one in under:
        cut(track, claim, one, piece, kind)
    return track.place(piece, claim, kind, replaced)


def _yield_to_standing(track: Track, claim: Claim, piece: HeldValue, predicate: Predicate) -> HeldValue:
    """A lower standing never rewrites what a higher one said of the time that it spoke about."""
    higher = [one for one in track.over(piece.start, piece.end) if one.piece.standing > claim.standing]
    if not higher:
        return piece
    if claim.standing <= OTHERS or predicate.temporal == "permanent":
        return replace(piece, end=piece.start)
    told = max(one.because.said_at.us for one in higher)
    return replace(piece, start=max(piece.start, min(told, claim.said_at.us)))


def _rival(one: Rectangle, claim: Claim, piece: HeldValue, predicate: Predicate) -> bool:
    """Two values for the very same stretch, of equal standing, with no word of change: they cannot both hold."""
    if claim.cue != "state" or one.piece.standing != claim.standing:
        return False
    if predicate.temporal == "permanent":
        return True
    both_dated = claim.valid.start is not None and one.piece.start_precision is not Precision.OPEN
    at_once = one.because.said_at.us == claim.said_at.us
    return (at_once or both_dated) and (one.piece.start, one.piece.end) == (piece.start, piece.end)


def _plan_fell_through(track: Track, claim: Claim, piece: HeldValue, one: Rectangle) -> bool:
    """What was only planned did not come about: after its time, the person still speaks of what was before it."""
    if not (claim.holds_now and claim.valid.start is None and one.only_planned()):
        return False
    before = cut_short_by(track, one)
    return before is not None and before.piece.value == piece.value
