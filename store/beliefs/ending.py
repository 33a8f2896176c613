"""A belief ends in one of three ways: the world moved on (cut, stop), it had never been so (correct), it is taken back.

Whatever ends closes in belief time at the saying of the claim that ends it, and stays in view from before.
"""

from __future__ import annotations

from dataclasses import replace

from store.beliefs.pieces import CALLED_OFF, IF_HELD, TYPED, piece_of
from store.beliefs.predicates import Predicate
from store.beliefs.rectangles import ALWAYS, FOREVER, HeldValue, Rectangle, Track
from store.beliefs.values import is_one_occasion, means, value_key
from store.records import ChangeKind, Claim, Precision

OTHERS = 2  # the standing up to which it is not the person who speaks: that ends nothing which they said themselves


def cut(track: Track, claim: Claim, one: Rectangle, by: HeldValue, kind: ChangeKind) -> None:
    """Close a rectangle under a value and open again what sticks out on either side."""
    old = one.piece
    track.close(one, claim, kind)
    if not old.start_known and old.end_precision is Precision.OPEN and old.value != by.value and kind != "correct":
        # Nobody said when it ended: it ended before this.
        earlier = replace(old, start=by.start - 1, end=by.start)
        if not track.over(earlier.start, earlier.end):
            track.place(earlier, claim, kind, [one], one.sources, "left")
        return
    if old.start < by.start and old.start_known:
        said = one.last_said() if by.start_precision is Precision.OPEN else None
        after = said if said and said < by.start else None
        left = replace(old, end=by.start, end_precision=by.start_precision, end_after=after)
        track.place(left, claim, kind, [one], one.sources, "left")
    if by.end < old.end:
        right = replace(old, start=by.end, start_precision=by.end_precision, start_after=None)
        track.place(right, claim, kind, [one], one.sources, "right")


def cut_short_by(track: Track, gone: Rectangle) -> Rectangle | None:
    """The rectangle before this one, if it ends where it does because this one was said."""
    before = track.at(gone.piece.start - 1)
    if before is None or before.piece.end != gone.piece.start:
        return None
    if gone.only_planned():  # whichever of them was told first
        return before
    return before if any(supersede in gone.supersedes for supersede in before.supersedes) else None


def remove(track: Track, claim: Claim, gone: Rectangle, kind: ChangeKind) -> Rectangle | None:
    """Close a belief with nothing of it going on; what it had cut short goes on as if it had never been said."""
    before = cut_short_by(track, gone)
    track.close(gone, claim, kind, loose=True)
    if before is None:
        return None
    end, precision = gone.piece.end, gone.piece.end_precision
    return track.reshape(before, claim, kind, "restored", end=end, end_precision=precision, end_after=None)


def correct(track: Track, claim: Claim, piece: HeldValue) -> Rectangle | None:
    """The belief was wrong: it closes, nothing of it goes on, and the new value takes its stretch of world time."""
    dated = claim.valid.start is not None
    named = [one for one in track.open if claim.replaces and means(claim.replaces, one.piece.object)]
    if not named and dated:
        same = [one for one in track.over(piece.start, piece.end) if one.piece.value == piece.value]
        if claim.standing >= TYPED or (same and all(_may_end(claim, one) for one in same)):
            return _correct_dates(track, claim, piece, same)
    wrong = named[-1] if named else track.at(piece.start) or track.latest()
    if wrong is None:
        return track.place(piece, claim, "new")
    if not _may_end(claim, wrong):
        return None
    if wrong.piece.value == piece.value:
        wrong = next((one for one in track.open if one.piece.disputed and one.piece.value != piece.value), wrong)
    old = wrong.piece
    if old.value == piece.value and not dated and not old.disputed:
        if claim.standing < TYPED or old.object == piece.object:
            wrong.sources.append(claim)
            return None
        return track.retell(wrong, claim, "correct", object=piece.object)  # "lisbon" is written "Lisbon"
    taken = replace(piece, disputed=False)
    if not dated:
        taken = replace(
            old, value=piece.value, object=piece.object, predicate=piece.predicate, negative=piece.negative,
            disputed=False, standing=max(piece.standing, old.standing), qualifiers=piece.qualifiers,
        )  # fmt: skip
    rivals = [one for one in track.over(old.start, old.end) if one.piece.disputed] if old.disputed else []
    closing = [wrong, *(rival for rival in rivals if rival is not wrong)]
    for one in closing:
        track.close(one, claim, "correct")
    return _put_in(track, claim, taken, closing)


def _put_in(track: Track, claim: Claim, piece: HeldValue, closed: list[Rectangle]) -> Rectangle:
    """The right value in place of what was closed for it, and of all else that it covers."""
    covered = track.over(piece.start, piece.end)
    for one in covered:
        cut(track, claim, one, piece, "correct")
    replaced = [*closed, *covered]
    return track.place(piece, claim, "correct" if replaced else "new", replaced)


def _correct_dates(track: Track, claim: Claim, piece: HeldValue, same: list[Rectangle]) -> Rectangle:
    """The words say when the right value held: what was believed of it is dated anew, what was believed of other times
    stays, and what the value had cut short goes on to its true beginning."""
    if not claim.holds_now and claim.valid.end is None:  # it ends where the next one was said to begin
        later = [one.piece for one in track.over(piece.start + 1, piece.end) if one.piece.start > piece.start]
        for other in later:
            if other.start_precision is not Precision.OPEN and other.value != piece.value:
                piece = replace(piece, end=other.start, end_precision=other.start_precision)
                break
    start, precision = piece.start, piece.start_precision
    for one in same:
        before = cut_short_by(track, one)
        track.close(one, claim, "correct")
        if before is not None and one.piece.start < start:
            track.reshape(before, claim, "correct", "restored", end=start, end_precision=precision, end_after=None)
    return _put_in(track, claim, piece, same)


