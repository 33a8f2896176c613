"""A unit is split where the person changes the subject, and only there: what is one matter stays together.

The words of the person are cut between two sentences, where what was said before and after is least alike (as in
TextTiling, Hearst 1997, with vectors for terms), and where they themselves say so ("by the way"). A reply goes,
paragraph by paragraph, to the part that it is nearest to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import apsw

from store.database.rows import each
from store.sleep.describe import Describer, WordedSpan, sentences, telling
from store.sleep.edits import Cut, Edit
from store.sleep.plans import Proposal
from store.sleep.units import Span, Unit

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


@dataclass(frozen=True, slots=True)
class PersonSentence:
    """One sentence of the person's."""

    span: Span
    text: str
    terms: frozenset[str]
    opens: bool
    """It begins a paragraph, or a turn of its own."""


def split(connection: apsw.Connection, unit: Unit, describer: Describer) -> Proposal | None:
    """The two matters that a unit mixes, if it does."""
    pieces = pieces_of(connection, unit)
    said = [sentence for piece in pieces if piece.own for sentence in _sentences(piece)]
    if sum(len(one.terms) for one in said) < 2 * LEAST_SAID:
        return None
    vectors = describer.vectors([one.text for one in said])
    at, signs = _best_cut(said, vectors)
    if sum(signs.values()) < WORTH_SAYING:
        return None
    edit = Edit("split", (unit.id,), _parts(connection, pieces, said, vectors, at, describer))
    return Proposal(edit, max(0.0, min(1.0, sum(signs.values()))), signs)


def _parts(
    connection: apsw.Connection, pieces: Sequence[WordedSpan], said: Sequence[PersonSentence], vectors: Floats,
    at: int, describer: Describer,
) -> tuple[tuple[Cut, ...], ...]:  # fmt: skip
    """What the two parts are made of, the second of which begins at this sentence: all of the unit."""
    stretches = [(0, at), (at, len(said))]
    middles = [_middle(vectors[start:end], said[start:end]) for start, end in stretches]
    spans = [_run_together([one.span for one in said[start:end]]) for start, end in stretches]
    _to_the_end(pieces, spans)
    for piece in pieces:
        if not piece.own:
            _give_reply(piece, middles, spans, describer)
    ids = _ids(connection, pieces)
    return tuple(tuple(Cut(ids[span.row], span.start, span.end) for span in sorted(some)) for some in spans)


def pieces_of(connection: apsw.Connection, unit: Unit) -> list[WordedSpan]:
    """What a unit is made of, with the words."""
    found = each(
        connection,
        "select s.episode_row, s.start, s.end, e.text, e.role from unit_spans s "
        "join episodes e on e.row = s.episode_row where s.unit_id = ? order by s.place",
        (unit.id,),
    )
    return [WordedSpan(Span(row, start, end), text[start:end], role == "user") for row, start, end, text, role in found]


def _sentences(piece: WordedSpan) -> Iterator[PersonSentence]:
    last = piece.span.start
    for span in sentences(piece):
        words = piece.text[span.start - piece.span.start : span.end - piece.span.start]
        between = piece.text[last - piece.span.start : span.start - piece.span.start]
        opens = last == piece.span.start or bool(_BREAK.search(between))
        yield PersonSentence(span, words, frozenset(telling(words)), opens)
        last = span.end


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


def _middle(vectors: Floats, said: Sequence[PersonSentence]) -> Floats:
    import numpy as np

    return _unit((vectors * np.array([len(one.terms) for one in said], np.float32)[:, None]).sum(axis=0))


def _signs(said: Sequence[PersonSentence], at: int, alike: float) -> dict[str, float]:
    """What speaks for a cut and against it; the sum is the confidence."""
    opening = said[at]
    before = frozenset[str]().union(*(one.terms for one in said[:at]))
    after = frozenset[str]().union(*(one.terms for one in said[at:]))
    distance = max(0.0, min(1.0, (NEAR - alike) / (NEAR - FAR)))
    told = next((weight for pattern, weight in _SAID_SO if pattern.match(opening.text)), None)
    said_so = told if told is not None else 0.25 if opening.opens else 0.0
    return {
        "apart": round(0.35 * distance, 3), "said_so": said_so, "nothing_shared": 0.0 if before & after else 0.1,
        "refers_back": -0.3 if _REFERS.match(opening.text) else 0.0,
    }  # fmt: skip


def _run_together(spans: Sequence[Span]) -> list[Span]:
    """Sentences of one turn as one span; a cut leaves them next to each other."""
    found: dict[int, Span] = {}
    for span in spans:
        known = found.get(span.row, span)
        found[span.row] = Span(span.row, min(known.start, span.start), max(known.end, span.end))
    return list(found.values())


def _to_the_end(pieces: Sequence[WordedSpan], spans: Sequence[list[Span]]) -> None:
    """What follows the last sentence that was looked at goes with it."""
    for piece in pieces:
        own = [(span, some) for some in spans for span in some if piece.own and span.row == piece.span.row]
        if own:
            last, some = max(own, key=lambda one: one[0].end)
            some[some.index(last)] = last._replace(end=piece.span.start + len(piece.text.rstrip()))


def _give_reply(
    piece: WordedSpan, middles: Sequence[Floats], spans: Sequence[list[Span]], describer: Describer
) -> None:
    """Give the paragraphs of a reply to the part that each is nearest to; neighbours of one part stay together."""
    import numpy as np

    paragraphs = list(_paragraphs(piece))
    if not paragraphs:
        return
    vectors = describer.vectors(
        [piece.text[paragraph.start - piece.span.start : paragraph.end - piece.span.start] for paragraph in paragraphs]
    )
    nearest = [int(np.argmax([float(vector @ middle) for middle in middles])) for vector in vectors]
    runs = [0, *(at for at, (one, other) in enumerate(pairwise(nearest), 1) if one != other), len(nearest)]
    for start, end in pairwise(runs):
        spans[nearest[start]].append(Span(piece.span.row, paragraphs[start].start, paragraphs[end - 1].end))


def _paragraphs(piece: WordedSpan) -> Iterator[Span]:
    edges = [0, *(place for match in _BREAK.finditer(piece.text) for place in match.span()), len(piece.text)]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        words = piece.text[start:end]
        if words.strip():
            begin = piece.span.start + start + len(words) - len(words.lstrip())
            yield Span(piece.span.row, begin, piece.span.start + start + len(words.rstrip()))


def _ids(connection: apsw.Connection, pieces: Sequence[WordedSpan]) -> dict[int, str]:
    found: dict[int, str] = {}
    for piece in pieces:
        found |= dict(connection.execute("select row, id from episodes where row = ?", (piece.span.row,)))
    return found
