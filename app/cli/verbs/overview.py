"""What a memory comes to, at a glance: the brief, summaries, typed views, and what is fading; each thing with its turn.

These verbs read. Only `brief --done` writes one thing: that the brief was read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from app.cli.session import CommandContext, Given, command
from app.core import rendering
from app.core.rendering import as_json
from store.errors import ModelError, UsageError
from widgets.plain import one_line
from widgets.wording import count

if TYPE_CHECKING:
    from store.memory import Memory
    from store.records import Source
    from store.sleep.abstracting import Worded
    from store.sleep.summaries import Summary

AHEAD = 90  # days of a decay curve


@command()
@click.option("--done", is_flag=True, help="I have read it: the next one begins here.")
def brief(session: CommandContext, done: bool) -> None:
    """What changed since the last brief was read, what is disputed, what is coming up, what is fading."""
    from store.sleep.telling import TITLES, heading, lines

    with session.memory(reading=not done) as memory:
        told = memory.overview.brief()
        if done:
            memory.overview.brief_read()
    found = lines(told)
    document: dict[str, Any] = {
        "since": as_json(told.since), "until": told.until.iso(), "heard": told.heard,
        "heading": heading(told), "changed": [], "disputed": [], "unsure": [], "coming": [], "fading": [],
    }  # fmt: skip
    shown = [one_line(heading(told), 200)]
    for section, title in TITLES.items():
        inside = [one for one in found if one.section == section]
        shown += [title] if inside else []
        for one in inside:
            document[section].append({"text": one.text, "facts": as_json(one.facts)})
            shown.append(f"  • {one_line(one.text, 200)}")
        if section == "unsure":
            shown += [f"    `erstwhile confirm {one.facts[0].id}` if it is so" for one in inside]
        if section == "disputed":
            shown += [f"    `erstwhile resolve {fact.id}` if {one_line(fact.object, 60)}"
                      for one in inside for fact in one.facts]  # fmt: skip
    session.emit(document, *shown)


@command()
@click.option("--session", "conversation", metavar="KEY", help="One conversation (see `erstwhile sessions`).")
@click.option("--about", metavar="NAME", help="What is believed of somebody or something.")
@click.option("--day", metavar="D", help='One day: "2026-03-02", "yesterday".')
@click.option("--week", metavar="D", help="The week that D is in, from Monday.")
@click.option("--month", metavar="D", help="The month that D is in.")
@click.option("--by-model", is_flag=True, help="In the model's words, as far as the turns bear them out, if it passed.")
def summary(session: CommandContext, conversation: Given, about: Given, by_model: bool, **spans: Given) -> None:
    """Sum up a conversation (the last one, if nothing is named), what is believed of somebody, a day, a week or a month
    in its own sentences."""
    if sum(one is not None for one in (conversation, about, *spans.values())) > 1:
        raise UsageError("Name one thing to sum up: --session, --about, --day, --week or --month.")
    span: Any = next((name for name, when in spans.items() if when is not None), None)
    with session.memory(reading=True) as memory:
        if about is not None:
            found = memory.overview.summary("entity", about=about)
        elif span is not None:
            found = memory.overview.summary(span, within=session.when(spans[span]))
        else:
            found = memory.overview.summary("session", session=conversation or "")
        worded, sentence = _worded(memory, found) if by_model else (None, "")
    document: dict[str, Any] = {
        "kind": found.kind, "key": found.key, "title": found.title, "from": found.start.iso(), "to": found.end.iso(),
        "turns": found.turns, "sentences": as_json(found.sentences),
    }  # fmt: skip
    said = [_said_line(one, one.quote) for one in found.sentences]
    if by_model:
        document["model"] = {"sentence": sentence}
    if worded:
        document["model"] |= {
            "told": [
                {"text": one.text, "model": one.model or None, "sources": as_json(one.sources)} for one in worded.told
            ],
            "refused": list(worded.refused),
        }
        said = _worded_lines(worded)
    head = f"{_summary_title(found)}: {count(found.turns, 'turn')}"
    session.emit(document, head, *said, *([sentence] * by_model))


def _worded(memory: Memory, found: Summary) -> tuple[Worded | None, str]:
    """A summary in the chosen model's words, if it passed for that; and what to say of it."""
    from app.core.fitness import WORDS, opened

    with opened(wanted=True, job=WORDS) as reader:
        if reader.model is None:
            return None, reader.sentence
        try:
            worded = memory.overview.worded(found, reader.model)
        except ModelError as error:
            return None, f"{error} So {WORDS.alone}."
        own = sum(bool(one.model) for one in worded.told)
        refused = f"; {count(len(worded.refused), 'sentence')} of its own refused" if worded.refused else ""
        name = one_line(reader.model.name, 40)
        return worded, f"{own} of {count(len(worded.told), 'sentence')} in the words of {name} (≈){refused}."


