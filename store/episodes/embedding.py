"""A text's vector depends on the text and on the weights alone: not on the batch, the order, the clock or the network.

The embedder is static: a table with one row per token, whose rows are averaged and brought to length 1. The folder is
in model2vec's own format, so any model2vec model that lies on this machine can be chosen: `model2vec.StaticModel` reads
it. The one that ships is read without importing model2vec, which with joblib, tqdm and huggingface_hub takes longer
than a whole command may. Both ways end in the same table and the same arithmetic, and a test holds them to model2vec's
own `encode`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from store.errors import EmbedderUnavailable
from store.text.cleaning import whole

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from tokenizers import Tokenizer

HEAD_CHARACTERS = 4_000
"""How much of the beginning of a long text is read."""
TAIL_CHARACTERS = 2_000
"""How much of its end: people put the point of a long paste before it or after it. The two bound the cost of a text."""
BATCH = 64
"""Texts per round: bounds the memory of one call, and changes no vector."""
RECIPE = "mean of token rows, unit length, 4000 + 2000 characters"
"""What is done to the weights, in words; part of the fingerprint, so change it with the arithmetic."""
_VOCABULARY = "tokenizer.json"


def default_path() -> Path:
    """The folder of the embedder that ships: `models/embedder` beside `store/`, in a checkout as in a wheel."""
    return Path(__file__).resolve().parents[2] / "models" / "embedder"


@dataclass(frozen=True, slots=True)
class _Table:
    """One model in memory, whichever way it was read."""

    tokenizer: Tokenizer
    rows: npt.NDArray[np.generic]
    """Shape (rows, dimension), of any real type; int8 for the one that ships."""
    weights: npt.NDArray[np.generic] | None
    """One factor per token, or None where the rows carry their weight as their length."""
    row_of_token: npt.NDArray[np.generic] | None
    """Which row each token uses, where several share one; None where token n uses row n."""
    unknown: int | None
    """The token of words outside the vocabulary, which says nothing and is left out."""


class StaticEmbedder:
    """The `Embedder` of `store.protocols`, from a folder in model2vec's format. Nothing is loaded before it is needed:
    `embed` needs numpy and tokenizers; `dimension` and `fingerprint` read the files only."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def load(cls, path: Path | None = None) -> StaticEmbedder:
        """The embedder in `path` (None: the one that ships); weights come later. Raises EmbedderUnavailable."""
        embedder = cls(default_path() if path is None else path)
        _weights_file(embedder.path)
        return embedder

    @cached_property
    def dimension(self) -> int:
        """The length of a vector, from the head of a safetensors file: 8 bytes of length, then JSON. Raises
        EmbedderUnavailable."""
        weights = _weights_file(self.path)
        try:
            with weights.open("rb") as file:
                size = int.from_bytes(file.read(8), "little")
                header = json.loads(file.read(min(size, 1 << 20)))
            rows, dimension = (header.get("embeddings") or header["embedding.weight"])["shape"]
            if int(rows) < 1 or int(dimension) < 1:
                raise ValueError("the table is empty")
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            raise _unavailable(weights.parent, f"{weights.name} is damaged ({type(error).__name__})") from error
        return int(dimension)

    @cached_property
    def fingerprint(self) -> str:
        """32 hexadecimal digits over the files of the weights and the vocabulary, and what is done to them. Raises
        EmbedderUnavailable."""
        digest = hashlib.sha256(RECIPE.encode())
        weights = _weights_file(self.path)
        try:
            for file in (weights, weights.with_name(_VOCABULARY)):
                digest.update(hashlib.sha256(file.read_bytes()).digest())
        except OSError as error:
            raise _unavailable(self.path, str(error)) from error
        return digest.hexdigest()[:32]

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (len(texts), dimension), float32, rows of length 1; a text without a known word gives a row of zeros.
        Raises EmbedderUnavailable on the first call if the folder is damaged."""
        import numpy as np

        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), BATCH):
            self._embed_some(vectors[start : start + BATCH], [_read(text) for text in texts[start : start + BATCH]])
        return vectors

    def _embed_some(self, vectors: npt.NDArray[np.float32], texts: Sequence[str]) -> None:
        """Fill `vectors` (zeros, one row per text) with the unit sums of the texts' token rows, which have the
        direction of their means."""
        import numpy as np

        table = self._table
        encodings = table.tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        tokens = [[token for token in encoding.ids if token != table.unknown] for encoding in encodings]
        known = [place for place, some in enumerate(tokens) if some]
        if not known:
            return
        numbers = np.fromiter(chain.from_iterable(tokens), dtype=np.intp)
        rows = table.rows[numbers if table.row_of_token is None else table.row_of_token[numbers].astype(np.intp)]
        if table.weights is not None:
            rows = rows.astype(np.float32) * table.weights[numbers, None].astype(np.float32)
        sizes = np.array([len(tokens[place]) for place in known], dtype=np.intp)
        vectors[known] = _unit(np.add.reduceat(rows, np.cumsum(sizes) - sizes, axis=0, dtype=np.float32))

    @cached_property
    def _table(self) -> _Table:
        weights = _weights_file(self.path)
        # With threads of its own the tokenizer warns on standard error, into the screen, when the process forks later.
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        try:
            table = _read_plain(weights) if self.path == default_path() else _read_with_model2vec(self.path)
        except Exception as error:  # tokenizers raises bare Exception for a file that it cannot parse
            raise _unavailable(self.path, f"{type(error).__name__}: {error}") from error
        table.tokenizer.no_truncation()  # its file may ask for that; texts are bounded in characters here
        table.tokenizer.no_padding()
        tokens, rows = table.tokenizer.get_vocab_size(), len(table.rows)
        if table.row_of_token is None and tokens != rows:
            raise _unavailable(self.path, f"{tokens} tokens but {rows} rows")
        return table


def _unit(sums: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Rows of length 1; zeros where a sum has no length, or one beyond a float. Each row's length is its own product:
    a sum over all of them may round otherwise."""
    import numpy as np

    lengths = np.sqrt(np.array([one.dot(one) for one in sums], dtype=np.float32))
    fine = (lengths > 0) & np.isfinite(lengths)
    units: npt.NDArray[np.float32] = np.zeros_like(sums)
    units[fine] = sums[fine] / lengths[fine, None]
    return units


