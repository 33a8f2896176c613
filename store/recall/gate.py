"""A turn is quoted only where nine in ten such quotes were right; "never told" is said flatly where it was as often so.

Two judgements, each a weighted sum through the logistic function: whether one turn answers the question, and whether
anybody ever said what it asks for. Their weights were fitted to questions that were asked of other conversations
(gate_weights.py). Whose words they are decides most: LoCoMo's adversarial questions name the wrong person or thing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from store.recall.answer_frame import DAY, Asking, Frame
from store.recall.answer_words import keys
from store.recall.evidence import Evidence, Word
from store.recall.gate_weights import ANSWERS, UNTOLD
from store.writing.marks import COUNTED, DATED, NAMED, PLACED, REASONED, asks, marks

SOON = 20 * DAY
"""What happened is told within weeks."""
FIRST = re.compile(r"(?i)\b(?:i|i['’]\w+|my|me|we|our|us|mine)\b")
_OPINION = re.compile(r"(?i)\b(?:would|might|could|likely|should|considered|describe)\b")
_LIST = re.compile(r"(?i)^(?:what|which)(?: are)?(?: \w+){0,2}? \w+[^s\W]s\b")
_WANTED = {"when": DATED, "where": PLACED, "who": NAMED, "why": REASONED, "how many": COUNTED, "how long": COUNTED}
_BY = ("held", "margin", "score", "whole", "own", "least")
"""What counts otherwise for a turn by the one whom the question is about."""
_TOP = (
    "by", "other", "several", "margin", "held", "own", "least", "when", "where", "how many", "opinion", "list", "why",
    "count", "late", "timed", "first",
)  # fmt: skip
_SHORT = 40
"""Characters."""
_KINDS = ("when", "where", "who", "why", "how", "how many", "how long", "")
_MOST = 5.0
"""Points of score beyond which one turn is not further ahead of the next."""


def features(asking: Asking, evidence: Sequence[Evidence]) -> list[dict[str, float]]:
    """What speaks for and against each turn as the answer; every value lies between about -1 and 1."""
    shape = _shape(asking)
    found = []
    for place, one in enumerate(evidence):
        told = {**shape, **_speaker(asking, one), **_words(asking, one), **_standing(evidence, place)}
        told |= _times(asking.frame, one) | {f"by_{name}": told["by"] * told[name] for name in _BY}
        found.append(
            told | {"when_fitting": told["when"] * told["fitting"], "list_margin": told["list"] * told["margin"]}
        )
    return found


def answers(found: Mapping[str, float], weights: Mapping[str, float] = ANSWERS) -> float:
    """How likely it is that a turn with these features answers the question, 0 to 1."""
    return _logistic(weights, found)


def untold(found: Mapping[str, float], weights: Mapping[str, float] = UNTOLD) -> float:
    """How likely it is that what a question with these features (of `overall`) asks for was never said, 0 to 1."""
    return _logistic(weights, found)


def overall(found: Sequence[Mapping[str, float]], best: float) -> dict[str, float]:
    """The features of a question as a whole: what its own person said against what others did, and the first turn.

    `best` is how likely it is that the likeliest of its turns answers.
    """
    first = found[0]
    told = {"one": 1.0, "best": best, "others": sum(one["other"] for one in found) / len(found)}
    for name in ("score", "held", "own", "near"):
        by, other = (max((one[name] for one in found if one[whose]), default=0.0) for whose in ("by", "other"))
        told |= {f"by_{name}": by, f"other_{name}": other, f"by_ahead_{name}": by - other}
    told |= {f"top_{name}": first[name] for name in _TOP}
    told |= {f"other_{name}": first["other"] * first[name] for name in ("margin", "whole", "first")}
    return told


def _logistic(weights: Mapping[str, float], found: Mapping[str, float]) -> float:
    total = sum(weight * found[name] for name, weight in weights.items())
    return 1 / (1 + math.exp(-max(min(total, 30.0), -30.0)))


def _shape(asking: Asking) -> dict[str, float]:
    """What the question is like, whatever the turn."""
    question = asking.question
    told = {kind or "polar": float(question.wh == kind) for kind in _KINDS}
    return told | {
        "one": 1.0,
        "opinion": float(bool(_OPINION.search(question.text))),
        "list": float(bool(_LIST.search(question.text))),
        "mine": float(concerns_me(asking)),
        "timed": float(asking.frame.stretch is not None),
        "negated": float(question.negated),
    }


def _speaker(asking: Asking, one: Evidence) -> dict[str, float]:
    by = is_by(asking, one)
    several = len([mention for mention in asking.asked.mentions if mention.person]) > 1
    first = bool(FIRST.search(one.hit.text))
    return {
        "by": float(by and not several),
        "other": float(not by and not several),
        "several": float(several),
        "first": float(first),
        "by_first": float(by and first),
        "asks": float(asks(one.hit.text)),
        "short": float(len(one.hit.text) < _SHORT),
        "length": min(len(one.hit.text), 300) / 300,
    }


def is_by(asking: Asking, one: Evidence) -> bool:
    """Whether one whom the question is about said it."""
    words = {word.lower().replace("’", "'").removesuffix("'s") for word in asking.question.words}
    named = one.hit.speaker.lower() in {name.lower() for name in asking.asked.subjects}
    return named or bool(set(one.hit.speaker.lower().split()) & words) or (one.mine and concerns_me(asking))


def concerns_me(asking: Asking) -> bool:
    """Whether the question is about the person, and not about one of theirs ("my brother")."""
    primary = asking.asked.primary
    return asking.asked.about_me and (primary is None or not primary.person)


def heavy(asking: Asking, words: Sequence[Word]) -> list[Word]:
    """The question's words without the names of those whom it is about."""
    names = {term for mention in asking.asked.mentions for term in mention.keys}
    names |= set(keys(" ".join(asking.asked.subjects)))
    return [one for one in words if one.term not in names]


