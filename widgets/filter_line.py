"""A filter is one line high, whatever is typed into it: a letter never lays out the screen anew."""

from __future__ import annotations

from textual.geometry import Size
from textual.reactive import Reactive
from textual.widgets import Input


class FilterLine(Input):
    """Words that narrow what is shown below; hidden until it has the class -shown."""

    DEFAULT_CSS = """
    FilterLine, FilterLine:focus { border: none; background: $panel; }
    FilterLine { height: 1; padding: 0 2; display: none; }
    FilterLine.-shown { display: block; }
    """
    virtual_size = Reactive(Size(0, 0))
    """How much there is to scroll through: a line alone depends on it, and not what stands around it."""
