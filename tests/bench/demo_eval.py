"""Nothing is counted as right that says a forbidden value: the demo year's questions, asked end to end without a model.

Run: python -m tests.bench.demo_eval [--verbose] [--first]. Prints right, wrong and abstained, and with --verbose each
miss. --first asks the thirty questions that a person would ask first (demo_first.jsonl), written before anybody tried.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from app.core.rendering import as_json
from app.tui.start import demo_memory
from store.memory import Memory
from store.time.expressions import parse_when
from tests.bench.diaries import judge, lines

FIRST = Path(__file__).with_name("demo_first.jsonl")
BELIEFS = Path(__file__).with_name("demo_beliefs.jsonl")
ZONE = ZoneInfo("Europe/Lisbon")
ANCHOR = datetime(2026, 11, 20, 12, tzinfo=ZONE)


def checks() -> list[dict[str, Any]]:
    """Every question with what its answer must and must not say."""
    found: list[dict[str, Any]] = []
    for line in BELIEFS.read_text(encoding="utf-8").splitlines():
        belief = json.loads(line)
        if belief.get("question"):
            wanted = belief.get("any") or [belief["answer_now"]]
            found.append({"ask": belief["question"], "any": wanted, "none": belief.get("none", [])})
        found += belief.get("asks", [])
    return found


def judged(memory: Memory, check: dict[str, Any]) -> tuple[str, str]:
    """(verdict, the answer's text)."""
    as_of = parse_when(check["as_of"], ANCHOR) if check.get("as_of") else None
    believed = parse_when(check["believed"], ANCHOR) if check.get("believed") else None
    until = None if believed is None or believed.end is None else believed.end - 1
    answer = memory.answering.ask(check.get("ask") or check["question"], as_of=as_of, believed=until)
    if answer.abstained:
        return ("right" if check.get("abstain") or not check.get("any") else "abstained"), answer.text
    text = answer.text.lower()
    right = any(_says(text, one) for one in check["any"]) and not any(_says(text, one) for one in check.get("none", []))
    return ("right" if right else "wrong"), answer.text


def _says(text: str, wanted: Any) -> bool:
    if isinstance(wanted, list):
        return all(_says(text, one) for one in wanted)
    return any(part.strip().lower() in text for part in wanted.split("|"))


def first(memory: Memory) -> Iterator[tuple[str, str, str]]:
    """(verdict, question, answer) of the thirty questions, by the rules of the diaries."""
    for question in lines(FIRST.read_text("utf-8")):
        answer = memory.answering.ask(question["q"])
        yield judge(question, as_json(answer)), question["q"], answer.text


def main() -> None:
    verdicts: Counter[str] = Counter()
    if "--first" in sys.argv:
        with tempfile.TemporaryDirectory() as folder, demo_memory(Path(folder) / "demo.db", ZONE) as memory:
            for verdict, question, text in first(memory):
                verdicts[verdict] += 1
                print(verdict, question, text, sep=" | ")
        print(dict(verdicts))
        return
    with tempfile.TemporaryDirectory() as folder, demo_memory(Path(folder) / "demo.db", ZONE) as memory:
        for check in checks():
            verdict, text = judged(memory, check)
            verdicts[verdict] += 1
            if "--verbose" in sys.argv and verdict != "right":
                print(verdict, check.get("ask") or check["question"], check.get("as_of"), check["any"], text, sep=" | ")
    print(dict(verdicts))


if __name__ == "__main__":
    main()
