"""One sentence says what the two cursors of the timeline show of a lane: what was believed then, and what is today."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from store.beliefs.predicates import find
from store.beliefs.wording import clause, closed, worded
from store.records import Fact, Instant, Precision
from widgets.lane_index import LaneView, Slot
from widgets.states import never_true
from widgets.time_scale import Cursors
from widgets.whole_belief import whole
from widgets.wording import believed, called, clock_time, moment, since, until, value

MOST_LASTING = 24
"""How much of what is so for good is put into words: more would not fit."""


def seen(slot: Slot, pointed: Fact, at: Cursors, heard: Mapping[str, Fact] = MappingProxyType({})) -> str:
    """What the fact of a slot that lies nearest to the cursors says of them; `heard` has facts with the words that they
    were told in."""
    said = heard.get(pointed.id, pointed)
    known, when = whole(said, slot.facts), _capital(at.on(at.belief))
    when = f"Earlier today, at {_clock(at, at.belief)}," if when == "Today" else when
    today = [heard.get(one.id, one) for one in slot.at(at.world, at.now)]
    after = _since_then(today, at) if find(slot.key[1]).cardinality == "one" else ""
    if said.believed_from.us > at.belief:
        return f"{when} you had said nothing of this{after}."
    if known.believed_to is not None and known.believed_to.us <= at.belief:
        wrong = "; it was never so" if never_true(known) else "" if after else "; today you no longer believe it"
        return f"{_capital(believed(known, at.now))} you believed that {_clause(said, past=True)}{wrong}{after}."
    if at.believed_at is None:
        return _known(slot, said, at).removesuffix(".") + _against(slot, said) + "."
    told, of = _clause(said, past=True), at.on(at.world)
    if not _holds(said, at.world):
        return f"{when} you believed that {told}, {since(said, at.now)}; {of} {_outside(said, at)}."
    if any((one.object, one.negative) == (said.object, said.negative) for one in today):
        after = "; you still believe it"
    after = after or "; today you no longer believe it"
    if at.true_at is None or of == at.on(at.belief):
        return f"{when} you believed that {told}{after}."
    if at.world > at.belief:
        return f"{when} you believed, of {of.removeprefix('on ')}, that {told}{after}."
    return f"{when} you believed that {of} {told}{after}."


def _known(slot: Slot, one: Fact, at: Cursors) -> str:
    """What is known now of a moment of the world."""
    day = _capital(at.on(at.world))
    if at.true_at is not None and _holds(one, at.world):
        still = day == "Today" and _holds(one, at.now)
        return f"{day}, as you know now, {_clause(one, past=at.world < at.now and not still)}."
    heard = whole(one, slot.facts).believed_from.us
    if at.true_at is not None and _is_unsaid(slot, one, at):
        whether = f"Whether {_clause(one, past=True)} {at.on(at.world)}, nobody said"
        return f"{whether}; you first spoke of it {at.on(heard)}."
    if at.true_at is not None:
        when = until(one, at.now) if one.precision is Precision.OPEN and one.valid_to is not None else ""
        told = f"{_clause(one, past=_over(one, at.now))}, {when or since(one, at.now)}"
        return f"{day} {_not_then(one, at)}, as far as you know now; {told}."
    told = f"{one.text.removesuffix('.')}, {since(one, at.now)}"
    first = "" if heard == one.believed_from.us else "first "
    return f"{told}." if one.precision is Precision.OPEN else f"{told}; you {first}said so {at.on(heard)}."


def _is_unsaid(slot: Slot, one: Fact, at: Cursors) -> bool:
    """Nobody said when it began, so that it may have held at the moment, before it was first spoken of; where another
    value did, it did not."""
    predicate = find(one.predicate)
    before = one.precision is Precision.OPEN and one.valid_from is not None and at.world < one.valid_from.us
    other = predicate.cardinality == "one" and bool(slot.at(at.world, at.belief))
    return before and predicate.temporal != "event" and not other


def _not_then(one: Fact, at: Cursors) -> str:
    """That a fact does not tell of the moment."""
    if _over(one, at.world):
        return "this was over"
    return "this had not happened" if find(one.predicate).temporal == "event" else "this had not begun"


def _outside(one: Fact, at: Cursors) -> str:
    """The same, of what was believed then."""
    today = at.on(at.world) == "today"
    if _over(one, at.world):
        return "it is over" if today else "it was over"
    return "it has not begun" if today else "it had not begun"


def _clock(at: Cursors, us: int) -> str:
    return clock_time(Instant.of(moment(us, at.zone)))


def _holds(one: Fact, us: int) -> bool:
    return not _over(one, us) and (one.valid_from is None or one.valid_from.us <= us)


def _over(one: Fact, us: int) -> bool:
    return one.valid_to is not None and one.valid_to.us <= us


def _against(slot: Slot, fact: Fact) -> str:
    """What else is believed of it, where both cannot hold."""
    rivals = [one for one in slot.facts if one.disputed and one.believed_to is None and one.object != fact.object]
    others = " and ".join(dict.fromkeys(map(value, rivals)))
    return f"; in dispute with {others}" if fact.disputed and rivals else ""


def _since_then(today: Sequence[Fact], at: Cursors) -> str:
    return f"; today you know that {_clause(today[0], past=at.world < at.now)}" if today else ""


def _clause(fact: Fact, *, past: bool = False) -> str:
    """Its sentence, to stand within another."""
    text = (closed(clause(worded(fact, past=True))) if past else fact.text).removesuffix(".")
    return text[:1].lower() + text[1:] if text.startswith(("You", "The ")) else text


def for_good(view: LaneView, believed_at: int) -> list[list[tuple[str, str]]]:
    """All that is so for good, as it was believed at a moment (microseconds UTC), each with what it is, and what is so
    of somebody else together: ("name", "Rita"); ("Ana born in", "Faro"), ("child", "Tom")."""
    found: dict[object, list[tuple[str, str]]] = {}
    for slot in sorted(view.lasting[:MOST_LASTING], key=lambda slot: slot.key != ("me", "name")):
        subject, predicate = slot.key
        said = (" or " if find(predicate).cardinality == "one" else " and ").join(
            map(value, slot.believed(believed_at))
        )
        about = found.setdefault(slot.key if subject == "me" else subject, [])
        if said:
            about.append((called(predicate) if subject == "me" or about else f"{subject} {called(predicate)}", said))
    return [about for about in found.values() if about]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
