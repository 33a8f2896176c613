"""Somebody is named by one mention key: "me", a lower-case name, or a path of relations; a pronoun only when one
fits.

`person_at` reads a person (or a pet) that the words name: "my brother Paul", "Ana, my sister", "Paul's wife", "her
dog", "Dr. Patel".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from store.reading.rules.given import gender_of
from store.reading.rules.lexicon import (
    DETERMINERS,
    FILLERS,
    NON_NAMES,
    NUMBERS,
    PLURALS,
    RELATION_ADJECTIVES,
    RELATIONS,
)
from store.reading.rules.words import Token
from store.text.forms import form_of
from store.text.lists import wordset
from store.text.nouns import FAITHS, NATIONALITIES

ASSISTANT = "assistant"
ME = "me"
_TITLES = wordset(
    "dr prof mr mrs ms professor doctor uncle aunt auntie sister brother father sr sra señora señor "
    "don dona avó avô herr frau madame tia tio"
)
_BARE = wordset("mum mom dad mummy daddy grandma grandpa granny nana grandad granddad gran")
_LINKS = frozenset(["named", "called"])
_PRONOUN_GENDER = {"he": "m", "she": "f", "his": "m", "her": "f", "him": "m"}
_GONE = ("ex", "former", "old", "first_", "previous", "late")
_DISTINCT = (
    "older",
    "younger",
    "little",
    "big",
    "eldest",
    "oldest",
    "youngest",
    "elder",
    "twin",
    "half",
    "second",
    "other",
)
_GROUPS = wordset("parents grandparents kids children sons daughters brothers sisters cousins cats dogs")


@dataclass(frozen=True)
class Speakers:
    """Who of the speakers is the person: their names, casefolded."""

    person: frozenset[str]


def mention_of(speaker: str, role: str, speakers: Speakers) -> str:
    """The mention key of a speaker: "me" for the person, "assistant" for the model, else the name in lower case."""
    name = speaker.strip()
    if role == "assistant":
        return ASSISTANT
    return ME if name.casefold() in speakers.person or name.casefold() == ME else name.lower()


@dataclass(frozen=True, slots=True)
class Relation:
    """Somebody stands to somebody in a relation, by name: (holder, predicate, name) and the noun that was used."""

    holder: str
    predicate: str
    name: str
    noun: str


@dataclass(frozen=True, slots=True)
class Person:
    """A person or pet named by tokens[start:end]."""

    key: str
    start: int
    end: int
    gender: str = "n"
    relations: tuple[Relation, ...] = ()
    more: tuple[str, ...] = ()
    """The keys of others named with them ("Paul and Ana")."""
    plural: bool = False
    """Several who are spoken of as one ("my parents")."""


@dataclass(slots=True)
class Scene:
    """Who "I" is, and who was mentioned so far, in order."""

    me: str
    aside: frozenset[str] = frozenset()
    """The speakers themselves: never whom "he" or "she" means."""
    sentences: list[list[tuple[str, str]]] = field(default_factory=lambda: [[]])
    """(key, gender) of who was mentioned, by sentence, the newest last."""
    spoken_of: str = ""
    """The subject of the last clause, "" where there was none."""
    genders: dict[str, str] = field(default_factory=dict)
    """What a pronoun has said of somebody whose name does not tell."""
    named: set[str] = field(default_factory=set)
    """Who is named in the sentence that is being read, pronouns left aside."""
    told: list[tuple[Relation, int, int]] = field(default_factory=list)
    """The relations that names were given with, and their characters."""

    def note(self, person: Person, span: tuple[int, int], *, certain: bool = False) -> None:
        """Remember that somebody was mentioned; a bare name counts if it is surely somebody's."""
        self.told.extend((relation, *span) for relation in person.relations)
        if person.plural:
            holder = person.key.rpartition(">")[0]
            if holder and ">" not in holder and holder != self.me and holder not in self.aside:
                self.sentences[-1].append((holder, gender_of(holder)))
            return
        titled = person.key.partition(" ")[0].rstrip(".") in _TITLES and " " in person.key
        certain = certain or titled or bool(person.relations) or ">" in person.key or person.gender != "n"
        if certain and person.key not in self.aside and person.key != self.me:
            self.sentences[-1].append((person.key, person.gender))
            # "Maria and Ana": either may be whom the next pronoun means.
            self.sentences[-1] += [
                (name, person.gender if person.relations else gender_of(name)) for name in person.more
            ]
            self.named.update((person.key, *person.more))

    def next_sentence(self) -> None:
        """A new sentence begins."""
        self.named.clear()
        if self.sentences[-1]:
            self.sentences.append([])

    def meant_by(self, pronoun: str) -> str | None:
        """Whom he, she, his or her means: the only one who fits in the nearest sentence where anybody does, else
        None."""
        gender = _PRONOUN_GENDER.get(pronoun)
        if gender is None:
            return None
        for back, sentence in enumerate(reversed(self.sentences)):
            fitting = self._same(
                _fitting([pair for pair in sentence if self.genders.get(pair[0], gender) == gender], gender)
            )
            if not fitting:
                continue
            key = next(iter(fitting)) if len(fitting) == 1 else None
            if key is not None:
                self.genders.setdefault(key, gender)
            if key is not None and back:
                self.sentences[-1].append((key, gender))
            return key
        return None

    def _same(self, keys: set[str]) -> set[str]:
        """Without the relation paths of those who are there by name ("my sister" beside "Ana")."""
        paths = {f"{told.holder}>{told.predicate}" for told, _, _ in self.told if told.name.lower() in keys}
        return keys - paths


