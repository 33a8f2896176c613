"""One sentence says what the two cursors of the timeline show of a lane: what was believed then, and what is today."""

from __future__ import annotations

from collections.abc import Sequence

from store.beliefs.predicates import find
from store.beliefs.wording import clause, closed, worded
from store.records import Fact, Precision
from widgets.lane_index import LaneView, Slot
from widgets.time_scale import Cursors
from widgets.whole_belief import whole
from widgets.wording import called, since, value

MOST_LASTING = 24
"""How much of what is so for good is put into words: more would not fit."""


def seen(slot: Slot, pointed: Fact, at: Cursors) -> str:
    """What is seen of a slot, of which a fact lies nearest to the cursors."""
    then, today = slot.at(at.world, at.belief), slot.at(at.world, at.now)
    held = next((one for one in then if one.id == pointed.id), then[0] if then else None)
    if at.believed_at is None:
        return _known(slot, held, pointed, at).removesuffix(".") + _against(slot, held or pointed) + "."
    when, of = at.on(at.belief), at.on(at.world)
    when = "Earlier today" if when == "today" else _capital(when)
    if held is None:
        return f"{when} you had said nothing of this{_since_then(today, at)}."
    still = any((one.object, one.negative) == (held.object, held.negative) for one in today)
    after = "; you still do" if still else _since_then(today, at) or "; today you no longer believe it"
    told = _clause(held, past=True)
    if at.true_at is None or of == at.on(at.belief):
        return f"{when} you believed that {told}{after}."
    if at.world > at.belief:
        return f"{when} you believed, of {of.removeprefix('on ')}, that {told}{after}."
    return f"{when} you believed that {of} {told}{after}."


def _known(slot: Slot, held: Fact | None, pointed: Fact, at: Cursors) -> str:
    """What is known now of a moment of the world."""
    if at.true_at is not None:
        day = _capital(at.on(at.world))
        if held is None:
            over = pointed.valid_to is not None and pointed.valid_to.us <= at.now
            told = f"{_clause(pointed, past=over)}, {since(pointed, at.now)}"
            happens = find(pointed.predicate).temporal == "event"
            nothing = "this had not happened" if happens else "nothing of this held"
            return f"{day} {nothing}, as far as you know now; {told}."
        return f"{day}, as you know now, {_clause(held, past=at.world < at.now)}."
    one = held or pointed
    told = f"{one.text.removesuffix('.')}, {since(one, at.now)}"
    heard = whole(one, slot.facts).believed_from.us
    first = "" if heard == one.believed_from.us else "first "
    return f"{told}." if one.precision is Precision.OPEN else f"{told}; you {first}said so {at.on(heard)}."


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
