"""JSON lines, agents' logs and benchmarks: a bad line is named and passed over, and labels never come along."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from store.errors import BadInput
from store.formats import jsonl
from store.formats.catalogue import detect
from tests.store.formats.importing import OPTIONS, iso, said, taken, written


def lines(path: Path, *objects: Any) -> Path:
    path.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in objects), encoding="utf-8")
    return path


def test_fine_tuning_lines_are_a_conversation_each(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "tune.jsonl",
        {"timestamp": 1_700_000_000, "messages": [{"role": "developer", "content": "Be kind."},
                                                  {"role": "user", "content": [{"type": "text", "text": "I ski."}]}]},
        {"messages": [{"role": "user", "content": "No time."}]},
    )  # fmt: skip
    turns, report = taken(path)
    assert [(turn.session, turn.role, turn.text) for turn in turns] == [
        ("tune line 1", "system", "Be kind."), ("tune line 1", "user", "I ski."),
    ]  # fmt: skip
    assert len(report.skipped) == 1 and report.skipped[0].startswith("tune.jsonl line 2: it has no time")


def test_lines_come_through_a_pipe_too() -> None:
    reading, writing = os.pipe()
    try:
        os.write(writing, b'{"session": "s", "text": "I ski.", "said_at": "2023-05-08T13:56:00+01:00"}\n')
        os.close(writing)
        assert said(taken(Path(f"/dev/fd/{reading}"), "jsonl")[0]) == ["I ski."]
    finally:
        os.close(reading)


def test_an_array_is_read_as_its_elements_and_bad_lines_as_their_number(tmp_path: Path) -> None:
    turn = {"session": "s", "id": "1", "text": "Hi.", "said_at": "2024-01-01T10:00:00"}
    turns, _ = taken(written(tmp_path / "a.json", [turn, turn | {"id": "2", "timestamp": "x"}]))
    assert [one.external_id for one in turns] == ["1", "2"]
    turns, report = taken(lines(tmp_path / "b", "\ufeff" + json.dumps(turn), "nonsense", "", "[]", turn))
    assert len(turns) == 2
    assert [one.split(":")[0] for one in report.skipped] == ["b line 2", "b line 4"]


def test_a_line_without_end_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.formats.stream.LONGEST_LINE", 200)
    turn = {"text": "Hi.", "said_at": "2024-01-01T10:00:00"}
    path = lines(tmp_path / "b", json.dumps(turn | {"text": "x" * 1000}), turn)
    turns = list(jsonl.read(path, OPTIONS.zone, report := jsonl.Report()))
    assert said(turns) == ["Hi."] and "longer than" in report.skipped[0]


def claude_code(key: str, parent: str | None, kind: str, content: Any, second: int, **more: Any) -> dict[str, Any]:
    return {"type": kind, "uuid": key, "parentUuid": parent, "sessionId": "s1", "isSidechain": False,
            "timestamp": f"2025-03-01T10:00:{second:02}.000Z",
            "message": {"role": kind, "content": content, "model": "c"}} | more  # fmt: skip


def test_claude_code_gives_what_was_typed_and_said(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "log",
        {"type": "summary", "summary": "Fixing", "leafUuid": "a2"},
        claude_code("u1", None, "user", "I prefer tabs.", 1),
        claude_code(
            "a1", "u1", "assistant", [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Ok."}], 2
        ),
        claude_code("u2", "u1", "user", "<system-reminder>x</system-reminder>I prefer spaces.", 3),
        claude_code("t1", "u2", "assistant", [{"type": "tool_use", "name": "Bash"}], 4),
        claude_code("m1", "t1", "user", "<command-name>/clear</command-name>", 5),
        claude_code("x1", "m1", "assistant", [{"type": "text", "text": "Side."}], 6, isSidechain=True),
        claude_code("a2", "m1", "assistant", [{"type": "text", "text": "Done."}], 7),
    )
    turns, report = taken(path)
    assert detect(path) == "claude-code"
    assert [(turn.text, turn.inactive) for turn in turns] == [
        ("I prefer tabs.", False), ("Ok.", True), ("I prefer spaces.", False), ("Side.", True), ("Done.", False),
    ]  # fmt: skip
    assert turns[0].session == "claude-code:s1" and iso(turns[0]) == "2025-03-01T12:00:01+02:00"
    assert report.skips == 2


def test_codex_gives_events_or_in_older_logs_message_items(tmp_path: Path) -> None:
    def line(kind: str, **payload: Any) -> dict[str, Any]:
        return {"timestamp": "2025-09-01T08:00:00Z", "type": kind, "payload": payload}

    meta = line("session_meta", id="r1", cwd="/x")
    item = line("response_item", type="message", role="user", content=[{"type": "input_text", "text": "I use fish."}])
    state = line("response_item", type="message", role="user",
                 content=[{"type": "input_text", "text": "<environment_context>x</environment_context>"}])  # fmt: skip
    call = line("response_item", type="function_call", name="shell")
    events = [line("event_msg", type="user_message", message="I use fish."),
              line("event_msg", type="agent_message", message="Nice."),
              line("event_msg", type="token_count")]  # fmt: skip
    turns, report = taken(lines(tmp_path / "new", meta, state, item, *events, call))
    assert [(turn.session, turn.role, turn.text) for turn in turns] == [
        ("codex:r1", "user", "I use fish."), ("codex:r1", "assistant", "Nice."),
    ]  # fmt: skip
    assert report.skips == 1
    turns, report = taken(lines(tmp_path / "old", meta, state, item, call))
    assert said(turns) == ["I use fish."] and report.skips == 2


LOCOMO = {
    "sample_id": "conv-x", "qa": [{"question": "?", "answer": "!"}],
    "conversation": {
        "speaker_a": "Ana", "speaker_b": "Ben", "session_10_date_time": "1:56 pm on 8 May, 2023",
        "session_10": [{"speaker": "Ben", "dia_id": "D10:1", "text": "I moved to Oslo."}],
        "session_2_date_time": "12:05 am on 1 April, 2023",
        "session_2": [{"speaker": "Ana", "dia_id": "D2:1", "text": "Look!", "blip_caption": "a photo of a dog"},
                      {"speaker": "Ben", "dia_id": "D2:2", "text": "Cute."}],
        "session_11_date_time": "1:00 pm on 9 May, 2023",
    },
}  # fmt: skip


def test_locomo_sessions_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    turns, report = taken(written(tmp_path / "l.json", [LOCOMO, LOCOMO | {"sample_id": "conv-y"}]))
    assert [turn.external_id for turn in turns[:3]] == ["D2:1", "D2:2", "D10:1"] and len(turns) == 6
    assert turns[0].text == "Look! [shares an image: a photo of a dog]" and turns[0].speaker == "Ana"
    assert [iso(turn) for turn in turns[:3]] == [
        "2023-04-01T00:05:00+02:00", "2023-04-01T00:05:30+02:00", "2023-05-08T13:56:00+02:00",
    ]  # fmt: skip
    assert turns[0].session == "locomo:conv-x:2" and report.reasons["a date without a session."] == 2
    turns, _ = taken(tmp_path / "l.json", options=replace(OPTIONS, item="conv-y"))
    assert {turn.session for turn in turns} == {"locomo:conv-y:2", "locomo:conv-y:10"}


def longmemeval(name: str) -> dict[str, Any]:
    session = [{"role": "user", "content": "I bake.", "has_answer": True}, {"role": "assistant", "content": "Nice."}]
    return {"question_id": name, "question_type": "t", "question": "What?", "answer": "bake",
            "haystack_session_ids": ["s2", "s1", "s1"], "haystack_sessions": [session, session, session],
            "haystack_dates": ["2023/04/10 (Mon) 17:50", "2023/04/10 (Mon) 17:49",
                               "2023/04/11 (Tue) 08:00"]}  # fmt: skip


@pytest.mark.parametrize("as_lines", [False, True])
def test_longmemeval_takes_one_history_and_no_labels(tmp_path: Path, as_lines: bool) -> None:
    histories = [longmemeval("q1"), longmemeval("q2")]
    path = lines(tmp_path / "h", *histories) if as_lines else written(tmp_path / "h", histories)
    with pytest.raises(BadInput, match=r"holds 2 histories; choose one with --item N"):
        taken(path)
    with pytest.raises(BadInput, match="no item 'q3'"):
        taken(path, options=replace(OPTIONS, item="q3"))
    turns, _ = taken(path, options=replace(OPTIONS, item="2"))
    assert [turn.session for turn in turns] == [
        f"longmemeval:q2:{key}" for key in ("s1", "s1", "s2", "s2", "s1:2", "s1:2")
    ]  # fmt: skip
    assert [iso(turn) for turn in turns[:3]] == [
        "2023-04-10T17:49:00+02:00", "2023-04-10T17:49:20+02:00", "2023-04-10T17:50:00+02:00",
    ]  # fmt: skip
    assert not any("answer" in str(turn) for turn in turns)
