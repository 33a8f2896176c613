"""Both times are filtered in the query itself: no fact from after `believed`, none outside `as_of`, ever leaves here.

`believed` (microseconds) sees the memory as it was then: facts that were open then, resting only on what had been said.
`as_of` (a stretch of world time) keeps what held at any moment of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import apsw

from store.beliefs.entities import ME, mention_key, own_key
from store.beliefs.grammar import Tense
from store.beliefs.predicates import find
from store.beliefs.salience import faded_confidence, standing
from store.beliefs.wording import sentence
from store.database.rows import LISTED, Row, column, each, scalar
from store.database.rows import rows as rows_of
from store.errors import NotFound
from store.records import BY_HAND, Change, ChangeKind, Entity, Fact, Instant, Link, Precision, Source, Stretch

COLUMNS = """
f.id, f.slot, n.name, f.predicate, f.object, f.valid_from, f.valid_to, f.valid_from_after, f.valid_to_after,
f.precision, f.precision_to, f.valid_offset, f.believed_from, f.believed_from_offset, f.believed_to,
f.believed_to_offset, f.change, f.ended, f.disputed, f.negative, f.qualifiers, f.world_to, f.subject
"""
_SOURCE = "e.said_at, e.said_offset, e.speaker, s.key"
_SOURCES = f"""
select fs.fact_id, e.id, e.external_id, c.start, c.end, substr(e.text, c.start + 1, c.end - c.start), {_SOURCE},
       c.confidence, c.extractor, c.id
from fact_sources fs join claims c on c.row = fs.claim_row join episodes e on e.row = c.episode_row
join sessions s on s.id = e.session_id
where fs.fact_id in (select value from json_each(?)) and fs.said_at <= ?
order by fs.fact_id, e.said_at, e.position, c.start
"""
_CONFIRMED = f"""
select json_extract(o.detail, '$.claim'), e.id, e.external_id, coalesce(c.start, 0), coalesce(c.end, length(e.text)),
       substr(e.text, coalesce(c.start, 0) + 1, coalesce(c.end, length(e.text)) - coalesce(c.start, 0)), {_SOURCE}
from operations o join episodes e on e.id = json_extract(o.detail, '$.of[0]') join sessions s on s.id = e.session_id
left join claims c on c.id = json_extract(o.detail, '$.unsure') and c.episode_row = e.row
where o.phase = 'hand' and o.kind = 'confirmation'
"""
"""Of what was confirmed by hand: the words of which the reader was unsure, and which are the person's own."""
_LATEST = 2**62
_PRECISIONS = {str(one.value): one for one in Precision}
USES = 100  # the latest uses of a slot that count: the older ones have all but decayed
_AFTER_BAR = "\U0010ffff"  # sorts behind whatever may follow the beginning of a slot


