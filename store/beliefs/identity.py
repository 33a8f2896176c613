"""That two are one, or one is nobody else, is a claim said by hand: kept, undone, merged and erased as any other.

It is of the modality "identity", which is never folded into a fact: store.beliefs.entities hears it, before what the
words of others say, and the claims of both are then of one subject, or of two.
"""

from __future__ import annotations

import json
from dataclasses import replace

from apsw import Connection

from store.beliefs import asof, hand
from store.beliefs.entities import APART, ARROW, ME, SAME, mention_key, own_key
from store.beliefs.grammar import capital
from store.beliefs.settle import naming_predicates
from store.beliefs.values import value_key
from store.database.rows import each
from store.errors import NotFound, UsageError
from store.records import Entity, Episode, Fact, Instant


def same(connection: Connection, one: str, other: str, now: Instant) -> Episode:
    """Say that two are one; gives the turn that says so. Of the two the person stays, else who has a name, else the
    first. Raises NotFound, UsageError."""
    keep, join = _known(connection, one), _known(connection, other)
    if keep.id == join.id:
        raise UsageError(f"{one!r} and {other!r} are one already; `erstwhile different` sets them apart.")
    if join.id == ME or (keep.id != ME and ARROW in keep.id and ARROW not in join.id):
        keep, join = join, keep
    words = f"{capital(join.name)} is the same as {keep.name}."
    return hand.say(connection, _saying("Same", join.name, join.id, SAME, keep.id, words), now)


def different(connection: Connection, name: str, other: str | None, now: Instant) -> Episode:
    """Set a name apart from everybody else whom it meant; gives the turn that says so. Raises NotFound, UsageError."""
    entity = _known(connection, name)
    key = _own(connection, name)
    if other is not None:
        if _known(connection, other).id != entity.id:
            raise UsageError(f"{name!r} and {other!r} are two already; `erstwhile people` shows who is who.")
        if key == entity.id:  # the others are called by this name: it is the second one that leaves
            name, key = other, _own(connection, other)
    if key == entity.id:
        raise UsageError(
            f"{name!r} is what they are called here; name who is somebody else: `erstwhile different OTHER {name!r}`."
        )
    words = f"{capital(name)} is not the same as {entity.name}."
    taken_back = [hand.taking_back(connection, fact) for fact in _joining(connection, key, entity.id, now.us)]
    said = _saying("Different", name, key, APART, entity.id, words)
    if ARROW not in entity.id:  # erased with the words that it takes up
        said = replace(said, of=tuple(dict.fromkeys(turn for one in taken_back for turn in one.of)))
    return hand.say(connection, said, now, taken_back)


def _joining(connection: Connection, key: str, entity: str, now: int) -> list[Fact]:
    """What is believed only because two were taken for one ("Your brother is Jonas"): whoever says that they are two
    says that it never held."""
    known: dict[str, str] = dict(each(connection, "select mention, entity_id from aliases"))
    of_one = {entity, *(own_key(mention, known) for mention, who in known.items() if who == entity)}
    ids = set()
    for fact, predicate, subject, value in each(
        connection,
        "select f.id, c.predicate, c.subject, c.object from facts f join fact_sources fs on fs.fact_id = f.id "
        "join claims c on c.row = fs.claim_row where f.believed_to is null and f.negative = 0 "
        "and f.predicate in (select value from json_each(?))",
        (json.dumps(naming_predicates(connection)),),
    ):
        # "My brother's name is Jonas" says the same as "my brother Jonas".
        role = subject if predicate == "name" else f"{subject}{ARROW}{predicate.replace('_', ' ')}"
        sides = {value_key(value), own_key(role, known)}
        if key in sides and len(sides) == 2 and sides - {key} <= of_one:
            ids.add(fact)
    found = asof.facts_by_id(connection, ids, now)
    return [found[one] for one in sorted(found)]


def _known(connection: Connection, name: str) -> Entity:
    key = asof.entity_key(connection, name)
    if key is None and name.casefold() in ("me", "i", "you"):
        key = ME
    found = next((entity for entity in asof.entities(connection) if entity.id == key), None)
    if found is None and key != ME:
        raise NotFound(f"Nobody and nothing called {name!r} is known here; `erstwhile people` shows who is.")
    return found or Entity(ME, ME, "person")


def _own(connection: Connection, name: str) -> str:
    """The key of a name as long as it is nobody but itself."""
    known: dict[str, str] = dict(each(connection, "select mention, entity_id from aliases"))
    mention = mention_key(name)
    if mention not in known and f"{ME}{ARROW}{mention}" in known:
        mention = f"{ME}{ARROW}{mention}"
    return own_key(mention, known)


def _saying(verb: str, subject: str, mention: str, predicate: str, key: str, words: str) -> hand.Saying:
    return hand.Saying(
        verb, subject, mention, predicate, key, "state", functional=False, modality="identity", words=words
    )
