"""Four doors to one file, all open at once: nothing is lost, nothing comes back, and nobody is told of a lock.

    python -m tests.bench.two_processes [--minutes 5] [--seed 7] [--folder FOLDER]

Each door is a process of its own: the app's memory (turns, a sleep, backups and screens on four threads, as the app has
them), the command line (every verb a real process), sleeps, and a server for the Model Context Protocol. Each does
seeded random work, and writes down which turns were acknowledged, which were erased, and every word that a person would
have seen. Every turn holds a number, so that it can be found again by its words.

Afterwards every acknowledged turn that was not erased must be there, no erased one, the checks must pass, a rebuild
must come to the same state, no door may have died, and nobody may have been told of a lock, or of a fault of the
program, or have been shown words that were erased before they asked. Printed as JSON: what was done, what was wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, timedelta
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from app.core.clock import SystemClock
from app.core.sleeper import run_sleep
from app.core.turn import Closed, Request, Saved, take_turn
from store.errors import ErstwhileError
from store.maintenance import backups
from store.memory import Memory
from store.records import Turn
from tests.properties.talk import CITIES, NAMES, SENTENCES

ROOT = Path(__file__).resolve().parents[2]
FORBIDDEN = re.compile(r"(?i)lock|busy|another process|fault of|traceback|constraint|sql|apsw|malformed")
"""What no person may read while several processes use a file."""
THINGS = ("rooibos", "climbing", "Acme")
QUESTIONS = (
    "Where do I live?",
    "Who is Paul?",
    "What do I like?",
    "Where did I live in 2019?",
    "What is my dog called?",
)
PREDICATES = ("lives_in", "works_at", "favourite_tea")
NUMBER = re.compile(r"number \w+-\w+\.")
_ID = re.compile(r"\b[0-9a-f]{6,}\b|\d{4,}")
LEAST = 3
"""Steps that each door is used for at least."""
Object = dict[str, Any]


@dataclass
class Journal:
    """What one door did, a JSON line each, so that what a killed door did is known too."""

    path: Path
    lock: threading.Lock = field(default_factory=threading.Lock)

    def write(self, kind: str, **values: object) -> None:
        with self.lock, self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"kind": kind, **values}) + "\n")

    def kept(self, text: str, name: str) -> None:
        """A turn was acknowledged; `name` is what an erase calls it by."""
        self.write("kept", text=text, name=name)

    def everything(self) -> list[Object]:
        """What all doors of this folder wrote down so far; the line that is being written is left out."""
        found: list[Object] = []
        for path in sorted(self.path.parent.glob("*.journal")):
            with suppress(ValueError):
                found += map(json.loads, path.read_text(encoding="utf-8").splitlines())
        return found

    def gone(self) -> set[str]:
        """The words of turns whose erasing was confirmed; words without a number, and replies that quote another turn
        with its number, are in other turns, too."""
        texts = {one["text"] for one in self.everything() if one["kind"] == "gone"}
        return {text for text in texts if NUMBER.search(text) and "“" not in text}


@dataclass
class Door:
    """One way in, and until when it is used."""

    name: str
    db: Path
    seed: int
    ends: float

    def __post_init__(self) -> None:
        self.chance = random.Random(f"{self.seed} {self.name}")
        self.journal = Journal(self.folder / f"{self.name}.journal")
        self.said = self.steps = 0

    @property
    def folder(self) -> Path:
        return self.db.parent

    def is_open(self) -> bool:
        """Until the time is over, and for a few steps on a machine that is slow."""
        self.steps += 1
        return self.steps <= LEAST or time.time() < self.ends

    def words(self) -> str:
        """What was never said before."""
        self.said += 1
        sentence = self.chance.choice(SENTENCES).format(
            city=self.chance.choice(CITIES), name=self.chance.choice(NAMES), thing=self.chance.choice(THINGS)
        )
        return f"{sentence} That was number {self.name}-{self.said}."

    def job(self, what: str, work: Callable[[], object]) -> None:
        """Do it as a job of the app does: what it raises is told to the person, or is a fault."""
        try:
            work()
            self.journal.write("said", what=what, code=0, text="")
        except ErstwhileError as error:
            self.journal.write("said", what=what, code=error.exit_code, text=str(error))
        except Exception:  # noqa: BLE001 # written down, and counted as wrong at the end
            self.journal.write("said", what=what, code=-1, text=traceback.format_exc())

    def run(self, *words: object) -> Object | None:
        """One verb; gives its JSON document, or None where it refused."""
        command = [sys.executable, "-m", "app", *map(str, words), "--db", str(self.db), "--json"]
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False, timeout=300
        )
        what = " ".join(map(str, words[:2] if str(words[0]) in ("undo", "erase") else words[:1]))
        self.journal.write("said", what=what, code=done.returncode, text=done.stderr)
        document: Object | None = json.loads(done.stdout) if done.returncode == 0 else None
        return document

    def see(self, before: set[str], texts: Iterable[str]) -> None:
        """Words were shown; those that were erased before may not be among them."""
        for text in texts:
            if text in before:
                self.journal.write("said", what="shown", code=-1, text=f"fault of: erased words came back: {text}")

    def victim(self) -> Object | None:
        """Some acknowledged turn that nobody erased yet, as far as is known."""
        every = self.journal.everything()
        gone = {one["name"] for one in every if one["kind"] == "gone"}
        left = [one for one in every if one["kind"] == "kept" and one["name"] not in gone]
        return self.chance.choice(left) if left else None


# The app


def app_door(door: Door) -> None:
    """The memory as the app uses it: one chat, a sleep that gives way, backups, and screens that read."""
    backups.EVERY = timedelta(seconds=3)
    zone, leaving = UTC, threading.Event()
    with Memory.open(door.db, clock=SystemClock(zone), zone=zone) as memory:
        jobs = (
            partial(_sleep_beside, door, memory, leaving),
            partial(_back_up_beside, door, memory, leaving),
            partial(_look_beside, door, memory, leaving),
        )
        threads = [threading.Thread(target=work) for work in jobs]
        for thread in threads:
            thread.start()
        while door.is_open():
            _app_step(door, memory)
            time.sleep(door.chance.uniform(0.0, 0.2))
        leaving.set()
        for thread in threads:
            thread.join()


def _app_step(door: Door, memory: Memory) -> None:
    roll = door.chance.random()
    if roll < 0.7:
        door.job("app turn", partial(_chat, door, memory))
    elif roll < 0.8:
        door.job("app erase", partial(_erase_here, door, memory))
    elif roll < 0.9:
        value = door.chance.choice(CITIES)
        door.job("app correct", partial(memory.by_hand.correct, "me", "lives_in", value))
    else:
        door.job("app retract", partial(_retract_here, door, memory))


def _chat(door: Door, memory: Memory) -> None:
    asks = door.chance.random() < 0.3
    text = door.chance.choice(QUESTIONS) if asks else door.words()
    if asks:
        text = f"{text} (number {door.name}-q{time.monotonic_ns()}.)"
    before = door.journal.gone()
    for event in take_turn(memory, None, Request(Turn(text, f"chat-{door.said // 20}")), threading.Event()):
        if isinstance(event, Saved | Closed) and event.episode is not None:
            door.journal.kept(event.episode.text, event.episode.id)
    door.see(before, (hit.text for hit in memory.recall.search(text, k=5).hits if hit.kind == "episode"))


def _erase_here(door: Door, memory: Memory) -> None:
    if (victim := door.victim()) is not None:
        chosen = memory.erasing.selection(episode=victim["name"])
        goes = [(turn.id, turn.text) for turn in memory.erasing.selected(chosen, 100)]
        memory.erasing.erase(chosen)
        _note_gone(door, [(victim["name"], victim["text"]), *goes])


def _note_gone(door: Door, goes: Iterable[tuple[str, str]]) -> None:
    """The victim and the replies that rest on it. Some words are said more than once ("I'll remember that."): the name
    tells which turn is gone."""
    for name, text in goes:
        door.journal.write("gone", name=name, text=text)


def _retract_here(door: Door, memory: Memory) -> None:
    if facts := memory.beliefs.facts(limit=20):
        memory.by_hand.retract(door.chance.choice(facts).id)


def _sleep_beside(door: Door, memory: Memory, leaving: threading.Event) -> None:
    chance = random.Random(f"{door.seed} nap")
    while not leaving.wait(chance.uniform(0.2, 2)):
        stop = threading.Event()
        timer = threading.Timer(chance.uniform(0.05, 1.5), stop.set)
        timer.start()
        door.job("app sleep", partial(run_sleep, memory, stop, lambda _: None))
        timer.cancel()


def _back_up_beside(door: Door, memory: Memory, leaving: threading.Event) -> None:
    while not leaving.wait(1):
        door.job("app backup", partial(memory.backups.make_when_due, leaving))


def _look_beside(door: Door, memory: Memory, leaving: threading.Event) -> None:
    looks: tuple[Callable[[], object], ...] = (
        memory.sessions.all, memory.reading.pending, memory.beliefs.timeline, memory.overview.diary,
        memory.overview.brief, memory.overview.brief_read, memory.salience.fading, memory.people.entities,
        memory.reading.unsure, memory.beliefs.profile, memory.log.last_sleep, memory.file.check,
    )  # fmt: skip
    chance = random.Random(f"{door.seed} look")
    while not leaving.wait(chance.uniform(0.05, 0.5)):
        look = chance.choice(looks)
        door.job(f"app {look.__name__}", look)


# The command line, sleeps, and another program


def cli_door(door: Door) -> None:
    """One verb after the other."""
    verbs: dict[Callable[[Door], None], int] = {
        _remember: 5, _import: 4, _ask: 3, _recall: 3, _correct: 2, _judge: 3, _erase: 3, _merge: 2, _export: 1,
        _back_up: 2, _undo: 2, _rebuild: 1, _check: 1,
    }  # fmt: skip
    while door.is_open():
        (verb,) = door.chance.choices(list(verbs), list(verbs.values()))
        verb(door)


def _remember(door: Door) -> None:
    text = door.words()
    if (done := door.run("remember", text)) is not None:
        door.journal.kept(text, done["episode"]["id"])


def _import(door: Door) -> None:
    """A new file, or one that was imported before: what was erased meanwhile stays away."""
    files = sorted(door.folder.glob("chat*.jsonl"))
    if files and door.chance.random() < 0.3:
        door.run("import", door.chance.choice(files))
        return
    path = door.folder / f"chat{len(files)}.jsonl"
    lines = [
        {"session": path.stem, "id": f"{path.stem}-{n}", "text": door.words(), "said_at": f"2025-03-{n + 1:02}T09:00Z"}
        for n in range(door.chance.randint(1, 25))
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    if door.run("import", path) is not None:
        for line in lines:
            door.journal.kept(line["text"], line["id"])


def _ask(door: Door) -> None:
    door.run("ask", door.chance.choice(QUESTIONS), "--no-model")


def _recall(door: Door) -> None:
    before = door.journal.gone()
    if (done := door.run("recall", door.chance.choice(CITIES))) is not None:
        door.see(before, (hit["text"] for hit in done["hits"] if hit["kind"] == "episode"))


def _correct(door: Door) -> None:
    door.run("correct", "me", door.chance.choice(PREDICATES), door.chance.choice((*CITIES, *THINGS)))


def _judge(door: Door) -> None:
    """Confirm, take back, or keep in view."""
    verb = door.chance.choice(("retract", "confirm", "pin", "unpin"))
    listed = door.run("facts", *(["--unsure"] if verb == "confirm" else []))
    if listed is not None and listed["facts"]:
        door.run(verb, door.chance.choice(listed["facts"])["id"])


def _erase(door: Door) -> None:
    if (victim := door.victim()) is None:
        return
    shown = door.run("erase", "--episode", victim["name"])
    if shown is not None and door.run("erase", "--episode", victim["name"], "--yes") is not None:
        _note_gone(door, [(victim["name"], victim["text"]), *((turn["id"], turn["text"]) for turn in shown["turns"])])


def _merge(door: Door) -> None:
    """A backup of this very memory, with what was erased since, or a small memory of somebody else's."""
    made = sorted(door.folder.glob("*.backup.db"))
    if made and door.chance.random() < 0.5:
        door.run("merge", door.chance.choice(made))
        return
    other = Door(f"{door.name}x{door.said}", door.folder / f"other{door.said}.db", door.seed, door.ends)
    text = door.words()
    done = other.run("remember", text)
    if done is not None and door.run("merge", other.db) is not None:
        door.journal.kept(text, done["episode"]["id"])


