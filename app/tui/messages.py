"""What happened in the background, in the past tense; jobs post these, and only handlers touch the screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message

from store.records import ModelOptions

if TYPE_CHECKING:
    from app.core.again import LastExchange, Way
    from app.core.asked import TurnState
    from app.core.behaviour import Settings
    from app.core.conversation import Conversation, SearchedText
    from app.core.deeds import DeedResult, Radius
    from app.core.morning import Morning
    from app.core.ports import MemoryPort
    from app.core.turn import TurnEvent, Voice
    from app.llm.catalogue import FileToFetch
    from app.llm.fetch import Step
    from store.records import Change, Episode, Fact, Progress, SleepReport
    from widgets.finding import Matches


@dataclass
class MemoryOpened(Message):
    """The memory is there."""

    memory: MemoryPort


@dataclass
class PassphraseWanted(Message):
    """The memory is encrypted."""

    path: Path
    wrong: bool = False
    """The one that was typed does not open it."""


@dataclass
class ModelLoaded(Message):
    """The search for a model is over; `voice` is None if there is none."""

    voice: Voice | None


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
class FetchEnded(Message):
    """A model was fetched whole, or its fetch paused; then `path` is None."""

    path: Path | None


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
class DraftRead(Message):
    """What was typed, and not sent, when the program ended; empty if nothing was."""

    text: str


@dataclass
class TurnAdvanced(Message):
    """Something happened in the turn with this number."""

    ticket: int
    event: TurnEvent


@dataclass
class TurnFailed(Message):
    """The turn with this number ended in an error."""

    ticket: int
    sentence: str


@dataclass
class ConsentWanted(Message):
    """A step of a model would change the memory; `answer` wants to know whether the person agrees."""

    words: str
    answer: Callable[[bool], object]


@dataclass
class SessionFetched(Message):
    """A window of a conversation was read; `episode` is the turn that was asked for."""

    conversation: Conversation
    first: int
    """The place of the first turn of the window."""
    episodes: tuple[Episode, ...]
    history: tuple[Episode, ...]
    """Its last turns, which a model is shown."""
    episode: str = ""
    options: ModelOptions = field(default_factory=ModelOptions)
    """How a model speaks in it."""


@dataclass
class ExchangeRead(Message):
    """The last exchange of the conversation with this key was read, to be had again."""

    key: str
    exchange: LastExchange
    way: Way


@dataclass
class VersionRead(Message):
    """Another version of the conversation was read: this one of so many, from 1."""

    number: int
    total: int


@dataclass
class MoreFetched(Message):
    """Turns before the window were read, or after it."""

    conversation: Conversation
    first: int
    episodes: tuple[Episode, ...]
    earlier: bool


@dataclass
class WindowFetched(Message):
    """Other turns of the conversation on screen were read, from the place `first` on."""

    conversation: Conversation
    first: int
    episodes: tuple[Episode, ...]


@dataclass
class WordsFound(Message):
    """The words of a conversation were searched."""

    query: str
    words: SearchedText
    matches: Matches


@dataclass
class AskedRead(Message):
    """What an earlier reply answered was read; None: it answered nothing."""

    asked: TurnState | None


@dataclass
class SleepAdvanced(Message):
    """The sleep has come so far."""

    progress: Progress

    def can_replace(self, message: Message) -> bool:
        """Within a phase: one that was passed while the interface was busy must be seen to have been there."""
        return isinstance(message, SleepAdvanced) and message.progress.phase == self.progress.phase


@dataclass
class SleepEnded(Message):
    """The sleep is over, or was stopped. `report` is None where it was not due."""

    report: SleepReport | None
    pending: int


@dataclass
class StateCounted(Message):
    """How many turns wait for a sleep, how much there is, and what changed last (newest first)."""

    pending: int
    turns: int
    sessions: int
    lately: tuple[Change, ...] = ()


@dataclass
class MorningRead(Message):
    """What the memory has to tell was read."""

    morning: Morning


@dataclass
class HandDone(Message):
    """What the person asked for was done; `to` is the record that it was done to."""

    done: DeedResult
    to: object = None


@dataclass
class UnsureJudged(Message):
    """The person said whether what the reader was unsure of is so."""

    fact: Fact
    yes: bool


@dataclass
class RadiusSeen(Message):
    """What an erase would take was counted; nothing is erased yet."""

    radius: Radius
