"""What is changed here stands in the settings file at once, and holds at once; a value that will not do is refused with
what would.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from app import paths
from app.core import settings
from app.core.settings import Chosen, Settings
from app.tui import keys
from app.tui.keys import KnownKey
from app.tui.screens.base import FilteringScreen
from app.tui.screens.dialogs import AskDialog
from app.tui.services import Services, SettingsWritten
from store.errors import BadInput, ErstwhileError
from widgets.choices import Choices, Row, heading
from widgets.filter_line import FilterLine
from widgets.look import NEVER, NOW, QUIET, lines, stacked
from widgets.plain import one_line
from widgets.setting_rows import setting_line
from widgets.wording import count


@dataclass(frozen=True, slots=True)
class KeyChosen:
    """The keys that hold for one binding."""

    binding: KnownKey
    keys: str
    given: bool


class SettingsScreen(FilteringScreen):
    """All that the settings file may say."""

    PLACE = "settings"
    DEFAULT_CSS = """
    SettingsScreen #settings-head { height: auto; padding: 1 2 0 2; }
    SettingsScreen Choices { height: 1fr; padding: 1 1 0 1; }
    SettingsScreen #settings-told { height: auto; max-height: 3; padding: 0 2; color: $quiet; background: $panel; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "change", "change", key_display="enter", id="settings.change"),
        Binding("r", "reset", "as it comes", id="settings.reset"),
        Binding("u", "undo", "undo", id="settings.undo"),
        Binding("slash", "filter", "filter", id="settings.filter"),
        Binding("p", "app.profiles", "profiles", id="settings.profiles"),
        Binding("escape", "leave", "back", id="settings.back"),
    ]
    HELP = """
    ### Settings
    ● was chosen, and stands in the settings file; ○ is as it comes. `enter` changes what is marked: yes and no turn
    over, themes are listed, for others you are asked. `r` takes it out of the file, `u` takes the last change back, `/`
    filters. Below the settings stand all keys by the name of what they do. The rest of the file, your comments too,
    stays. `p` goes to another profile: another memory, with the same settings.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._given = Settings()
        self._problem = ""
        self._befores: list[str] = []
        """What the file was before each change."""
        self._bindings_known = keys.bindings()
        self._path = paths.config_dir() / settings.FILE

    def body(self) -> ComposeResult:
        yield Static("", id="settings-head", markup=False)
        yield FilterLine(placeholder="filter: words of a setting or of a key; enter keeps, esc clears", id="filter")
        yield Choices(id="settings", opens=False)
        yield Static("", id="settings-told", markup=False)

    def refetch(self) -> None:
        """The file as it is now; where it cannot be read, what holds without it, and why."""
        try:
            self._given, self._problem = settings.read(), ""
        except ErstwhileError as error:
            self._given, self._problem = Settings(), str(error)
        self.draw()

    def draw(self) -> None:
        choices = self.query_one(Choices)
        width = max(30, choices.size.width - 4)
        state = "" if self._path.exists() else "  not there yet"
        head = lines((one_line(str(self._path)), "bold"), (state, QUIET)).truncate(width, ellipsis=True)
        legend = lines(("● ", NOW), ("chosen  ", QUIET), ("○ as it comes", QUIET))
        below = lines(("✗ ", NEVER), self._problem) if self._problem else legend
        self.query_one("#settings-head", Static).update(stacked([head, below]))
        rows = self._rows(width) or [Row(lines(("Nothing matches; esc clears the words.", QUIET)))]
        choices.show_rows(rows, choices.highlighted)
        self.refresh_bindings()

    def _rows(self, width: int) -> list[Row]:
        rows: list[Row] = []
        wanted = [
            one for one in settings.chosen(self._given.tables) if self._matches(one.option.name, one.option.explained)
        ]
        for table, inside in groupby(wanted, key=lambda one: one.option.table):
            rows.append(heading(table.upper(), gap=bool(rows)))
            for one in inside:
                shown = setting_line(one.option.name, one.words, _explained(one), given=one.given, width=width)
                rows.append(Row(shown, one))
        mine = self._given.keymap
        bound = [KeyChosen(one, mine.get(one.id, one.keys), one.id in mine) for one in self._bindings_known]
        bound = [one for one in bound if self._matches(one.binding.id, one.binding.what, one.keys)]
        if bound:
            rows.append(heading("KEYS", f"{count(len(mine), 'key')} of your own" if mine else "", gap=True))
        for key in bound:
            binding = key.binding
            shown = setting_line(binding.id, self._shown(key.keys), binding.what, given=key.given, width=width)
            rows.append(Row(shown, key))
        return rows

    def _shown(self, named: str) -> str:
        """Keys as the rest of the interface shows them."""
        return " ".join(self.app.get_key_display(Binding(one, "", "")) for one in named.split(","))

    def _matches(self, *texts: str) -> bool:
        text = " ".join(texts).casefold()
        return all(word in text for word in self.typed.casefold().split())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("reset", "change"):
            marked = self.query_one(Choices).pointed if self.is_mounted else None
            return isinstance(marked, Chosen | KeyChosen) and (action == "change" or marked.given)
        return bool(self._befores) if action == "undo" else True

    def on_choices_pointed(self, event: Choices.Pointed) -> None:
        """What is marked is told in full: a row has not always room for it."""
        record, told = event.record, ""
        if isinstance(record, Chosen):
            told = _explained(record)
        elif isinstance(record, KeyChosen):
            told = f"{record.binding.id}: {record.binding.what}"
        self.query_one("#settings-told", Static).update(lines(one_line(told)))

    def action_change(self) -> None:
        self.query_one(Choices).action_select()

    def chosen(self, choices: Choices, record: object) -> None:
        match record:
            case Chosen() if record.option is settings.MODEL:
                self.app.call_later(self.app.run_action, "models")
            case Chosen(option=option) if option.choices:
                values = [(one, partial(self._write, option.table, option.key, one)) for one in option.choices]
                self.app.search_commands(values, option.name)
            case Chosen(option=option) if option.kind == "switch":
                self._write(option.table, option.key, not record.value)
            case Chosen():
                self._ask(record)
            case KeyChosen():
                self._ask_key(record)

    def _ask(self, one: Chosen) -> None:
        option = one.option
        dialog = ValueDialog(option.name, option.explained, settings.typed(option, one.value),
                             lambda words: settings.worded(option, settings.taken(option, words)))  # fmt: skip
        self.ask_in(dialog, lambda words: self._write(option.table, option.key, settings.taken(option, words)))

    def _ask_key(self, one: KeyChosen) -> None:
        binding = one.binding

        def check(words: str) -> str:
            """The keys as they are shown. Raises BadInput where they would not do."""
            if not words:
                return self._shown(binding.keys)
            if (other := keys.clash(words, binding, self._given.keymap)) is not None:
                raise BadInput(f"That key does something there already: {other.what} ({other.id}).")
            return self._shown(keys.named(words))

        hint = "f7, ctrl+y, K or ?; several with commas between"
        dialog = ValueDialog(f"Which keys for: {binding.what}?", hint, one.keys, check)
        self.ask_in(dialog, lambda words: self._write("keys", binding.id, keys.named(words) if words else None))

    def action_reset(self) -> None:
        match self.query_one(Choices).pointed:
            case Chosen(option=option):
                self._write(option.table, option.key, None)
            case KeyChosen(binding=binding):
                self._write("keys", binding.id, None)

    def action_undo(self) -> None:
        self._try(lambda: settings.replaced(self._path, self._befores.pop()), "Taken back")

    def _write(self, table: str, key: str, value: settings.Value | None) -> None:
        def write() -> None:
            before = settings.read_text(self._path)
            settings.write(self._path.parent, table, key, value)
            self._befores.append(before)

        self._try(write, f"Written: {key.replace('_', ' ') if table != 'keys' else key}")

    def _try(self, change: Callable[[], object], said: str) -> None:
        """Change the file; what it says then holds at once."""
        try:
            change()
        except ErstwhileError as error:
            self.flash(str(error), bad=True)
        else:
            self.refetch()
            self.post_message(SettingsWritten(self._given))
            self.flash(said)

    def settings_changed(self) -> None:
        self.refetch()


def _explained(one: Chosen) -> str:
    """What a setting does, when that begins, or why it does nothing here."""
    if one.origin == "the environment":
        return f"{one.option.variable} in the environment wins"
    return one.option.explained + (" · at the next start" if one.option.later else "")


class ValueDialog(AskDialog[str]):
    """Asks for a value, and says at once how it is read. Dismisses with the words; empty is as it comes."""

    def __init__(self, title: str, hint: str, value: str, check: Callable[[str], str]) -> None:
        hint = f"{hint}\nenter keeps it, empty is as it comes, esc leaves it"
        super().__init__(title, hint, self._checked, say=self._told, value=value, placeholder="as it comes")
        self._check = check

    def _checked(self, words: str) -> str:
        self._check(words)
        return words

    def _told(self, words: str) -> Content:
        return stacked([lines(("→ ", "$success"), self._check(words)), self.hint])
