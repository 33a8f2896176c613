"""A correction names what was wrong, or it points at what was said last; it never touches anything else.

"I had the door code wrong, it is 4417"; "it's Dixon, not Davis"; "I meant the 14th"; "that was a joke, forget it".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b

from store.beliefs.predicates import find
from store.reading.redated import BARE_DAY
from store.reading.worded import DENIED
from store.records import Claim, Cue, Instant, Precision, Stretch
from store.text.lists import wordset
from store.text.stem import stem
from store.time.expressions import read_times, stretch_of

RETRACTION = re.compile(
    r"\b(?:(?:that|it|this|what i said)(?: (?:about|before)[^.!?]{0,40})? (?:was|is) (?:just |only |all )?(?:a "
    r"joke|a lie|not true|untrue|a test|nonsense)|"
    r"i (?:was|am|'m) (?:just |only )?(?:joking|kidding|lying|making (?:that|it) up)|i made (?:that|it|this) up|i lied|"
    r"(?:please )?forget (?:that|what i (?:just )?said|what i told you|about that|it, that)|scratch that|ignore "
    r"(?:that|what i (?:just )?said)|"
    r"take that back|disregard that|strike that)\b",
    re.IGNORECASE,
)
_RETRACTING = (
    "joke",
    "lie",
    "true",
    "test",
    "nonsense",
    "joking",
    "kidding",
    "lying",
    "lied",
    "made ",
    "making",
    "forget",
    "scratch",
    "ignore",
    "back",
    "disregard",
    "strike",
)
_OPENS = re.compile(
    r"^\W*(?:(?:oh|oops|no|wait|hmm|ah|sorry|hey|well|ok|okay)[,.! ]+)*(?:actually|correction|sorry|wait|my "
    r"mistake|i misspoke)\b|\b(?:had|got) (?:it|that|this|her|his) wrong\b",
    re.IGNORECASE,
)
_TURNED_OUT = re.compile(
    r"^\W*(?:so |well |it |and )*(?:turns|turned) out\b|\b(?:got|had|gave|told)\b[^.;!?]{1,30}\bwrong\b"
    r"|\bi (?:was|'m|am) (?:wrong|mistaken|confused) about\b",
    re.IGNORECASE,
)
_CLAUSAL = wordset("i he she we it really sure because only just")


def retraction(text: str) -> re.Match[str] | None:
    """The words that take back what was said, if there are any."""
    low = text.lower()
    return RETRACTION.search(text) if any(word in low for word in _RETRACTING) else None


def corrects(sentence: str) -> bool:
    """The sentence opens as a correction does."""
    return _OPENS.search(sentence) is not None


def turned_out(sentence: str) -> bool:
    """Something is said never to have been so: "turns out I'm not ...", "I got the date wrong, ..."."""
    return _TURNED_OUT.search(sentence) is not None


def put_right(text: str, claim: Claim) -> Claim:
    """A claim whose value stands in the place of another one: "Dixon, not Davis", "Firefox instead of Chrome"."""
    at = text.find(claim.object, claim.start, claim.end) if claim.object else -1
    match = None if at < 0 or claim.negative or claim.cue == "stop" else _NOT.match(text, at + len(claim.object))
    if match is None or _CLAUSAL & set(match["old"].lower().split()):
        return claim
    cue: Cue = "correct" if match["wrong"] else "update"
    return replace(claim, cue=cue, replaces=match["old"])


def pointed(text: str, claim: Claim, told: Sequence[Claim]) -> Claim:
    """ "It's Dixon, not Davis": what the same speaker said of Davis is put right, whatever it was; "it's 4488":
    the last value of its make."""
    if claim.cue != "correct" or claim.negative:
        return claim
    old = claim.replaces or ""
    for one in reversed(told):
        if one.negative or one.cue == "stop" or not one.object:
            continue
        if not old and claim.predicate == one.predicate == "expires_on" and claim.subject == one.subject:
            return replace(claim, replaces=one.object)  # its value is the day
        if old and old.casefold() in one.object.casefold():
            value = re.sub(re.escape(old), lambda _: claim.object, one.object, flags=re.IGNORECASE)
        elif not old and (_is_it(text, claim, one) or one in _instead_of(text, claim, told)):
            value, old = claim.object, one.object
        else:
            continue
        return replace(
            claim, subject=one.subject, predicate=one.predicate, object=value, functional=one.functional,
            modality=one.modality, replaces=old,
        )  # fmt: skip
    return claim


FIGURES = frozenset(["cost", "measured"])
"""Predicates of what happened once, whose value is the figure that was told."""


def _is_it(text: str, claim: Claim, one: Claim) -> bool:
    """Whether "it's" leads to a value that is of the make of another."""
    return _IT.search(text, 0, text.find(claim.object, claim.start)) is not None and _alike(one, claim.object)


def _instead_of(text: str, claim: Claim, told: Sequence[Claim]) -> list[Claim]:
    """What a value of which somebody may have several is told instead of, if one alone was told: "no wait, it's
    hazelnuts I'm allergic to"."""
    slot = claim.subject, claim.predicate, False
    same = [one for one in told if (one.subject, one.predicate, one.negative) == slot]
    anew = {one.object.casefold() for one in same} - {claim.object.casefold()}
    meant = find(claim.predicate).cardinality == "many" and corrects(text) and _TOO.search(text) is None
    return same if meant and len(anew) == len(same) == 1 else []


