"""Spanish: the common forms, dates written day first; "mañana" is tomorrow unless an article makes it the morning."""

from __future__ import annotations

from store.time.foreign import Language

_WORDS = """
near: anteayer, antier, antes de ayer = -2; ayer = -1; hoy = 0; mañana = 1; pasado mañana = 2
sign, week: pasad, anterior, últim, ultim = -1; est, mism, actual = 0; próxim, proxim, siguiente, que viene,
    entrante = 1
m: enero, ene = 1; febrero, feb = 2; marzo, mar = 3; abril, abr = 4; mayo, may = 5; junio, jun = 6; julio, jul = 7;
    agosto, ago = 8; septiembre, setiembre, sep, sept = 9; octubre, oct = 10; noviembre, nov = 11; diciembre,
    dic = 12
w: lunes = 0; martes = 1; miércoles, miercoles = 2; jueves = 3; viernes = 4; sábado, sabado = 5; domingo = 6
unit: segundo = second; minuto, min = minute; hora, h = hour; día, dia, noche = day; semana = week; fin de semana,
    fines de semana, finde = weekend; quincena = fortnight; mes = month; trimestre = quarter; año = year; década,
    decenio = decade
d, h, mi, less, n: uno, dos, tres, cuatro, cinco, seis, siete, ocho, nueve, diez, once, doce, trece, catorce,
    quince, dieciséis, diecisiete, dieciocho, diecinueve, veinte, veintiuno, veintidós, veintitrés, veinticuatro,
    veinticinco, veintiséis, veintisiete, veintiocho, veintinueve, treinta = 1..
d, h, mi, less, n: un, una = 1
d: primero = 1; segundo = 2
mi, less: media = 30; cuarto = 15
n: un par de = 2; cuarenta = 40; cincuenta = 50; medio, media = 0.5
o: primer, primera, 1 = 1; segundo, segunda, 2 = 2; tercer, tercera, 3 = 3; cuarto, cuarta, 4 = 4; quinto, quinta,
    5 = 5; último, última = -1
half: y medio, y media = half
part: madrugada, mañana = morning; mediodía = lunch; tarde = afternoon; noche = evening
ap: am, a.m., a. m. = morning; pm, p.m., p. m. = afternoon
season: primavera = spring; verano = summer; otoño = autumn; invierno = winter
edge: principios, inicio, inicios = early; mediados, medianos = mid; finales, fines, fin, final, últimos = late
feast: nochebuena = christmas eve; navidad = christmas; nochevieja, fin de año = new year's eve;
    año nuevo = new year's day; día de reyes, los reyes magos = epiphany; san valentín,
    día de los enamorados = valentine's day; día internacional de los trabajadores, día del trabajador,
    día del trabajo = may day; día de la tierra = earth day; día de todos los santos = all saints' day;
    día de la independencia, día de independencia = independence day; viernes santo = good friday;
    domingo de pascua, domingo de resurrección = easter; jueves santo = maundy thursday
"""
_FORMS = r"""
YEAR: (?:,? ?(?:del? |en )?(?:año )?<y>)
SIDE: (?:(?:a )?<edge> (?:de |del )?)?
HALF: (?: ?(?:(?:de la|del) <part>|<ap>))
near: (?<!\bla )(?<!\besta )\b<near>\b(?! siguiente)
now: \b(?:ahora(?: mismo)?|en este momento|actualmente)\b
part part=night near=-1: \banoche\b
weekday: \b(?:(?:el |los )?<sign> )?<w>\b(?! (?:<m>|\d\d? (?:de )?<m>))(?: (?:el )?(?:d[ií]a )?<d>\b
    (?![:/.-]\d| de| a\.| p))?(?: <sign>)?\b
weekday: \b<w>(?: por la (?:tarde|mañana|noche))? (?:de )?(?:(?:la )?<week> semana|la semana <week>)\b
date: \b(?:(?:el |<sign> )?<w>,? \(?(?:el )?)?(?:día )?<d>[ -/]?(?:de )?<m>\b\.?(?:[-/ ]?<YEAR>)?
date: \b(?:<w>,? )?<d>[/.-]<mm>[/.-]<yy>(?![\w/])
date: (?:(?<=\bel )|(?<=\bde )|(?<=\ba )|(?<=\by )|(?<=\bentre )|(?<=\bhasta )|(?<=\bdesde )|(?<=\bpara )|
    (?<=\beste )|(?<=\bpróximo )|(?<=\bo )|(?<=, )|\b<w> |^|(?<=/\d-)|(?<=/\d\d-))<d>/<mm>(?![\w/])
date: (?<![\w.,/-])<y>-<mm>-<d>(?!\w)
date: \b<SIDE>(?:<sign> )?(?=\w{4})<m>\b<YEAR>?
date: \b<m>\.? <YEAR>
day: \b(?:el )?d[ií]a <d>\b(?! de| <m>)(?![/.-]\d)
days: \b(?:entre (?:el )?<d> y(?: el)?|(?:del? |desde(?: el)? )?<d> (?:al?|hasta el|-)) <d> (?:de |el )<m>\b<YEAR>?
unit: \b<SIDE>(?:(?:el|la|los|las|del|de la) )?(?:<sign> )?<unit>\b(?: <sign>)?(?:,? (?:el )?<w>)?
run: \b(?:(?:el|la|los|las) )?<sign> <n> <unit>\b|\b<n> (?:<sign> <unit>|<unit> <sign>)\b
offset sign=-1: \bhace (?:unos |unas |como |casi |ya )?<n> <unit>\b|\b<n> <unit> (?:atrás|antes de hoy)\b
offset sign=1: \b(?:en|dentro de) <n> ?<unit>\b
offset sign=1: \b<n> <unit> (?:después(?: de hoy)?|más tarde|a partir de (?:hoy|ahora))\b
length sign=-1: \b(?:desde hace|llevo|llevamos|lleva) <n> <unit>\b(?: <half>)?
length: \b(?:durante |por )?<n> <unit>\b(?: <half>)?
length n=1: \b(?:tod[oa] (?:el|la) <unit>|una? <unit> enter[oa])\b
nth: \b(?:el |la )?<o> (?:<w>|<unit>) del? (?:<m>\b<YEAR>?|(?:año )?<y>)(?!\w)
numbered unit=week: \b(?:la )?semana <d>\b(?:(?: del?)? <y>)?(?!\w| del? | [ap]\.)
weekof: \b(?:la )?semana (?:que (?:inicia|comienza|empieza) el |del? )(?:el )?<d> (?:de )?<m>\b
numbered unit=quarter: \b(?=19|20)<y>[ -]t<o>\b
numbered unit=quarter: \b(?:el )?<o>[. ]*trimestre(?:[ -]?(?:de |del )?(?:año )?<y>)?
year: (?:\b(?:el )?año (?:de )?|(?<=\ben )|(?<=\bdesde )|(?<=\bhasta )|(?<=\bde )|(?<=\bentre )|(?<=\by )|(?<=\ba )|
    (?<=~ )|(?<=-)|^)(?=1[89]|2[01])<y>(?![\w.,:/]\w|\w|-\d\d?\b)
decade: \b(?:(?:los )?a[ñn]os|década de(?: los)?) (?:19)?(?=\d0\b)<n>\b
season: \b(?:(?:el |en )?<sign> <season>(?: del? <y>)?|<season> del? <y>)\b
clock: \b(?:a |desde |hasta )?(?:las? )?<h>:<mi>(?::<s>)?(?: ?horas?\b| ?h\b)?<HALF>?(?![\w%])
clock: \blas? <h>\.<mi><HALF>?(?![\w%])
clock: \b(?:a )?las? <h>\b(?: en punto)?(?: y <mi>)?(?: menos <less>)?<HALF>?(?![\w:./]| (?:<unit>|(?!est)<sign>)\b)
clock: \b<h>(?:\.<mi>)?\b(?: y <mi>)?(?: menos <less>)?<HALF>(?![\w:./])
clock h=12: \b(?:12 del )?mediod[ií]a\b
clock h=0: \bmedianoche\b
part: \b(?:(?:por|en|a|de) )?la <part>\b
part near=0: \besta <part>\b
habit: \b(?:cada|todos los|todas las) (?:(?:otr[oa]|<n>) )?(?:<w>|<unit>|<part>)s?\b
    (?: a las \d\d?(?:[:.]\d\d)?(?: [ap]\.m\.)?)?
habit: \b<n> (?:vez|veces) (?:a la|al|por|cada) <unit>\b
habit: \b(?:(?:diaria|semanal|mensual|anual|semestral)mente|a diario|anual|bimensual(?:es)?)\b
habit: \blos (?:<w>s?|fines de semana)\b
vague: \b(?:hace (?:poco|tiempo|mucho(?: tiempo)?|rato|(?:un|algun|vari)[oa]s <unit>)|recientemente|últimamente|
    pronto|algún día|el otro día)\b
feast: \b(?:(?:la |el )?<sign> )?<feast>\b(?: (?:del? )?<y>)?
"""

LANGUAGE = Language(
    words=_WORDS,
    forms=_FORMS,
    endings={"unit": r"(?:e?s)?", "sign": r"(?:[oae]s?|es|s)?", "week": r"(?:[oae]s?|es|s)?", "d": r"(?:\.?[ºª])?"}
    | {"o": r"(?:\.?[ºª])*"},
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
