"""No belief leads to a turn that is out of scope, none that was not yet held leads anywhere, and none from outside the
world time that the question names.

Two channels run over the beliefs, from whom and what the question names:

    graph     whoever is named, who those are to each other (HOPS steps on), and the turns that their beliefs rest on
    beliefs   of those named, the slots that the question asks for, whatever words the turns themselves use

Both give the rows of turns, the best first. A memory that has not slept has no beliefs, and then neither finds any.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from store.beliefs.entities import ME, mention_key
from store.beliefs.predicates import find
from store.beliefs.values import value_key
from store.episodes.terms import query_terms, terms
from store.recall.query import Query
from store.recall.scope import FOREVER, Scope

if TYPE_CHECKING:
    import apsw

HOPS = 2
"""How many beliefs on from what was named: "my brother's wife" is two."""
READ = 300
"""Beliefs of one step that are looked at: somebody who is spoken of every day has thousands."""
LONGEST_NAME = 3
"""Words of a name."""

_THERE = "select exists (select 1 from sqlite_schema where name = 'facts')"
_ENTITIES = "select distinct entity_id from aliases where mention in (select value from json_each(:mentions))"
_BELIEFS = """
select f.id, f.predicate, f.object from facts f
where f.subject in (select value from json_each(:subjects)) and f.believed_from <= :believed
  and f.world_from < :world_end and f.world_to > :world_start {families} limit :most
"""
_FAMILIES = "and f.family in (select value from json_each(:families))"
_SOURCES = """
select s.fact_id, e.row from json_each(:facts) j join fact_sources s on s.fact_id = j.value
join claims c on c.row = s.claim_row join episodes e on e.row = c.episode_row
where {where} order by j.key, e.said_at desc, e.row desc limit :most
"""
# One step of the index for each slot, however many beliefs it holds.
_SLOTS = """
with recursive slots(family) as (
    select min(family) from facts where subject = :subject
    union all
    select (select min(family) from facts where subject = :subject and family > slots.family) from slots
    where slots.family is not null limit :most
)
select family from slots
"""
_WORD = re.compile(r"[\w'’&.-]*\w")


@dataclass(frozen=True, slots=True)
class Belief:
    """One belief on the way: what it says, as far as a question may ask for it."""

    id: str
    terms: frozenset[str]
    """Of its predicate, by every word that may ask for it, and of its value."""
    object: str


def graph(
    connection: apsw.Connection, query: Query, scope: Scope, limit: int, subjects: Sequence[str] | None = None
) -> list[int]:
    """Rows of the turns on which the beliefs of those named rest, and of those whom these lead to.

    The nearer in steps come first; of one step, those that hold more of the question's words. `subjects` is what
    `named` gives, if it was asked already.
    """
    subjects = named(connection, query) if subjects is None else subjects
    met, found = set[str](), list[Belief]()
    for _ in range(HOPS):
        subjects = [subject for subject in subjects if subject not in met]
        if not subjects:
            break
        met.update(subjects)
        beliefs = _held(connection, query, scope, subjects)
        found += _by_words(beliefs, query)
        subjects = _entities(connection, {value_key(belief.object) for belief in beliefs})
    return _sources(connection, found, scope, limit)


def beliefs(
    connection: apsw.Connection, query: Query, scope: Scope, limit: int, subjects: Sequence[str] | None = None
) -> list[int]:
    """Rows of the turns on which the asked slots of those named rest, those first that hold more of its words.
    `subjects` is what `named` gives, if it was asked already."""
    subjects = named(connection, query) if subjects is None else subjects
    asked = {subject: asked_for(connection, subject, query.matter()) for subject in subjects}
    subjects = [subject for subject, families in asked.items() if families]
    families = sorted({family for found in asked.values() for family in found})
    found = _held(connection, query, scope, subjects, families) if subjects else []
    return _sources(connection, _by_words(found, query), scope, limit)


def named(connection: apsw.Connection, query: Query) -> list[str]:
    """The keys of the entities that the question names, in the order of their keys; "I" is the person. None in a memory
    without beliefs."""
    if not connection.execute(_THERE).get:
        return []
    words = _WORD.findall(query.text)[:60]
    runs = [words[start : start + size] for size in range(1, LONGEST_NAME + 1) for start in range(len(words))]
    mentions = {mention_key(" ".join(run)) for run in runs}
    mentions |= {mention_key(f"{owner}'s {noun}") for owner, noun in pairwise(words) if owner.istitle()}
    return _entities(connection, mentions | ({ME} if query.mine else set()))


def asked_for(connection: apsw.Connection, subject: str, words: Iterable[str]) -> list[str]:
    """Of the slots in which something was ever believed of a subject, those that these terms ask for: "live" and "home"
    ask for lives_in."""
    matter = frozenset(words)
    there = connection.execute(_SLOTS, {"subject": subject, "most": READ})
    return [family for (family,) in there if family is not None and matter & _terms_of(family)]


@cache
def _terms_of(predicate: str) -> frozenset[str]:
    """The terms by which a question may ask for a predicate."""
    known = find(predicate)
    told = " ".join([known.name.replace("_", " "), *known.nouns, *known.verbs, *known.aliases]).replace("_", " ")
    return frozenset(query_terms(told))


def _entities(connection: apsw.Connection, mentions: Iterable[str]) -> list[str]:
    told = json.dumps(sorted(filter(None, mentions)))
    return sorted(str(key) for (key,) in connection.execute(_ENTITIES, {"mentions": told}))


def _held(
    connection: apsw.Connection, query: Query, scope: Scope, subjects: Sequence[str], families: Sequence[str] = ()
) -> list[Belief]:
    """The beliefs of these subjects that were ever held until then, about the world time that is asked for."""
    stretch = query.stretch
    start = None if stretch is None else stretch.start
    end = None if stretch is None else stretch.end
    values = {
        "subjects": json.dumps(list(subjects)), "families": json.dumps(list(families)), "most": READ,
        "believed": FOREVER if scope.believed is None else scope.believed,
        "world_start": -FOREVER if start is None else start, "world_end": FOREVER if end is None else end,
    }  # fmt: skip
    sql = _BELIEFS.format(families=_FAMILIES if families else "")
    if not families:
        del values["families"]
    return [
        Belief(str(key), _terms_of(predicate) | frozenset(terms(value)), value)
        for key, predicate, value in connection.execute(sql, values)
    ]


def _by_words(found: Sequence[Belief], query: Query) -> list[Belief]:
    """Those that hold more of the question's words first."""
    matter = frozenset(query.matter())
    return sorted(found, key=lambda one: (-len(one.terms & matter), one.id))


def _sources(connection: apsw.Connection, found: Sequence[Belief], scope: Scope, limit: int) -> list[int]:
    """The turns that these beliefs rest on, in their order, each once; the newest first where one rests on several."""
    if not found:
        return []
    keys = json.dumps(list(dict.fromkeys(one.id for one in found)))
    values = {"facts": keys, "most": 4 * limit, **scope.bindings()}
    rows = connection.execute(_SOURCES.format(where=scope.where("e")), values)
    return list(dict.fromkeys(int(row) for _, row in rows))[:limit]
