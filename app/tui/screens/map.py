"""What did I believe when: a question is typed, and both times of it are seen at once, as a map."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input, Static

from app.core.opening import long_read
from app.tui.jobs import Job
from app.tui.screens.filtering import FilteringScreen
from app.tui.screens.hearing import HearingScreen
from app.tui.screens.save import SavingScreen
from app.tui.seen import seen
from app.tui.services import Services
from app.tui.wall import Shown
from store.records import Fact
from widgets.bars import TopLine
from widgets.belief_map import BeliefMap
from widgets.chain_rows import fact_detail
from widgets.filter_line import FilterLine
from widgets.lane_index import LaneIndex, Slot
from widgets.look import QUIET, lines
from widgets.map_layout import apart
from widgets.plain import one_line, plain
from widgets.time_scale import Cursors
from widgets.vector import Heading, map_svg
from widgets.whole_belief import each_once
from widgets.wording import count

if TYPE_CHECKING:
    from store.memory import Memory

MOST = 50
"""Questions that are looked through with n."""
EMPTY = "Type whom or what it is about, or a question:\n\nlives · Ana school · where did I work"


class MapScreen(FilteringScreen, SavingScreen, HearingScreen):
    """Both times of one question."""

    PLACE = "what did I believe when"
    DEFAULT_CSS = """
    MapScreen #head { height: 1; padding: 0 2; }
    MapScreen #seen { height: 2; padding: 0 2; text-style: bold; }
    MapScreen.-empty BeliefMap, MapScreen.-empty #detail, MapScreen.-empty #seen { display: none; }
    MapScreen #detail { height: 3; padding: 0 2; border-top: solid $rule; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "back", id="map.back"),
        Binding("slash", "filter", "question", id="map.ask"),
        Binding("n", "turn(1)", "next", key_display="n N", id="map.next"),
        Binding("N", "turn(-1)", "the one before", show=False, id="map.previous"),
    ]

    def __init__(self, services: Services, words: str = "", at: tuple[int | None, int | None] = (None, None)) -> None:
        """`at` is where the cursors stand, in the world and in belief (microseconds UTC); None is now."""
        super().__init__(services)
        self._first, self._at = words, at
        self._index: LaneIndex | None = None
        self._found: list[tuple[Slot, list[Fact]]] = []
        self._place = 0
        self._told = ""

    @property
    def main(self) -> BeliefMap:
        return self.query_one(BeliefMap)

    def body(self) -> ComposeResult:
        yield FilterLine(value=self._first, placeholder="whom or what, or a question", id="question", classes="-shown")
        yield Static("", id="head", markup=False)
        yield Static("", id="seen", markup=False)
        yield BeliefMap(zone=self.services.zone, id="map")
        yield Static(lines(EMPTY), id="empty", markup=False)
        yield Static("", id="detail", markup=False)

    def begin(self) -> None:
        self.add_class("-empty")
        super().begin()
        if not self._first:
            self.action_filter()

    def refetch(self) -> None:
        self.read(Job.READ_MAP, self._fetch, self._fetched, "reading…")

    def _fetch(self, memory: Memory) -> LaneIndex:
        with long_read():
            return LaneIndex(memory.beliefs.outline(), self.services.now)

    def _fetched(self, index: LaneIndex) -> None:
        self._index = index
        self.heard.clear()
        self.query_one(TopLine).reading = ""
        self.narrow(self.typed)

    # -- the question

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """To the map; what no lane is called is asked of the memory."""
        event.stop()
        event.prevent_default()  # the question stays in view
        words = plain(event.value).strip()
        if self._found:
            self.main.focus()
        elif words:
            self.ask(Job.READ_MEANING, partial(_asked_about, words), partial(self._answered, words))

    def _answered(self, words: str, about: Collection[tuple[str, str]]) -> None:
        """Show what the words ask about."""
        slots = [] if self._index is None else [slot for slot in self._index.slots if slot.key in about]
        if not slots:
            self.flash(f"Nothing that was believed answers “{one_line(words, 60)}”.", bad=True)
            return
        self._take(slots)
        self.main.focus()

    def narrow(self, words: str) -> None:
        """The slots that hold the words: those that they name before those of which they are a value; of these, those
        that changed most first."""
        slots = [] if self._index is None or not words.strip() else self._index.matching(words).slots
        wanted = words.casefold().split()
        self._take(sorted(slots, key=lambda slot: (not slot.named(wanted), slot.lasting, -len(slot.held))))

    def _take(self, slots: Sequence[Slot]) -> None:
        self._found = [(slot, facts) for slot in slots[:MOST] for facts in apart(slot.facts)]
        self._place = 0
        self._show()

    def _show(self) -> None:
        self.set_class(not self._found, "-empty")
        self.refresh_bindings()
        head = self.query_one("#head", Static)
        if not self._found:
            head.update("")
            return
        slot, facts = self._found[self._place]
        which = f"   {self._place + 1} of {len(self._found)}" if len(self._found) > 1 else ""
        dispute = " · in dispute" if any(one.disputed for one in facts) else ""
        told = f"   {count(len(facts), 'belief')}{dispute}{which}"
        head.update(lines((slot.label, "bold $primary"), (told, QUIET)), layout=False)
        self.main.show(facts, self.services.now, *self._at)

    # -- the map

    def on_belief_map_pointed(self, event: BeliefMap.Pointed) -> None:
        event.stop()
        if not self._found:
            return
        now = self.main.now
        true_at, believed_at = (None if us == now else us for us in (event.true_at, event.believed_at))
        self.say_times(true_at, believed_at)
        at = Cursors(true_at, believed_at, now, self.services.zone)
        slot, facts = self._found[self._place]
        fact = event.fact or facts[-1]

        def tell() -> None:
            self._told = seen(slot, fact, at, self.heard)
            self.query_one("#seen", Static).update(lines(self._told), layout=False)

        tell()
        self.hear([fact, *slot.at(at.world, at.now)[:1]], tell)
        width = max(20, self.size.width - 5)
        detail = fact_detail(event.fact, event.true_at, event.believed_at, width, now, slot.facts)
        self.query_one("#detail", Static).update(detail, layout=False)

    def shown(self) -> Shown | None:
        if not self._found:
            return None
        slot, facts = self._found[self._place]
        both, now = self.main, self.services.now
        told = Heading(f"What did I believe when: {slot.label}", self._told)
        at = Cursors(both.true_at, both.believed_at, now, self.services.zone)
        draw = partial(map_svg, facts, at, told)
        name = f"erstwhile-map-{self.services.today}"
        return Shown(told.title, name, draw, lambda colours: [draw(colours)], each_once(facts))

    # -- keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Where there is one question, there is none to go on to."""
        return len(self._found) > 1 if action == "turn" else bool(self._found) or action != "save"

    def action_turn(self, amount: int) -> None:
        self._place = (self._place + amount) % len(self._found)
        self._show()


def _asked_about(words: str, memory: Memory) -> Collection[tuple[str, str]]:
    """What the words ask for; else what the answer to them rests on."""
    answering = memory.answering
    return answering.asked_about(words) or {(fact.subject, fact.predicate) for fact in answering.ask(words).facts}
