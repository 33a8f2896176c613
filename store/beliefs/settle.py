"""Every claim belongs to exactly one group, and a group whose claims or identities changed is marked before it is used.

Settling says which entity each mention is, files each claim under its group, and marks as dirty what has to be folded
anew; store.beliefs.refold then folds dirty groups only, one at a time, each in the caller's transaction.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial

import apsw

from store.beliefs.entities import APART, ARROW, ME, SAME, Identity, IdentityClaim, IdentityEvidence, names_of
from store.beliefs.entities import settle as settle_mentions
from store.beliefs.grammar import ITS, capital
from store.beliefs.predicates import ENDING, ended_by, find
from store.beliefs.refold import REACHING, dirty_groups, refold
from store.beliefs.values import value_key
from store.database.rows import LISTED, column, each, first, scalar
from store.database.rows import rows as rows_of
from store.episodes import person
from store.records import Progress
from store.text.forms import is_past
from store.text.lists import wordset
from store.text.nouns import ATTRIBUTES, CLUBS, EVENT_NOUNS, POSSESSIONS, WORKPLACES

_BESIDE_ME = (
    "select 1 from (select distinct session_id from (select session_id from episodes where speaker = ? limit 500)) one "
    "where exists (select 1 from episodes e where e.session_id = one.session_id and e.speaker = 'me') limit 1"
)
"""Whether the person speaks in one of the conversations of somebody; in the first ones, as a file may hold millions."""
UNNAMED = "~"
"""Begins a subject that was not named: "~door_code" is whoever had a door code, by the newest earlier claim, and
"~event operation" whoever had an operation."""
_IS_UNNAMED = f"(g.mention >= '{UNNAMED}' and g.mention < '{chr(ord(UNNAMED) + 1)}')"
_ENDING = json.dumps(sorted(ENDING))
_OF_PREDICATE = (
    "from claims c join claim_groups g on g.claim_row = c.row join episodes e on e.row = c.episode_row "
    "where c.predicate = ? and"
)
UNFILED = "from claims where modality <> 'unsure' and row not in (select claim_row from claim_groups)"
"""The claims that have no group yet."""
STEP = 500
_DETERMINERS = wordset("the a an my our his her their your this that these those")
_NOUNS = frozenset([*POSSESSIONS, *EVENT_NOUNS, *WORKPLACES, *CLUBS, *ATTRIBUTES, *ITS])
_OWN = re.compile(r"(?i)\b(?:his|her)\b")  # in a value, the part of somebody: "broke his wrist"


def _each_once(which: str) -> str:
    """SQL for the different speakers of some turns, in order: a look into an index for each, not for each turn."""
    least = f"select min(speaker) from episodes where {which}"
    return (
        f"with recursive one(speaker) as ({least} union all select ({least} and speaker > one.speaker) from one "
        "where one.speaker is not null) select speaker from one where speaker is not null"
    )


_SPEAKERS, _USERS = _each_once("true"), _each_once("role = 'user' and source <> 'command'")


Told = tuple[str, str, str, str]  # an identity as it is stored: entity, reason, name, kind


@dataclass(frozen=True, slots=True)
class Identities:
    """Who is who, and who was before."""

    fresh: dict[str, Identity]
    stored: dict[str, Told]  # of each mention
    kinds: dict[str, str]

    def gone(self) -> list[str]:
        """Mentions that nobody makes any more."""
        return [one for one in self.stored if one not in self.fresh]

    def changed(self) -> list[str]:
        """Mentions of which something else is to be stored, in order."""
        return [one for one, who in self.fresh.items() if self.stored.get(one) != self.told(who)]

    def told(self, who: Identity) -> Told:
        """An identity as it is stored: entity, reason, name, kind."""
        relation = find(who.entity.rpartition(ARROW)[2].replace(" ", "_"))
        if who.entity == ME or "who" in relation.asks:
            kind = "pet" if relation.is_a("pet") else "person"
        else:
            kind = self.kinds.get(who.entity, "person" if who.name[:1].isupper() else "thing")
        return (who.entity, who.reason, who.name, kind)


def file_claims(connection: apsw.Connection, rows: Sequence[int], *, settle: bool = True) -> None:
    """File new claims under their groups (unsure ones have none), settle identities, and mark what they touch. Without
    `settle`, who is who is left to the phase of that name, which every sleep goes on to before it folds."""
    listed = ",".join(map(str, rows))
    new = rows_of(
        connection,
        "select c.row, c.subject, c.predicate, e.said_at from claims c join episodes e on e.row = c.episode_row "
        f"where c.row in ({listed}) and c.modality <> 'unsure'",
    )
    if not new:
        return
    known = {one: told[0] for one, told in _stored(connection, {mention for _, mention, _, _ in new}).items()}
    connection.executemany(
        "insert or replace into claim_groups values (?, ?, ?, ?, ?, 0)",
        [(row, who, known.get(who, who), find(predicate).slot_name, said_at) for row, who, predicate, said_at in new],
    )
    _mark(connection, f"where claim_row in ({listed})", (), whole=False)
    if not settle:
        return
    names_people = any(_is_identity(predicate) or predicate in (SAME, APART) for _, _, predicate, _ in new)
    unknown = [
        mention for _, mention, predicate, _ in new
        if mention not in known or (mention.isalpha() and "human" in find(predicate).traits)  # it may be a name now
    ]  # fmt: skip
    if names_people or not _speakers(connection).keys().isdisjoint(unknown):
        settle_identities(connection)
    elif unknown:
        _settle_new(connection, unknown)
    refile_unnamed(connection, {str(predicate) for _, _, predicate, _ in new})


def catch_up(connection: apsw.Connection) -> Iterator[Progress]:
    """File the claims that have no group yet, settle who is who, and fold all that is marked, in the caller's
    transaction."""
    claims = column(connection, f"select row {UNFILED} order by row")
    for start in range(0, len(claims), STEP):
        file_claims(connection, claims[start : start + STEP], settle=False)
        yield Progress("claims", min(start + STEP, len(claims)), len(claims))
    settle_identities(connection)
    groups = dirty_groups(connection)
    for done, (subject, family) in enumerate(groups, 1):
        refold(connection, subject, family)
        if done % STEP == 0 or done == len(groups):
            yield Progress("fold", done, len(groups))


def _is_identity(predicate: str) -> bool:
    known = find(predicate)
    return known.name == "name" or "who" in known.asks


def naming_predicates(connection: apsw.Connection) -> list[str]:
    """The predicates in use by which somebody is named: relations, and "name"."""
    return [row[0] for row in each(connection, "select distinct predicate from claims") if _is_identity(row[0])]


def _stored(connection: apsw.Connection, mentions: Iterable[str] | None = None) -> dict[str, Told]:
    """What is stored of these mentions, or of all."""
    some = "" if mentions is None else f"where a.mention in {LISTED}"
    values = () if mentions is None else (json.dumps(sorted(mentions), ensure_ascii=False),)
    join = "from aliases a join entities n on n.id = a.entity_id"
    found = each(connection, f"select a.mention, a.entity_id, a.reason, n.name, n.kind {join} {some}", values)
    return {mention: (entity, reason, name, kind) for mention, entity, reason, name, kind in found}


def settle_identities(connection: apsw.Connection) -> None:
    """Recompute who every mention is; groups whose subject thereby became another are filed and marked anew."""
    found = identities(connection)
    forget_identities(connection, found.gone())
    for mention in found.changed():
        store_identity(connection, found, mention)
    refile_unnamed(connection)


def _settle_new(connection: apsw.Connection, mentions: Iterable[str]) -> None:
    """Who some new mentions are, where nobody was named by them: then nobody else becomes another."""
    new = {ME if one.startswith(UNNAMED) else one for one in mentions}
    said, speakers = list(_said(connection)), _speakers(connection)
    heard = _evidence(connection, said, speakers, sorted(new))  # a name that was given is spelt in `said`
    found = Identities(settle_mentions(new, heard), _stored(connection, new), _kinds(said, speakers))
    for mention in sorted(new):
        store_identity(connection, found, mention)


def identities(connection: apsw.Connection, heed: Callable[[], None] = lambda: None) -> Identities:
    """Who every mention is by all that was said; changes nothing. `heed` is called now and then, and may raise."""
    claimed = set(column(connection, "select distinct mention from claim_groups"))
    if any(one.startswith(UNNAMED) for one in claimed):
        claimed.add(ME)  # what nobody else has is the person's, though nothing else was said of them
    said = list(_said(connection))
    mentions = sorted(names_of(said) | {one for one in claimed if not one.startswith(UNNAMED)})
    speakers = _speakers(connection)
    heard = _evidence(connection, said, speakers, mentions, heed)
    heed()
    fresh = {
        mention: identity
        for mention, identity in settle_mentions(mentions, heard).items()
        if mention in claimed or ARROW not in mention or identity.entity != mention
    }  # a relation of several named ones, of which nothing else was said, is nobody
    return Identities(fresh, _stored(connection), _kinds(said, speakers))


def _evidence(
    connection: apsw.Connection, said: Sequence[IdentityClaim], speakers: dict[str, str], mentions: Sequence[str],
    heed: Callable[[], None] = lambda: None,
) -> IdentityEvidence:  # fmt: skip
    """All that bears on who these mentions are."""
    by_hand = each(
        connection,
        "select c.subject, c.predicate, c.object from claims c join episodes e on e.row = c.episode_row "
        "where c.modality = 'identity' and c.id not in (select claim_id from withdrawals) "
        "order by e.said_at, e.position, c.id",
    )
    spelt = _spellings(connection, mentions, speakers, heed)
    said_by_hand = [IdentityClaim(*row) for row in by_hand]
    return IdentityEvidence(said, spelt, _persons(connection), frozenset(speakers), said_by_hand)


def forget_identities(connection: apsw.Connection, mentions: Iterable[str]) -> None:
    """Take out mentions that nobody makes any more."""
    connection.executemany("delete from aliases where mention = ?", [(mention,) for mention in mentions])


def store_identity(connection: apsw.Connection, found: Identities, mention: str) -> None:
    """Store who a mention is; if its claims are thereby another's, they are filed and marked anew."""
    identity, before = found.fresh[mention], found.stored.get(mention)
    told = found.told(identity)
    if before != told:
        connection.execute(
            "insert into entities (id, name, kind, reason) values (?, ?, ?, ?) "
            "on conflict (id) do update set name = excluded.name, kind = excluded.kind "
            "where name <> excluded.name or kind <> excluded.kind",
            (identity.entity, identity.name, told[-1], identity.reason),
        )
        connection.execute(
            "insert into aliases (mention, entity_id, reason) values (?, ?, ?) "
            "on conflict (mention) do update set entity_id = excluded.entity_id, reason = excluded.reason "
            "where entity_id <> excluded.entity_id or reason <> excluded.reason",
            (mention, identity.entity, identity.reason),
        )
    if (before[0] if before else mention) != identity.entity:
        _move(connection, "mention = ?", mention, identity.entity)


