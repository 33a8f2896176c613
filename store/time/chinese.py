"""Chinese in both scripts: numbers in digits or characters, roles after the noun; lunar dates are left unread."""

from __future__ import annotations

import re
from dataclasses import replace

from store.time import feasts, lunar, nth
from store.time import patterns as p
from store.time.calendar import LocalStretch, add
from store.time.patterns import Context, Language, Piece
from store.time.scan import expand_year

_DIGITS = {char: number for number, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2, "半": 0}
_DAYS = {char: number for number, char in enumerate("一二三四五六")} | {"日": 6, "天": 6}
_UNITS = {
    "秒": "second",
    "秒钟": "second",
    "分钟": "minute",
    "分鐘": "minute",
    "分": "minute",
    "小时": "hour",
    "小時": "hour",
    "钟头": "hour",
    "天": "day",
    "日": "day",
    "周": "week",
    "週": "week",
    "星期": "week",
    "礼拜": "week",
    "月": "month",
    "季度": "quarter",
    "年": "year",
}
_PARTS = {
    "凌晨": "night",
    "清晨": "morning",
    "早上": "morning",
    "早晨": "morning",
    "早间": "morning",
    "早": "morning",
    "上午": "morning",
    "中午": "lunch",
    "下午": "afternoon",
    "午后": "afternoon",
    "傍晚": "evening",
    "晚上": "evening",
    "晚间": "evening",
    "晚": "evening",
    "夜里": "night",
}
_NEAR = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "後": 2, "大后": 3}
_YEARS = {"前年": -2, "去年": -1, "今年": 0, "本年": 0, "明年": 1, "后年": 2, "後年": 2}
_SEASONS = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}
_STEPS = {"上上": -2, "上": -1, "这": 0, "這": 0, "本": 0, "下": 1, "下下": 2}
_C = "[零〇一二三四五六七八九十百两兩]"
_N = rf"(?P<n>\d+(?:\.\d+)?|{_C}+|半)"
_U = r"(?P<unit>秒钟|秒|分钟|分鐘|小时|小時|钟头|天|日|周|週|星期|礼拜|月|季度|年)"
_P = "(?:" + "|".join(sorted(_PARTS, key=len, reverse=True)) + ")"
_YEARWORD = "|".join(_YEARS)


def number(text: str) -> float:
    """ "12", "十二", "二十", "两", "二零一八". Raises ValueError for a row of signs that is no number."""
    try:
        return _number(text)
    except (KeyError, IndexError) as error:
        raise ValueError(f"{text} is no number") from error


def _number(text: str) -> float:
    if text[0].isdigit():
        return float(text)
    if text == "半":
        return 0.5
    if "十" not in text and "百" not in text:
        return float("".join(str(_DIGITS[char]) for char in text))
    total = 0
    if "百" in text:
        hundreds, text = text.split("百", 1)
        total = 100 * _DIGITS[hundreds]
    if "十" in text:
        tens, ones = text.split("十", 1)
        return float(total + 10 * (_DIGITS[tens] if tens else 1) + (_DIGITS[ones] if ones else 0))
    return float(total + (_DIGITS[text[-1]] if text else 0))


def _year_of(match: re.Match[str], c: Context) -> int | None:
    if match["y"]:
        return expand_year(int(number(match["y"])))
    return c.now.year + _YEARS[match["yw"]] if match["yw"] else None


def _date(match: re.Match[str], c: Context) -> Piece:
    year, month = _year_of(match, c), int(number(match["m"]))
    if not match["d"]:
        found = p.month(c, month, year)
        side = {"初": "early", "中": "mid", "底": "late", "末": "late"}.get(match["edge"] or "")
        return (p.edge(Piece(p.settled(found.when, c)), side) or found) if side and found.when else found
    return p.calendar_date(c, int(number(match["d"])), month, year)


def _numeric(match: re.Match[str], c: Context) -> Piece:
    return p.calendar_date(c, int(match["d"]), int(match["m"]), int(match["y"]))


def _weekday(match: re.Match[str], c: Context) -> Piece:
    day = _DAYS[match["w"]]
    sign = match["sign"]
    return p.weekday_of_week(c, day, _STEPS[sign]) if sign else p.weekday(c, day)


