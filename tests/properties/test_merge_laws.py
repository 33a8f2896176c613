"""Whatever each memory heard, left unread and erased: merged in either order it is the same, twice as once."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store.beliefs import hand
from store.database.rows import rows
from store.memory import Memory
from store.records import Turn
from store.sleep import gists
from tests.properties.talk import memory_at, sleep
from tests.properties.test_sleep_laws import chats

EXAMPLES = settings(
    max_examples=max(6, int(os.environ.get("ERSTWHILE_EXAMPLES", "150")) // 20), deadline=None,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
Life = tuple[list[list[Turn]], list[Turn], str | None]
"""The nights of a memory, what it heard since, and a conversation that it erased."""


@st.composite
def lives(draw: st.DrawFn) -> Life:
    own = draw(st.sampled_from(("", "", "n")))  # conversations that the other has, or not
    nights = [[replace(one, session=f"{own}{one.session}", external_id=f"{number}{one.external_id}") for one in some]
              for number, some in enumerate(draw(st.lists(chats(8), max_size=2)))]  # fmt: skip
    since = draw(st.one_of(st.just([]), chats(4)))
    return nights, since, draw(st.sampled_from((None, None, *(f"{own}{name}" for name in "abc"))))


def live(path: Path, life: Life) -> Path:
    nights, since, erased = life
    with memory_at(path) as memory:
        for said in nights:
            list(memory.episodes.ingest(said))
            sleep(memory)
        list(memory.episodes.ingest(since))
        if erased is not None and memory.erasing.selection(session=erased).episodes:
            memory.erasing.erase(memory.erasing.selection(session=erased))
    return path


def whole(memory: Memory) -> dict[str, object]:
    """What is believed, read and found, with ids of turns for rows."""
    reader = memory._database.reader()
    sentences = "select e.id, g.spans from gists g join episodes e on e.row = g.episode_row order by 1"
    return {
        "state": hand.state_hash(reader),
        "standings": rows(reader, "select * from salience order by 1"),
        "readings": rows(
            reader, "select e.id, extractor from readings join episodes e on e.row = episode_row order by 1"
        ),
        "words": rows(reader, "select e.id, words from episode_terms t join episodes e on e.row = t.rowid order by 1"),
        "sentences": rows(reader, sentences),
    }


@EXAMPLES
@given(lives(), lives())
def test_either_order_comes_to_the_same_and_twice_to_no_more(first: Life, second: Life) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        one, other = live(folder / "one.db", first), live(folder / "other.db", second)
        came = []
        for number, (into, taken) in enumerate(((one, other), (other, one))):
            target = folder / f"merged{number}.db"
            shutil.copy(into, target)
            with memory_at(target) as memory:
                memory.file.merge(taken)
                assert_whole(memory)
                once = whole(memory)
                memory.file.merge(taken)
                assert whole(memory) == once
                sleep(memory)
                assert_whole(memory)
                assert not gists.waiting(memory._database.reader())
                came.append(whole(memory))
        assert came[0] == came[1]


def assert_whole(memory: Memory) -> None:
    assert [one for one in memory.file.check() if not one.ok] == []
