"""Imports run one way, what must start fast imports nothing that is slow, and only the registry lists predicates."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from store.beliefs.predicates import REGISTRY
from store.beliefs.vocabulary import EVENT_VERBS

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
        "import store.memory, store.sleep.cycle, store.maintenance.upkeep, store.beliefs.hand, "
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
    assert len(names) > 50 and not {one for one in loaded if one.partition(".")[0] in ("textual", "rich")}


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


MAY_LIST_PREDICATES = {
    "store/reading/labels.py": "the labels that the reader was trained with, each with its predicate",
    "store/reading/worded.py": "labels of the reader",
    "store/reading/claims.py": "labels of the reader",
    "store/reading/finer.py": "labels of the reader, and what makes each of them finer",
    "store/reading/standing.py": "labels of the reader",
    "store/reading/doubts.py": "labels of the reader",
    "store/reading/slots.py": "what each word of change ends, in the order of the claims",
    "store/recall/answer_values.py": "the order in which one answer tells who somebody is",
}
"""Modules in which a collection of names of predicates says nothing of the predicates as such."""


def collections_of(tree: ast.AST) -> Iterator[list[str]]:
    """The strings of each list, set, tuple and dict, and of what is in it, and the words of each string."""
    for node in ast.walk(tree):
        if isinstance(node, ast.List | ast.Set | ast.Tuple | ast.Dict):
            yield [one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value.split()


def test_only_the_registry_lists_predicates() -> None:
    happened = {pair.split()[0] for pair in EVENT_VERBS.split(",")}  # "ran" is a word before it is a predicate
    names, found = REGISTRY.keys() - happened, set()
    for path in (*(ROOT / "store").rglob("*.py"), *(ROOT / "app").rglob("*.py"), *(ROOT / "widgets").rglob("*.py")):
        if path.name not in ("predicates.py", "vocabulary.py"):
            for words in map(set, collections_of(ast.parse(path.read_text(encoding="utf-8")))):
                if len(words & names) >= 4 and 2 * len(words & names) >= len(words):
                    found.add(str(path.relative_to(ROOT)))
    assert found == set(MAY_LIST_PREDICATES)
