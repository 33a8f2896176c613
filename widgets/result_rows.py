"""A search result shows the words that were found in the words around them; nothing is paraphrased."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from types import MappingProxyType

from textual.content import Content

from store.records import Fact, Hit, Session
from widgets.choices import Row, heading
from widgets.look import LINK, QUIET, glyph, lines, stacked
from widgets.plain import one_line, plain
from widgets.wording import Version, about, beginnings, count, day_words, since, titled, value, whose

_WORD = re.compile(r"\w+")

SHORTEST = 8  # columns of the name of a conversation at least
DATE = 12  # columns of a day of this year
NO_VERSIONS: Mapping[str, Version] = MappingProxyType({})
NO_TURN = "No turn has a word of"


def result_rows(
    facts: Sequence[Fact], hits: Sequence[Hit], near: Sequence[Hit], query: str, now: int, width: int
) -> list[Row]:
    """Beliefs first, then turns, then those that have no word of the query and are near it; each under a heading that
    counts them. Where no turn has a word of it, that is said first."""
    rows: list[Row] = []
    if facts:
        rows.append(heading("BELIEFS", str(len(facts))))
        for fact in facts:
            mark, style = glyph(fact, now, now)
            said = (f"{about(fact)} ", QUIET), (value(fact), "bold"), (f"  {since(fact, now)}", QUIET)
            rows.append(Row(lines((f"{mark} ", style), *said).truncate(max(10, width), ellipsis=True), fact))
    if hits:
        rows.append(heading("TURNS", str(len(hits)), gap=bool(facts)))
        rows += [Row(_hit_lines(hit, query, width), hit) for hit in hits]
    if near:
        none = [] if hits else [Row(lines(NO_TURN, f" “{one_line(query, max(8, width - len(NO_TURN) - 4))}”."))]
        rows = [*none, *rows, heading("NEAR IN MEANING", str(len(near)), gap=bool(rows or none))]
        rows += [Row(_hit_lines(hit, query, width), hit) for hit in near]
    return rows


def session_rows(
    sessions: Sequence[Session], width: int, today: date, versions: Mapping[str, Version] = NO_VERSIONS
) -> list[Row]:
    """One line a conversation, under headings: the pinned, then the latest by day, week and month. `versions`:
    those that have a beginning in common, which stand together, by their numbers."""
    families: dict[str, list[Session]] = {}
    for one in sorted(sessions, key=lambda one: (not one.pinned, -(one.last_said_at.us if one.last_said_at else 0))):
        families.setdefault(versions[one.key].of if one.key in versions else one.key, []).append(one)
    began = beginnings(one for one in sessions if one.key not in versions or not versions[one.key].own)
    rows: list[Row] = []
    for when, group in itertools.groupby(families.values(), lambda family: _group(family[0], today)):
        rows.append(heading(when, gap=bool(rows)))
        for family in group:
            alike = [(one, versions.get(one.key, Version(one.key, 1, ""))) for one in family]
            for one, version in sorted(alike, key=lambda pair: pair[1].number):
                rows.append(Row(_session_line(one, width, today, version, began.get(one.key, "")), one))
    return rows


def _group(session: Session, today: date) -> str:
    """The heading that it stands under. A week begins on Monday; what is dated ahead of today is of today."""
    if session.pinned:
        return "PINNED"
    if session.last_said_at is None:
        return "WITHOUT A DAY"
    last = session.last_said_at.local().date()
    if last >= today:
        return "TODAY"
    if last >= today - timedelta(days=today.weekday()):
        return "THIS WEEK"
    if (last.year, last.month) == (today.year, today.month):
        return "THIS MONTH"
    return f"{last:%B %Y}".upper()


def _session_line(session: Session, width: int, today: date, version: Version, began: str) -> Content:
    """A version after the first has its own words and turns; `began` tells it apart from others of its name."""
    when = day_words(session.last_said_at).removesuffix(f" {today.year}") if session.last_said_at else ""
    own = f"{'+' if version.own else ''}{count(session.turns, 'turn')}"
    tail = f"  {own:>10}  {when:>{DATE}}"
    lead = f"    ↳ version {version.number}: " if version.own else ""
    room, began = width - len(tail) - len(lead) - 4, began.removesuffix(f" {today.year}")
    began = began if len(began) + SHORTEST <= room else ""
    title = lead + one_line(version.own or titled(session), max(SHORTEST, room - len(began))) + began
    pin = "▪ " if session.pinned else "  "
    return lines((pin, LINK), title, " " * max(0, width - len(tail) - 2 - Content(title).cell_length), (tail, QUIET))


def _hit_lines(hit: Hit, query: str, width: int) -> Content:
    head = lines((f"  {whose(hit.speaker, 20)} · {day_words(hit.said_at)}", QUIET))
    return stacked([lines("  ", excerpt(hit.text, query, max(10, width - 4))), head])


def excerpt(text: str, query: str, width: int) -> Content:
    """At most `width` characters around the first word of the query that occurs; the words found are marked."""
    shown = one_line(text)
    words = [word for word in _WORD.findall(plain(query).casefold()) if len(word) > 1]
    pattern = re.compile("|".join(rf"\b{re.escape(word)}" for word in words) or r"(?!)", re.IGNORECASE)
    first = pattern.search(shown)
    if first is not None and first.end() > width - 8:
        start = max(0, first.start() - width // 3)
        # From the next whole word on, if there is one before what was found.
        start = start if start == 0 else shown.find(" ", start, first.start()) + 1 or start
        shown = "… "[: 2 if start else 0] + shown[start:]
    content = Content(one_line(shown, width))
    for found in pattern.finditer(content.plain):
        content = content.stylize(f"bold {LINK}", found.start(), found.end())
    return content
