"""What happens in a turn reaches the screen in the order in which it happened, and only while its turn is the one on
screen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from time import monotonic

from app.core.conversation import TurnState
from app.core.tooling import ToolUsed
from app.core.turn import (
    MEMORY_SPEAKER,
    MOST_SOURCES,
    NO_MODEL,
    Answered,
    Closed,
    Learned,
    Prompted,
    Recalled,
    ReplyPiece,
    Saved,
    TurnEvent,
    Voice,
    spoken_name,
)
from app.tui.declining import why
from app.tui.services import Services
from store.records import Answer, Recollection
from widgets.memory_panel import CLOSEST, RECALLED, USED, MemoryPanel, Used, steps_of
from widgets.plain import one_line
from widgets.receipt import receipt, told_back
from widgets.transcript import TurnView, where_from
from widgets.wording import milliseconds

SMALL = "small model, may be wrong"
"""Beside the name of a model of few weights."""


def small_models(voice: Voice | None) -> Mapping[str, str]:
    """What stands beside the names of models that may be wrong."""
    return {spoken_name(voice.model): SMALL} if voice is not None and voice.small else {}


def room_words(tokens: int, context: int) -> str:
    """1,234 of 4,096 tokens"""
    return f"{tokens:,} of {context:,} tokens" if context else ""


@dataclass
class ReplyUnderWay:
    """The turn that is under way."""

    mine: TurnView
    view: TurnView
    panel: MemoryPanel
    services: Services
    asked: TurnState
    partial: str = ""
    """The reply that it goes on with."""
    key: str = ""
    """What has a model reply to it where none did."""
    context: int | None = None
    """Tokens that the model may read here; None: as many as it can."""
    speed: str = ""
    room: str = ""
    """How much of the model's context the prompt and the reply took."""
    _found: Recollection | None = None
    _shown: Used | None = None
    _steps: tuple[tuple[str, float], ...] = ()
    _noted: str = ""
    """What the words of the person taught."""
    _pieces: int = 0
    _began: float = 0.0

    async def advance(self, event: TurnEvent) -> Closed | None:
        """Show one event. Returns how the reply ended when it is over, else None."""
        match event:
            case Saved():
                self.mine.episode = event.episode.id
                self.asked.own = (event.episode.id,)
            case Learned():
                self.panel.clear()
                self.panel.now = now = self.services.now
                self.panel.show_learned(event.changes, event.apart)
                changes = steps_of(event.changes)
                self._noted = told_back(changes, now)
                await self.mine.show_receipt(receipt(changes, now))
            case Answered():
                await self._answered(event.answer)
            case Recalled():
                found = self._found = event.recollection
                head = RECALLED if event.used else CLOSEST
                self._used(Used(hits=found.hits, elapsed_ms=found.elapsed_ms, head=head))
                await self.view.wait("thinking…" if event.used else "")
            case ToolUsed():
                await self._stepped(event)
            case Prompted():
                self._prompted(event)
            case ReplyPiece():
                await self._piece(event.text)
            case Closed():
                return await self._closed(event)
        return None

    async def fail(self, sentence: str) -> None:
        """The turn ended in an error."""
        self.view.rename(replace(self.view.head, who="erstwhile"))
        await self.view.finish(problem=sentence)

    async def _answered(self, answer: Answer) -> None:
        self.asked.answer = answer
        note = f"{where_from(answer.sources)} · {milliseconds(answer.elapsed_ms)}"
        self.view.rename(replace(self.view.head, who="from memory", note=note))
        await self.view.write(answer.text)
        await self.view.show_sources(answer.sources[:MOST_SOURCES])
        turns = 0 if answer.facts else len(answer.sources[:MOST_SOURCES])
        self._used(Used(answer.facts, (), answer.elapsed_ms, turns))

    def _used(self, used: Used) -> None:
        self._shown = used = replace(used, steps=self._steps)
        times, now = self.services.times, self.services.now
        true_at = times.as_of.start if times.as_of is not None else times.believed
        believed = now if times.believed is None else times.believed
        self.panel.now = now
        self.panel.show_used(used, now if true_at is None else true_at, believed)

    async def _stepped(self, step: ToolUsed) -> None:
        self._steps += ((step.words, step.elapsed_ms),)
        if self._shown is not None:
            self._used(self._shown)
        await self.view.wait(f"looking: {one_line(step.words, 80)}")

    def _prompted(self, event: Prompted) -> None:
        """Only what the model was given was used; where it was given nothing, what was recalled stays that."""
        found = self._found
        self.asked.prompted, self.asked.given = event, tuple(hit.id for hit in event.given)
        if found is not None:
            hits, head = (event.given, USED) if event.given else (found.hits, RECALLED)
            self._used(Used(hits=hits, elapsed_ms=found.elapsed_ms, head=head, note=event.note))

    async def _piece(self, text: str) -> None:
        if self._pieces == 0:
            self._began = monotonic()
            self._name(spoken_name(self.services.voice.model) if self.services.voice else MEMORY_SPEAKER)
            await self.view.wait("")
        self._pieces += 1
        took = monotonic() - self._began
        if self._pieces > 4 and took > 0.2:
            self.speed = f"{self._pieces / took:.0f} tok/s"
        await self.view.write(text)

    def _name(self, speaker: str) -> None:
        """Say who speaks, and whether it is to be doubted."""
        voice = self.services.voice
        if speaker == MEMORY_SPEAKER:
            self.view.rename(replace(self.view.head, who="from memory"))
        else:
            self.view.rename(replace(self.view.head, who=speaker, note=SMALL if voice and voice.small else ""))

    async def _closed(self, closed: Closed) -> Closed:
        shown = why(self.services, closed.text, self.key) if closed.declined else closed.text
        if self._noted and closed.speaker == MEMORY_SPEAKER and shown == NO_MODEL:
            shown = self._noted
            await self.mine.show_receipt("")
        if not self.view.text or closed.speaker == MEMORY_SPEAKER:
            self._name(closed.speaker)
        if not self.view.text:
            await self.view.write(shown)
        if shown != self.view.text:
            await self.view.rewrite(shown)
        await self.view.show_sources(closed.sources)
        if closed.doubts and self._shown is not None:
            self._used(replace(self._shown, doubts=tuple((doubt.sentence, doubt.fact) for doubt in closed.doubts)))
        if closed.tokens and self.services.voice is not None:
            loaded = getattr(self.services.voice.model, "n_ctx", 0)
            self.room = room_words(closed.tokens, min(loaded, self.context or loaded))
        if closed.pieces_per_second:
            self.speed = f"{closed.pieces_per_second:.0f} tok/s"
            self.services.reply_came(closed.pieces_per_second)
        self.view.episode = closed.episode.id if closed.episode else ""
        self.asked.own += (self.view.episode,)
        await self.view.finish(cut=closed.cut and not closed.problem, problem=closed.problem, note=closed.note)
        return closed
