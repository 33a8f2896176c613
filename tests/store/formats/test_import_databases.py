"""Databases of other programs are read through a copy, and are the same bytes afterwards."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database

from app.core.clock import FrozenClock
from store.errors import BadInput
from store.formats import foreign
from store.formats.catalogue import detect, sources
from store.formats.report import Report
from store.memory import Memory
from store.records import Instant
from tests.store.formats.importing import OPTIONS, ZONE, iso, said, taken, written


def legacy(path: Path) -> Database:
    database = Database(path)
    database.table("conversations").insert({"id": "c1", "name": "Pelicans", "model": "m"})
    database.table("fragments").insert({"id": 1, "hash": "f00", "content": "I live in Oslo.", "source": "bio.txt"})
    database.table("prompt_fragments").insert({"response_id": "r1", "fragment_id": 1, "order": 0})
    rows = [("r1", "I live in Porto.", "Nice.", "2024-03-01T10:00:00", "Be kind."),
            ("r2", "I keep bees.", "Wow.", "2024-03-01T10:05:00+00:00", "Be kind."),
            ("r3", "No time.", "", None, None), ("r4", "", "Hm.", "2024-03-01T10:10:00", None),
            ("r5", "", "Oh.", "2024-03-01T10:15:00", "Be kind.")]  # fmt: skip
    database.table("responses").insert_all(
        {"id": key, "model": "m-1", "prompt": prompt, "system": system, "response": reply, "conversation_id": "c1",
         "duration_ms": 1500, "datetime_utc": at} for key, prompt, reply, at, system in rows
    )  # fmt: skip
    return database


def test_the_older_generation_of_llm(tmp_path: Path) -> None:
    path = tmp_path / "logs.db"
    legacy(path).conn.close()
    before = path.read_bytes()
    turns, report = taken(path)
    assert detect(path) == "llm" and path.read_bytes() == before and list(tmp_path.iterdir()) == [path]
    assert [(turn.external_id, turn.role, turn.text) for turn in turns] == [
        ("r1:system", "system", "Be kind."), ("fragment:f00", "tool", "I live in Oslo."),
        ("r1:prompt", "user", "I live in Porto."), ("r1:response", "assistant", "Nice."),
        ("r2:prompt", "user", "I keep bees."), ("r2:response", "assistant", "Wow."),
        ("r4:response", "assistant", "Hm."), ("r5:response", "assistant", "Oh."),
    ]  # fmt: skip
    assert {turn.session for turn in turns} == {"llm:c1"} and turns[2].title == "Pelicans"
    assert iso(turns[2]) == "2024-03-01T12:00:00+02:00" and iso(turns[3]) == "2024-03-01T12:00:01.500000+02:00"
    assert report.skipped == ["response r3 (Pelicans): a response without a time."]


def test_the_newer_generation_shares_messages_between_threads_and_merges_with_the_older(tmp_path: Path) -> None:
    path = tmp_path / "logs.db"
    database = legacy(path)
    chain: list[tuple[str, str | None, str, Any, Any]] = [
        ("b2:1", None, "user", "Name a pelican", None), ("b2:2", "b2:1", "assistant", "Percy", None),
        ("b2:3", "b2:2", "user", None, {"text_ref": [{"fragment": 1}, {"literal": "\nMy boat is red."}]}),
        ("b2:4", "b2:3", "assistant", "Nice boat", None), ("b2:5", "b2:2", "user", "My car is blue.", None),
    ]  # fmt: skip
    for key, parent, role, text, payload in chain:
        database.table("messages").insert({"hash": key, "parent_hash": parent, "role": role, "provider_metadata": None})
        database.table("parts").insert({"message_hash": key, "position": 0, "type": "text", "text": text,
                                  "payload": json.dumps(payload) if payload else None})  # fmt: skip
    for key, tip, at in (("t1", "b2:4", "2024-06-01T08:00:00"), ("t2", "b2:5", "2024-06-02T08:00:00")):
        database.table("threads").insert({"id": key, "name": key, "tip_message_hash": tip, "forked_from": None,
                                    "datetime_utc": at})  # fmt: skip
    calls: tuple[tuple[str, str, str | None, str | None, str], ...] = (
        ("r2", "c1", None, None, "2024-03-01T10:05:00"), ("n1", "t1", "b2:1", "b2:2", "2024-06-01T08:00:00"),
        ("n2", "t1", "b2:3", "b2:4", "2024-06-01T08:10:00"), ("n3", "t2", "b2:5", "b2:5", "2024-06-02T08:00:00"),
    )  # fmt: skip
    for key, thread, sent, called, at in calls:
        database.table("turns").insert({
            "id": key, "thread_id": thread, "parent_message_hash": sent, "tip_message_hash": called, "model": "m-2",
            "datetime_utc": at, "duration_ms": 2000,
        })  # fmt: skip
    database.conn.close()
    turns, _ = taken(path)
    new = sorted((turn for turn in turns if turn.session != "llm:c1"), key=lambda turn: (turn.said_at, turn.place))
    assert [(turn.session, turn.role, turn.text) for turn in new] == [
        ("llm:t1", "user", "Name a pelican"), ("llm:t1", "assistant", "Percy"), ("llm:t1", "tool", "I live in Oslo."),
        ("llm:t1", "user", "My boat is red."), ("llm:t1", "assistant", "Nice boat"),
        ("llm:t2", "user", "My car is blue."),
    ]  # fmt: skip
    assert iso(new[0]) == "2024-06-01T10:00:00+02:00" and iso(new[1]) == "2024-06-01T10:00:02+02:00"
    assert "I keep bees." not in said(turns), "a turn that both generations hold comes from the newer one"


def webui(messages: dict[str, Any], tip: str, **more: Any) -> dict[str, Any]:
    return {"id": "w1", "user_id": "u1", "title": "Bikes", "created_at": 1_700_000_000, "updated_at": 1_700_000_100,
            "chat": {"title": "Bikes", "timestamp": 1_700_000_000_123,
                     "history": {"messages": messages, "currentId": tip}}} | more  # fmt: skip


MESSAGES = {
    "q": {"id": "q", "parentId": None, "role": "user", "content": "I own a bike.", "timestamp": 1_700_000_001},
    "x": {"id": "x", "parentId": "q", "role": "assistant", "content": "Other model.", "model": "a",
          "timestamp": 1_700_000_002},
    "y": {"id": "y", "parentId": "q", "role": "assistant", "model": "b",
          "content": '<details type="reasoning" done="true"><summary>..</summary>hm</details>\nGreat.'},
}  # fmt: skip


def test_open_webui_keeps_the_other_models_answer_as_inactive(tmp_path: Path) -> None:
    turns, report = taken(written(tmp_path / "chats", [webui(MESSAGES, "y")]))
    assert [(turn.text, turn.inactive) for turn in turns] == [
        ("I own a bike.", False), ("Other model.", True), ("Great.", False),
    ]  # fmt: skip
    assert report.branches == 1 and turns[0].session == "openwebui:w1"
    assert iso(turns[2]) == iso(turns[0]) == "2023-11-15T00:13:21+02:00"
    assert json.loads(str(turns[2].original))["model"] == "b"


def test_a_bare_list_of_messages_is_read_too(tmp_path: Path) -> None:
    bare = {"chat": {"messages": list(MESSAGES.values()), "timestamp": 1_700_000_000_123}}
    turns, report = taken(written(tmp_path / "chats", bare))
    assert len(turns) == 3 and report.inactive == 0


def test_webui_db_gives_chats_and_memories_of_one_person(tmp_path: Path) -> None:
    path = tmp_path / "webui.db"
    database = Database(path)
    for user in ("u1", "u2"):
        chat = webui(MESSAGES, "y")
        database.table("chat").insert(chat | {"id": f"w-{user}", "user_id": user, "chat": json.dumps(chat["chat"])})
        database.table("memory").insert({"id": f"m-{user}", "user_id": user, "content": f"I am {user}.",
                                   "updated_at": 1_700_000_000, "created_at": 1_700_000_000})  # fmt: skip
    database.conn.execute("pragma journal_mode = wal")
    database.table("memory").insert(
        {"id": "late", "user_id": "u1", "content": "In the log.", "created_at": 1_700_000_500}
    )
    assert detect(path) == "openwebui"
    with pytest.raises(BadInput, match="--item"):
        taken(path)
    turns, _ = taken(path, options=replace(OPTIONS, item="u1"))
    assert said(turns)[-2:] == ["I am u1.", "In the log."] and len(turns) == 5
    database.conn.close()


def test_a_memory_of_our_own_is_never_opened_as_a_foreign_file(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with Memory.open(path, clock=FrozenClock(Instant(0)), zone=ZONE):
        with pytest.raises(BadInput, match="the memory itself"):
            sources(path, None, Report(), path)
        assert [one for one, _ in _sources_beside(tmp_path, path)] == [tmp_path / "other.jsonl"]
    with pytest.raises(BadInput, match="erstwhile merge"):
        detect(path)


def _sources_beside(folder: Path, memory: Path) -> list[tuple[Path, str]]:
    written(folder / "other.jsonl", {"role": "user", "text": "Hi.", "said_at": "2024-01-01"})
    return sources(folder, None, Report(), memory)


def test_views_virtual_tables_and_damage_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "logs.db"
    database = legacy(path)
    database.conn.execute("alter table responses rename to hidden")
    database.conn.execute("create view responses as select * from hidden")
    database.conn.commit()
    database.conn.close()
    with foreign.opened(path) as tables:
        assert "responses" not in tables.names and list(tables.rows("responses", "id")) == []
    data = bytearray(path.read_bytes())
    data[4096 : 4096 * 4] = b"\xff" * (4096 * 3)
    path.write_bytes(bytes(data))
    with pytest.raises(BadInput):
        taken(path, "llm")