def _unit(match: re.Match[str], c: Context) -> Piece | None:
    what = match["what"]
    if what == "周末" or what == "週末":
        return p.unit(c, "weekend", _STEPS[match["sign"]])
    grain = _UNITS[what]
    return p.unit(c, grain, _STEPS[match["sign"]]) if grain not in ("second", "minute", "hour", "day") else None


def _near(match: re.Match[str], c: Context) -> Piece:
    return p.day(c, _NEAR[match["d"]])


def _amount(match: re.Match[str]) -> float:
    return number(match["n"]) + (0.5 if match.groupdict().get("half") else 0)


def _clock(match: re.Match[str], c: Context) -> Piece | None:
    hour = int(number(match["h"]))
    minute = (
        30
        if match["half"]
        else 15 * int(number(match["q"]))
        if match["q"]
        else int(number(match["mi"]))
        if match["mi"]
        else 0
    )
    part = match["part"] or ""
    late = match["pm"] and match["pm"].lower().startswith("p")
    if part == "凌晨" or (part == "早上" and hour == 12):
        name = "morning"
    else:
        name = "afternoon" if late else "" if part == "中午" else _PARTS.get(part, "")
    return p.clock(c, hour, minute, int(number(match["s"])) if match["s"] else None, name)


def _length(match: re.Match[str], _: Context) -> Piece:
    return p.length(_amount(match), _UNITS[match["unit"]])


def _counted(match: re.Match[str], c: Context) -> Piece:
    """ "2021年的第一周", "四月的最后一个星期一"."""
    count = int(number(match["n"])) if match["n"] else -1
    if match["m"]:
        month: int | None = int(number(match["m"]))
        year = expand_year(int(number(match["y2"]))) if match["y2"] else None
        year = c.now.year + _YEARS[match["yw2"]] if match["yw2"] else year
    else:
        month, year = None, _year_of(match, c)
    if match["w"]:
        return nth.nth(c, count, "day", month, year, _DAYS[match["w"]])
    return nth.nth(c, count, _UNITS[match["what"]], month, year)


def _half(match: re.Match[str], c: Context) -> Piece:
    """ "上半月", "下半周": half of the current unit."""
    span = p.known(p.unit(c, _UNITS[match["what"]], 0).when)
    cut = add(span.start, 15 if span.grain == "month" else 4, "day")
    return Piece(replace(span, end=cut) if match["side"] == "上" else replace(span, start=cut))


def _lunar(match: re.Match[str], c: Context) -> Piece:
    """ "正月初一", "八月十五" with 农历 before it: a date of the Chinese calendar."""
    month = {"正": 1, "冬": 11, "腊": 12, "臘": 12}.get(match["m"]) or int(number(match["m"]))
    day = int(number(match["d"].replace("初", "").replace("廿", "二十")))
    return nth.feast(c, lunar.chinese(month, day), _year_of(match, c))


def _feast(rule: feasts.Rule) -> p.Builder:
    return lambda match, c: nth.feast(c, rule, _year_of(match, c))


def _season(match: re.Match[str], c: Context) -> Piece:
    return p.season(c, _SEASONS[match["s"]], _year_of(match, c))


def _half_year(match: re.Match[str], c: Context) -> Piece:
    year = _year_of(match, c) or c.now.year
    start = c.now.replace(
        year=year, month=1 if match["half"] in "上前" else 7, day=1, hour=0, minute=0, second=0, microsecond=0
    )
    return Piece(LocalStretch(start, add(start, 6, "month"), "half"))


