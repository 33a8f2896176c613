"""A field above a list shows what was found while one types; a later query replaces an earlier one; enter goes there.

So one goes to words that were said, to another conversation, and to another profile: another memory, with a file of its
own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input, Static

from app import paths
from app.core import deeds
from app.core.conversation import Listed, listed
from app.core.deeds import Radius
from app.core.turn import MEMORY_SPEAKER, NO_MODEL
from app.tui.jobs import Job, JobFailed
from app.tui.screens.base import DoingScreen
from app.tui.screens.dialogs import AskDialog, Dialog
from app.tui.services import ProfileChosen, Services
from store.episodes.terms import day_terms, query_terms, terms
from store.errors import BadInput, NotFound
from store.memory import Memory
from store.records import Fact, Hit, Session
from widgets.choices import Choices, Row, opened
from widgets.look import NOW, QUIET, lines
from widgets.plain import one_line, plain
from widgets.result_rows import result_rows, session_rows
from widgets.wording import about, megabytes, milliseconds, moment, titled

MOST_FACTS = 8
MOST_TURNS = 40
MOST_NEAR = 8
"""Of the turns that have no word of the query, how many are shown: everything is near in meaning to something."""
PAUSE = 0.12
"""Seconds of no keystroke before a search begins."""


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
        Binding("down", "cursor_down", "down", show=False, priority=True, id="finder.down"),
        Binding("up", "cursor_up", "up", show=False, priority=True, id="finder.up"),
    ]
    PLACEHOLDER = ""
    HINT = "enter opens, esc closes"

    def __init__(self, services: Services) -> None:
        super().__init__()
        self.services, self.choices = services, Choices(id="results")

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Input(placeholder=self.PLACEHOLDER, id="query")
            yield self.choices
            yield Static("", classes="said", markup=False)

    def on_mount(self) -> None:
        self.query_one(Input).focus()
        self.say(self.HINT)

    def say(self, words: str) -> None:
        self.query_one(".said", Static).update(lines((words, QUIET)))

    def flash(self, words: str, *, bad: bool = False) -> None:
        self.say(words)

    def on_job_failed(self, event: JobFailed) -> None:
        """What is listed is not what was asked for."""
        if event.job in (Job.SEARCH, Job.LIST_SESSIONS):
            self.choices.show_rows([])
            self.say(one_line(event.in_place))
            if event.expected:
                event.stop()  # it is told here

    @property
    def width(self) -> int:
        return max(24, self.choices.size.width - 3)

    def action_cursor_down(self) -> None:
        self.choices.action_cursor_down()

    def action_cursor_up(self) -> None:
        self.choices.action_cursor_up()

    def on_input_changed(self, event: Input.Changed) -> None:
        self.typed(plain(event.value))

    def typed(self, words: str) -> None:
        """Show what these words mean."""

    def on_input_submitted(self) -> None:
        self.choose(self.choices.pointed)

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        self.choose(event.record)

    def choose(self, record: object) -> None:
        """Close with what was chosen."""
        if (message := opened(record)) is not None:
            self.dismiss(message)


# -- everything that was said

Results = tuple[list[Fact], list[Hit], float]
"""Beliefs, turns, and how many milliseconds it took to find them."""


class SearchDialog(Finder):
    """Everything that was ever said, and what is believed of it."""

    PLACEHOLDER = "search all turns and beliefs"
    HINT = "type words of what was said; enter opens what is found, esc closes"

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._pause: Timer | None = None
        self._held: list[Fact] | None = None
        """What is believed; read once, after the first turns were found."""

    def typed(self, words: str) -> None:
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(PAUSE, partial(self._search, words.strip()))

    def _search(self, query: str) -> None:
        if query:
            self.ask(Job.SEARCH, partial(self._fetch, query), partial(self._found, query))
        else:
            self.choices.show_rows([])
            self.say(self.HINT)

    def _fetch(self, query: str, memory: Memory) -> Results:
        recollection = memory.recall.search(query, k=MOST_TURNS)
        hits = _own_words_first(memory, [hit for hit in recollection.hits if hit.kind == "episode"])
        if self._held is None:
            if hits:
                self.call_later(self._found, query, ([], hits, recollection.elapsed_ms))
            self._held = memory.beliefs.facts()
        return _matching(self._held, query)[:MOST_FACTS], hits, recollection.elapsed_ms

    def _found(self, query: str, results: Results) -> None:
        if query != plain(self.query_one(Input).value).strip():
            return
        facts, hits, elapsed_ms = results
        said = [hit for hit in hits if has_word(hit, query)]
        near = [hit for hit in hits if hit not in said and hit.speaker != MEMORY_SPEAKER][:MOST_NEAR]
        rows = result_rows(facts, said, near, query, self.services.now, self.width)
        self.choices.show_rows(rows)
        found = f"{milliseconds(elapsed_ms)} · ↑↓ choose, enter opens, esc closes"
        self.say(found if rows else "nothing found; try fewer or other words")


def _own_words_first(memory: Memory, hits: Sequence[Hit]) -> list[Hit]:
    """What people said, then what was replied to them; without what the memory replies where it has nothing to say."""

    def is_reply(hit: Hit) -> bool:
        try:
            return memory.episodes.get(hit.id).role == "assistant"
        except NotFound:  # it was erased meanwhile
            return False

    return sorted((hit for hit in hits if (hit.speaker, hit.text) != (MEMORY_SPEAKER, NO_MODEL)), key=is_reply)


def has_word(hit: Hit, query: str) -> bool:
    """A word of the turn begins with one of the query, whatever its ending; the name of who said it counts, and its
    day."""
    held = {*terms(hit.text), *terms(hit.speaker), *day_terms(hit.said_at.local().date())}
    wanted = tuple(query_terms(query))
    return any(term.startswith(wanted) for term in held)


def _matching(facts: list[Fact], query: str) -> list[Fact]:
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


# -- conversations

SESSION_KEYS = "enter opens, ctrl+r renames, ctrl+t pins, ctrl+e exports, ctrl+x erases, esc closes"
NO_SESSION = "no conversation yet; say something, and this will be one"
NOTHING_FOUND = "no conversation is called so; try fewer or other words"
ANSWERING = "A reply is being written in it; esc in the chat stops that."


class RenameDialog(AskDialog[str]):
    """Asks what a conversation is to be called."""

    def __init__(self, title: str) -> None:
        super().__init__(
            "What is this conversation called?", "enter keeps it, esc leaves it as it is",
            lambda words: one_line(words) or None, value=title, placeholder="a title",
        )  # fmt: skip


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

    def typed(self, words: str) -> None:
        self._done = ""
        self._show(words)

    def _show(self, words: str) -> None:
        wanted = words.casefold().split()
        kept = [
            session
            for session in self._listed.sessions
            if all(word in f"{titled(session)} {session.key}".casefold() for word in wanted)
        ]
        marked = self._marked
        today = moment(self.services.now, self.services.zone).date()
        rows = session_rows(kept, self.width, today, self._listed.versions)
        keys = [row.record.key if isinstance(row.record, Session) else None for row in rows]
        self.choices.show_rows(rows, keys.index(marked.key) if marked is not None and marked.key in keys else None)
        self.say(self._done or (SESSION_KEYS if kept else NOTHING_FOUND if wanted else NO_SESSION))

    @property
    def _marked(self) -> Session | None:
        marked = self.choices.pointed
        return marked if isinstance(marked, Session) else None

    def action_pin(self) -> None:
        if (one := self._marked) is not None:
            self._change(lambda memory: memory.sessions.pin(one.key, off=one.pinned))

    def action_rename(self) -> None:
        if (one := self._marked) is not None:
            self.ask_in(RenameDialog(one_line(one.title)), partial(self._rename, one.key))

    def _rename(self, key: str, title: str) -> None:
        self._change(lambda memory: memory.sessions.rename(key, title))

    def action_export_marked(self) -> None:
        if (one := self._marked) is not None:
            self.export(one.key, titled(one))

    def erasing(self) -> Callable[[Memory], Radius] | None:
        one = self._marked
        if one is not None and self._answers(one.key):
            self.flash(ANSWERING, bad=True)
            return None
        return None if one is None else deeds.radius_of_session(one.key, titled(one))

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


# -- profiles: one memory is open at a time, so to go to another is to leave this one


class ProfilesDialog(Finder):
    """The profiles that there are, by the names of their files, and the one that a new name would make."""

    PLACEHOLDER = "a profile, such as work"
    HINT = "enter goes there, a new name makes a memory of its own, esc stays here"

    def on_mount(self) -> None:
        self.typed("")

    def typed(self, words: str) -> None:
        words, there, rows = words.strip(), paths.profiles(), []
        for name, memory in there.items():
            if name.startswith(words):
                here = name == self.services.profile
                told = f"  {megabytes(paths.size(memory))}{' · open now' if here else ''}"
                shown = lines(("● ", NOW) if here else "  ", (name, "bold"), (told, QUIET))
                rows.append(Row(shown, name))
        self.say(self.HINT)
        if words and words not in there:
            try:
                paths.profile_file(words)
                rows.append(Row(lines(("+ ", NOW), (words, "bold"), ("  a new memory", QUIET)), words))
            except BadInput as error:
                self.say(str(error))
        self.choices.show_rows(rows)

    def choose(self, record: object) -> None:
        """Close, and go there; to go where one is, is to stay."""
        if isinstance(record, str):
            here = record == self.services.profile
            self.dismiss(None if here else ProfileChosen(paths.profile_file(record)))
