"""A word of change says what ended, what began, or both: "quit", "switched from X to Y", "got promoted", "no longer".

`OWN` has one small reader for each verb whose meaning turns on the words after it. A reader yields drafts, or nothing.
"""

from __future__ import annotations

import calendar
from collections.abc import Callable, Iterator
from dataclasses import replace

from store.reading.rules.attributes import holder_of, predicate_of
from store.reading.rules.build import Draft
from store.reading.rules.frames import switched
from store.reading.rules.groups import Group
from store.reading.rules.lexicon import NUMBERS
from store.reading.rules.look import Look
from store.reading.rules.objects import amount, named, organisation, phrase
from store.reading.rules.things import thing_of_words
from store.reading.rules.times import OPEN
from store.reading.rules.verbs import framed, is_ing, noun
from store.records import Instant, Precision
from store.text.lists import wordset
from store.text.nouns import CARS, CLUBS, DIETS, POSSESSIONS, finer

Own = Callable[[Look], Iterator[Draft]]

IF_HELD = 0.8
"""Times a clause's own: too little for a belief that something was so, enough to end what is believed."""
_SWITCHED = wordset("insurance bank provider browser database framework")
"""What one has one of, and changes by name ("switched my insurance from A to B")."""
_SLOTS = {"major": "studies", "diet": "diet", "job": "job", "jobs": "job", "phone": "phone", "laptop": "laptop"}
_JOBS = frozenset(["job", "position", "company"])
_TAILS = {
    " membership": ("goes_to", "member_of"), " subscription": ("subscribes_to",), " classes": ("goes_to",),
    " lessons": ("learning", "goes_to"), " account": ("uses",),
}  # fmt: skip
"""What ends with a membership, a subscription or an account."""


_ENSEMBLES = wordset("choir band orchestra league team")


def jobless(place_of_work: str) -> Iterator[Draft]:
    """The job is over."""
    yield Draft("works_at", place_of_work, "stop")
    yield Draft("job", "", "stop")


def quits(look: Look) -> Iterator[Draft]:
    """quit, leave, resign: a job, a company, a habit, a club."""
    at = look.first()
    if look.lemma != "leave" and at >= look.clause.end:
        yield from jobless("")
        return
    base = is_ing(look, at)
    if base and look.lemma == "quit":
        yield from ended(look, base, at)
        return
    text = noun(look, at)
    if look.lemma == "resign" or _JOBS & set(text.lower().split()):
        places = [one for index in look.after("at", "from", "with") for one in organisation(look.clause, index)]
        if look.low(at) in wordset("my his her the our from as that") or places:
            yield from jobless(places[0].text if places else "")
    elif text and (look.lemma == "quit" or text.lower().split()[-1] in CLUBS):
        yield from dropped(text)


def dropped(text: str) -> Iterator[Draft]:
    """The membership, subscription, club or habit that a noun names ended."""
    low = text.lower()
    for tail, predicates in _TAILS.items():
        if low.endswith(tail):
            for place, predicate in enumerate(predicates):
                yield Draft(predicate, text[: -len(tail)], "stop", confidence=IF_HELD if place else 1.0)
            return
    sung = low.split()[-1] in _ENSEMBLES
    places = ("goes_to", "member_of", *(("sings_in", "plays_in") if sung else ()))
    habits = ("does", "plays", "eats", "drinks", "goes_to")
    for predicate in places if low.split()[-1] in CLUBS else habits:
        yield Draft(predicate, text, "stop", confidence=IF_HELD)


def ended(look: Look, base: str, at: int) -> Iterator[Draft]:
    """ "stopped playing the cello": whatever the verb would have said has ended."""
    if base in _DOING and (at + 1 >= look.clause.end or look.clause.tokens[at + 1].kind != "word"):
        yield Draft("does", _DOING[base], "stop")
        return
    group = Group(base, "present", at + 1, verb=at)
    inner = Look(replace(look.clause, group=group), replace(look.raw, group=group), look.scene, look.clock)
    yield from (replace(draft, mood="stop") for draft in framed(inner))


