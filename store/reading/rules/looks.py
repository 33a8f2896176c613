"""What a speaker plainly asserts, clause by clause, and whom each clause is about; it claims nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from store.reading.rules.clauses import clauses_of
from store.reading.rules.corrections import retraction
from store.reading.rules.look import Look, look_at
from store.reading.rules.masks import is_ironic, veil
from store.reading.rules.people import Scene, Speakers, mention_of
from store.reading.rules.times import TurnTimes
from store.reading.rules.words import sentences_of
from store.records import Episode

MAX_CHARACTERS = 20_000
"""Of a turn that is read; a longer one is a document, and documents do not speak for the person."""

_REACH = 6
"""Turns back that a pronoun may reach."""
_PRONOUN = re.compile(r"\b(?:he|she|his|her)\b", re.IGNORECASE)
_LETTER = re.compile(r"[A-Za-z0-9]")


def looks(episode: Episode, before: Sequence[Episode], speakers: Speakers) -> Iterator[Look]:
    """Every clause of a turn that its speaker plainly asserts, with its times;
    nothing where the turn as a whole asserts nothing."""
    if not may_teach(episode) or retraction(episode.text):
        return
    hidden, quotes, joke = veil(episode.text)
    if joke:
        return
    earlier = [turn for turn in before if turn.id != episode.id and not turn.inactive]
    scene = _scene(episode, earlier, mention_of(episode.speaker, episode.role, speakers), speakers)
    clock = TurnTimes(episode)
    for sentence in sentences_of(episode.text, hidden, quotes):
        if not is_ironic(episode.text[sentence.start : sentence.end]):
            scene.next_sentence()
            yield from (look_at(clause, scene, clock) for clause in clauses_of(sentence, scene))


def may_teach(episode: Episode) -> bool:
    """Whether a turn is read at all."""
    return (
        not episode.inactive
        and episode.role == "user"
        and len(episode.text) <= MAX_CHARACTERS
        and _LETTER.search(episode.text) is not None
    )


def _scene(episode: Episode, before: list[Episode], speaker: str, speakers: Speakers) -> Scene:
    aside = frozenset(mention_of(turn.speaker, turn.role, speakers) for turn in (*before, episode))
    scene = Scene(speaker, aside)
    if _PRONOUN.search(episode.text):
        for turn in before[-_REACH:]:
            if turn.role == "user":
                _recall(turn, scene, mention_of(turn.speaker, turn.role, speakers))
    scene.told.clear()
    return scene


def _recall(turn: Episode, scene: Scene, speaker: str) -> None:
    """Note whom an earlier turn named."""
    hidden, quotes, _ = veil(turn.text[:2000])
    then = Scene(speaker, scene.aside, scene.sentences)
    for sentence in sentences_of(turn.text[:2000], hidden, quotes):
        then.next_sentence()
        clauses_of(sentence, then)


def meant(episode: Episode, before: Sequence[Episode], speakers: Speakers, at: int) -> str | None:
    """Whom the pronoun at a character is about, by the grammar of its clause; None where it may be two, or nobody."""
    for look in looks(episode, before, speakers):
        clause = look.clause
        if clause.pronoun in ("he", "she") and clause.tokens[clause.start].start == at and len(clause.keys) == 1:
            return clause.keys[0]
    return None
