"""Turns a trained network into what ships: the encoder as integer ONNX, the heads as they are, and a card of labels."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

import numpy as np
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import save_file
from safetensors.torch import load_file

from tests.make.reader.asking import ABOUT, FORMS, VERDICTS
from tests.make.reader.asking_network import Asking
from tests.make.reader.batches import batch_of
from tests.make.reader.corpus import Example
from tests.make.reader.network import Encoder, Reader, Shape


def load(folder: Path, base: Path) -> Reader:
    """The network that a training left in a folder."""
    labels = json.loads((folder / "labels.json").read_text())
    shape = Shape(len(labels["predicates"]), len(labels["statuses"]))
    reader = Reader(Encoder.from_bert(load_file(base / "model.safetensors")), shape)
    reader.load_state_dict(load_file(folder / "reader.safetensors"))
    reader.eval()
    return reader


def encoder_to(encoder: Encoder, path: Path) -> None:
    """Write an encoder as ONNX whose products are of integers, with a scale for each column of the weights.

    A weight has 7 bits: of 8, processors without VNNI add two products into 16 bits, which overflows, and each make of
    processor would give chances of its own.
    """
    some = torch.ones((1, 12), dtype=torch.int64)
    with tempfile.TemporaryDirectory() as place:
        plain = Path(place) / "encoder.onnx"
        torch.onnx.export(
            encoder, (some, some, some), str(plain), input_names=["ids", "mask", "segments"], dynamo=False,
            output_names=["hidden"], opset_version=17,
            dynamic_axes={name: {0: "batch", 1: "tokens"} for name in ("ids", "mask", "segments", "hidden")},
        )  # fmt: skip
        quantize_dynamic(str(plain), str(path), weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)


def even(encoder: Encoder, some: list[Example]) -> None:
    """Make the columns that each layer multiplies as integers alike, and its weights unlike, by the square root of how
    they differ (SmoothQuant: Xiao et al. 2023, arXiv:2211.10438, section 4). What the encoder gives is the same.

    All columns of a text share one scale. In MPNet two are thirty times as wide as the others, which then have three
    of eight bits left.
    """
    for layer in encoder.layers:
        widest = torch.zeros(len(layer.even))

        def look(_: torch.nn.Module, given: tuple[torch.Tensor], widest: torch.Tensor = widest) -> None:
            torch.maximum(widest, given[0].abs().amax((0, 1)), out=widest)

        hook = layer.up.register_forward_pre_hook(look)
        for one in some:
            encoder(*batch_of([one]))
        hook.remove()
        weights = layer.up.weight.abs().amax(0)
        scale = (widest.clamp(min=1e-4) / weights.clamp(min=1e-4)).sqrt()
        layer.even.copy_(layer.even / scale)
        layer.up.weight.mul_(scale)


def heads_to(heads: dict[str, torch.Tensor], path: Path) -> None:
    """Write the heads in half precision."""
    save_file({name: part.numpy().astype(np.float16) for name, part in heads.items()}, path)
    path.chmod(0o644)  # safetensors writes for the owner alone


def export_asking(folder: Path, base: Path, out: Path, version: str) -> None:
    """Write the network for asking that ships; `calibrate_asking` finds its thresholds."""
    network = Asking.from_bert(load_file(base / "model.safetensors"))
    network.load_state_dict(load_file(folder / "asker.safetensors"))
    network.eval()
    out.mkdir(parents=True, exist_ok=True)
    encoder_to(network.encoder, out / "encoder.onnx")
    heads_to(network.heads(), out / "heads.safetensors")
    fitted = {"bias": 0.0, "values": [1.0, 0.0, 0.0], "forms": {}}
    card = {
        "version": version, "about": ABOUT, "forms": FORMS, "verdicts": VERDICTS, "recall": 0.25, "one": fitted,
        "two": fitted, "answer": 0.65, "unnamed": 1.0, "near": 0.25, "better": 0.5, "chance": 0.05,
        "pointed": 0.5, "verdict": 0.8,
    }  # fmt: skip
    (out / "asker.json").write_text(json.dumps(card, indent=1) + "\n")


def export(folder: Path, base: Path, out: Path, version: str, some: list[Example]) -> None:
    """Write the reader that ships; `calibrate` finds its thresholds. `some`: messages by which its columns are evened
    out."""
    reader = load(folder, base)
    out.mkdir(parents=True, exist_ok=True)
    with torch.no_grad():
        even(reader.encoder, some)
    encoder_to(reader.encoder, out / "encoder.onnx")
    heads_to(reader.statements.state_dict(), out / "heads.safetensors")
    shutil.copy(base / "tokenizer.json", out / "tokenizer.json")  # the asker uses it, too
    labels = json.loads((folder / "labels.json").read_text())
    card = {"version": version, **labels, "calibration": [0.0, 1.0, 1.0, 0.3, 0.3], "known": 0.9, "unsure": 0.5}
    (out / "reader.json").write_text(json.dumps(card, indent=1) + "\n")
