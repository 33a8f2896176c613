"""Times are read against the turn's own moment and zone: nothing here depends on the machine's."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from store.errors import BadTime
from store.records import Instant, Precision, Stretch
from store.time.expressions import day_start, parse_iso, parse_when, read_times, read_told, stretch_of
from store.time.wording import describe, describe_span

BERLIN = ZoneInfo("Europe/Berlin")
NEW_YORK = ZoneInfo("America/New_York")
SAO_PAULO = ZoneInfo("America/Sao_Paulo")
HOUR = 3_600_000_000
SAID = datetime(2024, 5, 15, 10, 30, tzinfo=BERLIN)


def us(text: str) -> int:
    """Microseconds of an ISO time with offset."""
    return Instant.of(datetime.fromisoformat(text)).us


def edges(sentence: str, said: datetime) -> tuple[str, str]:
    """The ends of the first expression, in UTC."""
    stretch = read_times(sentence, said)[0].stretch
    assert stretch is not None and stretch.start is not None and stretch.end is not None
    return Instant(stretch.start, 0).iso()[:16], Instant(stretch.end, 0).iso()[:16]


@pytest.mark.parametrize(
    ("sentence", "year"),
    [
        ("Surgery is on the books: January 13, Tucson.", "2025"),
        ("Jonas is the one emigrating: Rotterdam, in March, for good.", "2025"),
        ("We went to Rome: in April, with Ana.", "2024"),
    ],
)
def test_beyond_a_colon_only_what_is_to_be_is_heard(sentence: str, year: str) -> None:
    assert edges(sentence, SAID)[0][:4] == year


@pytest.mark.parametrize(
    ("text", "zone", "expected"),
    [
        ("2024-03-15T14:30:00+01:00", UTC, "2024-03-15T14:30:00+01:00"),
        ("2024-03-15T14:30:00Z", BERLIN, "2024-03-15T14:30:00+00:00"),
        ("2024-03-15T14:30", BERLIN, "2024-03-15T14:30:00+01:00"),
        ("2024-07-15 14:30", BERLIN, "2024-07-15T14:30:00+02:00"),
        ("2024-07-15", BERLIN, "2024-07-15T00:00:00+02:00"),
        (" 2024-07-15 ", timezone(timedelta(hours=14)), "2024-07-15T00:00:00+14:00"),
        ("2024-07-15", timezone(timedelta(hours=-12)), "2024-07-15T00:00:00-12:00"),
        ("2024-03-31T02:30", BERLIN, "2024-03-31T03:30:00+02:00"),
        ("2024-10-27T02:30", BERLIN, "2024-10-27T02:30:00+02:00"),
    ],
)
def test_parse_iso(text: str, zone: ZoneInfo, expected: str) -> None:
    assert parse_iso(text, zone).iso() == expected


@pytest.mark.parametrize("text", ["", "yesterday", "2024-13-01", "2024-02-30", "15.03.2024", "0001-01-01T00:00+14:00x"])
def test_parse_iso_refuses_anything_else_in_one_sentence(text: str) -> None:
    with pytest.raises(BadTime, match="ISO 8601"):
        parse_iso(text, UTC)


def test_iso_round_trips() -> None:
    instant = Instant.of(datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC))
    assert parse_iso(Instant(instant.us, 3600).iso(), UTC).us == instant.us


@pytest.mark.parametrize(
    ("precision", "start", "end"),
    [
        (Precision.DAY, "2024-05-15T00:00+02:00", "2024-05-16T00:00+02:00"),
        (Precision.WEEK, "2024-05-13T00:00+02:00", "2024-05-20T00:00+02:00"),
        (Precision.MONTH, "2024-05-01T00:00+02:00", "2024-06-01T00:00+02:00"),
        (Precision.SEASON, "2024-03-01T00:00+01:00", "2024-06-01T00:00+02:00"),
        (Precision.YEAR, "2024-01-01T00:00+01:00", "2025-01-01T00:00+01:00"),
    ],
)
def test_stretch_of(precision: Precision, start: str, end: str) -> None:
    stretch = stretch_of(SAID, precision)
    assert (stretch.start, stretch.end, stretch.precision) == (us(start), us(end), precision)


def test_stretch_of_an_exact_and_an_open_time() -> None:
    moment = Instant.of(SAID).us
    assert stretch_of(SAID, Precision.EXACT) == Stretch(moment, moment + 1, Precision.EXACT, 7200)
    assert stretch_of(SAID, Precision.OPEN) == Stretch(moment, None, Precision.OPEN, 7200)


def test_a_winter_reaches_over_the_year() -> None:
    stretch = stretch_of(datetime(2024, 1, 20, tzinfo=UTC), Precision.SEASON)
    assert (stretch.start, stretch.end) == (us("2023-12-01T00:00+00:00"), us("2024-03-01T00:00+00:00"))


def test_sunday_belongs_to_the_week_that_began_on_monday() -> None:
    stretch = stretch_of(datetime(2024, 5, 19, 23, 59, tzinfo=UTC), Precision.WEEK)
    assert stretch.start == us("2024-05-13T00:00+00:00")


@pytest.mark.parametrize(("day", "hours"), [(date(2024, 3, 31), 23), (date(2024, 10, 27), 25), (date(2024, 5, 1), 24)])
def test_a_day_with_a_clock_change_keeps_its_length(day: date, hours: int) -> None:
    assert day_start(day + timedelta(days=1), BERLIN).us - day_start(day, BERLIN).us == hours * HOUR


def test_a_day_whose_midnight_is_skipped_begins_with_its_first_moment() -> None:
    assert day_start(date(2018, 11, 4), SAO_PAULO).iso() == "2018-11-04T01:00:00-02:00"


def test_yesterday_after_the_spring_change_has_23_hours() -> None:
    said = datetime(2024, 4, 1, 9, tzinfo=BERLIN)
    assert edges("yesterday", said) == ("2024-03-30T23:00", "2024-03-31T22:00")


def test_winter_dates_take_the_winter_offset_though_said_in_summer() -> None:
    assert edges("on 3 January 2024", SAID) == ("2024-01-02T23:00", "2024-01-03T23:00")


def test_hours_are_counted_on_the_clock_and_days_on_the_calendar() -> None:
    said = datetime(2024, 3, 30, 12, tzinfo=BERLIN)
    assert edges("tomorrow at noon", said)[0] == "2024-03-31T10:00"


def test_a_clock_time_in_the_gap_and_in_the_fold() -> None:
    assert edges("at 2:30 on 2024-03-31", SAID)[0] == "2024-03-31T01:30"
    assert edges("at 2:30 on 2024-10-27", SAID)[0] == "2024-10-27T00:30"


@pytest.mark.parametrize(
    ("said", "sentence", "start"),
    [
        ("2024-01-01T00:05:00+01:00", "yesterday", "2023-12-30T23:00"),
        ("2024-01-01T00:05:00+01:00", "last month", "2023-11-30T23:00"),
        ("2024-01-01T00:05:00+01:00", "last week", "2023-12-24T23:00"),
        ("2024-12-31T23:59:00+01:00", "tomorrow", "2024-12-31T23:00"),
        ("2024-12-31T23:59:00+01:00", "next year", "2024-12-31T23:00"),
        ("2024-12-31T23:59:00+01:00", "this week", "2024-12-29T23:00"),
        ("2024-05-15T23:59:00+14:00", "today", "2024-05-14T10:00"),
        ("2024-05-15T00:01:00-12:00", "today", "2024-05-15T12:00"),
        ("2024-03-31T12:00:00+00:00", "a month ago", "2024-02-01T00:00"),
        ("2024-02-29T12:00:00+00:00", "a year ago", "2023-01-01T00:00"),
    ],
)
def test_ends_of_years_days_and_zones(said: str, sentence: str, start: str) -> None:
    assert edges(sentence, datetime.fromisoformat(said))[0] == start


@pytest.mark.parametrize(
    ("sentence", "start"),
    [
        ("I signed for the flat, moving on the 15th of December", "2026-12-15"),
        ("she told me the wedding is on 3 January", "2027-01-03"),
        ("I quit in September", "2026-09-01"),
        ("the fee goes up to 45 from July", "2027-07-01"),
        ("the surveyor is booked for the 3rd", "2026-12-03"),
        ("eye test booked 19th", "2026-12-19"),
        ("scaffolding moved to the 5th", "2026-12-05"),
        ("they raised the rent in May", "2026-05-01"),
        ("we met on 15 December 2025", "2025-12-15"),
        ("we met last December", "2025-12-01"),
        ("I moved ten months ago", "2026-01-01"),
        ("I have lived here since December", "2025-12-01"),
        ("in January I was at the clinic", "2026-01-01"),
        ("On 3 January we visited Dad", "2026-01-03"),
    ],
)
def test_a_bare_date_far_back_is_ahead_where_it_is_told(sentence: str, start: str) -> None:
    (found,) = read_told(sentence, datetime(2026, 11, 23, 10, tzinfo=UTC))
    assert found.stretch is not None and found.stretch.start is not None
    assert Instant(found.stretch.start, 0).iso()[:10] == start


@pytest.mark.parametrize(
    ("sentence", "start"),
    [
        ("I signed the contract, moving on the 15th of June", "2024-06-14T22:00"),
        ("I was moving on the 15th of June", "2023-06-14T22:00"),
    ],
)
def test_what_is_said_to_be_moving_lies_ahead_where_no_verb_says_when(sentence: str, start: str) -> None:
    assert edges(sentence, SAID)[0] == start


def test_the_same_words_said_in_two_zones_name_two_days() -> None:
    moment = datetime(2024, 5, 15, 2, 0, tzinfo=UTC)
    assert edges("today", moment.astimezone(BERLIN))[0] == "2024-05-14T22:00"
    assert edges("today", moment.astimezone(NEW_YORK))[0] == "2024-05-14T04:00"


def test_a_zone_in_the_text_is_moved_into_the_speakers() -> None:
    assert edges("the call is at 4pm GMT", SAID)[0] == "2024-05-15T16:00"
    assert edges("2024-05-20T08:00:00-05:00", SAID)[0] == "2024-05-20T13:00"


def test_an_anchor_without_a_zone_is_refused() -> None:
    with pytest.raises(BadTime):
        read_times("yesterday", SAID.replace(tzinfo=None))
    with pytest.raises(BadTime):
        stretch_of(SAID.replace(tzinfo=None), Precision.DAY)


@pytest.mark.parametrize(
    ("text", "described", "precision"),
    [
        ("2024-03", "March 2024", "month"),
        ("in July 2023", "July 2023", "month"),
        ("last Friday", "10 May 2024", "day"),
        ("March", "March 2024", "month"),
        ("june", "June 2023", "month"),
        ("now", "10:30 on 15 May 2024", "exact"),
        ("yesterday", "14 May 2024", "day"),
        ("2021", "2021", "year"),
        ("2021-05-03", "3 May 2021", "day"),
        ("2024-03-15T14:30", "14:30 on 15 March 2024", "exact"),
        ("since 2019", "2019", "year"),
        ("the 90s", "the 1990s", "year"),
        ("spring 2023", "spring 2023", "season"),
        ("last week", "the week of 6 May 2024", "week"),
        ("im März 2021", "March 2021", "month"),
        ("el 3 de mayo de 2021", "3 May 2021", "day"),
        ("지난주", "the week of 6 May 2024", "week"),
        ("2021年5月3日", "3 May 2021", "day"),
        ("3 mars 2021", "3 March 2021", "day"),
    ],
)
def test_parse_when(text: str, described: str, precision: str) -> None:
    stretch = parse_when(text, SAID)
    assert (describe(stretch), stretch.precision.value) == (described, precision)


@pytest.mark.parametrize(
    "text", ["", "hello", "hello yesterday", "a while ago", "every day", "12", "2023-02-30", "Friday or Monday"]
)
def test_parse_when_never_turns_what_it_cannot_read_into_all_of_time(text: str) -> None:
    with pytest.raises(BadTime, match="write a date such as"):
        parse_when(text, SAID)


@pytest.mark.parametrize(
    ("start", "end", "precision", "words"),
    [
        ("2021-05-03", "2021-05-04", Precision.DAY, "3 May 2021"),
        ("2021-05-03", "2021-05-08", Precision.DAY, "3 to 7 May 2021"),
        ("2021-05-30", "2021-06-03", Precision.DAY, "30 May to 2 June 2021"),
        ("2023-06-01", "2023-07-01", Precision.MONTH, "June 2023"),
        ("2023-06-11", "2023-06-21", Precision.MONTH, "mid June 2023"),
        ("2023-05-01", "2023-08-01", Precision.MONTH, "May to July 2023"),
        ("2022-12-01", "2023-03-01", Precision.MONTH, "December 2022 to February 2023"),
        ("2022-03-01", "2022-06-01", Precision.SEASON, "spring 2022"),
        ("2022-12-01", "2023-03-01", Precision.SEASON, "winter 2022/23"),
        ("2023-07-01", "2023-10-01", Precision.SEASON, "the third quarter of 2023"),
        ("2021-01-01", "2022-01-01", Precision.YEAR, "2021"),
        ("2020-01-01", "2020-05-01", Precision.YEAR, "early 2020"),
        ("2014-01-01", "2019-01-01", Precision.YEAR, "2014 to 2018"),
        ("2024-05-13", "2024-05-20", Precision.WEEK, "the week of 13 May 2024"),
        ("2024-05-18", "2024-05-20", Precision.WEEK, "the weekend of 18 May 2024"),
        ("2024-05-01", "2024-05-02", Precision.WEEK, "about 1 May 2024"),
        ("2021-05-03T14:30", "2021-05-03T14:31", Precision.EXACT, "14:30 on 3 May 2021"),
        ("2021-05-03T06:00", "2021-05-03T12:00", Precision.DAY, "the morning of 3 May 2021"),
        ("2021-05-03T20:00", "2021-05-04T00:00", Precision.DAY, "the night of 3 May 2021"),
        ("2021-05-03T10:30", "2021-05-04T00:00", Precision.DAY, "3 May 2021"),
        ("2024-05-17", "2024-05-20", Precision.WEEK, "17 to 19 May 2024"),
    ],
)
def test_describe(start: str, end: str, precision: Precision, words: str) -> None:
    zone = timezone(timedelta(hours=1))
    first, last = parse_iso(start, zone), parse_iso(end, zone)
    assert describe(Stretch(first.us, last.us, precision, first.offset)) == words


def test_describe_open_ends_and_clock_changes() -> None:
    start = us("2024-03-01T00:00+01:00")
    assert describe(Stretch(start, None, Precision.MONTH, 3600)) == "since March 2024"
    assert describe(Stretch(None, start, Precision.DAY, 3600)) == "until 1 March 2024"
    assert describe(Stretch(None, None)) == "at an unknown time"
    assert describe(stretch_of(datetime(2024, 3, 20, tzinfo=BERLIN), Precision.MONTH)) == "March 2024"
    assert describe(stretch_of(datetime(2024, 3, 31, 12, tzinfo=BERLIN), Precision.DAY)) == "31 March 2024"


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        ("2020-01-01", "2022-04-01", "2 years and 3 months"),
        ("2020-01-01", "2021-01-01", "1 year"),
        ("2020-01-01", "2020-02-05", "5 weeks"),
        ("2020-01-01", "2020-02-07", "about 5 weeks"),
        ("2020-01-01", "2020-01-18", "17 days"),
        ("2020-01-01", "2020-06-01", "5 months"),
        ("2020-01-01T10:00", "2020-01-01T10:45", "45 minutes"),
        ("2020-01-01T10:00", "2020-01-01T17:00", "7 hours"),
        ("2020-01-01T10:00:00", "2020-01-01T10:00:09", "less than a minute"),
    ],
)
def test_describe_span(start: str, end: str, words: str) -> None:
    assert describe_span(parse_iso(start, UTC).us, parse_iso(end, UTC).us) == words


def loaded(code: str, *modules: str) -> str:
    """Which of the modules are loaded after running some code in a fresh interpreter."""
    show = f"import sys; print([name for name in {modules!r} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", f"{code}\n{show}"], capture_output=True, text=True, check=True)
    return run.stdout.strip()


def test_importing_the_module_is_cheap() -> None:
    assert loaded("import store.time.expressions", "dateparser", "numpy", "store.time.english") == "[]"


def test_reading_never_loads_dateparser() -> None:
    code = """