def _read(text: str) -> str:
    """The part of a text that is read, without lone surrogates, which the tokenizer refuses."""
    if len(text) > HEAD_CHARACTERS + TAIL_CHARACTERS:
        text = f"{text[:HEAD_CHARACTERS]} {text[-TAIL_CHARACTERS:]}"
    return whole(text)


def _read_plain(weights: Path) -> _Table:
    """Read model2vec's own layout with the two libraries under it, in a fifth of the time."""
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    tensors = load_file(weights)
    tokenizer = Tokenizer.from_file(str(weights.with_name(_VOCABULARY)))
    model = json.loads(tokenizer.to_str())["model"]  # one of unigrams names its unknown token by number
    unknown = tokenizer.token_to_id(model["unk_token"]) if model.get("unk_token") else model.get("unk_id")
    return _Table(tokenizer, tensors["embeddings"], tensors.get("weights"), tensors.get("mapping"), unknown)


def _read_with_model2vec(path: Path) -> _Table:
    """Read any layout that model2vec knows. The folder exists, which keeps model2vec from asking a hub for it."""
    from model2vec import StaticModel

    model = StaticModel.from_pretrained(path)
    return _Table(model.tokenizer, model.embedding, model.weights, model.token_mapping, model.unk_token_id)


def _weights_file(path: Path) -> Path:
    """The weights of the model in a folder, beside which its vocabulary lies: in model2vec's own layout, else in that
    of sentence-transformers. Raises EmbedderUnavailable."""
    if not path.is_dir():
        raise _unavailable(path, "there is no such folder")
    for folder in (path, path / "0_StaticEmbedding"):
        weights = folder / "model.safetensors"
        if weights.is_file() and weights.with_name(_VOCABULARY).is_file():
            return weights
    raise _unavailable(path, f"it has no model.safetensors with a {_VOCABULARY}")


def _unavailable(path: Path, why: str) -> EmbedderUnavailable:
    return EmbedderUnavailable(
        f"The embedder in {path} cannot be used: {why}. "
        "Install erstwhile again to get the one that ships, or name another folder in model2vec's format."
    )
