"""A turn is appended once, word for word, and never changed: its id comes from its session, source id and words.

Appending the same turn again finds the id there and adds nothing; a turn that was erased stays away, because its id is
kept as a tombstone (a hash, from which nobody can read the words).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b

import apsw

from store.database.rows import Row, each, scalar
from store.episodes.secrets import secret_spans
from store.records import Episode, Instant, Turn

COLUMNS = """
e.id, e.row, e.external_id, s.key, e.position, e.speaker, e.role, e.text, e.said_at, e.said_offset, e.recorded_at,
e.recorded_offset, e.source, e.cut, e.inactive, e.secret
"""
FROM = "from episodes e join sessions s on s.id = e.session_id"
IN_ORDER = "order by e.session_id, e.said_at, e.position, e.id"

SAID = (
    "position, external_id, speaker, role, text, said_at, said_offset, recorded_at, recorded_offset, source, cut, "
    "inactive, secret, original"
)
"""The columns of a turn, but for its id and that of its session."""
INSERT = f"insert into episodes (id, session_id, {SAID}) values ({', '.join('?' * 16)})"


class Appender:
    """Appends turns in the caller's transactions; remembers, over one import, how often the same words came."""

    def __init__(self, *, live: bool = False) -> None:
        self._live = live
        self._came: Counter[str] = Counter()
        self._places: Counter[str] = Counter()

    def append(self, connection: apsw.Connection, turns: Iterable[Turn], now: Instant) -> list[Episode]:
        """Add the turns that are new, in order; gives their episodes."""
        added: list[Episode] = []
        for turn in turns:
            now = last_word(connection, now, turn.session) if self._live and turn.said_at is None else now
            said = turn.said_at or now
            key = self._key(connection, turn, said)
            place = self._place(connection, turn)
            if _is_known(connection, key):
                continue
            session = session_id(connection, turn.session, turn.title or "", turn.source)
            secret = bool(secret_spans(turn.text))
            connection.execute(
                INSERT,
                (key, session, place, turn.external_id, turn.speaker, turn.role, turn.text, *said, *now, turn.source,
                 int(turn.cut), int(turn.inactive), int(secret), turn.original),
            )  # fmt: skip
            row = connection.last_insert_rowid()
            added.append(
                Episode(key, row, turn.external_id, turn.session, place, turn.speaker, turn.role, turn.text, said, now,
                        turn.source, turn.cut, turn.inactive, secret)
            )  # fmt: skip
        return added

    def _key(self, connection: apsw.Connection, turn: Turn, said: Instant) -> str:
        if turn.external_id is not None:
            return _hash("x", turn.session, turn.external_id, turn.text)
        same = _hash("c", turn.session, turn.role, turn.speaker, str(said.us), turn.text)
        count = self._came[same]
        if self._live:
            while _is_known(connection, _hash(same, str(count))):
                count += 1
        self._came[same] = count + 1
        return _hash(same, str(count))

    def _place(self, connection: apsw.Connection, turn: Turn) -> int:
        if turn.place is not None:
            return turn.place
        if self._live:
            following = f"select coalesce(max(e.position) + 1, 0) {FROM} where s.key = ?"
            return int(scalar(connection, following, (turn.session,)))
        place = self._places[turn.session]
        self._places[turn.session] += 1
        return place


def last_word(connection: apsw.Connection, now: Instant, session: str | None = None) -> Instant:
    """Now; or, if the clock was set back since something was said (in this session), right after what was said last. So
    a conversation stays in the order in which it was said, and what is put right by hand comes after what was wrong."""
    where, values = ("s.key = ? and ", (session,)) if session is not None else ("", ())
    ahead = f"{FROM} where {where}e.said_at > ?"
    recorded = scalar(connection, f"select max(e.recorded_at) {ahead}", (*values, now.us))
    if recorded is None or recorded <= now.us:  # else some clock has shown a later time
        return now
    return Instant(int(scalar(connection, f"select max(e.said_at) {ahead}", (*values, now.us))) + 1, now.offset)


def _hash(*parts: str) -> str:
    return "e" + blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=9).hexdigest()


def _is_known(connection: apsw.Connection, key: str) -> bool:
    known = "select exists (select 1 from episodes where id = ?1) or exists (select 1 from tombstones where hash = ?1)"
    return bool(scalar(connection, known, (key,)))


def session_id(connection: apsw.Connection, key: str, title: str, source: str) -> int:
    """The number of a conversation; one that is not there yet is made."""
    found = scalar(connection, "select id from sessions where key = ?", (key,))
    if found is not None:
        return int(found)
    connection.execute("insert into sessions (key, title, source) values (?, ?, ?)", (key, title, source))
    return connection.last_insert_rowid()


def episode_of(row: Row) -> Episode:
    """The episode in a row of COLUMNS."""
    (
        key, number, external, session, position, speaker, role, text, said_at, said_offset, recorded_at,
        recorded_offset, source, cut, inactive, secret,
    ) = row  # fmt: skip
    return Episode(
        key, number, external, session, position, speaker, role, text, Instant(said_at, said_offset),
        Instant(recorded_at, recorded_offset), source, bool(cut), bool(inactive), bool(secret),
    )  # fmt: skip


def episodes_where(connection: apsw.Connection, where: str, values: Sequence[object] = ()) -> Iterator[Episode]:
    """The episodes that `where` (over e and s) lets through, session by session in the order of saying."""
    for row in each(connection, f"select {COLUMNS} {FROM} {where} {IN_ORDER}", values):
        yield episode_of(row)
