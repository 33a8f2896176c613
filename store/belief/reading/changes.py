"""A word of change says what ended, what began, or both: "quit", "switched from X to Y", "got promoted", "no longer".

`OWN` has one small reader for each verb whose meaning turns on the words after it. A reader yields drafts, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from store.belief.reading.build import Draft
from store.belief.reading.frames import finer, switched
from store.belief.reading.getting import buys, gets, laid_off
from store.belief.reading.leaving import begun, cancels, deletes, quits, sells, stops
from store.belief.reading.lexicon import RELATIONS
from store.belief.reading.lists import wordset
from store.belief.reading.look import Look
from store.belief.reading.nouns import ACTIVITIES, COLOURS, DIETS, INSTRUMENTS, SPORTS
from store.belief.reading.objects import named, phrase
from store.belief.reading.people import relation_noun
from store.belief.reading.software import is_software
from store.belief.reading.tastes import FIELDS, SUBJECTS, read_kind
from store.belief.reading.things import thing_of_words
from store.belief.reading.tools import purpose
from store.belief.reading.verbs import is_ing, noun
from store.belief.reading.ways import RIDES, goes, lives, moves_in, moving, plural_status, raises, sporting

Own = Callable[[Look], Iterator[Draft]]


def switches(look: Look) -> Iterator[Draft]:
    """switch, change, migrate, move: from X to Y; swap, trade, replace: X for or with Y."""
    yield from moves_in(look)
    clause = look.clause
    at = look.first()
    if clause.group.passive:
        return
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


_SWITCHED = wordset("insurance bank provider browser database framework")
"""What one has one of, and changes by name ("switched my insurance from A to B")."""


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
    noun_of = about.split()[-1] if about else ""
    if noun_of in _SWITCHED:
        yield Draft(noun_of, new, "switch", replaces=old, functional=True)
        return
    predicate = known.get(noun_of, "") or ("studies" if _studies(old or "", new) else switched(new))
    if predicate == "diet":
        new = next((word for word in new.split() if word.lower() in DIETS), new)
    yield Draft(predicate, new, "switch", replaces=old)
    if predicate in ("laptop", "phone", "editor"):
        yield Draft("uses", new, "switch", replaces=old)


def _studies(old: str, new: str) -> bool:
    """ "From biology to law": two subjects, and not two fields of work nor two pastimes."""
    both = {words.lower().split()[-1] for words in (old, new) if words.split()}
    return len(both) == 2 and both <= SUBJECTS and not both <= FIELDS | ACTIVITIES | SPORTS


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
    if low in ACTIVITIES:
        yield Draft("does", text, "onset")


def takes(look: Look) -> Iterator[Draft]:
    """take up the banjo, pick up chess; take lessons."""
    if look.clause.group.passive:
        return
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


def recolours(look: Look) -> Iterator[Draft]:
    """ "Dyed my hair red", "painted the kitchen yellow": the colour is the thing's from then on."""
    at = look.first()
    thing = thing_of_words(look.clause.tokens, at, look.clause.end, look.scene, COLOURS)
    last = thing.end if thing is not None else at
    if thing is None or thing.whole or look.low(at) not in ("my", "our", "his", "her", "the"):
        return
    ends = last + 1 >= look.clause.end or look.clause.tokens[last + 1].kind != "word"
    if look.low(last) in COLOURS and ends:
        subject = f"{thing.holder}>{thing.noun}" if thing.holder else thing.noun
        yield Draft("colour", look.low(last), "onset", subject=subject, functional=True)


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
    **dict.fromkeys(("delete", "deactivate", "close", "uninstall"), deletes),
    **dict.fromkeys(("dye", "paint"), recolours),
    "fire": laid_off,
}
PASSIVES = frozenset(["diagnose", "fire", "lay", "prescribe", "take", "put", "start", "wean", "switch", "move"])
"""Verbs whose pattern wants the passive."""
