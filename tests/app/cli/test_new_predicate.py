"""A predicate is added by one line of the vocabulary, and all of the house knows it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ADDED = """
import json, sys
from store.beliefs import vocabulary
vocabulary.{table} += "{line}\\n"
from app.cli.commands import cli
from app.cli.session import run
from store.beliefs.predicates import find
from widgets.lane_layout import group_of
print(json.dumps([group_of("{name}"), find("{name}").lasting]))
for words in (
    ["remember", "It rained."], ["correct", "me", "{name}", "{value}"], ["facts"], ["profile"],
    ["ask", "{question}", "--no-model"],
):
    assert run(cli, [*words, "--db", sys.argv[1], "--zone", "UTC"]) == 0
    print("-----")
"""
SNORKELLING = {
    "table": "TABLE",
    "name": "snorkels_at",
    "line": "snorkels_at; many; snorkel at / snorkels at / snorkelled at; reef; snorkel; where; health; ; identity",
    "value": "Praia Azul",
    "question": "Where do I snorkel?",
}
GODMOTHER = {
    "table": "RELATIONS",
    "name": "godmother",
    "line": "godmother; one; ; people; relative; kin",
    "value": "Berta",
    "question": "Who is my godmother?",
}


@pytest.mark.parametrize(
    ("added", "lane", "told", "section"),
    [
        (SNORKELLING, ["health", False], "You snorkel at Praia Azul.", "Who you are"),
        (GODMOTHER, ["people", True], "Your godmother is Berta.", "Your people"),
    ],
)
def test_one_line_words_asks_groups_and_lists_it(
    tmp_path: Path, added: dict[str, str], lane: list[object], told: str, section: str
) -> None:
    command = [sys.executable, "-c", ADDED.format(**added), str(tmp_path / "m.db")]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[3])
    assert ended.returncode == 0, ended.stderr
    grouped, _, facts, profile, answer, _ = ended.stdout.split("-----\n")
    assert json.loads(grouped.splitlines()[0]) == lane
    assert told.removesuffix(".") in facts
    assert section in profile and added["value"] in profile
    assert answer.startswith(told.removesuffix(".")), answer
