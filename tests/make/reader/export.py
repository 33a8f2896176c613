"""Turns a trained network into what ships: the encoder as int8 ONNX, the heads as they are, and a card of labels."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import ModelProto, NodeProto, helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import save_file
from safetensors.torch import load_file

from tests.make.reader.asking import ABOUT, FORMS, VERDICTS
from tests.make.reader.asking_network import Asking
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
    """Write an encoder as ONNX whose weights are int8, with a scale for each column."""
    some = torch.ones((1, 12), dtype=torch.int64)
    with tempfile.TemporaryDirectory() as place:
        plain = Path(place) / "encoder.onnx"
        torch.onnx.export(
            encoder, (some, some, some), str(plain), input_names=["ids", "mask", "segments"], dynamo=False,
            output_names=["hidden"], opset_version=17,
            dynamic_axes={name: {0: "batch", 1: "tokens"} for name in ("ids", "mask", "segments", "hidden")},
        )  # fmt: skip
        quantize_dynamic(str(plain), str(path), weight_type=QuantType.QInt8, per_channel=True)
    graph = onnx.load(str(path))
    weights_only(graph)
    onnx.save(graph, str(path))


def weights_only(model: ModelProto) -> None:
    """Take the rounding of activations out of what `quantize_dynamic` wrote: its weights stay int8, its products are of
    floats. A dequantization and a product take the place of each MatMulInteger and of what surrounds it."""
    graph = model.graph
    makers = {output: node for node in graph.node for output in node.output}
    users: dict[str, NodeProto] = {node.input[0]: node for node in graph.node if node.op_type in ("Cast", "Mul")}
    replaced: dict[str, list[NodeProto]] = {}
    for node in graph.node:
        if node.op_type == "MatMulInteger":
            rounded, weights, _, zero = node.input
            quantized, cast = makers[rounded], users[node.output[0]]
            scaled = users[cast.output[0]]
            scales = makers[scaled.input[1]]
            scale = next(name for name in scales.input if name not in quantized.output)
            replaced |= {gone.name: [] for gone in (quantized, node, cast, scales)}
            replaced[scaled.name] = [
                helper.make_node("DequantizeLinear", [weights, scale, zero], [f"{weights}_float"], axis=1),
                helper.make_node("MatMul", [quantized.input[0], f"{weights}_float"], scaled.output),
            ]
    nodes = [new for node in graph.node for new in replaced.get(node.name, [node])]
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.checker.check_model(model)


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


def export(folder: Path, base: Path, out: Path, version: str) -> None:
    """Write the reader that ships; `calibrate` finds its thresholds."""
    reader = load(folder, base)
    out.mkdir(parents=True, exist_ok=True)
    encoder_to(reader.encoder, out / "encoder.onnx")
    heads_to(reader.statements.state_dict(), out / "heads.safetensors")
    shutil.copy(base / "tokenizer.json", out / "tokenizer.json")
    labels = json.loads((folder / "labels.json").read_text())
    card = {"version": version, **labels, "calibration": [0.0, 1.0, 1.0, 0.3, 0.3], "known": 0.9, "unsure": 0.5}
    (out / "reader.json").write_text(json.dumps(card, indent=1) + "\n")
