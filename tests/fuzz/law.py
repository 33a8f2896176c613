"""The law for what is foreign: any bytes give a result or one of our own errors, within so much time and memory.

An error is one sentence for a person: it has words, and stands on one line. Anything else that is raised, a result that
is none (the targets look at theirs), and more than SECONDS or ROOM, is a fault.
"""

from __future__ import annotations

import resource
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from store.errors import ErstwhileError

SECONDS = 5.0
"""Of processor time, for one input of at most mutating.LONGEST bytes."""
ROOM = 1 << 30
"""Bytes of address space that one input may add."""


@dataclass(frozen=True, slots=True)
class Target:
    """A parser of foreign bytes."""

    name: str
    examples: tuple[bytes, ...]
    """Real inputs, from which foreign ones are made."""
    run: Callable[[bytes, Path], None]
    """Parses an input; may write to a folder of its own. Raises what the parser raises, and AssertionError where what
    came of it cannot be right."""
    words: bool = False
    """Its inputs are texts in a human language."""
    share: int = 1
    """How many inputs it gets for each of another one."""


class Overdue(BaseException):
    """The time is over; no handler of errors may take it for one."""


def fault(target: Target, data: bytes, folder: Path) -> str | None:
    """What is wrong with how a target takes an input: the error and where it was raised; None if nothing is."""
    try:
        with _bounded():
            target.run(data, folder)
    except ErstwhileError as error:
        said = str(error)
        return None if said.strip() and "\n" not in said else f"not one sentence: {said!r}"
    except (Exception, Overdue) as error:  # noqa: BLE001 # to find those that nobody expects is what this is for
        last = traceback.extract_tb(error.__traceback__)
        ours = [one for one in last if "/tests/fuzz/" not in one.filename and "/site-packages/" not in one.filename]
        at = (ours or last)[-1]
        return f"{type(error).__name__} at {Path(at.filename).name}:{at.lineno} ({at.name}): {str(error)[:200]}"
    return None


@contextmanager
def _bounded() -> Iterator[None]:
    """At most SECONDS and ROOM; only in the main thread."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    statm = Path("/proc/self/statm")
    if statm.exists():  # only Linux says how much is in use
        used = int(statm.read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + ROOM, hard))
    before = signal.signal(signal.SIGPROF, _overdue)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _overdue(_number: int, _frame: object) -> None:
    raise Overdue(f"more than {SECONDS} s")
