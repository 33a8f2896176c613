"""What a file is shows in its content, not in its name; a format that was named is taken at its word.

A reader is a generator of turns that fills a Report. `detect` looks at the first values of a file, the first names in
an archive, or the tables of a database.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from store.errors import BadInput
from store.formats import archive, stream, whatsapp
from store.formats.jsonl import COMPLETE, is_complete
from store.formats.report import Options, Report, mapped
from store.records import Turn

FORMATS: dict[str, tuple[str, str]] = {
    "jsonl": ("jsonl", "read"),
    "chatgpt": ("chatgpt", "read"),
    "claude": ("claude", "read"),
    "llm": ("llm_logs", "read"),
    "openwebui": ("openwebui", "read"),
    "markdown": ("markdown", "read"),
    "whatsapp": ("whatsapp", "read"),
    "claude-code": ("agents", "read_claude_code"),
    "codex": ("agents", "read_codex"),
    "document": ("document", "read"),
    "own-words": ("document", "read_own"),
    "locomo": ("benchmarks", "read_locomo"),
    "longmemeval": ("benchmarks", "read_longmemeval"),
}
"""Name: (module here, its reader)."""
WHOLE = frozenset({"chatgpt", "claude", "markdown"})
"""Formats of which a folder is one source."""
SAMPLE = 20
_OF_A_TURN = frozenset({"role", "speaker", "session", "said_at", "timestamp", "ts", "created_at", "name"})
Source = tuple[Path, str]
_CODEX = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_CLAUDE_CODE = frozenset({"file-history-snapshot", "queue-operation", "last-prompt", "permission-mode"})


def sources(path: Path, kind: str | None, report: Report, memory: Path) -> list[Source]:
    """What there is to read at a path: (file or folder, format). `kind` None finds the format out.

    A complete export is of the format COMPLETE; it is more than turns, and not for `read`.

    `memory` is the file that is imported into: it is recognised by its inode and not touched, because closing any
    handle on it would drop the locks that this process holds. Raises BadInput if there is nothing that is known.
    """
    if not path.exists():
        raise BadInput(f"{path} is not a file or folder; name what to import.")
    if _is_same(path, memory):
        raise BadInput(f"{path} is the memory itself; name what to import into it.")
    if not path.is_dir():
        return [(path, _kind(path, kind))]
    whole = kind or _of_folder(path)
    if whole in WHOLE:
        return [(path, whole)]
    found: list[Source] = []
    for one in sorted(path.rglob("*")):
        if one.is_symlink() or not one.is_file() or any(part.startswith(".") for part in one.relative_to(path).parts):
            continue
        if _is_same(one, memory):
            continue
        try:
            known = _kind(one, kind)
        except BadInput as error:
            report.skip(one.relative_to(path).as_posix(), str(error))
            continue
        # A loose text in a folder of exports is a README, and no diary.
        if known != "markdown":
            found.append((one, known))
    if not found:
        raise BadInput(f"Nothing in {path} is an export that can be read; see `erstwhile import --help`.")
    return found


def _is_same(path: Path, memory: Path) -> bool:
    beside = (memory, memory.with_name(memory.name + "-wal"), memory.with_name(memory.name + "-shm"))
    return any(one.exists() and path.samefile(one) for one in beside)


def _kind(path: Path, kind: str | None) -> str:
    """The format of a file: as it was named or, where it was not, as it is found. Raises BadInput."""
    return COMPLETE if kind in (None, "jsonl") and is_complete(path) else kind or detect(path)


def read(source: Source, options: Options, report: Report) -> Iterator[Turn]:
    """The turns of one source, in its order. Raises BadInput if it cannot be opened or is not of that format."""
    path, kind = source
    module, name = FORMATS[kind]
    reader: Callable[..., Iterator[Turn]] = getattr(import_module(f"store.formats.{module}"), name)
    return reader(path, options.zone if kind == "jsonl" else options, report)


def detect(path: Path) -> str:
    """The format of a file, by its content. Raises BadInput if it is none that is known."""
    with archive.opened(path) as file:
        head = file.read(4096)
    if head.startswith(b"PK\x03\x04"):
        if (known := _of_parts(path)) is None:
            raise BadInput(f"{path.name} is a ZIP without a conversations.json; unpack it and import its folder.")
        return known
    if head.startswith(b"SQLite format 3\x00"):
        return _of_database(path)
    if b"\x00" in head:
        raise BadInput(f"{path.name} is neither text, a ZIP nor a database; nothing here reads it.")
    is_json = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")
    kinds = list(filter(None, map(recognise, _first_values(path)))) if is_json else []
    if kinds or any(map(recognise, _first_lines(path))):
        return next((kind for kind in kinds if kind != "jsonl"), "jsonl")
    if head.lstrip()[:1] in (b"{",) or not head.strip():
        raise BadInput(f"{path.name} is in no format that is known; name it with --format.")
    lines = head.decode("utf-8", "replace").lstrip("\ufeff").splitlines()[:SAMPLE]
    return "whatsapp" if whatsapp.is_chat(lines) else "markdown"


def recognise(value: Any) -> str | None:
    """The format that a top-level value belongs to; None if it is none that is known."""
    if isinstance(value, list) and value:
        return recognise(value[0])
    if not isinstance(value, dict):
        return None
    kind = str(value.get("type"))
    if kind in _CODEX or ("instructions" in value and "timestamp" in value and "role" not in value):
        return "codex"
    if kind in _CLAUDE_CODE or {"sessionId", "type"} <= value.keys() or (kind == "summary" and "leafUuid" in value):
        return "claude-code"
    if isinstance(value.get("conversations"), list):
        return recognise(value["conversations"])
    return next((name for name, is_of in _BY_FIELDS if is_of(value)), None)


def _is_openwebui(value: dict[str, Any]) -> bool:
    chat, history = mapped(value.get("chat")), mapped(value.get("history"))
    return "messages" in history or "history" in chat or "messages" in chat


def _is_turns(value: dict[str, Any]) -> bool:
    of_a_turn = value.keys() & {"text", "content"} and value.keys() & _OF_A_TURN
    return bool(of_a_turn) or isinstance(value.get("messages"), list)


_BY_FIELDS: tuple[tuple[str, Callable[[dict[str, Any]], bool]], ...] = (
    ("chatgpt", lambda value: isinstance(value.get("mapping"), dict)),
    ("claude", lambda value: "chat_messages" in value or "conversations_memory" in value),
    ("claude", lambda value: {"prompt_template", "docs"} <= value.keys()),
    ("claude", lambda value: {"uuid", "name"} <= value.keys() and isinstance(value.get("messages"), list)),
    ("longmemeval", lambda value: "haystack_sessions" in value),
    ("locomo", lambda value: "speaker_a" in mapped(value.get("conversation"))),
    ("openwebui", _is_openwebui),
    ("jsonl", _is_turns),
)
"""(format, whether an object is of it), the first that fits counting."""


def _of_folder(path: Path) -> str | None:
    """The format of which a folder is one source; None if its files are to be looked at one by one."""
    if any(name.endswith("conversations.json") or "conversations-0" in name for name in archive.names(path)):
        return _of_parts(path)
    return "markdown" if any(one.suffix.lower() in (".md", ".markdown") for one in path.rglob("*.m*")) else None


def _of_parts(path: Path) -> str | None:
    """The format of an export of several files, by the first value in its conversations."""
    from store.formats import chatgpt, claude

    for wanted in (chatgpt.WANTED, claude.WANTED):
        for _, file in archive.parts(path, wanted, Report()):
            for value in islice(stream.items(file), 1):
                if kind := recognise(value):
                    return kind
    return None


def _of_database(path: Path) -> str:
    from store.formats import foreign

    with foreign.opened(path) as tables:
        if tables.names & {"responses", "threads"} and tables.names & {"conversations", "messages"}:
            return "llm"
        if "chat" in tables.columns("chat"):
            return "openwebui"
    raise BadInput(f"{path.name} is a database of neither llm nor Open WebUI; nothing here reads it.")


def _first_values(path: Path) -> Iterator[Any]:
    with archive.opened(path) as file, suppress(BadInput):
        # What follows may be broken; what came before still says what the file is.
        yield from islice(stream.items(file), SAMPLE)


def _first_lines(path: Path) -> Iterator[Any]:
    with archive.opened(path) as file:
        for _, line in islice(stream.lines(file), SAMPLE):
            with suppress(ValueError, RecursionError):
                yield json.loads(line or b"null")
