"""The official client of the Model Context Protocol talks to `erstwhile mcp`, and rejects nothing of it."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import Client, ClientSession, MCPError, StdioServerParameters, stdio_client

from app.core.tools import TOOLS, reading
from app.mcp import REVISIONS
from store.memory import Memory
from store.records import Turn

ROOT = Path(__file__).resolve().parents[2]
CALLS: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("remember", {"text": "I live in Porto."}, "learned"),
    ("search", {"query": "Porto", "k": 3}, "hits"),
    ("ask", {"question": "Where do I live?"}, "text"),
    ("facts", {"about": "me", "as_of": "now"}, "facts"),
    ("chain", {"subject": "me", "predicate": "lives_in"}, "links"),
    ("timeline", {"about": "me"}, "facts"),
    ("read_turns", {"session": "tools"}, "turns"),
    ("correct", {"subject": "me", "predicate": "lives_in", "value": "Faro"}, "fact"),
)
"""Each tool once: its name, its arguments, and a name in its result."""


def server(db: Path, *options: str) -> StdioServerParameters:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    arguments = ["-m", "app", "mcp", "--db", str(db), *options]
    return StdioServerParameters(command=sys.executable, args=arguments, cwd=ROOT, env=environment)


@asynccontextmanager
async def session(db: Path, *options: str) -> AsyncIterator[ClientSession]:
    async with stdio_client(server(db, *options)) as (incoming, outgoing), ClientSession(incoming, outgoing) as one:
        begun = await one.initialize()
        assert begun.protocol_version == REVISIONS[0] and begun.server_info.name == "erstwhile"
        assert begun.instructions and begun.capabilities.tools is not None
        yield one


async def test_every_tool_is_listed_with_a_schema_and_can_be_called(tmp_path: Path) -> None:
    async with session(tmp_path / "m.db") as client:
        await client.send_ping()
        listed = {one.name: one for one in (await client.list_tools()).tools}
        assert list(listed) == [one.name for one in TOOLS] and {name for name, _, _ in CALLS} == set(listed)
        for name, arguments, wanted in CALLS:
            Draft202012Validator.check_schema(listed[name].input_schema)
            Draft202012Validator(listed[name].input_schema).validate(arguments)
            hints = listed[name].annotations
            assert hints is not None and hints.read_only_hint == (name not in ("remember", "correct"))
            given = await client.call_tool(name, arguments)
            assert not given.is_error and given.structured_content is not None and wanted in given.structured_content
        assert given.structured_content["fact"]["object"] == "Faro"


async def test_what_does_not_fit_the_schema_is_an_error_and_the_server_goes_on(tmp_path: Path) -> None:
    async with session(tmp_path / "m.db") as client:
        listed = {one.name: one for one in (await client.list_tools()).tools}
        for name, arguments in (("search", {}), ("search", {"query": "x", "k": 0}), ("ask", {"question": "x", "y": 1})):
            assert not Draft202012Validator(listed[name].input_schema).is_valid(arguments)
            assert (await client.call_tool(name, arguments)).is_error
        with pytest.raises(MCPError, match="no tool 'format_disk'"):
            await client.call_tool("format_disk", {})
        assert not (await client.call_tool("facts", {})).is_error


async def test_read_only_shows_no_tool_that_writes(memory: Memory) -> None:
    memory.episodes.remember(Turn("I like figs.", "s"))
    async with session(memory.path, "--read-only") as client:
        assert [one.name for one in (await client.list_tools()).tools] == [one.name for one in reading()]
        with pytest.raises(MCPError):
            await client.call_tool("remember", {"text": "I like plums."})
    assert [one.text for one in memory.episodes.of("s")] == ["I like figs."]


async def test_a_client_that_finds_out_what_it_talks_to_agrees_with_the_server(tmp_path: Path) -> None:
    async with Client(server(tmp_path / "m.db")) as client:
        assert len((await client.list_tools()).tools) == len(TOOLS)
        found = await client.call_tool("remember", {"text": "I live in Porto. 🐟\u2028"})
        assert found.structured_content is not None
        assert found.structured_content["episode"]["text"] == "I live in Porto. 🐟\u2028"
