"""Every parser of foreign bytes, each with real examples: files that are imported, standard input, messages of other
programs, replies of models, settings, state files, times in words, names of backups, and text on its way to a terminal.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, get_args
from unittest import mock
from zipfile import ZIP_DEFLATED, ZipFile

from store.errors import BadInput, BadTime, ErstwhileError
from store.memory import Memory
from store.records import Role, Turn
from store.text.cleaning import whole
from tests.conftest import NOW, ZONE
from tests.fuzz.law import Target

WIDEST = 2**63 - 1
"""The largest number that a column of the file holds."""


def targets() -> tuple[Target, ...]:
    """All of them; making the examples takes a second or two."""
    return (*_imports(), *_standard_input(), *_replies(), *_settings(), *_states(), *_words(), *_others())


# -- files that are imported


def _imports() -> Iterator[Target]:
    from tests.fuzz import examples

    for kind, found in examples.files().items():
        yield Target(f"import-{kind}", tuple(found), partial(_read, kind))
    every = tuple(one for found in examples.files().values() for one in found)
    yield Target("import-detected", every, partial(_read, None))
    yield Target("import-verb", every, _imported)
    exports = tuple(examples.exports())
    yield Target("export-staged", exports, _staged)
    yield Target("export-taken", exports, _taken)
    yield Target("eval-locomo", tuple(examples.files()["locomo"]), partial(_measured, "locomo"))
    yield Target("eval-longmemeval", tuple(examples.files()["longmemeval"]), partial(_measured, "longmemeval"))


_ENDINGS = {"markdown": "2026-03-02.md", "llm": "logs.db", "openwebui": "webui.db"}


def _read(kind: str | None, data: bytes, folder: Path) -> None:
    """Read it in one format, or in the one that is found; every turn must be one that the file can hold."""
    from store.formats.catalogue import sources
    from store.formats.jsonl import COMPLETE
    from store.formats.report import Report
    from store.maintenance.complete import staged

    path = folder / _ENDINGS.get(kind or "", "input.json")
    path.write_bytes(data)
    report = Report()
    for source in sources(path, kind, report, folder / "memory.db"):
        if source[1] == COMPLETE:
            with staged(path) as one:
                one.tell(report, path.name)
        else:
            _look_at(source, report)
    assert all(isinstance(one, str) for one in (*report.skipped, *report.notes))


def _look_at(source: tuple[Path, str], report: Any) -> None:
    from store.formats.catalogue import read
    from store.formats.report import Options

    for turn in read(source, Options(ZONE, NOW), report):
        assert isinstance(turn.text, str) and turn.text.strip() and turn.role in get_args(Role)
        assert all(isinstance(one, str) for one in (turn.session, turn.speaker))
        assert all(
            one is None or whole(one) == one for one in (turn.external_id, turn.title, turn.original, turn.speaker)
        )
        assert isinstance(turn.place, int | None) and abs(turn.place or 0) <= WIDEST
        assert turn.said_at is not None and turn.said_at.iso()


def _imported(data: bytes, folder: Path) -> None:
    """The verb, on a memory of a few turns: what came is sound, and comes no second time."""
    memory = _memory_in(folder)
    path = folder / "input"
    path.write_bytes(data)
    first = _command(["import", str(path), "--db", str(memory), "--json"])
    again = _command(["import", str(path), "--db", str(memory), "--json"])
    assert json.loads(again)["new"] == 0, f"{json.loads(first)['new']} new, then {json.loads(again)['new']}"
    _assert_sound(memory)


def _staged(data: bytes, folder: Path) -> None:
    from store.maintenance.complete import staged

    path = folder / "export.jsonl"
    path.write_bytes(data)
    with staged(path):
        return


def _taken(data: bytes, folder: Path) -> None:
    """A complete export is taken whole or not at all."""
    from tests.support.exporting import taken_from

    memory = _memory_in(folder)
    path = folder / "export.jsonl"
    path.write_bytes(data)
    with _opened(memory) as one:
        before = one.state_hash()
        try:
            taken_from(one, path)
        except ErstwhileError:
            assert one.state_hash() == before, "half of it was taken"
            raise
    _assert_sound(memory)


def _measured(benchmark: Any, data: bytes, folder: Path) -> None:
    from app.evaluation.cases import read

    path = folder / "input.json"
    path.write_bytes(data)
    for history in read(benchmark, path, ZONE, 50):
        assert isinstance(history.name, str)


# -- standard input, and other programs


def _standard_input() -> Iterator[Target]:
    from tests.fuzz import examples

    for verb in ("ask", "recall"):
        yield Target(f"stdin-{verb}", tuple(examples.questions()), partial(_streamed, verb))
    yield Target("mcp", tuple(examples.messages()), _served)


def _streamed(verb: str, data: bytes, folder: Path) -> None:
    """Each line that is not blank is answered by one line, which is JSON: with what was asked for, or an error."""
    memory = _shared_memory()
    stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
    with mock.patch.object(sys, "stdin", stdin):
        answers = _command([verb, "-", "--db", str(memory), *(["--no-model"] if verb == "ask" else ["--fast"])])
    found = [json.loads(line) for line in answers.split("\n") if line]  # splitlines() splits within a string, too
    wanted = [line for line in data.split(b"\n") if line.decode("utf-8", "replace").strip()]
    assert len(found) == len(wanted), f"{len(found)} answers to {len(wanted)} lines"
    assert all(one.keys() & {"error", "text", "hits"} and "id" in one for one in found)


def _served(data: bytes, folder: Path) -> None:
    """No message is answered by a fault of ours, and each request by one line."""
    from app.core.tools import Desk
    from app.mcp import Server

    complaints: list[str] = []
    with _opened(_memory_in(folder)) as memory:
        server = Server(Desk(memory, ZONE, NOW.local), complain=complaints.append)
        for line in server.serve(one.decode("utf-8", "replace") for one in data.split(b"\n")):
            answer = json.loads(line)
            assert answer["jsonrpc"] == "2.0" and ("result" in answer) != ("error" in answer)
    assert not complaints, complaints[0]


# -- replies of models


def _replies() -> Iterator[Target]:
    from tests.fuzz import examples

    for name, (found, parse) in examples.replies().items():
        yield Target(f"reply-{name}", tuple(found), partial(_parsed, parse))


def _parsed(parse: Callable[[str], object], data: bytes, _folder: Path) -> None:
    parse(data.decode("utf-8", "replace"))


# -- settings, and what the program notes


def _settings() -> Iterator[Target]:
    from tests.fuzz import examples

    yield Target("settings", tuple(examples.settings()), _set)


def _set(data: bytes, folder: Path) -> None:
    """A settings file that can be read can be changed, or is refused in a sentence and left as it is."""
    from app.core import settings

    path = folder / settings.FILE
    path.write_bytes(data)
    found = settings.read(folder)
    assert isinstance(found.theme, str)
    assert 0 <= found.idle_seconds < float("inf")
    for table, key, value in (("look", "theme", "light"), ("sleep", "at_exit", True), ("keys", "app.jump", "f12")):
        try:
            settings.write(folder, table, key, value)
        except BadInput:
            assert settings.read(folder) == found
            return
        found = settings.read(folder)


def _states() -> Iterator[Target]:
    from tests.fuzz import examples

    notes = tuple(examples.notes())
    yield Target("state-files", notes, _noted)
    yield Target("gguf", tuple(examples.ggufs()), _header)


def _noted(data: bytes, folder: Path) -> None:
    """A note that cannot be read is as good as none; the next one is written in its place."""
    from app.core import fitness, shelf
    from app.llm import find
    from app.llm.machine import fast_buffers_allowed, forbid_fast_buffers
    from app.paths import read_note
    from store.database import beside

    note, model = folder / "note.json", folder / "model.gguf"
    note.write_bytes(data)
    model.write_bytes(b"x")
    fast_buffers_allowed(note, "key")
    assert shelf.speed_of(read_note(note, {}), model) >= 0
    fitness.remembered(note, model)
    find._model_digest(note)
    shelf.note_speed(note, model, 5.0)
    assert shelf.speed_of(read_note(note, {}), model) > 0
    forbid_fast_buffers(note, "key")
    assert not fast_buffers_allowed(note, "key")
    memory = folder / "m.db"
    beside.folder(memory).mkdir(exist_ok=True)
    (beside.folder(memory) / "mark").write_bytes(data)
    beside.mark(memory, make=True)


def _header(data: bytes, folder: Path) -> None:
    from app.llm.gguf import read

    path = folder / "m.gguf"
    path.write_bytes(data)
    header = read(path)
    assert header.memory(4096) > 0


# -- texts in a human language


def _words() -> Iterator[Target]:
    from tests.fuzz import examples

    times = tuple(examples.times())
    yield Target("time-one", times, _when, words=True, share=2)
    yield Target("time-in-text", times, _times, words=True, share=2)
    yield Target("time-written", tuple(examples.stamps()), _stamped, words=True)
    yield Target("turn-learned", tuple(examples.talk()), _learned, words=True)
    yield Target("question-asked", tuple(examples.talk()), _asked, words=True)


def _when(data: bytes, _folder: Path) -> None:
    """A time as it is typed after --as-of, in any of the languages: a stretch that can be shown, or BadTime."""
    from store.time.expressions import parse_when
    from store.time.wording import describe

    stretch = parse_when(data.decode("utf-8", "surrogateescape"), NOW.local())
    assert describe(stretch)
    for end in (stretch.first(), stretch.last()):
        assert end is None or end.iso()


def _times(data: bytes, _folder: Path) -> None:
    from store.time.expressions import read_times
    from store.time.wording import describe

    text = data.decode("utf-8", "replace")
    for one in read_times(text, NOW.local()):
        assert one.text == text[one.start : one.end]
        assert one.stretch is None or describe(one.stretch)


def _stamped(data: bytes, _folder: Path) -> None:
    from app.core.clock import zone_named
    from store.formats.report import Options, stamp_of
    from store.time.expressions import parse_iso

    text = data.decode("utf-8", "surrogateescape")
    said = stamp_of({"at": text}, Options(ZONE, NOW), "at")
    assert said is None or said.iso()
    with contextlib.suppress(BadInput):
        zone_named(text)
    assert parse_iso(text, ZONE).iso()


def _learned(data: bytes, folder: Path) -> None:
    """A turn is kept word for word, whatever it teaches; a sleep takes it, and the memory is sound."""
    text = data.decode("utf-8", "replace")
    memory = _memory_in(folder)
    with _opened(memory) as one:
        if not text.strip():
            return
        episode = one.episodes.remember(Turn(text, "fuzz"))
        assert one.episodes.get(episode.id).text == whole(text)
        one.reading.learn(episode.id)
        list(one.sleeping.run())
        assert not one.reading.pending()
    _assert_sound(memory)


def _asked(data: bytes, _folder: Path) -> None:
    from app.core import rendering

    with _opened(_shared_memory()) as memory:
        answer = memory.answering.ask(data.decode("utf-8", "surrogateescape"))
        json.dumps(rendering.as_json(answer))
        memory.recall.search(data.decode("utf-8", "surrogateescape"), fast=True)


# -- names of files, and text on its way to a terminal


def _others() -> Iterator[Target]:
    from tests.fuzz import examples

    yield Target("backup-name", tuple(examples.backup_names()), _named)
    yield Target("sanitiser", tuple(examples.shown()), _shown)


def _named(data: bytes, folder: Path) -> None:
    from store.maintenance import copies

    name = data.decode("utf-8", "surrogateescape")
    try:
        (folder / name).touch()
    except (OSError, ValueError):  # no file can have this name
        return
    for backup in copies.backups(folder / "memory.db"):
        assert backup.at.tzinfo is not None and backup.at.utcoffset() is not None and backup.at.isoformat()
    copies.every(folder / "memory.db", [])


def _shown(data: bytes, _folder: Path) -> None:
    from tests.tui.nasty import HARMFUL
    from widgets.plain import one_line, plain

    text = data.decode("utf-8", "surrogateescape")
    once = plain(text)
    assert plain(once) == once, "what was safe is changed when it is shown again"
    assert not HARMFUL.search(once.replace("\n", "")) and not HARMFUL.search(one_line(text))
    assert "\n" not in one_line(text) and len(one_line(text, 40)) <= 40


# -- memories


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[Memory]:
    from app.core.clock import FrozenClock

    with Memory.open(path, clock=FrozenClock(NOW), zone=ZONE) as memory:
        yield memory


@cache
def _home() -> Path:
    """A folder of this process, with a memory of a few turns that have been read."""
    kept = tempfile.TemporaryDirectory(prefix="erstwhile-fuzz-")
    home = Path(kept.name)
    _KEPT.append(kept)
    with _opened(home / "memory.db") as memory:
        texts = ("I live in Porto.", "My brother Rui works at Acme.", "I moved to Lisbon in January.", "I like figs.")
        list(memory.episodes.ingest([Turn(text, f"s{place}", said_at=NOW) for place, text in enumerate(texts)]))
        list(memory.sleeping.run())
        memory.recall.warm()
    return home


_KEPT: list[Any] = []
"""Goes with the process."""


def _shared_memory() -> Path:
    """A memory that is only read."""
    return _home() / "memory.db"


def _memory_in(folder: Path) -> Path:
    """A copy of it that may be written to."""
    return Path(shutil.copyfile(_shared_memory(), folder / "memory.db"))


def _assert_sound(path: Path) -> None:
    with _opened(path) as memory:
        assert not [one.name for one in memory.file.check() if not one.ok]


def _command(arguments: Sequence[str]) -> str:
    """What a verb prints on standard output. Raises its error; nothing on standard error may act on a terminal."""
    from app.cli.commands import cli
    from tests.tui.nasty import HARMFUL

    out, errors = io.StringIO(), io.StringIO()
    with (
        mock.patch.dict(os.environ, {"ERSTWHILE_DEBUG": "1"}),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(errors),
    ):
        from app.cli.session import run

        code = run(cli, list(arguments))
    told = errors.getvalue()
    assert not HARMFUL.search(told.replace("\n", "")), f"on a terminal this would act: {told!r}"
    if code:
        raise BadTime(told.strip().splitlines()[-1]) if told.strip() else AssertionError(f"ended with {code}, silently")
    return out.getvalue()


def zipped(data: bytes, name: str = "conversations.json", method: int = ZIP_DEFLATED) -> bytes:
    """A ZIP of one member."""
    file = io.BytesIO()
    with ZipFile(file, "w", method) as archive:
        archive.writestr(name, data)
    return file.getvalue()
