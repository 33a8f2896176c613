"""One model at a time is fetched, in a process of its own: nothing here waits for a server, and a pause is a kill."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from subprocess import CalledProcessError
from threading import Event
from typing import TYPE_CHECKING

from store.errors import ModelUnavailable

if TYPE_CHECKING:
    from app.llm.catalogue import FileToFetch
    from app.llm.fetch import Step

Source = Callable[["FileToFetch", Path, Event], Iterator["Step"]]
"""Brings a file into a folder until the event is set; the last step of one that came to its end has the path."""


def apart(wanted: FileToFetch, folder: Path, stop: Event) -> Iterator[Step]:
    """What app.llm.download does, in a process of its own. Raises ModelUnavailable."""
    from app.llm.child import environment
    from app.llm.fetch import Step
    from app.llm.running import lines

    command = (sys.executable, "-P", "-m", "app.llm.download", json.dumps(asdict(wanted)), str(folder))
    last = ""
    try:
        with closing(lines(command, stop, environment=environment())) as running:
            for last in running:
                if not last.startswith("{"):
                    continue
                said = json.loads(last)
                if "problem" in said:
                    raise ModelUnavailable(said["problem"])
                yield Step(said["sentence"], said["share"], Path(said["path"]) if said["path"] else None)
    except CalledProcessError:
        raise ModelUnavailable(f"{wanted.name} could not be fetched ({last[:200]}): try again.") from None


@dataclass
class Fetching:
    """What is being fetched, or was last."""

    source: Source = apart
    wanted: FileToFetch | None = None
    running: bool = False
    step: Step | None = None  # how far it has come; None before it says so
    problem: str = ""  # why it ended; empty while it runs, and after a pause or an end
    stop: Event = field(default_factory=Event)

    def begin(self, wanted: FileToFetch) -> None:
        self.wanted, self.running, self.step, self.problem, self.stop = wanted, True, None, "", Event()

    def advance(self, step: Step) -> None:
        """It has come so far; what a step does not say stays as it was."""
        known = step.share if step.share is not None or self.step is None else self.step.share
        self.step = replace(step, share=known)

    def forget(self, wanted: FileToFetch) -> None:
        """That its fetch failed is not told any more."""
        if self.wanted is not None and self.wanted.file == wanted.file:
            self.wanted, self.problem = None, ""

    def pause(self) -> None:
        """What has come is kept."""
        self.stop.set()

    def end(self, problem: str = "") -> None:
        self.running, self.step, self.problem = False, None, problem

    def steps(self, folder: Path) -> Iterator[Step]:
        """Fetch what `begin` was told. Raises ModelUnavailable."""
        assert self.wanted is not None
        return self.source(self.wanted, folder, self.stop)

    @property
    def words(self) -> str:
        """As the status line says it: fetching qwen3-4b 34%."""
        if not self.running or self.wanted is None:
            return ""
        share = self.step.share if self.step is not None else None
        return f"fetching {self.wanted.name}" + ("" if share is None else f" {share:.0%}")
