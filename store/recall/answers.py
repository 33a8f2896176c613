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

from store.beliefs.grammar import capital
from store.beliefs.predicates import REGISTRY, find
from store.reading.asking.encoder import Asker, Intent, shipped
from store.reading.asking.telling import asks
from store.reading.protected import to_be_worked_on
from store.recall.answer_chain import after, before, believed_before, changed, how_many
from store.recall.answer_coming import coming_up
from store.recall.answer_frame import DAY, Asking, abstain, begins, frame_of, is_event, is_lasting
from store.recall.answer_linked import linked
from store.recall.answer_match import QuestionAbout, candidates, read
from store.recall.answer_news import news
from store.recall.answer_people import BeliefSource, relation_names
from store.recall.answer_planned import planned
from store.recall.answer_polar import yes_no
from store.recall.answer_relations import unresolved
from store.recall.answer_sense import sense
from store.recall.answer_times import how_long, is_date, since_when, until_when, when
from store.recall.answer_values import OCCUPATIONS, how_often, is_who, matter, profile, profiled, value
from store.recall.answer_words import LIGHT, keys
from store.recall.evidence import Evidence
from store.recall.fitting import MOST_CHECKED, SOON, correction, fitting, names, of_now, of_what_was_said
from store.recall.questions import Kind, Question, parse
from store.recall.turns import (
    MAY_ANSWER,
    Candidate,
    chance_of,
    from_turns,
    is_better,
    is_outdone,
    judged,
    lies_ahead,
    source_of,
    will_be,
    with_more,
)
from store.recall.wording import called, clause, day, is_relation, lately
from store.records import About, Answer, Hit, Instant, Precision, Source, Stretch
from store.time.expressions import read_told

_ELSEWHERE: Mapping[About, str] = {
    "world": "That is not about what you told me; it is for a chat model.",
    "request": "That is something to be written; it is for a chat model.",
}
Handler = Callable[[Asking], Answer | None]
_FIRST = re.compile(r"(?i)\b(?:i|me|my|mine|we|us|our|ours)\b")
_TO_BE_MADE_UP = re.compile(
    r"(?i)^\W*(?:(?:please|can you|could you|now|ok|okay),? )*(?:tell|write|give|sing|make up)(?: me| us)? "
    r"(?:a|an|another)(?: [\w-]+){0,3}? (?:story|tale|joke|poem|riddle|song|limerick|haiku)\b"
)
"""What is asked for as a piece of writing, whatever it is about."""
_ADVICE = re.compile(r"(?i)^\W*(?:(?:so|and|ok|well),? )?(?:what|which|where|who|how)\b[^?.!]*?\bshould (?:i|we)\b")
"""What asks for advice, where the memory has none."""
_OPINION = re.compile(
    r"(?i)^\W*(?:(?:so|and|ok|well),? )?(?:(?:what|how) (?:do|would) you (?:think|feel|suggest|recommend|advise)"
    r"|(?:do|would) you (?:think|agree|recommend|suggest|like|love|believe)|are you)\b"
)
"""What asks the one who answers for what they think or are."""
MAY_BE_WORLD, MAY_BE_MEMORY = 0.2, 0.2
"""How likely a question about nobody's life, which the memory cannot answer, is one to the world; and how likely one
to the world is about the person's life, if the memory answers it."""
_REWORDED = (
    (re.compile(r"(?i)\b(what|when|where|who|how)s\b"), r"\1's"),
    (
        re.compile(r"(?i)^(?P<asks>[^,]*?\b)(?:s?he|it|they)\b(?P<rest>[^,]*), (?P<who>(?:my|our|the) [\w-]+)\W*$"),
        r"\g<asks>\g<who>\g<rest>?",
    ),
    (
        re.compile(r"(?i)^\W*(?:does|do|has) (?P<who>(?:\w+['’]s|my|our) [\w-]+) (?:have|got) a name\W*$"),
        r"what is \g<who> called?",
    ),
)
"""What is typed without its apostrophe; whom it is about said last, "does she have a name, my cat?" (a right
dislocation); and a name asked for as if it might be none."""
_AFTER_QUESTION = re.compile(r"(?<=[?？؟])(?![?？؟])")
LEAST_WORDS, MOST_PARTS = 3, 3
"""Words of one question among several, and how many questions are answered one by one."""
MOST_TURNS = 16
"""Turns that are judged where no belief answers."""


