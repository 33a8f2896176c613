"""Every system gets every question, and each leaves one line: what was asked, wanted, given and found, and its verdict.

erstwhile                 what `ask` says: the beliefs, a quote, or an abstention
erstwhile + model         the same; where it abstains without being sure that nobody ever said it, the model is asked
                          with what the memory found
plain FTS5                its best turn, always
full context + model      the model with the whole history

Each history is told to a memory of its own, slept over, and asked: nothing of one can answer another's questions. The
memories are scratch files that go when the run ends; the clock stands at the moment of asking.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import tzinfo
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from app.core.clock import FrozenClock
from app.evaluation.baselines import ROOM, PlainSearch, full_context, over_memory
from app.evaluation.cases import Case, History
from app.evaluation.judging import Judge, prompt, verdict
from app.evaluation.scoring import strictly_right, token_f1
from store.records import Answer, Hit, Recollection

if TYPE_CHECKING:
    from store.memory import Memory
    from store.protocols import LanguageModel

OURS, WITH_MODEL, PLAIN, WHOLE = "erstwhile", "erstwhile + model", "plain FTS5", "full context + model"
LOGGED = 10  # places of the ranking that the log keeps
DEPTH = 50  # hits that are asked for: enough that five sessions are among them
NOTED = 8  # turns that a model is given


@dataclass(frozen=True, slots=True)
class Trial:
    """One question, and what the memory gave."""

    history: str
    case: Case
    answer: Answer
    recollection: Recollection
    context: tuple[Hit, ...]  # what a model is given: beliefs, turns and a summary, best first

    @property
    def ranked(self) -> list[str]:
        """What evidence is named by, best first, each once: turns, or sessions by their best turn."""
        evidence, turns = self.case.evidence, (hit for hit in self.recollection.hits if hit.kind == "episode")
        by_session = not evidence or any(one.startswith("longmemeval:") for one in evidence)
        return list(dict.fromkeys(hit.session if by_session else hit.external_id or "" for hit in turns))


@contextmanager
def told(history: History, zone: tzinfo) -> Iterator[Memory]:
    """A scratch memory that heard a history."""
    from store.memory import Memory

    clock = FrozenClock(max(case.asked_at for case in history.cases))
    with (
        TemporaryDirectory(prefix="erstwhile-eval-") as folder,
        Memory.open(Path(folder) / "memory.db", clock=clock, zone=zone) as memory,
    ):
        for _ in memory.episodes.ingest(history.turns):
            pass
        for _ in memory.sleeping.run():
            pass
        yield memory


def asked(memory: Memory, history: History, *, for_model: bool = False) -> Iterator[Trial]:
    """Every question of a history, answered and recalled for; `for_model` also gathers what a model is given."""
    for case in history.cases:
        answer = memory.answering.ask(case.question)
        found = memory.recall.search(case.question, k=DEPTH)
        context = memory.answering.context(case.question, found.hits[:NOTED]) if for_model else ()
        yield Trial(history.name, case, answer, found, context)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question to one system."""

    system: str
    history: str
    id: str
    category: str
    question: str
    wanted: str
    answerable: bool
    given: str
    abstained: bool
    tier: int | None  # of an answer by the memory: 2 beliefs and quotes, 3 the model; None for a baseline
    kind: str  # belief, quote, abstention, model or turn
    ranked: tuple[str, ...]
    evidence: tuple[str, ...]
    rests_on_evidence: bool  # one of the turns that it cites is one that the benchmark gives as evidence
    right: bool
    """By the strict rule: the wanted answer stands in it word for word; for what has no answer, that it abstained."""
    f1: float
    elapsed_ms: float
    judged: bool | None = None  # what the judge said; None without a judge


@dataclass(frozen=True, slots=True)
class Panel:
    """What takes part beside the memory."""

    zone: tzinfo
    model: LanguageModel | None = None
    judge: Judge | None = None


