"""A claim quotes the turn to the character, and only what the speaker plainly asserts becomes one.

The door: `read` turns one episode, with the turns before it, into claims. It is deterministic and a
pure function of its arguments. Assistants, systems and tools never assert anything; another speaker's "I" is that
speaker.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b

from store.beliefs.pieces import CALLED_OFF, IF_HELD, OPEN, REDATED
from store.beliefs.predicates import DEATH, find
from store.beliefs.values import value_key
from store.reading.asking.forgetting import asks_to_forget, asks_to_undo, said_instead, unsaid
from store.reading.asking.telling import asks, leaves_out, only_asks
from store.reading.claims import claims_of
from store.reading.context import leaned_on, texts_of
from store.reading.corrections import FIGURES, corrects, pointed, put_right, retraction
from store.reading.doses import dose_of
from store.reading.encoder import shipped
from store.reading.manner import manner
from store.reading.masks import is_ironic, veil
from store.reading.occasions import PLANS
from store.reading.redated import redated, refigured
from store.reading.replies import as_said, placed
from store.reading.revised import SURE, revised, taken_back
from store.reading.sentences import spans_of
from store.reading.speakers import ME, Speakers, mention_of
from store.reading.subjects import called, is_pronoun
from store.records import Claim, Cue, Episode
from store.time.expressions import read_told

__all__ = ["EXTRACTOR", "Speakers", "extractor", "mention_of", "read", "read_ahead"]

_INSTEAD = re.compile(r"\s*[,.;:–—-]+\s*(?P<said>\w+(?:\W+\w+){2}.*)", re.DOTALL)
"""What is said in the place of what is taken back: "scratch that, I work at Bosch"."""
EXTRACTOR = "rules/21"
"""Who made a claim that is not the network's; the older ones are read anew."""


def extractor() -> str:
    """Who reads now: the version of what stands around the network, and its own; what another read is read anew."""
    return f"{EXTRACTOR} {shipped().fingerprint}"


def read(episode: Episode, before: Sequence[Episode], speakers: Speakers) -> list[Claim]:
    """The claims of one turn; `before` holds up to a dozen turns of its session before it, oldest first.

    What the reader hears is claimed (`store.reading.claims`), with what the turn puts right, moves or takes back.
    """
    if (what := unsaid(episode.text)) and episode.role == "user" and not episode.inactive:
        struck, at = _struck(episode, what, _earlier(episode, before), speakers), said_instead(episode.text)
        rest = replace(episode, text=" " * at + episode.text[at:])
        return [*struck, *(read(rest, before, speakers) if rest.text.strip() else [])]
    if _only_asks(episode, before) or asks_to_forget(episode.text) or asks_to_undo(episode.text):
        return []
    if (forget := _FORGET_THAT.fullmatch(episode.text)) is not None:
        return _unsaid(episode, forget.start("said"), before, speakers)
    earlier = _earlier(episode, before)
    if not may_teach(episode) or (veil(episode.text).joke and not retraction(episode.text)):
        return []

    def anew(turn: Episode, then: Sequence[Episode]) -> list[Claim]:
        return read(turn, then, speakers)

    if veil(episode.text).joke:
        return _retracted(episode, earlier, speakers)
    again = redated(episode, earlier, anew)
    if again is not None:
        return again
    if (match := retraction(episode.text)) is not None:
        taken = _retracted(episode, earlier, speakers)
        instead = _INSTEAD.match(episode.text, match.end())
        if instead is None or episode.text[: match.start()].strip() or retraction(instead["said"]):
            return _named_before(taken, episode.text[: match.start()], earlier[-1:])
        said = replace(episode, text=" " * instead.start("said") + instead["said"])
        told = read(said, before, speakers)
        return [*_replaced(taken, told, [turn.text for turn in earlier[-1:]]), *told]
    heard = claims_of(episode, earlier, speakers, shipped()).claims
    claims = [*_of_manner(episode, earlier, speakers), *_apart(heard)]
    claims = [put_right(episode.text, claim) for claim in claims]
    if all(claim.modality == "unsure" for claim in claims):
        claims = _replied(episode, earlier, speakers) or claims
    mine = [turn for turn in earlier if turn.speaker == episode.speaker and turn.role == episode.role][-4:]
    wrong = corrects(episode.text) or any(claim.cue == "correct" for claim in claims)
    told = [one for turn in mine for one in read(turn, [], speakers)] if wrong else []
    found = [pointed(episode.text, claim, told) for claim in claims]
    found += [taken_back(claim) for claim in found if claim.predicate in (*FIGURES, "expires_on") and claim.replaces]
    found += [gone for claim in found for gone in _not_of(episode, claim)]
    found += _quit(episode, found, speakers)
    found += _settled(episode, speakers)
    found += [planned for claim in found for planned in _called_off(claim)]
    found += _dropped(episode, found, speakers)
    found = [said for claim in found for said in (list(_new_start(claim)) or [claim])]
    again = refigured(episode, earlier, anew)
    if not again:
        revised = _revised(episode, found, earlier, speakers)
        return list(_with_the_living(episode.text, _parted(episode, revised, speakers)))
    return [*again, *_but_for(found, episode.text[again[0].start : again[0].end])]


