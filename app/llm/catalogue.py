"""What can be fetched is in one table, catalogue.toml, or at an address that the person gives.

An address leads over HTTPS to one whole GGUF file. Plain HTTP is for this machine alone. Nothing here opens a
connection.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from store.errors import BadInput

HOST = "https://huggingface.co"
RECOMMENDED = 3  # how many of the table are recommended to one machine
SHARE_OF_MEMORY = 0.5  # a model that takes more of the machine's memory than this leaves too little for everything else
_WORKING_SPACE = 700_000_000
"""Bytes that a model takes beside its weights: the cache of 4,096 tokens, and room to work in."""
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_FILE = re.compile(r"\w[\w.+-]{0,180}\.gguf", re.IGNORECASE)
_PART = re.compile(r"-\d{5}-of-\d{5}\.gguf$", re.IGNORECASE)
_HUB = re.compile(r"(?:https?://)?(?:huggingface\.co|hf\.co)/([\w.-]+/[\w.-]+)/(?:blob|resolve)/([^/?#]+)/([^?#]+)")
_SHORT = re.compile(r"([\w.-]+/[\w.-]+)/([^/?#:]+\.gguf)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FileToFetch:
    """One file that is to be fetched, and what is known of it before."""

    name: str  # how it is spoken of
    address: str
    file: str  # its name in the models folder
    size: int | None = None  # bytes
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """A model of the table."""

    name: str
    title: str
    about: str  # what it is good for, in a few words
    repository: str
    revision: str
    file: str
    size: int  # bytes
    sha256: str
    licence: str
    context: int  # tokens

    @property
    def memory(self) -> int:
        """Bytes that it needs while it is in use, roughly."""
        return round(self.size * 1.2) + _WORKING_SPACE

    @property
    def wanted(self) -> FileToFetch:
        address = _address(self.repository, self.revision, self.file)
        return FileToFetch(self.name, address, self.file, self.size, self.sha256)


@cache
def offers() -> tuple[Offer, ...]:
    """The whole table, smallest first."""
    text = Path(__file__).with_name("catalogue.toml").read_text(encoding="utf-8")
    return tuple(Offer(**row) for row in tomllib.loads(text)["model"])


def recommended(memory: int | None, table: Sequence[Offer] | None = None) -> tuple[Offer, ...]:
    """Of the table, the largest that leave a machine with so many bytes of memory enough for everything else, smallest
    first; at least the smallest there is. Where the memory is not known, the smallest.
    """
    table = offers() if table is None else table
    fitting = [one for one in table if memory is not None and one.memory <= memory * SHARE_OF_MEMORY]
    return tuple(fitting[-RECOMMENDED:] or table[: 1 if memory is not None else RECOMMENDED])


def wanted(text: str) -> FileToFetch:
    """What a name of the table, an https address or `owner/repository/file.gguf` stands for. Raises BadInput."""
    text = text.strip()
    for offer in offers():
        if text.casefold() in (offer.name.casefold(), offer.file.casefold()):
            return offer.wanted
    if page := _HUB.fullmatch(text.partition("?")[0]):
        text = _address(page[1], page[2], page[3])
    elif short := _SHORT.fullmatch(text):
        text = _address(short[1], "main", short[2])
    elif "://" not in text:
        names = ", ".join(one.name for one in offers())
        raise BadInput(f"There is no model called {text!r} to fetch; known are {names}. An https address will do too.")
    check_address(text)
    file = unquote(urlsplit(text).path).rpartition("/")[2]
    if not _FILE.fullmatch(file):
        raise BadInput("The address has to end with the name of a GGUF file, such as .../model-q4_k_m.gguf.")
    if _PART.search(file):
        raise BadInput(f"{file} is one part of a model in several files: choose one that is a single file.")
    return next((one.wanted for one in offers() if one.wanted.address == text), FileToFetch(file, text, file))


def check_address(address: str, *, before: str = "") -> None:
    """Raises BadInput unless it is an https address, or one on this machine; `before` is where a redirect came from."""
    try:
        parts = urlsplit(address)
        host = parts.hostname
    except ValueError:
        raise BadInput(f"{address!r} is no address.") from None
    here = parts.scheme == "http" and host in _LOOPBACK and not before.startswith("https:")
    if not host or not (parts.scheme == "https" or here):
        raise BadInput(f"Models are fetched from https addresses only, and {address!r} is none.")


def _address(repository: str, revision: str, file: str) -> str:
    return f"{HOST}/{repository}/resolve/{revision}/{file}"
