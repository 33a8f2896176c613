"""What was typed and not sent outlives the program, however it ends: it is on the disk half a second later.

It lies in one file beside the memory, readable by its owner only, and goes when it is sent. Beside an encrypted memory
there is none: it would hold in plain text what is to be encrypted.
"""

from __future__ import annotations

import threading
from pathlib import Path

from app.paths import replace_file
from store.errors import StoreError


class Draft:
    """The draft of one memory."""

    def __init__(self, memory: Path) -> None:
        self._memory, self.path = memory, memory.with_name(f"{memory.name}.draft")
        self.text: str | None = None
        """What is to be kept; None until that is known. It is set by one thread, and kept by others."""
        self._lock = threading.Lock()
        self._kept: str | None = None

    def read(self) -> str:
        """What was kept when the program ended; empty where nothing was. Raises StoreError."""
        try:
            return self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as error:
            raise StoreError(f"The draft in {self.path} cannot be read ({error}): move it away.") from error

    def keep(self) -> None:
        """Write the text as it is by now; without one, remove the file. Raises StoreError."""
        with self._lock:
            text = self.text
            if text is None or text == self._kept:
                return
            from store.database.opening import is_encrypted

            try:
                if text and not is_encrypted(self._memory):
                    replace_file(self.path, text)
                else:
                    self.path.unlink(missing_ok=True)
            except OSError as error:
                raise StoreError(f"{error.strerror}: what you type would not outlive a crash ({self.path}).") from error
            self._kept = text

    def remove(self) -> None:
        """Drop what was typed and not sent, from the disk too."""
        self.path.unlink(missing_ok=True)
