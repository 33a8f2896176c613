"""A turn answers only about whom, what and when was asked; else it is no more than what comes near.

The network judges each turn alone. Here it is compared with what the beliefs know of its answering words, with the
times that are named beside them, and with the other turns that answer as well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from store.reading.asking.encoder import Asker, Intent
from store.reading.context import BURST
from store.reading.revised import is_revised
from store.recall.answer_frame import DAY, Asking, holding, is_event
from store.recall.answer_people import relation_names
from store.recall.answer_relations import relation_asked
from store.recall.answer_sense import sense
from store.recall.answer_words import LIGHT, NUMBER, keys
from store.recall.corrected import calls_off, corrects, denies, moves, puts_right
from store.recall.question_times import reach
from store.recall.turns import Candidate, lies_ahead
from store.records import Fact, Hit, Precision
from store.time.expressions import read_told

MOST_CHECKED = 6
"""Turns of which it is looked whom their beliefs are about."""
BESIDE = 60
"""Characters beside the answering words, in which a figure belongs to them."""
MOST_NEXT = 2
"""Turns right after one that may put it right without saying what they put right."""
SOON = 20 * DAY
"""What is so is told within weeks."""
LATER, ANSWERS, EARLIER = 2.0, 0.0, 0.5
"""Log odds within which a later turn, if it answers rather than not, is about now, and within which an earlier one is
about what was so first."""
OF_NOW = frozenset(["value", "yes_no", "how_many", "how_often", "profile"])
"""Kinds of question that, in the present tense, ask what is so now."""
_IN_THE_END = re.compile(
    r"(?i)\b(?:really|actually|in (?:fact|truth|reality|the end)|at last|after all|finally|eventually"
    r"|proper|correct|true|final|latest)\b"
)
"""What is asked for is what was put right, or came of it."""
_BEFORE_IT = re.compile(
    r"(?i)\b(?:before|until|till|sold|traded|swapped|left|quit|gave up|given up|used to|use to|previously|formerly"
    r"|earlier|originally|instead of|was|were|had|from)\b"
)
"""What tells of an earlier state in the same breath as of the later one."""
_FROM_THEN = re.compile(r"(?i)\b(?:since|now|nowadays|these days|in its place|from (?:now|then|today|next|\w+day))\b")
"""What tells of the later state alone."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The turns that may answer, the best first."""

    found: list[Candidate]
    gone: frozenset[str] = frozenset()
    """Those, put last, whose answering words do not hold at the time that is asked about."""
    fits: bool = False
    """Whether the first is about whom, what and when it was asked."""


def fitting(asking: Asking, intent: Intent, found: Sequence[Candidate], asker: Asker) -> Fit:
    """What of the turns that were judged may answer the question."""
    if not of_what_was_said(asking):
        found = [one for one in found if not _is_taken_back(one)]
    told = asking.beliefs.resting_on([one.hit.id for one in found])
    able = _not_of_another(asking, intent, found, told)
    ranked = able if intent.form == "tell" else _before_that(asking, _latest_first(asking, able))
    gone = frozenset(one.hit.id for one in able if not _is_no_value(intent, one) and _is_off(asking, one, told))
    ranked = sorted(ranked, key=lambda one: one.hit.id in gone)
    first = ranked[0] if ranked else None
    fits = first is not None and first.hit.id not in gone and names(asking, intent, first, ranked)
    return Fit(ranked if of_what_was_said(asking) else _put_right(asking, intent, ranked, asker), gone, fits)


def _is_no_value(intent: Intent, one: Candidate) -> bool:
    """Whether a turn is no value of the time that is asked about: it tells of a whole, or says no to what is asked."""
    return intent.form == "tell" or (intent.form == "yesno" and one.found.verdict == "no")


def of_now(asking: Asking) -> bool:
    """Whether it is asked what is so now."""
    question = asking.question
    return asking.frame.stretch is None and question.tense == "present" and question.kind in OF_NOW


# --------------------------------------------------------------------------------------------------------------- whom


