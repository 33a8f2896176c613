"""Every command has one name of the form "group: thing", says what it does, and runs the action that its key runs."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from textual.app import SystemCommand

if TYPE_CHECKING:
    from app.app import ErstwhileApp

COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("chat: new", "Begin another conversation (ctrl+n)", "chat('new_chat')"),
    ("chat: off the record", "A chat that writes nothing, or back (ctrl+r)", "chat('toggle_record')"),
    ("chat: stop", "Stop the reply that is being written (esc)", "chat('stop')"),
    ("chat: memory panel", "Show or hide what is recalled and learned (ctrl+b)", "chat('toggle_panel')"),
    ("go: conversations", "Resume an earlier chat (ctrl+o)", "sessions"),
    ("go: search", "Search all turns and beliefs (ctrl+f)", "search"),
    ("go: timeline", "Beliefs over time (ctrl+t)", "timeline"),
    ("time: back to now", "Ask again at the present", "back_to_now"),
    ("memory: sleep now", "Read what is new and put beliefs together (ctrl+s)", "sleep"),
    ("memory: stop sleeping", "Nothing is left half-done", "stop_sleep"),
    ("look: dark", "Light text on dark", "look('dark')"),
    ("look: light", "Dark text on light", "look('light')"),
    ("app: help", "Keys and meaning of what has the focus (f1)", "help_here"),
    ("app: quit", "Everything that you said is already saved (ctrl+q)", "quit"),
)
"""(name, what it does, action)"""


def commands(app: ErstwhileApp) -> Iterable[SystemCommand]:
    """What the command palette offers."""
    for title, explained, action in COMMANDS:
        yield SystemCommand(title, explained, partial(app.run_action, action))
