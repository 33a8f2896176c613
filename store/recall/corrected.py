"""A later turn that names what was said before and says that it is wrong stands for the earlier one.

"Please note that the locker is number 218." is no answer once "I must correct that. 218 is my brother's, ours is 281"
was said. The words that are put right are looked for by themselves: no topic has to be recognised, and what only says
the same number again puts nothing right.
"""

from __future__ import annotations

import re

from store.reading.occasions import off_in
from store.reading.worded import MOVED
from store.recall.answer_words import LIGHT, keys

_TOKEN = re.compile(r"[\w.:#/-]*\w")
_WORDS = re.compile(r"(?<!\w)[^\W\d]{2,}")
_ENDS = re.compile(r"(?<=[.!?…])\s+|\n+")
_SHORT = 8
"""Words of a sentence that only opens a correction: "I must correct that." """
_LEAD = r"(?i)^\W*(?:(?:lol|ugh|oh|ok(?:ay)?|so|wait|hang on|well|and|also|ps|hm+|argh|sorry|haha|hey|bah|no|nah)\W+)*"
_MISTAKEN = (
    r"(?:(?:a|one|small|quick|minor|tiny) )*correct(?:ion|ing)?|actually|scratch that|wrong|(?:my )?mistake"
    r"|it(?:['’]s| is| was) not"
    r"|it (?:is|was)n['’]?t|i(?: was|['’]ve|['’]d| have)? (?:wrong|misread)"
    r"|i (?:must|have to|need to|should) (?:correct|fix|put \w+ right)"
)
_OPENS = re.compile(
    rf"{_LEAD}(?:no\b(?! more\b| longer\b| idea\b| one\b| need\b)|nope|not|{_MISTAKEN}"
    r"|i (?:had|got|said|told|wrote|gave)|that['’]?s wrong)\b"
)
"""A sentence that puts something right."""
_CORRECTS = re.compile(
    rf"{_LEAD}(?:sorry|oops|typo|i meant|make that|{_MISTAKEN}|i (?:had|got|said|wrote|gave) (?:\w+ ){{0,4}}?wrong)\b"
)
"""A text that puts right what was said just before."""
_DENIES = re.compile(
    r"(?i)(?:\b(?:not|never|no longer|no more|instead of|rather than)|n['’]t|\bi (?:said|wrote|told you)|\bmisread)\b"
    r"(?:[ ‘“\"'~£$€]+[\w'’-]+){0,3}?[ ‘“\"'~£$€]*\Z"
)
"""Before some words, that they are not so."""


_DAY = re.compile(r"(?i)\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b")


def puts_right(earlier: str, words: str, later: str, *, soon: bool = False) -> bool:
    """Whether a later text says that `words` of an earlier one are wrong; what is not said `soon` after, and could be
    said of much, must share another word with it."""
    figures, names = _figures(words), _names(words)
    wanted = figures or names or {token.lower() for token in _TOKEN.findall(words)} - LIGHT
    if not wanted or not wanted <= {token.lower() for token in _TOKEN.findall(later)}:
        return False
    apart = len(wanted) > 1 or bool(names) or any(len(re.sub(r"\D", "", one)) > 2 for one in figures)
    if not (soon or (apart and (figures or names))) and not _shared(earlier, later) - keys(" ".join(wanted)):
        return False
    longest = re.escape(max(wanted, key=len))
    places = re.finditer(rf"(?i)(?<![\w.:#/-]){longest}(?!\w)", later)
    return any(_is_put_right(later, place.start(), by_opening=bool(figures)) for place in places)


def denies(words: str, later: str) -> bool:
    """Whether a text denies any of some words: "the wrist and not the hip", "Dolgellau was scrapped"."""
    tokens = {token for token in _TOKEN.findall(words) if len(token) > 1 and keys(token) - LIGHT}
    return bool(_off(later) & keys(" ".join(tokens))) or any(
        _DENIES.search(later[: place.start()])
        for token in tokens
        for place in re.finditer(rf"(?i)(?<!\w){re.escape(token)}(?!\w)", later)
    )


def calls_off(question: str, earlier: str, later: str) -> bool:
    """Whether a later text calls off what is asked about and an earlier one told of: "tenbys off"."""
    return bool(_shared(question, earlier) & _off(later))


def _off(text: str) -> frozenset[str]:
    """The keys of the occasions that a text calls off; what sort they are counts only where nothing else names them."""
    found = keys(" ".join(off_in(text))) - LIGHT
    return found - _SORTS or found


_SORTS = keys("appointment appt meeting visit session class lesson trip")


def corrects(question: str, earlier: str, words: str, later: str) -> bool:
    """Whether a text said right after another opens as a correction of `words` of it, which answer a question: it says
    other figures and nothing else ("Sorry, 7791#."), or of the same thing, or is about what is asked ("Sorry, it's the
    left collarbone.")."""
    days = _days(words)
    if days and _days(later) - days and len(later.split()) <= _SHORT and _OPENS.match(later):
        return True  # "wait no, it's Wednesdays"
    opened = _CORRECTS.match(later)
    if opened is None:
        return False
    if not (figures := _figures(words)):
        return bool(_shared(question, later))
    said = _ENDS.split(later[opened.end() :], maxsplit=1)[0]
    bare = not keys(" ".join(_WORDS.findall(said))) - LIGHT
    alike = _shared(f"{question} {earlier}", later) - keys(words)  # that both are in June makes them no one thing
    return bool(_figures(later) - figures) and (bare or bool(alike))


def moves(question: str, earlier: str, words: str, later: str) -> bool:
    """Whether a later text gives the occasion that is asked about, and that an earlier one gave a day, another one:
    "they've moved the tournament to the 12th", after "the chess tournament is on the 5th"."""
    if not (_figures(words) or _days(words)) or not MOVED.search(later):
        return False
    if not _figures(later) | _days(later) or (_figures(words) | _days(words)) >= _figures(later) | _days(later):
        return False
    return bool(_shared(question, later) & keys(earlier))


def _days(text: str) -> set[str]:
    return {name.lower() for name in _DAY.findall(text)}


def _figures(text: str) -> set[str]:
    return {token.lower() for token in _TOKEN.findall(text) if any(map(str.isdigit, token))}


def _names(text: str) -> set[str]:
    return {token.lower() for token in _TOKEN.findall(text) if token[:1].isupper() and token.lower() not in LIGHT}


def _shared(one: str, other: str) -> frozenset[str]:
    return (keys(one) & keys(other)) - LIGHT


def _is_put_right(text: str, start: int, *, by_opening: bool) -> bool:
    if _DENIES.search(text[:start]):
        return True
    if not by_opening:
        return False
    begins = [0, *(gap.end() for gap in _ENDS.finditer(text, 0, start))]
    before = text[begins[-2] : begins[-1]] if len(begins) > 1 else ""
    opened = _OPENS.match(text[begins[-1] : start]) or (len(before.split()) <= _SHORT and _OPENS.match(before))
    return bool(opened)
