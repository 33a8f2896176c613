"""What was told a moment ago is put right, ended or taken back as the claim that it was, of the same subject.

"Typo, 91" says nothing by itself. The reader points at the words of the writer's own turns before that a value revises
(`Statement.revises`), and the claim that was made of those words is claimed again, changed as the new ones say. Where
no claim was made of them, nothing is revised, and the value is a statement like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from difflib import SequenceMatcher
from hashlib import blake2b

from store.beliefs.pieces import OPEN
from store.beliefs.predicates import find
from store.beliefs.values import is_one_occasion, value_key
from store.reading.asking.telling import leaves_out
from store.reading.claims import CHANGES, OF_KIND, OVER, REVISES, Revision
from store.reading.context import LEANS
from store.reading.encoder import Before, Statement, shipped
from store.reading.kin import RELATIONS
from store.reading.labels import LABELS
from store.reading.redated import again, at_its_hour
from store.reading.standing import ORDINAL, standing
from store.reading.subjects import is_i, is_mine, is_pronoun
from store.records import Claim, Episode, Modality
from store.text.forms import form_of, is_past
from store.text.lists import wordset
from store.text.nouns import EVENT_NOUNS
from store.time.expressions import read_times

SURE = 0.6
"""How sure it is that a value revises something, and how sure its status, for a belief to change by it."""
ALIKE = 0.5
"""How much of two names' letters agree where one is a slip for the other."""
_PARTS = tuple(
    re.compile(rf"(?i)(?<!\w)(?:{words})")
    for words in (
        r"\d[\d.,:/]*\d|\d",
        r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:days?)?\b",
        r"(?:jan(?:uary)?|feb(?:ruary)?|march|april|may|june|july|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?"
        r"|dec(?:ember)?)\b",
        r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b",
        r"(?:left|right)\b",
    )
)
"""Sorts of words of which one puts another right."""
SURELY_OF_KIND = 0.9
"""How sure it is of what sort a statement is, for it to stand in the place of no other."""
SLIP = 0.85
"""How much of two words' letters agree where one is the other, mistyped."""
_NAMING_WORD = re.compile(r"[^\W_][\w'’]*")
_LIGHT = wordset(
    "a an the my our his her its their your me i we he she it they you him us them this that these those of at in on"
    " and or for to with one"
)
"""Words that name nothing."""
_DENIED = re.compile(r"(?i)\bnot (?:the |an? |in |on |at |with |my )?(?P<word>[\w£$€][\w.,'’-]*\w|\w)")
"""What is said not to be so is what was told wrongly: "not 46, 47"."""
_TAKES_BACK = re.compile(
    r"(?i)\b(?:that|it|this|off|through|over|cancelled|scrap\w*|forget|ignore|wrong|misread|misheard|still|not?|never|nope"
    r"|back|mine|lost|any ?more|longer)\b"
)
"""Words of what is taken back without being named."""


def revised(
    episode: Episode,
    revisions: Sequence[Revision],
    own: Sequence[Episode],
    read: Callable[[Episode], Sequence[Claim]],
    known: float,
) -> Iterator[tuple[Revision, list[Claim]]]:
    """Each revision with the claims that it makes. `own` are the writer's turns before, `read` gives the claims of one,
    and a statement is sure from `known` on."""
    denied = _denied(episode.text)
    for one in revisions:
        told = [claim for claim in read(one.turn) if not claim.negative and claim.cue not in ("stop", "retract")]
        told = _meant(episode, one, own, told)
        named = [claim for claim in told if denied & set(claim.object.casefold().split())]
        meant = named or _of_the_words(episode, one, told)
        meant = meant if one.said.revising >= REVISES else [claim for claim in meant if _is_alike(episode, one, claim)]
        meant = [claim for claim in meant if named or _fits(episode, one, claim)]
        meant = [claim for claim in meant if not _names_another(episode, one, claim)]
        if is_mine(episode.text, one.said):  # "I moved to Lisbon" moves nobody else
            meant = [claim for claim in meant if claim.subject == claim.asserted_by or not _is_human(claim)]
        made = [claim for claim in (_changed(episode, one, claim, known) for claim in meant) if claim is not None]
        yield one, [*made, *(taken_back(claim) for claim in made if _is_one_of_many(claim))]


