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
from collections.abc import Iterator, Sequence
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
BATCH = 512
"""Texts per round: bounds the memory of one call, and changes no vector."""
FEW = 8
"""Tokens of a text up to which it is summed together with others of its kind: a word has no more."""
RECIPE = "mean of token rows, unit length, 4000 + 2000 characters"
"""What is done to the weights, in words; part of the fingerprint, so change it with the arithmetic."""


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
    by_word: bool = False
    """Whether a text is taken apart at white space first, so that no word is read otherwise beside others."""


class StaticEmbedder:
    """The `Embedder` of `store.protocols`, from a folder in model2vec's format. Nothing is loaded before it is needed.

    `embed` needs numpy and tokenizers; `dimension` and `fingerprint` read the files only.
    """

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
        """The length of a vector. Raises EmbedderUnavailable."""
        return _dimension(_weights_file(self.path))

    @cached_property
    def fingerprint(self) -> str:
        """32 hexadecimal digits over the weights, the vocabulary and what is done to them. Raises EmbedderUnavailable.

        It is taken over the files, and so survives new versions of the libraries that read them.
        """
        digest = hashlib.sha256(RECIPE.encode())
        weights = _weights_file(self.path)
        try:
            for file in (weights, _tokenizer_file(weights)):
                digest.update(hashlib.sha256(file.read_bytes()).digest())
        except OSError as error:
            raise _unavailable(self.path, str(error)) from error
        return digest.hexdigest()[:32]

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (len(texts), dimension), float32, rows of length 1; a text without a known word gives a row of zeros.

        Raises EmbedderUnavailable on the first call if the folder is damaged.
        """
        import numpy as np

        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), BATCH):
            batch = [_readable(text) for text in texts[start : start + BATCH]]
            _embed_into(vectors[start : start + BATCH], self._table, batch)
        return vectors

    @cached_property
    def _table(self) -> _Table:
        weights = _weights_file(self.path)
        # With threads of its own the tokenizer warns on standard error, into the screen, when the process forks later.
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        try:
            table = _read_plain(weights) if self.path == default_path() else _read_with_model2vec(self.path)
        except Exception as error:  # tokenizers raises bare Exception for a file that it cannot parse
            raise _unavailable(self.path, f"{type(error).__name__}: {error}") from error
        tokens, rows = table.tokenizer.get_vocab_size(), len(table.rows)
        if table.row_of_token is None and tokens != rows:
            raise _unavailable(self.path, f"{tokens} tokens but {rows} rows")
        return table


def _embed_into(vectors: npt.NDArray[np.float32], table: _Table, texts: Sequence[str]) -> None:
    """Fill `vectors` (zeros, one row per text) with the unit means of the texts' token rows."""
    known = _known_tokens(table, texts)
    # Word by word, which is how recall learns a vocabulary, all are taken at once: a tenth of the time.
    few = [place for place, tokens in enumerate(known) if 0 < len(tokens) <= FEW]
    if few:
        vectors[few] = _unit(_sums(table, [known[place] for place in few]))
    for vector, tokens in zip(vectors, known, strict=True):
        if len(tokens) > FEW:
            vector[:] = _unit(_sum(table, tokens)[None, :])[0]


def _known_tokens(table: _Table, texts: Sequence[str]) -> list[list[int]]:
    """The tokens of each text that are in the vocabulary."""
    if len(texts) == 1 or not table.by_word or not all(text.isascii() and text.isalpha() for text in texts):
        encodings = table.tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        return [[token for token in encoding.ids if token != table.unknown] for encoding in encodings]
    # Words are read as one text, in half the time.
    known: list[list[int]] = [[] for _ in texts]
    encoding = table.tokenizer.encode(" ".join(texts), add_special_tokens=False)
    for token, word in zip(encoding.ids, encoding.word_ids, strict=True):
        if token != table.unknown and word is not None:
            known[word].append(token)
    return known


def _sums(table: _Table, texts: Sequence[Sequence[int]]) -> npt.NDArray[np.float32]:
    """The weighted sum of each text's token rows, shape (texts, dimension); every text has a token, and at most FEW.
    All first tokens are taken at once, then all second ones: `reduceat` takes eight times longer."""
    import numpy as np

    sizes = np.array([len(tokens) for tokens in texts], dtype=np.intp)
    first, tokens = np.cumsum(sizes) - sizes, np.fromiter(chain.from_iterable(texts), dtype=np.intp)
    rows, weights = _rows(table, tokens), None if table.weights is None else table.weights[tokens].astype(np.float32)
    summed = np.zeros((len(texts), rows.shape[1]), dtype=np.float32)
    for place in range(int(sizes.max())):
        longer = np.flatnonzero(sizes > place)
        chosen = first[longer] + place
        summed[longer] += rows[chosen] if weights is None else rows[chosen] * weights[chosen, None]
    return summed


def _rows(table: _Table, tokens: npt.NDArray[np.intp]) -> npt.NDArray[np.generic]:
    """The rows of the tokens, before their weights."""
    import numpy as np

    return table.rows[tokens if table.row_of_token is None else table.row_of_token[tokens].astype(np.intp)]


