"""What ended is named by the words after the verb: a job, a company, a habit, a membership, a thing that was sold.

quit, leave, resign; stop, give up, drop; cancel; sell; "I'm done teaching"; "I no longer mentor".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from store.belief.reading.build import Draft
from store.belief.reading.frames import finer
from store.belief.reading.getting import jobless
from store.belief.reading.groups import Group
from store.belief.reading.lists import wordset
from store.belief.reading.look import Look
from store.belief.reading.nouns import ACTIVITIES, CARS, CLUBS, INSTRUMENTS, SPORTS
from store.belief.reading.objects import named, organisation
from store.belief.reading.tastes import read_kind
from store.belief.reading.verbs import framed, is_ing, noun, workplace
from store.belief.reading.ways import SPORTING, goes


def quits(look: Look) -> Iterator[Draft]:
    """quit, leave, resign, lose: a job, a company, a habit."""
    at = look.first()
    words = look.words()
    if look.lemma in ("quit", "resign") and at >= look.clause.end:
        yield from jobless("")
        return
    base = is_ing(look, at)
    if base and look.lemma == "quit":
        yield from ended(look, base, at)
        return
    text = noun(look, at)
    if look.lemma == "resign" or {"job", "position", "company"} & set(text.lower().split()):
        places = [
            one
            for preposition in ("at", "from", "with")
            for index in look.after(preposition)
            for one in organisation(look.clause, index)
        ]
        if look.low(at) in wordset("my his her the our from as that") or places:
            yield from jobless(places[0].text if places else "")
        return
    if (look.lemma == "quit" and text) or (
        look.lemma == "leave" and text and text.lower().split()[-1] in CLUBS | _ENSEMBLES
    ):
        yield from _dropped(text)
    if look.lemma == "quit" and workplace(text or "it"):
        club = bool(text) and text.lower().split()[-1] in CLUBS | _ENSEMBLES
        yield Draft("works_at", text, "stop", confidence=IF_HELD if club else 1.0)
    if look.lemma == "leave" and "for" in words and look.after("for"):
        old, new = named(look.clause, at), organisation(look.clause, look.after("for")[0])
        if old and new and not {"home", "work", "rome"} & words and {"job", "role", "position"} & words:
            yield Draft("works_at", new[0].text, "onset", replaces=old[0].text)


IF_HELD = 0.8
"""Times a clause's own: too little for a belief that something was so, enough to end what is believed."""


def _dropped(text: str) -> Iterator[Draft]:
    """The membership, subscription, club or habit that a noun names ended."""
    low = text.lower()
    for tail, predicates in (
        (" membership", ("goes_to", "member_of")),
        (" subscription", ("subscribes_to",)),
        (" classes", ("goes_to",)),
        (" class", ("goes_to",)),
        (" lessons", ("learning", "goes_to")),
        (" account", ("uses",)),
        (" plan", ("subscribes_to",)),
    ):
        if low.endswith(tail):
            for place, predicate in enumerate(predicates):
                yield Draft(predicate, text[: -len(tail)], "stop", confidence=IF_HELD if place else 1.0)
            return
    if low in ACTIVITIES or low in ("cigarettes", "tobacco", "nicotine"):
        yield Draft("does", "smoking" if low in ("cigarettes", "tobacco", "nicotine") else text, "stop")
        yield Draft("goes_to", text, "stop", confidence=IF_HELD)
    elif low in INSTRUMENTS | SPORTS:
        yield Draft("plays", text, "stop")
    elif low.split()[-1] in _ENSEMBLES:
        yield from (Draft(f"{verb}_in", text, "stop", confidence=IF_HELD) for verb in ("sings", "plays"))
        yield Draft("member_of", text, "stop")
    elif low.split()[-1] in CLUBS:
        yield Draft("goes_to", text, "stop")
        yield Draft("member_of", text, "stop", confidence=IF_HELD)


