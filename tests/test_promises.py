"""A promise without a test is a wish: each row of store/PROMISES.md names tests, and each of them exists."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "store" / "PROMISES.md").read_text(encoding="utf-8")
ROWS = [
    (promise.strip(), tests.strip())
    for promise, tests in re.findall(r"(?m)^\| (.+?) \|(.*)\|$", PAGE)
    if promise.strip() not in ("promise", "---") and not promise.startswith(("**", "---"))
]
NAMED = sorted({name for _, tests in ROWS for name in re.findall(r"`([^`]+)`", tests)})


@cache
def names_in(path: Path) -> frozenset[str]:
    """The names of the tests of a module."""
    found = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    functions = (one.name for one in found if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))
    return frozenset(name for name in functions if name.startswith("test_"))


def test_the_table_is_read() -> None:
    assert len(ROWS) > 40 and "## Not promised" in PAGE


@pytest.mark.parametrize(("promise", "tests"), ROWS)
def test_no_promise_is_without_a_test(promise: str, tests: str) -> None:
    assert re.fullmatch(r"(?:`tests/[^`]+`\s*)+", tests), promise


@pytest.mark.parametrize("name", NAMED)
def test_each_test_that_is_named_exists(name: str) -> None:
    path, _, test = name.partition("::")
    assert (ROOT / path).is_file()
    assert test in names_in(ROOT / path) if test else names_in(ROOT / path)
