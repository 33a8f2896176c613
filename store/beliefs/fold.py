"""What is believed at T depends on nothing said after T: claims are laid one over another in the order of saying.

A claim lays its own stretch of world time over what is believed at that moment. What it covers closes in belief time
then; what sticks out is opened again then, shortened; nothing else ever closes a rectangle. The order is (said_at,
session, place in the session, place in the turn) and never the order of arrival, so any order of import gives the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from store.beliefs.ending import outlive, retract, stop, strike
from store.beliefs.events import is_on, lay_event
from store.beliefs.laying import LATE_NEWS, lay
from store.beliefs.pieces import ALONE, ALSO, CALLED_OFF, MOVED_FROM, STREET, TYPED, piece_of
from store.beliefs.predicates import DEATH, REGISTRY, Predicate, ended_by, find
from store.beliefs.rectangles import FOREVER, Rectangle, Track, settle_moment
from store.beliefs.values import is_one_occasion, means, value_key
from store.records import Claim, Precision

_STREET_NAME = re.compile(
    r"\b(?:street|road|lane|avenue|drive|close|court|crescent|terrace|square|place|way|hill|row|gardens|grove|walk|quay"
    r"|mews|st|rd|ave|rua|rue|calle|via|ulica|avenida|\w+(?:stra(?:ß|ss)e|weg|gasse|platz|laan|straat|gatan|veien))\b"
)


def fold(claims: Iterable[Claim], subject: str, family: str) -> list[Rectangle]:
    """Every rectangle that the claims about one subject and predicate family add up to, in the order of believing."""
    folding = Folding(subject, family)
    folding.take(claims)
    return [one for track in folding.tracks.values() for one in track.all]


def is_single(predicate: Predicate, claim: Claim) -> bool:
    """Whether the slot holds one value: the registry says so, or, where it is silent, the wording."""
    if (predicate.name in REGISTRY and "per_thing" not in predicate.traits) or predicate.name.startswith("favourite_"):
        return predicate.cardinality == "one"
    return claim.functional


class Folding:
    """The tracks of one (subject, predicate family): one track for a single-valued slot, else one for each object.

    After each moment of saying its state is what is stored of it (open rectangles, and loose ones): a fold can go on
    from there with later claims, and comes to the same.
    """

    def __init__(self, subject: str, family: str) -> None:
        self.family, self.subject = family, subject
        self.slot = f"{subject}|{family}"
        self.tracks: dict[str, Track] = {}
        self._touched: dict[str, Track] = {}  # those in which this moment may have opened something

    def take(self, claims: Iterable[Claim]) -> None:
        """Lay claims, all of them said later than what was taken before."""
        moment: int | None = None
        for claim in sorted(claims, key=self._turn):
            # Nobody writes of their own death: whoever is said to have was taken for another.
            of_the_living = claim.predicate == DEATH and claim.asserted_by == self.subject and not claim.negative
            if claim.modality != "fact" or of_the_living:
                continue
            if claim.said_at.us != moment:
                self._settle()
            moment = claim.said_at.us
            self._reach(claim) if self._is_elsewhere(claim) else self._add(claim)
        self._settle()

    def _turn(self, claim: Claim) -> tuple[int, bool, bool, str, int, int, str]:
        """The order in which claims are laid. What is said here of a value comes before what is said elsewhere ("I
        traded the Clio for a Zoe" is a change), and what is called off before what is told instead."""
        told_instead = CALLED_OFF not in dict(claim.qualifiers)
        place = (claim.session, claim.position, claim.start, claim.id)
        return (claim.said_at.us, self._is_elsewhere(claim), told_instead, *place)

    def _settle(self) -> None:
        settle_moment(list(self._touched.values()))
        self._touched.clear()

    def _touch(self, track: Track) -> Track:
        self._touched[track.slot] = track
        return track

    def _is_elsewhere(self, claim: Claim) -> bool:
        return find(claim.predicate).slot_name in ended_by(self.family)

    def _add(self, claim: Claim) -> None:
        predicate = find(claim.predicate)
        single = is_single(predicate, claim)
        if claim.cue in ("stop", "retract"):
            if claim.predicate == DEATH and claim.standing < TYPED:
                # Whatever it was that they died of; by hand, it is what was pointed at.
                claim = replace(claim, object="")
            for track in self._stopped_tracks(claim, single):
                (stop if claim.cue == "stop" else retract)(self._touch(track), claim, predicate, single)
            return
        track = self._touch(self._track_of(claim, predicate, single))
        if predicate.temporal == "event":
            lay_event(track, claim, predicate)
            return
        piece = piece_of(claim, predicate, single)
        replaced = self._end_the_replaced(claim, predicate, track)
        laid = lay(track, claim, piece, predicate)
        if laid is None:
            # The right value was believed already: the wrong one was only taken back.
            for one in replaced:
                one.ended = "retract" if one.ended == "correct" else one.ended
            return
        moves = "exclusive" in predicate.traits and track is self.tracks.get("")
        if claim.cue == "update" and (moves or (ALSO, STREET) in claim.qualifiers):
            self._end_beside(track, claim, predicate, piece.start)
        if replaced:
            laid.change = "update" if claim.cue != "correct" else "correct"
            laid.supersedes.extend(one for one in replaced if one not in laid.supersedes)

    def _reach(self, claim: Claim) -> None:
        """An end in another slot ends this very value here, or the one value that its noun names ("I sold the car");
        in doubt nothing. It tells no past. A death ends them all, until it is denied."""
        live = [track for _, track in sorted(self.tracks.items()) if track.open]
        if claim.predicate == DEATH:
            for track in map(self._touch, live):
                outlive(track, claim) if claim.negative or claim.cue == "retract" else strike(track, claim, "")
            return
        named = [track for track in live if _names(track, claim.object)]
        wanted = claim.object if named else ""
        if not named and value_key(claim.object) in find(self.family).nouns:
            named = live
        if len(named) == 1:
            strike(self._touch(named[0]), claim, wanted)

    def _track_of(self, claim: Claim, predicate: Predicate, single: bool) -> Track:
        """The whole slot's where it is single-valued, except for a value that is set beside the one that holds."""
        key = value_key(claim.object)
        if claim.predicate == DEATH:  # one dies but once, whatever it is called
            return next((track for track in self.tracks.values() if track.open), None) or self.track(key)
        if not single:
            moved = predicate.temporal == "event" and claim.cue in ("correct", "update") and key not in self.tracks
            return (self._of_occasion(claim) if moved else None) or self.track(key)
        if (ALSO, STREET) in claim.qualifiers:
            return self.track(key)
        start = claim.said_at.us if claim.valid.start is None else claim.valid.start
        held, beside = self.track("").at(start), self.tracks.get(key)
        if predicate.temporal != "state" or claim.cue != "state" or held is None or held.piece.value == key:
            return self.track("")
        also = ALSO in dict(claim.qualifiers) or (beside is not None and beside.at(start) is not None)
        return self.track(key if also else "")

    def _of_occasion(self, claim: Claim) -> Track | None:
        """Of what lies ahead, the one occasion that is given another date by fewer words: "the dentist is on Friday"
        after "dentist appointment"."""
        was_on = dict(claim.qualifiers).get(MOVED_FROM, "")
        on_it = [track for track in self.tracks.values() if any(is_on(one, was_on) for one in track.open)]
        if was_on and len(on_it) == 1:
            return on_it[0]

        def is_meant(one: Rectangle) -> bool:
            known = one.piece.object
            ahead = one.piece.end > claim.said_at.us
            return ahead and (is_one_occasion(claim.object, known) or means(claim.object, known))

        found = [track for track in self.tracks.values() if any(map(is_meant, track.open))]
        return found[0] if len(found) == 1 else None

    def track(self, key: str) -> Track:
        """The track of a value key, or of the whole slot (\"\")."""
        if key not in self.tracks:
            self.tracks[key] = Track(f"{self.slot}|{key}" if key else self.slot)
        return self.tracks[key]

    def _stopped_tracks(self, claim: Claim, single: bool) -> Sequence[Track]:
        """Where a stop or a retraction strikes: the named value, or the only one there is; in doubt, nowhere."""
        if single or not claim.object:
            live = [track for track in self.tracks.values() if track.open]
            meant = [track for track in live if claim.object and _names(track, claim.object)]
            live = meant if len(meant) == 1 else live
            return live if len(live) == 1 or self.family == DEATH else [self.track("")] if single else []
        exact = self.tracks.get(value_key(claim.object))
        if exact is not None and exact.open:
            return [exact]
        near = [track for track in self.tracks.values() if _names(track, claim.object)]
        if not near and find(claim.predicate).temporal == "event" and (known := self._of_occasion(claim)) is not None:
            return [known]
        return near if len(near) == 1 else [self.track(value_key(claim.object))]

    def _end_the_replaced(self, claim: Claim, predicate: Predicate, track: Track) -> list[Rectangle]:
        """Values in other tracks that this claim ends: the one that it names, or all where the slot only accumulates
        for want of a registry entry and the words say change."""
        if claim.cue == "state" and not claim.replaces:
            return []
        others = [one for _, one in sorted(self.tracks.items()) if one is not track and one.open]
        unknown = predicate.name not in REGISTRY
        # Typed by hand into a slot that nobody knows, and there is but one value that it can mean.
        the_other = claim.cue == "correct" and claim.standing >= TYPED and unknown and len(others) == 1
        if claim.replaces:
            others = [one for one in others if _names(one, claim.replaces)]
        elif (
            not the_other
            and ALONE not in dict(claim.qualifiers)
            and (claim.cue != "update" or claim.functional or not unknown)
        ):
            return []
        ended: list[Rectangle] = []
        for other in map(self._touch, others):
            ended += stop(other, claim, predicate, single=False, correct=claim.cue == "correct")
        return ended

    def _end_beside(self, moved: Track, claim: Claim, predicate: Predicate, start: int) -> None:
        """Values that stood beside the one that a change ended at `start` (world time) end with it, unless it is a
        story of long before they were heard of. A move to another street ends streets, and no other town."""
        news = claim.said_at.us - start <= LATE_NEWS
        street = (ALSO, STREET) in claim.qualifiers
        for key, track in sorted(self.tracks.items()):
            # By their names: of what was folded before, those alone are left.
            is_meant = not street or all(_STREET_NAME.search(one.piece.value) for one in track.open)
            ends = key and track is not moved and is_meant
            held = [one.piece for one in track.over(start, FOREVER)] if ends else []
            if any(one.start < start or (news and one.start_precision is Precision.OPEN) for one in held):
                stop(self._touch(track), claim, predicate, single=False)


def _names(track: Track, words: str) -> bool:
    return any(means(words, one.piece.object) for one in track.open)
