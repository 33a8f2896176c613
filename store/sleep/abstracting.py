"""A summary in a model's words says nothing that its sources do not assert, and passes over none of them.

The model is given the sentences of an extractive summary, numbered, and writes fewer, each with the numbers of those
that it rests on. One is let in only if everything that it claims is claimed by one of its sources, of the same
subject and in the same state, and it has no telling word, name or number that these clauses do not have; and if no
word that limits or denies is lost. A source that a sentence claims nothing of is none of its sources. Whatever no
sentence of the model's rests on stays as it was said. Nothing is stored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from threading import Event
from typing import Any, NamedTuple

from store.beliefs.values import value_key
from store.episodes.marks import DATED, marks
from store.episodes.terms import query_terms, terms
from store.protocols import BoundModel, Message
from store.reading.extract import Speakers, read
from store.reading.masks import seen, veil
from store.records import Claim, Episode, Source
from store.sleep.checking import NOT_BY_SCHEMA, list_in, object_of
from store.sleep.summaries import Summary

LONGEST = 240
"""Characters of one sentence of the model's."""
JOINED = 4
"""Sources that one may name."""
TOKENS = 64
"""Of a reply, for each sentence."""

_VALUE = re.compile(r"\d[\d.,:/-]*|[A-ZÀ-Þ][\w’'-]+|\b(?:not?|never|\w+n['’]t|without|nicht|kein\w*|nie|nunca|jamás)\b")
"""Names, numbers and denials."""
_TURNS = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|cannot|without|\w+n['’]t|hardly|barely|almost|nearly|only|"
    r"except|unless|until|till|if|maybe|perhaps|probably|possibly|might|may|could|would|should|supposed|used to|"
    r"no longer|any ?more|so far|instead|otherwise|pretend\w*|wish\w*|hope\w*|plan\w*|want\w*|try\w*|tried)\b",
    re.IGNORECASE,
)
"""Words that turn what is said into something else; they are not to be lost, nor to come in."""
_PERSONS = re.compile(
    r"\b(?:i|me|my|mine|myself|we|us|our|ours|you|your|yours|he|him|his|she|her|hers|they|them|their|theirs|it|its|who|"
    r"whose)\b",
    re.IGNORECASE,
)
"""Words for somebody, of which none is to come in: "my" is not "her"."""


class SummarySentence(NamedTuple):
    """One sentence of a summary."""

    text: str
    sources: tuple[Source, ...]
    """The sentences that it rests on, in the order of saying; one, where it is as it was said."""
    model: str = ""
    """Who worded it; empty where it is as it was said."""


@dataclass(frozen=True, slots=True)
class Worded:
    """A summary, as far as a model that was sound in it has worded it."""

    summary: Summary
    told: tuple[SummarySentence, ...]
    """In the order of saying."""
    refused: tuple[str, ...]
    """Why sentences of the model's were not let in, by code."""


_TASK = (
    "You shorten what somebody said, in their own words. You see numbered sentences, with who said them when. Write at "
    'most {most} sentences that keep what matters. Reply with JSON: {{"sentences": [{{"text", "from"}}]}}.\n'
    "text: one sentence, made of words of the sentences that it rests on. Leave out what matters little; join what "
    'belongs together with "and". Keep who it is about ("I" stays "I"), the verbs and their tense, names, numbers, and '
    'words such as "not". Add nothing.\n'
    "from: the numbers of the sentences that it rests on."
)
_EXAMPLE = (
    ("(2021-05-03, Eva) So, guess what, I finally moved to Graz with my two cats last week!",
     "(2021-05-03, Eva) The flat, which I found through Ilse, has a balcony and it looks at the river.",
     "(2021-05-04, Eva) I don't start at the museum before June, as far as I know."),
    [{"text": "I moved to Graz with my two cats last week, and the flat has a balcony.", "from": [1, 2]},
     {"text": "I don't start at the museum before June.", "from": [3]}],
)  # fmt: skip


