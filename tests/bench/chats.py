"""How much of what is revised a moment later is taken as it was meant, on people nobody trained on.

    python -m tests.bench.chats [--calibrate] [--show N]

`chats_held.jsonl` holds four people who write in bursts: a thing is told, and the next message puts it right, moves it,
ends it or takes it back, or only goes on. What was not taken of theirs was looked at while `store/reading/revised.py`
was written; nothing was looked at of the three people whom `--calibrate` takes. Their messages go through `import` and
`sleep --no-model`.

taken      of what is revised, and not revised again: nothing of the old value is believed still, and the new one is
old stays  the old value is still believed beside it, or instead
new lost   the old value is gone, or was never heard, and the new one is not known
harmed     what was told within the hour and a message changed that does not revise it
"""

from __future__ import annotations

import argparse
import collections
import json
import tempfile
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from tests.bench.diaries import CORPUS, Heard, Object, erstwhile, lines, share, tell, words

OVER = ("ends", "not", "cancelled")
HELD = Path(__file__).parent / "chats_held.jsonl"


def _calibrating() -> list[Object]:
    people = json.loads((CORPUS / "people.json").read_text("utf-8"))
    every = lines((CORPUS / "chats.jsonl").read_text("utf-8"))
    return [one for one in every if people[one["persona"]]["part"] == "calibrate"]


def facts_of(messages: Sequence[Object]) -> list[Object]:
    """What is known of one person's chat at its end, and what was."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "m.db"
        tell(file, map(_turn, messages))
        facts: list[Object] = json.loads(erstwhile("--db", file, "facts", "--all", "--json"))["facts"]
        return facts


def _turn(message: Object) -> Object:
    return {
        "session": message["persona"], "id": message["id"], "speaker": "me", "role": "user", "text": message["text"],
        "said_at": f"{message['at']}:00+00:00",
    }  # fmt: skip


def revisions(messages: Sequence[Object]) -> Iterator[tuple[Object, Object]]:
    """(message, claim) of each claim that revises an earlier one, and that no later message revises again."""
    marked = [(message, claim) for message in messages for claim in message["claims"] if claim.get("of")]
    for message, claim in marked:
        again = any(
            later is not message and (one["at"], True) == (message["id"], share(words(one["of"]), words(claim["o"])))
            for later, one in marked
        )
        same = any(
            later["at"] > message["at"] and one["at"] == claim["at"] and one["of"] == claim["of"]
            for later, one in marked
        )
        if not (again or same):
            yield message, claim


def judged(message: Object, claim: Object, facts: Sequence[Object], end: str) -> str:
    """taken, old stays or new lost."""

    def rests_on(fact: Object, turn: str) -> bool:
        return any(source.get("external_id") == turn for source in fact["sources"])

    now = [
        fact
        for fact in facts
        if not fact["believed_to"] and not fact["negative"] and (not fact["valid_to"] or fact["valid_to"] > end)
    ]
    old = [
        fact
        for fact in now
        if rests_on(fact, claim["at"])
        and not rests_on(fact, message["id"])
        and share(words(claim["of"]), words(fact["object"]))
    ]
    if old:
        return "old stays"
    if claim["st"] in OVER:
        return "taken"
    new = [fact for fact in facts if not fact["believed_to"] and rests_on(fact, message["id"])]
    moved = claim["o"] == claim["w"]
    found = any(moved or share(words(claim["o"]), words(fact["object"])) for fact in new)
    return "taken" if found else "new lost"


def harmed(messages: Sequence[Object], facts: Sequence[Object]) -> Iterator[tuple[Object, Object]]:
    """(message, fact) of what a message changed a moment after it was told, and does not revise."""
    told, by_id = {message["id"]: message for message in messages}, {fact["id"]: fact for fact in facts}
    for fact in facts:
        for old in filter(None, (by_id.get(one) for one in (fact["supersedes"], *fact["also_supersedes"]) if one)):
            turn, later = (told[one["sources"][-1]["external_id"]] for one in (old, fact))
            moment = datetime.fromisoformat(later["at"]) - datetime.fromisoformat(turn["at"])
            meant = words(old["object"]) | words(old["sources"][-1]["quote"] if old["predicate"] == "event" else "")
            marked = any(
                claim["at"] == turn["id"] and meant & words(claim["of"]) for claim in later["claims"] if claim.get("of")
            )
            if later is not turn and moment < timedelta(hours=1) and not marked:
                yield later, old


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calibrate", action="store_true", help="three people of the corpus who are not trained on")
    parser.add_argument("--show", type=int, default=0, help="print as many of what was not taken")
    asked = parser.parse_args()
    messages = _calibrating() if asked.calibrate else lines(HELD.read_text("utf-8"))
    tally: collections.Counter[str] = collections.Counter()
    heard, shown, wrongly = Heard(), 0, 0
    for person in dict.fromkeys(message["persona"] for message in messages):
        mine = [message for message in messages if message["persona"] == person]
        texts, facts = {message["id"]: message["text"] for message in mine}, facts_of(mine)
        heard.add(mine, facts)
        for message, fact in harmed(mine, facts):
            wrongly += 1
            if wrongly <= asked.show:
                print(f"harmed: “{fact['text']}” by “{message['text']}”")
        for message, claim in revisions(mine):
            verdict = judged(message, claim, facts, mine[-1]["at"])
            tally[verdict] += 1
            if verdict != "taken" and shown < asked.show:
                shown += 1
                print(f"{verdict}: “{texts[claim['at']]}” / “{message['text']}”: {claim['of']} -> {claim['o']}")
    told = sum(tally.values())
    for verdict, count in tally.most_common():
        print(f"{verdict:10} {count:4}  {100 * count / told:.1f} %")
    print(f"harmed     {wrongly:4}")
    print(f"known      {heard}")


if __name__ == "__main__":
    main()
