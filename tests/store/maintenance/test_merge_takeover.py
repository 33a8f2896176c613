"""A merge that reuses what the other memory's sleep made comes to exactly what one that reuses nothing comes to."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import apsw
import pytest

from app.core.clock import FrozenClock
from store.beliefs import hand
from store.database.rows import each, rows
from store.episodes import index
from store.maintenance import takeover
from store.memory import Memory
from store.records import Instant, Turn
from store.sleep import forest, placement, undoing
from store.sleep.describe import Describer
from tests.conftest import NOW, ZONE
from tests.properties.talk import START, state

DAY = 86_400_000_000
SAID = (
    "I live in Porto.", "I moved to Lisbon in January.", "My brother Paul lives in Berlin.", "I like figs.",
    "How do I make a good tomato soup with basil?", "Paul moved to Braga last month.", "I work at Acme.",
    "The soup with basil was for {who} and everybody had two bowls. By the way, the printer of the office in Berlin "
    "needs toner and a driver for the laptops of the sales team.", "{who} has a dog called Rex.",
    "{who} likes climbing.",
)  # fmt: skip
REPLIES = ("Noted.", "Good to know!", "Soup needs time.\n\nToner is cheaper in bulk.")


def talk(session: str, day: int, who: str, count: int = 10) -> list[Turn]:
    """A conversation in which somebody of their own is spoken of."""
    said = []
    for place in range(count):
        at = START + day * DAY + place * 40_000_000
        words = SAID[place % len(SAID)].format(who=who)
        said.append(Turn(words, session, said_at=Instant(at, 3600), external_id=f"{session}{place}", place=2 * place))
        reply = REPLIES[place % len(REPLIES)]
        said.append(Turn(reply, session, "assistant", "assistant", said_at=Instant(at + 9_000_000, 3600),
                         external_id=f"{session}{place}r", place=2 * place + 1))  # fmt: skip
    return said


BOTH = talk("both", 40, "Rosa", 4)
MINE = [*talk("a", 1, "Ana"), *talk("b", 33, "Bruno", 20), *BOTH[:4]]
THEIRS = [*talk("x", 2, "Xavier"), *BOTH, *talk("y", 120, "Yara", 20), *talk("z", 160, "Zeno", 3)]


def open_at(path: Path) -> Memory:
    return Memory.open(path, clock=FrozenClock(NOW), zone=ZONE)


def sleep(memory: Memory, *, tidy: bool) -> None:
    for _ in memory.sleeping.run(tidy=tidy):
        pass


def made(path: Path, said: Sequence[Turn], *, tidy: bool | None) -> Path:
    """A memory that heard these, and slept on them unless `tidy` is None."""
    with open_at(path) as memory:
        list(memory.episodes.ingest(said))
        if tidy is not None:
            sleep(memory, tidy=tidy)
    return path


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Two memories: neither slept ("u"), both slept ("s"), both slept and keep units ("t")."""
    folder = tmp_path_factory.mktemp("memories")
    return {
        f"{name}-{kind}": made(folder / f"{name}-{kind}.db", said, tidy=tidy)
        for name, said in (("mine", MINE), ("theirs", THEIRS))
        for kind, tidy in (("u", None), ("s", False), ("t", True))
    }


def whole(memory: Memory) -> dict[str, Any]:
    """All that is derived, with names for numbers: what two memories that hold the same have in common."""
    reader = memory._database.reader()
    names: dict[int, str] = dict(rows(reader, "select row, id from episodes"))

    def named(sql: str) -> list[Any]:
        return sorted((names[row], *rest) for row, *rest in each(reader, sql))

    return {
        "state": memory.state_hash(),
        "facts": hand.state_hash(reader),
        "standings": rows(reader, "select * from salience order by 1"),
        "readings": named("select episode_row, extractor from readings"),
        "gists": named("select * from forest_gists"),
        "terms": named("select rowid, words, days, marks from episode_terms"),
        "vectors": named("select row, hex(vector), said_at, hidden from episode_vectors") if names else [],
        "loose": named("select episode_row from loose"),
        "trees": trees(reader, names),
        "units": units(reader, names),
        "spans": named("select episode_row, unit_id, place, start, end from unit_spans"),
        "keywords": rows(reader, "select * from unit_keywords order by 1, 2, 3"),
        "links": rows(reader, "select * from unit_links order by 1, 2, 3"),
    }


def trees(reader: apsw.Connection, names: dict[int, str]) -> dict[tuple[str, str], Any]:
    """Every tree, node by node."""
    keys = {str(number): key for number, key in each(reader, "select id, key from sessions")}
    found = {}
    for tree, family, scope in rows(reader, "select id, family, scope from forest_trees"):
        nodes = each(
            reader,
            "select level, at, place, item, episode_row, leaves, until, dirty, spans, hex(vector) from forest_nodes "
            "where tree = ?",
            (tree,),
        )
        found[family, keys[scope] if family == "session" else scope] = sorted(
            (level, at, place, names.get(item, item), names.get(row), leaves, until, dirty,
             [(names[turn], *span) for turn, *span in json.loads(spans)], vector)
            for level, at, place, item, row, leaves, until, dirty, spans, vector in nodes
        )  # fmt: skip
    return found


