"""A message says what the person did, in the past tense, and to which record; it never says how to react."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from textual.message import Message

from store.records import Change, Fact, Source


@dataclass
class PromptSent(Message):
    """The person sent what stood in the prompt."""

    text: str


@dataclass
class TypedAside(Message):
    """Something was typed into a dialog that was meant for the prompt."""

    text: str


class TypedWanted(Message):
    """What was typed before what stands in the prompt is wanted back."""


@dataclass
class FactChosen(Message):
    """A fact was opened."""

    fact: Fact


@dataclass
class SubjectChosen(Message):
    """The page of somebody or something was asked for, by name."""

    name: str


@dataclass
class TurnChosen(Message):
    """A turn was asked for, by its session (empty when unknown) and the id of its episode."""

    session: str
    episode: str


@dataclass
class SourceChosen(Message):
    """One of the sources of an answer was opened."""

    source: Source


@dataclass
class SessionChosen(Message):
    """A conversation was opened."""

    key: str


@dataclass
class LinkChosen(Message):
    """A link in a text was clicked; nobody has agreed to open it yet."""

    href: str


class EarlierWanted(Message):
    """The transcript was scrolled to its first shown turn, and there are earlier ones."""


class LaterWanted(Message):
    """The transcript was scrolled to its last shown turn, and there are later ones."""


@dataclass
class BranchWanted(Message):
    """The conversation is to go on from this turn, on a branch of its own."""

    episode: str


class FindWanted(Message):
    """Words are to be looked for in this conversation."""


@dataclass
class FindTyped(Message):
    """What is looked for was typed otherwise."""

    query: str


@dataclass
class FindMoved(Message):
    """Another match is wanted: 1 the next, -1 the one before."""

    amount: int


class FindLeft(Message):
    """Nothing is looked for any more."""


@dataclass
class TimesMoved(Message):
    """One of the two time cursors moved. Microseconds UTC; None is now."""

    true_at: int | None
    believed_at: int | None

    def can_replace(self, message: Message) -> bool:
        """A backlog of steps collapses into the last one."""
        return isinstance(message, TimesMoved)


@dataclass
class TextCopied(Message):
    """Words were asked for on the clipboard; they are safe to show."""

    text: str


Verdict = Literal["kept", "dropped", "edited"]  # what was learned is right, or not to be believed, or put right


@dataclass
class ChangeJudged(Message):
    """The person said what they think of something that was learned."""

    change: Change
    verdict: Verdict


class UndoWanted(Message):
    """The last thing that was done by hand is to be taken back."""


class WhyWanted(Message):
    """The person asks why these were used."""
