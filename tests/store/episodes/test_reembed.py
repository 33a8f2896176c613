"""At every moment of a change of embedder all vectors are one embedder's, and questions are compared with those."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from safetensors.numpy import load_file, save_file

from app.core.clock import FrozenClock
from store.episodes import index, reembed
from store.episodes.embedding import StaticEmbedder, default_path
from store.memory import Memory
from store.records import Turn
from tests.conftest import NOW, ZONE

TALK = [f"On day {day} the {thing} was {day} years old." for day in range(200) for thing in ("boat", "barn", "oak")]
Open = Callable[..., Memory]


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another model in model2vec's format: the shipped one with half of its dimensions."""
    folder = tmp_path_factory.mktemp("embedder")
    tensors = load_file(default_path() / "model.safetensors")
    tensors["embeddings"] = np.ascontiguousarray(tensors["embeddings"][:, :128])
    save_file(tensors, folder / "model.safetensors")
    for name in ("tokenizer.json", "config.json"):
        (folder / name).write_bytes((default_path() / name).read_bytes())
    return folder


@pytest.fixture
def opened(tmp_path: Path) -> Open:
    def open_one(embedder: Any = None) -> Memory:
        return Memory.open(tmp_path / "m.db", clock=FrozenClock(NOW), zone=ZONE, embedder=embedder)

    with open_one() as memory:
        list(memory.episodes.ingest(Turn(text, "talk") for text in TALK))
    return open_one


def fingerprint(memory: Memory) -> str | None:
    return index.meta(memory._database.reader(), "embedder")


def finds(memory: Memory, query: str) -> set[str]:
    """The channels by which the first hit was found."""
    return {name for name, _ in memory.recall.search(query, k=3).hits[0].channels}


class Counting(StaticEmbedder):
    """Counts the texts that it embeds."""

    texts = 0

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.texts += len(texts)
        return super().embed(texts)


def test_the_old_vectors_answer_and_take_in_turns_until_the_new_are_all_there(opened: Open, other: Path) -> None:
    chosen = StaticEmbedder.load(other)
    with opened(chosen) as memory:
        steps = memory.sleeping.reembed()
        first = next(steps)
        assert (first.phase, first.done, first.total) == ("re-embed", reembed.STEP, len(TALK))
        assert fingerprint(memory) == StaticEmbedder.load().fingerprint
        memory.episodes.remember(Turn("The heron stood in the reeds.", "today"))
        assert "dense" in finds(memory, "heron in the reeds")
        list(steps)
        assert fingerprint(memory) == chosen.fingerprint
        assert index.dimension(memory._database.reader()) == chosen.dimension == 128
        assert "dense" in finds(memory, "heron in the reeds")
        assert all(one.ok for one in memory.file.check())
        assert not list(memory.sleeping.reembed()), "nothing is left to do"
        memory.episodes.remember(Turn("The heron has flown.", "today"))
        assert all(one.ok for one in memory.file.check())


def test_stopped_and_taken_up_again_in_another_process_it_makes_each_vector_once(opened: Open, other: Path) -> None:
    stop, counting = Event(), Counting(other)
    with opened(counting) as memory:
        for _ in memory.sleeping.reembed(stop):
            stop.set()
        assert counting.texts == reembed.STEP
    with opened(counting) as memory:
        list(memory.sleeping.reembed())
        assert counting.texts == len(TALK)
        assert fingerprint(memory) == counting.fingerprint


def test_choosing_a_third_begins_anew_and_the_first_again_ends_the_change(opened: Open, other: Path) -> None:
    with opened(StaticEmbedder.load(other)) as memory:
        next(iter(memory.sleeping.reembed()))
    with opened() as memory:
        assert not list(memory.sleeping.reembed())
        assert fingerprint(memory) == StaticEmbedder.load().fingerprint


def test_an_erase_reaches_what_is_being_prepared(opened: Open, other: Path) -> None:
    with opened(StaticEmbedder.load(other)) as memory:
        steps = memory.sleeping.reembed()
        next(steps)
        memory.erasing.erase(memory.erasing.selection(session="talk"))
        rows = "select count(*) from next_vectors"
        assert memory._database.reader().execute(rows).get == 0
        list(steps)
        assert all(one.ok for one in memory.file.check())


def test_an_open_memory_notices_that_another_has_changed_the_vectors(opened: Open, other: Path) -> None:
    with opened() as bystander, opened(StaticEmbedder.load(other)) as memory:
        assert "dense" in finds(bystander, "the age of the barn")
        list(memory.sleeping.reembed())
        assert "dense" in finds(bystander, "the age of the barn")
        bystander.episodes.remember(Turn("The heron stood in the reeds.", "today"))
        assert all(one.ok for one in bystander.file.check())


def test_without_the_old_embedder_words_answer_until_the_new_vectors_are_there(
    opened: Open, other: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.episodes.embedding.default_path", lambda: other)
    with opened(StaticEmbedder.load(other)) as memory:
        with memory._database.writing() as connection:
            index.note(connection, "embedder path", "/nowhere")
        memory.episodes.remember(Turn("The heron stood in the reeds.", "today"))
        assert "heron" in memory.recall.search("heron in the reeds").hits[0].text
        list(memory.sleeping.reembed())
        assert "dense" in finds(memory, "heron in the reeds")
