"""A model chooses by number among what it is shown, so no word of its own can get in; veiled words it is not shown.

All-Mem's plans (appendices B.6 and C.1) as one JSON object: what should be done to a unit, to which of the older units
that are near to it, before which of its sentences another matter begins, how sure that is, and why. `parsed` gives the
choice, or the code of what is wrong with the reply.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from store.protocols import Message

Kind = Literal["none", "split", "merge", "update"]
Why = Literal["each says its own", "one matter", "different matters", "same statement", "newer state", "unsure"]
REPLY_TOKENS = 80
MOST = 3
"""Older units, and beginnings, that one reply may name."""
NOT_JSON, NOT_BY_SCHEMA = "NOT_JSON", "NOT_BY_SCHEMA"
_SURE = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.0)


@dataclass(frozen=True, slots=True)
class ShownUnit:
    """What a model sees of a unit."""

    day: str
    sentences: tuple[str, ...]
    """The person's, numbered from 1."""
    older: tuple[str, ...] = ()
    """Units that are near to it, each with its day, numbered from 1."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a model would do to a unit."""

    kind: Kind
    targets: tuple[int, ...]
    """merge, update: which of the older units, from 1."""
    begins: tuple[int, ...]
    """split: the sentences with which a part begins, from 1."""
    confidence: float
    reason: str


_TASK = (
    "You keep somebody's notes in order, and change them only where you are certain. You are shown one note with its "
    "sentences numbered, and older notes that may have to do with it. Reply with JSON: "
    '{"reason", "kind", "targets", "begins", "confidence"}.\n'
    "none: nothing is to be done. This is so for most notes.\n"
    "split: the note is about matters that have nothing to do with each other. begins: the numbers of the sentences "
    "with which another matter begins.\n"
    "merge: an older note says the very same, with nothing more and nothing else in either. targets: its number.\n"
    "update: the note says what is so now, and an older note says only what no longer is so. targets: its number.\n"
    "Notes about the same subject that each say something of their own stay as they are: none.\n"
    "confidence: from 0 to 1."
)
_EXAMPLES: tuple[tuple[ShownUnit, Choice], ...] = (
    (
        ShownUnit("2021-05-03", ("Our cat had four kittens on Sunday.", "They sleep in the laundry basket."),
              ("(2021-04-20) The cat is getting rounder every day.",)),
        Choice("none", (), (), 1.0, "each says its own"),
    ),
    (
        ShownUnit("2021-05-09", ("The choir sings in Graz in June.", "We still rehearse twice a week.",
                             "Also, my tax return is late because a form is missing."),
              ("(2021-05-02) The choir has a new conductor.",)),
        Choice("split", (), (3,), 0.95, "different matters"),
    ),
    (
        ShownUnit("2021-05-20", ("I ran ten kilometres today and felt great.",),
              ("(2021-05-13) I ran eight kilometres today.",)),
        Choice("none", (), (), 1.0, "each says its own"),
    ),
    (
        ShownUnit("2021-06-01", ("How much salt goes into brine for olives?",),
              ("(2021-05-11) How long do olives stay in brine?", "(2021-05-28) How much salt is in brine for olives?")),
        Choice("merge", (2,), (), 0.95, "same statement"),
    ),
    (
        ShownUnit("2021-06-04", ("The roof leaks over the stairs.", "A man looks tomorrow.", "It is the third leak.")),
        Choice("none", (), (), 1.0, "one matter"),
    ),
    (
        ShownUnit("2021-06-12", ("Ilse sold the red bicycle.", "She rides a tricycle now."),
              ("(2021-01-30) Ilse rides a red bicycle.", "(2021-03-02) Ilse and I painted the shed.")),
        Choice("update", (1,), (), 0.95, "newer state"),
    ),
    (
        ShownUnit("2021-06-20", ("Ilse is thinking of a boat.",), ("(2021-06-12) Ilse sold the red bicycle.",)),
        Choice("none", (), (), 1.0, "each says its own"),
    ),
)  # fmt: skip


def schema(shown: ShownUnit) -> dict[str, Any]:
    """The shape of a reply about this unit."""
    kinds = ["none", *(["split"] if len(shown.sentences) > 1 else []), *(["merge", "update"] if shown.older else [])]
    properties: dict[str, Any] = {
        "reason": {"type": "string", "enum": list(get_args(Why))},
        "kind": {"type": "string", "enum": kinds},
        "targets": _numbers(len(shown.older)),
        "begins": _numbers(len(shown.sentences)),
        "confidence": {"type": "number", "enum": list(_SURE)},
    }
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _numbers(most: int) -> dict[str, Any]:
    items = {"type": "integer", "enum": list(range(1, max(most, 1) + 1))}
    return {"type": "array", "items": items, "maxItems": min(MOST, max(most, 1))}


def messages(shown: ShownUnit) -> list[Message]:
    """What to ask about a unit."""
    asked = [Message("system", _TASK)]
    for example, choice in _EXAMPLES:
        asked.append(Message("user", words(example)))
        asked.append(Message("assistant", _reply(choice)))
    return [*asked, Message("user", words(shown))]


def words(shown: ShownUnit) -> str:
    """A unit as it is put before a model."""
    note = [f"{number}. {said}" for number, said in enumerate(shown.sentences, 1)]
    older = [f"{number}. {said}" for number, said in enumerate(shown.older, 1)] or ["(none)"]
    return "\n".join([f"Note of {shown.day}:", *note, "Older notes:", *older])


def _reply(choice: Choice) -> str:
    return json.dumps({
        "reason": choice.reason, "kind": choice.kind, "targets": choice.targets, "begins": choice.begins,
        "confidence": choice.confidence,
    })  # fmt: skip


def parsed(reply: str, shown: ShownUnit) -> Choice | str:
    """The choice of a reply about this unit; the code of what is wrong where it is not the JSON that was asked for."""
    try:
        said = json.loads(reply)
    except (ValueError, RecursionError):
        return NOT_JSON
    wanted = schema(shown)["properties"]
    if not isinstance(said, dict) or set(said) != set(wanted):
        return NOT_BY_SCHEMA
    targets, begins = (_listed(said[name], wanted[name]) for name in ("targets", "begins"))
    if targets is None or begins is None or not _is_share(said["confidence"]):
        return NOT_BY_SCHEMA
    if said["kind"] not in wanted["kind"]["enum"] or said["reason"] not in wanted["reason"]["enum"]:
        return NOT_BY_SCHEMA
    kind = said["kind"]
    return Choice(
        kind, targets if kind in ("merge", "update") else (), begins if kind == "split" else (),
        float(said["confidence"]), said["reason"],
    )  # fmt: skip


def _is_share(said: object) -> bool:
    return isinstance(said, int | float) and not isinstance(said, bool) and 0 <= said <= 1


def _listed(said: object, wanted: dict[str, Any]) -> tuple[int, ...] | None:
    """The numbers of a list, each once; None where it holds anything else, or too much."""
    if not isinstance(said, list) or len(said) > wanted["maxItems"]:
        return None
    numbers: Sequence[object] = said
    fit = all(type(number) is int and number in wanted["items"]["enum"] for number in numbers)
    return tuple(dict.fromkeys(one for one in numbers if isinstance(one, int))) if fit else None
