"""What a verb says of its subject is data: one line per verb and preposition, tried in order, in the words of the
registry.

Columns: verb, prepositions (`-` for a direct object), predicate, what its object must be (objects.READERS), mood.
`kinds` gives a second, finer predicate for things that a list knows ("I use Vim": an editor).
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from store.belief.reading.build import Mood
from store.belief.reading.lists import wordset
from store.belief.reading.nouns import CARS, DIETS, DRINKS, EDITORS, INSTRUMENTS, LANGUAGES, LAPTOPS, PHONES, SPORTS

_TABLE = """
live       in|near|at|on|outside   lives_in        place   state
live       with                    lives_with      who     state
reside     in|near|at              lives_in        place   state
move       to|into                 lives_in        place   onset
move       in_with                 lives_with      who     onset
relocate   to                      lives_in        place   onset
settle     in                      lives_in        place   onset
transfer   to                      works_at        org     onset
work       at|for                  works_at        org     state
work       as                      job             job     state
work       on                      works_on        project state
work       in                      works_in        field   state
work       with                    works_with      tool    state
work       -                       shift           shifts  state
insure     with|by|at              insurance       name    state
bank       with|at                 bank            name    state
intern     at                      works_at        org     state
freelance  as                      job             job     state
start      as                      job             job     onset
start      at                      @start_at       org     onset
begin      at                      @start_at       org     onset
begin      as                      job             job     onset
hire       as                      job             job     onset
promote    to                      job             title   onset
appoint    -                       job             job     onset
become     -                       job             job     onset
study      -                       studies         subject state
study      at                      studies_at      org     state
major      in                      studies         subject state
specialize in                      specialises_in  np      state
specialise in                      specialises_in  np      state
graduate   from                    graduated_from  org     event
enroll     in                      studies         subject onset
enroll     in                      studies_at      college onset
enroll     at                      studies_at      org     onset
enrol      in                      studies         subject onset
enrol      in                      studies_at      college onset
enrol      at                      studies_at      org     onset
play       -                       plays           play    state
play       for                     plays_for       name    state
play       in                      plays_in        club    state
sing       in                      sings_in        club    state
practice   -                       does            act     state
practise   -                       does            act     state
do         -                       does            act     state
speak      -                       speaks          lang    state
learn      -                       learning        learn   state
teach      -                       teaches         teach   state
teach      at                      works_at        org     state
drive      -                       drives          car     state
drive      for                     works_at        name    state
commute    by                      commute         np      state
use        -                       uses            tool    state
own        -                       owns            list    state
collect    -                       collects        list    state
eat        -                       eats            food    state
drink      -                       drinks          food    state
avoid      -                       avoids          food    state
take       -                       takes           med     state
weigh      -                       weight          amount  state
earn       -                       salary          amount  state
make       -                       salary          pay     state
watch      -                       watching        show    state
wear       -                       wears           aid     state
measure    -                       height          amount  state
pay        -                       rent            rent    state
like       -                       likes           liking  state
love       -                       likes           liking  state
enjoy      -                       likes           liking  state
adore      -                       likes           liking  state
hate       -                       dislikes        liking  state
dislike    -                       dislikes        liking  state
detest     -                       dislikes        liking  state
loathe     -                       dislikes        liking  state
prefer     -                       prefers         pref    state
volunteer  at|with|for             volunteers_at   org     state
train      at                      gym             name    state
train      for                     training_for    np      state
read       -                       reading         book    state
coach      -                       coaches         np      state
belong     to                      member_of       club    state
join       -                       member_of       club    onset
subscribe  to                      subscribes_to   list    state
subscribe  to                      subscribes_to   list    onset
date       -                       partner         name    state
marry      -                       partner         name    onset
manage     -                       manages         np      state
lead       -                       manages         teamy   state
run        -                       runs            venture state
own        -                       runs            venture state
build      -                       works_on        venture state
write      -                       works_on        piece   state
develop    -                       works_on        piece   state
design     -                       works_on        piece   state
create     -                       works_on        piece   state
record     -                       works_on        piece   state
photograph -                       works_on        piece   state
support    -                       supports        name    state
attend     -                       goes_to         group   state
raise      -                       raises          animals state
keep       -                       keeps           animals state
breed      -                       raises          animals state
grow       -                       grows           plants  state
suffer     from                    has_condition   np      state
visit      -                       visited         rest    event
travel     to                      visited         place   event
fly        to                      visited         place   event
tour       -                       visited         place   event
explore    -                       visited         place   event
buy        -                       bought          goods   event
order      -                       bought          goods   event
get        -                       @get            goods   event
meet       -                       met             who     event
finish     -                       finished        done    event
complete   -                       finished        done    event
pass       away                    died            -       event
die        -                       died            -       event
"""

EVENTS = wordset(
    "paint draw write publish submit launch release record perform exhibit plant bake build create "
    "design knit sew crochet win break lose find adopt rescue foster repair fix install upgrade "
    "celebrate host organize organise organise run climb hike swim sail graduate pass fail propose "
    "donate sprain injure start open close join sign register apply book receive watch "
    "read see catch crash total photograph make take try attend ship deploy rewrite rebuild migrate "
    "hire sponsor beat land renovate redecorate undergo cook clean combine discover explore film direct audition "
    "interview "
    "deliver assemble decorate rehearse grill roast dye dig present pitch play hold throw surprise teach adopt"
)
"""Verbs whose past, with an object of their own, is an event worth keeping. The predicate is the past form."""


class Frame(NamedTuple):
    """One line of the table."""

    prepositions: tuple[str, ...]
    predicate: str
    kind: str
    mood: Mood


@cache
def frames() -> dict[str, tuple[Frame, ...]]:
    """The table by verb."""
    table: dict[str, list[Frame]] = {}
    for line in _TABLE.strip().splitlines():
        verb, prepositions, predicate, kind, mood = line.split()
        table.setdefault(verb, []).append(Frame(tuple(prepositions.split("|")), predicate, kind, mood))  # type: ignore[arg-type]  # the table is checked by a test
    return {verb: tuple(rows) for verb, rows in table.items()}


def finer(thing: str) -> str | None:
    """The predicate for a thing that a list knows ("ThinkPad X1": laptop), None for others."""
    low = thing.lower()
    words = set(low.replace("-", " ").split())
    if words & LAPTOPS or low.endswith(" laptop"):
        return "laptop"
    if words & PHONES:
        return "phone"
    if low in EDITORS:
        return "editor"
    return None


def switched(thing: str) -> str:
    """What it is to have switched to something: the predicate that fits it, by what the lists know."""
    low = thing.lower()
    words = set(low.split())
    if words & DIETS:
        return "diet"
    if low in DRINKS:
        return "drinks"
    if low in INSTRUMENTS | SPORTS:
        return "plays"
    if words & CARS:
        return "drives"
    if low in LANGUAGES:
        return "learning"
    return finer(thing) or "uses"
