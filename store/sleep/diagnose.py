"""A diagnoser looks and proposes; it changes nothing, and the same memory gives the same proposals.

Split where a unit mixes matters, Merge where units say the same, Update where what a unit taught is out of date
(All-Mem, appendix C.1), found without a language model: by vectors, by terms, and by what the fold replaced. Each
proposal comes with a confidence, on the side of caution: a unit that leaves the surface by mistake is missed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import apsw

from store.database.rows import column, rows
from store.episodes.marks import DATED, PAST, marks
from store.episodes.terms import STOPWORDS, query_terms
from store.sleep.describe import WORD, Describer, sentences, telling
from store.sleep.edits import MERGE_MOST, Cut, Edit, Proposal
from store.sleep.links import cosine, links_of
from store.sleep.units import Piece, Unit, pieces_of, units_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

WORTH_SAYING = 0.8
"""Proposals below this confidence are not even logged."""
ALIKE = 0.9
"""The cosine from which on linked units are looked at for a merge."""
A_DAY = 86_400_000_000

_VALUE = re.compile(r"\d[\d.,:/-]*|[A-ZÀ-Þ][\w’'-]+|\b(?:not?|never|\w+n['’]t|without|nicht|kein\w*|nie|nunca|jamás)\b")
_CLAIMS = "unit_spans s join claims c on c.episode_row = s.episode_row and c.start < s.end and c.end > s.start"
"""The claims (c) that were read from a unit (s.unit_id)."""


# -- merge


def merge(connection: apsw.Connection, unit: Unit) -> list[Proposal]:
    """Units on the surface that say the same as this one."""
    others = units_of(connection, _alike(connection, unit))
    own = _words(connection, unit)
    found = [(_sameness(own, _words(connection, other), unit, other), other) for other in others.values()]
    found = sorted((pair for pair in found if pair[0] >= WORTH_SAYING), key=lambda pair: (-pair[0], pair[1].id))
    chosen = found[: MERGE_MOST - 1]
    if not chosen:
        return []
    taken = [unit, *(other for _, other in chosen)]
    into = min((one.id for one in taken if one.origin == "merge"), default=None)
    edit = Edit("merge", tuple(sorted(one.id for one in taken)), into=into)
    differ = any(_differ(connection, unit, own, other) for _, other in chosen)
    return [Proposal(edit, min(sure for sure, _ in chosen), {"alike": chosen[0][0]}, differ)]


def _alike(connection: apsw.Connection, unit: Unit) -> set[int]:
    """Visible units that may say the same: with the very same terms, wherever they are, or near in meaning."""
    same = column(
        connection, "select id from units where print = ? and id <> ? and visible = 1 order by id limit ?",
        (unit.print, unit.id, 2 * MERGE_MOST),
    )  # fmt: skip
    near = [link.to for link in links_of(connection, unit) if link.kind == "semantic" and link.weight >= ALIKE]
    return {*same, *near}


def _words(connection: apsw.Connection, unit: Unit) -> str:
    return "\n".join(piece.text for piece in pieces_of(connection, unit.id))


def _sameness(one: str, other: str, unit: Unit, second: Unit) -> float:
    """Half nearness in meaning, half the share of terms that both have."""
    mine, theirs = set(query_terms(one)), set(query_terms(other))
    shared = len(mine & theirs) / len(mine | theirs) if mine | theirs else 1.0
    near = 1.0 if one == other else cosine(unit.vector, second.vector)
    return round((near + shared) / 2, 4)


def _differ(connection: apsw.Connection, unit: Unit, own: str, other: Unit) -> bool:
    """Whether two units name different values: names, numbers, denials, what was read from them; or tell of different
    days, where they tell of a time at all."""
    claimed = [
        rows(
            connection,
            "select distinct c.subject, c.predicate, lower(c.object), c.negative, c.cue, c.modality, c.valid_from, "
            f"c.valid_to from {_CLAIMS} where s.unit_id = ? order by 1, 2, 3, 4, 5, 6, 7, 8",
            (one.id,),
        )
        for one in (unit, other)
    ]
    if values(own) != values(_words(connection, other)) or claimed[0] != claimed[1]:
        return True
    said = "\n".join(piece.text for piece in pieces_of(connection, unit.id) if piece.own)
    tells_when = {DATED, PAST}.intersection(marks(said))
    return bool(tells_when) and abs(unit.said_at - other.said_at) >= A_DAY


def values(text: str) -> frozenset[str]:
    """The names, numbers and denials in a text, in lower case."""
    return frozenset(match.group().casefold().rstrip(".,:/-") for match in _VALUE.finditer(text))


# -- update


def update(connection: apsw.Connection, unit: Unit) -> list[Proposal]:
    """Units all of whose beliefs are over, where this one replaced some: they are out of date."""
    replaced = column(
        connection,
        f"select distinct u.id from {_CLAIMS} "
        "join facts f on f.because = c.row join supersessions p on p.new_id = f.id "
        "join fact_sources x on x.fact_id = p.old_id join claims o on o.row = x.claim_row "
        "join unit_spans t on t.episode_row = o.episode_row and o.start < t.end and o.end > t.start "
        "join units u on u.id = t.unit_id "
        "where s.unit_id = ?1 and u.visible = 1 and u.id <> ?1 and u.said_at <= ?2 "
        "and f.change in ('update', 'correct')",
        (unit.id, unit.said_at),
    )
    found = [_outdated(connection, unit, old) for old in units_of(connection, replaced).values()]
    return [one for one in found if one.confidence >= WORTH_SAYING]


def _outdated(connection: apsw.Connection, unit: Unit, old: Unit) -> Proposal:
    """How sure it is that nothing in the old unit is news: the share of its beliefs that are over, times the share of
    its own words that taught them."""
    quotes = rows(
        connection,
        f"select c.episode_row, c.start, c.end, min(f.believed_to is not null or f.world_to <= ?2) from {_CLAIMS} "
        "join fact_sources x on x.claim_row = c.row join facts f on f.id = x.fact_id "
        "where s.unit_id = ?1 group by c.row",
        (old.id, unit.said_at),
    )
    over = sum(row[3] for row in quotes) / len(quotes) if quotes else 0.0
    taught = [
        any(row == piece.row and start <= at < end for row, start, end, _ in quotes)
        for piece in pieces_of(connection, old.id) if piece.own for at in _telling(piece)
    ]  # fmt: skip
    told = round(sum(taught) / len(taught), 4) if taught else 0.0
    return Proposal(Edit("update", (unit.id, old.id)), round(over * told, 4), {"over": over, "told": told})


def _telling(piece: Piece) -> list[int]:
    """Where the telling words of a piece begin in its turn."""
    found = WORD.finditer(piece.text)
    return [piece.start + match.start() for match in found if match.group().casefold() not in STOPWORDS]


# -- split: the words of the person are cut between two sentences, where what was said before and after is least alike
# (as in TextTiling, Hearst 1997, with vectors for terms), and where they themselves say so ("by the way"). A reply
# goes, paragraph by paragraph, to the part that it is nearest to.

MOST_SENTENCES = 60
"""Sentences of a turn before which a cut is looked for."""
LEAST_SAID = 6
"""Telling words that each side of a cut needs."""
FAR, NEAR = 0.18, 0.55
"""Cosines of the two sides: another matter altogether, and surely the same."""
_TURNS = re.compile(
    r"(?:(?:oh|and|but|well|so|ok(?:ay)?),?\s+)?(?:by the way|btw|on another (?:note|topic)|on a different note"
    r"|(?:also,? |completely |totally )?unrelated|separately|another thing|something else|changing the subject"
    r"|different topic|p\.?s\.?|übrigens|apropos|por cierto|otra cosa|cambiando de tema)\b",
    re.IGNORECASE,
)
_RETURNS = re.compile(r"anyways?\b", re.IGNORECASE)
_ADDS = re.compile(r"(?:oh,? and|also|and)\b", re.IGNORECASE)
_REFERS = re.compile(
    r".{0,14}\bspeaking of\b|(?:(?:and|but|so|or|if|because)\s+)?"
    r"(?:it|he|she|they|them|this|that|these|those|his|her|their|its|there)\b",
    re.IGNORECASE,
)
_SAID_SO = ((_TURNS, 0.65), (_RETURNS, 0.5), (_ADDS, 0.1))
"""How much the words that open another matter say for it: on LongMemEval's turns, "by the way" does nearly always bring
one, "anyway" goes back to one as often."""
_BREAK = re.compile(r"\n\s*\n")


class PersonSentence(NamedTuple):
    """One sentence of the person's."""

    piece: Piece
    start: int
    end: int
    """Characters [start, end) of its turn."""
    text: str
    terms: set[str]
    opens: bool
    """It begins a paragraph, or a turn of its own."""


