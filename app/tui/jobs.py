"""Every background job is started here: what it gives is handed back to the interface's thread, and only there does
anything touch the screen; one that raises is told in a sentence, and the app goes on.

A sentence that the store or the model wrote for the person is told as it is. Anything else is recorded with its
traceback (app/faults.py), and the sentence says where. A cancelled job is no fault, unless it was to change something.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import partial
from time import sleep
from typing import Any, TypeVar

from textual.app import App
from textual.dom import DOMNode
from textual.message import Message
from textual.worker import get_current_worker

from app import faults
from app.paths import log_file
from store.errors import Busy, ErstwhileError
from widgets.plain import one_line

Given = TypeVar("Given")
LONGEST = 160
"""Characters of an exception that are told; the log has it whole."""
AGAIN = 0.5
"""Seconds until work that nobody asked for is tried again."""
BACK = "leave with esc and come back to try again"
RESTART = "quit with ctrl+q and start again"


@dataclass(frozen=True, slots=True)
class Work:
    """What is known of a job before it starts."""

    doing: str
    """In plain words, as in "opening the memory"."""
    group: str
    exclusive: bool = True
    """It takes the place of what its screen has under way in the same group."""
    changes: bool = False
    """It changes something, so that its fault is told even if nobody waits for it any more."""
    by_itself: bool = False
    """Nobody asked for it: while another process has the file, it waits and tries again, and nothing is told."""
    advice: str = "try again"
    """What the person can do about a fault."""


class Job(Enum):
    """All that is done in the background."""

    OPEN_MEMORY = Work("opening the memory", "memory", advice=RESTART)
    OPEN_MODEL = Work("loading the model", "model", advice="choose one with f3; the memory answers without it")
    CHANGE_MODEL = Work("changing the model", "model", changes=True, advice="choose one again with f3")
    SET_UP = Work("setting up the model", "engine", changes=True, advice="try again with f3, then b")
    FETCH_MODEL = Work("fetching the model", "fetch", changes=True, advice="go on with f3; what came is kept")
    DROP_MODEL = Work("throwing a half-fetched model away", "fetch", changes=True)
    TEST_MODEL = Work("testing the model", "test", advice="try again with f3, then t")
    READ_MORNING = Work("reading the morning's brief", "morning", by_itself=True, advice=RESTART)
    LOOK_AROUND = Work("looking at the memory's folder", "folder", advice="see f9, the doctor")
    END_MORNING = Work("noting that the brief was read", "morning", changes=True, by_itself=True, advice="ctrl+e again")
    PREPARE_SCREENS = Work("preparing the screens", "warm", advice="go on; if a screen does not open, install anew")
    PREPARE_SEARCH = Work(
        "preparing the search", "recall", by_itself=True, advice="go on; the first search tries again"
    )
    COUNT = Work("counting what is remembered", "count", by_itself=True, advice="go on; the next message tries again")
    SLEEP = Work("sleeping", "sleep", by_itself=True, advice="try again with ctrl+s; nothing is half-done")
    DOZE = Work("finding out whether to sleep", "doze", by_itself=True, advice="sleep with ctrl+s")
    BACK_UP = Work("backing the memory up", "backup", by_itself=True, advice="make one with `erstwhile backup`")
    ANSWER = Work("answering", "turn", exclusive=False, advice="send the message again")
    READ_DRAFT = Work("bringing back what you were writing", "draft", advice="go on; it is in a file beside the memory")
    KEEP_DRAFT = Work("keeping what you type", "draft", exclusive=False, advice="go on; it is only lost in a crash")
    OPEN_SESSION = Work("opening the conversation", "session")
    READ_EXCHANGE = Work("reading what was said last", "exchange")
    READ_ON = Work("reading more of the conversation", "session", advice="scroll again")
    FIND = Work("searching the conversation", "find", advice="type it again")
    COPY = Work("copying to the desktop's clipboard", "copy", advice="go on; the terminal was told, too")
    CHANGE = Work("doing what was asked", "hand", exclusive=False, changes=True)
    MEASURE_ERASE = Work("counting what an erase would take", "radius", exclusive=False)
    READ_TIMELINE = Work("reading the timeline", "timeline", advice=BACK)
    READ_MAP = Work("reading what was believed when", "map", advice=BACK)
    READ_MEANING = Work("finding out what a question is about", "meaning")
    SAVE_PICTURE = Work("saving the picture", "picture", changes=True)
    READ_SOURCES = Work("reading what a belief rests on", "pointed", advice="go to it again")
    COMPARE = Work("comparing two moments", "difference")
    READ_BELIEFS = Work("reading the beliefs", "beliefs", advice=BACK)
    READ_CHAIN = Work("reading the chain of a belief", "chain", advice=BACK)
    READ_PAGE = Work("reading what is known of one subject", "entity", advice=BACK)
    READ_FADING = Work("reading what fades", "fading", advice=BACK)
    READ_DIARY = Work("reading the diary", "entries", advice=BACK)
    READ_ENTRY = Work("reading this part of the diary", "marked", advice="go to it again")
    READ_SLEEPS = Work("reading the log of sleeps", "runs", advice=BACK)
    READ_SLEEP = Work("reading what a sleep changed", "diff", advice="go to it again")
    READ_ASKED = Work("reading what was asked", "why", advice="press f2 again")
    READ_WHY = Work("reading why the answer is what it is", "why", advice=BACK)
    EXAMINE = Work("examining the installation", "doctor", advice=BACK)
    LIST_MODELS = Work("reading the model list", "shelf", advice=BACK)
    SEARCH = Work("searching", "search", advice="type it again")
    LIST_SESSIONS = Work("reading the list of conversations", "sessions", advice=BACK)
    LIST_NAMES = Work("reading the names for the palette", "names", advice="close the palette and open it again")
    CHANGE_SESSION = Work("changing a conversation", "remark", exclusive=False, changes=True)
    ATTACH = Work("attaching the file", "import", changes=True, advice="attach it again; what is there stays")
    READ_IMPORT = Work("reading what there is to import", "import", advice="try again with enter")
    IMPORT = Work("importing", "import", changes=True, advice="import it again; what is there stays")

    @property
    def doing(self) -> str:
        return self.value.doing


@dataclass
class JobAdvanced(Message):
    """A job has come so far; what it gives in the end is handed to whoever started it."""

    job: Job
    step: Any

    def can_replace(self, message: Message) -> bool:
        """Within a phase: one that was passed while the interface was busy must be seen to have been there."""
        after = message.step if isinstance(message, JobAdvanced) and message.job is self.job else None
        return after is not None and getattr(after, "phase", None) == getattr(self.step, "phase", None)


@dataclass
class JobFailed(Message):
    """A job ended in a fault."""

    job: Job
    sentence: str
    """What went wrong and what to do, in words for the person."""
    expected: bool
    """The store or the model wrote the sentence; else a traceback is in the log."""

    @property
    def in_place(self) -> str:
        """What stands where the job's work would stand; shorter than a sentence that is told beside it."""
        return self.sentence if self.expected else failed(self.job)


