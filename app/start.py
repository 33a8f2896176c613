"""The first frame waits for nothing: memory and model are handed to the app as what opens them, not as open ones."""

from __future__ import annotations

import tempfile
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from app import settings as file_settings
from app.clock import SystemClock, zone_named
from app.paths import checkout_models_dir, data_dir, machine_state, memory_file
from store.errors import ModelUnavailable

if TYPE_CHECKING:
    from app.llm.find import Found
    from app.llm.process import ModelProcess
    from store.memory import Memory


def start(db: Path | None, zone_name: str | None, *, demo: bool, off_the_record: bool) -> None:
    """Open the app, and close what it opened when it ends."""
    from app.app import ErstwhileApp
    from app.services import Settings

    zone = zone_named(zone_name)
    given = file_settings.read()
    opened: list[Memory | ModelProcess] = []

    def memory() -> Memory:
        one = _demo_memory(zone) if demo and db is None else _memory(db or memory_file(), zone)
        opened.append(one)
        return one

    def model() -> ModelProcess | None:
        one = load_model()
        if one is not None:
            opened.append(one)
        return one

    settings = Settings.of(given, off_the_record=off_the_record)
    app = ErstwhileApp(memory, model, clock=SystemClock(zone), zone=zone, demo=demo, settings=settings)
    try:
        app.run()
    finally:
        for one in reversed(opened):
            one.close()


def _memory(path: Path, zone: tzinfo) -> Memory:
    from store.memory import Memory

    return Memory.open(path, clock=SystemClock(zone), zone=zone)


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


def load_model() -> ModelProcess | None:
    """The chosen model in its own process, proved; None where there is no model. Raises ModelError."""
    from app.llm.find import default_places, find

    chosen = file_settings.chosen_model(list(find(default_places(data_dir(), checkout=checkout_models_dir()))))
    return None if chosen is None else load(chosen)


def load(chosen: Found) -> ModelProcess:
    """A model that was found, in its own process, proved. Raises ModelError."""
    from app.llm.process import ModelProcess

    if chosen.problem is not None:
        raise ModelUnavailable(chosen.problem)
    process = ModelProcess(chosen.path, crashes=machine_state(), name=chosen.name)
    try:
        process.start()
    except BaseException:
        process.close()
        raise
    return process
