"""What the person does by hand is a claim or an operation, never an edit: each can be undone to the very same state."""

from __future__ import annotations

import json
from hashlib import blake2b

import apsw

from store.belief.asof import entity_key, facts_by_id
from store.belief.entities import mention_key
from store.belief.predicates import find
from store.belief.settle import file_claims, mark_claim, refold
from store.belief.tables import insert_claims
from store.errors import NotFound, UsageError
from store.records import Claim, Cue, Episode, Fact, Instant, Precision, Stretch, Turn
from store.rows import first, scalar
from store.sleep.cycle import log
from store.writing.append import Appender

TYPED = 5
"""The standing of what the person typed as a correction: it outranks everything that was extracted."""
SESSION = "by hand"


def correct(connection: apsw.Connection, subject: str, predicate: str, value: str, now: Instant) -> tuple[Episode, int]:
    """Say what is right; gives the episode that says so and the operation. Nothing of the wrong value goes on."""
    name = find(predicate).name
    mention = _mention(connection, subject)
    text = f"Correction: {subject}, {name.replace('_', ' ')}: {value}"
    return _by_hand(connection, text, mention, name, value, "correct", now)


def retract(connection: apsw.Connection, fact: Fact, now: Instant) -> tuple[Episode, int]:
    """Say that a fact never held."""
    text = f"Retraction: {fact.subject}, {fact.predicate.replace('_', ' ')}: {fact.object}"
    mention = _mention(connection, fact.subject)
    return _by_hand(connection, text, mention, fact.predicate, fact.object, "retract", now)


def _mention(connection: apsw.Connection, subject: str) -> str:
    return entity_key(connection, subject) or mention_key(subject)


def _by_hand(
    connection: apsw.Connection, text: str, mention: str, predicate: str, value: str, cue: Cue, now: Instant
) -> tuple[Episode, int]:
    if not value.strip():
        raise UsageError("The value is empty; say what is right.")
    turn = Turn(text=text, session=SESSION, said_at=now, source="command", title="By hand")
    (episode,) = Appender(live=True).append(connection, [turn], now)
    claim = Claim(
        id="c" + blake2b(f"{episode.id}\0{cue}".encode(), digest_size=9).hexdigest(), episode=episode.id, start=0,
        end=len(text), subject=mention, predicate=predicate, object=value, valid=Stretch(None, None, Precision.OPEN),
        holds_now=True, said_at=now, session=SESSION, position=episode.position, cue=cue,
        functional=True, standing=TYPED, confidence=1.0, extractor="by hand",
    )  # fmt: skip
    rows = insert_claims(connection, [claim], now.us)
    file_claims(connection, rows)
    refold_claim(connection, rows[0])
    connection.execute("insert or replace into readings values (?, 'by hand', ?)", (episode.row, now.us))
    operation = log(connection, None, "hand", cue, now, "BY_HAND", {"claim": claim.id, "episode": episode.id})
    return episode, operation


def refold_claim(connection: apsw.Connection, claim_row: int) -> None:
    """Fold the group of one claim anew."""
    group = first(connection, "select subject, family from claim_groups where claim_row = ?", (claim_row,))
    if group is not None:
        refold(connection, group[0], group[1])


def undo(connection: apsw.Connection, operation: int, now: Instant) -> int:
    """Take an operation by hand back: its claim is withdrawn and its slot folds as if it had not been said."""
    row = first(connection, "select kind, detail, undone_by from operations where id = ?", (operation,))
    if row is None:
        raise NotFound(f"There is no operation {operation}; `erstwhile log` lists them.")
    kind, detail, undone = row[0], json.loads(row[1]), row[2]
    if undone is not None:
        raise UsageError(f"Operation {operation} was undone already, by operation {undone}.")
    if "claim" not in detail:
        raise UsageError(f"Operation {operation} ({kind}) cannot be undone; corrections and retractions can.")
    mine = log(connection, None, "hand", "undo", now, "BY_HAND", {"operation": operation})
    connection.execute("insert or ignore into withdrawals values (?, ?)", (detail["claim"], mine))
    connection.execute("update operations set undone_by = ? where id = ?", (mine, operation))
    claim_row = scalar(connection, "select row from claims where id = ?", (detail["claim"],))
    if claim_row is not None:
        mark_claim(connection, claim_row)
        refold_claim(connection, claim_row)
    return mine


def fact_named(connection: apsw.Connection, fact_id: str, now: int) -> Fact:
    """The fact with this id. Raises NotFound."""
    found = facts_by_id(connection, [fact_id], now)
    if fact_id not in found:
        raise NotFound(f"There is no fact {fact_id}; `erstwhile facts --json` lists their ids.")
    return found[fact_id]
