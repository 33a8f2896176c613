"""Korean: numbers before counters, roles as particles after the noun; no word boundary is relied on."""

from __future__ import annotations

from store.time.foreign import Language

_WORDS = """
near: 그끄저께 = -3; 그저께, 그제, 엊그제 = -2; 어제 = -1; 오늘 = 0; 내일 = 1; 모레 = 2; 글피 = 3
sign, week: 지지난, 저저번 = -2; 지난, 저번, 작 = -1; 이번, 이, 금 = 0; 다음, 다가오는, 오는 = 1; 다다음 = 2
w: 월 = 0; 화 = 1; 수 = 2; 목 = 3; 금 = 4; 토 = 5; 일 = 6
yw: 재작년 = -2; 작년, 지난해 = -1; 올해, 금년 = 0; 내년 = 1; 후년 = 2
unit: 초 = second; 분 = minute; 시간 = hour; 일 = day; 주, 주일 = week; 주말 = weekend; 개월, 달 = month;
    분기 = quarter; 년, 해 = year
o: 한, 하나, 일, 첫, 첫째 = 1; 두, 둘, 이, 둘째 = 2; 세, 셋, 석, 삼, 셋째 = 3; 네, 넷, 넉, 사, 넷째 = 4; 다섯,
    오 = 5; 여섯, 육 = 6; 일곱, 칠 = 7; 여덟, 팔 = 8; 아홉, 구 = 9; 열, 십 = 10; 열한 = 11; 열두 = 12; 마지막 = -1
h, n: 한, 하나, 일 = 1; 두, 둘, 이 = 2; 세, 셋, 석, 삼 = 3; 네, 넷, 넉, 사 = 4; 다섯, 오 = 5; 여섯, 육 = 6; 일곱,
    칠 = 7; 여덟, 팔 = 8; 아홉, 구 = 9; 열, 십 = 10; 열한 = 11; 열두 = 12
span: 하루, 이틀, 사흘, 나흘, 닷새, 엿새, 이레, 여드레, 아흐레, 열흘 = 1..; 보름 = 15
mi, half: 반 = 30
part: 새벽, 아침, 오전 = morning; 점심, 낮 = lunch; 오후 = afternoon; 저녁 = evening; 밤 = night
season: 봄 = spring; 여름 = summer; 가을 = autumn; 겨울 = winter
edge: 초, 초반, 초순 = early; 중반, 중순 = mid; 말, 후반 = late
feast: 크리스마스, 성탄절 = christmas; 설날, 구정 = seollal; 추석, 한가위 = chuseok; 삼일절 = on 3 1; 어린이날 = on 5 5;
    어버이날 = on 5 8; 광복절 = on 8 15; 개천절 = on 10 3; 한글날 = on 10 9
"""
_FORMS = r"""
YEAR: (?:<yy>년|<yw>)\s*
WEEKDAY: [월화수목금토일]요일
near: <near>
now: 지금|방금|현재(?!까지)
part part=night near=-1: 어젯밤|간밤
nth: (?:<YEAR>(?:<mm>월\s*)?|<mm>월\s*)<o>(?:\s?번째)?\s?(?:<w>요일|(?=주|달)<unit>(?!말))
unit unit=year: <yw>(?:\s?<edge>(?![가-힣]*요일))?
unit: <sign>\s?(?=주|달|해|분기)<unit>(?!\s?<WEEKDAY>)
unit: <sign>\s?(?=[주달해])<unit>\s?(?<!주)<edge>(?![가-힣]*요일)
unit: <sign>\s?(?=주)<unit>\s<edge>(?![가-힣]*요일)
unit unit=weekend sign=0: (?<!이번 )(?<!지난 )주말(?=에|$)
unit unit=year sign=0 edge=late: 연말
unit unit=month sign=0 edge=late: 월말
date: (?:<YEAR>|<sign>)?<mm>월\s*(?:<d>일|<edge>)?(?:\s?\(?<WEEKDAY>\)?)?
date: <y>[-./]<mm>[-./]<d>(?!\d)
year: (?=19|20)<y>년(?!\s*\d{1,2}월)도?
day: <d>일(?=\s<WEEKDAY>|에(?!서))(?:\s<WEEKDAY>)?
weekday: <week>\s?주\s?<w>요일
weekday: (?:<sign>\s?)?<w>요일
offset sign=-1: <n>\s?<unit>\s?전
offset sign=-1 unit=day: <span>\s?전
offset sign=1: <n>\s?<unit>\s?(?:뒤|후|있다가|안에|이내에?|내로?)
offset sign=1 unit=day: <span>\s?(?:뒤|후)
run sign=-1: (?:지난|최근)\s?<n>\s?<unit>(?:\s?동안|간)?
run sign=1: (?:앞으로|향후|다음)\s?<n>\s?<unit>(?:\s?동안|간)?
run sign=1 unit=day: (?:다가오는|앞으로|다음|향후)\s?<span>
length sign=-1: <n>\s?<unit>(?:째|\s?전부터)
length: <n>\s?<unit>(?!리)(?:\s?<half>)?(?:\s?동안|간|\s?내내)?(?![가-힣]*요일)
length unit=day: <span>(?:\s?동안|\s?내내)
clock: (?:<part>\s?)?<h>시(?!간)(?:\s*(?:<mi>분|(?=반)<mi>))?(?:\s*<s>초)?(?:\s?(?:정각|쯤))?
clock: (?<!\d)<h>:<mi>(?!\d)
clock h=12: 정오
clock h=0: 자정
part: <part>(?=에|$|\s)
season: (?:<YEAR>|<sign>\s?)<season>
habit: 매[일주달월년해](?:\s?<WEEKDAY>)?(?:마다)?|격일로|<WEEKDAY>마다|주말마다|날마다
habit: (?:일주일|한\s?달|하루|\d+[주일]|일년)에\s?<n>\s?번씩?
feast: (?:<YEAR>)?<feast>
vague: 최근에?|요즘|언젠가|곧|(?:얼마|며칠|오래|몇\s?<unit>)\s?전|한두\s?<unit>\s?(?:전|뒤|후)
"""

LANGUAGE = Language(
    words=_WORDS,
    forms=_FORMS,
    digits={"mi": r"\d{1,2}", "s": r"\d{1,2}"},
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
