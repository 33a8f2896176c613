"""How people live, move and go: habits, visits, sports and what becomes of couples, each verb by the words after it."""

from __future__ import annotations

import calendar
from collections.abc import Iterator
from dataclasses import replace

from store.belief.reading.attributes import holder_of, predicate_of
from store.belief.reading.build import Draft
from store.belief.reading.lexicon import NUMBERS
from store.belief.reading.lists import wordset
from store.belief.reading.look import Look
from store.belief.reading.nouns import ACTIVITIES, CLUBS
from store.belief.reading.objects import named, phrase, place, rest
from store.belief.reading.software import SYSTEMS
from store.belief.reading.tastes import read_kind
from store.belief.reading.things import thing_of_words
from store.belief.reading.times import OPEN
from store.belief.reading.verbs import is_ing, noun
from store.records import Instant, Precision

RIDES = wordset("metro bus train tram subway tube underground ferry bike car u-bahn s-bahn")


SPORTING = {
    "run": "running",
    "swim": "swimming",
    "jog": "jogging",
    "cycle": "cycling",
    "climb": "climbing",
    "meditate": "meditation",
    "row": "rowing",
    "surf": "surfing",
    "ski": "skiing",
    "dance": "dancing",
    "hike": "hiking",
    "exercise": "exercise",
    "journal": "journaling",
}


def raises(look: Look) -> Iterator[Draft]:
    """ "My landlord raised the rent to 1200 euros"."""
    at = look.first()
    thing = thing_of_words(look.clause.tokens, at, look.clause.end, look.scene, frozenset(["to", "by", "from"]))
    if thing is None or not thing.attribute or not look.after("to"):
        return
    predicate = predicate_of(thing)
    for one in read_kind("amount")(look.clause, look.after("to")[-1]):
        yield Draft(predicate, one.text, "onset", subject=holder_of(thing, look.scene.me, predicate), functional=True)


def plural_status(look: Look) -> Iterator[Draft]:
    """marry, divorce, split up, break up, propose, retire."""
    at = look.first()
    if (look.lemma == "retire" and at >= look.clause.end) or (
        look.lemma == "retire" and (look.low(at) in ("from", "as", "") or look.clause.tokens[at].kind == "mark")
    ):
        yield Draft("job", "retired", "onset")
    elif (look.lemma in ("split", "break") and look.low(at) == "up") or look.lemma == "divorce":
        people = [one for index in look.after("with") for one in named(look.clause, index)] or (
            named(look.clause, at) if look.lemma == "divorce" else []
        )
        if look.lemma == "divorce" or look.low(at + 1) in ("with", ""):
            yield Draft("partner", people[0].text if people else "", "stop")
            yield Draft("relationship_status", "divorced" if look.lemma == "divorce" else "single", "onset")
    elif look.lemma == "separate" and at >= look.clause.end:
        yield Draft("relationship_status", "separated", "onset")
    elif look.lemma == "marry":
        yield Draft("relationship_status", "married", "onset")


def lives(look: Look) -> Iterator[Draft]:
    """live alone; wake up at six; turn forty; spend a holiday in a place; come from, grow up in; spent in."""
    at = look.first()
    clause = look.clause
    if look.lemma == "live" and look.low(clause.group.after) == "alone":
        yield Draft("lives_with", "nobody")
    if look.lemma == "come" and look.low(at) == "from" and clause.group.tense == "present":
        yield from (Draft("from", one.text) for one in place(clause, at + 1))
    if look.lemma == "grow" and look.low(clause.group.after) == "up":
        yield from (
            Draft("grew_up_in", one.text, "event")
            for index in look.after("in", "near", "on")
            for one in place(clause, index)
        )
    raw = look.raw
    word = raw.low(raw.group.after)
    if look.lemma == "turn" and ((word.isdigit() and 0 < int(word) < 120) or NUMBERS.get(word, 0) > 1):
        yield Draft("age", raw.tokens[raw.group.after].text, "onset", functional=True)
        yield from _turned(look, int(word) if word.isdigit() else NUMBERS[word])
    if (
        look.lemma in ("walk", "cycle", "bike", "drive")
        and (look.says("to work") or look.says("to the office"))
        and clause.group.tense in ("present", "prog")
    ):
        yield Draft("commute", {"walk": "on foot", "cycle": "bike", "bike": "bike", "drive": "car"}[look.lemma])
    if look.lemma == "diagnose":
        yield from (
            Draft("has_condition", one.text, "onset") for index in look.after("with") for one in phrase(clause, index)
        )


