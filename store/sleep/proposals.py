"""A model is shown what the person plainly says and nothing that is veiled, and may answer in one shape only.

What is asked of a model that reads beside the rules: the turn and the one that it answers, the clauses of it that the
rules left open, a JSON schema whose predicates are this vocabulary, and, on a second try, why the last reply was not
let in. `parsed` gives the proposals of a reply, or the code of what is wrong with it as a whole.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from store.belief.predicates import REGISTRY
from store.belief.reading.masks import veil
from store.protocols import Message
from store.records import Episode

EXTRACTOR = "model/1"
"""Begins the extractor of every claim that a model proposed; its name follows."""
LONGEST = 1_500
"""Characters of a turn that a model is asked about."""
BEFORE = 300
"""Characters of the turn before it, from its end."""
MOST = 4
"""Claims in one reply."""
REPLY_TOKENS = 420
VEILED = "[…]"
MODALITIES = ("fact", "plan", "wish", "hypothetical", "question", "quoted")

OFFERED = tuple(
    name
    for name in [
        "lives_in",
        "from",
        "works_at",
        "job",
        "studies",
        "studies_at",
        "age",
        "birth_year",
        "nationality",
        "relationship_status",
        "diet",
        "drives",
        "likes",
        "dislikes",
        "prefers",
        "interested_in",
        "afraid_of",
        "good_at",
        "owns",
        "collects",
        "grows",
        "speaks",
        "learning",
        "plays",
        "does",
        "goes_to",
        "member_of",
        "plays_in",
        "volunteers_at",
        "teaches",
        "works_on",
        "works_in",
        "uses",
        "allergic_to",
        "takes",
        "has_condition",
        "can",
        "eats",
        "drinks",
        "avoids",
        "lives_with",
        "married_to",
        "partner",
        "brother",
        "sister",
        "son",
        "daughter",
        "friend",
        "colleague",
        "pet",
        "dog",
        "cat",
        "visited",
        "bought",
        "sold",
        "met",
        "attended",
        "started",
        "finished",
        "joined",
        "adopted",
        "won",
        "made",
    ]
    if name in REGISTRY
)
"""The predicates that a model may use: such as still matter after a month."""

_SHORT = {"quote": 120, "subject": 30, "value": 60, "time": 30}


def _text(name: str) -> dict[str, Any]:
    return {"type": "string", "maxLength": _SHORT[name]}


_CLAIM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "quote": _text("quote"), "subject": _text("subject"), "predicate": {"type": "string", "enum": list(OFFERED)},
        "value": _text("value"), "denied": {"type": "boolean"},
        "modality": {"type": "string", "enum": list(MODALITIES)}, "time": _text("time"),
    },
    "additionalProperties": False,
}  # fmt: skip
_CLAIM["required"] = list(_CLAIM["properties"])
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"claims": {"type": "array", "items": _CLAIM, "maxItems": MOST}},
    "required": ["claims"],
    "additionalProperties": False,
}

_TASK = (
    "You note what a speaker plainly states about their own life, or about somebody whom they name. Reply with JSON: "
    '{"claims": [{"quote", "subject", "predicate", "value", "denied", "modality", "time"}]}.\n'
    "quote: the words after About that say it, copied exactly; nothing else of the turn is asked for.\n"
    'subject: "I" for the speaker, else the name as it is written.\n'
    "predicate: one of " + ", ".join(OFFERED) + ".\n"
    "value: words copied from the quote; no pronoun.\n"
    "denied: true if it is said not to be so.\n"
    "modality: fact only if it is stated as true; a plan, a wish, a question is none.\n"
    'time: the words of the quote that say when, else "".\n'
    "Write a claim only if its words use the predicate's own verb or noun. Feelings of the moment, thanks, praise, "
    'intentions and small talk are no claims. Most turns have none: {"claims": []}.'
)
_EXAMPLES: tuple[tuple[str, str, list[str], list[tuple[str, str, str, str, str]]], ...] = (
    (
        "Did you get out at all?",
        "Yes! Since May I sing with my cousin Ilse in the alpine choir, as members now. Thanks for asking!",
        ["Since May I sing with my cousin Ilse in the alpine choir, as members now"],
        [("Since May I sing with my cousin Ilse in the alpine choir, as members now", "I", "member_of",
          "alpine choir", "Since May")],
    ),
    ("Here is the recipe.", "That looks great, I'm so happy about it. I have to go now!",
     ["I'm so happy about it", "I have to go now"], []),
    (
        "How is everybody?",
        "Good. I have down in the cellar two old looms now. It makes me smile.",
        ["I have down in the cellar two old looms now"],
        [("I have down in the cellar two old looms now", "I", "owns", "two old looms", "")],
    ),
)  # fmt: skip

REASONS = {
    "NOT_JSON": "it was not JSON",
    "NOT_BY_SCHEMA": "it did not have the shape that was asked for",
    "QUOTE_NOT_VERBATIM": "a quote was not copied from the turn",
    "UNKNOWN_PREDICATE": "a predicate was not in the list",
    "VALUE_NOT_IN_QUOTE": "a value was not copied from its quote",
    "VALUE_SAYS_NOTHING": "a value was a pronoun or empty",
    "TIME_NOT_IN_QUOTE": "a time was not copied from its quote",
    "TIME_UNRESOLVED": "a time names no date",
    "NOT_ASSERTED": "a claim was not plainly stated by the speaker",
    "OTHER_SUBJECT": "a subject was not whom the words are about",
    "OTHER_POLARITY": "it was mistaken about what is denied",
    "OTHER_TENSE": "the words do not say that it holds",
    "OTHER_VERB": "a predicate did not fit the verb",
    "CONTRADICTS_RULES": "it contradicted what the turn surely says",
}
"""Why something is refused, by its code; in words, for the next try and for people."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One claim as a model proposes it; nothing of it is believed yet."""

    quote: str
    subject: str
    predicate: str
    value: str
    denied: bool
    modality: str
    time: str


