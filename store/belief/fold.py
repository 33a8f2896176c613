"""What is believed at T depends on nothing said after T: claims are laid one over another in the order of saying.

A claim lays its own stretch of world time over what is believed at that moment. What it covers closes in belief time
then; what sticks out is opened again then, shortened; nothing else ever closes a rectangle. The order is (said_at,
session, place in the session, place in the turn) and never the order of arrival, so any order of import gives the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from store.belief.events import lay_event
from store.belief.predicates import REGISTRY, Predicate, find
from store.belief.rectangles import ALWAYS, FOREVER, Piece, Rectangle, Track, lasting
from store.belief.values import overlaps, refines, value_key
from store.records import ChangeKind, Claim, Precision

LATE_NEWS = 400 * 86_400_000_000
"""Microseconds. An onset told later than this is a story about the past: it does not displace what was said to hold
since, which was first heard of in between ("in 2016 I moved to Braga")."""


def order(claim: Claim) -> tuple[int, str, int, int, str]:
    """The order in which claims are laid."""
    return (claim.said_at.us, claim.session, claim.position, claim.start, claim.id)


def fold(claims: Iterable[Claim], subject: str, family: str) -> list[Rectangle]:
    """Every rectangle that the claims about one subject and predicate family add up to, in the order of believing."""
    folding = _Folding(subject, family)
    for claim in sorted(claims, key=order):
        if claim.modality == "fact":
            folding.add(claim)
    tracks = folding.tracks.values()
    return lasting(one for track in tracks for one in track.all)


def is_single(predicate: Predicate, claim: Claim) -> bool:
    """Whether the slot holds one value: the registry says so, or, where it is silent, the wording."""
    if predicate.name in REGISTRY or predicate.name.startswith("favourite_"):
        return predicate.cardinality == "one"
    return claim.functional


class _Folding:
    """The tracks of one (subject, predicate family): one track for a single-valued slot, else one for each object."""

    def __init__(self, subject: str, family: str) -> None:
        self.slot = f"{subject}|{family}"
        self.tracks: dict[str, Track] = {}

    def add(self, claim: Claim) -> None:
        predicate = find(claim.predicate)
        single = is_single(predicate, claim)
        if claim.cue in ("stop", "retract"):
            for track in self._stopped_tracks(claim, single):
                (_stop if claim.cue == "stop" else _retract)(track, claim, predicate, single)
            return
        track = self._track("" if single else value_key(claim.object))
        if predicate.temporal == "event":
            lay_event(track, claim, predicate)
            return
        piece = _piece_of(claim, predicate, single)
        replaced = self._end_the_replaced(claim, predicate, track)
        laid = _lay(track, claim, piece, predicate)
        if laid is not None and replaced:
            laid.change = "update" if claim.cue != "correct" else "correct"
            laid.supersedes.extend(one for one in replaced if one not in laid.supersedes)

    def _track(self, key: str) -> Track:
        if key not in self.tracks:
            self.tracks[key] = Track(f"{self.slot}|{key}" if key else self.slot)
        return self.tracks[key]

    def _stopped_tracks(self, claim: Claim, single: bool) -> Sequence[Track]:
        """Where a stop or a retraction strikes: the named value, or the only one there is; in doubt, nowhere."""
        if single or not claim.object:
            live = [track for track in self.tracks.values() if track.open]
            return live if len(live) == 1 else [self._track("")] if single else []
        exact = self.tracks.get(value_key(claim.object))
        if exact is not None and exact.open:
            return [exact]
        near = [track for track in self.tracks.values() if _names(track, claim.object)]
        return near if len(near) == 1 else [self._track(value_key(claim.object))]

    def _end_the_replaced(self, claim: Claim, predicate: Predicate, track: Track) -> list[Rectangle]:
        """Values in other tracks that this claim ends: the one that it names, or all where the slot only accumulates
        for want of a registry entry and the words say change."""
        others = [one for one in self.tracks.values() if one is not track and one.open]
        if claim.replaces:
            others = [one for one in others if _names(one, claim.replaces)]
        elif claim.cue != "update" or claim.functional or predicate.name in REGISTRY:
            return []
        ended: list[Rectangle] = []
        for other in others:
            ended += _stop(other, claim, predicate, single=False, correct=claim.cue == "correct")
        return ended


def _names(track: Track, words: str) -> bool:
    return any(overlaps(one.piece.object, words) for one in track.open)


def _piece_of(claim: Claim, predicate: Predicate, single: bool) -> Piece:
    """The stretch of world time that the claim speaks of, before anything is known of its neighbours."""
    valid = claim.valid
    start, end, known = valid.start, valid.end, True
    precision = valid.precision
    if predicate.temporal == "permanent" and start is None and end is None:
        start, end, precision = ALWAYS, FOREVER, Precision.OPEN
    elif start is None and end is not None and end <= claim.said_at.us:
        start, known, precision = end - 1, False, Precision.OPEN
    elif start is None:
        start, precision = claim.said_at.us, Precision.OPEN
    value = value_key(claim.object) if single else predicate.name
    return Piece(
        value=("not " if claim.negative else "") + value,
        predicate=predicate.name,
        object=claim.object,
        start=start,
        end=FOREVER if end is None else end,
        start_precision=precision,
        end_precision=Precision.OPEN if end is None else valid.precision,
        offset=valid.offset or claim.said_at.offset,
        start_known=known,
        negative=claim.negative,
        standing=claim.standing,
        qualifiers=claim.qualifiers,
    )


def _lay(track: Track, claim: Claim, piece: Piece, predicate: Predicate) -> Rectangle | None:
    if claim.cue == "correct":
        return _correct(track, claim, piece)
    same = _same_value(track, claim, piece)
    if same is not None:
        return _say_again(track, claim, piece, same)
    coarser = track.at(piece.start)
    if coarser is not None and not claim.negative and refines(piece.object, coarser.piece.object):
        return _elaborate(track, claim, piece, coarser)
    if coarser is not None and claim.cue == "state" and refines(coarser.piece.object, piece.object):
        coarser.sources.append(claim)
        return None
    return _overlay(track, claim, _bounded(track, claim, piece), predicate)


def _same_value(track: Track, claim: Claim, piece: Piece) -> Rectangle | None:
    """The rectangle that says the same of the same time: it holds where the claim's stretch begins, or the claim only
    tells an earlier beginning of what holds now."""
    here = [one for one in track.over(piece.start, piece.start + 1) if one.piece.value == piece.value]
    if here:
        return here[0]
    if claim.valid.start is None or claim.valid.end is not None:
        return None
    now = track.at(claim.said_at.us)
    if now is None or now.piece.value != piece.value:
        return None
    between = track.over(piece.start, now.piece.start)
    open_start = now.piece.start_precision is Precision.OPEN
    return now if open_start or (claim.holds_now and not between) else None


def _say_again(track: Track, claim: Claim, piece: Piece, same: Rectangle) -> Rectangle | None:
    """The same value: more words for it, or a boundary that is told for the first time, or told more exactly."""
    old = same.piece
    changed: dict[str, object] = {}
    if claim.valid.start is not None and _tells_more(piece, old):
        changed = {"start": piece.start, "start_precision": piece.start_precision, "start_after": None}
        for one in track.over(piece.start, old.start):
            if one is not same:
                _cut(track, claim, one, piece.start, FOREVER, piece, "update")
    if claim.valid.end is not None and piece.end < old.end:
        changed |= {"end": piece.end, "end_precision": piece.end_precision, "end_after": None}
    if dict(claim.qualifiers).items() - dict(old.qualifiers).items():
        changed["qualifiers"] = tuple(sorted((dict(old.qualifiers) | dict(claim.qualifiers)).items()))
    if not changed:
        same.sources.append(claim)
        return None
    kind: ChangeKind = "stop" if set(changed) >= {"end"} and "start" not in changed else "elaborate"
    fresh = track.reshape(same, claim, kind, "again", **changed)
    fresh.sources.append(claim)
    return fresh


def _tells_more(new: Piece, old: Piece) -> bool:
    """Whether the start of `new` says more than that of `old`: it was open, or the new one lies in it more exactly."""
    if old.start_precision is Precision.OPEN:
        return new.start <= old.start
    finer = list(Precision).index(new.start_precision) < list(Precision).index(old.start_precision)
    return (finer and new.start > old.start) or (new.start < old.start and not old.disputed)


def _elaborate(track: Track, claim: Claim, piece: Piece, coarser: Rectangle) -> Rectangle:
    changed: dict[str, object] = {"object": piece.object, "value": piece.value}
    if claim.valid.start is not None and piece.start > coarser.piece.start:
        _cut(track, claim, coarser, piece.start, FOREVER, piece, "elaborate")
        fresh = track.place(piece, claim, "elaborate", [coarser], [claim], "main")
    else:
        fresh = track.reshape(coarser, claim, "elaborate", "main", **changed)
        fresh.sources.append(claim)
    return fresh


def _bounded(track: Track, claim: Claim, piece: Piece) -> Piece:
    """Cut a claim's stretch at the next state that was said to begin later; only what is said to hold now reaches
    over states that began before now."""
    horizon = max(piece.start, claim.said_at.us) if claim.holds_now else piece.start
    limit = track.next_said_after(horizon)
    if limit is None and not claim.holds_now and claim.said_at.us - piece.start > LATE_NEWS:
        heard = [one for one in track.over(piece.start + 1, FOREVER) if one.piece.value != piece.value]
        limit = next((one.piece.start for one in heard if one.piece.start > piece.start), None)
    if limit is None or limit >= piece.end:
        return piece
    return replace(piece, end=limit, end_precision=Precision.OPEN)


def _overlay(track: Track, claim: Claim, piece: Piece, predicate: Predicate) -> Rectangle | None:
    piece = _yield_to_standing(track, claim, piece)
    if piece.end <= piece.start:
        return None
    under = track.over(piece.start, piece.end)
    rivals = [one for one in under if _rival(one, claim, piece, predicate)]
    if rivals:
        return _dispute(track, claim, piece, rivals)
    fallen = next((one for one in under if _plan_fell_through(track, claim, piece, one)), None)
    if fallen is not None:
        return _back_to_before(track, claim, fallen)
    if under and claim.valid.start is None and piece.start_known:
        said = [one.last_said() for one in under if one.last_said() <= piece.start]
        piece = replace(piece, start_after=max(said) if said else None)
    ongoing = claim.holds_now or piece.end == FOREVER
    kind: ChangeKind = "update" if under and ongoing else "backfill" if track.all and not ongoing else "new"
    kind = "backfill" if kind == "new" and track.open else kind
    replaced = sorted(under, key=lambda one: (one.piece.start > piece.start, -one.piece.start))
    for one in under:
        _cut(track, claim, one, piece.start, piece.end, piece, kind)
    return track.place(piece, claim, kind, replaced, [claim], "main")


def _yield_to_standing(track: Track, claim: Claim, piece: Piece) -> Piece:
    """A lower standing never rewrites what a higher one said of the time that it spoke about."""
    higher = [one for one in track.over(piece.start, piece.end) if one.piece.standing > claim.standing]
    if not higher:
        return piece
    if claim.standing <= 2:
        return replace(piece, end=piece.start)
    told = max(one.because.said_at.us for one in higher)
    return replace(piece, start=max(piece.start, min(told, claim.said_at.us)))


def _rival(one: Rectangle, claim: Claim, piece: Piece, predicate: Predicate) -> bool:
    """Two values for the very same stretch, of equal standing, with no word of change: they cannot both hold."""
    if claim.cue != "state" or one.piece.standing != claim.standing:
        return False
    if predicate.temporal == "permanent":
        return True
    if one.because.said_at.us == claim.said_at.us and one.piece.start == piece.start and one.piece.end == piece.end:
        return True
    said = claim.valid.start is not None and one.piece.start_precision is not Precision.OPEN
    return said and (one.piece.start, one.piece.end) == (piece.start, piece.end)


def _dispute(track: Track, claim: Claim, piece: Piece, rivals: list[Rectangle]) -> Rectangle:
    for one in rivals:
        if not one.piece.disputed:
            track.reshape(one, claim, "dispute", "disputed", disputed=True)
    return track.place(replace(piece, disputed=True), claim, "dispute", rivals, [claim], "main")


def _plan_fell_through(track: Track, claim: Claim, piece: Piece, one: Rectangle) -> bool:
    """What was only planned did not come about: after its time, the person still speaks of what was before it."""
    if not (claim.holds_now and claim.valid.start is None and one.only_planned()):
        return False
    before = track.at(one.piece.start - 1)
    return before is not None and before.piece.value == piece.value


def _back_to_before(track: Track, claim: Claim, fallen: Rectangle) -> Rectangle:
    before = _remove(track, claim, fallen, "correct")
    assert before is not None
    before.sources.append(claim)
    return before


def _remove(track: Track, claim: Claim, gone: Rectangle, kind: ChangeKind) -> Rectangle | None:
    """Close a belief with nothing of it going on; what it had cut short goes on as if it had never been said."""
    before = track.at(gone.piece.start - 1)
    track.close(gone, claim, kind, loose=True)
    cut_by_it = before is not None and before.piece.end == gone.piece.start and before.ended is None
    if before is None or not cut_by_it or not any(one in gone.supersedes for one in before.supersedes):
        return None
    return track.reshape(
        before, claim, kind, "restored", end=gone.piece.end, end_precision=gone.piece.end_precision, end_after=None
    )


def _cut(track: Track, claim: Claim, one: Rectangle, start: int, end: int, by: Piece, kind: ChangeKind) -> None:
    """Close a rectangle under [start, end) and open again what sticks out on either side."""
    old = one.piece
    track.close(one, claim, kind)
    if old.start < start and old.start_known:
        said = one.last_said() if by.start_precision is Precision.OPEN else None
        left = replace(
            old, end=start, end_precision=by.start_precision, end_after=said if said and said < start else None
        )
        track.place(left, claim, kind, [one], list(one.sources), "left")
    if end < old.end and not (kind == "elaborate" and end == FOREVER):
        right = replace(old, start=end, start_precision=by.end_precision, start_after=None)
        track.place(right, claim, kind, [one], list(one.sources), "right")


def _correct(track: Track, claim: Claim, piece: Piece) -> Rectangle | None:
    """The belief was wrong: it closes, nothing of it goes on, and the new value takes its stretch of world time."""
    named = [one for one in track.open if claim.replaces and overlaps(one.piece.object, claim.replaces)]
    wrong = named[-1] if named else track.at(piece.start) or track.latest()
    if wrong is None:
        return track.place(piece, claim, "new", [], [claim], "main")
    if wrong.piece.value == piece.value:
        wrong = next((one for one in track.open if one.piece.disputed and one.piece.value != piece.value), wrong)
    if wrong.piece.value == piece.value and claim.valid.start is None and not wrong.piece.disputed:
        wrong.sources.append(claim)
        return None
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
    closing = [wrong, *(one for one in rivals if one is not wrong)]
    for one in closing:
        track.close(one, claim, "correct")
    for one in track.over(taken.start, taken.end):
        _cut(track, claim, one, taken.start, taken.end, taken, "correct")
    return track.place(taken, claim, "correct", closing, [claim], "main")


def _retract(track: Track, claim: Claim, _predicate: Predicate, single: bool) -> None:
    named = [one for one in track.open if not claim.object or overlaps(one.piece.object, claim.object)]
    for one in named if claim.object or not single else named[-1:]:
        if one in track.open:
            _remove(track, claim, one, "retract")


def _stop(track: Track, claim: Claim, predicate: Predicate, single: bool, *, correct: bool = False) -> list[Rectangle]:
    """It ended with nothing after it. Gives the shortened rectangles (or the closed ones, where nothing is left)."""
    said = claim.valid.start if claim.valid.start is not None else claim.valid.end
    moment = claim.said_at.us if said is None else said
    precision = Precision.OPEN if said is None else claim.valid.precision
    hit = [
        one
        for one in track.over(moment, FOREVER)
        if not single or not claim.object or claim.cue != "stop" or overlaps(one.piece.object, claim.object)
    ]
    ended: list[Rectangle] = []
    for one in hit:
        if correct or (one.piece.start > moment and one.piece.start_precision is not Precision.OPEN):
            ended.append(_remove(track, claim, one, "correct" if correct else "stop") or one)
            continue
        last = one.last_said()
        after = last if said is None and last < moment else None
        loose_start = one.piece.start >= moment
        shape: dict[str, object] = {"end": moment, "end_precision": precision, "end_after": after}
        if loose_start and track.at(moment - 1) is not None:
            track.close(one, claim, "stop", loose=True)
            ended.append(one)
            continue
        if loose_start:
            shape |= {"start": moment - 1, "start_known": False}
        fresh = track.reshape(one, claim, "stop", "stopped", **shape)
        fresh.sources.append(claim)
        ended.append(fresh)
    if not hit and claim.cue == "stop" and claim.object and claim.confidence >= 0.8:
        piece = _piece_of(claim, predicate, single)
        past = replace(
            piece,
            start=moment - 1,
            end=moment,
            start_known=False,
            start_precision=Precision.OPEN,
            negative=False,
            end_precision=precision,
            value=piece.value.removeprefix("not "),
        )
        if not track.over(past.start, past.end):
            track.place(past, claim, "backfill" if track.all else "new", [], [claim], "main")
    return ended
