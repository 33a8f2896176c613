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

from store.beliefs.pieces import ALSO
from store.beliefs.predicates import REGISTRY, find, with_trait
from store.beliefs.values import means, value_key
from store.reading.corrections import corrects
from store.reading.encoder import Reader, Statement, Words
from store.reading.finer import DRINKS, finer_predicate
from store.reading.kin import PLURALS, RELATIONS
from store.reading.labels import LABELS
from store.reading.subjects import key_of
from store.reading.worded import around
from store.records import Claim, Stretch
from store.text.forms import form_of, ing_of
from store.text.lists import wordset
from store.text.nouns import ACTIVITIES, ATTRIBUTES, CARS, DIETS, finer

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
_LINK = re.compile(rf"(?i){_COPULA}|{_BECAME}|(?P<wrong>{_WAS_WRONG})")
"""What leads from a noun to its value."""
_OWNED = re.compile(
    r"(?i)(?<![\w'’])"
    r"(?P<owner>(?:(?:my|our|the) (?:[\w'’-]+ ){0,2}?|(?-i:[A-Z][\w-]+ )?)[\w-]+['’]s|my|our|his|her|their|its|the) "
    r"(?P<noun>[\w-]+(?: [\w-]+){0,5}?)"
    r"(?: (?:of|for|at|in|on|to|as) (?:(?:the|my|our|a) )?(?P<whole>[\w -]+))?\Z"
)
_CLAUSE = re.compile(r"[,:(]|\b(?:and|but|so|because|that)\b(?! )|(?<=\w) (?:and|but|because) ")
_FRESH = wordset("new brand-new current latest present newest")
_VAGUE = wordset("main actual personal own primary usual total")
_OTHER = wordset("old former previous last ex first second third next other least dream ideal")
"""Before a noun: another one than the one that somebody has."""
_STALE = wordset("old former previous last ex first")
_FAVOURITE = ("favourite ", "favorite ", "go-to ")


class Slot(NamedTuple):
    """What the words around a value say that it is: a predicate, and maybe of whom, and in which state."""

    predicate: str
    value: str
    subject: str | None = None
    """None: of whom the reader says it is."""
    status: str = ""
    """"": as the reader says."""
    single: bool = False
    """It holds one value at a time, whatever the registry says."""


def slot_of(text: str, said: Statement, value: str, me: str) -> Slot | None:
    """The slot that the words around a value name; None where they name none."""
    if said.status in ("planned", "event", "cancelled") and said.predicate == "event":
        return _went(text, said, value)
    slot = _to_work(text, said) or _by_noun(text, said, value, me)
    for named in (_diet, _by_verb, _by_doing, _by_change):
        slot = slot or named(text, said, value)
    if slot is not None and said.status == "corrects" and not slot.status:
        return slot._replace(status="corrects") if corrects(around(text, said)[0]) else slot
    return slot


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


_IS_MY = re.compile(r"(?i) is (?P<owner>my|our) (?P<noun>favou?rite [\w-]+)\W*(?:\Z|, )")


