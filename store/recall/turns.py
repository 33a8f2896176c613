"""Where no belief answers, the turn that does is quoted, the answering words first; else what comes near, or nothing.

Turns are ranked by the network's judgement (store.reading.asking) and their score in recall. How likely the first one
answers, or one of the first two, is a logistic regression that was fitted on people whom the network never saw: from
`answer` on it is an answer, from `near` on what comes nearest, below that nobody ever said it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, log
from typing import Literal

from store.reading.asking.encoder import Asker, Intent, Judgement
from store.reading.asking.forgetting import asks_to_undo, unsaid
from store.reading.asking.telling import asks_memory, only_asks
from store.reading.protected import unasserted
from store.reading.worded import DENIED, MOVED, NEVER_SAID
from store.recall.answer_frame import abstain
from store.recall.answer_words import LIGHT, NUMBER, keys
from store.recall.evidence import Evidence
from store.recall.wording import date_of, day
from store.records import DOCUMENT, Answer, Fact, Hit, Source
from store.time.expressions import read_times, read_told, waking

LONGEST = 320
"""Characters of a quote; what is shorter is quoted whole."""
MAY_ANSWER = 0.6
"""How likely the nearest turn answers, from which on it is not introduced as beside the point: of 103 such quotes for
78 people 72 answered."""
MOST_NEAR = 2
"""Turns that are shown where none answers for certain."""
FEWEST = 4
"""Words of a sentence that is quoted by itself."""
LEAST = -7.0
"""Log odds of what does not answer at all."""
RIVAL = -2.5
"""Log odds of a second and a third turn at least, as most memories have them."""
MOST_TOLD, LEAST_TOLD = 4, -1.0
"""Turns that tell about somebody or something, and the log odds of the best one at least."""
MOST_BEARING, BEHIND, FAR_BEHIND = 6, 3.0, 5.0
"""Turns that a model is given, and the log odds that they may lie behind the best; and those of how something went,
where each tells but a part."""
_BREAK = re.compile(r"(?<!\b[A-Z])(?<!\b[A-Z][a-z])(?<!\b[A-Z][a-z]{2})[.!?…]+\s+|\n+")
"""Between two sentences; "Dr. Amaro" is none."""
_CLAUSE = re.compile(r"[,;:]\s+|(?<!\b[A-Z])(?<!\b[A-Z][a-z])[.!?…]+\s+|\n+")
_ENDED = re.compile(r"(?<=[.!?…。？！؟\n])(?![?？؟])")
_FIRST = re.compile(r"(?i)\b(?:i|i['’]\w+|my|me|mine|myself)\b")
_TIMED = ("when", "since", "howlong")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A turn, and how well it answers."""

    evidence: Evidence
    found: Judgement
    value: float
    """Log odds that it answers, by the network and by recall."""
    corrects: bool = False
    """It puts right what another turn answers with."""

    @property
    def hit(self) -> Hit:
        return self.evidence.hit

    @property
    def words(self) -> str:
        return self.hit.text[self.found.words.start : self.found.words.end].strip("\"'“”‘’ \n")


NEAR_YES_NO = 0.2
"""How sure the network must be of what comes near a question that wants yes or no: below, of 24 people none of the
quotes bore on it, and "Do I have a dog?" got one about shellfish."""


def from_turns(intent: Intent, asker: Asker, found: Sequence[Candidate], *, fits: bool = True) -> Answer | None:
    """The turn that answers, quoted, or an abstention with what comes near; None where nothing comes near. `found` are
    the candidates, the best first; `fits` says whether the first is about what was asked (fitting.py).
    """
    if not found:
        return None
    one, two = (chance_of(asker, found, intent, which) for which in ("one", "two"))
    sure = fits and one >= asker.card["answer"]
    if intent.form == "tell" and sure and found[0].value >= LEAST_TOLD:
        return _told_of(found, keys(intent.subject) - LIGHT)
    if sure and _settles(intent, found[0], asker):
        return _answer(intent, found[0], asker)
    if intent.form == "yesno" and found[0].found.sure < NEAR_YES_NO:
        return None
    return _nearest(found[:MOST_NEAR], _lead(intent, one)) if two >= asker.card["near"] else None


