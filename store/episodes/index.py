"""The index of a turn depends on that turn alone: added early or late, alone or in bulk, the tables end up the same.

What surrounds a turn (the question that it answers, what was said next) matters to recall and is looked up then, from
the order of the session: no turn's row has to be rewritten when another arrives or is erased, and no words of an erased
turn linger in its neighbours' rows.

    episode_terms     FTS5, a row per episode: words (normalised, with the speaker's name), days (when it was said, and
                      times that it names), marks. Terms are separated by spaces: any SQLite can search it.
    episode_vocab     fts5vocab over it: in how many turns a term occurs
    episode_vectors   sqlite-vec, one int8 vector per episode, with the time and the flag that a scan has to respect
    index_meta        which embedder made the vectors, the version of this index, how often rows were removed from it,
                      and a random name, by which what was read from it can be told from what is in it now
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from store.database.rows import scalar, unmake
from store.episodes.marks import DATED, clauses_with_times, marks
from store.episodes.terms import day_terms, month_terms, terms
from store.errors import Damaged, StoreError
from store.records import Episode, Finding, Precision, Stretch

if TYPE_CHECKING:
    import apsw
    import numpy as np
    import numpy.typing as npt

    from store.database.rows import Row
    from store.protocols import Embedder

VERSION = "2"
"""Raise it when the terms, the marks or the tables change: `check` then asks for a rebuild."""
SHARED_WORK = 50
"""Turns from which on a second thread is worth its start."""
READ_FOR_TIMES = 4_000
"""Characters of a turn in which times are looked for."""
CLIP = 0.4
"""The largest component of a stored vector. Measured on the embedder that ships: a stretch to the largest component of
each vector keeps 93 % of the nearest 30, this keeps 97 %, and finds no worse."""

_TABLES = """
create virtual table episode_terms using fts5(
    words, days, marks, tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co'"
);
insert into episode_terms(episode_terms, rank) values ('secure-delete', 1);
insert into episode_terms(episode_terms, rank) values ('rank', 'bm25(1.0, 0.3, 0.0)');
create virtual table episode_vocab using fts5vocab(episode_terms, 'col');
create table index_meta (key text primary key, value text not null) strict;
create index if not exists episodes_by_speaker on episodes(speaker, said_at);
"""
_ADD_TERMS = "insert into episode_terms(rowid, words, days, marks) values (?, ?, ?, ?)"
_ADD_VECTOR = "insert into episode_vectors(row, vector, said_at, hidden) values (?, vec_int8(?), ?, ?)"
_SET_META = "insert into index_meta values (?, ?) on conflict do update set value = excluded.value"
_WITHOUT = "select count(*) from episodes where row not in (select {column} from {table})"
_EXTRA = "select count(*) from {table} where {column} not in (select row from episodes)"


def create(connection: apsw.Connection) -> None:
    """Make the tables that are not there, empty. That for vectors follows with the first turn."""
    if scalar(connection, "select exists (select 1 from sqlite_schema where name = 'index_meta')"):
        return
    connection.execute(_TABLES)
    connection.execute(_SET_META, ("version", VERSION))
    connection.execute(_SET_META, ("removals", "0"))
    connection.execute("insert into index_meta values ('made', lower(hex(randomblob(8))))")


def drop(connection: apsw.Connection) -> None:
    """Remove every table of the index; episodes are not touched."""
    unmake(connection, _TABLES)
    connection.execute("drop table if exists episode_vectors; drop table if exists next_vectors")


def add(connection: apsw.Connection, episodes: Sequence[Episode], embedder: Embedder) -> None:
    """Index episodes, inside the caller's transaction. Raises StoreError if the vectors are another embedder's."""
    if not episodes:
        return
    in_use: Callable[[apsw.Connection], Embedder] | None = getattr(embedder, "in_use", None)
    embedder = in_use(connection) if in_use is not None else embedder  # another may have been chosen since
    _require(connection, embedder)
    if len(episodes) < SHARED_WORK:
        connection.executemany(_ADD_TERMS, map(_terms_row, episodes))
        connection.executemany(_ADD_VECTOR, _vector_rows(episodes, embedder))
        return
    # The tokenizer and numpy let go of the interpreter's lock: in bulk, vectors and terms are made side by side.
    with ThreadPoolExecutor(1) as beside:
        vectors = beside.submit(_vector_rows, episodes, embedder)
        connection.executemany(_ADD_TERMS, map(_terms_row, episodes))
        connection.executemany(_ADD_VECTOR, vectors.result())


def remove(connection: apsw.Connection, rows: Sequence[int]) -> None:
    """Forget episodes, by row. With `secure_delete` on, none of their bytes stay in these tables."""
    bindings = [(row,) for row in rows]
    connection.executemany("delete from episode_terms where rowid = ?", bindings)
    if meta(connection, "embedder") is not None:
        connection.executemany("delete from episode_vectors where row = ?", bindings)
    if meta(connection, "next embedder") is not None:
        connection.executemany("delete from next_vectors where row = ?", bindings)
    connection.execute("update index_meta set value = value + 1 where key = 'removals'")


def begin_vectors(connection: apsw.Connection, embedder: Embedder) -> None:
    """Put an empty table for this embedder's vectors in the place of all there are, in the caller's transaction."""
    connection.execute("drop table if exists episode_vectors")
    connection.execute("delete from index_meta where key in ('embedder', 'embedder path')")
    connection.execute("update index_meta set value = value + 1 where key = 'removals'")
    _require(connection, embedder)


def check(connection: apsw.Connection) -> list[Finding]:
    """Compare the index with the episodes."""
    old = "" if meta(connection, "version") == VERSION else "it was made by another version: rebuild"
    full_text = _differences(connection, "terms", "episode_terms_docsize", "id")
    if meta(connection, "embedder") is not None:
        vectors = _differences(connection, "vectors", "episode_vectors_rowids", "rowid")
    else:
        count = scalar(connection, "select count(*) from episodes")
        vectors = f"{count} episodes have no vectors" if count else ""
    found = {"index version": old, "full text, rows": full_text, "vectors, rows": vectors}
    return [Finding(name, not trouble, trouble) for name, trouble in found.items()]


def _differences(connection: apsw.Connection, noun: str, table: str, column: str) -> str:
    """What a table of the index has too little and too much."""
    missing, extra = (scalar(connection, sql.format(table=table, column=column)) for sql in (_WITHOUT, _EXTRA))
    found = [f"{missing} episodes have no {noun}"] if missing else []
    return "; ".join(found + ([f"{extra} {noun} belong to no episode"] if extra else []))


def inside(connection: apsw.Connection) -> Finding:
    """Compare the full text with itself; with a connection that may write: FTS5 asks for that."""
    import apsw

    trouble = ""
    try:
        connection.execute("insert into episode_terms(episode_terms, rank) values ('integrity-check', 1)")
    except apsw.CorruptError as error:
        trouble = str(error)
    except apsw.ReadOnlyError:  # then SQLite's check of the whole file is all that can look into it
        pass
    return Finding("full text, inside", not trouble, trouble)


def meta(connection: apsw.Connection, key: str) -> str | None:
    """What the index notes about itself: version, embedder, removals."""
    value: str | None = scalar(connection, "select value from index_meta where key = ?", (key,))
    return value


def note(connection: apsw.Connection, key: str, value: str) -> None:
    """Let the index note something about itself."""
    connection.execute(_SET_META, (key, value))


def dimension(connection: apsw.Connection) -> int:
    """How long the stored vectors are; 0 where there are none."""
    return int(scalar(connection, "select length(vectors) / 1024 from episode_vectors_vector_chunks00 limit 1") or 0)


def _require(connection: apsw.Connection, embedder: Embedder) -> None:
    """Make sure that the stored vectors are this embedder's; the first use makes their table."""
    stored = meta(connection, "embedder")
    if stored == embedder.fingerprint:
        return
    if stored is not None:
        raise StoreError(
            "The vectors in this memory are another embedder's; run `erstwhile rebuild` to make them anew."
        )
    if meta(connection, "version") is None:
        raise Damaged("This memory has no index; run `erstwhile rebuild`.")
    connection.execute(
        "create virtual table episode_vectors using vec0(row integer primary key, "
        f"vector int8[{int(embedder.dimension)}] distance_metric=cosine, said_at integer, hidden integer)"
    )
    connection.execute(_SET_META, ("embedder", embedder.fingerprint))
    if (path := getattr(embedder, "path", None)) is not None:
        connection.execute(_SET_META, ("embedder path", str(path)))