def split(connection: apsw.Connection, unit: Unit, describer: Describer) -> list[Proposal]:
    """The two matters that a unit mixes, if it does."""
    pieces = pieces_of(connection, unit.id)
    said = [sentence for piece in pieces if piece.own for sentence in _sentences(piece)]
    if sum(len(one.terms) for one in said) < 2 * LEAST_SAID:
        return []
    vectors = describer.vectors([one.text for one in said])
    at, signs = _best_cut(said, vectors)
    confidence = sum(signs.values())
    if confidence < WORTH_SAYING:
        return []
    edit = Edit("split", (unit.id,), _parts(pieces, said, vectors, at, describer))
    return [Proposal(edit, min(1.0, confidence), signs)]


def _sentences(piece: Piece) -> Iterator[PersonSentence]:
    last = 0
    for start, end in sentences(piece):
        words, opens = piece.text[start:end], not last or bool(_BREAK.search(piece.text[last:start]))
        yield PersonSentence(piece, piece.start + start, piece.start + end, words, telling(words), opens)
        last = end


def _best_cut(said: Sequence[PersonSentence], vectors: Floats) -> tuple[int, dict[str, float]]:
    """Before which sentence most speaks for a cut (0: nowhere), and what does."""
    import numpy as np

    weights = np.array([len(one.terms) for one in said], np.float32)
    sums, enough = np.cumsum(vectors * weights[:, None], axis=0), weights.sum() - LEAST_SAID
    best, most = 0, dict[str, float]()
    for at in range(1, min(len(said), MOST_SENTENCES)):
        if LEAST_SAID <= weights[:at].sum() <= enough:
            alike = float(_unit(sums[at - 1]) @ _unit(sums[-1] - sums[at - 1]))
            signs = _signs(said, at, alike)
            if not best or sum(signs.values()) > sum(most.values()):
                best, most = at, signs
    return best, most


