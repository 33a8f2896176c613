"""What a verb may take is narrow on purpose: "I love your idea" and "I use it" are no tastes and no tools.

Readers for the kinds of object that frames.py names, beside the plain ones of objects.py.
"""

from __future__ import annotations

from collections.abc import Callable

from store.belief.reading.clause import Clause
from store.belief.reading.forms import form_of
from store.belief.reading.lexicon import DETERMINERS, NUMBERS, PETS, PLURALS, PRONOUN_OBJECTS
from store.belief.reading.likings import VAGUE_THINGS, liking, preference
from store.belief.reading.lists import wordset
from store.belief.reading.nouns import (
    ACTIVITIES,
    CARS,
    CLASSES,
    CLUBS,
    COLLEGEISH,
    EDITORS,
    INSTRUMENTS,
    LANGUAGES,
    LAPTOPS,
    PHONES,
    POSSESSIONS,
    SPORTS,
    WORKPLACES,
)
from store.belief.reading.objects import (
    READERS,
    Reader,
    Value,
    listed,
    named,
    organisation,
    phrase,
    rest,
    run_end,
    source,
    value,
)

FIELDS = wordset(
    "marketing finance it sales hr healthcare education tech banking insurance construction retail "
    "publishing advertising logistics law hospitality fashion film music theatre television "
    "journalism academia research politics consulting agriculture manufacturing software biotech "
    "fintech pharma tourism security procurement engineering design nursing catering accounting"
)
SUBJECTS = wordset(
    "math maths mathematics physics chemistry biology history geography economics philosophy "
    "literature art music psychology sociology law medicine nursing engineering architecture design "
    "computing informatics accounting business marketing linguistics education politics science "
    "statistics astronomy geology pe drama theology religion journalism film philosophy programming "
    "coding yoga dance archaeology anthropology botany dentistry pharmacy midwifery"
)
_VENTURES = wordset(
    "business shop store company blog podcast channel studio restaurant cafe café farm agency firm "
    "startup nonprofit newsletter bakery practice gym website charity app platform tool game library "
    "plugin robot house greenhouse shed"
)
_BANDS = wordset("band choir orchestra quartet trio ensemble team league group club big-band")
_MEDICINES = wordset(
    "metformin insulin ibuprofen paracetamol aspirin statins antidepressants antihistamines "
    "sertraline omeprazole levothyroxine lisinopril melatonin vitamin vitamins magnesium iron ritalin "
    "adderall ventolin prednisone antibiotics"
)
_ANIMALS = wordset("bees chickens hens ducks geese goats sheep cows pigs horses alpacas rabbits quails koi")
_NOT_FOOD = wordset(
    "out up at too in together healthy well healthier less more properly dinner lunch breakfast right "
    "better first quickly clean"
)
_AMOUNTS = (
    "a lot of",
    "lots of",
    "too much",
    "too many",
    "so much",
    "plenty of",
    "only",
    "some",
    "more",
    "less",
    "mostly",
    "any",
    "much",
    "no",
)


def _who(clause: Clause, at: int) -> list[Value]:
    first = clause.tokens[at] if at < clause.end else None
    if (
        first is None
        or first.low in PRONOUN_OBJECTS
        or not (first.capital or first.low in DETERMINERS | NUMBERS.keys())
    ):
        return []
    stop = run_end(clause, at, frozenset(["of", "and", "&", ","]))
    found = value(clause, at, stop, keep=True)
    return [found] if found else []


def _project(clause: Clause, at: int) -> list[Value]:
    form = form_of(clause.low(at))
    if (
        (form is not None and "ing" in form[1])
        or clause.low(at).endswith("ing")
        or clause.low(at) in wordset("getting being improving myself this some becoming")
    ):
        return []
    return [
        one
        for one in phrase(clause, at)
        if not any(word in VAGUE_THINGS - {"design"} for word in one.text.lower().split())
    ]


def _field(clause: Clause, at: int) -> list[Value]:
    if clause.low(at) in FIELDS or clause.tokens[at].capital:
        return listed(clause, at)[:1]
    return organisation(clause, at)


def known_tool(text: str) -> bool:
    """A thing that a list knows as something one uses."""
    low = text.lower()
    return (
        bool(set(low.split()) & (LAPTOPS | PHONES)) or low in EDITORS or low in ("excel", "linux", "windows", "macos")
    )


def _tool(clause: Clause, at: int) -> list[Value]:
    found = listed(clause, at)
    return [one for one in found if _is_tool(clause, one) or _is_means(clause, one)]