class FactOutline(NamedTuple):
    """What stands in the row of a fact; instants in microseconds UTC, and the offset in which each was said."""

    id: str
    slot: str
    subject: str
    predicate: str
    object: str
    valid_from: int | None
    valid_to: int | None
    valid_from_after: int | None
    valid_to_after: int | None
    precision: str
    precision_to: str
    valid_offset: int
    believed_from: int
    believed_from_offset: int
    believed_to: int | None
    believed_to_offset: int | None
    change: ChangeKind
    ended: ChangeKind | None
    disputed: int
    negative: int
    qualifiers: str
    world_to: int
    entity: str

    def fact(
        self, now: int, *, believed: int | None = None, sources: tuple[Source, ...] = (), confidence: float = 0.0,
        replaced: tuple[str, ...] = (), pinned: bool = False, salience: float = 0.0,
    ) -> Fact:  # fmt: skip
        """The fact as it is seen from `believed`, with what its row does not tell as far as that is given."""
        # A belief that was closed later was open then: seen from `believed`, nobody knew that it would end.
        still = self.believed_to is None or (believed is not None and self.believed_to > believed)
        begins_later = self.valid_from is not None and self.valid_from > now
        tense: Tense = "past" if self.world_to <= now else "future" if begins_later else "present"
        return Fact(
            id=self.id, subject=self.subject, predicate=self.predicate, object=self.object,
            text=sentence(
                self.subject, self.predicate, self.object, tense=tense, negative=bool(self.negative),
                quotes=[source.quote for source in sources], speaker=sources[0].speaker if sources else "me",
            ),
            valid_from=_instant(self.valid_from, self.valid_offset),
            valid_to=_instant(self.valid_to, self.valid_offset),
            believed_from=Instant(self.believed_from, self.believed_from_offset),
            believed_to=None if still else _instant(self.believed_to, self.believed_to_offset or 0),
            precision=_PRECISIONS[self.precision], precision_to=_PRECISIONS[self.precision_to], change=self.change,
            supersedes=replaced[0] if replaced else None, also_supersedes=replaced[1:],
            confidence=round(min(confidence, 0.99), 3), salience=salience, sources=sources, slot=self.slot,
            valid_from_after=_instant(self.valid_from_after, self.valid_offset),
            valid_to_after=_instant(self.valid_to_after, self.valid_offset),
            disputed=bool(self.disputed), pinned=pinned, negative=bool(self.negative), ahead=tense == "future",
            ended=None if still else self.ended,
            qualifiers=tuple((name, text) for name, text in json.loads(self.qualifiers)),
        )  # fmt: skip


def outline(connection: apsw.Connection, limit: int | None = None) -> list[FactOutline]:
    """Every rectangle that was ever believed, or the first so many: by subject, the person first, then by predicate,
    slot and world time. The sentence, the sources and how sure it is of each of a hundred thousand facts take seconds
    to put together, and who looks at them over time sees a few dozen at once: those can be asked for by their ids."""
    found = each(
        connection,
        f"select {COLUMNS} from facts f cross join entities n on n.id = f.subject order by n.name <> 'me', n.name, "
        "f.predicate, f.slot, f.world_from, f.believed_from, f.id limit ?",
        (-1 if limit is None else limit,),
    )
    return list(map(FactOutline._make, found))


def facts_where(
    connection: apsw.Connection, *, subject: str | None = None, predicates: Sequence[str] | None = None,
    as_of: Stretch | None = None, believed: int | None = None, during: Stretch | None = None,
    everything: bool = False, now: int = 0, limit: int | None = None, offset: int = 0,
) -> list[Fact]:  # fmt: skip
    """Facts by subject (an entity key), predicates, and both times, by slot and world time.

    `believed` None is the present; `during` is a stretch of belief time: what was held at any moment of it;
    `everything` lifts the filter on belief, and gives every rectangle that there ever was (up to `believed`, if one is
    given). `limit` and `offset` page through them; the filters come first.
    """
    conditions, values = ["1"], list[object]()
    names = None if predicates is None else sorted({find(name).name for name in predicates})
    if subject is not None:
        # A slot is "subject|family" with, where it holds many values, "|value" behind it.
        slot = f"{subject}|" if names is None or len(names) != 1 else f"{subject}|{find(names[0]).slot_name}"
        conditions.append("f.slot >= ? and f.slot < ? and f.subject = ?")
        values += [slot, slot + _AFTER_BAR, subject]
    if names is not None:
        conditions.append(f"f.predicate in ({','.join('?' * len(names))})")
        values += names
    if during is not None:
        believed = _LATEST if during.end is None else during.end - 1
    if everything and during is None:
        conditions.append("f.believed_from <= ?")
        values.append(_LATEST if believed is None else believed)
    elif believed is None:
        conditions.append("f.believed_to is null")
    else:
        since = believed if during is None else -_LATEST if during.start is None else during.start
        conditions.append("f.believed_from <= ? and (f.believed_to is null or f.believed_to > ?)")
        values += [believed, since]
    if as_of is not None:
        conditions.append("f.world_from < ? and f.world_to > ?")
        values += [_LATEST if as_of.end is None else as_of.end, -_LATEST if as_of.start is None else as_of.start]
    # The index holds both times in the order of the answer: a page is read off it, and nothing is sorted.
    by = "" if subject is None and predicates is not None else "indexed by facts_in_order"
    found = rows_of(
        connection,
        f"select {COLUMNS} from facts f {by} cross join entities n on n.id = f.subject "
        f"where {' and '.join(conditions)} order by f.slot, f.world_from, f.believed_from, f.id limit ? offset ?",
        [*values, -1 if limit is None else limit, offset],
    )
    return _facts(connection, found, believed, now)


