"""A claim says no more than its words: who by the words pointed at, when by theirs, and where it stands by its status.

`claims_of` turns what the reader points at in one turn into claims. What is less sure than the reader's threshold, and
what cannot be said of anybody for certain, is of the modality "unsure": kept, shown, and never folded into a belief.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from hashlib import blake2b
from typing import NamedTuple

from store.beliefs.grammar import NUMBER_WORD, capital
from store.beliefs.pieces import ALONE, ALSO, CALLED_OFF, IF_HELD, OPEN, STREET
from store.beliefs.predicates import DEATH, find
from store.beliefs.values import value_key
from store.beliefs.wording import is_relation
from store.reading.context import SENTENCE_END, answered, chunks, in_turn, read_beside
from store.reading.doses import as_doses
from store.reading.doubts import ends_no_other, is_left_behind, is_of_another
from store.reading.encoder import Before, Reader, Statement, Words
from store.reading.finer import NAMED_SO, finer_predicate
from store.reading.foreign import is_foreign
from store.reading.kin import PLURALS, RELATIONS
from store.reading.labels import LABELS, Label
from store.reading.protected import protected
from store.reading.slots import Slot, anew, as_slot, further, is_swapped, set_beside, slot_of, switched
from store.reading.speakers import Speakers, mention_of
from store.reading.standing import DONE, as_dated, by_a_part, moved_from, quoted, standing
from store.reading.subjects import (
    HIM_OR_HER,
    NAMING,
    OWNS,
    Mention,
    is_i,
    is_mine,
    is_pronoun,
    mentions_in,
    named_by,
    subject_of,
)
from store.reading.worded import around, as_worded, is_harmless, is_never_denied, is_of_somebody
from store.records import Claim, Cue, Episode, Modality, Precision, Stretch
from store.text.lists import wordset
from store.text.nouns import ACTIVITIES, EVENT_NOUNS, SEEN_FOR_WORK
from store.time.expressions import read_times, stretch_of

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
"""How sure of its subject a claim must be to be known."""
OF_KIND, OF_EXCLUSIVE = 0.5, 0.7
"""How sure of its predicate a claim must be to keep it; another one is a detail, or something that happened. Below the
second, of 29 homes of people whom nobody tuned to, 12 were homes; and each would have ended the one before it.
"""
MOST_WORDS = 12
"""Of a note: it is a clause, and no sentence with all that hangs on it."""
NEAR = 200
"""Characters before a value in which a word may say that it is held possible only."""
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
            if subject is None:
                subject, sure = _whom(episode, said, me, [*known(), *mentions], before)
            word = episode.text[said.subject.start : said.subject.end] if said.subject else ""
            if subject is not None and subject.endswith("s") and word.isalpha():
                subject = _without_its_s(subject, [*known(), *mentions], (episode, *before), said)
            if subject is not None and is_pronoun(word.lower()) and _is_of_a_thing(episode.text, said):
                subject = None
            whose = subject or _SHORT.get(word.lower(), word.lower())
            claim = _claim(episode, said, me, whose, reader, certain=subject is not None and sure, slot=slot)
            if claim is not None and claim.modality == "unsure" and claim.subject.startswith("~"):
                continue
            if claim is not None and is_harmless(episode.text, said):
                stated.append((said, replace(claim, qualifiers=((IF_HELD, "believed"),))))
            elif claim is not None:
                claim = _of_who_expects(word, claim, stated)
                beside = _beside(episode.text, said, claim, [one for _, one in stated])
                claim = _with_more(episode, said, _of_whom_it_was(episode, said, beside, before, speakers, reader))
                if is_swapped(episode.text, said, claim):
                    claim = _instead_of_the_one(claim, episode, before, speakers, reader)
                if claim.predicate in _DONE_TO and HIM_OR_HER.search(claim.object):
                    others = [one for one in known() if one.at >= -1] + mentions
                    claim = _by_name(claim, said, [one for one in others if one.key != claim.subject])
                if claim.predicate not in ("plans", "goal") and _points_only(claim):
                    stated = [(one, _ended_then(over, claim)) for one, over in stated]
                    continue
                stated += [(said, one) for one in (claim, *further(episode.text, said, claim))]
                mentions += mentions_in(episode.text, said, claim)
        prior = Before()
    found = {_said_by(claim): claim for claim in _once_each(tuple(switched(episode.text, stated)))}
    return ReadTurn(tuple(_made_certain(episode.text, tuple(found.values()))), tuple(revisions))


def _is_of_a_thing(text: str, said: Statement) -> bool:
    """Whether a value is none that somebody has: of a boat, too, one says "I bought her for £6,200"."""
    long = said.predicate == "measure" and _LONG.search(text, *said.value) is not None
    return said.predicate == "price" or long


_LONG = re.compile(r"(?i)\b(?:feet|foot|ft|met(?:re|er)s?) (?:long|wide)\b|\b(?:tons|tonnes)\b")
_BOTH = re.compile(
    r"(?i)(?P<one>(?:my|our) [a-z-]+|(?-i:[A-ZÀ-Þ])[\w-]+) (?:and|&|n) (?P<other>(?:(?:my|our) )?[\w-]+)"
)


def _of_each(text: str, statements: Sequence[Statement]) -> Iterator[Statement]:
    """Statements, each of one: what "my mum and dad" do both of them do."""
    for said in statements:
        if said.subject is None or is_of_somebody(said):
            yield said
        elif (both := _BOTH.fullmatch(text, *said.subject)) is not None:
            yield replace(said, subject=Words(*both.span("one")))
            yield replace(said, subject=Words(*both.span("other")))
        else:
            if (beside := _beside_subject(text, said)) is not None:
                yield replace(said, subject=beside)
            yield said


_AND_BEHIND = re.compile(r" (?:and|&|n) (?P<one>(?:(?:my|our) )?[\w-]+)")
_DO_BOTH = re.compile(r"(?i) (?:are|were|have|both|live|lived|work|go|love|like|play|speak|will|moved|got)\b")


def _beside_subject(text: str, said: Statement) -> Words | None:
    """Who does the same as the subject, right behind it: people, with a verb of several."""
    if said.subject is None or said.subject.end > said.value.start:
        return None
    found = _AND_BEHIND.match(text, said.subject.end)
    if found is None or not _DO_BOTH.match(text, found.end()):
        return None
    known = found["one"].split()[-1]
    return Words(*found.span("one")) if known.lower() in RELATIONS or known.istitle() else None


def _said_by(claim: Claim) -> tuple[object, ...]:
    """What a claim says, whatever words of its turn say it: an apprentice by work is one by relation, too."""
    whose = claim.subject, claim.predicate, value_key(claim.object)
    return *whose, claim.cue, claim.negative, claim.valid, claim.modality


def _made_certain(text: str, claims: Sequence[Claim]) -> Iterator[Claim]:
    """The claims of a turn without what is unsure and certain at once; who is told to have died was somebody's until
    then, and leaves a widow or a widower."""
    certain = {(one.subject, one.predicate, value_key(one.object)) for one in claims if one.modality == "fact"}
    died = {one.subject: one.valid for one in claims if one.predicate == DEATH and one.modality == "fact"}
    called = {(value_key(one.object), one.predicate) for one in claims}
    events = [one for one in claims if one.predicate == "event"]
    widowed: Stretch | None = None
    for claim in claims:
        if claim.predicate == "relationship_status" and widowed is not None and widowed.end is not None:
            yield replace(claim, valid=replace(claim.valid, end=widowed.end), holds_now=False)
            continue
        if claim.predicate == "kind" and (claim.subject, value_key(claim.object)) in called:
            continue  # "my cat Pika" says both
        if _APPOINTMENT.fullmatch(claim.object) and any(
            one is not claim and one.valid == claim.valid for one in events
        ):
            continue  # "the dentist moved my appointment" says of what it is
        if claim.cue == "stop" and is_relation(claim.predicate) and value_key(claim.object) in died:
            until = replace(died[value_key(claim.object)], end=None)
            yield (over := replace(claim, modality="fact", valid=claim.valid if until.start is None else until))
            if claim.predicate == "partner" and _SPOUSE.search(text, claim.start, claim.end) is not None:
                widowed = died[value_key(claim.object)]
                yield anew(over, predicate="relationship_status", object="widowed", cue="update", negative=False)
        elif claim.modality == "fact" or (claim.subject, claim.predicate, value_key(claim.object)) not in certain:
            yield claim


_SPOUSE = re.compile(r"(?i)\b(?:wife|husband|spouse|married)\b")
_APPOINTMENT = re.compile(r"(?i)(?:my |our |the |an )?(?:appointment|appt)")
_MOVES_OUT = re.compile(r"(?i)(?:['’]s| is| was| are| will be)? (?:moving|moved|moves|move) out\b")


def _is_of_a_pair(said: Statement, statements: Sequence[Statement]) -> bool:
    """Whether it is one of two who are together, and nobody's of whoever writes: "Callum and Priya are a thing"."""
    mutual = said.subject is None and "mutual" in find(said.predicate).traits
    return mutual and any(one.predicate == said.predicate and one.subject == said.value for one in statements)


