"""Every German word that means a time is in one of these tables, lower case."""

from __future__ import annotations

from store.time import feasts
from store.time.words import numbered

_MONTH_NAMES = (
    "januar jänner jan",
    "februar feb",
    "märz mrz",
    "april apr",
    "mai",
    "juni jun",
    "juli jul",
    "august aug",
    "september sep sept",
    "oktober okt",
    "november nov",
    "dezember dez",
)
MONTHS = numbered(list(_MONTH_NAMES), 1)
_DAY_NAMES = ("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag sonnabend", "sonntag")
DAYS = numbered(list(_DAY_NAMES))
UNITS = {
    "sekunde": "second",
    "sek": "second",
    "minute": "minute",
    "min": "minute",
    "stunde": "hour",
    "std": "hour",
    "tag": "day",
    "tg": "day",
    "nächte": "day",
    "woche": "week",
    "arbeitswoche": "week",
    "wochenende": "weekend",
    "monat": "month",
    "quartal": "quarter",
    "jahrzehnt": "decade",
    "jahr": "year",
}
_ORDINAL_STEMS = (
    "erst", "zweit", "dritt", "viert", "fünft", "sechst", "siebt", "acht", "neunt", "zehnt", "elft", "zwölft",
    "dreizehnt", "vierzehnt", "fünfzehnt", "sechzehnt", "siebzehnt", "achtzehnt", "neunzehnt", "zwanzigst",
    "einundzwanzigst", "zweiundzwanzigst", "dreiundzwanzigst", "vierundzwanzigst", "fünfundzwanzigst",
    "sechsundzwanzigst", "siebenundzwanzigst", "achtundzwanzigst", "neunundzwanzigst", "dreißigst",
    "einunddreißigst",
)  # fmt: skip
ORDINALS = {stem: number for number, stem in enumerate(_ORDINAL_STEMS, 1)} | {"letzt": -1}
"""Without their endings."""
_COUNT = "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn"
NUMBERS = {word: float(number) for number, word in enumerate(_COUNT.split())} | {
    "zwanzig": 20.0,
    "dreißig": 30.0,
    "anderthalb": 1.5,
    "halb": 0.5,
    "paar": 2.0,
}
PARTS = {"morgen": "morning", "früh": "morning", "frühmorgen": "morning", "vormittag": "morning", "mittag": "lunch"} | {
    "nachmittag": "afternoon",
    "spätnachmittag": "afternoon",
    "abend": "evening",
    "nacht": "night",
}
SEASONS = {"frühling": "spring", "frühjahr": "spring", "sommer": "summer", "herbst": "autumn", "winter": "winter"}
FEASTS: dict[str, feasts.Rule] = {
    "heiligabend|heiliger abend": feasts.fixed(12, 24),
    "weihnachten|ersten? weihnachts(?:feier)?tag": feasts.fixed(12, 25),
    "zweiten? weihnachts(?:feier)?tag": feasts.fixed(12, 26),
    "silvester|sylvester": feasts.fixed(12, 31),
    "neujahr(?:stag)?": feasts.fixed(1, 1),
    "heilige drei könige|dreikönigstag": feasts.fixed(1, 6),
    "valentinstag": feasts.fixed(2, 14),
    "tag der arbeit": feasts.fixed(5, 1),
    "tag der deutschen einheit": feasts.fixed(10, 3),
    "nikolaus(?:tag)?": feasts.fixed(12, 6),
    "allerheiligen": feasts.fixed(11, 1),
    "ostern|ostersonntag": feasts.easter(0),
    "ostermontag": feasts.easter(1),
    "karsamstag": feasts.easter(-1),
    "karfreitag": feasts.easter(-2),
    "aschermittwoch": feasts.easter(-46),
    "rosenmontag": feasts.easter(-48),
    "pfingsten|pfingstsonntag": feasts.easter(49),
    "pfingstmontag": feasts.easter(50),
    "christi himmelfahrt|vatertag": feasts.easter(39),
    "muttertag": feasts.nth(5, 6, 2),
    "weiberfastnacht|altweiber(?:fastnacht)?": feasts.easter(-52),
    "fastnachtssamstag": feasts.easter(-50),
    "fastnachtssonntag": feasts.easter(-49),
    "faschingsdienstag|fastnachtsdienstag|veilchendienstag": feasts.easter(-47),
    "palmsonntag": feasts.easter(-7),
    "gründonnerstag": feasts.easter(-3),
    "fronleichnam": feasts.easter(60),
    "walpurgisnacht": feasts.fixed(4, 30),
    "peter und paul": feasts.fixed(6, 29),
    "augsburger friedensfest": feasts.fixed(8, 8),
    "mariä himmelfahrt": feasts.fixed(8, 15),
    "erntedank(?:fest)?": feasts.nth(10, 6, 1),
    "reformationstag": feasts.fixed(10, 31),
    "allerseelen": feasts.fixed(11, 2),
    "martinstag|sankt martin": feasts.fixed(11, 11),
    "barbaratag": feasts.fixed(12, 4),
    "volkstrauertag": feasts.advent(-14),
    "buß- und bettag": feasts.advent(-11),
    "totensonntag|ewigkeitssonntag": feasts.advent(-7),
    "(?:ersten?|1\\.) advent": feasts.advent(0),
    "(?:zweiten?|2\\.) advent": feasts.advent(7),
    "(?:dritten?|3\\.) advent": feasts.advent(14),
    "(?:vierten?|4\\.) advent": feasts.advent(21),
}