def _named_before(ahead: str, behind: str) -> _Named | None:
    """The noun that leads to a value: "my X is V", "the X went up to V", "X is not W, it is V", "V is my X"."""
    link = _LINK.search(ahead)
    if link is None:
        mine = _IS_MY.match(behind)
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
        kin = "".join(words[-2:-1]).removesuffix("s")  # "my dads name", without its apostrophe
        return _called(f"{found.owner} {kin}" if kin in RELATIONS else found.owner, value, me)
    others = _OTHER & set(words[: -len(noun.split())]) and said.status != "was"
    over = found.how == "was" and not (said.status == "was" and _STALE & set(words))
    of_some = found.whole and noun.startswith(_FAVOURITE)  # "my favourite colour for walls"
    if not name or others or over or of_some or not _is_value(name, value, said):
        return None
    before = " ".join(word for word in words if word not in _STALE)[: -len(noun)].strip()
    subject = _holder(found.owner, before, found.whole, name, me)
    label = find(LABELS.get(said.predicate, LABELS["other"]).holds)
    if label.temporal == "event" and noun in label.nouns and (before or found.whole):
        return None  # a deadline is when something expires
    status = "corrects" if found.how == "corrects" else "begins" if fresh and said.status == "is" else ""
    name = label.name if name not in REGISTRY and label.cardinality == "one" and noun in label.nouns else name
    return Slot(name, value, subject, status, single=True)


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
    owners = said.subject is None and said.predicate not in ("event", "other")
    return (
        named
        or owners
        or name.startswith("favourite_")
        or name.endswith("colour")
        or name in LABELS.get(said.predicate, LABELS["other"])
    )


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
    if low in ("his", "her", "their", "its"):
        return None
    person = re.sub(r"['’]s$", "", owner)
    mine = re.match(r"(?i)(?:my|our) ", person)
    key = key_of(person, Words(0, len(person)), me, ())
    return f"{me}>{key}" if mine and ">" not in key and person[mine.end() :].islower() else key


_FILLING = (
    "a|an|the|my|our|some|any|no|also|still|now|only|just|mostly|really|lots?|of|bit|little|much|many|more|all|these"
    "|those|his|her|their|very|too|always|usually|often|sometimes"
)
_FIGURES = {"birth_year": re.compile(r"(?:1[89]|20)\d\d"), "weight": re.compile(r".*\d.*")}
"""What the value of a predicate must be."""


@cache
def _wordings() -> dict[str, str]:
    """The words that lead to a value, with their predicate, which no label of the reader holds: "commutes by"."""
    held = {label.holds for label in LABELS.values()} - {"plays"} | _LIGHT  # the reader hears a sport
    found: dict[str, str] = {}
    for one in REGISTRY.values():
        done = one.temporal == "event" and " " not in one.first
        if one.name in held or one.grammar != "verb" or done or one.is_relation:
            continue
        verb, _, tail = one.first.partition(" ")
        being = verb in ("are", "were")
        wordings = [tail] if being else [one.first, one.third, one.past, f"{ing_of(verb)} {tail}".strip()]
        found |= dict.fromkeys(wordings, one.name)
    return found


_LIGHT = wordset("is can wants keeps runs sees grade office_days operating_system")
"""Predicates whose words say little: "keeps her word"."""


@cache
def _leading() -> re.Pattern[str]:
    """What leads to a value, by its verb."""
    verbs = "|".join(sorted(_wordings(), key=len, reverse=True))
    return re.compile(rf"(?i)(?<![\w'’-])(?P<verb>{verbs})(?: (?:{_FILLING}))* ")


def _by_verb(text: str, said: Statement, value: str) -> Slot | None:
    """What the reader has no label for, by the verb before a value or at its beginning: "I drink coffee"."""
    label = find(LABELS.get(said.predicate, LABELS["other"]).holds)
    if said.predicate == "diet" and DRINKS.search(text, 0, said.value.start):
        return Slot("drinks", value)  # "I only drink decaf now"
    if said.predicate in ("favourite", "expires", "diet", "allergic_to") or label.is_relation:
        return None
    ahead = around(text, said)[0]
    words = f"{ahead}{value}"
    led = next((one for one in _leading().finditer(words) if one.start() <= len(ahead) <= one.end()), None)
    if led is None or led.end() == len(words):
        return None
    predicate, value = _wordings()[led["verb"].lower()], words[led.end() :]
    if predicate == "shift" and said.predicate != "schedule":
        return None
    return Slot(predicate, value) if predicate not in _FIGURES or _FIGURES[predicate].fullmatch(value) else None


