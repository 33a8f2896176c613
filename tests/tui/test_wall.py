"""A timeline and a map are saved as SVG that any program reads, as PNG where a program draws it, and as a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from app.tui.screens import timeline as wall
from store.errors import BadInput
from store.records import Fact
from tests.tui.scripted import ZONE, fact, instant, lives, world
from widgets.lane_index import lanes_of
from widgets.time_scale import DAY, Cursors
from widgets.vector import Heading, map_svg, timeline_pages, timeline_svg

NOW = instant("2025-03-14 21:40").us
SPAN = instant("2021-01-01").us, instant("2025-06-01").us
AT = Cursors(NOW, NOW, NOW, ZONE)
NASTY = 'Tom & "Ann" <script>alert(1)</script> \x1b[31m ü\u202e'


def timeline(facts: list[Fact]) -> str:
    return timeline_svg(lanes_of(facts, NOW), SPAN, AT, Heading("A timeline", "You live in Lisbon."), wall.paper())


def shown(svg: str, pages: Sequence[str] = (), facts: Sequence[Fact] = ()) -> wall.Shown:
    return wall.Shown("A timeline", "timeline", lambda _colours: svg, lambda _colours: pages or [svg], facts)


def words(svg: str) -> list[str]:
    return [one.text or "" for one in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_a_timeline_names_its_rulers_its_lanes_and_its_values() -> None:
    said = words(timeline(world()))
    assert {"true in the world", "when you said it", "lives in", "Porto, Rua das Flores", "2024"} <= set(said)


def test_a_long_timeline_is_cut_into_pages_each_with_its_heading_and_both_rulers() -> None:
    likes = [fact("me", "likes", f"tea {one:02}", ("2024-01-01", None), ("2024-01-02", None)) for one in range(60)]
    pages = timeline_pages(lanes_of(likes, NOW), SPAN, AT, Heading("A timeline", "You like tea."), wall.paper())
    assert len(pages) == 3
    for number, svg in enumerate(pages, 1):
        said = words(svg)
        assert {f"A timeline · page {number} of 3", "true in the world", "when you said it", "2024", "likes"} <= set(
            said
        )
        wide, high = map(float, (ElementTree.fromstring(svg).get("viewBox") or "").split()[2:])
        assert high / wide < 186 / 273, "an A4 page, landscape, within its margins"
    assert sorted(one for svg in pages for one in words(svg) if one.startswith("tea"))[::2] == [
        f"tea {one:02}" for one in range(60)
    ]


def test_a_picture_names_its_events_and_its_colours() -> None:
    went = fact("me", "event", "Kyoto", ("2024-01-04", "2024-01-05"), ("2024-02-20", None))
    svg = timeline([*world(), went])
    assert {"Kyoto", "home", "work"} <= set(words(svg))
    assert "<path" in svg


def test_the_line_of_today_goes_through_no_name() -> None:
    soon = fact("me", "event", "a flight to Ghent", ("2025-03-10", "2025-03-11"), ("2025-02-20", None))
    svg = timeline_svg(lanes_of([soon], NOW), (NOW - 60 * DAY, NOW + 60 * DAY), AT, Heading("", ""), wall.paper())
    (name,) = [line for line in svg.splitlines() if "a flight to Ghent</text>" in line]
    assert "paint-order='stroke'" in name
    assert svg.index("stroke-width='2'") < svg.index(name), "the line is below"


def test_both_cursors_say_their_day_and_no_date_is_cut_or_touches_them() -> None:
    for svg in (timeline(world()), map_svg(lives(), AT, Heading("A map", ""), wall.paper())):
        texts = [(float(one.get("x") or 0), float(one.get("y") or 0), one.text or "")
                 for one in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]  # fmt: skip
        assert [words for _x, _y, words in texts].count("today") == 2
        for day_x, day_y, _words in (one for one in texts if one[2] == "today"):
            row = [x for x, y, words in texts if abs(y - day_y) < 12 and x > 200 and words != "today"]
            assert all(abs(x - day_x) > 32 for x in row if day_x > 304)
        assert all(x + 8 * len(words) < 1280 for x, _y, words in texts if words.isdigit())


def test_what_a_lane_is_about_takes_the_room_that_its_value_leaves() -> None:
    long = fact("Dona Lídia", "has condition", "flu", ("2024-01-01", None), ("2024-01-01", None))
    assert "Dona Lídia · has condition" in words(timeline([long]))
    assert any(said.endswith("…") for said in words(timeline([replace(long, object="a cough that never ends")])))


def test_a_map_has_a_rectangle_for_each_belief() -> None:
    svg = map_svg(lives(), AT, Heading("A map", "You live in Lisbon."), wall.paper())
    assert {"true in the world →", "when you said it ↓"} <= set(words(svg))
    boxes = list(ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}rect"))
    assert len(boxes) == len(lives()) + 2  # the ground and the ruler


def test_words_from_outside_are_no_markup() -> None:
    nasty = fact("me", "lives_in", NASTY, ("2022-01-01", None), ("2022-01-01", None))
    for svg in (timeline([nasty]), map_svg([nasty], AT, Heading(NASTY, NASTY), wall.paper())):
        assert "<script" not in svg
        assert any("<script>" in said for said in words(svg))


@pytest.mark.parametrize("name", ["x.svg", "x.html"])
def test_it_is_written_once_in_the_form_that_its_name_asks_for(tmp_path: Path, name: str) -> None:
    to = wall.write(tmp_path / name, shown(timeline(world()), facts=world()), wall.paper(), NOW)
    text = to.read_text(encoding="utf-8")
    assert text.startswith("<svg" if name == "x.svg" else "<!doctype html>")
    assert "Lisbon" in text
    if name == "x.html":
        assert "since 1 September 2024" in text and "@page" in text
    with pytest.raises(BadInput, match="already"):
        wall.write(to, shown(""), wall.paper(), NOW)


def test_what_cannot_be_written_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(path: Path) -> Path:
        return wall.write(path, shown(timeline(world())), wall.paper(), NOW)

    with pytest.raises(BadInput, match=r"should end in \.svg"):
        write(tmp_path / "x.gif")
    with pytest.raises(BadInput, match="no folder"):
        write(tmp_path / "nowhere" / "x.svg")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BadInput, match=r"No program here draws a PNG.*save as \.svg"):
        write(tmp_path / "x.png")
    assert list(tmp_path.iterdir()) == []


def test_a_png_is_drawn_by_the_program_that_is_there_and_its_fault_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tmp_path / "bin" / "rsvg-convert"
    tool.parent.mkdir()
    tool.write_text('#!/bin/sh\ncase "$4" in *bad.png) echo broken >&2; exit 1;; esac\n/bin/cp "$5" "$4"\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tool.parent))
    made = wall.write(tmp_path / "x.png", shown(timeline(world())), wall.paper(), NOW)
    assert made.read_text(encoding="utf-8").startswith("<svg")
    with pytest.raises(BadInput, match=r"could not draw bad\.png: broken"):
        wall.write(tmp_path / "bad.png", shown(timeline(world())), wall.paper(), NOW)
    assert not list(tmp_path.glob("*.part"))
