"""A unit is split where the person changes the subject, and only there: what is one matter stays together.

The words of the person are cut between two sentences, where what was said before and after is least alike (as in
TextTiling, Hearst 1997, with vectors for terms), and where they themselves say so ("by the way"). A reply goes,
paragraph by paragraph, to the part that it is nearest to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import apsw

from store.sleep.describe import Describer, sentences, telling
from store.sleep.edits import Cut, Edit, Proposal
from store.sleep.units import Piece, Unit, pieces_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

WORTH_SAYING = 0.8
"""Below this confidence a cut is not even logged."""
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
