"""Makes how sure the reader is mean something: a claim of .9 is right nine times in ten, on people it never saw.

    python -m tests.make.reader.calibrate [--reader models/reader] [--show]

Fits a logistic regression from the heads' chances (span, predicate, status, subject) to whether a claim is right: half
for its value, which shares half of its words with one that was marked, half for the whole, where its subject and its
state (true now, over, planned, happened) are those that were marked, too. Prints the reliability diagram, chooses the
thresholds, and writes the card.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from store.reading.encoder import Before, Reader, Statement, Words, logit
from tests.bench.diaries import CORPUS, lines, share, words

KNOWN, UNSURE = 0.88, 0.78
"""Of what is shown as known, and of what is shown at all, the share whose value somebody marked, among the people who
are calibrated on. Most of these were marked before there was a guide, and what a reader rightly finds is often left
out: on the people who are held out the shares are 93 and 84 %."""
STATES = {
    "is": "now", "begins": "now", "corrects": "now", "ends": "over", "was": "over", "not": "over",
    "cancelled": "over", "event": "once", "planned": "ahead",
}  # fmt: skip
Floats = npt.NDArray[np.float64]
Object = dict[str, Any]


def supported(text: str, one: Statement, claims: Sequence[Object]) -> list[Object]:
    """The marked claims whose value a statement shares."""
    value = words(text[one.value.start : one.value.end])
    return [claim for claim in claims if share(words(claim["o"]), value)]


def is_right(text: str, one: Statement, claims: Sequence[Object]) -> bool:
    """Whether a statement says what somebody marked: value, subject and state."""
    return any(
        whose(text, one.subject, claim["s"]) and STATES[claim["st"]] == STATES[one.status]
        for claim in supported(text, one, claims)
    )


def whose(text: str, where: Words | None, marked: str) -> bool:
    first = {"me", "i", "my", "we", "our", "us"}
    if where is None or text[where.start : where.end].lower() in first:
        return marked == "me"
    return marked != "me" and share(words(marked), words(text[where.start : where.end]))


def read_all(reader: Reader, messages: Sequence[Object]) -> list[tuple[Object, Statement]]:
    """Every statement that the reader points at, with its message."""
    found: list[tuple[Object, Statement]] = []
    last: Object | None = None
    for message in messages:
        near = last is not None and last["persona"] == message["persona"] and "speaker" in message
        other = near and last is not None and last["speaker"] != message["speaker"]
        before = Before(last["text"]) if other and last is not None else Before()
        found += [(message, one) for one in reader.read([(message["text"], before)])[0]]
        last = message
    return found


def fit(features: Floats, right: Floats) -> Floats:
    """Logistic regression by Newton's method, lightly ridged; bias first."""
    rows = np.hstack([np.ones((len(features), 1)), features])
    weights = np.zeros(rows.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-rows @ weights))
        gradient = rows.T @ (chance - right) + 1e-2 * weights
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows + 1e-2 * np.eye(len(weights))
        weights -= np.linalg.solve(curve, gradient)
    return weights


def threshold(sure: Floats, right: Floats, least: float) -> float:
    """The lowest chance above which at least this share is right."""
    order = np.argsort(-sure)
    running = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    good = np.nonzero(running >= least)[0]
    return float(sure[order][good[-1]]) if len(good) else 1.0


def diagram(sure: Floats, right: Floats) -> None:
    """Print how often what is said to be sure is right, by tenths."""
    print("sure     claims  right")
    for low in np.arange(0, 1, 0.1):
        inside = (sure >= low) & (sure < low + 0.1 + 1e-9)
        if inside.any():
            print(f"{low:.1f}-{low + 0.1:.1f} {inside.sum():8}  {100 * right[inside].mean():.0f} %")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reader", type=Path, default=CORPUS.parent)
    parser.add_argument("--show", action="store_true", help="print only, change nothing")
    asked = parser.parse_args()
    people = json.loads((CORPUS / "people.json").read_text("utf-8"))
    every = lines((CORPUS / "messages.jsonl").read_text("utf-8"))
    reader = Reader(asked.reader)
    for part in ("calibrate", "held"):
        found = read_all(reader, [one for one in every if people[one["persona"]]["part"] == part])
        features = np.array([[logit(chance) for chance in one.chances] for _, one in found])
        right = np.array([is_right(message["text"], one, message["claims"]) for message, one in found], dtype=float)
        value = np.array([bool(supported(message["text"], one, message["claims"])) for message, one in found])
        if part == "calibrate" and not asked.show:
            weights = fit(features, (right + value) / 2)  # a claim is shown by its value, and judged as a whole
            sure = 1 / (1 + np.exp(-(weights[0] + features @ weights[1:])))
            reader.card["calibration"] = [round(float(one), 4) for one in weights]
            reader.card["known"] = round(threshold(sure, value.astype(float), KNOWN), 3)
            reader.card["unsure"] = round(threshold(sure, value.astype(float), UNSURE), 3)
            (asked.reader / "reader.json").write_text(json.dumps(reader.card, indent=1) + "\n")
        weights = np.array(reader.card["calibration"])
        sure = 1 / (1 + np.exp(-(weights[0] + features @ weights[1:])))
        told = sum(len(one["claims"]) for one in every if people[one["persona"]]["part"] == part)
        print(f"{part}: {told} told")
        diagram(sure, right)
        for name in ("known", "unsure"):
            over = sure >= reader.card[name]
            whole, values = 100 * right[over].mean(), 100 * value[over].mean()
            print(
                f"{name} over {reader.card[name]}: {over.sum()} claims, whole {whole:.1f} %, value {values:.1f} % right"
            )


if __name__ == "__main__":
    main()
