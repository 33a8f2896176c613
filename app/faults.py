"""What the program did not expect is kept with its traceback in one file of bounded size, readable by its owner alone.

A traceback holds code and the words of the exception; what the person wrote is never added to it.
"""

from __future__ import annotations

import os
import threading
from datetime import UTC, datetime

from app.paths import log_file, private_dir
from widgets.plain import plain

MOST = 1_000_000  # bytes after which a log file is put aside; the one before it is kept, too, and none before that
LONGEST = 40_000  # characters of one traceback, of its end
_LOCK = threading.Lock()


def record(doing: str, error: BaseException) -> None:
    """Append the traceback of what went wrong while `doing` something. Raises OSError."""
    from traceback import format_exception

    trace, path = plain("".join(format_exception(error))), log_file()
    if len(trace) > LONGEST:
        trace = f"[its beginning is left out]\n{trace[-LONGEST:]}"
    entry = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {doing}\n{trace}\n".encode(errors="replace")
    with _LOCK:
        private_dir(path.parent)
        if path.exists() and path.stat().st_size + len(entry) > MOST:
            path.replace(path.with_name(f"{path.name}.1"))
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "wb") as file:
            file.write(entry)