def _settles(intent: Intent, one: Candidate, asker: Asker) -> bool:
    """Whether the turn says the very thing: yes or no where that is asked, a number where one is."""
    if intent.form == "yesno":
        return bool(_verdict(one.found, asker.card["verdict"]))
    if intent.form == "tell":
        return False
    numbered = one.found.pointed >= asker.card["pointed"] and NUMBER.search(one.words) is not None
    return one.corrects or intent.form != "count" or numbered


def bearing(question: str, asker: Asker, evidence: Sequence[Evidence]) -> list[Candidate]:
    """The turns that may answer a question, the best first: what a model is given to answer from. A model cannot tell
    what of a turn was taken back."""
    found = judged(question, asker, [one for one in evidence if one.stands])
    if not found or chance_of(asker, found, asker.intent(question), "two") < asker.card["near"]:
        return []
    return [one for one in found if one.value >= found[0].value - BEHIND][:MOST_BEARING]


def borne_out(question: str, reply: str, asker: Asker, evidence: Sequence[Evidence]) -> tuple[Source, ...]:
    """The turns that bear out what a model replied to a question: the reply holds most of the words that the network
    points at in them, or says yes or no as they do. Empty where none does.
    """
    intent = asker.intent(question)
    told = keys(reply) - keys(question) - LIGHT
    opening = reply.strip().split(maxsplit=1)[0].strip(",.!").lower() if reply.strip() else ""
    polar = intent.form == "yesno" and opening in ("yes", "no")
    found = []
    for one in bearing(question, asker, evidence):
        wanted = keys(one.words) - keys(question) - LIGHT
        same = opening == one.found.verdict and one.found.agreed >= asker.card["verdict"]
        if same if polar else 2 * len(told & wanted) >= max(1, len(wanted)):
            found.append(_source(one))
    return tuple(found)


def repeats(reply: str, fact: Fact) -> bool:
    """Whether a reply holds the value of a belief."""
    value = keys(fact.object) - LIGHT
    return bool(value) and value <= keys(reply)


def judged(question: str, asker: Asker, evidence: Sequence[Evidence]) -> list[Candidate]:
    """The turns that say anything, the likeliest to answer first."""
    able = [one for one in evidence if _says(one.hit, question, asker)]
    if _FIRST.search(question) and not asker.intent(question).subject:
        able = [one for one in able if one.mine]
    top = max((one.hit.score for one in able), default=0.0)
    found = (
        Candidate(
            one,
            _as_told(question, one.hit.text, how),
            log_odds(how.sure) + asker.card["recall"] * (one.hit.score - top),
        )
        for one, how in zip(able, asker.judge(question, [one.passage() for one in able]), strict=True)
    )
    return sorted((one for one in found if _asserts(one)), key=lambda one: -one.value)


_DENYING = (
    r"not|never|no|nothing|nobody|none|without|hardly|off|cancelled|if|want\w*|hope\w*|plan\w*"
    r"|(?:is|are|was|were|do|does|did|have|has|had|ca|wo|could|would|should)nt"
)
_ENDING = r"used to|until|till|quit|stopped|gave up|given up|sold|left|was|were|once|former|ex|before|when"
_DENIES = re.compile(rf"(?i)\b(?:{_DENYING})\b|n['’]t\b")
_DENIES_NOW = re.compile(rf"(?i)\b(?:{_DENYING}|{_ENDING})\b|n['’]t\b")
_OF_NOW = re.compile(r"(?i)\W*(?:(?:and|so|but) )?(?:do|does|am|is|are)\b")
_ALLERGIC = re.compile(r"(?i)\b(?:allergic|intolerant) to (?P<what>[^?.!]+)")


_STILL = re.compile(r"(?i)\W*(?:am|are|is|do|does|have|has) .*\bstill\b")
_IS_DONE = re.compile(
    r"(?i)(?:['’](?:m|re|s)|\b(?:am|are|is|im|hes|shes|all)) (?:now |all |finally )?(?:done|finished|through) "
)
"""What says that something is over."""


