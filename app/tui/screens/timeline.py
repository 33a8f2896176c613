"""Beliefs over time: on a timeline of lanes, and as a map of both times of one question.

The top line says which two times are shown, in the warning style unless both are now, and one sentence what the two
cursors show: what was believed then, and what is today. Either screen is saved as a picture or as a page for print.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from app.core.clock import Times
from app.core.opening import long_read
from app.tui.jobs import Job, start
from app.tui.screens.base import FilteringScreen
from app.tui.screens.dialogs import ListDialog, SaveDialog, WhenDialog
from app.tui.services import Services
from app.tui.theme import LIGHT
from store.beliefs.predicates import find
from store.beliefs.wording import clause, closed, worded
from store.errors import BadInput, NotFound
from store.memory import Memory
from store.records import Fact, Instant, Precision, Stretch
from widgets.bars import TopLine
from widgets.belief_map import BeliefMap
from widgets.chain_rows import fact_detail
from widgets.choices import Choices, Row
from widgets.filter_line import FilterLine
from widgets.lane_diff import Difference, Moment, difference_line, differences
from widgets.lane_index import At, LaneIndex, LaneRows, LaneView, Slot
from widgets.lanes import Lanes
from widgets.look import QUIET, lines
from widgets.map_layout import apart
from widgets.messages import FactChosen, TimesMoved
from widgets.plain import one_line, plain
from widgets.states import never_true
from widgets.time_scale import Cursors
from widgets.vector import Colours, Heading, map_svg, page, timeline_pages, timeline_svg
from widgets.whole_belief import all_whole, each_once, whole
from widgets.wording import about, believed, called, clock_time, count, date_words, moment, since, until, value

CONVERTERS = (
    ("rsvg-convert", ("-w", "3200", "-o", "{to}", "{svg}")),
    ("resvg", ("-w", "3200", "{svg}", "{to}")),
    ("inkscape", ("{svg}", "-w", "3200", "-o", "{to}")),
)
"""Programs that draw an SVG as a PNG, and what each is told."""
LONGEST = 60
"""Seconds that one of them may take."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What can be saved."""

    title: str
    name: str
    """Of the file, if nothing else is typed."""
    drawn: Callable[[Colours], str]
    """A picture of what is in view, in some colours."""
    pages: Callable[[Colours], Sequence[str]]
    """Pictures of everything, each for a page of paper."""
    facts: Sequence[Fact]
    """What the table below the pages lists."""


