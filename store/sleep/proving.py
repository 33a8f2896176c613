"""A proposal becomes a claim only where the turn itself bears it out, word for word, and where the rules were silent.

No model is asked here. The quote stands in the turn; its value stands in a clause that the speaker plainly asserts, by
the same masks and the same grammar as the rules'; that clause's own subject, tense, denial and time are the claim's,
and the proposal must not differ from them; nothing that the rules read in the turn says it already, or otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from store.belief.entities import mention_key
from store.belief.extract import Speakers, looks
from store.belief.predicates import REGISTRY, Predicate, find
from store.belief.reading.build import Draft, claim_of, settled
from store.belief.reading.lists import wordset
from store.belief.reading.look import Look
from store.belief.reading.people import ME, mention_of
from store.belief.reading.words import Span
from store.belief.values import value_key
from store.records import Claim, Episode
from store.sleep.proposals import EXTRACTOR, OFFERED, Proposal, parsed
from store.time import read_times

SURE = 0.6
"""Of what the same words are worth where a rule reads them."""
HARMLESS = frozenset({"NOT_STATED", "ALREADY_CLAIMED"})
"""Codes that say that a proposal was rightly made, and teaches nothing."""

_NOTHING = wordset(
    "it this that these those them they him her he she you i me we us something anything everything nothing someone "
    "one some lots more there here so yes no what"
)
_WEAK = wordset("be are is have has the a an of in on at to as for with from")
_LEADING = re.compile(r"(?i)^(?:the|a|an|my|our|some)\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Refused:
    """Something that was not let in."""

    reason: str
    said: str
    """The reply, or the part of it."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What a reply comes to."""

    claims: tuple[Claim, ...]
    refused: tuple[Refused, ...]


def open_looks(turn: Episode, before: Sequence[Episode], speakers: Speakers, known: Iterable[Claim]) -> list[Look]:
    """The clauses of a turn that are plainly asserted of somebody, of which no rule has made a claim, and whose verb
    could carry one."""
    spans = [(one.start, one.end) for one in known]
    return [
        look
        for look in looks(turn, before, speakers)
        if look.clause.keys
        and look.clause.thing is None
        and not any(_meet(look.raw.span(), span) for span in spans)
        and any(_fits(find(name), look) for name in OFFERED)
    ]


def words_of(turn: Episode, found: Sequence[Look]) -> list[str]:
    """The words of these clauses, each once, in the order of the turn."""
    spans = sorted({look.quoted() for look in found})
    return [turn.text[start : _end(turn.text, start, end)] for start, end in spans]


def judged(
    reply: str, model: str, turn: Episode, found: Sequence[Look], known: Sequence[Claim], speakers: Speakers
) -> Heard:
    """What of a reply about a turn is let in; `found` are its open looks, `known` what is claimed of it already."""
    proposals = parsed(reply)
    if isinstance(proposals, str):
        return Heard((), (Refused(proposals, reply),))
    claims: list[Claim] = []
    refused: list[Refused] = []
    for one in proposals:
        verdict = _judged(one, model, turn, found, [*known, *claims], speakers)
        if isinstance(verdict, Claim):
            claims.append(verdict)
        elif verdict not in HARMLESS:
            refused.append(Refused(verdict, reply))
    return Heard(tuple(claims), tuple(refused))


def _judged(
    one: Proposal, model: str, turn: Episode, found: Sequence[Look], known: Sequence[Claim], speakers: Speakers
) -> Claim | str:
    """The claim, or why there is none."""
    if one.modality != "fact":
        return "NOT_STATED"
    if one.predicate not in OFFERED or one.predicate not in REGISTRY:
        return "UNKNOWN_PREDICATE"
    quoted = _quoted(turn.text, one)
    if isinstance(quoted, str):
        return quoted
    look = next((look for look in found if _bears(look, quoted)), None)
    if look is None:
        return "ALREADY_CLAIMED" if _is_claimed(known, one.value) else "NOT_ASSERTED"
    speaker = mention_of(turn.speaker, turn.role, speakers)
    subject = _subject(one.subject, turn.speaker, speaker, look)
    if subject is None:
        return "OTHER_SUBJECT"
    problem = _untimely(one, turn, look)
    if problem:
        return problem
    claim = _claim(one, model, turn, look, subject)
    return claim if isinstance(claim, str) else _beside(claim, known)


