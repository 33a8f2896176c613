"""Imports run one way, and what must start fast imports nothing that is slow: looked at in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def modules_after(code: str) -> set[str]:
    """The top-level and dotted names that are imported once `code` has run."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys, json; print(json.dumps(sorted(sys.modules)))"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_the_engine_imports_no_terminal_no_model_no_network_and_no_second_sqlite() -> None:
    loaded = modules_after(
        "import store.memory, store.sleep.cycle, store.sleep.tidy, store.maintenance.upkeep, store.beliefs.hand, "
        "store.maintenance.erase, store.recall.search, store.recall.answers, store.reading.extract"
    )
    assert not loaded & {"textual", "rich", "llama_cpp", "socket", "sqlite3", "click", "app", "widgets"}


def test_widgets_import_of_the_store_only_its_records_and_what_is_true_of_a_predicate() -> None:
    names = ", ".join(f"widgets.{path.stem}" for path in (ROOT / "widgets").glob("*.py") if path.stem != "__init__")
    loaded = modules_after(f"import {names}")
    data = {"store.records", "store.beliefs", "store.beliefs.predicates", "store.beliefs.vocabulary"}
    assert {name for name in loaded if name.startswith("store.")} == data
    assert not loaded & {"app", "apsw", "llama_cpp", "sqlite3"}


def test_only_the_screens_and_the_widgets_import_a_terminal() -> None:
    rooms = ("cli", "core", "demo", "evaluation", "llm")
    files = [path for room in rooms for path in (ROOT / "app" / room).rglob("*.py")]
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in files]
    loaded = modules_after(f"import {', '.join([*names, 'app.faults', 'app.mcp', 'app.paths'])}")
    assert len(names) > 80 and not {one for one in loaded if one.partition(".")[0] in ("textual", "rich")}


def test_help_imports_nothing_slow() -> None:
    loaded = modules_after(
        "import sys; sys.argv = ['erstwhile', '--help']\n"
        "from app.cli.session import run; from app.cli.commands import cli; assert run(cli, ['--help']) == 0"
    )
    assert not loaded & {"textual", "llama_cpp", "sqlite_utils", "numpy", "apsw", "dateparser", "store.memory"}


def test_facts_import_nothing_slow(tmp_path: Path) -> None:
    db = str(tmp_path / "m.db")
    loaded = modules_after(
        f"from app.cli.session import run; from app.cli.commands import cli\n"
        f"assert run(cli, ['remember', 'I live in Porto.', '--db', {db!r}]) == 0"
    )
    assert "textual" not in loaded
    loaded = modules_after(
        "from app.cli.session import run; from app.cli.commands import cli\n"
        f"assert run(cli, ['facts', '--json', '--db', {db!r}]) == 0"
    )
    assert not loaded & {"textual", "llama_cpp", "sqlite_utils", "numpy", "dateparser", "model2vec"}


def test_every_verb_is_where_the_table_says_with_help_of_its_own() -> None:
    from app.cli.commands import VERBS, cli

    for name in VERBS:
        command = cli.get_command(None, name)  # type: ignore[arg-type] # the context is not used
        assert command is not None and command.name == name
        assert command.help
