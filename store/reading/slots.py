"""A slot is named only by words that stand beside the value: the noun before "is", or the verb that governs it.

"My favourite tea is Earl Grey", "I drink coffee", "the door code of the office is 4471": the reader points at the value
and says what kind it is, and the registry's own nouns, verbs and wordings say the rest. Where they say nothing, the
reader's kind stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from typing import Any, NamedTuple

from store.beliefs.pieces import ALSO, IF_HELD
from store.beliefs.predicates import REGISTRY, find, with_trait
from store.beliefs.values import value_key
from store.reading.corrections import corrects
from store.reading.encoder import Reader, Statement, Words
from store.reading.figures import figure_slot
from store.reading.finer import finer_predicate
from store.reading.kin import PLURALS, RELATIONS
from store.reading.labels import LABELS
from store.reading.slotted import Slot
from store.reading.subjects import key_of
from store.reading.worded import around
from store.records import Claim, Stretch
from store.text.forms import form_of, ing_of
from store.text.lists import wordset
from store.text.nouns import ACTIVITIES, ATTRIBUTES, CARS, COLOURS, DIETS, SCHOOLISH, STATUSES, finer

_ADVERBS = r"(?: (?:now|still|currently|actually|also|just|about|around|only|always|called|not|a|an|the|my))*"
_COPULA = rf"(?: right now| these days| currently)?(?: (?P<tense>is|are|was|were)|['’]s){_ADVERBS} \Z"
_BECAME = (
    rf"(?: has| have|['’]s)? (?:moved|changed|went up|went down|rose|fell|dropped|increased|is up|is down|"
    rf"(?:got|was|were|been|is) (?:moved|changed|pushed|extended|raised))(?: back| up| down)? to{_ADVERBS} \Z"
)
_WAS_WRONG = (
    rf"(?: is not|['’]s not| isn['’]t) [^,.;]{{1,30}}, (?:but )?(?:it|that)(?:['’]s| is){_ADVERBS} \Z"
    rf"| wrong\W+(?:and )?(?:it|that)(?:['’]s| is| should be){_ADVERBS} \Z"
)
_LINK = re.compile(rf"(?i)(?P<is>{_COPULA})|(?P<became>{_BECAME})|(?P<wrong>{_WAS_WRONG})")
"""What leads from a noun to its value."""
_OWNED = re.compile(
    r"(?i)(?<![\w'’])"
    r"(?P<owner>(?:(?:my|our|the) (?:[\w'’-]+ ){0,2}?|(?-i:[A-Z][\w-]+ )?)[\w-]+['’]s|my|our|his|her|their|its|the) "
    r"(?P<noun>[\w-]+(?: [\w-]+){0,5}?)"
    r"(?: (?P<link>of|for|at|in|on|to|as) (?:(?:the|my|our|a) )?(?P<whole>[\w -]+))?\Z"
)
_CLAUSE = re.compile(r"[,:(]|\b(?:and|but|so|because|that)\b(?! )|(?<=\w) (?:and|but|because) ")
_FRESH = wordset("new brand-new current latest present newest")
_VAGUE = wordset("main actual personal own primary usual total")
_OTHER = wordset("old former previous last ex first second third next other least dream ideal")
"""Before a noun: another one than the one that somebody has."""
_COLOURED = wordset("car bike phone laptop")
_STALE = wordset("old former previous last ex first")
_FAVOURITE = ("favourite ", "favorite ", "go-to ")


def slot_of(text: str, said: Statement, value: str, me: str) -> Slot | None:
    """The slot that the words around a value name; None where they name none."""
    if said.status in ("planned", "event", "cancelled") and said.predicate == "event":
        return _went(text, said, value)
    slot = _to_work(text, said) or _by_noun(text, said, value, me) or figure_slot(text, said, value)
    for named in (_of_rent, _by_being, _by_verb, _of_shift, _by_doing, _by_change, _of_school):
        slot = slot or named(text, said, value)
    if slot is not None and " not " in slot.value and " not " not in value:  # "in Alzira not Valencia"
        slot = None
    if slot is not None and said.status == "corrects" and not slot.status:
        return slot._replace(status="corrects") if corrects(around(text, said)[0]) else slot
    return slot


def _of_rent(text: str, said: Statement, value: str) -> Slot | None:
    """ "We pay 1,100 euros rent"."""
    ahead, behind = around(text, said)
    rent = said.predicate in ("price", "pay") and _IN_RENT.match(behind) and _OURS.search(ahead)
    return Slot("rent", value, single=True) if rent else None


_IN_RENT = re.compile(r"(?i) (?:\w+ ){0,2}?(?:in |of |for (?:the |my |our )?)?rent\b(?! for)")
_OURS = re.compile(r"(?i)\b(?:i|we)(?:['’]ll|['’](?:re|m|ve))? (?:\w+ ){0,3}\Z")


def _of_shift(text: str, said: Statement, value: str) -> Slot | None:
    """ "I'm on day shifts now"."""
    shifts = said.subject is None and said.predicate == "schedule" and value.lower().endswith((" shift", " shifts"))
    return Slot("shift", value) if shifts else None


def _of_school(text: str, said: Statement, value: str) -> Slot | None:
    """What is called a school is gone to, and not worked at or lived in."""
    schoolish = value.lower().endswith(SCHOOLISH) and said.predicate in ("works_at", "lives_in", "goes_to")
    return Slot("school", value) if schoolish else None


def as_slot(said: Statement, slot: Slot | None, reader: Reader) -> Statement:
    """A statement whose words name its slot, as sure as that makes it."""
    if slot is None:
        return said
    status = slot.status or said.status
    whole = 1.0 if slot.value[:1].isdigit() else said.chances[0]  # where a figure ends is certain
    chances = (whole, 1.0, 1.0 if slot.status else said.chances[2], *said.chances[3:])
    return replace(said, status=status, chances=chances, sure=reader.sure_of(chances))


class _Named(NamedTuple):
    """What leads to a value, by its noun."""

    owner: str
    noun: str
    whole: str
    """What it is of, that is named behind the noun: "the door code of the office"."""
    how: str
    """The state that it gives the value: "is", "was", "corrects"."""


_BEHIND = re.compile(
    r"(?i)(?: is|['’]s| are)(?: still| now)? (?P<owner>my|our) "
    r"(?P<noun>favou?rite [\w-]+(?: [\w-]+)?)\W*(?:\Z|, )"
)


def _named_before(ahead: str, behind: str) -> _Named | None:
    """The noun that leads to a value: "my X is V", "the X went up to V", "X is not W, it is V", "V is my X"."""
    link = _LINK.search(ahead)
    if link is None:
        mine = _BEHIND.match(behind)
        return None if mine is None else _Named(mine["owner"], mine["noun"], "", "is")
    phrase = _CLAUSE.split(ahead[: link.start()])[-1].strip()
    phrase = re.sub(r"(?i)^(?:.*\b(?:had|got|gave|about) )?", "", phrase) if link["wrong"] else phrase
    found, past = _OWNED.search(phrase), (link["tense"] or "is")[0].lower() == "w"
    how = "corrects" if link["wrong"] else "was" if past else "is"
    return None if found is None else _Named(found["owner"], found["noun"], found["whole"] or "", how)


def _by_noun(text: str, said: Statement, value: str, me: str) -> Slot | None:
    """ "My X is V", "X's N is V", "the N of the X is V"."""
    found = _named_before(*around(text, said))
    if found is None:
        return None
    words = found.noun.lower().split()
    fresh = bool(_FRESH & set(words))
    words = [word for word in words if word not in _FRESH | _VAGUE]
    noun, name = _noun(words)
    if name == "name":
        return _called(_whose_name(found.owner, words), value, me)
    others = _OTHER & set(words[: -len(noun.split())]) and said.status != "was"
    over = found.how == "was" and not (said.status == "was" and _STALE & set(words))
    if not name or others or over or not _is_value(name, value, said):
        return None
    if found.whole and noun.startswith(_FAVOURITE):
        return None
    before = " ".join(word for word in words if word not in _STALE)[: -len(noun)].strip()
    if value.lower() in COLOURS and noun in _COLOURED and found.owner.lower() in ("my", "our"):
        return Slot("colour", value, f"{me}>{noun}", single=True)
    subject = _holder(found.owner, before, found.whole, name, me)
    label = find(LABELS.get(said.predicate, LABELS["other"]).holds)
    if label.temporal == "event" and noun in label.nouns and (before or found.whole):
        return None  # a deadline is when something expires
    status = "corrects" if found.how == "corrects" else "begins" if fresh and said.status == "is" else ""
    name = label.name if name not in REGISTRY and label.cardinality == "one" and noun in label.nouns else name
    return Slot(name, value, subject, status, single=True)


def _whose_name(owner: str, words: Sequence[str]) -> str:
    """Whose a name is: of "my dads name" dad's, though the apostrophe was left out."""
    kin = words[-2] if len(words) > 1 else ""
    kin = kin if kin in RELATIONS else kin.removesuffix("s")
    return f"{owner} {kin}" if owner.lower() in ("my", "our") and kin in RELATIONS else owner


