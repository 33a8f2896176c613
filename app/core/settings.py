"""Settings are a TOML file that people may write; a key that is not known is refused, with the nearest that is.

Each is described once, in OPTIONS: what the file may say, what may be typed, how a value is shown, and the table of
app/README.md follow from that. A new one is a row there, and where the app uses it: a field of Rules for [sleep], of
ModelOptions for how a model speaks, else of Settings. A flag wins over the environment, the environment over the file,
the file over the default. The file is changed one line at a time: what a person wrote in it stays, and an edit that
would not be read back as it was meant is refused, with the file as it was.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from app.paths import checkout_models_dir, config_dir, data_dir, expanded, replace_file
from store.errors import BadInput
from store.records import ModelOptions
from store.sleep.schedule import Rules
from widgets.plain import plain

if TYPE_CHECKING:
    from app.llm.find import ModelFile
    from store.episodes.embedding import StaticEmbedder

Value = bool | int | float | str
Tables = Mapping[str, Mapping[str, Any]]  # a settings file: the name of each table, and what stands in it
Kind = Literal["choice", "switch", "number", "whole", "share", "text", "file", "folder"]
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


class Chosen(NamedTuple):
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
            path = expanded(words)
            if not (path.is_dir() if option.kind == "folder" else path.is_file()):
                raise BadInput(f"There is no {option.kind} {path}.")
            return words
        case "choice":
            value = words.casefold()
        case "switch":
            value = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}.get(
                words.casefold()
            )
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


FILE = "settings.toml"
_KNOWN = {one.table: [other.key for other in OPTIONS if other.table == one.table] for one in (*OPTIONS, A_KEY)}


@dataclass(frozen=True, slots=True)
class Settings:
    """How the interface behaves; what the settings file may say about it."""

    sleep: Rules = field(default_factory=Rules)  # when the memory sleeps though nobody asked
    theme: str = held({}, "look", "theme")
    idle_seconds: float = held({}, "sleep", "after_seconds")  # of quiet until the memory sleeps; 0 never
    model_invents: bool | None = None  # too small to be asked about the person; None: its size tells
    max_tokens: int = 512  # of a reply, where nobody says otherwise
    speaking: ModelOptions = field(default_factory=ModelOptions)  # where a conversation says nothing else
    keymap: Mapping[str, str] = field(default_factory=dict)  # binding id to keys, as Textual's set_keymap takes it
    off_the_record: bool = held({}, "chat", "off_the_record")  # the first chat is off the record
    model_reads: bool = held({}, "model", "reads")  # in a sleep it checks what is unsure, if it passed for that
    tables: Tables = field(default_factory=dict)  # the settings file itself

    @property
    def rules(self) -> Rules:
        """When the memory sleeps by itself; the timer of the seconds of quiet may be early by some milliseconds."""
        return replace(self.sleep, after_seconds=self.idle_seconds * 0.95)


def read(folder: Path | None = None) -> Settings:
    """The settings file in `folder`; without one, all defaults. Raises BadInput for what it does not know."""
    path = (folder or config_dir()) / FILE
    return parse(read_text(path), str(path))


def read_text(path: Path) -> str:
    """What stands in the file; empty where there is none. Raises BadInput."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (UnicodeDecodeError, OSError) as error:
        raise BadInput(f"{path} cannot be read: {error}. Mend it, or move it away.") from error


RETIRED = (("sleep", "tidy"),)
"""Settings that are no more, and are let stand in a file."""


def parse(text: str, where: str) -> Settings:
    """What a settings file says; `where` names it. Raises BadInput for what is not known, or cannot be."""
    tables = load(text, where)
    for table, key in RETIRED:  # an older Erstwhile wrote it
        if isinstance(values := tables.get(table), dict):
            values.pop(key, None)
    for table, values in tables.items():
        if table not in _KNOWN or not isinstance(values, dict):
            raise BadInput(f"{where}: there is no [{table}]{_near(table, list(_KNOWN))}.")
        for key, value in values.items():
            option = A_KEY if table == A_KEY.table else BY_NAME.get((table, key))
            if option is None:
                raise BadInput(f"{where}: [{table}] has no {key}{_near(key, _KNOWN[table])}.")
            if not fits(option, value):
                raise BadInput(f"{where}: [{table}] {key} cannot be {value!r}; it is {takes(option)}.")
    model = tables.get("model", {})
    return Settings(
        theme=held(tables, "look", "theme"), idle_seconds=held(tables, "sleep", "after_seconds"),
        sleep=Rules(**tables.get("sleep", {})), model_reads=held(tables, "model", "reads"),
        speaking=ModelOptions(**{one.key: model.get(one.key) for one in SPEAKING}), keymap=tables.get("keys", {}),
        off_the_record=held(tables, "chat", "off_the_record"), tables=tables,
    )  # fmt: skip


