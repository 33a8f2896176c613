"""A path is typed with the file system's help: what it may go on with stands behind the cursor, and right takes it."""

from __future__ import annotations

import os
from pathlib import Path

from textual.suggester import Suggester
from textual.widgets import Input

from app.paths import expanded
from store.errors import BadInput


class PathField(Input):
    """A field for the path of something that exists."""

    def __init__(self, placeholder: str) -> None:
        super().__init__(placeholder=placeholder, id="path", suggester=Existing(use_cache=False, case_sensitive=True))


def is_there(path: str) -> bool:
    """Whether something on the disk has this path."""
    try:
        return expanded(path.strip()).exists()
    except (OSError, ValueError, BadInput):
        return False


class Existing(Suggester):
    """Suggests the first file or folder, by name, that a path may mean."""

    async def get_suggestion(self, value: str) -> str | None:
        """The path as it was typed, with the rest of the name; None where there is no such file."""
        folder, _, begun = value.rpartition("/")
        if not begun:
            return None
        try:
            with os.scandir(expanded(f"{folder}/") if "/" in value else Path()) as found:
                names = [f"{one.name}/" if one.is_dir() else one.name for one in found if one.name.startswith(begun)]
        except (OSError, BadInput):
            return None
        return f"{value[: len(value) - len(begun)]}{min(names)}" if names else None
