"""The first frame waits for nothing: memory and model are handed to the app as what opens them, not as open ones."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from datetime import tzinfo
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from app import settings as file_settings
from app.clock import SystemClock, zone_named
from app.loading import long_read
from app.paths import checkout_models_dir, data_dir, machine_state, models_dir, profile_of
from app.session import chosen_memory
from store.errors import Busy, ModelUnavailable, UsageError

if TYPE_CHECKING:
    from app.app import ErstwhileApp
    from app.llm.fetch import Step
    from app.llm.find import Found
    from app.llm.process import ModelProcess
    from app.ports import MemoryPort
    from app.services import Settings
    from store.memory import Memory
    from store.opening import Passphrase


def start(
    db: Path | None, profile: str | None, zone_name: str | None, *, demo: bool, off_the_record: bool,
    set_up_first: bool = False, passphrases: tuple[Passphrase, ...] = (),
) -> None:  # fmt: skip
    """Open the app on a memory, and then on each that the person changes to; what one opened is closed before the next
    begins, and nothing of it is handed on. `passphrases` are tried on the first, if it is encrypted. Raises UsageError,
    BadInput."""
    if demo and profile is not None:
        raise UsageError("--demo opens a memory of its own; leave --profile out.")
    zone = zone_named(zone_name)
    path = None if demo and db is None else chosen_memory(db, profile)
    while True:
        app = _run(path, zone, passphrases, demo=demo, off_the_record=off_the_record, set_up_first=set_up_first)
        if app.wants_tour:  # a set-up that it breaks off goes on after it
            if _run(None, zone, (), demo=True, tour=True).toured:
                continue
            return
        if app.next is None:
            return
        path, demo, set_up_first, passphrases = app.next, False, False, ()


def _run(
    path: Path | None, zone: tzinfo, passphrases: tuple[Passphrase, ...], *,
    demo: bool, off_the_record: bool = False, set_up_first: bool = False, tour: bool = False,
) -> ErstwhileApp:  # fmt: skip
    """Open the app on one memory (None: the demo's), and close what it opened when it ends. The app that has ended says
    what the person wants instead."""
    with long_read():
        from app.app import ErstwhileApp
        from app.draft import Draft
        from app.services import Settings

    given = file_settings.read()
    if given.keys:
        from app.keys import refuse_unknown

        refuse_unknown(given.keys, file_settings.FILE)
    opened: list[Memory | ModelProcess] = []

    def memory() -> Memory:
        one = _demo_memory(zone) if path is None else _unlocked(path, zone, passphrases)
        opened.append(one)
        return one

    def model() -> ModelProcess | None:
        one = load_model(path)
        if one is not None:
            opened.append(one)
        return one

    settings = Settings.of(given, off_the_record=off_the_record)
    app = ErstwhileApp(
        memory, model, clock=SystemClock(zone), zone=zone, demo=demo, settings=settings,
        profile="" if path is None else profile_of(path), draft=None if path is None else Draft(path),
        set_up=set_up, set_up_first=set_up_first, tour=tour,
    )  # fmt: skip
    try:
        try:
            app.run()
        finally:
            app.chat.keep_at_end()
        if not demo:
            sleep_at_exit(app.services.memory, settings)
    finally:
        for one in reversed(opened):
            one.close()
        _forget_passphrases()
    return app


def set_up(stop: Event) -> Iterator[Step]:
    """What a model needs in order to run, where it is missing: a file and the engine. Raises ModelUnavailable."""
    from app.llm import engine, fetch

    problem: ModelUnavailable | None = None
    chosen = _chosen()
    if chosen is None or not chosen.usable:
        try:
            yield from fetch.get(models_dir(), stop=stop)
        except ModelUnavailable as error:  # the engine serves whatever model comes later
            problem = error
    if engine.missing() and not stop.is_set():
        yield from engine.build(stop)
    if problem is not None:
        raise problem


def sleep_at_exit(memory: MemoryPort | None, settings: Settings) -> None:
    """Sleep before leaving, where the person asked for that in the settings; ctrl+c ends it."""
    from app.sleeper import is_due
    from app.verbs.writing import _progress, _progress_done

    if memory is None or not is_due(memory, settings.rules, leaving=True):
        return
    try:
        for step in memory.sleep(tidy=settings.rules.tidy):
            _progress(step.phase, step.done, step.total)
    except Busy:  # another process reads what waits
        return
    finally:
        _progress_done()


def _memory(path: Path, zone: tzinfo) -> Memory:
    from store.memory import Memory

    return Memory.open(path, clock=SystemClock(zone), zone=zone, embedder=file_settings.chosen_embedder())


def _forget_passphrases() -> None:
    """What opened one memory opens no other."""
    from store import opening

    opening.forget()


def _unlocked(path: Path, zone: tzinfo, passphrases: tuple[Passphrase, ...]) -> Memory:
    """The memory, opened with one of the passphrases where it wants one. Raises Locked where none opens it."""
    from store import opening

    if opening.is_locked(path):
        any(opening.offer(path, one) for one in passphrases)
    return _memory(path, zone)


def _demo_memory(zone: tzinfo) -> Memory:
    """The demo's year, imported into a scratch file and slept over; the file goes with the machine's other scratch."""
    folder = Path(tempfile.mkdtemp(prefix="erstwhile-demo-"))
    return demo_memory(folder / "demo.db", zone)


def demo_memory(path: Path, zone: tzinfo) -> Memory:
    """A memory of the demo's year in a new file at `path`."""
    from app.demo import turns_path
    from store.writing.formats.jsonl import Report, read

    memory = _memory(path, zone)
    for _ in memory.ingest(read(turns_path(), zone, Report())):
        pass
    for _ in memory.sleep():
        pass
    return memory


def load_model(memory: Path | None = None) -> ModelProcess | None:
    """The chosen model in its own process, proved; None where there is no model. Raises ModelError.

    With a `memory` file it keeps, beside that, what it has read of conversations; not where that is encrypted.
    """
    from store.opening import is_encrypted

    chosen = _chosen()
    return None if chosen is None else load(chosen, None if memory is None or is_encrypted(memory) else memory)


def _chosen() -> Found | None:
    from app.llm.find import default_places, find

    return file_settings.chosen_model(list(find(default_places(data_dir(), checkout=checkout_models_dir()))))


def load(chosen: Found, memory: Path | None = None) -> ModelProcess:
    """A model that was found, in its own process, proved. Raises ModelError."""
    from app.llm import engine
    from app.llm.kept import ReopeningModel
    from app.llm.process import ModelProcess

    if chosen.problem is not None:
        raise ModelUnavailable(chosen.problem)
    if engine.missing():
        raise ModelUnavailable(engine.MISSING)
    n_ctx = file_settings.read().speaking.context or file_settings.CONTEXT_LENGTH
    process = (
        ModelProcess(chosen.path, crashes=machine_state(), name=chosen.name, n_ctx=n_ctx)
        if memory is None
        else ReopeningModel(chosen.path, memory=memory, crashes=machine_state(), name=chosen.name, n_ctx=n_ctx)
    )
    try:
        process.start()
    except BaseException:
        process.close()
        raise
    return process
