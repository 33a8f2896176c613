"""What a turn is worth as an answer is measured beside the question that it answered, and on nothing said later.

Each turn that recall found comes with the turn before it where that asks, and with how much of each of the question's
words the two hold: near words in part, rare words for more.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import tzinfo
from typing import TYPE_CHECKING

from store.recall import lexical, search, soft
from store.recall.scope import FOREVER
from store.records import Hit
from store.writing.marks import asks
from store.writing.terms import query_terms, terms

if TYPE_CHECKING:
    import apsw

    from store.protocols import Embedder

BY_HAND = "by hand"
"""The conversation that holds what was done by hand (store.hand)."""
READ = 1_500
"""Characters of a turn that are compared with the question."""

_BEFORE = """
select p.text from episodes e join episodes p on p.session_id = e.session_id
    and (p.said_at, p.position, p.id) < (e.said_at, e.position, e.id) and p.said_at <= ?2
    and p.inactive = 0 and p.secret = 0
where e.id = ?1 order by p.said_at desc, p.position desc, p.id desc limit 1
"""

_TAKEN_BACK = """
select distinct e.id from facts f join fact_sources s on s.fact_id = f.id join claims c on c.row = s.claim_row
    join episodes e on e.row = c.episode_row
where e.id in (select value from json_each(?1)) and c.extractor <> 'by hand'
    and f.ended in ('retract', 'correct') and f.believed_to is not null and f.believed_to <= ?2
    and not exists (select 1 from facts g where g.subject = f.subject and g.family = f.family and g.object = f.object
        and g.negative = f.negative and g.believed_from <= ?2 and (g.believed_to is null or g.believed_to > ?2))
"""
"""The turns of which something was believed and then taken back, or put right, and is not believed again."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word of the question, and how much of it a turn holds."""

    term: str
    rarity: float
    """BM25's idf."""
    own: float
    """0 to 1: the turn itself holds it, or a word near it."""
    asked: float
    """0 to 1: the question that it answers holds it."""

    @property
    def held(self) -> float:
        return max(self.own, self.asked)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A turn that may answer."""

    hit: Hit
    mine: bool = False
    """The person said it."""
    before: str = ""
    """The turn before it, where that asks; else empty."""
    nearness: float = 0.0
    """The cosine of its static vector to the question's."""
    words: tuple[Word, ...] = ()


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
) -> tuple[Evidence, ...]:
    """The `k` turns that bear most on a question, best first, measured; none was said after `believed`, and none says
    what was taken back or put right by then.

    `person` holds the names under which the person speaks, in lower case.
    """
    found = search.recall(connection, question, k=k, believed=believed, embedder=embedder, now=now, zone=zone).hits
    until = FOREVER if believed is None else believed
    turns = _standing(connection, [one for one in found if one.kind == "episode"], until)
    asked = query_terms(question[:READ])
    if not turns or not asked:
        return ()
    before = [_question_before(connection, one.id, until) for one in turns]
    said = [one.text[:READ] for one in turns]
    held = soft.held(asked, [" ".join(terms(text)) for text in (*said, *before)], embedder)
    known = lexical.frequencies(connection, asked, believed)
    vectors = embedder.embed([question[:READ], *said])
    return tuple(
        Evidence(
            hit, hit.speaker.casefold() in person, before[place], float(vectors[0] @ vectors[place + 1]),
            tuple(
                Word(term, known.rarity(term), float(held[row, place]), float(held[row, place + len(turns)]))
                for row, term in enumerate(asked)
            ),
        )
        for place, hit in enumerate(turns)
    )  # fmt: skip


def _standing(connection: apsw.Connection, turns: list[Hit], until: int) -> list[Hit]:
    """The turns whose word still stands; what was done by hand is in the beliefs, and its turns are no quotes."""
    listed = json.dumps([one.id for one in turns])
    gone = {row[0] for row in connection.execute(_TAKEN_BACK, (listed, until))}
    return [one for one in turns if one.id not in gone and one.session != BY_HAND]


def _question_before(connection: apsw.Connection, episode: str, until: int) -> str:
    text = connection.execute(_BEFORE, (episode, until)).get
    return text[-READ:] if text and asks(text) else ""
