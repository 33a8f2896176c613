"""Beliefs stand under whom they are about: oneself first, then the others by name, each value once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, islice

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from store.records import Fact, Precision
from widgets.chips import BeliefFilter
from widgets.choices import Lines
from widgets.lane_index import NOTES, lanes_of
from widgets.look import CHANGED, KINDS, LINK, NOW, QUIET, glyph, lines, salience_dots, stacked
from widgets.plain import one_line
from widgets.states import never_true
from widgets.whole_belief import starts
from widgets.wording import (
    about,
    belief_stretch,
    believed,
    called,
    count,
    date_words,
    day_words,
    is_one_point,
    is_undated,
    is_unsure_end,
    quoted,
    said_by,
    since,
    value,
    world_stretch,
)

LONGEST_LABEL = 18
LEAST_NAME = 10  # columns of the name of what takes place that are left beside its date
WIDEST = 84  # columns of a belief's row at most: a date far off its value is hard to follow
MOST_QUOTES = 6
PIN = "▪"
_DOTS = ((0x40, 0x04, 0x02, 0x01), (0x80, 0x20, 0x10, 0x08))
"""The bits of a braille cell: its left column and its right one, from the lowest dot."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom the beliefs below are about."""

    name: str
    beliefs: int
    folded: bool = False


def each_value_once(facts: Sequence[Fact], now: int) -> list[Fact]:
    """Of every rectangle that was ever believed: what still is, and of what no longer is each value once."""
    return in_order(bar.fact for lane in lanes_of(facts, now) for bar in lane.bars)


def in_order(facts: Iterable[Fact]) -> list[Fact]:
    """By subject ("me" first) and predicate, the latest first; of a subject the pinned first, and mere notes last."""
    return sorted(facts, key=lambda one: (
        one.subject != "me", one.subject.casefold(), one.subject, not one.pinned, one.predicate == NOTES, one.predicate,
        -starts(one), one.object,
    ))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Found:
    """The tree that is to be shown: each subject, and below it (unless folded) its beliefs."""

    records: list[Subject | Fact]
    beliefs: int = 0
    subjects: int = 0

    def place(self, record: object, otherwise: int) -> int | None:
        """Where the record stands, or else one of its slot, or the belief in its place; None where there is nothing."""
        if isinstance(record, Subject):
            return self._heading(record.name)
        if not isinstance(record, Fact):
            return next((n for n, one in enumerate(self.records) if isinstance(one, Fact)), None)
        heading = self._heading(record.subject)
        below = () if heading is None else islice(enumerate(self.records), heading + 1, None)
        slot: int | None = None
        for n, one in below:
            if isinstance(one, Subject):
                break
            if one.id == record.id:
                return n
            if slot is None and record.slot and one.slot == record.slot:
                slot = n
        return self._belief_from(otherwise) if slot is None else slot

    def _heading(self, name: str) -> int | None:
        return next((n for n, one in enumerate(self.records) if isinstance(one, Subject) and one.name == name), None)

    def _belief_from(self, place: int) -> int | None:
        """The belief that stands there, or next below, or next above: a heading only where all are folded."""
        last = max(0, min(place, len(self.records) - 1))
        nearest = chain(range(last, len(self.records)), range(last - 1, -1, -1))
        return next((n for n in nearest if isinstance(self.records[n], Fact)), last if self.records else None)


class FactTree:
    """Beliefs in order, with the words by which each is found; indexed once, so that a key costs a look and no more."""

    def __init__(self, facts: Sequence[Fact] = ()) -> None:
        found = [(name, list(group)) for name, group in groupby(facts, key=lambda one: one.subject)]
        # Each subject, its beliefs, and for each the words by which it is found.
        self._groups = [(name, mine, [_words(one) for one in mine]) for name, mine in found]
        self.label = max((cell_len(_predicate(fact)) for fact in facts), default=0)  # columns of the longest predicate
        self.facts = facts

    def of(self, subject: str) -> list[Fact]:
        return next((mine for name, mine, _texts in self._groups if name == subject), [])

    def found(self, wanted: BeliefFilter, words: str, folded: Collection[str] = ()) -> Found:
        """What the chips let through and what holds every word."""
        records: list[Subject | Fact] = []
        beliefs = subjects = 0
        asked = words.casefold().split()
        for name, mine, texts in self._groups:
            kept, held = mine, texts
            for word in asked:
                kept = [one for one, text in zip(kept, held, strict=True) if word in text]
                held = [text for text in held if word in text]
            if wanted.pinned:
                kept = [one for one in kept if one.pinned]
            if wanted.disputed:
                kept = [one for one in kept if one.disputed]
            if wanted.by_me:
                kept = [one for one in kept if any(source.speaker in ("me", "user", "") for source in one.sources)]
            if kept:
                beliefs, subjects = beliefs + len(kept), subjects + 1
                records.append(Subject(name, len(kept), name in folded))
                records += [] if name in folded else kept
        return Found(records, beliefs, subjects)


