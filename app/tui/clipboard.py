"""What is copied reaches the desktop's clipboard where there is one; where there is none, nothing is said about it.

The terminal is told as well (OSC 52), by Textual and at once: that reaches the person's own machine through ssh, where
no program on this one would.
"""

from __future__ import annotations

import subprocess
import sys

LONGEST = 5.0
"""Seconds that a clipboard may take."""


def copy(text: str) -> bool:
    """Hand the text to the desktop's clipboard; whether one took it. Blocks, so that only a worker asks.

    In a process of its own: what pyperclip starts may hang, and may write to the terminal that the app draws on.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-X", "utf8", "-m", "pyperclip", "--copy"], input=text.encode(), timeout=LONGEST,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
