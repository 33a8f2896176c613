"""What happens in a turn reaches the screen in the order in which it happened, and only while its turn is the one on
screen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from time import monotonic

from app.core import turn
from app.core.again import COMING
from app.core.asked import TurnState
from app.core.tooling import ToolUsed
from app.llm.engine import missing
from app.tui.services import Services
from store.records import Answer, Recollection
from widgets.memory_panel import CLOSEST, RECALLED, USED, MemoryPanel, Used, steps_of
from widgets.plain import one_line
from widgets.receipt import receipt, told_back
from widgets.transcript import TurnView, where_from
from widgets.wording import milliseconds

READY_LAST = "{name} is ready; {key} has its reply to your last message."
READY = "{name} is ready; what was for it can be sent again, with ↑."
"""Said once a model is there, to whom it was promised; the first, where nothing was said since."""
SMALL = "small model, may be wrong"
"""Beside the name of a model of few weights."""


def small_models(voice: turn.Voice | None) -> Mapping[str, str]:
    """What stands beside the names of models that may be wrong."""
    return {turn.spoken_name(voice.model): SMALL} if voice is not None and voice.small else {}


def why_declined(services: Services, own: str, key: str) -> str:
    """Why nobody replies to what is for a chat model, and is declined in the memory's `own` words, and what helps;
    `key` has a model reply to it."""
    then = f"{key} then has its reply to this."
    if services.coming:
        return f"That is for {COMING.format(services.coming)}: I’ll say when it is there, and {then}"
    name = services.model_state
    if services.voice is not None and services.voice.relied_on:
        return f"That is for a chat model, and {name} has just come: {key} has its reply to this."
    if services.voice is not None:
        return f"That is for a larger model than {name}: f3 has some, and {key} lets this one try."
    if missing():
        return f"{own} What runs one (llama.cpp) is not installed here: f3, then b, builds it, with a C++ compiler."
    return f"{own} f3 gets one, and {then}"


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

    async def advance(self, event: turn.TurnEvent) -> turn.Closed | None:
        """Show one event. Returns how the reply ended when it is over, else None."""
        match event:
            case turn.Saved():
                self.mine.episode = event.episode.id
                self.asked.own = (event.episode.id,)
            case turn.Learned():
                self.panel.clear()
                self.panel.now = now = self.services.now
                self.panel.show_learned(event.changes, event.apart)
                changes = steps_of(event.changes)
                self._noted = told_back(changes, now)
                await self.mine.show_receipt(receipt(changes, now))
            case turn.Answered():
                await self._answered(event.answer)
            case turn.Recalled():
                found = self._found = event.recollection
                head = RECALLED if event.used else CLOSEST
                self._used(Used(hits=found.hits, elapsed_ms=found.elapsed_ms, head=head))
                await self.view.wait("thinking…" if event.used else "")
            case ToolUsed():
                self._steps += ((event.words, event.elapsed_ms),)
                if self._shown is not None:
                    self._used(self._shown)
                await self.view.wait(f"looking: {one_line(event.words, 80)}")
            case turn.Prompted():
                self._prompted(event)
            case turn.ReplyPiece():
                await self._piece(event.text)
            case turn.Closed():
                return await self._closed(event)
        return None

    async def fail(self, sentence: str) -> None:
        self.view.rename(replace(self.view.head, who="erstwhile"))
        await self.view.finish(problem=sentence)

    async def _answered(self, answer: Answer) -> None:
        self.asked.answer = answer
        note = f"{where_from(answer.sources)} · {milliseconds(answer.elapsed_ms)}"
        self.view.rename(replace(self.view.head, who="from memory", note=note))
        await self.view.write(answer.text)
        await self.view.show_sources(answer.sources[: turn.MOST_SOURCES])
        turns = 0 if answer.facts else len(answer.sources[: turn.MOST_SOURCES])
        self._used(Used(answer.facts, (), answer.elapsed_ms, turns))

    def _used(self, used: Used) -> None:
        self._shown = used = replace(used, steps=self._steps)
        times, now = self.services.times, self.services.now
        true_at = times.as_of.start if times.as_of is not None else times.believed
        believed = now if times.believed is None else times.believed
        self.panel.now = now
        self.panel.show_used(used, now if true_at is None else true_at, believed)

    def _prompted(self, event: turn.Prompted) -> None:
        """Only what the model was given was used; where it was given nothing, what was recalled stays that."""
        found = self._found
        self.asked.prompted, self.asked.given = event, tuple(hit.id for hit in event.given)
        if found is not None:
            hits, head = (event.given, USED) if event.given else (found.hits, RECALLED)
            self._used(Used(hits=hits, elapsed_ms=found.elapsed_ms, head=head, note=event.note))

    async def _piece(self, text: str) -> None:
        if self._pieces == 0:
            self._began = monotonic()
            self._name(turn.spoken_name(self.services.voice.model) if self.services.voice else turn.MEMORY_SPEAKER)
            await self.view.wait("")
        self._pieces += 1
        took = monotonic() - self._began
        if self._pieces > 4 and took > 0.2:
            self.speed = f"{self._pieces / took:.0f} tok/s"
        await self.view.write(text)

    def _name(self, speaker: str) -> None:
        """Say who speaks, and whether it is to be doubted."""
        voice = self.services.voice
        if speaker == turn.MEMORY_SPEAKER:
            self.view.rename(replace(self.view.head, who="from memory"))
        else:
            self.view.rename(replace(self.view.head, who=speaker, note=SMALL if voice and voice.small else ""))

    async def _closed(self, closed: turn.Closed) -> turn.Closed:
        shown = why_declined(self.services, closed.text, self.key) if closed.declined else closed.text
        if self._noted and closed.speaker == turn.MEMORY_SPEAKER and shown == turn.NO_MODEL:
            shown = self._noted
            await self.mine.show_receipt("")
        if not self.view.text or closed.speaker == turn.MEMORY_SPEAKER:
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
            context = min(loaded, self.context or loaded)
            self.room = f"{closed.tokens:,} of {context:,} tokens" if context else ""
        if closed.pieces_per_second:
            self.speed = f"{closed.pieces_per_second:.0f} tok/s"
            self.services.reply_came(closed.pieces_per_second)
        self.view.episode = closed.episode.id if closed.episode else ""
        self.asked.own += (self.view.episode,)
        await self.view.finish(cut=closed.cut and not closed.problem, problem=closed.problem, note=closed.note)
        return closed