def messages(turn: Episode, before: Episode | None, about: Sequence[str], refused: Sequence[str] = ()) -> list[Message]:
    """What to ask about a turn, of which only the words in `about` are open; `refused` holds the codes of the last
    reply's faults."""
    asked = [Message("system", _TASK)]
    for said, answer, words, claims in _EXAMPLES:
        asked.append(Message("user", _shown(said, answer, words)))
        asked.append(Message("assistant", _reply(claims)))
    last = _shown("" if before is None else seen(before.text)[-BEFORE:], seen(turn.text), about)
    if refused:
        why = "; ".join(dict.fromkeys(REASONS.get(code, code) for code in refused))
        last += f"\n(Your last reply was refused: {why}. Leave out what you cannot copy.)"
    return [*asked, Message("user", last)]


def _shown(before: str, turn: str, about: Sequence[str]) -> str:
    listed = "\n".join(f"- {words}" for words in about)
    return f"Before: {before or '(nothing)'}\nTurn: {turn}\nAbout:\n{listed}"


def seen(text: str, start: int = 0, end: int | None = None) -> str:
    """The words of a turn, or of the characters [start, end) of it, without what is quoted, pasted, secret or meant for
    a model; what that is follows from the whole turn."""
    last, at, shown = len(text) if end is None else end, start, ""
    for hides, shows in veil(text).hidden:
        if hides < last and shows > at:
            shown += text[at : max(at, hides)] + VEILED
            at = min(shows, last)
    return shown + text[at:last]


def _reply(claims: Sequence[tuple[str, str, str, str, str]]) -> str:
    made = [
        {"quote": quote, "subject": subject, "predicate": predicate, "value": value, "denied": False,
         "modality": "fact", "time": time}
        for quote, subject, predicate, value, time in claims
    ]  # fmt: skip
    return json.dumps({"claims": made}, ensure_ascii=False)


def parsed(reply: str) -> list[Proposal] | str:
    """The proposals of a reply; the code of what is wrong where it is not the JSON that was asked for."""
    try:
        said = json.loads(reply)
    except (ValueError, RecursionError):
        return "NOT_JSON"
    listed = said.get("claims") if isinstance(said, dict) else None
    if not isinstance(listed, list) or set(said) != {"claims"} or len(listed) > MOST:
        return "NOT_BY_SCHEMA"
    if not all(_is_claim(one) for one in listed):
        return "NOT_BY_SCHEMA"
    return [Proposal(**one) for one in listed]


def _is_claim(one: object) -> bool:
    if not isinstance(one, dict) or set(one) != set(_CLAIM["properties"]):
        return False
    words = all(isinstance(one[name], str) for name in (*_SHORT, "predicate", "modality"))
    return words and isinstance(one["denied"], bool) and one["modality"] in MODALITIES