def _not_of(episode: Episode, claim: Claim) -> Iterator[Claim]:
    """What is said of one person and not of another is taken back of the other: "it's Hugo who can't have peanuts, not
    Ada"."""
    other = _NOT_THEM.search(episode.text)
    named = claim.object[:1].isupper() or claim.subject == claim.asserted_by  # "Dixon, not Davis" has another value
    if other is None or named or claim.negative or claim.cue == "stop" or find(claim.predicate).temporal == "event":
        return
    yield _claim(
        episode, value_key(other["name"]), claim.predicate, claim.object, other.span(), cue="retract", negative=True,
        by=claim.asserted_by,
    )  # fmt: skip


_QUIT = re.compile(
    r"(?i)(?:^|[.!?;,\n]|\b(?:and|so|but|well|today|yesterday)\b)\W*(?:i|we)"
    r"(?:['’]ve| have)?(?: just| finally| actually)? (?:quit|left|lost|packed in|gave up|resigned from) "
    r"(?:my|the) job\b(?! (?:as|at|for|to|of|in)\b)"
)


def _quit(episode: Episode, claims: Sequence[Claim], speakers: Speakers) -> Iterator[Claim]:
    """Whoever quit their job works there no longer, whatever the place is called, where the reader does not hear it."""
    match, me = _QUIT.search(episode.text), mention_of(episode.speaker, episode.role, speakers)
    if match is None or any(claim.predicate in _WORK and claim.cue == "stop" for claim in claims):
        return
    for predicate in _WORK:
        yield _claim(episode, me, predicate, "", match.span(), cue="stop", negative=True, by=me)


_WORK = ("works_at", "job")
_PARTED = re.compile(
    r"(?i)(?:^|[.!?;,\n]|\b(?:and|so|but|well|today|yesterday|that)\b)\W*"
    r"(?:me and (?P<whom>[\w-]+)|(?:my \w+ )?(?P<who>[\w-]+) and (?:i|me)|we)(?:['’]ve| have)?"
    r"(?: just| finally| sadly| actually| kind of)? (?P<did>(?:broke|broken) up|split(?: up)?|separated"
    r"|called it (?:a day|quits))\b(?! (?:up|the|a|an|our|it|at|into|to|so|on)\b)"
)


def _parted(episode: Episode, claims: list[Claim], speakers: Speakers) -> list[Claim]:
    """Claims in which "we broke up" ends that somebody is the writer's partner, whoever it is."""
    match, me = _PARTED.search(episode.text), mention_of(episode.speaker, episode.role, speakers)
    if match is None:
        return claims
    first, last = match.span("did")
    told = [one for one in claims if not set(value_key(one.object).split()) <= _words(match["did"])]
    ends = [one for one in told if one.predicate == "partner" and one.cue == "stop"]
    if any(one.modality == "fact" for one in ends):
        return told
    told = [one for one in told if one not in ends]
    whom = match["whom"] or match["who"] or ""
    over = _claim(episode, me, "partner", whom, (first, last), cue="stop", negative=True, by=me)
    times = read_told(episode.text, episode.said_at.local()) if whom else []  # one without a name ends what is so now
    day = next((one.stretch for one in times if one.stretch is not None), None)
    return [*told, over if day is None else replace(over, valid=replace(day, end=None))]


