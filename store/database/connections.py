"""One library owns the live file: every connection to it is apsw's, one of them writes, and a commit is on the disk.

`synchronous=FULL` in WAL mode makes a commit survive a power cut if the disk keeps its promises. A second SQLite in the
same process would drop this one's locks and lose commits in silence, so nothing else ever opens the file.
"""

from __future__ import annotations

import errno
import os
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import apsw

from store.database.migrations import APPLICATION_ID, SCHEMA_VERSION, migrate
from store.database.opening import READ_ONLY, connect
from store.errors import Busy, Damaged, Locked, NoCiphers, NotAMemory, StoreError, TooNew
from store.records import Finding

OLDEST_SQLITE = 3051003
"""Older ones can corrupt a WAL file when it is reset (fixed in 3.51.3)."""
BUSY_MS = 60_000
"""How long a writer waits for another process that writes: a rebuild or a merge is one transaction, and a turn that is
said meanwhile is late rather than refused."""
_HELD_MS = 1_000
"""How long one waits who wants a file for itself alone."""
_SHARED_FIRST, _SHARED_SIZE = 0x40000002, 510
"""The bytes that SQLite locks for reading (os_unix.c, SHARED_FIRST and SHARED_SIZE)."""

_NOT_OURS_TO_WRITE = (
    "{} cannot be opened for writing ({}): make it and its folder yours to write to, see that their disk has room, or "
    "name another file with --db."
)
_ONLY_BY_WRITING = (
    "{} cannot be read where it lies ({}), and cannot be written to: copy it, with the files beside it that begin with "
    "its name, to a folder that is yours, and name the copy with --db."
)
_FULL = "The disk that holds {} is full: make room on it, and try again; what was acknowledged is kept."
_DAMAGED = "{} is damaged ({}); run `erstwhile check --repair`, or go back to a backup."
_BROKEN = "{} cannot be read or written ({}): check the disk, and that there is room on it, and try again."

_TO_READ = """
pragma trusted_schema = off;
pragma temp_store = memory;
pragma cache_size = -32000;
pragma mmap_size = 268435456;
"""
_TO_WRITE = """
pragma journal_mode = wal;
pragma synchronous = full;
pragma foreign_keys = on;
pragma secure_delete = on;
pragma wal_autocheckpoint = 8000;
"""


