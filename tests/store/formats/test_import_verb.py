"""The verb and the engine agree: what is imported is kept once, is learned from, and is found again."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from app.cli.commands import cli
from app.cli.session import run
from app.cli.verbs.writing import FORMAT_CHOICES
from store.formats import catalogue
from store.memory import Memory
from tests.store.formats.importing import taken, written
from tests.store.formats.test_import_chatgpt import BRANCHED
from tests.store.formats.test_import_claude import conversation, message

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def erstwhile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """erstwhile("import", ...) runs the program in this process; gives (exit code, output, errors)."""

    def call(*arguments: str | Path) -> tuple[int, str, str]:
        code = run(cli, [*map(str, arguments), "--db", str(tmp_path / "m.db"), "--zone", "Europe/Lisbon"])
        out, errors = capsys.readouterr()
        return code, out, errors

    return call


def test_the_verb_knows_every_format() -> None:
    assert set(FORMAT_CHOICES) == {"auto", *catalogue.FORMATS}


def test_a_dry_run_says_what_would_come_and_leaves_no_file(erstwhile: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "x.json", [BRANCHED, BRANCHED | {"conversation_id": "c2", "is_do_not_remember": True}])
    code, out, errors = erstwhile("import", path, "--dry-run", "--json")
    found = json.loads(out)
    assert code == 0 and not (tmp_path / "m.db").exists()
    assert (found["formats"], found["conversations"], found["messages"], found["branches"]) == (["chatgpt"], 1, 5, 1)
    assert found["first"] == "2023-11-14T22:13:21+00:00" and len(found["skipped"]) == 1
    assert "not to be remembered" in errors
    assert "5 messages in 1 conversations" in erstwhile("import", path, "--dry-run")[1]
    assert erstwhile("import", path, "--unremembered", "--dry-run")[1].startswith("chatgpt: 10 messages in 2")


def test_a_folder_of_exports_is_imported_once_and_teaches(erstwhile: Any, tmp_path: Path) -> None:
    folder = tmp_path / "exports"
    folder.mkdir()
    written(folder / "gpt.json", [BRANCHED])
    with ZipFile(folder / "claude.zip", "w") as archive:
        told = conversation(message("h1", "human", "My sister Ana lives in Braga.", "10:00:01"))
        archive.writestr("conversations.json", json.dumps([told]))
    (folder / "picture.png").write_bytes(b"\x89PNG\x00")
    code, out, _ = erstwhile("import", folder, "--json")
    document = json.loads(out)
    assert (code, document["new"], document["seen"]) == (0, 6, 0) and document["formats"] == ["chatgpt", "claude"]
    assert json.loads(erstwhile("import", folder, "--json")[1])["new"] == 0
    assert erstwhile("sleep", "--no-model")[0] == 0
    facts = json.loads(erstwhile("facts", "--json")[1])["facts"]
    assert {("me", "lives_in", "Porto"), ("Ana", "lives_in", "Braga"), ("me", "works_at", "Acme")} <= {
        (fact["subject"], fact["predicate"], fact["object"]) for fact in facts
    }
    hits = json.loads(erstwhile("recall", "Where does Ana live?", "--json")[1])["hits"]
    assert hits[0]["external_id"] == "h1" and hits[0]["session"] == "claude:k1"
    assert not any("Old answer" in hit["text"] for hit in hits)


def test_what_is_wrong_is_said_in_a_sentence_and_makes_no_file(erstwhile: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "x.json", {"some": "thing"})
    for arguments in (("import", path), ("import", tmp_path / "none"), ("import", path, "--format", "chatgpt"),
                      ("import", path, "--format", "llm")):  # fmt: skip
        code, _, errors = erstwhile(*arguments)
        assert code == 2 and errors.splitlines()[-1].startswith("erstwhile: ") and "Traceback" not in errors
    assert not (tmp_path / "m.db").exists()


def test_importing_in_another_order_teaches_the_same(memory: Memory, tmp_path: Path) -> None:
    turns, _ = taken(written(tmp_path / "x.json", [BRANCHED]))
    list(memory.episodes.ingest(reversed(turns)))
    list(memory.episodes.ingest(turns))
    order = [episode.external_id for episode in memory.episodes.of("chatgpt:c1")]
    assert order == ["u1", "a1", "a2", "u2", "a3"] and memory.sessions.all()[0].title == "Moving"


def test_reading_json_imports_no_second_sqlite(tmp_path: Path) -> None:
    path = written(tmp_path / "x.json", [BRANCHED])
    code = (
        "import sys; from pathlib import Path; from datetime import UTC\n"
        "from store.formats.catalogue import detect, read; from store.formats.report import *\n"
        f"path = Path({str(path)!r}); assert len(list(read((path, detect(path)), Options(UTC), Report()))) == 5\n"
        "print(*{'sqlite3', 'sqlite_utils', 'numpy', 'apsw', 'click'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_times_that_are_not_a_messages_own_are_counted_and_so_are_messages_not_chats(
    erstwhile: Any, tmp_path: Path
) -> None:
    lines = [
        {"session": "a", "text": "I live in Porto.", "said_at": "2025-01-05T10:00:00+00:00"},
        {"session": "a", "text": "I work at the library."},
        {"session": "b", "text": "Nobody knows when."},
    ]
    (tmp_path / "t.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    told = json.loads(erstwhile("import", tmp_path / "t.jsonl", "--json")[1])
    assert (told["messages"], told["untimed"], sum(told["skipped_by_reason"].values())) == (2, 1, 1)
    _, said, errors = erstwhile("import", tmp_path / "t.jsonl", "--dry-run")
    assert "passed over: 1 message." in said
    assert "1 message has no time of its own" in errors
    node = {"parent": None, "message": {"author": {"role": "user"}, "content": {"parts": ["I live in Porto."]}}}
    chat = {"is_do_not_remember": True, "create_time": 1.7e9, "mapping": {"a": node, "b": {**node, "parent": "a"}}}
    (tmp_path / "conversations.json").write_text(json.dumps([chat]))
    hidden = json.loads(erstwhile("import", tmp_path / "conversations.json", "--dry-run", "--json")[1])
    assert hidden["skipped_by_reason"] == {"it is marked as not to be remembered.": 2}
