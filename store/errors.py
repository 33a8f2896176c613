"""Every error that a person can mend is an ErstwhileError: one sentence that says what is wrong and what to do.

ErstwhileError
├── UsageError            the call's words are off                              exit 2
│   ├── BadTime           a time that cannot be read
│   └── BadInput          a file or text that cannot be read
├── StoreError            the file
│   ├── NotAMemory        it is not an Erstwhile file
│   ├── TooNew            a newer Erstwhile wrote it
│   ├── Busy              another process holds it
│   ├── Locked            it is encrypted, and its passphrase was not given
│   ├── NoCiphers         it is encrypted, or is to be, and nothing here can do that
│   └── Damaged           it fails its checks
├── NotFound              what was named does not exist
├── EmbedderUnavailable   the static embedder cannot be loaded
├── ReaderUnavailable     the reader cannot be loaded
└── ModelError            the language model
    ├── ModelUnavailable  there is none, or it cannot be loaded
    └── ModelDied         it ended in the middle; `partial` is what it had said
"""

from __future__ import annotations

from pathlib import Path


class ErstwhileError(Exception):
    """The root. `exit_code` is what the command line ends with."""

    exit_code = 1


class UsageError(ErstwhileError):
    exit_code = 2


class BadTime(UsageError):
    """A time that cannot be read; never silently "all of time"."""


class BadInput(UsageError):
    """A file or a text that cannot be read."""


class StoreError(ErstwhileError):
    """Something about the memory file."""


class NotAMemory(StoreError):
    """The file is something else; it was not touched."""


class TooNew(StoreError):
    """A newer version wrote the file; it was not touched."""


class Busy(StoreError):
    """Another process holds the file or the sleep lease."""


class Locked(StoreError):
    """The file is encrypted; `path` is the file whose passphrase is wanted."""

    def __init__(self, sentence: str, path: Path) -> None:
        super().__init__(sentence)
        self.path = path


class NoCiphers(StoreError):
    """What encrypts and decrypts is not installed."""


class Damaged(StoreError):
    """The file fails its checks."""


class NotFound(ErstwhileError):
    """What was named does not exist in this memory."""


class ReaderUnavailable(ErstwhileError):
    """The reader's files are missing or damaged."""


class EmbedderUnavailable(ErstwhileError):
    """The static embedder cannot be loaded."""


class ModelError(ErstwhileError):
    """Something about the language model, said for the person."""


class ModelUnavailable(ModelError):
    """There is no model, or it cannot be loaded."""


class ModelDied(ModelError):
    """The model's process ended in the middle of a reply."""

    def __init__(self, sentence: str, partial: str = "") -> None:
        super().__init__(sentence)
        self.partial = partial
