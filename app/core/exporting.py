"""What is exported has its name when it is whole and on the disk, is never written over another file, and is for its
owner alone.

A conversation as Markdown has only its own headings: no turn can begin one, or stand under another's name. Replies are
Markdown themselves and stay that; what is no text in them (headings, HTML, a fence that is left open) is made text.
Below the name of each turn, unseen where Markdown is shown, stands the id of the turn: by these an erase knows which
files still hold its words.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.conversation import Conversation, as_shown, taught
from store.errors import BadInput, NotFound
from store.records import Change, Episode
from widgets.plain import one_line, plain
from widgets.receipt import receipt
from widgets.wording import clock_time, count, day, day_words, long_day, quoted, spoken_by

if TYPE_CHECKING:
    from store.maintenance.lines import Json
    from store.memory import Memory

LONGEST_NAME = 60  # characters of the name of a file, without its ending


def file_name(title: str) -> str:
    """A name for the export of a conversation: "moving-to-lisbon.md"."""
    words = re.findall(r"\w+", plain(title).casefold())
    return f"{'-'.join(words)[:LONGEST_NAME].strip('-') or 'conversation'}.md"


def refuse(target: Path) -> None:
    """Raises BadInput where nothing can be written under this name, with what to do instead."""
    if target.exists():
        raise BadInput(f"{target} exists already; name another file.")
    if not target.parent.is_dir():
        raise BadInput(f"There is no folder {target.parent}; name a file in one that is there.")


def write_conversation(memory: Memory, key: str, target: Path, *, secrets: bool = False) -> ExportedChat:
    """Write one conversation as Markdown, with what it branched off from and what its turns taught; without `secrets`,
    turns that hold any are left out. Raises NotFound, BadInput, StoreError.
    """
    refuse(target)
    conversation = Conversation.of(memory, key)
    if not conversation.turns:
        raise NotFound(f"There is no conversation {key!r}; `erstwhile sessions --json` lists their keys.")
    turns = conversation.page(memory, 0, conversation.turns)
    kept = tuple(turn for turn in turns if secrets or not turn.secret)
    shown, noted = as_shown(memory, kept), taught(memory, kept)
    for (turn, reply), read in zip(pairwise(kept), shown[1:], strict=True):
        if read is not reply:
            noted.pop(turn.id, None)  # the reply says it, and what is unsure besides
    told = ExportedChat(conversation.title or key, shown, noted, len(turns) - len(kept))
    memory.file.exported(target)
    write_text(target, page(told))
    return told


def write_whole(target: Path, lines: Iterator[Json]) -> Counter[str]:
    """Write the lines of a complete export; gives how many there are of each kind. Raises StoreError."""
    counts: Counter[str] = Counter()

    def written() -> Iterator[str]:
        for line in lines:
            yield json.dumps(line, ensure_ascii=False) + "\n"
            counts[line.get("kind", "turn")] += 1

    write_text(target, written())
    return counts


def write_text(target: Path, pieces: Iterable[str]) -> None:
    """Write a file piece by piece. Raises StoreError."""
    from store.database.connections import told
    from store.maintenance import backups

    with told(target), backups.part(target) as unfinished:
        unfinished.unlink(missing_ok=True)  # of an export that was cut off
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(descriptor)
        backups.publish(unfinished, target)


_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"^( {0,3})(#|=+[ \t]*$|-+[ \t]*$)")
_CODE = re.compile(r"(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_MARKS = re.compile(r"([\\`*_\[\]<>#|~&])")


@dataclass(frozen=True, slots=True)
class ExportedChat:
    """A conversation, as it is exported."""

    title: str
    turns: Sequence[Episode]
    taught: Mapping[str, Sequence[Change]] = field(default_factory=dict)  # what a turn taught, by the id of the turn
    left_out: int = 0  # turns with secrets that are not among the turns


def page(told: ExportedChat) -> Iterator[str]:
    """The file, piece by piece."""
    left_out = f" {count(told.left_out, 'turn')} with secrets left out." if told.left_out else ""
    yield f"# {_escaped(told.title)}\n\n{count(len(told.turns), 'turn')}, written by Erstwhile.{left_out}\n"
    last_day = ""
    for turn in told.turns:
        if day(turn.said_at) != last_day:
            last_day = day(turn.said_at)
            yield f"\n## {long_day(turn.said_at)}\n"
        yield f"\n### {_escaped(spoken_by(turn))}, {clock_time(turn.said_at)}\n<!-- {turn.id} -->\n\n"
        yield _words(plain(turn.text), breaks=turn.role == "user") + "\n" * bool(turn.sources)
        for number, source in enumerate(turn.sources, 1):
            yield f"- [{number}] {day_words(source.said_at)} {_escaped(quoted(source))} <!-- {source.episode} -->\n"
        if turn.cut:
            yield "\n*stopped here*\n"
        if noted := receipt(told.taught.get(turn.id, ())):
            yield f"\n> {_escaped(noted)}\n"


def _words(text: str, *, breaks: bool) -> str:
    """The words of a turn; `breaks`: its lines are lines, as whoever types them means them."""
    written, fence = [], ""
    for line in text.strip("\n").split("\n"):
        found = _FENCE.match(line)
        if fence:
            written.append(line)
            closes = found is not None and found[1].startswith(fence) and not line.strip().strip(fence[0])
            fence = "" if closes else fence
        elif found is not None:
            written.append(line)
            fence = found[1]
        else:
            written.append(_line(line) + ("  " if breaks and line.strip() else ""))
    return "\n".join([*written, *([fence] if fence else [])]).rstrip(" ") + "\n"


def _line(line: str) -> str:
    """A line outside of code: no heading, and no HTML but between backticks."""
    line = _HEADING.sub(r"\1\\\2", line)
    parts, end = [], 0
    for code in _CODE.finditer(line):
        parts += [_TAG.sub(r"\\<", line[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, _TAG.sub(r"\\<", line[end:])])


def _escaped(text: str) -> str:
    return _MARKS.sub(r"\\\1", one_line(text))
