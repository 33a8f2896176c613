"""The path that a ChatGPT chat went on is active, the rest is kept, and what was hidden or forbidden stays out."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from store.errors import BadInput
from store.formats.catalogue import detect
from tests.store.formats.importing import OPTIONS, iso, said, taken, written

BEGUN = 1_700_000_000.0


def message(
    key: str, role: str, content: Any, at: float | None = None, metadata: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    body = content if isinstance(content, dict) else {"content_type": "text", "parts": [content]}
    return {"id": key, "author": {"role": role, "name": None}, "create_time": at, "content": body, "weight": 1.0,
            "metadata": metadata or {}, "recipient": "all", "status": "finished_successfully"} | more  # fmt: skip


def chat(messages: list[tuple[str | None, dict[str, Any]]], tip: str | None, **more: Any) -> dict[str, Any]:
    """A chat whose nodes are (parent, message); the root holds no message."""
    mapping: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None, "children": []}}
    for parent, one in messages:
        mapping[one["id"]] = {"id": one["id"], "message": one, "parent": parent or "root", "children": []}
    return {"conversation_id": "c1", "title": "Moving", "create_time": BEGUN, "update_time": BEGUN + 9000,
            "mapping": mapping, "current_node": tip} | more  # fmt: skip


BRANCHED = chat(
    [
        (None, message("u1", "user", "I live in Porto.", BEGUN + 1)),
        ("u1", message("a1", "assistant", "Old answer.", BEGUN + 2)),
        ("u1", message("a2", "assistant", "Nice \ue200cite\ue202turn0\ue201city【3†source】.", BEGUN + 3)),
        ("a2", message("u2", "user", "I work at Acme.")),
        ("u2", message("a3", "assistant", "Good.", BEGUN + 9, {"model_slug": "gpt-x"})),
    ],
    "a3",
)


def test_retries_are_kept_as_inactive_and_a_missing_time_is_inherited(tmp_path: Path) -> None:
    turns, report = taken(written(tmp_path / "conversations.json", [BRANCHED]))
    assert [(turn.external_id, turn.inactive) for turn in turns] == [
        ("u1", False), ("a1", True), ("a2", False), ("u2", False), ("a3", False),
    ]  # fmt: skip
    assert report.branches == 1 and report.inactive == 1
    by_id = {turn.external_id: turn for turn in turns}
    assert iso(by_id["u1"]) == "2023-11-15T00:13:21+02:00"
    assert by_id["u2"].said_at == by_id["a2"].said_at
    assert by_id["a2"].text == "Nice city." and "turn0" in str(by_id["a2"].original)
    assert json.loads(str(by_id["a3"].original))["metadata"]["model_slug"] == "gpt-x"
    assert {turn.session for turn in turns} == {"chatgpt:c1"} and by_id["u1"].title == "Moving"
    assert (by_id["u1"].speaker, by_id["u1"].role, by_id["a3"].speaker) == ("me", "user", "assistant")
    assert [turn.place for turn in turns] == sorted(turn.place or 0 for turn in turns)


def test_a_chat_without_a_current_node_goes_on_to_its_latest_leaf(tmp_path: Path) -> None:
    turns, report = taken(written(tmp_path / "x", [BRANCHED | {"current_node": None}]))
    assert [turn.external_id for turn in turns if turn.inactive] == ["a1"]
    assert len(report.notes) == 1 and "latest branch" in report.notes[0]


def test_hidden_and_empty_messages_are_passed_over_with_a_reason(tmp_path: Path) -> None:
    listed = chat(
        [
            (None, message("s", "system", "", BEGUN)),
            ("s", message("h", "system", "Be brief.", BEGUN, weight=0.0)),
            ("h", message("v", "tool", "listing", BEGUN, {"is_visually_hidden_from_conversation": True})),
            ("v", message("p", "user", {"content_type": "multimodal_text",
                                        "parts": [{"content_type": "image_asset_pointer"}, "My dog Rex."]}, BEGUN)),
            ("p", message("t", "assistant", {"content_type": "thoughts",
                                             "thoughts": [{"summary": "Dog", "content": "A dog."}]}, BEGUN)),
            ("t", message("e", "tool", {"content_type": "execution_output", "text": "42"}, BEGUN)),
        ],
        "e",
    )  # fmt: skip
    turns, report = taken(written(tmp_path / "x", [listed]))
    assert [(turn.text, turn.role, turn.inactive) for turn in turns] == [
        ("My dog Rex.", "user", False), ("Dog\nA dog.", "assistant", True), ("42", "tool", False),
    ]  # fmt: skip
    assert report.reasons["a message that the chat hides."] == 2
    assert report.skips == 3


def test_what_is_not_to_be_remembered_comes_only_if_asked_for_and_inactive(tmp_path: Path) -> None:
    path = written(tmp_path / "x", [BRANCHED | {"is_do_not_remember": True}])
    turns, report = taken(path)
    assert turns == [] and "not to be remembered" in report.skipped[0]
    turns, _ = taken(path, options=replace(OPTIONS, unremembered=True))
    assert len(turns) == 5 and all(turn.inactive for turn in turns)


def test_the_profile_is_taken_once_at_its_earliest_time_and_the_models_memory_is_its_own_word(tmp_path: Path) -> None:
    profile = {"content_type": "user_editable_context", "user_instructions": "",
               "user_profile": "The user provided this about themselves:\n```I am a nurse.```"}  # fmt: skip
    memory = {"content_type": "model_editable_context", "model_set_context": "1. User lives in Porto."}
    hidden = {"is_visually_hidden_from_conversation": True}
    chats = [
        chat([(None, message("p", "user", profile, None, hidden)), ("p", message("m", "assistant", memory))], "m",
             conversation_id=f"c{number}", create_time=BEGUN - number)
        for number in range(3)
    ]  # fmt: skip
    turns, report = taken(written(tmp_path / "x", chats))
    assert sorted((turn.role, turn.text) for turn in turns) == [
        ("assistant", "1. User lives in Porto."), ("user", "I am a nurse."),
    ]  # fmt: skip
    assert {turn.session for turn in turns} == {"chatgpt:profile"} and report.skips == 0
    assert all(turn.said_at is not None and turn.said_at.us == (BEGUN - 2) * 1e6 for turn in turns)


def test_a_zip_with_shards_is_read_by_its_list_of_names_and_a_damaged_shard_loses_no_other(tmp_path: Path) -> None:
    path = tmp_path / "export"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("conversations-000.json", json.dumps([BRANCHED]))
        archive.writestr("conversations-001.json", json.dumps([BRANCHED | {"conversation_id": "c2"}])[:-9])
        archive.writestr("user.json", json.dumps({"email": "a@b.c"}))
        archive.writestr("../../conversations-002.json", json.dumps([BRANCHED | {"conversation_id": "c3"}]))
    assert detect(path) == "chatgpt"
    turns, report = taken(path)
    assert {turn.session for turn in turns} == {"chatgpt:c1", "chatgpt:c3"}
    assert len(report.skipped) == 1 and "conversations-001.json" in report.skipped[0]
    assert list(tmp_path.iterdir()) == [path]


def test_a_zip_that_unpacks_to_far_more_than_its_size_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", b"[" + b" " * (32 << 20) + b"]")
    turns, report = taken(path, "chatgpt")
    assert turns == [] and "200 times its size" in report.skipped[0]
    with pytest.raises(BadInput, match="ZIP"):
        detect(path)


def test_a_ring_of_parents_and_strange_shapes_end(tmp_path: Path) -> None:
    ring = chat([("b", message("a", "user", "One.", BEGUN)), ("a", message("b", "user", "Two.", BEGUN))], "a")
    strange: list[Any] = [
        ring, 7, None, {"mapping": {"x": 3, "y": {"message": {"content": None}}}},
        chat([(None, message("a", "user", "No time at all."))], "a", create_time=None, update_time=None),
        chat([(None, message("a", "user", "From the far future.", 4e9))], "a", create_time="x", update_time=-5),
    ]  # fmt: skip
    turns, report = taken(written(tmp_path / "x", strange), "chatgpt")
    assert sorted(said(turns)) == ["One.", "Two."]
    assert report.reasons["a message without a time, in a chat without one."] == 3


def test_lone_surrogates_in_names_do_not_stop_an_import(tmp_path: Path) -> None:
    odd = chat([(None, message("u\ud800", "user", "Hello \ud83d there.", BEGUN))], "u\ud800", title="\udfff")
    (turn,), _ = taken(written(tmp_path / "x", [odd]))
    for value in (turn.title, turn.external_id, turn.original):
        assert value is not None and value.encode("utf-8")
