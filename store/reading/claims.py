"""A claim says no more than its words: who by the words pointed at, when by theirs, and where it stands by its status.

`claims_of` turns what the reader points at in one turn into claims. What is less sure than the reader's threshold, and
what cannot be said of anybody for certain, is of the modality "unsure": kept, shown, and never folded into a belief.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import blake2b
from typing import NamedTuple

from store.beliefs.grammar import NUMBER_WORD, capital, is_plural
from store.beliefs.pieces import ALSO, CALLED_OFF, IF_HELD, OPEN, STREET
from store.beliefs.predicates import DEATH, find
from store.beliefs.values import value_key
from store.beliefs.wording import is_relation
from store.reading.context import SENTENCE_END, answered, chunks, in_turn, read_beside
from store.reading.doses import as_doses
from store.reading.doubts import ends_no_other, is_of_another
from store.reading.encoder import Before, Reader, Statement, Words
from store.reading.figures import is_left_behind
from store.reading.finer import NAMED_BY_KIN, PLACES, STREET_AND_NUMBER, as_drunk, finer_predicate, is_kind_of, label_of
from store.reading.foreign import is_foreign
from store.reading.given import gender_of
from store.reading.kin import PLURALS, RELATIONS
from store.reading.labels import LABELS, Label
from store.reading.occasions import called_off
from store.reading.protected import protected
from store.reading.slots import as_slot, further, set_beside, slot_of, switched
from store.reading.slotted import Slot
from store.reading.speakers import ME, Speakers, mention_of
from store.reading.standing import (
    AT_WORK,
    DONE,
    EXPIRES,
    IS_SO_NOW,
    as_dated,
    by_a_part,
    may_be_ahead,
    moved_from,
    moved_to,
    of_its_date,
    quoted,
    standing,
)
from store.reading.subjects import (
    NAMING,
    OWNS,
    Mention,
    ends_in_s,
    is_i,
    is_mine,
    is_pronoun,
    mentions_in,
    named_by,
    named_in,
    subject_of,
)
from store.reading.worded import (
    NOT_THAT_DAY,
    around,
    as_worded,
    is_harmless,
    is_never_denied,
    is_of_somebody,
    of_predicate,
)
from store.records import Claim, Episode, Modality
from store.text.lists import wordset
from store.text.nouns import ACTIVITIES, BREEDS, EVENT_NOUNS, SEEN_FOR_WORK
from store.time.expressions import read_times

REACH = 6
"""Turns back that a pronoun may reach."""
CHANGES = frozenset(["corrects", "ends", "not", "cancelled"])
"""States of a statement that are of something that was told."""
OVER = CHANGES - {"corrects"}
OF_A_PARTNER = 0.7
"""How sure a statement of who is somebody's partner must be: it would end another's being so."""
REVISES = 0.3
"""How sure it must be that a value revises what was told right before, whatever its state."""
ENDING = 0.6
"""How sure of its status a claim must be that ends, denies or corrects something."""
OF_WHOM = 0.75
"""How sure of its subject a claim must be to be known: below, of 72 of people whom nobody tuned to, 34 were right."""
OF_KIND, OF_EXCLUSIVE = 0.5, 0.7
"""How sure of its predicate a claim must be to keep it; another one is a detail, or something that happened. Below the
second, of 29 homes of people whom nobody tuned to, 12 were homes; and each would have ended the one before it.
"""
MOST_WORDS = 12
"""Of a note: it is a clause, and no sentence with all that hangs on it."""
NEAR = 200
"""Characters before a value in which a word may say that it is held possible only."""
ANYBODYS = "~allergic_to"
"""The subject of a claim that names nobody: of the newest one of its kind (store.beliefs.settle)."""
_OF_ME = re.compile(r"(?i)\b(?:i|we|me|my|us|our)\b")
_PASSING = re.compile(
    r"(?i)\b(?:tonight|this week(?:end)?|for (?:the (?:weekend|night)|an? (?:few|couple of) (?:days|nights)))\b"
)
_YEARS = re.compile(r"(?i)[\s-]*(?:years?|yrs?)(?:[\s-]old)?$")
_MARK = re.compile(r"[.!?;:,()\n—–]+(?:\s|$)")
_INTRODUCES = re.compile(
    r"(?i)\b(?:(?<!on the )(?<!for the )(?<!baby['’]s )name|surname|called?|known as|i['’]?m|i am|this is|it['’]?s"
    r"|signed|here)\b"
)
"""Words by which a speaker names themselves in English; a name without them may be any capital word."""


class Revision(NamedTuple):
    """A statement that revises, or may, some words of an earlier turn of the same writer."""

    said: Statement
    turn: Episode
    words: Words


@dataclass(frozen=True, slots=True)
class ReadTurn:
    """What the reader made of one turn."""

    claims: tuple[Claim, ...]
    """In the order of the words."""
    revisions: tuple[Revision, ...] = ()
    """What it points at that changes what was told right before."""


def claims_of(
    episode: Episode, before: Sequence[Episode], speakers: Speakers, reader: Reader, own: Sequence[Episode] = ()
) -> ReadTurn:
    """What a turn claims, as the reader reads it; `before` holds the turns of its session before it, oldest first.

    With `own`, turns of its writer's before it, it is read beside these instead of the one that it answers.
    """
    if is_foreign(episode.text, reader.knows):
        return ReadTurn(())
    me = mention_of(episode.speaker, episode.role, speakers)
    stated: list[tuple[Statement, Claim]] = []
    revisions: list[Revision] = []
    hidden = protected(episode.text)
    prior = read_beside(own) if own else answered(episode, before)
    mentions: list[Mention] = []
    known = cache(lambda: _spoken_of(before, speakers, reader))  # once for a turn, and only if a word asks for it
    for start, end in chunks(episode.text):
        statements = tuple(_statements(episode, start, end, prior, reader))
        for statement in _of_each(episode.text, statements):
            said = _of_the_thing(episode.text, statement)
            alone = said.of is None and not (said.revising >= REVISES and said.status in OVER)
            slot = slot_of(episode.text, said, _value(episode.text, said), me) if alone else None
            said = as_slot(said, slot := _but_another(episode.text, slot, said, statements), reader)
            if said.sure < reader.unsure or _is_passed_over(episode.text, said, hidden, statements):
                continue
            revisions += _revisions(said, own)
            subject, sure = _of_own(episode, said, own, me) or subject_of(episode.text, said, me, mentions)
            harmless = is_harmless(episode.text, said)
            subject = ANYBODYS if harmless and _is_nobodys(episode.text, said) else subject
            if subject is None:
                subject, sure = _whom(episode, said, me, [*known(), *mentions], before)
            word = episode.text[said.subject.start : said.subject.end] if said.subject else ""
            if subject is None and _OF_YOU.match(word):
                continue
            if subject is not None and subject.endswith("s") and word.isalpha():
                strange = not reader.knows(subject)
                subject = _without_its_s(subject, [*known(), *mentions], (episode, *before), said, strange=strange)
            whose = subject or _SHORT.get(word.lower(), word.lower())
            claim = _claim(episode, said, me, whose, reader, certain=subject is not None and sure, slot=slot)
            if claim is not None and claim.modality == "unsure" and claim.subject.startswith("~"):
                continue
            if claim is not None and harmless:  # of whom it is not said, and which is unsure, nobody can be asked
                named = claim.modality == "fact" or subject != ANYBODYS
                stated += [(said, replace(claim, qualifiers=((IF_HELD, "believed"),)))] if named else []
            elif claim is not None:
                claim = _beside(episode.text, said, claim, [one for _, one in stated])
                claim = _of_whom_it_was(episode, said, claim, [one for _, one in stated], before, speakers, reader)
                claim = _with_more(episode, said, _as_mine(episode.text, said, claim, me))
                if claim.predicate in _DONE_TO and _HIM_OR_HER.search(claim.object):
                    claim = _by_name(claim, said, [*known(), *mentions])
                beside = (*further(episode.text, said, claim), *_jobless(claim, me, reader.known))
                stated += [(said, one) for one in (claim, *beside)]
                mentions += mentions_in(episode.text, said, claim)
        prior = Before()
    told = _one_occasion(episode.text, tuple(switched(episode.text, stated)))
    found = {_said_by(claim): claim for claim in _once_dated(told)}
    return ReadTurn(tuple(_not_but(tuple(_made_certain(tuple(found.values()))))), tuple(revisions))


_THEY_MOVED = re.compile(
    r"(?i)\b(?:the|my|our) (?P<who>[a-z-]+) (?:(?:has|have|just) )*"
    r"(?:moved|changed|cancelled|canceled|rescheduled|postponed|pushed|delayed) (?:my|our|the) "
    r"(?P<what>appointment|appt|lesson|session|visit|meeting|class|booking)\b"
)


def _one_occasion(text: str, claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Claims in which what the dentist moved is the dentist appointment, and one occasion."""
    found = _THEY_MOVED.search(text)
    if found is None:
        return tuple(claims)
    who, what = found["who"].lower(), found["what"].lower()
    mine = [claim for claim in claims if claim.predicate == "event" and value_key(claim.object) in (who, what)]
    kept = [claim for claim in claims if claim not in mine]
    return (*kept, *(replace(claim, object=f"{who} {what}") for claim in mine[-1:]))


_BOTH = re.compile(
    r"(?i)(?P<one>(?:my|our) [a-z-]+|(?-i:[A-ZÀ-Þ])[\w-]+) (?:and|&|n) (?P<other>(?:(?:my|our) )?[\w-]+)"
)


