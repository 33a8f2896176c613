"""Tier 2 needs no numerical library, so that a question on the command line waits for none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_imports_no_numerical_library() -> None:
    code = "import sys, store.recall.answers as a; print([m for m in ('numpy', 'model2vec') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
