"""A fragment means something only as the answer to the question before it, and only where the question leaves one
reading.

"How much do you weigh?" - "12 and a half kilos now"; "What are your pets called?" - "Max and Daisy." What the other
asked is never asserted; only the answer's own words are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from store.belief.predicates import find
from store.belief.reading.build import Draft
from store.belief.reading.clause import Clause
from store.belief.reading.groups import Group
from store.belief.reading.lexicon import INTERJECTIONS, NUMBERS, PLURALS, RELATIONS
from store.belief.reading.lists import wordset
from store.belief.reading.nouns import ATTRIBUTES, INSTRUMENTS, SPORTS
from store.belief.reading.objects import Value, amount, job, language, named, organisation, phrase, place, source
from store.belief.reading.people import names_after
from store.belief.reading.words import Sentence, Token, sentences_of

_BE = r"(?:'s|’s| is| are|'re)"
_YOUR = r"(?:your|ur)"
_MOST_WORDS = 12
_SKIP = INTERJECTIONS | wordset(
    "about around roughly a an the mine is it it's its they're they are he's she's called named and i'm in at from"
)


class Asked(NamedTuple):
    """One kind of question: what its answer fills, and how the answer is read."""

    predicate: str
    kind: str
    relation: str = ""
    """Whose it is, where it is not the person's own: "dog", "son"."""


_PLAIN: tuple[tuple[str, Asked], ...] = (
    (r"how much do you weigh", Asked("weight", "amount")),
    (r"how tall are you", Asked("height", "amount")),
    (r"how old are you", Asked("age", "age")),
    (
        r"(?:where|which city|which country|what city|what country) (?:do you live|are you (?:living|based))",
        Asked("lives_in", "place"),
    ),
    (r"where are you (?:originally )?from", Asked("from", "place")),
    (r"where did you grow up", Asked("grew_up_in", "place")),
    (r"where were you born", Asked("born_in", "place")),
    (r"(?:where|which company|what company) do you work(?: for| at)?", Asked("works_at", "org")),
    (
        r"what do you do (?:for (?:a living|work)|professionally)|what(?:'s|’s| is) your (?:job|profession|occupation)",
        Asked("job", "job"),
    ),
    (r"(?:what|which) (?:musical )?instruments? do you play", Asked("plays", "play")),
    (r"(?:what|which) languages? do you speak", Asked("speaks", "lang")),
    (r"what(?:'s|’s| is) your name", Asked("name", "name")),
    (r"how much (?:is|do you pay for) (?:the |your )?rent|what(?:'s|’s| is) your rent", Asked("rent", "amount")),
)
_COUNT = re.compile(r"(?i)\bhow many ([\w-]+) do you have\b")
_OLD = re.compile(rf"(?i)\bhow old(?: is|'s|’s) {_YOUR} ([\w-]+)\?")
_NAMES = re.compile(
    rf"(?i)\bwhat{_BE} (?:the )?names? of {_YOUR} ([\w-]+)\b|\bwhat{_BE} {_YOUR} ([\w-]+?)(?:'s|’s|s'|s’)? "
    rf"(?:names?|called|named)\b"
)
_FAVOURITE = re.compile(rf"(?i)\b(?:what|who|which){_BE} {_YOUR} (favou?rite(?: [a-z-]+){{1,3}})\?")
_ATTRIBUTE = re.compile(rf"(?i)\bwhat{_BE} {_YOUR} ([a-z-]+(?: [a-z-]+){{0,2}})\?")


def answered(
    text: str, hidden: list[tuple[int, int]], question: str, me: str
) -> Iterator[tuple[Draft, tuple[int, int]]]:
    """What the first words of a turn say as the answer to the question that the other asked last."""
    asked = asked_by(question)
    sentence = _first(text, hidden)
    if asked is None or sentence is None:
        return
    tokens = _fragment(sentence)
    if not tokens:
        return
    clause = Clause(tuple(tokens), 0, len(tokens), (me,), Group("be", "present", 0))
    span = tokens[0].start, tokens[-1].end
    fresh = "now" in {token.low for token in tokens}
    for one in _READERS[asked.kind](clause, 0):
        subject = f"{me}>{asked.relation}" if asked.relation and asked.kind == "age" else None
        single = find(asked.predicate).cardinality == "one"
        yield (
            Draft(asked.predicate, one.text, subject=subject, functional=single, cue="update" if fresh else None),
            span,
        )


