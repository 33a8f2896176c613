"""The timeline looks well with few lanes, and says which colour is which and what its first line is about."""

from __future__ import annotations

from store.records import Fact
from tests.tui.acting import app_with, screen_text, settle
from tests.tui.scripted import ScriptedMemory, fact, instant
from widgets.lanes import Lanes


def told_today() -> list[Fact]:
    """Four things, told within a quarter of an hour."""
    said = (("lives_in", "Ghent"), ("works_at", "Barco"), ("boss", "Tom"), ("likes", "jazz"))
    return [
        fact("me", predicate, value, (f"2025-03-14 21:{minute}", None), (f"2025-03-14 21:{minute}", None))
        for minute, (predicate, value) in zip(("22", "24", "27", "31"), said, strict=True)
    ]


async def test_a_memory_of_one_day_fills_the_width_and_its_lanes_stand_apart() -> None:
    for width in (60, 100, 160):
        app = app_with(ScriptedMemory(known=told_today()))
        async with app.run_test(size=(width, 30)) as pilot:
            await pilot.press("ctrl+t")
            await settle(pilot)
            lanes, shown = app.screen.query_one(Lanes), screen_text(app).splitlines()
            scale = lanes.scale
            assert scale.column(lanes.now) - scale.column(instant("2025-03-14 21:22").us) > scale.width * 3 // 4
            labels = ("boss", "likes", "lives in", "works at")
            found = [shown.index(next(one for one in shown if one.startswith(f" {label} "))) for label in labels]
            assert found == list(range(found[0], found[0] + 8, 2)), "each second line is a lane"
            assert "said per minute" in shown[found[-1] + 2]
            assert "when you said it" in shown[found[-1] + 3]
            assert all(f"■ {group}" in "\n".join(shown) for group in ("home", "work", "tastes"))


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
