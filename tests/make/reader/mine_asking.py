"""Finds the turns that a trained network takes for answers and that are none: what it is trained beside next.

    python -m tests.make.reader.mine_asking --out build/asker/hard.jsonl [--asker models/asker] [--known FILE]

Each person's messages go into a memory of their own; for each question of the people to train on, the turns that recall
finds are judged. Writes a line per question: the log odds of what answers and of what does not (hard negatives, as in
Xiong et al. 2021, arXiv:2007.00808).
"""

from __future__ import annotations

import argparse
import json
import tempfile
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from store.memory import Memory
from store.reading.asking.encoder import Asker
from store.recall.answers import MOST_TURNS
from store.recall.turns import log_odds
from tests.bench.diaries import lines
from tests.make.reader.asking import Asked, all_asked, evidence, latest
from tests.make.reader.calibrate_asking import Now, turn_of


def mined(asker: Asker, memory: Memory, one: Asked) -> dict[str, object]:
    """The log odds of the turns that answer a question and of those that recall found beside them, by their ids."""
    text, until = one.question["q"], latest(one)
    end = datetime.combine(date.fromisoformat(until) + timedelta(days=1), datetime.min.time(), UTC)
    found = [turn.hit.external_id for turn in memory.recall.evidence(text, MOST_TURNS, int(end.timestamp() * 1e6))]
    ids = [told["id"] for told in one.said]
    right = {ids[place] for place in one.right}
    places = [*one.right[:3], *(ids.index(each) for each in found if each in ids and each not in right)]
    judged = asker.judge(text, [evidence(one.said, place, until) for place in places])
    odds = {ids[place]: round(log_odds(how.sure), 2) for place, how in zip(places, judged, strict=True)}
    span = one.span and dict(zip(places, judged, strict=True)).get(one.span[0])
    pointed = one.said[one.span[0]]["text"][slice(*span.words)] if one.span and span else None
    return {"persona": one.question["persona"], "q": text, "odds": odds, "pointed": pointed}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--asker", type=Path, default=Path("models/asker"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--known", type=Path, help="a file of an earlier run, whose questions are not judged again")
    chosen = parser.parse_args()
    known = lines(chosen.known.read_text("utf-8")) if chosen.known else []
    done = {(one["persona"], one["q"]) for one in known}
    asker = Asker(chosen.asker)
    people: dict[str, list[Asked]] = {}
    for one in all_asked("train"):
        if one.question.get("about", "memory") == "memory" and (one.question["persona"], one.question["q"]) not in done:
            people.setdefault(one.question["persona"], []).append(one)
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    with chosen.out.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(one, ensure_ascii=False) + "\n" for one in known)
        for asked in people.values():
            longest = max((one.said for one in asked), key=len)
            names = [longest[0]["speaker"]] if "speaker" in longest[0] else []
            with (
                tempfile.TemporaryDirectory() as folder,
                Memory.open(Path(folder) / "m.db", clock=Now(), zone=UTC, person=names) as memory,
            ):
                list(memory.episodes.ingest([turn_of(told) for told in longest]))
                file.writelines(json.dumps(mined(asker, memory, one), ensure_ascii=False) + "\n" for one in asked)
            file.flush()


if __name__ == "__main__":
    main()
