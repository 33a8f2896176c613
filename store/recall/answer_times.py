"""A date is answered only if somebody said it; where nobody did, the answer says when it was first heard, and abstains.

Here: when, since when, until when, how long.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from store.beliefs import predicates
from store.beliefs.grammar import capital
from store.beliefs.predicates import REGISTRY
from store.recall.answer_frame import Asking, abstain, begins, ends, holding, in_order, is_event, is_lasting, say
from store.recall.answer_match import about_change, matches
from store.recall.answer_values import grouped, mentioned_on
from store.recall.answer_words import START, STOP, TELL, key, words_of
from store.recall.wording import clause, date_of, dated, day, sentence, since, stretch, until
from store.records import Answer, Fact, Instant, Precision
from store.time.wording import describe_span

VAGUE_VERBS = frozenset(map(key, words_of("happen take place occur be have go do due schedule")))


def when(asking: Asking) -> Answer | None:
    """When something was, began, ended or will be."""
    asked = asking.asked
    starts, stops = about_change(asked.required)
    facts = _of_verb(asking, starts, stops)
    dates = [fact for fact in facts if is_date(fact)]
    if dates and not (starts or stops):
        return _from_dates(asking, dates)
    if asking.question.valid is not None:
        edge = ends if stops else begins
        facts = [one for one in facts if asking.frame.start <= edge(one) < asking.frame.end]
    return _chosen(asking, facts, stops) if facts else None


def _of_verb(asking: Asking, starts: bool, stops: bool) -> list[Fact]:
    """The beliefs of which the question asks for an edge: first without, then with its verb of change set aside."""
    asked = asking.asked
    free = VAGUE_VERBS | TELL
    exact = [match for match in matches(asked, asking.facts, free=free) if _is_dated_kind(match.fact)]
    if starts or stops:
        exact = matches(asked, asking.facts, free=free | START | STOP) or exact
    groups = grouped([one for one in exact if one.denied == asking.question.negated or stops])
    dates = [group for group in groups if is_date(group[0])]
    groups = sorted(dates, key=lambda group: _of_another_grain(asking, group[0])) or groups
    return [fact for group in groups[:1] for fact in group]


def _of_another_grain(asking: Asking, fact: Fact) -> bool:
    """Whether a value is a year where a day was asked for ("my birthday"), or a day where a year was."""
    year_alone = bool(re.fullmatch(r"\d{4}", fact.object.strip()))
    return year_alone != bool(re.search(r"(?i)\byear\b", asking.question.text))


def _is_dated_kind(fact: Fact) -> bool:
    """Kin is no event, and a birthplace no date: "When was Theo born" is not answered from (me, son, Theo)."""
    return is_date(fact) or not is_lasting(fact.predicate)


def is_date(fact: Fact) -> bool:
    """Whether the value itself is the time that is asked for."""
    known = predicates.find(fact.predicate)
    if known.temporal == "event" or (known.name in REGISTRY and "when" not in known.asks):
        return False
    return known.name == "born_on" or _LOOKS_LIKE_TIME.search(fact.object) is not None


_LOOKS_LIKE_TIME = re.compile(r"(?i)\b(?:\d{4}|\d{1,2}(?:st|nd|rd|th)|\d{1,2}[:.]\d{2}|\d{1,2} ?[ap]m|\w+days?)\b")


def _from_dates(asking: Asking, facts: Sequence[Fact]) -> Answer | None:
    now = holding(facts, asking.frame)
    if not now:
        return None
    one = in_order(now)[-1]
    if one.disputed and len({each.object for each in now}) > 1:
        return say(sentence(f"{clause(one, [each.object for each in now])} (disputed)"), now)
    return say(sentence(clause(one, past=asking.frame.past)), [one])


def _chosen(asking: Asking, facts: Sequence[Fact], stops: bool) -> Answer | None:
    """The one of several that the question means, and its edge in words."""
    ordered = in_order(facts)
    now, order, tense = asking.frame.now, asking.question.order, asking.question.tense
    if stops and not is_event(ordered[0]):
        return _end_of(ordered)
    later = [one for one in ordered if begins(one) > now]
    earlier = [one for one in ordered if begins(one) <= now]
    if order == "next" and not later:
        return abstain("I know of none that is still to come.")
    pool = earlier if tense == "past" else later or (earlier[-1:] if tense == "future" else earlier)
    if not pool:
        return None
    if is_event(pool[0]):
        chosen = pool[-1:] if order == "last" else pool[:1] if order else pool[-5:]
        return say(" ".join(dict.fromkeys(_event_line(one, now) for one in chosen)), chosen)
    return _start_of(asking, pool[0] if order == "first" else pool[-1])


def _event_line(fact: Fact, now: int) -> str:
    assert fact.valid_from is not None
    if fact.precision is Precision.OPEN:
        return sentence(f"{clause(fact, past=True)}: mentioned on {day(fact.valid_from)}; no other date was said")
    words, past = stretch(fact) or dated(fact.valid_from, fact.precision, clock=True), fact.valid_from.us <= now
    if fact.predicate == "expires_on":  # its value is the day, as it was said
        return sentence(clause(replace(fact, object=words), past=past))
    return sentence(f"{clause(fact, past=past)} {words}")


def _start_of(asking: Asking, fact: Fact) -> Answer:
    if fact.valid_from is None or (fact.precision is Precision.OPEN and fact.valid_from_after is None):
        return _never_told("when that began", fact)
    over = fact.valid_to is not None and fact.valid_to.us <= asking.frame.now
    if over and (told := stretch(fact)):
        return say(sentence(f"{clause(fact, past=True)} {told}"), [fact])
    begun = _edge(fact.valid_from, fact.precision, fact.valid_from_after)
    if asking.question.kind == "since" and not over and fact.valid_from.us <= asking.frame.now:
        begun = capital(since(fact))
    return say(f"{begun}: {clause(fact, past=over)}.", [fact])


def _edge(at: Instant, precision: Precision, after: Instant | None) -> str:
    """ "In June 2023"; "About 3 May 2023" where it may have been earlier."""
    return capital(dated(at, precision)) if after is None else f"About {date_of(at, precision)}"


def _never_told(what: str, fact: Fact) -> Answer:
    heard = mentioned_on([fact])
    return abstain(f"I was never told {what}{f': the first I heard of it was on {day(heard)}' if heard else ''}.")


def _end_of(ordered: Sequence[Fact]) -> Answer:
    over = [one for one in ordered if one.valid_to is not None]
    if not over:
        return abstain("I was never told that it ended.")
    last = max(over, key=ends)
    assert last.valid_to is not None
    end = _edge(last.valid_to, last.precision_to, last.valid_to_after)
    return say(f"{end}: {clause(last, past=True)} until then.", [last])


# ------------------------------------------------------------------------------------------------- since, until, long


def _states(asking: Asking) -> list[Fact]:
    """The beliefs of the best slot that the question asks about, in order of time."""
    found = matches(asking.asked, asking.facts, free=VAGUE_VERBS)
    found = found or matches(asking.asked, asking.facts, free=VAGUE_VERBS | START | STOP)
    groups = grouped([one for one in found if not one.denied and _is_dated_kind(one.fact)])
    return in_order(groups[0]) if groups else []


def since_when(asking: Asking) -> Answer | None:
    facts = _states(asking)
    now = holding(facts, asking.frame)
    if facts and not now:
        return abstain(f"As far as I know that does not hold {asking.frame.words() or 'now'}.")
    return _start_of(asking, in_order(now)[-1]) if facts else None


def until_when(asking: Asking) -> Answer | None:
    facts = _states(asking)
    return _end_of(facts) if facts else None


def how_long(asking: Asking) -> Answer | None:
    """For how long a state has held, or did."""
    facts = [fact for fact in _states(asking) if not is_event(fact)]
    if not facts:
        return None
    now = holding(facts, asking.frame)
    fact = in_order(now)[-1] if now else max(facts, key=ends)
    if fact.valid_from is None or fact.precision is Precision.OPEN:
        return _never_told("since when", fact)
    if fact.valid_from.us > asking.frame.now:
        return say(f"Not yet: it begins {dated(fact.valid_from, fact.precision)}.", [fact])
    stop, over = min(ends(fact), asking.frame.now), ends(fact) <= asking.frame.now
    length = describe_span(fact.valid_from.us, stop)
    years = Instant(stop, fact.valid_from.offset).local().year - fact.valid_from.local().year
    if fact.precision is Precision.YEAR and years:  # "three years ago" is no first of January
        length = f"{years} year{'s' if years > 1 else ''}"
    exact = fact.precision in (Precision.DAY, Precision.EXACT) and fact.valid_from_after is None
    about = "" if exact or length.startswith("about") else "about "
    tail = f"{since(fact).replace('since', 'from', 1)} {until(fact)}" if over else since(fact)
    return say(sentence(f"for {about}{length}: {clause(fact, past=over)}", tail), [fact])


def mentioned(asking: Asking) -> Answer | None:
    """When the person first told of it."""
    asked = asking.asked
    facts = [match.fact for match in matches(asked, asking.facts, free=TELL)]
    if not facts and asked.primary is not None and asked.primary.subjects and not asked.required - TELL:
        names = set(asked.primary.subjects)
        every = asking.beliefs.facts(None, None, believed=asking.believed)
        facts = [one for one in every if one.subject in names or one.object in names]
    sources = sorted((source for fact in facts for source in fact.sources), key=lambda one: one.said_at.us)
    if not sources:
        return None
    first = sources[-1] if asking.question.order == "last" else sources[0]
    word = "last" if asking.question.order == "last" else "first"
    return say(f'You {word} told me on {day(first.said_at)}: "{first.quote}".', facts[:1], [first])
