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
