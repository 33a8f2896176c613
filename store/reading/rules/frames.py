"""What a verb says of its subject is data: one line per verb and preposition, tried in order, in the words of the
registry.

Columns: verb, prepositions (`-` for a direct object), predicate, what its object must be (objects.READERS), mood.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple, get_args

from store.reading.rules.build import Mood
from store.text.nouns import CARS, DIETS, DRINKS, finer

_TABLE = """
live       in|near|at|on|outside   lives_in        place   state
live       with                    lives_with      np      state
move       to|into                 lives_in        place   onset
work       at|for                  works_at        org     state
work       as                      job             np      state
work       on                      uses            device  state
work       -                       shift           shifts  state
be         on                      shift           shifts  state
have       -                       owns            owned   state
own        -                       owns            list    state
start      at                      starts_at       org     onset
start      as                      job             np      onset
insure     with|by|at              insurance       name    state
hire       as                      job             np      onset
promote    to                      job             np      onset
study      -                       studies         list    state
study      at                      studies_at      org     state
enrol      in                      studies         list    onset
enroll     in                      studies         list    onset
go         to                      goes_to         np      state
go         to                      visited         place   event
visit      -                       visited         np      event
travel     to                      visited         place   event
fly        to                      visited         place   event
volunteer  at|for                  volunteers_at   np      state
train      for                     training_for    np      state
play       -                       plays           list    state
play       for                     plays_for       name    state
play       in                      plays_in        list    state
support    -                       supports        name    state
sing       in                      sings_in        list    state
do         -                       does            list    state
speak      -                       speaks          list    state
learn      -                       learning        list    state
drive      -                       drives          car     state
commute    by                      commute         np      state
use        -                       uses            list    state
use        with                    uses            name    state
collect    -                       collects        list    state
eat        -                       eats            list    state
drink      -                       drinks          list    state
take       -                       takes           med     state
weigh      -                       weight          amount  state
measure    -                       height          amount  state
earn       -                       salary          amount  state
pay        -                       rent            rent    state
like       -                       likes           taste   state
love       -                       likes           taste   state
enjoy      -                       likes           taste   state
hate       -                       dislikes        taste   state
prefer     -                       prefers         taste   state
join       -                       member_of       np      onset
subscribe  to                      subscribes_to   list    state
subscribe  to                      subscribes_to   list    onset
"""


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
    moods: dict[str, Mood] = {mood: mood for mood in get_args(Mood)}
    for line in _TABLE.strip().splitlines():
        verb, prepositions, predicate, kind, mood = line.split()
        table.setdefault(verb, []).append(Frame(tuple(prepositions.split("|")), predicate, kind, moods[mood]))
    return {verb: tuple(rows) for verb, rows in table.items()}


def switched(thing: str) -> str:
    """What it is to have switched to something: the predicate that fits it, by what the lists know."""
    low = thing.lower()
    words = set(low.split())
    if words & DIETS:
        return "diet"
    if low in DRINKS:
        return "drinks"
    return "drives" if words & CARS else finer(thing) or "uses"
