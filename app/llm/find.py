"""Looking for models changes nothing and chokes on nothing: every file found is either usable or says why not.

Places: the data directory, `models/` of a checkout, and what Ollama, LM Studio, llama.cpp and the Hugging Face hub
have already downloaded, so that nobody has to download the same gigabytes twice.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal

from app.llm.gguf import BadGGUF, Header, read

Source = Literal["erstwhile", "checkout", "ollama", "lm studio", "llama.cpp", "hugging face"]

DEEPEST = 8
MOST_FILES = 2000
_LARGEST_MANIFEST = 1024 * 1024
_OLLAMA_MODEL = "application/vnd.ollama.image.model"
_LATER_PART = re.compile(r"-(?!00001)\d{5}-of-\d{5}\.gguf$")


@dataclass(frozen=True, slots=True)
class Place:
    """A folder that may hold models, and whose it is."""

    source: Source
    folder: Path


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A file that is, or claims to be, a model."""

    path: Path
    source: Source
    name: str  # how its owner calls it: `llama3.2:latest`, `org/model/file.gguf`
    header: Header | None
    problem: str | None  # one sentence when it cannot be used for chat

    @property
    def usable(self) -> bool:
        return self.problem is None

    @property
    def size(self) -> int:
        """Bytes of all its parts; 0 for a file that is gone, such as a blob that a manifest still names."""
        try:
            return self.header.size if self.header else self.path.stat().st_size
        except OSError:
            return 0


def default_places(
    data_dir: Path, *, checkout: Path | None = None, home: Path | None = None, environ: Mapping[str, str] = os.environ
) -> list[Place]:
    """Where models usually are, ours first; folders that do not exist are harmless."""
    home = home or Path.home()
    cache = Path(environ.get("XDG_CACHE_HOME") or home / ".cache")
    hub = Path(environ.get("HF_HUB_CACHE") or Path(environ.get("HF_HOME") or cache / "huggingface") / "hub")
    llama = Path(environ.get("LLAMA_CACHE") or cache / "llama.cpp")
    ollama = Path(environ.get("OLLAMA_MODELS") or home / ".ollama" / "models")
    return [
        Place("erstwhile", data_dir / "models"),
        *([Place("checkout", checkout / "models")] if checkout else []),
        Place("ollama", ollama),
        Place("ollama", Path("/usr/share/ollama/.ollama/models")),
        Place("lm studio", home / ".lmstudio" / "models"),
        Place("lm studio", cache / "lm-studio" / "models"),
        Place("llama.cpp", llama),
        Place("llama.cpp", home / "Library" / "Caches" / "llama.cpp"),
        Place("hugging face", hub),
    ]


def find(places: Sequence[Place]) -> Iterator[ModelFile]:
    """Every model once, in the order of the places, even if two programs link to the same file."""
    seen: set[tuple[int, int]] = set()
    for place in places:
        for name, path in _in_ollama(place) if place.source == "ollama" else _in_folder(place):
            with suppress(OSError):  # a blob that a manifest names and that is gone is told of
                status = path.stat()
                if (status.st_dev, status.st_ino) in seen:
                    continue
                seen.add((status.st_dev, status.st_ino))
            yield examine(path, place.source, name)


def examine(path: Path, source: Source = "erstwhile", name: str | None = None) -> ModelFile:
    """What this file is; never raises."""
    try:
        header = read(path)
    except BadGGUF as error:
        return ModelFile(path, source, name or path.name, None, str(error))
    problem = f"{path.name} is a {header.architecture} model, which cannot hold a conversation."
    return ModelFile(path, source, name or path.name, header, None if header.for_chat else problem)


def sha256(path: Path) -> str:
    """The hexadecimal digest of a file. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _in_folder(place: Place) -> Iterator[tuple[str, Path]]:
    """GGUF files below the folder, by their names within it; the hub's folders are turned back into
    `org/model/file`."""
    models = (file for file in _files(place.folder) if file.name.lower().endswith(".gguf"))
    for file in islice((file for file in models if not _LATER_PART.search(file.name)), MOST_FILES):
        parts = file.relative_to(place.folder).parts
        if place.source == "hugging face" and parts[0].startswith("models--"):
            parts = (*parts[0].removeprefix("models--").split("--"), parts[-1])
        yield "/".join(parts), file


def _files(top: Path) -> Iterator[Path]:
    """All files below a folder, in order; links to folders are not followed."""
    for folder, below, files in os.walk(top):
        here = Path(folder)
        if len(here.relative_to(top).parts) >= DEEPEST:
            below.clear()
        below.sort()
        yield from (here / file for file in sorted(files))


def _in_ollama(place: Place) -> Iterator[tuple[str, Path]]:
    """Its manifests name the blobs: `manifests/registry.ollama.ai/library/llama3.2/latest` is llama3.2:latest."""
    manifests = place.folder / "manifests"
    for manifest in islice(_files(manifests), MOST_FILES):
        if (digest := _model_digest(manifest)) is not None:
            parts = [part for part in manifest.relative_to(manifests).parts[1:-1] if part != "library"]
            name = "/".join(parts) or manifest.parent.name
            yield f"{name}:{manifest.name}", place.folder / "blobs" / digest.replace(":", "-")


def _model_digest(manifest: Path) -> str | None:
    """None for anything that is not a manifest with one plain digest: the name goes into a path."""
    try:
        if manifest.stat().st_size > _LARGEST_MANIFEST:
            return None
        layers = json.loads(manifest.read_bytes())["layers"]
        digest = next(str(layer["digest"]) for layer in layers if layer["mediaType"] == _OLLAMA_MODEL)
    except (OSError, ValueError, RecursionError, TypeError, LookupError, StopIteration):
        return None
    return digest if re.fullmatch(r"sha256:[0-9a-f]{64}", digest) else None
