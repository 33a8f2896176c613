"""Words that were erased leave no trace: what still holds them is found by the words themselves, down to the bytes.

A word is *lost* when it stood in what was erased and stands in no turn that is left. Titles, log entries, settings and
pins that hold a lost word are derived from what was erased, and go.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw

from store.database.connections import BUSY_MS, Database, told
from store.database.opening import connect, is_encrypted
from store.database.rows import LISTED, each, rows, scalar
from store.episodes import person
from store.episodes.terms import terms
from store.maintenance import copies

_WORD = re.compile(r"\w+")
_SHORTEST = 5
"""Bytes of a word that is looked for in the file; shorter ones occur in anything."""
_PART = 16_000_000
"""Bytes that are read at once."""
_SCANNED = 4_000_000_000
"""Bytes that may be looked at in all: in a large file fewer words are looked for."""


def said(connection: apsw.Connection, listed: str) -> set[str]:
    """The words of episodes (a JSON list of rows), of their speakers, and of their sessions' titles."""
    texts = (
        "select e.text, e.speaker, coalesce(e.original, ''), s.title from episodes e "
        f"join sessions s on s.id = e.session_id where e.row in {LISTED}"
    )
    return {word for row in each(connection, texts, (listed,)) for text in row for word in _WORD.findall(text)}


def lost(connection: apsw.Connection, words: set[str]) -> set[str]:
    """Those of the words that no turn which is left holds, in any form."""
    forms_of = {word: terms(word) for word in words}
    there = "select 1 from episode_vocab where term = ? limit 1"
    forms = {form for forms in forms_of.values() for form in forms}
    kept = {form for form in forms if scalar(connection, there, (form,))}
    return {word for word, forms in forms_of.items() if not kept.issuperset(forms)}


def forget(connection: apsw.Connection, words: set[str]) -> None:
    """Take lost words out of titles, system prompts and settings."""
    folded = {word.casefold() for word in words}
    for session, title in rows(connection, "select id, title from sessions where title <> ''"):
        if _holds(title, folded):
            connection.execute("update sessions set title = '' where id = ?", (session,))
    for session, options in rows(connection, "select id, options from sessions where options <> ''"):
        told = json.loads(options)
        if _holds(told.pop("system", ""), folded):
            left = json.dumps(told, ensure_ascii=False, sort_keys=True)
            connection.execute("update sessions set options = ? where id = ?", (left, session))
    for key, value in rows(connection, "select key, value from settings"):
        if key == copies.KEY or not _holds(value, folded):  # the names of folders were not said
            continue
        connection.execute("delete from settings where key = ?", (key,))
        if key == "person":
            person.name(connection, [name for name in json.loads(value) if not _holds(name, folded)])


def forget_openings(connection: apsw.Connection, listed: str) -> None:
    """Take away the titles that are the first words of these episodes (a JSON list of rows), about to be erased: such a
    title quotes a turn, whether or not its words stand elsewhere."""
    told = (
        "select distinct s.id, s.title, e.text from episodes e join sessions s on s.id = e.session_id "
        f"where s.title <> '' and e.role = 'user' and e.row in {LISTED}"
    )
    for session, title, text in rows(connection, told, (listed,)):
        if " ".join(text.split()).startswith(title.rstrip("…")):
            connection.execute("update sessions set title = '' where id = ?", (session,))


def _holds(text: str, folded: set[str]) -> bool:
    return any(word.casefold() in folded for word in _WORD.findall(text))


_GONE = (
    "json_extract(detail, '$.episode') is not null and json_extract(detail, '$.episode') not in "
    "(select id from episodes)",
    "json_extract(detail, '$.slot') is not null and json_extract(detail, '$.slot') not in (select slot from facts)",
    # What a brief told is told anew, of what is left.
    "phase = 'brief'",
    # What took back something that is gone goes after it.
    "kind = 'undo' and json_extract(detail, '$.operation') not in (select id from operations)",
)


def forget_log(connection: apsw.Connection, words: set[str]) -> None:
    """Take out pins, accesses and log entries of turns and slots that are gone (a slot is named by its words); where an
    entry that stays holds a lost word, what it was about goes. To be called when everything is folded."""
    for table in ("pins", "accesses"):
        connection.execute(f"delete from {table} where slot is not null and slot not in (select slot from facts)")
    for which in _GONE:
        connection.execute(f"delete from operations where {which}")
    folded = {word.casefold() for word in words}
    told = "select id, detail from operations where detail <> '{}'"
    for operation, detail in rows(connection, told):
        if any(_holds(text, folded) for text in _texts(json.loads(detail))):
            connection.execute("""update operations set detail = '{"erased": true}' where id = ?""", (operation,))


def _texts(value: object) -> Iterator[str]:
    """The texts in a JSON value, but for the keys of its objects: these are the program's, and nobody's words."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)


def scour(database: Database, words: set[str]) -> bool:
    """Look for lost words in the bytes of the file; where one is found, write the whole file anew. SQLite overwrites
    what it deletes: that it did is looked at, and not taken for granted. True if the file was rewritten; a word that
    only stands inside of another costs one such rewriting, and so does each erase in an encrypted file, whose bytes
    tell nothing. Raises Busy, StoreError."""
    if not (is_encrypted(database.path) or found_in(database.path, words)):
        return False
    with told(database.path), closing(connect(database.path)) as connection:
        connection.set_busy_timeout(BUSY_MS)
        connection.execute("pragma secure_delete = on")
        connection.execute("vacuum")
    database.truncate_wal()
    return True


def found_in(path: Path, words: set[str]) -> bool:
    """Whether the bytes of a file hold one of the words, as written or folded. They are read through SQLite: to open
    and close the file in another way would drop this process's locks on it."""
    forms = {form.encode() for word in words for form in (word, word.casefold(), *terms(word))}
    needles = sorted((one for one in forms if len(one) >= _SHORTEST), key=lambda one: (-len(one), one))
    if not needles:
        return False
    file = apsw.VFSFile("", str(path), [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0])
    try:
        size, overlap = file.xFileSize(), len(needles[0])
        wanted = needles[: max(8, _SCANNED // max(1, size))]
        parts = (file.xRead(min(_PART + overlap, size - start), start) for start in range(0, size, _PART))
        return any(needle in part for part in parts for needle in wanted)
    finally:
        file.xClose()
