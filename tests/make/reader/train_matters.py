"""Trains the head that says what a question asks for: a value of which of the reader's labels.

    python -m tests.make.reader.train_matters [--asker models/asker]

A softmax regression over the vectors of the trained encoder, which stays as it is: half a minute, no torch. Relation
detection as in question answering over a knowledge base (Yu et al. 2017, arXiv:1704.06194), with the relations of the
marked statements. Of a question the label is that of the statement, in a turn that answers it, which shares the
most words with the answer. Prints how often it is right on people who were not trained on, and writes the head.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file, save_file

from store.reading.asking.encoder import Asker
from tests.bench.diaries import words
from tests.make.reader.asking import Asked, all_asked
from tests.make.reader.corpus import predicate_of

Floats = npt.NDArray[np.float64]
ALIKE = 0.3
"""The share of their words that an answer and a value have in common at least."""
SELDOM = 10
"""Questions that a label needs at least."""
EPOCHS, BATCH, RATE, HIDDEN, DECAY = 40, 256, 2e-3, 0.3, 1e-3


def label_of(asked: Asked) -> str:
    """The label that a question asks for; "" where no marked statement says its answer."""
    turns = [asked.span[0]] if asked.span else asked.right
    answer = words(asked.span[1] if asked.span else asked.question["gold"])
    best, found = ALIKE, ""
    for claim in (claim for turn in turns for claim in asked.said[turn]["claims"]):
        value = words(claim["o"])
        alike = len(value & answer) / max(1, len(value | answer))
        if alike > best or (alike == best and not found):
            best, found = alike, predicate_of(claim)
    return found


def labelled(part: str) -> list[tuple[str, str]]:
    """Each question of one part of the people, with its label."""
    return [(one.question["q"], label) for one in all_asked(part) if (label := label_of(one))]


def trained(vectors: Floats, targets: npt.NDArray[np.int64], labels: int) -> tuple[Floats, Floats]:
    """Weights [labels x width] and biases, by Adam (Kingma and Ba 2015); some of the inputs are hidden at each step."""
    chance = np.random.default_rng(0)
    mean, spread = vectors.mean(0), vectors.std(0) + 1e-6
    scaled = (vectors - mean) / spread
    weights = np.zeros((vectors.shape[1] + 1, labels))
    first, second, step = np.zeros_like(weights), np.zeros_like(weights), 0
    for _ in range(EPOCHS):
        order = chance.permutation(len(scaled))
        for some in np.array_split(order, len(order) // BATCH):
            shown = scaled[some] * (chance.random((len(some), scaled.shape[1])) > HIDDEN) / (1 - HIDDEN)
            shown = np.hstack([shown, np.ones((len(some), 1))])
            powers = np.exp((scores := shown @ weights) - scores.max(1, keepdims=True))
            powers /= powers.sum(1, keepdims=True)
            powers[np.arange(len(some)), targets[some]] -= 1
            slope = shown.T @ powers / len(some) + DECAY * weights
            step += 1
            first = 0.9 * first + 0.1 * slope
            second = 0.999 * second + 0.001 * slope**2
            weights -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    plain = weights[:-1] / spread[:, None]
    return np.ascontiguousarray(plain.T), weights[-1] - mean @ plain


def measure(asker: Asker, asked: Sequence[tuple[str, str]]) -> str:
    """How often the likeliest label is right, and how often it is where it is surer than .6."""
    told = [(asker.intent(question).matters, label) for question, label in asked]
    best = [(max(matters, key=lambda one: matters[one]), matters, label) for matters, label in told]
    right = sum(first == label for first, _, label in best)
    sure = [first == label for first, matters, label in best if matters[first] >= 0.6]
    return (
        f"{len(told)} questions: right {100 * right / len(told):.1f} %; surer than .6: "
        f"{100 * len(sure) / len(told):.1f} %, of these right {100 * sum(sure) / len(sure):.1f} %"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--asker", type=Path, default=Path("models/asker"))
    folder = parser.parse_args().asker
    asked = labelled("train")
    counts = Counter(label for _, label in asked)
    labels = sorted(label for label, count in counts.items() if count >= SELDOM)
    asked = [one for one in asked if one[1] in labels]
    asker = Asker(folder)
    vectors = np.array([asker.vector(question) for question, _ in asked], dtype=np.float64)
    weights, biases = trained(vectors, np.array([labels.index(label) for _, label in asked]), len(labels))
    heads = load_file(folder / "heads.safetensors")
    heads |= {"matter.weight": weights.astype(np.float16), "matter.bias": biases.astype(np.float16)}
    save_file(heads, folder / "heads.safetensors")
    (folder / "heads.safetensors").chmod(0o644)  # safetensors writes for the owner alone
    card = json.loads((folder / "asker.json").read_text("utf-8"))
    (folder / "asker.json").write_text(json.dumps({**card, "matters": labels}, indent=1) + "\n")
    print(f"{len(asked)} questions, {len(labels)} labels")
    for part in ("calibrate", "held"):
        print(f"{part}: {measure(Asker(folder), labelled(part))}")


if __name__ == "__main__":
    main()
