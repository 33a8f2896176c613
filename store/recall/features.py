"""A feature depends on the query, on the candidate and on what was said around it, and never on anything out of scope.

BM25F over weighted fields is Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields" (CIKM
2004), with the turns around a turn as its fields: the one before counts fully if it ends in a question, for then this
is the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from store.episodes.marks import ASKS, COUNTED, DATED, NAMED, OWN, PAST, PLACED, REASONED, SHOWN
from store.recall.query import Query
from store.recall.surroundings import Surroundings
from store.recall.weights import BM25

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

DAY = 86_400_000_000
SOON = 20 * DAY
"""What happened is told within weeks."""
ANSWERED_BY = (
    ("when", DATED), ("count", COUNTED), ("shown", SHOWN), ("where", PLACED), ("who", NAMED), ("which", NAMED),
    ("why", REASONED), ("past", PAST),
)  # fmt: skip
"""Which mark an answer to which kind of question is likely to bear."""
LONGEST = 80.0
"""Words beyond which a turn is not longer still: what was learned on chats must not run away on essays."""


@dataclass(frozen=True, slots=True, eq=False)
class QueryCase:
    """One query with its candidates, and what every feature needs of them."""

    query: Query
    seen: Surroundings
    rarity: Floats
    """One number per query term."""
    cosine: Floats
    """Of every row seen to the query without names."""
    soft: Floats
    """Shape (query terms, rows): how much of each term each row holds, near words counted in part."""
    context: Floats
    """What `context_scores` gives, which several features need."""
    centre: float
    """The mean of all cosines..."""
    width: float
    """...and their standard deviation."""
    now: int
    """Microseconds UTC: recency is counted back from here."""

    def here(self, values: Floats) -> Floats:
        """The candidates' own values, out of values over all rows seen."""
        taken: Floats = values[..., self.seen.candidates]
        return taken

    def saturated(self, frequencies: Floats) -> Floats:
        """The sum over terms of rarity x tf / (tf + k1)."""
        return self.summed(frequencies / (frequencies + BM25["k1"]))

    def spread(self, cosines: Floats) -> Floats:
        """How far these stand out among all rows seen, in steps of three standard deviations."""
        spread = (cosines - self.centre) / (self.width + 1e-6) / 3
        return spread.astype("float32", copy=False)

    def summed(self, values: Floats) -> Floats:
        """The sum over terms of rarity x value. Not by matmul: on so few terms BLAS is slower, and warns of nothing."""
        total: Floats = (self.rarity[:, None] * values).sum(axis=0)
        return total


def features(case: QueryCase) -> dict[str, Floats]:
    """Every feature of every candidate, by name."""
    found: dict[str, Floats] = {}
    for group in (_lexical, _dense, _sessions, _people, _times, _shape, _answers):
        found.update(group(case, found))
    return found


def context_scores(case: QueryCase) -> Floats:
    """BM25F of each candidate over its own words, its days, and the words of the turns around it."""
    own = _normalised(case)
    asked = case.seen.signs[ASKS]
    before = own * (asked * BM25["asked"] + (1 - asked) * BM25["before"])
    frequencies = case.here(own) + case.seen.near(before, -1) + BM25["days"] * case.here(case.seen.days)
    for offset, weight in ((1, "after"), (-2, "second_before"), (2, "second_after")):
        frequencies = frequencies + BM25[weight] * case.seen.near(own, offset)
    return case.saturated(frequencies)


def _normalised(case: QueryCase) -> Floats:
    """Term frequencies of all rows, longer turns discounted a little."""
    scaled: Floats = case.seen.words / (1 - BM25["b"] + BM25["b"] * case.seen.length / BM25["usual_length"])
    return scaled


def _lexical(case: QueryCase, _: Mapping[str, Floats]) -> dict[str, Floats]:
    import numpy as np

    context, total = case.context, float(case.rarity.sum()) + 1e-9
    own, days = case.saturated(case.here(_normalised(case))), case.saturated(case.here(case.seen.days))
    top = float(context.max(initial=0.0)) + 1e-9
    sessions, member = np.unique(case.seen.session[case.seen.candidates], return_inverse=True)
    best = np.zeros(len(sessions), dtype=context.dtype)
    np.maximum.at(best, member, context)
    held = case.summed((case.seen.words > 0).astype(np.float32))
    return {
        "context": context / top,
        "context_share": context / total,
        "context_sum": context / 10,
        "own": own / top,
        "own_share": own / total,
        "own_terms": case.here(held) / total,
        "days": days / top,
        "session": best[member] / top,
        "second_before": case.seen.near(held, -2) / total,
        "second_after": case.seen.near(held, 2) / total,
    }


