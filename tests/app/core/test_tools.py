"""A tool does what the command line does, with arguments that fit its schema, and shows no secret."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from app.core.tools import TOOLS, Desk, call, named, reading
from store.errors import BadInput, BadTime, NotFound
from store.memory import Memory
from tests.conftest import NOW, ZONE

Use = Callable[..., dict[str, Any]]


@pytest.fixture
def use(memory: Memory, say: Callable[..., None]) -> Use:
    """use("facts", about="me"): over a memory of somebody who has moved."""
    say("2023-02-01", "I live in Porto.", "The harbour was foggy this morning.")
    say("2024-05-01", "I moved to Lisbon.")
    desk = Desk(memory, ZONE, NOW.local)
    return lambda name, /, **arguments: call(named(name), desk, arguments)


def test_asking_on_both_axes(use: Use) -> None:
    assert "Lisbon" in use("ask", question="Where do I live?")["text"]
    (now,) = use("facts", about="me", predicate="lives_in")["facts"]
    (then,) = use("facts", about="me", predicate="lives_in", as_of="2023-06")["facts"]
    assert (now["object"], then["object"]) == ("Lisbon", "Porto")
    (believed,) = use("facts", about="me", predicate="lives_in", believed="2023-12")["facts"]
    assert believed["object"] == "Porto"
    links = use("chain", subject="me", predicate="lives_in")["links"]
    assert (links[0]["kind"], links[-1]["kind"]) == ("update", "new")
    assert len(use("timeline", about="me")["facts"]) > 1


def test_searching_and_reading_on(use: Use) -> None:
    (hit, *_) = use("search", query="foggy harbour", k=3)["hits"]
    assert "foggy" in hit["text"]
    read = use("read_turns", around=hit["id"], limit=1)
    assert [turn["text"] for turn in read["turns"]] == [hit["text"]]
    assert read["of"] == 2
    assert len(use("read_turns", session=hit["session"])["turns"]) == 2


def test_remembering_teaches_and_correcting_keeps_the_wrong_one_in_view(use: Use) -> None:
    told = use("remember", text="My sister is called Maud.")
    assert told["learned"][0]["new"]["object"] == "Maud"
    assert use("correct", subject="me", predicate="lives_in", value="Braga")["fact"]["object"] == "Braga"
    assert "Lisbon" in [link["fact"]["object"] for link in use("chain", subject="me", predicate="lives_in")["links"]]


def test_a_secret_is_not_shown(use: Use) -> None:
    told = use("remember", text="The password is hunter2hunter2 and the key sk-abcdefghijklmnopqrstuvwxyz012345.")
    assert "sk-abc" not in str(told)
    assert "sk-abc" not in str(use("read_turns", around=told["episode"]["id"]))
    assert "sk-abc" not in str(use("search", query="password key"))


@pytest.mark.parametrize(
    ("name", "arguments", "sentence"),
    [
        ("search", {}, "search needs query"),
        ("search", {"query": 7}, "query of search must be a text"),
        ("search", {"query": "  "}, "1 to 4000 characters"),
        ("search", {"query": "x", "k": 0}, "whole number from 1 to 50"),
        ("search", {"query": "x", "k": True}, "whole number"),
        ("search", {"query": "x", "limit": 1}, "search has no limit; it takes query, k"),
        ("read_turns", {}, "one of session and around"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(use: Use, name: str, arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        use(name, **arguments)


def test_what_is_not_there_is_said(use: Use) -> None:
    for name, arguments in (
        ("facts", {"about": "Zebulon"}), ("read_turns", {"session": "none"}), ("read_turns", {"around": "none"}),
    ):  # fmt: skip
        with pytest.raises(NotFound):
            use(name, **arguments)
    with pytest.raises(BadTime):
        use("facts", as_of="the day of the zorp")
    with pytest.raises(NotFound, match="there are search, ask"):
        named("drop_everything")


def test_every_tool_says_what_it_takes() -> None:
    assert {one.name for one in TOOLS} - {one.name for one in reading()} == {"remember", "correct"}
    for tool in TOOLS:
        assert tool.description.endswith(".")
        assert set(tool.schema["required"]) <= set(tool.schema["properties"])
