"""A command opens the memory once, with the machine's clock and zone, and closes it whatever happens.

Reading never makes a file: who asks a memory that does not exist is told so, and finds no empty one afterwards.

A passphrase comes from where nobody else reads it: a terminal without echo, a file, or the environment. It never stands
among the words of a command, which every process of the machine can list, and no child inherits it.
"""

from __future__ import annotations

import getpass
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.paths import chosen_memory
from store.errors import BadInput, ErstwhileError, Locked, NotFound, UsageError
from store.text.cleaning import whole
from widgets.plain import plain

if TYPE_CHECKING:
    from store.database.opening import Passphrase
    from store.memory import Memory
    from store.records import Instant, Stretch

PASSPHRASE_VARIABLE = "ERSTWHILE_PASSPHRASE"
WRONG = "That passphrase does not open {} (or the beginning of the file is damaged)."
_TRIES = 3
Given = str | None  # an option that may be left out


@dataclass(frozen=True, slots=True)
class CommandContext:
    """What every command is given."""

    db: Path
    zone_name: str | None
    as_json: bool
    passphrases: tuple[Passphrase, ...] = ()  # those that were given beforehand

    @property
    def zone(self) -> tzinfo:
        from app.core.clock import zone_named

        return zone_named(self.zone_name)

    def now(self) -> Instant:
        from store.records import Instant

        return Instant.of(datetime.now(self.zone))

    @contextmanager
    def memory(self, *, make: bool = False, me: tuple[str, ...] = (), reading: bool = False) -> Iterator[Memory]:
        """The open memory. `reading`: the verb changes nothing, so that it may be one that cannot be written to. Raises
        NotFound where there is none, unless it may be made."""
        from app.core.clock import SystemClock
        from app.core.settings import chosen_embedder
        from store.memory import Memory

        if not make and not self.db.exists():
            raise NotFound(f"There is no memory at {self.db} yet; start `erstwhile`, or import something.")
        zone, embedder = self.zone, chosen_embedder()
        self.unlock(self.db)
        with Memory.open(
            self.db, clock=SystemClock(zone), zone=zone, embedder=embedder, person=me, reading=reading
        ) as memory:
            yield memory

    def unlock(self, path: Path) -> None:
        """Let a file be opened from now on, if it is encrypted. Raises Locked, NoCiphers."""
        unlock(path, self.passphrases)

    def when(self, text: str | None) -> Stretch | None:
        """A time that the person gave, read against now in their zone. Raises BadTime."""
        if text is None:
            return None
        from store.time.expressions import parse_when

        return parse_when(text, datetime.now(self.zone))

    def believed(self, text: str | None) -> int | None:
        """A belief time in microseconds: the last moment of the stretch that was named."""
        from app.core.clock import last_moment

        stretch = self.when(text)
        return None if stretch is None else last_moment(stretch)

    def emit(self, document: Any, *lines: str) -> None:
        """The JSON document, or the lines for people."""
        for line in [json.dumps(document, ensure_ascii=False)] if self.as_json else lines:
            write(line)


def passphrases_in(file: Path | None) -> tuple[Passphrase, ...]:
    """The passphrases that were given beforehand: a line each in the file, else the one in the environment, which is
    taken out of it. Raises BadInput."""
    lines = [os.environ.pop(PASSPHRASE_VARIABLE, "")]
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


def new_passphrase(known: Sequence[Passphrase]) -> Passphrase:
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
    try:
        return getpass.getpass(prompt)
    except EOFError:
        raise click.Abort from None


def write(line: str) -> None:
    """One line on standard output, where only data goes. Raises OSError."""
    try:
        sys.stdout.write(line.encode("utf-8", "replace").decode() + "\n")
        sys.stdout.flush()
    except OSError as error:
        error.filename = "standard output"  # it is not the memory that cannot be written
        # What is still in the buffer would fail again when the program ends, with words and an exit code of Python's.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
        raise


def tell(line: str) -> None:
    """One line on standard error, where talk goes."""
    sys.stderr.write(plain(line) + "\n")
    sys.stderr.flush()


def which_memory(*, makes: bool) -> list[click.Parameter]:
    """The options of the app, where a profile's new name makes one, and of every verb, most of which make none."""
    file = click.Path(path_type=Path)
    name = f"The memory of this profile, such as work{'; a new name makes one' if makes else ''}."
    return [
        click.Option(["--db"], type=file, help="The memory file (default: see `erstwhile where`)."),
        click.Option(["--profile"], metavar="NAME", help=name),
        click.Option(["--passphrase-file"], type=file, help="Read the passphrase from this file."),
        click.Option(["--zone"], help="The zone of times without one, such as Europe/Lisbon (default: the machine's)."),
    ]


def command(
    name: str | None = None, group: click.Group | None = None, **attributes: Any
) -> Callable[[Callable[..., None]], click.Command]:
    """Make a verb of a function: with --db, --profile, --passphrase-file, --zone and --json, and a CommandContext as
    its first argument."""

    def decorated(function: Callable[..., None]) -> click.Command:
        @click.pass_context
        @wraps(function)
        def wrapped(context: click.Context, /, as_json: bool, **given: Any) -> None:
            root = context.find_root().params
            db, profile, file, zone = (given.pop(name) for name in ("db", "profile", "passphrase_file", "zone"))
            chosen = chosen_memory(db or root.get("db"), root.get("profile") if profile is None else profile)
            passphrases = passphrases_in(file or root.get("passphrase_file"))
            try:
                # What was typed goes without bytes that are no text; the names of files keep them.
                words = {name: _text(value) for name, value in given.items()}
                function(CommandContext(chosen, zone or root.get("zone"), as_json, passphrases), **words)
            except (ErstwhileError, click.exceptions.Exit, click.ClickException, click.Abort, BrokenPipeError):
                raise
            except Exception as error:  # what a disk or a damaged file makes of a program is no fault of the program
                from store.database.connections import for_person

                if (clear := for_person(error, chosen)) is not None:
                    raise clear from error
                raise

        make: Callable[..., click.Command] = click.command(name, **attributes)
        made = make(wrapped)
        as_json = click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON document on standard output.")
        made.params += [*which_memory(makes=False), as_json]
        if group is not None:
            group.add_command(made)
        return made

    return decorated


def _text(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_text, value))
    return whole(value) if isinstance(value, str) else value


def run(group: click.Group, arguments: list[str] | None = None, opens: Callable[..., None] | None = None) -> int:
    """Run the command line; gives the exit code: 0 fine, 1 failed, 2 wrong usage, 130 interrupted. `opens` is called
    where there is no verb."""
    try:
        code = group.main(args=arguments, prog_name="erstwhile", standalone_mode=False, obj=opens)
        return code if isinstance(code, int) else 0
    except ErstwhileError as error:
        tell(f"erstwhile: {error}")
        return error.exit_code
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.ClickException as error:
        tell(f"erstwhile: {error.format_message()} See `erstwhile --help`.")
        return 2
    except (KeyboardInterrupt, click.Abort):
        tell("erstwhile: interrupted; everything that was acknowledged is kept.")
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except Exception as error:  # a person gets a sentence, and the whole story if they ask for it
        if os.environ.get("ERSTWHILE_DEBUG"):
            raise
        tell(f"erstwhile: a fault of the program ({type(error).__name__}: {error}); set ERSTWHILE_DEBUG=1 for more.")
        return 1
