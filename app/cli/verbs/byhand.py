"""What the person says by hand outranks what was read; what they erase is gone, after they have seen how much it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from app.cli.copying import go_back_to
from app.cli.session import CommandContext, Given, command, tell
from app.core import rendering
from app.core.rendering import as_json
from app.paths import expanded
from store.beliefs.entities import in_words
from store.errors import UsageError
from store.memory import Memory
from store.records import Entity, Fact, Operation, Receipt
from widgets.plain import one_line
from widgets.wording import count

if TYPE_CHECKING:
    from store.maintenance.erase import Selection

SHOWN = 20  # turns that are shown before an erase
LOG_REACH = 50  # operations by hand that are looked through for the one that was just done
_TAKES_BACK = "    `erstwhile undo {}` takes this back."


def _emit(session: CommandContext, memory: Memory, fact: Fact) -> None:
    """The fact as it is now, and the number by which what was done can be taken back."""
    number = operation_on(memory, fact)
    lines = rendering.fact_lines([fact], memory.latest())
    session.emit({"fact": as_json(fact), "operation": number}, *lines, _TAKES_BACK.format(number))


def operation_on(memory: Memory, fact: Fact) -> int:
    """The newest operation by hand on a fact: that of another process may be newer than all of its."""
    turns = {source.episode for source in fact.sources}

    def is_on(done: Operation) -> bool:
        of = done.detail.get("of")
        named = {done.detail.get("episode"), *(of if isinstance(of, list) else ())}
        return done.detail.get("fact") == fact.id or bool(named & turns)

    logged = memory.log.operations(limit=LOG_REACH, phase="hand")
    return next((one.id for one in logged if is_on(one)), logged[0].id)


@command()
@click.argument("subject")
@click.argument("predicate")
@click.argument("value")
@click.option("--since", metavar="D", help="It has held since then, and still does.")
@click.option("--from", "begins", metavar="D", help="It held from then on, until what came next.")
@click.option("--to", "ends", metavar="D", help="It held until then (the first moment of D).")
@click.option("--not", "instead_of", metavar="OLD", help="The wrong value, where there are several.")
def correct(
    session: CommandContext, subject: str, predicate: str, value: str, instead_of: Given, **times: Given
) -> None:
    """Say what is right: SUBJECT (me, or a name), PREDICATE (lives_in, ...), VALUE. The wrong belief stays in view."""
    with session.memory() as memory:
        since, begins, ends = (session.when(times[name]) for name in ("since", "begins", "ends"))
        fact = memory.by_hand.correct(
            subject, predicate, value, since=since, begins=begins, ends=ends, instead_of=instead_of
        )
        _emit(session, memory, fact)


ON_A_FACT: dict[str, str] = {
    "confirm": "Say that what the reader was unsure of, with this id (see `facts --unsure --json`), is so.",
    "retract": "Say that the fact with this id (see `facts --json`, or `facts --unsure --json`) never held.",
    "resolve": "Of beliefs that are disputed, say that the one with this id is right.",
    "pin": "Keep what the fact with this id is about in view, whatever value it comes to hold.",
    "unpin": "Let what the fact with this id is about go from the pinned ones.",
}
"""The verbs that take the id of a fact and do something to it."""


def _on_a_fact(name: str) -> click.Command:
    @command(name, help=ON_A_FACT[name])
    @click.argument("fact")
    def verb(session: CommandContext, fact: str) -> None:
        with session.memory() as memory:
            done = memory.by_hand.pin(fact, off=True) if name == "unpin" else getattr(memory.by_hand, name)(fact)
            _emit(session, memory, done)

    return verb


@command()
@click.argument("what")
@click.option("--yes", is_flag=True, help="Of a backup: do not ask.")
@click.option("--dry-run", is_flag=True, help="Of a backup: only show what would change.")
def restore(session: CommandContext, what: str, yes: bool, dry_run: bool) -> None:
    """Bring back WHAT: a fact by its id (see `chain --json`), or the whole memory from a backup file, after showing
    which turns that would lose and gain."""
    path = expanded(what)
    if path.is_file() or path.suffix == ".db":
        go_back_to(session, path, agreed=yes, only_look=dry_run)
        return
    if dry_run:
        raise UsageError(f"There is no file {path}; --dry-run is for backups.")
    with session.memory() as memory:
        _emit(session, memory, memory.by_hand.restore(what))


@command()
@click.option("--episode", metavar="ID", help="One turn.")
@click.option("--fact", metavar="ID", help="The turns that a belief rests on.")
@click.option("--session", "conversation", metavar="KEY", help="One conversation.")
@click.option("--source", metavar="S", help='All that came from there: "import:jsonl", "command".')
@click.option("--about", metavar="S", help="Everything that names somebody or something, or is believed of them.")
@click.option("--since", metavar="D", help="Everything said from then on.")
@click.option("--until", metavar="D", help="Everything said before then.")
@click.option("--yes", is_flag=True, help="Do it; without this, only say what would go.")
def erase(session: CommandContext, since: Given, until: Given, yes: bool, conversation: Given, **named: Given) -> None:
    """Delete for good. Shows what would go; with --yes no byte of it stays in the file. Backups are not touched."""
    start, end = session.when(since), session.when(until)
    named["session"] = conversation
    if sum(one is not None for one in (*named.values(), start or end)) != 1:
        raise UsageError(
            "Name one thing to erase: --episode, --fact, --session, --source, --about, or --since and --until."
        )
    with session.memory() as memory:
        selected: Any = memory.erasing.selection
        chosen = selected(**named, since=start.start if start else None, until=end.start if end else None)
        if not yes:
            _show(session, memory, chosen)
            return
        receipt = memory.erasing.erase(chosen)
    for path in receipt.backups:
        tell(f"The copy {path} still holds the words; delete it if they are to be gone from there, too.")
    tell("Copies that were made without Erstwhile, or that were moved, may still hold the words.")
    said = f"Erased {_counted(receipt)}; no byte of them is left in {session.db}."
    session.emit({"erased": _counts(receipt), "backups": list(receipt.backups)}, said)


def _show(session: CommandContext, memory: Memory, chosen: Selection) -> None:
    """What an erase would take: the first turns, and the beliefs that rest on no other."""
    turns, lost = memory.erasing.selected(chosen, SHOWN), memory.erasing.lost(chosen)
    session.emit(
        {"would_erase": _counts(chosen), "turns": as_json(turns), "lost": as_json(lost)},
        *(f"  {one.said_at.iso()[:16]} {one_line(one.speaker, 20)}: {one_line(one.text, 100)}" for one in turns),
        *_more(len(chosen.episodes)),
        *(["Nothing else says:"] if lost else []),
        *(f"  {one_line(fact.text, 100)}" for fact in lost[:SHOWN]),
        *_more(len(lost)),
        f"Would erase {_counted(chosen)}. Repeat with --yes to do it.",
    )


def _more(number: int) -> list[str]:
    return [f"  ... and {number - SHOWN} more"] if number > SHOWN else []


def _counts(of: Selection | Receipt) -> dict[str, int]:
    turns = of.episodes if isinstance(of.episodes, int) else len(of.episodes)
    return {"episodes": turns, "claims": of.claims, "facts": of.facts, "sessions": of.sessions}


def _counted(of: Selection | Receipt) -> str:
    nouns = ("turn", "claim", "belief", "conversation")
    return ", ".join(count(number, noun) for number, noun in zip(_counts(of).values(), nouns, strict=True))


# ------------------------------------------------------------------------------------------------------- who is who


def entity_json(entity: Entity) -> rendering.Json:
    return {
        "id": entity.id, "name": entity.name, "kind": entity.kind, "relation": entity.relation,
        "aliases": [in_words(alias) for alias in entity.aliases],
    }  # fmt: skip


def entity_line(entity: Entity) -> str:
    """One line for people: the name, what they are to the person, and their other names."""
    own = in_words(entity.id).casefold()
    others = [one for one in map(in_words, entity.aliases) if one not in (own, entity.name.casefold())]
    what = entity.relation or (entity.kind if entity.id != "me" else "the person")
    also = f"  also {', '.join(one_line(one, 40) for one in others)}" if others else ""
    return f"{one_line(entity.name, 40):<24} {one_line(what, 20):<14}{also}".rstrip()


@command()
@click.option("--all", "everything", is_flag=True, help="Things, too, and not only people and pets.")
def people(session: CommandContext, everything: bool) -> None:
    """Everybody who is known, what they are to you, and their other names."""
    with session.memory(reading=True) as memory:
        found = [entity for entity in memory.people.entities() if everything or entity.kind in ("person", "pet")]
    lines = [entity_line(one) for one in found] or ["Nobody is known yet."]
    session.emit({"entities": [entity_json(one) for one in found]}, *lines)


def _emit_entity(session: CommandContext, memory: Memory, entity: Entity) -> None:
    number = memory.log.operations(limit=1)[0].id
    document = {"entity": entity_json(entity), "operation": number}
    session.emit(document, entity_line(entity), _TAKES_BACK.format(number))


@command()
@click.argument("one")
@click.argument("other")
def same(session: CommandContext, one: str, other: str) -> None:
    """Say that ONE and OTHER are the same: two names, or a name and "my brother". What is believed of both is then
    believed of one."""
    with session.memory() as memory:
        _emit_entity(session, memory, memory.people.same(one, other))


@command()
@click.argument("name")
@click.argument("other", required=False)
def different(session: CommandContext, name: str, other: Given) -> None:
    """Say that NAME is somebody else than whoever it was taken for (OTHER, if you say so)."""
    with session.memory() as memory:
        _emit_entity(session, memory, memory.people.different(name, other))


COMMANDS = (correct, restore, erase, people, same, different, *map(_on_a_fact, ON_A_FACT))