def _is_human(claim: Claim) -> bool:
    """Whether only people have what is claimed."""
    known = find(claim.predicate)
    return "human" in known.traits or known.is_relation


def taken_back(claim: Claim) -> Claim:
    """What a correction says was wrong, where each value stands by itself: the wrong figure, the day of a deadline."""
    gone = replace(claim, object=str(claim.replaces), cue="retract", negative=True, valid=OPEN, replaces=None)
    return replace(gone, id=blake2b(f"{claim.id}\x1fgone".encode(), digest_size=16).hexdigest())


def _revising(earlier: str, later: str) -> Iterator[Statement]:
    """What a message says that surely revises something of the one right before it, of nobody else."""
    reader, before = shipped(), _keys(earlier)
    for said in reader.read([(later, Before(earlier, own=True))])[0]:
        mine = is_mine(later, said) and said.revises is not None and not is_i(earlier, said.revises.start)
        another = mine or _is_somebody_else(later, said, before)
        if said.revising >= SURE and said.sure >= reader.known and not another:
            yield said


def revises(earlier: str, later: str) -> bool:
    """Whether a message revises the one right before it."""
    return any(True for _ in _revising(earlier, later))


def is_revised(earlier: str, words: str, said_at: datetime, later: str) -> bool:
    """Whether a message revises some words of the one right before it, or the time that they say."""
    if len(later.split()) > LEANS or leaves_out(later):
        return False
    named = set(value_key(words).split())
    for said in _revising(earlier, later):
        if said.revises is not None and named & set(value_key(earlier[slice(*said.revises)]).split()):
            return True
        if said.when is not None and said.status not in OVER and read_times(words, said_at):
            return True
    return False


def _is_one_of_many(claim: Claim) -> bool:
    known = find(claim.predicate)
    return claim.cue == "correct" and bool(claim.replaces) and (known.temporal == "event" or known.cardinality != "one")


def _meant(episode: Episode, revision: Revision, own: Sequence[Episode], told: Sequence[Claim]) -> list[Claim]:
    """The claims that have the words by which the new message says what it speaks of, as far as the turns before have
    them: "the test moved to the 16th" moves no flight, of "not 4" only a four is meant, and a word that was mistyped is
    meant by the right one."""
    before = frozenset().union(*(_keys(turn.text) for turn in own))
    named = [
        {word for word in before if any(_is_slip(word, one) for one in words)}
        for words in _named(episode, revision.said)
    ]
    value = _keys(episode.text[slice(*revision.said.value)])
    named.append({word for word in before if any(word != one and _is_slip(word, one) for one in value)})

    def has_them(claim: Claim) -> bool:
        quote = _keys(f"{claim.subject} {claim.object} {revision.turn.text[claim.start : claim.end]}")
        return all(words & quote for words in named if words)

    if _is_somebody_else(episode.text, revision.said, before):
        return []
    of = set().union(*named[:1])
    theirs = [claim for claim in told if of & _keys(claim.subject)]  # one sentence may name two: "Tom is 31 and Ann 28"
    return [claim for claim in theirs or told if has_them(claim)]


def _is_somebody_else(text: str, said: Statement, before: frozenset[str]) -> bool:
    """Whether a statement is of somebody of whom the turns before do not speak: "my sister moved to Rome", after
    "Paul lives in Leeds"."""
    words = "" if said.subject is None else text[slice(*said.subject)]
    kin = RELATIONS.keys() & set(words.lower().split())
    somebody = bool(kin) or (words[:1].isupper() and not is_pronoun(words.lower()))
    return somebody and not any(_is_slip(word, one) for word in before for one in _keys(words))


def _named(episode: Episode, said: Statement) -> Iterator[frozenset[str]]:
    """The words for what a statement is of, for the occasion that it dates, and for what it says not to be so."""
    text = episode.text
    yield _keys("" if said.subject is None else text[slice(*said.subject)])
    if said.when is not None and said.predicate == "event":
        yield _keys(text[slice(*said.value)])
    yield _denied(text)


def _keys(words: str) -> frozenset[str]:
    """The words that name something, without what shows whose they are."""
    found = (word.removesuffix("'s").removesuffix("’s") for word in _NAMING_WORD.findall(words.casefold()))
    return frozenset(word for word in found if word not in _LIGHT)


