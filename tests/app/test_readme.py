"""The README is true: its commands exist with their options, its story of two times happens, its pictures are there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from app.cli import VERBS, cli
from app.session import run

ROOT = Path(__file__).resolve().parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
COMMANDS = sorted(
    {line.split("  #")[0].strip() for block in BLOCKS for line in block.splitlines() if line.startswith("erstwhile")}
    | set(re.findall(r"`(erstwhile [^`]+)`", README))
)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_exists_with_its_options(command: str) -> None:
    _, *words = shlex.split(command)
    if words[0].startswith("-"):
        known = {name for parameter in cli.params for name in parameter.opts}
        assert set(words) <= known
        return
    assert words[0] in VERBS
    found = cli.get_command(click.Context(cli), words[0])
    assert found is not None
    if isinstance(found, click.Group):
        found = found.get_command(click.Context(found), words[1])
        assert found is not None
    known = {name for parameter in found.params for name in parameter.opts}
    assert {word for word in words if word.startswith("-") and word != "-"} <= known


def test_the_story_of_the_two_times(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    db = ["--db", str(tmp_path / "m.db"), "--zone", "Europe/Lisbon"]
    for line in re.findall(r"^(erstwhile remember .*)$", README, re.MULTILINE):
        assert run(cli, [*shlex.split(line)[1:], *db]) == 0
    rows = re.findall(r"^\| `erstwhile (facts [^`]*)` \|[^|]*\| (\w+) \|$", README, re.MULTILINE)
    assert len(rows) == 4
    for command, answer in rows:
        capsys.readouterr()
        assert run(cli, [*shlex.split(command), *db]) == 0
        said = capsys.readouterr().out
        assert f"You live in {answer}." in said and said.count("You live in") == 1


def test_pictures_targets_and_keys_exist() -> None:
    for picture in re.findall(r"\]\((screenshots/[^)]+)\)", README):
        assert (ROOT / picture).is_file(), picture
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"make (\w+)", README)):
        if target not in ("in",):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    interface = "".join(
        path.read_text(encoding="utf-8") for part in ("app", "widgets") for path in (ROOT / part).rglob("*.py")
    )
    for keys in set(re.findall(r"<kbd>([^<]+)</kbd>", README)):
        names = {"[": "left_square_bracket", "]": "right_square_bracket", "{": "left_curly_bracket",
                 "}": "right_curly_bracket", "/": "slash", "?": "question_mark", "esc": "escape",
                 "=": "equals_sign"}  # fmt: skip
        assert names.get(keys, keys) in interface, keys