def _move(connection: apsw.Connection, which: str, value: object, subject: str) -> None:
    """File claims under another subject; the groups that they leave and join are marked."""
    _mark(connection, f"where {which}", (value,))
    connection.execute(f"update claim_groups set subject = ? where {which}", (subject, value))
    _mark(connection, f"where {which}", (value,))


def _said(connection: apsw.Connection) -> Iterator[IdentityClaim]:
    for row in each(
        connection,
        "select distinct subject, predicate, object from claims where predicate in (select value from json_each(?)) "
        "and modality = 'fact' and negative = 0 and cue not in ('stop', 'retract') "
        "and id not in (select claim_id from withdrawals) order by 1, 2, 3",
        (json.dumps(naming_predicates(connection), ensure_ascii=False),),
    ):
        yield IdentityClaim(*row)


def _speakers(connection: apsw.Connection) -> dict[str, str]:
    """Those who speak: mention -> name."""
    return {value_key(row[0]): row[0] for row in each(connection, _SPEAKERS)}


def _spellings(
    connection: apsw.Connection, mentions: Sequence[str], speakers: dict[str, str], heed: Callable[[], None]
) -> dict[str, str]:
    """How each mention was first written: as a speaker's name, else as somebody was named, though they be so no more,
    else in the words that it was quoted from, else (of whom "she" was said) in the same conversation; a name by whom no
    capitals are written has one."""
    given = "select distinct object from claims where predicate in (select value from json_each(?)) order by 1"
    names = column(connection, given, (json.dumps(naming_predicates(connection), ensure_ascii=False),))
    spelt = {value_key(name): name for name in names if name[:1].isupper()} | speakers
    quoted = (
        "select substr({0}.text, instr(lower({0}.text), ?), length(?)) from claims c join episodes e "
        "on e.row = c.episode_row {1} where c.subject = ? and instr(lower({0}.text), ?) > 0 order by {2} limit 1"
    )
    own = quoted.format("e", "", "e.said_at, c.row")
    before = "join episodes o on o.session_id = e.session_id and o.said_at <= e.said_at"
    for mention in mentions:
        heed()
        if mention in spelt or mention == ME or ARROW in mention:
            continue
        row = first(connection, own, (mention,) * 4) or first(
            connection, quoted.format("o", before, "o.said_at desc, o.row desc"), (mention,) * 4
        )
        if row is not None:
            named = row[0].islower() and is_small_name(connection, mention)
            opens = mention in _NOUNS and row[0] == capital(mention)  # "Flat is found!"
            spelt[mention] = capital(row[0]) if named else mention if opens else row[0]
    return spelt


