"""Every key can be another one: by the id of its binding, and an id that nothing has is refused with the nearest."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Iterator, Mapping

from textual.binding import Binding
from textual.dom import DOMNode

from store.errors import BadInput


def known() -> dict[str, str]:
    """Binding id to what its key does; imports every screen, so it is asked only where keys are remapped."""
    return dict(_ids())


def _ids() -> Iterator[tuple[str, str]]:
    from app.app import ErstwhileApp

    classes: list[type[DOMNode]] = [ErstwhileApp]
    for package in ("app.screens", "widgets"):
        for found in pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}."):
            inside = vars(importlib.import_module(found.name)).values()
            classes += [one for one in inside if isinstance(one, type) and issubclass(one, DOMNode)]
    for one in classes:
        for binding in vars(one).get("BINDINGS", ()):
            if isinstance(binding, Binding) and binding.id:
                yield binding.id, binding.description


def refuse_unknown(keys: Mapping[str, str], where: str) -> None:
    """Raises BadInput for the first id that no binding has."""
    if not keys:
        return
    ids = known()
    for one in keys:
        if one not in ids:
            close = difflib.get_close_matches(one, ids, 1, 0.5)
            hint = f"; did you mean {close[0]}" if close else ""
            raise BadInput(f"{where}: [keys] has no {one}{hint}. f1 in the app shows what keys do.")
