"""Trains the reader on the corpus: one command, two cores, seeded.

    python -m venv .make && .make/bin/pip install torch==2.13.0 -e '.[train]'
    .make/bin/python -m tests.make.reader.train --out models/reader
    .make/bin/python -m tests.make.reader.calibrate

From the repository's root. torch is needed here only. `--share 0.25` trains on a quarter of the people: the points of
the learning curve. Sums in torch differ between machines, so another run gives other bytes at the same figures.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch.nn import functional

from store.reading.labels import LABELS
from tests.bench.diaries import CORPUS, Object, lines
from tests.make.reader.bases import fetch
from tests.make.reader.batches import BATCH, batch_of, own_of
from tests.make.reader.corpus import STATUSES, Example, examples, of_chats
from tests.make.reader.export import export
from tests.make.reader.measure import strict
from tests.make.reader.network import Encoder, Reader, Shape
from tests.make.reader.restore import weights_of
from tests.make.reader.varied import all_varied, pools

STEADY = 0.998
"""How much of the running mean of the weights a step leaves; the mean is what ships (Polyak and Juditsky 1992)."""


def loss_of(reader: Reader, some: list[Example]) -> torch.Tensor:
    ids, mask, segments = batch_of(some)
    with torch.autocast("cpu", torch.bfloat16):  # twice as fast where a processor has AMX; the heads stay exact
        encoded = reader(ids, mask, segments)
    hidden, heads = encoded.float(), reader.statements
    logits, allowed = heads.spans(hidden), own_of(some, ids.shape[1])
    truth = torch.zeros_like(logits)
    bio = torch.full(ids.shape, -100)
    spans, predicates, statuses, points = [], [], [], []
    for row, one in enumerate(some):
        bio[row, 1 : one.pieces.own - 1] = 0
        for mark in one.marks:
            truth[row, mark.first, mark.last] = 1
            bio[row, mark.first : mark.last + 1] = 2
            bio[row, mark.first] = 1
            spans.append((row, mark.first, mark.last))
            predicates.append(mark.predicate)
            statuses.append(mark.status)
            points.append((*mark.subject, *mark.when, *mark.revises))
    found = functional.binary_cross_entropy_with_logits(logits[allowed], truth[allowed], reduction="sum")
    loss = found / len(some) + 2 * functional.cross_entropy(heads.bio(hidden).flatten(0, 1), bio.flatten())
    if spans:
        where = torch.tensor(spans)
        described = heads.describe(hidden, where)
        loss = loss + functional.cross_entropy(heads.kinds(described), torch.tensor(predicates), label_smoothing=0.03)
        loss = loss + functional.cross_entropy(heads.status(described), torch.tensor(statuses))
        pointed = heads.pointers(hidden, where, described, mask)
        loss = loss + 0.6 * functional.cross_entropy(pointed.flatten(0, 1), torch.tensor(points).flatten())
    return loss


def shuffled(some: list[Example]) -> list[list[Example]]:
    """Of about equal length each, in any order."""
    random.shuffle(some)
    chunks = [sorted(some[at : at + 512], key=lambda one: len(one.pieces.ids)) for at in range(0, len(some), 512)]
    found = [chunk[at : at + BATCH] for chunk in chunks for at in range(0, len(chunk), BATCH)]
    random.shuffle(found)
    return found


def tokenizer_of(base: Path) -> Tokenizer:
    """That of the encoder to start from; it cuts and pads nothing."""
    tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def people_of(part: str) -> set[str]:
    """Who belongs to a part of the corpus: train, calibrate or held."""
    people = json.loads((CORPUS / "people.json").read_text("utf-8"))
    return {who for who, one in people.items() if one["part"] == part}


def chosen(messages: list[Object], share: float) -> list[Object]:
    """The messages of a share of the people who are trained on."""
    people = sorted(people_of("train"))
    random.Random(1).shuffle(people)
    kept = set(people[: round(share * len(people))])
    return [message for message in messages if message["persona"] in kept]


EVENED = 64
"""Messages by which the columns of what ships are evened out."""
NEW = ("simple", "newcomer", "followup")
"""Kinds of people who write as one does who tries the program: each of their messages is shown twice in an epoch."""


def of_kinds(kinds: Sequence[str]) -> set[str]:
    """The people of some kinds of writer."""
    people = json.loads((CORPUS / "people.json").read_text("utf-8"))
    return {who for who, one in people.items() if one["kind"] in kinds}


class Running:
    """The running mean of a reader's weights."""

    def __init__(self, reader: Reader) -> None:
        self.weights = {name: weight.clone() for name, weight in reader.state_dict().items()}
        self._steps = 0

    def take(self, reader: Reader) -> None:
        """Count the weights after one more step; the first steps count for less, as they are soon left behind."""
        self._steps += 1
        kept = min(STEADY, self._steps / (self._steps + 10))
        for name, weight in reader.state_dict().items():
            self.weights[name].lerp_(weight, 1 - kept)

    def reader(self, like: Reader) -> Reader:
        """A reader of these weights."""
        mean = copy.deepcopy(like)
        mean.load_state_dict(self.weights)
        mean.eval()
        return mean