def _unit(vector: Floats) -> Floats:
    import numpy as np

    found: Floats = vector / (np.linalg.norm(vector) + np.float32(1e-9))
    return found


def _signs(said: Sequence[PersonSentence], at: int, alike: float) -> dict[str, float]:
    """What speaks for a cut and against it; the sum is the confidence."""
    opening = said[at]
    before = set[str]().union(*(one.terms for one in said[:at]))
    after = set[str]().union(*(one.terms for one in said[at:]))
    distance = max(0.0, min(1.0, (NEAR - alike) / (NEAR - FAR)))
    told = next((weight for pattern, weight in _SAID_SO if pattern.match(opening.text)), None)
    return {
        "apart": round(0.35 * distance, 3),
        "said_so": told if told is not None else 0.25 if opening.opens else 0.0,
        "nothing_shared": 0.0 if before & after else 0.1,
        "refers_back": -0.3 if _REFERS.match(opening.text) else 0.0,
    }


def _parts(
    pieces: Sequence[Piece], said: Sequence[PersonSentence], vectors: Floats, at: int, describer: Describer
) -> tuple[tuple[Cut, ...], ...]:
    """What the two parts are made of, the second of which begins at this sentence: all of the unit."""
    import numpy as np

    weights = np.array([len(one.terms) for one in said], np.float32)[:, None]
    middles = np.stack([_unit(some.sum(axis=0)) for some in np.split(vectors * weights, [at])])
    parts: tuple[list[Cut], list[Cut]] = [], []
    for piece in pieces:
        if piece.own:
            for part, some in zip(parts, (said[:at], said[at:]), strict=True):
                own = [one for one in some if one.piece is piece]
                if own:
                    part.append(Cut(piece.episode, own[0].start, own[-1].end))
            # What follows the last sentence that was looked at goes with it.
            mine = [part for part in parts if part and part[-1].episode == piece.episode]
            for last in sorted(mine, key=lambda part: part[-1].end)[-1:]:
                last[-1] = last[-1]._replace(end=piece.start + len(piece.text.rstrip()))
        else:
            _give_reply(piece, middles, parts, describer)
    return tuple(map(tuple, parts))


def _give_reply(piece: Piece, middles: Floats, parts: Sequence[list[Cut]], describer: Describer) -> None:
    """Give the paragraphs of a reply to the part that each is nearest to; neighbours of one part stay together."""
    import numpy as np

    paragraphs = list(_paragraphs(piece.text))
    if not paragraphs:
        return
    vectors = describer.vectors([piece.text[start:end] for start, end in paragraphs])
    nearest = [int(part) for part in np.argmax(vectors @ middles.T, axis=1)]
    runs = [0, *(at for at, (one, other) in enumerate(pairwise(nearest), 1) if one != other), len(nearest)]
    for first, after in pairwise(runs):
        start, end = paragraphs[first][0], paragraphs[after - 1][1]
        parts[nearest[first]].append(Cut(piece.episode, piece.start + start, piece.start + end))


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Each as characters [start, end), without the blanks around it."""
    edges = [0, *(place for match in _BREAK.finditer(text) for place in match.span()), len(text)]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        words = text[start:end]
        if words.strip():
            yield start + len(words) - len(words.lstrip()), start + len(words.rstrip())