def _names(question: str, part: str) -> bool:
    """Whether a sentence has a word of what is asked."""
    return bool((keys(question) - LIGHT - keys("still")) & keys(part))


def _as_told(question: str, text: str, how: Judgement) -> Judgement:
    """A judgement that says no, where it is asked whether something goes on with which a sentence says to be done; and
    one without its no, where the turn denies nothing and states the very words of what is asked; and where
    it is asked what harms and the turn does not name it: who is allergic to kiwi may be to nuts, too."""
    if _STILL.search(question) and any(_IS_DONE.search(part) for part in _ENDED.split(text) if _names(question, part)):
        return replace(how, verdict="no", agreed=1.0)
    if how.verdict != "no":
        return how
    wanted, asked = _ALLERGIC.search(question), keys(question) - LIGHT
    unnamed = wanted is not None and not (keys(wanted["what"]) - LIGHT) & keys(text)
    stated = [part for part in _ENDED.split(text) if part.rstrip()[-1:] not in ("?", "？", "؟")]
    denies = _DENIES if _OF_NOW.match(question) is None else _DENIES_NOW
    said = any(asked and asked <= keys(part) and not denies.search(part) for part in stated)
    return replace(how, verdict="") if unnamed or said else how


def chance_of(asker: Asker, found: Sequence[Candidate], intent: Intent, which: Literal["one", "two"]) -> float:
    """How likely the first of the candidates answers, or one of the first two."""
    fitted = asker.card[which]
    total = fitted["bias"] + fitted["forms"].get(intent.form, 0.0)
    total += sum(weight * value for weight, value in zip(fitted["values"], values(found), strict=True))
    return float(1 / (1 + exp(-total)))


def values(found: Sequence[Candidate]) -> tuple[float, ...]:
    """The log odds of the first three candidates; a memory of few turns is no surer for having no others."""
    others = [max(one.value, RIVAL) for one in found[1:3]]
    return (found[0].value, *[*others, RIVAL, RIVAL][:2])


def log_odds(chance: float) -> float:
    """Kept within 7 either side."""
    return max(LEAST, min(-LEAST, log(max(chance, 1e-6) / max(1 - chance, 1e-6))))


def _says(hit: Hit, question: str, asker: Asker) -> bool:
    """Whether a turn says anything: one that only asks, or takes something back, does not, and least of all the very
    question, which the chat has just written down.
    """
    said = [part for part in _ENDED.split(hit.text) if part.strip() and part.rstrip()[-1] not in "?？؟"]
    asks = question.strip() in hit.text or only_asks(hit.text) or asks_memory(hit.text, asker)
    return bool(said) and not (asks or unsaid(hit.text) or asks_to_undo(hit.text))


def _asserts(one: Candidate) -> bool:
    """Whether the answering words are the speaker's own, and neither pasted, nor made up, nor said never to have been
    said."""
    start, end = one.found.words
    return NEVER_SAID.search(one.hit.text, 0, start) is None and not any(
        first < end and start < last for first, last in unasserted(one.hit.text)
    )


# ------------------------------------------------------------------------------------------------------- how it is said


def _answer(intent: Intent, one: Candidate, asker: Asker) -> Answer:
    source = _source(one)
    lead = ""
    if intent.form == "yesno":
        lead = _verdict(one.found, asker.card["verdict"])
    elif one.found.pointed >= asker.card["pointed"] and 0 < len(one.words) <= 0.6 * (source.end - source.start):
        lead = _lead_words(intent, one)
    elif intent.form == "when" and not one.corrects and len(dates := _dates(intent, one)) == 1:
        words, date = dates[0]
        lead = "" if NUMBER.search(words) else date
    told = _sentence_of(one) if lead and intent.form != "yesno" else source.quote
    said = _dated_last(one, told) if intent.form in _TIMED else _said(one, told)
    # "10." alone would begin a list.
    between = f" – {said[:1].lower()}{said[1:]}" if lead.isdigit() else f". {said}"
    text = f"{lead[:1].upper()}{lead[1:]}{between}" if lead else said
    return Answer(text, 2, False, 0.0, (), (source,))


def _verdict(found: Judgement, least: float) -> str:
    return found.verdict.capitalize() if found.verdict in ("yes", "no") and found.agreed >= least else ""


