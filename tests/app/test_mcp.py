"""A program that speaks the Model Context Protocol is served, and one that does not gets errors and no crash."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.core.tools import TOOLS, Desk
from app.mcp import LONGEST_LINE, REVISIONS, Server
from store.memory import Memory
from tests.conftest import NOW, ZONE

Send = Callable[[Any], dict[str, Any]]


def request(key: int, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": key, "method": method, "params": params}


@pytest.fixture
def complaints() -> list[str]:
    return []


@pytest.fixture
def server(memory: Memory, complaints: list[str]) -> Server:
    return Server(Desk(memory, ZONE, NOW.local), complain=complaints.append)


@pytest.fixture
def send(server: Server) -> Send:
    """One message, as an object or as a line; gives the answer."""

    def one(message: Any) -> dict[str, Any]:
        (answer,) = server.serve([message if isinstance(message, str) else json.dumps(message)])
        found: dict[str, Any] = json.loads(answer)
        return found

    return one


def test_a_whole_session_over_real_pipes(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    messages = [
        request(
            1, "initialize", protocolVersion="2025-03-26", capabilities={}, clientInfo={"name": "t", "version": "1"}
        ),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        request(2, "tools/list"),
        request(3, "tools/call", name="remember", arguments={"text": "I live in Ghent. 🌊"}),
        request(4, "tools/call", name="ask", arguments={"question": "Where do I live?"}),
        request(5, "ping"),
    ]
    done = subprocess.run(
        (sys.executable, "-m", "app", "mcp", "--db", str(db), "--zone", "+01:00"),
        input="".join(json.dumps(one) + "\n" for one in messages), capture_output=True, text=True, check=True,
        timeout=120, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    answers = {one["id"]: one["result"] for one in map(json.loads, done.stdout.splitlines())}
    assert list(answers) == [1, 2, 3, 4, 5], "in order, and none for the notification"
    assert answers[1]["protocolVersion"] == "2025-03-26"
    assert answers[1]["serverInfo"]["name"] == "erstwhile"
    assert [one["name"] for one in answers[2]["tools"]] == [one.name for one in TOOLS]
    assert not answers[3]["isError"]
    assert "Ghent" in answers[4]["structuredContent"]["text"]
    assert json.loads(answers[4]["content"][0]["text"]) == answers[4]["structuredContent"]
    assert answers[5] == {}


def test_the_newest_revision_is_offered_for_one_that_is_not_known(send: Send) -> None:
    assert send(request(1, "initialize", protocolVersion="1999-01-01"))["result"]["protocolVersion"] == REVISIONS[0]
    assert send(request(1, "initialize"))["result"]["protocolVersion"] == REVISIONS[0]


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("this is not JSON", -32700),
        ("[" * 100_000, -32700),
        ("x" * (LONGEST_LINE + 1), -32700),
        ([request(1, "ping")], -32600),
        ({"id": 1, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": {}, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": "resources/list"}, -32601),
        ({"jsonrpc": "2.0", "id": 1, "method": ["ping"]}, -32601),
        ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}, -32602),
        (request(1, "tools/call", name="format_disk"), -32602),
        (request(1, "tools/call"), -32602),
    ],
)
def test_what_cannot_be_read_is_an_error_by_number(send: Send, message: Any, code: int) -> None:
    assert send(message)["error"]["code"] == code
    assert send(request(2, "ping")) == {"jsonrpc": "2.0", "id": 2, "result": {}}


def test_what_cannot_be_done_is_a_result_that_says_so(send: Send) -> None:
    wrong: list[Any] = [{}, {"query": 1}, [], None]
    for arguments in wrong:
        found = send(request(1, "tools/call", name="search", arguments=arguments))["result"]
        assert found["isError"]
        assert found["content"][0]["text"].endswith(".")


def test_notifications_and_answers_get_no_answer(server: Server) -> None:
    lines = [
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}},
        {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "remember", "arguments": {"text": "x"}}},
        {"jsonrpc": "2.0", "id": 9, "result": {}},
    ]
    assert not list(server.serve(["", *map(json.dumps, lines)]))


def test_a_fault_of_ours_is_told_and_does_not_end_it(
    send: Send, memory: Memory, complaints: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("private words")

    monkeypatch.setattr(memory.recall, "search", broken)
    error = send(request(1, "tools/call", name="search", arguments={"query": "x"}))["error"]
    assert error["code"] == -32603
    assert "private" not in error["message"]
    assert "private words" in complaints[0]
    assert "result" in send(request(2, "ping"))


def test_read_only_offers_nothing_that_writes(tmp_path: Path, memory: Memory) -> None:
    done = subprocess.run(
        (sys.executable, "-m", "app", "mcp", "--read-only", "--db", str(memory.path)),
        input=json.dumps(request(1, "tools/call", name="remember", arguments={"text": "x"})) + "\n",
        capture_output=True, text=True, check=True, timeout=120, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert json.loads(done.stdout)["error"]["code"] == -32602
