"""Three pages of beliefs: how one came about (its chain), all that is known of somebody, and what fades from view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from app.core import deeds
from app.core.deeds import DeedResult, Radius
from app.core.kinds import entities
from app.core.times import Times
from app.tui.jobs import Job
from app.tui.screens.by_hand import BeliefScreen, doing
from app.tui.services import Services
from store.errors import NotFound
from store.records import Entity, Fact, Hit, Link, Stretch
from widgets.bars import TopLine
from widgets.chain_rows import chain_rows, chain_summary
from widgets.choices import Choices, Row, heading
from widgets.curves import days_left, fading_line
from widgets.fact_rows import each_value_once, fact_line, in_order, row_width
from widgets.look import QUIET, lines
from widgets.memory_panel import hit_card
from widgets.messages import SubjectChosen
from widgets.plain import one_line
from widgets.relation_rows import RelationBranch, relation_line, relations
from widgets.whole_belief import all_whole
from widgets.wording import about, count

if TYPE_CHECKING:
    from store.memory import Memory

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
        """To the words that it rests on."""
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
