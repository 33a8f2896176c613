"""An answer rests on beliefs that explain the whole question at the times that it names, or on a turn that answers it.

One path for every door, and no language model on it: the network says what is asked (store.reading.asking); what is not
of the memory is declined as such. A handler answers from the beliefs (answer_match.py, answer_frame.py); else the turns
are judged (turns.py); else it was never told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo
from functools import partial

from store.beliefs.grammar import capital
from store.beliefs.predicates import REGISTRY, find
from store.reading.asking.encoder import Asker, Intent, shipped
from store.reading.asking.telling import asks, to_be_written
from store.reading.context import BURST
from store.reading.labels import OF_PREDICATE
from store.reading.protected import to_be_worked_on
from store.recall.answer_ages import BIRTHS
from store.recall.answer_chain import after, all_changes, before, believed_before, changed, how_many
from store.recall.answer_coming import coming_up
from store.recall.answer_frame import Asking, abstain, begins, frame_of, holding, is_event
from store.recall.answer_match import QuestionAbout, candidates, read
from store.recall.answer_news import news
from store.recall.answer_people import BeliefSource, relation_names
from store.recall.answer_planned import planned
from store.recall.answer_polar import yes_no
from store.recall.answer_relations import unresolved
from store.recall.answer_sense import sense
from store.recall.answer_times import how_long, mentioned, since_when, until_when, when
from store.recall.answer_values import OCCUPATIONS, from_groups, how_often, is_who, profile, profiled, value
from store.recall.answer_words import LIGHT, NUMBER, key, keys
from store.recall.evidence import Evidence
from store.recall.fitting import MOST_CHECKED, SOON, correction, fitting, names, of_now, of_what_was_said
from store.recall.questions import Kind, parse
from store.recall.turns import LONGEST, MAY_ANSWER, Candidate, chance_of, course, from_turns, judged, with_more
from store.recall.wording import called, day, is_relation, lately
from store.records import About, Answer, Fact, Hit, Instant, Source, Stretch
from store.time.expressions import read_told

_ELSEWHERE: Mapping[About, str] = {
    "world": "That is not about what you told me; it is for a chat model.",
    "request": "That is something to be written or thought up; it is for a chat model.",
}
Handler = Callable[[Asking], Answer | None]
MAY_BE_MEMORY = 0.2
"""How likely a question to the world is about the person's life, from which on the memory may answer it."""
MAY_BE_WORLD = 0.015
"""How likely a question is about what anybody could know, from which on it is, where it names nobody who is known and
the memory was never told: "what's the capital of Slovenia's neighbour"."""
_TYPED = re.compile(r"(?i)\b(what|when|where|who|how)s\b")
"""What is typed without its apostrophe."""
_ADVICE = re.compile(
    r"(?i)(?:^|[.!?]\s+)\W*(?:(?:so|and|ok|well),? )?(?:what|which|where|who|how)\b[^?.!]*?\b(?:should (?:i|we)"
    r"|(?:could|can|might|would) (?:i|we) (?:give|get|buy|cook|make|wear|bring|say to|write (?:to|in|on)))\b"
)
"""What asks for advice, where the memory has none."""
_COUNSEL = re.compile(
    r"(?i)\bhow (?:should|can|could|do) (?:i|we) (?:go about|handle|deal with|approach|make (?:it )?up|apologi[sz]e"
    r"|break it)\b"
    r"|(?:^|[.!?]\s+)(?:(?:so|and),? )?should (?:i|we) (?:ask|tell|invite|call|ring|give|say|apologi[sz]e|forgive|marry"
    r"|leave h(?:im|er)|break up|get back)\b"
)
"""What asks what to do about somebody, which no words of the past tell."""
_OPINION = re.compile(
    r"(?i)^\W*(?:(?:so|and|ok|well|but),? )?what do you (?:think (?:of|about)|make of|reckon (?:to|about))\b"
)
"""What asks for a view of one's own, which a memory has of nothing."""
_AFTER_QUESTION = re.compile(r"(?<=[?？؟])(?![?？؟])")
LEAST_SURE = 0.5
"""How sure the reader must be that something ended, or was never so, to cast doubt on it."""
LEAST_WORDS, MOST_PARTS = 3, 3
"""Words of one question among several, and how many questions are answered one by one."""
MOST_TURNS = 16
"""Turns that are judged where no belief answers."""
UNLIKE = 0.35
"""How likely one of the first two turns answers, below which they are not told as near where they share no word with
the question: of 1,162 questions 16 were no answer, or were never told, and 4 were."""
OUTDONE = 1.5
"""Log odds between a turn and those that an answer rests on, from which on the turn is believed rather."""


