"""A thing is spoken of by whom it belongs to and by its noun: "my new laptop", "the door code of the office", "Ana's
car"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from store.reading.rules.lexicon import DAYS, DETERMINERS, FILLERS, MONTHS, PRONOUN_OBJECTS, RELATIONS
from store.reading.rules.people import Scene, person_at
from store.reading.rules.words import Token
from store.text.forms import form_of
from store.text.lists import wordset
from store.text.nouns import ATTRIBUTES, EVENT_NOUNS, LAPTOPS, PHONES, STATUSES

_FINITE = wordset(
    "get gets is are was were 's 're has have had do does did will would can could should may might 'll 'd must"
)
_LINK = wordset("of for at to on in")
_STOP = wordset(
    "and or but i you he she we they who which that because so if when while where what how not n't "
    "with from by about since until than"
)
_FRESH = wordset("new brand-new current latest next present newest")
_STALE = frozenset(["old", "former", "previous", "last", "ex"])
_VAGUE = wordset("main actual personal own primary usual total")
_THESE_DAYS = wordset("right now currently nowadays these days lately")
_ORDINALS = wordset("first second third fourth")
_MAX_WORDS = 6
_WHEN = DAYS | MONTHS | wordset("yesterday today last this")
_BARE = wordset(
    "app article book site website game dashboard project course album podcast migration piece paper store product "
    "feature module version rewrite release newsletter blog film movie song shop platform deadline code rent price fee"
)
"""Nouns that may stand without an article at the start of a note ("Flutter app launched last week")."""
_BARE_OF = wordset("deadline code rent price fee")
"""Those of them that may be of something ("Deadline for the grant is 1 March")."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A noun phrase for a thing, tokens[start:end]."""

    holder: str
    """Mention key of its owner; "" for "the ..." without one."""
    noun: str
    """Its noun phrase in lower case, without determiner and without fresh or stale adjectives."""
    start: int
    end: int
    fresh: bool = False
    """Said to be new or current."""
    stale: bool = False
    """Said to be old or former."""
    whole: str = ""
    """What it is a part or a property of ("the office"), lower case."""
    named: str = ""
    """The phrase as it was written, without determiner."""
    tail: int = 0
    """The index after its own words, where a time follows them ("dad's operation on Monday"); else `end`."""

    @property
    def attribute(self) -> str:
        """The longest known attribute that the noun ends in; "" if none."""
        if self.noun.startswith(("favourite ", "favorite ", "go-to ")):
            return self.noun
        words = self.noun.split()
        for first in range(len(words)):
            if " ".join(words[first:]) in ATTRIBUTES:
                return " ".join(words[first:])
        return ""


def thing_at(tokens: Sequence[Token], at: int, end: int, scene: Scene) -> Thing | None:
    """The thing that tokens[at:] names before a finite verb, or None."""
    low = tokens[at].low
    if low in ("my", "our"):
        return _noun_phrase(tokens, at, at + 1, end, scene.me)
    if low in ("his", "her"):
        holder = scene.meant_by(low)
        return None if holder is None else _noun_phrase(tokens, at, at + 1, end, holder)
    if low in ("mine", "ours") and at + 1 < end:
        return None
    if low == "the":
        return _noun_phrase(tokens, at, at + 1, end, "")
    if tokens[at].capital or low in ("my", "our"):
        person = person_at(tokens, at, end, scene)
        if person is not None and person.end < end and tokens[person.end].low == "'s":
            return _noun_phrase(tokens, at, person.end + 1, end, person.key)
    if low in ("mum", "dad", "mom"):
        person = person_at(tokens, at, end, scene)
        owns = person is not None and person.end < end and tokens[person.end].low == "'s"
        return _noun_phrase(tokens, at, person.end + 1, end, person.key) if person is not None and owns else None
    if tokens[at].capital and (at == 0 or tokens[at - 1].kind != "word"):
        thing = _noun_phrase(tokens, at, at, end, "")
        last = "" if thing is None else thing.noun.split()[-1]
        known = last in _BARE and thing is not None and (not thing.whole or last in _BARE_OF)
        return thing if known or last in PHONES | LAPTOPS else None  # "Fairphone is back"
    return None


def _noun_phrase(tokens: Sequence[Token], start: int, at: int, end: int, holder: str) -> Thing | None:
    person_possessive = _possessor(tokens, start, at, end, holder)
    if person_possessive is not None:
        holder, at = person_possessive
    stop = _run(tokens, at, end)
    if stop == at or stop >= end:
        return None
    if tokens[stop].low == "'s" and _owns_more(tokens, stop + 1, end):
        owner = " ".join(token.low for token in tokens[at:stop])
        further = _run(tokens, stop + 1, end)
        return _made(tokens, start, (stop + 1, further), (further, further), f"{holder}>{owner}" if holder else owner)
    linked = (stop, stop)
    last = tokens[stop - 1].low
    meets = tokens[stop].low == "with" and (last in EVENT_NOUNS or last.endswith("ing"))  # "my interview with Bosch"
    if tokens[stop].low in _LINK or meets:
        linked = (stop + 1, _run(tokens, stop + 1, end))
        if linked[0] == linked[1]:
            return None
    return _made(tokens, start, (at, stop), linked, holder)