def _export(door: Door) -> None:
    door.run("export", door.folder / f"all{time.monotonic_ns()}.export")


def _back_up(door: Door) -> None:
    door.run("backup")


def _undo(door: Door) -> None:
    """Something by hand, or a whole sleep."""
    logged = door.run("log")
    if logged is None:
        return
    by_hand = [one["id"] for one in logged["operations"] if one["phase"] == "hand" and not one["undone_by"]]
    sleeps = [one["run"] for one in logged["operations"] if one["phase"] == "sleep" and one["run"]]
    if sleeps and door.chance.random() < 0.4:
        door.run("undo", "--run", door.chance.choice(sleeps))
    elif by_hand:
        door.run("undo", door.chance.choice(by_hand))


def _rebuild(door: Door) -> None:
    door.run("rebuild")


def _check(door: Door) -> None:
    door.run("check")


def sleep_door(door: Door) -> None:
    """One sleep after the other, some of them cut short, some of what was taken back."""
    while door.is_open():
        words: list[object] = ["sleep", "--no-model"]
        words += door.chance.choice(([], ["--budget", round(door.chance.uniform(0.01, 1), 2)]))
        words += door.chance.choice(([], [], ["--again"]))
        door.run(*words)
        time.sleep(door.chance.uniform(0, 1))


