"""What is said of damaged files, and what is salvaged from them: a memory of 700 turns, damaged in fifty ways.

Run: python -m tests.bench.damaged_files [--files N]. Prints a line for each: the damage, what `check` says, what
`check --repair` did, how many turns are there after it, and how many it said may be lost.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import tempfile
from pathlib import Path

from app.cli.commands import cli
from app.cli.session import run
from store.records import Instant, Turn
from tests.properties.talk import START, memory_at
from tests.support.damage import damaged

TURNS = 700
DAY = 86_400_000_000


def _turn(number: int) -> Turn:
    text = f"Number {number}: my friend Ada{number} moved to Leith, and pays {number + 300} euros a month for her room."
    return Turn(text, f"s{number // 20}", said_at=Instant(START + number * DAY), external_id=f"t{number}")


def _call(path: Path, *arguments: str) -> tuple[int, str, str]:
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        code = run(cli, [*arguments, "--db", str(path)])
    return code, out.getvalue(), errors.getvalue().strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=50)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "whole.db"
        with memory_at(path) as memory:
            list(memory.episodes.ingest(map(_turn, range(TURNS))))
            list(memory.sleeping.run())
        whole = path.read_bytes()
        unsaid = 0
        for number in range(chosen.files):
            harm = damaged(whole, number)
            file = Path(name) / str(number) / "m.db"
            file.parent.mkdir()
            file.write_bytes(harm.data)
            code, _, errors = _call(file, "check")
            first = errors.replace(str(file), "m.db") if code else "sound"
            code, told, errors = _call(file, "check", "--repair", "--json")
            if code:
                print(f"{number:3} {harm.what:38} | {first[:70]} | {errors}")
                continue
            done = json.loads(told)
            turns = done.get("turns", TURNS)
            most = sum(one["turns"] if one["turns"] is not None else TURNS for one in done["lost"])
            unsaid += turns < TURNS and most < TURNS - turns
            print(f"{number:3} {harm.what:38} | {first[:70]} | {done['repaired']}, {turns} turns, lost at most {most}")
        print(f"files of which turns are missing and it was not said: {unsaid}")


if __name__ == "__main__":
    main()