def _of_each(text: str, statements: Sequence[Statement]) -> Iterator[Statement]:
    """Statements, each of one: what "my mum and dad" do both of them do."""
    places = {one.value for one in statements if one.predicate in ("works_at", "studies_at") and one.subject is None}
    for one in statements:
        mine = one.subject in places and is_i(text, one.value.start)  # "I work for a firm called Monetra as a tester"
        said = replace(one, subject=None) if mine else one
        if is_of_somebody(said):
            yield from _of_couple(text, said)
            continue
        if said.predicate == "age" and _WILL_BE.search(text, 0, said.value.start):
            birthday = next((one.value for one in statements if one.predicate == "born_on"), None)
            when = said.when or birthday
            yield replace(said, status="planned", when=when, sure=0.0 if when is None else said.sure)
            continue
        both = None if said.subject is None else _BOTH.fullmatch(text, *said.subject)
        if both is not None:
            yield replace(said, subject=Words(*both.span("one")))
            yield replace(said, subject=Words(*both.span("other")))
            continue
        if (beside := _beside_subject(text, said)) is not None:
            yield replace(said, subject=beside)
        yield said


_WILL_BE = re.compile(r"(?i)(?:['’]ll|\bwill|\bgoing to|\bgonna) be (?:an? )?\Z")
_COUPLE = re.compile(
    r"(?<![\w'’])(?!I\b)(?P<one>[A-ZÀ-Þ][\w-]+) and (?P<other>(?!I\b)[A-ZÀ-Þ][\w-]+) (?:have|are|were|got|get|will)\b"
)


_TOGETHER = re.compile(
    r"(?i)\b(?:together|married|engaged|couple|dating|an item|in love|split|separated|divorced|broken up|wed)\b"
)


def _of_couple(text: str, said: Statement) -> Iterator[Statement]:
    """Of "Eva and Marko have been together" that Marko is Eva's partner, and that neither is the writer's."""
    found = _COUPLE.search(text) if said.predicate == "partner" and said.subject is None else None
    found = found if found is not None and _TOGETHER.search(text, found.end()) else None
    if found is None or said.value not in (found.span("one"), found.span("other")):
        yield said
    elif said.value == found.span("other"):
        yield replace(said, subject=Words(*found.span("one")))


_AND_BEFORE = re.compile(
    r"(?i)(?:^|[.!?;,\n] ?|\b(?:and|but|so) )(?P<one>(?:my|our) [a-z-]+|[A-ZÀ-Þ][\w-]+) (?:and|&|n) (?:(?:my|our) )?\Z"
)
_AND_BEHIND = re.compile(r" (?:and|&|n) (?P<one>(?:(?:my|our) )?[\w-]+)")
_DO_BOTH = re.compile(r"(?i) (?:are|were|have|both|live|lived|work|go|love|like|play|speak|will|moved|got)\b")


def _beside_subject(text: str, said: Statement) -> Words | None:
    """Who does the same beside the subject, before it or behind: people, with a verb of several."""
    if said.subject is None or said.subject.end > said.value.start:
        return None
    before, behind = _AND_BEFORE.search(text, 0, said.subject.start), _AND_BEHIND.match(text, said.subject.end)
    found = behind if before is None else before
    if found is None or _DO_BOTH.match(text, said.subject.end if behind is None else behind.end()) is None:
        return None
    known = found["one"].split()[-1]
    return Words(*found.span("one")) if known.lower() in RELATIONS or known.istitle() else None


def _said_by(claim: Claim) -> tuple[object, ...]:
    """What a claim says, whatever words of its turn say it: an apprentice by work is one by relation, too."""
    whose = claim.subject, claim.predicate, value_key(claim.object)
    return *whose, claim.cue, claim.negative, claim.valid, claim.modality


def _made_certain(claims: Sequence[Claim]) -> Iterator[Claim]:
    """The claims of a turn without what is unsure and certain at once; who is told to have died was somebody's until
    then."""
    certain = {(one.subject, one.predicate, value_key(one.object)) for one in claims if one.modality == "fact"}
    died = {one.subject: one.valid for one in claims if one.predicate == DEATH and one.modality == "fact"}
    called = {(value_key(one.object), one.predicate) for one in claims}
    for claim in claims:
        if claim.predicate == "kind" and (claim.subject, value_key(claim.object)) in called:
            continue  # "my cat Pika" says both
        if claim.cue == "stop" and is_relation(claim.predicate) and value_key(claim.object) in died:
            until = replace(died[value_key(claim.object)], end=None)
            yield replace(claim, modality="fact", valid=claim.valid if until.start is None else until)
        elif claim.modality == "fact" or (claim.subject, claim.predicate, value_key(claim.object)) not in certain:
            yield claim


def _not_but(claims: Sequence[Claim]) -> Iterator[Claim]:
    """The claims of a turn, in which "she isn't two, she's four" puts two right, and is no dispute of two."""
    denied = {_slot_at(one): one for one in claims if one.negative and one.cue == "state" and one.predicate == "age"}
    for claim in claims:
        wrong = denied.get(_slot_at(claim))
        if wrong is None or (wrong is not claim and claim.cue != "state"):
            yield claim
        elif wrong is not claim:
            yield replace(claim, cue="correct", replaces=wrong.object)
        elif not any(one is not claim and _slot_at(one) == _slot_at(claim) and not one.negative for one in claims):
            yield claim


def _slot_at(claim: Claim) -> tuple[str, str, int]:
    return claim.subject, claim.predicate, claim.start


def _is_nobodys(text: str, said: Statement) -> bool:
    """Whether a sentence names neither whom it is of nor its writer: "walnuts are fine now"."""
    return said.subject is None and not _OF_ME.search(around(text, said)[0])


def _is_passed_over(text: str, said: Statement, hidden: Sequence[tuple[int, int]], others: Sequence[Statement]) -> bool:
    """Whether a statement claims nothing: it is quoted or made up, asked, of whoever is spoken to, or said by another
    claim."""
    return (
        any(a < said.value.end and said.value.start < b for a, b in hidden)
        or _is_asked(text, said)
        or _is_yours(text, said)
        # It is noted as what will take place.
        or (said.predicate in ("flatmate", "lives_with") and _MOVES_OUT.match(text, said.value.end) is not None)
        or (said.predicate == "expires" and text[slice(*said.value)].lower().startswith("from "))  # then it begins
        or is_left_behind(text, said)
        or _is_supposed(text, said)
        or _is_others_name(text, said)
        or is_never_denied(text, said)
        or (said.predicate == "kind" and said.subject is None)  # nobody is of a breed
        or _is_of_a_part(text, said)
        or _NOT_SETTLED.search(text, 0, said.value.start) is not None
        or (said.subject is None and _is_doubtful(said) and text.strip(" .!") == text[slice(*said.value)])
        or (said.predicate == "event" and _BODY.fullmatch(text, *said.value) is not None)  # "physio for my knee"
        or (said.predicate == "pet" and _IN_PART.search(text, 0, said.value.start) is not None)
        or _hails(text, said, others)
    )


_BODY = re.compile(
    r"(?i)(?:left |right |bad |sore )?(?:knees?|hips?|neck|shoulders?|elbows?|wrists?|ankles?|foot|feet|hands?|legs?"
    r"|arms?|tooth|teeth|eyes?|ears?|heart|skin|gums?)"
)
_SUPPOSED = re.compile(r"(?i)(?: \w+)?(?: must|['’]d| would| could) be (?!at\b|in\b)")
_CANNOT_DO = re.compile(r"(?i)\b(?:can(?:no|['’]?)t|can not|couldn['’]?t|not free|never free)(?: do| make)?(?: on)? \Z")
"""Before days, that one has no time then."""
_ANY_WEEK = re.compile(r"(?i)(?:the|a|every) (?:weekend|week|day|month|year|summer|winter|sun)")


def _but_another(text: str, slot: Slot | None, said: Statement, statements: Sequence[Statement]) -> Slot | None:
    """A slot, but for one whose value begins with another statement's of its kind: "Acme until six"."""
    before = [one for one in statements if one.value.end <= said.value.start]
    if slot is None or not any(one.predicate == slot.predicate for one in before):
        return slot
    return None if slot.value.startswith(tuple(text[slice(*one.value)] for one in before)) else slot


def _is_supposed(text: str, said: Statement) -> bool:
    """Whether nobody is said to live or to be there, or it is so of any week: "living in Lisbon must be nice", "the
    weekend ends on Sunday"."""
    if said.predicate in PLACES and _SUPPOSED.match(text, said.value.end):
        return said.subject is None and not _OF_ME.search(around(text, said)[0])
    if said.predicate == "schedule" and _CANNOT_DO.search(text, 0, said.value.start):
        return True
    timed = said.predicate in ("schedule", "expires", "measure")
    return timed and said.subject is not None and _ANY_WEEK.fullmatch(text, *said.subject) is not None


def _is_of_a_part(text: str, said: Statement) -> bool:
    """Whether those who live somewhere are of somebody or something that the reader points at instead: "most users of
    my app live in Porto"; or are of a story."""
    if said.predicate != "lives_in" or said.subject is None:
        return False
    return (
        _PART_OF.search(text, 0, said.subject.start) is not None
        or _FICTION.search(text[slice(*said.subject)]) is not None
    )


