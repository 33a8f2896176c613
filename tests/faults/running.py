"""One run: a child forked from this warm process works in a folder of its own until it is killed, or the power is cut.

The child inherits no open file of a memory: whoever forks closes them first. It never returns into the caller's code.
"""

from __future__ import annotations

import json
import os
import random
import select
import shutil
import signal
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.faults import verbs
from tests.faults.disk import SECTOR, Disk
from tests.faults.failing import Mode
from tests.faults.recording import record
from tests.faults.verbs import Told
from tests.faults.work import Acknowledge, Found, Prepared, Work, judged

AFTER = "after"
"""The folder in a run's own that holds what a cut has left."""
_PATIENCE = 60.0
"""Seconds after which a child that says nothing is killed."""


@dataclass(slots=True)
class Life:
    """What became of a child."""

    told: Told = field(default_factory=list)
    steps: int = 0
    """Changes to files and syncs, if it recorded them and came to its end."""
    killed: bool = False
    seconds: float = 0.0
    """From its first line to its end."""


class Runs:
    """Runs over all kinds of work, in folders below one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._prepared = Prepared(folder)
        self._whole: dict[tuple[str, bool], Life] = {}
        self._count = 0

    def place(self, work: Work) -> Path:
        """A new folder that holds what the work begins with."""
        self._count += 1
        place = self._folder / f"run{self._count}"
        self._prepared.put(work, place)
        return place

    def warm(self, works: Iterable[Work]) -> None:
        """Do each work once in this process, so that no child has to load what it needs."""
        for work in works:
            place = self.place(work)
            work.do(place, adding([]))
            shutil.rmtree(place)

    def whole(self, work: Work, *, recorded: bool) -> Life:
        """The work done to its end by a child; run once."""
        if (work.name, recorded) not in self._whole:
            place = self.place(work)
            self._whole[work.name, recorded] = life(
                lambda tell: _recorded(work, place, tell, 0, 0) if recorded else _plain(work, place, tell)
            )
            shutil.rmtree(place)
        return self._whole[work.name, recorded]

    def kill(self, work: Work, seed: int) -> Found:
        """Kill the child at a moment that the seed gives, and look at what is left."""
        chance = random.Random(f"kill {work.name} {seed}")
        while True:
            place = self.place(work)
            ended = life(partial(_plain, work, place), chance.uniform(0, self.whole(work, recorded=False).seconds))
            found = judged(work, place, ended.told) if ended.killed else None
            shutil.rmtree(place)
            if found is not None:
                return found

    def cut(self, work: Work, seed: int) -> Found:
        """Cut the power in a step that the seed gives, and look at what the disk holds."""
        chance = random.Random(f"cut {work.name} {seed}")
        place = self.place(work)
        at = chance.randint(1, self.whole(work, recorded=True).steps)
        ended = life(lambda tell: _recorded(work, place, tell, at, chance.getrandbits(32)))
        found = judged(work, place / AFTER, ended.told)
        shutil.rmtree(place)
        return found

    def writes(self, work: Work, mode: Mode) -> int:
        """How many writes of the work, as verbs, could fail."""
        place = self.place(work)
        count = verbs.writes(work, place, mode)
        shutil.rmtree(place)
        return count

    def fail(self, work: Work, mode: Mode, at: int) -> Found | None:
        """Let that write fail, look at what is left when the disk is well again, and do the work once more. None where
        it came to its end before that write: how many steps a sleep takes is up to the clock."""
        place = self.place(work)
        told: Told = []
        wrong, came = verbs.failed(work, place, mode, at, told)
        found = Found(wrong=wrong)
        if came:
            found += judged(work, place, told)
            found.wrong += verbs.repeated(work, place, told)
            found += judged(work, place, told)
        shutil.rmtree(place)
        return found if came else None


def adding(told: Told) -> Acknowledge:
    """What appends to a list."""
    return lambda kind, what: told.append((kind, what))


def _telling(tell: int) -> Acknowledge:
    """Acknowledgements go through a pipe, a line each: one that was written outlives the child."""
    return lambda kind, what: _line(tell, kind, what)


def _line(tell: int, kind: str, what: str) -> None:
    os.write(tell, json.dumps([kind, what]).encode() + b"\n")


def _plain(work: Work, place: Path, tell: int) -> None:
    work.do(place, _telling(tell))


def _recorded(work: Work, place: Path, tell: int, at: int, seed: int) -> None:
    """Do the work; in the step `at`, write what the disk would hold to a folder in it, and die. None is 0."""

    def cut(disk: Disk) -> None:
        _leave(disk, place / AFTER, random.Random(seed))
        os.kill(os.getpid(), signal.SIGKILL)

    disk = Disk(place, at, cut)
    recorder = record(disk)  # held, or it would not last
    work.do(place, _telling(tell))
    del recorder
    unknown = {path.name for path in place.iterdir() if not path.name.endswith("-shm")} ^ set(disk.files)
    if unknown:
        raise RuntimeError(f"the recorder missed what became of {sorted(unknown)}")
    if at:  # what the clock gives can make a run some steps shorter
        cut(disk)
    _line(tell, "steps", str(disk.steps))


def _leave(disk: Disk, after: Path, chance: random.Random) -> None:
    """Write what the disk holds after a cut; the shared memory of a WAL, which is never synced, is anything."""
    after.mkdir()
    for name, data in disk.after_cut(chance).items():
        (after / name).write_bytes(data)
    for shared in disk.folder.glob("*-shm"):
        data = shared.read_bytes()
        sectors = (data[at : at + SECTOR] for at in range(0, len(data), SECTOR))
        if chance.random() < 0.5:
            (after / shared.name).write_bytes(b"".join(chance.choice((one, bytes(len(one)))) for one in sectors))


def life(work: Callable[[int], None], seconds: float | None = None) -> Life:
    """Fork a child that does the work, and hear it out; kill it so many seconds after it began, if it is still there.
    Raises RuntimeError where it ends with an error of its own."""
    heard, tell = os.pipe()
    child = os.fork()
    if child == 0:
        _work_and_leave(work, tell)
    os.close(tell)
    ended = Life()
    try:
        lines = _heard(heard, child, seconds, ended)
    finally:
        os.close(heard)
        _, status = os.waitpid(child, 0)
    ended.killed = os.WIFSIGNALED(status)
    if not ended.killed and os.WEXITSTATUS(status):
        raise RuntimeError("the child ended with an error, which it printed")
    for line in lines.splitlines():
        kind, what = json.loads(line)
        if kind == "steps":
            ended.steps = int(what)
        elif kind != "begun":
            ended.told.append((kind, what))
    return ended


def _work_and_leave(work: Callable[[int], None], tell: int) -> None:
    """In the child: never returns."""
    status = 1
    try:
        _line(tell, "begun", "")
        work(tell)
        status = 0
    finally:
        if status:
            traceback.print_exc()
        os._exit(status)


def _heard(pipe: int, child: int, seconds: float | None, ended: Life) -> bytes:
    """All that the child writes until it ends; it is killed so many seconds after the first line."""
    lines, began, left = b"", time.monotonic(), _PATIENCE
    while True:
        ready, _, _ = select.select([pipe], [], [], max(0.0, left))
        if not ready:
            os.kill(child, signal.SIGKILL)
            seconds, left = None, _PATIENCE
            continue
        data = os.read(pipe, 1 << 16)
        if not data:
            ended.seconds = time.monotonic() - began
            return lines
        if not lines:
            began = time.monotonic()
        lines += data
        left = _PATIENCE if seconds is None else began + seconds - time.monotonic()
