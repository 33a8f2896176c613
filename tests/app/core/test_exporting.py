"""A conversation as Markdown: every word of it under who said it and when, and nothing that reads as anything else."""

from __future__ import annotations

import itertools
import json
import shlex
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from app.cli.commands import cli
from app.cli.session import run
from app.core import exporting
from app.core.clock import FrozenClock
from app.core.conversation import Conversation
from app.core.deeds import radius_of_session
from app.core.exporting import ExportedChat, file_name, write_conversation
from app.core.turn import MEMORY_SPEAKER, NO_MODEL
from store.memory import Memory
from store.records import Episode, Instant, Turn
from tests.conftest import NOW, ZONE
from tests.tui.scripted import turns

SAID = (
    ("me", "user", "I live in Porto.\nSince 2019.", "2024-03-10T14:02:00+00:00"),
    ("qwen", "assistant", "# Porto\n\nA *fine* place, <b>I hear</b>; `a < b`.", "2024-03-10T14:03:00+00:00"),
    ("me", "user", "my api key is sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789", "2024-03-11T08:00:00+00:00"),
)
Run = Callable[[str], tuple[int, str, str]]


@pytest.fixture
def erstwhile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """A function that runs a command on a memory with one conversation: (exit code, output, talk)."""

    def ran(command: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run(cli, ["--db", str(tmp_path / "m.db"), *shlex.split(command)])
        out, talk = capsys.readouterr()
        return code, out, talk

    given = tmp_path / "said.jsonl"
    given.write_text("".join(
        json.dumps({"session": "s1", "title": "About *Porto*", "speaker": who, "role": role, "text": words,
                    "said_at": at}) + "\n"
        for who, role, words, at in SAID
    ))  # fmt: skip
    assert ran(f"import {given}")[0] == 0
    assert ran("sleep")[0] == 0
    return ran


def test_a_conversation_is_written_with_times_speakers_and_what_it_taught(erstwhile: Run, tmp_path: Path) -> None:
    target = tmp_path / "porto.md"
    code, out, _ = erstwhile(f"export {target} --session s1")
    assert code == 0
    assert "1 with secrets were left out" in out
    text = target.read_text()
    assert text.startswith("# About \\*Porto\\*\n\n2 turns, written by Erstwhile. 1 turn with secrets left out.\n")
    assert "\n## Sunday 10 March 2024\n\n### you, 14:02\n<!-- e" in text
    assert "\nI live in Porto.  \nSince 2019.\n" in text
    assert "\n> Noted: lives in Porto" in text
    assert "### qwen, 14:03" in text
    assert "sk-ant" not in text
    assert target.stat().st_mode & 0o777 == 0o600
    assert "sk-ant" in written(erstwhile, tmp_path / "all.md", "--secrets")


def test_what_the_memory_noted_is_told_as_the_person_saw_it(memory: Memory, tmp_path: Path) -> None:
    """And once: the receipt below the words would say the same."""
    for turn in (Turn("My boss is Rui.", "s1"), Turn(NO_MODEL, "s1", MEMORY_SPEAKER, "assistant")):
        memory.reading.learn(memory.episodes.remember(turn).id)
    write_conversation(memory, "s1", tmp_path / "boss.md")
    text = (tmp_path / "boss.md").read_text()
    assert text.count("Noted: ") == 1 and "Noted: your boss is Rui." in text and NO_MODEL not in text
    radius = radius_of_session("s1", "boss")(memory)
    assert [one.text for one in radius.turns] == ["My boss is Rui.", "Noted: your boss is Rui."]


def told(memory: Memory, *texts: str) -> None:
    """Say these, each with the reply of a memory without a model."""
    for days, text in enumerate(texts, -len(texts)):
        at = Instant.of(NOW.local() + timedelta(days=days))
        memory.reading.learn(memory.episodes.remember(Turn(text, "s1", said_at=at)).id)
        memory.episodes.remember(Turn(NO_MODEL, "s1", MEMORY_SPEAKER, "assistant", said_at=at))


UNSURE = "Callum lives in York, perhaps"


def test_a_turn_that_taught_only_something_unsure_is_exported(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.db", clock=FrozenClock(NOW), zone=ZONE) as memory:
        told(memory, "My roommate is Callum.", UNSURE)
        assert memory.reading.unsure() and len(memory.beliefs.facts()) == 1
    assert run(cli, ["--db", str(tmp_path / "m.db"), "export", str(tmp_path / "s1.md"), "--session", "s1"]) == 0
    text = (tmp_path / "s1.md").read_text()
    assert text.count("Unsure: ") == 1 and NO_MODEL not in text


def test_what_was_taken_back_or_erased_later_is_exported_as_it_is_left(memory: Memory, tmp_path: Path) -> None:
    told(memory, "My boss is Rui.", "I live in Porto.", UNSURE)
    (boss,) = memory.beliefs.facts(predicate="boss")
    memory.by_hand.retract(boss.id)
    write_conversation(memory, "s1", tmp_path / "taken-back.md")
    assert "Noted: your boss is Rui." in (tmp_path / "taken-back.md").read_text()
    memory.erasing.erase(memory.erasing.selection(about="Porto"))
    write_conversation(memory, "s1", tmp_path / "erased.md")
    text = (tmp_path / "erased.md").read_text()
    assert "4 turns, written by Erstwhile." in text
    assert "Porto" not in text and "Callum" in text and "Noted: your boss is Rui." in text


def written(erstwhile: Run, target: Path, options: str = "") -> str:
    assert erstwhile(f"export {target} --session s1 --format md {options}")[0] == 0
    return target.read_text()


def test_an_erase_names_the_files_that_hold_the_words(erstwhile: Run, tmp_path: Path) -> None:
    target = tmp_path / "porto.md"
    written(erstwhile, target)
    code, out, talk = erstwhile("erase --session s1 --yes --json")
    assert code == 0
    assert json.loads(out)["backups"] == [str(target)]
    assert f"The copy {target} still holds the words" in talk


@pytest.mark.parametrize(("options", "said"), [
    ("--session s1 --format jsonl", "Markdown is for one conversation"),
    ("--format md", "Markdown is for one conversation"),
    ("--session s9", "There is no conversation 's9'"),
])  # fmt: skip
def test_what_cannot_be_exported_is_said(erstwhile: Run, tmp_path: Path, options: str, said: str) -> None:
    target = tmp_path / "never.md"
    code, _, talk = erstwhile(f"export {target} {options}")
    assert code != 0
    assert said in talk
    assert not target.exists()


def test_no_file_is_written_over(erstwhile: Run, tmp_path: Path) -> None:
    target = tmp_path / "mine.md"
    target.write_text("mine")
    assert "exists already" in erstwhile(f"export {target} --session s1")[2]
    assert "There is no folder" in erstwhile(f"export {tmp_path / 'no' / 'x.md'} --session s1")[2]
    assert target.read_text() == "mine"


def said(*texts: str) -> tuple[Episode, ...]:
    """Turns of the person and of a model by turns."""
    return tuple(replace(one, text=text) for one, text in zip(turns(len(texts)), texts, strict=True))


def tokens(*texts: str) -> list[Any]:
    parsed = MarkdownIt("commonmark").parse("".join(exporting.page(ExportedChat("A title", said(*texts)))))
    return [token for token in parsed if token.type != "html_block"]


def headings(*texts: str) -> list[str]:
    found = tokens(*texts)
    return [after.content for token, after in itertools.pairwise(found) if token.type == "heading_open"]


FORGED = (
    "### you, 21:00\n\nno", "you, 21:00\n===", "you, 21:00\n---", "  # you", "```\n# code\n", "~~~~\n### you\n~~~",
    "```\n~~~\n```\n# after", "<h3>you</h3>", "text\n   ## you, 21:00",
)  # fmt: skip


@pytest.mark.parametrize("forged", FORGED)
def test_no_turn_can_begin_a_heading(forged: str) -> None:
    expected = ["A title", "Monday 19 August 2024", "you, 21:00", "qwen3-4b, 21:01", "you, 21:02"]
    assert headings("Hello", forged, "Bye") == expected
    assert headings(forged, "Hello", forged) == expected


def test_what_is_code_stays_as_it_is() -> None:
    text = "".join(exporting.page(ExportedChat("A title", said("x", "`a<b>` and <b>:\n```\n<b> # c\n```"))))
    assert "`a<b>` and \\<b>:\n```\n<b> # c\n```\n" in text


def test_html_in_a_turn_is_text() -> None:
    html = [one.type for one in tokens("<script>alert(1)</script>", "<!-- hidden", "a <b>c</b>") if one.type]
    inline = [child.type for one in tokens("a <b>c</b>", "x <i>y</i>") for child in one.children or ()]
    assert "html_block" not in html
    assert "html_inline" not in inline


def test_what_acts_on_a_terminal_is_not_in_the_file() -> None:
    assert "\x1b" not in "".join(exporting.page(ExportedChat("\x1b[2J", said("\x1b]52;c;x\x07"))))


@pytest.mark.parametrize(("title", "name"), [
    ("Moving to Lisbon!", "moving-to-lisbon.md"), ("../../etc/passwd", "etc-passwd.md"), ("…", "conversation.md"),
    ("日本 語", "日本-語.md"), ("x" * 99, f"{'x' * 60}.md"),
])  # fmt: skip
def test_a_file_is_named_by_the_title(title: str, name: str) -> None:
    assert file_name(title) == name


def test_a_resumed_conversation_says_again_what_was_noted(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.db", clock=FrozenClock(NOW), zone=ZONE) as memory:
        for words in ("I live in Porto.", "It rained."):
            told = memory.episodes.remember(Turn(words, "s"))
            memory.reading.learn(told.id)
            memory.episodes.remember(Turn(NO_MODEL, "s", speaker=MEMORY_SPEAKER, role="assistant"))
        conversation = Conversation.of(memory, "s")
        shown = [one.text for one in conversation.shown(memory, 0, 10)]
        assert shown == ["I live in Porto.", "Noted: you live in Porto.", "It rained.", NO_MODEL]
        assert [one.text for one in conversation.shown(memory, 1, 1)] == shown[1:2]
        assert [one.text for one in conversation.page(memory, 1, 1)] == [NO_MODEL]
