"""Every Spanish word that means a time is in one of these tables, lower case."""

from __future__ import annotations

from store.time import feasts
from store.time.words import numbered

_MONTH_NAMES = (
    "enero ene",
    "febrero feb",
    "marzo mar",
    "abril abr",
    "mayo may",
    "junio jun",
    "julio jul",
    "agosto ago",
    "septiembre setiembre sep sept",
    "octubre oct",
    "noviembre nov",
    "diciembre dic",
)
MONTHS = numbered(list(_MONTH_NAMES), 1)
_DAY_NAMES = ("lunes", "martes", "miércoles miercoles", "jueves", "viernes", "sábado sabado", "domingo")
DAYS = numbered(list(_DAY_NAMES), 1)
_COUNT = """cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis
    diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis
    veintisiete veintiocho veintinueve treinta"""
NUMBERS = {word: float(number) for number, word in enumerate(_COUNT.split())} | {
    "un": 1.0,
    "una": 1.0,
    "medio": 0.5,
    "media": 0.5,
    "un par de": 2.0,
    "cuarenta": 40.0,
    "cincuenta": 50.0,
}
ORDINALS = {"primer": 1, "primera": 1, "primero": 1, "segundo": 2, "segunda": 2, "tercer": 3, "tercera": 3} | {
    "cuarto": 4,
    "cuarta": 4,
    "quinto": 5,
    "quinta": 5,
    "último": -1,
    "última": -1,
}
UNITS = {
    "segundo": "second",
    "minuto": "minute",
    "min": "minute",
    "hora": "hour",
    "h": "hour",
    "día": "day",
    "dia": "day",
    "noche": "day",
    "semana": "week",
    "fin de semana": "weekend",
    "fines de semana": "weekend",
    "finde": "weekend",
    "quincena": "fortnight",
    "mes": "month",
    "trimestre": "quarter",
    "año": "year",
    "década": "decade",
    "decenio": "decade",
}
PARTS = {"madrugada": "night", "mañana": "morning", "mediodía": "lunch", "tarde": "afternoon", "noche": "evening"}
SEASONS = {"primavera": "spring", "verano": "summer", "otoño": "autumn", "invierno": "winter"}
FEASTS: dict[str, feasts.Rule] = {
    "nochebuena": feasts.fixed(12, 24),
    "navidad": feasts.fixed(12, 25),
    "nochevieja|fin de año": feasts.fixed(12, 31),
    "año nuevo": feasts.fixed(1, 1),
    "(?:día de )?(?:los )?reyes(?: magos)?": feasts.fixed(1, 6),
    "san valentín|día de los enamorados": feasts.fixed(2, 14),
    "día (?:internacional )?(?:del trabajador|de los trabajadores|del trabajo)": feasts.fixed(5, 1),
    "día de la tierra": feasts.fixed(4, 22),
    "día de todos los santos": feasts.fixed(11, 1),
    "día de (?:la )?independencia": feasts.fixed(7, 4),
    "domingo de pascua|domingo de resurrección": feasts.easter(0),
    "viernes santo": feasts.easter(-2),
    "jueves santo": feasts.easter(-3),
}