_PART_OF = re.compile(r"(?i)\b(?!(?:one|two|three|some|both|all|most|each|many|few|half) )\w+ of (?:the |my |our )?\Z")
_FICTION = re.compile(r"(?i)\b(?:characters?|avatar|protagonist)\b")
_NOT_SETTLED = re.compile(
    r"(?i)\bleaning towards?\b[^.!?;\n]*\Z|\b(?:thinks|believes|reckons|assumes) (?:that )?(?:i|we)\b[^.!?;\n]*\Z"
)
"""Before what is not decided, or what others take for true."""
_IN_PART = re.compile(r"(?i)\b(?:part|half|mostly|crossed with)(?: an?)? \Z")
"""Before a breed, that it is no pet's name."""
_NAMES = ("name", "nickname")
_OTHERS_NAME = re.compile(
    r"(?i)\b(?:(?:it|that|they|she|he)(?:['’]?(?:s|re)| is| are| was| were)(?: all| both)? (?:called|named)"
    r"|(?:their|his|her|its) names?(?:['’]s| is| are)) (?:[\w'’-]+(?:,| and|, and|n) ){0,3}\Z"
)
"""Before a name, that it is not the writer's: "they're called Jan and" Zosia."""


def _is_others_name(text: str, said: Statement) -> bool:
    mine = said.predicate in _NAMES and said.subject is None
    return mine and _OTHERS_NAME.search(text, 0, said.value.start) is not None


_IS_CALLED = re.compile(
    r"(?i)(?:\b(?:i['’]?m|i am|this is|it['’]?s|(?:my )?name(?:['’]?s| is)|call me)\s+|[,!.:–-]\s*)\Z"
)
"""What says that the name of whoever speaks follows."""


def _hails(text: str, said: Statement, others: Sequence[Statement]) -> bool:
    """Whether what opens a message only greets in some language, for the writer's name follows: "Moin, Jan here"."""
    if text[: said.value.start].strip() or said.subject is not None or said.predicate not in (*_NAMES, "other"):
        return False
    return any(
        one.predicate in _NAMES
        and one.subject is None
        and one.value.start > said.value.end
        and one.value.start - said.value.end <= len(", so my name is ")
        and _IS_CALLED.search(text, said.value.end, one.value.start) is not None
        for one in others
    )


_ITS_VERB = re.compile(r"(?i) (?:not|an?|the|in|on|at|been|off|back|my|our|his|her|gone|done|\d+|coming|going|now)\b")
"""Behind a name with an "s", that the "s" is its verb: "megans 12", "pauls not in"."""


def _without_its_s(
    subject: str, mentions: Sequence[Mention], turns: Sequence[Episode], said: Statement, *, strange: bool
) -> str:
    """Somebody who was spoken of, whose "'s" is typed without its apostrophe: "jakes allergic to nuts"; what is hers
    may tell it, too: "niamhs birthday"; and so does a word that is no verb, behind one that the reader does not know:
    "pauls not in"."""
    keys, bare = {one.key for one in mentions}, subject[:-1]
    if said.subject is not None and _A_THING.search(turns[0].text, 0, said.subject.start):
        return subject  # "a Yaris now"
    if strange and said.subject is not None and _ITS_VERB.match(turns[0].text, said.subject.end):
        return subject if ends_in_s(subject) else bare
    if bare in keys or subject in keys or not subject.islower():
        return bare if bare in keys else subject
    named = re.compile(rf"(?i)\b{re.escape(bare)}\b")
    owns = said.subject is not None and OWNS.match(turns[0].text, said.subject.start) is not None
    return bare if owns or any(named.search(turn.text) for turn in turns) else subject


_A_THING = re.compile(r"(?i)\b(?:an?|the|new|old) \Z")
_DONE_TO = frozenset(["habit", "does", "event", "plans", "detail", "goal", "visited"])
_HIM_OR_HER = re.compile(
    r"(?i)\b(?:him\b|her(?=\Z| (?:every|each|on|at|in|to|for|with|up|off|out|again|after|before|and)\b))"
)


def _by_name(claim: Claim, said: Statement, mentions: Sequence[Mention]) -> Claim:
    """What is done to her is done to whoever was spoken of, by name; it is unsure where that may be two, or nobody."""
    word = _HIM_OR_HER.search(claim.object)
    key, sure = named_by(word[0].lower(), said.value.start, mentions) if word is not None else (None, False)
    if word is None or key is None or not sure:
        return replace(claim, modality="unsure")
    name = f"my {key.removeprefix(f'{claim.asserted_by}>')}" if ">" in key else key.title()
    return replace(claim, object=f"{claim.object[: word.start()]}{name}{claim.object[word.end() :]}")


_SHORT = {"hes": "he", "he's": "he", "he’s": "he", "shes": "she", "she's": "she", "she’s": "she"}


def _of_whom_it_was(
    episode: Episode, said: Statement, claim: Claim, here: Sequence[Claim], before: Sequence[Episode],
    speakers: Speakers, reader: Reader,
) -> Claim:  # fmt: skip
    """An occasion of whoever was told of it: by the claims of its turn so far, and those of the turns before."""
    claim = _as_it_was_told(episode, said, claim, before, speakers, reader)
    return _of_the_baby(episode, said, claim, here, _told_before(before, episode, speakers, reader))


def _as_it_was_told(
    episode: Episode, said: Statement, claim: Claim, before: Sequence[Episode], speakers: Speakers, reader: Reader
) -> Claim:
    """What "the exam" is that is moved, nobody's by its own words: one of the last that was told of, and whose; and
    "the operation" is of whoever has one."""
    nobodys = said.subject is None and _THE.search(episode.text, 0, said.value.start)
    if claim.predicate != "event" or not nobodys:
        return claim
    noun = _occasion_of(claim.object)
    for turn in reversed(before) if claim.cue in ("update", "correct") else ():
        if turn.speaker != episode.speaker or noun not in turn.text.casefold():
            continue
        for one in claims_of(turn, (), speakers, reader).claims:  # alone: each would else read all those before it
            if one.predicate == "event" and not one.negative and _occasion_of(one.object) == noun:
                return replace(claim, subject=one.subject, object=one.object)
    if noun not in _TREATMENTS or claim.modality != "fact":
        return claim
    ahead = said.status == "planned"
    me = mention_of(episode.speaker, episode.role, speakers)
    told = _told_before(before, episode, speakers, reader)
    return replace(claim, subject=_last_ill(told, me) if ahead else f"~event {noun}")


def _told_before(before: Sequence[Episode], episode: Episode, speakers: Speakers, reader: Reader) -> Iterator[Claim]:
    """What the same writer claimed a few turns before, the last first; each turn is read alone."""
    for turn in reversed(before[-REACH:]):
        if turn.speaker == episode.speaker:
            yield from (one for one in reversed(claims_of(turn, (), speakers, reader).claims) if one.modality == "fact")


def _last_ill(told: Iterable[Claim], me: str) -> str:
    """Whose illness was told of last, or who is in hospital; else whoever writes."""
    ill = (one.subject for one in told if find(one.predicate).group == "health" or _HURT.search(one.object))
    return next(ill, me)


def _of_the_baby(
    episode: Episode, said: Statement, claim: Claim, here: Sequence[Claim], told: Iterable[Claim]
) -> Claim:
    """When "the baby comes", and its due date, is of whoever was told to expect one."""
    named = "" if said.subject is None else episode.text[slice(*said.subject)].lower()
    due = claim.subject == "~expires_on" and "due date" in episode.text[slice(*quoted(episode.text, said))].lower()
    if not due and not (claim.predicate == "event" and named in _BABY):
        return claim
    whose = next((one.subject for one in (*reversed(here), *told) if _EXPECTS.search(one.object)), None)
    if whose is None:
        return claim
    when = claim.valid
    if due:
        times = read_times(claim.object, episode.said_at.local(), prefer="future")
        when = next((one.stretch for one in times if one.stretch is not None), OPEN)
    return replace(claim, subject=whose, predicate="event", object="having a baby", valid=when, holds_now=False)


_BABY = frozenset(["baby", "the baby", "bubs", "bub", "bump", "the little one"])
_EXPECTS = re.compile(r"(?i)\bpregnant\b|\bexpecting\b|\b(?:having|have) (?:a|their) (?:baby|girl|boy)\b")
_HURT = re.compile(r"(?i)\bhospital\b|\b(?:broke|broken|fractured|tore|torn)\b")


_TREATMENTS = frozenset(["operation", "op", "surgery", "scan", "biopsy", "transplant"])


def _occasion_of(words: str) -> str:
    """The noun that says what takes place: of "operation went well" the operation."""
    said = words.casefold().split()
    return next((word for word in said if word in EVENT_NOUNS), said[-1])


def _as_mine(text: str, said: Statement, claim: Claim, me: str) -> Claim:
    """Somebody's work that they do for whoever speaks is who they are to them: "Kofi takes over as my manager"."""
    if claim.predicate != "job" or claim.subject == me or said.subject is None:
        return claim
    name, start = text[said.subject.start : said.subject.end], text.rfind(". ", 0, said.value.start) + 2
    if start >= 2 and said.subject.end < start:  # whom the sentence before was about
        opens = _NAME_FIRST.match(text, start)
        name = opens[1] if opens else ""
    owned = _MY.match(claim.object) or _BEHIND_MY.search(text, 0, said.value.start)
    role = find(_MY.sub("", claim.object).casefold().replace(" ", "_"))
    role = role if is_relation(role.name) else find(claim.object.casefold().split()[-1])
    if not owned or not is_relation(role.name) or not name[:1].isupper():
        return claim
    return replace(claim, subject=me, predicate=role.name, object=name)