def facts_by_id(connection: apsw.Connection, ids: Iterable[str], now: int = 0) -> dict[str, Fact]:
    wanted = f"facts f join entities n on n.id = f.subject where f.id in {LISTED}"
    found = rows_of(connection, f"select {COLUMNS} from {wanted}", (json.dumps(list(ids)),))
    return {fact.id: fact for fact in _facts(connection, found, None, now)}


def facts_resting_on(connection: apsw.Connection, episodes: Sequence[str], now: int = 0) -> list[Fact]:
    """Every rectangle that was ever believed on account of some turns (their ids)."""
    return list(facts_by_id(connection, resting_on(connection, episodes), now).values())


def resting_on(connection: apsw.Connection, episodes: Sequence[str]) -> list[str]:
    """The ids of the facts that rest on some turns (their ids)."""
    claims = "episodes e join claims c on c.episode_row = e.row join fact_sources fs on fs.claim_row = c.row"
    found = f"select distinct fs.fact_id from {claims} where e.id in {LISTED}"
    return column(connection, found, (json.dumps(list(episodes)),))


def _facts(connection: apsw.Connection, rows: list[Row], believed: int | None, now: int) -> list[Fact]:
    ids = json.dumps([row[0] for row in rows])
    sources: dict[str, list[Source]] = {}
    confidence: dict[str, float] = {}
    seen = rows_of(connection, _SOURCES, (ids, _LATEST if believed is None else believed))
    own: dict[str, Source] = {}
    if any(row[9] == BY_HAND for row in seen):  # the person's own words that each confirmation says yes to
        own = {str(row[0]): _source(row[1:], "by hand") for row in each(connection, _CONFIRMED)}
    for fact_id, *where, sure, by, claim in seen:
        source = own.get(claim) or _source(where, by)
        if source not in sources.setdefault(fact_id, []):
            sources[fact_id].append(source)
        confidence[fact_id] = 1 - (1 - confidence.get(fact_id, 0.0)) * (1 - 0.9 * sure)
    links = f"select new_id, old_id from supersessions where new_id in {LISTED} order by 1, place"
    replaced = _by_key(each(connection, links, (ids,)))
    pinned = set(column(connection, "select distinct slot from pins"))
    slots = json.dumps(sorted({str(row[1]) for row in rows}), ensure_ascii=False)
    uses = f"select slot, at from accesses where slot in {LISTED} order by slot, at desc"
    used = _by_key(each(connection, uses, (slots,)))
    facts = []
    for row in map(FactOutline._make, rows):
        resting = tuple(sources.get(row.id, ()))
        said = [one.said_at.us for one in resting]
        stands = standing(row.predicate, said, used.get(row.slot, [])[:USES])
        facts.append(row.fact(
            now, believed=believed, sources=resting,
            confidence=faded_confidence(row.predicate, confidence.get(row.id, 0.0), said, now),
            replaced=tuple(replaced.get(row.id, ())), pinned=row.slot in pinned,
            salience=stands.salience_at(now) if stands else 0.0,
        ))  # fmt: skip
    return facts