class PictureScreen(FilteringScreen):
    """A screen whose picture can be saved, and that tells of facts in the words that they were told in."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("x", "save", "save", id="picture.save")]

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.heard: dict[str, Fact] = {}
        """Facts with the words that they rest on, by id: a lane does not know them, so they are read when it is pointed
        at."""

    def hear(self, facts: Iterable[Fact], then: Callable[[], object]) -> None:
        """Read the words of those of which they are not known; `then` is called when they are."""
        wanted = [one.id for one in facts if not one.sources and one.id not in self.heard]

        def told(memory: Memory) -> list[Fact]:
            found = []
            for one in wanted:
                with suppress(NotFound):  # it was erased meanwhile
                    found.append(memory.beliefs.fact(one))
            return found

        def kept(found: Sequence[Fact]) -> None:
            self.heard |= {one.id: one for one in found}
            then()

        if wanted:
            self.ask(Job.READ_SOURCES, told, kept)

    def shown(self) -> Shown | None:
        """What would be saved, as it looks at this moment; None where nothing is shown."""

    def action_save(self) -> None:
        if (shown := self.shown()) is not None:
            self.ask_in(SaveDialog(f"~/{shown.name}.svg"), partial(self._save, shown))

    def _save(self, shown: Shown, to: Path) -> None:
        work = partial(write, to, shown, self.app.theme_variables, self.services.now)
        start(self, Job.SAVE_PICTURE, work, lambda path: self.flash(f"Saved: {one_line(str(path))}"))


def paper() -> Colours:
    """The colours of what is printed: those of the light theme."""
    named = ("primary", "warning", "error", "foreground", "background", "panel")
    return {**{name: str(getattr(LIGHT, name)) for name in named}, **LIGHT.variables}


def write(to: Path, shown: Shown, colours: Colours, now: int) -> Path:
    """The picture, or pages for print and the facts below them. Raises BadInput with what to do instead."""
    form = to.suffix.lower()
    if form not in (".svg", ".png", ".html"):
        raise BadInput(f"{to.name} should end in .svg or .png, for a picture, or in .html, for a page to print.")
    if to.exists():
        raise BadInput(f"{to} is there already; choose another name.")
    if not to.parent.is_dir():
        raise BadInput(f"There is no folder {to.parent}.")
    if form == ".png":
        _png(to, shown.drawn(colours))
    elif form == ".svg":
        to.write_text(shown.drawn(colours), encoding="utf-8")
    else:
        rows = [
            (about(one), value(one), "never" if never_true(one) else since(one, now), believed(one, now))
            for one in shown.facts
        ]
        to.write_text(page(shown.title, shown.pages(paper()), rows), encoding="utf-8")
    return to


def _png(to: Path, svg: str) -> None:
    """By a program that is there: a PNG needs fonts and a renderer, which Erstwhile does not bring."""
    found = next((converter for converter in CONVERTERS if shutil.which(converter[0])), None)
    if found is None:
        raise BadInput(
            "No program here draws a PNG (rsvg-convert, resvg or inkscape); save as .svg, which every browser opens."
        )
    program, told = found
    source = to.with_suffix(".svg.part")
    try:
        source.write_text(svg, encoding="utf-8")
        command = [program, *(part.format(svg=source, to=to) for part in told)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, check=False)
        if done.returncode:
            raise BadInput(f"{program} could not draw {to.name}: {done.stderr.strip()[:200]}")
    except subprocess.TimeoutExpired as late:
        raise BadInput(f"{program} did not end within {LONGEST} seconds; save as .svg.") from late
    finally:
        source.unlink(missing_ok=True)


MOST_LASTING = 24
"""How much of what is so for good is put into words: more would not fit."""


_OUTSIDE = {
    (True, True): "it is over", (True, False): "it was over",
    (False, True): "it has not begun", (False, False): "it had not begun",
}  # fmt: skip
"""By whether it was over at the moment, and whether that is today."""


def seen(slot: Slot, pointed: Fact, at: Cursors, heard: Mapping[str, Fact] = MappingProxyType({})) -> str:
    """What the fact of a slot that lies nearest to the cursors says of them; `heard` has facts with the words that they
    were told in."""
    said = heard.get(pointed.id, pointed)
    known, when = whole(said, slot.facts), _capital(at.on(at.belief))
    if when == "Today":
        when = f"Earlier today, at {clock_time(Instant.of(moment(at.belief, at.zone)))},"
    today = [heard.get(one.id, one) for one in slot.at(at.world, at.now)]
    after = ""
    if today and find(slot.key[1]).cardinality == "one":
        after = f"; today you know that {_clause(today[0], past=at.world < at.now)}"
    if said.believed_from.us > at.belief:
        return f"{when} you had said nothing of this{after}."
    if known.believed_to is not None and known.believed_to.us <= at.belief:
        wrong = "; it was never so" if never_true(known) else "" if after else "; today you no longer believe it"
        return f"{_capital(believed(known, at.now))} you believed that {_clause(said, past=True)}{wrong}{after}."
    if at.believed_at is None:
        return _known(slot, said, at).removesuffix(".") + _against(slot, said) + "."
    told, of = _clause(said, past=True), at.on(at.world)
    if not _holds(said, at.world):
        outside = _OUTSIDE[_over(said, at.world), of == "today"]
        return f"{when} you believed that {told}, {since(said, at.now)}; {of} {outside}."
    if any((one.object, one.negative) == (said.object, said.negative) for one in today):
        after = "; you still believe it"
    after = after or "; today you no longer believe it"
    if at.true_at is None or of == at.on(at.belief):
        return f"{when} you believed that {told}{after}."
    if at.world > at.belief:
        return f"{when} you believed, of {of.removeprefix('on ')}, that {told}{after}."
    return f"{when} you believed that {of} {told}{after}."


def _known(slot: Slot, one: Fact, at: Cursors) -> str:
    """What is known now of a moment of the world."""
    day = _capital(at.on(at.world))
    if at.true_at is not None and _holds(one, at.world):
        still = day == "Today" and _holds(one, at.now)
        return f"{day}, as you know now, {_clause(one, past=at.world < at.now and not still)}."
    heard = whole(one, slot.facts).believed_from.us
    if at.true_at is not None and _is_unsaid(slot, one, at):
        whether = f"Whether {_clause(one, past=True)} {at.on(at.world)}, nobody said"
        return f"{whether}; you first spoke of it {at.on(heard)}."
    if at.true_at is not None:
        when = until(one, at.now) if one.precision is Precision.OPEN and one.valid_to is not None else ""
        told = f"{_clause(one, past=_over(one, at.now))}, {when or since(one, at.now)}"
        not_yet = "this had not happened" if find(one.predicate).temporal == "event" else "this had not begun"
        not_then = "this was over" if _over(one, at.world) else not_yet
        return f"{day} {not_then}, as far as you know now; {told}."
    told = f"{one.text.removesuffix('.')}, {since(one, at.now)}"
    first = "" if heard == one.believed_from.us else "first "
    return f"{told}." if one.precision is Precision.OPEN else f"{told}; you {first}said so {at.on(heard)}."


def _is_unsaid(slot: Slot, one: Fact, at: Cursors) -> bool:
    """Nobody said when it began, so that it may have held at the moment, before it was first spoken of; where another
    value did, it did not."""
    predicate = find(one.predicate)
    before = one.precision is Precision.OPEN and one.valid_from is not None and at.world < one.valid_from.us
    other = predicate.cardinality == "one" and bool(slot.at(at.world, at.belief))
    return before and predicate.temporal != "event" and not other


def _holds(one: Fact, us: int) -> bool:
    return not _over(one, us) and (one.valid_from is None or one.valid_from.us <= us)


def _over(one: Fact, us: int) -> bool:
    return one.valid_to is not None and one.valid_to.us <= us


def _against(slot: Slot, fact: Fact) -> str:
    """What else is believed of it, where both cannot hold."""
    rivals = [one for one in slot.facts if one.disputed and one.believed_to is None and one.object != fact.object]
    others = " and ".join(dict.fromkeys(map(value, rivals)))
    return f"; in dispute with {others}" if fact.disputed and rivals else ""


def _clause(fact: Fact, *, past: bool = False) -> str:
    text = (closed(clause(worded(fact, past=True))) if past else fact.text).removesuffix(".")
    return text[:1].lower() + text[1:] if text.startswith(("You", "The ")) else text


def for_good(view: LaneView, believed_at: int) -> list[list[tuple[str, str]]]:
    """All that is so for good, as it was believed at a moment (microseconds UTC), each with what it is, and what is so
    of somebody else together: ("name", "Rita"); ("Ana born in", "Faro"), ("child", "Tom")."""
    found: dict[object, list[tuple[str, str]]] = {}
    for slot in sorted(view.lasting[:MOST_LASTING], key=lambda slot: slot.key != ("me", "name")):
        subject, predicate = slot.key
        said = (" or " if find(predicate).cardinality == "one" else " and ").join(
            map(value, slot.believed(believed_at))
        )
        about = found.setdefault(slot.key if subject == "me" else subject, [])
        if said:
            about.append((called(predicate) if subject == "me" or about else f"{subject} {called(predicate)}", said))
    return [about for about in found.values() if about]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


MOST = 50
"""Questions that are looked through with n."""
EMPTY = "Type whom or what it is about, or a question:\n\nlives · Ana school · where did I work"


class MapScreen(PictureScreen):
    """Both times of one question."""

    PLACE = "what did I believe when"
    JOB = Job.READ_MAP
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

    def reading(self, saying: str = "reading…") -> None:
        super().reading(saying)

    def fetch(self, memory: Memory) -> LaneIndex:
        with long_read():
            return LaneIndex(memory.beliefs.outline(), self.services.now)

    def fetched(self, known: LaneIndex) -> None:
        self.known = known
        self.heard.clear()
        self.query_one(TopLine).reading = ""
        self.narrow(self.typed)

    # -- the question

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """To the map; what no lane is called is asked of the memory."""
        event.prevent_default()  # the question stays in view
        words = plain(event.value).strip()
        if self._found:
            self.main.focus()
        elif words:
            self.ask(Job.READ_MEANING, partial(_asked_about, words), partial(self._answered, words))

    def _answered(self, words: str, about: Collection[tuple[str, str]]) -> None:
        slots = [] if self.known is None else [slot for slot in self.known.slots if slot.key in about]
        if not slots:
            self.flash(f"Nothing that was believed answers “{one_line(words, 60)}”.", bad=True)
            return
        self._take(slots)
        self.main.focus()

    def narrow(self, words: str) -> None:
        """The slots that hold the words: those that they name before those of which they are a value; of these, those
        that changed most first."""
        slots = [] if self.known is None or not words.strip() else self.known.matching(words).slots
        wanted = words.casefold().split()
        self._take(sorted(slots, key=lambda slot: (not slot.named(wanted), slot.lasting, -len(slot.held))))

    def _take(self, slots: Sequence[Slot]) -> None:
        self._found = [(slot, facts) for slot in slots[:MOST] for facts in apart(slot.facts)]
        self.action_turn(-self._place)

    def action_turn(self, amount: int) -> None:
        """Show the question so many further on."""
        self.set_class(not self._found, "-empty")
        self.refresh_bindings()
        head = self.query_one("#head", Static)
        if not self._found:
            self._place = 0
            head.update("")
            return
        self._place = (self._place + amount) % len(self._found)
        slot, facts = self._found[self._place]
        which = f"   {self._place + 1} of {len(self._found)}" if len(self._found) > 1 else ""
        dispute = " · in dispute" if any(one.disputed for one in facts) else ""
        told = f"   {count(len(facts), 'belief')}{dispute}{which}"
        head.update(lines((slot.label, "bold $primary"), (told, QUIET)), layout=False)
        self.main.show(facts, self.services.now, *self._at)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Where there is one question, there is none to go on to."""
        return len(self._found) > 1 if action == "turn" else bool(self._found) or action != "save"

    # -- the map

    def on_belief_map_pointed(self, event: BeliefMap.Pointed) -> None:
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
        told = Heading(f"What did I believe when: {slot.label}", self._told)
        at = Cursors(self.main.true_at, self.main.believed_at, self.services.now, self.services.zone)
        draw = partial(map_svg, facts, at, told)
        name = f"erstwhile-map-{self.services.today}"
        return Shown(told.title, name, draw, lambda colours: [draw(colours)], each_once(facts))


