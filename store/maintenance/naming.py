"""Which turns name somebody: by any of their names, in any case, by a first name that nobody else has, and as whose.

"Dav Okell" is named by "dav" and by "davs mum", as long as no other Dav is known; "Anna Kovac" names no Anna Berg.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import apsw

from store.beliefs import asof
from store.beliefs.entities import ARROW, ME, in_words, mention_key
from store.database.rows import column, each
from store.errors import ReaderUnavailable
from store.reading.encoder import shipped
from store.text.lists import wordset

_NO_FIRST_NAME = wordset("dr mr mrs ms miss prof sir sister brother uncle aunt auntie aunty nurse father the my")
_LIKE_A_WORD = (
    r"(?<!\bthe )(?<!\bmy )(?<!\bour )(?<!\ball )(?<!\bno )(?<!\bany )(?<!\bof )"
    r"{}(?= \w)(?! (?:and|or|are|were|is|was|to|for|from|in|on|at|by|with|that|i|we|it)\b)"
)
"""Where a name with an "s" that is an ordinary word, too ("bills"), says whose something is."""


@dataclass(frozen=True)
class Named:
    """Somebody, or something, and how they are named, in small letters."""

    entity: str | None
    names: frozenset[str]
    somebody: bool
    """A person or a pet; a thing has no first name, and is not plural for whose it is."""
    others: frozenset[str]
    """The names of everybody else."""

    def by(self, text: str) -> bool:
        """Whether a text names them."""
        return self._pattern is not None and self._pattern.search(text.casefold().replace("’", "'")) is not None

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        taken = {first_name(one) for one in self.others} | _NO_FIRST_NAME
        full = (one for one in self.names if self.somebody and " " in one and "'" not in one)
        forms = [self._form(one) for one in sorted(self.names | ({first_name(one) for one in full} - taken))]
        return re.compile("|".join(forms)) if forms else None

    def _form(self, name: str) -> str:
        """How a name stands in a text; not at the beginning of somebody else's."""
        longer = sorted(one.removeprefix(f"{name} ") for one in self.others if one.startswith(f"{name} "))
        other = rf"(?! (?:{'|'.join(map(re.escape, longer))})(?!\w))" if longer else ""
        form = rf"(?<!\w){re.escape(name)}(?!\w){other}"
        owner = f"{name}s"
        if not self.somebody or owner in self.others:
            return form
        try:
            shape = _LIKE_A_WORD if shipped().knows(owner) else "{}"
        except ReaderUnavailable:  # an erase needs no reader
            shape = _LIKE_A_WORD
        return rf"{form}|(?<!\w){shape.format(re.escape(owner))}(?!\w)"


def named(connection: apsw.Connection, name: str) -> Named:
    """Whom or what somebody means by a name: where nobody has it, the one whose full name begins with it, or with whose
    only name it begins."""
    entity, people = asof.entity_key(connection, name), _people(connection)
    my, _, rest = name.partition(" ")
    bare = rest.partition(" ")[2]  # "carol" of "my sister carol", if somebody has that name
    known = {form for called in people.values() for one in called for form in (one, first_name(one))}
    if entity is None and my.casefold() == "my" and bare.casefold() in known:
        name, entity = bare, asof.entity_key(connection, bare)
    key = mention_key(name)
    meant = [who for who, called in people.items() if who == entity or (entity is None and _is_meant(key, called))]
    called = people.pop(meant[0]) if len(meant) == 1 else set[str]()
    if entity is None and called:
        entity = next(iter(column(connection, "select id from entities where id = ?", (meant[0],))), None)
    listed = "select name from entities where id = ?1 union select mention from aliases where entity_id = ?1"
    names = {key, name, *called, *column(connection, listed, (entity,))}
    spoken = {in_words(one).casefold().replace("’", "'") for one in names} - {ME, "i", "you", "my"}
    others = frozenset[str]().union(*people.values())
    return Named(entity, frozenset(spoken), bool(called), others - spoken)


def first_name(name: str) -> str:
    """The first word of a name."""
    return name.partition(" ")[0]


def _people(connection: apsw.Connection) -> dict[str, set[str]]:
    """Everybody who is known by what was said of them, or by what they said, with their names."""
    found: dict[str, set[str]] = {}
    mentioned = (
        "select e.id, e.name, a.mention from entities e join aliases a on a.entity_id = e.id "
        "where e.kind in ('person', 'pet') and e.id <> ?"
    )
    for entity, name, mention in each(connection, mentioned, (ME,)):
        found.setdefault(entity, set()).update(one.casefold() for one in (name, mention) if ARROW not in one)
    known = set[str]().union(*found.values())
    for (speaker,) in each(connection, "select distinct speaker from episodes where role = 'user' and speaker <> 'me'"):
        if (who := speaker.casefold()) not in known:
            found[who] = {who}
    return found


def _is_meant(key: str, called: set[str]) -> bool:
    """Whether a name means somebody of these names: "dav" is Dav Okell, and "dav okell" who is called Dav alone."""
    if " " not in key:
        return any(first_name(one) == key for one in called)
    return first_name(key) in called and all(" " not in one for one in called)
