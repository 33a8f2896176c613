"""Times are worded as exactly as they were said; chains tell a move from a correction; changes are told once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.rendering import mark
from app.theme import DARK, LIGHT
from store.records import Change, Link, Precision, Session
from tests.tui.scripted import fact, instant, lives
from widgets.chain_rows import chain_rows, chain_summary, told
from widgets.look import glyph, salience_dots
from widgets.memory_panel import change_card, steps_of
from widgets.result_rows import excerpt, session_rows
from widgets.states import GLYPHS, NAMES, legend, never_true
from widgets.wording import belief_stretch, count, milliseconds, since, world_stretch

NOW = instant("2025-03-14").us
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("start", "end", "precision", "few", "full"),
    [
        ("2024-05-14", None, Precision.DAY, "since 2024-05-14", "2024-05-14 → now"),
        ("2024-05-01", None, Precision.MONTH, "since 2024-05", "2024-05 → now"),
        ("2024-01-01", None, Precision.YEAR, "since 2024", "2024 → now"),
        ("2024-05-14", None, Precision.OPEN, "known since 2024-05-14", "by 2024-05-14 → now"),
        ("2024-05-14", "2024-05-15", Precision.DAY, "on 2024-05-14", "on 2024-05-14"),
        ("2024-05-01", "2024-06-01", Precision.MONTH, "in 2024-05", "in 2024-05"),
        ("2019-01-01", "2020-01-01", Precision.YEAR, "in 2019", "in 2019"),
        ("2024-05-14", "2024-09-01", Precision.DAY, "2024-05-14 → 2024-09-01", "2024-05-14 → 2024-09-01"),
        (None, "2024-09-01", Precision.DAY, "until 2024-09-01", "unknown → 2024-09-01"),
        (None, None, Precision.DAY, "always, as far as known", "unknown → now"),
    ],
)
def test_a_stretch_is_worded_at_its_precision(
    start: str | None, end: str | None, precision: Precision, few: str, full: str
) -> None:
    one = fact("me", "x", "y", (start, end), ("2024-05-14", None), precision=precision)
    assert since(one) == few
    assert world_stretch(one) == full


def test_a_boundary_that_nobody_said_is_about() -> None:
    one = replace(lives()[0], valid_from_after=instant("2024-08-01"), precision=Precision.OPEN)
    assert since(one) == "since about 2024-09-01"
    assert belief_stretch(lives()[3]) == "2023-10-30 → 2023-11-02"


def test_states_have_glyphs() -> None:
    lisbon, after, before, wrong = lives()
    assert [glyph(one, NOW, NOW)[0] for one in (lisbon, after, before, wrong)] == ["●", "○", "╌", "✗"]
    then = instant("2023-10-31").us
    assert glyph(wrong, then, then)[0] == "●"
    assert glyph(replace(lisbon, disputed=True), NOW, NOW)[0] == "?"
    later = replace(lisbon, valid_from=instant("2099-01-01"))
    assert glyph(later, NOW, NOW)[0] == "◌", "what is to come was never true yet"
    assert [mark(one, NOW) for one in (lisbon, after, before, wrong, later)] == ["●", "○", "╌", "✗", "◌"]
    assert never_true(wrong)
    assert not never_true(before)
    assert [salience_dots(share) for share in (0, 0.5, 1)] == ["○○○○○", "●●○○○", "●●●●●"]


def test_every_legend_has_the_states_of_the_one_table() -> None:
    from app.screens.beliefs import BeliefsScreen
    from widgets.lanes import Lanes

    readme = " ".join((ROOT / "app/README.md").read_text(encoding="utf-8").split())
    for state, glyph_ in GLYPHS.items():
        assert f"{glyph_} {NAMES[state]}" in readme
        assert f"{glyph_} {NAMES[state]}" in legend()
        assert f"{glyph_} {NAMES[state]}" in BeliefsScreen.HELP
        assert state == "unsettled" or f"{glyph_} {NAMES[state]}" in Lanes.HELP


def test_a_chain_tells_each_value_once_with_the_reason_between() -> None:
    links = [Link(one, one.change, one.sources[0].quote) for one in lives()]
    steps = told(links)
    assert [step.fact.object for step in steps] == [
        "Lisbon, Rua da Rosa", "Porto, Rua das Flores", "Porto, Rua de Cedofeita",
    ]  # fmt: skip
    assert steps[1].fact.believed_from == instant("2023-11-02 08:15")
    for width in (40, 90):
        rows = "\n".join(row.shown.plain for row in chain_rows(links, NOW, width))
        assert rows.index("moved") < rows.index("corrected")
        assert "never true" in rows
    assert chain_summary(links) == "2 values · 3 steps · 3 source turns"
    assert chain_rows([], NOW, 80) == []


def test_what_was_only_dated_anew_is_not_news() -> None:
    lisbon, after, before, _wrong = lives()
    at = lisbon.believed_from
    changes = (Change(at, "update", after, before), Change(at, "update", lisbon, before))
    assert steps_of(changes) == (changes[1],)
    assert change_card(changes[1], 40).plain.splitlines()[1].strip() == "was Porto, Rua das Flores"
    assert change_card(Change(at, "stop", None, before), 40).plain.startswith("−")
    assert change_card(Change(at, "new", lisbon, None), 40).plain.startswith("+")


def test_an_excerpt_shows_what_was_found() -> None:
    text = "word " * 60 + "needle here " + "word " * 60
    found = excerpt(text, "Needle", 60)
    assert "needle" in found.plain
    assert len(found.plain) <= 60
    assert found.spans
    assert excerpt("nothing", "[/x] (", 40).plain == "nothing"


def test_conversations_are_in_order() -> None:
    def session(key: str, day: str, *, pinned: bool = False) -> Session:
        return Session(key, key, "chat", instant(day), instant(day), 1, pinned)

    rows = session_rows([session("old", "2024-01-01"), session("new", "2024-02-01"),
                         session("pin", "2023-01-01", pinned=True)], 60)  # fmt: skip
    assert [row.record.key for row in rows if isinstance(row.record, Session)] == ["pin", "new", "old"]


def test_counts_and_times_read_well() -> None:
    assert [count(number, "turn") for number in (0, 1, 1200)] == ["no turns", "1 turn", "1,200 turns"]
    assert [milliseconds(amount) for amount in (0.41, 38.2, 1234)] == ["0.4 ms", "38 ms", "1.2 s"]


def luminance(colour: str) -> float:
    """WCAG's relative luminance of #rrggbb."""
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.03928 else ((one + 0.055) / 1.055) ** 2.4 for one in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
def test_every_colour_can_be_read_on_every_ground(theme: object) -> None:
    assert theme in (DARK, LIGHT)
    one = DARK if theme is DARK else LIGHT
    inks = [one.primary, one.success, one.warning, one.error, one.accent, one.foreground, one.variables["quiet"]]
    for ground in (one.background, one.panel, one.variables["block-cursor-background"]):
        for ink in inks:
            assert contrast(str(ink), str(ground)) >= 4.5, (ink, ground)
    for signal in (one.warning, one.accent):
        assert contrast(one.variables["on-signal"], str(signal)) >= 4.5
