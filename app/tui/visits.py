"""Every screen but the chat is imported when it is wanted, and stands above the chat alone or above what led to it.

What is told in passing is told on whichever screen one is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module

from textual import events
from textual.app import App
from textual.message import Message

from app.tui.jobs import Job, start
from app.tui.screens.base import Flashing
from app.tui.screens.chat import ChatScreen
from app.tui.services import Services
from widgets.messages import FactChosen, SessionChosen, SubjectChosen, TextCopied, TurnChosen
from widgets.plain import one_line, plain

SECONDS_OF_A_FAULT = 20.0
"""Its sentence names a file and what to do, which takes longer to read than Textual leaves a notification."""


def _visiting(module: str, name: str) -> Callable[..., None]:
    """An action that goes to a screen; what it is given, as in "map('lives in')", is the screen's."""

    def visit(app: Visits, *given: str) -> None:
        screen = getattr(import_module(f"app.tui.screens.{module}"), name)
        app._home()
        app.push_screen(screen(app.services, *given), app._came_back)

    return visit


class Visits(App[None]):
    """The part of the app that moves between screens."""

    services: Services
    chat: ChatScreen

    action_timeline = _visiting("timeline", "TimelineScreen")
    action_map = _visiting("map", "MapScreen")
    action_beliefs = _visiting("beliefs", "BeliefsScreen")
    action_night = _visiting("sleep", "SleepScreen")
    action_fading = _visiting("fading", "FadingScreen")
    action_diary = _visiting("diary", "DiaryScreen")
    action_doctor = _visiting("doctor", "DoctorScreen")
    action_models = _visiting("models", "ModelsScreen")
    action_settings = _visiting("settings", "SettingsScreen")

    def action_search(self) -> None:
        from app.tui.screens.search import SearchDialog

        self.push_screen(SearchDialog(self.services), self._chosen)

    def action_sessions(self) -> None:
        from app.tui.screens.search import SessionsDialog

        self.push_screen(SessionsDialog(self.services, self.chat.answers), self._chosen)

    def action_profiles(self) -> None:
        from app.tui.screens.profiles import ProfilesDialog

        self.push_screen(ProfilesDialog(self.services), self._chosen)

    def action_jump(self) -> None:
        """Labels on all that can be gone to on this screen; a second time, they go."""
        from app.tui.screens.jump import JumpScreen, spots_of

        if isinstance(self.screen, JumpScreen):
            self.screen.dismiss(None)
        else:
            self.push_screen(JumpScreen(spots_of(self.screen)))

    def _chosen(self, message: Message | None) -> None:
        if message is not None:
            self.post_message(message)

    def _came_back(self, _nothing: None) -> None:
        self.chat.refresh_times()

    def on_fact_chosen(self, event: FactChosen) -> None:
        from app.tui.screens.chain import ChainScreen

        self.push_screen(ChainScreen(self.services, event.fact), self._came_back)

    def on_subject_chosen(self, event: SubjectChosen) -> None:
        from app.tui.screens.entity import EntityScreen

        self.push_screen(EntityScreen(self.services, event.name), self._came_back)

    def on_turn_chosen(self, event: TurnChosen) -> None:
        self._home()
        self.chat.open_session(event.session, event.episode)

    def on_session_chosen(self, event: SessionChosen) -> None:
        self._home()
        self.chat.open_session(event.key)

    def _home(self) -> None:
        while len(self.screen_stack) > 1 and self.screen is not self.chat:
            self.pop_screen()

    # -- what is told in passing

    def tell_fault(self, sentence: str, *, expected: bool) -> None:
        """What nobody expected stands out, and longer; the rest is told like any other answer to a key."""
        if expected and isinstance(self.screen, Flashing):
            self.screen.flash(sentence, bad=True)
        else:
            self.notify(plain(sentence), severity="error", timeout=SECONDS_OF_A_FAULT, markup=False)

    def warn(self, sentence: str) -> None:
        """What is worth knowing, though nothing failed."""
        self.notify(plain(sentence), severity="warning", timeout=SECONDS_OF_A_FAULT, markup=False)

    def on_delivery_complete(self, event: events.DeliveryComplete) -> None:
        """Textual's own words for it hold the path as markup."""
        event.prevent_default()
        self.notify(plain(f"Saved: {event.path}"), markup=False)

    def on_delivery_failed(self, event: events.DeliveryFailed) -> None:
        event.prevent_default()
        fault = event.exception
        where = f": {fault.filename}" if isinstance(fault, OSError) and fault.filename else ""
        why = fault.strerror if isinstance(fault, OSError) else fault
        self.tell_fault(f"The screenshot was not saved. {why}{where}", expected=False)

    def copy_to_clipboard(self, text: str) -> None:
        """To the terminal's clipboard, and to the desktop's where there is one."""
        super().copy_to_clipboard(text)
        start(self, Job.COPY, partial(self.services.copy, text))

    def on_text_copied(self, event: TextCopied) -> None:
        self.copy_to_clipboard(event.text)
        if isinstance(self.screen, Flashing):
            self.screen.flash(f"Copied: {one_line(event.text, 60)}")