_HANDLERS: Mapping[Kind, Handler] = {
    "value": value,
    "yes_no": yes_no,
    "when": when,
    "mentioned": mentioned,
    "since": since_when,
    "until": until_when,
    "how_long": how_long,
    "how_many": how_many,
    "how_often": how_often,
    "before": before,
    "after": after,
    "changed": changed,
    "profile": profile,
}
"""Reasons are not beliefs, nor is how somebody is of whom there is no news: only a turn can answer."""


def answer(
    question: str,
    beliefs: BeliefSource,
    *,
    now: Instant,
    zone: tzinfo,
    as_of: Stretch | None = None,
    believed: int | None = None,
    asker: Asker | None = None,
) -> Answer:
    """Answer a question from the beliefs or from a turn, or say that it was never told, or is not of the memory.

    `now` is the later of the latest instant that the memory knows and the real one; `as_of` is a stretch of world time,
    `believed` a moment of belief time (microseconds). A time that the question names wins over both.
    """
    asker = asker or shipped()
    question = _TYPED.sub(r"\1's", question.strip())
    if to_be_worked_on(question) is not None:
        return elsewhere("request")
    if _OPINION.match(question):
        return elsewhere("world")
    if to_be_written(question):
        return elsewhere("request")
    if len(parts := _parts(question, asker)) > 1:
        said = [
            answer(part, beliefs, now=now, zone=zone, as_of=as_of, believed=believed, asker=asker) for part in parts
        ]
        return _joined(parts, said)
    if (first := _FIRST_OF_TWO.match(question)) is not None:
        again = partial(answer, beliefs=beliefs, now=now, zone=zone, as_of=as_of, believed=believed, asker=asker)
        if (both := _both(first["one"], first["two"], again)) is not None:
            return both
    asking = ask(question, beliefs, now=now, zone=zone, as_of=as_of, believed=believed)
    if asking.question.kind == "coming":
        return _as_believed(asking, coming_up(asking))
    if asking.question.kind == "news" and (told_last := news(asking)) is not None:
        return _as_believed(asking, told_last)
    if (told_all := all_changes(asking)) is not None:
        return _as_believed(asking, told_all)
    intent = asker.intent(question)
    of_memory = intent.about not in _ELSEWHERE or (intent.about == "world" and _is_of_somebody_known(asking))
    if of_memory or intent.chances[0] >= MAY_BE_MEMORY:
        told: Answer | None = _found(asking, intent, asker)
    else:
        told = _believed(asking, asker)
    if told is None and intent.about == "world":
        told = _of_documents(asking, intent, asker)
    if told is None or (told.abstained and not of_memory):
        return elsewhere(intent.about)
    nobodys = not asking.asked.about_me and not asking.asked.subjects and intent.chances[1] >= MAY_BE_WORLD
    if not told.facts and (_COUNSEL.search(question) or (told.abstained and _ADVICE.search(question))):
        return elsewhere("world")
    if told.never_told and (nobodys or _ADVICE.search(question)):
        return elsewhere("world")
    return _as_believed(asking, _with_doubt(asking, told))


