"""Tier 2 is quick: milliseconds over thousands of beliefs, and no numerical library is imported for it."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from store.records import Entity
from tests.store.recall.remembered import Remembered, ask, fact

ROOT = Path(__file__).parents[3]


def _large() -> Remembered:
    facts = [fact("me", f"{noun}_{at}", f"value {at}") for at in range(400) for noun in ("locker", "shelf", "code")]
    facts += [fact("me", "likes", f"song number {at}") for at in range(1500)]
    facts += [fact(f"Friend{at}", "lives_in", f"Town{at}") for at in range(800)]
    facts += [fact("me", "lives_in", "Lisbon", "2023-06"), fact("me", "job", "carpenter")]
    people = [Entity("me", "me", "person")] + [
        Entity(f"e{at}", f"Friend{at}", "person", (f"friend{at}",)) for at in range(800)
    ]
    return Remembered(facts, people)


def test_milliseconds_over_thousands_of_beliefs() -> None:
    memory = _large()
    questions = [
        "Where do I live?",
        "What is my job?",
        "Where does Friend77 live?",
        "Do I like jazz?",
        "What is my shoe size?",
    ]
    for question in questions:
        ask(memory, question)
    spent = []
    for question in questions * 3:
        began = time.perf_counter()
        ask(memory, question)
        spent.append(time.perf_counter() - began)
    assert sorted(spent)[len(spent) // 2] < 0.05, spent


def test_imports_no_numerical_library() -> None:
    code = (
        "import sys, store.recall.answers as a; print([m for m in ('numpy', 'model2vec', 'apsw') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
