"""The sizes and themes in which pictures of screens are taken: what differs between them is the layout and the colours.

A screen is one layout when it is narrow and another when it is wide; colours come from one table. So every screen is
taken at 60 and 100 columns, and those with most on them at 160 and in light, too.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest


class View(NamedTuple):
    """A theme, and the columns and rows of a terminal."""

    theme: str
    size: tuple[int, int]


def _ids(view: View) -> str:
    return f"{view.theme}-{view.size[0]}"


_NARROW, _MIDDLE = View("dark", (60, 30)), View("dark", (100, 30))

two_views = pytest.mark.parametrize("view", [_NARROW, _MIDDLE], ids=_ids)
all_views = pytest.mark.parametrize(
    "view", [_NARROW, _MIDDLE, View("dark", (160, 40)), View("light", (100, 30))], ids=_ids
)