def _is_of_somebody_known(asking: Asking) -> bool:
    """Whether somebody or something of whom the person told is named: "what happens with Portela in January?"."""
    mention = asking.asked.primary
    return mention is not None and mention.owner != "me" and any(name != "me" for name in mention.subjects)


def _parts(question: str, asker: Asker) -> list[str]:
    """The questions of a text that asks several of the memory and nothing else; else the text as it is."""
    parts = [part.strip() for part in _AFTER_QUESTION.split(question) if part.strip()]
    if parts and parts[-1][-1] not in "?？؟":  # "What time do I lock up? The short day, I mean."
        return [question]
    several = 1 < len(parts) <= MOST_PARTS and all(len(one.split()) >= LEAST_WORDS for one in parts)
    return parts if several and all(asker.intent(one).about == "memory" for one in parts) else [question]


_FIRST_OF_TWO = re.compile(
    r"(?i)\s*(?P<one>(?:who|what|where|when|which|how|do|does|did|is|are|was|were|have|has)(?:['’]s)? [^?]+? [^?]+?)"
    r",? and (?P<two>(?:how (?:old|much|many|long|often|tall|far)|where|when|who|what|since when|which \w+)"
    r"(?:['’]s)? [^?]*\b(?:he|she|it|they|that|before|him|her|his|their)\b[^?]*)[?\s]*\Z"
)
"""Two questions of which the second leans on the first: "who is my apprentice and how old is he"."""
_WHERE_BEFORE = re.compile(r"(?i)where (?:was (?:it|that|he|she) )?before(?: that| then)?\W*")
_HE, _IT = re.compile(r"(?i)\b(?:he|she|him|they)\b"), re.compile(r"(?i)\bit\b")


def _both(one: str, two: str, told: Callable[[str], Answer]) -> Answer | None:
    """The answers of two questions, of which the second speaks of whom or what answers the first, or is asked of in it;
    None where either has none."""
    first = told(f"{one}?")
    if first.abstained or not first.facts:
        return None
    fact = first.facts[0]
    who = fact.object if is_relation(fact.predicate) else fact.subject
    if _WHERE_BEFORE.fullmatch(two):
        asked = f"{re.sub(r'(?i) (?:now|at the moment|these days)$', '', one)} before that?"
    else:
        asked = _HE.sub(capital(who), two, count=1) if _HE.search(two) else _IT.sub(fact.object, two, count=1)
        if asked == two:  # "and how long did that take" is of neither
            return None
    second = told(f"{asked}?")
    if second.abstained:
        return None
    both = Answer(f"{first.text} {second.text}", 2, False, 0.0, (*first.facts, *second.facts), ())
    return replace(both, sources=tuple(dict.fromkeys((*first.sources, *second.sources))))


def _joined(parts: Sequence[str], said: Sequence[Answer]) -> Answer:
    """The answers of several questions, each after its question."""
    known = [one for one in said if not one.abstained]
    text = "\n".join(f"{asked} {found.text}" for asked, found in zip(parts, said, strict=True))
    facts = tuple(dict.fromkeys(fact for one in known for fact in one.facts))
    sources = tuple(dict.fromkeys(source for one in known or said for source in one.sources))
    return Answer(text, 2, not known, 0.0, facts, sources)


def elsewhere(about: About) -> Answer:
    """What is not of the memory is not answered by it."""
    return replace(abstain(_ELSEWHERE[about]), about=about)


