"""Searching shows what was found while one types; a later query replaces an earlier one, and enter goes to the words
themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input, Static

from app.core import deeds
from app.core.conversation import Listed, listed
from app.core.deeds import Radius
from app.core.turn import MEMORY_SPEAKER, NO_MODEL
from app.tui.jobs import Job, JobFailed
from app.tui.screens.dialogs import Dialog
from app.tui.screens.doing import DoingScreen
from app.tui.services import Services
from store.episodes.terms import day_terms, query_terms, terms
from store.errors import NotFound
from store.records import Fact, Hit, Session
from widgets.choices import Choices, opened
from widgets.look import QUIET, lines
from widgets.plain import one_line, plain
from widgets.result_rows import result_rows, session_rows
from widgets.wording import about, milliseconds, moment, titled

if TYPE_CHECKING:
    from store.memory import Memory

MOST_FACTS = 8
MOST_TURNS = 40
PAUSE = 0.12
"""Seconds of no keystroke before a search begins."""


MOST_NEAR = 8
"""Of the turns that have no word of the query, how many are shown: everything is near in meaning to something."""

Results = tuple[list[Fact], list[Hit], float]
"""Beliefs, turns, and how many milliseconds it took to find them."""


class Finder(Dialog[Message], DoingScreen[Message]):
    """A field above a list; the arrows work from the field. Dismisses with the message that says what was chosen."""

    DEFAULT_CSS = """
    Finder { align: center top; background: $background; }
    Finder > .box { width: 100; max-width: 96%; height: 1fr; max-height: 100%; margin: 2 0; padding: 1; }
    Finder Choices { height: 1fr; background: $panel; margin: 1 0 0 0; }
    Finder Choices > .choices--marked { background: $block-cursor-background; }
    Finder .said { height: 1; padding: 0 1; color: $quiet; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "move(1)", "down", show=False, priority=True, id="finder.down"),
        Binding("up", "move(-1)", "up", show=False, priority=True, id="finder.up"),
    ]
    PLACEHOLDER = ""
    HINT = "enter opens, esc closes"

    def __init__(self, services: Services) -> None:
        super().__init__()
        self.services = services

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Input(placeholder=self.PLACEHOLDER, id="query")
            yield Choices(id="results")
            yield Static("", classes="said", markup=False)

    def on_mount(self) -> None:
        self.query_one(Input).focus()
        self.say(self.HINT)

    def say(self, words: str) -> None:
        self.query_one(".said", Static).update(lines((words, QUIET)))

    def flash(self, words: str, *, bad: bool = False) -> None:
        """Say something that passes."""
        self.say(words)

    def on_job_failed(self, event: JobFailed) -> None:
        """What is listed is not what was asked for."""
        if event.job in (Job.SEARCH, Job.LIST_SESSIONS):
            self.query_one(Choices).show_rows([])
            self.say(one_line(event.in_place))
            if event.expected:
                event.stop()  # it is told here

    def action_move(self, amount: int) -> None:
        choices = self.query_one(Choices)
        if amount > 0:
            choices.action_cursor_down()
        else:
            choices.action_cursor_up()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.choose(self.query_one(Choices).pointed)

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        event.stop()
        self.choose(event.record)

    def choose(self, record: object) -> None:
        """Close with what was chosen."""
        if (message := opened(record)) is not None:
            self.dismiss(message)

    @property
    def width(self) -> int:
        return max(24, self.query_one(Choices).size.width - 3)


class SearchDialog(Finder):
    """Everything that was ever said, and what is believed of it."""

    PLACEHOLDER = "search all turns and beliefs"
    HINT = "type words of what was said; enter opens what is found, esc closes"

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._pause: Timer | None = None
        self._held: list[Fact] | None = None
        """What is believed; read once, after the first turns were found."""

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if self._pause is not None:
            self._pause.stop()
        query = plain(event.value).strip()
        self._pause = self.set_timer(PAUSE, partial(self._search, query))

    def _search(self, query: str) -> None:
        if not query:
            self.query_one(Choices).show_rows([])
            self.say(self.HINT)
            return
        self.ask(Job.SEARCH, partial(self._fetch, query), partial(self._found, query))

    def _fetch(self, query: str, memory: Memory) -> Results:
        recollection = memory.recall.search(query, k=MOST_TURNS)
        hits = own_words_first(memory, [hit for hit in recollection.hits if hit.kind == "episode"])
        if self._held is None:
            if hits:
                self.call_later(self._found, query, ([], hits, recollection.elapsed_ms))
            self._held = memory.beliefs.facts()
        return matching_facts(self._held, query)[:MOST_FACTS], hits, recollection.elapsed_ms

    def _found(self, query: str, results: Results) -> None:
        if query != plain(self.query_one(Input).value).strip():
            return
        facts, hits, elapsed_ms = results
        said = [hit for hit in hits if has_word(hit, query)]
        near = [hit for hit in hits if hit not in said and hit.speaker != MEMORY_SPEAKER][:MOST_NEAR]
        rows = result_rows(facts, said, near, query, self.services.now, self.width)
        self.query_one(Choices).show_rows(rows)
        found = milliseconds(elapsed_ms) if rows else "nothing found; try fewer or other words"
        self.say(f"{found} · ↑↓ choose, enter opens, esc closes" if rows else found)


