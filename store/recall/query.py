"""What a query asks for is read from its words once, and every channel sees the same reading."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from store.episodes.marks import clauses_with_times
from store.episodes.terms import query_terms
from store.records import Stretch

LONGEST = 2_000
"""Characters of a query that are read; a pasted page asks nothing more in its third thousand."""
MOST_TERMS = 48

KINDS = {
    "when": r"when|how long|what (?:date|day|month|year|time)|which (?:day|month|year)|since",
    "count": r"how (?:many|much|often|old)|number of",
    "lately": r"recent(?:ly)?|latest|lately|current(?:ly)?|now(?:adays)?|these days|just|last",
    "shown": r"(?:photo|picture|image|poster|painting|drawing|screenshot|file|sign)s?",
    "where": r"where|(?:what|which) (?:country|city|place|state|town|area|location)s?",
    "who": r"who|whom|whose",
    "which": r"which|names?|titles?|called|books?|movies?|films?|songs?|bands?|games?|authors?",
    "why": r"why|reasons?|motivat\w+|inspir\w+",
    "past": r"did|was|were|had",
    "opinion": r"feel\w*|think|opinion|describe[sd]?|say|said|attitude|reaction",
}
"""What a question can be about, and the words that show it; several can hold at once."""
_KINDS = {kind: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for kind, words in KINDS.items()}
LIGHT = 0.1
"""What a word that only frames the question counts, against one that names its matter."""
_FRAMING = (
    # what is asked of whoever answers
    "recommend recommended recommendation recommendations suggest suggested suggestion suggestions tip tips advice "
    "advise idea ideas help helpful think thought thinking know feel feeling felt look looking find finding good great "
    "best better interesting interested excited getting need want like try start new anything something thing things "
    "way ways kind type "
    # when and how many: what is meant is found through the days of a turn, not through these words
    "order earliest latest past last first next ago currently lately recent recently day days week weeks weekend month "
    "months year years time times number amount total happen happened two three"
)
_FRAMING_TERMS = frozenset(term for word in _FRAMING.split() for term in query_terms(word))
_MINE = re.compile(r"\b(?:I|me|my|mine|I'm|I've|myself)\b", re.IGNORECASE)


def asked_in(text: str) -> str:
    """What of a text is read as a question: of a long one that ends in a question its end, of another its beginning."""
    if len(text) <= LONGEST:
        return text
    return text[-LONGEST:] if text.rstrip().endswith(("?", "？", "؟")) else text[:LONGEST]


@dataclass(frozen=True, slots=True)
class Query:
    """A question, read."""

    text: str
    terms: tuple[str, ...]
    """What to look for in the full text, each once."""
    emphasis: tuple[float, ...]
    """How much each term counts: LIGHT for one that only frames the question, 1 for the others."""
    bare: str
    """The question without the names of speakers, who speak in half of all turns: they say nothing of the matter. One
    about the person is also without the words that only frame it, for whoever asks an assistant uses many."""
    named: tuple[str, ...] = ()
    """The speakers whom it names."""
    kinds: frozenset[str] = frozenset()
    """What it asks for, out of KINDS."""
    mine: bool = False
    """It is about the person who asks."""
    stretch: Stretch | None = None
    """The time that it names, if it names just one."""

    @property
    def vagueness(self) -> float:
        """How much of it is framing, 0 to 1: where few words name its matter, the meaning of the whole counts."""
        return 1 - sum(self.emphasis) / max(len(self.emphasis), 1)

    def matter(self) -> tuple[str, ...]:
        """The terms that name what it is about."""
        return tuple(term for term, weight in zip(self.terms, self.emphasis, strict=True) if weight == 1)


def read(text: str, speakers: Sequence[str] = (), anchor: datetime | None = None) -> Query:
    """Read a question, given the names of all speakers in the memory, and (for "last week") when it is asked."""
    text = text[:LONGEST].strip()
    named = tuple(name for name in speakers if _name_pattern(name).search(text))
    bare = text
    for name in named:
        bare = _name_pattern(name).sub(" ", bare)
    terms = tuple(query_terms(text)[:MOST_TERMS])
    mine = bool(_MINE.search(text))
    if mine and not _FRAMING_TERMS.issuperset(terms):
        bare = " ".join(word for word in bare.split() if not _frames(word))
    return Query(
        text=text,
        terms=terms,
        emphasis=tuple(LIGHT if term in _FRAMING_TERMS else 1.0 for term in terms),
        bare=" ".join(bare.split()),
        named=named,
        kinds=frozenset(kind for kind, pattern in _KINDS.items() if pattern.search(text)),
        mine=mine,
        stretch=None if anchor is None else _named_time(text, anchor),
    )


def _frames(word: str) -> bool:
    """Whether a word of a question only frames it; a word without a term does not."""
    found = query_terms(word)
    return bool(found) and _FRAMING_TERMS.issuperset(found)


def _name_pattern(name: str) -> re.Pattern[str]:
    """The name as a whole word, also in the genitive; `re` keeps the compiled patterns."""
    return re.compile(rf"(?<!\w){re.escape(name)}(?:['’]s)?(?!\w)", re.IGNORECASE)


def _named_time(text: str, anchor: datetime) -> Stretch | None:
    from store.time.expressions import read_times

    clauses = clauses_with_times(text)
    found = [time for clause in clauses for time in read_times(clause, anchor) if time.kind in ("point", "range")]
    return found[0].stretch if len(found) == 1 else None