def _with_doubt(asking: Asking, told: Answer) -> Answer:
    """With what was said of the same since, of which the reader was too unsure for a belief: a dose that was raised may
    be heard no better than that, and the old one alone would be taken."""
    fact = next(iter(told.facts), None)
    if fact is None or told.abstained or is_event(fact) or not of_now(asking):
        return told
    last = max((one.said_at.us for one in told.sources), default=fact.believed_from.us)
    unsure = asking.beliefs.unsure(fact.subject, asking.believed, fact.predicate)
    ended = (one for one in unsure if one.negative or one.change == "stop")
    later = [one for one in unsure if one.believed_from.us > last + BURST]
    later += [one for one in ended if last < one.believed_from.us <= last + BURST]
    texts = asking.beliefs.texts([one.sources[0].episode for one in later])
    doubt = next((one for one in later if _casts_doubt(one, fact, texts[one.sources[0].episode])), None)
    if doubt is None:
        return told
    source = doubt.sources[0]
    said = texts[source.episode]
    quote = said if 0 < len(said) <= LONGEST else source.quote
    who = "you" if source.speaker == "me" else source.speaker
    text = f"{told.text} But on {day(source.said_at)} {who} said: “{quote}”"
    return replace(told, text=text, sources=(*told.sources, source))


_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")


def _casts_doubt(unsure: Fact, fact: Fact, text: str) -> bool:
    """Whether a belief may not be so any more, if what is unsure is so; `text` is the turn that says it."""
    if not keys(unsure.object) & keys(fact.object) - LIGHT:
        return False
    over = unsure.confidence >= LEAST_SURE and (unsure.negative or unsure.change == "stop")
    held = set(_FIGURE.findall(fact.object))
    other = bool(held) and not held >= set(_FIGURE.findall(text))
    return over or other or begins(unsure) > unsure.believed_from.us


def _of_documents(asking: Asking, intent: Intent, asker: Asker) -> Answer | None:
    """What a document says about the world: "Are pets allowed?" may be asked of a lease, and of nobody's life."""
    parts = asking.beliefs.documents(asking.question.text, MOST_TURNS, asking.believed)
    found = judged(asking.question.text, asker, parts)
    return from_turns(intent, asker, found, fits=bool(found) and names(asking, intent, found[0], found))


def _is_turned_round(asking: Asking, found: Sequence[Candidate]) -> bool:
    """Whether a turn says no to what is asked with a "not" in it: "is there anything I won't eat" asks for a no, and
    what says one means yes."""
    without = asking.question.negated or _OFF.search(asking.question.core) is not None
    return without and any(one.found.verdict == "no" for one in found)


_OFF = re.compile(r"(?i)\boff (?:the |all )?[\w-]+$")
"""What one is "off" one does not have."""


def _found(asking: Asking, intent: Intent, asker: Asker) -> Answer:
    """From the beliefs, unless a turn says otherwise; for a time on either axis, from the beliefs alone."""
    held = _believed(asking, asker)
    if held is not None and _of_beliefs(asking):
        return held
    if held is not None and asking.question.kind == "profile" and profiled(asking) == "me":
        return held  # whatever the person said is about them
    if held is not None and _is_put_right(asking, held):
        held = None
    fit = fitting(asking, intent, judged(asking.question.text, asker, _evidence(asking)), asker)
    found = [one for one in fit.found if intent.form != "tell" or not _only_asks(one.hit.text, asker)]
    if held is None and (went := _COURSE.match(asking.question.text)) is not None:
        of = asking.asked.required - keys(went[0]) - _WENT
        if (told := course(fit.found, asker, intent, of)) is not None:
            return told
    quoted = replace(intent, form="list") if _is_turned_round(asking, found[:1]) else intent
    said = from_turns(quoted, asker, found, fits=fit.fits)
    answered = said is not None and not said.abstained
    if not answered and found:
        unlike = chance_of(asker, found, intent, "two") < UNLIKE and _shares_nothing(asking.asked, found[:2])
        said = said if _is_named(asking.asked, found) and not unlike else None
    if held is not None and asking.question.kind == "profile":
        return with_more(held, intent, found) if intent.form == "tell" or not is_who(held) else held
    if held is not None and not (answered and fit.fits and _beats(asking, intent, asker, found, held)):
        return held
    if held is None and found:
        # Beside a turn that answers, a belief that rests on it, if the first or the second may answer.
        if chance_of(asker, found, intent, "two") >= asker.card["better"] and names(asking, intent, found[0], found):
            said = _linked(asking, intent, found[0]) or said
        if (said is None or said.abstained) and found[0].hit.id in fit.gone:
            said = _unanswered(asking) or said
    return said or _unanswered(asking) or _of_unsure(asking) or _unknown(asking)


