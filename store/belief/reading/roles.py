"""Who somebody is to another is said by a role and a name; a role that has a relation's own name is that relation.

"Otto's class teacher is Herr Vogel", "our team has six people", "my kids are called Mia, Ben and Lou".
"""

from __future__ import annotations

from collections.abc import Iterator

from store.belief.reading.build import Draft
from store.belief.reading.lexicon import PLURALS, RELATIONS
from store.belief.reading.lists import wordset
from store.belief.reading.look import Look
from store.belief.reading.objects import is_job, named
from store.belief.reading.people import name_at, names_after
from store.belief.reading.things import Thing
from store.records import Cue

OURS = wordset("vet doctor dentist landlord landlady teacher boss manager physio therapist midwife nanny babysitter")
"""People of whom "the ..." speaks as of one's own ("the vet is called Dr. Lurdes")."""


def fresh(look: Look, thing: Thing) -> Cue | None:
    """Whether the words say that it is so from now on."""
    return "update" if thing.fresh or look.words() & {"now"} or look.clause.group.adverbs & {"now"} else None


def in_post(look: Look, thing: Thing) -> Iterator[Draft]:
    """ "Otto's class teacher is Herr Vogel": (otto, class_teacher, "Herr Vogel")."""
    at = look.first() + (look.low(look.first()) in ("called", "named"))
    name, after = name_at(look.clause.tokens, at, look.clause.end)
    ends = after >= look.clause.end or look.clause.tokens[after].kind != "word" or look.low(after) == "now"
    if name and ends and look.clause.group.tense == "present":
        predicate = thing.noun.replace(" ", "_").replace("-", "_")
        yield Draft(predicate, name, subject=thing.holder, functional=True, cue=fresh(look, thing))


def is_post(noun: str) -> bool:
    """ "Class teacher", "team lead": what somebody is to another, and no relation that has a name of its own."""
    words = noun.split()
    return noun not in RELATIONS and ((len(words) > 1 and words[-1] in _POSTS) or is_job(words))


_POSTS = OURS | wordset("coach trainer tutor supervisor mentor lawyer accountant carer nurse agent editor")
"""By what somebody is to another, beside what they are called ("class teacher", "swimming coach")."""


def names_of(look: Look, at: int) -> Iterator[Draft]:
    """ "He's called Matias"; "my kids are called Mia, Ben and Lou", which says how many they are."""
    person = look.clause.person
    names, _ = names_after(look.clause.tokens, at, look.clause.end, many=True)
    if person is None or not person.plural or len(names) < 2:
        yield from (_naming(look, one.text) for one in named(look.clause, at + 1))
        return
    holder, _, noun = person.key.rpartition(">")
    relation = RELATIONS.get(PLURALS.get(noun, noun), ("", ""))[0]
    if relation and noun in PLURALS:
        yield from (Draft(relation, name, subject=holder) for name in names)


def _naming(look: Look, name: str) -> Draft:
    """ "He's called Matias": somebody known by what they are to somebody has that name."""
    holder, _, relation = look.clause.keys[0].rpartition(">")
    known = relation.replace("_", " ") in RELATIONS
    return Draft(relation, name, subject=holder) if holder and known else Draft("name", name)