class Database:
    """The connections to one memory file. Thread-safe: a lock guards the writer, every thread has its own reader."""

    def __init__(
        self, path: Path, before_migration: Callable[[apsw.Connection], None] | None = None, *,
        like: Path | None = None, reading: bool = False,
    ) -> None:  # fmt: skip
        """Open or create the file; `before_migration` is called with the writer if there is one to bring to this
        version. A new one is encrypted if the file `like` is. `reading`: a file that may not be written to is read as
        it lies there, and nothing is left beside it. Raises NotAMemory, TooNew, Damaged, Busy, Locked or StoreError;
        then nothing was changed."""
        if apsw.SQLITE_VERSION_NUMBER < OLDEST_SQLITE:
            raise StoreError(f"SQLite {apsw.sqlite_lib_version()} can damage the file; install apsw 3.51.3 or newer.")
        self.path, self._like = path, like
        self._lock = threading.RLock()
        self._local = threading.local()
        self._readers: list[apsw.Connection] = []
        self.read_only = reading and path.is_file() and not all(os.access(one, os.W_OK) for one in (path, path.parent))
        """Whatever is to be written is refused: SQLite may not write to the file, or not keep its WAL beside it."""
        if not self.read_only:
            create_private(path)
            if not os.access(path, os.W_OK):  # SQLite would leave a WAL with the file's mode, which outlasts the mode
                raise StoreError(_NOT_OURS_TO_WRITE.format(path, "it is read-only"))
        try:
            while not self._open_writer(before_migration):
                pass
        except apsw.Error as error:
            raise _sentence(error, path) from error

    def _open_writer(self, before_migration: Callable[[apsw.Connection], None] | None) -> bool:
        """False where another process has put another file in this one's place before it was open: what would be
        written to the old one would be lost. Once it is open, nobody can."""
        meant = self.path.stat()
        self._writer = self._connect()
        try:
            self._admit(before_migration)
        except BaseException as error:
            self._writer.close()
            if isinstance(error, apsw.Error) and not os.path.samestat(meant, self.path.stat()):
                return False
            raise
        is_still = os.path.samestat(meant, self.path.stat())
        if not is_still:
            self._writer.close()
        return is_still

    def _connect(self) -> apsw.Connection:
        connection = _as_it_lies(self.path) if self.read_only else connect(self.path, like=self._like)
        connection.set_busy_timeout(BUSY_MS)
        connection.enable_load_extension(True)
        connection.load_extension(_vec_extension())
        connection.enable_load_extension(False)
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        return connection

    def _admit(self, before_migration: Callable[[apsw.Connection], None] | None) -> None:
        """Check that the file is ours before the first pragma that would change it; then bring it to this version."""
        version = self._writer.pragma("user_version")
        # A process that died while it made the file leaves an empty schema; that is not somebody else's file.
        blank = self._writer.execute("select count(*) from sqlite_schema").get == 0
        if not blank and self._writer.pragma("application_id") != APPLICATION_ID:
            raise NotAMemory(f"{self.path} is not an Erstwhile memory; name another file with --db.")
        if version > SCHEMA_VERSION:
            raise TooNew(f"{self.path} was written by a newer Erstwhile; update this one to open it.")
        if self.read_only and version < SCHEMA_VERSION:
            raise StoreError(_ONLY_BY_WRITING.format(self.path, "an older Erstwhile wrote it"))
        self._set_up(self._writer)
        if version < SCHEMA_VERSION:
            if before_migration is not None and not blank:
                before_migration(self._writer)
            migrate(self._writer)

    def reader(self) -> apsw.Connection:
        """This thread's connection for reading."""
        connection: apsw.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            with told(self.path):
                connection = self._connect()
                self._set_up(connection)
                connection.execute("pragma query_only = on")
            self._local.connection = connection
            with self._lock:
                self._readers.append(connection)
        return connection

    def _set_up(self, connection: apsw.Connection) -> None:
        # apsw runs the statements of a text only as far as its rows are taken.
        connection.execute(_TO_READ if self.read_only else _TO_WRITE + _TO_READ).fetchall()

    @contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[apsw.Connection]:
        """One durable transaction: committed when the block ends, rolled back whole when it raises. Nests. Without
        `durable` a power cut may take it back, whole, until the next durable one: for what can be done again."""
        if self.read_only:
            raise StoreError(_NOT_OURS_TO_WRITE.format(self.path, "it is read-only"))
        with self._lock:
            if self._writer.in_transaction:
                yield self._writer
                return
            try:
                with told(self.path):
                    self._writer.pragma("synchronous", "full" if durable else "normal")
                    self._writer.execute("begin immediate")
                    yield self._writer
                try:
                    self._writer.execute("commit")
                except apsw.Error as error:
                    raise _sentence(error, self.path) from error
            except BaseException:
                if self._writer.in_transaction:
                    self._writer.execute("rollback")
                raise

    def fold_wal(self) -> None:
        """Move what the WAL holds into the file, as far as nobody is in the way: in sleep, not while one writes."""
        with self._lock, told(self.path), suppress(apsw.BusyError):
            self._writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)

    def truncate_wal(self) -> None:
        """Write everything into the file and empty the WAL, so that erased words are in neither. Raises Busy where a
        reader keeps the old pages."""
        with self._lock, told(self.path):
            until = time.monotonic() + _HELD_MS / 1000
            while True:  # SQLite waits for readers by itself, but not for another process that checkpoints
                try:
                    self._writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
                    return
                except apsw.BusyError as error:
                    if time.monotonic() > until:
                        raise Busy(
                            "What was erased is gone from the memory, but another program still reads "
                            f"{self.path} as it was before: close every program that has it open, and no byte of it "
                            "is left."
                        ) from error
                time.sleep(0.02)

    @contextmanager
    def snapshot(self) -> Iterator[apsw.Connection]:
        """A connection of its own that sees the file as it is now for as long as it is held; nobody waits for it."""
        with closing(self._connect()) as connection:
            with told(self.path):
                connection.execute("begin")
                connection.execute("select 1 from sqlite_schema").fetchall()  # the state is that of the first read
            yield connection

    def integrity(self) -> list[Finding]:
        """SQLite's own checks of the file and of the references between its rows."""
        # A connection of its own: FTS5's part of the check reads totals that an older connection has cached.
        with closing(self._connect()) as connection:
            bad = integrity_of(connection)
            orphans = connection.execute("pragma foreign_key_check").fetchall()
        return [
            Finding("integrity", not bad, "; ".join(bad[:3])),
            Finding("foreign keys", not orphans, f"{len(orphans)} rows point at nothing" if orphans else ""),
        ]

    def close(self) -> None:
        """Close every connection; the last one folds the WAL into the file."""
        with self._lock:
            for connection in self._readers:
                connection.close()
            self._readers.clear()
            self._local = threading.local()
            self._writer.close()