_ENSEMBLES = wordset("choir band orchestra quartet trio ensemble team league")
_CARE = {"therapy": "therapist", "physio": "physio", "physiotherapy": "physiotherapist", "counselling": "counsellor"}


def ended(look: Look, base: str, at: int) -> Iterator[Draft]:
    """ "stopped playing the cello": whatever the verb would have said has ended."""
    if base == "go" and look.low(at + 1) == "to" and look.low(at + 2) in _CARE:
        yield Draft("sees", _CARE[look.low(at + 2)], "stop")
    habits = SPORTING | {"smoke": "smoking", "vape": "vaping", "drink": "drinking"}
    if base in habits and (at + 1 >= look.clause.end or look.clause.tokens[at + 1].kind != "word"):
        yield Draft("does", habits[base], "stop")
        return
    yield from (replace(draft, mood="stop") for draft in _as_if(look, base, at, "present"))


def begun(look: Look, base: str, at: int) -> Iterator[Draft]:
    """ "started playing the banjo": what the verb says has begun."""
    tense = "prog" if base in ("read", "build", "learn", "train") else "present"
    for draft in _as_if(look, base, at, tense):
        if draft.mood == "state":
            yield replace(draft, mood="onset")


def _as_if(look: Look, base: str, at: int, tense: str) -> Iterator[Draft]:
    group = Group(base, "prog" if tense == "prog" else "present", at + 1, verb=at)
    inner = Look(replace(look.clause, group=group), replace(look.raw, group=group), look.scene, look.clock)
    if base == "go":
        yield from goes(inner)
    yield from framed(inner)


def stops(look: Look) -> Iterator[Draft]:
    """stop, give up, drop: a habit or an activity."""
    at = look.first()
    if look.lemma == "give":
        if look.low(at) != "up":
            return
        at += 1
        if look.low(at) == "on":
            return
    base = is_ing(look, at)
    if base:
        yield from ended(look, base, at)
        return
    text = noun(look, at)
    if look.lemma == "drop" and look.low(at) == "out":
        for index in look.after("of"):
            subjects = [] if look.low(index) == "the" else read_kind("subject")(look.clause, index)
            yield from (Draft("studies", one.text, "stop") for one in subjects[:1])
            if not subjects:
                yield from (Draft("studies_at", one.text, "stop") for one in organisation(look.clause, index))
        return
    if text and look.lemma == "give":
        yield from _dropped(text)
        if not list(_dropped(text)) and look.low(at) not in wordset("my the a hope his her"):
            yield Draft("eats", text, "stop")
            yield Draft("drinks", text, "stop")


def cancels(look: Look) -> Iterator[Draft]:
    """cancel a membership, a subscription or an appointment; let one run out."""
    at = look.first()
    text = noun(look, at)
    if not text:
        return
    dropped = list(_dropped(text))
    if dropped:
        yield from dropped
    elif look.clause.tokens[at].capital:
        yield Draft("subscribes_to", text, "stop")
    elif look.low(at) in ("my", "our", "the"):
        yield Draft("event", text, "stop")


def deletes(look: Look) -> Iterator[Draft]:
    """delete, deactivate or close an account; uninstall a tool."""
    text = noun(look, look.first())
    if text.lower().endswith(" account"):
        yield from _dropped(text)
    elif text and look.lemma == "uninstall":
        yield Draft("uses", text, "stop")


def sells(look: Look) -> Iterator[Draft]:
    """sell, give away, donate: the thing is gone."""
    at = look.first()
    if look.low(at) not in ("my", "our", "the", "his", "her"):
        return
    text = noun(look, at)
    if not text:
        return
    yield Draft("sold", text, "event")
    yield Draft("owns", text, "stop")
    words = set(text.lower().split())
    if kind := finer(text):
        yield Draft(kind, text, "stop")
    if read_kind("venture")(look.clause, at):
        yield Draft("runs", text, "stop")
    if words & (CARS | {"car"}):
        yield Draft("drives", "" if words == {"car"} else text, "stop")
