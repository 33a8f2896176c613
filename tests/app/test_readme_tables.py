"""The tables of app/README.md are the program's own: verbs with their options and JSON, records, settings, keys."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from app.cli.commands import VERBS, cli
from app.cli.session import PASSPHRASE_VARIABLE, run
from app.cli.verbs.writing import FORMAT_CHOICES
from app.core.settings import OPTIONS, parse, takes, worded
from app.core.tools import TOOLS, reading
from app.evaluation import tables
from app.tui.keys import bindings, named, refuse_unknown
from tests.app.pages import PAGES, ROOT, bare, blocks, inline, keys, rows, sections, text

PAGE = "app/README.md"
PARTS = sections(PAGE)
VERB_TABLES = ("Asking", "Looking over the memory", "Writing", "Correcting", "Keeping", "Models and measuring")
COMMON = {"--db", "--profile", "--passphrase-file", "--zone", "--json", "--help"}
Json = dict[str, Any]
SAID = (
    ("I live in Porto.", "2024-03-10"),
    ("I moved to Lisbon in January. My sister Ana is a nurse, and my brother is called Rui.", "2024-06-05"),
)


def verb_rows() -> list[tuple[str, list[str]]]:
    """The command of each row, with the names in its JSON."""
    found = [cells for part in VERB_TABLES for cells in rows(PARTS[part]) if not cells[0].startswith("`erstwhile")]
    return [(bare(cells[0]), [one for one in re.split(r", ", bare(cells[2])) if one]) for cells in found]


def every_command() -> dict[str, click.Command]:
    """ "ask" to its command, and "models list" to that."""
    found: dict[str, click.Command] = {}
    for verb in VERBS:
        command = cli.get_command(click.Context(cli), verb)
        assert command is not None
        inside = command.commands if isinstance(command, click.Group) else {}
        found |= {f"{verb} {name}": one for name, one in inside.items()} or {verb: command}
    return found


def test_every_verb_stands_in_a_table_with_all_its_options_and_no_other() -> None:
    shown: dict[str, set[str]] = {}
    for command, _ in verb_rows():
        words = command.split()
        verb = " ".join(words[: 2 if words[0] == "models" else 1])
        shown.setdefault(verb, set()).update(word for word in words if word.startswith("-"))
    wanted = {
        verb: {name for one in command.params if isinstance(one, click.Option)
               for name in (*one.opts, *one.secondary_opts)} - COMMON
        for verb, command in every_command().items()
    }  # fmt: skip
    assert shown == wanted


@pytest.fixture
def ask_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Json]:
    """A function that runs a command on the test's own memory and gives its JSON."""

    def asked(command: str) -> Json:
        capsys.readouterr()
        assert run(cli, ["--db", str(tmp_path / "m.db"), *shlex.split(command), "--json"]) == 0, command
        document: Json = json.loads(capsys.readouterr().out)
        return document

    turns = tmp_path / "said.jsonl"
    turns.write_text("".join(
        json.dumps({"session": "s1", "speaker": "me", "role": "user", "text": words, "said_at": day}) + "\n"
        for words, day in SAID
    ))  # fmt: skip
    asked(f"import {turns}")
    asked("sleep")
    return asked


