"""A model checks what is unsure, or words a summary, only where it passed for that on this very file and is wanted.

Whoever does it is said in one sentence, and so is why a model does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

from app.core.fitness import Fitness, remembered
from app.paths import fitness_file
from store.errors import ModelError

if TYPE_CHECKING:
    from app.core.fitness_cases import Ability
    from app.llm.process import ModelProcess
    from store.protocols import BoundModel, Message


class ModelTask(NamedTuple):
    """What a model is wanted for."""

    ability: Ability  # that it must have passed
    name: str
    does: str  # what it does, where it may
    alone: str  # what is so without one
    setting: str = ""  # what says that it is wanted


READS = ModelTask("extract", "extraction", "checks what the reader is unsure of", "what is unsure stays unsure",
                  "[model] reads = true")  # fmt: skip
WORDS = ModelTask("summary", "summaries", "words what was said", "the sentences are as they were said", "--by-model")


class SleepReader(NamedTuple):
    """Who reads in a sleep."""

    model: BoundModel | None  # takes part; None: no model does
    sentence: str  # for people; empty where there is nothing to say


class ReadingProcess:
    """A model process that reads: a reply leaves no trace in what is kept of the conversation that it is also for."""

    def __init__(self, process: ModelProcess) -> None:
        self._process = process
        self.name = process.name.removesuffix(".gguf")

    def chat(self, messages: Sequence[Message], **asked: Any) -> Iterator[str]:
        """As BoundModel says."""
        from app.llm.kept import ReopeningModel

        if isinstance(self._process, ReopeningModel):
            self._process.take_up(None)
        yield from self._process.chat(messages, **asked)


def verdict(name: str, found: Fitness | None, *, wanted: bool, job: ModelTask = READS) -> tuple[bool, str]:
    """Whether a model of this fitness may do a job, and what to say of it."""
    if found is None or job.ability not in found.shares:
        return False, f"{name} was not tested for {job.name} (`erstwhile models test`): {job.alone}."
    if not found.passed(job.ability):
        return False, f"{name} did not pass {job.name}: {job.alone}."
    if not wanted:
        does = job.does.partition(" ")[0]
        return False, f"{name} passed {job.name}, and {does} only where {job.setting} is set: {job.alone}."
    return True, f"{name} {job.does}."


def of_chat(model: object, *, wanted: bool) -> SleepReader:
    """The model that chats, if it may read too; one that is no file has nothing to be tested."""
    from app.llm.process import ModelProcess

    if not isinstance(model, ModelProcess) or not model.path.exists():
        return SleepReader(None, "")
    found = remembered(fitness_file(), model.path)
    if found is None and not wanted:
        return SleepReader(None, "")  # nobody asked, and nothing is known: there is nothing to say
    reading = ReadingProcess(model)
    fit, sentence = verdict(reading.name, found, wanted=wanted)
    return SleepReader(reading if fit else None, sentence)


@contextmanager
def opened(*, wanted: bool, job: ModelTask = READS) -> Iterator[SleepReader]:
    """The chosen model, loaded if it may do this job; without a wish for one none is looked for."""
    from app.core.models import load
    from app.core.settings import chosen_model

    chosen = chosen_model() if wanted else None
    process, sentence = None, ""
    if wanted and (chosen is None or chosen.problem is not None):
        sentence = f"{chosen.problem if chosen else 'There is no model.'} So {job.alone}."
    elif chosen is not None:
        found = remembered(fitness_file(), chosen.path)
        fit, sentence = verdict(chosen.name.removesuffix(".gguf"), found, wanted=True, job=job)
        try:
            process = load(chosen) if fit else None
        except ModelError as error:
            sentence = f"{error} So {job.alone}."
    with process or nullcontext():
        yield SleepReader(None if process is None else ReadingProcess(process), sentence)
