"""A model is used for a job only after it has passed the cases for it on this very file, and passing is remembered.

Grading is a generator, so that the command line and the app can show it case by case and stop it; the outcome is
a small JSON file, keyed by the model file's content as far as its size, time and name show it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from app.core.fitness_cases import CASES, EXTRACT, Ability, AbilityCase
from app.core.prompts import FROM_NOTES, SYSTEM, build
from app.core.tooling import instructions, step_schema, timed
from app.core.tools import reading
from app.llm.repeats import says_nothing
from app.paths import fitness_file, read_note, replace_file
from store.errors import ModelError
from store.protocols import BoundModel, Message
from store.sleep import checking

if TYPE_CHECKING:
    from app.core.fitness_cases import Ability
    from app.llm.process import ModelProcess

PASSING = 0.8  # the share of the cases that has to be right before a model does that job
_LONGEST = 96  # tokens of one answer
_ASKED_AT = datetime(2024, 1, 15, 12, tzinfo=UTC)  # when the cases are asked, as far as a time in them depends on it
_TASKS: Mapping[Ability, str] = {
    "summary": "Summarise the conversation in one sentence.",
    "rewrite": "Rewrite the question so that it can be understood alone: replace pronouns by names."
    " Write only the new question.",
}


class Graded(BoundModel, Protocol):
    """A LanguageModel that can also be bound to a schema: ModelProcess is one."""

    def count_tokens(self, text: str) -> int: ...


class CaseResult(NamedTuple):
    """What the model said to one case; `why` is empty when it was right."""

    case: AbilityCase
    said: str
    why: str

    @property
    def right(self) -> bool:
        return not self.why


class Fitness(NamedTuple):
    """The share of cases that were right, by ability."""

    shares: Mapping[str, float]

    def passed(self, ability: Ability) -> bool:
        """Good enough for this job."""
        return self.shares.get(ability, 0.0) >= PASSING


def examined(path: Path, running: object, stop: Event) -> Iterator[CaseResult]:
    """Grade a model file, and remember the outcome unless it is stopped. `running` is asked where it is the process of
    that file, else the file is loaded for this. Raises ModelError."""
    from app.core.models import load
    from app.llm.find import examine
    from app.llm.kept import ReopeningModel
    from app.llm.process import ModelProcess

    outcomes = []
    is_it = isinstance(running, ModelProcess) and running.path == path
    with nullcontext(running) if is_it else load(examine(path), stop=stop) as model:
        if isinstance(model, ReopeningModel):
            model.take_up(None)  # what it reads here belongs to no conversation
        for outcome in grade(cast("Graded", model), stop=stop):
            outcomes.append(outcome)
            yield outcome
    if not stop.is_set():
        remember(fitness_file(), path, summed_up(outcomes))


def grade(model: Graded, *, cases: Sequence[AbilityCase] = CASES, stop: Event | None = None) -> Iterator[CaseResult]:
    """Ask every case, without chance; ends early when `stop` is set. Raises ModelError."""
    for case in cases:
        schema = step_schema(reading()) if case.ability == "tools" else None
        schema = checking.schema(len(case.notes)) if case.notes else schema
        messages = _messages(case, model.count_tokens)
        said = "".join(model.chat(messages, max_tokens=_LONGEST, stop=stop, temperature=0.0, schema=schema))
        if stop is not None and stop.is_set():
            return
        yield CaseResult(case, said, judged(case, said))


def judged(case: AbilityCase, said: str) -> str:
    """Why it is wrong; empty when it is right."""
    text: str | None = said
    if case.notes:
        verdicts = checking.parsed(said, len(case.notes))
        text = None if isinstance(verdicts, str) else " ".join(verdicts)
    elif case.ability == "tools":
        text = _step(case, said)
    if text is None:
        return "not the JSON that was asked for"
    if case.ability == "rewrite":
        text = text.strip().splitlines()[0] if text.strip() else ""
    if case.ability == "comment" and says_nothing(text, case.text):
        return "says nothing to it"
    if not all(re.search(pattern, text, re.IGNORECASE) for pattern in case.wanted):
        return "does not say what it should" if text.strip() else "says nothing"
    wrong = (re.search(pattern, text, re.IGNORECASE) for pattern in (*case.unwanted, *case.never))
    return next((f"says {found[0]!r}" for found in wrong if found), "")


def summed_up(outcomes: Sequence[CaseResult]) -> Fitness:
    """Shares by ability; an ability without cases has none, and one in which a grave thing was said has 0."""
    shares: dict[str, float] = {}
    for ability in dict.fromkeys(outcome.case.ability for outcome in outcomes):
        results = [outcome for outcome in outcomes if outcome.case.ability == ability]
        grave = any(re.search(one, each.said, re.IGNORECASE) for each in results for one in each.case.never)
        shares[ability] = 0.0 if grave else sum(outcome.right for outcome in results) / len(results)
    return Fitness(shares)


def remember(file: Path, model: Path, fitness: Fitness) -> None:
    """Write the outcome for this model file into `file`, beside those of others."""
    known = {**read_note(file, {}), _key(model): {"shares": dict(fitness.shares), "asked": asked()}}
    replace_file(file, json.dumps(known, indent=1))


def remembered(file: Path, model: Path) -> Fitness | None:
    """What was found out about this model file; None if it was never tested, or it or the questions have changed."""
    entry = read_note(file, {}).get(_key(model))
    shares = entry.get("shares") if isinstance(entry, dict) and entry.get("asked") == asked() else None
    if not isinstance(shares, dict) or not all(isinstance(share, int | float) for share in shares.values()):
        return None
    return Fitness(shares)


def asked() -> str:
    """Names the questions and how they are put: with others, the grades would be others."""
    notes = [checking.messages(case.text, None, case.notes) for case in EXTRACT]
    put = (CASES, SYSTEM, FROM_NOTES, instructions(reading()), step_schema(reading()), _TASKS, notes, PASSING)
    return hashlib.sha256(repr(put).encode()).hexdigest()[:16]


def _messages(case: AbilityCase, count: Callable[[str], int]) -> Sequence[Message]:
    if case.notes:
        return checking.messages(case.text, None, case.notes)
    if case.ability == "tools":
        return [Message("system", instructions(reading())), Message("user", case.text)]
    if task := _TASKS.get(case.ability):
        return [Message("system", task), Message("user", case.text)]
    question = case.text + (FROM_NOTES if case.ability == "absent" else "")
    return build([Message("user", question)], case.memories, count=count, budget=1500).messages


def _step(case: AbilityCase, said: str) -> str | None:
    try:
        step = json.loads(said)
        return f"{step['tool']} {json.dumps(timed(step['tool'], step['arguments'], case.text, _ASKED_AT))}"
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _key(model: Path) -> str:
    try:
        status = model.stat()
    except OSError as error:
        raise ModelError(f"{model.name} cannot be read: {error.strerror or error}.") from error
    return f"{model.name} {status.st_size} {status.st_mtime_ns}"


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
