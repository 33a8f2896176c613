"""What nothing needs: each function and pattern of a room is switched off alone, and what changed is looked at.

    python -m tests.bench.ablation store.recall --jobs 2 > changed.tsv
    python -m tests.bench.ablation store.reading --jobs 2 > changed.tsv

A function that is switched off gives what means nothing by its annotation (None, False, an empty text or sequence), or
its first argument where both are of one type; a pattern matches nothing. The questions are those of the diaries that
lie beside this file, and of the corpus's people who are held out, each in the memory of its person: only what called
the function is asked again. Of `store.reading` it is the messages of the same people, and of those who calibrate, that
are read again. Each line says how many answers (or messages) used it, how many changed, how many raised, where it is,
and what changed first; of messages it says before that what the marks say of the change: how many more claims are
right, less how many more are not.

A count of 0 does not justify a deletion by itself: the diaries are written as people write, and the plainest sentences
are rare in them. The tests of single sentences and the demo year (tests/bench/demo_eval.py) say the rest.
"""

from __future__ import annotations

import argparse
import collections
import importlib
import inspect
import json
import pkgutil
import re
import signal
import sys
import tempfile
import types
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Protocol
from unittest import mock

import apsw

from store.errors import ErstwhileError
from store.memory import Memory
from store.reading.extract import Speakers, read
from store.records import Instant
from tests.bench import diaries
from tests.bench.reading import episodes

HERE = Path(__file__).parent
ENOUGH = 25
"""Answers that change, from which on no more are asked."""
LONGEST = 10
"""Seconds that an answer may take, as a loop may no longer end."""
RAISED = (
    ErstwhileError, apsw.Error, ArithmeticError, AssertionError, AttributeError, LookupError, OSError, RuntimeError,
    StopIteration, TypeError, ValueError,
)  # fmt: skip
"""What comes of a function that gives nothing; TimeoutError is an OSError."""
SETS = ("changing", "eight", "later", "newcomers", "working")
READING = "store.reading"
MARKED = (
    "diaries_changing_messages.jsonl", "diaries_later_messages.jsonl", "diaries_weeks_messages.jsonl",
    "diaries_plain_messages.jsonl", "diaries_working_messages.jsonl", "chats_held.jsonl", "chats_plain.jsonl",
)  # fmt: skip
"""Messages with marks, beside those of the corpus."""
REACH = 12
"""Turns before a message that it may lean on."""
NOTHING: dict[str, Callable[..., Any]] = {
    "none": lambda *given, **named: None,
    "false": lambda *given, **named: False,
    "text": lambda *given, **named: "",
    "zero": lambda *given, **named: 0,
    "tuple": lambda *given, **named: (),
    "list": lambda *given, **named: [],
    "dict": lambda *given, **named: {},
    "set": lambda *given, **named: frozenset(),
    "iterator": lambda *given, **named: iter(()),
    "first": lambda first, *given, **named: first,
    "second": lambda owner, first, *given, **named: first,
}
"""What a function that is switched off does, by what it should give."""
_KINDS = (
    ("bool", "false"), ("str", "text"), ("int", "zero"), ("float", "zero"), ("tuple[", "tuple"), ("Sequence[", "tuple"),
    ("list[", "list"), ("dict[", "dict"), ("Mapping[", "dict"), ("Iterator[", "iterator"), ("Iterable[", "iterator"),
    ("frozenset[", "set"), ("set[", "set"), ("Set[", "set"),
)  # fmt: skip


class Clock:
    """Stands still, that two runs give the same answers."""

    def now(self) -> Instant:
        return Instant.of(datetime(2026, 11, 29, 12, tzinfo=UTC))


@dataclass
class Part:
    """A function or a pattern that can be switched off."""

    name: str
    off: Callable[[], None]
    on: Callable[[], None]
    code: types.CodeType | None = None
    """Of a function: by it, calls are seen."""
    watch: Callable[[Callable[[], None]], None] | None = None
    """Of a pattern: has it call something when it matches."""


