"""Each sentence was said on Wednesday 15 May 2024 at 10:30 in Berlin; its reading follows from that alone."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from store.records import Instant
from store.time.expressions import TimeExpression, read_times

BERLIN = ZoneInfo("Europe/Berlin")
SAID = datetime(2024, 5, 15, 10, 30, tzinfo=BERLIN)

RESOLVED = """
I went to Rome last Friday | last Friday | 2024-05-10 | 2024-05-11 | day
we met the Saturday before last | the Saturday before last | 2024-05-04 | 2024-05-05 | day
I'm seeing the dentist on Friday | Friday | 2024-05-17 | 2024-05-18 | day
I saw the dentist on Friday | Friday | 2024-05-10 | 2024-05-11 | day
Mum called on Wednesday | Wednesday | 2024-05-08 | 2024-05-09 | day
she promised to bake on Wednesday | Wednesday | 2024-05-22 | 2024-05-23 | day
got an interview on Friday | Friday | 2024-05-17 | 2024-05-18 | day
got a kitten on Friday | Friday | 2024-05-10 | 2024-05-11 | day
he starts on 2 June, 45 crates to unload | 2 June | 2024-06-02 | 2024-06-03 | day
she will call on Wednesday | Wednesday | 2024-05-22 | 2024-05-23 | day
we leave for Spain next Monday | next Monday | 2024-05-20 | 2024-05-21 | day
the plumber comes this Saturday | this Saturday | 2024-05-18 | 2024-05-19 | day
I ran 10k a week ago today | a week ago today | 2024-05-08 | 2024-05-09 | day
we married a year ago today | a year ago today | 2023-05-15 | 2023-05-16 | day
yesterday I baked bread | yesterday | 2024-05-14 | 2024-05-15 | day
moved in yest. no curtains | yest | 2024-05-14 | 2024-05-15 | day
landed yday | yday | 2024-05-14 | 2024-05-15 | day
the plumber comes tomoz | tomoz | 2024-05-16 | 2024-05-17 | day
the day before yesterday it rained | the day before yesterday | 2024-05-13 | 2024-05-14 | day
I fly the day after tomorrow | the day after tomorrow | 2024-05-17 | 2024-05-18 | day
today is my birthday | today | 2024-05-15 | 2024-05-16 | day
I quit smoking last week | last week | 2024-05-06 | 2024-05-13 | week
this week is quiet | this week | 2024-05-13 | 2024-05-20 | week
next week we paint the hall | next week | 2024-05-20 | 2024-05-27 | week
the week before last I was ill | The week before last | 2024-04-29 | 2024-05-06 | week
I hiked last weekend | last weekend | 2024-05-11 | 2024-05-13 | week
I'm hiking this weekend | this weekend | 2024-05-18 | 2024-05-20 | week
my lease ended last month | last month | 2024-04-01 | 2024-05-01 | month
my lease ends next month | next month | 2024-06-01 | 2024-07-01 | month
I changed jobs last year | last year | 2023-01-01 | 2024-01-01 | year
the year before last we married | the year before last | 2022-01-01 | 2023-01-01 | year
I start school again next year | next year | 2025-01-01 | 2026-01-01 | year
I moved in March | March | 2024-03-01 | 2024-04-01 | month
I moved in October | October | 2023-10-01 | 2023-11-01 | month
I will move in March | March | 2025-03-01 | 2025-04-01 | month
he was born in May 1990 | May 1990 | 1990-05-01 | 1990-06-01 | month
we met in October last year | October last year | 2023-10-01 | 2023-11-01 | month
it grew since the spring of last year | since the spring of last year | 2023-03-01 | 2023-06-01 | season
we marry in June next year | June next year | 2025-06-01 | 2025-07-01 | month
they came on 3 May last year | 3 May last year | 2023-05-03 | 2023-05-04 | day
it opened last November | last November | 2023-11-01 | 2023-12-01 | month
it opens next November | next November | 2024-11-01 | 2024-12-01 | month
the baby came on 3 May 2021 | 3 May 2021 | 2021-05-03 | 2021-05-04 | day
the baby came on 3 May, 4500 grams | 3 May | 2024-05-03 | 2024-05-04 | day
the baby came on May 3rd, 2021 | May 3rd, 2021 | 2021-05-03 | 2021-05-04 | day
the baby came on the 3rd of May | the 3rd of May | 2024-05-03 | 2024-05-04 | day
the baby came on 5/3/2021 | 5/3/2021 | 2021-05-03 | 2021-05-04 | day
the baby came on 25/3/2021 | 25/3/2021 | 2021-03-25 | 2021-03-26 | day
the baby came on 3.5.2021 | 3.5.2021 | 2021-05-03 | 2021-05-04 | day
the baby came on 2021-05-03 | 2021-05-03 | 2021-05-03 | 2021-05-04 | day
signed 31-Oct-98 in ink | 31-Oct-98 | 1998-10-31 | 1998-11-01 | day
I paid the rent on the 2nd | the 2nd | 2024-05-02 | 2024-05-03 | day
I will pay the rent on the 2nd | the 2nd | 2024-06-02 | 2024-06-03 | day
due on the 20th of next month | the 20th of next month | 2024-06-20 | 2024-06-21 | day
the party is on Saturday, June 8 | Saturday, June 8 | 2024-06-08 | 2024-06-09 | day
we spoke on Tuesday the 7th | Tuesday the 7th | 2024-05-07 | 2024-05-08 | day
I graduated in 2016 | 2016 | 2016-01-01 | 2017-01-01 | year
back in 2009 I had a band | 2009 | 2009-01-01 | 2010-01-01 | year
we wore that in the 90s | the 90s | 1990-01-01 | 2000-01-01 | year
my parents met in the early nineties | the early nineties | 1990-01-01 | 1994-01-01 | year
the wall fell in late 1989 | late 1989 | 1989-09-01 | 1990-01-01 | year
we opened in early 2020 | early 2020 | 2020-01-01 | 2020-05-01 | year
I had surgery in mid June 2022 | mid June 2022 | 2022-06-11 | 2022-06-21 | month
I got the cat at the end of April | the end of April | 2024-04-21 | 2024-05-01 | month
I had a scan at the beginning of the year | the beginning of the year | 2024-01-01 | 2024-05-01 | year
we toured Japan last summer | last summer | 2023-06-01 | 2023-09-01 | season
we toured Japan in spring 2023 | spring 2023 | 2023-03-01 | 2023-06-01 | season
we toured Japan in winter 2022 | winter 2022 | 2022-12-01 | 2023-03-01 | season
we will tour Japan next winter | next winter | 2024-12-01 | 2025-03-01 | season
sales rose in Q3 2023 | Q3 2023 | 2023-07-01 | 2023-10-01 | season
we had snow at Christmas | Christmas | 2023-12-25 | 2023-12-26 | day
we will have guests at Christmas | Christmas | 2024-12-25 | 2024-12-26 | day
he proposed on New Year's Eve | New Year's Eve | 2023-12-31 | 2024-01-01 | day
he proposed on Valentine's Day 2020 | Valentine's Day 2020 | 2020-02-14 | 2020-02-15 | day
we dyed eggs at Easter | Easter | 2024-03-31 | 2024-04-01 | day
the kids dressed up on Halloween | Halloween | 2023-10-31 | 2023-11-01 | day
she died 2 years ago in march | 2 years ago in march | 2022-03-01 | 2022-04-01 | month
the biopsy is mon at 9 | mon at 9 | 2024-05-20T09:00 | 2024-05-20T10:00 | exact
I adopted Rex three days ago | three days ago | 2024-05-12 | 2024-05-13 | day
I adopted Rex two weeks ago | two weeks ago | 2024-05-01 | 2024-05-02 | week
I adopted Rex a fortnight ago | a fortnight ago | 2024-05-01 | 2024-05-02 | week
I adopted Rex five months ago | five months ago | 2023-12-01 | 2024-01-01 | month
I adopted Rex six years ago | six years ago | 2018-01-01 | 2019-01-01 | year
I fly in three weeks | in three weeks | 2024-06-05 | 2024-06-06 | week
I fly in ten days | in ten days | 2024-05-25 | 2024-05-26 | day
call me in 20 minutes | in 20 minutes | 2024-05-15T10:50 | 2024-05-15T10:51 | exact
the train left two hours ago | two hours ago | 2024-05-15T08:30 | 2024-05-15T08:31 | exact
the exam is a week from Tuesday | a week from Tuesday | 2024-05-28 | 2024-05-29 | day
the exam was two days after Christmas | two days after Christmas | 2023-12-27 | 2023-12-28 | day
the first Monday in March was cold | the first Monday in March | 2024-03-04 | 2024-03-05 | day
we close the last week of July | the last week of July | 2024-07-22 | 2024-07-29 | week
it ran out on the last day of February | the last day of February | 2024-02-29 | 2024-03-01 | day
I woke at 6:30 | at 6:30 | 2024-05-15T06:30 | 2024-05-15T06:31 | exact
dinner is at 7pm | at 7pm | 2024-05-15T19:00 | 2024-05-15T20:00 | exact
lunch is at noon | at noon | 2024-05-15T12:00 | 2024-05-15T13:00 | exact
the bells rang at half past nine | at half past nine | 2024-05-15T09:30 | 2024-05-15T09:31 | exact
we meet tomorrow at 9:15 | tomorrow at 9:15 | 2024-05-16T09:15 | 2024-05-16T09:16 | exact
we meet at 5pm tomorrow | at 5pm tomorrow | 2024-05-16T17:00 | 2024-05-16T18:00 | exact
we meet on Friday at 7pm | Friday at 7pm | 2024-05-17T19:00 | 2024-05-17T20:00 | exact
this morning I ran | this morning | 2024-05-15T06:00 | 2024-05-15T12:00 | day
last night I couldn't sleep | last night | 2024-05-14T20:00 | 2024-05-15 | day
are you free tomorrow afternoon | tomorrow afternoon | 2024-05-16T12:00 | 2024-05-16T18:00 | day
we danced on Saturday evening | Saturday evening | 2024-05-11T18:00 | 2024-05-12 | day
I'm staying in tonight | tonight | 2024-05-15T20:00 | 2024-05-16 | day
the talk is tonight at 8 | tonight at 8 | 2024-05-15T20:00 | 2024-05-15T21:00 | exact
I have worked there since 2019 | since 2019 | 2019-01-01 | 2020-01-01 | year
I have worked there since last October | since last October | 2023-10-01 | 2023-11-01 | month
I've had a cough since Sunday | since Sunday | 2024-05-12 | 2024-05-13 | day
she stays until Sunday | until Sunday | 2024-05-19 | 2024-05-20 | day
she stays until the end of June | until the end of June | 2024-06-21 | 2024-07-01 | month
finish it by Friday | by Friday | 2024-05-17 | 2024-05-18 | day
I lived there before 2010 | before 2010 | 2010-01-01 | 2011-01-01 | year
I was off from Monday to Thursday | from Monday to Thursday | 2024-05-13 | 2024-05-17 | day
I was off between May and July 2022 | between May and July 2022 | 2022-05-01 | 2022-08-01 | month
I will be off from 3 to 9 August | from 3 to 9 August | 2024-08-03 | 2024-08-10 | day
open from December to February 2023 | from December to February 2023 | 2022-12-01 | 2023-03-01 | month
I was there June 3 - 7 | June 3 - 7 | 2023-06-03 | 2023-06-08 | day
the shop is open from 9am to 5pm | from 9am to 5pm | 2024-05-15T09:00 | 2024-05-15T17:00 | exact
we met from 2 to 3:30pm yesterday | from 2 to 3:30pm yesterday | 2024-05-14T14:00 | 2024-05-14T15:30 | exact
he worked there 2014-2018 | 2014-2018 | 2014-01-01 | 2019-01-01 | year
I slept badly the past two weeks | the past two weeks | 2024-05-01 | 2024-05-15T10:30 | week
I slept badly over the last 3 days | the last 3 days | 2024-05-12 | 2024-05-15T10:30 | day
busy for the next two days | the next two days | 2024-05-16 | 2024-05-18 | day
I have lived here for five years | for five years | 2019-05-15 | 2024-05-15T10:30 | year
I've been vegan for three months | for three months | 2024-02-15 | 2024-05-15T10:30 | month
I moved around 2015 | around 2015 | 2015-01-01 | 2016-01-01 | year
see you on 2024-06-01 14:00 | 2024-06-01 14:00 | 2024-06-01T14:00 | 2024-06-01T14:01 | exact
we hiked over the weekend | the weekend | 2024-05-11 | 2024-05-13 | week
I will hike over the weekend | the weekend | 2024-05-18 | 2024-05-20 | week
see you at 5 | at 5 | 2024-05-15T17:00 | 2024-05-15T18:00 | exact
I woke up at 5 | at 5 | 2024-05-15T05:00 | 2024-05-15T06:00 | exact
I installed Windows 11 last week | last week | 2024-05-06 | 2024-05-13 | week
I bought an iPhone 15 yesterday | yesterday | 2024-05-14 | 2024-05-15 | day
I read Catch 22 last month | last month | 2024-04-01 | 2024-05-01 | month
chapter 3 comes tomorrow | tomorrow | 2024-05-16 | 2024-05-17 | day
we meet 8 tonight | 8 tonight | 2024-05-15T20:00 | 2024-05-15T21:00 | exact
I bought a bike on Saturday, second-hand | Saturday | 2024-05-11 | 2024-05-12 | day
on Friday 13 people came | Friday | 2024-05-10 | 2024-05-11 | day
in March 5 of us left | March | 2024-03-01 | 2024-04-01 | month
I moved in June. | June | 2023-06-01 | 2023-07-01 | month
I left in Dec. | Dec | 2023-12-01 | 2024-01-01 | month
I left on Dec. 3 by train | Dec. 3 | 2023-12-03 | 2023-12-04 | day
free between now and 3 June | between now and 3 June | 2024-05-15T10:30 | 2024-06-04 | day
come later than 7pm but before 9pm | later than 7pm but before 9pm | 2024-05-15T19:00 | 2024-05-15T21:00 | exact
rents rose in the year to date | the year to date | 2024-01-01 | 2024-05-15T10:30 | year
call me tomorrow from 3pm to 8 | tomorrow from 3pm to 8 | 2024-05-16T15:00 | 2024-05-16T20:00 | exact
I was away from 27 February to 3 March | from 27 February to 3 March | 2024-02-27 | 2024-03-04 | day
I was away from 27 December to 3 January | from 27 December to 3 January | 2023-12-27 | 2024-01-04 | day
we lit candles at Hanukkah | Hanukkah | 2023-12-07 | 2023-12-15 | day
we visited them on Eid al-Fitr | Eid al-Fitr | 2024-04-09 | 2024-04-12 | day
we danced at Diwali 2024 | Diwali 2024 | 2024-10-31 | 2024-11-01 | day
they came for Chinese New Year | Chinese New Year | 2024-02-10 | 2024-02-11 | day
I gave up sugar in Lent 2024 | Lent 2024 | 2024-02-14 | 2024-03-31 | day
it ships next Tuesday + 10 days | next Tuesday + 10 days | 2024-05-31 | 2024-06-01 | day
right now I live in Porto | right now | 2024-05-15T10:30 | 2024-05-15T10:31 | exact
"""

UNRESOLVED = """
a while ago I met Jo | a while ago
I recently moved | recently
see you soon | soon
the other day I fell | the other day
I started a few years ago | a few years ago
when I was 12 we moved | when I was 12
I lived abroad in my twenties | in my twenties
that was ages ago | ages ago
I have played since I was six | since I was six
"""

HABITS = """
I do yoga twice a week | twice a week
I swim every Tuesday | every Tuesday
I run three times a month | three times a month
I write daily | daily
we hike on weekends | on weekends
we dine out every other Friday | every other Friday
I call her every day at 7pm | every day at 7pm
we open at seven on Saturdays | at seven on Saturdays
I see him once a year | once a year
Monday mornings are slow | Monday mornings
I work Mondays and Fridays | Mondays and Fridays
"""

LENGTHS = """
I lived there for five years | for five years | 5 | year
we will stay for two weeks | for two weeks | 2 | week
it took two and a half hours | two and a half hours | 2.5 | hour
the flight took 2 hours and 30 minutes | 2 hours and 30 minutes | 150 | minute
she stayed a couple of days | a couple of days | 2 | day
a 30-minute call | 30-minute | 30 | minute
we travelled for 2 months and 5 days | for 2 months and 5 days | 65.88 | day
"""

NOTHING = """
may I ask you something
I may or may not come
this may take longer
June told me about it
I talked to April and May
I march to work
the film scored 9/10
we won 3-1
upgrade to version 2.10.3
it costs $19.99
call +49 170 555 1234
my number is 0151-2345-678
please wait a second
my second child
I sat on the sun deck
the fall hurt my knee
he took the lead
spring rolls are great
there were 2000 people
she is 35 years old
I have two kids and one dog
the ratio is 4:3
see https://example.org/2021/05/03/post
it has 16 GB of RAM
I ate 3 eggs
open 24/7
room 2015 is free
that is the last straw
this lasts long
the next thing I want
I tried one myself
a 2D game with puzzles
inspired by autumn leaves
take it one day at a time
Rome wasn't built in a day
I hope they win next season
send it to ana.1990@example.org
I lent him ten euros
he lent 2 books to Ann
the city fell on 10 August 234 BCE
"""


def rows(table: str) -> list[list[str]]:
    """The cells of a table."""
    return [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]


def local(us: int | None) -> str:
    """A moment in Berlin, without midnight's zeros."""
    assert us is not None
    moment = Instant(us).local().astimezone(BERLIN)
    return f"{moment:%Y-%m-%d}" if (moment.hour, moment.minute) == (0, 0) else f"{moment:%Y-%m-%dT%H:%M}"


