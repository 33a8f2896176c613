"""A benchmark is read in its own form or as turns and questions; no label of it is among the turns."""

from __future__ import annotations

import gzip
import json
from datetime import UTC
from pathlib import Path

import pytest

from app.evaluation.cases import read
from store.errors import BadInput
from tests.app.evaluation.making import LOCOMO, LONGMEMEVAL, written


def test_locomo_is_read_with_its_odd_answers_and_evidence(tmp_path: Path) -> None:
    (history,) = read("locomo", written(tmp_path, "locomo10.json", LOCOMO), UTC)
    assert [turn.external_id for turn in history.turns] == ["D1:1", "D1:2", "D1:3", "D2:1"]
    assert [case.category for case in history.cases] == ["4 single-hop", "2 temporal", "1 multi-hop", "5 adversarial"]
    assert history.cases[2].answer == "1"
    assert history.cases[2].evidence == {"D2:1", "D1:2"}
    assert [case.answerable for case in history.cases] == [True, True, True, False]
    assert history.cases[0].asked_at.iso() == "2023-06-04T09:00:00+00:00"


def test_a_folder_of_turns_and_questions_is_the_same_benchmark(tmp_path: Path) -> None:
    (raw,) = read("locomo", written(tmp_path, "locomo10.json", LOCOMO), UTC)
    lines = [
        {"session": turn.session, "id": turn.external_id, "speaker": turn.speaker, "text": turn.text,
         "said_at": turn.said_at.iso()}
        for turn in raw.turns if turn.said_at
    ]  # fmt: skip
    folder = tmp_path / "dev"
    folder.mkdir()
    written(folder, "turns-conv-1.jsonl", lines, as_lines=True)
    questions = [{"id": f"conv-1:{at}", "conversation": "conv-1", **one} for at, one in enumerate(LOCOMO[0]["qa"])]
    written(folder, "questions.jsonl", questions, as_lines=True)
    (history,) = read("locomo", folder, UTC)
    assert history.cases == raw.cases
    assert [turn.text for turn in history.turns] == [turn.text for turn in raw.turns]


def test_longmemeval_is_one_question_to_a_history_packed_or_not(tmp_path: Path) -> None:
    plain = list(read("longmemeval", written(tmp_path, "s.json", LONGMEMEVAL), UTC))
    packed = tmp_path / "s.jsonl.gz"
    packed.write_bytes(gzip.compress("\n".join(json.dumps(one) for one in LONGMEMEVAL).encode()))
    assert list(read("longmemeval", packed, UTC)) == plain
    first, second = (history.cases[0] for history in plain)
    assert (first.answerable, second.answerable) == (True, False)
    assert first.evidence == {"longmemeval:q0:answer_1"} and first.turns == {"answer_1:0"}
    assert first.asked_at.iso() == "2023-06-10T10:00:00+00:00"
    assert not any("has_answer" in str(turn) for turn in plain[0].turns)


def test_a_limit_counts_questions(tmp_path: Path) -> None:
    path = written(tmp_path, "locomo10.json", [*LOCOMO, *LOCOMO])
    assert [len(history.cases) for history in read("locomo", path, UTC, limit=6)] == [4, 2]


@pytest.mark.parametrize("text", ["[]", '[{"no": "sample"}]', "not json"])
def test_what_is_no_benchmark_is_refused_in_one_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(BadInput) as refused:
        list(read("locomo", path, UTC))
    assert "\n" not in str(refused.value)


def test_a_folder_without_questions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"questions\.jsonl"):
        list(read("locomo", tmp_path, UTC))
