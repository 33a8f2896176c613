"""What the program writes lies in its own folders: no library that it uses keeps a file, or a report, of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
OURS = ("ERSTWHILE_", "XDG_", "ORT_")


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
from app.cli import main
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
