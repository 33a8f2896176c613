"""Times are worded as exactly as they were said; chains tell a move from a correction; changes are told once."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from app.core.rendering import mark
from app.tui.theme import DARK, LIGHT
from store.memory import Memory
from store.records import Change, Link, Precision, Session, Source, Turn
from tests.tui.scripted import fact, instant, lives
from widgets.chain_rows import chain_rows, chain_summary, fact_detail, told
from widgets.fact_rows import fact_line
from widgets.look import glyph, salience_dots
from widgets.memory_panel import change_card, steps_of
from widgets.receipt import receipt
from widgets.result_rows import excerpt, session_rows
from widgets.states import GLYPHS, NAMES, legend, never_true
from widgets.whole_belief import each_once, whole
from widgets.wording import (
    Version,
    about,
    belief_stretch,
    believed,
    count,
    milliseconds,
    quoted,
    since,
    value,
    world_stretch,
)

NOW = instant("2025-03-14").us
DIED = fact("Rosa", "died", "died", ("2025-03-01", "2025-04-01"), ("2025-03-14", None), precision=Precision.MONTH)
ROOT = Path(__file__).resolve().parents[2]


def test_what_is_called_as_its_value_is_said_once() -> None:
    assert (about(DIED), value(DIED)) == ("Rosa", "died")
    assert str(fact_line(DIED, NOW, 8, 60)).count("died") == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I used to live in Bristol maybe", "? no longer: lives in Bristol"),
        ("Dev isn't an EMT any more, maybe", "? no longer: Dev · job EMT"),
        ("I've stopped seeing kuba, maybe", "? no longer: partner Kuba"),
        ("Kuba isn't my colleague maybe", "? colleague not Kuba"),
    ],
)
def test_an_end_that_is_unsure_reads_as_an_end(memory: Memory, text: str, told: str) -> None:
    (change,) = memory.reading.learn(memory.episodes.remember(Turn(text, "s")).id)
    assert receipt([change]) == f"Noted: {told}"
    assert change.new is not None
    row = str(fact_line(change.new, NOW, 10, 60))
    assert (f" no longer {change.new.object}" in row) is ("no longer" in told)
    assert (" not " in row) is ("not" in told)


@pytest.mark.parametrize(
    ("session", "said", "shown"),
    [
        ("s", "I live in Porto.", "“I live in Porto.”"),
        (
            "by hand",
            "Correction: me, works at: Tide (instead of cafe)",
            "put right by hand: works at: Tide (instead of cafe)",
        ),
        ("by hand", "Katie is the same as Kate.", "by hand: Katie is the same as Kate."),
    ],
)
def test_only_what_somebody_said_is_quoted(session: str, said: str, shown: str) -> None:
    assert quoted(Source("e1", None, 0, len(said), said, instant("2025-03-14"), "me", session)) == shown


@pytest.mark.parametrize("width", [40, 45, 60])
def test_since_when_it_is_known_is_never_told_as_since_when_it_is_so(width: int) -> None:
    known = fact("me", "hobby", "chess", ("2025-03-01", None), ("2025-03-01", None), precision=Precision.OPEN)
    shown = str(fact_line(known, NOW, 8, width))
    assert "1 March" not in shown or "known" in shown


@pytest.mark.parametrize("width", [40, 45, 60])
def test_what_was_told_of_once_has_no_end_the_day_after(width: int) -> None:
    told_once = ("2025-03-01", "2025-03-02")
    cost = fact("me", "cost", "90", told_once, ("2025-03-01", None), precision=Precision.OPEN)
    cost = replace(cost, precision_to=Precision.OPEN)
    assert (since(cost, NOW), world_stretch(cost)) == ("told on 1 March", "told 2025-03-01")
    assert "2 March" not in str(fact_line(cost, NOW, 8, width))
    over = replace(cost, valid_to=instant("2025-03-09"))
    assert since(over, NOW).endswith("until 9 March")


@pytest.mark.parametrize(
    ("start", "end", "precision", "few", "full"),
    [
        ("2024-05-14", None, Precision.DAY, "since 14 May", "2024-05-14 → now"),
        ("2024-05-01", None, Precision.MONTH, "since May", "2024-05 → now"),
        ("2024-01-01", None, Precision.YEAR, "since 2024", "2024 → now"),
        ("2024-05-14", None, Precision.OPEN, "known since 14 May", "known 2024-05-14 → now"),
        ("2024-05-14", "2024-05-15", Precision.DAY, "on 14 May", "on 2024-05-14"),
        ("2024-05-01", "2024-06-01", Precision.MONTH, "in May", "in 2024-05"),
        ("2019-01-01", "2020-01-01", Precision.YEAR, "in 2019", "in 2019"),
        ("2024-05-14", "2024-09-01", Precision.DAY, "from 14 May to 1 September", "2024-05-14 → 2024-09-01"),
        (None, "2024-09-01", Precision.DAY, "until 1 September", "unknown → 2024-09-01"),
        (None, None, Precision.DAY, "always, as far as known", "unknown → now"),
    ],
)
def test_a_stretch_is_worded_at_its_precision(
    start: str | None, end: str | None, precision: Precision, few: str, full: str
) -> None:
    one = fact("me", "x", "y", (start, end), ("2024-05-14", None), precision=precision)
    assert since(one, instant("2024-12-31").us) == few
    assert world_stretch(one) == full


def test_a_season_that_ends_with_its_first_month_has_two_ends() -> None:
    one = fact("me", "x", "y", ("2024-06-01", "2024-06-30"), ("2024-05-14", None), precision=Precision.SEASON)
    assert world_stretch(replace(one, precision_to=Precision.MONTH)) == "season from 2024-06 → 2024-06"


def test_another_year_than_this_one_is_said() -> None:
    one = fact("me", "x", "y", ("2024-05-01", "2025-02-01"), ("2024-05-14", "2025-01-01"), precision=Precision.MONTH)
    assert since(one, NOW) == "from May 2024 to 1 February"
    assert believed(one, NOW) == "from 14 May 2024 to 1 January"
    assert since(replace(one, precision=Precision.OPEN), NOW) == "known from 1 May 2024, until 1 February"


def test_a_boundary_that_nobody_said_is_about() -> None:
    one = replace(lives()[0], valid_from_after=instant("2024-08-01"), precision=Precision.OPEN)
    assert since(one) == "since about 1 September 2024"
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
    from app.tui.screens.beliefs import BeliefsScreen
    from widgets.lanes import Lanes

    readme = " ".join((ROOT / "app/README.md").read_text(encoding="utf-8").split())
    for state, glyph_ in GLYPHS.items():
        assert f"{glyph_} {NAMES[state]}" in readme
        assert f"{glyph_} {NAMES[state]}" in legend()
        assert f"{glyph_} {NAMES[state]}" in BeliefsScreen.HELP
        assert state not in ("never", "then") or f"{glyph_} {NAMES[state].partition(',')[0]}" in Lanes.HELP


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


def test_what_was_told_and_ended_on_one_day_has_one_date() -> None:
    minute, later = instant("2025-03-14 09:43"), instant("2025-03-14 09:44")
    tennis = replace(
        fact("me", "plays", "tennis", ("2025-03-14 09:43", "2025-03-14 09:44"), ("2025-03-14 09:44", None)),
        precision=Precision.OPEN, precision_to=Precision.OPEN, valid_to_after=minute,
    )  # fmt: skip
    assert (since(tennis, NOW), world_stretch(tennis)) == ("known on 14 March", "known 2025-03-14")
    gone = replace(tennis, valid_to=None, valid_to_after=None, believed_from=minute, believed_to=later, ended="update")
    assert (believed(gone, NOW), belief_stretch(gone)) == ("on 14 March", "2025-03-14 09:43 → 09:44")
    assert world_stretch(gone) == "known 2025-03-14 → open", "it is not so now, as far as is known"
    rex = replace(gone, ended="correct")
    assert fact_detail(rex, NOW, NOW, 100, NOW).plain.splitlines()[1].split("   ") == [
        "  never true · believed on 14 March", "2025-03-14 09:43 → 09:44",
    ]  # fmt: skip


def test_what_took_the_place_of_a_belief_stands_above_it_whenever_it_began_in_the_world() -> None:
    """ "I live in Porto", "I moved to Lisbon in September", in one sitting; then of a job what never was so."""
    porto = fact("me", "lives_in", "Porto", ("2024-11-29", None), ("2024-11-29 10:00", "2024-11-29 10:01"),
                 precision=Precision.OPEN, ended="update")  # fmt: skip
    lisbon = fact("me", "lives_in", "Lisbon", ("2024-09-01", None), ("2024-11-29 10:01", None), change="update",
                  supersedes=porto.id)  # fmt: skip
    before = fact("me", "lives_in", "Braga", ("2019-01-01", "2020-01-01"), ("2024-12-01", None), change="backfill")
    links = [Link(one, one.change, "") for one in (porto, lisbon, before)]
    assert [step.fact.object for step in told(links)] == ["Lisbon", "Porto", "Braga"]
    shown = [row.shown.plain for row in chain_rows(links[:2], NOW, 90)]
    assert [next(word for word in ("Lisbon", "moved", "Porto") if word in row) for row in shown] == [
        "Lisbon", "moved", "Porto",
    ]  # fmt: skip
    dates = (("2024-01-01", None), ("2024-01-01", "2024-02-01"))
    wrong = fact("me", "works_at", "Barco", *dates, ended="correct")
    worse = fact(
        "me", "works_at", "Sonda", dates[0], ("2024-02-01", "2024-03-01"), supersedes=wrong.id, ended="correct"
    )
    right = fact("me", "works_at", "Acme", dates[0], ("2024-03-01", None), change="correct", supersedes=worse.id)
    steps = told([Link(one, one.change, "") for one in (wrong, right, worse)])
    assert [step.fact.object for step in steps] == ["Acme", "Sonda", "Barco"]


def test_what_was_believed_again_after_a_break_is_another_belief() -> None:
    one = fact("me", "boss", "Ana", ("2024-01-01", None), ("2024-01-05", "2024-03-01"), ended="correct")
    redated = fact("me", "boss", "Ana", ("2024-02-01", None), ("2024-03-01", None))
    again = fact("me", "boss", "Ana", ("2024-02-01", None), ("2024-06-01", None))
    assert believed(whole(redated, [one, redated]), NOW) == "since 5 January 2024"
    assert believed(whole(one, [one, redated]), NOW) == "since 5 January 2024"
    assert not never_true(whole(one, [one, redated]))
    assert whole(again, [one, again]) == again
    assert [step.id for step in each_once([one, redated])] == [redated.id]


def test_what_was_only_dated_anew_is_not_news() -> None:
    lisbon, after, before, _wrong = lives()
    at = lisbon.believed_from
    changes = (Change(at, "update", after, before), Change(at, "update", lisbon, before))
    assert steps_of(changes) == (changes[1],)
    assert change_card(changes[1], 40).plain.splitlines()[1].strip() == "was Porto, Rua das Flores"
    assert change_card(Change(at, "stop", None, before), 40).plain.startswith("−")
    assert change_card(Change(at, "new", lisbon, None), 40).plain.startswith("+")


def test_what_was_only_so_in_the_past_does_not_look_new() -> None:
    then, today = instant("2025-03-14"), lives()[0].believed_from
    used_to = replace(
        lives()[0], valid_from=None, valid_to=then, precision_to=Precision.OPEN, text="You lived in Bruges."
    )
    assert change_card(Change(then, "new", used_to, None), 40, then.us).plain == "○ You lived in Bruges"
    dated = replace(used_to, precision_to=Precision.YEAR)
    assert change_card(Change(then, "backfill", dated, None), 40, then.us).plain == "○ You lived in Bruges, until 2025"
    went = fact("me", "event", "wedding", ("2025-03-10", "2025-03-11"), ("2025-03-14", None))
    assert change_card(Change(then, "new", went, None), 40, then.us).plain.startswith("+ event wedding")
    ended = replace(lives()[0], valid_to=then)
    assert change_card(Change(today, "stop", ended, lives()[0]), 40, then.us).plain.startswith("−")


def test_an_excerpt_shows_what_was_found() -> None:
    text = "word " * 60 + "needle here " + "word " * 60
    found = excerpt(text, "Needle", 60)
    assert "needle" in found.plain
    assert len(found.plain) <= 60
    assert found.spans
    assert excerpt("nothing", "[/x] (", 40).plain == "nothing"


def test_conversations_are_in_order_under_their_day_week_and_month() -> None:
    days = ("2024-01-01", "2024-02-29", "2024-03-01", "2024-03-10", "2024-03-11", "2024-03-13", "2024-03-14")
    sessions = [Session(day, day, "chat", instant(day), instant(day), 1) for day in days]
    pinned = Session("pin", "pin", "chat", instant("2023-01-01"), instant("2023-01-01"), 1, True)
    rows = session_rows([*sessions, pinned, Session("no", "no", "chat", None, None, 1)], 60, date(2024, 3, 13))
    assert [row.record.key if isinstance(row.record, Session) else row.shown.plain.strip() for row in rows] == [
        "PINNED", "pin", "TODAY", "2024-03-14", "2024-03-13", "THIS WEEK", "2024-03-11",
        "THIS MONTH", "2024-03-10", "2024-03-01", "FEBRUARY 2024", "2024-02-29", "JANUARY 2024", "2024-01-01",
        "WITHOUT A DAY", "no",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("title", "key", "called"),
    [
        ("A walk", "chat-1782138000000000", "A walk"),
        ("", "chat-1782138000000000", "(no title)"),
        ("", "branch-1782138000000000-from-e4", "(no title)"),
        ("", "claude:9b1f0c2e-77aa", "(no title)"),
        ("", "chat-1782138000000001", "I live in Porto now"),
        ("", "2026-11-19-a-year-and-a-bit", "a year and a bit"),
        ("", "holiday", "holiday"),
    ],
)
def test_a_conversation_without_a_title_shows_no_key_that_a_program_made_up(title: str, key: str, called: str) -> None:
    opening = "I live in\n Porto now" if key.endswith("1") else ""
    session = Session(key, title, "chat", instant("2024-03-14"), instant("2024-03-14"), 1, opening=opening)
    shown = session_rows([session], 60, date(2024, 3, 14))[-1].shown.plain
    assert called in shown
    assert title or called == key or key not in shown


def test_conversations_of_one_name_are_told_apart_by_when_they_began() -> None:
    days = ("2024-03-03", "2023-10-12")
    sessions = [Session(day, "Chat with Gemma", "import", instant(day), instant("2024-03-14"), 2) for day in days]
    other = Session("o", "Moving", "chat", instant("2024-03-01"), instant("2024-03-01"), 2)
    rows = [row.shown.plain for row in session_rows([*sessions, other], 70, date(2024, 3, 14)) if row.record]
    assert [row.split("  ")[1] for row in rows] == [
        "Chat with Gemma, from 3 March", "Chat with Gemma, from 12 October 2023", "Moving",
    ]  # fmt: skip
    narrow = [row.shown.plain for row in session_rows(sessions, 50, date(2024, 3, 14)) if row.record]
    assert all(len(row) <= 50 for row in narrow), "where there is no room, its last day must do"


def test_versions_of_a_conversation_stand_together_by_their_own_words() -> None:
    def session(key: str, when: str) -> Session:
        return Session(key, "where do I live?", "chat", instant(when), instant(when), 2)

    known = {"a": Version("a", 1, ""), "b": Version("a", 2, "And in May?")}
    sessions = [session("b", "2024-03-14"), session("c", "2024-03-13"), session("a", "2024-03-02")]
    rows = [row.shown.plain for row in session_rows(sessions, 70, date(2024, 3, 14), known)]
    assert [row.split("  ")[1].strip() for row in rows[1:3]] == ["where do I live?, from 2 March", ""]
    assert "↳ version 2: And in May?" in rows[2] and "+2 turns" in rows[2]
    assert len(rows) == 5 and "version" not in rows[4]


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
