"""A diary's entries are the stretches of the person's own calendar in which something was said."""

from __future__ import annotations

from datetime import datetime
from typing import get_args

from store.memory import Memory
from store.records import Instant, Stretch, Turn
from store.sleep.summaries import Entry, Grain
from tests.conftest import ZONE


def at(text: str) -> Instant:
    return Instant.of(datetime.fromisoformat(text).replace(tzinfo=ZONE))


def heard(memory: Memory, *moments: str) -> None:
    list(memory.episodes.ingest(Turn(f"I like figs, said {moment}.", "s", said_at=at(moment)) for moment in moments))


def spans(found: list[Entry]) -> list[tuple[str, str, int]]:
    return [(f"{one.start.local():%Y-%m-%d}", f"{one.end.local():%Y-%m-%d}", one.turns) for one in found]


def test_stretches_without_a_word_are_left_out(memory: Memory) -> None:
    assert [memory.overview.diary(grain) for grain in get_args(Grain)] == [[], [], []]
    heard(memory, "2024-02-29 23:59", "2024-03-01 00:00", "2024-03-03 12:00", "2024-05-06 08:00")
    assert spans(memory.overview.diary("day")) == [
        ("2024-05-06", "2024-05-07", 1), ("2024-03-03", "2024-03-04", 1), ("2024-03-01", "2024-03-02", 1),
        ("2024-02-29", "2024-03-01", 1),
    ]  # fmt: skip
    assert spans(memory.overview.diary("week")) == [("2024-05-06", "2024-05-13", 1), ("2024-02-26", "2024-03-04", 3)]
    assert spans(memory.overview.diary()) == [
        ("2024-05-01", "2024-06-01", 1), ("2024-03-01", "2024-04-01", 2), ("2024-02-01", "2024-03-01", 1),
    ]  # fmt: skip


def test_each_entry_can_be_summed_up_and_counts_what_is_summed_up(memory: Memory) -> None:
    heard(memory, "2024-02-29 23:59", "2024-03-01 00:00", "2024-05-06 08:00")
    memory.by_hand.correct("me", "lives_in", "Porto")
    list(memory.episodes.ingest([Turn("My password is Hunter2xx!", "s", said_at=at("2024-07-01 08:00"))]))
    for grain in get_args(Grain):
        for entry in memory.overview.diary(grain):
            summary = memory.overview.summary(grain, within=Stretch(entry.start.us, entry.start.us + 1))
            assert (summary.start, summary.end, summary.turns) == (entry.start, entry.end, entry.turns)
            assert summary.sentences
    assert [one.start.local().month for one in memory.overview.diary()] == [5, 3, 2]
