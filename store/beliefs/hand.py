"""What the person does by hand is a claim or an operation, never an edit: each can be undone to the very same state.

A correction, a retraction, a restoration and a settled dispute are claims of the highest standing, said in a turn of
their own; a pin is a row of its own. Each is one row in the log of operations, and `undo` takes that row back. That two
are one, or one is nobody else, is a claim of the modality "identity", which is never folded into a fact:
store.beliefs.entities hears it before what the words of others say.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

import apsw

from store.beliefs.asof import entities, entity_key, entity_named, facts_by_id, facts_where
from store.beliefs.entities import APART, ARROW, ME, SAME, mention_key, own_key
from store.beliefs.grammar import capital
from store.beliefs.pieces import MOVED_FROM, OPEN, TYPED
from store.beliefs.predicates import REGISTRY, find
from store.beliefs.refold import dirty_groups, refold_touched
from store.beliefs.settle import file_claims, mark_claim, naming_predicates, settle_identities
from store.beliefs.tables import insert_claims
from store.beliefs.values import value_key
from store.database.rows import LISTED, column, each, first, rows, scalar
from store.database.runs import log
from store.episodes.append import Appender
from store.errors import NotFound, UsageError
from store.records import BY_HAND, Claim, Cue, Entity, Episode, Fact, Instant, Modality, Precision, Stretch, Turn
from store.time.wording import describe

_STATE = (
    "select f.id, f.slot, n.name, f.predicate, f.object, f.world_from, f.world_to, f.valid_from_after, "
    "f.valid_to_after, f.precision, f.precision_to, f.believed_from, f.believed_to, f.change, f.ended, f.disputed, "
    "f.negative, f.qualifiers, c.id from facts f join entities n on n.id = f.subject "
    "join claims c on c.row = f.because order by 1",
    "select fs.fact_id, c.id from fact_sources fs join claims c on c.row = fs.claim_row order by 1, 2",
    "select new_id, place, old_id from supersessions order by 1, 2",
    "select slot, fact_id, at from pins order by 1, 2",
)


@dataclass(frozen=True, slots=True)
class Saying:
    """What is said by hand."""

    verb: str  # how the log calls it, and how the turn begins
    subject: str  # as people read it
    mention: str
    predicate: str
    object: str
    cue: Cue
    valid: Stretch = OPEN
    holds_now: bool = True
    replaces: str | None = None
    functional: bool = True
    negative: bool = False
    modality: Modality = "fact"
    words: str = ""  # how it is said, where that is not by its subject, predicate and object
    qualifiers: tuple[tuple[str, str], ...] = ()
    of: tuple[str, ...] = ()  # the ids of the turns whose words it takes up; when they are erased, it goes with them

    def text(self) -> str:
        if self.words:
            return self.words
        instead = f" (instead of {self.replaces})" if self.replaces else ""
        denied = "not " if self.negative else ""
        return f"{self.verb}: {self.subject}, {self.predicate.replace('_', ' ')}: {denied}{self.object}{instead}"


def correct(
    connection: apsw.Connection, subject: str, predicate: str, value: str, now: Instant, *, valid: Stretch = OPEN,
    holds_now: bool = True, instead_of: str | Fact | None = None, unsure: Claim | None = None,
    wrongly_of: Fact | None = None,
) -> Episode:  # fmt: skip
    """Say what is right; gives the turn that says so. Nothing of the wrong value goes on. Without a stretch the right
    value takes that of the wrong one; with one, what was believed outside of it stays. `instead_of` is the wrong value,
    or what was believed or heard of it. `unsure` is the claim that was wrong, where nobody believed it; it waits no
    longer. `wrongly_of` is what was believed, or heard, of another whom it was not about. Raises UsageError."""
    if not value.strip():
        raise UsageError("The value is empty; say what is right.")
    if valid.start is not None and valid.end is not None and valid.start >= valid.end:
        raise UsageError("It would end before it begins; say the earlier time first.")
    name, value = find(predicate).name, value.strip()
    mention = entity_key(connection, subject) or mention_key(subject)
    wrong = instead_of if isinstance(instead_of, Fact) else None
    if isinstance(instead_of, str):  # the latest belief of this value
        believed = facts_where(connection, subject=mention, predicates=[name])
        wanted = value_key(instead_of)
        wrong = next((one for one in reversed(believed) if value_key(one.object) == wanted), None)
    words = ""
    if valid != OPEN and wrong is not None:  # with the time before, where the value stays as it was
        before = describe(_stretch_of(wrong)) if wrong.precision is not Precision.OPEN else "no date"
        instead = before if value == wrong.object else wrong.object
        words = f"Correction: {subject}, {name.replace('_', ' ')}: {value}, {describe(valid)} (instead of {instead})"
    if unsure is not None and valid == OPEN:
        valid, holds_now = _time_of(unsure), unsure.holds_now
    event = wrong if find(name).temporal == "event" and wrong is not None and not wrong.unsure else None
    renamed = event is not None and value_key(event.object) != value_key(value)  # one of another name is another event
    gone = event if renamed else wrongly_of or (wrong if _lies_after(wrong, valid) else None)
    besides = () if gone is None or gone.unsure else (taking_back(connection, gone),)
    if besides and valid == OPEN:
        valid, holds_now = besides[0].valid, besides[0].holds_now
    moved: tuple[tuple[str, str], ...] = ()
    if event is not None and not renamed:
        begins = event.valid_from
        moved = ((MOVED_FROM, "" if begins is None else begins.local().date().isoformat()),)
    saying = Saying(
        "Correction", subject, unsure.subject if unsure is not None and wrongly_of is None else mention, name,
        value, "correct" if gone is None else "state", valid=valid, holds_now=holds_now,
        replaces=wrong.object if wrong is not None else instead_of if isinstance(instead_of, str) else None,
        functional=_is_single(connection, mention, name), words=words, qualifiers=moved,
        of=besides[0].of if besides else () if unsure is None else (unsure.episode,),
    )  # fmt: skip
    return say(connection, saying, now, besides, settles="" if unsure is None else unsure.id)


def _lies_after(wrong: Fact | None, valid: Stretch) -> bool:
    """Whether what is believed begins, as far as it was told, after all that is right: nothing of it goes on."""
    if wrong is None or wrong.unsure or wrong.valid_to is not None or wrong.valid_from is None:
        return False
    return valid.end is not None and wrong.precision is Precision.OPEN and wrong.valid_from.us >= valid.end


def _is_single(connection: apsw.Connection, mention: str, predicate: str) -> bool:
    """Whether a slot that the registry does not know holds one value: as it has so far, else by being corrected."""
    if predicate in REGISTRY:
        return find(predicate).cardinality == "one"
    subject = scalar(connection, "select entity_id from aliases where mention = ?", (mention,)) or mention
    family = find(predicate).slot_name
    held = "select distinct slot from facts where subject = ? and family = ? and believed_to is null"
    slots = column(connection, held, (subject, family))
    return not slots or f"{subject}|{family}" in slots


def retract(connection: apsw.Connection, fact: Fact, now: Instant) -> Episode:
    """Say that a fact never held. Raises UsageError if it is not believed now."""
    if fact.believed_to is not None:
        raise UsageError("That is not believed any more, so there is nothing to take back; `erstwhile chain` shows it.")
    return say(connection, taking_back(connection, fact), now)


def restore(connection: apsw.Connection, fact: Fact, now: Instant) -> Episode:
    """Say that a fact which was dropped, or taken back, does hold for the time that it was believed for."""
    if fact.believed_to is None:
        raise UsageError("That is believed now, so there is nothing to restore.")
    event = find(fact.predicate).temporal == "event"
    return say(connection, _of_fact(connection, fact, "Restoration", "state" if event else "correct"), now)


def resolve(connection: apsw.Connection, fact: Fact, now: Instant) -> Episode:
    """Settle a dispute: this one is right, and what stood against it is not."""
    if not fact.disputed or fact.believed_to is not None:
        raise UsageError("That is not disputed; `erstwhile correct` says what is right instead.")
    return say(connection, _of_fact(connection, fact, "Settled", "correct"), now)


def confirm(connection: apsw.Connection, claim: Claim, name: str, now: Instant) -> Episode:
    """Say that what the reader was unsure of is so."""
    saying = Saying(
        "Confirmation", name, claim.subject, claim.predicate, claim.object, claim.cue, valid=_time_of(claim),
        holds_now=claim.holds_now, replaces=claim.replaces, functional=claim.functional, negative=claim.negative,
        of=(claim.episode,),
    )  # fmt: skip
    return say(connection, saying, now, settles=claim.id)


def _time_of(claim: Claim) -> Stretch:
    """When it holds; where the reader gave no time, it is known since it was said."""
    if claim.valid.start is not None:
        return claim.valid
    precision = Precision.OPEN if claim.valid.end is None else Precision.DAY
    since = Stretch(claim.said_at.us, claim.valid.end, precision, claim.said_at.offset)
    return since if claim.holds_now else replace(since, end=None) if claim.cue == "stop" else claim.valid


def drop(connection: apsw.Connection, claim: Claim, now: Instant) -> None:
    """Say that what the reader was unsure of is not so."""
    detail: dict[str, object] = {"unsure": claim.id, "of": [claim.episode]}
    operation = log(connection, None, "hand", "drop", now, "BY_HAND", detail)
    connection.execute("insert into withdrawals values (?, ?)", (claim.id, operation))


def unlearn(connection: apsw.Connection, episode: Episode, now: Instant) -> int:
    """Take back all that a turn taught: its claims are withdrawn, its words stay, and no sleep reads them again. Gives
    the operation that did so."""
    taught = "id from claims where episode_row = ? and id not in (select claim_id from withdrawals) order by row"
    claims = column(connection, f"select {taught}", (episode.row,))
    read_by = scalar(connection, "select extractor from readings where episode_row = ?", (episode.row,))
    detail: dict[str, object] = {"withdrawn": claims, "episode": episode.id, "of": [episode.id], "read_by": read_by}
    operation = log(connection, None, "hand", "unlearn", now, "BY_HAND", detail)
    _withdraw(connection, claims, operation)
    connection.execute("insert or replace into readings values (?, 'by hand', ?)", (episode.row, now.us))
    return operation


def _of_fact(connection: apsw.Connection, fact: Fact, verb: str, cue: Cue) -> Saying:
    subject, family = rows(connection, "select subject, family from facts where id = ?", (fact.id,))[0]
    return Saying(
        verb, fact.subject, subject, fact.predicate, fact.object, cue, valid=_stretch_of(fact),
        holds_now=fact.valid_to is None, functional=fact.slot == f"{subject}|{family}", negative=fact.negative,
        of=tuple(dict.fromkeys(source.episode for source in fact.sources)),
    )  # fmt: skip


def _stretch_of(fact: Fact) -> Stretch:
    start, end = fact.valid_from, fact.valid_to
    precision = fact.precision_to if start is None else fact.precision
    offset = start.offset if start else end.offset if end else 0
    return Stretch(None if start is None else start.us, None if end is None else end.us, precision, offset)


def taking_back(connection: apsw.Connection, fact: Fact) -> Saying:
    """What says that a fact never held."""
    return _of_fact(connection, fact, "Retraction", "retract")


def say(
    connection: apsw.Connection, saying: Saying, now: Instant, besides: Sequence[Saying] = (), settles: str = ""
) -> Episode:
    """Append a turn by hand with its claim, fold what it touches, and log it; `besides` are claims of the same turn,
    which come and go with the first, and `settles` is the unsure claim that it takes the place of."""
    turn = Turn(text=saying.text(), session=BY_HAND, said_at=now, source="command", title="By hand")
    (episode,) = Appender(live=True).append(connection, [turn], now)
    claims: list[Claim] = []
    for place, one in enumerate((saying, *besides)):
        key = f"{episode.id}\0{one.cue}" + (f"\0{place}" if place else "")  # tells those of one turn apart
        claims.append(Claim(
            id="c" + blake2b(key.encode(), digest_size=9).hexdigest(), episode=episode.id, start=0,
            end=len(episode.text), subject=one.mention, predicate=one.predicate, object=one.object, valid=one.valid,
            holds_now=one.holds_now, said_at=episode.said_at, session=BY_HAND, position=episode.position, cue=one.cue,
            replaces=one.replaces, functional=one.functional, negative=one.negative, standing=TYPED,
            modality=one.modality, confidence=1.0, extractor="by hand", qualifiers=one.qualifiers,
        ))  # fmt: skip
    waiting = set(dirty_groups(connection))
    file_claims(connection, claim_rows := insert_claims(connection, claims, now.us))
    refold_touched(connection, claim_rows, waiting)
    connection.execute("insert or replace into readings values (?, 'by hand', ?)", (episode.row, now.us))
    detail: dict[str, object] = {"claim": claims[0].id, "episode": episode.id, "of": list(saying.of)}
    if besides:
        detail["besides"] = [claim.id for claim in claims[1:]]
    if settles:
        detail["unsure"] = settles
    operation = log(connection, None, "hand", saying.verb.lower(), now, "BY_HAND", detail)
    if settles:
        connection.execute("insert into withdrawals values (?, ?)", (settles, operation))
    return episode


_IDENTITY = Saying("Same", "", "", SAME, "", "state", functional=False, modality="identity")


def same(connection: apsw.Connection, one: str, other: str, now: Instant) -> Episode:
    """Say that two are one; gives the turn that says so. Of the two the person stays, else who has a name, else the
    first. Raises NotFound, UsageError."""
    keep, join = _known(connection, one), _known(connection, other)
    if keep.id == join.id:
        raise UsageError(f"{one!r} and {other!r} are one already; `erstwhile different` sets them apart.")
    if join.id == ME or (keep.id != ME and ARROW in keep.id and ARROW not in join.id):
        keep, join = join, keep
    words = f"{capital(join.name)} is the same as {keep.name}."
    return say(connection, replace(_IDENTITY, subject=join.name, mention=join.id, object=keep.id, words=words), now)


def different(connection: apsw.Connection, name: str, other: str | None, now: Instant) -> Episode:
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
    taken_back = [taking_back(connection, fact) for fact in _joining(connection, key, entity.id, now.us)]
    # Erased with the words that it takes up.
    of = () if ARROW in entity.id else tuple(dict.fromkeys(turn for one in taken_back for turn in one.of))
    said = replace(_IDENTITY, verb="Different", predicate=APART, words=words, of=of)
    return say(connection, replace(said, subject=name, mention=key, object=entity.id), now, taken_back)


def _joining(connection: apsw.Connection, key: str, entity: str, now: int) -> list[Fact]:
    """What is believed only because two were taken for one ("Your brother is Jonas"): whoever says that they are two
    says that it never held."""
    known: dict[str, str] = dict(each(connection, "select mention, entity_id from aliases"))
    of_one = {entity, *(own_key(mention, known) for mention, who in known.items() if who == entity)}
    ids = set()
    for fact, predicate, subject, value in each(
        connection,
        "select f.id, c.predicate, c.subject, c.object from facts f join fact_sources fs on fs.fact_id = f.id "
        "join claims c on c.row = fs.claim_row where f.believed_to is null and f.negative = 0 "
        f"and f.predicate in {LISTED}",
        (json.dumps(naming_predicates(connection)),),
    ):
        # "My brother's name is Jonas" says the same as "my brother Jonas".
        role = subject if predicate == "name" else f"{subject}{ARROW}{predicate.replace('_', ' ')}"
        sides = {value_key(value), own_key(role, known)}
        if key in sides and len(sides) == 2 and sides - {key} <= of_one:
            ids.add(fact)
    found = facts_by_id(connection, ids, now)
    return [found[one] for one in sorted(found)]


def _known(connection: apsw.Connection, name: str) -> Entity:
    key = entity_named(connection, name)
    return next((entity for entity in entities(connection) if entity.id == key), Entity(key, key, "person"))


def _own(connection: apsw.Connection, name: str) -> str:
    """The key of a name as long as it is nobody but itself."""
    known: dict[str, str] = dict(each(connection, "select mention, entity_id from aliases"))
    mention = mention_key(name)
    if mention not in known and f"{ME}{ARROW}{mention}" in known:
        mention = f"{ME}{ARROW}{mention}"
    return own_key(mention, known)


def pin(connection: apsw.Connection, fact: Fact, now: Instant) -> None:
    """Keep what this fact is about in view: its slot is pinned, whatever value it comes to hold."""
    if fact.pinned:
        raise UsageError("That is pinned already.")
    connection.execute("insert into pins values (?, ?, ?)", (fact.slot, fact.id, now.us))
    log(connection, None, "hand", "pin", now, "BY_HAND", {"slot": fact.slot, "pinned": [], "fact": fact.id})


def unpin(connection: apsw.Connection, fact: Fact, now: Instant) -> None:
    if not fact.pinned:
        raise UsageError("That is not pinned.")
    pinned = rows(connection, "select fact_id, at from pins where slot = ? order by 1", (fact.slot,))
    connection.execute("delete from pins where slot = ?", (fact.slot,))
    log(connection, None, "hand", "unpin", now, "BY_HAND", {"slot": fact.slot, "pinned": pinned, "fact": fact.id})


def undo(connection: apsw.Connection, operation: int, now: Instant) -> int:
    """Take an operation by hand back: its claim is withdrawn and its slot folds as if it had not been said; a pin is as
    it was before. Gives the operation that did so. Raises NotFound, UsageError."""
    row = first(connection, "select kind, detail, undone_by from operations where id = ?", (operation,))
    if row is None:
        raise NotFound(f"There is no operation {operation}; `erstwhile log` lists them.")
    kind, detail, undone = row[0], json.loads(row[1]), row[2]
    if undone is not None:
        raise UsageError(f"Operation {operation} was undone already, by operation {undone}.")
    if not {"claim", "pinned", "unsure", "withdrawn"} & set(detail):
        raise UsageError(f"Operation {operation} ({kind}) cannot be undone; what was done by hand can.")
    mine = log(connection, None, "hand", "undo", now, "BY_HAND", {"operation": operation})
    connection.execute("update operations set undone_by = ? where id = ?", (mine, operation))
    connection.execute("delete from withdrawals where operation_id = ?", (operation,))
    if "withdrawn" in detail:
        read, of_turn = detail["read_by"], "where episode_row = (select row from episodes where id = ?)"
        if read is None:  # nobody had read it: it waits for a sleep again
            connection.execute(f"delete from readings {of_turn}", (detail["episode"],))
        else:
            connection.execute(f"update readings set extractor = ? {of_turn}", (read, detail["episode"]))
        _fold_anew(connection, detail["withdrawn"])
    elif "claim" in detail:
        _withdraw(connection, (detail["claim"], *detail.get("besides", ())), mine)
    elif "pinned" in detail:
        connection.execute("delete from pins where slot = ?", (detail["slot"],))
        pinned = [(detail["slot"], fact_id, at) for fact_id, at in detail["pinned"]]
        connection.executemany("insert into pins values (?, ?, ?)", pinned)
    return mine


def _withdraw(connection: apsw.Connection, claim_ids: Sequence[str], operation: int) -> None:
    connection.executemany("insert or ignore into withdrawals values (?, ?)", [(one, operation) for one in claim_ids])
    _fold_anew(connection, claim_ids)


def _fold_anew(connection: apsw.Connection, claim_ids: Sequence[str]) -> None:
    """Fold whatever these claims are about, as it is without those that are withdrawn."""
    listed = "select row from claims where id in (select value from json_each(?)) order by row"
    claim_rows = column(connection, listed, (json.dumps(claim_ids),))
    if not claim_rows:
        return
    waiting = set(dirty_groups(connection))
    for row in claim_rows:
        mark_claim(connection, row)
    settle_identities(connection)
    refold_touched(connection, claim_rows, waiting)


def fact_named(connection: apsw.Connection, fact_id: str, now: int) -> Fact:
    """The fact with this id. Raises NotFound."""
    found = facts_by_id(connection, [fact_id], now)
    if fact_id not in found:
        raise NotFound(f"There is no fact {fact_id}; `erstwhile facts --json` lists their ids.")
    return found[fact_id]


def state_hash(connection: apsw.Connection) -> str:
    """A hash over everything that is believed and ever was: facts, their sources, what replaced what, and pins."""
    total = blake2b(digest_size=16)
    for query in _STATE:
        for row in each(connection, query):
            total.update(json.dumps(row, ensure_ascii=False).encode())
        total.update(b"\0")
    return total.hexdigest()
