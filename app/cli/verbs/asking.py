"""Asking never writes: these verbs read the memory on both time axes and print what they find, with its sources.

A model answers a question only where the memory does not, under the same rules as in the chat. Tier 3: one call over
what the memory gathered, by a model that is loaded when it is first needed; tier 4: after steps in which a model that
passed the tests for it looked for itself. Whether it may be asked at all (too small, no turn that bears on the
question) is decided in turn.py, for the chat and for this alike.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import cache
from io import TextIOWrapper
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from app.cli.session import CommandContext, Given, command, tell, write
from app.core import rendering
from app.core.rendering import as_json
from store.errors import BadInput, ErstwhileError, UsageError
from store.records import ModelOptions, Turn
from store.text.cleaning import whole
from widgets.plain import one_line

if TYPE_CHECKING:
    from app.core.turn import Voice
    from store.memory import Memory
    from store.records import Answer, Hit, Instant, Stretch

NOTHING = "Nothing is believed about that. `erstwhile sleep` reads turns that were imported."
MOST = 1000  # turns that are shown at most
_as_of = click.option("--as-of", metavar="D", help='World time: what was true then ("2024-03", "last June").')
_believed = click.option("--believed", metavar="D", help="Belief time: what you held to be true then.")
_about = click.option("--about", metavar="S", help='Whom or what: "me", a name, "my brother".')


@command()
@click.argument("question")
@_as_of
@_believed
@click.option("--no-model", is_flag=True, help="Never call a model, even where the memory alone does not know.")
def ask(session: CommandContext, question: str, no_model: bool, **times: Given) -> None:
    """Ask QUESTION, or - to read questions as JSON lines; answers come with their sources."""
    from app.core.settings import read

    with (
        session.memory(reading=True) as memory,
        closing(Reasoning((lambda: None) if no_model else chosen_voice, session.now, read().speaking)) as reasoning,
    ):
        if question == "-":
            _stream(lambda line: _ask(session, memory, reasoning, line))
            return
        document = _ask(session, memory, reasoning, {"question": question, **times})
    sources = [f"    {one['said_at'][:10]} “{one_line(one['quote'], 100)}”" for one in document["sources"]]
    session.emit(document, one_line(document["text"]), *sources)


def _ask(session: CommandContext, memory: Memory, reasoning: Reasoning, line: dict[str, Any]) -> dict[str, Any]:
    question = line["question"]
    as_of, believed = session.when(line.get("as_of")), session.believed(line.get("believed"))
    answer = memory.answering.ask(question, as_of=as_of, believed=believed)
    if answer.abstained:
        answer = reasoning.answer(memory, question, answer, as_of=as_of, believed=believed)
    document: dict[str, Any] = as_json(answer)
    return document


class Reasoning:
    """Answers of tiers 3 and 4."""

    def __init__(
        self, load: Callable[[], Voice | None], now: Callable[[], Instant] | None = None,
        speaking: ModelOptions | None = None,
    ) -> None:  # fmt: skip
        """`load` gives the voice, or None where there is no model to ask. `now` is when the questions are asked;
        without it, times in them are not read and no step is taken. `speaking`: how the model speaks, where the
        settings say something of that."""
        self._voice, self._now, self._speaking = cache(load), now, speaking or ModelOptions()

    def answer(
        self, memory: Memory, question: str, first: Answer, *, as_of: Stretch | None, believed: int | None
    ) -> Answer:
        """What the model makes of it; `first`, the memory's own abstention, where no model may be asked: where the
        memory is sure that nobody ever said it, and where the model is one that makes things up. Raises ModelError."""
        from app.core.clock import Times
        from app.core.tooling import ToolUsed
        from app.core.turn import MEMORY_SPEAKER, Closed, Prompted, Request, take_turn

        began = perf_counter()
        voice = None if first.never_told else self._voice()
        if voice is None or voice.invents:
            return first
        asked = Turn(question, "ask", said_at=self._now() if self._now else None)
        request = Request(asked, times=Times(as_of, believed), off_record=True, options=self._speaking)
        events = list(take_turn(memory, voice, request, threading.Event()))
        closed = next(event for event in events if isinstance(event, Closed))
        was_asked = any(isinstance(event, Prompted) for event in events)
        if not (was_asked and closed.text.strip()) or closed.problem or closed.speaker == MEMORY_SPEAKER:
            return first
        tier = 4 if any(isinstance(event, ToolUsed) for event in events) else 3
        spent = first.elapsed_ms + round((perf_counter() - began) * 1000, 3)
        text = closed.text.strip()
        return replace(first, text=text, tier=tier, abstained=False, elapsed_ms=spent, sources=closed.sources)

    def close(self) -> None:
        """End the model's process, if one was started."""
        if self._voice.cache_info().currsize and (voice := self._voice()) is not None:
            getattr(voice.model, "close", lambda: None)()


