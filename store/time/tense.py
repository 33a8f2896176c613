"""The tense of a clause is told by its nearest verb, and by nothing outside its sentence."""

from __future__ import annotations

from store.text.forms import is_past
from store.text.nouns import EVENT_NOUNS
from store.time.calendar import Tense
from store.time.words import ScannedWord, bag

_PAST = bag("""was were did didn't wasn't weren't had hadn't bent bit blew born bred burnt clung crept dealt dwelt fled
    flung forgot fought knelt leant leapt lent lit misunderstood overheard overslept rang redid sank shone shook slid
    smelt sought spat sped spelt spilt split sprang spread stank strode struck strung stuck stung swept swore swung tied
    tore told trod undid wept withdrew wound wove wrung""")
"""Beside those that store.text.forms knows."""
_AMBIGUOUS_PAST = bag("read put let cut hit hurt bet shut cost quit lay beat")
"""The infinitive is the same word; it is one where it opens its clause."""
_FUTURE = bag("""will shall won't i'll you'll he'll she'll it'll we'll they'll gonna let's lets should must might may
    can could can't would tomorrow plan plans hope hopes want wants need needs expect expects remind schedule book due
    deadline upcoming intend intends arrange reserve cancel
    """)
_PRESENT = bag("""is are am i'm you're we're they're he's she's it's that's there's starts begins opens closes ends
    leaves arrives have has do does live lives work works know knows own owns use uses
    """)
_PERFECT = frozenset(("have", "has", "haven't", "hasn't", "i've", "you've", "we've", "they've"))
_CONTRACTED = frozenset(("he's", "she's", "it's", "who's", "that's", "there's"))
_PROGRESSIVE = frozenset(("am", "is", "are", "i'm", "you're", "we're", "they're", "he's", "she's", "it's", "that's"))
_AUXILIARIES = bag("will would shall should can could may might must do does did")
_INVERTED = 5  # tokens by which an auxiliary may stand before its infinitive: "what will a desk of my own cost"
_NOT_PAST = bag("hundred sacred naked wicked kindred tired married")
_MARRIED = bag("be been being get gets getting got not newly just a the") | _PROGRESSIVE
"""Before "married", that it is what somebody is, and not what they did."""
_PARTICIPLES = bag("been had gone done seen known become lived worked taken given made kept felt met got")
_HAVE = bag("have has i've we've they've you've ive weve he's she's 've")
_OPENING = ("", ",", "and", "also", "i", "we")
_DETERMINERS = bag("a an another my our the his her their some two three")
"""After "have got", or "got" alone and an occasion, what one has: with a time, an appointment to come."""
_IMPERATIVES = bag("see meet call come join visit bring wake pick drop talk pay send finish book set add")
_AHEAD = bag("moving starting beginning opening launching closing flying leaving")
"""What lies ahead where no other verb says when: "signed for the flat, moving on the 15th"."""
_ARRANGED = bag("offered agreed promised decided arranged planned invited asked wanted hoped volunteered")
"""With an infinitive, whose time is said: "offered to babysit on the 12th"."""
_SUBJECTS = bag("i we you they")
_THIRD = bag("he she it")
_WHO = _SUBJECTS | _THIRD
_ADVERBS = bag(
    "also just never really always usually still not already then both all often sometimes once only even ever who "
    "finally recently actually probably first and or but in on at to the"
)
REACH = 60
"""Tokens to either side: a sentence without an end is read in time that grows with it, and not with its square."""
ANOTHER_CLAUSE = 8  # tokens by which a verb of another clause counts as farther away
_JOINTS = frozenset(("and", "but", "so", "because", "which", "though", "although"))
_STOPS = frozenset((".", "!", "?", ";", "\n", "…"))
_BEFORE_MAY = bag("in of last next this since until till by before after from to early mid late - the every and")


def tense_near(tokens: list[ScannedWord], at: int) -> Tense | None:
    """The tense of the nearest verb to the token `at` within its sentence, at most REACH tokens away; earlier verbs win
    over later ones, and those of its own clause over others. Beyond a colon only what is to be is heard: "surgery is on
    the books: January 13", but "booked: Rarotonga, 6 to 16 June"."""
    near = _tense_within(tokens, at, _STOPS | {":"})
    if near is not None:
        return near
    beyond = _tense_within(tokens, at, _STOPS)
    return None if beyond in ("past", "perfect") else beyond