def _fitting(turn: Iterable[tuple[str, str]], gender: str) -> set[str]:
    known = {key for key, sex in turn if sex == gender}
    open_ones = {key for key, sex in turn if sex in ("n", "x")}
    if known:
        return known
    return open_ones


def person_at(tokens: Sequence[Token], at: int, end: int, scene: Scene) -> Person | None:
    """The person or pet whom the words from tokens[at] name, with the relations that this says; None if nobody."""
    token = tokens[at]
    if token.kind != "word":
        return None
    if token.low in ("my", "our", "his", "her"):
        holder = scene.me if token.low in ("my", "our") else scene.meant_by(token.low)
        return None if holder is None else _related(tokens, at, at + 1, end, holder, scene)
    if token.low in _BARE and (
        token.text[0].isupper()
        or at == 0
        or tokens[at - 1].kind != "word"
        or tokens[at - 1].low in wordset("and but so that because with")
    ):
        name, gender = RELATIONS[token.low]
        return _owned(tokens, Person(f"{scene.me}>{name}", at, at + 1, gender), end, scene)
    return _named(tokens, at, end, scene)


def _related(tokens: Sequence[Token], start: int, at: int, end: int, holder: str, scene: Scene) -> Person | None:
    """ "(my) older brother Paul('s wife)", from tokens[at]."""
    first = at
    while at < end and (tokens[at].low in RELATION_ADJECTIVES or tokens[at].low in NUMBERS):
        at += 1
    noun, after = relation_noun(tokens, at, end)
    if not noun:
        return None
    plural = noun in PLURALS
    base, gender = RELATIONS[PLURALS.get(noun, noun)]
    adjective = "_".join(token.low for token in tokens[first:at] if token.low not in NUMBERS)
    gone = adjective.startswith(_GONE)
    names, after = names_after(tokens, after, end, many=plural)
    if plural and not names:
        several = f"{holder}>{noun}" if noun in _GROUPS else ""
        return Person(several, start, after, plural=True) if several and holder else None
    if names:
        gender = gender if gender != "n" else gender_of(names[0])
        told = () if gone else tuple(Relation(holder, base, name, noun) for name in names)
        more = tuple(name.lower() for name in names[1:])
        return _owned(tokens, Person(names[0].lower(), start, after, gender, told, more), end, scene)
    path = f"{holder}>{adjective}_{base}" if gone or adjective.startswith(_DISTINCT) else f"{holder}>{base}"
    return _owned(tokens, Person(path, start, after, gender), end, scene)


def relation_noun(tokens: Sequence[Token], at: int, end: int) -> tuple[str, int]:
    """The relation noun at tokens[at], singular or plural, of one word or two, and the index after it; "" if none."""
    if at >= end:
        return "", at
    if at + 1 < end:
        pair = f"{tokens[at].low} {tokens[at + 1].low}"
        if pair in RELATIONS:
            return pair, at + 2
    low = tokens[at].low
    return (low, at + 1) if low in RELATIONS or low in PLURALS else ("", at)


def names_after(tokens: Sequence[Token], at: int, end: int, *, many: bool = False) -> tuple[list[str], int]:
    """Names in apposition: "Paul", ", Paul,", "called Paul", and for plurals "Ben and Theo"; and the index after
    them."""
    start = at
    at += at + 1 < end and tokens[at].low in ("here", "there") and tokens[at + 1].text == ","
    comma = at < end and tokens[at].text in wordset(", ( : - – —")
    at += comma
    if at < end and tokens[at].low in _LINKS:
        at += 1
    name, after = name_at(tokens, at, end)
    if not name and not comma and at < end and tokens[at].low in _MONTH_NAMES and tokens[at].capital:
        name, after = tokens[at].text, at + 1  # "my son Jan"
    if not name or (comma and not many and not _closed(tokens, after, end)):
        return [], start
    names = [name]
    while many and after < end and (tokens[after].text == "," or tokens[after].low in ("and", "&")):
        skip = 2 if tokens[after].text == "," and after + 1 < end and tokens[after + 1].low == "and" else 1
        name, further = name_at(tokens, after + skip, end)
        if not name:
            break
        names.append(name)
        after = further
    if comma and after < end and tokens[after].text in (",", ")", "-", "–", "—"):
        after += 1
    return names, after


