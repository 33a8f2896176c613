"""Two readings of one turn become one: a value is claimed once, and nothing stands that the reader did not hear at all.

The rules read fewer sentences and name finer predicates ("my brother", "office days"); the reader hears more, and
tells better what is asserted and what happened. So outside of the barest turns a rule's claim needs the reader to have
pointed at its value, however faintly, and not as a plan with a date. Where both claim one value the rule's stands,
unless the reader speaks of somebody else or, being sure, of another state of things. An end without a value needs its
matter named: "I quit" alone ends no job.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from store.beliefs.predicates import REGISTRY, find
from store.beliefs.values import value_key
from store.reading.claims import Pointed, ReadTurn, is_kind_of
from store.reading.doses import dose_of
from store.reading.subjects import called, is_pronoun
from store.records import Claim, Episode
from store.text.forms import is_past

UNNAMED = "~"
"""Begins the subject of a rule's claim about somebody who was not named (store.beliefs.settle)."""
_LIGHT = frozenset(["a", "an", "the", "my", "our", "his", "her", "of", "to", "in", "at", "on"])
_LEAVING = frozenset(["fired", "sacked", "redundant", "laid", "resigned", "notice", "retired"])
"""Words that say of what: a job."""
_HARDLY_TAUGHT = frozenset(["uses", "response_style"])
BARE = 10
"""Words of the longest turn whose rules stand without the reader."""
CERTAIN = 0.85
"""How sure of an end or a denial the reader must be where the rules heard none."""
BOTH = 0.8
"""How sure it is that something ended that both heard."""
_NEARLY = frozenset(["nearly", "almost", "just", "already", "barely", "then", "never", "even", "once"])
"""Adverbs with which a clause goes on, and no value begins."""
_WORD = re.compile(r"[a-z]+")


def joined(episode: Episode, ruled: Sequence[Claim], heard: ReadTurn) -> list[Claim]:
    """The rules' claims that the reader bears out, and what it heard beside them."""
    kept = [
        claim
        for claim in ruled
        if (_is_borne_out(episode, claim, heard.pointed) if claim.object else _has_matter(episode, claim, ruled))
        and not any(_same(_words(claim.object), _words(one.object)) and _against(claim, one) for one in heard.claims)
        and not any(_is_dated_better(claim, one) for one in heard.claims)
    ]
    kept = [_as_sure(claim, kept, heard.claims) for claim in kept]
    taken = [_words(claim.object) for claim in kept if claim.object and claim.predicate != "training_for"]
    dated = [
        _words(one.object)
        for one in [*kept, *heard.claims]
        if find(one.predicate).temporal == "event" and one.valid.start
    ]
    told = [
        *kept,
        *(
            one
            for one in heard.claims
            if not any(_same(_words(one.object), words) for words in taken)
            # The day of an occasion is its time, not its timetable beside, and it is no habit: "dinner at Sam's is on
            # Saturday at 7".
            and not (one.predicate == "schedule" and any(_same(_words(one.subject), words) for words in dated))
            and not (one.predicate == "habit" and any(_same(_words(one.object), words) for words in dated))
        ),
    ]
    doses = Counter(dose_of(one.object) for one in told if one.predicate == "takes")
    return [
        replace(one, object=called(one.predicate, one.object), replaces=one.replaces or _other_dose(one, doses))
        for one in told
    ]


def _other_dose(claim: Claim, doses: Counter[str]) -> str | None:
    """The medicine of which another dose ends where this one is taken, if its turn has but this one."""
    now = claim.valid.end is None and not _over(claim)  # "last year I took 450 mg" leaves what is taken now
    thing = dose_of(claim.object) if claim.predicate == "takes" and now else ""
    return thing if thing and doses[thing] == 1 else None


def _is_dated_better(claim: Claim, heard: Claim) -> bool:
    """Whether the reader says when, and the rule does not, of the same value in the same slot."""
    same = (claim.subject, value_key(claim.object)) == (heard.subject, value_key(heard.object))
    slots = find(claim.predicate).slot_name, find(heard.predicate).slot_name
    known = heard.modality == "fact" and not heard.valid.start is heard.valid.end is None
    lasts = find(claim.predicate).temporal == "state"
    return same and slots[0] == slots[1] and lasts and known and claim.valid.start is claim.valid.end is None


def _as_sure(claim: Claim, ruled: Iterable[Claim], heard: Iterable[Claim]) -> Claim:
    """An end that both heard is surer than the rule alone; of several that the rules take it for, the surest is."""
    same = (one.confidence for one in ruled if (one.cue, one.object, one.start) == ("stop", claim.object, claim.start))
    if claim.confidence < max(same, default=0):
        return claim
    both = [one for one in heard if claim.cue == one.cue == "stop" and _same(_words(claim.object), _words(one.object))]
    facts = [one for one in both if one.modality == "fact"]
    return replace(claim, confidence=max(claim.confidence, BOTH)) if facts else claim