def _asked_about(words: str, memory: Memory) -> Collection[tuple[str, str]]:
    """What the words ask for; else what the answer to them rests on."""
    answering = memory.answering
    return answering.asked_about(words) or {(fact.subject, fact.predicate) for fact in answering.ask(words).facts}


MOST_WORDS = 200
"""Characters of the line of what is so for good, in a picture."""
MOST_SAVED = 400
"""Lanes of the pages: more would be too many."""
GOOD_IN_ONE = 120
"""Columns from which on what is so for good stands on one line."""
SENTENCE_IN_TWO = 75
"""Columns from which on the sentence on top fits into two lines."""
FIRST_PAGE = 1000
"""Rectangles that are read, and shown, before the rest of a long timeline is."""
MOST_DIFFERENCES = 500


class TimelineScreen(PictureScreen):
    """Beliefs over time."""

    PLACE = "timeline"
    JOB = Job.READ_TIMELINE
    DEFAULT_CSS = """
    TimelineScreen.-empty Lanes, TimelineScreen.-empty #detail { display: none; }
    TimelineScreen #seen { height: 2; padding: 0 2; text-style: bold; text-overflow: ellipsis; }
    TimelineScreen.-narrow KeyLine, TimelineScreen.-medium KeyLine { height: 2; }
    TimelineScreen #for-good { height: 1; padding: 0 2; }
    TimelineScreen.-empty #seen, TimelineScreen.-empty #for-good { display: none; }
    TimelineScreen #detail { height: 4; padding: 0 2; border-top: solid $rule; border-title-align: left; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "back", id="timeline.back"),
        Binding("g", "ask_date", "date", id="timeline.date"),
        Binding("slash", "filter", "filter", id="timeline.filter"),
        Binding("equals_sign", "compare", "differences", key_display="=", id="timeline.compare"),
        Binding("a", "ask_here", "ask as of here", id="timeline.ask"),
        Binding("v", "map", "map", id="timeline.map"),
        Binding("ctrl+f", "app.search", "search", show=False, id="timeline.search"),
        Binding("ctrl+l", "app.beliefs", "beliefs", show=False, id="timeline.beliefs"),
    ]

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._told = ""
        """What the sentence on top says."""
        self._good: list[Content] = []
        """What the line of what is so for good says."""

    @property
    def main(self) -> Lanes:
        return self.query_one(Lanes)

    def body(self) -> ComposeResult:
        nothing = "Nothing is believed yet.\n\nTell me something in the chat (esc), and it gets a lane here."
        yield FilterLine(placeholder="filter: words that a lane must hold; enter keeps, esc clears", id="filter")
        yield Static("", id="seen", markup=False)
        yield Static("", id="for-good", markup=False)
        yield Lanes(zone=self.services.zone, id="lanes")
        yield Static(lines(nothing), id="empty", markup=False)
        yield Static("", id="detail", markup=False)

    def reading(self, saying: str = "") -> None:
        super().reading("reading…" if self.known is None else "")

    def fetch(self, memory: Memory) -> LaneIndex:
        """A first page at once; all of them, where there are more, when they are there."""
        now = self.services.now
        first = memory.beliefs.outline(FIRST_PAGE)
        if len(first) < FIRST_PAGE:
            return LaneIndex(first, now)
        if self.known is None:
            self.call_later(self.fetched, LaneIndex(first, now), more=True)
        with long_read():
            return LaneIndex(memory.beliefs.outline(), now)

    def fetched(self, known: LaneIndex, *, more: bool = False) -> None:
        self.known = known
        self.heard.clear()
        self.set_class(not known.facts, "-empty")
        self.refresh_bindings()
        top = self.query_one(TopLine)
        top.place = f"timeline · {count(known.facts, 'belief')}"
        top.reading = "reading on…" if more else ""
        self.main.show(known, self.services.now, self.typed)
        self._say_groups()

    def on_times_moved(self, event: TimesMoved) -> None:
        self.say_times(event.true_at, event.believed_at)

    def on_lanes_no_change(self, event: Lanes.NoChange) -> None:
        way = "earlier" if event.direction < 0 else "later"
        of = "in the world" if event.axis == "true" else "of mind"
        closer = "; + shows those of this day apart" if event.closer else ""
        self.flash(f"There is no {way} change {of}{closer}.", bad=True)

    def on_lanes_pointed(self, event: Lanes.Pointed) -> None:
        self._show_detail(event.fact)
        if event.fact is not None and (slot := self.main.slot) is not None:
            at = self.main.cursors
            self.hear([event.fact, *slot.at(at.world, at.now)[:1]], lambda: self._show_detail(self.main.pointed))

    def _show_detail(self, fact: Fact | None) -> None:
        """The sentence on top, what is so for good, and what is marked."""
        if self.known is None:  # nothing is known of what was believed
            return
        at, slot = self.main.cursors, self.main.slot
        fact = None if fact is None else self.heard.get(fact.id, fact)
        told = "" if slot is None or fact is None else seen(slot, fact, at, self.heard)
        good = [
            lines((", ", QUIET)).join([lines((f"{what} ", QUIET), said) for what, said in pieces])
            for pieces in for_good(self.main.view, at.belief)
        ]
        if told != self._told:
            self._told = told
            of_what = "" if slot is None or not told else f"{slot.label}: "  # the sentence is of the marked row
            self.query_one("#seen", Static).update(lines((of_what, QUIET), told), layout=False)
        if good != self._good:
            self._good = good
            self._say_for_good()
        held = [] if slot is None else slot.facts
        shown = fact_detail(fact, at.world, at.belief, max(20, self.size.width - 5), at.now, held)
        self.query_one("#detail", Static).update(shown, layout=False)

    def _say_for_good(self) -> None:
        """On a line, or two where they are short; what does not fit is counted, and no piece is cut."""
        line = self.query_one("#for-good", Static)
        room = (self.size.width - 4) * (1 if self.size.width >= GOOD_IN_ONE else 2)
        shown = joined(self._good, room)
        line.styles.height = 2 if shown.cell_length > self.size.width - 4 else 1
        line.update(shown)

    def _say_groups(self) -> None:
        """Which colour is which part of life, on the rule above the detail."""
        named = [lines(("■ ", f"${group}"), (group, QUIET)) for group in self.main.view.groups]
        self.query_one("#detail").border_title = lines("  ").join(named)

    def on_resize(self) -> None:
        # The longest sentences have some 130 characters. The height is fixed, for lanes must not jump at a step.
        self.query_one("#seen").styles.height = 3 if self.size.width < SENTENCE_IN_TWO else None
        self._say_for_good()
        self.main.refresh()

    # -- keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Where nothing is believed, there is nothing to filter, to go to or to compare."""
        return not (self.has_class("-empty") and action in ("ask_date", "filter", "compare", "ask_here", "map", "save"))

    def narrow(self, words: str) -> None:
        self.main.filter(words)
        self._say_groups()

    def _ask_when(self, title: str, then: Callable[[int], object]) -> None:
        """Ask for a date; `then` gets where it begins, or else ends."""

        def read(stretch: Stretch) -> None:
            us = stretch.end if stretch.start is None else stretch.start
            if us is not None:
                then(us)

        self.ask_in(WhenDialog(title, self.services.parse_when, self.services.in_words), read)

    def action_ask_date(self) -> None:
        lanes = self.main
        title = "True at which time?" if lanes.axis == "true" else "Believed at which time?"
        self._ask_when(title, lambda us: lanes.go(lanes.axis, None if us == self.services.now else us))

    def action_compare(self) -> None:
        """What differs between the cursors' moment and now; with both on now, a date is asked for."""
        lanes, now = self.main, self.services.now
        if lanes.true_at is None and lanes.believed_at is None:
            self._ask_when("What differs between now and when?", lambda us: self._compare(us, us))
        else:
            self._compare(
                now if lanes.true_at is None else lanes.true_at, now if lanes.believed_at is None else lanes.believed_at
            )

    def _compare(self, true_at: int, believed_at: int) -> None:
        """In a worker: a long timeline has much to look through."""
        now, view = self.services.now, self.main.view
        both = (Moment(true_at, believed_at), Moment(now, now))
        first, second = sorted(both, key=lambda one: (one.true_at, one.believed_at))
        title = f"From {self._moment_words(first)} to {self._moment_words(second)}"

        def differ() -> list[Difference]:
            before, after = (view.holding(one.true_at, one.believed_at) for one in (first, second))
            return differences(before, after)

        start(
            self, Job.COMPARE, differ, lambda found: self.ask_in(DifferenceDialog(title, found), self.app.post_message)
        )

    def _moment_words(self, one: Moment) -> str:
        now = self.services.now
        true_at = self.services.in_words(None if one.true_at == now else one.true_at)
        believed = self.services.in_words(None if one.believed_at == now else one.believed_at)
        return true_at if true_at == believed else f"{true_at} (as believed {believed})"

    def action_map(self) -> None:
        """Both times of the marked lane, as a map at the same times that comes back here."""
        lanes = self.main
        words = "" if lanes.slot is None else f"{lanes.slot.key[0]} {lanes.slot.label}"
        self.app.push_screen(MapScreen(self.services, words, (lanes.true_at, lanes.believed_at)))

    def shown(self) -> Shown | None:
        """The lanes in view as a picture, and on pages every lane that the filter lets through, as it is drawn now."""
        lanes, now, at = self.main, self.services.now, self.main.cursors
        rows = LaneRows(lanes.view, at.belief)
        below = rows.below(At(), MOST_SAVED)
        found = [lane for row in below if (lane := rows.lane(row)) is not None]
        if not found:
            return None
        day = date_words(Instant.of(moment(now, self.services.zone)), Precision.DAY)
        told = Heading(f"Timeline, {day}", self._told, joined(self._good, MOST_WORDS).plain)
        span = lanes.scale.start, lanes.scale.end
        draw = partial(timeline_svg, lanes.in_view, span, at, told)
        pages = partial(timeline_pages, found, span, at, told)
        held = [one for place in sorted({row.slot for row in below}) for one in rows.slots[place].facts]
        facts = all_whole((bar.fact for lane in found for bar in lane.bars), held)
        return Shown(told.title, f"erstwhile-timeline-{self.services.today}", draw, pages, facts)

    def action_ask_here(self) -> None:
        """Questions in the chat are asked at these two times from now on."""
        lanes = self.main
        as_of = None if lanes.true_at is None else Stretch(lanes.true_at, lanes.true_at + 1)
        self.services.times = Times(as_of, lanes.believed_at)
        self.dismiss(None)