def _called(owner: str, value: str, me: str) -> Slot | None:
    """ "My mother's name is Irene": who she is to whoever speaks."""
    subject = _holder(owner, "", "", "name", me)
    if subject == me:
        return Slot("name", value, me)
    if subject is None or not subject.startswith(f"{me}>") or subject.count(">") != 1:
        return None
    kin = subject.partition(">")[2]
    lasts = "is" if find(kin).lasting else ""  # whose name "was" Harold is dead at most, and no less one's father
    return Slot(kin, value, me, lasts) if kin in RELATIONS else None


def _is_value(name: str, value: str, said: Statement) -> bool:
    """Whether a value is one, and no verdict: "my phone is dead"."""
    named = any(letter.isupper() or letter.isdigit() for letter in value)
    owners = said.subject is None and said.predicate not in _ANYTHING
    return (
        named or owners or name.startswith("favourite_") or name.endswith("colour")
        or value.lower() in COLOURS or name in LABELS.get(said.predicate, LABELS["other"])
    )  # fmt: skip


_ANYTHING = ("event", "other")


def _noun(words: Sequence[str]) -> tuple[str, str]:
    """(the longest end of a noun phrase that names a slot, the name); ("", "") where none does."""
    whole = " ".join(words)
    if whole.startswith(_FAVOURITE):
        return whole, find(whole).name
    for first in range(len(words)):
        noun = " ".join(words[first:])
        if noun in RELATIONS or noun in PLURALS:
            return "", ""  # who it is, the reader says
        if noun in ATTRIBUTES:
            return noun, find(noun.replace("-", "_").replace("color", "colour")).name
    return "", ""