def _not_of_another(
    asking: Asking, intent: Intent, found: Sequence[Candidate], told: Sequence[Fact]
) -> list[Candidate]:
    """Without the turns whose answering words are believed, under what is asked for, of somebody else alone: "Lena's
    allergic to amoxicillin" tells nothing of what I am allergic to."""
    if intent.subject or not asking.asked.about_me:
        return list(found)
    mine: set[str] = set()
    others: set[str] = set()
    for fact in told:
        if asking.asked.required & sense(fact.predicate).exact:
            theirs = others if fact.subject[:1].isupper() else mine
            theirs.update(source.episode for source in fact.sources)
    return [one for one in found if one.hit.id not in others - mine]


_ADDRESSED = re.compile(
    r"(?m)(?:^\W*|[.,;:!?…–-]\s*)(?:(?i:hey|hi|hello|dear|thanks|thank you|congrats|wow|oh|yeah|yes|no|sorry|ok|okay|so"
    r"|well|bye)\s+)?(?P<name>[^\W\d_]+)(?=\s*(?:[.,;:!?…–-]|$))"
)
"""A name that stands alone between two signs, with a greeting or without: whom one speaks to."""
_OWNED = re.compile(r"\b([A-ZÀ-Þ]\w+)['’]s (\w+)")
"""Of what a name says whose it is."""


def names(asking: Asking, intent: Intent, one: Candidate, among: Sequence[Candidate]) -> bool:
    """Whether a turn, whoever said it, or what was asked before it, names whom the question is about. Who is only
    spoken to is not named: "Thanks, Ana! I moved to Porto" tells nothing of Ana. Who was asked for by a relation may
    be named by it or by name.
    """
    capital = " ".join(word for word in intent.subject.split() if word[:1].isupper() and word not in ("I", "My", "Our"))
    speakers = {each.hit.speaker.casefold() for each in among}
    said = f"{one.evidence.before}\n{one.hit.text}"
    both = speakers & {word.casefold() for word in _NAME.findall(asking.question.text)}
    if len(both) > 1 and one.hit.speaker.casefold() in both and not _TOGETHER.search(asking.question.text):
        said = f"{said}\n{' '.join(both)}"  # "What did Evan suggest to Sam": he names Sam by speaking to him
    else:
        said = _ADDRESSED.sub(lambda address: "." if address["name"].casefold() in speakers else address[0], said)
    if any(
        owner.casefold() in speakers - {one.hit.speaker.casefold()} and owner not in said
        for owner, _ in _OWNED.findall(asking.question.text)
    ):
        return False  # "Melanie's grandma" is nobody of whom Caroline says "my grandma"
    said_keys = keys(f"{said} {one.hit.speaker}")
    mention = asking.asked.primary
    mine = mention is not None and mention.owner == "me" and relation_asked(asking) is not None
    if mention is not None and mention.relation and (mention.subjects or mine):
        called = keys(" ".join([mention.relation, *mention.subjects, *relation_names(mention.relation)]))
        if not called & said_keys:
            return False
    return keys(capital) <= said_keys


_NAME = re.compile(r"\b[A-ZÀ-Þ]\w+")
_TOGETHER = re.compile(r"\b(?:[Bb]oth|together)\b|\w+ and [A-ZÀ-Þ]\w+")
"""What asks of two people at once, which what one of them said does not answer."""


# ---------------------------------------------------------------------------------------------------------------- when


def _latest_first(asking: Asking, found: list[Candidate]) -> list[Candidate]:
    """Of the turns that answer as well as the best one, the latest first where it is asked what is so now, or was so in
    the end, and the earliest where it is asked what was so first."""
    settled = _IN_THE_END.search(asking.question.text) is not None
    first = asking.question.order == "first" and not settled
    if not found or not (of_now(asking) or settled or first):
        return found
    best = found[0]
    least = best.value - EARLIER if first else max(ANSWERS, best.value - LATER)
    near = [best, *(one for one in found[1:] if one.value >= least)]
    now = asking.frame.now
    near.sort(key=lambda one: (not lies_ahead(one, now), one.hit.said_at.us), reverse=not first)
    # It takes the place of the best, and with it how likely that one answers.
    return [replace(near[0], value=best.value), *near[1:], *found[len(near) :]]


