"""A receipt says in one line what a turn taught: known things first, what is unsure with a question mark."""

from __future__ import annotations

import re
from collections.abc import Sequence

from store.beliefs.predicates import DEATH, find
from store.records import Change, Fact, Precision
from widgets.plain import one_line
from widgets.wording import about, at_hour, is_one_point, since, until, value

MOST = 8  # things that are named; more are counted
LEAST_SURE, OF_KIN = 0.5, 0.7
"""How sure the reader is of what is told back with a doubt, and of who is somebody's kin: below, of 1,362 such claims
of people whom nobody trained on 42 % were right (of kin 33 %), and it is only listed; from there on 65 %."""


def receipt(changes: Sequence[Change], now: int | None = None) -> str:
    """ "Noted: flatmate Ellie; rent 950 € since November"; nothing where nothing was learned."""
    told = [
        f"{'? ' if fact.unsure else ''}"
        f"{'no longer ' if change.new is None or change.kind in ('stop', 'retract') else ''}"
        f"{one_line(f'{about(fact)} {value(fact)}', 48)}{when_told(change, now)}"
        for change in changes if (fact := change.new or change.old) is not None and not _is_doubted(fact)
    ]  # fmt: skip
    return f"Noted: {_few(told)}" if told else ""


def told_back(changes: Sequence[Change], now: int | None = None) -> str:
    """The same in sentences, for a reply: "Noted: your flatmate is Ellie; your rent will be 950, from December on.
    Unsure: Ellie has a rabbit." Of what is said of one value, the first thing. Nothing where nothing was learned."""
    named: dict[tuple[str, str, str], str] = {}
    unsure: dict[tuple[str, str, str], str] = {}
    timed: tuple[Fact, tuple[str, str, str]] | None = None
    dead = {change.new.subject for change in changes if change.new is not None and change.new.predicate == DEATH}
    for change in changes:
        fact = change.new or change.old
        if fact is None or ((fact.unsure or fact.predicate == "detail") and _is_told(fact, changes)):
            continue
        if _is_bare(fact) or _is_doubted(fact):
            continue
        if fact.text.startswith(("You mentioned ", "You said: ")) and len(changes) > 1:
            continue  # it was said, and what else was said is told
        if change.new is None and any(_takes_its_place(one, fact) for one in changes):
            continue
        if find(fact.predicate).is_relation and fact.object.casefold() in dead:
            continue  # that they died is told
        if fact.predicate == "detail" and any(_says_more(one.new, fact) for one in changes if one.new is not None):
            continue
        if change.new is None and (plan := _plan(fact, now)):
            named[fact.subject, fact.object.casefold(), "off"] = f"called off: {plan}"
            continue
        noted = fact.predicate == "detail" and change.kind == "stop"  # its words stay as they were said
        gone = "no longer: " if change.new is None or noted else ""
        kept = unsure if fact.unsure else named
        dated = "event" if fact.predicate == "event" and fact.valid_from is not None else ""
        key = fact.subject, fact.object.casefold(), dated
        if timed is not None and fact.predicate == "schedule" and not gone and _of_one_saying(fact, timed[0]):
            named[timed[1]] += f", {value(fact)}"  # "you play chess, every Tuesday"
            continue
        kept.setdefault(key, f"{gone}{_sentence(fact.text)}{'' if noted else when_told(change, now)}")
        if kept is named and "timetabled" in find(fact.predicate).traits:
            timed = fact, key
    unsure = {key: words for key, words in unsure.items() if key not in named}
    parts = (("Noted", named), ("Unsure", unsure))
    return " ".join(f"{head}: {_few(list(dict.fromkeys(told.values())))}." for head, told in parts if told)


def _takes_its_place(change: Change, old: Fact) -> bool:
    """ "Bonnie cost 2600" says what became of "Bonnie cost 2800"; what was called off is replaced by nothing."""
    new = change.new
    if new is None or new.unsure or change.kind == "retract":
        return False
    return (new.subject, new.predicate) == (old.subject, old.predicate)


