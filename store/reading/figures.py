"""A figure is named by the noun that it measures: the one behind it, or the one that was said to change.

"We got 42% F1", "about 150 endpoints", "training time dropped from 72 hours to 41 hours". The reader
points at the figure and says that it is one; a figure beside no noun keeps the reader's kind.
"""

from __future__ import annotations

import re

from store.reading.encoder import Statement
from store.reading.slotted import Slot
from store.reading.worded import around
from store.text.lists import wordset
from store.text.nouns import ATTRIBUTES

_NUMBER = r"[$€£]?\d[\d.,]*(?:[kmbx]|ms|s|gb|mb|tb|kb|bn)?\+?"
_UNITS = (
    r"%|percent|kilos?|kgs?|lbs?|pounds|stone|km|miles|met(?:re|er)s|euros|dollars|quid|points?|stars?|out of \d+|"
    r"ms|seconds?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|kmh|mph"
)
_FIGURE = re.compile(
    rf"(?i)(?P<figure>{_NUMBER}(?: ?(?:{_UNITS})(?!\w))?)(?: (?P<noun>[^\W\d_][\w-]*(?: [^\W\d_][\w-]*)?))?"
)
_BEHIND = re.compile(r" (?P<noun>(?:beta |active |monthly |daily |weekly )*[^\W\d_][\w-]*)")
_NOT_NOUNS = wordset(
    "a an the and or but so of on in at to for with from by vs versus than per each every this that now already total"
)
_BEFORE = r"(?i)(?:\A|[,.:;!?—–] ?|\b(?:the|our|my|and|but|so) )(?!(?:i|we|you|he|she|it|they|the|our|my|and|but|so) )"
_ABOUT = r"(?: about| around| just| over| under| almost)? \Z"
_CHANGED = re.compile(
    rf"{_BEFORE}(?P<noun>(?:[^\W\d_][\w-]* ){{1,3}}?)(?:(?:has |have )?(?:went|goes|gone|dropped|drops|fell|falls|"
    r"rose|rises|grew|grows|increased|decreased|improved|jumped|climbed|shrank|declined|slipped|is|was)"
    rf"(?: back)?(?: up| down)?(?: from (?:(?! to )[^,;])*)? to|hits?|reach(?:es|ed)){_ABOUT}"
)
_IS = re.compile(rf"{_BEFORE}(?P<noun>[^\W\d_][\w-]* (?:[^\W\d_][\w-]* )?)is(?: now| currently)?(?: at)?{_ABOUT}")
_SCORED = re.compile(
    r"(?i)\b(?:gets?|got|getting|scores?|scored|reach(?:es|ed)?|hits?|achieves?|achieved)(?: about)? \Z"
)
_AVERAGES = wordset("average avg mean overall score")
_OWN = re.compile(
    r"(?i)(?:\b(?:i|we)(?:['’](?:m|re|ve)| am| are| have|['’]d)?(?: now| already| just| currently)*"
    r"(?: (?:up |down )?(?:at|to)| hit| reached| passed| (?:grew|expanded|scaled|went)(?: up)? to| cover(?:ing)?"
    r"| support(?:ing)?| serv(?:e|ing)| handl(?:e|ing)| got| have)?|\b(?:i|we|my|our)\b[^.!?]*[—–-]+)"
    r"(?: now| already| about| around| roughly| over| almost| nearly)* \Z"
)
_EACH = re.compile(r"(?i) (?:an?|per|each|every) \w+|/\w+")
_LABELS = ("measure", "schedule", "other", "price", "pay")
_TEAM = ("team", "people")


REACH = 120
"""Characters before a figure that are looked at."""


def figure_slot(text: str, said: Statement, value: str) -> Slot | None:
    """The slot of a figure, by the noun that it measures; None where the words name none."""
    if said.predicate not in _LABELS or said.status in ("planned", "not", "ends", "cancelled", "was"):
        return None
    found = _FIGURE.match(value)
    if found is None or found["figure"][:1] in "$€£":
        return None
    ahead, behind = text[max(0, said.value.start - REACH) : said.value.start], around(text, said)[1]
    changed = _CHANGED.search(ahead)
    rest = value[found.end("figure") :]
    whole = value if (found["noun"] or "").endswith("s") or _EACH.fullmatch(rest) else found["figure"]
    if changed is not None:
        return _of_noun(changed["noun"].strip(), whole, "begins")
    noun = found["noun"] or ("" if found.end() < len(value) else _noun_behind(behind))
    first, own = noun.split()[0] if noun else "", said.subject is None and _OWN.search(ahead) is not None
    if (named := _IS.search(ahead)) is not None and (re.search(r"\D", value) or named["noun"].strip() in _TEAM):
        return _of_noun(named["noun"].strip(), whole, said.status)
    if own and first in _TEAM:
        return Slot("team_size", f"{found['figure']} {first}", None, "begins", single=True)
    if own and noun.endswith("s") and first.lower() not in _NOT_NOUNS:
        return Slot(f"number_of_{noun.lower().replace(' ', '_')}", found["figure"], None, "begins", single=True)
    if said.predicate != "measure":
        return None
    if (not first or first.lower() in _AVERAGES) and _SCORED.search(ahead):
        return _of_noun("score", found["figure"], "begins")
    if first and first.lower() not in _NOT_NOUNS and any(letter.isupper() for letter in first):
        return _of_noun(first, found["figure"], "begins")
    return None


def is_left_behind(text: str, said: Statement) -> bool:
    """Whether it is the old one of two figures, and the new one says so: "from 41 to 38.5"."""
    figure = _FIGURE.fullmatch(text, *said.value) is not None and said.status in ("ends", "corrects", "was", "is")
    return figure and text.endswith("from ", 0, said.value.start) and _TO.match(text, said.value.end) is not None


_TO = re.compile(r" (?:(?:up|down) )?to (?:about )?[$€£]?\d")


def _noun_behind(behind: str) -> str:
    found = _BEHIND.match(behind)
    return "" if found is None or found["noun"].split()[0].lower() in _NOT_NOUNS else found["noun"]


def _of_noun(noun: str, figure: str, status: str) -> Slot:
    if noun in _TEAM:
        return Slot("team_size", figure, None, status, single=True)
    noun = noun[:-1] if noun.endswith("s") and noun[:-1].lower() in ATTRIBUTES else noun  # "rents gone up to 900"
    name = noun.lower().replace(" ", "_").replace("-", "_")
    return Slot(name, figure, f"~{name}", status, single=True)
