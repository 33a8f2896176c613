"""A text file that is attached lies in the memory as a conversation of its own, to which a turn in the chat leads.

It is searched, quoted, and given to a model in that chat. It teaches nothing about the person, unless they say that the
words are their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from app.paths import expanded
from store.errors import BadInput
from store.records import DOCUMENT, Cited, Episode, Source, Turn
from widgets.plain import plain
from widgets.wording import count

if TYPE_CHECKING:
    from store.memory import Memory

ATTACHED = "attached"  # the source of the turn that leads to a document
FIRST_WORDS = 80  # characters of a document that stand below that turn


@dataclass(frozen=True, slots=True)
class Attachment:
    """A text file that the person names."""

    path: str
    own: bool = False  # they wrote it about themselves: it is read as if they said it


def attach(memory: Memory, wanted: Attachment, chat: str, title: str, zone: tzinfo) -> Episode:
    """Take a file into the memory, and write into the chat (its key) that it was attached; gives that turn. A file that
    is there already is only named again. Raises BadInput where it is not a text."""
    from store.formats.catalogue import read, sources
    from store.formats.report import Options, Report

    path = expanded(wanted.path)
    if path.is_dir():
        raise BadInput(f"{path} is a folder; name a text file. f8 imports a folder of notes.")
    (source,) = sources(path, "own-words" if wanted.own else "document", Report(), memory.path)
    try:
        parts = list(read(source, Options(zone), Report()))
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}.") from error
    for _ in memory.episodes.ingest(parts, len(parts)):
        pass
    words = sum(len(part.text.split()) for part in parts)
    name = plain(Path(path).name)
    turn = Turn(f"{name}, {count(words, 'word')}", chat, name, "tool", source=ATTACHED, title=title or name)
    (first,) = memory.episodes.page(parts[0].session, 0, 1)
    quote = first.text[:FIRST_WORDS]
    where = (first.id, first.external_id, 0, len(quote), quote, first.said_at, first.speaker, first.session)
    cited = (Source(*where),)
    return replace(memory.episodes.remember(turn, Cited(cited)), sources=cited)


def documents_of(turns: Iterable[Episode]) -> tuple[str, ...]:
    """The keys of the documents that some turns lead to."""
    led = (source.session for turn in turns if turn.source == ATTACHED for source in turn.sources)
    return tuple(dict.fromkeys(key for key in led if key.startswith(DOCUMENT)))


def shown_with(turn: Episode) -> str:
    """What the chat says once it is done."""
    return f"{turn.speaker} is attached: " + ("ask about it." if documents_of([turn]) else "the next sleep reads it.")
