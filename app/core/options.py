"""Each setting is described once, in OPTIONS: what the file may say, what may be typed, how a value is shown, and the
table of app/README.md follow from that.

A setting that is new is a row here, and where the app uses it: a field of Rules for [sleep], of ModelOptions for how a
model speaks, else of Settings (app/core/settings.py).
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from app.paths import expanded
from store.errors import BadInput
from store.records import ModelOptions
from store.sleep.schedule import Rules
from widgets.plain import plain

Value = bool | int | float | str
Tables = Mapping[str, Mapping[str, Any]]  # a settings file: the name of each table, and what stands in it
Kind = Literal["choice", "switch", "number", "whole", "share", "text", "file", "folder"]
SAID = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
SHORT = {"seconds": "s", "per cent": "%"}  # units that have a sign
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")
CONTEXT_LENGTH = 4096  # tokens that a model reads, where nobody says otherwise
THEMES = (
    "dark", "light", "textual-dark", "textual-light", "nord", "gruvbox", "catppuccin-mocha", "dracula", "tokyo-night",
    "monokai", "flexoki", "catppuccin-latte", "catppuccin-frappe", "catppuccin-macchiato", "solarized-light",
    "solarized-dark", "rose-pine", "rose-pine-moon", "rose-pine-dawn", "atom-one-dark", "atom-one-light",
)  # fmt: skip
"""Ours and Textual's own, by name: what reads the settings does not import Textual."""


@dataclass(frozen=True, slots=True)
class Option:
    """One setting of the file."""

    table: str
    key: str
    name: str  # what the screens call it
    explained: str  # what it does, in one sentence that goes on from the name
    kind: Kind
    usual: Value | None = None  # what holds without it; None: nothing is chosen
    nothing: str = ""  # what holds where nothing is chosen, in words
    zero: str = ""  # what 0 means, in a word
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 0  # of a number, as the file has it
    unit: str = ""
    example: str = ""  # a number that one might type
    variable: str = ""  # the environment variable that wins over the file
    later: bool = False  # it holds from the next start on


_RULES = Rules()
MODEL = Option("model", "path", "model", "a GGUF file; enter lists them", "file",
               nothing="the first that is found", variable="ERSTWHILE_MODEL")  # fmt: skip
EMBEDDER = Option("memory", "embedder", "embedder", "a folder of model2vec", "folder",
                  nothing="the one that ships", variable="ERSTWHILE_EMBEDDER", later=True)  # fmt: skip
OPTIONS: tuple[Option, ...] = (
    Option("look", "theme", "theme", "dark, light, or one of Textual's", "choice", "dark", choices=THEMES),
    Option("chat", "off_the_record", "begins off the record", "the first chat is not written down", "switch", False,
           later=True),
    Option("sleep", "after_seconds", "sleeps when quiet for", "seconds without a key; 0 is never", "number",
           _RULES.after_seconds, zero="never", most=7 * 24 * 3600, unit="seconds", example="60"),
    Option("sleep", "every_sessions", "sleeps when there wait", "conversations that are new; 0 is never", "whole",
           _RULES.every_sessions, zero="never", most=1000, unit="conversations", example="3"),
    Option("sleep", "at_exit", "sleeps before it ends", "reads what is new when you leave", "switch", _RULES.at_exit),
    Option("sleep", "least_charge", "on battery, only above", "per cent of charge; 0 is always", "share",
           _RULES.least_charge, zero="always", most=1, unit="per cent", example="60"),
    Option("sleep", "tidy", "keeps units too", "gathers exchanges, splits and merges; takes long", "switch",
           _RULES.tidy),
    MODEL,
    Option("model", "reads", "model checks too", "what is unsure, in sleep, if it passed", "switch", False),
    Option("model", "system", "system prompt", "who the model is to be", "text", nothing="a friendly companion"),
    Option("model", "temperature", "temperature", "0 is the likeliest words, 2 wild ones", "number",
           nothing="as its size allows", most=2, example="0.4"),
    Option("model", "context", "context length", "tokens that the model reads at most", "whole", CONTEXT_LENGTH,
           least=512, most=1_048_576, unit="tokens", later=True),
    Option("model", "reply", "reply length", "tokens of a reply at most", "whole",
           nothing="as its size allows", least=16, most=32_768, unit="tokens"),
    EMBEDDER,
)  # fmt: skip
BY_NAME = {(one.table, one.key): one for one in OPTIONS}
SPEAKING = [BY_NAME["model", one.name] for one in fields(ModelOptions)]  # what is said of how a model speaks
A_KEY = Option("keys", "", "", "", "text")  # each entry of [keys], by the id of its binding