def retract(track: Track, claim: Claim, predicate: Predicate, single: bool) -> None:
    """It never held: nothing of it goes on. Words that give a time mean what was believed of that time."""
    start, end = claim.valid.start, claim.valid.end
    if start is None and end is not None:
        start = end - 1
    meant = track.over(start, FOREVER if end is None else end) if start is not None else list(track.open)
    if claim.standing >= TYPED:
        value = value_key(claim.object)
        named = [one for one in meant if value_key(one.piece.object) == value]
    else:
        event = predicate.temporal == "event"
        named = [
            one for one in meant
            if not claim.object or means(claim.object, one.piece.object)
            or (event and is_one_occasion(claim.object, one.piece.object))
        ]  # fmt: skip
    if CALLED_OFF in dict(claim.qualifiers):  # what lies ahead is never to be; what is named and holds by then ends
        now = claim.said_at.us
        ahead = [one for one in named if _lies_ahead(one, now)]
        if claim.object and not ahead:
            for one in named:
                if one in track.open and one.piece.end > now and _may_end(claim, one):
                    _shorten(track, claim, one, now, Precision.OPEN)
        named = ahead
    for one in named if claim.object or not single else named[-1:]:
        if one in track.open and _may_end(claim, one):
            remove(track, claim, one, "retract")
            # What stood in dispute with it, and with nothing else, is disputed no more.
            for other in track.over(one.piece.start, one.piece.end) if one.piece.disputed else ():
                if other.piece.disputed and len(track.over(other.piece.start, other.piece.end)) == 1:
                    track.reshape(other, claim, "retract", "settled", disputed=False)


def _may_end(claim: Claim, one: Rectangle) -> bool:
    return claim.standing > OTHERS or one.piece.standing <= claim.standing


def _lies_ahead(one: Rectangle, moment: int) -> bool:
    return one.piece.start > moment and one.piece.start_precision is not Precision.OPEN


def _shorten(track: Track, claim: Claim, one: Rectangle, moment: int, precision: Precision) -> Rectangle:
    """End a rectangle at a moment; one that was first heard of after it is kept as a past of unknown beginning."""
    last = one.last_said()
    after = last if precision is Precision.OPEN and last < moment else None
    shape: dict[str, object] = {"end": moment, "end_precision": precision, "end_after": after}
    if one.piece.start >= moment:
        if track.at(moment - 1) is not None:
            track.close(one, claim, "stop", loose=True)
            return one
        shape |= {"start": moment - 1, "start_known": False}
    return track.retell(one, claim, "stop", "stopped", **shape)


def stop(track: Track, claim: Claim, predicate: Predicate, single: bool, *, correct: bool = False) -> list[Rectangle]:
    """It ended with nothing after it. Gives the shortened rectangles (or the closed ones, where nothing is left)."""
    ended = strike(track, claim, claim.object if single and claim.cue == "stop" else "", correct=correct)
    if not ended and claim.cue == "stop" and claim.object and IF_HELD not in dict(claim.qualifiers):
        _tell_past(track, claim, piece_of(claim, predicate, single))
    return ended


def _end_of(claim: Claim) -> tuple[int | None, Precision]:
    """The moment at which something is said to have ended, and how exactly; None where nobody says."""
    said = claim.valid.start if claim.valid.start is not None else claim.valid.end
    return said, Precision.OPEN if said is None else claim.valid.precision


def strike(track: Track, claim: Claim, wanted: str, *, correct: bool = False) -> list[Rectangle]:
    """End what is wanted ("": whatever holds). Gives the shortened rectangles, or the closed ones."""
    said, precision = _end_of(claim)
    moment = claim.said_at.us if said is None else said

    def struck() -> list[Rectangle]:
        """What holds then or later, is what is wanted, and may be ended by who speaks."""
        found = [one for one in track.over(moment, FOREVER) if not wanted or means(wanted, one.piece.object)]
        return [one for one in found if _may_end(claim, one)]

    ended: list[Rectangle] = []
    while gone := [one for one in struck() if correct or _lies_ahead(one, moment)]:
        ended.append(remove(track, claim, gone[-1], "correct" if correct else "stop") or gone[-1])
    return ended + [_shorten(track, claim, one, moment, precision) for one in struck()]


def outlive(track: Track, claim: Claim) -> None:
    """Nobody died: what a death had ended goes on as it did before."""
    for one in list(track.open):
        old = one
        while old.supersedes and isinstance(told := old.sources[-1], Claim) and told.predicate == claim.predicate:
            old = old.supersedes[0]
        if old is not one:
            track.close(one, claim, "retract")
            track.place(old.piece, claim, "retract", [one], old.sources, "restored")


def _tell_past(track: Track, claim: Claim, piece: HeldValue) -> None:
    """What ended had not been heard of: it is a past of unknown beginning. Where nobody says when it ended, it did so
    before what is believed to have held since."""
    said, precision = _end_of(claim)
    value = piece.value.removeprefix("not ")
    moment = claim.said_at.us if said is None else said
    if said is None and any(one.piece.value == value for one in track.over(ALWAYS, moment)):
        return
    while said is None and (later := track.at(moment - 1)) is not None and later.piece.start > ALWAYS:
        moment = later.piece.start
    past = replace(
        piece, start=moment - 1, end=moment, start_known=False, start_precision=Precision.OPEN, negative=False,
        end_precision=precision, value=value,
    )  # fmt: skip
    if not track.over(past.start, past.end):
        track.place(past, claim, "backfill" if track.all else "new")