def _is_means(clause: Clause, one: Value) -> bool:
    """ "I use voice chat to communicate": a thing with what it is good for."""
    words = one.text.lower().split()
    bare = clause.low(one.start) not in DETERMINERS | PRONOUN_OBJECTS and clause.low(one.start - 1) not in DETERMINERS
    leads = clause.low(one.end) == "to" and clause.low(one.end + 1) not in DETERMINERS | PRONOUN_OBJECTS | {""}
    return clause.group.lemma == "use" and bare and leads and len(words) <= 3 and words[-1] not in VAGUE_THINGS


def _is_tool(clause: Clause, one: Value) -> bool:
    first = clause.tokens[one.start]
    tail = one.text.lower().split()[-1]
    return (
        first.capital
        or known_tool(one.text)
        or tail in POSSESSIONS
        or any(clause.tokens[at].capital for at in range(one.start, one.end))
    )


def _title(clause: Clause, at: int) -> list[Value]:
    found = phrase(clause, at)
    return [one for one in found if clause.tokens[one.start].capital or READERS["job"](clause, at)]


def _subject(clause: Clause, at: int) -> list[Value]:
    found = listed(clause, at)
    return [
        one
        for one in found
        if one.text.lower().split()[-1] in SUBJECTS | LANGUAGES
        or (clause.tokens[one.start].capital and one.start > clause.group.after - 1)
    ]


def _learn(clause: Clause, at: int) -> list[Value]:
    low = clause.low(at)
    if low == "to" or (low == "how" and clause.low(at + 1) == "to"):
        skip = at + (1 if low == "to" else 2)
        form = form_of(clause.low(skip))
        return (
            rest(clause, at)
            if form and "base" in form[1] and form[0] not in wordset("be have appreciate accept let live take")
            else []
        )
    found = listed(clause, at)
    known = INSTRUMENTS | LANGUAGES | ACTIVITIES | SPORTS | SUBJECTS
    return [
        one
        for one in found
        if one.text.lower() in known or one.text.lower().split()[-1] in known or clause.tokens[one.start].capital
    ]


def _teach(clause: Clause, at: int) -> list[Value]:
    known = INSTRUMENTS | LANGUAGES | ACTIVITIES | SPORTS | SUBJECTS
    if clause.low(at) in wordset("my our his her the a them him me"):
        return []
    return [
        one
        for one in listed(clause, at)
        if one.text.lower() in known or one.text.lower().split()[-1] in known | CLASSES
    ]


def _club(clause: Clause, at: int) -> list[Value]:
    found = phrase(clause, at)
    return [one for one in found if set(one.text.lower().split()) & _BANDS or clause.tokens[one.start].capital]


def _food(clause: Clause, at: int) -> list[Value]:
    for words in _AMOUNTS:
        size = len(words.split())
        if source(clause, at, min(at + size, clause.end)).lower() == words:
            at += size
            break
    if clause.low(at) in _NOT_FOOD or clause.low(at) in wordset("the my this that a an your his her"):
        return []
    return [
        one for one in listed(clause, at) if len(one.text.split()) <= 3 and one.text.lower().split()[0] not in _NOT_FOOD
    ]


def medicine(clause: Clause, at: int) -> list[Value]:
    stop = run_end(clause, at, frozenset(["of"]))
    words = [token.low for token in clause.tokens[at:stop]]
    dosed = any(word.endswith(("mg", "mcg", "µg")) for word in words) or "pills" in words or "tablets" in words
    if dosed or set(words) & _MEDICINES or (words and words[-1] in CLASSES):
        found = value(clause, at, stop)
        return [found] if found else []
    return []


def _book(clause: Clause, at: int) -> list[Value]:
    return [one for one in named(clause, at) if one.text.lower() not in LANGUAGES]


def _venture(clause: Clause, at: int) -> list[Value]:
    if clause.low(at) not in ("a", "an", "my", "our", "the"):
        return []
    return [one for one in phrase(clause, at) if set(one.text.lower().split()) & (_VENTURES | WORKPLACES)]


_PIECES = wordset(
    "book novel script screenplay song songs poem poems article story stories thesis paper memoir album essay "
    "dissertation "
    "play musical opera symphony film movie documentary game games collection series course curriculum comic prototype"
)


def _piece(clause: Clause, at: int) -> list[Value]:
    """What one makes over weeks: a book, a film, an app."""
    if clause.low(at) in ("it", "this", "that", "them"):
        return []
    return [one for one in phrase(clause, at) if one.text.lower().split()[-1] in _PIECES | _VENTURES]


def _teamy(clause: Clause, at: int) -> list[Value]:
    return [
        one
        for one in phrase(clause, at)
        if set(one.text.lower().split()) & wordset("team group department division lab crew")
    ]


def _animals(clause: Clause, at: int) -> list[Value]:
    return [one for one in listed(clause, at) if one.text.lower().split()[-1] in _ANIMALS]