def _is_passed_over(
    text: str, said: Statement, hidden: Sequence[tuple[int, int]], beside: Sequence[Statement]
) -> bool:  # fmt: skip
    """Whether a statement claims nothing: it is quoted or made up, not decided, or said by another claim."""
    return (
        _is_of_a_pair(said, beside)
        or any(a < said.value.end and said.value.start < b for a, b in hidden)
        or is_left_behind(text, said)
        # It is noted as what will take place.
        or (said.predicate in ("flatmate", "lives_with") and _MOVES_OUT.match(text, said.value.end) is not None)
        or _is_others_name(text, said)
        or is_never_denied(text, said)
        or (said.predicate == "kind" and said.subject is None)  # nobody is of a breed
        or (LABELS.get(said.predicate, LABELS["other"]).holds == "born_on" and _is_no_birth(text, said))
        or (said.predicate in ("child", "sibling") and _ONE_OF.search(text, 0, said.value.start) is not None)
        or (said.subject is not None and _NOBODY.search(text, *said.subject) is not None)
        or _NOT_SETTLED.search(text, 0, said.value.start) is not None
        or (said.subject is None and _is_doubtful(said) and text.strip(" .!") == text[slice(*said.value)])
    )


def _is_no_birth(text: str, said: Statement) -> bool:
    """Whether a day is denied, none, or that of a wedding."""
    value = text[slice(*said.value)]
    dated = any(map(str.isdigit, value)) or read_times(value, datetime(2000, 1, 1, tzinfo=UTC))
    beside = "".join(around(text, said))
    return value.lower().startswith("not ") or not dated or _NO_BIRTH.search(beside) is not None


