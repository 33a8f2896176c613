"""A model reads beside the rules only where it passed for that on this very file, and the person wants it to.

Whoever reads is said in one sentence, and so is why a model does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Event
from typing import TYPE_CHECKING, Any, NamedTuple

from app.llm.fitness import Fitness, remembered
from app.paths import checkout_models_dir, data_dir, fitness_file
from store.errors import ModelError

if TYPE_CHECKING:
    from app.llm.process import ModelProcess
    from store.protocols import BoundModel, Message

ALONE = "rules alone read"


class Reader(NamedTuple):
    """Who reads in a sleep."""

    model: BoundModel | None
    """Takes part; None: rules alone."""
    sentence: str
    """For people; empty where there is nothing to say."""


class Reading:
    """A model process that reads: a reply leaves no trace in what is kept of the conversation that it is also for."""

    def __init__(self, process: ModelProcess) -> None:
        self._process = process

    @property
    def name(self) -> str:
        return self._process.name.removesuffix(".gguf")

    def chat(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 512,
        stop: Event | None = None,
        temperature: float | None = None,
        schema: dict[str, Any] | None = None,
    ) -> Iterator[str]:
        """As BoundModel says."""
        from app.llm.kept import ReopeningModel

        if isinstance(self._process, ReopeningModel):
            self._process.take_up(None)
        yield from self._process.chat(
            messages, max_tokens=max_tokens, stop=stop, temperature=temperature, schema=schema
        )


def verdict(name: str, found: Fitness | None, *, wanted: bool) -> tuple[bool, str]:
    """Whether a model of this fitness may read, and what to say of it."""
    if found is None or "extract" not in found.shares:
        return False, f"{name} was not tested for extraction (`erstwhile models test`): {ALONE}."
    if not found.passed("extract"):
        return False, f"{name} did not pass extraction: {ALONE}."
    if not wanted:
        return False, f"{name} passed extraction, and reads only where [model] reads = true is set: {ALONE}."
    return True, f"{name} reads what the rules pass over."


def of_chat(model: object, *, wanted: bool) -> Reader:
    """The model that chats, if it may read too; one that is no file has nothing to be tested."""
    from app.llm.process import ModelProcess

    if not isinstance(model, ModelProcess) or not model.path.exists():
        return Reader(None, "")
    reading = Reading(model)
    fit, sentence = verdict(reading.name, remembered(fitness_file(), model.path), wanted=wanted)
    return Reader(reading if fit else None, sentence)


@contextmanager
def opened(*, wanted: bool) -> Iterator[Reader]:
    """The chosen model, loaded for a sleep if it may read; without a wish for one none is looked for."""
    if not wanted:
        yield Reader(None, "")
        return
    from app.llm.find import default_places, find
    from app.settings import chosen_model
    from app.start import load

    chosen = chosen_model(list(find(default_places(data_dir(), checkout=checkout_models_dir()))))
    if chosen is None or chosen.problem is not None:
        yield Reader(None, f"{chosen.problem if chosen else 'There is no model.'} So {ALONE}.")
        return
    fit, sentence = verdict(chosen.name.removesuffix(".gguf"), remembered(fitness_file(), chosen.path), wanted=True)
    if not fit:
        yield Reader(None, sentence)
        return
    try:
        process = load(chosen)
    except ModelError as error:
        yield Reader(None, f"{error} So {ALONE}.")
        return
    with process:
        yield Reader(Reading(process), sentence)