def _holder(owner: str, before: str, whole: str, name: str, me: str) -> str | None:
    """Whose a thing is, by the words before its noun and behind it."""
    low = owner.lower()
    if whole:
        return value_key(whole)
    if low in ("my", "our"):
        return f"{me}>{value_key(before)}" if before else me
    if low == "the":
        return value_key(before) or f"~{name}"
    if low in _THIRD:
        return None
    person = re.sub(r"['’]s$", "", owner)
    mine = re.match(r"(?i)(?:my|our) ", person)
    key = key_of(person, Words(0, len(person)), me, ())
    return f"{me}>{key}" if mine and ">" not in key and person[mine.end() :].islower() else key


_THIRD = ("his", "her", "their", "its")


def _by_being(text: str, said: Statement, value: str) -> Slot | None:
    """ "I'm pescatarian", "I'm single": a word that a list knows for what somebody is."""
    low = value.lower()
    diet = _A_DIET.fullmatch(low)
    if diet is not None and diet[1] in DIETS and said.predicate == "diet":
        return Slot("diet", value[: diet.end(1)])
    if low in DIETS and said.predicate != "event" and _AM.search(around(text, said)[0]):
        return Slot("diet", value)
    if low in STATUSES and said.predicate not in ("relationship", "event") and _AM.search(around(text, said)[0]):
        return Slot("relationship_status", value)
    return None


_A_DIET = re.compile(r"([\w-]+) diet")
_AM = re.compile(r"(?i)(?:\b(?:am|is|are)|['’](?:m|s|re))(?: not)?(?: (?:now|still|also|an?))* \Z")


