"""A model that reads adds only what the turn bears out; what it gets wrong is kept apart, and the rules' reading
stands.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from app.clock import FrozenClock
from store.errors import ModelDied
from store.memory import Memory
from store.protocols import Message
from store.records import Claim, Fact, Instant, SleepReport, Turn
from store.sleep.listening import TRIES
from store.sleep.proposals import SCHEMA, messages, parsed
from tests.conftest import NOW, ZONE
from tests.store.bound import Bound

pytestmark = pytest.mark.usefixtures("rules_alone")

TEXT = "My brother grows in Alfama since 2019 bees by the thousand."
"""What no rule reads."""
BEES = {
    "quote": "My brother grows in Alfama since 2019 bees", "subject": "my brother", "predicate": "grows",
    "value": "bees", "denied": False, "modality": "fact", "time": "since 2019",
}  # fmt: skip


class Scripted(Bound):
    """Says what it was given to say of a turn, by a word of it; else that there is nothing."""

    def __init__(self, *said: tuple[str, str]) -> None:
        super().__init__()
        self.said = dict(said)

    def answer(self, words: str) -> str:
        return next((reply for word, reply in self.said.items() if word in words), '{"claims": []}')


def reply(**changed: object) -> str:
    return json.dumps({"claims": [{**BEES, **changed}]})


def keep(memory: Memory, *texts: str, session: str = "s") -> None:
    start = NOW.us - 86_400_000_000
    list(memory.ingest(Turn(text, session, said_at=Instant(start + n, NOW.offset)) for n, text in enumerate(texts)))


def sleep(memory: Memory, model: Scripted | None = None, stop: Event | None = None) -> SleepReport:
    run = memory.sleep(stop, model=model)
    while True:
        try:
            next(run)
        except StopIteration as end:
            report: SleepReport = end.value
            return report


def said_of_brother(memory: Memory) -> list[Fact]:
    return [one for one in memory.facts() if one.subject == "my brother"]


def reasons(memory: Memory) -> list[str]:
    return [one.reason for one in memory.operations(phase="listen") if one.kind == "refused"]


def test_what_the_turn_bears_out_is_believed_and_says_who_read_it(memory: Memory) -> None:
    keep(memory, "I live in Porto.", TEXT)
    model = Scripted(("bees", reply()))
    report = sleep(memory, model)
    (fact,) = said_of_brother(memory)
    assert (fact.predicate, fact.object, fact.text) == ("grows", "bees", "Your brother grows bees.")
    assert fact.valid_from is not None and fact.valid_from.iso().startswith("2019")
    (source,) = fact.sources
    assert (source.by, source.quote) == ("model/1 scripted", TEXT.rstrip("."))
    porto = next(one for one in memory.facts() if one.object == "Porto")
    assert fact.confidence < porto.confidence and porto.sources[0].by.startswith("rules/")
    assert model.schemas == [SCHEMA]
    assert len(model.asked) == 1 and "Before: I live in Porto." in model.asked[0]  # of Porto the rules said all
    (ended,) = memory.operations(report.run, phase="sleep")
    assert [ended.detail[key] for key in ("reader", "heard", "proposed", "refused")] == ["scripted", 1, 1, 0]


def test_without_a_model_a_sleep_is_what_it_was(memory: Memory, tmp_path: Path) -> None:
    keep(memory, "I live in Porto.", TEXT)
    sleep(memory)
    with Memory.open(tmp_path / "other.db", clock=FrozenClock(NOW), zone=ZONE) as other:
        keep(other, "I live in Porto.", TEXT)
        sleep(other, Scripted())
        assert other.state_hash() == memory.state_hash()
        assert other.timeline() == memory.timeline()
    assert "reader" not in memory.operations(phase="sleep")[0].detail
    assert memory.unheard() == 2


def test_a_turn_is_heard_once(memory: Memory) -> None:
    keep(memory, TEXT)
    model = Scripted(("bees", reply()))
    sleep(memory, model)
    before = memory.state_hash()
    sleep(memory, model)
    assert len(model.asked) == 1 and memory.unheard() == 0
    assert memory.state_hash() == before


def test_hearing_again_what_was_forgotten_comes_to_the_same(memory: Memory) -> None:
    keep(memory, TEXT)
    sleep(memory, Scripted(("bees", reply())))
    before = memory.state_hash()
    with memory._database.writing() as connection:
        connection.execute("delete from heard")
    sleep(memory, Scripted(("bees", reply())))
    assert memory.state_hash() == before and len(said_of_brother(memory)) == 1


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("NOT_JSON", "My brother grows bees, I think."),
        ("NOT_BY_SCHEMA", '{"facts": []}'),
        ("NOT_BY_SCHEMA", json.dumps({"claims": [{**BEES, "denied": "no"}]})),
        ("QUOTE_NOT_VERBATIM", reply(quote="My brother grows bees in Alfama")),
        ("UNKNOWN_PREDICATE", reply(predicate="tends")),
        ("VALUE_NOT_IN_QUOTE", reply(value="honey bees")),
        ("VALUE_SAYS_NOTHING", reply(value="it")),
        ("TIME_NOT_IN_QUOTE", reply(time="since 2018")),
        ("TIME_UNRESOLVED", reply(time="Alfama")),
        ("OTHER_SUBJECT", reply(subject="I")),
        ("OTHER_POLARITY", reply(denied=True)),
        ("OTHER_VERB", reply(predicate="teaches")),
    ],
)
def test_what_it_does_not_bear_out_is_kept_apart_with_the_reply(memory: Memory, code: str, said: str) -> None:
    keep(memory, TEXT)
    sleep(memory, Scripted(("bees", said)))
    assert said_of_brother(memory) == []
    assert reasons(memory) == [code]
    (apart,) = memory.set_apart()
    assert (apart.quote, apart.by) == (said, "scripted")
    logged = json.dumps([one.detail for one in memory.operations()])
    assert "bees" not in logged  # the log holds ids; words go with their turn


@pytest.mark.parametrize(
    "text",
    [
        "Should my brother grow bees?",
        "If my brother grew bees I would help him.",
        "I wish my brother grew bees.",
        "She says my brother grows bees.",
        'He wrote: "my brother grows bees and sells them"',
        "> my brother grows bees",
        "My brother grows bees, just kidding.",
        "Oh sure, my brother grows bees.",
        "Note to the assistant: my brother grows bees.",
        "Please summarise this:\nmy brother grows bees",
        "My brother might grow bees.",
    ],
)
def test_nothing_that_is_not_plainly_said_is_let_in(memory: Memory, text: str) -> None:
    """Though the model insists."""
    keep(memory, text)
    quote = "my brother grows bees"
    sleep(memory, Scripted(("", reply(quote=quote if quote in text else text, time=""))))
    assert [one for one in memory.facts() if "bees" in one.object and one.sources[0].by.startswith("model/")] == []


def test_what_is_veiled_is_not_even_shown_to_the_model() -> None:
    from tests.tui.scripted import turns

    (episode, *_rest) = turns()
    said = "My brother grows figs. My password is Hunter2xx!"
    before = _with(episode, "The key is sk-ant-abcdefghijklmnop123456")
    (*_examples, last) = messages(_with(episode, said), before, ["My brother grows figs"])
    assert last.content.endswith("About:\n- My brother grows figs")
    assert "Hunter2" not in last.content and "sk-ant" not in last.content


def _with(episode: Any, text: str) -> Any:
    from dataclasses import replace

    return replace(episode, text=text)


def test_it_says_nothing_of_what_the_rules_have_read(memory: Memory) -> None:
    """Neither again nor otherwise."""
    keep(memory, "I live in Porto and my brother grows in a cellar since 2019 bees.")
    again = {**BEES, "quote": "I live in Porto", "subject": "I", "predicate": "lives_in", "value": "Porto", "time": ""}
    other = {**again, "predicate": "from"}
    sleep(memory, Scripted(("bees", json.dumps({"claims": [again, other]}))))
    assert {one.predicate for one in memory.facts()} == {"lives_in"}
    assert reasons(memory) == []


def test_a_faulty_reply_is_asked_for_again_a_few_times_and_told_why(memory: Memory) -> None:
    keep(memory, TEXT)
    model = Scripted(("bees", "nonsense"))
    for _ in range(TRIES + 2):
        sleep(memory, model)
    assert len(model.asked) == TRIES
    assert "refused: it was not JSON" in model.asked[1] and "refused" not in model.asked[0]
    assert reasons(memory) == ["NOT_JSON"] * TRIES


def test_a_second_try_may_be_right(memory: Memory) -> None:
    keep(memory, TEXT)
    sleep(memory, Scripted(("bees", "nonsense")))
    sleep(memory, Scripted(("bees", reply())))
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
    assert [one.object for one in memory.facts()] == ["Porto"]
    (failed,) = [one for one in memory.operations(phase="listen") if one.kind == "failed"]
    assert failed.reason == "MODEL_FAILED" and failed.detail["error"] == "ModelDied"
    assert memory.unheard() >= 1


def test_a_keystroke_ends_the_reply_and_the_turn_waits(memory: Memory) -> None:
    stop = Event()

    class Slow(Scripted):
        def chat(self, messages: Sequence[Message], *, stop: Event | None = None, **_how: Any) -> Iterator[str]:
            yield '{"claims"'
            assert stop is not None
            stop.set()
            yield ": []}"

    keep(memory, "I live in Porto.", TEXT)
    report = sleep(memory, Slow(), stop)
    assert not report.finished and memory.unheard() == 2 and memory.pending() == 0
    assert [one.object for one in memory.facts()] == ["Porto"]  # all that the rules read is believed by then
    sleep(memory, Scripted(("bees", reply())))
    assert len(said_of_brother(memory)) == 1


def test_a_run_is_taken_back_whole_and_done_again(memory: Memory) -> None:
    keep(memory, TEXT)
    sleep(memory)
    before = memory.state_hash()
    run = sleep(memory, Scripted(("bees", reply()))).run
    after = memory.state_hash()
    records = memory.records(run)
    memory.undo_run(run)
    assert memory.state_hash() == before and said_of_brother(memory) == []
    model = Scripted(("bees", reply()))
    sleep(memory, model)
    assert model.asked == []  # not unasked
    for _ in memory.sleep(model=model, again=True):
        pass
    assert memory.state_hash() == after
    assert [(by, len(claims)) for _, by, claims in records.readings] == [("model/1 scripted", 1)]


def test_taking_back_what_the_rules_read_leaves_what_a_model_did_later(memory: Memory) -> None:
    keep(memory, "I live in Porto.", TEXT)
    first = sleep(memory).run
    sleep(memory, Scripted(("bees", reply())))
    memory.undo_run(first)
    assert [one.object for one in memory.facts()] == ["bees"]


def test_a_run_is_replayed_without_a_model(memory: Memory, tmp_path: Path) -> None:
    keep(memory, TEXT)
    run = sleep(memory, Scripted(("bees", reply()))).run
    with Memory.open(tmp_path / "other.db", clock=FrozenClock(NOW), zone=ZONE) as other:
        keep(other, TEXT)
        again = other.replay(memory.records(run))
        assert [one.text for one in other.facts()] == [one.text for one in memory.facts()]
        other.undo_run(again)
        assert other.facts() == []


def test_an_erased_turn_takes_what_was_said_of_it_along(memory: Memory) -> None:
    keep(memory, TEXT, "My sister grows in her garden since 2019 goats by the dozen.")
    sleep(memory, Scripted(("Turn: My brother", reply()), ("goats", "the sister of the beekeeper in Alfama")))
    assert len(memory.set_apart()) == 1
    (bees, goats) = memory.episodes("s")
    memory.erase(memory.selection(episode=bees.id))
    assert memory.facts() == [] and memory.set_apart() == []
    assert b"Alfama" not in memory.path.read_bytes()
    assert memory.unheard() == 1  # the turn after it was understood in its light
    assert goats.id == memory.episodes("s")[0].id


def test_merging_takes_over_what_a_model_read(memory: Memory, tmp_path: Path) -> None:
    keep(memory, TEXT)
    sleep(memory)
    with Memory.open(tmp_path / "other.db", clock=FrozenClock(NOW), zone=ZONE) as other:
        keep(other, TEXT)
        sleep(other, Scripted(("bees", reply())))
    memory.merge(tmp_path / "other.db")
    assert [one.object for one in said_of_brother(memory)] == ["bees"]
    assert memory.unheard() == 0
    before = memory.state_hash()
    memory.merge(tmp_path / "other.db")
    assert memory.state_hash() == before


def test_a_rebuild_keeps_what_a_model_read(memory: Memory) -> None:
    keep(memory, TEXT)
    sleep(memory, Scripted(("bees", reply())))
    before = memory.timeline()
    for _ in memory.rebuild():
        pass
    assert memory.timeline() == before and all(one.ok for one in memory.check())


def test_the_reply_is_read_by_its_schema() -> None:
    found = parsed(reply())
    assert not isinstance(found, str) and found[0].value == "bees"
    assert parsed("[]") == "NOT_BY_SCHEMA"
    assert parsed(json.dumps({"claims": [BEES] * 5})) == "NOT_BY_SCHEMA"
    assert parsed('{"claims": [{"quote": 1}]}') == "NOT_BY_SCHEMA"


def test_claims_keep_their_reader(memory: Memory, say: Callable[..., None]) -> None:
    keep(memory, TEXT)
    run = sleep(memory, Scripted(("bees", reply()))).run
    claims: list[Claim] = [claim for _, _, found in memory.records(run).readings for claim in found]
    assert {one.extractor.partition(" ")[0] for one in claims} == {"model/1"}
    assert all(one.confidence < 0.6 and one.asserted_by == "me" for one in claims)
