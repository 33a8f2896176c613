"""What was recalled becomes a prompt: dated, as it was said, and resolved in time before the model sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from app.core.prompts import (
    FROM_NOTES,
    MEMORY_SHARE,
    MOST_MEMORIES,
    PER_MESSAGE,
    Count,
    MemoryLine,
    build,
    system_prompt,
)
from app.core.prompts import memory_line as line
from app.core.settings import CONTEXT_LENGTH
from app.core.turn import NO_MODEL, Prompted, Request
from app.llm.small import SHOWN, is_small_file, shown_to_small
from store.protocols import LanguageModel, Message
from store.records import Hit, ModelOptions, Recollection
from widgets.plain import one_line
from widgets.wording import day, long_day

ROOM_FOR_REPLY = 0.25  # share of the context that is kept free, where the reply's own limit does not say less
FRAME = 24  # tokens of what stands around the notes: their tags, and the day


def compose(model: LanguageModel, request: Request, recollection: Recollection, max_tokens: int = 512) -> Prompted:
    """The prompt for one reply, and which of the hits are in it. Raises MessageTooLong."""
    # What nobody replied to, a model would take for a part of the next message.
    request = replace(request, history=_without(request.history, ""))
    context = context_of(model, request.options)
    budget = context - min(max_tokens, int(context * ROOM_FOR_REPLY))
    partial = request.partial.rstrip(" ")  # a model goes on best after a whole word
    if not partial:
        return _composed(model, request, recollection, budget)
    composed = _composed(model, request, recollection, budget - model.count_tokens(partial) - PER_MESSAGE)
    return replace(composed, messages=(*composed.messages, Message("assistant", partial)))


def _composed(model: LanguageModel, request: Request, recollection: Recollection, budget: int) -> Prompted:
    if is_small(model):
        return _bare(model, request, budget)
    said_at, count = request.turn.said_at, model.count_tokens
    # What is to be written again leans on the reply alone: with notes between, a small model writes something else.
    again = request.again
    hits = [] if again else in_room(recollection.hits, count, budget)
    notes = [memory_line(hit) for hit in hits]
    asked = request.turn.text + (FROM_NOTES if request.personal and not request.told else "")
    # What was only told is left out, unless it may be asked about: a model would say the memory's receipt after it.
    history = request.history if request.personal else _without(request.history, NO_MODEL)
    today, system = long_day(said_at) if said_at and not again else "", system_prompt(request.options.system)
    conversation = [*history, Message("user", asked)]
    prompt = build(conversation, notes, count=count, budget=budget, today=today, system=system)
    # By identity: two turns may be worded alike, and one of them be left out.
    inside = {id(note) for note in prompt.memories}
    given = tuple(hit for hit, note in zip(hits, notes, strict=True) if id(note) in inside)
    left_out = prompt.left_out._replace(memories=0 if again else len(recollection.hits) - len(given))
    return Prompted(given, left_out.note, prompt.messages, budget)


def _bare(model: LanguageModel, request: Request, budget: int) -> Prompted:
    """The person's words alone: a small model only recites notes, and what it said before."""
    text = request.turn.text
    conversation = [*shown_to_small(request.history, text), Message("user", text)]
    told = [Message("system", request.options.system)] if request.options.system else []
    room = budget - sum(model.count_tokens(one.content) + PER_MESSAGE for one in (*told, *SHOWN))
    built = build(conversation, [], count=model.count_tokens, budget=room, system="")
    return Prompted((), built.left_out.note, (*told, *SHOWN, *built.messages), budget)


def _without(history: Sequence[Message], reply: str) -> tuple[Message, ...]:
    """A conversation without all that was replied to in these words, and without the replies."""
    dropped = {place for place, one in enumerate(history) if one == Message("assistant", reply)}
    return tuple(one for place, one in enumerate(history) if not dropped & {place, place + 1})


def context_of(model: LanguageModel, options: ModelOptions) -> int:
    """Tokens of prompt and reply together: no more than the model was loaded with."""
    loaded = int(getattr(model, "n_ctx", CONTEXT_LENGTH))
    return min(loaded, options.context or loaded)


def in_room(hits: Sequence[Hit], count: Count, budget: int) -> list[Hit]:
    """As many of the hits, best first, as the notes of a prompt of so many tokens have room for; in order of time.

    The order of telling is what a model reads change from: "I live in Porto" before "I moved to Lisbon".
    """
    chosen: list[Hit] = []
    room = round(budget * MEMORY_SHARE) - FRAME
    for hit in hits:
        size = count(line(memory_line(hit)))
        if len(chosen) < MOST_MEMORIES and size <= room:
            chosen.append(hit)
            room -= size
    return sorted(chosen, key=lambda hit: hit.said_at.us)


def memory_line(hit: Hit) -> MemoryLine:
    """A fact as it is worded; a turn, or a sentence of a summary, with who said it and when."""
    if hit.kind == "fact":
        return MemoryLine(one_line(hit.text), source=f"said {day(hit.said_at)}")
    who = "the person" if hit.speaker in ("me", "user") else one_line(hit.speaker)
    return MemoryLine(f"{who} said: {one_line(hit.text)}", source=day(hit.said_at))


def is_small(model: LanguageModel) -> bool:
    """Its weights are so few that it makes up what it does not know; so is one whose size nobody can tell."""
    path = getattr(model, "path", None)
    return not isinstance(path, Path) or is_small_file(path)