def _plants(clause: Clause, at: int) -> list[Value]:
    if clause.low(at) in wordset("up old apart tired to more as into out closer from stronger personally"):
        return []
    return [
        one
        for one in listed(clause, at)
        if one.text.lower().endswith(("s", "herb", "basil", "garlic", "lettuce", "mint")) and "own" not in one.text
    ]


def _goods(clause: Clause, at: int) -> list[Value]:
    if clause.low(at) in wordset("me us myself him her them ourselves") and at + 1 < clause.end:
        at += 1
    token = clause.tokens[at] if at < clause.end else None
    if token is None or not (token.capital or token.low in wordset("a an my our new some the this two three")):
        return []
    return [one for one in phrase(clause, at) if one.text.lower() not in VAGUE_THINGS]


def _done(clause: Clause, at: int) -> list[Value]:
    form = form_of(clause.low(at))
    if form is not None and "ing" in form[1]:
        return rest(clause, at)
    if clause.low(at) in ("my", "the", "a", "an", "our") or (at < clause.end and clause.tokens[at].capital):
        return phrase(clause, at, frozenset(["of", "on", "about", "in", "at"]))
    return []


def _rent(clause: Clause, at: int) -> list[Value]:
    tail = [clause.low(index) for index in range(at, clause.end)]
    return READERS["amount"](clause, at) if "rent" in tail else []


def _group(clause: Clause, at: int) -> list[Value]:
    return [
        one
        for one in phrase(clause, at)
        if one.text.lower().split()[-1] in CLASSES | CLUBS or clause.tokens[one.start].capital
    ]


_PER = wordset("month year hour week annum day")
_AIDS = wordset("glasses contacts contact-lenses lenses braces hearing-aid hearing-aids aids aid retainer insoles wig")


def _pay(clause: Clause, at: int) -> list[Value]:
    """What one makes: a sum for a time ("3,600 euros a month")."""
    return [one for one in READERS["amount"](clause, at) if one.text.lower().split()[-1] in _PER and len(one.text) > 9]


def _show(clause: Clause, at: int) -> list[Value]:
    """A title that ends there: no "YouTube tutorials"."""
    ends = wordset("at on with in now again every and but right currently by these")
    return [
        one for one in _book(clause, at)
        if one.end >= clause.end or clause.tokens[one.end].kind != "word" or clause.low(one.end) in ends
    ]  # fmt: skip


def _aid(clause: Clause, at: int) -> list[Value]:
    return [one for one in phrase(clause, at) if one.text.lower().split()[-1] in _AIDS]


_SHIFTS = wordset("shift shifts nights earlies lates weekends")


def _shifts(clause: Clause, at: int) -> list[Value]:
    """ "night shifts", "nights"."""
    return [one for one in phrase(clause, at) if one.text.lower().split()[-1] in _SHIFTS and "my" not in one.text]


def _college(clause: Clause, at: int) -> list[Value]:
    """A school of one's own after "in": a town is none."""
    known = (*COLLEGEISH, "school", "academy")
    return [one for one in organisation(clause, at) if any(word in one.text.lower().split() for word in known)]


def _own(clause: Clause, at: int) -> list[Value]:
    found = listed(clause, at)
    return [
        one
        for one in found
        if one.text.lower().split()[-1] in POSSESSIONS | PETS | set(PLURALS) | CARS or clause.tokens[one.start].capital
    ]


def _car(clause: Clause, at: int) -> list[Value]:
    """Something that one drives."""
    found = phrase(clause, at)
    words = set(found[0].text.lower().split()) if found else set()
    known = bool(words & (CARS | wordset("car van truck suv pickup lorry bus taxi tram motorbike hybrid minivan")))
    return [one for one in found if known or (clause.tokens[one.start].capital and clause.low(at) in DETERMINERS)]


KINDS: dict[str, Callable[[Clause, int], list[Value]]] = {
    **READERS,
    "car": _car,
    "who": _who,
    "project": _project,
    "field": _field,
    "tool": _tool,
    "title": _title,
    "subject": _subject,
    "learn": _learn,
    "teach": _teach,
    "club": _club,
    "food": _food,
    "med": medicine,
    "liking": liking,
    "pref": preference,
    "book": _book,
    "piece": _piece,
    "teamy": _teamy,
    "venture": _venture,
    "animals": _animals,
    "plants": _plants,
    "goods": _goods,
    "done": _done,
    "rent": _rent,
    "group": _group,
    "own": _own,
    "shifts": _shifts,
    "pay": _pay,
    "show": _show,
    "aid": _aid,
    "college": _college,
}


def read_kind(kind: str) -> Reader:
    """The reader for an object kind of the frames table."""
    return KINDS[kind]
