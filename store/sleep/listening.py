"""What a model bears out is let in claim by claim; what the reader was sure of stands whatever a model says.

The phase `listen`, the last of a sleep and only with a model that is good enough: it judges what the reader was unsure
of, one turn with the one before it at a time, the newest first. Each turn is one transaction: its claims, folded; the
mark that it was heard; and, of what was refused, the reply, the code and the run. A turn whose reply had a fault stays
open and is asked about again in a later sleep, told what was wrong, until it was asked about TRIES times. A keystroke
ends the reply that is being written, and leaves its turn as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import apsw

from store.beliefs.settle import mark_claim
from store.beliefs.unsure import waiting_in
from store.database.rows import LISTED, column, scalar
from store.database.runs import log
from store.episodes.append import episodes_where
from store.errors import ModelError
from store.protocols import BoundModel, Message
from store.records import Claim, Episode, Instant, Progress
from store.sleep.checking import LONGEST, MOST, REPLY_TOKENS, judged, messages, schema
from store.sleep.phases import PhaseInput, Stopped
from store.sleep.reading import UNDONE, are_there, believe, context_of

TRIES = 3
"""How often a turn is asked about at most."""
DECIDED = "HEARD"
"""Reason code of the log's rows that let claims in; their detail has the ids."""

_MARK = "insert or replace into heard values (?, ?, ?, ?, ?, ?, ?)"
_WAITING = (
    "from episodes e join readings r on r.episode_row = e.row left join heard h on h.episode_row = e.row "
    "where e.role = 'user' and e.inactive = 0 and r.extractor <> 'by hand' "
    f"and (h.episode_row is null or (h.open = 1 and h.run < ? and h.run not in {UNDONE})) "
    f"and e.row not in (select episode_row from run_readings where run in {UNDONE})"
)
"""Read, but judged by no model yet (or with a fault, in an earlier run), and not taken back."""


class _Asked(NamedTuple):
    """A turn that a model is asked about, and what it comes to."""

    turn: Episode
    before: Sequence[Episode]
    """The turns in whose light it was read; the model was shown the last of them."""
    heard: list[Claim] | str
    """What is let in, or the code of what is wrong with the reply."""
    reply: str | None
    """What the model said; None: there was nothing to ask about."""


def unheard(connection: apsw.Connection) -> int:
    """How many turns no model has heard; those that wait for a second try are none of them."""
    return int(scalar(connection, f"select count(*) {_WAITING} and h.episode_row is null", (0,)))


def phase(work: PhaseInput) -> Iterator[Progress]:
    """Have the model read what waits for it, turn by turn."""
    model = work.model
    if model is None:
        return
    found = f"select e.row {_WAITING} order by e.said_at desc, e.position desc, e.id"
    waiting = column(work.database.reader(), found, (work.run,))
    if waiting:
        yield Progress("listen", 0, len(waiting), model.name)
    for done, row in enumerate(waiting, 1):
        work.heed()
        if not _hear(work, model, row):
            return
        yield Progress("listen", done, len(waiting), model.name)


def _hear(work: PhaseInput, model: BoundModel, row: int) -> bool:
    """One turn; False, recorded, where the model failed: it is not asked again in this sleep."""
    reader = work.database.reader()
    turn = next(iter(episodes_where(reader, "where e.row = ?", (row,))), None)
    if turn is None:
        return True
    try:
        asked = _asked(work, model, turn)
    except ModelError as error:
        with work.writing() as connection:
            detail = {"episode": turn.id, "error": type(error).__name__}
            log(connection, work.run, "listen", "failed", work.clock.now(), "MODEL_FAILED", detail)
        return False
    with work.writing() as connection:
        if are_there(connection, [turn, *asked.before]):
            _write(connection, work, model.name, asked)
    return True


