"""The demo is a year of turns that could have been typed: valid, in order, right for its zone, and made by one script.

What it should teach is listed in tests/bench/demo_beliefs.jsonl; each entry must lead to the exact words of a turn.
"""

from __future__ import annotations

import importlib.util
import json
import re
import unicodedata
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from itertools import groupby, pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from app.demo import turns_path

BENCH = Path(__file__).resolve().parents[1] / "bench"
KINDS = {"new", "reinforce", "update", "correct", "stop", "backfill", "elaborate", "dispute"}
PARTIAL_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")


def load_script() -> ModuleType:
    """make_demo.py as a module: tests/bench is a folder of scripts, not a package."""
    spec = importlib.util.spec_from_file_location("make_demo", BENCH / "make_demo.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read_rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def turns() -> list[dict[str, Any]]:
    return read_rows(turns_path())


@pytest.fixture(scope="module")
def beliefs() -> list[dict[str, Any]]:
    return read_rows(BENCH / "demo_beliefs.jsonl")


def test_every_turn_has_the_fields_of_the_import_form(turns: list[dict[str, Any]]) -> None:
    assert {tuple(turn) for turn in turns} == {("session", "id", "speaker", "role", "text", "said_at")}
    assert {(turn["speaker"], turn["role"]) for turn in turns} == {("me", "user"), ("assistant", "assistant")}
    assert all(turn["text"].strip() == turn["text"] != "" for turn in turns)


def test_there_are_enough_turns_in_a_small_file(turns: list[dict[str, Any]]) -> None:
    assert len(turns) >= 320
    assert turns_path().stat().st_size < 300_000
    assert len({turn["session"] for turn in turns}) >= 60


def test_ids_are_unique_and_name_their_session(turns: list[dict[str, Any]]) -> None:
    assert len({turn["id"] for turn in turns}) == len(turns)
    numbers = {turn["session"]: turn["id"][:4] for turn in turns}
    assert len(set(numbers.values())) == len(numbers)
    assert all(turn["id"][:4] == numbers[turn["session"]] for turn in turns)
    assert all(re.fullmatch(r"d\d{3}-\d{2}", turn["id"]) for turn in turns)


def test_times_rise_through_the_file_and_sessions_do_not_overlap(turns: list[dict[str, Any]]) -> None:
    moments = [datetime.fromisoformat(turn["said_at"]) for turn in turns]
    assert all(earlier < later for earlier, later in pairwise(moments))
    assert len([name for name, _ in groupby(turns, key=lambda turn: turn["session"])]) == len(
        {turn["session"] for turn in turns}
    )


def test_the_year_runs_from_october_to_november_of_the_next(turns: list[dict[str, Any]]) -> None:
    months = Counter(turn["said_at"][:7] for turn in turns)
    assert (min(months), max(months), len(months)) == ("2025-10", "2026-11", 14)
    assert min(months.values()) >= 15


def test_offsets_are_those_of_lisbon_and_hours_are_waking_ones(turns: list[dict[str, Any]]) -> None:
    for turn in turns:
        moment = datetime.fromisoformat(turn["said_at"])
        day = moment.date()
        summer = day < date(2025, 10, 26) or date(2026, 3, 29) <= day < date(2026, 10, 25)
        assert moment.utcoffset() == timedelta(hours=1 if summer else 0), turn["id"]
        assert 7 <= moment.hour <= 23, turn["id"]


@pytest.mark.parametrize(
    ("wall", "hours"),
    [
        ("2025-10-26T01:59", 1),
        ("2025-10-26T02:00", 0),
        ("2026-03-29T00:59", 0),
        ("2026-03-29T02:00", 1),
        ("2026-10-25T12:00", 0),
        ("2027-03-28T02:00", 1),
    ],
)
def test_the_script_knows_when_the_clocks_change(wall: str, hours: int) -> None:
    assert load_script().lisbon_offset(datetime.fromisoformat(wall)) == timedelta(hours=hours)


def test_a_session_is_named_for_its_day_and_starts_with_the_person(turns: list[dict[str, Any]]) -> None:
    for name, group in groupby(turns, key=lambda turn: turn["session"]):
        said = list(group)
        assert name.startswith(said[0]["said_at"][:10])
        assert said[0]["role"] == "user"
        assert all(one["role"] != other["role"] for one, other in pairwise(said)), name


def test_the_text_is_clean(turns: list[dict[str, Any]]) -> None:
    for turn in turns:
        text = turn["text"]
        assert unicodedata.is_normalized("NFC", text)
        odd = [sign for sign in text if sign != "\n" and unicodedata.category(sign) in {"Cc", "Cf", "Co", "Cs"}]
        assert not odd, turn["id"]
        assert text.count("```") % 2 == 0, turn["id"]


def test_no_turn_by_the_person_is_said_twice(turns: list[dict[str, Any]]) -> None:
    typed = Counter(turn["text"] for turn in turns if turn["role"] == "user" and len(turn["text"]) > 20)
    assert [text for text, times in typed.items() if times > 1] == []


def test_the_committed_files_are_what_the_script_makes() -> None:
    stale = [path.name for path, text in load_script().make_files().items() if path.read_text("utf-8") != text]
    assert stale == [], "run tests/bench/make_demo.py"


def test_a_line_that_is_nothing_is_refused_by_number() -> None:
    script = load_script()
    with pytest.raises(script.SourceError, match="line 3"):
        script.read_sessions("== 2026-01-01 10:00 x\n> hello\nstray\n")


def test_enough_beliefs_change_and_enough_stay(beliefs: list[dict[str, Any]]) -> None:
    kinds = Counter(belief["kind"] for belief in beliefs)
    assert kinds["changing"] >= 30
    assert kinds["stable"] >= 30
    changing = [belief for belief in beliefs if belief["kind"] == "changing"]
    assert all(len(belief["changes"]) >= 2 for belief in changing)
    assert {change["kind"] for belief in beliefs for change in belief["changes"]} == KINDS


def test_a_slot_is_listed_once(beliefs: list[dict[str, Any]]) -> None:
    slots = Counter((belief["subject"], belief["predicate"]) for belief in beliefs)
    assert [slot for slot, times in slots.items() if times > 1] == []


def test_every_change_leads_to_the_words_of_a_turn(beliefs: list[dict[str, Any]], turns: list[dict[str, Any]]) -> None:
    by_id = {turn["id"]: turn for turn in turns}
    for belief in beliefs:
        for change in [*belief["changes"], *belief.get("never", [])]:
            home = by_id[change["said"]]
            assert home["role"] == "user"
            assert change["quote"] in home["text"]


def test_changes_are_in_the_order_of_saying_and_dated(beliefs: list[dict[str, Any]]) -> None:
    for belief in beliefs:
        said = [change["said"] for change in belief["changes"]]
        assert said == sorted(said)
        dates = [change["from"] for change in belief["changes"] if change["from"] is not None]
        assert all(PARTIAL_DATE.fullmatch(one) for one in dates), belief["predicate"]


def test_nothing_is_new_twice_and_a_stop_ends_something(beliefs: list[dict[str, Any]]) -> None:
    for belief in beliefs:
        held: set[str] = set()
        for change in belief["changes"]:
            if change["kind"] == "new":
                assert change["object"] not in held, belief["predicate"]
            if change["kind"] == "stop":
                held.discard(change["object"])
            else:
                held.add(change["object"])


def test_questions_have_answers_that_do_not_contradict_them(beliefs: list[dict[str, Any]]) -> None:
    for belief in beliefs:
        assert belief["question"].endswith("?")
        options = [part for one in belief["any"] for part in (one if isinstance(one, list) else [one])]
        answer = belief["answer_now"].lower()
        assert any(option.lower() in answer for option in options), belief["question"]
        for check in belief.get("asks", []):
            assert check.get("abstain") or check["any"]
            for key in {"as_of", "believed"} & set(check):
                assert datetime.fromisoformat(check[key]).replace(tzinfo=UTC) > datetime(2019, 1, 1, tzinfo=UTC)
