"""What comes next is imported off the interface's thread, so that no key waits for it."""

from __future__ import annotations

from importlib import import_module

NEXT = (
    "widgets.speech", "app.tui.screens.reply", "app.core.composing",
    "app.tui.palette", "app.tui.screens.beliefs", "app.tui.screens.timeline",
    "app.tui.screens.search", "app.tui.screens.why", "app.tui.screens.chain", "app.tui.screens.entity",
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