def _words(asking: Asking, one: Evidence) -> dict[str, float]:
    said = heavy(asking, one.words)
    total = sum(word.rarity for word in said) + 1e-9
    wanted = _WANTED.get(asking.question.wh)
    exact = [word for word in said if word.held == 1]
    return {
        "held": sum(word.rarity * word.held for word in said) / total,
        "own": sum(word.rarity * word.own for word in said) / total,
        "exact": sum(word.rarity for word in exact) / total,
        "least": min((word.held for word in said), default=0.0),
        "whole": float(bool(said) and len(exact) == len(said)),
        "missing": max((word.rarity * (1 - word.held) for word in said), default=0.0) / 8,
        "matter": min(sum(word.rarity * word.held for word in said), 30) / 30,
        "count": min(len(said), 8) / 8,
        "near": one.nearness,
        "asked": float(bool(one.before)),
        "fitting": float(wanted is None or wanted in marks(one.hit.text)),
    }


def _standing(evidence: Sequence[Evidence], place: int) -> dict[str, float]:
    """Where recall ranks it, and how far ahead of the others it is."""
    one = evidence[place].hit
    others = [other.hit.score for at, other in enumerate(evidence) if at != place]
    apart = [other.hit.score for other in evidence if abs(other.hit.said_at.us - one.said_at.us) > DAY // 24]
    ranks = dict(one.channels)
    return {
        "score": one.score / 20,
        "margin": _ahead(one.score, others),
        "apart": _ahead(one.score, apart),
        "first_found": float(place == 0),
        "lexical": 1 / ranks["lexical"] if "lexical" in ranks else 0.0,
        "dense": 1 / ranks["dense"] if "dense" in ranks else 0.0,
    }


def _ahead(score: float, others: Sequence[float]) -> float:
    return max(min(score - max(others), _MOST), -_MOST) / _MOST if others else 0.5


def _times(frame: Frame, one: Evidence) -> dict[str, float]:
    """Whether it was said in the time that the question names, or in the weeks after it."""
    if frame.stretch is None:
        return {"in_time": 0.0, "soon": 0.0, "late": 0.0}
    said = one.hit.said_at.us
    inside = frame.start <= said < frame.end
    soon = frame.end <= said < frame.end + SOON
    return {"in_time": float(inside), "soon": float(soon), "late": float(not inside and not soon)}