def mcp_door(door: Door) -> None:
    """A program that is served for a while, goes, and comes again."""
    while door.is_open():
        command = [sys.executable, "-m", "app", "mcp", "--db", str(door.db)]
        with (door.folder / "mcp.err").open("w+", encoding="utf-8") as heard:
            server = subprocess.Popen(
                command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=heard, text=True
            )
            for number in range(door.chance.randint(5, 40)):
                if not door.is_open() or server.poll() is not None:
                    break
                _mcp_step(door, partial(_call, door, server, number))
            server.communicate()
            heard.seek(0)
            door.journal.write("said", what="mcp", code=server.returncode, text=heard.read())


def _mcp_step(door: Door, call: Callable[..., Object]) -> None:
    tool = door.chance.choice(("remember", "remember", "search", "ask", "facts", "correct", "timeline"))
    if tool == "remember":
        text = door.words()
        if found := call(tool, text=text):
            door.journal.kept(text, found["episode"]["id"])
    elif tool == "search":
        before = door.journal.gone()
        found = call(tool, query=door.chance.choice(CITIES))
        door.see(before, (hit["text"] for hit in found.get("hits", ()) if hit["kind"] == "episode"))
    elif tool == "correct":
        call(tool, subject="me", predicate=door.chance.choice(PREDICATES), value=door.chance.choice(CITIES))
    else:
        call(tool, **({"question": door.chance.choice(QUESTIONS)} if tool == "ask" else {}))


