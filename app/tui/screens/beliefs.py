"""All beliefs stand in one tree: what is typed or toggled narrows it at once, and every key acts on what is marked."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Static

from app.core import deeds
from app.core.deeds import Radius
from app.core.loading import long_read
from app.core.ports import MemoryPort
from app.tui.jobs import Job
from app.tui.messages import HandDone
from app.tui.screens.by_hand import BeliefScreen
from app.tui.services import Services
from store.records import Fact, Operation
from widgets.bars import Flash, KeyLine, TopLine
from widgets.chips import NAMES, Chips
from widgets.choices import Choices
from widgets.details import Details
from widgets.fact_rows import (
    FactTree,
    Found,
    Subject,
    each_value_once,
    fact_details,
    fact_rows,
    in_order,
    subject_details,
)
from widgets.filter_line import FilterLine
from widgets.look import QUIET, holds, is_ahead, lines
from widgets.messages import FactChosen, SubjectChosen
from widgets.plain import plain
from widgets.states import legend
from widgets.wording import count

NOTHING = "Nothing is believed yet.\n\nTell me something in the chat (esc), and it stands here."
FIRST_PAGE = 1000
"""Beliefs that are read, and shown, before the rest of a long list is."""
NOTHING_UNSURE = "Nothing is unsure.\n\n5 goes back to what is believed."
NO_MATCH = "Nothing matches.\n\nesc clears the words; 1 shows what was ever believed; 2, 3 and 4 are filters."


class BeliefsFetched(Message):
    """What is believed, what ever was, and what is unsure, was read; or a first page of it."""

    def __init__(
        self, held: FactTree, ever: FactTree, unsure: FactTree, last: Operation | None, *, more: bool = False
    ) -> None:
        super().__init__()
        self.held, self.ever, self.unsure, self.last, self.more = held, ever, unsure, last, more


class BeliefsScreen(BeliefScreen):
    """Beliefs by whom they are about, with the words that they rest on."""

    DEFAULT_CSS = """
    BeliefsScreen #beliefs-body { height: 1fr; margin: 1 0 0 0; }
    BeliefsScreen Choices { width: 1fr; height: 1fr; }
    BeliefsScreen #details { width: 44; height: 1fr; padding: 0 2; border-left: vkey $rule; }
    BeliefsScreen.-very-wide #details { width: 60; }
    BeliefsScreen.-narrow #beliefs-body, BeliefsScreen.-medium #beliefs-body { layout: vertical; }
    BeliefsScreen.-narrow #details, BeliefsScreen.-medium #details {
        width: 100%; height: 11; border-left: none; border-top: solid $rule;
    }
    BeliefsScreen.-narrow Chips, BeliefsScreen.-medium Chips { padding: 0 1; }
    BeliefsScreen.-narrow Chip, BeliefsScreen.-medium Chip { margin: 0 1 0 0; }
    BeliefsScreen #empty { height: 1fr; content-align: center middle; color: $quiet; display: none; }
    BeliefsScreen.-empty #empty { display: block; }
    BeliefsScreen.-empty #beliefs-body { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("o", "page", "page", id="beliefs.page"),
        Binding("slash", "filter", "filter", id="beliefs.filter"),
        *(
            Binding(str(number), f"chip('{name}')", f"only {name.replace('_', ' ')}" if number > 1 else "now or ever",
                    show=False, id=f"beliefs.{name}")
            for number, name in enumerate(NAMES, 1)
        ),
        Binding("escape", "leave", "back", id="beliefs.back"),
        Binding("ctrl+t", "app.timeline", "timeline", show=False, id="beliefs.timeline"),
        Binding("ctrl+f", "app.search", "search", show=False, id="beliefs.search"),
    ]  # fmt: skip
    HELP = f"""
    ### Beliefs
    What is believed, under whom it is about. `enter` opens a belief's chain, and folds or unfolds a person; `o` opens
    the person's page. `/` filters
    by words; `1` turns from what holds now to all that was ever believed; `2` only pinned, `3` only in dispute, `4`
    only said by you; `5` what was heard and is not sure: `s` says that it is so, `r` that it is not.

    {legend()}   ▪ pinned
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._held = self._ever = self._unsure = FactTree()
        self._found = Found([])
        self._deeds = services.deeds
        self._folded: set[str] = set()
        self._words = ""
        self._read = False
        self._detailed: object = None
        """The record whose details are shown."""

    def compose(self) -> ComposeResult:
        yield TopLine()
        yield Chips(id="chips")
        yield FilterLine(placeholder="filter: words that a belief must hold; enter keeps, esc clears", id="filter")
        with Horizontal(id="beliefs-body"):
            yield self.choices
            yield Details(id="details")
        yield Static("", id="empty", markup=False)
        yield Flash()
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(TopLine).place = "beliefs"
        self.say_times()
        self.choices.focus()
        self.refetch()

    def refetch(self) -> None:
        self._deeds = self.services.deeds
        self.read(Job.READ_BELIEFS, self._fetch)

    def _fetch(self) -> None:
        """A first page at once; the whole, with what is believed no longer, when it is there and in order."""
        memory = self.services.memory
        if memory is None:
            return
        last = deeds.latest(memory)
        first = memory.facts(limit=FIRST_PAGE)
        if first and not self._read:
            page = FactTree(in_order(first))
            self.post_message(BeliefsFetched(page, page, FactTree(), last, more=True))
        with long_read():
            everything = memory.timeline()
            now = self.services.now
            held = FactTree(in_order(one for one in everything if holds(one, now) or is_ahead(one, now)))
            ever = FactTree(each_value_once(everything, now))
            unsure = FactTree(in_order(memory.unsure(limit=FIRST_PAGE)))
        self.post_message(BeliefsFetched(held, ever, unsure, last))

    def on_beliefs_fetched(self, event: BeliefsFetched) -> None:
        self._held, self._ever, self._unsure = event.held, event.ever, event.unsure
        self.last_deed = event.last
        self.query_one(TopLine).reading = "reading on…" if event.more else ""
        self._read = True
        self._show()

    def hand_done(self, event: HandDone) -> None:
        self.refetch()

    def on_screen_resume(self) -> None:
        if self._read and self._deeds != self.services.deeds:
            self.refetch()

    def on_resize(self) -> None:
        self.call_after_refresh(self._show)

    # -- what is shown

    def _show(self) -> None:
        """The tree anew; the mark stays on the same belief, else on one of its slot, else in its place."""
        if not self._read:
            return
        choices, before = self.choices, self.pointed
        place = choices.highlighted or 0
        wanted = self.query_one(Chips).wanted
        tree = self._unsure if wanted.unsure else self._ever if wanted.ever else self._held
        found = self._found = tree.found(wanted, self._words, self._folded)
        if self.has_class("-empty") and found.records:
            self.call_after_refresh(self._show)  # a list that was hidden has its width only after it is laid out
        self.set_class(not found.records, "-empty")
        if not found.records:
            none = NOTHING_UNSURE if wanted.unsure else NOTHING
            nothing = NO_MATCH if (self._unsure if wanted.unsure else self._ever).facts else none
            self.query_one("#empty", Static).update(lines(nothing))
        rows = fact_rows(found, tree.label, self.services.now, max(24, choices.size.width - 3))
        choices.show_rows(rows, found.place(before, place))
        total = (
            f"{count(found.beliefs, 'belief')} · {count(found.subjects, 'subject')}" if found.records else "no beliefs"
        )
        self.query_one(TopLine).place = f"beliefs · {total}"
        self._show_details()

    def on_choices_pointed(self, event: Choices.Pointed) -> None:
        super().on_choices_pointed(event)
        if event.record is not self._detailed:
            self._show_details()

    def _show_details(self) -> None:
        marked, detail = self.pointed, self.query_one(Details)
        self._detailed = marked
        if isinstance(marked, Fact):
            mine = self._held.of(marked.subject) if marked.disputed else []
            rivals = [one for one in mine if one.slot == marked.slot and one.disputed and one.id != marked.id]
            detail.tell(fact_details(marked, rivals, self.services.now, detail.text_width))
        elif isinstance(marked, Subject):
            detail.tell(subject_details(marked, self._ever.of(marked.name)))
        else:
            detail.tell(lines(("", QUIET)))
        self.refresh_bindings()

    # -- keys

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        event.stop()
        if isinstance(event.record, Subject):
            self._folded ^= {event.record.name}
            self._show()
        elif isinstance(event.record, Fact) and not event.record.unsure:
            self.post_message(FactChosen(event.record))

    def erasing(self) -> Callable[[MemoryPort], Radius] | None:
        marked = self.pointed
        return deeds.radius_of_subject(marked.name) if isinstance(marked, Subject) else super().erasing()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what would do something."""
        if action == "page":
            return isinstance(self.pointed, Subject | Fact)
        return bool(self._ever.facts) if action == "filter" else super().check_action(action, parameters)

    def action_page(self) -> None:
        """All that is known of the one that the mark is on or names, else of the one that it is under."""
        marked = self.pointed
        if isinstance(marked, Subject):
            self.post_message(SubjectChosen(marked.name))
        elif isinstance(marked, Fact):  # "sister Gráinne" leads to her
            known = bool(self._ever.of(marked.object))
            self.post_message(SubjectChosen(marked.object if known else marked.subject))

    def action_chip(self, name: str) -> None:
        self.query_one(Chips).toggle(name)

    def on_chips_changed(self, event: Chips.Changed) -> None:
        event.stop()
        self._show()

    def action_filter(self) -> None:
        field = self.query_one("#filter", Input)
        field.add_class("-shown")
        field.focus()

    def action_leave(self) -> None:
        """Out of the filter first, then out of the screen."""
        field = self.query_one("#filter", Input)
        if field.has_class("-shown"):
            field.value = ""
            field.remove_class("-shown")
            self.choices.focus()
        else:
            self.dismiss(None)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._words = plain(event.value)
        self._show()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        event.input.set_class(bool(event.value), "-shown")
        self.choices.focus()