_CHANGE = re.compile(
    r"(?i)\b(?<!to )(?:g[ai]v(?:e|en|ing) up|quit|stopped|cancell?ed|sold|dropped|ditched|no longer)"
    r"(?: (?:my|our|the|all|doing|playing|going|to|at|with|his|her|[\w-]+['’]s))* \Z"
)
_WHOSE = re.compile(r"[\w-]+['’]s \Z")
_JOB = re.compile(r"(?i)(?:(?:my|the|his|her|our) )?(?:\w+ )?job")


def _by_change(text: str, said: Statement, value: str) -> Slot | None:
    """What the words of change say to be over: "gave up tennis", "cancelled my Spotify"."""
    ahead = around(text, said)[0]
    ends = said.status in ("ends", "not", "is", "was") and said.predicate != "event"
    predicate = LABELS.get(said.predicate, LABELS["other"]).holds
    if not ends or find(predicate).is_relation or not _CHANGE.search(ahead):
        return None
    if _JOB.fullmatch(value):
        return Slot("works_at", "", None, "ends")
    whose = _WHOSE.search(ahead)
    predicate = finer_predicate(text, said, predicate, value)  # "gave up sugar"
    return Slot(predicate, (whose[0] if whose else "") + value, None, "ends")


_DOES = re.compile(r"\b(?:[Ii]|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|[A-Z]\w+)(?: (?:also|still|usually|often))* \Z")


def _by_doing(text: str, said: Statement, value: str) -> Slot | None:
    """A verb alone is something that one does: "I run", "stopped running"."""
    form = form_of(value.lower())
    if form is None or said.predicate not in ("sport", "habit", "hobby"):
        return None
    doing = ing_of(form[0])
    over = said.status == "ends" and doing == value.lower()
    does = said.status in ("is", "begins") and form[1] & {"base", "s"} and _DOES.search(around(text, said)[0])
    return Slot("does", doing) if (over or does) and doing in ACTIVITIES else None


def _diet(text: str, said: Statement, value: str) -> Slot | None:
    """A vegetarian diet is vegetarian."""
    kind = value.removesuffix(" diet")
    return Slot("diet", kind) if said.predicate == "diet" and kind in DIETS and kind != value else None


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
_NEGATED = re.compile(r"(?i)(?:n['’]t|\b(?:did|have|has|was)nt|\bnot|\bnever)\b")
_FOR_OTHERS = re.compile(r"(?i)[^.!?;]* for (?:my|our|his|her)\b")


def further(text: str, said: Statement, claim: Claim) -> Iterator[Claim]:
    """What a claim says besides: a phone that is used is the phone, and who sold the car drives none."""
    ahead, behind = around(text, said)
    low = claim.object.lower()
    over = claim.cue == "stop"
    if claim.predicate in ("uses", "owns") and not claim.negative and not over and claim.cue != "correct":
        thing = finer(claim.object) or ("drives" if set(low.split()) & CARS else "")
        if thing and not _FOR_OTHERS.match(behind):
            yield anew(claim, predicate=thing)
    if over and claim.predicate in ("uses", "owns"):
        for name in with_trait("owned"):
            if low in find(name).nouns:
                yield anew(claim, predicate=name, object="")
    sentence = f"{ahead}{text[said.value.start : said.value.end]}{behind}"
    if said.subject is not None:  # what is said of somebody else in the sentence is not said of them
        sentence = text[min(said.subject.start, said.value.start) : max(said.subject.end, said.value.end)]
    if claim.predicate in ("event", "works_at", "job") and _JOBLESS.search(sentence) and not _NEGATED.search(sentence):
        if claim.predicate != "works_at":
            yield anew(claim, predicate="works_at", object="", cue="stop", negative=True, valid=_since(claim.valid))
        if claim.predicate != "job":
            yield anew(claim, predicate="job", object="", cue="stop", negative=True, valid=_since(claim.valid))
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
        given_for = _given_for(text, said, claim, [one for _, one in claims[:place]])
        if given_for is not None:
            claim = replace(claim, cue="update", replaces=claims[given_for][1].object)
            gone.add(given_for)
        found.append(_in_its_place(text, said, claim))
    swapped = [one for one in found if one.predicate == "takes" and one.replaces]
    return (
        one for place, one in enumerate(found)
        if place not in gone and not any(_is_given_up(one, new) for new in swapped)
    )  # fmt: skip