class _Phrase(NamedTuple):
    """A verb with the words that follow it, and the predicate of the registry that is worded so."""

    tail: tuple[str, ...]
    predicate: str
    doing: bool
    """Only as "is reading"."""
    light: bool
    """It says little: only where the reader says the same."""


@cache
def _phrases() -> dict[str, tuple[_Phrase, ...]]:
    """The wordings of the registry by their verb: "subscribe" with "to"."""
    found: dict[str, list[_Phrase]] = {}
    own = {_base(one.first.split()[0]) for one in REGISTRY.values()}
    for one in REGISTRY.values():
        words = one.first.split()
        doing = words[0] == "are" and len(words) > 1 and words[1].endswith("ing")
        words = words[1:] if words[0] in ("are", "were") else words
        verb = _base(words[0]) if words else ""
        light = verb in _LIGHT_VERBS and len(words) < 2
        for change in one.changes if {"placed", "stay"} & set(one.traits) else ():
            tail = "at" if "stay" in one.traits and one.group == "work" and "being" not in one.traits else "to"
            found.setdefault(change, []).append(
                _Phrase((tail,), one.name, False, tail == "at" or "placed" in one.traits)
            )
        if (
            verb
            and one.grammar not in _NOT_VERBS
            and one.temporal != "event"
            and not one.is_relation
            and words[0] not in _NO_VERBS
        ):
            tails = [tuple(words[1:])]
            tails += [(other,) for other in _PLACING] if "placed" in one.traits and tails == [("in",)] else []
            found.setdefault(verb, []).extend(_Phrase(tail, one.name, doing, light) for tail in tails)
            for other in one.verbs if tails == [()] and not doing and one.grammar == "verb" else ():
                if other not in own and other not in _LIGHT_VERBS:
                    found.setdefault(other, []).append(_Phrase((), one.name, False, light))
    return {verb: tuple(sorted(some, key=lambda one: -len(one.tail))) for verb, some in found.items()}


def _base(word: str) -> str:
    form = form_of(word)
    return word if form is None else form[0]


_LIGHT_VERBS = wordset("take use have get need see keep want know can run plan measure be think drive")
_PLACING = ("at", "on", "near", "outside")
_NO_VERBS = wordset("a in at called have get")
_NOT_VERBS = ("of_things", "of_the_value", "noted")
_SPEECH = re.compile(
    r"(?i)\b(?:says?|said|reads?|wrote|told|texted)\b[^.!?]*[:\"“]|\b(?:you|he|she|they) (?:sa(?:y|id)|think|thought)\b"
    r"|\b(?:if|as long as|unless|suppose|hypothetically|pretend|imagine)\b"
)
"""Before a value, that it is somebody else's word, or none."""
_TOKEN = re.compile(r"[\w'’-]+")
_MAYBE = re.compile(r"(?i)\W*(?:maybe|perhaps|possibly|hopefully|i (?:think|guess))\b")
_FILLING = wordset(
    "a an the my our some any no also still now only just mostly really lots lot of bit little much many more all "
    "these those his her their very too always usually often sometimes"
)
_NEGATED = re.compile(
    r"(?i)(?:n['’]t|\b(?:is|are|was|were|do|does|did|have|has|had|ca|wo|could|would|should)nt|\bnot|\bnever|\bcannot)\b"
)
_ENDED = re.compile(r"(?i)\b(?:no longer|stopped|quit|gave up|given up|(?:done|finished)(?= \w+ing\b| \Z))\b")
_FOR_NOW = re.compile(r"(?i) for (?:today|now|tonight|the (?:day|night))\b")
_NARROWING = re.compile(
    r"(?i),? (?:with|on|in|at|for|from|to|by|without|after|before|during|while|unless|except|until|every|each|much|"
    r"often|usually|today|tonight|this|week\w*|as)\b(?! all\b)"
)
"""What narrows a denial: "I don't drink coffee after four" denies no more than it says."""
_JOBS = wordset("teach coach manage")


_NO_MORE = re.compile(r"(?i)\b(?:any ?more|any longer)\b")


