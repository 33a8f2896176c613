"""A text's vector depends on the text and the weights alone, has length 1 or 0, and never needs the network."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from store.episodes.embedding import BATCH, HEAD_CHARACTERS, TAIL_CHARACTERS, StaticEmbedder, default_path
from store.errors import EmbedderUnavailable

Vectors = npt.NDArray[np.generic]
SHIPPED = StaticEmbedder.load()


def cosine(first: str, second: str) -> float:
    one, two = SHIPPED.embed([first, second])
    return float(one @ two)


@pytest.fixture
def copy_of_shipped(tmp_path: Path) -> Path:
    return Path(shutil.copytree(default_path(), tmp_path / "embedder"))


def write_model(folder: Path, words: Iterable[str], rows: Vectors, **extra: Any) -> Path:
    """A word-level model in model2vec's own layout; `extra` are its weights or its mapping."""
    from model2vec import StaticModel
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    StaticModel(rows, tokenizer, normalize=True, **extra).save_pretrained(folder)
    return folder


def test_the_shape_is_texts_by_dimension_and_the_rows_have_length_one() -> None:
    vectors = SHIPPED.embed(["I moved to Lisbon.", "We went hiking", "猫が好きです"])
    assert vectors.shape == (3, SHIPPED.dimension) == (3, 256)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)


@pytest.mark.parametrize("text", ["", "   \n\t", "\x00\x07\u200b"])
def test_a_text_without_words_gives_a_row_of_zeros(text: str) -> None:
    words, nothing = SHIPPED.embed(["words", text])
    assert not nothing.any()
    assert words.any()


def test_a_word_outside_the_vocabulary_says_nothing(tmp_path: Path) -> None:
    embedder = StaticEmbedder.load(write_model(tmp_path, ["[UNK]", "tea", "rain"], np.eye(3, 4, dtype=np.float32)))
    assert not embedder.embed(["zyzzyva"]).any()
    assert np.array_equal(embedder.embed(["tea zyzzyva"]), embedder.embed(["tea"]))


def test_no_texts_give_no_rows() -> None:
    assert SHIPPED.embed([]).shape == (0, SHIPPED.dimension)


def test_a_vector_does_not_depend_on_the_batch_or_the_order() -> None:
    texts = [f"On day {day} I ate {day % 7} apples with my cousin" for day in range(BATCH + 40)]
    together = SHIPPED.embed(texts)
    backwards = SHIPPED.embed(texts[::-1])[::-1]
    alone = np.concatenate([SHIPPED.embed([text]) for text in texts[::50]])
    assert np.array_equal(together, backwards)
    assert np.array_equal(together[::50], alone)


def test_words_that_are_read_together_are_those_that_are_read_alone() -> None:
    words = ["trip", "hik", "Lisbon", "floccinaucinihilipilification", "x", "a" * 300, "UNK", "trip"]
    together = SHIPPED.embed(words)
    assert together.tolist() == [SHIPPED.embed([word])[0].tolist() for word in words]
    assert together.tolist() == SHIPPED.embed([*words, "and a sentence"])[:-1].tolist()


def test_two_loads_agree_to_the_bit() -> None:
    again = StaticEmbedder.load(default_path())
    assert np.array_equal(SHIPPED.embed(["The same words"]), again.embed(["The same words"]))
    assert SHIPPED.fingerprint == again.fingerprint


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("My dog is ill", "the puppy has to see a vet", "the train was late again"),
        ("We are getting married in June", "planning the wedding", "repairing a bicycle tyre"),
        ("I started a new job at a bank", "her career in finance", "a recipe for onion soup"),
        ("She plays the violin", "practising music with an instrument", "paying the electricity bill"),
    ],
)
def test_similar_texts_are_closer_than_unrelated_ones(text: str, near: str, far: str) -> None:
    assert cosine(text, near) > cosine(text, far) + 0.1


def test_a_long_text_is_read_at_both_ends_and_nowhere_else() -> None:
    head, tail = "a" * (HEAD_CHARACTERS - 7) + " violin", "orchestra " + "b" * (TAIL_CHARACTERS - 10)
    short = SHIPPED.embed([f"{head} {tail}"])
    assert not np.array_equal(short, SHIPPED.embed([head]))
    assert np.allclose(short, SHIPPED.embed([f"{head} {'middle words ' * 10_000}{tail}"]), atol=1e-6)


def test_lone_surrogates_are_read_around() -> None:
    assert np.allclose(np.linalg.norm(SHIPPED.embed(["broken \ud83d emoji"])), 1.0)


def test_what_ships_gives_what_model2vec_gives() -> None:
    from model2vec import StaticModel

    texts = ["I live in Porto", "Did you finally quit smoking?", "", "naïve café — 9:30", "unbelievableness"]
    theirs = StaticModel.from_pretrained(default_path()).encode(texts, normalize=True)
    assert np.allclose(SHIPPED.embed(texts), theirs, atol=1e-6)


