"""A title, a pin and how a model speaks are the person's remarks on a conversation: they change nothing that was said.

Nor do they change anything that is believed.
"""

from __future__ import annotations

import json
from dataclasses import asdict

from store.database.connections import Database
from store.database.rows import Row, first, rows, scalar
from store.errors import NotFound
from store.records import Instant, ModelOptions, Session
from store.text.cleaning import whole

_OPENING = (
    "case when s.title <> '' then '' else coalesce((select substr(o.text, 1, 400) from episodes o "
    "where o.session_id = s.id and o.role = 'user' and not o.secret and not o.inactive "
    "order by o.said_at, o.position, o.id limit 1), '') end"
)
_COLUMNS = (
    "select s.key, s.title, s.source, min(e.said_at), max(e.said_at), count(e.row), s.pinned, "
    f"max(e.said_offset), {_OPENING} from sessions s"
)
_ALL = f"{_COLUMNS} join episodes e on e.session_id = s.id group by s.id order by max(e.said_at) desc, s.key"
_ONE = f"{_COLUMNS} left join episodes e on e.session_id = s.id where s.key = ? group by s.id"


class Sessions:
    """The conversations, and what the person calls them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[Session]:
        """Every conversation, the latest first."""
        return [_session(row) for row in rows(self._database.reader(), _ALL)]

    def get(self, key: str) -> Session:
        """One conversation. Raises NotFound."""
        found = first(self._database.reader(), _ONE, (key,))
        if found is None:
            raise NotFound(f"There is no conversation {key!r}.")
        return _session(found)

    def rename(self, session: str, title: str) -> None:
        """Call a conversation otherwise. Raises NotFound."""
        self._remark(session, "title", whole(title).strip())

    def pin(self, session: str, *, off: bool = False) -> None:
        """Keep a conversation on top of the list, or no longer. Raises NotFound."""
        self._remark(session, "pinned", int(not off))

    def model_options(self, session: str) -> ModelOptions | None:
        """How a model speaks in a conversation; None where nothing was said about that, or there is none."""
        found = scalar(self._database.reader(), "select options from sessions where key = ?", (session,))
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


def _session(row: Row) -> Session:
    key, title, source, begun, ended, turns, pinned, offset, opening = row
    times = [None if us is None else Instant(us, offset) for us in (begun, ended)]
    return Session(key, title, source, times[0], times[1], turns, bool(pinned), opening)
