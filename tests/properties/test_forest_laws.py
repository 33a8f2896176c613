"""A tree stays balanced and in order whatever comes and goes, and a refresh does each marked node once."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil, log
from pathlib import Path

import apsw
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store.database.rows import each, rows, scalar
from store.memory import Memory
from store.records import Turn
from store.sleep import forest
from store.sleep.trees import Leaf, Trees
from tests.properties.talk import hear, memory_at, sleep, turns

EXAMPLES = max(10, int(os.environ.get("ERSTWHILE_EXAMPLES", "150")) // 5)
laws = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
times = st.lists(st.integers(0, 400), min_size=1, max_size=60)


@contextmanager
def open_memory() -> Iterator[Memory]:
    with tempfile.TemporaryDirectory() as folder, memory_at(Path(folder) / "m.db") as memory:
        yield memory


def assert_sound(connection: apsw.Connection, tree: int, k: int, keys: list[tuple[int, str]]) -> None:
    """In order, equally deep, no node with more than `k` children, as low as a tree of so many leaves may be."""
    found = rows(connection, "select id, level, parent, at, item, dirty from forest_nodes where tree = ?", (tree,))
    by_id = {row[0]: row for row in found}
    placed = sorted((at, item) for _, level, _, at, item, _ in found if level == 0)
    assert placed == sorted(keys)
    roots = [row for row in found if row[2] is None]
    assert len(roots) == (1 if keys else 0)
    if not keys:
        assert not found and not scalar(connection, "select count(*) from forest_trees where id = ?", (tree,))
        return
    assert all(by_id[row[2]][1] == row[1] + 1 for row in found if row[2] is not None)
    assert max(Counter(row[2] for row in found).values()) <= k
    assert roots[0][1] <= max(1, ceil(log(len(keys), k // 2))) + 1
    assert all(by_id[row[2]][5] for row in found if row[5] and row[2] is not None), "above a mark all is marked"
    for level in range(roots[0][1]):
        walked = [
            row[0]
            for row in each(
                connection,
                "select n.id from forest_nodes n join forest_nodes p on p.id = n.parent where n.tree = ? "
                "and n.level = ? order by p.at, p.place, p.item, n.at, n.place, n.item", (tree, level),
            )
        ]  # fmt: skip
        straight = "select id from forest_nodes where tree = ? and level = ? order by at, place, item"
        assert walked == [row[0] for row in each(connection, straight, (tree, level))]


@laws
@given(st.lists(times, min_size=1, max_size=6), st.sampled_from((4, 8, 12)), st.data())
def test_a_tree_is_balanced_whatever_comes_and_goes(batches: list[list[int]], k: int, data: st.DataObject) -> None:
    with open_memory() as memory, memory._database.writing() as connection:
        trees = Trees(connection, k)
        held: dict[str, int] = {}
        for number, batch in enumerate(batches):
            new = {f"f{number}-{place}": at for place, at in enumerate(batch)}
            tree = trees.tree("entity", "ana")
            trees.insert(tree, [Leaf(at, 0, item, 1) for item, at in new.items()])
            held |= new
            assert_sound(connection, tree, k, [(at, item) for item, at in held.items()])
            for item in data.draw(st.lists(st.sampled_from(sorted(held)), unique=True)):
                trees.remove([scalar(connection, "select id from forest_nodes where level = 0 and item = ?", (item,))])
                del held[item]
            assert_sound(connection, tree, k, [(at, item) for item, at in held.items()])


@laws
@given(st.lists(times, min_size=1, max_size=4), st.sampled_from((4, 12)))
def test_a_refresh_does_each_marked_node_once(batches: list[list[int]], k: int) -> None:
    with open_memory() as memory, memory._database.writing() as connection:
        for number, batch in enumerate(batches):
            trees = Trees(connection, k)
            trees.insert(trees.tree("entity", "ana"),
                         [Leaf(at, 0, f"f{number}-{place}", 1) for place, at in enumerate(batch)])  # fmt: skip
            dirty = {row[0] for row in each(connection, "select id from forest_nodes where dirty = 1")}
            # A split moves a mark together with what it marks; no node is counted twice.
            assert trees.cost.marked == len(dirty)
            refreshed = []
            while some := forest.refresh_some(connection, 3):
                refreshed += some
            assert len(refreshed) == len(set(refreshed)) and set(refreshed) == dirty
        total = sum(map(len, batches))
        root = "select leaves, until from forest_nodes where parent is null and level > 0"
        assert rows(connection, root) == [(total, max(at for batch in batches for at in batch))]


@laws
@given(st.integers(50, 3_000), st.sampled_from((8, 12, 16)))
def test_the_cost_of_an_insert_grows_with_the_height(count: int, k: int) -> None:
    with open_memory() as memory, memory._database.writing() as connection:
        trees = Trees(connection, k)
        tree = trees.tree("entity", "ana")
        trees.insert(tree, [Leaf(at * 2, 0, f"f{at}", 1) for at in range(count)])
        while forest.refresh_some(connection, 100):
            pass
        height = scalar(connection, "select max(level) from forest_nodes")
        for at in (-1, count | 1, 2 * count + 1):
            one = Trees(connection, k)
            one.insert(tree, [Leaf(at, 0, f"late{at}", 1)])
            assert one.cost.looked <= 8 * height + 8 and one.cost.marked <= 2 * height + 2
            while forest.refresh_some(connection, 100):
                pass


def contents(memory: Memory) -> object:
    """Which evidence stands in which tree, in which order."""
    return [
        (family, scope, [
            row[0] for row in each(
                memory._database.reader(),
                "select case when typeof(n.item) = 'text' then n.item else e.id end from forest_nodes n "
                "left join episodes e on e.row = n.item where n.tree = ? and n.level = 0 order by n.at, n.place, 1",
                (tree,),
            )
        ])
        for tree, family, scope in each(
            memory._database.reader(),
            "select t.id, t.family, case t.family when 'session' then s.key else t.scope end "
            "from forest_trees t left join sessions s on t.family = 'session' and s.id = t.scope order by 2, 3",
        )
    ]  # fmt: skip


def build(memory: Memory) -> None:
    with memory._database.writing() as connection:
        for _ in forest.rebuild(connection):
            pass


@laws
@given(turns(), st.randoms(use_true_random=False))
def test_any_order_of_arrival_and_a_rebuild_give_the_same_trees(said: list[Turn], random: object) -> None:
    with open_memory() as one, open_memory() as other:
        hear(one, said)
        build(one)
        shuffled = list(said)
        random.shuffle(shuffled)  # type: ignore[attr-defined] # hypothesis types its Random as an object here
        for turn in shuffled:
            hear(other, [turn])
            build(other)
        assert contents(one) == contents(other)
        for _ in other.file.rebuild():
            pass
        assert contents(one) == contents(other)
        assert not forest.marked(other._database.reader())


@laws
@given(turns(), st.data())
def test_an_erased_turn_leaves_the_trees_of_a_memory_that_never_heard_it(said: list[Turn], data: st.DataObject) -> None:
    gone = data.draw(st.sampled_from(said))
    with open_memory() as one, open_memory() as other:
        hear(one, said)
        build(one)
        one.erasing.erase(one.erasing.selection(session=gone.session))
        assert [finding.name for finding in one.file.check() if not finding.ok] == []
        assert not forest.marked(one._database.reader())
        sleep(one)
        build(one)
        hear(other, [turn for turn in said if turn.session != gone.session])
        build(other)
        assert contents(one) == contents(other)
        rows_left = {row[0] for row in each(one._database.reader(), "select row from episodes")}
        spoken = {row[0] for row in each(one._database.reader(), "select episode_row from forest_gists")}
        assert spoken <= rows_left
