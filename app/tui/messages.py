"""What the person wants of the app."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from app.core.settings import Settings
    from app.llm.catalogue import FileToFetch
    from store.records import Fact


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
class SettingsWritten(Message):
    """The settings file says this from now on."""

    settings: Settings


@dataclass
class UnsureJudged(Message):
    """The person said whether what the reader was unsure of is so."""

    fact: Fact
    yes: bool