def _quoted(text: str, one: Proposal) -> Span | str:
    """The characters of the value in the turn, or what is wrong with the quote or the value."""
    quote, value = one.quote.strip(), _LEADING.sub("", one.value.strip())
    at = text.find(quote) if quote else -1
    if at < 0:
        return "QUOTE_NOT_VERBATIM"
    if not value_key(value) or value_key(value) in _NOTHING:
        return "VALUE_SAYS_NOTHING"
    place = re.search(rf"(?<!\w){re.escape(value)}(?!\w)", quote, re.IGNORECASE)
    return "VALUE_NOT_IN_QUOTE" if place is None else (at + place.start(), at + place.end())


def _bears(look: Look, value: Span) -> bool:
    """The value stands after the verb of this clause, with no time and nothing veiled in it."""
    inside = [at for at, token in enumerate(look.clause.tokens) if value[0] <= token.start < value[1]]
    return bool(inside) and all(
        look.clause.group.after <= at < look.clause.end and look.clause.tokens[at].kind != "break" for at in inside
    )


def _subject(said: str, speaker_name: str, speaker: str, look: Look) -> str | None:
    """Whom the clause is about, if the model takes it to be about the same."""
    key = mention_key(said)
    if key in (ME, "we", "our", "speaker", "the speaker", "person") or key == value_key(speaker_name):
        return speaker if speaker in look.clause.keys else None
    return next((one for one in look.clause.keys if one == key or one.rpartition(">")[2] == key), None)


def _untimely(one: Proposal, turn: Episode, look: Look) -> str:
    """What is wrong with the words that say when; "" if nothing is."""
    words = one.time.strip()
    if not words:
        return ""
    if words.casefold() not in one.quote.casefold():
        return "TIME_NOT_IN_QUOTE"
    found = read_times(words, turn.said_at.local())
    dated = any(each.stretch is not None or each.kind in ("frequency", "duration") for each in found)
    return "" if dated else "TIME_UNRESOLVED"


def _claim(one: Proposal, model: str, turn: Episode, look: Look, subject: str) -> Claim | str:
    """The claim as the clause's own tense, denial and time have it."""
    predicate = find(one.predicate)
    mood = "event" if predicate.temporal == "event" else "state"
    value = _LEADING.sub("", one.value.strip())
    draft = Draft(predicate.name, value, "event" if mood == "event" else "state", subject)
    state = settled(look.raw, draft, look.when(), turn.said_at.us)
    if state is None:
        return "OTHER_TENSE"
    if state.negative != one.denied:
        return "OTHER_POLARITY"
    if not _fits(predicate, look):
        return "OTHER_VERB"
    span = look.quoted()
    claim = claim_of(turn, look.scene.me, subject, draft, state, span, look.clause.confidence * SURE)
    identity = blake2b(f"{EXTRACTOR}\x1f{claim.id}".encode(), digest_size=16).hexdigest()
    return replace(claim, id=identity, extractor=f"{EXTRACTOR} {model}", end=_end(turn.text, *span))


def _fits(predicate: Predicate, look: Look) -> bool:
    """The clause has a verb by which people say this, or a word by which it is named ("interested", "brother"); "be"
    and "have" alone say nothing of what it is."""
    if look.lemma in predicate.verbs and look.lemma not in _WEAK:
        return True
    telling = set(predicate.first.split()) - _WEAK
    return bool((look.words() | {look.lemma}) & (telling | set(predicate.nouns)))


def _end(text: str, start: int, end: int) -> int:
    while end > start + 1 and text[end - 1] in " \t\n,;:.!":
        end -= 1
    return end


def _beside(claim: Claim, known: Iterable[Claim]) -> Claim | str:
    """The claim, unless what the turn claims already says so, or says otherwise."""
    single = find(claim.predicate).cardinality == "one"
    for other in known:
        if other.subject != claim.subject:
            continue
        mine, theirs = value_key(claim.object), value_key(other.object)
        if _shared(mine, theirs):
            same = other.negative == claim.negative or other.predicate != claim.predicate
            return "ALREADY_CLAIMED" if same else "CONTRADICTS_RULES"
        if single and find(other.predicate).slot_name == find(claim.predicate).slot_name:
            return "CONTRADICTS_RULES"
    return claim


def _is_claimed(known: Iterable[Claim], value: str) -> bool:
    return any(_shared(value_key(_LEADING.sub("", value)), value_key(one.object)) for one in known)


def _shared(one: str, other: str) -> bool:
    """One of two values stands in the other, word for word."""
    return bool(one and other) and (f" {one} " in f" {other} " or f" {other} " in f" {one} ")


def _meet(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]
