"""JSON names are stable and spelled out: what a program reads from us today it can read from us next year.

Times are ISO 8601 with offset; an open end is null. Lines for people go through the sanitiser, so that no stored text
can act on the terminal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import tzinfo
from typing import TYPE_CHECKING, Any

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
from widgets.wording import count, is_one_point, moment, quoted

if TYPE_CHECKING:
    from store.maintenance.restoring import Only, Preview, Side

Json = dict[str, Any]


def time_json(instant: Instant | None) -> str | None:
    return None if instant is None else instant.iso()


def source_json(source: Source) -> Json:
    return {
        "episode": source.episode, "external_id": source.external_id, "start": source.start, "end": source.end,
        "quote": source.quote, "said_at": source.said_at.iso(), "speaker": source.speaker, "session": source.session,
        "by": source.by or None,
    }  # fmt: skip


def fact_json(fact: Fact) -> Json:
    return {
        "id": fact.id, "subject": fact.subject, "predicate": fact.predicate, "object": fact.object, "text": fact.text,
        "valid_from": time_json(fact.valid_from), "valid_to": time_json(fact.valid_to),
        "believed_from": fact.believed_from.iso(), "believed_to": time_json(fact.believed_to),
        "precision": fact.precision.value, "precision_to": fact.precision_to.value, "confidence": fact.confidence,
        "salience": fact.salience, "supersedes": fact.supersedes, "also_supersedes": list(fact.also_supersedes),
        "change": fact.change, "ended": fact.ended, "disputed": fact.disputed, "negative": fact.negative,
        "pinned": fact.pinned, "valid_from_after": time_json(fact.valid_from_after),
        "valid_to_after": time_json(fact.valid_to_after), "qualifiers": dict(fact.qualifiers),
        "unsure": fact.unsure, "sources": [source_json(source) for source in fact.sources],
    }  # fmt: skip


def unsure_lines(fact: Fact) -> list[str]:
    """What the reader is unsure of, with the words that it was heard in."""
    quote = fact.sources[0].quote if fact.sources else ""
    return [f"? {one_line(fact.text, 120)}  ({fact.id})", f"    “{one_line(quote, 100)}”"]


def hit_json(hit: Hit) -> Json:
    return {
        "kind": hit.kind, "id": hit.id, "external_id": hit.external_id, "session": hit.session,
        "speaker": hit.speaker, "text": hit.text, "said_at": hit.said_at.iso(), "score": round(hit.score, 6),
        "channels": dict(hit.channels),
    }  # fmt: skip


def answer_json(answer: Answer) -> Json:
    return {
        "text": answer.text,
        "tier": answer.tier,
        "abstained": answer.abstained,
        "about": answer.about,
        "elapsed_ms": answer.elapsed_ms,
        "facts": [fact_json(fact) for fact in answer.facts],
        "sources": [source_json(source) for source in answer.sources],
    }


def change_json(change: Change) -> Json:
    return {
        "at": change.at.iso(), "kind": change.kind, "new": fact_json(change.new) if change.new else None,
        "old": fact_json(change.old) if change.old else None,
    }  # fmt: skip


def learned_json(changes: Collection[Change]) -> Json:
    """What a turn taught, and apart from it what the reader is unsure of."""
    sure = [one for one in changes if one.new is None or not one.new.unsure]
    unsure = [one.new for one in changes if one.new is not None and one.new.unsure]
    return {"learned": [change_json(one) for one in sure], "unsure": [fact_json(one) for one in unsure]}


def link_json(link: Link) -> Json:
    return {"kind": link.kind, "because": link.because, "fact": fact_json(link.fact)}


def episode_json(episode: Episode) -> Json:
    return {
        "id": episode.id, "external_id": episode.external_id, "session": episode.session, "speaker": episode.speaker,
        "role": episode.role, "text": episode.text, "said_at": episode.said_at.iso(),
    }  # fmt: skip


def session_json(session: Session) -> Json:
    return {
        "session": session.key, "title": session.title, "source": session.source, "turns": session.turns,
        "first_said_at": time_json(session.first_said_at), "last_said_at": time_json(session.last_said_at),
    }  # fmt: skip


def operation_json(operation: Operation) -> Json:
    return {
        "id": operation.id, "run": operation.run, "phase": operation.phase, "kind": operation.kind,
        "at": operation.at.iso(), "reason": operation.reason, "detail": operation.detail,
        "undone_by": operation.undone_by,
    }  # fmt: skip


_SHOWN = {Precision.YEAR: 4, Precision.SEASON: 7, Precision.MONTH: 7}


def quarantined_json(one: Quarantined) -> Json:
    return {"turn": one.turn, "quote": one.quote or None, "reason": one.reason, "by": one.by or None}


def quarantined_line(one: Quarantined) -> str:
    """Why words taught nothing, and which; of a secret its kind alone."""
    if one.by:
        return f"refused, {one_line(one.reason)} ({one_line(one.by, 40)}): {one_line(one.quote, 120)}"
    return f"not learned, {one.reason}: “{one_line(one.quote, 120)}”" if one.quote else f"kept out: {one.reason}"


def shown_time(instant: Instant | None, precision: Precision) -> str:
    """A world time no finer than it was said; "…" where it is open."""
    if instant is None:
        return "…"
    return instant.iso()[: _SHOWN.get(precision, 10)]


def mark(fact: Fact, now: int) -> str:
    """The glyph of a fact's state, as it is true and believed now: the screens' own."""
    return GLYPHS[state_of(fact, now, max(now, fact.believed_from.us))]


def fact_line(fact: Fact, now: int) -> str:
    """One line for people."""
    about = "about " if fact.precision is Precision.OPEN and fact.valid_from is not None else ""
    world = f"{about}{shown_time(fact.valid_from, fact.precision)}"
    if not is_one_point(fact):
        world = f"{world} → {shown_time(fact.valid_to, fact.precision_to)}"
    extra = (" disputed" if fact.disputed else "") + read_by(fact)
    return f"{mark(fact, now)} {one_line(fact.text, 90)}  [{world}]{extra}"


def read_by(fact: Fact) -> str:
    """Which model read it in the person's words, where no rule and nobody by hand says it; else nothing."""
    models = [source.by.partition(" ")[2] for source in fact.sources if source.by.startswith("model/")]
    return f"  (read by {one_line(models[0], 40)})" if models and len(models) == len(fact.sources) else ""