def chosen_voice() -> Voice | None:
    """The chat's model, ready to speak; None where there is none, or it cannot be loaded or is too small."""
    from app.core.models import load
    from app.core.opening import open_model
    from app.core.settings import Settings, chosen_model
    from app.llm.small import TRUSTED_SIZE
    from store.errors import ErstwhileError

    chosen = chosen_model()
    if chosen is None or chosen.size < TRUSTED_SIZE:
        return None
    try:
        return open_model(lambda: load(chosen), Settings())
    except ErstwhileError as error:
        tell(f"erstwhile: {error} The memory answers alone.")
        return None


@command()
@click.argument("query")
@click.option("-k", default=10, show_default=True, type=click.IntRange(1, MOST), help="How many.")
@_as_of
@_believed
@click.option("--speaker", metavar="NAME", help="Only what this speaker said.")
@click.option("--source", metavar="S", help='Only turns that came from there: "import:jsonl", "command".')
@click.option("--session", "conversation", metavar="S", help="Only this conversation.")
@click.option("--fast", is_flag=True, help="Do not read the first turns beside the query: quicker, less exact.")
@click.option("--why", is_flag=True, help="Why each stands where it does, and what the filters left out.")
def recall(session: CommandContext, query: str, why: bool, fast: bool, conversation: Given, **told: Any) -> None:
    """Find the turns that bear on QUERY, ranked; - reads queries as JSON lines. Never calls a chat model."""
    told["session"] = conversation

    def narrowed(line: dict[str, Any]) -> dict[str, Any]:
        """How many, at which times and of which turns: what the line says, else what the command was told."""
        said = {name: line.get(name) or value for name, value in told.items()}
        return {**said, "as_of": session.when(said["as_of"]), "believed": session.believed(said["believed"])}

    def found(line: dict[str, Any]) -> tuple[Hit, ...]:
        return memory.recall.search(line["question"], fast=fast, **narrowed(line)).hits

    with session.memory(reading=True) as memory:
        if query == "-":
            memory.recall.warm()
            _stream(lambda line: {"hits": as_json(found(line))})
            return
        if why:
            judged = memory.recall.explain(query, fast=fast, **narrowed({}))
            session.emit(rendering.judged_json(judged), *rendering.judged_lines(judged))
            return
        hits = found({"question": query})
    lines = [rendering.hit_line(number, hit) for number, hit in enumerate(hits, 1)]
    session.emit({"query": query, "hits": as_json(hits)}, *(lines or ["No turn bears on that."]))


