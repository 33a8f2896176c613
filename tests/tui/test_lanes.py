"""The timeline looks well with few lanes, and says which colour is which and what its first line is about."""

from __future__ import annotations

import re
from threading import Event

import pytest
from textual.app import App, ComposeResult

from app.tui.app import ErstwhileApp
from app.tui.theme import FALLBACK
from store.records import Fact
from tests.tui.acting import app_with, flashed, footer, screen_text, settle
from tests.tui.scripted import ZONE, ScriptedMemory, fact, instant
from widgets.lanes import Lanes
from widgets.time_scale import DAY


def told_today() -> list[Fact]:
    """Four things, told within a quarter of an hour."""
    said = (("lives_in", "Ghent"), ("works_at", "Barco"), ("boss", "Tom"), ("likes", "jazz"))
    return [
        fact("me", predicate, value, (f"2025-03-14 21:{minute}", None), (f"2025-03-14 21:{minute}", None))
        for minute, (predicate, value) in zip(("22", "24", "27", "31"), said, strict=True)
    ]


async def test_a_memory_of_one_day_shows_the_days_around_and_its_lanes_stand_apart() -> None:
    wedding = fact("me", "event", "wedding", ("2025-03-13", "2025-03-14"), ("2025-03-14 21:33", None))
    dentist = fact("me", "appointment", "dentist", ("2025-03-19", "2025-03-20"), ("2025-03-14 21:34", None))
    for width in (60, 100, 160):
        app = app_with(ScriptedMemory(known=[*told_today(), wedding, dentist]))
        async with app.run_test(size=(width, 30)) as pilot:
            await pilot.press("ctrl+t")
            await settle(pilot)
            lanes, shown = app.screen.query_one(Lanes), screen_text(app).splitlines()
            scale = lanes.scale
            assert 10 * DAY <= scale.end - scale.start < 16 * DAY
            ruler = next(one for one in shown if "true in the" in one)
            assert len(re.findall(r"\d Mar", ruler)) > 1, "dates stand on the ruler"
            assert all(re.search(f"[◆▎] *{what}|{what} [◆▎]", "\n".join(shown)) for what in ("wedding", "dentist"))
            labels = ("appointment", "boss", "event", "likes", "lives in", "works at")
            found = [shown.index(next(one for one in shown if one.startswith(f" {label} "))) for label in labels]
            assert found == list(range(found[0], found[0] + 12, 2)), "each second line is a lane"
            assert "said per day" in shown[found[-1] + 2]
            assert "when you said it" in shown[found[-1] + 3]
            assert all(f"■ {group}" in "\n".join(shown) for group in ("home", "work", "tastes"))


@pytest.mark.parametrize("width", [60, 100, 160])
async def test_a_young_memory_opens_fitted_to_what_it_tells(width: int) -> None:
    """Also of what lies months off, with room for the names of what holds now."""
    moved = fact("me", "lives_in", "Lisbon", ("2024-09-01", None), ("2025-03-14 21:33", None))
    wedding = fact("Rui", "event", "wedding", ("2025-10-12", "2025-10-13"), ("2025-03-14 21:34", None))
    app = app_with(ScriptedMemory(known=[*told_today()[1:], moved, wedding]))
    async with app.run_test(size=(width, 30)) as pilot:
        await pilot.press("ctrl+t")
        await settle(pilot)
        lanes = app.screen.query_one(Lanes)
        shown = [one[width - 1 - lanes.scale.width : -1] for one in screen_text(app).splitlines()]
        ruler = next(one for one in shown if "▼" in one)
        assert len(re.findall("[A-Z][a-z][a-z]", ruler)) > 1 and "2025" in ruler
        now = ruler.index("▼")
        for value in ("Lisbon", "Barco", "Tom", "jazz"):
            assert any(value in one[:now] for one in shown if "┃" in one), value
        assert any("wedding" in one[now:] and "◆" in one[now:] for one in shown)
        assert not re.search("[‹›]", "".join(shown))


def lit(app: ErstwhileApp) -> list[str]:
    """What the rows that are lit are about, as they look on the screen."""
    lanes = app.screen.query_one(Lanes)
    ground = lanes.get_component_rich_style("lanes--flash").bgcolor
    strips = [lanes.render_line(line) for line in range(lanes.size.height)]
    return [
        strip.text.strip().split()[0]
        for strip in strips if any(one.style and one.style.bgcolor == ground for one in strip)
    ]  # fmt: skip


