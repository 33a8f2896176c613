"""A belief of the demo's year has the same dates on every screen that shows it, and in print."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from app.tui.app import ErstwhileApp
from app.tui.screens.beliefs import BeliefsScreen, read_known
from app.tui.screens.timeline import TimelineScreen
from store.memory import Memory
from store.records import Fact
from tests.bench.make_screenshots import CLOCK, ZONE, demo_file
from tests.tui.acting import QUIET, settle
from widgets.chain_rows import fact_detail, told
from widgets.states import never_true
from widgets.wording import about, believed, since, value

NOW = CLOCK.now().us
Dates = dict[tuple[str, str], set[tuple[str, str]]]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    path: Path = demo_file(tmp_path_factory.mktemp("demo"))
    with Memory.open(path, clock=CLOCK, zone=ZONE) as memory:
        yield memory


def dated(facts: Iterable[Fact]) -> Dates:
    """When each value was true, and when it was believed, in words."""
    found: Dates = defaultdict(set)
    for one in facts:
        true = "never" if never_true(one) else since(one, NOW)
        found[about(one), value(one)].add((true, believed(one, NOW)))
    return found


def chains(memory: Memory, facts: Iterable[Fact]) -> Dates:
    """As the chain of each tells it."""
    slots = {(one.subject, one.predicate) for one in facts}
    return dated(link.fact for slot in slots for link in told(memory.beliefs.chain(*slot)))


async def test_a_belief_has_the_same_dates_on_every_screen(demo: Memory) -> None:
    app = ErstwhileApp(demo, None, clock=CLOCK, zone=ZONE, settings=QUIET)
    async with app.run_test(size=(160, 45)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+l")
        await settle(pilot)
        beliefs = app.screen
        assert isinstance(beliefs, BeliefsScreen)
        held, ever = beliefs.known.held.facts, beliefs.known.ever.facts
        await pilot.press("ctrl+t")
        await settle(pilot)
        timeline = app.screen
        assert isinstance(timeline, TimelineScreen)
        printed = timeline.shown()
        assert printed is not None
        expected = chains(demo, ever)
        page = [read_known(demo, whom, NOW) for whom in ("me", "Callum")]
        everywhere = (held, ever, printed.facts, *(one.held for one in page), *(one.before for one in page))
        assert all(len(facts) > 3 for facts in everywhere[:4])
        for facts in everywhere:
            assert {key: told for key, told in dated(facts).items() if not told <= expected[key]} == {}
        for slot in timeline.main.view.lanes:
            for one in (bar.fact for lane in slot.lanes(NOW) for bar in lane.bars):
                detail = fact_detail(one, NOW, NOW, 160, NOW, slot.facts).plain
                assert any(f"{true} · believed {known}" in detail.replace("never true", "never")
                           for true, known in expected[about(one), value(one)]), detail  # fmt: skip


@pytest.mark.parametrize(
    ("value", "words"),
    [("Alvalade", "since 7 September"), ("Lisbon", "since 7 January"), ("Rua do Bonjardim", "since 2 October 2025"),
     ("Porto", "since 2 October 2025")],
)  # fmt: skip
def test_what_was_only_dated_anew_is_known_since_it_was_first_heard(demo: Memory, value: str, words: str) -> None:
    steps = told(demo.beliefs.chain("me", "lives_in"))
    assert [believed(one.fact, NOW) for one in steps if one.fact.object == value] == [words]