def _told_of(found: Sequence[Candidate], named: frozenset[str]) -> Answer:
    """What was said about somebody or something: the turns that bear on it, those that name it if any does, in the
    order of saying."""
    told = _bearing_on(found, named)
    return Answer(" ".join(map(_said, told)), 2, False, 0.0, (), tuple(map(_source, told)))


def _bearing_on(found: Sequence[Candidate], named: frozenset[str]) -> list[Candidate]:
    told = [one for one in found[:MOST_TOLD] if one is found[0] or one.value >= max(0.0, found[0].value - BEHIND)]
    told = [one for one in told if named & keys(one.hit.text)] or told
    return sorted(told, key=lambda one: one.hit.said_at)


def course(found: Sequence[Candidate], asker: Asker, intent: Intent, named: frozenset[str]) -> Answer | None:
    """How something went: the turns that speak of it, in the order of saying; None where one or none does."""
    if not found or chance_of(asker, found, intent, "two") < asker.card["near"]:
        return None
    told = [
        one for one in found[: 2 * MOST_TOLD] if named & keys(one.hit.text) or one.value >= found[0].value - FAR_BEHIND
    ]
    told = sorted(told[: MOST_TOLD + 1], key=lambda one: one.hit.said_at)
    said = Answer(" ".join(map(_said, told)), 2, False, 0.0, (), tuple(map(_source, told)))
    return said if len(told) > 1 else None


def with_more(held: Answer, intent: Intent, found: Sequence[Candidate]) -> Answer:
    """What is believed of somebody, and then the turns that name them and tell what is not believed."""
    named, rests = keys(intent.subject) - LIGHT, {source.episode for source in held.sources}
    more = [one for one in _bearing_on(found, named) if one.hit.id not in rests] if found else []
    more = [one for one in more if not named or named & keys(one.hit.text)]
    sources = (*held.sources, *map(_source, more))
    return replace(held, text=" ".join([held.text, *map(_said, more)]), sources=sources)


def _lead(intent: Intent, one: float) -> str:
    """What stands before the nearest turn, which answers with the chance `one`."""
    if one < MAY_ANSWER:
        return "I am not sure. What comes nearest:"
    return "I can't tell, but" if intent.form == "yesno" else "This may be it:"


def _nearest(found: Sequence[Candidate], lead: str) -> Answer:
    return replace(abstain(f"{lead} {_said(found[0], on='on')}"), sources=tuple(map(_source, found)))


def _sentence_of(one: Candidate) -> str:
    """The sentence that answers, by itself: the one before it may hold what was so before."""
    start, end = _sentence(one)
    alone = one.hit.text[start:end]
    return alone if len(alone.split()) >= FEWEST and len(alone) <= LONGEST else _source(one).quote


def _sentence(one: Candidate) -> tuple[int, int]:
    """Where the sentences of the answering words begin and end."""
    text, words = one.hit.text, one.found.words
    breaks = list(_BREAK.finditer(text))
    start = max((mark.end() for mark in breaks if mark.end() <= words.start), default=0)
    end = min((mark.end() for mark in breaks if mark.end() >= words.end), default=len(text))
    return start, start + len(text[start:end].rstrip())


def _said(one: Candidate, quote: str = "", on: str = "On") -> str:
    who = "you" if one.evidence.mine else one.hit.speaker
    if one.hit.session.startswith(DOCUMENT):
        return f"{'In' if on == 'On' else 'in'} {who}: “{quote or _source(one).quote}”"
    return f"{on} {day(one.hit.said_at)} {who} said: “{quote or _source(one).quote}”"


def _dated_last(one: Candidate, quote: str) -> str:
    """For what is asked about time: the day on which something was said is not the one that is asked for."""
    who = "you" if one.evidence.mine else one.hit.speaker
    if one.hit.session.startswith(DOCUMENT):
        return f"“{quote}” ({who})"
    return f"“{quote}” ({who} said so on {day(one.hit.said_at)})"


def _source(one: Candidate) -> Source:
    """The part of a turn that is quoted."""
    hit, (start, end) = one.hit, _passage(one)
    return Source(hit.id, hit.external_id, start, end, hit.text[start:end], hit.said_at, hit.speaker, hit.session)