def _is_slip(one: str, other: str) -> bool:
    """Whether one word is another, but for a slip or an ending: "alotment", "trains"."""
    alike = len(other) > 3 and one[:1] == other[:1] and _likeness(one, other) >= SLIP
    return one == other or alike


def _of_the_words(episode: Episode, revision: Revision, told: Sequence[Claim]) -> list[Claim]:
    """The claims whose value stands in the words that are revised; else those that were made of them. Of several only
    those of the new value's sort, unless all of them are over."""
    start, end = revision.words
    meant = set(value_key(revision.turn.text[start:end]).split())
    exact, around = [], []
    for claim in told:
        at = revision.turn.text.find(claim.object, claim.start, claim.end) if claim.object else -1
        near = claim.start < end and start < claim.end
        alike = near and (meant & set(value_key(claim.object).split()) or not _is_occasion(claim))
        if (start < at + len(claim.object) and at < end) if at >= 0 else alike:
            exact.append(claim)
        elif near and _is_occasion(claim):
            around.append(claim)
    if len(exact) > 1 and revision.said.status not in OVER:
        exact = [claim for claim in exact if _is_alike(episode, revision, claim)]
    return exact or around[:1]


def _fits(episode: Episode, revision: Revision, claim: Claim) -> bool:
    """Whether an age stands in the place of an age, what takes place in that of what does, and what is said of
    something of which the turn does not speak in that of its own kind: "rent's 1,060", after a phone number, and "the
    party is on the 13th", after the day of a wedding, put nothing right."""
    said = revision.said
    if said.chances[1] < OF_KIND:  # "18. was the year of the snow" says no price
        return not (episode.text[slice(*said.value)].isdigit() and episode.text.startswith(". ", said.value.end))
    of = _keys("" if said.subject is None else episode.text[slice(*said.subject)])
    sure = said.chances[1] >= SURELY_OF_KIND and not _is_of_kind(said, claim)
    if sure and _is_strange(of, revision.turn.text):
        return False
    occasion = EVENT_NOUNS & _keys(episode.text[slice(*said.value)]) if said.predicate == "event" else frozenset()
    if EVENT_NOUNS & _keys(claim.object) and _is_strange(occasion, revision.turn.text):
        return False
    happens = said.status in OVER or find(claim.predicate).temporal == "event" or _is_dated(claim)
    return (said.predicate == "age") == (claim.predicate == "age") and (said.predicate != "event" or happens)


def _is_strange(words: frozenset[str], text: str) -> bool:
    """Whether a text has none of some words, if there are any."""
    return bool(words) and not any(_is_slip(one, word) for one in words for word in _keys(text))


def _names_another(episode: Episode, revision: Revision, claim: Claim) -> bool:
    """Whether what is said to be over is another thing: "hazelnuts are fine now", after walnuts."""
    said = revision.said
    words = episode.text[said.value.start : said.value.end]
    if said.status in OVER and _is_occasion(claim) and EVENT_NOUNS & _keys(words) and EVENT_NOUNS & _keys(claim.object):
        return not is_one_occasion(words, claim.object)  # an appointment at the bank is none at the doctor's
    known = claim.object if said.revising < SURE else f"{claim.object} {revision.turn.text}"
    shared = _keys(words) & _keys(known)
    named = any((form_of(word) is None and not is_past(word)) or word.endswith("ing") for word in _keys(words))
    return said.status in OVER and named and not shared and _TAKES_BACK.search(words) is None


def _is_alike(episode: Episode, revision: Revision, claim: Claim) -> bool:
    """Whether a statement that may revise a claim is of its kind, or of its very value."""
    said = revision.said
    words = episode.text[said.value.start : said.value.end]
    if _is_of_kind(said, claim) and said.predicate in LABELS and said.predicate != "other":
        return True
    if said.status in OVER:
        return bool(_keys(words) & _keys(claim.object))
    return any(part.fullmatch(words) and len(part.findall(claim.object)) == 1 for part in _PARTS)


def _is_of_kind(said: Statement, claim: Claim) -> bool:
    return find(LABELS.get(said.predicate, LABELS["other"]).holds).slot_name == find(claim.predicate).slot_name