def train(reader: Reader, some: Callable[[], list[Example]], epochs: int, rate: float, out: Path) -> Iterator[Reader]:
    """Train on what `some` gives for each epoch, and yield the reader of the mean weights, which are saved."""
    body = [weight for weight in reader.encoder.parameters() if weight.requires_grad]
    heads = list(reader.statements.parameters())
    optimiser = torch.optim.AdamW(
        [{"params": body, "lr": rate}, {"params": heads, "lr": 3.3 * rate}], weight_decay=0.01, fused=True
    )
    shown = some()
    steps = epochs * -(-len(shown) // BATCH)
    warm = 0.1 * steps
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1, (step + 1) / warm) * max(0.02, 1 - step / steps)
    )
    mean, began = Running(reader), time.monotonic()
    for epoch in range(epochs):
        reader.train()
        total = 0.0
        for part in shuffled(shown):
            loss = loss_of(reader, part)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            mean.take(reader)
            total += loss.item()
        save_file(mean.weights, out / "reader.safetensors")
        print(f"epoch {epoch}: loss {total * BATCH / len(shown):.3f}, {time.monotonic() - began:.0f} s", flush=True)
        yield mean.reader(reader)
        shown = some()


def options(described: str | None, name: str, encoder: str, epochs: int, rate: float) -> argparse.ArgumentParser:
    """What can be said about any training; `name` is that of the folder that ships, `encoder` the base of it."""
    parser = argparse.ArgumentParser(description=described, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", type=Path, help="folder with the encoder to start from; fetched without it")
    parser.add_argument("--encoder", choices=("minilm", "mpnet"), default=encoder, help="the one that is fetched")
    parser.add_argument("--epochs", type=int, default=epochs)
    parser.add_argument("--rate", type=float, default=rate)
    parser.add_argument("--work", type=Path, default=Path("build", name), help="where the weights in torch's form go")
    parser.add_argument("--out", type=Path, help=f"where what ships goes (models/{name}); nothing without it")
    parser.add_argument("--version", default="1")
    parser.add_argument("--resume", type=Path, help="a --work folder, or models/reader: its weights are trained on")
    return parser


def begin(asked: argparse.Namespace) -> Path:
    """Seed everything, on two threads; gives the folder of the encoder to start from."""
    random.seed(0)
    torch.manual_seed(0)
    torch.set_num_threads(2)
    asked.work.mkdir(parents=True, exist_ok=True)
    base: Path = asked.base or fetch(asked.encoder, asked.work)
    return base


def resume(reader: Reader, weights: dict[str, torch.Tensor]) -> None:
    """Go on from some weights; what has been added to the network since begins as it was made."""
    mine = reader.state_dict()
    for name, weight in weights.items():
        mine[name][: len(weight)] = weight
    reader.load_state_dict(mine)


def main() -> None:
    parser = options(__doc__, "reader", "mpnet", epochs=5, rate=1.2e-4)
    parser.add_argument("--share", type=float, default=1.0, help="of the people who are trained on: a learning curve")
    asked = parser.parse_args()
    base = begin(asked)
    messages = lines((CORPUS / "messages.jsonl").read_text("utf-8"))
    predicates = sorted(LABELS)
    tokenizer = tokenizer_of(base)
    told = chosen(messages, asked.share)
    names, chance = pools(told), random.Random(2)
    test = examples(tokenizer, [one for one in messages if one["persona"] in people_of("held")], predicates)
    reader = Reader(Encoder.from_bert(load_file(base / "model.safetensors")), Shape(len(predicates), len(STATUSES)))
    if asked.resume:
        ships = (asked.resume / "encoder.onnx").exists()
        resume(reader, weights_of(asked.resume) if ships else load_file(asked.resume / "reader.safetensors"))
    (asked.work / "labels.json").write_text(json.dumps({"predicates": predicates, "statuses": STATUSES}))
    print(f"{len(told)} messages, {sum(len(message['claims']) for message in told)} claims", flush=True)
    chats = chosen(lines((CORPUS / "chats.jsonl").read_text("utf-8")), asked.share)
    new = of_kinds(NEW)
    often = [message for message in told if message["persona"] in new]

    def shown() -> list[Example]:
        varied = examples(tokenizer, all_varied([*told, *often], names, chance), predicates, chance)
        return [*varied, *of_chats(tokenizer, chats, predicates)]

    trained = train(reader, shown, asked.epochs, asked.rate, asked.work)
    for epoch, mean in enumerate(trained):
        if epoch % 3 == 2 or epoch == asked.epochs - 1:
            for least in (0.0, 0.3, 0.5, 0.7, 0.8):
                print(f"  over {least}: {strict(mean, test, predicates, least)}", flush=True)
    if asked.out:
        export(asked.work, base, asked.out, asked.version, random.sample(shown(), EVENED))


if __name__ == "__main__":
    main()