_COURSE = re.compile(
    r"(?i)(?:.*[.!?:,] )?\W*(?:(?:can|could|please) (?:you )?)?"
    r"(?:how (?:has|have|had|did) (?=.+\b(?:evolved?|changed?|developed?|gr[eo]wn?|gone|progressed|come (?:on|along)"
    r"|built up|improved?|shifted|varied|climb(?:ed)?|r[io]sen?|f[ae]ll(?:en)?|go (?:from|up|down))\b)"
    r"|(?:trace|outline|recap)\b|(?:walk|run|take|talk) me through\b|summari[sz]e (?:my|our|the)\b"
    r"|what(?:['’]?s| is| was) (?:the|my|our) (?:full|whole|overall|complete|entire) \w+"
    r"|(?:give|tell) (?:me )?the (?:(?:full|whole|short) )?(?:story|history|timeline|course|state|picture)\b"
    r"|what (?:became|has become|happened) (?:of|to|with)\b)"
)
"""What asks how something went, over time."""
_WENT = keys(
    "evolve evolved change develop developed grow grown go gone progress come build built improve shift vary time"
    " over start finish beginning"
)


def _shares_nothing(asked: QuestionAbout, found: Sequence[Candidate]) -> bool:
    told = keys(" ".join(f"{one.evidence.before} {one.hit.text}" for one in found))
    return bool(asked.required) and asked.required.isdisjoint(told)


def _is_named(asked: QuestionAbout, found: Sequence[Candidate]) -> bool:
    """Whether the nearest turn speaks of whom is asked of, where that is nobody known."""
    told = keys(" ".join(f"{one.evidence.before} {one.hit.text}" for one in found[:1]))
    if asked.unresolved and asked.primary is not None and asked.required <= _NAMED:
        return not asked.primary.keys.isdisjoint(told)
    who = asked.question.kind == "profile" and asked.required and not asked.subjects
    liked = asked.required >= _FAVOURITE and _LIKES.isdisjoint(told)
    return not (who or liked) or not asked.required.isdisjoint(told)


_FAVOURITE, _LIKES = keys("favourite"), keys("like love enjoy adore best prefer")
_NAMED = keys("name named call called")


def _only_asks(text: str, asker: Asker) -> bool:
    """Whether a message is a question, or asks for something to be written: it tells of nobody."""
    return asks(text) or asker.intent(text).about == "request"


def _is_put_right(asking: Asking, held: Answer) -> bool:
    """Whether what the first belief of an answer rests on was put right, and the belief knows nothing of that."""
    if not held.facts or not held.facts[0].sources or of_what_was_said(asking):
        return False
    fact = held.facts[0]
    source = max(fact.sources, key=lambda one: one.said_at)
    text = asking.beliefs.texts([source.episode]).get(source.episode, source.quote)
    hit = Hit("episode", source.episode, None, source.session, source.speaker, text, source.said_at, 0.0)
    words = [text[one.start : one.end] for one in read_told(text, source.said_at.local())]
    told = " ".join(words) if asking.question.kind in ("when", "since", "until") else fact.object
    figures = any(map(str.isdigit, told))  # a name may be said with a "not" for much else
    last = correction(asking, hit, told, soon=not figures) if told else None
    if last is None or (asking.question.wh == "how much" and NUMBER.search(last.text) is None):
        return False
    if not is_event(fact) and any(
        one.predicate == fact.predicate and one.subject != fact.subject and one.subject in last.text
        for one in asking.beliefs.resting_on([last.id])
    ):
        return False  # "Gareth is 32" says nothing of how old Hannah is
    every = asking.beliefs.facts(fact.subject, [fact.predicate], believed=asking.believed)
    return not any(last.id == one.episode for other in every for one in other.sources)


