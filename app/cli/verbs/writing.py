"""What is handed over is on the disk before it is confirmed; an import that is interrupted goes on where it stopped."""

from __future__ import annotations

import shlex
from collections import Counter
from contextlib import ExitStack, closing
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from app.cli.session import CommandContext, Given, command, tell
from app.core.bringing import WORDS, by_kind, complete, turns_of
from app.core.rendering import as_json, learned_json, quarantined_line
from app.core.sleeper import drawn, progress, progress_done
from store.beliefs.grammar import joined
from store.database.opening import is_encrypted
from store.errors import BadInput, UsageError
from store.formats.catalogue import Source, sources
from store.formats.report import Options, Report
from store.reading.asking.forgetting import whom_to_forget
from store.records import DOCUMENT_SOURCE, Ingested, Instant, Turn
from store.sleep.apart import INSTRUCTION, quarantined
from store.time.expressions import parse_iso
from widgets.plain import one_line
from widgets.receipt import when_told
from widgets.wording import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from store.maintenance.complete import Staged
    from store.maintenance.taking import Taken


@command()
@click.argument("text")
@click.option("--at", metavar="D", help="When it was said (default: now).")
@click.option("--speaker", default="me", show_default=True, help="Who said it.")
def remember(session: CommandContext, text: str, at: Given, speaker: str) -> None:
    """Keep TEXT, and say what it taught."""
    if not text.strip():
        raise BadInput("There is nothing to remember; write the words in quotes.")
    with session.memory(make=True) as memory:
        if whom := whom_to_forget(text, memory.people.entities):
            raise BadInput(
                f"Nothing was written down; `erstwhile erase --about {shlex.quote(whom)}` shows what would go."
            )
        said_at = None if at is None else parse_iso(at, session.zone)
        episode = memory.episodes.remember(
            Turn(text, "command line", speaker=speaker, said_at=said_at, source="command")
        )
        taught = memory.reading.learn(episode.id)
        apart, now = memory.reading.quarantined(episode.id), memory.latest()
    lines = []
    for one in sorted(taught, key=lambda one: one.new is None):  # what only ended comes last
        if one.new is None:
            lines += [f"no longer: {one_line(one.old.text)}"] if one.old is not None else []
            continue
        text = f"{one_line(one.new.text).removesuffix('.')}{when_told(one, now)}."
        unsure = f"? {text}  (`erstwhile confirm {one.new.id}` if it is so)"
        lines.append(unsure if one.new.unsure else f"{one.kind}: {text}")
    document = {"episode": as_json(episode), **learned_json(taught), "kept_out": as_json(apart)}
    kept = lines or ["Kept, word for word; nothing in it was read as a belief."]
    session.emit(document, *kept, *map(quarantined_line, apart))


FORMAT_CHOICES = (
    "auto", "jsonl", "chatgpt", "claude", "llm", "openwebui", "markdown", "whatsapp", "document", "own-words",
    "claude-code", "codex", "locomo", "longmemeval",
)  # fmt: skip
FEW = 20  # reasons that are told one by one; more are told by their number


