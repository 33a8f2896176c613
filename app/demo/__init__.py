"""The demo memory is written for this project and about nobody: one invented year of chats, read and never changed.

`year.jsonl` holds the turns in the form that `erstwhile import` reads; tests/bench/make_demo.py makes it.
"""

from __future__ import annotations

from pathlib import Path


def turns_path() -> Path:
    """Where the demo's turns are: JSON lines, UTF-8, a turn a line, oldest first."""
    return Path(__file__).with_name("year.jsonl")