_LOST_WORK = re.compile(
    r"(?i)\b(?:laid off|made redundant|let (?P<us>me|us) go|let go$)|^(?:(?:got|was|been) )?(?:fired|sacked)$"
)


def _jobless(claim: Claim, me: str, known: float) -> Iterator[Claim]:
    """Whoever was laid off works there no longer, whatever the place is called; of whom "they let me go" says it is
    certain, whoever they are."""
    lost = _LOST_WORK.search(claim.object) if claim.predicate == "event" and claim.cue == "state" else None
    if lost is None or claim.negative or (claim.valid.start or 0) > claim.said_at.us:
        return
    subject = me if lost["us"] else claim.subject
    modality: Modality = "fact" if lost["us"] and claim.confidence >= known else claim.modality
    for predicate in ("works_at", "job"):
        key = "\x1f".join((claim.id, predicate))
        yield replace(
            claim, id=blake2b(key.encode(), digest_size=16).hexdigest(), subject=subject, predicate=predicate,
            object="", valid=replace(claim.valid, end=None), holds_now=False, cue="stop", negative=True,
            modality=modality,
        )  # fmt: skip


_MY = re.compile(r"(?i)(?:my|our) ")
_NAME_FIRST = re.compile(r"([A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?) (?=[a-z])")
_BEHIND_MY = re.compile(r"(?i)\b(?:my|our) (?:new )?\Z")
_THE = re.compile(r"(?i)\bthe (?:[\w-]+ )?\Z")


def _is_yours(text: str, said: Statement) -> bool:
    """Whether somebody is the brother of whoever is spoken to: "your brother Nils"."""
    holds = LABELS.get(said.predicate, LABELS["other"]).holds
    return said.subject is None and holds in NAMING and _YOURS.search(text, 0, said.value.start) is not None


def _statements(episode: Episode, start: int, end: int, prior: Before, reader: Reader) -> Iterator[Statement]:
    """What the reader points at in the characters [start, end) of a turn, worded and dated, placed in the turn."""
    part = episode.text[start:end]
    found = _own_times(part, list(_repaired(part, _each_as_sure(part, reader.read([(part, prior)])[0]))))
    found = list(called_off(part, found))
    for one in as_doses(part, list(_whole_values(part, found)), reader):
        worded = _as_its_noun(episode.text, as_worded(episode.text, _shifted(one, start), reader), reader)
        worded = _as_a_patient(episode.text, worded, reader)
        timed = moved_to(episode.text, of_its_date(episode, reader, worded))
        yield _by_the_name_before(episode.text, as_dated(episode, timed))


_JOINED = re.compile(r"(?i)\s*(?:,|&|and|, and)\s*")


def _each_as_sure(text: str, found: Sequence[Statement]) -> list[Statement]:
    """Statements of which each of a list is as sure as its surest: "Mia and Ben"."""
    listed: list[Statement] = []
    for said in found:
        last, sure = listed[-1] if listed else None, said.sure
        if (
            last is not None
            and (last.predicate, last.status, last.subject) == (said.predicate, said.status, said.subject)
            and _JOINED.fullmatch(text, last.value.end, said.value.start)
        ):
            sure = max(last.sure, said.sure)
            listed[-1] = replace(last, sure=sure)
        listed.append(replace(said, sure=sure))
    return listed


_HOSPITAL = re.compile(r"(?i)\b(?:hospital|infirmary|hospice|icu|a&e|st\.? \w+['’]?s)\b")
_ILL_THERE = re.compile(
    r"(?i)\b(?:patient|ended up|rushed|admitted|kept (?:me|him|her) in|overnight|operation|surgery|pneumonia|stroke"
    r"|for (?:\w+ )?(?:days?|nights?|weeks?)|in hospital)\b"
    r"|\bwith (?:an? |my |his |her )?(?:\w+ )?(?:stone|pains?|hip|heart|leg|arm)\b"
)
_WORKS_THERE = re.compile(
    r"(?i)\b(?:work\w*|shifts?|job|nurs\w+|nurse|doctor|porter|ward sister|consultant|trained|started)\b"
)


def _as_a_patient(text: str, said: Statement, reader: Reader) -> Statement:
    """Where somebody lay ill they did not work: "I was in the Mercy hospital for four days"."""
    if said.predicate != "works_at" or not _HOSPITAL.search(text, *said.value):
        return said
    sentence = text[slice(*quoted(text, said))]
    ill = _ILL_THERE.search(sentence) is not None and _WORKS_THERE.search(sentence) is None
    return of_predicate(said, "located", reader) if ill else said


_REPAIR = re.compile(
    r"(?:,|\s[-–—(]|\.{2,}|…)?\s*(?i:no,? sorry|sorry,? no|no,? wait|wait,? no|sorry|i mean|or rather|no),?\s+"
    r"(?P<right>(?P<name>[A-ZÀ-Þ][\w'’-]+)|(?P<figure>[£$€]?\d[\d.,:]*\d|\d))"
    r"(?=\s*(?:[,.;:!?)]|\Z|(?:from|since|now|a|an|per|in|on)\b))"
)
"""What puts a word right in the same breath: "Kapitein, no sorry, Kaptein" (a repair; Shriberg 1994)."""


_FIGURED = "0123456789£$€"


def _repaired(text: str, found: Sequence[Statement]) -> Iterator[Statement]:
    """Statements with the word that was meant in the place of the one that was taken back."""
    values = {one.value for one in found}
    for one in found:
        repair, first = _REPAIR.match(text, one.value.end), text[one.value.start]
        alike = repair is not None and (
            (repair["name"] and first.isupper()) or (repair["figure"] and first in _FIGURED)
        )
        if repair is None or not alike:
            yield one
        elif Words(*repair.span("right")) not in values:
            yield replace(one, value=Words(*repair.span("right")))


_DOING_IT = re.compile(r"(?i)\b(?:doing|done|at|in) (?:it|this|that|the job)\b")


def _is_of_the_work(text: str, one: Statement) -> bool:
    """Whether a time is of what somebody does, and not of where: "a nurse in Hexham, been doing it for ten years"."""
    placed = one.when is not None and one.predicate in PLACES and one.when.start >= one.value.end
    return placed and one.when is not None and _DOING_IT.search(text, one.value.end, one.when.start) is not None


def _behind(text: str, one: Statement) -> Words | None:
    """The words of a time without those before the value that they surround: of "on 22 December, coming back 28th"
    the last ones, for coming back."""
    if one.when is None or not one.when.start < one.value.start < one.value.end < one.when.end:
        return one.when
    start = one.value.end
    while start < one.when.end and text[start] in " ,;:":
        start += 1
    return Words(start, one.when.end) if any(map(str.isalnum, text[start : one.when.end])) else one.when


def _own_times(text: str, found: Sequence[Statement]) -> list[Statement]:
    """Statements without a time that is told, sentences further on, of another one."""

    found = [replace(one, when=None if _is_of_the_work(text, one) else _behind(text, one)) for one in found]

    def far(one: Statement) -> bool:
        return one.when is not None and SENTENCE_END.search(text, one.value.end, one.when.start) is not None

    def past(one: Statement) -> bool:
        earlier = one.when is not None and SENTENCE_END.search(text, one.when.end, one.value.start) is not None
        return earlier and one.status in ("is", "begins") and _AT_PRESENT.search("".join(around(text, one))) is not None

    theirs = {one.when for one in found if not far(one)}
    found = [replace(one, when=None) if past(one) or (far(one) and one.when in theirs) else one for one in found]
    return [_as_meanwhile(text, one, found) for one in found]


_AT_PRESENT = re.compile(r"(?i)\b(?:now|nowadays|these days|currently)\b")
"""In the sentence of a value, that no time of an earlier sentence is its own."""
_MEANWHILE = re.compile(r"[a-z]+ing\b")


def _as_meanwhile(text: str, said: Statement, others: Sequence[Statement]) -> Statement:
    """What somebody was doing the while: "from 2016 to 2019 I worked at Lumo, drawing cable ducts for Acme"."""
    clause = text.rfind(", ", 0, said.value.start) + len(", ")
    if (
        clause < len(", ")
        or not _MEANWHILE.match(text, clause)
        or _SOMEBODY_DOES.search(text, clause, said.value.start)
    ):
        return said
    before = [one for one in others if one.when is not None and one.value.end < clause]
    last = max(before, key=lambda one: one.value, default=None)
    if last is None or not (said.when is None or (last.when and last.when[0] <= said.when[0] < last.when[1])):
        return said
    if SENTENCE_END.search(text, last.value.end, said.value.start) is not None:
        return said
    over = last.status in ("was", "ends") and said.status in ("is", "begins")
    return replace(said, when=last.when, status=last.status if over else said.status)


_SOMEBODY_DOES = re.compile(r"(?i)\b(?:i|we|he|she|they|it|who|and|but|is|are|am|was|were|now)\b|['’](?:s|m|re|ve)\b")


_NOUN_IS = re.compile(
    r"(?i)\b(?:my|our|his|her|their|[\w-]+['’]s) (?:[\w-]+ )?(?P<noun>[\w-]+)"
    r"(?P<is>(?: is|['’]s|,)(?: called| named)?)? \Z"
)