def only(sentence: str) -> TimeExpression:
    """The single expression of a sentence, which is quoted to the character."""
    found = read_times(sentence, SAID)
    assert len(found) == 1, [one.text for one in found]
    assert sentence[found[0].start : found[0].end] == found[0].text
    return found[0]


@pytest.mark.parametrize(("sentence", "quote", "start", "end", "precision"), rows(RESOLVED))
def test_resolved(sentence: str, quote: str, start: str, end: str, precision: str) -> None:
    found = only(sentence)
    assert found.stretch is not None
    assert found.text.lower() == quote.lower()
    assert (local(found.stretch.start), local(found.stretch.end), found.stretch.precision.value) == (
        start,
        end,
        precision,
    )


@pytest.mark.parametrize(("sentence", "quote"), rows(UNRESOLVED))
def test_vague_times_are_found_and_never_guessed(sentence: str, quote: str) -> None:
    found = only(sentence)
    assert (found.text, found.stretch, found.point) == (quote, None, None)


@pytest.mark.parametrize(("sentence", "quote"), rows(HABITS))
def test_habits(sentence: str, quote: str) -> None:
    found = only(sentence)
    assert (found.text, found.kind, found.role, found.frequency) == (quote, "frequency", "every", quote.lower())


@pytest.mark.parametrize(("sentence", "quote", "amount", "unit"), rows(LENGTHS))
def test_lengths_without_an_anchor(sentence: str, quote: str, amount: str, unit: str) -> None:
    found = only(sentence)
    assert (found.text, found.kind, found.amount, found.unit) == (quote, "duration", float(amount), unit)
    assert found.stretch is None


