"""Models that other programs hold are found, by the names that those programs give them, and nothing is touched."""

from __future__ import annotations

import json
from pathlib import Path

from app.llm.find import Place, default_places, examine, find, sha256
from tests.app.llm.making import gguf


def put(path: Path, data: bytes | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gguf() if data is None else data)
    return path


def ollama(home: Path, name: str, digest: str, layers: object = None) -> None:
    kind = "application/vnd.ollama.image.model"
    content = {"layers": [{"mediaType": kind, "digest": digest}] if layers is None else layers}
    put(home / ".ollama/models/manifests" / name, json.dumps(content).encode())


def test_every_place_and_name(tmp_path: Path) -> None:
    home, data, checkout = tmp_path / "home", tmp_path / "data", tmp_path / "checkout"
    put(data / "models/own.gguf")
    put(checkout / "models/near.gguf")
    digest = "ab" * 32
    ollama(home, "registry.ollama.ai/library/llama3.2/latest", f"sha256:{digest}")
    ollama(home, "hf.co/ana/poet/q4", f"sha256:{digest}")
    put(home / f".ollama/models/blobs/sha256-{digest}")
    put(home / ".lmstudio/models/pub/model/file.gguf")
    put(home / ".cache/llama.cpp/cached.gguf")
    blob = put(home / ".cache/huggingface/hub/models--org--small/blobs/0123")
    link = home / ".cache/huggingface/hub/models--org--small/snapshots/abc/small.Q4.gguf"
    link.parent.mkdir(parents=True)
    link.symlink_to(blob)
    found = {
        (model.source, model.name) for model in find(default_places(data, checkout=checkout, home=home, environ={}))
    }
    assert found == {
        ("erstwhile", "own.gguf"),
        ("checkout", "near.gguf"),
        ("ollama", "ana/poet:q4"),
        ("lm studio", "pub/model/file.gguf"),
        ("llama.cpp", "cached.gguf"),
        ("hugging face", "org/small/small.Q4.gguf"),
    }, "one of Ollama's two names for the same blob is enough"


def test_ollama_library_names(tmp_path: Path) -> None:
    digest = "cd" * 32
    ollama(tmp_path, "registry.ollama.ai/library/llama3.2/latest", f"sha256:{digest}")
    put(tmp_path / f".ollama/models/blobs/sha256-{digest}")
    (model,) = find([Place("ollama", tmp_path / ".ollama/models")])
    assert (model.name, model.usable) == ("llama3.2:latest", True)


def test_manifests_cannot_point_elsewhere(tmp_path: Path) -> None:
    for index, digest in enumerate(("sha256:../../../etc/passwd", "sha256-" + "a" * 64, "", "md5:00")):
        ollama(tmp_path, f"r/library/m{index}/latest", digest)
    for index, layers in enumerate((3, [3], {"a": 1}, [])):
        ollama(tmp_path, f"r/library/n{index}/latest", "", layers)
    put(tmp_path / ".ollama/models/manifests/r/library/o/latest", b"[" * 100_000)
    assert list(find([Place("ollama", tmp_path / ".ollama/models")])) == []


def test_a_missing_blob_is_said(tmp_path: Path) -> None:
    ollama(tmp_path, "r/library/gone/latest", "sha256:" + "e" * 64)
    (model,) = find([Place("ollama", tmp_path / ".ollama/models")])
    assert not model.usable
    assert "cannot be read" in (model.problem or "")
    assert model.size == 0


def test_unusable_files_say_why(tmp_path: Path) -> None:
    assert "not a GGUF" in (examine(put(tmp_path / "text.gguf", b"hello " * 20)).problem or "")
    assert "not complete" in (examine(put(tmp_path / "cut.gguf", gguf(weights=3))).problem or "")
    encoder = put(tmp_path / "enc.gguf", gguf({"general.architecture": "bert"}))
    assert "cannot hold a conversation" in (examine(encoder).problem or "")
    fine = examine(put(tmp_path / "ok.gguf"))
    assert fine.usable
    assert fine.size == len(gguf())


def test_parts_are_found_once_and_loops_end(tmp_path: Path) -> None:
    put(tmp_path / "m/big-00001-of-00002.gguf")
    put(tmp_path / "m/big-00002-of-00002.gguf", b"rest")
    (tmp_path / "m/loop").symlink_to(tmp_path / "m", target_is_directory=True)
    assert [model.name for model in find([Place("erstwhile", tmp_path / "m")])] == ["big-00001-of-00002.gguf"]


def test_environment_moves_the_places(tmp_path: Path) -> None:
    environ = {"OLLAMA_MODELS": str(tmp_path / "o"), "HF_HOME": str(tmp_path / "h"), "LLAMA_CACHE": str(tmp_path / "l")}
    folders = {place.folder for place in default_places(tmp_path, home=tmp_path / "home", environ=environ)}
    assert {tmp_path / "o", tmp_path / "h" / "hub", tmp_path / "l"} <= folders


def test_the_digest_of_a_file(tmp_path: Path) -> None:
    assert (
        sha256(put(tmp_path / "a.gguf", b"abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
