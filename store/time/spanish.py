"""Spanish: the common forms, dates written day first; "mañana" is tomorrow unless an article makes it the morning."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from store.time import feasts, nth
from store.time import patterns as p
from store.time import spanish_words as w
from store.time.calendar import LocalStretch, add, day_span, midnight, unit_span
from store.time.patterns import Context, Language, Piece
from store.time.scan import expand_year


def _any(names: dict[str, object] | dict[str, int] | dict[str, str] | dict[str, float]) -> str:
    return "(?:" + "|".join(sorted(names, key=len, reverse=True)) + ")"


_M, _D, _S, _P = _any(w.MONTHS), _any(w.DAYS), _any(w.SEASONS), _any(w.PARTS)
_U = r"(?P<unit>" + "|".join(sorted(w.UNITS, key=len, reverse=True)) + r")(?:e?s)?"
_N = r"(?P<n>\d+(?:[.,]\d+)?|" + "|".join(sorted(w.NUMBERS, key=len, reverse=True)) + ")"
_PASSED = r"(?:pasad[oa]s?|anterior(?:es)?|últim[oa]s?|ultim[oa]s?)"
_COMING = r"(?:próxim[oa]s?|proxim[oa]s?|siguientes?|que viene|entrante)"
_Y = r"(?:,? ?(?:del? |en )?(?:año )?(?P<y>\d{4}))"
_O = r"(?P<o>" + "|".join(sorted(w.ORDINALS, key=len, reverse=True)) + r"|\d{1,2}\.?[ºª])"
_HOURS = r"\d{1,2}|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce"


def _number(text: str) -> float:
    return float(text.replace(",", ".")) if text[0].isdigit() else w.NUMBERS[text.lower()]


def _grain(match: re.Match[str]) -> str:
    return w.UNITS[match["unit"].lower()]


def _date(match: re.Match[str], c: Context) -> Piece:
    text = match["d"].lower().rstrip("º.ª")
    day = int(text) if text.isdigit() else w.ORDINALS.get(text) or int(_number(text))
    year = expand_year(int(match["y"])) if match["y"] else None
    return p.calendar_date(c, day, w.MONTHS[match["m"].lower()], year)


def _numeric(match: re.Match[str], c: Context) -> Piece:
    day, month = int(match["d"]), int(match["m"])
    if month > 12:
        day, month = month, day
    return p.calendar_date(c, day, month, expand_year(int(match["y"])) if match["y"] else None)


def _month(match: re.Match[str], c: Context) -> Piece | None:
    sign = -1 if match["last"] else 1 if match["next"] else 0 if match["this"] else None
    found = p.month(c, w.MONTHS[match["m"].lower()], int(match["y"]) if match["y"] else None, sign)
    return _edged(match["edge"], found, c)


def _edged(word: str | None, found: Piece, c: Context) -> Piece | None:
    if not word or found.when is None:
        return found
    side = {"p": "early", "i": "early", "m": "mid"}.get(word[0].lower(), "late")
    return p.edge(Piece(p.settled(found.when, c)), side)


def _counted(match: re.Match[str], c: Context) -> Piece:
    """ "la tercera semana de enero", "el último lunes de 2019"."""
    word = match["o"].lower().rstrip("ºª.")
    month = w.MONTHS[match["m"].lower()] if match["m"] else None
    weekday = w.DAYS[match["w"].lower()] - 1 if match["w"] else None
    year = int(match["y"] or match["y2"]) if match["y"] or match["y2"] else None
    count = int(word) if word.isdigit() else w.ORDINALS[word]
    return nth.nth(c, count, "day" if match["w"] else _grain(match), month, year, weekday)


def _days(match: re.Match[str], c: Context) -> Piece:
    """ "del 1 al 7 de mayo"."""
    last = p.known(_date(match, c).when)
    first = replace(last, start=last.start.replace(day=int(match["first"])))
    if first.start >= last.start:
        raise ValueError("the range runs backwards")
    return Piece(p.settled(first, c), "range")


def _numbered_week(match: re.Match[str], c: Context) -> Piece:
    """ "la semana 3 de 2027"."""
    monday = date.fromisocalendar(int(match["y"]) if match["y"] else c.now.year, int(match["n"]), 1)
    return Piece(unit_span(midnight(monday), "week"))


def _rest(match: re.Match[str], c: Context) -> Piece:
    """ "el resto de la semana"."""
    host = p.known(p.unit(c, _grain(match), 0).when)
    return Piece(replace(host, start=midnight(c.now.date())))


def _weekday(match: re.Match[str], c: Context) -> Piece:
    number = w.DAYS[match["w"].lower()] - 1
    if match["week"]:
        weeks = -1 if re.search(_PASSED, match["week"], re.IGNORECASE) else 0 if "esta" in match["week"].lower() else 1
        return p.weekday_of_week(c, number, weeks)
    sign = (
        -1 if match["last"] or match["past"] else 1 if match["next"] or match["after"] else 0 if match["this"] else None
    )
    found = p.weekday(c, number, sign)
    if match["day"]:
        return nth.dated_weekday(c, number, int(match["day"]))
    return found


def _unit(match: re.Match[str], c: Context) -> Piece | None:
    grain = _grain(match)
    if grain in ("second", "minute", "hour"):
        return None
    step = -1 if match["last"] or match["past"] else 1 if match["next"] or match["after"] else 0
    if match["wd"]:
        return p.weekday_of_week(c, w.DAYS[match["wd"].lower()] - 1, step)
    return _edged(match["edge"], p.unit(c, grain, step), c)


def _run(match: re.Match[str], c: Context) -> Piece:
    back = re.search(_PASSED, match[0], re.IGNORECASE) is not None
    return p.run(c, _number(match["n"]), _grain(match), -1 if back else 1)


def _near(match: re.Match[str], c: Context) -> Piece:
    steps = {"anteayer": -2, "antier": -2, "antes de ayer": -2, "ayer": -1, "hoy": 0, "mañana": 1, "pasado mañana": 2}
    return p.day(c, steps[match[0].lower()])


def _clock(match: re.Match[str], c: Context) -> Piece | None:
    hour = int(_number(match["h"]))
    minute, extra = 0, match["mi"] or match["mw"]
    if extra:
        minute = 30 if extra == "media" else 15 if extra == "cuarto" else int(_number(extra))
    if match["minus"]:
        less = 15 if match["minus"] == "cuarto" else int(_number(match["minus"]))
        hour, minute = (hour - 1) % 24, 60 - less
    return p.clock(c, hour, minute, int(match["s"]) if match["s"] else None, _half(match["half"]))


def _half(text: str | None) -> str:
    if not text:
        return ""
    word = text.lower().split(" ")[-1]
    if word in w.PARTS:
        return {"madrugada": "morning", "noche": "night", "mediodía": "lunch"}.get(word, w.PARTS[word])
    return "afternoon" if word.startswith("p") else "morning"


def _part(match: re.Match[str], c: Context) -> Piece:
    return p.part(c, w.PARTS[match["part"].lower()], 0 if match["this"] else None)


def _length(match: re.Match[str], c: Context) -> Piece:
    amount = _number(match["n"]) + (0.5 if match["half"] else 0)
    found = p.length(amount, _grain(match))
    since = match["lead"] and match["lead"].lower().startswith(("desde", "llev"))
    return replace(found, when=p.run(c, amount, _grain(match), -1).when) if since else found


def _season(match: re.Match[str], c: Context) -> Piece:
    sign = -1 if match["last"] else 1 if match["next"] else 0 if match["this"] else None
    return p.season(c, w.SEASONS[match["s"].lower()], int(match["y"]) if match["y"] else None, sign)


def _feast(rule: feasts.Rule) -> p.Builder:
    def build(match: re.Match[str], c: Context) -> Piece:
        if match["y"]:
            return Piece(day_span(rule(int(match["y"]))))
        days = [rule(c.now.year + step) for step in (-1, 0, 1)]
        past, coming = [d for d in days if d <= c.now.date()], [d for d in days if d >= c.now.date()]
        back = match["last"] or (c.prefer == "past" and not match["this"])
        return Piece(day_span(days[1] if match["this"] else past[-1] if back else coming[0]))

    return build


def _quarter(match: re.Match[str], c: Context) -> Piece:
    number = int(match["q"]) if match["q"].isdigit() else w.ORDINALS[match["q"].lower()]
    year = int(match["y"]) if match["y"] else c.now.year
    start = c.now.replace(year=year, month=3 * number - 2, day=1, hour=0, minute=0, second=0, microsecond=0)
    return Piece(LocalStretch(start, add(start, 1, "quarter"), "quarter"))


def _week_of(found: Piece, c: Context) -> Piece:
    assert found.when is not None
    return Piece(unit_span(p.settled(found.when, c).start, "week"))


def _decade(number: int) -> Piece:

    return Piece(unit_span(midnight(date(number + (1900 if number >= 30 else 2000), 1, 1)), "decade"))


_HALF = rf"(?: ?(?P<half>de la (?:{_P})|del mediodía|de la madrugada|[ap]\. ?m\.|[ap]m\b))?"
_SIDE = (
    r"(?:(?:a )?(?P<edge>principios|inicios?|mediados|medianos(?= de )|últimos(?= de )|finales|fines|fin|final) "
    r"(?:de |del )?)?"
)

SPANISH = Language(
    patterns=(
        (
            r"\b(?:antes de ayer|anteayer|antier|ayer|hoy|pasado mañana|(?<!la )(?<!esta )(?<!de la )mañana)\b"
            r"(?! siguiente)",
            _near,
        ),
        (r"\b(?:ahora(?: mismo)?|en este momento|actualmente)\b", lambda _, c: p.moment(c)),
        (r"\b(?:anoche)\b", lambda _, c: p.part(c, "night", -1)),
        (r"\b(?:esta noche)\b", lambda _, c: p.part(c, "night", 0)),
        (
            rf"\b(?:(?:el |este |los )?(?:(?P<last>últim[oa]|pasado)|(?P<next>próximo)) |(?P<this>este ))?(?P<w>{_D})\b"
            rf"(?! (?:{_M}|\d{{1,2}} (?:de )?{_M}))"
            rf"(?: (?:el )?(?:d[ií]a )?(?P<day>\d{{1,2}})\b(?![:/.-]\d| de| a\.| p))?"
            rf"(?:(?P<past> {_PASSED})|(?P<after> {_COMING}))?(?P<week>(?: por la (?:tarde|mañana|noche))? "
            rf"(?:de )?(?:la|esta) (?:próxima |pasada )?semana(?: pasada| que viene| próxima| anterior|"
            rf" siguiente)?)?\b",
            _weekday,
        ),
        (
            rf"\b(?:(?:el |este |próximo )?{_D},? (?:\(?)(?:el )?)?(?:día )?(?P<d>\d{{1,2}}(?:\.?[ºª])?|"
            rf"primero|segundo|{_any(w.NUMBERS)})[ -/]?(?:de )?(?P<m>{_M})\b\.?(?:[-/ ]?{_Y})?",
            _date,
        ),
        (rf"\b(?:{_D},? )?(?P<d>\d{{1,2}})[/.-](?P<m>\d{{1,2}})[/.-](?P<y>\d{{4}}|\d\d)(?![\w/])", _numeric),
        (
            rf"(?:(?<=\bel )|(?<=\bde )|(?<=\ba )|(?<=\by )|(?<=\bo )|(?<=\bentre )|(?<=\beste )|"
            rf"(?<=\bpróximo )|(?<=\bhasta )|(?<=\bdesde )|(?<=\bpara )|\b{_D} |^|(?<=, )|(?<=/\d-)|"
            rf"(?<=/\d\d-))(?P<d>\d{{1,2}})/(?P<m>\d{{1,2}})(?P<y>(?!))?(?![\w/])",
            _numeric,
        ),
        (r"(?<![\w.,/-])(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)(?!\w)", _numeric),
        (
            rf"\b{_SIDE}(?:(?P<last>pasado )|(?P<next>próximo )|(?P<this>este ))?"
            rf"(?P<m>{_any({k: v for k, v in w.MONTHS.items() if len(k) > 3})})\b{_Y}?",
            _month,
        ),
        (rf"\b(?P<edge>(?!))?(?P<last>(?!))?(?P<next>(?!))?(?P<this>(?!))?(?P<m>{_M})\.? {_Y}", _month),
        (
            rf"\b{_SIDE}(?:(?:el|la|los|las|del|de la) )?(?:(?P<last>{_PASSED} )|(?P<next>(?:próxim[oa]|"
            rf"siguiente) )|(?P<this>est[ae] |mism[oa] ))?{_U}\b"
            rf"(?:(?P<past> {_PASSED})|(?P<after> {_COMING})|(?P<now> actual))?(?:,? (?:el )?(?P<wd>{_D}))?",
            lambda m, c: (
                _unit(m, c)
                if m["last"] or m["next"] or m["this"] or m["past"] or m["after"] or m["now"] or m["edge"]
                else None
            ),
        ),
        (rf"\b(?:(?:el|la|los|las) )?(?:{_PASSED}|{_COMING}) {_N} {_U}\b", _run),
        (rf"\b{_N} (?:{_PASSED}|{_COMING}) {_U}\b", _run),
        (
            r"\b(?:el )?d[ií]a (?P<d>\d{1,2})\b(?! de| " + _M + r")(?![/.-]\d)",
            lambda m, c: p.day_of_month(c, int(m["d"])),
        ),
        (rf"\b{_N} {_U} (?:{_PASSED}|siguientes|próximos)\b", _run),
        (
            rf"\bhace (?:unos |unas |como |casi |ya )?{_N} {_U}\b",
            lambda m, c: p.offset(c, _number(m["n"]), _grain(m), -1),
        ),
        (rf"\b{_N} {_U} (?:atrás|antes de hoy)\b", lambda m, c: p.offset(c, _number(m["n"]), _grain(m), -1)),
        (rf"\b(?:en|dentro de) {_N} ?{_U}\b", lambda m, c: p.offset(c, _number(m["n"]), _grain(m), 1)),
        (
            rf"\b{_N} {_U} (?:después|más tarde|a partir de (?:hoy|ahora)|después de hoy)\b",
            lambda m, c: p.offset(c, _number(m["n"]), _grain(m), 1),
        ),
        (rf"\b(?P<lead>durante |por |desde hace |llevo |llevamos |lleva )?{_N} {_U}\b(?P<half> y medi[oa])?", _length),
        (rf"\btod[oa] (?:el|la) {_U}\b", lambda m, _: p.length(1, _grain(m))),
        (rf"\bun[oa]? {_U} enter[oa]\b", lambda m, _: p.length(1, _grain(m))),
        (
            rf"\b(?:el |la )?{_O} (?:(?P<w>{_D})|{_U}) del? (?:(?P<m>{_M})\b(?:{_Y})?|(?:año )?(?P<y2>\d{{4}}))(?!\w)",
            _counted,
        ),
        (
            rf"\b(?:(?:del?|desde(?: el)?) |(?P<two>entre (?:el )?))?(?P<first>\d{{1,2}}) "
            rf"(?:al?|hasta el|-|(?(two)y(?: el)?|(?!))) "
            rf"(?P<d>\d{{1,2}}) (?:de |el )(?P<m>{_M})\b(?:{_Y})?",
            _days,
        ),
        (r"\b(?:la )?semana (?P<n>\d{1,2})\b(?:(?: del?)? (?P<y>\d{4}))?(?!\w| del? | [ap]\.)", _numbered_week),
        (rf"\b(?:el )?resto (?:de la|del) {_U}\b", _rest),
        (r"\bel (?P<d>\d{1,2}) del (?P<m>\d{1,2})(?P<y>(?!))?(?![\w:.])", _numeric),
        (
            rf"\b(?:(?:la|el) )?semana (?:que (?:inicia|comienza|empieza) el |de |del )(?:el )?"
            rf"(?P<d>\d{{1,2}}) (?:de )?(?P<m>{_M})(?P<y>(?!))?\b",
            lambda m, c: _week_of(_date(m, c), c),
        ),
        (
            r"\b(?:el )?(?P<q>primer|segundo|tercer|cuarto|[1-4])[º.ª]* trimestre(?:[ -]?(?:de |del )?"
            r"(?:año )?(?P<y>\d{4}))?",
            _quarter,
        ),
        (r"\b(?P<y>(?:19|20)\d\d)[ -]t(?P<q>[1-4])\b", _quarter),
        (
            r"(?:\b(?:el )?año (?:de )?|(?<=\ben )|(?<=\bdesde )|(?<=\bhasta )|(?<=\bde )|(?<=\bentre )|"
            r"(?<=\by )|(?<=\ba )|(?<=~ )|(?<=-)|^)(?P<y>(?:1[89]|20|21)\d\d)(?![\w.,:/]\w|\w|-\d\d?\b)",
            lambda m, _: p.year(int(m["y"])),
        ),
        (r"\b(?:(?:los )?a[ñn]os|década de(?: los)?) (?:19)?(?P<y>\d0)\b", lambda m, c: _decade(int(m["y"]))),
        (
            rf"\b(?:(?:el |en )?(?:(?P<last>pasado |último )|(?P<next>próximo )|(?P<this>este |esta )))?"
            rf"(?P<s>{_S})(?: (?:de|del) (?P<y>\d{{4}}))?\b",
            lambda m, c: _season(m, c) if m["last"] or m["next"] or m["this"] or m["y"] else None,
        ),
        (
            rf"\b(?:a |desde |hasta )?(?:las? )?(?P<h>\d{{1,2}})[:.](?P<mi>\d\d)(?::(?P<s>\d\d))?(?P<mw>"
            rf"(?!))?(?P<minus>(?!))?(?: ?horas?\b| ?h\b)?{_HALF}(?![\w%])",
            lambda m, c: _clock(m, c) if ":" in m[0] or m["half"] or "la" in m[0] else None,
        ),
        (
            rf"\b(?:a )?las? (?P<h>{_HOURS})\b(?P<mi>(?!))?(?P<s>(?!))?(?: en punto)?(?: y (?P<mw>media|"
            rf"cuarto|{_any(w.NUMBERS)}|\d\d))?(?: menos (?P<minus>cuarto|{_any(w.NUMBERS)}|\d\d))?{_HALF}"
            rf"(?![\w:./]| (?:{_any(w.UNITS)}|{_PASSED}|{_COMING})\b)",
            _clock,
        ),
        (
            rf"\b(?P<h>{_HOURS})\b(?P<mi>(?!))?(?P<s>(?!))?(?: y (?P<mw>media|cuarto|{_any(w.NUMBERS)}))?"
            rf"(?: menos (?P<minus>cuarto|{_any(w.NUMBERS)}))?{_HALF}(?![\w:./])",
            lambda m, c: _clock(m, c) if m["half"] else None,
        ),
        (r"\b(?:12 del )?mediod[ií]a\b", lambda _, c: p.clock(c, 12)),
        (r"\bmedianoche\b", lambda _, c: p.clock(c, 0)),
        (rf"\b(?:(?:por|en|a|de) la |(?P<this>esta )|la )(?P<part>{_P})\b", _part),
        (
            rf"\b(?:cada|todos los|todas las) (?:(?:dos|tres|otr[oa]|\d+) )?(?:{_D}|{_U}|mañanas|tardes|"
            rf"noches|finde)s?\b(?: a las \d{{1,2}}(?:[:.]\d\d)?(?: [ap]\.m\.)?)?",
            lambda _m, _c: p.habit(),
        ),
        (
            r"\b(?:una vez|(?:dos|tres|cuatro|\d+) veces) (?:a la|al|por|cada) (?:día|semana|mes|año)\b",
            lambda _m, _c: p.habit(),
        ),
        (
            r"\b(?:diariamente|semanalmente|mensualmente|anualmente|semestralmente|a diario|anual|bimensual(?:es)?)\b",
            lambda _m, _c: p.habit(),
        ),
        (
            r"\blos (?:lunes|martes|miércoles|jueves|viernes|sábados|domingos|fines de semana)\b",
            lambda _m, _c: p.habit(),
        ),
        (
            r"\b(?:hace (?:poco|tiempo|mucho(?: tiempo)?|rato|(?:unos|algunos|varios) (?:días|meses|"
            r"años)|(?:unas|algunas|varias) semanas)|recientemente|últimamente|pronto|algún día|el otro día)\b",
            lambda _m, _c: Piece(),
        ),
        *(
            (
                rf"\b(?:(?:la |el )?(?P<last>últim[oa] |pasad[oa] )|)(?:{names})\b(?P<this> de este año)?"
                rf"(?: (?:de |del )?(?P<y>\d{{4}}))?",
                _feast(rule),
            )
            for names, rule in w.FEASTS.items()
        ),
    ),
    clock_gap=r"\s*,?\s*(?:a|por|de|para)?\s*",
    length_gap=r"\s*(?:y|,|con)?\s*",
    range_gap=r"\s*(?:a|al|hasta|-|~|–|hacia)\s*(?:el |la |los |las )?",
    range_and=r"\s*y\s*(?:el |la |los |las )?",
    range_lead=r"\b(?:desde|entre|de|del)\s+(?:el |la |los |las )?",
    before=(
        (r"\b(?:desde|a partir de(?:l)?)\s+(?:el |la )?", "since"),
        (r"\b(?:hasta|no más tard(?:e que|ar))\s+(?:el |la )?", "until"),
        (r"\b(?:antes del?|anterior del?)\s+(?:el |la )?", "before"),
        (r"\b(?:después del?|posterior (?:del?|a))\s+(?:el |la )?", "after"),
    ),
    past=r"\b\w+(?:é|ó|aron|ieron|imos|aste|iste|aba|aban|ía|ían)\b|\b(?:fue|fui|fuimos|era|estuvo|tuve|hice|dijo)\b",
    future=r"\b\w+(?:aré|eré|iré|ará|erá|irá|aremos|eremos|iremos|arán|erán|irán)\b|\b(?:voy|vamos|"
    r"va) a\b|\b(?:quiero|tengo que|debo)\b",
)
