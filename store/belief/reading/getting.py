"""To get, buy or lose says what somebody has from then on: a job, a pet, a thing, or no job any more."""

from __future__ import annotations

from collections.abc import Iterator

from store.belief.reading.build import Draft
from store.belief.reading.frames import finer
from store.belief.reading.lexicon import PETS
from store.belief.reading.lists import wordset
from store.belief.reading.look import Look
from store.belief.reading.nouns import CARS
from store.belief.reading.objects import job, named, organisation, phrase
from store.belief.reading.people import name_at, relation_noun
from store.belief.reading.tastes import read_kind


def jobless(place_of_work: str) -> Iterator[Draft]:
    yield Draft("works_at", place_of_work, "stop")
    yield Draft("job", "", "stop")


def gets(look: Look) -> Iterator[Draft]:
    """get married, promoted, engaged, hired, fired; get a job, a pet, a thing of one's own."""
    at = look.first()
    low = look.low(at)
    status = {"married": "married", "engaged": "engaged", "divorced": "divorced"}.get(low)
    if status:
        yield Draft("relationship_status", look.clause.tokens[at].text, "onset")
        if low == "divorced":
            yield Draft("partner", "", "stop")
        yield from (
            Draft("partner", one.text, "onset") for index in look.after("to") for one in named(look.clause, index)
        )
    elif low == "promoted":
        yield from (
            Draft("job", one.text, "onset")
            for index in look.after("to")
            for one in read_kind("title")(look.clause, index)
        )
    elif low in ("hired", "accepted", "transferred"):
        yield from (Draft("job", one.text, "onset") for index in look.after("as") for one in job(look.clause, index))
        if low == "hired":
            yield from (
                Draft("works_at", one.text, "onset")
                for index in look.after("at", "by")
                for one in organisation(look.clause, index)
            )
    elif low in ("fired", "laid", "sacked"):
        yield from laid_off(look)
    elif low == "rid":
        yield from (Draft("owns", one.text, "stop") for index in look.after("of") for one in phrase(look.clause, index))
    else:
        yield from _got(look, at)


def _got(look: Look, at: int) -> Iterator[Draft]:
    from store.belief.reading.nouns import POSSESSIONS

    if look.low(at) not in wordset("a an my our two three new another some ourselves myself"):
        return
    for one in read_kind("goods")(look.clause, at):
        words = one.text.lower().split()
        if words[-1] in POSSESSIONS | PETS | CARS or set(words) & CARS or words[-1].rstrip("s") in PETS:
            yield Draft("got", one.text, "event")
            yield from kept(look, one.text)


def buys(look: Look) -> Iterator[Draft]:
    """buy, adopt, receive: and from then on it is owned, where it is a thing that is kept."""
    for one in read_kind("goods")(look.clause, look.first()):
        if not any(look.low(at) in ("my", "our", "his", "her") for at in look.after("for")):
            yield from kept(look, one.text)


_GONE = wordset("sold sell traded replaced scrapped totalled totaled crashed new")
"""What a sentence says of the car before this one."""


def kept(look: Look, text: str) -> Iterator[Draft]:
    """A pet or a possession that came, and its name."""
    from store.belief.reading.nouns import POSSESSIONS

    words = text.lower().split()
    if words[-1] in POSSESSIONS | CARS or set(words) & CARS or finer(text):
        yield Draft("owns", text, "onset")
        if set(words) & CARS and _GONE & {token.low for token in look.clause.tokens}:
            yield Draft("drives", text, "onset")
        if finer(text) and finer(words[-1]) != finer(text):
            yield Draft(finer(text) or "owns", text, "onset")
    yield from pets_named(look)


def pets_named(look: Look) -> Iterator[Draft]:
    """ "adopted a cat called Miso": (me, cat, Miso)."""
    clause = look.clause
    for at in range(clause.group.after, clause.end):
        word, after = relation_noun(clause.tokens, at, clause.end)
        if word in PETS:
            skip = after + (clause.low(after) == ",") + (clause.low(after) in ("named", "called"))
            name, _ = name_at(clause.tokens, skip, clause.end)
            if name and skip > after:
                yield Draft(word, name, "onset" if look.lemma != "have" else "state")


def laid_off(look: Look) -> Iterator[Draft]:
    """fired, laid off, let go: the job is over."""
    places = [one for index in look.after("from", "by") for one in organisation(look.clause, index)]
    yield from jobless(places[0].text if places else "")
