"""The README and the pages beside the code are true: their commands are known, what they show is what is printed, and
what they link to is there."""

from __future__ import annotations

import io
import re
import shlex
import string
from pathlib import Path

import click
import pytest

from app import paths
from app.cli.commands import cli
from app.cli.session import run
from tests.app.pages import PAGES, ROOT, blocks, commands, inline, keys, prose, rows, sections, sessions, text

MOST_WORDS = 1000
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
STORY = (("I live in Porto.", "2024-03-10"), ("I moved to Lisbon in January.", "2024-06-05"))
"""What was said before the pages' questions about Porto and Lisbon."""
PLACEHOLDERS = {"VERB": "ask", "NUMBER": "1", "N": "1"}


def shown() -> list[tuple[str, str]]:
    return [(page, command) for page in PAGES for command in sorted(commands(page))]


def told(db: Path) -> None:
    """Write STORY into a memory."""
    for words, day in STORY:
        assert run(cli, ["--db", str(db), "remember", words, "--at", day]) == 0


def test_the_readme_is_short() -> None:
    assert len(text("README.md").split()) <= MOST_WORDS


def test_the_pages_show_commands() -> None:
    assert len(shown()) > 50


@pytest.mark.parametrize(("page", "command"), shown())
def test_every_command_is_parsed(page: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the parser of the command line itself: verbs, options, and how many words there must be."""
    monkeypatch.chdir(tmp_path)
    words = [PLACEHOLDERS.get(word, word) for word in shlex.split(command)[1:]]
    for word in words:
        if word.endswith((".json", ".jsonl")):
            Path(word).touch()  # a file that has to be there
    found: click.Command = cli
    while isinstance(found, click.Group) and words and not words[0].startswith("-"):
        below = found.get_command(click.Context(found), words.pop(0))
        assert below is not None
        found = below
    # A verb that is named alone stands for itself, and asking for help needs no more words.
    if words and words != ["--help"]:
        found.make_context("erstwhile", words)


@pytest.mark.parametrize("page", PAGES)
def test_every_shown_session_prints_what_is_shown(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", "/home/ana")
    for number, session in enumerate(sessions(page)):
        db = tmp_path / f"{number}.db"
        if not any(command.startswith("erstwhile remember") for command, _ in session):
            told(db)
        for command, output in session:
            capsys.readouterr()
            said, _, asked = command.rpartition(" | ")
            monkeypatch.setattr("sys.stdin", io.StringIO(said.removeprefix("echo ").strip("'") + "\n"))
            if asked == "erstwhile where":
                for name in ("ERSTWHILE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
                    monkeypatch.delenv(name, raising=False)
                assert run(cli, ["where"]) == 0
            else:
                assert run(cli, ["--db", str(db), "--zone", "UTC", *shlex.split(asked)[1:]]) == 0
            assert_printed(capsys.readouterr().out, output)


def assert_printed(printed: str, output: str) -> None:
    """Line for line; "..." stands for the rest of a line, and versions and the program's folder differ."""
    got, wanted = printed.splitlines(), output.splitlines()
    assert len(got) == len(wanted)
    for one, other in zip(got, wanted, strict=True):
        if other.startswith(("python ", "program ")):
            assert one.split()[0] == other.split()[0]
        elif other.endswith("..."):
            assert one.startswith(other.removesuffix("..."))
        else:
            assert one == other


def test_the_story_of_the_two_times(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told(tmp_path / "m.db")
    answers = [cells for cells in rows(sections("app/README.md")["Asking"]) if "erstwhile facts" in cells[0]]
    assert len(answers) == 4
    for command, _, answer in answers:
        capsys.readouterr()
        words = shlex.split(command.strip("`"))[1:]
        assert run(cli, ["--db", str(tmp_path / "m.db"), "--zone", "Europe/Lisbon", *words]) == 0
        said = capsys.readouterr().out
        assert f"You live in {answer}." in said and said.count("You live in") == 1


def anchors(page: Path) -> set[str]:
    """The fragments that a page's headings can be reached by, as GitHub makes them."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    kept = string.ascii_lowercase + string.digits + "-_ "
    return {"".join(one for one in head.lower() if one in kept).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page: str) -> None:
    links = [one for one in re.findall(r"\]\(([^)]+)\)", prose(page)) if "://" not in one]
    assert links or page == "tests/README.md"
    for link in links:
        place, _, fragment = link.partition("#")
        target = (ROOT / page).parent / place if place else ROOT / page
        assert target.exists(), link
        assert not fragment or fragment in anchors(target), link


@pytest.mark.parametrize("page", PAGES)
def test_every_make_target_exists(page: str) -> None:
    code = [*inline(page), *(line for block in blocks(page, "sh") for line in block.splitlines())]
    for target in {match[1] for one in code if (match := re.match(r"make (\w+)", one))}:
        assert re.search(rf"^{target}:", MAKEFILE, re.MULTILINE), target


@pytest.mark.parametrize("page", PAGES)
def test_every_program_that_is_run_by_hand_exists(page: str) -> None:
    for module in set(re.findall(r"python -m (tests[.\w]+)", text(page))):
        assert (ROOT / f"{module.replace('.', '/')}.py").is_file(), module


@pytest.mark.parametrize(("page", "part"), [("app/README.md", "Layout"), ("store/README.md", "Where things are"),
                                            ("tests/README.md", "Where things are")])  # fmt: skip
def test_every_place_in_a_layout_exists(page: str, part: str) -> None:
    places = [place for cells in rows(sections(page)[part]) for place in re.findall(r"`([^`]+)`", cells[0])]
    assert len(places) > 5
    for place in places:
        assert ((ROOT / page).parent / place).exists(), place


def test_uninstalling_deletes_every_default_place(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ERSTWHILE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    (block,) = [one for one in blocks("README.md", "sh") if "rm -rf" in one]
    deleted = {Path(word).expanduser() for word in block.split() if word.startswith("~")}
    kept = [Path.home() / place for place in re.findall(r"\?= \$\(HOME\)/(\S+)", MAKEFILE)]
    assert {paths.data_dir(), paths.config_dir()} <= deleted
    kept.append(paths.wheels_dir())
    assert len(kept) == 2
    assert all(any(place.is_relative_to(one) for one in deleted) for place in kept)
    assert "make clean" in block and re.search(r"^clean:\n\trm -rf \$\(VENV\)", MAKEFILE, re.MULTILINE)


@pytest.mark.parametrize("page", ["models/README.md", "store/README.md", "tests/README.md", "README.md"])
def test_every_key_is_one_of_the_tables(page: str) -> None:
    bound = set(keys(sections_of_keys()))
    assert set(keys(prose(page))) <= bound


def sections_of_keys() -> str:
    return text("app/README.md").partition("\n## Keys\n")[2]


def test_figures_stand_in_the_cards() -> None:
    """The page of figures repeats the cards; where they are measured anew, it is, too."""
    parts = text("tests/README.md").split("\n### ")
    for part in parts:
        cards = re.findall(r"\[card\]\(([^)#]+)", part)
        figures = re.findall(r"\d*\.\d+|\d+ of \d+", part)
        assert bool(cards) == bool(figures) or part.startswith("Sleep")
        measured = " ".join((ROOT / "tests" / card).read_text(encoding="utf-8") for card in cards)
        assert not cards or [one for one in figures if one not in measured] == []


def test_the_glossary_gives_each_term_one_meaning() -> None:
    terms = [cells[0] for cells in rows(sections("store/README.md")["Glossary"])]
    assert terms == sorted(set(terms)) and len(terms) > 30