def _beats(asking: Asking, intent: Intent, asker: Asker, found: Sequence[Candidate], held: Answer) -> bool:
    """Whether the first turn answers far rather than any of those that an answer from the beliefs rests on, and has
    the words of their values that the question names: since when I live in Lisbon, "I moved to Porto in May" does not
    tell."""
    named = frozenset().union(*(keys(fact.object) for fact in held.facts)) & keys(asking.question.text)
    if found[0].hit.id in {source.episode for source in _before_change(asking, held)}:
        return False
    own = {source.episode for source in held.sources}
    if any(fact.predicate == "response_style" for fact in held.facts):
        return False  # what somebody says of answers is no answer
    if found[0].hit.id not in own and _tells_what_was(asking, held, found[0]):
        return False
    rests = [one.value for one in found if one.hit.id in own]
    outdone = bool(rests) and found[0].value - max(rests) >= OUTDONE and named <= keys(found[0].hit.text)
    if asking.question.wh == "how much" and NUMBER.search(found[0].hit.text) is None:
        return False
    return outdone and chance_of(asker, found, intent, "one") >= MAY_ANSWER


def _tells_what_was(asking: Asking, held: Answer, first: Candidate) -> bool:
    """Whether a turn is what an earlier belief of the same slot rests on: the latest is asked for."""
    fact = next(iter(held.facts), None)
    if fact is None or fact.predicate != "uses" or not of_now(asking):
        return False
    every = asking.beliefs.facts(fact.subject, (fact.predicate,), believed=asking.believed)
    return any(source.episode == first.hit.id for one in every if begins(one) < begins(fact) for source in one.sources)


LINKED = 0.6
"""How likely the label of a belief is asked for at least."""
_VALUES = frozenset(["value", "who", "list", "count"])
"""Forms of a question that a value answers."""
_OF_THINGS = frozenset(["price", "measure", "other", "event"])
"""Labels whose values say nothing without what they are of, which only words name."""


def _linked(asking: Asking, intent: Intent, first: Candidate) -> Answer | None:
    """The belief whose label is asked for, of those that the first turn points at and that hold at the time that is
    asked about; None where none or several do (relation detection, Yu et al. 2017, arXiv:1704.06194).
    """
    asked = asking.asked
    named = asking.frame.stretch is not None or asking.question.tense == "present"
    if intent.form not in _VALUES or asked.unresolved or not named:
        return None
    pointed = keys(first.words) - LIGHT
    able = [
        one
        for one in holding(asking.facts, asking.frame)
        if one.subject in asked.subjects[:1]
        and first.hit.id in {source.episode for source in one.sources}
        and pointed & keys(one.object)
        and not (one.negative or is_event(one))
        and not OF_PREDICATE.get(one.predicate, _OF_THINGS) & _OF_THINGS
        and sum(intent.matters.get(label, 0.0) for label in OF_PREDICATE.get(one.predicate, ())) >= LINKED
    ]
    return from_groups(asking, [able]) if len(able) == 1 else None


def _believed(asking: Asking, asker: Asker) -> Answer | None:
    """From the beliefs, where the turns that they rest on may answer the question at all."""
    held = _handled(asking)
    return held if held is not None and not held.abstained and _bears_out(asking, held, asker) else None


def _unanswered(asking: Asking) -> Answer | None:
    """What the beliefs say of why they do not answer."""
    held = _handled(asking)
    return held if held is not None and held.abstained else None


def _handled(asking: Asking) -> Answer | None:
    question = asking.question
    handler = believed_before if question.before_correction else _HANDLERS.get(question.kind)
    told = None if handler is None else handler(asking)
    ahead = told is not None and any(begins(fact) > asking.frame.now for fact in told.facts)
    was_to_be = question.planned and (question.kind == "when" or not ahead)
    return (planned(asking) if was_to_be else None) or told