_NOUN_BEFORE = re.compile(r"(?:^|[\s,;(])(?<!['’]s )(?<!her )(?<!his )(?P<noun>[a-z-]+) \Z")


_NAMED_BY_WORK = NAMED_BY_KIN | {"boss", "colleague", "other"}


def _as_its_noun(text: str, said: Statement, reader: Reader) -> Statement:
    """Who is called by what they are leaves no doubt of it: "my partner is Hemi", "my mum farah"."""
    if said.predicate not in _NAMED_BY_WORK or len(said.chances) < 2:
        return said
    before = _NOUN_BEFORE.search(text, max(0, said.value.start - 30), said.value.start)
    if before is not None and text[said.value.start].isupper() and before["noun"].lower() in RELATIONS:
        kin = label_of(RELATIONS[before["noun"].lower()][0])  # "bff Jess", "husband Dev"
        return said if kin in ("", said.predicate, "boss", "colleague") else of_predicate(said, kin, reader)
    named = _NOUN_IS.search(text, max(0, said.value.start - 60), said.value.start)
    noun = "" if named is None else named["noun"].lower()
    if named is None or noun not in RELATIONS:
        return said
    relation = RELATIONS[noun][0]
    kin = label_of(relation)
    if named["is"] is None:
        return said if kin in ("", "boss", "colleague") else of_predicate(said, kin, reader)
    alike = said.predicate in NAMED_BY_KIN and (noun == said.predicate or is_kind_of(relation, said.predicate))
    kin = said.predicate if alike else kin
    return of_predicate(said, kin, reader) if kin and text[said.value.start].isupper() else said


_MOVES_OUT = re.compile(r"(?i)(?:['’]s| is| was| are| will be)? (?:moving|moved|moves|move) out\b")


def _by_the_name_before(text: str, said: Statement) -> Statement:
    """A figure that "I" leads to is of whoever speaks; what a clause with "who" tells is of the name before it; and a
    place is of whose name stands right before it."""
    if said.predicate == "age" and not _I_AM_A.search(text, 0, said.value.start):
        aged = _of_the_aged(text, said)
        if aged is not None:
            return aged
    if said.subject is not None and text[said.value.start].isdigit() and _I_DO.search(text, 0, said.value.start):
        return replace(said, subject=None, chances=(*said.chances[:3], 1.0))
    far = said.subject is not None and SENTENCE_END.search(text, said.subject.end, said.value.start) is not None
    if far and is_i(text, said.value.start):  # "Graham died in October. We moved to Hexham"
        return replace(said, subject=None, chances=(*said.chances[:3], 1.0))
    if said.subject is not None and is_of_somebody(said) and text[slice(*said.value)].lower() in ("me", "us"):
        return replace(said, value=_noun_alone(text, said.subject), subject=None)  # "my husband left me"
    if said.subject is None and (does := _he_does(text, said)) is not None:
        return replace(said, subject=does)
    words = "" if said.subject is None else text[slice(*said.subject)]
    other = words[:1].isupper() or is_pronoun(words)
    if other and said.predicate not in _OF_THINGS and (who := _who(text, said)) is not None:
        return replace(said, subject=who)
    if said.subject is None and said.predicate in _HAD and (has := _HAS.search(text, 0, said.value.start)) is not None:
        return replace(said, subject=Words(*has.span("who")))
    if said.predicate in _PLACED and (named := _MINE_ARE_THERE.search(text, 0, said.value.start)) is not None:
        return replace(said, subject=Words(*named.span("name")))
    if said.predicate in _PLACED and (named := _IS_THERE.search(text, 0, said.value.start)) is not None:
        return replace(said, subject=Words(*named.span("name")))
    return said


_AGED = re.compile(
    r"(?i)[ -]?(?:years?|yrs?|months?|weeks?)[ -]old"
    r"(?: (?!(?:and|but|now|today|this|so)\b)(?:[\w-]+ ){0,2}?(?:[\w-]+ (?:called|named) (?=\w))?(?P<who>[\w-]+))?"
    r"(?=(?: (?:called|named|who|that|and|with|in|at|from)\b|[,.!?;:(]|\s*\Z))"
)
"""Behind a figure, whose age it is: "a 4 year old" cat."""
_I_AM_A = re.compile(r"(?i)\b(?:i['’]?m|i am|i was|as) (?:an? )?\Z")


_HAS_A = re.compile(r"(?i)(?:\b(?:has|had)|['’]s)(?: got)? (?:an? )?\Z")


def _of_the_aged(text: str, said: Statement) -> Statement | None:
    """The age of what stands behind it; of somebody else's nothing is kept: "my neighbour has a 3 year old son"."""
    aged = _AGED.match(text, said.value.end)
    if aged is None or (said.subject is not None and said.subject.start > said.value.end):
        return None if aged is None else said
    if _HAS_A.search(text, 0, said.value.start) is not None:
        return replace(said, sure=0.0)
    return None if aged["who"] is None else replace(said, subject=Words(*aged.span("who")))


_I_DO = re.compile(
    r"(?i)(?<![\w'’])(?:i|we)(?:['’](?:m|ve|re))?(?: (?:am|was|were|are|have|had|been|also|still|just|now|never))*"
    r" (?!(?:and|or|with|to) )(?P<verb>\w+)(?: (?:in|at|on|as|for))?(?: (?:an?|the|my|our)(?: \w+)?)? \Z"
)
"""What leads to a figure of whoever speaks, or to what they do, before somebody else is named: "I was born in" 1989."""
_HE_DOES = re.compile(
    r"(?i)(?:^|[.!?;:,\n–—]|\b(?:and|but|so|then|because|cos|since|as|when|while|if|that|who)\b)\W*"
    r"(?:(?:and|but|so|then|also|oh|well|yeah|ok|btw|now)\W+)*(?P<who>he|she)(?:['’](?:s|d|ll))?\s"
    r"(?![^.!?;:,\n]*\b(?:i|my|we|me|us|our|you|called|named)\b)(?P<did>[^.!?;:,\n]*)\Z"
)
_POSSESSIVE = re.compile(r"(?i)(?:my|our) ")


def _noun_alone(text: str, words: Words) -> Words:
    """Some words without the possessive before them."""
    found = _POSSESSIVE.match(text, *words)
    return words if found is None else Words(found.end(), words.end)


_OF_ME_RATHER = frozenset(["medicine", "feels_about", "boss", "colleague", "uses", "nickname", "relative"])
"""What is mostly of whoever writes, though "she" does it: "she has doubled the bisoprolol"."""


def _he_does(text: str, said: Statement) -> Words | None:
    """The "he" or "she" who is the subject of the clause of a value: of 2,962 such values that are marked, 2,867 are
    not of whoever writes, and most of the others name somebody."""
    found = _HE_DOES.search(text, 0, said.value.start)
    if found is None or said.predicate in _OF_ME_RATHER or (said.predicate in _NAMED_BY_WORK and not found["did"]):
        return None
    return Words(*found.span("who"))


_WHO = re.compile(r"(?P<name>[A-ZÀ-Þ][\w-]+) who(?:['’]s| is| was| has| had| \w+s| \w+ed)\b")
_NOT_OF_WHO = re.compile(
    r"[.,;!?\n]|\b(?:I|[Ww]e|[Mm]y|[Oo]ur|he|she|they)\b|\band [A-Z]|[A-Z]\w+ (?:is|was|has|\w+s)\b"
)
_OF_THINGS = frozenset(["located", "kind", "price", "looks", "measure", "schedule", "expires"])


def _who(text: str, said: Statement) -> Words | None:
    """Of whom a clause with "who" tells right before a value: of 194 such values that are marked, 168 are of the name
    before it, and most others are things: "Alfie who is 9 and Ned who is 6"."""
    last = next(iter([*_WHO.finditer(text, 0, said.value.start)][-1:]), None)
    if last is None or _NOT_OF_WHO.search(text, last.end(), said.value.start + 1) is not None:
        return None  # a name of its own, too: "Alfie who is 9 and Ned"
    return Words(*last.span("name"))


_HAD = NAMED_BY_KIN | {"owns", "kind"}
_HAS = re.compile(
    r"(?:^|[.!?;,\n]|\b(?:and|but|so)\b)\W*"
    r"(?P<who>(?i:my|our|his|her) [\w-]+|(?!(?:I|We|He|She|They|It|Who|You)\b)[A-ZÀ-Þ][\w-]+)"
    r" (?i:has|had|['’]s got|has got|got|adopted|bought) (?i:an?|two|three|one|another|new|the|some) [^.!?;,\n]*\Z"
)
"""Whoever has what a value names: "my neighbour has a dog called" Rex."""
_PLACED = frozenset(["lives_in", "works_at", "school", "located", "home"])
_MINE_ARE_THERE = re.compile(
    r"(?i)(?:^|[.!?;,\n]|\b(?:and|but|so)\b)\s*(?P<name>(?:my|our) [a-z-]+) (?:live|lives|work|works|stay|stays|are|is)"
    r"(?: now| still| over| down| up)? (?:in|at) \Z"
)
_IS_THERE = re.compile(
    r"(?:^|[\s,.;(])(?!(?:I|He|She|It|They|We|You|That|This|There|Who|What|Where|Work|Home|My|Our)\b)"
    r"(?P<name>[A-ZÀ-Þ][\w-]+)(?: is|['’]s| lives| works| stays| is living| is working)"
    r"(?: now| still| over| currently| down| up| out)? (?:in|at) \Z"
)
"""A name right before a place: of 83 such places that are marked, 80 are of it."""


