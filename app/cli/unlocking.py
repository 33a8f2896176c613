"""A passphrase comes from where nobody else reads it: a terminal without echo, a file, or the environment.

It never stands among the words of a command, which every process of the machine can list, and no child inherits it.
"""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from store.errors import BadInput, Locked, UsageError

if TYPE_CHECKING:
    from store.database.opening import Passphrase

VARIABLE = "ERSTWHILE_PASSPHRASE"
WRONG = "That passphrase does not open {} (or the beginning of the file is damaged)."
_TRIES = 3


def given(file: Path | None) -> tuple[Passphrase, ...]:
    """The passphrases that were given beforehand: a line each in the file, else the one in the environment, which is
    taken out of it. Raises BadInput."""
    lines = [os.environ.pop(VARIABLE, "")]
    if file is not None:
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"The passphrase cannot be read from {file} ({error}).") from None
        if not any(lines):
            raise BadInput(f"There is no passphrase in {file}.")
    if not any(lines):
        return ()
    from store.database.opening import Passphrase

    return tuple(Passphrase(line) for line in lines if line)


def unlock(path: Path, known: Sequence[Passphrase]) -> None:
    """Let an encrypted file be opened from now on, by one of the known passphrases, or by one that is asked for. Raises
    Locked where there is none, NoCiphers."""
    from store.database import opening

    if not opening.is_locked(path) or any(opening.offer(path, one) for one in known):
        return
    if not sys.stdin.isatty():
        if known:
            raise Locked(f"{WRONG.format(path)} Give the right one, or go back to a backup.", path)
        opening.key_of(path)
    for _ in range(_TRIES):
        if opening.offer(path, opening.Passphrase(_asked(f"Passphrase of {path}: "))):
            return
        sys.stderr.write(f"{WRONG.format(path)}\n")
    raise Locked(f"{path} stays closed: none of {_TRIES} passphrases opened it.", path)


def new(known: Sequence[Passphrase]) -> Passphrase:
    """The passphrase from now on: the first known one, else one that is asked for twice. Raises UsageError."""
    from store.database.opening import Passphrase

    if known:
        return known[0]
    if not sys.stdin.isatty():
        raise UsageError("There is nobody to ask for the new passphrase; see `erstwhile encrypt --help`.")
    first = Passphrase(_asked("New passphrase: "))
    if not first.is_same(Passphrase(_asked("The same again: "))):
        raise BadInput("The two were not the same; nothing was changed.")
    return first


def _asked(prompt: str) -> str:
    """What the person types, unseen. Raises click.Abort where they end the input."""
    import click

    try:
        return getpass.getpass(prompt)
    except EOFError:
        raise click.Abort from None