_Y = rf"(?:(?P<y>\d{{4}}|\d\d|{_C}{{4}}|[零〇一九]{_C})\s?年\s?的?|(?P<yw>{_YEARWORD})的?)"
_Y2 = _Y.replace("P<y>", "P<y2>").replace("P<yw>", "P<yw2>")
_FEASTS: dict[str, feasts.Rule] = {
    "圣诞节?|聖誕節": feasts.fixed(12, 25),
    "平安夜": feasts.fixed(12, 24),
    "元旦": feasts.fixed(1, 1),
    "情人节": feasts.fixed(2, 14),
    "劳动节|五一节": feasts.fixed(5, 1),
    "国庆节?|國慶節?": feasts.fixed(10, 1),
    "春节|春節|大年初一": lunar.chinese(1, 1),
    "除夕|大年三十": lunar.eve_of(lunar.chinese(1, 1)),
    "元宵节?|元宵節": lunar.chinese(1, 15),
    "清明节?|清明節": lunar.clear_and_bright,
    "端午节?|端午節": lunar.chinese(5, 5),
    "七夕节?|七夕節": lunar.chinese(7, 7),
    "中秋节?|中秋節": lunar.chinese(8, 15),
    "重阳节|重陽節": lunar.chinese(9, 9),
}
_PLAIN = r"(?P<s>(?!))?(?P<q>(?!))?(?P<half>(?!))?"

