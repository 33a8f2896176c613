"""What each channel and each trick of recall is worth: weights are fitted anew without it, and judged on conversations
that they were not fitted to.

    python -m tests.bench.recall_ablation DIR [--steps N]

DIR holds LoCoMo's turns-*.jsonl and questions.jsonl. A channel that is off draws no candidates; a trick that is off has
no features. Recall@5 and NDCG@5 over all questions with evidence, Recall@5 of multi-hop questions, and the change.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from store.recall.search import CHANNELS
from tests.bench.locomo_recall import CATEGORIES, Bench
from tests.bench.ranking import Example, cross_validated, fit, table

CHANNEL_FEATURES = {
    "lexical": (),
    "dense": ("dense", "both", "session_dense"),
    "graph": ("linked",),
    "beliefs": ("slot",),
}
"""What a channel's candidates are judged by beside drawing them; it goes when the channel goes."""
TRICKS = {
    "words of the turns around (context)": ("context", "both", "length_context", "by_named_context", "session"),
    "two turns before and after": ("second_", "soft_since", "soft_around"),
    "near words (soft)": ("soft", "session_soft"),
    "the session": ("session",),
    "days and named times": ("days", "when_days", "in_time", "soon_after", "lately", "when="),
    "who speaks": ("by_",),
    "the shape of a turn": ("asks", "length", "short", "own_voice", "opening", "dated", "named"),
    "the look of an answer": ("when=", "count=", "shown=", "where=", "who=", "which=", "why=", "past=", "opinion"),
}
"""Beginnings of the names of each trick's features."""

Figures = tuple[float, float, float]


def figures(examples: Sequence[Example], steps: int) -> Figures:
    """Recall@5, NDCG@5 and Recall@5 of multi-hop questions, in percent, cross-validated over conversations."""
    rows = table(cross_validated(examples, lambda items: fit(items, steps=steps)))
    return rows["all"]["R@5"], rows["all"]["N@5"], rows[CATEGORIES[1]]["R@5"]


def without(examples: Sequence[Example], names: Sequence[str], beginnings: tuple[str, ...]) -> list[Example]:
    """The examples without the features whose names begin so."""
    kept = [place for place, name in enumerate(names) if not name.startswith(beginnings or ("\0",))]
    return [replace(one, features=one.features[:, kept]) for one in examples]


def ablations(bench: Bench, steps: int) -> Iterator[tuple[str, Figures]]:
    """Everything, then everything but one thing at a time."""
    examples, names = bench.examples()
    yield "everything", figures(examples, steps)
    for channel in CHANNELS:
        drawn, there = bench.examples([one for one in CHANNELS if one != channel])
        yield f"channel off: {channel}", figures(without(drawn, there, CHANNEL_FEATURES.get(channel, ())), steps)
    for trick, beginnings in TRICKS.items():
        yield f"trick off: {trick}", figures(without(examples, names, beginnings), steps)


def main() -> None:
    """Read the arguments, and print one line an ablation as it is known."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("dir", type=Path)
    parser.add_argument("--steps", type=int, default=400, help="of the fit; fewer are faster and a little worse")
    options = parser.parse_args()
    print(f"{'':<50} {'R@5':>6} {'N@5':>6} {'multi':>6} {'change':>13}", flush=True)
    whole: Figures | None = None
    with tempfile.TemporaryDirectory() as scratch:
        for name, found in ablations(Bench(options.dir, Path(scratch)), options.steps):
            whole = whole or found
            change = f"{found[0] - whole[0]:+.1f} / {found[1] - whole[1]:+.1f}"
            print(f"{name:<50} {found[0]:6.1f} {found[1]:6.1f} {found[2]:6.1f} {change:>13}", flush=True)


if __name__ == "__main__":
    main()
