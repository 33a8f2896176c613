"""All beliefs stand in one tree, and each has pages: how it came about, all that is known of somebody, what fades.

Whatever shows a belief offers the same keys for it: put right, take back, pin, settle, erase, and undo. A key is
offered only where it would do something to the belief that is pointed at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, Static

from app.core import deeds
from app.core.clock import Times
from app.core.deeds import DeedResult, Radius
from app.core.kinds import entities
from app.core.opening import long_read
from app.tui.jobs import Job
from app.tui.screens.base import FilteringScreen, FramedScreen
from app.tui.screens.dialogs import Dialog
from app.tui.services import Services
from store.errors import BadInput, ErstwhileError, NotFound
from store.memory import Memory
from store.records import Entity, Fact, Hit, Instant, Link, Operation, Stretch
from store.time.wording import describe
from widgets.bars import Flash, TopLine
from widgets.chain_rows import chain_rows, chain_summary
from widgets.chips import NAMES, Chips
from widgets.choices import Choices, Row, heading
from widgets.details import Details
from widgets.fact_rows import (
    FactTree,
    RelationBranch,
    Subject,
    days_left,
    each_value_once,
    fact_details,
    fact_line,
    fact_rows,
    fading_line,
    in_order,
    relation_line,
    relations,
    row_width,
    subject_details,
)
from widgets.filter_line import FilterLine
from widgets.look import NEVER, QUIET, holds, is_ahead, lines
from widgets.memory_panel import hit_card
from widgets.messages import SubjectChosen
from widgets.plain import one_line, plain
from widgets.states import legend
from widgets.whole_belief import all_whole
from widgets.wording import about, at_hour, count, is_one_point, since, value

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
        assert self.JOB is not None
        self.reading()
        self.ask(self.JOB, lambda memory: (deeds.latest(memory), self.fetch(memory)), self._came)

    def _came(self, read: tuple[Operation | None, Any]) -> None:
        self.last_deed, known = read
        self.fetched(known)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        fact = self.pointed if isinstance(self.pointed, Fact) else None
        held = fact is not None and fact.believed_to is None
        if action == "confirm":  # elsewhere the key copies, or is a letter
            return fact is not None and fact.unsure and held and self.choices.has_focus
        if fact is not None and fact.unsure and action not in ("undo", "erase"):
            return (held and action in ("correct", "retract")) or action not in _DEEDS
        useful = {
            "undo": self.last_deed is not None and not self.services.erased,
            "correct": held,
            "retract": held,
            "restore": fact is not None and not held,
            "pin": fact is not None and held and not fact.pinned,
            "unpin": fact is not None and fact.pinned,
            "settle": fact is not None and held and fact.disputed,
            "erase": self.erasing() is not None,
        }
        return useful.get(action, True)

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
        return deeds.radius_of_fact(self.pointed) if isinstance(self.pointed, Fact) else None


def _why_not(action: str, fact: object) -> str:
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


Correction = tuple[str, Stretch | None, Stretch | None, str]
"""What is right instead; since when and until when, unless for the time of what was wrong; of whom, unless of whom it
was said."""
_UNTIL = re.compile(
    r"(?i)(?:(?:from |since )?(?P<first>.+?),? )??"
    r"(?:until|till|up to|to|(?:and )?(?:ended|ends)(?: in| on)?) (?P<last>.+)"
)
"""What says when something ended: "until May", "from 2008 to 2020"."""


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
            asked = (
                "leave empty, or type when it is instead" if self._once else "leave empty, or: since May, 2019 to 2024"
            )
            yield Input(placeholder=asked, id="since")
            yield Input(placeholder="leave empty, or type whom else it is about", id="whom")
            yield Static("", id="reading", markup=False)

    def on_mount(self) -> None:
        self._read()

    def on_input_changed(self) -> None:
        self._read()

    def on_input_submitted(self) -> None:
        if (right := self._read()) is not None:
            self.dismiss(right)

    def _read(self) -> Correction | None:
        """What stands in the fields, said back; None while it would change nothing or cannot be read."""
        right, when, whom = (plain(field.value).strip() for field in self.query(Input))
        whom = "me" if whom.casefold() in ("me", "i", "you", "myself") else whom
        whom = "" if whom.casefold() == self.fact.subject.casefold() else whom
        since = until = None
        correction: Correction | None = None
        said = lines(("enter corrects, tab goes to the next field, esc leaves it", QUIET))
        try:
            span = None if self._once else _UNTIL.fullmatch(when)
            if span is not None:
                since, until = self._parse(span["first"]) if span["first"] else None, self._parse(span["last"])
            else:
                since = self._parse(when) if when else None
            if since is not None and until is not None and (until.start or 0) <= (since.start or 0):
                raise BadInput("It would end before it begins.")
        except ErstwhileError as error:
            said = lines((str(error), NEVER))
        else:
            another = right != one_line(self.fact.object) or self.fact.negative  # "not Tanya" is put right by "Tanya"
            if right and (another or since or until or whom):
                correction = right, since, until, whom
            parts = [] if since is None else [describe(since if self._once else replace(since, end=None))]
            parts += [] if until is None else [f"until {describe(until)}"]
            if parts:
                said = lines(("→ ", "$success"), " ".join(parts))
        self.query_one("#reading", Static).update(said)
        return correction


def ask_what_is_right(screen: FramedScreen, fact: Fact, to: object) -> None:
    """Ask for what is right in the place of a belief, and correct it; `to` is what `hand_done` is told then."""
    dialog = CorrectDialog(fact, partial(screen.services.parse_when, ahead=fact.ahead))
    screen.ask_in(dialog, lambda right: screen.by_hand(deeds.correct(fact, *right), to))


NOTHING = "Nothing is believed yet.\n\nTell me something in the chat (esc), and it stands here."
FIRST_PAGE = 1000
"""Beliefs that are read, and shown, before the rest of a long list is."""
NOTHING_UNSURE = "Nothing is unsure.\n\n5 goes back to what is believed."
NO_MATCH = "Nothing matches.\n\nesc clears the words; 1 shows what was ever believed; 2, 3 and 4 are filters."


@dataclass(frozen=True, slots=True)
class BeliefsRead:
    """What is believed, what ever was, and what is unsure; or a first page of it, and `more` follows."""

    held: FactTree = field(default_factory=FactTree)
    ever: FactTree = field(default_factory=FactTree)
    unsure: FactTree = field(default_factory=FactTree)
    more: bool = False


class BeliefsScreen(FilteringScreen, BeliefScreen):
    """Beliefs by whom they are about, with the words that they rest on."""

    PLACE = "beliefs"
    JOB = Job.READ_BELIEFS
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
        self.known: BeliefsRead = BeliefsRead()
        self._folded: set[str] = set()
        self._read = False
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

    def fetch(self, memory: Memory) -> BeliefsRead:
        """A first page at once; the whole, with what is believed no longer, when it is there and in order."""
        first = memory.beliefs.facts(limit=FIRST_PAGE)
        if first and not self._read:
            page = FactTree(in_order(first))
            self.call_later(self.fetched, BeliefsRead(page, page, more=True))
        with long_read():
            everything = memory.beliefs.timeline()
            now = self.services.now
            shown = (one for one in everything if holds(one, now) or is_ahead(one, now) or one.id in self._taken_back)
            held = FactTree(all_whole(in_order(shown), everything))
            ever = FactTree(all_whole(each_value_once(everything, now), everything))
            unsure = FactTree(in_order(self._asked(memory.reading.unsure(limit=FIRST_PAGE), everything)))
        return BeliefsRead(held, ever, unsure)

    def _asked(self, waiting: Sequence[Fact], everything: Sequence[Fact]) -> Iterator[Fact]:
        """What is unsure, and what was until it was answered here, as it is by now."""
        known, again = {one.id: one for one in everything}, {one.id for one in waiting}
        yield from waiting
        for key, fact in self._answered.items():
            if key not in again and (fact.unsure or fact.id in known):
                yield known.get(fact.id, fact)

    def fetched(self, known: BeliefsRead) -> None:
        """What was done by hand is marked: what came of it, else the first that is new, taken back, or pinned
        otherwise."""
        before = {(one.id, one.believed_to, one.pinned) for one in self._tree.facts}
        done, self._done = self._done, None
        self.known, self._read = known, True
        self.query_one(TopLine).reading = "reading on…" if known.more else ""
        to = done.fact if done is not None else None
        if done is not None and to is None and not done.erased:
            new = (one for one in self._tree.facts if (one.id, one.believed_to, one.pinned) not in before)
            to = next(new, None)
        self.draw(to=to)

    def refetch(self) -> None:
        if self.services.erased:
            self._answered.clear()
        super().refetch()

    @property
    def _tree(self) -> FactTree:
        wanted, known = self.query_one(Chips).wanted, self.known
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
        known, tree = self.known, self._tree
        found = tree.found(wanted, self.typed, self._folded)
        self.set_class(not found.records, "-empty")
        if not found.records:
            none = NOTHING_UNSURE if wanted.unsure else NOTHING
            nothing = NO_MATCH if (known.unsure if wanted.unsure else known.ever).facts else none
            self.query_one("#empty", Static).update(lines(nothing))
        rows = fact_rows(found, tree.label, self.services.now, max(24, choices.size.width - 3))
        choices.show_rows(rows, found.place(before, place))
        total = f"{count(found.beliefs, 'belief')} · {count(found.subjects, 'subject')}"
        self.query_one(TopLine).place = f"beliefs · {total if found.records else 'no beliefs'}"
        self.refresh_bindings()

    def on_choices_pointed(self, event: Choices.Pointed) -> None:
        marked, detail = self.pointed, self.query_one(Details)
        if isinstance(marked, Fact):
            mine = self.known.held.of(marked.subject) if marked.disputed else []
            rivals = [one for one in mine if one.slot == marked.slot and one.disputed and one.id != marked.id]
            detail.tell(fact_details(marked, rivals, self.services.now, detail.text_width))
        elif isinstance(marked, Subject):
            detail.tell(subject_details(marked, self.known.ever.of(marked.name)))

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
        if action == "page":
            return isinstance(self.pointed, Subject | Fact)
        return bool(self.known.ever.facts) if action == "filter" else super().check_action(action, parameters)

    def action_page(self) -> None:
        """All that is known of the one that the mark is on or names, else of the one that it is under."""
        marked = self.pointed
        if isinstance(marked, Subject):
            self.post_message(SubjectChosen(marked.name))
        elif isinstance(marked, Fact):  # "sister Gráinne" leads to her
            known = bool(self.known.ever.of(marked.object))
            self.post_message(SubjectChosen(marked.object if known else marked.subject))

    def action_chip(self, name: str) -> None:
        self.query_one(Chips).toggle(name)

    def on_chips_changed(self) -> None:
        self.draw(narrowed=True)

    def narrow(self, words: str) -> None:
        self.draw(narrowed=True)


MOST_MENTIONS = 20
MOST_BEFORE = 40
DAYS = 180
"""How far ahead a curve looks."""
NOTHING_FADES = "Nothing is fading.\n\nWhat you have not spoken of for months stands here before it leaves the lists."


class ChainScreen(BeliefScreen):
    """The chain of one subject and predicate, newest first: each step says whether the world changed or the belief was
    wrong, and on whose words."""

    JOB = Job.READ_CHAIN
    DEFAULT_CSS = """
    ChainScreen #chain-head { height: 2; padding: 0 2; margin: 1 0 0 0; }
    ChainScreen Choices { height: 1fr; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "ask_here", "ask as of here", id="chain.ask"),
        Binding("escape", "dismiss", "back", id="chain.back"),
    ]
    HELP = """
    ### Chain
    Newest first. *moved* means that the world changed: the old fact stays true for its time. *corrected* means that
    the belief was wrong: the old one had never been true. `enter` opens the turn in which it was said; `a` asks as of
    there; `y` copies.
    """

    def __init__(self, services: Services, fact: Fact) -> None:
        super().__init__(services)
        self.fact = fact

    @property
    def place(self) -> str:
        return f"chain · {about(self.fact)}"

    def body(self) -> ComposeResult:
        yield Static("", id="chain-head", markup=False)
        yield self.choices

    def fetch(self, memory: Memory) -> list[Link]:
        try:
            return memory.beliefs.chain(self.fact.subject, self.fact.predicate)
        except NotFound:  # whom it is about was erased: there is nothing to tell any more
            return []

    def fetched(self, known: list[Link]) -> None:
        if self.known and not known:
            self.dismiss(None)
        else:
            super().fetched(known)

    def hand_done(self, done: DeedResult, to: object) -> None:
        """What came of it is marked; a chain that was erased is left."""
        self.fact = done.fact or self.fact
        self.refetch()

    def draw(self) -> None:
        links = self.known or []
        summary = chain_summary(links) if links else ""
        head = lines((about(self.fact), "bold"), (f"   {summary}", QUIET))
        self.query_one("#chain-head", Static).update(head)
        rows = chain_rows(links, self.services.now, max(30, self.size.width - 6))
        shown = [row.record.id if isinstance(row.record, Fact) else "" for row in rows]
        self.choices.show_rows(rows, shown.index(self.fact.id) if self.fact.id in shown else None)

    def chosen(self, choices: Choices, record: object) -> None:
        if isinstance(record, Fact) and record.sources:
            super().chosen(choices, record.sources[0])

    def action_ask_here(self) -> None:
        """Questions are asked as this fact stood: while it was true, and while it was believed."""
        fact = self.choices.pointed
        if isinstance(fact, Fact):
            start = fact.valid_from.us if fact.valid_from else fact.believed_from.us
            believed = None if fact.believed_to is None else fact.believed_to.us - 1
            self.services.times = Times(Stretch(start, start + 1), believed)
            self.dismiss(None)


