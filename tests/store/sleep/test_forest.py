"""Turns and beliefs stand in the trees of their scopes, sums are made lazily, and nothing erased stays in them."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta

import numpy as np
import pytest

from store.database.rows import Row, each, rows, scalar
from store.memory import Memory
from store.recall.dense import clipped
from store.records import Instant, Turn
from store.sleep import derived, forest, placement
from store.sleep.trees import K, Leaf, Trees
from tests.conftest import ZONE


def instant(day: str) -> Instant:
    return Instant.of(datetime.fromisoformat(day).replace(tzinfo=ZONE))


def build(memory: Memory) -> None:
    with memory._database.writing() as connection:
        for _ in forest.rebuild(connection):
            pass


def trees(memory: Memory) -> dict[tuple[str, str], int]:
    """Leaves by family and scope."""
    counted = (
        "select t.family, t.scope, count(*) from forest_trees t join forest_nodes n on n.tree = t.id and n.level = 0 "
        "group by t.id"
    )
    return {(family, scope): count for family, scope, count in each(memory._database.reader(), counted)}


def roots(memory: Memory, family: str) -> list[Row]:
    return rows(
        memory._database.reader(),
        "select t.scope, n.leaves, n.spans, n.vector, n.dirty from forest_nodes n join forest_trees t on t.id = n.tree "
        "where n.parent is null and n.level > 0 and t.family = ? order by t.scope", (family,),
    )  # fmt: skip


def test_a_sleep_puts_turns_into_session_and_month_and_beliefs_into_whom_they_are_of(
    memory: Memory, say: Callable[..., None]
) -> None:
    say("2024-03-31", "I live in Porto.", "My sister Ana lives in Braga.")
    say("2024-04-01", "I like rooibos.")
    build(memory)
    found = trees(memory)
    assert found[("scene", "2024-03")] == 2 and found[("scene", "2024-04")] == 1
    assert sorted(count for (family, _), count in found.items() if family == "session") == [1, 2]
    assert found[("entity", "ana")] == 1 and found[("entity", "me")] >= 2
    assert not placement.waiting(memory._database.reader()) and not forest.marked(memory._database.reader())


def test_a_month_is_that_of_the_place_where_it_was_said() -> None:
    moment = datetime.fromisoformat("2024-03-31T23:30:00-05:00")
    assert placement.month_of(Instant.of(moment)) == "2024-03"


def test_what_stands_for_a_node_are_sentences_of_the_turns_below_it(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I live in Porto. The weather is nice!", "What should I cook?", "My sister Ana lives in Braga.")
    build(memory)
    ((_, leaves, spans, vector, dirty),) = roots(memory, "session")
    assert leaves == 3 and not dirty
    texts = {int(row): str(text) for row, text in each(memory._database.reader(), "select row, text from episodes")}
    told = [texts[row][start:end] for row, start, end, _ in json.loads(spans)]
    assert told[0] in ("I live in Porto.", "My sister Ana lives in Braga.")
    assert {"I live in Porto.", "My sister Ana lives in Braga."} <= set(told)
    assert len(vector) == memory.recall._embedder.dimension


def test_the_middle_of_a_node_is_that_of_its_turns(memory: Memory, say: Callable[..., None]) -> None:
    texts = ["I live in Porto.", "My sister Ana lives in Braga.", "I like rooibos tea."]
    say("2024-03-03", *texts)
    build(memory)
    ((_, _, _, vector, _),) = roots(memory, "session")
    middle = np.frombuffer(vector, np.int8).astype(np.float32)
    wanted = np.mean([clipped(one) for one in memory.recall._embedder.embed(texts)], axis=0)
    assert middle @ wanted / np.linalg.norm(middle) / np.linalg.norm(wanted) > 0.99


def test_a_write_marks_its_path_and_the_next_sleep_refreshes_only_that(
    memory: Memory, say: Callable[..., None]
) -> None:
    for day in range(1, 29):
        say(f"2024-03-{day:02}", f"I visited place number {day} with Ana.")
    build(memory)
    before = {
        row[0]: row[1] for row in each(memory._database.reader(), "select id, spans from forest_nodes where level > 0")
    }
    list(
        memory.episodes.ingest([Turn("Hello there, old friend.", "s-2024-03-28", said_at=instant("2024-03-28T20:00"))])
    )
    with memory._database.writing() as connection:
        while placement.place_some(connection, Trees(connection), 10):
            pass
        touched = {row[0] for row in each(connection, "select id from forest_nodes where dirty = 1")}
    # The session's only node, and one path of the month's tree.
    month = scalar(
        memory._database.reader(),
        "select max(level) from forest_nodes n join forest_trees t on t.id = n.tree where t.scope = '2024-03'",
    )
    assert len(touched) == 1 + month < len(before)


def test_a_late_turn_finds_its_place(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-20", "I like rooibos.")
    build(memory)
    early = Turn("I like climbing.", "s-2024-03-20", said_at=instant("2024-03-02"), external_id="early")
    list(memory.episodes.ingest([early]))
    build(memory)
    order = (
        "select e.text from forest_nodes n join forest_trees t on t.id = n.tree join episodes e on e.row = n.item "
        "where t.family = 'scene' and n.level = 0 order by n.at, n.place"
    )
    assert [row[0] for row in each(memory._database.reader(), order)] == ["I like climbing.", "I like rooibos."]


def test_ten_thousand_leaves_stay_balanced(memory: Memory) -> None:
    with memory._database.writing() as connection:
        trees_ = Trees(connection)
        tree = trees_.tree("entity", "bob")
        trees_.insert(tree, [Leaf((at * 7_919) % 10_000, 0, f"f{at}", 1) for at in range(10_000)])
        levels = {row[0]: row[1] for row in each(connection, "select level, count(*) from forest_nodes group by level")}
        most = scalar(connection, "select max(n) from (select count(*) n from forest_nodes group by parent)")
    assert levels[0] == 10_000 and max(levels) == 4 and levels[4] == 1 and most <= K


def test_secrets_abandoned_branches_and_what_was_done_by_hand_have_no_place(
    memory: Memory, say: Callable[..., None]
) -> None:
    say("2024-03-03", "I like rooibos.")
    (fact,) = memory.beliefs.facts(predicate="likes")
    memory.by_hand.retract(fact.id)
    list(memory.episodes.ingest([
        Turn("My password is hunter2hunter2.", "s", said_at=instant("2024-03-04")),
        Turn("I like climbing.", "s", said_at=instant("2024-03-05"), inactive=True),
    ]))  # fmt: skip
    build(memory)
    assert {key: count for key, count in trees(memory).items() if key[0] != "entity"} == {
        ("session", "1"): 1, ("scene", "2024-03"): 1,
    }  # fmt: skip


def test_a_belief_that_is_taken_back_leaves_its_tree(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "My sister Ana lives in Braga.")
    build(memory)
    assert ("entity", "ana") in trees(memory)
    (fact,) = memory.beliefs.facts(about="Ana", predicate="lives_in")
    memory.by_hand.retract(fact.id)
    build(memory)
    assert ("entity", "ana") not in trees(memory)


def test_an_erase_leaves_nothing_of_a_turn_in_any_tree(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I live in Zqxporto.", "My sister Zqxana lives in Braga.")
    say("2024-03-04", "I like rooibos.", "I work at Acme.")
    build(memory)
    gone = [row[0] for row in each(memory._database.reader(), "select row from episodes where text like '%Zqx%'")]
    memory.erasing.erase(memory.erasing.selection(session="s-2024-03-03"))
    reader = memory._database.reader()
    assert b"zqx" not in memory.path.read_bytes().lower()
    assert not forest.marked(reader), "refreshed at once, not in the next sleep"
    for spans in each(reader, "select spans from forest_nodes where spans <> '[]'"):
        assert not {row for row, *_ in json.loads(spans[0])} & set(gone)
    assert not scalar(reader, "select count(*) from forest_nodes where episode_row in (select value from json_each(?))",
                      (json.dumps(gone),))  # fmt: skip
    assert not scalar(reader, "select count(*) from forest_gists where episode_row not in (select row from episodes)")
    assert {scope for family, scope in trees(memory) if family == "entity"} == {"me"}


def test_a_vector_keeps_no_share_of_what_was_erased(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I like rooibos tea.", "My code is a poem about turbines.")
    build(memory)
    (second,) = (one for one in memory.episodes.of("s-2024-03-03") if "turbines" in one.text)
    memory.erasing.erase(memory.erasing.selection(episode=second.id))
    ((_, _, _, vector, _),) = roots(memory, "session")
    left = scalar(memory._database.reader(), "select vector from episode_vectors")
    mine, theirs = (np.frombuffer(one, np.int8).astype(np.float32) for one in (vector, left))
    assert mine @ theirs / np.linalg.norm(mine) / np.linalg.norm(theirs) > 0.999


def test_a_sleep_can_be_stopped_between_any_two_steps_and_goes_on(memory: Memory, say: Callable[..., None]) -> None:
    from store.sleep.phases import PhaseInput, Stopped

    list(memory.episodes.ingest(Turn(f"I visited place number {n} with Ana.", f"s{n % 5}", said_at=Instant(n * 10**12))
                       for n in range(120)))  # fmt: skip
    left = [0]

    def heed() -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Stopped

    work = PhaseInput(memory._database, memory._clock, 1, heed, None, memory.recall._embedder)
    stops = 0
    while placement.waiting(memory._database.reader()) or forest.marked(memory._database.reader()):
        left[0] = 2
        with pytest.raises(Stopped):
            list(forest.phase(work))
        stops += 1
    assert stops > 3 and sum(count for (family, _), count in trees(memory).items() if family == "scene") == 120
    left[0] = 100
    assert list(forest.phase(work)) == []


def test_the_tables_hold_no_words_of_turns(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I like zqxclimbing a lot.", "I visited zqxvillage.")
    build(memory)
    made = "select name from sqlite_schema where type = 'table' and (name glob 'forest_*' or name = 'salience_waits')"
    for (table,) in rows(memory._database.reader(), f"{made} and name <> 'forest_trees'"):
        assert "zqx" not in str(rows(memory._database.reader(), f"select * from {table}")).lower()


def test_a_file_of_an_earlier_version_has_everything_waiting(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I like rooibos.")
    build(memory)
    before = trees(memory)
    with memory._database.writing() as connection:
        derived.drop(connection)
        derived.create(connection)
    assert placement.waiting(memory._database.reader()) == 2 and trees(memory) == {}
    build(memory)
    assert trees(memory) == before


def test_a_day_later_a_month_has_not_changed_its_number_of_trees(memory: Memory, say: Callable[..., None]) -> None:
    start = instant("2024-03-03")
    for day in range(3):
        moment = Instant.of(start.local() + timedelta(days=day))
        list(memory.episodes.ingest([Turn("I like rooibos.", f"s{day}", said_at=moment)]))
        build(memory)
    assert trees(memory)[("scene", "2024-03")] == 3


def test_check_sees_a_turn_without_a_place_and_a_belief_without_a_standing(
    memory: Memory, say: Callable[..., None]
) -> None:
    say("2024-03-03", "I like rooibos.")
    build(memory)
    assert all(one.ok for one in memory.file.check())
    with memory._database.writing() as connection:
        connection.execute("delete from forest_nodes where level = 0")
        connection.execute("delete from salience")
        connection.execute("delete from salience_waits")
    bad = {one.name for one in memory.file.check() if not one.ok}
    assert bad == {"turns have their places", "beliefs have their places", "beliefs have a standing"}
