"""What the person says by hand outranks what was read; what they erase is gone, after they have seen how much it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from app.cli.copying import go_back_to
from app.cli.session import CommandContext, command, tell
from app.core import rendering
from app.paths import expanded
from store.errors import UsageError
from store.memory import Memory
from store.records import Fact, Operation
from widgets.plain import one_line

if TYPE_CHECKING:
    from store.maintenance.erase import Selection

SHOWN = 20  # turns that are shown before an erase
LOG_REACH = 50  # operations by hand that are looked through for the one that was just done


def _emit(session: CommandContext, memory: Memory, fact: Fact) -> None:
    """The fact as it is now, and the number by which what was done can be taken back."""
    number = operation_on(memory, fact)
    session.emit(
        {"fact": rendering.fact_json(fact), "operation": number},
        *rendering.fact_lines([fact], memory.latest()),
        f"    `erstwhile undo {number}` takes this back.",
    )


def operation_on(memory: Memory, fact: Fact) -> int:
    """The newest operation by hand on a fact: that of another process may be newer than all of its."""
    turns = {source.episode for source in fact.sources}
    logged = memory.log.operations(limit=LOG_REACH, phase="hand")
    return next((one.id for one in logged if _is_on(one, fact.id, turns)), logged[0].id)


def _is_on(done: Operation, fact: str, turns: set[str]) -> bool:
    of = done.detail.get("of")
    named = {done.detail.get("episode"), *(of if isinstance(of, list) else ())}
    return done.detail.get("fact") == fact or bool(named & turns)


@click.command()
@click.argument("subject")
@click.argument("predicate")
@click.argument("value")
@click.option("--since", metavar="D", help="It has held since then, and still does.")
@click.option("--from", "begins", metavar="D", help="It held from then on, until what came next.")
@click.option("--to", "ends", metavar="D", help="It held until then (the first moment of D).")
@click.option("--not", "instead_of", metavar="OLD", help="The wrong value, where there are several.")
@command
def correct(
    session: CommandContext,
    subject: str,
    predicate: str,
    value: str,
    since: str | None,
    begins: str | None,
    ends: str | None,
    instead_of: str | None,
) -> None:
    """Say what is right: SUBJECT (me, or a name), PREDICATE (lives_in, ...), VALUE. The wrong belief stays in view."""
    with session.memory() as memory:
        fact = memory.by_hand.correct(
            subject, predicate, value, since=session.when(since), begins=session.when(begins),
            ends=session.when(ends), instead_of=instead_of,
        )  # fmt: skip
        _emit(session, memory, fact)


ON_A_FACT: dict[str, tuple[str, Callable[[Memory, str], Fact]]] = {
    "confirm": ("Say that what the reader was unsure of, with this id (see `facts --unsure --json`), is so.",
                lambda memory, key: memory.by_hand.confirm(key)),
    "retract": ("Say that the fact with this id (see `facts --json`, or `facts --unsure --json`) never held.",
                lambda memory, key: memory.by_hand.retract(key)),
    "resolve": ("Of beliefs that are disputed, say that the one with this id is right.",
                lambda memory, key: memory.by_hand.resolve(key)),
    "pin": ("Keep what the fact with this id is about in view, whatever value it comes to hold.",
            lambda memory, key: memory.by_hand.pin(key)),
    "unpin": ("Let what the fact with this id is about go from the pinned ones.",
              lambda memory, key: memory.by_hand.pin(key, off=True)),
}  # fmt: skip
"""The verbs that take the id of a fact and do something to it."""


def _on_a_fact(name: str) -> click.Command:
    """Does what the table says, and shows what became of the fact."""
    help_text, act = ON_A_FACT[name]

    @click.command(name, help=help_text)
    @click.argument("fact")
    @command
    def verb(session: CommandContext, fact: str) -> None:
        with session.memory() as memory:
            _emit(session, memory, act(memory, fact))

    return verb


@click.command()
@click.argument("what")
@click.option("--yes", is_flag=True, help="Of a backup: do not ask.")
@click.option("--dry-run", is_flag=True, help="Of a backup: only show what would change.")
@command
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


@click.command()
@click.option("--episode", metavar="ID", help="One turn.")
@click.option("--fact", metavar="ID", help="The turns that a belief rests on.")
@click.option("--session", "conversation", metavar="KEY", help="One conversation.")
@click.option("--source", metavar="S", help='All that came from there: "import:jsonl", "command".')
@click.option("--about", metavar="S", help="Everything that names somebody or something, or is believed of them.")
@click.option("--since", metavar="D", help="Everything said from then on.")
@click.option("--until", metavar="D", help="Everything said before then.")
@click.option("--yes", is_flag=True, help="Do it; without this, only say what would go.")
@command
def erase(
    session: CommandContext,
    episode: str | None,
    fact: str | None,
    conversation: str | None,
    source: str | None,
    about: str | None,
    since: str | None,
    until: str | None,
    yes: bool,
) -> None:
    """Delete for good. Shows what would go; with --yes no byte of it stays in the file. Backups are not touched."""
    start, end = session.when(since), session.when(until)
    if sum(one is not None for one in (episode, fact, conversation, source, about, start or end)) != 1:
        raise UsageError(
            "Name one thing to erase: --episode, --fact, --session, --source, --about, or --since and --until."
        )
    with session.memory() as memory:
        chosen = memory.erasing.selection(
            episode=episode, fact=fact, session=conversation, source=source, about=about,
            since=start.start if start else None, until=end.start if end else None,
        )  # fmt: skip
        counts = {
            "episodes": len(chosen.episodes), "claims": chosen.claims, "facts": chosen.facts,
            "sessions": chosen.sessions,
        }  # fmt: skip
        if not yes:
            _show(session, memory, chosen, counts)
            return
        receipt = memory.erasing.erase(chosen)
    done = {
        "episodes": receipt.episodes, "claims": receipt.claims, "facts": receipt.facts, "sessions": receipt.sessions,
    }  # fmt: skip
    for path in receipt.backups:
        tell(f"The copy {path} still holds the words; delete it if they are to be gone from there, too.")
    tell("Copies that were made without Erstwhile, or that were moved, may still hold the words.")
    session.emit(
        {"erased": done, "backups": list(receipt.backups)},
        f"Erased {_counted(done)}; no byte of them is left in {session.db}.",
    )


def _show(session: CommandContext, memory: Memory, chosen: Selection, counts: dict[str, int]) -> None:
    """What an erase would take: the first turns, and the beliefs that rest on no other."""
    turns, lost = memory.erasing.selected(chosen, SHOWN), memory.erasing.lost(chosen)
    session.emit(
        {
            "would_erase": counts,
            "turns": [rendering.episode_json(turn) for turn in turns],
            "lost": [rendering.fact_json(fact) for fact in lost],
        },
        *(f"  {one.said_at.iso()[:16]} {one_line(one.speaker, 20)}: {one_line(one.text, 100)}" for one in turns),
        *([f"  ... and {len(chosen.episodes) - SHOWN} more"] if len(chosen.episodes) > SHOWN else []),
        *(["Nothing else says:"] if lost else []),
        *(f"  {one_line(fact.text, 100)}" for fact in lost[:SHOWN]),
        *([f"  ... and {len(lost) - SHOWN} more"] if len(lost) > SHOWN else []),
        f"Would erase {_counted(counts)}. Repeat with --yes to do it.",
    )


def _counted(counts: dict[str, int]) -> str:
    nouns = {"episodes": "turn", "claims": "claim", "facts": "belief", "sessions": "conversation"}
    return ", ".join(f"{count} {nouns[name]}{'' if count == 1 else 's'}" for name, count in counts.items())


COMMANDS = (correct, restore, erase, *map(_on_a_fact, ON_A_FACT))