from datetime import datetime, UTC
from store.time.expressions import read_times
read_times("I moved in March 2021, hier soir", datetime(2024, 1, 1, tzinfo=UTC))
"""
    assert loaded(code, "dateparser") == "[]"


@pytest.mark.parametrize("words", ["two weeks after ", "and the first monday of the ", "the day before ", "since "])
def test_a_chain_of_times_without_an_end_is_read_in_bounded_depth(words: str) -> None:
    moment = datetime(2026, 3, 5, 12, tzinfo=UTC)
    assert len(read_times(words * 220, moment)) <= 220
    assert [one.text for one in read_times(f"{words * 40}. I moved yesterday.", moment)][-1] == "yesterday"


def test_a_bare_day_is_the_last_one_or_the_next() -> None:
    days = [
        parse_when("20 December", datetime(2026, 11, 26, tzinfo=UTC), prefer=prefer) for prefer in ("past", "future")
    ]
    assert [Instant(day.start or 0).local().year for day in days] == [2025, 2026]


def test_a_figure_behind_a_weekday_is_a_date_only_if_that_day_is_one() -> None:
    said_at = datetime(2026, 9, 25, 9, tzinfo=UTC)
    for text, words in (
        ("the train is Friday 3.10 from Ely", "Friday"), ("my scan is on Thursday, 10.15, at the Royal", "Thursday"),
        ("Friday 2.10 we fly", "Friday 2.10"),
    ):  # fmt: skip
        assert [one.text for one in read_told(text, said_at)] == [words]


def test_an_infinitive_behind_its_auxiliary_has_no_past() -> None:
    (one,) = read_times("What will a desk cost me from December", datetime(2026, 10, 13, tzinfo=UTC))
    assert one.stretch is not None and one.stretch.start == Instant.of(datetime(2026, 12, 1, tzinfo=UTC)).us