def _near(word: str, known: list[str]) -> str:
    close = difflib.get_close_matches(word, known, 1, 0.5)
    return f"; did you mean {close[0]}" if close else f"; known are {', '.join(known)}"


def load(text: str, where: str) -> dict[str, Any]:
    """A TOML file, unchecked. Raises BadInput where it is none."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{where} cannot be read: {error}. Mend it, or move it away.") from error


def chosen_path(option: Option, folder: Path | None = None) -> Path | None:
    """The path that the environment names, else the settings file in `folder`; None where neither does."""
    given = os.environ.get(option.variable) or read(folder).tables.get(option.table, {}).get(option.key)
    return expanded(given) if given else None


def found_models() -> list[ModelFile]:
    """Every model of this machine. Looks at many folders."""
    from app.llm.find import default_places, find

    return list(find(default_places(data_dir(), checkout=checkout_models_dir())))


def chosen_model(found: Sequence[ModelFile] | None = None) -> ModelFile | None:
    """The model to use: $ERSTWHILE_MODEL, else the settings' path, else the first usable one that was found."""
    found = found_models() if found is None else found
    wanted = chosen_path(MODEL)
    if wanted is None:
        return next((one for one in found if one.usable), None)
    from app.llm.find import examine

    known = next((one for one in found if one.path == wanted or one.path.resolve() == wanted.resolve()), None)
    return known or examine(wanted)


def chosen_embedder() -> StaticEmbedder:
    """The embedder: $ERSTWHILE_EMBEDDER, the settings', or that which ships. Raises EmbedderUnavailable."""
    from store.episodes.embedding import StaticEmbedder

    return StaticEmbedder.load(chosen_path(EMBEDDER))


_ENTRY = re.compile(
    r"""\s*(?P<key>"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)\s*="""
    r"""(?:\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^"'#]+?)(?P<comment>\s*#.*)$)?"""
)


def write(folder: Path, table: str, key: str, value: Value | None) -> Path:
    """Set a key of the settings file in `folder`, or take it out (None). Raises BadInput where the outcome would not be
    a settings file, or could not be written.
    """
    target = folder / FILE
    after = edited(read_text(target), table, key, value, str(target))
    parse(after, str(target))
    return replaced(target, after)


def remember_model(path: Path, folder: Path) -> Path:
    """Write the model's path into the settings file, and leave the rest of the file as it is. Raises BadInput."""
    return write(folder, MODEL.table, MODEL.key, str(path))


def replaced(path: Path, text: str) -> Path:
    """Put the whole text in place of the file at once, readable by its owner alone. Raises BadInput."""
    try:
        replace_file(path, text)
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error}.") from error
    return path


def edited(text: str, table: str, key: str, value: Value | None, where: str = FILE) -> str:
    """The text with that one entry changed. Raises BadInput where it is written in a way that this cannot edit."""
    wanted = load(text, where)
    inside = wanted.setdefault(table, {})
    if isinstance(inside, dict):
        inside.pop(key, None)
        inside |= {} if value is None else {key: value}
    name = key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _toml(key)
    after = _with_entry(text, table, key, "" if value is None else f"{name} = {_toml(value)}")
    try:
        found = load(after, where)
    except BadInput:
        found = {"": ""}
    # A table that says nothing is as good as none.
    meant, read_back = ({one: said for one, said in tables.items() if said != {}} for tables in (wanted, found))
    if meant != read_back:
        raise BadInput(f"{where}: [{table}] {key} is written in a way that only a text editor can change; do it there.")
    return after


def _with_entry(text: str, table: str, key: str, entry: str) -> str:
    """The text with this line for the key, in its place or at the end of its table; empty takes the old one out."""
    lines = text.removesuffix("\n").split("\n") if text else []
    head = next((n for n, line in enumerate(lines) if line.split("#")[0].strip() == f"[{table}]"), len(lines))
    end = next((n for n in range(head + 1, len(lines)) if lines[n].lstrip().startswith("[")), len(lines))
    entries = {n: found for n in range(head + 1, end) if (found := _ENTRY.match(lines[n]))}
    place = next((n for n, found in entries.items() if found["key"].strip("\"'") == key), None)
    if place is not None:
        lines[place : place + 1] = [entry + (entries[place]["comment"] or "")] if entry else []
    elif entry and head < len(lines):
        lines.insert(max(entries, default=head) + 1, entry)
    elif entry:
        lines += [*([""] if lines and lines[-1].strip() else []), f"[{table}]", entry]
    return "\n".join(lines) + "\n" if lines else ""


def _toml(value: Value) -> str:
    """A value as TOML has it, which is as JSON does, but for one control character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
