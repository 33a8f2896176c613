"""How the interface behaves: what the settings file says of it, and what holds where that says nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from app.core.options import SPEAKING, Tables, held
from store.records import ModelOptions
from store.sleep.schedule import Rules


@dataclass(frozen=True, slots=True)
class Settings:
    """How the interface behaves; what the settings file may say about it."""

    sleep: Rules = field(default_factory=Rules)
    """When the memory sleeps though nobody asked."""
    theme: str = held({}, "look", "theme")
    idle_seconds: float = held({}, "sleep", "after_seconds")
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
    off_the_record: bool = held({}, "chat", "off_the_record")
    """The first chat is off the record."""
    model_reads: bool = held({}, "model", "reads")
    """In a sleep the model checks what the reader is unsure of, if it passed the test for that."""
    tables: Tables = field(default_factory=dict)
    """The settings file itself."""

    @property
    def rules(self) -> Rules:
        """When the memory sleeps though nobody asked, with the seconds of quiet that hold here; the timer that waits
        for them may be early by a few milliseconds."""
        return replace(self.sleep, after_seconds=self.idle_seconds * 0.95)

    @classmethod
    def of(cls, tables: Tables) -> Settings:
        """What a settings file that was checked says, and the defaults where it says nothing."""
        model = tables.get("model", {})
        return cls(
            theme=held(tables, "look", "theme"),
            idle_seconds=held(tables, "sleep", "after_seconds"),
            sleep=Rules(**tables.get("sleep", {})),
            model_reads=held(tables, "model", "reads"),
            speaking=ModelOptions(**{one.key: model.get(one.key) for one in SPEAKING}),
            keymap=tables.get("keys", {}),
            off_the_record=held(tables, "chat", "off_the_record"),
            tables=tables,
        )