def _worded_lines(worded: Worded) -> list[str]:
    """Each sentence; below one that a model worded, the sentences that it rests on."""
    lines = []
    for one in worded.told:
        first = one.sources[0]
        lines.append(_said_line(first, one.text, "≈ " if one.model else ""))
        if one.model:
            lines += [f"      {_when(each)}  “{one_line(each.quote, 200)}”" for each in one.sources]
    return lines


def _said_line(source: Source, text: str, mark: str = "") -> str:
    who = "" if source.speaker in ("me", "user") else f"{one_line(source.speaker, 20)}: "
    return f"  {_when(source)}  {mark}{who}{one_line(text, 250)}"


def _when(source: Source) -> str:
    return source.said_at.iso()[:16].replace("T", " ")


def _summary_title(found: Summary) -> str:
    """Such as "June 2026", "The week of Monday 1 June 2026", "Sunday 7 June 2026"; else the conversation's title."""
    if found.kind in ("session", "entity"):
        return one_line(found.title, 80)
    start = found.start.local()
    day = f"{start:%A} {start.day} {start:%B} {start.year}"
    return {"month": f"{start:%B} {start.year}", "week": f"The week of {day}"}.get(found.kind, day)


@command()
@click.option("--core", "best", is_flag=True, help="What matters most instead: pinned, or said and used so often.")
@click.option("-n", "limit", default=20, show_default=True, type=click.IntRange(1, 1000), help="How many.")
@click.option("--open", "opened", metavar="FACT", help="Bring the fact with this id back: it is in use.")
def fading(session: CommandContext, best: bool, limit: int, opened: Given) -> None:
    """What holds, and nobody has spoken of for long. `pin` keeps a fact in view, --open says that it is in use."""
    with session.memory(reading=opened is None) as memory:
        if opened is not None:
            fact = memory.beliefs.fact(opened)
            memory.salience.use([fact])
            found = [memory.beliefs.fact(opened)]
        else:
            found = memory.salience.core(limit) if best else memory.salience.fading(limit)
        curves = {one.id: memory.salience.decay(one.id, AHEAD) for one in found} if session.as_json else {}
        now = memory.latest()
    document = {
        "core" if best else "fading": [
            as_json(one) | {"decay": [{"days": days, "salience": level} for days, level in curves[one.id]]}
            for one in found
        ] if session.as_json else [],
    }  # fmt: skip
    nothing = "Nothing is core yet: what is said and used often, or pinned, becomes so." if best else "Nothing fades."
    lines = []
    for one in found:
        said = one.sources[-1].said_at if one.sources else one.believed_from
        pinned = ", pinned" * one.pinned
        state = f"{rendering.mark(one, now)} {one.salience:.2f}"
        lines.append(f"{state}  {one_line(one.text, 90)}  [{said.iso()[:10]}{pinned}]  {one.id}")
    session.emit(document, *(lines or [nothing]))


@command()
@click.option(
    "--kind", type=click.Choice(["profile", "semantic", "episodic", "procedural"]), default="profile",
    show_default=True, help="Who I am; whom and what I know; what happened; how I like things done.",
)  # fmt: skip
@click.option("--all", "everything", is_flag=True, help="With what has faded.")
def profile(session: CommandContext, kind: Any, everything: bool) -> None:
    """What the memory holds, by kind: who I am, whom and what I know, what happened, how I like things done."""
    with session.memory(reading=True) as memory:
        sections = memory.beliefs.profile(kind, everything=everything)
        now = memory.latest()
    lines: list[str] = []
    for one in sections:
        lines.append(one_line(one.title, 80))
        lines += [f"  {rendering.fact_line(fact, now)}" for fact in one.facts]
        if one.faded:
            lines.append(f"    and {one.faded} that nobody has spoken of for long (--all shows them)")
    told = [{"title": one.title, "faded": one.faded, "facts": as_json(one.facts)} for one in sections]
    session.emit({"kind": kind, "sections": told}, *(lines or ["Nothing of that kind is believed yet."]))


COMMANDS = (brief, summary, fading, profile)