def _by_key(pairs: Iterable[Row]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def _source(row: Sequence[Any], by: str) -> Source:
    episode, external, start, end, quote, said, offset, speaker, session = row
    return Source(episode, external, start, end, quote, Instant(said, offset), speaker, session, by)


def _instant(us: int | None, offset: int) -> Instant | None:
    return None if us is None else Instant(us, offset)


def chain(connection: apsw.Connection, subject: str, predicates: tuple[str, ...] | None, now: int) -> list[Link]:
    """How the belief changed, newest first: by when it was said, then by when it was true."""

    def recency(fact: Fact) -> tuple[bool, int, int, str]:
        held, said = fact.believed_to is None, fact.believed_from.us
        begins = fact.valid_from.us if fact.valid_from else -(2**62)
        return (held, begins if held else said, said, fact.id)

    links = []
    facts = facts_where(connection, subject=subject, predicates=predicates, everything=True, now=now)
    for fact in sorted(facts, key=recency, reverse=True):
        said = [source.quote for source in fact.sources if source.said_at.us <= fact.believed_from.us]
        links.append(Link(fact, fact.change, said[-1] if said else ""))
    return links


def changes(connection: apsw.Connection, since: int, until: int | None, now: int) -> list[Change]:
    """What began to be believed, or ceased to be, in [since, until), oldest first."""
    until = _LATEST if until is None else until
    ids = column(
        connection,
        "select id from facts where (believed_from >= ?1 and believed_from < ?2) "
        "or (believed_to >= ?1 and believed_to < ?2)",
        (since, until),
    )
    facts = facts_by_id(connection, ids, now)
    replaced = {
        (fact, old) for fact in facts.values() for old in (fact.supersedes, *fact.also_supersedes) if old is not None
    }  # fmt: skip
    known = facts | facts_by_id(connection, {old for _, old in replaced} - facts.keys(), now)
    # A value that goes on because another one was taken back replaces it not: that ceased to be believed for itself.
    taken_over = {
        old for fact, old in replaced
        if not (fact.change == "retract" and old in known and known[old].object != fact.object)
    }  # fmt: skip
    found: list[Change] = []
    for fact in facts.values():
        if since <= fact.believed_from.us < until:
            found.append(Change(fact.believed_from, fact.change, fact, known.get(fact.supersedes or "")))
        if fact.believed_to and since <= fact.believed_to.us < until and fact.id not in taken_over and fact.ended:
            found.append(Change(fact.believed_to, fact.ended, None, fact))
    return sorted(found, key=lambda one: (one.at.us, one.new.id if one.new else "", one.old.id if one.old else ""))


def entities(connection: apsw.Connection) -> list[Entity]:
    """Everybody and everything that has facts or claims, with the mentions that mean them."""
    aliases = _by_key(each(connection, "select entity_id, mention from aliases order by 2"))
    found: list[Entity] = []
    for key, name, kind in each(connection, "select id, name, kind from entities order by id"):
        mentions = aliases.get(key, ())
        mine = [mention[3:] for mention in mentions if mention.startswith("me>") and mention.count(">") == 1]
        if mentions:
            found.append(Entity(key, name, kind, tuple(mentions), mine[0] if mine else None))
    return found


def entity_key(connection: apsw.Connection, name: str) -> str | None:
    """The entity that a person means by a name, an alias or "my brother"; None if there is none."""
    mention = mention_key(name)
    by_mention = "select entity_id from aliases where mention = ?"
    by_name = "select id from entities where lower(name) = lower(?) order by id"
    looks = [(by_mention, mention), (by_name, name.strip()), (by_mention, f"{ME}>{mention}")]
    for sql, value in (*looks, (by_mention, own_key(mention, {}))):
        if (found := scalar(connection, sql, (value,))) is not None:
            return str(found)
    return None


def entity_named(connection: apsw.Connection, name: str) -> str:
    """The entity that a person means by a name; the person is one before anything is known of them. Raises NotFound."""
    found = entity_key(connection, name)
    if found is None and name.casefold() not in ("me", "i", "you"):
        raise NotFound(f"Nobody and nothing called {name!r} is known here; `erstwhile people` shows who is.")
    return found or ME
