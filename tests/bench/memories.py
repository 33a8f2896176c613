"""A benchmark's memory holds what its file holds, turn for turn, in a real memory file made by the store's own code."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import apsw

from store.database.connections import Database
from store.episodes import index
from store.memory import Memory
from store.protocols import Embedder
from store.records import Episode, Instant

BATCH = 500
_SESSION = "insert into sessions(id, key, source) values (?, ?, 'bench')"
_EPISODE = (
    "insert into episodes(row, id, session_id, position, external_id, speaker, role, text, said_at, said_offset,"
    " recorded_at, recorded_offset, source) values (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, 0, 'bench')"
)


def json_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def instant(text: str) -> Instant:
    """An ISO 8601 time; one without a zone is taken as UTC."""
    moment = datetime.fromisoformat(text)
    return Instant.of(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def episodes_of(lines: Iterable[dict[str, Any]]) -> Iterator[Episode]:
    """Import lines as episodes, numbered from 1, each at its place in its session."""
    places: dict[str, int] = {}
    for row, line in enumerate(lines, start=1):
        session = str(line["session"])
        places[session] = places.get(session, -1) + 1
        said = instant(line["said_at"])
        yield Episode(
            id=f"{session}/{line.get('id', row)}",
            row=row,
            external_id=line.get("id"),
            session=session,
            position=places[session],
            speaker=line.get("speaker", "me"),
            role=line.get("role", "user"),
            text=line["text"],
            said_at=said,
            recorded_at=said,
            source="bench",
        )


def build(path: Path, episodes: Iterable[Episode], embedder: Embedder) -> Database:
    """Write episodes and their index into a new file at `path`."""
    for leftover in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
        leftover.unlink(missing_ok=True)
    database = Database(path)
    sessions: dict[str, int] = {}
    with database.writing() as connection:
        index.drop(connection)
        index.create(connection)
    source = iter(episodes)
    while batch := list(islice(source, BATCH)):
        write(database, batch, sessions, embedder)
    return database


@dataclass(frozen=True)
class Stopped:
    """A clock that always says the same."""

    at: Instant

    def now(self) -> Instant:
        return self.at


def slept(database: Database, embedder: Embedder, now: Instant) -> None:
    """Let the memory read its turns and fold what they say, as `erstwhile sleep --no-model` does."""
    with Memory.open(database.path, clock=Stopped(now), zone=UTC, embedder=embedder) as memory:
        for _ in memory.sleeping.run():
            pass


def write(database: Database, batch: Sequence[Episode], sessions: dict[str, int], embedder: Embedder) -> None:
    """One transaction: sessions, episodes, index."""
    with database.writing() as connection:
        append(connection, batch, sessions)
        index.add(connection, batch, embedder)


def append(connection: apsw.Connection, batch: Sequence[Episode], sessions: dict[str, int]) -> None:
    """Sessions and episodes, in the caller's transaction."""
    for episode in batch:
        if episode.session not in sessions:
            sessions[episode.session] = len(sessions) + 1
            connection.execute(_SESSION, (sessions[episode.session], episode.session))
    connection.executemany(_EPISODE, [_row(episode, sessions[episode.session]) for episode in batch])


def _row(episode: Episode, session_id: int) -> tuple[object, ...]:
    said = episode.said_at.us
    return (
        episode.row, episode.id, session_id, episode.position, episode.external_id, episode.speaker, episode.role,
        episode.text, said, said,
    )  # fmt: skip
