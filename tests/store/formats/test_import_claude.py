"""In Claude's export, the person's messages are theirs; pasted files, documents and Claude's notes are not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from tests.store.formats.importing import iso, said, taken, written

ROOT = "00000000-0000-4000-8000-000000000000"


def message(key: str, sender: str, text: str, at: str, parent: str | None = None, **more: Any) -> dict[str, Any]:
    given = {"uuid": key, "sender": sender, "text": "(repeated)", "created_at": f"2024-05-01T{at}.123456Z",
             "content": [{"type": "text", "text": text}, None], "attachments": [], "files": []}  # fmt: skip
    return given | ({"parent_message_uuid": parent} if parent else {}) | more


def conversation(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"uuid": "k1", "name": "Health", "created_at": "2024-05-01T10:00:00Z", "updated_at": "2024-05-02T10:00:00Z",
            "account": {"uuid": "acc"}, "chat_messages": list(messages)} | more  # fmt: skip


def test_parents_rebuild_the_branches(tmp_path: Path) -> None:
    path = written(tmp_path / "anything", [conversation(
        message("h1", "human", "I am allergic to nuts.", "22:30:01", ROOT),
        message("a1", "assistant", "Sorry.", "22:30:05", "h1"),
        message("a2", "assistant", "Noted.", "22:30:09", "h1"),
        message("h2", "human", "Thanks.", "22:31:00", "a2"),
    )])  # fmt: skip
    turns, report = taken(path)
    assert [(turn.external_id, turn.inactive) for turn in turns] == [
        ("h1", False), ("a1", True), ("a2", False), ("h2", False),
    ]  # fmt: skip
    assert report.branches == 1 and turns[0].session == "claude:k1"
    assert iso(turns[0]) == "2024-05-02T00:30:01.123456+02:00"
    assert turns[0].text == "I am allergic to nuts."


def test_a_flat_list_shows_retries_as_two_of_a_sender(tmp_path: Path) -> None:
    path = written(tmp_path / "x", {"conversations": [conversation(
        message("h1", "human", "Where is the best cafe in Lisbon", "10:00:01"),
        message("h2", "human", "Where is the best cafe in Braga", "10:00:02"),
        message("a1", "assistant", "First.", "10:00:05"),
        message("a2", "assistant", "Second.", "10:00:09"),
        message("h3", "human", "I moved to Lisbon.", "10:01:00"),
        message("h4", "human", "Also, my cat is called Miso.", "10:02:00"),
    )]})  # fmt: skip
    turns, report = taken(path)
    assert [turn.external_id for turn in turns if turn.inactive] == ["h1", "a1"]
    assert report.branches == 2 and len(report.notes) == 1


def test_pasted_text_is_a_documents_word_and_a_message_of_tools_alone_is_counted(tmp_path: Path) -> None:
    path = written(tmp_path / "x", [conversation(
        message("h1", "human", "Summarise this.", "10:00:01",
                attachments=[{"file_name": "cat.png", "extracted_content": ""},
                             {"file_name": "cv.txt", "extracted_content": "I live in Oslo."}]),
        {"uuid": "a1", "sender": "assistant", "text": "", "content": [{"type": "tool_use", "name": "web"}]},
        message("a2", "assistant", "Done.", "10:00:06", content=[]),
    )])  # fmt: skip
    turns, report = taken(path)
    assert [(turn.role, turn.speaker, turn.text) for turn in turns] == [
        ("user", "me", "Summarise this."), ("tool", "cv.txt", "I live in Oslo."),
        ("assistant", "assistant", "(repeated)"),
    ]  # fmt: skip
    assert turns[1].external_id == "h1:attachment:0" and report.skips == 1


def test_projects_and_memories_of_a_zip(tmp_path: Path) -> None:
    path = tmp_path / "data.zip"
    projects = [{"uuid": "p1", "name": "Garden", "description": "I want to grow figs.", "prompt_template": "Be kind.",
                 "docs": [{"uuid": "d1", "filename": "soil.md", "content": "Sandy.",
                           "created_at": "2024-04-02T00:00:00Z"}],
                 "created_at": "2024-04-01T08:00:00Z"}]  # fmt: skip
    with ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps([conversation(message("h1", "human", "Hi.", "10:00:01"))]))
        archive.writestr("projects.json", json.dumps(projects))
        archive.writestr(
            "memories.json",
            json.dumps(
                [
                    {
                        "conversations_memory": "The user lives in Porto.",
                        "project_memories": {"p1": "Figs."},
                        "account_uuid": "a",
                    }
                ]
            ),
        )
        archive.writestr("users.json", "[]")  # fmt: skip
    turns, report = taken(path)
    assert [(turn.role, turn.text) for turn in turns] == [
        ("user", "Hi."), ("user", "I want to grow figs."), ("system", "Be kind."), ("tool", "Sandy."),
        ("assistant", "The user lives in Porto."), ("assistant", "Figs."),
    ]  # fmt: skip
    assert turns[4].said_at == turns[0].said_at and turns[4].session == "claude:memories"
    assert report.skips == 0


def test_memories_alone_have_no_time_and_say_so(tmp_path: Path) -> None:
    turns, report = taken(written(tmp_path / "m.json", [{"conversations_memory": "Lives in Porto."}]))
    assert said(turns) == [] and "together with the conversations" in report.skipped[0]