_HANDLERS: Mapping[Kind, Handler] = {
    "value": value,
    "yes_no": yes_no,
    "when": when,
    "since": since_when,
    "until": until_when,
    "how_long": how_long,
    "how_many": how_many,
    "how_often": how_often,
    "before": before,
    "after": after,
    "changed": changed,
    "profile": profile,
    "coming": coming_up,
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
    for typed, meant in _REWORDED:
        question = typed.sub(meant, question.strip())
    if to_be_worked_on(question) is not None or _TO_BE_MADE_UP.match(question):
        return elsewhere("request")
    if len(parts := _parts(question, asker)) > 1:
        said = [
            answer(part, beliefs, now=now, zone=zone, as_of=as_of, believed=believed, asker=asker) for part in parts
        ]
        return _joined(parts, said)
    asking = ask(question, beliefs, now=now, zone=zone, as_of=as_of, believed=believed)
    if asking.question.kind == "coming":
        return _as_believed(asking, coming_up(asking))
    if asking.question.kind == "news" and (told := news(asking)) is not None:
        return _as_believed(asking, told)
    intent = asker.intent(question)
    if intent.about in _ELSEWHERE and intent.chances[0] >= MAY_BE_MEMORY:
        told = _found(asking, intent, asker)
        if not told.abstained:
            return _as_believed(asking, told)
    if intent.about in _ELSEWHERE:
        held = _believed(asking, asker) or (_of_documents(asking, intent, asker) if intent.about == "world" else None)
        return _as_believed(asking, held or elsewhere(intent.about))
    if _to_the_assistant(asking.question):
        return elsewhere("world")
    found = _as_believed(asking, _found(asking, intent, asker))
    may_be_world = found.never_told and (
        _ADVICE.match(question) is not None or (intent.chances[1] >= MAY_BE_WORLD and not _FIRST.search(question))
    )
    return elsewhere("world") if may_be_world else found


def _parts(question: str, asker: Asker) -> list[str]:
    """The questions of a text that asks several of the memory and nothing else; else the text as it is."""
    parts = [part.strip() for part in _AFTER_QUESTION.split(question) if part.strip()]
    if parts and parts[-1][-1] not in "?？؟":  # "What time do I lock up? The short day, I mean."
        return [question]
    several = 1 < len(parts) <= MOST_PARTS and all(len(one.split()) >= LEAST_WORDS for one in parts)
    return parts if several and all(asker.intent(one).about == "memory" for one in parts) else [question]


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


def _of_documents(asking: Asking, intent: Intent, asker: Asker) -> Answer | None:
    """What a document says about the world: "Are pets allowed?" may be asked of a lease, and of nobody's life."""
    parts = asking.beliefs.documents(asking.question.text, MOST_TURNS, asking.believed)
    found = judged(asking.question.text, asker, parts)
    said = from_turns(intent, asker, found, fits=bool(found) and names(asking, intent, found[0], found))
    return None if said is None or said.abstained else said


def _is_turned_round(asking: Asking, found: Sequence[Candidate]) -> bool:
    """Whether a turn says no to what is asked with a "not" in it: "is there anything I won't eat" asks for a no, and
    what says one means yes."""
    denied = _DENIED_WITHIN.match(asking.question.core) is not None
    without = asking.question.negated or _WITHOUT.search(asking.question.core) is not None
    return without and denied and any(one.found.verdict == "no" for one in found)


_WITHOUT = re.compile(r"(?i)\boff (?:the |all )?[\w-]+$")
"""What one is "off" one does not have."""
_DENIED_WITHIN = re.compile(r"(?i)\w+ (?!not\b)")
"""No question that opens with "don't I" or "isn't it"."""


def _found(asking: Asking, intent: Intent, asker: Asker) -> Answer:
    """From the beliefs, unless a turn says otherwise; for a time on either axis, from the beliefs alone."""
    held = _believed(asking, asker)
    if held is not None and (_of_beliefs(asking) or asking.question.kind in _OF_CHAINS):
        return held
    if held is not None and _is_put_right(asking, held):
        held = None
    if held is not None and asking.question.kind == "profile" and profiled(asking) == "me":
        return held  # whatever the person said is about them
    fit = fitting(asking, intent, judged(asking.question.text, asker, _evidence(asking)), asker)
    found = [one for one in fit.found if intent.form != "tell" or not _only_asks(one.hit.text, asker)]
    if held is None and asking.question.kind == "mentioned" and (told := _told_on(found, asker)) is not None:
        return told
    quoted = replace(intent, form="list") if _is_turned_round(asking, found[:1]) else intent
    said = from_turns(quoted, asker, found, fits=fit.fits)
    if (
        held is not None
        and fit.fits
        and said is not None
        and not said.abstained
        and _is_undated(asking, held, found[0])
    ):
        return said
    if held is not None and found and asking.question.kind == "profile" and (intent.form == "tell" or not is_who(held)):
        return with_more(held, intent, found)
    if held is not None and (coming := _coming(asking, held, found)) is not None:
        return with_more(held, intent, [coming])
    if held is not None and found and (found[0].hit.id in fit.gone or _dates(asking, held, found[0])):
        return held
    if held is not None and not (fit.fits and _beats(asking, intent, asker, found, held)):
        # That nothing holds now is the weakest of answers: a turn that says what does is a better one.
        return said if said is not None and not said.abstained and _says_nothing(asking, held) else held
    if held is not None and (said is None or said.abstained):
        return held  # the turn that speaks against it does not answer
    if held is None and found:
        # Beside a turn that answers, a belief that rests on it; else one that rests on either of those that come near.
        near = found[:1] if said is not None and not said.abstained else found[:2]
        near = [one for one in near if names(asking, intent, one, found)]
        said = _linked(asking, intent, found, near, asker) or said
        if (said is None or said.abstained) and found[0].hit.id in fit.gone:
            said = _unanswered(asking) or said
    if said is not None and not said.abstained:
        return said
    likely = said is not None and chance_of(asker, found, intent, "one") >= MAY_ANSWER
    if not likely and (unsure := _unsure(asking, asker)) is not None:
        return unsure
    if said is not None and _is_of_nobody(asking, said):
        return _unknown(asking)
    return said or _unanswered(asking) or _unknown(asking)


def _only_asks(text: str, asker: Asker) -> bool:
    """Whether a message is a question, or asks for something to be written: it tells of nobody."""
    return asks(text) or asker.intent(text).about == "request"


def _unsure(asking: Asking, asker: Asker) -> Answer | None:
    """What the reader was unsure of, told as that; it is no answer, as nobody believes it."""
    if asking.question.kind != "value":
        return None
    beliefs = asking.beliefs.unsure()
    asked = read(asking.question, beliefs, asking.believed)
    facts = candidates(asked, beliefs, asking.believed)
    held = _believed(replace(asking, asked=asked, beliefs=beliefs, facts=facts), asker) if facts else None
    if held is None or not held.facts or held.facts[0].negative:
        return None
    source = held.sources[0]
    told = f"I am not sure, but think that {clause(held.facts[0])}: “{source.quote}” ({day(source.said_at)})"
    return replace(abstain(told), sources=held.sources[:1])


def _is_put_right(asking: Asking, held: Answer) -> bool:
    """Whether what the first belief of an answer rests on was put right, and the belief knows nothing of that."""
    if not held.facts or not held.facts[0].sources or of_what_was_said(asking):
        return False
    fact = held.facts[0]
    source = max(fact.sources, key=lambda one: one.said_at)
    text = asking.beliefs.texts([source.episode]).get(source.episode, source.quote)
    hit = Hit("episode", source.episode, None, source.session, source.speaker, text, source.said_at, 0.0)
    words = [text[one.start : one.end] for one in read_told(text, source.said_at.local())]
    told = " ".join(words) if asking.question.kind in _OF_DATES else fact.object
    figures = any(map(str.isdigit, told))  # a name may be said with a "not" for much else
    last = correction(asking, hit, told, soon=not figures) if told else None
    if last is not None and of_now(asking) and will_be(last.text, last, asking.frame.now):
        return False  # "it goes up from July" leaves what is so now
    return last is not None and not any(
        last.id == one.episode
        for other in asking.beliefs.facts(fact.subject, [fact.predicate], believed=asking.believed)
        for one in other.sources
    )


_OF_DATES = frozenset(["when", "since", "until"])
"""Kinds of question whose answer is a date, and not the value of a belief."""


def _is_of_nobody(asking: Asking, near: Answer) -> bool:
    """Whether somebody is asked about of whom nothing was said, and whom what comes near does not name either: what is
    known of a brother is not near to "What's my sister's name?"."""
    mention = asking.asked.primary
    if mention is None or not asking.asked.unresolved or not mention.relation:
        return False
    named = keys(mention.relation)
    return not any(named & keys(source.quote) for source in near.sources)


def _beats(asking: Asking, intent: Intent, asker: Asker, found: Sequence[Candidate], held: Answer) -> bool:
    """Whether the first turn is to be believed rather than an answer from the beliefs."""
    outdated = {source.episode for source in _before_change(asking, held)}
    if found[0].hit.id in outdated or not _is_of_values(asking, held, found[0]):
        return False
    if held.facts and all(is_relation(fact.predicate) and is_lasting(fact.predicate) for fact in held.facts):
        return False  # nobody's mother changes: "his mother is called Maeve" is of another one
    if held.facts and all(map(is_date, held.facts)) and not keys(asking.question.core) & keys(found[0].hit.text):
        return False  # what does not speak of a birthday tells no other one
    newer = _is_new(asking, found[0], held) and is_better(held, intent, asker, found)
    return newer or is_outdone(held, intent, asker, found)


def _coming(asking: Asking, held: Answer, found: Sequence[Candidate]) -> Candidate | None:
    """Where the beliefs say what is so now, the turn that answers as well and tells what will be."""
    ahead = [fact.valid_from is not None and fact.valid_from.us > asking.frame.now for fact in held.facts]
    if not of_now(asking) or asking.question.kind != "value" or any(ahead):
        return None
    likely = [one for one in found[:MOST_CHECKED] if one.found.sure >= MAY_ANSWER]
    coming = [one for one in likely if lies_ahead(one, asking.frame.now)]
    outdated = {source.episode for source in _before_change(asking, held)} if coming else set()
    return next((one for one in coming if one.hit.id not in outdated), None)


def _is_new(asking: Asking, one: Candidate, held: Answer) -> bool:
    """Whether a turn was not said before all that an answer about now rests on."""
    return not of_now(asking) or any(one.hit.said_at.us >= source.said_at.us for source in held.sources)


def _dates(asking: Asking, held: Answer, first: Candidate) -> bool:
    """Whether the beliefs say when what the first turn tells takes place: they were dated by all of their turn, while
    "drinks on Friday at 9" alone may be of the last Friday or the next.
    """
    told = any(source.episode == first.hit.id for source in held.sources)
    return (
        told
        and asking.question.kind == "when"
        and all(is_event(fact) and fact.precision is not Precision.OPEN for fact in held.facts)
    )


def _is_undated(asking: Asking, held: Answer, first: Candidate) -> bool:
    """Whether the beliefs do not say when something took place, or know the day only on which it was told, and the
    words of the first turn name a day."""
    undated = all(fact.precision is Precision.OPEN and not is_date(fact) for fact in held.facts)
    return (
        asking.question.kind == "when"
        and undated
        and _is_of_values(asking, held, first)
        and bool(read_told(first.words, first.hit.said_at.local()))
    )


def _is_of_values(asking: Asking, held: Answer, first: Candidate) -> bool:
    """Whether a turn has those words of the values of an answer that the question names: since when I live in Lisbon,
    "I moved to Porto in May" does not tell."""
    named = frozenset().union(*(keys(fact.object) for fact in held.facts)) & keys(asking.question.text)
    return named <= keys(first.hit.text)


def _linked(
    asking: Asking, intent: Intent, found: Sequence[Candidate], near: Sequence[Candidate], asker: Asker
) -> Answer | None:
    """A belief that the network links with the question, where one of the first two turns may answer it."""
    return linked(asking, intent, near) if chance_of(asker, found, intent, "two") >= asker.card["better"] else None


def _told_on(found: Sequence[Candidate], asker: Asker) -> Answer | None:
    """When the person told what no belief was found for: the day of the turn that says it."""
    mine = [one for one in found if one.evidence.mine]
    if not mine or mine[0].found.sure < float(asker.card["chance"]):
        return None
    source = source_of(mine[0].hit, 0, len(mine[0].hit.text))
    return Answer(f'You told me on {day(source.said_at)}: "{source.quote}"', 2, False, 0.0, (), (source,))


def _says_nothing(asking: Asking, held: Answer) -> bool:
    """Whether an answer about now rests on beliefs alone that are over."""
    over = [fact.valid_to is not None and fact.valid_to.us <= asking.frame.now for fact in held.facts]
    return of_now(asking) and bool(over) and all(over) and not any(map(is_event, held.facts))


_OF_CHAINS = frozenset(["before", "after"])
"""Kinds of question that a chain of beliefs answers: a turn tells of one link."""


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
    of_date = question.kind == "when"
    if question.planned and of_date and (was_to_be := planned(asking)) is not None:
        return was_to_be
    handler = believed_before if question.before_correction else _HANDLERS.get(question.kind)
    told = None if handler is None else handler(asking)
    ahead = told is not None and any(begins(fact) > asking.frame.now for fact in told.facts)
    return told if not question.planned or ahead else planned(asking) or told


def _of_beliefs(asking: Asking) -> bool:
    """Whether a time is asked about, on either axis, of which only the beliefs tell what held. That something took
    place then, or did not, a turn may tell as well."""
    question = asking.question
    by_then = asking.frame.stretch is not None and question.kind != "yes_no"
    return by_then or asking.believed is not None or question.before_correction or question.planned


def _bears_out(asking: Asking, answer: Answer, asker: Asker) -> bool:
    """Whether one of the turns on which an answer from beliefs rests may answer the question at all. Words that a
    question and a belief share by chance are no answer. What was said by hand needs no turn, nor does what is believed
    of the very person who is asked about, or who it is.
    """
    told = [*answer.sources[:MOST_CHECKED], *_before_change(asking, answer)]
    wished = any(fact.predicate == "response_style" for fact in answer.facts)
    by_hand = any(one.by == "by hand" for one in told)
    if not told or wished or by_hand or _is_of_whom(asking, answer) or _is_by_name(asking, answer):
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
    replaced = {fact.supersedes, *fact.also_supersedes}
    told = [one for one in asking.beliefs.history(fact.subject, fact.predicate) if one.id in replaced]
    return [source for one in told for source in one.sources][:MOST_CHECKED]


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


def _is_of_whom(asking: Asking, answer: Answer) -> bool:
    """Whether everything about somebody was asked, or who somebody's sister is, whether somebody is one's sister, or
    how many there are, and the answer is that."""
    if asking.question.kind == "profile" and profiled(asking) is not None:
        return True
    mention, required = asking.asked.primary, asking.asked.required
    related = mention is not None and bool(mention.relation or required) and all(map(relation_names, required))
    return (
        (related or asking.question.kind == "how_many")
        and bool(answer.facts)
        and all(is_relation(fact.predicate) or fact.predicate == "died" for fact in answer.facts)
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
    parsed = _told_of_by_then(parse(question, base, zone), base, beliefs.last_said(base.us - DAY), zone)
    held = parsed.believed if parsed.believed is not None else believed
    asked = read(parsed, beliefs, held)
    frame = frame_of(parsed, as_of, held, now.us)
    return Asking(parsed, asked, frame, beliefs, held, candidates(asked, beliefs, held), zone)


def _told_of_by_then(question: Question, base: Instant, last: int | None, zone: tzinfo) -> Question:
    """A month, a season or a day without its year is the last one that anything was told of or after: "in May", asked
    a year after the last turn, is the May that was told of."""
    named = question.valid
    if last is None or named is None or named.start is None or named.start <= last or question.tense == "future":
        return question
    earlier = parse(question.text, Instant(last, base.offset), zone)
    at, then = Instant(named.start, named.offset).local(), earlier.valid
    if then is None or then.start is None or named.precision not in (Precision.DAY, Precision.MONTH, Precision.SEASON):
        return question
    begun = Instant(then.start, then.offset).local()
    return earlier if (at.month, at.day) == (begun.month, begun.day) and at.year > begun.year else question


def _base(now: Instant, as_of: Stretch | None, believed: int | None) -> Instant:
    """The moment at which the question is asked: "last year" is the year before that."""
    if as_of is not None and as_of.start is not None:
        return Instant(max(as_of.start, (as_of.end or as_of.start + 1) - 1), as_of.offset)
    return now if believed is None else Instant(min(believed, now.us), now.offset)


def _to_the_assistant(question: Question) -> bool:
    """ "What is your name", "what do you think about moving": not a matter of memory."""
    if _OPINION.search(question.text):
        return True
    low = [word.lower() for word in question.words]
    return "your" in low and not {"my", "i", "me", "our", "we"} & set(low)


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
    first = found.text if found.text.startswith(("I ", "A ")) else found.text[:1].lower() + found.text[1:]
    keep = found.facts and not found.text.lower().startswith(("you", "yes", "no", "the "))
    return replace(found, text=f"{lead[:1].upper()}{lead[1:]}: {found.text if keep else first}")


def _unknown(asking: Asking) -> Answer:
    """An honest "I was never told", with what is known nearest named by its matter only, never by a value."""
    asked = asking.asked
    if asked.unresolved and asked.primary is not None:
        return unresolved(asked.primary)
    when = re.sub(r"^(?:on|in|at) ", "for ", asking.frame.words())
    tail = f" {when}" if when else ""
    if asking.believed is not None and asking.question.believed is None:
        tail += f" by {asking.day_of(asking.believed)}"
    return abstain(f"I was never told that{_whom(asked)}{tail}.{_nearest(asking)}")


def _nearest(asking: Asking) -> str:
    """What is known under a noun that shares a word with the question, named by its matter and never by its value: the
    door code, where the alarm code is asked for."""
    asked = asking.asked
    wanted = asked.required - LIGHT
    for fact in asking.facts:
        if (
            fact.subject in asked.subjects
            and fact.predicate not in REGISTRY
            and not fact.negative
            and not is_event(fact)
            and wanted & sense(fact.predicate).exact
        ):
            return f" The nearest that I know is {matter(fact)}."
    return ""


def _whom(asked: QuestionAbout) -> str:
    if asked.primary is None:
        return ""
    if asked.primary.subjects:
        return f" about {called(asked.primary.subjects[0])}" if asked.primary.subjects[0] != "me" else ""
    return f" about your {asked.primary.relation}" if asked.primary.owner == "me" and asked.primary.relation else ""
