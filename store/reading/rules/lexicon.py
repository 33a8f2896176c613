"""Word lists are data: a word here says what kind of thing it names, and no list holds a rule or a person's words.

`RELATIONS` maps each noun for a person or pet to (path name, gender). Everything is lower case.
"""

from __future__ import annotations

from store.text.lists import wordset

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
f partner wife girlfriend fiancée
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
n boss boss manager supervisor
n friend friend buddy bestie mate pal
n pen_pal pen_pal penpal pen-pal
n classmate
n colleague colleague coworker co-worker teammate workmate
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

RELATION_ADJECTIVES = wordset(
    "older elder younger little big eldest oldest youngest middle best good old new close closest "
    "dear late twin half only first second former current dearest ex long-time longtime childhood "
    "adopted foster school college high-school online next-door upstairs downstairs favourite "
    "favorite beloved own other former"
)

NUMBERS = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ]
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "a": 1, "an": 1}

DETERMINERS = wordset("a an the my our his her their its your this that these those some any another")
PRONOUN_OBJECTS = wordset(
    "it that this them him her me us you one ones something anything everything nothing someone "
    "anyone everyone people there here so things stuff lot lots bit these those both all more most "
    "some any many much what which who whom how why where each other others another himself herself "
    "myself ourselves themselves yourself way thing kind sort same such"
)
FILLERS = wordset(
    "also just still now currently really always usually recently finally actually already only even "
    "both totally mostly mainly basically definitely honestly probably lately often sometimes "
    "generally typically regularly normally happily proudly absolutely simply truly officially "
    "technically literally personally thankfully luckily fortunately sadly unfortunately apparently "
    "obviously clearly certainly surely long kinda sorta pretty quite very super so too well almost "
    "nearly occasionally rarely seldom newly once never ever then all today yesterday tonight soon"
)
INTERJECTIONS = wordset(
    "hi hey hello hiya yes yeah yep yup no nope nah ok okay oh ah aw aww wow well so haha hah lol hmm "
    "um uh thanks thank cheers sure right great nice cool awesome perfect good sounds anyway anyways "
    "btw fyi also and but then plus besides still sorry update actually honestly basically frankly "
    "absolutely totally definitely exactly indeed true agreed currently lately recently finally now "
    "today yesterday tonight unfortunately fortunately luckily sadly apparently meanwhile again first "
    "second firstly secondly lastly oops ugh woah whoa yay hooray correction because since though "
    "although as while when guess surprisingly interestingly personally ps morning evening afternoon "
    "just way fact"
)

HYPOTHETICAL = wordset(
    "if unless whether suppose supposing imagine pretend assuming hypothetically wish otherwise lest"
)
MAYBES = wordset("maybe perhaps possibly hopefully")

MONTHS = wordset(
    "january february march april may june july august september october november december jan feb "
    "mar apr jun jul aug sep sept oct nov dec"
)
DAYS = wordset(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays "
    "fridays saturdays sundays"
)
NON_NAMES = (
    wordset(
        "i i'm god christmas easter halloween thanksgiving lol omg btw fyi asap ok okay wow hey hi hello "
        "thanks thank yes no yeah please sorry the a an this that these those it he she they we you my "
        "our his her their its what when where why how who which and but or so not never also just now "
        "then here there well oh ah sure great good nice cool awesome perfect maybe still even only "
        "really actually honestly last next every each all some any many most both if because since after "
        "before while although though as at in on for to from with by of about than let's let lets do "
        "does did is are was were have has had can could would should will may might must shall been "
        "being one two three four five six seven eight nine ten today tomorrow yesterday tonight congrats "
        "congratulations sounds looks seems like love happy sad glad thrilled excited proud keep take "
        "make get got go going dear mr mrs ms mom mum dad no nope total speaking hope wish english "
        "spanish update ps hmm ugh absolutely definitely totally exactly agreed cheers bye goodbye check "
        "see look remember plus work life dance music art family friends time things everyone everything "
        "something someone nothing nature people being having doing making taking getting seeing working "
        "looking trying everybody nobody anybody somebody anyone half deadline latency rent price budget god jesus "
        "ai tv uk us usa eu pm am "
        "id pc ceo cto cfo hr phd ba ma bsc msc diy"
    )
    | MONTHS
    | DAYS
)
CONJUNCTIONS = wordset(
    "and but so because since although though while when as that or yet plus cause cuz where whereas "
    "until before after cos now"
)
TIMEY = wordset(
"ago week weekend month year night morning evening afternoon spring summer autumn winter fall "
"today yesterday tomorrow tonight currently recently lately nowadays days"
) | MONTHS | DAYS  # fmt: skip
