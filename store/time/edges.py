"""A part of a unit is a third of it, and keeps the precision of the whole."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from store.time import counted, days, units, words
from store.time.calendar import LocalStretch, add, day_span, midnight, unit_near
from store.time.scan import Found, Scan


def edge(s: Scan, i: int) -> Found[LocalStretch]:
    """mid June, the end of the year, early 2020, later this week, the beginning of next month."""
    the = s.skip(i, "the", "very")
    side = words.EDGES.get(s.word(the))
    if side is None:
        return _abbreviated(s, the) or _rest(s, the)
    j = s.skip(s.skip(the + 1, "-"), "part")
    k = s.skip(s.skip(j, "of", "in", "on"), "about", "around")
    if s.word(the) in ("start", "beginning", "end", "middle") and k == j:
        return None
    host = counted.host_unit(s, k) or _near_host(s, k) or _day_host(s, k)
    if host is None:
        return None
    if s.word(the) in ("earlier", "later"):
        return _side_of_now(s, host[0], s.word(the)), host[1]
    when = narrowed(host[0], side)
    return (when, host[1]) if when is not None else None


def _day_host(s: Scan, i: int) -> Found[LocalStretch]:
    if s.sequence(i, ("the", "day")):
        return day_span(s.now.date()), i + 2
    found = days.simple_day(s, i) or units.relative(s, i)
    return found if found is not None and found[0].grain == "day" else None


def _near_host(s: Scan, i: int) -> Found[LocalStretch]:
    bare = s.word(i)
    if bare in ("month", "year", "week", "quarter"):
        return unit_near(s.now, bare, 0), i + 1
    return None


def _abbreviated(s: Scan, i: int) -> Found[LocalStretch]:
    if s.word(i) in ("year", "quarter", "month", "week") and s.sequence(i + 1, ("to", "date")):
        return replace(unit_near(s.now, s.word(i), 0), end=s.now), i + 3
    grain = {"eod": "day", "eom": "month", "eoy": "year", "bom": "month", "boy": "year"}.get(s.word(i))
    if grain is None or (
        grain in ("year",) and s.word(i) == "boy" and not s.text[s.toks[i].start : s.toks[i].end].isupper()
    ):
        return None
    if grain == "day":
        return LocalStretch(
            midnight(s.now.date()) + timedelta(hours=18), midnight(s.now.date()) + timedelta(days=1), "part"
        ), i + 1
    when = narrowed(unit_near(s.now, grain, 0), "early" if s.word(i)[0] == "b" else "late")
    return (when, i + 1) if when else None


def _rest(s: Scan, i: int) -> Found[LocalStretch]:
    if s.word(i) not in ("rest", "remainder", "remaining") or s.word(i + 1) != "of":
        return None
    host = counted.host_unit(s, i + 2)
    return (replace(host[0], start=max(host[0].start, midnight(s.now.date()))), host[1]) if host else None


def _side_of_now(s: Scan, host: LocalStretch, word: str) -> LocalStretch:
    if not host.start < s.now < host.end:
        when = narrowed(host, words.EDGES[word])
        return when if when is not None else host
    return replace(host, end=s.now) if word == "earlier" else replace(host, start=s.now)


def narrowed(host: LocalStretch, side: str) -> LocalStretch | None:
    """The first, middle or last third of a unit, with the precision of the unit."""
    if host.grain == "day":
        hours = {"early": (6, 12), "mid": (10, 14), "late": (18, 24)}[side]
        return LocalStretch(host.start + timedelta(hours=hours[0]), host.start + timedelta(hours=hours[1]), "part")
    if host.grain == "week" and side == "mid":
        return replace(host, start=host.start + timedelta(days=2), end=host.start + timedelta(days=5))
    cuts = _cuts(host)
    if cuts is None:
        return None
    bounds = [host.start, *cuts, host.end]
    index = ("early", "mid", "late").index(side)
    return replace(host, start=bounds[index], end=bounds[index + 1])


def _cuts(host: LocalStretch) -> list[datetime] | None:
    start = host.start
    if host.grain == "month":
        return [start + timedelta(days=10), start + timedelta(days=20)]
    if host.grain == "week":
        return [start + timedelta(days=3), start + timedelta(days=4)]
    by_months = {
        "season": (1, 2),
        "quarter": (1, 2),
        "half": (2, 4),
        "year": (4, 8),
        "decade": (48, 84),
        "century": (400, 800),
    }
    if host.grain not in by_months:
        return None
    return [add(start, months, "month") for months in by_months[host.grain]]