def worded(summary: Summary, model: BoundModel, person: Iterable[str], stop: Event | None = None) -> Worded:
    """A summary in a model's words, as far as they are let in; `person`: the names of the speakers who are the person.
    Raises ModelError."""
    offered = [sentence for sentence in summary.sentences if seen(sentence.quote) == sentence.quote]
    if len(offered) < 2:
        return Worded(summary, _together(summary.sentences, ()), ())
    most = (len(offered) + 1) // 2
    reply = "".join(
        model.chat(
            messages(offered, most), max_tokens=TOKENS * (most + 1), stop=stop, temperature=0.0,
            schema=schema(len(offered), most),
        )
    )  # fmt: skip
    proposals = parsed(reply, len(offered), most)
    if isinstance(proposals, str):
        return Worded(summary, _together(summary.sentences, ()), (proposals,))
    speakers = Speakers(frozenset(person))
    verdicts = [
        _judged(text, [offered[number - 1] for number in numbers], speakers, model.name) for text, numbers in proposals
    ]
    found = [verdict for verdict in verdicts if isinstance(verdict, SummarySentence)]
    refused = tuple(verdict for verdict in verdicts if isinstance(verdict, str))
    return Worded(summary, _together(summary.sentences, found), refused)


def schema(count: int, most: int) -> dict[str, Any]:
    """The shape of a reply about so many sentences, in at most so many."""
    numbers = {"type": "integer", "enum": list(range(1, count + 1))}
    sentence = object_of({
        "text": {"type": "string", "maxLength": LONGEST},
        "from": {"type": "array", "items": numbers, "minItems": 1, "maxItems": JOINED},
    })  # fmt: skip
    return object_of({"sentences": {"type": "array", "items": sentence, "maxItems": most}})


def messages(offered: Sequence[Source], most: int) -> list[Message]:
    """What to ask about the sentences of a summary."""
    lines, said = _EXAMPLE
    who = ["" if one.speaker.casefold() in ("me", "user") else f", {one.speaker}" for one in offered]
    shown = [f"({one.said_at.iso()[:10]}{by}) {one.quote}" for one, by in zip(offered, who, strict=True)]
    return [
        Message("system", _TASK.format(most=most)),
        Message("user", _numbered(lines)),
        Message("assistant", json.dumps({"sentences": said})),
        Message("user", _numbered(shown)),
    ]


def _numbered(lines: Iterable[str]) -> str:
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))


def parsed(reply: str, count: int, most: int) -> list[tuple[str, tuple[int, ...]]] | str:
    """The sentences of a reply, each with the numbers that it names; the code of what is wrong with it as a whole."""
    listed = list_in(reply, "sentences")
    if isinstance(listed, str):
        return listed
    if len(listed) > most or not all(_is_sentence(one, count) for one in listed):
        return NOT_BY_SCHEMA
    return [(" ".join(one["text"].split()), tuple(sorted(set(one["from"])))) for one in listed]


def _is_sentence(said: object, count: int) -> bool:
    if not isinstance(said, dict) or set(said) != {"text", "from"} or not isinstance(said["text"], str):
        return False
    numbers = said["from"]
    if not isinstance(numbers, list) or not 1 <= len(numbers) <= JOINED:
        return False
    return all(type(number) is int and 1 <= number <= count for number in numbers)


def _together(sentences: Sequence[Source], found: Sequence[SummarySentence]) -> tuple[SummarySentence, ...]:
    """What was let in, and as they were said those sentences on which none of it rests."""
    borne = {source for one in found for source in one.sources}
    told = [*found, *(SummarySentence(sentence.quote, (sentence,)) for sentence in sentences if sentence not in borne)]
    return tuple(sorted(told, key=lambda one: (sentences.index(one.sources[0]), one.text)))


# -- what is let in