def test_a_model_with_weights_and_shared_rows_gives_what_model2vec_gives(tmp_path: Path) -> None:
    from model2vec import StaticModel

    random = np.random.default_rng(7)
    extra = {"weights": random.random(5).astype(np.float32), "token_mapping": np.array([0, 1, 2, 1, 2])}
    folder = write_model(tmp_path, ["[UNK]", "tea", "rain", "coffee", "snow"], random.normal(size=(3, 8)), **extra)
    texts = ["tea and rain", "coffee snow snow", "nothing"]
    ours = StaticEmbedder.load(folder)
    assert ours.dimension == 8
    assert np.allclose(ours.embed(texts), StaticModel.from_pretrained(folder).encode(texts, normalize=True), atol=1e-6)


def test_a_sentence_transformers_folder_is_read_by_model2vec(copy_of_shipped: Path) -> None:
    from safetensors.numpy import load_file, save_file

    inner = copy_of_shipped / "0_StaticEmbedding"
    inner.mkdir()
    rows = load_file(copy_of_shipped / "model.safetensors")["embeddings"]
    save_file({"embedding.weight": rows}, inner / "model.safetensors")
    (copy_of_shipped / "tokenizer.json").rename(inner / "tokenizer.json")
    (copy_of_shipped / "config.json").rename(copy_of_shipped / "config_sentence_transformers.json")
    (copy_of_shipped / "model.safetensors").unlink()
    other = StaticEmbedder.load(copy_of_shipped)
    assert other.dimension == SHIPPED.dimension
    assert np.array_equal(other.embed(["the same table"]), SHIPPED.embed(["the same table"]))


def test_a_copy_elsewhere_has_the_same_fingerprint(copy_of_shipped: Path) -> None:
    assert StaticEmbedder.load(copy_of_shipped).fingerprint == SHIPPED.fingerprint


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json"])
def test_the_fingerprint_changes_with_the_weights_and_with_the_vocabulary(copy_of_shipped: Path, name: str) -> None:
    content = bytearray((copy_of_shipped / name).read_bytes())
    content[-100] ^= 1
    (copy_of_shipped / name).write_bytes(content)
    assert StaticEmbedder.load(copy_of_shipped).fingerprint != SHIPPED.fingerprint


def remove(folder: Path) -> None:
    shutil.rmtree(folder)


def empty_weights(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"")


def cut_weights(folder: Path) -> None:
    os.truncate(folder / "model.safetensors", 5_000)


def header_that_is_no_object(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes((2).to_bytes(8, "little") + b"[]")


def lfs_pointer(folder: Path) -> None:
    (folder / "model.safetensors").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")


def no_vocabulary(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()


def broken_vocabulary(folder: Path) -> None:
    (folder / "tokenizer.json").write_text("{")


def another_vocabulary(folder: Path) -> None:
    vocabulary = json.loads((folder / "tokenizer.json").read_text())
    vocabulary["model"]["vocab"].popitem()
    (folder / "tokenizer.json").write_text(json.dumps(vocabulary))


@pytest.mark.parametrize(
    "damage",
    [
        remove,
        empty_weights,
        cut_weights,
        header_that_is_no_object,
        lfs_pointer,
        no_vocabulary,
        broken_vocabulary,
        another_vocabulary,
    ],
)
def test_a_damaged_folder_is_said_in_one_sentence(copy_of_shipped: Path, damage: Callable[[Path], None]) -> None:
    damage(copy_of_shipped)
    with pytest.raises(EmbedderUnavailable, match=r"cannot be used: .*Install erstwhile again") as caught:
        StaticEmbedder.load(copy_of_shipped).embed(["anything"])
    assert str(copy_of_shipped) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_damage_of_the_one_that_ships_is_said_too(copy_of_shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken_vocabulary(copy_of_shipped)
    monkeypatch.setattr("store.episodes.embedding.default_path", lambda: copy_of_shipped)
    with pytest.raises(EmbedderUnavailable):
        StaticEmbedder.load().embed(["anything"])


def test_a_name_of_a_model_on_a_hub_is_a_missing_folder_and_no_download(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    with pytest.raises(EmbedderUnavailable, match="no such folder"):
        StaticEmbedder.load(Path("minishlab/potion-base-8M")).embed(["anything"])


def test_reading_the_one_that_ships_imports_neither_model2vec_nor_a_hub() -> None:
    program = (
        "import sys; from store.episodes.embedding import StaticEmbedder\n"
        "assert 'numpy' not in sys.modules\n"
        "embedder = StaticEmbedder.load(); embedder.fingerprint; embedder.dimension\n"
        "assert 'numpy' not in sys.modules\n"
        "embedder.embed(['words'])\n"
        "assert not {'model2vec', 'huggingface_hub', 'torch', 'joblib'} & set(sys.modules)\n"
    )
    root = Path(__file__).resolve().parents[3]
    subprocess.run([sys.executable, "-c", program], cwd=root, check=True, timeout=60)


@pytest.mark.parametrize(("said", "threads"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "2"}, "2")])
def test_numpy_multiplies_in_one_thread_unless_somebody_said_otherwise(said: dict[str, str], threads: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"} | said
    command = "import sys, store, os; assert 'numpy' not in sys.modules; print(os.environ['OPENBLAS_NUM_THREADS'])"
    done = subprocess.run(
        [sys.executable, "-c", command],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).resolve().parents[3],
        env=environment,
    )
    assert done.stdout.strip() == threads