async def test_each_step_through_beliefs_lights_the_row_that_it_changed_wherever_that_is() -> None:
    """More things than there are rows, told on one day each, and the mark on the first of them."""
    names = [f"p{number:02}" for number in range(30)]
    known = [
        fact("me", name, "x", ("2024-01-01", None), (f"2025-01-{day:02}", None)) for day, name in enumerate(names, 1)
    ]
    app = app_with(ScriptedMemory(known=[*known, fact("me", "brother", "Paul", (None, None), ("2025-02-02", None))]))
    async with app.run_test(size=(100, 24)) as pilot:
        await pilot.press("ctrl+t")
        await settle(pilot)
        assert "p29" not in screen_text(app)
        for name in reversed(names):
            await pilot.press("left_curly_bracket")
            await pilot.pause()
            assert lit(app) == [name], "also where the row was out of view"
            shown = screen_text(app)
            assert f" {name} " in shown
        await pilot.press("left_curly_bracket")
        await pilot.pause()
        assert "There is no earlier change of mind" in flashed(app)


async def test_changes_of_one_day_are_one_step_until_they_can_be_told_apart() -> None:
    moved = fact("me", "lives_in", "Lisbon", ("2024-09-01", None), ("2025-03-14 21:33", None))
    app = app_with(ScriptedMemory(known=[*told_today()[1:], moved]))
    async with app.run_test(size=(100, 24)) as pilot:
        await pilot.press("ctrl+t")
        await settle(pilot)
        lanes = app.screen.query_one(Lanes)
        await pilot.press("left_square_bracket")
        await pilot.pause()
        assert lanes.true_at == instant("2024-09-01").us, "not another minute of today"
        assert lit(app) == ["lives"]
        await pilot.press("left_square_bracket")
        await pilot.pause()
        assert "There is no earlier change in the world." in flashed(app)
        await pilot.press("right_square_bracket")
        await pilot.pause()
        assert lanes.true_at == instant("2025-03-14 21:31").us, "the last of that day"
        assert lit(app) == ["boss", "likes", "works"], "all of that day"
        await pilot.press("t", *["plus"] * 14, "left_square_bracket")
        await pilot.pause()
        assert lanes.true_at == instant("2025-03-14 21:31").us
        await pilot.press("left_square_bracket")
        await pilot.pause()
        assert lanes.true_at == instant("2025-03-14 21:27").us, "close up each is a step"


@pytest.mark.parametrize("width", [60, 80, 100, 160])
async def test_the_keys_that_lead_away_and_swap_the_axes_are_in_the_footer(width: int) -> None:
    app = app_with(ScriptedMemory(known=told_today()))
    async with app.run_test(size=(width, 30)) as pilot:
        await pilot.press("ctrl+t")
        await settle(pilot)
        keys = " ".join(" ".join(screen_text(app).splitlines()[-2:]).split())
        for key in ("enter chain", "[ ] change", "{ } belief", "b swap axis", "+ - zoom", "x save", "esc back"):
            assert key in keys
        assert screen_text(app).rstrip().endswith("f1 help")
        await pilot.press("enter")
        await settle(pilot)
        assert "esc back" in footer(app) and "f1 help" in footer(app)
        await pilot.click(offset=(footer(app).index("esc back"), 29))
        await settle(pilot)
        assert app.screen.query(Lanes)


async def test_the_first_line_in_view_says_what_it_is_about() -> None:
    likes = [fact("me", "likes", f"tea {one}", ("2024-01-01", None), ("2024-01-02", None)) for one in range(60)]
    app = app_with(ScriptedMemory(known=likes))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("ctrl+t")
        await settle(pilot)
        await pilot.press("end")
        await settle(pilot)
        shown = screen_text(app)
        assert "tea 59" in shown and "tea 0 " not in shown
        assert shown.count("likes ") > 1, "beside the detail"


async def test_while_the_memory_is_read_no_ruler_shows_a_time() -> None:
    class Reading(App[None]):
        def get_theme_variable_defaults(self) -> dict[str, str]:
            return dict(FALLBACK)

        def compose(self) -> ComposeResult:
            yield Lanes(zone=ZONE)

    async with Reading().run_test(size=(100, 30)) as pilot:
        lanes = pilot.app.query_one(Lanes)
        shown = ["".join(segment.text for segment in lanes.render_line(line)) for line in range(5)]
        assert shown[0].strip() == "▸ true in the world" and "┃" not in "".join(shown)


async def test_a_screen_that_one_goes_to_while_the_memory_opens_is_read_when_it_is_open() -> None:
    opens = Event()

    def source() -> ScriptedMemory:
        opens.wait(10)
        return ScriptedMemory(known=told_today())

    app = app_with()
    app._memory_source = source
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("ctrl+t")
        await pilot.pause(0.3)
        assert "reading…" in screen_text(app) and "jazz" not in screen_text(app)
        opens.set()
        await settle(pilot)
        assert "jazz" in screen_text(app) and "reading…" not in screen_text(app)
