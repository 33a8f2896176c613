"""A claim says when by the tense of its clause: a state holds, began or ended; an event happened or is planned; else
nothing is said.

`Draft` is what a pattern found; `settled` joins it with the clause's tense and times; `claim_of` stamps it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Literal, NamedTuple

from store.beliefs.predicates import find
from store.reading.rules.clause import Clause
from store.reading.rules.groups import Group
from store.reading.rules.times import OPEN, When
from store.records import Claim, Cue, Episode, Precision, Stretch
from store.text.lists import wordset

Mood = Literal["state", "onset", "stop", "event", "switch"]

EXTRACTOR = "rules/10"
_NOW = frozenset(["now", "nowadays", "newly", "again"])
_LIMITS = wordset(
    "after before during while unless except besides until every each much often usually weekday weekdays weekend "
    "weekends morning mornings evening evenings night nights today tonight week month year monday mondays tuesday "
    "tuesdays wednesday wednesdays thursday thursdays friday fridays saturday saturdays sunday sundays"
)
_NEARLY = wordset("almost nearly basically practically virtually")
_AT_LAST = wordset("officially finally now new")
_NARROWING = wordset("with on in at for from to by without")
_AT_TIMES = wordset("always often usually every")
_FINE = frozenset([Precision.EXACT, Precision.DAY, Precision.WEEK])


@dataclass(frozen=True, slots=True)
class Draft:
    """What a pattern found in a clause, before tense and time are weighed."""

    predicate: str
    object: str
    mood: Mood = "state"
    subject: str | None = None
    """None: the clause's own."""
    cue: Cue | None = None
    """Overrides what the tense says."""
    replaces: str | None = None
    functional: bool = False
    negative: bool | None = None
    qualifiers: tuple[tuple[str, str], ...] = ()
    valid: Stretch | None = None
    confidence: float = 1.0
    """Times the clause's own."""
    span: tuple[int, int] | None = None
    """The quote's characters, where it is not the clause's."""


class Settled(NamedTuple):
    """When and how a draft holds."""

    valid: Stretch
    holds_now: bool
    cue: Cue
    negative: bool


def settled(clause: Clause, draft: Draft, when: When, said_at: int) -> Settled | None:
    """Join a draft with its clause's tense; None where the tense asserts nothing of the kind."""
    if draft.valid is not None:
        cue = draft.cue or "state"
        return Settled(draft.valid, draft.valid is OPEN and cue != "stop", cue, bool(draft.negative))
    if clause.group.adverbs & _NEARLY:
        return None
    if draft.mood == "event":
        return _event(clause.group, when)
    if draft.mood in ("onset", "switch"):
        return _onset(clause.group, when, said_at, draft.mood == "switch")
    if draft.mood == "stop":
        return _stop(clause.group, when, said_at)
    return _state(clause, draft, when, said_at)


def _event(group: Group, when: When) -> Settled | None:
    if group.tense == "perfect" and "never" in group.adverbs:
        return Settled(OPEN, True, "state", True)
    if group.negative or group.tense not in ("past", "perfect"):
        return None
    return Settled(when.at or OPEN, False, "state", False)


def _from(stretch: Stretch | None) -> Stretch:
    return OPEN if stretch is None else Stretch(stretch.start, None, stretch.precision, stretch.offset)


def _ahead(when: When, said_at: int) -> Stretch | None:
    """A named time that is not over yet when it is said, or begins later."""
    for one in (when.at, when.since):
        if one is not None and one.end is not None and one.end > said_at:
            return one
    return None


def _onset(group: Group, when: When, said_at: int, progressive: bool) -> Settled | None:
    if group.negative:
        return None
    if group.tense in ("past", "perfect"):
        return Settled(_from(when.at or when.since), False, "update", False)
    ahead = _ahead(when, said_at)
    if ahead is not None and group.tense in ("prog", "future", "goingto", "present"):
        return Settled(_from(ahead), False, "update", False)
    if progressive and group.tense in ("prog", "perfprog"):
        return Settled(OPEN, True, "update", False)
    return None


def _stop(group: Group, when: When, said_at: int) -> Settled | None:
    if group.negative:
        return None
    if group.tense in ("past", "perfect"):
        return Settled(_from(when.at or when.since), False, "stop", True)
    ahead = _ahead(when, said_at)
    if ahead is not None and group.tense in ("prog", "future", "goingto", "present"):
        return Settled(_from(ahead), False, "stop", True)
    return None


def _state(clause: Clause, draft: Draft, when: When, said_at: int) -> Settled | None:
    group = clause.group
    if group.tense == "usedto":
        return None if group.negative else Settled(OPEN, False, "stop", True)
    if group.tense in ("present", "prog", "can"):
        if (group.negative and _narrowed(clause, draft.object)) or _for_today(clause, draft, when, said_at):
            return None
        habit = draft.predicate == "office_days" or any(name == "frequency" for name, _ in draft.qualifiers)
        timeless = habit or draft.predicate == "training_for"  # whose date is that of what one trains for
        return _present(clause, replace(when, at=None) if timeless else when, said_at)
    if group.tense in ("perfect", "perfprog"):
        return _perfect(group, when, said_at)
    if group.tense == "past" and "never" in group.adverbs and "lapses" in find(draft.predicate).traits:
        return Settled(OPEN, True, "retract", True)  # "she never lived in Basel"
    if (group.tense == "past" and not group.negative) or (group.tense == "pastprog" and when.at is not None):
        return _past(draft, when)
    if group.tense in ("future", "goingto") and not group.negative:
        ahead = _ahead(when, said_at)
        return None if ahead is None else Settled(_from(ahead), False, "update", False)
    return None


