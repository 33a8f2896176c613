"""A conversation is read a window at a time: opening one of ten thousand turns costs what is seen of it.

The part of the one door that is about conversations; `Memory` inherits it. A title, a pin and how a model speaks are
the person's own remarks: they change nothing that was said and nothing that is believed.
"""

from __future__ import annotations

import json
from dataclasses import asdict

from store.database.rows import first, scalar
from store.episodes.append import episodes_where
from store.errors import NotFound
from store.parts.byhand import ByHand
from store.records import Cited, Episode, Instant, ModelOptions, Session
from store.text.cleaning import whole

_ROWS = (
    "where e.row in (select p.row from episodes p where p.session_id = (select id from sessions where key = ?) "
    "order by p.said_at, p.position, p.id limit ? offset ?)"
)
_BEFORE = (
    "select count(*) from episodes p join episodes e on e.id = ? and p.session_id = e.session_id "
    "and (p.said_at, p.position, p.id) < (e.said_at, e.position, e.id)"
)
_SESSION = (
    "select s.key, s.title, s.source, min(e.said_at), max(e.said_at), count(e.row), s.pinned, max(e.said_offset) "
    "from sessions s left join episodes e on e.session_id = s.id where s.key = ? group by s.id"
)


class Conversations(ByHand):
    """Windows on conversations, and what the person calls them."""

    def session(self, key: str) -> Session:
        """One conversation. Raises NotFound."""
        found = first(self._reader, _SESSION, (key,))
        if found is None:
            raise NotFound(f"There is no conversation {key!r}.")
        _key, title, source, begun, ended, turns, pinned, offset = found
        times = [None if us is None else Instant(us, offset) for us in (begun, ended)]
        return Session(key, title, source, times[0], times[1], turns, bool(pinned))

    def page(self, session: str, start: int, limit: int) -> list[Episode]:
        """`limit` turns of a conversation from place `start` on, in the order of saying; replies with their sources."""
        from store.episodes.cited import with_sources

        return with_sources(self._reader, episodes_where(self._reader, _ROWS, (session, limit, max(0, start))))

    def cited(self, reply: str) -> Cited:
        """What a reply rests on, and at which times it was asked for. Raises NotFound."""
        from store.episodes.cited import of_reply

        found = next(episodes_where(self._reader, "where e.id = ?", (reply,)), None)
        if found is None:
            raise NotFound(f"There is no turn {reply!r}.")
        return of_reply(self._reader, found)

    def place(self, episode: str) -> int:
        """How many turns of its conversation were said before this one."""
        return int(scalar(self._reader, _BEFORE, (episode,)))

    def rename(self, session: str, title: str) -> None:
        """Call a conversation otherwise. Raises NotFound."""
        self._remark(session, "title", whole(title).strip())

    def pin_session(self, session: str, *, off: bool = False) -> None:
        """Keep a conversation on top of the list, or no longer. Raises NotFound."""
        self._remark(session, "pinned", int(not off))

    def model_options(self, session: str) -> ModelOptions | None:
        """How a model speaks in a conversation; None where nothing was said about that, or there is none."""
        found = scalar(self._reader, "select options from sessions where key = ?", (session,))
        return ModelOptions(**json.loads(found)) if found else None

    def set_model_options(self, session: str, options: ModelOptions) -> None:
        """Have a model speak so in a conversation. Raises NotFound."""
        told = {key: value for key, value in asdict(options).items() if value is not None}
        self._remark(session, "options", json.dumps(told, ensure_ascii=False, sort_keys=True))

    def _remark(self, session: str, column: str, value: object) -> None:
        with self._database.writing() as connection:
            connection.execute(f"update sessions set {column} = ? where key = ?", (value, session))
            if not connection.changes():
                raise NotFound(f"There is no conversation {session!r}.")
