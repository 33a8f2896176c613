"""A date is answered only if somebody said it; where nobody did, the answer says when it was first heard, and abstains.

Here: when, since when, until when, how long, how long ago, between, which first, when it was first mentioned.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from store.beliefs import predicates
from store.beliefs.grammar import capital
from store.beliefs.predicates import REGISTRY
from store.recall.answer_frame import DAY, Asking, abstain, begins, ends, holding, in_order, is_event, is_lasting, say
from store.recall.answer_match import QuestionAbout, about_change, candidates, matches, read
from store.recall.answer_sense import sense
from store.recall.answer_values import frequency, grouped, mentioned_on
from store.recall.answer_words import START, STOP, TELL, key, keys, tokens, words_of
from store.recall.wording import clause, date_of, dated, day, is_of_one, sentence, since, stretch, told, until
from store.records import Answer, Fact, Instant, Precision
from store.time.wording import describe_span

_GIVEN_UP = re.compile(r"(?i)\bg(?:ive|ave|iven|iving) (?:[\w’\'-]+ ){0,4}?up\b")
"""An end that no one word asks for: "give" alone asks for none."""
VAGUE_VERBS = frozenset(map(key, words_of("happen take place occur be have go do due schedule")))


def when(asking: Asking) -> Answer | None:
    """When something was, began, ended or will be."""
    asked = asking.asked
    starts, stops = about_change(asked.required)
    stops = stops or _GIVEN_UP.search(asking.question.core) is not None
    facts = _of_verb(asking, starts, stops)
    if not facts:
        return None
    question = asking.question
    dates = [fact for fact in facts if is_date(fact)]
    hours = [date for date in dates if asked.required & (START | STOP) & sense(date.predicate).exact]
    if dates and (hours or not (starts or stops)):  # "when does it leave" asks for the hour that it leaves at
        return _from_dates(asking, hours or dates)
    facts = [one for one in facts if not is_date(one)] or facts
    habits = [one for one in holding(facts, asking.frame) if frequency(one)]
    if habits and question.tense == "present" and not (starts or stops):
        return say(sentence(f"{clause(habits[-1])} {frequency(habits[-1])}"), habits[-1:])
    if question.valid is not None:
        facts = [one for one in facts if _edge_in(one, asking, stops)] or []
    return _chosen(asking, facts, stops) if facts else None


def _of_verb(asking: Asking, starts: bool, stops: bool) -> list[Fact]:
    """The beliefs of which the question asks for an edge: first without, then with its verb of change set aside."""
    asked = asking.asked
    free = VAGUE_VERBS | TELL
    exact = [match for match in matches(asked, asking.facts, free=free) if _is_dated_kind(match.fact)]
    if exact and (starts or stops):
        events = [one for one in exact if is_event(one.fact)]
        if events:
            return [fact for group in grouped(events)[:1] for fact in group]
    if starts or stops:
        loose = matches(asked, asking.facts, free=free | START | STOP)
        exact = [one for one in loose if asked.required - START - STOP - free or _verb_is_own(one.fact, asked)] or exact
    groups = grouped([one for one in exact if one.denied == asking.question.negated or stops])
    dates = [group for group in groups if is_date(group[0])]
    groups = sorted(dates, key=lambda group: _of_another_grain(asking, group[0])) or groups
    if not asked.subjects and all(is_event(group[0]) for group in groups):  # "the operation", whoever had it
        groups = sorted(groups, key=lambda group: -max(one.said_at.us for fact in group for one in fact.sources))
    if stops:  # what is known to have ended, before what only began
        groups = sorted(groups, key=lambda group: all(is_event(one) or one.valid_to is None for one in group))
    return [fact for group in groups[:1] for fact in group]


def _of_another_grain(asking: Asking, fact: Fact) -> bool:
    """Whether a value is a year where a day was asked for ("my birthday"), or a day where a year was."""
    year_alone = bool(re.fullmatch(r"\d{4}", fact.object.strip()))
    return year_alone != bool(re.search(r"(?i)\byear\b", asking.question.text))


def _verb_is_own(fact: Fact, asked: QuestionAbout) -> bool:
    """ "When did I move" has no other word: it asks for where one lives, "when did I marry" for whom."""
    return bool(asked.required & keys(" ".join(predicates.find(fact.predicate).changes)))


def _is_dated_kind(fact: Fact) -> bool:
    """Kin is no event, and a birthplace no date: "When was Theo born" is not answered from (me, son, Theo)."""
    return is_date(fact) or not is_lasting(fact.predicate)


def is_date(fact: Fact) -> bool:
    """Whether the value itself is the time that is asked for."""
    known = predicates.find(fact.predicate)
    if known.temporal == "event":
        return False
    if known.name in REGISTRY and "when" not in known.asks and not _DATED.search(known.name):
        return False
    return known.name == "born_on" or (not is_event(fact) and bool(_LOOKS_LIKE_TIME.search(fact.object)))


_LOOKS_LIKE_TIME = re.compile(
    r"(?i)\b(?:\d{4}|\d{1,2}(?:st|nd|rd|th)|\d{1,2}[:.]\d{2}|january|february|march|april|may|june|july|august"
    r"|september|october|"
    r"november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|spring|summer|autumn|fall|winter|noon|"
    r"midnight|\d{1,2} ?[ap]m|o'clock)\b"
)
_DATED = re.compile(r"(?:^|_)(?:date|day|year|birthday|deadline|anniversary|time)(?:_|$)")


def _from_dates(asking: Asking, facts: Sequence[Fact]) -> Answer | None:
    now = holding(facts, asking.frame) or ([] if asking.frame.stretch is not None else list(facts))
    if not now:
        return None
    one = in_order(now)[-1]
    if "birthday" in asking.question.core.lower() and re.fullmatch(r"\d{4}", one.object.strip()):
        return abstain("I was told the year of birth only, and not the day.")
    if one.disputed and len({each.object for each in now}) > 1:
        return say(sentence(f"{clause(one, [each.object for each in now])} (disputed)"), now)
    return say(sentence(clause(one, past=asking.frame.past)), [one])


def _edge_in(fact: Fact, asking: Asking, stops: bool) -> bool:
    """Whether the edge that is asked for lies in the time that the question names ("When in 2023 did I ...")."""
    edge = ends(fact) if stops else begins(fact)
    return asking.frame.start <= edge < asking.frame.end


def _chosen(asking: Asking, facts: Sequence[Fact], stops: bool) -> Answer | None:
    """The one of several that the question means, and its edge in words."""
    ordered = in_order(facts)
    now = asking.frame.now
    if stops and not is_event(ordered[0]):
        return _end_of(asking, ordered)
    later = [one for one in ordered if begins(one) > now]
    earlier = [one for one in ordered if begins(one) <= now]
    question = asking.question
    if question.order == "next" and not later:
        return abstain("I know of none that is still to come.")
    if question.tense == "future":
        pool = later or earlier[-1:]
    elif question.tense == "past":
        pool = earlier
    else:
        pool = later or earlier
    if not pool:
        return None
    if is_event(pool[0]):
        return _event_dates(question.order, pool, now)
    latest = question.order == "last" or (question.order != "first" and _of_change(asking, pool))
    return _start_of(asking, pool[-1] if latest else pool[0])


def _of_change(asking: Asking, pool: Sequence[Fact]) -> bool:
    """ "When did my rent go up": the latest step, as the question names no value."""
    return bool(asking.asked.required | asking.asked.light) and not any(
        keys(one.object) & set(asking.question.keys) for one in pool
    )


def _event_dates(order: str, pool: Sequence[Fact], now: int) -> Answer:
    if order in ("last", "first", "next"):
        pool = pool[-1:] if order == "last" else pool[:1]
    lines = [_event_line(one, now) for one in pool[-5:]]
    return say(" ".join(dict.fromkeys(lines)), pool[-5:])


def _event_line(fact: Fact, now: int) -> str:
    assert fact.valid_from is not None
    if fact.precision is Precision.OPEN:
        return sentence(f"{clause(fact, past=True)}: mentioned on {day(fact.valid_from)}; no other date was said")
    words, past = stretch(fact) or edge_words(fact.valid_from, fact.precision), fact.valid_from.us <= now
    if fact.predicate == "expires_on":  # its value is the day, as it was said
        return sentence(clause(replace(fact, object=words), past=past))
    return sentence(f"{clause(fact, past=past)} {words}")


def edge_words(at: Instant, precision: Precision) -> str:
    return dated(at, precision, clock=True)


def _start_of(asking: Asking, fact: Fact) -> Answer:
    if fact.valid_from is None or (fact.precision is Precision.OPEN and fact.valid_from_after is None):
        heard = mentioned_on([fact])
        if heard is not None and any(keys(source.quote) & START for source in fact.sources):
            return say(f"About {day(heard)}: you told me of it then, and no other date was said.", [fact])
        first = f": the first I heard of it was on {day(heard)}" if heard is not None else ""
        return abstain(f"I was never told when that began{first}.")
    over = fact.valid_to is not None and fact.valid_to.us <= asking.frame.now
    if over and (told := stretch(fact)):
        return say(sentence(f"{clause(fact, past=True)} {told}"), [fact])
    about = "about " if fact.valid_from_after is not None else ""
    words = f"since {about}{date_of(fact.valid_from, fact.precision)}"
    if fact.valid_from.us > asking.frame.now:
        words = f"from {about}{date_of(fact.valid_from, fact.precision)}"
    begun = dated(fact.valid_from, fact.precision)
    lead = f"{about.capitalize()}{begun.split(' ', 1)[-1]}" if about else begun[:1].upper() + begun[1:]
    return say(f"{lead}: {clause(fact, past=over)}{'' if over else f', {words}'}.", [fact])


def _end_of(asking: Asking, ordered: Sequence[Fact]) -> Answer:
    over = [one for one in ordered if one.valid_to is not None]
    if not over:
        denied = [one for one in ordered if one.negative and one.valid_from is not None]
        if denied:
            return say(sentence(clause(denied[-1]), since(denied[-1])), [denied[-1]])
        return abstain("I was never told that it ended.")
    last = max(over, key=ends)
    assert last.valid_to is not None
    if is_of_one(last) and last.valid_from is not None:  # "I finished my degree in 2015"
        return say(f"{capital(dated(last.valid_from, last.precision))}: {clause(last, past=True)}.", [last])
    end = dated(last.valid_to, last.precision_to)
    lead = f"About {end.split(' ', 1)[-1]}" if last.valid_to_after is not None else end[:1].upper() + end[1:]
    return say(f"{lead}: {clause(last, past=True)} {until(last)}.", [last])


# ------------------------------------------------------------------------------------------------- since, until, long


def _states(asking: Asking) -> list[Fact]:
    """The beliefs of the best slot that the question asks about, in order of time."""
    found = [match for match in matches(asking.asked, asking.facts, free=VAGUE_VERBS) if not match.denied]
    if not found:
        found = [one for one in matches(asking.asked, asking.facts, free=VAGUE_VERBS | START | STOP) if not one.denied]
    groups = grouped([one for one in found if _is_dated_kind(one.fact)])
    return in_order(groups[0]) if groups else []


def since_when(asking: Asking) -> Answer | None:
    facts = _states(asking)
    now = holding(facts, asking.frame)
    if not facts:
        return None
    if not now:
        return abstain(f"As far as I know that does not hold {asking.frame.words() or 'now'}.")
    return _start_of(asking, in_order(now)[-1])


def until_when(asking: Asking) -> Answer | None:
    facts = _states(asking)
    return _end_of(asking, facts) if facts else None


def how_long(asking: Asking) -> Answer | None:
    """For how long a state has held, or did; of an event only if its length was said."""
    facts = _states(asking)
    if not facts:
        return None
    if is_event(facts[0]) and (lasts := _of_days(asking, facts)) is not None:
        return lasts
    if is_event(facts[0]):
        facts = [fact for fact in facts if any(name == "duration" for name, _ in fact.qualifiers)]
        return say(_said_length(facts[-1]), facts[-1:]) if facts else None
    stretch = next((one for one in facts if any(name == "duration" for name, _ in one.qualifiers)), None)
    now = holding(facts, asking.frame)
    one = in_order(now)[-1] if now else max(facts, key=ends)
    if stretch is not None and one.precision is Precision.OPEN:
        return say(_said_length(stretch), [stretch])
    return _length(asking, one)


def _of_days(asking: Asking, facts: Sequence[Fact]) -> Answer | None:
    """How long what takes several days lasts, the last day with it."""
    one = next((fact for fact in facts if stretch(fact) and fact.precision is Precision.DAY), None)
    if one is None or one.valid_from is None or one.valid_to is None or ends(one) - begins(one) < 2 * DAY:
        return None
    past = ends(one) <= asking.frame.now
    length = describe_span(one.valid_from.us, one.valid_to.us)
    return say(sentence(f"{length}: {clause(one, past=past)} {stretch(one)}"), [one])


def _said_length(fact: Fact) -> str:
    return sentence(f"{clause(fact, past=is_event(fact))}: {told(dict(fact.qualifiers)['duration'])}")


def _length(asking: Asking, fact: Fact) -> Answer:
    stop = min(ends(fact), asking.frame.now)
    if fact.valid_from is None or _is_untimed(fact, stop - fact.valid_from.us):
        heard = mentioned_on([fact])
        first = f" I first heard of it on {day(heard)}." if heard is not None else ""
        return abstain(f"I was never told since when.{first}")
    if fact.valid_from.us > asking.frame.now:
        return say(f"Not yet: it begins {dated(fact.valid_from, fact.precision)}.", [fact])
    over = ends(fact) <= asking.frame.now
    tail = f"{since(fact).replace('since', 'from', 1)} {until(fact)}" if over else since(fact)
    length = describe_span(fact.valid_from.us, stop)
    years = Instant(stop, fact.valid_from.offset).local().year - fact.valid_from.local().year
    if fact.precision is Precision.YEAR and years:  # "three years ago" is no first of January
        length = f"{years} year{'s' if years > 1 else ''}"
    return say(sentence(f"for {_about(fact, length)}: {clause(fact, past=over)}", tail), [fact])


def _is_untimed(fact: Fact, heard_for: int) -> bool:
    """Whether nobody said when it began, nor what was so before; what was heard of today is no older for that."""
    return fact.precision is Precision.OPEN and (fact.valid_from_after is None or heard_for < DAY)


def _about(fact: Fact, length: str) -> str:
    exact = fact.precision in (Precision.DAY, Precision.EXACT) and fact.valid_from_after is None
    return length if exact or length.startswith("about") else f"about {length}"


def how_long_ago(asking: Asking) -> Answer | None:
    found = when(asking)
    if found is None or found.abstained or not found.facts:
        return found
    fact = found.facts[-1]
    _, stops = about_change(asking.asked.required)
    at = fact.valid_to if stops and not is_event(fact) else fact.valid_from
    if at is None:
        return found
    span = describe_span(min(at.us, asking.frame.now), max(at.us, asking.frame.now))
    return replace(
        found, text=f"{span[:1].upper()}{span[1:]} ago. {found.text}" if at.us <= asking.frame.now else found.text
    )


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


# ------------------------------------------------------------------------------------------------- two things in time


def _dated_thing(asking: Asking, words: str) -> tuple[Fact, Instant] | None:
    """The belief that some words of the question name, and when it began or was."""
    question = replace(asking.question, words=tuple(tokens(words)), kind="when")
    asked = read(question, asking.beliefs, asking.believed)
    facts = candidates(asked, asking.beliefs, asking.believed)
    if not asked.subjects:
        facts = asking.beliefs.facts("me", None, believed=asking.believed)
        asked = replace(asked, subjects=("me",), about_me=True)
    _, stops = about_change(keys(words))
    found = matches(asked, facts, free=VAGUE_VERBS | START | STOP) if asked.required else []
    for one in found:
        at = one.fact.valid_to if stops and not is_event(one.fact) else one.fact.valid_from
        if at is not None and (one.fact.precision is not Precision.OPEN or is_event(one.fact)):
            return one.fact, at
    return None


def which_first(asking: Asking) -> Answer | None:
    """Which of two came first; only if both have a date."""
    options = asking.question.options
    if len(options) != 2:
        return None
    both = [_dated_thing(asking, option) for option in options]
    if both[0] is None or both[1] is None:
        missing = [told(option) for option, found in zip(options, both, strict=True) if found is None]
        return abstain(f"I don't know: I was never told when it was for {' or '.join(missing)}.")
    dated_ones = sorted(zip(options, both, strict=True), key=lambda one: one[1][1].us if one[1] else 0)
    (first, early), (second, late) = dated_ones
    assert early is not None and late is not None
    if early[1].us == late[1].us:
        return say(f"At the same time: {_stamp(*early)}.", [early[0], late[0]])
    return say(f"{told(first)[:1].upper()}{told(first)[1:]} came first ({_stamp(*early)}); "
               f"{told(second)} came later ({_stamp(*late)}).", [early[0], late[0]])  # fmt: skip


def _stamp(fact: Fact, at: Instant) -> str:
    precision = fact.precision if at == fact.valid_from else fact.precision_to
    return date_of(at, precision)


def between(asking: Asking) -> Answer | None:
    """How long lies between two things."""
    options = asking.question.options
    if len(options) != 2:
        return None
    first, second = (_dated_thing(asking, option) for option in options)
    if first is None or second is None:
        return abstain("I don't know: I was not told both dates.")
    early, late = sorted((first, second), key=lambda one: one[1].us)
    span = describe_span(early[1].us, late[1].us)
    return say(f"{span[:1].upper()}{span[1:]}: from {_stamp(*early)} to {_stamp(*late)}.", [early[0], late[0]])