def scripted(tmp_path: Path) -> dict[str, str]:
    """Row of a verb table to a call of it, in an order in which they can be run one after another."""
    turns, copy = tmp_path / "turns.jsonl", tmp_path / "copy.db"
    return {
        "ask QUESTION": "ask 'Where do I live now?' --no-model",
        "recall QUERY": "recall Porto",
        "facts --about": "facts",
        "chain SUBJECT": "chain me lives_in",
        "changes --since": "changes --since 2024-01-01",
        "timeline --about": "timeline",
        "when TEXT": "when 'two weeks ago'",
        "sleep --no-model": "sleep",
        "brief --done": "brief",
        "summary --session": "summary --session s1",
        "profile --kind": "profile",
        "fading -n": "fading",
        "fading --core": "fading --core",
        "sessions": "sessions",
        "people --all": "people",
        "remember TEXT": "remember 'I like olives.'",
        "export FILE --secrets": f"export {turns}",
        "export FILE --session": f"export {tmp_path / 'talk.md'} --session s1 --format md",
        "import PATH --format": f"import {turns}",
        "import PATH --dry-run": f"import {turns} --dry-run",
        "correct SUBJECT": "correct me lives_in Coimbra",
        "undo NUMBER": "undo {correction}",
        "pin ID": "pin {fact}",
        "unpin ID": "unpin {fact}",
        "retract ID": "retract {fact}",
        "restore ID": "restore {fact}",
        "same ONE": "same Ana Rui",
        "different NAME": "different Rui",
        "log --run": "log",
        "log --kept-out": "log --kept-out",
        "undo --run": "undo --run 1",
        "backup FILE": f"backup {copy}",
        "restore FILE --dry-run": f"restore {copy} --dry-run",
        "restore FILE --yes": f"restore {copy} --yes",
        "merge OTHER": f"merge {copy}",
        "check": "check",
        "check --repair": "check --repair",
        "rebuild": "rebuild",
        "where": "where",
        "models list": "models list",
        "erase --episode": "erase --about Ana",
        "erase --about": "erase --about Ana --yes",
    }


ELSEWHERE = {
    "confirm ID", "resolve ID",  # they give what the others of their kind give: byhand._emit
    "models use", "models test", "models get", "models engine", "mcp --read-only",  # they need a model, or the network
    "eval BENCHMARK",  # below
    "encrypt --change",  # it needs a library that is an extra: tests/app/cli/test_encrypting.py
}  # fmt: skip


def test_every_verb_prints_the_json_that_is_shown(tmp_path: Path, ask_json: Callable[..., Json]) -> None:
    fact = next(one["id"] for one in ask_json("facts")["facts"] if one["predicate"] == "lives_in")
    ids = {"fact": fact, "correction": ""}
    shown = verb_rows()
    calls = scripted(tmp_path)
    covered: set[str] = set()
    for start, call in calls.items():
        (names,) = [names for command, names in shown if matches(command, start)]
        document = ask_json(call.format(**ids))
        ids["correction"] = str(document.get("operation", ids["correction"]))
        assert list(document) == names, call
        covered.add(start)
    left = [command for command, _ in shown if not any(matches(command, one) for one in covered | ELSEWHERE)]
    assert left == []


def matches(command: str, start: str) -> bool:
    """Whether a row begins with these words."""
    return command.split()[: len(start.split())] == start.split() and (" " in start or command == start)


def test_the_figures_of_a_benchmark_have_the_names_that_are_shown() -> None:
    (names,) = [names for command, names in verb_rows() if command.startswith("eval ")]
    source = Path(tables.__file__).read_text(encoding="utf-8").partition("def document(")[2].partition("\n\n\n")[0]
    assert names == ["benchmark", *re.findall(r'^        "(\w+)": ', source, re.MULTILINE)]


def test_every_record_has_the_names_that_are_shown(ask_json: Callable[..., Json]) -> None:
    shown = {name: bare(names).split(", ") for name, names in rows(PARTS["JSON records"])}
    fact = ask_json("facts")["facts"][0]
    found: dict[str, Json] = {
        "fact": fact, "source": fact["sources"][0], "episode": ask_json("remember 'I like olives.'")["episode"],
        "hit": ask_json("recall Porto")["hits"][0], "change": ask_json("changes --since 2024-01-01")["changes"][0],
        "link": ask_json("chain me lives_in")["links"][0], "session": ask_json("sessions")["sessions"][0],
        "entity": ask_json("people")["entities"][0],
    }  # fmt: skip
    ask_json("correct me lives_in Coimbra")
    found["operation"] = ask_json("log")["operations"][0]
    assert {name: list(one) for name, one in found.items()} == shown