def _but_another(text: str, slot: Slot | None, said: Statement, statements: Sequence[Statement]) -> Slot | None:
    """A slot, but for one whose value begins with another statement's of its kind: "Acme until six"."""
    before = [one for one in statements if one.value.end <= said.value.start]
    if slot is None or not any(one.predicate == slot.predicate for one in before):
        return slot
    return None if slot.value.startswith(tuple(text[slice(*one.value)] for one in before)) else slot


_NO_BIRTH = re.compile(r"(?i)\banniversary\b|\bwould(?:['’]ve| have| of) been\b")
_ONE_OF = re.compile(r"(?i)\b(?:younger|older|elder|youngest|oldest|eldest|first|second|third|last|middle|one) of \Z")
"""Before how many children there were: "I was the younger of" two boys."""
_NOBODY = re.compile(r"(?i)\b(?:characters?|avatar|protagonist|due(?! date))\b")
"""Whom nothing is told of: those of a story, and "Due" that begins a sentence."""
_NOT_SETTLED = re.compile(
    r"(?i)\bleaning towards?\b[^.!?;\n]*\Z|\b(?:thinks|believes|reckons|assumes) (?:that )?(?:i|we)\b[^.!?;\n]*\Z"
)
"""Before what is not decided, or what others take for true."""
_NAMES = ("name", "nickname")
_OTHERS_NAME = re.compile(
    r"(?i)\b(?:(?:it|that|they|she|he)(?:['’]?(?:s|re)| is| are| was| were)(?: all| both)? (?:called|named)"
    r"|(?:their|his|her|its) names?(?:['’]s| is| are)) (?:[\w'’-]+(?:,| and|, and|n) ){0,3}\Z"
)
"""Before a name, that it is not the writer's: "they're called Jan and" Zosia."""


def _is_others_name(text: str, said: Statement) -> bool:
    mine = said.predicate in _NAMES and said.subject is None
    return mine and _OTHERS_NAME.search(text, 0, said.value.start) is not None


def _without_its_s(subject: str, mentions: Sequence[Mention], turns: Sequence[Episode], said: Statement) -> str:
    """Somebody who was spoken of, whose "'s" is typed without its apostrophe: "jakes allergic to nuts"; what is hers
    may tell it, too: "niamhs birthday"."""
    keys, bare = {one.key for one in mentions}, subject[:-1]
    if bare in keys or subject in keys or not subject.islower():
        return bare if bare in keys else subject
    named = re.compile(rf"(?i)\b{re.escape(bare)}\b")
    owns = said.subject is not None and OWNS.match(turns[0].text, said.subject.start) is not None
    return bare if owns or any(named.search(turn.text) for turn in turns) else subject


_DONE_TO = frozenset(["habit", "does", "event", "plans", "detail", "goal", "visited"])


_OF_THEMSELVES = re.compile(r"(?i)\b(?:me|us) to \w+ (?:him|her)\b")


def _by_name(claim: Claim, said: Statement, mentions: Sequence[Mention]) -> Claim:
    """What is done to her is done to whoever was spoken of, by name; it is unsure where that may be two, or nobody."""
    word = HIM_OR_HER.search(claim.object)
    if _OF_THEMSELVES.search(claim.object) is not None:
        return claim  # "Callum asked me to marry him"
    key, sure = named_by(word[0].lower(), said.value.start, mentions) if word is not None else (None, False)
    if word is None or key is None or not sure:
        return replace(claim, modality="unsure")
    name = f"my {key.removeprefix(f'{claim.asserted_by}>')}" if ">" in key else key.title()
    return replace(claim, object=f"{claim.object[: word.start()]}{name}{claim.object[word.end() :]}")


def _of_who_expects(word: str, claim: Claim, stated: Sequence[tuple[Statement, Claim]]) -> Claim:
    """Whose "the baby" is: of her whom the turn said to be pregnant."""
    told = [one for _, one in stated if one.predicate in _TELLS_OF_A_BIRTH]
    expecting = [one.subject for one in told if _EXPECTS.search(one.object) is not None]
    if not expecting or _THE_BABY.fullmatch(word) is None or claim.subject != f"{claim.asserted_by}>child":
        return claim
    return replace(claim, subject=f"{expecting[-1]}>child")


_TELLS_OF_A_BIRTH = frozenset(["has_condition", "detail", "event", "plans"])
_EXPECTS = re.compile(r"(?i)\b(?:pregnant|expecting|due)\b")
_THE_BABY = re.compile(r"(?i)(?:the )?baby(?:['’]s)?")


