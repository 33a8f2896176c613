"""`recall` leaves out other speakers, sources and sessions before it ranks, on the command and in each line of `-`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.app.cli.test_cli import erstwhile

__all__ = ["erstwhile"]

TALK = (
    {"session": "s1", "id": "a", "speaker": "Ana", "text": "The tea shop is in Porto.", "said_at": "2024-03-01T10:00"},
    {"session": "s1", "id": "b", "speaker": "Ben", "text": "Which tea do you buy?", "said_at": "2024-03-01T10:01"},
    {"session": "s2", "id": "c", "speaker": "Ana", "text": "Rooibos is my tea now.", "said_at": "2024-05-01T10:00"},
)


@pytest.fixture
def heard(erstwhile: Any, tmp_path: Path) -> Any:
    path = tmp_path / "talk.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in TALK), encoding="utf-8")
    erstwhile("import", str(path))
    erstwhile("remember", "Tea again.", "--at", "2024-06-01T10:00")
    return erstwhile


def test_each_filter_leaves_out_the_others(heard: Any) -> None:
    def found(*options: str) -> set[str | None]:
        return {hit["external_id"] for hit in json.loads(heard("recall", "tea", *options, "--json"))["hits"]}

    assert found() == {"a", "b", "c", None}
    assert found("--speaker", "Ana") == {"a", "c"}
    assert found("--session", "s1") == {"a", "b"}
    assert found("--source", "import:jsonl") == {"a", "b", "c"}
    assert found("--session", "s2", "--speaker", "Ben") == set()
    assert heard("recall", "tea", "--speaker", "nobody").strip() == "No turn bears on that."


def test_a_line_may_narrow_itself_and_why_says_what_was_left_out(heard: Any) -> None:
    asked = '{"id": 1, "question": "tea", "speaker": "Ben"}\n{"id": 2, "question": "tea", "session": "s2"}\n'
    lines = [json.loads(line) for line in heard("recall", "-", stdin=asked).splitlines()]
    assert [[hit["external_id"] for hit in line["hits"]] for line in lines] == [["b"], ["c"]]
    judged = json.loads(heard("recall", "tea", "--speaker", "Ben", "--why", "--json"))
    assert {one["reason"] for one in judged["removed"]} == {"another speaker"}
