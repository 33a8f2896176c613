"""What was asked is kept with the times at which it was asked, so that why it was answered so can be shown later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.core.times import Times
from store.protocols import Message

if TYPE_CHECKING:
    from app.core.turn import Prompted
    from store.memory import Memory
    from store.records import Answer, Episode


@dataclass(slots=True)
class TurnState:
    """One turn, and what became of it so far."""

    query: str
    times: Times = field(default_factory=Times)
    answer: Answer | None = None  # the memory's own, where it had one
    given: tuple[str, ...] = ()  # the ids of the turns that were used
    prompted: Prompted | None = None  # what a model was asked with
    own: tuple[str, ...] = ()  # the ids of this turn and of the reply to it
    at_present: bool = False  # it was asked of no other time: what `times` say is when it was asked
    speaker: str = ""
    """Who replied, of a turn that was read again: its prompt is not kept. Empty: it was said since the start."""


def asked_before(memory: Memory, turns: Sequence[Episode], reply: Episode) -> TurnState | None:
    """The question to which this turn is the reply, among the turns before it, as it was asked then; None where nothing
    was asked.
    """
    from app.core.turn import MEMORY_SPEAKER, alone

    question = next((turn for turn in reversed(turns) if turn.role == "user"), None)
    if question is None:
        return None
    cited = memory.episodes.cited(reply.id)
    times = Times(cited.as_of, cited.believed if cited.believed is not None else question.said_at.us)
    answer = None
    if reply.speaker == MEMORY_SPEAKER:  # what was believed then is believed of then for ever
        before = [Message("user" if one.role == "user" else "assistant", one.text) for one in turns if one != question]
        asked = alone(memory, question.text, before, times)
        answer = memory.answering.ask(asked, as_of=times.as_of, believed=times.believed)
    return TurnState(
        question.text, times, answer, cited.given, own=(question.id, reply.id), speaker=reply.speaker,
        at_present=cited.as_of is None and cited.believed is None,
    )  # fmt: skip