@command("import")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--format", "kind", type=click.Choice(FORMAT_CHOICES), default="auto", show_default=True)
@click.option("--me", multiple=True, metavar="NAME", help="A speaker who is you; may be given more than once.")
@click.option("--dry-run", is_flag=True, help="Say what would be imported and what not, and change nothing.")
@click.option("--item", metavar="N", help="Which history of a file that holds several, by number or name.")
@click.option("--unremembered", is_flag=True, help="Also chats marked as not to be remembered; they teach nothing.")
def import_(
    session: CommandContext, paths: tuple[Path, ...], kind: str, me: tuple[str, ...], dry_run: bool, item: Given,
    unremembered: bool,
) -> None:  # fmt: skip
    """Add conversations from files and folders: exports of ChatGPT and Claude, chats of WhatsApp, logs of llm,
    Open WebUI, notes in Markdown, JSON lines. Doing it twice adds nothing; an interrupted import is resumed by
    repeating it. What `erstwhile export` wrote comes whole, with what was done by hand, or not at all."""
    report, spoken, apart = Report(), Counter[str](), Counter[str]()
    found = [source for path in paths for source in sources(path, None if kind == "auto" else kind, report, session.db)]
    tomorrow = Instant.of(datetime.now(session.zone) + timedelta(days=1))
    mine = frozenset(name.casefold() for name in me)
    options = Options(session.zone, tomorrow, unremembered=unremembered, item=item, me=mine)
    turns = _counted(turns_of(found, options, report), spoken, apart)
    with ExitStack() as stack:
        exports = complete(found, stack)
        for path, export in exports:
            export.tell(report, path.name)
        if dry_run:
            for _ in turns:
                pass
            _complain(report)
            _ask_who_is_me(spoken, {*me, "me"})
            session.emit({"dry_run": True, **_met(found, report)}, *_summary(found, report, exports))
            return
        first = next(turns, None)
        if first is None and not exports:
            _complain(report)
            raise BadInput(f"Nothing in {', '.join(map(str, paths))} could be read as {_kinds(found)}.")
        streamed = chain([] if first is None else [first], turns)
        brought, person = _bring(session, [export for _, export in exports], streamed, me, spoken, apart)
    _ask_who_is_me(spoken, person)
    _complain(report)
    if apart:
        instructions = apart[INSTRUCTION]
        held = [f"{instructions} that read like an instruction"] if instructions else []
        held += [f"{number} with {kind}" for kind, number in sorted(apart.items()) if kind != INSTRUCTION]
        tell(f"Kept, and not learned from: {', '.join(held)}; `erstwhile log --kept-out` shows which turns.")
    session.emit({**brought, **_met(found, report)}, *_told(brought, report.skips))


def _told(brought: Mapping[str, Any], skips: int) -> Iterator[str]:
    """What came of an import, for people."""
    more = f", {count(skips, 'message')} passed over" if skips else ""
    yield (f"{brought['new']} new turns, {brought['seen']} known before{more}, in {brought['seconds']} s. "
           f"{brought['pending']} wait for `erstwhile sleep`.")  # fmt: skip
    if others := by_kind({kind: number for kind, number in brought["taken"].items() if kind != "turn"}):
        yield f"With them: {others}."
    if brought["stayed_away"]:
        yield f"{count(brought['stayed_away'], 'turn')} stayed away: erased here before."
    if erased := brought["erased_there"]:
        yield (f"{count(len(erased), 'turn')} erased where the export was written, and still here: "
               f"{', '.join(erased[:FEW])}. `erstwhile erase --episode ID` erases one here, too.")  # fmt: skip


def _counted(turns: Iterator[Turn], spoken: Counter[str], apart: Counter[str]) -> Iterator[Turn]:
    """The turns as they come; counts the persons who speak, and what holds an instruction or a secret, by kind."""
    for turn in turns:
        spoken.update([turn.speaker] if turn.role == "user" and turn.source != DOCUMENT_SOURCE else [])
        apart.update({one.reason for one in quarantined("", turn.text, turn.role)})
        yield turn


def _ask_who_is_me(spoken: Counter[str], person: set[str]) -> None:
    """Where several speak and none is the person, everything is about others: say so."""
    names = [one_line(name, 40) for name, _ in spoken.most_common(FEW)]
    if len(names) > 1 and not {name.casefold() for name in spoken} & {name.casefold() for name in person}:
        tell(f'Said by {joined(names)}. If one of them is you, name them, or nothing is about you: --me "{names[0]}"')


def _bring(
    session: CommandContext, exports: list[Staged], turns: Iterator[Turn], me: tuple[str, ...], spoken: Counter[str],
    apart: Counter[str],
) -> tuple[dict[str, Any], set[str]]:  # fmt: skip
    """Take exports, each whole, and append turns, each batch durable. Where `me` speaks there, none of the others that
    were `spoken` by is the person any more. Gives the JSON of what came, and the names under which the person speaks.
    """
    taken, seen, stayed_away, erased_there = Counter[str](), 0, 0, list[str]()
    with session.memory(make=True, me=me) as memory:
        began = perf_counter()
        for export in exports:
            one: Taken = drawn(memory.file.take(export))
            taken.update(+one.counts)
            seen += one.known + one.stayed_away
            stayed_away += one.stayed_away
            erased_there += one.erased_there
        step = Ingested(0, 0, None)
        for step in memory.episodes.ingest(turns):
            progress("import", step.new + step.seen, None)
        mine = {name.casefold() for name in me}
        others = [name for name in spoken if name.casefold() not in mine]
        if len(others) < len(spoken):
            memory.name_person(me, others)
        taken.update({"turn": step.new})
        seconds = round(perf_counter() - began, 3)
        brought = {
            "new": taken["turn"], "seen": seen + step.seen, "pending": memory.reading.pending(), "seconds": seconds,
            "kept_out": dict(apart), "taken": dict(taken), "stayed_away": stayed_away, "erased_there": erased_there,
        }  # fmt: skip
        person = set(memory.person)
    progress_done()
    return brought, person