def _narrowed(clause: Clause, value: str) -> bool:
    """ "I don't speak Dutch with my kids" denies no more than it says."""
    last = value.lower().split()[-1:]
    ends = [at + 1 for at in range(clause.group.after, clause.end) if [clause.low(at)] == last]
    return bool(ends) and clause.low(ends[0]) in _NARROWING


def _for_today(clause: Clause, draft: Draft, when: When, said_at: int) -> bool:
    """ "I'm the driver tonight" does not last."""
    if "settled" not in find(draft.predicate).traits or when.at is None or when.at.precision not in _FINE:
        return False
    words = {token.low for token in clause.tokens[clause.floor : clause.end]}
    soon = said_at + 36 * 3_600_000_000 if clause.group.lemma == "be" and "from" not in words else said_at
    return when.at.start is not None and when.at.start <= soon and not words & _AT_LAST


def _present(clause: Clause, when: When, said_at: int) -> Settled | None:
    group = clause.group
    tail = {token.low for token in clause.tokens[group.after : clause.end]}
    ended = group.ended or (
        group.negative and bool(tail & {"anymore"} or {"any", "more"} <= tail or {"any", "longer"} <= tail)
    )
    if ended:
        return Settled(_from(when.since), False, "stop", True)
    if when.at is not None and when.at.start is not None and when.at.start > said_at and not group.negative:
        return Settled(_from(when.at), False, "update", False)
    if group.negative and (tail & _LIMITS or group.adverbs & _AT_TIMES or _at_work(clause)):
        # "I don't drink coffee after four" denies no more than it says.
        return None
    fresh = bool((tail | group.adverbs) & _NOW or ("days" in tail and "these" in tail) or "instead" in tail)
    valid = _from(when.since) if when.since is not None and not when.ongoing_for else OPEN
    if when.until is not None:
        valid = replace(valid, end=when.until.end)
    return Settled(valid, True, "update" if fresh and not group.negative else "state", group.negative)


def _at_work(clause: Clause) -> bool:
    """ "at home", "in the office": only there."""
    places = range(clause.group.after + 1, clause.end)
    return any(clause.low(at) == "at" and clause.low(at + 1) in ("home", "work", "school") for at in places)


def _perfect(group: Group, when: When, said_at: int) -> Settled | None:
    if group.tense == "perfect" and "never" in group.adverbs:
        return Settled(OPEN, True, "state", True)
    if group.negative:
        return None
    since = when.since
    if since is None and when.at is not None and when.at.end is not None and when.at.end >= said_at:
        since = when.at
    if since is not None:
        return Settled(_from(since), True, "state", False)
    if group.tense == "perfprog" or "always" in group.adverbs:
        return Settled(OPEN, True, "state", False)
    return None


def _past(draft: Draft, when: When) -> Settled | None:
    if when.at is not None and when.at.precision not in _FINE and draft.predicate not in ("likes", "dislikes"):
        return Settled(when.at, False, "state", False)
    if when.since is not None and when.until is not None and not when.ongoing_for:
        return Settled(
            Stretch(when.since.start, when.until.start, when.since.precision, when.since.offset), False, "state", False
        )
    if "lapses" in find(draft.predicate).traits and when.at is None:
        return Settled(OPEN, False, "stop", True)
    return None


def besides(clause: Clause) -> str:
    """The word by which a value stands beside others, and takes the place of none; "" if there is none."""
    tail = [token.low for token in clause.tokens[clause.group.after : clause.end]]
    if "as well" in " ".join(tail):
        return "as well"
    return next((word for word in ("also", "too") if word in clause.group.adverbs or tail[-1:] == [word]), "")


def claim_of(
    episode: Episode, speaker: str, subject: str, draft: Draft, state: Settled, span: tuple[int, int], confidence: float
) -> Claim:
    """The claim, with its stable id."""
    cue = draft.cue or state.cue
    negative = state.negative if draft.negative is None else draft.negative
    start, end = span
    key = "\x1f".join(
        (episode.id, str(start), str(end), subject, draft.predicate, draft.object, cue, str(int(negative)))
    )
    return Claim(
        id=blake2b(key.encode(), digest_size=16).hexdigest(),
        episode=episode.id,
        start=start,
        end=end,
        subject=subject,
        predicate=draft.predicate,
        object=draft.object,
        valid=draft.valid or state.valid,
        holds_now=state.holds_now,
        said_at=episode.said_at,
        session=episode.session,
        position=episode.position,
        cue=cue,
        replaces=draft.replaces,
        functional=draft.functional,
        negative=negative,
        asserted_by=speaker,
        standing=3 if episode.source.startswith("import:") else 4,
        confidence=round(confidence * draft.confidence, 3),
        extractor=EXTRACTOR,
        qualifiers=tuple(sorted(draft.qualifiers)),
    )
