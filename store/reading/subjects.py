"""Somebody is named by one mention key; a pronoun means the last who was spoken of and fits, or nobody.

`subject_of` reads the words that a statement points at: "my sister" is "me>sister", "Tom's wife" "tom>partner", "the
van" "van", and "she" whoever was spoken of. `mentions_in` tells of whom a claim speaks, for the pronouns after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from store.beliefs.predicates import find
from store.beliefs.values import value_key
from store.reading.context import SENTENCE_END
from store.reading.encoder import Statement, Words
from store.reading.given import gender_of
from store.reading.kin import PLURALS, RELATIONS
from store.reading.labels import LABELS
from store.records import Claim
from store.text.nouns import EVENT_NOUNS

_FIRST = frozenset(["i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "im", "i'm"])
_GENDER = {
    "he": "m", "him": "m", "his": "m", "hes": "m", "he's": "m", "she": "f", "her": "f", "hers": "f", "shes": "f",
    "she's": "f",
}  # fmt: skip
_VAGUE = frozenset(
    ["it", "its", "they", "them", "their", "this", "that", "these", "those", "who", "you", "your", "one"]
)
_WORD = re.compile(r"(?i)(?:mother|father|brother|sister|son|daughter) in law\b|[\w'’-]+")
NEAR = 3
"""Turns back that a pronoun surely reaches."""
_HOLDERS = frozenset(["my", "our", "his", "her"])
NAMING = frozenset(one.holds for one in LABELS.values() if find(one.holds).is_relation) | {"acquaintance"}
"""Predicates whose value is somebody."""


def is_pronoun(word: str) -> bool:
    """Whether a word, in lower case, only points at somebody or something."""
    return word in _GENDER or word in _VAGUE


@dataclass(frozen=True, slots=True)
class Mention:
    """Somebody who was spoken of: key, gender (m, f, n, x for animals) and where in the text, of a turn before how many
    turns back, negative."""

    key: str
    gender: str
    at: int


def subject_of(text: str, said: Statement, me: str, mentions: Sequence[Mention]) -> tuple[str | None, bool]:
    """(mention key, whether it is certain) of whom a statement is about; None where nobody fits."""
    if said.subject is None:
        return me, True
    words = text[said.subject.start : said.subject.end].strip(" ,.;:")
    low = words.lower().replace("’", "'")
    if low in _FIRST:
        return me, True
    if low in _GENDER:
        doer = _doer(text, said, mentions)
        others = [one for one in mentions if doer is None or one.key != doer.key]
        return _meant(text, _GENDER[low], said.subject.start, others)
    if low in _VAGUE or low.split()[:1] == ["your"]:
        return None, False
    return key_of(text, said.subject, me, mentions), True


def named_by(pronoun: str, at: int, mentions: Sequence[Mention]) -> tuple[str | None, bool]:
    """(whom "him" or "her" surely means, whether nobody else does); (None, False) of any other word."""
    surely = [one for one in mentions if one.gender == _GENDER.get(pronoun)]
    return _meant("", _GENDER[pronoun], at, surely) if surely else (None, False)


def _meant(text: str, gender: str, at: int, mentions: Sequence[Mention]) -> tuple[str | None, bool]:
    """(the last who was spoken of and fits, whether nobody else does in the sentence, or the turn, that spoke of them).

    One whose name says neither he nor she fits only where nobody surely does.
    """
    here = [mention for mention in mentions if 0 <= mention.at < at]
    for some, fits in ((here, {gender}), (here, {"n", "x"}), (mentions, {gender}), (mentions, {"n", "x"})):
        near = [mention for mention in some if mention.gender in fits and mention.at < at]
        if near:
            last = near[-1]
            beside = [
                one
                for one in near
                if one.at == last.at or (one.at >= 0 and not SENTENCE_END.search(text, one.at, last.at))
            ]
            sure = len({one.key for one in beside}) == 1 and (len(fits) == 1 or last.gender == "n")
            return last.key, sure and last.at >= -NEAR
    return None, False


HIM_OR_HER = re.compile(
    r"(?i)\b(?:him\b|her(?=\Z| (?:every|each|on|at|in|to|for|with|up|off|out|again|after|before|and)\b))"
)
"""Whom something is done to; "her" before a noun says whose it is."""


def _doer(text: str, said: Statement, mentions: Sequence[Mention]) -> Mention | None:
    """Who does it to him or her, and so is another: in "Dr Mehta put her on statins" she is not the doctor, nor in "Dr
    Mehta changes her tablets"."""
    where = said.subject or said.value
    done = HIM_OR_HER.match(text, where.start) or said.predicate in ("medicine", "health")
    here = [one for one in mentions if 0 <= one.at < where.start and not SENTENCE_END.search(text, one.at, where.start)]
    return here[-1] if here and done else None


