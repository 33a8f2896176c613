"""The sentence on top of the timeline says what was believed then, and what is known today."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.widgets import Static

from app.tui.screens.timeline import for_good, joined, seen
from store.records import Fact, Precision
from tests.rectangles import index_of
from tests.tui.acting import app_with, settle
from tests.tui.scripted import ZONE, ScriptedMemory, fact, instant, lives, world
from widgets.lane_index import LaneRows
from widgets.lanes import Lanes
from widgets.look import lines
from widgets.time_scale import Cursors

NOW = instant("2025-03-14 21:40").us


def said(facts: list[Fact], true_at: str | None, believed_at: str | None) -> str:
    world_us, belief_us = (None if day is None else instant(day).us for day in (true_at, believed_at))
    view = index_of(facts).matching("")
    at = Cursors(world_us, belief_us, NOW, ZONE)
    lane = LaneRows(view, at.belief).below(LaneRows(view, at.belief).moved(LaneRows(view, at.belief).last(), -99), 1)
    bar = LaneRows(view, at.belief).slots[lane[0].slot].lanes(at.belief)[0].nearest(at.world)
    assert bar is not None
    return seen(view.slots[0], bar.fact, at)


@pytest.mark.parametrize(
    ("true_at", "believed_at", "words"),
    [
        (None, None, "You live in Lisbon, Rua da Rosa, since 1 September 2024; you said so on 19 August 2024."),
        ("2022-05-01", None, "On 1 May 2022, as you know now, you lived in Porto, Rua das Flores."),
        (
            None,
            "2024-01-01",
            "On 1 January 2024 you believed that you lived in Porto, Rua das Flores; today you know that you live in "
            "Lisbon, Rua da Rosa.",
        ),
        (
            "2022-05-01",
            "2023-11-01",
            "On 1 November 2023 you believed that on 1 May 2022 you lived in Porto, Rua de Cedofeita; today you know "
            "that you lived in Porto, Rua das Flores.",
        ),
        (
            "2022-05-01",
            "2024-01-01",
            "On 1 January 2024 you believed that on 1 May 2022 you lived in Porto, Rua das Flores; "
            "you still believe it.",
        ),
        (
            "2025-01-01",
            "2024-10-01",
            "On 1 October 2024 you believed, of 1 January, that you lived in Lisbon, Rua da Rosa; you "
            "still believe it.",
        ),
        (
            None,
            "2025-03-14 12:00",
            "Earlier today, at 12:00, you believed that you lived in Lisbon, Rua da Rosa; you still believe it.",
        ),
        (
            "2019-05-01",
            None,
            "On 1 May 2019 this had not begun, as far as you know now; you lived in Porto, Rua das Flores, from "
            "February 2021 to 1 September 2024.",
        ),
    ],
)
def test_what_was_believed_then_stands_beside_what_is_known_today(
    true_at: str | None, believed_at: str | None, words: str
) -> None:
    assert said(lives(), true_at, believed_at) == words


def test_what_is_no_longer_believed_is_said_to_be() -> None:
    gone = fact("me", "works_at", "Acme", ("2024-01-01", None), ("2024-01-01", "2024-06-01"), ended="retract")
    words = said([gone], None, "2024-02-01")
    assert words == "On 1 February 2024 you believed that you worked at Acme; today you no longer believe it."


def test_what_was_never_so_or_was_replaced_is_told_when_it_is_pointed_at() -> None:
    """And not what holds in its place, which stands in another row."""
    rex = fact("me", "dog", "Rex", ("2025-03-14", None), ("2025-03-14 09:00", "2025-03-14 09:05"), ended="correct")
    max_ = fact("me", "dog", "Max", ("2025-03-14", None), ("2025-03-14 09:05", None), change="correct")
    dogs, now = index_of([rex, max_]).matching("").slots[0], Cursors(None, None, NOW, ZONE)
    assert seen(dogs, rex, now) == "On 14 March you believed that your dog was Rex; it was never so."
    porto = fact("me", "lives_in", "Porto", ("2025-01-01", None), ("2025-01-01", "2025-02-01"), ended="update")
    faro = fact("me", "lives_in", "Faro", ("2024-12-01", None), ("2025-02-01", None), change="update")
    words = seen(index_of([porto, faro]).matching("").slots[0], porto, now)
    assert words == (
        "From 1 January to 1 February you believed that you lived in Porto; today you know that you live in Faro."
    )


def test_of_a_time_before_it_was_spoken_of_nobody_said_whether_it_held() -> None:
    told = ("2025-03-01", "2025-03-01 12:00")
    latex = fact("me", "allergic_to", "latex", told, ("2025-03-01 12:00", None), precision=Precision.OPEN)
    latex = replace(latex, precision_to=Precision.OPEN, text="You were allergic to latex.")
    slot = index_of([latex]).matching("").slots[0]
    before, after = (Cursors(instant(day).us, None, NOW, ZONE) for day in ("2024-11-25", "2025-03-10"))
    assert seen(slot, latex, before) == (
        "Whether you were allergic to latex on 25 November 2024, nobody said; you first spoke of it on 1 March."
    )
    assert seen(slot, latex, after) == (
        "On 10 March this was over, as far as you know now; you were allergic to latex, until 1 March."
    )


def test_what_still_is_so_today_is_not_told_as_if_it_were_over() -> None:
    dune = fact("me", "reading", "Dune", ("2025-03-14", None), ("2025-03-14 21:00", None))
    slot = index_of([dune]).matching("").slots[0]
    today = Cursors(instant("2025-03-14 12:00").us, None, NOW, ZONE)
    assert seen(slot, dune, today) == "Today, as you know now, you are reading Dune."


def test_of_a_row_that_says_nothing_then_its_nearest_is_told_and_not_what_another_row_says() -> None:
    porto = fact("me", "lives_in", "Porto", ("2020-01-01", "2024-02-14"), ("2024-01-01", None))
    lisbon = fact("me", "lives_in", "Lisbon", ("2024-02-14", "2024-09-01"), ("2024-01-01", None))
    faro = fact("me", "lives_in", "Faro", ("2024-09-01", None), ("2024-01-01", None))
    slot = index_of([porto, lisbon, faro]).matching("").slots[0]
    march = Cursors(instant("2024-03-10").us, None, NOW, ZONE)
    assert seen(slot, porto, march) == (
        "On 10 March 2024 this was over, as far as you know now; you lived in Porto, from 1 January 2020 to 14 "
        "February 2024."
    )
    assert seen(slot, faro, march) == (
        "On 10 March 2024 this had not begun, as far as you know now; you live in Faro, since 1 September 2024."
    )
    then = replace(march, believed_at=instant("2024-05-01").us)
    assert seen(slot, faro, then).endswith("since 1 September 2024; on 10 March 2024 it had not begun.")


def test_the_words_that_it_was_told_in_say_how_it_is_told() -> None:
    street = fact("me", "lives_in", "Rua Direita", ("2020-01-01", "2024-02-14"), ("2024-01-01", None))
    slot, at = index_of([street]).matching("").slots[0], Cursors(instant("2023-01-01").us, None, NOW, ZONE)
    heard = {street.id: replace(street, sources=(replace(street.sources[0], quote="I live on Rua Direita"),))}
    assert "lived on Rua Direita" in seen(slot, street, at, heard)


async def test_the_mark_goes_to_the_row_that_says_where_one_lived_at_the_cursor() -> None:
    """The sentence, the detail and what holds, in the marked row, are of one value at each step."""
    porto = fact("me", "lives_in", "Porto", ("2020-01-01", "2024-02-14"), ("2024-01-01", None))
    street = fact("me", "lives_in", "Rua Direita", ("2023-01-01", "2024-02-14"), ("2024-01-01", None))
    lisbon = fact("me", "lives_in", "Lisbon", ("2024-02-14", "2024-09-01"), ("2024-01-01", None))
    faro = fact("me", "lives_in", "Faro", ("2024-09-01", None), ("2024-01-01", None))
    app = app_with(ScriptedMemory(known=[porto, street, lisbon, faro]))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("ctrl+t")
        await settle(pilot)
        lanes = app.screen.query_one(Lanes)
        assert len(lanes.in_view) == 2
        for day in ("2024-03-10", "2024-07-03", "2024-10-01", "2022-01-01"):
            lanes.go("true", instant(day).us)
            await settle(pilot)
            pointed, lane = lanes.pointed, lanes.in_view[lanes.at.row]
            held = lane.holding(instant(day).us)
            assert pointed is not None and held is not None and held.fact.id == pointed.id
            told = [str(app.screen.query_one(part, Static).render()) for part in ("#seen", "#detail")]
            assert all(pointed.object in one for one in told)


def test_what_is_so_for_good_is_told_as_it_was_believed() -> None:
    brother = fact("me", "brother", "Paul", ("2024-01-01", None), ("2024-01-01", None))
    born = fact("Ana", "born_in", "Faro", (None, None), ("2024-02-01", None))
    child, name = (
        fact(whom, what, value, ("2024-01-01", None), ("2024-02-01", None))
        for whom, what, value in (("Ana", "child", "Tom"), ("me", "name", "Rita"))
    )
    view = index_of([*world(), brother, born, child, name]).matching("")
    assert for_good(view, NOW) == [
        [("name", "Rita")],
        [("brother", "Paul")],
        [("Ana born in", "Faro"), ("child", "Tom")],
    ]
    assert for_good(view, instant("2024-01-15").us) == [[("brother", "Paul")]]


def test_what_does_not_fit_of_it_is_counted_and_never_cut() -> None:
    pieces = [lines(f"brother {name}") for name in ("Paul", "Miguel", "Tom")]
    assert joined(pieces, 80).plain == "brother Paul · brother Miguel · brother Tom"
    assert joined(pieces, 40).plain == "brother Paul · and 2 more"
    assert joined(pieces, 3).plain == ""
