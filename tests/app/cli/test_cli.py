"""The command line keeps its word: data on stdout, one sentence on stderr, exit codes 0, 1 and 2, and stable JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def erstwhile(tmp_path: Path) -> Any:
    """erstwhile("facts", "--json") runs the program in a process of its own, on one memory."""

    def run(*arguments: str, stdin: str = "", code: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "app", *arguments, "--db", str(tmp_path / "m.db"), "--zone", "+01:00"],
            cwd=ROOT, input=stdin, capture_output=True, text=True, check=False, timeout=60,
            env={**os.environ, "ERSTWHILE_HOME": str(tmp_path / "home")},
        )  # fmt: skip
        assert done.returncode == code, done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout if code == 0 else done.stderr

    return run


def test_a_told_move_is_believed_on_both_axes(erstwhile: Any) -> None:
    erstwhile("remember", "I live in Porto.", "--at", "2024-03-10T18:00:00")
    told = json.loads(erstwhile("remember", "I moved to Lisbon in January.", "--at", "2024-06-05T18:00:00", "--json"))
    assert [change["new"]["object"] for change in told["learned"] if change["new"]["believed_to"] is None] == ["Lisbon"]

    def where(*times: str) -> list[str]:
        found = json.loads(erstwhile("facts", "--about", "me", "--predicate", "lives_in", *times, "--json"))
        return [fact["object"] for fact in found["facts"]]

    assert where("--as-of", "2024-03-15", "--believed", "2024-03-20") == ["Porto"]
    assert where("--as-of", "2024-03-15") == ["Lisbon"]
    assert where("--as-of", "2024-06-20", "--believed", "2024-04-01") == ["Porto"]
    assert where() == ["Lisbon"]
    assert where("--believed-during", "2024", "--as-of", "2024-03-15") == ["Lisbon", "Porto"]
    assert where("--believed-during", "April 2024") == ["Porto"]
    links = json.loads(erstwhile("chain", "me", "lives_in", "--json"))["links"]
    assert [(link["fact"]["object"], link["kind"]) for link in links][:2] == [("Lisbon", "update"), ("Porto", "new")]
    assert links[0]["fact"]["supersedes"] == links[1]["fact"]["id"]
    assert "Lisbon" in erstwhile("ask", "Where do I live?")


def test_what_was_learned_is_told_with_its_day(erstwhile: Any) -> None:
    told = erstwhile("remember", "Our graduation is on 9 May.", "--at", "2024-03-10T18:00:00")
    assert ", on 9 May" in told


def test_facts_have_the_names_of_the_contract(erstwhile: Any) -> None:
    erstwhile("remember", "My sister Ana is allergic to peanuts.", "--at", "2024-03-10T18:00:00+01:00")
    (fact,) = json.loads(erstwhile("facts", "--about", "Ana", "--predicate", "allergic_to", "--json"))["facts"]
    assert fact["subject"] == "Ana" and fact["object"] == "peanuts"
    names = {"id", "text", "valid_from", "valid_to", "believed_from", "believed_to", "precision", "confidence"}
    names |= {"salience", "supersedes", "change", "sources"}
    assert names <= fact.keys()
    (source,) = fact["sources"]
    assert source["quote"] and {"episode", "external_id", "start", "end"} <= source.keys()
    assert fact["believed_from"] == "2024-03-10T18:00:00+01:00" and fact["valid_to"] is None


def test_import_twice_adds_nothing_and_questions_may_come_as_lines(erstwhile: Any, tmp_path: Path) -> None:
    lines = [
        {"session": "s", "id": "D1:1", "speaker": "Ana", "role": "user", "text": "I adopted a cat called Miso.",
         "said_at": "2024-01-01T10:00:00"},
        {"session": "s", "id": "D1:2", "speaker": "Ben", "role": "user", "text": "I moved to Berlin last month.",
         "said_at": "2024-01-01T10:01:00"},
        {"session": "s", "speaker": "Ben", "role": "user"},
    ]  # fmt: skip
    path = tmp_path / "chat.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines) + "\nnot json\n")
    first = json.loads(erstwhile("import", str(path), "--json"))
    assert (first["new"], first["seen"], len(first["skipped"])) == (2, 0, 2)
    again = json.loads(erstwhile("import", str(path), "--json"))
    assert (again["new"], again["seen"]) == (0, 2)
    slept = json.loads(erstwhile("sleep", "--no-model", "--json"))
    assert slept["episodes"] == 2 and slept["finished"]
    asked = '{"id": "q1", "question": "Where does Ben live?"}\n{"id": "q2"}\nnonsense\n'
    answers = [json.loads(line) for line in erstwhile("ask", "-", "--no-model", stdin=asked).splitlines()]
    assert "Berlin" in answers[0]["text"] and not answers[0]["abstained"] and answers[0]["sources"]
    assert answers[1]["id"] == "q2" and "question" in answers[1]["error"]
    assert "not JSON" in answers[2]["error"]
    found = [json.loads(line) for line in erstwhile("recall", "-", stdin=asked).splitlines()]
    assert found[0]["hits"][0]["external_id"] == "D1:2"
    assert json.loads(erstwhile("check", "--json"))["ok"]
    erstwhile("rebuild")
    assert json.loads(erstwhile("check", "--json"))["ok"]


def test_the_hand_corrects_retracts_and_takes_back(erstwhile: Any) -> None:
    erstwhile("remember", "I work at Acme.", "--at", "2024-01-01T10:00:00")
    fixed = json.loads(erstwhile("correct", "me", "works_at", "Globex", "--json"))["fact"]
    assert (fixed["object"], fixed["change"]) == ("Globex", "correct")
    (operation,) = json.loads(erstwhile("log", "--json"))["operations"]
    erstwhile("undo", str(operation["id"]))
    (fact,) = json.loads(erstwhile("facts", "--predicate", "works_at", "--json"))["facts"]
    assert fact["object"] == "Acme"
    gone = json.loads(erstwhile("retract", fact["id"], "--json"))["fact"]
    assert gone["ended"] == "retract"
    assert json.loads(erstwhile("facts", "--predicate", "works_at", "--json"))["facts"] == []


def test_all_that_one_import_brought_is_erased_by_its_source(erstwhile: Any, tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_text(json.dumps({"session": "s", "text": "I live in Zqxwana.", "said_at": "2024-01-01T10:00:00Z"}))
    erstwhile("import", str(path))
    erstwhile("remember", "I work at Acme.")
    erstwhile("sleep")
    erased = json.loads(erstwhile("erase", "--source", "import:jsonl", "--yes", "--json"))["erased"]
    assert erased["episodes"] == 1
    assert [one["object"] for one in json.loads(erstwhile("facts", "--json"))["facts"]] == ["Acme"]


def test_what_is_erased_is_gone_and_stays_away(erstwhile: Any, tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_text(json.dumps({"session": "s", "id": "1", "text": "My sister Zqxwana lives in Braga.",
                                "said_at": "2024-01-01T10:00:00Z"}))  # fmt: skip
    erstwhile("import", str(path))
    erstwhile("sleep")
    shown = json.loads(erstwhile("erase", "--about", "Zqxwana", "--json"))
    assert shown["would_erase"]["episodes"] == 1
    assert "Braga" in [one["object"] for one in shown["lost"]], "what nothing else says is named"
    erased = json.loads(erstwhile("erase", "--about", "Zqxwana", "--yes", "--json"))["erased"]
    assert erased["episodes"] == 1
    for file in tmp_path.glob("m.db*"):
        assert b"zqxwana" not in file.read_bytes().lower()
    assert json.loads(erstwhile("import", str(path), "--json"))["new"] == 0
    assert json.loads(erstwhile("check", "--json"))["ok"]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("facts", "--about", "me"), 1, "There is no memory"),
        (("sleeep",), 2, "Did you mean sleep"),
        (("import", "nowhere.jsonl"), 2, "not a file"),
        (("when", "yesterday", "--at", "some day"), 2, "ISO 8601"),
        (("erase", "--yes"), 2, "Name one thing"),
        (("remember", "Please forget Isidor entirely."), 2, "erase --about Isidor"),
        (("recall", "x", "-k", "0"), 2, "not in the range"),
    ],
)
def test_bad_input_gets_one_sentence(erstwhile: Any, arguments: tuple[str, ...], code: int, words: str) -> None:
    said = erstwhile(*arguments, code=code)
    assert words in said and said.count("\n") == 1


def test_asking_an_unknown_time_or_person_says_so(erstwhile: Any) -> None:
    erstwhile("remember", "I live in Porto.", "--at", "2024-03-10T18:00:00")
    assert "not a time" in erstwhile("facts", "--as-of", "blue", code=2)
    assert "Nobody and nothing" in erstwhile("facts", "--about", "Zorro", code=1)


def test_an_export_imports_to_the_same_turns(erstwhile: Any, tmp_path: Path) -> None:
    erstwhile("remember", "I live in Porto.", "--at", "2024-03-10T18:00:00")
    erstwhile("remember", "My password is hunter2-Xk9!", "--at", "2024-03-10T18:05:00")
    out = tmp_path / "out.jsonl"
    assert "left out" in erstwhile("export", str(out))
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line["text"] for line in lines if "kind" not in line] == ["I live in Porto."]
    assert json.loads(erstwhile("import", str(out), "--json"))["new"] == 0
    erstwhile("export", str(out), code=2)


def test_an_export_says_what_it_wrote_and_an_import_what_it_took(erstwhile: Any, tmp_path: Path) -> None:
    erstwhile("remember", "I live in Porto.", "--at", "2024-03-10T18:00:00")
    erstwhile("remember", "I like figs.", "--at", "2024-03-10T18:00:00")
    erstwhile("correct", "me", "lives_in", "Faro")
    out, again = tmp_path / "out.jsonl", tmp_path / "again.jsonl"
    told = json.loads(erstwhile("export", str(out), "--json"))
    assert (told["written"], told["left_out"]) == (3, 0)
    assert {"turn": 3, "claim": 2, "correction": 1, "operation": 1, "pin": 0}.items() <= told["kinds"].items()
    for file in tmp_path.glob("m.db*"):
        file.unlink()
    assert "complete export: 3 turns" in erstwhile("import", str(out), "--dry-run")
    assert not (tmp_path / "m.db").exists()
    took = json.loads(erstwhile("import", str(out), "--json"))
    assert (took["new"], took["seen"], took["messages"], took["formats"]) == (3, 0, 3, ["erstwhile"])
    assert {"turn": 3, "claim": 2, "correction": 1}.items() <= took["taken"].items()
    assert (took["stayed_away"], took["erased_there"]) == (0, [])
    assert "3 known before" in erstwhile("import", str(out), "--format", "jsonl")
    assert "3 turns written" in (said := erstwhile("export", str(again))) and "1 correction" in said
    assert again.read_bytes() == out.read_bytes()
    erstwhile("erase", "--about", "figs", "--yes")
    assert "1 turn stayed away: erased here before." in erstwhile("import", str(out))


def test_a_damaged_export_is_refused_in_one_sentence(erstwhile: Any, tmp_path: Path) -> None:
    erstwhile("remember", "I live in Porto.", "--at", "2024-03-10T18:00:00")
    out, plain = tmp_path / "out.jsonl", tmp_path / "plain.jsonl"
    erstwhile("export", str(out))
    plain.write_text(json.dumps({"text": "I like figs.", "said_at": "2024-01-01T10:00:00", "role": "user"}) + "\n")
    lines = out.read_text().splitlines()
    out.write_text("\n".join([*lines[:2], lines[2][:-4], *lines[3:]]) + "\n")
    for file in tmp_path.glob("m.db*"):
        file.unlink()
    said = erstwhile("import", str(plain), str(out), code=2)
    assert "out.jsonl, line 3: it is not JSON" in said and said.count("\n") == 1
    assert not (tmp_path / "m.db").exists()


def test_a_restore_goes_back_and_keeps_what_was_there(erstwhile: Any, tmp_path: Path) -> None:
    erstwhile("remember", "I live in Porto.", "--at", "2024-03-10T18:00:00")
    backup = json.loads(erstwhile("backup", str(tmp_path / "then.db"), "--json"))["backup"]
    erstwhile("remember", "I moved to Rome.", "--at", "2024-06-10T18:00:00")
    back = json.loads(erstwhile("restore", backup, "--yes", "--json"))
    assert back["turns"] == 1 and Path(back["before"]).is_file()
    assert "Porto" in erstwhile("ask", "Where do I live?")
    erstwhile("restore", back["before"], "--yes")
    assert "Rome" in erstwhile("ask", "Where do I live?")
    assert "not a file" in erstwhile("restore", str(tmp_path / "nowhere.db"), "--yes", code=2)


def test_two_names_are_made_one_and_two_again(erstwhile: Any) -> None:
    erstwhile("remember", "Kate is allergic to peanuts.", "--at", "2024-03-10T18:00:00")
    erstwhile("remember", "Katie lives in Porto.", "--at", "2024-03-11T18:00:00")
    done = json.loads(erstwhile("same", "Kate", "Katie", "--json"))
    assert done["entity"]["aliases"] == ["kate", "katie"]
    assert len(json.loads(erstwhile("facts", "--about", "Katie", "--json"))["facts"]) == 2
    assert "Kate                     person          also katie" in erstwhile("people").splitlines()
    erstwhile("undo", str(done["operation"]))
    names = [one["name"] for one in json.loads(erstwhile("people", "--json"))["entities"]]
    assert {"Kate", "Katie"} <= set(names)
    assert "two already" in erstwhile("different", "Kate", "Katie", code=2)
