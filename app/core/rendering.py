"""JSON names are stable and spelled out: what a program reads from us today it can read from us next year.

Times are ISO 8601 with offset; an open end is null. Lines for people go through the sanitiser, so that no stored text
can act on the terminal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from store.records import (
    Answer,
    Change,
    Episode,
    Fact,
    Hit,
    Instant,
    Judged,
    Link,
    Operation,
    Precision,
    Quarantined,
    Session,
    Source,
)
from widgets.plain import one_line
from widgets.states import GLYPHS, state_of
from widgets.wording import is_one_point, quoted

Json = dict[str, Any]

_NAMES: dict[type, str] = {
    Source: "episode external_id start end quote said_at speaker session by",
    Fact: "id subject predicate object text valid_from valid_to believed_from believed_to precision precision_to"
    " confidence salience supersedes also_supersedes change ended disputed negative pinned valid_from_after"
    " valid_to_after qualifiers unsure sources",
    Hit: "kind id external_id session speaker text said_at score channels",
    Answer: "text tier abstained about elapsed_ms facts sources",
    Change: "at kind new old",
    Link: "kind because fact",
    Episode: "id external_id session speaker role text said_at",
    Session: "session title source turns first_said_at last_said_at",
    Operation: "id run phase kind at reason detail undone_by",
    Quarantined: "turn quote reason by",
}
"""What the JSON of each record holds, in this order."""
_RENAMED = {(Session, "session"): "key"}
_NULL_IF_EMPTY = {(Source, "by"), (Quarantined, "quote"), (Quarantined, "by")}
_ODD = frozenset(("channels", "qualifiers", "score", "session", "by", "quote"))  # all others are as they are
_PLAIN = frozenset((str, float, int, bool, type(None), Precision))  # most of what there is
_SHOWN = {Precision.YEAR: 4, Precision.SEASON: 7, Precision.MONTH: 7}  # characters of a date that was said so exactly


def as_json(value: Any) -> Any:
    """What the memory gives as JSON: records by their names, and so what is in them; times as ISO 8601."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is Instant:
        return value.iso()
    if kind in (list, tuple):
        return [as_json(one) for one in value]
    if names := _NAMES.get(kind):
        return {name: _field(value, name) if name in _ODD else as_json(getattr(value, name)) for name in names.split()}
    return value


def _field(record: Any, name: str) -> Any:
    kind = type(record)
    value = getattr(record, _RENAMED.get((kind, name), name))
    if name in ("channels", "qualifiers"):
        return dict(value)
    if name == "score":
        return round(value, 6)
    return None if value == "" and (kind, name) in _NULL_IF_EMPTY else as_json(value)


def learned_json(changes: Collection[Change]) -> Json:
    """What a turn taught, and apart from it what the reader is unsure of."""
    sure = [one for one in changes if one.new is None or not one.new.unsure]
    unsure = [one.new for one in changes if one.new is not None and one.new.unsure]
    return {"learned": as_json(sure), "unsure": as_json(unsure)}


def judged_json(judged: Judged) -> Json:
    """Why each hit of a search stands where it does."""
    return {
        "query": judged.query, "candidates": judged.candidates,
        "terms": [{"term": term, "turns": turns, "weight": weight} for term, turns, weight in judged.terms],
        "hits": [
            as_json(hit.hit) | {
                "rank": hit.rank, "reasons": dict(hit.reasons),
                "judged": [{"channel": name, "rank": rank, "score": score} for name, rank, score in hit.channels],
            }
            for hit in judged.hits
        ],
        "removed": [{"id": key, "reason": reason} for key, reason in judged.removed],
    }  # fmt: skip


def judged_lines(judged: Judged) -> list[str]:
    """For people: each hit with what raised or lowered it most."""
    terms = ", ".join(f"{one_line(term, 30)} (in {turns} turns)" for term, turns, _ in judged.terms)
    lines = [f"looked for: {terms}", f"compared {judged.candidates} turns, left out {len(judged.removed)}"]
    for hit in judged.hits:
        channels = "  ".join(f"{name} {rank} ({score:.2f})" for name, rank, score in hit.channels)
        reasons = "  ".join(f"{name} {points:+.2f}" for name, points in hit.reasons[:5])
        lines += [hit_line(hit.rank, hit.hit), f"      {channels}", f"      {reasons}"]
    return lines


def hit_line(place: int, hit: Hit) -> str:
    channels = " ".join(f"{name}:{rank}" for name, rank in hit.channels)
    return f"{place:>2}. {hit.said_at.iso()[:16]} {one_line(hit.speaker, 20)}: {one_line(hit.text, 160)}  ({channels})"


def quarantined_line(one: Quarantined) -> str:
    """Why words taught nothing, and which; of a secret its kind alone."""
    if one.by:
        return f"refused, {one_line(one.reason)} ({one_line(one.by, 40)}): {one_line(one.quote, 120)}"
    return f"not learned, {one.reason}: “{one_line(one.quote, 120)}”" if one.quote else f"kept out: {one.reason}"


def mark(fact: Fact, now: int) -> str:
    """The glyph of a fact's state, as it is true and believed now: the screens' own."""
    return GLYPHS[state_of(fact, now, max(now, fact.believed_from.us))]


def fact_line(fact: Fact, now: int) -> str:
    """What is believed, when it is true, and which model read it in the person's words, where no rule says it."""

    def shown(instant: Instant | None, precision: Precision) -> str:
        return "…" if instant is None else instant.iso()[: _SHOWN.get(precision, 10)]

    about = "about " if fact.precision is Precision.OPEN and fact.valid_from is not None else ""
    world = about + shown(fact.valid_from, fact.precision)
    if not is_one_point(fact):
        world += f" → {shown(fact.valid_to, fact.precision_to)}"
    models = [source.by.partition(" ")[2] for source in fact.sources if source.by.startswith("model/")]
    read_by = f"  (read by {one_line(models[0], 40)})" if models and len(models) == len(fact.sources) else ""
    return f"{mark(fact, now)} {one_line(fact.text, 90)}  [{world}]{' disputed' * fact.disputed}{read_by}"


def fact_lines(facts: Iterable[Fact], now: int) -> list[str]:
    """Two lines for each: what is believed, and when it was, with the words that it is from."""
    lines = []
    for fact in facts:
        until = "now" if fact.believed_to is None else fact.believed_to.iso()[:10]
        quote = f"  {quoted(fact.sources[0], 80)}" if fact.sources else ""
        lines += [fact_line(fact, now), f"    believed {fact.believed_from.iso()[:10]} → {until}{quote}"]
    return lines
