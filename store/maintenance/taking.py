"""Taking an export adds, in one transaction, what is not here: nothing that is here goes, nothing comes twice.

What was erased here stays away, with all that is about it. What was done by hand comes with its entry in the log, and
only with it: whoever took something back here after it came does not find it back when the same file comes again.
Sleeps and entries of the log have numbers of their own in each memory; both are translated.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Generator, Iterable, Sequence
from dataclasses import dataclass, field, replace

import apsw

from store.database.connections import Database
from store.database.rows import LISTED, Row, column, each, rows, scalar
from store.database.runs import log, next_run
from store.episodes import person
from store.episodes.cited import resting_on
from store.errors import BadInput
from store.maintenance import upkeep
from store.maintenance.complete import Staged
from store.maintenance.erase import in_their_light
from store.maintenance.lines import ROWS, Logged, is_about, logged, name_of, verbs_of
from store.maintenance.merge import take_claims, take_episodes, take_rows, take_sessions, withdraw
from store.protocols import Embedder
from store.records import Instant, Progress


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of an export."""

    counts: Counter[str]
    """How many lines of each kind are new here."""
    known: int
    """Turns that were here before."""
    stayed_away: int
    """Turns that were erased here."""
    erased_there: tuple[str, ...]
    """The ids of turns that are here, and were erased where the export was written."""


def take(database: Database, staged: Staged, embedder: Embedder, now: Instant) -> Generator[Progress, None, Taken]:
    """Take all of an export; whole or, where the generator is left, not at all. Raises BadInput where a turn here has
    the id of another one."""
    theirs = staged.connection
    with database.writing() as mine:
        taking = _Taking(mine, theirs)
        taking.look()
        take_sessions(mine, theirs)
        new = take_episodes(mine, theirs)
        taking.take_persons()
        taking.take_log()
        claims = taking.take_readings(now)
        taking.take_withdrawals()
        for kind in upkeep.DERIVED:
            yield from kind.add(mine, new, embedder)
        taking.take_rest()
        return taking.taken(len(new), claims)


