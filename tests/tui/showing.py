"""Every function of the widgets that turns a record into something to see, with records made of one text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import date

from textual.content import Content

from store.records import Change, Judged, JudgedHit, Link, Operation
from tests.tui.nasty import nasty_fact, nasty_hit, nasty_session
from tests.tui.scripted import ZONE, instant
from widgets.chain_rows import chain_rows, fact_detail
from widgets.chips import BeliefFilter
from widgets.choices import Row, words_of
from widgets.diary_rows import day_line, entry_line, sentence_line, title_line
from widgets.fact_rows import (
    FactTree,
    RelationBranch,
    Subject,
    fact_details,
    fact_rows,
    fading_line,
    relation_line,
    subject_details,
)
from widgets.lane_diff import Difference, difference_line
from widgets.lane_index import lanes_of
from widgets.lane_layout import drawn
from widgets.memory_panel import change_card, fact_card, hit_card
from widgets.plain import one_line
from widgets.result_rows import result_rows, session_rows
from widgets.sleep_rows import Phase, phase_lines, run_row
from widgets.speech import paragraphs
from widgets.time_scale import Scale
from widgets.transcript import code_blocks, source_words
from widgets.why_rows import judged_detail, judged_rows, prompt_rows

NOW = instant("2025-03-14").us


Drawing = Callable[[str, int], Iterable[Content]]


def _rows(rows: Iterable[Row]) -> list[Content]:
    return [row.shown for row in rows]


def _beliefs(text: str, width: int) -> list[Content]:
    tree = FactTree([nasty_fact(text)])
    return _rows(fact_rows(tree.found(BeliefFilter(), ""), tree.label, NOW, width))


def _judged(text: str, width: int) -> list[Content]:
    hit = JudgedHit(nasty_hit(text), 1, (("lexical", 1, 2.0), (text, 2, 1.0)), ((text, 1.0),))
    query = Judged(text, ((text, 1, 1.0),), 3, (hit,), (("i", text),))
    return [*_rows(judged_rows(query, (), (), width)), judged_detail(hit, width)]


def _change(text: str, width: int) -> list[Content]:
    fact = nasty_fact(text)
    other = replace(fact, object=text + "!")
    change = Change(fact.believed_from, "update", fact, other)
    return [change_card(change, width), difference_line(Difference(other, fact), width)]


def _log(text: str, width: int) -> list[Content]:
    said = nasty_fact(text).believed_from
    log = Operation(1, 1, text, text, said, text, {"confidence": 0.5, "episodes": 1})
    return [run_row(log, width)]


def _lanes(text: str, width: int) -> list[Content]:
    scale = Scale.fitting(instant("2021-01-01").us, NOW, max(10, width), ZONE)
    return [
        Content(lane.label + "".join(cell.text for cell in drawn(lane, scale, NOW, NOW)))
        for lane in lanes_of([nasty_fact(text)], NOW)
    ]


DRAWINGS: tuple[Drawing, ...] = (
    _beliefs, _judged, _change, _log, _lanes,
    lambda text, width: _rows(chain_rows([Link(nasty_fact(text), "update", text)], NOW, width)),
    lambda text, width: _rows(result_rows([nasty_fact(text)], [nasty_hit(text)], [nasty_hit(text)], text, NOW, width)),
    lambda text, width: _rows(session_rows([nasty_session(text)], width, date(2024, 11, 20))),
    lambda text, width: [prompt_rows([(text, text, 3)], 3, 9, width)],
    lambda text, width: [fact_detail(nasty_fact(text), NOW, NOW, width)],
    lambda text, width: [fact_details(nasty_fact(text), [nasty_fact(text)], NOW, width)],
    lambda text, width: [subject_details(Subject(text, 1), [nasty_fact(text)])],
    lambda text, width: [fact_card(nasty_fact(text), NOW, NOW, width), hit_card(nasty_hit(text), width)],
    lambda text, width: [source_words(1, nasty_fact(text).sources[0])],
    lambda text, width: [fading_line(nasty_fact(text), ((0, 0.2), (9, 0.1)), 0.12, width)],
    lambda text, width: [entry_line(text, 3, 9, width), title_line(text, 3, 2)],
    lambda text, width: [sentence_line(nasty_fact(text).sources[0], width), day_line(nasty_fact(text).sources[0])],
    lambda text, width: [relation_line(RelationBranch(text, text), last=False, width=width)],
    lambda text, width: phase_lines([Phase(one_line(text), "running", 1, 2, text)], width),
    lambda text, width: [found for found in [paragraphs(text)] if found is not None],
    lambda text, width: [Content(words_of(nasty_fact(text))), *(Content(one_line(one)) for one in code_blocks(text))],
)  # fmt: skip
"""Every function that makes something to see of a text, at a width."""


def shown(text: str, width: int) -> Iterator[str]:
    """What stands on the screen, from each of them."""
    yield from (one.plain for draw in DRAWINGS for one in draw(text, width))