def parts(room: str) -> list[Part]:
    """Every function, method and pattern that a room's modules define."""
    package = importlib.import_module(room)
    names = [room, *(one.name for one in pkgutil.walk_packages(package.__path__, f"{room}."))]
    return [part for name in names for part in _of_module(importlib.import_module(name))]


def _of_module(module: types.ModuleType) -> Iterator[Part]:
    for name, thing in list(vars(module).items()):
        if isinstance(thing, re.Pattern):
            if _assigned(module, name):
                yield _pattern(module, name, thing)
        elif inspect.isclass(thing) and thing.__module__ == module.__name__:
            for inner, method in list(vars(thing).items()):
                found = _function(method)
                if found is not None and not inner.startswith("__") and found.__module__ == module.__name__:
                    yield _switch(f"{module.__name__}.{name}.{inner}", found, method)
        else:
            found = _function(thing)
            if found is not None and found.__module__ == module.__name__:
                yield _switch(f"{module.__name__}.{name}", found, thing)


def _assigned(module: types.ModuleType, name: str) -> bool:
    return re.search(rf"(?m)^{name}\b.*=", inspect.getsource(module)) is not None


def _function(thing: Any) -> types.FunctionType | None:
    for attribute in ("__wrapped__", "__func__", "fget", "func"):
        thing = getattr(thing, attribute, thing)
    return thing if isinstance(thing, types.FunctionType) and not thing.__code__.co_freevars else None


def _switch(name: str, function: types.FunctionType, holder: Any) -> Part:
    code, defaults, keywords = function.__code__, function.__defaults__, function.__kwdefaults__
    nothing = NOTHING[_kind(function)].__code__

    def forget() -> None:
        if hasattr(holder, "cache_clear"):
            holder.cache_clear()

    def off() -> None:
        function.__defaults__ = function.__kwdefaults__ = None
        function.__code__ = nothing
        forget()

    def on() -> None:
        function.__code__, function.__defaults__, function.__kwdefaults__ = code, defaults, keywords
        forget()

    return Part(name, off, on, code)


def _kind(function: types.FunctionType) -> str:
    """What means nothing where a function is to give something."""
    given = str(function.__annotations__.get("return", "None"))
    first = list(function.__annotations__.items())[:1]
    if first and first[0][0] != "return" and first[0][1] == given and given != "bool":
        return "second" if "self" in function.__code__.co_varnames[:1] else "first"
    if "None" in given:
        return "none"
    return next((kind for start, kind in _KINDS if given.startswith(start)), "none")


class _Seen:
    """A pattern that says of itself when it matches."""

    def __init__(self, pattern: re.Pattern[str], found: Callable[[], None]) -> None:
        self._pattern, self._found = pattern, found

    def __getattr__(self, name: str) -> Any:
        thing = getattr(self._pattern, name)
        if not callable(thing):
            return thing

        def call(*given: Any, **named: Any) -> Any:
            gives = thing(*given, **named)
            gives = list(gives) if name == "finditer" else gives
            text = given[1] if name in ("sub", "subn") else given[0]
            unchanged = {"sub": text, "subn": (text, 0), "split": [text]}
            if gives and gives != unchanged.get(name):
                self._found()
            return iter(gives) if name == "finditer" else gives

        return call