def key_of(text: str, where: Words, me: str, mentions: Sequence[Mention]) -> str:
    """The mention that some words make: "my sister" is "me>sister", "Tom's wife" "tom>wife", "the van" "van"."""
    words = _WORD.findall(text[where.start : where.end].replace("’", "'"))
    words = [word.replace(" ", "-") for word in words]
    words = words[words[:1] in (["The"], ["A"], ["An"]) :]
    low = [word.lower() for word in words]
    if not words:
        return value_key(text[where.start : where.end])
    before = _WORD.findall(text[max(0, where.start - 12) : where.start].replace("’", "'"))
    holder = me
    owner = before[-1].lower() if before else ""
    if low[0] in _HOLDERS:
        owner, words, low = low[0], words[1:], low[1:]
        if len(low) > 1 and low[0].endswith("'s") and low[0][:-2] in RELATIONS and owner in ("my", "our"):
            holder, words, low = f"{me}>{RELATIONS[low[0][:-2]][0]}", words[1:], low[1:]
    elif low[0].endswith("'s") and len(low) > 1:
        holder, owner, words, low = value_key(words[0][:-2]), "", words[1:], low[1:]
    elif (owns := OWNS.match(" ".join(words))) is not None:
        holder, owner, words, low = value_key(owns["holder"]), "", words[1:], low[1:]
    elif owner.endswith("'s"):
        holder = value_key(before[-1][:-2])
    if owner in ("his", "her"):
        holder = _meant(text, _GENDER[owner], where.start, mentions)[0] or owner
    name = [word for word, small in zip(words, low, strict=True) if word[:1].isupper() and small not in RELATIONS]
    kin = [small for small in low if small in RELATIONS or small in PLURALS]
    if name and (kin or len(name) == len(words)):
        return value_key(" ".join(name).removesuffix("'s"))
    if len(low) == 2 and low[0] in RELATIONS and gender_of(low[1]) != "n":
        return str(low[1])  # "my mom ines", by whom no capitals are written
    if kin and (theirs := "".join(low[-2:-1]).rstrip("'")) in PLURALS:
        holder = f"{holder}>{RELATIONS[PLURALS[theirs]][0]}"  # "the kids dad", with or without its apostrophe
    if kin and kin[-1] == low[-1].removesuffix("'s"):
        noun = PLURALS.get(kin[-1], kin[-1])
        which = f"{low[-2]}_" if len(low) > 1 and low[-2] in _WHICH else ""
        return f"{holder}>{which}{RELATIONS[noun][0]}"
    return value_key(" ".join(words).removesuffix("'s")) or value_key(text[where.start : where.end])


_WHICH = frozenset(["older", "elder", "eldest", "oldest", "younger", "youngest", "big", "little", "middle", "twin"])
"""What tells one of several from the others: "my younger brother"."""
OWNS = re.compile(
    r"(?!(?i:james|charles|miles|agnes|ines|thomas|lucas|chris|dennis|marcus)\b)(?P<holder>[A-Z]?[a-z]{2,}(?<!s))s "
    r"(?:birthday|bday|mum|mam|mom|dad|sister|brother|wife|husband|girlfriend|boyfriend)\b"
)
"""A name before what is hers, without an apostrophe: "niamhs birthday"."""


def mentions_in(text: str, said: Statement, claim: Claim) -> Iterator[Mention]:
    """Whom a claim speaks of, for the pronouns after it."""
    predicate = claim.predicate
    if said.subject is not None and ">" in claim.subject:
        noun = claim.subject.rpartition(">")[2]
        yield Mention(
            claim.subject, RELATIONS.get(noun.replace("_", "-"), RELATIONS.get(noun, ("", "n")))[1], said.subject.start
        )
    elif said.subject is not None and claim.subject != claim.asserted_by:
        words = text[said.subject.start : said.subject.end]
        if _is_a_name(words):
            yield Mention(claim.subject, gender_of(words), said.subject.start)
    if predicate in RELATIONS or LABELS[said.predicate].holds in NAMING:
        gender = RELATIONS.get(predicate, ("", "n"))[1]
        named = gender_of(claim.object)
        yield Mention(value_key(claim.object), gender if gender != "n" else named, said.value.start)


def _is_a_name(words: str) -> bool:
    """Whether words may be somebody's name, of whom "she" may be said next, and not "The surgery" or "MRI"."""
    every = [word for word in _WORD.findall(words) if word not in ("The", "A", "An", "This", "That")]
    named = bool(every) and every[0][0].isupper() and not every[0].isupper() and every[0].lower() not in _GENDER
    return named and not any(word.lower() in EVENT_NOUNS for word in every)


def called(predicate: str, value: str) -> str:
    """A value by its name: who lives with "her husband Johan" lives with Johan."""
    if predicate != "lives_with":
        return value
    first, _, name = re.sub(r"(?i)^(?:my|our|his|her|their) ", "", value).partition(" ")
    if first.lower() in RELATIONS and name[:1].isupper():
        return name
    return value


_I_DO = re.compile(
    r"(?i)(?:^|[.!?;:,\n–—]|\b(?:and|but|so|then|because|cos|since|as)\b)\W*"
    r"(?:(?:and|but|so|then|also|oh|well|yeah|yes|no|ok|btw|by the way|anyway|actually|guess what)\W+)*"
    r"(?:i|we)(?:['’](?:m|ve|re|d|ll))?\s(?!(?:\w+ )?(?:mean|meant|said|say|think|thought|guess|told|typed|misheard"
    r"|misread|wrote|got (?:it|that|this|him|her|them))\b)[^.!?;:,\n]*\Z"
)


def is_mine(text: str, said: Statement) -> bool:
    """Whether the clause of a statement says that it is of whoever writes: "I moved to" Lisbon, and not "I meant"."""
    return said.subject is None and is_i(text, said.value.start)


def is_i(text: str, at: int) -> bool:
    """Whether "I" or "we" is the subject of the clause in which a place of a text lies."""
    return _I_DO.search(text, 0, at) is not None