def _changed(episode: Episode, revision: Revision, claim: Claim, known: float) -> Claim | None:
    """The claim as the new words have it; None where they say nothing else of it."""
    said = revision.said
    words = episode.text[said.value.start : said.value.end]
    span = (0, len(episode.text.rstrip()))  # "91" alone would be no quote
    sure = said.sure >= known and (said.revising >= SURE or said.status in CHANGES) and said.chances[2] >= SURE
    modality: Modality = "fact" if sure else "unsure"
    has_time = any(map(str.isdigit, claim.object)) or read_times(claim.object, episode.said_at.local())
    timeless = not has_time and _is_time(episode, words)
    dated = _is_dated(claim) and claim.predicate != "expires_on"  # whose day is its value
    if said.status not in OVER and (timeless or dated):
        when = episode.text[said.when.start : said.when.end] if said.when else words
        when = f"the {when}" if ORDINAL.fullmatch(when) else when
        valid = at_its_hour(when, episode, claim)
        if valid is not None:
            moved = again(episode, claim, claim.object, valid, span)
            return replace(moved, modality=modality)
        if timeless:  # a time is no value of what has none: "34 years", after "at the ticket desk"
            return None
    if said.status == "planned" and said.when is None:  # "she put her price up to 40": what it is from now on
        said = replace(said, status="begins")
    label = LABELS.get(said.predicate, LABELS["other"])
    state = standing(episode, said, label.happened, claim.predicate)
    if state is None:
        return None
    predicate, valid, holds_now, cue, negative = state
    value = claim.object if said.status in OVER else _value(claim.object, words, _denied(episode.text))
    if said.status in ("not", "cancelled"):
        cue = "retract"
    if cue == "correct" and find(claim.predicate).temporal != "event":
        valid, holds_now = claim.valid, claim.holds_now
    if value == claim.object and not negative:
        return None
    cue = "update" if cue == "state" else cue  # what is said anew of a value that was told is a change of it
    key = "\x1f".join((episode.id, *map(str, span), claim.subject, predicate, value, cue))
    return replace(
        claim, id=blake2b(key.encode(), digest_size=16).hexdigest(), episode=episode.id, start=span[0], end=span[1],
        predicate=predicate, object=value, valid=valid, holds_now=holds_now, cue=cue, negative=negative,
        replaces=None if negative else claim.object, said_at=episode.said_at, session=episode.session,
        position=episode.position, modality=modality, confidence=round(min(said.sure, claim.confidence), 3),
        qualifiers=(),
    )  # fmt: skip


def _denied(text: str) -> frozenset[str]:
    return frozenset(match["word"].casefold() for match in _DENIED.finditer(text))


def _value(old: str, words: str, denied: frozenset[str]) -> str:
    """The old value with the new words in the place of those of its words that they put right: "190 a day", "*180"."""
    for part in _PARTS:
        if part.fullmatch(words) and len(part.findall(old)) == 1:
            return part.sub(lambda _: words, old)
    mine, theirs = old.split(), words.split()
    if len(theirs) == 1 and len(mine) > 1:  # "Mr Okafor", "Okoro"
        alike = max(mine, key=lambda word: (word.casefold() in denied, _likeness(word, words)))
        slip = alike.casefold() in denied or (len(alike) > 2 and _likeness(alike, words) >= ALIKE)
        return " ".join(words if word == alike else word for word in mine) if slip else words
    at = mine.index(theirs[-1]) + 1 if theirs and theirs[-1] in mine else 0
    if 0 < len(theirs) <= at and len(theirs) < len(mine):  # "operation on his left eye", "right eye"
        return " ".join([*mine[: at - len(theirs)], *theirs, *mine[at:]])
    return words


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one.casefold(), other.casefold()).ratio()


def _is_time(episode: Episode, words: str) -> bool:
    """Whether some words say a time and nothing else."""
    told = read_times(words, episode.said_at.local(), prefer="future")
    return any(len(one.text) >= len(words) - len("the ") for one in told)


def _is_occasion(claim: Claim) -> bool:
    return find(claim.predicate).temporal == "event" or bool(EVENT_NOUNS.intersection(claim.object.lower().split()))


def _is_dated(claim: Claim) -> bool:
    """Whether a new date would be its date, and no value."""
    return claim.valid.start is not None and (claim.valid.start > claim.said_at.us or _is_occasion(claim))