_THE = re.compile(r"(?i)\bthe (?:[\w-]+ )?\Z")


def _of_whom_it_was(
    episode: Episode, said: Statement, claim: Claim, before: Sequence[Episode], speakers: Speakers, reader: Reader
) -> Claim:
    """What "the exam" is that is moved, nobody's by its own words: one of the last that was told of, and whose."""
    # "Mum just called, the operation went well" is of whom it was before, too.
    went = _WENT_OFF.match(episode.text, said.value.end) or _WENT_OFF.search(claim.object)
    took_place = said.status == "event" and _occasion_of(claim.object) in EVENT_NOUNS
    took_place = took_place and (went is not None or (said.subject is not None and claim.object.lower() in EVENT_NOUNS))
    away = said.subject is None or (took_place and "," in episode.text[said.subject.end : said.value.start])
    nobodys = away and (_THE if went is None else _THE_OR_MINE).search(episode.text, 0, said.value.start)
    if claim.predicate != "event" or not nobodys or not (took_place or claim.cue in ("update", "correct")):
        return claim
    noun = _occasion_of(claim.object)
    today = stretch_of(claim.said_at.local(), Precision.DAY)
    valid = today if claim.valid == OPEN and took_place else claim.valid
    for turn in reversed(before):
        if turn.speaker != episode.speaker or noun not in turn.text.casefold():
            continue
        for one in claims_of(turn, (), speakers, reader).claims:  # alone: each would else read all those before it
            of_nobody = one.valid.start is None and one.subject != one.asserted_by  # a friend "had the same operation"
            if one.predicate == "event" and not (one.negative or of_nobody) and _occasion_of(one.object) == noun:
                cue: Cue = "update" if took_place else claim.cue
                sure = claim.modality if went is None else "fact"
                return replace(claim, subject=one.subject, object=one.object, valid=valid, cue=cue, modality=sure)
    if took_place:  # it was told of long before, if at all
        what = claim.object[: claim.object.casefold().index(noun) + len(noun)]
        sure = claim.modality if went is None else "fact"
        return replace(claim, subject=claim.asserted_by, object=what, valid=valid, cue="update", modality=sure)
    return claim


_WENT_OFF = re.compile(
    r"(?i)(?:\A| )(?:(?:went|turned out) (?!to\b|on\b|down\b|up\b)\w+"
    r"|was (?:an? )?(?:\w+ )?(?:great|good|fine|success|hit|awful|terrible|disaster|brilliant|lovely|fun|okay|ok)"
    r"|is (?:over|done|behind (?:me|us))|took place)\b"
)
"""Behind an occasion, or in its words, that it took place."""
_THE_OR_MINE = re.compile(r"(?i)\b(?:the|my|our) (?:[\w-]+ )?\Z")


def _instead_of_the_one(
    claim: Claim, episode: Episode, before: Sequence[Episode], speakers: Speakers, reader: Reader
) -> Claim:
    """A medicine that somebody was swapped to, in the place of the only one that they were told to take before."""
    taken: dict[str, str] = {}
    for turn in before:
        if turn.speaker == episode.speaker:
            told = claims_of(turn, (), speakers, reader).claims
            for one in (one for one in told if (one.subject, one.predicate) == (claim.subject, claim.predicate)):
                taken[value_key(one.object)] = "" if one.cue == "stop" or one.negative else one.object
                if one.replaces:
                    taken[value_key(one.replaces)] = ""
    standing = [value for value in taken.values() if value and value != claim.object]
    return replace(claim, cue="update", replaces=standing[0]) if len(standing) == 1 else claim


def _occasion_of(words: str) -> str:
    """The noun that says what takes place: of "operation went well" the operation."""
    said = words.casefold().split()
    return next((word for word in said if word in EVENT_NOUNS), said[-1])


_SHORT = {"hes": "he", "he's": "he", "he’s": "he", "shes": "she", "she's": "she", "she’s": "she"}


def _statements(episode: Episode, start: int, end: int, prior: Before, reader: Reader) -> Iterator[Statement]:
    """What the reader points at in the characters [start, end) of a turn, worded and dated, placed in the turn."""
    part = episode.text[start:end]
    read = [_titled(part, one) for one in reader.read([(part, prior)])[0]]
    found = _own_times(part, list(_repaired(part, read)))
    for one in as_doses(part, sorted(found, key=lambda one: one.value.start), reader):
        worded = as_worded(episode.text, _shifted(one, start), reader)
        yield _of_its_clause(episode.text, as_dated(episode, worded))


_TITLE = re.compile(r"(?P<title>Dra?|Sra?|Srta|Mrs?|Ms|Prof)\. [A-ZÀ-Þ][\w'’-]+")