_DECLINED = (
    "not mentioned", "no information", "not provided", "does not say", "never told", "do not know", "don't know",
    "don’t know",
)  # fmt: skip


def declined(given: str) -> bool:
    """Whether a model that is given all said that it does not know, or said nothing."""
    low = given.lower()
    return not low.strip() or any(words in low for words in _DECLINED)


def outcomes(histories: Iterator[History], panel: Panel) -> Iterator[Outcome]:
    """Every system's outcome to every question, as they come."""
    for history in histories:
        plain = PlainSearch(history.turns)
        with told(history, panel.zone) as memory:
            for one in asked(memory, history, for_model=panel.model is not None):
                for outcome in _of_question(one, history, plain, panel):
                    judged = None if panel.judge is None else verdict(panel.judge(prompt(one.case, outcome.given)))
                    yield replace(outcome, judged=judged)


def _of_question(one: Trial, history: History, plain: PlainSearch, panel: Panel) -> Iterator[Outcome]:
    ours = _ours(one)
    yield ours
    yield _plain(one, plain)
    if panel.model is None:
        return
    yield _with_model(one, ours, panel.model)
    given = full_context(panel.model, history.turns, one.case.question, one.case.asked_at)
    yield _outcome(one, WHOLE, given, kind="model", abstained=declined(given))


def _ours(one: Trial) -> Outcome:
    answer = one.answer
    kind = "abstention" if answer.abstained else "belief" if answer.facts else "quote"
    cited = frozenset(source.external_id or "" for source in answer.sources)
    return replace(
        _outcome(one, OURS, answer.text, kind=kind, abstained=answer.abstained),
        tier=answer.tier,
        ranked=tuple(one.ranked[:LOGGED]),
        rests_on_evidence=not answer.abstained and bool(cited & one.case.turns),
        elapsed_ms=answer.elapsed_ms,
    )


def _with_model(one: Trial, ours: Outcome, model: LanguageModel) -> Outcome:
    from app.core.composing import in_room, memory_line

    if not ours.abstained or one.answer.never_told:
        return replace(ours, system=WITH_MODEL)
    hits = in_room(one.context, model.count_tokens, int(getattr(model, "n_ctx", 4096)) - ROOM)
    notes = [memory_line(hit) for hit in hits]
    given = over_memory(model, notes, one.case.question, one.case.asked_at)
    outcome = _outcome(one, WITH_MODEL, given, kind="model", abstained=declined(given))
    return replace(outcome, tier=3, ranked=ours.ranked)


def _plain(one: Trial, plain: PlainSearch) -> Outcome:
    found = plain.search(one.case.question, DEPTH)
    by_session = bool(one.case.evidence) and all(key.startswith("longmemeval:") for key in one.case.evidence)
    ranked = tuple(dict.fromkeys(turn.session if by_session else turn.external_id or "" for turn in found))[:LOGGED]
    given = found[0].text if found else ""
    cited = bool(found) and found[0].external_id in one.case.turns
    outcome = _outcome(one, PLAIN, given, kind="turn", abstained=not found)
    return replace(outcome, ranked=ranked, rests_on_evidence=cited)


def _outcome(one: Trial, system: str, given: str, *, kind: str, abstained: bool) -> Outcome:
    case = one.case
    right = (not abstained and strictly_right(given, case.answer)) if case.answerable else abstained
    return Outcome(
        system, one.history, case.id, case.category, case.question, case.answer, case.answerable, given, abstained,
        None, kind, (), tuple(sorted(case.evidence)), False, right,
        0.0 if abstained or not case.answerable else token_f1(given, case.answer, case.category), 0.0,
    )  # fmt: skip


def systems(found: Sequence[Outcome]) -> list[str]:
    """The systems that took part, in the order of the table."""
    there = {one.system for one in found}
    return [name for name in (OURS, WITH_MODEL, PLAIN, WHOLE) if name in there]
