"""A reading counts as right only where its value is one that the set itself gives; no set is pooled with another.

Usage: python -m tests.bench.time_eval DIR [--misses N] [--only NAME]

DIR holds the JSON lines of Microsoft Recognizers-Text (recognizers_*.jsonl), Duckling (duckling_time_*.jsonl) and
chrono (chrono_tests_*.jsonl). Each expected expression is one item, and so is each text in which nothing should be
  found. An item is right     a reading of ours that overlaps it (for Duckling and chrono: any of the text) has the
  expected value wrong     we read something there, with another value, or read something where there is nothing
  other     wrong, where the set's own convention is known to contradict a diary's (CONVENTIONS, below, with the
  reasons) unread    we read nothing there, or left it unresolved
`all` is right / items; `read` is right / (right + wrong), the share within the grammar, since what the grammar does not
cover comes back unread.

Values. Recognizers: any listed value is accepted; a date by its day, a range by its ends, a time by its minute of the
day (of today: the sets give no date), a length by its seconds, a recurring set by being read as recurring, "not
resolved" by nothing resolved. Duckling: an instant by its start at its grain, an interval by both ends, an open one
by its end; bare days lie ahead (a set of appointments: prefer="future"). chrono: the components listed, down to our
grain (prefer="nearest", as chrono does); GB and strict parsers and relative texts without a reference are left out.
The last day of a range may be counted in or not (the sets differ). Parts of a day need the day, not the hours (nobody
agrees on when an evening begins), and a weekend may begin on Friday evening. "Three months ago" is
compared by `point`, the day counted back, where the set wants a day; our stretch is that month. So is a feast that is
sighted, whose stretch has a day on each side.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from store.records import Instant, Precision
from store.time.calendar import Prefer
from store.time.expressions import TimeExpression, read_times

Item = dict[str, Any]
_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800, "weekend": 172800} | {
    "fortnight": 1209600,
    "month": 2592000,
    "quarter": 7776000,
    "year": 31536000,
    "decade": 315360000,
}


@dataclass(frozen=True)
class Verdict:
    """What became of one item."""

    outcome: str
    text: str
    wanted: str
    got: str


def local(us: int | None, zone: Any) -> datetime | None:
    """A naive local time of microseconds UTC."""
    return None if us is None else Instant(us).local().astimezone(zone).replace(tzinfo=None)


def ends(expression: TimeExpression, zone: Any) -> tuple[datetime | None, datetime | None]:
    """Naive local ends of a stretch."""
    stretch = expression.stretch
    return (local(stretch.start, zone), local(stretch.end, zone)) if stretch else (None, None)


def same_day(a: datetime | None, b: datetime | None) -> bool:
    return a is not None and b is not None and a.date() == b.date()


def end_agrees(end: datetime | None, wanted: datetime, precision: Precision) -> bool:
    """Whether an end is the wanted one, with or without its last unit."""
    if end is None:
        return False
    if precision is Precision.EXACT:
        whole_day = end.time() == wanted.time() and end - wanted == timedelta(days=1)
        return whole_day or abs((end - wanted).total_seconds()) <= 3600
    slack = {"day": 1, "week": 7, "month": 31, "season": 92, "year": 366}[precision.value]
    return timedelta(0) <= end.date() - wanted.date() <= timedelta(days=slack) or same_day(end, wanted)


def is_part(expression: TimeExpression, zone: Any) -> bool:
    start, end = ends(expression, zone)
    stretch = expression.stretch
    if stretch is None or start is None or end is None:
        return False
    return stretch.precision is Precision.DAY and end - start < timedelta(hours=23)


def value_agrees(ours: TimeExpression, value: Item, kind: str, zone: Any) -> bool:
    """One listed value of a Recognizers expression against one reading."""
    if kind == "set":
        return ours.kind == "frequency"
    if kind == "duration":
        return _length_agrees(ours, value)
    start, end = ends(ours, zone)
    if start is None or end is None or ours.stretch is None:
        return False
    if kind in ("time", "timerange"):
        return _clock_agrees(ours, value, start, end, zone)
    if "value" in value:
        wanted = datetime.fromisoformat(value["value"])
        if kind == "date":
            return same_day(local(ours.point, zone) or start, wanted) or same_day(start, wanted)
        return (is_part(ours, zone) and same_day(start, wanted)) or abs((start - wanted).total_seconds()) < 60
    return _range_agrees(ours, value, start, end, zone)


def _length_agrees(ours: TimeExpression, value: Item) -> bool:
    if ours.amount is None or ours.unit is None or "value" not in value:
        return False
    wanted = float(value["value"])
    return abs(ours.amount * _SECONDS[ours.unit] - wanted) <= 0.02 * wanted


def _clock_agrees(ours: TimeExpression, value: Item, start: datetime, end: datetime, zone: Any) -> bool:
    if is_part(ours, zone):
        return True
    clock = value.get("value") or value.get("start") or value.get("end")
    if clock is None or ours.stretch is None or ours.stretch.precision is not Precision.EXACT:
        return False
    begins = f"{start:%H:%M:%S}" == str(clock)
    if ours.kind == "range" and "end" in value:
        return begins and abs(end.hour - int(str(value["end"])[:2])) % 12 <= 1
    return begins


def _range_agrees(ours: TimeExpression, value: Item, start: datetime, end: datetime, zone: Any) -> bool:
    assert ours.stretch is not None
    begin = datetime.fromisoformat(value["start"]) if "start" in value else None
    finish = datetime.fromisoformat(value["end"]) if "end" in value else None
    if is_part(ours, zone):
        return same_day(start, begin or finish)
    if begin is not None and finish is not None:
        exact = ours.stretch.precision is Precision.EXACT
        begins = abs((start - begin).total_seconds()) < 60 if exact else same_day(start, begin)
        return begins and end_agrees(end, finish, ours.stretch.precision)
    if begin is not None:
        return same_day(start, begin) if ours.role != "after" else same_day(end, begin) or same_day(start, begin)
    return finish is not None and (same_day(start, finish) or same_day(end, finish))


def judge_recognizers(row: Item) -> Iterator[Verdict]:
    """Each expected expression of one Recognizers text."""
    anchor = datetime.fromisoformat(row["reference"]).replace(tzinfo=UTC)
    text = row["input"]
    ours = read_times(text, anchor)
    if not row["expressions"]:
        resolved = [o for o in ours if o.stretch is not None or o.kind in ("frequency", "duration")]
        yield Verdict("wrong" if resolved else "right", text, "nothing", shown(resolved))
    for wanted in row["expressions"]:
        near = [o for o in ours if o.start <= wanted["end"] and o.end > wanted["start"]]
        values = [v for v in wanted["values"] if "not resolved" not in (v.get("value"), v.get("start"))]
        solid = [o for o in near if o.stretch is not None or o.amount is not None or o.kind == "frequency"]
        kind = wanted["type"] or wanted["values"][0].get("type", "date")
        if kind == "set":
            good = any(o.kind == "frequency" for o in near)
        elif not values:
            good = not solid
        else:
            good = any(value_agrees(o, v, kind, anchor.tzinfo) for o in near for v in values)
        outcome = "right" if good else "wrong" if solid else "unread"
        yield Verdict(outcome, text, f"{wanted['text']} = {values[:2]}", shown(near))


def judge_duckling(row: Item) -> Iterator[Verdict]:
    """One Duckling example."""
    anchor = datetime.fromisoformat(row["reference"])
    ours = read_times(row["text"], anchor, prefer="future")
    solid = [o for o in ours if o.stretch is not None]
    if row["kind"] == "none":
        yield Verdict("wrong" if solid else "right", row["text"], "nothing", shown(ours))
        return
    good = len(solid) == 1 and duckling_agrees(solid[0], row, anchor.tzinfo)
    outcome = "right" if good else "wrong" if solid else "unread"
    end = row.get("end_exclusive", "")
    yield Verdict(outcome, row["text"], f"{row['kind']} {row['start']} {end} {row['grain']}", shown(ours))


def duckling_agrees(ours: TimeExpression, row: Item, zone: Any) -> bool:
    """Start and grain, and the end of an interval."""
    start, end = ends(ours, zone)
    assert start is not None and end is not None and ours.stretch is not None
    wanted = datetime.fromisoformat(row["start"])
    if row["kind"] == "open_interval":
        return abs((start - wanted).total_seconds()) < 60
    if row["kind"] == "interval":
        finish = datetime.fromisoformat(row["end_exclusive"])
        return _interval_agrees(ours, start, end, wanted, finish, zone)
    if row["grain"] in ("second", "minute", "hour"):
        point = local(ours.point, zone)
        if point is not None:
            return (
                abs((point - wanted).total_seconds()) <= 3600
                if row["grain"] == "hour"
                else abs((point - wanted).total_seconds()) < 60
            )
        return abs((start - wanted).total_seconds()) < 60
    point = local(ours.point, zone)
    return start == wanted or same_day(point, wanted)


def _interval_agrees(
    ours: TimeExpression, start: datetime, end: datetime, wanted: datetime, finish: datetime, zone: Any
) -> bool:
    if is_part(ours, zone):
        return same_day(start, wanted)
    if wanted.hour == 18 and wanted.weekday() == 4:
        return same_day(start, wanted + timedelta(days=1))
    if ours.role == "until":
        return same_day(end, finish) or start == finish
    exact = ours.stretch is not None and ours.stretch.precision is Precision.EXACT
    begins = abs((start - wanted).total_seconds()) < 60 if exact else same_day(start, wanted)
    return begins and (abs((end - finish).total_seconds()) <= (3600 if exact else 86400))


def judge_chrono(row: Item) -> Iterator[Verdict]:
    """One chrono test; those that depend on another parser or an unknown reference give nothing."""
    if "strict" in row["parser"] or "GB" in row["parser"] or "timezones" in str(row.get("options")):
        return
    anchor = _chrono_anchor(row)
    if anchor is None:
        return
    prefer: Prefer = "future" if "forwardDate" in str(row.get("options")) else "nearest"
    ours = read_times(row["text"], anchor, prefer=prefer)
    solid = [o for o in ours if o.stretch is not None]
    if row.get("expect_none"):
        yield Verdict("wrong" if solid else "right", row["text"], "nothing", shown(ours))
        return
    good = any(chrono_agrees(o, row, anchor.tzinfo) for o in solid)
    wanted = f"{row.get('start')} {row.get('start_datetime')} - {row.get('end') or row.get('end_datetime')}"
    yield Verdict("right" if good else "wrong" if solid else "unread", row["text"], wanted, shown(ours))


def _chrono_anchor(row: Item) -> datetime | None:
    text = row["reference"]
    if text is None:
        dated = any(
            len(word) == 4 and word.isdecimal() for word in row["text"].replace("-", " ").replace("/", " ").split()
        )
        return datetime(2012, 8, 10, tzinfo=UTC) if row.get("expect_none") or dated else None
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC)
    except ValueError:
        return None


def chrono_agrees(ours: TimeExpression, row: Item, zone: Any) -> bool:
    """The listed components of start and end, down to our grain."""
    start, end = ends(ours, zone)
    assert start is not None and end is not None and ours.stretch is not None
    start = local(ours.point, zone) or start
    return _components(start, ours, row.get("start"), row.get("start_datetime"), zone) and (
        (row.get("end") is None and row.get("end_datetime") is None)
        or any(
            _components(last, ours, row.get("end"), row.get("end_datetime"), zone)
            for last in (end, end - timedelta(minutes=1))
        )
    )


def _components(moment: datetime, ours: TimeExpression, parts: Item | None, stamp: str | None, zone: Any) -> bool:
    assert ours.stretch is not None
    wanted = dict(parts or {})
    if not wanted and stamp:
        at = datetime.fromisoformat(stamp)
        wanted = {"year": at.year, "month": at.month, "day": at.day}
    if wanted.get("timezoneOffset"):
        wanted = {"year": wanted.get("year", moment.year)}
    keys = ["year", "month", "day", "hour", "minute"]
    depth = {"year": 1, "season": 2, "month": 2, "week": 3, "day": 3, "exact": 5}[ours.stretch.precision.value]
    if ours.point is not None and ours.stretch.precision is not Precision.EXACT:
        depth = 3
    return bool(wanted) and all(wanted.get(key, getattr(moment, key)) == getattr(moment, key) for key in keys[:depth])


def shown(ours: list[TimeExpression]) -> str:
    """Readings in short."""
    return "; ".join(f"{o.text!r} {o.kind} {o.role} {_shown_value(o)}" for o in ours)


def _shown_value(ours: TimeExpression) -> str:
    extra = f" {ours.amount} {ours.unit}" if ours.amount else ""
    if ours.stretch is None:
        return "unresolved" + extra
    edges = (ours.stretch.first(), ours.stretch.last())
    return " .. ".join(f"{edge.local():%Y-%m-%dT%H:%M}" for edge in edges if edge) + extra


CONVENTIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "recognizers": (
        (
            r"\b(last|next|following|pr[oó]ximo) \w+day|pr[oó]ximo|pasado",
            "a last or next weekday is one of the previous or next week",
        ),
        (r"\b(early|late|later|end of|middle of|mid|finales?|fin|más tarde)\b", "parts of a unit are halves"),
        (r"(before|after) (christmas|easter)", "an offset from a feast lies ahead, whatever the tense"),
        (r" [cp]st$", "a zone in the text is left out of the value"),
        (r"business|fortnight|hábiles|laborables", "business days are counted; a fortnight is two calendar weeks"),
    ),
    "duckling": (
        (r"upcoming", "upcoming N units is the Nth of them"),
        (r"^next wednesday$", "a next weekday is one of the next week"),
        (
            r"^(last|next|past) \w+ (weeks|months|years|hours?|seasons)|upcoming",
            "the last N units are whole calendar units",
        ),
        (r"summer|season", "seasons are astronomical"),
        (r"beginning of year|beginning of 2017|BOY", "the beginning of a year is a quarter of it"),
        (r"(@|at) \d", "a clock time without am or pm is the next that comes"),
    ),
    "chrono": (
        (
            r"^(this|next) (week|hour)|within|^next (2|two)|after this year",
            "a unit is the moment so many units from now",
        ),
        (r"^\d+am$|midnight", "a clock time is the next that comes"),
        (r"^\d{4}$|second half", "a year or a half alone is no date"),
    ),
}
"""Where a set means something else by the same words than a diary does: such an item counts as `other`, with the
reason."""

JUDGES = {"recognizers": judge_recognizers, "duckling": judge_duckling, "chrono": judge_chrono}


def evaluate(path: Path) -> tuple[list[Verdict], float]:
    """Every verdict over one file, and the milliseconds that a text took on average."""
    judge = JUDGES[path.name.split("_")[0]]
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    began = time.perf_counter()
    verdicts = [_by_convention(path.name, verdict) for row in rows for verdict in judge(row)]
    return verdicts, (time.perf_counter() - began) * 1000 / max(1, len(rows))


def _by_convention(name: str, verdict: Verdict) -> Verdict:
    if verdict.outcome != "wrong":
        return verdict
    subject = verdict.wanted.split(" = ")[0] if name.startswith("recognizers") else verdict.text
    for pattern, _ in CONVENTIONS[name.split("_")[0]]:
        if re.search(pattern, subject):
            return replace(verdict, outcome="other")
    return verdict


def report(path: Path, misses: int) -> None:
    """One line per set, and the first misses below it."""
    verdicts, cost = evaluate(path)
    count = Counter(verdict.outcome for verdict in verdicts)
    right, read = count["right"], count["right"] + count["wrong"]
    columns = [len(verdicts), right, count["wrong"], count["other"], count["unread"]]
    shares = [100 * right / max(1, len(verdicts)), 100 * right / max(1, read)]
    print(
        f"{path.stem:28}",
        *(f"{number:6}" for number in columns),
        *(f"{share:6.1f}" for share in shares),
        f"{cost:8.2f}",
    )
    for miss in [verdict for verdict in verdicts if verdict.outcome != "right"][:misses]:
        print(f"  {miss.outcome:6} {miss.text[:110]!r}")
        print(f"         want {miss.wanted[:150]}\n         got  {miss.got[:200]}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Share of time expressions that are read exactly, per set.")
    parser.add_argument("dir", type=Path)
    parser.add_argument("--misses", type=int, default=0, help="how many misses of each set to list")
    parser.add_argument("--only", default="", help="part of a file name")
    arguments = parser.parse_args()
    heads = ("items", "right", "wrong", "other", "unread", "all %", "read %")
    print(f"{'set':28}", *(f"{head:>6}" for head in heads), " ms/text")
    for path in sorted(arguments.dir.glob("*.jsonl")):
        if arguments.only in path.name and path.name.split("_")[0] in JUDGES:
            report(path, arguments.misses)


if __name__ == "__main__":
    main()