def _titled(text: str, one: Statement) -> Statement:
    """A statement whose value is no title without its name: "her boss Dra. Teresa"."""
    named = _TITLE.match(text, one.value.start)
    return one if named is None or named.end("title") != one.value.end else replace(one, value=Words(*named.span()))


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
        if repair is None or not (first.isupper() if repair["name"] else first in _FIGURED):
            yield one
        elif Words(*repair.span("right")) not in values:
            yield replace(one, value=Words(*repair.span("right")))


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
    """Statements without a time that is told, sentences further on, of another one; what is so "now" has none of an
    earlier sentence."""
    found = [replace(one, when=_behind(text, one)) for one in found]

    def far(one: Statement) -> bool:
        return one.when is not None and SENTENCE_END.search(text, one.value.end, one.when.start) is not None

    def past(one: Statement) -> bool:
        earlier = one.when is not None and SENTENCE_END.search(text, one.when.end, one.value.start) is not None
        return earlier and one.status in ("is", "begins") and _AT_PRESENT.search("".join(around(text, one))) is not None

    def left(one: Statement) -> bool:
        """ "I lived in Leeds but moved to York in 2021": the time at which the new begins ends the old."""
        return one.status == "was" and any(
            other.status in ("begins", "is") and other.predicate == one.predicate and other.when == one.when
            for other in found
            if one.when is not None and one.value.end < other.value.start < one.when.start
        )

    theirs = {one.when for one in found if not far(one) and not _is_hollow(text[slice(*one.value)])}
    found = [replace(one, status="ends") if left(one) else one for one in found]
    return [replace(one, when=None) if past(one) or (far(one) and one.when in theirs) else one for one in found]


_AT_PRESENT = re.compile(r"(?i)\b(?:now|nowadays|these days|currently)\b")


def _of_its_clause(text: str, said: Statement) -> Statement:
    """What "he" or "she" does is theirs, and what "I" tell in a sentence of its own is mine."""
    far = said.subject is not None and SENTENCE_END.search(text, said.subject.end, said.value.start) is not None
    mine = said.subject is not None and _AND_I_AM.search(text, said.subject.end, said.value.start) is not None
    if mine or (far and is_i(text, said.value.start)):  # "Graham died in October. We moved to Hexham"
        return replace(said, subject=None, chances=(*said.chances[:3], 1.0))
    if said.subject is not None and _is_mine(text, said):
        return replace(said, subject=None, chances=(*said.chances[:3], 1.0))
    kin = _KIN_DOES.search(text, 0, said.value.start) if far else None
    if kin is not None and kin["kin"].lower() in RELATIONS:  # "Eva is pregnant! My dad smokes"
        return replace(said, subject=Words(*kin.span("who")))
    if said.subject is None and (does := _he_does(text, said) or _kin_is(text, said)) is not None:
        return replace(said, subject=does)
    return said


_AND_I_AM = re.compile(
    r"(?i)(?:\b(?:and|but|while)|[,;–—])\s+(?:i['’]?m|i am)(?: (?:now|also|only|just|nearly|almost|about|an?))* \Z"
)
"""Before a value, that it is of whoever writes: "my sister is 30 and I'm" 34."""
_KIN_DOES = re.compile(r"(?i)(?:[.!?]\s+)(?P<who>(?:my|our) (?P<kin>[\w-]+))\s+\Z")


_HE_DOES = re.compile(
    r"(?i)(?:^|[.!?;:,\n–—]|\b(?:and|but|so|then|because|cos|since|as|when|while|if|that|who)\b)\W*"
    r"(?:(?:and|but|so|then|also|oh|well|yeah|ok|btw|now)\W+)*(?P<who>he|she)(?:['’](?:s|d|ll))?\s"
    r"(?![^.!?;:,\n]*\b(?:i|my|we|me|us|our|you|called|named)\b)[^.!?;:,\n]*\Z"
)


_OF_ME_RATHER = frozenset(["medicine", "feels_about", "boss", "colleague", "uses", "nickname", "relative"])
"""What is mostly of whoever writes, though "she" does it: "she has doubled the bisoprolol"."""


def _he_does(text: str, said: Statement) -> Words | None:
    """The "he" or "she" who is the subject of the clause of a value: of 2,962 such values that are marked, 2,867 are
    not of whoever writes, and most of the others name somebody."""
    found = _HE_DOES.search(text, 0, said.value.start)
    if found is None or said.predicate in _OF_ME_RATHER:
        return None
    return Words(*found.span("who"))


def _is_mine(text: str, said: Statement) -> bool:
    """Whether a value is of whoever writes though somebody was named: "they pay me" 900, "my grandson" Leo."""
    if said.predicate == "pay":
        return _PAYS_ME.search(text, 0, said.value.start) is not None
    mine = _MY_KIN.search(text, said.subject.end, said.value.start) if said.subject is not None else None
    return said.predicate in ("child", "sibling", "parent") and mine is not None and mine["kin"].lower() in RELATIONS


_PAYS_ME = re.compile(r"(?i)\bpa(?:ys?|id|ying) me(?: (?:about|only|around))? [£$€]?\Z")
_MY_KIN = re.compile(r"(?i)\b(?:my|our) (?P<kin>[\w-]+) \Z")
_AGED = re.compile(
    r"(?i)\b(?P<who>(?:my|our) (?P<kin>[\w-]+))(?:['’]?s name is| is called| is|,)? "
    r"(?P<name>(?-i:[A-ZÀ-Þ])[\w-]+), (?:aged )?\Z"
)
_KIN_IS = re.compile(
    r"(?i)\b(?P<who>(?:my|our) (?P<kin>[\w-]+))(?: (?P<name>(?-i:[A-ZÀ-Þ])[\w-]+))?"
    r"(?:['’]s| is| was| (?:just )?turn(?:s|ed)| works as| lives in)"
    r"(?: (?:now|only|just|nearly|almost|about|an?|the))* \Z"
)


