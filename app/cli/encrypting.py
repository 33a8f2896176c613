"""What is encrypted is said with what is not: copies that were made before still hold the words."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from app.cli import unlocking
from app.cli.session import CommandContext, tell
from app.core.draft import Draft
from store.errors import BadInput, NotFound
from store.records import Instant

if TYPE_CHECKING:
    from store.database.opening import Passphrase

Way = Literal["on", "change", "off"]
_SAID = {
    "on": "{} is encrypted. Without the passphrase nobody can read it, you neither: keep it where you find it again.",
    "change": "{} has another passphrase.",
    "off": "{} is decrypted: whoever can read your files can read it.",
}
_PLAIN = "The copy {} is not encrypted: delete it, or encrypt it with `erstwhile encrypt --db {}`."
_OTHER = "The copy {} has another passphrase: delete it, or change that with `erstwhile encrypt --change --db {}`."
_STILL = "The copy {} is still encrypted: keep its passphrase, or decrypt it with `erstwhile encrypt --off --db {}`."
_EXPORT = "The export {} is plain text: delete it, or put it where nobody else reads it."
_TRACES = "The disk may still hold what the plain file held, where it was written before; so may copies made elsewhere."


def encrypt(session: CommandContext, way: Way, new: Path | None) -> None:
    """Encrypt the memory, give it another passphrase (read from the file `new`, or asked for), or decrypt it. Raises
    BadInput, NotFound, and what `store.maintenance.rekeying` raises."""
    from store.database import opening
    from store.maintenance.rekeying import rekey

    opening.need_ciphers("Nothing was encrypted or decrypted")
    if not session.db.is_file():
        raise NotFound(f"There is no memory at {session.db} yet; start `erstwhile`, or import something.")
    memory = session.db.resolve()  # what lies at the end of a link is replaced, not the link
    if opening.is_encrypted(memory) != (way != "on"):
        more = "it has a passphrase; --change gives it another" if way == "on" else "there is no passphrase to it"
        raise BadInput(f"{memory} is {'already' if way == 'on' else 'not'} encrypted: {more}.")
    session.unlock(memory)
    key = None if way == "off" else unlocking.new(_new(session, way, new)).new_key()
    left = rekey(memory, key, Instant.of(datetime.now(session.zone)))
    if key is not None:
        Draft(memory).remove()
    if way == "on":
        tell(_TRACES)
    document = {"encrypted": key is not None, "copies": [str(path) for path in left]}
    session.emit(document, _SAID[way].format(memory), *(_left(path, way) for path in left))


def _new(session: CommandContext, way: Way, new: Path | None) -> tuple[Passphrase, ...]:
    """The new passphrase, where it was given: what opens the memory now is not meant by it."""
    if new is not None:
        return unlocking.given(new)
    return session.passphrases if way == "on" else ()


def _left(path: Path, way: Way) -> str:
    """What is to be done with a copy that is as it was before."""
    from store.database.opening import is_encrypted

    if is_encrypted(path):
        return (_STILL if way == "off" else _OTHER).format(path, path)
    return _PLAIN.format(path, path) if path.suffix == ".db" else _EXPORT.format(path)