_NOT_AFTER_ALL = re.compile(
    r"(?i)\b(?:i['’]?m|i am|we['’]?re|we are) (?:now |actually )?not "
    r"(?:(?P<move>moving|relocating|emigrating)(?: house| away)?"
    r"|(?:changing|switching|taking|starting) (?:the |that |my )?(?:new )?(?P<job>jobs?))"
    r" (?:after all|any ?more|any longer|now)(?=\W*(?:\Z|[.,;!?]))"
)


def _dropped(episode: Episode, claims: Sequence[Claim], speakers: Speakers) -> Iterator[Claim]:
    """A plan to move or to work elsewhere that is dropped without its place: "we're not moving after all"."""
    found, me = _NOT_AFTER_ALL.search(episode.text), mention_of(episode.speaker, episode.role, speakers)
    plans = () if found is None else PLANS["move" if found["move"] else "job"]
    if found is None or any(claim.cue == "retract" and claim.predicate in plans for claim in claims):
        return
    for predicate in plans:
        claim = _claim(episode, me, predicate, "", found.span(), cue="retract", negative=True, by=me)
        yield replace(claim, qualifiers=((CALLED_OFF, "plan"),))


def _of_slot(claim: Claim, predicate: str, qualifiers: tuple[tuple[str, str], ...]) -> Claim:
    """A claim beside another one, of whatever is planned in a slot."""
    key = blake2b(f"{claim.id}\x1f{predicate}".encode(), digest_size=16).hexdigest()
    return replace(claim, id=key, predicate=predicate, object="", qualifiers=qualifiers)


_START_DATE = re.compile(r"(?i)(?:start(?:ing)? (?:date|day)|first day(?: at work)?)(?: (?:at|with|w/|in) .+)?")


def _new_start(claim: Claim) -> Iterator[Claim]:
    """When one begins to work where one is going to, moved with its day: "they pushed my start date to the 11th"."""
    moved = claim.predicate == "event" and claim.cue in ("update", "correct") and claim.subject == claim.asserted_by
    if not moved or claim.valid.start is None or not _START_DATE.fullmatch(claim.object):
        return
    for predicate in _WORK:
        start = _of_slot(claim, predicate, (*claim.qualifiers, (REDATED, "start")))
        yield replace(start, valid=replace(claim.valid, end=None))


def _called_off(claim: Claim) -> Iterator[Claim]:
    """Where one was to live or to work is called off with the move or the job: "the move is off"."""
    if claim.cue != "retract" or claim.predicate != "event" or claim.valid != OPEN:
        return
    noun = re.sub(r" (?:to|at|in|with) .*", "", claim.object.lower()).rpartition(" ")[2]
    for predicate in PLANS.get(noun, ()):
        yield _of_slot(claim, predicate, ((CALLED_OFF, "plan"),))


_NOT_THEM = re.compile(r"\bnot (?P<name>[A-ZÀ-Þ][\w-]+)(?=\W*(?:\Z|[,.;!?]))")


def _with_the_living(text: str, claims: Sequence[Claim]) -> Iterator[Claim]:
    """Claims, of which none denies a death that its turn tells of, or that whoever writes is dead: what they deny is
    no word of anybody else's."""
    claims = [_as_living(claim) for claim in claims]
    dead = {one.subject for one in claims if one.predicate == DEATH and not one.negative}
    for claim in claims:
        denies = claim.predicate == DEATH and claim.negative
        if not (denies and (claim.subject in dead or _I_LIVE.search(text, claim.start, claim.end))):
            yield claim


_I_LIVE = re.compile(r"(?i)\bi(?:['’]?m| am)(?: still)? (?:not|alive)\b|\bi did(?: not|n['’]?t)\b")