def own_words_first(memory: Memory, hits: Sequence[Hit]) -> list[Hit]:
    """What people said, then what was replied to them; without what the memory replies where it has nothing to say."""
    told = [hit for hit in hits if (hit.speaker, hit.text) != (MEMORY_SPEAKER, NO_MODEL)]
    return sorted(told, key=lambda hit: _is_reply(memory, hit))


def _is_reply(memory: Memory, hit: Hit) -> bool:
    try:
        return memory.episodes.get(hit.id).role == "assistant"
    except NotFound:  # it was erased meanwhile
        return False


def has_word(hit: Hit, query: str) -> bool:
    """A word of the turn begins with one of the query, whatever its ending; the name of who said it counts, and its
    day."""
    held = {*terms(hit.text), *terms(hit.speaker), *day_terms(hit.said_at.local().date())}
    wanted = tuple(query_terms(query))
    return any(term.startswith(wanted) for term in held)


def matching_facts(facts: list[Fact], query: str) -> list[Fact]:
    """The facts whose own words hold every word of the query, else those that share a slot with one that does."""
    words = query.casefold().split()
    own = [fact for fact in facts if all(word in f"{fact.text} {fact.object}".casefold() for word in words)]
    if own:
        return own
    named = {
        (fact.subject, fact.predicate)
        for fact in facts
        if all(word in f"{fact.subject} {about(fact)} {fact.predicate} {fact.object}".casefold() for word in words)
    }
    return [fact for fact in facts if (fact.subject, fact.predicate) in named]


SESSION_KEYS = "enter opens, ctrl+r renames, ctrl+t pins, ctrl+e exports, ctrl+x erases, esc closes"
NO_SESSION = "no conversation yet; say something, and this will be one"
NOTHING_FOUND = "no conversation is called so; try fewer or other words"
ANSWERING = "A reply is being written in it; esc in the chat stops that."


class SessionsDialog(Finder):
    """All conversations, the pinned and the latest first."""

    DEFAULT_CSS = "SessionsDialog .said { height: auto; }"
    PLACEHOLDER = "filter conversations"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+r", "rename", "rename", priority=True, id="sessions.rename"),
        Binding("ctrl+t", "pin", "pin", priority=True, id="sessions.pin"),
        Binding("ctrl+e", "export_marked", "export", priority=True, id="sessions.export"),
        Binding("ctrl+x", "erase", "erase", priority=True, id="sessions.erase"),
    ]

    def __init__(self, services: Services, answers: Callable[[str], bool] = lambda _key: False) -> None:
        """`answers` tells whether a reply is being written in the conversation with this key."""
        super().__init__(services)
        self._listed = Listed()
        self._answers = answers
        self._done = ""
        """What was done last, in a sentence; it stands where the keys do until something is typed."""

    def on_mount(self) -> None:
        self.refetch()

    def refetch(self) -> None:
        self.ask(Job.LIST_SESSIONS, listed, self._fetched)

    def _fetched(self, found: Listed) -> None:
        self._listed = found
        self._show(plain(self.query_one(Input).value))

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._done = ""
        self._show(plain(event.value))

    def _show(self, words: str) -> None:
        wanted = words.casefold().split()
        kept = [
            session
            for session in self._listed.sessions
            if all(word in f"{titled(session)} {session.key}".casefold() for word in wanted)
        ]
        choices, marked = self.query_one(Choices), self._marked
        today = moment(self.services.now, self.services.zone).date()
        rows = session_rows(kept, self.width, today, self._listed.versions)
        keys = [row.record.key if isinstance(row.record, Session) else None for row in rows]
        choices.show_rows(rows, keys.index(marked.key) if marked is not None and marked.key in keys else None)
        self.say(self._done or (SESSION_KEYS if kept else NOTHING_FOUND if wanted else NO_SESSION))

    @property
    def _marked(self) -> Session | None:
        marked = self.query_one(Choices).pointed
        return marked if isinstance(marked, Session) else None

    def action_pin(self) -> None:
        if (one := self._marked) is not None:
            self._change(lambda memory: memory.sessions.pin(one.key, off=one.pinned))

    def action_rename(self) -> None:
        if (one := self._marked) is not None:
            self.app.push_screen(RenameDialog(one), partial(self._rename, one))

    def _rename(self, one: Session, title: str | None) -> None:
        if title is not None:
            self._change(lambda memory: memory.sessions.rename(one.key, title))

    def action_export_marked(self) -> None:
        if (one := self._marked) is not None:
            self.export(one.key, titled(one))

    def erasing(self) -> Callable[[Memory], Radius] | None:
        one = self._marked
        if one is None:
            return None
        if self._answers(one.key):
            self.flash(ANSWERING, bad=True)
            return None
        return deeds.radius_of_session(one.key, titled(one))

    def flash(self, words: str, *, bad: bool = False) -> None:
        self._done = words
        super().flash(words, bad=bad)

    def _change(self, work: Callable[[Memory], None]) -> None:
        """In the background; then the list is read anew."""
        self._done = ""

        def changed(memory: Memory) -> Listed:
            work(memory)
            return listed(memory)

        self.ask(Job.CHANGE_SESSION, changed, self._fetched)


class RenameDialog(Dialog[str]):
    """Asks what a conversation is to be called."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static(lines("What is this conversation called?"), classes="title", markup=False)
            yield Input(value=one_line(self.session.title), placeholder="a title", id="title")
            yield Static(lines(("enter keeps it, esc leaves it as it is", QUIET)), markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.dismiss(one_line(event.value) or None)
