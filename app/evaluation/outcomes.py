"""Every system gets every question, and each leaves one line: what was asked, wanted, given and found, and its verdict.

erstwhile                 what `ask` says: the beliefs, a quote, or an abstention
erstwhile + model         the same; where it abstains without being sure that nobody ever said it, the model is asked
                          with what the memory found
plain FTS5                SQLite's full text with its porter stems, an OR of the question's words: its best turn, always
full context + model      the whole history before the model, newest turns kept where it is too long for it

Each history is told to a memory of its own, slept over, and asked: nothing of one can answer another's questions. The
memories are scratch files that go when the run ends; the clock stands at the moment of asking.

Every score is a pure function of what was asked for and what was given. Token F1 and its normalisation are those of
LoCoMo's own evaluation (Maharana et al., ACL 2024): lower case, no commas, punctuation or articles, Porter stems; a
list is scored part by part, of an open question only what stands before ";".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import tzinfo
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import apsw

from app.core.clock import FrozenClock
from app.core.composing import context_of, in_room, memory_line
from app.core.prompts import build
from app.evaluation.cases import Case, History
from app.evaluation.judging import Judge, prompt, verdict
from store.episodes.terms import STOPWORDS
from store.protocols import LanguageModel, Message
from store.records import Hit, Instant, ModelOptions, Turn
from store.text.stem import stem

if TYPE_CHECKING:
    from store.memory import Memory

OURS, WITH_MODEL, PLAIN, WHOLE = "erstwhile", "erstwhile + model", "plain FTS5", "full context + model"
LOGGED = 10  # places of the ranking that the log keeps
DEPTH = 50  # hits that are asked for: enough that five sessions are among them
NOTED = 8  # turns that a model is given
ROOM = 256  # tokens for the reply
SYSTEM = (
    "You answer questions about a conversation. Answer in a few words, from the conversation only."
    " If it does not say, answer: not mentioned."
)
_DECLINED = (
    "not mentioned", "no information", "not provided", "does not say", "never told", "do not know", "don't know",
    "don’t know",
)  # fmt: skip


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
    kind: str  # belief, quote, abstention, model or turn
    ranked: tuple[str, ...]
    evidence: tuple[str, ...]
    right: bool  # by the strict rule: the wanted answer is in it word for word, or rightly none
    f1: float
    rests_on_evidence: bool = False  # one of the turns that it cites is one that the benchmark gives as evidence
    tier: int | None = None  # of an answer by the memory: 2 beliefs and quotes, 3 the model; None for a baseline
    elapsed_ms: float = 0.0
    judged: bool | None = None  # what the judge said; None without a judge


def outcomes(
    histories: Iterator[History], zone: tzinfo, model: LanguageModel | None = None, judge: Judge | None = None
) -> Iterator[Outcome]:
    """Every system's outcome to every question, as they come; a model and a judge take part where they are given.
    Raises ModelError."""
    for history in histories:
        plain = PlainSearch(history.turns)
        with _told(history, zone) as memory:
            for case in history.cases:
                for outcome in _of_question(memory, plain, history, case, model):
                    judged = None if judge is None else verdict(judge(prompt(case, outcome.given)))
                    yield replace(outcome, judged=judged)


@contextmanager
def _told(history: History, zone: tzinfo) -> Iterator[Memory]:
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


def _of_question(
    memory: Memory, plain: PlainSearch, history: History, case: Case, model: LanguageModel | None
) -> Iterator[Outcome]:
    def scored(system: str, given: str, kind: str, abstained: bool, found: Sequence[Hit | Turn] = ()) -> Outcome:
        right = (not abstained and strictly_right(given, case.answer)) if case.answerable else abstained
        f1 = 0.0 if abstained or not case.answerable else token_f1(given, case.answer, case.category)
        by_session = all(key.startswith("longmemeval:") for key in case.evidence)
        ranked = dict.fromkeys(one.session if by_session else one.external_id or "" for one in found)
        return Outcome(
            system, history.name, case.id, case.category, case.question, case.answer, case.answerable, given,
            abstained, kind, tuple(ranked)[:LOGGED], tuple(sorted(case.evidence)), right, f1,
        )  # fmt: skip

    answer = memory.answering.ask(case.question)
    hits = memory.recall.search(case.question, k=DEPTH).hits
    kind = "abstention" if answer.abstained else "belief" if answer.facts else "quote"
    cited = frozenset(source.external_id or "" for source in answer.sources)
    ours = scored(OURS, answer.text, kind, answer.abstained, [hit for hit in hits if hit.kind == "episode"])
    rests = not answer.abstained and bool(cited & case.turns)
    ours = replace(ours, tier=answer.tier, rests_on_evidence=rests, elapsed_ms=answer.elapsed_ms)
    yield ours
    best = plain.search(case.question, DEPTH)
    turn = scored(PLAIN, best[0].text if best else "", "turn", not best, best)
    yield replace(turn, rests_on_evidence=bool(best) and best[0].external_id in case.turns)
    if model is not None:
        if not answer.abstained or answer.never_told:
            yield replace(ours, system=WITH_MODEL)
        else:
            given = _over_memory(model, memory, case, hits)
            asked = scored(WITH_MODEL, given, "model", declined(given))
            yield replace(asked, tier=3, ranked=ours.ranked)
        given = full_context(model, history.turns, case.question, case.asked_at)
        yield scored(WHOLE, given, "model", declined(given))


def declined(given: str) -> bool:
    """Whether a model that is given all said that it does not know, or said nothing."""
    low = given.lower()
    return not low.strip() or any(words in low for words in _DECLINED)


def systems(found: Sequence[Outcome]) -> list[str]:
    """The systems that took part, in the order of the table."""
    there = {one.system for one in found}
    return [name for name in (OURS, WITH_MODEL, PLAIN, WHOLE) if name in there]


class PlainSearch:
    """One history in FTS5, without anything of ours."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._turns = turns
        self._connection = apsw.Connection(":memory:")
        self._connection.execute("create virtual table said using fts5(text, tokenize='porter unicode61')")
        rows = [(place, f"{turn.speaker}: {turn.text}") for place, turn in enumerate(turns, 1)]
        self._connection.executemany("insert into said(rowid, text) values (?, ?)", rows)

    def search(self, question: str, k: int) -> list[Turn]:
        """The `k` turns that match best, best first."""
        words = [word for piece in question.split() if (word := "".join(c for c in piece if c.isalnum()))]
        match = " OR ".join(f'"{word}"' for word in [one for one in words if one.lower() not in STOPWORDS] or words)
        sql = "select rowid from said where said match ? order by rank limit ?"
        return [self._turns[row - 1] for (row,) in self._connection.execute(sql, (match, k))] if match else []


