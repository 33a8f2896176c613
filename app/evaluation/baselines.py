"""A baseline is given the same history and the same questions, and what it does is what anybody would do first.

plain FTS5      SQLite's full text with its porter stems, an OR of the question's words; its answer is its best turn
full context    the whole history before a model, newest turns kept where it is too long for it
"""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from app.core.prompts import MemoryLine, build
from store.episodes.terms import STOPWORDS
from store.protocols import LanguageModel, Message
from store.records import Instant, Turn

ROOM = 256  # tokens for the reply
SYSTEM = (
    "You answer questions about a conversation. Answer in a few words, from the conversation only."
    " If it does not say, answer: not mentioned."
)
_ROUGHLY = 4  # characters of a token, to begin the search for what fits


class PlainSearch:
    """One history in FTS5, without anything of ours."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._turns = turns
        self._connection = apsw.Connection(":memory:")
        self._connection.execute("create virtual table said using fts5(text, tokenize='porter unicode61')")
        rows = [(place, f"{turn.speaker}: {turn.text}") for place, turn in enumerate(turns, 1)]
        self._connection.executemany("insert into said(rowid, text) values (?, ?)", rows)

    def search(self, question: str, k: int) -> list[Turn]:
        """The `k` turns that match best, best first."""
        words = ["".join(c for c in word if c.isalnum()) for word in question.split()]
        asked = [word for word in words if word and word.lower() not in STOPWORDS] or [word for word in words if word]
        if not asked:
            return []
        match = " OR ".join(f'"{word}"' for word in asked)
        sql = "select rowid from said where said match ? order by rank limit ?"
        return [self._turns[row - 1] for (row,) in self._connection.execute(sql, (match, k))]


def full_context(model: LanguageModel, turns: Sequence[Turn], question: str, asked_at: Instant) -> str:
    """A model's answer with as much of the history before it as fits, the newest. Raises ModelError."""
    lines = [_line(turn) for turn in turns]
    room = int(getattr(model, "n_ctx", 4096)) - ROOM - model.count_tokens(SYSTEM + question) - 64
    kept = _newest(lines, model, room)
    text = "\n".join([*lines[len(lines) - kept :], "", f"Today is {asked_at.iso()[:10]}. {question}"])
    return reply(model, [Message("system", SYSTEM), Message("user", text)])


def over_memory(model: LanguageModel, notes: Sequence[MemoryLine], question: str, asked_at: Instant) -> str:
    """A model's answer with what the memory assembled for the question. Raises ModelError."""
    prompt = build(
        [Message("user", question)],
        notes,
        count=model.count_tokens,
        budget=int(getattr(model, "n_ctx", 4096)) - ROOM,
        today=asked_at.iso()[:10],
        system=SYSTEM,
    )
    return reply(model, prompt.messages)


def reply(model: LanguageModel, messages: Sequence[Message]) -> str:
    """The whole reply. Raises ModelError."""
    return "".join(model.chat(messages, max_tokens=ROOM)).strip()


def _line(turn: Turn) -> str:
    said = turn.said_at.iso()[:10] if turn.said_at else ""
    return f"[{said}] {turn.speaker}: {turn.text}"


def _newest(lines: Sequence[str], model: LanguageModel, room: int) -> int:
    """How many of the last lines fit, by the model's own tokenizer."""
    kept, size = 0, 0
    while kept < len(lines) and size + len(lines[-kept - 1]) < room * _ROUGHLY:
        size += len(lines[-kept - 1]) + 1
        kept += 1
    while kept and model.count_tokens("\n".join(lines[len(lines) - kept :])) > room:
        kept = kept * 9 // 10
    return kept
