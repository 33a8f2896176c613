"""To have says who and what somebody has: relatives with their names, pets, conditions, things of their own,
appointments."""

from __future__ import annotations

from collections.abc import Iterator

from store.belief.reading.build import Draft
from store.belief.reading.getting import pets_named
from store.belief.reading.lexicon import FAMILY, NUMBERS, PETS, PLURALS, RELATION_ADJECTIVES, RELATIONS
from store.belief.reading.lists import wordset
from store.belief.reading.look import Look
from store.belief.reading.nouns import CARS, EVENT_NOUNS, POSSESSIONS
from store.belief.reading.objects import phrase, source
from store.belief.reading.people import names_after, relation_noun
from store.belief.reading.tastes import known_tool


def having(look: Look, said_at: int) -> Iterator[Draft]:
    """What the clause says that somebody has."""
    group = look.clause.group
    if group.lemma != "have" or group.tense not in ("present", "past", "usedto"):
        return
    at = look.first()
    yield from list(_relatives(look, at)) or list(_appointment(look, at, said_at)) or _possession(look, at)


def _relatives(look: Look, at: int) -> Iterator[Draft]:
    """ "two sons, Ben and Theo", "a brother named Paul", "three cats"."""
    clause = look.clause
    count = look.low(at)
    start = at + 1 if count in NUMBERS or count.isdigit() or count in ("no", "any") else at
    while look.low(start) in RELATION_ADJECTIVES or look.low(start) in wordset(
        "beautiful wonderful lovely amazing adorable cute great rescue grown-up grown young wild"
    ):
        start += 1
    noun, after = relation_noun(clause.tokens, start, clause.end)
    if not noun or (noun not in PLURALS and count not in ("a", "an", "one", "no")) or look.low(after) == "'s":
        return
    single = PLURALS.get(noun, noun)
    base = RELATIONS[single][0]
    names, _ = names_after(clause.tokens, after, clause.end, many=True)
    for name in names:
        yield Draft(base, name)
    yield from pets_named(look)
    yield from _count(look, at, after, count, single, noun, bool(names))


def _count(look: Look, at: int, after: int, count: str, single: str, noun: str, named: bool) -> Iterator[Draft]:
    kin = single in FAMILY or single in PETS
    if not kin:
        return
    if (noun in PLURALS and count in NUMBERS) or count.isdigit():
        yield Draft(f"number_of_{_plural(RELATIONS[single][0])}", look.clause.tokens[at].text, functional=True)
    elif count in ("no", "any") or (look.clause.group.negative and not named):
        if noun in PLURALS:
            yield Draft(f"number_of_{_plural(RELATIONS[single][0])}", "no", functional=True, negative=False)
    elif not named and single in PETS | FAMILY:
        yield Draft("owns", source(look.clause, at + 1, after))


def _plural(base: str) -> str:
    return {
        "child": "children",
        "fish": "fish",
        "goldfish": "goldfish",
        "pony": "ponies",
        "grandchild": "grandchildren",
    }.get(base, base + "s")


def _appointment(look: Look, at: int, said_at: int) -> Iterator[Draft]:
    """ "I have a dentist appointment on Tuesday"."""
    when = look.when().at
    if when is None or look.clause.group.negative or look.low(at) not in wordset("a an my our another the two"):
        return
    for one in phrase(look.clause, at)[:1]:
        words = one.text.lower().split()
        if words[-1] in EVENT_NOUNS or " ".join(words[-2:]) in EVENT_NOUNS:
            side = [tail for index in look.after("with") for tail in phrase(look.clause, index)][:1]
            about = tuple(("with", person.text) for person in side)
            if when.end is not None and when.end > said_at and look.clause.group.tense == "present":
                yield Draft("event", one.text, valid=when, qualifiers=about, cue="state")
            elif look.clause.group.tense == "past":
                yield Draft("event", one.text, valid=when, qualifiers=about, cue="state", negative=False)


def _possession(look: Look, at: int) -> Iterator[Draft]:
    if (
        look.low(at) not in wordset("a an two three four my our several no any some")
        or look.clause.group.tense == "past"
    ):
        return
    start = at + (look.low(at) in ("no", "any", "my", "our", "some"))
    for one in phrase(look.clause, start)[:1]:
        words = one.text.lower().split()
        known = (
            words[-1] in POSSESSIONS | PETS
            or bool(set(words) & CARS)
            or words[-1].rstrip("s") in POSSESSIONS
            or known_tool(one.text)
        )
        if (
            known
            and look.low(one.end) not in ("to", "of", "for")
            and not {"whole", "great", "good", "new-found"} & set(words)
        ):
            yield Draft("owns", one.text, negative=look.low(at) == "no" or look.clause.group.negative)
    yield from pets_named(look)
