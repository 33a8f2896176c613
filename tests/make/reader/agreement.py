"""How far two people agree who mark the same messages by the guide: the ceiling of what any reader can be measured to.

    python -m tests.make.reader.agreement

`second.jsonl` holds the marks of a second person, made without sight of the first. A claim agrees if its predicate is
the same and half of the shorter value's words are shared; status and subject are counted over those that agree.
"""

from __future__ import annotations

from collections import Counter

from tests.bench.diaries import CORPUS, Object, lines, share, words
from tests.make.reader.calibrate import STATES
from tests.make.reader.corpus import predicate_of


def main() -> None:
    first = {one["id"]: one["claims"] for one in lines((CORPUS / "messages.jsonl").read_text("utf-8"))}
    second = lines((CORPUS / "second.jsonl").read_text("utf-8"))
    counts: Counter[str] = Counter()
    confused: Counter[tuple[str, str]] = Counter()
    for message in second:
        mine, theirs = first[message["id"]], message["claims"]
        counts["messages"] += 1
        counts["first"] += len(mine)
        counts["second"] += len(theirs)
        counts["nothing"] += bool(mine) == bool(theirs)
        free = list(theirs)
        for claim in mine:
            alike = [one for one in free if share(words(one["o"]), words(claim["o"]))]
            counts["value"] += bool(alike)
            same = next((one for one in alike if predicate_of(one) == predicate_of(claim)), None)
            if same is None:
                confused.update((predicate_of(claim), predicate_of(one)) for one in alike[:1])
                continue
            free.remove(same)
            _compare(counts, claim, same)
    both = counts["first"] + counts["second"]
    print(f"{counts['messages']} messages, {counts['first']} and {counts['second']} claims")
    print(f"something or nothing to remember: the same for {100 * counts['nothing'] / counts['messages']:.1f} %")
    print(f"predicate and value: F1 {2 * counts['agree'] / both:.3f}; value alone {2 * counts['value'] / both:.3f}")
    for name in ("status", "state", "subject"):
        print(f"of those, {name} the same: {100 * counts[name] / counts['agree']:.1f} %")
    print("confused most:", ", ".join(f"{a}/{b} {n}" for (a, b), n in confused.most_common(12)))


def _compare(counts: Counter[str], one: Object, other: Object) -> None:
    counts["agree"] += 1
    counts["status"] += one["st"] == other["st"]
    counts["state"] += STATES[one["st"]] == STATES[other["st"]]
    counts["subject"] += (one["s"] == "me") == (other["s"] == "me") and (
        one["s"] == "me" or share(words(one["s"]), words(other["s"]))
    )


if __name__ == "__main__":
    main()
