"""The sentence on top of the timeline says what was believed then, and what is known today."""

from __future__ import annotations

import pytest

from app.tui.screens.timeline import joined
from app.tui.seen import for_good, seen
from store.records import Fact
from tests.rectangles import index_of
from tests.tui.scripted import ZONE, fact, instant, lives, world
from widgets.lane_index import LaneRows
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
            "On 1 January 2024 you believed that on 1 May 2022 you lived in Porto, Rua das Flores; you still do.",
        ),
        (
            "2025-01-01",
            "2024-10-01",
            "On 1 October 2024 you believed, of 1 January, that you lived in Lisbon, Rua da Rosa; you still do.",
        ),
        (None, "2025-03-14 12:00", "Earlier today you believed that you lived in Lisbon, Rua da Rosa; you still do."),
        (
            "2019-05-01",
            None,
            "On 1 May 2019 nothing of this held, as far as you know now; you lived in Porto, Rua das Flores, from "
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
