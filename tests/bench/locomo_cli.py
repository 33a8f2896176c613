"""Recall on LoCoMo as a person gets it: imported, slept over and asked through the command line, and nothing else.

    python -m tests.bench.locomo_cli DIR [--folder WHERE] [--hits OUT.jsonl] [--no-sleep]

DIR holds turns-*.jsonl and questions.jsonl. Every conversation has a memory file of its own; its questions go through
one `erstwhile recall -`, without evidence, answers or categories. Prints Recall@5, NDCG@5 and Recall@10 by category.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.bench.locomo_recall import written
from tests.bench.memories import json_lines
from tests.bench.ranking import printed, table

PROGRAM = (sys.executable, "-m", "app")
ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: str, typed: str | None = None) -> str:
    """What the command prints on standard output. Raises CalledProcessError with what it said if it fails."""
    done = subprocess.run(
        [*PROGRAM, *arguments], input=typed, capture_output=True, text=True, cwd=ROOT, check=False, encoding="utf-8"
    )
    if done.returncode:
        sys.stderr.write(done.stderr)
        done.check_returncode()
    return done.stdout


def remembered(turns: Path, memory: Path, *, sleep: bool) -> float:
    """Import one conversation into a new memory and let it sleep; gives the seconds that it took."""
    started = time.perf_counter()
    run("import", str(turns), "--db", str(memory), "--zone", "UTC")
    if sleep:
        run("sleep", "--no-model", "--db", str(memory))
    return time.perf_counter() - started


def asked(questions: Sequence[dict[str, Any]], memory: Path) -> Iterator[dict[str, Any]]:
    """One line of hits for each question."""
    lines = [json.dumps({"id": one["id"], "question": one["question"]}) for one in questions]
    said = run("recall", "-", "-k", "10", "--zone", "UTC", "--db", str(memory), typed="\n".join(lines) + "\n")
    return (json.loads(line) for line in said.splitlines())


def main() -> None:
    """Read the arguments, build, ask, print one table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("dir", type=Path)
    parser.add_argument("--folder", type=Path, help="where the memories go; a temporary folder if not given")
    parser.add_argument("--hits", type=Path, help="keep the hits here, as JSON lines")
    parser.add_argument("--no-sleep", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        out = options.hits or Path(scratch) / "hits.jsonl"
        everything(options.dir.resolve(), (options.folder or Path(scratch)).resolve(), out, sleep=not options.no_sleep)
        print(printed("through the command line", table(written(options.dir, out))))


def everything(source: Path, folder: Path, out: Path, *, sleep: bool) -> None:
    """Ask every question of its own conversation and write the hits."""
    questions = [one for one in json_lines(source / "questions.jsonl") if one["evidence"]]
    with out.open("w", encoding="utf-8") as file:
        for turns in sorted(source.glob("turns-*.jsonl")):
            name = turns.stem.removeprefix("turns-")
            memory = folder / f"{name}.db"
            spent = remembered(turns, memory, sleep=sleep)
            started = time.perf_counter()
            mine = [one for one in questions if one["conversation"] == name]
            lines = list(asked(mine, memory))
            file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
            failed = sum("error" in line for line in lines)
            print(
                f"{name}: built in {spent:.1f} s, {len(lines)} of {len(mine)} questions answered in "
                f"{time.perf_counter() - started:.1f} s, {failed} errors",
                flush=True,
            )


if __name__ == "__main__":
    main()
