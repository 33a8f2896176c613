"""German: the common forms, dates written day first; a word that English shares is read only where the text is
German."""

from __future__ import annotations

import re
from dataclasses import replace

from store.time import feasts, nth, spans
from store.time import german_words as w
from store.time import patterns as p
from store.time.calendar import day_span
from store.time.patterns import Context, Language, Piece
from store.time.scan import expand_year


def _any(names: object) -> str:
    assert isinstance(names, dict)
    return "(?:" + "|".join(sorted(names, key=len, reverse=True)) + ")"


_M, _D, _S, _P = _any(w.MONTHS), _any(w.DAYS), _any(w.SEASONS), _any(w.PARTS)
_U = r"(?P<unit>" + "|".join(sorted(w.UNITS, key=len, reverse=True)) + r")(?:e?n|e?s|e)?\.?"
_N = (
    r"(?P<n>\d+(?:[.,]\d+)?|ein(?:e[mnrs]?)?(?: paar)?|"
    + "|".join(sorted(w.NUMBERS, key=len, reverse=True))
    + r")(?:e[nr]?)?"
)
_SIGN = r"(?P<sign>vorletzt|letzt|vergangen|vorig|dies|nächst|kommend|übernächst)e?[nmrs]?"
_SIGNS = {
    "vorletzt": -2,
    "letzt": -1,
    "vergangen": -1,
    "vorig": -1,
    "dies": 0,
    "nächst": 1,
    "kommend": 1,
    "übernächst": 2,
}
_O = r"(?P<o>" + "|".join(sorted(w.ORDINALS, key=len, reverse=True)) + r")e[nrsm]?"
_Y = r"(?P<y>\d{4}|'\d\d)"


def _number(text: str) -> float:
    word = text.lower()
    if word[0].isdigit():
        return float(word.replace(",", "."))
    if word.endswith("paar"):
        return 2.0
    if word.startswith("ein"):
        return 1.0
    return w.NUMBERS[word]


def _year(match: re.Match[str]) -> int | None:
    text = match["y"]
    return expand_year(int(text.lstrip("'"))) if text else None


def _date(match: re.Match[str], c: Context) -> Piece:
    return p.calendar_date(c, int(match["d"]), w.MONTHS[match["m"].lower()], _year(match))


def _numeric(match: re.Match[str], c: Context) -> Piece:
    return p.calendar_date(c, int(match["d"]), int(match["m"]), _year(match))


def _spelt_date(match: re.Match[str], c: Context) -> Piece | None:
    """ "den siebten April", "am dritten elften"."""
    day = w.ORDINALS[match["o"].lower()]
    month = w.MONTHS[match["m"].lower()] if match["m"] else w.ORDINALS[match["om"].lower()]
    return p.calendar_date(c, day, month, _year(match)) if day > 0 and 0 < month <= 12 else None


def _day_of_weekday(match: re.Match[str], c: Context) -> Piece:
    """ "Dienstag, der 25.": of the nearest month in which it falls so."""
    return nth.dated_weekday(c, w.DAYS[match["w"].lower()], int(match["d"]))


def _counted(match: re.Match[str], c: Context) -> Piece:
    """ "die letzte Woche im Juli", "der erste Montag des Jahres"."""
    month = w.MONTHS[match["m"].lower()] if match["m"] else None
    weekday = w.DAYS.get((match["w"] or "").lower())
    grain = "day" if match["w"] else w.UNITS[match["unit"].lower()]
    if match["host"] and match["host"].lower().startswith("monat"):
        month = c.now.month
    return nth.nth(c, w.ORDINALS[match["o"].lower()], grain, month, _year(match), weekday)


def _days(match: re.Match[str], c: Context) -> Piece:
    """ "vom 3. bis zum 7. Mai"."""
    last = p.known(_date(match, c).when)
    first = replace(last, start=last.start.replace(day=int(match["first"])))
    if first.start >= last.start:
        raise ValueError("the range runs backwards")
    return Piece(p.settled(first, c), "range")


def _hours(match: re.Match[str], c: Context) -> Piece | None:
    """ "von 17 bis 18 Uhr"."""
    first = p.clock(c, int(match["h"]), int(match["mi"] or 0))
    last = p.clock(c, int(match["h2"]), int(match["mi2"] or 0))
    if first is None or last is None:
        return None
    return Piece(spans.joined(p.known(first.when), p.known(last.when), lambda when: when), "range")


def _month(match: re.Match[str], c: Context) -> Piece | None:
    found = p.month(c, w.MONTHS[match["m"].lower()], _year(match), _signed(match))
    side = match["edge"]
    return (
        p.edge(Piece(p.settled(found.when, c)), {"a": "early", "m": "mid", "e": "late"}[side[0].lower()])
        if side and found.when
        else found
    )


