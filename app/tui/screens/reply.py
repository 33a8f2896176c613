"""A reply is shown as it comes, in the order in which it happened, and why it is what it is.

That is every candidate with what each channel gave it, the line of the cut, and the very prompt: judged by the same
code at the same times as the answer; only looking at it costs anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Static

from app.core import turn
from app.core.conversation import COMING, TurnState
from app.core.tooling import ToolUsed
from app.llm.engine import missing
from app.tui.jobs import Job
from app.tui.screens.base import FramedScreen
from app.tui.services import Services
from store.memory import Memory
from store.protocols import Message
from store.records import Answer, Fact, Judged, JudgedHit, Recollection
from widgets.choices import Choices, Row, heading
from widgets.details import Details
from widgets.fact_rows import fact_details
from widgets.look import lines
from widgets.memory_panel import CLOSEST, RECALLED, USED, MemoryPanel, Used, fact_card, steps_of
from widgets.plain import one_line
from widgets.receipt import receipt, told_back
from widgets.transcript import TurnView, where_from
from widgets.why_rows import judged_detail, judged_rows, prompt_rows
from widgets.wording import count, milliseconds

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
        if closed.speaker == turn.MEMORY_SPEAKER and shown == turn.NO_MODEL:
            shown = turn.told_to(self.mine.text, self._noted)
            if self._noted:  # what is too little for a sentence keeps its receipt
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


MOST_CANDIDATES = 24


Parts = Sequence[tuple[str, str, int]]
"""The prompt: of each message the role, the text and its tokens."""


class WhyScreen(FramedScreen):
    """For one answer."""

    JOB = Job.READ_WHY
    DEFAULT_CSS = """
    WhyScreen #why-head { height: auto; padding: 1 2 0 2; }
    WhyScreen #why-body { height: 1fr; margin: 1 0 0 0; }
    WhyScreen Choices { width: 1fr; height: 1fr; }
    WhyScreen #why-detail { width: 44; height: 1fr; padding: 0 2; border-left: vkey $rule; }
    WhyScreen.-very-wide #why-detail { width: 60; }
    WhyScreen.-narrow #why-body, WhyScreen.-medium #why-body { layout: vertical; }
    WhyScreen.-narrow #why-detail, WhyScreen.-medium #why-detail {
        width: 100%; height: 10; border-left: none; border-top: solid $rule;
    }
    WhyScreen #why-prompt { height: 1fr; padding: 0 2; margin: 1 0 0 0; display: none; }
    WhyScreen.-prompt #why-prompt { display: block; }
    WhyScreen.-prompt #why-body { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "prompt", "the prompt", id="why.prompt"),
        Binding("p", "candidates", "candidates", id="why.candidates"),
        Binding("escape", "dismiss", "back", id="why.back"),
    ]
    HELP = """
    ### Why
    Every turn that came near, best first. The bars say what speaks for it: the *same words* as in the question, a *like
    meaning*, *how recent* it is, the *same people*. ● was used for the answer, ○ was not. `enter` opens a turn in its
    conversation; `p` shows the prompt, word for word as the model got it.
    """

    def __init__(self, services: Services, asked: TurnState) -> None:
        super().__init__(services)
        self.asked = asked
        self._parts: Parts = ()

    @property
    def place(self) -> str:
        return f"why · {one_line(self.asked.query, 60)}"

    def body(self) -> ComposeResult:
        yield Static("", id="why-head", markup=False)
        with Horizontal(id="why-body"):
            yield Choices(id="candidates")
            yield Details(id="why-detail")
        yield Details(id="why-prompt", can_focus=True)

    def refetch(self) -> None:
        as_of, believed = self.asked.times.as_of, self.asked.times.believed
        if self.asked.at_present and self.services.in_words(believed) == self.services.in_words(self.services.now):
            as_of, believed = None, None  # earlier today is not the past
        self.say_times(believed if as_of is None else as_of.start, believed)
        self.query_one("#why-head", Static).update(lines(*self._head()))
        super().refetch()

    def _head(self) -> list[tuple[str, str]]:
        answer, prompted = self.asked.answer, self.asked.prompted
        if answer is not None and not answer.abstained:
            turns = f"it quotes {count(len(answer.sources), 'turn')}"
            rests = f"it rests on {count(len(answer.facts), 'belief')}" if answer.facts else turns
            how = f"{rests} · {milliseconds(answer.elapsed_ms)}"
            return [("Answered from what you told me, without a model: ", "bold"), (how, "")]
        if prompted is not None:
            note = f" · {prompted.note}" if prompted.note else ""
            return [("A model answered, ", "bold"), (f"{self._given()}{note}", "")]
        if self.asked.speaker and answer is None:
            who = one_line(self.asked.speaker, 40)
            return [(f"{who} answered, ", "bold"), (f"{self._given()}; all else that it read is not kept", "")]
        return [("Nothing was given to a model. ", "bold"), ("This is what came nearest.", "")]

    def _given(self) -> str:
        given = count(len(self.asked.given), "turn")
        return f"given {given}" if self.asked.given else "and was given nothing of what you told me"

    def fetch(self, memory: Memory) -> tuple[Judged, Parts]:
        times = self.asked.times
        judged = memory.recall.explain(self.asked.query, k=MOST_CANDIDATES, as_of=times.as_of, believed=times.believed)
        voice, prompted = self.services.voice, self.asked.prompted
        sent: Sequence[Message] = prompted.messages if prompted is not None else ()
        return judged, [(one.role, one.content, voice.model.count_tokens(one.content) if voice else 0) for one in sent]

    def fetched(self, known: tuple[Judged, Parts]) -> None:
        judged, self._parts = known
        super().fetched(judged)

    def draw(self) -> None:
        if self.known is None:
            return
        choices, answer, prompted = self.query_one(Choices), self.asked.answer, self.asked.prompted
        width = max(30, choices.size.width - 3)
        # The turns that a model was given, or that the memory's own answer quotes.
        quoted = () if answer is None or answer.abstained or answer.facts else answer.sources
        used = frozenset(self.asked.given) | {source.episode for source in quoted}
        rows = self._belief_rows(width) + judged_rows(self.known, used, self.asked.own, width)
        choices.show_rows(rows, choices.highlighted)
        if self._parts:
            tokens = sum(cost for _role, _text, cost in self._parts)
            budget = prompted.budget if prompted is not None and prompted.budget else tokens
            prompt = self.query_one("#why-prompt", Details)
            prompt.tell(prompt_rows(self._parts, tokens, budget, max(30, self.size.width - 6)))

    def _belief_rows(self, width: int) -> list[Row]:
        """The beliefs on which the memory's own answer rests; a search was not needed for it."""
        answer = self.asked.answer
        if answer is None or answer.abstained or not answer.facts:
            return []
        believed = self.asked.times.believed or self.services.now
        as_of = self.asked.times.as_of
        true_at = as_of.start if as_of is not None and as_of.start is not None else believed
        rows = [heading("BELIEFS", "the answer rests on these")]
        rows += [Row(fact_card(fact, true_at, believed, width, self.services.now), fact) for fact in answer.facts]
        return [*rows, heading("TURNS", "a search for it would have found these", gap=True)]

    def on_choices_pointed(self, event: Choices.Pointed) -> None:
        hit = event.record if isinstance(event.record, JudgedHit) else None
        detail = self.query_one("#why-detail", Details)
        if isinstance(event.record, Fact):
            detail.tell(fact_details(event.record, (), self.services.now, detail.text_width))
        else:
            detail.tell(judged_detail(hit, detail.text_width))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is a prompt only where a model was asked."""
        shown = self.has_class("-prompt")
        if action == "prompt":
            return bool(self._parts) and not shown
        return shown if action == "candidates" else True

    def action_prompt(self) -> None:
        self.add_class("-prompt")
        self.query_one("#why-prompt").focus()
        self.call_after_refresh(self.draw)

    def action_candidates(self) -> None:
        self.remove_class("-prompt")
        self.query_one(Choices).focus()