def is_damaged(path: Path, error: Exception) -> bool:
    """Whether an error that came up with this file comes from damage to it: SQLite says so, or a text in it is none, or
    its pages fail SQLite's quick check."""
    if isinstance(error, apsw.CorruptError | UnicodeDecodeError):
        return True
    try:
        with closing(connect(path, flags=READ_ONLY)) as connection:
            return bool(connection.execute("pragma quick_check(1)").get != "ok")
    except apsw.CorruptError:
        return True
    except (apsw.Error, Locked, NoCiphers):  # busy, or no database: something else is wrong
        return False


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold a file against every other process that has it open as a memory: each holds SQLite's shared lock on it. To
    be called with no connection to it in this process. Raises Busy. Where there are no such locks, nothing is held."""
    try:
        import fcntl

        kind = fcntl.F_OFD_SETLK  # as SQLite's own locks, but not lost when another descriptor of the file is closed
    except (ImportError, AttributeError):
        yield
        return
    whole = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, _SHARED_FIRST, _SHARED_SIZE, 0)
    with path.open("rb+") as file:
        try:
            fcntl.fcntl(file, kind, whole)
        except OSError as error:
            raise Busy(f"Another process has {path} open; close it there, and repeat this.") from error
        yield


@contextmanager
def only_one(lock: Path, taken: str) -> Iterator[None]:
    """Hold a lock that the system takes back when this process ends, however that comes about; its file is there only
    while somebody holds it. Raises Busy, which says `taken`. Where there are no such locks, nothing is held."""
    try:
        import fcntl
    except ImportError:  # not POSIX
        yield
        return
    file = -1
    while file < 0:
        file = os.open(lock, os.O_CREAT | os.O_RDWR, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_there = lock.exists() and os.path.samestat(os.fstat(file), lock.stat())
        except BlockingIOError:
            os.close(file)
            raise Busy(taken) from None
        except FileNotFoundError:
            is_there = False
        except OSError:  # a file system without locks
            break
        if not is_there:  # its last holder has unlinked it meanwhile
            os.close(file)
            file = -1
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)
        os.close(file)


@contextmanager
def held(path: Path, *, like: Path | None = None) -> Iterator[apsw.Connection]:
    """A connection to a memory file, or to a new one (encrypted if the file `like` is), beside which nobody else can
    have it open, in any process. Raises Busy where somebody has, NotAMemory, Locked, NoCiphers."""
    create_private(path)
    connection = connect(path, like=like)
    connection.set_busy_timeout(_HELD_MS)
    try:
        connection.pragma("locking_mode", "exclusive")
        if connection.execute("select count(*) from sqlite_schema").get and (
            connection.pragma("application_id") != APPLICATION_ID
        ):
            raise NotAMemory(f"{path} is not an Erstwhile memory; name another file with --db.")
        connection.execute(_TO_WRITE + _TO_READ).fetchall()
        connection.execute("begin immediate")
        connection.execute("commit")
        yield connection
    except apsw.BusyError as error:
        raise Busy(f"Another process has {path} open; close it there, and repeat this.") from error
    finally:
        connection.close()


@cache
def _vec_extension() -> str:
    """Where sqlite-vec's library lies; to import its Python module would import numpy, which takes long."""
    spec = find_spec("sqlite_vec")
    if spec is None or spec.origin is None:
        raise StoreError("sqlite-vec is not installed; install Erstwhile anew.")
    return str(Path(spec.origin).parent / "vec0")