def _terms_row(episode: Episode) -> tuple[int, str, str, str]:
    signs = marks(episode.text)
    words = terms(episode.speaker) + terms(episode.text)
    return episode.row, " ".join(words), " ".join(_days(episode, DATED in signs)), " ".join(signs)


def _days(episode: Episode, dated: bool) -> list[str]:
    """The day on which it was said, and the times that it names, each term once."""
    said = episode.said_at.local()
    found = day_terms(said.date())
    for clause in clauses_with_times(episode.text[:READ_FOR_TIMES]) if dated else ():
        from store.time.expressions import read_times  # takes long, and most turns name no time

        try:
            named = read_times(clause, said)
        except Exception:  # noqa: BLE001 # what somebody said is kept, even if a fault in the grammar cannot date it
            continue
        for one in named:
            if one.stretch is not None and one.kind in ("point", "range"):
                found += _stretch_terms(one.stretch)
    return list(dict.fromkeys(found))


def _stretch_terms(stretch: Stretch) -> list[str]:
    """The terms of a named time, no finer than it was said."""
    first = stretch.first()
    if first is None:
        return []
    day = first.local().date()
    if stretch.precision in (Precision.EXACT, Precision.DAY, Precision.WEEK):
        return day_terms(day)
    return month_terms(day) if stretch.precision is Precision.MONTH else [str(day.year)]


def _vector_rows(episodes: Sequence[Episode], embedder: Embedder) -> list[Row]:
    packed = quantised(embedder.embed([episode.text for episode in episodes]))
    return [
        (episode.row, vector.tobytes(), episode.said_at.us, int(episode.secret or episode.inactive))
        for episode, vector in zip(episodes, packed, strict=True)
    ]


def quantised(vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.int8]:
    """Components of unit vectors in steps of CLIP / 127; the few larger ones are cut, so that the many keep detail."""
    import numpy as np

    packed: npt.NDArray[np.int8] = np.rint(np.clip(vectors, -CLIP, CLIP) * (127.0 / CLIP)).astype(np.int8)
    return packed
