"""A verb of the table gives its predicate, or nothing: an object that is not of its kind is never bent to fit.

`drafts_of` tries a verb's own pattern (changes.py), then the table of frames, then plain events and plans.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from store.belief.reading.build import Draft
from store.belief.reading.forms import form_of
from store.belief.reading.frames import Frame, finer, frames
from store.belief.reading.lexicon import DETERMINERS
from store.belief.reading.lists import wordset
from store.belief.reading.look import Look
from store.belief.reading.nouns import COLLEGEISH, DRINKS, INSTRUMENTS, SCHOOLISH, SPORTS, WORKPLACES
from store.belief.reading.objects import Value, amount, phrase, place, rest
from store.belief.reading.software import is_software
from store.belief.reading.tastes import known_tool, read_kind
from store.belief.reading.tools import object_of

_HABITS = wordset(
    "eat drink take do like love hate drive weigh speak own run enjoy prefer join lead keep grow attend pay earn avoid"
)
_NOT_YET = wordset(
    "am and of from by for in like love about towards toward to consider considering avoid start stop try trying keep "
    "suggest recommend prefer mind risk with without before after than"
)
"""Words before "using" or "working" that leave open whether it is done at all."""
_MAKES = wordset("build make write develop design create work")
_UNDERWAY = wordset("read watch build write develop design create record photograph")
_CHATTY = wordset("want need like love know think hate prefer have")
_NO_HOMES = wordset(
    "marketing sales finance engineering hr legal support operations research accounting team division department "
    "squad premium pro sheets vscode proton netflix spotify react vue svelte teams"
)
"""What one moves to and does not live in, beside software: departments, plans."""
_STRONG_LIKES = {"love": "strong", "adore": "strong", "hate": "strong", "detest": "strong", "loathe": "strong"}


def framed(look: Look) -> Iterator[Draft]:
    """What the table says about this verb with these words after it."""
    group = look.clause.group
    if group.passive and look.lemma == "weigh":
        yield from _weighed(look)
    if group.passive and look.lemma not in ("hire", "promote", "appoint", "bear", "insure"):
        return
    if group.tense in ("prog", "perfprog", "pastprog") and look.lemma in _HABITS and look.lemma != "take":
        return
    if group.tense == "can" and look.lemma not in ("speak", "play") and not (group.negative and _no_more(look)):
        return
    if look.lemma in _UNDERWAY and group.tense not in ("prog", "perfprog"):
        return
    yield from _taken_so(look)
    for frame in frames().get(look.lemma, ()):
        found = _values(look, frame)
        if found:
            yield from _drafts(look, frame, found)
            if frame.mood == "event":
                return


def _no_more(look: Look) -> bool:
    """ "I can't play football any more"."""
    return look.clause.group.ended or bool({"anymore"} & look.words()) or {"any", "more"} <= look.words()


_OBJECTS_BEGIN = wordset(
    "my our the a an all both his her its their some every everything that this these those it them"
)
_MANNERS = wordset(
    "black white rare medium well raw plain neat straight strong weak hot cold iced sweet unsweetened spicy crunchy "
    "soft "
    "salted unsalted toasted fried scrambled poached boiled over sunny on shaken stirred double decaf"
)


def _taken_so(look: Look) -> Iterator[Draft]:
    """ "I take my coffee with milk and two sugars", "I like my steak rare": (me, taking_coffee, the manner)."""
    clause, at = look.clause, look.first()
    if look.lemma not in ("take", "drink", "like", "have", "eat", "prefer") or look.low(at) not in ("my", "our"):
        return
    manner = at + 2
    if clause.group.negative or clause.group.tense != "present" or look.low(at + 1) not in DRINKS | _DISHES:
        return
    if look.low(manner) in _MANNERS | {"with", "without"}:
        yield from (
            Draft(f"taking_{look.low(at + 1)}", one.text, functional=True) for one in rest(clause, manner)
        )  # fmt: skip


_DISHES = wordset("steak eggs egg toast burger pizza pasta curry porridge cereal sandwich bagel oatmeal fries chips")


def _weighed(look: Look) -> Iterator[Draft]:
    """ "Bica was weighed today: 12 and a half kilos"."""
    whole = replace(look.clause, end=len(look.clause.tokens))
    colon = next((at for at in range(look.clause.group.after, whole.end) if whole.low(at) in (":", ",")), whole.end)
    yield from (Draft("weight", one.text, "switch", functional=True) for one in amount(whole, colon + 1))


def participles(look: Look) -> Iterator[Draft]:
    """ "a PhD student working on parsers", "building a game using Unity and C#": what the same subject does as well."""
    clause = look.clause
    if clause.group.tense not in ("present", "prog", "perfprog") or clause.group.negative or look.lemma in _CHATTY:
        return
    for at in range(clause.group.after + 1, clause.end - 1):
        base = {"using": "use", "working": "work"}.get(clause.low(at))
        if base and clause.tokens[at - 1].kind == "word" and clause.low(at - 1) not in _NOT_YET:
            group = replace(clause.group, lemma=base, tense="prog", after=at + 1, verb=at)
            side = object_of(replace(clause, end=at), look.first()) if base == "use" and look.lemma in _MAKES else ()
            for draft in framed(replace(look, clause=replace(clause, group=group))):
                yield replace(draft, qualifiers=draft.qualifiers or side)


def _values(look: Look, frame: Frame) -> list[Value]:
    if frame.kind == "-":
        wanted = frame.prepositions[0]
        at = look.first()
        fits = at >= look.clause.end if wanted == "-" else look.low(look.clause.group.after) == wanted
        said = "passed away" if wanted == "away" else "died"
        return [Value(said, at, at)] if fits and look.clause.group.tense in ("past", "perfect") else []
    if frame.mood == "onset" and look.lemma in ("move", "transfer", "relocate") and _moves_something(look):
        return []
    reader = read_kind("own" if (frame.predicate, frame.kind) == ("owns", "list") else frame.kind)
    if frame.prepositions == ("-",):
        return reader(look.clause, look.first())
    for preposition in frame.prepositions:
        for at in _places(look, preposition):
            found = reader(look.clause, at)
            if found:
                return found
    return []


def _moves_something(look: Look) -> bool:
    """ "I moved all my accounts to Monzo" says where something else went; "we moved the family to Ghent" who did."""
    at = look.first()
    if look.low(at) not in _OBJECTS_BEGIN or look.says("all the way", at):
        return False
    return not {"family", "household", "home", "house"} & {look.low(place) for place in range(at + 1, at + 4)}


def _places(look: Look, preposition: str) -> list[int]:
    if look.lemma in ("start", "begin"):
        start = look.first()
        return [start + 1] if look.low(start) == preposition else []
    if "_" not in preposition:
        return look.after(preposition)
    first, second = preposition.split("_")
    return [at + 1 for at in look.after(first) if look.low(at) == second]


def _drafts(look: Look, frame: Frame, found: list[Value]) -> Iterator[Draft]:
    predicate = frame.predicate
    side = _side(look)
    if predicate == "works_on" and known_tool(found[0].text):
        predicate = "uses"
    if predicate == "visited" and frame.kind == "rest":
        found = [one for one in found if _visitable(look, one)]
    for one in found:
        text = _bare(one.text)
        if predicate in ("@start_at", "works_at") and look.low(one.end) == "in":
            side = (*side, *(("in", where.text) for where in place(look.clause, one.end + 1)[:1]))
        if predicate == "@start_at":
            yield Draft(_place_to_start(look, text), text, "onset", qualifiers=side)
            continue
        if predicate == "works_at" and _is_school(text) and look.lemma in ("start", "begin"):
            predicate = "school"
        if predicate == "@get" or (predicate == "lives_in" and _is_no_home(text)):
            continue
        more = (("strength", _STRONG_LIKES[look.lemma]),) if look.lemma in _STRONG_LIKES else ()
        yield Draft(predicate, text, frame.mood, qualifiers=side + more)
        thing = finer(text) if predicate == "uses" else None
        if thing is not None and frame.mood == "state":
            yield Draft(thing, text, "state", qualifiers=side)


def _is_no_home(text: str) -> bool:
    return bool(set(text.lower().split()) & _NO_HOMES) or is_software(text)


def _bare(text: str) -> str:
    low = text.lower()
    return text[4:] if low.startswith("the ") and low[4:] in INSTRUMENTS | SPORTS else text


def _side(look: Look) -> tuple[tuple[str, str], ...]:
    often = look.frequency()
    return (("frequency", often),) if often else ()


_SCHOOLS = wordset("school conservatory kindergarten nursery academy pupil grade classroom enrolled")


def _is_school(text: str) -> bool:
    low = text.lower()
    return low.endswith(SCHOOLISH) or any(word in low for word in ("school", "kindergarten", "academy"))


def _place_to_start(look: Look, text: str) -> str:
    """ "She's got into the conservatory: she starts at Quinta das Flores" speaks of a school."""
    before = {token.low for token in look.clause.tokens[: look.clause.start]}
    if _is_school(text) or before & _SCHOOLS:
        return "school"
    low = text.lower()
    return "studies_at" if set(low.split()) & set(COLLEGEISH) or "university" in low or "college" in low else "works_at"


def _visitable(look: Look, one: Value) -> bool:
    first = look.clause.tokens[one.start]
    return first.capital or first.low in DETERMINERS - {"this", "that", "your", "these", "those"}


def workplace(text: str) -> bool:
    """The noun names a kind of workplace."""
    return text.lower().split()[-1] in WORKPLACES


def is_ing(look: Look, at: int) -> str:
    """The base of an -ing verb at an index, "" if there is none."""
    form = form_of(look.low(at))
    return form[0] if form is not None and "ing" in form[1] else ""


def noun(look: Look, at: int) -> str:
    """The noun phrase at an index, "" if none."""
    found = phrase(look.clause, at)
    return found[0].text if found else ""
