"""An answer rests on beliefs that explain the whole question, at the times that it names; else there is none.

Tier 2: no model, no vectors. The question is read (questions.py), settled to whom it is about (answer_people.py),
matched with the beliefs (answer_match.py) and answered for its time (answer_frame.py) by the handler of its kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo

from store.recall import gate
from store.recall.answer_chain import after, before, believed_before, changed, how_many, times
from store.recall.answer_frame import Asking, abstain, frame_of, is_event
from store.recall.answer_match import Asked, candidates, read
from store.recall.answer_people import Beliefs
from store.recall.answer_polar import yes_no
from store.recall.answer_quotes import LONGEST, quoted, source_of
from store.recall.answer_relations import unresolved
from store.recall.answer_sense import sense
from store.recall.answer_times import (
    between,
    how_long,
    how_long_ago,
    mentioned,
    since_when,
    until_when,
    when,
    which_first,
)
from store.recall.answer_values import how_often, matter, profile, value
from store.recall.answer_words import LIGHT
from store.recall.evidence import Evidence
from store.recall.gate_weights import CLOSE, NEVER
from store.recall.questions import Kind, Question, parse
from store.recall.wording import called, day
from store.records import Answer, Instant, Stretch

Handler = Callable[[Asking], Answer | None]
MOST_TURNS = 8
"""Turns that are looked at where no belief answers."""


def _unsaid(asking: Asking) -> Answer | None:
    """Reasons are not beliefs: only a turn can answer."""
    return None


_HANDLERS: Mapping[Kind, Handler] = {
    "value": value,
    "yes_no": yes_no,
    "when": when,
    "mentioned": mentioned,
    "since": since_when,
    "until": until_when,
    "how_long": how_long,
    "how_long_ago": how_long_ago,
    "between": between,
    "how_many": how_many,
    "times": times,
    "how_often": how_often,
    "before": before,
    "after": after,
    "changed": changed,
    "which_first": which_first,
    "profile": profile,
    "reason": _unsaid,
}


def answer(
    question: str,
    beliefs: Beliefs,
    *,
    now: Instant,
    zone: tzinfo,
    as_of: Stretch | None = None,
    believed: int | None = None,
) -> Answer:
    """Answer a question from the beliefs, or say that it was never told.

    `now` is the later of the latest instant that the memory knows and the real one; `as_of` is a stretch of world time,
    `believed` a moment of belief time (microseconds). A time that the question names wins over both.
    """
    asking = ask(question, beliefs, now=now, zone=zone, as_of=as_of, believed=believed)
    if _to_the_assistant(asking.question):
        return abstain("I only know what I was told about you and yours.")
    handler = believed_before if asking.question.before_correction else _HANDLERS[asking.question.kind]
    return _as_believed(asking, handler(asking) or _from_turns(asking))


def ask(
    question: str, beliefs: Beliefs, *, now: Instant, zone: tzinfo, as_of: Stretch | None, believed: int | None
) -> Asking:
    """Everything that the answer to a question is made from."""
    parsed = parse(question, _base(now, as_of, believed), zone)
    held = parsed.believed if parsed.believed is not None else believed
    asked = read(parsed, beliefs, held)
    frame = frame_of(parsed, as_of, held, now.us)
    return Asking(parsed, asked, frame, beliefs, held, candidates(asked, beliefs, held))


def _base(now: Instant, as_of: Stretch | None, believed: int | None) -> Instant:
    """The moment at which the question is asked: "last year" is the year before that."""
    if as_of is not None and as_of.start is not None:
        return Instant(max(as_of.start, (as_of.end or as_of.start + 1) - 1), as_of.offset)
    return now if believed is None else Instant(min(believed, now.us), now.offset)


def _to_the_assistant(question: Question) -> bool:
    """ "What is your name": not a matter of memory."""
    low = [word.lower() for word in question.words]
    return "your" in low and not {"my", "i", "me", "our", "we"} & set(low)


def _as_believed(asking: Asking, found: Answer) -> Answer:
    """With the belief time that the question named in front, if the sentence does not have it."""
    lead = asking.as_believed
    if not lead or found.abstained or lead.lower() in found.text.lower():
        return found
    first = found.text if found.text.startswith(("I ", "A ")) else found.text[:1].lower() + found.text[1:]
    keep = found.facts and not found.text.lower().startswith(("you", "yes", "no", "the "))
    return replace(found, text=f"{lead[:1].upper()}{lead[1:]}: {found.text if keep else first}")


def _from_turns(asking: Asking) -> Answer:
    """Where no belief fits: the turn that clearly answers, quoted; else an honest abstention."""
    evidence = asking.beliefs.evidence(asking.question.text, MOST_TURNS, asking.believed)
    found = gate.features(asking, evidence)
    return quoted(asking, evidence, found) or _unknown(asking, evidence, found)


def _unknown(asking: Asking, evidence: Sequence[Evidence], found: Sequence[dict[str, float]]) -> Answer:
    """An honest "I was never told", with what is known nearest named by its matter only, never by a value: a belief, or
    who said something near it and when. What they said is then the source."""
    asked = asking.asked
    if asked.unresolved and asked.primary is not None:
        return unresolved(asked.primary)
    who = _whom(asked)
    when = asking.frame.words()
    tail = f" for the time {when}" if when else ""
    if asking.believed is not None and asking.question.believed is None:
        tail += f" by {day(Instant(asking.believed, 0))}"
    if belief := _nearest(asking):
        return abstain(f"I was never told that{who}{tail}.{belief}")
    sure, place = max(((gate.answers(told), -place) for place, told in enumerate(found)), default=(0.0, 0))
    if sure < CLOSE:
        return abstain(f"I was never told that{who}{tail}.")
    turn = evidence[-place].hit
    never = gate.untold(gate.overall(found, sure)) >= NEVER
    said = "I was never told that" if never else "I was not told that in so many words"
    whose = "you" if evidence[-place].mine else turn.speaker
    near = abstain(f"{said}{who}{tail}. The nearest is what {whose} said on {day(turn.said_at)}.")
    return replace(near, sources=(source_of(turn, 0, min(len(turn.text), LONGEST)),))


def _nearest(asking: Asking) -> str:
    """What is known that shares a word with the question, named by its matter and never by its value."""
    asked = asking.asked
    wanted = asked.required - LIGHT
    for fact in asking.facts:
        if (
            fact.subject in asked.subjects
            and not fact.negative
            and not is_event(fact)
            and wanted & sense(fact.predicate).exact
        ):
            return f" The nearest that I know is {matter(fact)}."
    return ""


def _whom(asked: Asked) -> str:
    if asked.primary is None:
        return ""
    if asked.primary.subjects:
        return f" about {called(asked.primary.subjects[0])}" if asked.primary.subjects[0] != "me" else ""
    return f" about your {asked.primary.relation}" if asked.primary.owner == "me" and asked.primary.relation else ""
