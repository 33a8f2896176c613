"""Every system answers every question, each leaves its line, and the table says what is what."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import UTC
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest
from click.testing import CliRunner

from app.cli.commands import cli
from app.evaluation import tables
from app.evaluation.cases import Case, read
from app.evaluation.judging import by_address, prompt, verdict
from app.evaluation.outcomes import OURS, PLAIN, WHOLE, WITH_MODEL, Outcome, PlainSearch, full_context, outcomes
from store.errors import BadInput, ModelUnavailable
from store.protocols import Message
from store.records import Instant
from tests.app.evaluation.making import LOCOMO, LONGMEMEVAL, written


class Parrot:
    """A model that knows one word, and counts four characters as a token."""

    name = "parrot"
    n_ctx = 1024

    def __init__(self, word: str = "Deptford") -> None:
        self.word = word
        self.heard: list[str] = []

    def chat(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 512,
        stop: Event | None = None,
        temperature: float | None = None,
    ) -> Iterator[str]:
        self.heard.append("\n".join(one.content for one in messages))
        yield self.word

    def count_tokens(self, text: str) -> int:
        return len(text) // 4


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[Outcome]:
    """The outcomes of the small LoCoMo, with a model."""
    path = written(tmp_path_factory.mktemp("eval"), "locomo10.json", LOCOMO)
    return list(outcomes(read("locomo", path, UTC), UTC, Parrot()))


def test_each_system_has_a_line_for_each_question(found: list[Outcome]) -> None:
    assert [one.system for one in found] == [OURS, PLAIN, WITH_MODEL, WHOLE] * 4
    for one in found:
        json.dumps(asdict(one))


def test_the_memory_answers_what_was_said_and_not_what_was_not(found: list[Outcome]) -> None:
    where, when, _, wrong = (one for one in found if one.system == OURS)
    assert where.right and where.rests_on_evidence and where.ranked[0] == "D1:2"
    assert when.right and when.tier == 2
    assert wrong.abstained and wrong.right and wrong.f1 == 0


def test_plain_search_answers_with_its_best_turn(found: list[Outcome]) -> None:
    where = next(one for one in found if one.system == PLAIN)
    assert where.given.startswith("I started pottery") and where.kind == "turn" and where.ranked[0] == "D1:2"


def test_a_model_is_asked_only_where_the_memory_does_not_know(found: list[Outcome]) -> None:
    where = next(one for one in found if one.system == WITH_MODEL)
    assert where.tier == 2 and where.given != "Deptford"
    assert all(one.given == "Deptford" for one in found if one.system == WHOLE)


def test_the_table_names_every_system_category_and_figure(found: list[Outcome]) -> None:
    text = "\n".join([*tables.lines(found), *tables.miss_lines(found, lambda words, most: words[:most])])
    for words in (OURS, PLAIN, WITH_MODEL, WHOLE, "2 temporal", "5 adversarial", "McNemar", "bootstrap", "R@5"):
        assert words in text
    document = tables.document(found)
    assert document["systems"][OURS]["questions"] == 4
    assert document["systems"][OURS]["declined"] == 1
    assert document["systems"][PLAIN]["declined"] == 0


def test_a_history_longer_than_the_model_reads_keeps_its_newest_turns(tmp_path: Path) -> None:
    (history,) = read("locomo", written(tmp_path, "l.json", LOCOMO), UTC)
    long = [*history.turns] * 60
    model = Parrot()
    full_context(model, long, "Where?", Instant(0))
    assert model.count_tokens(model.heard[0]) <= model.n_ctx
    assert model.heard[0].count("canoe") >= 1
    assert "pottery" not in "\n".join(model.heard[0].splitlines()[:1])


def test_plain_search_takes_any_question(tmp_path: Path) -> None:
    (history,) = read("locomo", written(tmp_path, "l.json", LOCOMO), UTC)
    plain = PlainSearch(history.turns)
    assert plain.search('AND "NEAR( who?', 5) == [] or plain.search('AND "NEAR( who?', 5)
    assert plain.search("?!", 5) == []
    assert plain.search("canoe", 5)[0].external_id == "D2:1"


# ------------------------------------------------------------------------------------------------------------ a judge


@pytest.mark.parametrize(
    "url", ["http://example.com/v1", "https://127.0.0.1:1/v1", "http://127.0.0.1.evil.org", "ftp://localhost",
            "http://127.0.0.1:PORT"],
)  # fmt: skip
def test_a_judge_elsewhere_is_refused(url: str) -> None:
    with pytest.raises(BadInput, match="not on this machine"):
        by_address(url)


def test_prompts_are_those_of_the_type(tmp_path: Path) -> None:
    first, second = (one.cases[0] for one in read("longmemeval", written(tmp_path, "s.json", LONGMEMEVAL), UTC))
    assert "Is the model response correct?" in prompt(first, "plot 17") and "plot 17" in prompt(first, "x")
    assert "unanswerable question" in prompt(second, "I was never told that.")
    assert verdict("Yes.") and not verdict("no")
    asked = Case("q", "When?", "May", "temporal-reasoning", frozenset(), True, Instant(0))
    assert "off-by-one" in prompt(asked, "May")


def test_a_judge_on_the_loopback_is_asked_and_its_silence_is_one_sentence() -> None:
    heard: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
            body = json.dumps({"choices": [{"message": {"content": "yes"}}]}).encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing on the terminal."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/v1"
    assert by_address(url)("Is it right?") == "yes"
    assert "Is it right?" in heard[0]
    server.shutdown()
    server.server_close()
    with pytest.raises(ModelUnavailable, match="is it running"):
        by_address(url)("Is it right?")


# ---------------------------------------------------------------------------------------------------------- the verb


def test_the_verb_prints_a_table_and_keeps_a_log(tmp_path: Path) -> None:
    path = written(tmp_path, "s.json", LONGMEMEVAL)
    out = tmp_path / "out"
    done = CliRunner().invoke(cli, ["eval", "longmemeval", str(path), "--zone", "UTC", "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert "plain FTS5" in done.output
    lines = [json.loads(line) for line in (out / "questions.jsonl").read_text().splitlines()]
    assert [line["system"] for line in lines] == [OURS, PLAIN, OURS, PLAIN]
    assert lines[0]["ranked"][0] == lines[0]["evidence"][0] == "longmemeval:q0:answer_1"
    assert lines[2]["abstained"]
    shown = CliRunner().invoke(cli, ["eval", "longmemeval", str(path), "--zone", "UTC", "--limit", "1", "--json"])
    assert json.loads(shown.output)["systems"][OURS]["questions"] == 1
