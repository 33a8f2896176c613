"""That two are one, or one is nobody else, is a claim said by hand: kept, undone, merged and erased as any other.

It is of the modality "identity", which is never folded into a fact: store.belief.entities hears it, before what the
words of others say, and the claims of both are then of one subject, or of two.
"""

from __future__ import annotations

from apsw import Connection

from store import hand
from store.belief import asof
from store.belief.entities import APART, ARROW, ME, SAME, mention_key, own_key
from store.errors import NotFound, UsageError
from store.records import Entity, Episode, Instant
from store.rows import each


def same(connection: Connection, one: str, other: str, now: Instant) -> Episode:
    """Say that two are one; gives the turn that says so. Of the two the person stays, else who has a name, else the
    first. Raises NotFound, UsageError."""
    keep, join = _known(connection, one), _known(connection, other)
    if keep.id == join.id:
        raise UsageError(f"{one!r} and {other!r} are one already; `erstwhile different` sets them apart.")
    if join.id == ME or (keep.id != ME and ARROW in keep.id and ARROW not in join.id):
        keep, join = join, keep
    words = f"{_capital(join.name)} is the same as {keep.name}."
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
    words = f"{_capital(name)} is not the same as {entity.name}."
    return hand.say(connection, _saying("Different", name, key, APART, entity.id, words), now)


def _known(connection: Connection, name: str) -> Entity:
    key = asof.entity_key(connection, name)
    if key is None and name.casefold() in ("me", "i", "you"):
        key = ME
    found = next((one for one in asof.entities(connection) if one.id == key), None)
    if found is None and key == ME:
        return Entity(ME, ME, "person")
    if found is None:
        raise NotFound(f"Nobody and nothing called {name!r} is known here; `erstwhile people` shows who is.")
    return found


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


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
