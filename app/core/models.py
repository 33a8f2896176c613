"""The chosen model in a process of its own, proved; and what a model needs in order to run, where it is missing.

A model that does what it wants holds nobody up: what it is asked ends when the person stops it, whatever it does.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from app.core import settings as file_settings
from app.core.settings import CONTEXT_LENGTH
from app.paths import machine_state, models_dir
from store.errors import ModelUnavailable

if TYPE_CHECKING:
    from app.llm.fetch import Step
    from app.llm.find import ModelFile
    from app.llm.process import ModelProcess


def set_up(stop: Event) -> Iterator[Step]:
    """What a model needs in order to run, where it is missing: a file and the engine. Raises ModelUnavailable."""
    from app.llm import engine, fetch

    problem: ModelUnavailable | None = None
    chosen = file_settings.chosen_model()
    if chosen is None or not chosen.usable:
        try:
            yield from fetch.get(models_dir(), stop=stop)
        except ModelUnavailable as error:  # the engine serves whatever model comes later
            problem = error
    if engine.missing() and not stop.is_set():
        yield from engine.build(stop)
    if problem is not None:
        raise problem


def load_model(memory: Path | None = None) -> ModelProcess | None:
    """The chosen model in its own process, proved; None where there is no model. Raises ModelError.

    With a `memory` file it keeps, beside that, what it has read of conversations; not where that is encrypted.
    """
    from store.database.opening import is_encrypted

    chosen = file_settings.chosen_model()
    return None if chosen is None else load(chosen, None if memory is None or is_encrypted(memory) else memory)


def load(chosen: ModelFile, memory: Path | None = None, stop: Event | None = None) -> ModelProcess:
    """A model that was found, in its own process, proved; not once `stop` is set. Raises ModelError."""
    from app.llm import engine
    from app.llm.kept import ReopeningModel
    from app.llm.process import ModelProcess

    if chosen.problem is not None:
        raise ModelUnavailable(chosen.problem)
    if engine.missing():
        raise ModelUnavailable(engine.MISSING)
    n_ctx = file_settings.read().speaking.context or CONTEXT_LENGTH
    asked: dict[str, Any] = {"crashes": machine_state(), "name": chosen.name, "n_ctx": n_ctx}
    process = (
        ModelProcess(chosen.path, **asked) if memory is None else ReopeningModel(chosen.path, memory=memory, **asked)
    )
    try:
        with stoppable(process, stop or threading.Event()):
            process.start()
    except BaseException:
        process.close()
        raise
    return process


TICK = 0.02  # seconds between two looks at whether the person wants it to stop


@contextmanager
def stoppable(model: object, stop: threading.Event) -> Iterator[None]:
    """While this lasts, the model is interrupted when `stop` is set: also where what waits for it cannot look. One that
    cannot be interrupted (`ModelProcess.interrupt`) needs none of that."""
    interrupt: Callable[[], None] | None = getattr(model, "interrupt", None)
    if interrupt is None:
        yield
        return
    over = threading.Event()

    def watch() -> None:
        """More than once, since what waited for one that hung may have started another."""
        while not over.wait(TICK):
            if stop.is_set():
                interrupt()

    thread = threading.Thread(target=watch, name="stop the model", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