def _signed(match: re.Match[str]) -> int | None:
    return _SIGNS[match["sign"].lower()] if match["sign"] else None


def _weekday(match: re.Match[str], c: Context) -> Piece:
    number, sign = w.DAYS[match["w"].lower()], _signed(match)
    if match["week"]:
        return p.weekday_of_week(c, number, _SIGNS[match["wsign"].lower()])
    found = p.weekday(c, number, sign)
    return _parted(found, match["part"])


def _parted(found: Piece, name: str | None) -> Piece:
    if not name or found.when is None:
        return found
    from store.time.clocks import part_span

    part = w.PARTS[name.lower()]
    return Piece(replace(part_span(found.when.start, part), cycle=found.when.cycle), part=part)


def _unit(match: re.Match[str], c: Context) -> Piece | None:
    grain = w.UNITS[match["unit"].lower()]
    if grain in ("second", "minute", "hour"):
        return None
    if match["w"]:
        return p.weekday_of_week(c, w.DAYS[match["w"].lower()], _SIGNS[match["sign"].lower()])
    return p.unit(c, grain, _SIGNS[match["sign"].lower()])


def _near(match: re.Match[str], c: Context) -> Piece:
    steps = {"vorgestern": -2, "gestern": -1, "heute": 0, "morgen": 1, "übermorgen": 2}
    return _parted(p.day(c, steps[match["near"].lower()]), match["part"])


def _run(match: re.Match[str], c: Context) -> Piece:
    step = -1 if _SIGNS[match["sign"].lower()] < 0 else 1
    return p.run(c, _number(match["n"]), w.UNITS[match["unit"].lower()], step)


def _clock(match: re.Match[str], c: Context) -> Piece | None:
    part = match["part"]
    hour = _number(match["h"])
    return p.clock(
        c, int(hour), int(match["mi"] or 0), int(match["s"] or 0) or None, w.PARTS[part.lower()] if part else ""
    )


def _words_clock(match: re.Match[str], c: Context) -> Piece | None:
    hour = int(_number(match["h"]))
    shift = {"halb": -30, "viertel vor": -15, "viertel nach": 15, "dreiviertel": -15}[match["q"].lower()]
    part = match["part"]
    return p.clock(c, hour if shift > 0 else (hour - 1) % 24, shift % 60, None, w.PARTS[part.lower()] if part else "")


def _feast(rule: feasts.Rule) -> p.Builder:
    def build(match: re.Match[str], c: Context) -> Piece:
        if match["y"]:
            return Piece(day_span(rule(int(match["y"]))))
        if match["sign"]:
            return Piece(day_span(rule(c.now.year + _SIGNS[match["sign"].lower()])))
        days = [rule(c.now.year + step) for step in (-1, 0, 1)]
        today = c.now.date()
        past, coming = [d for d in days if d <= today], [d for d in days if d >= today]
        return Piece(day_span(past[-1] if c.prefer == "past" else coming[0]))

    return build


def _uhr(match: re.Match[str], c: Context) -> Piece | None:
    part = match["part"]
    minute = int(match["mi"] or match["mi2"] or 0)
    return p.clock(c, int(_number(match["h"])), minute, None, w.PARTS[part.lower()] if part else "")


def _part(match: re.Match[str], c: Context) -> Piece:
    name = match["a"] or match["b"] or match["e"]
    return p.part(c, w.PARTS[name.lower()] if name else "night", 0 if match["e"] else None)


def _season(match: re.Match[str], c: Context) -> Piece:
    sign = _SIGNS[match["sign"].lower()] if match["sign"] else None
    return p.season(c, w.SEASONS[match["s"].lower()], int(match["y"]) if match["y"] else None, sign)


def _since(match: re.Match[str], c: Context) -> Piece:
    """ "seit zwei Jahren" reaches until now; "für zwei Jahre" is a length."""
    amount, grain = _number(match["n"]), w.UNITS[match["unit"].lower()]
    found = p.length(amount, grain)
    if not match[0].lower().startswith("seit"):
        return found
    return replace(found, when=p.run(c, amount, grain, -1).when)


_WEEK = r"(?P<week>,? (?:der |in der )?(?P<wsign>letzt|vorig|nächst|kommend|dies)e[nr]? Woche)?"
_PART = rf"(?:\s?(?P<part>{_P})s?\b)?"
_LENGTHS = r"(?:(?P<all>den ganzen|die ganze|das ganze) )?"