def _is_borne_out(episode: Episode, claim: Claim, pointed: Iterable[Pointed]) -> bool:
    """The reader points at the value, and not only as a dated plan of what the rule takes to be so already."""
    first, _, rest = claim.object.lower().partition(" ")
    if first in _NEARLY and (not rest or is_past(rest.partition(" ")[0])):
        return False  # "allergic to walnuts, nearly ate one", "can't stand aubergines, never could"
    mine = [one for one in pointed if _same(_words(claim.object), _words(one.value))]
    if not mine:
        return _stands_alone(episode, claim)
    ahead = claim.valid.start is not None and claim.valid.start > claim.said_at.us
    planned = all(one.status == "planned" for one in mine) and any(one.dated for one in pointed)
    return ahead or not planned or claim.predicate in {"plans", "training_for", *_HARDLY_TAUGHT}


def _stands_alone(episode: Episode, claim: Claim) -> bool:
    """Whether a claim needs no reader, which is weak at bare sentences ("I drive a Golf": few people of its corpus
    write so), and was hardly taught figures under names of their own, tools, and wishes about answers."""
    known = find(claim.predicate)
    if known.temporal == "event":
        return claim.valid.start is not None or claim.valid.end is not None
    bare = len(episode.text.split()) <= BARE
    return bare or known.name not in REGISTRY or known.name in _HARDLY_TAUGHT or known.name == "dislikes"


def _has_matter(episode: Episode, claim: Claim, ruled: Iterable[Claim]) -> bool:
    """The words of an end without a value name what ended ("quit my job"), or say that it was work."""
    alike = [
        find(one.predicate) for one in ruled if not one.object and (one.start, one.end) == (claim.start, claim.end)
    ]
    named = {word for known in alike for word in (*known.nouns, *known.verbs)}
    said = set(_WORD.findall(episode.text[claim.start : claim.end].lower()))
    return bool((named | _LEAVING) & said)


def _against(ruled: Claim, read: Claim) -> bool:
    """The reader says another thing of the same value: of somebody else, of a time to come, or of what is over."""
    if read.predicate == "takes" and dose_of(read.object):
        return ruled.predicate != read.predicate
    if find(ruled.predicate).name not in REGISTRY:
        return False
    events = find(ruled.predicate).temporal == "event", find(read.predicate).temporal == "event"
    theirs, ours = ruled.subject, read.subject
    named = ours.rpartition(">")[2] in ruled.predicate.replace(
        "_", " "
    )  # "our endpoints are 200": the slot, or its owner
    paths = ">" in ours or ">" in theirs  # "my son" may be Ben
    known = not (is_pronoun(ours) or theirs.startswith(UNNAMED) or named or paths) and _alike(ruled, read)
    if known and theirs not in ours and ours not in theirs:
        return not any(events)
    if _names_another(ruled, read):
        return True
    starts, said = read.valid.start, read.said_at.us
    if all(events) and ruled.cue == "state" and read.cue in ("correct", "update"):
        return True
    heard = events[1] and not events[0] and read.modality == "fact"
    if heard and starts is not None and ruled.valid.start is not None:
        return min(starts, ruled.valid.start) > said  # nobody owns a viewing that is tomorrow
    if (ruled.predicate, read.predicate) == ("drives", "job"):
        return ruled.subject == read.subject  # "drives a lorry" is what he does
    if any(events):
        earlier = ruled.valid.start is None or ruled.valid.start < said
        return all(events) and starts is not None and earlier and (starts > said or ruled.valid.start is None)
    dated = ruled.valid.start is not None and read.valid.start is None
    return read.confidence >= CERTAIN and not dated and _over(ruled) != _over(read)


def _names_another(ruled: Claim, read: Claim) -> bool:
    """The reader is sure that a name is of somebody else: "just got a kitten, she's called Biscuit"."""
    kinds = find(ruled.predicate), find(read.predicate)
    return (
        all("who" in kind.asks and kind.temporal != "event" for kind in kinds)
        and kinds[0].slot_name != kinds[1].slot_name
        and not is_kind_of(kinds[0].name, kinds[1].name)
        and ruled.subject == read.subject
        and read.confidence >= CERTAIN
        and read.modality == "fact"
    )


def _alike(one: Claim, other: Claim) -> bool:
    """Whether two claims are of the same kind: one slot, or both of what somebody or something is."""
    kinds = find(one.predicate), find(other.predicate)
    return kinds[0].slot_name == kinds[1].slot_name or all("being" in kind.traits for kind in kinds)


def _over(claim: Claim) -> bool:
    return claim.cue in ("stop", "retract") or claim.negative


def _words(value: str) -> frozenset[str]:
    return frozenset(value_key(value).split()) - _LIGHT


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one) and bool(other) and 2 * len(one & other) >= min(len(one), len(other))
