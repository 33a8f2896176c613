"""What was said is evidence, with what of it was taken back or put right since; what was done by hand is none.

Each turn that recall found comes with the turn before it where that asks: an answer is read beside its question.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import TYPE_CHECKING, Any

from store.episodes.marks import asks
from store.reading.asking.pieces import Passage
from store.reading.context import BURST, LEANS
from store.reading.revised import revises
from store.recall import search
from store.recall.scope import FOREVER
from store.records import BY_HAND, DOCUMENT_SOURCE, Hit, Instant

if TYPE_CHECKING:
    import apsw

    from store.protocols import Embedder

READ = 1_500
"""Characters of the turn before that are looked at."""
DAY = 86_400_000_000

_BEFORE = """
select p.text from episodes e join episodes p on p.session_id = e.session_id
    and (p.said_at, p.position, p.id) < (e.said_at, e.position, e.id) and p.said_at <= ?2
    and p.inactive = 0 and p.secret = 0
where e.id = ?1 and p.speaker <> e.speaker order by p.said_at desc, p.position desc, p.id desc limit 1
"""
_OWN_BEFORE = """
select p.text from episodes e join episodes p on p.session_id = e.session_id
    and (p.said_at, p.position, p.id) < (e.said_at, e.position, e.id) and p.said_at <= ?2
    and p.said_at >= e.said_at - ?3 and p.inactive = 0 and p.secret = 0
where e.id = ?1 and p.speaker = e.speaker order by p.said_at desc, p.position desc, p.id desc limit 1
"""
_NEXT = """
select e.id, e.external_id, s.key, e.speaker, e.text, e.said_at, e.said_offset
from episodes e join sessions s on s.id = e.session_id
where e.said_at > ?1 and e.said_at <= ?2 and e.speaker = ?3 and e.inactive = 0 and e.secret = 0
order by e.said_at, e.position, e.id limit ?4
"""
_LATEST = "select max(said_at) from episodes where said_at <= ? and inactive = 0"

_TAKEN_BACK = """
select distinct e.id, f.family, f.object
from facts f join fact_sources s on s.fact_id = f.id join claims c on c.row = s.claim_row
    join episodes e on e.row = c.episode_row
where e.id in (select value from json_each(?1)) and c.extractor <> 'by hand'
    and f.ended in ('retract', 'correct') and f.believed_to is not null and f.believed_to <= ?2
    and not exists (select 1 from facts g where g.subject = f.subject and g.family = f.family and g.object = f.object
        and g.negative = f.negative and g.believed_from <= ?2 and (g.believed_to is null or g.believed_to > ?2)
        and (f.family <> 'event' or g.world_from = f.world_from))
