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

from store.beliefs.pieces import OPEN
from store.beliefs.predicates import DEATH, find
from store.beliefs.values import value_key
from store.reading.asking.encoder import shipped as asker
from store.reading.asking.forgetting import asks_to_forget, asks_to_undo, said_instead, unsaid
from store.reading.asking.telling import asks, asks_memory, leaves_out, only_asks
from store.reading.claims import claims_of
from store.reading.context import leaned_on, texts_of
from store.reading.corrections import FIGURES, put_right, retraction
from store.reading.doses import dose_of
from store.reading.encoder import shipped
from store.reading.manner import manner
from store.reading.masks import is_ironic, veil
from store.reading.redated import redated
from store.reading.revised import SURE, revised, taken_back
from store.reading.sentences import spans_of
from store.reading.speakers import ME, Speakers, mention_of
from store.reading.subjects import called, is_pronoun
from store.records import Claim, Cue, Episode

__all__ = ["EXTRACTOR", "Speakers", "extractor", "mention_of", "read", "read_ahead"]

_INSTEAD = re.compile(r"\s*[,.;:–—-]+\s*(?P<said>\w+(?:\W+\w+){2}.*)", re.DOTALL)
"""What is said in the place of what is taken back: "scratch that, I work at Bosch"."""
EXTRACTOR = "rules/27"
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
    if not may_teach(episode):
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
            return taken
        said = replace(episode, text=" " * instead.start("said") + instead["said"])
        told = read(said, before, speakers)
        return [*_replaced(taken, told, [turn.text for turn in earlier[-1:]]), *told]
    heard = claims_of(episode, earlier, speakers, shipped()).claims
    claims = [*_of_manner(episode, earlier, speakers), *_apart(heard)]
    found = [put_right(episode.text, claim) for claim in claims]
    found += [taken_back(claim) for claim in found if claim.predicate in (*FIGURES, "expires_on") and claim.replaces]
    found = list(_not_mine(episode, found, speakers))
    return list(_with_the_living(_parted(episode, _revised(episode, found, earlier, speakers), speakers)))


_PARTED = re.compile(
    r"(?i)(?:^|[.!?;,\n]|\b(?:and|so|but|well|today|yesterday|that)\b)\W*"
    r"(?:me and (?P<whom>[\w-]+)|(?:my \w+ )?(?P<who>[\w-]+) and (?:i|me)|we)(?:['’]ve| have)?"
    r"(?: just| finally| sadly| actually)? (?P<did>(?:broke|broken) up|split(?: up)?|separated)\b"
    r"(?! (?:up|the|a|an|our|it|at|into|to|so|on(?! \w+day\b))\b)"
)


def _parted(episode: Episode, claims: list[Claim], speakers: Speakers) -> list[Claim]:
    """Claims in which "we broke up" ends that somebody is the writer's partner, whoever it is: the reader points at a
    name, and there is none."""
    match = _PARTED.search(episode.text)
    if match is None or any((one.predicate, one.cue, one.modality) == ("partner", "stop", "fact") for one in claims):
        return claims
    me, whom = mention_of(episode.speaker, episode.role, speakers), match["whom"] or match["who"] or ""
    told = [one for one in claims if one.modality == "fact" or match["did"] not in one.object]
    over = _claim(episode, me, "partner", whom, match.span("did"), cue="stop", negative=True, by=me)
    return [*told, over]


_NOT_ME = re.compile(
    r"(?i)[^.!?;\n]*(?:,| and| but) (?:(?:and|but) )?"
    r"(?:not (?:me|mine)|(?:s?he|it|that)(?:(?: is|['’]s)(?: not|n['’]t)| isn['’]?t) mine)\b"
)


def _not_mine(episode: Episode, claims: Sequence[Claim], speakers: Speakers) -> Iterator[Claim]:
    """Claims, with what is somebody else's, and not the writer's, taken back of the writer: "it's my mother who takes
    it, not me", "Karen is Jean's daughter, she isn't mine"."""
    me, said = mention_of(episode.speaker, episode.role, speakers), list(_NOT_ME.finditer(episode.text))
    for one in claims:
        within = next((words.span() for words in said if words.start() <= one.start < words.end()), None)
        if within is None or one.subject == me or one.negative or one.cue == "stop" or not one.object:
            yield one
            continue
        yield replace(one, modality="fact")
        yield _claim(episode, me, one.predicate, one.object, within, cue="retract", negative=True, by=me)