def units(reader: apsw.Connection, names: dict[int, str]) -> list[Any]:
    """Every unit, with the turns that its title and its summary are from."""
    found = each(
        reader,
        "select u.id, u.origin, s.key, u.said_at, u.position, u.start, hex(u.vector), u.print, '[' || u.title || ']', "
        "u.summary, u.visible, u.hops, u.stage from units u join sessions s on s.id = u.session_id order by 1",
    )
    return [
        (*place, *([(names[row], *span) for row, *span in json.loads(spans)] for spans in (title, summary)), *state)
        for *place, title, summary, visible, hops, stage in found
        for state in [(visible, hops, stage)]
    ]


def leaves(one: dict[str, Any]) -> dict[tuple[str, str], Any]:
    """What stands in each tree, in order."""
    return {scope: [node[1:5] for node in nodes if node[0] == 0] for scope, nodes in one["trees"].items()}


def exchanges(one: dict[str, Any]) -> list[Any]:
    """Exchanges: their places and their words."""
    return [unit[:-3] for unit in one["units"] if unit[1] == "exchange"]


def sound(memory: Memory) -> bool:
    return [one for one in memory.file.check() if not one.ok] == []


def merged(into: Path, other: Path, target: Path, *, tidy: bool) -> dict[str, Any]:
    """What a memory is after it took another over, and slept."""
    shutil.copy(into, target)
    with open_at(target) as memory:
        memory.file.merge(other)
        assert sound(memory)
        sleep(memory, tidy=tidy)
        assert sound(memory)
        assert not forest.marked(memory._database.reader()) and not placement.waiting(memory._database.reader())
        found = whole(memory)
        assert summed_up_anew(memory) == found["trees"]
        return found


def summed_up_anew(memory: Memory) -> object:
    """Every tree, when all its nodes are summed up again."""
    with memory._database.writing() as connection:
        connection.execute("update forest_nodes set dirty = 1 where level > 0")
        while forest.refresh_some(connection, 100):
            pass
        return trees(connection, dict(rows(connection, "select row, id from episodes")))