def _kin_is(text: str, said: Statement) -> Words | None:
    """Of whom a value is said in so many words: "my sister Ada is" 30."""
    aged = _AGED.search(text, 0, said.value.start) if said.predicate == "age" else None
    found = aged or _KIN_IS.search(text, 0, said.value.start)
    if found is None or found["kin"].lower() not in RELATIONS:
        return None
    return Words(*found.span("name" if found["name"] else "who"))


def _of_the_thing(text: str, said: Statement) -> Statement:
    """Where the reader pointed at somebody alone, whoever of theirs it is of: "my mum's sister"."""
    whose = said.subject
    if whose is None:
        theirs = _HERS.search(text, 0, said.value.start) if said.predicate in ("medicine", "health") else None
        return said if theirs is None else replace(said, subject=Words(*theirs.span("who")))
    if (two := _WHO_IS.search(text, *whose)) is not None:  # "Maya who is 9 and Isla"
        whose = Words(*two.span("last"))
    marks = [*SENTENCE_END.finditer(text, *whose)]
    if marks and marks[-1].end() < whose.end:  # "a paladin. He"
        whose = Words(marks[-1].end(), whose.end)
    if (kin := _ITS_KIN.match(text, whose.end, said.value.start)) is not None and kin[1].lower() in RELATIONS:
        whose = Words(whose.start, kin.end())
    return said if whose == said.subject else replace(said, subject=whose)


_HERS = re.compile(r"(?i)(?<!\bto )(?<!\bwith )\b(?P<who>her|his) \Z")
"""Before a medicine or an illness, whose it is: "changes her" Sinemet."""
_WHO_IS = re.compile(r"\bwho\b.*(?:\band|,) (?P<last>[A-Za-z][\w-]+)\Z")
_ITS_KIN = re.compile(r"['’]s ([a-z-]+)(?!['’\w])")


def _once_each(claims: Sequence[Claim]) -> Iterator[Claim]:
    """Claims without those that another one of their turn says, too: a part of a value."""
    for claim in claims:
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
    ahead = claim.cue == "update" and (claim.valid.start or 0) > claim.said_at.us
    single = known.cardinality == "one" and known.temporal == "state" and not claim.negative and not ahead
    if single and any(
        one.subject == claim.subject and one.predicate == claim.predicate and one.cue in ("state", "update")
        for one in earlier
        if one.modality == "fact" or claim.modality == "unsure"  # beside what is folded into no belief stands nothing
    ):
        claim = replace(claim, cue="state", qualifiers=((ALSO, "and"),))
    return _on_its_street(text, said, claim)


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


def _with_more(episode: Episode, said: Statement, claim: Claim) -> Claim:
    """A claim with what its words say beside: what it stands beside, and how often: "I play it every evening"."""
    claim = set_beside(episode.text, said, claim)
    claim = moved_from(episode, by_a_part(episode, said, claim))
    known = find(claim.predicate)
    if said.when is None or known.temporal == "event" or not {"routine", "activity"} & set(known.traits):
        return claim
    times = read_times(episode.text[slice(*said.when)], episode.said_at.local())
    often = [("frequency", re.sub(r"(?i)^on ", "", one.text)) for one in times if one.kind == "frequency"]
    return replace(claim, qualifiers=(*claim.qualifiers, *often[:1]))


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
    return subject_of(episode.text, said, me, [*spoken_of, *again])


def _named_again(text: str, spoken_of: Sequence[Mention]) -> Iterator[Mention]:
    """Of those who were spoken of before, those whom a text names again."""
    for key, gender in dict.fromkeys((one.key, one.gender) for one in spoken_of if one.at < 0 and ">" not in one.key):
        for found in re.finditer(rf"(?i)\b{re.escape(key)}\b", text):
            yield Mention(key, gender, found.start())


