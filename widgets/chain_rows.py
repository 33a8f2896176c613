"""A chain tells "the world changed" from "the belief was wrong" in words, before any colour: newest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import zip_longest
from textwrap import wrap

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from store.records import ChangeKind, Fact, Link
from widgets.choices import Row
from widgets.look import CHANGED, KINDS, NEVER, QUIET, glyph, hung, lines, salience_dots, stacked
from widgets.plain import one_line
from widgets.states import never_true
from widgets.whole_belief import FOREVER, joined, latest, rectangles, starts, whole
from widgets.wording import about, count, day_words, quoted, read_by, said_by, times_of, value

MOST_SAID = 3  # lines of a quote, about
BESIDE = 74  # columns from which values and their times stand side by side


def chain_rows(links: Sequence[Link], now: int, width: int) -> list[Row]:
    """Rows for the links of one slot, newest first; `now` in microseconds UTC, `width` in columns."""
    links = told(links)
    rows: list[Row] = []
    for link, below in zip_longest(links, links[1:]):
        rows.append(Row(_card(link.fact, now, width, below is None), link.fact))
        if below is not None:
            rows.append(Row(_reason(link.kind, below.kind, width)))
    return rows


def told(links: Sequence[Link]) -> list[Link]:
    """The chain as a person tells it: what is believed, latest in the world first, and each belief that is no more
    below what took its place. What was only dated anew is one step, not two, and came about as its first rectangle did.
    """
    facts, steps, among = [link.fact for link in links], list[Link](), dict[str, int]()
    because = {link.fact.id: link.because for link in links}
    for same in rectangles(facts):
        first, last = min(same, key=lambda one: one.believed_from), latest(same)
        among |= {one.id: len(steps) for one in same}
        steps.append(Link(joined(last, same), first.change, because[last.id]))
    over = {
        among[old]: among[one.id]
        for one in facts for old in (one.supersedes, *one.also_supersedes)
        if old is not None and old in among and among[old] != among[one.id]
    }  # fmt: skip
    return [steps[number] for number in sorted(range(len(steps)), key=partial(_place, steps, over), reverse=True)]


def _place(steps: Sequence[Link], over: Mapping[int, int], number: int) -> tuple[int, int, int]:
    """By when it was true, or what took its place was; below that by when it was believed."""
    top, passed = number, set[int]()
    while top not in passed and steps[top].fact.believed_to is not None:
        passed.add(top)
        top = over.get(top, top)
    above = steps[top].fact
    return starts(above), above.believed_from.us, FOREVER if top == number else steps[number].fact.believed_from.us


def chain_summary(links: Sequence[Link]) -> str:
    """2 true in their time · 3 beliefs · 5 sources"""
    links = told(links)
    values = {link.fact.object for link in links if not never_true(link.fact)}
    sources = {source.episode for link in links for source in link.fact.sources}
    return " · ".join((count(len(values), "value"), count(len(links), "step"), count(len(sources), "source turn")))


def _card(fact: Fact, now: int, width: int, last: bool) -> Content:
    mark, style = glyph(fact, now, now)
    rail = (" " if last else "│", QUIET)
    world, held, exact = times_of(fact, fact, now)
    times = [("true", world), ("believed", held), ("exactly", exact)]
    times += [("from", said_by(source)) for source in fact.sources[:1]]
    told = [((f"{name:<9}", QUIET), said) for name, said in times]
    if width >= BESIDE:
        left = min(34, width // 2 - 4)
        name = set_cell_size(one_line(value(fact), left - 2), left)
        rows = [lines((f"{mark}  ", style), (name, "bold"), *told[0])]
        details = [f"salience {salience_dots(fact.salience)}", f"sure     {fact.confidence:.2f}", ""]
        for detail, pair in zip(details, told[1:], strict=False):
            rows.append(lines(rail, (f"  {set_cell_size(detail, left)}", QUIET), *pair))
    else:
        rows = [lines((f"{mark}  ", style), (one_line(value(fact), width - 4), "bold"))]
        rows += [lines(rail, "  ", *pair) for pair in told]
    for one in fact.sources[:2]:
        said = wrap(quoted(one, MOST_SAID * width // 2), max(10, width - 8)) or [""]
        rows += [lines(rail, (f"    {row}", "italic")) for row in said[:-1]]
        rows.append(lines(rail, (f"    {said[-1]}", "italic"), (read_by(one), QUIET)))
    rows.append(lines(rail))
    return stacked(rows)


def _reason(upper: ChangeKind, lower: ChangeKind, width: int) -> Content:
    """Between a fact and the one below it: how the upper came to replace the lower, or how the lower was filled in."""
    kind = "backfill" if lower == "backfill" else upper
    style = NEVER if kind in ("correct", "retract") else CHANGED
    word, reason = KINDS[kind]
    head = lines(("├─ ", QUIET), (word, f"bold {style}"))
    whole = lines(head, (f" ─ {reason}", QUIET))
    shown = whole if whole.cell_length < width else stacked([head, hung(("│  ", QUIET), reason, width, QUIET)])
    return stacked([shown, lines(("│", QUIET))])


def fact_detail(
    fact: Fact | None, true_at: int, believed_at: int, width: int, now: int | None = None, held: Sequence[Fact] = ()
) -> Content:
    """What it is, its exact times, and the words that it rests on; `held` are all the rectangles of its slot."""
    if fact is None:
        return lines(("Nothing was believed here.", QUIET))
    mark, style = glyph(fact, true_at, believed_at)
    known = whole(fact, held)
    world, held_for, exact = times_of(fact, known, now)
    told = f"  {world} · believed {held_for}"
    rows = [
        lines((f"{mark} ", style), (f"{about(fact)} ", QUIET), (value(fact), "bold")),
        lines(told, (f"   {exact}" if cell_len(told + exact) + 3 <= width else "", QUIET)),
    ]
    for source in fact.sources[:1]:
        said = f"  {quoted(source, max(10, width - 24))}"
        rows.append(lines((said, "italic"), (f"  {day_words(source.said_at)}{read_by(source)}", QUIET)))
    return stacked([row.truncate(max(10, width), ellipsis=True) for row in rows])