def asked_by(question: str) -> Asked | None:
    """The kind of the first question of a turn, which an answer takes up first; None where it is none that is known."""
    found = [_asked(one) for one in re.findall(r"[^.!?\n]+\?", question)]
    return found[0] if found else None


def _asked(question: str) -> Asked | None:
    for pattern, asked in _PLAIN:
        if re.search(rf"(?i)\b(?:{pattern})(?!\w)", question):
            return asked
    return _open_question(question)


def _open_question(last: str) -> Asked | None:
    if (match := _COUNT.search(last)) and match.group(1).lower() in PLURALS:
        base = RELATIONS[PLURALS[match.group(1).lower()]][0]
        return Asked(f"number_of_{'children' if base == 'child' else match.group(1).lower()}", "count")
    if (match := _OLD.search(last)) and match.group(1).lower() in RELATIONS:
        return Asked("age", "age", RELATIONS[match.group(1).lower()][0])
    if match := _NAMES.search(last):
        noun = (match.group(1) or match.group(2)).lower()
        single = PLURALS.get(noun, noun)
        return Asked(RELATIONS[single][0], "names") if single in RELATIONS else None
    if match := _FAVOURITE.search(last):
        return Asked(match.group(1).lower().replace("favorite", "favourite").replace(" ", "_"), "value")
    if (match := _ATTRIBUTE.search(last)) and match.group(1).lower() in ATTRIBUTES - {
        "plan",
        "goal",
        "name",
        "age",
        "job",
    }:
        return Asked(find(match.group(1).lower().replace(" ", "_")).name, "value")
    return None


def _first(text: str, hidden: list[tuple[int, int]]) -> Sentence | None:
    """The first sentence that says something."""
    for sentence in sentences_of(text[:400], hidden, []):
        words = [token for token in sentence.tokens if token.kind == "word" and token.low not in INTERJECTIONS]
        if words and not sentence.question:
            return sentence
        if words:
            return None
    return None


def _fragment(sentence: Sentence) -> list[Token]:
    """Its words past greetings and "it's", where the whole is short and holds no other clause."""
    tokens = list(sentence.tokens)
    while tokens and (tokens[0].kind == "mark" or tokens[0].low in _SKIP or tokens[0].low in ("'s", "'m", "'re")):
        tokens.pop(0)
    while tokens and tokens[-1].kind == "mark" and tokens[-1].text not in ("%", "€", "$", "£"):
        tokens.pop()
    words = [token for token in tokens if token.kind == "word"]
    other = {token.low for token in words} & wordset(
        "i you we my your not n't never depends maybe think guess thanks what that this so"
    )
    return (
        []
        if not words or len(words) > _MOST_WORDS or other or any(token.kind == "break" for token in tokens)
        else tokens
    )


def _age(clause: Clause, at: int) -> list[Value]:
    word = clause.low(at)
    years = int(word) if word.isdigit() else NUMBERS.get(word, 0)
    end = at + 1
    if clause.low(end) in ("years", "year", "months"):
        end += 1 + (clause.low(end + 1) == "old")
    whole = end >= clause.end or clause.tokens[end].kind == "mark" or clause.low(end) in ("now", "already")
    return (
        [Value(source(clause, at, at + 1 if clause.low(at + 1) != "months" else at + 2), at, end)]
        if 0 < years < 120 and whole
        else []
    )


def _count(clause: Clause, at: int) -> list[Value]:
    word = clause.low(at)
    return [Value(clause.tokens[at].text, at, at + 1)] if word.isdigit() or word in NUMBERS or word == "none" else []


def _names(clause: Clause, at: int) -> list[Value]:
    names, after = names_after(clause.tokens, at, clause.end, many=True)
    whole = after >= clause.end or clause.tokens[after].kind == "mark"
    return [Value(name, at, after) for name in names] if whole else []


def _value(clause: Clause, at: int) -> list[Value]:
    found = phrase(clause, at)
    short = bool(found) and len(found[0].text.split()) <= 5
    whole = short and (found[0].end >= clause.end or clause.tokens[found[0].end].kind == "mark")
    return found if whole and found[0].text.lower() not in ("all", "none", "same", "hard", "tough") else []


def _playable(clause: Clause, at: int) -> list[Value]:
    return [one for one in phrase(clause, at) if one.text.lower() in INSTRUMENTS | SPORTS]


_READERS: dict[str, Callable[[Clause, int], list[Value]]] = {
    "amount": amount,
    "age": _age,
    "place": place,
    "org": organisation,
    "job": job,
    "play": _playable,
    "lang": language,
    "name": named,
    "names": _names,
    "count": _count,
    "value": _value,
}