def _met(found: list[Source], report: Report) -> dict[str, Any]:
    return {
        "formats": sorted({name for _, name in found}), "conversations": len(report.sessions),
        "messages": report.turns, "branches": report.branches, "inactive": report.inactive, "untimed": report.untimed,
        "first": as_json(report.first), "last": as_json(report.last),
        "skipped": report.skipped, "skipped_by_reason": dict(report.reasons.most_common()), "notes": report.notes,
    }  # fmt: skip


def _summary(found: list[Source], report: Report, exports: list[tuple[Path, Staged]]) -> Iterator[str]:
    yield f"{_kinds(found)}: {report.turns} messages in {len(report.sessions)} conversations."
    if report.first is not None and report.last is not None:
        yield f"said from {report.first.local():%Y-%m-%d} to {report.last.local():%Y-%m-%d}"
    for path, export in exports:
        yield f"{path.name} is a complete export: {by_kind(export.counts)}."
    if report.inactive:
        yield f"kept but not read for beliefs: {report.inactive}, with {report.branches} abandoned branches"
    yield f"passed over: {count(report.skips, 'message')}. Nothing was changed; leave --dry-run out to import."


def _complain(report: Report) -> None:
    """What was passed over and what deserves a look, one by one where it is little."""
    reasons = report.skipped if report.skips <= FEW else [
        f"{number} times: {reason}" for reason, number in report.reasons.most_common(FEW)
    ]  # fmt: skip
    for reason in reasons:
        tell(f"passed over: {one_line(reason, 200)}")
    if report.untimed:
        told = "has no time of its own and takes" if report.untimed == 1 else "have no time of their own and take"
        tell(f"{count(report.untimed, 'message')} {told} that of the message nearest in the conversation.")
    for note in report.notes[:FEW]:
        tell(f"note: {one_line(note, 200)}")


def _kinds(found: list[Source]) -> str:
    return ", ".join(sorted({name for _, name in found}))


@command()
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--session", "conversation", metavar="KEY", help="Only this conversation (see `sessions`), as Markdown.")
@click.option(
    "--format", "kind", type=click.Choice(["jsonl", "md"]), help="jsonl for everything, md for one conversation."
)
@click.option("--secrets", is_flag=True, help="Also turns that hold something shaped like a key or a password.")
def export(session: CommandContext, target: Path, conversation: Given, kind: Given, secrets: bool) -> None:
    """Write everything that cannot be made again to TARGET: the turns, a line each, in the form that `import` reads,
    and what was claimed, done by hand, pinned and erased. With --session, write one conversation to be read by
    people: its turns with their times and speakers, and what they taught."""
    from app.core import exporting

    if kind is not None and (conversation is None) != (kind == "jsonl"):
        raise UsageError("Markdown is for one conversation, and JSON lines for everything: --session KEY --format md.")
    exporting.refuse(target)
    if is_encrypted(session.db):
        tell(f"{target} is plain text, though the memory is encrypted; put it where nobody else reads it.")
    with session.memory(reading=True) as memory:
        if conversation is not None:
            done = exporting.write_conversation(memory, conversation, target, secrets=secrets)
            document: dict[str, Any] = {"written": len(done.turns), "left_out": done.left_out, "session": conversation}
            said = f"{len(done.turns)} turns written to {target}."
            session.emit(document, said + _without(done.left_out))
            return
        memory.file.exported(target)
        with closing(memory.file.export(secrets=secrets)) as lines:  # it holds the reader where the writing ends early
            counts = exporting.write_whole(target, lines)
        left_out = 0 if secrets else memory.episodes.with_secrets()
    others = by_kind({kind: number for kind, number in counts.items() if kind != "turn"})
    document = {"written": counts["turn"], "left_out": left_out, "kinds": {kind: counts[kind] for kind in WORDS}}
    session.emit(
        document, f"{counts['turn']} turns written to {target}, with {others or 'nothing else'}.{_without(left_out)}"
    )


def _without(left_out: int) -> str:
    return f" {left_out} with secrets were left out; --secrets takes them along." if left_out else ""


COMMANDS = (remember, import_, export)
