"""The nouns for people and pets, each with the name of its relation and its gender; all in lower case."""

from __future__ import annotations

Gender = str
"""m, f, n (either) or x (an animal)."""


def _relations(lines: str) -> dict[str, tuple[str, Gender]]:
    found: dict[str, tuple[str, Gender]] = {}
    for line in lines.strip().splitlines():
        gender, name, *words = line.split()
        for word in words or [name]:
            found[word.replace("_", " ")] = (name, gender)
    return found


RELATIONS = _relations("""
m partner husband boyfriend hubby fiancé
f partner wife girlfriend fiancée missus
n partner partner spouse fiance fiancee
f mother mother mum mom mam mummy mommy mammy mama
m father father dad daddy papa
n parent
m brother brother bro
f sister sister sis
n sibling
m son
f daughter
n child child kid toddler baby
n cousin
m uncle
f aunt aunt auntie aunty
m nephew
f niece
f grandmother grandmother grandma gran granny nana nan
m grandfather grandfather grandpa grandad granddad
m grandson
f granddaughter
n grandchild
f mother_in_law mother-in-law
m father_in_law father-in-law
m brother_in_law brother-in-law
f sister_in_law sister-in-law
m stepfather stepfather stepdad
f stepmother stepmother stepmom stepmum
m stepbrother
f stepsister
m stepson
f stepdaughter
m ex_husband ex-husband
f ex_wife ex-wife
m ex_boyfriend ex-boyfriend
f ex_girlfriend ex-girlfriend
n ex
n twin
n boss boss manager supervisor gaffer
n friend friend buddy bestie bff mate pal
n pen_pal pen_pal penpal pen-pal
n classmate
n colleague colleague coworker co-worker teammate workmate employee apprentice
n neighbour neighbour neighbor
n roommate roommate flatmate housemate
n teacher teacher tutor
n professor
n advisor advisor adviser
n mentor
n coach coach trainer
n landlord
f landlord landlady
n doctor doctor gp
n dentist
n therapist therapist psychologist psychiatrist
n physio physio physiotherapist
n vet
n lawyer
n accountant
n hairdresser hairdresser barber
n godfather
n godmother
n godson
n goddaughter
n godchild
n assistant
n editor
n agent
n ceo
n cto
n client
n student
n intern
n babysitter babysitter nanny
x pet
x dog dog puppy pup
x cat cat kitten kitty
x rabbit rabbit bunny
x hamster
x horse horse pony
x parrot
x bird
x fish
x goldfish
x turtle
x tortoise
x snake
x lizard
x guinea_pig
x hen
""")

FAMILIAR = {
    word: name for word, (name, gender) in RELATIONS.items()
    if gender in "mf" and word != name and RELATIONS.get(name) == (name, gender)
}  # fmt: skip
"""Mum is a word for mother, and grandpa for grandfather; wife is none for partner, who may be a man."""

PLURALS = {
    **{f"{word}s": word for word in RELATIONS},
    "wives": "wife",
    "children": "child",
    "grandparents": "grandmother",
    "babies": "baby",
    "puppies": "puppy",
    "kitties": "kitty",
    "bunnies": "bunny",
    "ponies": "pony",
    "grandchildren": "grandchild",
}