def held(tables: Tables, table: str, key: str) -> Any:
    """What the file says of a setting, else what holds without it."""
    return tables.get(table, {}).get(key, BY_NAME[table, key].usual)


@dataclass(frozen=True, slots=True)
class Chosen:
    """What holds for one setting."""

    option: Option
    value: Value | None
    origin: str  # who says so: the file, the environment, or "as it comes"
    given: bool  # it stands in the file

    @property
    def words(self) -> str:
        """The value as one reads it."""
        return worded(self.option, self.value)


def chosen(tables: Tables) -> list[Chosen]:
    """Every setting, as it holds with this file."""
    found = []
    for one in OPTIONS:
        said, given = os.environ.get(one.variable), one.key in tables.get(one.table, {})
        origin = "the environment" if said else "the file" if given else "as it comes"
        found.append(Chosen(one, said or held(tables, one.table, one.key), origin, given))
    return found


def worded(option: Option, value: Value | None) -> str:
    """A value as one reads it."""
    if value is None or value == "":
        return option.nothing
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if not value and option.zero:
        return option.zero
    if option.kind == "share":
        return f"{value:.0%}"
    number = f"{value:g}" if isinstance(value, float) else f"{value}"
    return f"{number} {SHORT.get(option.unit, option.unit)}".rstrip()


def typed(option: Option, value: Value | None) -> str:
    """A value as one types it."""
    if option.kind == "share" and isinstance(value, int | float):
        return f"{value * 100:g}"
    return worded(option, value) if isinstance(value, bool) else "" if value is None else f"{value}"


def fits(option: Option, value: Any) -> bool:
    """Whether the file may say this."""
    if option.kind == "choice":
        return value in option.choices
    if option.kind == "switch":
        return isinstance(value, bool)
    if option.kind in ("number", "whole", "share"):
        kinds = (int,) if option.kind == "whole" else (int, float)
        return type(value) in kinds and option.least <= value <= option.most
    return isinstance(value, str)


def takes(option: Option, *, by_hand: bool = False) -> str:
    """What a value may be, in words: in the file, or `by_hand`, as one types it."""
    if option.kind == "choice":
        return f"{', '.join(option.choices[:-1])} or {option.choices[-1]}"
    if option.kind == "switch":
        return "yes or no" if by_hand else "true or false"
    if option.kind in ("text", "file", "folder"):
        return "a text in quotes"
    is_share = option.kind == "share"
    number = "a whole number" if option.kind == "whole" else "a number"
    unit = f" of {option.unit}" if option.unit and (by_hand or not is_share) else ""
    return f"{number}{unit} from {option.least:,} to {option.most * (100 if is_share and by_hand else 1):,}"


def taken(option: Option, words: str) -> Value | None:
    """What was typed, as the file has it; None: as it comes. Raises BadInput, with what would do."""
    words = plain(words).strip()
    if not words:
        return None
    value: Value | None
    match option.kind:
        case "text":
            return words
        case "file" | "folder":
            return _there(words, option.kind)
        case "choice":
            value = words.casefold()
        case "switch":
            value = SAID.get(words.casefold())
        case "number" | "whole" | "share":
            value = _number(option, words)
    if not fits(option, value):
        such_as = f", such as {option.example}" if option.example else ""
        if value is None and such_as and option.unit:
            raise BadInput(f"Say a number of {option.unit}{such_as}.")
        raise BadInput(f"Say {takes(option, by_hand=True)}{'' if option.unit else such_as}.")
    return value


def _number(option: Option, words: str) -> int | float | None:
    """The number that was typed, as the file has it; None where it is none."""
    try:
        number = float(_THOUSANDS.sub("", words.removesuffix(SHORT.get(option.unit, option.unit))))
    except ValueError:
        return None
    if option.kind == "share":
        return number / 100
    return int(number) if number.is_integer() else number


def _there(words: str, wanted: str) -> str:
    """A path that leads somewhere. Raises BadInput."""
    path = expanded(words)
    if not (path.is_dir() if wanted == "folder" else path.is_file()):
        raise BadInput(f"There is no {wanted} {path}.")
    return words