_TOO = re.compile(r"(?i)\b(?:too|also|as well|another|either)\b")


def figure_put_right(text: str, claim: Claim, told: Sequence[Claim]) -> Claim:
    """ "Wait no, I paid 2600 for the Bonnie": the figure that was told of it before is wrong."""
    if claim.predicate not in FIGURES or claim.negative or not corrects(text):
        return claim
    same = [
        one for one in told if (one.subject, one.predicate, one.negative) == (claim.subject, claim.predicate, False)
    ]
    wrong = next((one.object for one in reversed(same) if one.object != claim.object), None)
    return claim if wrong is None else replace(claim, replaces=wrong)


def of_the_day(text: str, claim: Claim, told: Sequence[Claim]) -> Claim:
    """What takes place on another day, as it was called when it was told: "Nel's operation is on the 21st, not the
    14th" is of the one thing of Nel's, or by that name, that was told for a 14th."""
    if find(claim.predicate).temporal != "event" or claim.cue != "correct" or claim.valid.start is None:
        return claim
    now = claim.said_at.local()
    wrong = [time.text for time in read_times(text, now, prefer="future") if DENIED.search(text, 0, time.start)]
    days = {int(day) for words in wrong for day in _DAY_OF_MONTH.findall(words)}
    named = _content(claim.object)
    old = {
        (one.subject, one.object): one
        for one in told
        if find(one.predicate).temporal == "event" and not one.negative and one.valid.start is not None
        and Instant(one.valid.start, one.valid.offset).local().day in days
        and (one.subject == claim.subject or named & _content(one.object))
    }  # fmt: skip
    if len(old) != 1:
        return claim
    (known,) = old.values()
    key = f"{claim.id}\x1f{known.subject}\x1f{known.object}"
    return replace(
        claim, id=blake2b(key.encode(), digest_size=16).hexdigest(), subject=known.subject, object=known.object,
        predicate=known.predicate, valid=_in_its_month(text, claim, known),
    )  # fmt: skip


def _in_its_month(text: str, claim: Claim, known: Claim) -> Stretch:
    """A bare day ("the 26th") is of the month of the one that it replaces."""
    start, old = claim.valid.start, known.valid.start
    times = [time for time in read_times(text, claim.said_at.local(), prefer="future") if time.stretch]
    said = next((time.text for time in times if time.stretch and time.stretch.start == start), "")
    if start is None or old is None or not BARE_DAY.fullmatch(said):
        return claim.valid
    was, day = Instant(old, known.valid.offset).local(), Instant(start, claim.valid.offset).local().day
    try:
        moved = was.replace(day=day)
    except ValueError:  # no month of that length
        return claim.valid
    return stretch_of(moved, Precision.DAY)


_DAY_OF_MONTH = re.compile(r"(?<![\d:.])([12]?\d|3[01])(?:st|nd|rd|th)?\b(?![:.]\d)")


def _content(value: str) -> frozenset[str]:
    stems = (stem(word) for word in re.findall(r"\w{4,}", value.casefold()))
    return frozenset(_SAME.get(one, one) for one in stems)


_SAME = {"marri": "wed", "surgeri": "oper", "flight": "fli", "fly": "fli"}
"""Stems of words for one occasion."""


_IT = re.compile(r"(?i)\b(?:it|that)(?:['’]?s| is| should be)\s+\Z")


def _alike(one: Claim, new: str) -> bool:
    """A single value of the same make: digits for digits, a name for a name."""
    single = one.functional or find(one.predicate).cardinality == "one"
    digits = any(letter.isdigit() for letter in one.object) == any(letter.isdigit() for letter in new)
    return single and digits and one.object[:1].isupper() == new[:1].isupper()


_NOT = re.compile(
    r"(?i)(?:\W*(?:,|-|–|—|\band)\s*(?P<wrong>not)|\s+(?:instead of|rather than)) "
    r"(?:(?:in|on|at|to|from|as|for) )?(?:(?:an?|the|my) )?"
    r"(?P<old>(?:(?:Dr|Mrs?|Ms|Prof|St)\. )?\w[^,;:!?\n]{0,40}?)"
    r"(?: now)?(?!\w| any ?more| any longer)(?=\W*(?:$|[,;:!?\n]|\. ))"
)