def _tense_within(tokens: list[ScannedWord], at: int, stops: frozenset[str]) -> Tense | None:
    left, right = at, at
    while left > max(0, at - REACH) and not _stops(tokens, left - 1, stops):
        left -= 1
    while right < min(len(tokens), at + REACH) and not _stops(tokens, right, stops):
        right += 1
    if at > left and tokens[at - 1].word == "now":
        return "future"  # "delivery now Wednesday"
    best: tuple[float, Tense] | None = None
    for i in range(left, right):
        found = _verb(tokens, i, left)
        if found is None:
            continue
        distance = at - i if i <= at else (i - at) + 1.5
        distance += 6 if found == "present" else 0
        distance += ANOTHER_CLAUSE if _parted(tokens, min(i, at), max(i, at)) else 0
        if best is None or distance < best[0]:
            best = (distance, found)
    return best[1] if best else None


def _parted(tokens: list[ScannedWord], first: int, last: int) -> bool:
    """Whether a new clause begins between two places: ", and", or "and she"."""
    pairs = ((tokens[i].word, tokens[i + 1].word) for i in range(first, last - 1))
    return any((one == "," and two in _JOINTS) or (one in _JOINTS and two in _WHO) for one, two in pairs)


def _stops(tokens: list[ScannedWord], i: int, stops: frozenset[str]) -> bool:
    touching = i + 1 < len(tokens) and tokens[i + 1].start == tokens[i].end
    return tokens[i].word in stops and not (tokens[i].word in ".:" and touching)


def _verb(tokens: list[ScannedWord], i: int, left: int) -> Tense | None:
    """What the word at `i` says about the tense, seen with the two words before it."""
    word = tokens[i].word
    one = tokens[i - 1].word if i > left else ""
    near = {one, tokens[i - 2].word if i > left + 1 else ""}
    behind = [token.word for token in tokens[i + 1 : i + 5]]
    has = word == "got" and bool(behind) and behind[0] in _DETERMINERS
    if has and (one in _HAVE or (one in _OPENING and not EVENT_NOUNS.isdisjoint(behind[1:]))):
        return "future"
    if word in _ARRANGED and "to" in behind[:3]:
        return "future"
    participle = word in _PARTICIPLES or (word.endswith(("ed", "en", "wn")) and len(word) > 3) or _is_past(word)
    contracted = one in _CONTRACTED and (word in _PARTICIPLES or word.endswith("ed"))
    if contracted or (participle and near & _PERFECT):
        return "perfect"
    if word in ("going", "about") and near & {"was", "were"}:
        return "past"
    if word.endswith("ing") and len(word) > 4:
        if near & {"was", "were"}:
            return "past"
        if "been" in near:
            return "perfect"
        return "future" if near & _PROGRESSIVE or (word in _AHEAD and one in (",", "")) else None
    if word in _AMBIGUOUS_PAST and any(tokens[k].word in _AUXILIARIES for k in range(max(left, i - _INVERTED), i)):
        return None
    return _plain(word, one, near, behind[0] if behind else "")


def _is_past(word: str) -> bool:
    return word in _PAST or word in _AMBIGUOUS_PAST or (word not in _NOT_PAST and is_past(word))


def _plain(word: str, one: str, near: set[str], following: str) -> Tense | None:
    if word == "may":  # the month, or the verb
        month = one in _BEFORE_MAY or one.isdecimal() or following.isdecimal() or one.endswith("th")
        return None if month or following in ("the", "of", ".", ",", "") else "future"
    if word in _FUTURE:
        return None if one == "the" else "future"
    if near & {"to", "will", "can", "could", "should", "must", "did", "didn't", "would", "i'll", "we'll"}:
        return None
    if _is_past(word) or (word == "married" and one and not near & _MARRIED and not one.endswith("ly")):
        return None if word in _AMBIGUOUS_PAST and one in ("", "please", ",") else "past"
    if word in _IMPERATIVES and one in ("", ",", "please"):
        return "future"
    if word == "am" and one != "i":
        return None
    if word in _PRESENT or (one in _SUBJECTS and word.isalpha() and word not in _ADVERBS):
        return "present"
    return "present" if one in _THIRD and word.endswith("s") and len(word) > 3 else None
