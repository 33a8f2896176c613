"""Small talk is only measured where it is really spoken: each reply is one turn of the chat, by the app's own code.

    python -m tests.bench.reply_loops MODEL.gguf [--times 2] [--bare] [--log FILE] [--show]

A reply is counted as looping where its second half says again what its first half said (six words in a row that came
before, more than once, or a text that shrinks to a third when it is packed), as foreign where fewer than one in eight
of twelve words or more are little English words, and as long beyond 120 words. The judgement shares no code with the
guard that the app has against this; `--bare` asks the model itself, without anything around the words.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import threading
import time
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from app.core.clock import SystemClock
from app.core.opening import voiced
from app.core.settings import Settings
from app.core.turn import Closed, Request, take_turn
from app.llm.process import ModelProcess
from store.memory import Memory
from store.protocols import Message
from store.records import Instant, Turn

ZONE = ZoneInfo("Europe/Brussels")
LONG = 120
"""Words; about a screen."""
SAID = (
    "Hi!", "Good morning", "I moved to Lisbon last month", "My sister Inês works at the hospital.",
    "I had a long day at work.", "I'm learning Portuguese.", "My dog Rex is ill.", "I'm bored. Tell me something.",
    "I bought a new bike today!", "We had dinner with Jürgen and Žofie in Köln.", "thanks, that helps",
    "Tell me a joke about cats.", "How are you?", "It's raining again.", "My boss Renata is leaving the company.",
    "We're going to São Paulo in March.", "I finished my book!", "ok", "I miss my grandmother.",
    "I'm training for a marathon.", "Do you like music?", "Mein Bruder heißt Jörg.", "I can't sleep.", "lol",
)  # fmt: skip
"""What a newcomer may say first."""
LITTLE = frozenset(
    re.findall(
        r"\w+",
        "the a an to you and i of is it in for that your my me we be are was with on have has do can as this so but not"
        " if or at from what how there here they he she will would about any some",
    )
)


@dataclass(frozen=True, slots=True)
class Heard:
    """One reply, and what is wrong with it."""

    said: str
    reply: str
    seconds: float
    faults: tuple[str, ...]


def faults(reply: str) -> tuple[str, ...]:
    """loops, foreign, long, empty: none, or several."""
    words = [word.strip(".,!?:;*\"'()").lower() for word in reply.split()]
    found = []
    if _loops(words) or _packs(reply):
        found.append("loops")
    if len(words) >= 12 and sum(word.split("'")[0].split("’")[0] in LITTLE for word in words) < len(words) / 8:
        found.append("foreign")
    if len(words) > LONG:
        found.append("long")
    return tuple(found or ([] if words else ["empty"]))


def _loops(words: Sequence[str]) -> bool:
    runs = Counter(tuple(words[at : at + 6]) for at in range(len(words) - 5))
    return sum(times - 1 for times in runs.values()) > 1


def _packs(reply: str) -> bool:
    raw = reply.encode()
    return len(raw) > 200 and len(zlib.compress(raw, 9)) < len(raw) / 3


def heard(model: ModelProcess, memory: Memory, said: str, *, bare: bool) -> Heard:
    """One turn of a new chat, off the record."""
    voice = voiced(model, Settings())
    request = Request(Turn(said, "talk", said_at=Instant.of(SystemClock(ZONE).now().local())), off_record=True)
    began = time.monotonic()
    if bare:
        reply = "".join(model.chat([Message("user", said)], max_tokens=512, temperature=0.4))
    else:
        events = list(take_turn(memory, voice, request, threading.Event()))
        reply = next(one.text for one in events if isinstance(one, Closed))
    return Heard(said, reply, round(time.monotonic() - began, 2), faults(reply))


def talk(path: Path, times: int, *, bare: bool) -> Iterator[Heard]:
    """Each of the things said, so many times."""
    with (
        tempfile.TemporaryDirectory() as name,
        Memory.open(Path(name) / "m.db", clock=SystemClock(ZONE), zone=ZONE) as memory,
        ModelProcess(path, crashes=Path(name) / "crashes.json") as model,
    ):
        for _ in range(times):
            for said in SAID:
                yield heard(model, memory, said, bare=bare)


def main() -> None:
    """Parse the arguments, talk, and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--times", type=int, default=2)
    parser.add_argument("--bare", action="store_true", help="ask the model itself, without the app's guard")
    parser.add_argument("--show", action="store_true", help="print every reply")
    parser.add_argument("--log", type=Path, help="write every reply there, as JSON lines")
    given = parser.parse_args()
    found = []
    for one in talk(given.model, given.times, bare=given.bare):
        found.append(one)
        if given.show:
            print(f"{one.seconds:5.1f} s  {','.join(one.faults) or 'fine':<10} {one.said!r}: {one.reply!r}", flush=True)
    if given.log:
        lines = (json.dumps(asdict(one), ensure_ascii=False) for one in found)
        given.log.write_text("\n".join(lines) + "\n", encoding="utf-8")
    counts = Counter(fault for one in found for fault in one.faults)
    sizes, waits = sorted(len(one.reply.split()) for one in found), sorted(one.seconds for one in found)
    named = "  ".join(f"{name} {counts[name]}" for name in ("loops", "foreign", "long", "empty"))
    print(f"{given.model.name}, {len(found)} replies: fine {sum(not one.faults for one in found)}  {named}")
    middle = len(found) // 2
    print(f"words: median {sizes[middle]}, most {sizes[-1]};  seconds: median {waits[middle]}, most {waits[-1]}")


if __name__ == "__main__":
    main()
