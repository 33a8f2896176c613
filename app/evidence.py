"""A question about the person reaches a model only with turns that speak of all that it asks; else it was never told.

Measured on models of 0.1 to 1.5 billion weights: what they say to such a question without such a turn is made up, and
with many turns they pick a wrong one. So the turns are chosen by words (their keys, as the answers from beliefs use
them), the latest state at the time that is asked about, and a model that is not to be trusted at all is not asked: the
turn itself is the answer, in the person's own words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set

from store.recall.answer_words import KIND_NAMES, KIND_OF, LIGHT, key, keys, tokens
from store.records import Hit, Instant
from widgets.plain import one_line
from widgets.wording import long_day

MOST = 3
"""Turns that are quoted."""
OWN = ("me", "user")
_ORDER = keys(
    "before after first last next previous previously former formerly earlier later then since until till used time"
    " times still happen happened"
)
"""Words of a question that say which of several, and need not be in the turn that answers."""
_HEAD, _BEFORE_HEAD = 4, 3
"""Letters that a word and what stands before it must have to be its head: a phone in a Fairphone, no earning in
learning.
"""
_SAID_BY = {
    "live": "rent lodge move relocate settle house home apartment reside",
    "work": "job employ hire shift",
    "drive": "car",
    "dog": "greyhound labrador retriever poodle terrier beagle dachshund spaniel collie corgi dalmatian husky pug "
    "bulldog boxer shepherd setter whippet chihuahua puppy mongrel schnauzer mastiff rottweiler pointer",
    "cat": "kitten tabby tomcat siamese persian",
    "car": "skoda volvo ford fiat seat renault peugeot citroen dacia toyota honda mazda nissan subaru suzuki hyundai "
    "kia volkswagen vw audi bmw mercedes opel vauxhall porsche tesla mini jeep chevrolet lexus jaguar saab saloon",
    "telephone": "pixel iphone galaxy fairphone motorola nokia oneplus xiaomi android handset",
    "computer": "laptop macbook thinkpad desktop pc chromebook",
    "laptop": "macbook thinkpad chromebook",
}
"""Words that say another without naming it, which no rule of word-building tells."""
_SAYS = {key(one): {key(word) for word in said.split()} for one, said in _SAID_BY.items()}
_WHEN = re.compile(r"(?i)^\W*(?:since when|when|(?:on |in )?(?:what|which) (?:day|date|year|month))\b")
_KINDS_OF_ANSWER = (
    (re.compile(r"(?i)^\W*(?:and |so )?(?:who|whom|whose)\b|\b(?:name|called|named|surname)\b"), "name"),
    (re.compile(r"(?i)^\W*(?:and |so )?how (?:much|many|old|big|large|long|tall|far|often|heavy|high)\b"), "number"),
    (re.compile(r"(?i)\babout\s*\?*\s*$"), "matter"),
)
"""What an answer has to hold, by how the question is put."""
_NUMBER = re.compile(
    r"(?i)\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|hundred|thousand|million|"
    r"half|quarter|dozen|couple|once|twice|every|always|never|daily|weekly|monthly|hours?|ages?|free)\b"
)
_WITHIN = re.compile(r"(?<![.!?…:\"“‘(])\s+[\"“‘(]*([^\W\d_a-z][\w'’-]*)")
_FIRST = re.compile(
    r"(?:^|[.!?…]\s+)(?!(?:The|An?|My|Our|His|Her|Their|Its?|This|That|There|Those|These|We|You|They|He|She|So|And|But|Just|"
    r"Got|Sold|Bought|Went|Quit|Met|Ran|Had|Took|Left|Some|No|Not|Yes|Oh|Ok|Okay|Turns|If|When|By|On|In|At|For|To)\b)"
    r"([^\W\d_a-z][^\W\d_]*(?<!ed)(?<!ly)(?<!ing))(?=\s+[a-z])"
)
"""The first word of a sentence, where it may be a name."""
_IS_CALLED = re.compile(r"(?i)\b(?:called|named|names?)\b|\b(?:is|am|was|are)\s+(?:mr|mrs|ms|dr|prof)\b")
_MATTER = re.compile(
    r"(?i)\b(?:about|topic|subject|deals|tells)\b|"
    r"\b(?:thesis|dissertation|books?|novel|film|papers?|essay|talk|lecture|report|article|course) (?:is |was )?on\b"
)
_ENDED = re.compile(
    r"(?i)\b(?:cancel\w*|quit|left|leav\w+|stop\w*|sold|ditch\w*|dropp?\w*|g[ia]ven? up|gave up|no longer|any ?more|"
    r"used to|passed away|died|broke up|split up|retired|moved out|swap\w*|switch\w*|replac\w*|instead|now|these days|"
    r"changed?|finished|fired|ended|closed|lost|over)\b"
)
"""A later turn with such a word may be the end of what an earlier one says."""
_THE_TWO = re.compile(
    r"(?i)\bthe ([^\W\d_]{3,} [^\W\d_]{3,})(?= ?[?,.]| (?:is|was|does|did|do|has|have|close|open)\b|$)"
)
"""A thing with two words to its name, as one speaks of what both know."""
_SIDE = re.compile(r"(?i)\b(before|after)\b(.*)")
_UNREAL = re.compile(r"(?i)\?\s*$|\b(?:if|wish|would|imagine|suppose|pretend)\b")


def bearing(question: str, hits: Sequence[Hit], asked_at: Instant | None, until: int | None = None) -> tuple[Hit, ...]:
    """The person's own turns (and beliefs) that hold every word of the question that matters, oldest first.

    A question about a time (named in it, or ending at `until`, in microseconds) is answered by what was said by then,
    where anything was: what came later speaks of a later state.
    """
    from store.time import read_times  # the grammar of times is long, and the first frame does not need it

    times = [one for one in read_times(question, asked_at.local()) if one.stretch is not None] if asked_at else []
    rest = "".join(" " if any(one.start <= at < one.end for one in times) else c for at, c in enumerate(question))
    side = _SIDE.search(rest)
    wanted = _wanted(rest[: side.start()] if side else rest) or _wanted(rest)
    found = sorted((hit for hit in hits if _speaks_of(hit, wanted)), key=lambda hit: hit.said_at)
    if side is not None:
        found = _on_side(found, side[1].lower(), _wanted(side[2]))
    ends = [one.stretch.end for one in times if one.stretch is not None and one.stretch.end is not None]
    ends += [] if until is None else [until]
    by_then = [hit for hit in found if hit.said_at.us < min(ends)] if ends else found
    return tuple(hit for hit in by_then or found if _fits(question, hit.text))


def followed_up(
    told: Sequence[Hit], search: Callable[[str], Sequence[Hit]], until: int | None = None
) -> tuple[Hit, ...]:
    """The turns, and what the person said later of the same names that may have ended it, in the order of saying.

    `search` finds turns by words; nothing said at `until` (microseconds) or after it is added.
    """
    names = _names(told[-1].text) if told else set()
    if not names:
        return tuple(told)
    known = {hit.id for hit in told}
    later = [
        hit
        for hit in search(" ".join(sorted(names)))
        if hit.id not in known and hit.kind == "episode" and hit.speaker in OWN and hit.said_at > told[-1].said_at
        if (until is None or hit.said_at.us < until) and names & set(tokens(hit.text)) and _ENDED.search(hit.text)
    ]
    return tuple(sorted((*told, *later), key=lambda hit: hit.said_at))


def _names(text: str) -> set[str]:
    """What is written large within a sentence."""
    found = {match[1] for match in _WITHIN.finditer(text)}
    return {one for one in found if not keys(one) <= LIGHT}


def _holds_name(said: str, question: str) -> bool:
    """Whether somebody or something may be named in it that the question did not name; who writes no capitals may have
    named anybody.
    """
    if said == said.lower() or _IS_CALLED.search(said):
        return True
    firsts = {one for one in _FIRST.findall(said) if not keys(one) <= LIGHT}
    return bool((_names(said) | firsts) - set(tokens(question)))


def _fits(question: str, said: str) -> bool:
    """Whether a turn holds the kind of thing that is asked for: a name, a number, what something is about."""
    kinds = {kind for pattern, kind in _KINDS_OF_ANSWER if pattern.search(question)}
    if "name" in kinds and not _holds_name(said, question):
        return False
    if "number" in kinds and not _NUMBER.search(said):
        return False
    return "matter" not in kinds or _MATTER.search(said) is not None


def named_end(question: str, asked_at: Instant | None) -> int | None:
    """The end (microseconds) of the first stretch of time that a question names."""
    from store.time import read_times  # as above

    times = read_times(question, asked_at.local()) if asked_at else []
    return min((one.stretch.end for one in times if one.stretch is not None and one.stretch.end), default=None)


def asks_when(question: str) -> bool:
    """A date is what is wanted: the program has it, and a small model gets it wrong."""
    return _WHEN.search(question) is not None


def names_somebody(question: str, hits: Sequence[Hit]) -> bool:
    """Whether it names somebody or something that the person has told about, by a name."""
    named = {word.removesuffix("'s").removesuffix("’s") for word in tokens(question)[1:] if word[:1].isupper()}
    return any(named & set(tokens(hit.text)[1:] + tokens(hit.text)[:1]) for hit in hits if hit.speaker in OWN)


def cited(question: str, said: str, given: Sequence[Hit]) -> tuple[Hit, ...]:
    """The turns among those that a reply was given which hold a word of it that the question did not; the one with
    most of them first.
    """
    told = keys(said) - keys(question) - LIGHT
    shared = [(len(told & keys(hit.text)), place, hit) for place, hit in enumerate(given) if hit.kind == "episode"]
    best = sorted((one for one in shared if one[0]), key=lambda one: (-one[0], one[1]))
    return tuple(hit for _, _, hit in best[:MOST])


def speaks_of_told(question: str, hits: Sequence[Hit]) -> bool:
    """Whether it asks about "the food bank" of which the person has spoken in just these words."""
    asked = [match[1].lower() for match in _THE_TWO.finditer(question)]
    return any(one in " ".join(hit.text.lower().split()) for one in asked for hit in hits if hit.speaker in OWN)


def in_own_words(hits: Sequence[Hit]) -> str:
    """The turns as an answer: the day of each, and its words."""
    quotes = [f"{long_day(hit.said_at)}: “{one_line(hit.text, 300)}”" for hit in hits[-MOST:]]
    return "\n\n".join(("I hold no belief about that, but you told me:", *quotes))


def _wanted(asked: str) -> dict[str, str]:
    """What is asked about: keys, and the words as written; empty for a question without any such word."""
    found = {one: word.lower() for word in tokens(asked) for one in keys(word)}
    return {one: word for one, word in found.items() if one not in LIGHT | _ORDER}


def _on_side(found: Sequence[Hit], side: str, of: Mapping[str, str]) -> list[Hit]:
    """Of turns in the order of saying, those up to the first that speaks of something, or from the last on; all where
    none does.
    """
    places = [place for place, hit in enumerate(found) if of and _speaks_of(hit, of)]
    if not places:
        return list(found)
    return list(found[: places[0] + 1]) if side == "before" else list(found[places[-1] :])


def _speaks_of(hit: Hit, wanted: Mapping[str, str]) -> bool:
    by_person = hit.kind != "episode" or hit.speaker in OWN
    if not by_person or not wanted or _UNREAL.search(hit.text):
        return False
    said, written = keys(hit.text), [word.lower() for word in tokens(hit.text)]
    return all(one in said or _implied(one, said) or _head_in(word, written) for one, word in wanted.items())


def _implied(wanted: str, said: Set[str]) -> bool:
    """One of its kind is named, or a word that says it."""
    kind = KIND_NAMES.get(wanted)
    return not _SAYS.get(wanted, set()).isdisjoint(said) or any(kind and KIND_OF.get(one) == kind for one in said)


def _head_in(word: str, written: Iterable[str]) -> bool:
    return len(word) >= _HEAD and any(one.endswith(word) and len(one) >= len(word) + _BEFORE_HEAD for one in written)
