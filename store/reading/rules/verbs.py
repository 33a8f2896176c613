"""A verb of the table gives its predicate, or nothing: an object that is not of its kind is never bent to fit."""

from __future__ import annotations

from collections.abc import Iterator

from store.reading.rules.build import Draft
from store.reading.rules.frames import Frame, frames
from store.reading.rules.look import Look
from store.reading.rules.objects import READERS, Value, phrase
from store.text.forms import form_of
from store.text.lists import wordset
from store.text.nouns import SCHOOLISH, finer

_HABITS = wordset("eat drink do like hate drive weigh speak enjoy prefer join pay earn go")
_PASSIVE = wordset("hire promote insure")
_OBJECTS_BEGIN = wordset(
    "my our the a an all both his her its their some every everything that this these those it them"
)
_AT = {"starts_at": "works_at"}
_STRONG_LIKES = {"love": "strong", "hate": "strong"}


def framed(look: Look) -> Iterator[Draft]:
    """What the table says about this verb with these words after it."""
    group = look.clause.group
    if group.passive and look.lemma not in _PASSIVE:
        return
    if group.tense in ("prog", "perfprog", "pastprog") and look.lemma in _HABITS:
        return
    if group.tense == "can" and look.lemma not in ("speak", "play") and not (group.negative and _no_more(look)):
        return
    for frame in frames().get(look.lemma, ()):
        over = look.lemma == "go" and group.tense not in ("present", "usedto")
        found = [] if over and frame.mood == "state" else _values(look, frame)
        if found:
            yield from _drafts(look, frame, found)


def _no_more(look: Look) -> bool:
    """ "I can't play football any more"."""
    return look.clause.group.ended or bool({"anymore"} & look.words()) or {"any", "more"} <= look.words()


def _values(look: Look, frame: Frame) -> list[Value]:
    if look.lemma == "move" and _moves_something(look):
        return []
    if frame.prepositions == ("-",):
        return READERS[frame.kind](look.clause, look.first())
    for preposition in frame.prepositions:
        for at in _places(look, preposition):
            found = READERS[frame.kind](look.clause, at)
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
    if look.lemma == "start":
        start = look.first()
        return [start + 1] if look.low(start) == preposition else []
    return look.after(preposition)


def _drafts(look: Look, frame: Frame, found: list[Value]) -> Iterator[Draft]:
    often = look.frequency()
    side = (("frequency", often),) if often else ()
    if look.lemma in _STRONG_LIKES:
        side = (*side, ("strength", _STRONG_LIKES[look.lemma]))
    for one in found:
        school = frame.predicate in ("starts_at", "goes_to") and one.text.lower().endswith(SCHOOLISH)
        predicate = "school" if school else _AT.get(frame.predicate, frame.predicate)
        yield Draft(predicate, one.text, frame.mood, qualifiers=side)
        thing = finer(one.text) if predicate in ("uses", "owns") else None
        if thing is not None:
            yield Draft(thing, one.text, "state", qualifiers=side)


def is_ing(look: Look, at: int) -> str:
    """The base of an -ing verb at an index, "" if there is none."""
    form = form_of(look.low(at))
    return form[0] if form is not None and "ing" in form[1] else ""


def noun(look: Look, at: int) -> str:
    """The noun phrase at an index, "" if none."""
    found = phrase(look.clause, at)
    return found[0].text if found else ""