def stops(look: Look) -> Iterator[Draft]:
    """stop, give up: a habit or an activity."""
    at = look.first()
    if look.lemma == "give":
        if look.low(at) != "up" or look.low(at + 1) == "on":
            return
        at += 1
    base = is_ing(look, at)
    text = "" if base else noun(look, at)
    if base:
        yield from ended(look, base, at)
    elif text and look.lemma == "give" and look.low(at) not in wordset("my the a hope his her"):
        yield from dropped(text)


def cancels(look: Look) -> Iterator[Draft]:
    """cancel a membership, a subscription or an appointment; close an account."""
    at = look.first()
    text = noun(look, at)
    if text.lower().endswith(tuple(_TAILS)):
        yield from dropped(text)
    elif text and look.clause.tokens[at].capital:
        yield Draft("subscribes_to", text, "stop")
    elif text and look.low(at) in ("my", "our", "the"):
        held = text.lower().split()[-1] not in CLUBS
        yield from [Draft("event", text, "stop")] if held else dropped(text)


def sells(look: Look) -> Iterator[Draft]:
    """sell: the thing is gone."""
    at = look.first()
    text = noun(look, at)
    if not text or look.low(at) not in ("my", "our", "the", "his", "her"):
        return
    yield Draft("sold", text, "event")
    yield Draft("owns", text, "stop")
    words = set(text.lower().split())
    if kind := finer(text):
        yield Draft(kind, text, "stop")
    if words & (CARS | {"car"}):
        yield Draft("drives", "" if words == {"car"} else text, "stop")


def buys(look: Look) -> Iterator[Draft]:
    """buy, get: a thing that is kept is owned from then on."""
    at = look.first()
    given = any(look.low(index) in ("my", "our", "his", "her") for index in look.after("for"))
    if given or look.low(at) not in wordset("a an my our new another"):
        return
    for one in phrase(look.clause, at):
        words = one.text.lower().split()
        kind = finer(one.text)
        if kind or words[-1] in POSSESSIONS or set(words) & CARS:
            yield Draft("owns", one.text, "onset")
        if kind:
            yield Draft(kind, one.text, "onset")


def switches(look: Look) -> Iterator[Draft]:
    """switch, change, migrate: from X to Y; swap, replace: X for or with Y."""
    clause, at = look.clause, look.first()
    swap = look.lemma in ("swap", "trade", "replace")
    news = look.after("with" if look.lemma == "replace" else "for") if swap else look.after("to")
    if clause.group.passive or not news:
        return
    new = phrase(clause, news[-1])
    olds = [] if swap else look.after("from")
    old = phrase(clause, at) if swap else (phrase(clause, olds[0]) if olds else [])
    if not new or (swap and not old) or len(new[0].text.split()) > 5:
        return
    about = "" if swap or clause.low(at) not in ("my", "our", "the", "jobs") else noun(look, at).lower()
    if look.lemma == "change" and not (old or about):
        return
    yield from _switch(about, new[0].text, old[0].text if old else None)


def _switch(about: str, new: str, old: str | None) -> Iterator[Draft]:
    noun_of = about.split()[-1] if about else ""
    if noun_of == "name" or noun_of in _SWITCHED:
        slot = about.replace(" ", "_") if noun_of == "name" else noun_of
        yield Draft(slot, new, "switch", replaces=old, functional=True)
        return
    predicate = _SLOTS.get(noun_of) or switched(new)
    if predicate == "diet":
        new = next((word for word in new.split() if word.lower() in DIETS), new)
    yield Draft(predicate, new, "switch", replaces=old)
    if predicate in ("laptop", "phone", "editor"):
        yield Draft("uses", new, "switch", replaces=old)