class _Never:
    """A pattern that matches nothing."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern, self.flags, self.groupindex = pattern.pattern, pattern.flags, pattern.groupindex

    def search(self, *_: object) -> None:
        return None

    match = fullmatch = search

    def finditer(self, *_: object) -> Iterator[re.Match[str]]:
        return iter(())

    def findall(self, *_: object) -> list[str]:
        return []

    def sub(self, _: object, text: str, count: int = 0) -> str:
        return text

    def split(self, text: str, maxsplit: int = 0) -> list[str]:
        return [text]


def _pattern(module: types.ModuleType, name: str, pattern: re.Pattern[str]) -> Part:
    holders = [
        (other, key)
        for other in list(sys.modules.values())
        if getattr(other, "__name__", "").split(".")[0] in ("store", "app")
        for key, value in list(vars(other).items())
        if value is pattern
    ]

    def put(thing: object) -> None:
        for holder, key in holders:
            setattr(holder, key, thing)

    return Part(
        f"{module.__name__}.{name}", lambda: put(_Never(pattern)), lambda: put(pattern),
        watch=lambda found: put(_Seen(pattern, found)),
    )  # fmt: skip


class Trial(Protocol):
    """Something that the program does many times, and what it gives each time."""

    @property
    def size(self) -> int:
        """How many times."""

    def answer(self, at: int) -> str:
        """What it gives, or what was raised."""

    def shown(self, at: int) -> str:
        """What it was given."""

    def gained(self, at: int, before: str, after: str) -> int:
        """How much better the second is than the first, where that is known."""


class Told:
    """The messages of people whom nobody trained on, and what is claimed of them; the networks run once."""

    def __init__(self) -> None:
        people = json.loads((diaries.CORPUS / "people.json").read_text("utf-8"))
        every = diaries.lines((diaries.CORPUS / "messages.jsonl").read_text("utf-8"))
        told = [one for one in every if people[one["persona"]]["part"] != "train"]
        for name in MARKED:
            told += diaries.lines((HERE / name).read_text("utf-8"))
        self.messages = told
        self.turns = episodes(told)
        _remember_networks()

    @property
    def size(self) -> int:
        return len(self.turns)

    def shown(self, at: int) -> str:
        return self.turns[at].text[:150]

    def answer(self, at: int) -> str:
        turn = self.turns[at]
        before = [one for one in self.turns[max(0, at - REACH) : at] if one.session == turn.session]
        signal.alarm(LONGEST)
        try:
            claims = read(turn, before, Speakers(frozenset({"me"})))
        except RAISED as error:
            return f"raised {type(error).__name__}: {error}"
        finally:
            signal.alarm(0)
        said = [(c.subject, c.predicate, c.object, c.negative, c.cue, c.modality, str(c.valid)) for c in claims]
        return json.dumps(said)

    def gained(self, at: int, before: str, after: str) -> int:
        return self._worth(at, after) - self._worth(at, before)

    def _worth(self, at: int, claims: str) -> int:
        """Right claims less those that are not: of the right one, with half of the marked words."""
        marks = [(diaries.words(one["o"]), one["s"] == "me") for one in self.messages[at]["claims"]]
        found = [(diaries.words(value), whose == "me") for whose, _, value, *_ in json.loads(claims)]
        right = sum(any(diaries.share(told, words) and mine == me for told, mine in marks) for words, me in found)
        return 2 * right - len(found)


class Asked:
    """The questions, each in the memory of its person; what the networks say is computed once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.opened: dict[str, Memory] = {}
        self.questions = [
            (file.stem, question)
            for file in sorted(folder.glob("*.questions.json"))
            for question in json.loads(file.read_text("utf-8"))
        ]
        _remember_networks()

    @property
    def size(self) -> int:
        return len(self.questions)

    def shown(self, at: int) -> str:
        return str(self.questions[at][1])

    def gained(self, at: int, before: str, after: str) -> int:
        return 0

    def answer(self, at: int) -> str:
        """What is answered, with its sources."""
        person, question = self.questions[at]
        memory = self.opened.get(person)
        if memory is None:
            file = self.folder / f"{person.removesuffix('.questions')}.db"
            memory = self.opened[person] = Memory.open(file, clock=Clock(), zone=UTC)
        memory.answering.forget()
        signal.alarm(LONGEST)
        try:
            answer = memory.answering.ask(question)
        except RAISED as error:
            return f"raised {type(error).__name__}: {error}"
        finally:
            signal.alarm(0)
        quotes = " ".join(str(source.quote) for source in answer.sources[:2])
        return f"{answer.about} {answer.abstained} {answer.text} | {quotes}"


def _remember_networks() -> None:
    from store.reading.network import Network

    kept: dict[tuple[object, ...], Any] = {}
    encode = Network.encode

    def remembered(self: Network, ids: list[int], segments: list[int]) -> Any:
        key = (self.path, tuple(ids), tuple(segments))
        if key not in kept:
            kept[key] = encode(self, ids, segments)
        return kept[key]

    mock.patch.object(Network, "encode", remembered).start()


