"""A complete export is read whole, and each line is looked at, before anything of it is taken.

It becomes a nameless database that only this process can see and that goes with it: a memory's tables, with nothing
derived. One line that cannot be right, or an end that is missing, and there is none.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path
from typing import Any, get_args

import apsw

from store.database.migrations import migrate
from store.database.rows import each, first, scalar
from store.database.runs import log
from store.episodes import person
from store.episodes.append import INSERT, session_id
from store.episodes.secrets import secret_spans
from store.errors import BadInput, BadTime
from store.formats.archive import opened
from store.formats.jsonl import COMPLETE, LAST, VERSION
from store.formats.report import Report
from store.formats.stream import LONGEST_LINE
from store.formats.stream import lines as lines_of
from store.maintenance.lines import BY_HAND, CLAIM, ROWS, Field, Json, Kind
from store.records import Cue, Instant, Modality, Precision
from store.text.cleaning import quoted, whole
from store.time.expressions import parse_iso

_EPISODE = re.compile("e[0-9a-f]{18}")


@dataclass(slots=True)
class Staged:
    """An export that was read whole."""

    connection: apsw.Connection
    counts: Counter[str] = field(default_factory=Counter)
    """How many lines of each kind it has."""
    unknown: Counter[str] = field(default_factory=Counter)
    """Lines of kinds that a later Erstwhile writes and this one passes over."""

    def tell(self, report: Report, name: str) -> None:
        """Count its turns among those that an import met."""
        report.turns += self.counts["turn"]
        report.sessions.update(row[0] for row in each(self.connection, "select key from sessions"))
        report.inactive += int(scalar(self.connection, "select count(*) from episodes where inactive = 1"))
        for order in ("asc", "desc"):
            row = first(self.connection, f"select said_at, said_offset from episodes order by said_at {order} limit 1")
            if row is not None:
                report.reach(Instant(*row))
        report.notes += [f"{name}: {number} lines of the kind {kind!r}, which this Erstwhile does not know, were left."
                         for kind, number in self.unknown.items()]  # fmt: skip


@contextmanager
def staged(path: Path) -> Iterator[Staged]:
    """A complete export as a database of its own. Raises BadInput, with the line, where one cannot be taken."""
    with closing(apsw.Connection("")) as connection:  # in memory; what is too large for that, in a file without a name
        migrate(connection)
        connection.pragma("foreign_keys", True)
        found = Staged(connection)
        with connection:
            _read(path, found)
        yield found


def _read(path: Path, found: Staged) -> None:
    reading, last = _Reading(found), ""
    with opened(path) as file:
        number = 0
        for number, line in lines_of(file):
            try:
                last = reading.take(_object(line), number, last)
            except (BadInput, BadTime, apsw.Error, ValueError, TypeError, OverflowError, KeyError) as error:
                said = str(error) if isinstance(error, BadInput | BadTime) else quoted(error)
                wrong = f"it has no {said}" if isinstance(error, KeyError) else said.rstrip(".")
                raise BadInput(f"{path.name}, line {number}: {wrong}. Nothing was imported.") from error
    if last != LAST:
        raise BadInput(f"{path.name} ends after line {number}, before its last one; export it again.")


def _object(line: bytes | None) -> Json:
    if line is None:
        raise BadInput(f"it is longer than {LONGEST_LINE} bytes")
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"it is not JSON ({error})") from error
    if not isinstance(found, dict):
        raise BadInput("it is not a JSON object")
    return found


class _Reading:
    """Puts lines into tables."""

    def __init__(self, found: Staged) -> None:
        self._found, self._connection = found, found.connection
        self._operations: dict[str, int] = {}
        """The rows of entries of the log, by their keys."""
        self._own = {
            "turn": self._turn, "session": self._session, "person": self._person, "operation": self._operation,
            "withdrawal": self._withdrawal, **dict.fromkeys((CLAIM.name, *BY_HAND), self._claim),
        }  # fmt: skip

    def take(self, line: Json, number: int, last: str) -> str:
        """Take one line; gives its kind."""
        kind = _text(line, "kind") if "kind" in line else "turn"
        if last == LAST:
            raise BadInput("something follows after the last line of the export")
        if (number == 1) != (kind == COMPLETE):
            what = "a complete export begins here" if kind == COMPLETE else "it is not the first line of an export"
            raise BadInput(what)
        if kind == COMPLETE and line.get("version") != VERSION:
            there = quoted(line.get("version"))
            raise BadInput(f"it is of version {there}, and this Erstwhile reads {VERSION}; update it")
        if kind in self._own:
            self._own[kind](line)
        elif kind in ROWS:
            self._row(ROWS[kind], line)
        elif kind not in (COMPLETE, LAST):
            self._found.unknown[kind] += 1
            return kind
        self._found.counts[kind] += kind not in (COMPLETE, LAST)
        return kind

    def _turn(self, line: Json) -> None:
        key, text = _text(line, "episode"), whole(_text(line, "text"))
        if _EPISODE.fullmatch(key) is None:
            raise BadInput(f"“{quoted(key)}” is no id of a turn")
        if scalar(self._connection, "select 1 from episodes where id = ?", (key,)):
            raise BadInput(f"the turn {key} was there before")
        said_at, recorded_at = _moment(line["said_at"]), _moment(line["recorded_at"])
        session = session_id(self._connection, _text(line, "session"), line.get("title", ""), line["source"])
        self._connection.execute(
            INSERT,
            (key, session, line["position"], line.get("id"), line["speaker"], line["role"], text, *said_at,
             *recorded_at, line["source"], int(line.get("cut", False)), int(line.get("inactive", False)),
             int(bool(secret_spans(text))), line.get("original")),
        )  # fmt: skip

    def _session(self, line: Json) -> None:
        self._connection.execute(
            "update sessions set title = ?, source = ?, pinned = ?, options = ? where key = ?",
            (line["title"], line["source"], int(line["pinned"]), _options(line), line["session"]),
        )
        if not self._connection.changes():
            raise BadInput(f"no turn of the conversation “{quoted(line['session'])}” stands before it")

    def _person(self, line: Json) -> None:
        person.name(self._connection, [_text(line, "name")])

    def _claim(self, line: Json) -> None:
        found = first(self._connection, "select length(text) from episodes where id = ?", (line["episode"],))
        if found is not None and not 0 <= line["start"] < line["end"] <= found[0]:
            raise BadInput(f"its turn has no characters {quoted(line['start'])} to {quoted(line['end'])}")
        Precision(line["precision"])
        if line["cue"] not in get_args(Cue) or line["modality"] not in get_args(Modality):
            raise BadInput(f"no claim is a “{quoted(line['cue'])}” or a “{quoted(line['modality'])}”")
        if any(not isinstance(text, str) for name, value in line["qualifiers"] for text in (name, value)):
            raise BadInput("its qualifiers are no pairs of texts")
        self._row(CLAIM, line)

    def _row(self, kind: Kind, line: Json) -> None:
        columns = ", ".join(one.column for one in kind.fields)
        put = f"insert into {kind.table} ({columns}) values ({', '.join('?' * len(kind.fields))})"
        self._connection.execute(put, [self._value(one, line) for one in kind.fields])

    def _value(self, wanted: Field, line: Mapping[str, Any]) -> Any:
        """The column of a key; a key that is not there is null."""
        value = line.get(wanted.key)
        if value is None or wanted.form in ("plain", "run"):
            return value
        if wanted.form == "flag":
            return int(value)
        if wanted.form == "json":
            return json.dumps(value, ensure_ascii=False)
        if wanted.form != "turn":
            return _moment(value).us
        row = scalar(self._connection, "select row from episodes where id = ?", (value,))
        if row is None:
            raise BadInput(f"the turn {quoted(value)} does not stand before it")
        return row

    def _operation(self, line: Json) -> None:
        detail, at = line["detail"], _moment(line["at"])
        if not isinstance(detail, dict):
            raise BadInput("its detail is not a JSON object")
        _check_detail(detail)
        if "operation" in detail:
            detail["operation"] = self._operation_of(detail["operation"])
        mine = self._operations[_text(line, "operation")] = log(
            self._connection, line.get("run"), line["phase"], line["verb"], at, line["reason"], detail
        )
        for key in line.get("undoes", ()):
            undone = self._operation_of(key)
            self._connection.execute("update operations set undone_by = ? where id = ?", (mine, undone))

    def _withdrawal(self, line: Json) -> None:
        operation = self._operation_of(line["operation"])
        self._connection.execute("insert into withdrawals values (?, ?)", (line["claim"], operation))

    def _operation_of(self, key: Any) -> int:
        if key not in self._operations:
            raise BadInput(f"the operation {quoted(key)} does not stand before it")
        return self._operations[key]


def _check_detail(detail: Json) -> None:
    """What an entry of the log is about is named by keys."""
    named = [detail[name] for name in ("episode", "claim", "slot", "run", "operation") if name in detail]
    named += [one for name in ("of", "besides") if name in detail for one in _all(detail[name])]
    if not all(isinstance(one, str | int) for one in named):
        raise BadInput("its detail names nothing that an entry of the log can be about")


def _all(values: Any) -> list[Any]:
    if not isinstance(values, list):
        raise BadInput("its detail has no list where one belongs")
    return values


def _options(line: Json) -> str:
    """How a model speaks in a conversation, as it is kept."""
    if "model" not in line:
        return ""
    said = line["model"]
    kinds = {"system": (str,), "temperature": (int, float), "context": (int,), "reply": (int,)}
    for key, value in said.items() if isinstance(said, dict) else [("model", said)]:
        fits = key in kinds and isinstance(value, kinds[key]) and not isinstance(value, bool)
        if not fits or (not isinstance(value, str) and value < 0):
            raise BadInput(f"“{quoted(value)}” does not say how a model speaks")
    return json.dumps(said, ensure_ascii=False, sort_keys=True)


def _text(line: Json, key: str) -> str:
    if not isinstance(line[key], str):
        raise BadInput(f'its "{key}" is not a text')
    return str(line[key])


def _moment(value: Any) -> Instant:
    if not isinstance(value, str):
        raise BadInput(f"{quoted(value)} is not a time")
    return parse_iso(value, UTC)
