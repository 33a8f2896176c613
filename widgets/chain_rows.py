"""A chain tells "the world changed" from "the belief was wrong" in words, before any colour: newest first, a reason between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.cells import set_cell_size
from textual.content import Content

from store.records import Fact, Link
from widgets.choices import Row
from widgets.look import (
    CHANGED,
    KIND_REASONS,
    KIND_WORDS,
    NEVER,
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
from widgets.wording import belief_stretch, clock_time, count, day, world_stretch

BESIDE = 74
"""Columns from which values and their times stand side by side."""


def chain_rows(links: Sequence[Link], now: int, width: int) -> list[Row]:
    """Rows for the links of one slot, newest first; `now` in microseconds UTC, `width` in columns."""
    rows: list[Row] = []
    links = joined(links)
    for place, link in enumerate(links):
        last = place == len(links) - 1
        rows.append(Row(_card(link.fact, now, width, last), link.fact))
        if not last:
            rows.append(Row(_reason(link, width)))
    return rows


def joined(links: Sequence[Link]) -> list[Link]:
    """The chain as a person tells it: a value whose stretch was only shortened or dated anew is one step, not two.

    Such a step keeps what is believed now of its world stretch, and was believed since its first rectangle.
    """
    steps: list[Link] = []
    for link in links:
        newer = steps[-1].fact if steps else None
        if newer is not None and (newer.object, newer.negative) == (link.fact.object, link.fact.negative):
            fact = replace(newer, believed_from=min(newer.believed_from, link.fact.believed_from))
            steps[-1] = Link(fact, link.kind, link.because)
        else:
            steps.append(link)
    return steps


def chain_summary(links: Sequence[Link]) -> str:
    """2 true in their time · 3 beliefs · 5 sources"""
    links = joined(links)
    values = {link.fact.object for link in links if not never_true(link.fact)}
    sources = {source.episode for link in links for source in link.fact.sources}
    return " · ".join((
        count(len(values), "value"), count(len(links), "step"), count(len(sources), "source turn")
    ))


def _card(fact: Fact, now: int, width: int, last: bool) -> Content:
    mark, style = glyph(fact, now, now)
    rail = (" " if last else "│", QUIET)
    world = "never true" if never_true(fact) else world_stretch(fact)
    times = [("true", world), ("believed", belief_stretch(fact))]
    source = fact.sources[0] if fact.sources else None
    if source is not None:
        times.append(("from", f"{_speaker(source.speaker)}, {day(source.said_at)} {clock_time(source.said_at)}"))
    rows = _beside(mark, style, rail, fact, times, width) if width >= BESIDE else _below(mark, style, rail, fact, times, width)
    for quoted in fact.sources[:2]:
        rows.append(lines(rail, (f"    “{one_line(quoted.quote, max(10, width - 8))}”", "italic")))
    rows.append(lines(rail))
    return stacked(rows)


def _beside(
    mark: str, style: str, rail: tuple[str, str], fact: Fact, times: list[tuple[str, str]], width: int
) -> list[Content]:
    left = min(34, width // 2 - 4)
    shown = one_line(value(fact), left - 2)
    rows = [lines((f"{mark}  ", style), (_padded(shown, left), "bold"), *_time(times[0]))]
    details = [f"salience {salience_dots(fact.salience)}", f"confidence {fact.confidence:.2f}"]
    for place, pair in enumerate(times[1:]):
        detail = details[place] if place < len(details) else ""
        rows.append(lines(rail, (f"  {_padded(detail, left)}", QUIET), *_time(pair)))
    return rows


def _below(
    mark: str, style: str, rail: tuple[str, str], fact: Fact, times: list[tuple[str, str]], width: int
) -> list[Content]:
    rows = [lines((f"{mark}  ", style), (one_line(value(fact), width - 4), "bold"))]
    return rows + [lines(rail, "  ", *_time(pair)) for pair in times]


def _time(pair: tuple[str, str]) -> list[tuple[str, str]]:
    return [(f"{pair[0]:<9}", QUIET), (pair[1], "")]


def _padded(text: str, width: int) -> str:
    return set_cell_size(text, width)


def _reason(link: Link, width: int) -> Content:
    """Between a fact and the one that it replaced."""
    style = NEVER if link.kind in ("correct", "retract") else CHANGED
    words = lines(("├─ ", QUIET), (KIND_WORDS[link.kind], f"bold {style}"), (f" ─ {KIND_REASONS[link.kind]}", QUIET))
    return stacked([words.truncate(max(10, width - 2), ellipsis=True), lines(("│", QUIET))])


def _speaker(name: str) -> str:
    return "you" if name in ("me", "user", "") else one_line(name, 20)


def fact_detail(fact: Fact | None, true_at: int, believed_at: int, width: int) -> Content:
    """Three lines below the timeline: what it is, its exact times, and the words that it rests on."""
    if fact is None:
        return lines(("Nothing was believed here.", QUIET))
    mark, style = glyph(fact, true_at, believed_at)
    world = "never true" if never_true(fact) else f"true {world_stretch(fact)}"
    rows = [
        lines((f"{mark} ", style), (f"{about(fact)} ", QUIET), (value(fact), "bold")),
        lines((f"  {world} · believed {belief_stretch(fact)}", "")),
    ]
    if fact.sources:
        source = fact.sources[0]
        rows.append(lines((f"  “{one_line(source.quote, max(10, width - 18))}”", "italic"), (f"  {day(source.said_at)}", QUIET)))
    return stacked([row.truncate(max(10, width), ellipsis=True) for row in rows])
