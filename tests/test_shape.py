"""Code stays small enough to be read: the bars of the best codebases of this field, held by a test."""

from __future__ import annotations

import ast
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PRODUCT = sorted(path for part in ("app", "widgets", "store") for path in (ROOT / part).rglob("*.py"))
ALL = [*PRODUCT, *sorted((ROOT / "tests").rglob("*.py"))]
FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """(name, lines) of every function, its docstring and decorators left out."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, FUNCTION):
            body = node.body[1:] if ast.get_docstring(node) and len(node.body) > 1 else node.body
            yield f"{path.relative_to(ROOT)}:{node.name}", (body[-1].end_lineno or 0) - body[0].lineno + 1


@pytest.mark.parametrize("path", ALL, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_opens_with_a_docstring(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_functions_are_short() -> None:
    lengths = [length for path in PRODUCT for _, length in functions(path)]
    long = [(name, length) for path in PRODUCT for name, length in functions(path) if length > 50]
    assert not long
    assert statistics.median(lengths) <= 8
    assert statistics.quantiles(lengths, n=10)[8] <= 25


def test_the_top_level_is_the_fixed_one() -> None:
    allowed = {
        "pyproject.toml", "README.md", "app", "widgets", "store", "tests", "screenshots", "models", "LICENSE",
        "Makefile", "CHANGELOG.md", "requirements.lock", "requirements-dev.lock",
        "requirements-encryption.lock", "build", "dist", "erstwhile.egg-info",
        "snapshot_report.html",
    }  # fmt: skip
    found = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert found - allowed == set()


def test_nothing_in_the_product_waits_to_be_written() -> None:
    for path in PRODUCT:
        text = path.read_text(encoding="utf-8")
        for word in ("raise NotImplemented" + "Error", "TO" + "DO", "FIX" + "ME"):
            assert word not in text, path
