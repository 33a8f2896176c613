"""A case is right only by its own words: sixty questions about fifteen made-up lives, put to a model and to the app.

    python -m tests.bench.chat_cases [MODEL.gguf] [--ways raw app] [--held-out | --unseen] [--people NAME ...] [--log F]

raw    everything that the person said, dated, stands in the prompt before the question
app    the person said it to a memory, which slept over it; the question is one turn of the chat, by the app's own code
       (beliefs first, then the model with what was recalled)

Without a model, `app` shows what the memory answers by itself. An absent case is right when the reply says that it is
not known; every other reply to one is counted as made up. Written for this project; nobody in it is real.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from app.core.clock import FrozenClock
from app.core.composing import compose, is_small
from app.core.fitness import judged
from app.core.fitness_cases import UNKNOWN, AbilityCase
from app.core.turn import Closed, Request, Voice, take_turn
from app.llm.process import ModelProcess
from store.memory import Memory
from store.protocols import LanguageModel, Message
from store.records import Instant, Turn

DATA = Path(__file__).with_name("chat_cases.json")
UNSEEN = Path(__file__).with_name("chat_cases_unseen.json")
"""Sixty more, about other matters, written and first measured before any rule was looked at for them."""
KINDS = ("current", "as_of", "changed", "absent")
ZONE = ZoneInfo("Europe/Brussels")
LONGEST = 96
"""Tokens of one reply."""
RAW = (
    "You know one person from what they told you, and answer their questions briefly. Answer only from what they told"
    " you; if they did not tell you, say that you do not know."
)


@dataclass(frozen=True, slots=True)
class Person:
    """What somebody said on which days, when they are asked, and the four questions to them."""

    name: str
    asked: str
    said: tuple[tuple[str, str], ...]
    questions: dict[str, AbilityCase]


@dataclass(frozen=True, slots=True)
class Result:
    """One reply; `why` is empty when it was right, `by` says who replied."""

    person: str
    kind: str
    way: str
    question: str
    said: str
    why: str
    by: str
    seconds: float

    @property
    def made_up(self) -> bool:
        """Something was said of what was never told."""
        return self.kind == "absent" and bool(self.why)


def people(which: str = "people") -> list[Person]:
    """The cases, as they lie beside this file: the sixty ("people"), twenty more ("held_out"), or sixty of other
    matters ("unseen").
    """
    file, key = (UNSEEN, "people") if which == "unseen" else (DATA, which)
    found = json.loads(file.read_text(encoding="utf-8"))[key]
    return [
        Person(
            one["name"],
            one["asked"],
            tuple((day, text) for day, text in one["said"]),
            {kind: _case(kind, asked) for kind, asked in one["questions"].items()},
        )
        for one in found
    ]


def _case(kind: str, asked: dict[str, Any]) -> AbilityCase:
    wanted = (UNKNOWN,) if kind == "absent" else tuple(asked["wanted"])
    return AbilityCase("absent" if kind == "absent" else "chat", asked["text"], wanted, tuple(asked["unwanted"]))


def raw(model: ModelProcess, person: Person) -> Iterator[Result]:
    """Each question alone, after everything that was said."""
    lines = [f"- {day}: {text}" for day, text in sorted(person.said)]
    told = "\n".join(("What the person told you, each with the day on which it was said:", *lines))
    for kind, case in person.questions.items():
        began = time.monotonic()
        asked = Message("user", f"{told}\n\nToday is {person.asked}. {case.text}")
        said = "".join(model.chat([Message("system", RAW), asked], max_tokens=LONGEST, temperature=0.0))
        yield Result(person.name, kind, "raw", case.text, said, judged(case, said), model.name, _since(began))


def app(model: LanguageModel | None, person: Person, folder: Path) -> Iterator[Result]:
    """Each question is the first turn of a new chat."""
    voice = None if model is None else Voice(model, compose, is_small(model), max_tokens=LONGEST)
    now = Instant.of(datetime.fromisoformat(f"{person.asked}T20:00").replace(tzinfo=ZONE))
    with Memory.open(folder / f"{person.name}.db", clock=FrozenClock(now), zone=ZONE) as memory:
        remember(memory, person)
        for kind, case in person.questions.items():
            began = time.monotonic()
            request = Request(Turn(case.text, f"asked {kind}", said_at=now), off_record=True)
            closed = [one for one in take_turn(memory, voice, request, threading.Event()) if isinstance(one, Closed)]
            said, by = closed[-1].text, closed[-1].speaker
            yield Result(person.name, kind, "app", case.text, said, judged(case, said), by, _since(began))


def remember(memory: Memory, person: Person) -> None:
    """Say everything on its day, and sleep over it."""
    said = [(datetime.fromisoformat(f"{day}T18:00").replace(tzinfo=ZONE), day, text) for day, text in person.said]
    turns = [
        Turn(text, f"chat of {day}", said_at=Instant.of(moment + timedelta(minutes=place)))
        for place, (moment, day, text) in enumerate(said)
    ]
    list(memory.episodes.ingest(turns))
    list(memory.sleeping.run())


def table(results: Sequence[Result], way: str) -> str:
    """One line: right of all, by kind, and how many were made up."""
    of_way = [one for one in results if one.way == way]
    right, every = Counter(one.kind for one in of_way if not one.why), Counter(one.kind for one in of_way)
    cells = "  ".join(f"{kind} {right[kind]:2}/{every[kind]:<2}" for kind in KINDS)
    share = right.total() / max(1, every.total())
    made_up, by_memory = sum(one.made_up for one in of_way), sum(one.by == "memory" for one in of_way)
    seconds = sum(one.seconds for one in of_way) / max(1, len(of_way))
    return (
        f"{way:<4} {share:6.1%}  {cells}  made up {made_up:2}  by memory {by_memory:2}/{every.total()}"
        f"  {seconds:.2f} s a reply"
    )


def _since(began: float) -> float:
    return round(time.monotonic() - began, 3)


def run(model: ModelProcess | None, ways: Sequence[str], chosen: Sequence[Person]) -> Iterator[Result]:
    """Every case in every way."""
    with tempfile.TemporaryDirectory() as folder:
        for person in chosen:
            if "raw" in ways and model is not None:
                yield from raw(model, person)
            if "app" in ways:
                yield from app(model, person, Path(folder))


def main() -> None:
    """Parse the arguments, run, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, nargs="?")
    parser.add_argument("--ways", nargs="+", choices=("raw", "app"), default=["raw", "app"])
    parser.add_argument("--people", nargs="+")
    parser.add_argument("--held-out", dest="cases", action="store_const", const="held_out", help="twenty other cases")
    parser.add_argument("--unseen", dest="cases", action="store_const", const="unseen", help="sixty of other matters")
    parser.add_argument("--log", type=Path, help="write every reply there, as JSON lines")
    parser.add_argument("--verbose", action="store_true", help="print every reply that was wrong")
    given = parser.parse_args()
    chosen = [one for one in people(given.cases or "people") if not given.people or one.name in given.people]
    with tempfile.TemporaryDirectory() as folder:
        model = ModelProcess(given.model, crashes=Path(folder) / "crashes.json") if given.model else None
        results = list(run(model, given.ways, chosen))
        if model is not None:
            model.close()
    for one in results:
        if given.verbose and one.why:
            print(one.way, one.person, one.kind, one.question, one.by, repr(one.said), one.why, sep=" | ")
    if given.log:
        lines = (json.dumps({name: getattr(one, name) for name in Result.__slots__}) for one in results)
        given.log.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"\n{given.model.name if given.model else 'no model'}, {len(results)} replies")
    for way in dict.fromkeys(one.way for one in results):
        print(table(results, way))


if __name__ == "__main__":
    main()
