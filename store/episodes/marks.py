"""What kind of turn it is, is read from its words alone, so the marks of a turn never change when others arrive.

A mark is a term of its own in the full-text table's third column ("=asks"), so that recall can weigh it without the
text, and anybody can look for it: `select rowid from episode_terms where marks match '"=asks"'`.
"""

from __future__ import annotations

import re

ASKS = "=asks"
"""It ends in a question, so the next turn is probably its answer."""
DATED = "=dated"
"""It says when."""
COUNTED = "=counted"
"""It says how many."""
OWN = "=own"
"""It speaks of the speaker: "I", "my", "we"."""
SHOWN = "=shown"
"""It comes with a picture or a file, described in brackets."""

NAMED = "=named"
"""It names somebody or something: a capital inside a sentence."""
PLACED = "=placed"
"""It names where."""
REASONED = "=reasoned"
"""It says why."""
PAST = "=past"
"""It tells what happened."""

_BRACKETS_AT_THE_END = re.compile(r"(?:\s*\[[^\[\]]*\])+\s*$")
_ASKS = re.compile(r"[?？؟\u037e][\s\"'”’)]*$")
_DATED = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|weeks?|weekend|months?|years?|morning|recently|since|\d{4}"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october"
    r"|november|december|gestern|heute|morgen|letzte[nrs]?|ayer|hoy|mañana|pasad[oa]|hace)\b"
    r"|어제|오늘|내일|지난|작년|올해|昨天|今天|明天|去年|今年|上个?月|上周",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"(?i)\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|dozen|once|twice|couple|few|several|both)\b"
)
_OWN = re.compile(r"\b(?:I|me|my|mine|we|us|our|ours)\b", re.IGNORECASE)
_NAMED = re.compile(r"(?<=[\w,;:'\"] )[A-Z][a-z]{2,}")
_PLACED = re.compile(r"\b(?:in|at|to|from|near) (?:the )?[A-Z][a-z]+")
_REASONED = re.compile(
    r"(?i)\b(?:because|since|so that|cause|in order|reasons?|to help|that's why|inspired?|inspiring|motivat\w+)\b"
)
_PAST = re.compile(
    r"(?i)\b(?:\w+ed|went|got|had|was|were|made|took|saw|bought|found|won|met|gave|came|did|left|began|told|wrote)\b"
)
_PATTERNS = (
    (DATED, _DATED), (COUNTED, _COUNTED), (OWN, _OWN), (NAMED, _NAMED), (PLACED, _PLACED), (REASONED, _REASONED),
    (PAST, _PAST),
)  # fmt: skip
READ = 4_000
"""Characters of a turn that are looked at."""


_NAMES_A_TIME = re.compile(
    r"\b(?:yesterday|tomorrow|last|next|ago|weekend|\d{4}|\d{1,2}[./-]\d{1,2}|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|january|february|march|april|may|june|july|august|september|october|november|december|christmas|easter|halloween"
    r"|thanksgiving|gestern|morgen|letzte[nrs]?|ayer|mañana|pasad[oa]|hace)\b|어제|내일|지난|작년|昨天|明天|去年|上个?月|上周",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[^.!?;\n]+[.!?;\n]*")
_AROUND = 60
"""Characters on either side of a word of time that are read with it."""


def clauses_with_times(text: str) -> list[str]:
    """The pieces of a text that may name a day, month or year: reading times is a hundred times dearer than this."""
    pieces = []
    for clause in _CLAUSE.findall(text):
        if found := list(_NAMES_A_TIME.finditer(clause)):
            start, end = found[0].start() - _AROUND, found[-1].end() + _AROUND
            left = clause.rfind(" ", 0, start) + 1 if start > 0 else 0  # whole words
            right = clause.find(" ", min(end, len(clause)))
            pieces.append(clause[left : len(clause) if right < 0 else right])
    return pieces


def asks(text: str) -> bool:
    """Whether a turn ends in a question mark, with or without a picture after it."""
    end = _BRACKETS_AT_THE_END.sub("", text[-600:])
    return bool(_ASKS.search(end))


def marks(text: str) -> list[str]:
    """The marks of a turn, in a fixed order."""
    found = [ASKS] if asks(text) else []
    found += [mark for mark, pattern in _PATTERNS if pattern.search(text, 0, READ)]
    return found + ([SHOWN] if text.rstrip().endswith("]") else [])
