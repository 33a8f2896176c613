"""Every sentence of a summary is one that somebody said, and leads to its turn; unread turns are in it, too.

A conversation, a day, a week or a month is summed up by the best sentences of its turns, somebody or something by the
words that taught what is believed of them. Where there is more than can be weighed at once, what stands for the nodes
of the trees over it is weighed instead, with the turns that no sleep has placed yet. Nothing is stored: what is asked
for is made, from what sleep has made of the turns.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo
from typing import TYPE_CHECKING, Literal, NamedTuple

from store.database.rows import LISTED, Row, column, each, first, rows, scalar
from store.errors import NotFound
from store.records import Instant, Source, Stretch
from store.sleep.extractive import TurnSentence, choose, gist
from store.sleep.forest import vectors_of

if TYPE_CHECKING:
    import apsw

Kind = Literal["session", "entity", "day", "week", "month"]
Grain = Literal["day", "week", "month"]

WEIGHED = 600
"""Turns whose sentences are weighed one against another."""
FEWEST, MOST = 3, 12
"""Sentences of a summary: one for every TURNS turns, within these."""
TURNS = 6
_SAID = "secret = 0 and inactive = 0 and source <> 'command'"


@dataclass(frozen=True, slots=True)
class Summary:
    """What was said in a conversation or a stretch of time, in a few of its own sentences."""

    kind: Kind
    key: str
    """The session's key, the entity's, or the first day as "2026-03-02"."""
    title: str
    """The session's title, where it has one, or the entity's name; else the same as `key`."""
    start: Instant
    end: Instant
    """The last turn's time for a session or an entity; else the end of the stretch, which is not in it."""
    turns: int
    """How many turns it sums up."""
    sentences: tuple[Source, ...]
    """In the order of saying."""


def of_session(connection: apsw.Connection, key: str) -> Summary:
    """Sum up a conversation. Raises NotFound."""
    found = first(connection, "select id, title from sessions where key = ?", (key,))
    if found is None:
        raise NotFound(f"There is no conversation {key!r}; `erstwhile sessions` lists them.")
    values = (found[0],)
    turns = rows(connection, f"select said_at, said_offset from episodes where session_id = ? and {_SAID} "
                 "order by said_at, position", values)  # fmt: skip
    if not turns:
        raise NotFound(f"Nothing was said in the conversation {key!r} that can be summed up.")
    spans = _spans(connection, len(turns), "session_id = ?", values, "t.family = 'session' and t.scope = ?", values)
    sentences = _best(connection, spans, len(turns))
    return Summary("session", key, found[1] or key, Instant(*turns[0]), Instant(*turns[-1]), len(turns), sentences)


def of_entity(connection: apsw.Connection, key: str, name: str) -> Summary:
    """Sum up what is believed of somebody or something, in the words that taught it. Raises NotFound."""
    believed = (
        "from facts f join claims c on c.row = f.because join episodes e on e.row = c.episode_row "
        f"where f.subject = ? and f.believed_to is null and {_SAID}"
    )
    said = rows(connection, f"select distinct e.said_at, e.said_offset, e.row {believed} order by 1, 3", (key,))
    if not said:
        raise NotFound(f"Nothing that was said of {name!r} can be summed up.")
    if int(scalar(connection, f"select count(*) {believed}", (key,))) <= WEIGHED:
        found = each(connection, f"select distinct e.row, c.start, c.end {believed} order by 1, 2, 3", (key,))
        spans = [TurnSentence(row, start, end, 1.0) for row, start, end in found]
    else:
        spans = _of_nodes(connection, "t.family = 'entity' and t.scope = ?", (key,))
    sentences = _best(connection, spans, len(said))
    return Summary("entity", key, name, Instant(*said[0][:2]), Instant(*said[-1][:2]), len(said), sentences)


def of_stretch(connection: apsw.Connection, kind: Kind, start: Instant, end: Instant) -> Summary:
    """Sum up what was said in [start, end). Raises NotFound where nothing was."""
    within, bounds = "said_at >= ? and said_at < ?", (start.us, end.us)
    count = scalar(connection, f"select count(*) from episodes where {within} and {_SAID}", bounds)
    key = start.local().date().isoformat()
    if not count:
        raise NotFound(f"Nothing was said in the {kind} of {key}.")
    spans = _spans(connection, count, within, bounds, "t.family = 'scene' and n.at >= ? and n.until < ?", bounds)
    return Summary(kind, key, key, start, end, count, _best(connection, spans, count))


def calendar(kind: Kind, within: Stretch, zone: tzinfo) -> tuple[Instant, Instant]:
    """The day, week (from Monday) or month in which a stretch begins."""
    day = (within.first() or Instant(0)).local().astimezone(zone).date()
    following = day + timedelta(days=1)
    if kind == "week":
        day -= timedelta(days=day.weekday())
        following = day + timedelta(days=7)
    if kind == "month":
        day = day.replace(day=1)
        following = (day + timedelta(days=32)).replace(day=1)
    start, end = (Instant.of(datetime.combine(one, time(), zone)) for one in (day, following))
    return start, end


