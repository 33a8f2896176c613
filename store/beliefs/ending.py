"""A belief ends in one of three ways: the world moved on (cut, stop), it had never been so (correct), it is taken back.

Whatever ends closes in belief time at the saying of the claim that ends it, and stays in view from before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from store.beliefs.pieces import IF_HELD, TYPED, is_called_off, piece_of
from store.beliefs.predicates import Predicate
from store.beliefs.rectangles import ALWAYS, FOREVER, HeldValue, Rectangle, Track
from store.beliefs.values import is_one_occasion, means, value_key
from store.records import ChangeKind, Claim, Precision

SURE = 0.8
OTHERS = 2  # the standing up to which it is not the person who speaks: that ends nothing which they said themselves


def cut(track: Track, claim: Claim, one: Rectangle, start: int, end: int, by: HeldValue, kind: ChangeKind) -> None:
    """Close a rectangle under [start, end) and open again what sticks out on either side."""
    old = one.piece
    track.close(one, claim, kind)
    if not old.start_known and old.end_precision is Precision.OPEN and old.value != by.value and kind != "correct":
        # Nobody said when it ended: it ended before this.
        earlier = replace(old, start=start - 1, end=start)
        if not track.over(earlier.start, earlier.end):
            track.place(earlier, claim, kind, [one], list(one.sources), "left")
        return
    if old.start < start and old.start_known:
        said = one.last_said() if by.start_precision is Precision.OPEN else None
        left = replace(
            old, end=start, end_precision=by.start_precision, end_after=said if said and said < start else None
        )
        track.place(left, claim, kind, [one], list(one.sources), "left")
    if end < old.end and not (kind == "elaborate" and end == FOREVER):
        right = replace(old, start=end, start_precision=by.end_precision, start_after=None)
        track.place(right, claim, kind, [one], list(one.sources), "right")


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
    return track.reshape(
        before, claim, kind, "restored", end=gone.piece.end, end_precision=gone.piece.end_precision, end_after=None
    )


def correct(track: Track, claim: Claim, piece: HeldValue) -> Rectangle | None:
    """The belief was wrong: it closes, nothing of it goes on, and the new value takes its stretch of world time."""
    named = [one for one in track.open if claim.replaces and means(claim.replaces, one.piece.object)]
    if not named and claim.valid.start is not None:
        same = [one for one in track.over(piece.start, piece.end) if one.piece.value == piece.value]
        if claim.standing >= TYPED or (same and all(_may_end(claim, one) for one in same)):
            return _correct_dates(track, claim, piece, same)
    wrong = named[-1] if named else track.at(piece.start) or track.latest()
    if wrong is None:
        return track.place(piece, claim, "new", [], [claim], "main")
    if not _may_end(claim, wrong):
        return None
    if wrong.piece.value == piece.value:
        wrong = next((one for one in track.open if one.piece.disputed and one.piece.value != piece.value), wrong)
    if wrong.piece.value == piece.value and claim.valid.start is None and not wrong.piece.disputed:
        if claim.standing < TYPED or wrong.piece.object == piece.object:
            wrong.sources.append(claim)
            return None
        fresh = track.reshape(wrong, claim, "correct", "main", object=piece.object)  # "lisbon" is written "Lisbon"
        fresh.sources.append(claim)
        return fresh
    old = wrong.piece
    rivals = [one for one in track.over(old.start, old.end) if one.piece.disputed] if old.disputed else []
    taken = (
        replace(piece, disputed=False)
        if claim.valid.start is not None
        else replace(
            old,
            value=piece.value,
            object=piece.object,
            predicate=piece.predicate,
            negative=piece.negative,
            disputed=False,
            standing=max(piece.standing, old.standing),
            qualifiers=piece.qualifiers,
        )
    )
    closing = [wrong, *(rival for rival in rivals if rival is not wrong)]
    for one in closing:
        track.close(one, claim, "correct")
    covered = track.over(taken.start, taken.end)
    for one in covered:
        cut(track, claim, one, taken.start, taken.end, taken, "correct")
    return track.place(taken, claim, "correct", [*closing, *covered], [claim], "main")


def _correct_dates(track: Track, claim: Claim, piece: HeldValue, same: list[Rectangle]) -> Rectangle:
    """The words say when the right value held: what was believed of it is dated anew, what was believed of other times
    stays, and what the value had cut short goes on to its true beginning."""
    piece = _until_the_next(track, claim, piece)
    for one in same:
        before = cut_short_by(track, one)
        track.close(one, claim, "correct")
        if before is not None and one.piece.start < piece.start:
            track.reshape(
                before, claim, "correct", "restored", end=piece.start, end_precision=piece.start_precision,
                end_after=None,
            )  # fmt: skip
    covered = track.over(piece.start, piece.end)
    for one in covered:
        cut(track, claim, one, piece.start, piece.end, piece, "correct")
    return track.place(piece, claim, "correct" if same or covered else "new", [*same, *covered], [claim], "main")


def _until_the_next(track: Track, claim: Claim, piece: HeldValue) -> HeldValue:
    """A value of which only the beginning is said anew ends where the next one was said to begin."""
    if claim.holds_now or claim.valid.end is not None:
        return piece
    for one in track.over(piece.start + 1, piece.end):
        begins = one.piece.start > piece.start and one.piece.start_precision is not Precision.OPEN
        if begins and one.piece.value != piece.value:
            return replace(piece, end=one.piece.start, end_precision=one.piece.start_precision)
    return piece


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
    if is_called_off(claim):
        named = _planned(track, claim, named)
    for one in named if claim.object or not single else named[-1:]:
        if one in track.open and _may_end(claim, one):
            remove(track, claim, one, "retract")
            _calm(track, claim, one.piece)


def _planned(track: Track, claim: Claim, named: Iterable[Rectangle]) -> list[Rectangle]:
    """Of what is called off, what lies ahead; what is named and holds by then ends."""
    now = claim.said_at.us
    ahead = [one for one in named if _lies_ahead(one, now)]
    if claim.object and not ahead:
        for one in named:
            if one in track.open and one.piece.end > now and _may_end(claim, one):
                _shorten(track, claim, one, now, Precision.OPEN)
    return ahead


def _calm(track: Track, claim: Claim, gone: HeldValue) -> None:
    """What stood in dispute with something that is taken back, and with nothing else, is disputed no more."""
    if not gone.disputed:
        return
    for one in [one for one in track.over(gone.start, gone.end) if one.piece.disputed]:
        if len(track.over(one.piece.start, one.piece.end)) == 1:
            track.reshape(one, claim, "retract", "settled", disputed=False)


def _may_end(claim: Claim, one: Rectangle) -> bool:
    return claim.standing > OTHERS or one.piece.standing <= claim.standing


def _struck(track: Track, claim: Claim, moment: int, wanted: str) -> list[Rectangle]:
    """What holds at a moment or later, is what is wanted, and may be ended by who speaks."""
    found = [one for one in track.over(moment, FOREVER) if not wanted or means(wanted, one.piece.object)]
    return [one for one in found if _may_end(claim, one)]


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
    fresh = track.reshape(one, claim, "stop", "stopped", **shape)
    fresh.sources.append(claim)
    return fresh


def stop(track: Track, claim: Claim, predicate: Predicate, single: bool, *, correct: bool = False) -> list[Rectangle]:
    """It ended with nothing after it. Gives the shortened rectangles (or the closed ones, where nothing is left)."""
    ended = strike(track, claim, claim.object if single and claim.cue == "stop" else "", correct=correct)
    if not ended and claim.cue == "stop" and claim.object and _names_what_ended(claim):
        said, precision = _end_of(claim)
        _tell_past(track, claim, piece_of(claim, predicate, single), said, precision)
    return ended


def _end_of(claim: Claim) -> tuple[int | None, Precision]:
    """The moment at which something is said to have ended, and how exactly; None where nobody says."""
    said = claim.valid.start if claim.valid.start is not None else claim.valid.end
    return said, Precision.OPEN if said is None else claim.valid.precision


def strike(track: Track, claim: Claim, wanted: str, *, correct: bool = False) -> list[Rectangle]:
    """End what is wanted ("": whatever holds). Gives the shortened rectangles, or the closed ones."""
    said, precision = _end_of(claim)
    moment = claim.said_at.us if said is None else said
    ended: list[Rectangle] = []
    while gone := [one for one in _struck(track, claim, moment, wanted) if correct or _lies_ahead(one, moment)]:
        ended.append(remove(track, claim, gone[-1], "correct" if correct else "stop") or gone[-1])
    ended += [_shorten(track, claim, one, moment, precision) for one in _struck(track, claim, moment, wanted)]
    return ended


def outlive(track: Track, claim: Claim) -> None:
    """Nobody died: what a death had ended goes on as it did before."""
    for one in list(track.open):
        old = one
        while isinstance(told := old.sources[-1], Claim) and told.predicate == claim.predicate:
            old = old.supersedes[0]
        if old is not one:
            track.close(one, claim, "retract")
            track.place(old.piece, claim, "retract", [one], list(old.sources), "restored")


def _names_what_ended(claim: Claim) -> bool:
    """Whether a claim says what was so, and not only what may have been: of one end the rules claim each predicate that
    it may mean, and are less sure of them; the reader claims one."""
    told = claim.confidence >= SURE or claim.extractor.startswith("reader/")
    return told and all(name != IF_HELD for name, _ in claim.qualifiers)


def _tell_past(track: Track, claim: Claim, piece: HeldValue, said: int | None, precision: Precision) -> None:
    """What ended had not been heard of: it is a past of unknown beginning. Where nobody says when it ended, it did so
    before what is believed to have held since."""
    value = piece.value.removeprefix("not ")
    moment = claim.said_at.us if said is None else said
    if said is None and any(one.piece.value == value for one in track.over(ALWAYS, moment)):
        return
    while said is None and (later := track.at(moment - 1)) is not None and later.piece.start > ALWAYS:
        moment = later.piece.start
    past = replace(
        piece,
        start=moment - 1,
        end=moment,
        start_known=False,
        start_precision=Precision.OPEN,
        negative=False,
        end_precision=precision,
        value=value,
    )
    if not track.over(past.start, past.end):
        track.place(past, claim, "backfill" if track.all else "new", [], [claim], "main")
