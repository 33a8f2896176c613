"""The first frame waits for nothing: memory and model are handed to the app as what opens them, not as open ones."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from dataclasses import replace
from datetime import tzinfo
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from app.core import settings as file_settings
from app.core.clock import SystemClock, zone_named
from app.core.models import load_model, set_up
from app.core.opening import long_read
from app.paths import chosen_memory, profile_of
from store.errors import Busy

if TYPE_CHECKING:
    from app.core.settings import Settings
    from app.llm.process import ModelProcess
    from app.tui.app import ErstwhileApp
    from store.database.opening import Passphrase
    from store.memory import Memory


def start(
    db: Path | None, profile: str | None, zone_name: str | None, *, demo: bool, off_the_record: bool,
    set_up_first: bool = False, passphrases: tuple[Passphrase, ...] = (),
) -> None:  # fmt: skip
    """Open the app on a memory, and then on each that the person changes to; what one opened is closed before the next
    begins, and nothing of it is handed on. `passphrases` are tried on the first, if it is encrypted. Raises UsageError,
    BadInput."""
    zone = zone_named(zone_name)
    path = None if demo and db is None else chosen_memory(db, profile)
    reopens = ""
    while True:
        app = _run(
            path, zone, passphrases,
            demo=demo, off_the_record=off_the_record, set_up_first=set_up_first, reopens=reopens,
        )  # fmt: skip
        reopens = app.left_at
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
    reopens: str = "",
) -> ErstwhileApp:  # fmt: skip
    """Open the app on one memory (None: the demo's), in a new conversation or in `reopens`, and close what it opened
    when it ends. The app that has ended says what the person wants instead."""
    with long_read():
        from app.core.draft import Draft
        from app.tui.app import ErstwhileApp

    settings = file_settings.read()
    if settings.keymap:
        from app.tui.keys import refuse_unknown

        refuse_unknown(settings.keymap, file_settings.FILE)
    settings = replace(settings, off_the_record=off_the_record or settings.off_the_record)
    with ExitStack() as ending:
        scratch = TemporaryDirectory(prefix="erstwhile-demo-", ignore_cleanup_errors=True)
        ending.callback(scratch.cleanup)

        def memory() -> Memory:
            """Raises Locked where no passphrase opens it."""
            from store.database import opening

            ending.callback(opening.forget)  # what opened one memory opens no other
            if path is not None and opening.is_locked(path):
                any(opening.offer(path, passphrase) for passphrase in passphrases)
            one = demo_memory(Path(scratch.name) / "demo.db", zone) if path is None else _memory(path, zone)
            ending.callback(one.close)
            return one

        def model() -> ModelProcess | None:
            one = load_model(path)
            if one is not None:
                ending.callback(one.close)
            return one

        app = ErstwhileApp(
            memory, model, clock=SystemClock(zone), zone=zone, demo=demo, settings=settings,
            profile="" if path is None else profile_of(path), draft=None if path is None else Draft(path),
            set_up=set_up, set_up_first=set_up_first, tour=tour,
        )  # fmt: skip
        app.chat.reopens = reopens
        try:
            app.run()
        finally:
            app.chat.keep_at_end()
        if not demo and not app.hung_up:
            sleep_at_exit(app.services.memory, settings)
    if app.left_opening:  # its thread holds nothing that has to be put away, and ends with the process
        sys.stdout.flush()
        os._exit(0)
    return app


def sleep_at_exit(memory: Memory | None, settings: Settings) -> None:
    """Sleep before leaving, where the person asked for that in the settings; ctrl+c ends it."""
    from app.core.sleeper import is_due, progress, progress_done

    if memory is None or not is_due(memory, settings.rules, leaving=True):
        return
    try:
        for step in memory.sleeping.run():
            progress(step.phase, step.done, step.total)
    except Busy:  # another process reads what waits
        return
    finally:
        progress_done()


def _memory(path: Path, zone: tzinfo) -> Memory:
    from store.memory import Memory

    return Memory.open(path, clock=SystemClock(zone), zone=zone, embedder=file_settings.chosen_embedder())


def demo_memory(path: Path, zone: tzinfo) -> Memory:
    """A memory of the demo's year, imported into a new file at `path` and slept over."""
    from app.demo import turns_path
    from store.formats.jsonl import Report, read

    memory = _memory(path, zone)
    for _ in memory.episodes.ingest(read(turns_path(), zone, Report())):
        pass
    for _ in memory.sleeping.run():
        pass
    return memory