def believed_line(fact: Fact) -> str:
    """When a fact was believed, and from which words."""
    until = "now" if fact.believed_to is None else fact.believed_to.iso()[:10]
    quote = f"  {quoted(fact.sources[0], 80)}" if fact.sources else ""
    return f"    believed {fact.believed_from.iso()[:10]} → {until}{quote}"


def fact_lines(facts: Iterable[Fact], now: int) -> list[str]:
    """Two lines for each: what is believed, and when it was."""
    return [line for fact in facts for line in (fact_line(fact, now), believed_line(fact))]


def hit_line(place: int, hit: Hit) -> str:
    """One line for people."""
    channels = " ".join(f"{name}:{rank}" for name, rank in hit.channels)
    return f"{place:>2}. {hit.said_at.iso()[:16]} {one_line(hit.speaker, 20)}: {one_line(hit.text, 160)}  ({channels})"


def judged_json(judged: Judged) -> Json:
    return {
        "query": judged.query, "candidates": judged.candidates,
        "terms": [{"term": term, "turns": turns, "weight": weight} for term, turns, weight in judged.terms],
        "hits": [
            hit_json(hit.hit) | {
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


def preview_json(preview: Preview, zone: tzinfo) -> Json:
    """What a restore would change."""
    return {
        "present": None if preview.present is None else _side_json(preview.present, zone),
        "backup": _side_json(preview.backup, zone), "lost": _only_json(preview.lost, zone),
        "gained": {**_only_json(preview.gained, zone), "erased": preview.erased}, "damaged": preview.damaged,
    }  # fmt: skip


def _side_json(side: Side, zone: tzinfo) -> Json:
    return {"turns": side.turns, "beliefs": side.beliefs, "last": _us_json(side.last, zone)}


def _only_json(only: Only, zone: tzinfo) -> Json:
    return {"turns": only.turns, "first": _us_json(only.first, zone), "last": _us_json(only.last, zone)}


def _us_json(us: int | None, zone: tzinfo) -> str | None:
    return None if us is None else moment(us, zone).isoformat()


def preview_lines(preview: Preview, zone: tzinfo) -> list[str]:
    """What a restore would change, for people."""
    present = "cannot be read" if preview.damaged else "there is none"
    lines = [
        f"now     {present if preview.present is None else _side_line(preview.present, zone)}",
        f"backup  {_side_line(preview.backup, zone)}",
    ]
    if preview.present is not None:
        lines.append(f"lost    {_only_line(preview.lost, zone)}")
    erased = f"; {count(preview.erased, 'of them was', 'of them were')} erased since" if preview.erased else ""
    return [*lines, f"gained  {_only_line(preview.gained, zone)}{erased}"]


def _side_line(side: Side, zone: tzinfo) -> str:
    last = "" if side.last is None else f", the last said {moment(side.last, zone):%Y-%m-%d %H:%M}"
    return f"{count(side.turns, 'turn')}, {count(side.beliefs, 'belief')}{last}"


def _only_line(only: Only, zone: tzinfo) -> str:
    if only.first is None or only.last is None:
        return "nothing"
    first, last = (f"{moment(us, zone):%Y-%m-%d %H:%M}" for us in (only.first, only.last))
    return f"{count(only.turns, 'turn')}, said {first}" + ("" if first == last else f" to {last}")
