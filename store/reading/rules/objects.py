"""A value is a run of the person's own characters: it stops before a time, a new clause or a word that cannot belong
to it.

Each reader takes a clause and an index and returns values, or none where what stands there is not such a thing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from store.reading.rules.clause import Clause
from store.reading.rules.lexicon import DAYS, DETERMINERS, INTERJECTIONS, MONTHS, NUMBERS, PRONOUN_OBJECTS
from store.reading.rules.words import Token
from store.text.forms import form_of
from store.text.lists import wordset
from store.text.nouns import CARS, MEDICINES, NATIONALITIES, POSSESSIONS, WORKPLACES, finer

_PREPOSITIONS = wordset(
    "in at on for with from to by about since until till during after before near into onto over "
    "under around through without as than like via per along across between among outside inside "
    "because despite towards toward against within off up down out upon"
)
_ENDS = wordset(
    "using which that who whom whose where when while because so but if i we he she they you it 've 'm 're "
    "'ll is are was were am has had though although anymore now too also again together already yet "
    "currently lately either instead nowadays these recently right not n't always sometimes ever once "
    "twice thrice daily weekly monthly regularly today yesterday tomorrow tonight just really "
    "everyday myself then there here finally actually still anyway alone well soon later ago whenever "
    "unless until since haha lol please thanks btw tho altogether instead whilst plus especially "
    "including mostly mainly will would can could should luckily unfortunately fortunately sadly thankfully obviously "
    "honestly apparently hopefully"
)
_SMALL = wordset("of de la le do da del the upon and & von van der du san das dos des den el los las al zum am")
_HOMES = wordset(
    "town village city flat house apartment suburb suburbs neighbourhood neighborhood island farm "
    "dorm studio condo hostel houseboat cottage district area place bungalow loft country state "
    "county building street farmhouse valley"
)
_NEVER_IN = frozenset(["because", "when", "if", "that", "what"])
_LOOSE = frozenset(["of", "and", "or", "very", "&"])
_UNITS = wordset("% € $ £ ° + #")
MAX_WORDS = 8


@dataclass(frozen=True, slots=True)
class Value:
    """tokens[start:end] of a clause, as the person wrote it."""

    text: str
    start: int
    end: int


Reader = Callable[[Clause, int], list[Value]]


def source(clause: Clause, start: int, end: int) -> str:
    """The exact characters of tokens[start:end], rebuilt from their places."""
    pieces: list[str] = []
    for at in range(start, end):
        token = clause.tokens[at]
        if at > start and token.start > clause.tokens[at - 1].end:
            pieces.append(" ")
        pieces.append(token.text)
    return "".join(pieces).strip()


def run_end(clause: Clause, at: int, allow: frozenset[str] = frozenset(["of"]), most: int = MAX_WORDS) -> int:
    """The index after the noun phrase at tokens[at]."""
    stop, words = at, 0
    while stop < clause.end and words < most:
        token = clause.tokens[stop]
        if token.kind == "break" or (token.kind == "mark" and not _glue(clause, stop)):
            break
        if (
            stop > at
            and (token.low in _ENDS or (token.low in _PREPOSITIONS and token.low not in allow))
            and token.kind != "quote"
        ):
            break
        if token.low in ("and", "or", "&", ",") and token.low not in allow:
            break
        if token.low == "any" and clause.low(stop + 1) in ("more", "longer"):
            break
        words += token.kind != "mark"
        stop += 1
    return _unhung(clause, at, stop)


def _glue(clause: Clause, at: int) -> bool:
    """Marks inside a value: "$2M", "Dr. Dixon", "30 %", "AT&T"."""
    text = clause.tokens[at].text
    if text in wordset("$ € £ % & # + ° /"):
        return True
    before = clause.tokens[at - 1].low if at else ""
    return text == "." and before in wordset("dr prof mr mrs ms st")


def _unhung(clause: Clause, at: int, stop: int) -> int:
    """Without the words and marks at its end that hang in the air."""
    while stop > at and clause.tokens[stop - 1].kind != "quote" and _hangs(clause.tokens[stop - 1]):
        stop -= 1
    return stop


def _hangs(token: Token) -> bool:
    hanging = token.text != "A" and token.low in _PREPOSITIONS | DETERMINERS | _LOOSE
    return token.text not in _UNITS if token.kind == "mark" else hanging


def value(clause: Clause, start: int, stop: int, *, keep: bool = False) -> Value | None:
    """tokens[start:stop] without its determiner, if it says something by itself."""
    while not keep and start < stop and clause.tokens[start].low in wordset("a an the my our some his her their"):
        if _titled_article(clause, start, stop):
            break
        start += 1
    if start >= stop:
        return None
    first = clause.tokens[start]
    if first.kind != "quote" and (first.low in PRONOUN_OBJECTS or first.low in ("your", "quite", "too", "not")):
        return None
    words = [token.low for token in clause.tokens[start:stop]]
    if first.kind != "quote" and (first.low in _ENDS or first.low in _PREPOSITIONS) and not keep:
        return None
    if _NEVER_IN & set(words) or any(word in ("you", "your") for word in words):
        return None
    return Value(source(clause, start, stop), start, stop)


def _titled_article(clause: Clause, at: int, stop: int) -> bool:
    """ "The Dispossessed", amid a sentence: its article is a part of the name."""
    token = clause.tokens[at]
    if at < clause.group.after or at + 1 >= stop:
        return False
    return token.text == "A" or (token.text in ("The", "An") and clause.tokens[at + 1].capital)


def phrase(clause: Clause, at: int, allow: frozenset[str] = frozenset(["of"])) -> list[Value]:
    """One noun phrase."""
    found = value(clause, at, run_end(clause, at, allow))
    return [found] if found else []


def listed(clause: Clause, at: int) -> list[Value]:
    """Noun phrases in a row: "peanuts, shellfish and kiwi"."""
    found: list[Value] = []
    while at < clause.end and len(found) < 8:
        if clause.low(at) == "a" and clause.low(at + 1) in ("bit", "lot", "little"):
            at += 2 + (clause.low(at + 2) == "of")
        stop = run_end(clause, at)
        one = value(clause, at, stop)
        if one is None or (found and _is_verbal(clause, at)):
            break
        found.append(one)
        at = stop
        if clause.low(at) in ("as",) and clause.low(at + 1) == "well":
            break
        if clause.low(at) == ",":
            at += 1
        if clause.low(at) in ("and", "or", "&"):
            at += 1
        elif at == stop:
            break
    return found


def _is_verbal(clause: Clause, at: int) -> bool:
    form = form_of(clause.low(at))
    return form is not None and "past" in form[1] and "base" not in form[1]


def place(clause: Clause, at: int) -> list[Value]:
    """A named place ("Austin, Texas"), a common one ("the countryside") or a kind of home near one."""
    stop = _capital_run(clause, at)
    if stop > at:
        stop = _with_region(clause, stop)
        found = value(clause, at, stop)
        versioned = clause.group.lemma == "move" and clause.low(stop)[:1].isdigit()
        return [] if found is None or versioned or found.text.lower() in MONTHS | DAYS else [found]
    end = run_end(clause, at, frozenset(["of", "near", "outside", "in", "on"]))
    words = {token.low for token in clause.tokens[at:end]}
    if words & _HOMES and any(token.capital for token in clause.tokens[at:end]):
        found = value(clause, at, end)
        return [found] if found else []
    return []


def _capital_run(clause: Clause, at: int) -> int:
    stop = at + (clause.low(at) == "the" or (at < clause.end and clause.tokens[at].text in ("A", "An")))
    if stop >= clause.end or not _proper(clause.tokens[stop]):
        return at
    while stop < clause.end and (_proper(clause.tokens[stop]) or _joins(clause, stop)):
        stop += 1
    return stop


def _joins(clause: Clause, at: int) -> bool:
    low, after = clause.low(at), at + 1
    if low in ("and", "&"):
        return False
    return (
        (low in _SMALL or low == "'s" or (clause.tokens[at].text == "." and clause.low(at - 1) in ("st", "dr")))
        and after < clause.end
        and _proper(clause.tokens[after])
    )


def _proper(token: Token) -> bool:
    return (
        token.capital
        and token.kind in ("word", "quote")
        and token.low not in ("i", "we", "he", "she")
        and token.low not in DAYS | MONTHS
    )


def _with_region(clause: Clause, stop: int) -> int:
    """ "Austin" goes on to ", Texas"; not to ", Ana lives"."""
    if clause.low(stop) != "," or stop + 1 >= clause.end or not _proper(clause.tokens[stop + 1]):
        return stop
    further = _capital_run(clause, stop + 1)
    return (
        further
        if further == clause.end or clause.tokens[further].low in wordset("since with for in now and to , as at")
        else stop
    )


def organisation(clause: Clause, at: int) -> list[Value]:
    """A named company, or a kind of workplace ("a garden centre", "a fintech startup")."""
    stop = _capital_run(clause, at)
    if stop > at:
        found = value(clause, at, run_end(clause, at) if clause.low(at) == "the" else stop)
        return [] if found is None or found.text.lower() in MONTHS | DAYS else [found]
    end = run_end(clause, at)
    words = [token.low for token in clause.tokens[at:end]]
    if words and (set(words) & WORKPLACES or words[-1].rstrip("s") in WORKPLACES):
        found = value(clause, at, end)
        return [found] if found else []
    return []


def amount(clause: Clause, at: int) -> list[Value]:
    """A quantity with its unit: "72 kg", "950 euros a month", "about 1.80 m", "£1,200"."""
    start = at
    while clause.low(at) in wordset(
        "about around roughly only just exactly over under almost nearly approximately $ € £"
    ):
        at += 1
    if at >= clause.end or not (clause.low(at)[:1].isdigit() or clause.low(at) in NUMBERS.keys() - {"a", "an"}):
        return []
    stop = run_end(clause, at, frozenset(["a", "per"]), 6)
    if stop == at + 1 and [clause.low(stop + place) for place in range(3)] == ["and", "a", "half"]:
        stop = run_end(clause, stop + 3, frozenset(["a", "per"]), 3)
    return [Value(source(clause, start, stop), start, stop)] if stop > at else []


def named(clause: Clause, at: int) -> list[Value]:
    """A capitalised name or a quotation."""
    stop = _capital_run(clause, at)
    found = value(clause, at, stop, keep=clause.tokens[at].text in ("The", "A", "An")) if stop > at else None
    return [found] if found and found.text.lower() not in NATIONALITIES | MONTHS | DAYS else []


def rest(clause: Clause, at: int) -> list[Value]:
    """The whole rest of the clause up to a time or another clause: what was done."""
    allow = _PREPOSITIONS | {"of", "and", "&", ",", "or"} - wordset("because since until before after as than like")
    stop = run_end(clause, at, frozenset(allow - wordset("because since until before after than")), 14)
    stop = _before_more(clause, at, stop)
    while clause.low(stop) == "," and stop - 2 >= at and clause.low(stop - 2) in ("a", "an") and stop + 1 < clause.end:
        stop = run_end(clause, stop + 1, frozenset(allow - wordset("because since until before after than")), 8)
    if stop - 2 > at and clause.low(stop - 2) == "to" and clause.low(stop) in PRONOUN_OBJECTS | {"and", "or"}:
        stop -= 2
    found = value(clause, at, stop, keep=True)
    return [found] if found else []


def _before_more(clause: Clause, at: int, stop: int) -> int:
    """Cut "joined a club and practise with others" at the "and" that begins another thing."""
    for place in range(at + 1, stop - 1):
        if clause.low(place) not in ("and", "or"):
            continue
        form = form_of(clause.low(place + 1))
        verb = form is not None and "ing" not in form[1] and clause.low(place + 2) in _PREPOSITIONS | DETERMINERS
        if (
            verb
            or clause.low(place + 1) in INTERJECTIONS
            or clause.low(place + 1) in wordset("something someone everything everyone it this that they")
        ):
            return _unhung(clause, at, place)
    return stop


def _rent(clause: Clause, at: int) -> list[Value]:
    return amount(clause, at) if "rent" in [clause.low(index) for index in range(at, clause.end)] else []


def _shifts(clause: Clause, at: int) -> list[Value]:
    """ "night shifts", "nights"."""
    return [one for one in phrase(clause, at) if _last(one) in _SHIFTS]


_SHIFTS = wordset("shift shifts nights earlies lates weekends")


def _taste(clause: Clause, at: int) -> list[Value]:
    """A kind of thing or a doing, and no single one: "the new album" is no taste."""
    return [] if clause.low(at) in DETERMINERS | {"to"} else listed(clause, at)


_VEHICLES = wordset("car van truck pickup lorry bus taxi tram motorbike minivan hybrid")


def _car(clause: Clause, at: int) -> list[Value]:
    """Something that one drives: a make that is known, or a name behind an article."""
    owned = clause.low(at) in DETERMINERS
    return [
        one
        for one in phrase(clause, at)
        if set(one.text.lower().split()) & (CARS | _VEHICLES) or (owned and clause.tokens[one.start].capital)
    ]


def _medicine(clause: Clause, at: int) -> list[Value]:
    return [
        one
        for one in listed(clause, at)
        if set(one.text.lower().split()) & MEDICINES or one.text.endswith(("mg", "mcg", "pills", "tablets"))
    ]


def _owned(clause: Clause, at: int) -> list[Value]:
    """Something that is kept, and no friend, cold or plan."""
    known = POSSESSIONS | CARS
    return [one for one in listed(clause, at) if finer(one.text) or {*one.text.lower().split()[:1], _last(one)} & known]


def _last(one: Value) -> str:
    return one.text.lower().split()[-1]


def _device(clause: Clause, at: int) -> list[Value]:
    return [one for one in listed(clause, at) if finer(one.text)]


READERS: dict[str, Reader] = {
    "np": phrase,
    "list": listed,
    "place": place,
    "org": organisation,
    "amount": amount,
    "name": named,
    "rent": _rent,
    "shifts": _shifts,
    "car": _car,
    "taste": _taste,
    "med": _medicine,
    "device": _device,
    "owned": _owned,
}
