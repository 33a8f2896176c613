"""Every command has one name of the form "group: thing", says what it does, and runs the action that its key runs.

The palette also finds what the memory has a name for: conversations, people and things, and beliefs. They are read once
when it opens, in the background; a key compares words and reads nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from heapq import nlargest
from typing import TYPE_CHECKING

from textual.app import SystemCommand
from textual.command import Hit, Hits, Provider
from textual.message import Message

from app.core.kinds import entities
from app.tui.jobs import Job, start
from store.records import BY_HAND
from widgets.choices import Choices
from widgets.messages import FactChosen, SessionChosen, SubjectChosen
from widgets.plain import one_line
from widgets.transcript import SourceLine, Transcript
from widgets.wording import beginnings, count, titled

if TYPE_CHECKING:
    from textual.app import App
    from textual.screen import Screen

    from store.memory import Memory

COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("chat: new", "Begin another conversation (ctrl+n)", "chat('new_chat')"),
    ("chat: off the record", "A chat that writes nothing, or back (ctrl+r)", "chat('toggle_record')"),
    ("chat: stop", "Stop the reply that is being written (esc)", "chat('stop')"),
    ("chat: another reply", "To your last message; the first one is kept (alt+r)", "chat(\"again('another reply')\")"),
    ("chat: edit and resend", "Say your last message otherwise (alt+e)", "chat(\"again('other words')\")"),
    ("chat: go on with the reply", "Where it was stopped, or grew too long (alt+c)", "chat(\"again('the rest')\")"),
    ("chat: other version", "Before another reply, an edit or a branch, and after it (alt+o)", "chat('version')"),
    ("chat: model options", "System prompt, temperature, context and reply length here (alt+m)", "chat('options')"),
    ("app: tour", "A minute on a year of somebody who is made up (alt+t)", "tour"),
    ("chat: attach a file", "A text to ask about; it teaches nothing about you (alt+a)", "chat('attach')"),
    ("chat: why", "What was compared for the last answer, and the prompt (f2)", "chat('why')"),
    ("chat: memory panel", "Show or hide what is recalled and learned (ctrl+b)", "chat('toggle_panel')"),
    ("chat: find", "Look for words in this conversation (ctrl+/)", "chat('find')"),
    ("chat: export", "Write this conversation to a file, as Markdown", "chat('export')"),
    ("chat: erase or delete", "This conversation for good, after showing how much goes", "chat('erase')"),
    ("memory: forget or erase a person", "Say whom, see how much goes, and erase it for good", "chat('forget')"),
    ("go: conversations", "Resume an earlier chat (ctrl+o)", "sessions"),
    ("go: search", "Search all turns and beliefs (ctrl+f)", "search"),
    ("go: timeline", "Beliefs over time (ctrl+t)", "timeline"),
    ("go: what did I believe when", "Both times of a question as one map (v in the timeline)", "map"),
    ("go: beliefs", "What is believed, by whom it is about (ctrl+l)", "beliefs"),
    ("go: people", "Whom you told of, and what is believed of each (ctrl+l)", "beliefs"),
    ("go: brief", "What changed since you last looked, what comes up (ctrl+e)", "brief"),
    ("go: sleep", "What sleeps did, and the one that goes on (f4)", "night"),
    ("go: fading", "What drops out of the lists next, to be saved or pinned (f5)", "fading"),
    ("go: diary", "Who you are, what happened, and your days in their own sentences (f7)", "diary"),
    ("go: doctor", "File, backups, checks, settings, versions (f9)", "doctor"),
    ("go: settings", "Look, sleep, model, keys: changed here, kept in a file (f6)", "settings"),
    ("go: jump", "A letter on all that can be gone to on this screen (ctrl+g)", "jump"),
    ("go: models", "The models of this machine, and what they are fit for (f3)", "models"),
    ("memory: import", "Conversations from elsewhere, after a look at what is in them (f8)", "import"),
    ("memory: profiles", "Another memory of yours, such as one for work", "profiles"),
    ("time: ask as of a day", "What was so then; the timeline's a asks as you believed it then, too", "ask_as_of"),
    ("time: back to now", "Ask again at the present", "back_to_now"),
    ("memory: sleep now", "Read what is new and put beliefs together (ctrl+s)", "sleep"),
    ("memory: stop sleeping", "Nothing is left half-done", "stop_sleep"),
    ("memory: undo", "Take back the last thing done by hand (u in lists)", "undo"),
    ("look: dark", "Light text on dark", "look('dark')"),
    ("look: light", "Dark text on light", "look('light')"),
    ("app: help", "Keys and meaning of what has the focus (f1)", "here('show_help')"),
    ("app: quit", "Everything that you said is already saved (ctrl+q)", "quit"),
)
"""(name, what it does, action)"""


OF_A_BELIEF: tuple[tuple[str, str, str], ...] = (
    ("belief: correct", "Say what is right instead (e)", "correct"),
    ("belief: take back", "It never held (r)", "retract"),
    ("belief: bring back", "It holds after all (r)", "restore"),
    ("belief: pin", "Keep what it is about in view (p)", "pin"),
    ("belief: unpin", "No longer (p)", "unpin"),
    ("belief: settle", "Of what is in dispute, this is right (s)", "settle"),
    ("belief: erase or delete", "For good, after showing how much goes (x)", "erase"),
)
"""What a screen of beliefs offers for the one that is marked; the actions are the screen's own."""