def _turned(look: Look, age: int) -> Iterator[Draft]:
    """ "Turned six yesterday" names a day of birth."""
    when = look.when().at
    if when is None or when.start is None or when.precision is not Precision.DAY or look.clause.group.tense != "past":
        return
    born = Instant(when.start, when.offset).local()
    text = f"{born.day} {calendar.month_name[born.month]} {born.year - age}"
    yield Draft("born_on", text, valid=OPEN, cue="state", negative=False)


def moves_in(look: Look) -> Iterator[Draft]:
    """ "We bought a house in Potsdam and moved in last Friday": the home that the sentence speaks of is lived in."""
    clause = look.clause
    after = {clause.low(at) for at in range(clause.group.after, clause.end) if clause.tokens[at].kind == "word"}
    if look.raw.low(look.raw.group.after) != "in" or after - {"in"}:  # "in" before a time is cut with it
        return
    end = clause.own if clause.own is not None else clause.start
    before = replace(clause, end=end)
    for at in range(end - 1):
        if before.low(at) in _HOMES and before.low(at + 1) in ("in", "on", "at", "near"):
            yield from (Draft("lives_in", one.text, "onset") for one in place(before, at + 2)[:1])
            return


_HOMES = wordset("house flat apartment condo cottage bungalow studio place home loft")


def sporting(look: Look) -> Iterator[Draft]:
    """ "I run three times a week", "I run Fedora"."""
    often = look.frequency()
    at = look.first()
    if look.lemma in ("smoke", "vape") and look.clause.group.tense == "present" and at >= look.clause.end:
        yield Draft("does", {"smoke": "smoking", "vape": "vaping"}[look.lemma])
    if look.lemma == "run" and look.low(at) in SYSTEMS:
        yield Draft("uses", noun(look, at) or look.clause.tokens[at].text)
        yield Draft("operating_system", noun(look, at) or look.clause.tokens[at].text, functional=True)
    if (
        look.lemma in SPORTING
        and often
        and look.clause.group.tense in ("present", "usedto")
        and at >= look.clause.end - 1
    ):
        yield Draft("does", SPORTING[look.lemma], qualifiers=(("frequency", often),))


def moving(look: Look) -> Iterator[Draft]:
    """cycle to work, and how often."""
    yield from lives(look)
    yield from sporting(look)


def goes(look: Look) -> Iterator[Draft]:
    """go: a habit, a school, a place that was visited, an activity."""
    clause, at = look.clause, look.first()
    often = look.frequency()
    side = (("frequency", often),) if often else ()
    base = is_ing(look, at)
    present = clause.group.tense in ("present", "usedto", "perfprog")
    if base:
        from store.belief.reading.tastes import KINDS

        outing = not present and clause.low(at) not in ("missing", "looking", "going", "searching", "saying")
        if clause.low(at) in ACTIVITIES or outing or clause.low(at) in ("shopping", "camping", "hiking"):
            yield (
                Draft("does", clause.tokens[at].text, "state", qualifiers=side)
                if present
                else Draft("went", KINDS["rest"](clause, at)[0].text, "event")
            )
        return
    if look.low(at) == "by" and present:
        yield from (Draft("name", one.text) for one in named(clause, at + 1))
    if look.low(at) in ("vegan", "vegetarian", "keto", "gluten-free") and clause.group.tense in ("past", "perfect"):
        yield Draft("diet", clause.tokens[at].text, "onset")
    if look.low(at) == "on" and not present:
        found = rest(clause, at)
        if found and clause.low(at + 1) in ("a", "an", "my", "our") and len(found[0].text.split()) > 2:
            yield Draft("went", found[0].text, "event")
        return
    if look.low(at) != "to":
        return
    yield from _goes_to(look, at + 1, present, side)


def _goes_to(look: Look, at: int, present: bool, side: tuple[tuple[str, str], ...]) -> Iterator[Draft]:
    from store.belief.reading.nouns import EVENT_NOUNS, SCHOOLISH

    clause = look.clause
    found = rest(clause, at) if not present else phrase(clause, at)
    if not found or found[0].text.lower().split()[0] in wordset(
        "bed sleep work school hell see get your that this it great"
    ):
        return
    text = found[0].text
    bare = noun(look, at)
    low = bare.lower()
    if present:
        if low.endswith(SCHOOLISH) or "school" in low.split():
            yield Draft("school", bare, "state")
        elif clause.tokens[at].capital or low.split()[-1] in CLUBS or (side and low):
            yield Draft("goes_to", bare, "state", qualifiers=side)
        return
    words = low.split()
    if words and (
        words[-1] in EVENT_NOUNS
        or " ".join(words[-2:]) in EVENT_NOUNS
        or words[-1] in CLUBS
        or words[-1] in wordset("event meetup rally pride expo fair convention")
    ):
        yield Draft("attended", text, "event")
    elif clause.tokens[at].capital or clause.low(at) in ("a", "an", "the", "my", "our"):
        yield Draft("visited", text, "event")
