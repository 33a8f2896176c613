"""One text is read in one language, and a text without a word of time costs one pass over its words."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from importlib import import_module

from store.records import Stretch
from store.time import english
from store.time.calendar import LocalStretch, Prefer, Reading, resolve, unit_span
from store.time.scan import tokens
from store.time.words import bag

_HANGUL = re.compile(r"[가-힣]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_ENGLISH = bag(
    "the i you he she it we they a an and of to is was were are in on at my for with that this have had has did do "
    "will "
    "be been not but from about last next ago year week month day today yesterday tomorrow since until every"
)
_GERMAN = bag(
    """der die das den dem des ein eine einen einem einer und ist ich du er wir ihr nicht mit für auf im zum zur vom bis
    war waren habe hatte hat bin wird werde wurde sind von zu bei nach seit vor um uhr gestern heute morgen übermorgen
    vorgestern letzten letzte letztes letzter nächsten nächste nächstes nächster vergangenen vorigen diese diesen dieser
    dieses montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz juni juli oktober dezember
    woche wochen jahr jahre jahren tag tage tagen monat monate monaten jeden jede jedes täglich weihnachten silvester
    ostern sommer herbst frühling jetzt mai anfang mitte ende wochenende stunde stunden minuten kürzlich neulich bald
    abends morgens nachmittags montags halb viertel zwei drei vier heiligabend mitternacht gehe komme besuche
    sekunden tg zehn lang von wöchentlich jährlich anderthalb"""
)
_SPANISH = bag(
    """el la los las un una unos unas y de del que en es con por para lo le su mi se fue era ser está estoy
    voy vamos hace ayer hoy mañana anteayer anoche lunes martes miércoles jueves viernes sábado domingo enero febrero
    marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre semana semanas mes meses año años día
    días próximo próxima pasado pasada último última desde hasta entre este esta cada dos tres cuatro cinco verano
    invierno primavera otoño navidad ahora tarde noche siguiente que viene durante todos veces antes después minutos
    horas hora fin final finales mis sus qué dónde cuál cómo cuándo estabas puedes mostrar tendré saldré principios
    mediados trimestre próximos próximas últimos mediodía medianoche madrugada ene abr dic mié alrededor"""
)
_SHARED = bag("in an am was will hat")  # English words that German has, too
_WORD = re.compile(r"[^\W\d_]+|\d")
LONGEST = 4_000  # characters that are read as one text; some rules look over all of it for each time in it
KEPT = 64  # texts whose times are kept: a turn's are asked for once for each thing that it tells
LONGEST_TIME = 300  # characters of a text that is meant to be one time
_TABLES = {"de": "german", "es": "spanish", "ko": "korean", "zh": "chinese"}
_AROUND = bag(
    "in on at the of from during around about since until by before after as im am um den der die das el la los las en "
    "de del a les le il"
)
"""Words that may stand beside the expression in a text that is meant to be one."""
_ELSEWHERE = ("fr", "it", "pt", "nl", "ja", "pl", "ru", "tr", "sv", "da")
_PERIODS = {"day": "day", "week": "week", "month": "month", "year": "year", "time": "minute"}


def language_of(text: str, words: set[str]) -> str:
    """The language that the words of a text (lower case) speak for."""
    if not text.isascii():
        if _HANGUL.search(text):
            return "ko"
        if _HAN.search(text):
            return "zh"
    german, spanish = len(words & _GERMAN), len(words & _SPANISH)
    if not german and not spanish:
        return "en"
    english = len(words & _ENGLISH)
    if german > len(words & (_ENGLISH - _SHARED)) and german >= spanish:
        return "de"
    return "es" if spanish > english else "en"


def read(text: str, anchor: datetime, prefer: Prefer) -> list[Reading]:
    """Every expression in a text, left to right, without overlaps; a long text is read in parts of whole lines or
    sentences where it has them."""
    shift = anchor.utcoffset()
    assert shift is not None
    now, offset = anchor.replace(tzinfo=None), int(shift.total_seconds())
    found: list[Reading] = []
    start = 0
    while start < len(text):
        end = min(start + LONGEST, len(text))
        if end < len(text):
            cuts = (text.rfind(mark, start + LONGEST // 2, end) + 1 for mark in ("\n", ". ", " "))
            end = next((cut for cut in cuts if cut > 0), end)
        read = _read(text[start:end], now, offset, prefer)
        found += [replace(one, start=start + one.start, end=start + one.end) for one in read] if start else read
        start = end
    return found


@lru_cache(maxsize=KEPT)
def _read(text: str, now: datetime, offset: int, prefer: Prefer) -> tuple[Reading, ...]:
    """The same, of a local time without its zone: times of two zones that are one moment are equal."""
    seen = set(_WORD.findall(text.lower()))
    language = language_of(text, seen)
    if language != "en":
        from store.time import foreign

        table: foreign.Language = import_module(f"store.time.{_TABLES[language]}").LANGUAGE
        return tuple(foreign.read(text, table, now, prefer))
    if english.TRIGGERS.isdisjoint(seen) and not any(word.isdecimal() for word in seen):
        return ()
    return tuple(english.read(text, tokens(text), now, offset, prefer))


def forget() -> None:
    """Let go of the texts that were read."""
    _read.cache_clear()
    _elsewhere.cache_clear()


def read_one(text: str, anchor: datetime, prefer: Prefer = "past") -> Stretch | None:
    """The stretch that a text names if it is one expression of time and nothing else."""
    zone = anchor.tzinfo
    assert zone is not None
    clean = text.strip()
    if len(clean) > LONGEST_TIME:
        return None
    found = read(clean, anchor, prefer)
    when = found[0].when if len(found) == 1 else None
    if when is not None:
        around = clean[: found[0].start] + " " + clean[found[0].end :]
        when = when if _AROUND.issuperset(_WORD.findall(around.lower())) else None
    try:
        if when is None and not any(reading.when is None for reading in found):
            when = _elsewhere(clean, anchor)
        return None if when is None else resolve(when, zone)
    except (ValueError, OverflowError):  # it lies beyond the years of the calendar
        return None


@lru_cache(maxsize=1024)
def _elsewhere(text: str, anchor: datetime) -> LocalStretch | None:
    """A date in a language without a table here, by dateparser; base and zone are always ours, never the machine's."""
    if not (4 if text.isascii() else 2) <= len(text) <= 60 or text.isdecimal():
        return None
    from dateparser.date import DateDataParser

    base = anchor.replace(tzinfo=None)
    settings = {"RELATIVE_BASE": base, "TIMEZONE": "UTC", "PREFER_DATES_FROM": "past", "PREFER_DAY_OF_MONTH": "first"}
    data = DateDataParser(languages=list(_ELSEWHERE), settings=settings).get_date_data(text)
    if data.date_obj is None or data.period not in _PERIODS:
        return None
    return unit_span(data.date_obj.replace(tzinfo=None), _PERIODS[data.period])
