"""Whoever speaks is named by one mention key: "me" for the person, "assistant" for a model, else a lower-case name."""

from __future__ import annotations

from dataclasses import dataclass

ASSISTANT = "assistant"
ME = "me"


@dataclass(frozen=True)
class Speakers:
    """Who of the speakers is the person: their names, casefolded."""

    person: frozenset[str]


def mention_of(speaker: str, role: str, speakers: Speakers) -> str:
    """The mention key of a speaker: "me" for the person, "assistant" for the model, else the name in lower case."""
    name = speaker.strip()
    if role == "assistant":
        return ASSISTANT
    return ME if name.casefold() in speakers.person or name.casefold() == ME else name.lower()
