"""All beliefs stand in one tree: what is typed or toggled narrows it at once, and every key acts on what is marked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Static

from app.core import deeds
from app.core.deeds import DeedResult, Radius
from app.core.opening import long_read
from app.tui.jobs import Job
from app.tui.screens.by_hand import BeliefScreen
from app.tui.screens.filtering import FilteringScreen
from app.tui.services import Services
from store.records import Fact, Instant, Operation
from widgets.bars import Flash, TopLine
from widgets.chips import NAMES, Chips
from widgets.choices import Choices
from widgets.details import Details
from widgets.fact_rows import FactTree, Subject, each_value_once, fact_details, fact_rows, in_order, subject_details
from widgets.filter_line import FilterLine
from widgets.look import QUIET, holds, is_ahead, lines
from widgets.messages import SubjectChosen
from widgets.states import legend
from widgets.whole_belief import all_whole
from widgets.wording import count

if TYPE_CHECKING:
    from store.memory import Memory

NOTHING = "Nothing is believed yet.\n\nTell me something in the chat (esc), and it stands here."
FIRST_PAGE = 1000
"""Beliefs that are read, and shown, before the rest of a long list is."""
NOTHING_UNSURE = "Nothing is unsure.\n\n5 goes back to what is believed."
NO_MATCH = "Nothing matches.\n\nesc clears the words; 1 shows what was ever believed; 2, 3 and 4 are filters."


@dataclass(frozen=True, slots=True)
class BeliefsRead:
    """What is believed, what ever was, and what is unsure; or a first page of it, and `more` follows."""

    held: FactTree
    ever: FactTree
    unsure: FactTree
    last: Operation | None = None
    more: bool = False


def _came(before: Sequence[Fact], after: Sequence[Fact]) -> Fact | None:
    """The first belief that was not there before, or was taken back, or pinned otherwise."""
    known = {(one.id, one.believed_to, one.pinned) for one in before}
    return next((one for one in after if (one.id, one.believed_to, one.pinned) not in known), None)


class BeliefsScreen(FilteringScreen, BeliefScreen):
    """Beliefs by whom they are about, with the words that they rest on."""

    PLACE = "beliefs"
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
    only said by you; `5` what was heard and is not sure: `y` says that it is so, `r` that it is not, `e` what is
    so instead.

    {legend()}   ▪ pinned
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._known = BeliefsRead(FactTree(), FactTree(), FactTree())
        self._folded: set[str] = set()
        self._read = False
        self._detailed: object = None
        """The record whose details are shown."""
        self._taken_back: set[str] = set()
        """What was taken back here: it stays in its row, where the next key cannot act on another."""
        self._answered: dict[str, Fact] = {}
        """What was unsure and was answered here, by its id then, as it is now: it stays in its row, too."""
        self._done: DeedResult | None = None
        """What was done by hand and is not shown yet."""

    def body(self) -> ComposeResult:
        yield Chips(id="chips")
        yield FilterLine(placeholder="filter: words that a belief must hold; enter keeps, esc clears", id="filter")
        with Horizontal(id="beliefs-body"):
            yield self.choices
            yield Details(id="details")
        yield Static("", id="empty", markup=False)

    def refetch(self) -> None:
        if self.services.erased:
            self._answered.clear()
        self.read(Job.READ_BELIEFS, self._fetch, self._fetched)

    def _fetch(self, memory: Memory) -> BeliefsRead:
        """A first page at once; the whole, with what is believed no longer, when it is there and in order."""
        last = deeds.latest(memory)
        first = memory.beliefs.facts(limit=FIRST_PAGE)
        if first and not self._read:
            page = FactTree(in_order(first))
            self.call_later(self._fetched, BeliefsRead(page, page, FactTree(), last, more=True))
        with long_read():
            everything = memory.beliefs.timeline()
            now = self.services.now
            shown = (one for one in everything if holds(one, now) or is_ahead(one, now) or one.id in self._taken_back)
            held = FactTree(all_whole(in_order(shown), everything))
            ever = FactTree(all_whole(each_value_once(everything, now), everything))
            unsure = FactTree(in_order(self._asked(memory.reading.unsure(limit=FIRST_PAGE), everything)))
        return BeliefsRead(held, ever, unsure, last)

    def _asked(self, waiting: Sequence[Fact], everything: Sequence[Fact]) -> Iterator[Fact]:
        """What is unsure, and what was until it was answered here, as it is by now."""
        known, again = {one.id: one for one in everything}, {one.id for one in waiting}
        yield from waiting
        for key, fact in self._answered.items():
            if key not in again and (fact.unsure or fact.id in known):
                yield known.get(fact.id, fact)

    def _fetched(self, read: BeliefsRead) -> None:
        before, done = self._tree.facts, self._done
        self._known, self.last_deed, self._read, self._done = read, read.last, True, None
        self.query_one(TopLine).reading = "reading on…" if read.more else ""
        came_back = _came(before, self._tree.facts) if done is not None and not done.erased else None
        self.draw(to=(done.fact if done is not None else None) or came_back)

    @property
    def _tree(self) -> FactTree:
        """What the chips ask for."""
        wanted, known = self.query_one(Chips).wanted, self._known
        return known.unsure if wanted.unsure else known.ever if wanted.ever else known.held

    def hand_done(self, done: DeedResult, to: object) -> None:
        if isinstance(to, Fact):
            self._taken_back.discard(to.id)  # what is brought back may have another id
        if done.fact is not None and done.fact.believed_to is not None:
            self._taken_back.add(done.fact.id)
        if isinstance(to, Fact) and to.unsure and done.fact is not None:
            at = Instant(self.services.now, to.believed_from.offset)
            dropped = replace(done.fact, believed_to=at, ended="retract")
            self._answered[to.id] = dropped if done.fact.unsure else done.fact
        self._done = done
        super().hand_done(done, to)

    # -- what is shown

    def draw(self, *, narrowed: bool = False, to: Fact | None = None) -> None:
        """The tree anew; the mark goes `to` a belief, or stays on the same one, else on one of its slot, else in its
        place: or on the first belief, where other beliefs are shown now (`narrowed`)."""
        if not self._read:
            return
        choices, before = self.choices, to or self.pointed
        place = choices.highlighted or 0
        if narrowed:
            before, place = before if isinstance(before, Fact) else None, 0
            self.query_one(Flash).hush()  # what was done to a belief that may not be in view
        wanted = self.query_one(Chips).wanted
        known, tree = self._known, self._tree
        found = tree.found(wanted, self.typed, self._folded)
        self.set_class(not found.records, "-empty")
        if not found.records:
            none = NOTHING_UNSURE if wanted.unsure else NOTHING
            nothing = NO_MATCH if (known.unsure if wanted.unsure else known.ever).facts else none
            self.query_one("#empty", Static).update(lines(nothing))
        rows = fact_rows(found, tree.label, self.services.now, max(24, choices.size.width - 3))
        choices.show_rows(rows, found.place(before, place))
        total = (
            f"{count(found.beliefs, 'belief')} · {count(found.subjects, 'subject')}" if found.records else "no beliefs"
        )
        self.query_one(TopLine).place = f"beliefs · {total}"
        self._show_details()

    def on_choices_pointed(self, event: Choices.Pointed) -> None:
        if event.record is not self._detailed:
            self._show_details()

    def _show_details(self) -> None:
        marked, detail = self.pointed, self.query_one(Details)
        self._detailed = marked
        if isinstance(marked, Fact):
            mine = self._known.held.of(marked.subject) if marked.disputed else []
            rivals = [one for one in mine if one.slot == marked.slot and one.disputed and one.id != marked.id]
            detail.tell(fact_details(marked, rivals, self.services.now, detail.text_width))
        elif isinstance(marked, Subject):
            detail.tell(subject_details(marked, self._known.ever.of(marked.name)))
        else:
            detail.tell(lines(("", QUIET)))
        self.refresh_bindings()

    # -- keys

    def chosen(self, choices: Choices, record: object) -> None:
        if isinstance(record, Subject):
            self._folded ^= {record.name}
            self.draw()
        elif isinstance(record, Fact) and not record.unsure:
            super().chosen(choices, record)

    def erasing(self) -> Callable[[Memory], Radius] | None:
        marked = self.pointed
        return deeds.radius_of_subject(marked.name) if isinstance(marked, Subject) else super().erasing()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what would do something."""
        if action == "page":
            return isinstance(self.pointed, Subject | Fact)
        return bool(self._known.ever.facts) if action == "filter" else super().check_action(action, parameters)

    def action_page(self) -> None:
        """All that is known of the one that the mark is on or names, else of the one that it is under."""
        marked = self.pointed
        if isinstance(marked, Subject):
            self.post_message(SubjectChosen(marked.name))
        elif isinstance(marked, Fact):  # "sister Gráinne" leads to her
            known = bool(self._known.ever.of(marked.object))
            self.post_message(SubjectChosen(marked.object if known else marked.subject))

    def action_chip(self, name: str) -> None:
        self.query_one(Chips).toggle(name)

    def on_chips_changed(self, event: Chips.Changed) -> None:
        event.stop()
        self.draw(narrowed=True)

    def narrow(self, words: str) -> None:
        self.draw(narrowed=True)