def _claim(
    episode: Episode, said: Statement, me: str, subject: str, reader: Reader, *, certain: bool, slot: Slot | None = None
) -> Claim | None:
    text = episode.text
    value = _value(text, said)
    if not value or "\n" in value or len(value) > 160 or _says_nothing(said, value):
        return None
    kind = said.predicate if slot is not None else _kind(said)
    doubtful = _is_doubtful(said)
    label = LABELS.get(kind, LABELS["other"])
    if doubtful and kind == "other" and said.status == "is" and " " not in value:
        value = _clause(text, said.value) or value
    label, predicate, value = _predicate_of(text, said, label, value, slot)
    named = None if slot is None else slot.subject
    subject = _whose(text, said, subject, predicate, me) if named is None else named
    if is_relation(predicate) and ">" in subject and NAMED_SO.search(text, 0, said.value.start) is not None:
        subject, _, predicate = subject.rpartition(">")
    state = standing(episode, said, label.happened, predicate)
    if state is None or (predicate == "died" and subject == me):  # "I died of embarrassment"
        return None
    predicate, valid, holds_now, cue, negative = state
    first = value.partition(" ")[0]
    if predicate == "event" and first.istitle() and first.lower() in EVENT_NOUNS | SEEN_FOR_WORK | ACTIVITIES:
        value = value[0].lower() + value[1:]  # without the capital of its sentence
    little = doubtful or _ends_little(text, said)
    ends = (cue in ("stop", "retract", "correct") or negative) and little
    certain = certain and not (ends or _is_unlikely(episode, said, subject == me, predicate, value))
    start, end = quoted(text, said)
    becomes = said.predicate == "partner" and not negative
    least = max(reader.known, OF_A_PARTNER if becomes else 0.0)
    modality: Modality = "fact" if certain and said.sure >= least else "unsure"
    key = "\x1f".join((episode.id, str(start), str(end), subject, predicate, value, cue, str(int(negative))))
    event = find(predicate).temporal == "event"
    alone = predicate in ("drinks", "eats") and not negative and _is_alone(text, said)
    cue = "update" if alone else cue
    single = (subject != me and "per_thing" in find(predicate).traits) or (slot is not None and slot.single)
    return Claim(
        id=blake2b(key.encode(), digest_size=16).hexdigest(), episode=episode.id, start=start, end=end,
        subject=subject, predicate=predicate, object=value, replaces=value if cue == "correct" and negative else None,
        valid=valid, holds_now=holds_now, said_at=episode.said_at,
        session=episode.session, position=episode.position, cue=cue, functional=single, negative=negative,
        asserted_by=me, standing=3 if episode.source.startswith("import:") else 4, modality=modality,
        confidence=round(said.sure, 3), extractor=reader.fingerprint,
        qualifiers=((ALONE, "only"),) if alone
        else ((CALLED_OFF, "plan"),) if said.status == "cancelled" and not event else (),
    )  # fmt: skip


def _predicate_of(text: str, said: Statement, label: Label, value: str, slot: Slot | None) -> tuple[Label, str, str]:
    """The label, the predicate and the value of a statement, as finely as its words or its slot name them."""
    predicate = finer_predicate(text, said, label.holds, value)
    if slot is not None:
        label = label if slot.predicate in label else Label(slot.predicate, "")
        predicate, value = slot.predicate, slot.value
        value = _as_somebody(predicate, predicate, value)[1] if is_relation(predicate) else value
    elif label.holds in NAMING or label.holds == "name":
        predicate, value = _as_somebody(predicate, label.holds, value)
    return label, predicate, (_YEARS.sub("", value) or value) if predicate == "age" else value


def _ends_little(text: str, said: Statement) -> bool:
    """Whether it is not certain that something ends, or what."""
    return said.chances[2:3] < (ENDING,) or ends_no_other(text, said)


def _is_unlikely(episode: Episode, said: Statement, mine: bool, predicate: str, value: str) -> bool:
    """Whether the words leave a claim open: nothing introduces the name of whoever writes, they were born too late, a
    birth "on Tuesday" is a party, it will be so and nobody says when, or it is said that it may be so."""
    words = episode.text[slice(*quoted(episode.text, said))]
    unnamed = mine and predicate in _NAMES and not _INTRODUCES.search(words)
    year = _A_YEAR.search(words) if mine and predicate in ("born_on", "birth_year") else None
    newborn = year is not None and int(year[0]) > episode.said_at.local().year - YOUNGEST
    undated = predicate == "born_on" and not any(map(str.isdigit, value))
    to_be = said.when is None and find(predicate).temporal == "state" and predicate != "plans"
    ahead = to_be and _WILL_BE.search(episode.text, 0, said.value.start) is not None
    return unnamed or newborn or undated or ahead or _is_open(episode, said)


_A_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
YOUNGEST = 5
"""Years of whoever writes, at least."""


def _value(text: str, said: Statement) -> str:
    """The words of a value without what surrounds it, and of a dose with the medicine that it is of."""
    value = text[slice(*said.value)].strip(" ,.;:!?\"“”'()")
    return value if said.of is None else f"{value} of {text[slice(*said.of)]}"


def _whose(text: str, said: Statement, subject: str, predicate: str, me: str) -> str:
    """Whose a statement is, where its words name the thing: "the rent" is paid by whoever speaks of it, and "my mother
    is Irene" says whose mother she is."""
    if predicate == "rent":
        return me
    holds = LABELS.get(said.predicate, LABELS["other"]).holds
    return subject.removesuffix(f">{predicate}") if holds in NAMING else subject


def _is_open(episode: Episode, said: Statement) -> bool:
    """Whether the words leave open that it is so, or of whom."""
    text = episode.text
    start, _ = quoted(text, said)
    return (
        _HEDGED.search(text, max(start, said.value.start - NEAR), said.value.start) is not None
        or said.chances[3:4] < (OF_WHOM,)
        or is_of_another(text, said)
        or _is_far(text, said)
    )