# -- what fades


Faded = list[tuple[Fact, tuple[tuple[int, float], ...]]]
"""What fades, each with its curve."""


class FadingScreen(BeliefScreen):
    """Beliefs that nobody has spoken of for long, the next to drop on top. Nothing that fades is lost: it leaves the
    lists, and a question still finds it."""

    PLACE = "fading"
    JOB = Job.READ_FADING
    DEFAULT_CSS = """
    FadingScreen #fading-head { height: auto; padding: 0 2; margin: 1 0; color: $quiet; }
    FadingScreen Choices { height: 1fr; padding: 0 1; }
    FadingScreen.-empty Choices, FadingScreen.-empty #fading-head { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "rescue", "rescue", id="fading.rescue"),
        Binding("escape", "dismiss", "back", id="fading.back"),
    ]
    HELP = """
    ### Fading
    What holds, and nobody has spoken of for long. The curve is how much it will matter in the months ahead if nobody
    does; below the line it leaves the lists, and only a question brings it up. `space` rescues it: it is in use.
    `p` pins it: it never fades.
    """

    def body(self) -> ComposeResult:
        words = f"How much each will matter if nobody speaks of it for {DAYS // 30} months; the first to go is on top."
        yield Static(lines((words, QUIET)), id="fading-head", markup=False)
        yield self.choices
        yield Static(lines(NOTHING_FADES), id="empty", markup=False)

    def fetch(self, memory: Memory) -> Faded:
        from store.beliefs.salience import FADED

        found = [(fact, memory.salience.decay(fact.id, DAYS)) for fact in memory.salience.fading()]
        found.sort(key=lambda one: DAYS + 1 if (left := days_left(one[1], FADED)) is None else left)
        return found

    def draw(self) -> None:
        from store.beliefs.salience import FADED

        if self.known is None:
            return
        self.set_class(not self.known, "-empty")
        self.query_one(TopLine).place = f"fading · {count(len(self.known), 'belief')}"
        width = max(30, self.size.width - 5)  # the list has no width of its own before it is first shown
        rows = [Row(fading_line(fact, curve, FADED, width), fact) for fact, curve in self.known]
        self.choices.show_rows(rows, self.choices.highlighted)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "rescue":
            return isinstance(self.pointed, Fact)
        return super().check_action(action, parameters)

    action_rescue = doing(deeds.rescue)


# -- somebody, or something


@dataclass(frozen=True, slots=True)
class SubjectPage:
    """All that is known of one subject."""

    entity: Entity | None
    held: Sequence[Fact]
    before: Sequence[Fact]
    """What is believed no longer, or was true before."""
    related: Sequence[RelationBranch]
    mentions: Sequence[Hit]


class EntityScreen(BeliefScreen):
    """The page of one subject: what holds, who they are to others, what was, and what was said."""

    JOB = Job.READ_PAGE
    DEFAULT_CSS = """
    EntityScreen #entity-head { height: auto; padding: 1 2 0 2; }
    EntityScreen Choices { height: 1fr; padding: 1 1 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "back", id="entity.back")]
    HELP = """
    ### Page
    What holds now, who they are to others, what was before, and the turns in which they are spoken of. `enter` opens
    a belief's chain, the page of another one, or a turn. `x` erases: on a belief the turns that it rests on, elsewhere
    everything about them.
    """

    def __init__(self, services: Services, name: str) -> None:
        super().__init__(services)
        self.subject = name

    @property
    def place(self) -> str:
        return "you" if self.subject == "me" else one_line(self.subject, 60)

    def body(self) -> ComposeResult:
        yield Static("", id="entity-head", markup=False)
        yield self.choices

    def fetch(self, memory: Memory) -> SubjectPage:
        return read_known(memory, self.subject, self.services.now)

    def draw(self) -> None:
        known: SubjectPage | None = self.known
        if known is None:
            return
        entity, head = known.entity, [(self.place, "bold")]
        aliases = entity.aliases if entity else ()
        others = [alias for alias in aliases if alias.casefold() != self.subject.casefold() and ">" not in alias]
        if entity is not None and (entity.relation or entity.kind) and self.subject != "me":
            head.append((f"  {f'your {entity.relation}' if entity.relation else entity.kind}", QUIET))
        if others:
            head.append((f"  also {', '.join(one_line(one, 24) for one in others[:5])}", QUIET))
        self.query_one("#entity-head", Static).update(lines(*head))
        self.choices.show_rows(self._rows(known, max(30, self.choices.size.width - 4)), self.choices.highlighted)

    def _rows(self, known: SubjectPage, width: int) -> list[Row]:
        now, beliefs, last = self.services.now, [*known.held, *known.before], len(known.related) - 1
        label = min(18, max((len(one.predicate) for one in beliefs), default=8))
        draw = partial(fact_line, now=now, label=label, width=row_width(beliefs, label, width, now))
        tree = [Row(relation_line(one, last=n == last, width=width), one) for n, one in enumerate(known.related)]
        held = [Row(draw(one), one) for one in known.held]
        before = [Row(draw(one), one) for one in known.before[:MOST_BEFORE]]
        said = [Row(hit_card(mention, width), mention) for mention in known.mentions]
        sections = (
            ("TO OTHERS", "enter opens their page", tree),
            ("NOW", count(len(known.held), "belief"), held),
            ("BEFORE", count(len(known.before), "belief"), before),
            ("SAID", "the turns that speak of it most", said),
        )
        rows: list[Row] = []
        for title, note, inside in sections:
            rows += [heading(title, note), *inside, Row(lines())] if inside else []
        return rows or [Row(lines(("Nothing is known of it any more.", QUIET)))]

    def chosen(self, choices: Choices, record: object) -> None:
        if isinstance(record, RelationBranch):
            self.post_message(SubjectChosen(record.other))
        else:
            super().chosen(choices, record)

    def erasing(self) -> Callable[[Memory], Radius] | None:
        return super().erasing() or deeds.radius_of_subject(self.subject)


def read_known(memory: Memory, name: str, now: int) -> SubjectPage:
    """Everything about one subject, in order."""
    known = entities(memory)
    entity = next((one for one in known if name in (one.name, one.id)), None)
    try:
        everything = memory.beliefs.facts(about=name, everything=True)
        held = all_whole(in_order(memory.beliefs.facts(about=name)), everything)
        ever = all_whole(each_value_once(everything, now), everything)
    except NotFound:  # it was erased
        return SubjectPage(None, (), (), (), ())
    values = {(one.predicate, one.object) for one in held}
    before = [one for one in ever if (one.predicate, one.object) not in values]
    names = {one.name.casefold() for one in known} | {"me"}
    everyone = held if name == "me" else [*held, *memory.beliefs.facts(about="me")]
    words = name if name != "me" else "I"
    mentions = [hit for hit in memory.recall.search(words, k=MOST_MENTIONS).hits if hit.kind == "episode"]
    said = [hit for hit in mentions if name == "me" or name.casefold() in hit.text.casefold()]
    return SubjectPage(entity, held, before, relations(name, everyone, names), said)
