"""Every check of a file of scenarios is asked of the real memory: imported, slept, asked, judged by one rule.

    python tests/bench/scenarios.py PATH [--verbose]

A line of PATH holds `turns` and `checks`. An answer passes if its text contains one of `any` ("a|b" are alternatives, a
list wants all of its items; case-blind) and nothing of `none`; a check with `abstain` wants an abstention.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from store.memory import Memory
from store.protocols import Embedder
from store.records import Answer, Instant, Turn
from store.time.expressions import parse_iso, parse_when


class Clock:
    """The wall clock: a benchmark stands outside the engine."""

    def now(self) -> Instant:
        return Instant.of(datetime.now(UTC))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--verbose", action="store_true", help="print the answers that pass, too")
    options = parser.parse_args()
    from store.episodes.embedding import StaticEmbedder

    embedder = StaticEmbedder.load()
    tally: Counter[tuple[str, bool]] = Counter()
    for line in options.path.read_text(encoding="utf-8").splitlines():
        scenario = json.loads(line)
        for check, answer, passed in run(scenario, embedder):
            tally[scenario.get("kind", ""), passed] += 1
            if not passed or options.verbose:
                print(f"{'ok  ' if passed else 'MISS'} {scenario['name']}: {_asked(check)}\n       -> {answer.text}"
                      f"{'  [abstained]' if answer.abstained else ''}")  # fmt: skip
    for kind in sorted({kind for kind, _ in tally}):
        print(f"{kind:10} {tally[kind, True]} of {tally[kind, True] + tally[kind, False]}")
    print(f"{'all':10} {sum(n for (_, ok), n in tally.items() if ok)} of {sum(tally.values())}")
    return 0


def run(scenario: dict[str, Any], embedder: Embedder) -> Iterator[tuple[dict[str, Any], Answer, bool]]:
    """Each check of one scenario, its answer, and whether that passes."""
    with tempfile.TemporaryDirectory() as folder, _memory(Path(folder), embedder) as memory:
        for _ in memory.episodes.ingest(_turns(scenario["turns"])):
            pass
        for _ in memory.sleeping.run():
            pass
        for check in scenario["checks"]:
            answer = _ask(memory, check)
            yield check, answer, passes(check, answer)


def _memory(folder: Path, embedder: Embedder) -> Memory:
    return Memory.open(folder / "memory.db", clock=Clock(), zone=UTC, embedder=embedder)


def _turns(lines: list[dict[str, Any]]) -> Iterator[Turn]:
    for line in lines:
        yield Turn(
            text=line["text"],
            session=line["session"],
            speaker=line.get("speaker", "me"),
            role=line.get("role", "user"),
            said_at=parse_iso(line["said_at"], UTC),
            external_id=line.get("id"),
            source="import:jsonl",
        )


def _ask(memory: Memory, check: dict[str, Any], zone: tzinfo = UTC) -> Answer:
    """As `ask -` does: `as_of` a stretch, `believed` its last moment."""
    now = datetime.now(zone)
    as_of = parse_when(check["as_of"], now) if check.get("as_of") else None
    held = parse_when(check["believed"], now) if check.get("believed") else None
    believed = None if held is None else (held.end or now.timestamp() * 1e6) - 1
    return memory.answering.ask(check["ask"], as_of=as_of, believed=None if believed is None else int(believed))


def passes(check: dict[str, Any], answer: Answer) -> bool:
    """The rule by which the scenarios are judged."""
    text = answer.text.lower()
    if check.get("abstain"):
        return answer.abstained
    wanted = check.get("any", [])
    good = not wanted or any(_holds(text, one) for one in wanted)
    return good and not any(_holds(text, one) for one in check.get("none", []))


def _holds(text: str, wanted: str | list[str]) -> bool:
    if isinstance(wanted, list):
        return all(_holds(text, one) for one in wanted)
    return any(one.lower() in text for one in wanted.split("|"))


def _asked(check: dict[str, Any]) -> str:
    times = ", ".join(f"{name} {check[name]}" for name in ("as_of", "believed") if check.get(name))
    wants = check.get("any") or ("an abstention" if check.get("abstain") else "")
    return f"{check['ask']}{f' ({times})' if times else ''}  wants {wants} none {check.get('none', [])}"


if __name__ == "__main__":
    sys.exit(main())
