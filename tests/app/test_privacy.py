"""What the program writes lies in its own folders: no library that it uses keeps a file, or a report, of its own."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
OURS = ("ERSTWHILE_", "XDG_", "ORT_")
NETWORK = {
    "socket",
    "ssl",
    "http",
    "urllib.request",
    "urllib.error",
    "ftplib",
    "smtplib",
    "requests",
    "httpx",
    "aiohttp",
}
ALLOWED = {
    "app/llm/download.py",  # a model that the person asked for
    "app/evaluation/judging.py",  # the judge whose address `erstwhile eval --judge` is given
}


def test_nothing_is_written_outside_of_the_folders_that_where_names(tmp_path: Path) -> None:
    """onnxruntime gathers events about the machine beside the user's caches, and sends them, unless it is told not to:
    the process is a new one, because it is told so when it is loaded."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    for words in (["remember", "I live in Porto."], ["ask", "Where do I live?", "--no-model"]):
        subprocess.run(
            [sys.executable, "-m", "app", *words], env={**environment, "HOME": str(tmp_path)}, cwd=ROOT, check=True,
            capture_output=True,
        )  # fmt: skip
    written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert written == {".local/share/erstwhile/memory.db"}


_WATCHED = """
import sys
def watch(event, given):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.bind", "urllib.Request"):
        raise SystemExit(f"it reached for the network: {event} {given}")
sys.addaudithook(watch)
from app.__main__ import main
main()
"""


def test_no_verb_reaches_for_the_network(tmp_path: Path) -> None:
    """Python itself tells of each connection, name that is looked up, and port that is opened."""
    note = tmp_path / "2024-03-02.md"
    note.write_text("I live in Porto.", encoding="utf-8")
    for words in (
        ["remember", "I like figs."], ["import", str(note)], ["sleep"], ["ask", "Where do I live?"], ["recall", "figs"],
        ["export", str(tmp_path / "all.jsonl")], ["backup"], ["check"], ["models", "list"], ["mcp"],
    ):  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-c", _WATCHED, *words], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, check=False, env={**os.environ, "ERSTWHILE_HOME": str(tmp_path / "home")},
        )  # fmt: skip
        assert done.returncode == 0, (words, done.stderr)


def imported(path: Path) -> set[str]:
    """The modules that a file names in its imports, each with the packages that it lies in."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{one.name}" for one in node.names)]
        found |= {".".join(name.split(".")[:depth]) for name in names for depth in range(1, name.count(".") + 2)}
    return found


def test_only_the_fetch_of_a_model_opens_a_connection() -> None:
    files = [path for part in ("app", "widgets", "store") for path in (ROOT / part).rglob("*.py")]
    assert {path.relative_to(ROOT).as_posix() for path in files if imported(path) & NETWORK} == ALLOWED


def test_the_app_itself_never_loads_it() -> None:
    """A fetch runs in a process of its own; the app only starts that."""
    names = "app.tui.app, app.tui.start, app.tui.screens.models, app.core.shelf, app.llm.halves, app.llm.catalogue"
    code = f"import sys, {names}; assert not [one for one in sys.modules if one.startswith('app.llm.download')]"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