def test_every_format_of_an_import_is_listed() -> None:
    listed = [bare(cells[0]) for cells in rows(PARTS["Import and export"])]
    assert sorted([*listed, "auto"]) == sorted(FORMAT_CHOICES)


def test_every_tool_for_other_programs_is_named() -> None:
    read_only, _, all_of_them = PARTS["Other programs"].partition("without `--read-only`")
    looking = [tool.name for tool in reading()]
    assert re.findall(r"`(\w+)`", read_only.partition("The tools are")[2]) == looking
    assert re.findall(r"`(\w+)`", all_of_them) == [tool.name for tool in TOOLS if tool.name not in looking]


def test_every_setting_is_listed_as_the_program_describes_it() -> None:
    listed = "".join(line for line in PARTS["Settings"].splitlines(keepends=True) if line.startswith("| `["))
    assert listed == "".join(
        f"| `[{one.table}] {one.key}` | {worded(one, one.usual)} | {one.name}: {one.explained} | {takes(one)} |\n"
        for one in OPTIONS
    )


@pytest.mark.parametrize("page", PAGES)
def test_every_setting_that_is_named_is_known(page: str) -> None:
    known = {f"[{one.table}] {one.key}" for one in OPTIONS} | {"[keys]"}
    for code in inline(page):
        if re.match(r"\[\w+\]", code):
            setting, _, value = code.partition(" = ")
            assert setting in known, code
            if value:
                parse(code.replace("] ", "]\n"), page)
    for block in blocks(page, "toml"):
        refuse_unknown(parse(block, page).keymap, page)


def test_every_variable_of_the_environment_is_listed() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "app").rglob("*.py"))
    read = set(re.findall(r'environ\.get\("(ERSTWHILE_\w+)"\)', source))
    listed = {bare(cells[0]) for cells in rows(PARTS["Settings"]) if cells[0].startswith("`ERSTWHILE")}
    read |= {PASSPHRASE_VARIABLE, *(one.variable for one in OPTIONS if one.variable)}  # the first is taken out
    assert listed == read
    rest = "".join((ROOT / one).read_text(encoding="utf-8") for one in ("Makefile", "tests/conftest.py"))
    named_anywhere = {one for page in PAGES for one in re.findall(r"ERSTWHILE_\w+", text(page))}
    assert named_anywhere <= read | set(re.findall(r"ERSTWHILE_\w+", rest))


def presses(cell: str) -> str:
    """The keys of a cell as a binding has them."""
    return named(",".join("escape" if key == "esc" else key for key in keys(cell)))


def test_the_key_tables_are_the_bindings_of_the_app() -> None:
    after = text(PAGE).partition("\n## Keys\n")[2]
    listed = [(bare(name), presses(cell)) for cell, _, name in rows(after)]
    assert sorted(listed) == sorted((one.id, named(one.keys)) for one in bindings())


def test_the_readme_names_the_keys_of_the_chat_as_the_app_does() -> None:
    _, _, lists = sections("README.md")["Keys"].partition("\n- ")
    pairs = re.findall(r"<kbd>([^<]+)</kbd> ([a-z ]+)[,.]", " ".join(lists.split()))
    listed = {(named(key), what) for key, what in pairs}
    assert len(pairs) == len(keys(lists))
    wanted = {(one.keys, one.what) for one in bindings() if one.owner.__name__ in ("ChatScreen", "ErstwhileApp")}
    assert listed <= wanted
    pages = {("pageup", "page up"), ("pagedown", "page down"), ("ctrl+end,end", "newest line")}
    reply = {("alt+r", "another reply"), ("alt+e", "edit and resend"), ("alt+c", "go on with the reply")}
    reply |= {("alt+o", "other version"), ("alt+a", "attach a file"), ("alt+m", "how the model speaks here")}
    escapes = {("escape", what) for what in ("stop", "close", "leave it as it was", "write on", "back to now")}
    assert wanted - listed == {*escapes, ("slash", "search"), *pages, *reply}