def failed(job: Job) -> str:
    """Opening the memory failed; see /home/me/.local/share/erstwhile/erstwhile.log"""
    return f"{_capital(job.doing)} failed; see {log_file()}"


def start(node: DOMNode, job: Job, work: Callable[[], Given], then: Callable[[Given], object] | None = None) -> None:
    """Do the work in a thread of its own, on behalf of a screen or the app; `then` is called with what it gives, in the
    interface's thread, unless `node` was left meanwhile.

    A fault is posted to `node` as JobFailed, or to the app where `node` was left meanwhile.
    """
    known = job.value
    node.run_worker(
        partial(_supervised, node, node.app, job, work, then), name=known.doing, group=known.group,
        exclusive=known.exclusive, thread=True, exit_on_error=False,
    )  # fmt: skip


def _supervised(
    node: DOMNode, app: App[Any], job: Job, work: Callable[[], Given], then: Callable[[Given], object] | None
) -> None:
    try:
        _done(node, job, work, then)
    except Exception as error:
        expected = isinstance(error, ErstwhileError)
        if job.value.changes or not get_current_worker().is_cancelled:
            message = JobFailed(job, str(error) if expected else _recorded(job, error), expected)
            if not node.post_message(message):  # its screen was left
                app.post_message(message)
        if not expected:
            raise  # the worker ends in a state of error, and nothing comes of that (exit_on_error)


def _done(node: DOMNode, job: Job, work: Callable[[], Given], then: Callable[[Given], object] | None) -> None:
    """Do the work, and, if the file was in another process's hands, again; until it is done or nobody wants it."""
    while True:
        try:
            given = work()
        except Busy:
            if not job.value.by_itself:
                raise
            if get_current_worker().is_cancelled:
                return
            sleep(AGAIN)
        else:
            if then is not None:
                node.call_later(then, given)
            return


def _recorded(job: Job, error: Exception) -> str:
    """Record the fault; returns the sentence that tells of it."""
    try:
        faults.record(job.doing, error)
        more = f"more is in {log_file()}"
    except OSError as problem:
        more = f"the log {log_file()} cannot be written ({problem.strerror})"
    what = one_line(f"{type(error).__name__}: {error}".removesuffix(": "), LONGEST)
    return f"{_capital(job.doing)} failed ({what}): {job.value.advice}; {more}."


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
