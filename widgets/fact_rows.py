"""Beliefs stand under whom they are about: oneself first, then the others by name, each value once.

Pure functions from facts to rows; nothing here knows how a list is drawn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from store.records import Fact, Precision
from widgets.chips import Wanted
from widgets.choices import Row
from widgets.lane_layout import lanes_of
from widgets.look import (
    CHANGED,
    KIND_WORDS,
    LINK,
    QUIET,
    about,
    glyph,
    lines,
    never_true,
    salience_dots,
    stacked,
    value,
)
from widgets.plain import one_line
from widgets.wording import belief_stretch, clock_time, count, day, since, world_stretch

MOST_ROWS = 2000
"""Rows that are listed at once; the filter reaches the rest."""
LONGEST_LABEL = 18
MOST_QUOTES = 6
PIN = "▪"


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom the beliefs below are about."""

    name: str
    beliefs: int
    folded: bool = False


def each_value_once(facts: Sequence[Fact], now: int) -> list[Fact]:
    """Of every rectangle that was ever believed: what still is, and of what no longer is each value once."""
    kept = [bar.fact for lane in lanes_of(facts, now) for bar in lane.bars]
    return in_order(kept)


def in_order(facts: Iterable[Fact]) -> list[Fact]:
    """By subject ("me" first) and predicate, the latest first; what is pinned comes first of its subject."""
    return sorted(facts, key=lambda one: (
        one.subject != "me", one.subject.casefold(), one.subject, not one.pinned, one.predicate,
        -(one.valid_from.us if one.valid_from else -(2**62)), one.object,
    ))  # fmt: skip


def matching_facts(facts: Iterable[Fact], wanted: Wanted, words: str) -> list[Fact]:
    """Those that the chips let through and that hold every word."""
    needed = words.casefold().split()
    return [
        one
        for one in facts
        if (one.pinned or not wanted.pinned)
        and (one.disputed or not wanted.disputed)
        and (not wanted.by_me or any(source.speaker in ("me", "user", "") for source in one.sources))
        and all(word in f"{one.subject} {about(one)} {value(one)} {one.text}".casefold() for word in needed)
    ]


def fact_rows(facts: Sequence[Fact], folded: Collection[str], now: int, width: int) -> list[Row]:
    """The tree: a row for each subject, below it (unless folded) its beliefs."""
    longest = max((cell_len(_predicate(one)) for one in facts[:MOST_ROWS]), default=0)
    label = min(longest, LONGEST_LABEL, max(8, width // 3))
    rows: list[Row] = []
    left = 0
    for name, group in groupby(facts, key=lambda one: one.subject):
        mine = list(group)
        subject = Subject(name, len(mine), name in folded)
        beliefs = [] if subject.folded else mine
        room = max(0, MOST_ROWS - len(rows))
        if room:
            rows.append(Row(_subject_line(subject, width), subject))
            rows += [Row(fact_line(one, now, label, width), one) for one in beliefs[: room - 1]]
        left += 1 + len(beliefs) - min(room, 1 + len(beliefs))
    if left:
        rows.append(Row(lines((f"  and {left:,} more; / filters them", QUIET))))
    return rows


def _subject_line(subject: Subject, width: int) -> Content:
    mark = "▸" if subject.folded else "▾"
    name = one_line(subject.name, max(8, width - 20))
    return lines((f"{mark} ", LINK), (name, "bold"), (f"  {count(subject.beliefs, 'belief')}", QUIET))


def fact_line(fact: Fact, now: int, label: int, width: int) -> Content:
    """Glyph, what, value; right of it a pin, and since when if there is room."""
    mark, style = glyph(fact, now, now)
    what = set_cell_size(one_line(_predicate(fact), label), label)
    shown, when = value(fact), _short_since(fact)
    if label + cell_len(shown) + cell_len(when) + 9 > width:
        when = ""  # the value is worth more than its date
    tail = f" {PIN if fact.pinned else ' '} {when}"
    room = max(6, width - label - 6 - cell_len(tail))
    if cell_len(shown) > room:
        shown = set_cell_size(shown, room - 1).rstrip() + "…"
    gap = " " * max(0, room - cell_len(shown))
    said = "italic $quiet" if never_true(fact) else "bold" if fact.believed_to is None else QUIET
    row = lines((f"  {mark} ", style), (f"{what}  ", QUIET), (shown, said), gap, (tail, LINK if fact.pinned else QUIET))
    return row.truncate(max(10, width), ellipsis=True)


def _short_since(fact: Fact) -> str:
    """Since when, in as few words as a list has room for; nothing where nobody said it, and nobody knows."""
    if never_true(fact):
        return "never true"
    if fact.valid_to is None and (fact.valid_from is None or fact.precision is Precision.OPEN):
        return f"by {day(fact.valid_from)}" if fact.valid_from else ""
    return one_line(since(fact), 26)


def _predicate(fact: Fact) -> str:
    return fact.predicate.replace("_", " ")


def subject_details(subject: Subject, facts: Sequence[Fact]) -> Content:
    """How many beliefs there are about one subject, and since when."""
    mine = [one for one in facts if one.subject == subject.name]
    rows = [lines((one_line(subject.name), "bold")), lines((count(len(mine), "belief"), QUIET))]
    if mine:
        first = min(mine, key=lambda one: one.believed_from.us)
        rows.append(lines((f"first heard of {day(first.believed_from)}", QUIET)))
    return stacked([*rows, lines(""), lines(("enter folds and unfolds; x erases everything about them", QUIET))])


def fact_details(fact: Fact, rivals: Sequence[Fact], now: int, width: int) -> Content:
    """Everything about one belief: its times, how it came, what disputes it, and the words that it rests on."""
    mark, style = glyph(fact, now, now)
    pin = [(f"  {PIN} pinned", LINK)] if fact.pinned else []
    rows = [
        lines((f"{mark} ", style), (f"{about(fact)} ", QUIET), (value(fact), "bold"), *pin),
        lines(),
        _pair("true", "never" if never_true(fact) else world_stretch(fact)),
        _pair("believed", belief_stretch(fact)),
        _pair("came as", KIND_WORDS[fact.change]),
        _pair("sure", f"{fact.confidence:.2f}   salience {salience_dots(fact.salience)}"),
    ]
    rows += [_pair(name.replace("_", " "), one_line(said)) for name, said in fact.qualifiers]
    if fact.disputed:
        against = ", ".join(value(one) for one in rivals) or "something else"
        rows += [lines(), lines(("? ", CHANGED), f"in dispute with {against}: s settles it for this one")]
    rows.append(lines())
    for source in fact.sources[:MOST_QUOTES]:
        who = "you" if source.speaker in ("me", "user", "") else one_line(source.speaker, 20)
        rows.append(lines((f"“{one_line(source.quote, 6 * width)}”", "italic")))
        rows.append(lines((f"  {who}, {day(source.said_at)} {clock_time(source.said_at)}", QUIET)))
    if len(fact.sources) > MOST_QUOTES:
        rows.append(lines((f"and {len(fact.sources) - MOST_QUOTES} more", QUIET)))
    return stacked(rows)


def _pair(name: str, said: str) -> Content:
    return lines((f"{name:<9}", QUIET), said)