def _possessor(tokens: Sequence[Token], start: int, at: int, end: int, holder: str) -> tuple[str, int] | None:
    """In "my brother's car" the holder is the brother."""
    if tokens[start].low not in ("my", "our"):
        return None
    person = person_at(tokens, start, end, Scene(holder))
    if (
        person is None
        or person.end >= end - 1
        or tokens[person.end].low != "'s"
        or not _owns_more(tokens, person.end + 1, end)
    ):
        return None
    return person.key, person.end + 1


def _owns_more(tokens: Sequence[Token], at: int, end: int) -> bool:
    if at >= end or tokens[at].low in FILLERS or tokens[at].low in DETERMINERS or tokens[at].low in STATUSES:
        return False
    first = form_of(tokens[at].low)
    if first is not None and first[1] & {"ing", "part", "past"} and tokens[at].low not in ATTRIBUTES:
        return False
    stop = _run(tokens, at, end)
    if not at < stop < end:
        return False
    form = form_of(tokens[stop].low)
    return tokens[stop].low in (_FINITE | _LINK) or (form is not None and bool(form[1] & {"s", "past"}))


def _run(tokens: Sequence[Token], at: int, end: int) -> int:
    """The index after a run of noun words: up to a finite verb, a link, a stop word or a mark."""
    stop = at
    while stop < end and stop - at < _MAX_WORDS:
        token = tokens[stop]
        if token.kind not in ("word", "quote") or token.low in _FINITE or token.low in _STOP or token.low in _LINK:
            break
        days = token.low == "these" and stop + 1 < end and tokens[stop + 1].low == "days"
        if stop > at and not days and (token.low in PRONOUN_OBJECTS or token.low in ("my", "our", "the")):
            break
        form = form_of(token.low)
        if stop > at and form is not None and form[1] & {"s", "past"} and not _verbless(tokens, stop, end):
            break
        stop += 1
    return stop


def _verbless(tokens: Sequence[Token], at: int, end: int) -> bool:
    """The word at this index is a noun here, because a finite verb follows at once ("my work hours are")."""
    return at + 1 < end and tokens[at + 1].low in (_FINITE | {"of"})


def _made(
    tokens: Sequence[Token], start: int, noun: tuple[int, int], link: tuple[int, int], holder: str
) -> Thing | None:
    words = [token.low or token.text.lower() for token in tokens[noun[0] : noun[1]]]
    kept = [word for word in words if word not in _FRESH | _STALE | _VAGUE]
    while kept and kept[-1] in _THESE_DAYS:
        kept.pop()
    if len(kept) > 1 and kept[-1] in RELATIONS and kept[0] in _ORDINALS:
        kept.pop(0)
    if not kept:
        return None
    whole = [token for token in tokens[link[0] : link[1]] if token.low not in ("the", "a", "an")]
    end = max(noun[1], link[1])
    if whole and whole[0].low in _WHEN:
        whole, link = [], noun
    if whole and whole[0].low in ("my", "our"):
        whole = whole[1:]
    return Thing(
        holder,
        " ".join(kept),
        start,
        end,
        bool(_FRESH & set(words)),
        bool(_STALE & set(words)),
        " ".join(token.low or token.text.lower() for token in whole),
        " ".join(token.text for token in tokens[noun[0] : max(noun[1], link[1])]),
        max(noun[1], link[1]),
    )


def thing_of_words(tokens: Sequence[Token], at: int, end: int, scene: Scene, until: frozenset[str]) -> Thing | None:
    """The thing that tokens[at:] name before one of the words `until` ("the door code" before "wrong"), or the end."""
    stop = next((place for place in range(at, end) if tokens[place].low in until), end)
    if stop <= at:
        return None
    if tokens[at].low in until and at + 1 < end:
        stop = end
    low = tokens[at].low
    holder = scene.me if low in ("my", "our") else (scene.meant_by(low) or "") if low in ("his", "her") else ""
    start = at + (low in DETERMINERS)
    owner = person_at(tokens, at, stop, scene) if holder or tokens[at].capital else None
    if owner is not None and owner.end + 1 < stop and tokens[owner.end].low == "'s":
        holder, start = owner.key, owner.end + 1
    link = next((place for place in range(start, stop) if tokens[place].low in _LINK), stop)
    words = [token for token in tokens[start:link] if token.low not in ("wrong",)]
    if not words:
        return None
    return _made(tokens, at, (start, link), (min(link + 1, stop), stop), holder)