def _with_the_living(claims: Sequence[Claim]) -> Iterator[Claim]:
    """Claims, of which none denies a death that its turn tells of; that somebody "isn't dead" takes back that they
    died, and is in no doubt."""
    dead = {one.subject for one in claims if one.predicate == DEATH and not one.negative}
    for one in claims:
        if one.predicate != DEATH or not one.negative or is_pronoun(one.subject):
            yield one
        elif one.subject not in dead:
            yield replace(one, object=DEATH, cue="retract", replaces=None, modality="fact")


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


def _apart(claims: Sequence[Claim]) -> Iterator[Claim]:
    """Each claim by its value's own name, with the dose that another one ends."""
    doses = Counter(dose_of(one.object) for one in claims if one.predicate == "takes")
    for one in claims:
        yield replace(one, object=called(one.predicate, one.object), replaces=one.replaces or _other_dose(one, doses))


def _other_dose(claim: Claim, doses: Counter[str]) -> str | None:
    """The medicine of which another dose ends where this one is taken, if its turn has but this one."""
    over = claim.negative or claim.cue in ("stop", "retract")
    now = claim.valid.end is None and not over  # "last year I took 450 mg" leaves what is taken now
    thing = dose_of(claim.object) if claim.predicate == "takes" and now else ""
    return thing if thing and doses[thing] == 1 else None


def _words(value: str) -> set[str]:
    return set(value_key(value).split()) - {"a", "an", "the", "my", "our", "his", "her", "of", "to", "in", "at", "on"}


def _only_asks(episode: Episode, before: Sequence[Episode]) -> bool:
    """Whether a turn asks, by itself or behind what its writer had just asked: "and Tom"."""
    mine = (one.text for one in reversed(_earlier(episode, before)) if _is_of_writer(one, episode))
    said = next((text for text in mine if not leaves_out(text)), "")
    behind = leaves_out(episode.text) and asks(said)
    return only_asks(episode.text) or behind or asks_memory(episode.text, asker())


def _is_of_writer(turn: Episode, episode: Episode) -> bool:
    return (turn.speaker, turn.role) == (episode.speaker, episode.role)


_FORGET_THAT = re.compile(
    r"(?is)\W*(?:(?:please|pls|no|ok|and|just|can you|could you|you can),? )*"
    r"(?:(?:forget|delete|remove|erase|ignore|scrap|take back|unlearn)(?: the (?:fact|bit|thing))?"
    r"|(?:don['’]?t|do not|you needn['’]?t) (?:remember|believe|keep|store)) that (?P<said>\w+ .+)"
)


def _unsaid(episode: Episode, start: int, before: Sequence[Episode], speakers: Speakers) -> list[Claim]:
    """What somebody asks to forget is taken back as it would be claimed: "forget that Ada is allergic to peas"."""
    said = replace(episode, text=" " * start + episode.text[start:])
    told = [one for one in read(said, before, speakers) if one.object and one.cue not in ("stop", "retract")]
    return _taken_back(episode, [one for one in told if not one.negative], speakers)


def _struck(episode: Episode, what: str, earlier: Sequence[Episode], speakers: Speakers) -> list[Claim]:
    """What the last turn of the same writer that tells of a matter claimed of it, taken back."""
    named = _words(what)
    for at, turn in reversed(list(enumerate(earlier))):
        if not _is_of_writer(turn, episode) or 2 * len(named & _words(turn.text)) <= len(named):
            continue
        told = [one for one in read(turn, earlier[:at], speakers) if not one.negative]
        meant = [one for one in told if named & _words(f"{one.subject} {one.object} {turn.text[one.start : one.end]}")]
        if meant:
            return _taken_back(episode, meant, speakers)
    return []


def _taken_back(
    episode: Episode, claims: Sequence[Claim], speakers: Speakers, span: tuple[int, int] | None = None
) -> list[Claim]:
    """What a turn takes back of what was claimed; its words are all of the turn if no others are given."""
    me, words = mention_of(episode.speaker, episode.role, speakers), span or (0, len(episode.text.rstrip()))
    return [
        _claim(episode, one.subject, one.predicate, one.object, words, cue="retract", negative=True, by=me)
        for one in claims
    ]


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
    mine, match = [turn for turn in before if _is_of_writer(turn, episode)], retraction(episode.text)
    if not mine or match is None:
        return []
    return _taken_back(episode, read(mine[-1], mine[-5:-1], speakers), speakers, match.span())


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
