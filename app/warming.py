"""What comes next is imported off the interface's thread, so that no key waits for it."""

from __future__ import annotations

from importlib import import_module

NEXT = (
    "widgets.speech", "app.screens.reply", "app.composing", "app.deeds", "app.conversation", "app.palette",
    "app.screens.dialogs", "app.screens.beliefs", "app.screens.timeline", "app.screens.search", "app.screens.why",
    "app.screens.chain", "app.screens.entity",
)  # fmt: skip
"""What the first frame does not need, and one of the first keys may."""


def warm() -> None:
    """Import what comes next while the person reads the first frame: no key then waits for it, nor the first block of
    code of a reply.
    """
    for name in NEXT:
        import_module(name)
    from textual.highlight import highlight

    highlight("", language="python")
