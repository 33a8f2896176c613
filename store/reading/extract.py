"""A claim quotes the turn to the character, and only what the speaker plainly asserts becomes one.

The door of the rules: `read` turns one episode, with the turns before it, into claims. It is deterministic and a
pure function of its arguments. Assistants, systems and tools never assert anything; another speaker's "I" is that
speaker.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from store.beliefs.pieces import ALSO
from store.beliefs.predicates import find
from store.beliefs.values import value_key
from store.reading.asking.forgetting import asks_to_forget
from store.reading.asking.telling import asks, leaves_out, only_asks
from store.reading.claims import claims_of, leaned_on, texts_of
from store.reading.encoder import shipped, shipped_reviser
from store.reading.joined import joined
from store.reading.revised import SURE, revised, taken_back
from store.reading.rules.asserted import asserted_until
from store.reading.rules.attributes import of_thing
from store.reading.rules.build import EXTRACTOR, Draft, Settled, besides, claim_of, settled
from store.reading.rules.changes import OWN, PASSIVES
from store.reading.rules.clauses import clauses_of
from store.reading.rules.copula import appointed, being
from store.reading.rules.corrections import (
    FIGURES,
    corrects,
    figure_put_right,
    had_wrong,
    of_the_day,
    pointed,
    put_right,
    retraction,
    turned_out,
)
from store.reading.rules.look import Look, look_at
from store.reading.rules.manner import manner
from store.reading.rules.masks import is_ironic, veil
from store.reading.rules.measures import counted, measured
from store.reading.rules.people import ME, Scene, Speakers, mention_of
from store.reading.rules.redated import carried_out, redated, refigured
from store.reading.rules.replies import as_said, placed
from store.reading.rules.times import OPEN, TurnTimes
from store.reading.rules.verbs import framed
from store.reading.rules.words import Sentence, sentences_of
from store.records import Claim, Episode
from store.text.nouns import EVENT_NOUNS

__all__ = ["EXTRACTOR", "Speakers", "by_rules", "extractor", "looks", "mention_of", "read", "read_ahead"]

MAX_CHARACTERS = 20_000
"""Of a turn that is read; a longer one is a document, and documents do not speak for the person."""

_REACH = 6
"""Turns back that a pronoun may reach."""
_PRONOUN = re.compile(r"\b(?:he|she|his|her)\b", re.IGNORECASE)
_INSTEAD = re.compile(r"\s*[,.;:–—-]+\s*(?P<said>\w+(?:\W+\w+){2}.*)", re.DOTALL)
"""What is said in the place of what is taken back: "scratch that, I work at Bosch"."""
_BEHIND_NOUN = re.compile(r" (?:of|with|at|for|on|in|to|about) ")
_DUE = re.compile(r"(?i)\b(?:due|expires?)\b")
_LETTER = re.compile(r"[A-Za-z0-9]")


def extractor() -> str:
    """Who reads now: the rules' version and the networks'. A turn that another read is read again in sleep."""
    return f"{EXTRACTOR} {shipped().fingerprint} {shipped_reviser().fingerprint}"


def read(episode: Episode, before: Sequence[Episode], speakers: Speakers) -> list[Claim]:
    """The claims of one turn; `before` holds up to a dozen turns of its session before it, oldest first.

    What the reader has learned to hear and what the rules read are joined: see `store.reading.joined`.
    """
    if _only_asks(episode, before) or asks_to_forget(episode.text):
        return []
    if (unsaid := _FORGET_THAT.fullmatch(episode.text)) is not None:
        return _unsaid(episode, unsaid.start("said"), before, speakers)
    ruled = by_rules(episode, before, speakers)
    if not _may_teach(episode) or veil(episode.text).joke:
        return ruled
    earlier = _earlier(episode, before)

    def anew(turn: Episode, then: Sequence[Episode]) -> list[Claim]:
        return read(turn, then, speakers)

    again = redated(episode, earlier, anew)
    if again is not None:
        return again
    if (match := retraction(episode.text)) is not None:
        instead = _INSTEAD.match(episode.text, match.end())
        if instead is None or episode.text[: match.start()].strip() or retraction(instead["said"]):
            return ruled
        said = replace(episode, text=" " * instead.start("said") + instead["said"])
        told = read(said, before, speakers)
        return [*_replaced(ruled, told), *told]
    if any(_DUE.search(turn.text) for turn in earlier):  # the deadline of what was said to be due is its end
        ruled = [claim for claim in ruled if claim.predicate != "deadline"]
    claims = joined(episode, ruled, claims_of(episode, earlier, speakers, shipped()))
    claims = [put_right(episode.text, claim) for claim in claims]
    if all(claim.modality == "unsure" for claim in claims):
        claims = _replied(episode, earlier, speakers) or claims
    mine = [turn for turn in earlier if turn.speaker == episode.speaker and turn.role == episode.role][-4:]
    wrong = corrects(episode.text) or any(claim.cue == "correct" for claim in claims)
    told = [one for turn in mine for one in read(turn, [], speakers)] if wrong else []
    found = [of_the_day(episode.text, pointed(episode.text, claim, told), told) for claim in claims]
    found = [figure_put_right(episode.text, claim, told) for claim in found]
    found += [taken_back(claim) for claim in found if claim.predicate in (*FIGURES, "expires_on") and claim.replaces]
    done = carried_out(episode, earlier, anew) or refigured(episode, earlier, anew)
    if not done:
        return _revised(episode, found, earlier, speakers)
    return [*done, *_but_for(found, episode.text[done[0].start : done[0].end])]


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
        claim_of(
            episode, me, one.subject, Draft(one.predicate, one.object, cue="retract", negative=True), _HOLDS, span, 1
        )
        for one in read(said, before, speakers)
        if one.object and one.cue in ("state", "update", "switch", "correct") and not one.negative
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
    reviser = shipped_reviser()
    heard = claims_of(episode, earlier, speakers, reviser)

    def told(turn: Episode) -> Sequence[Claim]:
        return read(turn, earlier[: next(at for at, one in enumerate(earlier) if one.id == turn.id)], speakers)

    for revision, made in revised(episode, heard.revisions, own, told, reviser.known):
        words = episode.text[slice(*revision.said.value)]
        anew = made or [one for one in heard.claims if one not in _but_for(heard.claims, words)]
        if made or (anew and revision.said.revising >= SURE):
            heard_so = {(one.subject, one.predicate, one.object) for one in claims if one.cue != "state"}
            anew = [one for one in anew if (one.subject, one.predicate, one.object) not in heard_so]
            claims = [*_but_for(claims, words), *anew] if anew else claims
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
    may = [(episode, _earlier(episode, before)) for episode, before in turns if _may_teach(episode)]
    shipped().read_ahead([text for episode, before in may for text in texts_of(episode, before)])


def _earlier(episode: Episode, before: Sequence[Episode]) -> list[Episode]:
    return [turn for turn in before if turn.id != episode.id and not turn.inactive]


def by_rules(episode: Episode, before: Sequence[Episode], speakers: Speakers) -> list[Claim]:
    """What the rules alone read in a turn."""
    if not _may_teach(episode):
        return []
    speaker = mention_of(episode.speaker, episode.role, speakers)
    earlier = [turn for turn in before if turn.id != episode.id and not turn.inactive]
    if retraction(episode.text):
        return _retracted(episode, earlier, speaker, speakers)
    hidden, quotes, joke = veil(episode.text)
    if joke:
        return []
    scene = _scene(episode, earlier, speaker, speakers)
    clock = TurnTimes(episode)
    claims: list[Claim] = []
    alone = speaker == ME and not any(turn.role == "user" and turn.speaker != episode.speaker for turn in earlier)
    for sentence in sentences_of(episode.text, hidden, quotes):
        if is_ironic(episode.text[sentence.start : sentence.end]):
            continue
        scene.next_sentence()
        claims += _of_sentence(episode, sentence, scene, clock)
        claims += _of_words(episode, sentence, scene, alone)
    return _once(claims)


def looks(episode: Episode, before: Sequence[Episode], speakers: Speakers) -> Iterator[Look]:
    """Every clause of a turn that its speaker plainly asserts, as `read` looks at it, whether a rule has a pattern for
    it or not; nothing where the turn as a whole asserts nothing."""
    if not _may_teach(episode) or retraction(episode.text):
        return
    hidden, quotes, joke = veil(episode.text)
    if joke:
        return
    earlier = [turn for turn in before if turn.id != episode.id and not turn.inactive]
    scene = _scene(episode, earlier, mention_of(episode.speaker, episode.role, speakers), speakers)
    clock = TurnTimes(episode)
    for sentence in sentences_of(episode.text, hidden, quotes):
        if not is_ironic(episode.text[sentence.start : sentence.end]):
            scene.next_sentence()
            yield from (look_at(clause, scene, clock) for clause in clauses_of(sentence, scene))


def _may_teach(episode: Episode) -> bool:
    return (
        not episode.inactive
        and episode.role == "user"
        and len(episode.text) <= MAX_CHARACTERS
        and _LETTER.search(episode.text) is not None
    )


def _of_words(episode: Episode, sentence: Sentence, scene: Scene, alone: bool) -> Iterator[Claim]:
    """What is said without a clause that the grammar reads: figures, and how answers should look."""
    tokens = sentence.tokens
    for draft, start, end in measured(tokens, asserted_until(sentence), scene):
        span = _trimmed(episode.text, (tokens[start].start, tokens[end - 1].end))
        yield claim_of(episode, scene.me, draft.subject or scene.me, draft, _HOLDS, span, 0.8)
    for draft, span in manner(episode.text, sentence) if alone else ():
        yield claim_of(episode, scene.me, scene.me, draft, _HOLDS, span, 0.8)


def _of_sentence(episode: Episode, sentence: Sentence, scene: Scene, clock: TurnTimes) -> list[Claim]:
    known = len(scene.told)
    clauses = clauses_of(sentence, scene)
    claims = [
        claim_of(
            episode,
            scene.me,
            told.holder,
            Draft(told.predicate, told.name, qualifiers=_as(told.noun, told.predicate)),
            _HOLDS,
            (start, end),
            0.9,
        )
        for told, start, end in scene.told[known:]
    ]
    words = episode.text[sentence.start : sentence.end]
    correcting, never = corrects(words), turned_out(words)
    for clause in clauses:
        if clause.keys or clause.thing is not None:
            look = look_at(clause, scene, clock)
            claims += _of_clause(episode, look, correcting, never)
    for clause, draft in had_wrong(clauses, scene):
        claims.append(
            claim_of(episode, scene.me, str(draft.subject), draft, _HOLDS, _trimmed(episode.text, clause.span()), 0.9)
        )
    return claims


_HOLDS = Settled(OPEN, True, "state", False)


def _as(noun: str, predicate: str) -> tuple[tuple[str, str], ...]:
    return (("as", noun),) if noun not in predicate and noun.rstrip("s") not in predicate else ()


def _of_clause(episode: Episode, look: Look, correcting: bool, never: bool) -> Iterator[Claim]:
    when = look.when()
    for draft in _drafts(look, episode.said_at.us):
        state = settled(look.raw, draft, when, episode.said_at.us)
        if state is None or not _sound(draft, state) or _renames(look, draft):
            continue
        single = draft.functional or find(draft.predicate).cardinality == "one"
        plain = draft.mood == "state" and draft.cue in (None, "state") and state.cue == "state"
        wrong = never or (correcting and single and not state.negative)
        right = replace(draft, cue="correct") if plain and wrong else draft
        if single and plain and not right.cue and (word := besides(look.raw)):
            right = replace(right, qualifiers=(*right.qualifiers, (ALSO, word)))
        span = _trimmed(episode.text, look.quoted())
        for subject in (draft.subject,) if draft.subject else look.clause.keys:
            yield claim_of(episode, look.scene.me, subject, right, state, span, look.clause.confidence)


def _drafts(look: Look, said_at: int) -> Iterator[Draft]:
    if look.clause.thing is not None:
        yield from of_thing(look)
        return
    group = look.clause.group
    if group.lemma in ("be", "become"):
        yield from being(look)
    if group.lemma == "have" and group.tense in ("present", "past"):
        yield from appointed(look, said_at)
    own = OWN.get(group.lemma)
    if own is not None and (not group.passive or group.lemma in PASSIVES):
        yield from own(look)
    yield from framed(look)
    yield from counted(look)


def _sound(draft: Draft, state: Settled) -> bool:
    """An empty value only says that whatever held has ended; nobody owns an exam."""
    thing = _BEHIND_NOUN.split(draft.object.lower(), maxsplit=1)[0]
    if draft.predicate == "owns" and EVENT_NOUNS.intersection(thing.split()[-1:]):
        return False
    if "\n" in draft.object or len(draft.object) > 120:
        return False
    return bool(draft.object) or state.cue == "stop"


def _renames(look: Look, draft: Draft) -> bool:
    """ "Her name is Ines" of somebody who was named already speaks of somebody else."""
    subjects = (draft.subject,) if draft.subject else look.clause.keys
    named = draft.predicate == "name" and look.clause.thing is not None and look.clause.thing.noun == "name"
    return named and any(
        subject != look.scene.me and ">" not in subject and not subject.startswith("~") for subject in subjects
    )


def _trimmed(text: str, span: tuple[int, int]) -> tuple[int, int]:
    start, end = span
    while end > start and text[end - 1] in " \t\n,;:.!":
        end -= 1
    return start, end


def _scene(episode: Episode, before: list[Episode], speaker: str, speakers: Speakers) -> Scene:
    aside = frozenset(mention_of(turn.speaker, turn.role, speakers) for turn in (*before, episode))
    scene = Scene(speaker, aside)
    if _PRONOUN.search(episode.text):
        for turn in before[-_REACH:]:
            if turn.role == "user":
                _recall(turn, scene, mention_of(turn.speaker, turn.role, speakers))
    scene.told.clear()
    return scene


def _recall(turn: Episode, scene: Scene, speaker: str) -> None:
    """Note whom an earlier turn named."""
    hidden, quotes, _ = veil(turn.text[:2000])
    then = Scene(speaker, scene.aside, scene.sentences)
    for sentence in sentences_of(turn.text[:2000], hidden, quotes):
        then.next_sentence()
        clauses_of(sentence, then)


def _retracted(episode: Episode, before: list[Episode], speaker: str, speakers: Speakers) -> list[Claim]:
    """ "That was a joke": whatever the same speaker claimed in the turn before is taken back."""
    mine = [turn for turn in before if turn.speaker == episode.speaker and turn.role == episode.role]
    match = retraction(episode.text)
    if not mine or match is None:
        return []
    taken_back = [
        (claim.subject, Draft(claim.predicate, claim.object, cue="retract", negative=True))
        for claim in read(mine[-1], mine[-5:-1], speakers)
    ]
    return [claim_of(episode, speaker, subject, draft, _HOLDS, match.span(), 0.9) for subject, draft in taken_back]


def _replaced(taken_back: list[Claim], told: Sequence[Claim]) -> list[Claim]:
    """Of what is taken back, what the new words say anew, and what else was said of the same thing; all where they say
    nothing anew: "scratch that, training moved to Thursdays" leaves whoever trains what they are."""

    def slot(claim: Claim) -> tuple[str, str]:
        return claim.subject, find(claim.predicate).slot_name

    slots = {slot(claim) for claim in told}
    if slots.isdisjoint(map(slot, taken_back)):
        return taken_back
    things = {claim.subject for claim in told} - {ME}
    return [claim for claim in taken_back if slot(claim) in slots or {claim.subject, claim.object.casefold()} & things]


def _once(claims: list[Claim]) -> list[Claim]:
    """Each claim once; of two that say the same, the first."""
    seen: dict[tuple[str, str, str, str], Claim] = {}
    for claim in claims:
        seen.setdefault((claim.subject, claim.predicate, claim.object.casefold(), claim.cue), claim)
    return list(seen.values())
