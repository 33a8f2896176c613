"""Whatever was told, asked and answered, and in whatever order: what is erased is in no reply, and in no byte."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from threading import Event

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.core.turn import Request, take_turn
from store.records import Turn
from tests.properties.talk import memory_at
from tests.store.maintenance.test_erase import bytes_of

EXAMPLES = settings(
    max_examples=max(5, int(os.environ.get("ERSTWHILE_EXAMPLES", "150")) // 15), deadline=None,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
TOLD = (
    ("zqxhoorn", "I live in Zqxhoorn."), ("zqxmill", "I used to live in Zqxmill until 2019."),
    ("zqxpetra", "My sister is called Zqxpetra."), ("zqxbakery", "My sister works at the Zqxbakery."),
    ("zqxferret", "I bought a zqxferret in May."), ("zqxlupin", "I'm allergic to zqxlupin."),
    ("zqxhoorn", "The flat in Zqxhoorn costs 900 euros."), ("zqxoboe", "Actually I sold the zqxoboe yesterday."),
)  # fmt: skip
"""What is told, and the word that nothing else but the same word's other turns holds."""
ASKED = (
    "Where do I live?", "Where did I live before?", "Who is my sister?", "Where does my sister work?",
    "What did I buy in May?", "What am I allergic to?", "How much is the flat?", "What did I sell?",
    "What do you know about my sister?",
)  # fmt: skip


@EXAMPLES
@given(st.lists(st.sampled_from((*range(len(TOLD)), *ASKED)), min_size=4, max_size=14),
       st.sets(st.sampled_from(range(len(TOLD))), min_size=1))  # fmt: skip
def test_what_is_erased_is_in_no_reply(acts: list[int | str], gone: set[int]) -> None:
    with tempfile.TemporaryDirectory() as name, memory_at(Path(name) / "m.db") as memory:
        told: dict[int, list[str]] = {}
        for number, act in enumerate(acts):
            text = act if isinstance(act, str) else TOLD[act][1]
            list(take_turn(memory, None, Request(Turn(text, f"chat {number // 4}")), Event()))
            if isinstance(act, int):
                said = [one for one in memory.episodes.page(f"chat {number // 4}", 0, 20) if one.role == "user"]
                told.setdefault(act, []).append(said[-1].id)
        for act in gone & told.keys():
            for turn in told[act]:
                memory.erasing.erase(memory.erasing.selection(episode=turn))
        kept = {TOLD[act][0] for act in told.keys() - gone}
        left = bytes_of(memory)
        assert [word for act in gone if (word := TOLD[act][0]) not in kept and word.encode() in left] == []
        turns = {one.id for session in memory.sessions.all() for one in memory.episodes.page(session.key, 0, 40)}
        assert all(source.episode in turns for session in memory.sessions.all()
                   for one in memory.episodes.page(session.key, 0, 40) for source in one.sources)  # fmt: skip
        assert all(finding.ok for finding in memory.file.check())