def _around(text: str, words: str) -> str:
    """Some words of a text, with what stands beside them."""
    place = max(0, text.find(words))
    return text[max(0, place - BESIDE) : place + len(words) + BESIDE]


def _is_taken_back(one: Candidate) -> bool:
    """Whether the answering words were taken back or put right: the rest of their turn may still be so."""
    words = keys(one.words) - LIGHT
    return one.evidence.moved or any(keys(value) <= words or words <= keys(value) for value in one.evidence.wrong)


def of_what_was_said(asking: Asking) -> bool:
    """Whether it is asked what was said or planned first, and not what came of it."""
    question = asking.question
    first = question.order == "first" and not _IN_THE_END.search(question.text)
    return question.before_correction or question.planned or first or question.kind == "before"


def _put_right(asking: Asking, intent: Intent, found: list[Candidate], asker: Asker) -> list[Candidate]:
    """With the turn that puts the answering words of the first one right in its place."""
    first = found[0] if found else None
    if first is None or intent.form == "tell":
        return found
    if (denied := next((one for one in found[1:MOST_CHECKED] if _denies(one, first)), None)) is not None:
        quoted = replace(denied.found, pointed=0.0)  # it names what is wrong beside what is right
        right = replace(denied, found=quoted, value=first.value, corrects=True)
        return [right, *(one for one in found[1:] if one is not denied)]
    last = correction(asking, first.hit, first.words)
    if last is None or last.id == first.hit.id:
        return found
    told = replace(first.evidence, hit=last, before="")
    judged = asker.judge(asking.question.text, [told.passage()])[0]
    right = Candidate(told, judged, first.value, corrects=True)
    figures = NUMBER.search(first.words) and NUMBER.search(right.words)
    if not figures or keys(first.words) - LIGHT <= keys(right.words):  # the whole turn answers: it names what is wrong
        right = replace(right, found=replace(judged, pointed=0.0))
    return [right, *(one for one in found[1:] if one.hit.id != last.id)]


def _denies(one: Candidate, first: Candidate) -> bool:
    """Whether a later turn of the same speaker, which answers more likely than not, denies what the first one says."""
    later = one.hit.said_at.us > first.hit.said_at.us and one.hit.speaker == first.hit.speaker
    return later and one.found.sure >= 0.5 and denies(first.words, one.hit.text)


def _calls_off(asking: Asking, said: Hit, later: Hit) -> bool:
    """Whether what is asked about, unless it is past, was told of in one turn and called off in a later one."""
    return asking.question.tense != "past" and calls_off(asking.question.text, said.text, later.text)


def correction(asking: Asking, said: Hit, words: str, *, soon: bool = False) -> Hit | None:
    """The last turn by whoever said one that puts some words of it right, if any does; with `soon`, one of the next."""
    beliefs, text, asked = asking.beliefs, said.text, keys(asking.question.text)
    beside = _around(text, words)
    words = " ".join(word for word in words.split() if not keys(word) <= asked) or words
    told = [
        one for one in beliefs.said_next(said, MOST_NEXT, asking.believed)
        if one.said_at.us < said.said_at.us + SOON
        and (
            corrects(asking.question.text, text, words, one.text)
            or moves(asking.question.text, text, beside, one.text)
            or puts_right(text, words, one.text, soon=True)
            or _calls_off(asking, said, one)
            or (one.said_at.us < said.said_at.us + BURST
                and is_revised(text, words, said.said_at.local(), one.text))
        )
    ]  # fmt: skip
    if not soon:
        among = [one.hit for one in beliefs.evidence(f"{words} {text}", MOST_CHECKED, asking.believed) if one.stands]
        figures = " ".join(token for token in beside.split() if any(map(str.isdigit, token)))
        told += [
            one for one in among if one.said_at.us > said.said_at.us and one.speaker == said.speaker
            and (puts_right(text, words, one.text) or _calls_off(asking, said, one)
                 or moves(asking.question.text, text, beside, one.text)
                 or (asked & keys(one.text) - LIGHT and puts_right(text, figures, one.text)))
        ]  # fmt: skip
    return max(told, key=lambda one: one.said_at.us, default=None)