def _stream(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """One JSON line out for each JSON line in; a line that cannot be read is answered with an error, in its place."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    for number, line in enumerate(sys.stdin, 1):
        if not line.strip():
            continue
        key: object = None
        try:
            asked = _object(line, number)
            key = asked.get("id")
            document = {"id": key, **answer(_checked(asked, number))}
        except ErstwhileError as error:
            document = {"id": key, "error": str(error)}
        write(json.dumps(document, ensure_ascii=False))


def _object(line: str, number: int) -> dict[str, Any]:
    try:
        asked = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"Line {number} is not JSON ({error}); write one object a line.") from error
    if not isinstance(asked, dict):
        raise BadInput(f"Line {number} is not a JSON object.")
    return asked


def _checked(asked: dict[str, Any], number: int) -> dict[str, Any]:
    """The line, if each of its values is of its kind. Raises BadInput."""
    for name in ("question", "as_of", "believed", "speaker", "source", "session"):
        if not isinstance(asked.get(name), str if name == "question" else str | None):
            raise BadInput(f'Line {number} has no text under "{name}".')
    k = asked.get("k")
    if k is not None and (type(k) is not int or not 1 <= k <= MOST):
        raise BadInput(f'Line {number} has no whole number from 1 to {MOST} under "k".')
    return {name: whole(value) if isinstance(value, str) else value for name, value in asked.items()}


@command()
@_about
@click.option("--predicate", metavar="P", help="Which: lives_in, works_at, ...")
@_as_of
@_believed
@click.option(
    "--believed-during", "during", metavar="D", help="Belief time: what you held at any moment of that stretch."
)
@click.option("--all", "everything", is_flag=True, help="Everything that was ever believed, over all of time.")
@click.option("--unsure", is_flag=True, help="Only what the reader heard and is not sure of.")
def facts(
    session: CommandContext, about: Given, predicate: Given, everything: bool, unsure: bool, **times: Given
) -> None:
    """What is believed, now or at other times."""
    if unsure and (everything or any(times.values())):
        raise UsageError("What is unsure is believed at no time: give --unsure with --about or --predicate alone.")
    with session.memory(reading=True) as memory:
        if unsure:
            found, nothing, lines = memory.reading.unsure(about=about, predicate=predicate), "Nothing is unsure.", []
            for fact in found:  # with the words that it was heard in
                quote = fact.sources[0].quote if fact.sources else ""
                lines += [f"? {one_line(fact.text, 120)}  ({fact.id})", f"    “{one_line(quote, 100)}”"]
        else:
            found = memory.beliefs.facts(
                about=about, predicate=predicate, as_of=session.when(times["as_of"]),
                believed=session.believed(times["believed"]), during=session.when(times["during"]),
                everything=everything,
            )  # fmt: skip
            nothing, lines = NOTHING, rendering.fact_lines(found, memory.latest())
    session.emit({"facts": as_json(found)}, *(lines or [nothing]))


@command()
@click.argument("subject")
@click.argument("predicate")
def chain(session: CommandContext, subject: str, predicate: str) -> None:
    """How one belief changed: what replaced what, and whether the world changed or the belief was wrong."""
    with session.memory(reading=True) as memory:
        links = memory.beliefs.chain(subject, predicate)
        now = memory.latest()
    lines = []
    for link in links:
        lines += rendering.fact_lines([link.fact], now)
        lines.append(f"    ── {_STEP.get(link.kind, link.kind)} ── “{one_line(link.because, 90)}”")
    session.emit({"subject": subject, "predicate": predicate, "links": as_json(links)}, *(lines or [NOTHING]))


_STEP = {
    "new": "first heard", "update": "moved: the world changed, the old stays true for its time",
    "correct": "corrected: it had never been so", "stop": "ended", "backfill": "told late",
    "elaborate": "said more exactly", "dispute": "disputed", "retract": "taken back",
}  # fmt: skip


@command()
@click.option("--since", required=True, metavar="D", help="From when on.")
@click.option("--until", metavar="D", help="Up to when (default: now).")
def changes(session: CommandContext, since: str, until: Given) -> None:
    """What began to be believed, or ceased to be, between two dates."""
    start = session.when(since)
    assert start is not None
    end = session.believed(until)
    with session.memory(reading=True) as memory:
        found = memory.beliefs.changes(start.start or 0, None if end is None else end + 1)
    lines = []
    for one in found:
        new = one_line(one.new.text) if one.new else "(nothing)"
        old = f"   was: {one_line(one.old.text)}" if one.old else ""
        lines.append(f"{one.at.iso()[:10]} {one.kind:<10} {new}{old}")
    session.emit({"changes": as_json(found)}, *lines)


@command()
@_about
def timeline(session: CommandContext, about: Given) -> None:
    """Every belief there ever was, along world time."""
    with session.memory(reading=True) as memory:
        found = memory.beliefs.timeline(about)
        lines = rendering.fact_lines(found, memory.latest())
    session.emit({"facts": as_json(found)}, *lines)


@command()
@click.argument("text")
@click.option("--at", metavar="D", help="The moment at which it is said (default: now).")
def when(session: CommandContext, text: str, at: Given) -> None:
    """How the expressions of time in TEXT are read."""
    from datetime import datetime

    from store.records import Instant
    from store.time.expressions import parse_iso, read_times
    from store.time.wording import describe

    zone = session.zone
    anchor = datetime.now(zone) if at is None else parse_iso(at, zone).local().astimezone(zone)
    found = read_times(text, anchor)
    document = {
        "text": text, "at": Instant.of(anchor).iso(),
        "expressions": [
            {
                "text": one.text, "start": one.start, "end": one.end, "kind": one.kind, "role": one.role,
                "resolved": one.stretch is not None,
                "from": as_json(one.stretch and one.stretch.first()), "to": as_json(one.stretch and one.stretch.last()),
                "precision": one.stretch.precision.value if one.stretch else None, "frequency": one.frequency,
            }
            for one in found
        ],
    }  # fmt: skip
    lines = [f"“{one_line(x.text)}”  {describe(x.stretch) if x.stretch else 'left open'}" for x in found]
    session.emit(document, *(lines or ["There is no expression of time in it."]))


COMMANDS = (ask, recall, facts, chain, changes, timeline, when)