def _call(door: Door, server: subprocess.Popen[str], number: int, tool: str, **arguments: object) -> Object:
    """Call one tool; gives what it found, or nothing where it refused."""
    assert server.stdin is not None and server.stdout is not None
    message = {"jsonrpc": "2.0", "id": number, "method": "tools/call"}
    server.stdin.write(json.dumps({**message, "params": {"name": tool, "arguments": arguments}}) + "\n")
    server.stdin.flush()
    line = server.stdout.readline()
    answer = json.loads(line) if line else {"error": {"message": "fault of: the server died"}}
    result: Object = answer.get("result", {})
    text = answer["error"]["message"] if "error" in answer else result["content"][0]["text"]
    failed = "error" in answer or result["isError"]
    door.journal.write("said", what=f"mcp {tool}", code=int(failed), text=text if failed else "")
    return {} if failed else dict(result["structuredContent"])


DOORS: dict[str, Callable[[Door], None]] = {"app": app_door, "cli": cli_door, "sleep": sleep_door, "mcp": mcp_door}


# What came of it


def run(folder: Path, seconds: float, seed: int, names: Iterable[str] = DOORS) -> Object:
    """Open the doors for so long, and judge what came of it."""
    db = folder / "memory.db"
    ends = time.time() + seconds
    with Memory.open(db, clock=SystemClock(UTC), zone=UTC):
        pass
    context = get_context("spawn")
    doors = [Door(name, db, seed, ends) for name in names]
    processes = [context.Process(target=_use, args=(door.name, db, seed, ends)) for door in doors]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    died = [door.name for door, process in zip(doors, processes, strict=True) if process.exitcode]
    return judged(doors[0].journal, db, died)


