"""One page says all that is known of somebody: what holds, who they are to others, what was, and what was said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from app.core import deeds
from app.core.deeds import Radius
from app.core.kinds import entities
from app.tui.jobs import Job
from app.tui.screens.by_hand import BeliefScreen
from app.tui.services import Services
from store.errors import NotFound
from store.records import Entity, Fact, Hit, Operation
from widgets.choices import Choices, Row, heading
from widgets.fact_rows import RelationBranch, each_value_once, fact_line, in_order, relation_line, relations, row_width
from widgets.look import QUIET, lines
from widgets.memory_panel import hit_card
from widgets.messages import SubjectChosen
from widgets.plain import one_line
from widgets.whole_belief import all_whole
from widgets.wording import count

if TYPE_CHECKING:
    from store.memory import Memory

MOST_MENTIONS = 20
MOST_BEFORE = 40


@dataclass(frozen=True, slots=True)
class SubjectPage:
    """All that is known of one subject."""

    entity: Entity | None
    held: Sequence[Fact]
    before: Sequence[Fact]
    """What is believed no longer, or was true before."""
    related: Sequence[RelationBranch]
    mentions: Sequence[Hit]
    last: Operation | None = None


class EntityScreen(BeliefScreen):
    """The page of one subject."""

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
        self._known: SubjectPage | None = None
        """None until it is read."""

    @property
    def place(self) -> str:
        return one_line(self._called, 60)

    def body(self) -> ComposeResult:
        yield Static("", id="entity-head", markup=False)
        yield self.choices

    @property
    def _called(self) -> str:
        return "you" if self.subject == "me" else self.subject

    def refetch(self) -> None:
        self.read(Job.READ_PAGE, partial(read_known, name=self.subject, now=self.services.now), self._fetched)

    def _fetched(self, known: SubjectPage) -> None:
        self._known, self.last_deed = known, known.last
        self.draw()
        self.refresh_bindings()

    def draw(self) -> None:
        known, width = self._known, max(30, self.choices.size.width - 4)
        if known is None:
            return
        entity = known.entity
        aliases = entity.aliases if entity else ()
        others = [alias for alias in aliases if alias.casefold() != self.subject.casefold() and ">" not in alias]
        head = [(one_line(self._called, 60), "bold")]
        if entity is not None and (entity.relation or entity.kind) and self.subject != "me":
            head.append((f"  {f'your {entity.relation}' if entity.relation else entity.kind}", QUIET))
        if others:
            head.append((f"  also {', '.join(one_line(one, 24) for one in others[:5])}", QUIET))
        self.query_one("#entity-head", Static).update(lines(*head))
        self.choices.show_rows(self._rows(known, width), self.choices.highlighted)

    def _rows(self, known: SubjectPage, width: int) -> list[Row]:
        now = self.services.now
        label = min(18, max((len(one.predicate) for one in [*known.held, *known.before]), default=8))
        draw = partial(
            fact_line, now=now, label=label, width=row_width([*known.held, *known.before], label, width, now)
        )
        last = len(known.related) - 1
        tree = [Row(relation_line(one, last=n == last, width=width), one) for n, one in enumerate(known.related)]
        rows = _section("TO OTHERS", "enter opens their page", tree)
        rows += _section("NOW", count(len(known.held), "belief"), [Row(draw(one), one) for one in known.held])
        before = [Row(draw(one), one) for one in known.before[:MOST_BEFORE]]
        rows += _section("BEFORE", count(len(known.before), "belief"), before)
        said = [Row(hit_card(mention, width), mention) for mention in known.mentions]
        rows += _section("SAID", "the turns that speak of it most", said)
        return rows or [Row(lines(("Nothing is known of it any more.", QUIET)))]

    def chosen(self, choices: Choices, record: object) -> None:
        if isinstance(record, RelationBranch):
            self.post_message(SubjectChosen(record.other))
        else:
            super().chosen(choices, record)

    def erasing(self) -> Callable[[Memory], Radius] | None:
        return super().erasing() or deeds.radius_of_subject(self.subject)


def _section(title: str, note: str, rows: list[Row]) -> list[Row]:
    return [heading(title, note), *rows, Row(lines())] if rows else []


def read_known(memory: Memory, name: str, now: int) -> SubjectPage:
    """Everything about one subject, in order."""
    last = deeds.latest(memory)
    known = entities(memory)
    entity = next((one for one in known if name in (one.name, one.id)), None)
    try:
        everything = memory.beliefs.facts(about=name, everything=True)
        held = all_whole(in_order(memory.beliefs.facts(about=name)), everything)
        ever = all_whole(each_value_once(everything, now), everything)
    except NotFound:  # it was erased
        return SubjectPage(None, (), (), (), (), last)
    values = {(one.predicate, one.object) for one in held}
    before = [one for one in ever if (one.predicate, one.object) not in values]
    names = {one.name.casefold() for one in known} | {"me"}
    everyone = held if name == "me" else [*held, *memory.beliefs.facts(about="me")]
    words = name if name != "me" else "I"
    mentions = [hit for hit in memory.recall.search(words, k=MOST_MENTIONS).hits if hit.kind == "episode"]
    said = [hit for hit in mentions if name == "me" or name.casefold() in hit.text.casefold()]
    return SubjectPage(entity, held, before, relations(name, everyone, names), said, last)