_FRESH_OR_OLD = wordset("new old current present first second third late")


def _as_somebody(predicate: str, relation: str, value: str) -> tuple[str, str]:
    """A value that is somebody: "my sister jodie", by whom no capitals are written, has one; "four kids" are four; a
    "new wife" is a wife."""
    words = value.lower().split()
    if len(words) > 1 and words[-1] in RELATIONS and _FRESH_OR_OLD.issuperset(words[:-1]):
        return predicate, words[-1]
    counted = NUMBER_WORD.match(value)
    if counted is not None and value[counted.end() + 1 :] in PLURALS:
        return relation, counted[0]
    named = value.isalpha() and value.islower() and not NUMBER_WORD.fullmatch(value)
    named = named and value not in PLURALS and value not in RELATIONS
    return predicate, capital(value) if named else value


def _is_doubtful(said: Statement) -> bool:
    """Whether the reader is not sure enough of a statement's label."""
    least = OF_EXCLUSIVE if "exclusive" in find(said.predicate).traits else OF_KIND
    return bool(said.chances) and said.chances[1] < least


def _kind(said: Statement) -> str:
    """The label of a statement; of one that the reader doubts, a note's, or that of something that happened."""
    if not _is_doubtful(said):
        return said.predicate
    return "event" if said.status in DONE else "other"


def _says_nothing(said: Statement, value: str) -> bool:
    """Whether a value is empty, as in "do it", or one of the words that say whom it is about."""
    whose = said.subject
    within = whose is not None and whose.start <= said.value.start and said.value.end <= whose.end
    return (within and said.value != whose) or _EMPTY.issuperset(value.lower().split())


def _points_only(claim: Claim) -> bool:
    """Whether a value names nothing: "Laurent has them", "he gave it up in May", but not "see her on Friday"."""
    dated = claim.valid != OPEN and {"it", "that"}.isdisjoint(claim.object.lower().split())
    return not dated and _is_hollow(claim.object)


def _is_hollow(words: str) -> bool:
    named = set(words.lower().split())
    return named <= _EMPTY | _HOLLOW and not named.isdisjoint(_OBJECTS)


def _ended_then(over: Claim, claim: Claim) -> Claim:
    """What is over with the time of a claim behind it: "I don't smoke any more. I gave it up in March"."""
    dated = claim.valid.start is not None and claim.valid.start < claim.said_at.us
    undated = over.valid == OPEN and over.cue == "stop" and over.subject == claim.subject
    return replace(over, valid=replace(claim.valid, end=None)) if dated and undated else over


def _is_alone(text: str, said: Statement) -> bool:
    """Whether a value takes the place of all else of its kind: "I only drink tea", but not "only tea at night", "at
    work I only drink tea" or "only two coffees"."""
    only = _ONLY.search(text, 0, said.value.start)
    if only is None or _SO_MUCH.match(text, said.value.start) or _AT_TIMES.match(text, said.value.end):
        return False
    return _AT_TIMES_ONLY.search(text, 0, only.start()) is None


_SO_MUCH = re.compile(rf"{NUMBER_WORD.pattern}|\d|(?:half|an? (?:little|bit|few)|small|little|local)\b")
_AT_TIMES = re.compile(r"(?i),? (?:on|at|in|when|if|with|after|before|every|for|an?|per|once|twice)\b")
_AT_TIMES_ONLY = re.compile(
    r"(?i)(?:\A|[.!?;\n])\W*(?:(?:and|but|so) )?(?!(?:at|for) (?:the moment|present|now)\b)"
    r"(?:at|in|on|for|with|after|before|during|while|when|whenever|if)\b[^.!?;\n]*\Z"
)
"""Before "only", that it is so in some place or at some times."""
_ONLY = re.compile(r"(?i)\b(?:only|nothing but)(?: (?:ever |now )?(?:drink|eat))?s? \Z")
"""Before what is drunk or eaten in the place of all else."""
_EMPTY = wordset("more less or about born it that this them him her one doing do so there here those never always")
"""Words of a value that says nothing."""
_HOLLOW = wordset(
    "has have had having take takes took taking get gets got getting go goes went going give gives gave giving come"
    " comes came coming see sees saw let lets bring brings brought to with up off back on in out at of"
)
_OBJECTS = wordset("it them him her this that")
"""Of a value of such words alone it is said of what, and not what."""
_HEDGED = re.compile(
    r"(?i)\b(?:might|may (?:be|have|well|not|need)|could be|maybe|perhaps|possibly|(?:not|isn['’]?t) sure|"
    r"wonder\w*|whether|(?:thinking|thought) (?:of|about)|considering|toying with|tempted to|"
    r"(?<!\bi )(?:thinks?|suspects?|suspected)(?: that)? (?:it['’]?s|it is|it might|it could))\b"
    r"[^.!?;,\n]*\Z"
)
"""What somebody holds possible only."""


_WILL_BE = re.compile(
    r"(?i)(?:\b(?:will|gonna|going to)|['’]ll) (?:be|go up to|rise to|cost) (?:about |around )?[£$€]?\Z"
)
"""Before what is so at some time that is not said."""


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