def _use(name: str, db: Path, seed: int, ends: float) -> None:
    DOORS[name](Door(name, db, seed, ends))


def judged(journal: Journal, db: Path, died: list[str]) -> Object:
    """What was done, and what was wrong."""
    every = journal.everything()
    said = [one for one in every if one["kind"] == "said"]
    wrong = [f"the door {name} died" for name in died]
    wrong += [f"{one['what']} ({one['code']}): {one['text']}" for one in said if _is_wrong(one)]
    names = {kind: {one["name"]: one["text"] for one in every if one["kind"] == kind} for kind in ("kept", "gone")}
    with Memory.open(db, clock=SystemClock(UTC), zone=UTC) as memory:
        wrong += _lost(memory, names["kept"], names["gone"])
        for _ in memory.sleeping.run(again=True):
            pass
        wrong += [f"check: {one.name}: {one.detail}" for one in memory.file.check() if not one.ok]
        turns = sum(one.turns for one in memory.sessions.all())
        before, copy = memory.state_hash(), memory.backups.make(db.with_name("copy.db"))
    with Memory.open(copy, clock=SystemClock(UTC), zone=UTC) as memory:
        for _ in memory.file.rebuild():
            pass
        wrong += [] if memory.state_hash() == before else ["a rebuild comes to another state"]
    refused = Counter(f"{one['what']}: {_ID.sub('…', one['text']).strip()}" for one in said if one["code"] > 0)
    return {
        "done": dict(Counter(one["what"] for one in said).most_common()), "turns": turns,
        "acknowledged": len(names["kept"]), "erased": len(names["gone"]), "refused": dict(refused.most_common(40)),
        "wrong": wrong,
    }  # fmt: skip


def _is_wrong(said: Object) -> bool:
    return said["code"] not in (0, 1, 2) or bool(FORBIDDEN.search(said["text"]))


def _lost(memory: Memory, kept: dict[str, str], gone: dict[str, str]) -> list[str]:
    """Turns by their ids, or by the ids of their sources."""
    turns = [turn for one in memory.sessions.all() for turn in memory.episodes.of(one.key)]
    there = {name for turn in turns for name in (turn.id, turn.external_id)}
    # A reply that was written while what it quotes was being erased went with it.
    missing = [kept[name] for name in kept.keys() - gone.keys() - there]
    wrong = [f"lost: {text}" for text in missing if not _quotes(text, gone.values())]
    return wrong + [f"came back: {gone[name]}" for name in gone.keys() & there]


def _quotes(text: str, others: Collection[str]) -> bool:
    return any(quote in other for quote in re.findall("“(.+?)”", text) for other in others)


def main(arguments: list[str] | None = None) -> int:
    """Run it; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--folder", type=Path, help="where the file and the journals go, and stay")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        found = run(options.folder or Path(scratch), options.minutes * 60, options.seed)
    sys.stdout.write(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    return 1 if found["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
