"""Trains the network that reads questions and finds what answers them: one command, two cores, seeded.

    .make/bin/python -m tests.make.reader.train_asking --out models/asker

From the repository's root, in the environment of tests.make.reader.train. Another run gives other bytes at the same
figures.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.nn import functional

from store.reading.asking.pieces import Pair
from tests.bench.diaries import lines
from tests.make.reader import asking
from tests.make.reader.asking import Asked
from tests.make.reader.asking_network import Asking, best_span, pad
from tests.make.reader.export import export_asking
from tests.make.reader.train import begin, options, tokenizer_of

GROUP = 4
"""Questions of one step."""
CHUNK = 10
"""Pairs that are padded together."""


def encoded(network: Asking, some: Sequence[Pair]) -> list[Tensor]:
    """The vectors of each pair's pieces, in the order given; pairs of about one length are read together."""
    order = sorted(range(len(some)), key=lambda place: len(some[place].ids))
    found: list[Tensor] = [torch.empty(0)] * len(some)
    for at in range(0, len(order), CHUNK):
        part = order[at : at + CHUNK]
        ids = pad([some[place].ids for place in part])
        mask = pad([[1] * len(some[place].ids) for place in part])
        hidden = network(ids, mask, pad([some[place].segments for place in part]))
        for row, place in enumerate(part):
            found[place] = hidden[row, : len(some[place].ids)]
    return found


def loss_of(network: Asking, tokenizer: Any, group: Sequence[Asked], more: Sequence[Asked]) -> Tensor:
    """Of some questions: their frames, and their pairs; and of further texts, their frames."""
    places = [asking.beside(one) for one in group]
    pairs = [pair for one, some in zip(group, places, strict=True) for pair in asking.pairs_of(tokenizer, one, some)]
    frames = [asking.frame_marks(tokenizer, one) for one in [*group, *more]]
    vectors = encoded(network, [*pairs, *(pair for pair, _ in frames)])
    loss, at = torch.zeros(()), 0
    for one, some in zip(group, places, strict=True):
        own, at = vectors[at : at + len(some)], at + len(some)
        loss = loss + _pair_loss(network, one, some, pairs[at - len(some) : at], own)
    for (_, marks), vector in zip(frames, vectors[at:], strict=True):
        loss = loss + 0.5 * _frame_loss(network, marks, vector)
    return loss / len(group)


def _pair_loss(
    network: Asking, one: Asked, some: Sequence[int], pairs: Sequence[Pair], vectors: Sequence[Tensor]
) -> Tensor:
    heads = torch.stack([vector[0] for vector in vectors])
    scores = network.score(heads)[:, 0]
    right = min(3, len(one.right))
    truth = torch.tensor([1.0] * right + [0.0] * (len(some) - right))
    loss = functional.binary_cross_entropy_with_logits(scores, truth, pos_weight=torch.tensor(2.0))
    if right:
        loss = loss - 0.5 * scores.log_softmax(0)[:right].mean()
    if one.verdict:
        kinds = [asking.VERDICTS.index(one.verdict if row < right else "neither") for row in range(len(some))]
        weight = torch.tensor([1.0] * right + [0.2] * (len(some) - right))
        found = functional.cross_entropy(network.verdict(heads), torch.tensor(kinds), reduction="none")
        loss = loss + 0.7 * (found * weight).sum() / weight.sum()
    if one.span and one.span[0] in some:
        row = list(some).index(one.span[0])
        where = asking.pointed(pairs[row], one.said[one.span[0]]["text"], one.span[1])
        if where:
            logits = network.answer(vectors[row]).T  # first, last
            loss = loss + 0.5 * functional.cross_entropy(logits, torch.tensor(where))
    return loss


def _frame_loss(network: Asking, marks: Any, vector: Tensor) -> Tensor:
    loss = torch.zeros(())
    if marks["about"] >= 0:
        loss = loss + functional.cross_entropy(network.about(vector[:1]), torch.tensor([marks["about"]]))
    if marks["form"] >= 0:
        loss = loss + functional.cross_entropy(network.form(vector[:1]), torch.tensor([marks["form"]]))
    if marks["marked"]:
        truth = torch.tensor([edge for name in asking.POINTED for edge in marks["points"][name]])
        loss = loss + functional.cross_entropy(network.points(vector).T, truth)
    return loss


def likeness(network: Asking, tokenizer: Any, asked: Sequence[Asked]) -> list[Asked]:
    """The questions with what was said in the order of the untrained encoder's own sentence vectors."""
    network.eval()
    known: dict[str, Tensor] = {}

    def embed(texts: list[str]) -> None:
        new = sorted({text for text in texts if text not in known}, key=len)
        for at in range(0, len(new), 32):
            some = [tokenizer.encode(text).ids[:96] for text in new[at : at + 32]]
            mask = pad([[1] * len(ids) for ids in some])
            hidden = network.encoder(pad(some), mask, torch.full(mask.shape, 3))
            mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
            known.update(zip(new[at : at + 32], functional.normalize(mean, dim=1), strict=True))

    embed([told["text"] for one in asked for told in one.said] + [one.question["q"] for one in asked])

    def near(question: str, said: Sequence[Any]) -> list[float]:
        found: list[float] = (torch.stack([known[told["text"]] for told in said]) @ known[question]).tolist()
        return found

    return asking.others(asked, near)


