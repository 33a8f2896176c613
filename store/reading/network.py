"""A network that ships: an encoder as ONNX, run by onnxruntime on one thread, and heads that are a few products.

A text is read alone, never padded beside another: the same text gives the same vectors whatever else is read.
"""

from __future__ import annotations

import json
import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store.errors import ReaderUnavailable

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]


class Network:
    """An encoder and its heads in a folder. Nothing is loaded before it is needed."""

    def __init__(self, path: Path, card: str) -> None:
        """`card` is the file in the folder with the labels, the thresholds and the version."""
        self.path, self._card = path, card
        self._pool: tuple[int, ThreadPoolExecutor] | None = None

    @cached_property
    def card(self) -> dict[str, Any]:
        """Labels, thresholds and the version. Raises ReaderUnavailable."""
        try:
            found: dict[str, Any] = json.loads((self.path / self._card).read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise self._unusable(error) from error
        return found

    @cached_property
    def tokenizer(self) -> Any:
        """The one of the reader: all networks share its vocabulary. Raises ReaderUnavailable."""
        # With threads of its own the tokenizer warns on standard error, into the screen, when the process forks later.
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        from tokenizers import Tokenizer

        try:
            tokenizer = Tokenizer.from_file(str(self.vocabulary / "tokenizer.json"))
        except Exception as error:  # tokenizers raises bare Exception for a file that it cannot parse
            raise self._unusable(error) from error
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    @property
    def threads(self) -> ThreadPoolExecutor:
        """Two threads of this process: a fork has none of its parent's."""
        from concurrent.futures import ThreadPoolExecutor

        process = os.getpid()
        if self._pool is None or self._pool[0] != process:
            self._pool = (process, ThreadPoolExecutor(min(2, os.cpu_count() or 1), thread_name_prefix="network"))
        return self._pool[1]

    @property
    def vocabulary(self) -> Path:
        """The folder of the tokenizer."""
        return self.path

    @cached_property
    def _session(self) -> Any:
        # onnxruntime sends events about the machine to its maker unless this is set when it is imported. Its own call
        # to stop that comes too late: it has written the first ones by then.
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            return onnxruntime.InferenceSession(
                str(self.path / "encoder.onnx"), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # onnxruntime's errors have no common base but Exception
            raise self._unusable(error) from error

    @cached_property
    def heads(self) -> dict[str, Floats]:
        """The weights of the heads, by name. Raises ReaderUnavailable."""
        import numpy as np
        from safetensors.numpy import load_file

        try:
            return {name: part.astype(np.float32) for name, part in load_file(self.path / "heads.safetensors").items()}
        except Exception as error:
            raise self._unusable(error) from error

    def encode(self, ids: list[int], segments: list[int]) -> Floats:
        """The vector of each piece: pieces x width. Raises ReaderUnavailable."""
        import numpy as np

        def row(values: list[int]) -> npt.NDArray[np.int64]:
            return np.asarray([values], dtype=np.int64)

        feeds = {"ids": row(ids), "mask": row([1] * len(ids)), "segments": row(segments)}
        hidden: Floats = self._session.run(None, feeds)[0][0]
        return hidden

    def linear(self, name: str, rows: Floats) -> Floats:
        """A head over some vectors."""
        product: Floats = rows @ self.heads[f"{name}.weight"].T + self.heads[f"{name}.bias"]
        return product

    def _unusable(self, error: Exception) -> ReaderUnavailable:
        return ReaderUnavailable(f"the reader in {self.path} cannot be used: {error}. Install it again.")


def softmax(rows: Floats) -> Floats:
    """Over the last axis."""
    import numpy as np

    powers = np.exp(rows - rows.max(-1, keepdims=True))
    shares: Floats = powers / powers.sum(-1, keepdims=True)
    return shares


def models() -> Path:
    """Where the networks that ship lie: `models` beside `store/`, in a checkout as in a wheel."""
    return Path(__file__).resolve().parents[2] / "models"