def _by_verb(text: str, said: Statement, value: str) -> Slot | None:
    """The predicate that is worded by the verb before a value, or at its beginning: "I drink coffee"."""
    label = LABELS.get(said.predicate, LABELS["other"]).holds
    if said.predicate in ("favourite", "expires") or find(label).is_relation:
        return None
    ahead, behind = around(text, said)
    if _SPEECH.search(ahead) or _MAYBE.match(behind):
        return None
    ahead = _CLAUSE.split(ahead)[-1]
    words = ahead + text[said.value.start : said.value.end]
    tokens = [(one[0].lower(), one.start()) for one in _TOKEN.finditer(words)]
    first = sum(1 for _, start in tokens if start < len(ahead))
    for at in range(min(first + 1, len(tokens) - 1), max(-1, first - 7), -1):
        token = tokens[at][0]
        if token == "done":
            return None
        if at > first and not _NEGATED.search(tokens[first][0]):
            continue
        if _base(token) not in _phrases():
            if form_of(token) and at < first:
                return None
            continue
        found = _of_phrase(said, label, words, tokens, at, first, behind)
        if found is not None or at < first:
            return found
    return None


def _of_phrase(
    said: Statement, label: str, words: str, tokens: Sequence[tuple[str, int]], at: int, first: int, behind: str
) -> Slot | None:
    """The slot of the verb at one of the words before or in a value, if its wording leads up to the value."""
    verb, rest = _base(tokens[at][0]), [word for word, _ in tokens[at + 1 :]]
    form = form_of(tokens[at][0])
    doing = form is not None and "ing" in form[1]
    being = at > 0 and _BEING.fullmatch(tokens[at - 1][0]) is not None
    for phrase in sorted(
        _phrases()[verb], key=lambda one: (one.predicate != label, "proper" not in find(one.predicate).traits)
    ):
        start = at + 1 + len(phrase.tail)
        if tuple(rest[: len(phrase.tail)]) != phrase.tail or (phrase.doing and not doing) or start >= len(tokens):
            continue
        if being and not doing and not find(phrase.predicate).first.startswith(("are ", "were ")):
            continue  # "is live on both stores", "are worn oval"
        while start < len(tokens) - 1 and tokens[start][0] in _FILLING:
            start += 1
        if (
            (start > first and at < first)
            or first - start > 2
            or any(one[0] in _BETWEEN for one in (tokens[start], *tokens[start:first]))
        ):
            continue
        whole = words[tokens[start][1] :].strip(" ,.;:!?\"“”'()")
        if phrase.light and label != phrase.predicate and not (phrase.predicate == "owns" and finer(whole)):
            continue
        consumed = "consumed" in find(phrase.predicate).traits
        if doing and consumed and not _ENDED.search(words[: tokens[at][1]]):
            return None  # "eating ham" is what one does just now
        if verb in find(phrase.predicate).changes and not any(one.isupper() for one in whole):
            continue  # "I start at seven"
        if verb in find(phrase.predicate).changes and whole.lower().endswith(SCHOOLISH):
            return Slot("school", whole)  # whoever starts at a school goes to it
        if consumed and "lasts" in find(label).traits and label != phrase.predicate and said.chances[1:2] > (0.6,):
            return None  # who can never eat shellfish again is allergic to it
        if not _fits(phrase.predicate, whole) or (
            said.predicate == "job" and verb in _JOBS and not _ENDED.search(words[: tokens[at][1]])
        ):
            continue
        same = find(label).first.split()[:1] == find(phrase.predicate).first.split()[:1]
        changes = verb in find(phrase.predicate).changes
        if same and not changes and label != phrase.predicate and _fits(label, whole):
            return None
        past = said.status in ("is", "was") or (said.status == "begins" and verb not in find(phrase.predicate).changes)
        past = past and _is_over(tokens, at, form)
        status = _status(said, words[: tokens[at][1]], behind, whole, within=at >= first)
        if status == "" and find(phrase.predicate).temporal == "state":
            status = said.status if not past else "was" if said.status != "was" or doing else ""
            status = "begins" if past and verb in find(phrase.predicate).changes else status  # "started at Acme"
        return None if status is None else Slot(phrase.predicate, whole, None, status)
    return None


_BEING = re.compile(r"am|is|are|was|were|be|been|being|.*['’](?:m|re|s)")


