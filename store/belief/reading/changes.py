"""A word of change says what ended, what began, or both: "quit", "switched from X to Y", "got promoted", "no longer".

`OWN` has one small reader for each verb whose meaning turns on the words after it. A reader yields drafts, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from store.belief.reading.build import Draft
from store.belief.reading.forms import form_of
from store.belief.reading.frames import finer, switched
from store.belief.reading.getting import buys, gets, jobless, laid_off, new_job
from store.belief.reading.groups import Group
from store.belief.reading.lexicon import RELATIONS
from store.belief.reading.lists import wordset
from store.belief.reading.look import Look
from store.belief.reading.nouns import ACTIVITIES, CARS, CLUBS, DIETS, INSTRUMENTS, SPORTS
from store.belief.reading.objects import named, organisation, phrase, rest
from store.belief.reading.people import relation_noun
from store.belief.reading.software import is_software
from store.belief.reading.tastes import read_kind
from store.belief.reading.times import OPEN
from store.belief.reading.tools import purpose
from store.belief.reading.verbs import framed, is_ing, noun
from store.belief.reading.ways import RIDES, SPORTING, goes, lives, moving, plural_status, raises, sporting

Own = Callable[[Look], Iterator[Draft]]


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
    if look.lemma == "quit" and text:
        yield from _dropped(text)
    if look.lemma == "leave" and "for" in words and look.after("for"):
        old, new = named(look.clause, at), organisation(look.clause, look.after("for")[0])
        if old and new and not {"home", "work", "rome"} & words and {"job", "role", "position"} & words:
            yield Draft("works_at", new[0].text, "onset", replaces=old[0].text)


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
            for predicate in predicates:
                yield Draft(predicate, text[: -len(tail)], "stop")
            return
    if low in ACTIVITIES or low in ("cigarettes", "tobacco", "nicotine"):
        yield Draft("does", "smoking" if low in ("cigarettes", "tobacco", "nicotine") else text, "stop")
        yield Draft("goes_to", text, "stop")
    elif low in INSTRUMENTS | SPORTS:
        yield Draft("plays", text, "stop")
    elif low.split()[-1] in CLUBS:
        yield Draft("goes_to", text, "stop")
        yield Draft("member_of", text, "stop")


def ended(look: Look, base: str, at: int) -> Iterator[Draft]:
    """ "stopped playing the cello": whatever the verb would have said has ended."""
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


_DUTIES = wordset(
    "teach coach train mentor tutor study work volunteer commute lead manage run organize organise edit write play "
    "take judge review translate babysit freelance intern train learn practice practise paint knit sew build renovate"
)


def done(look: Look) -> Iterator[Draft]:
    """ "I'm done teaching the class", "I'm finished with coaching": what one did regularly has ended."""
    if look.lemma not in ("do", "finish") or look.clause.group.tense != "present" or look.clause.group.negative:
        return
    start = look.first() + (look.low(look.first()) == "with")
    base = is_ing(look, start)
    unknown = not base and look.low(start).endswith("ing") and look.clause.tokens[start].capital  # "TAing"
    if (base not in _DUTIES and not unknown) or look.words() & {"today", "tonight", "now", "day", "week"}:
        return
    found = [replace(one, valid=OPEN, cue="stop", negative=True) for one in ended(look, base, start)] if base else []
    yield from found
    what = rest(look.clause, start)
    if what and not found:
        yield Draft("does", what[0].text, "stop", valid=OPEN, cue="stop", negative=True)


def no_longer(look: Look) -> Iterator[Draft]:
    """ "I no longer mentor at the library": what no other pattern reads of what one does regularly."""
    group = look.clause.group
    if look.lemma in _DUTIES and group.ended and not group.passive and group.verb + 1 == group.after:
        for one in rest(look.clause, group.verb):
            yield Draft("does", one.text, "stop", valid=OPEN, cue="stop", negative=True)


def decides(look: Look) -> Iterator[Draft]:
    """ "We decided to switch from AutoCAD to Revit": what is decided begins."""
    at = look.first()
    form = form_of(look.low(at + 1))
    if look.low(at) != "to" or form is None or form[0] not in ("switch", "migrate", "move", "change"):
        return
    if look.clause.group.tense in ("past", "perfect") and not look.clause.group.negative:
        group = Group(form[0], "prog", at + 2, verb=at + 1)
        yield from switches(replace(look, clause=replace(look.clause, group=group), raw=replace(look.raw, group=group)))


def tries(look: Look) -> Iterator[Draft]:
    """ "I'm trying to learn Python" is learning it."""
    at = look.first()
    if look.low(at) == "to" and look.low(at + 1) == "learn" and look.clause.group.tense in ("prog", "perfprog"):
        group = Group("learn", "prog", at + 2, verb=at + 1)
        yield from framed(replace(look, clause=replace(look.clause, group=group), raw=replace(look.raw, group=group)))


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
            yield from (Draft("studies_at", one.text, "stop") for one in organisation(look.clause, index))
        return
    if text and look.lemma == "give":
        yield from _dropped(text)
        if not list(_dropped(text)) and look.low(at) not in wordset("my the a hope his her"):
            yield Draft("eats", text, "stop")
            yield Draft("drinks", text, "stop")


def cuts_out(look: Look) -> Iterator[Draft]:
    """cut out sugar."""
    at = look.first()
    if look.low(at) == "out":
        for one in read_kind("food")(look.clause, at + 1):
            yield Draft("eats", one.text, "stop")


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
        yield Draft("appointment", text, "stop")


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
    if words & (CARS | {"car"}):
        yield Draft("drives", "" if words == {"car"} else text, "stop")


def switches(look: Look) -> Iterator[Draft]:
    """switch, change, migrate, move: from X to Y; swap, trade, replace: X for or with Y."""
    clause = look.clause
    at = look.first()
    swap = look.lemma in ("swap", "trade", "replace")
    news = look.after("with" if look.lemma == "replace" else "for") if swap else look.after("to")
    if not news:
        return
    new = read_kind("pref")(clause, news[-1]) if look.lemma != "move" else named(clause, news[-1])
    olds = [] if swap else look.after("from")
    old = phrase(clause, at) if swap else (phrase(clause, olds[0]) if olds else [])
    if not new or (swap and not old):
        return
    about = "" if swap or clause.low(at) not in ("my", "our", "the", "jobs") else noun(look, at).lower()
    text = new[0].text
    if look.lemma == "move" and (not old or not _is_tool_name(text, old[0].text)):
        return
    if len(text.split()) > 5 or (look.lemma == "change" and not (old or about)):
        return
    side = purpose(clause, new[0].end)
    yield from (
        replace(draft, qualifiers=side) if draft.predicate == "uses" else draft
        for draft in _switch(about, text, old[0].text if old else None)
    )


def _is_tool_name(text: str, old: str) -> bool:
    """ "We're moving from Slack to Teams" is a switch; "moving from Rome to Paris" is none of a tool: only a list can
    tell."""
    return finer(text) is not None or is_software(text) or is_software(old)


def _switch(about: str, new: str, old: str | None) -> Iterator[Draft]:
    known = {
        "major": "studies",
        "diet": "diet",
        "job": "job",
        "jobs": "job",
        "phone": "phone",
        "laptop": "laptop",
        "editor": "editor",
    }
    if about.split()[-1:] == ["name"]:
        yield Draft(about.replace(" ", "_"), new, "switch", replaces=old, functional=True)
        return
    predicate = known.get(about.split()[-1] if about else "", "") or switched(new)
    if predicate == "diet":
        new = next((word for word in new.split() if word.lower() in DIETS), new)
    yield Draft(predicate, new, "switch", replaces=old)
    if predicate in ("laptop", "phone", "editor"):
        yield Draft("uses", new, "switch", replaces=old)


def starts(look: Look) -> Iterator[Draft]:
    """start, begin, take up: an activity, a job, a school, a venture."""
    at = look.first()
    base = is_ing(look, at)
    if base:
        yield from begun(look, base, at)
        return
    text = noun(look, at)
    low = text.lower()
    if not text or look.clause.group.passive:
        return
    if low.split()[-1] == "job" or low in ("school", "university", "college", "kindergarten", "high school"):
        if "job" in low:
            yield from new_job(look)
    elif low in ACTIVITIES:
        yield Draft("does", text, "onset")


def takes(look: Look) -> Iterator[Draft]:
    """take up the banjo, pick up chess; take lessons."""
    at = look.first()
    if look.low(at) == "as" and "over" in look.words() and look.low(at + 1) in ("my", "our"):
        noun_at, _ = relation_noun(look.clause.tokens, at + 2, look.clause.end)
        if noun_at and look.clause.keys and ">" not in look.clause.keys[0]:
            yield Draft(RELATIONS[noun_at][0], look.clause.keys[0].title(), "onset", subject=look.scene.me)
    if (
        look.low(at) == "the"
        and look.low(at + 1) in RIDES
        and (look.says("to work", at + 2) or look.says("to the office", at + 2))
    ):
        yield Draft("commute", look.low(at + 1))
    if look.low(at) != "up":
        return
    for one in read_kind("list")(look.clause, at + 1):
        low = one.text.lower()
        if low in INSTRUMENTS | SPORTS:
            yield Draft("plays", one.text, "onset")
        elif low in ACTIVITIES or (is_ing(look, one.start) and one.end == one.start + 1):
            yield Draft("does", one.text, "onset")


OWN: dict[str, Own] = {
    **dict.fromkeys(("quit", "leave", "resign"), quits),
    **dict.fromkeys(("stop", "give", "drop"), stops),
    **dict.fromkeys(("cancel",), cancels),
    **dict.fromkeys(("sell",), sells),
    **dict.fromkeys(
        ("switch", "change", "migrate", "swap", "trade", "replace", "transition", "convert", "move"), switches
    ),
    **dict.fromkeys(("start", "begin"), starts),
    **dict.fromkeys(("take", "pick"), takes),
    **dict.fromkeys(("buy", "adopt", "receive", "rescue"), buys),
    **dict.fromkeys(("marry", "divorce", "split", "break", "retire", "separate"), plural_status),
    **dict.fromkeys(("live", "come", "grow", "turn", "walk", "cycle", "bike", "drive", "diagnose"), lives),
    **dict.fromkeys(
        (
            "run",
            "swim",
            "jog",
            "climb",
            "meditate",
            "row",
            "surf",
            "ski",
            "dance",
            "hike",
            "exercise",
            "journal",
            "smoke",
            "vape",
        ),
        sporting,
    ),
    "cycle": moving,
    **dict.fromkeys(("raise", "increase", "lower", "reduce"), raises),
    "get": gets,
    "go": goes,
    "cut": cuts_out,
    "decide": decides,
    "try": tries,
    "fire": laid_off,
}
PASSIVES = frozenset(["diagnose", "fire", "lay"])
"""Verbs whose pattern wants the passive."""