def gets(look: Look) -> Iterator[Draft]:
    """get married, promoted, engaged, hired, fired; get a thing of one's own."""
    at = look.first()
    low = look.low(at)
    if low in ("married", "engaged", "divorced"):
        yield Draft("relationship_status", look.clause.tokens[at].text, "onset")
        if low == "divorced":
            yield Draft("partner", "", "stop")
        began = OPEN if low == "engaged" else None  # who gets engaged were together before
        yield from (
            Draft("partner", one.text, "onset", valid=began)
            for index in look.after("to")
            for one in named(look.clause, index)
        )
    elif low == "promoted":
        yield from (Draft("job", one.text, "onset") for index in look.after("to") for one in phrase(look.clause, index))
    elif low in ("fired", "laid", "sacked"):
        places = [one for index in look.after("from", "by") for one in organisation(look.clause, index)]
        yield from jobless(places[0].text if places else "")
    else:
        yield from buys(look)


def raises(look: Look) -> Iterator[Draft]:
    """ "My landlord raised the rent to 1200 euros"."""
    until = frozenset(["to", "by", "from"])
    thing = thing_of_words(look.clause.tokens, look.first(), look.clause.end, look.scene, until)
    if thing is None or not thing.attribute or not look.after("to"):
        return
    predicate = predicate_of(thing)
    for one in amount(look.clause, look.after("to")[-1]):
        yield Draft(predicate, one.text, "onset", subject=holder_of(thing, look.scene.me, predicate), functional=True)


def turns(look: Look) -> Iterator[Draft]:
    """ "Turned six yesterday" says an age, and a day of birth."""
    word = look.raw.low(look.raw.group.after)
    age = int(word) if word.isdigit() else NUMBERS.get(word, 0)
    if not 1 < age < 120:
        return
    yield Draft("age", look.raw.tokens[look.raw.group.after].text, "onset", functional=True)
    when = look.when().at
    if when is None or when.start is None or when.precision is not Precision.DAY or look.clause.group.tense != "past":
        return
    born = Instant(when.start, when.offset).local()
    text = f"{born.day} {calendar.month_name[born.month]} {born.year - age}"
    yield Draft("born_on", text, valid=OPEN, cue="state", negative=False)


_BY = {"walk": "on foot", "cycle": "bike", "bike": "bike", "drive": "car"}
_DOING = {
    "run": "running", "swim": "swimming", "cycle": "cycling", "climb": "climbing", "meditate": "meditation",
    "dance": "dancing", "hike": "hiking", "smoke": "smoking", "vape": "vaping",
}  # fmt: skip


def does(look: Look) -> Iterator[Draft]:
    """ "I run three times a week", "I smoke"; "I take the bus to work", "I walk to work"."""
    at, group = look.first(), look.clause.group
    ride = look.low(at + 1) if look.lemma == "take" and look.low(at) == "the" else _BY.get(look.lemma, "")
    to = at + 2 if look.lemma == "take" else at
    if ride and group.tense in ("present", "prog") and (look.says("to work", to) or look.says("to the office", to)):
        yield Draft("commute", ride)
    often = look.frequency()
    idle = look.lemma in ("smoke", "vape") and at >= look.clause.end
    if (
        look.lemma in _DOING
        and group.tense in ("present", "usedto")
        and (idle or (often and at + 1 >= look.clause.end))
    ):
        yield Draft("does", _DOING[look.lemma], qualifiers=(("frequency", often),) if often else ())


OWN: dict[str, Own] = {
    **dict.fromkeys(("take", *_BY, *_DOING), does),
    **dict.fromkeys(("quit", "leave", "resign"), quits),
    **dict.fromkeys(("stop", "give"), stops),
    **dict.fromkeys(("cancel", "close", "delete"), cancels),
    "sell": sells,
    "buy": buys,
    "get": gets,
    "turn": turns,
    **dict.fromkeys(("switch", "change", "migrate", "swap", "trade", "replace"), switches),
    **dict.fromkeys(("raise", "increase", "lower", "reduce"), raises),
}
PASSIVES = frozenset(["switch"])
"""Verbs whose pattern wants the passive."""
