"""Every sentence of a summary is one that somebody said, and leads to its turn; unread turns are in it, too.

A conversation, a day, a week or a month is summed up by the best sentences of its turns, somebody or something by the
words that taught what is believed of them. Where there is more than can be weighed at once, the best of each piece of
it are weighed. Nothing is stored: what is asked for is made, from what sleep has found in the turns, and now from those
that wait for it; where these are many, from some of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo
from typing import TYPE_CHECKING, Literal, NamedTuple

from store.database.rows import LISTED, each, first, rows, scalar
from store.episodes.index import meta
from store.errors import NotFound
from store.records import Instant, Source, Stretch
from store.sleep import gists
from store.sleep.extractive import TurnSentence, choose

if TYPE_CHECKING:
    import apsw
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

Kind = Literal["session", "entity", "day", "week", "month"]
Grain = Literal["day", "week", "month"]

WEIGHED = 1_200
"""Sentences that are weighed one against another."""
PIECE, STAND_FOR = 24, 5
"""Where there are more: so many of each piece of so many are weighed on."""
SOUGHT = 600
"""Turns that wait for a sleep and are looked at now: of more, some from all of the time."""
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
    sentences = _best(connection, _gists(connection, "session_id = ?", values), len(turns))
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
    found = each(connection, f"select distinct e.row, c.start, c.end {believed} order by 1, 2, 3", (key,))
    sentences = _best(connection, [TurnSentence(row, start, end, 1.0) for row, start, end in found], len(said))
    return Summary("entity", key, name, Instant(*said[0][:2]), Instant(*said[-1][:2]), len(said), sentences)


def of_stretch(connection: apsw.Connection, kind: Kind, start: Instant, end: Instant) -> Summary:
    """Sum up what was said in [start, end). Raises NotFound where nothing was."""
    within, bounds = "said_at >= ? and said_at < ?", (start.us, end.us)
    count = scalar(connection, f"select count(*) from episodes where {within} and {_SAID}", bounds)
    key = start.local().date().isoformat()
    if not count:
        raise NotFound(f"Nothing was said in the {kind} of {key}.")
    return Summary(kind, key, key, start, end, count, _best(connection, _gists(connection, within, bounds), count))


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


def _best(connection: apsw.Connection, spans: Sequence[TurnSentence], count: int) -> tuple[Source, ...]:
    vectors = _vectors(connection, {span.row for span in spans})
    while len(spans) > WEIGHED:
        pieces = (spans[start : start + PIECE] for start in range(0, len(spans), PIECE))
        spans = [span for piece in pieces for span in choose(piece, vectors, STAND_FOR)]
    return _sources(connection, choose(spans, vectors, max(FEWEST, min(MOST, count // TURNS))))


def _vectors(connection: apsw.Connection, turns: set[int]) -> dict[int, Floats]:
    """The vectors of turns, of length 1, by row; none where the memory has none."""
    import numpy as np

    if not turns or meta(connection, "embedder") is None:
        return {}
    found: dict[int, Floats] = {}
    stored = f"select row, vector from episode_vectors where row in {LISTED}"
    for row, vector in each(connection, stored, (json.dumps(sorted(turns)),)):
        floats = np.frombuffer(vector, np.int8).astype(np.float32)
        found[row] = floats / max(float(np.linalg.norm(floats)), 1e-9)
    return found


def _gists(connection: apsw.Connection, which: str, values: Sequence[int]) -> list[TurnSentence]:
    """The best sentences of turns, in the order of saying; then of those that wait for a sleep, found now."""
    found: list[TurnSentence] = []
    waiting: list[int] = []
    for row, stored in each(
        connection,
        "select e.row, g.spans from episodes e left join gists g "
        "on g.episode_row = e.row and e.row not in (select episode_row from gist_waits) "
        f"where {which} and {_SAID} order by e.said_at, e.row", values,
    ):  # fmt: skip
        if stored is None:
            waiting.append(row)
        else:
            found += [TurnSentence(row, *span) for span in json.loads(stored)]
    step = max(1, -(-len(waiting) // SOUGHT))
    new = gists.sentences(connection, waiting[::step])
    return found + [span for row in waiting[::step] for span in new.get(row, ())]


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