CHINESE = Language(
    patterns=(
        (r"(?P<d>大前|前|昨|今|明|大后|后|後)(?:天|日)(?!头条|之后》)", _near),
        (r"(?P<d>昨|今|明)(?P<p>早|晚)上?", lambda m, c: p.part(c, _PARTS[m["p"]], _NEAR[m["d"]])),
        (r"现在|目前|此刻|刚刚|現在", lambda _, c: p.moment(c)),
        (rf"(?<!十)(?P<w>{_YEARWORD})", lambda m, c: p.unit(c, "year", _YEARS[m["w"]])),
        (
            rf"{_Y}?\s?(?P<m>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\s?月(?:份)?"
            rf"(?:\s?(?P<d>3[01]|[12]\d|0?[1-9]|三十一?|二十[一二三四五六七八九]?|十[一二三四五六七八九]?|[一二三四五六七八九])\s?[日号號]|"
            rf"(?P<edge>[初中底末]))?"
            r"(?:[，,\s]?(?:星期|周|礼拜)[一二三四五六日天])?(?!份?的?最)",
            _date,
        ),
        (r"(?P<y>\d{4})[-./](?P<m>\d{1,2})[-./](?P<d>\d{1,2})(?!\d)", _numeric),
        (
            rf"(?P<y>(?:1[89]|20)\d\d|[零〇]{_C}|二[零〇]{_C}{{2}}|一九{_C}{{2}}|0\d)\s?年(?![前后後]|[一二三四五六七八九十\d\s]*月|"
            rf"的?第|[上下]半|以?[来內内])",
            lambda m, _: p.year(int(number(m["y"]))),
        ),
        (
            r"(?P<y>(?:1[89]|20)\d\d)(?:\s?年(?=[前后後])|(?=\s*[-–~]\s*(?:1[89]|20)\d\d\s?年))",
            lambda m, _: p.year(int(m["y"])),
        ),
        (
            rf"(?:{_Y}|(?:{_Y2})?(?P<m>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])\s?月份?的?)\s?"
            rf"(?:第\s?{_N}|最[后後]一)\s?[个個]?(?:(?:星期|周|週|礼拜)(?P<w>[一二三四五六日天])|(?P<what>星期|周|週|礼拜|月|天))",
            _counted,
        ),
        (r"(?P<side>上|下)个?半(?P<what>周|週|月)", _half),
        (
            rf"{_Y}?(?:农历|農曆)?(?P<m>[正一二三四五六七八九十冬腊臘]|十[一二])月(?P<d>初{_C}|十{_C}?|二十{_C}?|廿{_C}|三十)(?![日号號])",
            lambda m, c: _lunar(m, c) if m["d"].startswith("初") or m["m"] in "正冬腊臘" or "历" in m[0] else None,
        ),
        (r"(?<![\d月年])(?P<d>\d{1,2})日(?!元)", lambda m, c: p.day_of_month(c, int(m["d"]))),
        (
            r"(?P<sign>上上|下下|上|下|这|這|本)?[个個]?(?:星期|周|週|礼拜)(?P<w>[一二三四五六日天])(?![个個些下])",
            _weekday,
        ),
        (
            r"(?P<sign>上上|下下|上|下|这|這|本)(?:一?个|個)?(?P<what>周末|週末|星期|周|週|礼拜|月|季度)(?![一二三四五六日天])",
            _unit,
        ),
        (r"(?<![上下这這本每])周末", lambda _, c: p.unit(c, "weekend", 0)),
        (rf"{_Y}?(?P<half>[上下前后])半年", _half_year),
        (
            rf"{_N}\s?(?:个|個)?{_U}(?P<half>半)?(?:之|以)?前",
            lambda m, c: p.offset(c, _amount(m), _UNITS[m["unit"]], -1),
        ),
        (
            rf"{_N}\s?(?:个|個)?{_U}(?P<half>半)?(?:之|以)?[后後]",
            lambda m, c: p.offset(c, _amount(m), _UNITS[m["unit"]], 1),
        ),
        (
            rf"(?:过去|最近|近|前|之前|过去的)\s?{_N}\s?(?:个|個)?{_U}(?:里|内)?",
            lambda m, c: p.run(c, _amount(m), _UNITS[m["unit"]], -1),
        ),
        (
            rf"(?:未来|接下来|今后)的?\s?{_N}\s?(?:个|個)?{_U}(?:里|内)?",
            lambda m, c: p.run(c, _amount(m), _UNITS[m["unit"]], 1),
        ),
        (
            rf"(?<!第){_N}\s?(?:(?:个|個)\s?(?P<u2>小时|月|星期|礼拜|季度|钟头)|(?P<unit>秒钟|秒|分钟|分鐘|小时|小時|天|周|週|年))(?P<half>半)?(?![前后後级])",
            lambda m, _: p.length(_amount(m), _UNITS[m["u2"] or m["unit"]]),
        ),
        (
            rf"(?:(?P<part>{_P}))?(?P<h>\d{{1,2}}|{_C}{{1,3}})[点點时時](?!间|候|钟头)(?:钟|整)?"
            rf"(?:(?P<half>半)|(?P<q>[一三1-3])刻|(?P<mi>\d{{1,2}}|{_C}{{1,3}})分?)?(?:(?P<s>\d{{1,2}}|"
            rf"{_C}{{1,3}})秒)?(?P<pm>(?!))?",
            _clock,
        ),
        (
            rf"(?:(?P<part>{_P})\s?)?(?<!\d)(?P<h>\d{{1,2}})[:：](?P<mi>\d\d)(?:[:：](?P<s>\d\d))?(?P<q>"
            rf"(?!))?(?P<half>(?!))?\s?(?P<pm>[ap]\.?m\.?)?(?!\d)",
            _clock,
        ),
        (r"午夜|半夜", lambda _, c: p.clock(c, 0)),
        (rf"(?P<p>{_P})(?![点\d])", lambda m, c: p.part(c, _PARTS[m["p"]]) if len(m["p"]) > 1 else None),
        (rf"{_Y}(?P<s>[春夏秋冬])[天季]", _season),
        (
            rf"每(?:个|個|隔)?(?:天|日|周|週|星期|月|年|小时|晚|早)(?:[一二三四五六日天])?(?:{_P}[一二三四五六七八九十\d]+点)?",
            lambda _m, _c: p.habit(),
        ),
        (r"(?:一|每)(?:周|天|个月|年)[一二三四五两\d]+次", lambda _m, _c: p.habit()),
        *((rf"{_Y}?(?:{names})", _feast(rule)) for names, rule in _FEASTS.items()),
        (r"最近|前几天|前阵子|不久前|很久以前|以后某天|将来|几(?:天|年|个月)前|马上|很快", lambda _m, _c: Piece()),
    ),
    length_gap=r"\s*(?:又|零|余|多|和)?\s*",
    clock_gap=r"\s*[，,]?\s*的?\s*",
    range_gap=r"\s*(?:到|至|-|–|~)\s*",
    range_and=r"\s*(?:和|与)\s*",
    range_lead=r"(?:从|自)\s*",
    range_tail=r"\s?(?:之间|期间|为止)",
    before=((r"(?:截止到|截至|直到|到)", "until"), (r"自从|自", "since")),
    after=(
        (r"(?:或|及)?(?:之前|以前)|前", "before"),
        (r"(?:或|及)?(?:之后|以后)", "after"),
        (r"以来|开始|起", "since"),
    ),
    past=r"了|过去|曾|昨",
    future=r"将|會|要|打算|准备|计划|明天",
)