def _is_over(tokens: Sequence[tuple[str, int]], at: int, form: tuple[str, frozenset[str]] | None) -> bool:
    """Whether a verb is told in the past: "lived", "was working", and not "have lived"."""
    tags = frozenset[str]() if form is None else form[1]
    before = [word for word, _ in tokens[max(0, at - 3) : at]]
    if any(re.fullmatch(r"have|has|been|am|is|are|.*['’](?:ve|s|m|re)", word) for word in before):
        return False
    return ("past" in tags and "base" not in tags) or ("ing" in tags and bool({"was", "were"} & set(before)))


_BETWEEN = wordset(
    "your you it that this in at on to for with by from of and or than as about into off up out down away back over"
)


def _status(said: Statement, ahead: str, behind: str, whole: str, *, within: bool) -> str | None:
    """The state that the words before a verb give it, "" for the reader's own; None where they deny what it says."""
    if _ENDED.search(ahead):
        return "ends" if said.status in ("is", "not", "was", "ends") else ""
    if _NEGATED.search(ahead):
        if _NARROWING.match(behind):
            return None
        if _NO_MORE.search(behind):
            return "ends"
        if _NARROWING.search(whole):
            return None
        return "not" if within else "" if said.status in ("not", "ends") else None
    return ""


_DOES = re.compile(r"\b(?:[Ii]|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|[A-Z]\w+)(?: (?:also|still|usually|often|never))* \Z")


_CHANGE = re.compile(
    r"(?i)\b(?<!to )(?:g[ai]v(?:e|en|ing) up|quit|stopped|cancell?ed|sold|dropped|ditched|no longer)"
    r"(?: (?:my|our|the|all|doing|playing|going|to|at|with|his|her|[\w-]+['’]s))* \Z"
)
_JOB = re.compile(r"(?i)(?:(?:my|the|his|her|our) )?(?:\w+ )?job")
_TAIL = re.compile(r"(?i) (?P<tail>membership|subscription|classes|lessons)\b")
_TAILS = {"membership": "goes_to", "subscription": "subscribes_to", "classes": "goes_to", "lessons": "learning"}
_SWITCHING = re.compile(
    r"(?i)(?:am|are|is|['’](?:m|re|s)) (?:(?P<sure>switch|migrat)|chang|mov)ing(?: \w+){0,3}? from "
    r"(?P<old>[^.,;]{1,30} to )?\Z"
)
_WHOSE = re.compile(r"[\w-]+['’]s \Z")
_MORE = re.compile(r" (?P<more>[a-z]{3,})(?=\W|\Z)")
_NO_MORE_OF = wordset(
    "for and but the with from because since last this that when today yesterday altogether ages after before about "
    "again completely entirely two three four five six years months weeks now then again too already though off"
)


def _by_change(text: str, said: Statement, value: str) -> Slot | None:
    """What the words of change say to be over: "gave up tennis", "cancelled my Spotify"."""
    ahead, behind = around(text, said)
    switching = _SWITCHING.search(ahead)
    if switching is not None and (switching["sure"] or said.predicate == "uses"):
        if switching["old"] and said.status in ("planned", "begins"):
            return Slot("uses", value, None, "begins")
        if not switching["old"] and behind.startswith(" to "):
            return Slot("uses", value, None, "ends")
    if said.status not in ("ends", "not", "is", "was") or said.predicate == "event" or not _CHANGE.search(ahead):
        return None
    predicate = LABELS.get(said.predicate, LABELS["other"]).holds
    if find(predicate).is_relation:
        return None
    if _JOB.fullmatch(value):
        return Slot("works_at", "", None, "ends")
    if (tail := _TAIL.match(behind)) is not None:
        return Slot(_TAILS[tail["tail"].lower()], value, None, "ends")
    more = _MORE.match(behind)
    if more is not None and more["more"] not in _NO_MORE_OF:
        value += more[0]
    if predicate == "diet" and not DIETS & set(value.lower().split()):
        predicate = finer_predicate(text, said, predicate, value)  # "gave up sugar"
    whose = _WHOSE.search(ahead)
    return Slot(predicate, (whose[0] if whose else "") + value, None, "ends")