def measured(network: Asking, tokenizer: Any, asked: Sequence[Asked]) -> str:
    """Over all that each person said: right turns first, in three and in five; never told from told; words; frames."""
    network.eval()
    known, unknown = [], []
    tally: dict[str, list[float]] = {}

    def count(name: str, value: float) -> None:
        tally.setdefault(name, []).append(value)

    for one in asked:
        pair, marks = asking.frame_marks(tokenizer, one)
        vector = encoded(network, [pair])[0]
        if marks["about"] >= 0:
            count("about", float(int(network.about(vector[0]).argmax()) == marks["about"]))
        if marks["form"] >= 0:
            count("form", float(int(network.form(vector[0]).argmax()) == marks["form"]))
        places = [*one.right, *one.near]
        vectors = encoded(network, asking.pairs_of(tokenizer, one, places))
        scores = [float(network.score(vector[0])) for vector in vectors]
        order = sorted(range(len(places)), key=lambda row: -scores[row])
        if not one.right:
            unknown.append(max(scores))
            continue
        known.append(max(scores))
        hits = [places[row] in one.right for row in order]
        count("first", hits[0])
        count("two", any(hits[:2]))
        count("three", any(hits[:3]))
        count("of five", sum(hits[:5]) / len(one.right))
        if one.verdict:
            verdict = int(network.verdict(vectors[0][0])[:2].argmax())
            count("verdict", float(asking.VERDICTS[verdict] == one.verdict))
        if one.span:
            row = places.index(one.span[0])
            text = one.said[one.span[0]]["text"]
            pair = asking.pairs_of(tokenizer, one, [one.span[0]])[0]
            own = [n for n, (x, _) in enumerate(pair.offsets) if x >= 0]
            first, last = network.answer(vectors[row][own]).T
            begin, end = best_span(first, last)
            got = text[pair.offsets[own[begin]][0] : pair.offsets[own[end]][1]].lower().split()
            count("words", float(bool(set(got) & set(one.span[1].lower().split()))))
    area = sum((a > b) + 0.5 * (a == b) for a in known for b in unknown) / max(1, len(known) * len(unknown))
    told = ", ".join(f"{name} {100 * sum(values) / len(values):.1f}" for name, values in tally.items())
    return f"{len(known)} + {len(unknown)} questions: {told}, told from never told (AUC) {area:.3f}"


def main() -> None:
    parser = options(__doc__, "asker", "minilm", epochs=2, rate=2e-4)
    parser.add_argument("--hard", type=Path, help="what mine_asking wrote: the turns to train beside")
    parser.add_argument("--frozen", type=int, default=0, help="so many of the lowest layers stay as they are")
    parser.add_argument("--most", type=int, help="so many questions of each epoch, chosen by chance")
    parser.add_argument("--stop", type=int, default=0, help="after so many steps of each epoch")
    chosen = parser.parse_args()
    base = begin(chosen)
    tokenizer = tokenizer_of(base)
    network = Asking.from_bert(load_file(base / "model.safetensors"))
    if chosen.resume:
        network.load_state_dict(load_file(chosen.resume / "asker.safetensors"))
    began = time.monotonic()
    hard = {(one["persona"], one["q"]): one for one in lines(chosen.hard.read_text("utf-8"))} if chosen.hard else {}
    plain = Asking.from_bert(load_file(base / "model.safetensors"))
    test = asking.others(asking.all_asked("held"), lambda _, said: [0.0] * len(said))
    texts = asking.texts("train")
    for layer in network.encoder.layers[: chosen.frozen]:
        layer.requires_grad_(False)
    if chosen.frozen:
        network.encoder.norm.requires_grad_(False)
        network.encoder.segment.requires_grad_(False)
    body = [weight for weight in network.encoder.parameters() if weight.requires_grad]
    heads = [weight for name, weight in network.named_parameters() if not name.startswith("encoder.")]
    optimiser = torch.optim.AdamW(
        [{"params": body, "lr": chosen.rate}, {"params": heads, "lr": 5 * chosen.rate}], weight_decay=0.01
    )
    first = [group["lr"] for group in optimiser.param_groups]
    for epoch in range(chosen.epochs):
        with torch.no_grad():
            every = asking.all_asked("train")
            some = asking.mined(every, hard) if hard else likeness(plain, tokenizer, every)
            some += asking.swapped(some)
            some = random.sample(some, min(len(some), chosen.most or len(some)))
        print(f"epoch {epoch}: {len(some)} questions, {time.monotonic() - began:.0f} s", flush=True)
        random.shuffle(some)
        steps = -(-len(some) // GROUP)
        total = 0.0
        network.train()
        for step in range(steps):
            done = (epoch + step / steps) / chosen.epochs
            for group, rate in zip(optimiser.param_groups, first, strict=True):
                group["lr"] = rate * min(1.0, done / 0.08 + 0.01) * max(0.02, 1 - done)
            others = [random.choice(texts[name]) for name in asking.ABOUT * 2]
            loss = loss_of(network, tokenizer, some[step * GROUP : (step + 1) * GROUP], others)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            total += loss.item()
            if step % 100 == 99:
                print(
                    f"  step {step + 1} of {steps}: loss {total / 100:.3f}, {time.monotonic() - began:.0f} s",
                    flush=True,
                )
                total = 0.0
                if step % 500 == 499:
                    save_file(network.state_dict(), chosen.work / "asker.safetensors")
            if chosen.stop and step + 1 >= chosen.stop:
                break
        save_file(network.state_dict(), chosen.work / "asker.safetensors")
        with torch.no_grad():
            print(f"  {measured(network, tokenizer, test)}", flush=True)
    if chosen.out:
        export_asking(chosen.work, base, chosen.out, chosen.version)


if __name__ == "__main__":
    main()