def is_small_name(connection: apsw.Connection, mention: str) -> bool:
    """Whether a small word names somebody: what only people have was said of it, and it stands behind no article."""
    if not mention.isalpha() or mention in _NOUNS or find(mention).is_relation:
        return False
    said = "e.text, c.predicate, c.object from claims c join episodes e on e.row = c.episode_row where c.subject = ?"
    word = re.compile(rf"(?:([^\W\d_]+)\s+)?(?<!\w){re.escape(mention)}(?!\w)")
    is_named = False
    for text, predicate, value in each(connection, f"select {said}", (mention,)):
        before = {one[1] for one in word.finditer(text.lower())}
        if before & _DETERMINERS:
            return False
        known = find(predicate)
        did = is_past(value.partition(" ")[0].lower()) and _OWN.search(value) is not None
        human = bool({"human", "aim"} & set(known.traits)) or known.grammar == "ill" or known.is_relation or did
        is_named = is_named or (human and bool(before))
    return is_named


def _persons(connection: apsw.Connection) -> frozenset[str]:
    """Mentions that are the person: those named with --me, and a speaker who is the only one named with the role user
    (design, section 9), unless the person speaks beside them."""
    names = {value_key(name) for name in person.named(connection)}
    named = [row[0] for row in each(connection, _USERS) if value_key(row[0]) not in ("me", "user")]
    alone = len({value_key(name) for name in named}) == 1 and not any(
        first(connection, _BESIDE_ME, (name,)) for name in named
    )
    return frozenset(names | ({value_key(named[0])} if alone else set()))


