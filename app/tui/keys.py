"""Every key can be another one: by the id of its binding; an id that nothing has, and a key that no keyboard sends, are
refused with the nearest.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode
from textual.keys import Keys, _character_to_key  # what names the keys that are pressed; Textual is pinned exactly

from store.errors import BadInput

MODIFIERS = ("ctrl", "shift", "alt", "super", "meta", "hyper")


@dataclass(frozen=True, slots=True)
class KnownKey:
    """One binding."""

    id: str
    what: str
    keys: str
    """As it comes; several with commas between."""
    owner: type[DOMNode]
    """The class that has it."""


def bindings() -> list[KnownKey]:
    """Every binding that has an id, by its id; imports every screen, so it is asked only where keys are looked at."""
    found = {
        binding.id: KnownKey(binding.id, binding.description, binding.key, one)
        for one in classes()
        for binding in vars(one).get("BINDINGS", ())
        if isinstance(binding, Binding) and binding.id
    }
    return [found[name] for name in sorted(found)]


def classes() -> list[type[DOMNode]]:
    """Every screen and widget of ours, and the app."""
    modules = ["app.tui.app"]
    for package in ("app.tui.screens", "widgets"):
        modules += [one.name for one in pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}.")]
    inside = [one for module in modules for one in vars(importlib.import_module(module)).values()]
    found = dict.fromkeys(one for one in inside if isinstance(one, type) and issubclass(one, DOMNode))
    return [one for one in found if one.__module__.startswith(("app.", "widgets."))]


def refuse_unknown(keys: Mapping[str, str], where: str) -> None:
    """Raises BadInput for the first id that no binding has, or key that is none."""
    ids = [one.id for one in bindings()] if keys else []
    for one, wanted in keys.items():
        if one not in ids:
            raise BadInput(f"{where}: [keys] has no {one}{_hint(one, ids)}. f6 in the app lists them.")
        try:
            named(wanted)
        except BadInput as error:
            raise BadInput(f"{where}: [keys] {one}: {error}") from error


def named(words: str) -> str:
    """Keys as Textual names them ("?" is question_mark), several with commas between. Raises BadInput for what is no
    key.
    """
    return ",".join(_named(one.strip()) for one in words.split(",")) if words != "," else "comma"


def _named(word: str) -> str:
    if not word:
        raise BadInput("Say a key, such as f7, ctrl+y or k; several with commas between.")
    *modifiers, base = word.split("+") if word != "+" else [word]
    base = _character_to_key(base) if len(base) == 1 else base.casefold()
    name = "+".join([*(one.casefold() for one in modifiers), base])
    wrong = next((modifier for modifier in modifiers if modifier.casefold() not in MODIFIERS), None)
    if wrong is not None:
        raise BadInput(f"{wrong!r} is no modifier; there are ctrl, shift and alt.")
    if len(word) > 1 and base not in _names() and name not in _names():
        raise BadInput(f"{word!r} is no key{_hint(name, sorted(_names()))}.")
    return name


@cache
def _names() -> frozenset[str]:
    printed = (_character_to_key(chr(code)) for code in range(33, 127))
    return frozenset([*(str(key.value) for key in Keys), *printed])


def clash(wanted: str, binding: KnownKey, used: Mapping[str, str]) -> KnownKey | None:
    """What already has one of these keys where this binding has its own; `used` are the keys that are not as they come.

    A widget's key and its screen's are asked one after the other, so only those of one class, or of one that it builds
    on, are in each other's way; and those of the app, which are asked before all.
    """
    mine, usual = set(named(wanted).split(",")), set(named(binding.keys).split(","))
    for one in bindings():
        keys = set(named(used.get(one.id, one.keys)).split(","))
        owners = (one.owner, binding.owner)
        meet = issubclass(*owners) or issubclass(*owners[::-1]) or any(issubclass(owner, App) for owner in owners)
        if one.id != binding.id and meet and mine & keys and not keys & usual:
            return one
    return None


def _hint(word: str, names: list[str]) -> str:
    close = difflib.get_close_matches(word, names, 1, 0.5)
    return f"; did you mean {close[0]}" if close else ""
