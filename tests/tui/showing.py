"""Every function of the widgets that turns a record into something to see, with records made of one text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from textual.content import Content

from store.records import Change, Judged, JudgedHit, Link, Operation
from tests.tui.nasty import nasty_fact, nasty_hit, nasty_session
from tests.tui.scripted import ZONE, instant
from widgets.chain_rows import chain_rows, fact_detail
from widgets.chips import Wanted
from widgets.choices import words_of
from widgets.curves import fading_line
from widgets.fact_rows import FactTree, Subject, fact_details, fact_rows, subject_details
from widgets.lane_index import lanes_of
from widgets.lane_layout import drawn
from widgets.memory_panel import change_card, fact_card, hit_card
from widgets.phases import Phase, phase_lines
from widgets.plain import one_line
from widgets.result_rows import result_rows, session_rows
from widgets.run_rows import edit_row, run_row
from widgets.time_scale import Scale
from widgets.transcript import code_blocks, source_words
from widgets.why_rows import judged_detail, judged_rows, prompt_rows

NOW = instant("2025-03-14").us


def shown(text: str, width: int) -> Iterator[str]:
    """What stands on the screen, from each of them."""
    fact, hit = nasty_fact(text), nasty_hit(text)
    change = Change(fact.believed_from, "update", fact, replace(fact, object=text + "!"))
    judged = JudgedHit(hit, 1, (("lexical", 1, 2.0), (text, 2, 1.0)), ((text, 1.0),))
    query = Judged(text, ((text, 1, 1.0),), 3, (judged,), (("i", text),))
    log = Operation(1, 1, text, text, fact.believed_from, text, {"confidence": 0.5, "episodes": 1})
    tree = FactTree([fact])
    contents: list[Content] = [
        *(row.shown for row in fact_rows(tree.found(Wanted(), ""), tree.label, NOW, width)),
        *(row.shown for row in chain_rows([Link(fact, "update", text)], NOW, width)),
        *(row.shown for row in result_rows([fact], [hit], text, NOW, width)),
        *(row.shown for row in session_rows([nasty_session(text)], width)),
        *(row.shown for row in judged_rows(query, (), (), width)),
        judged_detail(judged, width), prompt_rows([(text, text, 3)], 3, 9, width),
        fact_detail(fact, NOW, NOW, width), fact_details(fact, [fact], NOW, width),
        subject_details(Subject(text, 1), [fact]), fact_card(fact, NOW, NOW, width), hit_card(hit, width),
        change_card(change, width), source_words(1, fact.sources[0]), run_row(log, width), edit_row(log, width),
        fading_line(fact, ((0, 0.2), (9, 0.1)), 0.12, width),
        *phase_lines([Phase(one_line(text), "running", 1, 2, text)], width),
    ]  # fmt: skip
    yield from (one.plain for one in contents)
    scale = Scale.fitting(instant("2021-01-01").us, NOW, max(10, width), ZONE)
    for lane in lanes_of([fact], NOW):
        yield lane.label + "".join(cell.text for cell in drawn(lane, scale, NOW, NOW))
    yield words_of(fact)
    yield from (one_line(block) for block in code_blocks(text))
