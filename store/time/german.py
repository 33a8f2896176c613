"""German: the common forms, dates written day first; a word that English shares is read only where the text is
German."""

from __future__ import annotations

from store.time.foreign import Language

_WORDS = """
near: vorgestern = -2; gestern = -1; heute = 0; morgen = 1; übermorgen = 2
sign, week: vorletzt = -2; letzt, vergangen, vorig = -1; dies = 0; nächst, kommend = 1; übernächst = 2
m: januar, jänner, jan = 1; februar, feb = 2; märz, mrz = 3; april, apr = 4; mai = 5; juni, jun = 6; juli, jul = 7;
    august, aug = 8; september, sep, sept = 9; oktober, okt = 10; november, nov = 11; dezember, dez = 12
w: montag = 0; dienstag = 1; mittwoch = 2; donnerstag = 3; freitag = 4; samstag, sonnabend = 5; sonntag = 6
unit: sekunde, sek = second; minute, min = minute; stunde, std = hour; tag, tg, nächte = day; woche,
    arbeitswoche = week; wochenende = weekend; monat = month; quartal = quarter; jahr = year; jahrzehnt = decade
d, o: erst, zweit, dritt, viert, fünft, sechst, siebt, acht, neunt, zehnt, elft, zwölft, dreizehnt, vierzehnt,
    fünfzehnt, sechzehnt, siebzehnt, achtzehnt, neunzehnt, zwanzigst, einundzwanzigst, zweiundzwanzigst,
    dreiundzwanzigst, vierundzwanzigst, fünfundzwanzigst, sechsundzwanzigst, siebenundzwanzigst, achtundzwanzigst,
    neunundzwanzigst, dreißigst, einunddreißigst = 1..
o: letzt = -1
h, n: ein, zwei, drei, vier, fünf, sechs, sieben, acht, neun, zehn, elf, zwölf = 1..
less: halb = 30; viertel vor, dreiviertel = 15
n: eine, einem, einen, einer, eines = 1; ein paar, paar = 2; fünfzehn = 15; zwanzig = 20; dreißig = 30;
    anderthalb = 1.5; halb = 0.5
part: morgen, früh, frühmorgen, vormittag = morning; mittag = lunch; nachmittag, spätnachmittag = afternoon;
    abend = evening; nacht = night
season: frühling, frühjahr = spring; sommer = summer; herbst = autumn; winter = winter
edge: anfang = early; mitte = mid; ende = late
feast: heiligabend, heiliger abend = christmas eve; weihnachten, ersten weihnachtstag,
    ersten weihnachtsfeiertag = christmas; zweiten weihnachtstag, zweiten weihnachtsfeiertag = boxing day;
    silvester = new year's eve; neujahr, neujahrstag = new year's day; heilige drei könige,
    dreikönigstag = epiphany; valentinstag = valentine's day; tag der arbeit = may day; nikolaus = st nicholas day;
    allerheiligen = all saints' day; ostern, ostersonntag = easter; ostermontag = easter monday;
    karfreitag = good friday; gründonnerstag = maundy thursday; palmsonntag = palm sunday;
    aschermittwoch = ash wednesday; faschingsdienstag = shrove tuesday; pfingsten, pfingstsonntag = pentecost;
    pfingstmontag = whit monday; christi himmelfahrt = ascension day; fronleichnam = corpus christi;
    muttertag = mother's day; karsamstag = easter -1; weiberfastnacht = easter -52; rosenmontag = easter -48;
    fastnachtssamstag = easter -50; fastnachtssonntag = easter -49; tag der deutschen einheit = on 10 3;
    peter und paul = on 6 29; augsburger friedensfest = on 8 8; reformationstag = on 10 31; martinstag = on 11 11;
    barbaratag = on 12 4; totensonntag, ewigkeitssonntag = advent -7; ersten advent = advent
"""
_FORMS = r"""
near: \b<near>(?: <part>)?\b
now: \b(?:jetzt|gerade eben|im moment|momentan|derzeit|zurzeit)\b
weekday: \b<w>,? (?:der|den|dem) <d>\.(?! ?(?:<m>|\d))
weekday: \b(?:<sign> )?<w>(?:\s?<part>s?)?\b(?!s\b)
weekday: \b<w>(?:\s?<part>s?)?,? (?:der |in der )?<week> woche\b
nth: \b(?:(?:in )?(?:der|die|das|den|dem) |am )?<o> (?:<w>|<unit>) (?:im|des|vom|von|in) (?:<m>(?: <y>)?|jahres)\b
days: \b(?:vom |zwischen dem )?<d>\. ?(?:bis(?: zum)?|und(?: dem)?|-|–) ?<d>\.\s?<m>\b\.?(?:,? <y>)?
hours: \b(?:von|zwischen) <h> (?:bis|und) <h> uhr\b
date: \b(?:<w>,? )?(?:(?:der|den|dem) )?<d>(?:\.\s?| )<m>\b\.?(?:,? <y>)?
date: \b(?:<w>,? )?(?:(?:der|den) )?<d>\.<mm>\.<yy>?(?![\d.])
date: (?<![\w.,/-])(?:<y>-<mm>-<d>|<d>/<mm>/<y>)(?!\w)
date: \b(?:<edge> )?(?:<sign> )?<m>\b(?:(?: des jahres)? <y>)?
unit: \b(?:(?:in )?der )?<sign> <unit>(?: (?:am )?<w>)?\b
unit unit=weekend sign=0: \bam wochenende\b
run: \b(?:die |der |den )?<sign> <n> <unit>\b
offset sign=-1: \bvor (?:etwa |rund |ungefähr |ca\. )?<n> ?<unit>\b
offset sign=1: \bin (?:etwa |rund |ungefähr )?<n> ?<unit>(?!\w)
length sign=-1: \bseit <n> <unit>(?: lang)?\b
length: \b(?:für )?<n> ?<unit>(?: lang)?(?!\w)
length n=1: \b(?:den |die |das )?ganzen? <unit>\b
length n=45 unit=minute: \beine? dreiviertelstunde\b
length n=15 unit=minute: \beine? viertelstunde\b
year: (?:\bim jahre? |\bdem jahr |(?<=\bin )|(?<=\bseit )|(?<=\bbis )|(?<=\bvon )|(?<=\bvor )|(?<=\bnach )|
    (?<=\bab )|^)(?=1[89]|20)<y>(?![\w.,:]\d|\w)
season: \b(?:im |diesen |<sign> )<season>(?: <y>)?\b|\b<season> <y>\b
clock: \b(?:um |gegen )?<h>:<mi>(?::<s>)?(?: uhr)?(?: <part>s)?\b
clock: \b<h>(?:\.<mi>)? uhr(?: (?:und )?<mi>\b(?![.:]\d| uhr))?(?: <part>s)?\b
clock: \b<less> <h>(?: <part>s)?\b
clock mi=15: \bviertel nach <h>(?: <part>s)?\b
clock h=0: \bmitternachts?\b
clock h=12: \b(?:zur )?mittagszeit\b
part: \b(?:am <part>|in der <part>|<part>s)\b
part near=0: \bdiese[nr]? <part>\b
habit: \bjede[nrs]? (?:zweite[nrs]? )?(?:<w>|<unit>|<part>)\b(?: um \d\d?(?::\d\d)? uhr(?: <part>s)?)?
habit: \b(?:immer )?<w>s\b
habit: \b<n>\s?mal (?:pro|am|im|in der) <unit>\b
habit: \b(?:(?:täg|wöchent|monat|jähr|stünd)lich|am wochenende immer|alle <n> <unit>)\b
vague: \b(?:neulich|kürzlich|vor (?:kurzem|langem|einiger zeit|ein paar <unit>)|irgendwann|bald|demnächst|
    letztens)\b
feast: \b<feast>\b(?: (?:im )?<sign> jahr(?:es)?|(?: im jahr)? <y>)?
"""

LANGUAGE = Language(
    words=_WORDS,
    forms=_FORMS,
    endings={"unit": r"(?:e?n|e?s|e)?\.?", "n": r"(?:e[nr]?)?", "sign": r"e?[nmrs]?", "week": r"e?[nmrs]?"}
    | {"o": r"e[nrsm]?", "d": r"(?:e[nrsm]?)?"},
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