def _of_the_thing(text: str, said: Statement) -> Statement:
    """Where the reader pointed at somebody alone, whoever of theirs it is of: "my mum's sister"; and a deadline is of
    what it is the deadline of."""
    whose = said.subject
    if whose is None:
        return said
    marks = [*SENTENCE_END.finditer(text, *whose)]
    if marks and marks[-1].end() < whose.end:  # "a paladin. He"
        whose = Words(marks[-1].end(), whose.end)
    rents = said.predicate == "price" and text[slice(*whose)] == "rent"
    if rents and (named := _RENT_OF.search(text, 0, whose.start)) is not None:
        whose = Words(named.start("of"), whose.end)
    elif said.predicate == "expires" and (end := _ITS_DEADLINE.search(text, *whose)) is not None:
        whose = Words(whose.start, end.start())  # "my thesis deadline"
    elif (kin := _ITS_KIN.match(text, whose.end, said.value.start)) is not None and kin[1].lower() in RELATIONS:
        whose = Words(whose.start, kin.end())
    return said if whose == said.subject else replace(said, subject=whose)


_RENT_OF = re.compile(r"(?i)\bthe (?!(?:new|old|whole|full|same|next|monthly|weekly)\b)(?P<of>[a-z]+) \Z")
_ITS_DEADLINE = re.compile(r"(?i) (?:deadline|due date|expiry(?: date)?)\Z")
_ITS_KIN = re.compile(r"['’]s ([a-z-]+)(?!['’\w])")


_DATED = frozenset(["expires_on", "detail"])


def _once_dated(claims: Sequence[Claim]) -> Iterator[Claim]:
    """Claims without those that another one of their turn says, too: the day of an event, and a part of a value."""
    starts = {one.valid.start for one in claims if one.predicate == "event"} - {None}
    for claim in claims:
        dated = starts and claim.predicate in _DATED
        dates = read_times(claim.object, claim.said_at.local(), prefer="future") if dated else []
        if any(date.stretch is not None and date.stretch.start in starts for date in dates):
            continue  # it is when something takes place
        guest = claim.predicate == "lives_with" and claim.valid.start is not None
        if guest and any(
            one.predicate == "event" and one.subject == value_key(claim.object) and one.valid.start == claim.valid.start
            for one in claims
        ):
            continue  # who visits lives elsewhere
        if (claim.modality == "unsure" or find(claim.predicate).cardinality == "one") and any(
            (one.subject, one.predicate, one.modality) == (claim.subject, claim.predicate, "fact")
            and set(claim.object.casefold().split()) < set(one.object.casefold().split())
            for one in claims
        ):
            continue  # "retired", of a retired nurse; "66" of "66 kilos"
        yield claim


def _beside(text: str, said: Statement, claim: Claim, earlier: Sequence[Claim]) -> Claim:
    """Two values of one turn ("a nurse and a piano teacher") stand side by side: neither ends or disputes the other."""
    known = find(claim.predicate)
    single = known.cardinality == "one" and known.temporal == "state" and not claim.negative
    ahead = claim.valid.start is not None and claim.valid.start > claim.said_at.us
    single = single and not (claim.cue == "update" and (ahead or IS_SO_NOW.match(text, said.value.end)))
    if single and any(
        one.subject == claim.subject and one.predicate == claim.predicate and one.cue in ("state", "update")
        for one in earlier
        if one.modality == "fact" or claim.modality == "unsure"  # beside what is folded into no belief stands nothing
    ):
        claim = replace(claim, cue="state", qualifiers=((ALSO, "and"),))
    return _on_its_street(text, said, claim)


_SEEING = re.compile(r"(?i)\b(?:seeing|see|saw) (?:the |my )?(?:[a-z]+ )?\Z")
"""Before a name, that they may have been seen for their work: "no more seeing Marnie"."""


def _with_more(episode: Episode, said: Statement, claim: Claim) -> Claim:
    """A claim with what its words say beside: what it stands beside, and how often: "I play it every evening"."""
    claim = set_beside(episode.text, said, claim)
    claim = moved_from(episode, by_a_part(episode, said, claim))
    if claim.predicate == "partner" and claim.cue == "stop" and _SEEING.search(around(episode.text, said)[0]):
        claim = replace(claim, qualifiers=(*claim.qualifiers, (IF_HELD, "believed")))
    known = find(claim.predicate)
    if said.when is None or known.temporal == "event" or not {"routine", "activity"} & set(known.traits):
        return claim
    words = episode.text[said.when.start : said.when.end]
    times = read_times(words, episode.said_at.local())
    often = [re.sub(r"(?i)^on ", "", one.text) for one in times if one.kind == "frequency"]
    return (
        replace(claim, qualifiers=(*claim.qualifiers, ("frequency", re.sub(r"(?i)^on ", "", often[0]))))
        if often
        else claim
    )


_STREET = re.compile(r"(?i)\b(?:on|at) (?:the )?\Z")
_DWELLING = re.compile(
    r"(?i)\b(?:flat|flats|room|house|apartment|studio|bedsit|semi|terrace|bungalow|flatshare|place)"
    r"(?: share| together)? in (?:the )?\Z"
)


def _on_its_street(text: str, said: Statement, claim: Claim) -> Claim:
    """A street stands beside the town that it is in, and so does what a flat is in, which may be a part of the town: "I
    live in Porto", "a flat on Rua do Bonjardim". Who moves to a street leaves no town, and the street before."""
    if claim.predicate != "lives_in" or claim.negative or claim.cue not in ("state", "update"):
        return claim
    if _STREET.search(text, 0, said.value.start):
        return replace(claim, qualifiers=((ALSO, STREET),))
    if claim.cue == "state" and _DWELLING.search(text, 0, said.value.start):
        return replace(claim, qualifiers=((ALSO, "in"),))
    return claim


def _whole_values(text: str, found: Sequence[Statement]) -> Iterator[Statement]:
    """Two halves of one place, which a comma had parted: "Headingley, Leeds"; and of one timetable: "nine" on
    "Mondays"."""
    held: Statement | None = None
    for one in sorted(found, key=lambda one: one.value.start):
        if held is not None and (_is_one_place(text, held, one) or _is_one_timetable(text, held, one)):
            held = replace(held, value=Words(held.value.start, one.value.end), sure=max(held.sure, one.sure))
            continue
        if held is not None:
            yield held
        held = one
    if held is not None:
        yield held


def _is_one_place(text: str, one: Statement, other: Statement) -> bool:
    capitals = text[one.value.start].isupper() and text[other.value.start].isupper()
    alike = (one.predicate, one.status, one.subject) == (other.predicate, other.status, other.subject)
    return one.predicate == "lives_in" and alike and capitals and text[one.value.end : other.value.start] == ", "


def _is_one_timetable(text: str, one: Statement, other: Statement) -> bool:
    alike = one.predicate == other.predicate == "schedule" and one.subject == other.subject
    alike = alike and one.status not in CHANGES  # "the rating went from 3.2 to 3.8"
    return alike and _ON_DAYS.fullmatch(text, one.value.end, other.value.start) is not None


_ON_DAYS = re.compile(r"(?i),? (?:(?:and|on|at|from|to|till|until) )?")
_YOURS = re.compile(r"(?i)\b(?:your|ur) (?:[^\W\d_][\w-]* ){0,2}\Z")
_OF_YOU = re.compile(r"(?i)(?:your|yours|you|ur)\b")
_ASKS_OF_ME = re.compile(
    r"(?i)(?:and |but |so |or )?(?:(?:(?:who|what|which|where|when|why|how)(?: \w+){0,3}? )?"
    r"(?:am|was|were|is|are|do|does|did|have|has|had) (?:i|we|my|our|he|she|they|it)\b"
    r"(?! (?:tell|told|mention|said|say|write))|(?:do|did) (?:you|i) (?:still )?(?:think|believe|assume)\b"
    r"|(?:who|what|where|when|how)['’]?s (?:my|our|his|her|their)\b)"
)
_WITHOUT_I = re.compile(r"(?i)(?:and |but |so |or )?(?:had|have|has|did|do) (?:my|our|it)\b")
"""What tells, and leaves out its "I": "had my knee scoped"."""
_LAST_MARK = re.compile(r"[.!?;\n]\W*")


def _is_asked(text: str, said: Statement) -> bool:
    """Whether a value stands in a question that asks whether it is so, with its sign or without any: "Am I still
    vegetarian?", "did I get the job"."""
    start = max((mark.end() for mark in _LAST_MARK.finditer(text, 0, said.value.start)), default=0)
    mark = _LAST_MARK.search(text, said.value.end)
    if mark is not None and mark[0][0] not in "?\n":
        return False
    signed = mark is not None and mark[0][0] == "?"
    return (signed or _WITHOUT_I.match(text, start) is None) and _ASKS_OF_ME.match(text, start) is not None


def _revisions(said: Statement, own: Sequence[Episode]) -> Iterator[Revision]:
    """What a statement revises, or may: the words of one of the turns that it leans on."""
    if said.revises is not None and (said.revising >= REVISES or said.status in CHANGES):
        for turn, words in in_turn(said.revises, own):
            yield Revision(said, turn, words)


