"""A script decides at once; among Latin texts English is assumed unless words of another language outnumber its own."""

from __future__ import annotations

import re
from typing import Literal

from store.time.words import bag

Name = Literal["en", "de", "es", "ko", "zh"]

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


_SHARED = bag("in an am was will hat")
"""English words that German has, too."""


def language_of(text: str, words: set[str]) -> Name:
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
