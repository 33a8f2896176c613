"""Where somebody is posted, at what weight or level, or on what food, is said by "to be" with a preposition.

"I've been at Sonda since 2020", "I'm at 65 kilos", "we're in the office two days a week", "I'm at A2 now".
"""

from __future__ import annotations

from collections.abc import Iterator

from store.belief.reading.build import Draft
from store.belief.reading.lists import wordset
from store.belief.reading.look import Look
from store.belief.reading.objects import amount, named, organisation, phrase
from store.belief.reading.tastes import medicine
from store.records import Precision

_FEED = wordset("kibble food feed diet formula biscuits pellets hay")
_PILLS = wordset("antibiotics tablets pills medication meds insulin antidepressants statins steroids painkillers")


def posted(look: Look, at: int) -> Iterator[Draft]:
    """ "I've been at Sonda since 2020", "I'm at 65 kilos", "we're in the office two days a week"."""
    clause = look.clause
    often = look.frequency()
    if look.says("in the office", at) and often and not clause.group.negative:
        yield Draft("office_days", often, functional=True)
    yield from _fed(look, at)
    if look.low(at) == "down" and look.low(at + 1) == "to":
        at += 1
    if look.low(at) not in ("at", "to"):
        return
    before = {token.low for token in clause.tokens[: clause.start]}
    if before & {"gym", "gyms"} and before & {"switched", "changed", "joined"}:  # "I switched gyms, I'm at ..."
        yield from (Draft("gym", one.text, cue="update") for one in named(clause, at + 1))
    quantity = amount(clause, at + 1)
    if quantity and quantity[0].text.lower().split()[-1].rstrip("s") in ("kilo", "kg", "pound", "lb"):
        yield Draft("weight", quantity[0].text, functional=True, cue="update" if look.low(at) == "to" else None)
    since = look.when().since
    if (
        clause.group.tense == "perfect"
        and since is not None
        and since.precision in (Precision.YEAR, Precision.MONTH)
        and clause.tokens[at + 1].capital
    ):
        yield from (Draft("works_at", one.text) for one in organisation(clause, at + 1))


def _fed(look: Look, at: int) -> Iterator[Draft]:
    """ "She's on salmon kibble now", "I'm on antibiotics"."""
    for one in phrase(look.clause, at + 1) if look.low(at) == "on" else ():
        last = one.text.lower().split()[-1]
        if last in _FEED and len(one.text.split()) > 1:
            yield Draft("eats", one.text)
        elif last in _PILLS:
            yield Draft("takes", one.text)
        elif last in ("shift", "shifts") and len(one.text.split()) > 1:
            yield Draft("shift", one.text)
        elif medicine(look.clause, at + 1):
            yield Draft("takes", one.text)
