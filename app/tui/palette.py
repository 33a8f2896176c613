"""Every command has one name of the form "group: thing", says what it does, and runs the action that its key runs."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from textual.app import SystemCommand

from widgets.choices import Choices
from widgets.transcript import SourceLine, Transcript

if TYPE_CHECKING:
    from textual.app import App
    from textual.screen import Screen

COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("chat: new", "Begin another conversation (ctrl+n)", "chat('new_chat')"),
    ("chat: off the record", "A chat that writes nothing, or back (ctrl+r)", "chat('toggle_record')"),
    ("chat: stop", "Stop the reply that is being written (esc)", "chat('stop')"),
    ("chat: another reply", "To your last message; the first one is kept (alt+r)", "chat('regenerate')"),
    ("chat: edit and resend", "Say your last message otherwise (alt+e)", "chat('edit')"),
    ("chat: go on with the reply", "Where it was stopped, or grew too long (alt+c)", "chat('go_on')"),
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
    ("time: back to now", "Ask again at the present", "back_to_now"),
    ("memory: sleep now", "Read what is new and put beliefs together (ctrl+s)", "sleep"),
    ("memory: stop sleeping", "Nothing is left half-done", "stop_sleep"),
    ("memory: undo", "Take back the last thing done by hand (u in lists)", "undo"),
    ("look: dark", "Light text on dark", "look('dark')"),
    ("look: light", "Dark text on light", "look('light')"),
    ("app: help", "Keys and meaning of what has the focus (f1)", "help_here"),
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
    from app.tui.screens.by_hand import BeliefScreen

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