def _of_beliefs(asking: Asking) -> bool:
    """Whether a time is asked about, on either axis, of which only the beliefs tell what held, or a chain of them, of
    which a turn tells one link. That something took place then, or did not, a turn may tell as well."""
    question = asking.question
    if question.kind in ("before", "after") or _USED_TO.match(question.core):
        return True
    by_then = asking.frame.stretch is not None and question.kind != "yes_no"
    return by_then or asking.believed is not None or question.before_correction or question.planned


_USED_TO = re.compile(r"(?i)did (?:i|we|[\w'’-]+|my [\w'’-]+) use(?:d)? to\b")


def _bears_out(asking: Asking, answer: Answer, asker: Asker) -> bool:
    """Whether one of the turns on which an answer from beliefs rests may answer the question at all. Words that a
    question and a belief share by chance are no answer. What was said by hand needs no turn, nor does what is believed
    of the very person who is asked about, or who it is.
    """
    told = [*answer.sources[:MOST_CHECKED], *_before_change(asking, answer)]
    # What is wished or used was matched by more than the words that a question and a belief share.
    matched = any(fact.predicate in ("response_style", "uses") for fact in answer.facts)
    # An age is reckoned from a date of birth, which speaks of none.
    matched = matched or (
        asking.asked.required == {key("age")} and all(fact.predicate in BIRTHS for fact in answer.facts)
    )
    by_hand = any(one.by == "by hand" for one in told)
    if not told or matched or by_hand or _is_of_whom(asking, answer) or _is_by_name(asking, answer):
        return True
    texts = asking.beliefs.texts([one.episode for one in told])
    turns = [
        Evidence(Hit("episode", one.episode, None, one.session, one.speaker, texts.get(one.episode, one.quote),
                     one.said_at, 0.0), one.speaker.lower() in ("me", "user"), "", asking.frame.now)
        for one in told
    ]  # fmt: skip
    question = asking.question.text if asking.question.believed is None else asking.question.core
    judged = asker.judge(question, [turn.passage() for turn in turns])
    return max(one.sure for one in judged) >= float(asker.card["chance"])


def _before_change(asking: Asking, answer: Answer) -> list[Source]:
    """What the beliefs rest on that the first one of an answer took the place of: "the doctor upped it to 50"."""
    fact = next(iter(answer.facts), None)
    if fact is None or fact.supersedes is None:
        return []
    told = asking.beliefs.history(fact.subject, fact.predicate)
    return [source for one in told if one.id == fact.supersedes for source in one.sources][:MOST_CHECKED]


def _is_of_whom(asking: Asking, answer: Answer) -> bool:
    """Whether it is asked who somebody is, or is to somebody, and the answer is that."""
    related = all(is_relation(fact.predicate) or fact.predicate == "died" for fact in answer.facts)
    return related and bool(answer.facts) and all(map(relation_names, asking.asked.required))


def _is_by_name(asking: Asking, answer: Answer) -> bool:
    """Whether all words of the question are those of the predicate that answers, and it has one value, or is called
    as it was said: "How old am I?", "What will my address be?"."""
    asked = asking.asked.required
    if not asked:  # "What is my name?", "What am I called?", "What does Greta do?"
        return bool(answer.facts) and all(fact.predicate in ("name", *OCCUPATIONS) for fact in answer.facts)
    return bool(answer.facts) and all(
        asked <= sense(fact.predicate).exact
        and (find(fact.predicate).cardinality == "one" or fact.predicate not in REGISTRY)
        for fact in answer.facts
    )


