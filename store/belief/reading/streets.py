"""A street is known by how its name ends; the list knows no town."""

from __future__ import annotations

from store.belief.reading.clause import Clause
from store.belief.reading.lists import wordset

_STREETS = tuple(
    wordset(
        "street st road rd avenue ave lane drive close way square court place boulevard crescent terrace weg straße "
        "strasse str allee platz gasse ring damm ufer rua calle via rue laan straat gatan vägen"
    )
)


def is_street(word: str) -> bool:
    """The word ends as the names of streets do."""
    return word.rstrip(".").endswith(_STREETS)


def with_number(clause: Clause, stop: int) -> int:
    """ "Gartenweg" goes on to "12"; "Berlin" not to "2024"."""
    number = clause.low(stop)
    return stop + 1 if is_street(clause.low(stop - 1)) and number[:1].isdigit() and len(number) < 5 else stop
