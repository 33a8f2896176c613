"""What each channel and each trick of recall is worth: weights are fitted anew without it, and judged on conversations
that they were not fitted to.

    OPENBLAS_NUM_THREADS=1 python -m tests.bench.recall_ablation DIR [--with FILE.jsonl.gz]

DIR holds LoCoMo's turns-*.jsonl and questions.jsonl, FILE haystacks of LongMemEval: weights are then fitted to both,
and their sessions judged by folds. A channel that is off draws no candidates; a trick that is off has no features.
Recall@5 and NDCG@5 over all questions with evidence, Recall@5 of each category, and LongMemEval's sessions.
A minute and a half of one processor without FILE. More threads of BLAS only wait for each other.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from store.recall.search import CHANNELS
from tests.bench.locomo_recall import CATEGORIES, Bench, only, repeatedly, sessions_ranked
from tests.bench.longmemeval_recall import Haystack, haystacks
from tests.bench.ranking import Example, cross_validated, fit, table

CHANNEL_FEATURES = {"lexical": (), "dense": ("dense", "both", "session_dense")}
"""What a channel's candidates are judged by beside drawing them; it goes when the channel goes."""
TRICKS = {
    "words of the turns around (context)": ("context", "both", "length_context", "by_named_context", "session"),
    "two turns before and after": ("second_", "soft_since", "soft_around"),
    "near words (soft)": ("soft", "session_soft"),
    "the session": ("session",),
    "a vague question's meaning": ("dense_vague", "session_dense_vague"),
    "vectors of the turns around": ("dense_asked", "dense_before", "dense_after"),
    "days and named times": ("days", "when_days", "in_time", "soon_after", "lately", "when="),
    "who speaks": ("by_",),
    "the shape of a turn": ("asks", "length", "short", "own_voice", "opening", "dated", "named"),
    "the look of an answer": ("when=", "count=", "shown=", "where=", "who=", "which=", "why=", "past=", "opinion"),
}
"""Beginnings of the names of each trick's features."""


def figures(examples: Sequence[Example], more: Sequence[Haystack]) -> list[float]:
    """In percent, cross-validated: LoCoMo's Recall@5, NDCG@5, Recall@5 by category; LongMemEval's Recall@5, NDCG@5."""
    rows = table(cross_validated(examples, lambda items: fit([*items, *repeatedly(more)])))
    found = [rows["all"]["R@5"], rows["all"]["N@5"], *(rows[name]["R@5"] for name in CATEGORIES.values())]
    if more:
        sessions = table(sessions_ranked(examples, more))["all"]
        found += [sessions["R@5"], sessions["N@5"]]
    return found


def without(example: Example, names: Sequence[str], beginnings: tuple[str, ...]) -> Example:
    """The example without the features whose names begin so."""
    return only(example, [place for place, name in enumerate(names) if not name.startswith(beginnings or ("\0",))])


def ablations(
    bench: Bench, asked: Sequence[Example], names: Sequence[str], more: Sequence[Haystack]
) -> Iterator[tuple[str, list[float]]]:
    """Everything but one thing at a time. LongMemEval's haystacks are judged without the tricks, not without channels:
    each channel off is another drawing of all candidates."""
    for channel in CHANNELS:
        drawn, _ = bench.examples([one for one in CHANNELS if one != channel])
        beginnings = CHANNEL_FEATURES.get(channel, ())
        yield f"channel off: {channel}", figures([without(one, names, beginnings) for one in drawn], ())
    for trick, beginnings in TRICKS.items():
        left = [without(one, names, beginnings) for one in asked]
        others = [replace(one, turns=without(one.turns, names, beginnings)) for one in more]
        yield f"trick off: {trick}", figures(left, others)


def main() -> None:
    """Read the arguments, and print one line an ablation as it is known."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("dir", type=Path)
    parser.add_argument("--with", dest="haystacks", type=Path, help="LongMemEval haystacks")
    options = parser.parse_args()
    heads = ["R@5", "N@5", *(name.split(" ", 1)[1][:7] for name in CATEGORIES.values()), "lme R", "lme N"]
    print(f"{'':<48}" + "".join(f"{head:>8}" for head in heads), flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(options.dir, Path(scratch))
        more = haystacks(options.haystacks, Path(scratch), bench.embedder) if options.haystacks else []
        asked, names = bench.examples()
        if more:
            line("everything, fitted to both", figures(asked, more))
        line("everything, fitted to LoCoMo", figures(asked, ()))
        for name, found in ablations(bench, asked, names, more):
            line(name, found)


def line(name: str, found: Sequence[float]) -> None:
    """One line of the table."""
    print(f"{name:<48}" + "".join(f"{one:8.1f}" for one in found), flush=True)


if __name__ == "__main__":
    main()