def _evidence(asking: Asking) -> list[Evidence]:
    """The turns to judge; for a world time that the question itself does not name, none that was said long after it."""
    found = asking.beliefs.evidence(asking.question.text, MOST_TURNS, asking.believed)
    if asking.frame.stretch is None or asking.question.valid is not None:
        return list(found)
    return [one for one in found if one.hit.said_at.us < asking.frame.end + SOON]


def ask(
    question: str, beliefs: BeliefSource, *, now: Instant, zone: tzinfo, as_of: Stretch | None, believed: int | None
) -> Asking:
    """Everything that the answer to a question is made from."""
    base = _base(now, as_of, believed)
    parsed = parse(question, base, zone)
    held = parsed.believed if parsed.believed is not None else believed
    asked = read(parsed, beliefs, held)
    frame = frame_of(parsed, as_of, held, now.us)
    return Asking(parsed, asked, frame, beliefs, held, candidates(asked, beliefs, held), zone)


def _base(now: Instant, as_of: Stretch | None, believed: int | None) -> Instant:
    """The moment at which the question is asked: "last year" is the year before that."""
    if as_of is not None and as_of.start is not None:
        return Instant(max(as_of.start, (as_of.end or as_of.start + 1) - 1), as_of.offset)
    return now if believed is None else Instant(min(believed, now.us), now.offset)


_EITHER = re.compile(r"(?i)^(?!.*\b(?:any\w*|ever)\b).*\bor\b(?! (?:not|no)\b)")
"""What offers two, of which the one that is so is the answer, and no "yes"."""
_YES_OR_NO = re.compile(r"^(?:Yes|No)[,.] ")


def _as_believed(asking: Asking, found: Answer) -> Answer:
    """With the belief time that the question named in front, if the sentence does not have it."""
    if _EITHER.search(asking.question.core):
        found = replace(found, text=capital(_YES_OR_NO.sub("", found.text)))
    if asking.believed is None:
        found = replace(found, text=lately(found.text, Instant(asking.frame.now), asking.zone))
    lead = asking.as_believed
    if not lead or found.abstained or lead.lower() in found.text.lower():
        return found
    return replace(found, text=f"{capital(lead)}: {found.text}")


_BIRTHS = ("born_on", "birth_year")
"""What tells how old somebody is."""


def _of_unsure(asking: Asking) -> Answer | None:
    """What was said of the very thing that is asked for, of which the reader was too unsure for a belief."""
    asked, about = asking.asked, asking.asked.subjects[:1]
    if not asked.required or not about:
        return None
    wanted = [name for name in REGISTRY if asked.required <= sense(name).exact]
    wanted += _BIRTHS if "age" in wanted else ()
    unsure = [one for name in wanted for one in asking.beliefs.unsure(about[0], asking.believed, name)]
    if not unsure:
        return None
    last = max(unsure, key=lambda one: one.believed_from.us)
    source = last.sources[0]
    who = "you" if source.speaker == "me" else source.speaker
    text = f"I am not sure. What comes nearest: on {day(source.said_at)} {who} said: “{source.quote}”"
    return replace(abstain(text), sources=last.sources)


def _unknown(asking: Asking) -> Answer:
    """An honest "I was never told", with what is known nearest named by its matter only, never by a value."""
    asked = asking.asked
    if asked.unresolved and asked.primary is not None:
        return unresolved(asked.primary)
    when = re.sub(r"^(?:on|in|at) ", "for ", asking.frame.words())
    tail = f" {when}" if when else ""
    if asking.believed is not None and asking.question.believed is None:
        tail += f" by {asking.day_of(asking.believed)}"
    return abstain(f"I was never told that{_whom(asked)}{tail}.")


def _whom(asked: QuestionAbout) -> str:
    if asked.primary is None:
        return ""
    if asked.primary.subjects:
        return f" about {called(asked.primary.subjects[0])}" if asked.primary.subjects[0] != "me" else ""
    return f" about your {asked.primary.relation}" if asked.primary.owner == "me" and asked.primary.relation else ""
