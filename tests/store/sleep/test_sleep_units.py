"""Units are split, merged and put out of date only where that is sure, and every decision says why it was taken."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from store.errors import NotFound, UsageError
from store.memory import Memory
from store.records import Instant, Operation, Turn
from store.sleep import diagnose, topology, undoing
from store.sleep.describe import Describer
from store.sleep.edits import Cut, Edit, Proposal, fold
from store.sleep.links import links_of
from store.sleep.tidy import judge
from store.sleep.units import pieces_of, read_id, shown, units_of, units_where
from tests.conftest import ZONE

MIXED = (
    "We cooked tomato soup with basil and bread, and everybody had two bowls. By the way, the office printer in Berlin "
    "needs toner and a driver for the laptops of the sales team."
)
ANSWER = "Old bread makes a soup creamy.\n\nToner for that printer is cheaper in bulk."


def sleep(memory: Memory) -> None:
    for _ in memory.sleeping.run(tidy=True):
        pass


def tell(memory: Memory, day: str, *texts: str, session: str | None = None) -> None:
    """An exchange: what one says, and what is answered."""
    at = datetime.fromisoformat(day).replace(tzinfo=ZONE)
    list(memory.episodes.ingest(
        Turn(text, session or day, *(("me", "user") if n % 2 == 0 else ("assistant", "assistant")),
             said_at=Instant.of(at + timedelta(minutes=n)))
        for n, text in enumerate(texts)
    ))  # fmt: skip


def edits(memory: Memory, kind: str | None = None) -> list[Operation]:
    return [one for one in memory.log.operations(limit=500)
            if one.phase == "tidy" and one.reason == "APPLIED" and kind in (None, one.kind)]  # fmt: skip


def reasons(memory: Memory) -> list[str]:
    return [one.reason for one in memory.log.operations(limit=500) if one.phase == "tidy"]


def surface(memory: Memory) -> list[str]:
    """The words of the visible units, in order of time."""
    reader = memory._database.reader()
    units = sorted(units_where(reader, "where visible = 1"), key=lambda one: (one.said_at, one.start))
    return [" | ".join(piece.text for piece in pieces_of(reader, one.id)) for one in units]


def test_an_exchange_is_what_one_says_with_the_replies(memory: Memory) -> None:
    tell(memory, "2024-03-03", "How are you?", "Fine.", "I like figs.", "Good.")
    tell(memory, "2024-03-04", "Hello.")
    sleep(memory)
    assert surface(memory) == ["How are you? | Fine.", "I like figs. | Good.", "Hello."]
    tell(memory, "2024-03-04T00:01", "again", session="2024-03-04")
    sleep(memory)
    assert surface(memory)[-1] == "Hello. | again"
    assert all(one.ok for one in memory.file.check())


def test_a_change_of_subject_splits_and_the_reply_goes_where_it_belongs(memory: Memory) -> None:
    tell(memory, "2024-03-03", MIXED, ANSWER)
    sleep(memory)
    assert surface(memory) == [
        "We cooked tomato soup with basil and bread, and everybody had two bowls. | Old bread makes a soup creamy.",
        "By the way, the office printer in Berlin needs toner and a driver for the laptops of the sales team. | "
        "Toner for that printer is cheaper in bulk.",
    ]
    (operation,) = edits(memory, "split")
    first, second = (read_id(one) for one in json.loads(json.dumps(operation.detail))["created"])
    linked = set(memory._database.reader().execute("select from_id, kind, to_id from unit_links").fetchall())
    whole = read_id(str(operation.detail["targets"][0]))  # type: ignore[index] # a list of ids, in the log's JSON
    assert {(first, "sibling", second), (second, "sibling", first), (first, "version", whole),
            (second, "version", whole)} <= linked  # fmt: skip


def test_one_matter_is_not_split(memory: Memory) -> None:
    tell(
        memory, "2024-03-03",
        "The tomato soup was great. It had basil, garlic, old bread and a spoon of vinegar in it. My sister wants to "
        "cook it on Sunday. She has a big pot for such soups, and a garden full of tomatoes.",
    )  # fmt: skip
    sleep(memory)
    assert len(surface(memory)) == 1


@pytest.mark.parametrize(
    ("one", "other", "merged"),
    [
        ("How do I make a good tomato soup with basil?", "How do I make a good tomato soup with basil?", True),
        ("I like rooibos.", "I like rooibos.", True),
        ("How do I get from Porto to Lisbon?", "How do I get from Porto to Braga?", False),
        ("Set the timer to 20 minutes.", "Set the timer to 25 minutes.", False),
        ("I eat meat.", "I don't eat meat.", False),
        ("I went for a run.", "I went for a run.", False),
        ("My favourite tea is rooibos.", "My favourite tea is oolong.", False),
    ],
)
def test_what_says_the_same_is_merged_and_what_differs_in_a_value_is_not(
    memory: Memory, one: str, other: str, merged: bool
) -> None:
    tell(memory, "2024-03-03", one, "Noted.")
    tell(memory, "2024-03-09", other, "Noted.")
    sleep(memory)
    assert bool(edits(memory, "merge")) == merged
    assert len(surface(memory)) == 1 or not merged


def test_what_stands_for_others_takes_in_the_next_one(memory: Memory) -> None:
    for day in ("2024-03-03", "2024-03-09", "2024-03-15", "2024-04-01"):
        tell(memory, day, "I like rooibos.", "Noted.")
        sleep(memory)
    assert len(surface(memory)) == 1
    assert memory.log.last_sleep() is not None
    assert set(memory._database.reader().execute("select hops from units where visible = 0")) == {(1,)}


def test_what_is_out_of_date_leaves_the_surface_and_what_says_more_stays(memory: Memory) -> None:
    tell(memory, "2024-01-03", "I live in Porto.")
    tell(
        memory, "2024-01-04", "I live in Porto, and the bakery below us opens at five, which wakes the whole house up."
    )
    sleep(memory)
    tell(memory, "2024-05-03", "I moved to Lisbon.")
    sleep(memory)
    (operation,) = edits(memory, "update")
    assert "I live in Porto." not in surface(memory) and len(surface(memory)) == 2
    assert [fact.object for fact in memory.beliefs.facts(predicate="lives_in")] == ["Lisbon"]
    before = surface(memory)
    memory.log.undo(operation.id)
    assert "I live in Porto." in surface(memory)
    sleep(memory)
    assert surface(memory) != before
    with pytest.raises(UsageError, match="undone already"):
        memory.log.undo(operation.id)


def test_an_edit_that_was_undone_is_not_proposed_again(memory: Memory) -> None:
    tell(memory, "2024-03-03", "I like rooibos.", "Noted.")
    tell(memory, "2024-03-09", "I like rooibos.", "Noted.")
    sleep(memory)
    memory.log.undo(edits(memory)[0].id)
    tell(memory, "2024-03-12", "I like rooibos.", "Noted.")
    sleep(memory)
    assert len(surface(memory)) == 3 and "UNDONE_BEFORE" in reasons(memory)


def test_every_reason_is_given_for_what_it_names(memory: Memory) -> None:
    tell(memory, "2024-03-03", "I like figs.", "Noted.")
    tell(memory, "2024-03-04", "My brother plays the cello.", "Noted.")
    tell(memory, "2024-03-05", MIXED)
    sleep(memory)
    reader = memory._database.reader()
    figs, cello = (one.id for one in units_where(reader, "where visible = 1 order by said_at limit 2"))
    archived = next(one.id for one in units_where(reader, "where visible = 0"))
    episode = next(iter(reader.execute("select id from episodes where text = 'I like figs.'")))[0]

    def reason(kind: str, *targets: int, sure: float = 0.95, **more: object) -> str:
        parts = ((Cut(episode, 0, 3),), (Cut(episode, 3, 6),))
        edit = Edit(kind, targets, parts if kind == "split" else ())  # type: ignore[arg-type] # the three kinds
        return judge(reader, Proposal(edit, sure, differ=bool(more)))

    assert reason("merge", figs, cello, sure=0.89) == "LOW_CONF"
    assert reason("merge", figs) == "ARITY_FAIL"
    assert reason("merge", figs, 5) == "MISSING_ID"
    assert reason("merge", figs, archived) == "VISIBILITY_FAIL"
    assert reason("merge", figs, cello) == "COH_FAIL"
    assert reason("split", figs) == "PLAN_VALIDATION_FAIL"
    assert reason("update", figs, archived) == "APPLIED"
    with memory._database.writing() as connection:
        connection.execute("update units set touched = 1 where id = ?", (figs,))
    assert reason("update", figs, cello) == "TOUCHED_CONFLICT"


def test_links_are_typed_and_kept_to_their_caps(memory: Memory) -> None:
    for day in range(1, 10):
        tell(
            memory, f"2024-03-0{day}", f"Soup recipe {day}: tomatoes, basil and bread.", "Noted.", "More basil?", "Yes."
        )
    sleep(memory)
    reader = memory._database.reader()
    counted = [Counter(link.kind for link in links_of(reader, unit)) for unit in units_where(reader, "")]
    assert max(one["temporal"] for one in counted) == 1
    assert 1 <= max(one["semantic"] for one in counted) <= 4


def test_the_log_of_a_sleep_holds_no_words(memory: Memory) -> None:
    tell(memory, "2024-03-03", "I like zqxfigs.", "Noted.")
    tell(memory, "2024-03-09", "I like zqxfigs.", "Noted.")
    tell(memory, "2024-03-10", MIXED.replace("toner", "zqxtoner"))
    sleep(memory)
    assert {one.kind for one in edits(memory)} == {"merge", "split"}
    assert "zqx" not in json.dumps([one.detail for one in memory.log.operations(limit=500)])


def test_erased_words_are_in_no_unit_and_no_edit_about_them_stays(memory: Memory) -> None:
    tell(memory, "2024-03-03", "I like zqxfigs.", "Noted.")
    tell(memory, "2024-03-09", "I like zqxfigs.", "Noted.")
    tell(memory, "2024-03-10", MIXED.replace("toner", "zqxtoner"), ANSWER)
    tell(memory, "2024-03-11", "I like tea.", "Noted.")
    tell(memory, "2024-03-12", "I like tea.", "Noted.")
    sleep(memory)
    assert len(edits(memory)) == 3
    for day in ("2024-03-09", "2024-03-10"):
        memory.erasing.erase(memory.erasing.selection(session=day))
    assert edits(memory) == []  # a tidying from the beginning does again what still holds
    sleep(memory)
    (again,) = edits(memory)
    assert again.kind == "merge"
    memory.erasing.erase(memory.erasing.selection(session="2024-03-03"))
    left = memory.path.read_bytes().lower()
    assert b"zqxfig" not in left and b"zqxtoner" not in left
    assert [one for one in memory.file.check() if not one.ok] == []
    sleep(memory)
    assert surface(memory) == ["I like tea. | Noted."]


def test_a_part_of_an_erased_session_is_put_together_anew(memory: Memory) -> None:
    tell(memory, "2024-03-03", "How do I make soup?", "With water.", "I like figs.", "Good.")
    sleep(memory)
    second = memory.episodes.of("2024-03-03")[1]
    memory.erasing.erase(memory.erasing.selection(episode=second.id))
    assert memory.sleeping.restless(tidy=True) == (3, 1)
    sleep(memory)
    assert surface(memory) == ["How do I make soup? | I like figs. | Good."]
    assert [one for one in memory.file.check() if not one.ok] == []


def test_units_are_kept_only_where_that_is_asked_for_and_at_any_time(memory: Memory, tmp_path: Path) -> None:
    tell(memory, "2024-03-03", "I like rooibos.", "Noted.")
    tell(memory, "2024-03-09", "I like rooibos.", "Noted.")
    memory.backups.make(tmp_path / "before.db")
    for _ in memory.sleeping.run():
        pass
    assert (
        surface(memory) == [] and memory.sleeping.restless() == (0, 0) and memory.sleeping.restless(tidy=True) == (4, 2)
    )
    last = memory.log.last_sleep()
    assert last is not None and last.run is not None and "tidy" not in str(last.detail["seconds"])
    with Memory.open(tmp_path / "before.db", clock=memory._clock, zone=ZONE) as copy:
        copy.log.replay(memory.log.records(last.run))
        assert surface(copy) == [] and copy.state_hash() == memory.state_hash()
    for _ in memory.file.rebuild():
        pass
    assert surface(memory) == [] and [one for one in memory.file.check() if not one.ok] == []
    sleep(memory)
    assert surface(memory) == ["I like rooibos. | Noted."] and memory.sleeping.restless(tidy=True) == (0, 0)
    for _ in memory.file.rebuild():
        pass
    assert surface(memory) == ["I like rooibos. | Noted."]


def test_a_run_is_taken_back_and_read_again_only_when_asked(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-01-03", "I live in Porto.")
    before = memory.state_hash()
    say("2024-05-03", "I moved to Lisbon.", "I like figs.")
    after, run = memory.state_hash(), memory.log.operations(limit=1)[0].run
    assert run is not None and before != after
    memory.log.undo_run(run)
    assert memory.state_hash() == before and memory.reading.pending() == 0
    with pytest.raises(UsageError, match="undone already"):
        memory.log.undo_run(run)
    with pytest.raises(NotFound, match="no sleep 99"):
        memory.log.undo_run(99)
    list(memory.sleeping.run())
    assert memory.state_hash() == before
    for _ in memory.sleeping.run(again=True):
        pass
    assert memory.state_hash() == after


def test_a_unit_is_described_by_its_own_words(memory: Memory) -> None:
    tell(memory, "2024-03-03", "Hi. My brother Paul plays the cello in Vienna. Nice, isn't it?", "Indeed!")
    sleep(memory)
    (unit,) = units_where(memory._database.reader(), "")
    (piece, _), (_, start, end) = pieces_of(memory._database.reader(), unit.id), json.loads(unit.title)
    assert piece.text[start:end] == "My brother Paul plays the cello in Vienna."
    words = {row[0] for row in memory._database.reader().execute("select keyword from unit_keywords")}
    assert "cello" in words and len(words) <= 6
    assert read_id(shown(unit.id)) == unit.id


def test_edits_fold_in_their_order_and_skip_what_does_not_apply() -> None:
    merge, later = Edit("merge", (1, 2)), Edit("merge", (2, 3))
    (made,) = merge.created()
    folded = fold({1, 2, 3}, {5: merge, 9: later})
    assert folded.visible == {made, 3} and folded.version == [(made, 1), (made, 2)]
    assert fold({1, 2, 3}, {9: later}).visible == {1, *later.created()}
    assert folded.hops() == {made: 0, 3: 0, 1: 1, 2: 1}
    parts = tuple((Cut("turn", at, at + 1),) for at in range(6))
    three = Edit("split", (1,), parts[:3])
    tied = Counter(one for one, _ in fold({1}, {1: three}).sibling)
    assert tied == dict.fromkeys(three.created(), 2) and not Edit("split", (1,), parts).has_arity()


def test_diagnosers_propose_nothing_about_a_lonely_unit(memory: Memory) -> None:
    tell(memory, "2024-03-03", "I like figs.", "Noted.")
    sleep(memory)
    (unit,) = units_where(memory._database.reader(), "")
    assert (
        diagnose.merge(memory._database.reader(), unit) == [] and diagnose.update(memory._database.reader(), unit) == []
    )
    assert (
        undoing.records(memory._database.reader(), 1).edits == () and topology.edits_of(memory._database.reader()) == {}
    )
    assert units_of(memory._database.reader(), [1]) == {}
    assert Describer(memory.recall._embedder).vectors(["figs", "tea"]).shape == (2, memory.recall._embedder.dimension)


def test_an_edit_that_two_memories_did_ties_its_units_once() -> None:
    same = Edit("update", (2, 1))
    assert fold({1, 2}, {10: same, 11: same}).version == [(2, 1)]