@dataclass(slots=True)
class _Taking:
    """One export on its way into one memory."""

    mine: apsw.Connection
    theirs: apsw.Connection
    counts: Counter[str] = field(default_factory=Counter)
    away: set[str] = field(default_factory=set)
    """The ids of turns that were erased here, and of replies that rest on them."""
    known: int = 0
    log: list[Logged] = field(default_factory=list)
    """What the export tells of the log, but for turns that stay away."""
    runs: dict[int, int] = field(default_factory=dict)
    """The numbers of sleeps there, and here."""
    operations: dict[str, int] = field(default_factory=dict)
    """The rows here of entries of the log, by their keys."""
    fresh: list[Logged] = field(default_factory=list)
    """The entries that were not here."""
    replayed: set[str] = field(default_factory=set)
    """Slots of which the export tells all that was done here, and more."""

    def look(self) -> None:
        """See what is here, and take out of the export what was erased here, with all that was read of it or in its
        light. Raises BadInput where a turn here has the id of another one."""
        erased = set(column(self.mine, "select hash from tombstones"))
        gone: set[int] = set()
        for row, key, text in each(self.theirs, "select row, id, text from episodes order by row"):
            here = scalar(self.mine, "select text from episodes where id = ?", (key,))
            if here is not None and here != text:
                raise BadInput(f"The turn {key} has other words here than in the export. Nothing was imported.")
            self.known += here is not None
            if key in erased:
                gone.add(row)
        if gone:
            gone = resting_on(self.theirs, gone)
            listed = json.dumps(sorted(gone))
            self.away = set(column(self.theirs, f"select id from episodes where row in {LISTED}", (listed,)))
            self._take_out(gone)

    def _take_out(self, gone: set[int]) -> None:
        """As if these turns had not been in the export; turns that were read in their light wait to be read anew."""
        listed, light = json.dumps(sorted(gone)), json.dumps(in_their_light(self.theirs, gone))
        light_of_a_model = f"select episode_row from heard where before_row in {LISTED}"
        by_a_model = f"extractor like 'model/%' and episode_row in ({light_of_a_model})"
        by_rules = f"extractor not like 'model/%' and extractor <> 'by hand' and episode_row in {LISTED}"
        titled = f"select session_id from episodes where row in {LISTED}"
        self.theirs.execute(f"update sessions set title = '' where id in ({titled})", (listed,))
        self.theirs.execute(f"delete from claims where {by_a_model}", (listed,))
        self.theirs.execute(f"delete from heard where before_row in {LISTED}", (listed,))
        self.theirs.execute(f"delete from claims where {by_rules}", (light,))
        for table in ("readings", "run_readings"):
            self.theirs.execute(f"delete from {table} where episode_row in {LISTED} and episode_row not in "
                                "(select episode_row from claims where extractor = 'by hand')", (light,))  # fmt: skip
        self.theirs.execute(f"delete from episodes where row in {LISTED}", (listed,))
        self.theirs.execute("delete from sessions where id not in (select session_id from episodes)")

    def take_persons(self) -> None:
        """Add the names of the person; where turns stay away, only those that somebody bears who speaks here."""
        names, mine = set(person.named(self.theirs)), set(person.named(self.mine))
        if self.away:
            names = {name for name in names if scalar(self.mine, "select 1 from episodes where speaker = ?", (name,))}
        if names - mine:
            person.name(self.mine, names)
            self.counts["person"] += len(names - mine)

    def take_log(self) -> None:
        """Add the entries of the log that are not here, in their order."""
        here = {one.key: one for one in logged(self.mine)}
        self.log = list(logged(self.theirs, lambda detail: is_about(detail, self.away)))
        for one in (one for one in self.log if one.key in here):
            known = here[one.key]
            self.operations[one.key] = known.row
            if one.run is not None and known.run is not None:
                self.runs.setdefault(one.run, known.run)
            if "run" in one.detail:
                self.runs.setdefault(one.detail["run"], known.detail["run"])
        for one in (one for one in self.log if one.key not in here):
            self._add(one)
        there = {one.key for one in self.log}
        about = {one.key: one.detail["slot"] for one in (*here.values(), *self.log) if "slot" in one.detail}

        def slots(entries: Iterable[Logged]) -> set[str]:
            keys = (key for one in entries for key in (one.key, one.detail.get("operation")))
            return {about[key] for key in keys if key in about}

        self.replayed = slots(self.fresh) - slots(one for one in here.values() if one.key not in there)

    def _add(self, one: Logged) -> None:
        detail = dict(one.detail)
        if "operation" in detail:
            detail["operation"] = self.operations[detail["operation"]]
        if "run" in detail:
            detail["run"] = self.run_of(detail["run"])
        run = None if one.run is None else self.run_of(one.run)
        row = log(self.mine, run, one.phase, one.verb, one.at, one.reason, detail)
        self.operations[one.key] = row
        for key in one.undoes:
            undo = "update operations set undone_by = ? where id = ? and undone_by is null"
            self.mine.execute(undo, (row, self.operations.get(key)))
        self.fresh.append(replace(one, row=row))

    def run_of(self, run: int) -> int:
        """The number here of a sleep there; 0 for none."""
        if run and run not in self.runs:
            self.runs[run] = max([next_run(self.mine), *(one + 1 for one in self.runs.values())])
        return self.runs[run] if run else 0

    def take_readings(self, now: Instant) -> list[int]:
        """Add the claims of turns that were not read here, and that they were read; gives the rows of the claims."""
        read = set(column(self.mine, "select episode_row from readings"))
        added = take_claims(self.mine, self.theirs, now)
        for name in ("reading", "heard"):
            self._take_rows(name)
        self._take_rows("read_in", but=read)
        recorded: dict[str, int] = dict(rows(self.theirs, "select id, recorded_at from claims"))
        for row, key in rows(self.mine, f"select row, id from claims where row in {LISTED}", (json.dumps(added),)):
            self.mine.execute("update claims set recorded_at = ? where row = ?", (recorded[key], row))
        return added

    def take_withdrawals(self) -> None:
        """Take back what the new entries of the log took back."""
        fresh = {one.key for one in self.fresh}
        key_of = {one.row: one.key for one in self.log}
        for claim, operation in each(self.theirs, "select claim_id, operation_id from withdrawals"):
            if (key := key_of.get(operation)) in fresh:
                self.counts["withdrawal"] += withdraw(self.mine, claim, self.operations[key])

    def take_rest(self) -> None:
        """Add what is about slots, once everything is folded, and what was noted of turns."""
        self._take_pins()
        for name in ("access", "refused", "cited", "asked"):
            self._take_rows(name)
        if self.away:
            self._forget_slots()

    def _take_rows(self, name: str, but: Collection[int] = ()) -> list[Row]:
        new = take_rows(self.mine, self.theirs, ROWS[name], self.run_of, but)
        self.counts[name] += len(new)
        return new

    def _take_pins(self) -> None:
        """Add pins; of a slot of which the export tells all that was done here, they are as they are there. Of one that
        was pinned and unpinned here otherwise, they stay."""
        touched = {one.detail["slot"] for one in logged(self.mine) if "slot" in one.detail}
        for slot in sorted(self.replayed):
            self.mine.execute("delete from pins where slot = ?", (slot,))
        for slot, fact, at in each(self.theirs, "select slot, fact_id, at from pins"):
            if slot in self.replayed or slot not in touched:
                self._put("pin", "insert or ignore into pins values (?, ?, ?)", (slot, fact, at))

    def _forget_slots(self) -> None:
        """A slot is named by its words: of one that only turns which stay away speak of, nothing is left."""
        listed = json.dumps([one.row for one in self.fresh])
        nowhere = "not in (select slot from facts)"
        for table in ("pins", "accesses"):
            self.mine.execute(f"delete from {table} where slot is not null and slot {nowhere}")
        for named, gone in (("slot", nowhere), ("operation", "not in (select id from operations)")):
            name = f"json_extract(detail, '$.{named}')"
            delete = f"delete from operations where id in {LISTED} and {name} is not null and {name} {gone}"
            self.mine.execute(delete, (listed,))

    def taken(self, turns: int, claims: Sequence[int]) -> Taken:
        """What came of it."""
        verbs = verbs_of(self.log)
        of_claims = f"select id, extractor, predicate, cue from claims where row in {LISTED}"
        found = rows(self.mine, of_claims, (json.dumps(claims),))
        names = Counter(name_of(key, extractor, predicate, cue, verbs) for key, extractor, predicate, cue in found)
        stay: list[str] = []
        for key, at in each(self.theirs, "select hash, erased_at from tombstones order by 1"):
            if scalar(self.mine, "select 1 from episodes where id = ?", (key,)):
                stay.append(key)
            else:
                self._put("tombstone", "insert or ignore into tombstones values (?, ?)", (key, at))
        counts = Counter({"turn": turns, "operation": len(self.fresh)}) + names + self.counts
        return Taken(counts, self.known, len(self.away), tuple(stay))

    def _put(self, kind: str, sql: str, values: Sequence[object]) -> bool:
        """Add a row that may be here already; gives whether it was not."""
        self.mine.execute(sql, values)
        new = self.mine.changes() > 0
        self.counts[kind] += new
        return new
