"""A GGUF header is read, or refused in one sentence, whatever is in the file."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.llm.gguf import BadGGUF, check_memory, read
from store.errors import ModelUnavailable
from tests.app.llm.making import gguf


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def test_reads_what_a_file_says_about_itself(gguf_path: Path) -> None:
    header = read(gguf_path)
    assert (header.architecture, header.context_length) == ("llama", 2048)
    assert header.cache_per_token == 2 * 2 * (16 + 16) * 2, "layers x shared heads x (key + value) x 16 bits"
    assert header.for_chat


def test_heads_may_differ_by_layer(tmp_path: Path) -> None:
    path = written(tmp_path / "a.gguf", gguf({"llama.attention.head_count_kv": [2, 0]}))
    assert read(path).cache_per_token == 2 * (16 + 16) * 2


def test_names_are_one_printable_line(tmp_path: Path) -> None:
    path = written(tmp_path / "a.gguf", gguf({"general.architecture": "evil\x1b]0;title\x07\nname" + "x" * 500}))
    assert read(path).architecture.startswith("evil]0;title name")
    assert len(read(path).architecture) <= 100


@pytest.mark.parametrize("architecture", ["bert", "nomic-bert", "clip"])
def test_models_that_cannot_chat_are_known(tmp_path: Path, architecture: str) -> None:
    assert not read(written(tmp_path / "a.gguf", gguf({"general.architecture": architecture}))).for_chat


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "not a GGUF"),
        (b"Once upon a time there was a model." * 3, "not a GGUF"),
        (b"GGUF" + struct.pack("<IQQ", 1, 0, 0), "GGUF version 1"),
        (b"GGUF" + struct.pack(">IQQ", 3, 0, 0), "GGUF version"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 1 << 60), "announces more"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1 << 62), "endless"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1) + b"k" + struct.pack("<IQ", 8, 1 << 61), "ends within"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1) + b"k" + struct.pack("<I", 77), "unknown kind 77"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1) + b"k" + struct.pack("<IIQ", 9, 9, 1), "list of unknown kind"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1) + b"k" + struct.pack("<IIQ", 9, 8, 1 << 62), "endless"),
        (gguf(weights=10), "not complete"),
        (gguf(elements=1 << 40, weights=10), "not complete: .* of 4398.0 GB"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, data: bytes, sentence: str) -> None:
    with pytest.raises(BadGGUF, match=sentence) as caught:
        read(written(tmp_path / "file.gguf", data))
    assert str(caught.value).startswith("file.gguf ")
    assert "\n" not in str(caught.value)


def test_folders_and_missing_files(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.gguf"):
        with pytest.raises(BadGGUF, match="cannot be read"):
            read(path)


@settings(max_examples=150, deadline=1000, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_damage_anywhere_ends_in_a_header_or_a_sentence(tmp_path: Path, data: st.DataObject) -> None:
    whole = bytearray(gguf())
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(whole)))
    try:
        read(written(tmp_path / "a.gguf", bytes(whole[:cut])))
    except BadGGUF as error:
        assert str(error).endswith(".")


def test_memory_is_checked_against_what_is_free(gguf_path: Path) -> None:
    header = read(gguf_path)
    check_memory(header, 2048, None)
    check_memory(header, 2048, header.memory(2048))
    with pytest.raises(ModelUnavailable, match="choose a smaller model"):
        check_memory(header, 2048, header.memory(2048) - 1)


def test_parts_of_a_split_model_count_together(tmp_path: Path) -> None:
    first = written(tmp_path / "big-00001-of-00002.gguf", gguf())
    written(tmp_path / "big-00002-of-00002.gguf", b"x" * 1000)
    written(tmp_path / "other-00002-of-00002.gguf", b"x" * 5000)
    assert read(first).size == len(gguf()) + 1000
