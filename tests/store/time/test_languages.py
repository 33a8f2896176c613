"""A text is read in its own language, and a foreign word in an English text means nothing."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from store.records import Instant
from store.time.expressions import read_times
from store.time.reader import language_of

BERLIN = ZoneInfo("Europe/Berlin")
SAID = datetime(2024, 5, 15, 10, 30, tzinfo=BERLIN)

RESOLVED = """
Gestern war ich im Kino | Gestern | 2024-05-14 | 2024-05-15 | day
Vorgestern hat es geregnet | Vorgestern | 2024-05-13 | 2024-05-14 | day
Wir fahren übermorgen los | übermorgen | 2024-05-17 | 2024-05-18 | day
Letzten Freitag war ich beim Arzt | Letzten Freitag | 2024-05-10 | 2024-05-11 | day
Ich fliege nächsten Montag nach Rom | nächsten Montag | 2024-05-20 | 2024-05-21 | day
Wir haben uns vor zwei Wochen getrennt | vor zwei Wochen | 2024-05-01 | 2024-05-02 | week
Ich bin vor drei Jahren umgezogen | vor drei Jahren | 2021-01-01 | 2022-01-01 | year
Ich bin im März 2021 umgezogen | März 2021 | 2021-03-01 | 2021-04-01 | month
Sie wurde am 3. Mai 2021 geboren | 3. Mai 2021 | 2021-05-03 | 2021-05-04 | day
Der Vertrag ist vom 03.05.2021 | 03.05.2021 | 2021-05-03 | 2021-05-04 | day
Letzte Woche war ich krank | Letzte Woche | 2024-05-06 | 2024-05-13 | week
Nächstes Jahr heiraten wir | Nächstes Jahr | 2025-01-01 | 2026-01-01 | year
Ich wohne seit 2019 hier | seit 2019 | 2019-01-01 | 2020-01-01 | year
Er bleibt bis Sonntag und wird kochen | bis Sonntag | 2024-05-19 | 2024-05-20 | day
Das Treffen ist am Freitag um 9 Uhr und wird lang | Freitag um 9 Uhr | 2024-05-17T09:00 | 2024-05-17T10:00 | exact
Im Sommer 2023 waren wir in Wien | Im Sommer 2023 | 2023-06-01 | 2023-09-01 | season
Die letzte Woche im Juli 2023 war heiß | Die letzte Woche im Juli 2023 | 2023-07-24 | 2023-07-31 | week
Wir waren vom 3. bis zum 7. Mai in Wien | vom 3. bis zum 7. Mai | 2024-05-03 | 2024-05-08 | day
Er kam am siebten April zurück | siebten April | 2024-04-07 | 2024-04-08 | day
Am ersten Advent 2023 waren wir da | ersten Advent 2023 | 2023-12-03 | 2023-12-04 | day
El primer lunes de marzo fui al médico | El primer lunes de marzo | 2024-03-04 | 2024-03-05 | day
Estuve en Roma del 1 al 7 de mayo | del 1 al 7 de mayo | 2024-05-01 | 2024-05-08 | day
Volví en la tercera semana de enero de 2024 | la tercera semana de enero de 2024 | 2024-01-15 | 2024-01-22 | week
설날에 할머니 댁에 갔어요 | 설날 | 2024-02-10 | 2024-02-11 | day
이틀 전에 도착했어요 | 이틀 전 | 2024-05-13 | 2024-05-14 | day
2023년 12월 마지막 주에 쉬었어요 | 2023년 12월 마지막 주 | 2023-12-25 | 2024-01-01 | week
어제 오후 3시부터 8시까지 일했어요 | 어제 오후 3시부터 8시까지 | 2024-05-14T15:00 | 2024-05-14T20:00 | exact
我春节去了外婆家 | 春节 | 2024-02-10 | 2024-02-11 | day
2021年的第一周我在家 | 2021年的第一周 | 2021-01-04 | 2021-01-11 | week
我四月的最后一个星期一请假了 | 四月的最后一个星期一 | 2024-04-29 | 2024-04-30 | day
Ayer fui al mercado | Ayer | 2024-05-14 | 2024-05-15 | day
Me mudé hace dos semanas | hace dos semanas | 2024-05-01 | 2024-05-02 | week
Nació el 3 de mayo de 2021 | 3 de mayo de 2021 | 2021-05-03 | 2021-05-04 | day
La semana pasada estuve enfermo | La semana pasada | 2024-05-06 | 2024-05-13 | week
El próximo lunes voy a Roma | El próximo lunes | 2024-05-20 | 2024-05-21 | day
Vivo aquí desde 2019 con mi mujer | desde 2019 | 2019-01-01 | 2020-01-01 | year
En marzo de 2021 compré la casa | marzo de 2021 | 2021-03-01 | 2021-04-01 | month
Nos vemos mañana a las 9:30 | mañana a las 9:30 | 2024-05-16T09:30 | 2024-05-16T09:31 | exact
어제 친구를 만났어요 | 어제 | 2024-05-14 | 2024-05-15 | day
지난주에 이사했어요 | 지난주 | 2024-05-06 | 2024-05-13 | week
2주 전에 이사했어요 | 2주 전 | 2024-05-01 | 2024-05-02 | week
2021년 5월 3일에 태어났어요 | 2021년 5월 3일 | 2021-05-03 | 2021-05-04 | day
작년에 결혼했어요 | 작년 | 2023-01-01 | 2024-01-01 | year
다음 주 월요일에 만나자 | 다음 주 월요일 | 2024-05-20 | 2024-05-21 | day
2019년부터 여기 살아요 | 2019년부터 | 2019-01-01 | 2020-01-01 | year
我昨天去了医院 | 昨天 | 2024-05-14 | 2024-05-15 | day
上周我生病了 | 上周 | 2024-05-06 | 2024-05-13 | week
我两周前搬家了 | 两周前 | 2024-05-01 | 2024-05-02 | week
她生于2021年5月3日 | 2021年5月3日 | 2021-05-03 | 2021-05-04 | day
她生于二零二一年五月三日 | 二零二一年五月三日 | 2021-05-03 | 2021-05-04 | day
去年我们结婚了 | 去年 | 2023-01-01 | 2024-01-01 | year
下周一我要去北京 | 下周一 | 2024-05-20 | 2024-05-21 | day
明天下午三点开会 | 明天下午三点 | 2024-05-16T15:00 | 2024-05-16T16:00 | exact
"""

HABITS = """
Ich gehe jeden Freitag schwimmen | jeden Freitag
Wir telefonieren zweimal pro Woche | zweimal pro Woche
Corro dos veces a la semana | dos veces a la semana
Nado todos los lunes por la mañana, es mi rutina | todos los lunes
매주 월요일 수영해요 | 매주 월요일
我每天跑步 | 每天
"""

NOTHING = """
Das ist ein gutes Buch und ich mag es
Me gusta mucho el café de la esquina
나는 커피를 좋아해요
我喜欢喝咖啡
the German word Mai and the Spanish word mayo are nouns
mi casa es tu casa
La semana 3 del curso fue dura para mi hermano
Die zweite Tür von links ist nicht zu
나는 한 달리기 선수야
第一天很累
这是第三周
"""


def rows(table: str) -> list[list[str]]:
    """The cells of a table."""
    return [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]


def local(us: int | None) -> str:
    """A moment in Berlin, without midnight's zeros."""
    assert us is not None
    moment = Instant(us).local().astimezone(BERLIN)
    return f"{moment:%Y-%m-%d}" if (moment.hour, moment.minute) == (0, 0) else f"{moment:%Y-%m-%dT%H:%M}"


