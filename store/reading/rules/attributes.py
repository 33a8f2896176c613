"""What a thing is becomes a claim only for a known attribute, a new value or a dated event; verdicts ("is great")
never do.

"The door code of the office is 4471" -> (office, door_code, 4471); "my new laptop is a Framework 13" -> (me, laptop,
...); "my cousin's wedding was last Saturday" -> (me, happened, "my cousin's wedding"). A holder that nobody names is
"~door_code": whoever was said to have one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from store.beliefs.predicates import find
from store.reading.rules.build import Draft
from store.reading.rules.lexicon import MONTHS, PRONOUN_OBJECTS, RELATIONS
from store.reading.rules.look import Look
from store.reading.rules.objects import Value, amount, listed, rest, run_end, source, value
from store.reading.rules.people import name_at
from store.reading.rules.things import Thing
from store.reading.rules.times import OPEN
from store.records import Cue
from store.text.forms import form_of
from store.text.lists import wordset
from store.text.nouns import CARS, COLOURS, EVENT_NOUNS, finer

_CHANGED = wordset("extend change increase rise drop move push postpone reschedule jump grow hit reach go")
_MOVED = wordset("extend move push postpone reschedule shift bring")
_NO_VALUE = wordset(
    "not so very really quite too to in on when where because due as like theirs mine yours hers based about"
)
_ANYBODYS = wordset(
    "code number deadline rent price fee gate seat room flight tariff date network reference plate "
    "capacity mortgage bus budget locker title feature features priority priorities"
)
"""Attributes of which "the ..." speaks of one that both know ("the door code is 4488")."""
_SEVERAL = wordset("feature features priority priorities hobby hobbies goals topics strengths weaknesses duties")
"""Attributes of which one has several ("our priorities are A, B and C")."""
_WEEKLY = wordset("lesson lessons class classes course training practice rehearsal session meeting shift")
"""What takes place every week ("my lesson moved to Tuesdays")."""
_POSTS = wordset(
    "vet doctor dentist landlord landlady teacher boss manager physio therapist midwife nanny babysitter coach trainer "
    "tutor supervisor mentor lawyer accountant carer nurse agent editor lead"
)
"""By what somebody is to another, beside what they are called ("class teacher", "swimming coach")."""
TIMED = frozenset(
    ["deadline", "due date", "birthday", "date of birth", "birth date", "bedtime", "departure", "shift", "alarm"]
)
_MADE = wordset("phone laptop computer car bike tablet camera watch printer router")
"""Things that are known by their make: what else is said of one is how it is just now."""
_VERDICTS = wordset(
    "great good bad awesome amazing nice fun hard tough easy lovely perfect terrible fine ok okay "
    "wonderful fantastic incredible awful beautiful cute delicious important interesting exciting "
    "wrong right ready done gone broken full empty over late early huge small big better worse best "
    "worst different same close near far high low short long happy sad super inspiring rewarding next "
    "up down pretty sweet sick healthy tired busy open closed free simple complicated helpful useful "
    "special unique expensive cheap"
)


def of_thing(look: Look) -> Iterator[Draft]:
    """What the clause says of the thing that is its subject."""
    thing = look.clause.thing
    if thing is None:
        return
    group = look.clause.group
    if look.lemma in _MOVED and group.passive and group.tense == "present":
        group = replace(group, tense="past")
    if group.lemma == "be" and group.tense in ("present", "past") and not group.negative:
        yield from _is(look, thing)
    elif group.lemma == "be" and group.tense == "present" and thing.attribute:
        yield from _is_another(look, thing)
    elif group.lemma == "get" and (moved := form_of(look.low(group.after))) is not None and moved[0] in _MOVED:
        further = replace(group, lemma=moved[0], after=group.after + 1, tense="past")
        yield from _changed(
            replace(look, clause=replace(look.clause, group=further), raw=replace(look.raw, group=further)), thing
        )
    elif group.lemma in _CHANGED and group.tense in ("past", "perfect") and not group.negative:
        yield from _changed(look, thing)


def holder_of(thing: Thing, me: str, predicate: str) -> str:
    """Whose attribute it is: its owner's, the whole's that it belongs to, the person's for what is only theirs, or
    "~predicate"."""
    noun, attribute = thing.noun, thing.attribute
    owner = noun[: -len(attribute)].strip() if attribute and noun != attribute else ""
    if thing.whole and not (thing.holder and attribute in ("goal", "budget", "plan", "target")):
        return thing.whole if not thing.holder or thing.holder == me else f"{thing.holder}>{thing.whole}"
    if thing.holder:
        return f"{thing.holder}>{owner}" if owner else thing.holder
    return owner or f"~{predicate}"


def predicate_of(thing: Thing) -> str:
    """The registry name of the attribute that a thing is, or its noun in snake case."""
    word = (thing.attribute or thing.noun).replace("favorite", "favourite").replace("color", "colour")
    return find(word.replace(" ", "_").replace("-", "_")).name


def _is(look: Look, thing: Thing) -> Iterator[Draft]:
    last = thing.noun.split()[-1]
    if (dated := _dated(look, thing)) is not None:
        yield dated
    elif last in _WEEKLY and thing.holder and not thing.whole and (habit := look.frequency()):
        yield _of(thing, habit, _fresh(look, thing))
    elif thing.attribute == "birthday" and not _names_a_date(look):
        return
    elif thing.holder and not thing.whole and last in _POSTS and thing.noun not in RELATIONS:
        yield from _in_post(look, thing)
    elif thing.attribute:
        yield from _attribute(look, thing)
    elif thing.holder and thing.fresh and thing.noun not in RELATIONS:
        yield from (_of(thing, one.text, "update") for one in _plain(look, new=True))


def _dated(look: Look, thing: Thing) -> Draft | None:
    """ "My exam is next Tuesday": an event with its day."""
    words = thing.noun.split()
    when, tail = look.when().at, look.first()
    if when is None or thing.attribute in TIMED or not {words[-1], " ".join(words[-2:])} & EVENT_NOUNS:
        return None
    if tail < look.clause.end and look.low(tail) not in ("on", "at", "in", "scheduled", "set", "for"):
        return None
    return Draft("event", _named(look, thing), subject=look.scene.me, valid=when, cue="state", negative=False)


def _named(look: Look, thing: Thing) -> str:
    """The event as it was written, without "the" or "my" ("board meeting", "my cousin's wedding")."""
    words = source(look.raw, thing.start, thing.tail or thing.end)
    if "'s" in words or "’s" in words:
        return words[0].lower() + words[1:] if words[:3].lower() == "my " else words
    return re.sub(r"(?i)^(?:the|my|our) ", "", words)


def _of(thing: Thing, text: str, cue: Cue | None) -> Draft:
    return Draft(predicate_of(thing), text, subject=thing.holder, functional=True, cue=cue)


def _fresh(look: Look, thing: Thing) -> Cue | None:
    """Whether the words say that it is so from now on."""
    return "update" if thing.fresh or look.words() & {"now"} or look.clause.group.adverbs & {"now"} else None


def _in_post(look: Look, thing: Thing) -> Iterator[Draft]:
    """ "Otto's class teacher is Herr Vogel": (otto, class_teacher, "Herr Vogel")."""
    at = look.first() + (look.low(look.first()) in ("called", "named"))
    name, after = name_at(look.clause.tokens, at, look.clause.end)
    ends = after >= look.clause.end or look.clause.tokens[after].kind != "word" or look.low(after) == "now"
    if name and ends and look.clause.group.tense == "present":
        yield _of(thing, name, _fresh(look, thing))


def _names_a_date(look: Look) -> bool:
    """The clause names a date that a birthday can have: a month, or digits with a mark between."""
    words = {word[:3] for word in look.words()}
    return bool(words & {month[:3] for month in MONTHS}) or any(
        word[:1].isdigit() and not word.isdigit() and word[-2:] not in ("st", "nd", "rd", "th") for word in look.words()
    )


def _is_another(look: Look, thing: Thing) -> Iterator[Draft]:
    """ "My locker number isn't 218, it's 281": the second is right, and the first never was."""
    wrong = _plain(look)
    tokens = look.clause.tokens
    at = wrong[0].end if wrong else len(tokens)
    at += at < len(tokens) and tokens[at].text in (",", ";", "-", "—")
    at += at < len(tokens) and tokens[at].low == "but"
    if at + 2 >= len(tokens) or tokens[at].low != "it" or tokens[at + 1].low not in ("'s", "is"):
        return
    whole = replace(look.clause, end=len(tokens), group=replace(look.clause.group, after=at + 2, negative=False))
    predicate = predicate_of(thing)
    for one in _plain(replace(look, clause=whole, raw=whole))[:1]:
        yield Draft(predicate, one.text, subject=holder_of(thing, look.scene.me, predicate), functional=True,
                    negative=False, cue="correct", replaces=wrong[0].text, valid=OPEN)  # fmt: skip


def _attribute(look: Look, thing: Thing) -> Iterator[Draft]:
    predicate = predicate_of(thing)
    subject = holder_of(thing, look.scene.me, predicate)
    timed = thing.attribute in TIMED
    found = _time_value(look) if timed else _plain(look)
    now = bool(look.words() & {"now"} or look.clause.group.adverbs & {"now"})
    past = look.clause.group.tense == "past"
    if past and not thing.stale and look.when().at is None:
        return
    if subject.startswith("~") and thing.attribute.split()[-1] not in _ANYBODYS:
        return
    cue: Cue | None = "update" if thing.fresh or now else None
    if predicate in _SEVERAL and not past and len(several := listed(look.clause, look.first())) > 1:
        yield from (Draft(predicate, one.text, subject=subject) for one in several)
        return
    if (
        predicate == "name"
        and subject.count(">") == 1
        and RELATIONS.get(subject.split(">")[1].replace("_", " "))
        and found
        and not past
    ):
        holder, relation = subject.split(">")
        yield Draft(relation, found[0].text, subject=holder)
        return
    if thing.attribute == "goal" and look.low(look.first()) == "to":
        found = rest(look.clause, look.first() + 1)
    if found and found[0].text.lower() in COLOURS and thing.attribute in ("car", "bike", "phone", "laptop"):
        predicate, subject = "colour", f"{subject}>{thing.attribute}"
    if thing.noun == "team" and found and found[0].text[:1].isdigit() and len(found[0].text.split()) < 3:
        predicate = "team_size"
    for one in found[:1]:
        if thing.attribute in _MADE and predicate != "colour" and not _is_make(look, one):
            continue
        yield Draft(
            predicate,
            one.text,
            subject=subject,
            functional=True,
            mood="state",
            negative=past,
            cue="stop" if past else cue,
            valid=OPEN if timed or past else None,
        )


def _is_make(look: Look, found: Value) -> bool:
    """A name, a model with its number, or a make that a list knows; "dead" and "a mess" are none."""
    tokens = look.raw.tokens[found.start : found.end]
    known = set(found.text.lower().split()) & CARS or finer(found.text)
    return bool(known) or any(token.capital or token.low[:1].isdigit() for token in tokens)


def _plain(look: Look, *, new: bool = False) -> list[Value]:
    """A value after "is": a name, a number, a colour or a noun phrase; no verdict, no clause."""
    clause = look.raw
    at = clause.group.after
    while (
        clause.low(at)
        in wordset(
            "now currently still actually just about around definitely always probably called named the a an at @"
        )
        and clause.tokens[at].text != "A"
    ):
        at += 1
    stop = run_end(clause, at, wordset("of per a in and & on at for") if not new else frozenset(["of"]))
    if stop < clause.end and clause.low(stop) in ("to", "that"):
        return []
    stop = next(
        (
            place
            for place in range(at + 1, stop)
            if clause.low(place) in ("and", "&") and not clause.tokens[place + 1].capital
        ),
        stop,
    )
    found = value(clause, at, stop)
    if found is None:
        return []
    first = clause.tokens[found.start]
    if first.low in _VERDICTS | PRONOUN_OBJECTS | _NO_VALUE:
        return []
    if first.low.endswith(("ing", "ed")) and not first.capital and first.low not in COLOURS:
        return []
    if new and not any(
        clause.tokens[at].capital or clause.low(at)[:1].isdigit() for at in range(found.start, found.end)
    ):
        return []
    return [found]


def _time_value(look: Look) -> list[Value]:
    """A date or a clock time, as it was written."""
    raw = look.raw
    start, end = raw.tokens[raw.group.verb].end, raw.span()[1]
    for one in look.clock.within(start, end):
        text = one.text.rstrip(".")
        for word in ("on ", "at ", "in ", "the "):
            text = text.removeprefix(word)
        return [Value(text, raw.group.after, raw.end)]
    return []


def _changed(look: Look, thing: Thing) -> Iterator[Draft]:
    last = thing.noun.split()[-1]
    predicate = predicate_of(thing)
    if look.lemma in _MOVED and last in _WEEKLY and thing.holder and (habit := look.frequency()):
        yield replace(_of(thing, habit, None), mood="switch")
    elif look.lemma in _MOVED and (look.after("to", "until", "till") or look.when().until):
        named = [one for one in look.clock.within(*look.raw.span()) if one.stretch is not None]
        day = look.clock.ahead(named[-1]) if named else None
        if day is not None and thing.attribute in TIMED:
            text = named[-1].text.rstrip(".").removeprefix("to ")
            whose = holder_of(thing, look.scene.me, predicate)
            yield Draft(predicate, text, "switch", subject=whose, functional=True, valid=OPEN, cue="update")
        elif day is not None and (last in EVENT_NOUNS or last.endswith("ing")):
            text = _named(look, thing)
            yield Draft("event", text, "switch", subject=look.scene.me, valid=day, cue="correct", replaces=text)
    elif look.lemma not in _MOVED and (thing.attribute or (thing.holder and not thing.whole)):
        for at in [*look.after("to"), *([look.first()] if look.lemma in ("hit", "reach") else [])][:1]:
            raw = replace(look.raw, group=replace(look.raw.group, after=at))
            whose = holder_of(thing, look.scene.me, predicate)
            yield from (
                Draft(predicate, one.text, "switch", subject=whose, functional=True)
                for one in (_plain(replace(look, raw=raw)) if thing.attribute else amount(look.clause, at))
            )