def _by_doing(text: str, said: Statement, value: str) -> Slot | None:
    """A verb alone is something that one does: "I run", "stopped running"."""
    form = form_of(value.lower())
    if (
        form is None
        or said.predicate not in ("sport", "habit", "hobby", "goes_to")
        or said.status in ("event", "planned")
    ):
        return None
    ahead, behind = around(text, said)
    if "ing" in form[1] and _ENDED.search(ahead) and not _FOR_NOW.match(behind):
        return Slot("does", value, None, "ends")
    if form[1] & {"base", "s"} and _DOES.search(ahead):
        return Slot("does", ing_of(form[0]))
    return None


def _fits(predicate: str, value: str) -> bool:
    """Whether a value may be one of a predicate that shares its wording with others."""
    if predicate == "diet":
        return bool(DIETS & set(value.lower().split()))
    if predicate in ("birth_year", "born_on", "born_in"):
        year = re.fullmatch(r"(?:1[89]|20)\d\d", value) is not None
        digits = any(one.isdigit() for one in value)
        return {"birth_year": year, "born_on": digits and not year, "born_in": not digits}[predicate]
    if predicate in ("does", "sport"):
        return value.lower() in ACTIVITIES
    if predicate == "goes_to":
        return not value.lower().endswith(SCHOOLISH) and (value[:1].isupper() or value.lower() in ACTIVITIES)
    if predicate in ("weight", "height", "salary", "age"):
        return any(one.isdigit() for one in value)
    return True


_WENT = re.compile(r"(?:(?:went|flew|travelled|traveled) to|visited) (?P<place>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*)")


def _went(text: str, said: Statement, value: str) -> Slot | None:
    """ "I went to Rome" was a visit."""
    went = _WENT.fullmatch(value)
    return Slot("visited", went["place"]) if went is not None and said.status == "event" else None


_TO_WORK = re.compile(
    r"(?i)\b(?:(?:take|takes|taking|get|gets|catch|catches) (?:the|a|my) (?P<ride>[\w-]+)"
    r"|(?P<way>walk|cycle|bike|drive)s?) to (?:work|the office)"
)
_WAYS = {"walk": "on foot", "cycle": "bike", "bike": "bike", "drive": "car"}


def _to_work(text: str, said: Statement) -> Slot | None:
    """ "I take the train to work", "I walk to work"."""
    ahead, behind = around(text, said)
    found = _TO_WORK.search(f"{ahead}{text[said.value.start : said.value.end]}{behind}")
    if (
        found is None
        or said.status in ("event", "planned")
        or said.predicate not in ("habit", "uses", "drives", "other")
    ):
        return None
    return Slot("commute", found["ride"] or _WAYS[found["way"].lower()])


_JOBLESS = re.compile(
    r"(?i)\b(?:(?:quit|left|leave|leaving|lost|resigned from|packed in|chucked in) (?:my|his|her|the|our) "
    r"(?:\w+ )?(?:job|position)|"
    r"resigned|(?:got|was|been|were) (?:fired|sacked|laid off|made redundant|let go)|"
    r"handed in (?:my|his|her) (?:notice|resignation))\b"
)
_TOOK = re.compile(
    r"(?i)\b(?:us(?:e|es|ing)|got|gets?|getting|bought|buy|ha(?:ve|s)|switched|moved|upgraded|replaced|swapped|traded|changed"
    r"|own|owns)\b"
)
_FOR_OTHERS = re.compile(r"(?i)[^.!?;]* for (?:my|our|his|her)\b")


