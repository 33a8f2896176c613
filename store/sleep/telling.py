"""A brief is told in short sentences with days as people say them; it never says more than the facts in it do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal

from store.beliefs.grammar import second_person, whose
from store.beliefs.predicates import find
from store.beliefs.wording import occasion
from store.records import Fact, Instant, Precision
from store.sleep.brief import Brief, Coming

Section = Literal["changed", "disputed", "unsure", "coming", "fading"]
TITLES: dict[Section, str] = {
    "changed": "What changed", "disputed": "Wants an answer", "unsure": "Heard, and not sure",
    "coming": "Coming up", "fading": "Fading",
}  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
           "December")  # fmt: skip
_COARSE = (Precision.MONTH, Precision.YEAR, Precision.SEASON)
_SOON, _MONTH_AHEAD = 7, 31
"""Days around today, and days ahead, for which the day of the week is told, too."""


@dataclass(frozen=True, slots=True)
class BriefLine:
    """One thing that the brief tells, and the facts that it is about."""

    section: Section
    text: str
    facts: tuple[Fact, ...]


def heading(brief: Brief) -> str:
    """What the brief is about, in one sentence."""
    what = "Your first brief" if brief.since is None else f"Since {_lately(brief.since, brief.until)}"
    if not brief.heard:
        return f"{what}: nothing new was said."
    return f"{what}: {brief.heard:,} thing{'' if brief.heard == 1 else 's'} learned."


def _lately(moment: Instant, now: Instant) -> str:
    days = (now.local().date() - moment.local().date()).days
    if days < 1:
        return f"{moment.local():%H:%M} today"
    return "yesterday" if days == 1 else day_words(moment, Precision.DAY, now)


def lines(brief: Brief) -> list[BriefLine]:
    """All that it tells, section by section."""
    now = brief.until
    return [
        *(BriefLine("changed", change_words(fact, old, now), (fact, old) if old else (fact,))
          for fact, old in brief.changed),
        *(_dispute(facts, now) for facts in brief.disputed),
        *(BriefLine("unsure", _unsure_words(fact, now), (fact,)) for fact in brief.unsure),
        *(BriefLine("coming", coming_words(one, now), (one.fact,)) for one in brief.coming),
        *(BriefLine("fading", fading_words(fact, now), (fact,)) for fact in brief.fading),
    ]  # fmt: skip


def change_words(fact: Fact, old: Fact | None, now: Instant) -> str:
    """ "You live in Alvalade, since 5 September. Before: Arroios." """
    text = fact.text.rstrip(".")
    if fact.change == "stop":
        if fact.valid_to is not None and fact.valid_to.us > now.us:
            return f"{text}{_when(fact, now)}."
        ended = f" It ended {_on(fact.valid_to, fact.precision_to, now)}." if fact.valid_to else ""
        return f"{text}, and not any more.{ended}"
    text += _when(fact, now)
    if old is None or old.object == fact.object:
        return f"{text}."
    if fact.change == "correct":
        return f"Put right: {text}, and not {second_person(old.object)}."
    if fact.change == "elaborate":
        return f"{text}. Said more exactly; before: {second_person(old.object)}."
    return f"{text}. Before: {second_person(old.object)}."


def _when(fact: Fact, now: Instant) -> str:
    """ ", since Friday 6 February", ", until Monday 2 March", or nothing where nobody said."""
    found = ""
    if fact.valid_from is not None and fact.precision is not Precision.OPEN:
        found = f", {_since(fact)} {day_words(fact.valid_from, fact.precision, now)}"
    if fact.valid_to is not None and fact.valid_to.us > now.us and find(fact.predicate).temporal != "event":
        found += f"{' and' if found else ','} until {day_words(fact.valid_to, fact.precision_to, now)}"
    return found


def _since(fact: Fact) -> str:
    if find(fact.predicate).temporal == "event":
        return "in" if fact.precision in _COARSE else "on"
    return "since"


def _on(moment: Instant, precision: Precision, now: Instant) -> str:
    about = "about" if precision is Precision.OPEN else "in" if precision in _COARSE else "on"
    return f"{about} {day_words(moment, precision, now)}"


def _dispute(dispute: Sequence[Fact], now: Instant) -> BriefLine:
    facts = tuple(sorted(dispute, key=lambda one: max((source.said_at.us for source in one.sources), default=0)))
    told = _each_but_what_all_begin_with([fact.text.rstrip(".") for fact in facts])
    said = [f"{words} (said on {_said(one, now)})" for words, one in zip(told, facts, strict=True)]
    return BriefLine("disputed", f"{', or '.join(said)}: which is right?", facts)


def _unsure_words(fact: Fact, now: Instant) -> str:
    quote = fact.sources[0].quote if fact.sources else ""
    return f"? {fact.text} You said on {_said(fact, now)}: “{quote}”"


def _each_but_what_all_begin_with(sentences: list[str]) -> list[str]:
    """The first as it is, of the others what is different: "Odete was born in 1934", "1936"."""
    split = [sentence.split() for sentence in sentences]
    shared = len(list(takewhile(lambda words: len(set(words)) == 1, zip(*split, strict=False))))
    return [sentences[0], *(" ".join(words[shared:]) or " ".join(words) for words in split[1:])]


def _said(fact: Fact, now: Instant) -> str:
    return day_words(fact.sources[-1].said_at if fact.sources else fact.believed_from, Precision.DAY, now)


def coming_words(coming: Coming, now: Instant) -> str:
    """ "Tuesday 1 December at 17:00, in 9 days: your appointment." """
    fact, local = coming.fact, coming.at.local()
    when = day_words(coming.at, coming.precision, now)
    if coming.precision is Precision.EXACT:
        when += f" at {local:%H:%M}"
    away = (local.date() - now.local().date()).days
    if coming.precision in (Precision.EXACT, Precision.DAY):
        when += ", today" if not away else ", tomorrow" if away == 1 else f", in {away} days"
    if fact.predicate == "born_on":
        return f"{when}: {'your birthday' if fact.subject == 'me' else f'{whose(fact.subject)} birthday'}."
    if find(fact.predicate).temporal == "event" or fact.predicate == "plans":
        return f"{when}: {occasion(fact)}."
    return f"{when}: {fact.text}"


def fading_words(fact: Fact, now: Instant) -> str:
    """ "Not spoken of since 22 March: You go to yoga. Is that still so?" """
    return f"Not spoken of since {_said(fact, now)}: {fact.text.rstrip('.')}. Is that still so?"


def day_words(moment: Instant, precision: Precision, now: Instant) -> str:
    """A day as people say it seen from `now`, no finer than it was said: "Tuesday 1 December", "March", "2019"."""
    local, today = moment.local(), now.local()
    year = "" if local.year == today.year else f" {local.year}"
    if precision is Precision.YEAR:
        return str(local.year)
    if precision in (Precision.MONTH, Precision.SEASON):
        return f"{_MONTHS[local.month - 1]}{year}"
    away = (local.date() - today.date()).days
    weekday = f"{_DAYS[local.weekday()]} " if -_SOON <= away <= _MONTH_AHEAD else ""
    return f"{weekday}{local.day} {_MONTHS[local.month - 1]}{year}"