def prepare(folder: Path) -> None:
    """Import each person's messages, sleep, and lay the questions beside the memory."""
    people: dict[str, tuple[list[Any], list[Any]]] = collections.defaultdict(lambda: ([], []))
    for name in SETS:
        for at, kind in enumerate(("messages", "questions")):
            for line in diaries.lines((HERE / f"diaries_{name}_{kind}.jsonl").read_text("utf-8")):
                people[line["persona"]][at].append(line)
    for question in (*diaries.held_out("questions.jsonl"), *diaries.lines((HERE / "diaries_asked.jsonl").read_text())):
        people[question["persona"]][1].append(question)
    for person, (messages, questions) in people.items():
        told = messages or diaries.of_people({person})
        diaries.tell(folder / f"{person}.db", map(diaries.turn_of, told), *diaries.speakers(told))
        (folder / f"{person}.questions.json").write_text(json.dumps([one["q"] for one in questions]), "utf-8")


_WORK: Trial
_PARTS: list[Part]


def _begin(folder: Path, room: str) -> None:
    global _WORK, _PARTS

    def stop(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, stop)
    _WORK, _PARTS = Told() if room == READING else Asked(folder), parts(room)


def _base(share: tuple[int, int]) -> list[tuple[int, str, list[int]]]:
    """Answer a share of the questions with all parts on; which parts each used, too."""
    known = {part.code: at for at, part in enumerate(_PARTS) if part.code is not None}
    used: set[int] = set()

    def see(frame: types.FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code in known:
            used.add(known[frame.f_code])

    found = []
    mine = range(share[0], _WORK.size, share[1])
    plain = {at: _WORK.answer(at) for at in mine}
    for number, part in enumerate(_PARTS):
        if part.watch is not None:
            part.watch(partial(used.add, number))
    for at in mine:
        used.clear()
        sys.setprofile(see)
        try:
            _WORK.answer(at)
        finally:
            sys.setprofile(None)
        found.append((at, plain[at], sorted(used)))
    for part in _PARTS:
        part.on()
    return found


def _without(asked: tuple[int, Sequence[tuple[int, str]]]) -> str:
    """One line of the report."""
    part, questions = _PARTS[asked[0]], asked[1]
    changed: list[tuple[int, str, str]] = []
    part.off()
    try:
        for at, before in questions:
            after = _WORK.answer(at)
            changed += [(at, before, after)] if after != before else []
            if len(changed) == ENOUGH:
                break
    finally:
        part.on()
    raised = sum(answer.startswith("raised") for _, _, answer in changed)
    gained = sum(_WORK.gained(at, before, after) for at, before, after in changed if not after.startswith("raised"))
    first = [f"{_WORK.shown(at)} :: {before[:150]} >> {after[:150]}" for at, before, after in changed[:3]]
    counts = map(str, (len(questions), len(changed), raised, gained))
    return "\t".join([*counts, part.name, *first]).replace("\n", " ")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("room", help="a package, as store.recall")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--memories", type=Path, help="keep the people's memories here, for the next run")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as own:
        folder = asked.memories or Path(own)
        folder.mkdir(parents=True, exist_ok=True)
        if asked.room != READING and not list(folder.glob("*.db")):
            prepare(folder)
        with ProcessPoolExecutor(asked.jobs, initializer=_begin, initargs=(folder, asked.room)) as pool:
            shares = pool.map(_base, [(at, asked.jobs) for at in range(asked.jobs)])
            base = sorted(line for share in shares for line in share)
            _begin(folder, asked.room)
            users = collections.defaultdict(list)
            for at, answer, used in base:
                for part in used:
                    users[part].append((at, answer))
            work = [(at, users[at]) for at in range(len(_PARTS))]
            for line in pool.map(_without, work):
                print(line, flush=True)


if __name__ == "__main__":
    main()