def further(text: str, said: Statement, claim: Claim) -> Iterator[Claim]:
    """What a claim says besides: a phone that is used is the phone, and who sold the car drives none."""
    ahead, behind = around(text, said)
    low = claim.object.lower()
    over = claim.cue == "stop"
    if claim.predicate in ("uses", "owns") and not claim.negative and not over and claim.cue != "correct":
        thing = finer(claim.object) or ("drives" if set(low.split()) & CARS else "")
        if thing and _TOOK.search(ahead) and not _FOR_OTHERS.match(behind):
            yield anew(claim, predicate=thing)
    if over and claim.predicate in ("uses", "owns"):
        for name in with_trait("owned"):
            if low in find(name).nouns:
                yield anew(claim, predicate=name, object="")
    sentence = f"{ahead}{text[said.value.start : said.value.end]}{behind}"
    if claim.predicate in ("event", "works_at", "job") and _JOBLESS.search(sentence) and not _NEGATED.search(sentence):
        if claim.predicate != "works_at":
            yield anew(claim, predicate="works_at", object="", cue="stop", negative=True, valid=_since(claim.valid))
        if claim.predicate != "job":
            yield anew(claim, predicate="job", object="", cue="stop", negative=True, valid=_since(claim.valid))
    if over and claim.predicate == "goes_to" and _TAIL.match(behind) is not None:
        yield anew(claim, predicate="member_of", qualifiers=((IF_HELD, "believed"),))
    wed = _WED.search(claim.object) if claim.predicate == "event" and not claim.negative else None
    if wed is not None and claim.valid.start is not None and claim.valid.start <= claim.said_at.us:
        status = "divorced" if wed["divorced"] else "married"
        yield anew(claim, predicate="relationship_status", object=status, cue="update", valid=_since(claim.valid))


_WED = re.compile(
    r"(?i)^(?:(?:finally|just) )?"
    r"(?:(?:got|were|was) (?:married|(?P<divorced>divorced))|tied the knot|our wedding)\b(?! to\b)"
)
"""What makes somebody married, or divorced, from its day on."""


def _since(valid: Stretch) -> Stretch:
    return replace(valid, end=None)


def anew(claim: Claim, **said: Any) -> Claim:
    """A claim of the same words that says something else."""
    made = replace(claim, **said)
    key = f"{claim.id}\x1f{made.predicate}\x1f{made.object}\x1f{made.cue}"
    return replace(made, id=blake2b(key.encode(), digest_size=16).hexdigest())


def switched(text: str, claims: Sequence[tuple[Statement, Claim]]) -> Iterator[Claim]:
    """What is given up for another is what the other replaces: "switched from Slack to Teams" is one change."""
    gone: set[int] = set()
    found: list[Claim] = []
    for place, (said, made) in enumerate(claims):
        claim = made
        for at, (old, before) in enumerate(claims[:place]):
            same = (before.cue, claim.cue) == ("stop", "update") and before.predicate in (claim.predicate, "detail")
            if same and before.object and _FOR.fullmatch(text, old.value.end, said.value.start):
                claim = replace(claim, replaces=before.object)
                gone.add(at)
            elif _gives_way(before, claim):  # "I drive a Golf now, the Clio gave up"
                found[at] = replace(before, replaces=claim.object)
                gone.add(place)
        found.append(claim)
    return (one for place, one in enumerate(found) if place not in gone)


def _gives_way(new: Claim, old: Claim) -> bool:
    """Whether one claim ends, at no time of its own, what another one puts in its place."""
    cues = (new.cue, old.cue) == ("update", "stop") and not new.replaces and old.valid.start is None
    return cues and bool(old.object) and (new.subject, new.predicate) == (old.subject, old.predicate)


_FOR = re.compile(r"(?i) (?:to|for|with|by|over to)(?: (?:a|an|the|my|new|using))* ?")


def set_beside(text: str, said: Statement, claim: Claim) -> Claim:
    """A value that is said to hold beside others: "I also work at the Blue Note"; and how often it does."""
    ahead, behind = around(text, said)
    known = find(claim.predicate)
    also = _ALSO_AHEAD.search(ahead) or _ALSO_BEHIND.search(behind)
    begins = said.status == "begins" and _ALSO_AHEAD.search(ahead) is not None  # "also, I got promoted to"
    if also and not begins and known.cardinality == "one" and known.temporal == "state" and claim.cue in _HOLDING:
        return replace(claim, cue="state", qualifiers=(*claim.qualifiers, (ALSO, also[0].strip().lower())))
    return claim


_HOLDING = ("state", "update")
_ALSO_AHEAD = re.compile(r"(?i)\balso (?=[^.;,]{0,40}\Z)")
_ALSO_BEHIND = re.compile(r"(?i) (?:too|as well)(?=\W|\Z)")
