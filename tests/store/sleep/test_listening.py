"""A model settles only what the reader was unsure of; a reply that is none is kept apart, and teaches nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from app.core.clock import FrozenClock
from store.errors import ModelDied
from store.memory import Memory
from store.protocols import Message
from store.records import Claim, Fact, Instant, SleepReport, Turn
from store.sleep.checking import SURE, messages, parsed, schema
from store.sleep.listening import TRIES
from tests.conftest import NOW, ZONE
from tests.store.bound import Bound

pytestmark = pytest.mark.usefixtures("unsure_reader")

TEXT = "My brother is a beekeeper in Alfama since 2019."
NOTES = ["Your brother works as a beekeeper.", "Your brother lives in Alfama."]
"""What the reader makes of it."""


class Scripted(Bound):
    """Says what it was given to say of a turn, by a word of it; else that nothing is clear."""

    def __init__(self, *said: tuple[str, str]) -> None:
        super().__init__()
        self.said = dict(said)

    def answer(self, words: str) -> str:
        last = words.rpartition("Notes:\n")[2].partition("\n(")[0]
        unclear = reply(*["unclear"] * len(last.splitlines()))
        return next((reply for word, reply in self.said.items() if word in words), unclear)


def reply(*verdicts: str) -> str:
    return json.dumps({"verdicts": list(verdicts or ("yes", "no"))})


def keep(memory: Memory, *texts: str, session: str = "s") -> None:
    start = NOW.us - 86_400_000_000
    list(
        memory.episodes.ingest(
            Turn(text, session, said_at=Instant(start + n, NOW.offset)) for n, text in enumerate(texts)
        )
    )


def sleep(memory: Memory, model: Scripted | None = None, stop: Event | None = None) -> SleepReport:
    run = memory.sleeping.run(stop, model=model)
    while True:
        try:
            next(run)
        except StopIteration as end:
            report: SleepReport = end.value
            return report


def said_of_brother(memory: Memory) -> list[Fact]:
    return [one for one in memory.beliefs.facts() if one.subject == "my brother"]


def reasons(memory: Memory) -> list[str]:
    return [one.reason for one in memory.log.operations(phase="listen") if one.kind == "refused"]


def test_what_a_model_bears_out_is_believed_and_says_who_checked_it(memory: Memory) -> None:
    keep(memory, "I live in Porto.", TEXT)
    model = Scripted(("beekeeper", reply()))
    report = sleep(memory, model)
    (fact,) = said_of_brother(memory)
    assert (fact.predicate, fact.object, fact.text) == ("job", "beekeeper", NOTES[0])
    assert fact.valid_from is not None and fact.valid_from.iso().startswith("2019")
    (source,) = fact.sources
    assert (source.by, source.quote) == ("model/2 scripted", TEXT.rstrip("."))
    porto = next(one for one in memory.beliefs.facts() if one.object == "Porto")
    assert fact.confidence < porto.confidence and porto.sources[0].by.startswith("reader/")
    assert model.schemas == [schema(2)]
    assert len(model.asked) == 1 and "Before: I live in Porto." in model.asked[0]  # of Porto the reader is sure
    assert model.asked[0].endswith(f"1. {NOTES[0]}\n2. {NOTES[1]}")
    (ended,) = memory.log.operations(report.run, phase="sleep")
    assert [ended.detail[key] for key in ("reader", "heard", "proposed", "refused")] == ["scripted", 1, 1, 0]


def test_what_it_denies_or_leaves_open_waits_for_the_person(memory: Memory) -> None:
    keep(memory, TEXT)
    sleep(memory, Scripted(("beekeeper", reply("yes", "no"))))
    assert [one.text for one in memory.reading.unsure()] == [NOTES[1]]


def test_without_a_model_a_sleep_is_what_it_was(memory: Memory, tmp_path: Path) -> None:
    keep(memory, "I live in Porto.", TEXT)
    sleep(memory)
    with Memory.open(tmp_path / "other.db", clock=FrozenClock(NOW), zone=ZONE) as other:
        keep(other, "I live in Porto.", TEXT)
        sleep(other, Scripted())
        assert other.state_hash() == memory.state_hash()
        assert other.beliefs.timeline() == memory.beliefs.timeline()
    assert "reader" not in memory.log.operations(phase="sleep")[0].detail
    assert memory.reading.unheard() == 2


def test_a_turn_is_heard_once(memory: Memory) -> None:
    keep(memory, TEXT)
    model = Scripted(("beekeeper", reply()))
    sleep(memory, model)
    before = memory.state_hash()
    sleep(memory, model)
    assert len(model.asked) == 1 and memory.reading.unheard() == 0
    assert memory.state_hash() == before


def test_hearing_again_what_was_forgotten_comes_to_the_same(memory: Memory) -> None:
    keep(memory, TEXT)
    sleep(memory, Scripted(("beekeeper", reply())))
    before = memory.state_hash()
    with memory._database.writing() as connection:
        connection.execute("delete from heard")
    sleep(memory, Scripted(("beekeeper", reply())))
    assert memory.state_hash() == before and len(said_of_brother(memory)) == 1


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("NOT_JSON", "Both are right, I think."),
        ("NOT_BY_SCHEMA", '{"facts": []}'),
        ("NOT_BY_SCHEMA", reply("yes")),
        ("NOT_BY_SCHEMA", reply("yes", "perhaps")),
        ("NOT_BY_SCHEMA", '{"verdicts": ["yes", "no"], "why": "so"}'),
    ],
)
def test_a_reply_that_is_none_is_kept_apart(memory: Memory, code: str, said: str) -> None:
    keep(memory, TEXT)
    sleep(memory, Scripted(("beekeeper", said)))
    assert said_of_brother(memory) == []
    assert reasons(memory) == [code]
    (apart,) = memory.reading.set_apart()
    assert (apart.quote, apart.by) == (said, "scripted")
    logged = json.dumps([one.detail for one in memory.log.operations()])
    assert "beekeeper" not in logged and "right" not in logged  # the log holds ids; words go with their turn


def test_what_is_veiled_is_not_even_shown_to_the_model() -> None:
    from tests.tui.scripted import turns

    (episode, *_rest) = turns()
    said = "My brother grows figs. My password is Hunter2xx!"
    before = _with(episode, "The key is sk-ant-abcdefghijklmnop123456")
    (*_examples, last) = messages(said, before, ["Your brother grows figs."])
    assert last.content.endswith("Notes:\n1. Your brother grows figs.")
    assert "Hunter2" not in last.content and "sk-ant" not in last.content


def _with(episode: Any, text: str) -> Any:
    from dataclasses import replace

    return replace(episode, text=text)


def test_it_is_not_asked_about_what_is_known_or_settled(memory: Memory) -> None:
    keep(memory, "I live in Porto.", TEXT)
    sleep(memory)
    waiting = memory.reading.unsure()
    memory.by_hand.confirm(waiting[0].id)
    model = Scripted()
    sleep(memory, model)
    assert len(model.asked) == 1 and model.asked[0].count("\n2. ") == 0


def test_a_faulty_reply_is_asked_for_again_a_few_times_and_told_why(memory: Memory) -> None:
    keep(memory, TEXT)
    model = Scripted(("beekeeper", "nonsense"))
    for _ in range(TRIES + 2):
        sleep(memory, model)
    assert len(model.asked) == TRIES
    assert "refused: it was not JSON" in model.asked[1] and "refused" not in model.asked[0]
    assert reasons(memory) == ["NOT_JSON"] * TRIES


def test_a_second_try_may_be_right(memory: Memory) -> None:
    keep(memory, TEXT)
    sleep(memory, Scripted(("beekeeper", "nonsense")))
    sleep(memory, Scripted(("beekeeper", reply())))
    assert len(said_of_brother(memory)) == 1
    model = Scripted()
    sleep(memory, model)
    assert model.asked == []


def test_a_model_that_fails_ends_its_part_and_nothing_else(memory: Memory) -> None:
    class Dying(Scripted):
        def chat(self, messages: Sequence[Message], **_how: Any) -> Iterator[str]:
            raise ModelDied("It ended.")
            yield ""

    keep(memory, "I live in Porto.", TEXT)
    assert sleep(memory, Dying()).finished
    assert [one.object for one in memory.beliefs.facts()] == ["Porto"]
    (failed,) = [one for one in memory.log.operations(phase="listen") if one.kind == "failed"]
    assert failed.reason == "MODEL_FAILED" and failed.detail["error"] == "ModelDied"
    assert memory.reading.unheard() >= 1


def test_a_keystroke_ends_the_reply_and_the_turn_waits(memory: Memory) -> None:
    stop = Event()

    class Slow(Scripted):
        def chat(self, messages: Sequence[Message], *, stop: Event | None = None, **_how: Any) -> Iterator[str]:
            yield '{"verdicts"'
            assert stop is not None
            stop.set()
            yield ": []}"

    keep(memory, "I live in Porto.", TEXT)
    report = sleep(memory, Slow(), stop)
    assert not report.finished and memory.reading.unheard() == 2 and memory.reading.pending() == 0
    assert [one.object for one in memory.beliefs.facts()] == ["Porto"]  # all that the rules read is believed by then
    sleep(memory, Scripted(("beekeeper", reply())))
    assert len(said_of_brother(memory)) == 1


def test_a_run_is_taken_back_whole_and_done_again(memory: Memory) -> None:
    keep(memory, TEXT)
    sleep(memory)
    before = memory.state_hash()
    run = sleep(memory, Scripted(("beekeeper", reply()))).run
    after = memory.state_hash()
    records = memory.log.records(run)
    memory.log.undo_run(run)
    assert memory.state_hash() == before and said_of_brother(memory) == []
    model = Scripted(("beekeeper", reply()))
    sleep(memory, model)
    assert model.asked == []  # not unasked
    for _ in memory.sleeping.run(model=model, again=True):
        pass
    assert memory.state_hash() == after
    assert [(by, len(claims)) for _, by, claims in records] == [("model/2 scripted", 1)]


def test_taking_back_what_the_rules_read_leaves_what_a_model_did_later(memory: Memory) -> None:
    keep(memory, "I live in Porto.", TEXT)
    first = sleep(memory).run
    sleep(memory, Scripted(("beekeeper", reply())))
    memory.log.undo_run(first)
    assert [one.object for one in memory.beliefs.facts()] == ["beekeeper"]


def test_a_run_is_replayed_without_a_model(memory: Memory, tmp_path: Path) -> None:
    keep(memory, TEXT)
    run = sleep(memory, Scripted(("beekeeper", reply()))).run
    with Memory.open(tmp_path / "other.db", clock=FrozenClock(NOW), zone=ZONE) as other:
        keep(other, TEXT)
        again = other.log.replay(memory.log.records(run))
        assert [one.text for one in other.beliefs.facts()] == [one.text for one in memory.beliefs.facts()]
        other.log.undo_run(again)
        assert other.beliefs.facts() == []


def test_an_erased_turn_takes_what_was_said_of_it_along(memory: Memory) -> None:
    keep(memory, TEXT, "My sister is a goatherd.")
    sleep(memory, Scripted(("Message: My brother", reply()), ("goatherd", "the sister of the beekeeper in Alfama")))
    assert len(memory.reading.set_apart()) == 1
    (bees, goats) = memory.episodes.of("s")
    memory.erasing.erase(memory.erasing.selection(episode=bees.id))
    assert memory.beliefs.facts() == [] and memory.reading.set_apart() == []
    assert b"Alfama" not in memory.path.read_bytes()
    assert memory.reading.unheard() == 1  # the turn after it was understood in its light
    assert goats.id == memory.episodes.of("s")[0].id


def test_merging_takes_over_what_a_model_read(memory: Memory, tmp_path: Path) -> None:
    keep(memory, TEXT)
    sleep(memory)
    with Memory.open(tmp_path / "other.db", clock=FrozenClock(NOW), zone=ZONE) as other:
        keep(other, TEXT)
        sleep(other, Scripted(("beekeeper", reply())))
    memory.file.merge(tmp_path / "other.db")
    assert [one.object for one in said_of_brother(memory)] == ["beekeeper"]
    assert memory.reading.unheard() == 0
    before = memory.state_hash()
    memory.file.merge(tmp_path / "other.db")
    assert memory.state_hash() == before


def test_a_rebuild_keeps_what_a_model_read(memory: Memory) -> None:
    keep(memory, TEXT)
    sleep(memory, Scripted(("beekeeper", reply())))
    before = memory.beliefs.timeline()
    for _ in memory.file.rebuild():
        pass
    assert memory.beliefs.timeline() == before and all(one.ok for one in memory.file.check())


def test_the_reply_is_read_by_its_schema() -> None:
    assert parsed(reply(), 2) == ["yes", "no"]
    assert parsed("[]", 0) == "NOT_BY_SCHEMA"
    assert parsed('{"verdicts": [1]}', 1) == "NOT_BY_SCHEMA"


def test_claims_keep_their_reader(memory: Memory, say: Callable[..., None]) -> None:
    keep(memory, TEXT)
    run = sleep(memory, Scripted(("beekeeper", reply()))).run
    claims: list[Claim] = [claim for _, _, found in memory.log.records(run) for claim in found]
    made = [one for one in claims if one.modality == "fact"]
    assert [one.extractor.partition(" ")[0] for one in made] == ["model/2"]
    assert all(one.confidence == SURE and one.asserted_by == "me" for one in made)
