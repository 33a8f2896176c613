"""Why an answer is what it is: every candidate with what each channel gave it, the line of the cut, the very prompt.

What is shown was judged by the same code at the same times as the answer; only looking at it costs anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Static

from app.core.conversation import TurnState
from app.tui.jobs import Job
from app.tui.screens.base import FramedScreen
from app.tui.services import Services
from store.protocols import Message
from store.records import Fact, Judged, JudgedHit
from widgets.choices import Choices, Row, heading
from widgets.details import Details
from widgets.fact_rows import fact_details
from widgets.look import lines
from widgets.memory_panel import fact_card
from widgets.plain import one_line
from widgets.why_rows import judged_detail, judged_rows, prompt_rows
from widgets.wording import count, milliseconds

if TYPE_CHECKING:
    from store.memory import Memory

MOST_CANDIDATES = 24


Parts = Sequence[tuple[str, str, int]]
"""The prompt: of each message the role, the text and its tokens."""


class WhyScreen(FramedScreen):
    """For one answer."""

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
        self._judged: Judged | None = None
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
        self.read(Job.READ_WHY, self._judge, self._judged_anew)

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

    def _judge(self, memory: Memory) -> tuple[Judged, Parts]:
        times = self.asked.times
        judged = memory.recall.explain(self.asked.query, k=MOST_CANDIDATES, as_of=times.as_of, believed=times.believed)
        voice, prompted = self.services.voice, self.asked.prompted
        sent: Sequence[Message] = prompted.messages if prompted is not None else ()
        return judged, [(one.role, one.content, voice.model.count_tokens(one.content) if voice else 0) for one in sent]

    def _judged_anew(self, read: tuple[Judged, Parts]) -> None:
        self._judged, self._parts = read
        self.draw()
        self.refresh_bindings()

    def draw(self) -> None:
        if self._judged is None:
            return
        choices = self.query_one(Choices)
        width = max(30, choices.size.width - 3)
        rows = self._belief_rows(width) + judged_rows(self._judged, self._used_turns(), self.asked.own, width)
        choices.show_rows(rows, choices.highlighted)
        if self._parts:
            prompted = self.asked.prompted
            tokens = sum(cost for _role, _text, cost in self._parts)
            budget = prompted.budget if prompted is not None and prompted.budget else tokens
            prompt = self.query_one("#why-prompt", Details)
            prompt.tell(prompt_rows(self._parts, tokens, budget, max(30, self.size.width - 6)))

    def _used_turns(self) -> frozenset[str]:
        """The ids of the turns that a model was given, or that the memory's own answer quotes."""
        answer = self.asked.answer
        quoted = () if answer is None or answer.abstained or answer.facts else answer.sources
        return frozenset(self.asked.given) | {source.episode for source in quoted}

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