def _asked(work: PhaseInput, model: BoundModel, turn: Episode) -> _Asked:
    """Ask about a turn, if it leaves anything open. Raises ModelError, Stopped."""
    reader = work.database.reader()
    before = context_of(reader, turn)
    open_claims = waiting_in(reader, turn.row)[:MOST] if len(turn.text) <= LONGEST else []
    if not open_claims:
        return _Asked(turn, before, [], None)
    faults = column(reader, "select reason from refused where episode_row = ? order by id", (turn.row,))
    statements = [statement for _, statement in open_claims]
    asking = messages(turn.text, before[-1] if before else None, statements, faults)
    reply = _reply(work, model, asking, schema(len(open_claims)))
    return _Asked(turn, before, judged(reply, model.name, [claim for claim, _ in open_claims]), reply)


def _reply(work: PhaseInput, model: BoundModel, asking: Sequence[Message], held_to: dict[str, Any]) -> str:
    """What a model says, whole: its likeliest words, held to a schema. Half a reply is none. Raises Stopped where the
    person stirred, ModelError."""
    pieces: list[str] = []
    for piece in model.chat(asking, max_tokens=REPLY_TOKENS, stop=work.stop, temperature=0.0, schema=held_to):
        pieces.append(piece)
        work.heed()
    work.heed()
    if work.stop is not None and work.stop.is_set():
        raise Stopped
    return "".join(pieces)


def _write(connection: apsw.Connection, work: PhaseInput, model: str, asked: _Asked) -> None:
    now, turn, was_asked = work.clock.now(), asked.turn, asked.reply is not None
    fault, claims = (asked.heard, []) if isinstance(asked.heard, str) else ("", asked.heard)
    tries = int(scalar(connection, "select tries from heard where episode_row = ?", (turn.row,)) or 0) + was_asked
    before_row = asked.before[-1].row if was_asked and asked.before else None
    connection.execute(
        _MARK, (turn.row, before_row, model, work.run, now.us, tries, int(bool(fault) and tries < TRIES))
    )
    if fault:
        connection.execute(
            "insert into refused (episode_row, before_row, run, model, reason, said, at) values (?, ?, ?, ?, ?, ?, ?)",
            (turn.row, before_row, work.run, model, fault, asked.reply, now.us),
        )
        log(connection, work.run, "listen", "refused", now, fault, {"episode": turn.id, "try": tries})
    added = believe(connection, claims, now.us)
    _let_in(connection, work.run, turn.id, claims, now)
    work.counts["heard"] += was_asked
    work.counts["proposed"] += len(added)
    work.counts["refused"] += bool(fault)


def _let_in(connection: apsw.Connection, run: int, turn: str, claims: Sequence[Claim], now: Instant) -> None:
    if claims:
        detail = {"episode": turn, "claims": [claim.id for claim in claims]}
        log(connection, run, "listen", "heard", now, DECIDED, detail)


def hear_again(
    connection: apsw.Connection, run: int, turn: str, model: str, claims: Sequence[Claim], now: Instant
) -> None:
    """Mark a turn as heard in a run that is done again, with what was let in then."""
    row = scalar(connection, "select row from episodes where id = ?", (turn,))
    if row is not None:
        connection.execute(_MARK, (row, None, model, run, now.us, 1, 0))
        _let_in(connection, run, turn, claims, now)


def forget_light(connection: apsw.Connection, listed: str) -> None:
    """Drop what a model said of turns in the light of some episodes (a JSON list of rows) that are about to go. Those
    turns wait for a model again."""
    light = f"(select episode_row from heard where before_row in {LISTED})"
    of_model = f"from claims where episode_row in {light} and extractor like 'model/%'"
    for row in column(connection, f"select row {of_model}", (listed,)):
        mark_claim(connection, row)
    connection.execute(f"delete {of_model}", (listed,))
    connection.execute(f"delete from refused where episode_row in {light}", (listed,))
    connection.execute(f"delete from heard where before_row in {LISTED}", (listed,))
