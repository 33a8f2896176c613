"""Each setting is described once: its name, what it takes, what holds without it, and how a value of it is worded."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Literal

from app.core.behaviour import Settings
from app.core.editing import Value
from app.core.settings import CONTEXT, CONTEXT_LENGTH, HOTTEST, REPLY, THEMES, FileSettings
from app.paths import expanded
from store.errors import BadInput
from store.sleep.schedule import Rules
from widgets.plain import plain

Kind = Literal[
    "theme", "switch", "seconds", "count", "share", "model", "folder", "text", "temperature", "context", "reply"
]
ON, OFF = ("yes", "true", "on"), ("no", "false", "off")
LONGEST = 7 * 24 * 3600
"""Seconds of quiet; more is a slip."""
NOTHING = {
    "model": "the first that is found", "folder": "the one that ships", "text": "a friendly companion",
    "temperature": "as its size allows", "reply": "as its size allows",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Option:
    """One setting of the file."""

    table: str
    key: str
    name: str
    explained: str
    kind: Kind
    usual: Value | None = None
    """What holds without it; None: nothing is chosen."""
    variable: str = ""
    """The environment variable that wins over the file."""
    later: bool = False
    """It holds from the next start on."""


OPTIONS: tuple[Option, ...] = (
    Option("look", "theme", "theme", "dark, light, or one of Textual's", "theme", Settings().theme),
    Option("chat", "off_the_record", "begins off the record", "the first chat is not written down", "switch",
           Settings().off_the_record, later=True),
    Option("sleep", "after_seconds", "sleeps when quiet for", "seconds without a key; 0 is never", "seconds",
           Settings().idle_seconds),
    Option("sleep", "every_sessions", "sleeps when there wait", "conversations that are new; 0 is never", "count",
           Rules().every_sessions),
    Option("sleep", "at_exit", "sleeps before it ends", "reads what is new when you leave", "switch",
           Rules().at_exit),
    Option("sleep", "least_charge", "on battery, only above", "per cent of charge; 0 is always", "share",
           Rules().least_charge),
    Option("sleep", "tidy", "keeps units too", "gathers exchanges, splits and merges; takes long", "switch",
           Rules().tidy),
    Option("model", "path", "model", "a GGUF file; enter lists them", "model", None, "ERSTWHILE_MODEL"),
    Option("model", "reads", "model checks too", "what is unsure, in sleep, if it passed", "switch",
           Settings().model_reads),
    Option("model", "system", "system prompt", "who the model is to be", "text"),
    Option("model", "temperature", "temperature", "0 is the likeliest words, 2 wild ones", "temperature"),
    Option("model", "context", "context length", "tokens that the model reads at most", "context", CONTEXT_LENGTH,
           later=True),
    Option("model", "reply", "reply length", "tokens of a reply at most", "reply"),
    Option("memory", "embedder", "embedder", "a folder of model2vec", "folder", None, "ERSTWHILE_EMBEDDER",
           later=True),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Chosen:
    """What holds for one setting."""

    option: Option
    value: Value | None
    origin: str
    """Who says so: the file, the environment, or "as it comes"."""
    given: bool
    """It stands in the file."""

    @property
    def words(self) -> str:
        """The value as one reads it."""
        return worded(self.option, self.value)


def chosen(given: FileSettings) -> list[Chosen]:
    """Every setting, as it holds with this file."""
    return [_chosen(option, given.tables.get(option.table, {})) for option in OPTIONS]


def _chosen(option: Option, table: dict[str, Value]) -> Chosen:
    said = os.environ.get(option.variable) if option.variable else None
    found = table.get(option.key)
    if said:
        return Chosen(option, said, "the environment", found is not None)
    if found is None:
        return Chosen(option, option.usual, "as it comes", False)
    return Chosen(option, found, "the file", True)


def worded(option: Option, value: Value | None) -> str:
    """A value as one reads it."""
    if value is None or value == "":
        return NOTHING.get(option.kind, "")
    if option.kind == "switch":
        return "yes" if value else "no"
    if option.kind in ("seconds", "count") and not value:
        return "never"
    if option.kind == "share" and isinstance(value, int | float):
        return f"{value:.0%}" if value else "always"
    ending = {"seconds": " s", "count": " conversations", "context": " tokens", "reply": " tokens"}.get(option.kind, "")
    return f"{value:g}{ending}" if isinstance(value, float) else f"{value}{ending}"


def typed(option: Option, value: Value | None) -> str:
    """A value as one types it."""
    if option.kind == "share" and isinstance(value, int | float):
        return f"{value * 100:g}"
    return worded(option, value) if isinstance(value, bool) else "" if value is None else f"{value}"


def taken(option: Option, words: str) -> Value | None:
    """What was typed, as the file has it; None: as it comes. Raises BadInput, with what would do."""
    words = plain(words).strip()
    if not words:
        return None
    match option.kind:
        case "theme" | "switch":
            return _one_of(option, words.casefold())
        case "model" | "folder":
            return _there(words, wanted=option.kind)
        case "share":
            return _number(words.removesuffix("%"), 100, "per cent") / 100
        case "text":
            return words
        case "temperature":
            return _temperature(words)
        case "context" | "reply":
            return _tokens(words.removesuffix("tokens").strip(), *(CONTEXT if option.kind == "context" else REPLY))
        case "count":
            return int(_number(words, 1000, "conversations", whole=True))
        case "seconds":
            number = _number(words.removesuffix("s"), LONGEST, "seconds")
            return int(number) if number.is_integer() else number


def turned(chosen: Chosen) -> Value | None:
    """The other value of a setting that has two; None where it has more."""
    if chosen.option.kind == "switch":
        return not chosen.value
    if chosen.option.kind == "theme":
        return THEMES[(THEMES.index(str(chosen.value)) + 1) % len(THEMES)]
    return None


def _one_of(option: Option, words: str) -> Value:
    if option.kind == "theme" and words in THEMES:
        return words
    if option.kind == "switch" and words in (*ON, *OFF):
        return words in ON
    many = THEMES if option.kind == "theme" else ("yes", "no")
    raise BadInput(f"Say {', '.join(many[:-1])} or {many[-1]}.")


def _number(words: str, most: int, of_what: str, *, whole: bool = False) -> float:
    """A number of so many at most. Raises BadInput."""
    try:
        number = float(words)
    except ValueError:
        raise BadInput(f"Say a number of {of_what}, such as {'3' if whole else '60'}.") from None
    if not 0 <= number <= most or (whole and not number.is_integer()):
        raise BadInput(f"Say a {'whole ' if whole else ''}number of {of_what} from 0 to {most:,}.")
    return number


def _temperature(words: str) -> float:
    """Raises BadInput."""
    try:
        number = float(words)
    except ValueError:
        number = -1.0
    if not 0 <= number <= HOTTEST:
        raise BadInput(f"Say a number from 0 to {HOTTEST:g}, such as 0.4.")
    return number


def _tokens(words: str, least: int, most: int) -> int:
    """A number of tokens. Raises BadInput."""
    number = int(words.replace(",", "")) if words.replace(",", "").isdecimal() else 0
    if not least <= number <= most:
        raise BadInput(f"Say a whole number of tokens from {least:,} to {most:,}.")
    return number


def _there(words: str, *, wanted: Kind) -> str:
    """A path that leads somewhere. Raises BadInput."""
    path = expanded(words)
    if not (path.is_dir() if wanted == "folder" else path.is_file()):
        raise BadInput(f"There is no {'folder' if wanted == 'folder' else 'file'} {path}.")
    return words