_MONTH_NAMES = wordset("jan april may june august")


def _closed(tokens: Sequence[Token], after: int, end: int) -> bool:
    """An apposition ends where a comma, a bracket or the sentence does."""
    return after >= end or tokens[after].text in wordset(", ) . ! - – — ;")


def name_at(tokens: Sequence[Token], at: int, end: int) -> tuple[str, int]:
    """A name of one to four capitalised words at tokens[at], with its title ("Dr. Patel"), and the index after it."""
    parts: list[str] = []
    start = at
    while at < end and len(parts) < 4:
        token = tokens[at]
        if token.low in _TITLES and token.text[0].isupper() and not parts:
            dot = at + 1 < end and tokens[at + 1].text == "."
            at += 2 if dot else 1
            parts.append(token.text + ("." if dot else ""))
            continue
        if not is_name(token) or (parts and tokens[at - 1].text == ","):
            break
        parts.append(token.text)
        at += 1
    if not parts or (len(parts) == 1 and parts[0].rstrip(".").lower() in _TITLES):
        return "", start
    return " ".join(parts), at


def is_name(token: Token) -> bool:
    """A capitalised word that can be somebody's name."""
    text = token.text
    if token.kind == "quote" or not text or not text[0].isupper() or not text[0].isalpha() or len(text) < 2:
        return False
    if token.low in NON_NAMES or token.low in NATIONALITIES or token.low in FAITHS or token.low in RELATIONS:
        return False
    return any(letter.islower() for letter in text) or len(text) <= 3


_OF_WHOM = wordset("about with met saw called from by invited married")


def just_named(tokens: Sequence[Token], at: int, scene: Scene) -> str | None:
    """In "I was wrong about Nadia, she ..." she is Nadia."""
    stop = at - (tokens[at - 1].text in (",", ";", "-", "—", ":")) if at else 0
    for start in range(max(0, stop - 3), stop):
        name, after = name_at(tokens, start, stop)
        if name and after == stop < at and start and tokens[start - 1].low in _OF_WHOM:
            fits = gender_of(name) in ("n", _SEX[tokens[at].low])
            if fits:
                scene.sentences[-1].append((name.lower(), _SEX[tokens[at].low]))
            return name.lower() if fits else None
    return None


_SEX = {"he": "m", "she": "f"}


def _named(tokens: Sequence[Token], at: int, end: int, scene: Scene) -> Person | None:
    name, after = name_at(tokens, at, end)
    if not name or (at == 0 and (form_of(tokens[0].low) or tokens[0].low in FILLERS)):
        return None
    key = name.lower()
    told: tuple[Relation, ...] = ()
    gender = gender_of(name)
    if after + 2 < end and tokens[after].text == "," and tokens[after + 1].low in ("my", "our", "his", "her"):
        role = person_at(tokens, after + 1, end, scene)
        if role is not None and not role.relations and _closed(tokens, role.end, end) and role.key.count(">") == 1:
            holder, relation = role.key.split(">")
            told = (Relation(holder, relation, name, tokens[role.end - 1].low),)
            closing = role.end < end and tokens[role.end].text == ","
            after, gender = role.end + closing, role.gender
    more = _together(tokens, after, end)
    if more:
        return Person(key, at, more[1], gender, told, (more[0].lower(),))
    return _owned(tokens, Person(key, at, after, gender, told), end, scene)


def _together(tokens: Sequence[Token], at: int, end: int) -> tuple[str, int] | None:
    if at + 1 < end and tokens[at].low == "and":
        name, after = name_at(tokens, at + 1, end)
        if name:
            return name, after
    return None


def _owned(tokens: Sequence[Token], person: Person, end: int, scene: Scene) -> Person:
    """Go on from "my brother" to "my brother's wife" where the 's is a possessive."""
    at = person.end
    if at + 1 >= end or tokens[at].low != "'s" or tokens[at + 1].low in DETERMINERS:
        return person
    further = _related(tokens, person.start, at + 1, end, person.key, scene)
    if further is None or person.more:
        return person
    return replace(further, relations=(*person.relations, *further.relations))
