"""A complete export holds everything that cannot be made again: the same memory gives the same bytes, wherever it is.

Its first line names it, its last line says that it is whole. A turn is a plain line, as `import` has always read it;
every other line has a `kind`, and neither `text` nor `content`, so that whoever knows turns only can pass it over.
Lines name turns and claims by their ids, which are made of their words; entries of the log by a hash; sleeps by their
order. Times are ISO 8601; what is null is left out. Lines stand in the order of saying, then of their values.

What is not here is derived (facts, identities, indexes, briefs), or of one machine only: what is in use there, where
its copies are, up to where a brief was read, and the accounts of sleeps on which nothing rests.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, NamedTuple

import apsw

from store.beliefs.entities import APART, SAME
from store.database.rows import column, each
from store.episodes import person
from store.episodes.secrets import secret_spans
from store.formats.jsonl import COMPLETE, LAST, VERSION
from store.records import Instant

Json = dict[str, Any]


class Field(NamedTuple):
    """A key of a line and the column that it stands for."""

    key: str
    column: str
    form: str
    """How it is written. plain: as it is; time: microseconds UTC as ISO 8601, in UTC; zoned: in the row's
    `valid_offset`; flag: 0 or 1 as a boolean; json: JSON as JSON; turn: the row of a turn as its id; run: a sleep's
    number as its place in their order."""

    def read(self) -> str:
        """SQL for its value in the table `t`, where a turn is named by its id."""
        column = f"t.{self.column}"
        return f"(select id from episodes where row = {column})" if self.form == "turn" else column


class Kind(NamedTuple):
    """A kind of line that is a row of a table."""

    name: str
    table: str
    fields: tuple[Field, ...]


def _kind(name: str, table: str, spec: str) -> Kind:
    """A kind from a list of keys, each with `=column` where that has another name and `:form` where it is not plain."""
    fields = []
    for word in spec.split():
        named, _, form = word.partition(":")
        key, _, stored = named.partition("=")
        fields.append(Field(key, stored or key, form or "plain"))
    return Kind(name, table, tuple(fields))


CLAIM = _kind(
    "claim", "claims",
    "claim=id episode=episode_row:turn start end subject predicate object valid_from:zoned valid_to:zoned precision "
    "valid_offset holds_now:flag cue replaces functional:flag negative:flag asserted_by standing modality confidence "
    "extractor qualifiers:json recorded_at:time",
)  # fmt: skip
READ = (
    _kind("reading", "readings", "episode=episode_row:turn extractor read_at:time"),
    _kind("read_in", "run_readings", "episode=episode_row:turn run:run"),
    _kind("heard", "heard", "episode=episode_row:turn before=before_row:turn model run:run at:time tries open:flag"),
    _kind("refused", "refused", "episode=episode_row:turn before=before_row:turn run:run model reason said at:time"),
    _kind("cited", "cited", "episode=episode_row:turn place source=source_row:turn start end shown:flag"),
    _kind("asked", "asked", "episode=episode_row:turn valid_from:time valid_to:time precision believed:time"),
)  # fmt: skip
"""How far a turn was read, what was refused of what a model said, and what a reply rests on."""
SLOTTED = (
    _kind("pin", "pins", "slot fact=fact_id at:time"),
    _kind("access", "accesses", "episode=episode_row:turn slot at:time use=kind"),
)
"""What is about a slot, whose name holds words."""
TOMBSTONE = _kind("tombstone", "tombstones", "episode=hash erased_at:time")
ROWS: Mapping[str, Kind] = {one.name: one for one in (CLAIM, *READ, *SLOTTED, TOMBSTONE)}
BY_HAND = ("correction", "retraction", "restoration", "settled", "confirmation", "same", "different")
"""Kinds of lines that are claims, too: by what was done by hand."""
TABLES = frozenset({"sessions", "episodes", "settings", "operations", "withdrawals",
                    *(one.table for one in ROWS.values())})  # fmt: skip
"""Every table of which lines are made; of the settings, who the person is; of the log, what something rests on."""


def lines(connection: apsw.Connection, *, secrets: bool) -> Iterator[Json]:
    """Every line of an export; without `secrets`, those of turns that hold any are left out. To be taken in one
    transaction."""
    most = int(secrets)
    hidden = frozenset(column(connection, "select id from episodes where secret > ?", (most,)))
    found = column(connection, f"select run from ({_RUNS}) where run > 0 order by 1")
    runs = {0: 0} | {run: place for place, run in enumerate(found, 1)}
    log = list(logged(connection, lambda one: is_about(one, hidden) or (not secrets and _is_secret(one))))
    yield {"kind": COMPLETE, "version": VERSION}
    yield from _turns(connection, most)
    yield from _sessions(connection, most)
    yield from ({"kind": "person", "name": name} for name in sorted(person.named(connection)))
    verbs = verbs_of(log)
    for claim in _rows(connection, CLAIM, most, runs):
        name = name_of(claim["claim"], claim["extractor"], claim["predicate"], claim["cue"], verbs)
        yield claim | {"kind": name}
    for kind in READ:
        yield from _rows(connection, kind, most, runs)
    yield from (one.line(runs) for one in log)
    keys = {one.row: one.key for one in log}
    for claim_id, operation in each(connection, _WITHDRAWALS, (most,)):
        if operation in keys:
            yield {"kind": "withdrawal", "claim": claim_id, "operation": keys[operation]}
    for kind in (*SLOTTED, TOMBSTONE):
        yield from (row for row in _rows(connection, kind, most, runs) if secrets or not _is_secret(row))
    yield {"kind": LAST}


_WITHDRAWALS = """
select w.claim_id, w.operation_id from withdrawals w left join claims c on c.id = w.claim_id
left join episodes e on e.row = c.episode_row where coalesce(e.secret, 0) <= ? order by 1
"""


def _is_secret(values: Json) -> bool:
    """Whether a slot is named in whose name a secret stands."""
    return bool(secret_spans(values.get("slot", "")))


_TURN_KEYS = ("session", "title", "id", "speaker", "role", "text", "said_at", "said_offset", "position", "cut",
              "inactive", "episode", "source", "recorded_at", "recorded_offset", "original")  # fmt: skip
_TURNS = """
select s.key, s.title, e.external_id, e.speaker, e.role, e.text, e.said_at, e.said_offset, e.position, e.cut,
e.inactive, e.id, e.source, e.recorded_at, e.recorded_offset, e.original
from episodes e join sessions s on s.id = e.session_id
join (select session_id, max(said_at) as ended from episodes group by session_id) l on l.session_id = s.id
where e.secret <= ? order by l.ended, s.key desc, e.said_at, e.position, e.id
"""


def _turns(connection: apsw.Connection, secrets: int) -> Iterator[Json]:
    """What the sources of turns gave, and what became of them here; the conversation that ended first comes first."""
    for row in each(connection, _TURNS, (secrets,)):
        line = dict(zip(_TURN_KEYS, row, strict=True))
        for name in ("said", "recorded"):
            line[f"{name}_at"] = Instant(line[f"{name}_at"], line.pop(f"{name}_offset")).iso()
        for name in ("cut", "inactive"):
            line[name] = bool(line[name]) or None
        yield _without_nulls(line | {"title": line["title"] or None})


def _sessions(connection: apsw.Connection, most: int) -> Iterator[Json]:
    told = (
        "select key, title, source, pinned, options from sessions where id in "
        "(select session_id from episodes where secret <= ?) order by key"
    )
    for key, title, source, pinned, options in each(connection, told, (most,)):
        line = {"kind": "session", "session": key, "title": title, "source": source, "pinned": bool(pinned)}
        yield line | ({"model": json.loads(options)} if options else {})


def _rows(connection: apsw.Connection, kind: Kind, secrets: int, runs: Mapping[int, int]) -> Iterator[Json]:
    """The rows of a table, but those of turns that are left out."""
    columns = [one.read() for one in kind.fields]
    kept = [f"(t.{one.column} is null or t.{one.column} not in (select row from episodes where secret > ?1))"
            for one in kind.fields if one.form == "turn"]  # fmt: skip
    in_time = any(one.column == "episode_row" for one in kind.fields)
    sql = (
        f"select {', '.join(columns)} from {kind.table} t "
        f"{'left join episodes e on e.row = t.episode_row' if in_time else ''} where {' and '.join(kept) or '?1 >= 0'} "
        f"order by {'e.said_at, ' if in_time else ''}{', '.join(str(place + 1) for place in range(len(columns)))}"
    )
    for row in each(connection, sql, (secrets,)):
        there = {one.column: value for one, value in zip(kind.fields, row, strict=True)}
        values = {one.key: _written(one, there, runs) for one in kind.fields}
        yield {"kind": kind.name} | _without_nulls(values)


def _written(field: Field, row: Mapping[str, Any], runs: Mapping[int, int]) -> Any:
    """The value of a column as a line has it."""
    value = row[field.column]
    if value is None or field.form in ("plain", "turn"):
        return value
    if field.form == "json":
        return json.loads(value)
    if field.form == "flag":
        return bool(value)
    if field.form == "run":
        return runs.get(value, 0)
    return Instant(value, int(row["valid_offset"]) if field.form == "zoned" else 0).iso()


def _without_nulls(values: Json) -> Json:
    return {key: value for key, value in values.items() if value is not None}


def verbs_of(log: Iterable[Logged]) -> dict[str, str]:
    """What was done by hand, by the claim that it made."""
    found: dict[str, str] = {}
    for one in log:
        if one.phase == "hand" and "claim" in one.detail:
            found |= dict.fromkeys(one.detail.get("besides", ()), "retraction")
            found[one.detail["claim"]] = one.verb
    return found


def name_of(claim: str, extractor: str, predicate: str, cue: str, verbs: Mapping[str, str]) -> str:
    """Of which kind the line of a claim is; of one by hand that no log tells of, by what it says."""
    if extractor != "by hand":
        return CLAIM.name
    if verbs.get(claim) in BY_HAND:
        return verbs[claim]
    by_words = {SAME: "same", APART: "different"}
    return by_words.get(predicate, "retraction" if cue == "retract" else "correction")


@dataclass(frozen=True, slots=True)
class Logged:
    """An entry of the log on which something rests."""

    row: int
    key: str
    """The same in every memory that has it: a hash, and which of those that are equal it is."""
    run: int | None
    phase: str
    verb: str
    at: Instant
    reason: str
    detail: Json
    """As it is stored, but with the key of the operation that it names."""
    undoes: tuple[str, ...]
    """The keys of those that it has undone."""

    def line(self, runs: Mapping[int, int]) -> Json:
        """Its line."""
        detail = self.detail | ({"run": runs[self.detail["run"]]} if "run" in self.detail else {})
        line = {"kind": "operation", "operation": self.key, "run": None if self.run is None else runs[self.run],
                "phase": self.phase, "verb": self.verb, "at": self.at.iso(), "reason": self.reason, "detail": detail,
                "undoes": list(self.undoes) or None}  # fmt: skip
        return _without_nulls(line)


_DECIDED = "(phase = 'hand' or (phase = 'listen' and reason = 'HEARD'))"
"""What was done by hand, and the claims that a sleep let in."""
_RUNS = " union ".join([
    *(f"select run from {table}" for table in ("run_readings", "heard", "refused")),
    f"select run from operations where {_DECIDED}",
    "select json_extract(detail, '$.run') from operations where phase = 'hand' and kind = 'undo'",
])  # fmt: skip
_LOG = (
    "select id, run, phase, kind, at, at_offset, reason, detail, undone_by from operations "
    f"where {_DECIDED} or (phase = 'sleep' and run in ({_RUNS})) order by id"
)
"""The entries on which something rests, and how the sleeps ended that made any."""


def logged(connection: apsw.Connection, left_out: Callable[[Json], bool] = lambda _: False) -> Iterator[Logged]:
    """The entries of the log on which something rests, the oldest first, but those whose details are to be left out,
    and what undid them."""
    keys: dict[int, str] = {}
    undone: dict[int, list[str]] = {}
    equal: Counter[str] = Counter()
    for row, run, phase, verb, at, offset, reason, told, undone_by in each(connection, _LOG):
        detail = json.loads(told)
        if left_out(detail):
            continue
        if "operation" in detail:
            if detail["operation"] not in keys:
                continue
            detail["operation"] = keys[detail["operation"]]
        key = _key(equal, (phase, verb, at, offset, reason), detail)
        keys[row] = key
        if undone_by is not None:
            undone.setdefault(undone_by, []).append(key)
        yield Logged(row, key, run, phase, verb, Instant(at, offset), reason, detail, tuple(undone.get(row, ())))


def is_about(detail: Json, turns: Collection[str]) -> bool:
    """Whether an entry of the log goes with these turns."""
    named = [detail["episode"]] if "episode" in detail else detail.get("of", ())
    return bool(named) and all(one in turns for one in named)


def _key(equal: Counter[str], entry: tuple[object, ...], detail: Json) -> str:
    said = json.dumps([entry, {name: value for name, value in detail.items() if name != "run"}], ensure_ascii=False)
    same = blake2b(said.encode(), digest_size=9).hexdigest()
    equal[same] += 1
    return f"o{same}" if equal[same] == 1 else f"o{same}-{equal[same]}"