@pytest.mark.parametrize("sentence", [row[0] for row in rows(NOTHING)])
def test_what_is_no_time(sentence: str) -> None:
    assert [found.text for found in read_times(sentence, SAID)] == []


def test_several_in_one_text() -> None:
    found = read_times("Last week I moved; since Monday I work from home, and on Friday I'm off.", SAID)
    assert [(one.text, one.role) for one in found] == [("Last week", "at"), ("since Monday", "since"), ("Friday", "at")]
    assert [local(one.stretch.start) for one in found if one.stretch] == ["2024-05-06", "2024-05-13", "2024-05-17"]


@pytest.mark.parametrize(
    ("sentence", "role"),
    [
        ("since 2019", "since"),
        ("until March", "until"),
        ("before lunch on Friday", "at"),
        ("after 2015", "after"),
        ("before 2015", "before"),
        ("by Friday", "until"),
        ("as of January", "since"),
        ("no later than 3 May", "until"),
    ],
)
def test_roles(sentence: str, role: str) -> None:
    assert only(sentence).role == role


def test_a_rate_is_kept_beside_its_words() -> None:
    found = only("I train three times a week")
    assert (found.amount, found.unit, found.frequency) == (3.0, "week", "three times a week")


def test_an_offset_keeps_its_exact_point_beside_the_coarse_stretch() -> None:
    found = only("I moved three months ago")
    assert found.stretch is not None
    assert (local(found.stretch.start), local(found.stretch.end)) == ("2024-02-01", "2024-03-01")
    assert local(found.point) == "2024-02-15T10:30"


def test_a_hedge_is_told() -> None:
    assert only("I moved around 2015").about
    assert not only("I moved in 2015").about


def test_a_bare_weekday_may_be_wanted_ahead() -> None:
    found = read_times("Friday", SAID, prefer="future")
    assert found[0].stretch is not None
    assert local(found[0].stretch.start) == "2024-05-17"


def test_a_day_behind_now_lies_ahead() -> None:
    (_, day) = read_times("Fitting now Monday.", SAID)
    assert day.stretch is not None and day.stretch.start == Instant.of(datetime(2024, 5, 20, tzinfo=BERLIN)).us
