"""Chinese in both scripts: numbers in digits or characters, roles after the noun; lunar dates are left unread."""

from __future__ import annotations

from store.time.foreign import Language

_FIGURES = {char: number for number, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_C = "[零〇一二三四五六七八九十百两兩]"
_FIGURE = "[一二三四五六七八九]"
_WORDS = """
near: 大前 = -3; 前 = -2; 昨 = -1; 今 = 0; 明 = 1; 后, 後 = 2; 大后 = 3
sign, week: 上上 = -2; 上 = -1; 这, 這, 本 = 0; 下 = 1; 下下 = 2
w: 一 = 0; 二 = 1; 三 = 2; 四 = 3; 五 = 4; 六 = 5; 日, 天 = 6
yw: 前年 = -2; 去年 = -1; 今年, 本年 = 0; 明年 = 1; 后年, 後年 = 2
unit: 秒, 秒钟 = second; 分, 分钟, 分鐘 = minute; 小时, 小時, 钟头 = hour; 天, 日 = day; 周, 週, 星期, 礼拜 = week;
    周末, 週末 = weekend; 月 = month; 季度 = quarter; 年 = year
mi: 半 = 30; 一刻 = 15; 三刻 = 45
half: 半 = 30
o: 上, 前 = 1; 下, 后 = 2
ap: am, a.m. = morning; pm, p.m. = afternoon
part: 凌晨, 清晨, 早上, 早晨, 早间, 早, 上午 = morning; 中午 = lunch; 下午, 午后 = afternoon; 傍晚, 晚上, 晚间,
    晚 = evening; 夜里 = night
season: 春 = spring; 夏 = summer; 秋 = autumn; 冬 = winter
edge: 初 = early; 中 = mid; 底, 末 = late
feast: 圣诞, 圣诞节, 聖誕節 = christmas; 平安夜 = christmas eve; 元旦 = new year's day; 情人节 = valentine's day;
    劳动节, 五一节 = may day; 春节, 春節, 大年初一 = chinese new year; 元宵节, 元宵 = lantern festival; 端午节,
    端午, 端午節 = dragon boat festival; 中秋节, 中秋, 中秋節 = mid-autumn festival
"""
_FORMS = r"""
YEAR: (?:<y>\s?年\s?的?|<yw>的?)
WEEKDAY: (?:星期|周|週|礼拜)<w>
CHAR: [零〇一二三四五六七八九十百两兩]
UNITS: (?=星期|周|週|礼拜|月|天)<unit>
near: <near>[天日](?!头条|之后》)
part: (?=[昨今明])<near>(?=[早晚])<part>
now: 现在|目前|此刻|刚刚|現在
unit unit=year: (?<!十)<yw>
date: <YEAR>?\s?<mm>\s?月份?(?:\s?<d>\s?[日号號]|<edge>)?(?:[，,\s]?<WEEKDAY>)?(?!份?的?最)
date: (?=\d{4})<y>[-./]<mm>[-./]<d>(?!\d)
year: (?=(?:1[89]|20)\d\d|[零〇]|二[零〇]|一九|0\d)<y>\s?年(?![前后後]|[一二三四五六七八九十\d\s]*月|的?第|[上下]半|
    以?[来內内])
year: (?=(?:1[89]|20)\d\d)<y>(?:\s?年(?=[前后後])|(?=\s*[-–~]\s*(?:1[89]|20)\d\d\s?年))
nth: (?:<YEAR>|<YEAR>?<mm>\s?月份?的?)\s?第\s?<o>\s?[个個]?(?:<WEEKDAY>|<UNITS>)
nth o=-1: (?:<YEAR>|<YEAR>?<mm>\s?月份?的?)\s?最[后後]一[个個]?(?:<WEEKDAY>|<UNITS>)
numbered unit=half: <YEAR>?(?=[上下前后])<o>半年
day: (?<![\d月年])(?=\d)<d>日(?!元)
weekday: (?:<week>[个個]?)?<WEEKDAY>(?![个個些下])
unit: <sign>(?:一?个|個)?(?=周|週|星期|礼拜|月|季度)<unit>(?![一二三四五六日天])
unit unit=weekend sign=0: (?<![上下这這本每])周末
offset sign=-1: <n>\s?[个個]?<unit><half>?[之以]?前
offset sign=1: <n>\s?[个個]?<unit><half>?[之以]?[后後]
run sign=-1: (?:过去的?|最近|近|之?前)\s?<n>\s?[个個]?<unit>[里内]?
run sign=1: (?:未来|接下来|今后)的?\s?<n>\s?[个個]?<unit>[里内]?
length: (?<!第)<n>\s?(?:[个個]\s?(?=小时|月|星期|礼拜|季度|钟头)|(?=秒|分钟|分鐘|小时|小時|天|周|週|年))<unit>
    <half>?(?![前后後級])
clock: <part>?<h>[点點时時](?!间|候|钟头)[钟整]?(?:<mi>分?)?(?:<s>秒)?
clock: (?:<part>\s?)?(?<!\d)<h>[:：]<mi>(?:[:：]<s>)?(?:\s?<ap>)?(?!\d)
clock h=0: 午夜|半夜
part: (?=早[上晨间]|晚[上间]|[^早晚])<part>(?![点\d])
season: <YEAR><season>[天季]
habit: 每[个個隔]?(?:天|日|周|週|星期|月|年|小时|晚|早)[一二三四五六日天]?(?:<part><CHAR>+点)?
habit: [一每](?:周|天|个月|年)[一二三四五两\d]+次
feast: <YEAR>?<feast>
vague: 最近|前几天|前阵子|不久前|很久以前|以后某天|将来|几(?:天|年|个月)前|马上|很快
"""


def number(text: str) -> float:
    """ "12", "十二", "二十", "两", "二零一八". Raises ValueError for a row of signs that is no number."""
    if text[0].isdigit():
        return float(text)
    if text == "半":
        return 0.5
    if set(text) - set("十百") - _FIGURES.keys():
        raise ValueError(f"{text} is no number")
    if not set(text) & set("十百"):
        return float("".join(str(_FIGURES[char]) for char in text))
    total, figure = 0, 0
    for char in text:
        if char in "十百":
            total, figure = total + (figure or 1) * (10 if char == "十" else 100), 0
        else:
            figure = _FIGURES[char]
    return float(total + figure)


LANGUAGE = Language(
    words=_WORDS,
    forms=_FORMS,
    number=number,
    digits={
        "n": rf"\d+(?:\.\d+)?|{_C}+|半",
        "o": rf"\d+|{_C}+",
        "y": rf"\d{{4}}|\d\d|{_C}{{4}}|[零〇一九]{_C}",
        "mm": f"1[0-2]|0?[1-9]|十[一二]?|{_FIGURE}",
        "d": rf"3[01]|[12]\d|0?[1-9]|三十一?|二?十{_FIGURE}?|{_FIGURE}",
        "h": rf"\d{{1,2}}|{_C}{{1,3}}",
        "mi": rf"\d{{1,2}}|{_C}{{1,3}}",
        "s": rf"\d{{1,2}}|{_C}{{1,3}}",
    },
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