def _before_that(asking: Asking, found: list[Candidate]) -> list[Candidate]:
    """For what was so before something, an earlier turn that answers rather than not, where the best one tells what was
    so from then on: "Losartan in its place" is not what I took before my feet swelled."""
    if asking.question.kind != "before" or not found or _BEFORE_IT.search(found[0].hit.text):
        return found
    best, asked = found[0], keys(asking.question.text)
    earlier = [
        one for one in found
        if one.hit.said_at.us < best.hit.said_at.us and one.value >= ANSWERS and not keys(one.words) - LIGHT <= asked
    ]  # fmt: skip
    if earlier:
        return [replace(earlier[0], value=best.value), *(one for one in found[1:] if one is not earlier[0])]
    unsaid = _FROM_THEN.search(best.hit.text) is not None
    return [replace(best, found=replace(best.found, pointed=0.0)), *found[1:]] if unsaid else found


def _is_off(asking: Asking, one: Candidate, told: Sequence[Fact]) -> bool:
    """Whether the answering words hold at another time than the one that is asked about, or are denied."""
    pointed = keys(one.words) - LIGHT
    if not asking.question.negated and _is_denied(asking, one, told, pointed):
        return True
    facts = [
        fact
        for fact in told
        if not fact.negative and any(source.episode == one.hit.id for source in fact.sources)
        and not (is_event(fact) and (asking.frame.stretch is None or fact.precision is Precision.OPEN))
    ]  # fmt: skip
    if of_now(asking):
        held = {fact.object.casefold() for fact in told if not fact.negative and _holds_now(asking, fact)}
        over = [fact for fact in facts if fact.object.casefold() not in held]
        said = frozenset().union(*(keys(f"{fact.object} {fact.text}") for fact in over))
        return any(keys(fact.object) & pointed for fact in over) and pointed <= said
    if asking.frame.stretch is None:
        return False
    standing = [fact for fact in facts if keys(fact.object) & pointed and _is_believed(asking, fact)]
    return not holding(standing, asking.frame) if standing else not _is_said_for(asking, one)


def _is_denied(asking: Asking, one: Candidate, told: Sequence[Fact], pointed: frozenset[str]) -> bool:
    """Whether its own words say of all that it answers with that it is not so: "I'm not allergic to sesame"."""
    so = frozenset().union(*(keys(fact.object) for fact in told if not fact.negative and _holds_now(asking, fact)))
    denied = [
        keys(fact.object) for fact in told
        if fact.negative and _is_believed(asking, fact) and any(source.episode == one.hit.id for source in fact.sources)
    ]  # fmt: skip
    return bool(pointed) and pointed <= frozenset().union(*denied) - so


def _holds_now(asking: Asking, fact: Fact) -> bool:
    return _is_believed(asking, fact) and (fact.valid_to is None or fact.valid_to.us > asking.frame.now)


def _is_believed(asking: Asking, fact: Fact) -> bool:
    return fact.believed_to is None or (asking.believed is not None and fact.believed_to.us > asking.believed)


def _is_said_for(asking: Asking, one: Candidate) -> bool:
    """Whether a time beside the answering words is no later than the one that is asked about, as what was so then may
    be so still; where none is named, whether they were said by then or soon after."""
    times = [
        reach(told)
        for told in read_told(one.hit.text, one.hit.said_at.local())
        if told.stretch is not None and told.kind in ("point", "range")
    ]
    if not times:
        return one.hit.said_at.us < asking.frame.end + SOON
    return any(each.start is None or each.start < asking.frame.end for each in times)
