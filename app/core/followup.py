"""A question that follows another means what it means beside that one: "And Tom?", "Since when?", "Where is she now?".

It is asked as it would be asked by itself. What names whom it is about is left as it is, and so is all that follows no
question about the person's life.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from store.protocols import Message
from store.reading.asking.encoder import shipped
from store.reading.asking.telling import BEFORE, OTHER, SINCE, asks
from store.recall.wording import is_relation
from store.records import Answer, Fact
from store.time.expressions import read_times

Ask = Callable[[str], Answer]
MOST_BACK = 6  # questions that may follow one another
MOST_WORDS = 14  # of a question that follows another; a longer one says what it asks
_THIRD = re.compile(r"(?i)\b(?P<of>his|hers?|their|theirs)\b(?= [^\W\d_])|\b(?:s?he|him|her|they|them|hers|theirs)\b")
_IT = re.compile(
    r"(?i)\b(?:it|that)\b(?= *(?:\W*\Z|\b(?:cost|was|is|be|called|for|from|in|at|on|again|now|made|worth)\b))"
)
_THING = re.compile(
    r"(?i)\b(?P<mine>(?:my|our|the) [^\W\d_]+)\b"
    r"|^\W*(?:what|which) (?P<of>[^\W\d_]+) (?:do|did|does|have|has|am|is|are|was)\b"
    r"|^\W*when(?:['’]?s| is| was) (?!it\b|that\b|s?he\b|(?-i:[A-Z]))(?P<on>[^\W\d_]+)\W*$"
)
"""What is spoken of, as a thing: "my bike", "what bike do I have"."""
_PRONOUN = re.compile(r"(?i)(?:s?he|his|her|they|their|it|we|you|i(?= ))\b")
_OBJECT = re.compile(
    r"(?i) (?:now|then|at|in|on|to|by|from|with|for|and|or|today|again|before|after|yet|still|last|when)\b"
)
"""What follows "her" where it is no "her dog"."""
_WHERE = re.compile(r"(?i)^\W*(?:where|who|what)(?P<is>['’]?s\b)?")  # could ask when as well
_NOW = re.compile(r"(?i) ?\b(?:now|nowadays|currently|these days|at the moment|at present|today)\b")
_PREPOSITION = re.compile(r"(?i)\b(?:on|in|at|for) \Z")
_THIRD_PERSON = {"do": "does", "am": "is", "have": "has", "don't": "doesn't", "haven't": "hasn't"}
_FIRST_PERSON = {other: own for own, other in _THIRD_PERSON.items()}
_PRESENT = re.compile(r"(?i)\b(?:do|does|is|am|are)\b|(?:(?<=\bwhat)|(?<=\bwhere)|(?<=\bwho)|(?<=\bhow))['’]?s\b")
_AHEAD = re.compile(r"(?i)\b(?:now|today|tomorrow|next|coming|from)\b")
_ANY = datetime(2000, 1, 1, tzinfo=UTC)  # a moment: whether words are of a time is the same at each
_S = re.compile(r"['’]s$")
_PAST = {"do": "did", "does": "did", "is": "was", "am": "was", "are": "were"}


@dataclass(frozen=True)
class _Said:
    """What the person said last, by itself."""

    text: str
    ask: Ask

    @property
    def asks(self) -> bool:
        """Whether it asks about their life."""
        return asks(self.text) and shipped().intent(self.text).about == "memory"

    @cached_property
    def fact(self) -> Fact | None:
        """The belief that answers, the first where several do."""
        return next(iter(self.ask(self.text).facts), None) if self.asks else None

    @property
    def subject(self) -> str:
        """The words that name whom it is about; "" where that is the person."""
        return shipped().intent(self.text).subject.strip()

    @property
    def person(self) -> str:
        """Whom "she" means after it: whom it is about, or who it asked for."""
        fact = self.fact
        if fact is not None and is_relation(fact.predicate) and shipped().intent(self.text).form == "who":
            return fact.object
        about = "" if fact is None or fact.subject == "me" else fact.subject
        return _S.sub("", self.subject) or about


def standalone(text: str, history: Sequence[Message], ask: Ask) -> str:
    """The question as it would be asked by itself; `history` is the conversation so far, oldest first."""
    if len(text.split()) > MOST_WORDS or not _follows(text):
        return text
    last = _last(history, ask)
    if last is None:
        return text
    asked = (_since(text, last) or _before(text, last) or _of_another(text, last)) if last.asks else ""
    return asked or _of_it(text, last) or _of_them(text, last)


def _follows(text: str) -> bool:
    """Whether words could ask something that only the question before tells."""
    short = any(pattern.match(text) for pattern in (SINCE, BEFORE, OTHER))
    return short or (asks(text) and any(pattern.search(text) is not None for pattern in (_THIRD, _IT)))


def _last(history: Sequence[Message], ask: Ask) -> _Said | None:
    """The last thing that the person said by itself; what itself only follows is passed over."""
    said = [place for place, message in enumerate(history) if message.role == "user"][-MOST_BACK:]
    for place in reversed(said):
        text = history[place].content
        alone = standalone(text, history[said[0] : place], ask)
        if not SINCE.match(text) and (alone != text or not _follows(text)):
            return _Said(alone, ask)
    return None


def _since(text: str, asked: _Said) -> str:
    """ "Since when?", of what was answered."""
    match = SINCE.match(text)
    if match is None:
        return ""
    lead = match["lead"].capitalize()
    if asked.fact is not None:
        return f"{lead} {_first_person(asked.fact.text)}?"
    asks = _WHERE.match(asked.text)
    return f"{lead}{' is' * bool(asks['is'])}{asked.text[asks.end() :]}" if asks else text


def _before(text: str, asked: _Said) -> str:
    """ "And before that?", of what was answered."""
    if not BEFORE.match(text):
        return ""
    if asked.fact is None:
        return text
    core = re.sub(r"(?i) (?:before|until) .*$", "", asked.text.rstrip(" ?!."))
    return f"{_then(core)} before {asked.fact.object}?"


def _of_another(text: str, asked: _Said) -> str:
    """ "And Tom?", "What about last year?": the same of somebody else, or at another time."""
    match = OTHER.match(text)
    if match is None or asks(match["of"]) or _PRONOUN.match(match["of"]):
        return ""
    other, core, subject = match["of"], asked.text.rstrip(" ?!."), asked.subject
    if any(told.end - told.start >= len(other) - 3 for told in read_times(other, _ANY)):
        times = [told for told in read_times(core, _ANY) if _NOW.fullmatch(told.text) is None]
        if len(times) == 1:  # "What's on Tuesday?", "And on Thursday?"
            return f"{_PREPOSITION.sub('', core[: times[0].start])}{other}{core[times[0].end :]}?"
        return f"{core if _AHEAD.search(other) else _then(core)} {other}?"
    if other.lower() in ("i", "me", "myself"):
        return f"{_told_of_me(core, _S.sub('', subject))}?" if subject else text
    if not subject:
        return f"{_told_of(core, other)}?"
    return core.replace(subject, f"{other}'s" if _S.search(subject) and not _S.search(other) else other) + "?"


def _of_them(text: str, asked: _Said) -> str:
    """With the name of the one who was spoken of in the place of "she"."""
    match, person = _THIRD.search(text), asked.person
    if match is None or not person or not asks(text):
        return text
    if shipped().intent(text).subject.casefold().split()[:1] not in ([], [match[0].casefold()]):
        return text  # somebody is named
    person = re.sub(r"(?i)^(?:you|your)\b", "my", person)

    def named(found: re.Match[str]) -> str:
        owned = found["of"] is not None and not _OBJECT.match(text, found.end())
        return f"{person}'s" if owned else person

    return _THIRD.sub(named, text)


def _of_it(text: str, asked: _Said) -> str:
    thing = _THING.search(asked.text)
    if thing is None or _IT.search(text) is None or not asks(text):
        return ""
    return _IT.sub(thing["mine"] or f"the {thing['of'] or thing['on']}", text, count=1)


def _then(core: str) -> str:
    """A question about now, of another time."""
    return _PRESENT.sub(lambda verb: _PAST.get(verb[0].lower(), " was"), _NOW.sub("", core), count=1)


def _told_of(core: str, other: str) -> str:
    """A question about the person, asked of another."""
    verbs = r"(?i)\b(do|am|have|don't|haven't) i\b"
    core = re.sub(verbs, lambda verb: f"{_THIRD_PERSON[verb[1].lower()]} {other}", core)
    return re.sub(r"(?i)\b(?:i|me)\b", other, re.sub(r"(?i)\bmy\b", f"{other}'s", core))


def _told_of_me(core: str, name: str) -> str:
    """A question about another, asked of the person."""
    name = re.escape(name)
    verbs = rf"(?i)\b(does|is|has|doesn't|hasn't) {name}\b"
    core = re.sub(verbs, lambda verb: f"{_FIRST_PERSON[verb[1].lower()]} I", re.sub(rf"{name}['’]s\b", "my", core))
    return re.sub(rf"\b{name}\b", "I", core)


def _first_person(sentence: str) -> str:
    """A sentence to the person, in the person's mouth."""
    said = re.sub(r"(?i)\byou are\b", "I am", sentence.rstrip("."))
    said = re.sub(r"(?i)\byour\b", "my", re.sub(r"^You\b", "I", said))
    return re.sub(r"\byou\b", "me", said)
