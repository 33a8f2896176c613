"""Every error that a person can mend is an ErstwhileError: one sentence that says what is wrong and what to do.

ErstwhileError
├── UsageError            the call's words are off                              exit 2
│   ├── BadTime           a time that cannot be read; never silently "all of time"
│   └── BadInput          a file or text that cannot be read
├── StoreError            the file
│   ├── NotAMemory        it is not an Erstwhile file; it was not touched
│   ├── TooNew            a newer Erstwhile wrote it; it was not touched
│   ├── Busy              another process holds it, or the sleep lease
│   ├── Locked            it is encrypted, and the passphrase of `path` was not given
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
    exit_code = 1  # what the command line ends with


class UsageError(ErstwhileError):
    exit_code = 2


class BadTime(UsageError): ...


class BadInput(UsageError): ...


class StoreError(ErstwhileError): ...


class NotAMemory(StoreError): ...


class TooNew(StoreError): ...


class Busy(StoreError): ...


class Locked(StoreError):
    def __init__(self, sentence: str, path: Path) -> None:
        super().__init__(sentence)
        self.path = path


class NoCiphers(StoreError): ...


class Damaged(StoreError): ...


class NotFound(ErstwhileError): ...


class ReaderUnavailable(ErstwhileError): ...


class EmbedderUnavailable(ErstwhileError): ...


class ModelError(ErstwhileError): ...


class ModelUnavailable(ModelError): ...


class ModelDied(ModelError):
    def __init__(self, sentence: str, partial: str = "") -> None:
        super().__init__(sentence)
        self.partial = partial