def _as_living(claim: Claim) -> Claim:
    """That somebody "isn't dead" takes back that they died, and is in no doubt."""
    denied = claim.negative or _NOT.search(claim.object)
    if claim.predicate != DEATH or not denied or is_pronoun(claim.subject):
        return claim
    return replace(claim, object=DEATH, cue="retract", negative=True, replaces=None, modality="fact")


_NOT = re.compile(r"(?i)\b(?:not|never|(?:is|was|did|has|had|does)n['’]?t)\b")
MAX_CHARACTERS = 20_000
"""Of a turn that is read; a longer one is a document, and documents do not speak for the person."""
_LETTER = re.compile(r"[A-Za-z0-9]")


def may_teach(episode: Episode) -> bool:
    """Whether a turn is read at all."""
    return (
        not episode.inactive
        and episode.role == "user"
        and len(episode.text) <= MAX_CHARACTERS
        and _LETTER.search(episode.text) is not None
    )


_LIGHT = frozenset(["a", "an", "the", "my", "our", "his", "her", "of", "to", "in", "at", "on"])


def _apart(claims: Sequence[Claim]) -> Iterator[Claim]:
    """Each claim by its value's own name; the day of an occasion is its time, and neither its timetable beside ("dinner
    at Sam's is on Saturday at 7") nor a habit."""
    dated = [
        _words(one.object) for one in claims if find(one.predicate).temporal == "event" and one.valid.start is not None
    ]
    doses = Counter(dose_of(one.object) for one in claims if one.predicate == "takes")
    for one in claims:
        about = _words({"schedule": one.subject, "habit": one.object}.get(one.predicate, ""))
        if not any(about and words and 2 * len(about & words) >= min(len(about), len(words)) for words in dated):
            yield replace(
                one, object=called(one.predicate, one.object), replaces=one.replaces or _other_dose(one, doses)
            )


def _other_dose(claim: Claim, doses: Counter[str]) -> str | None:
    """The medicine of which another dose ends where this one is taken, if its turn has but this one."""
    over = claim.negative or claim.cue in ("stop", "retract")
    now = claim.valid.end is None and not over  # "last year I took 450 mg" leaves what is taken now
    thing = dose_of(claim.object) if claim.predicate == "takes" and now else ""
    return thing if thing and doses[thing] == 1 else None


def _words(value: str) -> frozenset[str]:
    return frozenset(value_key(value).split()) - _LIGHT


def _only_asks(episode: Episode, before: Sequence[Episode]) -> bool:
    """Whether a turn asks, by itself or behind what its writer had just asked: "and Tom"."""
    if only_asks(episode.text):
        return True
    asking = leaves_out(episode.text)
    for turn in reversed(_earlier(episode, before)):
        if turn.role == "user" and turn.speaker == episode.speaker:
            if not asking or asks(turn.text):
                return asking
            asking = leaves_out(turn.text)
    return False


_PAID_BACK = re.compile(
    r"(?i)(?:^|\b(?:i|i['’]ve|we|we['’]ve|have|just|finally|and|so)\b)\W*(?:(?:just|finally|now|already|have) )*"
    r"(?:(?:paid|payed|repaid) (?P<paid>(?:my |the )?[\w'’-]+)(?: all| it all| everything)? back"
    r"|(?:repaid|settled up with|squared up with) (?P<squared>(?:my |the )?[\w'’-]+))\b"
    r"|(?P<by>(?:my |the )?\b[\w'’-]+) (?:(?:has|have|finally|just) )*(?:paid|payed|gave|given) (?:me|us)"
    r" (?:all |it all )?back\b"
)


def _settled(episode: Episode, speakers: Speakers) -> Iterator[Claim]:
    """What is paid back is owed no more, in whatever words it was noted: "paid Kas back", "dad's paid me back"."""
    me = mention_of(episode.speaker, episode.role, speakers)
    for found in _PAID_BACK.finditer(episode.text):
        whom, by = found["paid"] or found["squared"], re.sub(r"(?i)['’]s$", "", found["by"] or "")
        noted = [(me, f"owe {whom}"), (me, f"I owe {whom}")] if whom else [(me, f"{by} owes me"), (by, "owes me")]
        for subject, owed in noted:
            claim = _claim(episode, subject, "detail", owed, found.span(), cue="stop", negative=True, by=me)
            yield replace(claim, qualifiers=((IF_HELD, "believed"),))