OF_THE_FOCUS: tuple[tuple[str, str, str], ...] = (
    ("learned: keep", "What was learned is right (y)", "keep"),
    ("learned: drop", "It is wrong, and is believed no longer (n)", "drop"),
    ("learned: edit", "Put it right (e)", "edit"),
    ("text: copy", "The words of what is marked (y)", "copy"),
)
"""What the focused list offers for what is marked in it; the actions are the widget's own."""


def commands(app: App[None], screen: Screen[object]) -> Iterable[SystemCommand]:
    """What the command palette offers, opened from this screen."""
    from app.tui.screens.beliefs import BeliefScreen

    if isinstance(screen, BeliefScreen):
        for title, explained, action in OF_A_BELIEF:
            if screen.check_action(action, ()):
                yield SystemCommand(title, explained, partial(app.run_action, f"here({action!r})"))
    focused = screen.focused
    for title, explained, action in OF_THE_FOCUS:
        able = isinstance(focused, Choices | Transcript | SourceLine) and hasattr(focused, f"action_{action}")
        if able and focused is not None and focused.check_action(action, ()):
            yield SystemCommand(title, explained, partial(focused.run_action, action))
    yield SystemCommand("look: theme", "Ours and Textual's own, kept in the settings", app.search_themes)
    yield SystemCommand(
        "look: screenshot", "A picture of this screen, an SVG in your downloads", partial(app.run_action, "shoot")
    )
    for title, explained, action in COMMANDS:
        yield SystemCommand(title, explained, partial(app.run_action, action))


MOST = 20
"""Names that are offered for what was typed."""
WIDEST = 90


@dataclass(frozen=True, slots=True)
class Name:
    """One thing that can be gone to."""

    title: str
    """As it stands in the palette: "person: Ana"."""
    key: str
    """By what it is found, in lower case."""
    explained: str
    chosen: Message


class NamesProvider(Provider):
    """Goes to what has the typed words in its name."""

    async def startup(self) -> None:
        self._names: list[Name] = []
        self._read = asyncio.Event()
        memory: Memory | None = getattr(getattr(self.app, "services", None), "memory", None)
        if memory is None:
            self._read.set()
        else:
            start(self.app, Job.LIST_NAMES, partial(self._fetch, memory))

    def _fetch(self, memory: Memory) -> None:
        try:
            self._names = names(memory)
        finally:
            self.app.call_from_thread(self._read.set)

    async def search(self, query: str) -> Hits:
        await self._read.wait()
        words = query.casefold().split()
        # One with a colon says of what kind it is, as its title does: "person: ana".
        typed = " ".join(word for word in words if not word.endswith(":"))
        found = []
        for name in self._names:
            if all(word in (name.title.casefold() if word.endswith(":") else name.key) for word in words):
                begins = name.key.startswith(typed) or f" {typed}" in name.key
                share = min(1.0, len(typed) / max(1, len(name.key)))
                # What is believed of somebody comes after them.
                found.append((0.4 + 0.3 * begins + 0.2 * share - 0.2 * isinstance(name.chosen, FactChosen), name))
        for score, name in nlargest(MOST, found, key=lambda pair: pair[0]):
            display = self.matcher(query).highlight(name.title)
            yield Hit(score, display, partial(self.app.post_message, name.chosen), name.title, name.explained)


def names(memory: Memory) -> list[Name]:
    """Everybody and everything that is known, every conversation, and what is believed now."""
    people = [one for one in entities(memory) if one.id != "me"]
    sessions = [one for one in memory.sessions.all() if one.key != BY_HAND]
    began = beginnings(sessions)
    found = [
        _name(one.kind, one.name, f"your {one.relation}" if one.relation else "", SubjectChosen(one.name))
        for one in people
    ]
    for session in sessions:
        explained = f"{count(session.turns, 'turn')}{began.get(session.key, '')}"
        found.append(_name("conversation", titled(session), explained, SessionChosen(session.key)))
    beliefs = memory.beliefs.facts()
    return [*found, *(_name("belief", fact.text, fact.subject, FactChosen(fact)) for fact in beliefs)]


def _name(kind: str, words: str, explained: str, chosen: Message) -> Name:
    shown = one_line(words, WIDEST)
    return Name(f"{kind}: {shown}", f"{shown} {one_line(explained)}".casefold(), one_line(explained, WIDEST), chosen)
