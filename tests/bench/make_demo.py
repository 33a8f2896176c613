"""app/demo/year.jsonl is what this script makes of demo_year.txt, byte for byte; nobody edits it by hand.

Run it after a change to the text: it writes the turns, and points every quote of demo_beliefs.jsonl at its turn again
(`said` is the id of the only turn by Rita that holds `quote`). `--check` only says what is stale.
Nothing here is random: the pace of a session follows from the length of what was typed.

A line of demo_beliefs.jsonl is one slot that the demo should teach: its changes in the order of saying (`from` is the
world time, a day, month or year; null means that it holds from when it was said; the object of a `stop` is what ended),
what must not be believed of it (`never`, with the reason why somebody might), a question with its answer at the end of
the year (`any` and `none` are alternatives that its text must and must not hold), and `asks` about other times.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "demo_year.txt"
BELIEFS = HERE / "demo_beliefs.jsonl"
TURNS = HERE.parents[1] / "app" / "demo" / "year.jsonl"

SPEAKERS = {"> ": ("me", "user"), "< ": ("assistant", "assistant")}


class Session(NamedTuple):
    """One sitting: where it starts on the clock in Lisbon, and its turns."""

    start: datetime
    """Wall time without a zone."""
    name: str
    turns: list[tuple[str, str, int]]
    """(mark, text, minutes of pause before it)."""


class SourceError(Exception):
    """A line of demo_year.txt can't be read; the message names the line."""


def lisbon_offset(wall: datetime) -> timedelta:
    """One hour from the last Sunday of March to that of October (1:00 UTC, the EU's rule), else none."""

    def last_sunday(month: int) -> datetime:
        end = datetime(wall.year, month, 31, 1, tzinfo=UTC)
        return end - timedelta(days=(end.weekday() + 1) % 7)

    if_summer = wall.replace(tzinfo=UTC) - timedelta(hours=1)
    summer = last_sunday(3) <= if_summer < last_sunday(10)
    return timedelta(hours=1 if summer else 0)


def seconds_to_write(mark: str, text: str) -> int:
    """How long a turn takes before it is there: a person reads and types, a small model writes faster."""
    return 9 + len(text) // 4 if mark == "> " else 3 + len(text) // 24


def read_header(line: str) -> Session:
    """`== 2025-10-02 21:08 hello` as a session without turns yet."""
    day, hour, name = line.removeprefix("== ").split(" ")
    return Session(datetime.fromisoformat(f"{day}T{hour}"), name, [])


def read_sessions(text: str) -> list[Session]:
    """The sessions of the authoring text, in its order. Raises SourceError at a line that fits nothing."""
    sessions: list[Session] = []
    pause = 0
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("== "):
            sessions.append(read_header(line))
        elif line.startswith("~ "):
            pause = int(line[2:])
        elif line[:2] in SPEAKERS and sessions:
            sessions[-1].turns.append((line[:2], line[2:], pause))
            pause = 0
        elif line.startswith("|") and sessions and sessions[-1].turns:
            mark, before, waited = sessions[-1].turns.pop()
            sessions[-1].turns.append((mark, f"{before}\n{line[2:]}", waited))
        elif line.strip() and not line.startswith("#"):
            raise SourceError(f"demo_year.txt, line {number}: neither a session nor a turn: {line[:40]!r}")
    return sessions


def turns_of(number: int, session: Session) -> Iterator[dict[str, str]]:
    """The session's turns in the import form, ids like d014-03."""
    zone = timezone(lisbon_offset(session.start))
    moment = session.start.replace(tzinfo=zone) + timedelta(seconds=number * 17 % 60)
    for place, (mark, text, pause) in enumerate(session.turns, start=1):
        speaker, role = SPEAKERS[mark]
        moment += timedelta(minutes=pause, seconds=seconds_to_write(mark, text))
        yield {
            "session": f"{session.start:%Y-%m-%d}-{session.name}",
            "id": f"d{number:03d}-{place:02d}",
            "speaker": speaker,
            "role": role,
            "text": text,
            "said_at": moment.isoformat(),
        }


def make_turns(text: str) -> list[dict[str, str]]:
    """Every turn of the authoring text, oldest session first as written."""
    return [turn for number, session in enumerate(read_sessions(text), start=1) for turn in turns_of(number, session)]


def point_quotes(beliefs: list[dict[str, Any]], turns: list[dict[str, str]]) -> list[dict[str, Any]]:
    """The beliefs with `said` set from `quote`, in the order of saying.

    Raises SourceError unless exactly one turn by Rita holds the quote.
    """
    for belief in beliefs:
        for change in [*belief["changes"], *belief.get("never", [])]:
            homes = [turn["id"] for turn in turns if turn["role"] == "user" and change["quote"] in turn["text"]]
            if len(homes) != 1:
                raise SourceError(f"demo_beliefs.jsonl: {len(homes)} turns hold the quote {change['quote']!r}")
            change["said"] = homes[0]
        belief["changes"].sort(key=lambda change: str(change["said"]))
    return beliefs


def to_jsonl(rows: list[dict[str, Any]]) -> str:
    """One row a line, letters as they are."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def make_files() -> dict[Path, str]:
    """What both files should hold."""
    turns = make_turns(SOURCE.read_text(encoding="utf-8"))
    beliefs = [json.loads(line) for line in BELIEFS.read_text(encoding="utf-8").splitlines()]
    return {TURNS: to_jsonl(turns), BELIEFS: to_jsonl(point_quotes(beliefs, turns))}


def main(arguments: list[str]) -> int:
    """Write the files, or with --check only say whether they are up to date."""
    parser = argparse.ArgumentParser(description="Make the demo memory from demo_year.txt.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a file is stale")
    options = parser.parse_args(arguments)
    stale = [path for path, text in make_files().items() if not path.exists() or path.read_text("utf-8") != text]
    for path in stale:
        if not options.check:
            path.write_text(make_files()[path], encoding="utf-8", newline="\n")
        print(f"{path.name} {'is stale' if options.check else 'written'}")
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