_FORGET_THAT = re.compile(
    r"(?is)\W*(?:(?:please|pls|no|ok|and|just|can you|could you|you can),? )*"
    r"(?:(?:forget|delete|remove|erase|ignore|scrap|take back|unlearn)(?: the (?:fact|bit|thing))?"
    r"|(?:don['’]?t|do not|you needn['’]?t) (?:remember|believe|keep|store)) that (?P<said>\w+ .+)"
)


def _unsaid(episode: Episode, start: int, before: Sequence[Episode], speakers: Speakers) -> list[Claim]:
    """What somebody asks to forget is taken back as it would be claimed: "forget that Ada is allergic to peas"."""
    said = replace(episode, text=" " * start + episode.text[start:])
    me = mention_of(episode.speaker, episode.role, speakers)
    span = 0, len(episode.text.rstrip())
    return [
        _claim(episode, one.subject, one.predicate, one.object, span, cue="retract", negative=True, by=me)
        for one in read(said, before, speakers)
        if one.object and one.cue in ("state", "update", "switch", "correct") and not one.negative
    ]


def _struck(episode: Episode, what: str, earlier: Sequence[Episode], speakers: Speakers) -> list[Claim]:
    """What the last turn of the same writer that tells of a matter claimed of it, taken back."""
    named, me = _words(what), mention_of(episode.speaker, episode.role, speakers)
    span = 0, len(episode.text.rstrip())
    for at, turn in reversed(list(enumerate(earlier))):
        same = (turn.speaker, turn.role) == (episode.speaker, episode.role)
        if not same or 2 * len(named & _words(turn.text)) <= len(named):
            continue
        told = [one for one in read(turn, earlier[:at], speakers) if not one.negative]
        meant = [
            one for one in told
            if named & _words(f"{one.subject} {one.object} {turn.text[one.start : one.end]}")
        ]  # fmt: skip
        if meant:
            return [
                _claim(episode, one.subject, one.predicate, one.object, span, cue="retract", negative=True, by=me)
                for one in meant
            ]
    return []


def _but_for(claims: Sequence[Claim], words: str) -> list[Claim]:
    """The claims whose value is not among some words, which say something else."""
    named = set(value_key(words).split())
    return [one for one in claims if not set(value_key(one.object).split()) <= named]


def _revised(episode: Episode, claims: list[Claim], earlier: Sequence[Episode], speakers: Speakers) -> list[Claim]:
    """The claims of a turn, with what it changes of its writer's turns right before in the place of what its words say
    alone. What surely revises something of which no claim was made is read beside it all the same."""
    own = leaned_on(episode, earlier)
    if not own:
        return claims
    heard = claims_of(episode, earlier, speakers, shipped(), own)
    alone = list(_apart(heard.claims))

    def told(turn: Episode) -> Sequence[Claim]:
        return read(turn, earlier[: next(at for at, one in enumerate(earlier) if one.id == turn.id)], speakers)

    for revision, made in revised(episode, heard.revisions, own, told, shipped().known):
        words = episode.text[slice(*revision.said.value)]
        anew = made or [one for one in alone if one not in _but_for(alone, words)]
        if made or (anew and revision.said.revising >= SURE):
            heard_so = {(one.subject, one.predicate, one.object) for one in claims if one.cue != "state"}
            news = [one for one in anew if (one.subject, one.predicate, one.object) not in heard_so]
            kept = claims if len(news) < len(anew) else _but_for(claims, words)
            claims = [*kept, *news] if news else claims
    return claims


def _replied(episode: Episode, earlier: Sequence[Episode], speakers: Speakers) -> list[Claim]:
    """What a bare reply says to the question before it."""
    asked = earlier[-1].text if earlier and earlier[-1].speaker != episode.speaker else ""
    lead = as_said(asked, episode.text)
    if not lead or veil(episode.text).hidden:
        return []
    said = replace(episode, text=lead + episode.text)
    return list(placed(claims_of(said, [], speakers, shipped()).claims, episode))