def _sum(table: _Table, tokens: Sequence[int]) -> npt.NDArray[np.float32]:
    """The weighted sum of one text's token rows, which has the direction of their mean."""
    import numpy as np

    numbers = np.array(tokens, dtype=np.intp)
    rows = _rows(table, numbers)
    if table.weights is None:
        summed: npt.NDArray[np.float32] = rows.sum(axis=0, dtype=np.float32)
        return summed
    total: npt.NDArray[np.float32] = table.weights[numbers].astype(np.float32) @ rows.astype(np.float32)
    return total


def _unit(sums: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Rows of length 1; zeros where a sum has no length, or one beyond a float. Each row's length is its own product,
    for a sum over all of them may round otherwise than one over it alone."""
    import numpy as np

    lengths = np.sqrt(np.array([one.dot(one) for one in sums], dtype=np.float32))
    fine = (lengths > 0) & np.isfinite(lengths)
    units: npt.NDArray[np.float32] = np.zeros_like(sums)
    units[fine] = sums[fine] / lengths[fine, None]
    return units


def _readable(text: str) -> str:
    """The part of a text that is read, without lone surrogates, which the tokenizer refuses."""
    if len(text) > HEAD_CHARACTERS + TAIL_CHARACTERS:
        text = f"{text[:HEAD_CHARACTERS]} {text[-TAIL_CHARACTERS:]}"
    return whole(text)


def _read_plain(weights: Path) -> _Table:
    """Read model2vec's own layout with the two libraries under it, in a fifth of the time."""
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    tensors = load_file(weights)
    tokenizer = Tokenizer.from_file(str(_tokenizer_file(weights)))
    return _Table(
        tokenizer=_whole_texts(tokenizer),
        rows=tensors["embeddings"],
        weights=tensors.get("weights"),
        row_of_token=tensors.get("mapping"),
        unknown=_unknown_token(tokenizer),
        by_word=_by_word(tokenizer),
    )


def _read_with_model2vec(path: Path) -> _Table:
    """Read any layout that model2vec knows. The folder exists, which keeps model2vec from asking a hub for it."""
    from model2vec import StaticModel

    model = StaticModel.from_pretrained(path)
    return _Table(
        tokenizer=_whole_texts(model.tokenizer),
        rows=model.embedding,
        weights=model.weights,
        row_of_token=model.token_mapping,
        unknown=model.unk_token_id,
    )


def _whole_texts(tokenizer: Tokenizer) -> Tokenizer:
    """The tokenizer without the cutting and padding that its file may ask for: texts are bounded in characters here."""
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _by_word(tokenizer: Tokenizer) -> bool:
    """True of BERT's own, which the one that ships has; of others that may do the same, nothing is assumed."""
    from tokenizers.models import WordPiece
    from tokenizers.pre_tokenizers import BertPreTokenizer

    return isinstance(tokenizer.pre_tokenizer, BertPreTokenizer) and isinstance(tokenizer.model, WordPiece)


def _unknown_token(tokenizer: Tokenizer) -> int | None:
    """The unknown token's number: by name in word-piece, pair and word models, by number in unigram models."""
    model = json.loads(tokenizer.to_str())["model"]
    name = model.get("unk_token")
    number = model.get("unk_id") if name is None else tokenizer.token_to_id(name)
    return None if number is None else int(number)


def _layouts(path: Path) -> Iterator[tuple[Path, Path]]:
    """Where model2vec looks for weights and vocabulary: its own layout first, then those of sentence-transformers."""
    inner = path / "0_StaticEmbedding"
    yield path / "model.safetensors", path / "tokenizer.json"
    yield inner / "model.safetensors", inner / "tokenizer.json"


def _weights_file(path: Path) -> Path:
    """The weights of the model in a folder. Raises EmbedderUnavailable."""
    if not path.is_dir():
        raise _unavailable(path, "there is no such folder")
    for weights, vocabulary in _layouts(path):
        if weights.is_file() and vocabulary.is_file():
            return weights
    raise _unavailable(path, "it has no model.safetensors with a tokenizer.json")


def _tokenizer_file(weights: Path) -> Path:
    """The vocabulary that belongs to a weights file."""
    return weights.with_name("tokenizer.json")


def _dimension(weights: Path) -> int:
    """The width of the table, from the head of a safetensors file: 8 bytes of length, then JSON."""
    try:
        with weights.open("rb") as file:
            size = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(min(size, 1 << 20)))
        tensor = header.get("embeddings") or header["embedding.weight"]
        rows, dimension = tensor["shape"]
        if int(rows) < 1 or int(dimension) < 1:
            raise ValueError("the table is empty")
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise _unavailable(weights.parent, f"{weights.name} is damaged ({type(error).__name__})") from error
    return int(dimension)


def _unavailable(path: Path, why: str) -> EmbedderUnavailable:
    return EmbedderUnavailable(
        f"The embedder in {path} cannot be used: {why}. "
        "Install erstwhile again to get the one that ships, or name another folder in model2vec's format."
    )
