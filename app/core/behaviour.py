"""How the interface behaves: what the settings file says of it, and what holds where that says nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from store.records import ModelOptions
from store.sleep.schedule import Rules

if TYPE_CHECKING:
    from app.core.settings import FileSettings


@dataclass(frozen=True, slots=True)
class Settings:
    """How the interface behaves; what the configuration file may say about it."""

    sleep: Rules = field(default_factory=Rules)
    """When the memory sleeps though nobody asked."""
    theme: str = "dark"
    """dark or light."""
    idle_seconds: float = 60.0
    """Without a keystroke for so long, the memory sleeps; 0 never."""
    model_invents: bool | None = None
    """The model is too small to be asked about the person: what the beliefs don't hold is "never told". None: its
    size tells.
    """
    max_tokens: int = 512
    """Of a reply, where nobody says otherwise."""
    speaking: ModelOptions = field(default_factory=ModelOptions)
    """How a model speaks where the conversation does not say otherwise."""
    keymap: Mapping[str, str] = field(default_factory=dict)
    """Binding id to keys, as Textual's set_keymap takes it."""
    off_the_record: bool = False
    """The first chat is off the record."""
    model_reads: bool = False
    """In a sleep the model checks what the reader is unsure of, if it passed the test for that."""

    @property
    def rules(self) -> Rules:
        """When the memory sleeps though nobody asked, with the seconds of quiet that hold here; the timer that waits
        for them may be early by a few milliseconds."""
        return replace(self.sleep, after_seconds=self.idle_seconds * 0.95)

    @classmethod
    def of(cls, given: FileSettings, *, off_the_record: bool = False) -> Settings:
        """What the settings file says, and the defaults where it says nothing."""
        usual = cls()
        return cls(
            theme=given.theme or usual.theme,
            idle_seconds=usual.idle_seconds if given.sleep_after is None else given.sleep_after,
            sleep=given.sleep,
            model_reads=given.model_reads,
            speaking=given.speaking,
            keymap=given.keys,
            off_the_record=off_the_record or bool(given.off_the_record),
        )