def _of_own(episode: Episode, said: Statement, own: Sequence[Episode], me: str) -> tuple[str | None, bool] | None:
    """Of whom it is, by the words of a turn that it leans on: "8, sorry"; None where the text itself says it."""
    if said.subject is None and said.whose is not None and not is_mine(episode.text, said):
        for turn, words in in_turn(said.whose, own):
            return subject_of(turn.text, replace(said, subject=words), me, ())
    return None


def _shifted(one: Statement, by: int) -> Statement:
    def moved(words: Words) -> Words:
        return Words(words.start + by, words.end + by)

    subject, when = one.subject and moved(one.subject), one.when and moved(one.when)
    return replace(one, value=moved(one.value), subject=subject, when=when, of=one.of and moved(one.of))


def _spoken_of(before: Sequence[Episode], speakers: Speakers, reader: Reader) -> list[Mention]:
    """Whom the turns before spoke of, the latest last."""
    found: list[Mention] = []
    first = max(0, len(before) - REACH)
    for place, turn in enumerate(before[first:], first):
        if turn.role != "user" or turn.inactive:
            continue
        me = mention_of(turn.speaker, turn.role, speakers)
        if me != ME:
            found.append(Mention(me, gender_of(turn.speaker), place - len(before)))
        parts = list(chunks(turn.text))[-1:]
        for start, end in parts:
            mine: list[Mention] = []
            for said in _statements(turn, start, end, Before() if start else answered(turn, before[:place]), reader):
                subject, _ = subject_of(turn.text, said, me, [*found, *mine])
                claim = _claim(turn, said, me, subject, reader, certain=True) if subject else None
                mine += mentions_in(turn.text, said, claim) if claim is not None else ()
            found += [replace(one, at=place - len(before)) for one in mine]
    return found


def _whom(
    episode: Episode, said: Statement, me: str, spoken_of: Sequence[Mention], before: Sequence[Episode]
) -> tuple[str | None, bool]:
    """Whom a pronoun means, of those who were spoken of; where none of them fits, of those who were only named."""
    again = sorted(_named_again(episode.text, spoken_of), key=lambda one: one.at)
    found = subject_of(episode.text, said, me, [*spoken_of, *again])
    if found[0] is not None:
        return found
    return subject_of(episode.text, said, me, [*_named(before, me), *named_in(episode.text, me)])


def _named_again(text: str, spoken_of: Sequence[Mention]) -> Iterator[Mention]:
    """Of those who were spoken of before, those whom a text names again."""
    for key, gender in dict.fromkeys((one.key, one.gender) for one in spoken_of if one.at < 0 and ">" not in one.key):
        for found in re.finditer(rf"(?i)\b{re.escape(key)}\b", text):
            yield Mention(key, gender, found.start())


def _named(before: Sequence[Episode], me: str) -> Iterator[Mention]:
    """Whom the turns before named, the latest last."""
    for place, turn in enumerate(before[-REACH:], -len(before[-REACH:])):
        if turn.role == "user" and not turn.inactive:
            yield from (replace(one, at=place) for one in named_in(turn.text, me))


def _claim(
    episode: Episode, said: Statement, me: str, subject: str, reader: Reader, *, certain: bool, slot: Slot | None = None
) -> Claim | None:
    text = episode.text
    value, said = _value(text, said), _of_what_is_planned(said, reader)
    if not value or "\n" in value or len(value) > 160 or _says_nothing(text, said, value, reader):
        return None
    kind = said.predicate if slot is not None else _kind(text, said, value)
    owed = kind == "other" and _OWES.search(text, *quoted(text, said))
    doubtful = _is_doubtful(said) or bool(owed)
    if kind == "allergic_to" and said.status == "not" and _SHUNS.search(text, quoted(text, said)[0], said.value.start):
        said = replace(said, status="is")
    label = LABELS.get(kind, LABELS["other"])
    if owed or (doubtful and kind == "other" and said.status == "is" and " " not in value):
        value = _clause(text, said.value) or value
        if _CORRECTS_ALONE.match(value):
            return None
    label, predicate, value = _predicate_of(text, said, label, value, slot, reader)
    named = None if slot is None else slot.subject
    subject = _whose(text, said, subject, predicate, me, owed=bool(owed)) if named is None else named
    state = standing(episode, said, label.happened, predicate)
    if state is None or (predicate == "died" and subject == me):  # "I died of embarrassment"
        return None
    predicate, valid, holds_now, cue, negative = state
    if predicate == "partner" and cue == "update" and _ENGAGED.search(text, *quoted(text, said)):
        valid, cue = OPEN, "state"  # who gets engaged were together before
    if (predicate == "plans" and _is_no_plan(said, value)) or (predicate, negative, cue) == _OF_TWO:
        return None
    if predicate == "event" and value.split()[0].lower() in EVENT_NOUNS | SEEN_FOR_WORK | ACTIVITIES:
        value = value[0].lower() + value[1:]  # without the capital of its sentence
    little = doubtful or _ends_little(text, said) or _is_to_end(episode, said)
    ends = (cue in ("stop", "retract", "correct") or negative) and little
    begins = cue == "update" and "exclusive" in find(predicate).traits and said.chances[2:3] < (OF_KIND,)
    certain = certain and not (ends or begins or _is_unlikely(episode, said, subject == me, predicate, value))
    start, end = quoted(text, said)
    least = max(reader.known, OF_A_PARTNER if said.predicate == "partner" else 0.0)
    modality: Modality = "fact" if certain and said.sure >= least else "unsure"
    key = "\x1f".join((episode.id, str(start), str(end), subject, predicate, value, cue, str(int(negative))))
    event = find(predicate).temporal == "event"
    single = (subject != me and "per_thing" in find(predicate).traits) or (slot is not None and slot.single)
    return Claim(
        id=blake2b(key.encode(), digest_size=16).hexdigest(), episode=episode.id, start=start, end=end,
        subject=subject, predicate=predicate, object=value, replaces=value if cue == "correct" and negative else None,
        valid=valid, holds_now=holds_now, said_at=episode.said_at,
        session=episode.session, position=episode.position, cue=cue, functional=single, negative=negative,
        asserted_by=me, standing=3 if episode.source.startswith("import:") else 4, modality=modality,
        confidence=round(said.sure, 3), extractor=reader.fingerprint,
        qualifiers=((CALLED_OFF, "plan"),) if said.status == "cancelled" and not event else (),
    )  # fmt: skip


def _predicate_of(
    text: str, said: Statement, label: Label, value: str, slot: Slot | None, reader: Reader
) -> tuple[Label, str, str]:
    """The label, the predicate and the value of a statement, as finely as its words or its slot name them."""
    predicate = finer_predicate(text, said, label.holds, value)
    if slot is not None:
        label = label if slot.predicate in label else Label(slot.predicate, "")
        predicate, value = as_drunk(slot.predicate, slot.value), slot.value
        value = _as_somebody(predicate, predicate, value, reader)[1] if is_relation(predicate) else value
    elif label.holds in NAMING or label.holds == "name":
        predicate, value = _as_somebody(predicate, label.holds, value, reader)
    return label, predicate, (_YEARS.sub("", value) or value) if predicate == "age" else value


def _of_what_is_planned(said: Statement, reader: Reader) -> Statement:
    """What is called off strikes only what was told of it: no matter for which kind of thing it is taken."""
    if said.status != "cancelled" or len(said.chances) < 3 or said.predicate == "other":
        return said
    return of_predicate(said, said.predicate, reader)


def _ends_little(text: str, said: Statement) -> bool:
    """Whether it is not certain that something ends, or what."""
    redated = said.predicate == "event" and said.status == "corrects" and NOT_THAT_DAY.search(text, *quoted(text, said))
    return (said.chances[2:3] < (ENDING,) and not redated) or ends_no_other(text, said)


def _is_to_end(episode: Episode, said: Statement) -> bool:
    """Whether it ends at a time that is not over: "Karel leaves in March", in March."""
    if said.status != "ends" or said.when is None or not _LEAVES.search(episode.text, *quoted(episode.text, said)):
        return False
    times = read_times(episode.text[slice(*said.when)], episode.said_at.local(), prefer="future")
    return any(one.stretch is not None and (one.stretch.end or 0) > episode.said_at.us for one in times)


_LEAVES = re.compile(r"(?i)\b(?:leaves|leaving|will|going to|quits|retires|retiring|stops|stopping|ends|ending)\b")


def _is_unlikely(episode: Episode, said: Statement, mine: bool, predicate: str, value: str) -> bool:
    """Whether the words leave a claim open: whoever writes was born too late, nothing introduces their name, a date is
    none, or they say that it may be so."""
    words = episode.text[slice(*quoted(episode.text, said))]
    unnamed = mine and predicate in _NAMES and not _INTRODUCES.search(words)
    newborn = mine and predicate in _OF_BIRTH and _is_recent(episode, words)
    return unnamed or newborn or _lacks_its_date(episode, predicate, value) or _is_open(episode, said, predicate)


_CORRECTS_ALONE = re.compile(r"(?i)(?:no|nope|nah)\b(?! one\b| more\b| longer\b)")
"""What is noted in whole tells something, and does not only deny what was told."""


def _value(text: str, said: Statement) -> str:
    """The words of a value without what surrounds it, and of a dose with the medicine that it is of."""
    value = text[slice(*said.value)].strip(" ,.;:!?\"“”'()")
    return value if said.of is None else f"{value} of {text[slice(*said.of)]}"