def _kinds(said: Sequence[IdentityClaim], speakers: Iterable[str]) -> dict[str, str]:
    """What each named one is, as far as somebody said: people by their relations or their own words, pets by theirs."""
    kinds = dict.fromkeys(speakers, "person")
    for one in said:
        kinds[value_key(one.object)] = "pet" if find(one.predicate).is_a("pet") else "person"
    return kinds


def refile_unnamed(connection: apsw.Connection, predicates: Iterable[str] | None = None) -> None:
    """Find whom "~door_code" means: the subject of the newest earlier claim with that predicate, and of that noun if
    one is named, else the person. Of these predicates, or of all that were said of somebody unnamed."""
    if predicates is None:
        of = f"from claim_groups g join claims c on c.row = g.claim_row where {_IS_UNNAMED}"
        predicates = column(connection, f"select distinct c.predicate {of}")
    for predicate in sorted(predicates):
        found = f"select g.claim_row, g.subject, e.said_at, c.start, g.mention {_OF_PREDICATE} {_IS_UNNAMED}"
        unnamed = rows_of(connection, found, (predicate,))
        if not unnamed:
            continue
        earlier = cache(partial(_named_of, connection, predicate))
        for claim_row, filed, said_at, start, mention in unnamed:
            named = earlier(mention.partition(" ")[2])
            place = bisect_left(named, (said_at, start), key=lambda one: (one[0], one[1]))
            subject = named[place - 1][2] if place else ME
            if subject != filed:
                _move(connection, "claim_row = ?", claim_row, subject)


def _named_of(connection: apsw.Connection, predicate: str, noun: str) -> list[tuple[int, int, str]]:
    """(said at, place in the turn, subject) of the claims of a predicate whose subject was named, in order; with a
    noun, of those alone in whose value it stands."""
    found = f"select e.said_at, c.start, g.subject {_OF_PREDICATE} not {_IS_UNNAMED} and "
    found += "instr(' ' || lower(c.object) || ' ', ?) > 0 order by 1, 2, c.id desc"
    return rows_of(connection, found, (predicate, f" {noun} " if noun else ""))


def _mark(connection: apsw.Connection, where: str, values: tuple[object, ...], *, whole: bool = True) -> None:
    connection.execute(
        f"insert into dirty select distinct subject, family, {int(whole)} from claim_groups {where} "
        "on conflict do update set whole = max(whole, excluded.whole)",
        values,
    )
    ending = (
        f"select distinct g.subject, g.family from (select * from claim_groups {where}) g "
        f"join claims c on c.row = g.claim_row where {REACHING}"
    )
    for subject, slot in rows_of(connection, ending, (*values, _ENDING)):
        for family in _families(connection, subject):
            if slot in ended_by(family):
                connection.execute(
                    "insert into dirty values (?, ?, 1) on conflict do update set whole = 1", (subject, family)
                )


def _families(connection: apsw.Connection, subject: str) -> Iterator[str]:
    """The families in which something was said of a subject: a look into the index for each, not for each claim."""
    after = "select min(family) from claim_groups where subject = ? and family > ?"
    family = scalar(connection, after, (subject, ""))
    while family is not None:
        yield family
        family = scalar(connection, after, (subject, family))


def mark_claim(connection: apsw.Connection, claim_row: int) -> None:
    """Mark the group of one claim (which was withdrawn, say)."""
    _mark(connection, "where claim_row = ?", (claim_row,))


def mark_episodes(connection: apsw.Connection, listed: str) -> None:
    """Mark the groups of all claims of some episodes (a JSON list of rows), which are about to go."""
    of_them = "(select row from claims where episode_row in (select value from json_each(?)))"
    _mark(connection, f"where claim_row in {of_them}", (listed,))