def full_context(model: LanguageModel, turns: Sequence[Turn], question: str, asked_at: Instant) -> str:
    """A model's answer with as much of the history before it as fits, the newest. Raises ModelError."""
    lines = [f"[{turn.said_at.iso()[:10] if turn.said_at else ''}] {turn.speaker}: {turn.text}" for turn in turns]
    room = context_of(model, ModelOptions()) - ROOM - model.count_tokens(SYSTEM + question) - 64
    kept, size = 0, 0
    while kept < len(lines) and size + len(lines[-kept - 1]) < room * 4:  # a token has some four characters
        size += len(lines[-kept - 1]) + 1
        kept += 1
    while kept and model.count_tokens("\n".join(lines[len(lines) - kept :])) > room:
        kept = kept * 9 // 10
    text = "\n".join([*lines[len(lines) - kept :], "", f"Today is {asked_at.iso()[:10]}. {question}"])
    return _reply(model, [Message("system", SYSTEM), Message("user", text)])


def _over_memory(model: LanguageModel, memory: Memory, case: Case, hits: Sequence[Hit]) -> str:
    budget, count = context_of(model, ModelOptions()) - ROOM, model.count_tokens
    context = memory.answering.context(case.question, tuple(hits[:NOTED]))
    notes = [memory_line(hit) for hit in in_room(context, count, budget)]
    asked = [Message("user", case.question)]
    today = case.asked_at.iso()[:10]
    return _reply(model, build(asked, notes, count=count, budget=budget, today=today, system=SYSTEM).messages)


def _reply(model: LanguageModel, messages: Sequence[Message]) -> str:
    return "".join(model.chat(messages, max_tokens=ROOM)).strip()


_PUNCTUATION = re.compile(r"[^\w\s]")
_ARTICLES = re.compile(r"\b(?:a|an|the|and)\b")


def normalised(text: str) -> str:
    """Lower case, without commas, punctuation, articles and spare spaces."""
    bare = _PUNCTUATION.sub("", text.lower().replace(",", ""))
    return " ".join(_ARTICLES.sub(" ", bare).split())


def strictly_right(answer: str, wanted: str) -> bool:
    """Whether the whole wanted answer stands in the answer, word for word, once both are normalised."""
    gold = normalised(wanted)
    return bool(gold) and f" {gold} " in f" {normalised(answer)} "


def token_f1(answer: str, wanted: str, category: str = "") -> float:
    """The harmonic mean of the shares of tokens in common, 0 to 1."""
    if category.startswith("1"):
        parts = [part for part in wanted.split(",") if part.strip()]
        given = answer.split(",")
        return sum(max(_f1(one, part) for one in given) for part in parts) / max(len(parts), 1)
    return _f1(answer, wanted.split(";")[0] if category.startswith("3") else wanted)


def _f1(answer: str, wanted: str) -> float:
    given, gold = (Counter(stem(word) for word in normalised(text).split()) for text in (answer, wanted))
    common = sum((given & gold).values())
    if not common:
        return 0.0
    precision, recall = common / given.total(), common / gold.total()
    return 2 * precision * recall / (precision + recall)