def _words(one: Fact) -> str:
    return f"{one.subject} {about(one)} {value(one)} {one.text}".casefold()


def fact_rows(found: Found, label: int, now: int, width: int) -> Lines:
    """The tree as rows that are drawn when they come into view; `label` is the columns of the longest predicate."""
    label, width = min(label, LONGEST_LABEL, max(8, width // 3)), min(width, WIDEST)

    def draw(record: Subject | Fact) -> Content:
        if isinstance(record, Fact):
            return fact_line(record, now, label, width)
        name = one_line(record.name, max(8, width - 20))
        mark = "▸ " if record.folded else "▾ "
        return lines((mark, LINK), (name, "bold"), (f"  {count(record.beliefs, 'belief')}", QUIET))

    return Lines(found.records, draw)


def fact_line(fact: Fact, now: int, label: int, width: int) -> Content:
    """Glyph, what, value; right of it a pin, and since when if there is room."""
    mark, style = glyph(fact, now, now)
    what = set_cell_size(one_line(_predicate(fact), label), label)
    shown = f"no longer {value(fact)}" if is_unsure_end(fact) else value(fact)
    # The value is worth more than its date: the longest that there is room for, or none. But what takes place is worth
    # little without it: there the value is cut for the shortest.
    dates, free = [*_since(fact, now)], width - label - 9
    when = next((one for one in dates if cell_len(shown) + cell_len(one) <= free), "")
    if not when and is_one_point(fact) and LEAST_NAME + cell_len(dates[-1]) <= free:
        when = dates[-1]
    tail = f" {PIN if fact.pinned else ' '} {when}"
    room = max(6, width - label - 6 - cell_len(tail))
    if cell_len(shown) > room:
        shown = set_cell_size(shown, room - 1).rstrip() + "…"
    gap = " " * max(0, room - cell_len(shown))
    said = "italic $quiet" if never_true(fact) else "bold" if fact.believed_to is None else QUIET
    row = lines((f"  {mark} ", style), (f"{what}  ", QUIET), (shown, said), gap, (tail, LINK if fact.pinned else QUIET))
    return row.truncate(max(10, width), ellipsis=True)


def row_width(facts: Iterable[Fact], label: int, width: int, now: int) -> int:
    """Columns in which each of the facts stands whole with its date, at most `width`."""
    longest = max((cell_len(value(fact)) + cell_len(next(_since(fact, now), "")) for fact in facts), default=0)
    return min(width, label + longest + 13)


def _since(fact: Fact, now: int) -> Iterator[str]:
    """Since when, in few words and in fewer; nothing where nobody said it, and nobody knows."""
    if never_true(fact):
        yield "never true"
    elif is_undated(fact) or (fact.valid_to is None and (fact.valid_from is None or fact.precision is Precision.OPEN)):
        if fact.valid_from:
            yield since(fact, now)
            yield f"known {date_words(fact.valid_from, fact.precision, now)}"
    else:
        yield since(fact, now)
        if fact.valid_to is not None and not is_one_point(fact):
            yield f"until {date_words(fact.valid_to, fact.precision_to, now)}"
        elif fact.valid_from is not None:
            yield date_words(fact.valid_from, fact.precision, now)


def _predicate(fact: Fact) -> str:
    """What stands beside its value: nothing where that says the same."""
    what = called(fact.predicate)
    return "" if what == fact.object.casefold() else what


def subject_details(subject: Subject, mine: Sequence[Fact]) -> Content:
    """How many beliefs there are about one subject, and since when; `mine` are all that there ever were."""
    rows = [lines((one_line(subject.name), "bold")), lines((count(len(mine), "belief"), QUIET))]
    if mine:
        first = min(mine, key=lambda one: one.believed_from.us)
        rows.append(lines((f"first heard of on {day_words(first.believed_from)}", QUIET)))
    return stacked([*rows, lines(""), lines(("enter folds and unfolds; x erases everything about them", QUIET))])


def fact_details(fact: Fact, rivals: Sequence[Fact], now: int, width: int) -> Content:
    """Everything about one belief: its times, how it came, what disputes it, and the words that it rests on."""
    mark, style = glyph(fact, now, now)
    pin = [(f"  {PIN} pinned", LINK)] if fact.pinned else []
    rows = [lines((f"{mark} ", style), (f"{about(fact)} ", QUIET), (value(fact), "bold"), *pin), lines()]
    pairs = [
        ("true", "never" if never_true(fact) else since(fact, now), ""),
        *([] if never_true(fact) else [("", world_stretch(fact), QUIET)]),
        ("believed", believed(fact, now), ""),
        ("", belief_stretch(fact), QUIET),
        ("came as", KINDS[fact.change][0], ""),
        ("sure", f"{fact.confidence:.2f}   salience {salience_dots(fact.salience)}", ""),
        *((one_line(name.replace("_", " "), LONGEST_LABEL), one_line(said), "") for name, said in fact.qualifiers),
    ]
    column = max(cell_len(name) for name, _said, _style in pairs) + 1
    rows += [lines((set_cell_size(name, column), QUIET), (said, style)) for name, said, style in pairs]
    if fact.disputed:
        against = ", ".join(value(rival) for rival in rivals) or "something else"
        rows += [lines(), lines(("? ", CHANGED), f"in dispute with {against}: s settles it for this one")]
    rows.append(lines())
    for source in fact.sources[:MOST_QUOTES]:
        rows += [lines((quoted(source, 6 * width), "italic")), lines((f"  {said_by(source)}", QUIET))]
    if len(fact.sources) > MOST_QUOTES:
        rows.append(lines((f"and {len(fact.sources) - MOST_QUOTES} more", QUIET)))
    return stacked(rows)


def braille(levels: Sequence[float], width: int, most: float = 1.0) -> str:
    """The levels (0 .. `most`) as one row of `width` cells, two points in each."""
    if not levels or width < 1 or most <= 0:
        return ""
    points = 2 * width
    cells = [0] * width
    for point in range(points):
        level = levels[min(len(levels) - 1, point * len(levels) // points)]
        height = max(0, min(3, int(level / most * 4)))
        for dot in _DOTS[point % 2][: height + 1]:
            cells[point // 2] |= dot
    return "".join(chr(0x2800 + cell) for cell in cells)


def days_left(curve: Sequence[tuple[int, float]], line: float) -> int | None:
    """In how many days the curve drops below the line; None: not within it."""
    return next((day for day, level in curve if level < line), None)


def fading_line(fact: Fact, curve: Sequence[tuple[int, float]], line: float, width: int) -> Content:
    """One belief: its curve, when it drops below the line, and what it says: "measure 37" would say nothing."""
    left = days_left(curve, line)
    room = 40 if width >= 130 else 24 if width >= 90 else 12
    most = max((level for _day, level in curve), default=1.0)
    drawn = braille([level for _day, level in curve], room, most)
    when = "stays" if left is None else "now" if left == 0 else f"in {count(left, 'day')}"
    style = QUIET if left is None else CHANGED if left <= 14 else NOW
    pin = (f"{PIN} ", LINK) if fact.pinned else "  "
    what = lines((one_line(fact.text.removesuffix("."), 60), "bold"))
    row = lines(pin, (drawn, style), (f"  {when:<13}", style), what)
    said = f"last said {day_words(max(source.said_at for source in fact.sources))}" if fact.sources else ""
    if said and row.cell_length + len(said) + 2 <= (room_for := min(width, 110)):
        row = lines(row, " " * (room_for - row.cell_length - len(said)), (said, QUIET))
    return row.truncate(max(10, width), ellipsis=True)


@dataclass(frozen=True, slots=True)
class RelationBranch:
    """One branch."""

    word: str  # what the other one is: "brother", "works at"; with `back`, what this one is to the other
    other: str
    back: bool = False


def relations(name: str, facts: Sequence[Fact], known: Collection[str]) -> list[RelationBranch]:
    """The branches of one subject, from beliefs that hold; `known` are the names of all entities, case folded."""
    found: list[RelationBranch] = []
    for fact in facts:
        word = called(fact.predicate)
        if fact.negative:
            continue
        if fact.subject == name and fact.object.casefold() in known and fact.object.casefold() != name.casefold():
            found.append(RelationBranch(word, fact.object))
        elif fact.object.casefold() == name.casefold() and fact.subject != name:
            found.append(RelationBranch(word, fact.subject, back=True))
    return list(dict.fromkeys(found))


def relation_line(one: RelationBranch, *, last: bool, width: int) -> Content:
    """├─ brother ─ Miguel"""
    rail = "└─ " if last else "├─ "
    other = "you" if one.other == "me" else one_line(one.other, 40)
    words = f"{one.word} of" if one.back else one.word
    return lines((rail, QUIET), (one_line(words, 30), ""), (" ─ ", QUIET), (other, f"bold {LINK}")).truncate(
        max(10, width), ellipsis=True
    )