def _judged(text: str, sources: Sequence[Source], speakers: Speakers, model: str) -> SummarySentence | str:
    """The sentence with what it rests on, or the code of what speaks against it."""
    copied = next((one for one in sources if one.quote == text), None)
    if copied is not None:
        return SummarySentence(text, (copied,))
    if not text or len(text) > LONGEST or not text.isprintable() or veil(text).hidden:
        return "NOT_A_SENTENCE"
    if len({one.speaker for one in sources}) > 1:
        return "MIXED_SPEAKERS"
    if DATED in marks(text) and len({one.said_at.iso()[:10] for one in sources}) > 1:
        return "MIXED_DAYS"
    if not _in_words(text, " ; ".join([sources[0].speaker, *(source.quote for source in sources)])):
        return "NOT_IN_SOURCES"
    mine = _claims(text, sources[0], speakers)
    theirs = [(source, claim) for source in sources for claim in _claims(source.quote, source, speakers)]
    if not mine:
        return "NOT_CLAIMED"
    bearing: list[tuple[Source, Claim]] = []
    for claim in mine:
        borne = _borne(claim, theirs)
        if isinstance(borne, str):
            return borne
        bearing.append(borne)
    borne_by = " ; ".join(dict.fromkeys(source.quote[claim.start : claim.end] for source, claim in bearing))
    if not _in_words(text, f"{sources[0].speaker} ; {borne_by}"):
        return "OTHER_WORDS"
    if _found(_TURNS, text) != _found(_TURNS, borne_by):
        return "OTHER_LIMITS"
    rests = {one for one, _ in bearing}
    if not _found(_PERSONS, text) <= _found(_PERSONS, " ; ".join(one.quote for one in rests)):
        return "OTHER_PERSON"
    return SummarySentence(text, tuple(one for one in sources if one in rests), model)


def _in_words(text: str, said: str) -> bool:
    """Whether every telling word, name and number of a text occurs in what was said."""
    opening = text.split()[0].casefold().strip(".,:;!?'\"")
    named = _values(text) - _values(said) - {opening}
    return not named and set(query_terms(text)) <= set(terms(said))


def _values(text: str) -> frozenset[str]:
    """The names, numbers and denials in a text, in lower case."""
    return frozenset(match.group().casefold().rstrip(".,:/-") for match in _VALUE.finditer(text))


def _claims(text: str, source: Source, speakers: Speakers) -> list[Claim]:
    """What a text claims, said by who said the source, then."""
    turn = Episode(
        "", 0, None, source.session, 0, source.speaker, "user", text, source.said_at, source.said_at, source="",
    )  # fmt: skip
    return read(turn, (), speakers)


def _borne(claim: Claim, theirs: Sequence[tuple[Source, Claim]]) -> tuple[Source, Claim] | str:
    """The claim of a source that says what this one says, and maybe more; the code of what is other in all."""

    def state(one: Claim) -> tuple[bool, bool]:
        return one.negative, one.valid.end is not None or one.cue == "stop"

    value = set(value_key(claim.object).split())
    alike = [one for one in theirs if value <= set(value_key(one[1].object).split())]
    if not alike:  # no source claims anything of it: whom it is of and its words are to be those of one
        alike = [one for one in theirs if value <= set(value_key(one[0].quote).split())]
        return next(
            (one for one in alike if one[1].subject == claim.subject), "OTHER_SUBJECT" if alike else "OTHER_CLAIM"
        )
    same = [one for one in alike if one[1].subject == claim.subject]
    named = [one for one in same if one[1].predicate == claim.predicate]
    agreeing = [one for one in named if state(one[1]) == state(claim)]
    if agreeing:
        return agreeing[0]
    return "OTHER_STATE" if named else "OTHER_CLAIM" if same else "OTHER_SUBJECT"


def _found(pattern: re.Pattern[str], text: str) -> set[str]:
    return {match.group().casefold().replace("’", "'") for match in pattern.finditer(text)}