def _is_given_up(claim: Claim, new: Claim) -> bool:
    """Whether a medicine is the one that another of its turn is given for: "swapped to B, A made me feel sick"."""
    same = (claim.subject, claim.predicate) == (new.subject, new.predicate) and claim.cue in ("state", "update")
    return same and not claim.replaces and new.replaces is not None and means(claim.object, new.replaces)


def _given_for(text: str, said: Statement, claim: Claim, earlier: Sequence[Claim]) -> int | None:
    """Which earlier claim is of the medicine that this one is given for: the one that is named, else the only one."""
    swapped = _SWAPPED.search(text, 0, said.value.start)
    if swapped is None or claim.predicate != "takes":
        return None
    taken = [at for at, one in enumerate(earlier) if (one.subject, one.predicate) == (claim.subject, "takes")]
    if swapped["old"]:
        taken = [at for at in taken if means(swapped["old"], earlier[at].object)][-1:]
    return taken[0] if len(taken) == 1 else None


def is_swapped(text: str, said: Statement, claim: Claim) -> bool:
    """Whether a medicine takes the place of another, which the turn does not name."""
    open_yet = claim.predicate == "takes" and not claim.replaces and claim.cue in ("state", "update")
    return open_yet and (old := _SWAPPED.search(text, 0, said.value.start)) is not None and not old["old"]


def _in_its_place(text: str, said: Statement, claim: Claim) -> Claim:
    """A medicine with the one that it is given for, which no other statement of the turn names."""
    if claim.predicate != "takes" or claim.replaces or claim.cue not in ("state", "update"):
        return claim
    old = _SWAPPED.search(text, 0, said.value.start) or _INSTEAD.match(text, said.value.end)
    return replace(claim, cue="update", replaces=old["old"]) if old is not None and old["old"] else claim


def _gives_way(new: Claim, old: Claim) -> bool:
    """Whether one claim ends, at no time of its own, what another one puts in its place."""
    cues = (new.cue, old.cue) == ("update", "stop") and not new.replaces and old.valid.start is None
    return cues and bool(old.object) and (new.subject, new.predicate) == (old.subject, old.predicate)


_FOR = re.compile(r"(?i) (?:to|for|with|by|over to)(?: (?:a|an|the|my|new|using))* ?")


_SWAPPED = re.compile(
    r"(?i)\b(?:swapped|switched|changed|moved) (?:me|him|her|us|them) (?:over )?"
    r"(?:from (?:the |my |his |her )?(?P<old>[\w-]+) )?(?:on)?to \Z"
)
_INSTEAD = re.compile(r"(?i)[\w .]{0,12} instead of (?:the |my |his |her )?(?P<old>[\w-]+)")


def set_beside(text: str, said: Statement, claim: Claim) -> Claim:
    """A value that is said to hold beside others: "I also work at the Blue Note"; and how often it does."""
    ahead, behind = around(text, said)
    known = find(claim.predicate)
    also = _ALSO_AHEAD.search(ahead) or _ALSO_BEHIND.search(behind)
    begins = said.status == "begins" and _ALSO_AHEAD.search(ahead) is not None  # "also, I got promoted to"
    holds = (known.cardinality, known.temporal) == ("one", "state") and claim.cue in ("state", "update")
    if also and holds and not begins:
        return replace(claim, cue="state", qualifiers=(*claim.qualifiers, (ALSO, also[0].strip().lower())))
    return claim


_ALSO_AHEAD = re.compile(r"(?i)\balso (?=[^.;,]{0,40}\Z)")
_ALSO_BEHIND = re.compile(r"(?i) (?:too|as well)(?=\W|\Z)")