"""
"""What was believed of turns and then taken back, or put right, and is not believed again; of what took place, not of
that time."""

_NOT_THEIRS = f"""
select id from episodes
where id in (select value from json_each(?1)) and role <> 'user' and source <> '{DOCUMENT_SOURCE}'
"""
"""What a model said, which is nobody's word; a document is somebody's."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A turn that may answer."""

    hit: Hit
    mine: bool = False
    """The person said it."""
    before: str = ""
    """What somebody else said before it, if that asks; else what its writer said right before, if it revises that."""
    latest: int = 0
    """When the last turn of all was said, in microseconds UTC."""
    wrong: tuple[str, ...] = ()
    """Values that were believed of it, and were taken back or put right."""
    moved: bool = False
    """What it tells of took place at another time, or not at all."""

    @property
    def stands(self) -> bool:
        """Whether nothing of it was taken back or put right."""
        return not self.wrong and not self.moved

    def passage(self) -> Passage:
        """As it is read beside a question."""
        said = self.hit.said_at
        age = max(0, (self.latest - said.us) // DAY)
        return Passage(self.hit.text, "me" if self.mine else self.hit.speaker, said.local().date(), age, self.before)


NEAREST = 6
"""So many of the turns are those nearest in meaning, whatever their words: of 946 questions asked of 1,652 turns, one
that answers was among sixteen for 59.4 % without them, and for 61.0 % with them."""


def gather(
    connection: apsw.Connection,
    question: str,
    k: int,
    *,
    believed: int | None,
    embedder: Embedder,
    now: int,
    zone: tzinfo,
    person: frozenset[str],
    source: str | None = None,
) -> tuple[Evidence, ...]:
    """At most `k` turns that bear most on a question, best first; none was said after `believed`.

    `person` holds the names under which the person speaks, in lower case; `source` leaves out all other turns.
    """
    # A chat holds earlier questions and the memory's own answers, which share all their words with this one.
    most = 3 * k
    found = search.recall(
        connection, question, k=most, believed=believed, source=source, embedder=embedder, now=now, zone=zone
    )
    some = of_hits(connection, found.hits, believed=believed, person=person)
    best, others = range(len(some))[: max(0, k - NEAREST)], range(len(some))[max(0, k - NEAREST) :]
    near = sorted(others, key=lambda place: dict(some[place].hit.channels).get("dense", most))[: k - len(best)]
    return tuple(some[place] for place in (*best, *sorted(near)))


def of_hits(
    connection: apsw.Connection,
    hits: Sequence[Hit],
    *,
    believed: int | None,
    person: frozenset[str],
    quotable: bool = True,
    alone: bool = False,
) -> tuple[Evidence, ...]:
    """Some hits as evidence, in the order given; with `quotable`, only what people and documents say; `alone`: without
    what was said before them."""
    until = FOREVER if believed is None else believed
    turns = [hit for hit in hits if hit.kind == "episode"]
    turns = _quotable(connection, turns) if quotable else turns
    latest = int(connection.execute(_LATEST, (until,)).get or 0)
    listed = json.dumps([one.id for one in turns])
    gone = connection.execute(_TAKEN_BACK, (listed, until)).fetchall()
    return tuple(
        Evidence(
            turn, turn.speaker.casefold() in person, "" if alone else _before(connection, turn, until), latest,
            tuple(str(value) for key, family, value in gone if key == turn.id and family != "event"),
            any(key == turn.id and family == "event" for key, family, _ in gone),
        )
        for turn in turns
    )  # fmt: skip


def said_next(connection: apsw.Connection, after: Hit, k: int, *, believed: int | None) -> tuple[Hit, ...]:
    """Of the next `k` turns by whoever said a turn those that stand, in the order of saying, none said after
    `believed`."""
    until = FOREVER if believed is None else believed
    found: list[Any] = connection.execute(_NEXT, (after.said_at.us, until, after.speaker, k)).fetchall()
    hits = [
        Hit("episode", key, external_id, session, speaker, text, Instant(said_at, offset), 0.0)
        for key, external_id, session, speaker, text, said_at, offset in found
    ]
    return tuple(
        one.hit for one in of_hits(connection, hits, believed=believed, person=frozenset(), alone=True) if one.stands
    )


def _quotable(connection: apsw.Connection, turns: list[Hit]) -> list[Hit]:
    """Without what a model said; what was done by hand is in the beliefs, and its turns are no quotes."""
    listed = json.dumps([one.id for one in turns])
    not_theirs = {row[0] for row in connection.execute(_NOT_THEIRS, (listed,))}
    return [turn for turn in turns if turn.id not in not_theirs and turn.session != BY_HAND]


def _before(connection: apsw.Connection, turn: Hit, until: int) -> str:
    text = str(connection.execute(_BEFORE, (turn.id, until)).get or "")
    if asks(text):
        return text[-READ:]
    if turn.text.count(" ") >= LEANS:
        return ""
    own = str(connection.execute(_OWN_BEFORE, (turn.id, until, BURST)).get or "")
    return own[-READ:] if own and revises(own, turn.text) else ""
