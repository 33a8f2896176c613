"""A benchmark's questions, answers and evidence stay on this side; of its histories only what was said is handed on.

LoCoMo: several questions to a conversation, the evidence is turns; category 5 asks about the wrong person or thing.
LongMemEval: one question to a history, the evidence is sessions; an id that ends in "_abs" wants an abstention.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple, cast

from store.errors import BadInput
from store.formats.benchmarks import locomo, longmemeval
from store.formats.report import Options, Report
from store.formats.stream import items
from store.records import Instant, Turn
from store.text.cleaning import quoted
from store.time.calendar import localize

Benchmark = Literal["locomo", "longmemeval"]
Json = dict[str, Any]

CATEGORIES = {1: "1 multi-hop", 2: "2 temporal", 3: "3 open-domain", 4: "4 single-hop", 5: "5 adversarial"}
LATER = timedelta(days=1)  # a question of LoCoMo, which has no date, is asked a day after the last turn
_PLACE = re.compile(r"D\d+:\d+")


class Case(NamedTuple):
    """One question."""

    id: str
    question: str
    answer: str
    category: str
    evidence: frozenset[str]  # external ids of turns (LoCoMo) or keys of sessions (LongMemEval)
    answerable: bool
    asked_at: Instant
    turns: frozenset[str] = frozenset()  # external ids of those that hold the answer, if they are marked


class History(NamedTuple):
    """What was said, and what is asked about it."""

    name: str
    turns: tuple[Turn, ...]
    cases: tuple[Case, ...]


def read(benchmark: Benchmark, path: Path, zone: tzinfo, limit: int | None = None) -> Iterator[History]:
    """The histories of a benchmark's file, or of a folder of turns-*.jsonl with questions.jsonl; at most `limit`
    questions in all. Raises BadInput."""
    left = limit
    for history in _histories(benchmark, path, zone):
        cases = history.cases if left is None else history.cases[:left]
        if cases:
            yield History(history.name, history.turns, cases)
        left = None if left is None else left - len(cases)
        if left is not None and left <= 0:
            return


def _histories(benchmark: Benchmark, path: Path, zone: tzinfo) -> Iterator[History]:
    if benchmark == "locomo" and path.is_dir():
        yield from _locomo_folder(path, zone)
        return
    found = False
    if path.is_dir():
        files = sorted([*path.glob("*.json"), *path.glob("*.jsonl"), *path.glob("*.jsonl.gz")])
        if len(files) != 1:
            raise BadInput(f"{path} holds {len(files)} files of questions; name one of them.")
        path = files[0]
    try:
        with cast("IO[bytes]", gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")) as file:
            for item in _items(file, path):
                found = True
                yield _locomo(item, zone) if benchmark == "locomo" else _longmemeval(item, zone)
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError, OSError) as error:
        raise BadInput(f"{path} is not a file of {benchmark}: {type(error).__name__} {quoted(error)}.") from error
    if not found:
        raise BadInput(f"{path} holds no item of {benchmark}; give the benchmark's own file.")


def _items(file: IO[bytes], path: Path) -> Iterator[Json]:
    try:
        yield from (item for item in items(file) if isinstance(item, dict))
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not text; give the benchmark's JSON.") from error


def _locomo(item: Json, zone: tzinfo) -> History:
    name = str(item["sample_id"])
    turns = tuple(locomo(item["conversation"], name, Options(zone), Report()))
    asked = _after(turns)
    return History(name, turns, tuple(_asked(one, f"{name}:{at}", asked) for at, one in enumerate(item["qa"])))


def _locomo_folder(path: Path, zone: tzinfo) -> Iterator[History]:
    from store.formats.jsonl import Report
    from store.formats.jsonl import read as read_turns

    try:
        with (path / "questions.jsonl").open("rb") as file:
            questions = list(_items(file, path))
    except OSError as error:
        raise BadInput(f"{path} has no questions.jsonl; give LoCoMo's own file, or such a folder.") from error
    for file_path in sorted(path.glob("turns-*.jsonl")):
        name = file_path.stem.removeprefix("turns-")
        turns = tuple(read_turns(file_path, zone, Report()))
        mine = [question for question in questions if question["conversation"] == name]
        yield History(name, turns, tuple(_asked(one, str(one["id"]), _after(turns)) for one in mine))


def _asked(item: Json, key: str, at: Instant) -> Case:
    category = int(item["category"])
    evidence = frozenset(_PLACE.findall(" ".join(str(one) for one in item.get("evidence") or ())))
    answer = "" if item.get("answer") is None else str(item["answer"])
    return Case(key, str(item["question"]), answer, CATEGORIES[category], evidence, category != 5, at, turns=evidence)


def _after(turns: tuple[Turn, ...]) -> Instant:
    latest = max((turn.said_at for turn in turns if turn.said_at is not None), default=None)
    if latest is None:
        raise BadInput("A conversation without a single turn cannot be asked about.")
    return Instant.of(latest.local() + LATER)


def _longmemeval(item: Json, zone: tzinfo) -> History:
    name = str(item["question_id"])
    date = re.sub(r"\s*\([^)]*\)", "", str(item["question_date"]))
    asked = Instant.of(localize(datetime.strptime(date, "%Y/%m/%d %H:%M"), zone))  # noqa: DTZ007 # the zone is given next
    turns = tuple(longmemeval(item, name, Options(zone), Report()))
    sessions = frozenset(f"longmemeval:{name}:{one}" for one in item["answer_session_ids"])
    answer = str(item.get("corrected_answer") or item["answer"])
    holding = (  # the turns that the benchmark marks as holding the answer
        f"{key}:{place}"
        for key, said in zip(item["haystack_session_ids"], item["haystack_sessions"], strict=False)
        for place, turn in enumerate(said)
        if isinstance(turn, dict) and turn.get("has_answer")
    )
    case = Case(
        name, str(item["question"]), answer, str(item["question_type"]), sessions, not name.endswith("_abs"), asked,
        turns=frozenset(holding),
    )  # fmt: skip
    return History(name, turns, (case,))
