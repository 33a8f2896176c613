"""A benchmark runs in scratch memories and never touches the person's own; every figure can be traced to its line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from app.cli.session import CommandContext, Given, command, tell
from app.core.models import load
from app.core.settings import chosen_model
from app.evaluation import cases, tables
from app.evaluation.judging import by_address, by_model
from app.evaluation.outcomes import OURS, Outcome, outcomes
from app.llm.find import examine
from app.llm.process import ModelProcess
from store.errors import BadInput, ModelUnavailable
from widgets.plain import one_line

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
    with ExitStack() as stack:  # what is started here ends with it
        sits = None
        if judge is not None:
            sits = by_address(judge) if "://" in judge else by_model(stack.enter_context(_loaded(Path(judge))))
        speaks = stack.enter_context(_loaded(None)) if model else None
        histories = cases.read(benchmark, path, session.zone, limit)
        found = list(_logged(outcomes(histories, session.zone, speaks, sits), out))
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


COMMANDS = (evaluate,)