@pytest.mark.parametrize(("sentence", "quote", "start", "end", "precision"), rows(RESOLVED))
def test_resolved(sentence: str, quote: str, start: str, end: str, precision: str) -> None:
    found = read_times(sentence, SAID)
    assert [one.text for one in found] == [quote]
    stretch = found[0].stretch
    assert stretch is not None
    assert (local(stretch.start), local(stretch.end), stretch.precision.value) == (start, end, precision)


@pytest.mark.parametrize(("sentence", "quote"), rows(HABITS))
def test_habits(sentence: str, quote: str) -> None:
    found = [one for one in read_times(sentence, SAID) if one.kind == "frequency"]
    assert [one.text for one in found] == [quote]
    assert found[0].stretch is None


@pytest.mark.parametrize("sentence", [row[0] for row in rows(NOTHING)])
def test_what_is_no_time(sentence: str) -> None:
    assert [found.text for found in read_times(sentence, SAID)] == []


@pytest.mark.parametrize(
    "text", ["vor kurzem bin ich umgezogen", "hace poco me mudé", "얼마 전 이사했어요", "不久前搬家了"]
)
def test_vague_times_are_found_and_never_guessed(text: str) -> None:
    found = read_times(text, SAID)
    assert [one.stretch for one in found] == [None]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I was born in May", "en"),
        ("ich war im Mai dort", "de"),
        ("yo fui en mayo a la playa", "es"),
        ("오늘", "ko"),
        ("今天", "zh"),
        ("I am in Las Vegas on Friday", "en"),
        ("", "en"),
    ],
)
def test_language_of(text: str, language: str) -> None:
    assert language_of(text.lower(), set(text.lower().split())) == language