GERMAN = Language(
    patterns=(
        (rf"\b(?P<near>vorgestern|gestern|heute|übermorgen|morgen)(?: (?P<part>{_P}))?\b", _near),
        (r"\b(?:jetzt|gerade eben|im moment|momentan|derzeit|zurzeit)\b", lambda _, c: p.moment(c)),
        (r"\b(?:heute nacht)\b", lambda _, c: p.part(c, "night", 0)),
        (rf"\b(?P<w>{_D}),? (?:der|den|dem) (?P<d>\d{{1,2}})\.(?! ?(?:{_M}|\d))", _day_of_weekday),
        (
            rf"\b(?:{_D},? )?(?:(?:der|den|dem) )?{_O} (?:(?P<m>{_M})|(?P<om>{_any(w.ORDINALS)})e[nr]?)\b(?:,? {_Y})?",
            _spelt_date,
        ),
        (
            rf"\b(?:(?:in )?(?:der|die|das|den|dem) |am )?{_O} (?:(?P<w>{_D})|{_U}) (?:(?:im|des|vom|von|in) )"
            rf"(?:(?P<m>{_M})(?: {_Y})?|(?P<host>monats|jahres)\b)(?!\w)",
            _counted,
        ),
        (
            rf"\b(?:(?:vom|zwischen dem) )?(?P<first>\d{{1,2}})\. ?(?:bis(?: zum)?|und(?: dem)?|-|–) ?"
            rf"(?P<d>\d{{1,2}})\.\s?(?P<m>{_M})\b\.?(?:,? {_Y})?",
            _days,
        ),
        (
            r"\b(?:von|zwischen) (?P<h>\d{1,2})(?::(?P<mi>\d\d))? (?:bis|und) "
            r"(?P<h2>\d{1,2})(?:[:.](?P<mi2>\d\d))? uhr\b",
            _hours,
        ),
        (rf"\b(?:{_SIGN} )?(?P<w>{_D}){_PART}\b{_WEEK}(?!s\b)", _weekday),
        (
            rf"\b(?:{_D},? (?:(?:der|den|dem) )?)?(?:der |den |dem )?(?P<d>\d{{1,2}})\.\s?(?P<m>{_M})\b\.?(?:,? {_Y})?",
            _date,
        ),
        (rf"\b(?:{_D},? (?:der |den )?)?(?P<d>\d{{1,2}})\.(?P<m>\d{{1,2}})\.(?P<y>\d{{4}}|\d\d)?(?![\d.])", _numeric),
        (r"(?<![\w.,/-])(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)(?!\w)", _numeric),
        (r"(?<![\w.,/-])(?P<d>\d{1,2})/(?P<m>\d{1,2})/(?P<y>\d{4})(?!\w)", _numeric),
        (
            rf"(?:\b(?P<edge>anfang|mitte|ende) )?\b(?:{_SIGN} )?\b"
            rf"(?P<m>{_any({k: v for k, v in w.MONTHS.items() if len(k) > 2})})\b"
            rf"(?:(?: des jahres)? {_Y})?",
            _month,
        ),
        (rf"\b(?:(?:in )?der )?{_SIGN} {_U}(?: (?:am )?(?P<w>{_D}))?\b", _unit),
        (rf"\b(?:die |der |den )?{_SIGN} {_N} {_U}\b", _run),
        (
            rf"\bvor (?:etwa |rund |ungefähr |ca\. )?{_N} ?{_U}\b",
            lambda m, c: p.offset(c, _number(m["n"]), w.UNITS[m["unit"].lower()], -1),
        ),
        (
            rf"\bin (?:etwa |rund |ungefähr )?{_N} ?{_U}(?!\w)",
            lambda m, c: p.offset(c, _number(m["n"]), w.UNITS[m["unit"].lower()], 1),
        ),
        (rf"\b(?:seit|für) {_N} {_U}(?: lang)?\b", _since),
        (rf"\b{_N} ?{_U}(?: lang)?(?!\w)", lambda m, _: p.length(_number(m["n"]), w.UNITS[m["unit"].lower()])),
        (rf"\b(?:den |die |das )?ganzen? {_U}\b", lambda m, _: p.length(1, w.UNITS[m["unit"].lower()])),
        (r"\bein(?:e)? viertelstunde\b", lambda _m, _c: p.length(15, "minute")),
        (r"\bein(?:e)? dreiviertelstunde\b", lambda _m, _c: p.length(45, "minute")),
        (
            r"(?:\bim jahre? |\bdem jahr |(?<=\bin )|(?<=\bseit )|(?<=\bbis )|(?<=\bvon )|(?<=\bvor )|"
            r"(?<=\bnach )|(?<=\bab )|^)(?P<y>(?:1[89]|20)\d\d)(?![\w.,:]\d|\w)",
            lambda m, _: p.year(int(m["y"])),
        ),
        (rf"\b(?:im |diesen |(?P<sign>letzt|vorig|nächst|kommend)e[nrs]? )(?P<s>{_S})(?: (?P<y>\d{{4}}))?\b", _season),
        (rf"\b(?P<s>{_S}) (?P<y>\d{{4}})\b", lambda m, c: p.season(c, w.SEASONS[m["s"].lower()], int(m["y"]))),
        (rf"\b(?:um |gegen )?(?P<h>\d{{1,2}}):(?P<mi>\d\d)(?::(?P<s>\d\d))?(?: uhr)?(?: (?P<part>{_P})s)?\b", _clock),
        (
            rf"\b(?P<h>\d{{1,2}}|ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)(?:\."
            rf"(?P<mi>\d\d))? uhr(?: (?:und )?(?P<mi2>\d\d)\b(?![.:]\d| uhr))?(?: (?P<part>{_P})s)?\b",
            _uhr,
        ),
        (
            rf"\b(?P<q>halb|viertel vor|viertel nach|dreiviertel) (?P<h>\d{{1,2}}|{_any(w.NUMBERS)})(?: "
            rf"(?P<part>{_P})s)?\b",
            _words_clock,
        ),
        (r"\bmitternachts?\b", lambda _, c: p.clock(c, 0)),
        (r"\b(?:zur )?mittagszeit\b", lambda _, c: p.clock(c, 12)),
        (rf"\b(?:am (?P<a>{_P})|in der nacht|(?P<b>{_P})s|diese[nr]? (?P<e>{_P}))\b", _part),
        (
            rf"\bjede[nrs]? (?:zweite[nrs]? )?(?:{_D}|{_U}|{_P})\b(?: um \d{{1,2}}(?::\d\d)? uhr(?: {_P}s)?)?",
            lambda _m, _c: p.habit(),
        ),
        (rf"\b(?:immer )?(?:{_D})s\b", lambda _m, _c: p.habit()),
        (
            r"\b(?:(?:ein|zwei|drei|vier|fünf|\d+)\s?mal|einmal|zweimal|dreimal) (?:pro|am|im|in der) "
            r"(?:tag|woche|monat|jahr)\b",
            lambda _m, _c: p.habit(),
        ),
        (
            r"\b(?:täglich|wöchentlich|monatlich|jährlich|stündlich|am wochenende immer|alle \w+ (?:tage|"
            r"wochen|monate|jahre))\b",
            lambda _m, _c: p.habit(),
        ),
        (r"\b(?:am|dieses) wochenende\b", lambda _, c: p.unit(c, "weekend", 0)),
        (
            r"\b(?:neulich|kürzlich|vor kurzem|vor langem|irgendwann|bald|demnächst|früher einmal|"
            r"vor einiger zeit|vor ein paar (?:tagen|wochen|monaten|jahren)|letztens)\b",
            lambda _m, _c: Piece(),
        ),
        *(
            (
                rf"\b(?:{names})\b(?: (?:im )?(?P<sign>letzt|vorig|nächst|dies)e[nms]? jahr(?:es)?|"
                rf"(?: im jahr)? (?P<y>\d{{4}}))?",
                _feast(rule),
            )
            for names, rule in w.FEASTS.items()
        ),
    ),
    clock_gap=r"\s*,?\s*(?:um|gegen|ab|am|den|von)?\s*",
    length_gap=r"\s*(?:und|,)?\s*",
    range_gap=r"\s*(?:bis(?: zum| zur)?|-|–)\s*(?:den |am |dem )?",
    range_and=r"\s*und\s*(?:den |dem )?",
    range_lead=r"\b(?:von|vom|zwischen)\s+(?:dem |den )?",
    before=(
        (r"\b(?:seit|ab)\s+(?:dem |der )?", "since"),
        (r"\bbis(?: zum| zur)?\s+", "until"),
        (r"\bvor(?: dem| der)?\s+", "before"),
        (r"\bnach(?: dem| der)?\s+", "after"),
    ),
    past=r"\b(?:war|waren|hatte|hatten|ging|gingen|kam|kamen|wurde|habe|haben|hat|bin|ist)\b.*\b"
    r"(?:ge\w+[tn]|\w+iert)\b|\b(?:war|waren|hatte|wurde|ging|kam)\b",
    future=r"\b(?:werde|wirst|wird|werden|will|wollen|möchte|müssen|muss|plane|komme|kommt|(?:bin|ist|sind|seid)\b.*\bzurück)\b",
)
