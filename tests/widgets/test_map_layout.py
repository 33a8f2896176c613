"""The map has world time across and belief down, and a rectangle where each fact lies."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.records import Fact
from tests.tui.scripted import ZONE, fact, instant, lives
from widgets.map_layout import Ranges, apart, areas, drawn_map, within
from widgets.time_scale import DAY

NOW = instant("2025-03-14 21:40").us


def rows(facts: list[Fact], true_at: int, believed_at: int, size: tuple[int, int] = (60, 30)) -> list[str]:
    ranges = Ranges.of(facts, NOW)
    across, down = ranges.across(size[0], ZONE), ranges.down(size[1], ZONE)
    drawn = drawn_map(areas(facts, ranges), across, down, true_at, believed_at)
    return ["".join(cell.text for cell in row) for row in drawn]


def test_what_is_believed_now_is_in_the_last_row_and_what_was_believed_first_in_the_first() -> None:
    facts = lives()
    ranges = Ranges.of(facts, NOW)
    across, down = ranges.across(80, ZONE), ranges.down(40, ZONE)
    drawn = drawn_map(areas(facts, ranges), across, down, NOW, NOW - 1)
    last = drawn[-1]
    assert last[across.column(instant("2022-01-01").us)].paint != last[across.column(instant("2025-01-01").us)].paint
    assert last[across.column(instant("2025-01-01").us)].paint.endswith("-now")
    early = drawn[down.column(instant("2024-03-01").us)]
    assert len({early[across.column(instant(f"{year}-01-01").us)].paint for year in (2022, 2023, 2024, 2025)}) == 1


def test_what_never_was_so_is_marked_without_colour() -> None:
    wrong = fact("me", "x", "Faro", ("2024-01-01", None), ("2024-01-01", "2024-12-01"), ended="correct")
    right = fact("me", "x", "Lagos", ("2024-01-01", None), ("2024-12-01", None), change="correct")
    text = "\n".join(rows([wrong, right], NOW, NOW - 1))
    assert "✗ Faro" in text
    assert "╱" in text
    assert "Lagos" in text and "✗ Lagos" not in text


@pytest.mark.parametrize("width", [47, 87, 147])
def test_one_day_is_one_column_whichever_rectangle_has_it(width: int) -> None:
    """Porto's end is Lisbon's beginning, though what was first known of them was known at different times."""
    lisbon = fact("me", "lives_in", "Lisbon", ("2024-06-11", None), ("2024-02-02", None))
    soon = fact("me", "lives_in", "Porto", ("2020-01-01", None), ("2024-01-01", "2024-02-02"))
    porto = fact("me", "lives_in", "Porto", ("2020-01-01", "2024-06-11"), ("2024-04-02", None))
    ranges = Ranges.of([soon, lisbon, porto], NOW)
    across, down = ranges.across(width, ZONE), ranges.down(30, ZONE)
    drawn = drawn_map(areas([soon, lisbon, porto], ranges), across, down, NOW, NOW - 1)
    edges = {max(place for place, one in enumerate(row) if one.text == "▎") for row in drawn[6:]}
    assert edges == {across.column(instant("2024-06-11").us)}
    assert all(row[-1].paint for row in drawn[6:]), "what goes on reaches the edge"


def test_what_is_in_dispute_is_marked_without_colour() -> None:
    born = fact("Odete", "birth_year", "1934", (None, None), ("2024-01-01", None), disputed=True)
    assert "? 1934" in "\n".join(rows([born], NOW, NOW - 1))


def test_values_that_hold_together_have_a_map_each() -> None:
    likes = [fact("me", "likes", name, ("2024-01-01", None), ("2024-01-02", None)) for name in ("tea", "rain")]
    assert apart(lives()) == [lives()]
    assert [[one.object for one in each] for each in apart(likes)] == [["tea"], ["rain"]]


def test_what_follows_another_value_is_on_its_map_whatever_held_beside_them() -> None:
    porto = fact("me", "lives_in", "Porto", ("2020-01-01", "2024-06-01"), ("2024-01-02", None))
    street = fact("me", "lives_in", "Rua do Sol", ("2023-01-01", "2024-06-01"), ("2024-01-02", None))
    lisbon = fact("me", "lives_in", "Lisbon", ("2024-06-01", None), ("2024-05-02", None))
    assert apart([street, porto, lisbon]) == [[porto, lisbon], [street]]


def moved_thrice() -> list[Fact]:
    """Years in one place, and then two others in a year."""
    return [
        fact("me", "lives_in", "Porto", ("2015-01-01", "2024-06-01"), ("2024-01-02", None)),
        fact("me", "lives_in", "Lisbon", ("2024-06-01", "2025-01-10"), ("2024-06-02", None)),
        fact("me", "lives_in", "Alvalade", ("2025-01-10", None), ("2025-01-02", None)),
    ]


@pytest.mark.parametrize("width", [47, 87, 147])
def test_a_long_still_past_takes_little_of_the_width_and_says_so(width: int) -> None:
    across = Ranges.of(moved_thrice(), NOW).across(width, ZONE)
    assert across.column(instant("2024-01-01").us) < width / 2
    assert any(label.startswith("≈") for _column, label in across.ticks())
    shown = "\n".join(rows(moved_thrice(), NOW, NOW, (width, 24)))
    assert all(place in shown for place in ("Porto", "Lisbon", "Alvalade"))


def test_what_is_asked_about_is_shown_in_full() -> None:
    asked = instant("2018-05-01").us
    across = Ranges.of(moved_thrice(), NOW, asked).across(87, ZONE)
    month = across.column(asked + 31 * DAY) - across.column(asked)
    assert month >= 1
    assert any(label.startswith("≈") for _column, label in across.ticks())


@given(st.integers(10, 150), st.lists(st.integers(2000, 2024), max_size=8))
def test_a_bent_scale_has_each_instant_in_one_column(width: int, years: list[int]) -> None:
    facts = [fact("me", "x", str(year), (f"{year}-01-01", None), ("2024-01-02", None)) for year in years]
    ranges = Ranges.of(facts, NOW)
    across = ranges.across(width, ZONE)
    middles = [across.at(column) for column in range(width)]
    assert middles == sorted(middles)
    assert [across.column(us) for us in middles] == list(range(width))
    assert across.column(ranges.world[0]) >= 0 and across.column(ranges.world[1] - 1) < width
    assert all(0 <= column < width for column, _label in across.ticks())


def test_a_name_that_does_not_fit_on_one_line_takes_more() -> None:
    assert within("Rua da Rosa", 5, 3) == ["Rua", "da", "Rosa"]
    assert within("Alvalade", 5, 3) == ["Alva…"]
    assert within("Alvalade", 3, 3) == []


@given(st.text(min_size=1, max_size=30), st.integers(10, 120), st.integers(1, 40), st.integers(0, 400))
def test_a_map_is_as_large_as_its_scales_whatever_the_words(words: str, width: int, height: int, days: int) -> None:
    from rich.cells import cell_len

    one = fact("me", "x", words, ("2024-01-01", None), ("2024-06-01", None))
    ranges = Ranges.of([one], NOW + days * DAY)
    across, down = ranges.across(width, ZONE), ranges.down(height, ZONE)
    drawn = drawn_map(areas([one], ranges), across, down, NOW, NOW)
    assert [sum(cell_len(cell.text) for cell in row) for row in drawn] == [width] * height
