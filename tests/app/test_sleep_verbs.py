"""`sleep` says what it did and how long each phase took; `undo` takes back an edit, or with --run a whole sleep."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.cli import cli
from app.session import run

LINES = [
    {"session": day, "role": "user", "text": "I like rooibos.", "said_at": f"{day}T10:00:00+01:00"}
    for day in ("2024-03-03", "2024-03-09")
]


@pytest.fixture
def erstwhile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Runs the program in this process, on one memory that has heard LINES; gives what it printed."""
    (tmp_path / "chat.jsonl").write_text("\n".join(map(json.dumps, LINES)), encoding="utf-8")

    def call(*arguments: str, code: int = 0) -> str:
        assert run(cli, [*arguments, "--db", str(tmp_path / "m.db"), "--zone", "+01:00"]) == code
        printed = capsys.readouterr()
        return printed.out if code == 0 else printed.err

    call("import", str(tmp_path / "chat.jsonl"))
    return call


def document(printed: str) -> Any:
    return json.loads(printed)


def test_a_sleep_tells_edits_reach_and_time_by_phase(erstwhile: Callable[..., str]) -> None:
    told = document(erstwhile("sleep", "--json"))
    assert (told["run"], told["episodes"], told["finished"], told["pending"]) == (1, 2, True, 0)
    assert told["edits"] == {"split": 0, "merge": 1, "update": 0, "dropped": 0} and told["hops"] == {"1": 2}
    assert list(told["seconds"])[:4] == ["extract", "settle", "fold", "tidy"]
    assert "Sleep 2: 0 turns read" in erstwhile("sleep")


def test_the_log_gives_each_decision_with_its_reason(erstwhile: Callable[..., str]) -> None:
    erstwhile("sleep")
    (merged,) = (
        one for one in document(erstwhile("log", "--run", "1", "--json"))["operations"] if one["kind"] == "merge"
    )
    assert merged["reason"] == "APPLIED" and merged["detail"]["confidence"] == 1.0
    assert len(merged["detail"]["archived"]) == 2 and "rooibos" not in json.dumps(merged)
    undone = document(erstwhile("undo", str(merged["id"]), "--json"))
    assert undone["undone"] == merged["id"]
    assert f"merge APPLIED 1.0 (undone by {undone['operation']})" in erstwhile("log", "--run", "1")


def test_a_whole_sleep_is_taken_back_and_read_again_when_asked(erstwhile: Callable[..., str]) -> None:
    erstwhile("sleep")
    before = erstwhile("facts", "--json")
    assert document(erstwhile("undo", "--run", "1", "--json"))["run"] == 1
    assert document(erstwhile("facts", "--json"))["facts"] == []
    assert document(erstwhile("sleep", "--json"))["episodes"] == 0
    assert document(erstwhile("sleep", "--again", "--json"))["episodes"] == 2
    assert document(erstwhile("facts", "--json")) == document(before)
    assert "undone already" in erstwhile("undo", "--run", "1", code=2)


@pytest.mark.parametrize("arguments", [(), ("3", "--run", "1")])
def test_undo_wants_one_thing(erstwhile: Callable[..., str], arguments: tuple[str, ...]) -> None:
    assert "either which operation, or which sleep" in erstwhile("undo", *arguments, code=2)
