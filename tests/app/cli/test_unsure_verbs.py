"""`facts --unsure` lists what the reader is not sure of; `confirm` and `retract` settle it; `facts --all` has none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.cli.commands import cli
from app.cli.session import run
from app.core.clock import FrozenClock
from store.memory import Memory
from tests.conftest import NOW, ZONE
from tests.store.reading.test_unsure import heard


@pytest.fixture
def erstwhile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Runs the program in this process, on a memory with one thing that is unsure; gives what it printed."""
    with Memory.open(tmp_path / "m.db", clock=FrozenClock(NOW), zone=ZONE) as memory:
        heard(memory, "Ellie has the small room now", "me", "roommate", "Ellie")

    def call(*arguments: str, code: int = 0) -> str:
        assert run(cli, [*arguments, "--db", str(tmp_path / "m.db"), "--zone", "+01:00"]) == code
        printed = capsys.readouterr()
        return printed.out if code == 0 else printed.err

    return call


def unsure(erstwhile: Callable[..., str]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(erstwhile("facts", "--unsure", "--json"))["facts"]
    return found


def test_it_is_listed_apart_with_its_quote(erstwhile: Callable[..., str]) -> None:
    (one,) = unsure(erstwhile)
    assert (one["subject"], one["predicate"], one["object"], one["unsure"]) == ("me", "roommate", "Ellie", True)
    assert one["sources"][0]["quote"] == "Ellie"
    assert json.loads(erstwhile("facts", "--all", "--json"))["facts"] == []
    assert "? Your roommate is Ellie." in erstwhile("facts", "--unsure")


def test_confirm_makes_it_known_and_undo_takes_that_back(erstwhile: Callable[..., str]) -> None:
    (one,) = unsure(erstwhile)
    told = json.loads(erstwhile("confirm", one["id"], "--json"))
    assert told["fact"]["object"] == "Ellie" and not told["fact"]["unsure"]
    assert unsure(erstwhile) == []
    erstwhile("undo", str(told["operation"]))
    assert [each["id"] for each in unsure(erstwhile)] == [one["id"]]


def test_retract_drops_it(erstwhile: Callable[..., str]) -> None:
    (one,) = unsure(erstwhile)
    erstwhile("retract", one["id"])
    assert unsure(erstwhile) == [] and json.loads(erstwhile("facts", "--json"))["facts"] == []
    assert erstwhile("facts", "--unsure").strip() == "Nothing is unsure."


def test_a_wrong_id_and_a_time_get_one_sentence(erstwhile: Callable[..., str]) -> None:
    assert "facts --unsure --json" in erstwhile("confirm", "unothing", code=1)
    assert "believed at no time" in erstwhile("facts", "--unsure", "--as-of", "2024", code=2)


def test_the_brief_lists_it(erstwhile: Callable[..., str]) -> None:
    (one,) = json.loads(erstwhile("brief", "--json"))["unsure"]
    assert one["facts"][0]["object"] == "Ellie"
    assert f"erstwhile confirm {one['facts'][0]['id']}" in erstwhile("brief")
