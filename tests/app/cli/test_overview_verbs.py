"""The verbs that look over a memory say what they show, in lines for people and in JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.cli.commands import cli
from app.cli.session import run
from app.core.fitness import WORDS, ModelTask, SleepReader
from store.errors import ModelDied

TURNS = (
    ("2026-03-01T10:00:00+00:00", "I live in Porto."),
    ("2026-03-02T10:00:00+00:00", "My sister Ana lives in Braga."),
    ("2026-03-10T10:00:00+00:00", "I go to yoga three times a week. I visited Kyoto in 2024."),
)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """A memory of three turns that has slept."""
    source = tmp_path / "turns.jsonl"
    lines = [{"session": f"s{n}", "id": f"t{n}", "text": text, "said_at": at} for n, (at, text) in enumerate(TURNS)]
    source.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    path = tmp_path / "m.db"
    for words in (["import", str(source)], ["sleep"]):
        assert run(cli, [*words, "--db", str(path), "--zone", "UTC"]) == 0
    return path


@pytest.fixture
def said(db: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """said("brief", "--json"): what a verb printed on standard output."""

    def saying(*words: str, code: int = 0) -> str:
        capsys.readouterr()
        assert run(cli, [*words, "--db", str(db), "--zone", "UTC"]) == code
        return capsys.readouterr().out

    return saying


def test_the_brief_is_told_and_can_be_read_off(said: Any) -> None:
    assert said("brief").startswith("Your first brief: ")
    document = json.loads(said("brief", "--json"))
    assert {
        "since",
        "until",
        "heard",
        "heading",
        "changed",
        "disputed",
        "unsure",
        "coming",
        "fading",
    } == document.keys()
    assert document["since"] is None and document["changed"][0]["facts"][0]["id"]
    said("brief", "--done")
    again = json.loads(said("brief", "--json"))
    assert again["since"] and again["changed"] == [] and again["heard"] == 0


def test_a_summary_names_the_turn_of_each_sentence(said: Any) -> None:
    document = json.loads(said("summary", "--day", "2026-03-01", "--json"))
    assert (document["kind"], document["key"], document["turns"]) == ("day", "2026-03-01", 1)
    (sentence,) = document["sentences"]
    assert (sentence["quote"], sentence["external_id"]) == ("I live in Porto.", "t0")
    assert "I live in Porto." in said("summary", "--month", "2026-03")
    assert "My sister Ana lives in Braga." in said("summary", "--session", "s1")
    assert "My sister Ana lives in Braga" in said("summary", "--about", "Ana")
    assert said("summary", "--about", "Zora", code=1) == ""
    assert said("summary", "--session", "nowhere", code=1) == ""
    assert said("summary", "--day", "2026-03-01", "--month", "2026-03", code=2) == ""


class Wording:
    """Words the first two sentences that it is shown, the second wrongly."""

    name = "scripted"

    def chat(self, _messages: Any, **_how: Any) -> Iterator[str]:
        told = [{"text": "I go to yoga.", "from": [1]}, {"text": "I visited Rome.", "from": [2]}]
        yield json.dumps({"sentences": told[: _how["schema"]["properties"]["sentences"]["maxItems"]]})


def _open(model: Any, sentence: str) -> Any:
    @contextmanager
    def opened(*, wanted: bool, job: ModelTask) -> Iterator[SleepReader]:
        assert wanted and job is WORDS
        yield SleepReader(model, sentence)

    return opened


def test_a_model_words_a_summary_where_it_may(said: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.core.fitness.opened", _open(Wording(), "scripted words what was said."))
    text = said("summary", "--day", "2026-03-10", "--by-model")
    assert "≈ I go to yoga.\n" in text and "“I go to yoga three times a week.”" in text
    assert "  I visited Kyoto in 2024." in text and "in the words of scripted (≈)" in text
    document = json.loads(said("summary", "--day", "2026-03-10", "--by-model", "--json"))
    (worded, as_said) = document["model"]["told"]
    assert (worded["model"], worded["sources"][0]["external_id"], as_said["model"]) == ("scripted", "t2", None)
    assert len(document["sentences"]) == 2 and document["model"]["refused"] == []


def test_without_a_model_that_passed_a_summary_is_as_it_was_said(said: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = said("summary", "--day", "2026-03-10")
    monkeypatch.setattr("app.core.fitness.opened", _open(None, "There is no model."))
    assert said("summary", "--day", "2026-03-10", "--by-model") == plain + "There is no model.\n"

    class Dying(Wording):
        def chat(self, _messages: Any, **_how: Any) -> Iterator[str]:
            raise ModelDied("It ended.")
            yield ""

    monkeypatch.setattr("app.core.fitness.opened", _open(Dying(), ""))
    told = said("summary", "--day", "2026-03-10", "--by-model")
    assert told == plain + "It ended. So the sentences are as they were said.\n"
    assert json.loads(said("summary", "--day", "2026-03-10", "--by-model", "--json"))["model"]["sentence"]


def test_a_profile_has_its_kinds_apart(said: Any) -> None:
    texts = {
        kind: said("profile", "--kind", kind, "--all") for kind in ("profile", "semantic", "episodic", "procedural")
    }
    found = {kind: [one for one in ("Porto", "Braga", "yoga", "Kyoto") if one in text] for kind, text in texts.items()}
    assert found == {"profile": ["Porto"], "semantic": ["Braga"], "episodic": ["Kyoto"], "procedural": ["yoga"]}
    document = json.loads(said("profile", "--json"))
    assert document["kind"] == "profile" and {"title", "faded", "facts"} == document["sections"][0].keys()


def test_what_fades_is_listed_with_its_curve_and_can_be_opened(said: Any, db: Path) -> None:
    every = {fact["object"]: fact["id"] for fact in json.loads(said("facts", "--json"))["facts"]}
    opened = json.loads(said("fading", "--open", every["yoga"], "--json"))["fading"]
    assert opened[0]["object"] == "yoga" and opened[0]["decay"][0] == {"days": 0, "salience": opened[0]["salience"]}
    assert len(opened[0]["decay"]) == 91
    assert said("fading", "--core").startswith("Nothing is core yet")
    said("pin", every["Porto"])
    assert "Porto" in said("fading", "--core") and "Porto" not in said("fading")
    assert [fact["object"] for fact in json.loads(said("fading", "--core", "--json"))["core"]] == ["Porto"]
