"""Whatever shows a belief offers the same keys for it: put right, take back, pin, settle, erase, and undo.

A key is offered only where it would do something to the belief that is pointed at.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from app.core import deeds
from app.core.deeds import Radius
from app.tui.screens.base import FramedScreen
from app.tui.screens.dialogs import Dialog
from app.tui.services import Services
from store.errors import BadInput, ErstwhileError
from store.records import Fact, Operation, Stretch
from store.time.wording import describe
from widgets.choices import Choices
from widgets.fact_rows import Subject
from widgets.look import NEVER, QUIET, lines
from widgets.plain import one_line, plain
from widgets.wording import about, at_hour, is_one_point, since, value

if TYPE_CHECKING:
    from store.memory import Memory

_DEEDS = frozenset(["correct", "retract", "restore", "pin", "unpin", "settle"])


def doing(deed: Callable[[Fact], deeds.Deed]) -> Callable[[BeliefScreen], None]:
    """An action that does this to the belief that is pointed at."""

    def action(screen: BeliefScreen) -> None:
        if isinstance(screen.pointed, Fact):
            screen.by_hand(deed(screen.pointed), screen.pointed)

    return action


class BeliefScreen(FramedScreen):
    """A screen with a list of beliefs."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "correct", "correct", id="belief.correct"),
        Binding("r", "retract", "take back", id="belief.retract"),
        Binding("r", "restore", "bring back", id="belief.restore"),
        Binding("p", "pin", "pin", id="belief.pin"),
        Binding("p", "unpin", "unpin", id="belief.unpin"),
        Binding("s", "settle", "settle", id="belief.settle"),
        Binding("y", "confirm", "it is so", id="belief.confirm", priority=True),
        Binding("u", "undo", "undo", id="belief.undo"),
        Binding("x", "erase", "erase", id="belief.erase"),
    ]

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.choices = Choices(id="marked")
        self.last_deed: Operation | None = None
        """What `undo` would take back."""

    @property
    def main(self) -> Choices:
        return self.choices

    @property
    def pointed(self) -> object:
        """The record that the keys are about."""
        return self.choices.pointed

    def refetch(self) -> None:
        """Also what was done last."""
        assert self.JOB is not None
        self.reading()
        self.ask(self.JOB, lambda memory: (deeds.latest(memory), self.fetch(memory)), self._came)

    def _came(self, read: tuple[Operation | None, Any]) -> None:
        self.last_deed, known = read
        self.fetched(known)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what would do something."""
        fact = self.pointed if isinstance(self.pointed, Fact) else None
        held = fact is not None and fact.believed_to is None
        if action == "confirm":  # elsewhere the key copies, or is a letter
            return fact is not None and fact.unsure and held and self.choices.has_focus
        if fact is not None and fact.unsure and action not in ("undo", "erase"):
            return (held and action in ("correct", "retract")) or action not in _DEEDS
        match action:
            case "undo":
                return self.last_deed is not None and not self.services.erased
            case "correct" | "retract":
                return held
            case "restore":
                return fact is not None and not held
            case "pin":
                return fact is not None and held and not fact.pinned
            case "unpin":
                return fact is not None and fact.pinned
            case "settle":
                return fact is not None and held and fact.disputed
            case "erase":
                return self.erasing() is not None
        return True

    def on_key(self, event: events.Key) -> None:
        """A key that would do nothing to what is marked says why."""
        mine = self.services.settings.keymap
        actions = [
            one.action
            for one in BeliefScreen.BINDINGS
            if isinstance(one, Binding) and event.key in mine.get(one.id or "", one.key).split(",")
        ]
        copies = actions == ["confirm"]  # the list itself has that key, for what is sure
        if actions and not copies and self.choices.has_focus and not any(self.check_action(one, ()) for one in actions):
            event.stop()
            self.flash(_why_not(actions[0], self.pointed), bad=True)

    def action_correct(self) -> None:
        if isinstance(self.pointed, Fact):
            ask_what_is_right(self, self.pointed, self.pointed)

    action_retract = doing(deeds.retract)
    action_restore = doing(deeds.restore)
    action_pin = doing(deeds.pin)
    action_unpin = doing(partial(deeds.pin, off=True))
    action_settle = doing(deeds.settle)
    action_confirm = doing(deeds.confirm)

    def action_undo(self) -> None:
        self.by_hand(deeds.undo)

    def erasing(self) -> Callable[[Memory], Radius] | None:
        """Counts what an erase would take, here."""
        return deeds.radius_of_fact(self.pointed) if isinstance(self.pointed, Fact) else None


def _why_not(action: str, fact: object) -> str:
    """Why this cannot be done to what is marked."""
    if action == "undo":
        return "Nothing that was done by hand is left to undo."
    if not isinstance(fact, Fact):
        heading = isinstance(fact, Subject)
        return "That is a heading: mark one of the beliefs below it first." if heading else "No belief is marked."
    if fact.unsure and fact.believed_to is not None:
        return "You said that this is not so: u takes that back."
    if fact.unsure:
        return "That is not sure yet: y says that it is so, r that it is not."
    if action == "settle":
        return "That is not in dispute, so there is nothing to settle."
    return "That is not believed any more: r brings it back."


@dataclass(frozen=True, slots=True)
class Correction:
    """What is right instead."""

    value: str
    since: Stretch | None = None
    """From when on; None: for the time of what was wrong."""
    whom: str = ""
    """Whom it is about; empty: whom it was said of."""


_ENDS = re.compile(r"(?i)(?:until|till|up to|ended|ends|no longer)\b")
"""What says when something ended, and not since when it is so."""


class CorrectDialog(Dialog[Correction]):
    """Asks what is right, and since when, or of what takes place when, if that was wrong, too; and of whom."""

    def __init__(self, fact: Fact, parse: Callable[[str], Stretch]) -> None:
        super().__init__()
        self.fact, self._parse = fact, parse
        self._once = is_one_point(fact)

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static(lines("What is right?"), classes="title", markup=False)
            wrong, when = (value(self.fact), "bold"), (f"  {since(self.fact)}{at_hour(self.fact)}", QUIET)
            yield Static(lines((f"{about(self.fact)} ", QUIET), wrong, when), markup=False)
            yield Input(value=one_line(self.fact.object), placeholder="the right value", id="right")
            asked = "when it is" if self._once else "since when it is so"
            yield Input(placeholder=f"leave empty, or type {asked} instead", id="since")
            yield Input(placeholder="leave empty, or type whom else it is about", id="whom")
            yield Static("", id="reading", markup=False)

    def on_mount(self) -> None:
        self._read()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._read()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if (right := self._read()) is not None:
            self.dismiss(right)

    def _read(self) -> Correction | None:
        """What stands in the fields, said back; None while it would change nothing or cannot be read."""
        right, when, whom = (plain(field.value).strip() for field in self.query(Input))
        whom = "me" if whom.casefold() in ("me", "i", "you", "myself") else whom
        whom = "" if whom.casefold() == self.fact.subject.casefold() else whom
        since: Stretch | None = None
        said, correction = lines(("enter corrects, tab goes to the next field, esc leaves it", QUIET)), None
        try:
            if _ENDS.match(when):
                raise BadInput("That is when it ended, which the chat takes: “I lived there until 24 November”.")
            since = self._parse(when) if when else None
        except ErstwhileError as error:
            said = lines((str(error), NEVER))
        else:
            if right and (right != one_line(self.fact.object) or since is not None or whom):
                correction = Correction(right, since, whom)
            if since is not None:
                said = lines(("→ ", "$success"), describe(since if self._once else replace(since, end=None)))
        self.query_one("#reading", Static).update(said)
        return correction


def ask_what_is_right(screen: FramedScreen, fact: Fact, to: object) -> None:
    """Ask for what is right in the place of a belief, and correct it; `to` is what `hand_done` is told then."""

    def correct(right: Correction | None) -> None:
        if right is not None:
            screen.by_hand(deeds.correct(fact, right.value, right.since, right.whom), to)

    screen.app.push_screen(CorrectDialog(fact, partial(screen.services.parse_when, ahead=fact.ahead)), correct)