def _spans(
    connection: apsw.Connection, count: int, turns: str, of_turns: Sequence[int], nodes: str, of_nodes: Sequence[int]
) -> list[TurnSentence]:  # fmt: skip
    """The sentences to choose from: those of the turns, or, where they are too many to be weighed, what stands for the
    nodes of the trees over them, as near to the turns as can be weighed, with the turns that no sleep has placed."""
    said = f"select row from episodes where {turns} and {_SAID}"
    if count <= WEIGHED:
        return _gists(connection, column(connection, f"{said} order by row", of_turns))
    new = f"{said} and row in (select episode_row from forest_turns) order by row limit {WEIGHED}"
    spans = _gists(connection, column(connection, new, of_turns))
    return spans + _of_nodes(connection, nodes, of_nodes)


def _of_nodes(connection: apsw.Connection, nodes: str, values: Sequence[int | str]) -> list[TurnSentence]:
    """What stands for the nodes of a tree, as near to its leaves as can be weighed."""
    found: list[Row] = []
    for level in (1, 2, 3):
        found = rows(
            connection,
            "select n.spans from forest_nodes n join forest_trees t on t.id = n.tree "
            f"where n.level = ? and {nodes} order by n.at limit {WEIGHED + 1}", (level, *values),
        )  # fmt: skip
        if len(found) <= WEIGHED:
            break
    return [TurnSentence(*span) for (stored,) in found for span in json.loads(stored)]


def _best(connection: apsw.Connection, spans: Sequence[TurnSentence], count: int) -> tuple[Source, ...]:
    most = max(FEWEST, min(MOST, count // TURNS))
    return _sources(connection, choose(spans, vectors_of(connection, {span.row for span in spans}), most))


def _gists(connection: apsw.Connection, turns: Sequence[int]) -> list[TurnSentence]:
    """The best sentences of turns; of those that no sleep has placed, or whose claims changed since, found now."""
    found: list[TurnSentence] = []
    for row, stored, text, role in each(
        connection,
        "select e.row, case when w.episode_row is null then g.spans end, e.text, e.role from episodes e "
        "left join forest_gists g on g.episode_row = e.row left join forest_turns w on w.episode_row = e.row "
        f"where e.row in {LISTED} order by e.row", (json.dumps(list(turns)),),
    ):  # fmt: skip
        if stored is not None:
            found += [TurnSentence(row, *span) for span in json.loads(stored)]
        else:
            taught = [(start, end) for start, end in each(
                connection, "select start, end from claims where episode_row = ?", (row,)
            )]  # fmt: skip
            found += gist(row, text, role, taught)
    return found


def _sources(connection: apsw.Connection, spans: Sequence[TurnSentence]) -> tuple[Source, ...]:
    """The sentences with their turns, in the order of saying."""
    turns = {row[0]: row[1:] for row in each(
        connection,
        "select e.row, e.id, e.external_id, e.text, e.said_at, e.said_offset, e.speaker, s.key, e.position "
        f"from episodes e join sessions s on s.id = e.session_id where e.row in {LISTED}",
        (json.dumps(sorted({span.row for span in spans})),),
    )}  # fmt: skip
    ordered = sorted(spans, key=lambda one: (turns[one.row][3], turns[one.row][7], one.row, one.start))
    found = []
    for span in ordered:
        key, external, text, at, offset, speaker, session, _ = turns[span.row]
        quote = " ".join(text[span.start : span.end].split())
        found.append(Source(key, external, span.start, span.end, quote, Instant(at, offset), speaker, session))
    return tuple(found)


# -- the diary: walked backwards, so that what it costs grows with its entries


class Entry(NamedTuple):
    """A stretch of the calendar in which something was said that can be summed up."""

    grain: Grain
    start: Instant
    end: Instant
    """The first instant that is not in it."""
    turns: int


def entries(connection: apsw.Connection, grain: Grain, zone: tzinfo) -> Iterator[Entry]:
    """The entries of a diary, the latest first: one for each stretch in which somebody said something. Weeks begin on
    Monday, days at midnight in `zone`."""
    latest = f"select said_at, said_offset from episodes where {_SAID} and said_at < ? order by 1 desc limit 1"
    counted = f"select count(*) from episodes where {_SAID} and said_at >= ? and said_at < ?"
    before = 1 << 62
    while found := first(connection, latest, (before,)):
        start, end = calendar(grain, Stretch(found[0], found[0] + 1, offset=found[1]), zone)
        yield Entry(grain, start, end, int(scalar(connection, counted, (start.us, end.us))))
        before = start.us