_NTH = re.compile(r"\b(\d\d?)(?:st|nd|rd|th)\b")


def _lead_words(intent: Intent, one: Candidate) -> str:
    """The answering words, with the dates that they mean ("last Friday"), where they do not say so, in brackets; where
    but the year is missing, the date in its place: "until 18 December 2026"."""
    known, dates = keys(_NTH.sub(r"\1", one.words)), dict.fromkeys(_dates(intent, one))
    news = {words: name for words, name in dates if not keys(name) <= known}
    if len(news) == 1:
        ((words, name),) = news.items()
        if name.startswith(f"{one.words} "):  # "31 March"
            return name
        whole = keys(_NTH.sub(r"\1", words)) <= keys(name)  # and not "the end of March"
        if whole and keys(name) - known == keys(name[-4:]) and words in one.words:
            return re.sub(rf"(?i)(?:\bthe )?{re.escape(words)}", name, one.words, count=1)
    return f"{one.words} ({', '.join(dict.fromkeys(news.values()))})" if news else one.words


def _dates(intent: Intent, one: Candidate) -> list[tuple[str, str]]:
    """The words about time in what answers, and the date of each, read at the moment when they were said."""
    start, end = one.found.words
    said_at, text = one.hit.said_at.local(), one.hit.text
    if intent.form not in ("when", "since") and [told.text for told in read_told(one.words, said_at)] != [one.words]:
        return []
    # In its sentence, whose verb says past or to come; what was moved lies ahead.
    moved = one.evidence.mine and MOVED.search(text)
    ahead = read_times(text, said_at, prefer="future") if moved else []
    times = [waking(told, text) for told in ahead] if moved else read_told(text, said_at)
    found = [
        told for told in times
        if told.stretch and told.start < end and told.end > start and not DENIED.search(text, 0, told.start)
    ]  # fmt: skip
    if moved:  # "got moved to 5 May" has a verb of the past
        found = [told for told in read_times(one.words, said_at, prefer="future") if told.stretch] or found
    named = [told for told in found if told.text.casefold() != "now"] or found  # "Friday now"
    return [
        (told.text, date_of(first, told.stretch.precision)) for told in named
        if told.stretch is not None and (first := told.stretch.first()) is not None
    ]  # fmt: skip


def lies_ahead(one: Candidate, now: int) -> bool:
    """Whether the clause that answers is dated, and only after a moment ("it goes up to 1,150 from March"), or tells
    what is not so yet: "my new boss will be Carl"."""
    text, words = one.hit.text, one.found.words
    start = max((mark.end() for mark in _CLAUSE.finditer(text, 0, words.start)), default=0)
    end = _CLAUSE.search(text, words.end)
    last = len(text) if end is None else end.start()
    return _WILL_BE.search(text, start, last) is not None or will_be(text[start:last], one.hit, now)


_WILL_BE = re.compile(r"(?i)\b(?:will|going to) be\b|['’]ll be\b")


def will_be(text: str, said: Hit, now: int) -> bool:
    """Whether words of a turn are dated, and only after a moment."""
    told = read_told(text, said.said_at.local())
    starts = [first.us for one in told if one.stretch is not None and (first := one.stretch.first()) is not None]
    return bool(starts) and min(starts) > now


def _passage(one: Candidate) -> tuple[int, int]:
    """The part of a turn that is quoted: all of it, or of a long one the sentences around the answering words."""
    if len(one.hit.text) <= LONGEST:
        return 0, len(one.hit.text.rstrip())
    start, end = _sentence(one)
    ends = [0, *(mark.end() for mark in _BREAK.finditer(one.hit.text)), len(one.hit.text)]
    end = max(end, *(at for at in ends if at - start <= LONGEST))
    start = min(start, *(at for at in ends if end - at <= LONGEST))
    if end - start > 2 * LONGEST:  # a sentence without an end
        start = max(start, one.found.words.start - LONGEST // 2)
        end = min(end, max(one.found.words.end, start + LONGEST))
    return start, start + len(one.hit.text[start:end].rstrip())