def joined(pieces: list[Content], room: int) -> Content:
    """As many pieces as there is room for, and how many more there are."""
    for left in range(len(pieces)):
        shown = pieces[: len(pieces) - left] + [lines((f"and {left} more", QUIET))] * bool(left)
        if (one := lines((" · ", QUIET)).join(shown)).cell_length <= room:
            return one
    return lines("")


class DifferenceDialog(ListDialog):
    """What differs from one moment to another. Dismisses with the belief that was chosen."""

    DEFAULT_CSS = """
    DifferenceDialog Choices { max-height: 60vh; }
    DifferenceDialog .legend { margin: 0 0 1 0; }
    """

    def __init__(self, title: str, found: list[Difference]) -> None:
        super().__init__()
        self.heading, self.found = title, found

    def compose(self) -> ComposeResult:
        found, most = self.found, MOST_DIFFERENCES
        rows = [Row(difference_line(one, self.room), one) for one in found[:most]]
        if len(found) > most:
            rows.append(Row(lines((f"and {len(found) - most:,} more", QUIET))))
        legend = f"{count(len(found), 'difference')}   + begun  − ended  ~ changed" if found else ""
        hint = "enter opens the chain, esc closes" if found else "esc closes"
        with Vertical(classes="box"):
            yield Static(lines((self.heading, "bold")), markup=False)
            yield Static(lines((legend, QUIET)), classes="legend", markup=False)
            yield Choices(rows or [Row(lines(("Nothing differs.", QUIET)))], id="differences")
            yield Static(lines((hint, QUIET)), classes="hint", markup=False)

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        if isinstance(event.record, Difference):
            self.dismiss(FactChosen(event.record.fact))