def remade(into: Path, other: Path, target: Path, *, tidy: bool) -> dict[str, Any]:
    """The same where nothing is reused."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(takeover, "fits", lambda *_: False)
        return merged(into, other, target, tidy=tidy)


@pytest.fixture
def two(files: dict[str, Path], tmp_path: Path) -> tuple[Path, Path]:
    """Copies of the two that keep units."""
    return Path(shutil.copy(files["mine-t"], tmp_path)), Path(shutil.copy(files["theirs-t"], tmp_path))


@pytest.mark.parametrize("kind", ["s", "t"])
def test_what_is_reused_is_what_would_have_been_made_and_order_does_not_matter(
    files: dict[str, Path], tmp_path: Path, kind: str
) -> None:
    mine, theirs, tidy = files[f"mine-{kind}"], files[f"theirs-{kind}"], kind == "t"
    states = []
    for name, into, other in (("a", mine, theirs), ("b", theirs, mine)):
        reused = merged(into, other, tmp_path / f"{name}1.db", tidy=tidy)
        assert reused == remade(into, other, tmp_path / f"{name}2.db", tidy=tidy)
        states.append(reused)
    with open_at(made(tmp_path / "heard.db", MINE + THEIRS, tidy=tidy)) as memory:
        states.append(whole(memory))
    for part in ("facts", "readings", "gists", "terms", "vectors", "standings"):
        assert states[0][part] == states[1][part] == states[2][part]
    for one in states[1:]:
        assert leaves(one) == leaves(states[0])
        assert exchanges(one) == exchanges(states[0])  # what was decided about them depends on what came first


def test_the_next_sleep_has_only_what_is_mixed_to_do(
    two: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    made_anew: list[str] = []
    for module, name in ((index, "_terms_row"), (index, "_vector_rows"), (placement, "gist"), (Describer, "describe")):
        monkeypatch.setattr(module, name, lambda *_, name=name: made_anew.append(name))
    with open_at(two[0]) as memory:
        memory.file.merge(two[1])
        assert made_anew == []
        assert rows(memory._database.reader(), "select * from forest_turns") == []
        found = whole(memory)
        marked = {scope for scope, nodes in found["trees"].items() if any(node[7] for node in nodes)}
        months = set.intersection(*({placement.month_of(one.said_at) for one in said if one.said_at is not None}
                                    for said in (MINE, THEIRS)))  # fmt: skip
        assert months and marked == {("session", "both"), *(("scene", month) for month in months)}
        assert {("entity", "xavier"), ("entity", "yara")} <= found["trees"].keys()
        came = {one.id for session in ("x", "y", "z") for one in memory.episodes.of(session)}
        assert came <= {turn for (turn,) in found["loose"]}


def test_twice_changes_nothing(two: tuple[Path, Path]) -> None:
    mine, theirs = two
    with open_at(mine) as memory:
        memory.file.merge(theirs)
        once = whole(memory)
        memory.file.merge(theirs)
        assert whole(memory) == once
        sleep(memory, tidy=True)
        slept = whole(memory)
        memory.file.merge(theirs)
        assert whole(memory) == slept


@pytest.mark.parametrize(("kinds", "kept"), [("ut", False), ("st", False), ("ts", True), ("tu", True), ("su", False)])
def test_units_are_kept_where_they_were_and_nowhere_else(
    files: dict[str, Path], tmp_path: Path, kinds: str, kept: bool
) -> None:
    into, other = files[f"mine-{kinds[0]}"], files[f"theirs-{kinds[1]}"]
    reused = merged(into, other, tmp_path / "1.db", tidy=kept)
    anew = remade(into, other, tmp_path / "2.db", tidy=kept)
    if kinds[0] == "u":  # where turns wait for their places here, which ones come first decides where nodes end
        assert leaves(reused) == leaves(anew)
        reused["trees"] = anew["trees"]
    assert reused == anew
    assert (bool(reused["units"]), bool(reused["loose"])) == (kept, not kept)


def test_a_new_memory_takes_all_of_it(files: dict[str, Path], tmp_path: Path) -> None:
    with open_at(tmp_path / "new.db") as memory, open_at(files["theirs-s"]) as other:
        memory.file.merge(other.path)
        assert sound(memory)
        reader = memory._database.reader()
        assert not forest.marked(reader) and rows(reader, "select * from forest_turns") == []
        waiting = "select f.id from facts f join forest_facts w on w.fact_id = f.id where f.believed_to is null"
        assert rows(reader, waiting) == []
        sleep(memory, tidy=False)
        assert whole(memory) == whole(other)


@pytest.mark.parametrize(
    "spoilt",
    [
        "update index_meta set value = 'another' where key = 'embedder'",
        "update index_meta set value = 'older' where key = 'version'",
        "drop table forest_nodes",
        "alter table forest_gists add column more text",
    ],
)
def test_nothing_of_another_embedder_or_another_version_is_taken(
    two: tuple[Path, Path], tmp_path: Path, spoilt: str
) -> None:
    mine, theirs = two
    expected = remade(mine, theirs, tmp_path / "0.db", tidy=True)
    connection = apsw.Connection(str(theirs))
    connection.execute(spoilt)
    connection.execute("update episode_terms_content set c0 = 'wrong'")
    connection.close()
    assert merged(mine, theirs, tmp_path / "1.db", tidy=True) == expected


def test_a_conversation_that_was_erased_in_part_here_is_put_together_here(
    files: dict[str, Path], tmp_path: Path
) -> None:  # fmt: skip
    mine = made(tmp_path / "mine.db", MINE + THEIRS[:6], tidy=True)
    with open_at(mine) as memory:
        memory.erasing.erase(memory.erasing.selection(session="x"))
    reused = merged(mine, files["theirs-t"], tmp_path / "1.db", tidy=True)
    assert reused == remade(mine, files["theirs-t"], tmp_path / "2.db", tidy=True)
    assert len(leaves(reused)["session", "x"]) == 14


def test_what_waits_there_for_a_sleep_waits_here(two: tuple[Path, Path], tmp_path: Path) -> None:
    mine, theirs = two
    with open_at(theirs) as other:
        list(other.episodes.ingest([*talk("w", 300, "Wanda", 3), *talk("y", 120, "Yara", 21)]))
        for one in other.episodes.of("w"):
            other.reading.learn(one.id)
    assert merged(mine, theirs, tmp_path / "1.db", tidy=True) == remade(mine, theirs, tmp_path / "2.db", tidy=True)
    with open_at(mine) as memory:
        memory.file.merge(theirs)
        waiting = rows(
            memory._database.reader(), "select e.id from forest_turns w join episodes e on e.row = w.episode_row"
        )
        came = {one.id for one in (*memory.episodes.of("w"), *memory.episodes.of("y")[-2:])}
        assert {key for (key,) in waiting} == came


def test_what_was_erased_there_goes_here_and_leaves_nothing_in_the_trees(
    two: tuple[Path, Path], tmp_path: Path
) -> None:  # fmt: skip
    mine, theirs = two
    with open_at(theirs) as other:
        other.erasing.erase(other.erasing.selection(session="both"))
        other.erasing.erase(other.erasing.selection(episode="y0"))  # the first of a tree, whose nodes keep their keys
        other.erasing.erase(other.erasing.selection(episode="x4"))
    reused = merged(mine, theirs, tmp_path / "1.db", tidy=True)
    assert reused == remade(mine, theirs, tmp_path / "2.db", tidy=True)
    assert ("session", "both") not in reused["trees"]


def test_everything_is_what_a_rebuild_makes(two: tuple[Path, Path]) -> None:
    mine, theirs = two
    with open_at(mine) as memory:
        memory.file.merge(theirs)
        sleep(memory, tidy=True)
        believed, decided, gathered = state(memory), memory.state_hash(), undoing.everything(memory._database.reader())
        list(memory.file.rebuild())
        assert (state(memory), memory.state_hash(), undoing.everything(memory._database.reader())) == (
            believed,
            decided,
            gathered,
        )
