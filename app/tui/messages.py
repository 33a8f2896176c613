"""What a job tells of while it goes on, and what the person wants of the app; what a job gives in the end is handed to
the screen that asked (jobs.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from app.core.settings import Settings
    from app.llm.catalogue import FileToFetch
    from app.llm.fetch import Step
    from store.records import Fact, Progress


@dataclass
class ModelPicked(Message):
    """The person wants another model from now on."""

    path: Path


@dataclass
class ProfileChosen(Message):
    """The person wants to go to the profile with this memory."""

    memory: Path


@dataclass
class ModelWanted(Message):
    """The person wants a model that is not here."""

    wanted: FileToFetch


@dataclass
class FetchAdvanced(Message):
    """The fetch of a model has come so far."""

    step: Step

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, FetchAdvanced)


@dataclass
class SetUpAdvanced(Message):
    """What a model needs in order to run is set up so far; `step` is None when it is over."""

    step: Step | None

    def can_replace(self, message: Message) -> bool:
        return self.step is not None and isinstance(message, SetUpAdvanced)


@dataclass
class SettingsWritten(Message):
    """The settings file says this from now on."""

    settings: Settings


@dataclass
class SleepAdvanced(Message):
    """The sleep has come so far."""

    progress: Progress

    def can_replace(self, message: Message) -> bool:
        """Within a phase: one that was passed while the interface was busy must be seen to have been there."""
        return isinstance(message, SleepAdvanced) and message.progress.phase == self.progress.phase


@dataclass
class UnsureJudged(Message):
    """The person said whether what the reader was unsure of is so."""

    fact: Fact
    yes: bool