def read_ahead(turns: Iterable[tuple[Episode, Sequence[Episode]]]) -> None:
    """Have the reader look at some turns at once, each with those before it; `read` is then quick."""
    may = [(episode, _earlier(episode, before)) for episode, before in turns if may_teach(episode)]
    shipped().read_ahead([text for episode, before in may for text in texts_of(episode, before)])


def _earlier(episode: Episode, before: Sequence[Episode]) -> list[Episode]:
    return [turn for turn in before if turn.id != episode.id and not turn.inactive]


def _of_manner(episode: Episode, before: Sequence[Episode], speakers: Speakers) -> Iterator[Claim]:
    """How answers should look, in words to the assistant alone."""
    me = mention_of(episode.speaker, episode.role, speakers)
    hidden = veil(episode.text).hidden
    if me != ME or any(turn.role == "user" and turn.speaker != episode.speaker for turn in before):
        return
    for start, end in spans_of(episode.text):
        if not is_ironic(episode.text[start:end]) and not any(a < end and start < b for a, b in hidden):
            for value, negative, span in manner(episode.text, (start, end)):
                yield _claim(episode, me, "response_style", value, span, negative=negative)


def _claim(
    episode: Episode, subject: str, predicate: str, value: str, span: tuple[int, int], *, cue: Cue = "state",
    negative: bool = False, by: str = ME,
) -> Claim:  # fmt: skip
    """What some words of a turn claim, beside the reader."""
    key = "\x1f".join((episode.id, *map(str, span), subject, predicate, value, cue, str(int(negative))))
    return Claim(
        id=blake2b(key.encode(), digest_size=16).hexdigest(), episode=episode.id, start=span[0], end=span[1],
        subject=subject, predicate=predicate, object=value, valid=OPEN, holds_now=True, said_at=episode.said_at,
        session=episode.session, position=episode.position, cue=cue, negative=negative, asserted_by=by,
        standing=3 if episode.source.startswith("import:") else 4, confidence=0.9, extractor=EXTRACTOR,
    )  # fmt: skip


def _retracted(episode: Episode, before: list[Episode], speakers: Speakers) -> list[Claim]:
    """ "That was a joke": whatever the same speaker claimed in the turn before is taken back."""
    mine = [turn for turn in before if turn.speaker == episode.speaker and turn.role == episode.role]
    match, speaker = retraction(episode.text), mention_of(episode.speaker, episode.role, speakers)
    if not mine or match is None:
        return []
    return [
        _claim(
            episode, claim.subject, claim.predicate, claim.object, match.span(), cue="retract", negative=True,
            by=speaker,
        )
        for claim in read(mine[-1], mine[-5:-1], speakers)
    ]  # fmt: skip


def _named_before(taken_back: list[Claim], lead: str, before: Sequence[Episode]) -> list[Claim]:
    """What is taken back, but for who somebody is, where the words before say what is meant: "they never set a date
    for Ritu's wedding, scratch that"."""
    named = _words(re.sub(r"['’]s\b", "", lead)) & _words(" ".join(turn.text for turn in before))
    meant = [claim for claim in taken_back if not find(claim.predicate).is_relation] if named else []
    return meant or taken_back


def _replaced(taken_back: list[Claim], told: Sequence[Claim], before: Sequence[str]) -> list[Claim]:
    """Of what is taken back, what the new words say anew, and what else was said of the same thing; all where they say
    nothing anew: "scratch that, training moved to Thursdays" leaves whoever trains what they are."""

    def slot(claim: Claim) -> tuple[str, str]:
        return claim.subject, find(claim.predicate).slot_name

    slots = {slot(claim) for claim in told}
    things = {claim.subject for claim in told} - {ME} | {claim.object.casefold() for claim in told}
    if slots.isdisjoint(map(slot, taken_back)):
        unheard = any(thing in text.casefold() for thing in things for text in before)
        return [] if unheard else taken_back  # it is of something of which no claim was made
    return [claim for claim in taken_back if slot(claim) in slots or {claim.subject, claim.object.casefold()} & things]
