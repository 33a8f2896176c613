"""What the reader is unsure of is kept and shown, and believed by nobody until the person says yes.

An unsure claim lies in the log of claims with the modality "unsure"; no group holds it and no fold sees it. The person
confirms it, which is a claim by hand, or drops it; either way it is withdrawn from what waits, and undone as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations

import apsw

from store.beliefs.asof import facts_where
from store.beliefs.entities import ME, in_words
from store.beliefs.grammar import capital
from store.beliefs.pieces import told_whole
from store.beliefs.predicates import with_trait
from store.beliefs.settle import is_small_name
from store.beliefs.tables import read_claims
from store.beliefs.values import value_key
from store.beliefs.wording import sentence
from store.database.rows import first, scalar
from store.records import Claim, Fact, Instant, Source

MARK = "u"  # begins the id of what is unsure, before the id of its claim
_OPEN = (
    "c.modality = 'unsure' and c.id not in (select claim_id from withdrawals) and not exists (select 1 from claims m "
    "where m.episode_row = c.episode_row and m.modality = 'fact' and m.extractor like 'model/%' and m.start = c.start "
    "and m.subject = c.subject and m.predicate = c.predicate and m.object = c.object and m.cue = c.cue "
    "and m.negative = c.negative)"
)
"""Neither the person nor a model has settled it."""

_OF_SUBJECT = (
    "c.subject in (select mention from aliases where entity_id = ?1 "
    "union select ?1 where not exists (select 1 from aliases where mention = ?1))"
)
"""By the mentions of an entity, so that the index of claims by subject serves."""


def unsure(
    connection: apsw.Connection, *, subject: str | None = None, predicate: str | None = None,
    episode_row: int | None = None, limit: int | None = None,
) -> list[Fact]:  # fmt: skip
    """What waits for the person's word, the latest first: of one subject (an entity key), predicate or turn, or all."""
    wanted = {_OF_SUBJECT: subject, "c.predicate = ?": predicate, "c.episode_row = ?": episode_row}
    asked = {condition: value for condition, value in wanted.items() if value is not None}
    where = f"where {' and '.join((_OPEN, *asked))} order by e.said_at desc, e.position desc, c.start, c.id limit ?"
    found = read_claims(connection, where, [*asked.values(), -1 if limit is None else limit])
    return [_fact(connection, claim) for claim in _possible(connection, (claim for _, claim in found))]


def waiting_in(connection: apsw.Connection, episode_row: int) -> list[tuple[Claim, str]]:
    """The unsure claims of a turn, each with its sentence, in the order of its words."""
    found = read_claims(connection, f"where {_OPEN} and c.episode_row = ? order by c.row", (episode_row,))
    possible = _possible(connection, (claim for _, claim in found))
    return [(claim, _fact(connection, claim).text) for claim in possible]


_KIN = (*with_trait("kin"), "sibling", "parent", "child")
YOUNGEST_PARTNER = 15
"""Years of whoever may be somebody's partner."""


def _possible(connection: apsw.Connection, claims: Iterable[Claim]) -> Iterator[Claim]:
    """The claims that nothing known makes impossible: nobody is the partner of their own kin, or of a child."""
    families = cache(lambda: _families(connection))  # once, and only if somebody's partner is spoken of
    for claim in claims:
        if claim.predicate == "partner" and not claim.negative:
            both = frozenset(_entity(connection, who) for who in (claim.subject, value_key(claim.object)))
            if both in families() or _is_child(connection, both):
                continue
        yield claim


def _families(connection: apsw.Connection) -> set[frozenset[str]]:
    """The entities of every two who are kin, by what is said of them or as kin of the same person."""
    kin: dict[str, set[str]] = {}
    for one in facts_where(connection, predicates=_KIN):
        who = _entity(connection, value_key(one.subject))
        kin.setdefault(who, {who}).add(_entity(connection, value_key(one.object)))
    return {frozenset(pair) for family in kin.values() for pair in combinations(family, 2)}


def _is_child(connection: apsw.Connection, entities: Iterable[str]) -> bool:
    ages = (one.object for who in entities for one in facts_where(connection, subject=who, predicates=("age",)))
    return any(age.isdigit() and int(age) < YOUNGEST_PARTNER for age in ages)


def _entity(connection: apsw.Connection, mention: str) -> str:
    found = scalar(connection, "select entity_id from aliases where mention = ?", (mention,))
    return mention if found is None else str(found)


def waiting(connection: apsw.Connection, fact_id: str) -> Claim | None:
    """The unsure claim of an id that `unsure` gave; None if it is none, or was settled."""
    if not fact_id.startswith(MARK):
        return None
    found = read_claims(connection, f"where c.id = ? and {_OPEN}", (fact_id.removeprefix(MARK),))
    return next((claim for _, claim in found), None)


def name_of(connection: apsw.Connection, mention: str) -> str:
    """How people read a mention: its entity's name, or the words themselves."""
    if mention == ME:  # of whom nothing else may be known yet
        return ME
    known = scalar(
        connection, "select n.name from aliases a join entities n on n.id = a.entity_id where a.mention = ?", (mention,)
    )
    if known is None and is_small_name(connection, mention):
        return capital(mention)
    return in_words(mention) if known is None else str(known)


def _fact(connection: apsw.Connection, claim: Claim) -> Fact:
    external, quote, speaker = first(
        connection, "select external_id, substr(text, ? + 1, ? - ?), speaker from episodes where id = ?",
        (claim.start, claim.end, claim.start, claim.episode),
    ) or (None, "", "")  # fmt: skip
    name = name_of(connection, claim.subject)
    if claim.subject != ME and ">" not in claim.subject and name.islower():
        # A name that nothing is known of yet has the capitals that it has in its quote.
        written = re.search(rf"\b{re.escape(name)}\b", quote, re.IGNORECASE)
        name = written[0] if written else name
    stopped, valid, whole = claim.cue == "stop", claim.valid, told_whole(claim)
    over = stopped or (valid.end is not None and valid.end <= claim.said_at.us)
    starts = None if stopped else valid.first()
    ahead = starts is not None and starts.us > claim.said_at.us
    # "To 21 February" ends with that day, and not with the beginning of the next one.
    ends = valid.first() if stopped else valid.last() if whole is None else Instant(whole - 1, valid.offset)
    source = Source(
        claim.episode, external, claim.start, claim.end, quote, claim.said_at, speaker=speaker, session=claim.session,
        by=claim.extractor,
    )  # fmt: skip
    return Fact(
        id=MARK + claim.id, subject=name, predicate=claim.predicate, object=claim.object,
        text=sentence(
            name, claim.predicate, claim.object, tense="past" if over else "future" if ahead else "present",
            negative=claim.negative and not stopped, quotes=(quote,),
        ),
        valid_from=starts, valid_to=ends, believed_from=claim.said_at, believed_to=None, precision=valid.precision,
        precision_to=valid.precision, change="stop" if stopped else "new", supersedes=None,
        confidence=claim.confidence, salience=0.0, sources=(source,), negative=claim.negative, unsure=True,
    )  # fmt: skip
