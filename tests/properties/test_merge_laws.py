"""Whatever each memory heard, left unread and erased: a merge that reuses comes to what one without reuse comes to."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store.database.rows import rows
from store.records import Turn
from store.sleep.trees import K
from tests.properties.talk import memory_at
from tests.properties.test_forest_laws import assert_sound
from tests.properties.test_sleep_laws import chats
from tests.store.maintenance.test_merge_takeover import leaves, merged, remade, sleep, sound, whole

EXAMPLES = settings(
    max_examples=max(6, int(os.environ.get("ERSTWHILE_EXAMPLES", "150")) // 20), deadline=None,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip


@st.composite
def lives(draw: st.DrawFn) -> tuple[list[list[Turn]], list[Turn], str | None, bool]:
    """The nights of a memory, what it heard since, a conversation that it erased, and whether it keeps units."""
    own = draw(st.sampled_from(("", "", "n")))  # conversations that the other has, or not
    nights = [[replace(one, session=f"{own}{one.session}", external_id=f"{number}{one.external_id}") for one in some]
              for number, some in enumerate(draw(st.lists(chats(8), max_size=2)))]  # fmt: skip
    since = draw(st.one_of(st.just([]), chats(4)))
    erased = draw(st.sampled_from((None, None, *(f"{own}{name}" for name in "abc"))))
    return nights, since, erased, draw(st.booleans())


def live(path: Path, life: tuple[list[list[Turn]], list[Turn], str | None, bool]) -> Path:
    nights, since, erased, tidy = life
    with memory_at(path) as memory:
        for said in nights:
            list(memory.episodes.ingest(said))
            sleep(memory, tidy=tidy)
        list(memory.episodes.ingest(since))
        if erased is not None and memory.erasing.selection(session=erased).episodes:
            memory.erasing.erase(memory.erasing.selection(session=erased))
    return path


@EXAMPLES
@given(lives(), lives())
def test_reuse_changes_nothing(first: tuple[list[list[Turn]], list[Turn], str | None, bool],
                               second: tuple[list[list[Turn]], list[Turn], str | None, bool]) -> None:  # fmt: skip
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        one, other = live(folder / "one.db", first), live(folder / "other.db", second)
        for number, (into, taken, tidy) in enumerate(((one, other, first[3]), (other, one, second[3]))):
            target = folder / f"reused{number}.db"
            reused, anew = merged(into, taken, target, tidy=tidy), remade(into, taken, folder / "anew.db", tidy=tidy)
            (folder / "anew.db").unlink()
            assert leaves(reused) == leaves(anew)
            del reused["trees"], anew["trees"]  # where a node ends depends on the order of arrival
            assert reused == anew
            assert_trees(target)
            assert_twice(into, taken, folder / f"twice{number}.db")


def assert_trees(path: Path) -> None:
    with memory_at(path) as memory:
        reader = memory._database.reader()
        for (tree,) in rows(reader, "select id from forest_trees"):
            placed = rows(reader, "select at, item from forest_nodes where tree = ? and level = 0", (tree,))
            assert_sound(reader, tree, K, placed)


def assert_twice(into: Path, taken: Path, target: Path) -> None:
    shutil.copy(into, target)
    with memory_at(target) as memory:
        memory.file.merge(taken)
        assert sound(memory)
        once = whole(memory)
        memory.file.merge(taken)
        assert whole(memory) == once
