"""What a model adds to the rules is counted claim by claim, and every one that was let in is shown to be judged.

    python -m tests.bench.extract_by_model MODEL.gguf TURNS.jsonl... [--turns 60] [--keep REPLIES.jsonl] [--me NAME]

Reads the first turns of each conversation by the rules, then by the model as a sleep does, and prints claims per 100
turns of both, what was refused and why, seconds a question, and each claim that only the model made, with its quote.
The turns are in the JSONL form that `erstwhile import` reads. `--keep` keeps the replies: what was asked once is not
asked again, so that the checks can be run anew over the same replies. `--no-model` uses kept replies only.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from app.llm.process import ModelProcess
from store.belief.extract import Speakers, read
from store.protocols import Message
from store.records import Claim, Episode
from store.sleep.proposals import REPLY_TOKENS, SCHEMA, messages, parsed
from store.sleep.proving import judged, open_looks, words_of
from tests.bench.extract_eval import BEFORE, episodes, shown

Ask = Callable[[str, Sequence[Message]], str | None]


@dataclass
class Tally:
    """What came of the turns."""

    turns: int = 0
    by_rules: int = 0
    asked: int = 0
    proposed: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    let_in: list[tuple[Episode, Claim]] = field(default_factory=list)


def tallied(turns: list[Episode], speakers: Speakers, ask: Ask, name: str, tally: Tally) -> None:
    """Read the turns of one conversation by both."""
    before: list[Episode] = []
    for turn in turns:
        earlier = [one for one in before if one.session == turn.session][-BEFORE:]
        known = read(turn, earlier, speakers)
        tally.turns += 1
        tally.by_rules += len(known)
        found = open_looks(turn, earlier, speakers, known)
        asking = messages(turn, earlier[-1] if earlier else None, words_of(turn, found))
        reply = ask(turn.id, asking) if found else None
        if reply is not None:
            heard = judged(reply, name, turn, found, known, speakers)
            proposals = parsed(reply)
            tally.asked += 1
            tally.proposed += 0 if isinstance(proposals, str) else len(proposals)
            tally.refused.update(one.reason for one in heard.refused)
            tally.let_in += [(turn, claim) for claim in heard.claims]
        before.append(turn)


class Asking:
    """Asks the model what it was not asked before, and keeps what it said."""

    def __init__(self, model: ModelProcess | None, keep: Path | None) -> None:
        self._model, self._keep = model, keep
        lines = keep.read_text(encoding="utf-8").splitlines() if keep is not None and keep.exists() else []
        self._kept = {one["id"]: one["reply"] for one in map(json.loads, lines)}
        self.seconds: list[float] = []

    def __call__(self, turn: str, asking: Sequence[Message]) -> str | None:
        """The reply; None where there is none and no model."""
        if turn in self._kept or self._model is None:
            return self._kept.get(turn)
        began = time.perf_counter()
        reply = "".join(self._model.chat(asking, max_tokens=REPLY_TOKENS, temperature=0.0, schema=SCHEMA))
        self.seconds.append(time.perf_counter() - began)
        if self._keep is not None:
            with self._keep.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"id": turn, "reply": reply}, ensure_ascii=False) + "\n")
        return reply


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("conversations", type=Path, nargs="+")
    parser.add_argument("--turns", type=int, default=60, help="of each conversation, from its start")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--no-model", action="store_true")
    parser.add_argument("--me", default="")
    given = parser.parse_args()
    speakers = Speakers(frozenset({given.me.casefold()} if given.me else ()))
    tally, name = Tally(), given.model.stem
    with tempfile.TemporaryDirectory() as folder:
        model = None if given.no_model else ModelProcess(given.model, crashes=Path(folder) / "machine.json")
        asking = Asking(model, given.keep)
        try:
            for path in given.conversations:
                tallied(list(episodes(path))[: given.turns], speakers, asking, name, tally)
        finally:
            if model is not None:
                model.close()
    _print(tally, asking.seconds)


def _print(tally: Tally, seconds: list[float]) -> None:
    share = 100 / max(1, tally.turns)
    for turn, claim in tally.let_in:
        print(shown(turn, claim))
    print(f"\n{tally.turns} turns; the model was asked about {tally.asked}, and proposed {tally.proposed}")
    print(f"claims per 100 turns: rules {tally.by_rules * share:.1f}, and by the model {len(tally.let_in) * share:.1f}")
    print("refused:", ", ".join(f"{reason} {count}" for reason, count in tally.refused.most_common()) or "nothing")
    if seconds:
        print(f"seconds a question: {sum(seconds) / len(seconds):.1f} on average over {len(seconds)}")


if __name__ == "__main__":
    main()
