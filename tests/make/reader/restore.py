"""The weights of a network that ships, in torch's form, so that a training can go on from them.

What ships has integer weights (`export`): each comes back as its integer times the scale of its column, and differs
from what was trained by at most half a step. Word embeddings are not trained, and are those of the base.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from safetensors.numpy import load_file

TABLES = ("position", "segment", "relative")
"""Embeddings that are trained, each with one scale; the last is MPNet's alone."""


def weights_of(folder: Path) -> dict[str, torch.Tensor]:
    """The trained weights of a shipped reader, by the names that `network.Reader` has for them. Raises
    KeyError where the file is none of `export`'s."""
    graph = onnx.load(str(folder / "encoder.onnx")).graph
    held = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    makers = {name: node for node in graph.node for name in node.output}
    found = {
        name: part for name, part in held.items() if part.dtype == np.float32 and name.startswith(("layers.", "norm."))
    }
    for name in (f"{table}.weight" for table in TABLES if f"{table}.weight_quantized" in held):
        steps = held[f"{name}_quantized"].astype(np.float32) - held[f"{name}_zero_point"]
        found[name] = steps * held[f"{name}_scale"]
    for node in graph.node:
        bias = next((name for name in node.input if name in held and name.endswith(".bias")), None)
        if node.op_type == "Add" and bias is not None and bias.startswith("layers."):
            product = _product(next(name for name in node.input if name != bias), makers)
            stem = product.input[1].removesuffix("_quantized")
            steps = held[product.input[1]].astype(np.float32) - held[f"{stem}_zero_point"].astype(np.float32)
            found[bias.removesuffix("bias") + "weight"] = (steps * held[f"{stem}_scale"]).T
    heads = load_file(folder / "heads.safetensors")
    named = {f"encoder.{name}": part for name, part in found.items()}
    named |= {f"statements.{name}": part.astype(np.float32) for name, part in heads.items()}
    return {name: torch.tensor(part.copy()) for name, part in named.items()}


def _product(name: str, makers: dict[str, onnx.NodeProto]) -> onnx.NodeProto:
    """The product of integers from which a value is made, by way of casts and scales."""
    node = makers[name]
    while node.op_type != "MatMulInteger":
        node = next(
            makers[one]
            for one in node.input
            if one in makers and makers[one].op_type in ("Cast", "MatMulInteger", "Mul") and "scale" not in one
        )
    return node