def _says_more(new: Fact, other: Fact) -> bool:
    """Whether a note holds all of another: "yr 4 in Headingley" of "yr 4"."""
    same = (new.subject, new.predicate, new.unsure) == (other.subject, other.predicate, other.unsure)
    return same and len(new.object) > len(other.object) and f" {other.object} " in f" {new.object} "


_NOBODY = frozenset(
    ["he", "she", "it", "its", "they", "this", "that", "these", "those", "him", "her", "them", "who", "one"]
)


def _is_doubted(fact: Fact) -> bool:
    kin = find(fact.predicate).is_relation or fact.predicate == "lives_with"
    if fact.unsure and fact.subject.lower() in _NOBODY:
        return True
    return fact.unsure and fact.confidence < (OF_KIN if kin else LEAST_SURE)


_LITTLE = re.compile(r"You (?:said|mentioned)\b|[^:“]{1,60}: ")


def _is_bare(fact: Fact) -> bool:
    """Whether it is a few words without a clause, of which nobody could say whether it is so: "your plan: 51k"."""
    noted = fact.predicate == "detail" and not fact.text.startswith("The ")
    bare = fact.unsure or noted or fact.predicate in ("event", "plans", "goal")
    return bare and _LITTLE.match(fact.text) is not None


def _of_one_saying(one: Fact, other: Fact) -> bool:
    quotes = [{source.quote for source in fact.sources} for fact in (one, other)]
    return one.subject == other.subject and any(a in b or b in a for a in quotes[0] for b in quotes[1])


def _is_told(fact: Fact, changes: Sequence[Change]) -> bool:
    """Whether something known says it the other way round: "your accountant is Ruth", "Ruth is your accountant"; or
    says more of it: "Femke lives with you", "you lived with Femke"."""
    known = [change.new for change in changes if change.new is not None and not change.new.unsure]
    return any(
        (one.object == fact.subject and one.predicate in fact.object.casefold())
        or (one.subject == fact.object and one.predicate == fact.predicate)
        or (fact.predicate == "detail" != one.predicate and one.object in fact.object)
        for one in known
    )


def _few(sentences: Sequence[str]) -> str:
    more = f"; and {len(sentences) - MOST} more" if len(sentences) > MOST else ""
    return f"{'; '.join(sentences[:MOST])}{more}"


def _sentence(text: str) -> str:
    """As it stands behind a colon."""
    words = one_line(text).removesuffix(".")
    return words[0].lower() + words[1:] if words.startswith(("You ", "Your ", "You:", "The ", "One of ")) else words


def when_told(change: Change, now: int | None = None) -> str:
    """The day of a change's belief, after a comma; nothing where nobody said one."""
    fact = change.new
    if fact is not None and change.kind == "stop":
        return "" if fact.valid_to is None else f", {until(fact, now)}"
    if fact is None or change.kind == "retract":
        return ""
    if fact.valid_from is None:
        dated = fact.valid_to is not None and fact.precision_to is not Precision.OPEN
        return f", {until(fact, now)}" if dated else ""
    if fact.predicate == "expires_on":  # whose value is the date
        return ""
    if fact.precision is Precision.OPEN:
        over = change.kind != "new" and fact.valid_to is not None and not is_one_point(fact)
        return f", {until(fact, now)}" if over else ""
    return f", {since(fact, now)}{at_hour(fact)}"


def _plan(fact: Fact, now: int | None) -> str:
    """What lies ahead: "coffee with Marta, on 30 November", "you would live in Lisbon, from March on"; else empty."""
    if fact.valid_from is None or now is None or fact.valid_from.us <= now:
        return ""
    told = value(fact) if fact.predicate == "event" else re.sub(r"\bwill\b", "would", _sentence(fact.text))
    return f"{told}{'' if fact.precision is Precision.OPEN else f', {since(fact, now)}'}"
