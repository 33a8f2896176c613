"""Korean: numbers before counters, roles as particles after the noun; no word boundary is relied on."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from store.time import calendar, feasts, lunar, nth
from store.time import patterns as p
from store.time.patterns import Context, Language, Piece
from store.time.scan import expand_year
from store.time.words import numbered

_DAYS = {name: number for number, name in enumerate("월화수목금토일")}
_COUNT = ("한 하나", "두 둘", "세 셋 석", "네 넷 넉", "다섯", "여섯", "일곱", "여덟", "아홉", "열", "열한", "열두")
_NATIVE = {
    word: float(number)
    for word, number in (numbered(list(_COUNT), 1) | numbered(list("일이삼사오육칠팔구십"), 1)).items()
}
_UNITS = {"초": "second", "분": "minute", "시간": "hour", "일": "day", "주": "week", "주일": "week"} | {
    "개월": "month",
    "달": "month",
    "년": "year",
    "해": "year",
}
_STEPS = {
    "지지난": -2,
    "저저번": -2,
    "지난": -1,
    "저번": -1,
    "작": -1,
    "이번": 0,
    "이": 0,
    "금": 0,
    "다음": 1,
    "다가오는": 1,
    "오는": 1,
    "다다음": 2,
}
_PARTS = {
    "새벽": "night",
    "아침": "morning",
    "오전": "morning",
    "점심": "lunch",
    "낮": "lunch",
    "오후": "afternoon",
} | {"저녁": "evening", "밤": "night"}
_SEASONS = {"봄": "spring", "여름": "summer", "가을": "autumn", "겨울": "winter"}
_SPANS = {"하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "이레": 7, "여드레": 8, "아흐레": 9} | {
    "열흘": 10,
    "보름": 15,
}
"""Days that are counted in one word."""
_NTH = {"첫": 1, "첫째": 1, "둘째": 2, "셋째": 3, "넷째": 4, "마지막": -1}
_NEAR = {"그끄저께": -3, "그저께": -2, "그제": -2, "엊그제": -2, "어제": -1, "오늘": 0, "내일": 1, "모레": 2, "글피": 3}
_YEARS = {"재작년": -2, "작년": -1, "지난해": -1, "올해": 0, "금년": 0, "내년": 1, "후년": 2}
_SIGN = r"(?P<sign>" + "|".join(sorted(_STEPS, key=len, reverse=True)) + r")\s?"
_N = r"(?P<n>\d+(?:\.\d+)?|" + "|".join(sorted(_NATIVE, key=len, reverse=True)) + ")"
_U = r"(?P<unit>시간|개월|주일|주|달|년|해|일|분|초)"
_P = "(?:" + "|".join(_PARTS) + ")"


def _number(text: str) -> float:
    return float(text) if text[0].isdigit() else _NATIVE[text]


def _date(match: re.Match[str], c: Context) -> Piece:
    year = _year_of(match, c)
    if match["d"]:
        return p.calendar_date(c, int(match["d"]), int(match["m"]), year)
    sign = _STEPS[match["sign"]] if match["sign"] else None
    found = p.month(c, int(match["m"]), year, sign)
    side = match["edge"]
    if side and found.when is not None:
        return p.edge(Piece(p.settled(found.when, c)), {"초": "early", "중": "mid"}.get(side[0], "late")) or found
    return found


def _year_of(match: re.Match[str], c: Context) -> int | None:
    if match["y"]:
        return expand_year(int(match["y"]))
    return c.now.year + _YEARS[match["yw"]] if match["yw"] else None


def _weekday(match: re.Match[str], c: Context) -> Piece:
    number = _DAYS[match["w"]]
    if match["week"]:
        return p.weekday_of_week(c, number, _STEPS[match["sign"]])
    return p.weekday(c, number, _STEPS[match["sign"]] if match["sign"] else None)


def _unit(match: re.Match[str], c: Context) -> Piece:
    grain = {"주말": "weekend", "주": "week", "달": "month", "해": "year", "분기": "quarter"}[match["what"]]
    return p.unit(c, grain, _STEPS[match["sign"]])


def _clock(match: re.Match[str], c: Context) -> Piece | None:
    minute = 30 if match["half"] else int(match["mi"] or 0)
    part = match["part"] or ""
    hour = int(_number(match["h"]))
    if part in ("오전", "새벽") and hour == 12:
        hour = 0
    name = "" if part in ("낮", "점심") else {"새벽": "morning"}.get(part, _PARTS.get(part, ""))
    return p.clock(c, hour, minute, int(match["s"]) if match["s"] else None, name)


def _length(match: re.Match[str], _: Context) -> Piece:
    return p.length(_number(match["n"]) + (0.5 if match["half"] else 0), _UNITS[match["unit"]])


def _counted(match: re.Match[str], c: Context) -> Piece:
    """ "12월 마지막 주", "2018년 세 번째 주"."""
    count = _NTH[match["o"]] if match["o"] else int(_number(match["n"]))
    month = int(match["m"]) if match["m"] else None
    if match["w"]:
        return nth.nth(c, count, "day", month, _year_of(match, c), _DAYS[match["w"]])
    return nth.nth(c, count, "week" if match["what"] == "주" else "month", month, _year_of(match, c))


def _century(match: re.Match[str], _: Context) -> Piece:
    start = calendar.midnight(date((int(match["n"]) - 1) * 100 or 1, 1, 1))
    return Piece(calendar.unit_span(start, "century"))


def _edged(match: re.Match[str], c: Context) -> Piece | None:
    """ "올해 말", "이번 주 후반", "이 달 초"."""
    grain = {"주": "week", "달": "month", "해": "year"}.get(match["what"] or "", "year")
    step = _YEARS[match["yw"]] if match["yw"] else _STEPS[match["sign"]]
    side = {"초": "early", "중": "mid"}.get(match["edge"][0], "late")
    return p.edge(p.unit(c, grain, step), side)


def _since(match: re.Match[str], c: Context) -> Piece:
    grain = _UNITS[match["unit"]]
    return replace(p.length(_number(match["n"]), grain), when=p.run(c, _number(match["n"]), grain, -1).when)


def _season(match: re.Match[str], c: Context) -> Piece:
    year = _year_of(match, c)
    return p.season(c, _SEASONS[match["s"]], year, None if year else _STEPS[match["sign"]] if match["sign"] else None)


_FEASTS: dict[str, feasts.Rule] = {
    "크리스마스|성탄절": feasts.fixed(12, 25),
    "설날|구정": lunar.chinese(1, 1),
    "추석|한가위": lunar.chinese(8, 15),
    "정월\\s?대보름": lunar.chinese(1, 15),
    "단오": lunar.chinese(5, 5),
    "삼일절": feasts.fixed(3, 1),
    "어린이날": feasts.fixed(5, 5),
    "어버이날": feasts.fixed(5, 8),
    "광복절": feasts.fixed(8, 15),
    "개천절": feasts.fixed(10, 3),
    "한글날": feasts.fixed(10, 9),
}


def _feast(rule: feasts.Rule) -> p.Builder:
    return lambda match, c: nth.feast(c, rule, _year_of(match, c))


_WORD_YEARS = "|".join(sorted(_YEARS, key=len, reverse=True))

KOREAN = Language(
    patterns=(
        (r"그끄저께|엊그제|그저께|그제|어제|오늘|내일|모레|글피", lambda m, c: p.day(c, _NEAR[m[0]])),
        (
            rf"(?:(?P<y>\d{{4}})년\s*|(?P<yw>{_WORD_YEARS})\s*)?(?:(?P<m>\d{{1,2}})월\s*)?(?:(?P<o>{'|'.join(_NTH)})(?:\s?번째)?|"
            rf"{_N}\s?번째)\s?(?:(?P<w>[월화수목금토일])요일|(?P<what>주|달)(?!말))",
            lambda m, c: _counted(m, c) if m["m"] or m["y"] or m["yw"] else None,
        ),
        (
            rf"(?:(?P<yw>{_WORD_YEARS})|{_SIGN}(?P<what>주|달|해))\s?(?P<edge>초반?|중반|중순|(?<!주)말|후반)(?![가-힣]*요일)",
            _edged,
        ),
        (
            rf"(?P<d>{'|'.join(_SPANS)})\s?(?P<way>전|뒤|후)",
            lambda m, c: p.day(c, _SPANS[m["d"]] * (-1 if m["way"] == "전" else 1)),
        ),
        (
            rf"(?:다가오는|앞으로|다음|향후)\s?(?P<d>{'|'.join(_SPANS)})",
            lambda m, c: p.run(c, float(_SPANS[m["d"]]), "day", 1),
        ),
        (rf"(?P<d>{'|'.join(_SPANS)})(?:\s?동안|\s?내내)", lambda m, _: p.length(float(_SPANS[m["d"]]), "day")),
        (r"(?P<n>\d{1,2})세기", _century),
        (rf"한두\s?{_U}\s?(?:전|뒤|후)|몇\s?{_U.replace('unit', 'few')}\s?(?:전|뒤|후)", lambda _m, _c: Piece()),
        (r"지금|방금|현재(?!까지)", lambda _, c: p.moment(c)),
        (r"어젯밤|간밤", lambda _, c: p.part(c, "night", -1)),
        (r"오늘\s?밤", lambda _, c: p.part(c, "night", 0)),
        (_WORD_YEARS, lambda m, c: p.unit(c, "year", _YEARS[m[0]])),
        (
            rf"(?:(?P<y>\d{{4}}|\d\d)년\s*|(?P<yw>{_WORD_YEARS})\s*|{_SIGN})?(?P<m>\d{{1,2}})월\s*"
            r"(?:(?P<d>\d{1,2})일|(?P<edge>초순?|중순|말))?(?:\s?\(?[월화수목금토일]요일\)?)?",
            _date,
        ),
        (r"(?P<y>\d{4})[-./](?P<m>\d{1,2})[-./](?P<d>\d{1,2})(?P<yw>(?!))?(?P<sign>(?!))?(?P<edge>(?!))?(?!\d)", _date),
        (r"(?P<y>(?:19|20)\d\d)년(?!\s*\d{1,2}월)(?:도)?", lambda m, _: p.year(int(m["y"]))),
        (
            r"(?P<d>\d{1,2})일(?=\s[월화수목금토일]요일|에(?!서))(?:\s[월화수목금토일]요일)?",
            lambda m, c: p.day_of_month(c, int(m["d"])),
        ),
        (rf"(?:{_SIGN}(?P<week>주\s?)?)?(?P<w>[월화수목금토일])요일", _weekday),
        (rf"{_SIGN}(?P<what>주말|주|달|해|분기)(?!\s?[월화수목금토일]요일)", _unit),
        (r"(?<!이번 )(?<!지난 )주말(?=에|$)", lambda _, c: p.unit(c, "weekend", 0)),
        (rf"(?:지난|최근)\s?{_N}\s?{_U}(?:\s?동안|간)?", lambda m, c: p.run(c, _number(m["n"]), _UNITS[m["unit"]], -1)),
        (
            rf"(?:앞으로|향후|다음)\s?{_N}\s?{_U}(?:\s?동안|간)?",
            lambda m, c: p.run(c, _number(m["n"]), _UNITS[m["unit"]], 1),
        ),
        (rf"{_N}\s?{_U}\s?전", lambda m, c: p.offset(c, _number(m["n"]), _UNITS[m["unit"]], -1)),
        (
            rf"{_N}\s?{_U}\s?(?:뒤|후|있다가|안에|이내에?|내로?)",
            lambda m, c: p.offset(c, _number(m["n"]), _UNITS[m["unit"]], 1),
        ),
        (rf"{_N}\s?{_U}(?:째|\s?전부터)", _since),
        (
            rf"{_N}\s?(?P<unit>시간|개월|주일|주|달(?!리)|년|일|분|초)(?P<half>\s?반)?(?:\s?동안|간|\s?내내)?(?![가-힣]*요일)",
            _length,
        ),
        (
            rf"(?:(?P<part>{_P})\s?)?(?P<h>\d{{1,2}}|열한|열두|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열)시(?!간)"
            r"(?:\s*(?P<mi>\d{1,2})분|\s?(?P<half>반))?(?:\s*(?P<s>\d{1,2})초)?(?:\s?(?:정각|쯤))?",
            _clock,
        ),
        (r"(?P<part>(?!))?(?<!\d)(?P<h>\d{1,2}):(?P<mi>\d\d)(?P<half>(?!))?(?P<s>(?!))?(?!\d)", _clock),
        (r"정오", lambda _, c: p.clock(c, 12)),
        (r"자정", lambda _, c: p.clock(c, 0)),
        (rf"(?P<p>{_P})(?=에|$|\s)", lambda m, c: p.part(c, _PARTS[m["p"]])),
        (rf"(?:(?P<y>\d{{4}})년\s*|(?P<yw>{_WORD_YEARS})\s*|{_SIGN})(?P<s>봄|여름|가을|겨울)", _season),
        (
            r"매(?:일|주|달|월|년|해)(?:\s?[월화수목금토일]요일)?(?:마다)?|격일로|[월화수목금토일]요일마다|주말마다|날마다",
            lambda _m, _c: p.habit(),
        ),
        (r"(?:일주일|한\s?달|하루|\d+주|\d+일|일년)에\s?(?:\d+|한|두|세|네)\s?번(?:씩)?", lambda _m, _c: p.habit()),
        *(
            (rf"(?:(?P<y>\d{{4}})년\s*|(?P<yw>{_WORD_YEARS})\s*)?(?:{names})", _feast(rule))
            for names, rule in _FEASTS.items()
        ),
        (r"최근에?|요즘|얼마\s?전|언젠가|곧|며칠\s?전|몇\s?(?:년|달|주)\s?전|오래\s?전", lambda _m, _c: Piece()),
        (r"연말", lambda _, c: p.edge(p.unit(c, "year", 0), "late")),
        (r"월말", lambda _, c: p.edge(p.unit(c, "month", 0), "late")),
    ),
    length_gap=r"\s*",
    clock_gap=r"\s*,?\s*",
    range_gap=r"\s*(?:부터|에서|~|-)\s*",
    range_and=r"\s*(?:과|와)\s*",
    range_lead=r"(?!)",
    range_tail=r"\s?(?:까지|사이에?)",
    after=((r"\s?(?:부터|이래로?)", "since"), (r"\s?까지", "until"), (r"\s?이전", "before"), (r"\s?이후", "after")),
    past=r"[었았했였]|습니까|[갔왔됐]",
    future=r"[을를할갈될올줄]\s?(?:거|것|겁|예정|게)|겠|해\s?줘|하자",
)