def _whose(text: str, said: Statement, subject: str, predicate: str, me: str, *, owed: bool) -> str:
    """Whose a statement is, where its words name the thing: "the rent" is paid by whoever speaks of it, "my birthday"
    is no one else's, and "my mother is Irene" says whose mother she is."""
    if owed and said.subject is not None and text[said.subject.start].islower():
        return me  # "owe kas 85 quid for the gas"
    if predicate == "rent" and subject.endswith(" rent"):
        return subject.removesuffix(" rent")  # "the bakery rent"
    if predicate == "rent" or (predicate == "born_on" and subject == "birthday"):
        return me
    holds = LABELS.get(said.predicate, LABELS["other"]).holds
    mine = holds in NAMING and not _ITS_OWN.search(text, *quoted(text, said))
    return subject.removesuffix(f">{predicate}") if mine else subject


_ITS_OWN = re.compile(
    r"(?i)\b(?:mother|mum|mom|father|dad|sister|brother|son|daughter|wife|husband|friend|boss)['’]s "
    r"(?!called\b|named\b)"
)
"""What belongs to whoever is named by what they are: "my mother's mother"."""


def _lacks_its_date(episode: Episode, predicate: str, value: str) -> bool:
    """Whether a date is no date: a birth "on Tuesday" is a party, and "year 9" no deadline."""
    if predicate == "born_on":
        return not any(letter.isdigit() for letter in value)
    return predicate == "expires_on" and not read_times(value, episode.said_at.local())


_OF_BIRTH = frozenset(["born_on", "born", "birth_year"])
_A_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
YOUNGEST = 5
"""Years of whoever writes, at least."""


def _is_recent(episode: Episode, words: str) -> bool:
    """Whether a year is named that is one of the last few: whoever writes is older."""
    named = _A_YEAR.search(words)
    return named is not None and int(named[0]) > episode.said_at.local().year - YOUNGEST


def _is_open(episode: Episode, said: Statement, predicate: str) -> bool:
    """Whether the words leave open that it is so, of whom, or for long."""
    text = episode.text
    start, _ = quoted(text, said)
    when = text[slice(*said.when)] if said.when is not None else ""
    passing = "stay" in find(predicate).traits and _PASSING.search(when)
    return bool(
        passing
        or _HEDGED.search(text, max(start, said.value.start - NEAR), said.value.start)
        or (said.chances[3:4] < (OF_WHOM,) and not _OF_ME.search(text, start, said.value.start))
        or is_of_another(text, said)
        or _is_far(text, said)
        or (predicate == "works_at" and _is_the_place(text, said.value))
        or may_be_ahead(episode, said)
    )


def _is_the_place(text: str, value: Words) -> bool:
    """Whether a noun alone calls a workplace, which has its name already: "a rise at the cafe"."""
    ahead = text[max(0, value.start - NEAR) : value.start].lower()
    return text[slice(*value)].islower() and ahead.endswith(" the ") and not _WORKS.search(ahead)


_WORKS = re.compile(r"\b(?:work|job|employ|quit|left|leav|join|start|fired|laid|sack|retire|hired)")


def _as_somebody(predicate: str, relation: str, value: str, reader: Reader) -> tuple[str, str]:
    """A value that is somebody: "my sister jodie", by whom no capitals are written, has one; "four kids" are four."""
    counted = NUMBER_WORD.match(value)
    if counted is not None and value[counted.end() + 1 :] in PLURALS:
        return relation, counted[0]
    return predicate, capital(value) if _is_small_name(value, reader) else value


def _is_small_name(value: str, reader: Reader) -> bool:
    """Whether a word for somebody is a name without its capital, and neither a number nor a relation, nor several: the
    reader's vocabulary has "twins", and no "cerys"."""
    return (
        value.isalpha() and value.islower() and not NUMBER_WORD.fullmatch(value)
        and not (is_plural(value) and reader.knows(value))
        and value not in PLURALS and value not in RELATIONS and value not in BREEDS
    )  # fmt: skip


def _is_doubtful(said: Statement) -> bool:
    """Whether the reader is not sure enough of a statement's label."""
    least = OF_EXCLUSIVE if "exclusive" in find(said.predicate).traits else OF_KIND
    return bool(said.chances) and said.chances[1] < least


def _kind(text: str, said: Statement, value: str) -> str:
    """The label of a statement; of one that the reader doubts, or that its words say is none, another one."""
    noted = "event" if said.status in DONE else "other"
    noted = "contact" if STREET_AND_NUMBER.fullmatch(value) and said.predicate in PLACES else noted
    named = said.status == "planned" and value[0].isupper() and said.predicate in ("school", "works_at", "studies_at")
    kind = noted if _is_doubtful(said) and not named else said.predicate
    kind = "school" if named and _A_SCHOOL.search(value) else kind
    if kind == "job" and value.lower().split()[-1] in BREEDS:
        return "kind"
    if (
        kind == "works_at"
        and value.split()[-1].islower()
        and is_plural(value)
        and not AT_WORK.search(text, max(0, said.value.start - 24), said.value.start)
    ):
        return "other"  # "sees patients in Matosinhos"
    if kind == "lives_in" and value.lower() in _SCHOOLS:
        return "school"
    if kind == "job" and value.lower().startswith(("off ", "out of ")):
        return "other"
    if kind == "name" and said.subject is None and value.islower() and not text.islower():
        return "other"  # whoever writes capitals writes a name with one: "I'm coeliac"
    return "other" if kind in ("price", "pay") and _OWES.search(text, *quoted(text, said)) else kind


_A_SCHOOL = re.compile(r"(?i)\b(?:school|academy|primary|nursery|kindergarten)\b|schule\b")
_ENGAGED = re.compile(r"(?i)\bengaged\b|\bproposed\b")
_OF_TWO = ("acquaintance", True, "state")
"""Of "it's Dr Feeney, not Dr Fahy", that it is not the one: one may know both."""
_FIGURE = re.compile(r"[£$€]?\d\S*(?: \w+)?")


def _is_no_plan(said: Statement, value: str) -> bool:
    """Whether a value is a figure alone, or of an occasion a name alone, and says nothing of what somebody plans."""
    named = said.predicate == "event" and value.isalpha() and value.istitle()
    return named or _FIGURE.fullmatch(value) is not None


def _says_nothing(text: str, said: Statement, value: str, reader: Reader) -> bool:
    """ "Do it" has no value; "Dad's do" is a party. What is hardly heard to expire takes a word that says so: "the vet
    sees our cat on 9 December"."""
    if said.predicate == "expires" and said.sure < reader.known and not EXPIRES.search(text, *quoted(text, said)):
        return True
    if said.subject is not None and (_TELLS.search(text, *said.subject) or _within(said.value, said.subject)):
        return True
    if said.predicate == "event" and not any(map(str.isalpha, value)):
        return True  # "it's going to be 31 today"
    if (
        said.predicate == "event"
        and said.subject is not None
        and said.value.start < said.subject.start < said.value.end
    ):
        return True  # somebody "sees our cat"
    owned = value.lower() == "do" and text[: said.value.start].endswith(("'s ", "’s "))
    return not owned and _EMPTY.issuperset(value.lower().split())


def _within(value: Words, subject: Words) -> bool:
    return subject.start <= value.start and value.end <= subject.end and value != subject


_TELLS = re.compile(r"(?i) (?:is|are|was|were|isn['’]?t|aren['’]?t|not)\b")
"""What stands in no words for whom something is about: in none of 43,093."""
_EMPTY = wordset("more less or about born it that this them him her one doing do so there here those never always")
"""Words of a value that says nothing."""
_SCHOOLS = frozenset(
    ["comp", "secondary", "school", "college", "sixth form", "uni", "university", "nursery", "reception"]
)
"""What one may move to and not live in."""
_OWES = re.compile(r"(?i)\bow(?:e|es|ed|ing)\b|\blent\b|\bborrowed\b")
"""What is owed is no price."""
_SHUNS = re.compile(
    r"(?i)\b(?:can['’]?t|cannot|can not|mustn['’]?t|must not|(?:not|n['’]t) allowed(?: to)?|have to avoid)"
    r" (?:have|eat|take|drink|touch|wear|use|be (?:near|around))(?: any)?\W*\Z"
)
"""Whoever cannot have something is allergic to it, and not the contrary."""
_HEDGED = re.compile(
    r"(?i)\b(?:might|may (?:be|have|well|not|need)|could be|maybe|perhaps|possibly|(?:not|isn['’]?t) sure|"
    r"wonder\w*|whether)\b"
    r"[^.!?;,\n]*\Z"
)
"""What somebody holds possible only."""


def _clause(text: str, value: Words) -> str:
    """The words around a value up to the next mark: what a note says, where no predicate does; "" where they are too
    many, or hold a secret or what is quoted."""
    start = max((mark.end() for mark in _MARK.finditer(text, 0, value.start)), default=0)
    behind = _MARK.search(text, value.end)
    end = len(text) if behind is None else behind.start()
    hidden = any(first < end and start < last for first, last in protected(text))
    words = text[start:end].strip(" \t,;:.!?\"“”'’")
    return words if len(words.split()) <= MOST_WORDS and "\n" not in words and not hidden else ""


def _is_far(text: str, said: Statement) -> bool:
    """Whether whom it is about stands in a sentence after that of the value, or two before it: then it is mostly
    somebody else (of 18 such statements of people kept out of the training, 13)."""
    if said.subject is None:
        return False
    first, last = sorted((said.subject.start, said.value.start))
    between = len(SENTENCE_END.findall(text, first, last))
    return between > (0 if last == said.subject.start else 1)