def _dense(case: QueryCase, found: Mapping[str, Floats]) -> dict[str, Floats]:
    asked, cosine = case.seen.signs[ASKS], case.cosine
    here = case.here(cosine)
    spread = case.spread(here)
    return {
        "dense": here,
        "dense_spread": spread,
        "dense_vague": spread * case.query.vagueness,
        "dense_asked": case.seen.near(cosine * asked, -1),
        "dense_before": case.seen.near(cosine * (1 - asked), -1),
        "dense_after": case.seen.near(cosine, 1),
        "both": found["context"] * spread,
    }


def _sessions(case: QueryCase, _: Mapping[str, Floats]) -> dict[str, Floats]:
    """What a candidate's session, and the turns around it have to do with the question."""
    import numpy as np

    order = np.argsort(case.seen.session, kind="stable")
    __, starts, member = np.unique(case.seen.session[order], return_index=True, return_inverse=True)
    of_row = np.empty(len(order), dtype=np.intp)
    of_row[order] = member
    here = of_row[case.seen.candidates]
    held = np.maximum.reduceat((case.seen.words > 0).astype(np.float32)[:, order], starts, axis=1)
    soft = np.maximum.reduceat(case.soft[:, order], starts, axis=1)
    own = case.here(case.soft)
    answered = np.maximum(own, case.seen.near(case.soft * case.seen.signs[ASKS], -1))
    since = np.maximum.reduce([own, case.seen.near(case.soft, -1), case.seen.near(case.soft, -2)])
    around = np.maximum.reduce([since, case.seen.near(case.soft, 1), case.seen.near(case.soft, 2)])
    total = float(case.rarity.sum()) + 1e-9
    spread = case.spread(np.maximum.reduceat(case.cosine[order], starts))
    return {
        "session_terms": case.summed(held)[here] / total,
        "session_soft": case.summed(soft)[here] / total,
        "session_dense": spread[here],
        "session_dense_vague": spread[here] * case.query.vagueness,
        "soft": case.summed(answered) / total,
        "soft_own": case.summed(own) / total,
        "soft_since": case.summed(since) / total,
        "soft_around": case.summed(around) / total,
    }


def _people(case: QueryCase, found: Mapping[str, Floats]) -> dict[str, Floats]:
    """Who speaks: whoever the question names, or the person who asks ("my")."""
    import numpy as np

    speakers = [case.seen.speaker[place] for place in case.seen.candidates]
    user = np.array([case.seen.role[place] == "user" for place in case.seen.candidates], dtype=np.float32)
    one = len(case.query.named) == 1
    by = np.array([one and speaker in case.query.named for speaker in speakers], dtype=np.float32)
    return {
        "by_named": by,
        "by_other": float(one) - by,
        "by_named_context": by * found["context"],
        "by_user": user * float(case.query.mine),
    }


def _times(case: QueryCase, found: Mapping[str, Floats]) -> dict[str, Floats]:
    import numpy as np

    said = case.seen.said_at[case.seen.candidates]
    fresh = np.exp(np.maximum(case.now - said, 0) / (-30.0 * DAY)).astype(np.float32)
    kinds = case.query.kinds
    inside, soon = _in_named_time(case.query, said)
    return {
        "when_days": float("when" in kinds) * found["days"],
        "in_time": inside,
        "soon_after": soon,
        "lately": fresh * float("lately" in kinds),
    }


def _in_named_time(query: Query, said: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Whether a turn was said in the time that the question names, and whether in the weeks after it."""
    import numpy as np

    nothing = np.zeros(len(said), dtype=np.float32)
    if query.stretch is None or query.stretch.start is None or query.stretch.end is None:
        return nothing, nothing
    start, end = query.stretch.start, query.stretch.end
    inside = ((said >= start) & (said < end)).astype(np.float32)
    return inside, ((said >= end) & (said < end + SOON)).astype(np.float32)


def _shape(case: QueryCase, found: Mapping[str, Floats]) -> dict[str, Floats]:
    import numpy as np

    words = np.minimum(case.here(case.seen.length), LONGEST)
    length = (np.log1p(words) / 3).astype(np.float32)
    first = (case.seen.around[-2] < 0).astype(np.float32)
    return {
        "asks": case.here(case.seen.signs[ASKS]),
        "length": length,
        "length_context": length * found["context"],
        "short": (words < 7).astype(np.float32),
        "own_voice": case.here(case.seen.signs[OWN]),
        "opening": first,
        "dated": case.here(case.seen.signs[DATED]),
        "named": case.here(case.seen.signs[NAMED]),
    }


def _answers(case: QueryCase, _: Mapping[str, Floats]) -> dict[str, Floats]:
    """Whether a turn has the look of an answer to this kind of question."""
    import numpy as np

    nothing = np.zeros(len(case.seen.candidates), dtype=np.float32)
    found = {
        f"{kind}{mark}": case.here(case.seen.signs[mark]) if kind in case.query.kinds else nothing
        for kind, mark in ANSWERED_BY
    }
    return found | {"opinion_not_past": (1 - case.here(case.seen.signs[PAST])) * float("opinion" in case.query.kinds)}
