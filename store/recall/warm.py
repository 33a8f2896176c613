"""What is warmed is only what the first questions would load, learn or compile themselves: no hit is another for it.

A process that has just opened a memory has not yet read its vectors, the embedder, the grammar of times and SQLite's
plans, and knows no word. Whoever opens a memory to be asked many questions does this once, while nobody waits.
"""

from __future__ import annotations

from datetime import tzinfo
from typing import TYPE_CHECKING

from store.recall import search, soft
from store.recall.scope import Scope
from store.recall.surroundings import texts_of

if TYPE_CHECKING:
    import apsw

    from store.protocols import Embedder

LEARNED = 10_000
"""Turns whose words are learned, spread over the whole memory: their words make up most of what people ask about."""
CHARACTERS = 400
"""Of each."""
QUESTIONS = ("When did we meet last Friday?", "What about the 3rd of March 2021?", "How many weeks ago was that?")
"""Asked for the way to the answer alone: the answer is thrown away."""


def warm(connection: apsw.Connection, *, embedder: Embedder, now: int, zone: tzinfo) -> None:
    """Load, learn and compile what recall needs. Takes about as long as the first question would, and a little more."""
    for question in QUESTIONS:
        search.recall(connection, question, embedder=embedder, now=now, zone=zone)
    newest: int = connection.execute("select coalesce(max(row), 0) from episodes").get
    rows = range(newest, 0, -max(newest // LEARNED, 1))
    soft.learn([text[:CHARACTERS].rpartition(" ")[0] for text in texts_of(connection, rows, Scope())], embedder)