def _as_it_lies(path: Path) -> apsw.Connection:
    """A connection to a file that may not be written to. Raises StoreError where what was written last is in a WAL that
    SQLite could only read by writing."""
    wal, shm = (path.with_name(path.name + end) for end in ("-wal", "-shm"))
    if wal.exists() and not shm.exists() and wal.stat().st_size:
        raise StoreError(_ONLY_BY_WRITING.format(path, f"what was written last is in {wal.name}"))
    # Another process may be writing where there are both; where there is none, nobody is.
    return connect(path, flags=READ_ONLY, how="mode=ro" if wal.exists() and shm.exists() else "immutable=1")


def integrity_of(connection: apsw.Connection) -> list[str]:
    """What SQLite's own check finds wrong; empty if nothing is."""
    lines = [str(row[0]) for row in connection.execute("pragma integrity_check")]
    return [] if lines == ["ok"] else lines


def create_private(path: Path) -> None:
    """Make an empty file that only its owner can read, unless there is one. Raises NotAMemory, StoreError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        if path.is_dir():
            raise NotAMemory(f"{path} is a folder; name a file with --db.") from None
        if isinstance(error, FileExistsError) and path.exists():
            return
        clear = None if error.errno in _NOT_OURS else _of_machine(error, path)
        raise clear or StoreError(f"{path} cannot be created: {error.strerror}. Name another file.") from error


_SENTENCES: tuple[tuple[type[Exception], type[StoreError], str], ...] = (
    (apsw.NotADBError, NotAMemory, "{} is not a database; name another file with --db."),
    (apsw.BusyError, Busy, "Another process is writing to {}; try again when it has finished."),
    (apsw.CorruptError, Damaged, _DAMAGED),
    (apsw.FullError, StoreError, _FULL),
    (apsw.IOError, StoreError, _BROKEN),
    (apsw.ReadOnlyError, StoreError, _NOT_OURS_TO_WRITE),
    (apsw.CantOpenError, StoreError, _NOT_OURS_TO_WRITE),
    (apsw.Error, StoreError, "{} cannot be used: {}."),
)
"""What is said of SQLite's errors; the file and the error are given to it."""
_OUTSIDE = (apsw.BusyError, apsw.FullError, apsw.IOError, apsw.ReadOnlyError, apsw.CantOpenError)
"""What comes from the machine, and from no fault of the program's or of the file's."""
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
_NOT_OURS = (errno.EACCES, errno.EPERM, errno.EROFS)
"""The same, as the system numbers it."""


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Say for the person what the machine does not let be done with a file. Raises Busy, StoreError."""
    try:
        yield
    except (*_OUTSIDE, OSError) as error:
        if (clear := _of_machine(error, path)) is None:
            raise
        raise clear from error


def for_person(error: Exception, path: Path) -> StoreError | None:
    """What is said of an error that came up with this file; None where neither the machine nor damage explains it."""
    return _of_machine(error, path) or (Damaged(_DAMAGED.format(path, error)) if is_damaged(path, error) else None)


def _of_machine(error: Exception, path: Path) -> StoreError | None:
    if isinstance(error, _OUTSIDE):
        return _sentence(error, path)
    if not isinstance(error, OSError) or error.errno not in (*_NO_ROOM, *_NOT_OURS, errno.EIO):
        return None
    path = Path(error.filename) if isinstance(error.filename, str) else path
    if error.errno in _NO_ROOM:
        return StoreError(_FULL.format(path))
    if error.errno in _NOT_OURS:
        return StoreError(
            f"{path} cannot be used ({error.strerror}): make it and its folder yours, or name another file."
        )
    return StoreError(_BROKEN.format(path, error.strerror))


def _sentence(error: apsw.Error, path: Path) -> StoreError:
    kind, said = next((kind, said) for raised, kind, said in _SENTENCES if isinstance(error, raised))
    return kind(said.format(path, error))
